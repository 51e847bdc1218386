"""Find the tiles, the top faces of dice, and the board under them: the finder's maps of a whole image, then nouns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from vision.model import Model, shipped_folder, sigmoid
from vision.pixels import STRIDE, resize_for_segmenter, segmenter_input
from vision.segment import peaks, suppress, votes
from vision.squares import decode_square
from vision.types import Detection, Image, Kind, Quad

__all__ = ["Finder", "FinderConfig", "Sight", "decode_crossings", "decode_pieces"]

Floats = npt.NDArray[np.float32]
_DIE, _TILE, _RAISED, _CROSSING, _BOARD, _PLACE = 2, 3, 4, 5, 6, 7
_AVERAGED = 2.0
"""Pictures are never averaged beyond halving: it takes longer, and the finder sees no better."""
_NEAR = 2
"""Cells of the maps by which the middle of a piece may be off."""


@dataclass(frozen=True)
class FinderConfig:
    """``longer``: pixels of the longer side that the network sees; ``closer``: the same for a second look, taken when
    the median short side of the pieces is below ``small`` pixels in the first; ``peak``: the least height of a middle;
    ``overlap``: quads that share more than this IoU are the same piece; ``least``: square pixels of the smallest piece
    that the network sees; ``most``: pieces kept at the most; ``crossing``: the least score of a crossing;
    ``crossings``: how many are kept at the most.
    """

    longer: int = 704
    closer: int = 1152
    small: float = 20.0
    peak: float = 0.3
    overlap: float = 0.35
    least: float = 60.0
    most: int = 160
    crossing: float = 0.3
    crossings: int = 1000


@dataclass(frozen=True, eq=False)
class Sight:
    """What the finder sees in one picture.

    ``detections`` are tiles and dice, quads in pixels of the image.
    ``crossings`` is (n, 3) float32: x and y in pixels and the score in 0..1 of each crossing of a board's grid lines.
    ``board`` is a (rows, columns) float32 map of the probability that a board lies there; the middle of its cell
    (row, column) is at pixel ((column + 0.5) * board_scale - 0.5, (row + 0.5) * board_scale - 0.5).
    ``middles`` is the map of the probability that the middle of a tile or die is there, in the same cells.
    """

    detections: tuple[Detection, ...]
    crossings: Floats
    board: Floats
    board_scale: float
    middles: Floats

    def hint(self, quads: Sequence[Quad]) -> Floats:
        """Return (n,) how much the finder takes the middle of each quad for that of a piece, in 0..1."""
        at = np.array([quad.centre for quad in quads], np.float32).reshape(-1, 2)
        columns, rows = np.rint((at + 0.5) / self.board_scale - 0.5).astype(np.intp).T
        padded = np.pad(self.middles, _NEAR)
        down, right = (np.clip(one, 0, most - 1) for one, most in zip((rows, columns), self.middles.shape, strict=True))
        patches = [padded[y : y + 2 * _NEAR + 1, x : x + 2 * _NEAR + 1].max() for y, x in zip(down, right, strict=True)]
        return np.array(patches, np.float32)


def decode_pieces(maps: Floats, config: FinderConfig) -> list[Detection]:
    """Return the pieces in (13, rows, columns) maps, the surest first, quads in pixels of the network's input.

    Corners run clockwise; which of them is the piece's own top left is not known yet.
    """
    middle = sigmoid(maps[0])
    rows, columns = peaks(middle, config.peak, 2 * config.most)
    corners = decode_square(votes(maps[_PLACE:], middle, rows, columns))
    mask, raised = sigmoid(maps[1, rows, columns]), sigmoid(maps[_RAISED, rows, columns]).tolist()
    dice = sigmoid(maps[_DIE, rows, columns] - maps[_TILE, rows, columns]).tolist()
    scores = np.sqrt(middle[rows, columns] * mask).clip(max=1.0).tolist()
    found = []
    for quad, score, die, loose in zip(map(Quad, corners), scores, dice, raised, strict=True):
        if quad.area >= config.least:
            kind = Kind.DIE if die >= 0.5 else Kind.TILE
            found.append(Detection(quad, score, kind, max(die, 1 - die), loose if kind is Kind.TILE else 1.0))
    return suppress(found, config.overlap)[: config.most]


def decode_crossings(maps: Floats, config: FinderConfig) -> Floats:
    """Return (n, 3) float32 crossings in (13, rows, columns) maps, the surest first: x, y in input pixels and score.

    A peak is a bell, so its logarithm is a parabola: three cells tell where between them it is highest.
    """
    height = sigmoid(maps[_CROSSING])
    rows, columns = peaks(height, config.crossing, config.crossings)
    logs = np.pad(np.log(height), 1, mode="edge")
    here = logs[rows + 1, columns + 1]
    right = _between(logs[rows + 1, columns], here, logs[rows + 1, columns + 2])
    down = _between(logs[rows, columns + 1], here, logs[rows + 2, columns + 1])
    places = [(offset + at + 0.5) * STRIDE - 0.5 for offset, at in ((right, columns), (down, rows))]
    return np.asarray(np.stack([*places, height[rows, columns]], 1), np.float32)


def _between(before: Floats, here: Floats, after: Floats) -> Floats:
    """Where the parabola through three heights one cell apart has its top, in cells from the middle one."""
    bend = np.minimum(before - 2 * here + after, -1e-3)
    return np.asarray(np.clip((before - after) / (2 * bend), -0.5, 0.5), np.float32)


class Finder:
    """The finder network, loaded once."""

    def __init__(self, model: Model, config: FinderConfig | None = None) -> None:
        """Use ``model``; ``config`` overrides the numbers of its folder."""
        self.model = model
        numbers = {k: v for k, v in model.config.items() if k in FinderConfig.__dataclass_fields__}
        self.config = config if config is not None else FinderConfig(**numbers)  # type: ignore[arg-type]

    @classmethod
    def open(cls, folder: Path | None = None) -> Finder:
        """Open the model in ``folder``, or the shipped one."""
        return cls(Model.open(shipped_folder("finder") if folder is None else folder))

    def maps(self, image: Image, longer: int | None = None) -> tuple[Floats, float]:
        """Return the (13, rows, columns) maps of a BGR ``image`` and the scale of the network's input.

        ``longer`` is the longer side of the input, by default that of the config.
        """
        resized = resize_for_segmenter(image, self.config.longer if longer is None else longer, _AVERAGED)
        return self.model.run(segmenter_input(resized.image))[0], resized.scale

    def look(self, image: Image) -> Sight:
        """Return what is seen in a BGR ``image``, in its pixels.

        Small pieces are looked at again, closer: what is seen then counts alone.
        """
        maps, scale = self.maps(image)
        found = decode_pieces(maps, self.config)
        if found and float(np.median([d.quad.short_side for d in found])) < self.config.small:
            maps, scale = self.maps(image, self.config.closer)
            found = decode_pieces(maps, self.config)
        crossings = decode_crossings(maps, self.config)
        crossings[:, :2] = (crossings[:, :2] + 0.5) / np.float32(scale) - 0.5
        detections = tuple(replace(d, quad=d.quad.scaled(1 / scale)) for d in found)
        return Sight(detections, crossings, sigmoid(maps[_BOARD]), STRIDE / scale, sigmoid(maps[0]))
