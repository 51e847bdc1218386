"""Which game is asked for, and which one lies there."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Game"]


class Game(StrEnum):
    """The games that a photo of cards can belong to; ``auto`` looks at what lies there."""

    AUTO = "auto"
    CLASSIC = "classic"
    RAVENSBURGER = "ravensburger"
    SETUP = "setup"

    def settled(self, deck: str | None) -> Game:
        """Return the game itself, or for ``auto`` the one that is played with ``deck`` ("us", "ravensburger", None)."""
        if self is not Game.AUTO:
            return self
        return Game.RAVENSBURGER if deck == "ravensburger" else Game.CLASSIC
