"""Rendered pictures of dice and tiles with the board under them, as the finder and the face reader learn them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from datasets.things import Thing
from models.training.augment import moved
from models.training.photos import Photo
from vision.geometry import transform

__all__ = ["BoardLabel", "BoardPhoto", "View", "read_board_photos", "view_of"]

Points = npt.NDArray[np.float32]
Matrix = npt.NDArray[np.float64]
Square = tuple[int, int]


@dataclass(frozen=True, eq=False)
class BoardLabel:
    """The board in a picture: ``matrix`` (3, 3) from board units (x column, y row) to pixels, ``corners`` (4, 2) pixels
    of its sheet, ``lines`` whether its squares are parted by printed lines, and what is printed on them.
    """

    kind: str
    rows: int
    columns: int
    matrix: Matrix
    corners: Points
    lines: bool
    logo: tuple[Square, ...] = ()
    bonus: Mapping[Square, int] | None = None

    @property
    def crossings(self) -> Points:
        """((rows + 1) * (columns + 1), 2) pixels where the grid's lines cross or meet its border, row by row."""
        grid = np.mgrid[0 : self.rows + 1, 0 : self.columns + 1].reshape(2, -1).T[:, ::-1]
        return transform(grid, self.matrix)

    def square(self, row: float, column: float) -> Points:
        """(4, 2) pixels of a square's corners, clockwise from its own top left."""
        return transform([[column, row], [column + 1, row], [column + 1, row + 1], [column, row + 1]], self.matrix)

    def seen_through(self, matrix: Matrix) -> BoardLabel:
        """Return the same board in a picture mapped by ``matrix`` (3, 3)."""
        return replace(self, matrix=matrix @ self.matrix, corners=transform(self.corners, matrix))


@dataclass(frozen=True, eq=False)
class BoardPhoto(Photo):
    """A picture with, for each thing, the outline of its whole ``bodies`` (k, 2) and the name of its Wild's ``looks``,
    where it has them; ``board`` is None where there is none.
    """

    bodies: tuple[Points | None, ...] = ()
    looks: tuple[str | None, ...] = ()
    board: BoardLabel | None = None


@dataclass(frozen=True, eq=False)
class View:
    """What is seen in a window of a picture: things, lowest first, each with the outline of its body, and the board.

    ``frame`` (4, 2) are the corners of the picture in the window, None where it fills the window: nothing is seen
    beyond them.
    """

    things: tuple[Thing, ...]
    bodies: tuple[Points | None, ...]
    board: BoardLabel | None
    frame: Points | None = None


def view_of(photo: BoardPhoto, size: tuple[int, int], matrix: Matrix, side: int) -> View:
    """Return what a window of ``side`` pixels shows of ``photo``, a picture of ``size`` (width, height) pixels, when
    ``matrix`` (3, 3) leads there.
    """
    right, bottom = size[0] - 0.5, size[1] - 0.5
    seen = [(moved(thing, matrix, side), body) for thing, body in zip(photo.things, photo.bodies, strict=True)]
    kept = [(thing, body) for thing, body in seen if thing is not None]
    return View(
        tuple(thing for thing, _ in kept),
        tuple(None if body is None else transform(body, matrix) for _, body in kept),
        None if photo.board is None else photo.board.seen_through(matrix),
        transform([[-0.5, -0.5], [right, -0.5], [right, bottom], [-0.5, bottom]], matrix),
    )


def _board(label: Mapping[str, Any] | None) -> BoardLabel | None:
    if label is None:
        return None
    return BoardLabel(
        str(label["kind"]),
        int(label["rows"]),
        int(label["columns"]),
        np.array(label["matrix"], np.float64),
        np.array(label["corners"], np.float32),
        bool(label["lines"]),
        tuple((int(row), int(column)) for row, column in label.get("logo") or ()),
        {(int(one["at"][0]), int(one["at"][1])): int(one["points"]) for one in label.get("bonus") or ()},
    )


def _thing(label: Mapping[str, Any]) -> Thing:
    name = None if label["name"] is None else str(label["name"])
    return Thing(str(label["kind"]), name, np.array(label["corners"], np.float32), float(label["visible"]))


def _photo(line: Mapping[str, Any], folder: Path) -> BoardPhoto:
    things: Sequence[Mapping[str, Any]] = line["things"]
    bodies = [thing.get("body") for thing in things]
    looks = [thing.get("look") for thing in things]
    return BoardPhoto(
        folder / str(line["file"]),
        tuple(_thing(thing) for thing in things),
        False,
        tuple(None if body is None else np.array(body, np.float32) for body in bodies),
        tuple(None if look is None else str(look) for look in looks),
        _board(line.get("board")),
    )


def read_board_photos(labels: Path) -> list[BoardPhoto]:
    """Return the pictures of a ``labels.jsonl`` of rendered scenes, those of cards among them.

    A line has "file" and "things" as :mod:`datasets.render` writes them; a thing may have "body", the outline of the
    whole die whose top face its corners are, and "look", the name of its Wild's style. "board" is null or has "kind",
    "rows", "columns", "matrix", "corners", "lines", "logo" and "bonus".
    """
    lines = [json.loads(line) for line in labels.read_text().splitlines() if line.strip()]
    return [_photo(line, labels.parent) for line in lines]
