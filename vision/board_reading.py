"""Read a board off a photo of it empty: its size, its logo and bonus squares, or the 27 pictures of face 1 of Junior.

Whatever could not be made out is left open and said; nothing is guessed without saying so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from vision.anchor import AnchorConfig
from vision.boards import Placement, Square
from vision.finder import Sight
from vision.geometry import homography
from vision.lattice import Lattice, LatticeConfig, find_lattice
from vision.register import Look
from vision.types import Kind, Quad, VisionError
from vision.window import Window, through, window_of

__all__ = ["BoardReadingConfig", "BoardReadingError", "CubedRead", "read_cubed_board"]

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

_Block = tuple[int, int, int, int]
"""Top, left, bottom and right of a block of squares, the last two exclusive."""

_NUMBER, _BLANK, _OTHER = 2, 3, 4
_CORNERS = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64)


class BoardReadingError(VisionError, ValueError):
    """A picture in which no board can be made out, in one sentence."""


@dataclass(frozen=True)
class BoardReadingConfig:
    """How a board is read.

    A board has ``fewest`` rows and columns at least; ``batch`` squares are looked at in one go, within ``reach`` of
    what is seen. A square that was looked at counts ``square`` ln units at most for or against the board being there.
    It holds a number from the probability ``number`` on; its points are sure from ``digit`` on, if it stands the way
    the others do with at least ``upright``. The numbers say which way is up when they lead by ``way_up`` ln units. A
    logo is seen where three squares are neither blank nor numbers with the mean probability ``logo``, and most squares
    are one of these. An edge is unsure when more than ``cut_off`` of the line beyond it would be outside the picture.
    Rows and columns that are given are doubted where the picture speaks for others by ``doubted`` ln units (one row too
    many costs 5 to 14, one too few 12 to 55), and refused from ``plain`` on.
    """

    lattice: LatticeConfig = field(default_factory=LatticeConfig)
    anchor: AnchorConfig = field(default_factory=AnchorConfig)
    fewest: int = 3
    reach: int = 60
    batch: int = 128
    square: float = 0.6
    number: float = 0.5
    digit: float = 0.7
    upright: float = 0.4
    way_up: float = 2.0
    logo: float = 0.5
    cut_off: float = 0.5
    doubted: float = 5.0
    plain: float = 100.0


@dataclass(frozen=True, eq=False)
class CubedRead:
    """A board of Cubed as read: what a plan holds, and what is not sure.

    ``unsure`` are squares with a number that could not be read: they are not among ``bonus``. ``doubts`` say in plain
    sentences what a person should check. ``placement`` has no cells.
    """

    rows: int
    columns: int
    logo: tuple[Square, Square, Square]
    bonus: dict[Square, int]
    unsure: tuple[Square, ...]
    doubts: tuple[str, ...]
    placement: Placement


@dataclass(frozen=True, eq=False)
class _Squares:
    """What the reader says of the squares of a block, chances by class: (rows, columns, 5), (…, 10) and (…, 4).

    NaN where it did not look. ``corners`` (4, 2) are those of the block in lattice coordinates, from its top left.
    """

    what: Floats
    digit: Floats
    turn: Floats
    corners: Floats

    @property
    def shape(self) -> tuple[int, int]:
        return self.what.shape[0], self.what.shape[1]

    def turned(self, turn: int) -> _Squares:
        """The same squares with corner ``turn`` as the top left."""
        what, digit, along = (np.rot90(field, turn) for field in (self.what, self.digit, self.turn))
        return _Squares(what, digit, np.roll(along, -turn, axis=2), np.roll(self.corners, -turn, axis=0))


def read_cubed_board(
    sight: Sight,
    look: Look,
    size: tuple[int, int],
    *,
    corners: Quad | None = None,
    rows: int | None = None,
    columns: int | None = None,
    config: BoardReadingConfig | None = None,
) -> CubedRead:
    """Return the board of Cubed in a picture of ``size`` (width, height), of which the finder has the ``sight``.

    ``look`` reads all its squares. ``corners`` are those of its grid, from its own top left clockwise; with them and
    ``rows`` and ``columns`` a board without printed lines can be read too.

    :raises BoardReadingError: no board is seen, or what is given does not fit what is seen.
    :raises GeometryError: three of the ``corners`` lie on one line.
    """
    chosen = config or BoardReadingConfig()
    faces = np.array([one.quad.corners for one in sight.detections if one.kind is Kind.DIE], np.float64)
    lattice = find_lattice(sight.crossings, faces.reshape(-1, 4, 2), size, chosen.lattice)
    if corners is not None:
        if rows is not None and columns is not None:
            given, doubts = (rows, columns), _miscounted(lattice, corners, (rows, columns))
        else:
            given, doubts = _counted(lattice, corners), ()
        squares = _within_corners(corners, given, look, size, chosen)
        matrix = np.eye(3)
    elif lattice is None or not len(lattice.members):
        raise BoardReadingError("no lines of a board can be made out; give its corners, rows and columns")
    else:
        matrix = lattice.matrix
        window = window_of(lattice, sight, size, chosen.reach, chosen.anchor)
        squares, doubts = _seen(window, look, rows, columns, size, chosen)
    return _read(squares, doubts, matrix, chosen)


def _read(squares: _Squares, doubts: tuple[str, ...], matrix: Floats, config: BoardReadingConfig) -> CubedRead:
    logo, said = _logo(squares, config)
    bonus, unsure = _numbers(squares, logo, config)
    rows, columns = squares.shape
    grid = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float64)
    placed = Placement(homography(grid, through(matrix, squares.corners)), ())
    return CubedRead(rows, columns, logo, bonus, unsure, doubts + said + _unread(unsure), placed)


_DICE = ("Dice lie on the board; what is printed under them was not read.",)


def _counted(lattice: Lattice | None, corners: Quad) -> tuple[int, int]:
    """Rows and columns between four corners, by the lines seen."""
    if lattice is None or not len(lattice.members):
        raise BoardReadingError("no lines of a board can be made out; give the number of its rows and columns")
    at = through(np.asarray(np.linalg.inv(lattice.matrix)), corners.corners)
    sides = np.linalg.norm(np.roll(at, -1, axis=0) - at, axis=1)
    columns, rows = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    if max(abs(sides[0] - sides[2]), abs(sides[1] - sides[3])) > 0.5 or min(rows, columns) < 2.5:
        raise BoardReadingError(f"these corners are not those of the grid that is seen: {corners.tolist()!r}")
    return round(rows), round(columns)


def _miscounted(lattice: Lattice | None, corners: Quad, given: tuple[int, int]) -> tuple[str, ...]:
    """What is said of rows and columns between corners, all of them given, where the lines seen tell of others."""
    if lattice is None or not len(lattice.members):
        return ("No lines of a board are seen between the corners; check that it lies there.",)
    try:
        rows, columns = _counted(lattice, corners)
    except BoardReadingError:
        return ("The lines that are seen do not fit the corners that were given; check them.",)
    if (rows, columns) == given:
        return ()
    return (f"{rows} rows and {columns} columns are seen between the corners; check the numbers that were given.",)


def _within_corners(
    corners: Quad, shape: tuple[int, int], look: Look, size: tuple[int, int], config: BoardReadingConfig
) -> _Squares:
    """What the reader says of the squares of a grid of ``shape`` between four corners; its corners are in pixels."""
    rows, columns = shape
    if min(shape) < config.fewest:
        raise BoardReadingError(f"a board has {config.fewest} rows and columns or more; got {rows!r} and {columns!r}")
    matrix = homography([(0, 0), (columns, 0), (columns, rows), (0, rows)], corners.corners)
    fields = _Fields((rows, columns))
    grid = np.argwhere(np.ones((rows, columns), bool))
    pixels = through(matrix, (grid[:, None, ::-1] + _CORNERS).reshape(-1, 2)).reshape(-1, 4, 2)
    shown = ((pixels > -0.5) & (pixels < np.array(size) - 0.5)).all(axis=(1, 2))
    fields.look(grid[shown], [Quad(one.astype(np.float32)) for one in pixels[shown]], look, config.batch)
    return fields.block((0, 0, rows, columns), corners.corners.astype(np.float64))


class _Fields:
    """What the reader says of the squares of a window, by class; NaN where it did not look."""

    def __init__(self, shape: tuple[int, int]) -> None:
        self.what, self.digit, self.turn = (np.full((*shape, many), np.nan) for many in (5, 10, 4))

    def look(self, squares: Integers, quads: Sequence[Quad], look: Look, batch: int) -> None:
        """Look at ``squares`` (n, 2) [row, column], which are seen as ``quads``."""
        read = [one for first in range(0, len(quads), batch) for one in look(quads[first : first + batch])]
        for (row, column), one in zip(squares.tolist(), read, strict=True):
            self.what[row, column] = np.exp(one.logs["what"])
            self.digit[row, column] = np.exp(one.logs["digit"])
            self.turn[row, column] = np.exp(one.logs["turn"])

    def block(self, block: _Block, corners: Floats) -> _Squares:
        """Return what is said of a block."""
        top, left, bottom, right = block
        part = slice(top, bottom), slice(left, right)
        return _Squares(self.what[part], self.digit[part], self.turn[part], corners)


_Sizes = Sequence[tuple[int | None, int | None]]
"""Numbers of rows and columns that a block of the window may have; None for any."""


def _seen(
    window: Window, look: Look, rows: int | None, columns: int | None, size: tuple[int, int], config: BoardReadingConfig
) -> tuple[_Squares, tuple[str, ...]]:
    """The squares of the block of the window that is the board, the right way up, and what is not sure about it."""
    fields = _Fields(window.shape)
    block = _looked_at(window, fields, look, [(rows, columns), (columns, rows)], config)
    turn, said = _way_up(fields.block(block, _corners(block, window)), window.lattice, config)
    if rows is not None or columns is not None:
        given = (rows, columns) if turn % 2 == 0 else (columns, rows)
        said += _doubted(*_against(window, fields, look, given, config), config)
        block = _looked_at(window, fields, look, [given], config)
    corners = _corners(block, window)
    doubts = _cut_off(corners, window, size, config) + (_DICE if window.lattice.standing.any() else ())
    return fields.block(block, corners).turned(turn), doubts + said


def _against(
    window: Window, fields: _Fields, look: Look, size: tuple[int | None, int | None], config: BoardReadingConfig
) -> tuple[float, tuple[int, int]]:
    """How much the picture speaks against a ``size`` in ln units, and the rows and columns for which it speaks."""
    block = _looked_at(window, fields, look, [(None, None)], config)
    turn, _ = _way_up(fields.block(block, _corners(block, window)), window.lattice, config)
    top, left, bottom, right = block
    rows, columns = (bottom - top, right - left) if turn % 2 == 0 else (right - left, bottom - top)
    seen, given = (_best_block(window, fields.what, [one], config)[1] for one in ((None, None), size))
    return seen - given, (rows, columns)


def _doubted(against: float, seen: tuple[int, int], config: BoardReadingConfig) -> tuple[str, ...]:
    """What is said of rows and columns that are given, where the picture shows ``seen``.

    :raises BoardReadingError: it shows these plainly.
    """
    rows, columns = seen
    if against >= config.plain:
        raise BoardReadingError(
            f"the picture shows {rows} rows and {columns} columns; check the numbers that are given"
        )
    if against >= config.doubted:
        return (f"The picture rather shows {rows} rows and {columns} columns; check the numbers that were given.",)
    return ()


def _corners(block: _Block, window: Window) -> Floats:
    """The corners of a block in lattice coordinates, clockwise from its top left."""
    top, left, bottom, right = block
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float64) + window.origin


def _looked_at(window: Window, fields: _Fields, look: Look, sizes: _Sizes, config: BoardReadingConfig) -> _Block:
    """The best block, after looking at its squares and those next to it."""
    block = (0, 0, 0, 0)
    for _ in range(3):
        found, _ = _best_block(window, fields.what, sizes, config)
        if found == block:
            break
        block = found
        unseen = np.isnan(fields.what[..., 0])
        squares = np.argwhere(window.evidence.clear & unseen & _around(block, window.shape))
        fields.look(squares, window.quads(squares), look, config.batch)
    return block


def _around(block: _Block, shape: tuple[int, int]) -> npt.NDArray[np.bool_]:
    """The squares of a block and those next to it."""
    top, left, bottom, right = block
    field = np.zeros(shape, bool)
    field[max(0, top - 1) : bottom + 1, max(0, left - 1) : right + 1] = True
    return field


def _best_block(window: Window, what: Floats, sizes: _Sizes, config: BoardReadingConfig) -> tuple[_Block, float]:
    """The block of squares for which crossings, map and reader speak most, and how much they do in ln units."""
    odds = np.log((what[..., _BLANK] + what[..., _NUMBER] + 0.05) / (what[..., _OTHER] + 0.05))
    squares = window.evidence.board + np.clip(np.nan_to_num(odds), -config.square, config.square) - 1e-3
    in_squares = np.pad(squares.cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))
    in_crossings = np.pad(window.evidence.crossings.cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))
    tops, bottoms = _spans(squares.shape[0], config.fewest)
    lefts, rights = _spans(squares.shape[1], config.fewest)
    score = _total(in_squares, tops, lefts, bottoms, rights) + _total(
        in_crossings, tops, lefts, bottoms + 1, rights + 1
    )
    high, wide = (bottoms - tops)[:, None], (rights - lefts)[None]
    fits = np.zeros(score.shape, bool)
    for rows, columns in sizes:
        fits |= (high == (rows or high)) & (wide == (columns or wide))
    if not fits.any():
        raise BoardReadingError("the picture shows no board of that many rows and columns")
    score = np.where(fits, score, -np.inf)
    vertical, across = np.unravel_index(int(score.argmax()), score.shape)
    block = int(tops[vertical]), int(lefts[across]), int(bottoms[vertical]), int(rights[across])
    return block, float(score[vertical, across])


def _spans(many: int, fewest: int) -> tuple[Integers, Integers]:
    """All firsts and lasts (exclusive) of ``fewest`` or more of ``many``."""
    first, last = np.meshgrid(np.arange(many + 1), np.arange(many + 1), indexing="ij")
    kept = last - first >= min(fewest, many)
    return first[kept].astype(np.int64), last[kept].astype(np.int64)


def _total(sums: Floats, tops: Integers, lefts: Integers, bottoms: Integers, rights: Integers) -> Floats:
    """The sum over each span of rows and span of columns, from cumulative sums."""
    down = sums[bottoms] - sums[tops]
    return np.asarray(down[:, rights] - down[:, lefts], np.float64)


def _cut_off(corners: Floats, window: Window, size: tuple[int, int], config: BoardReadingConfig) -> tuple[str, ...]:
    """Whether the board may reach beyond the picture: a line next to an edge would not be seen."""
    middle = corners.mean(axis=0)
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        outward = np.sign(np.rint((start + end) / 2 - middle)) * np.abs(np.sign(end - start))[::-1]
        along = np.linspace(0, 1, 12)[:, None]
        pixels = through(window.lattice.matrix, start + along * (end - start) + outward)
        shown = ((pixels > 0) & (pixels < np.array(size) - 1)).all(axis=1)
        if shown.mean() < 1 - config.cut_off:
            return ("Part of the board may be outside the picture; check the numbers of rows and columns.",)
    return ()


def _way_up(squares: _Squares, lattice: Lattice, config: BoardReadingConfig) -> tuple[int, tuple[str, ...]]:
    """The corner of the block at which the board begins: its numbers stand upright, or as the picture shows it."""
    known = np.nan_to_num(squares.what[..., _NUMBER]) > config.number
    votes = np.log(squares.turn[known] + 0.02).sum(axis=0)
    order = np.argsort(-votes, kind="stable")
    if known.any() and votes[order[0]] - votes[order[1]] >= config.way_up:
        return int(order[0]), ()
    pixels = through(lattice.matrix, squares.corners)
    across = np.roll(pixels, -1, axis=0) - pixels
    turn = int(np.argmax(across[:, 0] / np.maximum(np.linalg.norm(across, axis=1), 1e-9)))
    return turn, ("Which way up the board lies is not clear; it is taken as the picture shows it.",)


def _numbers(
    squares: _Squares, logo: Sequence[Square], config: BoardReadingConfig
) -> tuple[dict[Square, int], tuple[Square, ...]]:
    """The points of the bonus squares, and the squares with a number that could not be read."""
    bonus: dict[Square, int] = {}
    unsure: list[Square] = []
    for row, column in np.argwhere(np.nan_to_num(squares.what[..., _NUMBER]) > config.number).tolist():
        digit = squares.digit[row, column]
        if (row, column) in logo:
            continue
        upright = squares.turn[row, column, 0] >= config.upright
        if upright and digit.max() >= config.digit and digit.argmax() > 0:
            bonus[row, column] = int(digit.argmax())
        else:
            unsure.append((row, column))
    return bonus, tuple(unsure)


def _logo(squares: _Squares, config: BoardReadingConfig) -> tuple[tuple[Square, Square, Square], tuple[str, ...]]:
    """The three squares in a line in the middle that hold print but no number."""
    printed = 1 - np.nan_to_num(squares.what[..., _BLANK] + squares.what[..., _NUMBER], nan=1.0)
    rows, columns = squares.shape
    threes = _middle_threes(rows, columns)
    scores = [float(np.mean([printed[square] for square in three])) for three in threes]
    best = int(np.argmax(scores))
    if scores[best] >= config.logo and float(np.median(printed)) < config.logo:
        return threes[best], ()
    return threes[0], ("The logo was not made out; it is taken for the three squares in the middle of a row.",)


def _middle_threes(rows: int, columns: int) -> list[tuple[Square, Square, Square]]:
    """Three squares in a row or in a column at the middle of the board, or next to it where there are two middles."""
    found: list[tuple[Square, Square, Square]] = []
    for row in sorted({(rows - 1) // 2, rows // 2}):
        for column in sorted({(columns - 1) // 2, columns // 2}):
            found.append(((row, column - 1), (row, column), (row, column + 1)))
            found.append(((row - 1, column), (row, column), (row + 1, column)))
    return found


def _unread(unsure: Sequence[Square]) -> tuple[str, ...]:
    if not unsure:
        return ()
    places = ", ".join(f"{row},{column}" for row, column in unsure)
    return (f"These squares hold a number that was not read: {places} (row,column from 0); fill in their points.",)
