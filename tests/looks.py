"""A camera that sees everything: the layout of a state, with every card of a table on a place of its own."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TypeVar

from engine.calls import CallState
from engine.cubed_state import CubedState
from engine.events import Claimed, Dealt, Event, Picked
from engine.explain_change import Explained, Oddity, Problem
from engine.game import State
from engine.junior1 import Junior1State
from engine.layout import Layout, Spot
from engine.setup_game import SetupState
from engine.tokens import Piece

S = TypeVar("S", bound=Spot)


class Camera:
    """Looks at one table again and again; a new card gets the first place that is free."""

    def __init__(self) -> None:
        self.spots: dict[Piece, int] = {}

    def look(self, state: State) -> Layout:
        """Return what lies there."""
        match state:
            case CallState() | SetupState():
                return self.see(state.table)
            case Junior1State():
                return Layout.of({at: state.board[at] for at in state.covered})
            case CubedState():
                return Layout.of({square: die.face for square, die in state.grid.dice.items()})
        raise AssertionError(state)

    def see(self, table: Collection[Piece]) -> Layout:
        """Return the layout of these cards."""
        self.spots = {piece: spot for piece, spot in self.spots.items() if piece in table}
        for piece in table:
            if piece not in self.spots:
                self.spots[piece] = next(spot for spot in range(100) if spot not in self.spots.values())
        return Layout.of({spot: piece for piece, spot in self.spots.items()})


def without(layout: Layout, pieces: Iterable[Piece]) -> Layout:
    """Return ``layout`` less ``pieces``."""
    left = tuple(pieces)
    return Layout.of({spot: piece for spot, piece in layout.items() if piece not in left})


def put(layout: Layout, pieces: Mapping[S, Piece]) -> Layout:
    """Return ``layout`` with ``pieces`` on these places, instead of what lies there."""
    return Layout.of(dict(layout) | dict(pieces.items()))


def told(event: Event) -> object:
    """Return what an event says, whatever the order of cards that people saw at once."""
    match event:
        case Picked(player, cards) | Claimed(player, cards):
            return type(event), player, frozenset(cards)
        case Dealt(cards):
            return Dealt, frozenset(cards)
    return event


def story(events: Iterable[Event]) -> tuple[object, ...]:
    """Return what events say, one after the other."""
    return tuple(told(event) for event in events)


def stories(found: Explained) -> list[tuple[object, ...]]:
    """Return what each candidate says."""
    return [story(candidate.events) for candidate in found.candidates]


def codes(found: Explained) -> list[Oddity]:
    """Return the names of the problems."""
    return [problem.code for problem in found.problems]


def only(found: Explained) -> Problem:
    """Return the one problem there is."""
    (problem,) = found.problems
    return problem
