"""What is done with an upload: each is a ``Work``, a function that can go to a worker process with its form.

Nothing of the web is here but the form, so that worker processes stay small.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pydantic import BaseModel, ConfigDict

from engine.labels import Language
from service.board_command import board_in, wild_learnt
from service.board_file import board_text
from service.commands import PhotoRequest
from service.forms import BOARDS
from service.game import Game
from service.mended import parse_names
from service.reading import upright_jpeg
from service.turn_command import TurnRequest, turn_answer
from service.turn_overlay import turn_jpeg
from service.upload import MissingFieldError, Parts
from service.uploaded import Uploaded, corners_of, game_of, language_of, size_of
from service.workers import Answered

__all__ = [
    "BOARD_EXAMPLE",
    "BoardAnswer",
    "learn_wild",
    "read_board",
    "read_photo",
    "referee_turn",
    "upright_photo",
]

_NO_BOARD = "send the board file as 'board', or the game so far as 'record', which tells the board too"

BOARD_EXAMPLE: dict[str, Any] = {
    "game": "cubed",
    "rows": 13,
    "columns": 13,
    "logo": [[6, 5], [6, 6], [6, 7]],
    "bonus": [{"at": [4, 6], "points": 5}],
}
"""A board file, for descriptions."""


class BoardAnswer(BaseModel):
    """A board read off a photo: what its board file holds, and a sentence about everything that is unsure."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        json_schema_extra={
            "example": {"board": BOARD_EXAMPLE, "unsure": ["The points of the bonus square [4, 6] could not be read."]}
        },
    )

    board: dict[str, Any]
    unsure: list[str]


def read_photo(
    parts: Parts, desk: Uploaded, query: Game, picture: bool, language: Language = Language.ENGLISH
) -> Answered:
    """Return the answer to one photo in a ``language``, or that ``picture`` with the answer drawn on it."""
    spoken = language_of(parts, language)
    asked = PhotoRequest(
        game_of(parts, query),
        parts.every("option"),
        desk.path("board"),
        parts.text("hand"),
        parts.every("wild"),
        desk.path("empty"),
        corners_of(parts),
    ).asked(desk)
    ((name, data),) = parts.files["photo"]
    said = parse_names(parts.every("piece"))
    answer = desk.referee.answer(name, data, asked=replace(asked, language=spoken, said=said))
    if picture:
        return Answered.jpeg(desk.referee.overlay(data, answer), answer.stages)
    return Answered.json(answer.model_dump_json(), answer.stages)


def upright_photo(parts: Parts, desk: Uploaded) -> Answered:
    """Return the photo itself, upright, as JPEG."""
    ((_, data),) = parts.files["photo"]
    return Answered.jpeg(upright_jpeg(data, desk.referee.limits))


def referee_turn(parts: Parts, desk: Uploaded, query: Game, picture: bool) -> Answered:
    """Return the verdict on a turn, or the ``picture`` after it with the verdict drawn on it."""
    if desk.path("board") is None and desk.path("record") is None:
        raise MissingFieldError(_NO_BOARD)
    asked = TurnRequest(
        "before",
        "after",
        game_of(parts, query),
        desk.path("board"),
        desk.path("record"),
        parts.every("wild"),
        parts.every("as"),
        desk.path("empty"),
        corners_of(parts),
        corners_of(parts, "corners-after"),
        parts.every("option"),
        parts.text("player"),
    )
    answer = turn_answer(asked, desk)
    if picture:
        return Answered.jpeg(turn_jpeg(desk.bytes_of("after"), answer, desk.referee.limits))
    return Answered.json(answer.model_dump_json(by_alias=True))


def read_board(parts: Parts, desk: Uploaded, query: Game) -> Answered:
    """Return the board on a photo of it."""
    game = game_of(parts, query)
    if game is Game.AUTO:
        raise MissingFieldError(BOARDS.advice)
    rows, columns = size_of(parts, "rows"), size_of(parts, "columns")
    found = board_in(desk, "photo", game, corners_of(parts), rows, columns)
    return Answered.json(BoardAnswer(board=found.data, unsure=list(found.unsure)).model_dump_json())


def learn_wild(parts: Parts, desk: Uploaded) -> Answered:
    """Return the board file with the look of the Wild on the photos."""
    return Answered.json(board_text(wild_learnt(desk, desk.paths("photo"), "board")))
