"""The pens of the overlays: lines in styles, letters with a halo, plates; each SET has its own look.

Colours are those of Okabe and Ito, which people with any kind of colour vision can part; each line and letter is cased
in black or white, so that it shows on any ground. Images are (height, width, 3) uint8 in BGR order.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
import numpy.typing as npt

from vision.types import Image, VisionError

__all__ = [
    "BLACK",
    "DOUBT",
    "SHIFT",
    "WHITE",
    "Colour",
    "Floats",
    "Line",
    "Style",
    "between",
    "chip",
    "plate",
    "polyline",
    "stroke",
    "style_of",
    "text_size",
    "write",
]

Floats = npt.NDArray[np.float64]
Colour = tuple[int, int, int]

BLACK: Colour = (16, 16, 16)
WHITE: Colour = (255, 255, 255)
DOUBT: Colour = (66, 228, 240)
_COLOURS: tuple[Colour, ...] = (
    (178, 114, 0),  # blue
    (0, 159, 230),  # orange
    (115, 158, 0),  # bluish green
    (167, 121, 204),  # reddish purple
    (0, 94, 213),  # vermilion
    (233, 180, 86),  # sky blue
    (66, 228, 240),  # yellow
)
_FONT = cv2.FONT_HERSHEY_SIMPLEX
SHIFT = 4
"""Bits after the point in the coordinates that OpenCV takes."""


class Line(StrEnum):
    """How an outline is drawn."""

    SOLID = "solid"
    DASHED = "dashed"
    DOTTED = "dotted"
    DOUBLE = "double"
    DASH_DOT = "dash-dot"


_PATTERNS: dict[Line, tuple[float, ...]] = {
    Line.DASHED: (4.5, 3.0),
    Line.DOTTED: (0.01, 2.4),
    Line.DASH_DOT: (5.0, 2.4, 0.01, 2.4),
}
"""Strokes and gaps in turn, in line widths."""


@dataclass(frozen=True)
class Style:
    """The look of one SET: ``colour`` and its ``casing`` as BGR 0..255, and the kind of ``line``."""

    colour: Colour
    casing: Colour
    line: Line


def style_of(group: int) -> Style:
    """Return the look of the SET numbered ``group`` from 1; the first 35 all differ.

    :raises VisionError: the number is below 1.
    """
    if group < 1:
        raise VisionError(f"SETs are numbered from 1; got {group!r}")
    lines = tuple(Line)
    colour = _COLOURS[(group - 1) % len(_COLOURS)]
    return Style(colour, _against(colour), lines[(group - 1) % len(lines)])


def _against(colour: Colour) -> Colour:
    """Black or white, whichever stands out more from ``colour``."""
    blue, green, red = colour
    return BLACK if 0.114 * blue + 0.587 * green + 0.299 * red > 120 else WHITE


def between(least: float, value: float, most: float) -> float:
    """Return ``value``, or the limit that it lies beyond."""
    return max(least, min(value, most))


def stroke(canvas: Image, points: Floats, style: Style, width: float, casing: float) -> None:
    """Draw a closed outline, or the line between two points: (n, 2) pixels, ``casing`` pixels wider on either side."""
    if casing:
        polyline(canvas, points, style.casing, max(1, round(width)) + 2 * max(1, round(casing)))
    if style.line in _PATTERNS:
        sides = list(zip(points, np.roll(points, -1, axis=0), strict=True))
        for start, end in sides if len(points) > 2 else sides[:1]:
            _broken(canvas, start, end, style, width)
        return
    polyline(canvas, points, style.colour, width)
    if style.line is Line.DOUBLE:
        polyline(canvas, points, style.casing, width * 0.3)


def _broken(canvas: Image, start: Floats, end: Floats, style: Style, width: float) -> None:
    """Draw one side in strokes; a whole number of them fits."""
    pattern = np.array(_PATTERNS[style.line]) * max(width, 2.0)
    if width < 1.5:
        pattern = np.maximum(pattern, 1.0)  # of a line of one pixel a dot would be nothing
    length = float(np.linalg.norm(end - start))
    repeats = max(1, round(length / float(pattern.sum())))
    ends = np.concatenate([[0.0], np.cumsum(pattern)]) / pattern.sum()
    for repeat in range(repeats):
        for first in range(0, len(pattern), 2):
            a, b = (repeat + ends[first]) / repeats, (repeat + ends[first + 1]) / repeats
            polyline(canvas, np.stack([start + (end - start) * a, start + (end - start) * b]), style.colour, width)


def polyline(canvas: Image, points: Floats, colour: Colour, width: float) -> None:
    """Draw a line through (n, 2) points in pixels; from three points on it is closed."""
    fixed = np.rint(np.clip(points, -1e5, 1e5) * 2**SHIFT).astype(np.int32)
    closed = len(points) > 2
    cv2.polylines(canvas, [fixed], closed, colour, max(1, round(width)), cv2.LINE_AA, SHIFT)


def text_size(text: str, height: float) -> tuple[float, float]:
    """Return width and height in pixels of ``text`` whose capitals are ``height`` pixels high."""
    (width, _), _ = cv2.getTextSize(text, _FONT, _font_scale(height), _weight(height))
    return float(width), height


def _font_scale(height: float) -> float:
    return float(cv2.getFontScaleFromHeight(_FONT, max(6, round(height)), 1))


def _weight(height: float) -> int:
    return 1 if height < 11 else 2


def write(
    canvas: Image, text: str, left_middle: tuple[float, float], height: float, colour: Colour, halo: Colour | None
) -> None:
    """Write ``text`` from its left end, its capitals centred on the given height; with a ``halo`` if there is one."""
    scale, weight = _font_scale(height), _weight(height)
    x, y = round(left_middle[0]), round(left_middle[1] + height * 0.5)
    if halo is not None:
        reach = max(1, round(height / 6))
        for dx in (-reach, 0, reach):
            for dy in (-reach, 0, reach):
                cv2.putText(canvas, text, (x + dx, y + dy), _FONT, scale, halo, weight, cv2.LINE_AA)
    cv2.putText(canvas, text, (x, y), _FONT, scale, colour, weight, cv2.LINE_AA)


def plate(canvas: Image, centre: tuple[float, float], half: Floats, colour: Colour) -> None:
    """A filled rectangle with rounded ends."""
    radius = max(1.0, 0.35 * float(half.min()))
    angles = np.linspace(0, 2 * math.pi, 32, endpoint=False)
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    points = np.array(centre) + np.sign(np.round(circle, 9)) * np.maximum(half - radius, 0) + circle * radius
    cv2.fillConvexPoly(canvas, np.rint(points * 2**SHIFT).astype(np.int32), colour, cv2.LINE_AA, SHIFT)


def chip(canvas: Image, text: str, centre: Floats, size: tuple[float, float], style: Style) -> None:
    """Draw a plate of ``size`` (width, height) in pixels with ``text`` on it, kept inside the picture."""
    half = np.array(size) / 2
    limits = np.maximum(np.array(canvas.shape[1::-1]) - 1 - half, half)
    x, y = np.clip(centre, half, limits)
    height = size[1] / 1.5
    edge = max(1.0, height / 8)
    plate(canvas, (x, y), half + edge, style.casing)
    plate(canvas, (x, y), half, style.colour)
    write(canvas, text, (x - text_size(text, height)[0] / 2, y), height, style.casing, None)
