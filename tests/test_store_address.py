"""Addresses of databases: which are taken, what is made, and that no password is ever told."""

from __future__ import annotations

import sys
import traceback
from pathlib import Path

import pytest

from service.store import (
    Store,
    StoreAddressError,
    StoreGoneError,
    StoreLibraryError,
)
from service.store.address import parsed
from tests.kept import add, opened
from tests.postgresql import Server

SECRET = "s3cret"  # noqa: S105


@pytest.mark.parametrize(
    ("address", "driver"),
    [
        ("sqlite:///tables.sqlite", "sqlite"),
        ("sqlite+pysqlite:////var/tables.sqlite", "sqlite+pysqlite"),
        ("postgresql://ann:x@db/tables", "postgresql+psycopg"),
        ("postgres://ann:x@db:5433/tables?sslmode=require", "postgresql+psycopg"),
        ("postgresql+psycopg:///tables?host=/run/postgresql", "postgresql+psycopg"),
        (f"postgresql://ann:{SECRET}%40home@db/tables", "postgresql+psycopg"),
    ],
)
def test_addresses_are_taken_as_people_paste_them(address: str, driver: str) -> None:
    assert parsed(address).drivername == driver


@pytest.mark.parametrize(
    "address",
    [
        "",
        "tables.sqlite",
        f"{SECRET}",
        "sqlite://",
        "sqlite:///:memory:",
        f"sqlite://ann:{SECRET}@host/file",
        f"sqlite:///file?password={SECRET}",
        f"mysql://ann:{SECRET}@db/tables",
        f"postgresql+psycopg2://ann:{SECRET}@db/tables",
        f"postgresql+asyncpg://ann:{SECRET}@db/tables",
        f"postgresql://ann:pass@{SECRET}@db/tables",
        f"postgresql://ann:{SECRET}@db:port/tables",
        f"postgresql ann {SECRET}",
    ],
)
def test_other_addresses_are_refused_without_repeating_them(address: str) -> None:
    with pytest.raises(StoreAddressError) as refused:
        Store.open(address)
    assert SECRET not in "".join(traceback.format_exception(refused.value))
    assert "\n" not in str(refused.value)


def test_the_default_is_a_file_of_the_users_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.store.address.user_data_path", lambda name, appauthor: tmp_path / "of me" / name)
    address = Store.default_address()
    assert list(tmp_path.iterdir()) == []
    Store.open(address)._close()
    folder = tmp_path / "of me" / "set-referee"
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o600}


def test_a_database_that_is_there_keeps_its_mode(tmp_path: Path) -> None:
    file = tmp_path / "tables.sqlite"
    file.touch(0o640)
    mode = file.stat().st_mode
    Store.open(f"sqlite:///{file}")._close()
    assert file.stat().st_mode == mode


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreAddressError, match=r"file/tables\.sqlite.* cannot be made: "):
        Store.open(f"sqlite:///{tmp_path / 'file' / 'tables.sqlite'}")


def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear Ann, " * 100)
    with pytest.raises(StoreGoneError, match="not a database"):
        Store.open(f"sqlite:///{file}")
    assert file.read_text() == "Dear Ann, " * 100


def test_a_missing_driver_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreLibraryError, match=r"pip install 'set-referee\[postgresql\]'"):
        Store.open(f"postgresql://ann:{SECRET}@db/tables")


@pytest.mark.parametrize(
    "address",
    [
        f"postgresql://ann:{SECRET}@127.0.0.1:9/tables",
        f"postgresql://ann:{SECRET}@localhost/{SECRET}?host=/nowhere",
        f"postgresql://ann:{SECRET}@/tables?host=/nowhere&nonsense={SECRET}",
    ],
)
def test_a_server_that_is_not_there_is_told_without_the_password(address: str) -> None:
    with pytest.raises(StoreGoneError, match="cannot be opened: ") as refused:
        Store.open(address)
    assert SECRET not in "".join(traceback.format_exception(refused.value))


@pytest.mark.anyio
async def test_a_commit_reaches_the_disk_even_where_the_server_is_set_otherwise(postgresql_server: Server) -> None:
    address = postgresql_server.address()
    postgresql_server.run("ALTER ROLE referee SET synchronous_commit = off")
    try:
        async with opened(address) as store:
            await add(store, "table")
            with store._engine.connect() as connection:
                assert connection.exec_driver_sql("SHOW synchronous_commit").scalar() == "on"
                assert connection.exec_driver_sql("SHOW lock_timeout").scalar() == "5s"
    finally:
        postgresql_server.run("ALTER ROLE referee RESET synchronous_commit")


def test_sqlite_flushes_at_each_commit(tmp_path: Path) -> None:
    store = Store.open(f"sqlite:///{tmp_path / 'tables.sqlite'}")
    pragmas = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
    with store._engine.connect() as connection:
        found = [connection.exec_driver_sql(f"PRAGMA {pragma}").scalar() for pragma in pragmas]
    store._close()
    assert found == ["wal", 2, 1, 5000]
