"""What a game knows of each player beside the score, and how much is still to be drawn."""

from __future__ import annotations

from dataclasses import dataclass

from engine.calls import CallState
from engine.cubed_state import CubedState
from engine.editions import EDITIONS
from engine.game import State
from engine.junior1 import Junior1State
from engine.setup_game import SetupState

__all__ = ["Seat", "Seating", "seating_of"]

_EACH = 4
"""Cards that each player of SETUP holds as long as the pile lasts (SETUP-2)."""
_EACH_TILE = 3
"""Tiles on face 1 of Junior (JUN-3)."""


@dataclass(frozen=True, slots=True)
class Seat:
    """One player: whether ``out``, how many SETs of this round ``won`` and pieces in ``hand``, None where not counted.

    ``agreed``: has said that there is no SET.
    """

    out: bool = False
    won: int | None = None
    agreed: bool = False
    hand: int | None = None


@dataclass(frozen=True, slots=True)
class Seating:
    """The seats in their order, how many pieces are in the pile or pouch, and which round is led by whom, if any."""

    seats: tuple[Seat, ...]
    pile: int
    round: int | None = None
    master: str | None = None


def seating_of(state: State) -> Seating:
    """Return what is known of a game that stands at ``state``.

    :raises TypeError: the state of no game that is played at a table.
    """
    match state:
        case CallState():
            return _called(state)
        case CubedState():
            hands = zip(state.hands, state.unrolled, strict=True)
            return Seating(tuple(Seat(hand=len(hand) + more) for hand, more in hands), state.pouch)
        case SetupState():
            return _laid(len(state.players), len(EDITIONS["setup"].deck), _EACH, len(state.laid))
        case Junior1State():
            return _laid(len(state.players), len(EDITIONS["junior-1"].deck), _EACH_TILE, len(state.covered))
    raise TypeError(f"a state of a game with a table; got {type(state).__name__!r}")


def _called(state: CallState) -> Seating:
    seats = tuple(
        Seat(out=seat not in state.active, won=won, agreed=seat in state.agreed) for seat, won in enumerate(state.won)
    )
    master = None if state.master is None else state.players[state.master]
    return Seating(seats, state.pile, state.round, master)


def _laid(players: int, deck: int, each: int, laid: int) -> Seating:
    """Return how it stands after so many have been ``laid`` in turn, each player drawing as long as the pile lasts."""
    pile = deck - each * players
    undrawn = [seat % players for seat in range(pile, laid)]
    return Seating(tuple(Seat(hand=each - undrawn.count(seat)) for seat in range(players)), max(0, pile - laid))
