"""One photo all the way: stages and milliseconds, quads of the whole picture, and the shipped models on a scene."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from datasets.scene import SceneSettings, render_scene
from tests.fakes import encoded
from tests.test_segment import perfect_maps, piece
from vision.classify import HEADS, Classifier
from vision.decode import DecodeConfig
from vision.load import Limits, LoadError
from vision.model import Model, ModelFileError, shipped_folder
from vision.reader import Reader
from vision.segment import Segmenter
from vision.types import Frame, Image, Quad

Floats = npt.NDArray[np.float32]

STAGES = ["load", "segment", "classify", "decode"]
LONGER = 320
EASY_SEED, EASY = 109, SceneSettings(sizes=(960,), kinds=(1.0, 0.0, 0.0), ravensburger_share=0.0)


class FakeFinder:
    """A segmenter's network that sees cards at ``places`` (x, y, short side) of its input, surest on the left."""

    def __init__(self, places: Sequence[tuple[float, float, float]]) -> None:
        self.things = [piece(x, y, side) for x, y, side in places]
        self.config: dict[str, object] = {"longer": LONGER, "small": 0.0}

    def run(self, inputs: Floats) -> Floats:
        """Return (1, 13, rows, columns) maps."""
        maps = perfect_maps(self.things, (inputs.shape[3], inputs.shape[2]))
        maps[1] = np.minimum(maps[1], np.linspace(4, -1, maps.shape[2], dtype=np.float32))
        return maps[None]


class FakeNames:
    """A network that names its crops 1, 2, 3 red solid oval in turn; at its first look it moves their corners."""

    def __init__(self, shifts: Sequence[tuple[float, float]] = (), **config: object) -> None:
        self.shifts, self.config = shifts, config

    def run(self, inputs: Floats) -> Floats:
        """Return (n, 24) outputs."""
        parts = {name: np.full((len(inputs), width), -9, np.float32) for name, width in HEADS.items()}
        for number, name in enumerate(("number", "colour", "shading", "shape")):
            parts[name][np.arange(len(inputs)), np.arange(len(inputs)) % 3 if number == 0 else 0] = 9
        parts["readable"][:] = 9
        parts["corners"][:] = np.tile(self.shifts, 4) if self.shifts else 0
        self.shifts = ()
        return np.concatenate(list(parts.values()), axis=1)


PLACES = [(60.0, 80.0, 50.0), (160.0, 80.0, 50.0), (260.0, 80.0, 50.0)]


def fake_reader(
    places: Sequence[tuple[float, float, float]] = PLACES,
    names: FakeNames | None = None,
    config: DecodeConfig | None = None,
) -> Reader:
    """A reader with two networks that see ``places``."""
    finder, namer = FakeFinder(places), names or FakeNames()
    return Reader(Segmenter(finder), Classifier(namer), config)  # type: ignore[arg-type]


def picture(width: int, height: int) -> Image:
    """A grey picture with a card at each of PLACES, whatever its size."""
    out = np.full((height, width, 3), 80, np.uint8)
    for x, y, side in PLACES:
        corners = Quad(piece(x, y, side).corners).scaled(width / LONGER).corners
        cv2.fillConvexPoly(out, np.round(corners).astype(np.int32), (235, 235, 235))
    return np.asarray(out, np.uint8)


def assert_places(frame: Frame, scale: float) -> None:
    """The quads are those of PLACES, ``scale`` times as large."""
    for reading, (x, y, side) in zip(frame.readings, PLACES, strict=True):
        wanted = Quad(piece(x, y, side).corners).scaled(scale).corners
        got = min(
            (reading.quad.corners, np.roll(reading.quad.corners, 2, axis=0)), key=lambda c: np.abs(c - wanted).max()
        )
        assert np.abs(got - wanted).max() < scale


def test_a_photo_is_read_in_four_timed_stages() -> None:
    frame = fake_reader().read(encoded(picture(640, 320), ".png"))
    assert frame.size == (640, 320)
    assert [reading.name for reading in frame] == [f"{n} red solid oval" for n in (1, 2, 3)]
    assert list(frame.stages) == STAGES
    assert all(ms >= 0 for ms in frame.stages.values())
    assert frame.ms == pytest.approx(sum(frame.stages.values()), abs=0.01)
    assert frame.warnings == ()
    assert_places(frame, 2.0)


def test_an_image_is_read_as_its_file_is() -> None:
    reader, image = fake_reader(), picture(640, 320)
    before = image.copy()
    frame, from_file = reader.read_image(image), reader.read(encoded(image, ".png"))
    assert list(frame.stages) == STAGES
    assert frame.size == from_file.size
    assert [reading.name for reading in frame] == [reading.name for reading in from_file]
    for one, other in zip(frame, from_file, strict=True):
        np.testing.assert_array_equal(one.quad.corners, other.quad.corners)
    np.testing.assert_array_equal(image, before)


def test_quads_of_a_picture_loaded_at_half_size_are_those_of_the_whole() -> None:
    frame = fake_reader().read(encoded(picture(3200, 1600)))
    assert frame.size == (3200, 1600)
    assert_places(frame, 10.0)


def test_nothing_found_is_a_frame_without_readings() -> None:
    frame = fake_reader([]).read(encoded(picture(640, 320)))
    assert len(frame) == 0
    assert frame.deck is None
    assert frame.problems == ()
    assert list(frame.stages) == STAGES


def test_detections_that_the_reader_moves_onto_each_other_are_one_piece() -> None:
    apart = [(120.0, 80.0, 40.0), (150.0, 80.0, 40.0)]
    assert len(fake_reader(apart).read_image(picture(320, 160))) == 2

    together = FakeNames([(0.37, 0), (-0.37, 0)])
    assert len(fake_reader(apart, together).read_image(picture(320, 160))) == 1


def test_corrected_corners_are_those_of_the_frame() -> None:
    frame = fake_reader(names=FakeNames([(0.1, 0.1)] * 3)).read_image(picture(320, 160))
    for reading, (x, y, side) in zip(frame, PLACES, strict=True):
        assert np.abs(reading.quad.centre - (x, y) - np.array([0.1, 0.154]) * side).max() < 0.5


def test_the_warnings_of_loading_are_kept() -> None:
    data = encoded(np.random.default_rng(1).integers(0, 256, (320, 640, 3), np.uint8))
    frame = fake_reader().read(data[: len(data) * 2 // 3])
    assert len(frame.warnings) == 1
    assert "cut short" in frame.warnings[0]


def test_what_is_no_picture_is_refused_and_limits_hold() -> None:
    with pytest.raises(LoadError):
        fake_reader().read(b"no picture")
    with pytest.raises(LoadError):
        fake_reader().read(encoded(picture(640, 320)), Limits(max_pixels=1000))


def test_the_numbers_beside_the_reader_count_unless_others_are_given() -> None:
    assert fake_reader(names=FakeNames(doubt=0.123, heads={})).config == DecodeConfig(doubt=0.123)
    chosen = DecodeConfig(doubt=0.5)
    assert fake_reader(names=FakeNames(doubt=0.123), config=chosen).config is chosen


def test_the_config_of_the_decoding_counts() -> None:
    frame = fake_reader(config=DecodeConfig(doubt=1.1)).read_image(picture(320, 160))
    assert all(reading.doubt is not None for reading in frame)


# The files of a model


def test_a_model_folder_must_be_complete(tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match=r"model\.onnx"):
        Model.open(tmp_path)
    for name in ("model.onnx", "config.json"):
        (tmp_path / name).write_text("{}")
    with pytest.raises(ModelFileError, match="SHA256"):
        Model.open(tmp_path)
    (tmp_path / "SHA256").write_text("0000  model.onnx")
    with pytest.raises(ModelFileError, match="checksum"):
        Model.open(tmp_path)
    assert issubclass(ModelFileError, FileNotFoundError)


@pytest.fixture(scope="module")
def shipped() -> Reader:
    """The reader with the models that come with the package."""
    if not all((shipped_folder(name) / "model.onnx").is_file() for name in ("segmenter", "reader")):
        pytest.skip("the folders models/segmenter and models/reader are not there yet")
    return Reader.shipped()


def test_an_easy_scene_is_found_and_named(shipped: Reader) -> None:
    scene = render_scene(EASY_SEED, EASY)
    frame = shipped.read_image(scene.image)
    assert scene.layout == "grid", "the renderer has changed: choose another easy scene"
    assert all(thing.visible > 0.9 and thing.kind == "card" for thing in scene.things)
    wanted = {thing.name: thing.corners.mean(axis=0) for thing in scene.things}
    reach = min(Quad(thing.corners).short_side for thing in scene.things) / 2
    near = [r for r in frame if any(np.hypot(*(r.quad.centre - place)) < reach for place in wanted.values())]
    right = [r for r in frame if r.name in wanted and np.hypot(*(r.quad.centre - wanted[r.name])) < reach]
    assert len(near) >= 0.9 * len(wanted)
    assert len(frame) <= len(wanted) + 1
    assert len(right) >= 0.8 * len(wanted)


def test_reading_twice_gives_the_same(shipped: Reader) -> None:
    image = render_scene(EASY_SEED, EASY).image
    one, other = shipped.read_image(image), shipped.read_image(image)
    assert [(r.name, r.confidence) for r in one] == [(r.name, r.confidence) for r in other]


def test_an_empty_table_holds_no_pieces(shipped: Reader) -> None:
    noise = np.random.default_rng(1).normal(0, 4, (480, 640, 1))
    assert len(shipped.read_image(np.clip(noise + (60, 90, 70), 0, 255).astype(np.uint8))) == 0


def test_both_models_together_are_small() -> None:
    files = [shipped_folder(name) / "model.onnx" for name in ("segmenter", "reader")]
    if not all(file.is_file() for file in files):
        pytest.skip("the folders models/segmenter and models/reader are not there yet")
    assert sum(file.stat().st_size for file in files) <= 8_000_000
