"""Verdicts, options and the table of games: what is refused when it is made."""

from __future__ import annotations

import pytest

from engine.clauses import Clause
from engine.editions import EDITIONS, UnknownEditionError
from engine.events import Verdict
from engine.games import GAMES, game
from engine.hints import HintLevel
from engine.options import Option, OptionError, choose, switch
from engine.reasons import Reason


def test_points_are_changes() -> None:
    with pytest.raises(ValueError, match=r"changes other than 0; got {'Ann': 0}"):
        Verdict(True, Clause.CLASSIC_5, Reason.SET_TAKEN, {"Ann": 0})


def test_what_stands_is_not_only_judged() -> None:
    with pytest.raises(ValueError, match="judged only where it is not ok"):
        Verdict(True, Clause.CLASSIC_5, Reason.SET_TAKEN, judged=True)


def test_a_refusal_does_not_count_and_a_false_call_does() -> None:
    assert not Verdict(False, Clause.CLASSIC_4, Reason.NO_CALL).counts
    assert Verdict(False, Clause.CLASSIC_6, Reason.GAVE_UP, judged=True).counts


def test_the_default_of_an_option_is_one_of_its_values() -> None:
    with pytest.raises(OptionError, match="the default of 'pace' must be one of its values; got 'slow'"):
        Option("pace", "slow", Clause.ALL_1, "how quick", ("quick",))


def test_numbers_and_truth_are_not_mixed_up() -> None:
    rounds = switch("rounds", Clause.CLASSIC_10, "rounds")
    assert [rounds.takes(value) for value in (True, False, 1, 0, None, "true")] == [True, True] + [False] * 4
    swaps = Option("swaps", None, Clause.CUBED_15, "swaps", (None,), counts=True)
    assert [swaps.takes(value) for value in (None, 0, 7, -1, 1.0, True)] == [True, True, True, False, False, False]


def test_an_unknown_option_and_a_value_out_of_range_are_refused_by_name() -> None:
    known = EDITIONS["ravensburger"].options
    with pytest.raises(
        OptionError, match="'jokers' is no option of ravensburger: expected one of easy, forever, hints"
    ):
        choose(known, {"jokers": 1}, "ravensburger")
    with pytest.raises(OptionError, match="'easy' of ravensburger cannot be 'blue': expected null, red, green, purple"):
        choose(known, {"easy": "blue"}, "ravensburger")


def test_every_edition_has_its_game() -> None:
    assert {key: rules.edition.key for key, rules in GAMES.items()} == {key: key for key in EDITIONS}
    assert game("cubed") is GAMES["cubed"]
    with pytest.raises(UnknownEditionError, match="'poker' is no edition"):
        game("poker")


def test_each_hint_level_tells_more_than_the_one_before() -> None:
    assert [level.pieces for level in HintLevel] == [0, 0, 0, 1, 2, 3]
    for level in HintLevel:
        assert [level.allows(asked) for asked in HintLevel].count(True) == level.rank + 1
