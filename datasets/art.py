"""Draws the flat face of every piece from parameters: cards of both decks, tiles, faces of dice.

A style holds what all pieces of one box share (paper, inks, sizes); the generator handed to a ``draw_`` function adds
what differs from piece to piece (noise, wear, pen marks). The same style and seed give the same picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from datasets.canvas import (
    Art,
    ArtError,
    ArtSizeError,
    Bgr,
    Canvas,
    Cover,
    Floats,
    Points,
    cloud,
    down,
    jittered,
    mixed,
)
from datasets.distractors import Distractor, draw_back, draw_distractor
from datasets.symbols import SymbolSize, inset, outline, places, speckle, stripes, symbol_size
from datasets.wild import WildLook, WildStyle, draw_wild, random_wild_style
from engine.tokens import Card, Face, Number, Shading, Shape, Tile
from vision.types import Deck

__all__ = [
    "Art",
    "ArtError",
    "ArtSizeError",
    "CardStyle",
    "Distractor",
    "FaceStyle",
    "Inks",
    "TileStyle",
    "WildLook",
    "WildStyle",
    "draw_back",
    "draw_card",
    "draw_distractor",
    "draw_face",
    "draw_tile",
    "random_face_style",
    "random_style",
    "random_tile_style",
]

Inks = tuple[Bgr, Bgr, Bgr]

_US_INKS: tuple[tuple[Bgr, ...], ...] = (
    ((44, 77, 250), (43, 70, 230), (25, 35, 240), (48, 34, 212), (64, 26, 198), (115, 75, 235), (36, 30, 180)),
    ((108, 172, 8), (67, 133, 34), (46, 150, 2), (111, 180, 74), (90, 155, 12), (44, 104, 10), (125, 150, 8)),
    ((155, 48, 119), (113, 50, 79), (150, 25, 106), (153, 57, 72), (92, 26, 54), (138, 40, 132), (112, 20, 66)),
)
_RAVENSBURGER_INKS: tuple[tuple[Bgr, ...], ...] = (
    ((54, 56, 182), (37, 42, 172), (58, 58, 222), (46, 42, 154)),
    ((63, 102, 43), (49, 93, 25), (84, 145, 50), (92, 124, 20)),
    ((83, 41, 47), (72, 30, 39), (125, 62, 74), (96, 30, 74)),
)
_PAPERS: tuple[Bgr, ...] = (
    (252, 252, 252),
    (244, 248, 250),
    (228, 240, 246),
    (236, 236, 236),
    (248, 244, 240),
    (212, 226, 236),
)
_PENS: tuple[Bgr, ...] = ((40, 36, 34), (150, 60, 30), (50, 40, 190), (60, 120, 40), (120, 40, 90))


@dataclass(frozen=True)
class CardStyle:
    """What all cards of one deck share. Lengths are millimetres, colours BGR, shares 0..1.

    ``inks`` are red, green, purple; ``symbol_scale`` stretches each symbol along its (width, height), ``gap`` the pitch
    of the stack. ``stripe_*`` are of the US deck, ``speckle_*`` of the Ravensburger one. ``wear``, ``ink_unevenness``
    and ``fading`` are 0 for new print; ``hand_marks`` is the mean number of pen strokes a card carries.
    """

    deck: Deck
    size_mm: tuple[float, float]
    corner_radius_mm: float
    paper: Bgr
    inks: Inks
    outline_mm: float
    symbol_scale: tuple[float, float]
    gap: float
    mirrored: bool
    stripe_pitch_mm: float
    stripe_width_mm: float
    stripe_phase: float
    speckle_grain_mm: float
    speckle_density: float
    wear: float
    hand_marks: float
    ink_unevenness: float
    fading: float


@dataclass(frozen=True)
class TileStyle:
    """What all tiles of one box of SET Junior share (JUN-1). Units as in :class:`CardStyle`.

    ``symbol_width`` is the share of the tile's width that a symbol takes; ``frame`` is the colour of a printed border,
    or None.
    """

    size_mm: tuple[float, float]
    corner_radius_mm: float
    paper: Bgr
    frame: Bgr | None
    inks: Inks
    symbol_width: float
    symbol_aspect: float
    gap: float
    mirrored: bool
    wear: float
    ink_unevenness: float


@dataclass(frozen=True)
class FaceStyle:
    """What all dice of one game of Cubed share (CUBED-1), with its ``wild``. Units as in :class:`TileStyle`."""

    size_mm: tuple[float, float]
    corner_radius_mm: float
    body: Bgr
    inks: Inks
    symbol_width: float
    symbol_aspect: float
    gap: float
    mirrored: bool
    wild: WildStyle
    wear: float
    ink_unevenness: float


def _inks(rng: np.random.Generator, palettes: Sequence[Sequence[Bgr]]) -> Inks:
    red, green, purple = (mixed(rng, palette) for palette in palettes)
    return (red, green, purple)


def _paper(rng: np.random.Generator) -> Bgr:
    return mixed(rng, _PAPERS, 2.0)


def random_style(rng: np.random.Generator, deck: Deck) -> CardStyle:
    """Return the look of some printing of ``deck``, new or worn."""
    american = deck is Deck.US
    width, scale = rng.uniform(55.5, 60), rng.uniform(0.93, 1.07)
    pitch = rng.uniform(1.0, 1.25)
    return CardStyle(
        deck=deck,
        size_mm=(width, width * rng.uniform(1.50, 1.58)),
        corner_radius_mm=rng.uniform(2.5, 5.0),
        paper=_paper(rng),
        inks=_inks(rng, _US_INKS if american else _RAVENSBURGER_INKS),
        outline_mm=rng.uniform(0.75, 1.3) if american else rng.uniform(0.5, 1.05),
        symbol_scale=(scale, scale * rng.uniform(0.95, 1.05)),
        gap=scale * rng.uniform(0.98, 1.03),
        mirrored=bool(american and rng.random() < 0.25),
        stripe_pitch_mm=pitch,
        stripe_width_mm=pitch * rng.uniform(0.13, 0.32),
        stripe_phase=rng.uniform(0, pitch),
        speckle_grain_mm=rng.uniform(0.45, 0.8),
        speckle_density=rng.uniform(0.3, 0.48),
        wear=max(0.0, rng.uniform(-0.6, 1.0)),
        hand_marks=float(rng.choice([0.0, 0.0, 0.0, 0.0, 2.0])),
        ink_unevenness=rng.uniform(0, 0.1),
        fading=max(0.0, rng.uniform(-0.1, 0.12)),
    )


def random_tile_style(rng: np.random.Generator) -> TileStyle:
    """Return the look of some box of tiles."""
    side = rng.uniform(34, 46)
    coloured = jittered(rng, rng.uniform(150, 250, 3), 10)
    return TileStyle(
        size_mm=(side, side * rng.uniform(0.86, 1.0)),
        corner_radius_mm=rng.uniform(0.5, 5.0),
        paper=_paper(rng) if rng.random() < 0.7 else mixed(rng, [coloured, (255, 255, 255)]),
        frame=jittered(rng, rng.uniform(40, 240, 3), 10) if rng.random() < 0.2 else None,
        inks=_inks(rng, _US_INKS),
        symbol_width=rng.uniform(0.5, 0.72),
        symbol_aspect=rng.uniform(0.92, 1.06),
        gap=rng.uniform(1.12, 1.25),
        mirrored=bool(rng.random() < 0.25),
        wear=max(0.0, rng.uniform(-0.6, 1.0)),
        ink_unevenness=rng.uniform(0, 0.1),
    )


def random_face_style(rng: np.random.Generator) -> FaceStyle:
    """Return the look of some game's dice."""
    side = rng.uniform(16, 26)
    bodies: tuple[Bgr, ...] = ((250, 250, 250), (232, 244, 250), (214, 234, 244), (238, 238, 240))
    return FaceStyle(
        size_mm=(side, side),
        corner_radius_mm=side * rng.uniform(0.05, 0.2),
        body=mixed(rng, bodies, 3.0),
        inks=_inks(rng, _US_INKS),
        symbol_width=rng.uniform(0.46, 0.68),
        symbol_aspect=rng.uniform(0.92, 1.06),
        gap=rng.uniform(1.12, 1.25),
        mirrored=bool(rng.random() < 0.25),
        wild=random_wild_style(rng),
        wear=max(0.0, rng.uniform(-0.6, 1.0)),
        ink_unevenness=rng.uniform(0, 0.12),
    )


def draw_card(card: Card, style: CardStyle, rng: np.random.Generator, pixels_per_mm: float = 4.0) -> Art:
    """Return the upright face of ``card``: 1 to 3 symbols that lie across it, stacked along its long side (CLASSIC-1).

    :raises ArtSizeError: ``pixels_per_mm`` leaves fewer than 4 pixels a side.
    """
    canvas = Canvas(style.size_mm, pixels_per_mm, style.paper)
    _grain(canvas, rng, 1.2 + 2 * style.wear)
    print_scale = style.size_mm[0] / 57
    wide, tall = np.array(style.symbol_scale) * print_scale
    size = symbol_size(style.deck, card.shape).scaled(wide, tall, style.gap * print_scale)
    points = outline(card.shape, style.deck, size, style.mirrored)
    middle = canvas.centre + rng.normal(0, 0.35, 2)
    for row in places(card.number, size.pitch):
        cover = _symbol(canvas, points, middle + down(row), card.shading, style, rng)
        _ink(canvas, cover, style.inks[card.colour], rng, style.ink_unevenness, style.fading)
    for _ in range(rng.poisson(style.hand_marks)):
        _pen_mark(canvas, rng)
    _wear(canvas, rng, style.wear)
    return canvas.finish(style.corner_radius_mm)


def draw_tile(tile: Tile, style: TileStyle, rng: np.random.Generator, pixels_per_mm: float = 4.0) -> Art:
    """Return the upright face of ``tile``: 1 to 3 solid symbols, stacked as on a card (JUN-1).

    :raises ArtSizeError: ``pixels_per_mm`` leaves fewer than 4 pixels a side.
    """
    canvas = Canvas(style.size_mm, pixels_per_mm, style.frame or style.paper)
    if style.frame is not None:
        edge = 0.05 * min(style.size_mm)
        canvas.rectangle((edge, edge), np.array(style.size_mm) - 2 * edge, style.paper)
    _grain(canvas, rng, 1.2 + 2 * style.wear)
    _solid_symbols(canvas, tile, style, rng)
    _wear(canvas, rng, style.wear)
    return canvas.finish(style.corner_radius_mm)


def draw_face(face: Face, style: FaceStyle, rng: np.random.Generator, pixels_per_mm: float = 8.0) -> Art:
    """Return the top face of a die: 1 to 3 small solid symbols, or the style's Wild (CUBED-1).

    :raises ArtSizeError: ``pixels_per_mm`` leaves fewer than 4 pixels a side.
    """
    canvas = Canvas(style.size_mm, pixels_per_mm, style.body)
    _grain(canvas, rng, 1.0 + style.wear)
    if face.tile is None:
        draw_wild(canvas, style.wild, style.inks)
    else:
        _solid_symbols(canvas, face.tile, style, rng)
    _wear(canvas, rng, style.wear)
    return canvas.finish(style.corner_radius_mm)


def _solid_symbols(canvas: Canvas, tile: Tile, style: TileStyle | FaceStyle, rng: np.random.Generator) -> None:
    size = _stacked_size(tile.shape, tile.number, style)
    points = outline(tile.shape, Deck.US, size, style.mirrored)
    middle = canvas.centre + rng.normal(0, 0.012 * style.size_mm[0], 2)
    for row in places(tile.number, size.pitch):
        _ink(canvas, canvas.cover(points + middle + down(row)), style.inks[tile.colour], rng, style.ink_unevenness, 0.0)


def _stacked_size(shape: Shape, number: Number, style: TileStyle | FaceStyle) -> SymbolSize:
    """Return the size of a solid symbol, smaller where a stack of ``number`` would not fit the piece."""
    usual = symbol_size(Deck.US, shape)
    width = style.size_mm[0] * style.symbol_width * usual.width / 41.9
    height = width * usual.height / usual.width * style.symbol_aspect
    stack = height * (1 + number.value * style.gap)
    fit = min(1.0, 0.86 * style.size_mm[1] / stack)
    return SymbolSize(width * fit, height * fit, height * style.gap * fit)


def _symbol(
    canvas: Canvas, points: Points, middle: Points, shading: Shading, style: CardStyle, rng: np.random.Generator
) -> Cover:
    """Return the ink of one symbol: the outline, and inside it all, nothing, or the deck's own half filling."""
    whole = canvas.cover(points + middle)
    if shading is Shading.SOLID:
        return whole
    hole = canvas.cover(points + middle, inset(points, style.outline_mm) + middle)
    if shading is Shading.OPEN:
        return hole
    filling = _filling(canvas, whole, middle, style, rng)
    return whole._replace(mask=hole.mask + (whole.mask - hole.mask) * filling)


def _filling(canvas: Canvas, cover: Cover, middle: Points, style: CardStyle, rng: np.random.Generator) -> Floats:
    if style.deck is Deck.US:
        edges = canvas.columns(cover) - middle[0]
        return stripes(edges, style.stripe_pitch_mm, style.stripe_width_mm, style.stripe_phase)[None, :]
    shape = (cover.mask.shape[0], cover.mask.shape[1])
    return speckle(rng, shape, style.speckle_grain_mm * float(canvas.scale[0]), style.speckle_density)


def _ink(canvas: Canvas, cover: Cover, colour: Bgr, rng: np.random.Generator, unevenness: float, fading: float) -> None:
    """Print ``colour``, thinner in places by up to ``unevenness`` and everywhere by ``fading``."""
    shape = (cover.mask.shape[0], cover.mask.shape[1])
    thin = np.float32(1 - fading) - np.float32(unevenness) * (0.5 + 0.5 * cloud(rng, shape, 45))
    canvas.ink(cover._replace(mask=cover.mask * np.clip(thin, 0, 1)), colour)


def _grain(canvas: Canvas, rng: np.random.Generator, strength: float) -> None:
    """Add faint stains and the grain of paper, ``strength`` grey levels deep."""
    stain = cloud(rng, canvas.shape, 4) * np.float32(strength)
    stain += (rng.random(canvas.shape, np.float32) - np.float32(0.5)) * np.float32(2 * strength)
    canvas.pixels += stain[:, :, None]


def _pen_mark(canvas: Canvas, rng: np.random.Generator) -> None:
    """Draw a pen stroke, dot or letter by a corner or along an edge: the marks of owners who cannot tell colours."""
    colour = jittered(rng, _PENS[rng.integers(len(_PENS))], 12)
    width, height = canvas.size_mm
    side = np.where(rng.random(2) < 0.5, -1, 1)
    place = canvas.centre + side * (np.array([width, height]) / 2 - rng.uniform(2.0, 5.5, 2))
    kind = rng.random()
    if kind < 0.2:
        canvas.text(str(rng.choice(list("RGPrgp123"))), place, 3.5, colour, turn=float(rng.uniform(-15, 15)))
    elif kind < 0.4:
        canvas.disc(place, rng.uniform(0.5, 1.3), colour, 0.9)
    else:
        step = side * rng.uniform(0, (7, 14) if kind < 0.8 else (0.5, 40))
        stroke = np.stack([place, place - step / 2 + rng.normal(0, 0.4, 2), place - step])
        canvas.stroke(stroke, rng.uniform(0.3, 0.8), colour, 0.85)


def _wear(canvas: Canvas, rng: np.random.Generator, wear: float) -> None:
    """Grey the edges, chip and scratch the face; ``wear`` 0 changes nothing."""
    if wear <= 0:
        return
    _grey_edges(canvas, rng, wear)
    for _ in range(rng.poisson(5 * wear)):
        chip = (250, 252, 252) if rng.random() < 0.7 else (90, 100, 110)
        canvas.disc(rng.uniform(0, 1, 2) * canvas.size_mm, rng.uniform(0.08, 0.3), chip, 0.7)
    for _ in range(rng.poisson(2 * wear)):
        start = rng.uniform(0, 1, 2) * canvas.size_mm
        stop = np.clip(start + rng.normal(0, 6, 2), 0, canvas.size_mm)
        shade = float(rng.choice([90.0, 250.0]))
        canvas.stroke(np.stack([start, stop]), rng.uniform(0.1, 0.25), (shade,) * 3, 0.25 * wear)


def _grey_edges(canvas: Canvas, rng: np.random.Generator, wear: float) -> None:
    height, width = canvas.shape
    depth = wear * rng.uniform(0.3, 1.0) * float(canvas.scale[0])
    across, down = np.arange(width) + 0.5, np.arange(height) + 0.5
    near = np.minimum(np.minimum(across, width - across)[None, :], np.minimum(down, height - down)[:, None])
    band = np.clip(1 - near / max(depth, 0.5), 0, 1).astype(np.float32)
    band *= np.clip(0.6 + 0.7 * cloud(rng, canvas.shape, 24), 0, 1) * np.float32(0.6 * wear)
    grey, deep = jittered(rng, (140, 150, 155), 20), int(np.ceil(max(depth, 0.5)))
    for x, y, strip in (
        (0, 0, band[:deep]),
        (0, height - deep, band[-deep:]),
        (0, deep, band[deep:-deep, :deep]),
        (width - deep, deep, band[deep:-deep, -deep:]),
    ):
        canvas.ink(Cover(x, y, strip), grey)
