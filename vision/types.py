"""The nouns of vision: frozen, checked when made; an error gives expected and actual.

Convention: pixels, origin at the top left of the image turned upright by its EXIF orientation, x to the right,
y down, the centre of the top-left pixel at (0, 0). Images are (height, width, 3) uint8 in BGR order.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from engine.tokens import Piece

if TYPE_CHECKING:
    from vision.boards import Placement

__all__ = [
    "Deck",
    "Detection",
    "Doubt",
    "Frame",
    "Image",
    "Kind",
    "Mark",
    "Problem",
    "Quad",
    "QuadShapeError",
    "Reading",
    "VisionError",
]

Image = npt.NDArray[np.uint8]


class VisionError(Exception):
    """The family of everything that vision refuses."""


class QuadShapeError(VisionError, ValueError):
    """Corners that are not four finite points."""

    def __init__(self, actual: tuple[int, ...]) -> None:
        """Keep the ``actual`` shape beside the expected one."""
        super().__init__(f"a quad has shape (4, 2) and finite corners; got {actual}")


class Kind(StrEnum):
    """What sort of piece lies there."""

    CARD = "card"
    TILE = "tile"
    DIE = "die"


class Deck(StrEnum):
    """Which of the two printed decks the cards come from."""

    US = "us"
    RAVENSBURGER = "ravensburger"


class Doubt(StrEnum):
    """Why a reading is not to be trusted."""

    LOW_CONFIDENCE = "low confidence"
    GLARE = "glare"
    TOO_SMALL = "too small"
    DUPLICATE = "duplicate"
    NO_COLOUR = "no colour"
    CUT_OFF = "cut off"
    OVEREXPOSED = "overexposed"


@dataclass(frozen=True, eq=False)
class Quad:
    """Four corners of a piece.

    Convention: (4, 2) float32 pixels, order TL TR BR BL of the *upright* piece: for a card the first and the second
    corner end a short side. Which of the two short sides comes first is arbitrary (a card looks the same turned by
    180 degrees); corners run clockwise as seen in the image.
    """

    corners: npt.NDArray[np.float32]

    def __post_init__(self) -> None:
        corners = np.array(self.corners, np.float32)
        if corners.shape != (4, 2) or not np.isfinite(corners).all():
            raise QuadShapeError(corners.shape)
        corners.setflags(write=False)
        object.__setattr__(self, "corners", corners)

    @classmethod
    def of(cls, points: Iterable[Iterable[float]]) -> Quad:
        """Return the quad with these four (x, y) points."""
        return cls(np.array([list(point) for point in points], np.float32))

    @property
    def centre(self) -> npt.NDArray[np.float32]:
        """(2,) mean of the corners."""
        return np.asarray(self.corners.mean(axis=0), np.float32)

    @property
    def area(self) -> float:
        """Area in square pixels; positive when the corners run clockwise in the image."""
        (a, b), (c, d), (e, f), (g, h) = self.corners.tolist()
        return float(0.5 * ((a * d - b * c) + (c * f - d * e) + (e * h - f * g) + (g * b - h * a)))

    @property
    def short_side(self) -> float:
        """Mean length of the two sides TL-TR and BL-BR, in pixels."""
        a, b, c, d = self.corners.tolist()
        return (math.dist(a, b) + math.dist(c, d)) / 2

    @property
    def long_side(self) -> float:
        """Mean length of the two sides TR-BR and TL-BL, in pixels."""
        a, b, c, d = self.corners.tolist()
        return (math.dist(b, c) + math.dist(d, a)) / 2

    def scaled(self, factor: float) -> Quad:
        """Return the same quad in an image whose sides are ``factor`` times as long."""
        return Quad((self.corners + 0.5) * np.float32(factor) - 0.5)

    def tolist(self) -> list[list[float]]:
        """Corners as nested lists, rounded to a tenth of a pixel."""
        return [[round(float(x), 1), round(float(y), 1)] for x, y in self.corners]


@dataclass(frozen=True, eq=False)
class Detection:
    """A piece found, not yet read.

    ``score`` in 0..1 that it is a piece at all; ``kind_score`` in 0..1 that a card is one, or that a tile or a die is
    none; ``raised`` in 0..1 that a tile is a loose one and no space printed on a board.
    """

    quad: Quad
    score: float
    kind: Kind = Kind.CARD
    kind_score: float = 1.0
    raised: float = 1.0


@dataclass(frozen=True, eq=False)
class Reading:
    """A piece read.

    ``confidence`` is the calibrated probability in 0..1 that the whole name is right; ``features`` maps the name of a
    feature ("number", "colour", "shading", "shape") to the probability of the value that the name holds. ``cell`` is
    its place on a board, None where there is no board. A reading in doubt still carries its best name.
    """

    quad: Quad
    piece: Piece
    confidence: float
    features: Mapping[str, float] = field(default_factory=dict)
    doubt: Doubt | None = None
    kind: Kind = Kind.CARD
    cell: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        if not 0.0 <= self.confidence <= 1.0:
            raise VisionError(f"a confidence is in 0..1; got {self.confidence!r}")
        object.__setattr__(self, "features", MappingProxyType(dict(self.features)))

    @property
    def name(self) -> str:
        """The text form of the piece."""
        return str(self.piece)


@dataclass(frozen=True)
class Problem:
    """Something odd about a whole photo that a person should know: a code, the pieces it concerns, one sentence."""

    code: str
    pieces: tuple[int, ...]
    text: str


@dataclass(frozen=True, eq=False)
class Frame:
    """All that was read off one image. ``size`` is (width, height) in pixels; ``stages`` maps a stage to its ms.

    ``placement`` says where a board lies, None where none was looked for.
    """

    size: tuple[int, int]
    readings: tuple[Reading, ...]
    deck: Deck | None
    ms: float
    stages: Mapping[str, float]
    problems: tuple[Problem, ...] = ()
    warnings: tuple[str, ...] = ()
    placement: Placement | None = None

    def __len__(self) -> int:
        return len(self.readings)

    def __iter__(self) -> Iterator[Reading]:
        return iter(self.readings)


@dataclass(frozen=True, eq=False)
class Mark:
    """One thing to draw on a piece.

    ``groups`` are the numbers (from 1) of the SETs the piece is in: each number has its own colour and line style.
    ``text`` is written at the piece (its id, its name); ``doubtful`` draws a question mark.
    """

    quad: Quad
    text: str = ""
    groups: tuple[int, ...] = ()
    doubtful: bool = False
