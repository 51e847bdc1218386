"""Corners of a board's grid that people give: whether they fit the photo, and which ones would."""

from __future__ import annotations

from itertools import pairwise
from math import dist
from typing import TYPE_CHECKING

from service.answer import UNLIKELY
from service.board_answer import LOST, Asked, answer_board
from service.board_file import AnyBoard, CubedFile
from service.game import Game
from service.tables import Corners, Table

if TYPE_CHECKING:
    from vision.types import Frame

__all__ = ["fault_between", "lost", "other_corners"]

_OFF = "most of the dice lie on no square; give the corners of the board's grid, clockwise from its own top left"


def lost(frame: Frame) -> str | None:
    """Return why nobody knows which squares the pieces in ``frame`` lie on; None where that is known."""
    problems = (*frame.problems, *(frame.placement.problems if frame.placement is not None else ()))
    told = next((problem.text for problem in problems if problem.code in LOST), None)
    if told is None and frame.placement is None:
        return "no board is found; take the photo so that all of the board is in it, or give --corners"
    return told


def fault_between(frame: Frame) -> str | None:
    """Return why the corners between which ``frame`` was read cannot be right; None where they may be."""
    problems = () if frame.placement is None else frame.placement.problems
    unlikely = next((problem.text for problem in problems if problem.code == UNLIKELY), None)
    off = 2 * sum(reading.cell is None for reading in frame) > len(frame)
    return unlikely if unlikely is not None else _OFF if off else None


def other_corners(given: Corners, frame: Frame, board: AnyBoard | None) -> str | None:
    """Return where the ``board`` plainly lies, where that is elsewhere than ``given``; None where these may be right.

    ``frame`` is the photo as it is read without corners.
    """
    if not isinstance(board, CubedFile):
        return None
    seen = None if lost(frame) is not None else answer_board(frame, Asked(Game.CUBED, Table(board)))
    if seen is None:
        return None
    square = min(dist(one, two) for one, two in pairwise(seen["corners"])) / max(board.rows, board.columns)
    if max(dist(one, two) for one, two in zip(seen["corners"], given, strict=True)) < square / 2:
        return None
    listed = " ".join(f"{x:.0f},{y:.0f}" for x, y in seen["corners"])
    return f"by what is seen there they are about {listed}"
