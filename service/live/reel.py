"""The last minute of a table, kept in memory for disputes: what lay there when, with small pictures."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace

from engine.layout import Layout
from engine.tokens import Piece
from service.live.errors import NoReplayError
from service.live.settings import LiveSettings
from service.stills import small_jpeg
from vision.types import Image

__all__ = ["Dispute", "Reel", "Still"]

_ENTRY_BYTES = 64
"""About what a place with its piece takes."""


@dataclass(frozen=True, slots=True)
class Still:
    """The table at one ``time``: the layout then or settled last, and a small picture as JPEG, if one was given."""

    time: float
    layout: Layout
    settled: bool
    jpeg: bytes | None = None

    @property
    def size(self) -> int:
        """About how many bytes it takes."""
        return len(self.jpeg or b"") + _ENTRY_BYTES * (1 + len(self.layout))


@dataclass(frozen=True, slots=True)
class Dispute:
    """A call that is looked at again, frozen: nothing that happens later changes it.

    ``at`` is when it was called, ``player`` who called, ``pieces`` the three that were then shown, if any, and
    ``lines`` the verdict on them, feature by feature. ``place`` is the still that is looked at.
    """

    at: float
    stills: tuple[Still, ...]
    place: int
    player: str | None = None
    pieces: tuple[Piece, ...] = ()
    is_set: bool | None = None
    lines: tuple[str, ...] = ()
    text: str = ""

    @property
    def still(self) -> Still:
        """The still that is looked at."""
        return self.stills[self.place]

    def step(self, steps: int) -> Dispute:
        """Return the same dispute at a later still, or an earlier one for negative ``steps``; it stops at both ends."""
        return replace(self, place=min(max(0, self.place + steps), len(self.stills) - 1))


class Reel:
    """Keeps stills at a modest rate, bounded by seconds and by bytes; the oldest go first."""

    def __init__(self, settings: LiveSettings) -> None:
        self._settings = settings
        self._stills: deque[Still] = deque()
        self._bytes = 0
        self._latest: bytes | None = None

    def __len__(self) -> int:
        return len(self._stills)

    @property
    def size(self) -> int:
        """About how many bytes are kept."""
        return self._bytes

    def keep(self, time: float, layout: Layout, settled: bool, image: Image | None, jpeg: bytes | None = None) -> None:
        """Keep what lies there at ``time``, if it is time for a still or the layout has changed.

        ``image`` is BGR; a ``jpeg`` that is small already is kept as it is. Where neither comes, the last ``jpeg``
        still shows the table: whoever makes them does not make one of every picture.
        """
        self._latest = jpeg or self._latest
        settings = self._settings
        if not settings.replay or not self._wants(time, layout, settled):
            return
        picture = self._latest if image is None else small_jpeg(image, settings.replay_width, settings.replay_quality)
        still = Still(time, layout, settled, picture)
        self._stills.append(still)
        self._bytes += still.size
        while len(self._stills) > 1 and self._is_too_much(time):
            self._bytes -= self._stills.popleft().size

    def _wants(self, time: float, layout: Layout, settled: bool) -> bool:
        if not self._stills:
            return True
        last = self._stills[-1]
        new = settled and (not last.settled or layout != last.layout)
        return new or time >= last.time + 1 / self._settings.replay_rate or time < last.time

    def _is_too_much(self, now: float) -> bool:
        # One still from before the span stays, for it shows what lay there when the span began.
        old = len(self._stills) > 1 and self._stills[1].time < now - self._settings.replay_seconds
        return old or self._bytes > self._settings.replay_bytes

    def frozen(self, at: float) -> tuple[tuple[Still, ...], int]:
        """Return all stills and the place of the last settled one that is not after ``at``; else of the first.

        :raises NoReplayError: nothing has been kept.
        """
        stills = tuple(self._stills)
        if not stills:
            raise NoReplayError
        fitting = [place for place, still in enumerate(stills) if still.settled and still.time <= at]
        return stills, fitting[-1] if fitting else 0
