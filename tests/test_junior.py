"""Boards of Junior in a picture: spaces anchored by their pictures, ten spaces numbered, covered ones told."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from engine.junior_board import sample_board
from tests.board_world import View, pose_above
from vision.boards import JuniorPlan
from vision.covered import CoveredError, covered_against_empty
from vision.junior import Named, number_spaces, register_junior
from vision.types import Image, Quad

Floats = npt.NDArray[np.float64]
Cell = tuple[int, int, int]

PLAN = JuniorPlan(
    tuple(tuple((str(row[0]), str(row[1]), str(row[2])) for row in square) for square in sample_board(7).squares)
)
OFFSETS = np.array([(0.0, 0.0), (3.9, 0.6), (-0.7, 4.1)])
CELLS: tuple[Cell, ...] = tuple((n // 9, n % 9 // 3, n % 3) for n in range(27))
VIEWS = [View(tilt=5, aim=(3, 3), distance=14), View(tilt=40, aim=(3, 3), distance=15, swing=130)]


def name_of(cell: Cell) -> str:
    return PLAN.squares[cell[0]][cell[1]][cell[2]]


def seen(cell: Cell, view: View, random: np.random.Generator, tile: bool = False) -> Quad:
    """A space in the picture, or the tile on it: higher, and not quite straight; any corner first."""
    square, row, column = cell
    angle = math.radians(random.normal(0, 2)) if tile else 0.0
    axes = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    corners = np.array([[-0.46, -0.46], [0.46, -0.46], [0.46, 0.46], [-0.46, 0.46]]) @ axes
    flat = corners + OFFSETS[square] + (column + 0.5, row + 0.5)
    pixels = pose_above(view).project(np.column_stack([flat, np.full(4, 0.1 if tile else 0.0)]))
    return Quad(np.roll(pixels + random.normal(0, 0.7, (4, 2)), int(random.integers(4)), axis=0).astype(np.float32))


@dataclass(frozen=True)
class Sight:
    """What is seen of a board: names, quads, and where they truly are."""

    names: list[Named]
    quads: list[Quad]
    cells: list[Cell]


def sight(view: View, misread: float = 0.0, seed: int = 0, cells: tuple[Cell, ...] = CELLS) -> Sight:
    random = np.random.default_rng(seed)
    names = [(name_of(cell if random.random() >= misread else CELLS[random.integers(27)]), 0.9) for cell in cells]
    return Sight(names, [seen(cell, view, random, random.random() < 0.4) for cell in cells], list(cells))


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("misread", [0.0, 0.2])
def test_every_space_is_found_though_some_are_misread(view: View, misread: float) -> None:
    given = sight(view, misread, seed=3)
    found = register_junior(PLAN, given.names, given.quads)
    assert list(found.placement.cells) == given.cells
    assert not found.placement.problems
    assert np.abs(found.offsets - OFFSETS).max() < 0.15


def test_spaces_are_drawn_where_they_are() -> None:
    given = sight(VIEWS[1])
    found = register_junior(PLAN, given.names, given.quads)
    for cell, quad in zip(given.cells, found.quads(), strict=True):
        truth = seen(cell, VIEWS[1], np.random.default_rng(0))
        assert quad is not None
        assert np.abs(quad.centre - truth.centre).max() < 4
        assert quad.area == pytest.approx(truth.area, rel=0.1)
        above, right = quad.corners[0] - quad.corners[3], quad.corners[1] - quad.corners[0]
        assert above[0] * right[1] - above[1] * right[0] > 0


def test_a_tile_on_a_wrong_space_is_there_and_a_tile_beside_the_board_nowhere() -> None:
    given = sight(VIEWS[0])
    given.names[4] = (name_of((2, 0, 0)), 0.99)
    beside = Quad(given.quads[0].corners - np.float32(260))
    found = register_junior(PLAN, [*given.names, (name_of((1, 1, 1)), 0.99)], [*given.quads, beside])
    assert list(found.placement.cells) == [*given.cells, None]


def test_a_square_that_is_not_seen_is_left_out_and_said_to_be() -> None:
    given = sight(VIEWS[0], cells=CELLS[:18])
    found = register_junior(PLAN, given.names, given.quads)
    assert list(found.placement.cells) == given.cells
    assert [problem.code for problem in found.placement.problems] == ["board-cut-off"]
    assert found.quad(2, 0, 0) is None
    assert found.quads()[18:] == [None] * 9


def test_another_board_is_said_to_be_one() -> None:
    given = sight(VIEWS[0])
    shuffled = [[given.names[n] for n in np.random.default_rng(seed).permutation(27)] for seed in range(300)]
    for names in (*shuffled, [("2 red rectangle", 0.9)] * 27):
        found = register_junior(PLAN, names, given.quads)
        assert {problem.code for problem in found.placement.problems} & {"other-board", "no-board"}
    assert [problem.code for problem in register_junior(PLAN, [], []).placement.problems] == ["no-board"]


def ten(view: View, rows: int = 2, columns: int = 5) -> list[Quad]:
    pose, random = pose_above(view), np.random.default_rng(0)
    quads = []
    for row in range(rows):
        for column in range(columns):
            flat = np.array([[0, 0], [0.9, 0], [0.9, 0.9], [0, 0.9]]) + (column, row) + random.normal(0, 0.02, 2)
            pixels = pose.project(np.column_stack([flat, np.zeros(4)]))
            quads.append(Quad(np.roll(pixels, int(random.integers(4)), axis=0).astype(np.float32)))
    return quads


@pytest.mark.parametrize("turn", [-30, 0, 30])
def test_ten_spaces_are_numbered_as_they_are_read(turn: float) -> None:
    quads = ten(View(tilt=25, roll=0, swing=turn, aim=(2.5, 1), distance=10))
    assert number_spaces(quads) == tuple((number,) for number in range(10))


def test_a_board_that_lies_across_or_upside_down_is_numbered_as_it_is_seen() -> None:
    across = ten(View(tilt=0, roll=0, swing=90, aim=(2.5, 1), distance=10))
    assert number_spaces(across) == tuple((2 * column + 1 - row,) for row in range(2) for column in range(5))
    around = ten(View(tilt=0, roll=0, swing=180, aim=(2.5, 1), distance=10))
    assert number_spaces(around) == tuple((number,) for number in reversed(range(10)))


def test_ten_in_a_row_are_numbered_too() -> None:
    row = ten(View(tilt=10, roll=0, aim=(5, 0.5), distance=14), 1, 10)
    assert number_spaces(row) == tuple((number,) for number in range(10))


def test_tiles_that_do_not_show_how_far_the_spaces_reach_have_no_numbers() -> None:
    quads = ten(View(tilt=25, roll=0, aim=(2.5, 1), distance=10))
    assert number_spaces(quads[:4] + quads[5:9]) == (None,) * 8
    without_one = quads[:3] + quads[4:]
    assert number_spaces(without_one) == tuple((number,) for number in range(10) if number != 3)
    assert number_spaces([]) == ()


def picture(covered: set[Cell], light: float, slope: float, view: View) -> tuple[Image, list[Quad | None]]:
    """A green board under uneven light; printed spaces are grey, tiles brighter with a dark side below."""
    image = np.full((864, 1152, 3), (60, 110, 70), np.float32)
    pose, quads = pose_above(view), list[Quad | None]()
    for cell in CELLS:
        square, row, column = cell
        flat = np.array([[0.04, 0.04], [0.96, 0.04], [0.96, 0.96], [0.04, 0.96]]) + OFFSETS[square] + (column, row)
        corners = pose.project(np.column_stack([flat, np.zeros(4)]))
        quads.append(Quad(corners.astype(np.float32)))
        if cell in covered:
            side = corners + 0.07 * (corners[3] - corners[0])
            cv2.fillPoly(image, [np.rint(side).astype(np.int32)], (40, 40, 40))
        paper = (215, 225, 225) if cell in covered else (160, 185, 175)
        cv2.fillPoly(image, [np.rint(corners).astype(np.int32)], paper)
        ink = corners.mean(axis=0) + 0.5 * (corners - corners.mean(axis=0))
        cv2.fillPoly(image, [np.rint(ink).astype(np.int32)], (40, 40, 180))
    across = np.linspace(1 - slope, 1 + slope, image.shape[1], dtype=np.float32)[None, :, None]
    noisy = image * light * across + np.random.default_rng(1).normal(0, 3, image.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8), quads


@pytest.mark.parametrize("share", [0.0, 0.3, 0.8])
def test_covered_spaces_are_told_against_the_empty_board_in_another_light(share: float) -> None:
    random = np.random.default_rng(4)
    covered = {cell for cell in CELLS if random.random() < share}
    empty, bare = picture(set(), 0.7, 0.15, VIEWS[1])
    image, spaces = picture(covered, 1.0, 0.2, VIEWS[0])
    opinion = [0.75 if cell in covered else 0.25 for cell in CELLS]
    chance = covered_against_empty(image, spaces, empty, bare, opinion)
    assert {cell for cell, one in zip(CELLS, chance, strict=True) if one > 0.5} == covered


def test_the_picture_corrects_a_wrong_opinion() -> None:
    covered = {(0, 0, 0), (0, 2, 1), (1, 1, 1), (2, 0, 2), (2, 2, 2)}
    empty, bare = picture(set(), 0.8, 0.1, VIEWS[1])
    image, spaces = picture(covered, 1.0, 0.1, VIEWS[0])
    opinion = [0.9 if cell in covered else 0.1 for cell in CELLS]
    opinion[0], opinion[5] = 0.3, 0.7
    chance = covered_against_empty(image, spaces, empty, bare, opinion)
    assert {cell for cell, one in zip(CELLS, chance, strict=True) if one > 0.5} == covered


def test_an_opinion_is_measured_against_that_of_bare_spaces() -> None:
    covered = {(0, 0, 0), (1, 1, 1), (2, 0, 2)}
    image, spaces = picture(covered, 1.0, 0.0, VIEWS[0])
    nowhere: list[Quad | None] = [None] * 27
    low = [0.4 if cell in covered else 0.02 for cell in CELLS]
    high = [0.98 if cell in covered else 0.6 for cell in CELLS]
    for opinion, bare in ((low, 0.02), (high, 0.6)):
        chance = covered_against_empty(image, spaces, image, nowhere, opinion, [bare] * 27)
        assert {cell for cell, one in zip(CELLS, chance, strict=True) if one > 0.5} == covered


def test_where_a_space_is_not_seen_the_opinion_stands() -> None:
    empty, bare = picture(set(), 0.8, 0.1, VIEWS[0])
    opinion = [0.9] * 9 + [0.2] * 18
    nowhere: list[Quad | None] = [None] * 27
    assert covered_against_empty(empty, nowhere, empty, bare, opinion) == pytest.approx(opinion)
    with pytest.raises(CoveredError, match="26"):
        covered_against_empty(empty, nowhere[:26], empty, bare, opinion)
    with pytest.raises(CoveredError, match="3"):
        covered_against_empty(empty, nowhere, empty, bare, opinion, [0.5] * 3)


def test_tiles_of_another_renderer_are_numbered(shared: Path) -> None:
    for file in sorted((shared / "data" / "renders").glob("junior2_*.json")):
        truth = json.loads(file.read_text(encoding="utf-8"))
        numbers = number_spaces([Quad.of(piece["quad"]) for piece in truth["pieces"]])
        assert sorted(number[0] for number in numbers if number is not None) == list(range(10))
