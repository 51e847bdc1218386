"""The board of SET Junior, face 1: its check, every board there is, and mending one read badly (JUN-2).

Tiles are the points of a space of three dimensions over the numbers modulo 3, and SETs are its lines. Three tiles of a
magic square that are no line fix the others, so a square is a plane, and its order an affine map of the nine spaces:
432 orders. Planes that have no tile in common are parallel, so three squares are the planes of one of 13 directions.

>>> board = sample_board(seed=1)
>>> complete(board.squares).fit
<Fit.AS_READ: 'as read'>
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import permutations, product
from math import prod
from operator import eq
from random import Random
from reprlib import repr as shortened

from engine.events import Place
from engine.grid import BoardError
from engine.sets import is_set, third
from engine.tokens import Tile, TokenError, full_tiles

__all__ = [
    "BOARDS",
    "FEW",
    "LINES",
    "MOST_WRONG",
    "ORDERS",
    "PARTITIONS",
    "PLACES",
    "Completion",
    "Correction",
    "Fit",
    "JuniorBoard",
    "Reading",
    "board_at",
    "complete",
    "sample_board",
]

PARTITIONS = 13
"""Ways to part the 27 tiles into three magic squares."""
ORDERS = 432
"""Orders of the nine tiles of one square."""
BOARDS = PARTITIONS * 6 * ORDERS**3
"""Every board of face 1: partitions, orders of the three squares, orders within each."""
FEW = 12
"""Most boards that an ambiguous completion lists."""

_THREE = range(3)
PLACES: tuple[Place, ...] = tuple(product(_THREE, repeat=3))
"""The 27 spaces as (square, row, column), in reading order."""


def _square_lines() -> Iterator[tuple[tuple[int, int], ...]]:
    for row in _THREE:
        yield tuple((row, column) for column in _THREE)
    for column in _THREE:
        yield tuple((row, column) for row in _THREE)
    yield tuple((step, step) for step in _THREE)
    yield tuple((step, 2 - step) for step in _THREE)


LINES: tuple[tuple[Place, ...], ...] = tuple(
    tuple((square, *cell) for cell in line) for square in _THREE for line in _square_lines()
)
"""The 24 lines, each of three spaces: in each square three rows, three columns, two diagonals."""

Reading = Sequence[Sequence[Sequence[Tile | None]]]
"""What was read, as [square][row][column], 3 x 3 x 3; None where nothing could be read."""

Squares = tuple[tuple[tuple[Tile | None, ...], ...], ...]
"""A reading as tuples."""

_TILES = full_tiles()
_CODES = {tile: place for place, tile in enumerate(_TILES)}


def _spaces(value: object) -> list[object]:
    """Return the 27 entries of three squares of three rows of three spaces, in reading order.

    :raises BoardError: ``value`` is nothing of that shape.
    """
    level: list[object] = [value]
    for parts in ("squares", "rows of a square", "spaces of a row"):
        inner: list[object] = []
        for part in level:
            if not isinstance(part, list | tuple) or len(part) != 3:
                raise BoardError(f"a board of SET Junior, face 1: expected three {parts}; got {shortened(part)}")
            inner += part
        level = inner
    return level


def _known(tile: object, at: Place) -> Tile:
    if not isinstance(tile, Tile) or tile not in _CODES:
        raise BoardError(f"space {list(at)} of a board: expected one of the 27 tiles; got {shortened(tile)}")
    return tile


def _grid(spaces: Sequence[Tile | None]) -> Squares:
    return tuple(tuple(tuple(spaces[at : at + 3]) for at in range(first, first + 9, 3)) for first in (0, 9, 18))


@dataclass(frozen=True, slots=True)
class JuniorBoard:
    """A printed board of face 1, checked: all 27 tiles differ, and all 24 lines are SETs (JUN-2)."""

    squares: tuple[tuple[tuple[Tile, ...], ...], ...]
    """The tile of each space, as [square][row][column], 3 x 3 x 3."""

    def __post_init__(self) -> None:
        seen: dict[Tile, Place] = {}
        for at, entry in zip(PLACES, _spaces(self.squares), strict=True):
            tile = _known(entry, at)
            if tile in seen:
                raise BoardError(f"each tile has one space: got {str(tile)!r} at {list(seen[tile])} and {list(at)}")
            seen[tile] = at
        for line, tiles in zip(LINES, self.lines, strict=True):
            if not is_set(*tiles):
                names = ", ".join(repr(str(tile)) for tile in tiles)
                raise BoardError(f"each line of a board is a SET: got {names} at {[list(at) for at in line]}")

    def __getitem__(self, at: Place) -> Tile:
        """Return the tile printed on the space ``at``, one of ``PLACES``."""
        square, row, column = at
        return self.squares[square][row][column]

    def pieces(self, line: tuple[Place, ...]) -> tuple[Tile, Tile, Tile]:
        """Return the tiles printed on the three spaces of ``line``, one of ``LINES``."""
        first, second, last = line
        return self[first], self[second], self[last]

    @property
    def lines(self) -> tuple[tuple[Tile, Tile, Tile], ...]:
        """The tiles of the 24 lines, in the order of ``LINES``."""
        return tuple(self.pieces(line) for line in LINES)

    @classmethod
    def from_json(cls, value: object) -> JuniorBoard:
        """Return the board that a record's header (three squares) or a board file ("squares" in an object) holds.

        :raises BoardError: ``value`` is no board of face 1.
        """
        if isinstance(value, Mapping):
            if value.get("game", "junior-1") != "junior-1":
                raise BoardError(f"expected a board of 'junior-1'; got one of {shortened(value['game'])}")
            value = value.get("squares")
        return _board([_tile(entry) for entry in _spaces(value)])

    def to_json(self) -> dict[str, object]:
        """Return the content of a board file."""
        squares = [[[str(tile) for tile in row] for row in square] for square in self.squares]
        return {"game": "junior-1", "squares": squares}


def _tile(name: object) -> Tile:
    if not isinstance(name, str):
        raise BoardError(f"a space of a board is the name of a tile; got {shortened(name)}")
    try:
        return Tile.parse(name)
    except TokenError:
        raise BoardError(f"{shortened(name)} is no tile: expected NUMBER COLOUR SHAPE, as in '2 red diamond'") from None


def _board(tiles: Sequence[Tile]) -> JuniorBoard:
    rows = [tuple(tiles[at : at + 3]) for at in range(0, 27, 3)]
    return JuniorBoard((tuple(rows[:3]), tuple(rows[3:6]), tuple(rows[6:])))


# Every board. From here tiles are codes: places in the full deck, which are their features as digits in base 3.

_NORMALS = tuple(normal for normal in PLACES if next(filter(None, normal), 0) == 1)


@cache
def _thirds() -> tuple[bytes, ...]:
    return tuple(bytes(_CODES[third(a, b)] for b in _TILES) for a in _TILES)


def _plane(normal: Place, level: int) -> list[int]:
    return [
        place
        for place, tile in enumerate(_TILES)
        if sum(x * y for x, y in zip(normal, tile.values, strict=True)) % 3 == level
    ]


@cache
def _orders(partition: int, plane: int) -> tuple[bytes, ...]:
    """Return the 432 squares of one of the three planes of a partition: nine codes each, in reading order."""
    corners = permutations(_plane(_NORMALS[partition], plane), 3)
    return tuple(_magic(*three) for three in corners if _thirds()[three[0]][three[1]] != three[2])


def _magic(corner: int, right: int, below: int) -> bytes:
    """Return the magic square with these codes in its first corner, right of it and below it."""
    table = _thirds()
    top, bottom = table[corner][right], table[corner][below]
    centre = table[top][bottom]
    rest = (table[below][centre], bottom, table[right][centre], table[corner][centre])
    return bytes((corner, right, top, below, centre, *rest))


def board_at(number: int) -> JuniorBoard:
    """Return one of the ``BOARDS`` boards by its number from 0.

    :raises IndexError: there is no board of that number.
    """
    if not 0 <= number < BOARDS:
        raise IndexError(f"boards have the numbers 0 to {BOARDS - 1}; got {number!r}")
    number, partition = divmod(number, PARTITIONS)
    number, turn = divmod(number, 6)
    codes = b""
    for plane in _PERMUTATIONS[turn]:
        number, order = divmod(number, ORDERS)
        codes += _orders(partition, plane)[order]
    return _board([_TILES[one] for one in codes])


_PERMUTATIONS = tuple(permutations(_THREE))


def sample_board(seed: int) -> JuniorBoard:
    """Return a board drawn evenly among all of them; the same for the same ``seed``."""
    return board_at(Random(seed).randrange(BOARDS))  # noqa: S311  boards are no secrets


# Mending what was read.


class Fit(StrEnum):
    """How a reading fits the boards that there are."""

    AS_READ = "as read"
    """Every space was read, and it is a board."""
    COMPLETED = "completed"
    """What was read is right, and one board only has it."""
    CORRECTED = "corrected"
    """One board only is nearest, and some spaces were misread."""
    AMBIGUOUS = "ambiguous"
    """Several boards are equally near."""
    IMPOSSIBLE = "impossible"
    """More spaces than ``MOST_WRONG`` allows would have to be misread."""


MOST_WRONG = 4
"""At most one in this many of the spaces read is believed to be misread, but always one: six of 27.

Two boards differ in six spaces or more, and random tiles in random order are 14 or more from the nearest board."""


@dataclass(frozen=True, slots=True)
class Correction:
    """A space that was misread."""

    at: Place
    """The space, as (square, row, column)."""
    read: Tile
    """What was read."""
    tile: Tile
    """What must be printed there."""


@dataclass(frozen=True, slots=True)
class Completion:
    """The board that a reading comes from, or why there is none to be told."""

    fit: Fit
    """How it fits."""
    read: int
    """How many spaces were read, 0 to 27."""
    wrong: int
    """The fewest of them that must be misread: the distance to the nearest board."""
    candidates: int
    """How many boards are that near."""
    boards: tuple[JuniorBoard, ...] = ()
    """These boards: all of them if they are at most ``FEW`` and the reading is possible, else none."""
    agreed: Squares = ()
    """The tiles on which all these boards agree, None elsewhere, 3 x 3 x 3; empty if the reading is impossible."""
    completed: tuple[Place, ...] = ()
    """Spaces filled in on the one board."""
    corrected: tuple[Correction, ...] = ()
    """Spaces changed on the one board."""

    @property
    def board(self) -> JuniorBoard | None:
        """The one board, unless the reading is ambiguous or impossible."""
        return self.boards[0] if self.fit not in (Fit.AMBIGUOUS, Fit.IMPOSSIBLE) else None


@dataclass(frozen=True, slots=True)
class _Match:
    """The squares of one plane that come nearest to one square of a reading."""

    hits: int
    orders: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class _Nearest:
    """Boards that come nearest to a reading, for one partition and one place for each of its planes."""

    matches: tuple[_Match, _Match, _Match]

    @property
    def hits(self) -> int:
        return sum(match.hits for match in self.matches)

    @property
    def count(self) -> int:
        return prod(len(match.orders) for match in self.matches)

    def boards(self) -> Iterator[JuniorBoard]:
        for orders in product(*(match.orders for match in self.matches)):
            yield _board([_TILES[one] for one in b"".join(orders)])

    def choices(self) -> list[set[int]]:
        """Return the codes that each of the 27 spaces takes on these boards."""
        return [set(codes) for match in self.matches for codes in zip(*match.orders, strict=True)]


def complete(reading: Reading) -> Completion:
    """Return the board nearest to what was read: blanks filled in, misread spaces corrected (JUN-2).

    Near means few spaces that were read otherwise. All boards are compared, so the answer is exact: for each partition
    and each place of its planes the three squares do not depend on each other, and each has 432 orders.

    :raises BoardError: ``reading`` is not 3 x 3 x 3, or holds something that is no tile.
    """
    spaces = _tiles_of(reading)
    best = _nearest([None if tile is None else _CODES[tile] for tile in spaces])
    read = sum(tile is not None for tile in spaces)
    wrong, candidates = read - best[0].hits, sum(near.count for near in best)
    if wrong > max(1, read // MOST_WRONG):
        return Completion(Fit.IMPOSSIBLE, read, wrong, candidates)
    boards = tuple(board for near in best for board in near.boards()) if candidates <= FEW else ()
    agreed = _grid(_agreed(best))
    if candidates > 1:
        return Completion(Fit.AMBIGUOUS, read, wrong, candidates, boards, agreed)
    pairs = [(at, tile, boards[0][at]) for at, tile in zip(PLACES, spaces, strict=True)]
    completed = tuple(at for at, tile, _ in pairs if tile is None)
    corrected = tuple(Correction(at, tile, true) for at, tile, true in pairs if tile is not None and tile != true)
    fit = Fit.CORRECTED if corrected else Fit.COMPLETED if completed else Fit.AS_READ
    return Completion(fit, read, wrong, candidates, boards, agreed, completed, corrected)


def _tiles_of(reading: Reading) -> list[Tile | None]:
    spaces = zip(PLACES, _spaces(reading), strict=True)
    return [None if tile is None else _known(tile, at) for at, tile in spaces]


def _nearest(codes: Sequence[int | None]) -> list[_Nearest]:
    """Return the choices of partition and places whose boards come nearest to ``codes``; at least one."""
    best: list[_Nearest] = []
    for partition in range(PARTITIONS):
        matches = [[_match(partition, plane, codes[at : at + 9]) for plane in _THREE] for at in (0, 9, 18)]
        for first, second, last in _PERMUTATIONS:
            near = _Nearest((matches[0][first], matches[1][second], matches[2][last]))
            if not best or near.hits > best[0].hits:
                best = []
            if not best or near.hits == best[0].hits:
                best.append(near)
    return best


def _match(partition: int, plane: int, codes: Sequence[int | None]) -> _Match:
    orders = _orders(partition, plane)
    hits = [sum(map(eq, order, codes)) for order in orders]
    most = max(hits)
    return _Match(most, tuple(order for order, many in zip(orders, hits, strict=True) if many == most))


def _agreed(best: Sequence[_Nearest]) -> list[Tile | None]:
    """Return the tile of each space on which all boards agree, else None."""
    choices: list[set[int]] = [set().union(*sets) for sets in zip(*(near.choices() for near in best), strict=True)]
    return [_TILES[min(codes)] if len(codes) == 1 else None for codes in choices]
