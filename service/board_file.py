"""Board files: what is printed on a table's own board, as JSON that people write, check and correct (CUBED-2, JUN-2).

A file is one JSON object whose ``game`` says what else it holds:

- ``cubed``: ``rows`` and ``columns`` of the grid (3 to 99 each); ``logo``, the three squares for the first SET, in the
  order in which its dice are laid; ``bonus``, a list of ``{"at": [row, column], "points": number}``, what a square
  pays (1 to 999). Squares are
  ``[row, column]``, counted from 0 at the top left, with the numbers on the board upright. ``wild`` is what the table's
  own Wild face looks like: ``set-referee learn-wild`` writes it, people leave it alone.
- ``junior-1``: ``squares``, the names of the 27 printed spaces: three squares of three rows of three. All names differ,
  and every row, column and diagonal of a square is a SET.
- ``junior-2``: ``spaces``, how many tiles lie face up (ten).

``name`` may say in words which board it is. Every other field is kept as it is, wherever the file is written again.
``service/boards`` has one example of each, and the schema of all three, ``board.schema.json``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from reprlib import repr as shortened
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from engine.grid import BoardError, CubedBoard, Square
from engine.junior_board import PLACES, Completion, Fit, JuniorBoard, complete
from engine.tokens import Tile
from service.console import printable
from service.errors import BoardFileError, NoFileError, UnreadableFileError, one_line
from service.files import read_data, write_whole

__all__ = [
    "CORRECTED",
    "EMBEDDING",
    "AnyBoard",
    "BonusSquare",
    "CubedFile",
    "Junior1File",
    "Junior2File",
    "WildLook",
    "board_schema",
    "board_text",
    "completed",
    "mend_junior",
    "parse_board",
    "read_board_file",
    "write_board_file",
]

EMBEDDING = 32
"""Numbers in one embedding of a face."""
MOST_BONUS = 999
"""Most points that a bonus square pays: what can be printed on a square."""
MOST_BYTES = 8_000_000
"""Longest board file."""

_WIDTH = 110
_DEEPEST = 50
_Whole = Annotated[int, Field(strict=True)]
_Lines = Annotated[int, Field(strict=True, ge=3, le=99, description="a whole number from 3 to 99")]
_At = Annotated[tuple[_Whole, _Whole], Field(description="a square as [row, column], counted from 0")]
_Numbers = Annotated[
    list[Annotated[float, Field(allow_inf_nan=False)]], Field(min_length=EMBEDDING, max_length=EMBEDDING)
]
_Row = Annotated[list[str], Field(min_length=3, max_length=3)]
_Rows = Annotated[list[_Row], Field(min_length=3, max_length=3)]
_Squares = Annotated[
    list[_Rows],
    Field(min_length=3, max_length=3, description="three squares of three rows of three names, as in '2 red oval'"),
]


class _Part(BaseModel):
    model_config = ConfigDict(extra="allow", frozen=True)


class BonusSquare(_Part):
    """A bonus square and what it pays whoever first occupies it (CUBED-16)."""

    at: _At
    points: Annotated[
        int, Field(strict=True, ge=1, le=MOST_BONUS, description=f"a whole number of points from 1 to {MOST_BONUS}")
    ]


class WildLook(_Part):
    """What the Wild face of a table looks like: one embedding of the face reader for each picture of it."""

    embeddings: Annotated[
        list[_Numbers],
        Field(min_length=1, description=f"lists of {EMBEDDING} numbers, as set-referee learn-wild writes them"),
    ]


class _File(_Part):
    game: str
    name: Annotated[str | None, Field(description="a text")] = None


class CubedFile(_File):
    """A board of SET Cubed (CUBED-2)."""

    game: Annotated[Literal["cubed"], Field(description="'cubed'")]
    rows: _Lines
    columns: _Lines
    logo: Annotated[
        list[_At],
        Field(min_length=3, max_length=3, description="three squares in a line, as in [[6, 5], [6, 6], [6, 7]]"),
    ]
    bonus: Annotated[
        list[BonusSquare], Field(description='a list of {"at": [row, column], "points": number}, empty where none is')
    ]
    wild: Annotated[
        WildLook | None, Field(description='{"embeddings": [...]}, as set-referee learn-wild writes it')
    ] = None

    @model_validator(mode="after")
    def _is_a_board(self) -> CubedFile:
        size = {"rows": self.rows, "columns": self.columns, "logo": [list(at) for at in self.logo]}
        bonus = [{"at": list(one.at), "points": one.points} for one in self.bonus]
        for field, squares in (("logo", []), ("bonus", bonus)):
            try:
                CubedBoard.from_json({**size, "bonus": squares})
            except BoardError as error:
                raise ValueError(f"`{field}`: {error}") from None
        return self

    @property
    def board(self) -> CubedBoard:
        """The board as the rules need it."""
        first, second, third = (_square(at) for at in self.logo)
        return CubedBoard(self.rows, self.columns, (first, second, third), {one.at: one.points for one in self.bonus})

    @property
    def embeddings(self) -> list[list[float]]:
        """What the table's Wild looks like; empty if nobody has taught it."""
        return [] if self.wild is None else self.wild.embeddings

    def with_wild(self, embeddings: Sequence[Sequence[float]]) -> CubedFile:
        """Return the board with this look of its Wild; what else stands in ``wild`` is kept."""
        rounded = [[round(float(number), 4) for number in one] for one in embeddings]
        look = WildLook(embeddings=rounded)
        if self.wild is not None:
            look = self.wild.model_copy(update={"embeddings": rounded})
        return self.model_copy(update={"wild": look})


class Junior1File(_File):
    """A board of SET Junior, face 1 (JUN-2)."""

    game: Annotated[Literal["junior-1"], Field(description="'junior-1'")]
    squares: _Squares

    @model_validator(mode="after")
    def _is_a_board(self) -> Junior1File:
        try:
            JuniorBoard.from_json(self.squares)
        except BoardError as error:
            raise ValueError(f"`squares`: {error}") from None
        return self

    @property
    def board(self) -> JuniorBoard:
        """The board as the rules need it."""
        return JuniorBoard.from_json(self.squares)


class Junior2File(_File):
    """A board of SET Junior, face 2 (JUN-6)."""

    game: Annotated[Literal["junior-2"], Field(description="'junior-2'")]
    spaces: Annotated[int, Field(strict=True, ge=1, le=27, description="a whole number from 1 to 27")] = 10


AnyBoard = CubedFile | Junior1File | Junior2File
"""What a board file holds."""

_KINDS: Mapping[str, type[AnyBoard]] = {"cubed": CubedFile, "junior-1": Junior1File, "junior-2": Junior2File}


def _square(at: tuple[int, int]) -> Square:
    return at[0], at[1]


# Reading.


def read_board_file(path: str) -> AnyBoard:
    """Return the board that the file at ``path`` describes.

    :raises BoardFileError: there is no such file, or it describes none; names the file and the field.
    """
    try:
        return parse_board(read_data(path, "a board file", MOST_BYTES))
    except (BoardFileError, NoFileError, UnreadableFileError) as error:
        raise BoardFileError(f"{printable(path)}: {one_line(error)}") from None


def parse_board(text: str | bytes) -> AnyBoard:
    """Return the board that the JSON ``text`` describes; unknown fields are kept.

    :raises BoardFileError: it describes none; names the field.
    """
    try:
        data = json.loads(text, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise BoardFileError(f"no JSON of a board: {error.msg} at line {error.lineno}, column {error.colno}") from None
    except UnicodeDecodeError:
        raise BoardFileError("no JSON of a board: this is no text") from None
    except RecursionError:
        raise BoardFileError(f"no JSON of a board: nested more than {_DEEPEST} deep") from None
    except ValueError as error:
        raise BoardFileError(f"no JSON of a board: {one_line(error)}") from None
    if not isinstance(data, dict):
        raise BoardFileError(f"a board file is a JSON object; got {shortened(data)}")
    if _is_deep(data):
        raise BoardFileError(f"no JSON of a board: nested more than {_DEEPEST} deep")
    if not data.get("game"):
        raise BoardFileError(f"`game` is missing: expected one of {', '.join(_KINDS)}")
    kind = _KINDS.get(game) if isinstance(game := data.get("game"), str) else None
    if kind is None:
        raise BoardFileError(f"`game`: expected one of {', '.join(_KINDS)}; got {shortened(game)}")
    try:
        return kind.model_validate(data)
    except ValidationError as error:
        raise BoardFileError(_fault(error)) from None


def _is_deep(data: object) -> bool:
    """Return whether lists and objects are nested so deep that they cannot be written again."""
    inner = [data]
    for _ in range(_DEEPEST):
        inner = [part for one in inner if isinstance(one, dict | list) for part in _parts(one)]
    return any(isinstance(one, dict | list) for one in inner)


def _parts(one: dict[str, Any] | list[Any]) -> Iterable[Any]:
    return one.values() if isinstance(one, dict) else one


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no number")


def _fault(error: ValidationError) -> str:
    """Return the first fault of a board file: its field, what is expected there, and what is there."""
    first = error.errors(include_url=False)[0]
    if not first["loc"]:
        return str(first["msg"]).removeprefix("Value error, ")
    field = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in first["loc"]).removeprefix(".")
    expected = next(_EXPECTED[part] for part in reversed(first["loc"]) if part in _EXPECTED)
    if first["type"] == "missing":
        return f"`{field}` is missing: expected {expected}"
    return f"`{field}`: expected {expected}; got {shortened(first['input'])}"


_EXPECTED: Mapping[int | str, str] = {
    name: str(field.description)
    for kind in (CubedFile, Junior1File, Junior2File, BonusSquare, WildLook)
    for name, field in kind.model_fields.items()
}


# Writing.


def write_board_file(path: str, board: AnyBoard | Mapping[str, Any]) -> None:
    """Write ``board`` to ``path`` in one step.

    :raises TargetError: it cannot be written.
    """
    # what is no Unicode becomes an escape of JSON
    write_whole(Path(path), board_text(board).encode("utf-8", "backslashreplace"))


def board_text(board: AnyBoard | Mapping[str, Any]) -> str:
    """Return ``board`` as the JSON of a board file that people can edit: a square or a row a line."""
    data = board.model_dump(mode="json", exclude_unset=True) if isinstance(board, BaseModel) else dict(board)
    return _pretty(data, "") + "\n"


def _pretty(value: object, indent: str) -> str:
    whole = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or not value or _fits(value, whole, indent):
        return whole
    inner = indent + "  "
    if isinstance(value, dict):
        parts = [f"{json.dumps(key, ensure_ascii=False)}: {_pretty(part, inner)}" for key, part in value.items()]
        return f"{{\n{inner}" + f",\n{inner}".join(parts) + f"\n{indent}}}"
    return f"[\n{inner}" + f",\n{inner}".join(_pretty(part, inner) for part in value) + f"\n{indent}]"


def _fits(value: dict[str, Any] | list[Any], whole: str, indent: str) -> bool:
    if isinstance(value, list) and all(isinstance(part, int | float) for part in value):
        return True
    return bool(indent) and len(indent) + len(whole) <= _WIDTH and not (isinstance(value, list) and _deep(value))


def _deep(value: list[Any]) -> bool:
    """Return whether a list holds objects, or lists of lists: then each part gets its line."""
    return any(isinstance(part, dict) or (isinstance(part, list) and any(map(_is_list, part))) for part in value)


def _is_list(value: object) -> bool:
    return isinstance(value, list)


def board_schema() -> dict[str, Any]:
    """Return the JSON schema of board files."""
    schema = TypeAdapter(Annotated[AnyBoard, Field(discriminator="game")]).json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Board file of Set Referee", **schema}


# A Junior board read off a photo.


_COMPLETED = "The space {at} could not be read; only {tile} fits there."
CORRECTED = "The space {at} was read as {read}; only {tile} makes every line a SET, so that stands there."
"""What is said of a space that the magic squares correct."""
_UNTOLD = "The space {at} could not be told: write the name of its tile in place of null."
_NO_BOARD = (
    "What was read is no board: at least {wrong} of {read} spaces are wrong, for not every line is a SET. Look at each "
    "name and correct it."
)

Names = list[list[list[str | None]]]
"""Names of the 27 spaces, three squares of three rows of three; None where it is unknown."""


def completed(read: Sequence[Sequence[Sequence[str | None]]]) -> tuple[Names, Completion]:
    """Return the 27 names on which all boards near enough to ``read`` agree, and what the rules make of it (JUN-2).

    :raises BoardError: it is no three squares of three rows of three.
    :raises UnknownTokenError: a name is no tile.
    """
    tiles = [[[None if name is None else Tile.parse(name) for name in row] for row in square] for square in read]
    found = complete(tiles)
    return [[[None if tile is None else str(tile) for tile in row] for row in square] for square in found.agreed], found


def mend_junior(read: Sequence[Sequence[Sequence[str | None]]]) -> tuple[Names, tuple[str, ...]]:
    """Return the 27 spaces of face 1 as they must be, and a sentence for each that was not simply read (JUN-2).

    ``read`` are three squares of three rows of three names, None where nothing could be read.

    :raises BoardError: it is nothing of that shape.
    :raises UnknownTokenError: a name is no tile.
    """
    names, found = completed(read)
    if found.fit is Fit.IMPOSSIBLE:
        kept = [[list(row) for row in square] for square in read]
        return kept, (_NO_BOARD.format(wrong=found.wrong, read=found.read),)
    return names, tuple(_sentences(found))


def _sentences(found: Completion) -> list[str]:
    told = [CORRECTED.format(at=list(one.at), read=one.read, tile=one.tile) for one in found.corrected]
    if found.board is not None:
        told += [_COMPLETED.format(at=list(at), tile=found.board[at]) for at in found.completed]
    unknown = [at for at in PLACES if found.agreed[at[0]][at[1]][at[2]] is None]
    return told + [_UNTOLD.format(at=list(at)) for at in unknown]
