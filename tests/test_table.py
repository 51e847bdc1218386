"""Dice, tiles and boards read off rendered pictures by the shipped networks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from datasets.board_art import BoardArt, CubedLayout, cubed_board, junior_board_one, junior_board_two
from datasets.board_scene import BoardPicture, BoardSettings, photograph, random_lamp
from datasets.viewpoint import random_viewpoint
from datasets.worlds import BoxStyle, World, cubed_world, random_box, tile_world
from vision.boards import CubedPlan, JuniorPlan
from vision.face_names import Seen
from vision.load import Loaded
from vision.table import Asked, TableReader
from vision.types import Detection, Doubt, Frame, Image, Kind, Quad

LAYOUT = CubedLayout(11, 11, ((5, 4), (5, 5), (5, 6)), {(1, 1): 5, (3, 8): 2, (9, 4): 3, (8, 8): 4})
PLAN = CubedPlan(11, 11, ((5, 4), (5, 5), (5, 6)), dict(LAYOUT.bonus))
DICE: dict[tuple[int, ...], str] = {
    (5, 4): "1 red oval",
    (5, 5): "2 red oval",
    (5, 6): "3 red oval",
    (4, 6): "1 green diamond",
    (3, 6): "wild",
    (6, 4): "2 purple squiggle",
    (7, 4): "3 purple squiggle",
}


@pytest.fixture(scope="module")
def reader() -> TableReader:
    return TableReader.shipped()


def loaded(image: Image) -> Loaded:
    return Loaded(image, (image.shape[1], image.shape[0]), 1.0, ())


def picture(world: World, seed: int, tilt: float = 25.0) -> BoardPicture:
    """An easy picture of a world: nothing lies about, all of the board is seen."""
    rng = np.random.default_rng(seed)
    points = np.concatenate([world.points, world.points * 1.12])
    view = random_viewpoint(np.random.default_rng(3), (1100, 825), points, (tilt, tilt + 1))
    lamp = replace(random_lamp(rng, world, view), dark=0.6)
    lamp = replace(lamp, place=lamp.over + np.array([300.0, -500.0, -900.0]))
    return photograph(rng, world, view, lamp, BoardSettings(beside=0.0))


def box(kind: str, seed: int = 5) -> BoxStyle:
    return replace(random_box(np.random.default_rng(seed), kind), gloss=0.1)


def board(seed: int = 3) -> BoardArt:
    return cubed_board(np.random.default_rng(seed), 26.0, LAYOUT)


@pytest.fixture(scope="module")
def cubed() -> BoardPicture:
    return picture(cubed_world(np.random.default_rng(1), board(), box("die"), DICE), 8)


def names_by_cell(frame: Frame) -> dict[object, str]:
    return {reading.cell: reading.name for reading in frame}


def test_every_die_is_read_on_its_square(reader: TableReader, cubed: BoardPicture) -> None:
    frame = reader.read(loaded(cubed.image), Asked(Kind.DIE, plan=PLAN))
    assert names_by_cell(frame) == DICE
    assert frame.placement is not None
    assert not frame.placement.problems
    assert set(frame.stages) == {"segment", "classify", "decode"}


def test_the_corners_of_the_board_are_where_they_are_drawn(reader: TableReader, cubed: BoardPicture) -> None:
    frame = reader.read(loaded(cubed.image), Asked(Kind.DIE, plan=PLAN))
    assert frame.placement is not None
    assert cubed.matrix is not None
    for x, y in ((0, 0), (11, 0), (11, 11), (0, 11)):
        ours, theirs = (m @ np.array([x, y, 1.0]) for m in (frame.placement.matrix, cubed.matrix))
        assert np.allclose(ours[:2] / ours[2], theirs[:2] / theirs[2], atol=6)


def without_hue(image: Image) -> Image:
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8)


def sepia(image: Image) -> Image:
    """The usual filter, in which bright red and green are clipped."""
    tones = np.array([[0.131, 0.534, 0.272], [0.168, 0.686, 0.349], [0.189, 0.769, 0.393]])
    return np.asarray(np.clip(image @ tones.T, 0, 255), np.uint8)


@pytest.mark.parametrize("tint", [without_hue, sepia])
def test_dice_without_colours_are_all_in_doubt(
    reader: TableReader, cubed: BoardPicture, tint: Callable[[Image], Image]
) -> None:
    frame = reader.read(loaded(tint(cubed.image)), Asked(Kind.DIE, plan=PLAN))
    assert len(frame) >= len(DICE) - 1
    assert {reading.doubt for reading in frame} == {Doubt.NO_COLOUR}
    (problem,) = [one for one in frame.problems if one.code == "no-colours"]
    assert len(problem.pieces) == len(frame)


@pytest.mark.parametrize("cell", [(5, 4), (4, 6), (7, 4)])
def test_one_die_in_colour_is_not_in_doubt(reader: TableReader, cubed: BoardPicture, cell: tuple[int, ...]) -> None:
    frame = reader.read(loaded(cubed.image), Asked(Kind.DIE, plan=PLAN))
    (die,) = [reading for reading in frame if reading.cell == cell]
    x, y = (die.quad.corners.mean(axis=0) - 2 * die.quad.long_side).astype(int).tolist()
    side = int(4 * die.quad.long_side)
    alone = reader.read(loaded(np.ascontiguousarray(cubed.image[y : y + side, x : x + side])), Asked(Kind.DIE))
    assert DICE[cell] in [reading.name for reading in alone]
    assert Doubt.NO_COLOUR not in {reading.doubt for reading in alone}


def test_without_a_board_file_dice_have_no_squares(reader: TableReader, cubed: BoardPicture) -> None:
    frame = reader.read(loaded(cubed.image), Asked())
    assert sorted(reading.name for reading in frame) == sorted(DICE.values())
    assert {reading.kind for reading in frame} == {Kind.DIE}
    assert {reading.cell for reading in frame} == {None}
    assert frame.placement is None


def test_a_large_picture_gives_places_in_its_own_pixels(reader: TableReader, cubed: BoardPicture) -> None:
    small = loaded(cubed.image)
    doubled = Loaded(cubed.image, (2200, 1650), 0.5, ())
    one, two = (reader.read(photo, Asked(Kind.DIE, plan=PLAN)) for photo in (small, doubled))
    assert two.size == (2200, 1650)
    for first, second in zip(one, two, strict=True):
        assert np.allclose(first.quad.scaled(2.0).corners, second.quad.corners, atol=0.05)
    assert one.placement is not None
    assert two.placement is not None
    ours, theirs = (m @ np.array([4.0, 7.0, 1.0]) for m in (one.placement.matrix, two.placement.matrix))
    assert np.allclose((ours[:2] / ours[2] + 0.5) * 2 - 0.5, theirs[:2] / theirs[2], atol=0.05)


def test_corners_from_a_person_override_what_is_seen(reader: TableReader, cubed: BoardPicture) -> None:
    assert cubed.matrix is not None
    upside_down = [cubed.matrix @ np.array([x, y, 1.0]) for x, y in ((11, 11), (0, 11), (0, 0), (11, 0))]
    corners = Quad.of([(p[0] / p[2], p[1] / p[2]) for p in upside_down])
    unknown = CubedPlan(PLAN.rows, PLAN.columns, PLAN.logo)
    frame = reader.read(loaded(cubed.image), Asked(Kind.DIE, plan=unknown, corners=corners))
    assert names_by_cell(frame) == {(10 - row, 10 - column): name for (row, column), name in DICE.items()}
    against = reader.read(loaded(cubed.image), Asked(Kind.DIE, plan=PLAN, corners=corners))
    assert against.placement is not None
    assert [problem.code for problem in against.placement.problems] == ["corners"]


def test_a_picture_of_nothing_has_no_pieces_and_no_board(reader: TableReader) -> None:
    frame = reader.read(loaded(np.full((480, 640, 3), 90, np.uint8)), Asked(Kind.DIE, plan=PLAN))
    assert not len(frame)
    assert frame.placement is not None
    assert [problem.code for problem in frame.placement.problems] == ["no-board"]


def test_bare_squares_are_told_from_those_under_dice(reader: TableReader, cubed: BoardPicture) -> None:
    frame = reader.read(loaded(cubed.image), Asked(Kind.DIE, plan=PLAN))
    assert frame.placement is not None
    squares = [(1, 1), (8, 2), (9, 9), (5, 5), (3, 6), (7, 4), (40, 40)]
    assert reader.bare(loaded(cubed.image), frame.placement, squares) == [True] * 3 + [False] * 4


def test_tiles_taken_for_dice_are_in_doubt_and_so_are_dice_taken_for_tiles(
    reader: TableReader, cubed: BoardPicture, junior: Callable[[bool], tuple[BoardPicture, JuniorPlan, Any]]
) -> None:
    for image, kind, text in (
        (junior(True)[0].image, Kind.DIE, "these look like tiles, not dice"),
        (cubed.image, Kind.TILE, "these look like dice, not tiles"),
    ):
        frame = reader.read(loaded(image), Asked(kind, spaces=10 if kind is Kind.TILE else None))
        (problem,) = [one for one in frame.problems if one.code == "other-kind"]
        assert problem.text.startswith(text)
        assert len(frame) == len(problem.pieces) > 0
        assert all(reading.doubt is not None for reading in frame)
    right = reader.read(loaded(cubed.image), Asked(Kind.DIE))
    assert not right.problems


def test_an_empty_board_is_read_with_its_numbers(reader: TableReader) -> None:
    empty = picture(World(board(), ()), 8)
    read = reader.printed_board(loaded(empty.image))
    assert (read.rows, read.columns) == (11, 11)
    assert read.logo == PLAN.logo
    assert read.bonus == PLAN.bonus


def test_a_wild_is_taught_by_its_looks(reader: TableReader, cubed: BoardPicture) -> None:
    wilds = reader.wilds(loaded(cubed.image))
    assert [wild.shape for wild in wilds] == [(32,)]
    other = picture(cubed_world(np.random.default_rng(9), board(), box("die"), DICE), 12)
    frame = reader.read(loaded(other.image), Asked(Kind.DIE, plan=PLAN, wild=np.stack(wilds)))
    assert names_by_cell(frame) == DICE
    wild = next(reading for reading in frame if reading.name == "wild")
    assert wild.doubt is None


@pytest.mark.parametrize("weak", [{"score": 0.4}, {"kind_score": 0.6}, {"kind": Kind.TILE}])
def test_no_wild_is_learnt_from_what_is_hardly_a_die(
    reader: TableReader, cubed: BoardPicture, weak: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Veins of marble are read as a Wild, for they are none of the 27 faces."""
    looked = reader.looked

    def hardly(image: Image, detections: Sequence[Detection]) -> list[Seen]:
        return [replace(one, detection=replace(one.detection, **weak)) for one in looked(image, detections)]

    monkeypatch.setattr(reader, "looked", hardly)
    assert reader.wilds(loaded(cubed.image)) == []


@pytest.fixture(scope="module")
def junior() -> Callable[[bool], tuple[BoardPicture, JuniorPlan, dict[tuple[int, ...], str]]]:
    """Makes a picture of a Junior board with some tiles, or without them from another place."""
    style = box("tile", 21)
    art = junior_board_one(np.random.default_rng(2), style.size[0], style.style)
    printed = {space.at: str(space.printed) for space in art.spaces}
    squares = tuple(tuple((printed[s, r, 0], printed[s, r, 1], printed[s, r, 2]) for r in range(3)) for s in range(3))
    laid = {at: name for number, (at, name) in enumerate(printed.items()) if number % 3 == 1}

    def make(empty: bool) -> tuple[BoardPicture, JuniorPlan, dict[tuple[int, ...], str]]:
        world = tile_world(np.random.default_rng(4), art, style, {} if empty else laid)
        return picture(world, 30, 12.0 if empty else 22.0), JuniorPlan(squares), laid

    return make


def test_tiles_on_a_board_that_prints_the_same_pictures(
    reader: TableReader, junior: Callable[[bool], tuple[BoardPicture, JuniorPlan, dict[tuple[int, ...], str]]]
) -> None:
    (laid, plan, expected), (empty, _, _) = junior(False), junior(True)
    asked = Asked(Kind.TILE, plan=plan, empty=loaded(empty.image))
    assert names_by_cell(reader.read(loaded(laid.image), asked)) == expected
    assert not len(reader.read(loaded(empty.image), asked))


def test_the_pictures_of_a_junior_board_can_be_read(
    reader: TableReader, junior: Callable[[bool], tuple[BoardPicture, JuniorPlan, dict[tuple[int, ...], str]]]
) -> None:
    empty, _, _ = junior(True)
    assert len(reader.printed_spaces(loaded(empty.image))) == 27


def test_on_face_two_everything_seen_is_a_tile(reader: TableReader) -> None:
    style = box("tile", 21)
    art = junior_board_two(np.random.default_rng(6), style.size[0])
    names = ["1 red oval", "2 red oval", "3 green diamond", "1 purple squiggle", "2 green squiggle", "3 purple diamond"]
    laid = {space.at: name for space, name in zip(art.spaces, names, strict=False)}
    shown = picture(tile_world(np.random.default_rng(7), art, style, laid), 31)
    frame = reader.read(loaded(shown.image), Asked(Kind.TILE, spaces=10))
    assert sorted(reading.name for reading in frame) == sorted(names)
    assert {reading.kind for reading in frame} == {Kind.TILE}
