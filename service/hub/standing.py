"""How the game of a table stands at one moment, and its STATE for those who look on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from engine.cubed_state import CubedState
from engine.fields import EVERY_GAME, GAME_FORMS
from engine.game import Game
from engine.labels import Language
from engine.layout import Layout, Spot
from engine.record import Header
from engine.referee import Referee
from engine.tokens import Face
from service.hub.journal import Book
from service.hub.seats import seating_of
from service.hub.state import (
    CameraState,
    ChoiceState,
    DueState,
    LegalState,
    OddityState,
    OutcomeState,
    PieceState,
    PlayerState,
    TableState,
    TieState,
)
from service.live.desk import Tie
from service.live.happenings import Happening

__all__ = ["Around", "Standing"]


_NOT_WHILE_TIED = ("called", "no_set")
"""Types of events that wait until a tie is decided."""


@dataclass(frozen=True, slots=True)
class Around:
    """What a STATE tells beside the game: the table, its journal, its clocks and its camera."""

    id: str
    name: str | None
    language: Language
    call_limit: float | None
    time: float
    last: int
    connected: frozenset[str]
    clock_errors: Mapping[str, float]
    camera: CameraState


@dataclass(frozen=True)
class Standing:
    """How the game stands. Nothing of it changes any more, so it can be told while the table goes on."""

    header: Header
    game: Game[Any]
    position: Any
    """The state of the game."""
    events: int
    layout: Layout
    caller: str | None
    call_ends: float | None
    tie: Tie | None
    oddity: Happening | None
    legal: LegalState
    """What can happen next."""

    @classmethod
    def of(cls, book: Book, before: Standing | None = None) -> Standing:
        """Return how the game stands now; in Cubed that is a search, unless it stands as it did ``before``."""
        table = book.table
        referee = table.referee
        known = before is not None and before.position is referee.state
        return cls(
            book.header,
            referee.game,
            referee.state,
            book.events,
            table.layout,
            table.caller,
            table.call_ends,
            table.tie,
            book.oddity,
            before.legal if before is not None and known else _legal_of(referee, book.header),
        )

    def looks_like(self, other: Standing | None) -> bool:
        """Return whether people see no difference."""
        if other is None:
            return False
        mine = (self.events, self.layout, self.caller, self.tie, self.oddity)
        return mine == (other.events, other.layout, other.caller, other.tie, other.oddity)

    def state(self, around: Around) -> TableState:
        """Return the STATE of the table."""
        seating = seating_of(self.position)
        return TableState(
            id=around.id,
            name=around.name,
            game=self.header.edition.key,
            title=self.header.edition.title,
            options=dict(self.position.options),
            language=around.language,
            players=[
                PlayerState(
                    name=name,
                    score=score,
                    connected=name in around.connected,
                    clock_error=around.clock_errors.get(name),
                    **asdict(seat),
                )
                for (name, score), seat in zip(self.position.score.items(), seating.seats, strict=True)
            ],
            time=round(around.time, 3),
            last=around.last,
            events=self.events,
            caller=self.caller,
            call_ends=None if self.call_ends is None else round(self.call_ends, 3),
            turn=self._turn,
            round=seating.round,
            master=seating.master,
            pile=seating.pile,
            tie=None if self.tie is None else TieState(players=list(self.tie.players), times=self.tie.times),
            oddity=self._oddity,
            legal=self._open,
            layout=self._layout,
            hands=self._hands,
            outcome=self._outcome,
            hints=str(self.position.options["hints"]),
            call_limit=around.call_limit,
            camera=around.camera,
        )

    @property
    def _open(self) -> LegalState:
        """What can happen next; while calls are tied nobody calls or says that there is none: the host decides."""
        if self.tie is None:
            return self.legal
        return self.legal.model_copy(
            update={"moves": [move for move in self.legal.moves if move not in _NOT_WHILE_TIED]}
        )

    @property
    def _turn(self) -> str | None:
        """Whose turn it is; games of calls know turns only where the table plays so."""
        if self.position.over is not None or self.position.options.get("turns") is False:
            return None
        if self.game.has_calls and not self.position.options.get("turns"):
            return None
        turn: int | str | None = getattr(self.position, "turn", None)
        return self.position.players[turn] if isinstance(turn, int) else turn

    @property
    def _layout(self) -> list[PieceState]:
        dice = self.position.grid.dice if isinstance(self.position, CubedState) else {}
        named: dict[Spot, str] = {at: str(die.named) for at, die in dice.items() if die.named is not None}
        return [
            PieceState(name=str(piece), at=_listed(spot), stands_for=named.get(spot) if piece == Face(None) else None)
            for spot, piece in self.layout.entries
        ]

    @property
    def _oddity(self) -> OddityState | None:
        odd = self.oddity
        if odd is None or odd.number is None:
            return None
        choices = [
            ChoiceState(text=one.text, players=list(one.players), points=dict(one.points)) for one in odd.choices
        ]
        return OddityState(number=odd.number, text=odd.text, choices=choices)

    @property
    def _hands(self) -> dict[str, list[str]] | None:
        hands = getattr(self.position, "hands", None)
        if hands is None:
            return None
        return {name: list(map(str, hand)) for name, hand in zip(self.position.players, hands, strict=True)}

    @property
    def _outcome(self) -> OutcomeState | None:
        outcome = self.game.outcome(self.position)
        if not outcome.over:
            return None
        return OutcomeState(
            over=True, scores=dict(outcome.scores), winners=list(outcome.winners), losers=list(outcome.losers)
        )


def _legal_of(referee: Referee, header: Header) -> LegalState:
    forms = {form.event: form.key for form in (*EVERY_GAME, *GAME_FORMS[header.edition.key])}
    legal = referee.legal
    return LegalState(
        due=[DueState(task=one.task, count=one.count, player=one.player, optional=one.optional) for one in legal.due],
        moves=sorted({forms[type(move)] for move in legal.moves}),
    )


def _listed(spot: Spot) -> list[int] | None:
    return list(spot) if isinstance(spot, tuple) else None
