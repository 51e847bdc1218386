"""The answer of the HTTP service to who asks for a hint."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict

from engine.hints import HintLevel
from service.errors import HintError
from service.game import Game
from service.hint import Lying, hint_of, level_of, lying_seen
from service.upload import Parts
from service.uploaded import Uploaded, game_of
from service.workers import Answered

__all__ = ["MOST_PIECES", "HintAnswer", "answer_hint", "hint_of_photo"]

MOST_PIECES = 128
"""A hint is about so many pieces at most: as many Wilds make 341,376 SETs, which takes a tenth of a second."""

_EXAMPLE: dict[str, Any] = {"game": "classic", "level": "count", "text": "1 SET", "sure": True, "pieces": []}


class HintAnswer(BaseModel):
    """A hint in words; ``sure`` is false where it rests on a piece in doubt.

    ``pieces`` are those that the text names: ids of the photo, or places (from 0) among the names that were sent.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, json_schema_extra={"example": _EXAMPLE})

    game: Game
    level: HintLevel
    text: str
    sure: bool
    pieces: list[int]


def hint_of_photo(parts: Parts, desk: Uploaded) -> Answered:
    """Return the hint about the photo of a form.

    :raises HintError: there is no such level, or the pieces are of different kinds, or too many.
    """
    level = level_of(parts.text("level") or HintLevel.ONE.value)
    ((name, data),) = parts.files["photo"]
    lying = lying_seen(desk.referee.answer(name, data, game_of(parts, Game.AUTO)))
    return Answered.json(answer_hint(lying, level).model_dump_json())


def answer_hint(lying: Lying, level: HintLevel) -> HintAnswer:
    """Return the hint about what lies there.

    :raises HintError: these are too many pieces.
    """
    if len(lying.pieces) > MOST_PIECES:
        raise HintError(f"a hint is about at most {MOST_PIECES} pieces: got {len(lying.pieces)}")
    hint = hint_of(lying, level)
    return HintAnswer(
        game=Game(lying.edition.key), level=level, text=hint.text, sure=hint.sure, pieces=list(hint.pieces)
    )
