"""Tables of the hub: who may do what, what is stored before it is told, and what survives."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from engine.classic import Classic
from engine.cubed import Cubed
from engine.events import Event, Tied
from engine.fields import MOST_SECONDS
from engine.game import Game
from engine.record import RecordError
from service.board_file import CubedFile
from service.game import Game as GameKey
from service.hub import HubError, Session, Visitor
from service.hub.errors import (
    BadEventError,
    MovedError,
    NotAllowedError,
    NotYoursError,
)
from service.live.errors import (
    LiveError,
    NothingToCorrectError,
    NoTieError,
    NotPossibleError,
    TiedError,
)
from service.live.happenings import Happening
from service.live.table import LiveTable
from service.store import (
    ConflictError,
    Role,
    StoreFullError,
    StoreGoneError,
    UnknownKeyError,
)
from tests.hub_play import DECK, SET, TABLE, Lab, Listener, opened, settle, until

CALLED = {"type": "called", "player": "Ann"}
PICKED = {"type": "picked", "player": "Ann", "cards": [str(card) for card in SET]}

Asked = Callable[[Session, Visitor], Awaitable[object]]

ROLES: dict[str, tuple[Asked, set[Role]]] = {
    "state": (lambda table, who: table.state(who), set(Role)),
    "entries": (lambda table, who: table.entries(who), {Role.HOST, Role.PLAYER, Role.SPECTATOR}),
    "record": (lambda table, who: table.record(who), {Role.HOST, Role.PLAYER, Role.SPECTATOR}),
    "put": (lambda table, who: table.put(who, CALLED), {Role.HOST, Role.PLAYER}),
    "call": (lambda table, who: table.call(who, player="Ann"), {Role.HOST, Role.PLAYER}),
    "undo": (lambda table, who: table.undo(who), {Role.HOST}),
    "correct": (lambda table, who: table.correct(who, str(TABLE[0]), str(DECK[-1])), {Role.HOST}),
    "choose": (lambda table, who: table.choose(who, None), {Role.HOST}),
    "accept": (lambda table, who: table.accept(who, 1), {Role.HOST}),
    "ignore": (lambda table, who: table.ignore(who, 1), {Role.HOST}),
    "dispute": (lambda table, who: table.dispute(who), {Role.HOST, Role.PLAYER}),
    "add_key": (lambda table, who: table.add_key(who, Role.CAMERA), {Role.HOST}),
    "take_seat": (lambda table, who: table.take_seat(who, "Ben"), {Role.JOIN}),
    "revoke": (lambda table, who: table.revoke(who, "22222222"), {Role.HOST}),
    "delete": (lambda table, who: table.delete(who), {Role.HOST}),
    "subscribe": (lambda table, who: now(lambda: table.subscribe(who)), {Role.HOST, Role.PLAYER, Role.SPECTATOR}),
    "camera": (lambda table, who: now(lambda: table.camera(who)), {Role.HOST, Role.CAMERA}),
    "clock": (lambda table, who: now(lambda: table.clock(who)), {Role.HOST, Role.PLAYER}),
    "keys": (lambda table, who: now(lambda: table.keys(who)), {Role.HOST}),
    "invite": (lambda table, who: now(lambda: table.invite(who, "none")), {Role.HOST}),
    "board": (lambda table, who: now(lambda: table.board(who)), set(Role)),
    "disputed": (lambda table, who: now(lambda: table.disputed(who, 1)), {Role.HOST, Role.PLAYER, Role.SPECTATOR}),
    "still": (lambda table, who: now(lambda: table.still(who, 1, 0)), {Role.HOST, Role.PLAYER, Role.SPECTATOR}),
}


async def now(asked: Callable[[], object]) -> object:
    """What is asked without waiting."""
    return asked()


@pytest.mark.parametrize("name", ROLES)
def test_every_role_may_do_what_it_is_for_and_nothing_else(name: str, tmp_path: Path) -> None:
    ask, allowed = ROLES[name]

    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            table = await lab.table()
            refused: set[Role] = set()
            visitors = (table.ann, table.join, table.spectator, table.camera, table.host)
            assert {one.role for one in visitors} == set(Role)
            for visitor in visitors:
                try:
                    await ask(table.session, visitor)
                except NotAllowedError:
                    refused.add(visitor.role)
                except (HubError, LiveError, UnknownKeyError):
                    pass  # it may be done, and comes to nothing here
            assert refused == set(Role) - allowed

    asyncio.run(scenario())


def test_every_method_of_a_session_is_in_the_table_of_roles() -> None:
    public = {name for name in vars(Session) if not name.startswith("_")}
    assert public - set(ROLES) == {"now", "last", "event_types", "open", "visitor", "is_used", "put_away", "end"}


def test_a_player_plays_as_nobody_else(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            table = await lab.table()
            session = table.session
            await table.deal()
            for event in ({"type": "ended"}, {"type": "undone"}):
                with pytest.raises(NotAllowedError):
                    await session.put(table.ann, event)
            with pytest.raises(NotYoursError):
                await session.put(table.ann, {"type": "called", "player": "Ben"})
            with pytest.raises(NotYoursError):
                await session.call(table.ann, player="Ben")
            changed = await session.put(table.ann, CALLED)
            assert changed.state.caller == "Ann"

    asyncio.run(scenario())


@pytest.mark.parametrize(
    "event",
    [
        {},
        {"type": "called"},
        {"type": "called", "player": "Eve"},
        {"type": "no such"},
        {"type": ["called"]},
        {"type": "dealt", "cards": "all"},
        {"type": "called", "player": "Ann", "t": float("nan")},
        {"type": "called", "player": "Ann", "t": 10**400},
        {"type": "called", "player": "Ann", "note": "\ud800"},
        {"type": "called", "player": "Ann", "note": "x" * 30_000},
        {"type": "called", "player": "Ann", "also": 1},
        {"type": "called", "player": "Ann", "t": object()},
    ],
)
def test_what_is_no_event_is_refused_and_not_kept(event: dict[str, Any], tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            table = await lab.table()
            with pytest.raises(BadEventError) as refused:
                await table.session.put(table.host, event)
            assert "\n" not in str(refused.value)
            assert table.session.last == 0
            assert await table.lines() == []

    asyncio.run(scenario())


def test_times_of_events_are_those_of_the_table(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            table = await lab.table()
            await table.deal()
            await lab.pass_time(10)
            await table.session.put(table.ann, {**CALLED, "t": 3.0})  # a player's time is not taken
            await lab.pass_time(10)
            await table.session.put(table.host, {"type": "gave_up", "player": "Ann", "t": 15.0})
            await table.session.put(table.host, {**CALLED, "t": 99.0})  # nor one that has not been yet
            assert [line["t"] for line in await table.lines()] == [0.0, 10.0, 15.0, 20.0]

    asyncio.run(scenario())


def test_a_change_is_made_only_if_the_table_is_as_expected(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            table = await lab.table()
            await table.deal()
            with pytest.raises(MovedError):
                await table.session.put(table.ann, CALLED, expected=0)
            assert len(await table.lines()) == 1
            changed = await table.session.put(table.ann, CALLED, expected=1)
            assert [entry.number for entry in changed.entries] == [2]
            with pytest.raises(MovedError):  # the same again, as by a client that has lost the answer
                await table.session.put(table.ann, CALLED, expected=1)

    asyncio.run(scenario())


def test_a_call_is_held_until_no_other_can_come_before_it(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            table = await lab.table()
            await table.deal()
            changed = await table.session.call(table.ann)
            assert (changed.error, changed.entries, changed.state.caller) == (0.25, (), None)
            await lab.pass_time(0.2)
            assert table.session.last == 1
            await lab.pass_time(0.2)
            assert table.session.last == 2
            assert (await table.session.state(table.ann)).caller == "Ann"

    asyncio.run(scenario())


def test_calls_are_compared_by_when_they_were_made_not_when_they_came(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            table = await lab.table()
            await table.deal()
            lab.seconds += 1
            ben = await lab.hub.enter(table.session.id, table.created.keys.players["Ben"])
            clocks = {who.player: table.session.clock(who) for who in (table.ann, ben)}
            ahead = {"Ann": 500.0, "Ben": -20.0}
            for player, clock in clocks.items():
                ping = clock.ping()
                lab.seconds += 0.01
                clock.pong(ping.number, table.session.now - 0.005 + ahead[str(player)])
            errors = {one.name: one.clock_error for one in (await table.session.state(ben)).players}
            assert errors == pytest.approx({"Ann": 0.005, "Ben": 0.005})
            shouted = table.session.now
            lab.seconds += 0.02
            await table.session.call(table.ann, at=shouted + 0.1 + ahead["Ann"] - 0.09)  # a hundredth later than Ben
            lab.seconds += 0.02
            await table.session.call(ben, at=shouted - 0.15 + ahead["Ben"])
            await lab.pass_time(1.0)
            assert [(line["type"], line.get("player")) for line in await table.lines()][1:3] == [
                ("called", "Ben"),
                ("called", "Ann"),
            ]

    asyncio.run(scenario())


def test_calls_too_close_to_part_are_tied_and_the_host_decides(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            table = await lab.table()
            await table.deal()
            await table.session.call(table.ann)
            await table.session.call(table.host, player="Ben")
            await lab.pass_time(1.0)
            state = await table.session.state(table.ann)
            assert state.tie is not None
            assert sorted(state.tie.players) == ["Ann", "Ben"]
            lab.restart()
            again = await lab.rejoin(table)
            assert (await again.session.state(again.ann)).tie is not None
            changed = await again.session.choose(again.host, "Ben")
            assert (changed.state.caller, changed.state.tie) == ("Ben", None)

    asyncio.run(scenario())


def test_while_calls_are_tied_nobody_but_the_host_says_whose_the_table_is(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            table = await lab.table()
            await table.deal()
            before = await table.session.state(table.ann)
            await table.session.call(table.ann)
            await table.session.call(table.host, player="Ben")
            await lab.pass_time(1.0)
            state = await table.session.state(table.ann)
            assert set(before.legal.moves) - set(state.legal.moves) == {"called", "no_set"}
            with pytest.raises(TiedError):
                await table.session.put(table.ann, CALLED)
            assert (await table.session.state(table.ann)).last == state.last
            changed = await table.session.put(table.host, CALLED)
            assert (changed.state.caller, changed.state.tie) == ("Ann", None)
            with pytest.raises(NoTieError, match="no calls are tied"):
                await table.session.choose(table.host, "Ben")

    asyncio.run(scenario())


def test_a_correction_of_a_table_without_a_camera_changes_the_name_that_lies_there(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            table = await lab.table()
            await table.deal()
            old, new, other = str(TABLE[0]), str(DECK[-1]), str(DECK[-2])
            changed = await table.session.correct(table.host, old, new)
            assert {one.name for one in changed.state.layout} == {*map(str, TABLE[1:]), new}
            told = {"type": "corrected", "event": 0, "from": new, "to": other}
            changed = await table.session.put(table.host, told)
            assert {one.name for one in changed.state.layout} == {*map(str, TABLE[1:]), other}
            with pytest.raises(NotPossibleError):
                await table.session.correct(table.host, other, str(TABLE[1]))
            with pytest.raises(NothingToCorrectError):
                await table.session.put(table.host, told)
            changed = await table.session.correct(table.host, other, str(TABLE[1]), force=True)
            assert changed.state.layout == []
            changed = await table.session.undo(table.host)
            assert {one.name for one in changed.state.layout} == {*map(str, TABLE[1:]), other}
            lab.restart()
            again = await lab.rejoin(table)
            assert (await again.session.state(again.host)).layout == changed.state.layout

    asyncio.run(scenario())


@pytest.mark.parametrize("player", [None, "Eve"])
def test_a_host_calls_for_somebody_of_the_table(player: str | None, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            table = await lab.table()
            with pytest.raises(BadEventError, match="player"):
                await table.session.call(table.host, player=player)

    asyncio.run(scenario())


def test_a_call_without_a_pick_runs_out_even_if_nobody_asks(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            table = await lab.table(call_limit=5.0)
            await table.deal()
            assert (await table.session.state(table.ann)).call_ends is None
            await lab.pass_time(10.0)
            await table.session.put(table.ann, CALLED)
            await lab.pass_time(4.9)
            state = await table.session.state(table.ann)
            assert (state.caller, state.call_ends) == ("Ann", 15.0)
            await lab.pass_time(0.2)
            state = await table.session.state(table.ann)
            assert (state.caller, state.call_ends, state.players[0].score) == (None, None, -1)

    asyncio.run(scenario())


def test_what_takes_long_is_never_done_where_all_tables_wait_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: dict[str, set[threading.Thread]] = {"legal": set(), "hint": set(), "classic": set()}

    def watch(game: type[Game[Any]], name: str, kind: str) -> None:
        function = getattr(game, name)

        def watched(*arguments: Any) -> Any:
            threads[kind].add(threading.current_thread())
            return function(*arguments)

        monkeypatch.setattr(game, name, watched)

    watch(Cubed, "legal", "legal")
    watch(Cubed, "judge", "legal")
    watch(Classic, "hint", "hint")
    watch(Classic, "legal", "classic")

    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            board = CubedFile.model_validate_json(Path("service/examples/cubed.json").read_bytes())
            cubed = await lab.table(game=GameKey.CUBED, board=board)
            await cubed.session.put(cubed.ann, {"type": "passed", "player": "Ann"})
            table = await lab.table(options={"hints": "count"})
            await table.deal()
            await table.session.put(table.ann, {"type": "asked", "player": "Ann", "level": "count"})
            lab.restart()
            await lab.rejoin(table)

    asyncio.run(scenario())
    assert all(threads.values())
    assert threading.main_thread() not in threads["legal"] | threads["hint"]


def test_what_can_be_played_is_not_looked_for_again_where_nothing_has_changed(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            table = await lab.table()
            await table.deal()
            before = table.session._play._standing
            await table.session.put(table.ann, {"type": "picked", "player": "Ann", "cards": []})
            after = table.session._play._standing
            assert before is not None
            assert after is not None
            assert after is not before
            assert after.legal is before.legal
            await table.session.put(table.ann, CALLED)
            called = table.session._play._standing
            assert called is not None
            assert called.legal is not before.legal

    asyncio.run(scenario())


def test_nothing_is_done_at_a_table_before_time_brings_anything(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            table = await lab.table(call_limit=3_600.0)
            await table.deal()
            await table.session.put(table.ann, CALLED)
            (play,) = lab.hub._house.ticking
            for seconds, due in ((3_599.0, False), (2.0, True)):
                lab.seconds += seconds
                assert play.is_due is due
            await lab.hub.tick()
            assert not lab.hub._house.ticking

    asyncio.run(scenario())


def test_a_table_outlives_the_last_time_that_a_record_can_tell(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            table = await lab.table()
            await lab.pass_time(MOST_SECONDS)
            await table.deal()
            await table.session.call(table.ann)
            await lab.pass_time(1)
            assert (await table.session.state(table.ann)).caller == "Ann"
            assert [line["t"] for line in await table.lines()] == [MOST_SECONDS] * 2

    asyncio.run(scenario())


def test_a_line_that_could_not_be_read_again_is_a_fault_and_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put = LiveTable.put

    def broken(table: LiveTable, event: Event, *, host: bool = True) -> tuple[Happening, ...]:
        return put(table, Tied(("Ann", "Ann")))

    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            table = await lab.table()
            await table.deal()
            with monkeypatch.context() as patch:
                patch.setattr(LiveTable, "put", broken)
                with pytest.raises(RecordError):
                    await table.session.put(table.ann, CALLED)
            await table.session.put(table.ann, CALLED)
            assert [line["type"] for line in await table.lines()] == ["dealt", "called"]

    asyncio.run(scenario())


def test_a_fault_of_one_table_does_not_stop_the_time_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tick = LiveTable.tick

    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            bad, good = await lab.table("Eve", "Ben"), await lab.table()
            for table in (bad, good):
                await table.deal()
                await table.session.call(table.ann)

            def broken(table: LiveTable, now: float) -> tuple[Happening, ...]:
                if table.header.players[0] == "Eve":
                    raise RuntimeError("oh")
                return tick(table, now)

            monkeypatch.setattr(LiveTable, "tick", broken)
            await lab.pass_time(1)
            assert (good.session.last, bad.session.last) == (2, 1)
            assert "oh" in caplog.text

    asyncio.run(scenario())


def test_a_call_that_comes_while_time_passes_elsewhere_is_decided(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            table, other = await lab.table(), await lab.table()
            for one in (table, other):
                await one.deal()
                await one.session.call(one.ann)
            lab.seconds += 1
            await table.session.put(table.ann, {"type": "gave_up", "player": "Ann"})  # nothing is held any more

            async def watched() -> None:
                lab.store.watched = None
                await table.session.call(table.host, player="Ben")

            lab.store.watched = watched
            await lab.hub.tick()
            await lab.pass_time(1)
            assert (await table.session.state(table.host)).caller == "Ben"

    asyncio.run(scenario())


def test_the_hub_lets_time_pass_by_itself(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            await lab.hub.start()
            table = await lab.table()
            await table.deal()
            await table.session.call(table.ann)
            lab.seconds += 1
            await until(lambda: table.session.last == 2)
            assert table.session.last == 2

    asyncio.run(scenario())


def test_a_table_goes_on_after_a_restart_as_it_was(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            table = await lab.table(name="Kitchen", call_limit=60.0)
            await table.deal()
            await lab.pass_time(30)
            await table.session.put(table.ann, CALLED)
            before = await table.session.state(table.host)
            record = await table.session.record(table.host)
            lab.seconds += 10_000
            lab.restart()
            again = await lab.rejoin(table)
            assert again.session is not table.session
            assert await again.session.state(again.host) == before
            assert await again.session.record(again.host) == record
            await lab.pass_time(5)
            await again.session.put(again.ann, PICKED)
            assert [line["t"] for line in await again.lines()] == [0.0, 30.0, 35.0]
            assert (await again.session.state(again.host)).players[0].score == 1

    asyncio.run(scenario())


@pytest.mark.parametrize("refusal", [StoreGoneError(), StoreFullError()])
@pytest.mark.parametrize("lost", [False, True])
def test_what_could_not_be_stored_has_not_happened(refusal: Exception, lost: bool, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            table = await lab.table()
            await table.deal()
            listener = Listener(table.session.subscribe(table.spectator, 0))
            await settle()
            lab.store.refusal, lab.store.lost_answer = refusal, lost
            with pytest.raises(type(refusal)):
                await table.session.put(table.ann, CALLED)
            await settle()
            assert listener.numbers == [] or listener.numbers == [1]
            assert (await table.session.state(table.ann)).caller is None
            lab.store.refusal = None
            changed = await table.session.put(table.ann, CALLED if not lost else PICKED)
            assert changed.state.last == (3 if lost else 2)
            await until(lambda: len(listener.numbers) >= changed.state.last)
            assert listener.numbers == list(range(1, changed.state.last + 1))
            assert not listener.stream.ended
            assert [line["type"] for line in await table.lines()][:2] == ["dealt", "called"]

    asyncio.run(scenario())


def test_who_waits_while_the_store_goes_is_told_at_once(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            table = await lab.table()
            await table.deal()
            tried: list[int] = []

            async def refused() -> None:
                tried.append(1)
                raise StoreGoneError

            lab.store.watched = refused
            waiting = [table.session.put(table.ann, CALLED) for _ in range(5)]
            outcomes = await asyncio.gather(*waiting, return_exceptions=True)
            assert [type(outcome) for outcome in outcomes] == [StoreGoneError] * 5
            assert tried == [1]
            lab.store.watched = None
            await table.session.put(table.ann, CALLED)

    asyncio.run(scenario())


def test_nothing_is_told_before_the_store_has_said_that_it_is_kept(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            table = await lab.table()
            listener = Listener(table.session.subscribe(table.spectator))
            told: list[tuple[list[int], int]] = []

            async def watched() -> None:
                await settle()
                told.append((listener.numbers, (await table.session.state(table.host)).last))

            lab.store.watched = watched
            await table.deal()
            await table.session.put(table.ann, CALLED)
            await table.session.put(table.ann, PICKED)
            assert told == [([], 0), ([1], 1), ([1, 2], 2)]
            await settle()
            assert listener.numbers == [1, 2, 3]

    asyncio.run(scenario())


def test_a_client_that_goes_away_while_a_change_is_stored_does_not_stop_it(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            table = await lab.table()
            listener = Listener(table.session.subscribe(table.spectator))
            await settle()
            asked = asyncio.create_task(table.deal())
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            asked.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asked
            await table.session.put(table.ann, CALLED)
            await settle()
            assert listener.numbers == [1, 2]

    asyncio.run(scenario())


def test_another_program_that_writes_to_the_journal_is_noticed(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path) as lab:
            table = await lab.table()
            await table.deal()
            listener = Listener(table.session.subscribe(table.spectator))
            await settle()
            other = Lab(lab.store, lab.vision, lab.settings)
            theirs = await other.rejoin(table)
            await theirs.session.put(theirs.ann, CALLED)
            with pytest.raises(ConflictError):
                await table.session.put(table.ann, CALLED)
            changed = await table.session.put(table.ann, PICKED)
            assert changed.state.players[0].score == 1
            await settle()
            assert listener.numbers == [2, 3]
            await other.hub.close()

    asyncio.run(scenario())
