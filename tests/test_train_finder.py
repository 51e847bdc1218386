"""The finder's training on a handful of pictures: labels are read, the loss falls, torch, ONNX and pipeline agree."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

pytest.importorskip("torch", reason="training needs torch: make test-train")
pytest.importorskip("onnx", reason="the export needs onnx: make test-train")

import torch
from torch.utils.data import default_collate

from models.training import train_finder
from models.training.board_photos import BoardPhoto, read_board_photos, view_of
from models.training.export import export
from models.training.finder import CHANNELS, load_what_fits
from models.training.finder import Finder as Network
from models.training.quantise import quantise
from models.training.segmenter import Segmenter
from models.training.train_finder import FinderRun, FinderSamples
from tests.board_pictures import write_board_pictures
from vision.finder import Finder
from vision.model import Model
from vision.pixels import STRIDE, resize_for_segmenter, segmenter_input
from vision.types import Image

Floats = npt.NDArray[np.float32]
TINY = FinderRun(steps=24, batch=2, side=128, longest=(150.0, 260.0), workers=0)


@pytest.fixture(scope="module", autouse=True)
def few_threads() -> Iterator[None]:
    """One thread: several of them wait for each other when the cores are busy."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> list[BoardPhoto]:
    """Four drawn pictures: three of dice on a board, one of tiles."""
    return read_board_photos(write_board_pictures(tmp_path_factory.mktemp("boards")))


@pytest.fixture(scope="module")
def trained(photos: list[BoardPhoto], tmp_path_factory: pytest.TempPathFactory) -> tuple[Network, Path]:
    """A finder after a few steps, and its checkpoint."""
    path = tmp_path_factory.mktemp("finder") / "run.pt"
    return train_finder.train(photos, TINY, path), path


def test_labels_come_with_bodies_looks_and_the_board(photos: list[BoardPhoto]) -> None:
    dice, tiles = photos[0], photos[2]
    assert [thing.kind for thing in dice.things] == ["die"] * 4
    assert dice.looks == (None, None, None, "yellow")
    assert all(body is not None and len(body) >= 4 for body in dice.bodies)
    assert dice.board is not None
    assert (dice.board.kind, dice.board.rows, dice.board.columns, dice.board.lines) == ("cubed", 5, 6, True)
    assert dice.board.logo == ((2, 1), (2, 2), (2, 3))
    assert list((dice.board.bonus or {}).values()) == [5]
    np.testing.assert_allclose(dice.board.square(0, 0)[0], dice.board.corners[0], atol=1e-3)
    assert len(dice.board.crossings) == 6 * 7
    np.testing.assert_allclose(dice.board.crossings[-1], dice.board.corners[2], atol=1e-3)
    assert [thing.kind for thing in tiles.things] == ["tile"] * 3 + ["space"]
    assert tiles.board is None


def test_scenes_of_cards_are_read_too(tmp_path: Path) -> None:
    thing = {"kind": "card", "name": "1 red solid oval", "corners": [[0, 0], [9, 0], [9, 15], [0, 15]], "visible": 1.0}
    labels = tmp_path / "labels.jsonl"
    labels.write_text(json.dumps({"file": "a.jpg", "size": [20, 20], "cards": [], "things": [thing]}) + "\n")
    (photo,) = read_board_photos(labels)
    assert (photo.bodies, photo.looks, photo.board) == ((None,), (None,), None)


def test_a_window_takes_bodies_and_board_along(photos: list[BoardPhoto]) -> None:
    shift = np.array([[1, 0, -30], [0, 1, -20], [0, 0, 1]], np.float64)
    view = view_of(photos[0], (320, 256), shift, 400)
    assert photos[0].board is not None
    assert view.board is not None
    assert len(view.things) == len(view.bodies) == 4
    by = np.array([30, 20], np.float32)
    assert view.frame is not None
    np.testing.assert_allclose(view.frame[[0, 2]], np.array([[-30, -20], [290, 236]], np.float32) - 0.5, atol=1e-3)
    np.testing.assert_allclose(view.board.crossings, photos[0].board.crossings - by, atol=1e-3)
    for moved, thing, body in zip(view.bodies, view.things, photos[0].bodies, strict=True):
        assert moved is not None
        assert body is not None
        np.testing.assert_allclose(moved, body - by, atol=1e-3)
        assert thing.visible > 0.99


def test_samples_are_functions_of_their_number(photos: list[BoardPhoto]) -> None:
    samples, again = FinderSamples(photos, TINY), FinderSamples(photos, TINY)
    assert len(samples) == TINY.steps * TINY.batch
    cells = TINY.side // STRIDE
    for index in (0, 7):
        sample = samples[index]
        assert sample["pixels"].shape == (3, TINY.side, TINY.side)
        assert sample["geometry"].shape == (6, cells, cells)
        for name, value in again[index].items():
            assert torch.equal(value, sample[name])
    assert not torch.equal(samples[0]["pixels"], samples[1]["pixels"])


def test_scenes_without_pieces_have_their_share(photos: list[BoardPhoto]) -> None:
    plain = BoardPhoto(photos[0].path, (), False)
    samples = FinderSamples([*photos, plain], FinderRun(steps=60, batch=1, side=64, workers=0, plain_share=0.5))
    empty = [float(samples[index]["board"].max() + samples[index]["mask"].max()) == 0 for index in range(60)]
    assert len(samples.plain) == 1
    assert 20 < sum(empty) < 55


def test_the_finder_learns(photos: list[BoardPhoto], trained: tuple[Network, Path]) -> None:
    samples = FinderSamples(photos, TINY)
    batch = default_collate([samples[index] for index in range(8)])
    torch.manual_seed(TINY.seed)
    losses = []
    for network in (Network(), trained[0]):
        with torch.no_grad():
            maps = copy.deepcopy(network).train()(batch["pixels"].float())
        losses.append(float(train_finder.loss_of(maps, batch)[0]))
    assert np.isfinite(losses).all()
    assert losses[1] < 0.95 * losses[0]


def test_maps_that_say_the_truth_have_the_least_loss(photos: list[BoardPhoto]) -> None:
    batch = default_collate([FinderSamples(photos, TINY)[index] for index in range(4)])

    def logit(share: torch.Tensor) -> torch.Tensor:
        return torch.logit(share.clamp(1e-4, 1 - 1e-4))

    kinds = [(batch["kind"] == kind).float() for kind in (0, 1)]
    shares = [batch["middle"], batch["mask"], *kinds, batch["raised"].clamp(min=0), batch["crossing"], batch["board"]]
    truth = torch.cat([torch.stack([logit(share) for share in shares], 1), batch["geometry"]], 1)
    best, parts = train_finder.loss_of(truth, batch)
    assert set(parts) == {"middle", "mask", "dice", "kind", "raised", "crossing", "board", "geometry"}
    for channel in range(len(CHANNELS)):
        worse = truth.clone()
        worse[:, channel] = -worse[:, channel]
        assert float(train_finder.loss_of(worse, batch)[0]) > float(best), CHANNELS[channel]


def test_a_training_starts_from_the_segmenter_or_goes_on(
    photos: list[BoardPhoto], trained: tuple[Network, Path], tmp_path: Path
) -> None:
    segmenter = Segmenter()
    torch.save({"weights": segmenter.state_dict()}, tmp_path / "segmenter.pt")
    network = Network()
    assert set(load_what_fits(network, tmp_path / "segmenter.pt")) == {
        "head.weight",
        "head.bias",
        "geometry.2.weight",
        "geometry.2.bias",
    }
    theirs = segmenter.state_dict()
    assert torch.equal(network.state_dict()["stem.0.0.weight"], theirs["stem.0.0.weight"])
    assert load_what_fits(network, trained[1]) == []
    still = FinderRun(steps=1, batch=2, side=64, rate=1e-12, workers=0)
    after = train_finder.train(photos, still, tmp_path / "next.pt", trained[1])
    for one, other in zip(after.parameters(), trained[0].parameters(), strict=True):
        torch.testing.assert_close(one, other, atol=1e-6, rtol=0)


def test_the_command_line_passes_on_what_it_is_told(
    monkeypatch: pytest.MonkeyPatch, photos: list[BoardPhoto], tmp_path: Path
) -> None:
    calls: list[tuple[object, ...]] = []
    monkeypatch.setattr(train_finder, "train", lambda *arguments: calls.append(arguments))
    labels, out = str(photos[0].path.parent / "labels.jsonl"), tmp_path / "runs" / "a.pt"
    numbers = ["--steps", "7", "--seed", "3", "--rate", "0.5", "--start", "b.pt"]
    assert train_finder.main(["--scenes", labels, "--scenes", labels, "--out", str(out), *numbers]) == 0
    assert len(calls[0][0]) == 8  # type: ignore[arg-type]
    assert calls[0][1:] == (FinderRun(steps=7, rate=0.5, seed=3), out, Path("b.pt"))


def noise(width: int, height: int) -> Image:
    """A picture of noise."""
    return np.random.default_rng(1).integers(0, 256, (height, width, 3), np.uint8)


def test_torch_onnx_and_pipeline_agree(photos: list[BoardPhoto], trained: tuple[Network, Path], tmp_path: Path) -> None:
    network, checkpoint = trained
    exact, shipped = tmp_path / "exact", tmp_path / "shipped"
    for folder in (exact, shipped):
        export("finder", checkpoint, folder)
    quantise("finder", shipped, photos)
    picture = noise(320, 200)
    maps, scale = Finder.open(exact).maps(picture)
    resized = resize_for_segmenter(picture, Finder.open(exact).config.longer)
    with torch.no_grad():
        wanted = network.eval()(torch.from_numpy(segmenter_input(resized.image)))[0].numpy()
    assert scale == resized.scale
    assert maps.shape == (len(CHANNELS), resized.image.shape[0] // STRIDE, resized.image.shape[1] // STRIDE)
    np.testing.assert_allclose(maps, wanted, atol=1e-3, rtol=1e-3)
    rounded = Finder.open(shipped).maps(picture)[0]
    assert np.abs(rounded - wanted).mean() < 0.1 * np.abs(wanted).max()
    sizes = [(folder / "model.onnx").stat().st_size for folder in (shipped, exact)]
    assert sizes[0] < 0.5 * sizes[1]
    assert Model.open(shipped).config["channels"] == list(CHANNELS)
    assert Finder.open(shipped).config == Finder.open(exact).config


def test_training_pictures_are_reading_pictures(monkeypatch: pytest.MonkeyPatch, photos: list[BoardPhoto]) -> None:
    resized = resize_for_segmenter(photos[0].image()[0][:180, :180], 192)
    monkeypatch.setattr(train_finder, "recolour", lambda image, *_: image)
    monkeypatch.setattr(train_finder, "look_through", lambda *_, **__: resized.image)
    pixels = FinderSamples(photos[:1], FinderRun(steps=1, batch=1, side=192))[0]["pixels"]
    np.testing.assert_array_equal(pixels[None].float().numpy(), segmenter_input(resized.image))
