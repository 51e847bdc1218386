"""SETs: the test, the third piece, all SETs of a table, and the reason in words (SET-1 to SET-3).

A piece has a *code*: its features as the digits of a number in base 3, which is also its place in the full deck. One
table gives, for the codes of two pieces, the code of the third; everything here is a look-up in it.

>>> first, second = Card.parse("1 red solid oval"), Card.parse("2 red open diamond")
>>> str(third(first, second))
'3 red striped squiggle'
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import combinations
from typing import overload

from engine.editions import Edition, Feature, WildPieceError, features_of, shown
from engine.labels import Language, Word, mark, word
from engine.tokens import Card, Face, Piece, Shape, Tile, TokenError, full_deck, full_tiles

__all__ = [
    "Agreement",
    "Explanation",
    "FeatureCheck",
    "MixedKindsError",
    "code",
    "count_sets",
    "explain",
    "find_sets",
    "is_set",
    "third",
]


class MixedKindsError(TokenError, ValueError):
    """Pieces of different kinds, which have no SETs with each other."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        """Name the first piece of each kind among ``pieces``."""
        firsts = {piece.kind: str(piece) for piece in reversed(pieces)}
        found = " and ".join(f"a {kind} ({name!r})" for kind, name in sorted(firsts.items()))
        super().__init__(f"a SET is made of pieces of one kind: got {found}")


_SLOTS = tuple(shape.slot for shape in Shape)


def _thirds(features: int) -> tuple[bytes, ...]:
    """Return rows of 256 bytes: row[a][b] is the code of the third piece; rows are padded for bytes.translate."""
    rows = [[0]]
    for _ in range(features):
        rows = [[3 * code + -(x + y) % 3 for code in row for y in range(3)] for row in rows for x in range(3)]
    return tuple(bytes(row).ljust(256, b"\0") for row in rows)


_CARD_THIRDS = _thirds(4)
_TILE_THIRDS = _thirds(3)


def code(piece: Piece) -> int:
    """Return the place of ``piece`` in its full deck: 0..80 for a card, 0..26 for a tile or a face.

    Rectangle and diamond share their code: they are the same value of the feature shape.

    :raises WildPieceError: a wild face has none.
    """
    if isinstance(piece, Card):
        return piece.number * 27 + piece.colour * 9 + piece.shading * 3 + _SLOTS[piece.shape]
    tile = piece.tile if isinstance(piece, Face) else piece
    if tile is None:
        raise WildPieceError
    return tile.number * 9 + tile.colour * 3 + _SLOTS[tile.shape]


def _codes(pieces: Sequence[Piece]) -> list[int]:
    if len({type(piece) for piece in pieces}) > 1:
        raise MixedKindsError(pieces)
    return [code(piece) for piece in pieces]


def _table(pieces: Sequence[Piece]) -> tuple[bytes, ...]:
    return _CARD_THIRDS if pieces and isinstance(pieces[0], Card) else _TILE_THIRDS


def is_set(a: Piece, b: Piece, c: Piece) -> bool:
    """Return whether each feature is the same on all three pieces or different on all three (SET-1).

    Three identical pieces are a SET (CUBED-17).

    :raises MixedKindsError: the pieces are not of one kind.
    :raises WildPieceError: one of them is wild.
    """
    pieces = (a, b, c)
    first, second, last = _codes(pieces)
    return _table(pieces)[first][second] == last


@cache
def _cards(bar: Shape) -> tuple[Card, ...]:
    return full_deck(bar)


@cache
def _tiles() -> tuple[Tile, ...]:
    return full_tiles()


@overload
def third(a: Card, b: Card, bar: Shape = ...) -> Card: ...
@overload
def third(a: Tile, b: Tile, bar: Shape = ...) -> Tile: ...
@overload
def third(a: Face, b: Face, bar: Shape = ...) -> Face: ...
def third(a: Piece, b: Piece, bar: Shape = Shape.DIAMOND) -> Piece:
    """Return the one piece that makes a SET with ``a`` and ``b`` (SET-2); of two equal pieces, that piece again.

    Two rectangles call for a rectangle. When neither card shows the second shape of its deck, as with an oval and a
    squiggle, the cards do not tell which deck it is: ``bar`` says so (``Edition.bar``).

    :raises MixedKindsError: the pieces are not of one kind.
    :raises WildPieceError: one of them is wild.
    """
    pieces = (a, b)
    first, second = _codes(pieces)
    place = _table(pieces)[first][second]
    if isinstance(a, Card):
        return _cards(a.shape if _SLOTS[a.shape] == Shape.DIAMOND else bar)[place]
    return _tiles()[place] if isinstance(a, Tile) else Face(_tiles()[place])


def find_sets(pieces: Sequence[Piece]) -> list[tuple[int, int, int]]:
    """Return every SET on the table as places (i < j < k) in ``pieces``, in ascending order.

    Equal pieces keep their own places: with two copies of a card each SET of that card counts twice, and three
    copies are a SET of their own (SET-1). A wild face makes a SET with any two others (CUBED-14).

    :raises MixedKindsError: the pieces are not of one kind.
    """
    if any(isinstance(piece, Face) and piece.is_wild for piece in pieces):
        return _sets_with_wilds(pieces)
    codes, table = _codes(pieces), _table(pieces)
    if len(set(codes)) == len(codes):
        return _sets_of_distinct(codes, table)
    return _sets_with_repeats(codes, table)


def _sets_of_distinct(codes: list[int], table: tuple[bytes, ...]) -> list[tuple[int, int, int]]:
    text, places = bytes(codes), bytearray(256)
    for place, value in enumerate(codes):
        places[value] = place
    found: list[tuple[int, int, int]] = []
    for i, value in enumerate(codes):
        lasts = text[i + 1 :].translate(table[value]).translate(places)
        # An absent piece reads as place 0, which is never beyond j.
        found += [(i, j, k) for j, k in enumerate(lasts, i + 1) if k > j]
    return found


def _sets_with_repeats(codes: list[int], table: tuple[bytes, ...]) -> list[tuple[int, int, int]]:
    places: dict[int, list[int]] = {}
    for place, value in enumerate(codes):
        places.setdefault(value, []).append(place)
    return [
        (i, j, k)
        for (i, first), (j, second) in combinations(enumerate(codes), 2)
        for k in places.get(table[first][second], ())
        if k > j
    ]


def _sets_with_wilds(pieces: Sequence[Piece]) -> list[tuple[int, int, int]]:
    if not all(isinstance(piece, Face) for piece in pieces):
        raise MixedKindsError(pieces)
    plain = [place for place, piece in enumerate(pieces) if str(piece) != "wild"]
    known = {(plain[i], plain[j], plain[k]) for i, j, k in find_sets([pieces[place] for place in plain])}
    shown_at = frozenset(plain)
    trios = combinations(range(len(pieces)), 3)
    return [trio for trio in trios if trio in known or not shown_at.issuperset(trio)]


def count_sets(pieces: Sequence[Piece]) -> int:
    """Return how many SETs lie among ``pieces``; counts and errors as in :func:`find_sets`.

    >>> count_sets(full_deck()), count_sets(full_tiles())
    (1080, 117)
    """
    return len(find_sets(pieces))


class Agreement(StrEnum):
    """How three pieces stand in one feature."""

    SAME = "same"
    DIFFERENT = "different"
    BROKEN = "broken"
    """Two agree and one does not: no SET (SET-3)."""


@dataclass(frozen=True, slots=True)
class FeatureCheck:
    """The verdict on one feature, in the words of an edition and in one language."""

    feature: Feature
    """Which feature."""
    title: str
    """What the edition calls it, in lower case."""
    agreement: Agreement
    """How the three pieces stand."""
    text: str
    """In words: "two are red and one is green"; "all the same (red)"; "all different (red, green, purple)"."""
    language: Language = Language.ENGLISH
    """The language of ``title`` and ``text``."""

    @property
    def line(self) -> str:
        """Title and text: "Colour: two are red and one is green"; "Farbe: zweimal rot, einmal grün"."""
        return f"{self.title.capitalize()}{mark(':', self.language)} {self.text}"


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why three pieces are a SET or not, feature by feature (SET-3)."""

    pieces: tuple[Piece, Piece, Piece]
    """The three pieces, as given."""
    checks: tuple[FeatureCheck, ...]
    """One a feature, in the order of the name."""
    language: Language = Language.ENGLISH
    """The language of the texts."""

    @property
    def is_set(self) -> bool:
        """Whether no feature is broken."""
        return all(check.agreement is not Agreement.BROKEN for check in self.checks)

    @property
    def clause(self) -> str:
        """The rule that decides: SET-1 for a SET, the magic rule SET-3 for a refusal."""
        return "SET-1" if self.is_set else "SET-3"

    @property
    def lines(self) -> tuple[str, ...]:
        """One line a feature."""
        return tuple(check.line for check in self.checks)

    @property
    def text(self) -> str:
        """One sentence to read aloud: a SET names every feature, a refusal those that break it."""
        told = [check for check in self.checks if self.is_set or check.agreement is Agreement.BROKEN]
        start = word("a SET" if self.is_set else "no SET", self.language).said + mark(":", self.language)
        if self.language is not Language.ENGLISH:
            return f"{start} " + f"{mark(';', self.language)} ".join(check.line for check in told) + "."
        preposition = "" if self.is_set else "in "
        return f"{start} " + "; ".join(f"{preposition}{check.title} {check.text}" for check in told) + "."


def explain(a: Piece, b: Piece, c: Piece, edition: Edition, language: Language = Language.ENGLISH) -> Explanation:
    """Return why the three pieces are a SET or not, in the words of ``edition``, whatever their order.

    :raises MixedKindsError: the pieces are not of one kind.
    :raises WildPieceError: one of them is wild.
    """
    pieces = (a, b, c)
    _codes(pieces)
    checks = (_check(pieces, index, feature, edition, language) for index, feature in enumerate(features_of(a)))
    return Explanation(pieces, tuple(checks), language)


def _check(
    pieces: tuple[Piece, ...], index: int, feature: Feature, edition: Edition, language: Language
) -> FeatureCheck:
    words: dict[int, list[str]] = {}
    for value, key in sorted((shown(piece).values[index], edition.word(piece, feature)) for piece in pieces):
        words.setdefault(value, []).append(key)
    agreement = (Agreement.SAME, Agreement.BROKEN, Agreement.DIFFERENT)[len(words) - 1]
    title = edition.title_word(feature, language)
    groups = list(words.values())
    broken = agreement is Agreement.BROKEN
    text = _broken(groups, feature, language) if broken else _agreed(groups, agreement, title, language)
    return FeatureCheck(feature, title.said, agreement, text, language)


def _broken(groups: list[list[str]], feature: Feature, language: Language) -> str:
    one, two = sorted(groups, key=len)
    if language is Language.ENGLISH:
        return f"two are {_plural(two, feature)} and one is {_singular(one[0], feature)}"
    twice, once = (word(key, language).said for key in ("twice", "once"))
    return f"{twice} {_either(two, language)}, {once} {_either(one, language)}"


def _agreed(groups: list[list[str]], agreement: Agreement, title: Word, language: Language) -> str:
    stands = word(agreement, language).form(title.gender, plural=False)
    return f"{stands} ({', '.join(_either(group, language) for group in groups)})"


def _either(keys: list[str], language: Language) -> str:
    """Return the words of one value: two where the shapes of two printed decks stand for each other (RAV-1)."""
    return f" {word('or', language).said} ".join(dict.fromkeys(word(key, language).said for key in keys))


_NOUNS = (Feature.NUMBER, Feature.SHAPE)


def _plural(words: list[str], feature: Feature) -> str:
    ending = "s" if feature in _NOUNS else ""
    return " or ".join(word + ending for word in dict.fromkeys(words))


def _singular(word: str, feature: Feature) -> str:
    if feature not in _NOUNS:
        return word
    article = "an" if word[0] in "aeiou" and word != "one" else "a"
    return f"{article} {word}"
