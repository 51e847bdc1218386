"""What kind of file some bytes are, told by the first of them, and the refusals of what is not read."""

from __future__ import annotations

from typing import ClassVar

from vision.types import VisionError

__all__ = [
    "LEAST_SHARE",
    "LEAST_SIDE",
    "DamagedError",
    "EmptyFileError",
    "LoadError",
    "NotAPictureError",
    "TooManyBytesError",
    "TooManyPixelsError",
    "TooSmallError",
    "TruncatedError",
    "UnsupportedFormatError",
    "kind_of",
    "percent",
]

LEAST_SIDE = 16
"""Pixels that a picture must have in width and height."""

LEAST_SHARE = 0.25
"""The part of its picture that a file cut short must still hold."""


def percent(share: float) -> int:
    """Return a ``share`` in 0..1 as a whole number of hundredths, rounded down."""
    return int(100 * share)


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
        """Quote the ``start`` of the file."""
        super().__init__(f"this is no picture (it starts with {start[:12]!r}): give a JPEG, PNG, WebP or HEIC file")


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
        super().__init__(
            f"the file has {actual / 2**20:.1f} MiB, at most {most / 2**20:.4g} MiB are read: make it smaller"
        )


class TooManyPixelsError(LoadError, ValueError):
    """More pixels than the limit, by the file's header."""

    code = "too-many-pixels"

    def __init__(self, size: tuple[int, int], most: int) -> None:
        """Give the ``size`` (width, height) and the limit."""
        text = (
            f"the picture has {size[0]} x {size[1]} pixels, at most {most / 1e6:.4g} million are read: make it smaller"
        )
        super().__init__(text)


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
