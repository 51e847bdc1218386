"""Which game is asked for, and which one lies there."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vision.types import Frame

__all__ = ["Game"]


class Game(StrEnum):
    """The games that a photo can belong to; ``auto`` looks at what lies there."""

    AUTO = "auto"
    CLASSIC = "classic"
    RAVENSBURGER = "ravensburger"
    SETUP = "setup"
    JUNIOR_1 = "junior-1"
    JUNIOR_2 = "junior-2"
    CUBED = "cubed"

    @property
    def has_cards(self) -> bool:
        """Whether it is played with cards; ``auto`` may be."""
        return self not in (Game.JUNIOR_1, Game.JUNIOR_2, Game.CUBED)

    @property
    def needs_board(self) -> bool:
        """Whether its pieces lie on the squares of a board, of which a table has to know the board file."""
        return self in (Game.JUNIOR_1, Game.CUBED)

    def settled(self, frame: Frame) -> Game:
        """Return the game itself, or for ``auto`` the one whose pieces lie in ``frame``."""
        if self is not Game.AUTO:
            return self
        kinds = [reading.kind.value for reading in frame]
        if "card" not in kinds and "die" in kinds:
            return Game.CUBED
        if "card" not in kinds and "tile" in kinds:
            places = [reading.cell for reading in frame if reading.cell is not None]
            return Game.JUNIOR_1 if any(len(at) == 3 for at in places) else Game.JUNIOR_2
        return Game.RAVENSBURGER if frame.deck == "ravensburger" else Game.CLASSIC
