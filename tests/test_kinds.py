"""Every kind of table that people take photos of, drawn with known truth and read with the shipped models."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest

from datasets.camera import Sensor
from datasets.scene import Scene, SceneSettings, render_scene
from vision.measure import Counts, Label, LabelledPiece, Prediction, score_photo
from vision.reader import Reader
from vision.types import Image

GOOD = Sensor(blur=0.5, noise=2.0, quality=90)
PLAIN = SceneSettings(
    sizes=(1280,), kinds=(1.0, 0.0, 0.0), ravensburger_share=0.0, steep=0.0, sensor=GOOD, table="wood", layout="grid"
)
HIDDEN = 0.75
SCENES = 4


def white_balance(blue: float, red: float) -> Sensor:
    """A sensor under a coloured lamp."""
    return replace(GOOD, gains=(blue, 0.9, red))


KINDS: dict[str, tuple[SceneSettings, float]] = {
    "easy": (PLAIN, 0.98),
    "Ravensburger deck": (replace(PLAIN, ravensburger_share=1.0), 0.95),
    "white table": (replace(PLAIN, table="white"), 0.95),
    "printed table": (replace(PLAIN, table="printed"), 0.9),
    "pattern": (replace(PLAIN, table="pattern"), 0.95),
    "touching": (replace(PLAIN, layout="touching"), 0.95),
    "overlap": (replace(PLAIN, layout="overlap"), 0.9),
    "heap": (replace(PLAIN, layout="heap"), 0.8),
    "fan": (replace(PLAIN, layout="fan"), 0.85),
    "steep": (replace(PLAIN, steep=1.0), 0.9),
    "dark": (replace(PLAIN, sensor=Sensor(exposure=0.3, noise=4.0, quality=85)), 0.9),
    "warm lamp": (replace(PLAIN, sensor=white_balance(0.55, 1.0)), 0.9),
    "cold light": (replace(PLAIN, sensor=white_balance(1.0, 0.7)), 0.9),
    "blur": (replace(PLAIN, sensor=Sensor(blur=2.0, noise=2.0, quality=85)), 0.9),
    "webcam": (replace(PLAIN, sizes=(640,), sensor=Sensor(blur=0.6, noise=4.0, chroma_blur=1.5, quality=60)), 0.85),
}


@pytest.fixture(scope="module")
def shipped() -> Reader:
    """The reader with the models of the package."""
    return Reader.shipped()


def label_of(scene: Scene) -> Label:
    """The truth of a scene, in the form of labelled photos: what is mostly hidden counts neither way."""
    pieces = [
        LabelledPiece(thing.corners, thing.name or "", ignore=thing.visible < HIDDEN)
        for thing in scene.things
        if thing.name is not None
    ]
    height, width = scene.image.shape[:2]
    return Label("scene.jpg", (width, height), tuple(pieces))


def scored(reader: Reader, settings: SceneSettings, change: Callable[[Image], Image] = lambda image: image) -> Counts:
    """What was counted on a few scenes."""
    total = Counts()
    for seed in range(SCENES):
        scene = render_scene(500 + seed, settings)
        frame = reader.read_image(change(scene.image))
        total = total + score_photo(label_of(scene), [Prediction.of(reading) for reading in frame])
    return total


@pytest.mark.parametrize("kind", KINDS)
def test_most_cards_of_every_kind_of_table_are_found_and_named(shipped: Reader, kind: str) -> None:
    settings, floor = KINDS[kind]
    counts = scored(shipped, settings)
    assert counts.pieces >= 12
    assert counts.right >= floor * counts.pieces
    assert counts.invented <= 0.05 * counts.pieces


def test_what_cannot_be_made_out_is_missed_or_in_doubt(shipped: Reader) -> None:
    """Blurred until no one can count symbols: a wrong name without a doubt would mislead."""
    counts = scored(shipped, PLAIN, lambda image: np.asarray(cv2.GaussianBlur(image, (0, 0), 14), np.uint8))
    wrong = counts.found - counts.right
    assert counts.right < 0.7 * counts.pieces
    assert wrong - counts.doubted_wrong <= 0.1 * counts.pieces
