"""Boards read off photos of them empty: size, way up, logo, bonus squares; the 27 pictures of Junior."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from engine.junior_board import complete, sample_board
from engine.tokens import Tile
from tests.board_world import PLAN, SIZE, Errors, View, World, peaked, pose_above
from tests.board_world import reading as evidence_of
from vision.board_reading import BoardReadingError, CubedRead, read_cubed_board
from vision.boards import CubedPlan
from vision.faces import FaceEvidence
from vision.junior_reading import JuniorRead, Names, best_name, read_junior_board
from vision.types import Quad

CLEAR = Errors(lost=0.2, misread=0.0)
FAR = View(tilt=25, distance=26)


def read(world: World, **given: object) -> CubedRead:
    return read_cubed_board(world.sight(), world.look(), SIZE, **given)  # type: ignore[arg-type]


def top_left(found: CubedRead, world: World) -> float:
    """How far in squares the board's first corner is from where it truly is."""
    corner = found.placement.matrix @ [0, 0, 1]
    return float(np.abs(world.pose.locate((corner[:2] / corner[2])[None])).max())


@pytest.mark.parametrize("swing", [0, 80, 170, 260])
def test_all_of_a_board_is_read_whichever_way_it_lies(swing: float) -> None:
    world = World(dice=(), view=replace(FAR, swing=swing), errors=CLEAR, seed=int(swing))
    found = read(world)
    assert (found.rows, found.columns, set(found.logo)) == (13, 13, set(PLAN.logo))
    assert found.bonus == dict(PLAN.bonus)
    assert not found.unsure
    assert not found.doubts
    assert top_left(found, world) < 0.1


def test_rows_and_columns_may_differ_and_the_logo_stand_in_a_column() -> None:
    plan = CubedPlan(9, 15, ((3, 7), (4, 7), (5, 7)), {(1, 2): 5, (7, 11): 2, (2, 12): 3})
    found = read(World(plan, (), View(aim=(7.5, 4.5), distance=26, swing=100), CLEAR))
    assert (found.rows, found.columns, set(found.logo)) == (9, 15, set(plan.logo))
    assert found.bonus == plan.bonus


def test_a_number_that_cannot_be_read_is_left_out_and_listed() -> None:
    world = World(dice=(), view=FAR, errors=CLEAR)
    read_it = world.look()

    def look(quads: Sequence[Quad]) -> list[FaceEvidence]:
        return [
            replace(one, logs=one.logs | {"digit": np.full(10, np.log(0.1), np.float32)}) if n % 2 else one
            for n, one in enumerate(read_it(quads))
        ]

    found = read_cubed_board(world.sight(), look, SIZE)
    assert found.unsure
    assert found.bonus.keys() | set(found.unsure) == PLAN.bonus.keys()
    assert any("fill in" in doubt for doubt in found.doubts)


def test_without_numbers_the_way_up_is_the_pictures_and_said_to_be() -> None:
    world = World(CubedPlan(13, 13, PLAN.logo), (), replace(FAR, swing=20, roll=0), CLEAR)
    found = read(world)
    assert any("way up" in doubt for doubt in found.doubts)
    assert top_left(found, world) < 0.1


def test_a_logo_that_is_not_seen_is_taken_for_the_middle_and_said_to_be() -> None:
    world = World(dice=(), view=FAR, errors=CLEAR)
    look = world.look()

    def blind(quads: Sequence[Quad]) -> list[FaceEvidence]:
        return [evidence_of(one.quad, 3, 0, 0) if int(one.logs["what"].argmax()) == 4 else one for one in look(quads)]

    found = read_cubed_board(world.sight(), blind, SIZE)
    assert found.logo == ((6, 5), (6, 6), (6, 7))
    assert any("logo" in doubt for doubt in found.doubts)


def test_a_board_that_reaches_beyond_the_picture_is_said_to() -> None:
    found = read(World(dice=(), view=View(distance=12), errors=CLEAR))
    assert any("outside" in doubt for doubt in found.doubts)


def test_dice_on_the_board_are_said_to_hide_what_is_under_them() -> None:
    found = read(World(view=FAR, errors=CLEAR))
    assert (found.rows, found.columns) == (13, 13)
    assert any("Dice" in doubt for doubt in found.doubts)


def test_a_person_may_give_rows_and_columns_and_corners() -> None:
    world = World(dice=(), view=replace(FAR, swing=200), errors=CLEAR)
    oblong = replace(world, plan=CubedPlan(11, 14, ((5, 6), (5, 7), (5, 8)), {(1, 2): 3, (8, 3): 4, (9, 12): 7}))
    for swing in (200, 290):
        turned = read(replace(oblong, view=replace(FAR, swing=swing)), rows=11, columns=14)
        assert (turned.rows, turned.columns, turned.doubts) == (11, 14, ())
    assert read(world, columns=13).columns == 13
    grid = np.array([[0, 0, 0], [13, 0, 0], [13, 13, 0], [0, 13, 0]], np.float64)
    corners = Quad(world.pose.project(grid).astype(np.float32))
    assert read(world, corners=corners).bonus == dict(PLAN.bonus)
    unprinted = replace(world, errors=Errors(printed=False, misread=0.0, false=0))
    with pytest.raises(BoardReadingError, match="rows and columns"):
        read(unprinted, corners=corners)
    found = read(unprinted, corners=corners, rows=13, columns=13)
    assert found.bonus == dict(PLAN.bonus)
    assert found.logo == PLAN.logo
    assert found.doubts == ("No lines of a board are seen between the corners; check that it lies there.",)


def test_corners_round_what_is_no_board_leave_the_logo_in_doubt() -> None:
    world = World(dice=(), view=FAR, errors=Errors(printed=False, misread=0.0, false=0))
    beyond = np.array([[20, 20, 0], [26, 20, 0], [26, 26, 0], [20, 26, 0]], np.float64)
    corners = Quad(world.pose.project(beyond).astype(np.float32))
    nothing = World(plan=replace(PLAN, rows=3, columns=3), dice=(), view=FAR, errors=world.errors)
    doubts = read(nothing, corners=corners, rows=6, columns=6).doubts
    assert [doubt.split(" ", 3)[:3] for doubt in doubts] == [["No", "lines", "of"], ["The", "logo", "was"]]


@pytest.mark.parametrize("swing", [200, 290])
def test_rows_and_columns_that_the_picture_contradicts_are_doubted_and_refused(swing: float) -> None:
    plan = CubedPlan(11, 14, ((5, 6), (5, 7), (5, 8)), {(1, 2): 3, (8, 3): 4, (9, 12): 7})
    world = World(plan, (), replace(FAR, swing=swing), CLEAR)
    for rows, columns in ((10, 14), (12, 14), (11, 15)):
        near = read(world, rows=rows, columns=columns)
        assert (near.rows, near.columns) == (rows, columns)
        assert "The picture rather shows 11 rows and 14 columns" in " ".join(near.doubts)
    with pytest.raises(BoardReadingError, match="the picture shows 11 rows and 14 columns"):
        read(world, rows=5, columns=5)


def test_rows_and_columns_between_corners_are_compared_with_the_lines() -> None:
    world = World(dice=(), view=FAR, errors=CLEAR)
    grid = np.array([[0, 0, 0], [13, 0, 0], [13, 13, 0], [0, 13, 0]], np.float64)
    corners = Quad(world.pose.project(grid).astype(np.float32))
    assert read(world, corners=corners, rows=13, columns=13).doubts == ()
    (doubt,) = read(world, corners=corners, rows=9, columns=13).doubts
    assert doubt.startswith("13 rows and 13 columns are seen between the corners")
    other = Quad.of([(300, 300), (600, 300), (600, 600), (280, 420)])
    assert "do not fit the corners" in read(world, corners=other, rows=9, columns=9).doubts[0]


def test_what_does_not_fit_is_refused() -> None:
    world = World(dice=(), view=FAR, errors=CLEAR)
    with pytest.raises(BoardReadingError, match="corners"):
        read(replace(world, errors=Errors(printed=False, false=0)))
    with pytest.raises(BoardReadingError, match="rows and columns"):
        read(world, rows=40, columns=40)
    half = Quad.of([(300, 300), (600, 300), (600, 600), (280, 420)])
    with pytest.raises(BoardReadingError, match="grid"):
        read(world, corners=half)
    with pytest.raises(BoardReadingError, match="3 rows"):
        read(world, corners=half, rows=2, columns=5)


def mend(names: Names) -> Names | None:
    tiles = tuple(
        tuple(tuple(None if name is None else Tile.parse(name) for name in row) for row in square) for square in names
    )
    board = complete(tiles).board
    return None if board is None else tuple(tuple(tuple(map(str, row)) for row in square) for square in board.squares)


def pictures(seed: int, wrong: int = 0, gap: float = 0.1, swing: float = 10.0) -> tuple[list[FaceEvidence], Names]:
    """The evidence of a printed board, ``wrong`` of its spaces misread, and its names."""
    random, pose = np.random.default_rng(seed), pose_above(View(30, 0, 0.85, 16, (5, 3.5), swing))
    names = tuple(tuple(tuple(map(str, row)) for row in square) for square in sample_board(seed).squares)
    misread = random.permutation(27)[:wrong].tolist()
    found = []
    for number in range(27):
        square, row, column = number // 9, number % 9 // 3, number % 3
        left, top = ((0, 0), (3.9 + 2 * gap, 0.7), (0.2, 4.2 + 2 * gap))[square]
        flat = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) + (left + column * (1 + gap), top + row * (1 + gap))
        pixels = pose.project(np.column_stack([flat, np.zeros(4)])) + random.normal(0, 0.6, (4, 2))
        tile = Tile.parse(names[square][row][column])
        logs = {
            feature: peaked(3, (value + (number in misread)) % 3, 0.6 if number in misread else 0.95)
            for feature, value in zip(("number", "colour", "shape"), tile.values, strict=True)
        }
        found.append(replace(evidence_of(Quad(pixels.astype(np.float32)), 0, 0, 0), logs=logs))
    return [found[n] for n in random.permutation(27)], names


@pytest.mark.parametrize("gap", [0.02, 0.2])
@pytest.mark.parametrize("swing", [-35, 0, 25])
def test_the_three_squares_are_read_in_order(gap: float, swing: float) -> None:
    evidence, names = pictures(5, gap=gap, swing=swing)
    assert read_junior_board(evidence, mend) == JuniorRead(names)


def test_spaces_misread_or_not_seen_follow_from_the_others() -> None:
    evidence, names = pictures(8, wrong=4)
    found = read_junior_board(evidence[:-1], mend)
    assert found.squares == names
    assert len(found.corrected) >= 3
    assert all(names[at[0]][at[1]][at[2]] == right != wrong for at, wrong, right in found.corrected)
    assert any("not seen" in doubt for doubt in found.doubts)


def test_the_spaces_read_worst_are_left_out_before_it_is_given_up() -> None:
    evidence, names = pictures(9, wrong=9)
    found = read_junior_board(evidence, mend)
    assert found.squares == names
    assert any("worst" in doubt for doubt in found.doubts)
    refused: Callable[[Names], None] = lambda _: None  # noqa: E731  shorter than a function
    given_up = read_junior_board(evidence, refused)
    assert len(given_up.unsure) == 27
    assert given_up.doubts


def test_fewer_than_three_squares_are_no_board() -> None:
    evidence, _ = pictures(5)
    with pytest.raises(BoardReadingError, match="three squares"):
        read_junior_board(evidence[:11], mend)
    with pytest.raises(BoardReadingError):
        read_junior_board([], mend)


def test_the_best_name_has_the_chance_of_all_its_features() -> None:
    logs = {"number": peaked(3, 1, 0.9), "colour": peaked(3, 0, 0.8), "shape": peaked(3, 2, 0.5)}
    one = replace(evidence_of(Quad.of([(0, 0), (9, 0), (9, 9), (0, 9)]), 0, 0, 0), logs=logs)
    name, chance = best_name(one)
    assert name == "2 red squiggle"
    assert chance == pytest.approx(0.36)
