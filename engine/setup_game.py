"""SETUP, the game of not making a SET (SETUP-1 to SETUP-8).

On their turn players lay one card; whoever sees that it makes a SET claims it, and its player takes the whole table.

>>> from engine.editions import edition
>>> setup = Setup(edition("setup"))
>>> state, verdict = setup.apply(setup.start(["Ann", "Ben"]), Laid("Ann", Card.parse("1 red solid oval")))
>>> verdict.ok, state.turn
(True, 'Ben')
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.clauses import Clause
from engine.events import Claimed, Event, Laid, Line, Verdict
from engine.game import Game, Legal, State, accept, hint_of_sets, refuse
from engine.hints import HintLevel
from engine.reasons import Reason
from engine.sets import find_sets, is_set
from engine.tokens import Card, Piece

__all__ = ["Setup", "SetupState", "true_claims"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupState(State):
    """Where a game of SETUP stands; hands are unknown to the referee, the pile is counted."""

    laid: tuple[Card, ...] = ()
    """Every card laid so far, in order."""
    taken: int = 0
    """How many of them, counted from the first, have left the table (SETUP-4)."""

    @property
    def table(self) -> tuple[Card, ...]:
        """The cards on the table, in the order laid. Empty: nothing can be claimed (SETUP-3)."""
        return self.laid[self.taken :]

    @property
    def turn(self) -> str:
        """Who lays the next card."""
        return self.players[len(self.laid) % len(self.players)]

    @property
    def layer(self) -> str:
        """Who laid the last card; nobody asks before the first one."""
        return self.players[(len(self.laid) - 1) % len(self.players)]


class Setup(Game[SetupState]):
    """The rules of SETUP.

    Turns go round without exception, although hands are unknown. Of 81 cards n players (2 to 12) hold 4n, and the pile
    has 81 - 4n. As long as it lasts a player draws after laying, so every hand holds four when the pile runs out.
    The last 4n cards are then laid in n turns, four times over: nobody is out of cards before the 81st lies
    (SETUP-5).
    """

    def start(
        self, players: Sequence[str], options: Mapping[str, object] | None = None, board: Any = None
    ) -> SetupState:
        """Return the state before the first card; there is no ``board`` (SETUP-1).

        :raises PlayersError: fewer than 2 or more than 12 players, or names that do not tell them apart.
        :raises OptionError: an unknown option, or a value out of range.
        """
        return SetupState(**self.seat(players, options))

    def judge(self, state: SetupState, event: Event) -> tuple[SetupState, Verdict] | None:
        """Return what becomes of a card laid (SETUP-2) or a SET claimed (SETUP-3, 4 and 8); None for other events."""
        match event:
            case Laid(player, Card() as card, None, None) if card in self.edition.deck:
                return self._lay(state, player, card)
            case Claimed(player, cards):
                return _claim(state, player, cards)
        return None

    def outlives(self, state: SetupState, event: Event) -> bool:
        """Return whether ``event`` claims the 81st card while it lies there (SETUP-7); nothing outlives ``ended``."""
        return isinstance(event, Claimed) and state.over is Clause.SETUP_7 and bool(state.table)

    def legal(self, state: SetupState) -> Legal:
        """Return every true claim, and every card not seen yet as one that the player in turn may hold."""
        if state.over is Clause.ALL_2:
            return Legal()
        claims = [
            Claimed(player, cards) for player in state.players if player != state.layer for cards in true_claims(state)
        ]
        cards = [Laid(state.turn, card) for card in self.edition.deck if card not in state.laid]
        return Legal(moves=(*claims, *cards))

    def hint(self, state: SetupState, player: str, level: HintLevel) -> Verdict:
        """Return the answer about the SETs that can be claimed; the card just laid is shown last."""
        return hint_of_sets(true_claims(state), level)

    def _lay(self, state: SetupState, player: str, card: Card) -> tuple[SetupState, Verdict]:
        if player != state.turn:
            return state, refuse(Clause.SETUP_2, Reason.NOT_YOUR_TURN, player=player, turn=state.turn)
        if card in state.laid:
            return state, refuse(Clause.SETUP_2, Reason.CARD_TWICE, piece=card)
        is_last = len(state.laid) + 1 == len(self.edition.deck)
        after = replace(state, laid=(*state.laid, card), over=Clause.SETUP_7 if is_last else None)
        reason = Reason.LAST_CARD_LAID if is_last else Reason.CARD_LAID
        return after, accept(Clause.SETUP_2, reason, player=player, piece=card, count=len(after.table))


def true_claims(state: SetupState) -> list[tuple[Card, Card, Card]]:
    """Return the SETs that can be claimed: those with the card just laid, which stands last (SETUP-3)."""
    table = state.table
    return [(table[i], table[j], table[k]) for i, j, k in find_sets(table) if k == len(table) - 1]


def _claim(state: SetupState, player: str, cards: tuple[Piece, ...]) -> tuple[SetupState, Verdict]:
    fault = _no_claim(state, player, cards)
    if fault is not None:
        return state, fault
    first, second, third = cards
    if not is_set(first, second, third):
        return state, refuse(Clause.SETUP_8, Reason.CLAIM_WRONG, failed=(first, second, third), player=player)
    layer, count = state.layer, len(state.table)
    line = Line((first, second, third), count)
    verdict = accept(
        Clause.SETUP_4, Reason.CLAIM_RIGHT, {layer: count}, sets=(line,), player=player, layer=layer, count=count
    )
    return replace(state, taken=len(state.laid), scores=state.scored(state.index(layer), count)), verdict


def _no_claim(state: SetupState, player: str, cards: tuple[Piece, ...]) -> Verdict | None:
    """Return why the claim is not even looked at, if so."""
    table = state.table
    if not table:
        return refuse(Clause.SETUP_3, Reason.NOTHING_TO_CLAIM, player=player)
    if player == state.layer:
        return refuse(Clause.SETUP_8, Reason.OWN_CARD, player=player, piece=table[-1])
    if len(cards) != 3 or len(set(cards)) != 3 or not set(cards) <= set(table):
        return refuse(Clause.SETUP_3, Reason.BAD_CLAIM, player=player, pieces=cards)
    if table[-1] not in cards:
        return refuse(Clause.SETUP_3, Reason.CLAIM_WITHOUT_LAST, player=player, piece=table[-1])
    return None
