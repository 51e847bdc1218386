"""Calls as they come in from outside, perhaps late and out of order, held until they can be told apart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Call", "CallDesk", "Tie"]


@dataclass(frozen=True, slots=True)
class Call:
    """A call by ``player`` at ``at``, give or take ``error``; it came in when the table's time was ``came``."""

    player: str
    at: float
    error: float = 0.0
    came: float = 0.0

    def clashes(self, other: Call, clock_error: float) -> bool:
        """Return whether the two calls are too close to part."""
        apart = abs(self.at - other.at)
        return apart < clock_error or apart < self.error + other.error


@dataclass(frozen=True, slots=True)
class Tie:
    """Calls that are too close to part, in the order of their times."""

    calls: tuple[Call, ...]

    @property
    def players(self) -> tuple[str, ...]:
        """Who has called."""
        return tuple(call.player for call in self.calls)

    @property
    def times(self) -> dict[str, float]:
        """When, by player."""
        return {call.player: call.at for call in self.calls}


class CallDesk:
    """Holds calls for ``clock_error`` seconds, and gives them out in the order of their times."""

    def __init__(self, clock_error: float) -> None:
        self.clock_error = clock_error
        self._calls: list[Call] = []

    @property
    def waiting(self) -> tuple[Call, ...]:
        """The calls that are held, first come first."""
        return tuple(self._calls)

    def add(self, call: Call) -> bool:
        """Hold ``call``; return False for a second one by a player whose first is still held."""
        if any(one.player == call.player for one in self._calls):
            return False
        self._calls.append(call)
        return True

    def ready(self, now: float, counts: Callable[[Call], bool]) -> tuple[Call, ...]:
        """Take out the earliest call for which ``counts`` holds, with those that clash with it.

        Nothing is given out before any other that could clash has had the time to come in.
        """
        able = sorted((call for call in self._calls if counts(call)), key=lambda call: (call.at, call.player))
        if not able or now < able[0].at + self.clock_error + able[0].error:
            return ()
        group = tuple(call for call in able if call is able[0] or call.clashes(able[0], self.clock_error))
        self._calls = [call for call in self._calls if call not in group]
        return group
