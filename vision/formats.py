"""What kind of file some bytes are, told by the first of them, and the refusals of what is not read.

For a JPEG also whether the markers in it are those of an intact file.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import ClassVar

from vision.types import VisionError

__all__ = [
    "LEAST_SHARE",
    "LEAST_SIDE",
    "DamagedError",
    "EmptyFileError",
    "JpegMarkers",
    "LoadError",
    "NotAPictureError",
    "TooManyBytesError",
    "TooManyPixelsError",
    "TooSmallError",
    "TruncatedError",
    "UnsupportedFormatError",
    "jpeg_markers",
    "kind_of",
    "percent",
]

LEAST_SIDE = 16
"""Pixels that a picture must have in width and height."""

LEAST_SHARE = 0.25
"""The part of its picture that a file cut short must still hold."""

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def percent(share: float) -> int:
    """Return a ``share`` in 0..1 as a whole number of hundredths, rounded down."""
    return int(100 * share)


def _size(count: int, digits: int) -> str:
    """A number of bytes in the unit that suits it, rounded to ``digits`` places, without zeros at the end."""
    if count < 2**10:
        return f"{count:,} bytes"
    value, unit = (count / 2**10, "KiB") if count < 2**20 else (count / 2**20, "MiB")
    return f"{f'{value:,.{digits}f}'.rstrip('0').rstrip('.')} {unit}"


def _sizes_apart(first: int, second: int) -> tuple[str, str]:
    """Two numbers of bytes with as many digits as it takes to tell them apart, at last to the byte."""
    for digits in (1, 2, 3):
        texts = _size(first, digits), _size(second, digits)
        if texts[0] != texts[1]:
            return texts
    return f"{first:,} bytes", f"{second:,} bytes"


def _pixels(count: int) -> str:
    """A number of pixels in millions, or in full where that would round it."""
    return f"{count / 1e6:g} million" if count >= 10**6 and count % 10**5 == 0 else f"{count:,} pixels"


def _is_text(start: bytes) -> bool:
    try:
        text = codecs.getincrementaldecoder("utf-16" if start[:2] in _UTF_16 else "utf-8")().decode(start)
    except UnicodeDecodeError:
        return False
    return all(letter.isprintable() or letter in "\t\r\n\f\ufeff" for letter in text)


class LoadError(VisionError):
    """A file that is not read; ``code`` is a slug for programs, the text one line for people."""

    code: ClassVar[str] = "unreadable"


class EmptyFileError(LoadError, EOFError):
    """A file of no bytes."""

    code = "empty-file"

    def __init__(self) -> None:
        """Say what to do."""
        super().__init__("the file is empty: copy or send the picture again")


class NotAPictureError(LoadError, ValueError):
    """Bytes that are no picture of any known kind."""

    code = "not-a-picture"

    def __init__(self, start: bytes) -> None:
        """Say what the ``start`` of the file looks like."""
        seen = "it looks like text" if _is_text(start[:512]) else "its first bytes are those of no kind of picture"
        super().__init__(f"this is no picture: {seen}; give a JPEG, PNG, WebP, BMP, TIFF, GIF or HEIC file")


class UnsupportedFormatError(LoadError, ValueError):
    """A file of a known kind that is not read."""

    code = "unsupported-format"

    def __init__(self, kind: str) -> None:
        """Name the ``kind`` of file."""
        super().__init__(f"{kind} is not read: save the picture as JPEG or PNG")


class TooManyBytesError(LoadError, ValueError):
    """More bytes than the limit."""

    code = "too-many-bytes"

    def __init__(self, actual: int, most: int) -> None:
        """Give the ``actual`` number of bytes and the limit."""
        has, may = _sizes_apart(actual, most)
        super().__init__(f"the file has {has}, at most {may} are read: make it smaller")


class TooManyPixelsError(LoadError, ValueError):
    """More pixels than the limit, by the file's header."""

    code = "too-many-pixels"

    def __init__(self, size: tuple[int, int], most: int) -> None:
        """Give the ``size`` (width, height) and the limit."""
        super().__init__(
            f"the picture has {size[0]} x {size[1]} pixels, at most {_pixels(most)} are read: make it smaller"
        )


class TooSmallError(LoadError, ValueError):
    """A picture on which nothing can be seen."""

    code = "too-small"

    def __init__(self, size: tuple[int, int]) -> None:
        """Give the ``size`` (width, height)."""
        super().__init__(
            f"the picture has {size[0]} x {size[1]} pixels, at least {LEAST_SIDE} x {LEAST_SIDE} are needed: "
            "take a larger one"
        )


class TruncatedError(LoadError, EOFError):
    """A file that is cut short, with under a quarter of its picture left."""

    code = "truncated"

    def __init__(self, share: float) -> None:
        """Give the ``share`` of the picture, in 0..1, that is there."""
        super().__init__(
            f"the file is cut short: only {percent(share)} % of its picture is there, at least "
            f"{percent(LEAST_SHARE)} % are needed; copy or send it again"
        )


class DamagedError(LoadError, OSError):
    """A file of a known kind whose picture cannot be decoded."""

    code = "damaged"

    def __init__(self, kind: str) -> None:
        """Name the ``kind`` of file."""
        super().__init__(f"this {kind} file is damaged and cannot be read: copy or send it again, or save it as PNG")


_STARTS = (
    (b"\xff\xd8\xff", "JPEG"),
    (b"\x89PNG\r\n\x1a\n", "PNG"),
    (b"GIF87a", "GIF"),
    (b"GIF89a", "GIF"),
    (b"BM", "BMP"),
    (b"II*\0", "TIFF"),
    (b"MM\0*", "TIFF"),
)

_OTHER_STARTS = (
    (b"%PDF", "a PDF file"),
    (b"8BPS", "a Photoshop file"),
    (b"\0\0\1\0", "an icon file"),
    (b"\0\0\0\x0cjP", "JPEG 2000"),
    (b"\xff\x4f\xff\x51", "JPEG 2000"),
    (b"\0\0\0\x0cJXL", "JPEG XL"),
    (b"\xff\x0a", "JPEG XL"),
    (b"v/1\x01", "an OpenEXR file"),
    (b"\x1a\x45\xdf\xa3", "a video (WebM, Matroska)"),
    (b"FUJIFILMCCD-RAW", "a camera's RAW file"),
    (b"IIRO", "a camera's RAW file"),
    (b"IIU\0", "a camera's RAW file"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1f\x8b", "a compressed archive"),
    (b"II+\0", "a BigTIFF file"),
    (b"MM\0+", "a BigTIFF file"),
)

_HEIF_BRANDS = {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"}


def kind_of(data: bytes) -> str:
    """Return the name of the format that the first bytes of ``data`` show: "JPEG", "PNG", "HEIC" ...

    :raises UnsupportedFormatError: a known kind of file that is not read.
    :raises NotAPictureError: anything else.
    """
    if data[:4] == b"RIFF":
        return _riff_kind(data)
    if data[4:8] == b"ftyp":
        return _box_kind(data)
    if data[8:10] == b"CR" and data[:4] == b"II*\0":
        raise UnsupportedFormatError("a camera's RAW file")
    for start, kind in _STARTS:
        if data.startswith(start):
            return kind
    for start, name in _OTHER_STARTS:
        if data.startswith(start):
            raise UnsupportedFormatError(name)
    _refuse_markup(data)
    raise NotAPictureError(data)


def _riff_kind(data: bytes) -> str:
    if data[8:12] == b"WEBP":
        return "WebP"
    raise UnsupportedFormatError("a video (AVI)" if data[8:12] == b"AVI " else "a RIFF file")


def _box_kind(data: bytes) -> str:
    length = min(int.from_bytes(data[:4], "big"), 256)
    brands = {data[8:12], *(data[at : at + 4] for at in range(16, length, 4))}
    if brands & {b"avif", b"avis"}:
        raise UnsupportedFormatError("AVIF")
    if brands & _HEIF_BRANDS:
        return "HEIC"
    raise UnsupportedFormatError("a camera's RAW file" if b"crx " in brands else "a video (MP4, MOV)")


def _refuse_markup(data: bytes) -> None:
    start = data[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith((b"<svg", b"<?xml")) and b"<svg" in start:
        raise UnsupportedFormatError("SVG")
    if start.startswith((b"<!doctype html", b"<html")):
        raise UnsupportedFormatError("a web page")


@dataclass(frozen=True)
class JpegMarkers:
    """What the markers of a JPEG tell.

    ``damaged``: some stand where none may be. ``lost`` is the share of the coded pixels, in 0..1, between the first
    and the last of them. ``data`` is the file with those made part of the coded pixels, so that decoding goes on
    behind them; ``end`` is where its end marker is, or its length when there is none.
    """

    damaged: bool
    lost: float
    data: bytes
    end: int


_MARKER = re.compile(rb"\xff([^\x00\xff])")
_DHT, _EOI, _SOS, _DQT, _DNL, _DRI, _COM = 0xC4, 0xD9, 0xDA, 0xDB, 0xDC, 0xDD, 0xFE
_BETWEEN_SCANS = {_DHT, _SOS, _DQT, _DNL, _DRI, _COM, *range(0xE0, 0xF0)}


def jpeg_markers(data: bytes) -> JpegMarkers:
    """Return what the markers in ``data``, the bytes of a JPEG, tell of damage; nothing is decoded."""
    at, coded, restart = 2, 0, -1  # restart is the number of the next restart marker, -1 when there are to be none
    strays: list[int] = []
    wrong: list[int] = []
    end = len(data)
    while (found := _MARKER.search(data, at)) is not None:
        at, code = found.end(), found[1][0]
        if code == _EOI:
            end = at - 2
            break
        if coded and 0xD0 <= code <= 0xD7 and restart >= 0:
            if code - 0xD0 != restart:
                wrong.append(at)
            restart = (code - 0xD0 + 1) % 8
        elif coded and not _is_segment(data, at, code):
            strays.append(at)
        else:
            length = int.from_bytes(data[at : at + 2], "big")
            if code == _DRI:
                restart = 0 if any(data[at + 2 : at + 4]) else -1
            elif code == _SOS:
                coded, restart = coded or at + length, min(restart, 0)
            at += length
    places = strays + wrong
    lost = (max(places) - min(places)) / max(1, end - coded) if places else 0.0
    return JpegMarkers(bool(places), min(1.0, lost), _mended(data, strays), end)


def _is_segment(data: bytes, at: int, code: int) -> bool:
    """Whether a marker among the coded pixels starts a whole segment, of a kind that may be there."""
    length = int.from_bytes(data[at : at + 2], "big")
    if code not in _BETWEEN_SCANS or length < 2 or at + length + 2 > len(data):
        return False
    if code == _SOS:
        return 1 <= data[at + 2] <= 4 and length == 6 + 2 * data[at + 2]
    return data[at + length] == 0xFF and data[at + length + 1] not in (0x00, 0xFF)


def _mended(data: bytes, strays: list[int]) -> bytes:
    if not strays:
        return data
    mended = bytearray(data)
    for at in strays:
        mended[at - 1] = 0  # FF 00 is how the coded pixels hold the byte FF
    return bytes(mended)
