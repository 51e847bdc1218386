"""What all tables of a service share: where they are kept, who looks at pictures, the time, and the room there is."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

from anyio import CapacityLimiter, to_thread

from service.hub.errors import FullError
from service.hub.invitations import Invitations
from service.hub.rates import Grants, Room
from service.metrics import Metrics
from service.settings import Settings
from service.store import Store
from service.workers import Vision

if TYPE_CHECKING:
    from service.hub.play import Play

__all__ = ["House"]

_T = TypeVar("_T")
_THREADS = 4
"""So much heavy work is done at the same time: more would only keep the event loop from its turn."""
_LOG = logging.getLogger(__name__)


class House:
    """What all tables share. Everything runs on one event loop."""

    def __init__(
        self,
        store: Store,
        vision: Vision,
        settings: Settings,
        clock: Callable[[], float],
        wall: Callable[[], float],
        metrics: Metrics,
    ) -> None:
        """``clock`` tells steady seconds, ``wall`` Unix seconds."""
        self.store, self.vision, self.settings, self.clock, self.wall = store, vision, settings, clock, wall
        self.metrics = metrics
        self.sockets = Room("sockets", settings.max_sockets)
        self.cameras = Room("cameras", settings.max_cameras)
        self.grants = Grants(settings.workers, settings.max_frame_rate)
        self.invitations = Invitations(clock)
        self._threads = CapacityLimiter(_THREADS)
        self.seen = 0
        """Pictures that were looked at since the start."""
        self.skipped = 0
        """Pictures that were not, for a newer one had come."""
        self.ticking: set[Play] = set()
        """Tables at which time matters now."""
        self.stirred = asyncio.Event()
        """Set when there is such a table."""
        self.closed = False
        """Whether the service stops."""
        self._tasks: set[asyncio.Task[Any]] = set()

    def tick(self, table: Play) -> None:
        """Let time pass at ``table``, as long as it matters there."""
        self.ticking.add(table)
        self.stirred.set()

    def take_camera(self) -> None:
        """Take the places of a camera and of its socket.

        :raises FullError: there are too many cameras or sockets.
        """
        self.cameras.take()
        try:
            self.sockets.take()
        except FullError:
            self.cameras.leave()
            raise

    def leave_camera(self) -> None:
        """Give both places back."""
        self.cameras.leave()
        self.sockets.leave()

    async def in_thread(self, work: Callable[[], _T]) -> _T:
        """Return what heavy ``work`` comes to, which is done in a thread."""
        return await to_thread.run_sync(work, limiter=self._threads)

    def spawn(self, work: Coroutine[Any, Any, _T]) -> asyncio.Task[_T]:
        """Run ``work`` beside everything else; a fault of it is logged."""
        task = self._begun(work)
        task.add_done_callback(_log_fault)
        return task

    async def whole(self, work: Coroutine[Any, Any, _T]) -> _T:
        """Run ``work`` to its end even where the one who waits for it has gone."""
        task = self._begun(work)
        task.add_done_callback(_heed)
        return await asyncio.shield(task)

    def _begun(self, work: Coroutine[Any, Any, _T]) -> asyncio.Task[_T]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def finish(self, seconds: float) -> None:
        """Wait until all work has ended, but no longer than so many ``seconds``."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self._tasks:
                    await asyncio.wait(self._tasks)


def _heed(task: asyncio.Task[Any]) -> None:
    """Take note of how ``task`` has ended, even where nobody waits for it any more."""
    if not task.cancelled():
        task.exception()


def _log_fault(task: asyncio.Task[Any]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        _LOG.error("work beside the tables has failed", exc_info=error)
