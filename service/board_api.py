"""The addresses of the HTTP service that are about boards: turns, reading a board, teaching a Wild."""

from __future__ import annotations

from functools import partial
from typing import Any

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict

from service.answering import JPEG, REFUSALS, GameQuery, OverlayQuery, json_response, served, wants_picture
from service.board_command import board_in, wild_learnt
from service.board_file import CubedFile, board_text
from service.forms import BOARDS, TURNS, WILDS
from service.game import Game
from service.turn_answer import TurnAnswer
from service.turn_command import TurnRequest, turn_answer
from service.turn_overlay import turn_jpeg
from service.upload import MissingFieldError, Parts
from service.uploaded import Uploaded, corners_of, game_of, size_of

__all__ = ["BoardAnswer", "router"]

_NO_BOARD = "send the board file as 'board', or the game so far as 'record', which tells the board too"

_BOARD: dict[str, Any] = {
    "game": "cubed",
    "rows": 13,
    "columns": 13,
    "logo": [[6, 5], [6, 6], [6, 7]],
    "bonus": [{"at": [4, 6], "points": 5}],
}
_TURN: dict[str, Any] = {
    "ok": True,
    "clause": "CUBED-7",
    "text": "1 SET of three points.",
    "points": 8,
    "laid": [{"face": "2 red oval", "at": [6, 8], "as": None, "points": 3}],
    "swapped": [],
    "moved": [],
    "sets": [{"at": [[6, 6], [6, 7], [6, 8]], "points": 3}],
    "bonus": [{"at": [6, 8], "points": 5}],
    "open": [],
    "before": [],
    "after": [],
    "game": "cubed",
    "player": "The player",
    "more": 0,
    "sure": True,
    "doubts": [],
    "faults": [],
    "scores": {},
    "problems": [],
    "board": {
        "game": "cubed",
        "rows": 13,
        "columns": 13,
        "corners": [[310.2, 205.0], [812.7, 208.4], [808.1, 721.9], [305.6, 718.3]],
    },
}

router = APIRouter()


class BoardAnswer(BaseModel):
    """A board read off a photo: what its board file holds, and a sentence about everything that is unsure."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        json_schema_extra={
            "example": {"board": _BOARD, "unsure": ["The points of the bonus square [4, 6] could not be read."]}
        },
    )

    board: dict[str, Any]
    unsure: list[str]


def _content(example: dict[str, Any], text: str, *, picture: bool = False) -> dict[int | str, dict[str, Any]]:
    content: dict[str, Any] = {"application/json": {"example": example}}
    return {200: {"description": text, "content": {**content, **JPEG} if picture else content}, **REFUSALS}


@router.post(
    "/api/v1/turns",
    summary="Referee a turn from two photos",
    response_model=TurnAnswer,
    responses=_content(
        _TURN, "The verdict; with `overlay=1`, the photo after the turn with what was laid drawn on it.", picture=True
    ),
    openapi_extra=TURNS.openapi(),
)
async def judge_turn(request: Request, overlay: OverlayQuery = False, game: GameQuery = Game.AUTO) -> Response:
    """Say what was laid between two photos of one board, and what it scores, as ``set-referee turn --json`` does."""
    picture = wants_picture(request, overlay)
    return await served(request, TURNS, partial(_turn, query=game, picture=picture))


def _turn(parts: Parts, desk: Uploaded, query: Game, picture: bool) -> Response:
    """Judge the turn of a form; runs in a worker thread."""
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
        return Response(turn_jpeg(desk.bytes_of("after"), answer, desk.referee.limits), media_type="image/jpeg")
    return json_response(answer.model_dump_json(by_alias=True))


@router.post(
    "/api/v1/boards",
    summary="Read a board off a photo of it",
    response_model=BoardAnswer,
    responses=_content(
        {"board": _BOARD, "unsure": ["The points of the bonus square [4, 6] could not be read."]},
        "The board, and what people should look at before they use it.",
    ),
    openapi_extra=BOARDS.openapi(),
)
async def read_board(request: Request, game: GameQuery = Game.AUTO) -> Response:
    """Return the board file of an empty board, as ``set-referee board`` writes it, and what was unsure."""
    return await served(request, BOARDS, partial(_read, query=game))


def _read(parts: Parts, desk: Uploaded, query: Game) -> Response:
    """Read the board of a form; runs in a worker thread."""
    game = game_of(parts, query)
    if game is Game.AUTO:
        raise MissingFieldError(BOARDS.advice)
    rows, columns = size_of(parts, "rows"), size_of(parts, "columns")
    found = board_in(desk, "photo", game, corners_of(parts), rows, columns)
    return json_response(BoardAnswer(board=found.data, unsure=list(found.unsure)).model_dump_json())


@router.post(
    "/api/v1/wilds",
    summary="Teach a table's own Wild face",
    response_model=CubedFile,
    responses=_content(
        {**_BOARD, "wild": {"embeddings": [[0.1768] * 32]}}, "The board file with the look of its Wild."
    ),
    openapi_extra=WILDS.openapi(),
)
async def learn_wild(request: Request) -> Response:
    """Return the board file with the look of the Wild on the photos, as ``set-referee learn-wild`` writes it."""
    return await served(request, WILDS, _learn)


def _learn(parts: Parts, desk: Uploaded) -> Response:
    """Learn from the photos of a form; runs in a worker thread."""
    return json_response(board_text(wild_learnt(desk, desk.paths("photo"), "board")))
