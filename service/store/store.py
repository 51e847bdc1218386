"""The store: what the service keeps, and the only place where it is kept."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from sqlalchemy import URL, Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from service.errors import one_line
from service.store import reads, writes
from service.store.address import default_address, engine_of, parsed
from service.store.errors import BadTextError, ConflictError, NoTableError, StoreError, StoreGoneError, UnknownKeyError
from service.store.faults import may_be_repeated, refusal
from service.store.migrate import migrate
from service.store.settings import StoreSettings
from service.store.stored import Entry, Key, StoredTable
from service.store.writer import Writer

__all__ = ["Store"]

_Answer = TypeVar("_Answer")

_LARGEST = 2**31 - 1
"""Largest number that the columns of numbers hold."""


class Store:
    """Tables, their keys and their journals.

    What a method has written when it returns survives whatever happens to the process. Every method may raise
    ``StoreGoneError``, and one that writes ``StoreFullError`` too: then nothing was written, or, where a server was
    lost with the answer, all of it; the next call simply tries again. Who is cancelled while a write waits may have
    written it or not.
    """

    def __init__(self, engine: Engine, settings: StoreSettings) -> None:
        """Use ``engine``, whose database has the newest schema; see ``open``."""
        self._engine = engine
        self._writer = Writer(engine, settings)
        self._readers = ThreadPoolExecutor(settings.readers, "store-reader")

    @classmethod
    def open(cls, address: str, settings: StoreSettings | None = None) -> Store:
        """Open the database at ``address``, bring it to the newest schema, and return its store.

        ``address`` is ``sqlite:///FILE`` or ``postgresql://USER:PASSWORD@HOST/DATABASE``. A missing SQLite file is
        made, for its owner alone.

        :raises StoreAddressError: a bad address.
        :raises StoreLibraryError: the driver of PostgreSQL is not installed.
        :raises StoreVersionError: a newer program has written the database.
        :raises StoreGoneError: it cannot be reached; the text says why.
        """
        settings, url = settings or StoreSettings(), parsed(address)
        engine = engine_of(url, settings)
        try:
            migrate(engine)
        except SQLAlchemyError as error:
            engine.dispose()
            raise StoreGoneError(f"the database cannot be opened: {_reason(error, url)}") from error
        except StoreError:
            engine.dispose()
            raise
        return cls(engine, settings)

    @staticmethod
    def default_address() -> str:
        """Return the address of a SQLite file of the user's own."""
        return default_address()

    async def create(self, table: StoredTable, keys: Sequence[Key], entries: Sequence[Entry] = ()) -> None:
        """Keep a new table with its keys and the beginning of its journal; ``table.last`` is taken from ``entries``.

        :raises ConflictError: there is one with this id, or ``entries`` are not numbered 1, 2, 3, ...
        :raises BadTextError: a text that cannot be kept.
        """
        if any(entry.number != number for number, entry in enumerate(entries, 1)):
            raise ConflictError("the entries of a new table are numbered 1, 2, 3, ... without a gap")
        _check_texts(table.id, table.header, table.setup)
        _check_texts(*(text for entry in entries for text in (entry.told, entry.line)))
        _check_texts(*(text for key in keys for text in (key.id, key.player)))
        await self._write(partial(writes.create, table=table, keys=tuple(keys), entries=tuple(entries)))

    async def append(self, table: str, after: int, entries: Sequence[tuple[str, str | None]]) -> int:
        """Append ``entries``, each what is told and the line of the record, and return the new last number.

        :raises ConflictError: the newest entry is not number ``after``.
        :raises NoTableError: the table is not kept.
        :raises BadTextError: a text that cannot be kept.
        """
        _check_id(table)
        _check_texts(*(text for entry in entries for text in entry))
        change = writes.Append(table, after, tuple(entries))
        await self._write(change)
        return change.last

    async def table(self, id: str) -> StoredTable:
        """Return a table.

        :raises NoTableError: it is not kept.
        """
        _check_id(id)
        return await self._read(partial(reads.table, table=id))

    async def keys(self, id: str) -> tuple[Key, ...]:
        """Return the keys of a table, oldest first, revoked ones too.

        :raises NoTableError: it is not kept.
        """
        _check_id(id)
        return await self._read(partial(reads.keys, table=id))

    async def entries(self, id: str, after: int = 0, limit: int | None = None) -> tuple[Entry, ...]:
        """Return the entries of a journal after number ``after``, at most ``limit`` of them.

        :raises NoTableError: the table is not kept.
        """
        _check_id(id)
        most = _LARGEST if limit is None else _bounded(limit)
        return await self._read(partial(reads.entries, table=id, after=_bounded(after), limit=most))

    async def lines(self, id: str) -> tuple[str, ...]:
        """Return the lines of the record that the journal holds, in order; without the header.

        :raises NoTableError: the table is not kept.
        """
        _check_id(id)
        return await self._read(partial(reads.lines, table=id))

    async def add_key(self, id: str, key: Key) -> None:
        """Add a key to a table.

        :raises NoTableError: the table is not kept.
        :raises ConflictError: it has a key of this id.
        :raises BadTextError: a text that cannot be kept.
        """
        await self._write_key(writes.add_key, id, key)

    async def take_seat(self, id: str, key: Key) -> None:
        """Add the key of somebody who takes the seat of ``key.player``; of several at once one gets it.

        :raises SeatTakenError: the seat is taken by a key that is not revoked.
        :raises NoTableError: the table is not kept.
        :raises ConflictError: it has a key of this id.
        :raises BadTextError: a text that cannot be kept.
        """
        await self._write_key(writes.take_seat, id, key)

    async def hold_seat(self, id: str, key_id: str) -> None:
        """Let a key that is in use hold the seat of its player, so that nobody takes it while the key is not revoked.

        :raises NoTableError: the table is not kept.
        """
        _check_id(id)
        await self._write(partial(writes.hold_seat, table=id, key_id=key_id))

    async def revoke(self, id: str, key_id: str) -> None:
        """Revoke a key; revoking it once more does nothing.

        :raises NoTableError: the table is not kept.
        :raises UnknownKeyError: it has no such key.
        :raises LastHostError: no other key of a host would be left.
        """
        _check_id(id)
        if not _is_sound(key_id):
            raise UnknownKeyError
        await self._write(partial(writes.revoke, table=id, key_id=key_id))

    async def delete(self, id: str) -> None:
        """Delete a table with all that belongs to it.

        :raises NoTableError: it is not kept.
        """
        _check_id(id)
        await self._write(partial(writes.drop, table=id))

    async def count(self) -> int:
        """Return how many tables are kept."""
        return await self._read(reads.count)

    async def ping(self) -> None:
        """Do nothing where the database answers."""
        await self._read(reads.ping)

    async def close(self) -> None:
        """Write what waits, then close; whatever is asked afterwards raises ``StoreGoneError``."""
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        self._writer.close()
        self._readers.shutdown()
        self._engine.dispose()

    async def _write_key(self, write: Callable[[Connection, str, Key], None], id: str, key: Key) -> None:
        _check_id(id)
        _check_texts(key.id, key.player)
        await self._write(lambda connection: write(connection, id, key))

    async def _write(self, change: writes.Change) -> None:
        await asyncio.wrap_future(self._writer.put(change))

    async def _read(self, query: Callable[[Connection], _Answer]) -> _Answer:
        try:
            answer = self._readers.submit(self._answer, query)
        except RuntimeError as error:
            raise StoreGoneError("the store is closed") from error
        return await asyncio.wrap_future(answer)

    def _answer(self, query: Callable[[Connection], _Answer], again: bool = True) -> _Answer:
        """The answer to ``query``, asked once more where the connection is lost."""
        try:
            with self._engine.connect() as connection:
                return query(connection)
        except SQLAlchemyError as error:
            if not (again and may_be_repeated(error)):
                raise refusal(error) from error
        return self._answer(query, again=False)


def _reason(error: SQLAlchemyError, url: URL) -> str:
    """What the driver says, without the password."""
    said = one_line(getattr(error, "orig", None) or error)
    return said.replace(str(url.password), "***") if url.password else said


def _is_sound(text: str) -> bool:
    """Whether every database can keep ``text``."""
    try:
        return b"\0" not in text.encode()
    except UnicodeEncodeError:
        return False


def _check_texts(*texts: str | None) -> None:
    """:raises BadTextError: one of them cannot be kept."""
    for text in texts:
        if text is not None and not _is_sound(text):
            raise BadTextError(text)


def _check_id(table: str) -> None:
    """:raises NoTableError: no table can have this id."""
    if not _is_sound(table):
        raise NoTableError(table)


def _bounded(number: int) -> int:
    return min(max(number, 0), _LARGEST)
