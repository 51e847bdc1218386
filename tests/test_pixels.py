"""How pixels are prepared: sizes, dtypes, where things land, and white paper under any cast."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.pixels import (
    CROP_MARGIN,
    CROP_SIZE,
    Halves,
    balance,
    card_crop,
    reader_input,
    resize_for_segmenter,
    segmenter_input,
)
from vision.types import Image, Quad

WIDTH, HEIGHT = CROP_SIZE
INNER = np.array(CROP_SIZE) / (1 + 2 * CROP_MARGIN)
MARKS = {(0.1, 0.1): (0, 0, 255), (0.9, 0.1): (0, 255, 0), (0.9, 0.9): (255, 0, 0), (0.1, 0.9): (0, 255, 255)}
"""Place in shares of the piece's sides -> BGR of the dot there."""


def noise(width: int, height: int) -> Image:
    """A picture of nothing."""
    return np.random.default_rng(1).integers(0, 256, (height, width, 3), np.uint8)


def within(quad: Quad, x: float, y: float) -> npt.NDArray[np.float64]:
    """The pixel at (x, y) shares of the sides of a parallelogram."""
    c = quad.corners.astype(float)
    return np.asarray(c[0] + (c[1] - c[0]) * x + (c[3] - c[0]) * y)


def marked(quad: Quad, side: int) -> Image:
    """A white parallelogram on grey, with a coloured dot near each corner."""
    picture = np.full((side, side, 3), 90, np.uint8)
    cv2.fillConvexPoly(picture, np.round(quad.corners * 16).astype(np.int32), (255, 255, 255), cv2.LINE_AA, 4)
    radius = round(quad.short_side * 0.05)
    for (x, y), colour in MARKS.items():
        centre = np.round(within(quad, x, y)).astype(int)
        cv2.circle(picture, (int(centre[0]), int(centre[1])), radius, colour, -1, cv2.LINE_AA)
    return np.asarray(picture, np.uint8)


def tilted(centre: float, side: float, angle: float) -> Quad:
    """A card-shaped rectangle turned clockwise by ``angle`` degrees."""
    half = np.array([[-0.5, -0.77], [0.5, -0.77], [0.5, 0.77], [-0.5, 0.77]]) * side
    cos, sin = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    return Quad((half @ np.array([[cos, sin], [-sin, cos]]) + centre).astype(np.float32))


def middle_of(crop: Image, colour: tuple[int, int, int]) -> npt.NDArray[np.float64]:
    """(x, y) centre of what is nearly ``colour``."""
    near = np.abs(crop.astype(int) - colour).max(axis=2) < 70
    rows, columns = np.nonzero(near)
    assert len(rows), f"no {colour} in the crop"
    return np.array([columns.mean(), rows.mean()])


@pytest.mark.parametrize("angle", [0, 20, 90, 135, 180, 300])
@pytest.mark.parametrize("side", [90.0, 260.0])
def test_a_crop_shows_every_corner_where_it_should_be(angle: float, side: float) -> None:
    quad = tilted(300, side, angle)
    crop = card_crop(marked(quad, 600), quad)
    assert crop.shape == (HEIGHT, WIDTH, 3)
    assert crop.dtype == np.uint8
    for share, colour in MARKS.items():
        expected = (np.array(share) + CROP_MARGIN) * INNER - 0.5
        assert np.abs(middle_of(crop, colour) - expected).max() < 1.5


def test_a_crop_keeps_a_margin_of_the_table() -> None:
    quad = tilted(300, 200, 33)
    crop = card_crop(marked(quad, 600), quad).astype(int)
    left, top = (CROP_MARGIN * INNER).round().astype(int)
    table = [crop[: top - 2], crop[HEIGHT - top + 2 :], crop[:, : left - 2], crop[:, WIDTH - left + 2 :]]
    assert all(np.abs(part - 90).max() <= 2 for part in table)
    assert (crop[top + 3, WIDTH // 2] > 250).all()
    assert (crop[HEIGHT // 2, left + 3] > 250).all()


@given(st.integers(1, 300), st.integers(1, 300), st.integers(32, 320))
def test_the_segmenter_sees_multiples_of_32(width: int, height: int, longer: int) -> None:
    resized = resize_for_segmenter(np.zeros((height, width, 3), np.uint8), longer)
    rows, columns = resized.image.shape[:2]
    assert rows % 32 == columns % 32 == 0
    assert resized.scale == longer / max(width, height)
    assert 0 <= columns - max(1, round(width * resized.scale)) < 32
    assert 0 <= rows - max(1, round(height * resized.scale)) < 32


def test_padding_is_grey_and_to_the_right_and_the_bottom() -> None:
    resized = resize_for_segmenter(np.full((50, 100, 3), 200, np.uint8), 100)
    assert resized.image.shape == (64, 128, 3)
    assert (resized.image[:50, :100] == 200).all()
    assert (resized.image[50:] == 114).all()
    assert (resized.image[:, 100:] == 114).all()


@pytest.mark.parametrize("longer", [160, 640, 1600])
def test_a_dot_lands_at_its_scaled_place(longer: int) -> None:
    picture = np.zeros((600, 800, 3), np.uint8)
    cv2.circle(picture, (500, 200), 20, (255, 255, 255), -1)
    resized = resize_for_segmenter(picture, longer)
    expected = (np.array([500, 200]) + 0.5) * resized.scale - 0.5
    assert np.abs(middle_of(resized.image[: round(600 * resized.scale)], (255, 255, 255)) - expected).max() < 0.6


def test_the_segmenters_input_is_planes_of_bgr() -> None:
    picture = noise(64, 32)
    pixels = segmenter_input(picture)
    assert pixels.shape == (1, 3, 32, 64)
    assert pixels.dtype == np.float32
    assert pixels.flags.c_contiguous
    np.testing.assert_array_equal(pixels[0, 1], picture[..., 1])


def card(cast: tuple[float, float, float], ink: tuple[int, int, int] = (60, 40, 200)) -> Image:
    """A crop with three bars of ink on paper, under a cast (factors of BGR)."""
    crop = np.full((HEIGHT, WIDTH, 3), 230, np.uint8)
    for top in (40, 80, 120):
        crop[top : top + 16, 30:82] = ink
    return np.asarray(crop * np.array(cast), np.float64).astype(np.uint8)


@pytest.mark.parametrize(
    "cast",
    [(1, 1, 1), (0.55, 0.8, 1.0), (1.0, 0.9, 0.7), (0.9, 0.75, 1.0), (0.25, 0.3, 0.35)],
    ids=["none", "warm", "blue", "pink", "dark"],
)
def test_paper_is_white_under_every_cast(cast: tuple[float, float, float]) -> None:
    balanced = balance(card(cast))
    assert balanced.shape == (HEIGHT, WIDTH, 3)
    assert balanced.dtype == np.float32
    paper = balanced[20:36, 30:82].reshape(-1, 3).mean(axis=0)
    assert np.ptp(paper) < 3
    assert np.abs(paper - 225).max() < 4


def test_the_same_ink_looks_the_same_under_every_cast() -> None:
    plain = balance(card((1, 1, 1)))[88, 56]
    for cast in [(0.55, 0.8, 1.0), (1.0, 0.9, 0.7), (0.5, 0.5, 0.5)]:
        assert np.abs(balance(card(cast))[88, 56] - plain).max() < 6


def test_balance_has_its_limits() -> None:
    black = balance(np.zeros((HEIGHT, WIDTH, 3), np.uint8))
    assert (black == 0).all()
    faint = balance(np.full((HEIGHT, WIDTH, 3), 4, np.uint8))
    assert faint.max() <= 24
    assert balance(noise(*CROP_SIZE)).max() <= 255


@pytest.mark.parametrize("level", [0, 255], ids=["dark", "brighter than the card"])
def test_the_table_round_a_card_does_not_change_its_white(level: int) -> None:
    left, top = (int(side) for side in np.round(CROP_MARGIN * INNER))
    crop = np.full((HEIGHT, WIDTH, 3), level, np.uint8)
    crop[top : HEIGHT - top, left : WIDTH - left] = card((0.7, 0.75, 0.8))[top : HEIGHT - top, left : WIDTH - left]
    np.testing.assert_array_equal(balance(crop)[80:90, 40:60], balance(card((0.7, 0.75, 0.8)))[80:90, 40:60])


def test_symbols_that_cover_nearly_half_of_a_card_do_not_change_its_white() -> None:
    crop = np.full((HEIGHT, WIDTH, 3), 180, np.uint8)
    for top in (24, 72, 120):
        crop[top : top + 24, 10 : WIDTH - 10] = (60, 40, 150)
    assert np.abs(balance(crop)[60, 50] - 225).max() < 2


def test_the_readers_input_is_balanced_planes() -> None:
    crops = [card((1, 1, 1)), card((0.5, 0.8, 1.0))]
    pixels = reader_input(crops)
    assert pixels.shape == (2, 3, HEIGHT, WIDTH)
    assert pixels.dtype == np.float32
    assert pixels.flags.c_contiguous
    np.testing.assert_array_equal(pixels[1, 2], balance(crops[1])[..., 2])


def test_no_crops_are_an_empty_batch() -> None:
    empty = reader_input([])
    assert empty.shape == (0, 3, HEIGHT, WIDTH)
    assert empty.dtype == np.float32


def test_the_callers_arrays_stay_as_they_were() -> None:
    picture, crop = noise(200, 300), noise(*CROP_SIZE)
    kept = picture.copy(), crop.copy()
    resized = resize_for_segmenter(picture, 300)
    resized.image[:] = 0
    segmenter_input(picture)[:] = 0
    card_crop(picture, tilted(100, 60, 10))[:] = 0
    balance(crop)[:] = 0
    reader_input([crop])[:] = 0
    np.testing.assert_array_equal(picture, kept[0])
    np.testing.assert_array_equal(crop, kept[1])


def test_a_large_piece_is_cut_from_a_half_of_the_picture_and_looks_the_same() -> None:
    rng = np.random.default_rng(7)
    coarse = rng.integers(40, 220, (30, 40, 3)).astype(np.uint8)
    image = np.asarray(cv2.resize(coarse, (1600, 1200), interpolation=cv2.INTER_CUBIC), np.uint8)
    for quad in (
        Quad.of([(200, 150), (700, 180), (680, 960), (190, 930)]),
        Quad.of([(900, 300), (1010, 310), (1000, 480), (893, 470)]),
        Quad.of([(-40, 20), (380, 10), (400, 640), (-30, 660)]),
    ):
        difference = np.abs(Halves(image).crops([quad])[0].astype(int) - card_crop(image, quad))
        assert difference.mean() < 1.5
        assert difference.max() < 25


def test_halves_leave_the_picture_alone() -> None:
    image = np.random.default_rng(1).integers(0, 255, (600, 800, 3)).astype(np.uint8)
    before = image.copy()
    Halves(image).crops([Quad.of([(50, 20), (550, 20), (550, 590), (50, 590)])])
    np.testing.assert_array_equal(image, before)
