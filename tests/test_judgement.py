"""Three pieces that are a SET or not, Wilds and identical dice among them, in every language."""

from __future__ import annotations

from itertools import permutations

import pytest

from engine.clauses import Clause
from engine.editions import Feature, edition
from engine.labels import Language
from engine.sets import Agreement
from engine.tokens import Card, Face, Piece, Tile
from service.errors import PickError
from service.judgement import Judgement, judge, three_words

CUBED = edition("cubed")
WILD = Face(None)


def faces(*names: str) -> list[Piece]:
    """The faces of these names."""
    return [Face.parse(name) for name in names]


def test_a_feature_that_fails_is_broken_and_named() -> None:
    cards = [Card.parse(name) for name in ("1 red solid oval", "2 red solid oval", "3 green solid oval")]
    judged = judge(cards, edition("classic"))
    assert (judged.is_set, judged.clause) == (False, Clause.SET_3)
    assert [name for name, stands in judged.features.items() if stands is Agreement.BROKEN] == [Feature.COLOUR]
    assert len(judged.lines) == 4


def test_the_order_of_the_pieces_does_not_matter() -> None:
    three = faces("1 red oval", "wild", "3 green diamond")
    assert len({str(judge(order, CUBED)) for order in permutations(three)}) == 1


def test_one_wild_is_named_by_the_two_others() -> None:
    judged = judge(faces("1 red oval", "3 green diamond", "wild"), CUBED)
    assert (judged.is_set, judged.clause, judged.named) == (True, Clause.SET_1, Tile.parse("2 purple squiggle"))


@pytest.mark.parametrize("names", [("wild", "wild", "1 red oval"), ("wild", "wild", "wild")])
def test_more_wilds_stand_for_anything(names: tuple[str, str, str]) -> None:
    assert judge(faces(*names), CUBED) == Judgement(True, Clause.CUBED_14, "A SET.")
    assert judge(faces(*names), CUBED, language=Language.GERMAN).text == "Ein SET."


@pytest.mark.parametrize("third", ["1 red oval", "wild"])
def test_identical_dice_are_a_set_unless_the_table_says_otherwise(third: str) -> None:
    three = faces("1 red oval", "1 red oval", third)
    assert judge(three, CUBED, CUBED.choose({})).is_set
    judged = judge(three, CUBED, CUBED.choose({"identical_dice_are_set": False}))
    assert (judged.is_set, judged.clause, judged.named) == (False, Clause.CUBED_17, None)


@pytest.mark.parametrize("language", Language)
def test_every_language_has_its_words(language: Language) -> None:
    table = CUBED.choose({"identical_dice_are_set": False})
    texts = [
        judge(faces("1 red oval", *rest), CUBED, table, language).text for rest in (["1 red oval"] * 2, ["wild"] * 2)
    ]
    assert all(text.endswith(".") for text in texts)
    assert (language is Language.ENGLISH) == texts[0].startswith("Not a SET: all three are identical")


@pytest.mark.parametrize(
    ("pieces", "words"),
    [
        ([], "got 0"),
        (faces("wild", "wild"), "got 2, a die"),
        ([WILD, WILD, Tile.parse("1 red oval")], "got 3, a die and a tile"),
        ([Card.parse("1 red solid oval"), Tile.parse("1 red oval"), WILD], "a card and a die and a tile"),
    ],
)
def test_other_than_three_of_a_kind_are_refused(pieces: list[Piece], words: str) -> None:
    with pytest.raises(PickError, match=words):
        judge(pieces, CUBED)


def test_a_pick_is_three_words() -> None:
    assert three_words(" 0, two red waves ,7") == ["0", "two red waves", "7"]
    for pick, count in (("", "0 pieces"), ("1", "1 piece:"), ("1,,2", "2 pieces"), ("1,2,3,4", "4 pieces")):
        with pytest.raises(PickError, match=count):
            three_words(pick)
