"""Quads as axes: the way there and back, the half turn that changes nothing, and no jump over a full turn."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.axes import decode_axes, encode_axes
from vision.geometry import CARD_ASPECT

Floats = npt.NDArray[np.float32]

CARD = np.array([[-1, -CARD_ASPECT], [1, -CARD_ASPECT], [1, CARD_ASPECT], [-1, CARD_ASPECT]])

shares = st.floats(-0.3, 0.3)
places = st.floats(-2000, 2000)


def turned(corners: npt.NDArray[np.float64], angle: float) -> Floats:
    """``corners`` turned clockwise by ``angle`` radians about the origin."""
    cos, sin = math.cos(angle), math.sin(angle)
    return np.asarray(corners @ np.array([[cos, sin], [-sin, cos]]), np.float32)


def far_from(decoded: Floats, corners: Floats) -> float:
    """The largest distance of a corner, taking the half turn that is nearer."""
    return float(min(np.abs(decoded - corners).max(), np.abs(decoded - np.roll(corners, 2, axis=0)).max()))


def is_convex(corners: Floats) -> bool:
    """Whether the corners run clockwise and never turn back."""
    sides = np.roll(corners, -1, axis=0) - corners
    following = np.roll(sides, -1, axis=0)
    return bool((sides[:, 0] * following[:, 1] - sides[:, 1] * following[:, 0] > 0).all())


@given(
    st.lists(shares, min_size=8, max_size=8),
    st.floats(0, 2 * math.pi),
    st.floats(6, 800),
    st.floats(0.3, 1.0),
    places,
    places,
)
def test_decoding_undoes_encoding_up_to_the_half_turn(
    noise: list[float], angle: float, side: float, squeeze: float, x: float, y: float
) -> None:
    rough = (CARD + np.array(noise).reshape(4, 2)) * [1, squeeze]
    corners = np.asarray(turned(rough, angle) * np.float32(side) + np.array([x, y]), np.float32)
    assert is_convex(corners)
    decoded = decode_axes(encode_axes(corners))
    assert decoded.dtype == np.float32
    assert far_from(decoded, corners) < 1e-3 * side + 1e-3


@given(st.floats(0, 2 * math.pi), st.lists(shares, min_size=8, max_size=8))
def test_a_piece_turned_by_half_is_the_same_piece(angle: float, noise: list[float]) -> None:
    corners = turned(CARD + np.array(noise).reshape(4, 2), angle) * np.float32(40)
    np.testing.assert_allclose(encode_axes(np.roll(corners, 2, axis=0)), encode_axes(corners), atol=1e-3)


def test_a_quarter_turn_is_another_piece() -> None:
    corners = np.asarray(CARD * 40, np.float32)
    assert np.abs(encode_axes(np.roll(corners, 1, axis=0)) - encode_axes(corners)).max() > 40


def test_a_full_turn_has_no_jump() -> None:
    steps = 720
    around = np.stack([turned(CARD * 40, 2 * math.pi * step / steps) for step in range(steps + 1)])
    codes = encode_axes(around)
    moved = np.abs(np.diff(codes, axis=0)).max()
    # The doubled angle moves at twice the speed of the longest half axis, and never faster.
    assert moved <= 2 * (2 * math.pi / steps) * 40 * CARD_ASPECT * 1.01
    np.testing.assert_allclose(codes[0], codes[-1], atol=1e-2)


def test_a_full_turn_decodes_to_a_quad_that_never_jumps_but_for_its_first_corner() -> None:
    around = np.stack([turned(CARD * 40, angle) for angle in np.linspace(0, 2 * math.pi, 721)])
    decoded = decode_axes(encode_axes(around))
    assert max(far_from(got, wanted) for got, wanted in zip(decoded, around, strict=True)) < 1e-2


@given(st.lists(st.floats(-100, 100, width=32), min_size=8, max_size=8))
def test_whatever_is_decoded_runs_clockwise_but_for_its_twist(values: list[float]) -> None:
    plain = decode_axes(np.array([*values[:6], 0, 0], np.float32)).astype(float)
    across, along = plain[1] - plain[0], plain[3] - plain[0]
    assert across[0] * along[1] - across[1] * along[0] >= -1e-2


@pytest.mark.parametrize("shape", [(), (3,), (2, 5)])
def test_any_number_of_quads_at_once(shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(5)
    corners = (CARD * 30 + rng.normal(0, 3, (*shape, 4, 2))).astype(np.float32)
    before = corners.copy()
    codes = encode_axes(corners)
    assert codes.shape == (*shape, 8)
    assert decode_axes(codes).shape == corners.shape
    np.testing.assert_array_equal(corners, before)


def test_a_point_is_no_error() -> None:
    point = np.full((4, 2), 7, np.float32)
    np.testing.assert_allclose(decode_axes(encode_axes(point)), point, atol=1e-5)
