"""Things on a table that are no readable piece: card backs, boxes, papers, phones, coasters, other games' cards.

Every design is made up from random numbers. Sizes are millimetres.
"""

from __future__ import annotations

from collections.abc import Callable
from colorsys import hsv_to_rgb
from enum import StrEnum

import numpy as np

from datasets.canvas import Art, Bgr, Canvas, Points, cloud, down, jittered
from datasets.symbols import SymbolSize, outline
from engine.tokens import Shape
from vision.types import Deck

__all__ = ["Distractor", "draw_back", "draw_distractor"]

_Pair = tuple[float, float]

_WHITES: tuple[Bgr, ...] = ((252, 252, 252), (240, 246, 250), (232, 234, 236), (222, 236, 244))
_DARK: Bgr = (34, 32, 32)
_WORDS = ("SALE", "Menu", "NOTES", "Thank you", "No. 42", "Open", "INVOICE", "Hello", "A1", "Sunday", "RULES", "Tea")


class Distractor(StrEnum):
    """What sort of thing lies about."""

    BLANK_CARD = "blank card"
    PLAYING_CARD = "playing card"
    BUSINESS_CARD = "business card"
    SHEET = "sheet"
    STICKY_NOTE = "sticky note"
    ENVELOPE = "envelope"
    BOX = "box"
    PHONE = "phone"
    COASTER = "coaster"
    PEN = "pen"
    LEAFLET = "leaflet"
    COIN = "coin"
    LABEL = "label"


def draw_back(rng: np.random.Generator, pixels_per_mm: float = 4.0, size_mm: tuple[float, float] | None = None) -> Art:
    """Return the back of a face-down card of ``size_mm`` (by default a usual one): plain, patterned or lettered.

    :raises ArtSizeError: ``pixels_per_mm`` leaves fewer than 4 pixels a side.
    """
    if size_mm is None:
        width = rng.uniform(55.5, 60)
        size_mm = (width, width * rng.uniform(1.50, 1.58))
    first, second = _colour(rng), _colour(rng)
    bordered = bool(rng.random() < 0.6)
    canvas = Canvas(size_mm, pixels_per_mm, _white(rng) if bordered else first)
    edge = rng.uniform(2.0, 6.0) if bordered else 0.0
    inner = (size_mm[0] - 2 * edge, size_mm[1] - 2 * edge)
    canvas.rectangle((edge, edge), inner, first)
    _PATTERNS[rng.integers(len(_PATTERNS))](canvas, rng, (edge, edge), inner, second)
    if rng.random() < 0.45:
        _back_title(canvas, rng)
    _grain(canvas, rng)
    return canvas.finish(rng.uniform(2.5, 5.0))


def draw_distractor(rng: np.random.Generator, pixels_per_mm: float = 4.0, kind: Distractor | None = None) -> Art:
    """Return something of ``kind``, or of a random kind when None; its alpha shows its outline.

    :raises ArtSizeError: ``pixels_per_mm`` leaves fewer than 4 pixels a side.
    """
    kinds = list(Distractor)
    return _DRAWERS[kinds[rng.integers(len(kinds))] if kind is None else kind](rng, pixels_per_mm)


def _colour(rng: np.random.Generator) -> Bgr:
    """Return any hue, more often dull than glaring, from dark to light."""
    red, green, blue = hsv_to_rgb(rng.random(), rng.beta(1.3, 1.3), rng.uniform(0.15, 0.97))
    return jittered(rng, (255 * blue, 255 * green, 255 * red), 2)


def _white(rng: np.random.Generator) -> Bgr:
    return jittered(rng, _WHITES[rng.integers(len(_WHITES))], 3)


def _word(rng: np.random.Generator) -> str:
    return str(rng.choice(np.array(_WORDS)))


def _grain(canvas: Canvas, rng: np.random.Generator, strength: float = 2.0) -> None:
    canvas.pixels += (cloud(rng, canvas.shape, 4) * np.float32(strength))[:, :, None]


def _stripe_pattern(canvas: Canvas, rng: np.random.Generator, corner: _Pair, size: _Pair, colour: Bgr) -> None:
    step = rng.uniform(2, 7)
    upright = bool(rng.random() < 0.5)
    for place in np.arange(0, size[0 if upright else 1] - step / 2, step):
        at = (corner[0] + place, corner[1]) if upright else (corner[0], corner[1] + place)
        canvas.rectangle(at, (step / 2, size[1]) if upright else (size[0], step / 2), colour)


def _dot_pattern(canvas: Canvas, rng: np.random.Generator, corner: _Pair, size: _Pair, colour: Bgr) -> None:
    step = rng.uniform(5, 11)
    radius = step * rng.uniform(0.15, 0.4)
    lozenge = bool(rng.random() < 0.5)
    for x in np.arange(step / 2, size[0] - radius, step):
        for y in np.arange(step / 2, size[1] - radius, step):
            centre = np.array([corner[0] + x, corner[1] + y])
            if lozenge:
                canvas.polygon(centre + radius * np.array([[0, -1], [1, 0], [0, 1], [-1, 0]]), colour)
            else:
                canvas.disc(centre, radius, colour)


def _lattice_pattern(canvas: Canvas, rng: np.random.Generator, corner: _Pair, size: _Pair, colour: Bgr) -> None:
    step, width = rng.uniform(4, 9), rng.uniform(0.4, 1.2)
    low, (wide, tall) = np.array(corner), size
    for place in np.arange(-tall, wide, step):
        for sign in (1, -1):
            start = max(place, 0.0)
            stop = min(place + tall, wide)
            along = np.array([[start, start - place], [stop, stop - place]])
            if sign < 0:
                along[:, 1] = tall - along[:, 1]
            canvas.stroke(low + along, width, colour)


def _plain_pattern(canvas: Canvas, rng: np.random.Generator, corner: _Pair, size: _Pair, colour: Bgr) -> None:
    if rng.random() < 0.5:
        inner = rng.uniform(2, 6)
        canvas.rectangle((corner[0] + inner, corner[1] + inner), (size[0] - 2 * inner, size[1] - 2 * inner), colour)


_Pattern = Callable[[Canvas, np.random.Generator, _Pair, _Pair, Bgr], None]
_PATTERNS: tuple[_Pattern, ...] = (_stripe_pattern, _dot_pattern, _lattice_pattern, _plain_pattern)


def _back_title(canvas: Canvas, rng: np.random.Generator) -> None:
    """Write big letters, upright or along the card, sometimes on a plate, sometimes each in its own colour."""
    width = canvas.size_mm[0]
    turn = float(rng.choice([0.0, 90.0, -60.0]))
    if rng.random() < 0.5:
        plate = outline(Shape.OVAL, Deck.RAVENSBURGER, SymbolSize(0.8 * width, 0.36 * width, 0))
        canvas.polygon(plate[:, ::-1] + canvas.centre if turn else plate + canvas.centre, _white(rng))
    word = str(rng.choice(np.array(["SET", "TRIO", "GAME", "Play", "III"])))
    step = 0.2 * width * np.array([np.cos(np.radians(turn)), -np.sin(np.radians(turn))])
    single = _colour(rng)
    for index, letter in enumerate(word):
        place = canvas.centre + step * (index - (len(word) - 1) / 2)
        ink = single if rng.random() < 0.5 else _colour(rng)
        canvas.text(letter, place, rng.uniform(0.26, 0.32) * width, ink, bold=True, turn=turn)


def _lines(canvas: Canvas, rng: np.random.Generator, corner: _Pair, size: _Pair, pitch: float) -> None:
    """Print rows of dashes of the length of words."""
    ink = jittered(rng, rng.uniform(20, 120, 3), 5)
    for y in np.arange(corner[1], corner[1] + size[1], pitch):
        x, stop = corner[0], corner[0] + size[0] * (1.0 if rng.random() < 0.8 else rng.uniform(0.3, 0.9))
        while x < stop:
            length = min(rng.uniform(0.6, 3.2) * pitch, stop - x)
            canvas.rectangle((x, y), (length, 0.42 * pitch), ink, 0.75)
            x += length + 0.4 * pitch


def _blank_card(rng: np.random.Generator, scale: float) -> Art:
    width = rng.uniform(54, 64)
    canvas = Canvas((width, width * rng.uniform(1.35, 1.6)), scale, _white(rng))
    _grain(canvas, rng)
    return canvas.finish(rng.uniform(0, 5))


def _pip(suit: int) -> Points:
    """Return the closed polygon of a suit, about 1 wide, around (0, 0): heart, diamond, spade, club."""
    turn = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    heights = -13 * np.cos(turn) + 5 * np.cos(2 * turn) + 2 * np.cos(3 * turn) + np.cos(4 * turn)
    heart = np.stack([16 * np.sin(turn) ** 3, heights], axis=1)
    if suit == 0:
        return np.asarray(heart / 34)
    if suit == 1:
        return np.array([[0, -0.62], [0.45, 0], [0, 0.62], [-0.45, 0]])
    if suit == 2:
        return np.asarray(heart * [1, -1] / 34)
    radius = 0.3 + 0.2 * np.cos(3 * turn)
    return np.stack([radius * np.sin(turn), -radius * np.cos(turn)], axis=1)


def _playing_card(rng: np.random.Generator, scale: float) -> Art:
    canvas = Canvas((63, 88) if rng.random() < 0.6 else (57, 88), scale, _white(rng))
    suit, rank = int(rng.integers(4)), int(rng.integers(1, 14))
    ink = jittered(rng, (40, 30, 200) if suit < 2 else _DARK, 10)
    width, height = canvas.size_mm
    label = {1: "A", 11: "J", 12: "Q", 13: "K"}.get(rank, str(rank))
    for sign in (1, -1):
        corner = canvas.centre - sign * (canvas.centre - [5.5, 8])
        canvas.text(label, corner, 9, ink, bold=True, turn=0 if sign > 0 else 180)
        canvas.polygon(sign * 4.5 * _pip(suit) + corner + down(sign * 8), ink)
        _stem(canvas, suit, corner + down(sign * 8), sign * 4.5, ink)
    if rank > 10:
        canvas.rectangle((11, 11), (width - 22, height - 22), _colour(rng), 0.5)
        canvas.text(label, canvas.centre, 40, ink, bold=True)
        return canvas.finish(3.5)
    size = 22.0 if rank == 1 else 10.0
    for x, y in _pip_places(rank):
        place, sign = np.array([x * width, y * height]), 1 if y <= 0.5 else -1
        canvas.polygon(sign * size * _pip(suit) + place, ink)
        _stem(canvas, suit, place, sign * size, ink)
    return canvas.finish(3.5)


def _stem(canvas: Canvas, suit: int, place: Points, size: float, ink: Bgr) -> None:
    if suit >= 2:
        canvas.polygon(place + size * np.array([[0, 0.1], [0.14, 0.52], [-0.14, 0.52]]), ink)


def _pip_places(rank: int) -> list[tuple[float, float]]:
    """Return the places of ``rank`` pips as shares of width and height: two columns, the odd one in the middle."""
    rows = rank // 2
    heights = np.linspace(0.2, 0.8, rows).tolist() if rows > 1 else [0.25] * rows
    pairs = [(x, float(y)) for y in heights for x in (0.32, 0.68)]
    return pairs + ([(0.5, 0.5)] if rank % 2 else [])


def _business_card(rng: np.random.Generator, scale: float) -> Art:
    width, height = rng.uniform(84, 90), rng.uniform(50, 56)
    canvas = Canvas((width, height), scale, _white(rng) if rng.random() < 0.7 else _colour(rng))
    canvas.text(_word(rng), (width * rng.uniform(0.4, 0.6), height * 0.3), rng.uniform(6, 14), _colour(rng), bold=True)
    room = (width * rng.uniform(0.3, 0.7), height * 0.35)
    _lines(canvas, rng, (width * 0.1, height * 0.55), room, rng.uniform(2, 3.5))
    if rng.random() < 0.6:
        canvas.disc((width * 0.85, height * rng.uniform(0.3, 0.7)), rng.uniform(3, 7), _colour(rng))
    return canvas.finish(rng.uniform(0, 3))


def _sheet(rng: np.random.Generator, scale: float) -> Art:
    size = (148.0, 210.0) if rng.random() < 0.4 else (rng.uniform(70, 150), rng.uniform(90, 200))
    canvas = Canvas(size, scale, _white(rng))
    width, height = size
    pitch = rng.uniform(4, 9)
    if rng.random() < 0.4:
        for y in np.arange(pitch * 2, height - pitch, pitch):
            canvas.stroke(np.array([[0, y], [width, y]]), 0.3, (210, 180, 150))
    else:
        canvas.text(_word(rng), (width / 2, height * 0.1), rng.uniform(8, 16), _DARK, bold=True)
        _lines(canvas, rng, (width * 0.1, height * 0.2), (width * 0.8, height * 0.7), pitch)
    _grain(canvas, rng, 4)
    return canvas.finish(0)


def _sticky_note(rng: np.random.Generator, scale: float) -> Art:
    side = rng.uniform(48, 78)
    papers: list[Bgr] = [(120, 240, 252), (190, 160, 252), (240, 220, 150), (150, 240, 170), (110, 180, 252)]
    canvas = Canvas((side, side * rng.uniform(0.95, 1.05)), scale, jittered(rng, papers[rng.integers(5)], 8))
    for y in np.arange(0.2, rng.uniform(0.3, 0.9), 0.17):
        _scribble(canvas, rng, (0.1 * side, y * side), rng.uniform(0.3, 0.8) * side)
    _grain(canvas, rng, 4)
    return canvas.finish(0)


def _scribble(canvas: Canvas, rng: np.random.Generator, start: tuple[float, float], length: float) -> None:
    """Write a line by hand."""
    x = np.linspace(0, length, max(8, int(length)))
    y = 1.6 * np.sin(x * rng.uniform(1.2, 1.8) + 2 * np.sin(x * 0.7)) * rng.uniform(0.5, 1, x.size)
    line = np.stack([start[0] + x, start[1] + y], axis=1)
    canvas.stroke(line, rng.uniform(0.4, 0.9), jittered(rng, (90, 40, 30), 30))


def _envelope(rng: np.random.Generator, scale: float) -> Art:
    width, height = rng.uniform(150, 200), rng.uniform(90, 125)
    paper = jittered(rng, [(250, 250, 250), (190, 220, 235), (150, 190, 215)][rng.integers(3)], 5)
    canvas = Canvas((width, height), scale, paper)
    shade = jittered(rng, np.array(paper) * 0.82, 2)
    if rng.random() < 0.5:
        flap = np.array([[0, 0], [width / 2, height * rng.uniform(0.4, 0.6)], [width, 0]])
        canvas.polygon(flap, np.array(paper) * 0.96)
        canvas.stroke(flap, 0.7, shade)
    else:
        canvas.rectangle((width - 30, 8), (20, 24), _colour(rng))
        _lines(canvas, rng, (width * 0.4, height * 0.5), (width * 0.35, height * 0.3), 6)
    return canvas.finish(0.5)


def _box(rng: np.random.Generator, scale: float) -> Art:
    width, height = rng.uniform(60, 150), rng.uniform(70, 190)
    canvas = Canvas((width, height), scale, _colour(rng))
    if rng.random() < 0.7:
        canvas.rectangle((0, height * rng.uniform(0.1, 0.6)), (width, height * rng.uniform(0.1, 0.4)), _colour(rng))
    words = str(rng.choice(np.array(["SET", "Quick!", "TEA", "42 cards", "MEMORY", "Match"])))
    middle = (width / 2, height * rng.uniform(0.2, 0.7))
    canvas.text(words, middle, rng.uniform(0.15, 0.3) * width, _colour(rng), bold=True)
    if rng.random() < 0.5:
        _shapes(canvas, rng, int(rng.integers(1, 6)), rng.uniform(0.12, 0.3) * width)
    _grain(canvas, rng, 5)
    return canvas.finish(rng.uniform(0, 4))


def _shapes(canvas: Canvas, rng: np.random.Generator, count: int, width: float) -> None:
    """Scatter coloured symbols, turned any way, that belong to no piece."""
    for _ in range(count):
        shape = list(Shape)[rng.integers(4)]
        turn = rng.uniform(0, np.pi)
        swing = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        points = outline(shape, Deck.US, SymbolSize(width, width * rng.uniform(0.4, 0.6), 0)) @ swing
        place = np.array([rng.uniform(0.15, 0.85), rng.uniform(0.15, 0.85)]) * canvas.size_mm
        canvas.polygon(points + place, _colour(rng))


def _phone(rng: np.random.Generator, scale: float) -> Art:
    width = rng.uniform(66, 78)
    height = width * rng.uniform(1.9, 2.15)
    canvas = Canvas((width, height), scale, jittered(rng, rng.uniform(10, 60, 3), 3))
    edge = rng.uniform(2, 5)
    top = edge if rng.random() < 0.7 else rng.uniform(10, 16)
    lit = _colour(rng) if rng.random() < 0.8 else jittered(rng, (18, 16, 16), 3)
    canvas.rectangle((edge, top), (width - 2 * edge, height - 2 * top), lit)
    if rng.random() < 0.6:
        for row in range(int(rng.integers(2, 6))):
            for column in range(4):
                corner = (edge + 4 + column * (width - 2 * edge - 4) / 4, top + 8 + row * 18)
                canvas.rectangle(corner, (10, 10), _colour(rng))
    return canvas.finish(rng.uniform(6, 11))


def _coaster(rng: np.random.Generator, scale: float) -> Art:
    radius = rng.uniform(42, 53)
    canvas = Canvas((2 * radius, 2 * radius), scale, _colour(rng))
    for share in sorted(rng.uniform(0.3, 0.95, int(rng.integers(1, 4))), reverse=True):
        canvas.disc(canvas.centre, share * radius, _colour(rng))
    canvas.text(_word(rng), canvas.centre, 0.35 * radius, _colour(rng), bold=True, turn=float(rng.uniform(0, 360)))
    return canvas.finish(radius if rng.random() < 0.7 else rng.uniform(2, 10))


def _coin(rng: np.random.Generator, scale: float) -> Art:
    metal = jittered(rng, [(60, 120, 190), (90, 180, 215), (175, 180, 182)][rng.integers(3)], 10)
    radius = rng.uniform(9, 14)
    canvas = Canvas((2 * radius, 2 * radius), scale, metal)
    canvas.disc(canvas.centre, 0.86 * radius, np.array(metal) * 0.85)
    canvas.text(str(rng.integers(1, 50)), canvas.centre, radius, np.array(metal) * 1.15, bold=True)
    return canvas.finish(radius)


def _pen(rng: np.random.Generator, scale: float) -> Art:
    length, width = rng.uniform(125, 150), rng.uniform(7, 12)
    canvas = Canvas((length, width), scale, _colour(rng))
    canvas.rectangle((length * 0.9, 0), (length * 0.1, width), _colour(rng))
    canvas.rectangle((0, 0.15 * width), (length, 0.2 * width), (250, 250, 250), 0.4)
    canvas.rectangle((length * 0.1, 0.3 * width), (length * 0.3, 0.3 * width), _colour(rng))
    return canvas.finish(width / 2)


def _leaflet(rng: np.random.Generator, scale: float) -> Art:
    width, height = rng.uniform(80, 150), rng.uniform(100, 200)
    canvas = Canvas((width, height), scale, _white(rng) if rng.random() < 0.6 else _colour(rng))
    _shapes(canvas, rng, int(rng.integers(3, 10)), rng.uniform(10, 30))
    canvas.text(_word(rng), (width / 2, height * 0.12), rng.uniform(10, 18), _colour(rng), bold=True)
    _lines(canvas, rng, (width * 0.1, height * 0.6), (width * 0.8, height * 0.3), rng.uniform(3, 6))
    return canvas.finish(0)


def _label(rng: np.random.Generator, scale: float) -> Art:
    """A white patch with a big word, sewn or stuck on: bright and upright like a card, but smaller and lettered."""
    width = rng.uniform(22, 70)
    canvas = Canvas((width, width * rng.uniform(0.3, 0.9)), scale, _white(rng) if rng.random() < 0.8 else _colour(rng))
    ink = _DARK if rng.random() < 0.5 else _colour(rng)
    if rng.random() < 0.4:
        edge = rng.uniform(1, 3)
        width_mm, height_mm = canvas.size_mm
        canvas.rectangle((edge, edge), (width_mm - 2 * edge, height_mm - 2 * edge), ink)
        inner = edge + rng.uniform(0.6, 1.5)
        canvas.rectangle((inner, inner), (width_mm - 2 * inner, height_mm - 2 * inner), _white(rng))
    rows = int(rng.integers(1, 4))
    for row in range(rows):
        height = canvas.size_mm[1] / (rows + 0.6)
        place = (width * rng.uniform(0.45, 0.55), canvas.size_mm[1] * (row + 0.5) / rows)
        canvas.text(_word(rng), place, min(height, width / 4) * rng.uniform(0.6, 1.0), ink, bold=True)
    _grain(canvas, rng, 3)
    return canvas.finish(rng.uniform(0, 4))


_DRAWERS: dict[Distractor, Callable[[np.random.Generator, float], Art]] = {
    Distractor.BLANK_CARD: _blank_card,
    Distractor.PLAYING_CARD: _playing_card,
    Distractor.BUSINESS_CARD: _business_card,
    Distractor.SHEET: _sheet,
    Distractor.STICKY_NOTE: _sticky_note,
    Distractor.ENVELOPE: _envelope,
    Distractor.BOX: _box,
    Distractor.PHONE: _phone,
    Distractor.COASTER: _coaster,
    Distractor.PEN: _pen,
    Distractor.LEAFLET: _leaflet,
    Distractor.COIN: _coin,
    Distractor.LABEL: _label,
}
