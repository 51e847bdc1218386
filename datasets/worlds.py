"""Worlds: a board with dice or tiles on it, before anybody takes its picture.

Sizes are millimetres. The table is the plane z = 0, x to the right, y down; a board's sheet has its corner at (0, 0).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from datasets.board_art import BoardArt, Space, cubed_board, junior_board_one, junior_board_two
from datasets.canvas import Bgr
from datasets.faces import PrintStyle, draw_pips, draw_print, random_print
from datasets.solids import Solid
from engine.tokens import Tile, full_tiles
from vision.types import Image

__all__ = [
    "WORLDS",
    "Body",
    "BoxStyle",
    "World",
    "cubed_world",
    "random_box",
    "random_dice",
    "random_world",
    "tile_world",
]

Random = np.random.Generator
Cell = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Body:
    """A die or a tile: what it shows on top (``name``), where it stands (``cell``, None beside the board).

    ``look`` tells the Wild faces of one box from those of another.
    """

    solid: Solid
    kind: str
    name: str
    cell: Cell | None = None
    look: str | None = None


@dataclass(frozen=True, eq=False)
class World:
    """A board, or none, and what stands on it and beside it."""

    board: BoardArt | None
    bodies: tuple[Body, ...]

    @property
    def points(self) -> npt.NDArray[np.float64]:
        """(n, 3) corners of the board and middles of the bodies: what a picture is about."""
        found = [body.solid.centre for body in self.bodies]
        if self.board is not None:
            width, height = self.board.size
            found += [np.array([x, y, 0.0]) for x, y in ((0, 0), (width, 0), (width, height), (0, height))]
        return np.array(found)


@dataclass(frozen=True, eq=False)
class BoxStyle:
    """What all dice or tiles of one box share: size (width, depth, height), rounding, print, gloss."""

    size: tuple[float, float, float]
    rounding: float
    style: PrintStyle
    gloss: float
    power: float
    look: str


def random_box(rng: Random, kind: str) -> BoxStyle:
    """Return some box of dice ("die") or tiles ("tile")."""
    light = None if rng.random() < 0.88 else _pastel(rng)
    look = str(int(rng.integers(0, 1 << 40)))
    gloss, power = float(rng.choice([0.0, 0.15, 0.4, 0.9]) * rng.uniform(0.5, 1.3)), float(np.exp(rng.uniform(2, 5.5)))
    style = random_print(rng, light)
    if kind == "die":
        side = rng.uniform(22, 26)
        return BoxStyle((side, side, side), side * rng.uniform(0.05, 0.2), style, gloss, power, look)
    side, thick = rng.uniform(30, 50), rng.uniform(1.2, 4.5)
    frame = _pastel(rng) if rng.random() < 0.15 else None
    size = (side, side * (1.0 if rng.random() < 0.7 else rng.uniform(0.86, 1.0)), thick)
    return BoxStyle(size, thick * rng.uniform(0.1, 0.45), replace(style, frame=frame), gloss, power, look)


def _pastel(rng: Random) -> Bgr:
    blue, green, red = rng.integers(165, 252, 3).tolist()
    return (blue, green, red)


def _face(name: str, box: BoxStyle, rng: Random) -> Image:
    return draw_print(None if name == "wild" else Tile.parse(name), box.style, rng)


def _side_names(rng: Random) -> list[str]:
    tiles = full_tiles()
    return ["wild" if rng.random() < 0.06 else str(tiles[int(rng.integers(0, 27))]) for _ in range(5)]


def die(rng: Random, box: BoxStyle, name: str, place: tuple[float, float], angle: float) -> Solid:
    """Return a die of ``box`` that shows ``name`` on top and any other faces on its sides."""
    faces = [_face(name, box, rng)]
    faces += [np.ascontiguousarray(np.rot90(_face(n, box, rng), int(rng.integers(0, 4)))) for n in _side_names(rng)]
    return Solid(*place, angle, box.size, box.rounding, faces, gloss=box.gloss, power=box.power)


def tile(rng: Random, box: BoxStyle, name: str, place: tuple[float, float], angle: float) -> Solid:
    """Return a tile of ``box`` that shows ``name``; its edges are bare."""
    edge = np.full((96, 96, 3), box.style.body, np.float32) * np.float32(rng.uniform(0.55, 1.0))
    bare = np.asarray(edge, np.uint8)
    return Solid(
        *place, angle, box.size, box.rounding, [_face(name, box, rng), *[bare] * 5], gloss=box.gloss, power=box.power
    )


def _crowding(solid: Solid, cell: Cell, cells: Mapping[Cell, str] | set[Cell], closeness: float) -> Solid:
    """The same body with the sides marked that look at a neighbour."""
    cos, sin = np.cos(solid.angle), np.sin(solid.angle)
    closed = []
    for x, y in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        column, row = round(float(cos * x - sin * y)), round(float(sin * x + cos * y))
        closed.append(closeness if (cell[0] + row, cell[1] + column) in cells else 0.0)
    return replace(solid, crowded=(closed[0], closed[1], closed[2], closed[3]))


def random_dice(rng: Random, board: BoardArt, count: int) -> dict[Cell, str]:
    """Return ``count`` dice joined to each other from the logo on, as far as the board goes."""
    tiles, found = full_tiles(), dict[Cell, str]()
    few = tiles if rng.random() < 0.6 else [tiles[int(i)] for i in rng.permutation(27)[:6]]
    wilds = rng.uniform(0, 0.3)

    def name() -> str:
        return "wild" if rng.random() < wilds else str(few[int(rng.integers(0, len(few)))])

    for square in board.logo[: max(0, count)]:
        found[square] = name()
    while len(found) < min(count, board.rows * board.columns):
        row, column = list(found)[int(rng.integers(0, len(found)))] if found else (board.rows // 2, board.columns // 2)
        down, right = ((0, 1), (0, -1), (1, 0), (-1, 0))[int(rng.integers(0, 4))]
        row, column = row + down, column + right
        if 0 <= row < board.rows and 0 <= column < board.columns and (row, column) not in found:
            found[(row, column)] = name()
    return found


def cubed_world(rng: Random, board: BoardArt, box: BoxStyle, dice: Mapping[Cell, str], disorder: float = 1.0) -> World:
    """Return ``dice`` (square -> name) on ``board``, each turned by some quarter turn and a few degrees."""
    bodies = []
    for cell, name in dice.items():
        middle = np.array(board.corner) + (np.array([cell[1], cell[0]]) + 0.5) * board.pitch
        slack = max(0.0, (board.pitch - box.size[0]) / 2) + 0.02 * board.pitch
        x, y = middle + np.clip(rng.normal(0, 0.5, 2), -1, 1) * slack * disorder
        angle = rng.integers(0, 4) * np.pi / 2 + rng.normal(0, np.radians(2.2)) * disorder
        solid = _crowding(die(rng, box, name, (float(x), float(y)), float(angle)), cell, dict(dice), 1.0)
        bodies.append(Body(solid, "die", name, cell, box.look if name == "wild" else None))
    return World(board, tuple(bodies))


def _beside(rng: Random, world: World, box: BoxStyle, count: int) -> World:
    """The same world with ``count`` more dice beside the board: somebody's hand."""
    if world.board is None or not count:
        return world
    width, height = world.board.size
    tiles = full_tiles()
    side = int(rng.integers(0, 4))
    start = np.array(
        [
            (rng.uniform(0, width * 0.7), -1.9 * box.size[0]),
            (rng.uniform(0, width * 0.7), height + 1.9 * box.size[0]),
            (-1.9 * box.size[0], rng.uniform(0, height * 0.7)),
            (width + 1.9 * box.size[0], rng.uniform(0, height * 0.7)),
        ][side]
    )
    bodies = list(world.bodies)
    for number in range(count):
        along = np.array([1.0, 0.0] if side < 2 else [0.0, 1.0]) * number * box.size[0] * rng.uniform(1.25, 1.7)
        x, y = start + along + rng.normal(0, 2, 2)
        name = "wild" if rng.random() < 0.15 else str(tiles[int(rng.integers(0, 27))])
        solid = die(rng, box, name, (float(x), float(y)), float(rng.uniform(0, 2 * np.pi)))
        bodies.append(Body(solid, "die", name, None, box.look if name == "wild" else None))
    return World(world.board, tuple(bodies))


def tile_world(rng: Random, board: BoardArt, box: BoxStyle, tiles: Mapping[Cell, str], turned: bool = False) -> World:
    """Return ``tiles`` (place -> name) on the spaces of a Junior ``board``, with ``turned`` in any quarter turn."""
    spaces: dict[Cell, Space] = {space.at: space for space in board.spaces}
    bodies = []
    for cell, name in tiles.items():
        space = spaces[cell]
        x, y = np.array(space.corner) + space.side / 2 + rng.normal(0, 0.025 * space.side, 2)
        quarter = int(rng.integers(0, 4)) if turned else int(rng.choice([0, 0, 0, 2]))
        angle = quarter * np.pi / 2 + rng.normal(0, np.radians(2.5))
        bodies.append(Body(tile(rng, box, name, (float(x), float(y)), float(angle)), "tile", name, cell))
    return World(board, tuple(bodies))


def _cubed(rng: Random, clear: bool = False) -> World:
    box = random_box(rng, "die")
    board = cubed_board(rng, box.size[0] * rng.uniform(1.01, 1.16), clear=clear)
    count = int(rng.choice([0, 1, 2, 3, 5, 7, 9, 12, 16, 20, 25, 30, 36, 42]))
    world = cubed_world(rng, board, box, random_dice(rng, board, count))
    return _beside(rng, world, box, int(rng.integers(1, 6)) if rng.random() < 0.25 else 0)


def _junior_one(rng: Random) -> World:
    box = random_box(rng, "tile")
    faded = replace(box.style, cache={}) if rng.random() < 0.7 else random_print(rng)
    board = junior_board_one(rng, box.size[0], faded)
    share = rng.choice([0.0, 0.15, 0.3, 0.5, 0.7, 0.9])
    names = {s.at: str(s.printed) for s in board.spaces if rng.random() < share}
    if len(names) > 3 and rng.random() < 0.1:
        first, second = list(names)[:2]
        names[first], names[second] = names[second], names[first]
    return tile_world(rng, board, box, names)


def _junior_two(rng: Random) -> World:
    box = random_box(rng, "tile")
    board = junior_board_two(rng, box.size[0])
    tiles = [str(full_tiles()[int(i)]) for i in rng.permutation(27)]
    kept = [s.at for s in board.spaces if rng.random() < 0.95]
    return tile_world(rng, board, box, dict(zip(kept, tiles, strict=False)), turned=bool(rng.random() < 0.5))


def _scattered(rng: Random, count: int, least: float) -> list[tuple[float, float]]:
    reach, found = least * (count**0.5) * rng.uniform(0.8, 2.5), list[tuple[float, float]]()
    for _ in range(60 * count):
        x, y = rng.uniform(-reach, reach, 2)
        if len(found) < count and all(np.hypot(x - a, y - b) > least for a, b in found):
            found.append((float(x), float(y)))
    return found


def _loose(rng: Random) -> World:
    """Dice or tiles thrown on a table without a board."""
    kind = "die" if rng.random() < 0.65 else "tile"
    box = random_box(rng, kind)
    names = [str(full_tiles()[int(i)]) for i in rng.integers(0, 27, int(rng.integers(1, 13)))]
    names = ["wild" if kind == "die" and rng.random() < 0.15 else name for name in names]
    make: Callable[..., Solid] = die if kind == "die" else tile
    bodies = [
        Body(make(rng, box, n, at, float(rng.uniform(0, 2 * np.pi))), kind, n, None, box.look if n == "wild" else None)
        for n, at in zip(names, _scattered(rng, len(names), box.size[0] * 1.5), strict=False)
    ]
    return World(None, tuple(bodies))


def _pipped(rng: Random) -> World:
    """Ordinary dice with pips: for the finder they are dice, for the reader faces that are none of the 27."""
    side = rng.uniform(12, 22)
    dark = rng.random() < 0.15
    body = _pastel(rng) if rng.random() < 0.3 else ((35, 32, 30) if dark else (225, 240, 248))
    ink = (240, 240, 240) if dark else ((25, 25, 25) if rng.random() < 0.8 else (40, 40, 190))
    size, reach = float(rng.uniform(0.065, 0.1)), float(rng.uniform(0.18, 0.25))
    gloss, power = float(rng.choice([0.1, 0.4])), float(np.exp(rng.uniform(2, 5)))
    bodies = []
    for x, y in _scattered(rng, int(rng.integers(1, 7)), side * 1.3):
        pips = [draw_pips(int(n) + 1, body, ink, size, reach) for n in rng.permutation(6)]
        solid = Solid(
            x,
            y,
            float(rng.uniform(0, 2 * np.pi)),
            (side, side, side),
            side * rng.uniform(0.08, 0.24),
            pips,
            gloss=gloss,
            power=power,
        )
        bodies.append(Body(solid, "die", "wild", None, "pips"))
    return World(None, tuple(bodies))


WORLDS: Mapping[str, tuple[Callable[[Random], World], float]] = {
    "cubed": (_cubed, 0.53),
    "junior-1": (_junior_one, 0.18),
    "junior-2": (_junior_two, 0.09),
    "loose": (_loose, 0.1),
    "pips": (_pipped, 0.1),
}
"""Name -> (maker, share of the pictures)."""


def random_world(rng: Random, only: str | None = None, clear: bool = False) -> World:
    """Return some world; ``only`` asks for one of WORLDS, ``clear`` for boards of Cubed on which all can be read."""
    names = list(WORLDS)
    share = np.array([share for _, share in WORLDS.values()])
    name = names[int(rng.choice(len(names), p=share / share.sum()))] if only is None else only
    return _cubed(rng, clear) if name == "cubed" else WORLDS[name][0](rng)
