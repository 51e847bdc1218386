"""Homographies, crops, overlaps, and which way up a card lies."""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.geometry import (
    CARD_ASPECT,
    GeometryError,
    homography,
    order_clockwise,
    quad_iou,
    rectify,
    transform,
    upright,
    upright_together,
)
from vision.types import Quad

UNIT = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64)
SIZE = (1600, 1200)


def box(left: float, top: float, width: float, height: float) -> Quad:
    """An axis-parallel quad."""
    return Quad.of([(left, top), (left + width, top), (left + width, top + height), (left, top + height)])


def seen(
    tilt: float, direction: float, at: tuple[float, float], turn: float, focal: float = 0.8, far: float = 8.0
) -> Quad:
    """The image of a card of short side 1 on a table tilted by ``tilt`` degrees; corners TL TR BR BL of the card."""
    half = np.array(
        [[-0.5, -CARD_ASPECT / 2], [0.5, -CARD_ASPECT / 2], [0.5, CARD_ASPECT / 2], [-0.5, CARD_ASPECT / 2]]
    )
    spin = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    flat = np.column_stack([half @ spin.T + at, np.zeros(4)])
    axis = np.array([math.cos(direction), math.sin(direction), 0.0]) * math.radians(tilt)
    camera = flat @ cv2.Rodrigues(axis)[0].T + (0, 0, far)
    pixels = camera[:, :2] / camera[:, 2:] * focal * max(SIZE) + (np.array(SIZE) - 1) / 2
    return Quad(pixels.astype(np.float32))


def same_short_sides(a: Quad, b: Quad) -> bool:
    """Whether the first side of ``a`` is the first or the third of ``b``."""
    turned = np.roll(b.corners, 2, axis=0)
    return bool(np.allclose(a.corners, b.corners, atol=0.01) or np.allclose(a.corners, turned, atol=0.01))


def test_a_homography_maps_its_four_points() -> None:
    target = np.array([[10, 20], [300, 40], [280, 400], [30, 350]], np.float64)
    matrix = homography(UNIT, target)
    np.testing.assert_allclose(transform(UNIT, matrix), target, atol=1e-4)
    np.testing.assert_allclose(transform(target, homography(target, UNIT)), UNIT, atol=1e-5)
    assert matrix.shape == (3, 3)


@given(st.lists(st.floats(-0.2, 0.2), min_size=8, max_size=8))
def test_a_homography_and_its_inverse_cancel(shifts: list[float]) -> None:
    target = UNIT * 100 + np.array(shifts).reshape(4, 2) * 100
    there, back = homography(UNIT, target), homography(target, UNIT)
    points = np.array([[0.3, 0.4], [0.5, 0.9]])
    np.testing.assert_allclose(transform(transform(points, there), back), points, atol=1e-3)


@pytest.mark.parametrize(
    "points",
    [
        [[0, 0], [1, 1], [2, 2], [0, 1]],
        [[0, 0], [0, 0], [1, 0], [1, 1]],
        [[0, 0], [1, 0], [1, 1]],
        [[0, 0], [1, 0], [1, math.nan], [0, 1]],
    ],
)
def test_points_without_a_homography_are_refused(points: list[list[float]]) -> None:
    for source, target in ((points, UNIT), (UNIT, points)):
        with pytest.raises(GeometryError, match="four"):
            homography(source, target)


def test_rectify_of_the_pixels_themselves_copies_them() -> None:
    image = np.random.default_rng(0).integers(0, 255, (60, 50, 3), dtype=np.uint8)
    crop = rectify(image, box(9.5, 19.5, 20, 30), (20, 30))
    np.testing.assert_array_equal(crop, image[20:50, 10:30])


def test_rectify_keeps_the_margin_on_each_side() -> None:
    image = np.zeros((200, 200, 3), np.uint8)
    image[60:140, 70:130] = 255
    crop = rectify(image, box(69.5, 59.5, 60, 80), (72, 96), 0.1)
    wanted = np.zeros((96, 72, 3), np.uint8)
    wanted[8:88, 6:66] = 255
    np.testing.assert_array_equal(crop, wanted)


def test_rectify_turns_the_piece_upright() -> None:
    image = np.zeros((100, 100, 3), np.uint8)
    image[20:80, 70:80] = 255
    lying = Quad.of([(79.5, 19.5), (79.5, 79.5), (19.5, 79.5), (19.5, 19.5)])
    crop = rectify(image, lying, (60, 60))
    assert (crop[:9] == 255).all()
    assert (crop[11:] == 0).all()


def test_rectify_repeats_the_border_and_leaves_the_image_alone() -> None:
    image = np.full((40, 40, 3), 90, np.uint8)
    image.setflags(write=False)
    assert (rectify(image, box(-20, -20, 60, 60), (30, 30), 0.2) == 90).all()


@pytest.mark.parametrize("pitch", [2, 3, 5])
def test_fine_stripes_do_not_alias(pitch: int) -> None:
    """Stripes far finer than a pixel of the crop come out an even grey, not a coarse beat."""
    image = np.zeros((1200, 800, 3), np.uint8)
    image[(np.arange(1200) // (pitch / 2) % 2).astype(bool)] = 255
    crop = rectify(image, box(3.3, 5.7, 480, 720), (64, 96))
    assert crop[2:-2].std() < 20
    naive = image[6:726:7]
    assert naive.std() > 60


def test_rectify_follows_the_perspective() -> None:
    board = np.zeros((240, 160, 3), np.uint8)
    board[100:140, 60:100] = 255
    quad = Quad.of([(100, 60), (300, 90), (340, 380), (60, 330)])
    source = np.array([[-0.5, -0.5], [159.5, -0.5], [159.5, 239.5], [-0.5, 239.5]])
    photo = cv2.warpPerspective(board, homography(source, quad.corners), (400, 440), flags=cv2.INTER_LINEAR)
    crop = rectify(np.asarray(photo, np.uint8), quad, (160, 240))
    assert np.abs(crop.astype(int) - board).mean() < 2


@pytest.mark.parametrize(("size", "margin"), [((0, 10), 0.0), ((10, 10), -0.1)])
def test_rectify_refuses_an_impossible_crop(size: tuple[int, int], margin: float) -> None:
    with pytest.raises(GeometryError, match="positive size"):
        rectify(np.zeros((9, 9, 3), np.uint8), box(1, 1, 5, 5), size, margin)


def test_overlaps_are_those_of_the_areas() -> None:
    a = box(0, 0, 10, 10)
    assert quad_iou(a, a) == pytest.approx(1)
    assert quad_iou(a, box(5, 0, 10, 10)) == pytest.approx(1 / 3)
    assert quad_iou(a, box(20, 20, 5, 5)) == 0
    assert quad_iou(a, box(2, 2, 5, 4)) == pytest.approx(0.2)
    turned = Quad(a.corners[[2, 3, 0, 1]])
    mirrored = Quad(a.corners[::-1])
    assert quad_iou(a, turned) == pytest.approx(1)
    assert quad_iou(a, mirrored) == pytest.approx(1)
    assert quad_iou(box(0, 0, 0, 0), box(0, 0, 0, 0)) == 0


@given(st.permutations(range(4)))
def test_any_order_becomes_clockwise_from_the_top_left(order: list[int]) -> None:
    corners = np.array([[10, 20], [110, 30], [100, 160], [5, 150]], np.float32)
    np.testing.assert_array_equal(order_clockwise(corners[order]), corners)


@pytest.mark.parametrize("points", [[[0, 0]], [[0, 0], [1, 0], [1, 1], [math.inf, 1]]])
def test_what_is_no_four_points_has_no_order(points: list[list[float]]) -> None:
    with pytest.raises(GeometryError, match=r"\(4, 2\)"):
        order_clockwise(points)


def turns_of(quad: Quad) -> list[Quad]:
    """The same quad begun at each of its corners."""
    return [Quad(np.roll(quad.corners, shift, axis=0)) for shift in range(4)]


@pytest.mark.parametrize("turn", np.linspace(0, math.pi, 7))
def test_seen_from_above_the_short_side_comes_first(turn: float) -> None:
    quad = seen(0, 0, (1, -1), float(turn))
    for given_quad in turns_of(quad):
        found = upright(given_quad, SIZE)
        assert same_short_sides(found, quad)
        assert found.short_side < found.long_side


def test_the_higher_short_side_comes_first() -> None:
    quad = box(100, 100, 60, 92)
    for given_quad in turns_of(quad):
        np.testing.assert_array_equal(upright(given_quad, SIZE).corners, quad.corners)


def test_at_a_steep_angle_the_longer_image_side_may_be_the_short_side() -> None:
    """Tilted by 60 degrees, a card that points away from the camera looks wider than long."""
    quad = seen(-60, 0, (0, 0.3), 0, far=4)
    assert quad.short_side > 1.1 * quad.long_side
    for given_quad in turns_of(quad):
        assert same_short_sides(upright(given_quad, SIZE), quad)


def cards(tilt: float, seed: int, noise: float) -> tuple[list[Quad], list[Quad]]:
    """Nine cards on one tilted table as they are, and as a finder gives them: begun anywhere, a little off."""
    random = np.random.default_rng(seed)
    direction = float(random.uniform(0, 2 * math.pi))
    focal = float(random.uniform(0.65, 1.2))
    spots = [(x * 1.7, y * 1.7) for x in (-1, 0, 1) for y in (-1, 0, 1)]
    truth = [seen(tilt, direction, spot, float(random.uniform(0, math.pi)), focal) for spot in spots]
    found: list[Quad] = []
    for quad in truth:
        shaken: npt.NDArray[np.float64] = quad.corners + random.normal(0, noise, (4, 2))
        found.append(Quad(np.roll(shaken, int(random.integers(4)), axis=0).astype(np.float32)))
    return truth, found


@pytest.mark.parametrize("tilt", [0, 30, 45, 55, 62])
def test_cards_on_one_table_decide_together(tilt: float) -> None:
    wrong = 0
    for seed in range(6):
        truth, found = cards(tilt, seed, 1.5)
        for quad, card in zip(upright_together(found, SIZE), truth, strict=True):
            near = [float(np.abs(turned.corners - quad.corners).max()) for turned in turns_of(card)]
            wrong += int(np.argmin(near)) % 2
    assert wrong == 0


def test_a_bad_quad_does_not_decide_for_the_others() -> None:
    truth, found = cards(50, 2, 1.0)
    found[4] = Quad.of([(700, 500), (900, 520), (760, 530), (710, 900)])
    for place, quad in enumerate(upright_together(found, SIZE)):
        near = [float(np.abs(turned.corners - quad.corners).max()) for turned in turns_of(truth[place])]
        assert place == 4 or int(np.argmin(near)) % 2 == 0


def test_no_quads_no_answer() -> None:
    assert upright_together([], SIZE) == ()
