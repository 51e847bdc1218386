"""Numbers of the store: how much may wait, and for how long."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["StoreSettings"]


@dataclass(frozen=True, slots=True)
class StoreSettings:
    """Limits of one open store."""

    waiting: int = 2_000
    """Writes that may wait; beyond that a write is refused."""
    batch: int = 256
    """Writes that are committed together at the most."""
    readers: int = 4
    """Reads at the same time."""
    busy_seconds: float = 5.0
    """How long a write waits for a lock of another process."""
    connect_seconds: int = 5
    """How long a connection to a server may take."""
    silent_seconds: int = 10
    """How long a server may stay silent before it counts as gone."""
