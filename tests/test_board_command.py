"""The commands ``board`` and ``learn-wild``: what they write, what they say, what they refuse."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from service import tables
from service.board_file import CubedFile, read_board_file
from service.errors import NoBoardError
from service.tables import BoardRead
from tests.fake_tables import FakeTables
from tests.running import Runner

BOARD: dict[str, Any] = {"game": "cubed", "rows": 5, "columns": 9, "logo": [[2, 3], [2, 4], [2, 5]], "bonus": []}
FIRST, NEAR, FAR = [1.0] + [0.0] * 31, [0.9, 0.3] + [0.0] * 30, [0.0, 1.0] + [0.0] * 30


@pytest.fixture
def fakes(monkeypatch: pytest.MonkeyPatch) -> FakeTables:
    """What sees the boards."""
    fake = FakeTables(board=BoardRead(BOARD))
    monkeypatch.setattr(tables, "open_tables", lambda: fake)
    return fake


@pytest.fixture
def target(tmp_path: Path) -> Path:
    """Where a board file goes."""
    return tmp_path / "board.json"


def test_a_board_is_written(run: Runner, fakes: FakeTables, table: Path, target: Path) -> None:
    corners = ("--corners", "0,0", "260,0", "260,140", "0,140")
    done = run("board", table, "--game", "cubed", "-o", target, "--rows", "5", "--columns", "9", *corners)
    assert (done.status, done.err) == (0, "")
    assert done.out == f"board: {target}\n"
    assert json.loads(target.read_text(encoding="utf-8")) == BOARD
    (asked,) = fakes.asked
    assert (asked["game"], asked["rows"], asked["columns"], len(asked["corners"])) == ("cubed", 5, 9, 4)


def test_what_is_unsure_is_said(run: Runner, fakes: FakeTables, table: Path, target: Path) -> None:
    fakes.board = BoardRead(BOARD, ("The number on [4, 4] cannot be read: add it to `bonus`.",))
    done = run("board", table, "--game", "cubed", "-o", target)
    assert done.status == 0
    assert "look: The number on [4, 4] cannot be read: add it to `bonus`." in done.out


def test_a_board_with_gaps_is_written_and_the_gap_is_named(
    run: Runner, fakes: FakeTables, table: Path, target: Path
) -> None:
    squares = [[[None] * 3 for _ in range(3)] for _ in range(3)]
    fakes.board = BoardRead({"game": "junior-1", "squares": squares}, ("27 spaces could not be told.",))
    done = run("board", table, "--game", "junior-1", "-o", target)
    assert done.status == 0
    assert "as it stands the file cannot be used" in done.out
    assert "`squares[0][0][0]`" in done.out
    assert json.loads(target.read_text(encoding="utf-8"))["squares"] == squares


def test_a_file_that_is_there_is_kept_unless_forced(run: Runner, fakes: FakeTables, table: Path, target: Path) -> None:
    target.write_text("mine", encoding="utf-8")
    run("board", table, "--game", "cubed", "-o", target).is_refused("board.json", "it is there already", "--force")
    assert (target.read_text(encoding="utf-8"), fakes.asked) == ("mine", [])
    assert run("board", table, "--game", "cubed", "-o", target, "--force").status == 0
    assert json.loads(target.read_text(encoding="utf-8")) == BOARD


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--game", "classic"), ("--game classic", "cubed, junior-1 or junior-2")),
        (("--game", "auto"), ("--game auto",)),
        (("--game", "junior-1", "--rows", "5"), ("--rows and --columns", "only a board of cubed")),
        (("--game", "cubed", "--rows", "2"), ("'--rows': '2': expected at least 3",)),
        (("--game", "cubed", "--corners", "0,0", "0,9", "9,9", "9,0"), ("clockwise",)),
        (("--game", "cubed", "--corners", ""), ("--corners needs four points x,y",)),
        (("--game", "junior-1", "--corners", "0,0", "9,0", "9,9", "0,9"), ("--corners", "found by its pictures")),
    ],
)
def test_bad_arguments_get_one_line(
    run: Runner, fakes: FakeTables, table: Path, target: Path, arguments: tuple[str, ...], words: tuple[str, ...]
) -> None:
    run("board", table, "-o", target, *arguments).is_refused(*words)
    assert not target.exists()


def test_a_photo_without_a_board_is_named(
    run: Runner, fakes: FakeTables, table: Path, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nothing(*_: object, **__: object) -> BoardRead:
        raise NoBoardError("no board is found; take the photo from above")

    monkeypatch.setattr(fakes, "read_board", nothing)
    run("board", table, "--game", "cubed", "-o", target).is_refused("table.jpg: no board is found; take the photo")
    run("board", "gone.jpg", "--game", "cubed", "-o", target).is_refused("gone.jpg: no such file")
    assert not target.exists()


# The Wild.


@pytest.fixture
def board(target: Path) -> Path:
    """A board file with a field that nobody knows."""
    target.write_text(json.dumps({**BOARD, "colour": "purple"}), encoding="utf-8")
    return target


def test_a_wild_is_learnt(run: Runner, fakes: FakeTables, table: Path, board: Path) -> None:
    fakes.wilds = [[FIRST], [NEAR, FIRST]]
    done = run("learn-wild", table, table, "--board", board)
    assert done.status == 0
    assert "the Wild face is known from 3 pictures of it" in done.out
    file = read_board_file(str(board))
    assert isinstance(file, CubedFile)
    assert file.embeddings == [FIRST, NEAR, FIRST]
    assert json.loads(board.read_text(encoding="utf-8"))["colour"] == "purple"


def test_learning_again_replaces_what_was_learnt(run: Runner, fakes: FakeTables, table: Path, board: Path) -> None:
    fakes.wilds = [[FIRST], [NEAR]]
    assert run("learn-wild", table, "--board", board).status == 0
    assert run("learn-wild", table, "--board", board).status == 0
    file = read_board_file(str(board))
    assert isinstance(file, CubedFile)
    assert file.embeddings == [NEAR]


def test_another_wild_replaces_the_old_one_only_by_force(
    run: Runner, fakes: FakeTables, table: Path, board: Path
) -> None:
    fakes.wilds = [[FIRST], [FAR], [FAR]]
    assert run("learn-wild", table, "--board", board).status == 0
    before = board.read_bytes()
    refused = run("learn-wild", table, "--board", board)
    refused.is_refused("table.jpg: this is not the Wild face that", "board.json knows already", "--force")
    assert board.read_bytes() == before
    assert run("learn-wild", table, "--board", board, "--force").status == 0
    file = read_board_file(str(board))
    assert isinstance(file, CubedFile)
    assert file.embeddings == [FAR]


@pytest.mark.parametrize(
    ("wilds", "words"),
    [
        ([[]], ("table.jpg: no Wild face is found", "lay one die")),
        ([[FIRST, FAR]], ("table.jpg: several different Wild faces",)),
    ],
)
def test_photos_that_teach_nothing_are_refused(
    run: Runner, fakes: FakeTables, table: Path, board: Path, wilds: list[list[list[float]]], words: tuple[str, ...]
) -> None:
    fakes.wilds = wilds
    before = board.read_bytes()
    run("learn-wild", table, "--board", board).is_refused(*words)
    assert board.read_bytes() == before


def test_two_photos_of_different_wilds_are_both_named(run: Runner, fakes: FakeTables, table: Path, board: Path) -> None:
    other = table.with_name("other.jpg")
    other.write_bytes(table.read_bytes())
    fakes.wilds = [[FIRST], [FAR]]
    done = run("learn-wild", table, other, "--board", board)
    assert done.status == 2
    assert "other.jpg: several different Wild faces are seen" in done.err


def test_only_a_board_of_cubed_has_a_wild(run: Runner, fakes: FakeTables, table: Path, target: Path) -> None:
    target.write_text('{"game": "junior-2", "spaces": 10}', encoding="utf-8")
    run("learn-wild", table, "--board", target).is_refused("board.json: this is a board of junior-2", "only Cubed")
    run("learn-wild", table, "--board", "gone.json").is_refused("gone.json: no such file")


def test_standard_output_is_no_board_file(run: Runner, fakes: FakeTables, table: Path) -> None:
    run("board", table, "--game", "cubed", "-o", "-").is_refused("cannot write '-'", "standard output is no file")
    assert fakes.asked == []


def test_a_number_with_thousands_of_digits_is_not_printed_whole(
    run: Runner, fakes: FakeTables, table: Path, target: Path
) -> None:
    target.write_text(json.dumps(BOARD).replace('"rows": 5', '"rows": ' + "9" * 5000), encoding="utf-8")
    run("photo", table, "--board", target).is_refused("board.json: no JSON of a board: a number is too long")
    target.write_text(json.dumps(BOARD), encoding="utf-8")
    done = run("photo", table, "--board", target, "--wild", "9" * 5000 + ",1=2 red oval")
    done.is_refused(f"--wild '{'9' * 20}...,1=2 red oval': expected ROW,COLUMN=NAME")
