"""From maps to what is seen: what the finder's targets say is what its decoding hears."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

pytest.importorskip("torch", reason="the finder's targets live beside its training: make test-train")

from datasets.things import Thing
from models.training.board_photos import BoardLabel, View
from models.training.board_targets import BoardTarget, make_board_target
from vision.finder import Finder, FinderConfig, Sight, decode_crossings, decode_pieces
from vision.geometry import homography, quad_iou
from vision.model import sigmoid
from vision.pixels import STRIDE
from vision.types import Detection, Image, Kind, Quad

SIZE = (640, 480)
Maps = npt.NDArray[np.float32]
Points = npt.NDArray[np.float32]
CONFIG = FinderConfig()


def square(x: float, y: float, side: float, angle: float = 0.0) -> Points:
    """A square of ``side`` pixels at (x, y), turned clockwise by ``angle`` degrees."""
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * side / 2
    cos, sin = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    return np.asarray(half @ np.array([[cos, sin], [-sin, cos]]) + [x, y], np.float32)


def board(kind: str = "cubed", lines: bool = True) -> BoardLabel:
    """A board of 8 x 10 squares that leaves the picture at the right."""
    sheet = np.array([[80, 60], [700, 90], [680, 440], [60, 420]], np.float64)
    matrix = homography([[0, 0], [10, 0], [10, 8], [0, 8]], sheet)
    return BoardLabel(kind, 8, 10, matrix, sheet.astype(np.float32), lines)


def view(
    things: Sequence[Thing], label: BoardLabel | None = None, bodies: Sequence[Points | None] | None = None
) -> View:
    """What a picture shows."""
    return View(tuple(things), tuple(bodies or [None] * len(things)), label)


def logit(share: Maps) -> Maps:
    """The number whose logistic is ``share``, kept finite."""
    kept = np.clip(share, 1e-6, 1 - 1e-6)
    return np.asarray(np.log(kept / (1 - kept)), np.float32)


def maps_of(target: BoardTarget) -> Maps:
    """The maps of a network that says exactly what the target says."""
    layers = [logit(target.middle), logit(target.mask), *(logit((target.kind == k).astype(np.float32)) for k in (0, 1))]
    layers += [logit(np.maximum(target.raised, 0)), logit(target.crossing), logit(target.board)]
    return np.concatenate([np.stack(layers), target.geometry]).astype(np.float32)


def seen(things: Sequence[Thing], label: BoardLabel | None = None, bodies: Sequence[Points | None] = ()) -> Maps:
    """Perfect maps of a picture."""
    return maps_of(make_board_target(view(things, label, bodies or None), SIZE))


def best(found: Sequence[Detection], corners: Points) -> tuple[Detection, float]:
    """The detection that overlaps the corners most."""
    ranked = max(found, key=lambda one: quad_iou(one.quad, Quad(corners)))
    return ranked, quad_iou(ranked.quad, Quad(corners))


# Pieces


@pytest.mark.parametrize("side", [22, 40, 90])
def test_dice_in_a_chain_come_back_each_with_its_corners(side: int) -> None:
    places = [(100, 100, 3), (100 + side, 102, 47), (100 + 2 * side, 104, 91), (300, 300, 30), (500, 300, 170)]
    dice = [Thing("die", "2 red oval", square(x, y, side * 0.92, turn)) for x, y, turn in places]
    found = decode_pieces(seen(dice), CONFIG)
    assert len(found) == len(dice)
    for die in dice:
        detection, overlap = best(found, die.corners)
        assert overlap > 0.93
        assert detection.kind is Kind.DIE
        assert detection.score > 0.9
        assert detection.kind_score > 0.99
        assert detection.quad.area > 0


def test_a_loose_tile_is_told_from_a_printed_space() -> None:
    things = [Thing("tile", "1 red oval", square(150, 150, 60)), Thing("space", "1 red oval", square(350, 150, 60))]
    found = decode_pieces(seen(things), CONFIG)
    assert [one.kind for one in found] == [Kind.TILE] * 2
    assert best(found, things[0].corners)[0].raised > 0.99
    assert best(found, things[1].corners)[0].raised < 0.01


@pytest.mark.parametrize(
    "thing",
    [
        Thing("card", "1 red solid oval", square(200, 200, 90)),
        Thing("other", None, square(200, 200, 90)),
        Thing("die", "wild", square(200, 200, 60), 0.3),
    ],
)
def test_cards_and_clutter_and_what_is_mostly_hidden_are_no_pieces(thing: Thing) -> None:
    assert decode_pieces(seen([thing]), CONFIG) == []


def test_what_is_mostly_hidden_counts_neither_way() -> None:
    hidden, whole = Thing("die", "wild", square(200, 200, 60), 0.3), Thing("die", "wild", square(400, 200, 60))
    target = make_board_target(view([hidden, whole]), SIZE)
    assert target.weight[200 // STRIDE, 200 // STRIDE] == 0
    assert target.weight[200 // STRIDE, 400 // STRIDE] == 1


def test_the_side_of_a_die_hides_a_space_and_no_other_top() -> None:
    space = Thing("space", "1 red oval", square(200, 240, 60))
    back, front = Thing("die", "wild", square(200, 180, 60)), Thing("die", "wild", square(200, 250, 60))
    body = np.array([[170, 150], [230, 150], [230, 260], [170, 260]], np.float32)
    alone = make_board_target(view([space, back], bodies=[None, body]), SIZE)
    # In either order the top in front stays whole.
    for things, bodies in (([back, front], [body, None]), ([front, back], [None, body])):
        target = make_board_target(view(things, bodies=bodies), SIZE)
        assert target.kind[250 // STRIDE, 200 // STRIDE] == 0
    assert alone.kind[240 // STRIDE, 200 // STRIDE] == -1
    assert alone.kind[266 // STRIDE, 200 // STRIDE] == 1


# Crossings and the board


def test_crossings_come_back_to_a_fraction_of_a_pixel() -> None:
    label = board()
    found = decode_crossings(seen([], label), CONFIG)
    inside = [p for p in label.crossings if 0 <= p[0] <= SIZE[0] - STRIDE and 0 <= p[1] <= SIZE[1] - STRIDE]
    assert len(inside) > 70
    assert len(inside) <= len(found) <= len(inside) + 2
    for point in inside:
        assert np.hypot(*(found[:, :2] - point).T).min() < 0.25
    assert (found[:, 2] > 0.75).all()


def test_a_die_hides_the_crossings_under_its_body() -> None:
    label = board()
    point = label.crossings[4 * 11 + 4]
    die = Thing("die", "wild", square(float(point[0]), float(point[1]) - 30, 40))
    body = np.concatenate([die.corners[:2], die.corners[2:] + np.array([0, 30], np.float32)])

    def nearest(maps: Maps) -> float:
        return float(np.hypot(*(decode_crossings(maps, CONFIG)[:, :2] - point).T).min())

    assert nearest(seen([die], label)) < 0.25
    assert nearest(seen([die], label, [body])) > 20


def test_crossings_count_only_where_lines_are_printed_and_nothing_may_hide_them() -> None:
    clutter = Thing("other", None, square(300, 250, 80))
    target = make_board_target(view([clutter], board()), SIZE)
    assert target.crossing_weight[250 // STRIDE, 300 // STRIDE] == 0
    assert target.crossing_weight[250 // STRIDE, 200 // STRIDE] == 1
    bare = make_board_target(view([], board(lines=False)), SIZE)
    assert not bare.crossing.any()
    assert bare.crossing_weight[250 // STRIDE, 300 // STRIDE] == 0
    assert bare.crossing_weight[2, 2] == 1
    junior = make_board_target(view([], board("junior-1")), SIZE)
    assert not junior.crossing.any()
    assert (junior.crossing_weight == 1).all()


def test_the_board_is_where_its_sheet_lies() -> None:
    target = make_board_target(view([], board()), SIZE)
    assert target.board[250 // STRIDE, 300 // STRIDE] == 1
    assert target.board[10 // STRIDE, 300 // STRIDE] == 0


def test_nothing_is_seen_beyond_the_picture() -> None:
    frame = np.array([[-9, -9], [300, -9], [300, 500], [-9, 500]], np.float32)
    maps = maps_of(make_board_target(replace(view([], board()), frame=frame), SIZE))
    found = decode_crossings(maps, CONFIG)
    assert len(found) > 20
    assert found[:, 0].max() < 302
    assert sigmoid(maps[6])[250 // STRIDE, 200 // STRIDE] > 0.99
    assert sigmoid(maps[6])[250 // STRIDE, 400 // STRIDE] < 0.01


# The pipeline


class FakeModel:
    """Answers with perfect maps of the same picture at whatever size it is asked for."""

    config: dict[str, object]

    def __init__(self, things: Sequence[Thing], label: BoardLabel | None) -> None:
        """Remember what lies there; the picture is ``SIZE``."""
        self.things, self.label, self.config = things, label, {"longer": 640, "closer": 1280, "small": 30.0}
        self.asked: list[int] = []

    def run(self, pixels: Maps) -> Maps:
        """Return the maps for an input of any size."""
        width, height = pixels.shape[3], pixels.shape[2]
        self.asked.append(width)
        zoom = np.diag([width / SIZE[0], width / SIZE[0], 1.0])
        zoom[:2, 2] = width / SIZE[0] / 2 - 0.5
        scaled = [
            Thing(t.kind, t.name, Quad(t.corners).scaled(width / SIZE[0]).corners, t.visible) for t in self.things
        ]
        label = None if self.label is None else self.label.seen_through(zoom)
        return maps_of(make_board_target(view(scaled, label), (width, height)))[None]


@pytest.mark.parametrize(("side", "asked"), [(60, [640]), (24, [640, 1280])])
def test_small_pieces_are_looked_at_again(side: int, asked: list[int]) -> None:
    thing = Thing("tile", "1 red oval", square(150, 150, side, 20))
    model = FakeModel([thing], board())
    sight = Finder(model).look(np.zeros((SIZE[1], SIZE[0], 3), np.uint8))  # type: ignore[arg-type]
    assert model.asked == asked
    assert best(sight.detections, thing.corners)[1] > 0.93
    inside = board().crossings[12]
    assert np.hypot(*(sight.crossings[:, :2] - inside).T).min() < 0.4
    row, column = (int((at + 0.5) / sight.board_scale) for at in (250, 300))
    assert sight.board[row, column] > 0.99


def test_an_empty_picture_shows_nothing() -> None:
    sight = Finder(FakeModel([], None)).look(np.zeros((SIZE[1], SIZE[0], 3), np.uint8))  # type: ignore[arg-type]
    assert sight.detections == ()
    assert sight.crossings.shape == (0, 3)
    assert isinstance(sight, Sight)
    assert sight.board.max() < 0.01


def test_the_picture_is_left_alone(tmp_path: Path) -> None:
    picture: Image = np.random.default_rng(1).integers(0, 256, (SIZE[1], SIZE[0], 3), np.uint8)
    before = picture.copy()
    Finder(FakeModel([], None)).look(picture)  # type: ignore[arg-type]
    np.testing.assert_array_equal(picture, before)
