"""What people write behind options that are about boards."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.tokens import Face, Tile
from service.arguments import parse_corners, parse_hand, parse_options, parse_wilds
from service.errors import ArgumentError


def test_names_of_wilds() -> None:
    assert parse_wilds(["6,4=2 red oval", " 10 , 0 = 1  GREEN squiggle "], "--wild") == {
        (6, 4): Tile.parse("2 red oval"),
        (10, 0): Tile.parse("1 green squiggle"),
    }


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        (["6,4"], "expected ROW,COLUMN=NAME"),
        (["6=2 red oval"], "expected ROW,COLUMN=NAME"),
        (["6,-4=2 red oval"], "expected ROW,COLUMN=NAME"),
        (["6,99999=2 red oval"], "expected ROW,COLUMN=NAME"),
        (["6,4=wild"], "'wild' is no face"),
        (["6,4=4 red oval"], "'4 red oval' is no face"),
        (["6,4=2 red rectangle"], "'2 red rectangle' is no face"),
        (["6,4=2 red oval", "6,4=2 red oval"], "named twice"),
    ],
)
def test_a_name_that_is_none_is_refused(texts: Sequence[str], words: str) -> None:
    with pytest.raises(ArgumentError, match=words) as refused:
        parse_wilds(texts, "--as")
    assert str(refused.value).startswith("--as ")


def test_corners() -> None:
    assert parse_corners(None) is None
    assert parse_corners(("0,0", "100,5.5", "110,90", "-3,80")) == [(0, 0), (100, 5.5), (110, 90), (-3, 80)]


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (("0,0", "100,0", "100,90", "x"), "'x' is no point"),
        (("0,0", "100,0", "100,90", "1,2,3"), "'1,2,3' is no point"),
        (("0,0", "100,0", "100,90", "nan,1"), "'nan,1' is no point"),
        (("0,0", "0,90", "100,90", "100,0"), "clockwise"),
        (("0,0", "100,90", "100,0", "0,90"), "clockwise"),
        (("0,0", "50,0", "100,0", "0,90"), "clockwise"),
    ],
)
def test_corners_that_are_none_are_refused(words: Sequence[str], fault: str) -> None:
    with pytest.raises(ArgumentError, match=fault):
        parse_corners(words)


def test_a_hand() -> None:
    assert parse_hand(None) == ()
    assert parse_hand("2 red oval, Wild,2  red oval") == tuple(map(Face.parse, ("2 red oval", "wild", "2 red oval")))


@pytest.mark.parametrize(
    ("text", "words"),
    [("", "''"), ("2 red oval,", "''"), ("wild,jester", "'jester'"), (",".join(["wild"] * 6), "at most 5")],
)
def test_a_hand_that_is_none_is_refused(text: str, words: str) -> None:
    with pytest.raises(ArgumentError, match=words):
        parse_hand(text)


def test_options_of_a_table() -> None:
    chosen = parse_options(["waiting_dice=false", "swaps_per_turn=2", "hints=count"], "cubed")
    assert (chosen["waiting_dice"], chosen["swaps_per_turn"], chosen["hints"]) == (False, 2, "count")
    assert chosen["identical_dice_are_set"] is True
    assert parse_options(["swaps_per_turn=null"], "cubed")["swaps_per_turn"] is None


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        (["waiting_dice"], "expected NAME=VALUE"),
        (["waiting_dice=false", "waiting_dice=true"], "set twice"),
        (["waiting_dice=perhaps"], "'waiting_dice'.*expected true, false"),
        (["small_deck=true"], "no option of cubed"),
    ],
)
def test_an_option_that_is_none_is_refused(texts: Sequence[str], words: str) -> None:
    with pytest.raises(ArgumentError, match=words):
        parse_options(texts, "cubed")
