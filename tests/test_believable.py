"""Which finds can be dice, given where the board lies."""

from __future__ import annotations

import numpy as np
import pytest

from engine.tokens import Face, Tile
from vision.believable import believable, free_tops, stands_there
from vision.boards import CubedPlan, Placement
from vision.types import Doubt, Kind, Problem, Quad, Reading

PLAN = CubedPlan(9, 9, ((4, 3), (4, 4), (4, 5)), {(1, 1): 5, (4, 7): 3})
FLAT = np.array([[50.0, 0, 100], [0, 50.0, 100], [0, 0, 1]])
"""A board seen from above, 50 pixels a square, its corner at (100, 100)."""
TOPS = FLAT + np.array([[0, 0, 0], [0, 0, -30.0], [0, 0, 0]])
"""Tops of dice, seen aslant: 30 pixels further up in the picture."""
LOGO = [(4, 3), (4, 4), (4, 5)]


def quad(x: float, y: float, wide: float = 50, tall: float = 50) -> Quad:
    return Quad.of([(x, y), (x + wide, y), (x + wide, y + tall), (x, y + tall)])


def top(row: int, column: int) -> Quad:
    return quad(100 + 50 * column, 70 + 50 * row)


def reading(at: Quad, name: str = "2 red oval", doubt: Doubt | None = None) -> Reading:
    face = Face(None if name == "wild" else Tile.parse(name))
    return Reading(at, face, 0.9, {}, doubt, Kind.DIE)


def judged(
    *extra: tuple[Reading, tuple[int, int] | None], problems: tuple[Problem, ...] = ()
) -> tuple[list[int], Placement]:
    """What is believed of three dice on the logo and of ``extra``; numbers from 3 on are those of ``extra``."""
    found = [(reading(top(*at)), at) for at in LOGO] + list(extra)
    placement = Placement(FLAT, tuple(cell for _, cell in found), problems, TOPS)
    return believable([one for one, _ in found], placement, PLAN)


def test_dice_on_their_squares_are_believed() -> None:
    kept, placement = judged((reading(top(3, 3), "wild"), (3, 3)))
    assert kept == [0, 1, 2, 3]
    assert placement.cells == (*LOGO, (3, 3))


@pytest.mark.parametrize("cell", [None, (0, 1)])
def test_a_number_that_stands_alone_is_print(cell: tuple[int, int] | None) -> None:
    kept, _ = judged((reading(quad(150, 150), "wild"), cell))
    assert kept == [0, 1, 2]


def test_a_number_beside_a_die_is_told_by_its_height() -> None:
    beside = (reading(top(4, 6)), (4, 6))
    printed, die = reading(quad(450, 300), "wild"), reading(top(4, 7), "wild")
    assert judged(beside, (printed, None))[0] == [0, 1, 2, 3]
    assert judged(beside, (die, (4, 7)))[0] == [0, 1, 2, 3, 4]


def from_above(wild: tuple[int, int], others: list[tuple[int, int]], shift: float = 1.0) -> list[int]:
    """What is believed of dice and then a Wild, the camera straight above: tops and squares lie 5 pixels apart."""
    found = [*((reading(quad(100 + 50 * c, 95 + 50 * r)), (r, c)) for r, c in others)]
    found.append((reading(quad(100 + 50 * wild[1], 95 + 50 * wild[0] + 2.5 + shift), "wild"), wild))
    tops = FLAT + np.array([[0, 0, 0], [0, 0, -5.0], [0, 0, 0]])
    placement = Placement(FLAT, tuple(cell for _, cell in found), (), tops)
    return believable([one for one, _ in found], placement, PLAN)[0]


def test_a_wild_beside_dice_is_no_print_because_it_is_seen_from_straight_above() -> None:
    assert from_above((3, 4), LOGO) == [0, 1, 2, 3]
    assert from_above((2, 8), [(2, 6)]) == [0]


def test_the_last_die_of_the_logo_is_one_where_the_others_are() -> None:
    assert from_above((4, 5), LOGO[:2]) == [0, 1, 2]
    assert from_above((4, 5), [(3, 5)]) == [0]


def test_the_side_of_a_die_is_none() -> None:
    side = quad(250, 320, 50, 30)
    assert judged((reading(side), None))[0] == [0, 1, 2]
    assert judged((reading(side, "1 green oval"), (5, 3)))[0] == [0, 1, 2]


def test_a_die_askew_beside_others_gets_the_free_square_under_it() -> None:
    kept, placement = judged(
        (reading(quad(400, 275)), None), problems=(Problem("off-board", (3,), "A die stands on no square."),)
    )
    assert kept == [0, 1, 2, 3]
    assert placement.cells[3] == (4, 6)
    assert not placement.problems


def test_a_hand_beside_the_board_is_kept_and_clutter_is_not() -> None:
    die, wild = reading(quad(600, 200)), reading(quad(660, 200), "wild")
    far, large = reading(quad(20, 600), "wild"), reading(quad(700, 500, 120, 120))
    kept, placement = judged((die, None), (wild, None), (far, None), (large, None))
    assert kept == [0, 1, 2, 3, 4]
    assert placement.cells[3:] == (None, None)


def test_problems_keep_to_the_pieces_that_are_left() -> None:
    problem = Problem("off-board", (3, 4), "Some dice stand on no square of the board.")
    _, placement = judged((reading(quad(150, 150), "wild"), None), (reading(quad(600, 200)), None), problems=(problem,))
    assert [one.pieces for one in placement.problems] == [(3,)]


@pytest.mark.parametrize("code", ["no-board", "board-ambiguous"])
def test_a_board_that_is_not_trusted_takes_nothing_away(code: str) -> None:
    found = [reading(quad(600, 200)), reading(quad(150, 150), "wild")]
    placement = Placement(FLAT, (None, None), (Problem(code, (), "…"),), TOPS)
    assert believable(found, placement, PLAN) == ([0, 1], placement)


def test_free_squares_beside_dice_are_where_more_may_stand() -> None:
    placement = Placement(FLAT, tuple(LOGO), (), TOPS)
    free = dict(free_tops(placement, PLAN, (800, 800)))
    assert set(free) == {(3, 3), (3, 4), (3, 5), (5, 3), (5, 4), (5, 5), (4, 2), (4, 6)}
    assert np.allclose(free[(3, 3)].corners, quad(252.5, 222.5, 45, 45).corners)
    assert not free_tops(placement, PLAN, (200, 200))
    assert not free_tops(Placement(FLAT, tuple(LOGO)), PLAN, (800, 800))


def test_a_face_looked_for_stands_there_only_as_the_top_of_a_die() -> None:
    placement = Placement(FLAT, tuple(LOGO), (), TOPS)
    assert stands_there(reading(top(5, 3)), (5, 3), placement, PLAN)
    assert not stands_there(reading(quad(250, 320, 50, 30)), (5, 3), placement, PLAN)
    assert not stands_there(reading(quad(270, 330)), (5, 3), placement, PLAN)
