"""Read face 1 of a board of Junior off a photo of it empty: 27 pictures in three squares of nine.

The squares of a printed board are magic, which only the caller can check: see :data:`Mend`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from engine.tokens import Colour, Number, Shape, Tile
from vision.board_reading import BoardReadingError
from vision.dice_chain import Chain, ChainConfig, chain
from vision.faces import FaceEvidence

__all__ = ["JuniorRead", "JuniorReadingConfig", "Mend", "Names", "best_name", "read_junior_board"]

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

Names = tuple[tuple[tuple[str | None, ...], ...], ...]
"""What was read, as [square][row][column], 3 x 3 x 3; None where nothing could be read."""

Mend = Callable[[Names], Names | None]
"""Returns the one printed board nearest to what was read, or None where there is none or are several."""


@dataclass(frozen=True)
class JuniorReadingConfig:
    """How a board of Junior is read.

    Spaces side by side in a square are nearest to each other: neighbours are at most ``near`` pitches off where a
    space says, with the pitch taken from the nearest ones. ``apart`` is the difference of height, in pitches, within
    which squares count as side by side. When the reading is no board, the ``doubted`` least sure spaces are left out,
    one number after the other, before it is given up.
    """

    near: float = 0.13
    edges: tuple[float, float] = (0.5, 1.1)
    apart: float = 1.6
    doubted: tuple[int, ...] = (0, 3, 6, 9)


@dataclass(frozen=True)
class JuniorRead:
    """A board of Junior as read.

    ``squares`` holds its names. ``corrected`` are spaces that were read as something else: the space as (square, row,
    column), what was read, what must be there. ``unsure`` are spaces whose name is a guess; ``doubts`` say in plain
    sentences what a person should check.
    """

    squares: Names
    corrected: tuple[tuple[tuple[int, int, int], str, str], ...] = ()
    unsure: tuple[tuple[int, int, int], ...] = ()
    doubts: tuple[str, ...] = field(default=())


def best_name(evidence: FaceEvidence) -> tuple[str, float]:
    """Return the likeliest name of a face with symbols, and how likely it is in 0..1."""
    logs = [evidence.logs[feature] for feature in ("number", "colour", "shape")]
    number, colour, shape = (int(log.argmax()) for log in logs)
    piece = Tile(tuple(Number)[number], tuple(Colour)[colour], tuple(Shape)[shape])
    return str(piece), float(np.exp(sum(float(log.max()) for log in logs)))


def read_junior_board(
    evidence: Sequence[FaceEvidence], mend: Mend, config: JuniorReadingConfig | None = None
) -> JuniorRead:
    """Return the board whose 27 printed spaces the face reader saw as ``evidence``.

    Squares and their spaces are in reading order as seen from the side nearest to upright in the picture. ``mend``
    finds the board that a reading comes from.

    :raises BoardReadingError: no three squares of nine spaces are seen.
    """
    chosen = config or JuniorReadingConfig()
    faces = np.array([one.quad.corners for one in evidence], np.float64).reshape(-1, 4, 2)
    places = _spaces(faces, chosen)
    named = {place: best_name(evidence[number]) for place, number in places.items()}
    order = sorted(named, key=lambda place: named[place][1])
    for many in chosen.doubted:
        mended = mend(_names(named, order[:many]))
        if mended is not None:
            return _mended(mended, named, order[:many])
    said = "The pictures read are those of no board; check every space of the file."
    return JuniorRead(_names(named, ()), (), tuple(sorted(named)), (said,))


def _mended(mended: Names, named: dict[tuple[int, int, int], tuple[str, float]], left: Sequence[object]) -> JuniorRead:
    corrected = []
    for place in sorted(named):
        name = mended[place[0]][place[1]][place[2]]
        if name is not None and name != named[place][0]:
            corrected.append((place, named[place][0], name))
    doubts: list[str] = []
    if len(named) < 27:
        doubts.append(f"Spaces that were not seen follow from the others: {27 - len(named)}; check them.")
    if left:
        doubts.append(f"The spaces read worst follow from the others: {len(left)}; check them.")
    return JuniorRead(mended, tuple(corrected), (), tuple(doubts))


def _names(named: dict[tuple[int, int, int], tuple[str, float]], left_out: Sequence[object]) -> Names:
    def name(place: tuple[int, int, int]) -> str | None:
        return named[place][0] if place in named and place not in left_out else None

    three = range(3)
    return tuple(tuple(tuple(name((square, row, column)) for column in three) for row in three) for square in three)


def _spaces(faces: Floats, config: JuniorReadingConfig) -> dict[tuple[int, int, int], int]:
    """The number of the face on each space seen, by (square, row, column)."""
    groups = _squares_of(faces, config)
    if len(groups) != 3:
        raise BoardReadingError(
            f"a board of Junior shows three squares of nine pictures; {len(groups)} can be made out"
        )
    middles = faces.mean(axis=1)
    across, down = _axes(groups, middles)
    placed = []
    for group in groups:
        squares = np.floor(group.corners.mean(axis=1))
        solved = np.linalg.lstsq(np.column_stack([squares, np.ones(len(squares))]), middles[group.members], rcond=None)[
            0
        ]
        turn = int(np.argmax([solved[0] @ across, -(solved[1] @ across), -(solved[0] @ across), solved[1] @ across]))
        x, y = squares.T
        column, row = ((x, y), (-y, x), (-x, -y), (y, -x))[turn]
        centre = middles[group.members].mean(axis=0)
        pitch = float(np.linalg.norm(solved[:2], axis=1).mean())
        cells = np.stack([row - row.min(), column - column.min()], axis=1).astype(np.int64)
        placed.append((float(centre @ down) / pitch, float(centre @ across) / pitch, group.members, cells))
    found = {}
    for square, (_, _, members, cells) in enumerate(_in_reading_order(placed, config)):
        for number, (row, column) in zip(members.tolist(), cells.tolist(), strict=True):
            found[square, row, column] = number
    return found


_Placed = tuple[float, float, Integers, Integers]


def _in_reading_order(placed: Sequence[_Placed], config: JuniorReadingConfig) -> list[_Placed]:
    """Squares from the top down, those about as high from left to right."""
    left, ordered = sorted(placed, key=lambda square: square[0]), list[_Placed]()
    while left:
        level = [square for square in left if square[0] - left[0][0] < config.apart]
        ordered += sorted(level, key=lambda square: square[1])
        left = left[len(level) :]
    return ordered


def _squares_of(faces: Floats, config: JuniorReadingConfig) -> list[Chain]:
    """Groups of spaces that fill three rows and three columns; squares as near to each other as spaces are parted."""
    edge = _edge(faces)
    left = np.arange(len(faces))
    found: list[Chain] = []
    while len(left) >= 5:
        group = chain(faces[left], ChainConfig(edge, config.edges, config.near))
        if group is None or len(group.members) < 5:
            break
        squares = np.floor(group.corners.mean(axis=1))
        if (np.ptp(squares, axis=0) % 3 == 2).all():
            threes = np.floor((squares - squares.min(axis=0)) / 3)
            for block in np.unique(threes, axis=0):
                part = np.flatnonzero((threes == block).all(axis=1))
                found.append(Chain(left[group.members[part]], group.corners[part], group.edge))
        left = np.delete(left, group.members)
    return [group for group in found if len(group.members) >= 5]


def _edge(faces: Floats) -> float:
    """A space's side over the distance to the nearest other space, as most have it."""
    if len(faces) < 2:
        return 1.0
    middles = faces.mean(axis=1)
    across = (faces[:, 1] + faces[:, 2] - faces[:, 0] - faces[:, 3]) / 2
    down = (faces[:, 2] + faces[:, 3] - faces[:, 0] - faces[:, 1]) / 2
    sides = np.linalg.inv(np.stack([across, down], axis=2))
    apart = np.einsum("iab,ijb->ija", sides, middles[None] - middles[:, None])
    gaps = np.abs(apart).max(axis=2)
    np.fill_diagonal(gaps, np.inf)
    return float(1 / np.median(gaps.min(axis=1)))


def _axes(groups: Sequence[Chain], middles: Floats) -> tuple[Floats, Floats]:
    """Unit vectors in the picture along the rows and the columns of the squares, rows as level as may be."""
    group = groups[0]
    squares = np.floor(group.corners.mean(axis=1))
    solved = np.linalg.lstsq(np.column_stack([squares, np.ones(len(squares))]), middles[group.members], rcond=None)[0]
    steps = [solved[0], solved[1], -solved[0], -solved[1]]
    turn = int(np.argmax([step[0] / np.linalg.norm(step) for step in steps]))
    across, down = steps[turn], steps[(turn + 1) % 4]
    return across / np.linalg.norm(across), down / np.linalg.norm(down)
