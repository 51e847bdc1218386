"""The address of the HTTP service for hints: as much about the SETs that lie there as is asked for, and no more."""

from __future__ import annotations

from typing import Annotated, Any

from anyio import to_thread
from fastapi import APIRouter, Request, Response
from pydantic import Field

from engine.hints import HintLevel
from service.answering import REFUSALS, json_response, served
from service.api.bodies import Body
from service.forms import HINTS
from service.game import Game
from service.hint import lying_named, lying_told
from service.hint_answer import MOST_PIECES, HintAnswer, answer_hint, hint_of_photo
from service.said import CalledName, asks_in_json, form_and_json, said
from service.upload import MissingFieldError

__all__ = ["HintRequest", "router"]

_MOST_BYTES = 256 * 1024
"""Longest JSON body; the JSON of a photo of 81 cards and of all their SETs has a quarter of that."""

_NAMES = {"pieces": ["1 red solid oval", "2 red solid oval", "3 red solid oval"], "level": "count"}
_PHOTO = {"photo": {"game": "cubed", "pieces": [{"name": "wild", "kind": "die", "doubt": None}]}, "level": "yes-no"}

router = APIRouter(tags=["photos"])


class HintRequest(Body):
    """Pieces that lie there: their names, or the JSON of one photo; one of the two."""

    pieces: Annotated[
        list[CalledName] | None,
        Field(min_length=1, max_length=MOST_PIECES, description="Names in any language, as printed on any edition."),
    ] = None
    photo: Annotated[
        dict[str, Any] | None,
        Field(description="What POST /api/v1/photos answered; its game and pieces (name, kind, doubt) are looked at."),
    ] = None
    level: Annotated[HintLevel, Field(strict=False, description="How much is told.")] = HintLevel.ONE
    game: Annotated[Game, Field(strict=False, description="Of `pieces`: whose names apply; auto: what they fit.")] = (
        Game.AUTO
    )


@router.post(
    "/api/v1/hints",
    summary="Give a hint",
    response_model=HintAnswer,
    responses={200: {"description": "The hint, at the level that was asked for."}, **REFUSALS},
    openapi_extra=form_and_json(HINTS, HintRequest, {"names": _NAMES, "the JSON of a photo": _PHOTO}),
)
async def give_hint(request: Request) -> Response:
    """Tell as much about the SETs that lie there as is asked for, as ``set-referee hint`` does.

    Send a photo of the table, the names of the pieces, or the JSON of a photo that was read before. Each level tells
    more than the one before: `never`, `yes-no`, `count`, `one`, `two`, `three` (pieces of a SET).
    """
    if asks_in_json(request):
        asked = await said(request, HintRequest, _MOST_BYTES)
        return json_response((await to_thread.run_sync(_of_names, asked)).model_dump_json())
    return await served(request, HINTS, hint_of_photo)


def _of_names(asked: HintRequest) -> HintAnswer:
    """Return the hint about pieces that are named or were read before."""
    if (asked.pieces is None) is (asked.photo is None):
        raise MissingFieldError("send either the names of the pieces as 'pieces', or the JSON of one photo as 'photo'")
    lying = lying_told(asked.photo) if asked.pieces is None else lying_named(asked.pieces, asked.game)
    return answer_hint(lying, asked.level)
