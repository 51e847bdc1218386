"""Two clients at one table in any order, with restarts and a store that fails: one journal, the same for all."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.record import read_record
from engine.sets import find_sets
from engine.tokens import Card
from service.hub import HubError, Session, Visitor
from service.live.errors import LiveError
from service.store import StoreError, StoreGoneError
from tests.hub_play import DECK, Lab, Listener, Table, opened, until

INTERLEAVINGS = 200
BATCH = 20
STEPS = 12


@dataclass
class Client:
    """Somebody with a key, who follows the table and acts."""

    name: str
    visitor: Visitor
    listener: Listener
    acknowledged: list[int] = field(default_factory=list)

    @property
    def session(self) -> Session:
        """The table."""
        return self.visitor.session


@dataclass
class Evening:
    """Two clients and their host at a table; chance decides who does what."""

    lab: Lab
    table: Table
    rng: Random
    clients: list[Client] = field(default_factory=list)

    async def arrive(self) -> None:
        """Let both enter, and go on where they were."""
        numbers = [client.listener.numbers for client in self.clients] or [[], []]
        acknowledged = [client.acknowledged for client in self.clients] or [[], []]
        keys = self.table.created.keys.players
        self.clients = []
        for (name, key), seen, known in zip(keys.items(), numbers, acknowledged, strict=True):
            visitor = await self.lab.hub.enter(self.table.created.session.id, key)
            listener = Listener(visitor.session.subscribe(visitor, seen[-1] if seen else 0), list(seen))
            self.clients.append(Client(name, visitor, listener, known))

    async def act(self, client: Client) -> None:
        """Do one thing; whatever is acknowledged is remembered."""
        session, rng = client.session, self.rng
        expected = session.last if rng.random() < 0.3 else None
        try:
            match rng.randrange(7):
                case 0 | 1:
                    changed = await session.call(client.visitor, expected=expected)
                case 6:
                    changed = await session.put(client.visitor, {"type": "called", "player": client.name})
                case 2:
                    changed = await session.put(client.visitor, self.pick(client.name), expected=expected)
                case 3:
                    changed = await session.put(client.visitor, {"type": "no_set", "player": client.name})
                case 4:
                    host = await self.lab.hub.enter(session.id, self.table.created.keys.host)
                    changed = await host.session.undo(host)
                case _:
                    host = await self.lab.hub.enter(session.id, self.table.created.keys.host)
                    changed = await host.session.choose(host, client.name)
        except (HubError, LiveError, StoreError):
            return
        client.acknowledged += [entry.number for entry in changed.entries]

    def pick(self, player: str) -> dict[str, Any]:
        """Three cards, a SET or not."""
        table: list[Card] = list(DECK[:12])
        chosen = self.rng.choice(find_sets(table)) if self.rng.random() < 0.7 else (0, 1, 3)
        return {"type": "picked", "player": player, "cards": [str(table[place]) for place in chosen]}

    async def disturb(self) -> None:
        """Let time pass, the store fail, or the service be killed and started again."""
        match self.rng.randrange(6):
            case 0:
                self.lab.store.refusal = StoreGoneError()
                self.lab.store.lost_answer = self.rng.random() < 0.5
            case 1:
                self.lab.store.refusal = None
                self.lab.restart()
                await self.arrive()
            case _:
                self.lab.store.refusal = None
        await self.lab.pass_time(self.rng.choice((0.0, 0.1, 1.0)))


async def played(lab: Lab, seed: int) -> None:
    """One evening: whatever happens, all see the same journal, and its record leads to the same scores."""
    rng = Random(seed)  # noqa: S311  an order, no secret
    table = await lab.table()
    await table.deal()
    evening = Evening(lab, table, rng)
    await evening.arrive()
    for _ in range(STEPS):
        await asyncio.gather(*(evening.act(client) for client in rng.sample(evening.clients, 2)))
        await evening.disturb()
    lab.store.refusal = None
    await lab.pass_time(10)
    last = await lab.rejoin(table)
    await last.session.put(last.host, {"type": "ended"})
    await until(lambda: all(client.listener.numbers[-1:] == [last.session.last] for client in evening.clients))
    await check(evening, last)


async def check(evening: Evening, table: Table) -> None:
    """Compare what everybody has been told with what is stored."""
    page = await table.session.entries(table.host, 0, 10_000)
    numbers = [entry.number for entry in page.entries]
    assert numbers == list(range(1, len(numbers) + 1))
    for client in evening.clients:
        assert client.listener.numbers == numbers
        assert set(client.acknowledged) <= set(numbers)
    header, events = read_record(BytesIO((await table.session.record(table.host)).encode()))
    referee = header.referee()
    for event in events:
        referee.apply(event)
    state = await table.session.state(table.host)
    assert {one.name: one.score for one in state.players} == referee.state.score
    told = [json.loads(entry.told)["event"] for entry in page.entries if entry.line is not None]
    assert told == list(range(len(events)))


@pytest.mark.parametrize("batch", range(INTERLEAVINGS // BATCH))
def test_two_clients_in_any_order_leave_one_journal(batch: int, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            for seed in range(BATCH * batch, BATCH * (batch + 1)):
                await played(lab, seed)

    asyncio.run(scenario())
