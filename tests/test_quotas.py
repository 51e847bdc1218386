"""Quotas: rates and shares of each of many; memory that does not grow."""

from __future__ import annotations

import pytest

from service.quotas import Buckets, Shares, TooManyError
from tests.fakes import SteadyClock


def test_a_bucket_gives_its_burst_and_then_its_rate(clock: SteadyClock) -> None:
    buckets = Buckets(rate=4, burst=3, most=10, clock=clock)
    assert [buckets.take("Ann") for _ in range(4)] == [0, 0, 0, 0.25]
    clock.now += 0.25
    assert [buckets.take("Ann") for _ in range(2)] == [0, 0.25]
    clock.now += 1000
    assert [buckets.take("Ann") for _ in range(4)] == [0, 0, 0, 0.25]


def test_who_reserves_waits_for_those_before(clock: SteadyClock) -> None:
    buckets = Buckets(rate=4, burst=2, most=10, clock=clock)
    assert [buckets.reserve("Ann") for _ in range(4)] == [0, 0, 0.25, 0.5]
    assert buckets.take("Ann") == 0.75
    clock.now += 0.75
    assert buckets.reserve("Ann") == 0


def test_who_asks_how_long_to_wait_takes_nothing(clock: SteadyClock) -> None:
    buckets = Buckets(rate=4, burst=1, most=10, clock=clock)
    assert [buckets.wait("Ann") for _ in range(3)] == [0, 0, 0]
    assert buckets.take("Ann") == 0
    assert [buckets.wait("Ann") for _ in range(3)] == [0.25, 0.25, 0.25]
    assert (buckets.wait("Ben"), len(buckets)) == (0, 1)


def test_over_a_long_time_the_rate_holds(clock: SteadyClock) -> None:
    buckets = Buckets(rate=50, burst=250, most=10, clock=clock)
    taken = 0
    for _ in range(10_000):
        clock.now += 0.001
        taken += buckets.take("Ann") == 0
    assert taken == pytest.approx(250 + 10 * 50, abs=2)


def test_clients_do_not_share_and_the_latest_are_remembered(clock: SteadyClock) -> None:
    buckets = Buckets(rate=1, burst=1, most=2, clock=clock)
    assert [buckets.take(name) for name in ("Ann", "Ben", "Ann")] == [0, 0, 1]
    for number in range(1000):
        buckets.take(str(number))
        assert len(buckets) == 2


def test_a_share_is_given_back() -> None:
    shares = Shares(1, "cameras")
    for _ in range(2):
        with shares.held("Ann"), shares.held("Ben"):
            with pytest.raises(TooManyError, match="cameras of yours are open; try again in 1 second"):
                shares.held("Ann").__enter__()
            assert len(shares) == 2
    assert len(shares) == 0
