"""All tables: opened, found again by their keys, put away when nobody uses them."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.labels import Language
from service.game import Game

if TYPE_CHECKING:
    from service.board_file import AnyBoard
    from service.hub.camera import CameraSession
    from service.hub.keys import TableKeys
    from service.hub.session import Session, Visitor
    from service.hub.setup import TableSetup
    from service.hub.state import TableState
    from service.settings import Settings
    from service.store import Store
    from service.workers import Vision

__all__ = ["Created", "Figures", "Hub"]


@dataclass(frozen=True, slots=True)
class Created:
    """A table that was just opened."""

    session: Session
    keys: TableKeys
    state: TableState


@dataclass(frozen=True, slots=True)
class Figures:
    """How much goes on: tables in memory, sockets, cameras; pictures looked at and skipped since the start."""

    tables: int
    sockets: int
    cameras: int
    seen: int
    skipped: int


class Hub:
    """All tables of a service. Everything runs on one event loop."""

    def __init__(
        self,
        store: Store,
        vision: Vision,
        settings: Settings,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        """Keep tables in ``store``; ``clock`` tells steady seconds, ``wall`` Unix seconds."""
        raise NotImplementedError

    async def start(self) -> None:
        """Begin to let time pass at the tables."""
        raise NotImplementedError

    async def close(self) -> None:
        """End all sockets and cameras with 1012, and finish what is being stored."""
        raise NotImplementedError

    async def create(self, setup: TableSetup) -> Created:
        """Open a table.

        :raises SetupError: the game cannot be played so; names the field.
        :raises FullError: there are too many tables.
        :raises StoreError: it cannot be kept.
        """
        raise NotImplementedError

    async def import_record(
        self,
        record: bytes,
        *,
        name: str | None = None,
        call_limit: float | None = None,
        language: Language = Language.ENGLISH,
    ) -> Created:
        """Open a table with the game of a ``record`` so far: JSON lines in UTF-8.

        :raises BadRecordError: it cannot be read; says the line.
        :raises SetupError: the name or the limit is none.
        :raises FullError: there are too many tables.
        :raises StoreError: it cannot be kept.
        """
        raise NotImplementedError

    async def enter(self, table: str, key: str) -> Visitor:
        """Return who shows this whole ``key`` at the ``table``.

        :raises NoTableError: there is no such table.
        :raises BadKeyError: the key does not open it.
        :raises FullError: too many tables are in use.
        :raises StoreError: the table cannot be read now.
        """
        raise NotImplementedError

    def live(self, game: Game = Game.AUTO, board: AnyBoard | None = None) -> CameraSession:
        """Follow a camera without a table.

        :raises FullError: too many cameras or sockets.
        """
        raise NotImplementedError

    @property
    def figures(self) -> Figures:
        """How much goes on."""
        raise NotImplementedError
