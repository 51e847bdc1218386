"""What a change on the table means: the one explanation that is beyond question, or what stands in its way."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from engine.events import Announced, Claimed, Dealt, Event, Picked
from engine.explain_change import Candidate, Explained, Problem, explain
from engine.layout import Layout
from engine.reasons import Oddity
from engine.referee import Referee

__all__ = ["Known", "Understood", "known", "players_of", "understand"]

Known = tuple[str, tuple[str, ...]]
"""A problem that people have seen and ignored: its code and its pieces."""

_NO_PROBLEM = (Oddity.DISAGREES, Oddity.NOTHING_CHANGED)
"""That the picture before and the game differ has been told when it came about."""
_LASTING = (Oddity.FOREIGN, Oddity.DUPLICATE)
"""What is odd as long as it lies there, even when it has not changed."""


@dataclass(frozen=True, slots=True)
class Understood:
    """What a change means.

    ``choice`` is what counts, None where nothing is to be told, or where people have to choose among ``candidates``.
    ``whole`` tells that nothing is left to be explained. ``sure``: no other explanation would fit.
    """

    candidates: tuple[Candidate, ...] = ()
    problems: tuple[Problem, ...] = ()
    choice: Candidate | None = None
    whole: bool = False
    sure: bool = True

    @property
    def is_deal_under_way(self) -> bool:
        """Whether all that is odd is that too few have been laid so far."""
        return bool(self.problems) and all(one.code is Oddity.TOO_FEW_NEW for one in self.problems)


def known(problem: Problem) -> Known:
    """Return the problem as people have seen it."""
    return problem.code.value, tuple(sorted(map(str, problem.pieces)))


def understand(
    before: Layout,
    after: Layout,
    referee: Referee,
    *,
    who: Collection[str] = (),
    ignored: Collection[Known] = (),
) -> Understood:
    """Return what the change from ``before`` to ``after`` means where the game of ``referee`` stands.

    ``who``: only these may have picked, claimed or announced, if anybody is named. ``ignored``: problems that are none
    any more.
    """
    found = explain(before, after, referee.state, referee.game)
    candidates = tuple(one for one in found.candidates if not who or players_of(one.events) <= set(who))
    candidates = candidates or found.candidates
    problems = tuple(one for one in found.problems if not _is_told(one, ignored))
    plays = {_play(one.events) for one in candidates}
    whole = not problems and len(plays) <= 1
    choice = candidates[0] if candidates and whole else None
    return Understood(candidates, problems, choice, whole, choice is None or _is_sure(found, candidates))


def _is_told(problem: Problem, ignored: Collection[Known]) -> bool:
    """Return whether people know of a problem already."""
    return problem.code in _NO_PROBLEM or (problem.code in _LASTING and known(problem) in ignored)


_WHOSE = (Picked, Claimed, Announced)
"""Events for which the picture does not tell whose they are."""


def players_of(events: Iterable[Event]) -> set[str]:
    """Return who has played those of ``events`` for which the picture does not tell whose they are."""
    return {event.player for event in events if isinstance(event, _WHOSE)}


def _play(events: Iterable[Event]) -> tuple[tuple[str, frozenset[object]], ...]:
    """Return what people have to decide on: whose the pieces are, and which; the order of two deals is none of it."""
    return tuple(
        (event.player, frozenset(event.faces if isinstance(event, Announced) else event.cards))
        for event in events
        if isinstance(event, _WHOSE)
    )


def _is_sure(found: Explained, candidates: tuple[Candidate, ...]) -> bool:
    """Return whether all candidates come to the same: only a pick and a deal may change places."""
    if len(candidates) + (found.more if candidates == found.candidates else 0) == 1:
        return True
    return all(any(isinstance(event, Dealt) for event in one.events) for one in candidates) and not found.more
