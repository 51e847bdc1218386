"""OpenCV's cameras, streams and video files, opened with care, and their pictures made BGR.

OpenCV and FFmpeg write their own words to the standard error of the process; they are kept quiet, for what went wrong
is told in one sentence here, and theirs may hold what is not to be shown.
"""

from __future__ import annotations

import math
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import SplitResult, urlsplit

import cv2
import numpy as np
import numpy.typing as npt

from vision.shots import SourceConfig, SourceMissingError, SourceNameError, SourceOpenError
from vision.types import Image

__all__ = [
    "Capture",
    "CaptureFactory",
    "bgr_image",
    "cameras",
    "is_usable",
    "natural_key",
    "open_camera",
    "open_stream",
    "open_video",
    "shown_url",
]

_SCHEMES = ("rtsp", "rtsps", "http", "https")
_DEVICES = Path("/dev")
_START = 4096
_WANTED = "give an MP4, MOV, MKV, WebM or AVI file"
_CAMERA_BACKENDS = {"linux": cv2.CAP_V4L2, "darwin": cv2.CAP_AVFOUNDATION, "win32": cv2.CAP_DSHOW}


class Capture(Protocol):
    """What a source needs of :class:`cv2.VideoCapture`."""

    def read(self) -> tuple[bool, npt.NDArray[Any] | None]:
        """Return whether there was a picture, and the picture: (h, w) grey, (h, w, 3) BGR or (h, w, 4) BGRA, uint8."""

    def release(self) -> None:
        """Let go of the camera, stream or file."""

    def get(self, propId: int, /) -> float:  # noqa: N803
        """Return a property, one of ``cv2.CAP_PROP_…``; 0 or less when it is not known."""


CaptureFactory = Callable[[], Capture]
"""Opens a capture, or raises a :class:`vision.shots.SourceError`."""


def is_usable(image: npt.NDArray[Any] | None) -> bool:
    """Whether what was read is a picture at all: uint8, and grey, BGR or BGRA."""
    if image is None or image.dtype != np.uint8 or not image.size:
        return False
    return image.ndim == 2 or (image.ndim == 3 and image.shape[2] in (1, 3, 4))


def bgr_image(image: npt.NDArray[Any], most: int) -> Image:
    """Return a usable picture as (height, width, 3) uint8 BGR, shrunk to ``most`` pixels where it has more."""
    height, width = image.shape[:2]
    if height * width > most:
        scale = math.sqrt(most / (height * width))
        size = (max(1, int(width * scale)), max(1, int(height * scale)))
        image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA))
    if image.ndim == 2 or image.shape[2] == 1:
        return np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR), np.uint8)
    if image.shape[2] == 4:
        return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGRA2BGR), np.uint8)
    return np.ascontiguousarray(image, np.uint8)


def natural_key(name: str) -> tuple[list[tuple[int, str]], str]:
    """Sort by this for the order that people expect: "2.jpg" before "10.jpg".

    >>> sorted(["10.jpg", "b2", "2.jpg", "B1"], key=natural_key)
    ['2.jpg', '10.jpg', 'B1', 'b2']
    """
    parts = re.split(r"([0-9]+)", name.casefold())
    return [(int(part), "") if part[:1].isdecimal() and part.isascii() else (-1, part) for part in parts], name


def cameras(folder: Path = _DEVICES) -> tuple[str, ...]:
    """Return the numbers of the cameras that Linux lists in ``folder`` as "video0" and so on; empty elsewhere."""
    found = [path.name.removeprefix("video") for path in folder.glob("video*")]
    return tuple(sorted((number for number in found if re.fullmatch(r"[0-9]{1,4}", number)), key=int))


def open_camera(camera: int | Path, config: SourceConfig, folder: Path = _DEVICES) -> Capture:
    """Open a camera by its number or the path of its device.

    :raises SourceMissingError: there is no such camera.
    :raises SourceOpenError: it is there, but does not open.
    """
    _hush()
    backend = _CAMERA_BACKENDS.get(sys.platform, cv2.CAP_ANY)
    device = camera if isinstance(camera, Path) else folder / f"video{camera}"
    if sys.platform == "linux":
        _check_device(device, camera, folder)
    capture = cv2.VideoCapture(camera, backend) if isinstance(camera, int) else cv2.VideoCapture(str(camera), backend)
    if not capture.isOpened():
        capture.release()
        raise SourceOpenError(f"camera {camera} does not open: is it a camera, and does no other program use it?")
    # Wishes: a camera that knows one of them not keeps its own. Without MJPG most send few large pictures a second.
    capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, config.camera_size[0])
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, config.camera_size[1])
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    return capture


def _check_device(device: Path, camera: int | Path, folder: Path) -> None:
    if not device.exists():
        known = cameras(folder)
        there = f"cameras here: {', '.join(known)}" if known else f"no camera is connected ({folder}/video* is empty)"
        raise SourceMissingError(f"camera {camera} is not there; {there}")
    if not os.access(device, os.R_OK | os.W_OK):
        raise SourceOpenError(f"camera {camera} may not be used by you: add yourself to the group that owns {device}")


def open_stream(url: str, config: SourceConfig) -> Capture:
    """Open an RTSP or HTTP stream; ``url`` must have passed :func:`shown_url`.

    :raises SourceOpenError: nobody answers, or what answers is no live stream.
    """
    _hush()
    limits = [
        cv2.CAP_PROP_OPEN_TIMEOUT_MSEC,
        int(config.open_limit * 1000),
        cv2.CAP_PROP_READ_TIMEOUT_MSEC,
        int(config.silence * 1000),
        cv2.CAP_PROP_N_THREADS,  # several threads of the decoder hold as many pictures back
        1,
    ]
    capture = cv2.VideoCapture(url, cv2.CAP_FFMPEG, limits)
    if not capture.isOpened():
        capture.release()
        raise SourceOpenError(f"{shown_url(url)} does not open: is the address right, and the camera switched on?")
    if capture.get(cv2.CAP_PROP_FRAME_COUNT) > 0:
        capture.release()
        raise SourceOpenError(f"{shown_url(url)} is a video file, not a live stream: save it and give the file")
    return capture


def shown_url(url: str) -> str:
    """Return scheme and host of a stream's address, which is all of it that is ever shown.

    :raises SourceNameError: the scheme is none of rtsp, rtsps, http and https, there is no host, or a blank is in it.
    """
    scheme = url.partition("://")[0].lower()
    if scheme not in _SCHEMES:
        got = f"; got the scheme {scheme!r}" if re.fullmatch(r"[a-z][a-z0-9+.-]{0,19}", scheme) else ""
        raise SourceNameError(f"streams are read by {', '.join(_SCHEMES)}{got}")
    if any(ord(character) <= 32 for character in url):
        raise SourceNameError(f"this {scheme} address holds a blank or a line break: write it without")
    host = _host(url)
    if not host:
        raise SourceNameError(f"this {scheme} address names no host: give {scheme}://host/path")
    return f"{scheme}://{host}"


def _host(url: str) -> str:
    """The host of ``url``; "…" where an odd password may have shifted what looks like one; empty when none is named."""
    try:
        parts: SplitResult = urlsplit(url)
        host = parts.hostname or ""
        _ = parts.port
    except ValueError:
        return "…" if "@" in url else ""
    return "…" if "@" in url.partition("://")[2][len(parts.netloc) :] else host


def open_video(path: Path) -> Capture:
    """Open a video file; it comes turned upright as its rotation says.

    :raises SourceOpenError: it is empty, or no video.
    """
    _hush()
    with path.open("rb") as file:
        start = file.read(_START)
    if not start:
        raise SourceOpenError(f"{path.name!r} is empty: copy or record the video again")
    if b"\0" not in start:  # FFmpeg draws some texts, and follows those that are lists of other files
        raise SourceOpenError(f"{path.name!r} is text, no video: {_WANTED}")
    # The absolute path, so that no name is taken for a protocol or an option.
    capture = cv2.VideoCapture(str(path.resolve()), cv2.CAP_FFMPEG)
    if not capture.isOpened():
        capture.release()
        cut = start[4:8] == b"ftyp"
        why = "is a video without its end: copy or record it again" if cut else f"is no video that is read: {_WANTED}"
        raise SourceOpenError(f"{path.name!r} {why}")
    return capture


def _hush() -> None:
    """Keep OpenCV and FFmpeg from writing to the standard error; FFmpeg only where the environment says nothing."""
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
