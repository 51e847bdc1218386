"""Light on a table: lamps, shadow edges, casts, vignetting and glare, as fields over a picture.

Convention: a field is (height, width, 3) float32 BGR; illumination multiplies, glare is blended towards white.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

__all__ = ["glare", "illumination"]

Random = np.random.Generator
Field = npt.NDArray[np.float32]
_GRID = 96


def _coordinates() -> tuple[Field, Field]:
    axis = np.linspace(-1, 1, _GRID, dtype=np.float32)
    x, y = np.meshgrid(axis, axis)
    return x, y


def _blob(rng: Random, low: float, high: float) -> Field:
    """A soft round or long spot somewhere, peak 1."""
    x, y = _coordinates()
    cx, cy = rng.uniform(-1.1, 1.1, 2)
    turn = rng.uniform(0, np.pi)
    across, along = rng.uniform(low, high), rng.uniform(low, high)
    u = (x - cx) * np.cos(turn) + (y - cy) * np.sin(turn)
    v = -(x - cx) * np.sin(turn) + (y - cy) * np.cos(turn)
    return np.asarray(np.exp(-((u / across) ** 2 + (v / along) ** 2)), np.float32)


def _shadow(rng: Random) -> Field:
    """A polygon (an arm, a window frame, somebody's head) with a hard or soft edge, 1 inside."""
    mask = np.zeros((_GRID * 2, _GRID * 2), np.float32)
    middle, count = rng.uniform(0, _GRID * 2, 2), int(rng.integers(3, 8))
    angles = np.sort(rng.uniform(0, 2 * np.pi, count))
    radius = rng.uniform(0.3, 1.3, count) * _GRID
    points = middle + np.column_stack([np.cos(angles), np.sin(angles)]) * radius[:, None]
    cv2.fillPoly(mask, [points.astype(np.int32)], 1.0)
    sigma = float(rng.choice([0.6, 1.5, 4.0, 12.0]))
    return np.asarray(cv2.resize(cv2.GaussianBlur(mask, (0, 0), sigma), (_GRID * 2, _GRID * 2)), np.float32)


def _resize(field: Field, size: tuple[int, int]) -> Field:
    return np.asarray(cv2.resize(field, size, interpolation=cv2.INTER_CUBIC), np.float32)


def illumination(rng: Random, size: tuple[int, int]) -> Field:
    """Return a multiplicative field for a picture of ``size`` (width, height), about 1 on average at its brightest."""
    x, y = _coordinates()
    level = np.ones((_GRID, _GRID, 3), np.float32)
    turn, slope = rng.uniform(0, 2 * np.pi), abs(rng.normal(0, 0.18))
    level *= (1 + slope * (x * np.cos(turn) + y * np.sin(turn)))[..., None]
    for _ in range(int(rng.integers(0, 3))):
        tint = 1 + rng.normal(0, 0.08, 3)
        level += (_blob(rng, 0.25, 1.2) * rng.uniform(0.1, 0.7))[..., None] * tint.astype(np.float32)
    level *= (1 - rng.uniform(0, 0.35) * (x**2 + y**2) / 2)[..., None]
    level /= np.float32(np.percentile(level, 90))
    out = _resize(level, size)
    for _ in range(int(rng.choice([0, 1, 2, 3], p=[0.5, 0.3, 0.15, 0.05]))):
        shade = _shadow(rng)
        depth = np.clip(rng.uniform(0.15, 0.65) + rng.normal(0, 0.04, 3), 0.05, 0.9).astype(np.float32)
        out *= 1 - _resize(shade, size)[..., None] * depth
    return np.asarray(np.clip(out, 0.03, 2.5), np.float32)


def _window(rng: Random) -> Field:
    """The mirror image of a window or a lamp panel: bright panes with straight edges and bars between them."""
    panes = np.zeros((_GRID, _GRID), np.float32)
    columns, rows = (int(n) for n in rng.integers(1, 4, 2))
    width, height = rng.uniform(8, 40, 2)
    bar = rng.uniform(1, 4)
    for column in range(columns):
        for row in range(rows):
            left, top = (_GRID - columns * width) / 2 + column * width, (_GRID - rows * height) / 2 + row * height
            corners = (int(left), int(top)), (int(left + width - bar), int(top + height - bar))
            cv2.rectangle(panes, *corners, float(rng.uniform(0.7, 1.0)), -1)
    start = np.array([[0, 0], [_GRID, 0], [_GRID, _GRID], [0, _GRID]], np.float32)
    end = (start - _GRID / 2) * np.float32(rng.uniform(0.5, 1.6)) + rng.normal(0, 0.15 * _GRID, (4, 2))
    end += np.array([rng.uniform(0, _GRID), rng.uniform(0, _GRID)])
    panes = np.asarray(
        cv2.warpPerspective(panes, cv2.getPerspectiveTransform(start, end.astype(np.float32)), (_GRID, _GRID))
    )
    return np.asarray(cv2.GaussianBlur(panes, (0, 0), float(rng.uniform(0.3, 2.5))), np.float32)


def glare(rng: Random, size: tuple[int, int]) -> Field:
    """Return (height, width) float32 0..1: how much a mirror-like highlight covers what is printed.

    Lamps give spots, windows panes with straight edges, a bright ceiling a veil over much of the picture.
    """
    field = np.zeros((_GRID, _GRID), np.float32)
    if rng.random() < 0.3:
        field = np.maximum(field, _window(rng) * np.float32(rng.uniform(0.2, 0.9)))
    if rng.random() < 0.3:
        field = np.maximum(field, _blob(rng, 0.6, 2.0) * np.float32(rng.uniform(0.15, 0.6)))
    for _ in range(int(rng.integers(1, 4))):
        blob = _blob(rng, 0.05, 0.5) * rng.uniform(0.3, 1.1)
        if rng.random() < 0.3:
            blob = (blob > 0.5).astype(np.float32) * np.float32(rng.uniform(0.3, 0.9))
            blob = np.asarray(cv2.GaussianBlur(blob, (0, 0), 1.0), np.float32)
        field = np.maximum(field, blob)
    return np.asarray(np.clip(_resize(field, size), 0, 1), np.float32)
