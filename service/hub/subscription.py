"""Following a table: first what the journal holds already, then what happens, without a gap and nothing twice."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Protocol

from service.hub.clocks import ClientClock
from service.hub.journal import entry_message
from service.hub.messages import Close, Closing, Message, MessageKind
from service.store import Entry, StoreError

__all__ = ["Feed", "Queue", "Subscription"]

_PAGE = 200
"""So many entries of the journal are read at a time."""
_MOST = 1_000
"""So many messages may wait to be fetched."""
_SEEN_PAUSE = 0.1
"""Seconds between two looks of the camera that one who follows is told of."""


class Feed(Protocol):
    """What a subscription follows."""

    @property
    def now(self) -> float:
        """The seconds of the table."""
        ...

    @property
    def last(self) -> int:
        """The number of the newest entry that has been told."""
        ...

    async def journal(self, after: int, limit: int) -> tuple[Entry, ...]:
        """Return what is stored after entry ``after``."""
        ...

    def state_message(self) -> Message:
        """Return how the table stands now."""
        ...


class Queue(AsyncIterator[Message]):
    """Messages that wait for the one who fetches them, until it is ended."""

    def __init__(self) -> None:
        self.closing: Closing | None = None
        self.ended = False
        self._waiting: deque[Message] = deque()
        self._stirred = asyncio.Event()

    def __aiter__(self) -> Queue:
        """Return itself."""
        return self

    async def __anext__(self) -> Message:
        """Return the next message, as soon as there is one."""
        while not self._waiting:
            if self.ended:
                raise StopAsyncIteration
            await self._more()
        return self._waiting.popleft()

    async def _more(self) -> None:
        """Wait until there may be a message."""
        self._stirred.clear()
        await self._stirred.wait()

    def _add(self, message: Message) -> None:
        """Let ``message`` wait: only the newest counts of those that tell how things stand."""
        last = self._waiting[-1] if self._waiting else None
        if last is not None and last.kind is message.kind and message.kind in (MessageKind.STATE, MessageKind.SEEN):
            self._waiting[-1] = message
        elif len(self._waiting) >= _MOST:
            self.end(Closing(Close.TOO_SLOW, f"more than {_MOST} messages have not been fetched: come back"))
        else:
            self._waiting.append(message)
        self._stirred.set()

    def end(self, closing: Closing | None) -> None:
        """End it at once; the first reason counts."""
        if not self.ended:
            self.closing, self.ended = closing, True
            self._waiting.clear()
            self._stirred.set()


class Subscription(Queue):
    """The messages for one who follows a table, in order; made by ``Session.subscribe``.

    The iteration ends when the subscription does; ``closing`` then says why, None if its owner has closed it.
    """

    def __init__(
        self,
        feed: Feed,
        clock: ClientClock,
        after: int | None,
        *,
        key_id: str,
        player: str | None,
        seen: bool,
        left: Callable[[Subscription], object],
    ) -> None:
        """Follow ``feed`` from entry ``after`` (None: the newest); ``left`` is called once it has ended."""
        super().__init__()
        self.clock = clock
        """The clock of this client, for pings, pongs and calls over this socket."""
        self.key_id, self.player, self.seen = key_id, player, seen
        self._feed, self._left = feed, left
        self._place = feed.last if after is None else min(max(0, after), feed.last)
        self._up_to_date = False
        self._seen_next = 0.0

    async def _more(self) -> None:
        if self._up_to_date:
            await super()._more()
        elif self._place < self._feed.last:
            await self._catch_up()
        else:
            # From here the queue gets what is told; nothing can come in between, for nothing is awaited.
            self._up_to_date = True
            self._add(self._feed.state_message())

    async def _catch_up(self) -> None:
        try:
            entries = await self._feed.journal(self._place, _PAGE)
        except StoreError:
            self.end(Closing(Close.RESTART, "the journal cannot be read now: come back"))
            return
        if not self.ended:
            self._waiting += map(entry_message, entries)
            self._place = entries[-1].number if entries else self._feed.last

    def tell(self, messages: Iterable[Message]) -> None:
        """Tell what happens; what has been read from the journal already is not told again."""
        for message in messages if self._up_to_date and not self.ended else ():
            if message.number is not None:
                if message.number <= self._place:
                    continue
                self._place = message.number
            elif message.kind is MessageKind.SEEN and not self._wants_seen():
                continue
            self._add(message)

    def _wants_seen(self) -> bool:
        now = self._feed.now
        if not self.seen or now < self._seen_next:
            return False
        self._seen_next = now + _SEEN_PAUSE
        return True

    def end(self, closing: Closing | None) -> None:
        """End it at once; the first reason counts."""
        if not self.ended:
            super().end(closing)
            self._left(self)

    def close(self) -> None:
        """End it: whoever has made it must do this, however it ends; twice does no harm."""
        self.end(None)
