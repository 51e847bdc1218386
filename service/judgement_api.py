"""The address of the HTTP service for disputed calls: whether three pieces are a SET, and why."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Request, Response
from pydantic import Field

from engine.labels import Language
from engine.options import OptionError, choose
from service.answering import REFUSALS, json_response, served
from service.api.bodies import Body
from service.api.models import OptionValue
from service.errors import ArgumentError
from service.forms import JUDGEMENTS
from service.game import Game
from service.judgement_answer import JudgementAnswer, answer_judgement, judge_photo
from service.naming import named_pieces
from service.said import CalledName, asks_in_json, form_and_json, said

__all__ = ["JudgementRequest", "router"]


_NAMES = {"pieces": ["1 red solid oval", "2 red solid oval", "3 green solid oval"], "game": "classic"}
_GERMAN = {"pieces": ["eine rote Welle", "Joker", "drei rote Wellen"], "game": "cubed", "language": "de"}

router = APIRouter(tags=["photos"])


class JudgementRequest(Body):
    """Three pieces by their names, without a photo."""

    pieces: Annotated[
        list[CalledName],
        Field(min_length=3, max_length=3, description="Three names, in any language, as printed on any edition."),
    ]
    game: Annotated[Game, Field(strict=False, description="Whose names and rules apply; auto: what the names fit.")] = (
        Game.AUTO
    )
    options: Annotated[
        dict[str, OptionValue],
        Field(description="Options of the table, as in a record: identical_dice_are_set is the one that matters."),
    ] = Field(default_factory=dict)
    language: Annotated[Language, Field(strict=False, description="Of the texts.")] = Language.ENGLISH


@router.post(
    "/api/v1/judgements",
    summary="Judge a disputed call",
    response_model=JudgementAnswer,
    responses={200: {"description": "The verdict: whether they are a SET, and why."}, **REFUSALS},
    openapi_extra=form_and_json(JUDGEMENTS, JudgementRequest, {"names alone": _NAMES, "German dice": _GERMAN}),
)
async def judge_pieces(request: Request) -> Response:
    """Say whether three pieces are a SET, feature by feature, as ``set-referee judge`` does.

    Send a photo of the table and the three pieces that were picked, or the names of three pieces alone. That they are
    no SET is an answer (200), not an error.
    """
    if asks_in_json(request):
        return json_response(_judged_names(await said(request, JudgementRequest)).model_dump_json(by_alias=True))
    return await served(request, JUDGEMENTS, judge_photo)


def _judged_names(asked: JudgementRequest) -> JudgementAnswer:
    named = named_pieces(asked.pieces, asked.game)
    try:
        options = choose(named.edition.options, asked.options, named.edition.key)
    except OptionError as error:
        raise ArgumentError(f"options: {error}") from None
    return answer_judgement(named.pieces, named.edition, options, asked.language)
