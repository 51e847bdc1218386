"""The addresses of the HTTP service that are about boards: turns, reading a board, teaching a Wild."""

from __future__ import annotations

from functools import partial
from typing import Any

from fastapi import APIRouter, Request, Response

from service import work
from service.answering import JPEG, REFUSALS, GameQuery, OverlayQuery, served, wants_picture
from service.board_file import CubedFile
from service.forms import BOARDS, TURNS, WILDS
from service.game import Game
from service.turn_answer import TurnAnswer
from service.work import BOARD_EXAMPLE, BoardAnswer

__all__ = ["router"]

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
    return await served(request, TURNS, partial(work.referee_turn, query=game, picture=picture))


@router.post(
    "/api/v1/boards",
    summary="Read a board off a photo of it",
    response_model=BoardAnswer,
    responses=_content(
        {"board": BOARD_EXAMPLE, "unsure": ["The points of the bonus square [4, 6] could not be read."]},
        "The board, and what people should look at before they use it.",
    ),
    openapi_extra=BOARDS.openapi(),
)
async def read_board(request: Request, game: GameQuery = Game.AUTO) -> Response:
    """Return the board file of an empty board, as ``set-referee board`` writes it, and what was unsure."""
    return await served(request, BOARDS, partial(work.read_board, query=game))


@router.post(
    "/api/v1/wilds",
    summary="Teach a table's own Wild face",
    response_model=CubedFile,
    responses=_content(
        {**BOARD_EXAMPLE, "wild": {"embeddings": [[0.1768] * 32]}}, "The board file with the look of its Wild."
    ),
    openapi_extra=WILDS.openapi(),
)
async def learn_wild(request: Request) -> Response:
    """Return the board file with the look of the Wild on the photos, as ``set-referee learn-wild`` writes it."""
    return await served(request, WILDS, work.learn_wild)
