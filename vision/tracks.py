"""The nouns of a table followed over time: a piece with its identity, and all that is known at one moment.

Convention: times are seconds from the start of the source and never go backwards; quads are pixels of the picture of
that moment.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from vision.boards import Placement
from vision.types import Deck, Reading

__all__ = ["Advice", "Moment", "Scene", "Track"]


class Scene(StrEnum):
    """What goes on in the picture."""

    STILL = "still"
    """Nothing moves and nothing is in the way."""
    MOVING = "moving"
    """Something moves, the camera perhaps."""
    HANDS = "hands"
    """Something reaches in from the border: a hand, an arm."""
    DARK = "dark"
    """Too little light to see anything, or none at all."""


class Advice(StrEnum):
    """What people can do so that more is seen."""

    TOO_DARK = "too-dark"
    """Make more light, or open the lens."""
    TOO_BRIGHT = "too-bright"
    """Make less light: paper is blown out."""
    GLARE = "glare"
    """A lamp is mirrored in one spot: turn it, or the camera."""
    HANDS = "hands"
    """Take the hands off the table."""
    HOLD_STILL = "hold-still"
    """Nothing can be read as long as everything moves."""
    BLURRED = "blurred"
    """Let the camera focus, or wipe its lens."""
    MOVE_CLOSER = "move-closer"
    """Pieces are too small to be read."""
    MOVE_BACK = "move-back"
    """The border of the picture cuts pieces off."""
    NO_PIECES = "no-pieces"
    """Nothing looks like a piece: show the table, with faces up."""


@dataclass(frozen=True, eq=False)
class Track:
    """A piece that is followed.

    ``identity`` stays with the piece through small moves, hands over it and knocks against the camera, and is never
    given to another one. ``reading`` is what all looks at it say together, its quad smoothed. ``first`` and ``last``
    are when it was first and last seen; ``hidden`` tells that it is not seen now, for a hand may lie over it.
    ``corrected``: a person has said what it is.
    """

    identity: int
    reading: Reading
    first: float
    last: float
    hidden: bool = False
    corrected: bool = False


@dataclass(frozen=True, eq=False)
class Moment:
    """What is known of the table at one ``time``, from pictures of ``size`` (width, height).

    ``settled``: nothing has changed for the settling time, nothing is in the way, and every name is sure or will not
    get surer: now, and only now, do the tracks show the whole table as it is. Else they are the last sure layout, as
    far as it is known. ``changed`` is when the picture last changed where pieces lie or something moved: the end of
    the change that led here. ``ms`` are the milliseconds that this picture took. ``advice`` is what would help to see
    more, None where all is well.
    """

    time: float
    size: tuple[int, int]
    scene: Scene
    settled: bool
    changed: float
    tracks: tuple[Track, ...] = ()
    deck: Deck | None = None
    placement: Placement | None = None
    ms: float = 0.0
    advice: Advice | None = None

    def __iter__(self) -> Iterator[Track]:
        """Iterate over the tracks."""
        return iter(self.tracks)
