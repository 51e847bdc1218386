"""The face reader's pipeline with a made-up network: looks, corners, quarter turns."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
import pytest

from engine.tokens import Colour, Shape
from vision.faces import CLASSES, HEADS, FaceConfig, FaceReader
from vision.geometry import rectify
from vision.pixels import FACE_MARGIN, FACE_SIZE, reader_input
from vision.types import Image, Quad

Floats = npt.NDArray[np.float32]
AT = dict(zip(HEADS, np.cumsum([0, *HEADS.values()]).tolist(), strict=False))
PICTURE = np.random.default_rng(4).integers(0, 256, (300, 400, 3), np.uint8)
QUAD = Quad.of([(100, 100), (160, 100), (160, 160), (100, 160)])


def answer(what: str = "symbols", corners: Sequence[float] = (0,) * 8, sure: float = 12.0, **classes: str) -> Floats:
    """Outputs that say this, with ``sure`` as the logit of what they say."""
    outputs = np.zeros(sum(HEADS.values()), np.float32)
    said = {"what": what, "number": "1", "colour": "red", "shape": "oval", "digit": "0", "turn": "0", **classes}
    for name, value in said.items():
        outputs[AT[name] + CLASSES[name].index(value)] = sure
    outputs[AT["raised"]] = 5.0
    outputs[AT["embedding"] : AT["embedding"] + 2] = [3, 4]
    outputs[AT["corners"] :] = corners
    return outputs


class FakeModel:
    """Answers each crop by a function of the number of the call and of the crop in it."""

    config: dict[str, object]

    def __init__(self, say: Callable[[int, int], Floats]) -> None:
        """``say`` returns the outputs for (call, crop)."""
        self.say, self.config = say, {}
        self.seen: list[Floats] = []

    def run(self, pixels: Floats) -> Floats:
        """Remember the input, return the answers."""
        self.seen.append(pixels)
        return np.stack([self.say(len(self.seen) - 1, crop) for crop in range(len(pixels))])


def reader(say: Callable[[int, int], Floats], config: FaceConfig | None = None) -> tuple[FaceReader, FakeModel]:
    """A face reader on a fake network."""
    model = FakeModel(say)
    return FaceReader(model, config), model  # type: ignore[arg-type]


def test_classes_are_in_the_order_of_the_engine() -> None:
    assert CLASSES["colour"] == tuple(str(colour.name).lower() for colour in Colour)
    assert CLASSES["shape"] == tuple(str(shape.name).lower() for shape in Shape if shape is not Shape.RECTANGLE)
    assert sum(HEADS.values()) == 69


def test_a_sure_face_in_place_is_read_once_from_its_own_crop() -> None:
    faces, model = reader(lambda *_: answer(number="3", colour="purple", shape="squiggle"))
    (evidence,) = faces.read(PICTURE, [QUAD])
    assert len(model.seen) == 1
    np.testing.assert_array_equal(
        model.seen[0], reader_input([rectify(PICTURE, QUAD, FACE_SIZE, FACE_MARGIN)], FACE_SIZE)
    )
    assert {name: classes[int(evidence.logs[name].argmax())] for name, classes in CLASSES.items()} == {
        "what": "symbols",
        "number": "3",
        "colour": "purple",
        "shape": "squiggle",
        "digit": "0",
        "turn": "0",
    }
    for name, width in HEADS.items():
        if name in CLASSES:
            assert evidence.logs[name].shape == (width,)
            assert np.exp(evidence.logs[name]).sum() == pytest.approx(1, abs=1e-5)
    assert evidence.raised > 0.99
    np.testing.assert_allclose(evidence.embedding[:3], [0.6, 0.8, 0], atol=1e-6)
    np.testing.assert_allclose(evidence.quad.corners, QUAD.corners, atol=1e-3)
    assert evidence.crop.shape == (*FACE_SIZE, 3)


def test_a_face_far_off_is_cut_again_where_it_is() -> None:
    off = [0.2, 0.1] * 4
    faces, model = reader(lambda call, _: answer(corners=off if call == 0 else [0.02, 0] * 4))
    (evidence,) = faces.read(PICTURE, [QUAD])
    moved = Quad(QUAD.corners + np.array([12, 6], np.float32))
    assert len(model.seen) == 2
    again = reader_input([rectify(PICTURE, moved, FACE_SIZE, FACE_MARGIN)], FACE_SIZE)
    assert np.abs(model.seen[1] - again).max() <= 2
    np.testing.assert_allclose(evidence.quad.corners, moved.corners + np.array([1.2, 0]), atol=1e-2)


@pytest.mark.parametrize("what", ["blank", "other"])
def test_corners_stay_where_nothing_tells_where_they_are(what: str) -> None:
    faces, model = reader(lambda *_: answer(what, corners=[0.3] * 8))
    (evidence,) = faces.read(PICTURE, [QUAD])
    assert len(model.seen) == 1
    np.testing.assert_array_equal(evidence.quad.corners, QUAD.corners)


def test_corners_that_would_fold_the_face_are_not_believed() -> None:
    folded = [1.2, 1.2, 0, 0, -1.2, -1.2, 0, 0]
    faces, _ = reader(lambda *_: answer(corners=folded))
    np.testing.assert_array_equal(faces.read(PICTURE, [QUAD])[0].quad.corners, QUAD.corners)


def test_an_unsure_face_is_looked_at_turned_by_a_quarter() -> None:
    def say(call: int, _: int) -> Floats:
        shift = [0.0] * 8
        shift[(2 if call == 0 else 0)] = 0.05 if call == 0 else 0.0
        if call == 1:
            # The second corner is the first of the turned crop, and its x runs down the picture's y.
            shift = [0.0, -0.05] + [0.0] * 6
        return answer("number", sure=1.0, digit="7", turn="2" if call == 0 else "1", corners=shift)

    faces, model = reader(say)
    (evidence,) = faces.read(PICTURE, [QUAD])
    assert len(model.seen) == 2
    turned = np.rot90(rectify(PICTURE, QUAD, FACE_SIZE, FACE_MARGIN))
    np.testing.assert_array_equal(model.seen[1], reader_input([np.ascontiguousarray(turned)], FACE_SIZE))
    # Both looks mean the same turn and the same corner, so together they say what each says alone.
    np.testing.assert_allclose(np.exp(evidence.logs["turn"]), np.exp([0, 0, 1, 0]) / np.exp([0, 0, 1, 0]).sum(), 1e-4)
    wanted = QUAD.corners + np.array([[0, 0], [3, 0], [0, 0], [0, 0]])
    np.testing.assert_allclose(evidence.quad.corners, wanted, atol=1e-2)


def test_the_turned_crop_begins_with_the_second_corner() -> None:
    faces, model = reader(lambda *_: answer(sure=0.1))
    faces.read(PICTURE, [QUAD])
    rolled = Quad(np.roll(QUAD.corners, -1, axis=0))
    wanted = reader_input([rectify(PICTURE, rolled, FACE_SIZE, FACE_MARGIN)], FACE_SIZE)
    assert np.abs(model.seen[1] - wanted).max() <= 2


def test_only_what_is_needed_is_looked_at_again() -> None:
    def say(call: int, crop: int) -> Floats:
        return answer(corners=[0.2] * 8 if call == 0 and crop == 1 else [0] * 8, sure=1.0 if crop == 2 else 12.0)

    faces, model = reader(say)
    found = faces.read(PICTURE, [QUAD, QUAD, QUAD])
    assert [len(pixels) for pixels in model.seen] == [3, 1, 1]
    assert len(found) == 3


def test_many_crops_go_in_batches_and_none_goes_nowhere() -> None:
    faces, model = reader(lambda *_: answer(), FaceConfig(batch=4))
    assert len(faces.read(PICTURE, [QUAD] * 9)) == 9
    assert [len(pixels) for pixels in model.seen] == [4, 4, 1]
    assert faces.read(PICTURE, []) == []


def test_an_embedding_of_nothing_is_no_error() -> None:
    nothing = answer()
    nothing[AT["embedding"] : AT["embedding"] + 32] = 0
    faces, _ = reader(lambda *_: nothing)
    assert np.isfinite(faces.read(PICTURE, [QUAD])[0].embedding).all()


def test_the_picture_is_left_alone() -> None:
    picture: Image = PICTURE.copy()
    faces, _ = reader(lambda *_: answer(sure=0.1, corners=[0.2] * 8))
    faces.read(picture, [QUAD])
    np.testing.assert_array_equal(picture, PICTURE)
