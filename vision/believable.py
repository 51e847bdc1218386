"""Which finds can be dice, given where the board lies: print, sides of dice and things lying about are none.

A die's top face is a square of the board lifted by the die's height; what is printed lies on the board itself; the side
of a die hangs between the two. Seen aslant the three differ, seen from straight above the rules help: dice are joined
to each other (CUBED-5), so a number that stands alone is print.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from vision.boards import CubedPlan, Placement, Square
from vision.geometry import quad_iou, transform
from vision.types import Problem, Quad, Reading

__all__ = ["BelievableConfig", "believable", "free_tops", "only", "renumbered", "stands_there"]

Floats = npt.NDArray[np.float64]
_RIM = 2
"""Squares beyond the board on which what stands off it is compared too."""
_AROUND = [(row, column) for row in (-1, 0, 1) for column in (-1, 0, 1)]


@dataclass(frozen=True)
class BelievableConfig:
    """What shares ``flat`` (IoU) with a square of the board, or ``side`` with the side of a die, more than with where
    a die's top would be, by ``lead`` for sides and ``joined`` for squares beside dice, is that; what shares ``top``
    with it is no side. ``sizes`` is the range of a die's side against a square; ``hand`` how many squares a Wild beside
    the board may be from the next die there; ``astray`` how far in squares a die may stand from the middle of a square
    that is free; ``there`` is what a face looked for on a square shares with the top of a die there, ``edge`` the
    likely edge of a die in squares. An ambiguous board on which less than the share ``placed`` of what is sure has a
    square is not trusted.
    """

    flat: float = 0.6
    side: float = 0.6
    top: float = 0.75
    lead: float = 0.1
    joined: float = 0.1
    sizes: tuple[float, float] = (0.72, 1.3)
    hand: float = 3.0
    astray: float = 0.42
    there: float = 0.55
    edge: float = 0.9
    placed: float = 0.5


def _squares(plan: CubedPlan, matrix: Floats, edge: float) -> npt.NDArray[np.float32]:
    """The board's squares and those about it, shrunk to ``edge``, in pixels: (rows, columns, 4, 2), from -_RIM on."""
    corners = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]) * edge
    rows, columns = (np.arange(-_RIM, many + _RIM) + 0.5 for many in (plan.rows, plan.columns))
    middles = np.stack(np.meshgrid(columns, rows), -1)
    return transform((middles[:, :, None] + corners).reshape(-1, 2), matrix).reshape(*middles.shape[:2], 4, 2)


def _beside(square: Square, taken: Collection[tuple[int, ...]]) -> bool:
    """Return whether a square shares a side with one of ``taken``."""
    row, column = square
    return any(near in taken for near in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)))


def renumbered(problems: Sequence[Problem], kept: Sequence[int]) -> tuple[Problem, ...]:
    """Return the problems of the pieces ``kept``, by their numbers, in that order; those of others alone are gone."""
    new = {number: place for place, number in enumerate(kept)}
    out = []
    for problem in problems:
        pieces = tuple(sorted(new[number] for number in problem.pieces if number in new))
        if pieces or not problem.pieces:
            out.append(replace(problem, pieces=pieces))
    return tuple(out)


def only(placement: Placement, kept: Sequence[int]) -> Placement:
    """Return the placement of the pieces ``kept``, by their numbers, in that order."""
    cells = tuple(placement.cells[number] for number in kept)
    return replace(placement, cells=cells, problems=renumbered(placement.problems, kept))


class _Board:
    """Where squares, tops and sides of dice are in the picture."""

    def __init__(self, placement: Placement, plan: CubedPlan) -> None:
        self.flat, self.plan = placement.matrix, plan
        self.top = placement.matrix if placement.tops is None else placement.tops
        self.raised = placement.tops is not None
        self._flats, self._tops = (_squares(plan, matrix, 1.0) for matrix in (self.flat, self.top))

    def top_quad(self, at: Square) -> Quad:
        """The top of a die as large as the square under it."""
        return self._at(at, self._tops)

    def flat_quad(self, at: Square) -> Quad:
        return self._at(at, self._flats)

    @staticmethod
    def _at(at: Square, quads: npt.NDArray[np.float32]) -> Quad:
        """The square, or the one nearest to it that is known."""
        row, column = (min(max(n + _RIM, 0), many - 1) for n, many in zip(at, quads.shape, strict=False))
        return Quad(quads[row, column])

    def sides(self, at: Square) -> list[Quad]:
        """The four sides of a die on a square, each from an edge of its top to the board; those seen run clockwise."""
        up, down = self.top_quad(at).corners, self.flat_quad(at).corners
        return [Quad(np.stack([up[n - 3], up[n], down[n], down[n - 3]])) for n in range(4)]

    def on_flat(self, quad: Quad) -> Floats:
        """(2,) x and y of the middle of ``quad`` in board units, if it lies on the board."""
        return np.asarray(transform([quad.centre], np.linalg.inv(self.flat))[0], np.float64)

    def on_top(self, quad: Quad) -> Floats:
        """(2,) x and y of the middle of ``quad`` in board units, if it is the top of a die."""
        return np.asarray(transform([quad.centre], np.linalg.inv(self.top))[0], np.float64)

    def size(self, quad: Quad) -> float:
        """The side of ``quad`` against that of a square's top at the same place."""
        x, y = self.on_top(quad)
        here = Quad(
            transform([(x - 0.5, y - 0.5), (x + 0.5, y - 0.5), (x + 0.5, y + 0.5), (x - 0.5, y + 0.5)], self.top)
        )
        return float(abs(quad.area / max(abs(here.area), 1e-6)) ** 0.5)


def believable(
    readings: Sequence[Reading], placement: Placement, plan: CubedPlan, config: BelievableConfig | None = None
) -> tuple[list[int], Placement]:
    """Return the numbers of the readings that can be dice, and their placement.

    A face that stands askew beside other dice gets the free square under it.
    """
    chosen = config or BelievableConfig()
    codes = {problem.code for problem in placement.problems}
    pairs = zip(readings, placement.cells, strict=True)
    sure = [cell for reading, cell in pairs if reading.doubt is None and reading.name != "wild"]
    few = sum(cell is not None for cell in sure) < chosen.placed * len(sure)
    if "no-board" in codes or ("board-ambiguous" in codes and few):
        return list(range(len(readings))), placement
    board = _Board(placement, plan)
    cells = _with_askew(readings, placement.cells, board, chosen)
    taken = {cell for cell in cells if cell is not None}
    firm = {cell for reading, cell in zip(readings, cells, strict=True) if cell is not None and reading.name != "wild"}
    kept = [
        number
        for number, (reading, cell) in enumerate(zip(readings, cells, strict=True))
        if not _is_print(reading, cell, taken, firm, board, chosen)
        and not _is_side(reading, cell, taken, board, chosen)
    ]
    kept = [
        number
        for number in kept
        if cells[number] is not None or _is_loose(number, kept, readings, cells, board, chosen)
    ]
    return kept, only(_told(placement, cells), kept)


def free_tops(
    placement: Placement, plan: CubedPlan, size: tuple[int, int], config: BelievableConfig | None = None
) -> list[tuple[Square, Quad]]:
    """Return the free squares beside dice, with where the top of a die there would be, if it is in the picture."""
    config = config or BelievableConfig()
    taken = {(cell[0], cell[1]) for cell in placement.cells if cell is not None}
    if placement.tops is None:
        return []
    tops = _squares(plan, placement.tops, config.edge)
    around = {(r + down, c + right) for r, c in taken for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0))} - taken
    found = []
    for at in sorted(around):
        if 0 <= at[0] < plan.rows and 0 <= at[1] < plan.columns:
            corners = tops[at[0] + _RIM, at[1] + _RIM]
            if (corners >= 0).all() and (corners < np.array(size)).all():
                found.append((at, Quad(corners)))
    return found


def stands_there(
    reading: Reading, at: Square, placement: Placement, plan: CubedPlan, config: BelievableConfig | None = None
) -> bool:
    """Return whether a face read at a free square is the top of a die there, and neither print nor another's side."""
    chosen = config or BelievableConfig()
    board = _Board(placement, plan)
    taken = {cell for cell in placement.cells if cell is not None}
    if _own(reading, at, board) < chosen.there:
        return False
    return not _is_print(reading, at, taken, taken, board, chosen) and not _is_side(reading, at, taken, board, chosen)


def _told(placement: Placement, cells: Sequence[tuple[int, ...] | None]) -> Placement:
    """The placement with these ``cells``, and its problems without the pieces that now have one."""
    problems = []
    for problem in placement.problems:
        pieces = tuple(n for n in problem.pieces if problem.code != "off-board" or cells[n] is None)
        if pieces or not problem.pieces:
            problems.append(replace(problem, pieces=pieces))
    return replace(placement, cells=tuple(cells), problems=tuple(problems))


def _with_askew(
    readings: Sequence[Reading], cells: Sequence[tuple[int, ...] | None], board: _Board, config: BelievableConfig
) -> list[tuple[int, ...] | None]:
    out = list(cells)
    taken = {cell for cell in cells if cell is not None}
    for number, reading in enumerate(readings):
        if out[number] is not None or reading.name == "wild" or not board.raised:
            continue
        x, y = board.on_top(reading.quad)
        square = (int(np.floor(y)), int(np.floor(x)))
        near = max(abs(x - square[1] - 0.5), abs(y - square[0] - 0.5)) <= config.astray
        free = square not in taken and 0 <= square[0] < board.plan.rows and 0 <= square[1] < board.plan.columns
        likely = config.sizes[0] <= board.size(reading.quad) <= config.sizes[1]
        if near and free and likely and _beside(square, taken):
            out[number] = square
            taken.add(square)
    return out


def _own(reading: Reading, cell: tuple[int, ...] | None, board: _Board) -> float:
    """How well a find fits the top of a die on its own square."""
    return 0.0 if cell is None or not board.raised else quad_iou(board.top_quad((cell[0], cell[1])), reading.quad)


def _is_print(
    reading: Reading,
    cell: tuple[int, ...] | None,
    taken: Collection[tuple[int, ...]],
    firm: Collection[tuple[int, ...]],
    board: _Board,
    config: BelievableConfig,
) -> bool:
    """Whether what reads as a Wild lies flat on the board: a number, the logo, a bare square.

    Squares that are ``taken`` may be so by such print, those that are ``firm`` have dice with symbols.
    """
    if reading.name != "wild":
        return False
    x, y = board.on_flat(reading.quad)
    here = (int(np.floor(y)), int(np.floor(x)))
    if here in board.plan.bonus and (cell is None or not _beside((cell[0], cell[1]), taken)):
        return True
    squares = [(here[0] + r, here[1] + c) for r, c in _AROUND]
    squares = [at for at in squares if 0 <= at[0] < board.plan.rows and 0 <= at[1] < board.plan.columns]
    flat = max((quad_iou(board.flat_quad(at), reading.quad) for at in squares), default=0.0)
    x, y = board.on_top(reading.quad)
    top = max(quad_iou(board.top_quad((int(np.floor(y)) + r, int(np.floor(x)) + c)), reading.quad) for r, c in _AROUND)
    bare = here in board.plan.logo and not any(at in firm for at in board.plan.logo)
    joined = cell is not None and not bare and _beside((cell[0], cell[1]), taken)
    return board.raised and flat >= config.flat and flat > top + (config.joined if joined else 0.0)


def _is_side(
    reading: Reading,
    cell: tuple[int, ...] | None,
    taken: Collection[tuple[int, ...]],
    board: _Board,
    config: BelievableConfig,
) -> bool:
    """Whether a find is the side of a die that stands nearby rather than the top of one."""
    own = _own(reading, cell, board)
    if not board.raised or own >= config.top:
        return False
    x, y = board.on_top(reading.quad)
    here = (int(np.floor(y)), int(np.floor(x)))
    dice = [at for at in ((here[0] + r, here[1] + c) for r, c in _AROUND) if at in taken and at != cell]
    side = max((quad_iou(quad, reading.quad) for at in dice for quad in board.sides(at) if quad.area > 0), default=0.0)
    return side >= config.side and side > own + config.lead


def _is_loose(
    number: int,
    kept: Sequence[int],
    readings: Sequence[Reading],
    cells: Sequence[tuple[int, ...] | None],
    board: _Board,
    config: BelievableConfig,
) -> bool:
    """Whether what stands on no square may be a die of a hand: as large as one, if doubtful or Wild beside others."""
    reading = readings[number]
    if not config.sizes[0] <= board.size(reading.quad) <= config.sizes[1]:
        return False
    if reading.name != "wild" and reading.doubt is None:
        return True
    place = board.on_top(reading.quad)
    upon = 0 < place[0] < board.plan.columns and 0 < place[1] < board.plan.rows
    hand = [n for n in kept if n != number and cells[n] is None and readings[n].name != "wild"]
    hand = [n for n in hand if readings[n].doubt is None]
    return not (upon and reading.name == "wild") and any(
        np.linalg.norm(board.on_top(readings[n].quad) - place) <= config.hand for n in hand
    )
