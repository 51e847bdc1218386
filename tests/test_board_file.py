"""Board files: what they hold, what is kept, one line for each fault, and the schema that is shipped."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.junior_board import sample_board
from engine.tokens import full_tiles
from service.board_file import (
    EMBEDDING,
    CubedFile,
    Junior1File,
    Junior2File,
    board_schema,
    board_text,
    mend_junior,
    parse_board,
    read_board_file,
    write_board_file,
)
from service.errors import BoardFileError, TargetError

FOLDER = Path(__file__).resolve().parents[1] / "service" / "boards"
CUBED: dict[str, Any] = {
    "game": "cubed",
    "rows": 13,
    "columns": 11,
    "logo": [[6, 4], [6, 5], [6, 6]],
    "bonus": [{"at": [4, 5], "points": 5}],
}


def parsed(**changes: object) -> CubedFile:
    """Return the board of Cubed with other fields."""
    found = parse_board(json.dumps({**CUBED, **changes}))
    assert isinstance(found, CubedFile)
    return found


@pytest.mark.parametrize(("game", "kind"), [("cubed", CubedFile), ("junior-1", Junior1File), ("junior-2", Junior2File)])
def test_an_example_of_each_is_shipped_and_written_as_it_is(game: str, kind: type) -> None:
    path = FOLDER / f"{game}.example.json"
    found = read_board_file(str(path))
    assert isinstance(found, kind)
    assert str(found.name).startswith("Example board: not the printed one.")
    assert board_text(found) == path.read_text(encoding="utf-8")


def test_the_shipped_schema_is_that_of_the_models() -> None:
    assert json.loads((FOLDER / "board.schema.json").read_text(encoding="utf-8")) == board_schema()


def test_the_schema_knows_the_three_games() -> None:
    assert set(board_schema()["discriminator"]["mapping"]) == {"cubed", "junior-1", "junior-2"}


def test_the_board_is_that_of_the_rules() -> None:
    board = parsed().board
    assert (board.rows, board.columns, board.logo) == (13, 11, ((6, 4), (6, 5), (6, 6)))
    assert board.bonus == {(4, 5): 5}


def test_unknown_fields_are_kept_and_written_back() -> None:
    bonus = [{"at": [4, 5], "points": 5, "ink": "gold"}]
    found = parsed(colour="purple", fold={"after": 6}, bonus=bonus, wild={"embeddings": [[0.5] * 32], "by": "Ann"})
    again = json.loads(board_text(found.with_wild([[0.25] * 32, [0.125] * 32])))
    assert (again["colour"], again["fold"], again["bonus"]) == ("purple", {"after": 6}, bonus)
    assert again["wild"] == {"embeddings": [[0.25] * 32, [0.125] * 32], "by": "Ann"}
    assert parse_board(json.dumps(again)).model_dump() == found.with_wild([[0.25] * 32, [0.125] * 32]).model_dump()


def test_a_board_without_a_wild_learns_one() -> None:
    assert parsed().embeddings == []
    assert parsed().with_wild([[1 / 3] * EMBEDDING]).embeddings == [[0.3333] * EMBEDDING]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"rows": "thirteen"}, ("`rows`: expected a whole number from 3 to 99; got 'thirteen'",)),
        ({"rows": 2}, ("`rows`", "3 to 99", "got 2")),
        ({"columns": 100}, ("`columns`", "got 100")),
        ({"columns": True}, ("`columns`", "got True")),
        ({"logo": [[6, 4], [6, 5]]}, ("`logo`", "three squares")),
        ({"logo": [[6, 4], [6, 5], [6, 7]]}, ("`logo`", "next to each other")),
        ({"logo": [[6, 9], [6, 10], [6, 11]]}, ("`logo`", "[6, 11]", "13 x 11")),
        ({"logo": [[6, 4], [6, 5], "x"]}, ("`logo[2]`", "'x'")),
        ({"bonus": [{"at": [4, 5]}]}, ("`bonus[0].points` is missing",)),
        ({"bonus": [{"at": [4, 5], "points": "5"}]}, ("`bonus[0].points`", "got '5'")),
        ({"bonus": [{"at": [4, 5], "points": -5}]}, ("`bonus[0].points`: expected a whole number", "1 to 999", "-5")),
        ({"bonus": [{"at": [4, 5], "points": 0}]}, ("`bonus[0].points`", "got 0")),
        ({"bonus": [{"at": [4, 5], "points": 1000}]}, ("`bonus[0].points`", "got 1000")),
        ({"bonus": [{"at": [6, 5], "points": 5}]}, ("`bonus`", "under the logo", "[6, 5]")),
        ({"bonus": [{"at": [4, 5], "points": 5}] * 2}, ("`bonus`", "one bonus", "[4, 5]")),
        ({"bonus": [{"at": [13, 5], "points": 5}]}, ("`bonus`", "[13, 5]")),
        ({"bonus": None}, ("`bonus`", "got None")),
        ({"name": 5}, ("`name`", "a text", "got 5")),
        ({"wild": {"embeddings": [[0.5] * 31]}}, ("`wild.embeddings[0]`", "lists of 32 numbers")),
        ({"wild": {"embeddings": []}}, ("`wild.embeddings`",)),
        ({"wild": {}}, ("`wild.embeddings` is missing",)),
        ({"game": "chess"}, ("`game`: expected one of cubed, junior-1, junior-2; got 'chess'",)),
        ({"game": ["cubed"]}, ("`game`",)),
    ],
)
def test_a_wrong_field_is_named_in_one_line(changes: dict[str, object], words: tuple[str, ...]) -> None:
    with pytest.raises(BoardFileError) as refused:
        parse_board(json.dumps({**CUBED, **changes}))
    for word in words:
        assert word in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("field", ["rows", "columns", "logo", "bonus"])
def test_a_missing_field_is_named(field: str) -> None:
    data = {name: value for name, value in CUBED.items() if name != field}
    with pytest.raises(BoardFileError, match=f"`{field}` is missing: expected "):
        parse_board(json.dumps(data))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "no JSON of a board: .* at line 1, column 2"),
        ("", "no JSON of a board: .* at line 1, column 1"),
        ("{}", "`game` is missing: expected one of cubed"),
        ("[]", "a board file is a JSON object"),
        ('{"game": "cubed", "rows": NaN}', "NaN is no number"),
        ("[" * 100_000, "no JSON of a board: nested"),
        ("\udcff".encode("utf-8", "surrogateescape"), "no JSON of a board: this is no text"),
    ],
)
def test_what_is_no_json_object_is_refused(text: str | bytes, words: str) -> None:
    with pytest.raises(BoardFileError, match=words):
        parse_board(text)


@pytest.mark.parametrize(("depth", "fine"), [(49, True), (50, False), (400, False)])
def test_a_board_is_not_nested_deeper_than_it_can_be_written(depth: int, fine: bool) -> None:
    text = json.dumps({**CUBED, "mine": 0}).replace('"mine": 0', f'"mine": {"[" * depth}{"]" * depth}')
    if fine:
        assert parse_board(board_text(parse_board(text))) == parse_board(text)
    else:
        with pytest.raises(BoardFileError, match="nested more than 50 deep"):
            parse_board(text)


def test_what_is_no_unicode_is_written_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "board.json"
    write_board_file(str(path), parsed(mine="\ud800 é"))
    assert json.loads(path.read_bytes())["mine"] == "\ud800 é"


def test_the_squares_of_a_junior_board_are_checked() -> None:
    squares = sample_board(seed=4).to_json()["squares"]
    assert isinstance(squares, list)
    assert isinstance(parse_board(json.dumps({"game": "junior-1", "squares": squares})), Junior1File)
    squares[0][0][0], squares[1][1][1] = squares[1][1][1], squares[0][0][0]
    with pytest.raises(BoardFileError, match="`squares`: each line of a board is a SET"):
        parse_board(json.dumps({"game": "junior-1", "squares": squares}))
    squares[0][0][0] = None
    with pytest.raises(BoardFileError, match=r"`squares\[0\]\[0\]\[0\]`: .*got None"):
        parse_board(json.dumps({"game": "junior-1", "squares": squares}))


@pytest.mark.parametrize("spaces", [0, 28, "ten", 10.5])
def test_the_spaces_of_face_2_are_a_number(spaces: object) -> None:
    with pytest.raises(BoardFileError, match="`spaces`: expected a whole number from 1 to 27"):
        parse_board(json.dumps({"game": "junior-2", "spaces": spaces}))


def test_a_file_is_named_in_its_fault(tmp_path: Path) -> None:
    with pytest.raises(BoardFileError, match=r"gone\.json: no such file"):
        read_board_file(str(tmp_path / "gone.json"))
    with pytest.raises(BoardFileError, match="give a board file"):
        read_board_file(str(tmp_path))
    wrong = tmp_path / "wrong.json"
    wrong.write_text("{}", encoding="utf-8")
    with pytest.raises(BoardFileError, match=r"wrong\.json: `game`"):
        read_board_file(str(wrong))


def test_a_file_is_written_whole(tmp_path: Path) -> None:
    path = tmp_path / "board.json"
    write_board_file(str(path), parsed())
    assert read_board_file(str(path)) == parsed()
    assert [entry.name for entry in tmp_path.iterdir()] == ["board.json"]
    with pytest.raises(TargetError):
        write_board_file(str(tmp_path), parsed())


# What was read off a photo of a Junior board.


def names(seed: int = 7) -> list[list[list[str | None]]]:
    """Return the names of a board."""
    return [[[str(tile) for tile in row] for row in square] for square in sample_board(seed).squares]


def test_what_was_read_right_is_left_alone() -> None:
    assert mend_junior(names()) == (names(), ())


def test_a_space_that_was_misread_is_corrected_and_said() -> None:
    read = names()
    true, read[1][2][0] = read[1][2][0], read[0][0][0]
    mended, told = mend_junior(read)
    assert mended == names()
    assert told == (
        f"The space [1, 2, 0] was read as {read[1][2][0]}; only {true} makes every line a SET, so that stands there.",
    )


def test_a_space_that_was_not_read_is_filled_in_and_said() -> None:
    read = names()
    read[2][1][1] = None
    mended, told = mend_junior(read)
    assert mended == names()
    assert told == (f"The space [2, 1, 1] could not be read; only {names()[2][1][1]} fits there.",)


def test_spaces_that_cannot_be_told_stay_empty() -> None:
    read = names()
    read[1] = [[None] * 3 for _ in range(3)]
    read[2] = [[None] * 3 for _ in range(3)]
    mended, told = mend_junior(read)
    assert mended[0] == names()[0]
    assert mended[1] == read[1]
    assert len(told) == 18
    assert "write the name of its tile in place of null" in told[0]


def test_what_is_no_board_at_all_is_kept_and_said() -> None:
    flat: list[str | None] = [str(tile) for tile in full_tiles()]
    Random(1).shuffle(flat)  # noqa: S311  a test, no secret
    wrong = [[flat[at : at + 3] for at in range(first, first + 9, 3)] for first in (0, 9, 18)]
    kept, told = mend_junior(wrong)
    assert kept == wrong
    assert "What was read is no board" in told[0]
