"""The score sheet of a game, and what can be counted about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from engine.clauses import Clause
from engine.editions import shown
from engine.events import Called, Event, Verdict
from engine.referee import Referee
from engine.tokens import Piece

__all__ = ["ScoreLine", "Statistics", "differing", "score_sheet", "statistics_of"]


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One change of the score."""

    number: int
    """The event that made it."""
    points: Mapping[str, int]
    """What changed, by player."""
    clause: Clause
    """Why."""
    scores: Mapping[str, int]
    """Everyone's points after it."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """What happened in a game, but for what was taken back."""

    sets: Mapping[str, int]
    """SETs taken or made, by player."""
    false_calls: Mapping[str, int]
    """False calls, by player."""
    kinds: Mapping[int, int]
    """SETs by the number of features in which their pieces differ: 0 (three identical dice) to 4."""
    seconds: Mapping[str, float] = field(default_factory=dict)
    """Median time between events, and from a call to its pick; only where times are given."""


def score_sheet(referee: Referee) -> tuple[ScoreLine, ...]:
    """Return every event that changed the score, as it was judged at the time."""
    return tuple(
        ScoreLine(entry.number, entry.verdict.points, entry.verdict.clause, entry.scores)
        for entry in referee.log
        if entry.verdict.points
    )


def differing(pieces: Iterable[Piece]) -> int:
    """Return in how many features the pieces of a SET differ."""
    return sum(len(set(values)) > 1 for values in zip(*(shown(piece).values for piece in pieces), strict=True))


def statistics_of(referee: Referee) -> Statistics:
    """Count what counts in the game as it is read now."""
    counted = list(referee.counted())
    names = referee.state.players
    sets: Counter[str] = Counter(dict.fromkeys(names, 0))
    false_calls: Counter[str] = Counter(dict.fromkeys(names, 0))
    kinds: Counter[int] = Counter()
    for event, verdict in counted:
        player = str(getattr(event, "player", ""))
        if verdict.judged:
            false_calls[player] += 1
        sets.update({player: len(verdict.sets)} if verdict.sets else {})
        kinds.update(differing(line.pieces) for line in verdict.sets)
    return Statistics(dict(sets), dict(false_calls), dict(sorted(kinds.items())), _seconds(counted))


def _seconds(counted: list[tuple[Event, Verdict]]) -> dict[str, float]:
    timed = [event for event, _ in counted if event.time is not None]
    pairs = list(pairwise(timed))
    gaps = [_time(later) - _time(earlier) for earlier, later in pairs]
    calls = [_time(later) - _time(earlier) for earlier, later in pairs if isinstance(earlier, Called)]
    named = {"between events": gaps, "from a call to its pick": calls}
    return {name: median(values) for name, values in named.items() if values}


def _time(event: Event) -> float:
    return event.time or 0.0
