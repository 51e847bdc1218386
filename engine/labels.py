"""What people call the pieces, in four languages: one table of words, and the grammar that a label needs.

The keys of the table are the English words that an edition holds, so that an edition stays free of languages.

>>> counted(3, "card", Language.CZECH), counted(5, "card", Language.CZECH)
('3 karty', '5 karet')
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from types import MappingProxyType
from typing import Protocol

from engine.tokens import Card, Face, Number, Piece

__all__ = [
    "Gender",
    "Language",
    "UnknownWordError",
    "Word",
    "Wording",
    "counted",
    "label",
    "listed",
    "mark",
    "plural_place",
    "word",
]


class UnknownWordError(LookupError):
    """A word that the table does not have."""

    def __init__(self, key: str) -> None:
        """Quote the ``key``."""
        super().__init__(f"{key!r} is no word of engine.labels: expected one of {', '.join(_WORDS)}")


class Language(StrEnum):
    """A language of labels and sentences; the value is its ISO 639-1 code."""

    ENGLISH = "en"
    GERMAN = "de"
    FRENCH = "fr"
    CZECH = "cs"


class Gender(IntEnum):
    """Grammatical gender; the integer is the place of a form in :class:`Word`."""

    MASCULINE = 0
    FEMININE = 1
    NEUTER = 2


Forms = tuple[str, str, str]
"""One form a gender."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of one language with the forms that a label can need (nominative)."""

    said: str
    """Alone, as in "Colour: all the same (red)"."""
    singular: Forms
    """With one symbol."""
    plural: Forms
    """With two or three."""
    gender: Gender = Gender.MASCULINE
    """Of a noun; other words take the gender of their noun."""
    many: str = ""
    """After five and more, or none, where that differs from the plural."""

    def form(self, gender: Gender, *, plural: bool) -> str:
        """Return the form beside a noun of ``gender``."""
        return (self.plural if plural else self.singular)[gender]


class Wording(Protocol):
    """What a label needs of an edition: its English words, each in the order of the enum it names."""

    @property
    def numbers(self) -> tuple[str, ...]:
        """Words for one, two, three."""

    @property
    def colours(self) -> tuple[str, ...]:
        """Words for red, green, purple."""

    @property
    def shadings(self) -> tuple[str, ...]:
        """Words for solid, striped, open."""

    @property
    def shapes(self) -> tuple[str, ...]:
        """Words for oval, diamond, squiggle, rectangle."""


_M, _F, _N = Gender


def _same(said: str, attribute: str | None = None) -> Word:
    forms = (attribute or said,) * 3
    return Word(said, forms, forms)


def _number(said: str, masculine: str, feminine: str, neuter: str) -> Word:
    forms = (masculine, feminine, neuter)
    return Word(said, forms, forms)


def _noun(singular: str, plural: str, gender: Gender = _M, many: str = "") -> Word:
    return Word(singular, (singular,) * 3, (plural,) * 3, gender, many)


def _german(said: str, stem: str | None = None) -> Word:
    stem = stem or said
    return Word(said, (stem + "er", stem + "e", stem + "es"), (stem + "e",) * 3)


def _french(masculine: str, feminine: str | None = None) -> Word:
    feminine = feminine or masculine.removesuffix("e") + "e"
    forms = (masculine, feminine, masculine)
    return Word(masculine, forms, (masculine + "s", feminine + "s", masculine + "s"))


def _czech(stem: str) -> Word:
    """Return a hard adjective; alone it agrees with "barva" and "výplň", which are feminine."""
    return Word(stem + "á", (stem + "ý", stem + "á", stem + "é"), (stem + "é", stem + "é", stem + "á"))


_WAVE = (_noun("Welle", "Wellen", _F), _noun("vague", "vagues", _F), _noun("vlnka", "vlnky", _F))
_SOLID = (_german("voll"), _french("plein"), _czech("pln"))
_FILLING = (_noun("Füllung", "Füllungen", _F), _noun("remplissage", "remplissages"), _noun("výplň", "výplně", _F))

_WORDS: Mapping[str, tuple[Word, Word, Word, Word]] = MappingProxyType(
    {
        # Numbers.
        "one": (
            _same("one"),
            _number("eins", "ein", "eine", "ein"),
            _number("un", "un", "une", "un"),
            _number("jedna", "jeden", "jedna", "jedno"),
        ),
        "two": (_same("two"), _same("zwei"), _same("deux"), _number("dvě", "dva", "dvě", "dvě")),
        "three": (_same("three"), _same("drei"), _same("trois"), _same("tři")),
        # Colours.
        "red": (_same("red"), _german("rot"), _french("rouge"), _czech("červen")),
        "green": (_same("green"), _german("grün"), _french("vert"), _czech("zelen")),
        "purple": (_same("purple"), _same("lila"), _french("violet", "violette"), _czech("fialov")),
        "blue": (_same("blue"), _german("blau"), _french("bleu"), _czech("modr")),
        "turquoise": (
            _same("turquoise"),
            _german("türkis", "türkisfarben"),
            _same("turquoise"),
            _czech("tyrkysov"),
        ),
        # Shadings.
        "solid": (_same("solid"), *_SOLID),
        "full": (_same("full"), *_SOLID),
        "striped": (_same("striped"), _german("gestreift"), _french("rayé", "rayée"), _czech("pruhovan")),
        "half": (_same("half"), _german("halbvoll"), _french("demi-plein"), _same("poloviční")),
        "open": (_same("open"), _german("leer"), _french("vide"), _czech("prázdn")),
        # Shapes.
        "oval": (
            _noun("oval", "ovals"),
            _noun("Oval", "Ovale", _N),
            _noun("ovale", "ovales"),
            _noun("ovál", "ovály"),
        ),
        "diamond": (
            _noun("diamond", "diamonds"),
            _noun("Raute", "Rauten", _F),
            _noun("losange", "losanges"),
            _noun("kosočtverec", "kosočtverce"),
        ),
        "squiggle": (_noun("squiggle", "squiggles"), *_WAVE),
        "wave": (_noun("wave", "waves"), *_WAVE),
        "rectangle": (
            _noun("rectangle", "rectangles"),
            _noun("Rechteck", "Rechtecke", _N),
            _noun("rectangle", "rectangles"),
            _noun("obdélník", "obdélníky"),
        ),
        "bar": (
            _noun("bar", "bars"),
            _noun("Balken", "Balken"),
            _noun("barre", "barres", _F),
            _noun("pruh", "pruhy"),
        ),
        # Features, and how three pieces stand in one.
        "number": (
            _noun("number", "numbers"),
            _noun("Anzahl", "Anzahlen", _F),
            _noun("nombre", "nombres"),
            _noun("množství", "množství", _N),
        ),
        "colour": (
            _noun("colour", "colours"),
            _noun("Farbe", "Farben", _F),
            _noun("couleur", "couleurs", _F),
            _noun("barva", "barvy", _F),
        ),
        "shading": (_noun("shading", "shadings"), *_FILLING),
        "filling": (_noun("filling", "fillings"), *_FILLING),
        "shape": (
            _noun("shape", "shapes"),
            _noun("Form", "Formen", _F),
            _noun("forme", "formes", _F),
            _noun("tvar", "tvary"),
        ),
        "same": (
            _same("all the same"),
            _same("alle gleich"),
            _number("le même partout", "le même partout", "la même partout", "le même partout"),
            _number("všude stejný", "všude stejný", "všude stejná", "všude stejné"),
        ),
        "different": (
            _same("all different"),
            _same("alle verschieden"),
            _number("différent partout", "différent partout", "différente partout", "différent partout"),
            _number("všude jiný", "všude jiný", "všude jiná", "všude jiné"),
        ),
        "identical": (
            _same("all three are identical"),
            _same("alle drei sind gleich"),
            _same("trois fois la même chose"),
            _same("všechny tři jsou stejné"),
        ),
        "twice": (_same("twice"), _same("zweimal"), _same("deux fois"), _same("dvakrát")),
        "once": (_same("once"), _same("einmal"), _same("une fois"), _same("jednou")),
        # Pieces.
        "card": (
            _noun("card", "cards"),
            _noun("Karte", "Karten", _F),
            _noun("carte", "cartes", _F),
            _noun("karta", "karty", _F, "karet"),
        ),
        "tile": (
            _noun("tile", "tiles"),
            _noun("Plättchen", "Plättchen", _N),
            _noun("tuile", "tuiles", _F),
            _noun("dílek", "dílky", _M, "dílků"),
        ),
        "die": (
            _noun("die", "dice"),
            _noun("Würfel", "Würfel"),
            _noun("dé", "dés"),
            _noun("kostka", "kostky", _F, "kostek"),
        ),
        "wild": (
            _noun("wild", "wilds"),
            _noun("Joker", "Joker"),
            _noun("joker", "jokers"),
            _noun("žolík", "žolíci", _M, "žolíků"),
        ),
        # What is counted.
        "SET": (
            _noun("SET", "SETs"),
            _noun("SET", "SETs", _N),
            _noun("SET", "SETs"),
            _noun("SET", "SETy", _M, "SETů"),
        ),
        "point": (
            _noun("point", "points"),
            _noun("Punkt", "Punkte"),
            _noun("point", "points"),
            _noun("bod", "body", _M, "bodů"),
        ),
        "token": (
            _noun("token", "tokens"),
            _noun("Chip", "Chips"),
            _noun("jeton", "jetons"),
            _noun("žeton", "žetony", _M, "žetonů"),
        ),
        # What makes a sentence of them.
        "a SET": (_same("A SET"), _same("Ein SET"), _same("Un SET"), _same("SET")),
        "no SET": (_same("Not a SET"), _same("Kein SET"), _same("Pas un SET"), _same("Není to SET")),
        "and": (_same("and"), _same("und"), _same("et"), _same("a")),
        "as": (_same("as"), _same("als"), _same("pour"), _same("jako")),
        "on": (_same("on"), _same("auf"), _same("sur"), _same("na")),
        "or": (_same("or"), _same("oder"), _same("ou"), _same("nebo")),
    }
)
"""Every word, in the order of :class:`Language`."""

_PLACES: Mapping[Language, int] = MappingProxyType({language: place for place, language in enumerate(Language)})


def word(key: str, language: Language = Language.ENGLISH) -> Word:
    """Return what the English word ``key`` is in ``language``.

    :raises UnknownWordError: the table has no such word.
    """
    try:
        return _WORDS[key][_PLACES[language]]
    except KeyError:
        raise UnknownWordError(key) from None


def counted(number: int, key: str, language: Language = Language.ENGLISH) -> str:
    """Return how many of the noun ``key`` there are, in figures: "3 cards".

    :raises UnknownWordError: the table has no such word.
    """
    noun = word(key, language)
    forms = (noun.said, noun.plural[noun.gender], noun.many or noun.plural[noun.gender])
    return f"{number} {forms[plural_place(number, language)]}"


def plural_place(number: int, language: Language) -> int:
    """Return which form ``number`` asks for: 0 singular, 1 plural, 2 that of many (Czech from five, and none)."""
    if language is Language.CZECH and not 1 <= number <= 4:
        return 2
    return 0 if number == 1 or (number == 0 and language is Language.FRENCH) else 1


def mark(sign: str, language: Language) -> str:
    """Return a colon or semicolon with the space that goes before it: French has one, which does not break."""
    return "\N{NO-BREAK SPACE}" + sign if language is Language.FRENCH else sign


def listed(words: Iterable[str], language: Language = Language.ENGLISH) -> str:
    """Return ``words`` in a row: "Ann, Ben and Cem", "Ann, Ben und Cem"; empty for none."""
    *most, last = (*words,) or ("",)
    return f"{', '.join(most)} {word('and', language).said} {last}" if most else last


def label(piece: Piece, edition: Wording, language: Language = Language.ENGLISH) -> str:
    """Return what a person of this edition would call ``piece`` in ``language``, in the nominative.

    As in "two red striped diamonds", "zwei rote gestreifte Rauten", "deux losanges rouges rayés", "dva červené
    pruhované kosočtverce"; a wild face is "wild", "Joker", "joker", "žolík".

    :raises UnknownWordError: the edition has a word that the table does not have.
    """
    seen = piece.tile if isinstance(piece, Face) else piece
    if seen is None:
        return word("wild", language).said
    keys = [edition.numbers[seen.number], edition.colours[seen.colour]]
    keys += [edition.shadings[seen.shading]] if isinstance(seen, Card) else []
    noun, plural = word(edition.shapes[seen.shape], language), seen.number is not Number.ONE
    words = [word(key, language).form(noun.gender, plural=plural) for key in keys]
    words.insert(1 if language is Language.FRENCH else len(words), noun.form(noun.gender, plural=plural))
    return " ".join(words)
