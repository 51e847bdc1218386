"""Draws pieces and SETs on a copy of the picture.

Each SET has its own colour *and* line style *and* number, so that nobody needs to see colours to tell them apart.
A piece in several SETs shows one outline for each, nested; where a table has very many, only the first few and how many
more there are. On tiny pieces there are only thin lines, and a dot for a doubt. Colours are those of Okabe and Ito,
which people with any kind of colour vision can part; each line and letter is cased in black or white, so that it shows
on card and cloth. Images are (height, width, 3) uint8 in BGR order.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
import numpy.typing as npt

from vision.types import Image, Mark, VisionError

__all__ = ["Line", "Style", "draw", "style_of"]

_Floats = npt.NDArray[np.float64]
_Colour = tuple[int, int, int]

_BLACK: _Colour = (16, 16, 16)
_WHITE: _Colour = (255, 255, 255)
_DOUBT: _Colour = (66, 228, 240)
_COLOURS: tuple[_Colour, ...] = (
    (178, 114, 0),  # blue
    (0, 159, 230),  # orange
    (115, 158, 0),  # bluish green
    (167, 121, 204),  # reddish purple
    (0, 94, 213),  # vermilion
    (233, 180, 86),  # sky blue
    (66, 228, 240),  # yellow
)
_FONT = cv2.FONT_HERSHEY_SIMPLEX
_SHIFT = 4
_BAND = 0.24
"""The outlines of one piece take at most this part of its short side, so that they stay clear of the symbols."""

_NARROW_BAND = 0.1
"""The same where there are very many SETs."""
_MANY = 12
"""From one SET more than this on the table, each piece shows only ``_SHOWN`` of its own."""
_SHOWN = 3
_TINY = 24
"""Pieces whose short side has fewer pixels bear no letters."""


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

    colour: _Colour
    casing: _Colour
    line: Line


@dataclass(frozen=True)
class _Pen:
    """Pixels: the line's width, its casing on either side, and the distance between two nested outlines.

    ``fit`` is how many outlines there may be.
    """

    width: float
    casing: float
    pitch: float
    fit: int


@dataclass(frozen=True)
class _Scene:
    """What all marks share: the longer side of the picture in pixels, and whether there are very many SETs."""

    longer: int
    crowded: bool


def style_of(group: int) -> Style:
    """Return the look of the SET numbered ``group`` from 1; the first 35 all differ.

    :raises VisionError: the number is below 1.
    """
    if group < 1:
        raise VisionError(f"SETs are numbered from 1; got {group!r}")
    lines = tuple(Line)
    colour = _COLOURS[(group - 1) % len(_COLOURS)]
    return Style(colour, _against(colour), lines[(group - 1) % len(lines)])


def _against(colour: _Colour) -> _Colour:
    """Black or white, whichever stands out more from ``colour``."""
    blue, green, red = colour
    return _BLACK if 0.114 * blue + 0.587 * green + 0.299 * red > 120 else _WHITE


def draw(image: Image, marks: Sequence[Mark]) -> Image:
    """Return a copy of ``image``, (height, width, 3) uint8 BGR, with the ``marks`` drawn on it.

    The size stays, and the caller's array is left as it is.
    """
    canvas = np.array(image, np.uint8, order="C", copy=True)
    scene = _Scene(max(canvas.shape[:2]), len({group for mark in marks for group in mark.groups}) > _MANY)
    for mark in marks:
        _outlines(canvas, mark, scene)
    lettered = [mark for mark in marks if not _tiny(mark)]
    for mark in lettered:
        _chips(canvas, mark, _letter(mark, scene), scene.crowded)
    for mark in lettered:
        _labels(canvas, mark, scene)
    for mark in marks:
        if mark.doubtful and _tiny(mark):
            _dot(canvas, _top_right(mark), _between(1.5, 0.1 * mark.quad.short_side, 2.5))
    return canvas


def _between(least: float, value: float, most: float) -> float:
    return max(least, min(value, most))


def _tiny(mark: Mark) -> bool:
    return mark.quad.short_side < _TINY


def _pen(mark: Mark, scene: _Scene) -> _Pen:
    """The pen for all outlines of one piece: it thins when there are many."""
    short = mark.quad.short_side
    if _tiny(mark):
        return _Pen(1.0, 0.0, 2.0, int(_between(1, _BAND * short / 2, _SHOWN)))
    width = _between(1.5, max(0.026 * short, scene.longer / 800), max(1.5, 0.045 * short))
    width *= 1.0 if mark.groups else 0.6
    pitch = 1.75 * width + 1
    band = (_NARROW_BAND if scene.crowded else _BAND) * short
    most = _SHOWN if scene.crowded else len(mark.groups)
    room = band / max(1, min(most, len(mark.groups)))
    if pitch > room:
        width, pitch = max(1.0, (room - 1) / 1.75), max(3.0, room)
    return _Pen(width, max(0.8, width * 0.3), pitch, max(1, min(most, round(band / pitch))))


def _outlines(canvas: Image, mark: Mark, scene: _Scene) -> None:
    pen = _pen(mark, scene)
    if not mark.groups:
        _outline(canvas, _inset(mark, 0.0), Style(_WHITE, _BLACK, Line.SOLID), pen)
    outside = 0.5 if _tiny(mark) else 0.25
    for place, group in enumerate(mark.groups[: pen.fit]):
        _outline(canvas, _inset(mark, pen.pitch * (place - outside)), style_of(group), pen)


def _inset(mark: Mark, distance: float) -> _Floats:
    """The (4, 2) corners of the piece with each side moved inwards by ``distance`` pixels."""
    corners = mark.quad.corners.astype(np.float64)
    along = np.roll(corners, -1, axis=0) - corners
    along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-9)
    inwards = np.column_stack([-along[:, 1], along[:, 0]]) * (1.0 if mark.quad.area >= 0 else -1.0)
    before, inwards_before = np.roll(along, 1, axis=0), np.roll(inwards, 1, axis=0)
    sine = before[:, 0] * along[:, 1] - before[:, 1] * along[:, 0]
    # Where two moved sides meet: the corner moves along both sides by distance / sine.
    if (np.abs(sine) < 0.2).any():
        return corners + distance * (inwards + inwards_before) / 2
    return corners + distance * (before * -1 + along) / sine[:, None] * (1.0 if mark.quad.area >= 0 else -1.0)


def _outline(canvas: Image, corners: _Floats, style: Style, pen: _Pen) -> None:
    if pen.casing:
        _polyline(canvas, corners, style.casing, max(1, round(pen.width)) + 2 * max(1, round(pen.casing)))
    if style.line in _PATTERNS:
        for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            _broken(canvas, start, end, style, pen.width)
        return
    _polyline(canvas, corners, style.colour, pen.width)
    if style.line is Line.DOUBLE:
        _polyline(canvas, corners, style.casing, pen.width * 0.3)


def _broken(canvas: Image, start: _Floats, end: _Floats, style: Style, width: float) -> None:
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
            _polyline(canvas, np.stack([start + (end - start) * a, start + (end - start) * b]), style.colour, width)


def _polyline(canvas: Image, points: _Floats, colour: _Colour, width: float) -> None:
    fixed = np.rint(np.clip(points, -1e5, 1e5) * 2**_SHIFT).astype(np.int32)
    closed = len(points) > 2
    cv2.polylines(canvas, [fixed], closed, colour, max(1, round(width)), cv2.LINE_AA, _SHIFT)


def _letter(mark: Mark, scene: _Scene) -> float:
    """The height of the letters at a piece, in pixels."""
    short = mark.quad.short_side
    return _between(8, max(0.11 * short, scene.longer / 150), max(8, 0.3 * short))


def _top_right(mark: Mark) -> _Floats:
    corners = mark.quad.corners.astype(np.float64)
    return np.asarray(corners[int(np.argmax(corners[:, 0] - corners[:, 1]))])


def _labels(canvas: Image, mark: Mark, scene: _Scene) -> None:
    """The text at the top left, the doubt at the top right."""
    height, pen = _letter(mark, scene), _pen(mark, scene)
    band = pen.pitch * min(len(mark.groups), pen.fit) + pen.width
    inner = _inset(mark, min(band, 0.3 * mark.quad.short_side))
    if mark.text:
        _text_at_corner(canvas, mark.text, inner, height, mark.quad.long_side)
    if mark.doubtful:
        _badge(canvas, _top_right(mark), 0.95 * height)


def _text_at_corner(canvas: Image, text: str, inner: _Floats, height: float, room: float) -> None:
    size = _text_size(text, height)
    if size[0] > room:
        height = max(8.0, height * room / size[0])
        size = _text_size(text, height)
    corner = inner[int(np.argmin(inner.sum(axis=1)))]
    towards = inner.mean(axis=0) - corner
    middle = corner + np.sign(towards) * (min(size[0], size[1] * 1.6) / 2 + 1, size[1] / 2 + 1)
    left = middle[0] - min(size[0], size[1] * 1.6) / 2
    _text(canvas, text, (left, middle[1]), height, _BLACK, _WHITE)


def _text_size(text: str, height: float) -> tuple[float, float]:
    (width, _), _ = cv2.getTextSize(text, _FONT, _font_scale(height), _weight(height))
    return float(width), height


def _font_scale(height: float) -> float:
    return float(cv2.getFontScaleFromHeight(_FONT, max(6, round(height)), 1))


def _weight(height: float) -> int:
    return 1 if height < 11 else 2


def _text(
    canvas: Image, text: str, left_middle: tuple[float, float], height: float, colour: _Colour, halo: _Colour | None
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


def _badge(canvas: Image, centre: _Floats, radius: float) -> None:
    """A yellow disc with a question mark, kept inside the picture."""
    x, y = _dot(canvas, centre, radius)
    height = radius * 1.2
    _text(canvas, "?", (x - _text_size("?", height)[0] / 2, y), height, _BLACK, None)


def _dot(canvas: Image, centre: _Floats, radius: float) -> tuple[float, float]:
    """A yellow disc, kept inside the picture; where its centre came to lie."""
    limits = np.array(canvas.shape[1::-1]) - 1 - radius
    x, y = np.clip(centre, radius, np.maximum(limits, radius))
    at = (round(x * 2**_SHIFT), round(y * 2**_SHIFT))
    cv2.circle(canvas, at, round((radius + max(1.0, radius / 7)) * 2**_SHIFT), _BLACK, -1, cv2.LINE_AA, _SHIFT)
    cv2.circle(canvas, at, round(radius * 2**_SHIFT), _DOUBT, -1, cv2.LINE_AA, _SHIFT)
    return float(x), float(y)


def _chips(canvas: Image, mark: Mark, height: float, crowded: bool) -> None:
    """The numbers of the SETs in their colours, inside the lowest side, in rows that go up; one row when crowded."""
    if not mark.groups:
        return
    left, right = _lowest_side(mark)
    length = max(float(np.linalg.norm(right - left)), 1e-9)
    along = (right - left) / length
    widest = "8" * len(str(max(mark.groups)))
    if crowded:
        widest = "8" * max(len(f"+{len(mark.groups)}"), *(len(str(group)) for group in mark.groups[:_SHOWN]))
        wanted = min(_SHOWN + 1, len(mark.groups))
        height = _between(8, height * length / (wanted * _step(widest, height)), max(8, 0.85 * height))
    step = _step(widest, height)
    a_row = max(1, int(length // step))
    most = max(2, min(_SHOWN + 1, a_row)) if crowded else max(2, 2 * a_row)
    chips = _few([(str(group), style_of(group)) for group in mark.groups], most)
    size = (step - 0.15 * height, 1.5 * height)
    inwards = np.array([along[1], -along[0]])
    # How far the plate and its edge reach towards the side, so that nothing of it lies on the neighbour's piece.
    reach = float(np.abs(inwards) @ (np.array(size) / 2 + max(1.0, height / 8)))
    for place, (text, style) in enumerate(chips):
        row, column = divmod(place, a_row)
        count = min(a_row, len(chips) - row * a_row)
        centre = (left + right) / 2 + along * (column - (count - 1) / 2) * step
        _chip(canvas, text, centre + inwards * reach * (1 + 2 * row), size, style)


def _lowest_side(mark: Mark) -> tuple[_Floats, _Floats]:
    """The left and the right end of the piece's lowest side."""
    starts = mark.quad.corners.astype(np.float64)
    ends = np.roll(starts, -1, axis=0)
    lowest = int(np.argmax((starts + ends)[:, 1]))
    left, right = sorted((starts[lowest], ends[lowest]), key=lambda point: float(point[0]))
    return left, right


def _step(text: str, height: float) -> float:
    """The width of a plate with ``text``, and of the gap to the next."""
    return _text_size(text, height)[0] + 0.8 * height


def _few(chips: list[tuple[str, Style]], most: int) -> list[tuple[str, Style]]:
    """At most ``most`` chips; the last one says how many more there are."""
    if len(chips) <= most:
        return chips
    return [*chips[: most - 1], (f"+{len(chips) - most + 1}", Style(_WHITE, _BLACK, Line.SOLID))]


def _chip(canvas: Image, text: str, centre: _Floats, size: tuple[float, float], style: Style) -> None:
    half = np.array(size) / 2
    limits = np.maximum(np.array(canvas.shape[1::-1]) - 1 - half, half)
    x, y = np.clip(centre, half, limits)
    height = size[1] / 1.5
    edge = max(1.0, height / 8)
    _plate(canvas, (x, y), half + edge, style.casing)
    _plate(canvas, (x, y), half, style.colour)
    _text(canvas, text, (x - _text_size(text, height)[0] / 2, y), height, style.casing, None)


def _plate(canvas: Image, centre: tuple[float, float], half: _Floats, colour: _Colour) -> None:
    """A filled rectangle with rounded ends."""
    radius = max(1.0, 0.35 * float(half.min()))
    angles = np.linspace(0, 2 * math.pi, 32, endpoint=False)
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    points = np.array(centre) + np.sign(np.round(circle, 9)) * np.maximum(half - radius, 0) + circle * radius
    cv2.fillConvexPoly(canvas, np.rint(points * 2**_SHIFT).astype(np.int32), colour, cv2.LINE_AA, _SHIFT)
