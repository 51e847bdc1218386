"""Sides moved onto the edges that are seen, and left where none is."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.edges import refine_corners
from vision.geometry import rectify
from vision.pixels import CROP_MARGIN, CROP_SIZE
from vision.types import Image, Quad

TRUE = Quad.of([(61.3, 48.6), (158.2, 60.1), (147.9, 211.4), (52.7, 199.8)])


def table(card: int, ground: int, noise: float = 2.0) -> Image:
    """A card of one grey on a table of another, a blob of ink on it, drawn with sub-pixel corners."""
    fine = np.full((260 * 8, 220 * 8), ground, np.uint8)
    cv2.fillPoly(fine, [np.round((TRUE.corners + 0.5) * 8 - 0.5).astype(np.int32)], card)
    picture = cv2.cvtColor(cv2.resize(fine, (220, 260), interpolation=cv2.INTER_AREA), cv2.COLOR_GRAY2BGR)
    cv2.circle(picture, (105, 130), 22, (40, 40, 160), -1, cv2.LINE_AA)
    grain = np.random.default_rng(5).normal(0, noise, picture.shape)
    return np.asarray(np.clip(picture + grain, 0, 255), np.uint8)


def refined(picture: Image, quad: Quad) -> Quad:
    """The quad after its sides were moved in its own crop."""
    return refine_corners([rectify(picture, quad, CROP_SIZE, CROP_MARGIN)], [quad], CROP_MARGIN)[0]


def error(quad: Quad) -> float:
    """Mean distance of the corners from the true ones, in pixels."""
    return float(np.linalg.norm(quad.corners - TRUE.corners, axis=1).mean())


@given(st.lists(st.floats(-3, 3), min_size=8, max_size=8))
@settings(max_examples=30, deadline=None)
def test_a_few_pixels_off_becomes_less_than_one(offsets: list[float]) -> None:
    rough = Quad(TRUE.corners + np.array(offsets, np.float32).reshape(4, 2))
    assert error(refined(table(230, 40), rough)) < 0.8


@pytest.mark.parametrize(("card", "ground"), [(230, 120), (90, 20), (200, 245)])
def test_a_weak_edge_is_enough(card: int, ground: int) -> None:
    rough = Quad(TRUE.corners + np.array([[2, -1], [-2, 1], [1, 2], [-1, -2]], np.float32))
    assert error(refined(table(card, ground), rough)) < 0.8


def test_white_on_white_stays_where_it_was() -> None:
    rough = Quad(TRUE.corners + np.float32(1.5))
    np.testing.assert_array_equal(refined(table(230, 230), rough).corners, rough.corners)


def test_expected_corners_are_used_where_no_edge_is_seen() -> None:
    crop = rectify(table(230, 230), TRUE, CROP_SIZE, CROP_MARGIN)
    moved = refine_corners([crop], [TRUE], CROP_MARGIN, [[0.02, 0.0] * 4])[0]
    shift = moved.corners - TRUE.corners
    np.testing.assert_allclose(shift[0], 0.02 * (TRUE.corners[1] - TRUE.corners[0]), atol=0.05)


def test_a_hidden_side_stays_and_the_others_move() -> None:
    picture = table(230, 40)
    cv2.rectangle(picture, (110, 20), (219, 259), (230, 230, 230), -1)
    rough = Quad(TRUE.corners + np.array([[2.5, 0], [0, 0], [0, 0], [2.5, 0]], np.float32))
    got = refined(picture, rough)
    assert np.linalg.norm(got.corners[0] - TRUE.corners[0]) < 1.2
    assert np.linalg.norm(got.corners[2] - rough.corners[2]) < 2.5


def test_the_crop_stays_as_it_was() -> None:
    crop = rectify(table(230, 40), TRUE, CROP_SIZE, CROP_MARGIN)
    before = crop.copy()
    refine_corners([crop], [TRUE], CROP_MARGIN)
    np.testing.assert_array_equal(crop, before)


def test_pieces_are_refined_together_as_each_alone() -> None:
    picture = table(230, 40)
    roughs = [Quad(TRUE.corners + np.float32(off)) for off in (-1.5, 0.5, 2.0)]
    crops = [rectify(picture, quad, CROP_SIZE, CROP_MARGIN) for quad in roughs]
    together = refine_corners(crops, roughs, CROP_MARGIN)
    for rough, quad in zip(roughs, together, strict=True):
        np.testing.assert_allclose(quad.corners, refined(picture, rough).corners, atol=1e-4)


def test_no_pieces_have_no_edges() -> None:
    assert refine_corners([], [], CROP_MARGIN) == []
