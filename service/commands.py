"""What the commands ``photo``, ``judge`` and ``demo`` do, once their options are read."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import BinaryIO

from engine.editions import edition
from engine.tokens import parse_piece
from service.answer import ErrorAnswer, ErrorBody, PhotoAnswer
from service.arguments import parse_corners, parse_hand, parse_options, parse_wilds
from service.board_answer import Asked
from service.board_file import AnyBoard, CubedFile, Junior1File, read_board_file
from service.console import complain, printable, progress, show_answer, show_judgement, write_json
from service.errors import (
    ArgumentError,
    DemoMissingError,
    InstallationError,
    NoBoardError,
    ServiceError,
    code_of,
    one_line,
)
from service.files import STANDARD_INPUT, open_record, overlay_paths, prepare_folder, read_photo, write_whole
from service.game import Game
from service.judgement import judge, picked_pieces, three_words
from service.reading import Referee
from service.settings import Settings
from service.tables import Table
from vision.types import VisionError

__all__ = ["DEMO", "Desk", "PhotoRequest", "empty_photo", "judge_photo", "read_demo", "read_photos"]

DEMO = Path(__file__).parent / "static" / "demo.jpg"


class Desk:
    """Reads photos from files; the models are opened with the first file that has bytes to read."""

    def __init__(self, settings: Settings) -> None:
        """Keep the ``settings``; nothing is opened yet."""
        self.settings = settings

    @cached_property
    def referee(self) -> Referee:
        """The reader, opened once."""
        return Referee.opened(self.settings)

    def bytes_of(self, path: str) -> bytes:
        """Return the bytes of the file at ``path``.

        :raises ServiceError: there are none to be had.
        """
        return self._standard_input if path == STANDARD_INPUT else read_photo(path, self.settings.max_bytes)

    def board_at(self, path: str) -> AnyBoard:
        """Return the board that the file at ``path`` describes.

        :raises BoardFileError: it describes none.
        """
        return read_board_file(path)

    def record_at(self, path: str) -> AbstractContextManager[BinaryIO]:
        """Return what opens the record of a game at ``path``.

        :raises ServiceError: when it is opened, and cannot be.
        """
        return open_record(path)

    @cached_property
    def _standard_input(self) -> bytes:
        """What came on standard input, which can be read once only."""
        return read_photo(STANDARD_INPUT, self.settings.max_bytes)

    def read(self, path: str, asked: Asked, overlay: Path | None = None) -> PhotoAnswer:
        """Return what lies in the photo at ``path``, and write its ``overlay`` if wanted.

        :raises ServiceError: the file cannot be read or the overlay not written.
        :raises VisionError: the bytes are no photo.
        """
        data = self.bytes_of(path)
        answer = self.referee.answer(path, data, asked=asked)
        if overlay is not None:
            write_whole(overlay, self.referee.overlay(data, answer))
        return answer

    def attempt(self, path: str, asked: Asked | None = None, overlay: Path | None = None) -> PhotoAnswer | ErrorAnswer:
        """Return what lies in the photo at ``path``, or what is wrong with it, as :meth:`read` does.

        :raises InstallationError: no photo can be read at all.
        """
        try:
            return self.read(path, asked or Asked(), overlay)
        except InstallationError:
            raise
        except (ServiceError, VisionError) as error:
            return ErrorAnswer(file=path, error=ErrorBody(code=code_of(error), text=one_line(error)))


@dataclass(frozen=True)
class PhotoRequest:
    """What the command line says of photos, besides their names."""

    game: Game = Game.AUTO
    options: Sequence[str] = ()
    board: str | None = None
    hand: str | None = None
    wilds: Sequence[str] = ()
    empty: str | None = None
    corners: Sequence[str] | None = None

    def asked(self, desk: Desk) -> Asked:
        """Return what is asked, with the files that are named; ``auto`` is the game of the board file, if any.

        :raises ServiceError: something cannot be used.
        """
        board = None if self.board is None else desk.board_at(self.board)
        game = Game(board.game) if board is not None and self.game is Game.AUTO else self.game
        if board is not None and board.game != game:
            raise ArgumentError(
                f"{printable(str(self.board))}: this is a board of {board.game}, and --game says {game}"
            )
        self._check(game, board)
        return Asked(
            game,
            Table(
                board, parse_corners(self.corners), None if self.empty is None else empty_photo(desk, self.empty, board)
            ),
            parse_wilds(self.wilds, "--wild"),
            parse_hand(self.hand),
            parse_options(self.options, game if self.options else Game.CUBED),
        )

    def _check(self, game: Game, board: AnyBoard | None) -> None:
        """Check that what is given is of use.

        :raises ArgumentError: something is not.
        """
        if game is Game.AUTO and self.options:
            raise ArgumentError("--option: say of which game, with --game GAME")
        if game is not Game.AUTO and game.has_cards and (self.empty is not None or self.corners is not None):
            raise ArgumentError(f"--empty and --corners are about boards, and {game} has none; leave them out")
        of_cubed = (("--hand", self.hand is not None), ("--wild", bool(self.wilds)))
        for option, given in (*of_cubed, ("--corners", self.corners is not None)):
            if given and not isinstance(board, CubedFile):
                raise ArgumentError(f"{option} needs --board FILE with a board of cubed")


def empty_photo(desk: Desk, path: str, board: AnyBoard | None) -> bytes:
    """Return the bytes of the photo at ``path``, which shows ``board`` without tiles.

    :raises NoBoardError: it does not.
    :raises ArgumentError: no such photo is of use, for nothing on ``board`` is compared with it.
    :raises InstallationError: no photo can be read at all.
    """
    if not isinstance(board, Junior1File):
        raise ArgumentError("--empty needs --board FILE with a board of junior-1: only its spaces are compared")
    try:
        data, referee = desk.bytes_of(path), desk.referee
        referee.table_reader.check_empty(data, referee.limits, board)
    except InstallationError:
        raise
    except (ServiceError, VisionError) as error:
        raise NoBoardError(f"--empty {printable(path)}: {one_line(error)}") from None
    return data


def read_photos(
    photos: Sequence[str], request: PhotoRequest, as_json: bool, overlay: str | None, settings: Settings
) -> int:
    """Print what lies in each of ``photos``; return 0, or 2 if one could not be read.

    :raises ServiceError: something that is asked cannot be used, the overlay's folder cannot be written, or the models
        not be opened.
    """
    desk = Desk(settings)
    asked = request.asked(desk)
    targets = [None] * len(photos) if overlay is None else overlay_paths(photos, prepare_folder(overlay))
    failed = False
    with progress(len(photos), "reading") as bar:
        for path, target in zip(photos, targets, strict=True):
            answer = desk.attempt(path, asked, target)
            failed |= isinstance(answer, ErrorAnswer)
            with bar.aside():
                _show(answer, as_json, target)
            bar.step()
    return 2 if failed else 0


def _show(answer: PhotoAnswer | ErrorAnswer, as_json: bool, overlay: Path | None) -> None:
    if as_json:
        write_json(answer.model_dump_json())
    if isinstance(answer, ErrorAnswer):
        complain(f"{printable(answer.file)}: {answer.error.text}")
    elif not as_json:
        show_answer(answer, None if overlay is None else str(overlay))


def judge_photo(path: str, pick: str, settings: Settings) -> int:
    """Print whether the three pieces that ``pick`` names are a SET; return 0 if so, 1 if not, 3 if unsure.

    :raises PickError: ``pick`` does not name three different pieces of the photo at ``path``.
    """
    words = three_words(pick)
    answer = Desk(settings).attempt(path)
    if isinstance(answer, ErrorAnswer):
        complain(f"{printable(answer.file)}: {answer.error.text}")
        return 2
    picked = picked_pieces(words, answer)
    judged = judge([parse_piece(piece.name, piece.kind) for piece in picked], edition(answer.game))
    show_judgement(picked, judged.is_set, judged.clause, judged.lines)
    if any(piece.doubt is not None for piece in picked):
        return 3
    return 0 if judged.is_set else 1


def read_demo(folder: str, settings: Settings) -> int:
    """Print what lies in the shipped picture and write its overlay to ``folder``/demo.sets.jpg; return 0.

    :raises ServiceError: the picture is missing or the overlay cannot be written.
    """
    if not DEMO.is_file():
        raise DemoMissingError
    target = prepare_folder(folder) / "demo.sets.jpg"
    answer = Desk(settings).read(str(DEMO), Asked(), target)
    show_answer(answer.model_copy(update={"file": DEMO.name}), str(target))
    return 0
