"""The square faces of dice and tiles in many made-up prints, with Wild faces and ordinary pips.

No photo of these pieces could be found, so their look is drawn as widely as it may be: only the rules say what a face
shows (CUBED-1, JUN-1). Sizes are shares of the face's side unless they say otherwise; colours are BGR.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import cv2
import numpy as np

from datasets.canvas import Bgr, Canvas, Points, cloud, down, jittered, mixed
from datasets.lettering import Lettering, lettered, random_lettering
from datasets.symbols import SymbolSize, outline
from datasets.wild import WildStyle, draw_wild, random_wild_style
from engine.tokens import Shape, Tile
from vision.types import Deck, Image

__all__ = ["FACE_PIXELS", "PrintStyle", "draw_pips", "draw_print", "draw_wild_face", "random_print", "random_words"]

FACE_PIXELS = 96
"""Side of a drawn face in pixels."""

_SHAPES = (Shape.DIAMOND, Shape.OVAL, Shape.SQUIGGLE)
_INKS: tuple[tuple[Bgr, ...], ...] = (
    (
        (44, 77, 250),
        (43, 70, 230),
        (25, 35, 240),
        (48, 34, 212),
        (64, 26, 198),
        (70, 60, 235),
        (36, 30, 180),
        (60, 90, 240),
    ),
    (
        (108, 172, 8),
        (67, 133, 34),
        (46, 150, 2),
        (111, 180, 74),
        (90, 155, 12),
        (44, 104, 10),
        (125, 150, 8),
        (80, 160, 60),
    ),
    (
        (155, 48, 119),
        (113, 50, 79),
        (150, 25, 106),
        (153, 57, 72),
        (92, 26, 54),
        (138, 40, 132),
        (160, 60, 90),
        (150, 70, 110),
    ),
)
_BODIES: tuple[Bgr, ...] = ((250, 250, 250), (232, 244, 250), (214, 234, 244), (238, 238, 240), (225, 240, 246))
_WORDS = (
    "WILD",
    "WILD",
    "Wild",
    "wild",
    "SET",
    "JOKER",
    "ANY",
    "W",
    "?",
    "*",
    "Joker",
    "FREE",
    "!",
    "X",
    "WC",
    "A",
    "&",
)


@dataclass(frozen=True)
class PrintStyle:
    """What all faces of one box share.

    ``sizes`` are the (width, height) of one symbol of each shape, ``pitch`` the distance from one to the next;
    ``decks`` says whose outline is used, ``wave`` the (bend, thickness) of a squiggle drawn as a bent stroke, or None;
    ``lean`` slants all symbols. ``frame`` is the colour of a printed border, or None. ``wild`` is a drawn Wild face, or
    with ``words`` a lettered one.
    """

    body: Bgr
    inks: tuple[Bgr, Bgr, Bgr]
    sizes: Mapping[Shape, tuple[float, float]]
    pitch: float
    decks: Mapping[Shape, Deck]
    wave: tuple[float, float] | None
    mirrored: bool
    lean: float
    wild: WildStyle
    words: str | None
    lettering: Lettering
    words_scale: float = 0.8
    words_ink: Bgr = (30, 30, 30)
    words_turn: float = 0.0
    frame: Bgr | None = None
    unevenness: float = 0.0
    grain: float = 1.0
    cache: dict[str, Image] = field(default_factory=dict, compare=False, repr=False)


def random_words(rng: np.random.Generator) -> str:
    """Return what a lettered Wild may say."""
    return _WORDS[int(rng.integers(0, len(_WORDS)))]


def random_print(rng: np.random.Generator, body: Bgr | None = None) -> PrintStyle:
    """Return the look of some box of dice or tiles; ``body`` is the colour under the print, by default near white."""
    pitch = rng.uniform(0.2, 0.29)
    height = pitch * rng.uniform(0.55, 0.92)
    width = rng.uniform(0.48, 0.78)
    sizes = {s: (width * rng.uniform(0.9, 1.08), height * rng.uniform(0.9, 1.1)) for s in _SHAPES}
    sizes[Shape.DIAMOND] = (sizes[Shape.DIAMOND][0], min(sizes[Shape.DIAMOND][1] * rng.uniform(1.0, 1.3), pitch * 0.99))
    decks = {s: Deck.US if rng.random() < 0.6 else Deck.RAVENSBURGER for s in _SHAPES}
    decks[Shape.DIAMOND] = Deck.US
    red, green, purple = (mixed(rng, palette, 10.0) for palette in _INKS)
    return PrintStyle(
        body=mixed(rng, _BODIES, 3.0) if body is None else body,
        inks=(red, green, purple),
        sizes=sizes,
        pitch=pitch,
        decks=decks,
        wave=(float(rng.uniform(0.15, 0.34)), float(rng.uniform(0.4, 0.8))) if rng.random() < 0.6 else None,
        mirrored=bool(rng.random() < 0.5),
        lean=float(rng.normal(0, 0.06)),
        wild=random_wild_style(rng),
        words=random_words(rng) if rng.random() < 0.5 else None,
        lettering=random_lettering(rng),
        words_scale=float(rng.uniform(0.55, 0.95)),
        words_ink=mixed(rng, ((30, 30, 30), (30, 30, 30), red, green, purple, (200, 90, 20)), 8.0),
        words_turn=float(rng.choice([0.0, 0.0, 0.0, 45.0, 90.0, 180.0, 12.0])),
        unevenness=float(rng.uniform(0, 0.12)),
        grain=float(rng.uniform(0.3, 2.0)),
    )


def draw_print(tile: Tile | None, style: PrintStyle, rng: np.random.Generator) -> Image:
    """Return the (96, 96, 3) uint8 upright face of ``tile``, of the Wild for None; a style draws each face once."""
    name = "wild" if tile is None else str(tile)
    if name not in style.cache:
        style.cache[name] = draw_wild_face(style, rng) if tile is None else _symbols(tile, style, rng)
    return style.cache[name]


def _canvas(style: PrintStyle, rng: np.random.Generator) -> Canvas:
    canvas = Canvas((24.0, 24.0), FACE_PIXELS / 24, style.frame or style.body)
    if style.frame is not None:
        canvas.rectangle((1.2, 1.2), np.array([21.6, 21.6]), style.body)
    stain = cloud(rng, canvas.shape, 6) * np.float32(style.grain)
    canvas.pixels += stain[:, :, None]
    return canvas


def _symbols(tile: Tile, style: PrintStyle, rng: np.random.Generator) -> Image:
    canvas = _canvas(style, rng)
    points = _outline(tile.shape, style) * 24
    count = tile.number.value + 1
    middle = canvas.centre + rng.normal(0, 0.25, 2)
    for step in range(count):
        place = middle + down((step - (count - 1) / 2) * style.pitch * 24)
        cover = canvas.cover(points + place)
        shape = (cover.mask.shape[0], cover.mask.shape[1])
        thin = 1 - np.float32(style.unevenness) * (0.5 + 0.5 * cloud(rng, shape, 45))
        canvas.ink(cover._replace(mask=cover.mask * np.clip(thin, 0, 1)), style.inks[tile.colour])
    return canvas.finish(0).image


def _outline(shape: Shape, style: PrintStyle) -> Points:
    """(n, 2) outline of one symbol in shares of the face's side, about (0, 0)."""
    width, height = style.sizes[shape]
    if shape is Shape.SQUIGGLE and style.wave is not None:
        points = _bent(width, height, *style.wave)
        points = np.asarray(points * [-1, 1]) if style.mirrored else points
    else:
        points = outline(shape, style.decks[shape], SymbolSize(width * 24, height * 24, 0.0), style.mirrored) / 24
    return np.asarray(points @ np.array([[1, 0], [style.lean, 1]]))


def _bent(width: float, height: float, bend: float, thickness: float) -> Points:
    """A stroke in the form of an S, with round ends: ``bend`` and ``thickness`` in shares of its height."""
    t = np.linspace(-1, 1, 40)
    line = np.stack([t * (1 - 0.12) * width / 2, np.sin(t * np.pi * 0.95) * bend * height], axis=1)
    slope = np.gradient(line, axis=0)
    across = np.stack([-slope[:, 1], slope[:, 0]], axis=1) / np.linalg.norm(slope, axis=1, keepdims=True)
    half = thickness * height / 2 * (1 - 0.75 * np.abs(t) ** 5)[:, None]
    return np.asarray(np.concatenate([line + across * half, (line - across * half)[::-1]]))


def draw_wild_face(style: PrintStyle, rng: np.random.Generator) -> Image:
    """Return the (96, 96, 3) uint8 Wild face of a box."""
    canvas = _canvas(style, rng)
    if style.words is None:
        draw_wild(canvas, style.wild, style.inks)
        return canvas.finish(0).image
    picture = np.clip(canvas.pixels, 0, 255).astype(np.uint8)
    return _typeset(picture, style)


def _typeset(picture: Image, style: PrintStyle) -> Image:
    """Write the words of ``style`` over the middle of ``picture``."""
    assert style.words is not None  # noqa: S101  the caller has asked
    side = picture.shape[0]
    room = side * style.words_scale * (0.8 if style.words_turn % 90 else 1.0)
    mask = lettered(style.words, 64, style.lettering).astype(np.float32) / 255
    scale = min(room / mask.shape[1], room / mask.shape[0])
    matrix = cv2.getRotationMatrix2D(((mask.shape[1] - 1) / 2, (mask.shape[0] - 1) / 2), style.words_turn, scale)
    matrix[:, 2] += (side - 1) / 2 - np.array([mask.shape[1] - 1, mask.shape[0] - 1]) / 2
    if scale < 0.6:
        mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), 0.35 / scale), np.float32)
    cover = cv2.warpAffine(mask, matrix, (side, side), flags=cv2.INTER_LINEAR)[..., None]
    return np.asarray(picture + (np.array(style.words_ink) - picture) * cover, np.uint8)


@lru_cache(maxsize=1)
def _pip_places() -> Mapping[int, Sequence[tuple[int, int]]]:
    corner, middle = [(-1, -1), (1, 1)], [(0, 0)]
    other, sides = [(1, -1), (-1, 1)], [(-1, 0), (1, 0)]
    pips = {1: middle, 2: corner, 3: corner + middle, 4: corner + other, 5: corner + other + middle}
    return {**pips, 6: corner + other + sides}


def draw_pips(count: int, body: Bgr, ink: Bgr, size: float, reach: float) -> Image:
    """Return the (96, 96, 3) uint8 face of an ordinary die with ``count`` pips of radius ``size``, ``reach`` apart."""
    canvas = Canvas((24.0, 24.0), FACE_PIXELS / 24, body)
    for x, y in _pip_places()[count]:
        canvas.disc(canvas.centre + np.array([x, y]) * reach * 24, size * 24, ink)
    return canvas.finish(0).image


def jittered_body(rng: np.random.Generator) -> Bgr:
    """Return a body of any light colour."""
    return jittered(rng, rng.uniform(150, 250, 3), 8)
