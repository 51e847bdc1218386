"""Photos of boards: where the board lies, which SETs are on it, and the best turn of a hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import pytest

from engine.junior_board import LINES, sample_board
from service import tables
from service.answer import answer_frame
from service.board_answer import Asked
from service.board_file import parse_board
from service.game import Game
from service.tables import Table
from tests.fake_tables import FakeTables, Names, Scene
from tests.running import Runner
from vision.types import Doubt, Kind, Problem

BOARD: dict[str, Any] = {
    "game": "cubed",
    "rows": 7,
    "columns": 13,
    "logo": [[3, 5], [3, 6], [3, 7]],
    "bonus": [{"at": [3, 8], "points": 5}],
}
ROW: Names = {(3, 5): "1 red oval", (3, 6): "2 red oval", (3, 7): "3 red oval"}

_LOST = Problem("board-ambiguous", (), "which way up the board lies cannot be told")


@pytest.fixture
def fakes(monkeypatch: pytest.MonkeyPatch) -> FakeTables:
    """What sees the boards."""
    fake = FakeTables([Scene(ROW)])
    monkeypatch.setattr(tables, "open_tables", lambda: fake)
    return fake


@pytest.fixture
def board(tmp_path: Path) -> Path:
    """A board file."""
    path = tmp_path / "board.json"
    path.write_text(json.dumps(BOARD), encoding="utf-8")
    return path


def test_the_json_of_a_board(run: Runner, fakes: FakeTables, table: Path, board: Path) -> None:
    fakes.scenes = [Scene({**ROW, (0, 0): "wild"}, {(3, 6): Doubt.GLARE})]
    (answer,) = run("photo", table, "--board", board, "--json").lines
    assert (answer["game"], fakes.asked[0]["game"]) == ("cubed", "cubed")
    assert [piece["cell"] for piece in answer["pieces"]] == [[3, 5], [3, 6], [3, 7], [0, 0]]
    assert [piece["kind"] for piece in answer["pieces"]] == ["die"] * 4
    assert answer["pieces"][3]["features"] == {}
    assert (answer["sets"], answer["set_sure"]) == ([[0, 1, 2]], [False])
    assert answer["board"] == {
        "game": "cubed",
        "rows": 7,
        "columns": 13,
        "corners": [[0, 0], [260, 0], [260, 140], [0, 140]],
    }


def test_sets_are_those_in_lines_and_wilds_must_be_named(
    run: Runner, fakes: FakeTables, table: Path, board: Path
) -> None:
    fakes.scenes = [Scene({(3, 5): "1 red oval", (3, 6): "wild", (3, 7): "3 red oval", (5, 5): "2 red oval"})] * 2
    assert run("photo", table, "--board", board, "--json").lines[0]["sets"] == []
    named = run("photo", table, "--board", board, "--json", "--wild", "3,6=2 red oval").lines[0]
    assert named["sets"] == [[0, 1, 2]]


def test_dice_without_a_board_make_sets_anywhere(run: Runner, fakes: FakeTables, table: Path) -> None:
    fakes.scenes = [Scene({**ROW, (0, 0): "wild"}, placed=False)]
    (answer,) = run("photo", table, "--game", "cubed", "--json").lines
    assert (len(answer["sets"]), answer["board"]) == (4, None)


def test_more_dice_than_a_hand_lie_on_a_board(run: Runner, fakes: FakeTables, table: Path) -> None:
    fakes.scenes = [Scene({(3, column): "1 red oval" for column in range(6)}, placed=False)]
    (answer,) = run("photo", table, "--game", "cubed", "--json").lines
    assert answer["sets"] == []
    (problem,) = answer["problems"]
    assert problem["code"] == "no-board-file"
    assert "--board FILE" in problem["text"]


def test_people_see_where_the_dice_lie(run: Runner, fakes: FakeTables, table: Path, board: Path) -> None:
    done = run("photo", table, "--board", board)
    lines = [" ".join(line.split()) for line in done.out.splitlines()]
    assert "id piece at confidence doubt" in lines
    assert "1 two red ovals 3,6 97%" in lines


def test_the_best_turn_of_a_hand(run: Runner, fakes: FakeTables, table: Path, board: Path, tmp_path: Path) -> None:
    fakes.scenes = [Scene(ROW)] * 2
    hand = ("--board", board, "--hand", "1 red oval, 2 green diamond")
    (answer,) = run("photo", table, *hand, "--json").lines
    assert answer["board"]["best"] == {
        "points": 8,
        "dice": [{"face": "1 red oval", "at": [3, 8], "as": None}],
        "sets": [{"at": [[3, 6], [3, 7], [3, 8]], "points": 3}],
        "bonus": [{"at": [3, 8], "points": 5}],
    }
    shown = run("photo", table, *hand, "--overlay", tmp_path)
    assert "best turn: 8 points" in shown.out
    assert "  one red oval at 3,8" in shown.out.replace("1 red oval", "one red oval")
    drawn = cv2.imread(str(tmp_path / "table.sets.jpg"))
    assert drawn is not None
    assert drawn.shape == (160, 320, 3)


def test_a_wild_of_the_best_turn_has_a_name(run: Runner, fakes: FakeTables, table: Path, board: Path) -> None:
    fakes.scenes = [Scene(ROW)] * 2
    best = run("photo", table, "--board", board, "--hand", "wild", "--json").lines[0]["board"]["best"]
    assert best["dice"] == [{"face": "wild", "at": [3, 8], "as": "1 red oval"}]
    assert "wild as 1 red oval at 3,8" in run("photo", table, "--board", board, "--hand", "wild").out


def test_there_may_be_no_turn(run: Runner, fakes: FakeTables, table: Path, board: Path) -> None:
    fakes.scenes = [Scene(ROW)] * 2
    hand = ("--board", board, "--hand", "1 green squiggle")
    assert run("photo", table, *hand, "--json").lines[0]["board"]["best"] is None
    assert "best turn: none, so pass" in run("photo", table, *hand).out


def test_a_board_that_is_not_found_is_a_problem(run: Runner, fakes: FakeTables, table: Path, board: Path) -> None:
    fakes.scenes = [Scene(ROW, problems=(Problem("no-board", (), "no board is found"),))]
    (answer,) = run("photo", table, "--board", board, "--hand", "wild", "--json").lines
    assert answer["board"] is None
    assert answer["problems"] == [{"code": "no-board", "pieces": [], "text": "no board is found"}]


@pytest.mark.parametrize(
    ("elsewhere", "word"),
    [(Scene(ROW, problems=(_LOST,)), "the dice are of no likely size"), (Scene(ROW), "they are about 0,0 260,0")],
)
def test_corners_that_do_not_fit_are_refused(
    run: Runner, fakes: FakeTables, table: Path, board: Path, elsewhere: Scene, word: str
) -> None:
    fakes.scenes = [Scene({}, problems=(Problem("corners", (), "the dice are of no likely size"),)), elsewhere]
    done = run("photo", table, "--board", board, "--corners", "0,0", "9,0", "9,9", "0,9", "--hand", "wild")
    done.is_refused("table.jpg: --corners: these corners do not fit the photo", word)
    assert [asked["corners"] is None for asked in fakes.asked] == [False, True]


def test_a_name_where_no_wild_lies_is_an_error_of_the_photo(
    run: Runner, fakes: FakeTables, table: Path, board: Path
) -> None:
    done = run("photo", table, "--board", board, "--json", "--wild", "3,6=2 red oval")
    assert done.status == 2
    assert done.lines[0]["error"]["code"] == "bad-argument"
    assert "no Wild is on [3, 6], 2 red oval lies there" in done.err


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (("--hand", "wild"), ("--hand needs --board FILE",)),
        (("--wild", "3,6=2 red oval"), ("--wild needs --board FILE",)),
        (("--option", "waiting_dice=false"), ("--option", "--game GAME")),
        (("--game", "classic", "--corners", "0,0", "9,0", "9,9", "0,9"), ("--empty and --corners", "classic has none")),
        (("--game", "cubed", "--empty", "gone.jpg"), ("--empty needs --board FILE with a board of junior-1",)),
        (("--corners", "0,0", "9,0", "9,9", "0,9"), ("--corners needs --board FILE with a board of cubed",)),
        (("--board", "gone.json"), ("gone.json: no such file",)),
    ],
)
def test_bad_arguments_get_one_line(
    run: Runner, fakes: FakeTables, table: Path, more: tuple[str, ...], words: tuple[str, ...]
) -> None:
    run("photo", table, *more).is_refused(*words)
    assert fakes.asked == []


def test_a_board_of_another_game_is_refused(run: Runner, fakes: FakeTables, table: Path, board: Path) -> None:
    run("photo", table, "--board", board, "--game", "junior-1").is_refused("a board of cubed", "--game says junior-1")


def test_options_of_the_table_decide_what_is_a_set(run: Runner, fakes: FakeTables, table: Path, board: Path) -> None:
    fakes.scenes = [Scene(dict.fromkeys(ROW, "1 red oval"))] * 2
    given = ("--board", board, "--game", "cubed", "--json")
    assert run("photo", table, *given).lines[0]["sets"] == [[0, 1, 2]]
    assert run("photo", table, *given, "--option", "identical_dice_are_set=false").lines[0]["sets"] == []


# Junior.


JUNIOR = sample_board(seed=2)


def test_complete_lines_of_junior_are_its_sets(run: Runner, fakes: FakeTables, table: Path, tmp_path: Path) -> None:
    path = tmp_path / "junior.json"
    path.write_text(json.dumps(JUNIOR.to_json()), encoding="utf-8")
    names = {at: str(JUNIOR[at]) for at in LINES[0]}
    fakes.kind = Kind.TILE
    fakes.scenes = [Scene({**names, (2, 0, 0): str(JUNIOR[(1, 1, 1)])})]
    (answer,) = run("photo", table, "--board", path, "--empty", table, "--json").lines
    assert (answer["game"], answer["sets"]) == ("junior-1", [[0, 1, 2]])
    assert answer["board"] == {"game": "junior-1", "covered": [[0, 0, 0], [0, 0, 1], [0, 0, 2], [2, 0, 0]]}
    assert answer["pieces"][1]["cell"] == [0, 0, 1]
    assert fakes.asked[0]["empty"] == table.read_bytes()


def test_spaces_of_face_2_are_numbers() -> None:
    scene = Scene({(0, 3): "1 red oval"})
    frame = scene.frame((320, 160), Kind.TILE)
    file = parse_board('{"game": "junior-2", "spaces": 10}')
    answer = answer_frame("x", frame, Asked(Game.JUNIOR_2, Table(file)))
    assert answer.board == {"game": "junior-2", "covered": [[0, 3]]}


@pytest.mark.parametrize(
    ("kind", "names", "game"),
    [
        (Kind.DIE, {(3, 5): "wild"}, "cubed"),
        (Kind.TILE, {(0, 0, 0): "1 red oval"}, "junior-1"),
        (Kind.TILE, {(0, 3): "1 red oval"}, "junior-2"),
        (Kind.DIE, {}, "classic"),
    ],
)
def test_auto_looks_at_the_pieces(kind: Kind, names: Names, game: str) -> None:
    assert Game.AUTO.settled(Scene(names).frame((320, 160), kind)) == game


def test_no_set_is_not_said_where_the_lines_are_unknown(
    run: Runner, fakes: FakeTables, table: Path, board: Path
) -> None:
    fakes.scenes = [Scene({(0, column): "1 red oval" for column in range(6)})]
    assert "SETs lie in the lines of a board here" in (out := run("photo", table, "--game", "cubed").out)
    assert "no SET" not in out
    fakes.asked.clear()
    fakes.scenes = [Scene({(0, 0): "1 red oval", (0, 1): "2 red oval"})]
    assert "no SET" in run("photo", table, "--board", board).out


def test_what_is_in_doubt_is_not_shown_as_certain(run: Runner, fakes: FakeTables, table: Path, board: Path) -> None:
    fakes.scenes = [Scene(ROW, {(3, 6): Doubt.GLARE}, confidence=0.9999)]
    rows = [line.split()[-2:] for line in run("photo", table, "--board", board).out.splitlines() if "%" in line]
    assert rows == [["3,5", "100%"], ["99%", "glare"], ["3,7", "100%"]]
