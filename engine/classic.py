"""Classic SET by the US rules (CLASSIC-1 to CLASSIC-10)."""

from __future__ import annotations

from dataclasses import replace

from engine.calls import CallClauses, CallGame, CallState, Judged
from engine.clauses import Clause
from engine.events import Verdict
from engine.game import Outcome, accept
from engine.reasons import Reason

__all__ = ["Classic"]


class Classic(CallGame):
    """Twelve cards, calls, a point for a SET and a point off for a false call."""

    clauses = CallClauses(
        first=Clause.CLASSIC_3,
        refill=Clause.CLASSIC_5,
        more=Clause.CLASSIC_7,
        call=Clause.CLASSIC_4,
        right=Clause.CLASSIC_5,
        wrong=Clause.CLASSIC_6,
        agree=Clause.CLASSIC_7,
        end=Clause.CLASSIC_10,
        rounds=Clause.CLASSIC_10,
    )

    def rounds(self, state: CallState) -> int:
        """Return one, or as many as there are players (CLASSIC-10)."""
        return len(state.players) if state.options["rounds"] else 1

    def more_clause(self, state: CallState) -> Clause:
        """Return CLASSIC-7 for the first three more, CLASSIC-8 for those after them."""
        return Clause.CLASSIC_8 if len(state.table) > state.size else Clause.CLASSIC_7

    def alone(self, state: CallState, player: int) -> Judged | None:
        """Return the loss of a solitaire with cards in the pile (CLASSIC-9), else None."""
        if not (state.options["solitaire"] and state.pile):
            return None
        verdict: Verdict = accept(Clause.CLASSIC_9, Reason.SOLITAIRE_LOST, player=state.players[player])
        return replace(state, over=Clause.CLASSIC_9, lost=True), verdict

    def outcome(self, state: CallState) -> Outcome:
        """Return who has the most points; a lost solitaire has a loser and no winner (CLASSIC-9)."""
        outcome = super().outcome(state)
        return replace(outcome, winners=(), losers=state.players) if state.lost else outcome
