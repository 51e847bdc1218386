"""The score sheet of a game, and what can be counted about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise
from statistics import median

from engine.clauses import Clause
from engine.editions import shown
from engine.events import Called, Event, Verdict
from engine.referee import Referee
from engine.tokens import Piece

__all__ = ["Pace", "ScoreLine", "Statistics", "differing", "score_sheet", "statistics_of"]


class Pace(StrEnum):
    """What takes time in a game."""

    BETWEEN_EVENTS = "between_events"
    """From one event to the next."""
    CALL_TO_PICK = "call_to_pick"
    """From a call to what its player shows."""


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
    seconds: Mapping[Pace, float] = field(default_factory=dict)
    """Median times; only where times are given, and do not run backwards."""


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


def _seconds(counted: list[tuple[Event, Verdict]]) -> dict[Pace, float]:
    timed = [(event, event.time) for event, _ in counted if event.time is not None]
    gaps = [(event, later - time) for (event, time), (_, later) in pairwise(timed) if later >= time]
    named = {
        Pace.BETWEEN_EVENTS: [gap for _, gap in gaps],
        Pace.CALL_TO_PICK: [gap for event, gap in gaps if isinstance(event, Called)],
    }
    return {pace: median(values) for pace, values in named.items() if values}
