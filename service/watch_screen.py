"""What people have chosen to see in the live window, and what is shown there now."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine.hints import HintLevel
from service.live.happenings import Happening, HappeningKind
from service.watch_dispute import Past, exhibit_of, playback_of, still_image, title_of
from service.watch_keys import keys_help
from service.watch_mend import Mending
from service.watch_view import (
    Detail,
    SetFinder,
    banner_of,
    hint_note,
    message_of,
    open_questions,
    seats_of,
    shown_sets,
    status_of,
    tags_of,
)
from vision.live_overlay import Exhibit, LiveOverlay, LiveView, Message, Tag
from vision.types import Image, Quad

if TYPE_CHECKING:
    from service.live.reel import Dispute
    from service.watch_game import LiveGame
    from vision.tracks import Moment

__all__ = ["Screen", "ScreenConfig"]

_HELP = "? help"
_REPLAY = "← → step · Esc back to the table"


@dataclass(frozen=True)
class ScreenConfig:
    """Messages stay for ``seconds`` of the source, no more than ``most`` at a time."""

    seconds: float = 7.0
    most: int = 2


@dataclass
class Screen:
    """The state of the window: what is on and off, messages, and a dispute that is looked at.

    ``level`` is how much is told of SETs, ``most`` how much the table allows; ``every``: all SETs at once.
    """

    level: HintLevel
    most: HintLevel
    every: bool
    sets: SetFinder
    past: Past
    call_limit: float | None = None
    config: ScreenConfig = field(default_factory=ScreenConfig)
    detail: Detail = Detail.NAMES
    scores: bool = True
    help: bool = False
    paused: bool = False
    trouble: str = ""
    candidate: int = 0
    dispute: Dispute | None = None
    mending: Mending | None = None
    now: float = 0.0
    _called: float | None = None
    _place: int = 0
    _exhibit: Exhibit | None = None
    _news: deque[tuple[float, Message]] = field(default_factory=lambda: deque(maxlen=8))
    _overlay: LiveOverlay = field(default_factory=LiveOverlay)

    def say(self, text: str) -> None:
        """Show a message for a while."""
        self._news.append((self.now, Message(text)))

    def hear(self, happenings: Sequence[Happening]) -> None:
        """Show what has happened for a while."""
        for one in happenings:
            message = message_of(one)
            if message is not None:
                self._news.append((self.now, message))
            if one.kind is HappeningKind.EVENT and one.type == "called" and one.ok:
                self._called = one.time
            if one.kind is HappeningKind.ODDITY:
                self.candidate = 0

    def look_back(self, dispute: Dispute, key: str) -> None:
        """Show a dispute, in the words of the edition ``key``."""
        self.dispute, self._place = dispute, dispute.place
        self._exhibit = exhibit_of(dispute, self.past, key)

    def step(self, steps: int) -> None:
        """Go on in the kept past, or back; while a piece is corrected, through the values of its feature."""
        if self.mending is not None:
            self.mending = self.mending.changed(steps)
        elif self.dispute is not None:
            self.dispute = self.dispute.step(steps)

    def drawn(self, image: Image, moment: Moment, game: LiveGame) -> Image:
        """Return a copy of the (height, width, 3) uint8 BGR ``image`` with everything on it."""
        if self.help:
            return self._overlay.draw(image, LiveView(help=keys_help(game.table is not None)))
        if self.dispute is not None:
            return self._looking_back(image, self.dispute, game)
        return self._overlay.draw(image, self.view(moment, game))

    def view(self, moment: Moment, game: LiveGame) -> LiveView:
        """Return what is to be drawn at a moment."""
        table, news = game.table, self._fresh()
        sets = self.sets.sets(moment)
        groups = shown_sets(sets, self.level, self.every) if self.detail is not Detail.NOTHING else {}
        notes = tuple(note for note in (hint_note(sets, self.level), _HELP) if note)
        status = status_of(moment, self.paused, self.trouble)
        banner = None
        if self.mending is not None:
            banner, status = self.mending.banner, self.mending.status
            groups = {n: (1,) for n, one in enumerate(moment) if one.identity == self.mending.chosen.identity}
        tags = tags_of(moment.tracks, groups, self.detail, game.edition)
        if table is None:
            return LiveView(tags, (), notes, banner, status, news)
        left = None
        if self.call_limit is not None and self._called is not None:
            left = self._called + self.call_limit - moment.time
        seats = seats_of(table) if self.scores else ()
        messages = open_questions(table, self.candidate) or news
        return LiveView(tags, seats, notes, banner or banner_of(table, left), status, messages)

    def _fresh(self) -> tuple[Message, ...]:
        """The messages that are new enough."""
        fresh = [one for at, one in self._news if 0 <= self.now - at < self.config.seconds]
        return tuple(fresh[-self.config.most :])

    def _looking_back(self, image: Image, dispute: Dispute, game: LiveGame) -> Image:
        """The picture of the past with the pieces as they lay; at the call itself the three are enlarged."""
        size = (image.shape[1], image.shape[0])
        exhibit = self._exhibit if dispute.place == self._place else None
        mending = self.mending
        view = LiveView(
            tags=self._past_tags(dispute, size, game.edition),
            seats=seats_of(game.table) if game.table is not None and self.scores and exhibit is None else (),
            banner=title_of(dispute) if mending is None else mending.banner,
            status=mending.status if mending is not None else "" if exhibit is not None else _REPLAY,
            exhibit=exhibit,
            playback=playback_of(dispute),
        )
        return self._overlay.draw(still_image(dispute, size), view)

    def _past_tags(self, dispute: Dispute, size: tuple[int, int], key: str) -> tuple[Tag, ...]:
        tracks, seen = self.past.tracks_at(dispute.still.time)
        groups = {place: (1,) for place, track in enumerate(tracks) if track.reading.piece in dispute.pieces}
        scale = size[0] / seen[0] if seen[0] else 1.0
        return tuple(
            Tag(Quad(tag.quad.corners * scale), tag.names, tag.groups, tag.doubtful)
            for tag in tags_of(tracks, groups, Detail.NAMES, key)
        )
