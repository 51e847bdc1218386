"""Work on pictures in threads of this process: for a reader that is given, and for tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from anyio import CapacityLimiter, to_thread

from service.settings import Settings
from service.upload import Parts
from service.workers.errors import TooManyCamerasError
from service.workers.nouns import Answered, Camera, Correction, Sight, Work
from service.workers.worker import OpensReferee, OpensTracker, Worker, shared_tracker, shipped_referee

__all__ = ["LocalVision"]

T = TypeVar("T")


class LocalVision:
    """Has no time limits, and what breaks it breaks the service: no place for what strangers send."""

    def __init__(
        self,
        settings: Settings,
        open_referee: OpensReferee = shipped_referee,
        open_tracker: OpensTracker = shared_tracker,
    ) -> None:
        """Open nothing yet."""
        self._settings = settings
        self._open_referee, self._open_tracker = open_referee, open_tracker
        self._cameras: set[str] = set()
        self._worker: Worker | None = None
        self._threads = CapacityLimiter(settings.workers)
        self._eye = CapacityLimiter(1)

    async def start(self) -> None:
        """See :class:`service.workers.nouns.Vision`."""
        if self._worker is None:
            referee = await to_thread.run_sync(self._open_referee, self._settings)
            self._worker = Worker(referee, self._settings, self._open_tracker)

    async def close(self) -> None:
        """See :class:`service.workers.nouns.Vision`."""
        self._worker = None
        self._cameras.clear()

    @property
    def worker(self) -> Worker:
        """The worker.

        :raises RuntimeError: it has not started, or is closed.
        """
        if self._worker is None:
            raise RuntimeError("vision has not started")
        return self._worker

    async def answer(self, work: Work, parts: Parts) -> Answered:
        """See :class:`service.workers.nouns.Vision`."""
        return await self._run(partial(self.worker.answer, work, parts), self._threads)

    async def see(self, camera: Camera, jpeg: bytes, time: float, corrections: Sequence[Correction] = ()) -> Sight:
        """See :class:`service.workers.nouns.Vision`."""
        if camera.id not in self._cameras and len(self._cameras) >= self._settings.max_cameras:
            raise TooManyCamerasError(self._settings.max_cameras)
        self._cameras.add(camera.id)
        return await self._run(partial(self.worker.see, camera, jpeg, time, tuple(corrections)), self._eye)

    async def forget(self, camera: str) -> None:
        """See :class:`service.workers.nouns.Vision`."""
        self._cameras.discard(camera)
        await self._run(partial(self.worker.forget, camera), self._eye)

    async def _run(self, work: Callable[[], T], limiter: CapacityLimiter) -> T:
        return await to_thread.run_sync(work, limiter=limiter)
