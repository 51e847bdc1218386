"""Queries: each takes the connection to use."""

from __future__ import annotations

from sqlalchemy import Connection, Row, func, select

from service.store.errors import NoTableError
from service.store.schema import ENTRIES, KEYS, TABLES
from service.store.stored import Entry, Key, Role, StoredTable

__all__ = ["count", "entries", "keys", "lines", "ping", "table"]

_KEY = [column for column in KEYS.columns if column is not KEYS.c.table_id]


def table(connection: Connection, table: str) -> StoredTable:
    """Return a table.

    :raises NoTableError: it is not kept.
    """
    row = connection.execute(select(TABLES).where(TABLES.c.id == table)).one_or_none()
    if row is None:
        raise NoTableError(table)
    return StoredTable(row.id, row.created, row.header, row.setup, row.last)


def keys(connection: Connection, table: str) -> tuple[Key, ...]:
    """Return all keys of a table, the revoked ones too, oldest first.

    :raises NoTableError: it is not kept.
    """
    _require(connection, table)
    query = select(*_KEY).where(KEYS.c.table_id == table).order_by(KEYS.c.created, KEYS.c.id)
    return tuple(_key(row) for row in connection.execute(query))


def _key(row: Row[tuple[object, ...]]) -> Key:
    return Key(row.id, Role(row.role), row.player, row.digest, row.created, row.revoked, row.seat)


def entries(connection: Connection, table: str, after: int, limit: int | None) -> tuple[Entry, ...]:
    """Return the entries of a journal after number ``after``, the first ``limit`` of them.

    :raises NoTableError: the table is not kept.
    """
    _require(connection, table)
    query = (
        select(ENTRIES.c.number, ENTRIES.c.told, ENTRIES.c.line)
        .where(ENTRIES.c.table_id == table, ENTRIES.c.number > after)
        .order_by(ENTRIES.c.number)
        .limit(limit)
    )
    return tuple(Entry(row.number, row.told, row.line) for row in connection.execute(query))


def lines(connection: Connection, table: str) -> tuple[str, ...]:
    """Return the lines of the record that the entries of a journal hold, in order.

    :raises NoTableError: the table is not kept.
    """
    _require(connection, table)
    query = (
        select(ENTRIES.c.line)
        .where(ENTRIES.c.table_id == table, ENTRIES.c.line.is_not(None))
        .order_by(ENTRIES.c.number)
    )
    return tuple(connection.scalars(query))


def count(connection: Connection) -> int:
    """Return how many tables are kept."""
    return connection.scalar(select(func.count()).select_from(TABLES)) or 0


def ping(connection: Connection) -> None:
    """Look into the database."""
    connection.execute(select(TABLES.c.id).limit(1))


def _require(connection: Connection, table: str) -> None:
    """:raises NoTableError: the table is not kept."""
    if connection.scalar(select(TABLES.c.id).where(TABLES.c.id == table)) is None:
        raise NoTableError(table)
