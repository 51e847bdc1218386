"""What lies on a table, as the renderer draws it and as the trainings learn it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["Thing"]


@dataclass(frozen=True, eq=False)
class Thing:
    """A labelled thing: ``kind`` ("card", "tile", "die", "other"), ``name`` (None: unreadable), corners in pixels
    (k, 2), and the share of it that is inside the picture and not covered. Four corners TL TR BR BL of the upright
    piece for pieces, any polygon for others.
    """

    kind: str
    name: str | None
    corners: npt.NDArray[np.float32]
    visible: float = 1.0
