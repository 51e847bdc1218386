"""Boards of Cubed and of SET Junior in many made-up prints: size, colours, lines, numbers and pictures are all free.

A board is drawn flat, with its top left at the origin. Sizes are millimetres, colours BGR.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from colorsys import hsv_to_rgb
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import numpy.typing as npt

from datasets.canvas import Bgr, cloud, jittered
from datasets.faces import PrintStyle, draw_print
from datasets.lettering import Lettering, lettered, random_lettering
from engine.tokens import Tile, full_tiles
from vision.types import Image

__all__ = [
    "BoardArt",
    "CubedLayout",
    "Space",
    "cubed_board",
    "junior_board_one",
    "junior_board_two",
    "magic_squares",
    "random_layout",
]

Random = np.random.Generator
Floats = npt.NDArray[np.float32]
Square = tuple[int, int]
_PER_MM = 3.0
_TELLING, _UPRIGHT, _BOLD = 5, (2, 3, 4, 5, 7), 500


@dataclass(frozen=True)
class Space:
    """A place for a tile: ``at`` its place, the corner (x, y) and the side of the space, and the tile printed there."""

    at: tuple[int, ...]
    corner: tuple[float, float]
    side: float
    printed: Tile | None


@dataclass(frozen=True)
class CubedLayout:
    """What a board of Cubed has where: rows, columns, the squares of its logo, the points of its bonus squares."""

    rows: int
    columns: int
    logo: tuple[Square, ...]
    bonus: Mapping[Square, int]


@dataclass(frozen=True, eq=False)
class BoardArt:
    """A printed board.

    ``image`` is (h, w, 3) uint8 and shows the whole sheet of ``size`` (width, height). For Cubed the grid begins at
    ``corner`` with squares of ``pitch``; ``lines`` says whether its lines are printed. For Junior ``spaces`` has every
    place of a tile. ``mean`` is the colour that the board gives back to what stands on it.
    """

    kind: str
    image: Image
    size: tuple[float, float]
    corner: tuple[float, float] = (0.0, 0.0)
    pitch: float = 0.0
    rows: int = 0
    columns: int = 0
    lines: bool = True
    logo: tuple[Square, ...] = ()
    bonus: Mapping[Square, int] = field(default_factory=dict)
    spaces: tuple[Space, ...] = ()

    @property
    def mean(self) -> Floats:
        """(3,) mean colour."""
        return np.asarray(self.image[::7, ::7].reshape(-1, 3).mean(axis=0), np.float32)


def _any_colour(rng: Random) -> Bgr:
    red, green, blue = hsv_to_rgb(rng.random(), rng.beta(1.2, 1.6), rng.uniform(0.2, 1.0))
    return jittered(rng, (255 * blue, 255 * green, 255 * red), 3)


def _apart(rng: Random, colour: Bgr, least: float) -> Bgr:
    """A colour that differs from ``colour`` by at least ``least`` grey levels, as far as that can be."""
    best = _any_colour(rng)
    for _ in range(12):
        if (
            abs(float(np.mean(best)) - float(np.mean(colour))) + 0.3 * float(np.abs(np.subtract(best, colour)).max())
            > least
        ):
            return best
        best = _any_colour(rng)
    return best


def _sheet(rng: Random, size: tuple[float, float], colour: Bgr) -> Floats:
    shape = (max(8, round(size[1] * _PER_MM)), max(8, round(size[0] * _PER_MM)))
    sheet = np.empty((*shape, 3), np.float32)
    sheet[:] = colour
    sheet += (cloud(rng, shape, 5) * np.float32(rng.uniform(0, 8)))[..., None]
    if rng.random() < 0.3:
        sheet += rng.normal(0, rng.uniform(1, 6), (*shape, 1)).astype(np.float32)
    return sheet


def _box(sheet: Floats, low: tuple[float, float], high: tuple[float, float], colour: Bgr, opacity: float = 1.0) -> None:
    left, top, right, bottom = (round(v * _PER_MM) for v in (*low, *high))
    part = sheet[max(0, top) : max(0, bottom), max(0, left) : max(0, right)]
    part += (np.array(colour, np.float32) - part) * np.float32(opacity)


def _words(
    sheet: Floats, words: str, middle: tuple[float, float], room: tuple[float, float], face: Lettering, ink: Bgr
) -> None:
    """Write ``words`` as large as fits into ``room`` (width, height) about ``middle``."""
    mask = lettered(words, 64, face)
    scale = min(room[0] * _PER_MM / mask.shape[1], room[1] * _PER_MM / mask.shape[0])
    size = (max(1, round(mask.shape[1] * scale)), max(1, round(mask.shape[0] * scale)))
    cover = cv2.resize(mask, size, interpolation=cv2.INTER_AREA).astype(np.float32)[..., None] / 255
    left, top = round(middle[0] * _PER_MM - size[0] / 2), round(middle[1] * _PER_MM - size[1] / 2)
    part = sheet[max(0, top) : top + size[1], max(0, left) : left + size[0]]
    cover = cover[max(0, -top) :, max(0, -left) :][: part.shape[0], : part.shape[1]]
    part += (np.array(ink, np.float32) - part) * cover


@dataclass(frozen=True)
class _Grid:
    """The geometry of a board of Cubed."""

    corner: tuple[float, float]
    pitch: float
    rows: int
    columns: int

    def low(self, square: Square) -> tuple[float, float]:
        return (self.corner[0] + square[1] * self.pitch, self.corner[1] + square[0] * self.pitch)

    def middle(self, square: Square) -> tuple[float, float]:
        x, y = self.low(square)
        return (x + self.pitch / 2, y + self.pitch / 2)


def _lines(rng: Random, sheet: Floats, grid: _Grid, ground: Bgr, clear: bool) -> bool:
    """Print the lines of the grid, always on a ``clear`` board; return whether there are any."""
    draw = rng.random() if not clear else rng.uniform(0.08, 1.0)
    if draw < 0.08:
        return False
    ink = _apart(rng, ground, rng.uniform(14, 70) if not clear else 40)
    thick = rng.uniform(0.5, 2.6)
    opacity = float(rng.uniform(0.5, 1.0))
    width, height = grid.columns * grid.pitch, grid.rows * grid.pitch
    if draw < 0.2:  # separate squares with gaps instead of lines
        gap = rng.uniform(0.8, 3.0)
        for row in range(grid.rows):
            for column in range(grid.columns):
                x, y = grid.low((row, column))
                _box(
                    sheet,
                    (x + gap / 2, y + gap / 2),
                    (x + grid.pitch - gap / 2, y + grid.pitch - gap / 2),
                    ink,
                    opacity,
                )
        return True
    for row in range(grid.rows + 1):
        y = grid.corner[1] + row * grid.pitch
        _box(
            sheet,
            (grid.corner[0] - thick / 2, y - thick / 2),
            (grid.corner[0] + width + thick / 2, y + thick / 2),
            ink,
            opacity,
        )
    for column in range(grid.columns + 1):
        x = grid.corner[0] + column * grid.pitch
        _box(sheet, (x - thick / 2, grid.corner[1]), (x + thick / 2, grid.corner[1] + height), ink, opacity)
    return True


def _bonus_squares(rng: Random, rows: int, columns: int, logo: Sequence[Square]) -> dict[Square, int]:
    """Squares and points: in mirrored fours as printed boards have them, or anywhere, or none."""
    draw, found = rng.random(), dict[Square, int]()
    if draw < 0.06:
        return found
    values = [int(v) for v in rng.choice([1, 2, 2, 3, 3, 4, 5, 5, 6, 7, 8, 9, 10], 4)]
    for _ in range(int(rng.integers(2, 14))):
        row, column = int(rng.integers(0, rows)), int(rng.integers(0, columns))
        points = values[int(rng.integers(0, 4))]
        places = [(row, column)]
        if draw < 0.45:
            places += [(rows - 1 - row, columns - 1 - column), (row, columns - 1 - column), (rows - 1 - row, column)]
        for place in places:
            if place not in logo:
                found[place] = points
    return found


def _number(
    rng: Random, sheet: Floats, grid: _Grid, square: Square, points: int, style: tuple[Bgr, Bgr, int, float, Lettering]
) -> None:
    ground, ink, form, size, face = style
    x, y = grid.low(square)
    edge = grid.pitch * 0.03
    if form == 0:
        _box(sheet, (x + edge, y + edge), (x + grid.pitch - edge, y + grid.pitch - edge), ground)
    elif form == 1:
        centre = tuple(round(v * _PER_MM * 16) for v in grid.middle(square))
        cv2.circle(sheet, centre, round(0.4 * grid.pitch * _PER_MM * 16), ground, -1, cv2.LINE_AA, 4)
    words = f"+{points}" if size < 0 else str(points)
    _words(sheet, words, grid.middle(square), (abs(size) * grid.pitch, abs(size) * grid.pitch), face, ink)


def _logo(rng: Random, sheet: Floats, grid: _Grid, logo: Sequence[Square], ground: Bgr) -> None:
    low = np.min([grid.low(square) for square in logo], axis=0)
    high = np.max([grid.low(square) for square in logo], axis=0) + grid.pitch
    colour = _any_colour(rng) if rng.random() < 0.6 else (245, 245, 245)
    if rng.random() < 0.85:
        edge = grid.pitch * rng.uniform(0, 0.12)
        _box(sheet, tuple(low + edge), tuple(high - edge), colour)
    else:
        colour = ground
    if rng.random() < 0.75:
        words = ("SET", "SET", "CUBED", "LOGO", "START")[int(rng.integers(0, 5))]
        room = (high - low) * rng.uniform(0.5, 0.85)
        _words(sheet, words, tuple((low + high) / 2), tuple(room), random_lettering(rng), _apart(rng, colour, 60))


def random_layout(rng: Random, clear: bool = False) -> CubedLayout:
    """Return where some board of Cubed has its logo and its bonus squares; a ``clear`` one tells which way is up."""
    rows = int(rng.choice([13, 13, 13, 9, 10, 11, 12, 15, 17]))
    columns = rows if rng.random() < 0.8 else int(rng.integers(9, 18))
    middle, across = (rows // 2, columns // 2), rng.random() < 0.75
    logo = tuple((middle[0], middle[1] + step) if across else (middle[0] + step, middle[1]) for step in (-1, 0, 1))
    bonus = _bonus_squares(rng, rows, columns, logo)
    while clear and len(bonus) < _TELLING:
        bonus = _bonus_squares(rng, rows, columns, logo)
    if clear:
        bonus = {at: int(rng.choice(_UPRIGHT)) for at in bonus}
    return CubedLayout(rows, columns, logo, bonus)


def cubed_board(rng: Random, pitch: float, layout: CubedLayout | None = None, clear: bool = False) -> BoardArt:
    """Return some board of Cubed with squares of ``pitch`` millimetres (CUBED-2), by default of any layout.

    A ``clear`` one has printed lines and large numbers that stand out.
    """
    layout = random_layout(rng, clear) if layout is None else layout
    rows, columns, logo, bonus = layout.rows, layout.columns, layout.logo, layout.bonus
    margin = 0.0 if rng.random() < 0.5 else rng.uniform(2, 30)
    grid = _Grid((margin, margin * rng.uniform(0.8, 1.2)), pitch, rows, columns)
    ground = _any_colour(rng)
    size = (2 * grid.corner[0] + columns * pitch, 2 * grid.corner[1] + rows * pitch)
    sheet = _sheet(rng, size, ground)
    if rng.random() < 0.12:
        other = jittered(rng, ground, 14)
        for row in range(rows):
            for column in range(row % 2, columns, 2):
                x, y = grid.low((row, column))
                _box(sheet, (x, y), (x + pitch, y + pitch), other)
    lines = _lines(rng, sheet, grid, ground, clear)
    badge = _apart(rng, ground, 40)
    form = int(rng.choice([0, 0, 0, 0, 1, 2]))
    ink = _apart(rng, ground if form == 2 else badge, 110 if clear else 80)
    room = float(rng.choice([-1, 1, 1, 1, 1]) * rng.uniform(0.4, 0.75))
    style = (badge, ink, form, abs(room) + 0.1 if clear else room)
    face = random_lettering(rng)
    if clear and face.weight < _BOLD:
        face = replace(face, weight=_BOLD)
    for square, points in bonus.items():
        _number(rng, sheet, grid, square, points, (*style, face))
    _logo(rng, sheet, grid, logo, ground)
    if rng.random() < 0.35:  # a fold
        x = size[0] / 2
        _box(sheet, (x - 0.4, 0), (x + 0.4, size[1]), (30, 30, 30), float(rng.uniform(0.2, 0.7)))
    image = np.clip(sheet, 0, 255).astype(np.uint8)
    return BoardArt("cubed", image, size, grid.corner, pitch, rows, columns, lines, logo, bonus)


def magic_squares(rng: Random) -> tuple[tuple[tuple[Tile, ...], ...], ...]:
    """Return some order of the 27 tiles in three 3 x 3 squares whose rows, columns and diagonals are SETs (JUN-2)."""
    tiles = {(t.number.value, t.colour.value, t.shape.value if t.shape.value < 3 else 2): t for t in full_tiles()}
    keys = sorted(tiles)
    shapes = sorted({key[2] for key in keys})
    while True:
        normal = rng.integers(0, 3, 3)
        if normal.any():
            break
    points = np.array([(n, c, s) for n in range(3) for c in range(3) for s in range(3)])
    order: dict[tuple[int, ...], Tile] = {(n, c, s): tiles[(n, c, shapes[s])] for n, c, s in points.tolist()}
    levels = (points @ normal) % 3
    squares = []
    for level in rng.permutation(3):
        plane = points[levels == level]
        origin = plane[int(rng.integers(0, 9))]
        steps = [v for v in ((plane - origin) % 3).tolist() if any(v)]
        first = np.array(steps[int(rng.integers(0, len(steps)))])
        rest = [v for v in steps if not _parallel(np.array(v), first)]
        second = np.array(rest[int(rng.integers(0, len(rest)))])
        grid = [[tuple(int(v) for v in (origin + r * first + c * second) % 3) for c in range(3)] for r in range(3)]
        squares.append(tuple(tuple(order[cell] for cell in row) for row in grid))
    return tuple(squares)


def _parallel(first: npt.NDArray[np.int64], second: npt.NDArray[np.int64]) -> bool:
    return bool(((first - second) % 3 == 0).all() or ((first - 2 * second) % 3 == 0).all())


def _print_space(
    rng: Random, sheet: Floats, space: Space, style: PrintStyle, paper: tuple[float, Bgr], fade: float
) -> None:
    """Print the picture of a tile flat on the board: its paper blended with the board, or none."""
    assert space.printed is not None  # noqa: S101  the caller has asked
    face = draw_print(space.printed, style, rng).astype(np.float32)
    side = max(4, round(space.side * _PER_MM))
    small = np.asarray(cv2.resize(face, (side, side), interpolation=cv2.INTER_AREA), np.float32)
    left, top = round(space.corner[0] * _PER_MM), round(space.corner[1] * _PER_MM)
    part = sheet[top : top + side, left : left + side]
    strength, tint = paper
    body = np.array(style.body, np.float32)
    printed = (body - small).max(axis=2, keepdims=True) / np.float32(max(60.0, float(body.max())))
    ink = np.clip(printed * 2.2, 0, 1)
    ground = part + (np.array(tint, np.float32) - part) * np.float32(strength)
    part[:] = ground + (small - ground) * ink * np.float32(1 - fade)


def junior_board_one(rng: Random, side: float, style: PrintStyle) -> BoardArt:
    """Return some face 1 of a Junior board (JUN-2) for tiles of ``side`` millimetres."""
    gap, between = side * rng.uniform(0.02, 0.25), side * rng.uniform(0.3, 1.2)
    space_side = side * rng.uniform(0.96, 1.08)
    pitch = space_side + gap
    block = 3 * pitch - gap
    step = block + between
    forms: tuple[tuple[tuple[float, float], ...], ...] = (
        ((0, 0), (step, 0), (2 * step, 0)),
        ((0, 0), (0, step), (0, 2 * step)),
        ((0, 0), (step, step * rng.uniform(0.2, 0.9)), (0, step)),
        ((step / 2, 0), (0, step), (step, step)),
        ((0, 0), (step, 0), (step / 2, step)),
    )
    places = forms[int(rng.integers(0, len(forms)))]
    margin = rng.uniform(6, 40)
    reach = np.max(places, axis=0) + block + 2 * margin
    ground = _any_colour(rng)
    sheet = _sheet(rng, (float(reach[0]), float(reach[1])), ground)
    squares = magic_squares(rng)
    paper = (float(rng.uniform(0.25, 1.0)), style.body if rng.random() < 0.6 else _any_colour(rng))
    paper = (paper[0], style.body) if rng.random() < 0.7 else paper
    fade = float(rng.uniform(0, 0.45)) if rng.random() < 0.6 else 0.0
    spaces = []
    for number, (square, (x, y)) in enumerate(zip(squares, places, strict=True)):
        for row in range(3):
            for column in range(3):
                corner = (margin + x + column * pitch, margin + y + row * pitch)
                spaces.append(Space((number, row, column), corner, space_side, square[row][column]))
    for space in spaces:
        _print_space(rng, sheet, space, style, paper, fade)
    return BoardArt(
        "junior-1", np.clip(sheet, 0, 255).astype(np.uint8), (float(reach[0]), float(reach[1])), spaces=tuple(spaces)
    )


def junior_board_two(rng: Random, side: float) -> BoardArt:
    """Return some face 2 of a Junior board: ten spaces, and a place for the pile (JUN-6)."""
    rows, columns = ((2, 5), (5, 2), (2, 5), (5, 2), (1, 10))[int(rng.integers(0, 5))]
    space_side = side * rng.uniform(1.0, 1.12)
    pitch = space_side + side * rng.uniform(0.02, 0.3)
    margin = side * rng.uniform(0.4, 1.6)
    size = (2 * margin + columns * pitch, 2 * margin + rows * pitch)
    ground = _any_colour(rng)
    sheet = _sheet(rng, size, ground)
    orange = jittered(rng, (60, 150, 245), 20) if rng.random() < 0.7 else _any_colour(rng)
    spaces = []
    for row in range(rows):
        for column in range(columns):
            corner = (margin + column * pitch, margin + row * pitch)
            spaces.append(Space((0, row, column), corner, space_side, None))
            if orange is not None:
                _box(sheet, corner, (corner[0] + space_side, corner[1] + space_side), orange)
    for colour in ((60, 60, 235), (150, 60, 130)):
        if rng.random() < 0.6:
            at = rng.uniform(0, 1, 2) * (np.array(size) - space_side)
            _box(sheet, tuple(at), tuple(at + space_side), jittered(rng, colour, 15), 0.9)
            for space in spaces:
                _box(sheet, space.corner, (space.corner[0] + space_side, space.corner[1] + space_side), orange)
    return BoardArt("junior-2", np.clip(sheet, 0, 255).astype(np.uint8), size, spaces=tuple(spaces))
