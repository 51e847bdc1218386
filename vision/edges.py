"""Sub-pixel corners: where the straight edges of a piece meet, by line fits in its upright crop.

The corners that the networks give are good to a few hundredths of a side. Where the border of the piece can be seen,
each side is moved onto the line along which brightness changes most; where it cannot (white on white, under another
card), the side stays. All sides of all pieces are fitted in one go: n pieces have m = 4 n sides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.geometry import GeometryError, homography, transform
from vision.types import Image, Quad, QuadShapeError

__all__ = ["EdgeConfig", "refine_corners"]

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

_ROWS = 48
"""Places along a side where the edge is looked for."""

_PAIRS = np.triu_indices(12, 3)


@dataclass(frozen=True)
class EdgeConfig:
    """``reach``: how far from the expected side to look, in crop pixels; ``strength``: least change of brightness;
    ``agree``: share of the places along a side that must lie within ``close`` pixels of the line; ``inset``: share of
    a side at each end that is left out, for corners are round.
    """

    reach: int = 5
    strength: float = 10.0
    agree: float = 0.6
    close: float = 0.9
    inset: float = 0.12


def _bands(crops: Sequence[Image], sides: Floats, config: EdgeConfig) -> tuple[Floats, Floats, Floats, Bools]:
    """How fast brightness changes across each side, and where that was measured.

    ``sides`` (m, 2, 2): end points, sides of one piece in the order left, top, right, bottom. Returns (m, rows, width)
    changes, the strongest channel's; (m, rows) places along the side and (m,) the first place across, in crop pixels;
    and (m,) whether all of that lies in the crop.
    """
    pixels = np.stack(crops)
    height, width = pixels.shape[1:3]
    lying = np.arange(len(sides)) % 2 == 1  # top and bottom run across the crop
    ends = np.where(lying[:, None, None], sides[:, :, ::-1], sides)
    low, high = ends[:, :, 1].min(axis=1), ends[:, :, 1].max(axis=1)
    inset = config.inset * (high - low)
    along = np.linspace(low + inset, high - inset, _ROWS, axis=1).round()
    first = ends[:, :, 0].mean(axis=1).round() - config.reach
    limit_along, limit_across = np.array([[height, width], [width, height]])[:, lying.astype(np.intp)]
    inside = (first >= 2) & (first + 2 * config.reach + 2 < limit_across) & (high - low > 16)
    inside &= (along[:, 0] >= 0) & (along[:, -1] < limit_along)
    rows = np.where(inside[:, None], along, 1).astype(np.intp)[:, :, None]
    columns = (np.where(inside, first, 2)[:, None] + np.arange(-2, 2 * config.reach + 3)).astype(np.intp)[:, None, :]
    y, x = np.where(lying[:, None, None], columns, rows), np.where(lying[:, None, None], rows, columns)
    values = pixels[(np.arange(len(sides)) // 4)[:, None, None], y, x].astype(np.int16)
    values = np.concatenate([values[:, :1], values, values[:, -1:]], axis=1)
    values = values[:, :-2] + 2 * values[:, 1:-1] + values[:, 2:]
    smooth = values[:, :, :-2] + 2 * values[:, :, 1:-1] + values[:, :, 2:]
    change = np.abs(smooth[:, :, 2:] - smooth[:, :, :-2]).max(axis=3)
    return change / 16.0, along, first, inside


def _peaks(change: Floats, strength: float) -> tuple[Floats, Bools]:
    """(m, rows) where across the bands the change is largest, to a fraction of a pixel, and whether it is an edge."""
    best = change.argmax(axis=2)
    last = change.shape[2] - 1
    middle = np.clip(best, 1, last - 1)[:, :, None]
    before, peak, after = (np.take_along_axis(change, middle + step, axis=2)[:, :, 0] for step in (-1, 0, 1))
    shift = 0.5 * (before - after) / np.minimum(before - 2 * peak + after, -1e-6)
    return best + shift, (peak > strength) & (best > 0) & (best < last)


def _lines(y: Floats, x: Floats, strong: Bools, close: float) -> tuple[Floats, Floats]:
    """(m,) slopes and starts of the lines x(y) through most of the ``strong`` points (m, rows).

    The best of all pairs of a fixed sample, then least squares on its side (after Fischler and Bolles 1981).
    """
    count = np.maximum(strong.sum(axis=1), 1)
    order = np.argsort(~strong, axis=1, kind="stable")
    picks = np.take_along_axis(order, (np.linspace(0, 1, 12) * (count[:, None] - 1)).astype(np.intp), axis=1)
    first, second = (picks[:, pair] for pair in _PAIRS)
    y1, y2, x1, x2 = (np.take_along_axis(v, at, axis=1) for v in (y, x) for at in (first, second))
    slopes = (x2 - x1) / np.maximum(y2 - y1, 1.0)
    starts = x1 - slopes * y1
    off = np.abs(starts[:, :, None] + slopes[:, :, None] * y[:, None, :] - x[:, None, :])
    best = ((off < close) & strong[:, None, :]).sum(axis=2).argmax(axis=1)[:, None]
    slope, start = (np.take_along_axis(v, best, axis=1) for v in (slopes, starts))
    near = (np.abs(start + slope * y - x) < close) & strong
    return _least_squares(y, x, near.astype(np.float64))


def _least_squares(y: Floats, x: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """(m,) slopes and starts of the lines x(y) through the weighted points (m, rows)."""
    total = np.maximum(weight.sum(axis=1), 1e-9)
    mean_y, mean_x = (y * weight).sum(axis=1) / total, (x * weight).sum(axis=1) / total
    away = (y - mean_y[:, None]) * weight
    slope = (away * (x - mean_x[:, None])).sum(axis=1) / np.maximum((away * (y - mean_y[:, None])).sum(axis=1), 1e-9)
    return slope, mean_x - slope * mean_y


def _moved(crops: Sequence[Image], sides: Floats, config: EdgeConfig) -> tuple[Floats, Bools]:
    """The (m, 2, 2) sides on the edges that are seen near them, and (m,) whether one was seen."""
    change, along, first, inside = _bands(crops, sides, config)
    across, strong = _peaks(change, config.strength)
    x = across + first[:, None]
    slope, start = _lines(along, x, strong, config.close)
    near = (np.abs(start[:, None] + slope[:, None] * along - x) < config.close) & strong
    seen = inside & (near.mean(axis=1) >= config.agree)
    lying = np.arange(len(sides)) % 2 == 1
    ends = np.where(lying[:, None, None], sides[:, :, ::-1], sides)
    fitted = np.stack([start[:, None] + slope[:, None] * ends[:, :, 1], ends[:, :, 1]], axis=2)
    fitted = np.where(lying[:, None, None], fitted[:, :, ::-1], fitted)
    return np.where(seen[:, None, None], fitted, sides), seen


def _corners(sides: Floats) -> Floats:
    """(n, 4, 2) TL TR BR BL, where the (n, 4, 2, 2) sides left, top, right, bottom meet."""
    one, other = sides[:, [0, 2, 2, 0]], sides[:, [1, 1, 3, 3]]
    da, db = one[:, :, 1] - one[:, :, 0], other[:, :, 1] - other[:, :, 0]
    offset = other[:, :, 0] - one[:, :, 0]
    cross = da[..., 0] * db[..., 1] - da[..., 1] * db[..., 0]
    along = (offset[..., 0] * db[..., 1] - offset[..., 1] * db[..., 0]) / np.where(np.abs(cross) < 1e-9, 1e-9, cross)
    return np.asarray(one[:, :, 0] + along[..., None] * da)


def refine_corners(
    crops: Sequence[Image],
    quads: Sequence[Quad],
    margin: float,
    shifts: npt.ArrayLike | None = None,
    config: EdgeConfig | None = None,
) -> list[Quad]:
    """Return the ``quads`` with their sides moved onto the edges seen in ``crops``, upright crops of one size.

    Crops are (height, width, 3) uint8 BGR with ``margin`` round the piece, as made by :func:`vision.geometry.rectify`;
    ``shifts`` (n, 8) say where the corners are expected, as (x, y) in widths and heights of the piece from where the
    crop has them.
    """
    if not quads:
        return []
    height, width = crops[0].shape[:2]
    inner = np.array([width, height]) / (1 + 2 * margin)
    low, high = inner * margin - 0.5, inner * (1 + margin) - 0.5
    box = np.array([low, [high[0], low[1]], high, [low[0], high[1]]])
    offsets = np.zeros((len(quads), 4, 2)) if shifts is None else np.asarray(shifts, np.float64).reshape(-1, 4, 2)
    expected = box + offsets * inner
    sides = expected[:, [[0, 3], [0, 1], [1, 2], [3, 2]]]
    moved, seen = _moved(crops, sides.reshape(-1, 2, 2), EdgeConfig() if config is None else config)
    any_seen = np.asarray(seen.reshape(-1, 4).any(axis=1))
    corners = np.where(any_seen[:, None, None], _corners(moved.reshape(-1, 4, 2, 2)), expected)
    return [_in_picture(quad, box, points) for quad, points in zip(quads, corners, strict=True)]


def _in_picture(quad: Quad, box: Floats, corners: Floats) -> Quad:
    """The (4, 2) ``corners`` in crop pixels as a quad of the picture that ``quad`` was cut from, where that goes."""
    try:
        return Quad(transform(corners, homography(box, quad.corners)))
    except (GeometryError, QuadShapeError):
        return quad
