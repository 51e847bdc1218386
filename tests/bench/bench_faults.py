"""What the service does when things break: it is killed, its disk is full, its database goes, clients are half dead.

    python -m tests.bench.bench_faults [kills] [disk] [database] [sockets] [slow] [--kills 50]

kills     events of a recorded game are posted one by one while the service is killed (SIGKILL) and started again and
          again; a phone listens meanwhile. Everything acknowledged is in the exported record, in order and once, and
          the phone has heard every entry once.
disk      tables are kept on a small file system of their own (needs root), which is filled: events get 503 until there
          is room again; nothing acknowledged is lost.
database  the same with PostgreSQL, which is stopped and started again.
sockets   1,000 connections that have sent half a request: others are answered.
slow      an upload of one byte a second: it is ended, and others are answered meanwhile.

Prints a line each. The exit status is 1 if anything was lost.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from tests.server_process import Server, running

__all__ = ["main"]

Data = dict[str, Any]

_GAME = Path(__file__).resolve().parents[1] / "golden" / "cubed.record.jsonl"
_FREE = {"CLIENT_RATE": "100000", "TABLE_RATE": "10000", "CLIENT_TABLES": "100000"}
_PATIENCE = 60.0


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _game() -> tuple[Data, list[Data]]:
    """Return the setup of a recorded game, and its events without times."""
    header, *events = map(json.loads, _GAME.read_text(encoding="utf-8").splitlines())
    setup = {"game": header["game"], "players": header["players"], "options": header.get("options", {})}
    board = {"board": {"game": header["game"], **header["board"]}} if isinstance(header.get("board"), dict) else {}
    return setup | board, [{name: value for name, value in event.items() if name != "t"} for event in events]


def _plain(line: str) -> Data:
    """Return a line of a record without its time."""
    found: Data = json.loads(line)
    found.pop("t", None)
    return found


@dataclass
class Writer:
    """Posts the events of a game one by one, each until it is known to be there."""

    address: str
    table: Data
    events: list[Data]
    posted: int = 0
    acknowledged: int = 0
    failures: dict[str, int] = field(default_factory=dict)

    @classmethod
    def opened(cls, address: str) -> Writer:
        """Open a table for a recorded game."""
        setup, events = _game()
        answer = httpx.post(f"{address}/api/v1/tables", json=setup, timeout=30)
        return cls(address, answer.raise_for_status().json(), events)

    @property
    def path(self) -> str:
        """The address of the table."""
        return f"{self.address}/api/v1/tables/{self.table['id']}"

    @property
    def headers(self) -> dict[str, str]:
        """The key of the host."""
        return {"Authorization": f"Bearer {self.table['keys']['host']}"}

    def post_next(self, client: httpx.Client) -> bool:
        """Post the next event; return False when it is not known to be there yet."""
        last = self.acknowledged
        try:
            answer = client.post(
                f"{self.path}/events", json=self.events[last], headers={**self.headers, "If-Match": f'"{last}"'}
            )
        except httpx.HTTPError as error:
            self._failed(type(error).__name__)
            return False
        if answer.status_code == 412:
            # the answer was lost, the event was not
            self.acknowledged = int(client.get(self.path, headers=self.headers).raise_for_status().json()["last"])
            if self.acknowledged != last + 1:
                raise RuntimeError(f"{last} events were acknowledged, and the table has {self.acknowledged}")
            return True
        if answer.status_code == 503:
            self._failed(answer.json()["error"]["code"])
            return False
        answer.raise_for_status()
        self.acknowledged = last + 1
        return True

    def _failed(self, what: str) -> None:
        self.failures[what] = self.failures.get(what, 0) + 1

    def lost(self) -> int:
        """Return how many events the record does not have as they were acknowledged; wrong and double ones too."""
        record = httpx.get(f"{self.path}/record", headers=self.headers, timeout=30).raise_for_status().text
        found = [_plain(line) for line in record.splitlines()[1:]]
        wanted = self.events[: self.acknowledged]
        return sum(one != other for one, other in zip(found, wanted, strict=False)) + abs(len(found) - len(wanted))


@dataclass
class Phone:
    """Hears what happens at a table, and comes back after every cut."""

    writer: Writer
    heard: list[int] = field(default_factory=list)
    stopped: threading.Event = field(default_factory=threading.Event)

    def listen(self) -> None:
        """Hear entries until it is stopped."""
        address = f"{self.writer.path.replace('http', 'ws', 1)}/socket"
        while not self.stopped.is_set():
            with suppress(OSError, WebSocketException, TimeoutError), connect(address, open_timeout=5) as one:
                hello = {"type": "hello", "key": self.writer.table["keys"]["spectator"], "after": len(self.heard)}
                one.send(json.dumps(hello))
                while not self.stopped.is_set():
                    with suppress(TimeoutError):
                        message = json.loads(one.recv(timeout=0.5))
                        if message["type"] == "entry":
                            self.heard.append(message["entry"]["number"])
            time.sleep(0.05)


def _post_until(writer: Writer, count: int) -> None:
    """Post until ``count`` events are acknowledged."""
    end = time.monotonic() + _PATIENCE
    with httpx.Client(timeout=10) as client:
        while writer.acknowledged < min(count, len(writer.events)):
            if writer.post_next(client):
                end = time.monotonic() + _PATIENCE
            elif time.monotonic() > end:
                raise TimeoutError(f"nothing is acknowledged any more: {writer.failures}")
            else:
                time.sleep(0.02)


def _kills(kills: int) -> tuple[str, int]:
    """Kill a service again and again in the middle of a game."""
    chance, port = random.Random(1), _free_port()  # noqa: S311
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with running(folder, _FREE, port) as server:
            writer = Writer.opened(server.address)
            server.kill()
        phone = Phone(writer)
        listener = threading.Thread(target=phone.listen)
        listener.start()
        poster = threading.Thread(target=_post_slowly, args=(writer,))
        poster.start()
        try:
            for _ in range(kills):
                with running(folder, _FREE, port) as server:
                    time.sleep(chance.uniform(0.05, 0.8))
                    server.kill()
            with running(folder, _FREE, port):
                poster.join()
                time.sleep(1.0)
                phone.stopped.set()
                listener.join()
                lost = writer.lost()
        finally:
            phone.stopped.set()
    heard = phone.heard == list(range(1, writer.acknowledged + 1))
    text = (
        f"kills     {kills} times killed, {writer.acknowledged} events acknowledged, {lost} lost; "
        f"the phone heard each once: {'yes' if heard else 'NO'}; failed meanwhile: {writer.failures}"
    )
    return text, lost + (not heard)


def _post_slowly(writer: Writer) -> None:
    """Post all events of the game, not so fast that the game is over before the service is killed."""
    with httpx.Client(timeout=10) as client:
        while writer.acknowledged < len(writer.events):
            writer.post_next(client)
            time.sleep(0.12)


@contextmanager
def _small_disk() -> Iterator[Path]:
    """Yield a folder on a file system of four megabytes."""
    with tempfile.TemporaryDirectory() as folder:
        mount = [shutil.which("mount") or "mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", folder]
        subprocess.run(mount, check=True)
        try:
            yield Path(folder)
        finally:
            subprocess.run([shutil.which("umount") or "umount", "-l", folder], check=True)


def _disk(_: int) -> tuple[str, int]:
    """Fill the disk, and make room again."""
    if os.geteuid() != 0:
        return "disk      not tried: only root may mount a small file system", 0
    with _small_disk() as disk, tempfile.TemporaryDirectory() as other:
        settings = {**_FREE, "DATABASE": f"sqlite:///{disk / 'tables.sqlite3'}"}
        with running(Path(other), settings) as server:
            writer = Writer.opened(server.address)
            _post_until(writer, 20)
            filler = disk / "filler"
            with suppress(OSError), filler.open("wb") as full:
                while True:
                    full.write(bytes(4096))
                    full.flush()
            refused = _refusals(writer)
            filler.unlink()
            _post_until(writer, 60)
            lost = writer.lost()
    text = f"disk      full: {refused}; with room again {writer.acknowledged} events acknowledged, {lost} lost"
    return text, lost + ("store-full" not in refused)


def _refusals(writer: Writer) -> dict[str, int]:
    """Return how events are refused now, once they are."""
    with httpx.Client(timeout=30) as client:
        for _ in range(100):
            writer.post_next(client)
            if sum(writer.failures.values()) >= 5:
                break
    found, writer.failures = dict(writer.failures), {}
    return found


def _database(_: int) -> tuple[str, int]:
    """Stop the database, and start it again."""
    from tests import postgresql

    with (
        tempfile.TemporaryDirectory() as folder,
        postgresql.running() as database,
        running(Path(folder), {**_FREE, "DATABASE": database.address()}) as server,
    ):
        writer = Writer.opened(server.address)
        _post_until(writer, 20)
        database.stop()
        refused = _refusals(writer)
        health = httpx.get(f"{server.address}/healthz").status_code
        ready = httpx.get(f"{server.address}/readyz", timeout=30).status_code
        database.start()
        _post_until(writer, 60)
        lost = writer.lost()
    text = (
        f"database  gone: {refused}, /healthz {health}, /readyz {ready}; back: {writer.acknowledged} events "
        f"acknowledged, {lost} lost"
    )
    return text, lost + ("store-gone" not in refused)


def _answers(server: Server, count: int = 20) -> list[float]:
    """Return how many seconds some requests take."""
    took = []
    for _ in range(count):
        start = time.perf_counter()
        httpx.get(f"{server.address}/healthz", timeout=30).raise_for_status()
        took.append(time.perf_counter() - start)
    return sorted(took)


def _sockets(_: int) -> tuple[str, int]:
    """Open a thousand connections that never say all of what they want."""
    with tempfile.TemporaryDirectory() as folder, running(Path(folder), _FREE) as server:
        where = urlsplit(server.address)
        before = _answers(server)
        halves = []
        for _ in range(1_000):
            with suppress(OSError):
                half = socket.create_connection((where.hostname, where.port), timeout=5)
                half.sendall(b"POST /api/v1/photos HTTP/1.1\r\nHost: x\r\nContent-Le")
                halves.append(half)
        refused = 0
        try:
            meanwhile = _answers(server)
        except httpx.HTTPError:
            refused, meanwhile = 1, [float("nan")]
        for half in halves:
            half.close()
        after = _answers(server)
    text = (
        f"sockets   {len(halves)} half-open: others are answered in {before[10] * 1000:.1f} ms before, "
        f"{meanwhile[len(meanwhile) // 2] * 1000:.1f} ms meanwhile, {after[10] * 1000:.1f} ms after (median)"
    )
    return text, refused


def _slow(_: int) -> tuple[str, int]:
    """Upload one byte a second."""
    with tempfile.TemporaryDirectory() as folder, running(Path(folder), {**_FREE, "UPLOAD_SECONDS": "5"}) as server:
        where = urlsplit(server.address)
        head = b"POST /api/v1/photos HTTP/1.1\r\nHost: x\r\nContent-Type: image/jpeg\r\nContent-Length: 9999\r\n\r\n"
        start = time.monotonic()
        with socket.create_connection((where.hostname, where.port), timeout=1) as slow:
            slow.sendall(head)
            answer = b""
            while not answer and time.monotonic() < start + 30:
                with suppress(TimeoutError):
                    slow.sendall(b"\xff")
                    answer = slow.recv(100)
        took = time.monotonic() - start
        meanwhile = _answers(server)
    status = answer.split(b" ")[1].decode() if answer.startswith(b"HTTP") else "no answer"
    text = f"slow      one byte a second: {status} after {took:.1f} s; others in {meanwhile[10] * 1000:.1f} ms"
    return text, int(status != "408")


_FAULTS = {"kills": _kills, "disk": _disk, "database": _database, "sockets": _sockets, "slow": _slow}


def main(arguments: list[str] | None = None) -> int:
    """Print one line a fault."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("what", nargs="*", default=list(_FAULTS))
    parser.add_argument("--kills", type=int, default=50)
    asked = parser.parse_args(arguments)
    wrong = 0
    for name in asked.what:
        text, faults = _FAULTS[name](asked.kills)
        print(text, flush=True)
        wrong += faults
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
