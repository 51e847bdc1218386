"""Rendered scenes: the same for the same seed, with labels that tell the truth, on every table and in every layout."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations, count
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets import render, scene
from datasets.art import draw_card, random_style
from datasets.camera import Camera, Sensor, metered, random_camera, random_sensor
from datasets.layouts import LAYOUTS, Pose, footprint, random_layout
from datasets.light import glare, illumination
from datasets.render import main, render_folder, scene_label
from datasets.scene import Scene, SceneSettings, render_scene
from datasets.skins import Skins, SkinsError
from datasets.tables import PROCEDURES, photo_textures, random_table
from datasets.things import Thing
from engine.tokens import Card, Shape, full_deck, parse_piece
from vision.geometry import quad_iou
from vision.measure import read_labels
from vision.types import Deck, Quad

Random = np.random.Generator

SMALL = SceneSettings(sizes=(320,))
CARDS = replace(SMALL, kinds=(1.0, 0.0, 0.0))


@pytest.fixture(scope="module")
def scenes() -> list[Scene]:
    """Some scenes of all sorts."""
    return [render_scene(seed, replace(SMALL, kinds=(0.6, 0.2, 0.2))) for seed in range(16)]


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """A black table in even light before a good camera, with nothing on it but the pieces."""
    monkeypatch.setattr(scene, "random_table", lambda *_: ("dark", np.zeros((64, 64, 3), np.float32)))
    monkeypatch.setattr(scene, "illumination", lambda _, size: np.ones((size[1], size[0], 3), np.float32))
    monkeypatch.setattr(scene, "glare", lambda _, size: np.zeros((size[1], size[0]), np.float32))
    monkeypatch.setattr(scene, "random_sensor", lambda *_: Sensor(quality=95))
    monkeypatch.setattr(scene, "_distractors", lambda *_: [])
    monkeypatch.setattr(scene, "paint_hand", lambda *_: Thing("other", None, np.zeros((3, 2), np.float32)))


def lay(monkeypatch: pytest.MonkeyPatch, *poses: Pose) -> None:
    """Let every scene lay its first pieces at ``poses``."""
    monkeypatch.setattr(scene, "random_layout", lambda *_: ("laid", list(poses)))


def pieces_of(shown: Scene) -> list[Thing]:
    """What is no "other"."""
    return [thing for thing in shown.things if thing.kind != "other"]


def first(wanted: Callable[[Scene], bool], settings: SceneSettings = CARDS, start: int = 0) -> Scene:
    """The first scene from seed ``start`` that is ``wanted``."""
    return next(shown for shown in (render_scene(seed, settings) for seed in count(start)) if wanted(shown))


# Scenes


@pytest.mark.parametrize("seed", [1, 8])
def test_a_scene_is_a_function_of_its_seed(seed: int) -> None:
    one, other = render_scene(seed, SMALL), render_scene(seed, SMALL)
    np.testing.assert_array_equal(one.image, other.image)
    assert json.dumps(scene_label(one, "a")) == json.dumps(scene_label(other, "a"))
    different = render_scene(seed + 1, SMALL)
    assert one.image.shape != different.image.shape or (one.image != different.image).any()


def test_pictures_have_the_sizes_asked_for(scenes: list[Scene]) -> None:
    for shown in scenes:
        assert shown.image.dtype == np.uint8
        assert shown.image.shape[2] == 3
        assert max(shown.image.shape) == 320
        assert min(shown.image.shape[:2]) >= 180
    assert {shown.image.shape[0] > shown.image.shape[1] for shown in scenes} == {True, False}


def test_names_are_pieces_of_their_kind(scenes: list[Scene]) -> None:
    kinds = set()
    for thing in (thing for shown in scenes for thing in shown.things):
        kinds.add(thing.kind)
        if thing.kind == "other":
            assert thing.name is None
        else:
            assert str(parse_piece(str(thing.name), thing.kind)) == thing.name
    assert kinds == {"card", "tile", "die", "other"}


def test_quads_run_clockwise_and_lie_about_the_picture(scenes: list[Scene]) -> None:
    for shown in scenes:
        height, width = shown.image.shape[:2]
        for thing in pieces_of(shown):
            assert thing.corners.shape == (4, 2)
            assert thing.corners.dtype == np.float32
            assert Quad(thing.corners).area > 0
            assert np.abs(thing.corners - (width / 2, height / 2)).max() < 4 * max(width, height)
            if thing.visible > 0.99:
                slack = 0.04 * max(width, height)
                assert thing.corners.min() > -slack
                assert (thing.corners < np.array([width, height]) + slack).all()


def test_visible_shares_are_shares_and_the_topmost_piece_is_covered_by_none(scenes: list[Scene]) -> None:
    for shown in scenes:
        assert all(0 <= thing.visible <= 1 for thing in shown.things)
        if shown.things and shown.things[-1].kind != "other":
            height, width = shown.image.shape[:2]
            frame = Quad.of([(0, 0), (width, 0), (width, height), (0, height)])
            top = Quad(shown.things[-1].corners)
            inside = cv2.intersectConvexConvex(frame.corners, top.corners)[0] / top.area
            assert shown.things[-1].visible == pytest.approx(inside, abs=0.08)


def test_a_deck_holds_each_card_once_and_one_deck_lies_on_a_table() -> None:
    for seed in range(6):
        for share, bar in {0.0: Shape.RECTANGLE, 1.0: Shape.DIAMOND}.items():
            settings = replace(CARDS, sizes=(160,), ravensburger_share=share)
            names = [str(thing.name) for thing in pieces_of(render_scene(seed, settings))]
            assert len(names) == len(set(names))
            assert all(Card.parse(name).shape is not bar for name in names)


def test_only_the_kinds_asked_for_lie_there() -> None:
    for share, kind in {(1.0, 0.0, 0.0): "card", (0.0, 1.0, 0.0): "tile", (0.0, 0.0, 1.0): "die"}.items():
        shown = [render_scene(seed, replace(SMALL, sizes=(160,), kinds=share)) for seed in range(3)]
        assert {thing.kind for one in shown for thing in pieces_of(one)} == {kind}


def test_a_table_may_be_empty() -> None:
    empty = first(lambda shown: shown.layout == "empty", replace(CARDS, sizes=(160,)), 29)
    assert pieces_of(empty) == []
    label = scene_label(empty, "empty.jpg")
    assert label["cards"] == []


# Labels that tell the truth


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize("distortion", [0.0, -0.06, 0.03])
def test_the_quads_are_where_the_cards_are(monkeypatch: pytest.MonkeyPatch, distortion: float) -> None:
    def camera(*arguments: object) -> Camera:
        return replace(random_camera(*arguments), distortion=distortion)  # type: ignore[arg-type]

    monkeypatch.setattr(scene, "random_camera", camera)
    checked = 0
    for seed in range(4):
        shown = render_scene(seed, replace(CARDS, sizes=(640,)))
        drawn = (shown.image.max(axis=2) > 90).astype(np.uint8)
        told = np.zeros_like(drawn)
        for thing in shown.things:
            cv2.fillPoly(told, [np.round(thing.corners * 16).astype(np.int32)], 1, shift=4)
        if told.mean() > 0.02:
            checked += 1
            assert (drawn & told).sum() / (drawn | told).sum() > 0.93
    assert checked >= 2


@pytest.mark.usefixtures("bare")
def test_a_card_covered_by_half_is_half_visible(monkeypatch: pytest.MonkeyPatch) -> None:
    lay(monkeypatch, Pose(0, 0, 0), Pose(29, 0, 0))
    shown = first(lambda s: len(s.things) == 2 and s.things[1].visible > 0.99, replace(CARDS, sizes=(960,)))
    below, above = (Quad(thing.corners) for thing in shown.things)
    hidden = cv2.intersectConvexConvex(below.corners, above.corners)[0] / below.area
    assert 0.3 < hidden < 0.7  # perspective makes the nearer half the larger one
    assert shown.things[0].visible == pytest.approx(1 - hidden, abs=0.02)


@pytest.mark.usefixtures("bare")
def test_a_card_wholly_covered_is_not_visible_and_a_free_one_wholly(monkeypatch: pytest.MonkeyPatch) -> None:
    lay(monkeypatch, Pose(0, 0, 0), Pose(100, 0, 1), Pose(0, 0, 0))
    shown = first(lambda s: len(s.things) == 3 and s.things[2].visible > 0.99)
    assert shown.things[0].visible < 0.05
    assert shown.things[1].visible > 0.95


@pytest.mark.usefixtures("bare")
def test_a_card_cut_off_by_the_border_is_visible_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    camera = Camera(np.array([[2.0, 0, 0], [0, 2.0, 160], [0, 0, 1]]), (320, 320), 0.0)
    monkeypatch.setattr(scene, "random_camera", lambda _, size, *__: replace(camera, size=size))
    monkeypatch.setattr(scene, "_picture_size", lambda *_: (320, 320))
    lay(monkeypatch, Pose(0, 0, 0))
    shown = first(lambda s: len(s.things) == 1)
    assert shown.things[0].visible == pytest.approx(0.5, abs=0.05)
    assert shown.things[0].corners[:, 0].min() < -40


def test_labels_ignore_what_is_hardly_visible() -> None:
    quad = np.array([[10, 10], [60, 10], [60, 90], [10, 90]], np.float32)
    placed = [
        Thing("card", "1 red solid oval", quad, 0.4),
        Thing("other", None, quad + 100, 1.0),
        Thing("die", "wild", quad + 200, 0.95),
    ]
    label = scene_label(Scene(np.zeros((300, 400, 3), np.uint8), tuple(placed), "wood", "grid"), "x.jpg")
    assert (label["file"], label["size"], label["tags"]) == ("x.jpg", [400, 300], ["wood", "grid"])
    cards, things = label["cards"], label["things"]
    assert isinstance(cards, list)
    assert isinstance(things, list)
    assert [(card["card"], card["ignore"]) for card in cards] == [("1 red solid oval", True), ("wild", False)]
    assert [thing["kind"] for thing in things] == ["card", "other", "die"]


# Every layout and every table


def test_layouts_are_as_many_as_asked_for_and_about_the_origin() -> None:
    seen = set()
    for seed in range(120):
        number = 1 + seed % 30
        name, poses = random_layout(np.random.default_rng(seed), number, (57.0, 88.0))
        seen.add(name)
        assert 1 <= len(poses) <= number
        assert len(poses) == number or name in {"scatter", "overlap"}
        places = np.array([[pose.x, pose.y] for pose in poses])
        np.testing.assert_allclose(places.min(axis=0) + places.max(axis=0), 0, atol=1e-6)
    assert seen == set(LAYOUTS)
    assert random_layout(np.random.default_rng(0), 0, (57.0, 88.0)) == ("empty", [])


def overlaps(poses: list[Pose]) -> list[float]:
    """IoU of every two of them that share anything."""
    quads = [Quad(footprint(pose, (57.0, 88.0)).astype(np.float32)) for pose in poses]
    return [iou for one, other in combinations(quads, 2) if (iou := quad_iou(one, other)) > 0.001]


def test_fans_and_heaps_overlap_and_touching_cards_hardly() -> None:
    found: dict[str, list[float]] = {name: [] for name in LAYOUTS}
    for seed in range(150):
        name, poses = random_layout(np.random.default_rng(seed), 9, (57.0, 88.0))
        found[name] += overlaps(poses)
    assert max(found["touching"]) < 0.25
    assert max(found["overlap"]) > 0.15
    assert max(found["heap"]) > 0.3
    assert max(found["fan"]) > 0.2


def test_a_footprint_turns_clockwise_about_its_middle() -> None:
    upright = footprint(Pose(10, 20, 0), (57, 88))
    np.testing.assert_allclose(upright, [[-18.5, -24], [38.5, -24], [38.5, 64], [-18.5, 64]])
    quarter = footprint(Pose(0, 0, np.pi / 2), (57, 88))
    np.testing.assert_allclose(quarter[0], [44, -28.5], atol=1e-9)


@pytest.mark.parametrize("name", LAYOUTS)
def test_every_layout_can_be_asked_for(name: str) -> None:
    shown = first(lambda s: len(pieces_of(s)) >= 3, replace(CARDS, sizes=(160,), layout=name))
    assert shown.layout == name
    assert sum(thing.visible > 0.3 for thing in pieces_of(shown)) >= 2


@pytest.mark.parametrize("name", PROCEDURES)
def test_every_table_renders(name: str) -> None:
    texture = PROCEDURES[name][0](np.random.default_rng(5))
    assert texture.ndim == 3
    assert texture.shape[2] == 3
    assert texture.dtype == np.float32
    assert texture.min() >= -1
    assert texture.max() <= 300
    assert texture.std() > 0
    shown = render_scene(3, replace(CARDS, sizes=(160,), table=name))
    assert shown.table == name
    assert shown.image.std() > 1


def test_tables_come_in_all_sorts_and_by_seed() -> None:
    made = [random_table(np.random.default_rng(seed))[0] for seed in range(90)]
    assert set(made) == set(PROCEDURES)
    one, other = (random_table(np.random.default_rng(9))[1] for _ in range(2))
    np.testing.assert_array_equal(one, other)


# Camera and light


@pytest.mark.parametrize("light", [0.1, 0.5, 1.5])
def test_a_camera_meters(light: float) -> None:
    scene_light = np.full((160, 240, 3), 60, np.float32)
    scene_light[40:120, 60:180] = 230
    sensor = metered(scene_light * np.float32(light), Sensor(quality=95))
    shown = sensor.expose(scene_light * np.float32(light), np.random.default_rng(1))
    assert np.percentile(shown, 95) == pytest.approx(250, abs=6)


def test_paper_comes_out_as_on_photos() -> None:
    for seed in range(60):
        sensor = random_sensor(np.random.default_rng(seed), (1280, 960))
        paper = sensor.expose(np.full((64, 64, 3), 255, np.float32), np.random.default_rng(2)).mean(axis=(0, 1))
        assert paper.max() > 105
        assert paper.max() / paper.min() < 2.2


def test_a_camera_sees_all_points_most_of_the_time() -> None:
    points = footprint(Pose(0, 0, 0), (400, 300))
    inside = []
    for seed in range(60):
        camera = random_camera(np.random.default_rng(seed), (640, 480), points)
        pixels = camera.project(points)
        inside.append(bool((pixels > -8).all() and (pixels < np.array([648, 488])).all()))
        assert cv2.contourArea(pixels.astype(np.float32), oriented=True) > 0
    assert np.mean(inside) > 0.6


def test_light_stays_within_its_range() -> None:
    for seed in range(8):
        level = illumination(np.random.default_rng(seed), (80, 60))
        assert level.shape == (60, 80, 3)
        assert level.dtype == np.float32
        assert 0.03 <= level.min() <= level.max() <= 2.5
        shine = glare(np.random.default_rng(seed), (80, 60))
        assert shine.shape == (60, 80)
        assert 0 <= shine.min() < shine.max() <= 1


def test_a_sensor_takes_a_picture_and_leaves_the_scene_alone() -> None:
    light = np.full((90, 120, 3), 120, np.float32)
    light[:, 60:] = (30, 60, 200)
    before = light.copy()
    plain = Sensor(quality=100).expose(light, np.random.default_rng(0))
    away = np.abs(plain.astype(int) - light)
    assert max(away[:, :50].max(), away[:, 70:].max()) < 5
    for seed in range(8):
        sensor = random_sensor(np.random.default_rng(seed), (120, 90))
        picture = sensor.expose(light, np.random.default_rng(seed))
        assert picture.shape == light.shape
        assert picture.dtype == np.uint8
        np.testing.assert_array_equal(picture, sensor.expose(light, np.random.default_rng(seed)))
    np.testing.assert_array_equal(light, before)


def test_a_warm_sensor_is_warm_and_a_dark_one_dark() -> None:
    light = np.full((64, 64, 3), 120, np.float32)
    warm = Sensor(gains=(0.6, 0.8, 1.0)).expose(light, np.random.default_rng(0)).mean(axis=(0, 1))
    assert warm[0] < warm[1] < warm[2]
    dark = Sensor(exposure=0.4).expose(light, np.random.default_rng(0)).mean()
    assert dark < 60


# Files


def write_crops(folder: Path, cards: list[Card]) -> None:
    """A folder of crops as ``--crops`` reads it, all from one source."""
    rng = np.random.default_rng(4)
    style = random_style(rng, Deck.US)
    (folder / "one").mkdir(parents=True)
    rows = ["file,card"]
    for number, card in enumerate(cards):
        cv2.imwrite(str(folder / "one" / f"{number}.png"), draw_card(card, style, rng).image)
        rows.append(f"one/{number}.png,{card}")
    (folder / "labels.csv").write_text("\n".join(rows) + "\n")


def test_rendering_writes_labels_that_evaluate_reads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--count", "2", "--seed", "3", "--out", str(tmp_path / "out"), "--jobs", "1"]) == 0
    labels = tmp_path / "out" / "labels.jsonl"
    assert str(labels) in capsys.readouterr().out.replace("\n", "")
    read = read_labels(labels)
    assert len(read) == 2
    for label, line in zip(read, labels.read_text().splitlines(), strict=True):
        image = cv2.imread(str(labels.parent / label.file))
        assert image is not None
        assert label.size == (image.shape[1], image.shape[0])
        things = json.loads(line)["things"]
        assert [piece.name for piece in label.pieces] == [thing["name"] for thing in things if thing["name"]]
        ignored = [thing["visible"] < 0.75 for thing in things if thing["name"]]
        assert [piece.ignore for piece in label.pieces] == ignored


def test_the_number_of_jobs_changes_nothing(tmp_path: Path) -> None:
    settings = replace(SMALL, sizes=(160,))
    for jobs in (1, 2):
        render_folder(tmp_path / str(jobs), 3, 7, settings, jobs)
    files = [sorted((tmp_path / str(jobs)).iterdir()) for jobs in (1, 2)]
    assert [file.name for file in files[0]] == [file.name for file in files[1]]
    assert len(files[0]) == 4
    assert [file.read_bytes() for file in files[0]] == [file.read_bytes() for file in files[1]]


def test_another_seed_renders_other_scenes(tmp_path: Path) -> None:
    settings = replace(SMALL, sizes=(160,))
    one, other = (render_folder(tmp_path / str(seed), 1, seed, settings).read_text() for seed in (1, 2))
    assert one != other


def test_real_crops_and_textures_are_used_where_they_are_given(tmp_path: Path) -> None:
    deck = list(full_deck()[:30])
    write_crops(tmp_path, deck)
    cv2.imwrite(str(tmp_path / "b.jpg"), np.full((60, 80, 3), 99, np.uint8))
    cv2.imwrite(str(tmp_path / "a.jpg"), np.full((60, 80, 3), 99, np.uint8))
    textures = photo_textures(tmp_path)
    assert [path.name for path in textures] == ["a.jpg", "b.jpg"]
    assert photo_textures(None) == ()
    skins = Skins.read(tmp_path)
    assert skins.sources(ravensburger=False) == ["one"]
    assert skins.sources(ravensburger=True) == []
    settings = SceneSettings(skins, textures, (160,), (1.0, 0.0, 0.0), skin_share=1.0, ravensburger_share=0.0)
    shown = [render_scene(seed, settings) for seed in range(8)]
    assert {str(card) for card in deck} >= {str(thing.name) for one in shown for thing in pieces_of(one)}
    assert "photo" in {one.table for one in shown}


def test_crops_with_a_wrong_label_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "labels.csv").write_text(
        "file,card\npascualy__setsolver/00155.jpg,3 red open squiggle\npascualy__setsolver/00154.jpg,1 red open oval\n"
    )
    cards = Skins.read(tmp_path).by_source["pascualy__setsolver"]
    assert [str(card) for card in cards] == ["1 red open oval"]


def test_a_folder_without_crops_says_so(tmp_path: Path) -> None:
    with pytest.raises(SkinsError, match="no labels of crops"):
        Skins.read(tmp_path)
    with pytest.raises(SkinsError, match="no labels of crops"):
        render.main(["--out", str(tmp_path / "out"), "--crops", str(tmp_path)])
