"""Which square of a lattice is the board's first, and which way is up: every quarter turn and shift, weighed.

Each piece of evidence adds a bounded ln of likelihood over the one where nothing is known: no few mistakes decide.

Convention: arrays of squares are [row, column] of a window of the lattice, rows along y and columns along x; arrays of
crossings have one more of each, and [row, column] is the corner nearest the origin of the square [row, column]. A board
turned by ``turn`` has its own top left at corner ``turn`` (clockwise) of a lattice square.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.boards import CubedPlan, Square

__all__ = ["FIRST_NUMBER", "OUTSIDE", "AnchorConfig", "Evidence", "Hypothesis", "Looks", "labels", "rank"]

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

OUTSIDE, BLANK, LOGO, FIRST_NUMBER = 0, 1, 2, 3


@dataclass(frozen=True)
class AnchorConfig:
    """How much each piece of evidence counts, in ln units.

    ``seen`` for a crossing on the board times its score, ``unseen`` at most for one that should be seen and is not.
    ``board`` times the log-odds of the map, from -``least_odds`` to ``most_odds``, for each square. ``dice`` for each
    die on the board of a group of one, two, three or more side by side: dice of a hand may lie beside the board.
    ``logo_covered`` and ``logo_bare`` for each square of the logo once dice lie; ``kept``, ``changed`` and ``gone`` for
    each die of the layout before. ``square`` times the reader's log-odds that a square is one, at most
    ``most_square``, where lines are seen. ``wrong`` is the chance that a look at a square says nothing, ``numbers`` the
    share of squares that hold a number when nothing is known.
    """

    seen: float = 2.5
    unseen: float = 0.5
    board: float = 0.4
    least_odds: float = 1.0
    most_odds: float = 2.0
    dice: tuple[float, ...] = (1.0, 2.5, 6.0)
    logo_covered: float = 1.5
    logo_bare: float = 2.0
    kept: float = 3.0
    changed: float = -2.5
    gone: float = -2.0
    wrong: float = 0.05
    square: float = 0.4
    most_square: float = 1.0
    numbers: float = 0.15


@dataclass(frozen=True, eq=False)
class Looks:
    """What the face reader said of the squares of a window, 0 where it did not look.

    ``inside`` (rows, columns): ln of likelihood that this is a square of the board over that it is none. ``plain``
    (rows, columns): that no number is printed there, over the likelihood where nothing is known. ``number``
    (rows, columns, 4, 11): the same for a number of each turn and digit; the last "digit" stands for a number that the
    reader cannot read, such as one of two digits, whatever the turn. ``looked``: whether it looked.
    """

    inside: Floats
    plain: Floats
    number: Floats
    looked: Flags


@dataclass(frozen=True, eq=False)
class Evidence:
    """All that is known about a window of the lattice.

    ``crossings`` (rows + 1, columns + 1) and ``board`` (rows, columns): ln of likelihood that this is on the board over
    that it is not. ``dice`` (rows, columns): the number of the die that stands there, or -1. ``clear`` (rows, columns):
    whether the square is in the picture with no die upon or before it.
    """

    crossings: Floats
    board: Floats
    dice: Integers
    clear: Flags
    looks: Looks


@dataclass(frozen=True)
class Hypothesis:
    """The board turned by ``turn``; its square (0, 0) at ``row`` and ``column`` of the window turned that way.

    Both may lie outside the window. ``score`` in ln units.
    """

    turn: int
    row: int
    column: int
    score: float


def rank(
    plan: CubedPlan,
    evidence: Evidence,
    config: AnchorConfig,
    many: int,
    previous: Mapping[Square, str] | None = None,
    names: Sequence[str] = (),
) -> list[Hypothesis]:
    """Return the ``many`` best hypotheses, best first."""
    pad = max(plan.rows, plan.columns)
    sums = _Sums(plan, evidence, pad, config)
    scores = [_scores(plan, evidence, turn, sums, config, previous or {}, names) for turn in range(4)]
    flat = np.concatenate([score.ravel() for score in scores])
    many = min(many, len(flat))
    best = np.argpartition(-flat, many - 1)[:many]
    best = best[np.lexsort((best, -flat[best]))]
    starts = np.cumsum([0] + [score.size for score in scores])
    found = []
    for place in best.tolist():
        turn = int(np.searchsorted(starts, place, side="right")) - 1
        row, column = divmod(place - int(starts[turn]), scores[turn].shape[1])
        found.append(Hypothesis(turn, row - pad, column - pad, float(flat[place])))
    return found


class _Sums:
    """What a board sums up over the squares and crossings that it covers, for each of its places."""

    def __init__(self, plan: CubedPlan, evidence: Evidence, pad: int, config: AnchorConfig) -> None:
        self.pad = pad
        looks = evidence.looks
        dice = _groups(evidence.dice >= 0, config)
        squares = _padded(evidence.board + looks.inside + dice, pad)
        crossings = _padded(evidence.crossings, pad)
        shapes = {(plan.rows, plan.columns), (plan.columns, plan.rows)}
        self._totals = {
            (rows, columns): _total(squares, rows, columns) + _total(crossings, rows + 1, columns + 1)
            for rows, columns in shapes
        }
        self._shape = plan.rows, plan.columns

    def of(self, turn: int) -> Floats:
        """The sums of the board turned by ``turn``: [row + pad, column + pad] of its first square."""
        shape = self._shape if turn % 2 == 0 else self._shape[::-1]
        return np.rot90(self._totals[shape], turn).copy()


def _groups(dice: Flags, config: AnchorConfig) -> Floats:
    """What each die says for the board being there, by how many stand side by side."""
    _, names, stats, _ = cv2.connectedComponentsWithStats(dice.astype(np.uint8), connectivity=4)
    many = np.minimum(stats[names, cv2.CC_STAT_AREA], len(config.dice))
    return np.where(dice, np.array(config.dice)[many - 1], 0.0)


def _padded(field: Floats, pad: int) -> Floats:
    padded = np.zeros((field.shape[0] + 2 * pad, field.shape[1] + 2 * pad))
    padded[pad : pad + field.shape[0], pad : pad + field.shape[1]] = field
    return padded


def _total(field: Floats, rows: int, columns: int) -> Floats:
    """The sum of the field over ``rows`` and ``columns``, for each place of the first."""
    sums = np.zeros((field.shape[0] + 1, field.shape[1] + 1))
    np.cumsum(np.cumsum(field, axis=0), axis=1, out=sums[1:, 1:])
    return np.asarray(
        sums[rows:, columns:] - sums[:-rows, columns:] - sums[rows:, :-columns] + sums[:-rows, :-columns], np.float64
    )


def _scores(
    plan: CubedPlan,
    evidence: Evidence,
    turn: int,
    sums: _Sums,
    config: AnchorConfig,
    previous: Mapping[Square, str],
    names: Sequence[str],
) -> Floats:
    """The score of every place of the board turned by ``turn``: [row + pad, column + pad] of its first square."""
    score = sums.of(turn)
    looks, dice = evidence.looks, evidence.dice >= 0
    for digit in {_digit(points) for points in plan.bonus.values()}:
        squares = [square for square, points in plan.bonus.items() if _digit(points) == digit]
        _scatter(score, looks.number[:, :, turn, digit] - looks.plain, squares, turn, sums.pad, looks.looked)
    if dice.any():
        covered = config.logo_covered * dice - config.logo_bare * evidence.clear - looks.inside
        _scatter(score, covered, plan.logo, turn, sums.pad, dice | evidence.clear)
    else:
        _scatter(score, -looks.inside, plan.logo, turn, sums.pad, looks.looked)
    for square, name in previous.items():
        _scatter(score, _kept(name, evidence, names, config), [square], turn, sums.pad, dice | evidence.clear)
    return score


def _digit(points: int) -> int:
    return points if 0 <= points <= 9 else 10


def _scatter(score: Floats, field: Floats, squares: Sequence[Square], turn: int, pad: int, known: Flags) -> None:
    """Add to each place of the board the ``field`` (0 where not ``known``) at its ``squares``."""
    rows, columns = np.nonzero(np.rot90(known, turn))
    if not len(rows) or not len(squares):
        return
    values = np.rot90(field, turn)[rows, columns]
    down = rows[:, None] + pad - np.array([square[0] for square in squares])
    across = columns[:, None] + pad - np.array([square[1] for square in squares])
    fits = (down >= 0) & (across >= 0) & (down < score.shape[0]) & (across < score.shape[1])
    places = (down * score.shape[1] + across)[fits]
    added = np.broadcast_to(values[:, None], fits.shape)[fits]
    score += np.bincount(places, added, score.size).reshape(score.shape)


def _kept(name: str, evidence: Evidence, names: Sequence[str], config: AnchorConfig) -> Floats:
    """How well a die called ``name`` in the layout before could be the one on each square."""
    same = np.array([config.kept if one == name else config.changed for one in names] + [0.0])
    values = np.where(evidence.clear, config.gone, 0.0)
    return np.where(evidence.dice >= 0, same[evidence.dice], values)


def labels(plan: CubedPlan, hypothesis: Hypothesis, shape: tuple[int, int]) -> Integers:
    """Return what the hypothesis expects on each square of a window of ``shape``, the same shape.

    ``OUTSIDE``, ``BLANK``, ``LOGO``, or ``FIRST_NUMBER`` + 11 x turn + digit, with 10 for numbers of more digits.
    """
    turned = shape if hypothesis.turn % 2 == 0 else shape[::-1]
    board = np.full((plan.rows, plan.columns), BLANK, np.int64)
    for row, column in plan.logo:
        board[row, column] = LOGO
    for (row, column), points in plan.bonus.items():
        board[row, column] = FIRST_NUMBER + 11 * hypothesis.turn + _digit(points)
    field = np.full(turned, OUTSIDE, np.int64)
    top, left = hypothesis.row, hypothesis.column
    shown = board[max(0, -top) : max(0, turned[0] - top), max(0, -left) : max(0, turned[1] - left)]
    first, start = max(0, top), max(0, left)
    field[first : first + shown.shape[0], start : start + shown.shape[1]] = shown
    return np.rot90(field, -hypothesis.turn)
