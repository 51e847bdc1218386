"""Reading crops: corrected corners, the order of the outputs, and the average of two looks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.classify import HEADS, Classifier, ClassifyConfig, shifted
from vision.geometry import homography, transform
from vision.pixels import CROP_MARGIN, CROP_SIZE, card_crop, reader_input
from vision.types import Detection, Image, Kind, Quad

Floats = npt.NDArray[np.float32]

UNIT = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64)
CARD = Quad.of([(100, 80), (160, 90), (150, 185), (88, 172)])
PLACES = dict(zip(HEADS, np.cumsum([0, *HEADS.values()]), strict=False))
WIDTH = sum(HEADS.values())


def row(number: int = 0, readable: float = 8.0, turned: float = -8.0, wild: float = -8.0, sure: float = 6.0) -> Floats:
    """Outputs that speak for ``number`` and the first value of all other features."""
    out = np.zeros(WIDTH, np.float32)
    for name, value in {"number": number, "colour": 0, "shading": 0, "shape": 0}.items():
        out[PLACES[name] + value] = sure
    out[PLACES["readable"]], out[PLACES["turned"]], out[PLACES["wild"]] = readable, turned, wild
    return out


class FakeModel:
    """Answers with ``answers``, one array for each call."""

    def __init__(self, *answers: Floats) -> None:
        self.answers = list(answers)
        self.config: dict[str, object] = {}
        self.seen: list[Floats] = []

    def run(self, inputs: Floats) -> Floats:
        """Return the next answer."""
        self.seen.append(inputs)
        return self.answers[len(self.seen) - 1]


def reader(*answers: Sequence[Floats], config: ClassifyConfig | None = None) -> tuple[Classifier, FakeModel]:
    """A classifier that hears ``answers`` from its network, one list of rows for each call."""
    model = FakeModel(*(np.stack(list(rows)) for rows in answers))
    return Classifier(model, config), model  # type: ignore[arg-type]


@pytest.fixture
def picture() -> Image:
    """A picture that looks different everywhere."""
    return np.random.default_rng(2).integers(0, 256, (260, 260, 3), np.uint8)


def softmax(logits: Floats) -> Floats:
    """Probabilities of one row of logits."""
    return np.asarray(np.exp(logits) / np.exp(logits).sum(), np.float32)


@given(st.lists(st.floats(-0.08, 0.08), min_size=8, max_size=8))
def test_shifts_lead_back_to_the_true_corners(wrong: list[float]) -> None:
    crop = Quad(CARD.corners + np.array(wrong, np.float32).reshape(4, 2) * 60)
    seen_in_crop = transform(CARD.corners, homography(crop.corners, UNIT))
    shifts = np.asarray(seen_in_crop - UNIT, np.float32).reshape(8)
    assert np.abs(shifted([crop], shifts[None])[0].corners - CARD.corners).max() < 0.05


def test_no_shift_leaves_the_corners_alone() -> None:
    same = shifted([CARD], np.zeros((1, 8), np.float32))[0]
    np.testing.assert_allclose(same.corners, CARD.corners, atol=1e-3)


def test_a_shift_is_in_sides_of_the_piece() -> None:
    square = Quad.of([(0, 0), (50, 0), (50, 100), (0, 100)])
    shifts = np.array([0.1, 0, 0, 0.1, -0.1, 0, 0, -0.1], np.float32)
    expected = [[5, 0], [50, 10], [45, 100], [0, 90]]
    np.testing.assert_allclose(shifted([square], shifts[None])[0].corners, expected, atol=1e-3)


def test_a_turned_piece_gets_its_short_side_first_and_stays_clockwise() -> None:
    lying = Quad.of([(0, 0), (154, 0), (154, 100), (0, 100)])
    upright = shifted([lying], np.zeros((1, 8), np.float32), [True])[0]
    assert upright.short_side == pytest.approx(100)
    assert upright.long_side == pytest.approx(154)
    assert upright.area == pytest.approx(lying.area)


TWO_LOOKS = ClassifyConfig(looks=2, sure=2.0)
"""Never sure: every piece gets both looks."""


def test_a_sure_look_at_a_piece_in_its_place_is_enough(picture: Image) -> None:
    classifier, model = reader([row(sure=9)])
    classifier.read(picture, [Detection(CARD, 0.9)])
    assert len(model.seen) == 1


def test_only_what_is_unsure_or_out_of_place_is_looked_at_again(picture: Image) -> None:
    moved = row(sure=9)
    moved[PLACES["corners"] :] = [0.1, 0.02] * 4
    found = [Detection(CARD.scaled(0.8 + 0.1 * n), 0.9) for n in range(4)]
    first = [row(sure=9), row(sure=1), moved, row(sure=9, turned=8)]
    classifier, model = reader(first, [row(sure=9)] * 3)
    classifier.read(picture, found)
    assert [len(seen) for seen in model.seen] == [4, 3]


def test_an_unsure_piece_is_looked_at_upside_down(picture: Image) -> None:
    classifier, model = reader([row()], [row()], config=TWO_LOOKS)
    classifier.read(picture, [Detection(CARD, 0.9)])
    crop = card_crop(picture, CARD)
    assert len(model.seen) == 2
    np.testing.assert_array_equal(model.seen[0], reader_input([crop]))
    np.testing.assert_array_equal(model.seen[1], reader_input([np.ascontiguousarray(crop[::-1, ::-1])]))


def test_the_second_look_uses_the_corrected_corners(picture: Image) -> None:
    moved = row()
    moved[PLACES["corners"] :] = [0.09, 0.02] * 4
    classifier, model = reader([moved], [row()])
    evidence = classifier.read(picture, [Detection(CARD, 0.9)])[0]
    quad = shifted([CARD], moved[None, PLACES["corners"] :])[0]
    np.testing.assert_allclose(evidence.detection.quad.corners, quad.corners, atol=1e-3)
    np.testing.assert_array_equal(evidence.crop, card_crop(picture, quad))
    np.testing.assert_array_equal(model.seen[1], reader_input([np.ascontiguousarray(evidence.crop[::-1, ::-1])]))
    assert evidence.detection.score == 0.9


def test_corners_seen_upside_down_are_moved_the_right_way() -> None:
    plain = np.full((260, 260, 3), 120, np.uint8)
    off = np.array([[0.08, 0.02], [-0.03, 0.06], [0.01, -0.07], [0.05, 0.04]], np.float32)
    second = row()
    second[PLACES["corners"] :] = -np.roll(off, 2, axis=0).reshape(8)
    classifier, _ = reader([row()], [second], config=TWO_LOOKS)
    evidence = classifier.read(plain, [Detection(CARD, 0.9)])[0]
    wanted = shifted([CARD], off.reshape(1, 8))[0]
    assert np.abs(evidence.detection.quad.corners - wanted.corners).max() < 0.3


def test_two_looks_that_agree_are_surer_than_two_that_do_not(picture: Image) -> None:
    found = [Detection(CARD, 0.9)]
    same = reader([row(1)], [row(1)], config=TWO_LOOKS)[0].read(picture, found)[0]
    mixed = reader([row(1)], [row(2)], config=TWO_LOOKS)[0].read(picture, found)[0]
    assert int(same.logs["number"].argmax()) == 1
    assert float(mixed.logs["number"].max()) < float(same.logs["number"].max())
    one, two = float(mixed.logs["number"][1]), float(mixed.logs["number"][2])
    assert min(one, two) > float(mixed.logs["number"][0])


def test_two_equal_looks_give_just_what_they_say(picture: Image) -> None:
    evidence = reader([row(2, sure=1.5)], [row(2, sure=1.5)], config=TWO_LOOKS)[0].read(
        picture, [Detection(CARD, 0.9)]
    )[0]
    for name, value in {"number": 2, "colour": 0, "shading": 0, "shape": 0}.items():
        logits = np.zeros(HEADS[name], np.float32)
        logits[value] = 1.5
        np.testing.assert_allclose(np.exp(evidence.logs[name]), softmax(logits), atol=1e-5)


def test_log_probabilities_add_up_to_one_and_stay_finite(picture: Image) -> None:
    wild = np.random.default_rng(4).normal(0, 300, (2, WIDTH)).astype(np.float32)
    wild[:, PLACES["corners"] :] = 0
    classifier, _ = reader([wild[0]], [wild[1]], config=TWO_LOOKS)
    evidence = classifier.read(picture, [Detection(CARD, 0.9)])[0]
    for name, logs in evidence.logs.items():
        assert logs.shape == (HEADS[name],)
        assert np.isfinite(logs).all()
        assert np.exp(logs).sum() == pytest.approx(1, abs=1e-4)
    assert 0 <= evidence.readable <= 1
    assert 0 <= evidence.wild <= 1


def test_one_look_that_sees_nothing_is_enough_to_doubt_that_it_is_a_piece(picture: Image) -> None:
    found = [Detection(CARD, 0.9)]
    for first, second in [(8.0, -8.0), (-8.0, 8.0)]:
        classifier, _ = reader([row(readable=first)], [row(readable=second)], config=TWO_LOOKS)
        assert classifier.read(picture, found)[0].readable < 0.01
    assert reader([row()], [row()])[0].read(picture, found)[0].readable > 0.99


def test_what_looks_turned_however_it_is_cut_is_as_readable_as_the_looks_say(picture: Image) -> None:
    classifier, _ = reader(*[[row(turned=8, readable=-8)]] * ClassifyConfig().looks)
    assert classifier.read(picture, [Detection(CARD, 0.9)])[0].readable < 0.01


def test_a_wild_face_is_told(picture: Image) -> None:
    found = [Detection(CARD, 0.9, Kind.DIE)]
    evidence = reader([row(wild=8)], [row(wild=8)])[0].read(picture, found)[0]
    assert evidence.wild > 0.99
    assert evidence.detection.kind is Kind.DIE


def test_a_sideways_cut_is_turned_and_its_first_look_does_not_count(picture: Image) -> None:
    lying = Quad(np.roll(CARD.corners, 1, axis=0))
    sideways, upright = row(0, turned=8), row(2)
    classifier, _ = reader([sideways, row(1)], [upright, row(1)], config=TWO_LOOKS)
    evidence = classifier.read(picture, [Detection(lying, 0.9), Detection(CARD, 0.8)])
    np.testing.assert_allclose(evidence[0].detection.quad.corners, CARD.corners, atol=1e-3)
    assert int(evidence[0].logs["number"].argmax()) == 2
    assert np.exp(evidence[0].logs["number"][2]) == pytest.approx(softmax(np.array([0, 0, 6], np.float32))[2], abs=1e-3)
    assert int(evidence[1].logs["number"].argmax()) == 1


def test_results_keep_the_order_of_the_detections(picture: Image) -> None:
    found = [Detection(CARD.scaled(0.8 + 0.1 * n), 0.5 + 0.1 * n) for n in range(3)]
    rows = [row(number) for number in (2, 0, 1)]
    evidence = reader(rows, rows)[0].read(picture, found)
    assert [int(item.logs["number"].argmax()) for item in evidence] == [2, 0, 1]
    assert [item.detection.score for item in evidence] == [item.score for item in found]


def test_crops_go_through_in_batches(picture: Image) -> None:
    rows = [row(n % 3) for n in range(5)]
    classifier, model = reader(rows[:2], rows[2:4], rows[4:], config=ClassifyConfig(batch=2))
    outputs = classifier.outputs([card_crop(picture, CARD)] * 5)
    assert [len(inputs) for inputs in model.seen] == [2, 2, 1]
    np.testing.assert_array_equal(outputs, np.stack(rows))


def test_the_numbers_of_the_folder_count_unless_others_are_given() -> None:
    model = FakeModel()
    model.config = {"turned": 0.7, "batch": 8, "heads": {}, "crop": [112, 168]}
    assert Classifier(model).config == ClassifyConfig(turned=0.7, batch=8)  # type: ignore[arg-type]
    chosen = ClassifyConfig(batch=4)
    assert Classifier(model, chosen).config is chosen  # type: ignore[arg-type]


def test_nothing_found_is_nothing_read(picture: Image) -> None:
    classifier, model = reader()
    assert classifier.read(picture, []) == []
    assert classifier.outputs([]).shape == (0, WIDTH)
    assert model.seen == []


def test_the_picture_stays_as_it_was(picture: Image) -> None:
    before = picture.copy()
    reader([row()], [row()])[0].read(picture, [Detection(CARD, 0.9)])
    np.testing.assert_array_equal(picture, before)


def test_a_crop_of_the_evidence_has_the_readers_size(picture: Image) -> None:
    evidence = reader([row()], [row()])[0].read(picture, [Detection(CARD, 0.9)])[0]
    assert evidence.crop.shape == (CROP_SIZE[1], CROP_SIZE[0], 3)
    assert evidence.crop.dtype == np.uint8


def test_the_shipped_reader_was_made_for_these_heads_and_crops() -> None:
    classifier = Classifier.open()
    heads = classifier.model.config["heads"]
    assert isinstance(heads, dict)
    assert list(heads.items()) == list(HEADS.items())
    assert (classifier.model.config["crop"], classifier.model.config["margin"]) == (list(CROP_SIZE), CROP_MARGIN)
    blank = np.full((CROP_SIZE[1], CROP_SIZE[0], 3), 200, np.uint8)
    assert classifier.outputs([blank]).shape == (1, WIDTH)
