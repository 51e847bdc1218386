"""A small drawing surface measured in millimetres, on which the faces of all pieces are painted.

Convention: x to the right and y down in millimetres from the top-left corner of the piece; pixel column i covers
x from i / scale to (i + 1) / scale, so a picture spans its piece from edge to edge. Colours are BGR, 0..255.
Shapes are drawn with sub-pixel places and anti-aliased by supersampling.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.types import Image

__all__ = [
    "Art",
    "ArtError",
    "ArtSizeError",
    "Bgr",
    "Canvas",
    "Cover",
    "Floats",
    "Points",
    "cloud",
    "down",
    "jittered",
    "mixed",
]

Bgr = tuple[int, int, int]
Floats = npt.NDArray[np.float32]
Points = npt.NDArray[np.float64]

_SHIFT = 4
_MARGIN = 2


class ArtError(Exception):
    """The family of everything that drawing a piece refuses."""


class ArtSizeError(ArtError, ValueError):
    """A picture that cannot be: too few pixels, or an alpha of another size than its image."""

    def __init__(self, expected: str, actual: object) -> None:
        """Quote the ``actual`` value beside what was ``expected``."""
        super().__init__(f"expected {expected}; got {actual!r}")


@dataclass(frozen=True, eq=False)
class Art:
    """The flat face of one thing, seen straight from above, evenly lit.

    ``image`` is (h, w, 3) uint8 BGR, ``alpha`` (h, w) uint8 (0 outside the rounded corners, 255 inside, anti-aliased);
    both span the thing from edge to edge. ``size_mm`` is its (width, height) in millimetres.

    :raises ArtSizeError: image and alpha do not fit each other.
    """

    image: Image
    alpha: Image
    size_mm: tuple[float, float]

    def __post_init__(self) -> None:
        if self.image.ndim != 3 or self.image.shape[2] != 3 or self.image.shape[:2] != self.alpha.shape:
            raise ArtSizeError("an (h, w, 3) image and an (h, w) alpha", (self.image.shape, self.alpha.shape))
        self.image.setflags(write=False)
        self.alpha.setflags(write=False)


class Cover(NamedTuple):
    """How much ink lies where: ``mask`` is (h, w) float32 in 0..1, its top-left pixel at column ``x``, row ``y``."""

    x: int
    y: int
    mask: Floats


def jittered(rng: np.random.Generator, colour: npt.ArrayLike, spread: float) -> Bgr:
    """Return a BGR colour near ``colour``: each channel moved by a normal amount of deviation ``spread``."""
    blue, green, red = np.clip(np.asarray(colour) + rng.normal(0, spread, 3), 0, 255).round().astype(int).tolist()
    return (blue, green, red)


def mixed(rng: np.random.Generator, palette: Sequence[Bgr], spread: float = 6.0) -> Bgr:
    """Return a BGR colour somewhere between those of ``palette``, nearest to a few of them."""
    return jittered(rng, rng.dirichlet(np.full(len(palette), 0.4)) @ np.array(palette, float), spread)


def down(distance: float) -> Points:
    """Return the step, (2,) millimetres, that goes ``distance`` down."""
    return np.array([0.0, distance])


def cloud(rng: np.random.Generator, shape: tuple[int, int], cells: int) -> Floats:
    """Return smooth noise, (h, w) float32 in about -1..1, with about ``cells`` blobs along the longer side."""
    height, width = shape
    step = max(height, width) / cells
    grid = (max(2, round(height / step)), max(2, round(width / step)))
    coarse = rng.uniform(-1, 1, grid).astype(np.float32)
    return np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC), np.float32)


class Canvas:
    """A surface of ``size_mm`` (width, height), filled with a BGR colour, at about ``pixels_per_mm``.

    ``pixels`` is (h, w, 3) float32 BGR 0..255 and is painted in place.

    :raises ArtSizeError: fewer than 4 pixels a side.
    """

    def __init__(self, size_mm: tuple[float, float], pixels_per_mm: float, colour: npt.ArrayLike) -> None:
        self.size_mm = size_mm
        width, height = (round(side * pixels_per_mm) for side in size_mm)
        if min(width, height) < 4:
            raise ArtSizeError("at least 4 pixels a side", (width, height))
        self.shape = (height, width)
        self.scale = np.array([width / size_mm[0], height / size_mm[1]])
        self.supersampling = 4 if pixels_per_mm <= 6 else 3
        self.pixels: Floats = np.empty((height, width, 3), np.float32)
        self.pixels[:] = np.asarray(colour, np.float32)

    @property
    def centre(self) -> Points:
        """(2,) middle of the canvas in millimetres."""
        return np.array(self.size_mm) / 2

    def columns(self, cover: Cover) -> Points:
        """(w + 1,) x in millimetres of the edges of the pixel columns that ``cover`` spans."""
        return np.asarray((cover.x + np.arange(cover.mask.shape[1] + 1)) / self.scale[0])

    def cover(self, outer: Points, *holes: Points) -> Cover:
        """Return how much of each pixel the polygon ``outer``, (n, 2) in millimetres, covers, less its ``holes``."""
        height, width = self.shape
        pixels = outer * self.scale
        left, top = np.clip(np.floor(pixels.min(axis=0)).astype(int) - _MARGIN, 0, (width - 1, height - 1))
        right, bottom = np.clip(np.ceil(pixels.max(axis=0)).astype(int) + _MARGIN, (left + 1, top + 1), (width, height))
        return Cover(int(left), int(top), self._window((left, top, right, bottom), outer, holes))

    def _window(self, box: tuple[int, int, int, int], outer: Points, holes: Sequence[Points]) -> Floats:
        left, top, right, bottom = box
        fine = np.zeros(((bottom - top) * self.supersampling, (right - left) * self.supersampling), np.uint8)
        for polygon, value in ((outer, 255), *((hole, 0) for hole in holes)):
            points = (polygon * self.scale - (left, top)) * self.supersampling - 0.5
            fixed = np.round(points * (1 << _SHIFT)).astype(np.int32)
            cv2.fillPoly(fine, [fixed], (value,), shift=_SHIFT)
        small = cv2.resize(fine, (right - left, bottom - top), interpolation=cv2.INTER_AREA)
        return small.astype(np.float32) * np.float32(1 / 255)

    def ink(self, cover: Cover, colour: npt.ArrayLike) -> None:
        """Lay ``colour``, one BGR or (h, w, 3) float32 of the cover's size, over what is there."""
        height, width = cover.mask.shape
        under = self.pixels[cover.y : cover.y + height, cover.x : cover.x + width]
        under += cover.mask[:, :, None] * (np.asarray(colour, np.float32) - under)

    def polygon(self, points: Points, colour: npt.ArrayLike, opacity: float = 1.0) -> None:
        """Fill a polygon, (n, 2) in millimetres."""
        cover = self.cover(points)
        self.ink(cover._replace(mask=cover.mask * np.float32(opacity)), colour)

    def rectangle(
        self, corner: npt.ArrayLike, size: npt.ArrayLike, colour: npt.ArrayLike, opacity: float = 1.0
    ) -> None:
        """Fill an upright rectangle with its top-left ``corner`` and (width, height) ``size`` in millimetres."""
        unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float)
        self.polygon(np.asarray(corner) + unit * np.asarray(size), colour, opacity)

    def disc(self, centre: npt.ArrayLike, radius: float, colour: npt.ArrayLike, opacity: float = 1.0) -> None:
        """Fill a circle, in millimetres."""
        turn = np.linspace(0, 2 * np.pi, 40, endpoint=False)
        self.polygon(np.asarray(centre) + radius * np.stack([np.cos(turn), np.sin(turn)], axis=1), colour, opacity)

    def stroke(self, points: Points, width: float, colour: npt.ArrayLike, opacity: float = 1.0) -> None:
        """Draw an open line through ``points``, (n, 2), of ``width``, all in millimetres, with round ends."""
        height_px, width_px = self.shape
        low = np.clip(np.floor((points.min(axis=0) - width) * self.scale).astype(int), 0, (width_px - 1, height_px - 1))
        high = np.clip(np.ceil((points.max(axis=0) + width) * self.scale).astype(int), low + 1, (width_px, height_px))
        factor = self.supersampling
        fine = np.zeros(((high[1] - low[1]) * factor, (high[0] - low[0]) * factor), np.uint8)
        fixed = np.round(((points * self.scale - low) * factor - 0.5) * (1 << _SHIFT)).astype(np.int32)
        thickness = max(1, round(width * float(self.scale.mean()) * factor))
        cv2.polylines(fine, [fixed], False, (255,), thickness, cv2.LINE_8, _SHIFT)
        size = (int(high[0] - low[0]), int(high[1] - low[1]))
        small = cv2.resize(fine, size, interpolation=cv2.INTER_AREA).astype(np.float32)
        self.ink(Cover(int(low[0]), int(low[1]), small * np.float32(opacity / 255)), colour)

    def text(
        self,
        words: str,
        centre: npt.ArrayLike,
        height: float,
        colour: npt.ArrayLike,
        *,
        bold: bool = False,
        turn: float = 0.0,
    ) -> None:
        """Write ``words`` around ``centre``, about ``height`` millimetres tall, turned by ``turn`` degrees.

        Words too long for the piece are written smaller.
        """
        fine = float(self.scale.mean()) * self.supersampling
        drawn = _letters(words, max(8, round(height * fine)), bold)
        room = 0.92 * fine * self.size_mm[1 if abs(np.sin(np.radians(turn))) > 0.5 else 0]
        if drawn.shape[1] > room:
            drawn = _letters(words, max(8, int(height * fine * room / drawn.shape[1])), bold)
        rows, columns = drawn.shape
        shift = cv2.getRotationMatrix2D(((columns - 1) / 2, (rows - 1) / 2), turn, 1.0)
        side = int(np.hypot(rows, columns)) + 4 * self.supersampling
        side += -side % self.supersampling
        place = np.asarray(centre) * self.scale - side / self.supersampling / 2
        whole = np.floor(place).astype(int)
        shift[:, 2] += (side - np.array([columns, rows])) / 2 + (place - whole) * self.supersampling
        turned = cv2.warpAffine(drawn, shift, (side, side), flags=cv2.INTER_LINEAR)
        small = cv2.resize(turned, (side // self.supersampling,) * 2, interpolation=cv2.INTER_AREA)
        self._clipped(int(whole[0]), int(whole[1]), small.astype(np.float32) * np.float32(1 / 255), colour)

    def _clipped(self, x: int, y: int, mask: Floats, colour: npt.ArrayLike) -> None:
        left, top = max(0, -x), max(0, -y)
        inside = mask[top : max(top, self.shape[0] - y), left : max(left, self.shape[1] - x)]
        if inside.size:
            self.ink(Cover(x + left, y + top, np.ascontiguousarray(inside)), colour)

    def finish(self, corner_radius: float) -> Art:
        """Return what was painted, with corners rounded by ``corner_radius`` millimetres."""
        image = np.clip(self.pixels + 0.5, 0, 255).astype(np.uint8)
        return Art(image, self._rounded(corner_radius), self.size_mm)

    def _rounded(self, radius: float) -> Image:
        alpha = np.full(self.shape, 255, np.uint8)
        pixels = min(radius * float(self.scale.mean()), min(self.shape) / 2)
        side = int(np.ceil(pixels))
        if side < 1:
            return alpha
        away = pixels - (np.arange(side) + 0.5)
        corner = np.clip(0.5 + pixels - np.hypot(away[:, None], away[None, :]), 0, 1)
        # beyond half the side two corners meet: keep the smaller value of both
        value = np.round(corner * 255).astype(np.uint8)
        for rows, columns, patch in (
            (slice(None, side), slice(None, side), value),
            (slice(None, side), slice(-side, None), value[:, ::-1]),
            (slice(-side, None), slice(None, side), value[::-1]),
            (slice(-side, None), slice(-side, None), value[::-1, ::-1]),
        ):
            alpha[rows, columns] = np.minimum(alpha[rows, columns], patch)
        return alpha


@lru_cache(maxsize=256)
def _letters(words: str, height: int, bold: bool) -> Image:
    """(h, w) uint8 picture of ``words`` from lines ``height`` pixels apart, cut close, 255 where there is ink."""
    sheet = np.zeros((2 * height, (len(words) + 1) * height), np.uint8)
    font = cv2.FONT_HERSHEY_DUPLEX if bold else cv2.FONT_HERSHEY_SIMPLEX
    stroke = max(1, height // (9 if bold else 16))
    cv2.putText(sheet, words, (height // 2, height + height // 2), font, height / 30, (255,), stroke, cv2.LINE_AA)
    x, y, width, tall = cv2.boundingRect(sheet)
    return sheet[y : y + max(1, tall), x : x + max(1, width)].copy()
