"""A live table without camera, networks and screen: a source, a tracker and a window that do what they are told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from engine.hints import HintLevel
from engine.tokens import Card, Piece
from service.board_file import AnyBoard
from service.game import Game
from service.live.settings import LiveSettings
from service.settings import Settings
from service.watch_calls import PlannedCall
from service.watch_dispute import Past
from service.watch_files import VideoFile
from service.watch_game import GameSetup, LiveGame
from service.watch_loop import WatchLoop
from service.watch_screen import Screen
from service.watch_teller import Teller
from service.watch_tracker import GameGuess
from service.watch_view import SetFinder
from service.watch_window import PausableClock
from tests.fake_moments import moment, track
from vision.shots import Notice, Shot, Source
from vision.tracks import Moment
from vision.types import Image

SIZE = (320, 180)

NAMES = (
    "1 red solid oval",
    "2 red solid oval",
    "3 red solid oval",
    "1 green striped diamond",
    "2 purple solid squiggle",
    "3 green open squiggle",
    "1 purple open oval",
    "2 green striped oval",
    "3 purple solid diamond",
    "1 red striped squiggle",
    "2 red open diamond",
    "3 green solid oval",
)
"""A table of twelve; the first three are a SET."""


def table_at(time: float, names: Sequence[str] = NAMES, *, settled: bool = True) -> Moment:
    """A moment with the cards of ``names``, which keep their identities."""
    known = [*NAMES, *(name for name in names if name not in NAMES)]
    return moment(time, [track(known.index(name), Card.parse(name), time=time) for name in names], settled=settled)


class FakeTracker:
    """Gives what ``seen`` says for the time of each picture."""

    def __init__(self, seen: Callable[[float], Moment]) -> None:
        self.seen = seen
        self.corrected: list[tuple[int, Piece | None]] = []

    def see(self, image: Image, time: float) -> Moment:
        """The moment of that time."""
        return self.seen(time)

    def correct(self, identity: int, piece: Piece | None) -> None:
        """Note it."""
        self.corrected.append((identity, piece))


class FakeSource(Source):
    """Gives these shots and notices; its time is that of what came last."""

    def __init__(self, items: Iterable[Shot | Notice], live: bool = False) -> None:
        super().__init__("fake", live)
        self._items = list(items)
        self.time = 0.0
        self.polls = 0
        self.closed = False

    def poll(self, wait: float | None = None) -> Shot | Notice | None:
        """The next one."""
        self.polls += 1
        if not self._items:
            return None
        item = self._items.pop(0)
        self.time = item.time
        return item

    @property
    def ended(self) -> bool:
        """Whether all were given."""
        return not self._items

    @property
    def now(self) -> float:
        """The time of what came last."""
        return self.time

    def close(self) -> None:
        """Note it."""
        self.closed = True


class FakeWindow:
    """Keeps what it was shown; ``plan`` tells which keys are pressed after the picture of that number."""

    def __init__(self, plan: Mapping[int, str | Sequence[int]] | None = None) -> None:
        self.plan = dict(plan or {})
        self.shown: list[Image] = []
        self.closed = False
        self.open = True

    def show(self, image: Image) -> None:
        """Keep it."""
        self.shown.append(image)

    def pressed(self) -> Iterator[int]:
        """The keys that are due, as numbers."""
        for key in self.plan.pop(len(self.shown), ""):
            yield ord(key) if isinstance(key, str) else key

    def close(self) -> None:
        """Note it."""
        self.open = False


def shots(count: int, step: float = 0.1) -> list[Shot]:
    """So many green pictures."""
    image = np.full((SIZE[1], SIZE[0], 3), (70, 120, 60), np.uint8)
    return [Shot(image, round(number * step, 3), number) for number in range(count)]


@dataclass
class Stage:
    """A loop with everything that it needs, and what came of it."""

    loop: WatchLoop
    window: FakeWindow
    source: FakeSource
    tracker: FakeTracker
    record: list[str]

    @property
    def screen(self) -> Screen:
        """The state of the window."""
        return self.loop.screen


@dataclass(frozen=True)
class Told:
    """What the stage is set up with."""

    players: tuple[str, ...] = ("Ann", "Ben")
    hints: HintLevel | None = None
    call_limit: float | None = None
    keys: Mapping[int, str | Sequence[int]] = field(default_factory=dict)
    calls: Sequence[PlannedCall] = ()
    as_json: bool = True
    game: Game = Game.CLASSIC
    video: VideoFile | None = None
    folder: Path = Path()
    board: AnyBoard | None = None


def stage(
    monkeypatch_open: Callable[[FakeTracker], None],
    seen: Callable[[float], Moment],
    items: Iterable[Shot | Notice],
    told: Told | None = None,
    *,
    live: bool = False,
) -> Stage:
    """Set up a loop whose tracker sees what ``seen`` says."""
    told = told or Told()
    tracker, window, source = FakeTracker(seen), FakeWindow(told.keys), FakeSource(items, live)
    monkeypatch_open(tracker)
    record: list[str] = []
    setup = GameSetup(told.game, told.board, told.players, (), told.hints)
    settings = LiveSettings(call_limit=told.call_limit)
    game = LiveGame(setup, settings, GameGuess(Settings()), record.append)
    screen = Screen(
        setup.shown_level, setup.most_level, not told.players, SetFinder(None), Past(), call_limit=told.call_limit
    )
    loop = WatchLoop(
        source, game, screen, Teller(told.as_json), window, told.video, told.calls, PausableClock(), folder=told.folder
    )
    return Stage(loop, window, source, tracker, record)
