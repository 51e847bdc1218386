"""A table drawn with a few rectangles, and eyes that read it by colour: a tracker's world without networks.

A card is a white rectangle with a field in the colour that stands for its name; a hand is a band of skin colour that
comes in from the border.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import product

import cv2
import numpy as np
import numpy.typing as npt

from engine.tokens import full_deck
from vision.eyes import Found, Named
from vision.tracker import Tracker, TrackerConfig
from vision.tracks import Moment
from vision.types import Detection, Doubt, Image, Quad, Reading

SIZE = (640, 360)
CARD = (56, 80)
PITCH = (90, 105)
"""How far the cards of a row and the rows lie apart, in pixels."""
_RIM = 8
_PAPER = 235
_TABLE = (70, 95, 60)
_SKIN = (120, 150, 195)
_COLOURS = np.array(list(product((40, 125, 210), repeat=3)), np.float32)[:26]
NAMES = tuple(str(card) for card in full_deck())[: len(_COLOURS)]
"""The cards there are."""

Place = tuple[float, float]
Hand = tuple[int, int, int, int]
"""Left, top, right and bottom, in pixels."""


def row(number: int, first: int = 0) -> dict[str, Place]:
    """``number`` cards, six in a row, at the centres of their places."""
    return {NAMES[first + index]: place(index) for index in range(number)}


def place(index: int) -> Place:
    """The centre of a place, six in a row."""
    return (90.0 + PITCH[0] * (index % 6), 75.0 + PITCH[1] * (index // 6))


@dataclass(frozen=True)
class Scenery:
    """What else there is: ``light`` as a factor, the camera's ``shift`` in pixels, ``hands``, ``glare`` over a card."""

    light: float = 1.0
    shift: Place = (0.0, 0.0)
    hands: tuple[Hand, ...] = ()
    glare: str | None = None
    skin: tuple[int, int, int] = _SKIN


def draw(cards: Mapping[str, Place], scenery: Scenery | None = None, seed: int = 0) -> Image:
    """Return a picture of :data:`SIZE`."""
    scenery = scenery or Scenery()
    image = np.full((SIZE[1], SIZE[0], 3), _TABLE, np.uint8)
    image[:, ::40] = (60, 85, 52)
    for name, centre in cards.items():
        colour = tuple(_COLOURS[NAMES.index(name)].tolist())
        if name == scenery.glare:
            colour = tuple((0.35 * _COLOURS[NAMES.index(name)] + 0.65 * _PAPER).tolist())
        _fill(image, centre, CARD, (_PAPER,) * 3)
        _fill(image, centre, (CARD[0] - 2 * _RIM, CARD[1] - 2 * _RIM), colour)
    move = np.array([[1, 0, scenery.shift[0]], [0, 1, scenery.shift[1]]], np.float64)
    moved = cv2.warpAffine(image, move, SIZE, borderMode=cv2.BORDER_REPLICATE)
    for left, top, right, bottom in scenery.hands:
        moved[max(0, top) : bottom, max(0, left) : right] = scenery.skin
    lit = cv2.convertScaleAbs(moved, alpha=scenery.light)
    return np.asarray(cv2.add(lit, _noise(seed % 16), dtype=cv2.CV_8U), np.uint8)


@cache
def _noise(seed: int) -> npt.NDArray[np.int16]:
    """What a camera adds, in levels."""
    return np.asarray(np.random.default_rng(seed).normal(0, 1.5, (SIZE[1], SIZE[0], 3)).round(), np.int16)


def _fill(image: Image, centre: Place, size: tuple[int, int], colour: Sequence[float]) -> None:
    corners = [(round(centre[i] + sign * size[i] / 2)) for sign in (-1, 1) for i in (0, 1)]
    image[max(0, corners[1]) : max(0, corners[3]), max(0, corners[0]) : max(0, corners[2])] = colour


@dataclass(frozen=True, eq=False)
class Colour:
    """Evidence: where a card lies, and the log-probability of each name."""

    quad: Quad
    logs: npt.NDArray[np.float64]


@dataclass
class ColourEyes:
    """Eyes that find white rectangles and read the colour of their fields; they count what they do."""

    finds: int = 0
    looked: list[tuple[float, float]] = field(default_factory=list)
    """The centres of all pieces ever looked at."""

    def find(self, image: Image) -> Found:
        """White rectangles of a card's size."""
        self.finds += 1
        lowest = image.min(axis=2)
        white = (lowest > 0.8 * max(30.0, float(np.percentile(lowest, 98)))).astype(np.uint8)
        contours, _ = cv2.findContours(white, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        found = []
        for contour in contours:
            x, y, width, height = cv2.boundingRect(contour)
            if abs(width - CARD[0]) <= 3 and abs(height - CARD[1]) <= 3:
                corners = [(x, y), (x + width - 1, y), (x + width - 1, y + height - 1), (x, y + height - 1)]
                found.append(Detection(Quad.of(corners), 0.99))
        return Found(image, tuple(found))

    def look(self, found: Found, detections: Sequence[Detection]) -> list[Colour]:
        """How like each name's the colour of a field is."""
        self.looked += [(float(x), float(y)) for x, y in (detection.quad.centre for detection in detections)]
        out = []
        for detection in detections:
            x, y = detection.quad.centre
            field_ = found.image[int(y) - 20 : int(y) + 20, int(x) - 12 : int(x) + 12].reshape(-1, 3)
            left, top = detection.quad.corners[0]
            paper = float(found.image[int(top) + 4, int(left) + 4].mean())
            apart = np.linalg.norm(_COLOURS - np.median(field_, axis=0) * _PAPER / max(paper, 1.0), axis=1)
            logs = -np.minimum((apart / 25) ** 2, 9.0)
            out.append(Colour(detection.quad, np.asarray(logs - np.logaddexp.reduce(logs), np.float64)))
        return out

    def quad(self, evidence: Colour) -> Quad:
        """Where it lies."""
        return evidence.quad

    def together(self, evidence: Sequence[Colour], quad: Quad) -> Colour:
        """The mean of all looks."""
        mean = np.mean([one.logs for one in evidence], axis=0)
        return replace(evidence[-1], quad=quad, logs=mean - np.logaddexp.reduce(mean))

    def name(self, found: Found, evidence: Sequence[Colour]) -> Named:
        """The likeliest names, in doubt below nine in ten."""
        readings = []
        for one in evidence:
            best = int(one.logs.argmax())
            sure = float(np.exp(one.logs[best]))
            doubt = None if sure > 0.9 else Doubt.LOW_CONFIDENCE
            readings.append(Reading(one.quad, full_deck()[best], min(sure, 1.0), doubt=doubt))
        return Named(tuple(readings))


class Filmed:
    """A tracker that is shown a drawn table, fifteen pictures a second."""

    def __init__(self, config: TrackerConfig | None = None, fps: float = 15.0) -> None:
        """Begin at second 0."""
        self.eyes = ColourEyes()
        self.tracker: Tracker[Colour] = Tracker(self.eyes, config)
        self.fps = fps
        self.frames = 0
        self.last: Moment | None = None

    @property
    def time(self) -> float:
        """The time of the next picture."""
        return self.frames / self.fps

    def show(self, cards: Mapping[str, Place], seconds: float = 0.0, scenery: Scenery | None = None) -> list[Moment]:
        """Show the same table for some time, at least one picture."""
        return [self.picture(draw(cards, scenery, self.frames)) for _ in range(max(1, round(seconds * self.fps)))]

    def picture(self, image: Image, time: float | None = None) -> Moment:
        """Show one picture."""
        self.last = self.tracker.see(image, self.time if time is None else time)
        self.frames += 1
        return self.last

    def settle(self, cards: Mapping[str, Place], scenery: Scenery | None = None, within: float = 1.2) -> Moment:
        """Show a table until it is settled."""
        for _ in range(round(within * self.fps)):
            last = self.show(cards, scenery=scenery)[-1]
            if last.settled:
                return last
        raise AssertionError(f"not settled within {within} s: {last.scene}, {names(last)}")


def names(moment: Moment) -> list[str]:
    """The names that a moment tells, in order."""
    return sorted(track.reading.name for track in moment)


def identities(moment: Moment) -> dict[str, int]:
    """The identity of each name."""
    return {track.reading.name: track.identity for track in moment}
