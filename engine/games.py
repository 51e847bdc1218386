"""Every game of the family by its key."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from engine.classic import Classic
from engine.cubed import Cubed
from engine.editions import UnknownEditionError, edition
from engine.game import Game
from engine.junior1 import Junior1
from engine.junior2 import Junior2
from engine.ravensburger import Ravensburger
from engine.setup_game import Setup

__all__ = ["GAMES", "game"]

GAMES: Mapping[str, Game[Any]] = MappingProxyType(
    {
        "classic": Classic(edition("classic")),
        "ravensburger": Ravensburger(edition("ravensburger")),
        "setup": Setup(edition("setup")),
        "junior-1": Junior1(edition("junior-1")),
        "junior-2": Junior2(edition("junior-2")),
        "cubed": Cubed(edition("cubed")),
    }
)
"""The rules of each edition."""


def game(key: str) -> Game[Any]:
    """Return the game with this key.

    :raises UnknownEditionError: there is none.
    """
    try:
        return GAMES[key]
    except KeyError:
        raise UnknownEditionError(key) from None
