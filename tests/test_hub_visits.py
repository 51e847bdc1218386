"""Who comes to the tables of a hub: limits, keys, records taken over, disputes."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from service.errors import BadRecordError
from service.hub import Close, MessageKind
from service.hub.errors import (
    BadEventError,
    BadKeyError,
    FullError,
    NoDisputeError,
    NoNameError,
    NotAllowedError,
    NotYoursError,
    SetupError,
    TooManyKeysError,
    TooManyRequestsError,
)
from service.live.errors import NoCallError, NoReplayError
from service.settings import Settings
from service.store import (
    LastHostError,
    NoTableError,
    Role,
    SeatTakenError,
    UnknownKeyError,
)
from tests.hub_play import DECK, SET, TABLE, Listener, Table, opened, settle

CALLED = {"type": "called", "player": "Ann"}
PICKED = {"type": "picked", "player": "Ann", "cards": [str(card) for card in SET]}


def test_a_table_that_nobody_uses_is_put_away_and_found_again(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            table, watched = await lab.table(), await lab.table()
            await table.deal()
            stream = watched.session.subscribe(watched.ann)
            assert lab.hub.figures.tables == 2
            lab.seconds += 1_000
            lab.hub.sweep()
            assert lab.hub.figures.tables == 1
            again = await lab.rejoin(table)
            assert again.session is table.session  # somebody still held it: there is never a second one
            assert (await again.session.put(again.ann, CALLED)).state.caller == "Ann"
            stream.close()
            lab.seconds += 1_000
            lab.hub.sweep()
            assert lab.hub.figures.tables == 0

    asyncio.run(scenario())


def test_two_who_enter_at_the_same_time_come_to_the_same_table(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            table = await lab.table()
            lab.restart()
            keys = table.created.keys
            visitors = await asyncio.gather(
                *(lab.hub.enter(table.session.id, key) for key in (keys.host, keys.spectator, keys.join))
            )
            assert len({id(visitor.session) for visitor in visitors}) == 1

    asyncio.run(scenario())


def test_the_longest_unused_table_makes_room(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path, Settings(open_tables=2)) as lab:
            first, second = await lab.table(), await lab.table()
            first.session.subscribe(first.ann)
            await lab.table()
            assert lab.hub.figures.tables == 2
            await lab.rejoin(second)
            assert lab.hub.figures.tables == 2
            second.session.subscribe(second.ann)
            with pytest.raises(FullError):
                await lab.table()
            assert await lab.store.count() == 3  # one that nobody could enter is not kept

    asyncio.run(scenario())


def test_tables_and_sockets_have_limits(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path, Settings(max_tables=2, table_sockets=2, max_sockets=3)) as lab:
            table, other = await lab.table(), await lab.table()
            with pytest.raises(FullError, match="tables"):
                await lab.table()
            streams = [table.session.subscribe(table.ann) for _ in range(2)]
            with pytest.raises(FullError, match="this table"):
                table.session.subscribe(table.ann)
            other.session.subscribe(other.ann)
            with pytest.raises(FullError, match="sockets"):
                other.session.subscribe(other.ann)
            streams[0].close()
            streams[0].close()
            other.session.subscribe(other.ann)
            assert lab.hub.figures.sockets == 3

    asyncio.run(scenario())


def test_one_table_takes_only_so_much_of_one_person(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path, Settings(table_rate=1)) as lab:
            table, other = await lab.table(), await lab.table()
            for _ in range(5):
                await table.session.undo(table.host)
            with pytest.raises(TooManyRequestsError) as refused:
                await table.session.undo(table.host)
            assert refused.value.retry_after == pytest.approx(1.0)
            await other.session.undo(other.host)
            await table.session.call(table.ann)  # nobody uses up what others may
            lab.seconds += 1
            await table.session.undo(table.host)

    asyncio.run(scenario())


@pytest.mark.parametrize("table", ["", "x", "no/such", "2222222222", "\x00", "2" * 10_000])
def test_a_table_that_is_none_is_not_entered(table: str, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            mine = await lab.table()
            with pytest.raises(NoTableError):
                await lab.hub.enter(table, mine.created.keys.host)

    asyncio.run(scenario())


def test_a_key_of_another_table_opens_nothing(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            mine, other = await lab.table(), await lab.table()
            with pytest.raises(BadKeyError):
                await lab.hub.enter(mine.session.id, other.created.keys.host)

    asyncio.run(scenario())


def test_a_seat_is_taken_once_until_it_is_revoked(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            table = await lab.table()
            session = table.session
            made = await session.take_seat(table.join, "Ben")
            ben = await lab.hub.enter(session.id, made.key)
            assert (ben.role, ben.player) == (Role.PLAYER, "Ben")
            with pytest.raises(SeatTakenError):
                await session.take_seat(table.join, "Ben")
            with pytest.raises(SetupError):
                await session.take_seat(table.join, "Eve")
            listener = Listener(session.subscribe(ben))
            assert (await session.state(ben)).players[1].connected
            await session.revoke(table.host, made.id)
            await listener.task
            assert listener.stream.closing is not None
            assert listener.stream.closing.code is Close.NOT_ALLOWED
            with pytest.raises(BadKeyError):
                await session.put(ben, {"type": "called", "player": "Ben"})
            with pytest.raises(BadKeyError):
                await lab.hub.enter(session.id, made.key)
            await session.take_seat(table.join, "Ben")

    asyncio.run(scenario())


def test_the_seat_of_a_player_who_is_connected_or_has_played_is_taken(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            table = await lab.table()
            session = table.session
            await session.put(table.host, CALLED)
            await session.put(table.host, {"type": "gave_up", "player": "Ann"})
            stream = session.subscribe(table.ann)
            with pytest.raises(SeatTakenError, match="'Ann'"):
                await session.take_seat(table.join, "Ann")
            stream.close()
            await session.revoke(table.host, (await session.take_seat(table.join, "Ann")).id)
            await session.call(table.ann, at=None)
            lab.restart()
            table = await lab.rejoin(table)
            with pytest.raises(SeatTakenError, match="'Ann'"):
                await table.session.take_seat(table.join, "Ann")
            await table.session.take_seat(table.join, "Ben")
            await table.session.revoke(table.host, table.ann.key_id)
            await table.session.take_seat(table.join, "Ann")

    asyncio.run(scenario())


def test_what_is_of_somebody_else_is_said_to_be(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            table = await lab.table()
            for told in (
                table.session.put(table.ann, {"type": "called", "player": "Ben"}),
                table.session.call(table.ann, player="Ben"),
            ):
                with pytest.raises(NotYoursError, match="'Ben': the key of 'Ann' tells only what 'Ann' does"):
                    await told
            with pytest.raises(NotAllowedError, match="it takes that of host"):
                await table.session.put(table.ann, {"type": "dealt", "cards": []})
            with pytest.raises(BadEventError, match="player is missing: expected one of 'Ann', 'Ben'"):
                await table.session.call(table.host)
            with pytest.raises(BadEventError, match="'Ann', 'Ben'; got 'Žofie'"):
                await table.session.call(table.host, player="Žofie")

    asyncio.run(scenario())


def test_a_key_that_is_unknown_is_not_told_again(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            table = await lab.table()
            key_id, _, secret = table.created.keys.spectator.partition(".")
            for unknown in (f"{key_id}.{secret}", secret, "\x00", "x" * 10_000):
                with pytest.raises(UnknownKeyError) as refused:
                    await table.session.revoke(table.host, unknown)
                assert unknown not in str(refused.value)

    asyncio.run(scenario())


def test_keys_are_made_and_revoked_by_the_host_but_for_the_last_one(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            table = await lab.table()
            session = table.session
            with pytest.raises(LastHostError):
                await session.revoke(table.host, table.host.key_id)
            with pytest.raises(UnknownKeyError):
                await session.revoke(table.host, "22222222")
            for role, player in ((Role.PLAYER, None), (Role.PLAYER, "Eve"), (Role.HOST, "Ann")):
                with pytest.raises(SetupError):
                    await session.add_key(table.host, role, player)
            second = await lab.hub.enter(session.id, (await session.add_key(table.host, Role.HOST)).key)
            await session.revoke(second, table.host.key_id)
            with pytest.raises(BadKeyError):
                session.keys(table.host)
            lab.restart()
            with pytest.raises(BadKeyError):
                await lab.hub.enter(session.id, table.created.keys.host)

    asyncio.run(scenario())


def test_a_table_has_so_many_keys_at_most(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.hub.keydesk._MOST_KEYS", 7)

    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            table = await lab.table()
            await table.session.add_key(table.host, Role.SPECTATOR)
            with pytest.raises(TooManyKeysError):
                await table.session.add_key(table.host, Role.SPECTATOR)

    asyncio.run(scenario())


def test_a_deleted_table_is_gone_for_everybody(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            table = await lab.table()
            listener = Listener(table.session.subscribe(table.spectator))
            camera = table.session.camera(table.camera)
            await table.session.delete(table.host)
            await listener.task
            assert listener.stream.closing is not None
            assert listener.stream.closing.code is camera.closing.code is Close.NO_TABLE  # type: ignore[union-attr]
            for again in (table.session.state(table.ann), table.deal(), table.session.delete(table.host)):
                with pytest.raises(NoTableError):
                    await again
            with pytest.raises(NoTableError):
                await lab.hub.enter(table.session.id, table.created.keys.host)
            assert lab.hub.figures.tables == lab.hub.figures.sockets == lab.hub.figures.cameras == 0

    asyncio.run(scenario())


def test_a_record_is_taken_over_as_it_was_and_the_game_goes_on(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            table = await lab.table()
            await table.deal()
            await lab.pass_time(5)
            for event in (CALLED, PICKED):
                await table.session.put(table.ann, event)
            await table.session.correct(table.host, str(SET[0]), str(DECK[-1]))
            record = await table.session.record(table.host)
            created = await lab.hub.import_record(record.encode(), name="again")
            copy = await Table.of(lab, created)
            assert await copy.session.record(copy.host) == record
            mine, theirs = await table.session.entries(table.host), await copy.session.entries(copy.host)
            drop = ("at", "sure", "before", "after")
            told = [
                [{key: value for key, value in json.loads(one.told).items() if key not in drop} for one in page.entries]
                for page in (mine, theirs)
            ]
            assert told[0] == told[1]
            state = await copy.session.state(copy.host)
            assert (state.name, state.time, state.last) == ("again", 5.0, 4)
            assert (await copy.session.undo(copy.host)).entries[0].number == 5

    asyncio.run(scenario())


@pytest.mark.parametrize(
    "record",
    [
        b"",
        b"\xff\xfe",
        b"[]",
        b'{"game": "classic", "players": ["Ann"], "options": {}}\n{"type": "no such"}',
        b'{"game": "chess", "players": ["Ann"], "options": {}}',
        b'{"game": "classic", "players": ["Ann"], "options": {}}\n\n{"type": "ended"}',
    ],
)
def test_a_record_that_cannot_be_read_opens_no_table(record: bytes, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            with pytest.raises(BadRecordError):
                await lab.hub.import_record(record)
            assert await lab.store.count() == 0

    asyncio.run(scenario())


def test_a_record_that_is_too_long_or_has_names_that_cannot_be_shown_opens_no_table(tmp_path: Path) -> None:
    header = '{"game": "classic", "players": ["A\\u0000n"], "options": {}}'

    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            with pytest.raises(SetupError):
                await lab.hub.import_record(header.encode())
            long = header.replace("\\u0000", "n") + '\n{"type": "no_set", "player": "Ann"}' * 20_001
            with pytest.raises(BadRecordError, match="20000"):
                await lab.hub.import_record(long.encode())

    asyncio.run(scenario())


def test_a_record_of_cubed_with_many_hints_opens_no_table(tmp_path: Path) -> None:
    cubed = (Path(__file__).parent / "golden" / "cubed.record.jsonl").read_text(encoding="utf-8")
    header = {**json.loads(cubed.splitlines()[0]), "options": {"hints": "three"}}
    asked = "\n" + json.dumps({"type": "asked", "player": header["players"][0], "level": "count"})

    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            with pytest.raises(BadRecordError, match="more than 200 hints"):
                await lab.hub.import_record((json.dumps(header) + asked * 201).encode())
            assert await lab.store.count() == 0

    asyncio.run(scenario())


def test_a_correction_in_any_words_judges_again(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            table = await lab.table()
            await table.deal()
            for event in (CALLED, PICKED):
                await table.session.put(table.ann, event)
            with pytest.raises(NoNameError):
                await table.session.correct(table.host, "a joker", str(TABLE[-1]))
            changed = await table.session.correct(table.host, str(SET[0]).upper(), "three purple open squiggles")
            told = json.loads(changed.entries[0].told)
            assert (told["kind"], told["event"]) == ("correction", 3)
            assert changed.state.players[0].score == -1

    asyncio.run(scenario())


def test_disputes_are_frozen_and_the_last_few_are_kept(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            lab.vision.still = b"jpeg"
            table = await lab.table()
            with pytest.raises(NoReplayError):
                await table.session.dispute(table.ann)
            camera = table.session.camera(table.camera)
            camera.frame(b"1")
            await lab.rest()
            await table.deal()
            with pytest.raises(NoCallError):
                await table.session.dispute(table.ann)
            await table.session.put(table.ann, CALLED)
            numbers = [(await table.session.dispute(table.ann)).number for _ in range(9)]
            assert numbers == list(range(1, 10))
            with pytest.raises(NoDisputeError):
                table.session.disputed(table.ann, 1)
            found = table.session.disputed(table.spectator, 9)
            assert [still.picture for still in found.stills] == [True]
            assert table.session.still(table.spectator, 9, 0) == b"jpeg"
            for still in (-1, 1):
                with pytest.raises(NoDisputeError):
                    table.session.still(table.ann, 9, still)

    asyncio.run(scenario())


def test_two_tables_know_nothing_of_each_other(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            one, other = await lab.table(), await lab.table("Cat", "Dan")
            listener = Listener(other.session.subscribe(other.spectator))
            await asyncio.gather(one.deal(), other.deal())
            await one.session.put(one.ann, CALLED)
            await settle()
            assert listener.numbers == [1]
            assert [state["players"][0]["name"] for state in listener.of(MessageKind.STATE)][-1] == "Cat"
            assert (await other.session.state(other.host)).caller is None

    asyncio.run(scenario())
