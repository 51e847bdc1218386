"""Fixtures that several test files share."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings
from typer.testing import CliRunner

from service import cli, reading, tables
from tests.fake_tables import FakeTables
from tests.fakes import FakeReader, encoded
from tests.running import Run, Runner

# The same examples every time, and no clock: a busy machine fails no test.
settings.register_profile("repeatable", derandomize=True, deadline=None, database=None)
settings.load_profile("repeatable")


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
