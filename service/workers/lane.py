"""A process that works on pictures, seen from the main process: what it breaks is mended, what it holds up is ended."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache, partial
from multiprocessing import get_context, parent_process, resource_tracker
from typing import Any, TypeVar

from anyio import to_thread
from pebble import ProcessExpired, ProcessPool

from service.errors import ServiceError
from service.settings import Settings
from service.upload import Parts
from service.workers.errors import BrokenError, TooSlowError
from service.workers.moments import PackedSight, packed
from service.workers.nouns import Answered, Camera, Correction, Work
from service.workers.outcome import Outcome, outcome_of, value_of
from service.workers.worker import OpensReferee, OpensTracker, Worker
from vision.types import VisionError

__all__ = ["Lane", "Plan", "answer", "forget", "ready", "see"]

T = TypeVar("T")
_TRIES = 2
"""So often a job is given to a process, where one broke before it had begun with it."""


@dataclass(frozen=True)
class Plan:
    """How a worker process is set up. It has ``slack`` seconds more for a job than that may take, to be replaced in."""

    settings: Settings
    open_referee: OpensReferee
    open_tracker: OpensTracker
    slack: float = 20.0


# In the worker process.


@cache
def _worker_of(plan: Plan) -> Worker:
    """Return the one worker of this process, opened when it is first asked for."""
    return Worker(plan.open_referee(plan.settings), plan.settings, plan.open_tracker)


def _begin(plan: Plan) -> None:
    """Prepare a worker process: it ends with its parent, and its models are open before the first picture comes."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with suppress(ServiceError, VisionError):  # the first job tells why
        _worker_of(plan)


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def ready(plan: Plan) -> None:
    """Do nothing, once the models are open."""
    _worker_of(plan)


def answer(plan: Plan, work: Work, parts: Parts) -> Answered:
    """Answer an upload."""
    return _worker_of(plan).answer(work, parts)


def see(plan: Plan, camera: Camera, jpeg: bytes, time: float, corrections: Sequence[Correction]) -> PackedSight:
    """Look at a picture of a camera."""
    return packed(_worker_of(plan).see(camera, jpeg, time, corrections))


def forget(plan: Plan, camera: str) -> None:
    """Drop the tracker of a camera."""
    _worker_of(plan).forget(camera)


# In the main process.


class Lane:
    """One worker process and the jobs that wait for it; used from one event loop."""

    def __init__(self, plan: Plan) -> None:
        """Start no process yet."""
        self._plan = plan
        self._pool: ProcessPool | None = None
        self._pending: set[asyncio.Future[Any]] = set()
        self._given_up: asyncio.Future[Any]
        """Made with each pool; done once its process takes no jobs."""
        self._endings: list[asyncio.Future[None]] = []
        self._is_closed = False

    @property
    def jobs(self) -> int:
        """How many jobs wait or are worked on."""
        return len(self._pending)

    async def run(self, job: Callable[..., T], *arguments: object, seconds: int | None = None) -> T:
        """Return what the ``job`` above makes of the ``arguments``, in the process; ``seconds`` is its time limit.

        :raises TooSlowError: it took longer, and the process has been ended.
        :raises BrokenError: it has ended the process, or the lane is closed.
        :raises ServiceError: or VisionError, it is refused.
        :raises FaultError: a fault of ours.
        """
        return value_of(await self._done(partial(job, self._plan, *arguments), seconds))

    async def _done(self, job: Callable[[], T], seconds: int | None) -> Outcome[T]:
        for _ in range(_TRIES):
            try:
                future, given_up = self._scheduled(job, seconds), self._given_up
                most = None if seconds is None else self.jobs * (seconds + self._plan.slack)
                # To wait leaves a job alone whose client goes: to end it would be to end the process, and its trackers.
                done, _ = await asyncio.wait({future, given_up}, timeout=most, return_when=asyncio.FIRST_COMPLETED)
                if future.done():
                    return future.result()
                if not done:
                    self._begin_anew()
                    raise TimeoutError
            except TimeoutError:
                raise TooSlowError(seconds or 0) from None
            except ProcessExpired:
                break
            except RuntimeError:  # the process ended before it had begun
                continue
        raise BrokenError

    def _scheduled(self, job: Callable[[], T], seconds: int | None) -> asyncio.Future[Outcome[T]]:
        """Give a job to the process; there is a new one where the old one ended while it had nothing to do.

        :raises RuntimeError: it has just ended, or the lane is closed.
        """
        future = asyncio.wrap_future(self._open_pool().schedule(outcome_of, (job,), timeout=seconds))
        self._pending.add(future)
        future.add_done_callback(self._is_done)
        return future

    def _is_done(self, future: asyncio.Future[Any]) -> None:
        self._pending.discard(future)
        if not future.cancelled():
            future.exception()  # which, where the client has gone, nobody else looks at

    def _open_pool(self) -> ProcessPool:
        if self._is_closed:
            raise RuntimeError("the lane is closed")
        if self._pool is None or not self._pool.active:
            self._given_up = asyncio.get_running_loop().create_future()
            self._pool = ProcessPool(1, initializer=_begin, initargs=(self._plan,), context=get_context("spawn"))
            with _interrupts_kept_away():
                self._pool.schedule(outcome_of, (partial(ready, self._plan),))  # the first job starts the process
        return self._pool

    def _begin_anew(self) -> None:
        """Leave a process that does not even take jobs to its end; what waits for it goes to a new one."""
        pool, self._pool = self._pool, None
        self._pending.clear()
        self._given_up.set_result(None)
        if pool is not None:
            self._endings.append(asyncio.get_running_loop().run_in_executor(None, _end, pool))

    async def close(self) -> None:
        """End the process, whatever it does; what has not been done by then is refused."""
        self._is_closed = True
        if self._pool is not None:
            await to_thread.run_sync(_end, self._pool)
        await asyncio.gather(*self._endings, return_exceptions=True)
        for future in tuple(self._pending):
            future.cancel()


def _end(pool: ProcessPool) -> None:
    pool.stop()  # type: ignore[no-untyped-call]
    pool.join()


@contextmanager
def _interrupts_kept_away() -> Iterator[None]:
    """Let processes that are started in here, or by threads that are, never see Ctrl-C: the main process ends them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # which else is started inside, and lifts the mask
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
