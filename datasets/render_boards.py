"""Render pictures of boards, dice and tiles to a folder: pictures and ``labels.jsonl``.

    python -m datasets.render_boards --count 200 --seed 1 --out /tmp/boards [--only cubed] [--clear] [--textures DIR]

A line of the labels has the form that ``evaluate`` reads ("file", "size", "tags", "cards" with their "cell") and more:
"things" (everything, lowest first: kind "die", "tile", "space" or "other", name, corners, visible share, place, the
outline of its body, the look of its Wild) and "board" (kind, rows, columns, logo, bonus, lines, the matrix from board
units to pixels, corners of the sheet). The same seed, count and folders give the same files for any number of jobs.
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from datasets.board_scene import BoardPicture, BoardSettings, Labelled, render_board_scene
from datasets.folder import add_options, fill_folder, write_picture
from datasets.tables import photo_textures
from datasets.worlds import WORLDS

__all__ = ["board_label", "main", "picture_label", "render_board_folder"]

_IGNORED_BELOW = 0.75
_PIECES = ("die", "tile")


def _points(points: npt.NDArray[np.float32]) -> list[list[float]]:
    return [[round(float(x), 1), round(float(y), 1)] for x, y in points]


def _thing(one: Labelled) -> dict[str, object]:
    thing = one.thing
    return {
        "kind": thing.kind,
        "name": thing.name,
        "corners": _points(thing.corners),
        "visible": round(thing.visible, 3),
        "cell": None if one.cell is None else list(one.cell),
        "body": None if one.body is None else _points(one.body),
        "look": one.look,
    }


def _piece(one: Labelled) -> dict[str, object]:
    card: dict[str, object] = {
        "quad": _points(one.thing.corners),
        "card": one.thing.name,
        "ignore": one.thing.visible < _IGNORED_BELOW,
    }
    return card if one.cell is None else {**card, "cell": list(one.cell)}


def board_label(picture: BoardPicture) -> dict[str, object] | None:
    """Return what is printed on the board of ``picture`` and where it lies, None without one."""
    board = picture.board
    if board is None or picture.matrix is None or picture.corners is None:
        return None
    return {
        "kind": board.kind,
        "rows": board.rows,
        "columns": board.columns,
        "logo": [list(square) for square in board.logo],
        "bonus": [{"at": list(square), "points": points} for square, points in board.bonus.items()],
        "lines": board.lines,
        "spaces": [{"at": list(space.at), "face": str(space.printed)} for space in board.spaces if space.printed],
        "matrix": [[float(value) for value in row] for row in picture.matrix],
        "corners": _points(picture.corners),
    }


def picture_label(picture: BoardPicture, file: str) -> dict[str, object]:
    """Return the label line of ``picture`` as plain data, corners rounded to a tenth of a pixel."""
    height, width = picture.image.shape[:2]
    kind = "loose" if picture.board is None else picture.board.kind
    return {
        "file": file,
        "size": [width, height],
        "tags": [picture.table, kind],
        "cards": [_piece(one) for one in picture.things if one.thing.kind in _PIECES],
        "things": [_thing(one) for one in picture.things],
        "board": board_label(picture),
    }


def _render_one(seed: int, settings: BoardSettings, out: Path) -> dict[str, object]:
    cv2.setNumThreads(1)
    picture = render_board_scene(seed, settings)
    file = f"board_{seed:07d}.jpg"
    write_picture(out / file, picture.image)
    return picture_label(picture, file)


def render_board_folder(out: Path, count: int, seed: int, settings: BoardSettings, jobs: int = 1) -> Path:
    """Render pictures ``seed * 100000 + 0 .. count - 1`` into ``out``; return the path of the labels."""
    return fill_folder(out, count, seed, partial(_render_one, settings=settings, out=out), jobs)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m datasets.render_boards", description=__doc__.splitlines()[0])
    add_options(parser)
    parser.add_argument("--only", choices=list(WORLDS), help="one kind of picture only")
    parser.add_argument("--clear", action="store_true", help="only pictures in which a person could read everything")
    options = parser.parse_args(arguments)
    settings = BoardSettings(photo_textures(options.textures), only=options.only, clear=options.clear)
    print(render_board_folder(options.out, options.count, options.seed, settings, options.jobs))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
