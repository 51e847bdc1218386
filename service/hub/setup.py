"""What people say when they open a table, checked before anything is stored."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from unicodedata import normalize

from engine.editions import PlayersError, edition
from engine.grid import BoardError
from engine.labels import Language
from engine.options import OptionError
from engine.record import Header, RecordError, read_header, write_header
from service.board_file import AnyBoard, CubedFile, Junior1File
from service.game import Game
from service.hub.errors import SetupError
from service.live.settings import LiveSettings

__all__ = ["Beside", "TableSetup", "board_of", "check_names"]

_MOST_NAME = 80
_MOST_LIMIT = 3_600.0


@dataclass(frozen=True, slots=True)
class Beside:
    """What people have said of a table beside its record; checked when made."""

    name: str | None = None
    call_limit: float | None = None
    language: Language = Language.ENGLISH
    board: Mapping[str, Any] | None = None
    """What the board file holds."""

    def __post_init__(self) -> None:
        """Check it.

        :raises SetupError: the name or the limit is none.
        """
        name, limit = self.name, self.call_limit
        if name is not None and not (0 < len(name) <= _MOST_NAME and name.isprintable()):
            raise SetupError(f"name: expected a text of 1 to {_MOST_NAME} characters; got {name[:_MOST_NAME]!r}")
        if limit is not None and not 0 < limit <= _MOST_LIMIT:
            raise SetupError(f"call_limit: expected seconds up to {_MOST_LIMIT:g}; got {limit!r}")

    @property
    def live(self) -> LiveSettings:
        """How the table behaves."""
        return LiveSettings(call_limit=self.call_limit, language=self.language)

    def to_json(self) -> str:
        """Return it as the store keeps it."""
        found = {"name": self.name, "call_limit": self.call_limit, "language": self.language, "board": self.board}
        return json.dumps(found, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Beside:
        """Return what :meth:`to_json` has written."""
        found = json.loads(text)
        return cls(found["name"], found["call_limit"], Language(found["language"]), found["board"])


@dataclass(frozen=True, slots=True)
class TableSetup:
    """A table as it is to be opened.

    ``options`` are those of the game, as in the header of a record. ``board`` is a board file, in games that need one
    (see :func:`service.board_file.parse_board`). ``name`` is for people. A call after which nobody has picked for
    ``call_limit`` seconds is a false one (None: never). Verdicts are told in ``language``.
    """

    game: Game
    players: tuple[str, ...]
    options: Mapping[str, object] = field(default_factory=dict)
    board: AnyBoard | None = None
    name: str | None = None
    call_limit: float | None = None
    language: Language = Language.ENGLISH

    def header(self) -> Header:
        """Return the header of the record.

        :raises SetupError: the game cannot be played so; names the field.
        """
        if self.game is Game.AUTO:
            raise SetupError("game: a table has to know what is played; expected any game but auto")
        if self.game.needs_board and self.board is None:
            raise SetupError(f"board: {self.game} needs one, as set-referee board makes it")
        if self.board is not None and Game(self.board.game) is not self.game:
            raise SetupError(f"board: this is a board of {self.board.game}, and game says {self.game}")
        check_names(self.players)
        header = Header(edition(self.game), self.players, self.options, _printed(self.board))
        try:
            header.referee()
            return read_header(write_header(header))
        except PlayersError as error:
            raise SetupError(f"players: {error}") from None
        except OptionError as error:
            raise SetupError(f"options: {error}") from None
        except BoardError as error:
            raise SetupError(f"board: {error}") from None
        except RecordError as error:
            raise SetupError(error.fault) from None

    def beside(self) -> Beside:
        """Return what is kept beside the record.

        :raises SetupError: the name or the limit is none.
        """
        board = None if self.board is None else self.board.model_dump(mode="json", exclude_none=True)
        return Beside(self.name, self.call_limit, self.language, board)


def check_names(players: Iterable[str]) -> None:
    """Check that names can be shown, kept and told apart; how many and how long they are is the game's to say.

    :raises SetupError: one holds a character that cannot be seen, or two differ only in capitals, spaces or forms.
    """
    alike: dict[str, str] = {}
    for name in players:
        if not name.isprintable():
            raise SetupError(f"players: expected names that can be printed; got {name[:60]!r}")
        other = alike.setdefault(" ".join(normalize("NFKC", name).casefold().split()), name)
        if other != name:
            raise SetupError(f"players: {other!r} and {name!r} look alike; call one of them something else")


def _printed(board: AnyBoard | None) -> Any:
    """Return the board as a record has it."""
    if isinstance(board, Junior1File):
        return board.board.to_json()["squares"]
    if isinstance(board, CubedFile):
        found = board.board.to_json()
        return {name: found[name] for name in ("rows", "columns", "logo", "bonus")}
    return None


def board_of(header: Header) -> dict[str, Any] | None:
    """Return a board file for the board of a record, None where it has none."""
    key = header.edition.key
    if key == Game.CUBED:
        return {"game": key, **header.board}
    return {"game": key, "squares": header.board} if key == Game.JUNIOR_1 else None
