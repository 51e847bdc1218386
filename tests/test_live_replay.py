"""The last minute of a live table: kept within bounds, frozen for a dispute, stepped through."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from engine.events import Called, Dealt, Undone
from engine.layout import Layout
from service.live.errors import NoCallError, NoReplayError
from service.live.reel import Reel
from service.live.settings import LiveSettings
from tests.fake_moments import moment, track
from tests.games import DEALT
from tests.live import Played

SET = (DEALT[0], DEALT[1], DEALT[9])
NO_SET = (DEALT[0], DEALT[1], DEALT[2])
IMAGE = np.random.default_rng(5).integers(0, 255, (360, 640, 3), np.uint8)


def disputed() -> Played:
    """A table where Ann has called, and taken three cards that are no SET."""
    game = Played()
    game.lay(*DEALT)
    game.look(2)
    game.call("Ann")
    game.lift(*NO_SET)
    game.look(2)
    return game


def test_a_dispute_shows_what_lay_there_at_the_call_and_why() -> None:
    game = disputed()
    found = game.table.dispute()
    assert found.player == "Ann"
    assert found.at == pytest.approx(2.0)
    assert set(found.pieces) == set(NO_SET)
    assert found.is_set is False
    assert any("Number" in line for line in found.lines)
    assert found.text.startswith("Not a SET")
    assert len(found.still.layout) == 12
    assert found.still.time <= found.at


def test_a_dispute_can_be_stepped_and_stays_frozen() -> None:
    game = disputed()
    found = game.table.dispute()
    later = found.step(1)
    while later.step(1) is not later and later.place < len(later.stills) - 1:
        later = later.step(1)
    assert len(later.still.layout) == 9
    assert found.step(-100).place == 0
    assert found.step(100).place == len(found.stills) - 1
    kept = found.stills
    game.look(100)
    assert found.stills == kept


def test_before_anybody_has_called_there_is_nothing_to_look_back_at() -> None:
    game = disputed()
    with pytest.raises(NoCallError, match="nobody had called by then"):
        game.table.dispute(1.0)
    game.table.put(Undone())
    game.table.put(Undone())
    with pytest.raises(NoCallError):
        game.table.dispute()


def test_an_open_call_can_be_looked_at_before_anything_is_shown() -> None:
    game = Played()
    game.lay(*DEALT)
    game.look(1)
    game.call("Ben")
    found = game.table.dispute()
    assert (found.player, found.pieces, found.is_set) == ("Ben", (), None)


def test_earlier_calls_can_be_disputed_too() -> None:
    game = disputed()
    game.lay(*NO_SET)
    game.look(1)
    game.call("Ben")
    game.lift(*SET)
    game.look(1)
    assert game.table.dispute().player == "Ben"
    assert game.table.dispute().is_set
    assert game.table.dispute(3.0).player == "Ann"


def test_pictures_are_small_and_bounded_by_seconds_and_bytes() -> None:
    settings = LiveSettings(replay_seconds=10, replay_rate=2, replay_width=160)
    game = Played(settings=settings)
    for number in range(400):
        game.table.look(moment(number / 10, [track(0, DEALT[0])]), IMAGE)
    game.table.put(Dealt(DEALT))
    game.table.put(Called("Ann"))
    found = game.table.dispute()
    assert 20 <= len(found.stills) <= 22
    assert found.stills[0].time >= 29
    jpeg = found.still.jpeg
    assert jpeg is not None
    picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert picture.shape == (90, 160, 3)

    reel = Reel(LiveSettings(replay_bytes=50_000))
    for number in range(100):
        reel.keep(number, Layout(), True, IMAGE)
    assert reel.size <= 50_000 or len(reel) == 1
    assert len(reel) < 10


def test_without_pictures_the_layouts_are_kept() -> None:
    game = disputed()
    assert all(still.jpeg is None for still in game.table.dispute().stills)


def test_the_replay_can_be_switched_off() -> None:
    game = Played(settings=LiveSettings(replay=False))
    game.lay(*DEALT)
    game.look(1)
    with pytest.raises(NoReplayError, match="replay is off"):
        game.table.dispute()


def test_between_two_pictures_that_were_made_small_elsewhere_the_last_one_shows_the_table() -> None:
    reel = Reel(LiveSettings(replay_rate=1))
    reel.keep(0.0, Layout(), False, None, b"first")
    reel.keep(0.5, Layout(), False, None, b"second")
    reel.keep(1.0, Layout(), True, None)
    assert [still.jpeg for still in reel.frozen(1.0)[0]] == [b"first", b"second"]
