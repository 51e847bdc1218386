"""The example pictures: our renderer draws them, the commands read them, and they show what they are said to show."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from datasets import demo_boards
from engine.junior_board import sample_board
from service import cli
from service.board_file import CubedFile, Junior1File, parse_board
from vision.types import Image

FOLDER = Path(__file__).resolve().parents[1] / "service" / "examples"
OVERLAY = "cubed-after.turn.jpg"
MOST_BYTES = 250_000
TURN = ("turn", "cubed-before.jpg", "cubed-after.jpg", "--board", "cubed.json")


@cache
def drawn() -> dict[str, Image]:
    """The pictures as the renderer draws them today."""
    return demo_boards.example_pictures()


def picture(path: Path) -> Image:
    """A picture of a file."""
    image = cv2.imread(str(path))
    assert image is not None
    return np.asarray(image, np.uint8)


@pytest.fixture(autouse=True)
def in_the_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Paths are those beside the pictures."""
    monkeypatch.chdir(FOLDER)


def said(*arguments: str | Path) -> Any:
    """What the command with the shipped networks says as JSON."""
    result = CliRunner().invoke(cli.app, [*map(str, arguments), "--json"])
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_nothing_but_the_examples_lies_there() -> None:
    pictures = {f"{name}.jpg" for name in demo_boards.SHOTS}
    assert {path.name for path in FOLDER.iterdir()} == pictures | {OVERLAY, "cubed.json", "junior.json"}
    assert max(path.stat().st_size for path in FOLDER.iterdir()) < MOST_BYTES


@pytest.mark.parametrize("name", demo_boards.SHOTS)
def test_a_picture_is_what_the_renderer_draws_today(name: str) -> None:
    """JPEG and rounding may differ by a little."""
    shipped = picture(FOLDER / f"{name}.jpg")
    assert shipped.shape == (960, 1280, 3)
    assert (np.abs(shipped.astype(int) - drawn()[name]).max(axis=2) > 60).mean() < 0.002


def test_the_renderer_draws_pictures_that_differ() -> None:
    before, after = (drawn()[name].astype(int) for name in ("cubed-before", "cubed-after"))
    assert (np.abs(before - after).max(axis=2) > 60).mean() > 0.2


@pytest.mark.parametrize("name", ["cubed", "junior"])
def test_a_board_file_is_that_of_the_drawn_board(name: str) -> None:
    assert json.loads((FOLDER / f"{name}.json").read_text()) == demo_boards.board_files()[name]


def test_the_module_writes_all_of_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert demo_boards.main([str(tmp_path)]) == 0
    written = {path.name for path in tmp_path.iterdir()}
    assert written == {path.name for path in FOLDER.iterdir()} - {OVERLAY}
    assert sorted(capsys.readouterr().out.split()) == sorted(str(tmp_path / name) for name in written)
    for name in ("cubed.json", "junior.json"):
        assert (tmp_path / name).read_text() == (FOLDER / name).read_text()


@pytest.mark.parametrize(("name", "game"), [("cubed", "cubed"), ("junior", "junior-1")])
def test_a_board_is_read_off_its_picture(tmp_path: Path, name: str, game: str) -> None:
    out = tmp_path / "board.json"
    result = CliRunner().invoke(cli.app, ["board", f"{name}-empty.jpg", "--game", game, "-o", str(out)])
    assert (result.exit_code, "look:" in result.output) == (0, False), result.output
    read, shipped = (parse_board(path.read_bytes()) for path in (out, FOLDER / f"{name}.json"))
    assert isinstance(read, CubedFile | Junior1File)
    assert isinstance(shipped, CubedFile | Junior1File)
    assert (read.game, read.board) == (game, shipped.board)


def test_the_turn_is_the_one_that_was_laid() -> None:
    answer = said(*TURN)
    laid = {tuple(die["at"]): die["face"] for die in answer["laid"]}
    assert laid == {at: face for at, face in demo_boards.AFTER.items() if at not in demo_boards.BEFORE}
    assert (answer["ok"], answer["points"]) == (True, 12)
    assert [one["points"] for one in answer["sets"]] == [3, 3, 2]
    assert answer["bonus"] == [{"at": [2, 4], "points": 4}]


def test_wrong_corners_are_to_blame_and_the_right_ones_are_told() -> None:
    corners = ("--corners", "10,10", "500,20", "520,600", "15,610")
    result = CliRunner().invoke(cli.app, list(map(str, (*TURN, *corners))))
    assert result.exit_code == 2
    assert "--corners: these corners do not fit cubed-before.jpg: by what is seen there they are about" in result.output


def test_a_photo_of_another_board_is_no_photo_of_it_without_tiles(tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text(json.dumps(sample_board(seed=3).to_json()), encoding="utf-8")
    for board, empty, told in (
        ("junior.json", "cubed-empty.jpg", "No board of Junior"),
        (str(other), "junior-empty.jpg", "its pictures lie otherwise than on the board of the file"),
    ):
        result = CliRunner().invoke(cli.app, ["photo", "junior.jpg", "--board", board, "--empty", empty])
        assert result.exit_code == 2
        assert f"--empty {empty}: {told}" in result.output


def test_both_pictures_of_the_turn_are_read_to_the_last_die() -> None:
    answer = said(*TURN)
    for which, layout in (("before", demo_boards.BEFORE), ("after", demo_boards.AFTER)):
        assert {tuple(piece["cell"]): piece["name"] for piece in answer[which]} == layout


def test_the_overlay_is_what_the_command_draws_today(tmp_path: Path) -> None:
    said(*TURN, "--overlay", tmp_path)
    new, shipped = (picture(folder / OVERLAY).astype(int) for folder in (tmp_path, FOLDER))
    assert (np.abs(new - shipped).max(axis=2) > 60).mean() < 0.01


def test_the_tiles_of_junior_are_told_from_the_printed_spaces() -> None:
    answer = said("photo", "junior.jpg", "--board", "junior.json", "--empty", "junior-empty.jpg")
    squares = demo_boards.board_files()["junior"]["squares"]
    assert isinstance(squares, list)
    read = {tuple(piece["cell"]): piece["name"] for piece in answer["pieces"]}
    assert read == {(square, row, column): squares[square][row][column] for square, row, column in demo_boards.COVERED}
    assert not [piece for piece in answer["pieces"] if piece["doubt"]]
