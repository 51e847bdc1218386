"""Finding without reading: which finds count, and how they agree with boxes."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from vision.find_only import BoxesError, PieceFinder, compare_boxes, compare_found, read_boxes
from vision.finder import Finder, Sight
from vision.load import Limits, TooManyPixelsError
from vision.truth import Label, LabelFileError, LabelledPiece
from vision.types import Detection, Image, Kind, Quad


def square(x: float, y: float = 0.0, side: float = 20.0) -> Quad:
    return Quad.of([(x, y), (x + side, y), (x + side, y + side), (x, y + side)])


@dataclass
class Seer:
    """Sees what it is told to in every picture."""

    detections: Sequence[Detection]

    def look(self, image: Image) -> Sight:
        """Return what it is told to see."""
        assert image.shape == (160, 320, 3)
        return Sight(
            tuple(self.detections),
            np.zeros((0, 3), np.float32),
            np.zeros((1, 1), np.float32),
            4.0,
            np.ones((1, 1), np.float32),
        )


DIE = Detection(square(0), 0.9, Kind.DIE)
TILE = Detection(square(30), 0.9, Kind.TILE)
PRINTED = Detection(square(60), 0.9, Kind.TILE, raised=0.2)
FAINT = Detection(square(90), 0.1, Kind.DIE)


@pytest.mark.parametrize(("pictures", "wanted"), [(False, [DIE, TILE, PRINTED]), (True, [DIE, TILE])])
def test_pictures_of_tiles_are_none(pictures: bool, wanted: list[Detection], jpeg: bytes) -> None:
    found = PieceFinder(Seer([DIE, TILE, PRINTED, FAINT])).find(jpeg, Limits(), pictures=pictures)
    assert [quad.tolist() for quad in found.quads] == [one.quad.tolist() for one in wanted]
    assert found.ms > 0


def test_the_limits_hold(jpeg: bytes) -> None:
    with pytest.raises(TooManyPixelsError):
        PieceFinder(Seer([])).find(jpeg, Limits(max_pixels=100))


def test_the_shipped_finder_is_warm(monkeypatch: pytest.MonkeyPatch) -> None:
    warmed: list[tuple[int, ...]] = []

    class Network(Seer):
        def maps(self, image: Image) -> None:
            """Note the size of the picture."""
            warmed.append(image.shape)

    monkeypatch.setattr(Finder, "open", lambda: Network([DIE]))
    finder = PieceFinder.shipped()
    assert warmed == [(480, 640, 3)]
    assert isinstance(finder.finder, Network)


BOXED = Label("dice.jpg", (100, 100), (LabelledPiece(square(0).corners, ""), LabelledPiece(square(50).corners, "")))


def test_boxes_are_found_once_each_and_what_lies_in_none_is_extra() -> None:
    score = compare_boxes(BOXED, [square(3, 2, 18), square(5), square(-8, -8, 60), square(80)])
    counts = score.counts
    assert (counts.pieces, counts.found, counts.invented, score.invented) == (2, 1, 2, (2, 3))
    assert len(score.missed) == 1


def test_of_labelled_pieces_a_second_find_is_extra_too() -> None:
    assert compare_found(BOXED, [square(1), square(5), square(50)]).counts.invented == 1


def test_names_do_not_matter() -> None:
    label = Label("dice.jpg", (9, 9), (LabelledPiece(square(0).corners, "2 red oval"),))
    assert compare_found(label, [square(1)]).counts.found == 1


BOX = {"top_face_pips": 3, "x0": 10, "y0": 20.0, "x1": 30, "y1": 45.5}


def test_boxes_are_read(tmp_path: Path) -> None:
    path = tmp_path / "labels.json"
    path.write_text(json.dumps({"a.jpg": {"boxes": [BOX]}, "b.jpg": {"boxes": []}}), encoding="utf-8")
    labels = read_boxes(path)
    assert labels is not None
    assert [(label.file, label.size, len(label.pieces)) for label in labels] == [
        ("a.jpg", (30, 46), 1),
        ("b.jpg", (1, 1), 0),
    ]
    assert labels[0].pieces[0].quad.tolist() == [[10, 20], [30, 20], [30, 45.5], [10, 45.5]]


@pytest.mark.parametrize(
    "text", ['{"file": "a.jpg", "size": [3, 4], "cards": []}\n', "", "{}\n{}\n", "[]", "[" * 100_000, "\xff"]
)
def test_other_files_are_none_of_boxes(text: str, tmp_path: Path) -> None:
    path = tmp_path / "labels.json"
    path.write_text(text, encoding="latin-1")
    assert not read_boxes(path)


@pytest.mark.parametrize(
    "boxes",
    [
        3,
        ["x"],
        [{**BOX, "x1": 10}],
        [{**BOX, "y1": 1}],
        [{**BOX, "x0": True}],
        [{**BOX, "x0": "1"}],
        [{"x0": 1, "y0": 2, "x1": 3}],
        [{**BOX, "x1": 1e999}],
    ],
)
def test_a_malformed_box_is_named(boxes: object, tmp_path: Path) -> None:
    path = tmp_path / "labels.json"
    path.write_text(json.dumps({"a.jpg": {"boxes": boxes}}), encoding="utf-8")
    with pytest.raises(BoxesError, match=re.escape("labels.json, 'a.jpg': ")):
        read_boxes(path)


def test_a_photo_without_its_list_of_boxes_is_named(tmp_path: Path) -> None:
    path = tmp_path / "labels.json"
    path.write_text(json.dumps({"a.jpg": {"boxes": []}, "b.jpg": {}}), encoding="utf-8")
    with pytest.raises(BoxesError, match=re.escape("'b.jpg': 'boxes' is missing")):
        read_boxes(path)


def test_a_file_that_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(LabelFileError, match="cannot read the labels"):
        read_boxes(tmp_path / "none.json")
