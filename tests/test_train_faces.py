"""The face reader's patches and training: what is cut and how it is labelled, what turns along, what is learned."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest

pytest.importorskip("torch", reason="training needs torch: make test-train")
pytest.importorskip("onnx", reason="the export needs onnx: make test-train")

import torch
from torch.utils.data import default_collate

from models.training import face_patches, train_faces
from models.training.board_photos import BoardPhoto, read_board_photos
from models.training.export import export
from models.training.face_negatives import cover_of, hulls_of, side_faces, wrong_quads
from models.training.face_patches import (
    COLUMNS,
    FACE_PATCH,
    FACE_PATCH_MARGIN,
    CutConfig,
    FacePatches,
    cut_faces,
    label_row,
    write_faces,
)
from models.training.face_reader import FaceNetwork
from models.training.quantise import quantise
from models.training.shake import recut
from models.training.train_faces import FACE_CUT, FaceRun, FaceSamples, contrast
from tests.board_pictures import write_board_pictures
from vision.faces import CLASSES, HEADS, FaceReader
from vision.geometry import quad_iou, rectify
from vision.model import Model
from vision.pixels import FACE_MARGIN, FACE_SIZE, reader_input
from vision.types import Image, Quad

Floats = npt.NDArray[np.float32]
TINY = FaceRun(steps=30, batch=16, workers=0, styles=1, views=3)
WHAT = CLASSES["what"]
AT = {name: place for place, name in enumerate(COLUMNS)}


@pytest.fixture(scope="module", autouse=True)
def few_threads() -> Iterator[None]:
    """One thread: several of them wait for each other when the cores are busy."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> list[BoardPhoto]:
    """Six drawn pictures: four of dice on a board, two of tiles."""
    return read_board_photos(write_board_pictures(tmp_path_factory.mktemp("boards"), 6))


@pytest.fixture(scope="module")
def patches(photos: list[BoardPhoto], tmp_path_factory: pytest.TempPathFactory) -> FacePatches:
    """Everything cut from them."""
    folder = tmp_path_factory.mktemp("patches")
    number = write_faces(photos, folder, 1, 1)
    store = FacePatches.read(folder)
    assert len(store.images) == len(store.labels) == number
    return store


@pytest.fixture(scope="module")
def trained(patches: FacePatches, tmp_path_factory: pytest.TempPathFactory) -> tuple[FaceNetwork, Path]:
    """A face reader after a few steps, and its checkpoint."""
    path = tmp_path_factory.mktemp("faces") / "run.pt"
    return train_faces.train([patches], TINY, path), path


# Labels and patches


@pytest.mark.parametrize(
    ("kind", "name", "look", "row"),
    [
        ("die", "2 green squiggle", None, (0, 1, 1, 2, -1, -1, 1, 1, -1)),
        ("tile", "3 purple diamond", None, (0, 2, 2, 1, -1, -1, 1, 1, -1)),
        ("space", "1 red oval", None, (0, 0, 0, 0, -1, -1, 0, 1, -1)),
        ("space", None, None, (3, -1, -1, -1, -1, -1, 0, 1, -1)),
        ("die", None, None, (4, -1, -1, -1, -1, -1, 1, 1, -1)),
        ("die", "wild", "pips", (1, -1, -1, -1, -1, -1, 1, 1, -1)),
    ],
)
def test_rows_of_faces(kind: str, name: str | None, look: str | None, row: tuple[int, ...]) -> None:
    assert label_row(kind, name, look) == row


def test_each_style_of_wild_has_its_number() -> None:
    one, same, other = (label_row("die", "wild", look)[AT["look"]] for look in ("a", "a", "b"))
    assert one == same >= 0
    assert other not in (one, -1)


def sorts(photo: BoardPhoto, config: CutConfig | None = None) -> list[str]:
    """What is cut from a picture."""
    return [WHAT[row[0]] for _, row in cut_faces(photo, np.random.default_rng(0), config)]


def test_a_board_gives_faces_numbers_blanks_and_what_is_neither(photos: list[BoardPhoto]) -> None:
    found = sorts(photos[0])
    assert found.count("symbols") == 3
    assert found.count("wild") == 1
    assert found.count("number") == 1
    assert found.count("blank") >= 3
    assert found.count("other") >= 3
    for patch, row in cut_faces(photos[0], np.random.default_rng(0)):
        assert patch.shape == (FACE_PATCH[1], FACE_PATCH[0], 3)
        assert len(row) == len(COLUMNS)
        if WHAT[row[0]] == "number":
            assert (row[AT["digit"]], row[AT["turn"]]) == (5, 0)


def test_no_more_is_cut_than_asked_for(photos: list[BoardPhoto]) -> None:
    few = CutConfig(faces=2, wilds=0, numbers=0, blanks=1, logos=0, covered_squares=0, others=1)
    found = sorts(photos[0], few)
    assert sorted(found) == ["blank", "other", "symbols", "symbols"]


def test_what_is_hidden_or_tiny_is_not_cut(photos: list[BoardPhoto]) -> None:
    hidden = tuple(replace(thing, visible=0.5) for thing in photos[0].things)
    assert "symbols" not in sorts(replace(photos[0], things=hidden))
    assert sorts(photos[0], CutConfig(side=500.0)) == []


def test_numbers_of_two_digits_are_numbers_without_a_digit(photos: list[BoardPhoto]) -> None:
    board = photos[0].board
    assert board is not None
    large = replace(photos[0], board=replace(board, bonus=dict.fromkeys(board.bonus or {}, 12)))
    rows = [row for _, row in cut_faces(large, np.random.default_rng(0)) if WHAT[row[0]] == "number"]
    assert [row[AT["digit"]] for row in rows] == [-1]


def test_squares_under_dice_are_covered(photos: list[BoardPhoto]) -> None:
    hulls = hulls_of(photos[0])
    assert len(hulls) == 4
    for thing in photos[0].things:
        assert cover_of(thing.corners, hulls) > 0.99
    assert cover_of(np.array([[0, 0], [9, 0], [9, 9], [0, 9]], np.float32), hulls) == 0


def test_the_sides_that_the_camera_sees_hang_from_the_top() -> None:
    top = np.array([[100, 100], [140, 95], [146, 130], [104, 136]], np.float32)
    down = np.array([-6, 26], np.float32)
    body = np.asarray(cv2.convexHull(np.concatenate([top, top + down])), np.float32).reshape(-1, 2)
    sides = side_faces(top, body)
    wanted = [np.stack([top[k], top[j], top[j] + down, top[k] + down]) for k, j in ((3, 2), (0, 3))]
    assert len(sides) == 2
    for quad in wanted:
        assert Quad(quad).area > 0
        assert any(np.allclose(quad, side) for side in sides)
    assert side_faces(top, top) == []


def test_wrong_quads_lie_on_no_face(photos: list[BoardPhoto]) -> None:
    seen = 0
    for photo in photos:
        for seed in range(5):
            for quad in wrong_quads(photo, (320, 256), np.random.default_rng(seed)):
                seen += 1
                assert quad.shape == (4, 2)
                assert Quad(quad).area > 0
                assert all(quad_iou(Quad(quad), Quad(thing.corners)) < 0.3 for thing in photo.things)
    assert seen > 60


def test_patches_can_be_cut_of_nothing(tmp_path: Path) -> None:
    assert write_faces([], tmp_path, 1, 1) == 0
    assert FacePatches.read(tmp_path).images.shape == (0, FACE_PATCH[1], FACE_PATCH[0], 3)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["images.npy", "labels.npy"]


# Samples


def unchanged(image: Image, *_: object) -> Image:
    """Leave the picture as it is."""
    return image


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """No worse light and no shaking, only quarter turns."""
    monkeypatch.setattr(train_faces, "degrade", unchanged)
    monkeypatch.setattr(train_faces, "recolour", unchanged)
    monkeypatch.setattr(train_faces, "recut", lambda patch, rng, _, order, cut: recut(patch, rng, 0.0, order, cut))


@pytest.mark.usefixtures("plain")
def test_training_crops_are_reading_crops_at_any_quarter_turn(photos: list[BoardPhoto]) -> None:
    picture, _ = photos[0].image()
    board = photos[0].board
    assert board is not None
    ((square, _),) = (board.bonus or {}).items()
    corners = board.square(*square)
    patch = rectify(picture, Quad(corners), FACE_PATCH, FACE_PATCH_MARGIN)
    store = FacePatches(patch[None], np.array([[2, -1, -1, -1, 5, 0, 0, 1, -1]], np.int64))
    samples = FaceSamples([store], FaceRun(steps=1, batch=12, styles=0))
    seen = set()
    for index in range(12):
        sample = samples[index]
        turn = int(sample["label"][AT["turn"]])
        # The number's own top left is the crop's corner ``turn``.
        quad = Quad(np.roll(corners, turn, axis=0))
        crop = reader_input([rectify(picture, quad, FACE_SIZE, FACE_MARGIN)], FACE_SIZE)[0]
        assert np.abs(sample["pixels"].numpy() - crop).mean() < 2.5
        np.testing.assert_allclose(sample["corners"].numpy(), 0, atol=1e-5)
        seen.add(turn)
    assert seen == {0, 1, 2, 3}


def test_shifts_of_a_turned_crop_lead_to_the_true_corners() -> None:
    patch = np.zeros((FACE_PATCH[1], FACE_PATCH[0], 3), np.uint8)
    box = FACE_CUT.box(FACE_PATCH)
    for corner, (x, y) in enumerate(np.round(box).astype(int)):
        cv2.circle(patch, (int(x), int(y)), 3, (60 * corner + 60, 0, 0), -1)
    for seed in range(8):
        order = seed % 4
        crop, shifts = recut(patch, np.random.default_rng(seed), 0.5, order, FACE_CUT)
        places = FACE_CUT.box(FACE_SIZE) + shifts.reshape(4, 2) * FACE_CUT.inner
        for k, (x, y) in enumerate(places):
            if 1 < x < FACE_SIZE[0] - 2 and 1 < y < FACE_SIZE[1] - 2:
                assert abs(int(crop[round(y), round(x), 0]) - (60 * ((k + order) % 4) + 60)) < 40


def test_a_sample_is_a_function_of_its_number(patches: FacePatches) -> None:
    one, other = FaceSamples([patches], TINY), FaceSamples([patches], TINY)
    assert len(one) == TINY.steps * TINY.batch
    for index in (0, 9):
        for name, value in one[index].items():
            assert torch.equal(value, other[index][name])
    assert not torch.equal(one[0]["pixels"], one[9]["pixels"])


def test_each_batch_begins_with_wilds_of_the_same_styles(patches: FacePatches) -> None:
    twice = FacePatches(
        np.concatenate([patches.images, patches.images]),
        np.concatenate(
            [patches.labels, patches.labels + (patches.labels[:, [AT["look"]]] >= 0) * np.eye(9, dtype=int)[8]]
        ),
    )
    samples = FaceSamples([twice], FaceRun(steps=2, batch=16, styles=3, views=4))
    assert len(samples.styles) == 2
    for begin in (0, 16):
        looks = [int(samples[begin + slot]["label"][AT["look"]]) for slot in range(16)]
        assert all(len(set(looks[group : group + 4])) == 1 for group in (0, 4, 8))
        assert min(looks[:12]) >= 0
        assert max(looks[12:]) == -1


# Losses


def test_what_belongs_together_is_drawn_together() -> None:
    look = torch.tensor([5, 5, 8, 8, -1, -1])
    apart = torch.eye(6)[:, :6]
    together = torch.eye(6)[[0, 0, 1, 1, 2, 3]]
    wrong = torch.eye(6)[[0, 1, 0, 1, 0, 0]]
    good, middling, bad = (float(contrast(unit, look, 0.1)) for unit in (together, apart, wrong))
    assert good < 0.01 < middling < bad
    assert float(contrast(apart, torch.full((6,), -1), 0.1)) == 0
    # What belongs to nothing may not lie among those that do.
    among = torch.eye(6)[[0, 0, 1, 1, 0, 3]]
    assert float(contrast(among, look, 0.1)) > good + 0.1


def perfect(batch: dict[str, torch.Tensor]) -> torch.Tensor:
    """Outputs that say what the labels say."""
    label = batch["label"]
    parts = [10.0 * torch.nn.functional.one_hot(label[:, AT[name]].clamp(min=0), HEADS[name]) for name in CLASSES]
    looks = {look: place for place, look in enumerate(sorted(set(label[:, AT["look"]].tolist())))}
    embedding = torch.eye(32)[[looks[look] for look in label[:, AT["look"]].tolist()]]
    raised = 20.0 * label[:, AT["raised"]].float()[:, None] - 10
    return torch.cat([*parts, raised, embedding, batch["corners"]], 1)


def test_outputs_that_say_the_truth_have_the_least_loss(patches: FacePatches) -> None:
    batch = default_collate([FaceSamples([patches], TINY)[index] for index in range(48)])
    truth = perfect(batch)
    best, parts = train_faces.loss_of(truth, batch, 0.0, 0.1)
    assert set(parts) == {*CLASSES, "raised", "corners", "embedding"}
    edges = np.cumsum([0, *HEADS.values()]).tolist()
    for name, begin, end in zip(HEADS, edges, edges[1:], strict=False):
        worse = truth.clone()
        # A turned embedding is as good as it was: there, only who is near whom counts.
        worse[:, begin:end] = torch.eye(32)[0] if name == "embedding" else -worse[:, begin:end]
        assert float(train_faces.loss_of(worse, batch, 0.0, 0.1)[0]) > float(best), name


def test_only_what_applies_counts(patches: FacePatches) -> None:
    batch = default_collate([FaceSamples([patches], TINY)[index] for index in range(8)])
    batch["label"][:] = torch.tensor(label_row("die", None, None))
    batch["label"][:, AT["placed"]] = 0
    _, parts = train_faces.loss_of(torch.randn(8, sum(HEADS.values())), batch, 0.0, 0.1)
    assert {name for name, value in parts.items() if value != 0} == {"what"}


# The training


def test_the_face_reader_learns(patches: FacePatches, trained: tuple[FaceNetwork, Path]) -> None:
    batch = default_collate([FaceSamples([patches], TINY)[index] for index in range(32)])
    torch.manual_seed(TINY.seed)
    losses = []
    for network in (FaceNetwork(), trained[0]):
        with torch.no_grad():
            outputs = copy.deepcopy(network).train()(batch["pixels"])
        losses.append(float(train_faces.loss_of(outputs, batch, 0.0, 0.1)[0]))
    assert np.isfinite(losses).all()
    assert losses[1] < 0.95 * losses[0]


def test_a_checkpoint_holds_the_weights_and_the_run(trained: tuple[FaceNetwork, Path]) -> None:
    saved = torch.load(trained[1], weights_only=True)
    assert saved["step"] == TINY.steps
    assert json.loads(saved["run"])["styles"] == 1
    for name, value in trained[0].state_dict().items():
        assert torch.equal(saved["weights"][name], value)


def test_the_command_lines_pass_on_what_they_are_told(
    monkeypatch: pytest.MonkeyPatch, photos: list[BoardPhoto], patches: FacePatches, tmp_path: Path
) -> None:
    calls: list[tuple[object, ...]] = []
    monkeypatch.setattr(train_faces, "train", lambda *arguments: calls.append(arguments))
    monkeypatch.setattr(face_patches, "write_faces", lambda *arguments: calls.append(arguments))
    np.save(tmp_path / "images.npy", np.asarray(patches.images[:1]))
    np.save(tmp_path / "labels.npy", patches.labels[:1])
    out = tmp_path / "runs" / "a.pt"
    numbers = ["--out", str(out), "--steps", "7", "--seed", "3", "--rate", "0.5"]
    assert train_faces.main(["--patches", str(tmp_path), *numbers]) == 0
    assert calls[0][1:] == (FaceRun(steps=7, rate=0.5, seed=3), out, None)
    labels = str(photos[0].path.parent / "labels.jsonl")
    assert face_patches.main([labels, "--out", str(tmp_path), "--seed", "4", "--jobs", "1"]) == 0
    assert calls[1][1:] == (tmp_path, 4, 1)


def noise(seed: int) -> Image:
    """A crop of noise."""
    return np.random.default_rng(seed).integers(0, 256, (FACE_SIZE[1], FACE_SIZE[0], 3), np.uint8)


def test_torch_onnx_and_pipeline_agree(
    photos: list[BoardPhoto], trained: tuple[FaceNetwork, Path], tmp_path: Path
) -> None:
    network, checkpoint = trained
    exact, shipped = tmp_path / "exact", tmp_path / "shipped"
    for folder in (exact, shipped):
        export("faces", checkpoint, folder)
    quantise("faces", shipped, photos)
    crops = [noise(seed) for seed in range(5)]
    with torch.no_grad():
        wanted = network.eval()(torch.from_numpy(reader_input(crops, FACE_SIZE))).numpy()
    outputs = FaceReader.open(exact).outputs(crops)
    assert outputs.shape == (5, sum(HEADS.values()))
    np.testing.assert_allclose(outputs, wanted, atol=1e-3, rtol=1e-3)
    rounded = FaceReader.open(shipped).outputs(crops)
    assert np.abs(rounded - wanted).mean() < 0.1 * max(1.0, float(np.abs(wanted).max()))
    sizes = [(folder / "model.onnx").stat().st_size for folder in (shipped, exact)]
    assert sizes[0] < 0.5 * sizes[1]
    config = Model.open(shipped).config
    assert (config["heads"], config["margin"]) == (HEADS, FACE_MARGIN)
    assert config["classes"] == {name: list(classes) for name, classes in CLASSES.items()}
