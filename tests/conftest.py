"""Fixtures that several test files share."""

from __future__ import annotations

import logging
import os
from collections.abc import AsyncIterator, Iterator
from io import StringIO
from pathlib import Path

import httpx
import numpy as np
import pytest
from hypothesis import settings
from typer.testing import CliRunner

from service import cli, reading, tables
from service.logs import configure_logs
from service.store import Store
from tests import kept, postgresql
from tests.fake_tables import FakeTables
from tests.fakes import FakeReader, SteadyClock, encoded
from tests.running import Run, Runner
from tests.served import Switch, serving

# The same examples every time, and no clock: a busy machine fails no test.
settings.register_profile("repeatable", derandomize=True, deadline=None, database=None)
settings.load_profile("repeatable")


@pytest.fixture(scope="session", autouse=True)
def no_files_of_the_users_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the tables of services that are told no database in a folder that is thrown away."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.fixture
def fake() -> FakeReader:
    """A reader that needs no models."""
    return FakeReader()


@pytest.fixture(scope="session")
def jpeg() -> bytes:
    """A small photo of a green table, 320 x 160."""
    noise = np.random.default_rng(3).integers(0, 30, (160, 320, 3), np.uint8)
    return encoded(noise + np.array([60, 120, 60], np.uint8))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of shared data, where ``SET_REFEREE_SHARED`` names one."""
    folder = os.environ.get("SET_REFEREE_SHARED")
    if not folder:
        pytest.skip("SET_REFEREE_SHARED names no folder of shared data")
    return Path(folder)


@pytest.fixture
def table(tmp_path: Path, jpeg: bytes) -> Path:
    """A photo as a file."""
    path = tmp_path / "table.jpg"
    path.write_bytes(jpeg)
    return path


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, fake: FakeReader) -> Runner:
    """Run the command in this process with the fake reader."""
    monkeypatch.setattr(reading, "open_reader", lambda: fake)
    monkeypatch.setattr(tables, "open_tables", FakeTables)
    monkeypatch.setenv("COLUMNS", "120")

    def runner(*arguments: str | Path, given: bytes | None = None) -> Run:
        result = CliRunner().invoke(cli.app, [str(argument) for argument in arguments], input=given)
        assert isinstance(result.exception, SystemExit | None), result.exception
        return Run(result.exit_code, result.stdout, result.stderr)

    return runner


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[postgresql.Server]:
    """A running PostgreSQL; skips where none is installed."""
    with postgresql.running() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database: what uses it is tested with SQLite and with PostgreSQL."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'tables.sqlite'}"
    server: postgresql.Server = request.getfixturevalue("postgresql_server")
    return server.address()


@pytest.fixture
def anyio_backend() -> str:
    """Run asynchronous tests with asyncio."""
    return "asyncio"


@pytest.fixture
async def store(database: str, anyio_backend: str) -> AsyncIterator[Store]:
    """An empty store, in SQLite or in PostgreSQL."""
    async with kept.opened(database) as store:
        yield store


@pytest.fixture
def log() -> Iterator[StringIO]:
    """What this process logs meanwhile."""
    root, stream = logging.getLogger(), StringIO()
    before, level = root.handlers[:], root.level
    configure_logs(stream)
    yield stream
    root.handlers[:] = before
    root.setLevel(level)


@pytest.fixture
def clock() -> SteadyClock:
    """A clock that stands."""
    return SteadyClock()


@pytest.fixture(scope="module")
def running() -> Iterator[tuple[httpx.Client, Switch]]:
    """A running service."""
    switch = Switch(FakeReader())
    with serving(switch) as client:
        yield client, switch


@pytest.fixture
def client(running: tuple[httpx.Client, Switch], fake: FakeReader) -> httpx.Client:
    """A client of it; its reader is the test's own ``fake``."""
    running[1].reader = fake
    return running[0]
