"""Panels of text for live pictures: rows on a dark plate, and where a plate covers least.

Letters come in every script that OpenCV's own fonts hold. Images are (height, width, 3) uint8 in BGR order, sizes are
(width, height) in pixels, boxes are (left, top, right, bottom).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np

from vision.ink import BLACK, DOUBT, SHIFT, WHITE, Colour, Floats, text_size, write
from vision.types import Image

__all__ = [
    "PLATE",
    "Anchor",
    "Box",
    "Panel",
    "PanelConfig",
    "Row",
    "Tone",
    "best_anchor",
    "blit",
    "clipped",
    "filled",
    "render",
    "wrapped",
]

Box = tuple[float, float, float, float]

PLATE: Colour = (28, 24, 20)
_FADED: Colour = (165, 165, 165)
_GOOD: Colour = (115, 158, 0)
_BAD: Colour = (0, 94, 213)
_CHIP: Colour = (205, 205, 205)
_MORE = "…"


class Tone(StrEnum):
    """What kind of news a row is; each has its own sign, so that nobody needs to see colours."""

    PLAIN = "plain"
    GOOD = "good"
    BAD = "bad"
    ODD = "odd"


@dataclass(frozen=True)
class Row:
    """One row of a panel.

    ``size`` is how large its letters are in letters of the panel; ``key`` stands on a chip before the text, ``value``
    at the right end. ``strong`` rows are dark on bright, ``faded`` ones grey. A text that is too long is cut, or broken
    into at most ``lines`` lines.
    """

    text: str
    size: float = 1.0
    tone: Tone = Tone.PLAIN
    key: str = ""
    value: str = ""
    strong: bool = False
    faded: bool = False
    lines: int = 1


@dataclass(frozen=True)
class Panel:
    """Rows below one another, or ``across``: side by side."""

    rows: tuple[Row, ...]
    across: bool = False


@dataclass(frozen=True)
class PanelConfig:
    """Numbers of panels: in letters the ``pitch`` of the lines, the ``gap`` round a row and between its parts, and the
    width of a ``sign``; the share ``solid`` of the plate that hides what is below it; how far from the border a panel
    lies, as a share of the shorter side; what a panel costs that covers nothing but pieces (``cover``), or lies on
    another (``collision``); how much less the place costs that it had before, and how much more each next one.
    """

    pitch: float = 1.75
    gap: float = 0.6
    sign: float = 1.7
    solid: float = 0.82
    margin: float = 0.012
    cover: float = 5.0
    collision: float = 50.0
    loyalty: float = 0.12
    order: float = 0.01


_CONFIG = PanelConfig()


class Anchor(StrEnum):
    """Where in the picture a panel lies."""

    TOP_LEFT = "top left"
    TOP = "top"
    TOP_RIGHT = "top right"
    LEFT = "left"
    RIGHT = "right"
    BOTTOM_LEFT = "bottom left"
    BOTTOM = "bottom"
    BOTTOM_RIGHT = "bottom right"
    CENTRE = "centre"

    def corner(self, size: tuple[int, int], panel: tuple[int, int], config: PanelConfig = _CONFIG) -> tuple[int, int]:
        """Return the top left corner of a ``panel`` of that size in a picture of ``size``."""
        margin = round(config.margin * min(size))
        far = [max(0, whole - part - margin) for whole, part in zip(size, panel, strict=True)]
        middle = [max(0, (whole - part) // 2) for whole, part in zip(size, panel, strict=True)]
        x = margin if "left" in self.value else far[0] if "right" in self.value else middle[0]
        y = margin if "top" in self.value else far[1] if "bottom" in self.value else middle[1]
        return x, y


def best_anchor(
    size: tuple[int, int],
    panel: tuple[int, int],
    anchors: Sequence[Anchor],
    pieces: Floats,
    taken: Sequence[Box],
    before: Anchor | None = None,
    config: PanelConfig = _CONFIG,
) -> tuple[Anchor, float]:
    """Return the anchor at which a ``panel`` covers least, and the cost of that.

    ``pieces`` (n, 4) are boxes that it should not cover, ``taken`` those that it must not. The earlier of ``anchors``
    are preferred a little, and the one it had ``before`` more, so that it does not jump about.
    """
    area = max(1.0, float(panel[0] * panel[1]))
    costs = []
    for place, anchor in enumerate(anchors):
        x, y = anchor.corner(size, panel, config)
        box = (x, y, x + panel[0], y + panel[1])
        cost = config.cover * _overlap(box, pieces) / area + config.order * place
        cost += config.collision * _overlap(box, np.array(taken, np.float64).reshape(-1, 4)) / area
        costs.append(cost - config.loyalty * (anchor is before))
    best = int(np.argmin(costs))
    return anchors[best], costs[best]


def _overlap(box: tuple[float, float, float, float], others: Floats) -> float:
    """How many square pixels of ``box`` the ``others`` (n, 4) cover, each counted."""
    if not len(others):
        return 0.0
    width = np.minimum(others[:, 2], box[2]) - np.maximum(others[:, 0], box[0])
    height = np.minimum(others[:, 3], box[3]) - np.maximum(others[:, 1], box[1])
    return float((np.maximum(width, 0) * np.maximum(height, 0)).sum())


def filled(size: tuple[int, int], colour: Colour) -> Image:
    """Return a sheet of ``size`` (width, height) in one colour."""
    sheet = np.empty((size[1], size[0], 3), np.uint8)
    cv2.rectangle(sheet, (0, 0), size, colour, -1)  # much quicker than numpy does it
    return sheet


def blit(canvas: Image, sheet: Image, corner: tuple[int, int], solid: float = 1.0) -> None:
    """Lay ``sheet`` on ``canvas``, its top left at ``corner``; what does not fit is cut, ``solid`` in 0..1 hides."""
    x, y = corner
    left, top = max(0, x), max(0, y)
    right, bottom = min(canvas.shape[1], x + sheet.shape[1]), min(canvas.shape[0], y + sheet.shape[0])
    if left >= right or top >= bottom:
        return
    part, below = sheet[top - y : bottom - y, left - x : right - x], canvas[top:bottom, left:right]
    if solid >= 1:
        below[:] = part
    else:
        below[:] = cv2.addWeighted(part, solid, below, 1 - solid, 0)


def clipped(text: str, height: float, room: float) -> str:
    """Return ``text``, cut with "…" if its letters of ``height`` pixels need more than ``room`` pixels."""
    if text_size(text, height)[0] <= room:
        return text
    least, most = 0, len(text) - 1
    while least < most:
        middle = (least + most + 1) // 2
        fits = text_size(text[:middle].rstrip() + _MORE, height)[0] <= room
        least, most = (middle, most) if fits else (least, middle - 1)
    return text[:least].rstrip() + _MORE


def wrapped(text: str, height: float, room: float, most: int) -> tuple[str, ...]:
    """Return ``text`` in at most ``most`` lines of at most ``room`` pixels; the last is cut with "…" if it must be."""
    lines: list[str] = []
    words = text.split()
    while words and len(lines) < most - 1:
        count = len(words)
        while count > 1 and text_size(" ".join(words[:count]), height)[0] > room:
            count -= 1
        lines.append(clipped(" ".join(words[:count]), height, room))
        words = words[count:]
    return (*lines, clipped(" ".join(words), height, room)) if words or not lines else tuple(lines)


@dataclass(frozen=True)
class _Block:
    """A row measured: its lines, and pixels of letters, signs, keys, text and value."""

    row: Row
    lines: tuple[str, ...]
    letter: float
    lead: float
    text: float
    value: float
    gap: float
    pitch: float

    @property
    def width(self) -> float:
        return self.lead + self.text + (self.value + 2 * self.gap if self.value else 0) + 2 * self.gap

    @property
    def height(self) -> float:
        return self.pitch * max(1, len(self.lines))


def render(panel: Panel, letter: float, room: float, config: PanelConfig = _CONFIG) -> Image:
    """Return the plate of ``panel``, its capitals ``letter`` pixels high, at most ``room`` pixels wide."""
    blocks = [_measured(row, letter, room, config) for row in panel.rows]
    if panel.across:
        blocks = _fitting(blocks, panel, letter, room, config)
    pad = config.gap * letter * 0.5
    width = sum(block.width for block in blocks) if panel.across else max((block.width for block in blocks), default=0)
    height = max((block.height for block in blocks), default=0)
    height = height if panel.across else sum(block.height for block in blocks)
    sheet = filled((max(1, round(width)), max(1, round(height + 2 * pad))), PLATE)
    x, y = 0.0, pad
    for block in blocks:
        _draw(sheet, block, (x, y), block.width if panel.across else width)
        x, y = (x + block.width, y) if panel.across else (x, y + block.height)
    return sheet


def _fitting(blocks: list[_Block], panel: Panel, letter: float, room: float, config: PanelConfig) -> list[_Block]:
    """The ``blocks`` side by side: where they do not fit, each gets its share."""
    total = sum(block.width for block in blocks)
    if total <= room:
        return blocks
    shares = [room * block.width / total for block in blocks]
    return [_measured(row, letter, share, config) for row, share in zip(panel.rows, shares, strict=True)]


def _measured(row: Row, letter: float, room: float, config: PanelConfig) -> _Block:
    size = letter * row.size
    gap = config.gap * size
    lead = (text_size(row.key, size)[0] + 2.2 * gap) if row.key else 0.0
    lead += config.sign * size if row.tone is not Tone.PLAIN else 0.0
    value = text_size(row.value, size)[0] if row.value else 0.0
    left = max(size, room - lead - value - (4 if value else 2) * gap)
    lines = wrapped(row.text, size, left, row.lines)
    text = max(text_size(line, size)[0] for line in lines)
    return _Block(row, lines, size, lead, text, value, gap, config.pitch * size)


def _draw(sheet: Image, block: _Block, at: tuple[float, float], width: float) -> None:
    row, (x, y) = block.row, at
    if row.strong:
        cv2.rectangle(sheet, (round(x), round(y)), (round(x + width) - 1, round(y + block.height) - 1), DOUBT, -1)
    colour = BLACK if row.strong else _FADED if row.faded else WHITE
    middle = y + block.pitch / 2
    x += block.gap
    if row.key:
        x = _key(sheet, row.key, (x, middle), block)
    if row.tone is not Tone.PLAIN:
        _sign(sheet, row.tone, (x + 0.6 * block.letter, middle), 0.75 * block.letter)
        x = at[0] + block.gap + block.lead
    for number, line in enumerate(block.lines):
        write(sheet, line, (x, middle + number * block.pitch), block.letter, colour, None)
    if row.value:
        right = at[0] + width - block.gap - block.value
        write(sheet, row.value, (right, middle), block.letter, colour, None)


def _key(sheet: Image, key: str, at: tuple[float, float], block: _Block) -> float:
    """Draw a key on its chip; where the text may begin."""
    wide = text_size(key, block.letter)[0]
    half = 0.72 * block.letter
    start, end = (round(at[0]), round(at[1] - half)), (round(at[0] + wide + block.gap), round(at[1] + half))
    cv2.rectangle(sheet, start, end, _CHIP, -1)
    write(sheet, key, (at[0] + block.gap / 2, at[1]), block.letter, BLACK, None)
    return at[0] + wide + 2.2 * block.gap


def _sign(sheet: Image, tone: Tone, centre: tuple[float, float], radius: float) -> None:
    """A disc with a tick, a cross or a question mark."""
    colour = {Tone.GOOD: _GOOD, Tone.BAD: _BAD}.get(tone, DOUBT)
    fixed = (round(centre[0] * 2**SHIFT), round(centre[1] * 2**SHIFT))
    cv2.circle(sheet, fixed, round(radius * 2**SHIFT), colour, -1, cv2.LINE_AA, SHIFT)
    if tone is Tone.ODD:
        height = 1.25 * radius
        write(sheet, "?", (centre[0] - text_size("?", height)[0] / 2, centre[1]), height, BLACK, None)
        return
    strokes = [[(-0.5, 0.05), (-0.12, 0.42), (0.5, -0.4)]]
    if tone is Tone.BAD:
        strokes = [[(-0.42, -0.42), (0.42, 0.42)], [(-0.42, 0.42), (0.42, -0.42)]]
    for line in strokes:
        points = np.rint((np.array(line) * radius + centre) * 2**SHIFT).astype(np.int32)
        cv2.polylines(sheet, [points], False, WHITE, max(1, round(radius / 4)), cv2.LINE_AA, SHIFT)
