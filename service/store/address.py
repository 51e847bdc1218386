"""Addresses of databases, and the engine of each; a password in one is never repeated."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path
from sqlite3 import SQLITE_BUSY, OperationalError

from platformdirs import user_data_path
from sqlalchemy import URL, Engine, create_engine, event, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection, DBAPICursor
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import ConnectionPoolEntry

from service.store.errors import StoreAddressError, StoreLibraryError
from service.store.settings import StoreSettings

__all__ = ["default_address", "engine_of", "parsed"]

_EXPECTED = "expected sqlite:///FILE or postgresql://USER:PASSWORD@HOST/DATABASE"
_POSTGRESQL = ("postgresql", "postgresql+psycopg", "postgres")
_SQLITE = ("sqlite", "sqlite+pysqlite")
_STEP = 0.02
"""Seconds between two tries."""


def default_address() -> str:
    """Return the address of the SQLite file in the user's own data folder; nothing is created."""
    file = user_data_path("set-referee", appauthor=False) / "tables.sqlite"
    return URL.create("sqlite", database=str(file)).render_as_string()


def parsed(address: str) -> URL:
    """Return ``address`` with the driver that is used.

    :raises StoreAddressError: it is none, or of a database that is not supported, or keeps nothing.
    """
    try:
        url = make_url(address)
    except (ArgumentError, ValueError):
        raise StoreAddressError(f"the database address cannot be read: {_EXPECTED}") from None
    if url.drivername in _SQLITE:
        return _checked_file(url)
    if url.drivername not in _POSTGRESQL:
        raise StoreAddressError(f"{url.drivername!r} is no database that tables can be kept in: {_EXPECTED}")
    if "@" in (url.host or ""):
        raise StoreAddressError("a @ in the user or the password of the database address is written %40")
    return url.set(drivername="postgresql+psycopg")


def _checked_file(url: URL) -> URL:
    if not url.database or url.database == ":memory:" or url.query or url.host:
        raise StoreAddressError("the address of a SQLite database names a file, and nothing else: sqlite:///FILE")
    return url


def engine_of(url: URL, settings: StoreSettings) -> Engine:
    """Return the engine of a database; the folder and the file of SQLite are made, for their owner alone.

    :raises StoreAddressError: the file cannot be made.
    :raises StoreLibraryError: the driver is not installed.
    """
    if url.get_backend_name() == "sqlite":
        return _sqlite(url, settings)
    try:
        return _postgresql(url, settings)
    except ImportError as error:
        raise StoreLibraryError from error


def _sqlite(url: URL, settings: StoreSettings) -> Engine:
    file = Path(url.database or "")
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file.touch(mode=0o600)
    except OSError as error:
        raise StoreAddressError(f"the database file {str(file)!r} cannot be made: {error.strerror}") from error
    engine = create_engine(
        url,
        hide_parameters=True,
        pool_size=settings.readers + 1,
        max_overflow=0,
        connect_args={"timeout": settings.busy_seconds},
    )
    check = partial(_check_file, file, _identity(file))
    event.listen(engine, "do_connect", check)
    event.listen(engine, "checkout", check)
    event.listen(engine, "connect", partial(_set_up_sqlite, settings.busy_seconds))
    return engine


def _check_file(file: Path, opened: tuple[int, int] | None, *_: object) -> None:
    """Refuse a file that has been taken away or replaced meanwhile: what is written to either would be lost.

    :raises sqlite3.OperationalError: it is not the one that was ``opened``.
    """
    if _identity(file) != opened:
        raise OperationalError("the database file has been taken away or replaced")


def _identity(file: Path) -> tuple[int, int] | None:
    """Return what tells a file from every other one; None where there is none."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _set_up_sqlite(patience: float, connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    """Make a commit survive a loss of power: the journal is flushed at each."""
    cursor = connection.cursor()
    _begin_wal(cursor, time.monotonic() + patience)
    for pragma in ("synchronous = FULL", "foreign_keys = ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_wal(cursor: DBAPICursor, deadline: float) -> None:
    """Turn on the write-ahead log; another program that turns it on meanwhile is waited for until ``deadline``.

    SQLite itself does not wait here, whatever its timeout: two that change the mode at once could wait for each other.
    """
    while True:
        try:
            cursor.execute("PRAGMA journal_mode = WAL")
            return
        except OperationalError as error:
            if error.sqlite_errorcode & 0xFF != SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(_STEP)


def _postgresql(url: URL, settings: StoreSettings) -> Engine:
    usual = {
        "application_name": "set-referee",
        "connect_timeout": settings.connect_seconds,
        "keepalives_idle": settings.silent_seconds,
        "tcp_user_timeout": 1000 * settings.silent_seconds,
    }
    engine = create_engine(
        url,
        hide_parameters=True,
        pool_pre_ping=True,
        pool_size=settings.readers + 1,
        max_overflow=0,
        connect_args={name: value for name, value in usual.items() if name not in url.query},
    )
    event.listen(engine, "connect", partial(_set_up_postgresql, settings))
    return engine


def _set_up_postgresql(settings: StoreSettings, connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    """Let nothing wait for ever, and let a commit survive a loss of power even where the server is set otherwise."""
    cursor = connection.cursor()
    cursor.execute(f"SET lock_timeout = {1000 * settings.busy_seconds:.0f}")
    cursor.execute(f"SET statement_timeout = {1000 * settings.silent_seconds:d}")
    cursor.execute("SHOW synchronous_commit")
    if cursor.fetchone() == ("off",):
        cursor.execute("SET synchronous_commit = on")
    cursor.close()
    connection.commit()
