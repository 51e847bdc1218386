"""What happens on a board drawn on a copy of the picture: rings, lines, points, ghosts; room for every label."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from engine.tokens import Face, Tile, full_tiles
from vision.board_overlay import BoardDrawing, Ghost, LineMark, Ring, Tag, draw_board, square_on
from vision.ink import Floats, style_of
from vision.label_room import Room
from vision.types import Image, Quad

CLOTH = (60, 90, 50)


def table(width: int = 640, height: int = 480) -> Image:
    """A dark cloth."""
    return np.full((height, width, 3), CLOTH, np.uint8)


def die(column: float, row: float, side: float = 30, left: float = 200, top: float = 150) -> Quad:
    """A die on a square of a grid."""
    x, y = left + column * side * 1.1, top + row * side * 1.1
    return Quad.of([(x, y), (x + side, y), (x + side, y + side), (x, y + side)])


def count(image: Image, colour: tuple[int, int, int], near: int = 24) -> int:
    """How many pixels have almost that colour."""
    return int((np.abs(image.astype(int) - colour).max(axis=2) <= near).sum())


def changed(drawing: BoardDrawing, size: tuple[int, int] = (640, 480)) -> Image:
    """Return where ``drawing`` changes a picture: (height, width) of booleans."""
    return np.asarray((draw_board(table(*size), drawing) != CLOTH).any(axis=2), np.uint8)


ROW = tuple(die(column, 0) for column in range(4))
LINES = (LineMark(ROW[:3], 1, "SET 1 +3"), LineMark(ROW[1:], 2, "SET 2 +3"))


def test_the_callers_picture_stays_as_it_is() -> None:
    image = table()
    before = image.copy()
    image.setflags(write=False)
    drawn = draw_board(image, BoardDrawing(rings=(Ring(ROW[0], order=1),), lines=LINES, total="Ann: +6"))
    np.testing.assert_array_equal(image, before)
    assert not np.shares_memory(drawn, image)


def test_nothing_to_draw_gives_an_equal_copy() -> None:
    np.testing.assert_array_equal(draw_board(table(), BoardDrawing()), table())


@pytest.mark.parametrize("size", [(640, 480), (1920, 1080)])
def test_each_set_is_a_line_in_its_colour(size: tuple[int, int]) -> None:
    scale = size[0] / 640
    quads = [quad.scaled(scale) for quad in ROW]
    lines = (LineMark(tuple(quads[:3]), 1, "SET 1 +3"), LineMark(tuple(quads[1:]), 2, "SET 2 +3"))
    drawn = draw_board(table(*size), BoardDrawing(lines=lines, pieces=tuple(quads)))
    for group in (1, 2):
        assert count(drawn, style_of(group).colour) > 250 * scale


def test_lines_that_share_two_dice_run_side_by_side() -> None:
    first, second = (changed(BoardDrawing(lines=(line,))) for line in LINES)
    plain = BoardDrawing(lines=(LineMark(LINES[0].quads, 1, ""), LineMark(LINES[1].quads, 2, "")))
    both = draw_board(table(), plain)
    assert first.any()
    assert second.any()
    middle = slice(int(ROW[1].centre[0]), int(ROW[2].centre[0]))
    strip = both[150:185, middle].astype(int)
    rows = [
        set(np.flatnonzero(np.abs(strip - style_of(group).colour).max(axis=2).min(axis=1) < 24).tolist())
        for group in (1, 2)
    ]
    assert rows[0]
    assert rows[1]
    assert max(rows[1]) < min(rows[0]) or max(rows[0]) < min(rows[1])


def inner(quad: Quad, part: float = 0.55) -> tuple[slice, slice]:
    """The rows and columns of the middle of an upright die, where its symbols are."""
    (left, top), (right, bottom) = quad.centre + (quad.corners[[0, 2]] - quad.centre) * part
    return slice(round(float(top)), round(float(bottom)) + 1), slice(round(float(left)), round(float(right)) + 1)


CROSS = tuple(die(1, row) for row in range(3))
DIAGONAL = tuple(die(place, place) for place in range(3))


@pytest.mark.parametrize("size", [24, 60, 120])
def test_the_symbols_of_a_set_stay_visible(size: float) -> None:
    scale = size / 30
    rows = [tuple(quad.scaled(scale) for quad in quads) for quads in (ROW[:3], ROW[1:], CROSS, DIAGONAL)]
    quads = [quad for row in rows for quad in row]
    lines = tuple(LineMark(row, number, "") for number, row in enumerate(rows[:3], start=1))
    for drawing in (BoardDrawing(lines=lines), BoardDrawing(lines=(LineMark(rows[3], 1, ""),))):
        drawn = changed(drawing, (round(640 * scale), round(480 * scale)))
        assert drawn.any()
        assert not any(drawn[inner(quad)].any() for quad in quads)


def test_sets_in_one_row_have_outlines_of_their_own() -> None:
    row = [die(column, 0, 60, 40) for column in range(5)]
    lines = [LineMark(tuple(row[first : first + 3]), first + 1, "") for first in range(3)]
    drawn = draw_board(table(), BoardDrawing(lines=tuple(lines)))
    strip = drawn[100:190, int(row[2].centre[0]) - 8 : int(row[2].centre[0]) + 8]
    for line in lines:
        assert count(strip, style_of(line.group).colour) > 10


def test_the_order_of_dice_looks_unlike_the_number_of_a_set() -> None:
    quad = die(0, 0, side=90)
    ring = draw_board(table(), BoardDrawing(rings=(Ring(quad),)))
    badge = (draw_board(table(), BoardDrawing(rings=(Ring(quad, order=1),))) != ring).any(axis=2)
    rows, columns = np.nonzero(badge)
    wide, high = np.ptp(columns) + 1, np.ptp(rows) + 1
    assert abs(int(wide) - int(high)) <= 2
    assert badge.sum() == pytest.approx(np.pi / 4 * wide * high, rel=0.12)  # a disc
    assert not badge[inner(quad)].any()
    ghost = draw_board(table(), BoardDrawing(ghosts=(Ghost(quad, Face(None), order=1),)))
    assert (ghost != draw_board(table(), BoardDrawing(ghosts=(Ghost(quad, Face(None)),)))).any()


def test_a_line_that_may_be_a_set_is_black_and_white() -> None:
    drawn = draw_board(table(), BoardDrawing(lines=(LineMark(ROW[:3], 1, "?", maybe=True),)))
    assert count(drawn, style_of(1).colour) == 0
    assert count(drawn, (255, 255, 255)) > 50


def test_the_outline_of_the_board_is_drawn() -> None:
    corners = Quad.of([(50, 50), (600, 60), (620, 440), (40, 430)])
    drawn = changed(BoardDrawing(corners=corners))
    assert drawn[48:64, 50:600].any(axis=0).mean() > 0.95
    assert not drawn[100:400, 100:500].any()


def test_a_new_die_is_ringed_and_a_doubt_is_marked() -> None:
    plain = draw_board(table(), BoardDrawing(rings=(Ring(ROW[0], order=1),), pieces=ROW))
    box = inner(ROW[0])
    assert count(plain, (255, 255, 255)) > 100
    assert (plain[box] == CLOTH).all()
    yellow = (66, 228, 240)
    doubted = draw_board(table(), BoardDrawing(rings=(Ring(ROW[0], doubtful=True, order=1),)))
    assert count(plain, yellow) == 0
    assert count(doubted, yellow) > 50


def test_the_total_stands_in_the_corner() -> None:
    drawn = changed(BoardDrawing(total="Ann: +8 = 23"))
    assert drawn[:60, :300].sum() > 1000
    assert drawn.sum() == drawn[:60, :300].sum()


def test_a_long_total_is_broken_to_fit_a_small_picture() -> None:
    text = "The player, unsure: does not stand (CUBED-15)"
    drawn = changed(BoardDrawing(total=text), (160, 120))
    assert 0 < drawn.any(axis=0).sum() <= 158
    assert not drawn[:, -1].any()
    assert drawn.any(axis=1).sum() > 50
    assert changed(BoardDrawing(total=text)).any(axis=1).sum() < 40


def test_what_makes_a_turn_illegal_has_a_red_ring() -> None:
    red = (40, 40, 230)
    rings = Ring(ROW[0]), Ring(ROW[2], wrong=True)
    drawn = draw_board(table(), BoardDrawing(rings=rings, pieces=ROW))
    assert count(drawn[:, :230], red) == 0
    assert count(drawn, red) > 200
    assert (drawn[inner(ROW[2])] == CLOTH).all()


@pytest.mark.parametrize("tile", full_tiles())
def test_a_ghost_shows_the_symbols_of_its_face(tile: Tile) -> None:
    ink = [(40, 40, 205), (60, 140, 20), (140, 40, 110)][tile.colour.value]
    quad = die(0, 0, side=90)
    drawn = draw_board(table(), BoardDrawing(ghosts=(Ghost(quad, Face(tile)),)))
    x, y = (int(value) for value in quad.centre)
    row = (np.abs(drawn[y, x - 40 : x + 40].astype(int) - ink) < 30).all(axis=1)
    assert int((np.diff(row.astype(int)) == 1).sum()) == tile.number.value + 1


def test_a_ghost_of_a_wild_is_told_from_one_of_its_name() -> None:
    quad, named = die(0, 0, side=90), Tile.parse("2 red oval")
    wild, plain = (
        draw_board(table(), BoardDrawing(ghosts=(Ghost(quad, Face(face), named),))) for face in (None, named)
    )
    assert (wild != plain).any()
    assert count(wild, (40, 40, 205), 40) > 300


def test_a_square_of_the_board_in_perspective() -> None:
    corners = Quad.of([(0, 0), (260, 0), (260, 140), (0, 140)])
    np.testing.assert_allclose(
        square_on(corners, 7, 13, (2, 3)).corners, [(60, 40), (80, 40), (80, 60), (60, 60)], atol=1e-3
    )
    tilted = Quad.of([(100, 100), (500, 100), (600, 400), (0, 400)])
    ends = [square_on(tilted, 7, 13, at).corners for at in ((0, 0), (6, 12))]
    np.testing.assert_allclose(ends[0][0], (100, 100), atol=1e-2)
    np.testing.assert_allclose(ends[1][2], (600, 400), atol=1e-2)


def test_labels_do_not_cover_each_other_or_the_dice() -> None:
    quads = [die(column, row) for column in range(4) for row in range(3)]
    room, size, middles = Room((640, 480)), (44.0, 16.0), list[Floats]()
    for quad in quads:
        room.keep_clear(quad)
    for quad in quads[:6]:
        middles.append(room.place(quad.centre.astype(np.float64), size, 30.0))
    for first, second in combinations(middles, 2):
        assert (np.abs(first - second) >= np.array(size) - 4).any()
    outer = np.concatenate([quad.corners for quad in quads])
    for middle in middles[:2]:
        assert not ((middle > outer.min(axis=0)) & (middle < outer.max(axis=0))).all()


def test_labels_stay_in_the_picture() -> None:
    room = Room((200, 100))
    for _ in range(4):
        x, y = room.place(np.array([2.0, 3.0]), (40.0, 16.0), 20.0)
        assert 20 <= x + 4 <= 184
        assert 8 <= y + 4 <= 96


def test_a_label_goes_to_the_point_with_most_room() -> None:
    room = Room((640, 480))
    room.keep_clear(die(0, 0))
    points = np.array([ROW[0].centre, (500, 300)], np.float64)
    np.testing.assert_array_equal(room.place(points, (40.0, 16.0), 20.0), points[1])
    beside = room.place(points[1], (40.0, 16.0), 0.0)
    np.testing.assert_array_equal(beside, points[1])  # no step away is allowed


def test_a_label_with_room_stays_where_it_belongs() -> None:
    room = Room((640, 480))
    np.testing.assert_array_equal(room.place(np.array([300.0, 200.0]), (40.0, 16.0), 20.0), (300, 200))


def test_bonus_points_are_written_near_their_die() -> None:
    drawn = changed(BoardDrawing(tags=(Tag(ROW[0], "bonus +5"),), pieces=ROW))
    rows, columns = np.nonzero(drawn)
    assert drawn.sum() > 200
    assert abs(columns.mean() - ROW[0].centre[0]) < 60
    assert abs(rows.mean() - ROW[0].centre[1]) < 60
