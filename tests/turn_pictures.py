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


def _some_turn(rng: np.random.Generator) -> Played:
    """A turn of a random game in which dice were laid and none swapped."""
    while True:
        turns = [t for t in islice(turns_of(int(rng.integers(0, 10_000))), _TURNS) if t.dice and not t.swaps]
        if turns:
            return turns[int(rng.integers(0, len(turns)))]


def _worlds(rng: np.random.Generator, turn: Played) -> tuple[World, World]:
    """The board before and after the turn; a die that stays looks the same and stands the same."""
    box, printed = random_box(rng, "die"), turn.before.grid.board
    layout = CubedLayout(printed.rows, printed.columns, printed.logo, dict(printed.bonus))
    art = cubed_board(rng, box.size[0] * rng.uniform(1.01, 1.16), layout, clear=True)

    def world(faces: Mapping[Square, Face]) -> World:
        return cubed_world(rng, art, box, {at: str(face) for at, face in faces.items()})

    first, second = (world(faces) for faces in turn.layouts)
    stands: dict[object, Body] = {body.cell: body for body in second.bodies}
    return World(art, tuple(stands.get(body.cell, body) for body in first.bodies)), second


def render_turn(seed: int, settings: BoardSettings) -> tuple[Played, BoardPicture, BoardPicture]:
    """Return the turn of ``seed`` and its two pictures."""
    rng = np.random.default_rng(seed)
    turn = _some_turn(rng)
    pictures = []
    for world in _worlds(rng, turn):
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
    board = turn.before.grid.board
    return {
        "before": f"{name}_before.jpg",
        "after": f"{name}_after.jpg",
        "board": {k: v for k, v in board.to_json().items() if k in ("rows", "columns", "logo", "bonus")},
        "player": turn.player,
        "laid": [[str(d.face), list(d.at), None if d.named is None else str(d.named)] for d in turn.dice],
        "points": turn.points,
        "wilds": {f"{row},{column}": str(tile) for (row, column), tile in turn.names.items()},
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
