"""Tables, keys and entries for tests of the store."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from service.store import Key, Role, Store, StoredTable, StoreSettings

__all__ = ["add", "host", "opened", "player", "stored", "told"]


@asynccontextmanager
async def opened(address: str, settings: StoreSettings | None = None) -> AsyncIterator[Store]:
    """Open the store at ``address``, and close it at the end."""
    store = Store.open(address, settings)
    try:
        yield store
    finally:
        await store.close()


def stored(id: str = "table") -> StoredTable:
    """Return a table without entries."""
    return StoredTable(id, 1_700_000_000.123456, '{"game": "classic", "players": ["Zoë"]}', '{"name": "Küche"}')


def host(id: str = "host") -> Key:
    """Return the key of a host."""
    return Key(id, Role.HOST, None, b"\0\xff" * 16, 1_700_000_000.5)


def player(id: str, name: str) -> Key:
    """Return the key of a player."""
    return Key(id, Role.PLAYER, name, b"\xfe\1" * 16, 1_700_000_001.5)


def told(number: int) -> tuple[str, str | None]:
    """Return what entry ``number`` tells, and its line; every third one has none."""
    return f'{{"told": {number}}}', None if number % 3 == 0 else f'{{"line": {number}}}'


async def add(store: Store, *ids: str) -> None:
    """Create tables with one host each."""
    for id in ids:
        await store.create(stored(id), [host()])
