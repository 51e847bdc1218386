"""What the JSON of a photo says about a board: where it lies, which SETs are on it, and the best turn of a hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any

from engine.between import Scored, best_sure_turn
from engine.cubed_state import CubedState, Phase
from engine.editions import edition
from engine.grid import Die, Grid, Square
from engine.junior_board import LINES
from engine.labels import Language
from engine.options import Options, choose
from engine.tokens import Face, Tile, full_tiles
from service.agreement import by_place
from service.board_file import CubedFile, Junior1File
from service.errors import ArgumentError
from service.game import Game
from service.tables import Table

if TYPE_CHECKING:
    from vision.boards import Placement
    from vision.types import Frame

__all__ = ["LOST", "NUMBERS", "Asked", "answer_board", "sets_on_board"]

LOST = ("other-kind", "no-board", "board-ambiguous")
"""Codes of problems with which nothing is known about where a board lies."""

NUMBERS = "board-numbers"
"""Code of the problem that a number on the board is not the one of the board file."""

_PLAYER = "The player"
_OTHERS = "The others"


def _defaults() -> Options:
    return choose(edition("cubed").options, {}, "cubed")


@dataclass(frozen=True)
class Asked:
    """What people want to know of a photo, and what they know about the table besides."""

    game: Game = Game.AUTO
    """Whose names and rules apply."""
    table: Table = field(default_factory=Table)
    """The board file, where the board lies, and a photo of it without tiles."""
    names: Mapping[Square, Tile] = field(default_factory=dict)
    """What Wilds on the board stand for."""
    hand: tuple[Face, ...] = ()
    """The dice for which the best turn is wanted; none if no turn is."""
    options: Options = field(default_factory=_defaults)
    """What a table of Cubed has chosen."""
    language: Language = Language.ENGLISH
    """That of labels."""
    said: Mapping[int, str] = field(default_factory=dict)
    """What people say that pieces are, by id."""


def answer_board(frame: Frame, asked: Asked) -> dict[str, Any] | None:
    """Return where the board lies in the photo read as ``frame``, and the best turn if a hand is given.

    None where nobody has said what is printed on the board, or where it is not found.

    :raises ArgumentError: a name is given for a Wild where none lies.
    """
    placement, file = frame.placement, asked.table.board
    if placement is None or file is None or any(problem.code in LOST for problem in placement.problems):
        return None
    if not isinstance(file, CubedFile):
        covered = sorted(by_place(frame.readings))
        return {"game": file.game, "covered": [list(at) for at in covered]}
    corners = _corners(placement, file.rows, file.columns)
    found: dict[str, Any] = {"game": file.game, "rows": file.rows, "columns": file.columns, "corners": corners}
    _check_names(frame, asked)
    return {**found, "best": _best(frame, file, asked)} if asked.hand else found


def _corners(placement: Placement, rows: int, columns: int) -> list[list[float]]:
    """Return the corners of the grid in pixels, clockwise from the board's own top left."""
    import numpy as np

    points = np.array([(0, 0, 1), (columns, 0, 1), (columns, rows, 1), (0, rows, 1)], np.float64) @ placement.matrix.T
    return [[round(float(x / w), 1), round(float(y / w), 1)] for x, y, w in points]


def _check_names(frame: Frame, asked: Asked) -> None:
    dice = _dice(frame)
    for at, name in asked.names.items():
        if at not in dice or not dice[at].is_wild:
            found = f"{dice[at]} lies" if at in dice else "nothing is seen"
            raise ArgumentError(f"--wild {at[0]},{at[1]}={name}: no Wild is on {list(at)}, {found} there")


def _dice(frame: Frame) -> dict[Square, Face]:
    """Return the face on each square."""
    pieces = {at: frame.readings[number].piece for at, number in by_place(frame.readings).items()}
    return {(at[0], at[1]): piece for at, piece in pieces.items() if isinstance(piece, Face) and len(at) == 2}


def _grid(frame: Frame, file: CubedFile, names: Mapping[Square, Tile]) -> tuple[Grid, frozenset[Square]]:
    """Return the dice on the board, and the Wilds among them whose names are only stand-ins."""
    faces = {at: face for at, face in _dice(frame).items() if file.board.holds(at)}
    dice = {at: Die(face, names.get(at, full_tiles()[0]) if face.is_wild else None) for at, face in faces.items()}
    return Grid(file.board, dice), frozenset(at for at, face in faces.items() if face.is_wild and at not in names)


def _best(frame: Frame, file: CubedFile, asked: Asked) -> dict[str, Any] | None:
    """Return the best turn of the hand by the SETs that are sure; None if only a pass is left."""
    grid, unknown = _grid(frame, file, asked.names)
    state = CubedState(
        players=(_PLAYER, _OTHERS),
        options=asked.options,
        scores=(0, 0),
        grid=grid,
        hands=(asked.hand, ()),
        unrolled=(0, 0),
        phase=Phase.PLAY,
        leader=0,
    )
    best = best_sure_turn(state, _PLAYER, unknown)
    return None if best is None else _turn(best, file)


def _turn(scored: Scored, file: CubedFile) -> dict[str, Any]:
    turn, bonus = scored.turn, file.board.bonus
    assert turn is not None  # noqa: S101  the best turn stands
    dice = [
        {"face": str(die.face), "at": list(die.at), "as": None if die.named is None else str(die.named)}
        for die in turn.dice
    ]
    sets = [{"at": [list(at) for at in line.at], "points": line.points} for line in turn.lines]
    paid = [{"at": list(die.at), "points": bonus[die.at]} for die in turn.dice if die.at in bonus]
    return {"points": turn.points, "dice": dice, "sets": sets, "bonus": paid}


def sets_on_board(frame: Frame, asked: Asked) -> list[tuple[int, int, int]] | None:
    """Return the SETs that lie in lines of the board, as ids of pieces; None where nobody has told of one.

    SETs that rest on a Wild of which nobody has said what it stands for are not among them.
    """
    places = by_place(frame.readings)
    if isinstance(asked.table.board, CubedFile):
        grid, unknown = _grid(frame, asked.table.board, asked.names)
        identical = bool(asked.options["identical_dice_are_set"])
        windows = sorted(set(chain.from_iterable(grid.sets_through(at, identical=identical) for at in grid.dice)))
        return [_trio(places, window) for window in windows if not unknown.intersection(window)]
    if isinstance(asked.table.board, Junior1File):
        board = asked.table.board.board
        right = {at for at, number in places.items() if len(at) == 3 and frame.readings[number].piece == board[at]}
        return [_trio(places, line) for line in LINES if right.issuperset(line)]
    return None


def _trio(places: Mapping[tuple[int, ...], int], squares: tuple[tuple[int, ...], ...]) -> tuple[int, int, int]:
    first, second, third = sorted(places[at] for at in squares)
    return first, second, third
