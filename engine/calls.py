"""Games of calls: pieces lie on the table, and whoever sees a SET calls first and then picks.

Classic SET, Ravensburger SET and face 2 of SET Junior share this course: a deal, calls, picks, refills, agreement that
there is none, rounds. What differs is data of the edition (deck, table, penalty, score), the clauses that are cited,
and the few hooks that each game's own file fills in.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, ClassVar, cast

from engine.clauses import Clause
from engine.editions import Penalty
from engine.events import (
    Called,
    Dealt,
    Event,
    GaveUp,
    Line,
    NoSet,
    Passed,
    Picked,
    PileOut,
    Shuffled,
    Verdict,
)
from engine.game import Due, Game, Legal, State, Task, accept, changed, hint_of_sets, refuse
from engine.hints import HintLevel
from engine.reasons import Cost, Reason
from engine.sets import find_sets, is_set
from engine.tokens import Piece

__all__ = ["CallClauses", "CallGame", "CallState", "Judged"]

MORE = 3
"""How many pieces are laid when all agree that there is no SET."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallState(State):
    """Where a game of calls stands."""

    deck: frozenset[Piece]
    """The pieces that are played with."""
    size: int
    """How many pieces the table has when it is full."""
    table: tuple[Piece, ...] = ()
    """What lies face up."""
    dealt: frozenset[Piece] = frozenset()
    """Every piece that has been laid in this round."""
    pile: int
    """How many pieces are still to come."""
    short: int = 0
    """How many were due when people said that the pile is out: one deal of fewer may still follow."""
    broken_pile: bool = False
    """Whether pieces of this round are missing (``pile_out``), so that SET-5 says nothing."""
    caller: int | None = None
    """Who has called and not yet picked."""
    agreed: frozenset[int] = frozenset()
    """Who has said that there is no SET."""
    out: frozenset[int] = frozenset()
    """Who is out until another player finds a SET."""
    won: tuple[int, ...]
    """SETs that each player holds from this round."""
    turn: int = 0
    """Whose turn it is to search, where players take turns."""
    round: int = 1
    """Which round it is, from 1."""
    round_over: bool = False
    """Whether this round is over and the next one has not begun."""
    master: int | None = None
    """Who leads the round and does not play."""
    masters: frozenset[int] = frozenset()
    """Who has led a round."""
    lost: bool = False
    """Whether the one player has lost (CLASSIC-9)."""

    @property
    def active(self) -> tuple[int, ...]:
        """Who plays in this round and is not out."""
        return tuple(n for n in range(len(self.players)) if n != self.master and n not in self.out)

    @property
    def all_agreed(self) -> bool:
        """Whether everyone who is asked has said that there is no SET."""
        return bool(self.dealt) and self.agreed.issuperset(self.active)

    def sets(self) -> list[tuple[Piece, Piece, Piece]]:
        """Return the SETs on the table."""
        return [(self.table[i], self.table[j], self.table[k]) for i, j, k in find_sets(self.table)]


Judged = tuple[CallState, Verdict]
"""A state and what the referee says."""


@dataclass(frozen=True, slots=True)
class CallClauses:
    """Which clause each part of the course is in."""

    first: Clause
    """The first deal."""
    refill: Clause
    """A refill."""
    more: Clause
    """Three more, and a deal that is not due."""
    call: Clause
    """Call first, then pick; nobody else may."""
    right: Clause
    """A true SET."""
    wrong: Clause
    """A false call."""
    agree: Clause
    """Agreement that there is none."""
    end: Clause
    """The end of a round."""
    rounds: Clause
    """More than one round."""


class CallGame(Game[CallState]):
    """The course that games of calls share."""

    clauses: ClassVar[CallClauses]
    """What this game cites."""
    has_more: ClassVar[bool] = True
    """Whether three more are laid when all agree."""

    @property
    def has_calls(self) -> bool:
        """Calls are what it is about."""
        return True

    def start(
        self, players: Sequence[str], options: Mapping[str, object] | None = None, board: Any = None
    ) -> CallState:
        """Return the state before the first deal; these games have no board.

        :raises PlayersError: the players cannot play this game.
        :raises OptionError: an unknown option, or a value out of range.
        """
        seats = self.seat(players, options)
        variant = self.edition.variant(seats["options"])
        deck = frozenset(variant.deck if variant else self.edition.deck)
        size = variant.table if variant else self.edition.table
        return CallState(**seats, deck=deck, size=size, pile=len(deck), won=(0,) * len(seats["players"]))

    # What a game of its own may change.

    @abstractmethod
    def rounds(self, state: CallState) -> int:
        """Return how many rounds are played."""

    def end_clause(self, state: CallState) -> Clause:
        """Return the clause that ends the whole game."""
        return self.clauses.end

    def more_clause(self, state: CallState) -> Clause:
        """Return the clause that three more are laid by."""
        return self.clauses.more

    def may_play(self, state: CallState, player: int) -> Verdict | None:
        """Return why ``player`` does not play in this round, or None."""
        return None

    def may_search(self, state: CallState, player: int) -> Verdict | None:
        """Return why it is not for ``player`` to search now, or None."""
        return None

    def may_agree(self, state: CallState) -> Verdict | None:
        """Return why nobody can say now that there is no SET, or None."""
        return None

    def can_give_back(self, state: CallState, player: int) -> bool:
        """Return whether ``player`` holds something that a false call takes away."""
        return state.won[player] > 0

    def reward(self, state: CallState) -> Reason:
        """Return the reason that a true SET is taken for."""
        return Reason.SET_TAKEN

    def alone(self, state: CallState, player: int) -> Judged | None:
        """Return what a "no SET" means to someone who plays alone, or None where it is counted as everyone's."""
        return None

    # The course.

    def judge(self, state: CallState, event: Event) -> Judged | None:
        """Return what becomes of an event of this game; None if it belongs to another game."""
        match event:
            case Shuffled():
                return self.shuffle(state, event)
            case Dealt() | Called() | Picked() | GaveUp() | NoSet() | PileOut() if state.round_over:
                return self._between_rounds(state, event)
            case Dealt():
                return self._deal(state, event)
            case Called():
                return self._call(state, event)
            case Picked():
                return self._pick(state, event)
            case GaveUp():
                return self._give_up(state, event)
            case NoSet():
                return self._agree(state, event)
            case PileOut():
                return self._pile_out(state)
            case Passed():
                return self.pass_turn(state, event)
        return None

    def ends(self, after: CallState) -> str | None:
        """Return what an event has ended that led to ``after``: "game", "round" or nothing."""
        return "round" if after.round_over else super().ends(after)

    def outlives(self, state: CallState, event: Event) -> bool:
        """Return whether the last cards of a broken pile are still being laid, which reopens the game."""
        return state.over is not Clause.ALL_2 and self._is_short_deal(state, event)

    def _is_short_deal(self, state: CallState, event: Event) -> bool:
        return isinstance(event, Dealt) and 0 < len(event.cards) < state.short

    def _between_rounds(self, state: CallState, event: Event) -> Judged:
        if self._is_short_deal(state, event) and isinstance(event, Dealt):
            return self._deal(replace(state, round_over=False), event)
        clause = self.clauses.rounds if isinstance(event, Dealt) else self.clauses.end
        return state, refuse(clause, Reason.ROUND_OVER)

    def due(self, state: CallState) -> int:
        """Return how many pieces are to be laid now; one deal brings them all (CLASSIC-3)."""
        if state.round_over or state.over is not None:
            return 0
        owed = max(0, state.size - len(state.table)) if self.edition.refill or not state.dealt else 0
        if self.has_more and state.all_agreed:
            owed += MORE
        return min(owed, state.pile)

    def _deal(self, state: CallState, event: Dealt) -> Judged:
        due, count = self.due(state), len(event.cards)
        clause = self._deal_clause(state)
        short = self._is_short_deal(state, event)
        if not due and not short:
            return state, refuse(self.clauses.more, Reason.NONE_DUE, count=count)
        if count != due and not short:
            # Three more are asked for by one clause, however many lie there already (CLASSIC-3).
            asked = self.clauses.more if clause is self.more_clause(state) else clause
            return state, refuse(asked, Reason.WRONG_NUMBER, count=count, due=due)
        fault = self._bad_card(state, event.cards)
        if fault is not None:
            return state, fault
        after = replace(
            state,
            table=state.table + event.cards,
            dealt=state.dealt | frozenset(event.cards),
            pile=0 if short else state.pile - count,
            short=0,
            over=None,
            agreed=frozenset(),
        )
        verdict = (
            accept(clause, Reason.DEALT_SHORT, count=count, due=state.short)
            if short
            else accept(clause, Reason.DEALT, count=count)
        )
        return self._settle(after), verdict

    def _deal_clause(self, state: CallState) -> Clause:
        if not state.dealt:
            return self.clauses.first
        return self.more_clause(state) if self.has_more and state.all_agreed else self.clauses.refill

    def _bad_card(self, state: CallState, cards: tuple[Piece, ...]) -> Verdict | None:
        seen = set(state.dealt)
        for card in cards:
            if card not in state.deck:
                variant = self.edition.variant(state.options)
                return refuse(variant.clause if variant else self.clauses.first, Reason.NOT_IN_DECK, piece=card)
            if card in seen:
                return refuse(self.clauses.first, Reason.PIECE_TWICE, piece=card)
            seen.add(card)
        return None

    def _bar(self, state: CallState, player: int) -> Verdict | None:
        """Return why ``player`` can neither call nor agree now, or None."""
        led = self.may_play(state, player)
        if led is not None:
            return led
        if not state.dealt:
            return refuse(self.clauses.first, Reason.BEFORE_DEAL)
        if player in state.out:
            return refuse(self.clauses.wrong, Reason.LOCKED_OUT, player=state.players[player])
        return self.call_open(state)

    def _call(self, state: CallState, event: Called) -> Judged:
        player = state.index(event.player)
        fault = self._bar(state, player) or self.may_search(state, player)
        if fault is not None:
            return state, fault
        after = replace(state, caller=player, agreed=state.agreed - {player})
        return after, accept(self.clauses.call, Reason.CALLED, player=event.player)

    def call_open(self, state: CallState) -> Verdict | None:
        """Return a refusal while the table is a caller's, else None."""
        if state.caller is None:
            return None
        return refuse(self.clauses.call, Reason.CALL_OPEN, player=state.players[state.caller])

    def _pick(self, state: CallState, event: Picked) -> Judged:
        player = state.index(event.player)
        fault = self._not_caller(state, player)
        if fault is not None:
            return state, fault
        if len(event.cards) != 3 or len(set(event.cards)) != 3 or not set(event.cards) <= set(state.table):
            return state, refuse(self.clauses.call, Reason.BAD_PICK, pieces=event.cards)
        first, second, third = event.cards
        if not is_set(first, second, third):
            after, verdict = self._false_call(state, player, Reason.NOT_A_SET)
            return after, replace(verdict, failed=(first, second, third))
        taken = Line((first, second, third), self.edition.unit)
        points = {event.player: self.edition.unit}
        verdict = accept(self.clauses.right, self.reward(state), points, sets=(taken,), player=event.player)
        after = replace(
            self._judged(self._add(state, player, self.edition.unit)),
            table=tuple(card for card in state.table if card not in event.cards),
            agreed=frozenset(),
            out=frozenset(),
            won=changed(state.won, player, 1),
        )
        return self._settle(after), verdict

    def _not_caller(self, state: CallState, player: int) -> Verdict | None:
        if state.caller == player:
            return None
        fault = self.may_play(state, player)
        return fault or refuse(self.clauses.call, Reason.NO_CALL, player=state.players[player])

    def _give_up(self, state: CallState, event: GaveUp) -> Judged:
        player = state.index(event.player)
        fault = self._not_caller(state, player)
        if fault is not None:
            return state, fault
        return self._false_call(state, player, Reason.GAVE_UP)

    def _false_call(self, state: CallState, player: int, reason: Reason) -> Judged:
        after, cost = self._pay(self._judged(state), player)
        change = after.scores[player] - state.scores[player]
        name = state.players[player]
        points = {name: change} if change else {}
        # A lock-out can leave only players who have agreed, which ends the game when the pile is out (RAV-5).
        facts = {"player": name, "cost": cost.value}
        return self._settle(after), Verdict(False, self.clauses.wrong, reason, points, facts, judged=True)

    def _pay(self, state: CallState, player: int) -> tuple[CallState, Cost]:
        """Return the state after the penalty of a false call, and what it was."""
        match self.edition.penalty:
            case Penalty.POINT:
                lowest = cast("int | None", state.options["lowest_score"])
                if lowest is not None and state.scores[player] <= lowest:
                    return state, Cost.POINT_SPARED
                return self._add(state, player, -1), Cost.POINT_LOST
            case Penalty.GIVE_BACK:
                if not self.can_give_back(state, player):
                    return state, Cost.NOTHING_BACK
                won = changed(state.won, player, -min(1, state.won[player]))
                cost = Cost.TOKEN_BACK if state.options["tokens"] else Cost.SET_BACK
                return replace(self._add(state, player, -1), won=won), cost
        out = state.out | {player}
        if out >= set(range(len(state.players))) - {state.master}:
            return replace(state, out=frozenset()), Cost.ALL_IN
        return replace(state, out=out), Cost.OUT

    def _judged(self, state: CallState) -> CallState:
        """Return the state with the call closed and the turn passed on."""
        return replace(state, caller=None, turn=(state.turn + 1) % len(state.players))

    def _add(self, state: CallState, player: int, points: int) -> CallState:
        return replace(state, scores=state.scored(player, points))

    def _agree(self, state: CallState, event: NoSet) -> Judged:
        player = state.index(event.player)
        fault = self.may_agree(state) or self._bar(state, player)
        if fault is not None:
            return state, fault
        alone = self.alone(state, player)
        if alone is not None:
            return alone
        after = replace(state, agreed=state.agreed | {player})
        if not after.all_agreed:
            missing = tuple(state.players[n] for n in after.active if n not in after.agreed)
            return after, accept(self.clauses.agree, Reason.AGREED, player=event.player, missing=missing)
        if not state.pile:
            return self._end_round(after), accept(self.clauses.end, Reason.ALL_AGREED_END)
        return after, accept(self.clauses.agree, Reason.ALL_AGREED, due=self.due(after))

    def _pile_out(self, state: CallState) -> Judged:
        if not state.dealt:
            return state, refuse(self.clauses.end, Reason.BEFORE_DEAL)
        if not state.pile:
            return state, refuse(self.clauses.end, Reason.PILE_ALREADY_OUT)
        after = self._settle(replace(state, pile=0, short=self.due(state), broken_pile=True))
        return after, accept(self.clauses.end, Reason.PILE_OUT)

    def _settle(self, state: CallState) -> CallState:
        """Return the state, over if the pile is out and no SET lies there or all agree that none does."""
        if state.pile or (state.sets() and not state.all_agreed):
            return state
        return self._end_round(state)

    def _end_round(self, state: CallState) -> CallState:
        if state.round < self.rounds(state):
            return replace(state, round_over=True, caller=None)
        return replace(state, over=self.end_clause(state), caller=None)

    def shuffle(self, state: CallState, event: Shuffled) -> Judged:
        """Return what becomes of the beginning of a round."""
        rounds = self.rounds(state)
        if rounds == 1:
            return state, refuse(self.clauses.rounds, Reason.ONE_ROUND)
        if not state.round_over:
            return state, refuse(self.clauses.rounds, Reason.ROUND_RUNS)
        after = self.next_round(state)
        return after, accept(self.clauses.rounds, Reason.SHUFFLED, round=after.round, rounds=rounds)

    def next_round(self, state: CallState) -> CallState:
        """Return the state before the first deal of the next round; scores are kept."""
        return replace(
            state,
            table=(),
            dealt=frozenset(),
            pile=len(state.deck),
            short=0,
            broken_pile=False,
            agreed=frozenset(),
            out=frozenset(),
            won=(0,) * len(state.players),
            turn=0,
            round=state.round + 1,
            round_over=False,
        )

    def pass_turn(self, state: CallState, event: Passed) -> Judged | None:
        """Return what becomes of a turn given up, in a game where players take turns."""
        return None

    def hint(self, state: CallState, player: str, level: HintLevel) -> Verdict:
        """Return the answer about the SETs on the table."""
        return hint_of_sets(state.sets(), level)

    def legal(self, state: CallState) -> Legal:
        """Return the deal or shuffle that is due, and every call, pick and agreement that is open."""
        if state.over is not None:
            return Legal()
        if state.round_over:
            return Legal((Due(Task.SHUFFLE),))
        due = self.due(state)
        dues = (Due(Task.DEAL, due),) if due else ()
        if state.caller is not None:
            name = state.players[state.caller]
            picks = (Picked(name, cards) for cards in combinations(state.table, 3))
            return Legal(dues, (*picks, GaveUp(name)))
        events = [made(name) for name in state.players for made in (Called, NoSet, Passed)]
        return Legal(dues, tuple(event for event in events if self._stands(state, event)))

    def _stands(self, state: CallState, event: Event) -> bool:
        if isinstance(event, NoSet) and state.index(event.player) in state.agreed:
            return False
        judged = self.judge(state, event)
        return judged is not None and judged[1].counts
