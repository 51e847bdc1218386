"""What lies on the table by the game, which need not be what is seen there."""

from __future__ import annotations

from engine.calls import CallState
from engine.cubed_state import CubedState
from engine.game import State
from engine.junior1 import Junior1State
from engine.layout import Layout, Spot
from engine.setup_game import SetupState
from engine.tokens import Piece

__all__ = ["UNSEEN_FROM", "Mark", "lying", "mark", "marks"]

UNSEEN_FROM = 900_000_000
"""Places from here on are made up, for pieces that are known of and followed by nobody: no track has such a number."""

Mark = Piece | tuple[Spot, Piece]
"""What makes two pieces the same: on a board the place and the piece, elsewhere the piece alone."""


def lying(state: State) -> Layout:
    """Return what lies on the table of ``state``: on the squares of a board, else on places that are made up."""
    match state:
        case CubedState():
            return Layout.of({square: die.face for square, die in state.grid.dice.items()})
        case Junior1State():
            return Layout.of({at: state.board[at] for at in state.covered})
        case CallState() | SetupState():
            return Layout.of({UNSEEN_FROM + number: piece for number, piece in enumerate(state.table)})
    raise TypeError(f"a state of a game with a table; got {type(state).__name__!r}")


def mark(spot: Spot, piece: Piece) -> Mark:
    """Return what tells ``piece`` on ``spot`` from others."""
    return piece if isinstance(spot, int) else (spot, piece)


def marks(layout: Layout) -> frozenset[Mark]:
    """Return what lies in ``layout``, wherever it lies where that says nothing."""
    return frozenset(mark(spot, piece) for spot, piece in layout.entries)
