"""The loop of the live command: pictures in, happenings out, keys in between. It opens and closes nothing itself."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import cv2

from engine.events import NoSet
from engine.hints import HintLevel
from engine.tokens import Piece
from service.live.errors import LiveError
from service.live.happenings import Happening
from service.watch_calls import PlannedCall
from service.watch_files import VideoFile
from service.watch_game import LiveGame
from service.watch_keys import Action, Press, press_of
from service.watch_mend import Mending, misread_of_pieces, misread_of_tracks
from service.watch_screen import Screen
from service.watch_teller import Teller
from service.watch_view import claims_of
from service.watch_window import PausableClock, Window
from vision.shots import Notice, NoticeKind, Shot, Source

if TYPE_CHECKING:
    from service.live.table import LiveTable
    from vision.tracks import Moment
    from vision.types import Image

__all__ = ["LoopConfig", "WatchLoop"]

_LEVELS = tuple(HintLevel)
_NOTHING = "Not a single piece was seen."
_NO_GAME = "It was not seen which game is played, so nothing was refereed: say it with --game."


@dataclass(frozen=True)
class LoopConfig:
    """Seconds: how long to ``wait`` for a picture while a window is open, and ``idle`` without one; after the last
    picture of a video that is held for ``hold`` seconds of its time, ``step`` by step, so that what has changed last
    can settle; ``silence`` without a picture lets time pass at the table. While a picture is looked at keys are asked
    for every ``listen``; ``late`` is the most that one may be late.
    """

    wait: float = 0.01
    idle: float = 0.25
    hold: float = 1.2
    step: float = 0.1
    silence: float = 0.5
    listen: float = 0.004
    late: float = 0.5


@dataclass
class WatchLoop:
    """Follows a source until it ends or somebody quits."""

    source: Source
    game: LiveGame
    screen: Screen
    teller: Teller
    window: Window | None = None
    video: VideoFile | None = None
    calls: Iterable[PlannedCall] = ()
    clock: PausableClock = field(default_factory=PausableClock)
    config: LoopConfig = field(default_factory=LoopConfig)
    folder: Path = Path()
    _quit: bool = False
    _any: bool = False
    _image: Image | None = None
    _moment: Moment | None = None
    _asked: float = field(default_factory=time.monotonic)
    _helper: ThreadPoolExecutor | None = None
    _corrections: list[tuple[int, Piece]] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Put the calls in a queue."""
        self._calls = deque(self.calls)

    def run(self) -> None:
        """Follow the source to its end; what happened last is told, and how the game stands, after an interrupt too.

        :raises ServiceError: the record or the video cannot be written, or what is played does not fit what was said.
        """
        with ThreadPoolExecutor(1) as self._helper:
            try:
                self._follow_all()
                self._settle_last()
            except (KeyboardInterrupt, SystemExit):
                self._close_game()
                raise
            self._close_game()

    def _follow_all(self) -> None:
        while not self._quit and not self.source.ended:
            item = self._next()
            if isinstance(item, Shot):
                self._see(item.image, item.time)
            elif isinstance(item, Notice):
                self._notice(item)
            elif self.source.live and not self.clock.paused:
                self._wait_in_silence()
            if item is not None or self.window is not None:
                self._present()
            self._keys()

    @property
    def table(self) -> LiveTable | None:
        """The game that is refereed, if one is."""
        return self.game.table

    def _next(self) -> Shot | Notice | None:
        """What comes next from the source; during a pause pictures of a camera are thrown away."""
        pause = self.config.idle if self.window is None else self.config.wait
        if not self.clock.paused:
            return self.source.poll(pause)
        if not self.source.live:
            time.sleep(pause)
            return None
        item = self.source.poll(pause)
        return item if isinstance(item, Notice) else None

    def _see(self, image: Image, at: float) -> None:
        self.screen.now = at
        self._call_until(at)
        for identity, piece in self._corrections:
            with suppress(KeyError):  # it has gone meanwhile
                self.game.tracker.correct(identity, piece)
        self._corrections.clear()
        moment, told = self.game.take(self._followed(image, at), image)
        self._image, self._moment = image, moment
        self._any = self._any or bool(moment.tracks)
        if self.window is not None:
            self.screen.past.keep(moment, image)
        self._tell(told)
        if self.table is None and self.game.setup.players == ():
            self.teller.table(moment, self.screen.sets.sets(moment), self.game.edition, self.screen.level)

    def _followed(self, image: Image, at: float) -> Moment:
        """What the tracker makes of a picture; keys are heard meanwhile.

        The system keeps only the last of the keys that nobody has asked for: of two quick calls one would be lost.
        """
        if self.window is None or self._helper is None:
            return self.game.follow(image, at)
        seen = self._helper.submit(self.game.follow, image, at)
        while not seen.done():
            self._keys()
            wait([seen], self.config.listen)
        return seen.result()

    def _call_until(self, at: float) -> None:
        """Let the recorded calls up to ``at`` come in, once there is a table."""
        while self.table is not None and self._calls and self._calls[0].at <= at:
            call = self._calls.popleft()
            self._tell(self.game.call(call.player, call.at))

    def _tell(self, told: Sequence[Happening]) -> None:
        self.teller.tell(told)
        self.screen.hear(told)

    def _notice(self, notice: Notice) -> None:
        self.teller.notice(notice)
        if notice.kind in (NoticeKind.GONE, NoticeKind.BACK):
            self.screen.trouble = notice.text if notice.kind is NoticeKind.GONE else ""
        if notice.kind is not NoticeKind.GONE:
            self.screen.now = max(self.screen.now, notice.time)
            self.screen.say(notice.text)

    def _wait_in_silence(self) -> None:
        """Let time pass at the table though no picture comes."""
        now = self.source.now
        if now - self.screen.now < self.config.silence:
            return
        self.screen.now = now
        if self.table is not None:
            self._call_until(now)
            self._tell(self.table.tick(now))

    def _present(self) -> None:
        if self._image is None or self._moment is None or (self.window is None and self.video is None):
            return
        self.screen.paused = self.clock.paused
        drawn = self.screen.drawn(self._image, self._moment, self.game)
        if self.window is not None:
            self.window.show(drawn)
        if self.video is not None and not self.clock.paused:
            self.video.add(drawn, self.screen.now)

    def _settle_last(self) -> None:
        """Let what has changed last settle, where a video has ended."""
        if not self._quit and not self.source.live and self._image is not None:
            end = self.screen.now + self.config.hold
            while self.screen.now < end and not (self._moment is not None and self._moment.settled):
                self._see(self._image, self.screen.now + self.config.step)
        if self.table is not None and not self._quit:
            self._call_until(self.screen.now)
            self._tell(self.table.tick(self.screen.now + self.config.step))
            if self._calls:
                self.teller.remark(f"{len(self._calls)} call{'s' * (len(self._calls) > 1)} came after the end.")

    def _close_game(self) -> None:
        """Tell how the game stands, or that there was none."""
        if not self._any:
            self.teller.remark(_NOTHING)
        elif self.table is None and self.game.setup.players:
            self.teller.remark(_NO_GAME)
        if self.table is not None:
            self.teller.outcome(self.table.referee)

    # Keys.

    def _keys(self) -> None:
        if self.window is None:
            return
        late, self._asked = time.monotonic() - self._asked, time.monotonic()
        for code in self.window.pressed():
            press = press_of(code)
            if press is not None:
                self._press(press, min(late, self.config.late))
        self._quit = self._quit or self.window.closed

    def _press(self, press: Press, late: float) -> None:
        """Do what a key does; it was pressed within the last ``late`` seconds."""
        view = self._views().get(press.action)
        if view is not None:
            view()
            return
        try:
            if press.action is Action.ACCEPT and self.screen.mending is not None:
                self._tell(self._mended(self.screen.mending))
                self._look_back_again()
            elif self.table is None:
                return
            elif press.action is Action.CALL and press.seat is not None:
                self._tell(self._called(self.table, press.seat, late))
            else:
                self._tell(self._judged(self.table, press.action))
        except LiveError as error:
            self.screen.say(str(error))
        if self.table is not None:
            self._corrections += self.table.take_names()  # the tracker may be at work just now

    def _look_back_again(self) -> None:
        """Judge the dispute that is looked at anew, after a correction."""
        if self.table is not None and self.screen.dispute is not None:
            self.screen.look_back(self.table.dispute(self.screen.dispute.at), self.game.edition)

    def _views(self) -> dict[Action, Callable[[], object]]:
        """The keys that only change what is seen."""
        screen = self.screen
        return {
            Action.EARLIER: lambda: screen.step(-1),
            Action.LATER: lambda: screen.step(+1),
            Action.BACK: self._back,
            Action.MEND: self._mend,
            Action.UP: lambda: self._turn(-1),
            Action.DOWN: lambda: self._turn(+1),
            Action.OTHER: lambda: setattr(screen, "candidate", screen.candidate + 1),
            Action.HINT_UP: lambda: self._hint(+1),
            Action.HINT_DOWN: lambda: self._hint(-1),
            Action.OVERLAY: lambda: setattr(screen, "detail", screen.detail.following),
            Action.SCORES: lambda: setattr(screen, "scores", not screen.scores),
            Action.PAUSE: self.clock.toggle,
            Action.STILL: self._still,
            Action.HELP: lambda: setattr(screen, "help", not screen.help),
            Action.QUIT: lambda: setattr(self, "_quit", True),
        }

    def _back(self) -> None:
        if self.screen.mending is None:
            self.screen.help, self.screen.dispute = False, None
        self.screen.mending = None

    def _mend(self) -> None:
        """Choose a piece to correct: of the three of a dispute, else of those that lie there."""
        screen, tracks = self.screen, () if self._moment is None else self._moment.tracks
        if screen.mending is not None:
            screen.mending = screen.mending.next()
            return
        pieces = () if screen.dispute is None else screen.dispute.pieces
        choices = misread_of_pieces(pieces, tracks) if pieces else misread_of_tracks(tracks)
        screen.mending = Mending.begun(choices, self.game.edition)

    def _turn(self, steps: int) -> None:
        if self.screen.mending is not None:
            self.screen.mending = self.screen.mending.turned(steps)

    def _mended(self, mending: Mending) -> Sequence[Happening]:
        """Take the correction: the referee judges anew, and the tracker knows the piece from now on."""
        self.screen.mending = None
        old, new = mending.chosen, mending.new
        told: Sequence[Happening] = ()
        if self.table is not None and new != old.piece:
            told = self.table.correct(old.piece, new, identity=old.identity)
        elif old.identity is not None:
            self._corrections.append((old.identity, new))
        return told

    def _hint(self, steps: int) -> None:
        """Tell more of the SETs, or less, as far as the table allows."""
        rank = self.screen.level.rank + steps
        if rank > self.screen.most.rank:
            self.screen.say(f"This table allows no more than: {self.screen.most.value} (see --hints).")
        elif rank >= 0:
            self.screen.level = _LEVELS[rank]
            self.screen.say(f"Hints: {self.screen.level.value}.")

    def _still(self) -> None:
        """Keep the picture as it is shown, under a name that is free."""
        if self._image is None or self._moment is None:
            return
        names = (self.folder / f"set-referee-{number}.jpg" for number in range(1, 10_000))
        path = next((name for name in names if not name.exists()), None)
        fine, coded = cv2.imencode(".jpg", self.screen.drawn(self._image, self._moment, self.game))
        try:
            if path is not None and fine:
                path.write_bytes(coded.tobytes())
                self.screen.say(f"Kept as {path.name}.")
        except OSError as error:
            self.screen.say(f"Not kept: {error.strerror}.")

    def _called(self, table: LiveTable, seat: int, late: float) -> Sequence[Happening]:
        """Take a player's key: it decides a tie, tells whose an oddity is, or calls."""
        players = tuple(table.scores)
        if seat >= len(players):
            return ()
        name = players[seat]
        if table.tie is not None and name in table.tie.players:
            return table.choose(name)
        claims = claims_of(table)
        if table.oddity is not None and name in claims:
            return table.accept(table.oddity.number, claims[name])
        return table.call(name, self.source.now - late / 2, late / 2)

    def _judged(self, table: LiveTable, action: Action) -> Sequence[Happening]:
        """Do what a key of the game does."""
        match action:
            case Action.DISPUTE:
                self.screen.look_back(table.dispute(), self.game.edition)
            case Action.ACCEPT if table.oddity is not None:
                count = len(table.oddity.pending.understood.candidates)
                return table.accept(table.oddity.number, self.screen.candidate % max(1, count))
            case Action.IGNORE if table.tie is not None:
                return table.choose(None)
            case Action.IGNORE if table.oddity is not None:
                return table.ignore(table.oddity.number)
            case Action.GIVE_UP if table.caller is not None:
                return table.give_up(table.caller)
            case Action.NO_SET:
                return _nobody_sees_one(table)
            case Action.PILE_OUT:
                return table.pile_out()
            case Action.TURN_OVER if table.header.edition.key == "cubed" and table.referee.state.turn is not None:
                return table.turn_over(table.referee.state.players[table.referee.state.turn])
            case Action.UNDO:
                return table.undo()
            case _:
                self.screen.say("There is nothing to decide now.")
        return ()


def _nobody_sees_one(table: LiveTable) -> list[Happening]:
    """Let everybody who is asked say that there is no SET; if nobody is, the referee says why."""
    told: list[Happening] = []
    for name in tuple(table.scores):
        if NoSet(name) in table.referee.legal.moves:
            told += table.no_set(name)
    return told or list(table.no_set(next(iter(table.scores))))
