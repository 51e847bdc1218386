"""Draws pieces and SETs on a copy of the picture.

Each SET has its own colour *and* line style *and* number, so that nobody needs to see colours to tell them apart.
A piece in several SETs shows one outline for each, nested; where a table has very many, only the first few and how many
more there are. On tiny pieces there are only thin lines, and a dot for a doubt. Colours are those of Okabe and Ito,
which people with any kind of colour vision can part; each line and letter is cased in black or white, so that it shows
on card and cloth. Images are (height, width, 3) uint8 in BGR order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.ink import (
    BLACK,
    DOUBT,
    SHIFT,
    WHITE,
    Floats,
    Line,
    Style,
    between,
    chip,
    stroke,
    style_of,
    text_size,
    write,
)
from vision.types import Image, Mark

__all__ = ["Line", "Style", "draw", "style_of"]

_BAND = 0.24
"""The outlines of one piece take at most this part of its short side, so that they stay clear of the symbols."""

_NARROW_BAND = 0.1
"""The same where there are very many SETs."""
_MANY = 12
"""From one SET more than this on the table, each piece shows only ``_SHOWN`` of its own."""
_SHOWN = 3
_TINY = 24
"""Pieces whose short side has fewer pixels bear no letters."""


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
            _dot(canvas, _top_right(mark), between(1.5, 0.1 * mark.quad.short_side, 2.5))
    return canvas


def _tiny(mark: Mark) -> bool:
    return mark.quad.short_side < _TINY


def _pen(mark: Mark, scene: _Scene) -> _Pen:
    """The pen for all outlines of one piece: it thins when there are many."""
    short = mark.quad.short_side
    if _tiny(mark):
        return _Pen(1.0, 0.0, 2.0, int(between(1, _BAND * short / 2, _SHOWN)))
    width = between(1.5, max(0.026 * short, scene.longer / 800), max(1.5, 0.045 * short))
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
        stroke(canvas, _inset(mark, 0.0), Style(WHITE, BLACK, Line.SOLID), pen.width, pen.casing)
    outside = 0.5 if _tiny(mark) else 0.25
    for place, group in enumerate(mark.groups[: pen.fit]):
        stroke(canvas, _inset(mark, pen.pitch * (place - outside)), style_of(group), pen.width, pen.casing)


def _inset(mark: Mark, distance: float) -> Floats:
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


def _letter(mark: Mark, scene: _Scene) -> float:
    """The height of the letters at a piece, in pixels."""
    short = mark.quad.short_side
    return between(8, max(0.11 * short, scene.longer / 150), max(8, 0.3 * short))


def _top_right(mark: Mark) -> Floats:
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


def _text_at_corner(canvas: Image, text: str, inner: Floats, height: float, room: float) -> None:
    size = text_size(text, height)
    if size[0] > room:
        height = max(8.0, height * room / size[0])
        size = text_size(text, height)
    corner = inner[int(np.argmin(inner.sum(axis=1)))]
    towards = inner.mean(axis=0) - corner
    middle = corner + np.sign(towards) * (min(size[0], size[1] * 1.6) / 2 + 1, size[1] / 2 + 1)
    left = middle[0] - min(size[0], size[1] * 1.6) / 2
    write(canvas, text, (left, middle[1]), height, BLACK, WHITE)


def _badge(canvas: Image, centre: Floats, radius: float) -> None:
    """A yellow disc with a question mark, kept inside the picture."""
    x, y = _dot(canvas, centre, radius)
    height = radius * 1.2
    write(canvas, "?", (x - text_size("?", height)[0] / 2, y), height, BLACK, None)


def _dot(canvas: Image, centre: Floats, radius: float) -> tuple[float, float]:
    """A yellow disc, kept inside the picture; where its centre came to lie."""
    limits = np.array(canvas.shape[1::-1]) - 1 - radius
    x, y = np.clip(centre, radius, np.maximum(limits, radius))
    at = (round(x * 2**SHIFT), round(y * 2**SHIFT))
    cv2.circle(canvas, at, round((radius + max(1.0, radius / 7)) * 2**SHIFT), BLACK, -1, cv2.LINE_AA, SHIFT)
    cv2.circle(canvas, at, round(radius * 2**SHIFT), DOUBT, -1, cv2.LINE_AA, SHIFT)
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
        height = between(8, height * length / (wanted * _step(widest, height)), max(8, 0.85 * height))
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
        chip(canvas, text, centre + inwards * reach * (1 + 2 * row), size, style)


def _lowest_side(mark: Mark) -> tuple[Floats, Floats]:
    """The left and the right end of the piece's lowest side."""
    starts = mark.quad.corners.astype(np.float64)
    ends = np.roll(starts, -1, axis=0)
    lowest = int(np.argmax((starts + ends)[:, 1]))
    left, right = sorted((starts[lowest], ends[lowest]), key=lambda point: float(point[0]))
    return left, right


def _step(text: str, height: float) -> float:
    """The width of a plate with ``text``, and of the gap to the next."""
    return text_size(text, height)[0] + 0.8 * height


def _few(chips: list[tuple[str, Style]], most: int) -> list[tuple[str, Style]]:
    """At most ``most`` chips; the last one says how many more there are."""
    if len(chips) <= most:
        return chips
    return [*chips[: most - 1], (f"+{len(chips) - most + 1}", Style(WHITE, BLACK, Line.SOLID))]
