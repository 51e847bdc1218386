"""Vision without pictures: each picture is a number, and the script says what lies there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from service.upload import Parts
from service.workers import Answered, Camera, Correction, FrameError, Sight, Work
from tests.fake_moments import moment
from vision.tracks import Moment

Script = Callable[[int, float], Moment]
"""What picture number n, at that time, shows."""


def nothing(number: int, time: float) -> Moment:
    """An empty table."""
    return moment(time, ())


def picture(number: int) -> bytes:
    """The picture of that number."""
    return str(number).encode()


@dataclass
class Looked:
    """One picture that was looked at."""

    camera: str
    number: int
    time: float
    corrections: tuple[Correction, ...]


@dataclass
class FakeVision:
    """Looks at pictures as the ``script`` says; ``gate``, if it is set up, holds each look until it is opened."""

    script: Script = nothing
    ms: float = 100.0
    error: Exception | None = None
    gate: asyncio.Event | None = None
    still: bytes | None = None
    looked: list[Looked] = field(default_factory=list)
    forgotten: list[str] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0
    _known: set[str] = field(default_factory=set)

    async def start(self) -> None:
        """Nothing has to be opened."""

    async def close(self) -> None:
        """Nothing has to be closed."""

    async def answer(self, work: Work, parts: Parts) -> Answered:
        """No upload can be worked on."""
        raise NotImplementedError

    async def see(self, camera: Camera, jpeg: bytes, time: float, corrections: Sequence[Correction] = ()) -> Sight:
        """Return what the script says of a picture."""
        if not jpeg.isdigit():
            raise FrameError("this is no JPEG")
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            if self.gate is not None:
                await self.gate.wait()
        finally:
            self.at_once -= 1
        if self.error is not None:
            raise self.error
        self.looked.append(Looked(camera.id, int(jpeg), time, tuple(corrections)))
        fresh = camera.id not in self._known
        self._known.add(camera.id)
        return Sight(self.script(int(jpeg), time), self.still, self.ms, fresh)

    async def forget(self, camera: str) -> None:
        """Note that a camera has gone."""
        self.forgotten.append(camera)
