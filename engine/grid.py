"""The board of Cubed, the dice on it, and the SETs that one more die makes (CUBED-2, CUBED-5 to CUBED-8, CUBED-13).

Squares are (row, column), counted from 0 at the top left.

>>> board = CubedBoard(5, 5, ((2, 1), (2, 2), (2, 3)), {(2, 4): 5})
>>> grid = Grid(board, {(2, column): Die(Face.parse(f"{column} red oval")) for column in (1, 2, 3)})
>>> laying = grid.lay((2, 4), Face.parse("1 red oval"))
>>> laying.points, laying.bonus, [str(piece) for piece in laying.lines[0].pieces]
(8, 5, ['2 red oval', '3 red oval', '1 red oval'])
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from reprlib import repr as shorten

from engine.editions import WildPieceError
from engine.events import Line, Place
from engine.sets import is_set
from engine.tokens import Face, Tile

__all__ = ["BoardError", "CubedBoard", "Die", "Grid", "Laying", "Square", "Window"]

Square = tuple[int, int]
"""Row and column of a square, from 0 at the top left."""

Window = tuple[Square, Square, Square]
"""Three neighbouring squares in a row or a column, in reading order."""

FEWEST_LINES = 3
MOST_LINES = 99
MOST_POINTS = 1_000_000


class BoardError(ValueError):
    """Data that are no board; the message quotes what is wrong."""


@dataclass(frozen=True, slots=True)
class CubedBoard:
    """A printed board: its size, where its logo is, and what its bonus squares are worth (CUBED-2)."""

    rows: int
    """Number of rows, 3 to 99."""
    columns: int
    """Number of columns, 3 to 99."""
    logo: Window
    """The three squares for the first SET, in the order in which its dice are laid."""
    bonus: Mapping[Square, int] = field(default_factory=dict)
    """Points of each bonus square."""
    extra: Mapping[str, object] = field(default_factory=dict)
    """What else the board file says, kept as it is."""

    def __post_init__(self) -> None:
        for name, size in (("rows", self.rows), ("columns", self.columns)):
            if not FEWEST_LINES <= size <= MOST_LINES:
                raise BoardError(f"a board has {FEWEST_LINES} to {MOST_LINES} {name}; got {size!r}")
        for square in (*self.logo, *self.bonus):
            if not self.holds(square):
                raise BoardError(f"{list(square)!r} is not on a board of {self.rows} x {self.columns} squares")
        if tuple(sorted(self.logo)) not in self.windows(self.logo[0]):
            raise BoardError(f"the logo is three squares next to each other in a line; got {_listed(self.logo)!r}")
        for square in self.logo:
            if square in self.bonus:
                raise BoardError(f"no bonus can lie under the logo; got one at {list(square)!r}")

    @classmethod
    def from_json(cls, data: object) -> CubedBoard:
        """Return the board that a board file or the header of a record describes; unknown fields are kept.

        :raises BoardError: a field is missing or of the wrong kind; rows or columns are not 3 to 99; the logo is not
            three squares next to each other in a line on the board; a bonus is off the board, under the logo, on a
            square that has one already, or no whole number (CUBED-2, CUBED-16).
        """
        if not isinstance(data, Mapping):
            raise BoardError(f"a board is an object; got {type(data).__name__}")
        extra = {key: value for key, value in data.items() if key not in ("rows", "columns", "logo", "bonus")}
        logo = tuple(_square(at, "logo") for at in _items(data, "logo"))
        if len(logo) != 3:
            raise BoardError(f"the logo has three squares; got {len(logo)}")
        return cls(_whole(data, "rows"), _whole(data, "columns"), logo, _bonuses(_items(data, "bonus")), extra)

    def to_json(self) -> dict[str, object]:
        """Return what a board file says of this board; the inverse of :meth:`from_json`."""
        bonus = [{"at": list(square), "points": points} for square, points in self.bonus.items()]
        size = {"rows": self.rows, "columns": self.columns}
        return {**size, "logo": _listed(self.logo), "bonus": bonus, **self.extra}

    def holds(self, square: Place) -> bool:
        """Return whether ``square`` is on the board."""
        return len(square) == 2 and 0 <= square[0] < self.rows and 0 <= square[1] < self.columns

    def neighbours(self, square: Square) -> tuple[Square, ...]:
        """Return the squares that share a side with ``square``: two to four of them."""
        row, column = square
        around = ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
        return tuple(near for near in around if self.holds(near))

    def windows(self, square: Square) -> tuple[Window, ...]:
        """Return every three squares in a line that hold ``square``, first those of its row: up to six (CUBED-6)."""
        row, column = square
        across = range(max(0, column - 2), min(column, self.columns - 3) + 1)
        down = range(max(0, row - 2), min(row, self.rows - 3) + 1)
        return (
            *(((row, left), (row, left + 1), (row, left + 2)) for left in across),
            *(((top, column), (top + 1, column), (top + 2, column)) for top in down),
        )


@dataclass(frozen=True, slots=True)
class Die:
    """A die that lies on the board."""

    face: Face
    """What it shows."""
    named: Tile | None = None
    """What a Wild stands for (CUBED-14); None for any other die."""

    def __post_init__(self) -> None:
        if self.face.is_wild is (self.named is None):
            raise ValueError(f"a Wild has a name and no other die has; got {str(self.face)!r} as {self.named!r}")

    @property
    def counted(self) -> Face:
        """The face that counts in SETs: a Wild's is the one it stands for."""
        return self.face if self.named is None else Face(self.named)


@dataclass(frozen=True, slots=True)
class Laying:
    """What one more die makes of a grid."""

    grid: Grid
    """The grid with the die."""
    lines: tuple[Line, ...]
    """Every SET that the die completes, with its points."""
    bonus: int
    """What its square pays, 0 if nothing."""

    @property
    def points(self) -> int:
        """All that the die scores."""
        return self.bonus + sum(line.points for line in self.lines)

    @property
    def squares(self) -> frozenset[Place]:
        """Every square of a SET that the die completes."""
        return frozenset(square for line in self.lines for square in line.at)


@dataclass(frozen=True, slots=True)
class Grid:
    """A board and the dice on it. Dice never leave it: a swap changes one for another."""

    board: CubedBoard
    """The printed board."""
    dice: Mapping[Square, Die] = field(default_factory=dict)
    """What lies where."""

    @property
    def bonuses_taken(self) -> frozenset[Square]:
        """The bonus squares that have been occupied (CUBED-16)."""
        return frozenset(square for square in self.board.bonus if square in self.dice)

    @property
    def open_squares(self) -> tuple[Square, ...]:
        """Every free square that shares a side with a die (CUBED-5), in reading order."""
        near = {square for taken in self.dice for square in self.board.neighbours(taken)}
        return tuple(sorted(near - self.dice.keys()))

    def connected(self, square: Square) -> bool:
        """Return whether a die lies beside ``square``, sharing a side (CUBED-5)."""
        return any(near in self.dice for near in self.board.neighbours(square))

    def full_windows(self, square: Square) -> Iterator[Window]:
        """Yield the windows through ``square`` in which a die lies on each of the three squares (CUBED-7)."""
        return (window for window in self.board.windows(square) if all(at in self.dice for at in window))

    def faces(self, window: Window) -> tuple[Face, Face, Face]:
        """Return the three faces that count in a full ``window``."""
        first, second, last = window
        return self.dice[first].counted, self.dice[second].counted, self.dice[last].counted

    def is_set(self, window: Window, *, identical: bool = True) -> bool:
        """Return whether the dice of a full ``window`` are a SET; ``identical``: three equal ones are (CUBED-17)."""
        faces = self.faces(window)
        return is_set(*faces) and (identical or faces[0] != faces[1])

    def sets_through(self, square: Square, *, identical: bool = True) -> tuple[Window, ...]:
        """Return the windows through ``square`` that are full and SETs (CUBED-7)."""
        return tuple(window for window in self.full_windows(square) if self.is_set(window, identical=identical))

    def fails_through(self, square: Square, *, identical: bool = True) -> tuple[Window, ...]:
        """Return the windows through ``square`` that are full and no SETs (CUBED-8)."""
        return tuple(window for window in self.full_windows(square) if not self.is_set(window, identical=identical))

    def lay(
        self,
        square: Square,
        face: Face,
        named: Tile | None = None,
        *,
        uncounted: Collection[Square] = (),
        identical: bool = True,
    ) -> Laying:
        """Return the grid with one more die on the free ``square``, and every SET that it completes (CUBED-7).

        Each die in a SET pays a point, but for the Wild just laid and for the Wilds on the squares ``uncounted``
        (CUBED-13): those no SET holds yet, or all of this turn where ``wild_counts_later_in_turn`` is off.

        :raises WildPieceError: a Wild without a name.
        """
        if face.is_wild and named is None:
            raise WildPieceError
        grid = Grid(self.board, {**self.dice, square: Die(face, named)})
        silent = {square, *uncounted}
        lines = tuple(grid._line(window, silent) for window in grid.sets_through(square, identical=identical))
        return Laying(grid, lines, self.board.bonus.get(square, 0))

    def swap(self, square: Square, face: Face) -> Grid:
        """Return the grid with the die ``face`` in the place of the one on ``square`` (CUBED-15)."""
        return Grid(self.board, {**self.dice, square: Die(face)})

    def _line(self, window: Window, silent: Collection[Square]) -> Line:
        paying = sum(1 for square in window if not (square in silent and self.dice[square].face.is_wild))
        return Line(self.faces(window), paying, window)


def _listed(squares: Collection[Square]) -> list[list[int]]:
    return [list(square) for square in squares]


def _field(data: Mapping[object, object], name: str) -> object:
    try:
        return data[name]
    except KeyError:
        raise BoardError(f"the board lacks {name!r}") from None


def _whole(data: Mapping[object, object], name: str) -> int:
    value = _field(data, name)
    if type(value) is not int:
        raise BoardError(f"{name!r} of a board is a whole number; got {shorten(value)}")
    return value


def _items(data: Mapping[object, object], name: str) -> list[object]:
    value = _field(data, name)
    if not isinstance(value, list):
        raise BoardError(f"{name!r} of a board is a list; got {shorten(value)}")
    return value


def _square(value: object, name: str) -> Square:
    match value:
        case [row, column] if isinstance(value, list) and type(row) is int and type(column) is int:
            return row, column
    raise BoardError(f"a square in {name!r} is [row, column]; got {shorten(value)}")


def _bonuses(items: list[object]) -> dict[Square, int]:
    bonuses: dict[Square, int] = {}
    for item in items:
        if not isinstance(item, Mapping) or set(item) != {"at", "points"}:
            raise BoardError(f"a bonus is {{'at': [row, column], 'points': number}}; got {shorten(item)}")
        square = _square(item["at"], "bonus")
        if square in bonuses:
            raise BoardError(f"a square has one bonus; got two at {list(square)!r}")
        points = _whole(item, "points")
        if abs(points) > MOST_POINTS:
            raise BoardError(f"a bonus is at most {MOST_POINTS} points; got one of {shorten(points)}")
        bonuses[square] = points
    return bonuses
