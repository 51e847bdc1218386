"""Renders turns of random games of Cubed: a picture before and one after, from other places and in other light.

    python -m tests.turn_pictures --count 50 --seed 7 --out FOLDER [--textures DIR]

FOLDER gets ``turn_NNN_before.jpg``, ``turn_NNN_after.jpg`` and ``turn_NNN.json`` in the form that ``tests.renders``
judges: board, dice laid, points, what the Wilds already there stand for, and the pieces of both pictures.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from itertools import islice
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np

from datasets.board_art import CubedLayout, cubed_board
from datasets.board_scene import BoardPicture, BoardSettings, photograph, random_lamp
from datasets.tables import photo_textures
from datasets.viewpoint import random_viewpoint
from datasets.worlds import Body, World, cubed_world, random_box
from engine.grid import Square
from engine.tokens import Face
from tests.cubed_turns import Played, turns_of

__all__ = ["main", "render_turn", "turn_label"]

SIZE = (1280, 960)
_TURNS = 40
_MOST_DICE, _MOST_WILDS = 24, 0.3
_MARGIN = 2
_POINTS = (2, 3, 4, 5, 7)
"""Numbers that can be told apart upside down."""


def _moved(at: Square) -> Square:
    """A square of the random games' board on the larger one that is drawn."""
    return at[0] + _MARGIN, at[1] + _MARGIN


def _usual(turn: Played) -> bool:
    """Whether dice were laid and none swapped, on a board that is neither full nor full of Wilds."""
    _, faces = turn.layouts
    wilds = sum(face.is_wild for face in faces.values())
    return bool(turn.dice) and not turn.swaps and len(faces) <= _MOST_DICE and wilds <= _MOST_WILDS * len(faces)


def _some_turn(rng: np.random.Generator) -> Played:
    """A usual turn of some random game."""
    while True:
        turns = [turn for turn in islice(turns_of(int(rng.integers(0, 10_000))), _TURNS) if _usual(turn)]
        if turns:
            return turns[int(rng.integers(0, len(turns)))]


def _layout(rng: np.random.Generator, turn: Played) -> CubedLayout:
    """A board round that of the game, with more bonus squares where no die lies."""
    printed = turn.before.grid.board
    rows, columns = printed.rows + 2 * _MARGIN, printed.columns + 2 * _MARGIN
    logo = tuple(_moved(at) for at in printed.logo)
    bonus = {_moved(at): points for at, points in printed.bonus.items()}
    used = {*logo, *bonus, *(_moved(at) for at in turn.layouts[1])}
    free = [(row, column) for row in range(rows) for column in range(columns) if (row, column) not in used]
    for number in rng.permutation(len(free))[: int(rng.integers(6, 14))].tolist():
        bonus[free[number]] = int(rng.choice(_POINTS))
    return CubedLayout(rows, columns, logo, bonus)


def _worlds(rng: np.random.Generator, turn: Played, layout: CubedLayout) -> tuple[World, World]:
    """The board before and after the turn; a die that stays looks the same and stands the same."""
    box = random_box(rng, "die")
    art = cubed_board(rng, box.size[0] * rng.uniform(1.01, 1.16), layout, clear=True)

    def world(faces: Mapping[Square, Face]) -> World:
        return cubed_world(rng, art, box, {_moved(at): str(face) for at, face in faces.items()})

    first, second = (world(faces) for faces in turn.layouts)
    stands: dict[object, Body] = {body.cell: body for body in second.bodies}
    return World(art, tuple(stands.get(body.cell, body) for body in first.bodies)), second


def render_turn(seed: int, settings: BoardSettings) -> tuple[Played, BoardPicture, BoardPicture]:
    """Return the turn of ``seed``, its squares as in the random game, and its two pictures."""
    rng = np.random.default_rng(seed)
    turn = _some_turn(rng)
    pictures = []
    for world in _worlds(rng, turn, _layout(rng, turn)):
        view = random_viewpoint(rng, SIZE, world.points, (0.0, 40.0), near=0.0)
        pictures.append(photograph(rng, world, view, random_lamp(rng, world, view), settings))
    return turn, pictures[0], pictures[1]


def _pieces(picture: BoardPicture) -> list[dict[str, object]]:
    return [
        {"kind": "die", "cell": list(one.cell), "face": one.thing.name, "quad": one.thing.corners.tolist()}
        for one in picture.things
        if one.cell is not None and one.thing.kind == "die"
    ]


def turn_label(turn: Played, before: BoardPicture, after: BoardPicture, name: str) -> dict[str, object]:
    """Return the JSON of a turn, in the form of the shared ones."""
    board = before.board
    assert board is not None
    bonus = [{"at": list(at), "points": points} for at, points in board.bonus.items()]
    return {
        "before": f"{name}_before.jpg",
        "after": f"{name}_after.jpg",
        "board": {
            "rows": board.rows,
            "columns": board.columns,
            "logo": [list(at) for at in board.logo],
            "bonus": bonus,
        },
        "player": turn.player,
        "laid": [[str(d.face), list(_moved(d.at)), None if d.named is None else str(d.named)] for d in turn.dice],
        "points": turn.points,
        "wilds": {",".join(map(str, _moved(at))): str(tile) for at, tile in turn.names.items()},
        "before_pieces": _pieces(before),
        "after_pieces": _pieces(after),
    }


def _write(job: tuple[int, int, Path, Path | None]) -> None:
    cv2.setNumThreads(1)
    number, seed, out, textures = job
    turn, before, after = render_turn(seed, BoardSettings(photo_textures(textures), beside=0.2, clear=True))
    name = f"turn_{number:03d}"
    for which, picture in (("before", before), ("after", after)):
        cv2.imwrite(str(out / f"{name}_{which}.jpg"), picture.image, [cv2.IMWRITE_JPEG_QUALITY, 92])
    (out / f"{name}.json").write_text(json.dumps(turn_label(turn, before, after, name)))


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.turn_pictures", description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--textures", type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    jobs = [(n, options.seed * 1000 + n, options.out, options.textures) for n in range(options.count)]
    with get_context("spawn").Pool(options.jobs) as pool:
        pool.map(_write, jobs, chunksize=1)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
