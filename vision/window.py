"""The part of a lattice that a picture shows: which squares can be seen, and what is known about each.

Convention: a window holds squares [row, column]; its first square is (x, y) = ``origin`` of the lattice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from vision.anchor import AnchorConfig, Evidence, Hypothesis, Looks
from vision.faces import FaceEvidence
from vision.finder import Sight
from vision.lattice import Lattice
from vision.types import Quad

__all__ = ["Window", "board_matrix", "through", "window_of", "with_looks"]

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

_CORNERS = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64)
_INNER = np.concatenate([0.5 + 0.7 * (_CORNERS - 0.5), [[0.5, 0.5]]])
_HEIGHTS = 5
_FEW_CROSSINGS = 24
"""As many may be the corners of squares that are printed on a board without lines."""


@dataclass(frozen=True, eq=False)
class Window:
    """A window of ``lattice``: its first square ``origin`` (x, y), and what is known of its squares.

    ``inside`` (rows, columns): whether the middle of the square is in the picture; ``chances`` (rows, columns): what
    the map of the board says there.
    """

    lattice: Lattice
    origin: tuple[int, int]
    inside: Flags
    chances: Floats
    evidence: Evidence

    @property
    def lines(self) -> bool:
        """Whether lines of the board are seen."""
        return len(self.lattice.members) > _FEW_CROSSINGS

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.inside.shape[0], self.inside.shape[1]

    def quads(self, squares: Integers) -> list[Quad]:
        """Return the squares (n, 2) [row, column] of the window as quads in the picture, corners as the lattice's."""
        flat = squares[:, None, ::-1] + self.origin + _CORNERS
        pixels = through(self.lattice.matrix, flat.reshape(-1, 2)).reshape(-1, 4, 2)
        return [Quad(corners.astype(np.float32)) for corners in pixels]


def window_of(lattice: Lattice, sight: Sight, size: tuple[int, int], most: int, config: AnchorConfig) -> Window:
    """Return the window of squares in the picture of ``size`` (width, height), ``most`` at most beyond what lies."""
    first, shape = _bounds(lattice, size, most)
    grid = _grid(first, shape)
    middles = through(lattice.matrix, grid + 0.5)
    inside = _within(middles, size)
    clear = np.zeros(len(grid), bool)
    clear[inside] = _clear(lattice, grid[inside], size)
    chances = _chances(sight, middles)
    board = np.zeros(len(grid))
    board[clear] = _board_evidence(chances[clear], config)
    dice = np.full(shape, -1, np.int64)
    for number in np.flatnonzero(lattice.standing).tolist():
        column, row = lattice.squares[number] - first
        if 0 <= row < shape[0] and 0 <= column < shape[1]:
            dice[row, column] = number
    evidence = Evidence(
        _crossings(lattice, sight, first, shape, size, config),
        board.reshape(shape),
        dice,
        clear.reshape(shape) & (dice < 0),
        _unlooked(shape),
    )
    return Window(lattice, (int(first[0]), int(first[1])), inside.reshape(shape), chances.reshape(shape), evidence)


def _bounds(lattice: Lattice, size: tuple[int, int], most: int) -> tuple[Integers, tuple[int, int]]:
    """The first square and the numbers of rows and columns."""
    known = np.concatenate([lattice.places, lattice.squares[lattice.standing]])
    least, greatest = known.min(axis=0) - most, known.max(axis=0) + most
    grid = _grid(least, (int(greatest[1] - least[1]), int(greatest[0] - least[0])))
    shown = grid[_within(through(lattice.matrix, grid + 0.5), size)]
    if not len(shown):
        shown = known
    first = shown.min(axis=0) - 1
    columns, rows = (shown.max(axis=0) + 2 - first).tolist()
    return first, (int(rows), int(columns))


def _grid(first: Integers, shape: tuple[int, int]) -> Integers:
    """Lattice coordinates (x, y) of the squares of a window, (rows x columns, 2)."""
    rows, columns = np.mgrid[0 : shape[0], 0 : shape[1]]
    return np.asarray(np.stack([columns, rows], axis=-1).reshape(-1, 2) + first, np.int64)


def through(matrix: Floats, flat: npt.NDArray[Any]) -> Floats:
    """Return the pixels (n, 2) of lattice coordinates (n, 2); those behind the camera are far outside the picture."""
    if not len(flat):
        return np.zeros((0, 2))
    mapped = flat @ matrix[:, :2].T + matrix[:, 2]
    ahead = mapped[:, 2] * np.sign(matrix[2] @ np.append(np.median(flat, axis=0), 1.0))
    depth = np.where(ahead > 1e-9, mapped[:, 2], np.inf)
    return np.asarray(np.where(ahead[:, None] > 1e-9, mapped[:, :2] / depth[:, None], -1e6), np.float64)


def _within(pixels: Floats, size: tuple[int, int], margin: float = 0.0) -> Flags:
    least, greatest = margin - 0.5, np.array(size) - 0.5 - margin
    return np.asarray(((pixels > least) & (pixels < greatest)).all(axis=-1))


def _clear(lattice: Lattice, grid: Integers, size: tuple[int, int]) -> Flags:
    """Which squares are wholly in the picture, and hardly hidden by dice."""
    points = (grid[:, None] + _INNER).reshape(-1, 2)
    pixels = through(lattice.matrix, points)
    hidden = _hidden(lattice, pixels).reshape(-1, len(_INNER))
    corners = _within(through(lattice.matrix, (grid[:, None] + _CORNERS).reshape(-1, 2)), size).reshape(-1, 4)
    return np.asarray(corners.all(axis=1) & (hidden.sum(axis=1) <= 1) & ~hidden[:, -1])


def _hidden(lattice: Lattice, pixels: Floats) -> Flags:
    """Which pixels (n, 2) show a die rather than the board."""
    dice = lattice.squares[lattice.standing]
    hidden = np.zeros(len(pixels), bool)
    if not len(dice):
        return hidden
    first = dice.min(axis=0) - 1
    taken = np.zeros(dice.max(axis=0) + 2 - first, bool)
    taken[tuple((dice - first).T)] = True
    at = lattice.pose.locate(pixels) - first
    near = np.flatnonzero(((at > -2) & (at < np.array(taken.shape) + 2)).all(axis=1))
    for height in np.linspace(0, lattice.edge, _HEIGHTS):
        at = lattice.pose.locate(pixels[near], float(height)) - lattice.phase - first
        square = np.clip(np.floor(at), 0, np.array(taken.shape) - 1).astype(np.int64)
        upon = (np.abs(at - square - 0.5) < lattice.edge / 2).all(axis=1)
        hidden[near] |= upon & taken[tuple(square.T)]
    return hidden


def _chances(sight: Sight, pixels: Floats) -> Floats:
    """What the map of the board says at ``pixels`` (n, 2), or at the edge of the picture next to them."""
    at = np.rint((pixels + 0.5) / sight.board_scale - 0.5).astype(np.int64)
    columns, rows = np.clip(at, 0, np.array(sight.board.shape[::-1]) - 1).T
    return np.asarray(sight.board[rows, columns], np.float64)


def _board_evidence(chances: Floats, config: AnchorConfig) -> Floats:
    """What the map says for the board being on squares; nothing where it sees no board at all."""
    bounded = np.clip(chances, 1e-3, 1 - 1e-3)
    odds = np.clip(np.log(bounded / (1 - bounded)), -config.least_odds, config.most_odds) * config.board
    return np.asarray(odds - min(0.0, float(odds.mean()) if len(odds) else 0.0), np.float64)


def _crossings(
    lattice: Lattice, sight: Sight, first: Integers, shape: tuple[int, int], size: tuple[int, int], config: AnchorConfig
) -> Floats:
    """For each crossing of the window, how much what is seen there speaks for the board."""
    field = np.zeros((shape[0] + 1, shape[1] + 1))
    grid = _grid(first, (shape[0] + 1, shape[1] + 1))
    pixels = through(lattice.matrix, grid.astype(np.float64))
    due = _within(pixels, size, 4.0)
    due[due] = ~_hidden(lattice, pixels[due])
    places = lattice.places - first
    kept = (places >= 0).all(axis=1) & (places[:, 0] <= shape[1]) & (places[:, 1] <= shape[0])
    columns, rows = places[kept].T
    seen = np.zeros(field.shape, bool)
    seen[rows, columns] = True
    missing = due.reshape(field.shape) & ~seen
    field[missing] = -config.unseen * _share_seen(seen, missing)
    scores = np.asarray(sight.crossings, np.float64).reshape(-1, 3)[lattice.members[kept], 2]
    field[rows, columns] = config.seen * scores
    return field


def _share_seen(seen: Flags, missing: Flags) -> float:
    """Which part of the crossings within the extent of those seen is seen."""
    rows, columns = np.nonzero(seen)
    if not len(rows):
        return 0.0
    box = (slice(rows.min(), rows.max() + 1), slice(columns.min(), columns.max() + 1))
    return float(seen[box].sum() / max(1, seen[box].sum() + missing[box].sum()))


def _unlooked(shape: tuple[int, int]) -> Looks:
    return Looks(np.zeros(shape), np.zeros(shape), np.zeros((*shape, 4, 11)), np.zeros(shape, bool))


def with_looks(window: Window, squares: Integers, read: Sequence[FaceEvidence], config: AnchorConfig) -> Window:
    """Return the window after the reader looked at ``squares`` (n, 2) [row, column], given as :meth:`Window.quads`."""
    looks = window.evidence.looks
    inside, plain, number = looks.inside.copy(), looks.plain.copy(), looks.number.copy()
    looked = looks.looked.copy()
    rows, columns = squares.T
    what = np.exp(np.array([one.logs["what"] for one in read], np.float64))
    digit = np.exp(np.array([one.logs["digit"] for one in read], np.float64)) * 10
    turn = np.exp(np.array([one.logs["turn"] for one in read], np.float64)) * 4
    known = np.concatenate([digit[:, None, :] * turn[:, :, None], np.ones((len(read), 4, 1))], axis=2)
    printed, share = what[:, 2], config.numbers
    inside[rows, columns] = _square_evidence(what, config) if window.lines else 0.0
    plain[rows, columns] = _bounded((1 - printed) / (1 - share), config)
    number[rows, columns] = _bounded(printed[:, None, None] / share * known, config)
    looked[rows, columns] = True
    return replace(window, evidence=replace(window.evidence, looks=Looks(inside, plain, number, looked)))


def _square_evidence(what: Floats, config: AnchorConfig) -> Floats:
    """How much the reader speaks for squares of a board, (n,); without lines a bare square looks like anything."""
    odds = np.log((what[:, 2] + what[:, 3] + config.wrong) / (what[:, 4] + config.wrong))
    return np.asarray(np.clip(odds * config.square, -config.most_square, config.most_square), np.float64)


def _bounded(ratio: Floats, config: AnchorConfig) -> Floats:
    return np.asarray(np.log(config.wrong + (1 - config.wrong) * ratio), np.float64)


def board_matrix(window: Window, hypothesis: Hypothesis) -> Floats:
    """Return the (3, 3) map from board units to lattice coordinates."""
    turn, row, column = hypothesis.turn, hypothesis.row, hypothesis.column
    rows, columns = window.shape
    corner = ((column, row), (columns - row, column), (columns - column, rows - row), (row, rows - column))[turn]
    axis = ((1, 0), (0, 1), (-1, 0), (0, -1))[turn]
    x, y = corner[0] + window.origin[0], corner[1] + window.origin[1]
    return np.array([[axis[0], -axis[1], x], [axis[1], axis[0], y], [0, 0, 1]], np.float64)
