"""The Wild face of a die in many made-up looks: nothing may depend on one print (CUBED-1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from datasets.canvas import Bgr, Canvas, Points, down, mixed
from datasets.symbols import SymbolSize, outline
from engine.tokens import Shape
from vision.types import Deck

__all__ = ["WildLook", "WildStyle", "draw_wild", "random_wild_style"]

_RAINBOW: tuple[Bgr, ...] = (
    (50, 40, 220),
    (40, 140, 245),
    (60, 220, 250),
    (70, 170, 40),
    (190, 110, 30),
    (150, 40, 110),
)
_INKS: tuple[Bgr, ...] = ((30, 30, 30), (40, 40, 200), (40, 150, 240), (150, 40, 110), (170, 90, 20), (60, 140, 20))
_GROUNDS: tuple[Bgr, ...] = ((120, 220, 250), (235, 215, 180), (200, 200, 240), (190, 235, 200), (60, 50, 45))


class WildLook(StrEnum):
    """What the Wild of a game shows."""

    WORD = "word"
    STAR = "star"
    LETTERS = "letters"
    INITIAL = "initial"
    RAINBOW = "rainbow"
    JOKER = "joker"
    CROWN = "crown"
    QUESTION = "question"
    TRIO = "trio"
    PINWHEEL = "pinwheel"
    FLOWER = "flower"


@dataclass(frozen=True)
class WildStyle:
    """One game's Wild: its ``look`` in BGR ``ink``, ``scale`` times as large as usual.

    Words are turned by ``turn`` degrees; ``ground`` is the BGR of a disc printed under it, or None.
    """

    look: WildLook
    ink: Bgr
    scale: float = 1.0
    turn: float = 0.0
    ground: Bgr | None = None


def random_wild_style(rng: np.random.Generator) -> WildStyle:
    """Return some game's Wild."""
    looks = list(WildLook)
    return WildStyle(
        look=looks[rng.integers(len(looks))],
        ink=mixed(rng, _INKS),
        scale=rng.uniform(0.8, 1.1),
        turn=float(rng.choice([0.0, 0.0, 45.0, -45.0, 90.0])),
        ground=mixed(rng, _GROUNDS) if rng.random() < 0.2 else None,
    )


def draw_wild(canvas: Canvas, style: WildStyle, inks: Sequence[Bgr]) -> None:
    """Paint the Wild face on ``canvas``; ``inks`` are the game's red, green and purple."""
    unit = min(canvas.size_mm) * style.scale
    if style.ground is not None:
        canvas.disc(canvas.centre, 0.42 * min(canvas.size_mm), style.ground)
    _PAINTERS[style.look](canvas, unit, style, inks)


def _spokes(centre: Points, radii: Sequence[float]) -> Points:
    """Return the closed polygon whose corners lie at ``radii`` around ``centre``, evenly spread from the top."""
    angle = np.linspace(0, 2 * np.pi, len(radii), endpoint=False) - np.pi / 2
    return np.asarray(centre + np.array(radii)[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1))


def _arc(centre: Points, radius: float, start: float, stop: float) -> Points:
    """Return (30, 2) points of a circle from angle ``start`` to ``stop``, in radians, clockwise from the right."""
    turn = np.linspace(start, stop, 30)
    return np.asarray(centre + radius * np.stack([np.cos(turn), np.sin(turn)], axis=1))


def _word(canvas: Canvas, unit: float, style: WildStyle, inks: Sequence[Bgr]) -> None:
    del inks
    canvas.text("WILD", canvas.centre, 0.32 * unit, style.ink, bold=True, turn=style.turn)


def _star(canvas: Canvas, unit: float, style: WildStyle, inks: Sequence[Bgr]) -> None:
    del inks
    canvas.polygon(_spokes(canvas.centre, [0.38 * unit, 0.16 * unit] * 5), style.ink)


def _letters(canvas: Canvas, unit: float, style: WildStyle, inks: Sequence[Bgr]) -> None:
    steps = [(-0.17, -0.17), (0.17, -0.17), (-0.17, 0.17), (0.17, 0.17)]
    for letter, colour, step in zip("WILD", (*inks, style.ink), steps, strict=True):
        canvas.text(letter, canvas.centre + np.array(step) * unit, 0.36 * unit, colour, bold=True)


def _initial(canvas: Canvas, unit: float, style: WildStyle, inks: Sequence[Bgr]) -> None:
    """Paint a large W in a ring."""
    canvas.stroke(_arc(canvas.centre, 0.36 * unit, 0, 2 * np.pi), 0.05 * unit, inks[2])
    canvas.text("W", canvas.centre, 0.5 * unit, style.ink, bold=True, turn=style.turn)


def _rainbow(canvas: Canvas, unit: float, style: WildStyle, inks: Sequence[Bgr]) -> None:
    del style, inks
    for index, colour in enumerate(_RAINBOW):
        radius = (0.38 - 0.052 * index) * unit
        canvas.stroke(_arc(canvas.centre + down(0.16 * unit), radius, np.pi, 2 * np.pi), 0.056 * unit, colour)


def _joker(canvas: Canvas, unit: float, style: WildStyle, inks: Sequence[Bgr]) -> None:
    """Paint a fool's cap: three curved horns with bells, over a face."""
    base = canvas.centre + down(0.02 * unit)
    canvas.disc(canvas.centre + down(0.16 * unit), 0.2 * unit, (150, 200, 240))
    horns = (((-0.18, 0.1), (-0.4, -0.3), (-0.42, 0.12)), ((0.18, 0.1), (0.4, -0.3), (0.42, 0.12)))
    for (root, bend, tip), colour in zip(horns, inks[:2], strict=True):
        t = np.linspace(0, 1, 12)[:, None]
        line = (1 - t) ** 2 * np.array(root) + 2 * t * (1 - t) * np.array(bend) + t**2 * np.array(tip)
        inner = line[::-1] * [0.55, 1.0] + [0.0, 0.02]
        canvas.polygon(base + np.concatenate([line, inner]) * unit, colour)
        canvas.disc(base + np.array(tip) * unit, 0.05 * unit, style.ink)
    canvas.polygon(base + np.array([[-0.17, 0.08], [0.0, -0.4], [0.17, 0.08]]) * unit, inks[2])
    canvas.disc(base + np.array([0.0, -0.4]) * unit, 0.05 * unit, style.ink)


def _crown(canvas: Canvas, unit: float, style: WildStyle, inks: Sequence[Bgr]) -> None:
    base = canvas.centre + down(0.2 * unit)
    points = [(-0.36, -0.42), (-0.18, -0.18), (0.0, -0.52), (0.18, -0.18), (0.36, -0.42), (0.32, 0.06), (-0.32, 0.06)]
    canvas.polygon(base + np.array(points) * unit, style.ink)
    for place, colour in zip(((-0.36, -0.42), (0.0, -0.52), (0.36, -0.42)), inks, strict=True):
        canvas.disc(base + np.array(place) * unit, 0.055 * unit, colour)


def _question(canvas: Canvas, unit: float, style: WildStyle, inks: Sequence[Bgr]) -> None:
    del inks
    canvas.text("?", canvas.centre, 0.8 * unit, style.ink, bold=True)


def _trio(canvas: Canvas, unit: float, style: WildStyle, inks: Sequence[Bgr]) -> None:
    """Paint one symbol of each shape, each in its own colour."""
    del style
    size = SymbolSize(0.4 * unit, 0.2 * unit, 0.0)
    places = [(0.0, -0.24), (-0.22, 0.16), (0.22, 0.16)]
    for shape, colour, place in zip((Shape.OVAL, Shape.DIAMOND, Shape.SQUIGGLE), inks, places, strict=True):
        canvas.polygon(outline(shape, Deck.US, size) + canvas.centre + np.array(place) * unit, colour)


def _pinwheel(canvas: Canvas, unit: float, style: WildStyle, inks: Sequence[Bgr]) -> None:
    """Paint a disc in sectors of the three inks, twice around, with a hub."""
    for index in range(6):
        rim = _arc(canvas.centre, 0.36 * unit, index * np.pi / 3, (index + 1.02) * np.pi / 3)
        canvas.polygon(np.concatenate([canvas.centre[None, :], rim]), inks[index % 3])
    canvas.disc(canvas.centre, 0.1 * unit, style.ink)


def _flower(canvas: Canvas, unit: float, style: WildStyle, inks: Sequence[Bgr]) -> None:
    """Paint six petals in the three inks around a heart."""
    for index, place in enumerate(_spokes(canvas.centre, [0.22 * unit] * 6)):
        canvas.disc(place, 0.12 * unit, inks[index % 3])
    canvas.disc(canvas.centre, 0.12 * unit, style.ink)


_PAINTERS: dict[WildLook, Callable[[Canvas, float, WildStyle, Sequence[Bgr]], None]] = {
    WildLook.WORD: _word,
    WildLook.STAR: _star,
    WildLook.LETTERS: _letters,
    WildLook.INITIAL: _initial,
    WildLook.RAINBOW: _rainbow,
    WildLook.JOKER: _joker,
    WildLook.CROWN: _crown,
    WildLook.QUESTION: _question,
    WildLook.TRIO: _trio,
    WildLook.PINWHEEL: _pinwheel,
    WildLook.FLOWER: _flower,
}
