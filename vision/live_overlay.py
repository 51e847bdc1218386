"""Draws a live table on a copy of its picture: names, SETs, scores, whose table it is, messages, a dispute, the help.

It knows no rules: a :class:`LiveView` says what there is to show. Panels lie where they cover least, at the border
where they can, and what does not change is drawn once. Everything grows with the picture. Images are
(height, width, 3) uint8 in BGR order.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from vision.ink import BLACK, DOUBT, SHIFT, WHITE, Colour, Floats, between, text_size, write
from vision.live_panels import (
    PLATE,
    Anchor,
    Box,
    Panel,
    PanelConfig,
    Row,
    Tone,
    best_anchor,
    blit,
    clipped,
    filled,
    render,
)
from vision.overlay import draw
from vision.types import Image, Mark, Quad

__all__ = ["Exhibit", "LiveConfig", "LiveOverlay", "LiveView", "Message", "Playback", "Seat", "Tag", "Tone"]


@dataclass(frozen=True, eq=False)
class Tag:
    """A piece to name.

    ``names`` are ways of writing its name, the longest first: the first one that has room is taken, or none. ``groups``
    are the numbers of the SETs that it is shown in, from 1. ``faded``: it is not seen now.
    """

    quad: Quad
    names: tuple[str, ...] = ()
    groups: tuple[int, ...] = ()
    doubtful: bool = False
    faded: bool = False


@dataclass(frozen=True)
class Seat:
    """A player: name, points as text, the ``key`` that calls, a ``remark`` ("out"); ``active``: the table is theirs."""

    name: str
    points: str = ""
    key: str = ""
    remark: str = ""
    active: bool = False


@dataclass(frozen=True)
class Message:
    """A sentence for the players, with what kind of news it is."""

    text: str
    tone: Tone = Tone.PLAIN


@dataclass(frozen=True, eq=False)
class Exhibit:
    """Pieces of a dispute, enlarged side by side.

    ``pictures`` are upright (h, w, 3) uint8 BGR cut-outs, None where there is none; ``labels`` their names; below them
    stand the ``verdict`` and its ``lines``.
    """

    pictures: tuple[Image | None, ...]
    labels: tuple[str, ...]
    verdict: Message
    lines: tuple[Message, ...] = ()


@dataclass(frozen=True)
class Playback:
    """Where in the kept past the picture comes from: seconds ``start`` <= ``at`` <= ``end``; the ``call``, if any."""

    at: float
    start: float
    end: float
    call: float | None = None


@dataclass(frozen=True)
class LiveView:
    """Everything to be shown on one picture.

    ``banner`` says whose table it is, ``status`` what goes on ("hands on the table"); ``notes`` stand below the
    ``seats``. With ``help`` (keys and what they do) nothing else is shown, and an ``exhibit`` replaces the tags.
    """

    tags: tuple[Tag, ...] = ()
    seats: tuple[Seat, ...] = ()
    notes: tuple[str, ...] = ()
    banner: Message | None = None
    status: str = ""
    messages: tuple[Message, ...] = ()
    exhibit: Exhibit | None = None
    playback: Playback | None = None
    help: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class LiveConfig:
    """Numbers of the overlay.

    ``letter`` is the height of capitals in a picture of ``reference`` (width, height) pixels, and grows with it, from
    ``least`` pixels; scores and banner are so many letters high. ``panel``, ``news``: the widest panel of scores, of
    anything else, as shares of the picture. Names of pieces: their letters as a share of the short side, their least
    and largest in letters; how much of a piece its name may cover, and how high a name of two lines may be, as shares
    of its height in the picture; how wide, of its width. ``dim``: what is left of a picture behind an exhibit.
    ``kept`` panels are not drawn again.
    """

    letter: float = 11.0
    reference: tuple[int, int] = (640, 480)
    least: float = 8.0
    score: float = 1.25
    banner: float = 1.7
    panel: float = 0.42
    news: float = 0.94
    message_lines: int = 4
    tag: float = 0.12
    tag_least: float = 0.6
    tag_most: float = 1.1
    tag_inside: float = 0.1
    tag_two: float = 0.28
    tag_wide: float = 1.1
    dim: float = 0.3
    kept: int = 96
    plates: PanelConfig = field(default_factory=PanelConfig)


_SIDES = (
    Anchor.TOP_RIGHT,
    Anchor.TOP_LEFT,
    Anchor.BOTTOM_RIGHT,
    Anchor.BOTTOM_LEFT,
    Anchor.RIGHT,
    Anchor.LEFT,
)
_EDGES = (Anchor.TOP, Anchor.BOTTOM)
_BANNER = (Anchor.TOP, Anchor.BOTTOM, Anchor.TOP_LEFT, Anchor.TOP_RIGHT, Anchor.BOTTOM_LEFT, Anchor.BOTTOM_RIGHT)
_NEWS = (Anchor.BOTTOM, Anchor.TOP, Anchor.BOTTOM_LEFT, Anchor.BOTTOM_RIGHT, Anchor.TOP_LEFT, Anchor.TOP_RIGHT)
_TAG_FADED: Colour = (110, 110, 110)


class LiveOverlay:
    """Draws views one after another; it remembers panels that were drawn, and where they lay."""

    def __init__(self, config: LiveConfig | None = None) -> None:
        """Take the numbers of ``config``, by default the usual ones."""
        self.config = config or LiveConfig()
        self._sheets: OrderedDict[object, Image] = OrderedDict()
        self._anchors: dict[str, Anchor] = {}
        self._marks = _Marks()

    def draw(self, image: Image, view: LiveView) -> Image:
        """Return a copy of ``image`` with all of ``view`` on it; the size stays, the caller's array too."""
        if view.help:
            return self._helped(image, view.help)
        if view.exhibit is not None:
            return self._exhibited(image, view, view.exhibit)
        canvas = self._marked(image, view.tags)
        self._panels(canvas, view)
        return canvas

    def letter(self, image: Image) -> float:
        """Return the height of capitals on ``image`` in pixels."""
        height, width = image.shape[:2]
        wide, high = self.config.reference
        # a picture upright has room for fewer letters across, but is as high as it is
        grown = min(width / wide, height / high) if width >= height else min(width / high, height / wide)
        return float(max(self.config.least, self.config.letter * grown))

    def _marked(self, image: Image, tags: tuple[Tag, ...]) -> Image:
        """A copy of the picture with outlines and names; those that lie as before are not drawn again."""
        state = (image.shape, tuple(_state(tag) for tag in tags))
        if self._marks.state != state:
            self._marks = _Marks(state)
            return self._freshly_marked(image, tags)
        if self._marks.ink is None or self._marks.mask is None:
            canvas = self._freshly_marked(image, tags)
            self._marks.ink = canvas.copy()
            self._marks.mask = np.asarray((canvas != image).any(axis=2), np.uint8)
            return canvas
        canvas = np.array(image, np.uint8, order="C", copy=True)
        cv2.copyTo(self._marks.ink, self._marks.mask, canvas)
        return canvas

    def _freshly_marked(self, image: Image, tags: tuple[Tag, ...]) -> Image:
        canvas = draw(image, [Mark(tag.quad, "", tag.groups, tag.doubtful) for tag in tags if _is_marked(tag)])
        _outline(canvas, [tag.quad for tag in tags if not _is_marked(tag)])
        self._name(canvas, tags)
        return canvas

    def _sheet(self, panel: Panel, letter: float, room: float) -> Image:
        """The plate of a panel, drawn once."""
        key = (panel, round(letter, 2), round(room))
        if key not in self._sheets:
            self._keep(key, render(panel, letter, room, self.config.plates))
        self._sheets.move_to_end(key)
        return self._sheets[key]

    def _keep(self, key: object, sheet: Image) -> None:
        self._sheets[key] = sheet
        while len(self._sheets) > self.config.kept:
            self._sheets.popitem(last=False)

    def _panels(self, canvas: Image, view: LiveView) -> None:
        """The scores first, for they always lie there; the others make room."""
        letter, width = self.letter(canvas), canvas.shape[1]
        pieces, taken = _boxes(view.tags, letter), list[Box]()
        measure = (letter, self.config.news * width)
        if view.playback is not None:
            taken.append(self._bar(canvas, view.playback, letter))
        if view.seats or view.notes:
            self._lay(canvas, "scores", self._scores(view, letter, width), measure, pieces, taken)
        if rows := self._banner(view):
            self._lay(canvas, "banner", [(Panel(rows), _BANNER)], measure, pieces, taken)
        lines = self.config.message_lines
        if news := tuple(Row(one.text, tone=one.tone, lines=lines) for one in view.messages if one.text):
            self._lay(canvas, "news", [(Panel(news), _NEWS)], measure, pieces, taken)

    def _banner(self, view: LiveView) -> tuple[Row, ...]:
        size = self.config.banner
        rows = [] if view.banner is None else [Row(view.banner.text, size, view.banner.tone, lines=2)]
        return (*rows, *([Row(view.status, 1.1)] if view.status else []))

    def _scores(self, view: LiveView, letter: float, width: int) -> list[tuple[Panel, Sequence[Anchor]]]:
        """The scores in a column and, for a picture whose sides are full, in one line if that has room."""
        seats = [self._seat(seat, letter, self.config.panel * width) for seat in view.seats]
        notes = [Row(note, faded=True) for note in view.notes]
        column, line = Panel((*seats, *notes)), Panel((*seats, *notes), across=True)
        shapes: list[tuple[Panel, Sequence[Anchor]]] = [(column, _SIDES)]
        if self._sheet(line, letter, 9 * width).shape[1] <= self.config.news * width:
            shapes.append((line, _EDGES))
        return shapes

    def _seat(self, seat: Seat, letter: float, room: float) -> Row:
        size = self.config.score
        points = " ".join(part for part in (seat.remark, seat.points) if part)
        name = clipped(
            seat.name, size * letter, room - text_size(f"{seat.key} {points}", size * letter)[0] - 4 * letter
        )
        faded = bool(seat.remark) and not seat.active
        return Row(name, size, key=seat.key, value=points, strong=seat.active, faded=faded)

    def _lay(
        self,
        canvas: Image,
        name: str,
        shapes: Sequence[tuple[Panel, Sequence[Anchor]]],
        measure: tuple[float, float],
        pieces: Floats,
        taken: list[Box],
    ) -> None:
        """Lay one of the ``shapes`` of a panel where it covers least, and note the box that is taken then."""
        size, found = (canvas.shape[1], canvas.shape[0]), []
        for panel, anchors in shapes:
            sheet = self._sheet(panel, *measure)
            box = (sheet.shape[1], sheet.shape[0])
            best = best_anchor(size, box, anchors, pieces, taken, self._anchors.get(name), self.config.plates)
            found.append((best[1] * box[0] * box[1], best[0], sheet))
        _, anchor, sheet = min(found, key=lambda one: one[0])
        self._anchors[name] = anchor
        x, y = anchor.corner(size, (sheet.shape[1], sheet.shape[0]), self.config.plates)
        blit(canvas, sheet, (x, y), self.config.plates.solid)
        taken.append((x, y, x + sheet.shape[1], y + sheet.shape[0]))

    def _name(self, canvas: Image, tags: Sequence[Tag]) -> None:
        """Write the names at the topmost sides of their pieces, mostly outside, clear of the symbols."""
        letter = self.letter(canvas)
        for tag in tags:
            sheet = self._tag_sheet(tag, letter)
            if sheet is None:
                continue
            x, y = _topmost(tag.quad)
            height = sheet.shape[0]
            inside = min(height / 2, self.config.tag_inside * float(np.ptp(tag.quad.corners[:, 1])))
            blit(canvas, sheet, _inside((round(x - sheet.shape[1] / 2), round(y + inside - height)), sheet, canvas))

    def _tag_sheet(self, tag: Tag, letter: float) -> Image | None:
        wide, high = (round(float(size) / 4) * 4 for size in np.ptp(tag.quad.corners, axis=0))
        least, most = self.config.tag_least * letter, self.config.tag_most * letter
        least = max(self.config.least, least)
        wanted = max(self.config.least, float(round(between(least, self.config.tag * tag.quad.short_side, most))))
        key = (tag.names, tag.doubtful, tag.faded, wide, high, wanted)
        if key not in self._sheets:
            lines, height = _fitted(tag, wanted, least, (self.config.tag_wide * wide, self.config.tag_two * high))
            if not lines:
                return None
            self._keep(key, _tag_plate(lines, height, tag))
        self._sheets.move_to_end(key)
        return self._sheets[key]

    def _helped(self, image: Image, keys: tuple[tuple[str, str], ...]) -> Image:
        """The picture dimmed, the keys on it, as large as they fit."""
        canvas = _dimmed(image, self.config.dim)
        height, width = canvas.shape[:2]
        letter = min(1.15 * self.letter(canvas), 0.92 * height / (self.config.plates.pitch * (len(keys) + 1)))
        letter = max(6.0, letter)
        column = max(text_size(key, letter)[0] for key, _ in keys) + 1.5 * letter
        rows = tuple(Row(" ", key=key, value="") for key, _ in keys)
        sheet = self._sheet(Panel(rows), letter, column + 4 * letter).copy()
        texts = self._sheet(Panel(tuple(Row(text) for _, text in keys)), letter, 0.95 * width - sheet.shape[1])
        both = np.hstack([sheet, texts])
        blit(canvas, both, Anchor.CENTRE.corner((width, height), (both.shape[1], both.shape[0])), 0.95)
        return canvas

    def _bar(self, canvas: Image, playback: Playback, letter: float) -> Box:
        """A bar at the bottom: the kept past, the call, and where we are in it."""
        height, width = canvas.shape[:2]
        high, margin = round(2.4 * letter), round(1.2 * letter)
        text = _ago(playback)
        wide = round(text_size("00.0 s before the call", letter)[0] + 2 * margin)
        sheet = filled((width, high), PLATE)
        write(sheet, text, (margin, high / 2), letter, WHITE, None)
        left, right, middle = wide, width - margin, high // 2
        cv2.line(sheet, (left, middle), (right, middle), (150, 150, 150), max(1, round(letter / 5)))
        span = max(1e-6, playback.end - playback.start)
        marks = [(playback.call, DOUBT, 0.5), (playback.at, WHITE, 0.9)]
        for at, colour, reach in marks:
            if at is not None:
                x = round(left + (right - left) * between(0.0, (at - playback.start) / span, 1.0))
                half = round(reach * letter)
                cv2.rectangle(
                    sheet, (x - max(1, half // 4), middle - half), (x + max(1, half // 4), middle + half), colour, -1
                )
        blit(canvas, sheet, (0, height - high), 0.9)
        return (0.0, float(height - high), float(width), float(height))

    def _exhibited(self, image: Image, view: LiveView, exhibit: Exhibit) -> Image:
        """The pieces large and side by side on the dimmed picture, what it is about above, the verdict below."""
        canvas = _dimmed(image, self.config.dim)
        (height, width), letter, top = canvas.shape[:2], self.letter(canvas), 0
        bar = round(canvas.shape[0] - self._bar(canvas, view.playback, letter)[1]) if view.playback else 0
        if rows := self._banner(view):
            title = self._sheet(Panel(rows), letter, self.config.news * width)
            blit(canvas, title, (max(0, (width - title.shape[1]) // 2), round(0.6 * letter)), 0.95)
            top = title.shape[0] + round(0.6 * letter)
        words = self._sheet(self._judgement(exhibit), letter, self.config.news * width)
        below = height - bar - words.shape[0] - round(0.6 * letter)
        room = below - top - round(4.5 * letter)
        self._pieces(canvas, exhibit, letter, (top + round(0.8 * letter), max(round(4 * letter), room)))
        blit(canvas, words, (max(0, (width - words.shape[1]) // 2), max(0, below)), 0.95)
        return canvas

    def _judgement(self, exhibit: Exhibit) -> Panel:
        verdict = Row(exhibit.verdict.text, 1.5, exhibit.verdict.tone, lines=2)
        return Panel((verdict, *(Row(one.text, 1.15, one.tone, lines=2) for one in exhibit.lines)))

    def _pieces(self, canvas: Image, exhibit: Exhibit, letter: float, span: tuple[int, int]) -> None:
        """The pictures in a row from ``span`` (top, height) on, each with its label below."""
        top, height = span
        count = max(1, len(exhibit.labels))
        column = canvas.shape[1] / count
        for place, (picture, label) in enumerate(zip(exhibit.pictures, exhibit.labels, strict=True)):
            middle = (place + 0.5) * column
            if picture is not None:
                scale = min(height / picture.shape[0], 0.9 * column / picture.shape[1])
                size = (max(1, round(picture.shape[1] * scale)), max(1, round(picture.shape[0] * scale)))
                shown = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_LINEAR), np.uint8)
                blit(canvas, shown, (round(middle - size[0] / 2), top + (height - size[1]) // 2))
            sheet = self._sheet(Panel((Row(label, 1.1, lines=2),)), letter, 0.96 * column)
            blit(canvas, sheet, (round(middle - sheet.shape[1] / 2), top + height + round(0.4 * letter)), 0.9)


@dataclass(eq=False)
class _Marks:
    """Outlines and names as they were drawn last: ``ink`` (h, w, 3) counts where ``mask`` (h, w) is not 0."""

    state: object = None
    ink: Image | None = None
    mask: Image | None = None


def _is_marked(tag: Tag) -> bool:
    """Whether more than a plain outline is to be drawn."""
    return bool(tag.groups) or tag.doubtful


def _outline(canvas: Image, quads: Sequence[Quad]) -> None:
    """White outlines cased in black, all at once: they are many, and the same on every picture."""
    if not quads:
        return
    width = max(1, round(max(canvas.shape[:2]) / 800))
    lines = [np.rint(quad.corners * 2**SHIFT).astype(np.int32) for quad in quads]
    cv2.polylines(canvas, lines, True, BLACK, width + 2, cv2.LINE_AA, SHIFT)
    cv2.polylines(canvas, lines, True, WHITE, width, cv2.LINE_AA, SHIFT)


def _state(tag: Tag) -> tuple[object, ...]:
    """All that the drawing of a piece depends on."""
    return (tag.quad.corners.tobytes(), tag.names, tag.groups, tag.doubtful, tag.faded)


def _ago(playback: Playback) -> str:
    """Where in the past we are, in words."""
    if playback.call is None:
        return f"{max(0.0, playback.end - playback.at):.1f} s ago"
    after = round(playback.at - playback.call, 1)
    return f"{abs(after):.1f} s {'after' if after > 0 else 'before'} the call" if after else "at the call"


def _dimmed(image: Image, share: float) -> Image:
    return np.asarray(cv2.convertScaleAbs(image, alpha=share), np.uint8)


def _boxes(tags: Sequence[Tag], letter: float) -> Floats:
    """(n, 4) boxes of the pieces with their names."""
    if not tags:
        return np.zeros((0, 4))
    corners = np.stack([tag.quad.corners for tag in tags]).astype(np.float64)
    return np.concatenate([corners.min(axis=1) - [0, letter], corners.max(axis=1)], axis=1)


def _topmost(quad: Quad) -> tuple[float, float]:
    """The middle of the topmost side."""
    corners = quad.corners.astype(np.float64)
    middles = (corners + np.roll(corners, -1, axis=0)) / 2
    x, y = middles[int(np.argmin(middles[:, 1]))]
    return float(x), float(y)


def _inside(corner: tuple[int, int], sheet: Image, canvas: Image) -> tuple[int, int]:
    """The corner, moved so that the sheet lies inside the picture."""
    x = max(0, min(corner[0], canvas.shape[1] - sheet.shape[1]))
    return x, max(0, min(corner[1], canvas.shape[0] - sheet.shape[0]))


def _fitted(tag: Tag, wanted: float, least: float, room: tuple[float, float]) -> tuple[tuple[str, ...], float]:
    """The lines of a name and the height of its letters; none if not even the shortest name has ``room``.

    ``room`` is the widest a name may be, and the highest one of two lines.
    """
    for name in tag.names:
        asked = f"? {name}" if tag.doubtful else name
        for lines in ((asked,), _two(asked)):
            wide = max((text_size(line, wanted)[0] for line in lines), default=0.0)
            if wide <= 0:
                continue
            height = min(wanted, wanted * (room[0] - wanted) / wide)
            if height >= least and (len(lines) == 1 or 3.2 * height <= room[1]):
                return lines, height
    return (), 0.0


def _two(text: str) -> tuple[str, ...]:
    """``text`` broken into two lines as equal as can be."""
    words = text.split()
    breaks = [(" ".join(words[:place]), " ".join(words[place:])) for place in range(1, len(words))]
    return min(breaks, key=lambda lines: max(map(len, lines)), default=())


def _tag_plate(lines: tuple[str, ...], height: float, tag: Tag) -> Image:
    """Black on white, on yellow where it is in doubt; white on grey for a piece that is not seen."""
    pad, pitch = round(0.45 * height), 1.5 * height
    wide = max(text_size(line, height)[0] for line in lines)
    size = (round(wide + 2 * pad), round(pitch * (len(lines) - 1) + height + 1.6 * pad))
    ground = DOUBT if tag.doubtful else _TAG_FADED if tag.faded else WHITE
    colour = WHITE if tag.faded and not tag.doubtful else BLACK
    sheet = filled(size, ground)
    for number, line in enumerate(lines):
        left = (size[0] - text_size(line, height)[0]) / 2
        write(sheet, line, (left, 0.8 * pad + height / 2 + number * pitch), height, colour, None)
    return sheet
