"""What the numbers seen on a board say of its file: whether this is the board, and whether it lies as is thought.

Only a number that is read plainly, upright as the board lies, counts; one that is not seen says nothing, for glare and
distance hide many.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.anchor import AnchorConfig, Hypothesis
from vision.boards import CubedPlan, Square
from vision.types import Problem
from vision.window import Window, board_matrix

__all__ = ["Misfit", "Numbers", "NumbersConfig", "compare_numbers", "number_problems", "said_of"]

_TWO_DIGITS = 10
_TURNED = {0: 0, 1: 1, 6: 9, 8: 8, 9: 6}
"""What a digit looks like upside down, where that is a digit."""


@dataclass(frozen=True)
class NumbersConfig:
    """``plain``: least chance of a number, its digit and its turn together that is plainly read, ``bare`` the same
    where the file has none, for there are many more such squares; ``against``: how many
    such numbers the file must not have there before the board is taken for another one, if they are more than those
    that it has; ``named``: how many of them are named.
    """

    plain: float = 0.7
    bare: float = 0.9
    against: int = 2
    named: int = 3


@dataclass(frozen=True)
class Misfit:
    """A ``digit`` seen on the square ``at``, turned by ``turn`` quarters, where the file has ``points``, or None."""

    at: Square
    digit: int
    turn: int
    points: int | None

    def __str__(self) -> str:
        """As in "a 4 is printed on [2, 4], the board file says 9"."""
        if self.digit == self.points:
            return f"the {self.digit} on {list(self.at)} does not stand upright"
        article, says = "an" if self.digit == 8 else "a", "no number" if self.points is None else self.points
        return f"{article} {self.digit} is printed on {list(self.at)}, the board file says {says}"


@dataclass(frozen=True)
class Numbers:
    """How many numbers seen are those of the file, and the others."""

    right: int
    wrong: tuple[Misfit, ...]

    def speak_against(self, config: NumbersConfig) -> bool:
        """Whether this is another board, or lies otherwise."""
        return len(self.wrong) >= config.against and len(self.wrong) > self.right


def compare_numbers(
    plan: CubedPlan, window: Window, best: Hypothesis, anchor: AnchorConfig, config: NumbersConfig
) -> Numbers:
    """Return which numbers plainly read in ``window`` are where ``plan`` has them, if it lies as ``best`` says."""
    looks = window.evidence.looks
    odds = looks.number[..., :_TWO_DIGITS]
    chances = (np.exp(odds.max(axis=(2, 3))) - anchor.wrong) / (1 - anchor.wrong) * anchor.numbers / (4 * _TWO_DIGITS)
    found = np.argwhere(looks.looked & (chances >= config.plain))
    squares = _on_board(window, best, found)
    right, wrong = 0, list[Misfit]()
    for (row, column), at in zip(found.tolist(), squares, strict=True):
        turn, digit = divmod(int(odds[row, column].argmax()), _TWO_DIGITS)
        points = plan.bonus.get(at)
        if not (0 <= at[0] < plan.rows and 0 <= at[1] < plan.columns) or at in plan.logo:
            continue
        turn = (turn - best.turn) % 4
        if points is not None and (points >= _TWO_DIGITS or _shows(points, digit, turn)):
            right += 1
        elif points is not None or chances[row, column] >= config.bare:
            wrong.append(Misfit(at, digit, turn, points))
    return Numbers(right, tuple(sorted(wrong, key=lambda one: one.at)))


def _shows(points: int, digit: int, turn: int) -> bool:
    """Whether a ``digit`` that stands turned by ``turn`` quarters may be the upright ``points``."""
    return (turn == 0 and digit == points) or (turn == 2 and _TURNED.get(digit) == points)


def _on_board(window: Window, best: Hypothesis, squares: npt.NDArray[np.int64]) -> list[Square]:
    """The squares of the board that lie on ``squares`` (n, 2) [row, column] of the window."""
    middles = squares[:, ::-1] + np.array(window.origin) + 0.5
    at = np.column_stack([middles, np.ones(len(middles))]) @ np.linalg.inv(board_matrix(window, best)).T
    return [(row, column) for column, row in np.floor(at[:, :2] + 1e-6).astype(np.int64).tolist()]


def number_problems(numbers: Numbers, config: NumbersConfig) -> list[Problem]:
    """Return what a person should look at where a few numbers are not those of the file."""
    if not numbers.wrong:
        return []
    return [Problem("board-numbers", (), f"{said_of(numbers, config)}: is this the board of the picture?")]


def said_of(numbers: Numbers, config: NumbersConfig) -> str:
    """Return what is seen on the board and what the file says, as the beginning of a sentence."""
    told = "; ".join(map(str, numbers.wrong[: config.named]))
    return told[:1].upper() + told[1:]
