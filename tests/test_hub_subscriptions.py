"""Following a table: everything once, in order, however slow the store or the client is."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from service.hub import Close, MessageKind
from service.hub.messages import Message
from service.store import StoreGoneError
from tests.fake_vision import FakeVision
from tests.hub_play import Lab, Listener, Table, opened, settle, until

REFUSED = {"type": "gave_up", "player": "Ann"}
"""An event that is always judged and changes nothing."""


async def told(table: Table, many: int) -> None:
    """Let the table tell so many entries."""
    for _ in range(many):
        await table.session.put(table.host, REFUSED)


@pytest.mark.parametrize(
    ("after", "numbers"), [(None, [4]), (0, [1, 2, 3, 4]), (2, [3, 4]), (-5, [1, 2, 3, 4]), (99, [4])]
)
def test_the_journal_comes_first_and_then_what_happens(after: int | None, numbers: list[int], tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            table = await lab.table()
            await told(table, 3)
            listener = Listener(table.session.subscribe(table.spectator, after))
            await until(lambda: bool(listener.of(MessageKind.STATE)))
            await told(table, 1)
            await until(lambda: listener.numbers == numbers)
            assert listener.numbers == numbers
            assert [json.loads(one.text)["entry"]["number"] for one in listener.messages if one.number] == numbers
            assert listener.of(MessageKind.STATE)[-1]["last"] == 4

    asyncio.run(scenario())


def test_a_slow_store_makes_no_gap_and_tells_nothing_twice(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            table = await lab.table()
            await told(table, 2)
            lab.store.gate = asyncio.Event()
            listener = Listener(table.session.subscribe(table.spectator, 0))
            await until(lambda: lab.store.read == 1)  # the journal has been read, and waits
            await told(table, 2)
            assert listener.numbers == []
            lab.store.gate.set()
            await told(table, 1)
            await until(lambda: listener.numbers == [1, 2, 3, 4, 5])
            await settle()
            assert listener.numbers == [1, 2, 3, 4, 5]

    asyncio.run(scenario())


def test_a_long_journal_comes_page_by_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.hub.subscription._PAGE", 2)

    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            table = await lab.table()
            await told(table, 7)
            listener = Listener(table.session.subscribe(table.spectator, 0))
            await told(table, 3)
            await until(lambda: len(listener.numbers) >= 10)
            assert listener.numbers == list(range(1, 11))

    asyncio.run(scenario())


def test_a_message_is_written_once_for_all(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            table = await lab.table()
            listeners = [Listener(table.session.subscribe(table.spectator)) for _ in range(3)]
            await settle()
            await told(table, 1)
            await settle()
            for kind in (MessageKind.ENTRY, MessageKind.STATE):
                last = [[one for one in listener.messages if one.kind is kind][-1] for listener in listeners]
                assert last[0] is last[1] is last[2]
                assert last[0].text is last[1].text

    asyncio.run(scenario())


def test_who_does_not_fetch_is_dropped_and_the_others_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.hub.subscription._MOST", 10)

    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            table = await lab.table()
            lazy = table.session.subscribe(table.spectator)
            await anext(lazy)
            quick = Listener(table.session.subscribe(table.spectator))
            await settle()
            await told(table, 12)
            await settle()
            assert lazy.closing is not None
            assert lazy.closing.code is Close.TOO_SLOW
            assert [one async for one in lazy] == []
            assert quick.numbers == list(range(1, 13))
            assert lab.hub.figures.sockets == 1

    asyncio.run(scenario())


def test_who_is_slow_gets_the_newest_state_only(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            table = await lab.table()
            stream = table.session.subscribe(table.spectator)
            await anext(stream)
            for _ in range(5):
                table.session.subscribe(table.ann).close()
            assert json.loads((await anext(stream)).data)["players"][0]["connected"] is False
            await told(table, 1)
            assert [(await anext(stream)).kind for _ in range(2)] == [MessageKind.ENTRY, MessageKind.STATE]

    asyncio.run(scenario())


def test_where_the_journal_cannot_be_read_the_client_comes_back(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            table = await lab.table()
            await told(table, 1)

            async def gone(*given: object, **named: object) -> None:
                raise StoreGoneError

            lab.store.entries = gone  # type: ignore[method-assign, assignment]
            listener = Listener(table.session.subscribe(table.spectator, 0))
            await listener.task
            assert listener.stream.closing is not None
            assert listener.stream.closing.code is Close.RESTART

    asyncio.run(scenario())


def test_a_hub_that_stops_tells_everybody_even_those_who_come_too_late(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            table = await lab.table()
            listener = Listener(table.session.subscribe(table.spectator))
            camera, live = table.session.camera(table.camera), lab.hub.live()
            await lab.hub.close()
            await listener.task
            late = (table.session.subscribe(table.ann), table.session.camera(table.camera), lab.hub.live())
            assert lab.hub.figures.sockets == lab.hub.figures.cameras == 0
            for one in (listener.stream, camera, live, *late):
                assert one.closing is not None
                assert one.closing.code is Close.RESTART

    asyncio.run(scenario())


def test_a_player_is_connected_as_long_as_a_socket_is_open(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            table = await lab.table()
            listener = Listener(table.session.subscribe(table.spectator))
            await settle()
            streams = [table.session.subscribe(table.ann) for _ in range(2)]
            await settle()
            streams[0].close()
            await settle()
            streams[1].close()
            await settle()
            seen = [state["players"][0]["connected"] for state in listener.of(MessageKind.STATE)]
            assert seen[0] is False
            assert seen[-2:] == [True, False]

    asyncio.run(scenario())


@pytest.mark.parametrize("asked", [True, False])
def test_what_the_camera_sees_goes_to_those_who_asked_for_it(asked: bool, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            table = await lab.table()
            camera = table.session.camera(table.camera)
            listener = Listener(table.session.subscribe(table.spectator, seen=asked))
            await settle()
            camera.frame(b"1")
            await lab.rest()
            assert len(listener.of(MessageKind.SEEN)) == asked

    asyncio.run(scenario())


def test_what_is_seen_is_told_ten_times_a_second_at_most(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path, vision=FakeVision(ms=1.0)) as lab:
            table = await lab.table()
            listener = Listener(table.session.subscribe(table.spectator, seen=True))
            await settle()
            for number in range(20):
                listener.stream.tell([Message(MessageKind.SEEN, json.dumps({"time": number}))])
                await settle()
                lab.seconds += 0.06
            assert len(listener.of(MessageKind.SEEN)) == 10

    asyncio.run(scenario())


def test_messages_have_the_form_of_the_socket() -> None:
    assert json.loads(Message(MessageKind.ENTRY, '{"number": 1}', 1).text) == {"type": "entry", "entry": {"number": 1}}
    assert json.loads(Message(MessageKind.RATE, '{"fps": 5}').text) == {"type": "rate", "fps": 5}


async def rejoined(lab: Lab, table: Table, after: int) -> Listener:
    """Come back after the restart of the service."""
    lab.restart()
    again = await lab.rejoin(table)
    return Listener(again.session.subscribe(again.spectator, after))


def test_who_comes_back_after_a_restart_has_missed_nothing(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            table = await lab.table()
            await told(table, 3)
            listener = await rejoined(lab, table, 1)
            await until(lambda: len(listener.numbers) >= 2)
            assert listener.numbers == [2, 3]

    asyncio.run(scenario())
