"""What explains a change on the table of a game of calls: picks, refills, first deals, three more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from engine.calls import CallGame, CallState
from engine.changes import TableChange, look_at_table
from engine.events import Called, Dealt, Event, NoSet, Picked, Shuffled
from engine.explained import Explained, Part, best_view, collect, join, odd, play, problem
from engine.layout import Layout
from engine.reasons import Oddity
from engine.sets import find_sets, is_set
from engine.tokens import Piece

__all__ = ["explain_calls"]

PICKED = 3
"""Pieces of a pick."""
MOST_GONE = 6
"""Of at most so many that vanished, three are looked for that are a SET."""

Pieces = tuple[Piece, ...]
"""Some pieces."""


def explain_calls(before: Layout, after: Layout, state: CallState, game: CallGame) -> Explained:
    """Return what explains the change in a game of calls.

    Three pieces gone are a pick: by the caller, or, if no call is open, by any player who may call. What is new is a
    deal; where none is due and all may still agree that there is no SET, it is three more. Between rounds whatever
    lies there is the first deal of the next one.
    """
    looked, views = look_at_table(before, after, state.table, state.deck)
    part = best_view(views, _Calls(game, state).explain)
    return Explained(part.candidates, looked.moved, (*looked.problems, *part.problems), part.more)


@dataclass(frozen=True, slots=True)
class _Calls:
    """A state of a game of calls, and its game."""

    game: CallGame
    state: CallState

    def explain(self, change: TableChange) -> Part:
        if not change.gone and not change.new:
            return Part()
        if self.state.round_over:
            return self._next_round(change)
        returned = tuple(piece for piece in change.new if piece in self.state.dealt)
        new = tuple(piece for piece in change.new if piece not in returned)
        part = self._explain(change.gone, new, change.pairs)
        return part.with_problems(problem(Oddity.RETURNED, returned)) if returned else part

    def _explain(self, gone: Pieces, new: Pieces, pairs: Mapping[Piece, Piece]) -> Part:
        if len(gone) == PICKED and (len(pairs) < PICKED or is_set(gone[0], gone[1], gone[2])):
            return self._pick_and_deal(gone, new)
        if len(gone) > PICKED and len(gone) - len(pairs) != PICKED:
            return self._too_many(gone, new, pairs)
        vanished = tuple(piece for piece in gone if piece not in pairs)
        left = tuple(piece for piece in new if piece not in pairs.values())
        if len(vanished) == PICKED:
            part = self._pick_and_deal(vanished, left)
        else:
            part = self._deal(left)
            if vanished:
                part = part.with_problems(problem(Oddity.VANISHED, vanished))
        return part.with_problems(
            *(problem(Oddity.CHANGED, (old, now), old=old, new=now) for old, now in pairs.items())
        )

    def _too_many(self, gone: Pieces, new: Pieces, pairs: Mapping[Piece, Piece]) -> Part:
        """Explain as much as can be: a SET among what is gone; the rest has vanished, or changed in its place."""
        vanished = problem(Oddity.TOO_MANY_VANISHED, gone)
        parts = []
        for places in find_sets(gone) if len(gone) <= MOST_GONE else ():
            three = tuple(gone[place] for place in places)
            changed = [now for old, now in pairs.items() if old not in three]
            parts.append(self._pick_and_deal(three, tuple(piece for piece in new if piece not in changed)))
        full = [part for part in parts if not part.problems]
        return join(full or parts or [self._deal(new)]).with_problems(vanished)

    # Deals.

    def _deal(self, new: Pieces) -> Part:
        """Explain pieces that are new: a deal that is due, three more by agreement, or the first deal of a game."""
        if not new:
            return Part()
        deal = Dealt(new)
        due = collect(self.game, self.state, [(deal,)])
        if due.candidates:
            return due
        for plans in ([(*self._agreements(), deal)], [(event, deal) for event in self._shuffles()]):
            part = collect(self.game, self.state, plans)
            if part.candidates:
                return part
        return due.refused(new)

    def _agreements(self) -> Iterator[NoSet]:
        """Yield what the players have to say before three more are due."""
        for seat in self.state.active:
            if seat not in self.state.agreed:
                yield NoSet(self.state.players[seat])

    def _shuffles(self) -> Iterator[Shuffled]:
        """Yield every way in which a round can begin."""
        if self.state.options.get("forever"):
            yield from (Shuffled(name) for name in self.state.players)
        else:
            yield Shuffled()

    def _next_round(self, change: TableChange) -> Part:
        deal = (Dealt(change.lying),) if change.lying else ()
        part = collect(self.game, self.state, [(event, *deal) for event in self._shuffles()])
        if part.candidates or not set(change.lying) <= set(self.state.table):
            return part.refused(change.lying)
        return part.with_problems(problem(Oddity.ROUND_OVER, change.gone))

    # Picks.

    def _picks(self, three: Pieces) -> Iterator[tuple[Event, ...]]:
        """Yield the pick of the caller; if no call is open, call and pick of each player."""
        players, caller = self.state.players, self.state.caller
        if caller is not None:
            yield (Picked(players[caller], three),)
        else:
            yield from ((Called(name), Picked(name, three)) for name in players)

    def _pick_and_deal(self, three: Pieces, new: Pieces) -> Part:
        """Explain three pieces that are gone, and what is new: a refill after the pick, or a deal before it."""
        picks = list(self._picks(three))
        pick = collect(self.game, self.state, picks)
        if not pick.candidates:
            return join([pick.refused(three), self._deal(new)])
        if not new:
            return pick
        deal = Dealt(new)
        part = collect(self.game, self.state, [*((*events, deal) for events in picks), *((deal, *e) for e in picks)])
        if part.candidates:
            return part
        after, _ = play(self.game, self.state, pick.candidates[0].events)
        _, (verdict,) = play(self.game, after, (deal,))
        return pick.with_problems(odd(verdict, new))
