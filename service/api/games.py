"""The games: what a page has to know to open a table and to draw its pieces, straight from the editions."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from fastapi import Path as InPath
from pydantic import BaseModel, ConfigDict, Field

from engine.editions import EDITIONS, Edition
from engine.labels import Language
from engine.options import Option
from service.answering import json_response
from service.api.bodies import JsonRoute
from service.api.models import GameKey, OptionValue
from service.api.responses import answered, refusals
from service.game import Game

__all__ = ["GameAnswer", "GamesAnswer", "LabelsAnswer", "OptionAnswer", "router"]

_BOARDS = Path(__file__).parents[1] / "boards"

router = APIRouter(prefix="/api/v1/games", tags=["tables"], route_class=JsonRoute)


class _Answer(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class SeatsAnswer(_Answer):
    """How many may play where an option has a value."""

    value: OptionValue
    players: Annotated[list[int], Field(min_length=2, max_length=2, description="Fewest and most players.")]


class OptionAnswer(_Answer):
    """Something that a table can choose."""

    name: str
    text: Annotated[str, Field(description="What it does, in English.")]
    values: Annotated[
        list[OptionValue] | None,
        Field(description="Every value it takes; null: any whole number from 0, and what is the default."),
    ]
    default: OptionValue
    clause: Annotated[str, Field(description="The clause that it belongs to.")]
    seats: Annotated[list[SeatsAnswer], Field(description="Values with which more or fewer may play.")]


class GameAnswer(_Answer):
    """One game."""

    key: str
    title: str
    players: Annotated[list[int], Field(min_length=2, max_length=2, description="Fewest and most players.")]
    board: Annotated[bool, Field(description="Whether a table of it needs a board file.")]
    pieces: Annotated[str, Field(description="card, tile or die")]
    options: list[OptionAnswer]
    names: Annotated[list[str], Field(description="Every piece.")]
    example_board: Annotated[
        dict[str, Any] | None, Field(description="A board file to try the game with, which is not the printed board.")
    ]


class GamesAnswer(_Answer):
    """Every game that can be played."""

    games: list[GameAnswer]


class LabelsAnswer(_Answer):
    """What people call the pieces of a game."""

    labels: Annotated[dict[str, str], Field(description="By name.")]


_SHOWN = {
    "games": [
        {
            "key": "junior-2",
            "title": "SET Junior, face 2",
            "players": [1, 12],
            "board": False,
            "pieces": "tile",
            "options": [
                {
                    "name": "turns",
                    "text": "players search in turn",
                    "values": [True, False],
                    "default": False,
                    "clause": "JUN-11",
                    "seats": [],
                }
            ],
            "names": ["1 red oval", "1 red diamond", "1 red squiggle"],
            "example_board": None,
        }
    ]
}
_LABELS = {"labels": {"1 red oval": "ein rotes Oval", "2 red oval": "zwei rote Ovale"}}


@router.get(
    "",
    summary="List the games",
    response_model=GamesAnswer,
    responses={**refusals(400), **answered(_SHOWN, "The games; here one of them, in part.")},
)
async def list_games() -> Response:
    """Tell of each game who can play it, with which pieces and options, and whether it needs a board. Anyone."""
    return json_response(_games())


@router.get(
    "/{game}/labels",
    summary="What are the pieces called?",
    response_model=LabelsAnswer,
    responses={**refusals(400), **answered(_LABELS, "The label of every piece; here of two.")},
)
async def read_labels(
    game: Annotated[GameKey, InPath(description="The game.")],
    language: Annotated[Language, Query(description="The language of the labels.")] = Language.ENGLISH,
) -> Response:
    """Tell what people of a game call its pieces. Anyone."""
    return json_response(_labels(game, language))


@cache
def _games() -> str:
    return GamesAnswer(games=[_game(edition) for edition in EDITIONS.values()]).model_dump_json()


@cache
def _labels(game: str, language: Language) -> str:
    edition = EDITIONS[game]
    return LabelsAnswer(labels={str(one): edition.label(one, language) for one in edition.deck}).model_dump_json()


def _game(edition: Edition) -> GameAnswer:
    board = Game(edition.key).needs_board
    return GameAnswer(
        key=edition.key,
        title=edition.title,
        players=list(edition.players),
        board=board,
        pieces=edition.deck[0].kind,
        options=[_option(option) for option in edition.options],
        names=[str(piece) for piece in edition.deck],
        example_board=_example(edition.key) if board else None,
    )


def _option(option: Option) -> OptionAnswer:
    return OptionAnswer(
        name=option.name,
        text=option.text,
        values=None if option.counts else list(option.values),
        default=option.default,
        clause=option.clause.value,
        seats=[SeatsAnswer(value=value, players=list(seats)) for value, seats in option.players.items()],
    )


def _example(key: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((_BOARDS / f"{key}.example.json").read_text(encoding="utf-8"))
    return found
