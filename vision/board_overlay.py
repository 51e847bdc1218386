"""Draws on a copy of the picture what happens on a board: new pieces, SETs in their lines, points, the best turn.

Each SET is a line through its three pieces with its own colour, line style and number, as in :mod:`vision.overlay`.
What is only proposed is drawn as ghosts: pale squares with the symbols that would lie there. Images are (height, width,
3) uint8 in BGR order.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from engine.tokens import Colour, Face, Shape, Tile
from vision.ink import BLACK, DOUBT, SHIFT, WHITE, Floats, Line, Style, between, chip, stroke, style_of, text_size
from vision.label_room import Room
from vision.types import Image, Quad

__all__ = ["BoardDrawing", "Ghost", "LineMark", "Ring", "Tag", "draw_board", "square_on"]


@dataclass(frozen=True, eq=False)
class Ring:
    """A new piece: its quad in pixels, and what is written at its upper corner."""

    quad: Quad
    text: str = ""
    doubtful: bool = False


@dataclass(frozen=True, eq=False)
class LineMark:
    """A SET: the quads of its pieces from one end to the other, its number from 1, and what is written at its middle.

    ``maybe``: it is a SET or none; it is drawn thin and dotted, in black and white.
    """

    quads: tuple[Quad, ...]
    group: int
    text: str
    maybe: bool = False


@dataclass(frozen=True, eq=False)
class Ghost:
    """A piece that is only proposed: the square on which it would lie, in pixels, what it shows, and a text.

    ``face`` is what its symbols are; a Wild shows those of ``named`` and a W.
    """

    quad: Quad
    face: Face
    named: Tile | None = None
    text: str = ""


@dataclass(frozen=True, eq=False)
class Tag:
    """A text at the lower corner of a piece or a square: a bonus."""

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

    ring: float = 0.07
    line: float = 0.085
    thin: float = 0.045
    aside: float = 0.26
    letter: float = 0.27
    total: float = 0.026
    ghost: float = 0.8
    """How much of the square a ghost covers, and how opaque it is."""


_LOOK = _Look()
_PLAIN = Style(WHITE, BLACK, Line.SOLID)
_FAINT = Style(WHITE, BLACK, Line.DASHED)
_MAYBE = Style(WHITE, BLACK, Line.DOTTED)
_BONUS = Style(DOUBT, BLACK, Line.SOLID)
_INKS = {Colour.RED: (40, 40, 205), Colour.GREEN: (60, 140, 20), Colour.PURPLE: (140, 40, 110)}


def draw_board(image: Image, drawing: BoardDrawing) -> Image:
    """Return a copy of ``image``, (height, width, 3) uint8 BGR, with ``drawing`` on it; the size stays."""
    canvas = np.array(image, np.uint8, order="C", copy=True)
    thin = _thin(canvas)
    if drawing.corners is not None:
        stroke(canvas, _points(drawing.corners), _FAINT, max(1.0, thin), max(1.0, thin / 2))
    for ring in drawing.rings:
        width = max(2.0, _LOOK.ring * ring.quad.short_side)
        stroke(canvas, _grown(ring.quad, width), _PLAIN, width, max(1.0, width / 3))
    ends = [_ends(drawing.lines, place) for place in range(len(drawing.lines))]
    for line, pair in zip(drawing.lines, ends, strict=True):
        _line(canvas, line, pair)
    for ghost in drawing.ghosts:  # over the lines, for a ghost is what one looks for
        _ghost(canvas, ghost)
    _labels(canvas, drawing, [pair.mean(axis=0) for pair in ends])
    return canvas


@dataclass(frozen=True, eq=False)
class _Label:
    """A text about a point, near a piece."""

    text: str
    anchor: Floats
    quad: Quad
    style: Style


def _labels(canvas: Image, drawing: BoardDrawing, middles: Sequence[Floats]) -> None:
    """Write every text where there is room for it, the total first."""
    room = Room((canvas.shape[1], canvas.shape[0]))
    for quad in (*drawing.pieces, *(ghost.quad for ghost in drawing.ghosts)):
        room.keep_clear(quad)
    _total(canvas, drawing.total, room)
    labels = [
        _Label(line.text, middle, line.quads[0], _style(line))
        for line, middle in zip(drawing.lines, middles, strict=True)
    ]
    labels += [
        _Label(ring.text + "?" * ring.doubtful, _top(ring.quad), ring.quad, _BONUS if ring.doubtful else _PLAIN)
        for ring in drawing.rings
    ]
    labels += [_Label(ghost.text, _top(ghost.quad), ghost.quad, _PLAIN) for ghost in drawing.ghosts]
    labels += [_Label(tag.text, tag.quad.centre.astype(np.float64), tag.quad, _BONUS) for tag in drawing.tags]
    placed = [(label, _place(room, label, canvas)) for label in labels if label.text]
    for label, middle in placed:
        if float(np.linalg.norm(middle - label.anchor)) > 0.3 * label.quad.short_side:
            stroke(canvas, np.stack([label.anchor, middle]), _leader(label.style), max(1.0, _thin(canvas)), 1.0)
    for label, middle in placed:
        height = _letter(label.quad, canvas)
        chip(canvas, label.text, middle, _size(label.text, height), label.style)


def _leader(style: Style) -> Style:
    return Style(style.colour, style.casing, Line.SOLID)


def _thin(canvas: Image) -> float:
    return float(max(canvas.shape[:2]) / 800)


def _place(room: Room, label: _Label, canvas: Image) -> Floats:
    """Return where a label goes: (2,) pixels."""
    height = _letter(label.quad, canvas)
    return room.place(label.anchor, _size(label.text, height * 1.2), label.quad.short_side)


def _size(text: str, height: float) -> tuple[float, float]:
    """Return width and height in pixels of the plate for a text."""
    return text_size(text, height)[0] + 0.8 * height, 1.5 * height


def _top(quad: Quad) -> Floats:
    """Return the highest corner."""
    corners = _points(quad)
    return np.asarray(corners[int(np.argmin(corners[:, 1]))], np.float64)


def square_on(corners: Quad, rows: int, columns: int, at: tuple[int, int]) -> Quad:
    """Return the square (row, column) of a grid with these ``corners`` in the picture, TL TR BR BL of the board."""
    flat = np.array([(0, 0), (columns, 0), (columns, rows), (0, rows)], np.float32)
    matrix = cv2.getPerspectiveTransform(flat, corners.corners)
    row, column = at
    points = np.array([[(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)]], np.float32)
    return Quad(cv2.perspectiveTransform(points, matrix)[0])


def _points(quad: Quad) -> Floats:
    return quad.corners.astype(np.float64)


def _grown(quad: Quad, distance: float) -> Floats:
    """Return (4, 2) corners, each moved away from the middle by about ``distance`` pixels."""
    centre = quad.centre.astype(np.float64)
    away = _points(quad) - centre
    return centre + away * (1 + 2 * distance / max(1.0, quad.short_side))


def _letter(quad: Quad, canvas: Image) -> float:
    """Return the height in pixels of the letters at a piece."""
    side = quad.short_side
    return between(9, max(_LOOK.letter * side, max(canvas.shape[:2]) / 110), max(9, 0.4 * side))


def _style(line: LineMark) -> Style:
    return _MAYBE if line.maybe else style_of(line.group)


def _ends(lines: Sequence[LineMark], place: int) -> Floats:
    """Return the (2, 2) ends of a line, beside the lines before it that share two of its pieces."""
    line = lines[place]
    middles = [quad.centre.astype(np.float64) for quad in line.quads]
    earlier = sum(_shared(line, other) >= 2 for other in lines[:place])
    along = middles[-1] - middles[0]
    aside = np.array([-along[1], along[0]]) / max(1e-9, float(np.linalg.norm(along)))
    step = _LOOK.aside * line.quads[0].short_side * ((earlier + 1) // 2) * (-1 if earlier % 2 else 1)
    return np.stack([middles[0], middles[-1]]) + aside * step


def _shared(line: LineMark, other: LineMark) -> int:
    mine = {tuple(quad.centre.tolist()) for quad in line.quads}
    return len(mine & {tuple(quad.centre.tolist()) for quad in other.quads})


def _line(canvas: Image, line: LineMark, ends: Floats) -> None:
    side = line.quads[0].short_side
    width = max(1.5, (_LOOK.thin if line.maybe else _LOOK.line) * side)
    stroke(canvas, ends, _style(line), width, max(1.0, width / 3))
    for end in ends:
        _dot(canvas, end, width * 1.4, _style(line))


def _dot(canvas: Image, centre: Floats, radius: float, style: Style) -> None:
    at = (round(float(centre[0]) * 2**SHIFT), round(float(centre[1]) * 2**SHIFT))
    for size, colour in ((radius * 1.35 + 0.5, style.casing), (radius, style.colour)):
        cv2.circle(canvas, at, round(size * 2**SHIFT), colour, -1, cv2.LINE_AA, SHIFT)


def _total(canvas: Image, text: str, room: Room) -> None:
    """Write the total in the upper left corner of the picture."""
    if not text:
        return
    height = max(12.0, _LOOK.total * max(canvas.shape[:2]))
    width, tall = _size(text, height)
    middle = np.array([width / 2 + height / 2, tall / 2 + height / 2])
    room.place(middle, (width + height, tall + height), 0.0)
    chip(canvas, text, middle, (width, tall), _PLAIN)


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
