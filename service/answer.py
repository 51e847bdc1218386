"""The JSON of one photo, the same at the command line and over HTTP: exactly these keys, typed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict

from engine.cubed_state import HAND
from engine.editions import edition
from engine.labels import Language
from engine.sets import find_sets
from engine.tokens import Card, Face, Piece, Tile
from service.board_answer import Asked, answer_board, sets_on_board
from service.game import Game
from service.streams import legible
from vision.types import Frame, Kind, Reading

__all__ = [
    "ADVICE",
    "UNLIKELY",
    "ErrorAnswer",
    "ErrorBody",
    "ErrorShape",
    "PhotoAnswer",
    "PieceAnswer",
    "ProblemAnswer",
    "answer_frame",
    "label_of",
    "piece_answer",
    "place_answer",
    "problem_answers",
    "sets_among",
]

UNLIKELY = "corners"
"""Code of the problem that corners are given between which the dice are of no likely size."""
ADVICE_ON_BOARDS = "no dice or tiles found; show the board from higher up, without hands, blur, glare or darkness"
"""What to do where nothing of a game with a board is seen."""
ADVICE = "no pieces found; lay the cards face up, fill the picture with them, and avoid blur, glare and darkness"

_EXAMPLE: dict[str, Any] = {
    "file": "table.jpg",
    "size": [1600, 1200],
    "game": "classic",
    "deck": "us",
    "ms": 61.2,
    "stages": {"load": 14.1, "segment": 30.5, "classify": 12.8},
    "pieces": [
        {
            "id": 0,
            "kind": "card",
            "quad": [[310.2, 205.0], [512.7, 208.4], [508.1, 521.9], [305.6, 518.3]],
            "name": "2 red striped diamond",
            "label": "two red striped diamonds",
            "confidence": 0.98,
            "features": {
                "number": [2, 0.99],
                "colour": ["red", 0.99],
                "shading": ["striped", 0.98],
                "shape": ["diamond", 0.99],
            },
            "doubt": None,
            "cell": None,
        }
    ],
    "sets": [],
    "set_sure": [],
    "problems": [],
    "board": None,
}


class _Answer(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PieceAnswer(_Answer):
    """A piece read: corners TL TR BR BL of the upright piece, pixels of the upright image, origin top left."""

    id: int
    kind: Kind
    quad: list[tuple[float, float]]
    name: str
    label: str
    confidence: float
    features: dict[str, tuple[int | str, float]]
    doubt: str | None
    cell: list[int] | int | None


class ProblemAnswer(_Answer):
    """Something odd about the whole photo: a code, the ids of the pieces that it concerns, one sentence."""

    code: str
    pieces: list[int]
    text: str


FileName = Annotated[str, BeforeValidator(legible)]
"""The name of a photo; what is no Unicode in it is shown as escapes, for JSON could not hold it."""


class PhotoAnswer(_Answer):
    """All that was read off one photo; ``set_sure`` runs parallel to ``sets`` and is false where a doubt decides."""

    model_config = ConfigDict(extra="forbid", frozen=True, json_schema_extra={"example": _EXAMPLE})

    file: FileName
    size: tuple[int, int]
    game: Game
    deck: str | None
    ms: float
    stages: dict[str, float]
    pieces: list[PieceAnswer]
    sets: list[tuple[int, int, int]]
    set_sure: list[bool]
    problems: list[ProblemAnswer]
    board: dict[str, Any] | None


class ErrorBody(_Answer):
    """What went wrong: a slug for programs, one line for people."""

    code: str
    text: str


class ErrorAnswer(_Answer):
    """In place of a :class:`PhotoAnswer` when a photo cannot be read."""

    file: FileName
    error: ErrorBody


class ErrorShape(_Answer):
    """The body of every refusal over HTTP."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        json_schema_extra={"example": {"error": {"code": "missing-field", "text": "send the photo as 'photo'"}}},
    )

    error: ErrorBody


def answer_frame(file: str, frame: Frame, asked: Asked | None = None) -> PhotoAnswer:
    """Return the answer to the photo ``file`` that was read as ``frame``; SETs by SET-1, labels by the edition.

    :raises ArgumentError: a name is given for a Wild where none lies.
    """
    asked = asked or Asked()
    settled = asked.game.settled(frame)
    found = sets_among(frame, asked)
    sets = found or []
    return PhotoAnswer(
        file=file,
        size=frame.size,
        game=settled,
        deck=frame.deck,
        ms=round(frame.ms, 1),
        stages={stage: round(ms, 1) for stage, ms in frame.stages.items()},
        pieces=[piece_answer(number, reading, settled, asked.language) for number, reading in enumerate(frame)],
        sets=sets,
        set_sure=[not any(frame.readings[index].doubt for index in trio) for trio in sets],
        problems=problem_answers(frame) + ([_NO_LINES] if found is None else []),
        board=answer_board(frame, asked),
    )


_NO_LINES = ProblemAnswer(
    code="no-board-file",
    pieces=[],
    text="SETs lie in the lines of a board here: give --board FILE, and they are listed",
)


def sets_among(frame: Frame, asked: Asked) -> list[tuple[int, int, int]] | None:
    """Return the SETs that lie there, as ids of pieces; None where a board decides that nobody has told of."""
    sets = sets_on_board(frame, asked)
    if sets is None:
        return None if _lies_on_a_board(frame, asked.game.settled(frame)) else _sets(frame)
    return sets


def _lies_on_a_board(frame: Frame, game: Game) -> bool:
    """Return whether pieces that make SETs in lines only lie there; five dice may be a hand (CUBED-3)."""
    return (game is Game.CUBED and len(frame) > HAND) or (game is Game.JUNIOR_1 and len(frame) > 0)


def label_of(piece: Piece, game: Game, language: Language = Language.ENGLISH) -> str:
    """Return the name of ``piece`` in the words of ``game``, as in "two red striped diamonds"."""
    return edition(game).label(piece, language)


def _sets(frame: Frame) -> list[tuple[int, int, int]]:
    """Return the SETs among the cards, the tiles and the dice as ascending ids; a Wild stands for what makes one."""
    return sorted(trio for kind in (Card, Tile, Face) for trio in _sets_of(frame, kind))


def _sets_of(frame: Frame, kind: type[Piece]) -> list[tuple[int, int, int]]:
    pieces = [(index, reading.piece) for index, reading in enumerate(frame) if isinstance(reading.piece, kind)]
    trios = find_sets([piece for _, piece in pieces])
    return [(pieces[a][0], pieces[b][0], pieces[c][0]) for a, b, c in trios]


def piece_answer(number: int, reading: Reading, game: Game, language: Language = Language.ENGLISH) -> PieceAnswer:
    """Return the answer about one piece, whose id is ``number``, in the words of ``game``."""
    return PieceAnswer(
        id=number,
        kind=reading.kind,
        quad=[(x, y) for x, y in reading.quad.tolist()],
        name=reading.name,
        label=label_of(reading.piece, game, language),
        confidence=round(reading.confidence, 4),
        features=_features(reading),
        doubt=reading.doubt,
        cell=None if reading.cell is None else place_answer(reading.cell),
    )


def place_answer(at: tuple[int, ...]) -> list[int] | int:
    """Return a place as JSON has it: the number of a space, else [row, column] or [square, row, column]."""
    return at[0] if len(at) == 1 else list(at)


def _features(reading: Reading) -> dict[str, tuple[int | str, float]]:
    """Return feature -> (value, confidence); a feature without a confidence of its own gets that of the name."""
    words = reading.name.split()
    names: Sequence[str] = {4: ("number", "colour", "shading", "shape"), 3: ("number", "colour", "shape")}.get(
        len(words), ()
    )
    return {
        name: (int(word) if name == "number" else word, round(reading.features.get(name, reading.confidence), 4))
        for name, word in zip(names, words, strict=False)
    }


def problem_answers(frame: Frame) -> list[ProblemAnswer]:
    """Return what is odd about a photo: its pieces, where its board lies, its file."""
    problems = (*frame.problems, *(frame.placement.problems if frame.placement is not None else ()))
    found = [ProblemAnswer(code=one.code, pieces=list(one.pieces), text=one.text) for one in problems]
    found += [ProblemAnswer(code="file", pieces=[], text=text) for text in frame.warnings]
    if not frame.readings and all(one.code != UNLIKELY for one in problems):  # then the photo is not to blame
        text = ADVICE if frame.placement is None else ADVICE_ON_BOARDS
        found.append(ProblemAnswer(code="no-pieces", pieces=[], text=text))
    return found
