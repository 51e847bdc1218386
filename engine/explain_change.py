"""From looking to events: what explains the change between two pictures of a table, in the light of its game.

>>> from engine.editions import edition
>>> from engine.setup_game import Setup
>>> from engine.tokens import Card
>>> setup = Setup(edition("setup"))
>>> state = setup.start(["Ann", "Ben"])
>>> found = explain(Layout(), Layout.row([Card.parse("1 red solid oval")]), state, setup)
>>> found.candidates[0].events
(Laid(time=None, note=None, player='Ann', piece=Card(...), at=None, named=None),)
"""

from __future__ import annotations

from typing import Any

from engine.calls import CallGame, CallState
from engine.cubed import Cubed
from engine.cubed_state import CubedState
from engine.explain_calls import explain_calls
from engine.explain_cubed import explain_cubed
from engine.explain_turns import explain_junior1, explain_setup
from engine.explained import Candidate, Explained, Moved, Problem, problem
from engine.game import Game, State
from engine.junior1 import Junior1, Junior1State
from engine.layout import Layout
from engine.reasons import Oddity
from engine.setup_game import Setup, SetupState

__all__ = ["Candidate", "Explained", "Moved", "Oddity", "Problem", "UnexplainedGameError", "explain"]


class UnexplainedGameError(TypeError):
    """A game, or a state with a game that is not its own, for which no change can be explained."""

    def __init__(self, state: State, game: Game[Any]) -> None:
        """Name the types of ``state`` and ``game``."""
        pair = f"{type(state).__name__!r} of {type(game).__name__!r}"
        super().__init__(f"no change can be explained for a state and game like this: {pair}")


def explain(before: Layout, after: Layout, state: State, game: Game[Any]) -> Explained:
    """Return what explains the change from ``before`` to ``after``, ``state`` being where the game stood before.

    Places are those of the pieces on a board; on a table without places, any numbers. Every candidate has been tried:
    the referee accepts its events one after the other, or judges them (three cards that are no SET are a false call;
    they should go back). What fits equally well is all returned, best first. What fits no play is a problem, and the
    rest of the change is explained all the same.

    :raises UnexplainedGameError: ``state`` is not one of ``game``, or of a game that this module does not know.
    """
    found = _explain(before, after, state, game)
    if found.candidates or found.moved or any(entry.code is not Oddity.DISAGREES for entry in found.problems):
        return found
    return Explained(problems=(*found.problems, problem(Oddity.NOTHING_CHANGED, ())))


def _explain(before: Layout, after: Layout, state: State, game: Game[Any]) -> Explained:
    match state, game:
        case CallState(), CallGame():
            return explain_calls(before, after, state, game)
        case SetupState(), Setup():
            return explain_setup(before, after, state, game)
        case Junior1State(), Junior1():
            return explain_junior1(before, after, state, game)
        case CubedState(), Cubed():
            return explain_cubed(before, after, state, game)
    raise UnexplainedGameError(state, game)
