"""Cameras and videos that behave as a test tells them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.sources import (
    Notice,
    NoticeKind,
    Shot,
    Source,
    SourceConfig,
)

Picture = npt.NDArray[Any]

QUICK = SourceConfig(
    silence=0.15, open_limit=1.0, first_pause=0.02, longest_pause=0.05, misreads=2, misread_pause=0.001, close_limit=0.3
)
"""The settings with short waits."""

PATIENCE = 20.0
"""Seconds after which a test has failed: far more than any needs."""


def plain(level: int = 0, size: tuple[int, int] = (16, 12)) -> Picture:
    """A (height, width, 3) picture of one level."""
    return np.full((size[1], size[0], 3), level, np.uint8)


class FakeCapture:
    """Gives ``frames`` and then nothing; a frame may be None (a failed read), an error, or something to call first."""

    def __init__(
        self, frames: Iterable[object], rate: float = 10.0, count: float = 0.0, times: Iterable[float] = ()
    ) -> None:
        self.frames, self.times = iter(frames), iter(times)
        self.properties = {cv2.CAP_PROP_FPS: rate, cv2.CAP_PROP_FRAME_COUNT: count}
        self.released = threading.Event()

    def read(self) -> tuple[bool, Picture | None]:
        """The next of the frames."""
        assert not self.released.is_set(), "read after it was released"
        frame = next(self.frames, None)
        self.properties[cv2.CAP_PROP_POS_MSEC] = 1000 * next(self.times, 0.0)
        if callable(frame):
            frame = frame()
        if isinstance(frame, Exception):
            raise frame
        assert frame is None or isinstance(frame, np.ndarray)
        return frame is not None, frame

    def release(self) -> None:
        """Note it."""
        self.released.set()

    def get(self, propId: int, /) -> float:  # noqa: N803
        """What was set, else 0."""
        return self.properties.get(propId, 0.0)


class Camera:
    """A factory of captures: the next of ``tries`` at each opening, the last one again and again; errors are raised."""

    def __init__(self, *tries: Callable[[], FakeCapture] | Exception) -> None:
        self.tries, self.made = list(tries), list[FakeCapture]()
        self.opened = 0

    def __call__(self) -> FakeCapture:
        """Open."""
        one = self.tries[min(self.opened, len(self.tries) - 1)]
        self.opened += 1
        if isinstance(one, Exception):
            raise one
        self.made.append(one())
        return self.made[-1]


def steady(level: int = 0, pause: float = 0.002) -> FakeCapture:
    """A camera that works: a picture every ``pause`` seconds."""

    def frames() -> Iterator[Picture]:
        while True:
            time.sleep(pause)
            yield plain(level)

    return FakeCapture(frames())


def takes(source: Source, wanted: Callable[[Shot | Notice], bool]) -> list[Shot | Notice]:
    """Everything up to the first that is ``wanted``."""
    taken, until = list[Shot | Notice](), time.monotonic() + PATIENCE
    while time.monotonic() < until:
        item = source.poll(0.5)
        if item is not None:
            taken.append(item)
            if wanted(item):
                return taken
    raise AssertionError(f"not among {len(taken)}: {[item for item in taken if isinstance(item, Notice)]}")


def is_notice(kind: NoticeKind) -> Callable[[Shot | Notice], bool]:
    """Whether an item is a notice of this kind."""
    return lambda item: isinstance(item, Notice) and item.kind is kind


def is_shot(item: Shot | Notice) -> bool:
    """Whether an item is a picture."""
    return isinstance(item, Shot)


def shots(items: Iterable[Shot | Notice]) -> list[Shot]:
    """The pictures among them."""
    return [item for item in items if isinstance(item, Shot)]


def notices(items: Iterable[Shot | Notice]) -> list[Notice]:
    """The messages among them."""
    return [item for item in items if isinstance(item, Notice)]


def video(path: Path, count: int = 20, fourcc: str = "mp4v", rate: float = 10.0) -> Path:
    """Write a video of 64 x 48 whose pictures become brighter, red at their top left."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*fourcc), rate, (64, 48))
    assert writer.isOpened()
    for number in range(count):
        frame = plain(6 * number, (64, 48))
        frame[:16, :16] = (0, 0, 255)
        writer.write(frame)
    writer.release()
    return path
