"""Only whether pieces are found, and where: the finder alone on a photo, and how well that agrees with labels.

Names do not matter here. Labels are those of :mod:`vision.truth`, or boxes: ``{"photo.jpg": {"boxes": [{"x0", "y0",
"x1", "y1"}, …]}, …}``, pixels of the upright image, round what is printed on the top face of each die.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from vision.finder import Finder, Sight
from vision.load import Limits, load
from vision.measure import Match, PhotoScore, Prediction, compare_photo
from vision.truth import Label, LabelFileError, LabelledPiece, Points
from vision.types import Detection, Image, Quad, VisionError

__all__ = [
    "BoxesError",
    "FindOnlyConfig",
    "Found",
    "Looks",
    "PieceFinder",
    "compare_boxes",
    "compare_found",
    "read_boxes",
]


class BoxesError(VisionError, ValueError):
    """A file of boxes that is malformed."""

    def __init__(self, path: Path, file: str, reason: str) -> None:
        super().__init__(f"{path.name}, {file!r}: {reason}")


@dataclass(frozen=True)
class FindOnlyConfig:
    """``least``: the least score of a piece; ``loose``: a tile is one above this probability, else a printed space."""

    least: float = 0.4
    loose: float = 0.5


@dataclass(frozen=True, eq=False)
class Found:
    """Where pieces lie in a photo: quads in pixels of the upright full-size picture; ``ms`` from bytes to quads."""

    quads: tuple[Quad, ...]
    ms: float


class Looks(Protocol):
    """What sees pieces in a picture, as :class:`vision.finder.Finder` does."""

    def look(self, image: Image) -> Sight:
        """Return what is seen in a (height, width, 3) uint8 BGR ``image``, in its pixels."""
        ...


class PieceFinder:
    """The finder network alone: finds dice and tiles and reads none of them."""

    def __init__(self, finder: Looks, config: FindOnlyConfig | None = None) -> None:
        """Use ``finder``."""
        self.finder = finder
        self.config = config or FindOnlyConfig()

    @classmethod
    def shipped(cls) -> PieceFinder:
        """Open the model that comes with the package, and run it once so that the first photo is as quick as the next.

        :raises ModelFileError: its folder is not complete.
        """
        finder = Finder.open()
        finder.maps(np.zeros((480, 640, 3), np.uint8))
        return cls(finder)

    def find(self, data: bytes, limits: Limits, *, pictures: bool = True) -> Found:
        """Return where pieces lie in the photo whose file holds ``data``, dice and tiles alike.

        Where a board may have printed ``pictures`` of tiles, those are left out.

        :raises LoadError: ``data`` is no photo that can be read within ``limits``.
        """
        began = time.perf_counter()
        loaded = load(data, limits)
        seen = self.finder.look(loaded.image).detections
        quads = tuple(one.quad.scaled(1 / loaded.scale) for one in seen if self._counts(one, pictures))
        return Found(quads, (time.perf_counter() - began) * 1000)

    def _counts(self, one: Detection, pictures: bool) -> bool:
        return one.score >= self.config.least and (not pictures or one.raised >= self.config.loose)


def compare_found(label: Label, quads: Sequence[Quad]) -> PhotoScore:
    """Return how ``quads`` agree with labelled pieces: a piece is found by a quad whose centre it holds."""
    return compare_photo(label, [Prediction(quad.corners, "") for quad in quads], Match.CENTRE)


def compare_boxes(label: Label, quads: Sequence[Quad]) -> PhotoScore:
    """Return how ``quads`` agree with boxes: as :func:`compare_found`, but what is in any box is not invented."""
    score = compare_found(label, quads)
    boxes = [piece.quad for piece in label.pieces]
    extra = tuple(number for number in score.invented if not any(_holds(box, quads[number]) for box in boxes))
    return replace(score, counts=replace(score.counts, invented=len(extra)), invented=extra)


def _holds(box: Points, quad: Quad) -> bool:
    x, y = quad.centre
    return cv2.pointPolygonTest(box, (float(x), float(y)), False) >= 0


def read_boxes(path: Path | str) -> tuple[Label, ...] | None:
    """Return the photos of a file of boxes, each box a piece without a name; None if the file is none of that form.

    The size of each photo is as far as its boxes reach.

    :raises LabelFileError: the file cannot be opened.
    :raises BoxesError: a box is malformed.
    """
    path = Path(path)
    try:
        data = json.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise LabelFileError(path, error.strerror or str(error)) from error
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict) or not all(isinstance(photo, dict) for photo in data.values()):
        return None
    for file, photo in data.items():
        if "boxes" not in photo:
            raise BoxesError(path, file, "'boxes' is missing, a list of boxes")
    return tuple(_boxed(path, file, photo["boxes"]) for file, photo in data.items())


def _boxed(path: Path, file: str, boxes: object) -> Label:
    if not isinstance(boxes, list):
        raise BoxesError(path, file, f"'boxes' is a list; got {boxes!r}")
    pieces = tuple(LabelledPiece(_corners(path, file, box), "") for box in boxes)
    size = [max(1, math.ceil(max((piece.quad[:, axis].max() for piece in pieces), default=1.0))) for axis in (0, 1)]
    return Label(file, (size[0], size[1]), pieces)


def _corners(path: Path, file: str, box: object) -> Points:
    sides = [box.get(side) for side in ("x0", "y0", "x1", "y1")] if isinstance(box, dict) else []
    numbers = [float(side) for side in sides if isinstance(side, int | float) and not isinstance(side, bool)]
    if len(numbers) == 4 and all(map(math.isfinite, numbers)) and numbers[0] < numbers[2] and numbers[1] < numbers[3]:
        x0, y0, x1, y1 = numbers
        return np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], np.float32)
    raise BoxesError(path, file, f"a box has x0 < x1 and y0 < y1 in pixels; got {box!r}")
