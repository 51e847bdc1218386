"""What the confidence of dice and tiles is fitted on: their log-odds as the network gives them, and no cards."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

pytest.importorskip("sklearn", reason="calibration needs what comes with torch: make test-train")

from engine.tokens import Face
from models.training import calibrate_faces
from models.training.platt import log_odds
from vision.faces import FaceReader
from vision.finder import Finder
from vision.load import Loaded
from vision.model import shipped_folder
from vision.table import Asked, TableReader
from vision.types import Frame, Kind, Quad, Reading

SQUARES = [[[left, 10.0], [left + 20, 10.0], [left + 20, 30.0], [left, 30.0]] for left in (10.0, 50.0, 90.0)]
SAID = (("1 red oval", 0.9), ("wild", 0.6), ("3 red oval", 0.8))


@pytest.fixture(scope="module")
def reader() -> TableReader:
    """The shipped networks, their confidences calibrated to anything but what they say."""
    shipped = TableReader(Finder.open(), FaceReader.open())
    names = replace(shipped.config.names, whole=3.0, bias=-2.0, wild_whole=0.5, wild_bias=1.0)
    return TableReader(shipped.finder, shipped.faces, replace(shipped.config, names=names))


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    """A picture with two dice and a card, and one with a card alone."""
    names = ("1 red oval", "3 red oval", "3 red solid oval")
    pieces = [{"quad": quad, "card": name} for quad, name in zip(SQUARES, names, strict=True)]
    cv2.imwrite(str(tmp_path / "a.png"), np.zeros((60, 120, 3), np.uint8))
    lines = [
        {"file": "a.png", "size": [120, 60], "cards": pieces},
        {"file": "none.png", "size": [120, 60], "cards": pieces[2:]},
    ]
    path = tmp_path / "labels.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def seen(self: TableReader, loaded: Loaded, asked: Asked) -> Frame:
    """Three dice, read with the confidence that the numbers of ``self`` make of what is said."""
    del asked
    names = self.config.names
    readings = []
    for quad, (name, says) in zip(SQUARES, SAID, strict=True):
        wild = name == "wild"
        whole, bias = (names.wild_whole, names.wild_bias) if wild else (names.whole, names.bias)
        confidence = float(1 / (1 + np.exp(-(whole * log_odds(says) + bias))))
        readings.append(Reading(Quad.of(quad), Face.parse(name), confidence, kind=Kind.DIE))
    return Frame(loaded.size, tuple(readings), None, 1.0, {})


def test_names_of_dice_are_collected_as_the_network_says_them(
    reader: TableReader, labels: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TableReader, "read", seen)
    named = calibrate_faces.collect(reader, [labels])
    assert named.odds[named.right] == pytest.approx(log_odds([[0.9]]), abs=1e-6)
    assert named.odds[~named.right] == pytest.approx(log_odds([[0.6]]), abs=1e-6)
    assert named.wild.tolist() == (~named.right).tolist()


def test_the_numbers_are_those_that_the_reader_opens_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    faces = Path(shutil.copytree(shipped_folder("faces"), tmp_path / "faces"))
    rng = np.random.default_rng(6)
    odds, wild = rng.normal(3, 2, (6000, 1)), rng.random(6000) < 0.5
    truth = np.where(wild, 0.7 * odds[:, 0] + 0.2, 1.5 * odds[:, 0] - 0.5)
    right = rng.random(6000) < 1 / (1 + np.exp(-truth))
    monkeypatch.setattr(calibrate_faces, "collect", lambda *_: calibrate_faces.Named(odds, right, wild))
    words = ["labels.jsonl", "--finder", str(shipped_folder("finder")), "--faces", str(faces), "--most", "0.1"]
    assert calibrate_faces.main(words) == 0
    names = TableReader(Finder.open(), FaceReader.open(faces)).config.names
    assert (names.whole, names.bias, names.wild_whole, names.wild_bias) == pytest.approx((1.5, -0.5, 0.7, 0.2), abs=0.2)
    fitted = np.where(wild, names.wild_whole * odds[:, 0] + names.wild_bias, names.whole * odds[:, 0] + names.bias)
    assert (1 / (1 + np.exp(-fitted[right])) < names.doubt).mean() == pytest.approx(0.1, abs=0.005)


def test_where_nothing_is_read_wrong_the_command_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    right = calibrate_faces.Named(np.ones((5, 1)), np.ones(5, np.bool_), np.zeros(5, np.bool_))
    monkeypatch.setattr(calibrate_faces, "collect", lambda *_: right)
    folders = ["--finder", str(shipped_folder("finder")), "--faces", str(shipped_folder("faces"))]
    with pytest.raises(SystemExit):
        calibrate_faces.main(["labels.jsonl", *folders])
    assert "of 5 pieces found 5 are named rightly" in capsys.readouterr().err


def test_the_shipped_numbers_are_calibrated() -> None:
    config = FaceReader.open().model.config
    assert {"whole", "bias", "wild_whole", "wild_bias", "doubt"} <= config.keys()
