"""Finds room for labels in a picture: beside what must stay visible, beside each other, near what they are about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from vision.ink import Floats
from vision.types import Quad

__all__ = ["Room", "RoomConfig"]


@dataclass(frozen=True, slots=True)
class RoomConfig:
    """Numbers that weigh one place for a label against another."""

    cell: int = 4
    """Pixels of one cell of the map of what is taken."""
    taken: float = 6.0
    """Cost of lying on another label, for all of its area."""
    piece: float = 1.5
    """Cost of lying on a piece, for all of its area."""
    away: float = 0.45
    """Cost of each step of ``reach`` from the point that it is about."""
    outside: float = 20.0
    """Cost of lying outside the picture, for all of its area."""
    steps: tuple[float, ...] = (0.0, 0.55, 0.85, 1.2, 1.6, 2.1)
    """Distances that are tried, in lengths of ``reach``."""
    directions: int = 16
    """Directions that are tried at each of them."""


_CONFIG = RoomConfig()


class Room:
    """Which parts of one picture are taken; each label that is placed takes its own."""

    def __init__(self, size: tuple[int, int], config: RoomConfig = _CONFIG) -> None:
        """Start with an empty picture of ``size`` (width, height) in pixels."""
        self._config = config
        width, height = (max(1, -(-side // config.cell)) for side in size)
        self._map = np.zeros((height, width), np.float32)

    def keep_clear(self, quad: Quad) -> None:
        """Keep labels off ``quad`` where there is room elsewhere."""
        points = np.rint(np.clip(quad.corners / self._config.cell, -1e4, 1e4)).astype(np.int32)
        cv2.fillConvexPoly(self._map, points, self._config.piece)

    def place(self, anchors: Floats, size: tuple[float, float], reach: float) -> Floats:
        """Return the (2,) middle of a label of ``size`` (width, height) near one of the ``anchors``, and take its room.

        ``anchors`` is one point (2,) or some (n, 2) that are equally good. ``reach`` is a length in pixels: about the
        side of a piece; 0 for a label that must lie upon an anchor.
        """
        candidates = (one for anchor in np.atleast_2d(anchors) for one in self._candidates(anchor, reach))
        best = min(candidates, key=lambda one: self._cost(one[0], size) + one[1])[0]
        left, top, right, bottom = self._cells(best, size)
        part = self._map[max(0, top) : max(0, bottom), max(0, left) : max(0, right)]
        np.maximum(part, self._config.taken, out=part)
        return best

    def _candidates(self, anchor: Floats, reach: float) -> Iterator[tuple[Floats, float]]:
        """Yield places and what their distance costs, the nearest first."""
        for step in self._config.steps if reach else (0.0,):
            angles = np.linspace(0, 2 * np.pi, self._config.directions if step else 1, endpoint=False) - np.pi / 2
            for angle in angles:
                yield anchor + step * reach * np.array([np.cos(angle), np.sin(angle)]), self._config.away * step

    def _cells(self, middle: Floats, size: tuple[float, float]) -> tuple[int, int, int, int]:
        half = np.array(size) / 2
        low, high = (middle - half) / self._config.cell, (middle + half) / self._config.cell
        return int(np.floor(low[0])), int(np.floor(low[1])), int(np.ceil(high[0])), int(np.ceil(high[1]))

    def _cost(self, middle: Floats, size: tuple[float, float]) -> float:
        left, top, right, bottom = self._cells(middle, size)
        area = max(1, (right - left) * (bottom - top))
        part = self._map[max(0, top) : max(0, bottom), max(0, left) : max(0, right)]
        return float(part.sum() + self._config.outside * (area - part.size)) / area
