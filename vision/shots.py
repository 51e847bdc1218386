"""The nouns of a live picture: one picture with its time, a message, and a source that gives both.

Convention: times are seconds from the start of the source, and never go backwards within one source.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from types import TracebackType
from typing import Self

from vision.load import Limits
from vision.types import Image, VisionError

__all__ = [
    "Clock",
    "Elapsed",
    "Notice",
    "NoticeKind",
    "Shot",
    "Source",
    "SourceConfig",
    "SourceError",
    "SourceMissingError",
    "SourceNameError",
    "SourceOpenError",
]

Clock = Callable[[], float]
"""Gives the seconds since some moment, as :func:`time.monotonic` does."""


class SourceError(VisionError):
    """The family of everything that keeps a source from being opened; one line says what is wrong and what to do."""


class SourceNameError(SourceError, ValueError):
    """What was given names no source."""


class SourceMissingError(SourceError, FileNotFoundError):
    """The file or the camera named is not there."""


class SourceOpenError(SourceError, OSError):
    """The source is there, but gives no pictures."""


class NoticeKind(StrEnum):
    """What a message is about."""

    GONE = "gone"
    BACK = "back"
    SKIPPED = "skipped"
    CUT_SHORT = "cut short"


@dataclass(frozen=True)
class Notice:
    """One line for people about the source itself, at ``time`` seconds; a ``GONE`` holds until the next ``BACK``."""

    kind: NoticeKind
    text: str
    time: float


@dataclass(frozen=True, eq=False)
class Shot:
    """One picture of a source.

    ``image`` is (height, width, 3) uint8 BGR, upright and the consumer's to keep; its size may change from one to the
    next. ``time`` is in seconds. ``number`` counts from 0 also what was skipped, so that a gap tells of it.
    """

    image: Image
    time: float
    number: int


@dataclass(frozen=True)
class SourceConfig:
    """How sources behave; seconds, unless something else is said.

    A live source is told to be silent after ``silence`` without a picture, and has ``open_limit`` to send the first.
    It is opened again after ``first_pause``, which doubles up to ``longest_pause``; ``most_stuck`` connections that do
    not return are waited for at the same time. ``misreads`` failed reads in a row, ``misread_pause`` apart, are an
    end. ``close_limit`` is the longest that closing waits. Videos: ``video_rate`` pictures a second where a file says
    nothing sensible, up to ``longest_gap`` between two pictures, up to ``most_skipped`` pictures skipped in a row to
    catch up, ``lost_share`` of the pictures may be missing at the end without a word. Folders: ``folder_rate`` pictures
    a second, read within ``limits``. Pictures of more than ``max_pixels`` are shrunk. Cameras are asked for
    ``camera_size`` (width, height).
    """

    silence: float = 3.0
    open_limit: float = 10.0
    first_pause: float = 0.5
    longest_pause: float = 5.0
    most_stuck: int = 3
    misreads: int = 5
    misread_pause: float = 0.02
    close_limit: float = 1.0
    video_rate: float = 30.0
    longest_gap: float = 10.0
    most_skipped: int = 60
    lost_share: float = 0.03
    folder_rate: float = 2.0
    limits: Limits = field(default_factory=Limits)
    max_pixels: int = 2560 * 1440
    camera_size: tuple[int, int] = (1280, 720)


class Elapsed:
    """Seconds since it was made, by a clock that may jump backwards: such a jump counts as no time at all."""

    def __init__(self, clock: Clock) -> None:
        self._clock, self._last, self._total = clock, clock(), 0.0

    def now(self) -> float:
        """Return the seconds; never fewer than the time before."""
        at = self._clock()
        self._total += max(0.0, at - self._last)
        self._last = at
        return self._total


class Source(ABC):
    """Pictures one after another, and messages between them; a context manager that closes itself.

    Iterating gives every :class:`Shot` and :class:`Notice` until the source ends or is closed; :meth:`poll` gives the
    next and can be told not to wait for long. One thread reads; any may ask for the time or close.
    """

    def __init__(self, name: str, live: bool) -> None:
        """Take the ``name`` for people, which holds no secrets, and whether it is ``live``: goes on without us."""
        self.name, self.live = name, live

    @abstractmethod
    def poll(self, wait: float | None = None) -> Shot | Notice | None:
        """Return what comes next; None when nothing came within ``wait`` seconds, or never will (``ended``).

        Without ``wait`` it waits as long as it takes.
        """

    @property
    @abstractmethod
    def ended(self) -> bool:
        """Whether nothing more will come."""

    @property
    @abstractmethod
    def now(self) -> float:
        """The time of the source at this moment in seconds: a call that arrives now has this time."""

    @abstractmethod
    def close(self) -> None:
        """Let go of camera, stream or file; never hangs, and may be done twice."""

    def __iter__(self) -> Iterator[Shot | Notice]:
        while not self.ended:
            item = self.poll()
            if item is not None:
                yield item

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
