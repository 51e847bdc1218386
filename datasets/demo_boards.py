"""Draw the example pictures of boards: a turn of Cubed, both boards of it and of Junior without pieces, some tiles.

    python -m datasets.demo_boards service/examples

Every picture is drawn by our own renderer from a seed and no photo at all; the turn is one that somebody thought up.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from datasets.board_art import BoardArt, CubedLayout, cubed_board, junior_board_one
from datasets.board_scene import BoardSettings, photograph
from datasets.camera import Sensor
from datasets.faces import PrintStyle
from datasets.lettering import Lettering
from datasets.solids import Lamp
from datasets.viewpoint import Viewpoint
from datasets.wild import WildLook, WildStyle
from datasets.worlds import Body, BoxStyle, World, cubed_world, tile_world
from engine.tokens import Shape
from vision.types import Deck, Image

__all__ = ["AFTER", "BEFORE", "COVERED", "LAYOUT", "Shot", "board_files", "draw_examples", "example_pictures", "main"]

Cell = tuple[int, ...]

SIZE = (1280, 960)
LAYOUT = CubedLayout(
    9,
    9,
    ((4, 3), (4, 4), (4, 5)),
    {(0, 0): 5, (0, 8): 5, (8, 0): 5, (8, 8): 5, (2, 4): 4, (6, 4): 2, (4, 1): 3, (4, 7): 3},
)
BEFORE: Mapping[Cell, str] = {
    (4, 3): "1 red oval",
    (4, 4): "2 red oval",
    (4, 5): "3 red oval",
    (5, 3): "1 green oval",
    (6, 3): "1 purple oval",
    (3, 5): "3 green squiggle",
    (2, 5): "3 purple diamond",
    (5, 5): "2 red diamond",
    (6, 5): "1 red squiggle",
    (6, 6): "wild",
    (6, 7): "3 purple diamond",
}
"""What lies on the board before the turn; the Wild was announced as two green ovals."""
AFTER: Mapping[Cell, str] = {**BEFORE, (3, 4): "2 red diamond", (3, 3): "1 purple oval", (2, 4): "wild"}
"""The same after the turn: three dice, three SETs and a bonus of four, which a Wild takes."""
COVERED: tuple[Cell, ...] = (
    (0, 0, 0),
    (0, 1, 1),
    (0, 2, 2),
    (1, 0, 1),
    (1, 1, 0),
    (1, 2, 2),
    (2, 1, 0),
    (2, 1, 1),
    (2, 1, 2),
    (2, 0, 0),
)
"""Spaces of the Junior board with a tile: one diagonal and one row are full."""


@dataclass(frozen=True)
class Shot:
    """Where a picture is taken from: ``turn`` degrees round the board from its near side, ``tilt`` degrees from
    straight above, ``distance`` as a multiple of the board's longer side; ``seed`` chooses table and noise.
    """

    seed: int
    turn: float
    tilt: float
    distance: float
    lamp: tuple[float, float] = (-0.5, -0.4)


SHOTS: Mapping[str, Shot] = {
    "cubed-empty": Shot(383, 8.0, 18.0, 1.75, (-1.2, -0.9)),
    "cubed-before": Shot(383, -14.0, 24.0, 1.7),
    "cubed-after": Shot(383, 22.0, 31.0, 1.72, (0.6, -0.5)),
    "junior-empty": Shot(383, -10.0, 16.0, 1.6, (1.2, -0.9)),
    "junior": Shot(383, 14.0, 27.0, 1.6, (0.5, 0.4)),
}
_BOARD_SEEDS = {"cubed": 14, "junior": 8}
_SENSOR = Sensor(blur=0.6, noise=0.8, quality=95)
_QUALITY = 88
_DIE, _TILE = 24.0, 40.0


def _print() -> PrintStyle:
    """Dice and tiles of one made-up box: ivory, with a star for the Wild."""
    return PrintStyle(
        body=(232, 242, 246),
        inks=((40, 40, 205), (60, 150, 30), (140, 40, 105)),
        sizes={Shape.OVAL: (0.6, 0.19), Shape.DIAMOND: (0.6, 0.22), Shape.SQUIGGLE: (0.6, 0.2)},
        pitch=0.26,
        decks=dict.fromkeys((Shape.OVAL, Shape.DIAMOND, Shape.SQUIGGLE), Deck.US),
        wave=None,
        mirrored=False,
        lean=0.0,
        wild=WildStyle(WildLook.STAR, (40, 140, 240)),
        words=None,
        lettering=Lettering(),
        grain=0.5,
    )


def _box(side: float, height: float, rounding: float) -> BoxStyle:
    return BoxStyle((side, side, height), rounding, _print(), 0.2, 30.0, "demo")


def _view(board: BoardArt, shot: Shot) -> Viewpoint:
    """The camera of ``shot``, which looks at the middle of the board."""
    width, height = board.size
    target = np.array([width / 2, height / 2, 0.0])
    tilt, turn = np.radians(shot.tilt), np.radians(shot.turn)
    aside = np.sin(tilt) * np.array([np.sin(turn), np.cos(turn), 0.0])
    away = aside - np.array([0.0, 0.0, np.cos(tilt)])
    right = np.cross([0.0, 0.0, 1.0], -away)
    right /= np.linalg.norm(right)
    rotation = np.stack([right, np.cross(-away, right), -away])
    return Viewpoint(SIZE, 1.05 * max(SIZE), rotation, target + away * shot.distance * max(width, height))


def _lamp(board: BoardArt, shot: Shot) -> Lamp:
    """A warm lamp to one side of the board and a bright room."""
    middle = np.array([board.size[0] / 2, board.size[1] / 2, 0.0])
    reach = max(board.size)
    place = middle + np.array([shot.lamp[0] * reach, shot.lamp[1] * reach, -1.6 * reach])
    ambient, key = np.array([0.58, 0.57, 0.56], np.float32), np.array([0.4, 0.43, 0.45], np.float32)
    return Lamp(place, ambient, key, 0.3, 0.8, middle)


def _taken(world: World, shot: Shot) -> Image:
    """The picture of ``world``, (960, 1280, 3) uint8 BGR."""
    assert world.board is not None  # noqa: S101  every example has one
    settings = BoardSettings(beside=0.0)
    view, lamp = _view(world.board, shot), _lamp(world.board, shot)
    return photograph(np.random.default_rng(shot.seed), world, view, lamp, settings, _SENSOR).image


def _boards() -> tuple[BoardArt, BoardArt]:
    """The board of Cubed and the one of Junior."""
    cubed = cubed_board(np.random.default_rng(_BOARD_SEEDS["cubed"]), _DIE * 1.07, LAYOUT)
    return cubed, junior_board_one(np.random.default_rng(_BOARD_SEEDS["junior"]), _TILE, _print())


def _worlds(cubed: BoardArt, junior: BoardArt) -> dict[str, World]:
    """What lies where in each picture; a die that stays stands as it stood."""
    dice = _box(_DIE, _DIE, 3.0)
    after = cubed_world(np.random.default_rng(21), cubed, dice, AFTER)
    stands: dict[object, Body] = {body.cell: body for body in after.bodies}
    printed = {space.at: str(space.printed) for space in junior.spaces}
    tiles = {at: printed[at] for at in COVERED}
    return {
        "cubed-empty": World(cubed, ()),
        "cubed-before": World(cubed, tuple(stands[at] for at in BEFORE)),
        "cubed-after": after,
        "junior-empty": World(junior, ()),
        "junior": tile_world(np.random.default_rng(22), junior, _box(_TILE, 3.0, 0.8), tiles),
    }


def example_pictures() -> dict[str, Image]:
    """Return the pictures by name, (960, 1280, 3) uint8 BGR."""
    return {name: _taken(world, SHOTS[name]) for name, world in _worlds(*_boards()).items()}


def board_files() -> dict[str, dict[str, object]]:
    """Return the fields of the two board files by name."""
    cubed, junior = _boards()
    squares = [[[""] * 3 for _ in range(3)] for _ in range(3)]
    for space in junior.spaces:
        square, row, column = space.at
        squares[square][row][column] = str(space.printed)
    bonus = [{"at": list(at), "points": points} for at, points in sorted(cubed.bonus.items())]
    size = {"rows": cubed.rows, "columns": cubed.columns, "logo": [list(at) for at in cubed.logo]}
    return {
        "cubed": {"game": "cubed", "name": "The made-up board of the example pictures.", **size, "bonus": bonus},
        "junior": {"game": "junior-1", "name": "The made-up board of the example pictures.", "squares": squares},
    }


def draw_examples(out: Path) -> list[Path]:
    """Write the pictures and the board files into the folder ``out``; return their paths.

    :raises OSError: a file cannot be written.
    """
    out.mkdir(parents=True, exist_ok=True)
    written = []
    for name, picture in example_pictures().items():
        path = out / f"{name}.jpg"
        if not cv2.imwrite(str(path), picture, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY]):
            raise OSError(f"cannot write {str(path)!r}")
        written.append(path)
    for name, board in board_files().items():
        path = out / f"{name}.json"
        fields = ",\n".join(f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in board.items())
        path.write_text(f"{{\n{fields}\n}}\n", encoding="utf-8")
        written.append(path)
    return written


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m datasets.demo_boards", description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path)
    for path in draw_examples(parser.parse_args(arguments).out):
        print(path)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
