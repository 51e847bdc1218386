"""Read the pieces: crops in one batch through the reader network, and the corners it corrects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from vision.edges import refine_corners
from vision.geometry import homography, transform
from vision.model import Model, shipped_folder, sigmoid
from vision.pixels import CROP_MARGIN, CROP_SIZE, Halves, reader_input
from vision.types import Detection, Image, Quad

__all__ = ["FEATURES", "HEADS", "Classifier", "ClassifyConfig", "Evidence", "shifted"]

Floats = npt.NDArray[np.float32]
HEADS = {"number": 3, "colour": 3, "shading": 3, "shape": 4, "readable": 1, "wild": 1, "turned": 1, "corners": 8}
"""Name of each output of the reader and its width, in their order."""

FEATURES = ("number", "colour", "shading", "shape")
"""The heads that make a name, in the order of its words."""


@dataclass(frozen=True)
class ClassifyConfig:
    """``turned``: above this probability the crop is read again the other way; ``far``: a corner shift, in sides of
    the piece, above which the crop is cut and read again; ``sure``: a feature below this probability is looked at
    again; ``looks``: the most looks at one piece; ``batch``: crops at a time.
    """

    turned: float = 0.5
    far: float = 0.08
    sure: float = 0.9
    looks: int = 4
    batch: int = 32


@dataclass(frozen=True, eq=False)
class Evidence:
    """What the reader says of one piece: log-probabilities for each feature, probabilities for the rest.

    ``logs`` are of all looks together, ``least`` of the look that speaks most against a value; ``readable`` and
    ``wild`` are in 0..1; ``crop`` is the (168, 112, 3) uint8 BGR crop last read.
    """

    detection: Detection
    logs: dict[str, Floats]
    least: dict[str, Floats]
    readable: float
    wild: float
    crop: Image


def _split(outputs: Floats) -> dict[str, Floats]:
    edges = np.cumsum(list(HEADS.values()))[:-1]
    return dict(zip(HEADS, np.split(outputs, edges, axis=1), strict=True))


def _log_softmax(logits: Floats) -> Floats:
    top = logits - logits.max(axis=1, keepdims=True)
    return np.asarray(top - np.log(np.exp(top).sum(axis=1, keepdims=True)), np.float32)


def shifted(quad: Quad, shifts: Floats, turned: bool) -> Quad:
    """Return ``quad`` moved by the reader's (8,) corner shifts, its sides renamed when it lies ``turned``."""
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64)
    corners = transform(unit + shifts.reshape(4, 2), homography(unit, quad.corners))
    return Quad(np.roll(corners, -1, axis=0) if turned else corners)


class Classifier:
    """The reader network, loaded once."""

    def __init__(self, model: Model, config: ClassifyConfig | None = None) -> None:
        """Use ``model``; ``config`` overrides the numbers of its folder."""
        self.model = model
        numbers = {k: v for k, v in model.config.items() if k in ClassifyConfig.__dataclass_fields__}
        self.config = config if config is not None else ClassifyConfig(**numbers)  # type: ignore[arg-type]

    @classmethod
    def open(cls, folder: Path | None = None) -> Classifier:
        """Open the model in ``folder``, or the shipped one."""
        return cls(Model.open(shipped_folder("reader") if folder is None else folder))

    def outputs(self, crops: Sequence[Image]) -> Floats:
        """Return the (n, 24) outputs for ``crops`` of the reader's size."""
        size = self.config.batch
        parts = [self.model.run(reader_input(crops[start : start + size])) for start in range(0, len(crops), size)]
        return np.concatenate(parts) if parts else np.zeros((0, sum(HEADS.values())), np.float32)

    def read(self, image: Image, found: Sequence[Detection]) -> list[Evidence]:
        """Read each detection, correct its corners, and look again where the first look was off or unsure.

        Every second look is upside down; looks are averaged, those that had to move the corners far count less.
        """
        halves = Halves(image)
        looks = _Looks([detection.quad for detection in found])
        pending = list(range(len(found)))
        for look in range(self.config.looks):
            if not pending:
                break
            crops = [halves.crop(looks.quads[index]) for index in pending]
            upside_down = look % 2 == 1
            outputs = self.outputs([np.ascontiguousarray(c[::-1, ::-1]) if upside_down else c for c in crops])
            pending = looks.add(pending, crops, outputs, upside_down, self.config)
        return [looks.evidence(index, detection) for index, detection in enumerate(found)]


_NAMES = sum(HEADS.values()) - HEADS["corners"]


class _Looks:
    """What was seen of each piece so far: summed outputs with their weights, and the corners as they are now."""

    def __init__(self, quads: Sequence[Quad]) -> None:
        self.quads = list(quads)
        self.crops: list[Image] = [np.zeros((CROP_SIZE[1], CROP_SIZE[0], 3), np.uint8)] * len(quads)
        self.sums = np.zeros((len(quads), _NAMES), np.float32)
        self.weights = np.full(len(quads), 1e-6, np.float32)
        self.readable = np.ones(len(quads), np.float32)
        self.in_place = [False] * len(quads)
        self.least: list[dict[str, Floats]] = [{} for _ in quads]

    def add(
        self, pending: Sequence[int], crops: Sequence[Image], outputs: Floats, upside_down: bool, config: ClassifyConfig
    ) -> list[int]:
        """Take in one look at the ``pending`` pieces; return those that need another."""
        again = []
        for index, crop, row in zip(pending, crops, outputs, strict=True):
            heads = {name: part[0] for name, part in _split(row[None]).items()}
            corners = _turned_back(heads["corners"]) if upside_down else heads["corners"]
            turned = bool(sigmoid(heads["turned"])[0] > config.turned)
            shift = float(np.abs(corners).max())
            weight = 1e-3 if turned else 1 / (1 + (shift / config.far) ** 2)
            self.sums[index] += np.float32(weight) * row[:_NAMES]
            self.weights[index] += weight
            logs = {name: _log_softmax(heads[name][None])[0] for name in FEATURES}
            self._believe(index, float(sigmoid(heads["readable"])[0]), logs, not turned and shift <= config.far)
            self.quads[index] = _corrected(crop, self.quads[index], corners, shift, turned, config)
            self.crops[index] = crop
            sure = min(float(np.exp(values.max())) for values in logs.values())
            if turned or shift > config.far or sure < config.sure:
                again.append(index)
        return again

    def _believe(self, index: int, readable: float, logs: dict[str, Floats], in_place: bool) -> None:
        """Keep the worst of the looks at the right place; looks that were off count only while there is no other."""
        if in_place and self.in_place[index]:
            readable = min(readable, float(self.readable[index]))
            logs = {name: np.minimum(values, self.least[index][name]) for name, values in logs.items()}
        if in_place or not self.in_place[index]:
            self.readable[index], self.least[index], self.in_place[index] = readable, logs, in_place

    def evidence(self, index: int, found: Detection) -> Evidence:
        """Return what all looks at one piece say together."""
        row = np.concatenate([self.sums[index] / self.weights[index], np.zeros(HEADS["corners"], np.float32)])
        heads = _split(row[None])
        return Evidence(
            replace(found, quad=self.quads[index]),
            {name: _log_softmax(heads[name])[0] for name in FEATURES},
            self.least[index],
            float(self.readable[index]),
            float(sigmoid(heads["wild"])[0, 0]),
            self.crops[index],
        )


def _turned_back(corners: Floats) -> Floats:
    """The (8,) shifts seen upside down, as shifts of the piece the other way up."""
    return np.asarray(-np.roll(corners.reshape(4, 2), 2, axis=0).reshape(8), np.float32)


def _corrected(crop: Image, quad: Quad, corners: Floats, shift: float, turned: bool, config: ClassifyConfig) -> Quad:
    """The quad after one look: onto the edges seen in the crop when they are near, else where the reader says."""
    if turned or shift > config.far:
        return shifted(quad, corners, turned)
    return refine_corners(crop, quad, CROP_MARGIN, corners)
