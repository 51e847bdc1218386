"""What a store keeps, and what it refuses; everything with SQLite and with PostgreSQL."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from service.store import (
    BadTextError,
    ConflictError,
    Entry,
    Key,
    LastHostError,
    NoTableError,
    Role,
    SeatTakenError,
    Store,
    StoreGoneError,
    UnknownKeyError,
)
from tests.kept import add, host, opened, player, stored, told

pytestmark = pytest.mark.anyio

NO_TEXTS = (pytest.param("a\0b", id="nul"), pytest.param("\ud800", id="half"))
"""What PostgreSQL, or any database, cannot keep."""


async def test_a_table_is_kept_as_it_was_given(store: Store) -> None:
    keys = [host(), replace(player("p", "Zoë"), seat=True, revoked=True), Key("c", Role.CAMERA, None, b"\0\xff", 2e9)]
    await store.create(stored(), keys)
    assert await store.table("table") == stored()
    assert await store.keys("table") == tuple(keys)
    assert await store.entries("table") == ()
    assert await store.lines("table") == ()
    assert await store.count() == 1


async def test_everything_is_there_after_opening_again(database: str) -> None:
    async with opened(database) as store:
        await add(store, "table")
        await store.append("table", 0, [told(1), told(2)])
    async with opened(database) as store:
        assert await store.table("table") == replace(stored(), last=2)
        assert await store.keys("table") == (host(),)
        assert await store.entries("table") == (Entry(1, *told(1)), Entry(2, *told(2)))


async def test_appended_entries_are_numbered_and_come_back_in_order(store: Store) -> None:
    await add(store, "table")
    assert await store.append("table", 0, [told(1)]) == 1
    assert await store.append("table", 1, [told(number) for number in range(2, 13)]) == 12
    assert await store.append("table", 12, []) == 12
    assert await store.entries("table") == tuple(Entry(number, *told(number)) for number in range(1, 13))
    assert await store.lines("table") == tuple(f'{{"line": {number}}}' for number in range(1, 13) if number % 3)
    assert (await store.table("table")).last == 12


async def test_a_part_of_a_journal_can_be_asked_for(store: Store) -> None:
    await store.create(stored(), [host()], [Entry(number, *told(number)) for number in range(1, 8)])

    async def numbers(after: int, limit: int | None) -> list[int]:
        return [entry.number for entry in await store.entries("table", after, limit)]

    assert await numbers(4, None) == [5, 6, 7]
    assert await numbers(2, 3) == [3, 4, 5]
    assert await numbers(7, 3) == []
    assert await numbers(10**30, 10**30) == []
    assert await numbers(-(10**30), 1) == [1]
    assert await numbers(0, 0) == []


async def test_a_table_can_begin_with_entries(store: Store) -> None:
    await store.create(replace(stored(), last=99), [host()], [Entry(1, *told(1)), Entry(2, *told(2))])
    assert (await store.table("table")).last == 2
    assert await store.append("table", 2, [told(3)]) == 3


@pytest.mark.parametrize("numbers", [(2,), (1, 3), (1, 1), (0, 1)])
async def test_a_table_cannot_begin_with_a_gap(store: Store, numbers: tuple[int, ...]) -> None:
    with pytest.raises(ConflictError):
        await store.create(stored(), [host()], [Entry(number, *told(number)) for number in numbers])
    assert await store.count() == 0


async def test_two_tables_cannot_have_one_id(store: Store) -> None:
    await add(store, "table")
    with pytest.raises(ConflictError):
        await store.create(replace(stored(), header="another"), [player("p", "Ann")])
    assert await store.table("table") == stored()
    assert await store.keys("table") == (host(),)


@pytest.mark.parametrize("after", [0, 1, 3, 10**30, -1])
async def test_an_append_to_another_place_is_a_conflict(store: Store, after: int) -> None:
    await add(store, "table")
    await store.append("table", 0, [told(1), told(2)])
    with pytest.raises(ConflictError, match="newest entry is 2"):
        await store.append("table", after, [("{}", None)])
    assert await store.entries("table", 2) == ()


async def test_of_appends_to_one_place_at_the_same_time_one_is_done(store: Store) -> None:
    await add(store, "table")
    outcomes = await asyncio.gather(
        *(store.append("table", 0, [(str(n), None)] * (1 + n % 2)) for n in range(20)), return_exceptions=True
    )
    done = [(n, outcome) for n, outcome in enumerate(outcomes) if not isinstance(outcome, ConflictError)]
    assert len(done) == 1
    number, last = done[0]
    assert [entry.told for entry in await store.entries("table")] == [str(number)] * (1 + number % 2)
    assert last == (await store.table("table")).last


async def test_what_is_refused_to_one_table_does_not_harm_the_others(store: Store) -> None:
    await add(store, "a", "b", "c")
    outcomes = await asyncio.gather(
        store.append("a", 0, [told(1)]),
        store.append("b", 5, [told(1)]),
        store.append("none", 0, [told(1)]),
        store.create(stored("a"), [host()]),
        store.add_key("a", host()),
        store.add_key("b", player("p", "Ann")),
        store.append("c", 0, [told(1), told(2)]),
        return_exceptions=True,
    )
    kinds = [type(outcome) if isinstance(outcome, Exception) else outcome for outcome in outcomes]
    assert kinds == [1, ConflictError, NoTableError, ConflictError, ConflictError, None, 2]
    assert [(await store.table(id)).last for id in "abc"] == [1, 0, 2]
    assert await store.keys("b") == (host(), player("p", "Ann"))


@pytest.mark.parametrize("id", ["none", "", "Table", "table ", pytest.param("x" * 5000, id="long"), *NO_TEXTS])
async def test_what_is_not_kept_is_refused(store: Store, id: str) -> None:
    await add(store, "table")
    for asked in (
        store.table(id),
        store.keys(id),
        store.entries(id),
        store.lines(id),
        store.append(id, 0, [told(1)]),
        store.append(id, 0, []),
        store.add_key(id, host()),
        store.take_seat(id, player("p", "Ann")),
        store.revoke(id, "host"),
        store.delete(id),
    ):
        with pytest.raises(NoTableError, match="there is no table") as refused:
            await asked
        assert len(str(refused.value)) < 100
    assert await store.count() == 1


@pytest.mark.parametrize("text", NO_TEXTS)
async def test_texts_that_cannot_be_kept_are_refused_and_harm_nobody(store: Store, text: str) -> None:
    await add(store, "table")
    bad = (
        store.create(stored(text), [host()]),
        store.create(replace(stored("b"), setup=text), [host()]),
        store.create(stored("b"), [player("p", text)]),
        store.create(stored("b"), [host()], [Entry(1, "{}", text)]),
        store.append("table", 0, [(text, None)]),
        store.add_key("table", player("p", text)),
        store.take_seat("table", player(text, "Ann")),
    )
    outcomes = await asyncio.gather(*bad, store.append("table", 0, [told(1)]), return_exceptions=True)
    assert {type(outcome) for outcome in outcomes[:-1]} == {BadTextError}
    assert outcomes[-1] == 1
    with pytest.raises(UnknownKeyError):
        await store.revoke("table", text)


async def test_keys_can_be_added_and_revoked(store: Store) -> None:
    await add(store, "table", "other")
    await store.add_key("table", player("p", "Ann"))
    await store.add_key("other", player("p", "Ben"))
    await store.revoke("table", "p")
    await store.revoke("table", "p")
    assert await store.keys("table") == (host(), replace(player("p", "Ann"), revoked=True))
    assert await store.keys("other") == (host(), player("p", "Ben"))
    with pytest.raises(UnknownKeyError, match="no such key"):
        await store.revoke("table", "q")
    with pytest.raises(ConflictError):
        await store.add_key("table", player("p", "Ben"))


async def test_the_last_host_stays(store: Store) -> None:
    await add(store, "table")
    with pytest.raises(LastHostError, match="'host'"):
        await store.revoke("table", "host")
    await store.add_key("table", host("second"))
    outcomes = await asyncio.gather(
        store.revoke("table", "host"), store.revoke("table", "second"), return_exceptions=True
    )
    assert sorted(str(type(outcome).__name__) for outcome in outcomes) == ["LastHostError", "NoneType"]
    assert sum(not key.revoked for key in await store.keys("table")) == 1


async def test_one_of_many_takes_a_seat(store: Store) -> None:
    await store.create(stored(), [host(), player("given", "Ann")])
    outcomes = await asyncio.gather(
        *(store.take_seat("table", player(f"k{n}", "Ann")) for n in range(9)),
        store.take_seat("table", player("ben", "Ben")),
        return_exceptions=True,
    )
    assert outcomes[-1] is None
    assert [type(outcome) for outcome in outcomes[:-1]].count(SeatTakenError) == 8
    taken = [key for key in await store.keys("table") if key.seat]
    assert sorted(key.player or "" for key in taken) == ["Ann", "Ben"]


async def test_a_seat_is_free_again_when_its_key_is_revoked(store: Store) -> None:
    await add(store, "table")
    await store.take_seat("table", player("first", "Ann"))
    with pytest.raises(SeatTakenError, match="'Ann'"):
        await store.take_seat("table", player("second", "Ann"))
    await store.revoke("table", "first")
    await store.take_seat("table", player("second", "Ann"))
    assert [(key.id, key.seat, key.revoked) for key in (await store.keys("table"))[1:]] == [
        ("first", True, True),
        ("second", True, False),
    ]


async def test_a_key_that_is_used_holds_the_seat_of_its_player(store: Store) -> None:
    await store.create(stored(), [host(), player("ann", "Ann"), player("ben", "Ben")])
    for _ in range(2):
        await store.hold_seat("table", "ann")
    with pytest.raises(SeatTakenError, match="'Ann'"):
        await store.take_seat("table", player("second", "Ann"))
    await store.take_seat("table", player("third", "Ben"))
    assert {key.id: key.seat for key in await store.keys("table")} == {
        "host": False,
        "ann": True,
        "ben": False,
        "third": True,
    }
    with pytest.raises(NoTableError):
        await store.hold_seat("other", "ann")


async def test_deleting_leaves_nothing_of_a_table_and_all_of_the_others(store: Store) -> None:
    await add(store, "table", "other")
    for id in ("table", "other"):
        await store.append(id, 0, [told(1)])
    await store.delete("table")
    for asked in (store.table("table"), store.delete("table"), store.append("table", 1, [told(2)])):
        with pytest.raises(NoTableError):
            await asked
    assert await store.count() == 1
    assert await store.entries("other") == (Entry(1, *told(1)),)
    await add(store, "table")
    assert await store.entries("table") == ()
    assert await store.keys("table") == (host(),)


async def test_a_closed_store_says_so(database: str) -> None:
    async with opened(database) as store:
        await add(store, "table")
        await store.ping()
    for asked in (store.ping(), store.table("table"), store.append("table", 0, [told(1)]), store.delete("table")):
        with pytest.raises(StoreGoneError, match="closed"):
            await asked
    await store.close()


async def test_what_waits_is_written_before_the_store_closes(database: str) -> None:
    async with opened(database) as store:
        await add(store, "table", "b")
        waiting = [asyncio.ensure_future(store.append(id, 0, [told(1)])) for id in ("table", "b")]
        await asyncio.sleep(0)
    assert await asyncio.gather(*waiting) == [1, 1]
    async with opened(database) as store:
        assert (await store.table("b")).last == 1
