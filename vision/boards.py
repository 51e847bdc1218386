"""Boards as vision sees them: what is printed on one, and where one lies in a picture.

Convention: a matrix is (3, 3) float64 and maps board units to pixels of the upright image; x counts columns and y rows,
so the square in row r and column c spans [c, c + 1] x [r, r + 1] from the board's top left corner.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from vision.types import Problem

__all__ = ["CubedPlan", "JuniorPlan", "Placement", "Square"]

Square = tuple[int, int]
"""Row and column, from 0 at the top left."""


@dataclass(frozen=True)
class CubedPlan:
    """What is printed on a board of Cubed (CUBED-2): its size, the squares of its logo, the points of bonus squares."""

    rows: int
    columns: int
    logo: tuple[Square, Square, Square]
    bonus: Mapping[Square, int] = field(default_factory=dict)


@dataclass(frozen=True)
class JuniorPlan:
    """The names on the 27 spaces of face 1 of a Junior board (JUN-2): square, row, column."""

    squares: tuple[tuple[tuple[str, str, str], ...], ...]


@dataclass(frozen=True, eq=False)
class Placement:
    """Where a board lies in a picture, and on which of its places each piece stands.

    ``matrix`` maps board units to pixels on the plane of the board; ``cells`` has one place for each piece, None for
    one that stands on no square. ``problems`` say what a person should look at. ``tops`` maps board units to pixels at
    the height of the dice's top faces, None where no dice tell that.
    """

    matrix: npt.NDArray[np.float64]
    cells: tuple[tuple[int, ...] | None, ...]
    problems: tuple[Problem, ...] = ()
    tops: npt.NDArray[np.float64] | None = None
