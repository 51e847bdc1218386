"""A hub on a SQLite file, with a clock that tests move, and a store that fails or waits when it is told to."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.sets import find_sets
from engine.tokens import Card, full_deck
from service.game import Game
from service.hub import Created, Hub, Message, MessageKind, Session, Subscription, TableSetup, Visitor
from service.settings import Settings
from service.store import Entry, Store
from tests.fake_vision import FakeVision

DECK = full_deck()
TABLE = DECK[:12]
"""What is dealt first."""
SET = tuple(TABLE[place] for place in find_sets(TABLE)[0])
"""Three of it."""


class ShakyStore(Store):
    """A store that refuses to write, or holds what is asked, as long as a test wants."""

    refusal: Exception | None = None
    """What writing to a journal comes to; None: it works."""
    lost_answer = False
    """Whether the refusal comes after it was written all the same."""
    gate: asyncio.Event | None = None
    """What reading of journals waits for."""
    watched: Callable[[], Awaitable[object]] | None = None
    """What is done while something has been written, and nobody knows it yet."""
    read = 0
    """How often a journal has been read while the gate was there."""

    async def append(self, table: str, after: int, entries: Sequence[tuple[str, str | None]]) -> int:
        """Write, or refuse."""
        if self.refusal is not None and not self.lost_answer:
            raise self.refusal
        last = await super().append(table, after, entries)
        if self.watched is not None:
            await self.watched()
        if self.refusal is not None:
            raise self.refusal
        return last

    async def entries(self, id: str, after: int = 0, limit: int | None = None) -> tuple[Entry, ...]:
        """Read, when the gate is open."""
        found = await super().entries(id, after, limit)
        if self.gate is not None:
            self.read += 1
            await self.gate.wait()
        return found


class Lab:
    """A hub with all that it needs."""

    def __init__(self, store: ShakyStore, vision: FakeVision, settings: Settings) -> None:
        self.store, self.vision, self.settings = store, vision, settings
        self.seconds, self.wall = 1_000.0, 1_800_000_000.0
        self.restart()

    async def pass_time(self, seconds: float) -> None:
        """Let time pass for the hub."""
        self.seconds += seconds
        await self.hub.tick()

    async def rest(self) -> None:
        """Wait until nothing is done any more but to wait for pictures."""
        house = self.hub._house
        await settle()
        await until(lambda: len(house._tasks) <= house.cameras.taken and not house._threads.borrowed_tokens)
        await settle()

    def restart(self) -> None:
        """Go on with a new hub on the same store, as after a crash: the old one is simply left behind."""
        self.hub = Hub(self.store, self.vision, self.settings, lambda: self.seconds, lambda: self.wall)

    async def table(self, *players: str, game: Game = Game.CLASSIC, **more: Any) -> Table:
        """Open a table."""
        created = await self.hub.create(TableSetup(game, players or ("Ann", "Ben"), **more))
        return await Table.of(self, created)

    async def rejoin(self, table: Table) -> Table:
        """Enter the same table again, at the hub of the moment."""
        return await Table.of(self, table.created)


@asynccontextmanager
async def opened(
    folder: Path, settings: Settings | None = None, vision: FakeVision | None = None
) -> AsyncIterator[Lab]:
    """Yield a lab with its files in ``folder``."""
    store = ShakyStore.open(f"sqlite:///{folder / 'tables.sqlite'}")
    assert isinstance(store, ShakyStore)
    lab = Lab(store, vision or FakeVision(), settings or Settings())
    try:
        yield lab
    finally:
        if store.gate is not None:
            store.gate.set()
        await lab.hub.close()
        await store.close()


@dataclass
class Table:
    """A table with a visitor of each sort."""

    created: Created
    host: Visitor
    ann: Visitor
    join: Visitor
    spectator: Visitor
    camera: Visitor

    @classmethod
    async def of(cls, lab: Lab, created: Created) -> Table:
        """Enter with every key."""
        keys = created.keys
        first = next(iter(keys.players.values()))
        texts = (keys.host, first, keys.join, keys.spectator, keys.camera)
        return cls(created, *[await lab.hub.enter(created.session.id, text) for text in texts])

    @property
    def session(self) -> Session:
        """The table itself."""
        return self.host.session

    async def deal(self, cards: Sequence[Card] = TABLE) -> None:
        """Lay cards out."""
        await self.session.put(self.host, {"type": "dealt", "cards": [str(card) for card in cards]})

    async def lines(self) -> list[dict[str, Any]]:
        """The record, without its header."""
        return [json.loads(line) for line in (await self.session.record(self.host)).splitlines()[1:]]


@dataclass
class Listener:
    """Somebody who fetches every message of a subscription."""

    stream: Subscription
    seen: list[int] = field(default_factory=list)
    """The entries that somebody knew before."""
    messages: list[Message] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.task = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        async for message in self.stream:
            self.messages.append(message)

    @property
    def numbers(self) -> list[int]:
        """The numbers of the entries, as they came."""
        return self.seen + [message.number for message in self.messages if message.number is not None]

    def of(self, kind: MessageKind) -> list[dict[str, Any]]:
        """The messages of one kind."""
        return [json.loads(message.data) for message in self.messages if message.kind is kind]


async def settle() -> None:
    """Let everything that can go on without waiting go on."""
    for _ in range(20):
        await asyncio.sleep(0)


async def until(fine: Callable[[], bool], seconds: float = 5.0) -> None:
    """Wait until something is as it should be, but not for ever: then the test goes on, and fails."""
    end = time.monotonic() + seconds
    while not fine() and time.monotonic() < end:
        await asyncio.sleep(0.001)
