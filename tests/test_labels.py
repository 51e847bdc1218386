"""Labels: every word in every language, and pieces that are called what players call them."""

from itertools import product

import pytest

from engine.editions import EDITIONS, Edition, Feature, edition
from engine.labels import Gender, Language, UnknownWordError, counted, label, listed, mark, plural_place, word
from engine.tokens import Card, parse_piece

OTHERS = [language for language in Language if language is not Language.ENGLISH]


@pytest.mark.parametrize(
    ("game", "name", "german", "french", "czech"),
    [
        (
            "classic",
            "2 red striped diamond",
            "zwei rote gestreifte Rauten",
            "deux losanges rouges rayés",
            "dva červené pruhované kosočtverce",
        ),
        ("classic", "1 red solid oval", "ein rotes volles Oval", "un ovale rouge plein", "jeden červený plný ovál"),
        (
            "classic",
            "1 green solid squiggle",
            "eine grüne volle Welle",
            "une vague verte pleine",
            "jedna zelená plná vlnka",
        ),
        (
            "classic",
            "3 purple open squiggle",
            "drei lila leere Wellen",
            "trois vagues violettes vides",
            "tři fialové prázdné vlnky",
        ),
        (
            "classic",
            "1 purple striped rectangle",
            "ein lila gestreiftes Rechteck",
            "un rectangle violet rayé",
            "jeden fialový pruhovaný obdélník",
        ),
        (
            "ravensburger",
            "1 green striped rectangle",
            "ein türkisfarbener halbvoller Balken",
            "une barre turquoise demi-pleine",
            "jeden tyrkysový poloviční pruh",
        ),
        (
            "ravensburger",
            "2 green solid squiggle",
            "zwei türkisfarbene volle Wellen",
            "deux vagues turquoise pleines",
            "dvě tyrkysové plné vlnky",
        ),
        (
            "ravensburger",
            "3 purple open oval",
            "drei lila leere Ovale",
            "trois ovales violets vides",
            "tři fialové prázdné ovály",
        ),
        ("junior-1", "2 green squiggle", "zwei grüne Wellen", "deux vagues vertes", "dvě zelené vlnky"),
        ("junior-2", "1 purple oval", "ein lila Oval", "un ovale violet", "jeden fialový ovál"),
        ("cubed", "3 red diamond", "drei rote Rauten", "trois losanges rouges", "tři červené kosočtverce"),
        ("cubed", "wild", "Joker", "joker", "žolík"),
    ],
)
def test_labels_of_other_languages(game: str, name: str, german: str, french: str, czech: str) -> None:
    entry = edition(game)
    piece = parse_piece(name, entry.deck[0].kind)
    assert [entry.label(piece, language) for language in OTHERS] == [german, french, czech]
    assert label(piece, entry) == entry.label(piece) == entry.label(piece, Language.ENGLISH)


ENDINGS = {
    Language.GERMAN: {
        ("Oval", 1): ("ein", "es"),
        ("Raute", 1): ("eine", "e"),
        ("Welle", 1): ("eine", "e"),
        ("Balken", 1): ("ein", "er"),
        ("many", 0): ("zwei drei", "e"),
    },
    Language.CZECH: {
        ("ovál", 1): ("jeden", "ý"),
        ("kosočtverec", 1): ("jeden", "ý"),
        ("pruh", 1): ("jeden", "ý"),
        ("vlnka", 1): ("jedna", "á"),
        ("many", 0): ("dva dvě tři", "é"),
    },
}


@pytest.mark.parametrize(("entry", "language"), list(product(EDITIONS.values(), ENDINGS)), ids=str)
def test_adjectives_agree_with_their_noun(entry: Edition, language: Language) -> None:
    for piece in entry.deck:
        number, *adjectives, noun = entry.label(piece, language).split() if str(piece) != "wild" else ("", "")
        single = str(piece).startswith("1 ")
        numerals, ending = ENDINGS[language][(noun, 1) if single else ("many", 0)] if noun else ("", "")
        assert number in numerals.split() or not noun
        assert all(word.endswith(ending) or word in ("lila", "poloviční") for word in adjectives)


@pytest.mark.parametrize("entry", EDITIONS.values(), ids=str)
def test_french_adjectives_follow_their_noun(entry: Edition) -> None:
    feminine = ("vague", "vagues", "barre", "barres")
    for piece in entry.deck:
        words = entry.label(piece, Language.FRENCH).split()
        if str(piece) == "wild":
            continue
        assert words[0] == {"1": "une" if words[1] in feminine else "un", "2": "deux", "3": "trois"}[str(piece)[0]]
        plural = words[0] in ("deux", "trois")
        assert all(one.endswith("s") is plural for one in words[1:] if one != "turquoise")
        if words[1] in feminine:
            assert all(one.removesuffix("s").endswith("e") for one in words[1:])
        assert not {"verte", "pleine", "violette", "demi-pleine"} & set(words) or words[1] in feminine


@pytest.mark.parametrize(("entry", "language"), list(product(EDITIONS.values(), Language)), ids=str)
def test_labels_of_a_deck_differ_in_every_language(entry: Edition, language: Language) -> None:
    assert len({entry.label(piece, language) for piece in entry.deck}) == len(entry.deck)


@pytest.mark.parametrize(("entry", "language"), list(product(EDITIONS.values(), Language)), ids=str)
def test_every_word_of_an_edition_is_in_the_table(entry: Edition, language: Language) -> None:
    for key in (*entry.numbers, *entry.colours, *entry.shadings, *entry.shapes, entry.deck[0].kind):
        assert word(key, language).said
    titles = [entry.title_of(feature, language) for feature in Feature]
    assert len(set(titles)) == len(titles)


def test_rav_1_the_czech_words_are_those_of_the_czech_rulebook() -> None:
    """RAV-1; the colour and the filling agree with "barva" and "výplň"."""
    entry = edition("ravensburger")
    said = [word(key, Language.CZECH).said for key in (*entry.colours, *entry.shapes)]
    assert said == ["červená", "tyrkysová", "fialová", "ovál", "kosočtverec", "vlnka", "pruh"]
    single = [word(key, Language.CZECH).form(Gender.MASCULINE, plural=False) for key in entry.shadings]
    assert single == ["plný", "poloviční", "prázdný"]
    titles = [entry.title_of(feature, Language.CZECH) for feature in Feature]
    assert titles == ["množství", "barva", "výplň", "tvar"]


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, ["0 cards", "0 Karten", "0 carte", "0 karet"]),
        (1, ["1 card", "1 Karte", "1 carte", "1 karta"]),
        (2, ["2 cards", "2 Karten", "2 cartes", "2 karty"]),
        (4, ["4 cards", "4 Karten", "4 cartes", "4 karty"]),
        (5, ["5 cards", "5 Karten", "5 cartes", "5 karet"]),
        (12, ["12 cards", "12 Karten", "12 cartes", "12 karet"]),
        (21, ["21 cards", "21 Karten", "21 cartes", "21 karet"]),
    ],
)
def test_counted(number: int, words: list[str]) -> None:
    assert [counted(number, "card", language) for language in Language] == words


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("tile", ["5 tiles", "5 Plättchen", "5 tuiles", "5 dílků"]),
        ("die", ["5 dice", "5 Würfel", "5 dés", "5 kostek"]),
        ("point", ["5 points", "5 Punkte", "5 points", "5 bodů"]),
        ("token", ["5 tokens", "5 Chips", "5 jetons", "5 žetonů"]),
        ("SET", ["5 SETs", "5 SETs", "5 SETs", "5 SETů"]),
    ],
)
def test_everything_that_is_counted_has_its_plural(key: str, words: list[str]) -> None:
    assert [counted(5, key, language) for language in Language] == words


def test_a_number_asks_for_its_form() -> None:
    assert [plural_place(number, Language.CZECH) for number in (0, 1, 2, 4, 5, -1)] == [2, 0, 1, 1, 2, 2]
    assert [plural_place(number, Language.FRENCH) for number in (0, 1, 2)] == [0, 0, 1]
    assert [plural_place(number, Language.GERMAN) for number in (0, 1, 2)] == [1, 0, 1]


def test_french_has_a_space_before_a_colon_that_does_not_break() -> None:
    assert [mark(":", language) for language in Language] == [":", ":", "\N{NO-BREAK SPACE}:", ":"]


def test_words_stand_in_a_row() -> None:
    assert [listed(["Ann", "Ben", "Cem"][:many]) for many in range(4)] == ["", "Ann", "Ann and Ben", "Ann, Ben and Cem"]
    assert listed(["Ann", "Ben"], Language.CZECH) == "Ann a Ben"


def test_an_unknown_word_is_quoted() -> None:
    with pytest.raises(
        UnknownWordError, match=r"'orange' is no word of engine\.labels: expected one of one, two, three, red"
    ) as it:
        word("orange")
    assert isinstance(it.value, LookupError)


def test_a_language_is_its_code() -> None:
    assert [str(language) for language in Language] == ["en", "de", "fr", "cs"]
    assert Language("cs") is Language.CZECH


def test_a_card_of_the_other_printed_deck_has_a_label_too() -> None:
    assert edition("ravensburger").label(Card.parse("2 red open diamond"), Language.GERMAN) == "zwei rote leere Rauten"
