"""Labelled photos: what lies on them by the word of a person, read from JSON lines.

Convention: quads are (4, 2) float32 pixels of the upright image, origin at the top left, corners in any order *round*
the piece (a label does not say which corner of the upright piece comes first, unlike ``vision.types.Quad``).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.tokens import Card, Face, TokenError
from vision.types import Quad, VisionError

__all__ = ["Label", "LabelError", "LabelFileError", "LabelledPiece", "Place", "Points", "read_labels"]

Place = int | tuple[int, ...]
"""Where on a board a piece lies: [row, column], [square, row, column] or the number of a space."""

Points = npt.NDArray[np.float32]
"""(n, 2) float32 pixels."""


class LabelFileError(VisionError, OSError):
    """A file of labels that cannot be opened."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"cannot read the labels {str(path)!r}: {reason}")


class LabelError(VisionError, ValueError):
    """A line of labels that is malformed; ``line`` counts from 1."""

    def __init__(self, path: Path, line: int, reason: str) -> None:
        super().__init__(f"{path.name}, line {line}: {reason}")
        self.line = line


class _MalformedError(ValueError):
    """What is wrong with a line, before its number is known."""


@dataclass(frozen=True, eq=False, slots=True)
class LabelledPiece:
    """One piece as a person labelled it."""

    quad: Points
    """(4, 2) float32 pixels, corners in any order round the piece."""
    name: str
    """The text form of the piece; free text when it is to be ignored."""
    ignore: bool = False
    """Cut off, hidden or unreadable: counts neither way."""
    cell: Place | None = None
    """Its place on the board, where the label gives one."""
    placed: bool = False
    """Whether the label gives a place at all."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "quad", Quad(self.quad).corners)


@dataclass(frozen=True, eq=False, slots=True)
class Label:
    """One labelled photo."""

    file: str
    """Path of the photo, relative to the folder of the labels; its first part is the source."""
    size: tuple[int, int]
    """(width, height) in pixels of the upright image."""
    pieces: tuple[LabelledPiece, ...]
    """All that lies there."""
    tags: tuple[str, ...] = ()
    """What is hard about it ("glare", "steep-angle")."""
    board: Mapping[str, Any] | str | None = None
    """What is printed on the board that lies there, as the label gives it: fields, or a path beside the labels."""
    empty: str | None = None
    """Path of a photo of that board without tiles, relative to the folder of the labels."""

    @property
    def source(self) -> str:
        """Whose photo it is: the first part of the path."""
        return self.file.split("/")[0]


def read_labels(path: Path | str) -> tuple[Label, ...]:
    """Return the photos of a JSON-lines file: ``{"file", "size", "tags"?, "cards": [{"quad", "card", …}]}`` a line.

    A line may have "board" and "empty" too. Blank lines are skipped, further fields ignored.

    :raises LabelFileError: the file cannot be opened.
    :raises LabelError: a line is malformed; the message names its number.
    """
    path = Path(path)
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise LabelFileError(path, error.strerror or str(error)) from error
    labels = []
    for number, line in enumerate(lines, 1):
        try:
            if line.strip():
                labels.append(_label(json.loads(line.decode("utf-8-sig"))))
        except UnicodeDecodeError as error:
            raise LabelError(path, number, "not UTF-8 text") from error
        except json.JSONDecodeError as error:
            raise LabelError(path, number, f"not JSON: {error.msg} at column {error.colno}") from error
        except _MalformedError as error:
            raise LabelError(path, number, str(error)) from error
    return tuple(labels)


def _label(line: object) -> Label:
    file = _field(line, "file", str)
    tags = _field(line, "tags", list, []) or []
    if not file or not all(isinstance(tag, str) for tag in tags):
        raise _MalformedError(f"'file' and 'tags' are texts; got {file!r} and {tags!r}")
    size = _field(line, "size", list)
    if len(size) != 2 or not all(_is_whole(side) and side > 0 for side in size):
        raise _MalformedError(f"'size' is [width, height] in whole pixels; got {size!r}")
    pieces = tuple(_piece(card) for card in _field(line, "cards", list))
    return Label(file, (size[0], size[1]), pieces, tuple(tags), _board(line), _field(line, "empty", str, None) or None)


def _board(line: object) -> Mapping[str, Any] | str | None:
    board = line.get("board") if isinstance(line, dict) else None
    if board is None or isinstance(board, dict) or (isinstance(board, str) and board):
        return board
    raise _MalformedError(f"'board' is the fields of a board file, or its path; got {board!r}")


_KINDS = {str: "a text", list: "a list", bool: "true or false"}
_REQUIRED = object()


def _field(line: object, name: str, kind: type, default: object = _REQUIRED) -> Any:
    if not isinstance(line, dict):
        raise _MalformedError(f"expected an object with {name!r}; got {line!r}")
    value = line.get(name, default)
    if value is _REQUIRED:
        raise _MalformedError(f"{name!r} is missing")
    if not isinstance(value, kind) and not (value is None and default is not _REQUIRED):
        raise _MalformedError(f"{name!r} is {_KINDS[kind]}; got {value!r}")
    return value


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _piece(card: object) -> LabelledPiece:
    name, ignore = _field(card, "card", str), bool(_field(card, "ignore", bool, False))
    if not ignore:
        _check_name(name)
    quad = _quad(_field(card, "quad", list))
    placed = isinstance(card, dict) and "cell" in card
    return LabelledPiece(
        quad, name, ignore, _place(card["cell"]) if isinstance(card, dict) and placed else None, placed
    )


def _check_name(name: str) -> None:
    try:
        parsed = Card.parse(name) if len(name.split()) == 4 else Face.parse(name)
    except TokenError as error:
        raise _MalformedError(f"'card' names no piece: {error}") from error
    if str(parsed) != name:
        raise _MalformedError(f"'card' has stray spaces: {name!r} is written {str(parsed)!r}")


def _quad(points: list[Any]) -> Points:
    try:
        numbers = [float(value) for x, y in points for value in (x, y) if not isinstance(value, str | bool)]
        with np.errstate(over="ignore"):  # what overflows is infinite, and refused as such
            return Quad(np.array(numbers, np.float32).reshape(-1, 2)).corners
    except (TypeError, ValueError, OverflowError) as error:
        raise _MalformedError(f"'quad' is four points [x, y] in pixels; got {points!r}") from error


def _place(cell: object) -> Place | None:
    if isinstance(cell, list) and cell and all(map(_is_whole, cell)):
        return tuple(cell)
    if cell is None or (isinstance(cell, int) and _is_whole(cell)):
        return cell
    raise _MalformedError(f"'cell' is [row, column], [square, row, column] or a number; got {cell!r}")
