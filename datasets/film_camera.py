"""What happens to the camera and the light of a film: knocks, the search for focus, a lamp switched off, and noise.

Convention: moves are (3, 3) matrices from the pixels of a frame as first set up to those seen now; times are seconds.
"""

from __future__ import annotations

from abc import ABC
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.types import Image

__all__ = ["Bump", "Effect", "Focus", "LampOut", "Sensor", "View", "random_sensor", "view_at"]

Random = np.random.Generator
Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Effect(ABC):
    """Something that begins at ``start`` and is over at ``end``; it may leave the picture changed."""

    start: float
    end: float

    def move(self, time: float) -> tuple[float, float, float, float]:
        """How far it has moved the picture: x, y in shares of its width, turn in radians, growth."""
        return (0.0, 0.0, 0.0, 0.0)

    def soft(self, time: float) -> float:
        """How much it blurs, in pixels of a frame 1280 wide."""
        return 0.0

    def light(self, time: float) -> tuple[float, float, float]:
        """By how much light is left, in BGR."""
        return (1.0, 1.0, 1.0)

    def active(self, time: float) -> bool:
        """Whether it is going on."""
        return self.start <= time < self.end

    def share(self, time: float) -> float:
        """How much of it is over, 0..1."""
        return float(np.clip((time - self.start) / (self.end - self.start), 0, 1))


@dataclass(frozen=True)
class Bump(Effect):
    """A knock: the camera shakes and comes to rest a little aside (``x``, ``y``, ``turn``)."""

    x: float
    y: float
    turn: float
    shake: float
    beats: float

    @classmethod
    def random(cls, rng: Random, start: float, size: tuple[int, int]) -> Bump:
        """Return some knock at ``start`` of a camera whose frames have ``size``."""
        x, y = (float(value) for value in rng.uniform(-0.016, 0.016, 2))
        turn, shake = float(rng.normal(0, 0.008)), float(rng.uniform(0.003, 0.012))
        return cls(start, start + float(rng.uniform(0.25, 0.45)), x, y, turn, shake, float(rng.uniform(2.0, 4.0)))

    def move(self, time: float) -> tuple[float, float, float, float]:
        """Swing to the new place, ever less."""
        share = self.share(time)
        swing = self.shake * np.sin(2 * np.pi * self.beats * share) * (1 - share) if 0 < share < 1 else 0.0
        settled = share**2 * (3 - 2 * share)
        return (self.x * settled + float(swing), self.y * settled + float(swing) * 0.6, self.turn * settled, 0.0)


@dataclass(frozen=True)
class Focus(Effect):
    """The lens goes out of focus and back: the picture breathes by ``growth`` and blurs by ``blur`` pixels."""

    growth: float
    blur: float

    @classmethod
    def random(cls, rng: Random, start: float) -> Focus:
        """Return some search for focus at ``start``."""
        growth = float(rng.uniform(0.002, 0.006) * rng.choice([-1, 1]))
        return cls(start, start + float(rng.uniform(0.6, 1.2)), growth, float(rng.uniform(0.8, 2.2)))

    def move(self, time: float) -> tuple[float, float, float, float]:
        """Grow or shrink and come back."""
        return (0.0, 0.0, 0.0, self.growth * float(np.sin(np.pi * self.share(time))))

    def soft(self, time: float) -> float:
        """Blur and come back."""
        return self.blur * float(np.sin(np.pi * self.share(time)))


@dataclass(frozen=True)
class LampOut(Effect):
    """The lamp is off from ``start`` to ``end``; ``level`` is what is left, ``tint`` its colour in BGR.

    The camera makes up for the share ``made_up`` of the loss within a second.
    """

    level: float
    tint: tuple[float, float, float]
    made_up: float

    @classmethod
    def random(cls, rng: Random, start: float) -> LampOut:
        """Return some lamp that goes out at ``start``."""
        blue, green, red = (float(value) for value in 1 + rng.normal(0, 0.08, 3))
        end = start + float(rng.uniform(1.5, 4.0))
        return cls(start, end, float(rng.uniform(0.3, 0.7)), (blue, green, red), float(rng.uniform(0.2, 0.7)))

    def light(self, time: float) -> tuple[float, float, float]:
        """Fall at once, then recover in part; overshoot a little when the lamp comes back."""
        if not self.active(time):
            over = self.made_up * (1 - self.level) * np.exp(-(time - self.end) / 0.25) if time >= self.end else 0.0
            return (1 + float(over) * 0.4,) * 3
        recovered = self.made_up * (1 - np.exp(-(time - self.start) / 0.4))
        left = self.level + (1 - self.level) * float(recovered)
        blue, green, red = (left * value for value in self.tint)
        return (blue, green, red)


@dataclass(frozen=True, eq=False)
class View:
    """How the camera sees at one moment: the ``move``, its blur in pixels, the light in BGR, and what is going on."""

    move: Matrix
    soft: float
    light: tuple[float, float, float]
    shaking: bool
    focusing: bool
    dark: bool


def view_at(effects: tuple[Effect, ...], time: float, size: tuple[int, int]) -> View:
    """Return how a camera with frames of ``size`` sees at ``time`` after all that has happened to it."""
    width = size[0]
    x, y, turn, growth = np.sum([effect.move(time) for effect in effects], axis=0) if effects else np.zeros(4)
    cos, sin = np.cos(turn) * (1 + growth), np.sin(turn) * (1 + growth)
    middle = (np.array(size) - 1) / 2
    matrix = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])
    matrix[:2, 2] = middle - matrix[:2, :2] @ middle + np.array([x, y]) * width
    light = np.prod([effect.light(time) for effect in effects], axis=0) if effects else np.ones(3)
    going = [effect for effect in effects if effect.active(time)]
    return View(
        matrix,
        float(sum(effect.soft(time) for effect in effects)) * width / 1280,
        (float(light[0]), float(light[1]), float(light[2])),
        any(isinstance(effect, Bump) for effect in going),
        any(isinstance(effect, Focus) for effect in going),
        any(isinstance(effect, LampOut) for effect in going),
    )


@dataclass(frozen=True, eq=False)
class Sensor:
    """A camera's own doing: ``exposure``, white balance ``gains`` (BGR), ``contrast``, flicker, noise in grey levels.

    ``drift`` is how far the exposure wanders and ``period`` its seconds; ``grain`` is a stock of noise (h, w, 3) int16.
    """

    exposure: float
    gains: tuple[float, float, float]
    contrast: float
    flicker: float
    drift: float
    period: float
    blur: float
    grain: npt.NDArray[np.int16]

    def curve(self, light: tuple[float, float, float], time: float, rng: Random) -> Image:
        """Return the (1, 256, 3) table from light to what this sensor makes of it at ``time``."""
        wander = 1 + self.drift * float(np.sin(2 * np.pi * time / self.period)) + float(rng.normal(0, self.flicker))
        gains = np.array(self.gains) * np.array(light) * self.exposure * wander
        scaled = np.clip(np.arange(256)[:, None] / 255 * gains, 0, 1.6)
        shoulder = np.where(scaled > 0.85, 0.85 + 0.15 * np.tanh((scaled - 0.85) / 0.15), scaled)
        return np.asarray(255 * shoulder**self.contrast + 0.5, np.uint8)[None]

    def expose(self, frame: Image, light: tuple[float, float, float], time: float, rng: Random) -> Image:
        """Return the lit ``frame`` (h, w, 3) as this sensor sees it, noise and all."""
        toned = cv2.LUT(frame, self.curve(light, time, rng))
        height, width = frame.shape[:2]
        top, left = (int(rng.integers(0, n)) for n in np.array(self.grain.shape[:2]) - (height, width) + 1)
        noise = self.grain[top : top + height, left : left + width]
        return np.asarray(cv2.add(toned, noise, dtype=cv2.CV_8U), np.uint8)


def random_sensor(rng: Random, size: tuple[int, int], white: float) -> Sensor:
    """Return some camera for frames of ``size``; light of ``white`` (0..255) comes out about as bright as paper."""
    warmth, magenta = float(np.clip(rng.normal(0, 0.06), -0.15, 0.15)), float(rng.normal(0, 0.02))
    gains = np.array([1 - warmth, 1 - magenta, 1 + warmth])
    gains /= gains.max()
    contrast = float(rng.uniform(0.85, 1.2))
    paper = float(np.clip(rng.normal(222, 15), 185, 250))
    width, height = size
    strength = float(rng.choice([0.5, 1.0, 1.8, 3.0]) * rng.uniform(0.8, 1.2))
    grain = rng.normal(0, strength, (height + 64, width + 64, 3)).astype(np.float32)
    grain = grain * np.float32(0.5) + grain.mean(axis=2, keepdims=True) * np.float32(1.2)
    return Sensor(
        exposure=(paper / 255) ** (1 / contrast) * 255 / max(white, 20.0),
        gains=(float(gains[0]), float(gains[1]), float(gains[2])),
        contrast=contrast,
        flicker=float(rng.choice([0.0, 0.002, 0.006])),
        drift=float(rng.uniform(0.0, 0.05)),
        period=float(rng.uniform(15, 60)),
        blur=float(abs(rng.normal(0, 0.4)) * width / 1280),
        grain=np.round(grain).astype(np.int16),
    )
