"""The nouns of vision check themselves when they are made, and cannot be changed after."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.tokens import Card
from vision.types import Deck, Detection, Doubt, Frame, Kind, Mark, Quad, QuadShapeError, Reading, VisionError

CORNERS = [(10.0, 20.0), (70.0, 20.0), (70.0, 112.0), (10.0, 112.0)]
QUAD = Quad.of(CORNERS)
CARD = Card.parse("2 red striped diamond")


def reading(confidence: float = 0.9) -> Reading:
    """A card read."""
    return Reading(QUAD, CARD, confidence, {"colour": 0.95})


@pytest.mark.parametrize("shape", [(4,), (3, 2), (4, 3), (0,), (1, 4, 2)])
def test_a_quad_has_four_corners(shape: tuple[int, ...]) -> None:
    with pytest.raises(QuadShapeError) as caught:
        Quad(np.zeros(shape, np.float32))
    assert str(shape) in str(caught.value)
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, VisionError)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_quads_corners_are_finite(bad: float) -> None:
    corners = np.array(CORNERS)
    corners[2, 1] = bad
    with pytest.raises(QuadShapeError, match="finite"):
        Quad(corners.astype(np.float32))


def test_a_quad_keeps_its_own_corners() -> None:
    corners = np.array(CORNERS, np.float32)
    quad = Quad(corners)
    corners[:] = 0
    assert quad.tolist() == [list(point) for point in CORNERS]
    with pytest.raises(ValueError, match="read-only"):
        quad.corners[0, 0] = 1
    with pytest.raises(dataclasses.FrozenInstanceError):
        quad.corners = corners  # type: ignore[misc]


def test_measures_of_a_quad() -> None:
    assert (QUAD.short_side, QUAD.long_side) == (60, 92)
    assert QUAD.area == 60 * 92
    assert Quad(QUAD.corners[::-1]).area == -60 * 92
    assert QUAD.centre.tolist() == [40, 66]
    assert QUAD.corners.dtype == np.float32


def test_corners_are_rounded_to_a_tenth() -> None:
    assert Quad.of([(0.04, 1.06), (5.55, 0), (5, 5), (0, 5)]).tolist()[0] == [0.0, 1.1]


@given(st.floats(0.1, 8))
def test_scaling_keeps_the_edges_of_pixels(factor: float) -> None:
    """The outer edge of the picture, at -0.5, stays there; sides grow by the factor."""
    edge = Quad.of([(-0.5, -0.5), (9.5, -0.5), (9.5, 9.5), (-0.5, 9.5)]).scaled(factor)
    assert np.allclose(edge.corners[0], -0.5, atol=1e-4)
    assert edge.short_side == pytest.approx(10 * factor, rel=1e-4)
    assert np.allclose(edge.scaled(1 / factor).corners, [[-0.5, -0.5], [9.5, -0.5], [9.5, 9.5], [-0.5, 9.5]], atol=1e-3)


@pytest.mark.parametrize("confidence", [-0.01, 1.01, float("nan")])
def test_a_confidence_is_a_probability(confidence: float) -> None:
    with pytest.raises(VisionError, match=r"0\.\.1"):
        reading(confidence)


def test_a_reading_names_its_piece_and_keeps_its_features() -> None:
    features = {"colour": 0.95}
    one = Reading(QUAD, CARD, 1.0, features)
    features["colour"] = 0.0
    assert one.name == "2 red striped diamond"
    assert one.features == {"colour": 0.95}
    with pytest.raises(TypeError):
        one.features["colour"] = 0.1  # type: ignore[index]
    assert one.doubt is None
    assert one.kind is Kind.CARD


def test_a_frame_is_a_collection_of_readings() -> None:
    frame = Frame((640, 480), (reading(), reading(0.5)), Deck.US, 12.5, {"load": 3.0})
    assert len(frame) == 2
    assert [one.confidence for one in frame] == [0.9, 0.5]
    assert frame.problems == ()


def test_texts_of_closed_sets_are_those_of_the_json() -> None:
    assert [str(kind) for kind in Kind] == ["card", "tile", "die"]
    assert [str(deck) for deck in Deck] == ["us", "ravensburger"]
    assert "glare" in [str(doubt) for doubt in Doubt]


def test_defaults_of_marks_and_detections() -> None:
    assert (Mark(QUAD).text, Mark(QUAD).groups, Mark(QUAD).doubtful) == ("", (), False)
    assert Detection(QUAD, 0.7).kind is Kind.CARD
