"""Changes: each is made in the transaction of the connection that it is given, and refused before anything is written.

A change locks the row of its table first, so that those of other processes wait for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from service.store import reads
from service.store.errors import ConflictError, LastHostError, NoTableError, SeatTakenError, StoreError, UnknownKeyError
from service.store.schema import ENTRIES, KEYS, TABLES
from service.store.stored import Entry, Key, Role, StoredTable

__all__ = ["Append", "Change", "add_key", "create", "drop", "hold_seat", "perform", "revoke", "take_seat"]


@dataclass(frozen=True, slots=True)
class Append:
    """Entries that follow number ``after`` of the journal of ``table``: what is told, and the line of the record."""

    table: str
    after: int
    entries: tuple[tuple[str, str | None], ...]

    @property
    def last(self) -> int:
        """Number of the newest entry afterwards."""
        return self.after + len(self.entries)


Change = Append | Callable[[Connection], None]
"""Something to write: entries, or whatever else a function does."""


def perform(connection: Connection, changes: Sequence[Change]) -> list[int | StoreError | None]:
    """Do all ``changes``; return of each its refusal, or the new last number of an append."""
    appended = iter(_append(connection, [change for change in changes if isinstance(change, Append)]))
    return [next(appended) if isinstance(change, Append) else _refused(connection, change) for change in changes]


def _refused(connection: Connection, change: Callable[[Connection], None]) -> StoreError | None:
    try:
        change(connection)
    except StoreError as error:
        return error
    return None


def _append(connection: Connection, appends: Sequence[Append]) -> list[int | StoreError]:
    """Append to many journals with three statements."""
    if not appends:
        return []
    before = _locked(connection, {append.table for append in appends})
    lasts, outcomes, rows = dict(before), list[int | StoreError](), list[dict[str, Any]]()
    for append in appends:
        outcome = _outcome(append, lasts.get(append.table))
        outcomes.append(outcome)
        if not isinstance(outcome, StoreError):
            lasts[append.table] = outcome
            entries = (Entry(number, *entry) for number, entry in enumerate(append.entries, append.after + 1))
            rows += _rows(append.table, entries)
    moved = [{"moved": table, "last": last} for table, last in lasts.items() if last != before[table]]
    if rows:
        connection.execute(insert(ENTRIES), rows)
        connection.execute(update(TABLES).where(TABLES.c.id == bindparam("moved")), moved)
    return outcomes


def _outcome(append: Append, last: int | None) -> int | StoreError:
    if last is None:
        return NoTableError(append.table)
    if last != append.after:
        return ConflictError(f"the journal has moved on: its newest entry is {last!r}, not {append.after!r}")
    return append.last


def _rows(table: str, kept: Iterable[Entry | Key]) -> list[dict[str, Any]]:
    return [{"table_id": table, **asdict(one)} for one in kept]


def _locked(connection: Connection, tables: Iterable[str]) -> dict[str, int]:
    """The last numbers of those ``tables`` that there are; locked in one order, so that two processes never cross."""
    query = select(TABLES.c.id, TABLES.c.last).where(TABLES.c.id.in_(sorted(tables)))
    return {row.id: row.last for row in connection.execute(query.order_by(TABLES.c.id).with_for_update())}


def _lock(connection: Connection, table: str) -> None:
    """:raises NoTableError: the table is not kept."""
    if not _locked(connection, [table]):
        raise NoTableError(table)


def create(connection: Connection, table: StoredTable, keys: Sequence[Key], entries: Sequence[Entry]) -> None:
    """Keep a new table, with its keys and the beginning of its journal."""
    connection.execute(insert(TABLES), asdict(replace(table, last=len(entries))))
    if keys:
        connection.execute(insert(KEYS), _rows(table.id, keys))
    if entries:
        connection.execute(insert(ENTRIES), _rows(table.id, entries))


def add_key(connection: Connection, table: str, key: Key) -> None:
    """Add a key.

    :raises NoTableError: the table is not kept.
    """
    _lock(connection, table)
    connection.execute(insert(KEYS), _rows(table, [key]))


def take_seat(connection: Connection, table: str, key: Key) -> None:
    """Add the key of somebody who takes the seat of ``key.player``.

    :raises NoTableError: the table is not kept.
    :raises SeatTakenError: somebody has taken it, and that key is not revoked.
    """
    _lock(connection, table)
    if any(other.seat and not other.revoked and other.player == key.player for other in reads.keys(connection, table)):
        raise SeatTakenError(key.player)
    connection.execute(insert(KEYS), _rows(table, [replace(key, seat=True)]))


def hold_seat(connection: Connection, table: str, key_id: str) -> None:
    """Let a key hold the seat of its player, as if it had been taken with it; once more does nothing.

    :raises NoTableError: the table is not kept.
    """
    _lock(connection, table)
    connection.execute(update(KEYS).where(KEYS.c.table_id == table, KEYS.c.id == key_id).values(seat=True))


def revoke(connection: Connection, table: str, key_id: str) -> None:
    """Revoke a key; once more does nothing.

    :raises NoTableError: the table is not kept.
    :raises UnknownKeyError: it has no such key.
    :raises LastHostError: no other host would be left.
    """
    _lock(connection, table)
    keys = {key.id: key for key in reads.keys(connection, table)}
    if key_id not in keys:
        raise UnknownKeyError
    hosts = [key.id for key in keys.values() if key.role is Role.HOST and not key.revoked]
    if hosts == [key_id]:
        raise LastHostError(key_id)
    connection.execute(update(KEYS).where(KEYS.c.table_id == table, KEYS.c.id == key_id).values(revoked=True))


def drop(connection: Connection, table: str) -> None:
    """Delete a table, its keys and its journal.

    :raises NoTableError: it is not kept.
    """
    if not connection.execute(delete(TABLES).where(TABLES.c.id == table)).rowcount:
        raise NoTableError(table)
