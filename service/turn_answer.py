"""The JSON of one turn: exactly these keys, typed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field

from service.answer import PieceAnswer, ProblemAnswer, piece_answer, problem_answers
from service.board_answer import Asked, answer_board
from service.game import Game

if TYPE_CHECKING:
    from service.judged import Judged
    from vision.types import Frame

__all__ = [
    "BonusAnswer",
    "LaidAnswer",
    "MovedAnswer",
    "OpenAnswer",
    "SetAnswer",
    "SwappedAnswer",
    "TurnAnswer",
    "answer_turn",
]

_BARE = "no-pieces"
"""Code of the problem that nothing lies on a board; before the first turn nothing does."""


class _Answer(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class LaidAnswer(_Answer):
    """A piece that was laid: what it shows, where, what a Wild is taken to stand for, what its SETs pay."""

    face: str
    at: list[int]
    named: str | None = Field(serialization_alias="as")
    points: int


class SwappedAnswer(_Answer):
    """A die that took the place of a Wild, and what the Wild stood for; null if nobody has said it."""

    face: str
    at: list[int]
    named: str | None = Field(serialization_alias="as")


class MovedAnswer(_Answer):
    """A piece that lies elsewhere now."""

    face: str
    start: list[int] = Field(serialization_alias="from")
    end: list[int] = Field(serialization_alias="to")


class SetAnswer(_Answer):
    """A SET that was made, and what it pays."""

    at: list[list[int]]
    points: int


class BonusAnswer(_Answer):
    """A bonus square that was first occupied."""

    at: list[int]
    points: int


class OpenAnswer(_Answer):
    """A line that may be a SET: ``wild`` are its Wilds of which nobody has said what they stand for.

    ``needs`` is what a single one has to stand for. An open line pays no points.
    """

    at: list[list[int]]
    points: int = 0
    wild: list[list[int]]
    needs: str | None


class TurnAnswer(_Answer):
    """The verdict on what was played between two photos, and the pieces of both as they are read together.

    ``sure`` is false where a doubt decides: a piece in doubt, whose place is in ``doubts``, or a Wild without a name.
    ``faults`` are places because of which it does not stand.
    ``more`` is how many points more the open lines are worth at most; ``scores`` are all points by player after the
    turn, where a record tells them; ``board`` is where the board lies in the second photo.
    """

    ok: bool
    clause: str
    text: str
    points: int
    laid: list[LaidAnswer]
    swapped: list[SwappedAnswer]
    moved: list[MovedAnswer]
    sets: list[SetAnswer]
    bonus: list[BonusAnswer]
    open: list[OpenAnswer]
    before: list[PieceAnswer]
    after: list[PieceAnswer]
    game: Game
    player: str
    more: int
    sure: bool
    doubts: list[list[int]]
    faults: list[list[int]]
    scores: dict[str, int]
    problems: list[ProblemAnswer]
    board: dict[str, Any] | None


def answer_turn(judged: Judged, before: Frame, after: Frame, asked: Asked) -> TurnAnswer:
    """Return the answer to two photos that were read as ``before`` and ``after``, and judged as ``judged``.

    ``asked`` has the game, and the table in the photo after.
    """
    game = asked.game
    return TurnAnswer(
        ok=judged.ok,
        clause=judged.clause.value,
        text=judged.text,
        points=judged.points,
        laid=[
            LaidAnswer(face=str(one.piece), at=list(one.at), named=_name(one.named), points=one.points)
            for one in judged.laid
        ],
        swapped=[SwappedAnswer(face=str(one.piece), at=list(one.at), named=_name(one.named)) for one in judged.swapped],
        moved=[MovedAnswer(face=str(one.piece), start=list(one.start), end=list(one.end)) for one in judged.moved],
        sets=[SetAnswer(at=[list(at) for at in line.at], points=line.points) for line in judged.lines],
        bonus=[BonusAnswer(at=list(at), points=points) for at, points in judged.bonus],
        open=[
            OpenAnswer(at=[list(at) for at in line.at], wild=[list(at) for at in line.wilds], needs=_name(line.needs))
            for line in judged.open
        ],
        before=[piece_answer(number, reading, game) for number, reading in enumerate(before)],
        after=[piece_answer(number, reading, game) for number, reading in enumerate(after)],
        game=game,
        player=judged.player,
        more=judged.more,
        sure=judged.sure and not judged.doubts,
        doubts=[list(at) for at in judged.doubts],
        faults=[list(at) for at in judged.faults],
        scores=dict(judged.scores),
        problems=_problems(before, after),
        board=answer_board(after, asked),
    )


def _problems(before: Frame, after: Frame) -> list[ProblemAnswer]:
    """Return what is odd about either photo; what is odd about the board itself is said once."""
    earlier, later = problem_answers(before), problem_answers(after)
    return [one for one in earlier if one.code != _BARE and (one.pieces or one not in later)] + later


def _name(piece: object) -> str | None:
    return None if piece is None else str(piece)
