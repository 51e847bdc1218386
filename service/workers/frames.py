"""The pictures of a camera: refused before they are decoded, and shrunk to stills."""

from __future__ import annotations

from dataclasses import dataclass

from service.errors import one_line
from service.settings import Settings
from service.stills import small_jpeg
from service.workers.errors import FrameError
from vision.load import Limits, LoadError, load
from vision.types import Image

__all__ = ["StillConfig", "Stills", "picture_of"]

_START = b"\xff\xd8\xff"
_START_OF_SCAN = b"\xff\xda"
_MOST_SCANS = 32
"""A progressive JPEG of a camera or a phone has ten; hundreds on one picture only keep the reader busy."""


def picture_of(jpeg: bytes, settings: Settings) -> Image:
    """Return the (height, width, 3) uint8 BGR picture of a camera.

    :raises FrameError: it is no JPEG, has too many bytes, pixels or scans, or a part is missing or damaged.
    """
    if len(jpeg) > settings.frame_bytes:
        raise FrameError(f"the picture has {len(jpeg):,} bytes: at most {settings.frame_bytes:,} of a camera")
    if not jpeg.startswith(_START):
        raise FrameError("the picture of a camera has to be a JPEG")
    if (scans := jpeg.count(_START_OF_SCAN)) > _MOST_SCANS:
        raise FrameError(f"the picture has {scans} scans: at most {_MOST_SCANS} of a camera")
    try:
        loaded = load(jpeg, Limits(settings.frame_bytes, settings.frame_pixels))
    except LoadError as error:
        raise FrameError(one_line(error)) from error
    if loaded.warnings:
        raise FrameError(loaded.warnings[0])
    return loaded.image


@dataclass(frozen=True)
class StillConfig:
    """A still every ``pause`` seconds at the most, ``width`` pixels wide, as JPEG of ``quality`` (0..100)."""

    pause: float = 0.2
    width: int = 480
    quality: int = 70


class Stills:
    """Makes stills of the pictures of one camera, not of all of them."""

    def __init__(self, config: StillConfig | None = None) -> None:
        self._config = config or StillConfig()
        self._last: float | None = None

    def of(self, image: Image, time: float) -> bytes | None:
        """Return a small JPEG of a BGR picture at ``time`` seconds, if it is time for one."""
        if self._last is not None and self._last <= time < self._last + self._config.pause:
            return None
        self._last = time
        return small_jpeg(image, self._config.width, self._config.quality)
