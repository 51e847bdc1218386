"""Both trainings on a handful of scenes: the loss falls, and torch, ONNX and the pipeline agree on what was learned."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest

pytest.importorskip("torch", reason="training needs torch: make test-train")
pytest.importorskip("onnx", reason="the export needs onnx: make test-train")

import onnxruntime
import torch
from torch import nn
from torch.utils.data import default_collate

from datasets.render import render_folder
from datasets.scene import SceneSettings
from datasets.things import Thing
from models.training import export as exporting
from models.training import train_reader, train_segmenter
from models.training.augment import recolour, turn_and_tilt
from models.training.export import export
from models.training.mine import mine, misses
from models.training.patches import (
    LABELS,
    PATCH_MARGIN,
    PATCH_SIZE,
    Patches,
    cut_patches,
    label_of,
    save_patches,
    write_patches,
)
from models.training.photos import Photo, read_photos
from models.training.quantise import quantise
from models.training.reader import CardReader
from models.training.segmenter import CHANNELS
from models.training.segmenter import Segmenter as Network
from models.training.shake import degrade, shake
from models.training.train_reader import ReaderRun, ReaderSamples
from models.training.train_segmenter import SegmenterRun, SegmenterSamples
from vision.classify import HEADS, Classifier, shifted
from vision.geometry import rectify
from vision.model import Model, ModelFileError
from vision.pixels import CROP_MARGIN, CROP_SIZE, STRIDE, card_crop, reader_input, resize_for_segmenter, segmenter_input
from vision.segment import Segmenter
from vision.types import Detection, Image, Quad

Floats = npt.NDArray[np.float32]

TINY_SEGMENTER = SegmenterRun(steps=30, batch=2, side=128, longest=(150.0, 260.0), workers=0)
TINY_READER = ReaderRun(steps=30, batch=8, workers=0)


@dataclass(frozen=True)
class Trained:
    """What a tiny training left behind: ``folder`` as it ships, ``exact`` with its weights as they were learned."""

    network: nn.Module
    checkpoint: Path
    folder: Path
    exact: Path


@pytest.fixture(scope="module", autouse=True)
def few_threads() -> Iterator[None]:
    """One thread: several of them wait for each other when the cores are busy."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> list[Photo]:
    """Four rendered scenes of cards."""
    settings = SceneSettings(sizes=(320,), kinds=(1.0, 0.0, 0.0))
    return read_photos(render_folder(tmp_path_factory.mktemp("scenes"), 4, 5, settings))


@pytest.fixture(scope="module")
def patches(photos: list[Photo], tmp_path_factory: pytest.TempPathFactory) -> Patches:
    """All pieces of the scenes, cut out."""
    folder = tmp_path_factory.mktemp("patches")
    number = write_patches(photos, folder, 1, 1)
    store = Patches.read(folder)
    assert len(store.images) == len(store.labels) == number
    return store


def written(name: str, network: nn.Module, checkpoint: Path, photos: list[Photo]) -> Trained:
    """Export a checkpoint, as it ships and without rounding its weights."""
    folder, exact = checkpoint.parent / "model", checkpoint.parent / "exact"
    for place in (folder, exact):
        export(name, checkpoint, place)
    quantise(name, folder, photos)
    return Trained(network.eval(), checkpoint, folder, exact)


@pytest.fixture(scope="module")
def segmenter(photos: list[Photo], tmp_path_factory: pytest.TempPathFactory) -> Trained:
    """A segmenter after a few steps."""
    folder = tmp_path_factory.mktemp("segmenter")
    network = train_segmenter.train(photos, [], TINY_SEGMENTER, folder / "run.pt")
    return written("segmenter", network, folder / "run.pt", photos)


@pytest.fixture(scope="module")
def reader(photos: list[Photo], patches: Patches, tmp_path_factory: pytest.TempPathFactory) -> Trained:
    """A reader after a few steps."""
    folder = tmp_path_factory.mktemp("reader")
    network = train_reader.train([patches], TINY_READER, folder / "run.pt")
    return written("reader", network, folder / "run.pt", photos)


def noise(width: int, height: int, seed: int = 1) -> Image:
    """A picture of soft blobs."""
    small = np.random.default_rng(seed).integers(0, 256, (9, 9, 3), np.uint8)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC), np.uint8)


# Trainings


def losses(
    networks: Sequence[nn.Module], pixels: torch.Tensor, loss_of: Callable[[torch.Tensor], float]
) -> list[float]:
    """The loss of each network, normalised by the batch: the running averages of so few steps say nothing yet."""
    with torch.no_grad():
        return [loss_of(copy.deepcopy(network).train()(pixels)) for network in networks]


def test_the_segmenter_learns(photos: list[Photo], segmenter: Trained) -> None:
    samples = SegmenterSamples(photos, [], TINY_SEGMENTER)
    batch = default_collate([samples[index] for index in range(8)])
    torch.manual_seed(TINY_SEGMENTER.seed)
    before, after = losses(
        [Network(), segmenter.network],
        batch["pixels"].float(),
        lambda maps: float(train_segmenter.loss_of(maps, batch)[0]),
    )
    assert np.isfinite([before, after]).all()
    assert after < 0.95 * before


def test_the_reader_learns(patches: Patches, reader: Trained) -> None:
    samples = ReaderSamples([patches], TINY_READER)
    batch = default_collate([samples[index] for index in range(32)])
    torch.manual_seed(TINY_READER.seed)
    before, after = losses(
        [CardReader(), reader.network],
        batch["pixels"],
        lambda outputs: float(train_reader.loss_of(outputs, batch, 0)[0]),
    )
    assert np.isfinite([before, after]).all()
    assert after < 0.95 * before


@pytest.mark.parametrize("which", ["segmenter", "reader"])
def test_a_checkpoint_holds_the_weights_and_the_run(which: str, request: pytest.FixtureRequest) -> None:
    trained: Trained = request.getfixturevalue(which)
    saved = torch.load(trained.checkpoint, weights_only=True)
    run = TINY_SEGMENTER if which == "segmenter" else TINY_READER
    assert saved["step"] == run.steps
    assert json.loads(saved["run"])["seed"] == run.seed
    for name, value in trained.network.state_dict().items():
        assert torch.equal(saved["weights"][name], value)


def test_a_training_goes_on_from_a_checkpoint(patches: Patches, reader: Trained, tmp_path: Path) -> None:
    still = ReaderRun(steps=1, batch=2, rate=1e-12, workers=0)
    network = train_reader.train([patches], still, tmp_path / "next.pt", reader.checkpoint)
    for one, other in zip(network.parameters(), reader.network.parameters(), strict=True):
        torch.testing.assert_close(one, other, atol=1e-6, rtol=0)


def test_the_command_lines_pass_on_what_they_are_told(
    monkeypatch: pytest.MonkeyPatch, photos: list[Photo], tmp_path: Path
) -> None:
    calls: list[tuple[object, ...]] = []
    for module in (train_segmenter, train_reader):
        monkeypatch.setattr(module, "train", lambda *arguments: calls.append(arguments))
    labels = str(photos[0].path.parent / "labels.jsonl")
    numbers = ["--out", str(tmp_path / "runs" / "a.pt"), "--steps", "7", "--seed", "3", "--rate", "0.5"]
    assert train_segmenter.main(["--scenes", labels, *numbers]) == 0
    np.save(tmp_path / "images.npy", np.zeros((1, PATCH_SIZE[1], PATCH_SIZE[0], 3), np.uint8))
    np.save(tmp_path / "labels.npy", np.zeros((1, len(LABELS)), np.int8))
    assert train_reader.main(["--patches", str(tmp_path), *numbers]) == 0
    assert calls[0][2:] == (SegmenterRun(steps=7, rate=0.5, seed=3), tmp_path / "runs" / "a.pt", None)
    assert calls[1][1:] == (ReaderRun(steps=7, rate=0.5, seed=3), tmp_path / "runs" / "a.pt", None)


# Torch, ONNX and the pipeline agree


def answer(folder: Path, pixels: Floats) -> Floats:
    """What onnxruntime makes of the network in ``folder``."""
    session = onnxruntime.InferenceSession(folder / "model.onnx", providers=["CPUExecutionProvider"])
    return np.asarray(session.run(None, {"pixels": pixels})[0], np.float32)


def learned(network: nn.Module, pixels: Floats) -> Floats:
    """What torch makes of it."""
    with torch.no_grad():
        return np.asarray(network(torch.from_numpy(pixels)).numpy(), np.float32)


def assert_rounded(actual: Floats, wanted: Floats) -> None:
    """On average no further apart than what integers of eight bits explain."""
    assert np.abs(actual - wanted).mean() < 0.1 * max(1.0, float(np.abs(wanted).max()))


@pytest.mark.parametrize("size", [(320, 240), (200, 310), (1000, 700)])
def test_the_three_segmenters_agree(segmenter: Trained, size: tuple[int, int]) -> None:
    picture = noise(*size)
    pipeline = Segmenter.open(segmenter.exact)
    maps, scale = pipeline.maps(picture)
    resized = resize_for_segmenter(picture, pipeline.config.longer)
    pixels = segmenter_input(resized.image)
    wanted = learned(segmenter.network, pixels)[0]
    assert scale == resized.scale
    assert maps.shape == (len(CHANNELS), pixels.shape[2] // STRIDE, pixels.shape[3] // STRIDE)
    np.testing.assert_allclose(maps, wanted, atol=1e-3, rtol=1e-3)
    np.testing.assert_allclose(answer(segmenter.exact, pixels)[0], wanted, atol=1e-3, rtol=1e-3)
    shipped = Segmenter.open(segmenter.folder).maps(picture)[0]
    np.testing.assert_allclose(shipped, answer(segmenter.folder, pixels)[0], atol=1e-3, rtol=1e-3)
    for channel in range(len(CHANNELS)):
        assert_rounded(shipped[channel], wanted[channel])


@pytest.mark.parametrize("number", [1, 5, 40])
def test_the_three_readers_agree(reader: Trained, number: int) -> None:
    crops = [noise(*CROP_SIZE, seed) for seed in range(number)]
    pixels = reader_input(crops)
    wanted = learned(reader.network, pixels)
    outputs = Classifier.open(reader.exact).outputs(crops)
    assert outputs.shape == (number, sum(HEADS.values()))
    np.testing.assert_allclose(outputs, wanted, atol=1e-3, rtol=1e-3)
    np.testing.assert_allclose(answer(reader.exact, pixels), wanted, atol=1e-3, rtol=1e-3)
    shipped = Classifier.open(reader.folder).outputs(crops)
    np.testing.assert_allclose(shipped, answer(reader.folder, pixels), atol=1e-3, rtol=1e-3)
    assert_rounded(shipped, wanted)


def test_shipped_weights_take_less_than_half_the_room(segmenter: Trained, reader: Trained) -> None:
    for trained in (segmenter, reader):
        shipped, exact = (folder / "model.onnx" for folder in (trained.folder, trained.exact))
        assert shipped.stat().st_size < 0.5 * exact.stat().st_size


def test_a_model_folder_holds_what_the_pipeline_needs(segmenter: Trained, reader: Trained) -> None:
    for trained, steps in [(segmenter, TINY_SEGMENTER.steps), (reader, TINY_READER.steps)]:
        names = {path.name for path in trained.folder.iterdir()}
        assert names == {"model.onnx", "SHA256", "config.json", "metrics.json"}
        assert json.loads((trained.folder / "metrics.json").read_text())["training"]["step"] == steps
    assert Model.open(segmenter.folder).config["channels"] == list(CHANNELS)
    config = Model.open(reader.folder).config
    assert (config["heads"], config["crop"], config["margin"]) == (HEADS, list(CROP_SIZE), CROP_MARGIN)


def test_both_networks_are_small(segmenter: Trained, reader: Trained) -> None:
    assert sum((trained.folder / "model.onnx").stat().st_size for trained in (segmenter, reader)) <= 8_000_000


def test_exporting_again_keeps_the_tuned_numbers(reader: Trained, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps({"turned": 0.7, "doubt": 0.9}))
    assert exporting.main(["reader", str(reader.checkpoint), str(tmp_path)]) == 0
    config = json.loads((tmp_path / "config.json").read_text())
    assert (config["turned"], config["doubt"]) == (0.7, 0.9)
    assert config["heads"] == HEADS


def test_a_changed_network_is_refused(reader: Trained, tmp_path: Path) -> None:
    for path in reader.folder.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    Model.open(tmp_path)
    with (tmp_path / "model.onnx").open("ab") as file:
        file.write(b"x")
    with pytest.raises(ModelFileError, match="checksum"):
        Model.open(tmp_path)


def test_there_are_two_networks(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="there is no network 'oracle'"):
        export("oracle", tmp_path / "run.pt", tmp_path)


# Pixels of training are pixels of reading


def unchanged(image: Image, *_: object) -> Image:
    """Leave the picture as it is."""
    return image


def test_training_crops_are_reading_crops(monkeypatch: pytest.MonkeyPatch, photos: list[Photo]) -> None:
    monkeypatch.setattr(train_reader, "degrade", unchanged)
    monkeypatch.setattr(train_reader, "recolour", unchanged)
    monkeypatch.setattr(train_reader, "shake", lambda patch, rng, *_: shake(patch, rng, 0.0, False))
    photo = next(photo for photo in photos if any(thing.kind == "card" for thing in photo.things))
    thing = next(thing for thing in photo.things if thing.kind == "card")
    picture, _ = photo.image()
    quad = Quad(thing.corners)
    patch = rectify(picture, quad, PATCH_SIZE, PATCH_MARGIN)
    store = Patches(patch[None], np.array([label_of(thing, real=False)], np.int8))
    samples = ReaderSamples([store], ReaderRun(steps=1, batch=8))
    crop = card_crop(picture, quad)
    upright, turned = reader_input([crop, np.ascontiguousarray(crop[::-1, ::-1])])
    for index in range(8):
        pixels = samples[index]["pixels"].numpy()
        assert pixels.shape == upright.shape
        assert pixels.dtype == upright.dtype
        assert min(np.abs(pixels - way).mean() for way in (upright, turned)) < 1.0


def test_training_pictures_are_reading_pictures(monkeypatch: pytest.MonkeyPatch, photos: list[Photo]) -> None:
    monkeypatch.setattr(train_segmenter, "recolour", unchanged)
    picture, _ = photos[0].image()
    resized = resize_for_segmenter(picture[:180, :180], 192)
    monkeypatch.setattr(train_segmenter, "turn_and_tilt", lambda *_: (resized.image, []))
    pixels = SegmenterSamples(photos[:1], [], SegmenterRun(steps=1, batch=1, side=192))[0]["pixels"]
    np.testing.assert_array_equal(pixels[None].float().numpy(), segmenter_input(resized.image))


@pytest.mark.parametrize(
    "make", [lambda p, s: SegmenterSamples(p, [], TINY_SEGMENTER), lambda p, s: ReaderSamples([s], TINY_READER)]
)
def test_a_sample_is_a_function_of_its_number(
    make: Callable[[list[Photo], Patches], SegmenterSamples | ReaderSamples], photos: list[Photo], patches: Patches
) -> None:
    one, other = make(photos, patches), make(photos, patches)
    assert len(one) == len(other) > 0
    for index in (0, 5):
        for name, value in one[index].items():
            assert torch.equal(value, other[index][name])
    assert not torch.equal(one[0]["pixels"], one[1]["pixels"])


# What is done to pictures is done to labels


def painted(corners: Floats, width: int, height: int) -> Image:
    """A black picture with a white quad."""
    picture = np.zeros((height, width, 3), np.uint8)
    cv2.fillConvexPoly(picture, np.round(corners * 16).astype(np.int32), (255, 255, 255), cv2.LINE_8, 4)
    return np.asarray(picture, np.uint8)


def agreement(picture: Image, corners: Floats) -> float:
    """IoU of what is white with the quad."""
    white = picture.min(axis=2) > 127
    told = painted(corners, picture.shape[1], picture.shape[0]).min(axis=2) > 127
    return float((white & told).sum() / max(1, (white | told).sum()))


def test_a_turned_picture_takes_its_quads_along() -> None:
    corners = np.array([[200, 120], [290, 135], [270, 280], [180, 262]], np.float32)
    picture, seen = painted(corners, 480, 400), 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        image, moved = turn_and_tilt(
            picture, [Thing("card", None, corners)], rng, 256, float(rng.uniform(0.4, 1.2)), 0.1
        )
        assert image.shape == (256, 256, 3)
        for thing in moved:
            assert Quad(thing.corners).area > 0
            assert 0 < thing.visible <= 1
            if thing.visible > 0.99:
                seen += 1
                black = np.where(image == 255, image, 0)  # the border has another colour
                assert agreement(np.asarray(black, np.uint8), thing.corners) > 0.85
                assert Quad(thing.corners).short_side < Quad(thing.corners).long_side
    assert seen >= 10


def test_some_cuts_go_through_the_piece_and_say_where_its_side_is() -> None:
    patch = noise(*PATCH_SIZE)
    far = [np.abs(shake(patch, np.random.default_rng(seed), 1.0, False)[1]).max() > 0.2 for seed in range(200)]
    assert 5 < sum(far) < 60


@pytest.mark.parametrize("turned", [False, True])
def test_shifts_of_a_shaken_crop_lead_to_the_true_corners(turned: bool) -> None:
    inner = np.array(CROP_SIZE) / (1 + 2 * CROP_MARGIN)
    unit = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    true = (np.array(PATCH_SIZE) / 2 - 0.5 + unit * inner / 2).astype(np.float32)
    cut = Quad((np.array(CROP_SIZE) / 2 - 0.5 + unit * inner / 2).astype(np.float32))
    patch = painted(true, *PATCH_SIZE)
    for seed in range(12):
        crop, shifts = shake(patch, np.random.default_rng(seed), 1.0, turned)
        quad = shifted([cut], shifts[None])[0]
        assert crop.shape == (CROP_SIZE[1], CROP_SIZE[0], 3)
        assert np.abs(shifts).max() < 0.65
        inside = Quad(np.clip(quad.corners, 0, np.array(CROP_SIZE) - 1))
        assert agreement(crop, inside.corners) > 0.95


def test_a_worse_light_leaves_the_picture_of_the_caller_alone() -> None:
    picture = noise(*CROP_SIZE)
    before = picture.copy()
    for seed in range(20):
        for worse in (recolour, degrade):
            out = worse(picture, np.random.default_rng(seed), 1.0)
            assert out.shape == picture.shape
            assert out.dtype == np.uint8
            np.testing.assert_array_equal(out, worse(picture, np.random.default_rng(seed), 1.0))
    np.testing.assert_array_equal(picture, before)


# Labels


@pytest.mark.parametrize(
    ("kind", "name", "row"),
    [
        ("card", "2 green striped squiggle", [1, 1, 1, 2, 1, 0, 0]),
        ("card", "1 red open rectangle", [0, 0, 2, 3, 1, 0, 0]),
        ("tile", "3 purple diamond", [2, 2, 0, 1, 1, 0, 0]),
        ("die", "1 red oval", [0, 0, 0, 0, 1, 0, 0]),
        ("die", "wild", [-1, -1, -1, -1, 1, 1, 0]),
        ("other", None, [-1, -1, -1, -1, 0, 0, 0]),
    ],
)
def test_labels_of_the_reader(kind: str, name: str | None, row: list[int]) -> None:
    thing = Thing(kind, name, np.zeros((4, 2), np.float32))
    assert label_of(thing, real=False) == row
    assert label_of(thing, real=True) == [*row[:-1], 1]


def test_patches_are_of_every_piece_that_can_be_seen_and_of_some_that_are_none(photos: list[Photo]) -> None:
    for photo in photos:
        cut = list(cut_patches(photo, np.random.default_rng(0)))
        readable = [label for _, label in cut if label[LABELS.index("readable")]]
        seen = [thing for thing in photo.things if thing.name is not None and thing.visible > 0.75]
        large = [thing for thing in seen if min(Quad(thing.corners).short_side, Quad(thing.corners).long_side) > 9]
        assert len(readable) >= len(large)
        assert all(patch.shape == (PATCH_SIZE[1], PATCH_SIZE[0], 3) for patch, _ in cut)


def test_photos_labelled_by_hand_lie_upright(tmp_path: Path) -> None:
    quad = [[154, 0], [154, 100], [0, 100], [0, 0]]
    line = {"file": "a.jpg", "size": [640, 480], "cards": [{"quad": quad, "card": "1 red solid oval"}]}
    labels = tmp_path / "labels.jsonl"
    labels.write_text(json.dumps(line) + "\n\n")
    (photo,) = read_photos(labels)
    assert photo.real
    (thing,) = photo.things
    assert (thing.kind, thing.name, thing.visible) == ("card", "1 red solid oval", 1.0)
    assert Quad(thing.corners).short_side == pytest.approx(100)
    assert Quad(thing.corners).area > 0
    with pytest.raises(FileNotFoundError, match="no picture can be read"):
        photo.image()


def test_patches_of_nothing_can_be_written_and_read(tmp_path: Path) -> None:
    save_patches(tmp_path, [], [])
    empty = Patches.read(tmp_path)
    assert empty.images.shape == (0, PATCH_SIZE[1], PATCH_SIZE[0], 3)
    assert empty.labels.shape == (0, len(LABELS))


class FakeSegmenter:
    """Finds the same quads in every picture."""

    def __init__(self, quads: Sequence[Quad]) -> None:
        self.quads = quads

    def detect(self, image: Image) -> list[Detection]:
        """Return a detection for each quad."""
        return [Detection(quad, 0.9) for quad in self.quads]


def test_only_what_lies_on_no_piece_is_mined(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "table.png"), np.full((400, 600, 3), 90, np.uint8))
    card = np.array([[100, 100], [160, 100], [160, 190], [100, 190]], np.float32)
    hidden = Thing("card", "2 red open oval", card + 200, 0.4)
    photo = Photo(tmp_path / "table.png", (Thing("card", "1 red open oval", card), hidden), real=False)
    on_it, beside, on_half = (
        Quad(card + 4),
        Quad(card + np.array([150, 0], np.float32)),
        Quad(card + np.array([230, 200], np.float32)),
    )
    segmenter = FakeSegmenter([on_it, beside, on_half])
    assert len(list(misses(photo, segmenter))) == 1  # type: ignore[arg-type]
    assert mine([photo], segmenter, tmp_path / "mined") == 1  # type: ignore[arg-type]
    mined = Patches.read(tmp_path / "mined")
    assert mined.labels[0, LABELS.index("readable")] == 0
    assert mine([photo], FakeSegmenter([on_it]), tmp_path / "none") == 0  # type: ignore[arg-type]
    assert len(Patches.read(tmp_path / "none").labels) == 0
