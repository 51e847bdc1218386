"""From the bytes of a picture file to an upright image.

Everything that can be refused is refused from the file's header, before any pixel is decoded. What a file holds is
told by its first bytes alone, never by its name. The EXIF orientation is applied exactly once.
"""

from __future__ import annotations

import io
import os
import struct
import threading
import warnings
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import simplejpeg
from PIL import (
    BmpImagePlugin,
    GifImagePlugin,
    ImageFile,
    JpegImagePlugin,
    PngImagePlugin,
    TiffImagePlugin,
    WebPImagePlugin,
)
from PIL import Image as Pillow

from vision.formats import (
    LEAST_SHARE,
    LEAST_SIDE,
    DamagedError,
    EmptyFileError,
    JpegMarkers,
    LoadError,
    NotAPictureError,
    TooManyBytesError,
    TooManyPixelsError,
    TooSmallError,
    TruncatedError,
    UnsupportedFormatError,
    jpeg_markers,
    kind_of,
    percent,
)
from vision.types import Image

__all__ = [
    "DamagedError",
    "EmptyFileError",
    "Limits",
    "LoadError",
    "Loaded",
    "NotAPictureError",
    "TooManyBytesError",
    "TooManyPixelsError",
    "TooSmallError",
    "TruncatedError",
    "UnsupportedFormatError",
    "load",
]

_LARGE = 3000
"""A picture whose longer side has this many pixels or more is read at a half, a quarter or an eighth."""

_BROKEN = (OSError, SyntaxError, ValueError, TypeError, KeyError, IndexError, EOFError, OverflowError)
_BROKEN_FILE = (*_BROKEN, struct.error, zlib.error, MemoryError, RuntimeError, Pillow.DecompressionBombError)
_ORIENTATION = 0x0112
_ODD = "this kind of TIFF"
_quiet_lock = threading.RLock()


@dataclass(frozen=True, eq=False)
class _Decoded:
    """Pixels as the file stores them, the EXIF orientation, the share in 0..1 that was read, and why not all."""

    pixels: npt.NDArray[Any]
    orientation: int
    share: float
    damaged: bool = False


class _OddTiffError(Exception):
    """A TIFF with an intact header whose kind of pixels Pillow does not know."""


@dataclass(frozen=True)
class Limits:
    """The most that is read: bytes of the file, and pixels by its header."""

    max_bytes: int = 64 * 2**20
    max_pixels: int = 100_000_000


@dataclass(frozen=True, eq=False)
class Loaded:
    """A picture, upright.

    ``image`` is (height, width, 3) uint8 BGR and the caller's to keep; ``size`` is the (width, height) of the whole
    upright picture; ``scale`` is pixels of ``image`` per pixel of the whole picture (1, 1/2, 1/4 or 1/8):
    ``quad.scaled(1 / scale)`` leads from ``image`` to the whole picture. ``warnings`` are sentences for people.
    """

    image: Image
    size: tuple[int, int]
    scale: float
    warnings: tuple[str, ...] = ()


def load(data: bytes, limits: Limits | None = None) -> Loaded:
    """Return the picture in ``data``, the bytes of a JPEG, PNG, WebP, BMP, TIFF, GIF or HEIC file.

    :raises LoadError: one of its kinds, whose text says in one line what is wrong and what to do.
    """
    allowed = limits or Limits()
    if not data:
        raise EmptyFileError
    if len(data) > allowed.max_bytes:
        raise TooManyBytesError(len(data), allowed.max_bytes)
    kind = kind_of(data)
    if kind == "HEIC":
        return _load_heif(data, allowed)
    try:
        return _load_pillow(data, kind, allowed)
    except _OddTiffError:
        return _load_odd_tiff(data, allowed)


_OPENERS: dict[str, Callable[[io.BytesIO], ImageFile.ImageFile]] = {
    "JPEG": JpegImagePlugin.JpegImageFile,
    "PNG": PngImagePlugin.PngImageFile,
    "WebP": WebPImagePlugin.WebPImageFile,
    "BMP": BmpImagePlugin.BmpImageFile,
    "TIFF": TiffImagePlugin.TiffImageFile,
    "GIF": GifImagePlugin.GifImageFile,
}


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep what Pillow warns of to ourselves; one thread at a time, for the filters are the process's."""
    with _quiet_lock, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@contextmanager
def _mute() -> Iterator[None]:
    """Send to nowhere what libtiff writes straight to the standard error of the process."""
    with _quiet():
        try:
            kept = os.dup(2)
        except OSError:  # there is no standard error
            yield
            return
        nowhere = os.open(os.devnull, os.O_WRONLY)
        try:
            os.dup2(nowhere, 2)
            yield
        finally:
            os.dup2(kept, 2)
            os.close(kept)
            os.close(nowhere)


def _check_size(size: tuple[int, int], limits: Limits) -> None:
    if size[0] * size[1] > limits.max_pixels:
        raise TooManyPixelsError(size, limits.max_pixels)
    if min(size) < LEAST_SIDE:
        raise TooSmallError(size)


def _load_pillow(data: bytes, kind: str, limits: Limits) -> Loaded:
    picture = _open(data, kind)
    size = picture.size
    _check_size(size, limits)
    notes = _frames_note(picture)
    factor = _factor(size)
    decoded = _decode_jpeg(data, picture, factor) if kind == "JPEG" else _decode(picture, kind, factor)
    return _finish(decoded.pixels, size, factor, decoded.orientation, (*notes, *_share_note(decoded, kind)))


def _share_note(decoded: _Decoded, kind: str) -> tuple[str, ...]:
    """Say that a part is missing; refuse a picture of which too little is there."""
    share, whole = decoded.share, decoded.share >= 1 and not decoded.damaged
    if share < LEAST_SHARE:
        raise DamagedError(kind) if decoded.damaged else TruncatedError(share)
    fault = "damaged" if decoded.damaged else "cut short"
    return () if whole else (f"the file is {fault}: about {percent(min(share, 0.99))} % of its picture could be read",)


def _open(data: bytes, kind: str) -> ImageFile.ImageFile:
    """Read the header; nothing is decoded."""
    try:
        with _quiet():
            picture = _OPENERS[kind](io.BytesIO(data))
            if kind == "TIFF":
                _refuse_raw(picture)
            return picture
    except LoadError:
        raise
    except _BROKEN_FILE as error:
        if kind == "TIFF" and "unknown pixel mode" in str(error):
            raise _OddTiffError from error
        raise DamagedError(kind) from error


def _refuse_raw(picture: Any) -> None:
    """A TIFF whose first picture is a DNG or only a thumbnail is a camera's RAW file."""
    if 50706 in picture.tag_v2 or picture.tag_v2.get(254) == 1:
        raise UnsupportedFormatError("a camera's RAW file")


def _load_odd_tiff(data: bytes, limits: Limits) -> Loaded:
    """Read a TIFF of floating-point colours, which OpenCV knows; refuse every other that Pillow does not know."""
    try:
        size, floats = _odd_tiff(data)
    except _BROKEN_FILE as error:
        raise UnsupportedFormatError(_ODD) from error
    _check_size(size, limits)
    if not floats:
        raise UnsupportedFormatError(_ODD)
    try:
        with _mute():
            pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    except cv2.error as error:
        raise UnsupportedFormatError(_ODD) from error
    if pixels is None or pixels.ndim != 3 or pixels.shape[1::-1] != size:
        raise UnsupportedFormatError(_ODD)
    return _finish(_deep(pixels[:, :, :3]), size, _factor(size), 1, ())


def _odd_tiff(data: bytes) -> tuple[tuple[int, int], bool]:
    """The (width, height) of a TIFF, and whether it holds three or four channels of floating-point numbers."""
    file = io.BytesIO(data)
    fields: Any = TiffImagePlugin.ImageFileDirectory_v2(file.read(8))
    file.seek(fields.next)
    with _quiet():
        fields.load(file)
    depths = tuple(fields.get(258, ()))
    return (int(fields[256]), int(fields[257])), fields.get(339, (0,))[0] == 3 and len(depths) in (3, 4)


def _frames_note(picture: ImageFile.ImageFile) -> tuple[str, ...]:
    try:
        with _quiet():
            several = bool(getattr(picture, "is_animated", False))
    except _BROKEN_FILE:
        return ()
    return ("the file holds several pictures: only the first is read",) if several else ()


def _factor(size: tuple[int, int]) -> int:
    """By how much to shrink: 1, 2, 4 or 8."""
    return next((factor for factor in (1, 2, 4) if max(size) < _LARGE * factor), 8)


def _decode(picture: ImageFile.ImageFile, kind: str, factor: int) -> _Decoded:
    """Decode the whole picture, or as far as it goes; most kinds of pixels come shrunk by ``factor``."""
    share = 1.0
    if not _complete(picture, kind):
        share = _share(picture, kind)
        picture.tile = []  # what was decoded stays; Pillow is not to try again
    return _decoded(picture, kind, share, factor=factor)


def _decoded(picture: ImageFile.ImageFile, kind: str, share: float, damaged: bool = False, factor: int = 1) -> _Decoded:
    try:
        with _quiet():
            return _Decoded(_eight_bits(picture, factor), _orientation(picture, kind), share, damaged)
    except _BROKEN_FILE as error:
        raise DamagedError(kind) from error


def _decode_jpeg(data: bytes, picture: ImageFile.ImageFile, factor: int) -> _Decoded:
    """Decode a JPEG whose header is ``picture``, shrunk by ``factor``."""
    markers = jpeg_markers(data)
    pixels = None if markers.damaged else _faultless(data, picture, factor)
    if pixels is None:
        return _faulty(data, markers, factor)
    return _Decoded(pixels, _orientation(picture, "JPEG"), 1.0)


def _faultless(data: bytes, picture: ImageFile.ImageFile, factor: int) -> npt.NDArray[np.uint8] | None:
    """(h, w, 3) uint8 BGR of a JPEG in which libjpeg finds no fault at all, without the copies that Pillow makes.

    None for any other, and for one that is neither grey nor of three colours.
    """
    if picture.mode not in ("L", "RGB"):
        return None
    width, height = _shrunk(picture.size, factor)
    try:
        pixels = simplejpeg.decode_jpeg(data, "BGR", min_width=width, min_height=height, min_factor=factor, strict=True)
    except _BROKEN_FILE:
        return None
    wanted = tuple(-(-side // factor) for side in picture.size[::-1])
    return np.asarray(pixels, np.uint8) if pixels.shape == (*wanted, 3) else None


def _faulty(data: bytes, markers: JpegMarkers, factor: int) -> _Decoded:
    """Decode a JPEG as far as it goes, also behind a place that is damaged."""
    picture, whole = _jpeg(markers.data, factor)
    progressive = bool(picture.info.get("progressive"))
    share, damaged = 1.0, markers.damaged
    if not whole:
        share = _progressive_share(data) if progressive else _share(picture, "JPEG")
        # With an end marker, what is missing comes out grey.
        ended, whole = _jpeg(markers.data + b"\xff\xd9", factor) if share >= LEAST_SHARE else (picture, True)
        if not whole and progressive:
            raise DamagedError("JPEG")
        picture, damaged = ended if whole else picture, damaged or not whole
    picture.tile = []  # what was decoded stays; Pillow is not to try again
    decoded = _decoded(picture, "JPEG", min(share, 1 - markers.lost), damaged)
    return decoded if progressive or share < 1 else _ended_early(decoded, markers, factor)


def _jpeg(data: bytes, factor: int) -> tuple[ImageFile.ImageFile, bool]:
    """Open and decode a JPEG; whether that came to its end."""
    picture = _open(data, "JPEG")
    picture.draft(None, _shrunk(picture.size, factor))
    return picture, _complete(picture, "JPEG")


def _ended_early(decoded: _Decoded, markers: JpegMarkers, factor: int) -> _Decoded:
    """Tell damage by which the coded pixels end before the picture does: its rest is then of an even middle grey.

    Where that grey is the picture's own, more coded pixels before the end marker change nothing.
    """
    if (decoded.pixels[-1, -1] != 128).any():
        return decoded
    more = bytes(range(1, 200)) * 8
    picture, whole = _jpeg(markers.data[: markers.end] + more + b"\xff\xd9", factor)
    if not whole or np.array_equal(_decoded(picture, "JPEG", 1.0).pixels, decoded.pixels):
        return decoded
    rows = (decoded.pixels != 128).reshape(len(decoded.pixels), -1).any(axis=1)
    share = (int(np.flatnonzero(rows)[-1]) + 1) / len(rows) if rows.any() else 0.0
    return replace(decoded, share=min(share, decoded.share), damaged=True)


def _complete(picture: ImageFile.ImageFile, kind: str) -> bool:
    try:
        if kind == "JPEG":
            picture.load()  # warns of nothing, so that several threads may decode
        else:
            with _mute() if kind == "TIFF" else _quiet():
                picture.load()
    except _BROKEN_FILE as error:
        if kind == "WebP" or isinstance(error, MemoryError):
            raise DamagedError(kind) from error
        return False
    return True


def _share(picture: ImageFile.ImageFile, kind: str) -> float:
    """How much of the picture was decoded, in 0..1 (below 1): what was not is still zero."""
    picture.tile = []
    try:
        with _quiet():
            pixels = np.asarray(picture)
    except _BROKEN_FILE as error:
        raise DamagedError(kind) from error
    seen = pixels != 0 if pixels.ndim == 2 else (pixels != 0).any(axis=2)
    share = float(seen.mean() if picture.info.get("interlace") else seen.any(axis=1).mean())
    return min(share, 0.999)


def _progressive_share(data: bytes) -> float:
    """Estimate how much of a progressive JPEG is there.

    Its scans refine the whole picture. The one that brings the fine structure of the brightness starts after about
    22 % of the bytes (17 to 30 % of photos saved at qualities 75 and 92); without its start less than that is there.
    """
    at = 2
    while (at := data.find(b"\xff\xda", at)) >= 0:
        count = data[at + 4] if at + 4 < len(data) else 0
        fields = data[at + 5 : at + 8 + 2 * count]
        if len(fields) == 2 * count + 3 and count == 1 and fields[0] in (0, 1) and fields[3] == 63:
            return min(0.999, 0.22 * len(data) / at) + 0.03
        at += 2
    return 0.2


def _shrunk(size: tuple[int, int], factor: int) -> tuple[int, int]:
    return (size[0] // factor, size[1] // factor)


def _orientation(picture: ImageFile.ImageFile, kind: str) -> int:
    """The EXIF orientation 1..8; 1 when there is none, or none that can be read."""
    if kind == "TIFF":
        return 1  # Pillow has turned it
    raw = picture.info.get("exif")
    if not isinstance(raw, bytes):
        return 1
    try:
        with _quiet():
            exif = Pillow.Exif()
            exif.load(raw)
            value = exif.get(_ORIENTATION, 1)
    except _BROKEN_FILE:
        return 1
    return value if isinstance(value, int) and 1 <= value <= 8 else 1


def _eight_bits(picture: Pillow.Image, factor: int = 1) -> npt.NDArray[Any]:
    """(h, w, 3) uint8 BGR, or (h, w) uint8 grey; what is transparent lies on white.

    Plain colours are shrunk by ``factor`` before anything else, which saves copies of the whole picture.
    """
    if picture.mode.startswith(("I", "F")):
        return _deep(np.asarray(picture))
    if picture.mode in ("1", "L"):
        return np.asarray(picture.convert("L"))
    if picture.mode in ("LA", "La", "PA", "RGBA", "RGBa") or "transparency" in picture.info:
        return _on_white(np.asarray(picture.convert("RGBA")))
    colour = picture if picture.mode == "RGB" else picture.convert("RGB")
    if factor > 1:
        width, height = _shrunk(colour.size, factor)
        colour = colour.reduce(factor, (0, 0, width * factor, height * factor))
    return np.asarray(cv2.cvtColor(np.asarray(colour), cv2.COLOR_RGB2BGR))


def _deep(pixels: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """Eight bits of 16, or of more or of fractions: then what is brightest becomes white."""
    values = np.nan_to_num(pixels.astype(np.float32))
    sixteen = pixels.dtype.itemsize == 2 or (pixels.dtype.kind == "i" and 255 < values.max() <= 65535)
    most = 65535.0 if sixteen else max(float(values.max()), 1e-9)
    return np.asarray(np.clip(values * (255 / most) + 0.5, 0, 255), np.uint8)


def _on_white(pixels: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    colour = cv2.cvtColor(pixels, cv2.COLOR_RGBA2BGR)
    if int(pixels[:, :, 3].min()) == 255:
        return np.asarray(colour, np.uint8)
    alpha = pixels[:, :, 3:].astype(np.uint16)
    return np.asarray((colour * alpha + 255 * (255 - alpha) + 127) // 255, np.uint8)


def _finish(
    pixels: npt.NDArray[Any], size: tuple[int, int], factor: int, orientation: int, notes: tuple[str, ...]
) -> Loaded:
    """Shrink what is not yet, make it colour, and turn it upright."""
    if factor > 1 and pixels.shape[1] == size[0]:
        pixels = _shrink(pixels, factor)
    if pixels.ndim == 2:
        pixels = cv2.cvtColor(pixels, cv2.COLOR_GRAY2BGR)
    upright = np.ascontiguousarray(_turn(pixels, orientation), np.uint8)
    upright = upright if upright.flags.writeable else upright.copy()
    return Loaded(upright, size if orientation < 5 else size[::-1], 1 / factor, notes)


def _shrink(pixels: npt.NDArray[Any], factor: int) -> npt.NDArray[Any]:
    """Average squares of ``factor`` pixels; a rest at the right and at the bottom is dropped."""
    width, height = _shrunk((pixels.shape[1], pixels.shape[0]), factor)
    if not width or not height:
        return pixels
    whole = pixels[: height * factor, : width * factor]
    return np.asarray(cv2.resize(whole, (width, height), interpolation=cv2.INTER_AREA))


def _turn(pixels: npt.NDArray[Any], orientation: int) -> npt.NDArray[Any]:
    """Undo the EXIF ``orientation``: 5 to 8 are transposed, then each is one of four flips."""
    turned = cv2.transpose(pixels) if orientation >= 5 else pixels
    flip = {2: 1, 3: -1, 4: 0, 6: 1, 7: -1, 8: 0}.get(orientation)
    if flip is None:
        return np.asarray(turned)
    in_place = turned if turned is not pixels else None  # new memory costs more than the turning
    return np.asarray(cv2.flip(turned, flip, in_place))


def _load_heif(data: bytes, limits: Limits) -> Loaded:
    """Read the main picture of a HEIF file; its decoder has already turned it upright."""
    import pillow_heif

    try:
        container = pillow_heif.open_heif(io.BytesIO(data), convert_hdr_to_8bit=True)
        size = (int(container.size[0]), int(container.size[1]))
        _check_size(size, limits)
        pixels = _eight_bits(container.to_pillow(), _factor(size))
    except LoadError:
        raise
    except _BROKEN_FILE as error:
        raise DamagedError("HEIC") from error
    return _finish(pixels, size, _factor(size), 1, ())
