"""A disputed call in the live window: the three pieces enlarged, the verdict, and the kept past picture by picture."""

from __future__ import annotations

from collections import OrderedDict, deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from engine.editions import WildPieceError, edition
from engine.sets import Agreement, MixedKindsError, explain
from engine.tokens import Piece
from service.watch_teller import clock
from vision.live_overlay import Exhibit, Message, Playback, Tone
from vision.types import Image, Kind, Quad

if TYPE_CHECKING:
    from service.live.reel import Dispute
    from vision.tracks import Moment, Track

__all__ = ["Past", "PastConfig", "exhibit_of", "playback_of", "still_image", "title_of"]


@dataclass(frozen=True)
class PastConfig:
    """``seconds`` of places are kept, and cut-outs of so many ``pieces``, ``short`` pixels wide, with a ``rim`` round
    the piece as a share of that; ``oblong`` is the length of a card by its width. With no pieces nothing is kept.
    """

    seconds: float = 60.0
    pieces: int = 100
    short: int = 132
    rim: float = 0.05
    oblong: float = 1.55


class Past:
    """Where pieces lay when the table had settled, and what they looked like; in memory only."""

    def __init__(self, config: PastConfig | None = None) -> None:
        """Take the numbers of ``config``, by default the usual ones."""
        self.config = config or PastConfig()
        self._layouts: deque[tuple[float, tuple[int, int], tuple[Track, ...]]] = deque()
        self._pictures: OrderedDict[Piece, tuple[int, Image]] = OrderedDict()

    def keep(self, moment: Moment, image: Image) -> None:
        """Keep what lies there at a settled ``moment``, seen in the (height, width, 3) uint8 BGR ``image``."""
        if not moment.settled or not self.config.pieces:
            return
        tracks = tuple(track for track in moment if not track.hidden)
        if not self._layouts or _names(self._layouts[-1][2]) != _names(tracks):
            self._layouts.append((moment.time, moment.size, tracks))
        while len(self._layouts) > 1 and self._layouts[1][0] < moment.time - self.config.seconds:
            self._layouts.popleft()
        for track in tracks:
            known = self._pictures.get(track.reading.piece)
            if known is None or known[0] != track.identity:
                self._picture(track, image)

    def _picture(self, track: Track, image: Image) -> None:
        piece = track.reading.piece
        self._pictures[piece] = track.identity, _cut_out(image, track.reading.quad, track.reading.kind, self.config)
        self._pictures.move_to_end(piece)
        while len(self._pictures) > self.config.pieces:
            self._pictures.popitem(last=False)

    def picture(self, piece: Piece) -> Image | None:
        """Return the last cut-out of a piece, upright, (h, w, 3) uint8 BGR; None if it was never seen."""
        known = self._pictures.get(piece)
        return None if known is None else known[1]

    def tracks_at(self, time: float) -> tuple[tuple[Track, ...], tuple[int, int]]:
        """Return what lay there at ``time``, settled last, and the size of the picture it was seen in."""
        fitting = [entry for entry in self._layouts if entry[0] <= time] or list(self._layouts)[:1]
        return (fitting[-1][2], fitting[-1][1]) if fitting else ((), (0, 0))


def _names(tracks: tuple[Track, ...]) -> tuple[tuple[int, Piece], ...]:
    return tuple((track.identity, track.reading.piece) for track in tracks)


def _cut_out(image: Image, quad: Quad, kind: Kind, config: PastConfig) -> Image:
    """The piece upright, with its rim."""
    width = config.short
    height = round(width * config.oblong) if kind is Kind.CARD else width
    rim = config.rim * width
    right, bottom = width - rim, height - rim
    inner = np.array([[rim, rim], [right, rim], [right, bottom], [rim, bottom]], np.float32)
    matrix = cv2.getPerspectiveTransform(quad.corners, inner)
    return np.asarray(cv2.warpPerspective(image, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def title_of(dispute: Dispute) -> Message:
    """Return what a dispute is about."""
    who = f"{dispute.player} called" if dispute.player else "Looking back"
    nothing = "" if dispute.pieces else " · nothing was shown"
    return Message(f"{who} at {clock(dispute.at)}{nothing}")


def exhibit_of(dispute: Dispute, past: Past, key: str) -> Exhibit | None:
    """Return the three pieces of a dispute with the verdict, in the words of the edition ``key``; None without any."""
    if len(dispute.pieces) != 3:
        return None
    words = edition(key)
    verdict = Message("A SET" if dispute.is_set else "Not a SET", Tone.GOOD if dispute.is_set else Tone.BAD)
    return Exhibit(
        tuple(past.picture(piece) for piece in dispute.pieces),
        tuple(words.label(piece) for piece in dispute.pieces),
        verdict,
        _lines(dispute, key),
    )


def _lines(dispute: Dispute, key: str) -> tuple[Message, ...]:
    one, two, three = dispute.pieces
    try:
        checks = explain(one, two, three, edition(key)).checks
    except (MixedKindsError, WildPieceError):
        return tuple(Message(line) for line in dispute.lines)
    tones = [Tone.BAD if check.agreement is Agreement.BROKEN else Tone.GOOD for check in checks]
    return tuple(Message(check.line, tone) for check, tone in zip(checks, tones, strict=True))


def playback_of(dispute: Dispute) -> Playback:
    """Return where in the kept past the still of a dispute comes from."""
    return Playback(dispute.still.time, dispute.stills[0].time, dispute.stills[-1].time, dispute.at)


def still_image(dispute: Dispute, size: tuple[int, int]) -> Image:
    """Return the picture of the still as (height, width, 3) uint8 BGR of ``size`` (width, height); grey without one."""
    jpeg = dispute.still.jpeg
    image = None if jpeg is None else cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        return np.full((size[1], size[0], 3), 64, np.uint8)
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_LINEAR), np.uint8)
