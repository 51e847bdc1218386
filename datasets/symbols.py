"""The printed symbols: their outlines, their places on a piece, and their fillings.

All lengths are millimetres. Outlines are closed polygons, (n, 2) float64, around (0, 0), x along the symbol's long
axis, running clockwise as seen with y down.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from datasets.canvas import Floats, Points
from engine.tokens import Number, Shape
from vision.types import Deck

__all__ = ["SymbolSize", "inset", "outline", "places", "speckle", "stripes", "symbol_size"]


@dataclass(frozen=True)
class SymbolSize:
    """Width and height of a symbol, and the ``pitch`` from the centre of one to that of the next."""

    width: float
    height: float
    pitch: float

    def scaled(self, wide: float, tall: float, spread: float) -> SymbolSize:
        """Return the size with each length multiplied by its factor."""
        return SymbolSize(self.width * wide, self.height * tall, self.pitch * spread)


_SIZES = {
    (Deck.US, Shape.OVAL): SymbolSize(40.0, 19.3, 25.4),
    (Deck.US, Shape.DIAMOND): SymbolSize(41.9, 20.0, 25.6),
    (Deck.US, Shape.SQUIGGLE): SymbolSize(38.0, 18.2, 23.5),
    (Deck.US, Shape.RECTANGLE): SymbolSize(39.5, 16.5, 25.4),
    (Deck.RAVENSBURGER, Shape.OVAL): SymbolSize(38.6, 17.2, 21.1),
    (Deck.RAVENSBURGER, Shape.RECTANGLE): SymbolSize(36.6, 14.7, 21.1),
    (Deck.RAVENSBURGER, Shape.SQUIGGLE): SymbolSize(34.7, 16.4, 21.1),
    (Deck.RAVENSBURGER, Shape.DIAMOND): SymbolSize(38.6, 17.6, 21.1),
}

# Half of a squiggle, from its upper right tip back over the top to the left end; the other half is the same, turned
# by 180 degrees about the centre. Units: half the symbol's width along x, half its height along y.
_US_WAVE = (
    (0.985, -0.60),
    (0.91, -0.92),
    (0.80, -1.00),
    (0.66, -0.86),
    (0.50, -0.66),
    (0.30, -0.56),
    (0.10, -0.62),
    (-0.12, -0.78),
    (-0.34, -0.89),
    (-0.56, -0.87),
    (-0.76, -0.70),
    (-0.90, -0.36),
    (-0.975, 0.10),
)
_RAVENSBURGER_WAVE = (
    (0.975, -0.60),
    (0.92, -0.90),
    (0.83, -0.99),
    (0.70, -0.88),
    (0.56, -0.68),
    (0.38, -0.58),
    (0.18, -0.65),
    (-0.08, -0.80),
    (-0.33, -0.95),
    (-0.54, -1.00),
    (-0.76, -0.83),
    (-0.92, -0.42),
    (-0.985, 0.08),
)


def symbol_size(deck: Deck, shape: Shape) -> SymbolSize:
    """Return the usual size of ``shape`` on a card of 57 x 88 mm of ``deck``."""
    return _SIZES[deck, shape]


@lru_cache(maxsize=16)
def _spline(half: tuple[tuple[float, float], ...], steps: int = 9) -> Points:
    """Return the closed Catmull-Rom curve through ``half`` and its turned copy, stretched to -1..1 in both axes."""
    knots = np.concatenate([np.array(half), -np.array(half)])
    before, after, beyond = (np.roll(knots, shift, axis=0) for shift in (1, -1, -2))
    t = np.linspace(0, 1, steps, endpoint=False)[None, :, None]
    p0, p1, p2, p3 = (points[:, None, :] for points in (before, knots, after, beyond))
    curve = 0.5 * (2 * p1 + (p2 - p0) * t + (2 * p0 - 5 * p1 + 4 * p2 - p3) * t**2 + (3 * p1 - p0 - 3 * p2 + p3) * t**3)
    flat = curve.reshape(-1, 2)[::-1]
    return np.asarray(flat / np.abs(flat).max(axis=0))


def _ellipse(width: float, height: float) -> Points:
    turn = np.linspace(0, 2 * np.pi, 120, endpoint=False)
    return np.stack([np.cos(turn) * width / 2, np.sin(turn) * height / 2], axis=1)


def _stadium(width: float, height: float) -> Points:
    turn = np.linspace(-np.pi / 2, np.pi / 2, 40)
    cap = np.stack([np.cos(turn), np.sin(turn)], axis=1) * height / 2 + [(width - height) / 2, 0]
    return np.concatenate([cap, -cap])


def outline(shape: Shape, deck: Deck, size: SymbolSize, mirrored: bool = False) -> Points:
    """Return the outer edge of ``shape`` as ``deck`` prints it (RAV-1: rectangles, ellipses, a rounder wave).

    ``mirrored`` flips the squiggle, which leans to the other side in some printings.
    """
    half = np.array([size.width, size.height]) / 2
    if shape is Shape.OVAL:
        return (_stadium if deck is Deck.US else _ellipse)(size.width, size.height)
    if shape is Shape.DIAMOND:
        return np.array([[0, -1], [1, 0], [0, 1], [-1, 0]]) * half
    if shape is Shape.RECTANGLE:
        return np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    wave = _spline(_US_WAVE if deck is Deck.US else _RAVENSBURGER_WAVE) * half
    return np.asarray(wave[::-1] * [-1, 1]) if mirrored else wave


def inset(points: Points, distance: float) -> Points:
    """Return the closed polygon moved inwards by ``distance``, corners kept sharp."""
    edge = np.roll(points, -1, axis=0) - points
    normal = np.stack([-edge[:, 1], edge[:, 0]], axis=1) / np.linalg.norm(edge, axis=1, keepdims=True)
    before = np.roll(normal, 1, axis=0)
    mitre = (normal + before) / (1 + np.sum(normal * before, axis=1, keepdims=True))
    return np.asarray(points + mitre * distance)


def places(number: Number, pitch: float) -> list[float]:
    """Return the heights of the symbols' centres above (-) and below (+) the middle of the piece."""
    count = number.value + 1
    return [(index - (count - 1) / 2) * pitch for index in range(count)]


def stripes(edges: Points, pitch: float, width: float, phase: float) -> Floats:
    """Return the share of each pixel column that vertical stripes cover, (n,) float32 in 0..1.

    ``edges`` are the n + 1 places of the columns' edges; a stripe of ``width`` begins at every multiple of ``pitch``
    plus ``phase``.
    """
    turns, rest = np.divmod(edges - phase, pitch)
    inked = turns * width + np.minimum(rest, width)
    return (np.diff(inked) / np.diff(edges)).astype(np.float32)


def speckle(rng: np.random.Generator, shape: tuple[int, int], grain: float, density: float) -> Floats:
    """Return random worm-like grains, (h, w) float32 in 0..1, ``grain`` pixels wide, inking a share of ``density``."""
    cell = max(grain, 0.6) / 3
    fine = (int(shape[0] / cell) + 2, int(shape[1] / cell) + 2)
    noise = rng.standard_normal(fine, np.float32)
    band = cv2.GaussianBlur(noise, (0, 0), 1.1) - cv2.GaussianBlur(noise, (0, 0), 2.2)
    level = np.quantile(band[::3, ::3], 1 - density)
    sharp = np.clip((band - level) / (0.25 * float(band.std())) + 0.5, 0, 1)
    method = cv2.INTER_AREA if cell < 1 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(sharp, shape[::-1], interpolation=method), np.float32)
