"""What came with a request, in the place of files: then the commands can do over HTTP what they do for people."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import BinaryIO

from engine.labels import Language
from service.board_file import AnyBoard, parse_board
from service.commands import Desk
from service.errors import ArgumentError, BoardFileError, NoFileError, one_line
from service.game import Game
from service.reading import Referee
from service.settings import Settings
from service.upload import Parts

__all__ = ["Uploaded", "corners_of", "game_of", "language_of", "size_of"]

_LEAST, _MOST = 3, 99
"""Fewest and most rows and columns of a board."""


class Uploaded(Desk):
    """Has the parts of a form where files lie elsewhere; the path of each is the name of its field.

    Of several files of one field the second is called "photo 2".
    """

    def __init__(self, referee: Referee, settings: Settings, parts: Parts) -> None:
        """Use the running ``referee`` for photos."""
        super().__init__(settings)
        self.referee = referee
        self._files = {
            self._path(name, number): data
            for name, files in parts.files.items()
            for number, (_, data) in enumerate(files, start=1)
        }

    @staticmethod
    def _path(name: str, number: int) -> str:
        return name if number == 1 else f"{name} {number}"

    def paths(self, name: str) -> list[str]:
        """Return the paths of all files of a field."""
        return [path for path in self._files if path.partition(" ")[0] == name]

    def path(self, name: str) -> str | None:
        """Return the path of the one file of a field, None if it is not there."""
        return name if name in self._files else None

    def bytes_of(self, path: str) -> bytes:
        """Return the bytes of the file at ``path``.

        :raises NoFileError: there is none.
        """
        if path not in self._files:
            raise NoFileError
        return self._files[path]

    def board_at(self, path: str) -> AnyBoard:
        """Return the board that the file at ``path`` describes.

        :raises BoardFileError: it describes none.
        """
        try:
            return parse_board(self.bytes_of(path))
        except BoardFileError as error:
            raise BoardFileError(f"{path}: {one_line(error)}") from None

    @contextmanager
    def record_at(self, path: str) -> Iterator[BinaryIO]:
        """Yield the record of a game at ``path``."""
        yield BytesIO(self.bytes_of(path))


def game_of(parts: Parts, query: Game) -> Game:
    """Return the game of a form, or that of the ``query``.

    :raises ArgumentError: the form names none, or another one than the query.
    """
    text = parts.text("game")
    if text is None:
        return query
    if text not in set(Game):
        raise ArgumentError(f"game is {text!r}: expected one of {', '.join(Game)}")
    if query not in (Game.AUTO, Game(text)):
        raise ArgumentError(f"game is {text!r} in the form and {query.value!r} in the address; leave one of them out")
    return Game(text)


def language_of(parts: Parts, query: Language = Language.ENGLISH) -> Language:
    """Return the language of a form, or that of the ``query``.

    :raises ArgumentError: the form names none.
    """
    text = parts.text("language")
    if text is None:
        return query
    if text not in set(Language):
        raise ArgumentError(f"language is {text!r}: expected one of {', '.join(Language)}")
    return Language(text)


def corners_of(parts: Parts, name: str = "corners") -> list[str] | None:
    """Return the words of a field of corners, None if it is not there.

    :raises ArgumentError: they are not four.
    """
    text = parts.text(name)
    if text is None:
        return None
    words = text.split()
    if len(words) != 4:
        raise ArgumentError(f"{name} {text!r}: expected four times x,y, as in 310,205 512,208 508,521 305,518")
    return words


def size_of(parts: Parts, name: str) -> int | None:
    """Return the number of rows or columns in a field, None if it is not there.

    :raises ArgumentError: it is none.
    """
    text = parts.text(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 2 and _LEAST <= int(text) <= _MOST):
        raise ArgumentError(f"{name} is {text!r}: expected a whole number from {_LEAST} to {_MOST}")
    return int(text)
