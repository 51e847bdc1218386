"""Labelled photos as files: their labels, where they lie, and the boards that the labels say lie in them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from service.answer import ErrorAnswer, ErrorBody
from service.board_answer import Asked
from service.board_file import AnyBoard, parse_board, read_board_file
from service.commands import Desk
from service.console import printable
from service.errors import ArgumentError, BoardFileError, LabelsError, ServiceError, code_of, one_line
from service.files import STANDARD_INPUT, check_target, identity, prepare_folder
from service.game import Game
from service.tables import Table
from vision.find_only import read_boxes
from vision.measure import Label, read_labels
from vision.types import VisionError

__all__ = ["asked_of", "check_predictions", "failed", "labels_of", "of_game", "path_beside", "placed_as_read"]

_NO_NAMES = "these are boxes of dice, without names: give --find-only"


def labels_of(path: str, boxes: bool = False) -> tuple[tuple[Label, ...], bool]:
    """Return the labelled photos of the file at ``path``, and whether they have boxes only.

    :raises LabelsError: it cannot be used, or has boxes only where ``boxes`` does not allow it.
    """
    try:
        boxed = read_boxes(path)
        photos = boxed or read_labels(path)
    except VisionError as error:
        raise LabelsError(one_line(error)) from None
    if boxed and not boxes:
        raise LabelsError(f"{printable(path)}: {_NO_NAMES}")
    if not photos:
        raise LabelsError(f"{printable(path)} labels no photo: expected one JSON line a photo")
    return photos, bool(boxed)


def path_beside(labels: str, file: str) -> str:
    """Return the path of a ``file`` that the labels at ``labels`` name."""
    path = str(Path(labels).parent / file)
    return os.path.join(os.curdir, path) if path == STANDARD_INPUT else path


def check_predictions(predictions: str, labels: str, photos: Iterable[Label]) -> None:
    """Check that ``predictions`` can be written and is none of the files that are read; make its folder.

    :raises LabelsError: it is one of them.
    :raises ServiceError: it cannot be written.
    """
    check_target(predictions)
    target = identity(predictions)
    if target == identity(labels):
        raise LabelsError("--predictions would overwrite the labels; choose another file")
    for photo in photos:
        board = photo.board if isinstance(photo.board, str) else None
        for what, file in (("photo", photo.file), ("photo", photo.empty), ("board file", board)):
            if file is not None and target == identity(path_beside(labels, file)):
                raise LabelsError(f"--predictions would overwrite the {what} {file!r}; choose another file")
    prepare_folder(str(Path(predictions).parent))


def of_game(photos: Sequence[Label], labels: str, game: Game) -> list[tuple[Label, AnyBoard | None]]:
    """Return the photos of a ``game`` that the file ``labels`` has, each with its board.

    Photos with a board of another game are left out; where there are some, so are those without a board, of which
    nobody knows what they show.

    :raises LabelsError: a label describes no board, or no photo is of that game.
    """
    found = [(photo, board_of(photo, labels)) for photo in photos]
    if game is Game.AUTO or all(board is None or board.game == game.value for _, board in found):
        return found
    fitting = [one for one in found if one[1] is not None and one[1].game == game.value]
    if not fitting:
        others = " and ".join(sorted({board.game for _, board in found if board is not None}))
        raise LabelsError(f"{printable(labels)}: the boards are of {others}, and --game says {game}")
    return fitting


def board_of(label: Label, labels: str) -> AnyBoard | None:
    """Return the board that lies in a photo by its label: a board file's fields or path, or the form of a renderer.

    :raises LabelsError: the label describes none.
    """
    if label.board is None:
        return None
    try:
        return _board(label.board, labels)
    except BoardFileError as error:
        raise LabelsError(f"{printable(labels)}, {label.file!r}: the board: {one_line(error)}") from None


def _board(board: Mapping[str, Any] | str, labels: str) -> AnyBoard:
    if isinstance(board, str):
        return read_board_file(path_beside(labels, board))
    return parse_board(json.dumps(_rendered(board) if "kind" in board and "game" not in board else board))


def _rendered(board: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a board file for the board of a rendered picture."""
    kind = board["kind"]
    if kind == Game.JUNIOR_1.value:
        return {"game": kind, "squares": _squares(board.get("spaces"))}
    fields = ("rows", "columns", "logo", "bonus") if kind == Game.CUBED.value else ()
    return {"game": kind, **{name: board[name] for name in fields if name in board}}


def _squares(spaces: Any) -> list[list[list[str]]]:
    """Return the names of the 27 spaces, empty where none is given.

    :raises BoardFileError: ``spaces`` are no list of places with names.
    """
    names = [[[""] * 3 for _ in range(3)] for _ in range(3)]
    try:
        for space in spaces:
            square, row, column = space["at"]
            names[square][row][column] = space["face"]
    except (TypeError, KeyError, ValueError, IndexError):
        raise BoardFileError(f"`spaces`: expected places with the names printed there; got {spaces!r:.80}") from None
    return names


def placed_as_read(label: Label, board: AnyBoard | None) -> Label:
    """Return the label without places on Junior's face 2, whose spaces mean nothing to the game and are not read."""
    if board is None or board.game != Game.JUNIOR_2.value:
        return label
    return replace(label, pieces=tuple(replace(piece, cell=None, placed=False) for piece in label.pieces))


def asked_of(desk: Desk, label: Label, labels: str, game: Game, board: AnyBoard | None) -> Asked:
    """Return what is asked of a labelled photo: its game, its board, and the photo of that without tiles.

    :raises ArgumentError: there is no such photo.
    """
    empty = None
    if label.empty is not None:
        try:
            empty = desk.bytes_of(path_beside(labels, label.empty))
        except (ServiceError, VisionError) as error:
            raise ArgumentError(f"the empty board {label.empty!r}: {one_line(error)}") from None
    return Asked(Game(board.game) if board is not None else game, Table(board, empty=empty))


def failed(path: str, error: Exception) -> ErrorAnswer:
    """Return the answer to the photo at ``path``, which could not be read."""
    return ErrorAnswer(file=path, error=ErrorBody(code=code_of(error), text=one_line(error)))
