"""What happens to a store when the process, the disk or the server fails: nothing acknowledged is lost."""

from __future__ import annotations

import asyncio
import resource
import signal
import sqlite3
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import Engine, event, text

from service.store import ConflictError, Entry, Store, StoreError, StoreFullError, StoreGoneError, StoreSettings
from tests import postgresql
from tests.kept import add, opened, stored, told
from tests.postgresql import Server

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).resolve().parents[1]
SQLITE = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
TABLES = 4
LONG = ("x" * 20_000, None)


def killed_while_appending(database: str, lines: int) -> dict[str, int]:
    """Run the appender, kill it once it has acknowledged this many ``lines``; return the last number of each table."""
    command = [sys.executable, "-m", "tests.store_appender", database, str(TABLES)]
    acknowledged: dict[str, int] = defaultdict(int)
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as program:  # noqa: S603
        assert program.stdout is not None
        for read, line in enumerate(program.stdout, 1):
            table, number = line.split()
            acknowledged[table] = int(number)
            if read == lines:
                program.send_signal(signal.SIGKILL)
    assert program.returncode == -signal.SIGKILL
    return acknowledged


async def test_nothing_acknowledged_is_lost_when_the_process_is_killed(database: str) -> None:
    before: dict[str, int] = defaultdict(int)
    for lines in (7, 60):
        acknowledged = killed_while_appending(database, lines)
        async with opened(database) as store:
            for table, number in acknowledged.items():
                entries = await store.entries(table)
                last = (await store.table(table)).last
                assert last >= number > before[table]
                assert entries == tuple(Entry(n, *told(n)) for n in range(1, last + 1))
                before[table] = last
    assert len(before) == TABLES


@SQLITE
async def test_a_log_that_is_half_written_loses_only_its_end(database: str, tmp_path: Path) -> None:
    """A loss of power can cut the log of SQLite anywhere after what was flushed, and leave rubbish there."""
    file = tmp_path / "tables.sqlite"
    async with opened(database) as store:
        await add(store, "table")
        sizes = []
        for number in range(12):
            await store.append("table", number, [told(number + 1)])
            sizes.append(file.with_name(f"{file.name}-wal").stat().st_size)
        log, main = file.with_name(f"{file.name}-wal").read_bytes(), file.read_bytes()
    for cut in range(sizes[3], sizes[-1] + 1, 4999):
        copy = tmp_path / "cut.sqlite"
        copy.write_bytes(main)
        Path(f"{copy}-wal").write_bytes(log[:cut] + b"\x5a" * 777)
        async with opened(f"sqlite:///{copy}") as store:
            entries = await store.entries("table")
            assert len(entries) == (await store.table("table")).last == sum(size <= cut for size in sizes)
            assert entries == tuple(Entry(n, *told(n)) for n in range(1, len(entries) + 1))
            assert await store.append("table", len(entries), [told(99)]) == len(entries) + 1


@contextmanager
def few_pages(pages: int) -> Iterator[Callable[[int], None]]:
    """Let SQLite files grow to so many pages; yields what changes the number."""
    connections: list[sqlite3.Connection] = []

    def limit(connection: sqlite3.Connection, _: object) -> None:
        connections.append(connection)
        connection.execute(f"PRAGMA max_page_count = {pages}")

    def change(pages: int) -> None:
        for connection in connections:
            connection.execute(f"PRAGMA max_page_count = {pages}")

    event.listen(Engine, "connect", limit)
    try:
        yield change
    finally:
        event.remove(Engine, "connect", limit)


async def fill(store: Store) -> int:
    """Append to a table until there is no room; return its last number."""
    for last in range(1000):
        try:
            await store.append("table", last, [LONG])
        except StoreFullError:
            return last
    pytest.fail("there was always room")


@SQLITE
async def test_a_full_disk_refuses_and_forgets_nothing(database: str) -> None:
    with few_pages(40) as change:
        async with opened(database) as store:
            await add(store, "table", "other")
            last = await fill(store)
            assert last > 1
            for refused in (store.append("table", last, [LONG]), store.create(stored("b"), [], [Entry(1, *LONG)])):
                with pytest.raises(StoreFullError):
                    await refused
            outcomes = await asyncio.gather(
                store.append("table", last, [LONG]), store.append("other", 0, [told(1)]), return_exceptions=True
            )
            assert [type(outcome) for outcome in outcomes] == [StoreFullError, int]
            assert [entry.number for entry in await store.entries("table")] == list(range(1, last + 1))
            change(1000)
            assert await store.append("table", last, [LONG]) == last + 1


@contextmanager
def small_files(size: int) -> Iterator[None]:
    """Let no file of this process grow beyond ``size`` bytes: writing fails in the middle, as on a broken disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@SQLITE
async def test_a_write_that_breaks_off_forgets_nothing(database: str) -> None:
    async with opened(database) as store:
        await add(store, "table")
        with small_files(300_000):
            last = await fill(store)
        assert last > 1
        assert await store.append("table", last, [LONG]) == last + 1
    async with opened(database) as store:
        assert [entry.number for entry in await store.entries("table")] == list(range(1, last + 2))


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
@pytest.mark.parametrize("how", ["INT", "QUIT"])
async def test_a_server_that_is_gone_and_back(database: str, postgresql_server: Server, how: str) -> None:
    postgresql_server.stop()
    postgresql_server.start(how)
    async with opened(database) as store:
        await add(store, "table", "other")
        assert await store.append("table", 0, [told(1)]) == 1
        postgresql_server.stop()
        try:
            for asked in (store.append("table", 1, [told(2)]), store.table("table"), store.ping()):
                with pytest.raises(StoreGoneError, match="does not answer"):
                    await asked
            with pytest.raises(StoreGoneError, match="cannot be opened"):
                Store.open(database)
        finally:
            postgresql_server.start()
        assert [entry.number for entry in await store.entries("table")] == [1]
        assert await store.append("table", 1, [told(2)]) == 2
        await store.ping()


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
async def test_connections_that_were_lost_meanwhile_are_not_noticed(database: str, postgresql_server: Server) -> None:
    async with opened(database) as store:
        await add(store, "table")
        await asyncio.gather(*(store.ping() for _ in range(8)))
        postgresql_server.stop()
        postgresql_server.start()
        assert await store.append("table", 0, [told(1)]) == 1
        assert await asyncio.gather(*(store.count() for _ in range(8))) == [1] * 8


async def test_two_programs_at_one_table_conflict_and_never_mix(database: str) -> None:
    async def play(store: Store, name: str) -> list[int]:
        mine, last = list[int](), 0
        while last < 60:
            try:
                last = await store.append("table", last, [(name, None), (name, None)])
                mine += [last - 1, last]
            except ConflictError:
                last = (await store.table("table")).last
        return mine

    async with opened(database) as one, opened(database) as two:
        await add(one, "table")
        first, second = await asyncio.gather(play(one, "one"), play(two, "two"))
        names = [entry.told for entry in await one.entries("table")]
    assert sorted(first + second) == list(range(1, len(names) + 1))
    assert [names[number - 1] for number in first] == ["one"] * len(first)
    assert [names[number - 1] for number in second] == ["two"] * len(second)


async def test_two_programs_at_the_same_tables_in_any_order_never_block_each_other(database: str) -> None:
    ids = [f"table{number}" for number in range(12)]

    async def play(store: Store, ids: list[str]) -> list[int | BaseException]:
        return await asyncio.gather(*(store.append(id, 0, [told(1)]) for id in ids), return_exceptions=True)

    async with opened(database) as one, opened(database) as two:
        await add(one, *ids)
        outcomes = await asyncio.gather(play(one, ids), play(two, ids[::-1]))
        kinds = [{type(first), type(second)} for first, second in zip(outcomes[0], outcomes[1][::-1], strict=True)]
        assert kinds == [{int, ConflictError}] * len(ids)


@SQLITE
async def test_a_file_that_is_taken_away_or_replaced_is_not_written_to(database: str, tmp_path: Path) -> None:
    file = Path(database.removeprefix("sqlite:///"))
    async with opened(database) as store:
        await store.create(stored("table"), [])
        assert await store.append("table", 0, [told(1)]) == 1
        away = file.rename(tmp_path / "away")
        for replaced in (False, True):
            if replaced:
                file.touch()
            with pytest.raises(StoreGoneError):
                await store.append("table", 1, [told(2)])
            with pytest.raises(StoreGoneError):
                await store.ping()
            assert file.exists() is replaced
        away.replace(file)
        assert await store.append("table", 1, [told(2)]) == 2
    async with opened(database) as store:
        assert len(await store.entries("table")) == 2


async def test_a_lock_that_is_held_too_long_is_given_up(database: str) -> None:
    async with opened(database, StoreSettings(busy_seconds=0.1)) as store, opened(database) as other:
        await add(store, "table")
        with other._engine.begin() as connection:
            connection.execute(text("UPDATE tables SET created = 1"))
            with pytest.raises(StoreError) as refused:
                await store.append("table", 0, [told(1)])
            assert (await store.table("table")).last == 0
        assert isinstance(refused.value, StoreGoneError)
        assert await store.append("table", 0, [told(1)]) == 1


@pytest.mark.parametrize(("needed", "outcome"), [("", pytest.skip.Exception), ("1", pytest.fail.Exception)])
def test_tests_without_a_server_are_skipped_unless_it_is_needed(
    monkeypatch: pytest.MonkeyPatch, needed: str, outcome: type[BaseException]
) -> None:
    monkeypatch.setattr(postgresql, "find_binaries", lambda: None)
    monkeypatch.setenv("SET_REFEREE_NEED_POSTGRESQL", needed)
    with pytest.raises(outcome, match="there is no PostgreSQL"), postgresql.running():
        pass
