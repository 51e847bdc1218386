"""A reader of dice, tiles and boards that sees what it is told to, and pictures of boards with exact quads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine.tokens import parse_piece
from service.board_file import AnyBoard
from service.errors import NoBoardError
from service.tables import BoardRead, Corners
from vision.boards import Placement
from vision.load import Limits, load
from vision.types import Doubt, Frame, Kind, Problem, Quad, Reading

PITCH = 20.0
"""Pixels from one square to the next."""

Names = Mapping[tuple[int, ...], str]
"""What lies on each place."""


@dataclass
class Scene:
    """What one photo shows."""

    names: Names = field(default_factory=dict)
    doubts: Mapping[tuple[int, ...], Doubt] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    placed: bool = True
    confidence: float = 0.97

    def frame(self, size: tuple[int, int], kind: Kind) -> Frame:
        """Return the frame; squares are ``PITCH`` pixels wide, from the corner of the picture."""
        readings = tuple(self._reading(at, name, kind) for at, name in self.names.items())
        matrix = np.diag([PITCH, PITCH, 1.0])
        placement = Placement(matrix, tuple(reading.cell for reading in readings), self.problems)
        return Frame(size, readings, None, 20.0, {"load": 1.0}, placement=placement if self.placed else None)

    def _reading(self, at: tuple[int, ...], name: str, kind: Kind) -> Reading:
        left, top = at[-1] * PITCH + 1, (at[-2] + (4 * at[0] if len(at) == 3 else 0)) * PITCH + 1
        side = PITCH - 2
        quad = Quad.of([(left, top), (left + side, top), (left + side, top + side), (left, top + side)])
        return Reading(quad, parse_piece(name, kind), self.confidence, {}, self.doubts.get(at), kind, at)


@dataclass
class FakeTables:
    """Sees the ``scenes`` one after the other, whatever the photos show, or nothing; keeps what it was asked."""

    scenes: Sequence[Scene] = ()
    kind: Kind = Kind.DIE
    board: BoardRead = field(default_factory=lambda: BoardRead({}))
    wilds: Sequence[list[list[float]]] = ()
    empty_squares: Sequence[tuple[int, int]] = ()
    asked: list[dict[str, Any]] = field(default_factory=list)
    elsewhere: str = ""
    """Why a photo without tiles does not show the board."""

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
        """Return the frame of the next scene."""
        size = load(data, limits).size
        scene = self.scenes[len(self.asked)] if self.scenes else Scene()
        self.asked.append({"game": game, "board": board, "corners": corners, "empty": empty, "before": before})
        return scene.frame(size, self.kind)

    def read_board(
        self,
        data: bytes,
        limits: Limits,
        game: str,
        *,
        corners: Corners | None,
        rows: int | None,
        columns: int | None,
    ) -> BoardRead:
        """Return the board it is told to see."""
        load(data, limits)
        self.asked.append({"game": game, "corners": corners, "rows": rows, "columns": columns})
        return self.board

    def check_empty(self, data: bytes, limits: Limits, board: AnyBoard) -> None:
        """Refuse the photo if told to."""
        load(data, limits)
        if self.elsewhere:
            raise NoBoardError(self.elsewhere)

    def bare(
        self, data: bytes, limits: Limits, frame: Frame, squares: Sequence[tuple[int, int]]
    ) -> list[tuple[int, int]]:
        """Return those squares that it is told to see bare."""
        assert frame.readings
        return [at for at in squares if at in self.empty_squares]

    def learn_wild(self, photos: Sequence[bytes], limits: Limits) -> list[list[float]]:
        """Return the next embeddings it is told to see."""
        found = self.wilds[len(self.asked)]
        self.asked.append({"photos": len(photos)})
        return found
