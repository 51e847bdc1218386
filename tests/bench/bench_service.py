"""How much one service takes on this machine: photos, tables with their sockets, and cameras.

    python -m tests.bench.bench_service [photos] [tables] [cameras] [--seconds 20]

photos    the pipeline alone, in one process, and then the service with 1, 4 and 16 clients: photos a second, and how
          long the slowest twentieth waited. Photos are those that this project ships, sent again and again.
tables    200 tables with five sockets each; an event at each every few seconds: milliseconds from the moment the event
          is sent until a socket has heard it.
cameras   20 tables with a camera each, which send 1280 x 720 pictures at the rate that the service grants: pictures
          looked at a second, and milliseconds from a picture to what was seen on it.

Servers and clients share the machine, each in processes of their own. Times are noisy: compare within one run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import cv2
import httpx
import numpy as np
from websockets.asyncio.client import ClientConnection, connect

from tests.server_process import Server, running

__all__ = ["main"]

Data = dict[str, Any]

_ROOT = Path(__file__).resolve().parents[2]
_PHOTOS = (_ROOT / "service" / "static" / "demo.jpg", _ROOT / "service" / "examples" / "cubed-after.jpg")
_TABLES, _SOCKETS = 200, 5
_CAMERAS = 20
_PAUSE = 2.0
"""Seconds between two events at a table."""
_MANY = {
    "CLIENT_RATE": "100000",
    "CLIENT_TABLES": "100000",
    "CLIENT_CONNECTIONS": "100000",
    "MAX_WAITING": "64",
    "MAX_SOCKETS": "4000",
    "CONNECTIONS": "2000",
    "MAX_CAMERAS": "64",
}
"""All clients of the bench have one address: limits of a client are lifted."""
_ALONE = """
import sys, time
from pathlib import Path
from service.reading import Referee
from service.settings import Settings
referee = Referee.opened(Settings())
photos = [Path(name).read_bytes() for name in sys.argv[2:]]
for photo in photos * 3:
    referee.answer("photo.jpg", photo).model_dump_json()
count, start = 0, time.perf_counter()
while time.perf_counter() < start + float(sys.argv[1]):
    referee.answer("photo.jpg", photos[count % len(photos)]).model_dump_json()
    count += 1
print(count / (time.perf_counter() - start))
"""


def _share(values: Sequence[float], share: float) -> float:
    return float(np.quantile(values, share)) if values else float("nan")


def _alone(seconds: float) -> float:
    """Return how many photos a second the pipeline reads without a service, in a process of its own."""
    command = [sys.executable, "-c", _ALONE, str(seconds), *map(str, _PHOTOS)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True, cwd=_ROOT).stdout)


async def _photos(server: Server, clients: int, seconds: float) -> tuple[float, list[float], int]:
    """Return photos a second, the seconds that each took, and how many were lost, with so many clients at once."""
    photos = [path.read_bytes() for path in _PHOTOS]
    took: list[float] = []
    lost = 0

    async def ask(number: int, end: float) -> None:
        nonlocal lost
        async with httpx.AsyncClient(base_url=server.address, timeout=60) as client:
            while time.perf_counter() < end:
                start = time.perf_counter()
                part = ("photo.jpg", photos[number % len(photos)], "image/jpeg")
                answer = await client.post("/api/v1/photos", files={"photo": part})
                lost += answer.status_code != 200
                took.append(time.perf_counter() - start)
                number += 1

    await asyncio.gather(*(ask(number, time.perf_counter() + 2.0) for number in range(clients)))
    took.clear()
    start = time.perf_counter()
    await asyncio.gather(*(ask(number, start + seconds) for number in range(clients)))
    return len(took) / (time.perf_counter() - start), took, lost


async def _open_tables(client: httpx.AsyncClient, count: int, **more: object) -> list[Data]:
    """Open tables of classic whose players may ask how many SETs there are, with twelve cards dealt."""
    setup = {"game": "classic", "players": ["Ann", "Ben"], "options": {"hints": "count"}, **more}
    return [(await client.post("/api/v1/tables", json=setup)).raise_for_status().json() for _ in range(count)]


async def _hear(
    server: Server, table: Data, what: str, key: str, heard: Callable[[ClientConnection, Data], Awaitable[None]]
) -> None:
    address = f"{server.sockets}/api/v1/tables/{table['id']}/{what}"
    async with connect(address, max_size=2**22, compression=None) as socket:
        await socket.send(json.dumps({"type": "hello", "key": key}))
        async for text in socket:
            message = json.loads(text)
            if message["type"] == "ping":
                pong = {"type": "pong", "number": message["number"], "at": time.monotonic()}
                await socket.send(json.dumps(pong))
            await heard(socket, message)


async def _tables(server: Server, seconds: float) -> str:
    """Return how fast events reach everybody at many tables."""
    sent: dict[tuple[str, int], float] = {}
    delays: list[float] = []
    asked: list[float] = []
    greeted = 0

    async with httpx.AsyncClient(base_url=server.address, timeout=60) as client:
        tables = await _open_tables(client, _TABLES)

        def hearer(table: Data) -> Callable[[ClientConnection, Data], Awaitable[None]]:
            async def heard(_socket: ClientConnection, message: Data) -> None:
                nonlocal greeted
                greeted += message["type"] == "hello"
                if message["type"] == "entry":
                    began = sent.get((table["id"], message["entry"]["number"]))
                    if began is not None:
                        delays.append(time.perf_counter() - began)

            return heard

        def listen(table: Data) -> list[asyncio.Task[None]]:
            keys = table["keys"]
            five = (keys["host"], *keys["players"].values(), keys["spectator"], keys["spectator"])
            return [asyncio.create_task(_hear(server, table, "socket", key, hearer(table))) for key in five]

        listeners = []
        for table in tables:
            listeners += listen(table)
            await asyncio.sleep(0.01)
        while greeted < _TABLES * _SOCKETS:
            await asyncio.sleep(0.1)

        async def play(table: Data, due: float) -> None:
            """Tell events at times that are set beforehand, whatever became of those before."""
            path = f"/api/v1/tables/{table['id']}/events"
            headers = {"Authorization": f"Bearer {table['keys']['players']['Ann']}"}
            body = {"type": "asked", "player": "Ann", "level": "count"}
            for number in range(1, round(seconds / _PAUSE) + 1):
                await asyncio.sleep(max(0.0, due - time.perf_counter()))
                sent[table["id"], number] = began = time.perf_counter()
                (await client.post(path, json=body, headers=headers)).raise_for_status()
                asked.append(time.perf_counter() - began)
                due += _PAUSE

        start = time.perf_counter() + 1.0
        dues = [start + _PAUSE * number / _TABLES for number in range(_TABLES)]
        await asyncio.gather(*(play(table, due) for table, due in zip(tables, dues, strict=True)))
        await asyncio.sleep(1.0)
        for listener in listeners:
            listener.cancel()
    wanted = len(asked) * _SOCKETS
    return (
        f"tables    {_TABLES} with {_SOCKETS} sockets, {_TABLES / _PAUSE:.0f} events a second: "
        f"heard after {_share(delays, 0.5) * 1000:.0f} ms (median), {_share(delays, 0.99) * 1000:.0f} ms (p99), "
        f"{max(delays) * 1000:.0f} ms (most); acknowledged after {_share(asked, 0.99) * 1000:.0f} ms (p99); "
        f"{len(delays)} of {wanted} delivered"
    )


def _frame(number: int) -> bytes:
    """Return a 1280 x 720 JPEG of a table that lies still, but for the noise of a camera."""
    picture = cv2.imread(str(_PHOTOS[0]))
    if picture is None:
        raise FileNotFoundError(_PHOTOS[0])
    noise = np.random.default_rng(number).integers(-4, 5, (720, 1280, 3))
    picture = np.clip(cv2.resize(picture, (1280, 720)).astype(int) + noise, 0, 255).astype(np.uint8)
    return bytes(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 80])[1].tobytes())


async def _cameras(server: Server, seconds: float) -> str:
    """Return how many pictures of many cameras are looked at."""
    frames = [_frame(number) for number in range(8)]
    seen: list[float] = []
    rates: dict[str, float] = {}
    skipped = 0

    async def film(table: Data, start: float) -> None:
        last = 0.0

        async def heard(_socket: ClientConnection, message: Data) -> None:
            nonlocal skipped
            if message["type"] == "rate":
                rates[table["id"]] = message["fps"]
            elif message["type"] == "skipped":
                skipped += message["frames"]
            elif message["type"] == "seen" and time.perf_counter() > start:
                seen.append(time.perf_counter() - last)

        address = f"{server.sockets}/api/v1/tables/{table['id']}/camera"
        async with connect(address, max_size=2**22, compression=None) as socket:
            await socket.send(json.dumps({"type": "hello", "key": table["keys"]["camera"]}))

            async def listen() -> None:
                async for text in socket:
                    message = json.loads(text)
                    if message["type"] == "ping":
                        pong = {"type": "pong", "number": message["number"], "at": time.monotonic()}
                        await socket.send(json.dumps(pong))
                    await heard(socket, message)

            listener = asyncio.create_task(listen())
            number = 0
            while time.perf_counter() < start + seconds:
                last = time.perf_counter()
                await socket.send(frames[number % len(frames)])
                number += 1
                await asyncio.sleep(1 / rates.get(table["id"], 2.0))
            listener.cancel()

    async with httpx.AsyncClient(base_url=server.address, timeout=60) as client:
        tables = await _open_tables(client, _CAMERAS)
        start = time.perf_counter() + 8.0
        await asyncio.gather(*(film(table, start) for table in tables))
        left = (await client.get("/healthz")).status_code == 200
    return (
        f"cameras   {_CAMERAS} at {_share(list(rates.values()), 0.5):.1f} pictures a second granted: "
        f"{len(seen) / seconds:.0f} looked at a second, {_share(seen, 0.5) * 1000:.0f} ms (median) and "
        f"{_share(seen, 0.95) * 1000:.0f} ms (p95) from picture to answer; {skipped} skipped; "
        f"{'' if left else 'NOT '}in health"
    )


def _show_photos(folder: Path, seconds: float) -> None:
    """Print how fast photos are read; the pipeline alone is measured before and after each, for times drift."""
    before = _alone(seconds)
    for clients in (1, 4, 16):
        with running(folder, _MANY) as server:
            rate, took, lost = asyncio.run(_photos(server, clients, seconds))
        after = _alone(seconds)
        print(
            f"photos    {clients:2d} clients {rate:.1f} a second, p95 {_share(took, 0.95) * 1000:.0f} ms, {lost} lost; "
            f"the pipeline alone {before:.1f} before and {after:.1f} after: {2 * rate / (before + after):.2f} of it",
            flush=True,
        )
        before = after


def main(arguments: list[str] | None = None) -> int:
    """Print one line a measure."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("what", nargs="*", default=["photos", "tables", "cameras"])
    parser.add_argument("--seconds", type=float, default=20.0)
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        if "photos" in asked.what:
            _show_photos(Path(folder), asked.seconds)
        for name, measure in (("tables", _tables), ("cameras", _cameras)):
            if name in asked.what:
                with running(Path(folder), _MANY) as server:
                    print(asyncio.run(measure(server, asked.seconds)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
