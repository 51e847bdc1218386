"""Find a board of Junior in a picture by the pictures on its spaces, and put every tile on its space.

Each of the 27 spaces of face 1 has its own picture, so what is seen says where it is: the names anchor three squares of
nine, whose places on the board relative to each other are not known beforehand. The plane is one, and fitted to all.

Convention: board units are pitches of the spaces; space (row, column) of the square ``s`` spans [column, column + 1] x
[row, row + 1] from ``offsets[s]``, and ``offsets[0]`` is (0, 0).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
import numpy.typing as npt

from vision.boards import JuniorPlan, Placement
from vision.dice_chain import ChainConfig, chain
from vision.types import Problem, Quad

__all__ = ["JuniorConfig", "JuniorPlacement", "Named", "number_spaces", "register_junior"]

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Named = tuple[str, float]
"""The best name of what is seen, and how likely it is, in 0..1."""

_SPACES = np.array([(column, row) for row in range(3) for column in range(3)], np.float64)


@dataclass(frozen=True)
class JuniorConfig:
    """How a board of Junior is found.

    A space belongs when it lies within ``near`` pitches of its place, a tile within ``far``. A square needs ``fewest``
    names that agree. ``sides`` are the sides of a space believed, in pitches. When less than ``most_wrong`` of the
    names are those of the plan, the board is another one. ``rounds`` and ``steps`` bound the fit. ``chain`` says which
    tiles of face 2 are neighbours.
    """

    near: float = 0.3
    far: float = 0.42
    fewest: int = 4
    sides: tuple[float, float] = (0.6, 1.1)
    most_wrong: float = 0.5
    rounds: int = 3
    steps: int = 5
    chain: ChainConfig = field(default_factory=lambda: ChainConfig(0.92, (0.6, 1.05), 0.3))


@dataclass(frozen=True, eq=False)
class JuniorPlacement:
    """A board of face 1 in a picture: its ``placement``, and the (3, 2) ``offsets`` of its squares in board units.

    An offset is NaN where nothing of the square is seen. ``side`` (2,) is the size of a space in pitches.
    """

    placement: Placement
    offsets: Floats
    side: Floats

    def quad(self, square: int, row: int, column: int) -> Quad | None:
        """Return the space in the picture, from its own top left; None where its square is not seen."""
        middle = self.offsets[square] + (column + 0.5, row + 0.5)
        if not np.isfinite(middle).all():
            return None
        corners = middle + np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * self.side
        return Quad(_through(corners, self.placement.matrix).astype(np.float32))

    def quads(self) -> list[Quad | None]:
        """Return the 27 spaces in the picture, in the order (square, row, column)."""
        return [self.quad(number // 9, number % 9 // 3, number % 3) for number in range(27)]


def _through(points: Floats, matrix: Floats) -> Floats:
    mapped = points @ matrix[:, :2].T + matrix[:, 2]
    return np.asarray(mapped[:, :2] / mapped[:, 2:], np.float64)


def register_junior(
    plan: JuniorPlan, names: Sequence[Named], quads: Sequence[Quad], config: JuniorConfig | None = None
) -> JuniorPlacement:
    """Return where the board lies, and the [square, row, column] of each of ``quads``, which are named by ``names``.

    Printed spaces and tiles alike. A placement without a board has the identity as its matrix and no cells.
    """
    chosen = config or JuniorConfig()
    corners = np.array([quad.corners for quad in quads], np.float64).reshape(-1, 4, 2)
    middles = corners.mean(axis=1)
    expected = _expected(plan, names)
    anchors = _anchors(middles, corners, expected, np.array([weight for _, weight in names]), chosen)
    joint = _joined(anchors, middles, expected, chosen)
    if joint is None:
        return _nothing(len(quads))
    matrix, offsets = joint
    cells = _cells(matrix, offsets, middles, chosen)
    problems = _problems(plan, names, cells, offsets, chosen)
    return JuniorPlacement(Placement(matrix, cells, problems), offsets, _side(matrix, corners, cells))


def _nothing(many: int) -> JuniorPlacement:
    text = "No board of Junior can be made out in this picture; show all of it, from higher up."
    placement = Placement(np.eye(3), (None,) * many, (Problem("no-board", (), text),))
    return JuniorPlacement(placement, np.full((3, 2), np.nan), np.ones(2))


def _expected(plan: JuniorPlan, names: Sequence[Named]) -> Integers:
    """(n, 3) square, column and row of the space that has each name; -1 for names that none has."""
    where = {
        name: (square, column, row)
        for square, rows in enumerate(plan.squares)
        for row, spaces in enumerate(rows)
        for column, name in enumerate(spaces)
    }
    found = [where.get(name, (-1, -1, -1)) for name, _ in names]
    return np.array(found, np.int64).reshape(-1, 3)


def _anchors(
    middles: Floats, corners: Floats, expected: Integers, weights: Floats, config: JuniorConfig
) -> list[tuple[float, int, Integers]]:
    """For each square that enough names agree on: their weight, the square, and the numbers of these names."""
    anchors = []
    for square in range(3):
        named = np.flatnonzero(expected[:, 0] == square)
        found = _agreeing(middles, corners, expected[:, 1:], named, weights, config)
        if len(found) >= config.fewest:
            anchors.append((float(weights[found].sum()), square, found))
    return sorted(anchors, key=lambda anchor: -anchor[0])


def _agreeing(
    middles: Floats, corners: Floats, places: Integers, named: Integers, weights: Floats, config: JuniorConfig
) -> Integers:
    """The largest group of ``named`` whose ``places`` in one square one affine map explains."""
    triples = np.array(list(combinations(named.tolist(), 3)), np.int64).reshape(-1, 3)
    source = np.concatenate([places[triples].astype(np.float64), np.ones((len(triples), 3, 1))], axis=2)
    flat = np.abs(np.linalg.det(source)) > 0.5
    triples, source = triples[flat], source[flat]
    if not len(triples):
        return np.zeros(0, np.int64)
    maps = np.linalg.solve(source, middles[triples])
    back = np.linalg.pinv(maps[:, :2])
    at = np.einsum("nd,tdk->tnk", middles[named], back) - np.einsum("td,tdk->tk", maps[:, 2], back)[:, None]
    fits = (np.abs(at - places[named]) < config.near).all(axis=2)
    side = _sides(corners[triples[:, 0]], back)
    likely = (np.linalg.det(maps[:, :2]) > 0) & (side > config.sides[0]) & (side < config.sides[1])
    scores = np.where(likely, fits @ weights[named], 0.0)
    best = int(scores.argmax())
    return np.asarray(named[fits[best]] if likely[best] else named[:0], np.int64)


def _sides(corners: Floats, back: Floats) -> Floats:
    """The mean side of faces (n, 4, 2) in pitches of the maps ``back`` (n, 2, 2)."""
    sides = np.roll(corners, -1, axis=1) - corners
    return np.asarray(np.linalg.norm(np.einsum("nkd,ndj->nkj", sides, back), axis=2).mean(axis=1), np.float64)


def _joined(
    anchors: Sequence[tuple[float, int, Integers]], middles: Floats, expected: Integers, config: JuniorConfig
) -> tuple[Floats, Floats] | None:
    """The plane's homography and the offsets of the squares, fitted to all names that agree; None if none do."""
    if not anchors:
        return None
    places = expected[:, 1:].astype(np.float64) + 0.5
    first = anchors[0][2]
    matrix = _affine(places[first], middles[first])
    members = np.concatenate([numbers for _, _, numbers in anchors])
    offsets = np.full((3, 2), np.nan)
    for _, square, numbers in anchors:
        offsets[square] = (_through(middles[numbers], _inverse(matrix)) - places[numbers]).mean(axis=0)
    for _ in range(config.rounds):
        matrix, offsets = _fitted(matrix, offsets, places[members], expected[members, 0], middles[members], config)
        at = _through(middles, _inverse(matrix)) - places
        offsets = _apart([_offset(at[expected[:, 0] == square], config) for square in range(3)])
        off = np.nan_to_num(np.abs(at - offsets[expected[:, 0]]).max(axis=1), nan=np.inf)
        members = np.flatnonzero((expected[:, 0] >= 0) & (off < config.near))
        if not len(members):
            return None
    zero = offsets[0] if np.isfinite(offsets[0]).all() else np.zeros(2)
    shift = np.array([[1, 0, zero[0]], [0, 1, zero[1]], [0, 0, 1]])
    return matrix @ shift, offsets - zero


def _affine(places: Floats, pixels: Floats) -> Floats:
    solved = np.linalg.lstsq(np.column_stack([places, np.ones(len(places))]), pixels, rcond=None)[0]
    return np.vstack([solved.T, [0.0, 0.0, 1.0]])


def _fitted(
    matrix: Floats, offsets: Floats, places: Floats, squares: Integers, pixels: Floats, config: JuniorConfig
) -> tuple[Floats, Floats]:
    """Homography and offsets after some steps of Gauss and Newton; ``squares`` (n,) says which offset each has."""
    free = np.bincount(squares, minlength=3) > 0
    free[squares[0]] = False
    moving = np.flatnonzero(free)
    for _ in range(config.steps):
        at = np.column_stack([places + offsets[squares], np.ones(len(places))])
        lines = at @ matrix.T
        seen = lines[:, :2] / lines[:, 2:]
        jacobian = np.zeros((2, len(places), 8 + 2 * len(moving)))
        for axis in range(2):
            jacobian[axis, :, 3 * axis : 3 * axis + 3] = at / lines[:, 2:]
            jacobian[axis, :, 6:8] = -seen[:, axis, None] * at[:, :2] / lines[:, 2:]
            slope = (matrix[axis, :2] - seen[:, axis, None] * matrix[2, :2]) / lines[:, 2:]
            for column, square in enumerate(moving.tolist()):
                chosen = 8 + 2 * column
                jacobian[axis, :, chosen : chosen + 2] = np.where((squares == square)[:, None], slope, 0)
        misses = (pixels - seen).T.reshape(-1)
        step = np.linalg.lstsq(jacobian.reshape(len(misses), -1), misses, rcond=1e-12)[0]
        matrix = matrix + np.append(step[:8], 0.0).reshape(3, 3)
        offsets = offsets.copy()
        offsets[moving] += step[8:].reshape(-1, 2)
    return matrix, offsets


def _inverse(matrix: Floats) -> Floats:
    return np.asarray(np.linalg.inv(matrix), np.float64)


def _offset(at: Floats, config: JuniorConfig) -> tuple[int, Floats]:
    """Where most of the (n, 2) distances agree, and how many do; NaN where no two do."""
    near = np.abs(at[:, None] - at[None]).max(axis=2) < config.near
    counts = near.sum(axis=1)
    if not len(at) or counts.max() < 2:
        return 0, np.full(2, np.nan)
    most = int(counts.argmax())
    return int(counts[most]), np.asarray(at[near[most]].mean(axis=0), np.float64)


def _apart(found: Sequence[tuple[int, Floats]]) -> Floats:
    """The (3, 2) offsets; of squares that would overlap the one that fewer names speak for is NaN."""
    offsets = np.array([offset for _, offset in found])
    for first, second in combinations(range(3), 2):
        if np.abs(offsets[first] - offsets[second]).max() < 2.8:
            offsets[first if found[first][0] < found[second][0] else second] = np.nan
    return offsets


def _cells(
    matrix: Floats, offsets: Floats, middles: Floats, config: JuniorConfig
) -> tuple[tuple[int, ...] | None, ...]:
    """The space of each of the ``middles``; of several on one space the nearest has it."""
    at = _through(middles, _inverse(matrix))[:, None, None] - offsets[:, None] - _SPACES - 0.5
    off = np.nan_to_num(np.linalg.norm(at, axis=3), nan=np.inf).reshape(len(middles), 27)
    cells: list[tuple[int, ...] | None] = [None] * len(middles)
    for number, space in enumerate(off.argmin(axis=1).tolist() if len(middles) else []):
        if off[number, space] < config.far and off[:, space].argmin() == number:
            cells[number] = (space // 9, space % 9 // 3, space % 3)
    return tuple(cells)


def _problems(
    plan: JuniorPlan,
    names: Sequence[Named],
    cells: Sequence[tuple[int, ...] | None],
    offsets: Floats,
    config: JuniorConfig,
) -> tuple[Problem, ...]:
    placed = [(name, cell) for (name, _), cell in zip(names, cells, strict=True) if cell is not None]
    right = sum(plan.squares[cell[0]][cell[1]][cell[2]] == name for name, cell in placed)
    problems = []
    if right < config.most_wrong * len(names):
        text = "Most of the pictures seen are not where this board has them: is it the board of the file?"
        problems.append(Problem("other-board", (), text))
    if not np.isfinite(offsets).all():
        problems.append(Problem("board-cut-off", (), "Part of the board is not seen; show all three squares of it."))
    return tuple(problems)


def _side(matrix: Floats, corners: Floats, cells: Sequence[tuple[int, ...] | None]) -> Floats:
    """The (2,) usual width and height of what lies on the spaces, in pitches."""
    placed = corners[[cell is not None for cell in cells]]
    if not len(placed):
        return np.ones(2)
    flat = _through(placed.reshape(-1, 2), _inverse(matrix)).reshape(-1, 4, 2)
    return np.asarray(np.median(np.ptp(flat, axis=1), axis=0), np.float64)


def number_spaces(
    quads: Sequence[Quad], spaces: int = 10, config: JuniorConfig | None = None
) -> tuple[tuple[int, ...] | None, ...]:
    """Return the number of the space of each tile of face 2, from 0 in reading order, as seen upright.

    The tiles must show how far the ``spaces`` reach: a block of rows and columns as many. None for all where they do
    not, and for a tile beside the block. Which way up a board lies that is turned by about 45 degrees is arbitrary.
    """
    chosen = config or JuniorConfig()
    corners = np.array([quad.corners for quad in quads], np.float64).reshape(-1, 4, 2)
    linked = chain(corners, chosen.chain)
    nothing: list[tuple[int, ...] | None] = [None] * len(quads)
    if linked is None:
        return ()
    squares = np.floor(linked.corners.mean(axis=1)).astype(np.int64)
    turned = _upright(squares, corners[linked.members].mean(axis=1))
    rows, columns = (turned.max(axis=0) + 1).tolist() if turned is not None else (0, 0)
    if turned is None or rows * columns != spaces:
        return tuple(nothing)
    for number, (row, column) in zip(linked.members.tolist(), turned.tolist(), strict=True):
        nothing[number] = (row * columns + column,)
    return tuple(nothing)


def _upright(squares: Integers, middles: Floats) -> Integers | None:
    """Rows and columns (n, 2) of lattice squares (x, y), turned so that columns run rightwards in the picture."""
    if (np.ptp(squares, axis=0) == 0).all():
        return None
    solved = np.linalg.lstsq(np.column_stack([squares, np.ones(len(squares))]), middles, rcond=None)[0]
    along_x = solved[0] if np.ptp(squares[:, 0]) else np.array([solved[1, 1], -solved[1, 0]])
    turn = int(np.rint(np.arctan2(along_x[1], along_x[0]) / (np.pi / 2))) % 4
    x, y = squares.T
    column, row = ((x, y), (-y, x), (-x, -y), (y, -x))[turn]
    return np.stack([row - row.min(), column - column.min()], axis=1)
