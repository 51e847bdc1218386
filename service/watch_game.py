"""The game at a live table: what follows the pieces and, as soon as it is known what is played, who referees it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from engine.editions import EditionError, edition
from engine.game import UnknownPlayerError
from engine.grid import BoardError
from engine.hints import HintLevel
from engine.options import OptionError, choose
from engine.record import Header
from service.arguments import parse_options
from service.board_file import AnyBoard, CubedFile, Junior1File
from service.errors import ArgumentError
from service.game import Game
from service.live.happenings import Happening, HappeningKind
from service.watch_tracker import Follows, GameGuess, open_tracker

if TYPE_CHECKING:
    from service.live.settings import LiveSettings
    from service.live.table import LiveTable
    from vision.tracks import Moment
    from vision.types import Image

__all__ = ["GameSetup", "LiveGame"]

_CHOSEN = "This looks like {}; if it is another game, say so with --game."


@dataclass(frozen=True)
class GameSetup:
    """What people have said of the game.

    Without ``players`` nobody is refereed. ``options`` are texts like "lowest_score=0"; ``hints`` is the level that the
    table allows, unless they say so; a table has settled after ``settle`` seconds.
    """

    game: Game = Game.AUTO
    board: AnyBoard | None = None
    players: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    hints: HintLevel | None = None
    settle: float = 0.4

    def __post_init__(self) -> None:
        """Check it as far as the game is known.

        :raises ArgumentError: the players, an option, or the board are not of this game.
        """
        if self.board is not None and self.game not in (Game.AUTO, Game(self.board.game)):
            raise ArgumentError(f"--board: this is a board of {self.board.game}, and --game says {self.game.value}")
        if self.players:
            known = self.known
            self.header(Game.CLASSIC if known is Game.AUTO and not self.options else known)

    @property
    def known(self) -> Game:
        """The game that is said or whose board it is; ``auto`` if it has to be seen."""
        return Game(self.board.game) if self.board is not None else self.game

    @property
    def most_level(self) -> HintLevel:
        """How much the table allows to be told; without a game everything."""
        if not self.players:
            return HintLevel.THREE
        told = [text.partition("=")[2] for text in self.options if text.startswith("hints=")]
        return HintLevel(told[0]) if told else self.hints or HintLevel.NEVER

    @property
    def shown_level(self) -> HintLevel:
        """How much is told to begin with."""
        return self.hints or self.most_level

    def header(self, game: Game) -> Header:
        """Return the header of the record of ``game``.

        :raises ArgumentError: the players, an option, or the board are not of this game.
        """
        if game is Game.AUTO:
            raise ArgumentError("--option: say with --game which game the option is of")
        if game.needs_board and self.board is None:
            raise ArgumentError(f"--game {game.value}: give the board with --board FILE, as set-referee board makes it")
        parse_options(self.options, game.value)
        header = Header(edition(game.value), self.players, self._options(game), self._board())
        try:
            header.referee()
        except EditionError as error:
            raise ArgumentError(f"--players: {error}") from None
        except (OptionError, BoardError) as error:
            raise ArgumentError(str(error)) from None
        return header

    def _options(self, game: Game) -> dict[str, object]:
        """The options that differ from what the game has anyway."""
        usual = choose(edition(game.value).options, {}, game.value)
        chosen = dict(parse_options(self.options, game.value))
        told = {text.partition("=")[0] for text in self.options}
        if self.hints is not None and "hints" not in told:
            chosen["hints"] = self.hints.value
        return {name: value for name, value in chosen.items() if value != usual[name]}

    def _board(self) -> Any:
        if isinstance(self.board, Junior1File):
            return self.board.board.to_json()["squares"]
        if isinstance(self.board, CubedFile):
            found = self.board.board.to_json()
            return {name: found[name] for name in ("rows", "columns", "logo", "bonus")}
        return None


@dataclass
class LiveGame:
    """Follows the pieces and referees the game; what is seen tells which game it is where nobody has said so.

    Lines of the record go to ``record``; ``restart`` makes it empty again, when it was another game after all.
    """

    setup: GameSetup
    settings: LiveSettings
    guess: GameGuess
    record: Callable[[str], object] | None = None
    restart: Callable[[], object] | None = None
    table: LiveTable | None = field(default=None, init=False)
    tracker: Follows = field(init=False)
    game: Game = field(init=False)

    def __post_init__(self) -> None:
        """Open what follows the pieces, and the table if the game is known.

        :raises InstallationError: OpenCV, onnxruntime or the models cannot be loaded.
        """
        self.game = self.setup.known
        self.tracker = open_tracker(self.game, self.setup.board, self.setup.settle)
        if self.game is not Game.AUTO:
            self._sit_down()

    @property
    def edition(self) -> str:
        """The edition in whose words pieces are named."""
        return "classic" if self.game is Game.AUTO else self.game.value

    def see(self, image: Image, time: float) -> tuple[Moment, tuple[Happening, ...]]:
        """Follow the pieces and take in what is seen, in one go: see :meth:`follow` and :meth:`take`."""
        return self.take(self.follow(image, time), image)

    def follow(self, image: Image, time: float) -> Moment:
        """Return what is known of the pieces after a (height, width, 3) uint8 BGR picture at ``time`` seconds.

        This takes long and leaves the table alone: another thread may do it while people press keys.
        """
        return self.tracker.see(image, time)

    def take(self, moment: Moment, image: Image) -> tuple[Moment, tuple[Happening, ...]]:
        """Take in what was seen in ``image``; return what is known now, and what is told.

        :raises ArgumentError: now that it is seen what is played, the players, options or board do not fit it.
        """
        found = self._found(image, moment)
        if found is None:
            return moment, () if self.table is None else self.table.look(moment, image)
        moment = self._settle_game(found, image, moment)
        told = Happening(kind=HappeningKind.MESSAGE, time=moment.time, text=_CHOSEN.format(edition(found.value).title))
        return moment, (told, *(() if self.table is None else self.table.look(moment, image)))

    def _found(self, image: Image, moment: Moment) -> Game | None:
        """Return the game that lies there, where it was not known, or is another one than it seemed."""
        if self.game is Game.AUTO:
            return self.guess.of(image, moment)
        if self.setup.known is Game.AUTO and self._is_in_vain:
            return self.guess.instead(image, moment, self.game)
        return None

    @property
    def _is_in_vain(self) -> bool:
        """Whether nothing that lay there has made sense so far."""
        if self.table is None or self.table.oddity is None:
            return False
        return not any(verdict.counts for verdict in self.table.referee.verdicts)

    def _settle_game(self, game: Game, image: Image, moment: Moment) -> Moment:
        """Play ``game`` from now on; what is not cards, or was not taken for any, is followed with eyes of its own."""
        first, self.game = self.game is Game.AUTO, game
        if not first and self.restart is not None:
            self.restart()
        self._sit_down()
        if first and game.has_cards:
            return moment
        if self.table is not None:
            self.table.look(replace(moment, tracks=()))  # nothing has been told that lay there before
        self.tracker = open_tracker(game, None, self.setup.settle)
        return self.tracker.see(image, moment.time)

    def _sit_down(self) -> None:
        if not self.setup.players:
            return
        from service.live.table import LiveTable

        self.table = LiveTable(self.setup.header(self.game), self.settings, self.record)

    def call(self, player: str, at: float, error: float = 0.0) -> tuple[Happening, ...]:
        """Take in a call; nothing comes of it before the game is known."""
        try:
            return () if self.table is None else self.table.call(player, at, error)
        except UnknownPlayerError:
            return ()
