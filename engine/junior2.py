"""SET Junior, face 2 of the board (JUN-6 to JUN-12)."""

from __future__ import annotations

from dataclasses import replace

from engine.calls import CallClauses, CallGame, CallState, Judged
from engine.clauses import Clause
from engine.events import Passed, Verdict
from engine.game import accept, refuse
from engine.reasons import Reason

__all__ = ["Junior2"]


class Junior2(CallGame):
    """Ten tiles, calls, one SET given back for a false call."""

    clauses = CallClauses(
        first=Clause.JUN_6,
        refill=Clause.JUN_7,
        more=Clause.JUN_7,
        call=Clause.JUN_7,
        right=Clause.JUN_7,
        wrong=Clause.JUN_8,
        agree=Clause.JUN_9,
        end=Clause.JUN_9,
        rounds=Clause.JUN_10,
    )
    has_more = False

    def rounds(self, state: CallState) -> int:
        """Return one, or as many as there are players (JUN-10)."""
        return len(state.players) if state.options["rounds"] else 1

    def end_clause(self, state: CallState) -> Clause:
        """Return JUN-10 where every player deals, else JUN-9."""
        return Clause.JUN_10 if state.options["rounds"] else Clause.JUN_9

    def may_search(self, state: CallState, player: int) -> Verdict | None:
        """Return a refusal for those whose turn it is not, where players search in turn (JUN-11)."""
        if not state.options["turns"] or player == state.turn:
            return None
        turn = state.players[state.turn]
        return refuse(Clause.JUN_11, Reason.NOT_YOUR_TURN, player=state.players[player], turn=turn)

    def may_agree(self, state: CallState) -> Verdict | None:
        """Return a refusal while ten tiles lie or the pile lasts (JUN-9), else None."""
        if len(state.table) >= state.size:
            return refuse(Clause.JUN_9, Reason.ALWAYS_A_SET)
        return refuse(Clause.JUN_9, Reason.NO_SET_TOO_EARLY) if state.pile else None

    def can_give_back(self, state: CallState, player: int) -> bool:
        """Return whether a SET of this round can go back, or any token (JUN-8, JUN-12)."""
        return state.scores[player] > 0 if state.options["tokens"] else super().can_give_back(state, player)

    def reward(self, state: CallState) -> Reason:
        """Return that a SET pays a token, where tokens count (JUN-12)."""
        return Reason.TOKEN_WON if state.options["tokens"] else Reason.SET_TAKEN

    def pass_turn(self, state: CallState, event: Passed) -> Judged:
        """Return what becomes of a search that is given up, without penalty (JUN-11)."""
        player = state.index(event.player)
        if not state.options["turns"]:
            return state, refuse(Clause.JUN_11, Reason.NO_TURNS)
        if state.round_over:
            return state, refuse(Clause.JUN_9, Reason.ROUND_OVER)
        fault = self.call_open(state) or self.may_search(state, player)
        if fault is not None:
            return state, fault
        after = replace(state, turn=(state.turn + 1) % len(state.players))
        return after, accept(Clause.JUN_11, Reason.SEARCH_PASSED, player=event.player)
