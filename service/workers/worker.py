"""What works on pictures, in a process of its own or in this one: answers uploads, and follows what cameras see."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from time import perf_counter
from typing import TYPE_CHECKING, Any

from service.board_file import AnyBoard, parse_board
from service.game import Game
from service.reading import Referee
from service.settings import Settings
from service.uploaded import Uploaded
from service.watch_tracker import Follows, GameGuess
from service.workers.choosing import Choosing
from service.workers.errors import FrameError
from service.workers.frames import Stills, picture_of
from service.workers.nouns import Answered, Camera, Correction, Sight, Work

if TYPE_CHECKING:
    from service.upload import Parts

__all__ = ["OpensReferee", "OpensTracker", "Worker", "shared_tracker", "shipped_referee"]

OpensReferee = Callable[[Settings], Referee]
"""Opens what reads photos; a function of a module, so that it can go to a process."""

OpensTracker = Callable[[Referee, Game, AnyBoard | None, float], Follows]
"""Opens a tracker, which may use the networks of the referee; a function of a module."""


def shipped_referee(settings: Settings) -> Referee:
    """Return what reads photos, with the shipped models for cards, dice and tiles open.

    :raises InstallationError: they cannot be opened.
    """
    referee = Referee.opened(settings)
    _ = referee.table_reader  # else the first photo of dice would wait for it
    return referee


def shared_tracker(referee: Referee, game: Game, board: AnyBoard | None, settle: float) -> Follows:
    """Return a tracker as :func:`service.watch_tracker.open_tracker` does, with the networks that are open already."""
    from service.table_reader import NetworkTables, asked_of
    from vision.eyes import CardEyes, FaceEyes
    from vision.reader import Reader
    from vision.table import TableReader
    from vision.tracker import Tracker, TrackerConfig

    config = TrackerConfig(settle=settle)
    if game.has_cards:
        cards = referee.reader if isinstance(referee.reader, Reader) else Reader.shipped()
        return Tracker(CardEyes(cards), config)
    tables = referee.table_reader
    faces = tables.reader if isinstance(tables, NetworkTables) else TableReader.shipped()
    return Tracker(FaceEyes(faces, asked_of(game.value, board)), config)


class _Watch:
    """A camera that is followed."""

    def __init__(self, open_tracker: Callable[[Game], Follows], game: Game, choosing: Choosing | None) -> None:
        self._open_tracker, self._choosing = open_tracker, choosing
        self._tracker = open_tracker(game)
        self._stills = Stills()
        self._is_fresh = True

    def see(self, jpeg: bytes, time: float, corrections: Sequence[Correction], settings: Settings) -> Sight:
        start = perf_counter()
        image = picture_of(jpeg, settings)
        for identity, piece in corrections:
            with suppress(KeyError):  # it has gone
                self._tracker.correct(identity, piece)
        moment = self._tracker.see(image, time)
        game = None if self._choosing is None else self._choosing.instead(image, moment)
        if game is not None:
            self._tracker, self._is_fresh = self._open_tracker(game), True
            moment = self._tracker.see(image, time)
        still = self._stills.of(image, time)
        fresh, self._is_fresh = self._is_fresh, False
        return Sight(moment, still, 1000 * (perf_counter() - start), fresh)


class Worker:
    """Everything that touches the bytes of pictures. The trackers of cameras live here, and share the networks.

    Uploads may be answered from several threads at once; one thread at a time may follow cameras.
    """

    def __init__(self, referee: Referee, settings: Settings, open_tracker: OpensTracker = shared_tracker) -> None:
        self.referee = referee
        self._settings = settings
        self._open_tracker = open_tracker
        self._watches: dict[str, _Watch] = {}

    def answer(self, work: Work, parts: Parts) -> Answered:
        """Return what ``work`` makes of an upload; see :meth:`service.workers.nouns.Vision.answer`."""
        return work(parts, Uploaded(self.referee, self._settings, parts))

    def see(self, camera: Camera, jpeg: bytes, time: float, corrections: Sequence[Correction]) -> Sight:
        """Return what a picture of ``camera`` shows; see :meth:`service.workers.nouns.Vision.see`."""
        watch = self._watches.get(camera.id)
        if watch is None:
            watch = self._watches[camera.id] = self._watch(camera)
        try:
            return watch.see(jpeg, time, corrections, self._settings)
        except FrameError:
            raise
        except Exception:
            self.forget(camera.id)  # what it knows now may be wrong
            raise

    def _watch(self, camera: Camera) -> _Watch:
        game, board = Game(camera.game), _board(camera.board)
        guess = GameGuess(self._settings, referee=self.referee)
        choosing = Choosing(guess) if game is Game.AUTO and board is None else None
        return _Watch(lambda which: self._open_tracker(self.referee, which, board, camera.settle), game, choosing)

    def forget(self, camera: str) -> None:
        """Drop the tracker of a camera, if it has one."""
        self._watches.pop(camera, None)


def _board(data: Any) -> AnyBoard | None:
    return None if data is None else parse_board(json.dumps(data))
