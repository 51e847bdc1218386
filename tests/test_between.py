"""What was played between two pictures of a board: changes, turns with Wilds that nobody has named, swaps."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest

from engine.between import (
    Change,
    Move,
    OpenLine,
    Scored,
    best_sure_turn,
    changes,
    fitting_names,
    score_between,
    score_first_set,
    swap_between,
    unexplained,
)
from engine.clauses import Clause
from engine.cubed_state import CubedState
from engine.grid import Die, Grid, Square
from engine.reasons import Reason
from engine.tokens import Face, full_tiles
from engine.turns import Placed, best_turns, score_turn
from tests.cubed_table import BOARD, Table, dice, face, faces, position, tile
from tests.cubed_turns import turns_of

START = dice({(4, 5): "1ro 2ro 3ro"})
"""The first SET on the logo."""


def layout(words: str) -> dict[Square, Face]:
    """Return faces side by side from (4, 5) on."""
    return {(4, 5 + place): shown for place, shown in enumerate(faces(words))}


def test_what_is_new_changed_moved_and_gone() -> None:
    before = layout("1ro 2ro w 3gd")
    after = {(4, 5): face("1ro"), (4, 6): face("2gd"), (2, 2): face("3gd"), (3, 5): face("1ps")}
    assert changes(before, after) == Change(
        new={(3, 5): face("1ps")},
        changed={(4, 6): (face("2ro"), face("2gd"))},
        moved=(Move(face("3gd"), (4, 8), (2, 2)),),
        gone={(4, 7): face("w")},
    )


def test_nothing_differs_between_equal_layouts() -> None:
    assert changes(layout("1ro 2ro"), layout("1ro 2ro")) == Change({}, {}, (), {})


def test_of_two_dice_that_fit_each_is_moved_once() -> None:
    change = changes({(0, 0): face("w")}, {(1, 1): face("w"), (2, 2): face("w")})
    assert change.moved == (Move(face("w"), (0, 0), (1, 1)),)
    assert change.new == {(2, 2): face("w")}


def turn(board: Mapping[Square, Die], hand: str, *words: str, unknown: Mapping[Square, Die] | None = None) -> Scored:
    """Score dice like "1ro 4 8" on a board; "w=1ro" is a Wild with a name."""
    wilds = unknown or {}
    state = position({**board, **wilds}, hand, "").state
    return score_between(state, "Ann", [placed(word) for word in words], wilds)


def placed(word: str) -> Placed:
    """Return a die like "w=1ro 4 8"."""
    shown, row, column = word.split()
    first, _, named = shown.partition("=")
    return Placed(face(first), (int(row), int(column)), tile(named) if named else None)


def test_without_wilds_it_is_the_score_of_the_turn() -> None:
    scored = turn(START, "1ro 2gd", "1ro 4 8")
    assert scored.turn is not None
    assert (scored.turn.points, scored.sure, scored.open, scored.more) == (3, True, (), 0)
    assert scored.verdicts[-1].clause is Clause.CUBED_7


def test_a_wild_far_away_does_not_matter() -> None:
    scored = turn(START, "1ro", "1ro 4 8", unknown=dice({(8, 0): "w=1ro"}))
    assert (scored.sure, scored.open) == (True, ())


def test_a_set_on_an_unnamed_wild_is_open_and_pays_nothing() -> None:
    # The Wild on [3, 8] stands for something that made a SET with [2, 8] and [1, 8].
    board = {**START, **dice({(1, 8): "1gd 2gd"}, down=True)}
    scored = turn(board, "1ro", "1ro 4 8", unknown=dice({(3, 8): "w=1ps"}))
    assert scored.turn is not None
    assert scored.turn.points == 3
    # With [2, 8] and [4, 8] it would need 3 purple squiggle, and it can only be 3 green diamond.
    assert (scored.open, scored.more, scored.sure) == ((), 0, True)


def test_an_open_set_says_what_the_wild_needs_and_what_it_is_worth() -> None:
    board = {**START, **dice({(2, 8): "2gd"}), **dice({(3, 9): "2ro 1ro"})}
    scored = turn(board, "1ro", "1ro 4 8", unknown=dice({(3, 8): "w=2ps"}))
    assert scored.turn is not None
    assert scored.turn.points == 3
    assert scored.open == ()
    assert fitting_names(Grid(BOARD, {**board, **dice({(3, 8): "w=2ps"})}), [(3, 8)]) == {(3, 8): {tile("3ro")}}


def test_more_is_what_the_open_sets_can_pay() -> None:
    board = {**START, **dice({(2, 8): "3gd", (3, 9): "1gs"})}
    scored = turn(board, "1ro", "1ro 4 8", unknown=dice({(3, 8): "w=1gd"}))
    assert scored.turn is not None
    assert scored.turn.points == 3
    assert scored.open == (OpenLine(((2, 8), (3, 8), (4, 8)), ((3, 8),), tile("2ps")),)
    assert scored.more == 3
    assert [line.at for line in scored.turn.lines] == [((4, 6), (4, 7), (4, 8))]


def test_the_stand_in_never_makes_a_set() -> None:
    board = {**START, **dice({(2, 8): "3gd"})}
    for name in ("2ps", "1ro", "3gd"):
        scored = turn(board, "1ro", "1ro 4 8", unknown=dice({(3, 8): f"w={name}"}))
        assert scored.turn is not None
        assert (scored.turn.points, scored.more) == (3, 3)


def test_a_turn_that_rests_on_an_unnamed_wild_is_not_sure() -> None:
    board = {**START, **dice({(3, 7): "3gd", (2, 5): "1gd 1ps"})}
    scored = turn(board, "2ps", "2ps 1 7", unknown=dice({(2, 7): "w=1ro"}))
    assert scored.turn is not None
    assert (scored.sure, scored.verdicts, scored.turn.points, scored.more) == (False, (), 0, 3)
    assert scored.open == (OpenLine(((1, 7), (2, 7), (3, 7)), ((2, 7),), tile("1ro")),)


def test_a_turn_that_no_name_can_carry_is_refused_without_a_word_of_the_stand_in() -> None:
    # The Wild on [2, 7] made a SET with [3, 7] and [4, 7]: it is 3 purple squiggle.
    board = {**START, **dice({(3, 7): "3gd"})}
    wild = dice({(2, 7): "w=1ro"})
    scored = turn(board, "1ro", "1ro 1 7", unknown=wild)
    assert scored.turn is None
    refusal = scored.verdicts[-1]
    assert (refusal.clause, refusal.reason, refusal.failed) == (Clause.CUBED_7, Reason.DIE_LEFT_WAITING, None)
    assert (refusal.facts["piece"], refusal.facts["at"]) == (face("1ro"), (1, 7))


def test_a_refusal_that_has_nothing_to_do_with_the_wild_stays() -> None:
    board = {**START, **dice({(3, 7): "3gd"})}
    wild = dice({(2, 7): "w=1ro"})
    scored = turn(board, "1ro 2gd", "1ro 1 7", "2gd 8 0", unknown=wild)
    assert scored.verdicts[-1].reason is Reason.UNCONNECTED
    scored = turn(board, "1ro 2gd", "1ro 1 7", "2gd 4 8", unknown=wild)
    assert scored.turn is None
    assert scored.verdicts[-1].facts["at"] in {(1, 7), (4, 8)}


@pytest.mark.parametrize("square", ["4 6", "9 9"])
def test_a_die_off_the_board_or_on_another_is_refused(square: str) -> None:
    scored = turn(START, "1ro", f"1ro {square}", unknown=dice({(4, 8): "w=1ro"}))
    assert scored.turn is None
    assert scored.verdicts[-1].clause is Clause.CUBED_2


def test_a_new_wild_takes_the_name_that_scores_most_surely() -> None:
    board = {**START, **dice({(2, 8): "3gd"})}
    scored = turn(board, "w", "w 4 8", unknown=dice({(3, 8): "w=1gd"}))
    assert scored.turn is not None
    assert scored.turn.dice == (Placed(face("w"), (4, 8), tile("1ro")),)
    assert (scored.turn.points, scored.sure) == (2, True)
    # The Wild on [3, 8] may stand for 2 purple squiggle: of the three dice of that SET the new Wild pays nothing.
    assert scored.more == 2


def test_two_unnamed_wilds_in_one_line() -> None:
    wilds = dice({(3, 8): "w=1ro", (2, 8): "w=1ro"})
    scored = turn(START, "1ro", "1ro 4 8", unknown=wilds)
    assert scored.turn is not None
    assert scored.open == (OpenLine(((2, 8), (3, 8), (4, 8)), ((2, 8), (3, 8)), None),)
    assert (scored.turn.points, scored.more) == (3, 3)


def test_many_unnamed_wilds_are_tried_as_far_as_a_set_asks_for_them() -> None:
    wilds = dice({(3, 8): "w=1ro", (2, 7): "w=1ro", (5, 8): "w=1ro"})
    board = {**START, **dice({(2, 8): "3gd", (6, 8): "2gd"})}
    scored = turn(board, "1ro", "1ro 4 8", unknown=wilds)
    assert scored.turn is not None
    assert len(scored.open) == 3
    assert scored.more == 6


def test_identical_dice_are_no_open_set_where_they_are_no_set() -> None:
    board = {**START, **dice({(2, 8): "1ro"})}
    wild = dice({(3, 8): "w=2ps"})
    state = position({**board, **wild}, "1ro", "", identical_dice_are_set=False).state
    scored = score_between(state, "Ann", [placed("1ro 4 8")], wild)
    assert (scored.open, scored.more) == ((), 0)
    assert fitting_names(Grid(BOARD, {**dice({(0, 0): "1ro w=1ro 1ro"})}), [(0, 1)], identical=False) == {
        (0, 1): frozenset(full_tiles())
    }


def test_a_wild_in_no_full_line_may_be_anything() -> None:
    assert len(fitting_names(Grid(BOARD, dice({(0, 0): "w=1ro"})), [(0, 0)])[(0, 0)]) == 27


def test_a_wild_beside_another_unnamed_one_may_be_anything() -> None:
    grid = Grid(BOARD, dice({(0, 0): "w=1ro w=1ro 1ro"}))
    assert [len(names) for names in fitting_names(grid, [(0, 0), (0, 1)]).values()] == [27, 27]


def test_the_best_turn_does_not_count_on_unnamed_wilds() -> None:
    board = {**START, **dice({(2, 8): "3gd"})}
    wild = dice({(3, 8): "w=2ps"})
    state = position({**board, **wild}, "1ro", "").state
    named = best_turns(state, "Ann")[0]
    assert named.points == 6
    best = best_sure_turn(state, "Ann", wild)
    assert best is not None
    assert best.turn is not None
    assert (best.turn.points, best.more) == (3, 3)
    assert best_sure_turn(state, "Ann") == Scored(named, score_turn(state, "Ann", named.dice).verdicts)


def test_there_may_be_no_best_turn() -> None:
    assert best_sure_turn(position(START, "1gs", "").state, "Ann") is None


# What no play leaves.


def test_dice_in_sets_from_the_logo_on_are_explained() -> None:
    assert unexplained(BOARD, layout("1ro 2ro 3ro")) == frozenset()
    assert unexplained(BOARD, {**layout("1ro 2ro 3ro"), (3, 7): face("3gd"), (2, 7): face("3ps")}) == frozenset()
    assert unexplained(BOARD, {**layout("1ro 2ro 3ro"), (3, 7): face("3gd"), (2, 7): face("w")}) == frozenset()


@pytest.mark.parametrize(
    ("faces", "missing"),
    [
        ({**layout("1ro 2ro")}, {(4, 5), (4, 6), (4, 7)}),
        ({**layout("1ro 2ro 3ro"), (4, 8): face("1gd")}, {(4, 8)}),
        ({**layout("1ro 2ro 3ro"), (3, 7): face("w")}, {(3, 7)}),
        (
            {**layout("1ro 2ro 3ro"), (2, 7): face("1gd"), (2, 8): face("w"), (2, 9): face("1gd")},
            {(2, 7), (2, 8), (2, 9)},
        ),
    ],
)
def test_dice_that_no_play_leaves_are_told(faces: dict[Square, Face], missing: set[Square]) -> None:
    assert unexplained(BOARD, faces) == missing


def test_identical_dice_are_explained_where_they_are_a_set() -> None:
    row = layout("1ro 1ro 1ro")
    assert unexplained(BOARD, row) == frozenset()
    assert unexplained(BOARD, row, identical=False) == set(BOARD.logo)


@pytest.mark.parametrize("seed", range(8))
def test_random_games_leave_nothing_unexplained(seed: int) -> None:
    for turn in turns_of(seed):
        identical = turn.before.identical
        for shown in turn.layouts:
            assert not unexplained(turn.before.grid.board, shown, identical=identical)


# The first SET.


def opening(hand: str) -> CubedState:
    """Return a table before the first SET at which Ann holds ``hand``."""
    table = Table("Ann", "Ben")
    table.roll("Ann", hand)
    table.roll("Ben", "2gd 1ps 3gs 1gd 2ps")
    return table.state


def test_the_first_set_goes_on_the_logo() -> None:
    scored = score_first_set(opening("1ro 2ro 3ro 2gd 1ps"), "Ann", faces("1ro 2ro 3ro"))
    assert scored.turn is not None
    assert (scored.turn.points, scored.verdicts[0].clause) == (3, Clause.CUBED_4)
    assert [die.at for die in scored.turn.dice] == list(BOARD.logo)


def test_a_wild_of_the_first_set_takes_a_name() -> None:
    state = opening("1ro w w 2gd 1ps")
    scored = score_first_set(state, "Ann", faces("1ro w w"), (None, None, tile("3ro")))
    assert scored.turn is not None
    assert [die.named for die in scored.turn.dice] == [None, tile("2ro"), tile("3ro")]
    assert scored.turn.points == 1


def test_names_that_make_no_set_are_refused() -> None:
    state = opening("1ro 2ro w w 1ps")
    scored = score_first_set(state, "Ann", faces("1ro 2ro w"), (None, None, tile("1gs")))
    assert scored.turn is None
    assert scored.verdicts[0].reason is Reason.ANNOUNCED_NOT_A_SET


# Swaps.


def test_a_wild_is_swapped_for_what_it_stands_for() -> None:
    state = position(dice({(4, 5): "1ro w=2ro 3ro"}), "2ro 1gd", "").state
    after, verdict = swap_between(state, "Ann", (4, 6), face("2ro"))
    assert (verdict.ok, verdict.clause) == (True, Clause.CUBED_15)
    assert after.grid.dice[(4, 6)] == Die(face("2ro"))
    assert not after.missing_rolls
    assert score_between(after, "Ann", [placed("1gd 8 0")]).verdicts[-1].reason is Reason.UNCONNECTED


def test_a_wrong_swap_is_refused_and_changes_nothing() -> None:
    state = position(dice({(4, 5): "1ro w=2ro 3ro"}), "2gd", "").state
    after, verdict = swap_between(state, "Ann", (4, 6), face("2gd"))
    assert (verdict.ok, verdict.reason) == (False, Reason.SWAP_WRONG_FACE)
    assert after is state


def test_an_unnamed_wild_is_taken_to_stand_for_what_took_its_place() -> None:
    state = position(dice({(4, 5): "1ro w=1gd 3ro"}), "2ro", "").state
    after, verdict = swap_between(state, "Ann", (4, 6), face("2ro"), known=False)
    assert verdict.ok
    assert after.grid.dice[(4, 6)] == Die(face("2ro"))
    again, refusal = swap_between(state, "Ann", (4, 6), face("w"), known=False)
    assert not refusal.ok
    assert again is state


# Random games.


@pytest.mark.parametrize("seed", range(8))
def test_random_turns_score_what_they_scored_or_more(seed: int) -> None:
    """Whatever the order in which they were laid; with no Wild named, never more than with all of them."""
    count = 0
    for turn in turns_of(seed):
        if turn.swaps or not turn.dice:
            continue
        state = turn.before
        shuffled = Random(seed).sample(turn.dice, len(turn.dice))  # noqa: S311
        known = score_between(state, turn.player, shuffled)
        assert known.turn is not None
        assert known.turn.points >= turn.points
        hidden = score_between(state, turn.player, shuffled, turn.names)
        assert hidden.turn is not None
        assert hidden.turn.points <= known.turn.points <= hidden.turn.points + hidden.more
        count += 1
    assert count > 2
