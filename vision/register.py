"""Find a board of Cubed in a picture and put every die on its square.

The lattice says where squares are; which of them is the board's first, and which way is up, is weighed by the extent
of the crossings, the map of the board, the dice, and by looking at the squares on which the likeliest answers differ.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from vision.anchor import FIRST_NUMBER, OUTSIDE, AnchorConfig, Hypothesis, labels, rank
from vision.boards import CubedPlan, Placement, Square
from vision.faces import FaceEvidence
from vision.finder import Sight
from vision.geometry import homography
from vision.lattice import Lattice, LatticeConfig, find_lattice, lattice_upon
from vision.printed_numbers import Numbers, NumbersConfig, compare_numbers, number_problems, said_of
from vision.types import Detection, Problem, Quad
from vision.window import Window, board_matrix, window_of, with_looks

__all__ = ["Look", "RegisterConfig", "register"]

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
_FILE = ": is this the board of the picture? Check the board file, or "
Look = Callable[[Sequence[Quad]], Sequence[FaceEvidence]]


@dataclass(frozen=True)
class RegisterConfig:
    """How sure a registration must be.

    Hypotheses within ``shortlist`` of the best, ``many`` at most, decide where to look: at ``looks`` squares at a time,
    ``most_looks`` in all, or ``most_without_lines`` where hardly any crossing is seen, until the best leads by
    ``clear`` ln units; a lead of less than ``margin`` is ambiguous. ``temper`` divides scores before they are taken
    for chances. A picture with fewer than ``least_crossings`` and a map whose mean is below ``least_map`` under the
    dice and over the board shows no board. Without lines ``least_numbers`` must be seen in their places. Dice whose
    common offset from the middles of their squares exceeds ``phase`` pitches may all be one square off.
    """

    lattice: LatticeConfig = field(default_factory=LatticeConfig)
    anchor: AnchorConfig = field(default_factory=AnchorConfig)
    numbers: NumbersConfig = field(default_factory=NumbersConfig)
    shortlist: float = 25.0
    many: int = 48
    looks: int = 24
    most_looks: int = 168
    most_without_lines: int = 320
    clear: float = 12.0
    margin: float = 4.0
    temper: float = 4.0
    least_map: float = 0.35
    least_crossings: int = 8
    least_numbers: int = 2
    phase: float = 0.36


def register(
    plan: CubedPlan,
    sight: Sight,
    pieces: Sequence[Detection],
    look: Look,
    size: tuple[int, int],
    *,
    corners: Quad | None = None,
    previous: Mapping[Square, str] | None = None,
    names: Sequence[str] = (),
    config: RegisterConfig | None = None,
) -> Placement:
    """Return where the board lies in a picture of ``size`` (width, height), and the square of each of ``pieces``.

    ``look`` reads squares of the board: it is called a few times with the squares that tell the likeliest answers
    apart. ``corners`` are those of the board's grid, from its own top left clockwise, as a person gives them; they
    override all else, but for numbers that speak plainly against them. ``previous`` is the layout before, by square,
    and ``names`` what the pieces are called now. A placement without a board has the identity as its matrix and no
    cells.

    :raises GeometryError: three of the ``corners`` lie on one line.
    """
    chosen = config or RegisterConfig()
    faces = np.array([piece.quad.corners for piece in pieces], np.float64).reshape(-1, 4, 2)
    if corners is not None:
        return _by_corners(plan, sight, faces, corners, size, look, chosen)
    lattice = find_lattice(sight.crossings, faces, size, chosen.lattice)
    if lattice is None:
        return _no_board(len(pieces))
    window = window_of(lattice, sight, size, max(plan.rows, plan.columns), chosen.anchor)
    ranked, window = _weighed(plan, window, look, previous or {}, names, chosen)
    if _absent(plan, window, ranked[0], chosen):
        return _no_board(len(pieces))
    numbers = compare_numbers(plan, window, ranked[0], chosen.anchor, chosen.numbers)
    ambiguous = _ambiguous(plan, window, ranked, bool(previous), numbers, chosen)
    problems = number_problems(numbers, chosen.numbers)
    if ambiguous is not None:
        problems = [Problem("board-ambiguous", (), f"{ambiguous}give its corners with --corners.")]
    onto = board_matrix(window, ranked[0])
    return _with_cells(plan, lattice, lattice.matrix @ onto, onto, problems, chosen.lattice.rise)


def _weighed(
    plan: CubedPlan,
    window: Window,
    look: Look,
    previous: Mapping[Square, str],
    names: Sequence[str],
    config: RegisterConfig,
) -> tuple[list[Hypothesis], Window]:
    """The hypotheses, best first, after looking at as many squares as it takes."""
    looked = 0
    most = config.most_looks if window.lines else config.most_without_lines
    while True:
        ranked = rank(plan, window.evidence, config.anchor, config.many, previous, names)
        if looked and ranked[0].score - ranked[1].score >= config.clear:
            return ranked, window
        squares = _worth(plan, window, ranked, config)[: min(config.looks, most - looked)]
        if not len(squares):
            return ranked, window
        window = with_looks(window, squares, look(window.quads(squares)), config.anchor)
        looked += len(squares)


def _worth(plan: CubedPlan, window: Window, ranked: Sequence[Hypothesis], config: RegisterConfig) -> Integers:
    """Squares (n, 2) [row, column] to look at: where the hypotheses differ or expect a number, then any on the board.

    Numbers where none of the hypotheses expects one bring others forward.
    """
    near = [one for one in ranked if one.score > ranked[0].score - config.shortlist]
    open_squares = np.argwhere(window.evidence.clear & ~window.evidence.looks.looked)
    if not len(open_squares):
        return open_squares
    rows, columns = open_squares.T
    expected = np.stack([labels(plan, one, window.shape)[rows, columns] for one in near])
    weights = np.exp(np.array([one.score - near[0].score for one in near]) / config.temper)
    weights /= weights.sum()
    shares = np.stack([weights @ (expected == label) for label in np.unique(expected)])
    worth = -(shares * np.log(np.maximum(shares, 1e-12))).sum(axis=0) + 1e-3 * (expected[0] >= FIRST_NUMBER)
    if window.evidence.looks.looked.any() and plan.bonus:
        worth += 1e-4 * (weights @ (expected != OUTSIDE)) + 2e-5
    order = np.argsort(-worth, kind="stable")
    return np.asarray(open_squares[order[worth[order] > 1e-5]], np.int64)


def _absent(plan: CubedPlan, window: Window, best: Hypothesis, config: RegisterConfig) -> bool:
    """Whether there is no board: few crossings, and the map shows none, neither under the dice nor about them."""
    if len(window.lattice.members) >= config.least_crossings:
        return False
    dice = window.evidence.dice >= 0
    clear = (labels(plan, best, window.shape) > 0) & window.evidence.clear
    means = [float(window.chances[where].mean()) for where in (dice, clear) if where.any()]
    return max(means, default=0.0) < config.least_map


def _ambiguous(
    plan: CubedPlan,
    window: Window,
    ranked: Sequence[Hypothesis],
    known: bool,
    numbers: Numbers,
    config: RegisterConfig,
) -> str | None:
    """What is not clear about the best hypothesis, up to where advice begins, or None.

    ``known`` says that the layout before is; ``numbers`` are those seen, if the best hypothesis holds.
    """
    lattice, against = window.lattice, numbers.speak_against(config.numbers)
    if ranked[0].score - ranked[1].score < config.margin:
        turned = ranked[0].turn != ranked[1].turn
        what = "Which way up the board lies" if turned else "Which squares of the board these are"
        return f"{what} is not clear{_FILE if against else '; '}"
    if against:
        return f"{said_of(numbers, config.numbers)}{_FILE}"
    seen, missed = _numbers_seen(plan, window, ranked[0])
    if missed > seen + 1 or (not window.lines and not known and seen < config.least_numbers):
        return f"The numbers seen are not where this board has them{_FILE if missed > seen + 1 else '; '}"
    if lattice.standing.any() and np.abs(lattice.phase).max() > config.phase:
        return "On which squares the dice stand is not clear; "
    return None


def _numbers_seen(plan: CubedPlan, window: Window, best: Hypothesis) -> tuple[int, int]:
    """How many of the numbers looked for are there as expected, and how many are not."""
    looks, expected = window.evidence.looks, labels(plan, best, window.shape)
    rows, columns = np.nonzero(looks.looked & (expected >= FIRST_NUMBER))
    turn, digit = np.divmod(expected[rows, columns] - FIRST_NUMBER, 11)
    there = looks.number[rows, columns, turn, digit] > looks.plain[rows, columns]
    return int(there.sum()), int((~there).sum())


def _no_board(many: int) -> Placement:
    text = "No board of Cubed can be made out in this picture; show more of it, or give its corners with --corners."
    return Placement(np.eye(3), (None,) * many, (Problem("no-board", (), text),))


def _by_corners(
    plan: CubedPlan,
    sight: Sight,
    faces: Floats,
    corners: Quad,
    size: tuple[int, int],
    look: Look,
    config: RegisterConfig,
) -> Placement:
    grid = [(0, 0), (plan.columns, 0), (plan.columns, plan.rows), (0, plan.rows)]
    matrix = homography(grid, corners.corners)
    lattice = lattice_upon(matrix, (plan.columns, plan.rows), sight.crossings, faces, size, config.lattice)
    if lattice is None or (len(faces) and not lattice.standing.any()):
        text = (
            "The dice are not of a likely size for these corners; --corners takes those of the board's grid, clockwise."
        )
        return Placement(matrix, (None,) * len(faces), (Problem("corners", (), text),))
    window = window_of(lattice, sight, size, max(plan.rows, plan.columns), config.anchor)
    numbers = _numbers_between(plan, window, look, config)
    if numbers.speak_against(config.numbers):
        text = (
            f"{said_of(numbers, config.numbers)}: --corners begins at the board's own top left, where its "
            "numbers are upright; or is this another board?"
        )
        return Placement(matrix, (None,) * len(faces), (Problem("corners", (), text),))
    problems = number_problems(numbers, config.numbers)
    return _with_cells(plan, lattice, lattice.matrix, np.eye(3), problems, config.lattice.rise)


def _numbers_between(plan: CubedPlan, window: Window, look: Look, config: RegisterConfig) -> Numbers:
    """What the numbers say between corners that are given, from whichever of them the board begins in truth."""
    column, row = window.origin
    starts = [Hypothesis(0, -row, -column, 0.0)]
    starts += [Hypothesis(2, window.shape[0] + row - plan.rows, window.shape[1] + column - plan.columns, 0.0)]
    if plan.rows == plan.columns:
        starts += [Hypothesis(1, window.shape[1] + column - plan.columns, -row, 0.0)]
        starts += [Hypothesis(3, -column, window.shape[0] + row - plan.rows, 0.0)]
    due = np.any([labels(plan, start, window.shape) >= FIRST_NUMBER for start in starts], axis=0)
    squares = np.argwhere(due & window.evidence.clear)
    seen = with_looks(window, squares, look(window.quads(squares)), config.anchor) if len(squares) else window
    return compare_numbers(plan, seen, starts[0], config.anchor, config.numbers)


def _with_cells(
    plan: CubedPlan, lattice: Lattice, matrix: Floats, onto: Floats, found: Sequence[Problem], rise: float
) -> Placement:
    """The placement; ``onto`` (3, 3) maps board units to lattice coordinates. Of two on a square the truer has it.

    ``found`` are problems with the board itself.
    """
    middles = np.column_stack([lattice.squares + 0.5, np.ones(len(lattice.squares))]) @ np.linalg.inv(onto).T
    squares = np.floor(middles[:, 1::-1] + 1e-6).astype(np.int64)
    cells: list[tuple[int, ...] | None] = [None] * len(squares)
    taken = set[Square]()
    for number in np.argsort(np.linalg.norm(lattice.offsets - lattice.phase, axis=1), kind="stable").tolist():
        row, column = squares[number].tolist()
        on_board = lattice.standing[number] and 0 <= row < plan.rows and 0 <= column < plan.columns
        if on_board and (row, column) not in taken:
            cells[number] = row, column
            taken.add((row, column))
    problems = list(found)
    off = tuple(number for number, cell in enumerate(cells) if cell is None)
    if off:
        text = (
            "Some dice stand on no square of the board." if len(off) > 1 else "A die stands on no square of the board."
        )
        problems.append(Problem("off-board", off, text))
    shift = np.array([[1, 0, lattice.phase[0]], [0, 1, lattice.phase[1]], [0, 0, 1]])
    tops = lattice.pose.plane(lattice.edge * rise) @ shift @ onto if taken else None
    return Placement(matrix, tuple(cells), tuple(problems), tops)
