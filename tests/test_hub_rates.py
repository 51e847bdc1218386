"""How much is granted."""

from __future__ import annotations

import pytest

from service.hub.errors import FullError
from service.hub.rates import Grants, RateSettings, Room


def test_room_is_given_back() -> None:
    room = Room("sockets", 1)
    room.take()
    with pytest.raises(FullError, match="sockets"):
        room.take()
    room.leave()
    room.take()


def test_cameras_share_two_thirds_of_the_time_and_no_one_gets_more_than_a_process() -> None:
    grants = Grants(2, 30.0)
    told: list[float] = []
    first = grants.join(told.append)
    assert first.fps == 10.0  # 100 ms each, all of one process
    others = [grants.join(told.append) for _ in range(3)]
    assert first.fps == pytest.approx(1000 * 2 / 3 * 2 / 4 / 100, abs=0.05)
    for other in others:
        grants.leave(other)
    assert first.fps == 10.0


def test_a_rate_follows_the_cost_and_is_told_when_it_changes_by_a_fifth() -> None:
    told: list[float] = []
    grants = Grants(1, 30.0, RateSettings(smoothing=1.0, share=1.0))
    grant = grants.join(told.append)
    for ms in (105.0, 115.0, 130.0, 40.0, 10.0):
        grant.spent(ms)
        grants.share()
    assert told == [10.0, pytest.approx(7.7), 25.0, 30.0]


def test_no_camera_waits_for_ever() -> None:
    grants = Grants(1, 30.0, RateSettings(smoothing=1.0))
    grant = grants.join(lambda fps: None)
    grant.spent(1e9)
    grants.share()
    assert grant.fps == RateSettings().least
