"""Squares as axes: the way there and back, the quarter turn that changes nothing, and no jump over a full turn."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.geometry import homography, transform
from vision.squares import decode_square, encode_square

Floats = npt.NDArray[np.float32]

SQUARE = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float64)

angles = st.floats(0, 2 * math.pi)


def turned(corners: npt.NDArray[np.float64], angle: float) -> npt.NDArray[np.float64]:
    """``corners`` turned clockwise by ``angle`` radians about the origin."""
    cos, sin = math.cos(angle), math.sin(angle)
    return np.asarray(corners @ np.array([[cos, sin], [-sin, cos]]))


def far_from(decoded: Floats, corners: Floats) -> float:
    """The largest distance of a corner, taking the nearest of the four ways to name them."""
    return float(min(np.abs(decoded - np.roll(corners, turn, axis=0)).max() for turn in range(4)))


@given(angles, angles, st.floats(-1, 1), st.floats(0.45, 1.0), st.floats(6, 400), st.floats(-2000, 2000))
def test_decoding_undoes_encoding_up_to_the_first_corner(
    before: float, after: float, shear: float, squeeze: float, side: float, x: float
) -> None:
    rough = turned(SQUARE, before) @ np.array([[1, 0], [shear, squeeze]])
    corners = np.asarray(turned(rough, after) * side + np.array([x, -x]), np.float32)
    decoded = decode_square(encode_square(corners))
    assert decoded.dtype == np.float32
    assert far_from(decoded, corners) < 2e-3 * side + 1e-3


@given(angles, angles, st.floats(0.6, 1.0), st.integers(1, 3))
def test_a_piece_turned_by_quarters_is_the_same_piece(
    before: float, after: float, squeeze: float, quarters: int
) -> None:
    corners = np.asarray(turned(turned(SQUARE, before) * [1, squeeze], after) * 30, np.float32)
    np.testing.assert_allclose(encode_square(np.roll(corners, quarters, axis=0)), encode_square(corners), atol=1e-3)


def test_an_eighth_turn_is_another_piece() -> None:
    upright, tilted = (np.asarray(turned(SQUARE, angle) * 30, np.float32) for angle in (0, math.pi / 4))
    assert np.abs(encode_square(upright) - encode_square(tilted)).max() > 30


@pytest.mark.parametrize("squeeze", [1.0, 0.8, 0.6])
def test_a_full_turn_under_a_slanted_camera_has_no_jump(squeeze: float) -> None:
    steps = 1440
    around = np.stack(
        [turned(SQUARE, 2 * math.pi * step / steps) * [30, 30 * squeeze] for step in range(steps + 1)]
    ).astype(np.float32)
    codes = encode_square(around)
    # The angle of p turns at four times the speed of the piece.
    assert np.abs(np.diff(codes, axis=0)).max() <= 4 * (2 * math.pi / steps) * 30 * 1.6
    np.testing.assert_allclose(codes[0], codes[-1], atol=1e-2)
    decoded = decode_square(codes)
    assert max(far_from(got, wanted) for got, wanted in zip(decoded, around, strict=True)) < 1e-2


def test_a_little_noise_moves_the_corners_a_little() -> None:
    rng = np.random.default_rng(2)
    for angle in np.linspace(0, math.pi, 37):
        corners = np.asarray(turned(turned(SQUARE, angle) * [1, 0.75], 0.4) * 20, np.float32)
        noisy = encode_square(corners) + rng.normal(0, 0.5, 6).astype(np.float32)
        assert far_from(decode_square(noisy), corners) < 4


def test_under_perspective_the_nearest_parallelogram_comes_back() -> None:
    corners = np.array([[100, 100], [140, 104], [144, 142], [96, 138]], np.float32)
    decoded = decode_square(encode_square(corners))
    np.testing.assert_allclose(decoded.mean(axis=0), corners.mean(axis=0), atol=1e-3)
    assert far_from(decoded, corners) < 3
    tilt = homography(SQUARE, np.array([[300, 200], [340, 196], [352, 236], [306, 238]], np.float64))
    assert far_from(decode_square(encode_square(transform(SQUARE, tilt))), transform(SQUARE, tilt)) < 4


@given(st.lists(st.floats(-100, 100, width=32), min_size=6, max_size=6))
def test_whatever_is_decoded_runs_clockwise(values: list[float]) -> None:
    corners = decode_square(np.array(values, np.float32)).astype(float)
    across, along = corners[1] - corners[0], corners[3] - corners[0]
    assert across[0] * along[1] - across[1] * along[0] >= -1e-2


@pytest.mark.parametrize("angle", [-0.6, -0.2, 0.0, 0.3, 0.7])
def test_the_first_corner_is_the_one_at_the_top_left(angle: float) -> None:
    corners = np.asarray(turned(SQUARE, angle) * 30, np.float32)
    np.testing.assert_allclose(decode_square(encode_square(np.roll(corners, 2, axis=0))), corners, atol=1e-2)


@pytest.mark.parametrize("shape", [(), (3,), (2, 5)])
def test_any_number_of_squares_at_once(shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(5)
    corners = (SQUARE * 30 + rng.normal(0, 2, (*shape, 4, 2))).astype(np.float32)
    before = corners.copy()
    codes = encode_square(corners)
    assert codes.shape == (*shape, 6)
    assert decode_square(codes).shape == corners.shape
    np.testing.assert_array_equal(corners, before)


def test_a_point_is_no_error() -> None:
    point = np.full((4, 2), 7, np.float32)
    np.testing.assert_allclose(decode_square(encode_square(point)), point, atol=1e-2)
