"""Plays a whole refereed game against a running service, as phones and a camera at a table would.

    python -m datasets.render_videos --game classic --seed 1 --out films      # once: a film of a scripted game
    python examples/play_a_game.py http://127.0.0.1:8000 films/classic-0001.mp4 --record game.jsonl

One WebSocket a player calls "Set!" by a clock of its own, one more sends the pictures of the film at the rate that the
service grants, and the host looks after the table over HTTP: disputes the first judgement, corrects a card that the
camera is told to have misread (and takes it back), accepts explanations that the referee asks about, ends the game and
exports its record. One player's socket is cut in the middle and comes back. The exit status is 0 when the scores in the
exported record are those that everybody was told, and, where the film has a script beside it, those of the script.

Beside ``FILM.mp4`` lie ``FILM.calls.jsonl`` (who calls when) and ``FILM.record.jsonl`` (the game that it shows).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

Data = dict[str, Any]

_LEAD = 1.0
"""Seconds between the first picture and the start of the film, so that every clock has been measured."""
_TAIL = 3.0
"""Seconds for which the last picture is shown, so that what has changed last can settle."""


@dataclass
class Film:
    """A film of a game, with what its people do besides: calls at their times."""

    path: Path
    header: Data
    calls: list[Data]

    @classmethod
    def at(cls, path: Path) -> Film:
        """Return the film at ``path`` with the files beside it."""
        record = path.with_suffix(".record.jsonl").read_text(encoding="utf-8").splitlines()
        calls = path.with_suffix(".calls.jsonl").read_text(encoding="utf-8").splitlines()
        return cls(path, json.loads(record[0]), [json.loads(line) for line in calls if line])

    @property
    def setup(self) -> Data:
        """What a table for it is opened with."""
        board = self.header.get("board")
        if isinstance(board, dict):
            board = {"game": self.header["game"], **board}
        found = {"game": self.header["game"], "players": self.header["players"], "options": self.header["options"]}
        return found | {"name": self.path.stem, "call_limit": 5.0} | ({} if board is None else {"board": board})

    def pictures(self) -> Iterator[tuple[float, Any]]:
        """Yield (seconds, picture)."""
        video = cv2.VideoCapture(str(self.path))
        rate = video.get(cv2.CAP_PROP_FPS)
        number = 0
        while True:
            fine, picture = video.read()
            if not fine:
                return
            yield number / rate, picture
            number += 1


@dataclass
class Clock:
    """A phone's clock: steady, but nobody knows what it said when the game began."""

    skew: float = field(default_factory=lambda: random.uniform(-1e6, 1e6))  # noqa: S311

    def now(self) -> float:
        """Return what it says now, in seconds."""
        return time.monotonic() + self.skew

    def at(self, monotonic: float) -> float:
        """Return what it says, or said, at a time of this process."""
        return monotonic + self.skew


class Player:
    """A phone: its socket is always open, or on its way to be."""

    def __init__(self, address: str, key: str, name: str, talk: bool) -> None:
        self.name, self.clock = name, Clock()
        self.entries: dict[int, Data] = {}
        self.state: Data = {}
        self.error: float | None = None
        self.reconnected = 0
        self._address, self._key, self._talk = address, key, talk
        self._socket: ClientConnection | None = None

    async def play(self) -> None:
        """Listen for ever; after a cut go on from the last entry that was heard."""
        while True:
            with suppress(ConnectionClosed, OSError, TimeoutError):
                async with connect(self._address, max_size=2**20) as socket:
                    await socket.send(
                        json.dumps({"type": "hello", "key": self._key, "after": max(self.entries, default=0)})
                    )
                    self._socket = socket
                    async for text in socket:
                        await self._hear(socket, json.loads(text))
            self._socket = None
            self.reconnected += 1
            await asyncio.sleep(0.2)

    async def _hear(self, socket: ClientConnection, message: Data) -> None:
        match message["type"]:
            case "ping":
                await socket.send(json.dumps({"type": "pong", "number": message["number"], "at": self.clock.now()}))
            case "clock":
                self.error = message["error"]
            case "entry":
                entry = message["entry"]
                if entry["number"] in self.entries:
                    raise RuntimeError(
                        f"entry {entry['number']} came twice to {self.name}, who has {len(self.entries)}"
                    )
                self.entries[entry["number"]] = entry
                if self._talk:
                    print(f"{entry['t']:8.2f}  {entry['text']}")
            case "hello" | "state":
                self.state = message["state"]

    async def call(self, at: float) -> None:
        """Call "Set!": ``at`` is the time of this process at which the button was pressed."""
        while self._socket is None:
            await asyncio.sleep(0.05)
        await self._socket.send(json.dumps({"type": "call", "at": self.clock.at(at)}))

    async def cut(self) -> None:
        """Lose the connection, as a phone that goes to sleep does."""
        if self._socket is not None:
            self._socket.transport.abort()


class Camera:
    """Sends the pictures of a film in real time, as many as the service takes."""

    def __init__(self, address: str, key: str, film: Film) -> None:
        self.clock, self.sent, self.rate = Clock(), 0, 5.0
        self.started: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        self._address, self._key, self._film = address, key, film

    async def run(self) -> None:
        """Send the film once."""
        async with connect(self._address, max_size=2**20) as socket:
            await socket.send(json.dumps({"type": "hello", "key": self._key}))
            listener = asyncio.create_task(self._listen(socket))
            try:
                await self._send_all(socket)
            finally:
                listener.cancel()

    async def _listen(self, socket: ClientConnection) -> None:
        async for text in socket:
            message = json.loads(text)
            match message["type"]:
                case "ping":
                    await socket.send(json.dumps({"type": "pong", "number": message["number"], "at": self.clock.now()}))
                case "rate":
                    self.rate = message["fps"]
                case "error":
                    raise RuntimeError(message["error"]["text"])

    async def _send_all(self, socket: ClientConnection) -> None:
        start: float | None = None
        async for at, picture in self._paced():
            if start is None:
                await self._send(socket, picture)
                await asyncio.sleep(_LEAD)
                start = time.monotonic()
                self.started.set_result(start)
            await self._send(socket, picture)
            last = at, picture
        end = time.monotonic() + _TAIL
        while time.monotonic() < end:
            await self._send(socket, last[1])
            await asyncio.sleep(1 / self.rate)

    async def _paced(self) -> AsyncIterator[tuple[float, Any]]:
        """Yield the pictures of the film when their time has come, but no more than the rate allows."""
        due = 0.0
        for at, picture in self._film.pictures():
            if at < due:
                continue
            if self.started.done():
                await asyncio.sleep(max(0.0, self.started.result() + at - time.monotonic()))
            yield at, picture
            due = at + 1 / self.rate

    async def _send(self, socket: ClientConnection, picture: Any) -> None:
        at = self.clock.now()
        coded = await asyncio.to_thread(
            lambda: cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes()
        )
        await socket.send(json.dumps({"type": "frame", "at": at}))
        await socket.send(coded)
        self.sent += 1


class Host:
    """Who opened the table; everything over HTTP."""

    def __init__(self, client: httpx.AsyncClient, table: Data) -> None:
        self.disputes: list[Data] = []
        self.corrected = 0
        self._client, self._path = client, f"/api/v1/tables/{table['id']}"
        self._headers = {"Authorization": f"Bearer {table['keys']['host']}"}

    async def post(self, what: str, body: Mapping[str, Any]) -> Data:
        """Post to the table, and return the answer."""
        answer = await self._client.post(f"{self._path}/{what}", json=body, headers=self._headers)
        if answer.status_code not in (200, 201):
            raise RuntimeError(f"{what} {body}: {answer.status_code} {answer.text}")
        found: Data = answer.json()
        return found

    async def state(self) -> Data:
        """Return how the table stands."""
        answer = await self._client.get(self._path, headers=self._headers)
        found: Data = answer.raise_for_status().json()
        return found

    async def dispute(self) -> None:
        """Look back at the last call: the verdict feature by feature, and the picture of what lay there."""
        dispute = await self.post("disputes", {})
        still = dispute["stills"][dispute["place"]]["number"]
        picture = await self._client.get(
            f"{self._path}/disputes/{dispute['number']}/stills/{still}", headers=self._headers
        )
        self.disputes.append(dispute | {"bytes": len(picture.raise_for_status().content)})

    async def correct_and_take_back(self, unused: list[str]) -> None:
        """Say that a piece is another one that nobody has seen yet, and then that it was right after all."""
        state = await self.state()
        lying = [piece["name"] for piece in state["layout"] if piece["name"] != "wild"]
        if not lying or state["caller"] is not None:
            return
        await self.post("corrections", {"from": lying[0], "to": unused[0]})
        await self.post("corrections", {"from": unused[0], "to": lying[0]})
        self.corrected += 1

    async def decide(self, state: Data) -> None:
        """Accept the first explanation of what the referee asks about, or let it be."""
        oddity = state["oddity"]
        if oddity is not None:
            choice = {"candidate": 0} if oddity["choices"] else {"ignore": True}
            with suppress(RuntimeError):  # it may have resolved itself meanwhile
                await self.post("decisions", {"oddity": oddity["number"], **choice})
        if state["tie"] is not None:
            with suppress(RuntimeError):
                await self.post("decisions", {"tie": state["tie"]["players"][0]})

    async def record(self) -> str:
        """Return the record of the game."""
        answer = await self._client.get(f"{self._path}/record", headers=self._headers)
        return answer.raise_for_status().text


_CARDS = [
    f"{number} {colour} {shading} {shape}"
    for number in (1, 2, 3)
    for colour in ("red", "green", "purple")
    for shading in ("solid", "striped", "open")
    for shape in ("oval", "diamond", "squiggle")
]
_FACES = sorted({name.replace(" solid", "") for name in _CARDS if " solid" in name})


async def _look_after(host: Host, players: list[Player], deck: list[str]) -> None:
    """Dispute a judgement once, correct a piece once, cut a phone off once, and decide what is asked."""
    cut = False
    while True:
        await asyncio.sleep(0.25)
        entries = list(players[0].entries.values())
        judged = [entry for entry in entries if entry.get("type") in ("picked", "gave_up", "announced", "laid")]
        if not host.disputes and any(entry["type"] != "gave_up" for entry in judged):
            await host.dispute()
        if host.corrected == 0 and len(judged) >= 2:
            seen = {piece for entry in entries for piece in entry.get("pieces", [])}
            await host.correct_and_take_back([name for name in deck if name not in seen])
        if not cut and len(judged) >= 2:
            await players[-1].cut()
            cut = True
        if players[0].state:
            await host.decide(players[0].state)


async def _call_all(film: Film, players: Mapping[str, Player], camera: Camera) -> None:
    start = await camera.started
    for call in film.calls:
        await asyncio.sleep(max(0.0, start + call["at"] - time.monotonic()))
        await players[call["player"]].call(start + call["at"])


async def play(address: str, film: Film) -> tuple[str, list[Player], Host, Camera]:
    """Play the game of ``film`` at the service at ``address``; return its record, and who took part."""
    async with httpx.AsyncClient(base_url=address, timeout=30) as client:
        answer = await client.post("/api/v1/tables", json=film.setup)
        if answer.status_code != 201:
            raise RuntimeError(f"no table: {answer.status_code} {answer.text}")
        table = answer.json()
        host, keys = Host(client, table), table["keys"]
        sockets = f"{address.replace('http', 'ws', 1)}/api/v1/tables/{table['id']}"
        names = list(keys["players"])
        players = [Player(f"{sockets}/socket", keys["players"][name], name, name == names[0]) for name in names]
        camera = Camera(f"{sockets}/camera", keys["camera"], film)
        tasks = [asyncio.create_task(player.play()) for player in players]
        tasks.append(asyncio.create_task(_call_all(film, {player.name: player for player in players}, camera)))
        deck = _CARDS if film.header["game"] in ("classic", "ravensburger") else _FACES
        tasks.append(asyncio.create_task(_look_after(host, players, deck)))
        running = asyncio.create_task(camera.run())
        done, _ = await asyncio.wait([running, *tasks], return_when=asyncio.FIRST_COMPLETED)
        while not running.done() and all(task.exception() is None for task in done):
            tasks = [task for task in tasks if not task.done()]
            done, _ = await asyncio.wait([running, *tasks], return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
        state = await host.state()
        if state["outcome"] is None or not state["outcome"]["over"]:
            await host.post("events", {"type": "ended"})
        await asyncio.sleep(0.5)
        for task in tasks:
            task.cancel()
        return await host.record(), players, host, camera


def _scores(record: list[str]) -> dict[str, int]:
    """Return the scores of a record, refereed again from its lines alone."""
    from engine.record import read_event, read_header

    header = read_header(record[0])
    referee = header.referee()
    for number, line in enumerate(record[1:], start=2):
        referee.apply(read_event(line, header, number))
    return dict(referee.state.score)


def main(arguments: list[str] | None = None) -> int:
    """Play one game, and say how it went."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("address", help="the service, as in http://127.0.0.1:8000")
    parser.add_argument("film", type=Path, help="a film that datasets.render_videos has made")
    parser.add_argument("--record", type=Path, help="write the record of the game here")
    asked = parser.parse_args(arguments)
    film = Film.at(asked.film)
    record, players, host, camera = asyncio.run(play(asked.address.rstrip("/"), film))
    if asked.record is not None:
        asked.record.write_text(record, encoding="utf-8")
    script = asked.film.with_suffix(".record.jsonl").read_text(encoding="utf-8").splitlines()
    told = {player["name"]: player["score"] for player in players[0].state["players"]}
    again, wanted = _scores(record.splitlines()), _scores(script)
    same = len({tuple(player.entries) for player in players}) == 1
    print(
        f"{camera.sent} pictures sent; clocks known to {max(player.error or 0.0 for player in players) * 1000:.1f} ms"
    )
    print(f"{len(host.disputes)} dispute, {host.corrected} correction, {players[-1].reconnected} reconnect")
    print(f"all phones heard the same {len(players[0].entries)} entries: {'yes' if same else 'NO'}")
    print(f"told {told}, replayed {again}, in the script {wanted}")
    return 0 if told == again == wanted and same else 1


if __name__ == "__main__":
    sys.exit(main())
