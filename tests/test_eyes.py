"""Eyes: the evidence of several looks put together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

from vision.classify import FEATURES, HEADS, Evidence
from vision.eyes import CardEyes, FaceEyes, Found
from vision.reader import Reader
from vision.table import TableReader
from vision.types import Detection, Quad

HERE = Quad.of([(10, 10), (50, 10), (50, 70), (10, 70)])
THERE = Quad.of([(110, 10), (150, 10), (150, 70), (110, 70)])


@pytest.fixture(scope="module")
def eyes() -> CardEyes:
    """Eyes for cards."""
    return CardEyes(Reader.shipped())


def look(number: list[float], readable: float = 0.9) -> Evidence:
    """A look at a card that is sure of all but its number."""
    logs: dict[str, npt.NDArray[np.float32]] = {}
    for name in FEATURES:
        chances = np.full(HEADS[name], 0.01, np.float32)
        chances[0] = 1
        logs[name] = np.log(chances / chances.sum())
    logs["number"] = np.log(np.array(number, np.float32))
    crop = np.full((168, 112, 3), 200, np.uint8)
    return Evidence(Detection(HERE, 0.99), logs, dict(logs), readable, 0.01, crop)


def test_the_sum_of_looks_decides(eyes: CardEyes) -> None:
    both = eyes.together([look([0.5, 0.4, 0.1]), look([0.2, 0.7, 0.1]), look([0.5, 0.4, 0.1])], THERE)
    chances = np.exp(both.logs["number"])
    assert chances.argmax() == 1
    assert chances.sum() == pytest.approx(1, abs=1e-5)


def test_the_same_look_again_makes_nothing_surer(eyes: CardEyes) -> None:
    one = look([0.7, 0.2, 0.1])
    again = eyes.together([one] * 5, HERE)
    assert np.allclose(again.logs["number"], one.logs["number"], atol=1e-5)


def test_a_look_with_glare_counts_little(eyes: CardEyes) -> None:
    good, glare = look([0.9, 0.05, 0.05]), look([1e-4, 0.9998, 1e-4], readable=0.02)
    assert eyes.together([good, glare], HERE).logs["number"].argmax() == 0
    assert eyes.together([good, replace(glare, readable=0.9)], HERE).logs["number"].argmax() == 1


def test_looks_together_lie_where_the_piece_lies_now(eyes: CardEyes) -> None:
    assert eyes.quad(eyes.together([look([0.9, 0.05, 0.05])], THERE)) is THERE


@pytest.mark.parametrize("kind", ["cards", "faces"])
def test_an_empty_table_has_no_names(eyes: CardEyes, kind: str) -> None:
    image = np.full((360, 640, 3), (70, 95, 60), np.uint8)
    if kind == "cards":
        found: Found = eyes.find(image)
        assert eyes.look(found, found.detections) == []
        assert eyes.name(found, []).readings == ()
        return
    faces = FaceEyes(TableReader.shipped())
    found = faces.find(image)
    assert found.sight is not None
    assert faces.name(found, faces.look(found, found.detections)).readings == ()
