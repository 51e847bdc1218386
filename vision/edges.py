"""Sub-pixel corners: where the straight edges of a piece meet, by line fits in its upright crop.

The corners that the networks give are good to a few hundredths of a side. Where the border of the piece can be seen,
each side is moved onto the line along which brightness changes most; where it cannot (white on white, under another
card), the side stays.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import GeometryError, homography, transform
from vision.types import Image, Quad, QuadShapeError

__all__ = ["EdgeConfig", "refine_corners"]

Floats = npt.NDArray[np.float64]
_PAIRS = np.triu_indices(12, 3)


@dataclass(frozen=True)
class EdgeConfig:
    """``reach``: how far from the expected side to look, in crop pixels; ``strength``: least change of brightness;
    ``agree``: share of the rows that must lie within ``close`` pixels of the line.
    """

    reach: int = 5
    strength: float = 10.0
    agree: float = 0.6
    close: float = 0.9


def _left_line(
    gradient: npt.NDArray[np.float32], left: float, top: float, bottom: float, config: EdgeConfig
) -> Floats | None:
    """(2,) x at ``top`` and ``bottom`` of the line near x = ``left``; None when there is no clear edge."""
    inset = 0.12 * (bottom - top)
    rows = np.arange(int(top + inset), int(bottom - inset))
    if len(rows) < 12:
        return None
    first = round(left) - config.reach
    if first < 1 or round(left) + config.reach + 2 > gradient.shape[1] or rows[0] < 0 or rows[-1] >= len(gradient):
        return None
    band = gradient[rows, first : round(left) + config.reach + 1]
    best = band.argmax(axis=1)
    strong = (band[np.arange(len(rows)), best] > config.strength) & (best > 0) & (best < band.shape[1] - 1)
    if strong.mean() < config.agree:
        return None
    y, at = rows[strong], best[strong]
    before, peak, after = (band[strong, at + step] for step in (-1, 0, 1))
    x = first + at + 0.5 * (before - after) / np.minimum(before - 2 * peak + after, -1e-6)
    line = _robust_line(y.astype(float), x.astype(float), config.close)
    near = np.abs(np.polyval(line, y) - x) < config.close
    if near.sum() < config.agree * len(rows):
        return None
    return np.asarray(np.polyval(line, [top, bottom]))


def _robust_line(y: Floats, x: Floats, close: float) -> Floats:
    """Line x(y) through most of the points: the best of all pairs of a fixed sample, then least squares on its side."""
    picks = np.linspace(0, len(y) - 1, 12).astype(int)
    first, second = (picks[index] for index in _PAIRS)
    apart = np.maximum(y[second] - y[first], 1.0)
    slopes = (x[second] - x[first]) / apart
    starts = x[first] - slopes * y[first]
    counts = (np.abs(starts[:, None] + slopes[:, None] * y - x) < close).sum(axis=1)
    best = int(counts.argmax())
    near = np.abs(starts[best] + slopes[best] * y - x) < close
    if near.sum() < 3:
        return np.array([slopes[best], starts[best]])
    return _least_squares(y[near], x[near])


def _least_squares(y: Floats, x: Floats) -> Floats:
    """(2,) slope and start of the line x(y)."""
    centred = y - y.mean()
    slope = float((centred * x).sum() / np.maximum((centred**2).sum(), 1e-9))
    return np.array([slope, float(x.mean()) - slope * float(y.mean())])


def _gradients(crop: Image) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """How fast the strongest channel changes across (height, width) and, transposed, down (width, height)."""
    blurred = cv2.GaussianBlur(crop, (0, 0), 0.8).astype(np.float32)
    across = _strongest(cv2.Sobel(blurred, cv2.CV_32F, 1, 0, scale=0.25))
    down = _strongest(cv2.Sobel(blurred, cv2.CV_32F, 0, 1, scale=0.25))
    return across, np.asarray(cv2.transpose(down), np.float32)


def _strongest(slopes: cv2.typing.MatLike) -> npt.NDArray[np.float32]:
    """(height, width) largest slope of the channels (height, width, 3); OpenCV is quicker here than numpy."""
    blue, green, red = cv2.split(np.abs(slopes))
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.float32)


def _side(gradient: npt.NDArray[np.float32], ends: Floats, config: EdgeConfig) -> Floats | None:
    """(2,) x at the two y of the upright side ``ends`` (2, 2), found near it; None when there is no clear edge."""
    ends = ends[np.argsort(ends[:, 1])]
    return _left_line(gradient, float(ends[:, 0].mean()), float(ends[0, 1]), float(ends[1, 1]), config)


def _sides(crop: Image, box: Floats, config: EdgeConfig) -> tuple[list[Floats], bool]:
    """The sides left, top, right, bottom as (2, 2) end points in crop pixels, and whether any was moved."""
    across, down = _gradients(crop)
    sides, moved = [], False
    for first, second, upright in ((0, 3, True), (0, 1, False), (1, 2, True), (3, 2, False)):
        ends = box[[first, second]]
        ends = ends if upright else ends[:, ::-1]
        found = _side(across if upright else down, ends, config)
        if found is not None:
            ends, moved = np.column_stack([found, np.sort(ends[:, 1])]), True
        sides.append(ends if upright else ends[:, ::-1])
    return sides, moved


def _meet(a: Floats, b: Floats) -> Floats:
    """The point where the lines through the (2, 2) end points ``a`` and ``b`` meet."""
    da, db = a[1] - a[0], b[1] - b[0]
    cross = da[0] * db[1] - da[1] * db[0]
    offset = b[0] - a[0]
    along = (offset[0] * db[1] - offset[1] * db[0]) / cross
    return np.asarray(a[0] + along * da)


def refine_corners(
    crop: Image, quad: Quad, margin: float, shifts: npt.ArrayLike | None = None, config: EdgeConfig | None = None
) -> Quad:
    """Return ``quad`` with its sides moved onto the edges seen in ``crop``, its upright crop with ``margin`` round it.

    ``crop`` is (height, width, 3) uint8 BGR as made by :func:`vision.geometry.rectify`; ``shifts`` (8,) say where the
    corners are expected, as (x, y) in widths and heights of the piece from where the crop has them.
    """
    height, width = crop.shape[:2]
    inner = np.array([width, height]) / (1 + 2 * margin)
    low, high = inner * margin - 0.5, inner * (1 + margin) - 0.5
    box = np.array([low, [high[0], low[1]], high, [low[0], high[1]]])
    expected = box if shifts is None else box + np.asarray(shifts, np.float64).reshape(4, 2) * inner
    sides, moved = _sides(crop, expected, EdgeConfig() if config is None else config)
    left, top, right, bottom = sides
    corners = np.array([_meet(left, top), _meet(right, top), _meet(right, bottom), _meet(left, bottom)])
    try:
        return Quad(transform(corners if moved else expected, homography(box, quad.corners)))
    except (GeometryError, QuadShapeError):
        return quad
