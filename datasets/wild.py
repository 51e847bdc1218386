"""The Wild face of a die in several made-up looks: nobody may depend on one print (CUBED-1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum

import numpy as np

from datasets.canvas import Bgr, Canvas, Points
from datasets.symbols import SymbolSize, outline
from engine.tokens import Shape
from vision.types import Deck

__all__ = ["WildLook", "draw_wild"]

_RAINBOW: tuple[Bgr, ...] = ((50, 40, 220), (40, 140, 245), (60, 220, 250), (70, 170, 40), (190, 110, 30), (150, 40, 110))


class WildLook(StrEnum):
    """What the Wild of a game shows."""

    WORD = "word"
    STAR = "star"
    LETTERS = "letters"
    RAINBOW = "rainbow"
    JOKER = "joker"
    QUESTION = "question"
    TRIO = "trio"
    PINWHEEL = "pinwheel"


def draw_wild(canvas: Canvas, look: WildLook, inks: Sequence[Bgr], ink: Bgr) -> None:
    """Paint the Wild face in ``look`` on ``canvas``; ``inks`` are red, green, purple, ``ink`` the game's own colour."""
    _PAINTERS[look](canvas, inks, ink)


def _side(canvas: Canvas) -> float:
    return min(canvas.size_mm)


def _spokes(centre: Points, radii: Sequence[float], turn: float = -np.pi / 2) -> Points:
    """Closed polygon whose corners lie at ``radii`` around ``centre``, evenly spread from ``turn``."""
    angle = turn + np.linspace(0, 2 * np.pi, len(radii), endpoint=False)
    return np.asarray(centre + np.array(radii)[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1))


def _word(canvas: Canvas, inks: Sequence[Bgr], ink: Bgr) -> None:
    del inks
    canvas.text("WILD", canvas.centre, 0.3 * _side(canvas), ink, weight=800)


def _star(canvas: Canvas, inks: Sequence[Bgr], ink: Bgr) -> None:
    del inks
    side = _side(canvas)
    canvas.polygon(_spokes(canvas.centre, [0.36 * side, 0.15 * side] * 5), ink)


def _letters(canvas: Canvas, inks: Sequence[Bgr], ink: Bgr) -> None:
    side = _side(canvas)
    steps = [(-0.17, -0.17), (0.17, -0.17), (-0.17, 0.17), (0.17, 0.17)]
    for letter, colour, step in zip("WILD", (*inks, ink), steps, strict=True):
        canvas.text(letter, canvas.centre + np.array(step) * side, 0.36 * side, colour, weight=800)


def _rainbow(canvas: Canvas, inks: Sequence[Bgr], ink: Bgr) -> None:
    del inks, ink
    side = _side(canvas)
    turn = np.linspace(np.pi, 2 * np.pi, 30)
    for index, colour in enumerate(_RAINBOW):
        radius = (0.38 - 0.052 * index) * side
        arc = canvas.centre + [0, 0.16 * side] + radius * np.stack([np.cos(turn), np.sin(turn)], axis=1)
        canvas.stroke(arc, 0.056 * side, colour)


def _joker(canvas: Canvas, inks: Sequence[Bgr], ink: Bgr) -> None:
    """A fool's cap: three horns with bells over a brim."""
    side = _side(canvas)
    base = canvas.centre + [0, 0.2 * side]
    horns = [(-0.32, -0.3), (0.0, -0.48), (0.32, -0.3)]
    feet = [(-0.26, -0.05), (0.0, -0.12), (0.26, -0.05)]
    for horn, foot, colour in zip(horns, feet, inks, strict=True):
        tip, root = np.array(horn), np.array(foot)
        corners = np.stack([tip, [root[0] + 0.14, 0.02], [root[0] - 0.14, 0.02]])
        canvas.polygon(base + corners * side, colour)
        canvas.disc(base + tip * side, 0.055 * side, ink)
    canvas.rectangle(base + np.array([-0.38, 0.0]) * side, (0.76 * side, 0.12 * side), ink)


def _question(canvas: Canvas, inks: Sequence[Bgr], ink: Bgr) -> None:
    del inks
    canvas.text("?", canvas.centre, 0.8 * _side(canvas), ink, weight=700)


def _trio(canvas: Canvas, inks: Sequence[Bgr], ink: Bgr) -> None:
    """One symbol of each shape, each in its own colour."""
    del ink
    side = _side(canvas)
    size = SymbolSize(0.4 * side, 0.2 * side, 0.0)
    places = [(0.0, -0.24), (-0.22, 0.16), (0.22, 0.16)]
    for shape, colour, place in zip((Shape.OVAL, Shape.DIAMOND, Shape.SQUIGGLE), inks, places, strict=True):
        canvas.polygon(outline(shape, Deck.US, size) + canvas.centre + np.array(place) * side, colour)


def _pinwheel(canvas: Canvas, inks: Sequence[Bgr], ink: Bgr) -> None:
    """A disc in sectors of the three inks, twice around, with a hub."""
    side = _side(canvas)
    for index in range(6):
        turn = np.linspace(index, index + 1.02, 12) * np.pi / 3
        rim = canvas.centre + 0.36 * side * np.stack([np.cos(turn), np.sin(turn)], axis=1)
        canvas.polygon(np.concatenate([canvas.centre[None, :], rim]), inks[index % 3])
    canvas.disc(canvas.centre, 0.1 * side, ink)


_PAINTERS: dict[WildLook, Callable[[Canvas, Sequence[Bgr], Bgr], None]] = {
    WildLook.WORD: _word,
    WildLook.STAR: _star,
    WildLook.LETTERS: _letters,
    WildLook.RAINBOW: _rainbow,
    WildLook.JOKER: _joker,
    WildLook.QUESTION: _question,
    WildLook.TRIO: _trio,
    WildLook.PINWHEEL: _pinwheel,
}
