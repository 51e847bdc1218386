"""A camera that is followed: the newest picture counts, one is looked at at a time, at the rate that is granted."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from engine.editions import edition
from engine.labels import Language
from engine.tokens import Piece
from service.errors import ServiceError, code_of, one_line
from service.hub.clocks import ClientClock
from service.hub.house import House
from service.hub.messages import Close, Closing, Message, MessageKind
from service.hub.subscription import Queue
from service.workers import Camera, Sight
from vision.tracks import Moment, Track
from vision.types import VisionError

__all__ = ["CameraSession", "CameraSettings", "Watching", "seen_message"]

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """How cameras are treated.

    Pictures of ``width`` pixels are advised: larger ones tell no more of a table. A camera of which ``bad`` pictures in
    a row could not be looked at is closed. ``step``: seconds that two pictures are apart at least.
    """

    width: int = 1280
    bad: int = 3
    step: float = 0.001


@dataclass(frozen=True, slots=True)
class Watching:
    """What a camera is for: ``looked`` takes what each picture shows, ``left`` hears of its end, once."""

    looked: Callable[[Sight, Message], Awaitable[None]]
    left: Callable[[CameraSession], object]
    language: Language = Language.ENGLISH
    key_id: str | None = None
    """The key by which it has come."""
    told: Callable[[Moment], Awaitable[Mapping[str, object]]] | None = None
    """What is told of a moment besides its pieces: ``game``, whose words are used, and more."""


class CameraSession(Queue):
    """One camera; made by ``Session.camera`` or, without a table, by ``Hub.live``.

    Iterating gives what the camera is told: ``rate`` first and whenever it changes, ``seen``, ``skipped``, ``error``.
    The iteration ends when the camera does; ``closing`` then says why, None if its owner has closed it.
    """

    def __init__(
        self,
        house: House,
        camera: Camera,
        clock: ClientClock,
        watching: Watching,
        settings: CameraSettings | None = None,
    ) -> None:
        """Follow ``camera``; room for it has been taken."""
        super().__init__()
        self.clock = clock
        """The clock of this camera, for pings, pongs and the times of pictures."""
        self.camera = camera
        self._house, self._watching, self._settings = house, watching, settings or CameraSettings()
        self._frame: tuple[bytes, float] | None = None
        self._arrived = asyncio.Event()
        self._corrections: list[tuple[int, Piece]] = []
        self._then = self._next = 0.0
        self._skipped = self._bad = 0
        self._grant = house.grants.join(self._tell_rate)
        self._task = house.spawn(self._work())

    @property
    def key_id(self) -> str | None:
        """The id of the key by which it has come."""
        return self._watching.key_id

    @property
    def fps(self) -> float:
        """Pictures a second that it may send."""
        return self._grant.fps

    def _tell_rate(self, fps: float) -> None:
        rate = {"fps": fps, "width": self._settings.width, "bytes": self._house.settings.frame_bytes}
        self._add(Message(MessageKind.RATE, json.dumps(rate)))

    def frame(self, jpeg: bytes, at: float | None = None) -> None:
        """Take a picture, made at ``at`` by the camera's clock; one that still waits gives way to it.

        :raises BadTimeError: ``at`` is no number of seconds.
        """
        time, _ = self.clock.at_table(at)
        if self._frame is not None:
            self._skip()
        self._frame = jpeg, time
        self._arrived.set()

    def correct(self, corrections: Iterable[tuple[int, Piece]]) -> None:
        """Let the tracker know, before the next picture, what pieces are."""
        self._corrections += corrections

    def _skip(self) -> None:
        self._skipped += 1
        self._house.skipped += 1

    async def _work(self) -> None:
        while not self.ended:
            await self._arrived.wait()
            await asyncio.sleep(max(0.0, self._next - self._house.clock()))
            self._arrived.clear()
            if self._frame is None:
                continue
            (jpeg, time), self._frame = self._frame, None
            step = 1 / self._grant.fps
            self._next = max(self._next, self._house.clock() - step) + step  # one that is early by a little never waits
            self._then = max(time, self._then + self._settings.step)
            try:
                await self._look(jpeg, self._then)
            except Exception:
                _LOG.exception("a picture of a camera could not be looked at")
                self._failed("fault", "this picture could not be looked at")

    async def _look(self, jpeg: bytes, time: float) -> None:
        corrections = tuple(self._corrections)
        try:
            sight = await self._house.vision.see(self.camera, jpeg, time, corrections)
        except (ServiceError, VisionError) as error:
            self._failed(code_of(error), one_line(error))
            return
        del self._corrections[: len(corrections)]
        self._bad = 0
        self._house.seen += 1
        self._grant.spent(sight.ms)
        self._house.grants.share()
        told = self._watching.told
        more = {} if told is None else await told(sight.moment)
        message = seen_message(sight.moment, str(more.get("game", self.camera.game)), self._watching.language, more)
        self._add(message)
        if self._skipped:
            self._add(Message(MessageKind.SKIPPED, json.dumps({"frames": self._skipped})))
            self._skipped = 0
        try:
            await self._watching.looked(sight, message)
        except ServiceError as error:
            self._tell_error(code_of(error), one_line(error))

    def _failed(self, code: str, text: str) -> None:
        """Tell why a picture was not looked at; a camera that goes on like that is closed."""
        self._tell_error(code, text)
        self._bad += 1
        if self._bad >= self._settings.bad:
            self.end(Closing(Close.BAD_MESSAGE, f"{self._bad} pictures in a row could not be looked at"))

    def _tell_error(self, code: str, text: str) -> None:
        self._add(Message(MessageKind.ERROR, json.dumps({"code": code, "text": text}, ensure_ascii=False)))

    def end(self, closing: Closing | None) -> None:
        """End it at once; the first reason counts."""
        if not self.ended:
            super().end(closing)
            self._house.grants.leave(self._grant)
            self._watching.left(self)
            self._task.cancel()
            self._house.spawn(self._house.vision.forget(self.camera.id))

    def close(self) -> None:
        """End it: whoever has made it must do this, however it ends; twice does no harm."""
        self.end(None)


def seen_message(
    moment: Moment, game: str, language: Language, more: Mapping[str, object] = MappingProxyType({})
) -> Message:
    """Return what is told of a moment: pieces in the words of ``game``, corners in pixels of the picture, and more."""
    words = edition(game)

    def piece(track: Track) -> dict[str, object]:
        reading = track.reading
        return {
            "id": track.identity,
            "name": reading.name,
            "label": words.label(reading.piece, language),
            "confidence": round(reading.confidence, 3),
            "doubt": None if reading.doubt is None else reading.doubt.value,
            "quad": [[round(x, 1), round(y, 1)] for x, y in reading.quad.tolist()],
            "cell": None if reading.cell is None else list(reading.cell),
            "hidden": track.hidden,
        }

    found = {
        "time": round(moment.time, 3),
        "scene": moment.scene.value,
        "settled": moment.settled,
        "advice": None if moment.advice is None else moment.advice.value,
        "size": list(moment.size),
        "pieces": [piece(track) for track in moment],
        **more,
    }
    return Message(MessageKind.SEEN, json.dumps(found, ensure_ascii=False))
