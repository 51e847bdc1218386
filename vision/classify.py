"""Read the pieces: crops in one batch through the reader network, and the corners it corrects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import compress
from pathlib import Path

import numpy as np
import numpy.typing as npt

from vision.edges import refine_corners
from vision.geometry import from_unit
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
    again, unless it is readable with less than ``hopeless``; ``looks``: the most looks at one piece; ``batch``: crops
    at a time.
    """

    turned: float = 0.5
    far: float = 0.08
    sure: float = 0.9
    hopeless: float = 0.02
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


def shifted(quads: Sequence[Quad], shifts: Floats, turned: Sequence[bool] | None = None) -> list[Quad]:
    """Return ``quads`` moved by the reader's (n, 8) corner shifts, in sides of each; renamed where one lies ``turned``.

    :raises GeometryError: a quad is flat.
    """
    unit = np.ones((len(quads), 4, 3))
    unit[:, :, :2] = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) + shifts.reshape(-1, 4, 2)
    mapped = unit @ from_unit([quad.corners for quad in quads]).transpose(0, 2, 1)
    moved = (mapped[..., :2] / mapped[..., 2:]).astype(np.float32)
    renamed = [False] * len(quads) if turned is None else turned
    return [Quad(np.roll(one, -1, axis=0) if lies else one) for one, lies in zip(moved, renamed, strict=True)]


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
            crops = halves.crops([looks.quads[index] for index in pending])
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
        self.in_place = np.zeros(len(quads), np.bool_)
        self.least = {name: np.zeros((len(quads), HEADS[name]), np.float32) for name in FEATURES}

    def add(
        self, pending: Sequence[int], crops: Sequence[Image], outputs: Floats, upside_down: bool, config: ClassifyConfig
    ) -> list[int]:
        """Take in one look at the ``pending`` pieces; return those that need another."""
        at = np.array(pending, np.intp)
        heads = _split(outputs)
        corners = _turned_back(heads["corners"]) if upside_down else heads["corners"]
        turned = sigmoid(heads["turned"])[:, 0] > config.turned
        shift = np.abs(corners).max(axis=1)
        weight = np.where(turned, 1e-3, 1 / (1 + (shift / config.far) ** 2)).astype(np.float32)
        self.sums[at] += weight[:, None] * outputs[:, :_NAMES]
        self.weights[at] += weight
        logs = {name: _log_softmax(heads[name]) for name in FEATURES}
        in_place = ~turned & (shift <= config.far)
        self._believe(at, sigmoid(heads["readable"])[:, 0], logs, in_place)
        self._correct(at[~in_place], corners[~in_place], turned[~in_place])
        self._refine(at[in_place], list(compress(crops, in_place)), corners[in_place])
        for index, crop in zip(pending, crops, strict=True):
            self.crops[index] = crop
        sure = np.exp(np.min([values.max(axis=1) for values in logs.values()], axis=0))
        hopeful = sigmoid(heads["readable"])[:, 0] > config.hopeless
        return [int(index) for index in at[hopeful & (~in_place | (sure < config.sure))]]

    def _believe(
        self, at: npt.NDArray[np.intp], readable: Floats, logs: dict[str, Floats], in_place: npt.NDArray[np.bool_]
    ) -> None:
        """Keep the worst of the looks at the right place; looks that were off count only while there is no other."""
        again = in_place & self.in_place[at]
        kept = in_place | ~self.in_place[at]
        self.readable[at[kept]] = np.where(again, np.minimum(readable, self.readable[at]), readable)[kept]
        for name, values in logs.items():
            least = np.where(again[:, None], np.minimum(values, self.least[name][at]), values)
            self.least[name][at[kept]] = least[kept]
        self.in_place[at] |= in_place

    def _correct(self, at: npt.NDArray[np.intp], corners: Floats, turned: npt.NDArray[np.bool_]) -> None:
        """Move quads that were off to where the reader says."""
        moved = shifted([self.quads[index] for index in at], corners, turned.tolist())
        for index, quad in zip(at, moved, strict=True):
            self.quads[index] = quad

    def _refine(self, at: npt.NDArray[np.intp], crops: Sequence[Image], corners: Floats) -> None:
        """Move quads onto the edges that are seen near where the reader says that the corners are."""
        for index, quad in zip(
            at, refine_corners(crops, [self.quads[i] for i in at], CROP_MARGIN, corners), strict=True
        ):
            self.quads[index] = quad

    def evidence(self, index: int, found: Detection) -> Evidence:
        """Return what all looks at one piece say together."""
        row = np.concatenate([self.sums[index] / self.weights[index], np.zeros(HEADS["corners"], np.float32)])
        heads = _split(row[None])
        return Evidence(
            replace(found, quad=self.quads[index]),
            {name: _log_softmax(heads[name])[0] for name in FEATURES},
            {name: values[index] for name, values in self.least.items()},
            float(self.readable[index]),
            float(sigmoid(heads["wild"])[0, 0]),
            self.crops[index],
        )


def _turned_back(corners: Floats) -> Floats:
    """The (n, 8) shifts seen upside down, as shifts of the pieces the other way up."""
    return np.asarray(-np.roll(corners.reshape(-1, 4, 2), 2, axis=1).reshape(-1, 8), np.float32)
