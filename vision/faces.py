"""Read the faces of dice and tiles, and what is printed on the squares of a board."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.types import Image, Quad

__all__ = ["FaceEvidence"]

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class FaceEvidence:
    """What the face reader says of one quad.

    ``quad`` has its corners corrected. ``logs`` are log-probabilities: "what" (5: symbols, wild, number, blank, other),
    "number" (3), "colour" (3), "shape" (3: diamond, oval, squiggle), "digit" (10) and "turn" (4: a printed number is
    upright when its own top left is corner k of the quad). ``raised`` in 0..1: a piece, no printed space.
    ``embedding`` is a (32,) unit vector, near that of other pictures of the same face. ``crop`` is the uint8 BGR crop.
    """

    quad: Quad
    logs: dict[str, Floats]
    raised: float
    embedding: Floats
    crop: Image
