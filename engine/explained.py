"""What explains the change between two pictures of a table: candidates, problems, and how they are found.

Each game has its own file (``engine.explain_calls`` and so on); what they share is here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, TypeVar

from engine.events import Event, Fact, Verdict
from engine.game import Game
from engine.layout import Spot
from engine.reasons import Chosen, Oddity, Reason
from engine.tokens import Piece

__all__ = [
    "MOST",
    "Candidate",
    "Explained",
    "Moved",
    "Note",
    "Part",
    "Plan",
    "Problem",
    "best_view",
    "collect",
    "join",
    "odd",
    "play",
    "problem",
]

MOST = 20
"""Most candidates that are returned; the others are counted."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something odd about a change."""

    code: Oddity
    """What, by name."""
    pieces: tuple[Piece, ...]
    """The pieces it is about; with ``CHANGED`` old and new, with ``WRONG_SPACE`` the tile and the space's own."""
    facts: Mapping[str, Fact] = field(default_factory=dict, hash=False)
    """What else its sentence mentions."""
    refusal: Verdict | None = field(default=None, hash=False)
    """What the referee says, with ``NOT_ALLOWED``."""


@dataclass(frozen=True, slots=True)
class Note:
    """Something that was chosen among explanations that fit equally well."""

    code: Chosen
    """What, by name."""
    facts: Mapping[str, Fact] = field(default_factory=dict)
    """What its sentence mentions."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A piece that merely changed its place, or came back: no event."""

    piece: Piece
    """Which."""
    start: Spot | None
    """Where it lay before; None if the picture before does not show it though the game knows that it lies there."""
    end: Spot
    """Where it lies now."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Events that explain a change, each of which the referee accepts or judges, one after the other."""

    events: tuple[Event, ...]
    """What may have happened, in order."""
    verdicts: tuple[Verdict, ...]
    """What the referee says to each."""
    points: Mapping[str, int]
    """What they change altogether, by player; never 0."""
    notes: tuple[Note, ...] = ()
    """What was chosen among equals, such as the order of dice or the name of a Wild."""


@dataclass(frozen=True, slots=True)
class Explained:
    """What explains a change. Problems and candidates can come together: then it is explained in part."""

    candidates: tuple[Candidate, ...] = ()
    """Every explanation that fits equally well, best first, at most ``MOST`` of them."""
    moved: tuple[Moved, ...] = ()
    """What only lies elsewhere."""
    problems: tuple[Problem, ...] = ()
    """What is odd."""
    more: int = 0
    """How many other candidates there are."""

    @property
    def ambiguous(self) -> bool:
        """Whether people have to say which candidate it was."""
        return len(self.candidates) + self.more > 1


@dataclass(frozen=True, slots=True)
class Part:
    """What explains one view of a change."""

    candidates: tuple[Candidate, ...] = ()
    """At most ``MOST``, best first."""
    more: int = 0
    """How many others there are."""
    problems: tuple[Problem, ...] = ()
    """What is odd about it."""
    refusal: Verdict | None = field(default=None, compare=False)
    """Why there is no candidate, where the referee says so."""

    @property
    def fits(self) -> bool:
        """Whether it explains everything and nobody is charged with a false call."""
        played = all(verdict.ok for found in self.candidates for verdict in found.verdicts)
        return bool(self.candidates) and not self.problems and played

    def with_problems(self, *problems: Problem) -> Part:
        """Return it with ``problems`` put first."""
        return Part(self.candidates, self.more, (*problems, *self.problems), self.refusal)

    def refused(self, pieces: Iterable[Piece]) -> Part:
        """Return it with the refusal of ``pieces``, if there is one, as a problem."""
        return self if self.refusal is None else self.with_problems(odd(self.refusal, pieces))


V = TypeVar("V")


def best_view(views: Sequence[V], core: Callable[[V], Part]) -> Part:
    """Return what ``core`` makes of the first view, or of the next one if only that is explained in full."""
    first = core(views[0])
    if first.problems:
        for view in views[1:]:
            other = core(view)
            if other.fits:
                return other
    return first


def play(game: Game[Any], state: Any, events: Iterable[Event]) -> tuple[Any, tuple[Verdict, ...]]:
    """Return the state after ``events`` and the verdicts, up to the first event that is refused."""
    verdicts: list[Verdict] = []
    for event in events:
        state, verdict = game.apply(state, event)
        verdicts.append(verdict)
        if not verdict.counts:
            break
    return state, tuple(verdicts)


Plan = tuple[Event, ...]
"""What may have happened, to be tried."""


def collect(game: Game[Any], state: Any, plans: Iterable[Plan], notes: tuple[Note, ...] = ()) -> Part:
    """Return the ``plans`` that the referee accepts or judges, in their order.

    If there is none, ``refusal`` is what the plan that got furthest is refused for.
    """
    found: list[Candidate] = []
    many, refusals = 0, list[tuple[Verdict, ...]]()
    for plan in plans:
        _, verdicts = play(game, state, plan)
        if not verdicts[-1].counts:
            refusals.append(verdicts)
            continue
        many += 1
        if many <= MOST:
            found.append(Candidate(plan, verdicts, _sum(verdicts), notes))
    refusal = max(refusals, key=len)[-1] if refusals and not found else None
    return Part(tuple(found), many - len(found), refusal=refusal)


def _sum(verdicts: Iterable[Verdict]) -> dict[str, int]:
    total: dict[str, int] = {}
    for verdict in verdicts:
        for player, points in verdict.points.items():
            total[player] = total.get(player, 0) + points
    return {player: points for player, points in total.items() if points}


def join(parts: Iterable[Part]) -> Part:
    """Return all candidates of ``parts``, best first within each, and their problems, each once."""
    parts = tuple(parts)
    found = tuple(candidate for part in parts for candidate in part.candidates)
    many = len(found) + sum(part.more for part in parts)
    problems = tuple(dict.fromkeys(entry for part in parts for entry in part.problems))
    return Part(found[:MOST], many - len(found[:MOST]), problems)


def problem(code: Oddity, pieces: Iterable[Piece], **facts: Fact) -> Problem:
    """Return a problem; ``facts`` are what its sentence mentions besides the pieces and their number."""
    return Problem(code, tuple(pieces), facts)


_ODDITIES: Mapping[Reason, Oddity] = MappingProxyType(
    {
        Reason.GAME_OVER: Oddity.GAME_OVER,
        Reason.ROUND_OVER: Oddity.ROUND_OVER,
        Reason.NONE_DUE: Oddity.NONE_DUE,
        Reason.NOT_IN_HAND: Oddity.NOT_IN_HAND,
    }
)
_WRONG_NUMBERS = (Reason.WRONG_NUMBER, Reason.TOO_MANY_DICE)


def odd(verdict: Verdict, pieces: Iterable[Piece]) -> Problem:
    """Return the refusal of ``pieces`` as a problem."""
    if verdict.reason in _WRONG_NUMBERS:
        count, due = (int(str(verdict.facts[name])) for name in ("count", "due"))
        return problem(Oddity.TOO_MANY_NEW if count > due else Oddity.TOO_FEW_NEW, pieces, due=due)
    code = _ODDITIES.get(verdict.reason)
    return Problem(Oddity.NOT_ALLOWED, tuple(pieces), refusal=verdict) if code is None else problem(code, pieces)
