"""Find the tiles, the top faces of dice, and the board under them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.types import Detection

__all__ = ["Sight"]

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Sight:
    """What the finder sees in one picture.

    ``detections`` are tiles and dice, quads in pixels of the image. ``crossings`` is (n, 3) float32: x and y in pixels
    and the score in 0..1 of each crossing of a board's grid lines. ``board`` is a (rows, columns) float32 map of the
    probability that a board lies there; the middle of its cell (row, column) is at pixel
    ((column + 0.5) * board_scale - 0.5, (row + 0.5) * board_scale - 0.5).
    """

    detections: tuple[Detection, ...]
    crossings: Floats
    board: Floats
    board_scale: float
