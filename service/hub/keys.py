"""Keys: who somebody is at a table. The store keeps a digest only, and texts and logs the public part only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from service.store import Role

__all__ = ["NewKey", "TableKeys"]


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key that was just made: ``key`` is the whole of it, which nobody can be told again; ``id`` its public part."""

    id: str
    role: Role
    player: str | None
    key: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class TableKeys:
    """The keys of a new table, whole."""

    host: str = field(repr=False)
    join: str = field(repr=False)
    spectator: str = field(repr=False)
    camera: str = field(repr=False)
    players: Mapping[str, str] = field(repr=False)
