"""Cameras and streams: read in a thread of their own, the newest picture wins, and what is lost is opened again.

Each connection has one thread, which alone touches its capture. One that hangs is left to itself and closes its
capture when it returns; a new connection takes its place. The consumer's own calls of ``poll`` drive all of this.
"""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from typing import Any

import cv2
import numpy.typing as npt

from vision.capture import Capture, CaptureFactory, bgr_image, is_usable
from vision.shots import (
    Clock,
    Elapsed,
    Notice,
    NoticeKind,
    Shot,
    Source,
    SourceConfig,
    SourceError,
    SourceOpenError,
)

__all__ = ["LiveSource"]

_FAULTS = (cv2.error, OSError, RuntimeError, ValueError, MemoryError)


class _Slot:
    """Where connections leave the newest picture; guarded by ``change``, which tells of everything new."""

    def __init__(self, clock: Clock) -> None:
        self.change = threading.Condition()
        self.elapsed = Elapsed(clock)
        self.count = 0
        self.newest: tuple[npt.NDArray[Any], float, int] | None = None


class _Connection(threading.Thread):
    """Opens a capture and reads it until it fails or is ``left``; its fields are guarded by the slot's ``change``."""

    def __init__(self, name: str, factory: CaptureFactory, slot: _Slot, config: SourceConfig) -> None:
        super().__init__(name=f"reads {name}", daemon=True)
        self._factory, self._slot, self._config = factory, slot, config
        self.heard = time.monotonic()
        self.opened = self.seen = self.ended = self.left = False
        self.error: SourceError | None = None

    def run(self) -> None:
        """Read until the end, whatever that is."""
        try:
            self._read_all(self._factory())
        except SourceError as error:
            self.error = error
        except _FAULTS:
            pass  # a capture that fails is one that ends
        finally:
            with self._slot.change:
                self.ended = True
                self._slot.change.notify_all()

    def _read_all(self, capture: Capture) -> None:
        try:
            with self._slot.change:
                self.opened, self.heard = True, time.monotonic()
                self._slot.change.notify_all()
            failed = 0
            while failed < self._config.misreads and not self.left:
                failed = 0 if self._read(capture) else failed + 1
                if failed:
                    time.sleep(self._config.misread_pause)
        finally:
            capture.release()

    def _read(self, capture: Capture) -> bool:
        """Read one picture into the slot; whether there was one."""
        there, image = capture.read()
        if not there or image is None or not is_usable(image):
            return False
        with self._slot.change:
            if not self.left:
                self._slot.newest = image, self._slot.elapsed.now(), self._slot.count
                self._slot.count += 1
                self.heard, self.seen = time.monotonic(), True
                self._slot.change.notify_all()
        return True

    def silent(self) -> float:
        """Seconds until this connection counts as silent; 0 or less when it does."""
        limit = self._config.silence if self.opened else self._config.open_limit
        return self.heard + limit - time.monotonic()


class LiveSource(Source):
    """A camera or a stream; it goes on until it is closed.

    Lost or silent, it says so once and is opened again after growing pauses until it is back.
    """

    def __init__(self, name: str, factory: CaptureFactory, clock: Clock, config: SourceConfig) -> None:
        """Open the source and wait for its first picture.

        :raises SourceError: the source is not there, does not open, or sends nothing within ``config.open_limit``.
        """
        super().__init__(name, live=True)
        self._factory, self._config = factory, config
        self._slot = _Slot(clock)
        self._notices: deque[Notice] = deque()
        self._stuck: list[_Connection] = []
        self._lost = self._closed = False
        self._pause, self._retry_at = config.first_pause, math.inf
        self._connection = self._connect()
        self._await_first()

    def _connect(self) -> _Connection:
        connection = _Connection(self.name, self._factory, self._slot, self._config)
        connection.start()
        return connection

    def _await_first(self) -> None:
        connection, limit = self._connection, time.monotonic() + self._config.open_limit
        with self._slot.change:
            self._slot.change.wait_for(lambda: connection.seen or connection.ended, limit - time.monotonic())
            if connection.seen:
                return
        self.close()
        if connection.error is not None:
            raise connection.error
        what = "opens, but gives no picture: does another program use it?" if connection.ended else "does not answer"
        raise SourceOpenError(f"{self.name} {what}")

    @property
    def ended(self) -> bool:
        """Whether it was closed."""
        return self._closed

    @property
    def now(self) -> float:
        """Seconds since the source was opened."""
        with self._slot.change:
            return self._slot.elapsed.now()

    def poll(self, wait: float | None = None) -> Shot | Notice | None:
        """Return the newest picture that was not yet given, or a message; see :meth:`vision.shots.Source.poll`."""
        until = math.inf if wait is None else time.monotonic() + wait
        with self._slot.change:
            while not self._closed:
                item = self._next()
                if isinstance(item, Notice):
                    return item
                if item is not None:
                    break
                left = until - time.monotonic()
                if left <= 0:
                    return None
                due = min(left, self._next_change())
                self._slot.change.wait(max(0.001, due) if due < math.inf else None)
            else:
                return None
        image, at, number = item
        return Shot(bgr_image(image, self._config.max_pixels), at, number)

    def _next(self) -> Notice | tuple[npt.NDArray[Any], float, int] | None:
        self._supervise()
        if self._notices:
            return self._notices.popleft()
        newest, self._slot.newest = self._slot.newest, None
        return newest

    def _next_change(self) -> float:
        """Seconds until something is to be done though nothing comes."""
        return self._retry_at - time.monotonic() if self._retry_at < math.inf else self._connection.silent()

    def _supervise(self) -> None:
        """See to the connection: tell of its loss and its return, and open the next when its time has come."""
        if self._retry_at < math.inf:
            if time.monotonic() >= self._retry_at:
                self._retry()
        elif self._connection.seen and self._lost:
            self._lost, self._pause = False, self._config.first_pause
            self._tell(NoticeKind.BACK, "is back")
        elif self._slot.newest is None and (self._connection.ended or self._connection.silent() <= 0):
            self._give_up()

    def _give_up(self) -> None:
        """Leave the connection, and set the time for the next."""
        ended, self._connection.left = self._connection.ended, True
        if not ended:
            self._stuck.append(self._connection)
        self._retry_at = time.monotonic() + self._pause
        self._pause = min(self._config.longest_pause, 2 * self._pause)
        if not self._lost:
            self._lost = True
            silence = f"has sent no picture for {self._config.silence:g} s"
            self._tell(NoticeKind.GONE, f"{'is gone' if ended else silence}; trying again")

    def _retry(self) -> None:
        self._stuck = [connection for connection in self._stuck if not connection.ended]
        if len(self._stuck) >= self._config.most_stuck:
            self._retry_at = time.monotonic() + self._config.longest_pause
            return
        self._retry_at = math.inf
        self._connection = self._connect()

    def _tell(self, kind: NoticeKind, what: str) -> None:
        self._notices.append(Notice(kind, f"{self.name} {what}", self._slot.elapsed.now()))

    def close(self) -> None:
        """Stop reading; a connection that hangs is left to close its capture when it returns."""
        with self._slot.change:
            self._closed = self._connection.left = True
            self._slot.newest = None
            self._slot.change.notify_all()
        self._connection.join(self._config.close_limit)
