"""Draws on a copy of the picture what happens on a board: new pieces, SETs in their lines, points, the best turn.

Each SET is an outline round its three pieces, along their edges where no symbol is, with its own colour, line style and
label, as in :mod:`vision.overlay`. The order in which pieces were laid stands in round badges. What is only proposed is
drawn as ghosts: pale squares with the symbols that would lie there. Images are (height, width, 3) uint8 in BGR order.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np

from engine.tokens import Colour, Face, Shape, Tile
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
from vision.label_room import Room
from vision.types import Image, Quad

__all__ = ["BoardDrawing", "Ghost", "LineMark", "Ring", "Tag", "draw_board", "square_on"]


@dataclass(frozen=True, eq=False)
class Ring:
    """A piece that is new or has changed: its quad in pixels, its place in the order of the turn, and a text.

    ``order`` counts from 1 and stands in a round badge at a corner; None where there is no order. ``wrong``: because of
    it the turn does not stand.
    """

    quad: Quad
    text: str = ""
    doubtful: bool = False
    order: int | None = None
    wrong: bool = False


@dataclass(frozen=True, eq=False)
class LineMark:
    """A SET: the quads of its pieces from one end to the other, its number from 1, and what is written beside it.

    ``maybe``: it is a SET or none; it is drawn thin and dotted, in black and white.
    """

    quads: tuple[Quad, ...]
    group: int
    text: str
    maybe: bool = False


@dataclass(frozen=True, eq=False)
class Ghost:
    """A piece that is only proposed: the square on which it would lie, in pixels, what it shows, and its order.

    ``face`` is what its symbols are; a Wild shows those of ``named`` and a W. ``order`` is as that of a ring.
    """

    quad: Quad
    face: Face
    named: Tile | None = None
    order: int | None = None


@dataclass(frozen=True, eq=False)
class Tag:
    """A text beside a piece or a square: a bonus."""

    quad: Quad
    text: str


@dataclass(frozen=True, eq=False)
class BoardDrawing:
    """All that is drawn on one picture of a board; ``corners`` are those of its grid, ``total`` goes to a corner.

    ``pieces`` are the quads of all pieces, which the labels keep clear of.
    """

    corners: Quad | None = None
    rings: tuple[Ring, ...] = ()
    lines: tuple[LineMark, ...] = ()
    tags: tuple[Tag, ...] = ()
    ghosts: tuple[Ghost, ...] = ()
    total: str = ""
    pieces: tuple[Quad, ...] = ()


@dataclass(frozen=True)
class _Look:
    """Lengths as parts of a piece's side or of the picture's longer side, and colours."""

    ring: float = 0.06
    wrong: float = 0.1
    line: float = 0.055
    thin: float = 0.035
    levels: tuple[float, ...] = (-0.045, 0.07, -0.13, 0.16)
    """How far outlines lie outside the edges of pieces; SETs that share some have different ones."""
    upright: float = 0.9
    """The least cosine of the angle between a row of pieces and their sides."""
    badge: float = 0.2
    """The radius of a badge."""
    letter: float = 0.27
    total: float = 0.026
    ghost: float = 0.8
    """How much of the square a ghost covers, and how opaque it is."""


_LOOK = _Look()
_PLAIN = Style(WHITE, BLACK, Line.SOLID)
_FAINT = Style(WHITE, BLACK, Line.DASHED)
_MAYBE = Style(WHITE, BLACK, Line.DOTTED)
_WRONG = Style((40, 40, 230), WHITE, Line.SOLID)
_BADGE = Style(BLACK, WHITE, Line.SOLID)
_BONUS = Style(DOUBT, BLACK, Line.SOLID)
_INKS = {Colour.RED: (40, 40, 205), Colour.GREEN: (60, 140, 20), Colour.PURPLE: (140, 40, 110)}


def draw_board(image: Image, drawing: BoardDrawing) -> Image:
    """Return a copy of ``image``, (height, width, 3) uint8 BGR, with ``drawing`` on it; the size stays."""
    canvas = np.array(image, np.uint8, order="C", copy=True)
    thin = _thin(canvas)
    if drawing.corners is not None:
        stroke(canvas, _points(drawing.corners), _FAINT, max(1.0, thin), max(1.0, thin / 2))
    for ring in drawing.rings:
        width = max(2.0, (_LOOK.wrong if ring.wrong else _LOOK.ring) * ring.quad.short_side)
        style = _WRONG if ring.wrong else _PLAIN
        stroke(canvas, _offset(_points(ring.quad), width), style, width, max(1.0, width / 3))
    levels = _levels(drawing.lines)
    shapes = [_shapes(line, level) for line, level in zip(drawing.lines, levels, strict=True)]
    for line, parts in zip(drawing.lines, shapes, strict=True):
        width = max(1.5, (_LOOK.thin if line.maybe else _LOOK.line) * _side(line))
        for part in parts:
            stroke(canvas, part, _style(line), width, max(1.0, width / 3))
    for ghost in drawing.ghosts:  # over the lines, for a ghost is what one looks for
        _ghost(canvas, ghost)
    _labels(canvas, drawing, [np.concatenate([part for part in parts if len(part) > 2]) for parts in shapes])
    return canvas


@dataclass(frozen=True, eq=False)
class _Label:
    """A text about an outline, (n, 2) pixels, of or round a piece."""

    text: str
    outline: Floats
    quad: Quad
    style: Style


def _labels(canvas: Image, drawing: BoardDrawing, outlines: Sequence[Floats]) -> None:
    """Write everything where there is room for it: the total first, then badges at their pieces, then texts."""
    room = Room((canvas.shape[1], canvas.shape[0]))
    for quad in (*drawing.pieces, *(ghost.quad for ghost in drawing.ghosts)):
        room.keep_clear(quad)
    _total(canvas, drawing.total, room)
    numbered: list[Ring | Ghost] = [*drawing.rings, *drawing.ghosts]
    badges = [(one, _badge_place(room, one.quad, canvas)) for one in numbered if one.order is not None]
    placed = [(label, *_place(room, label, canvas)) for label in _texts(drawing, outlines) if label.text]
    for label, start, middle in placed:
        if float(np.linalg.norm(middle - start)) > 0.2 * label.quad.short_side:
            stroke(canvas, np.stack([start, middle]), _leader(label.style), max(1.0, _thin(canvas)), 1.0)
    for label, _, middle in placed:
        chip(canvas, label.text, middle, _size(label.text, _letter(label.quad, canvas)), label.style)
    for one, middle in badges:
        _badge(canvas, one, middle)


def _texts(drawing: BoardDrawing, outlines: Sequence[Floats]) -> list[_Label]:
    """Return all labels but for badges and the total."""
    labels = [
        _Label(line.text, outline, line.quads[0], _style(line))
        for line, outline in zip(drawing.lines, outlines, strict=True)
    ]
    for ring in drawing.rings:
        doubt = "?" if ring.doubtful and ring.order is None else ""
        text = (ring.text or ("no" if ring.wrong else "")) + doubt
        labels.append(_Label(text, _points(ring.quad), ring.quad, _BONUS if ring.doubtful else _PLAIN))
    return labels + [_Label(tag.text, _points(tag.quad), tag.quad, _BONUS) for tag in drawing.tags]


def _leader(style: Style) -> Style:
    return Style(style.colour, style.casing, Line.SOLID)


def _thin(canvas: Image) -> float:
    return float(max(canvas.shape[:2]) / 800)


def _place(room: Room, label: _Label, canvas: Image) -> tuple[Floats, Floats]:
    """Return the point of its outline that a label is nearest to, and where it goes: (2,) pixels each."""
    height = _letter(label.quad, canvas)
    points = np.concatenate([label.outline, (label.outline + np.roll(label.outline, -1, axis=0)) / 2])
    middle = room.place(points, _size(label.text, height * 1.2), label.quad.short_side)
    return np.asarray(points[np.linalg.norm(points - middle, axis=1).argmin()], np.float64), middle


def _badge_radius(quad: Quad, canvas: Image) -> float:
    return max(_LOOK.badge * quad.short_side, 0.8 * _letter(quad, canvas), 7.0)


def _badge_place(room: Room, quad: Quad, canvas: Image) -> Floats:
    """Return the middle of a badge, at the corner of a piece that has most room."""
    radius = _badge_radius(quad, canvas)
    return room.place(_offset(_points(quad), 0.3 * radius), (2 * radius, 2 * radius), 0.0)


def _badge(canvas: Image, one: Ring | Ghost, middle: Floats) -> None:
    """Draw a round badge with the place of a piece in the order of the turn, yellow where that is in doubt."""
    doubtful = isinstance(one, Ring) and one.doubtful
    style, text = _BONUS if doubtful else _BADGE, f"{one.order}{'?' * doubtful}"
    radius = _badge_radius(one.quad, canvas)
    _dot(canvas, middle, radius, style)
    height = radius * (0.8 if doubtful else 1.1)
    write(
        canvas, text, (float(middle[0]) - text_size(text, height)[0] / 2, float(middle[1])), height, style.casing, None
    )


def _size(text: str, height: float) -> tuple[float, float]:
    """Return width and height in pixels of the plate for a text."""
    return text_size(text, height)[0] + 0.8 * height, 1.5 * height


def square_on(corners: Quad, rows: int, columns: int, at: tuple[int, int]) -> Quad:
    """Return the square (row, column) of a grid with these ``corners`` in the picture, TL TR BR BL of the board."""
    flat = np.array([(0, 0), (columns, 0), (columns, rows), (0, rows)], np.float32)
    matrix = cv2.getPerspectiveTransform(flat, corners.corners)
    row, column = at
    points = np.array([[(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)]], np.float32)
    return Quad(cv2.perspectiveTransform(points, matrix)[0])


def _points(quad: Quad) -> Floats:
    return quad.corners.astype(np.float64)


def _offset(corners: Floats, distance: float) -> Floats:
    """Return the (4, 2) corners of a quadrangle whose sides lie ``distance`` pixels outside those of ``corners``."""
    sides = np.roll(corners, -1, axis=0) - corners
    outward = np.column_stack([sides[:, 1], -sides[:, 0]]) / np.maximum(np.linalg.norm(sides, axis=1), 1e-9)[:, None]
    levels = (outward * corners).sum(axis=1) + distance
    before, values = np.roll(outward, 1, axis=0), np.roll(levels, 1)
    cross = before[:, 0] * outward[:, 1] - before[:, 1] * outward[:, 0]
    moved = np.column_stack(
        [values * outward[:, 1] - levels * before[:, 1], levels * before[:, 0] - values * outward[:, 0]]
    )
    flat = np.abs(cross) < 0.1  # two sides in one line
    return np.where(flat[:, None], corners + distance * outward, moved / np.where(flat, 1.0, cross)[:, None])


def _letter(quad: Quad, canvas: Image) -> float:
    """Return the height in pixels of the letters at a piece."""
    side = quad.short_side
    return between(9, max(_LOOK.letter * side, max(canvas.shape[:2]) / 110), max(9, 0.4 * side))


def _style(line: LineMark) -> Style:
    return _MAYBE if line.maybe else style_of(line.group)


def _levels(lines: Sequence[LineMark]) -> list[int]:
    """Return for each SET the first level that no SET before it has whose outline would run upon its own."""
    levels: list[int] = []
    for place, line in enumerate(lines):
        taken = {levels[number] for number, other in enumerate(lines[:place]) if _meet(line, other)}
        levels.append(next(level for level in range(place + 1) if level not in taken))
    return levels


def _meet(line: LineMark, other: LineMark) -> bool:
    """Whether two SETs have pieces in common and run the same way, or one of them in a diagonal."""
    mine, theirs = ({tuple(quad.centre.tolist()) for quad in one.quads} for one in (line, other))
    if not mine & theirs:
        return False
    first, second = (_along(one) for one in (line, other))
    return _leans(line) or _leans(other) or abs(float(first @ second)) > _LOOK.upright


def _along(line: LineMark) -> Floats:
    """Return the (2,) direction from the first piece of a SET to its last, of length 1."""
    way = (line.quads[-1].centre - line.quads[0].centre).astype(np.float64)
    return np.asarray(way / max(1e-9, float(np.linalg.norm(way))), np.float64)


def _shapes(line: LineMark, level: int) -> list[Floats]:
    """Return the outlines (4, 2) and lines (2, 2) that are a SET at one of the levels.

    Pieces side by side have one outline; pieces in a diagonal have one each, joined at their corners.
    """
    out = _LOOK.levels[level % len(_LOOK.levels)] * _side(line)
    if not _leans(line):
        return [_offset(_hull(_points(line.quads[0]), _points(line.quads[-1])), out)]
    outlines = [_offset(_points(quad), out) for quad in line.quads]
    return [*outlines, *(_nearest(first, second) for first, second in pairwise(outlines))]


def _leans(line: LineMark) -> bool:
    """Whether the pieces of a SET lie in a diagonal: neither across nor down from each other."""
    sides = np.roll(_points(line.quads[0]), -1, axis=0) - _points(line.quads[0])
    turned = np.abs(sides @ _along(line)) / np.maximum(np.linalg.norm(sides, axis=1), 1e-9)
    return bool(turned.max() < _LOOK.upright)


def _nearest(first: Floats, second: Floats) -> Floats:
    """Return the (2, 2) corner of one outline and that of another which are nearest to each other."""
    apart = np.linalg.norm(first[:, None] - second[None], axis=2)
    one, other = np.unravel_index(int(apart.argmin()), apart.shape)
    return np.stack([first[one], second[other]])


def _hull(first: Floats, last: Floats) -> Floats:
    """Return the (4, 2) corners round a row of pieces from those of its ends: two of each, clockwise."""
    along = last.mean(axis=0) - first.mean(axis=0)
    across = np.array([-along[1], along[0]])
    start = first[np.argsort(first @ along, kind="stable")[:2]]
    end = last[np.argsort(last @ along, kind="stable")[2:]]
    start, end = start[np.argsort(-start @ across)], end[np.argsort(end @ across)]
    return np.asarray(np.concatenate([start, end]), np.float64)


def _side(line: LineMark) -> float:
    return float(np.mean([quad.short_side for quad in line.quads]))


def _dot(canvas: Image, centre: Floats, radius: float, style: Style) -> None:
    at = (round(float(centre[0]) * 2**SHIFT), round(float(centre[1]) * 2**SHIFT))
    for size, colour in ((radius * 1.35 + 0.5, style.casing), (radius, style.colour)):
        cv2.circle(canvas, at, round(size * 2**SHIFT), colour, -1, cv2.LINE_AA, SHIFT)


def _total(canvas: Image, text: str, room: Room) -> None:
    """Write the total in the upper left corner of the picture, in as many lines as it takes."""
    if not text:
        return
    height = max(12.0, _LOOK.total * max(canvas.shape[:2]))
    lines = _wrapped(text, height, canvas.shape[1] - height)
    width, tall = max(_size(line, height)[0] for line in lines), _size("", height)[1]
    corner = np.array([height / 2, height / 2])
    room.place(corner + (width / 2, tall * len(lines) / 2), (width + height, tall * len(lines) + height), 0.0)
    for number, line in enumerate(lines):
        wide = _size(line, height)[0]
        chip(canvas, line, corner + (wide / 2, tall * (number + 0.5)), (wide, tall), _PLAIN)


def _wrapped(text: str, height: float, width: float) -> list[str]:
    """Return a ``text`` as lines no wider than ``width`` pixels with their plates, as far as its words allow that."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and _size(longer, height)[0] <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


# Ghosts.


def _ghost(canvas: Image, ghost: Ghost) -> None:
    """Draw a pale square with the symbols of a face, in the perspective of the board."""
    flat = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float32)
    matrix: Floats = np.asarray(cv2.getPerspectiveTransform(flat, ghost.quad.corners), np.float64)
    body = _mapped(flat.astype(np.float64) * _LOOK.ghost, matrix)
    pale = canvas.copy()
    _fill(pale, body, WHITE)
    cv2.addWeighted(pale, _LOOK.ghost, canvas, 1 - _LOOK.ghost, 0, canvas)
    tile = ghost.named if ghost.face.tile is None else ghost.face.tile
    if tile is not None:
        for symbol in _symbols(tile):
            _fill(canvas, _mapped(symbol * 0.7, matrix), _INKS[tile.colour])
    width = max(1.0, 0.03 * ghost.quad.short_side)
    stroke(canvas, body, _FAINT, width, max(1.0, width / 2))
    if ghost.face.is_wild:
        height = 0.7 * _letter(ghost.quad, canvas)
        chip(canvas, "W", (body[2] + body[3]) / 2, _size("W", height), _PLAIN)


def _mapped(points: Floats, matrix: Floats) -> Floats:
    found = cv2.perspectiveTransform(points[None].astype(np.float64), matrix)
    return np.asarray(found[0], np.float64)


def _fill(canvas: Image, points: Floats, colour: tuple[int, int, int]) -> None:
    fixed = np.rint(np.clip(points, -1e5, 1e5) * 2**SHIFT).astype(np.int32)
    cv2.fillPoly(canvas, [fixed], colour, cv2.LINE_AA, SHIFT)


def _symbols(tile: Tile) -> Iterator[Floats]:
    """Yield the outlines of the symbols of a tile, (n, 2) in -1..1, x to the right and y down."""
    count = tile.number.value + 1
    outline = _OUTLINES[tile.shape]
    for place in range(count):
        yield outline * (0.27, 0.85) + ((place - (count - 1) / 2) * 0.68, 0)


def _wave() -> Floats:
    """Return the outline of a squiggle: a wave with round ends."""
    steps = np.linspace(-1, 1, 24)
    sway = 0.4 * np.sin(steps * math.pi)
    half = 0.62 * np.sqrt(1 - np.abs(steps) ** 4)
    right, left = np.column_stack([sway + half, steps]), np.column_stack([sway - half, steps])
    return np.concatenate([right, left[::-1]])


_ANGLES = np.linspace(0, 2 * math.pi, 40, endpoint=False)
_OVAL: Floats = np.column_stack([np.cos(_ANGLES), np.sin(_ANGLES)])
_DIAMOND: Floats = np.array([(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)])
_OUTLINES = {Shape.OVAL: _OVAL, Shape.DIAMOND: _DIAMOND, Shape.RECTANGLE: _DIAMOND, Shape.SQUIGGLE: _wave()}
