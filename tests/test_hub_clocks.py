"""How far a client's clock is from the table's, and how well that is known."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, nan

import pytest

from service.hub.clocks import ClientClock, ClockSettings, Measured
from service.hub.errors import BadTimeError

AHEAD = 5_000.0
"""How far the client's clock is ahead."""


@dataclass
class Line:
    """A client behind a line that takes its time."""

    seconds: float = 100.0
    ahead: float = AHEAD

    def __post_init__(self) -> None:
        self.clock = ClientClock(lambda: self.seconds)

    def trip(self, there: float, back: float) -> Measured:
        """One ping and its answer."""
        ping = self.clock.ping()
        self.seconds += there
        at = self.seconds + self.ahead
        self.seconds += back
        measured = self.clock.pong(ping.number, at)
        assert measured is not None
        return measured


@pytest.mark.parametrize(("there", "back"), [(0.1, 0.1), (0.2, 0.0), (0.0, 0.2)])
def test_the_offset_is_known_up_to_half_of_the_round_trip_whatever_either_way_takes(there: float, back: float) -> None:
    measured = Line().trip(there, back)
    assert measured.error == pytest.approx(0.1)
    assert abs(measured.offset - AHEAD) <= measured.error + 1e-9


def test_the_quickest_round_trip_counts_until_it_is_too_old() -> None:
    line = Line()
    line.trip(0.01, 0.01)
    assert line.trip(0.1, 0.1).error == pytest.approx(0.01, abs=1e-4)
    line.seconds += 1_000  # 100 ppm of this is as much as the slow one
    line.trip(0.02, 0.02)
    measured = line.clock.measured
    assert measured is not None
    assert measured.error == pytest.approx(0.02)


def test_a_clock_that_jumps_is_measured_anew() -> None:
    line = Line()
    line.trip(0.01, 0.01)
    line.ahead += 3.0
    measured = line.trip(0.1, 0.1)
    assert measured.error == pytest.approx(0.1)
    assert measured.offset == pytest.approx(AHEAD + 3.0, abs=0.1)


def test_answers_that_nobody_asked_for_change_nothing() -> None:
    line = Line()
    assert line.clock.measured is None
    assert line.clock.pong(7, 3.0) is None
    ping = line.clock.ping()
    line.clock.pong(ping.number, line.seconds)
    line.seconds += 10
    again = line.clock.pong(ping.number, 0.0)
    assert again is not None
    assert again.offset == 0.0


def test_old_pings_are_forgotten() -> None:
    line = Line()
    first = line.clock.ping()
    for _ in range(ClockSettings().open):
        line.clock.ping()
    assert line.clock.pong(first.number, 1.0) is None


def test_a_time_of_the_client_is_told_in_the_time_of_the_table() -> None:
    line = Line()
    line.trip(0.01, 0.01)
    at, error = line.clock.at_table(line.seconds - 0.3 + AHEAD)
    assert at == pytest.approx(line.seconds - 0.3)
    assert error == pytest.approx(0.01)


def test_a_time_is_never_later_than_it_came_nor_too_long_before() -> None:
    line = Line()
    line.trip(0.1, 0.1)
    assert line.clock.at_table(line.seconds + AHEAD + 0.05)[0] == line.seconds
    assert line.clock.at_table(line.seconds + AHEAD - 60)[0] == line.seconds - ClockSettings().late


def test_a_time_that_has_not_been_yet_counts_as_unknown() -> None:
    line = Line()
    line.trip(0.01, 0.01)
    assert line.clock.at_table(line.seconds + AHEAD + 1) == (line.seconds, ClockSettings().unmeasured)


def test_without_a_time_or_a_measured_clock_the_arrival_counts_with_an_error_that_says_so() -> None:
    line = Line()
    unknown = (line.seconds, ClockSettings().unmeasured)
    assert line.clock.at_table(None) == unknown
    assert line.clock.at_table(12.0) == unknown


def test_a_clock_that_is_known_badly_is_no_better_than_none() -> None:
    line = Line()
    line.trip(1.0, 1.0)
    assert line.clock.at_table(line.seconds + AHEAD) == (line.seconds, ClockSettings().unmeasured)


@pytest.mark.parametrize("at", [nan, inf, -inf, 1e300])
def test_what_is_no_time_is_refused(at: float) -> None:
    line = Line()
    ping = line.clock.ping()
    with pytest.raises(BadTimeError):
        line.clock.pong(ping.number, at)
    with pytest.raises(BadTimeError):
        line.clock.at_table(at)
