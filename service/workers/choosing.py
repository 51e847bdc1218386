"""Which game a camera sees, where nobody has said: dice and tiles are followed with other eyes than cards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from service.game import Game
from service.watch_tracker import GameGuess

if TYPE_CHECKING:
    from vision.tracks import Moment
    from vision.types import Image

__all__ = ["Choosing", "ChoosingConfig"]


@dataclass(frozen=True)
class ChoosingConfig:
    """Whole pictures are read for ``seconds`` after a change: that takes longer than to follow what lies there."""

    seconds: float = 4.0


class Choosing:
    """Begins with cards, and looks for other games where that leaves something open."""

    def __init__(self, guess: GameGuess, config: ChoosingConfig | None = None) -> None:
        """Ask ``guess`` what single pictures show."""
        self._guess, self._config = guess, config or ChoosingConfig()
        self._game = Game.AUTO
        self._began: float | None = None

    def instead(self, image: Image, moment: Moment) -> Game | None:
        """Return the game whose pieces are to be followed from now on, None for the same ones.

        ``moment`` is what those who follow now have made of a (height, width, 3) uint8 BGR ``image``.
        """
        self._began = moment.time if self._began is None else self._began
        is_chosen = self._game is not Game.AUTO
        is_clear = is_chosen and moment.advice is None
        if is_clear or moment.time - max(self._began, moment.changed) > self._config.seconds:
            return None
        found = self._guess.instead(image, moment, self._game) if is_chosen else self._guess.of(image, moment)
        if found is None:
            return None
        before, self._game = self._game, found
        return None if found.has_cards and before.has_cards else found
