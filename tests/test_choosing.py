"""Cameras of which nobody has said what they see: cards are followed first, and other eyes take over."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import numpy as np
import pytest

from engine.tokens import full_deck
from service.game import Game
from service.settings import Settings
from service.watch_tracker import GameGuess
from service.workers import Camera
from service.workers import worker as worker_module
from service.workers.choosing import Choosing
from service.workers.worker import Worker
from tests import worker_jobs
from tests.fake_moments import moment, track
from tests.fakes import encoded
from vision.tracks import Advice, Moment

IMAGE = np.zeros((36, 64, 3), np.uint8)
CARDS = [track(place, card) for place, card in enumerate(full_deck()[:12])]


class FakeGuess:
    """Says what the test has laid there, and counts how often it is asked."""

    def __init__(self, *games: Game | None) -> None:
        self._games: Iterator[Game | None] = iter(games)
        self.asked: list[Game] = []

    def of(self, image: Any, found: Moment) -> Game | None:
        """Return the next game."""
        self.asked.append(Game.AUTO)
        return next(self._games, None)

    def instead(self, image: Any, found: Moment, game: Game) -> Game | None:
        """Return the next game."""
        self.asked.append(game)
        return next(self._games, None)


def chosen(guess: FakeGuess, *moments: Moment) -> list[Game | None]:
    """What is to be followed instead, at each of these moments."""
    choosing = Choosing(cast(GameGuess, guess))
    return [choosing.instead(IMAGE, one) for one in moments]


def seen(time: float, advice: Advice | None = None, changed: float = 0.0) -> Moment:
    """Twelve cards."""
    found = moment(time, CARDS, changed=changed)
    return Moment(found.time, found.size, found.scene, True, changed, found.tracks, advice=advice)


@pytest.mark.parametrize("game", [Game.CLASSIC, Game.RAVENSBURGER])
def test_cards_are_followed_on_and_nobody_is_asked_again_while_all_is_well(game: Game) -> None:
    guess = FakeGuess(None, game)
    assert chosen(guess, seen(0), seen(1), seen(2), seen(3)) == [None] * 4
    assert guess.asked == [Game.AUTO] * 2


@pytest.mark.parametrize("game", [Game.CUBED, Game.JUNIOR_2])
def test_other_pieces_need_other_eyes(game: Game) -> None:
    assert chosen(FakeGuess(game), seen(0), seen(1)) == [game, None]


def test_what_comes_later_is_looked_at_where_something_is_wrong() -> None:
    guess = FakeGuess(Game.CUBED, None, Game.CLASSIC)
    well, wrong = seen(1, changed=1), seen(2, Advice.NO_PIECES, changed=2)
    assert chosen(guess, seen(0), well, wrong, wrong, wrong) == [Game.CUBED, None, None, Game.CLASSIC, None]
    assert guess.asked[:3] == [Game.AUTO, Game.CUBED, Game.CUBED]


def test_an_empty_table_costs_nothing_for_long() -> None:
    guess = FakeGuess(*[None] * 99)
    chosen(guess, *[seen(float(time), Advice.NO_PIECES, changed=-1e9) for time in range(60)])
    assert len(guess.asked) == 5


@pytest.mark.parametrize("game", list(Game))
def test_a_worker_opens_other_eyes_only_where_nobody_has_said(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Game] = []

    def open_tracker(referee: Any, which: Game, board: Any, settle: float) -> Any:
        opened.append(which)
        return worker_jobs.fake_tracker(referee, which, board, settle)

    monkeypatch.setattr(worker_module, "GameGuess", lambda *_, **__: FakeGuess(None, Game.CUBED))
    worker = Worker(worker_jobs.fake_referee(Settings()), Settings(), open_tracker)
    jpeg = encoded(IMAGE)
    fresh = [worker.see(Camera("eye", game), jpeg, float(time), ()).fresh for time in range(3)]
    assert opened == ([game, Game.CUBED] if game is Game.AUTO else [game])
    assert fresh == [True, game is Game.AUTO, False]
