"""Tables without a game, for the sockets: what is told and taken is up to the test."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from fastapi import FastAPI

from engine.hints import HintLevel
from engine.labels import Language
from service.api import camera, live, sockets, streams
from service.api.conversation import Patience, patience
from service.api.examples import STATE
from service.errors import ServiceError
from service.game import Game
from service.hub import (
    CameraSession,
    Changed,
    ClientClock,
    Close,
    Closing,
    Message,
    MessageKind,
    Subscription,
    TableState,
    Visitor,
)
from service.hub.errors import BadKeyError, FullError, NotAllowedError
from service.hub.subscription import Queue
from service.refusals import add_refusals
from service.settings import Settings
from service.store import Entry, NoTableError, Role

__all__ = ["FakeHub", "FakeSession", "app_with"]

HELD = TableState.model_validate(dict(STATE))


@dataclass
class Time:
    """Seconds that pass when the test says so."""

    now: float = 100.0

    def __call__(self) -> float:
        """Return them."""
        return self.now


class FakeCamera(Queue):
    """Keeps the pictures that come."""

    def __init__(self, time: Time) -> None:
        super().__init__()
        self.clock = ClientClock(time)
        self.frames: list[tuple[bytes, float | None]] = []
        self.closed = False
        self.say(MessageKind.RATE, '{"fps": 5.0, "width": 1280, "bytes": 1500000}')

    def say(self, kind: MessageKind, data: str) -> None:
        """Tell the camera something."""
        self._add(Message(kind, data))

    def frame(self, jpeg: bytes, at: float | None = None) -> None:
        """Take a picture; one that is ``bad`` is told to be so."""
        self.frames.append((jpeg, at))
        if jpeg.startswith(b"bad"):
            self.say(MessageKind.ERROR, '{"code": "bad-frame", "text": "no JPEG"}')
        else:
            seen = '{"time": 1.5, "scene": "still", "settled": true, "advice": null, "size": [4, 3], "pieces": []}'
            self.say(MessageKind.SEEN, seen)

    def close(self) -> None:
        """End it."""
        self.closed = True
        self.end(None)


@dataclass
class FakeSession:
    """A table whose journal is a list."""

    id: str = "table"
    time: Time = field(default_factory=Time)
    told: list[Entry] = field(default_factory=list)
    streams: list[Subscription] = field(default_factory=list)
    cameras: list[FakeCamera] = field(default_factory=list)
    taken: list[tuple[str, Any]] = field(default_factory=list)
    refusal: ServiceError | None = None
    room: int = 10

    event_types: tuple[str, ...] = ("dealt", "called")

    @property
    def now(self) -> float:
        """The time of the table."""
        return self.time.now

    @property
    def last(self) -> int:
        """The newest entry."""
        return len(self.told)

    async def journal(self, after: int, limit: int) -> tuple[Entry, ...]:
        """Return what was told."""
        return tuple(self.told[after : after + limit])

    def state_message(self) -> Message:
        """Return how it stands."""
        return Message(MessageKind.STATE, HELD.model_dump_json())

    async def state(self, visitor: Visitor) -> TableState:
        """Return how it stands."""
        return HELD

    def tell(self, text: str) -> Entry:
        """Add an entry to the journal, and tell it."""
        entry = Entry(
            self.last + 1, f'{{"at": "2026-01-06T19:04:31.250Z", "kind": "message", "t": 1, "text": "{text}"}}', None
        )
        self.told.append(entry)
        message = Message(MessageKind.ENTRY, f'{{"number": {entry.number}, {entry.told[1:]}', entry.number)
        for stream in self.streams:
            stream.tell([message, self.state_message()])
        return entry

    def end(self, closing: Closing) -> None:
        """End all that follow it."""
        for stream in tuple(self.streams):
            stream.end(closing)

    def subscribe(self, visitor: Visitor, after: int | None = None, *, seen: bool = False) -> Subscription:
        """Follow it."""
        if visitor.role not in (Role.HOST, Role.PLAYER, Role.SPECTATOR):
            raise NotAllowedError(visitor.role, ["host", "player", "spectator"])
        if len(self.streams) >= self.room:
            raise FullError("sockets", self.room)
        clock = ClientClock(self.time)
        stream = Subscription(
            self, clock, after, key_id=visitor.key_id, player=visitor.player, seen=seen, left=self.streams.remove
        )
        self.streams.append(stream)
        return stream

    def camera(self, visitor: Visitor) -> CameraSession:
        """Let a camera look."""
        self.cameras.append(FakeCamera(self.time))
        return cast(CameraSession, self.cameras[-1])

    async def put(self, visitor: Visitor, event: Mapping[str, Any], *, expected: int | None = None) -> Changed:
        """Take an event."""
        return self._taken("event", dict(event))

    async def call(
        self, visitor: Visitor, *, player: str | None = None, at: float | None = None, clock: ClientClock | None = None
    ) -> Changed:
        """Take a call."""
        return self._taken("call", (player or visitor.player, at, clock.measured if clock else None))

    def _taken(self, kind: str, what: Any) -> Changed:
        self.taken.append((kind, what))
        if self.refusal is not None:
            raise self.refusal
        return Changed((self.tell(kind),), HELD)


@dataclass
class FakeHub:
    """One table, which keys open that are named after their roles."""

    session: FakeSession = field(default_factory=FakeSession)
    lives: list[tuple[Any, ...]] = field(default_factory=list)

    async def enter(self, table: str, key: str) -> Visitor:
        """Let in whoever has a key."""
        if table != self.session.id:
            raise NoTableError(table)
        if key not in list(Role):
            raise BadKeyError
        player = "Ann" if key == Role.PLAYER else None
        return Visitor(cast(Any, self.session), f"{key}-1", Role(key), player)

    async def close(self) -> None:
        """End all that follow it."""
        for stream in (*self.session.streams, *self.session.cameras):
            stream.end(Closing(Close.RESTART, "the service stops"))

    def live(
        self, game: Game, board: Any = None, language: Language = Language.ENGLISH, hints: HintLevel | None = None
    ) -> CameraSession:
        """Let a camera look."""
        self.lives.append((game, board, language, hints))
        return self.session.camera(cast(Any, None))


def app_with(hub: FakeHub, settings: Settings | None = None, waits: Patience | None = None) -> FastAPI:
    """Return the sockets and streams alone, above ``hub``."""
    app = FastAPI()
    app.state.settings, app.state.hub, app.state.onlookers = settings or Settings(), hub, live.onlookers()
    for part in (sockets, camera, live, streams):
        app.include_router(part.router)
    add_refusals(app)
    app.dependency_overrides[patience] = lambda: waits or Patience(pings=(0.0,))
    return app
