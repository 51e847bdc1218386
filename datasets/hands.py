"""Hands and arms that reach over a table, seen from above: skin of many tones, sleeves of many cloths.

A hand is drawn once, flat, and then moved about. Convention: millimetres with the origin at the finger tips, x to the
right, y from the tips along the arm; pictures are BGRA with the colour multiplied by alpha, as layers are laid.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from datasets.canvas import Bgr, cloud, jittered
from datasets.tables import cloth

__all__ = ["HandArt", "draw_hand"]

Random = np.random.Generator
Floats = npt.NDArray[np.float32]
Points = npt.NDArray[np.float64]

_PER_MM = 1.6
_SIZE = (250.0, 1000.0)
_TIPS = 30.0
_SKINS: tuple[Bgr, ...] = (
    (178, 198, 236),
    (160, 184, 228),
    (138, 168, 218),
    (110, 146, 202),
    (84, 118, 178),
    (62, 90, 146),
    (46, 66, 108),
    (34, 48, 78),
)
"""From the lightest to the darkest, BGR."""


@dataclass(frozen=True, eq=False)
class HandArt:
    """A drawn arm: ``image`` (h, w, 4) uint8, colour times alpha; ``per_mm`` pixels a millimetre.

    ``tip`` (x, y) is where the finger tips are, in pixels; ``reach`` is how far the fingers and the hand go along the
    arm from there, in millimetres.
    """

    image: npt.NDArray[np.uint8]
    per_mm: float
    tip: tuple[float, float]
    reach: float = 190.0

    @property
    def to_mm(self) -> Points:
        """The (3, 3) matrix from pixels of the picture to millimetres about the tips."""
        scale = 1 / self.per_mm
        return np.array([[scale, 0, -self.tip[0] * scale], [0, scale, -self.tip[1] * scale], [0, 0, 1]])


@dataclass(frozen=True)
class _Shape:
    """Millimetres of one hand: tips (x, y), knuckles (x, y), half widths of four fingers; the thumb; palm; sleeve."""

    tips: tuple[tuple[float, float], ...]
    knuckles: tuple[tuple[float, float], ...]
    widths: tuple[float, ...]
    thumb: tuple[tuple[float, float], ...]
    wrist: float
    sleeve: float
    arm: float


def _shape(rng: Random) -> _Shape:
    """A hand that picks things up: fingers together or spread, thumb beside them."""
    size = rng.uniform(0.88, 1.12)
    spread = rng.uniform(0.5, 1.1)
    lengths = np.array([8, 0, 2, 16]) * size + rng.uniform(0, 6, 4)
    across = (np.array([-27, -9, 9, 26]) * spread + rng.normal(0, 1.5, 4)) * size
    places = np.column_stack([np.array([-30, -10, 11, 31]) * size, [82, 76, 80, 88]])
    knuckles = tuple((float(x), float(y)) for x, y in places)
    thumb = ((-30 * size, 146 * size), (-47 * size, 98 * size), (float(rng.uniform(-48, -26)) * size, 40 * size))
    return _Shape(
        tuple((float(x), float(y)) for x, y in zip(across, lengths, strict=True)),
        knuckles,
        tuple(float(w) for w in np.array([9.2, 9.6, 9.0, 7.8]) * size),
        thumb,
        185 * size,
        float(rng.choice([205.0, 240.0, 330.0, 1200.0])) + float(rng.uniform(0, 30)),
        29 * size,
    )


def _pixels(points: npt.ArrayLike) -> npt.NDArray[np.int32]:
    placed = (np.asarray(points, np.float64) + [_SIZE[0] / 2, _TIPS]) * _PER_MM
    return np.asarray(np.round(placed * 16), np.int32)


def _limb(mask: npt.NDArray[np.uint8], points: npt.ArrayLike, widths: npt.ArrayLike) -> None:
    """Fill a limb through ``points`` with the half ``widths`` there: a chain of tapering rounded pieces."""
    line, half = np.asarray(points, float), np.asarray(widths, float)
    for first, last, start, stop in zip(line[:-1], line[1:], half[:-1], half[1:], strict=True):
        along = (last - first) / max(float(np.hypot(*(last - first))), 1e-6)
        across = np.array([-along[1], along[0]])
        corners = [first + across * start, last + across * stop, last - across * stop, first - across * start]
        cv2.fillConvexPoly(mask, _pixels(corners), 255, cv2.LINE_AA, 4)
        for place, radius in ((first, start), (last, stop)):
            x, y = _pixels([place])[0]
            cv2.circle(mask, (int(x), int(y)), round(radius * _PER_MM * 16), 255, -1, cv2.LINE_AA, 4)


def _blank() -> npt.NDArray[np.uint8]:
    return np.zeros((round(_SIZE[1] * _PER_MM), round(_SIZE[0] * _PER_MM)), np.uint8)


def _rounded(mask: npt.NDArray[np.uint8], deep: float) -> Floats:
    """How the light falls on a limb of this outline: 1 in the middle, less towards its edges, (h, w) 0..1."""
    distance = cv2.distanceTransform((mask > 127).astype(np.uint8), cv2.DIST_L2, 3)
    slope = np.clip(distance / np.float32(deep * _PER_MM), 0, 1)
    return np.asarray(np.sqrt(np.maximum(1 - (1 - slope) ** 2, 0)), np.float32)


def _lay(picture: Floats, alpha: Floats, mask: npt.NDArray[np.uint8], colour: Floats) -> None:
    """Lay ``colour`` (h, w, 3) on ``picture`` where ``mask`` is."""
    part = (mask.astype(np.float32) / 255)[..., None]
    picture += (colour - picture) * part
    np.maximum(alpha, part[..., 0], out=alpha)


def _skin(rng: Random, mask: npt.NDArray[np.uint8], tone: Bgr, deep: float) -> Floats:
    """Skin over a limb: darker and redder at its edges, a little uneven."""
    light = _rounded(mask, deep)[..., None]
    base = np.array(tone, np.float32)
    edge = base * np.array([0.42, 0.48, 0.62], np.float32)
    uneven = cloud(rng, (mask.shape[0], mask.shape[1]), 40)[..., None] * np.float32(5)
    return np.asarray(edge + (base - edge) * (0.3 + 0.7 * light) + uneven, np.float32)


def _finger(rng: Random, picture: Floats, alpha: Floats, shape: _Shape, index: int, tone: Bgr) -> None:
    tip, knuckle, width = np.array(shape.tips[index]), np.array(shape.knuckles[index]), shape.widths[index]
    bend = tip + (knuckle - tip) * 0.5 + [rng.normal(0, 2), 0]
    start = tip + (knuckle - tip) / np.hypot(*(knuckle - tip)) * width
    mask = _blank()
    _limb(mask, [start, bend, knuckle], [width * 0.86, width, width * 1.15])
    _lay(picture, alpha, mask, _skin(rng, mask, tone, width))
    _nail(picture, start, width, tone)
    _crease(picture, bend, width, tone)


def _nail(picture: Floats, place: Points, width: float, tone: Bgr) -> None:
    mask = _blank()
    x, y = (int(value) for value in _pixels([place + [0, -width * 0.15]])[0] // 16)
    axes = (round(width * 0.5 * _PER_MM), round(width * 0.62 * _PER_MM))
    cv2.ellipse(mask, (x, y), axes, 0, 0, 360, 255, -1, cv2.LINE_AA)
    pale = np.minimum(np.array(tone, np.float32) * np.float32(1.12) + 14, 245)
    picture += (pale - picture) * (mask.astype(np.float32) / 255 * np.float32(0.7))[..., None]


def _crease(picture: Floats, place: Points, width: float, tone: Bgr) -> None:
    mask = _blank()
    for step in (-2.2, 0.0, 2.0):
        ends = _pixels([place + [-width * 0.5, step], place + [width * 0.5, step]])
        cv2.line(mask, tuple(map(int, ends[0])), tuple(map(int, ends[1])), 255, 1, cv2.LINE_AA, 4)
    dark = np.array(tone, np.float32) * np.float32(0.68)
    picture += (dark - picture) * (mask.astype(np.float32) / 255 * np.float32(0.5))[..., None]


def _sleeve(rng: Random, picture: Floats, alpha: Floats, shape: _Shape) -> None:
    """Cloth from the cuff on, with folds across the arm."""
    if shape.sleeve > _SIZE[1]:
        return
    mask, wide = _blank(), shape.arm * rng.uniform(1.25, 1.6)
    cv2.fillConvexPoly(
        mask,
        _pixels([(-wide, shape.sleeve), (wide, shape.sleeve), (wide * 1.5, _SIZE[1]), (-wide * 1.5, _SIZE[1])]),
        255,
        cv2.LINE_AA,
        4,
    )
    height, width = mask.shape
    weave = _tiled(cloth(rng), (height, width))
    folds = cloud(rng, (height, width), 22)[..., None] * np.float32(rng.uniform(8, 28))
    colour = (weave + folds) * (0.45 + 0.55 * _rounded(mask, wide)[..., None])
    _lay(picture, alpha, mask, np.asarray(colour, np.float32))
    top = int((shape.sleeve + _TIPS) * _PER_MM)
    band = slice(top, top + round(rng.uniform(5, 14) * _PER_MM))
    picture[band] *= np.float32(rng.uniform(0.75, 0.95))


def _tiled(texture: Floats, shape: tuple[int, int]) -> Floats:
    repeat = (shape[0] // texture.shape[0] + 1, shape[1] // texture.shape[1] + 1, 1)
    return np.asarray(np.tile(texture, repeat)[: shape[0], : shape[1]], np.float32)


def draw_hand(rng: Random) -> HandArt:
    """Return some person's hand and arm, left or right, bare or in a sleeve."""
    shape, tone = _shape(rng), jittered(rng, _SKINS[int(rng.integers(0, len(_SKINS)))], 6)
    height, width = _blank().shape
    picture, alpha = np.zeros((height, width, 3), np.float32), np.zeros((height, width), np.float32)
    thumb = _blank()
    _limb(thumb, shape.thumb, [19, 12.5, 10])
    _lay(picture, alpha, thumb, _skin(rng, thumb, tone, 12))
    palm = _blank()
    hull = [(x * 1.22, y - 6) for x, y in shape.knuckles] + [(shape.arm * 1.05, shape.wrist), (-shape.arm, shape.wrist)]
    cv2.fillConvexPoly(palm, cv2.convexHull(_pixels(hull)), 255, cv2.LINE_AA, 4)
    _limb(palm, [(0, 118), (0, shape.wrist)], [40, shape.arm])
    _limb(palm, [(0, shape.wrist), (0, 520), (0, _SIZE[1] + 60)], [shape.arm, shape.arm * 1.45, shape.arm * 1.6])
    _lay(picture, alpha, palm, _skin(rng, palm, tone, 30))
    for index in (3, 0, 2, 1):
        _finger(rng, picture, alpha, shape, index, tone)
    _sleeve(rng, picture, alpha, shape)
    layer = np.dstack([np.clip(picture, 0, 255) * alpha[..., None], alpha * 255]).astype(np.uint8)
    tip = ((_SIZE[0] / 2) * _PER_MM, (_TIPS + 6) * _PER_MM)
    if rng.random() < 0.5:
        layer = np.ascontiguousarray(layer[:, ::-1])
        tip = (layer.shape[1] - 1 - tip[0], tip[1])
    return HandArt(layer, _PER_MM, tip)
