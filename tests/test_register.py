"""Registration: from simulated sights of a board to the square of every die, and to saying when it is not clear."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.board_world import DICE, NUMBERS, PLAN, SIZE, Errors, View, World
from vision.boards import CubedPlan, Placement
from vision.faces import FaceEvidence
from vision.geometry import GeometryError, homography
from vision.pose import Pose, PoseConfig, best_pose, points_seen
from vision.printed_numbers import NumbersConfig
from vision.register import RegisterConfig, register
from vision.types import Quad

EXACT = Errors(noise=0.2, lost=0.05, false=0, misread=0.0)


def placed(world: World, **given: object) -> Placement:
    sight = world.sight()
    return register(world.plan, sight, sight.detections, world.look(), SIZE, **given)  # type: ignore[arg-type]


def codes(placement: Placement) -> list[str]:
    return [problem.code for problem in placement.problems]


def board_corners(world: World) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """The corners of the board's grid in the picture, from its own top left."""
    rows, columns = world.plan.rows, world.plan.columns
    return world.pose.project(np.array([[0, 0, 0], [columns, 0, 0], [columns, rows, 0], [0, rows, 0]], np.float64))


@pytest.mark.parametrize("tilt", [0, 20, 42])
@pytest.mark.parametrize("swing", [0, 100, 190, 305])
def test_every_die_gets_its_square_from_any_side(tilt: float, swing: float) -> None:
    world = World(view=View(tilt=tilt, swing=swing, roll=15), seed=int(swing + tilt))
    found = placed(world)
    assert found.cells == world.dice
    assert not found.problems


def test_the_matrix_maps_the_board_to_the_picture() -> None:
    world = World()
    matrix = placed(world).matrix
    corners = np.array([[0, 0], [13, 0], [13, 13], [0, 13]], np.float64)
    mapped = np.column_stack([corners, np.ones(4)]) @ matrix.T
    assert np.abs(mapped[:, :2] / mapped[:, 2:] - board_corners(world)).max() < 2


@pytest.mark.parametrize("seed", range(3))
def test_part_of_a_board_is_enough_with_most_crossings_lost_and_squares_misread(seed: int) -> None:
    view = View(tilt=35, distance=13, aim=(7.5, 5.5), swing=120.0 * seed)
    world = World(view=view, errors=Errors(lost=0.5, misread=0.25), seed=seed, glare=(600, 500, 160))
    sight = world.sight()
    seen = [
        n for n, one in enumerate(sight.detections) if (one.quad.centre > 0).all() and (one.quad.centre < SIZE).all()
    ]
    found = register(PLAN, sight, [sight.detections[n] for n in seen], world.look(), SIZE)
    assert found.cells == tuple(DICE[n] for n in seen)


def test_a_board_without_lines_is_found_by_dice_map_and_numbers() -> None:
    world = World(view=View(tilt=28, swing=200), errors=Errors(printed=False, false=0))
    found = placed(world)
    assert found.cells == world.dice
    assert "board-ambiguous" not in codes(found)


def test_boards_need_not_be_square_nor_the_logo_in_a_row() -> None:
    plan = CubedPlan(9, 15, ((3, 7), (4, 7), (5, 7)), {(1, 2): 5, (7, 11): 2, (2, 12): 3, (6, 3): 12})
    dice = ((3, 7), (4, 7), (5, 7), (4, 8), (4, 9))
    for swing in (10, 95, 185, 275):
        world = World(plan, dice, View(swing=swing, aim=(7.5, 4.5)), EXACT, seed=swing)
        assert placed(world).cells == dice


def test_without_numbers_nothing_tells_which_way_up_and_that_is_said() -> None:
    found = placed(World(CubedPlan(13, 13, PLAN.logo), errors=EXACT))
    assert codes(found) == ["board-ambiguous"]
    assert "--corners" in found.problems[0].text


def test_the_same_pattern_upside_down_is_told_by_how_the_numbers_stand() -> None:
    pattern = dict.fromkeys([(1, 2), (3, 9), (2, 6)], 5)
    pattern |= {(12 - row, 12 - column): points for (row, column), points in pattern.items()}
    for swing in (0, 180):
        world = World(CubedPlan(13, 13, PLAN.logo, pattern), view=View(swing=swing), errors=EXACT)
        assert placed(world).cells == world.dice
        assert not placed(world).problems


def test_the_layout_before_tells_where_nothing_else_does() -> None:
    names = ["2 red oval", "wild", "1 green diamond", *["3 purple squiggle"] * 6]
    before = dict(zip(DICE[:5], names, strict=False))
    for swing in (0, 180):
        world = World(CubedPlan(13, 13, PLAN.logo), view=View(swing=swing), errors=EXACT)
        found = placed(world, previous=before, names=names)
        assert found.cells == world.dice
        assert not found.problems


def test_corners_of_a_person_override_and_crossings_make_them_exact() -> None:
    world = World(CubedPlan(13, 13, PLAN.logo), view=View(swing=180, tilt=35))
    rough = board_corners(world) + np.array([[5, -4], [-3, 6], [4, 4], [-5, 2]])
    found = placed(world, corners=Quad(rough.astype(np.float32)))
    assert found.cells == world.dice
    assert not found.problems
    corner = found.matrix @ [0, 0, 1]
    assert np.abs(corner[:2] / corner[2] - board_corners(world)[0]).max() < 2


def test_corners_that_fit_no_die_are_said_to() -> None:
    world = World()
    wrong = Quad.of([(100, 100), (200, 100), (200, 200), (100, 200)])
    found = placed(world, corners=wrong)
    assert codes(found) == ["corners"]
    assert set(found.cells) == {None}
    with pytest.raises(GeometryError):
        placed(world, corners=Quad.of([(0, 0), (10, 0), (20, 0), (0, 30)]))


@pytest.mark.parametrize("start", [1, 2, 3])
def test_corners_that_begin_at_another_corner_are_refused_by_the_numbers(start: int) -> None:
    world = World(view=View(swing=40), errors=Errors(misread=0.0))
    corners = Quad(np.roll(board_corners(world), -start, axis=0).astype(np.float32))
    found = placed(world, corners=corners, config=RegisterConfig(numbers=NumbersConfig(bare=0.7)))
    assert codes(found) == ["corners"]
    assert "--corners begins at the board's own top left" in found.problems[0].text
    assert set(found.cells) == {None}
    right = placed(world, corners=Quad(board_corners(world).astype(np.float32)))
    assert (right.cells, right.problems) == (world.dice, ())


@pytest.mark.parametrize("with_corners", [False, True])
def test_one_number_that_is_not_that_of_the_file_is_said(with_corners: bool) -> None:
    world = World(errors=Errors(misread=0.0))
    corners = Quad(board_corners(world).astype(np.float32)) if with_corners else None
    sight, plan = world.sight(), replace(PLAN, bonus={**NUMBERS, (2, 3): 9})
    found = register(plan, sight, sight.detections, world.look(), SIZE, corners=corners)
    assert found.cells == world.dice
    (problem,) = found.problems
    assert problem.code == "board-numbers"
    assert problem.text == "A 5 is printed on [2, 3], the board file says 9: is this the board of the picture?"


def test_numbers_of_another_board_leave_it_open_which_board_this_is() -> None:
    world = World(errors=Errors(misread=0.0))
    sight, plan = world.sight(), replace(PLAN, bonus={at: points + 1 for at, points in NUMBERS.items()})
    found = register(plan, sight, sight.detections, world.look(), SIZE)
    assert codes(found) == ["board-ambiguous"]
    assert "A 3 is printed on [1, 9], the board file says 4" in found.problems[0].text
    assert "Check the board file, or give its corners with --corners." in found.problems[0].text


def test_numbers_that_cannot_be_seen_speak_against_nothing() -> None:
    world = World(errors=Errors(misread=0.0), glare=(576, 432, 2000))
    assert "corners" not in codes(placed(world, corners=Quad(board_corners(world).astype(np.float32))))


def test_a_picture_without_a_board_is_said_to_be_one() -> None:
    world = World(errors=Errors(printed=False, false=3))
    sight = replace(world.sight(), board=np.full((108, 144), 0.02, np.float32))
    found = register(PLAN, sight, sight.detections, world.look(), SIZE)
    assert codes(found) == ["no-board"]
    assert found.cells == (None,) * len(DICE)
    nothing = register(PLAN, replace(sight, crossings=sight.crossings[:0]), (), world.look(), SIZE)
    assert codes(nothing) == ["no-board"]


def test_a_die_beside_the_board_stands_on_no_square() -> None:
    world = World(dice=(*DICE, (6, 15)), view=View(distance=26), errors=EXACT)
    found = placed(world)
    assert found.cells == (*DICE, None)
    assert found.problems[-1].code == "off-board"
    assert found.problems[-1].pieces == (len(DICE),)


def test_few_squares_are_looked_at() -> None:
    world = World(errors=EXACT)
    sight, looked = world.sight(), list[int]()
    read = world.look()

    def look(quads: list[Quad]) -> list[FaceEvidence]:
        looked.append(len(quads))
        return read(quads)

    register(PLAN, sight, sight.detections, look, SIZE)  # type: ignore[arg-type]
    assert 0 < sum(looked) <= 48


def given_pose(corners: list[list[float]], rows: int, columns: int, size: tuple[int, int]) -> Pose:
    """The camera of a picture, from the four corners of its board."""
    grid = np.array([(0, 0), (columns, 0), (columns, rows), (0, rows)], np.float64)
    seen = points_seen(np.column_stack([grid, np.zeros(4)]), np.array(corners), 0.5)
    return best_pose(np.asarray(homography(grid, corners)), seen, size, grid.mean(axis=0), PoseConfig())


def test_dice_of_another_renderer_get_their_squares(shared: Path) -> None:
    files = sorted((shared / "data" / "renders").glob("cubed_*.json"))
    assert files
    for file in files:
        truth = json.loads(file.read_text(encoding="utf-8"))
        board, size = truth["board"], (truth["size"][0], truth["size"][1])
        bonus = {(int(at.split(",")[0]), int(at.split(",")[1])): points for at, points in board["bonus"].items()}
        logo = tuple((row, column) for row, column in board["logo"])
        plan = CubedPlan(board["rows"], board["columns"], logo, bonus)  # type: ignore[arg-type]
        dice = tuple((die["cell"][0], die["cell"][1]) for die in truth["pieces"])
        quads = tuple(np.array(die["quad"], np.float64) for die in truth["pieces"])
        pose = given_pose(board["corners"], plan.rows, plan.columns, size)
        assert placed(World(plan, dice, given=pose, quads=quads)).cells == dice, file.name


def test_the_numbers_of_the_world_are_not_symmetrical() -> None:
    assert not {(12 - row, 12 - column) for row, column in NUMBERS} <= NUMBERS.keys()
