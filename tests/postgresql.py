"""A PostgreSQL server of the tests' own: in a temporary folder, on a Unix socket, gone when the tests are."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
import pytest

__all__ = ["Server", "find_binaries", "needed", "running"]

_STARTING_SECONDS = 20.0
_OPTIONS = ("fsync=off", "full_page_writes=off", "listen_addresses=", "max_connections=50", "shared_buffers=16MB")
"""Fast to start; the server's processes are killed in tests, the machine is not."""
_WATCHED = '"$@" & read _; kill -"${SIGNAL}" $!; wait'
"""Ends the server as soon as standard input is closed, so also when the tests are killed."""


def find_binaries() -> Path | None:
    """Return the folder of ``initdb`` and ``postgres``, or None where there is no PostgreSQL."""
    found = shutil.which("initdb")
    folders = [Path(found).resolve().parent] if found else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: folder.parent.name, reverse=True)
    return next((folder for folder in folders if (folder / "initdb").exists() and (folder / "postgres").exists()), None)


def needed() -> bool:
    """Return whether the tests may not be skipped for lack of PostgreSQL."""
    return os.environ.get("SET_REFEREE_NEED_POSTGRESQL") == "1"


def _other_user() -> dict[str, Any]:
    """Arguments of ``subprocess`` for another user where we are root, as whom PostgreSQL does not run."""
    if os.geteuid():
        return {}
    names = {entry.pw_name: entry for entry in pwd.getpwall()}
    user = names.get("postgres") or names["nobody"]
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


@dataclass
class Server:
    """A server that can be stopped and started again."""

    folder: Path
    binaries: Path
    _as_user: dict[str, Any] = field(default_factory=_other_user)
    _process: subprocess.Popen[bytes] | None = None
    _databases: int = 0

    def make(self) -> None:
        """Make the cluster."""
        if self._as_user:
            os.chown(self.folder, self._as_user["user"], self._as_user["group"])
        arguments = ["--no-sync", "--auth=trust", "--username=referee", "--encoding=UTF8", "--locale=C"]
        done = subprocess.run(  # noqa: S603
            [self.binaries / "initdb", *arguments, "--pgdata", self.folder / "data"],
            cwd=self.folder,
            capture_output=True,
            text=True,
            **self._as_user,
        )
        assert done.returncode == 0, done.stderr

    def start(self, signal: str = "INT") -> None:
        """Start, and wait until it answers; ``stop`` will send ``signal``: INT, or QUIT for a crash."""
        options = [part for option in (*_OPTIONS, f"unix_socket_directories={self.folder}") for part in ("-c", option)]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603
                ["/bin/sh", "-c", _WATCHED, "sh", self.binaries / "postgres", "-D", self.folder / "data", *options],
                cwd=self.folder,
                env={"SIGNAL": signal},
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                **self._as_user,
            )
        self._wait()

    def _wait(self) -> None:
        end = time.monotonic() + _STARTING_SECONDS
        while True:
            try:
                return self.run("SELECT 1")
            except psycopg.OperationalError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.02)

    def stop(self) -> None:
        """Stop, and wait for the end."""
        if self._process is not None:
            assert self._process.stdin is not None
            self._process.stdin.close()
            self._process.wait(_STARTING_SECONDS)
            self._process = None

    def run(self, statement: str) -> None:
        """Run one statement outside of a transaction."""
        with psycopg.connect(host=str(self.folder), user="referee", dbname="postgres", autocommit=True) as connection:
            connection.execute(statement.encode())

    def address(self) -> str:
        """Make a new database and return its address."""
        self._databases += 1
        name = f"tables{self._databases}"
        self.run(f"CREATE DATABASE {name}")
        return f"postgresql+psycopg://referee@/{name}?host={self.folder}"


@contextmanager
def running() -> Iterator[Server]:
    """Make and start a server; it is stopped and its folder removed at the end."""
    binaries = find_binaries()
    if binaries is None:
        reason = "there is no PostgreSQL: neither initdb on PATH nor /usr/lib/postgresql"
        if needed():
            pytest.fail(reason)
        pytest.skip(reason)
    with tempfile.TemporaryDirectory(prefix="referee-", ignore_cleanup_errors=True) as folder:
        server = Server(Path(folder), binaries)
        server.make()
        server.start()
        try:
            yield server
        finally:
            server.stop()
