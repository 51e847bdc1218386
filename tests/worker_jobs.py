"""What the tests of worker processes let them do: functions of a module, so that they can go there."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field

from engine.tokens import Piece, parse_piece
from service.board_file import AnyBoard
from service.errors import ArgumentError, BoardFileError, ModelsMissingError
from service.game import Game
from service.reading import Referee
from service.settings import Settings
from service.upload import Parts
from service.uploaded import Uploaded
from service.workers import Answered
from tests.fakes import FakeReader
from vision.load import Limits, TooManyPixelsError
from vision.tracks import Moment, Scene, Track
from vision.types import Frame, Image, Quad, Reading

CARDS = ("1 red solid oval", "2 red solid oval", "3 red solid oval")


def fake_referee(settings: Settings) -> Referee:
    """A referee that needs no models."""
    return Referee.opened(settings, FakeReader())


def no_referee(settings: Settings) -> Referee:
    """An installation without models."""
    raise ModelsMissingError(FileNotFoundError("the model folder is gone: install the package again"))


@dataclass
class FakeTracker:
    """Sees the same three cards in every picture."""

    names: dict[int, Piece] = field(default_factory=dict)

    def see(self, image: Image, time: float) -> Moment:
        """Return the cards as they were corrected; has a fault at a time below zero."""
        assert time >= 0
        quad = Quad.of([(0, 0), (50, 0), (50, 80), (0, 80)])
        tracks = [Track(number, Reading(quad, piece, 0.99), 0.0, time) for number, piece in self.names.items()]
        return Moment(time, (320, 160), Scene.STILL, True, 0.0, tuple(tracks))

    def correct(self, identity: int, piece: Piece | None) -> None:
        """Take a person's word."""
        assert piece is not None
        if identity not in self.names:
            raise KeyError(identity)
        self.names[identity] = piece


def fake_tracker(referee: Referee, game: Game, board: AnyBoard | None, settle: float) -> FakeTracker:
    """A tracker that needs no models."""
    return FakeTracker({number: parse_piece(name) for number, name in enumerate(CARDS, start=1)})


# Works.


def echo(parts: Parts, desk: Uploaded) -> Answered:
    """Answer with what came, and the number of the process."""
    return Answered.json(f'{{"text": "{parts.text("game")}", "process": {os.getpid()}}}')


def sleep(parts: Parts, desk: Uploaded, seconds: float = 0.05) -> Answered:
    """Take a while."""
    time.sleep(seconds)
    return echo(parts, desk)


def hang(parts: Parts, desk: Uploaded) -> Answered:
    """Never answer."""
    while True:
        time.sleep(0.05)


def die(parts: Parts, desk: Uploaded) -> Answered:
    """End the process."""
    os._exit(3)


def fail(parts: Parts, desk: Uploaded) -> Answered:
    """Have a fault."""
    return Answered.json("abc"[int(parts.text("game") or 0)])


def refuse(parts: Parts, desk: Uploaded) -> Answered:
    """Refuse for a reason that has one of its own, as commands do."""
    try:
        raise TooManyPixelsError((90_000, 90_000), 100)
    except TooManyPixelsError as error:
        raise BoardFileError(f"--board FILE: {error}") from None


def refuse_plainly(parts: Parts, desk: Uploaded) -> Answered:
    """Refuse without more."""
    raise ArgumentError("--wild: no such square")


class OddReader(FakeReader):
    """Never comes to an end with a photo that ends with "hang", and ends its process with one that ends with "die"."""

    def read(self, data: bytes, limits: Limits | None = None) -> Frame:
        """Read all others."""
        while data.endswith(b"hang"):
            time.sleep(0.05)
        if data.endswith(b"die"):
            os._exit(3)
        return super().read(data, limits)


def odd_referee(settings: Settings) -> Referee:
    """A referee with such a reader."""
    return Referee.opened(settings, OddReader())
