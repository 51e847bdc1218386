"""The forms of the HTTP service: which fields each address takes; they are the options of the command line."""

from __future__ import annotations

from pathlib import Path

from engine.hints import HintLevel
from engine.labels import Language
from service.game import Game
from service.upload import Field, Form, Sort

__all__ = ["BOARDS", "HINTS", "JUDGEMENTS", "PHOTOS", "TURNS", "WILDS"]

_BOARD_BYTES = 1_000_000
"""Longest board file; one that knows a Wild from fifty pictures has a fiftieth of that."""
_RECORD_BYTES = 1_000_000
"""Longest record of a game; a long game has a tenth of that."""
_MANY = 64
"""How many Wilds or options may be told of."""
_PICTURES = 8
"""How many photos of a Wild face may be sent at once."""

_KINDS = "JPEG, PNG, WebP, BMP, TIFF, GIF or HEIC."
_EXAMPLE_BOARD = (Path(__file__).parent / "boards" / "cubed.example.json").read_text(encoding="utf-8")
_BOARD_TEXT = "The board file, as a file or as a text: what is printed on the board."
_CORNERS = "310,205 512,208 508,521 305,518"


def _photo(text: str, name: str = "photo", needed: bool = True, most: int = 1) -> Field:
    return Field(name, Sort.PHOTO, f"{text} {_KINDS}", most, needed=needed)


def _game(text: str, example: Game) -> Field:
    return Field("game", Sort.TEXT, text, example=example.value)


def _corners(name: str = "corners", where: str = "the picture") -> Field:
    return Field(
        name,
        Sort.TEXT,
        f"The board's grid in {where}, clockwise from its own top left: four times x,y in pixels.",
        example=_CORNERS,
    )


def _board(needed: bool = False) -> Field:
    return Field("board", Sort.DOCUMENT, _BOARD_TEXT, length=_BOARD_BYTES, needed=needed, example=_EXAMPLE_BOARD)


_EMPTY = _photo("A photo of the same board without tiles.", "empty", needed=False)
_WILD = Field(
    "wild",
    Sort.TEXT,
    "What a Wild on the board stands for: ROW,COLUMN=NAME; repeat it for others.",
    _MANY,
    example="6,4=2 red oval",
)
_OPTION = Field(
    "option",
    Sort.TEXT,
    "An option of the table, as in a record: NAME=VALUE; repeat it for others.",
    _MANY,
    example="waiting_dice=false",
)

_LANGUAGE = Field(
    "language", Sort.TEXT, f"Of the texts: {', '.join(Language)}; without it en.", example=Language.GERMAN.value
)

PHOTOS = Form(
    (
        _photo("The photo of the table."),
        _game("Whose names and rules apply; auto looks at what lies there.", Game.CUBED),
        _board(),
        _corners(),
        Field(
            "hand",
            Sort.TEXT,
            "Cubed: the faces of a hand, separated by commas; the answer has its best turn.",
            example="2 red oval, 1 green diamond, wild",
        ),
        _WILD,
        _EMPTY,
        _OPTION,
        _LANGUAGE,
        Field(
            "piece",
            Sort.TEXT,
            "What a person says that a piece is: ID=NAME, the id being that of the answer; repeat it for others.",
            _MANY,
            example="3=2 red striped oval",
        ),
    ),
    "send one photo as the file 'photo' of a multipart/form-data body, or as the body itself with its type, such as "
    "image/jpeg",
    ("overlay", "upright", "game", "language"),
    raw="photo",
)
"""What may be asked of one photo."""

JUDGEMENTS = Form(
    (
        _photo("The photo of the table."),
        Field(
            "pick",
            Sort.TEXT,
            "The three pieces: ids of the JSON of the photo, or names, between commas or each on its own.",
            3,
            needed=True,
            example="0,4,7",
        ),
        _game("Whose names and rules apply; auto looks at what lies there.", Game.CLASSIC),
        _LANGUAGE,
        _OPTION,
    ),
    "send one photo as the file 'photo' and the three pieces as 'pick' of a multipart/form-data body, or as "
    'application/json names alone, {"pieces": [three names]}',
)
"""What is told of three pieces on a photo."""

HINTS = Form(
    (
        _photo("The photo of the table."),
        Field(
            "level",
            Sort.TEXT,
            f"How much is told: {', '.join(HintLevel)} (pieces of a SET); without it one.",
            example=HintLevel.COUNT.value,
        ),
        _game("Whose names and rules apply; auto looks at what lies there.", Game.CLASSIC),
    ),
    "send one photo as the file 'photo' of a multipart/form-data body, or as application/json names, "
    '{"pieces": [names]}, or what was read off a photo, {"photo": {...}}',
)
"""What is told about a hint."""

TURNS = Form(
    (
        _photo("The board before the turn.", "before"),
        _photo("The board after it.", "after"),
        _game("cubed or junior-1; without it that of the board file, or of the record.", Game.CUBED),
        _board(),
        Field(
            "record",
            Sort.DOCUMENT,
            "The game so far, JSON lines, as a file or as a text: players, scores, what Wilds stand for.",
            length=_RECORD_BYTES,
        ),
        _WILD,
        Field(
            "as",
            Sort.TEXT,
            "What a Wild laid now was announced to stand for: ROW,COLUMN=NAME; repeat it for others.",
            _MANY,
            example="5,4=1 red oval",
        ),
        Field("player", Sort.TEXT, "Who played.", example="Ann"),
        _EMPTY,
        _corners(where="BEFORE"),
        _corners("corners-after", "AFTER, where it is another place"),
        _OPTION,
    ),
    "send two photos as the files 'before' and 'after' of a multipart/form-data body",
    ("overlay", "game"),
    shown=("board",),
)
"""What is told about a turn."""

BOARDS = Form(
    (
        _photo("A photo of the board without pieces."),
        _game("cubed, junior-1 or junior-2.", Game.CUBED),
        _corners(),
        Field("rows", Sort.TEXT, "Rows of the grid, if it cannot be counted.", example="13"),
        Field("columns", Sort.TEXT, "Columns of the grid.", example="13"),
    ),
    "send one photo as the file 'photo' of a multipart/form-data body, and as the 'game' whose board that is cubed, "
    "junior-1 or junior-2",
    ("game",),
    shown=("game",),
)
"""What is told about a board to be read."""

WILDS = Form(
    (_photo("Photos of dice with the Wild up; repeat it for others.", most=_PICTURES), _board(needed=True)),
    f"send 1 to {_PICTURES} photos as files 'photo' of a multipart/form-data body, and the board file as 'board'",
)
"""What teaches the look of a Wild face."""
