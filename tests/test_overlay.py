"""The overlay: never on the caller's array, each SET told by colour, line and number, legible at any size."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from vision.overlay import Line, Style, draw, style_of
from vision.types import Image, Mark, Quad, VisionError

CLOTH, CARD = (60, 45, 40), (235, 240, 240)


def table(width: int = 640, height: int = 480) -> Image:
    """A dark cloth."""
    return np.full((height, width, 3), CLOTH, np.uint8)


def box(left: float, top: float, width: float, height: float) -> Quad:
    """An upright card."""
    return Quad.of([(left, top), (left + width, top), (left + width, top + height), (left, top + height)])


def with_cards(image: Image, *quads: Quad) -> Image:
    """The picture with pale cards in the axis-parallel ``quads``."""
    for quad in quads:
        (left, top), (right, bottom) = quad.corners[0].astype(int), quad.corners[2].astype(int)
        image[max(top, 0) : bottom, max(left, 0) : right] = CARD
    return image


def count(image: Image, colour: tuple[int, int, int], near: int = 24) -> int:
    """How many pixels have almost that colour."""
    return int((np.abs(image.astype(int) - colour).max(axis=2) <= near).sum())


QUAD = box(200, 100, 120, 185)


def test_the_callers_picture_stays_as_it_is() -> None:
    image = with_cards(table(), QUAD)
    before = image.copy()
    image.setflags(write=False)
    drawn = draw(image, [Mark(QUAD, "3", (1, 2), doubtful=True)])
    np.testing.assert_array_equal(image, before)
    assert not np.shares_memory(drawn, image)
    assert drawn.flags.writeable


def test_nothing_to_draw_gives_an_equal_copy() -> None:
    image = table()
    drawn = draw(image, [])
    np.testing.assert_array_equal(drawn, image)
    assert not np.shares_memory(drawn, image)


def test_a_slice_of_a_larger_picture_can_be_drawn_on() -> None:
    image = table()[::2, ::-2]
    assert draw(image, [Mark(box(50, 50, 40, 60), "1", (1,))]).shape == image.shape


def test_thirty_five_sets_all_look_different() -> None:
    looks = {style_of(group) for group in range(1, 36)}
    assert len(looks) == 35
    neighbours = itertools.pairwise(style_of(group) for group in range(1, 40))
    assert all(a.colour != b.colour and a.line is not b.line for a, b in neighbours)


def test_sets_are_numbered_from_one() -> None:
    with pytest.raises(VisionError, match="from 1; got 0"):
        style_of(0)


def luminance(colour: tuple[int, int, int]) -> float:
    """Relative luminance of a BGR colour, 0..1."""
    linear = [((value / 255 + 0.055) / 1.055) ** 2.4 for value in colour]
    return float(np.dot((0.0722, 0.7152, 0.2126), linear))


@pytest.mark.parametrize("group", range(1, 8))
def test_line_and_casing_contrast(group: int) -> None:
    style: Style = style_of(group)
    light, dark = sorted((luminance(style.colour), luminance(style.casing)), reverse=True)
    assert (light + 0.05) / (dark + 0.05) > 3


@pytest.mark.parametrize("group", range(1, 36))
def test_each_set_shows_its_colour_and_casing_on_card_and_cloth(group: int) -> None:
    style = style_of(group)
    for image in (table(), with_cards(table(), box(0, 0, 640, 480))):
        drawn = draw(image, [Mark(QUAD, groups=(group,))])
        assert count(drawn, style.colour) > 150
        assert count(drawn, style.casing, 12) > count(image, style.casing, 12) + 150


def test_line_styles_differ_on_the_same_side() -> None:
    """Along the middle of the left side: one stroke when solid, many when broken."""
    strokes = {}
    for group in range(1, 6):
        drawn = draw(table(), [Mark(QUAD, groups=(group,))])
        patch = drawn[120:260, 195:206].astype(int)
        coloured = (np.abs(patch - style_of(group).colour).max(axis=2) <= 40).any(axis=1)
        strokes[style_of(group).line] = int((np.diff(coloured.astype(int)) == 1).sum())
    assert strokes[Line.SOLID] == strokes[Line.DOUBLE] == 0
    assert strokes[Line.DOTTED] > strokes[Line.DASHED] > 3
    assert strokes[Line.DASH_DOT] > 3


def test_a_double_line_shows_its_casing_inside() -> None:
    group = next(number for number in range(1, 8) if style_of(number).line is Line.DOUBLE)
    drawn = draw(table(1600, 1200), [Mark(box(300, 200, 400, 600), groups=(group,))])
    across = drawn[500, 280:320].astype(int)
    coloured = np.abs(across - style_of(group).colour).max(axis=1) <= 40
    assert int((np.diff(coloured.astype(int)) == 1).sum()) == 2


def test_nested_outlines_do_not_cover_each_other() -> None:
    groups = (1, 2, 3, 4)
    together = draw(table(), [Mark(QUAD, groups=groups)])
    for group in groups:
        alone = count(draw(table(), [Mark(QUAD, groups=(group,))]), style_of(group).colour)
        assert count(together, style_of(group).colour) > 0.3 * alone


def test_outlines_leave_the_symbols_visible() -> None:
    image = with_cards(table(), QUAD)
    drawn = draw(image, [Mark(QUAD, "7", tuple(range(1, 13)))])
    middle = np.s_[150:230, 240:280]
    np.testing.assert_array_equal(drawn[middle], image[middle])


@pytest.mark.parametrize(("width", "short"), [(320, 24), (640, 60), (1280, 110), (4000, 420), (4000, 90)])
def test_numbers_are_legible_at_any_size(width: int, short: int) -> None:
    """Seen at 640 pixels wide, or as it is when smaller, the mark of a SET is at least seven pixels high."""
    quad = box(width // 3, width // 4, short, short * 1.54)
    style = style_of(1)
    drawn = draw(table(width, width * 3 // 4), [Mark(quad, groups=(1,))])
    row = round(float(quad.corners[2, 1]))
    middle = round(float(quad.centre[0]))
    column = drawn[row - short : row + short, middle - max(3, short // 40) : middle + max(3, short // 40)]
    high = int((np.abs(column.astype(int) - style.colour).max(axis=2) <= 30).any(axis=1).sum())
    assert high >= 7 * max(1.0, min(width / 640, 0.3 * short / 8 * 1.5 / 7))
    assert high <= short


def test_the_text_is_written_at_the_piece() -> None:
    image = with_cards(table(), QUAD)
    bare, named = draw(image, [Mark(QUAD)]), draw(image, [Mark(QUAD, "12")])
    ys, xs = np.nonzero((bare != named).any(axis=2))
    assert 0 < len(ys) < 800
    assert xs.min() >= 195
    assert xs.max() < 260
    assert ys.min() >= 95
    assert ys.max() < 160


def test_a_long_text_stays_as_wide_as_the_piece() -> None:
    image = with_cards(table(), QUAD)
    bare, named = draw(image, [Mark(QUAD)]), draw(image, [Mark(QUAD, "2 red striped diamond")])
    _, xs = np.nonzero((bare != named).any(axis=2))
    assert xs.max() - xs.min() <= 200


def test_doubt_shows_a_badge_at_the_top_right() -> None:
    image = with_cards(table(), QUAD)
    sure, doubtful = draw(image, [Mark(QUAD, "1")]), draw(image, [Mark(QUAD, "1", doubtful=True)])
    ys, xs = np.nonzero((sure != doubtful).any(axis=2))
    assert len(ys) > 100
    assert abs(xs.mean() - 320) < 8
    assert abs(ys.mean() - 100) < 8


@pytest.mark.parametrize(
    "quad",
    [
        box(-100, -100, 150, 230),
        box(600, 450, 120, 185),
        box(5000, 5000, 120, 185),
        box(10, 10, 2, 3),
        box(10, 10, 0, 0),
        Quad.of([(10, 10), (100, 10), (200, 10), (300, 10)]),
        Quad.of([(100, 100), (100, 200), (200, 200), (200, 100)]),
        Quad.of([(300, 100), (340, 150), (300, 400), (260, 150)]),
    ],
)
def test_any_quad_can_be_drawn(quad: Quad) -> None:
    drawn = draw(table(), [Mark(quad, "5", (1, 2, 3), doubtful=True)])
    assert drawn.shape == (480, 640, 3)


def test_very_many_sets_are_counted() -> None:
    quads = [box(20 + 100 * x, 20 + 110 * y, 60, 92) for x in range(6) for y in range(4)]
    image = with_cards(table(), *quads)
    drawn = draw(image, [Mark(quad, str(n), tuple(range(1, 60))) for n, quad in enumerate(quads)])
    changed = (drawn != image).any(axis=2)[:, :]
    assert not changed[50:60, 45:55].any()


def covered(drawn: Image, image: Image, quad: Quad) -> float:
    """The share of an axis-parallel ``quad`` that was drawn on."""
    (left, top), (right, bottom) = quad.corners[0].astype(int), quad.corners[2].astype(int)
    return float((drawn != image).any(axis=2)[top:bottom, left:right].mean())


@pytest.mark.parametrize(("width", "height"), [(120, 185), (185, 120), (60, 92), (40, 62)])
def test_on_a_crowded_table_a_card_shows_three_sets_and_how_many_more(width: int, height: int) -> None:
    quad = box(200, 100, width, height)
    image = with_cards(table(), quad)
    rest = [Mark(box(500, 400, 60, 60), groups=tuple(range(1, 14)))]
    drawn = draw(image, [Mark(quad, groups=(1, 2, 3, 4, 5, 6, 7)), *rest])
    assert covered(drawn, image, quad) < 0.5
    middle = box(200 + 0.16 * width, 100 + 0.2 * height, 0.68 * width, 0.53 * height)
    assert covered(drawn, image, middle) == 0
    for group in (1, 2) if width > 40 else (1,):
        assert count(drawn[90 : 110 + height, 190 : 210 + width], style_of(group).colour) > 20
    for group in (5, 6):
        assert count(drawn[90 : 110 + height, 190 : 210 + width], style_of(group).colour) <= 20
    np.testing.assert_array_equal(drawn, draw(image, [Mark(quad, groups=(1, 2, 3, 14, 15, 16, 17)), *rest]))


@pytest.mark.parametrize("angle", range(0, 360, 15))
@pytest.mark.parametrize("groups", [(1, 2), tuple(range(1, 21))])
def test_plates_stay_above_the_lower_edge(angle: int, groups: tuple[int, ...]) -> None:
    turn = np.deg2rad(angle)
    points = np.array([(-50, -77), (50, -77), (50, 77), (-50, 77)]) @ np.array(
        [[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]
    ) + (320, 240)
    quad = Quad.of(points.tolist())
    ys, xs = np.nonzero((draw(table(), [Mark(quad, groups=groups)]) != table()).any(axis=2))
    sides = [(points[n], points[(n + 1) % 4]) for n in range(4)]
    start, end = max(sides, key=lambda side: float(side[0][1] + side[1][1]))
    along = (end - start) / np.linalg.norm(end - start)
    outside = along[1] * (xs - start[0]) - along[0] * (ys - start[1])
    assert outside.max() < 6.5  # the outline alone


def test_the_plates_of_one_card_leave_the_id_of_the_next() -> None:
    upper, lower = box(200, 50, 90, 140), box(200, 192, 90, 140)
    image = with_cards(table(), upper, lower)
    many = [Mark(box(500, 400, 60, 60), groups=tuple(range(1, 21)))]
    corner = np.s_[200:330, 200:290]
    plain = draw(image, [Mark(lower, "88"), Mark(upper, "1"), *many])
    crowded = draw(image, [Mark(lower, "88"), Mark(upper, "1", tuple(range(1, 12))), *many])
    np.testing.assert_array_equal(crowded[corner], plain[corner])


@pytest.mark.parametrize("short", [10, 16, 23])
@pytest.mark.parametrize("groups", [(), (1,), (3,), (1, 2, 3, 4, 5)])
def test_tiny_cards_bear_thin_lines_only(short: int, groups: tuple[int, ...]) -> None:
    quad = box(100, 100, short, round(short * 1.54))
    image = with_cards(table(), quad)
    drawn = draw(image, [Mark(quad, "17", groups)])
    edge = round(0.24 * short)
    inside = np.s_[100 + edge : 100 + round(short * 1.54) - edge, 100 + edge : 100 + short - edge]
    np.testing.assert_array_equal(drawn[inside], image[inside])
    colour = style_of(groups[0]).colour if groups else (255, 255, 255)
    assert count(drawn, colour, 90) >= count(image, colour, 90) + short // 2


def test_a_doubt_on_a_tiny_card_is_a_dot() -> None:
    quad = box(100, 100, 18, 28)
    image = with_cards(table(), quad)
    drawn = draw(image, [Mark(quad, "17", (1,), doubtful=True)])
    ys, xs = np.nonzero((drawn != draw(image, [Mark(quad, "17", (1,))])).any(axis=2))
    assert 8 <= len(ys) <= 64
    assert abs(xs.mean() - 118) < 2
    assert abs(ys.mean() - 100) < 2


def test_drawing_is_deterministic() -> None:
    marks = [Mark(QUAD, "1", (1, 2), doubtful=True)]
    np.testing.assert_array_equal(draw(table(), marks), draw(table(), marks))
