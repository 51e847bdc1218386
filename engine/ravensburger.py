"""Ravensburger SET with its variants Easy and Forever (RAV-1 to RAV-9)."""

from __future__ import annotations

from dataclasses import replace

from engine.calls import CallClauses, CallGame, CallState, Judged
from engine.clauses import Clause
from engine.events import Event, Shuffled, Verdict
from engine.game import Due, Legal, Task, accept, refuse
from engine.reasons import Reason

__all__ = ["Ravensburger"]


class Ravensburger(CallGame):
    """Twelve cards, calls, a point a card, and a false caller is out until another player finds a SET."""

    clauses = CallClauses(
        first=Clause.RAV_2,
        refill=Clause.RAV_3,
        more=Clause.RAV_6,
        call=Clause.RAV_2,
        right=Clause.RAV_3,
        wrong=Clause.RAV_4,
        agree=Clause.RAV_6,
        end=Clause.RAV_7,
        rounds=Clause.RAV_9,
    )

    def rounds(self, state: CallState) -> int:
        """Return one, or as many as there are players (RAV-9)."""
        return len(state.players) if state.options["forever"] else 1

    def end_clause(self, state: CallState) -> Clause:
        """Return RAV-9 for a tournament, else RAV-7."""
        return Clause.RAV_9 if state.options["forever"] else Clause.RAV_7

    def judge(self, state: CallState, event: Event) -> Judged | None:
        """Return what becomes of an event; in a tournament a SET-Master has to shuffle first (RAV-9)."""
        judged = super().judge(state, event)
        if judged is not None and self._waits(state) and not isinstance(event, Shuffled):
            return state, refuse(Clause.RAV_9, Reason.SHUFFLE_FIRST)
        return judged

    def _waits(self, state: CallState) -> bool:
        return bool(state.options["forever"]) and state.master is None

    def may_play(self, state: CallState, player: int) -> Verdict | None:
        """Return a refusal for the SET-Master, who does not play (RAV-9)."""
        if player != state.master:
            return None
        return refuse(Clause.RAV_9, Reason.MASTER_PLAYS, player=state.players[player])

    def shuffle(self, state: CallState, event: Shuffled) -> Judged:
        """Return what becomes of a round that ``event.master`` leads, another player each time (RAV-9)."""
        if not state.options["forever"]:
            return super().shuffle(state, event)
        if not (state.round_over or self._waits(state)):
            return state, refuse(Clause.RAV_9, Reason.ROUND_RUNS)
        if event.master is None:
            return state, refuse(Clause.RAV_9, Reason.SHUFFLE_FIRST)
        master = state.index(event.master)
        if master in state.masters:
            return state, refuse(Clause.RAV_9, Reason.MASTER_AGAIN, player=event.master)
        begun = state if self._waits(state) else self.next_round(state)
        after = replace(begun, master=master, masters=state.masters | {master})
        rounds = self.rounds(state)
        verdict = accept(Clause.RAV_9, Reason.MASTER_SHUFFLED, player=event.master, round=after.round, rounds=rounds)
        return after, verdict

    def legal(self, state: CallState) -> Legal:
        """Return what is due and open; before a tournament's first deal someone has to shuffle."""
        if state.over is None and self._waits(state):
            return Legal((Due(Task.SHUFFLE),))
        return super().legal(state)
