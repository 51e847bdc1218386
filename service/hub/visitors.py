"""Who uses a table, and what they get."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from service.hub.state import TableState
from service.store import Entry, Role

if TYPE_CHECKING:
    from service.hub.session import Session

__all__ = ["Changed", "Page", "Visitor"]


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody who has shown a key of a table; ``player`` is whom a player's key is for."""

    session: Session
    key_id: str
    role: Role
    player: str | None


@dataclass(frozen=True, slots=True)
class Changed:
    """What has come of a change: the entries that it has added to the journal, and how the table stands now.

    ``error`` is that of the time of a call, in seconds; None for everything else.
    """

    entries: tuple[Entry, ...]
    state: TableState
    error: float | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """A part of the journal; ``last`` is the number of the newest entry of all."""

    entries: tuple[Entry, ...]
    last: int
