"""From maps to quads: what the training's targets say is what the decoding hears."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets.things import Thing
from models.training.targets import make_target
from vision.geometry import quad_iou
from vision.pixels import STRIDE
from vision.segment import SegmentConfig, Segmenter, decode_maps, suppress
from vision.types import Detection, Kind, Quad

SIZE = (640, 480)
CARD = (1.0, 1.54)
Maps = npt.NDArray[np.float32]


def piece(
    x: float, y: float, side: float, angle: float = 0.0, kind: str = "card", visible: float = 1.0, lean: float = 0.0
) -> Thing:
    """A piece of short side ``side`` pixels at (x, y), turned clockwise by ``angle`` degrees, seen at a slant."""
    width, height = CARD if kind == "card" else (1.0, 1.0)
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [width / 2, height / 2]
    cos, sin = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    corners = half @ np.array([[cos, sin], [-sin, cos]]) * side
    corners[:, 0] *= 1 + lean * corners[:, 1] / side
    return Thing(kind, "1 red solid oval", (corners + np.array([x, y])).astype(np.float32), visible)


def logit(share: Maps) -> Maps:
    """The number whose logistic is ``share``, kept finite."""
    return np.asarray(np.log(np.clip(share, 1e-6, 1 - 1e-6) / (1 - np.clip(share, 1e-6, 1 - 1e-6))), np.float32)


def perfect_maps(things: Sequence[Thing], size: tuple[int, int] = SIZE) -> Maps:
    """What a network without fault would say: (13, rows, columns)."""
    target = make_target(things, size)
    kinds = np.stack([np.where(target.kind == kind, 5, -5) for kind in range(3)]).astype(np.float32)
    heat = np.stack([logit(target.middle), logit(target.mask)])
    return np.concatenate([heat, kinds, target.geometry])


def away(quad: Quad, corners: npt.NDArray[np.float32]) -> float:
    """The largest distance of a corner in pixels, up to a half turn."""
    ways = (corners, np.roll(corners, 2, axis=0))
    return min(float(np.linalg.norm(quad.corners - way, axis=1).max()) for way in ways)


def assert_same(found: Sequence[Detection], things: Sequence[Thing], within: float = 1.0) -> None:
    """Every thing is found once, nearer than ``within`` pixels, as its kind, and nothing else is."""
    left = list(found)
    for thing in things:
        match = min(left, key=lambda d: away(d.quad, thing.corners), default=None)
        assert match is not None, f"nothing left for {thing.corners.tolist()}"
        assert away(match.quad, thing.corners) < within
        assert match.kind == thing.kind
        left.remove(match)
    assert left == []


GRID = [piece(70 + 120 * c, 80 + 150 * r, 80, 3 * c - 2 * r) for r in range(3) for c in range(5)]
TOUCHING = [piece(100 + 80 * c, 100 + 123.2 * r, 80) for r in range(3) for c in range(5)]
THIRTY = [piece(40 + 62 * c, 40 + 90 * r, 48, 90 * (c % 2) * (r % 2)) for r in range(5) for c in range(6)]
CASES = {
    "one": [piece(320, 240, 150, 27)],
    "grid": GRID,
    "touching": TOUCHING,
    "thirty": THIRTY,
    "tiny": [piece(60 + 60 * c, 60 + 70 * r, 14, 17 * c) for r in range(4) for c in range(8)],
    "huge": [piece(320, 240, 280, 80)],
    "any angle": [piece(80 + 120 * (n % 5), 80 + 130 * (n // 5), 60, 23 * n) for n in range(15)],
    "slanted": [piece(150, 150, 100, 30, lean=0.15), piece(400, 250, 120, 100, lean=-0.15)],
    "tiles and dice": [piece(100, 100, 60, 10, "tile"), piece(250, 100, 60, 40, "die"), piece(400, 100, 60, 70)],
}


@pytest.mark.parametrize("things", CASES.values(), ids=CASES.keys())
def test_every_piece_comes_back_and_nothing_else(things: list[Thing]) -> None:
    assert_same(decode_maps(perfect_maps(things), SegmentConfig()), things)


def test_pieces_half_under_others_come_back_whole() -> None:
    row = [piece(120 + 45 * n, 240, 90, 4 * n) for n in range(6)]
    assert_same(decode_maps(perfect_maps(row), SegmentConfig()), row, 2.0)


def test_a_card_laid_across_another_hides_neither() -> None:
    cross = [piece(300, 240, 100), piece(360, 240, 100, 90)]
    assert_same(decode_maps(perfect_maps(cross), SegmentConfig()), cross, 2.0)


@pytest.mark.parametrize(("x", "y"), [(10, 240), (630, 240), (320, 20), (320, 460), (15, 30)])
def test_pieces_cut_off_by_the_border_keep_the_corners_outside(x: float, y: float) -> None:
    cut = [piece(x, y, 90, 12), piece(320, 240, 60)]
    found = decode_maps(perfect_maps(cut), SegmentConfig())
    assert_same(found, cut, 2.0)
    corners = np.concatenate([detection.quad.corners for detection in found])
    assert ((corners < 0) | (corners > np.array(SIZE))).any()


def test_pieces_hardly_seen_are_left_out() -> None:
    seen, hidden = piece(200, 240, 90), piece(420, 240, 90, visible=0.3)
    assert_same(decode_maps(perfect_maps([seen, hidden]), SegmentConfig()), [seen])


def test_things_that_are_no_pieces_are_left_out_and_may_cover_some() -> None:
    card, phone = piece(200, 240, 90), Thing("other", None, piece(420, 240, 150).corners)
    assert_same(decode_maps(perfect_maps([card, phone]), SegmentConfig()), [card])
    cover = Thing("other", None, piece(245, 240, 90).corners)
    assert_same(decode_maps(perfect_maps([card, cover]), SegmentConfig()), [card], 2.0)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_any_scatter_of_cards_comes_back(seed: int) -> None:
    rng = np.random.default_rng(seed)
    things: list[Thing] = []
    for _ in range(60):
        x, y, side = rng.uniform(40, 600), rng.uniform(40, 440), rng.uniform(24, 70)
        if all(np.hypot(*(thing.corners.mean(0) - (x, y))) > 0.93 * (side + 70) for thing in things):
            things.append(piece(x, y, side, rng.uniform(0, 360)))
    assert_same(decode_maps(perfect_maps(things), SegmentConfig()), things)


@pytest.mark.parametrize("level", [-30.0, -2.0])
def test_empty_maps_hold_nothing(level: float) -> None:
    maps = np.zeros((13, 40, 50), np.float32)
    maps[:2] = level
    assert decode_maps(maps, SegmentConfig()) == []
    assert decode_maps(perfect_maps([]), SegmentConfig()) == []


def test_noise_that_stays_low_holds_nothing() -> None:
    rng = np.random.default_rng(3)
    maps = rng.normal(0, 1, (13, 60, 80)).astype(np.float32)
    maps[:2] = rng.uniform(-9, -2, (2, 60, 80))
    assert decode_maps(maps, SegmentConfig()) == []


def test_a_middle_without_a_size_is_no_piece() -> None:
    maps = np.full((13, 30, 30), -8, np.float32)
    maps[5:] = 0
    maps[:2, 12, 12] = 8
    assert decode_maps(maps, SegmentConfig()) == []


def test_maps_are_left_alone_and_only_so_many_are_kept() -> None:
    maps = perfect_maps(GRID)
    before = maps.copy()
    found = decode_maps(maps, SegmentConfig(most=4))
    np.testing.assert_array_equal(maps, before)
    assert len(found) == 4


def test_the_surest_come_first() -> None:
    maps = perfect_maps(GRID)
    maps[1] -= np.linspace(0, 9, maps.shape[2], dtype=np.float32)
    scores = [detection.score for detection in decode_maps(maps, SegmentConfig())]
    assert all(one >= other for one, other in pairwise(scores))
    assert 0 <= scores[-1] < scores[0] <= 1


def detection(x: float, score: float, side: float = 60, kind: Kind = Kind.CARD) -> Detection:
    """A card at (x, 100)."""
    return Detection(Quad(piece(x, 100, side).corners), score, kind)


def test_suppress_keeps_the_surest_of_those_that_share_a_place() -> None:
    low, high, apart = detection(100, 0.5), detection(103, 0.9), detection(200, 0.7)
    assert suppress([low, high, apart], 0.45) == [high, apart]


def test_suppress_keeps_what_overlaps_little_and_does_not_mind_the_kind() -> None:
    one, other = detection(100, 0.5), detection(130, 0.9)
    assert quad_iou(one.quad, other.quad) == pytest.approx(1 / 3, abs=0.01)
    assert suppress([one, other], 0.45) == [other, one]
    assert suppress([one, other], 0.3) == [other]
    tile = detection(100, 0.8, kind=Kind.TILE)
    assert suppress([one, tile], 0.45) == [tile]


def test_suppress_is_not_fooled_by_a_chain() -> None:
    chain = [detection(100, 0.9), detection(115, 0.8), detection(130, 0.7)]
    assert suppress(chain, 0.45) == [chain[0], chain[2]]


def test_suppress_of_nothing_is_nothing() -> None:
    assert suppress([], 0.45) == []


class FakeModel:
    """Says of whatever it is shown that ``things`` lie there, in pixels of its input."""

    def __init__(self, things: Sequence[Thing], longer: int) -> None:
        self.things, self.config = list(things), {"longer": longer, "peak": 0.3, "channels": ["middle"]}
        self.seen: list[npt.NDArray[np.float32]] = []

    def run(self, inputs: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Return (1, 13, rows, columns) maps."""
        self.seen.append(inputs)
        return perfect_maps(self.things, (inputs.shape[3], inputs.shape[2]))[None]


@pytest.mark.parametrize("factor", [0.5, 1.0, 3.0])
def test_detections_are_in_pixels_of_the_picture(factor: float) -> None:
    model = FakeModel([piece(100, 90, 50, 20), piece(200, 90, 50, 100)], 320)
    picture = np.zeros((round(200 * factor), round(320 * factor), 3), np.uint8)
    before = picture.copy()
    found = Segmenter(model).detect(picture)  # type: ignore[arg-type]
    wanted = [Thing(t.kind, t.name, Quad(t.corners).scaled(factor).corners) for t in model.things]
    assert_same(found, wanted, 1.5 * max(1.0, factor))
    assert model.seen[0].shape == (1, 3, 224, 320)
    np.testing.assert_array_equal(picture, before)


def test_maps_have_a_cell_for_every_stride_of_the_input() -> None:
    maps, scale = Segmenter(FakeModel([], 320)).maps(np.zeros((300, 640, 3), np.uint8))  # type: ignore[arg-type]
    assert maps.shape == (13, 160 // STRIDE, 320 // STRIDE)
    assert scale == 0.5


def test_the_numbers_of_the_folder_count_unless_others_are_given() -> None:
    model = FakeModel([], 320)
    assert Segmenter(model).config == SegmentConfig(longer=320, peak=0.3)  # type: ignore[arg-type]
    chosen = SegmentConfig(longer=96)
    assert Segmenter(model, chosen).config is chosen  # type: ignore[arg-type]


class Looking(FakeModel):
    """Sees ``things``, given in pixels of an input ``longer`` wide, at whatever size it is shown them."""

    def run(self, inputs: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Return maps of the things at the size of the input."""
        self.seen.append(inputs)
        factor = inputs.shape[3] / int(str(self.config["longer"]))
        things = [Thing(t.kind, t.name, Quad(t.corners).scaled(factor).corners) for t in self.things]
        return perfect_maps(things, (inputs.shape[3], inputs.shape[2]))[None]


@pytest.mark.parametrize(("side", "widths"), [(30, [320, 640]), (60, [320])])
def test_small_pieces_are_looked_at_again_closer(side: float, widths: list[int]) -> None:
    model = Looking([piece(100, 110, side), piece(220, 110, side, 30)], 320)
    segmenter = Segmenter(model, SegmentConfig(longer=320, closer=640, small=48))  # type: ignore[arg-type]
    found = segmenter.detect(np.zeros((400, 640, 3), np.uint8))
    assert [inputs.shape[3] for inputs in model.seen] == widths
    assert_same(found, [Thing(t.kind, t.name, Quad(t.corners).scaled(2).corners) for t in model.things], 3.0)


def test_an_empty_table_is_looked_at_once() -> None:
    model = Looking([], 320)
    segmenter = Segmenter(model, SegmentConfig(longer=320, closer=640, small=48))  # type: ignore[arg-type]
    assert segmenter.detect(np.zeros((400, 640, 3), np.uint8)) == []
    assert len(model.seen) == 1


@pytest.mark.parametrize(("kind", "certain"), [("card", 1.0), ("tile", 1.0), ("die", 1.0)])
def test_a_detection_says_how_sure_it_is_a_card_or_none(kind: str, certain: float) -> None:
    found = decode_maps(perfect_maps([piece(100, 90, 50, kind=kind)]), SegmentConfig(card=0.0))[0]
    assert found.kind is Kind(kind)
    assert found.kind_score == pytest.approx(certain, abs=1e-3)


def test_cards_are_likelier_than_in_training_and_tile_or_die_is_no_doubt_about_that() -> None:
    maps = perfect_maps([piece(100, 90, 50)])
    maps[2:5] = 0.0
    torn = decode_maps(maps, SegmentConfig(card=0.0))[0]
    assert torn.kind is not Kind.CARD
    assert torn.kind_score == pytest.approx(2 / 3, abs=1e-3)
    assert decode_maps(maps, SegmentConfig(card=1.5))[0].kind is Kind.CARD
