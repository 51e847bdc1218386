"""Photos and overlays as files: what is read, what is written, and under which name."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Sequence
from pathlib import Path

from service.errors import FolderError, NoFileError, UnreadableFileError

__all__ = ["overlay_paths", "prepare_folder", "read_photo", "write_whole"]


def read_photo(path: str, max_bytes: int) -> bytes:
    """Return the bytes of the file at ``path``.

    :raises TooManyBytesError: there are more than ``max_bytes``; they are not read.
    :raises NoFileError: nothing lies there.
    :raises UnreadableFileError: it is a directory or no ordinary file, or may not be read.
    """
    try:
        found = os.stat(path)
        _check_kind(found.st_mode)
        size, data = found.st_size, b""
        if size <= max_bytes:
            with open(path, "rb") as file:
                data = file.read(max_bytes + 1)
            size = len(data)
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


def _check_kind(mode: int) -> None:
    if stat.S_ISDIR(mode):
        raise UnreadableFileError("this is a directory; give the photos in it, as in FOLDER/*.jpg")
    if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode)):
        raise UnreadableFileError("this is no ordinary file; give a photo")


def prepare_folder(folder: str) -> Path:
    """Make ``folder`` where it is missing, prove that it can be written to, and return it.

    :raises FolderError: it cannot be made or written to.
    """
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return Path(folder)
    except (OSError, ValueError) as error:
        raise FolderError(folder, _reason(error)) from None


def overlay_paths(photos: Sequence[str], folder: Path) -> list[Path]:
    """Return where the overlay of each of ``photos`` goes: ``folder``/STEM.sets.jpg, all different.

    A name that is taken by one of the photos or by an overlay before it gets a number: STEM-2.sets.jpg.
    """
    taken: set[str] = set()
    for photo in photos:
        taken.add(_identity(Path(photo)))
    chosen: list[Path] = []
    for photo in photos:
        stem, number = Path(photo).stem, 1
        target = folder / f"{stem}.sets.jpg"
        while _identity(target) in taken:
            number += 1
            target = folder / f"{stem}-{number}.sets.jpg"
        taken.add(_identity(target))
        chosen.append(target)
    return chosen


def write_whole(path: Path, data: bytes) -> None:
    """Write ``data`` to ``path`` in one step: a reader sees the old file or the whole new one.

    :raises FolderError: it cannot be written.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        try:
            part.write_bytes(data)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
    except (OSError, ValueError) as error:
        raise FolderError(str(path), _reason(error)) from None


def _identity(path: Path) -> str:
    """Return the same text for two paths that a file system may take for the same file."""
    return os.path.realpath(path).casefold()


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
