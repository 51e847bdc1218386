"""How far the clock of a client is from the clock of a table, and how well that is known.

A client tells times of any steady clock of its own. The server sends it a number at ``sent`` and gets the number back
with the client's time, at ``came``: the client's clock showed that time at some moment between the two. So the offset
is known up to half of the round trip, whatever either way takes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import count

from service.hub.errors import BadTimeError

__all__ = ["FURTHEST", "ClientClock", "ClockSettings", "Clocks", "Measured", "Ping", "errors_of"]

FURTHEST = 1e12
"""Seconds that a client's clock may tell at the most: Unix time fits, and fractions of a millisecond are kept."""


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


@dataclass(frozen=True, slots=True)
class _Sample:
    """One round trip, that ended at ``came`` (seconds of the table)."""

    offset: float
    error: float
    came: float


class ClientClock:
    """The clock of one client, measured as long as it answers."""

    def __init__(self, now: Callable[[], float], settings: ClockSettings | None = None) -> None:
        """Measure against ``now``, which tells the seconds of the table."""
        self._now = now
        self._settings = settings or ClockSettings()
        self._samples: deque[_Sample] = deque(maxlen=self._settings.samples)
        self._sent: dict[int, float] = {}
        self._numbers = count(1)

    def ping(self) -> Ping:
        """Return a number to be sent to the client now."""
        ping = Ping(next(self._numbers), self._now())
        self._sent[ping.number] = ping.time
        if len(self._sent) > self._settings.open:
            del self._sent[min(self._sent)]
        return ping

    def pong(self, number: int, at: float) -> Measured | None:
        """Take the client's answer to ``number``, its time then being ``at``; return what is known now.

        An answer to a number that was not sent, or was answered before, changes nothing.

        :raises BadTimeError: ``at`` is no number of seconds.
        """
        at = _seconds(at)
        sent = self._sent.pop(number, None)
        if sent is not None:
            came = self._now()
            sample = _Sample(at - (sent + came) / 2, (came - sent) / 2, came)
            known = self.measured
            if known is not None and abs(known.offset - sample.offset) > known.error + sample.error:
                self._samples.clear()  # both cannot be true: the client's clock has jumped
            self._samples.append(sample)
        return self.measured

    @property
    def measured(self) -> Measured | None:
        """What is known at this moment; None before the first answer."""
        now, drift = self._now(), self._settings.drift
        grown = [Measured(one.offset, one.error + drift * (now - one.came)) for one in self._samples]
        return min(grown, key=lambda one: one.error, default=None)

    def at_table(self, at: float | None) -> tuple[float, float]:
        """Return the table's time of something that just came in and was at ``at`` by the client, and its error.

        It is never later than now and never earlier than ``late`` seconds ago. Where ``at`` is not known, or not better
        than that it just came in, or has not been yet, it is now, with an error that says so.

        :raises BadTimeError: ``at`` is no number of seconds.
        """
        now, measured, unmeasured = self._now(), self.measured, self._settings.unmeasured
        if at is not None:
            at = _seconds(at)
        if at is None or measured is None or measured.error > unmeasured:
            return now, unmeasured
        time = at - measured.offset
        if time - measured.error > now:
            return now, unmeasured
        return max(now - self._settings.late, min(now, time)), measured.error


class Clocks:
    """The clocks of those who use one table: each socket has its own, and so has each key for its requests."""

    def __init__(self, now: Callable[[], float], settings: ClockSettings) -> None:
        """Measure against ``now``, which tells the seconds of the table."""
        self._now, self._settings = now, settings
        self._by_key: dict[str, ClientClock] = {}

    def new(self) -> ClientClock:
        """Return one that has not been measured."""
        return ClientClock(self._now, self._settings)

    def of(self, key_id: str) -> ClientClock:
        """Return the one that requests with this key measure."""
        return self._by_key.setdefault(key_id, self.new())

    def known(self, key_id: str) -> ClientClock | None:
        """Return the one of this key, if it has one."""
        return self._by_key.get(key_id)


def errors_of(clocks: Iterable[tuple[str | None, ClientClock | None]]) -> dict[str, float]:
    """Return how well the ``clocks`` of players are known, in seconds by player: the best that each has."""
    errors: dict[str, float] = {}
    for player, clock in clocks:
        if player is not None and clock is not None and (measured := clock.measured) is not None:
            errors[player] = min(round(measured.error, 4), errors.get(player, float("inf")))
    return errors


def _seconds(at: float) -> float:
    """Return ``at``.

    :raises BadTimeError: it is no number of seconds.
    """
    if not -FURTHEST <= at <= FURTHEST:
        raise BadTimeError(at)
    return float(at)
