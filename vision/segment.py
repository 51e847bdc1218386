"""Find the pieces: the segmenter's maps of a whole image, then one quad for each piece.

Each cell near the middle of a piece votes for the whole quad (after EAST, Zhou et al. 2017, and CenterNet, Zhou et al.
2019), so cards that touch, lie over each other or leave the picture still get four corners.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.axes import decode_axes
from vision.geometry import quad_iou
from vision.model import Model, shipped_folder, sigmoid
from vision.pixels import STRIDE, resize_for_segmenter, segmenter_input
from vision.types import Detection, Image, Kind, Quad

__all__ = ["SegmentConfig", "Segmenter", "decode_maps", "peaks", "suppress", "votes"]

Maps = npt.NDArray[np.float32]
Indices = npt.NDArray[np.int64]
_KINDS = tuple(Kind)
_AROUND = np.mgrid[-1:2, -1:2].reshape(2, 9)


@dataclass(frozen=True)
class SegmentConfig:
    """``longer``: pixels of the longer side that the network sees; ``closer``: the same for a second look, taken when
    the median short side of the pieces is below ``small`` pixels in the first; ``peak``: the least height of a middle;
    ``overlap``: quads that share more than this IoU are the same piece; ``most``: pieces kept at the most; ``card``:
    log-odds by which a piece is likelier a card than in training, where tiles and dice are many.
    """

    longer: int = 512
    closer: int = 832
    small: float = 32.0
    peak: float = 0.25
    overlap: float = 0.45
    most: int = 120
    card: float = 0.5


def peaks(heights: Maps, least: float, most: int) -> tuple[Indices, Indices]:
    """Return rows and columns of the local maxima above ``least``, the highest first, ``most`` at the most."""
    highest = cv2.dilate(heights, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((heights >= highest) & (heights > least))
    order = np.argsort(-heights[rows, columns], kind="stable")[:most]
    return rows[order], columns[order]


def votes(geometry: Maps, middle: Maps, rows: Indices, columns: Indices) -> Maps:
    """Return what the cells round each of n peaks agree on: (n, k) values of (k, rows, columns) ``geometry``.

    The first two are the piece's centre, told relative to a cell and returned in pixels of the network's input.
    """
    height, width = middle.shape
    down, right = rows[:, None] + _AROUND[0], columns[:, None] + _AROUND[1]
    within = (down >= 0) & (down < height) & (right >= 0) & (right < width)
    y, x = np.clip(down, 0, height - 1), np.clip(right, 0, width - 1)
    values = geometry[:, y, x]
    values[0] += (x + np.float32(0.5)) * STRIDE - np.float32(0.5)
    values[1] += (y + np.float32(0.5)) * STRIDE - np.float32(0.5)
    weight = middle[y, x] ** 4 * within
    return np.asarray(((values * weight).sum(axis=2) / weight.sum(axis=1)).T, np.float32)


def _kind(logits: Maps, card: float) -> tuple[Kind, float]:
    """The likeliest kind by (3,) logits, and how likely it is that a card is one, or that no card is none."""
    raised = logits + np.array([card, 0, 0], np.float32)
    shares = np.exp(raised - raised.max())
    shares /= shares.sum()
    if shares[0] >= 0.5:
        return Kind.CARD, float(shares[0])
    return _KINDS[1 + int(shares[1:].argmax())], float(1 - shares[0])


def decode_maps(maps: Maps, config: SegmentConfig) -> list[Detection]:
    """Return the pieces in (13, rows, columns) maps, the surest first, quads in pixels of the network's input."""
    middle = sigmoid(maps[0])
    rows, columns = peaks(middle, config.peak, 2 * config.most)
    found = []
    corners = decode_axes(votes(maps[5:13], middle, rows, columns))
    for row, column, quad in zip(rows.tolist(), columns.tolist(), map(Quad, corners), strict=True):
        if quad.area < 60:
            continue
        mask = float(sigmoid(maps[1, row, column]))
        kind, kind_score = _kind(maps[2:5, row, column], config.card)
        found.append(Detection(quad, float(min(1.0, (middle[row, column] * mask) ** 0.5)), kind, kind_score))
    return suppress(found, config.overlap)[: config.most]


def suppress(found: Sequence[Detection], overlap: float) -> list[Detection]:
    """Return the detections, the surest first, without those that overlap a surer one by more than ``overlap`` IoU."""
    found = sorted(found, key=lambda d: -d.score)
    centres = np.array([d.quad.centre for d in found], np.float32).reshape(-1, 2)
    kept: list[int] = []
    for number, detection in enumerate(found):
        near = np.abs(centres[kept] - centres[number]).max(axis=1, initial=0) < detection.quad.long_side
        rivals = (found[kept[place]].quad for place in np.flatnonzero(near))
        if all(quad_iou(detection.quad, rival) <= overlap for rival in rivals):
            kept.append(number)
    return [found[number] for number in kept]


class Segmenter:
    """The segmenter network, loaded once."""

    def __init__(self, model: Model, config: SegmentConfig | None = None) -> None:
        """Use ``model``; ``config`` overrides the numbers of its folder."""
        self.model = model
        numbers = {k: v for k, v in model.config.items() if k in SegmentConfig.__dataclass_fields__}
        self.config = config if config is not None else SegmentConfig(**numbers)  # type: ignore[arg-type]

    @classmethod
    def open(cls, folder: Path | None = None) -> Segmenter:
        """Open the model in ``folder``, or the shipped one."""
        return cls(Model.open(shipped_folder("segmenter") if folder is None else folder))

    def maps(self, image: Image, longer: int | None = None) -> tuple[Maps, float]:
        """Return the (13, rows, columns) maps of a BGR ``image`` and the scale of the network's input.

        ``longer`` is the longer side of the input, by default that of the config.
        """
        resized = resize_for_segmenter(image, self.config.longer if longer is None else longer)
        return self.model.run(segmenter_input(resized.image))[0], resized.scale

    def detect(self, image: Image) -> list[Detection]:
        """Return the pieces of a BGR ``image``, the surest first, quads in its pixels.

        Small pieces are looked at again, closer: what is found then counts alone.
        """
        maps, scale = self.maps(image)
        found = decode_maps(maps, self.config)
        if found and float(np.median([d.quad.short_side for d in found])) < self.config.small:
            maps, scale = self.maps(image, self.config.closer)
            found = decode_maps(maps, self.config)
        return [replace(d, quad=d.quad.scaled(1 / scale)) for d in found]
