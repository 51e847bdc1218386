"""How a change on a table comes about: when it began, whether it waits to be understood, what was shown meanwhile."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from engine.tokens import Piece
from service.live.seen import Seen, unfollowed
from service.live.understanding import Understood

__all__ = ["OpenOddity", "Pending", "Watch"]

_SHOWN = 3
"""Pieces of a pick."""


@dataclass(frozen=True, slots=True)
class Pending:
    """A settled layout that is not the one understood, and how far it is understood.

    ``since`` is when the table first lay settled and not understood, ``laid`` when this layout did; ``began`` and
    ``changed`` are the two ends of the change. ``key`` says what the understanding rests on.
    """

    seen: Seen
    understood: Understood
    since: float
    laid: float
    began: float
    changed: float
    key: tuple[object, ...] = ()

    def is_like(self, other: Pending) -> bool:
        """Return whether people would be told the same of both."""
        mine, theirs = self.understood, other.understood
        same = self.seen.layout == other.seen.layout and mine.problems == theirs.problems
        return same and [one.events for one in mine.candidates] == [one.events for one in theirs.candidates]

    def unfollowed(self) -> Pending:
        """Return it as it is known when no track is known any more."""
        return replace(self, seen=unfollowed(self.seen))


@dataclass(frozen=True, slots=True)
class OpenOddity:
    """An oddity that people were ``told`` of at that time and can accept, correct or ignore, by its ``number``."""

    number: int
    pending: Pending
    text: str
    told: float


@dataclass(slots=True)
class Watch:
    """Follows a table between two settled layouts.

    ``quiet`` is when it last lay settled as understood, ``began`` when it first did not any more, ``moved`` since when
    it has not been settled at all. Pieces of which
    there is no track although nothing has settled have been lifted: three at a time, for long enough, have been shown.
    """

    show_seconds: float
    quiet: float = 0.0
    began: float | None = None
    moved: float | None = None
    shown: frozenset[Piece] = frozenset()
    shown_since: float = 0.0
    _lifted: frozenset[Piece] = field(default_factory=frozenset)
    _since: float = 0.0

    def rest(self, time: float) -> None:
        """Note that the table lies as understood."""
        self.quiet, self.began = time, None
        self.shown, self._lifted = frozenset(), frozenset()

    def stir(self, time: float) -> float:
        """Note that it does not, and return since when."""
        if self.began is None:
            self.began = time
        return self.began

    def move(self, time: float) -> None:
        """Note that it is not settled."""
        if self.moved is None:
            self.moved = time

    def lift(self, lifted: frozenset[Piece], time: float) -> None:
        """Note which pieces are off the table at ``time``, while a hand is in the picture."""
        if lifted != self._lifted:
            self._lifted, self._since = lifted, time
        if len(lifted) == _SHOWN and time - self._since >= self.show_seconds:
            self.shown, self.shown_since = lifted, self._since
