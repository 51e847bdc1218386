"""Where pictures come from: a camera, a stream, a video file or a folder of pictures, all opened in one way."""

from __future__ import annotations

import os
import re
import time
from functools import partial
from pathlib import Path

from vision.capture import CaptureFactory, open_camera, open_stream, open_video, shown_url
from vision.live_source import LiveSource
from vision.played_source import PlayedSource, pictures_in, play_pictures, play_video
from vision.shots import (
    Clock,
    Notice,
    NoticeKind,
    Shot,
    Source,
    SourceConfig,
    SourceError,
    SourceMissingError,
    SourceNameError,
    SourceOpenError,
)

__all__ = [
    "Notice",
    "NoticeKind",
    "Shot",
    "Source",
    "SourceConfig",
    "SourceError",
    "SourceMissingError",
    "SourceNameError",
    "SourceOpenError",
    "open_source",
]

_PICTURES = (".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff", ".heic", ".heif")


def open_source(
    spec: str | int | Path,
    *,
    fast: bool = False,
    clock: Clock = time.monotonic,
    config: SourceConfig | None = None,
    capture: CaptureFactory | None = None,
) -> Source:
    """Open a source by what people type: ``spec`` is one of these.

    * the number of a camera, or the path of its device ("0", "/dev/video0");
    * the address of a stream (rtsp, rtsps, http or https; of it only scheme and host are ever shown);
    * a video file, played in real time, or ``fast``: every picture at the file's own times as soon as it is wanted;
    * a folder of pictures, or one picture: one after another at ``config.folder_rate``, or ``fast``.

    ``clock`` gives the time of live pictures and the pace of real time. ``capture`` opens what is read instead of
    OpenCV's own camera, stream or video file.

    :raises SourceNameError: ``spec`` names no source.
    :raises SourceMissingError: there is no such camera or file.
    :raises SourceOpenError: what is there gives no pictures.
    """
    settings = config or SourceConfig()
    if isinstance(spec, int):
        return _camera(spec, clock, settings, capture)
    text = str(spec).strip()
    if isinstance(spec, str) and re.fullmatch(r"-?[0-9]{1,9}", text):
        return _camera(int(text), clock, settings, capture)
    if isinstance(spec, str) and "://" in text:
        return LiveSource(shown_url(text), capture or partial(open_stream, text, settings), clock, settings)
    if not text:
        raise SourceNameError("no source is named: give a camera's number, a stream, a video file or a folder")
    if text.startswith("/dev/"):
        return LiveSource(f"camera {text}", capture or partial(open_camera, Path(text), settings), clock, settings)
    return _played(Path(spec), fast, clock, settings, capture)


def _camera(number: int, clock: Clock, config: SourceConfig, capture: CaptureFactory | None) -> Source:
    if not 0 <= number < 10_000:
        raise SourceNameError(f"cameras are numbered from 0; got {number!r}")
    return LiveSource(f"camera {number}", capture or partial(open_camera, number, config), clock, config)


def _played(path: Path, fast: bool, clock: Clock, config: SourceConfig, capture: CaptureFactory | None) -> Source:
    name = path.name or str(path)
    paths = None if capture else _pictures(path)
    if paths:
        return PlayedSource(name, play_pictures(paths, config), clock, config, fast=fast, skips=False)
    opened = (capture or partial(open_video, path))()
    source = PlayedSource(name, play_video(name, opened, config), clock, config, fast=fast)
    source.prime()
    return source


def _pictures(path: Path) -> tuple[Path, ...]:
    """The pictures that ``path`` stands for; none if it is another file."""
    name = re.sub(r"^.*:.*@", "…@", str(path))  # an address mistyped may hold a password
    try:
        if path.is_dir():
            return pictures_in(path)
        if not path.exists():
            raise SourceMissingError(f"{name!r} is not there: give a camera's number, a stream, a video or a folder")
    except SourceError:
        raise
    except (OSError, ValueError):
        raise SourceNameError(f"{name[:80]!r} cannot be looked up: give the path of a video file or a folder") from None
    if not path.is_file():
        raise SourceOpenError(f"{name!r} is neither a file nor a folder: give a video file or a folder of pictures")
    if not os.access(path, os.R_OK):
        raise SourceOpenError(f"{name!r} may not be read by you: change the permissions of the file")
    return (path,) if path.suffix.lower() in _PICTURES else ()
