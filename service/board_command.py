"""What the commands ``board`` and ``learn-wild`` do: read a board off a photo, teach a table's own Wild face."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import hypot
from pathlib import Path
from typing import Any

from service.arguments import parse_corners
from service.board_file import CubedFile, board_text, parse_board, write_board_file
from service.commands import Desk
from service.console import Bar, printable, progress, write_line
from service.errors import (
    ArgumentError,
    BoardFileError,
    NoBoardError,
    NoFileError,
    NoWildError,
    TargetError,
    UnreadableFileError,
    one_line,
)
from service.files import check_target
from service.game import Game
from service.settings import Settings
from service.tables import BoardRead
from vision.types import VisionError

__all__ = ["WildChecks", "board_in", "learn_wild", "read_board", "wild_learnt"]


@dataclass(frozen=True, slots=True)
class WildChecks:
    """Numbers that decide whether photos show one Wild face."""

    least_alike: float = 0.5
    """Least cosine of the angle between the embeddings of two pictures of one face."""


_CHECKS = WildChecks()
_FAULTS = (NoFileError, UnreadableFileError, VisionError)


def read_board(
    photo: str,
    game: Game,
    output: str,
    corners: Sequence[str] | None,
    rows: int | None,
    columns: int | None,
    force: bool,
    settings: Settings,
) -> int:
    """Write the board that lies empty in ``photo`` to ``output``, and print what people should look at; return 0.

    :raises ServiceError: an argument, the photo, or ``output``, which is there already and ``force`` is not given.
    """
    _check_game(game, rows, columns)
    _check_output(output, force)
    read = board_in(Desk(settings), photo, game, corners, rows, columns)
    write_board_file(output, read.data)
    write_line(f"board: {printable(output)}")
    for sentence in read.unsure:
        write_line(f"look: {sentence}")
    return 0


def board_in(
    desk: Desk, photo: str, game: Game, corners: Sequence[str] | None, rows: int | None, columns: int | None
) -> BoardRead:
    """Return the board that lies empty in ``photo``, with a sentence about everything that people should look at.

    :raises ServiceError: an argument, or the photo.
    """
    _check_game(game, rows, columns)
    if game is not Game.CUBED and corners is not None:
        raise ArgumentError("--corners: a board of SET Junior is found by its pictures; leave it out")
    points = parse_corners(corners)
    try:
        data = desk.bytes_of(photo)
        referee = desk.referee
        read = referee.table_reader.read_board(
            data, referee.limits, game.value, corners=points, rows=rows, columns=columns
        )
    except (*_FAULTS, NoBoardError) as error:
        raise NoBoardError(f"{printable(photo)}: {one_line(error)}") from None
    return replace(read, unsure=(*read.unsure, *_unfit(read.data)))


def _check_game(game: Game, rows: int | None, columns: int | None) -> None:
    if game.has_cards:
        raise ArgumentError(f"--game {game.value}: a board is one of cubed, junior-1 or junior-2")
    if game is not Game.CUBED and (rows is not None or columns is not None):
        raise ArgumentError("--rows and --columns: only a board of cubed has them; leave them out")


def _check_output(output: str, force: bool) -> None:
    check_target(output)
    if Path(output).exists() and not force:
        raise TargetError(output, "it is there already; give --force to write over it")


def _unfit(board: Mapping[str, Any]) -> list[str]:
    """Return what is to be filled in before the file of a ``board`` can be used."""
    try:
        parse_board(board_text(board))
    except BoardFileError as error:
        return [f"as it stands the file cannot be used: {one_line(error)}"]
    return []


def learn_wild(
    photos: Sequence[str], board: str, settings: Settings, checks: WildChecks = _CHECKS, *, force: bool = False
) -> int:
    """Write the look of the Wild face that ``photos`` show into the file ``board``; return 0.

    :raises ServiceError: the file is none of Cubed, a photo cannot be read or shows no Wild, or they show several, or
        another one than the file knows and ``force`` is not given.
    """
    desk = Desk(settings)
    with progress(len(photos), "learning") as bar:
        learnt = wild_learnt(desk, photos, board, checks, bar, force=force)
    write_board_file(board, learnt)
    count = len(learnt.embeddings)
    write_line(f"{printable(board)}: the Wild face is known from {count} picture{'s' * (count > 1)} of it")
    return 0


def wild_learnt(
    desk: Desk,
    photos: Sequence[str],
    board: str,
    checks: WildChecks = _CHECKS,
    bar: Bar | None = None,
    *,
    force: bool = True,
) -> CubedFile:
    """Return the board of the file ``board`` with the look of the Wild face that ``photos`` show.

    :raises ServiceError: the file is none of Cubed, a photo cannot be read or shows no Wild, or they show several, or
        another one than the file knows and ``force`` is false.
    """
    file, found = desk.board_at(board), list[tuple[str, list[float]]]()
    if not isinstance(file, CubedFile):
        raise BoardFileError(f"{printable(board)}: this is a board of {file.game}, and only Cubed has a Wild face")
    for path in photos:
        found += [(path, embedding) for embedding in _faces(desk, path)]
        if bar is not None:
            bar.step()
    _check_alike(found, checks)
    if not force:
        _check_known(found, file, board, checks)
    return file.with_wild([embedding for _, embedding in found])


def _faces(desk: Desk, path: str) -> list[list[float]]:
    """Return an embedding of each Wild face in the photo at ``path``.

    :raises NoWildError: there is none, or the photo cannot be read.
    """
    try:
        data = desk.bytes_of(path)
        referee = desk.referee
        faces = referee.table_reader.learn_wild([data], referee.limits)
    except _FAULTS as error:
        raise NoWildError(f"{printable(path)}: {one_line(error)}") from None
    if not faces:
        raise NoWildError(
            f"{printable(path)}: no Wild face is found that is plainly one; lay one die with the Wild up, alone and in "
            "the middle of the picture"
        )
    return faces


def _check_alike(found: Sequence[tuple[str, Sequence[float]]], checks: WildChecks) -> None:
    """Check that all embeddings are of one face.

    :raises NoWildError: two of them are too far apart.
    """
    for number, (path, first) in enumerate(found):
        for other, second in found[:number]:
            if _cosine(first, second) < checks.least_alike:
                where = printable(path) if path == other else f"{printable(other)} and {printable(path)}"
                raise NoWildError(
                    f"{where}: several different Wild faces are seen; show only dice with the Wild of one table up"
                )


def _check_known(found: Sequence[tuple[str, Sequence[float]]], file: CubedFile, board: str, checks: WildChecks) -> None:
    """Check that what is found is the Wild that the file knows already, if it does.

    :raises NoWildError: it is unlike all pictures of it.
    """
    for path, look in found:
        if file.embeddings and max(_cosine(look, known) for known in file.embeddings) < checks.least_alike:
            raise NoWildError(
                f"{printable(path)}: this is not the Wild face that {printable(board)} knows already; give --force to "
                "teach it in its place"
            )


def _cosine(first: Sequence[float], second: Sequence[float]) -> float:
    dot = sum(a * b for a, b in zip(first, second, strict=True))
    return dot / max(1e-9, hypot(*first) * hypot(*second))
