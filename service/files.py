"""Photos and overlays as files: what is read, what is written, and under which name."""

from __future__ import annotations

import os
import select
import stat
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from service.errors import FolderError, NoFileError, TargetError, UnreadableFileError

__all__ = [
    "STANDARD_INPUT",
    "check_target",
    "identity",
    "open_record",
    "overlay_paths",
    "prepare_folder",
    "read_data",
    "read_photo",
    "write_whole",
]

STANDARD_INPUT = "-"
"""In place of a path: the photo comes on standard input."""

_PATIENCE = 1.0
"""Seconds that a named pipe may take to find a writer."""

_WITHOUT_WAITING = getattr(os, "O_NONBLOCK", 0)


def read_photo(path: str, max_bytes: int) -> bytes:
    """Return the bytes of the file at ``path``, or those on standard input where it is "-".

    :raises TooManyBytesError: there are more than ``max_bytes``; they are not read.
    :raises NoFileError: nothing lies there.
    :raises UnreadableFileError: it is a directory, no ordinary file or a pipe that nobody writes to, or may not be
        read.
    """
    try:
        if path == STANDARD_INPUT:
            data = _standard_input(max_bytes)
            size = len(data)
        else:
            size, data = _file(path, max_bytes)
    except UnreadableFileError:
        raise
    except (FileNotFoundError, NotADirectoryError):
        raise NoFileError from None
    except (OSError, ValueError) as error:
        raise UnreadableFileError(f"cannot be read: {_reason(error).lower()}") from None
    if size > max_bytes:
        from vision.load import TooManyBytesError

        raise TooManyBytesError(size, max_bytes)
    return data


def read_data(path: str, what: str, max_bytes: int) -> bytes:
    """Return the bytes of the file at ``path``, which should be ``what``: "a board file".

    :raises NoFileError: nothing lies there.
    :raises UnreadableFileError: it is a directory, no ordinary file, has more than ``max_bytes``, or may not be read.
    """
    try:
        mode = os.stat(path).st_mode
        _check_kind(mode, what)
        with open(path, "rb", opener=lambda name, flags: os.open(name, flags | _WITHOUT_WAITING)) as file:
            data = file.read(max_bytes + 1)
    except UnreadableFileError:
        raise
    except (FileNotFoundError, NotADirectoryError):
        raise NoFileError from None
    except (OSError, ValueError) as error:
        raise UnreadableFileError(f"cannot be read: {_reason(error).lower()}") from None
    if len(data) > max_bytes:
        raise UnreadableFileError(f"too long: {what} has at most {max_bytes:,} bytes")
    return data


@contextmanager
def open_record(path: str) -> Iterator[BinaryIO]:
    """Yield the file at ``path``, or standard input where it is "-", to be read as far as is needed.

    :raises NoFileError: nothing lies there.
    :raises UnreadableFileError: it is a directory, no ordinary file or pipe, or may not be read.
    """
    try:
        if path == STANDARD_INPUT:
            if sys.stdin.isatty():
                raise UnreadableFileError("standard input is a terminal; send a record there, as in < game.jsonl")
            yield sys.stdin.buffer
            return
        mode = os.stat(path).st_mode
        _check_kind(mode, "a record")
        with open(path, "rb", opener=lambda name, flags: os.open(name, flags | _WITHOUT_WAITING)) as file:
            if stat.S_ISFIFO(mode):
                select.select([file.fileno()], [], [], _PATIENCE)
                os.set_blocking(file.fileno(), True)
            yield file
    except UnreadableFileError:
        raise
    except (FileNotFoundError, NotADirectoryError):
        raise NoFileError from None
    except OSError as error:
        raise UnreadableFileError(f"cannot be read: {_reason(error).lower()}") from None


def _standard_input(max_bytes: int) -> bytes:
    if sys.stdin.isatty():
        raise UnreadableFileError("standard input is a terminal; send a photo there, as in < table.jpg")
    return sys.stdin.buffer.read(max_bytes + 1)


def _file(path: str, max_bytes: int) -> tuple[int, bytes]:
    """Return (size, bytes) of the file at ``path``, without the bytes where they are more than ``max_bytes``."""
    found = os.stat(path)
    _check_kind(found.st_mode)
    if found.st_size > max_bytes:
        return found.st_size, b""
    # without waiting: a named pipe may have no writer, now or ever
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | _WITHOUT_WAITING)) as file:
        start = _first_of_pipe(file.fileno()) if stat.S_ISFIFO(found.st_mode) else b""
        data = start + file.read(max_bytes + 1 - len(start))
    return len(data), data


def _first_of_pipe(pipe: int) -> bytes:
    """Return the first byte that has come out of ``pipe``, if any; what is still to come may be waited for then.

    :raises UnreadableFileError: nothing comes, for nobody writes to it.
    """
    select.select([pipe], [], [], _PATIENCE)
    try:
        first = os.read(pipe, 1)
    except BlockingIOError:  # somebody does write to it, and takes time
        first = b""
    else:
        if not first:
            raise UnreadableFileError("nothing comes out of this pipe; look at what should send the photo")
    os.set_blocking(pipe, True)
    return first


def _check_kind(mode: int, what: str = "a photo") -> None:
    if stat.S_ISDIR(mode):
        advice = "give the photos in it, as in FOLDER/*.jpg" if what == "a photo" else f"give {what}"
        raise UnreadableFileError(f"this is a directory; {advice}")
    if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode)):
        raise UnreadableFileError(f"this is no ordinary file; give {what}")


def prepare_folder(folder: str) -> Path:
    """Make ``folder`` where it is missing, prove that it can be written to, and return it.

    :raises FolderError: it cannot be made or written to.
    """
    if not folder:
        raise FolderError(folder, "the name is empty")
    try:
        if os.path.exists(folder) and not os.path.isdir(folder):
            raise FolderError(folder, "this is a file, not a folder")
        Path(folder).mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return Path(folder)
    except FolderError:
        raise
    except (OSError, ValueError) as error:
        raise FolderError(folder, _reason(error)) from None


def overlay_paths(photos: Sequence[str], folder: Path, kind: str = "sets") -> list[Path]:
    """Return where the overlay of each of ``photos`` goes: ``folder``/STEM.sets.jpg, all different.

    A name that is taken by one of the photos or by an overlay before it gets a number: STEM-2.sets.jpg. ``kind``
    stands in the place of "sets".
    """
    taken: set[str] = set()
    for photo in photos:
        taken.add(identity(photo))
    chosen: list[Path] = []
    for photo in photos:
        stem, number = "stdin" if photo == STANDARD_INPUT else Path(photo).stem, 1
        target = folder / f"{stem}.{kind}.jpg"
        while identity(target) in taken:
            number += 1
            target = folder / f"{stem}-{number}.{kind}.jpg"
        taken.add(identity(target))
        chosen.append(target)
    return chosen


def write_whole(path: Path, data: bytes) -> None:
    """Write ``data`` to ``path`` in one step: a reader sees the old file or the whole new one.

    :raises TargetError: it cannot be written.
    """
    check_target(str(path))
    part = path.parent / f".set-referee.{os.getpid()}.part"
    try:
        try:
            part.write_bytes(data)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
    except (OSError, ValueError) as error:
        raise TargetError(str(path), _reason(error)) from None


def check_target(path: str) -> None:
    """Check that a file may be written at ``path``: nothing lies there, or an ordinary file.

    :raises TargetError: something else lies there, or no file can have that name.
    """
    if not path:
        raise TargetError(path, "the name is empty")
    if path == STANDARD_INPUT:
        raise TargetError(path, "standard output is no file")
    try:
        mode = os.stat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        if os.path.basename(path) in ("", os.curdir, os.pardir):
            raise TargetError(path, "this is a folder, not a file") from None
        return
    except (OSError, ValueError) as error:
        raise TargetError(path, _reason(error)) from None
    if not stat.S_ISREG(mode):
        raise TargetError(path, f"this is {'a folder' if stat.S_ISDIR(mode) else 'a device or pipe'}, not a file")


def identity(path: str | Path) -> str:
    """Return the same text for two paths that a file system may take for the same file."""
    try:
        return os.path.realpath(path).casefold()
    except (OSError, ValueError):  # no file can have that name
        return os.fspath(path)


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
