"""A tile of SET Junior, face 1, judged from two layouts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.clauses import Clause
from engine.events import Laid, Place
from engine.games import game
from engine.junior_board import PLACES, sample_board
from engine.tokens import Tile
from service.errors import TurnError
from service.judged import ANYBODY
from service.junior_turn import JuniorTable, judge_junior

BOARD = sample_board(seed=3)
TABLE = JuniorTable(BOARD, "Ann")


def covered(*places: Place) -> dict[Place, Tile]:
    """Return the tiles of these spaces, each on its own."""
    return {at: BOARD[at] for at in places}


def test_a_tile_on_its_space() -> None:
    judged = judge_junior({}, covered((0, 0, 0)), TABLE)
    assert (judged.ok, judged.clause, judged.points, judged.status) == (True, Clause.JUN_3, 0, 0)
    assert (judged.player, [one.at for one in judged.laid]) == ("Ann", [(0, 0, 0)])


@pytest.mark.parametrize("others", [2, 3])
def test_a_tile_that_completes_lines_wins_a_token_each(others: int) -> None:
    cells = [(0, 0), (2, 2), (0, 2), (2, 0)][: 2 * (others - 1)]
    before = covered(*((1, row, column) for row, column in cells))
    judged = judge_junior(before, {**before, **covered((1, 1, 1))}, TABLE)
    assert (judged.ok, judged.clause, judged.points) == (True, Clause.JUN_4, others - 1)
    assert all((1, 1, 1) in line.at for line in judged.lines)


@pytest.mark.parametrize("count", range(4))
def test_whoever_plays_is_in_turn_whatever_lies_there(count: int) -> None:
    before = covered(*PLACES[:count])
    judged = judge_junior(before, {**before, **covered((2, 0, 0))}, replace(TABLE, player=None))
    assert (judged.ok, judged.player) == (True, ANYBODY)


def test_a_tile_on_another_space_is_refused_with_both_named() -> None:
    judged = judge_junior({}, {(0, 0, 1): BOARD[(2, 2, 2)]}, TABLE)
    assert (judged.ok, judged.clause, judged.points, judged.status) == (False, Clause.JUN_5, 0, 1)


def test_two_tiles_or_none_are_no_turn_of_the_rules() -> None:
    two = judge_junior({}, covered((0, 0, 0), (0, 0, 1)), TABLE)
    assert (two.ok, two.clause, len(two.laid)) == (False, Clause.JUN_3, 2)
    assert "one tile laid on its space; 2 are new here" in two.text
    none = judge_junior(covered((0, 0, 0)), covered((0, 0, 0)), TABLE)
    assert (none.ok, none.clause) == (False, Clause.JUN_3)
    assert "0 are new here" in none.text


def test_tiles_that_were_moved_or_changed_are_an_oddity() -> None:
    moved = judge_junior(covered((0, 0, 0)), {(0, 0, 1): BOARD[(0, 0, 0)]}, TABLE)
    assert (moved.ok, [(move.start, move.end) for move in moved.moved]) == (False, [((0, 0, 0), (0, 0, 1))])
    changed = judge_junior(covered((0, 0, 0)), {(0, 0, 0): BOARD[(1, 1, 1)]}, TABLE)
    assert (changed.ok, changed.clause) == (False, Clause.JUN_3)
    assert "what is laid stays there" in changed.text


def test_tiles_that_were_taken_away_are_no_turn() -> None:
    with pytest.raises(TurnError, match=r"BEFORE has more tiles than AFTER \(2 and 1\)"):
        judge_junior(covered((0, 0, 0), (0, 0, 1)), covered((0, 0, 0)), TABLE)


def test_the_verdict_rests_on_the_tile_and_its_lines() -> None:
    before = covered((1, 0, 0), (1, 2, 2), (2, 0, 0))
    after = {**before, **covered((1, 1, 1))}
    assert judge_junior(before, after, TABLE, [(1, 0, 0)]).status == 3
    assert judge_junior(before, after, TABLE, [(1, 1, 1)]).doubts == ((1, 1, 1),)
    assert judge_junior(before, after, TABLE, [(2, 0, 0)]).status == 0
    hidden = judge_junior(before, {at: tile for at, tile in after.items() if at != (1, 2, 2)}, TABLE)
    assert (hidden.ok, hidden.points, hidden.status) == (True, 1, 3)


def test_with_a_record_the_scores_go_on() -> None:
    rules = game("junior-1")
    state = rules.start(("Ann", "Ben"), {}, BOARD)
    for player, at in (("Ann", (1, 0, 0)), ("Ben", (1, 2, 2)), ("Ann", (2, 0, 0))):
        state, _ = rules.apply(state, Laid(player, BOARD[at], at))
    before = covered((1, 0, 0), (1, 2, 2), (2, 0, 0))
    after = {**before, **covered((1, 1, 1))}
    judged = judge_junior(before, after, JuniorTable(BOARD, state=state))
    assert (judged.player, judged.points, judged.scores) == ("Ben", 1, {"Ann": 0, "Ben": 1})
    early = judge_junior(before, after, JuniorTable(BOARD, "Ann", state))
    assert (early.ok, early.clause, early.scores) == (False, Clause.JUN_3, {"Ann": 0, "Ben": 0})
    odd = judge_junior(before, before, JuniorTable(BOARD, state=state))
    assert odd.scores == {"Ann": 0, "Ben": 0}
