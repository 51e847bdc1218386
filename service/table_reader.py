"""What reads dice, tiles and boards behind :mod:`service.tables`: the shipped networks of vision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from engine.junior_board import Fit
from service.board_file import (
    CORRECTED,
    AnyBoard,
    CubedFile,
    Junior1File,
    Junior2File,
    completed,
    mend_junior,
)
from service.errors import NoBoardError, one_line
from service.tables import BoardRead, Corners
from vision.board_reading import BoardReadingError, CubedRead
from vision.boards import CubedPlan, JuniorPlan
from vision.faces import FaceEvidence
from vision.geometry import GeometryError
from vision.junior import register_junior
from vision.junior_reading import JuniorRead, Names, best_name, read_junior_board
from vision.load import Limits, load
from vision.table import Asked, TableReader
from vision.types import Frame, Kind, Quad
from vision.watch import Watch

if TYPE_CHECKING:
    from engine.events import Place

__all__ = ["NetworkTables", "asked_of", "plan_of"]

_TEN = 10
_ELSEWHERE = ("no-board", "other-board")
"""Codes of problems with a photo that does not show the board."""
_LEAST_RIGHT = 0.5
"""Least share of the pictures on a board that must lie as on its file."""
_KINDS = {"cubed": Kind.DIE, "junior-1": Kind.TILE, "junior-2": Kind.TILE}


def plan_of(board: AnyBoard | None) -> CubedPlan | JuniorPlan | None:
    """Return what vision needs to know of a board file; None where that has no use for it."""
    if isinstance(board, CubedFile):
        printed = board.board
        return CubedPlan(printed.rows, printed.columns, printed.logo, dict(printed.bonus))
    if isinstance(board, Junior1File):
        squares = tuple(tuple((row[0], row[1], row[2]) for row in square) for square in board.squares)
        return JuniorPlan(squares)
    return None


def _cubed_read(read: CubedRead) -> BoardRead:
    bonus = [{"at": list(at), "points": points} for at, points in sorted(read.bonus.items())]
    logo = [list(at) for at in read.logo]
    data = {"game": "cubed", "rows": read.rows, "columns": read.columns, "logo": logo, "bonus": bonus}
    return BoardRead(data, read.doubts)


def _mend(read: Names) -> Names | None:
    """Return the board that ``read`` comes from, None where there is no such board (JUN-2)."""
    names, found = completed(read)
    if found.fit is Fit.IMPOSSIBLE:
        return None
    return tuple(tuple(tuple(row) for row in square) for square in names)


def _junior_read(read: JuniorRead) -> BoardRead:
    corrected = tuple(CORRECTED.format(at=list(at), read=seen, tile=name) for at, seen, name in read.corrected)
    squares, told = mend_junior(read.squares)
    return BoardRead({"game": "junior-1", "squares": squares}, (*read.doubts, *corrected, *told))


def _share_right(printed: Sequence[FaceEvidence], plan: JuniorPlan) -> float | None:
    """Return the share of the pictures seen that lie as on ``plan``, whichever way up; None where not all is seen."""
    try:
        read = read_junior_board(printed, lambda names: names)
    except BoardReadingError:
        return None
    ours = [np.array(square, object) for square in plan.squares]
    seen = [np.rot90(np.array(square, object), turn) for square in read.squares for turn in range(4)]
    best = [max(int((one == other).sum()) for one in seen[first : first + 4] for other in ours) for first in (0, 4, 8)]
    return sum(best) / sum(name is not None for square in read.squares for row in square for name in row)


def _spaces(game: str, board: AnyBoard | None) -> int | None:
    """How many places the board has on face 2 of Junior, ten where nobody says (JUN-6)."""
    if isinstance(board, Junior2File):
        return board.spaces
    return _TEN if game == "junior-2" else None


def asked_of(game: str, board: AnyBoard | None) -> Asked:
    """Return what is known of a table of ``game`` before it is seen: kind of pieces, places, print, its own Wild."""
    wild = board.embeddings if isinstance(board, CubedFile) else []
    return Asked(
        kind=_KINDS.get(game),
        spaces=_spaces(game, board),
        plan=plan_of(board),
        wild=np.array(wild, np.float32) if wild else None,
    )


def _layout(before: Frame | None) -> dict[Place, str]:
    if before is None:
        return {}
    return {reading.cell: reading.name for reading in before.readings if reading.cell is not None}


@dataclass(frozen=True)
class NetworkTables:
    """The seam's reader; satisfies :class:`service.tables.ReadsTable`."""

    reader: TableReader

    def read_table(
        self,
        data: bytes,
        limits: Limits,
        game: str,
        *,
        board: AnyBoard | None,
        corners: Corners | None,
        empty: bytes | None,
        before: Frame | None,
    ) -> Frame:
        """Return what lies in the photo: see :meth:`service.tables.ReadsTable.read_table`."""
        watch = Watch()
        loaded = load(data, limits)
        watch.lap("load")
        asked = replace(
            asked_of(game, board),
            corners=None if corners is None else Quad.of(corners),
            empty=None if empty is None else load(empty, limits),
            before=_layout(before),
        )
        return self.reader.read(loaded, asked, watch)

    def read_board(
        self, data: bytes, limits: Limits, game: str, *, corners: Corners | None, rows: int | None, columns: int | None
    ) -> BoardRead:
        """Return the board in the photo: see :meth:`service.tables.ReadsTable.read_board`."""
        loaded = load(data, limits)
        try:
            if game == "cubed":
                given = None if corners is None else Quad.of(corners)
                return _cubed_read(self.reader.printed_board(loaded, given, rows, columns))
            return _junior_read(read_junior_board(self.reader.printed_spaces(loaded), _mend))
        except (BoardReadingError, GeometryError) as error:
            raise NoBoardError(one_line(error)) from error

    def check_empty(self, data: bytes, limits: Limits, board: AnyBoard) -> None:
        """Check a photo of a board without tiles: see :meth:`service.tables.ReadsTable.check_empty`."""
        plan, printed = plan_of(board), self.reader.printed_spaces(load(data, limits))
        if not isinstance(plan, JuniorPlan):
            raise NoBoardError(f"no photo of a board of {board.game} without its pieces is needed")
        if (right := _share_right(printed, plan)) is not None:
            if right < _LEAST_RIGHT:
                raise NoBoardError("its pictures lie otherwise than on the board of the file")
            return
        placed = register_junior(plan, [best_name(one) for one in printed], [one.quad for one in printed]).placement
        for problem in placed.problems:
            if problem.code in _ELSEWHERE:
                raise NoBoardError(problem.text)

    def bare(
        self, data: bytes, limits: Limits, frame: Frame, squares: Sequence[tuple[int, int]]
    ) -> list[tuple[int, int]]:
        """Return squares that plainly show no die: see :meth:`service.tables.ReadsTable.bare`."""
        if frame.placement is None or not squares:
            return []
        shown = self.reader.bare(load(data, limits), frame.placement, squares)
        return [at for at, bare in zip(squares, shown, strict=True) if bare]

    def learn_wild(self, photos: Sequence[bytes], limits: Limits) -> list[list[float]]:
        """Return embeddings of Wild faces: see :meth:`service.tables.ReadsTable.learn_wild`."""
        found = [self.reader.wilds(load(photo, limits)) for photo in photos]
        return [[float(number) for number in one] for wilds in found for one in wilds]
