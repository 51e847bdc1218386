"""What the command ``watch`` does: a camera or a video in, a refereed game, a window, a record and a video out."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import TYPE_CHECKING

from engine.hints import HintLevel
from service.board_file import AnyBoard, read_board_file
from service.console import complain
from service.errors import ArgumentError, MissingLibraryError, ServiceError, one_line
from service.game import Game
from service.settings import Settings
from service.watch_calls import PlannedCall, read_calls
from service.watch_files import RecordFile, VideoFile, check_apart, check_new
from service.watch_game import GameSetup
from service.watch_window import PausableClock, ScreenWindow, has_display

if TYPE_CHECKING:
    from service.watch_loop import WatchLoop
    from vision.shots import Source

__all__ = ["NoSourceError", "WatchRequest", "watch_table"]

_NO_WINDOW = "no window: there is no screen here; going on without one (--json tells everything)"


class NoSourceError(ServiceError, OSError):
    """A source of pictures that is not there or gives none."""

    code = "no-source"


@dataclass(frozen=True)
class WatchRequest:
    """What the command line says."""

    source: str = "0"
    fast: bool = False
    game: Game = Game.AUTO
    options: tuple[str, ...] = ()
    board: str | None = None
    settle: float = 0.4
    call_limit: float | None = None
    hints: HintLevel | None = None
    replay: bool = True
    players: str | None = None
    calls: str | None = None
    as_json: bool = False
    record: str | None = None
    video: str | None = None
    force: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The players, in the order of their seats."""
        return () if self.players is None else tuple(name.strip() for name in self.players.split(","))

    def check(self) -> None:
        """Check what can be checked before anything is opened.

        :raises ServiceError: something needs players, or a file would be written over that is to be kept.
        """
        needing = {
            "--calls": self.calls,
            "--call-limit": self.call_limit,
            "--save-record": self.record,
            "--option": self.options or None,
        }
        for option, value in needing.items():
            if value is not None and self.players is None:
                raise ArgumentError(
                    f"{option}: nothing is refereed without players; name them, as in --players Ann,Ben"
                )
        outputs = {"--save-record": self.record, "--save-video": self.video}
        check_apart(outputs, {"the source": self.source, "--calls": self.calls, "--board": self.board})
        for path in outputs.values():
            if path is not None:
                check_new(path, self.force)

    def setup(self) -> GameSetup:
        """Return what is said of the game.

        :raises ServiceError: the players, an option or the board do not fit.
        """
        board: AnyBoard | None = None if self.board is None else read_board_file(self.board)
        return GameSetup(self.game, board, self.names, self.options, self.hints, self.settle)


def watch_table(request: WatchRequest, settings: Settings) -> int:
    """Follow a table until its source ends or somebody quits; return 0.

    Record and video are closed on every way out, an interrupt too.

    :raises ServiceError: something that was asked for cannot be done.
    """
    request.check()
    setup = request.setup()
    calls = () if request.calls is None else read_calls(request.calls, setup.players)
    with ExitStack() as stack:
        stack.enter_context(_ended_by_signals())
        clock = PausableClock()
        source = stack.enter_context(_opened(request, clock))
        record = None if request.record is None else stack.enter_context(RecordFile(request.record))
        video = None if request.video is None else stack.enter_context(VideoFile(request.video))
        loop = _loop(request, setup, settings, source, record, video, calls, clock)
        if not request.as_json:
            if has_display():
                loop.window = ScreenWindow()
                stack.callback(loop.window.close)
            else:
                complain(_NO_WINDOW)
        loop.run()
    return 0


def _opened(request: WatchRequest, clock: PausableClock) -> Source:
    """Open the source.

    :raises NoSourceError: it is not there, or gives no pictures.
    """
    try:
        from vision.sources import SourceError, open_source
    except ImportError as error:
        raise MissingLibraryError(error) from error
    try:
        return open_source(request.source, fast=request.fast, clock=clock)
    except SourceError as error:
        raise NoSourceError(one_line(error)) from None


def _loop(
    request: WatchRequest,
    setup: GameSetup,
    settings: Settings,
    source: Source,
    record: RecordFile | None,
    video: VideoFile | None,
    calls: tuple[PlannedCall, ...],
    clock: PausableClock,
) -> WatchLoop:
    """Put the parts together.

    :raises InstallationError: OpenCV, onnxruntime or the models cannot be loaded.
    """
    from service.live.settings import LiveSettings
    from service.watch_dispute import Past, PastConfig
    from service.watch_game import LiveGame
    from service.watch_loop import WatchLoop
    from service.watch_screen import Screen
    from service.watch_teller import Teller
    from service.watch_tracker import GameGuess
    from service.watch_view import SetFinder

    live = LiveSettings(call_limit=request.call_limit, replay=request.replay)
    write, restart = (None, None) if record is None else (record.write, record.restart)
    game = LiveGame(setup, live, GameGuess(settings, bool(setup.players)), write, restart)
    level = setup.shown_level
    past = Past(PastConfig() if request.replay else PastConfig(seconds=0.0, pieces=0))
    screen = Screen(level, setup.most_level, not setup.players, SetFinder(setup.board), past, request.call_limit)
    return WatchLoop(source, game, screen, Teller(request.as_json), None, video, calls, clock)


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Let a signal that ends the process end it in order, so that files are closed."""
    names = [name for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {name: signal.signal(getattr(signal, name), _leave) for name in names}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)


def _leave(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)
