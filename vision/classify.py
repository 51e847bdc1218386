"""Read the pieces: crops in one batch through the reader network, and the corners it corrects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from vision.geometry import homography, transform
from vision.model import Model, shipped_folder
from vision.pixels import card_crop, reader_input
from vision.types import Detection, Image, Quad

__all__ = ["HEADS", "Classifier", "ClassifyConfig", "Evidence"]

Floats = npt.NDArray[np.float32]
HEADS = {"number": 3, "colour": 3, "shading": 3, "shape": 4, "readable": 1, "wild": 1, "turned": 1, "corners": 8}
"""The reader's outputs in order; models.training.reader writes the same."""

FEATURES = ("number", "colour", "shading", "shape")


@dataclass(frozen=True)
class ClassifyConfig:
    """``turned``: above this probability the crop is read again the other way; ``batch``: crops at a time."""

    turned: float = 0.5
    batch: int = 32


@dataclass(frozen=True, eq=False)
class Evidence:
    """What the reader says of one crop: log-probabilities for each feature, probabilities for the rest.

    ``crop`` is the (168, 112, 3) uint8 BGR crop last read; ``shift`` the largest corner correction that was applied,
    in sides of the piece.
    """

    detection: Detection
    logs: dict[str, Floats]
    readable: float
    wild: float
    crop: Image
    shift: float = 0.0


def _split(outputs: Floats) -> dict[str, Floats]:
    edges = np.cumsum(list(HEADS.values()))[:-1]
    return dict(zip(HEADS, np.split(outputs, edges, axis=1), strict=True))


def _log_softmax(logits: Floats) -> Floats:
    top = logits - logits.max(axis=1, keepdims=True)
    return np.asarray(top - np.log(np.exp(top).sum(axis=1, keepdims=True)), np.float32)


def _sigmoid(logits: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(logits, -30, 30))), np.float32)


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
        """Read each detection twice, as found, then with its corners corrected and upside down, and average."""
        first = self.outputs([card_crop(image, detection.quad) for detection in found])
        heads = _split(first)
        turned = _sigmoid(heads["turned"])[:, 0] > self.config.turned
        moved = [
            Detection(shifted(d.quad, heads["corners"][i], bool(turned[i])), d.score, d.kind)
            for i, d in enumerate(found)
        ]
        crops = [card_crop(image, detection.quad) for detection in moved]
        second = self.outputs([np.ascontiguousarray(crop[::-1, ::-1]) for crop in crops])
        first[turned] = second[turned]
        return self._evidence(moved, crops, first, second)

    @staticmethod
    def _evidence(found: Sequence[Detection], crops: Sequence[Image], first: Floats, second: Floats) -> list[Evidence]:
        one, two = _split(first), _split(second)
        logs = {name: _log_softmax(0.35 * one[name] + 0.65 * two[name]) for name in FEATURES}
        readable = np.minimum(_sigmoid(one["readable"]), _sigmoid(two["readable"]))[:, 0]
        wild = _sigmoid(two["wild"])[:, 0]
        return [
            Evidence(
                detection,
                {name: logs[name][i] for name in FEATURES},
                float(readable[i]),
                float(wild[i]),
                crops[i],
                float(np.abs(one["corners"][i]).max()),
            )
            for i, detection in enumerate(found)
        ]
