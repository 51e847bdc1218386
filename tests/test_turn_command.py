"""The command ``turn``: two photos in, a verdict out; its exit statuses, and one line for everything that is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import cv2
import pytest

from engine.editions import edition
from engine.events import Announced, Laid, Rolled
from engine.junior_board import sample_board
from engine.record import Header, write_event, write_header
from engine.tokens import Face
from service import tables
from tests.fake_tables import FakeTables, Names, Scene
from tests.running import Run, Runner
from vision import board_overlay
from vision.board_overlay import BoardDrawing
from vision.types import Doubt, Image, Kind, Problem

BOARD: dict[str, Any] = {
    "game": "cubed",
    "rows": 7,
    "columns": 13,
    "logo": [[3, 5], [3, 6], [3, 7]],
    "bonus": [{"at": [3, 8], "points": 5}],
}
ROW: Names = {(3, 5): "1 red oval", (3, 6): "2 red oval", (3, 7): "3 red oval"}
LAID: Names = {**ROW, (3, 8): "1 red oval"}
LOST = Problem("board-ambiguous", (), "which way up the board lies cannot be told; give --corners")

Turn = Callable[..., Run]
"""Runs ``turn`` with what lies before and after, and more arguments."""


@pytest.fixture
def board(tmp_path: Path) -> Path:
    """A board file."""
    path = tmp_path / "board.json"
    path.write_text(json.dumps(BOARD), encoding="utf-8")
    return path


@pytest.fixture
def fakes() -> FakeTables:
    """What sees the boards."""
    return FakeTables()


@pytest.fixture
def turn(monkeypatch: pytest.MonkeyPatch, run: Runner, table: Path, board: Path, fakes: FakeTables) -> Turn:
    """Run the command on a board of Cubed."""
    monkeypatch.setattr(tables, "open_tables", lambda: fakes)
    after = table.with_name("after.jpg")
    after.write_bytes(table.read_bytes())

    def runner(
        before: Scene | Names,
        later: Scene | Names,
        *arguments: str | Path,
        given: bool = True,
        more: Scene | None = None,
    ) -> Run:
        fakes.scenes = [one if isinstance(one, Scene) else Scene(one) for one in (before, later, *[more or {}] * 2)]
        fakes.asked.clear()
        return run("turn", table, after, *(["--board", board] if given else []), *arguments)

    return runner


def test_json_is_one_line_with_these_keys(turn: Turn, board: Path) -> None:
    done = turn(ROW, LAID, "--json", "--player", "Ann")
    assert (done.status, done.err, len(done.lines)) == (0, "", 1)
    (answer,) = done.lines
    assert list(answer)[:12] == (
        ["ok", "clause", "text", "points", "laid", "swapped", "moved", "sets", "bonus", "open", "before", "after"]
    )
    assert (answer["ok"], answer["clause"], answer["points"], answer["player"]) == (True, "CUBED-7", 8, "Ann")
    assert answer["laid"] == [{"face": "1 red oval", "at": [3, 8], "as": None, "points": 3}]
    assert answer["sets"] == [{"at": [[3, 6], [3, 7], [3, 8]], "points": 3}]
    assert answer["bonus"] == [{"at": [3, 8], "points": 5}]
    assert answer["swapped"] == answer["moved"] == answer["open"] == answer["doubts"] == []
    assert [piece["cell"] for piece in answer["after"]] == [[3, 5], [3, 6], [3, 7], [3, 8]]
    assert (len(answer["before"]), answer["sure"], answer["more"], answer["scores"]) == (3, True, 0, {})
    assert answer["board"]["corners"] == [[0, 0], [260, 0], [260, 140], [0, 140]]


def test_people_see_the_verdict_the_dice_and_the_sets(turn: Turn) -> None:
    done = turn(ROW, LAID)
    assert (done.status, done.err) == (0, "")
    lines = [" ".join(line.split()) for line in done.out.splitlines()]
    assert lines[0] == "legal: 8 points (CUBED-7)"
    assert "one red oval 3,8 3" in lines
    assert "SET 1 (3,6 3,7 3,8): 3" in lines
    assert "bonus at 3,8: 5" in lines


def test_an_illegal_turn_has_status_1(turn: Turn) -> None:
    done = turn(ROW, {**ROW, (3, 8): "1 green diamond"})
    assert done.status == 1
    assert done.out.startswith("illegal (CUBED-7)")


def test_a_doubt_that_decides_has_status_3(turn: Turn) -> None:
    done = turn(ROW, Scene(LAID, {(3, 8): Doubt.GLARE}))
    assert done.status == 3
    assert done.out.startswith("unsure; as read, legal, 8 points (CUBED-7)")
    assert turn(ROW, Scene(LAID, {(3, 5): Doubt.GLARE})).status == 0


def test_a_misread_die_takes_the_surer_reading(turn: Turn) -> None:
    after = Scene({**LAID, (3, 6): "2 red diamond"}, {(3, 6): Doubt.LOW_CONFIDENCE})
    done = turn(ROW, after, "--json")
    assert done.status == 0
    assert [piece["name"] for piece in done.lines[0]["after"]][1] == "2 red oval"


def test_after_is_read_with_what_lay_before(turn: Turn, fakes: FakeTables) -> None:
    corners = ("--corners", "0,0", "260,0", "260,140", "0,140")
    done = turn(ROW, LAID, *corners)
    assert done.status == 0
    first, second = fakes.asked
    assert (first["game"], first["before"], second["before"] is not None) == ("cubed", None, True)
    assert first["corners"] == second["corners"] == [(0, 0), (260, 0), (260, 140), (0, 140)]
    turn(ROW, LAID, *corners, "--corners-after", "1,1", "260,0", "260,140", "0,140")
    assert fakes.asked[1]["corners"][0] == (1, 1)


def test_wilds_are_named_and_announced(turn: Turn) -> None:
    before = {**ROW, (2, 8): "wild", (1, 8): "3 green diamond"}
    opened = turn(before, {**before, (3, 8): "wild"}, "--json").lines[0]
    assert opened["points"] == 7
    assert opened["laid"][0]["as"] == "1 red oval"
    assert opened["open"] == [
        {"at": [[1, 8], [2, 8], [3, 8]], "points": 0, "wild": [[2, 8]], "needs": "2 purple squiggle"}
    ]
    told = turn(
        before, {**before, (3, 8): "wild"}, "--json", "--wild", "2,8=2 purple squiggle", "--as", "3,8=1 red oval"
    )
    assert (told.lines[0]["points"], told.lines[0]["open"]) == (9, [])


def test_the_game_is_that_of_the_board_file(turn: Turn, fakes: FakeTables) -> None:
    for more in ((), ("--game", "auto"), ("--game", "cubed")):
        assert turn(ROW, LAID, *more).status == 0
        assert fakes.asked[0]["game"] == "cubed"


def test_the_first_turn_begins_on_a_bare_board(turn: Turn) -> None:
    done = turn({}, ROW)
    assert (done.status, done.err) == (0, "")
    assert "no dice" not in done.out
    assert turn({}, ROW, "--json").lines[0]["problems"] == []
    assert [one["code"] for one in turn({}, {}, "--json").lines[0]["problems"]] == ["no-pieces"]


CORNERS = ("--corners", "0,0", "130,0", "130,70", "0,70")
"""Corners of a board of half the size."""


def test_corners_that_do_not_fit_are_to_blame(turn: Turn, fakes: FakeTables) -> None:
    other = {(0, 5): "1 red oval", (0, 6): "2 red oval", (0, 7): "2 green oval"}
    seen = ("--corners: these corners do not fit", "table.jpg: by what is seen there they are about 0,0 260,0 260,140")
    turn(ROW, other, *CORNERS, more=Scene(ROW)).is_refused(*seen)
    assert [asked["corners"] is None for asked in fakes.asked] == [False, False, True]
    right = ("--corners", "1,0", "258,2", "261,138", "0,140")
    turn(ROW, other, *right, more=Scene(ROW)).is_refused("BEFORE and AFTER do not show the same board")


def test_corners_between_which_no_dice_are_likely_are_refused(turn: Turn) -> None:
    unlikely = Scene({}, problems=(Problem("corners", (), "the dice are not of a likely size"),))
    turn(unlikely, ROW, *CORNERS, more=Scene(ROW)).is_refused("they are about 0,0 260,0")
    turn(ROW, unlikely, *CORNERS, more=Scene(ROW, problems=(LOST,))).is_refused(
        "after.jpg: the dice are not of a likely size"
    )


def test_corners_that_nothing_speaks_against_leave_the_verdict(turn: Turn) -> None:
    lost = Scene(ROW, problems=(LOST,))
    done = turn(ROW, {**ROW, (3, 8): "1 green diamond"}, *CORNERS, more=lost)
    assert (done.status, "corners" in done.out) == (1, False)
    told = turn(ROW, {**ROW, (3, 8): "1 green diamond"}, *CORNERS, more=Scene(ROW))
    assert told.status == 1
    assert "Look at --corners: these corners do not fit" in " ".join(told.out.split())


def test_swaps_and_moves_are_listed(turn: Turn) -> None:
    swapped = turn({**ROW, (3, 6): "wild"}, LAID, "--wild", "3,6=2 red oval")
    assert swapped.status == 0
    assert "swapped for a Wild: two red ovals at 3,6" in swapped.out
    moved = turn(LAID, {**ROW, (2, 7): "1 red oval"})
    assert moved.status == 1
    assert "moved: one red oval from 3,8 to 2,7" in moved.out


def test_the_overlay_is_written(turn: Turn, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    done = turn(ROW, Scene({**LAID, (2, 8): "wild"}, {(3, 8): Doubt.GLARE}), "--overlay", folder, "--player", "Ann")
    assert f"overlay: {folder / 'after.turn.jpg'}" in done.out.replace("\n", "")
    drawn = cv2.imread(str(folder / "after.turn.jpg"))
    assert drawn is not None
    assert drawn.shape == (160, 320, 3)


def test_options_of_the_table(turn: Turn) -> None:
    waiting = {**ROW, (2, 7): "3 purple squiggle", (1, 7): "3 green diamond"}
    assert turn(ROW, waiting).status == 0
    assert turn(ROW, waiting, "--option", "waiting_dice=false").status == 1


# With a record.


def record(path: Path, board: Mapping[str, Any] = BOARD) -> Path:
    """Write a game in which Ben is in turn, after the first SET with a Wild in its middle."""
    header = Header(
        edition("cubed"), ("Ann", "Ben"), {}, {name: board[name] for name in ("rows", "columns", "logo", "bonus")}
    )
    first, second = (
        tuple(map(Face.parse, names.split(",")))
        for names in (
            "1 red oval,wild,3 red oval,2 green diamond,1 purple squiggle",
            "1 red oval,2 green diamond,wild,wild,wild",
        )
    )
    two = Face.parse("2 red oval").tile
    assert two is not None
    events = (Rolled("Ann", first), Rolled("Ben", second), Announced("Ann", first[:3], (two,)))
    lines = [write_header(header), *(write_event(event, header) for event in events)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


WITH_WILD: Names = {**ROW, (3, 6): "wild"}


def test_a_record_tells_players_scores_and_wilds(turn: Turn, tmp_path: Path) -> None:
    game = record(tmp_path / "game.jsonl")
    for more, given in (((), True), ((), False)):
        done = turn(WITH_WILD, {**WITH_WILD, (3, 8): "1 red oval"}, "--json", "--record", game, *more, given=given)
        answer = done.lines[0]
        assert (done.status, answer["player"], answer["points"], answer["open"]) == (0, "Ben", 8, [])
        assert answer["scores"] == {"Ann": 2, "Ben": 8}
    shown = turn(WITH_WILD, {**WITH_WILD, (3, 8): "1 red oval"}, "--record", game)
    assert "scores: Ann 2, Ben 8" in shown.out


def test_a_die_misread_before_is_read_by_the_record(turn: Turn, tmp_path: Path) -> None:
    game = record(tmp_path / "game.jsonl")
    done = turn({**WITH_WILD, (3, 7): "3 red diamond"}, {**WITH_WILD, (3, 8): "1 red oval"}, "--json", "--record", game)
    assert (done.status, done.lines[0]["points"]) == (0, 8)
    assert "by the record it is 3 red oval on [3, 7]" in done.lines[0]["text"]
    lost = {at: name for at, name in WITH_WILD.items() if at != (3, 7)}
    hidden = turn(lost, {**WITH_WILD, (3, 8): "1 red oval"}, "--record", game)
    assert hidden.status == 0


def test_a_board_that_the_record_does_not_leave_is_refused(turn: Turn, tmp_path: Path) -> None:
    game = record(tmp_path / "game.jsonl")
    turn(LAID, LAID, "--record", game).is_refused("as the record leaves it", "[3, 8]", "1 red oval", "nothing")
    wrong = dict.fromkeys(WITH_WILD, "2 green diamond")
    turn(wrong, LAID, "--record", game).is_refused("as the record leaves it", "[3, 5]")


def test_a_record_of_another_board_or_game_is_refused(turn: Turn, tmp_path: Path) -> None:
    other = record(tmp_path / "game.jsonl", {**BOARD, "bonus": []})
    turn(ROW, LAID, "--record", other).is_refused("game.jsonl", "another board", "`bonus`", "board.json")
    classic = tmp_path / "classic.jsonl"
    classic.write_text(write_header(Header(edition("classic"), ("Ann",), {})) + "\n", encoding="utf-8")
    turn(ROW, LAID, "--record", classic).is_refused("classic.jsonl", "a game of classic", "the board is one of cubed")
    turn(ROW, LAID, "--record", classic, "--game", "cubed").is_refused("a game of classic", "--game says cubed")
    turn(ROW, LAID, "--record", classic, given=False).is_refused(
        "classic.jsonl: this is of classic", "cubed or junior-1"
    )
    bad = tmp_path / "bad.jsonl"
    bad.write_text("{}\n", encoding="utf-8")
    turn(ROW, LAID, "--record", bad).is_refused("bad.jsonl", "line 1")


def test_a_player_must_sit_at_the_table_of_the_record(turn: Turn, tmp_path: Path) -> None:
    game = record(tmp_path / "game.jsonl")
    turn(ROW, LAID, "--record", game, "--player", "Eve").is_refused("--player 'Eve'", "'Ann', 'Ben'")


# Junior.


JUNIOR = sample_board(seed=2)


def test_a_tile_of_junior(turn: Turn, fakes: FakeTables, tmp_path: Path) -> None:
    path = tmp_path / "junior.json"
    path.write_text(json.dumps(JUNIOR.to_json()), encoding="utf-8")
    fakes.kind = Kind.TILE
    before = {(0, 0, column): str(JUNIOR[(0, 0, column)]) for column in range(2)}
    after = {**before, (0, 0, 2): str(JUNIOR[(0, 0, 2)])}
    arguments = ("--game", "junior-1", "--board", path)
    done = turn(before, after, *arguments, "--json", given=False)
    answer = done.lines[0]
    assert (done.status, answer["clause"], answer["points"]) == (0, "JUN-4", 1)
    assert answer["sets"] == [{"at": [[0, 0, 0], [0, 0, 1], [0, 0, 2]], "points": 1}]
    assert answer["after"][0]["kind"] == "tile"
    shown = turn(before, after, *arguments, given=False)
    assert shown.out.startswith("legal: 1 token (JUN-4)")
    game = tmp_path / "game.jsonl"
    header = Header(edition("junior-1"), ("Ann", "Ben"), {}, JUNIOR.to_json()["squares"])
    events = [Laid(name, JUNIOR[at], at) for name, at in (("Ann", (0, 0, 0)), ("Ben", (0, 0, 1)))]
    lines = [write_header(header), *(write_event(event, header) for event in events)]
    game.write_text("\n".join(lines), encoding="utf-8")
    told = turn(before, after, *arguments, "--json", "--record", game, given=False)
    assert (told.lines[0]["player"], told.lines[0]["scores"]) == ("Ann", {"Ann": 1, "Ben": 0})
    turn(before, after, *arguments, "--wild", "0,0=2 red oval", given=False).is_refused("SET Junior has no Wilds")


# What is refused.


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (Scene(ROW, problems=(LOST,)), Scene(LAID, problems=(LOST,)), ("table.jpg: which way up", "--corners")),
        (ROW, Scene(LAID, problems=(Problem("no-board", (), "no board is found"),)), ("after.jpg: no board is found",)),
        (ROW, Scene(LAID, placed=False), ("after.jpg: no board is found", "--corners")),
        (LAID, ROW, ("BEFORE has more dice than AFTER (4 and 3)", "1 red oval on [3, 8]", "order of the photos")),
        (ROW, {(0, column): "2 green diamond" for column in range(9)}, ("do not show the same board",)),
    ],
)
def test_photos_that_are_no_turn_get_one_line(
    turn: Turn, before: Scene | Names, after: Scene | Names, words: tuple[str, ...]
) -> None:
    turn(before, after).is_refused(*words)
    turn(before, after, "--json").is_refused(*words)


def test_a_photo_that_shows_which_way_up_it_is_helps_the_other(turn: Turn, fakes: FakeTables) -> None:
    lost = Scene(ROW, problems=(LOST,))
    assert turn(lost, LAID, more=Scene(ROW)).status == 0
    assert [asked["before"] is None for asked in fakes.asked] == [True, True, False]
    turn(lost, LAID, more=lost).is_refused("table.jpg: which way up")


def test_a_problem_that_is_none_of_the_board_is_passed_on(turn: Turn) -> None:
    done = turn(ROW, Scene(LAID, problems=(Problem("off-board", (0,), "a die lies beside the board"),)), "--json")
    assert done.lines[0]["problems"] == [{"code": "off-board", "pieces": [0], "text": "a die lies beside the board"}]


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (("--game", "classic"), ("--game classic", "cubed or junior-1")),
        (("--game", "junior-1"), ("this is a board of cubed, and --game says junior-1",)),
        (("--wild", "3"), ("--wild '3'",)),
        (("--wild", "9,9=2 red oval"), ("--wild 9,9: not on the board", "0 to 6", "0 to 12")),
        (("--as", "3,8=2 red oval"), ("no Wild is laid now on [3, 8]",)),
        (("--corners", "0,0", "0,9", "9,9", "9,0"), ("--corners", "clockwise")),
        (("--option", "small_deck=true"), ("no option of cubed",)),
        (("--player", " "), ("--player",)),
        (("--empty", "gone.jpg"), ("--empty needs --board FILE with a board of junior-1",)),
        (("--corners", ""), ("--corners needs four points x,y", "as in --corners 310,205")),
        (("--corners", "", "1,1", "2,2", "3,3"), ("--corners: '' is no point",)),
        (("--corners-after", "1,1"), ("--corners-after needs four points x,y",)),
        (("--record", "gone.jsonl"), ("gone.jsonl: no such file",)),
        (("--record", "gone.jsonl", "--wild", "3,6=2 red oval"), ("--wild and --record",)),
        (("--record", "gone.jsonl", "--option", "waiting_dice=false"), ("--option and --record",)),
    ],
)
def test_bad_arguments_get_one_line(turn: Turn, more: tuple[str, ...], words: tuple[str, ...]) -> None:
    turn(ROW, LAID, *more).is_refused(*words)


def test_a_board_is_needed_and_must_be_one(turn: Turn, run: Runner, table: Path, tmp_path: Path) -> None:
    turn(ROW, LAID, given=False).is_refused("--board FILE is needed", "set-referee board PHOTO --game GAME -o FILE")
    turn(ROW, LAID, "--game", "cubed", given=False).is_refused("set-referee board PHOTO --game cubed -o FILE")
    faces = tmp_path / "faces.json"
    faces.write_text('{"game": "junior-2", "spaces": 10}', encoding="utf-8")
    run("turn", table, table, "--board", faces).is_refused("faces.json: this is of junior-2", "cubed or junior-1")
    wrong = tmp_path / "wrong.json"
    wrong.write_text(json.dumps({**BOARD, "rows": "seven"}), encoding="utf-8")
    run("turn", table, table, "--board", wrong).is_refused("wrong.json: `rows`: expected", "got 'seven'")


def test_a_photo_that_cannot_be_read_is_named(turn: Turn, run: Runner, board: Path, table: Path) -> None:
    turn(ROW, LAID)
    run("turn", "gone.jpg", table, "--board", board).is_refused("gone.jpg: no such file")
    bad = table.with_name("bad.jpg")
    bad.write_text("hello", encoding="utf-8")
    run("turn", bad, table, "--board", board).is_refused("bad.jpg: this is no picture")


def test_a_number_that_is_not_that_of_the_file_is_a_doubt_said_once(turn: Turn) -> None:
    odd = (Problem("board-numbers", (), "A 4 is printed on [2, 4], the board file says 9: is this the board?"),)
    done = turn(Scene(ROW, problems=odd), Scene(LAID, problems=odd))
    assert done.status == 3
    assert done.out.startswith("unsure; as read, legal, 8 points (CUBED-7)")
    assert done.out.count("A 4 is printed") == 1


def test_corners_that_the_numbers_speak_against_are_refused(turn: Turn) -> None:
    odd = Scene({}, problems=(Problem("corners", (), "The 5 on [0, 0] does not stand upright"),))
    corners = ("--corners", "0,0", "260,0", "260,140", "0,140")
    turn(odd, Scene(LAID), *corners, more=odd).is_refused(
        "--corners: these corners do not fit", "does not stand upright"
    )


def test_a_wild_is_not_named_where_before_plainly_shows_nothing(turn: Turn, fakes: FakeTables) -> None:
    later = {**ROW, (3, 8): "wild"}
    assert turn(ROW, later, "--wild", "3,8=1 red oval").status != 2
    fakes.empty_squares = [(3, 8)]
    done = turn(ROW, later, "--wild", "3,8=1 red oval")
    done.is_refused("BEFORE shows nothing on 3,8", 'did you mean --as "3,8=1 red oval"?')
    assert turn(ROW, later, "--as", "3,8=1 red oval").status == 0


def test_the_overlay_says_unsure_and_where_a_turn_fails(
    turn: Turn, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    drawn: list[BoardDrawing] = []

    def kept(image: Image, drawing: BoardDrawing) -> Image:
        drawn.append(drawing)
        return image

    monkeypatch.setattr(board_overlay, "draw_board", kept)
    later: Names = {**ROW, (3, 8): "1 green diamond"}
    turn(ROW, Scene(later, {(3, 8): Doubt.GLARE}), "--overlay", tmp_path)
    turn(ROW, {**LAID, (3, 6): "2 green oval"}, "--overlay", tmp_path)
    turn(ROW, Scene(LAID, {(3, 8): Doubt.GLARE}), "--overlay", tmp_path)
    assert [one.total for one in drawn] == [
        "The player, unsure: does not stand (CUBED-7)",
        "The player: does not stand (CUBED-15)",
        "The player, unsure: +8",
    ]
    places = [[tuple(int(n // 20) for n in ring.quad.centre) for ring in one.rings if ring.wrong] for one in drawn]
    assert places == [[(8, 3)], [(6, 3)], []]


def test_photos_of_another_game_are_refused_with_the_reason(turn: Turn, fakes: FakeTables) -> None:
    odd = Problem("other-kind", (), "these look like tiles, not dice: check the game")
    other = Scene(ROW, problems=(odd, LOST))
    turn(other, LAID, more=other).is_refused("table.jpg: these look like tiles, not dice")


def test_standard_input_holds_one_photo(run: Runner, board: Path, fakes: FakeTables) -> None:
    run("turn", "-", "-", "--board", board).is_refused("BEFORE and AFTER are both -: standard input holds one photo")
    assert fakes.asked == []


def test_corners_may_be_quoted_together(turn: Turn, fakes: FakeTables) -> None:
    assert (
        turn(ROW, LAID, "--corners", "0,0 260,0 260,140 0,140", "--corners-after", "1,1 260,0 260,140 0,140").status
        == 0
    )
    assert [asked["corners"][0] for asked in fakes.asked] == [(0, 0), (1, 1)]
    turn(ROW, LAID, "--corners", "0,0 260,0 260,140").is_refused("--corners needs four points")
