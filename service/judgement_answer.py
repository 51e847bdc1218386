"""The answer of the HTTP service to a disputed call: whether three pieces are a SET, and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from engine.editions import Edition, Feature, edition
from engine.labels import Language
from engine.options import Options
from engine.sets import Agreement
from engine.tokens import Face, Piece, parse_piece
from service.answer import PieceAnswer
from service.arguments import parse_options
from service.game import Game
from service.judgement import judge, picked_pieces, three_words
from service.upload import Parts
from service.uploaded import Uploaded, game_of, language_of
from service.workers import Answered
from vision.types import Kind

__all__ = ["JudgedPieceAnswer", "JudgementAnswer", "answer_judgement", "judge_photo"]

_EXAMPLE: dict[str, Any] = {
    "game": "classic",
    "language": "en",
    "is_set": False,
    "sure": True,
    "clause": "SET-3",
    "text": "Not a SET: in colour two are red and one is green.",
    "lines": [
        "Number: all different (one, two, three)",
        "Colour: two are red and one is green",
        "Shading: all the same (solid)",
        "Shape: all the same (oval)",
    ],
    "features": {"number": "different", "colour": "broken", "shading": "same", "shape": "same"},
    "pieces": [
        {"id": None, "kind": "card", "name": name, "label": label, "as": None, "doubt": None, "quad": None}
        for name, label in (
            ("1 red solid oval", "one red solid oval"),
            ("2 red solid oval", "two red solid ovals"),
            ("3 green solid oval", "three green solid ovals"),
        )
    ],
}


class JudgedPieceAnswer(BaseModel):
    """One of the three pieces; ``id``, ``doubt`` and ``quad`` are those of the JSON of the photo, if there is one."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    id: int | None
    kind: Kind
    name: str
    label: str
    named: Annotated[str | None, Field(alias="as", description="What the one Wild among them has to stand for.")]
    doubt: str | None
    quad: list[tuple[float, float]] | None


class JudgementAnswer(BaseModel):
    """The verdict on three pieces, feature by feature; ``sure`` is false where it rests on a piece in doubt."""

    model_config = ConfigDict(extra="forbid", frozen=True, json_schema_extra={"example": _EXAMPLE})

    game: Game
    language: Language
    is_set: bool
    sure: bool
    clause: str
    text: str
    lines: list[str]
    features: dict[Feature, Agreement]
    pieces: list[JudgedPieceAnswer]


def judge_photo(parts: Parts, desk: Uploaded) -> Answered:
    """Return the verdict on three pieces of the photo of a form.

    :raises ServiceError: something that is asked cannot be used.
    """
    language, words = language_of(parts), three_words(",".join(parts.every("pick")))
    ((name, data),) = parts.files["photo"]
    read = desk.referee.answer(name, data, game_of(parts, Game.AUTO))
    picked = picked_pieces(words, read)
    pieces = [parse_piece(piece.name, piece.kind) for piece in picked]
    options = parse_options(parts.every("option"), read.game)
    return Answered.json(
        answer_judgement(pieces, edition(read.game), options, language, picked).model_dump_json(by_alias=True)
    )


def answer_judgement(
    pieces: Sequence[Piece],
    words: Edition,
    options: Options,
    language: Language,
    seen: Sequence[PieceAnswer | None] = (None, None, None),
) -> JudgementAnswer:
    """Return the verdict on three ``pieces``, with what a photo says of them where they were ``seen`` on one.

    :raises PickError: they are not of one kind.
    """
    judged = judge(pieces, words, options, language)
    named = None if judged.named is None else str(judged.named)
    return JudgementAnswer(
        game=Game(words.key),
        language=language,
        is_set=judged.is_set,
        sure=all(one is None or one.doubt is None for one in seen),
        clause=judged.clause,
        text=judged.text,
        lines=list(judged.lines),
        features=dict(judged.features),
        pieces=[
            JudgedPieceAnswer(
                id=None if one is None else one.id,
                kind=Kind(piece.kind),
                name=str(piece),
                label=words.label(piece, language),
                named=named if piece == Face(None) else None,
                doubt=None if one is None else one.doubt,
                quad=None if one is None else one.quad,
            )
            for piece, one in zip(pieces, seen, strict=True)
        ],
    )
