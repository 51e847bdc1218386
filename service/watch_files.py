"""What a live game leaves behind: its record, line by line, and its video with everything drawn on it."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import median
from types import TracebackType
from typing import TYPE_CHECKING, Self, TextIO

from service.errors import TargetError
from service.files import check_target

if TYPE_CHECKING:
    import cv2

    from vision.types import Image

__all__ = ["RecordFile", "VideoConfig", "VideoFile", "check_apart", "check_new"]

_CODES = {".mp4": "mp4v", ".avi": "MJPG"}
"""Ending of a video's name -> the four letters of what is written: what OpenCV has everywhere."""


def check_new(path: str, force: bool) -> None:
    """Check that a file may be written at ``path``, and that none lies there unless ``force`` is given.

    :raises TargetError: otherwise.
    """
    check_target(path)
    if Path(path).exists() and not force:
        raise TargetError(path, "it is there already; give --force to write over it")


def check_apart(outputs: Mapping[str, str | None], inputs: Mapping[str, str | None]) -> None:
    """Check that no file that is written is one that is read, or that is written too; --force is no leave for that.

    Both map what a path is called, such as "--board", to the path; None where there is none.

    :raises TargetError: otherwise.
    """
    taken = {name: path for name, path in inputs.items() if path is not None}
    for name, path in outputs.items():
        if path is None:
            continue
        for other, its in taken.items():
            if _is_same(path, its):
                raise TargetError(path, f"{name} and {other} are the same file; give {name} another name")
        taken[name] = path


def _is_same(path: str, other: str) -> bool:
    try:
        return os.path.samefile(path, other)
    except (OSError, ValueError):  # one is not there yet, or is no file at all: a camera, a stream
        return "://" not in other and os.path.realpath(path) == os.path.realpath(other)


class RecordFile:
    """A record that grows line by line; what was written is there whatever comes. One without lines is removed."""

    def __init__(self, path: str) -> None:
        """Begin the file anew.

        :raises TargetError: it cannot be written.
        """
        self.path = path
        self._empty = True
        try:
            self._file: TextIO = open(path, "w", encoding="utf-8", newline="\n")  # noqa: SIM115
        except OSError as error:
            raise TargetError(path, error.strerror or "it cannot be opened") from None

    def write(self, line: str) -> None:
        """Write ``line`` and see that it reaches the file.

        :raises TargetError: it cannot be written, for want of space perhaps.
        """
        self._empty = False
        try:
            self._file.write(line + "\n")
            self._file.flush()
        except OSError as error:
            raise TargetError(self.path, error.strerror or "it cannot be written") from None

    def restart(self) -> None:
        """Begin anew: what was written is gone.

        :raises TargetError: the file cannot be emptied, as it is a pipe perhaps.
        """
        try:
            self._file.seek(0)
            self._file.truncate()
        except OSError as error:
            raise TargetError(self.path, error.strerror or "it cannot be emptied") from None
        self._empty = True

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
        if self._empty:
            with suppress(OSError):
                os.remove(self.path)  # the game was never known


@dataclass(frozen=True)
class VideoConfig:
    """The rate of a video is that of its first ``sample`` pictures, within ``rates`` a second; ``usual`` for fewer than
    two. A pause of more than ``longest`` seconds is left out.
    """

    sample: int = 12
    rates: tuple[float, float] = (1.0, 60.0)
    usual: float = 15.0
    longest: float = 60.0


class VideoFile:
    """A video of pictures with times: of one rate, and true to the times, for which pictures are repeated or dropped.

    The first pictures are held until the rate is known. Its size is that of the first one; later ones are fitted in.
    Nothing is written before the first picture.
    """

    def __init__(self, path: str, config: VideoConfig | None = None) -> None:
        """Begin the file anew.

        :raises TargetError: its ending is none that can be written, or the file cannot be.
        """
        self.path, self.config = path, config or VideoConfig()
        self._code = _CODES.get(Path(path).suffix.lower())
        if self._code is None:
            raise TargetError(path, f"its name should end in {' or '.join(_CODES)}")
        try:
            Path(path).write_bytes(b"")
        except OSError as error:
            raise TargetError(path, error.strerror or "it cannot be opened") from None
        self._held: deque[tuple[Image, float]] = deque()
        self._writer: cv2.VideoWriter | None = None
        self._size = (0, 0)
        self._rate = self.config.usual
        self._start = self._last = 0.0
        self._written = 0
        self._pending: Image | None = None

    @property
    def pictures(self) -> int:
        """How many pictures the file has so far."""
        return self._written

    def add(self, image: Image, time: float) -> None:
        """Take a (height, width, 3) uint8 BGR picture of ``time`` seconds, which is not before the last one.

        :raises TargetError: the file cannot be written.
        """
        if self._writer is None:
            self._held.append((image, time))
            if len(self._held) >= self.config.sample:
                self._begin()
            return
        self._put(image, time)

    def _begin(self) -> None:
        """Open the file now that the rate is known, and write what was held."""
        import cv2

        times = [time for _, time in self._held]
        steps = [after - before for before, after in pairwise(times) if after > before]
        least, most = self.config.rates
        rate = 1 / median(steps) if steps else self.config.usual
        self._rate = float(min(max(least, round(rate, 2)), most))
        height, width = self._held[0][0].shape[:2]
        self._size = (width, height)
        self._start = self._last = times[0]
        code = cv2.VideoWriter.fourcc(*(self._code or ""))
        self._writer = cv2.VideoWriter(self.path, cv2.CAP_FFMPEG, code, self._rate, self._size)
        if not self._writer.isOpened():
            raise TargetError(self.path, "no video of this size can be written here")
        while self._held:
            self._put(*self._held.popleft())

    def _put(self, image: Image, time: float) -> None:
        """Write the picture before this one as often as the time between them asks for."""
        time = max(time, self._last)
        if time - self._last > self.config.longest:
            self._start += time - self._last - self.config.longest
        self._last = time
        due = round((time - self._start) * self._rate)
        if self._pending is not None:
            self._fill(due)
        self._pending = image

    def _fill(self, due: int) -> None:
        fitted = None
        while self._written < due and self._writer is not None and self._pending is not None:
            fitted = _fitted(self._pending, self._size) if fitted is None else fitted
            self._writer.write(fitted)
            self._written += 1

    def close(self) -> None:
        """Write what is still held, and close the file."""
        if self._writer is None and self._held:
            self._begin()
        if self._pending is not None:
            self._fill(self._written + 1)
        self._pending = None
        if self._writer is not None:
            self._writer.release()
        elif not self._written:
            Path(self.path).unlink(missing_ok=True)  # not a single picture came

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _fitted(image: Image, size: tuple[int, int]) -> Image:
    """The picture in a frame of ``size``, its sides in proportion, the rest black."""
    import cv2
    import numpy as np

    height, width = image.shape[:2]
    if (width, height) == size:
        return image
    scale = min(size[0] / width, size[1] / height)
    small = (max(1, round(width * scale)), max(1, round(height * scale)))
    frame = np.zeros((size[1], size[0], 3), np.uint8)
    x, y = (size[0] - small[0]) // 2, (size[1] - small[1]) // 2
    frame[y : y + small[1], x : x + small[0]] = cv2.resize(image, small, interpolation=cv2.INTER_AREA)
    return frame
