"""Read the faces of dice and tiles, and what is printed on the squares of a board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from vision.classify import shifted
from vision.model import Model, shipped_folder, sigmoid
from vision.pixels import FACE_MARGIN, FACE_SIZE, Halves, reader_input
from vision.types import Image, Quad

__all__ = ["CLASSES", "HEADS", "FaceConfig", "FaceEvidence", "FaceReader"]

Floats = npt.NDArray[np.float32]

CLASSES: dict[str, tuple[str, ...]] = {
    "what": ("symbols", "wild", "number", "blank", "other"),
    "number": ("1", "2", "3"),
    "colour": ("red", "green", "purple"),
    "shape": ("oval", "diamond", "squiggle"),
    "digit": tuple("0123456789"),
    "turn": ("0", "1", "2", "3"),
}
"""What the classes of each head stand for, in the order of the engine's enums."""

HEADS = {**{name: len(classes) for name, classes in CLASSES.items()}, "raised": 1, "embedding": 32, "corners": 8}
"""Name of each output of the face reader and its width, in their order."""

_PLACED = ("symbols", "wild", "number")
"""What has corners that can be seen without the lines of a board."""

_NEEDED = {"symbols": ("number", "colour", "shape"), "number": ("digit", "turn")}
"""The heads that must be sure, by what it is."""

_LEAST_AREA = 0.25
"""A face whose corrected corners leave less than this share of its area is not believed to lie there."""


@dataclass(frozen=True)
class FaceConfig:
    """``far``: a corner shift, in sides of the face, above which the crop is cut and read again; ``sure``: a face whose
    surest reading is below this probability is looked at again, turned by a quarter; ``batch``: crops at a time.
    """

    far: float = 0.08
    sure: float = 0.9
    batch: int = 64


@dataclass(frozen=True, eq=False)
class FaceEvidence:
    """What the face reader says of one quad.

    ``quad`` has its corners corrected, in the order they came. ``logs`` are log-probabilities: "what" (5: symbols,
    wild, number, blank, other), "number" (3), "colour" (3), "shape" (3: oval, diamond, squiggle), "digit" (10) and
    "turn" (4: a printed number is upright when its own top left is corner k of the quad). ``raised`` in 0..1: a piece,
    no printed space. ``embedding`` is a (32,) unit vector, near that of other pictures of the same face. ``crop`` is
    the (64, 64, 3) uint8 BGR crop last read.
    """

    quad: Quad
    logs: dict[str, Floats]
    raised: float
    embedding: Floats
    crop: Image


def _log_softmax(logits: Floats) -> Floats:
    top = logits - logits.max(axis=-1, keepdims=True)
    return np.asarray(top - np.log(np.exp(top).sum(axis=-1, keepdims=True)), np.float32)


def _split(outputs: Floats) -> dict[str, Floats]:
    edges = np.cumsum(list(HEADS.values()))[:-1]
    return dict(zip(HEADS, np.split(outputs, edges, axis=-1), strict=True))


def _quarter(crop: Image) -> Image:
    """The crop whose first corner is the second of this one."""
    return np.ascontiguousarray(np.rot90(crop))


def _turned_back(outputs: Floats) -> Floats:
    """(n, 69) outputs for :func:`_quarter` of the crops, as outputs for the crops themselves."""
    heads = _split(outputs)
    heads["turn"] = np.roll(heads["turn"], 1, axis=1)
    x, y = heads["corners"].reshape(-1, 4, 2).transpose(2, 0, 1)
    heads["corners"] = np.roll(np.stack([-y, x], -1), 1, axis=1).reshape(-1, 8)
    return np.concatenate(list(heads.values()), axis=1)


class FaceReader:
    """The face reader network, loaded once."""

    def __init__(self, model: Model, config: FaceConfig | None = None) -> None:
        """Use ``model``; ``config`` overrides the numbers of its folder."""
        self.model = model
        numbers = {k: v for k, v in model.config.items() if k in FaceConfig.__dataclass_fields__}
        self.config = config if config is not None else FaceConfig(**numbers)  # type: ignore[arg-type]

    @classmethod
    def open(cls, folder: Path | None = None) -> FaceReader:
        """Open the model in ``folder``, or the shipped one."""
        return cls(Model.open(shipped_folder("faces") if folder is None else folder))

    def outputs(self, crops: Sequence[Image]) -> Floats:
        """Return the (n, 69) outputs, in the order of HEADS, for (64, 64, 3) uint8 BGR ``crops``."""
        size = self.config.batch
        parts = [
            self.model.run(reader_input(crops[start : start + size], FACE_SIZE)) for start in range(0, len(crops), size)
        ]
        return np.concatenate(parts) if parts else np.zeros((0, sum(HEADS.values())), np.float32)

    def read(self, image: Image, quads: Sequence[Quad], again: bool = True) -> list[FaceEvidence]:
        """Read each quad of a BGR ``image`` and correct its corners.

        Where the corners are far off the face is cut and read again, and where the reading is unsure it is read again
        turned by a quarter; neither without ``again``. Corners move only where a face or a number tells where they are.
        """
        halves, placed = Halves(image, FACE_SIZE, FACE_MARGIN), list(quads)
        crops = halves.crops(placed)
        outputs = self.outputs(crops)
        if not again:
            return _evidence(placed, outputs, crops)
        off = np.flatnonzero(_shifts(outputs) > self.config.far).tolist()
        nearer = _corrected([placed[index] for index in off], outputs[off])
        for index, moved, crop in zip(off, nearer, halves.crops(nearer), strict=True):
            placed[index], crops[index] = moved, crop
        outputs[off] = self.outputs([crops[index] for index in off])
        unsure = np.flatnonzero(_least(outputs) < self.config.sure).tolist()
        outputs[unsure] += _turned_back(self.outputs([_quarter(crops[index]) for index in unsure]))
        outputs[unsure] /= 2
        return _evidence(placed, outputs, crops)


def _placed(what: Floats) -> npt.NDArray[np.bool_]:
    """(n,) whether something tells where the corners are."""
    return np.isin(what.argmax(axis=1), [CLASSES["what"].index(name) for name in _PLACED])


def _shifts(outputs: Floats) -> Floats:
    """(n,) how far the corners are off at the most, in sides of the face; 0 where nothing tells."""
    heads = _split(outputs)
    return np.asarray(np.abs(heads["corners"]).max(axis=1) * _placed(heads["what"]), np.float32)


def _least(outputs: Floats) -> Floats:
    """(n,) the probability of the reading's most doubtful part."""
    sure = {name: np.exp(_log_softmax(head)).max(axis=1) for name, head in _split(outputs).items() if name in CLASSES}
    what = outputs[:, : HEADS["what"]].argmax(axis=1)
    parts = [sure["what"]]
    for sort, needed in _NEEDED.items():
        shown = what == CLASSES["what"].index(sort)
        parts += [np.where(shown, sure[name], 1.0) for name in needed]
    return np.asarray(np.min(parts, axis=0), np.float32)


def _corrected(quads: Sequence[Quad], outputs: Floats) -> list[Quad]:
    """The quads moved to where the (n, 69) outputs say that the corners are, as long as they stay quads."""
    heads, found = _split(outputs), list(quads)
    moving = np.flatnonzero(_placed(heads["what"])).tolist()
    for index, moved in zip(moving, shifted([found[i] for i in moving], heads["corners"][moving]), strict=True):
        if moved.area > _LEAST_AREA * abs(found[index].area):
            found[index] = moved
    return found


def _evidence(quads: Sequence[Quad], outputs: Floats, crops: Sequence[Image]) -> list[FaceEvidence]:
    heads = _split(outputs)
    logs = {name: _log_softmax(heads[name]) for name in CLASSES}
    length = np.maximum(np.linalg.norm(heads["embedding"], axis=1, keepdims=True), 1e-6)
    unit, raised = np.asarray(heads["embedding"] / length, np.float32), sigmoid(heads["raised"])[:, 0]
    return [
        FaceEvidence(quad, {name: values[n] for name, values in logs.items()}, float(raised[n]), unit[n], crops[n])
        for n, quad in enumerate(_corrected(quads, outputs))
    ]
