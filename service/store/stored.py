"""What is kept: tables, keys, and the entries of journals."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Entry", "Key", "Role", "StoredTable"]


class Role(StrEnum):
    """What a key lets its owner do."""

    HOST = "host"
    """Everything."""
    PLAYER = "player"
    """Play as one player."""
    SPECTATOR = "spectator"
    """Look on."""
    CAMERA = "camera"
    """Send pictures."""
    JOIN = "join"
    """Take a free seat."""


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a table, without its secret."""

    id: str
    """Public: for lists and logs; one of its kind at its table."""
    role: Role
    player: str | None
    """Whose key it is, for ``Role.PLAYER``."""
    digest: bytes
    """SHA-256 of the secret."""
    created: float
    """Unix seconds."""
    revoked: bool = False
    seat: bool = False
    """Whether the player's seat is taken by it: it came through a join key, or has been used to play."""


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table as it was created, and how far its journal is."""

    id: str
    created: float
    """Unix seconds."""
    header: str
    """The header line of the record."""
    setup: str
    """A JSON object: whatever else the table was created with."""
    last: int = 0
    """Number of the newest entry; 0 where there is none."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a journal."""

    number: int
    """1, 2, 3, ... without a gap."""
    told: str
    """A JSON object: what clients are told."""
    line: str | None
    """The line of the record, for an event."""
