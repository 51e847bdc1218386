"""The writer: commits together what waits, within bounds, and knows what became of a commit without an answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event
from typing import Any, cast

import psycopg
import pytest
from sqlalchemy import Connection, event, func, select, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import PoolProxiedConnection

from service.store import ConflictError, Store, StoreFullError, StoreGoneError, StoreSettings
from service.store.faults import refusal
from service.store.schema import ENTRIES, MARKS
from tests.kept import add, opened, told

pytestmark = pytest.mark.anyio


@contextmanager
def held(store: Store) -> Iterator[None]:
    """Let the writer of ``store`` wait inside, so that what is asked meanwhile is written together afterwards."""
    inside, go = Event(), Event()

    def wait(connection: Connection) -> None:
        inside.set()
        go.wait(5)

    waiting = store._writer.put(wait)
    assert inside.wait(5)
    try:
        yield
    finally:
        go.set()
        waiting.result(5)


@contextmanager
def commits(store: Store) -> Iterator[list[None]]:
    """Count the commits of ``store``."""
    counted: list[None] = []

    def count(connection: Connection) -> None:
        counted.append(None)

    event.listen(store._engine, "commit", count)
    try:
        yield counted
    finally:
        event.remove(store._engine, "commit", count)


async def asked(store: Store, *ids: str, after: int = 0) -> list[asyncio.Task[int]]:
    """Append one entry to each table, without waiting for the answers."""
    futures = [asyncio.ensure_future(store.append(id, after, [told(after + 1)])) for id in ids]
    await asyncio.sleep(0)
    return futures


async def test_what_waits_is_committed_together(store: Store) -> None:
    ids = [f"table{number}" for number in range(50)]
    await asyncio.gather(*(add(store, id) for id in ids))
    with commits(store) as counted:
        with held(store):
            futures = await asked(store, *ids)
        assert await asyncio.gather(*futures) == [1] * 50
        assert len(counted) == 2
    assert [(await store.table(id)).last for id in ids] == [1] * 50


async def test_appends_to_one_table_that_wait_together_follow_each_other(store: Store) -> None:
    await add(store, "table")
    with held(store):
        futures = [
            asyncio.ensure_future(store.append("table", after, [told(after + 1), told(after + 2)]))
            for after in (0, 2, 2, 4)
        ]
        await asyncio.sleep(0)
    outcomes = await asyncio.gather(*futures, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [int, int, ConflictError, int]
    assert [entry.number for entry in await store.entries("table")] == [1, 2, 3, 4, 5, 6]
    assert (await store.table("table")).last == 6


async def test_nothing_is_acknowledged_before_its_commit(store: Store) -> None:
    await add(store, "table")
    inside, go = Event(), Event()

    def wait(connection: Connection) -> None:
        inside.set()
        go.wait(5)

    event.listen(store._engine, "commit", wait)
    (future,) = await asked(store, "table")
    assert await asyncio.to_thread(inside.wait, 5)
    await asyncio.sleep(0.01)
    assert not future.done()
    assert await store.entries("table") == ()
    go.set()
    assert await future == 1
    event.remove(store._engine, "commit", wait)


async def test_one_that_breaks_the_common_transaction_breaks_alone(store: Store) -> None:
    await add(store, "a", "b")

    def broken(connection: Connection) -> None:
        connection.execute(text("INSERT INTO entries (table_id, number, told) VALUES ('nobody', 1, '')"))

    def wrong(connection: Connection) -> None:
        raise ZeroDivisionError

    with held(store):
        bad = [asyncio.wrap_future(store._writer.put(work)) for work in (broken, wrong)]
        good = await asked(store, "a", "b")
    outcomes = await asyncio.gather(*bad, *good, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [ConflictError, StoreGoneError, int, int]
    assert [(await store.table(id)).last for id in "ab"] == [1, 1]


async def test_only_so_much_may_wait(database: str) -> None:
    async with opened(database, StoreSettings(waiting=3)) as store:
        ids = ["a", "b", "c", "d", "e"]
        await add(store, *ids)
        with held(store):
            futures = await asked(store, *ids)
        outcomes = await asyncio.gather(*futures, return_exceptions=True)
        assert [type(outcome) for outcome in outcomes] == [int, int, int, StoreGoneError, StoreGoneError]
        assert await asyncio.gather(*await asked(store, "d", "e")) == [1, 1]


async def test_what_is_given_up_before_its_turn_is_not_written(store: Store) -> None:
    await add(store, "a", "b")
    with held(store):
        given_up, kept = await asked(store, "a", "b")
        given_up.cancel()
        await asyncio.sleep(0)
    assert await kept == 1
    assert [(await store.table(id)).last for id in "ab"] == [0, 1]


async def test_marks_do_not_pile_up(store: Store) -> None:
    await add(store, "table")
    for number in range(5):
        await store.append("table", number, [told(number + 1)])
    with store._engine.connect() as connection:
        assert connection.scalar(select(func.count()).select_from(MARKS)) == 1


@contextmanager
def lost_commit(store: Store, before: Callable[[Any], None], times: int = 1) -> Iterator[None]:
    """Let the server lose the connection at the next commits; ``before`` says whether they happen first."""
    real, left = store._engine.dialect.do_commit, [None] * times

    def do_commit(connection: PoolProxiedConnection) -> None:
        if not left:
            return real(connection)
        left.pop()
        before(connection)
        info = cast(psycopg.Connection, connection.dbapi_connection).info
        with psycopg.connect(info.dsn, autocommit=True) as other:
            other.execute("SELECT pg_terminate_backend(%s, 5000)", [info.backend_pid])
        return real(connection)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store._engine.dialect, "do_commit", do_commit)
        yield


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
@pytest.mark.parametrize("happened", [True, False])
async def test_a_commit_whose_answer_is_lost_is_done_once(store: Store, happened: bool) -> None:
    await add(store, "a", "b")
    with lost_commit(store, lambda connection: connection.commit() if happened else None):
        with held(store):
            futures = await asked(store, "a", "b")
            futures += await asked(store, "b", after=7)
        outcomes = await asyncio.gather(*futures, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [int, int, ConflictError]
    assert [(await store.table(id)).last for id in "ab"] == [1, 1]
    assert await store.append("a", 1, [told(2)]) == 2
    with store._engine.connect() as connection:
        assert connection.scalar(select(func.count()).select_from(ENTRIES)) == 3
        assert connection.scalar(select(func.count()).select_from(MARKS)) == 1


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
async def test_a_connection_that_is_lost_again_and_again_is_given_up(store: Store) -> None:
    await add(store, "table")
    with lost_commit(store, lambda connection: None, times=2):
        with pytest.raises(StoreGoneError):
            await store.append("table", 0, [told(1)])
        assert await store.append("table", 0, [told(1)]) == 1


class DriverError(Exception):
    """An error of a driver, as far as the store looks at it."""

    def __init__(self, sqlstate: str = "", sqlite_errorname: str = "") -> None:
        self.sqlstate, self.sqlite_errorname = sqlstate, sqlite_errorname


@pytest.mark.parametrize(
    ("orig", "kind"),
    [
        (DriverError(sqlstate="53100"), StoreFullError),
        (DriverError(sqlite_errorname="SQLITE_FULL"), StoreFullError),
        (DriverError(sqlite_errorname="SQLITE_IOERR_WRITE"), StoreFullError),
        (DriverError(sqlite_errorname="SQLITE_BUSY"), StoreGoneError),
        (DriverError(sqlite_errorname="SQLITE_READONLY"), StoreGoneError),
        (DriverError(sqlstate="53300"), StoreGoneError),
        (DriverError(), StoreGoneError),
    ],
)
def test_errors_of_drivers_are_told_apart(orig: DriverError, kind: type[Exception]) -> None:
    error = OperationalError("INSERT", {}, orig)
    refused = refusal(error)
    assert type(refused) is kind
    assert refused.__cause__ is error
    assert refusal(refused) is refused
