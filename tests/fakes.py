"""A reader that sees what it is told to, and pictures made on the spot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2

from engine.tokens import Card
from vision.load import Limits, load
from vision.types import Deck, Doubt, Frame, Image, Problem, Quad, Reading

TABLE = (
    "1 red solid oval",
    "2 red solid oval",
    "3 red solid oval",
    "1 green striped diamond",
    "2 purple solid squiggle",
)
"""What the fake reader sees: the first three cards are a SET, and so are no others."""


@dataclass
class FakeReader:
    """Loads each photo for real, then sees ``names`` in a row on it, whatever it shows."""

    names: Sequence[str] = TABLE
    doubts: dict[int, Doubt] = field(default_factory=dict)
    deck: Deck | None = Deck.US
    problems: tuple[Problem, ...] = ()
    reads: int = 0

    def read(self, data: bytes, limits: Limits | None = None) -> Frame:
        """Return the frame of ``names``."""
        loaded = load(data, limits)
        self.reads += 1
        readings = tuple(self._reading(number, name) for number, name in enumerate(self.names))
        return Frame(loaded.size, readings, self.deck, 12.34, {"load": 1.04}, self.problems, loaded.warnings)

    def _reading(self, number: int, name: str) -> Reading:
        left = 20.0 + 50 * number
        quad = Quad.of([(left, 20), (left + 40, 20), (left + 40, 82), (left, 82)])
        return Reading(quad, Card.parse(name), 0.98765, {"colour": 0.99}, self.doubts.get(number))


def encoded(image: Image, ending: str = ".jpg") -> bytes:
    """Return the (h, w, 3) uint8 BGR ``image`` as the bytes of a file."""
    done, data = cv2.imencode(ending, image)
    assert done
    return data.tobytes()


class SteadyClock:
    """Seconds that pass when they are told to."""

    now = 100.0

    def __call__(self) -> float:
        """Return them."""
        return self.now
