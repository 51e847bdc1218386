"""How far the clock of a client is from the clock of a table, and how well that is known.

A client tells times of any steady clock of its own. The server sends it a number at ``sent`` and gets the number back
with the client's time, at ``came``: the client's clock showed that time at some moment between the two. So the offset
is known up to half of the round trip, whatever either way takes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["ClientClock", "ClockSettings", "Measured", "Ping"]


@dataclass(frozen=True, slots=True)
class ClockSettings:
    """How clocks are measured.

    ``samples``: so many of the last round trips count. ``drift``: seconds a second that two clocks may part.
    ``unmeasured``: the error of a time where no clock has been measured: the way of a message over a slow network.
    ``open``: so many pings may be unanswered; older ones are forgotten. ``late``: a call counts at most so many seconds
    before it came in.
    """

    samples: int = 16
    drift: float = 100e-6
    unmeasured: float = 0.25
    open: int = 32
    late: float = 2.0


@dataclass(frozen=True, slots=True)
class Measured:
    """What is known of a client's clock: its time minus the table's, give or take ``error``; both in seconds."""

    offset: float
    error: float


@dataclass(frozen=True, slots=True)
class Ping:
    """A number that a client has to answer with its time; it left at ``time`` (seconds of the table)."""

    number: int
    time: float


class ClientClock:
    """The clock of one client, measured as long as it answers."""

    def __init__(self, now: Callable[[], float], settings: ClockSettings | None = None) -> None:
        """Measure against ``now``, which tells the seconds of the table."""
        raise NotImplementedError

    def ping(self) -> Ping:
        """Return a number to be sent to the client now."""
        raise NotImplementedError

    def pong(self, number: int, at: float) -> Measured | None:
        """Take the client's answer to ``number``, its time then being ``at``; return what is known now.

        An answer to a number that was not sent, or was answered before, changes nothing.

        :raises BadTimeError: ``at`` is no number of seconds.
        """
        raise NotImplementedError

    @property
    def measured(self) -> Measured | None:
        """What is known at this moment; None before the first answer."""
        raise NotImplementedError

    def at_table(self, at: float | None) -> tuple[float, float]:
        """Return the table's time of something that just came in and was at ``at`` by the client, and its error.

        It is never later than now and never earlier than ``late`` seconds ago. Without ``at``, or without a measured
        clock, it is now, with an error that says so.

        :raises BadTimeError: ``at`` is no number of seconds.
        """
        raise NotImplementedError
