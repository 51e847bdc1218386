"""Video files and folders of pictures, played as fast as possible or in real time."""

from __future__ import annotations

import math
import threading
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy.typing as npt

from vision.capture import Capture, bgr_image, is_usable, natural_key
from vision.load import LoadError, load
from vision.shots import Clock, Elapsed, Notice, NoticeKind, Shot, Source, SourceConfig, SourceOpenError

__all__ = ["PlayedSource", "Raw", "Timeline", "pictures_in", "play_pictures", "play_video"]

_STEP = 0.05
"""Seconds that a wait lasts at most: a clock of its own may reach its time earlier."""

_RATES = (0.05, 480.0)
_LEAST = 0.05
"""Pictures closer together than this share of a step have times that are not to be trusted."""


@dataclass(frozen=True, eq=False)
class Raw:
    """A picture as it was read, usable but perhaps grey or large; ``time`` and ``number`` as those of its shot."""

    image: npt.NDArray[Any]
    time: float
    number: int


Items = Generator[Raw | Notice, None, None]


class Timeline:
    """The times of a video's pictures: those of the file where they can be, else one picture after another.

    Times start at 0. One that is missing, stands still or jumps backwards becomes a step after the last, by the rate
    of the file; so does a jump forwards of more than ``gap`` seconds, or one too small for that rate.
    """

    def __init__(self, rate: float, usual: float, gap: float) -> None:
        """Take the ``rate`` that the file states in pictures a second, the ``usual`` one if that is senseless."""
        sensible = math.isfinite(rate) and _RATES[0] <= rate <= _RATES[1]
        self.step = 1 / (rate if sensible else usual)
        self._gap, self._offset, self._last = max(gap, 2 * self.step), 0.0, -math.inf

    def time(self, reported: float) -> float:
        """Return the time of the next picture in seconds, of which the file says ``reported``."""
        at = reported + self._offset
        if self._last == -math.inf:
            self._offset = -reported if math.isfinite(reported) else 0.0
            self._last = 0.0
        elif not self._last + _LEAST * self.step < at <= self._last + self._gap:
            self._last += self.step
            if self._last < at < math.inf:
                self._offset += self._last - at
        else:
            self._last = at
        return self._last


def play_video(name: str, capture: Capture, config: SourceConfig) -> Items:
    """Give every picture of an open video, then a message if it ended too early; release it at the end."""
    try:
        rate, count = capture.get(cv2.CAP_PROP_FPS), capture.get(cv2.CAP_PROP_FRAME_COUNT)
        timeline = Timeline(rate, config.video_rate, config.longest_gap)
        at, number = 0.0, 0
        while True:
            there, image = _read(capture)
            if not there:
                break
            at = timeline.time(capture.get(cv2.CAP_PROP_POS_MSEC) / 1000)
            if image is not None and is_usable(image):
                yield Raw(image, at, number)
            number += 1
        if number < count * (1 - config.lost_share) - 1:
            whole = count * timeline.step
            text = f"{name} ends at {at:.1f} s of {whole:.1f} s: it is cut short or damaged; what was read counts"
            yield Notice(NoticeKind.CUT_SHORT, text, at)
    finally:
        capture.release()


def _read(capture: Capture) -> tuple[bool, npt.NDArray[Any] | None]:
    try:
        return capture.read()
    except (cv2.error, OSError, MemoryError):
        return False, None


def pictures_in(folder: Path) -> tuple[Path, ...]:
    """Return the files of a folder in natural order of their names; hidden ones and folders in it are left out.

    :raises SourceOpenError: there is none, or the folder cannot be read.
    """
    try:
        files = [path for path in folder.iterdir() if path.is_file() and not path.name.startswith(".")]
    except OSError:
        raise SourceOpenError(f"the folder {folder.name!r} cannot be read: are you allowed to?") from None
    if not files:
        raise SourceOpenError(f"the folder {folder.name!r} holds no file: put pictures there")
    return tuple(sorted(files, key=lambda path: natural_key(path.name)))


def play_pictures(paths: tuple[Path, ...], config: SourceConfig) -> Items:
    """Give the picture of each file, ``config.folder_rate`` a second; what cannot be read is told of and skipped."""
    for number, path in enumerate(paths):
        at = number / config.folder_rate
        try:
            yield Raw(_picture(path, config), at, number)
        except (LoadError, OSError) as error:
            why = str(error) if isinstance(error, LoadError) else "the file cannot be read"
            yield Notice(NoticeKind.SKIPPED, f"{path.name!r} is skipped: {why}", at)


def _picture(path: Path, config: SourceConfig) -> npt.NDArray[Any]:
    with path.open("rb") as file:
        return load(file.read(config.limits.max_bytes + 1), config.limits).image


class PlayedSource(Source):
    """A video or a folder of pictures.

    ``fast`` gives every picture as soon as it is asked for. In real time each comes when it is due, counted from the
    first :meth:`poll`; with ``skips``, of those that are already due only the newest does.
    """

    def __init__(
        self, name: str, items: Items, clock: Clock, config: SourceConfig, *, fast: bool = False, skips: bool = True
    ) -> None:
        super().__init__(name, live=False)
        self._items, self._clock, self._config = items, clock, config
        self._fast, self._skips = fast, skips and not fast
        self._pending: Raw | Notice | None = None
        self._played: Elapsed | None = None
        self._position = 0.0
        self._ended = False
        self._closing = threading.Event()
        self._reading, self._timing = threading.Lock(), threading.Lock()

    def prime(self) -> None:
        """Read the first picture already now.

        :raises SourceOpenError: there is none; the source is closed then.
        """
        self._pending = self._take()
        if not isinstance(self._pending, Raw):
            self.close()
            raise SourceOpenError(f"{self.name!r} holds no picture: give an MP4, MOV, MKV, WebM or AVI file")

    @property
    def ended(self) -> bool:
        """Whether everything was given, or it was closed."""
        return self._ended or self._closing.is_set()

    @property
    def now(self) -> float:
        """How far it was played, in seconds; ``fast``, the time of what was given last."""
        with self._timing:
            if not self._fast and self._played is not None:
                self._position = max(self._position, self._played.now())
            return self._position

    def poll(self, wait: float | None = None) -> Shot | Notice | None:
        """Return the next picture when it is due, or a message; see :meth:`vision.shots.Source.poll`."""
        if self.ended:
            return None
        with self._reading:
            item = self._due(wait)
        if self._closing.is_set():
            self.close()
            return None
        if isinstance(item, Raw):
            return Shot(bgr_image(item.image, self._config.max_pixels), item.time, item.number)
        return item

    def _due(self, wait: float | None) -> Raw | Notice | None:
        """The next item when its time has come within ``wait`` seconds; it stays pending otherwise."""
        item = self._take()
        if item is None:
            self._ended = True
            return None
        if isinstance(item, Raw) and not self._fast:
            if not self._wait_for(item.time, wait):
                self._pending = item
                return None
            item = self._newest(item) if self._skips else item
        with self._timing:
            self._position = max(self._position, item.time)
        return item

    def _take(self) -> Raw | Notice | None:
        item, self._pending = self._pending, None
        return item if item is not None else next(self._items, None)

    def _newest(self, item: Raw) -> Raw:
        """The last of the pictures that are due, which ``item`` is the first of."""
        for _ in range(self._config.most_skipped):
            following = self._take()
            if not isinstance(following, Raw) or following.time > self.now:
                self._pending = following
                break
            item = following
        return item

    def _wait_for(self, at: float, wait: float | None) -> bool:
        """Wait until the time ``at`` is played; False when ``wait`` is over or the source is closed before."""
        with self._timing:
            self._played = self._played or Elapsed(self._clock)
        waited = Elapsed(self._clock)
        while not self._closing.is_set():
            left = at - self.now
            if left <= 0:
                return True
            spare = math.inf if wait is None else wait - waited.now()
            if spare <= 0:
                return False
            self._closing.wait(min(left, spare, _STEP))
        return False

    def close(self) -> None:
        """Close the file; while another thread reads, that one does it when it has."""
        self._closing.set()
        if self._reading.acquire(timeout=self._config.close_limit):
            try:
                self._items.close()
            finally:
                self._reading.release()
