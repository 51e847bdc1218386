"""What people say when they open a table, checked before anything is stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine.labels import Language
from service.game import Game

if TYPE_CHECKING:
    from engine.record import Header
    from service.board_file import AnyBoard

__all__ = ["TableSetup"]


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
        raise NotImplementedError
