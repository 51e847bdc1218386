"""Work on pictures in processes of its own: nothing that strangers send is decoded in the main process."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from service.settings import Settings
from service.upload import Parts
from service.workers import lane
from service.workers.errors import TooManyCamerasError, WorkerError
from service.workers.lane import Lane, Plan
from service.workers.moments import unpacked
from service.workers.nouns import Answered, Camera, Correction, Sight, Work
from service.workers.worker import OpensReferee, OpensTracker, shared_tracker, shipped_referee

__all__ = ["ProcessVision"]


class ProcessVision:
    """``Settings.workers`` processes, each with its own models; uploads go to the least busy one.

    A camera stays with one process until it is forgotten, for there its tracker is. What takes too long is ended with
    its process, which is replaced; what waited behind it is worked on in the new one. Each may use all cores: with as
    many processes as cores that is as quick as one core each, and quicker while only one has work.
    """

    def __init__(
        self,
        settings: Settings,
        open_referee: OpensReferee = shipped_referee,
        open_tracker: OpensTracker = shared_tracker,
    ) -> None:
        """Start no process yet."""
        plan = Plan(settings, open_referee, open_tracker)
        self._settings = settings
        self._lanes = tuple(Lane(plan) for _ in range(settings.workers))
        self._free = asyncio.Semaphore(settings.workers)
        self._cameras: dict[str, Lane] = {}

    async def start(self) -> None:
        """See :class:`service.workers.nouns.Vision`."""
        await asyncio.gather(*(one.run(lane.ready) for one in self._lanes))

    async def close(self) -> None:
        """See :class:`service.workers.nouns.Vision`."""
        self._cameras.clear()
        await asyncio.gather(*(one.close() for one in self._lanes))

    async def answer(self, work: Work, parts: Parts) -> Answered:
        """See :class:`service.workers.nouns.Vision`."""
        async with self._free:
            chosen = min(self._lanes, key=lambda one: one.jobs)
            return await chosen.run(lane.answer, work, parts, seconds=self._settings.picture_seconds)

    async def see(self, camera: Camera, jpeg: bytes, time: float, corrections: Sequence[Correction] = ()) -> Sight:
        """See :class:`service.workers.nouns.Vision`."""
        chosen = self._lane_of(camera.id)
        seconds = self._settings.picture_seconds
        return unpacked(await chosen.run(lane.see, camera, jpeg, time, tuple(corrections), seconds=seconds))

    def _lane_of(self, camera: str) -> Lane:
        """Return the process of a camera: for a new one that with the fewest."""
        if camera not in self._cameras:
            if len(self._cameras) >= self._settings.max_cameras:
                raise TooManyCamerasError(self._settings.max_cameras)
            given = list(self._cameras.values())
            self._cameras[camera] = min(self._lanes, key=given.count)
        return self._cameras[camera]

    async def forget(self, camera: str) -> None:
        """See :class:`service.workers.nouns.Vision`."""
        chosen = self._cameras.pop(camera, None)
        if chosen is not None:
            with suppress(WorkerError):  # the process has ended, and all that it knew
                await chosen.run(lane.forget, camera, seconds=self._settings.picture_seconds)
