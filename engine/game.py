"""The contract that every game passes: ``start``, ``apply``, ``legal``, ``outcome``.

A game is pure: a state and an event give a new state and a verdict, and neither is ever changed. What needs the log of
the game (taking back, correcting) is the referee's.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Generic, TypeVar

from engine.clauses import Clause
from engine.editions import Edition, Scoring
from engine.events import Asked, Corrected, Ended, Event, Fact, Line, Tied, Undone, Verdict
from engine.hints import HintLevel
from engine.options import Options
from engine.reasons import Reason
from engine.tokens import Piece

__all__ = [
    "Due",
    "Game",
    "Legal",
    "Outcome",
    "State",
    "Task",
    "UnknownPlayerError",
    "accept",
    "changed",
    "hint_of_sets",
    "refuse",
]


class UnknownPlayerError(ValueError):
    """An event by someone who does not sit at the table."""

    def __init__(self, name: str, players: tuple[str, ...]) -> None:
        """Quote the ``name`` and list the ``players``."""
        super().__init__(f"{name!r} is no player of this table: expected one of {', '.join(map(repr, players))}")


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """Where a game stands. Every game adds what it needs."""

    players: tuple[str, ...]
    """Names in the order in which they sit, clockwise (ALL-1)."""
    options: Options
    """A value for every option of the edition."""
    scores: tuple[int, ...]
    """Points of each player."""
    over: Clause | None = None
    """The clause that ended the game, while none has: None."""

    def index(self, player: str) -> int:
        """Return the place of ``player`` at the table.

        :raises UnknownPlayerError: nobody of that name sits there.
        """
        try:
            return self.players.index(player)
        except ValueError:
            raise UnknownPlayerError(player, self.players) from None

    @property
    def score(self) -> dict[str, int]:
        """Points by player."""
        return dict(zip(self.players, self.scores, strict=True))

    def scored(self, seat: int, points: int) -> tuple[int, ...]:
        """Return the points of each player after the one at ``seat`` has won ``points``."""
        return changed(self.scores, seat, points)


def changed(values: tuple[int, ...], place: int, change: int) -> tuple[int, ...]:
    """Return ``values`` with the one at ``place`` changed by ``change``."""
    return (*values[:place], values[place] + change, *values[place + 1 :])


class Task(StrEnum):
    """What someone has to do before chance can speak."""

    DEAL = "deal"
    """Lay ``count`` pieces from the pile."""
    SHUFFLE = "shuffle"
    """Shuffle for the next round."""
    ROLL = "roll"
    """Roll; the whole hand then has ``count`` dice."""
    REROLL = "reroll"
    """May roll some or all of the ``count`` dice of the hand once more."""


@dataclass(frozen=True, slots=True)
class Due:
    """Something that chance decides: who has to do what, never what comes of it."""

    task: Task
    """What to do."""
    count: int = 0
    """How many pieces, where that is fixed."""
    player: str | None = None
    """Who; None: the dealer, or anyone."""
    optional: bool = False
    """Whether play goes on without it."""


@dataclass(frozen=True, slots=True)
class Legal:
    """What can happen next, but for what every game always allows (``undone``, ``ended``, ``asked`` ...)."""

    due: tuple[Due, ...] = ()
    """What chance has to decide."""
    moves: tuple[Event, ...] = ()
    """Every decision open to the players. All of them stand or are judged; none is refused."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game stands or has ended."""

    over: bool
    """Whether it has ended."""
    scores: Mapping[str, int]
    """Points by player, in the order of the seats."""
    winners: tuple[str, ...]
    """Who has won; before the end: who leads."""
    losers: tuple[str, ...]
    """Who has lost, in games that have losers."""


S = TypeVar("S", bound=State)


def accept(
    clause: Clause,
    reason: Reason,
    points: Mapping[str, int] | None = None,
    *,
    sets: tuple[Line, ...] = (),
    **facts: Fact,
) -> Verdict:
    """Return a verdict that the event stands. Points of 0 are left out."""
    return Verdict(True, clause, reason, {who: many for who, many in (points or {}).items() if many}, facts, sets)


def refuse(
    clause: Clause, reason: Reason, *, failed: tuple[Piece, Piece, Piece] | None = None, **facts: Fact
) -> Verdict:
    """Return a verdict that the event does not stand and changes nothing."""
    return Verdict(False, clause, reason, facts=facts, failed=failed)


class Game(ABC, Generic[S]):
    """The rules of one game. It holds data of its edition and no state."""

    def __init__(self, edition: Edition) -> None:
        """Take the data of ``edition``."""
        self.edition = edition

    @abstractmethod
    def start(self, players: Sequence[str], options: Mapping[str, object] | None = None, board: Any = None) -> S:
        """Return the state before the first event.

        :raises PlayersError: the players cannot play this game.
        :raises OptionError: an unknown option, or a value out of range.
        :raises BoardError: the game needs a board and ``board`` is none.
        """

    @abstractmethod
    def judge(self, state: S, event: Event) -> tuple[S, Verdict] | None:
        """Return what becomes of an event of this game's own; None if it belongs to another game."""

    @abstractmethod
    def legal(self, state: S) -> Legal:
        """Return what is due and what the players may decide."""

    @abstractmethod
    def hint(self, state: S, player: str, level: HintLevel) -> Verdict:
        """Return the answer to a question that the table allows (CLASSIC-7)."""

    @property
    def has_calls(self) -> bool:
        """Whether two calls can be too close to part."""
        return False

    def seat(self, players: Sequence[str], options: Mapping[str, object] | None) -> dict[str, Any]:
        """Return the fields that every state begins with, checked."""
        chosen = self.edition.choose(options or {})
        seats = tuple(players)
        self.edition.seat(seats, chosen)
        return {"players": seats, "options": chosen, "scores": (0,) * len(seats)}

    def apply(self, state: S, event: Event) -> tuple[S, Verdict]:
        """Return the state after ``event`` and what the referee says to it; ``state`` itself stays as it is.

        A refused event gives back ``state``. Taking back and correcting need the log: here there is nothing to take
        back (ALL-3) and no event to correct (ALL-5).

        :raises UnknownPlayerError: the event is by someone who does not sit at the table.
        """
        for name in _names(event):
            state.index(name)
        if state.over is not None and not self.outlives(state, event):
            return state, refuse(state.over, Reason.GAME_OVER)
        match event:
            case Ended():
                return replace(state, over=Clause.ALL_2), accept(Clause.ALL_2, Reason.ENDED)
            case Asked(player, level):
                return state, self._answer(state, player, level)
            case Tied(players) if self.has_calls:
                return state, accept(Clause.ALL_5, Reason.TIED, players=players)
            case Undone():
                return state, refuse(Clause.ALL_3, Reason.NOTHING_TO_UNDO)
            case Corrected():
                return state, refuse(Clause.ALL_5, Reason.NO_SUCH_EVENT, event=event.event)
        judged = self.judge(state, event)
        if judged is None:
            return state, refuse(Clause.ALL_4, Reason.FOREIGN_EVENT, game=self.edition.title)
        after, verdict = judged
        ends = self.ends(after) if after is not state else None
        return judged if ends is None else (after, replace(verdict, facts={**verdict.facts, "ends": ends}))

    def ends(self, after: S) -> str | None:
        """Return what an event has ended that led to ``after``, for its sentence: "game", or nothing."""
        return None if after.over is None else "game"

    def outlives(self, state: S, event: Event) -> bool:
        """Return whether ``event`` is judged even after the end (ALL-2)."""
        return False

    def outcome(self, state: S) -> Outcome:
        """Return who has won, or leads. Ties share (CLASSIC-10); in SETUP most cards lose (SETUP-6)."""
        most = max(state.scores)
        best = tuple(name for name, score in state.score.items() if score == most)
        if self.edition.scoring is Scoring.TAKEN:
            return Outcome(state.over is not None, state.score, (), best)
        return Outcome(state.over is not None, state.score, best, ())

    def _answer(self, state: S, player: str, level: HintLevel) -> Verdict:
        allowed = HintLevel(str(state.options["hints"]))
        if level is HintLevel.NEVER or not allowed.allows(level):
            return refuse(Clause.CLASSIC_7, Reason.HINT_NOT_ALLOWED, level=level.value, allowed=allowed.value)
        return self.hint(state, player, level)


def _names(event: Event) -> tuple[str, ...]:
    if isinstance(event, Tied):
        return event.players
    name = getattr(event, "player", None) or getattr(event, "master", None)
    return () if name is None else (name,)


def hint_of_sets(found: Sequence[tuple[Piece, ...]], level: HintLevel) -> Verdict:
    """Return the answer about the SETs that lie there, the first of them where pieces are shown."""
    if level is HintLevel.COUNT:
        return accept(Clause.CLASSIC_7, Reason.HINT_COUNT, count=len(found))
    if not found:
        return accept(Clause.CLASSIC_7, Reason.HINT_NO)
    if level is HintLevel.YES_NO:
        return accept(Clause.CLASSIC_7, Reason.HINT_YES)
    return accept(Clause.CLASSIC_7, Reason.HINT_PIECES, pieces=found[0][: level.pieces])
