"""The play at one table: every change is made, stored, and only then told."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from functools import partial

from anyio import to_thread

from service.errors import code_of
from service.game import Game
from service.hub.errors import MovedError
from service.hub.followers import Followers
from service.hub.house import House
from service.hub.journal import Act, Book, Told, entry_message, time_of
from service.hub.messages import Message, MessageKind
from service.hub.setup import Beside
from service.hub.standing import Around, Standing
from service.hub.state import TableState
from service.live.happenings import Happening
from service.live.table import LiveTable
from service.store import Entry, NoTableError, StoredTable, StoreError, StoreGoneError

__all__ = ["Play"]

_LOG = logging.getLogger(__name__)
_LONG = 500
"""A record of more events is judged again in a thread, and so is one with hints or corrections: they take longer."""
_HEAVY = ('"asked"', '"corrected"')
"""What a line with a hint or a correction has in it."""


class Play:
    """The live table of one game and its journal.

    Where the journal cannot be written the live table is thrown away, and made anew from what is stored when it is
    needed next: what was not stored has not happened. Those who follow then get what they have missed, if anything.
    """

    def __init__(self, house: House, stored: StoredTable, around: Callable[[float, int], Around]) -> None:
        """``around`` returns what a STATE tells beside the game, at a time and a last entry."""
        self.id = stored.id
        self.beside = Beside.from_json(stored.setup)
        self.header = stored.header
        self.followers = Followers()
        self.last = stored.last
        """The number of the newest entry that has been told."""
        self.gone = False
        """Whether the table has been deleted."""
        self._house, self._around = house, around
        self._began = house.clock()
        self._lock = asyncio.Lock()
        self._outages = 0
        """How often the store was gone when something was to be stored."""
        self._book: Book | None = None
        self._standing: Standing | None = None

    @property
    def now(self) -> float:
        """Seconds since the table was opened, by the steady clock."""
        return self._house.clock() - self._began

    @property
    def is_busy(self) -> bool:
        """Whether something is done at the table at this moment, or its time matters."""
        return self._lock.locked() or self in self._house.ticking

    def put_away(self) -> None:
        """Forget the live table; the next change makes it anew from what is stored."""
        self._book = None

    async def open(self) -> None:
        """Make the live table from what is stored, unless that has been done.

        :raises NoTableError: the table has been deleted.
        :raises StoreError: it cannot be read.
        """
        if self._standing is None:
            await self._house.whole(self._change(_nothing))

    async def change(
        self, act: Act, *, expected: int | None = None, heavy: bool = False, ticks: bool = True
    ) -> tuple[Entry, ...]:
        """Do ``act`` at the table and store what comes of it; return the new entries of the journal, which are told.

        A ``heavy`` one, and any of Cubed, is done in a thread. ``ticks``: time passes before it; a picture has a time
        of its own.

        :raises MovedError: ``expected`` is not the newest entry.
        :raises NoTableError: the table has been deleted.
        :raises StoreError: it could not be stored, so it has not happened.
        """
        return await self._house.whole(self._change(act, expected, heavy=heavy, ticks=ticks))

    async def _change(
        self, act: Act, expected: int | None = None, *, heavy: bool = False, ticks: bool = True
    ) -> tuple[Entry, ...]:
        outages = self._outages
        async with self._lock:
            if self._outages != outages:
                raise StoreGoneError  # it went while this waited; to wait for it one after the other helps nobody
            book = await self._opened()
            if expected is not None and expected != self.last:
                raise MovedError(expected, self.last)
            try:
                do = partial(book.act, act, self._house.wall(), self.now if ticks else None)
                acted = await self._house.in_thread(do) if heavy or _is_cubed(book) else do()
                entries = await self._stored(acted.told)
                standing = await self._stood(book)
                for verdict in acted.verdicts:
                    self._house.metrics.event(book.header.edition.key, verdict)
            except BaseException as error:
                self._book = None
                self._outages += isinstance(error, StoreGoneError)
                raise
            if entries or act is not _nothing:
                self._follow(book, standing, entries)
        if acted.refused is not None:
            raise acted.refused
        return entries

    async def _opened(self) -> Book:
        """Return the live table, made from what is stored if need be."""
        if self.gone:
            raise NoTableError(self.id)
        if self._book is not None:
            return self._book
        entries = await self._house.store.entries(self.id)
        if self._standing is None:
            self._began -= time_of(entries)
        make = partial(Book, self.header, entries, self.beside.live, self.now)
        book = await to_thread.run_sync(make) if _is_long(entries) else make()
        self._follow(book, await self._stood(book), tuple(entry for entry in entries if entry.number > self.last))
        self._book = book
        return book

    async def _stood(self, book: Book) -> Standing:
        """Return how the table stands: what can be played next in Cubed takes a while to find."""
        stood = partial(Standing.of, book, self._standing)
        return await self._house.in_thread(stood) if _is_cubed(book) else stood()

    async def _stored(self, told: tuple[Told, ...]) -> tuple[Entry, ...]:
        if told:
            with self._house.metrics.appending():
                await self._house.store.append(self.id, self.last, told)
        return tuple(Entry(number, *one) for number, one in enumerate(told, self.last + 1))

    def _follow(self, book: Book, standing: Standing, entries: tuple[Entry, ...]) -> None:
        """Tell what is stored."""
        before, self._standing = self._standing, standing
        if entries:
            self.last = entries[-1].number
        if book.table.waits:
            self._house.tick(self)
        if self.followers:
            self.followers.tell(map(entry_message, entries))
            if entries or not self._standing.looks_like(before):
                self.tell_state()

    @property
    def is_due(self) -> bool:
        """Whether a tick may bring something about, or is the last one."""
        due = None if self._book is None else self._book.table.due
        return due is None or due <= self.now

    async def tick(self) -> None:
        """Let time pass, unless something is done at the table; where it does not matter any more, tick no more."""
        if self._lock.locked():
            return
        try:
            if self._waits:
                await self._change(_nothing)
        except StoreError as error:
            _LOG.warning("table %s: what time has brought could not be stored: %s", self.id, code_of(error))
        except Exception:
            _LOG.exception("table %s: time could not pass", self.id)
        if not self._waits:
            self._house.ticking.discard(self)

    async def lose_sight(self) -> None:
        """Note that no camera looks at the table any more: nothing that it has seen is still going on."""
        async with self._lock:
            if self._book is not None:
                self._book.table.restart_sight()

    @property
    def _waits(self) -> bool:
        return self._book is not None and self._book.table.waits

    # What is told.

    async def journal(self, after: int, limit: int) -> tuple[Entry, ...]:
        """Return what is stored after entry ``after``, at most ``limit`` entries."""
        return await self._house.store.entries(self.id, after=after, limit=limit)

    def state(self) -> TableState:
        """Return how the table stands, as far as it has been stored; it has been opened."""
        assert self._standing is not None  # noqa: S101  who holds a table has opened it
        return self._standing.state(self._around(self.now, self.last))

    def state_message(self) -> Message:
        """Return the message of it."""
        return Message(MessageKind.STATE, self.state().model_dump_json())

    def tell_state(self) -> None:
        """Tell everybody how the table stands."""
        if self.followers and self._standing is not None:
            self.followers.tell([self.state_message()])


def _is_cubed(book: Book) -> bool:
    """Return whether everything at a table may be a search."""
    return book.header.edition.key == Game.CUBED


def _is_long(entries: Sequence[Entry]) -> bool:
    return len(entries) >= _LONG or any(word in (one.line or "") for one in entries for word in _HEAVY)


def _nothing(table: LiveTable) -> tuple[Happening, ...]:
    return ()
