"""``evaluate`` on boards, and ``--find-only``; photos of cards are among the tests of the command line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from datasets.board_scene import BoardSettings, render_board_scene
from datasets.render_boards import picture_label
from service import finding, tables
from service.board_file import CubedFile, Junior1File, Junior2File
from service.labelled import board_of
from tests.fake_tables import FakeTables, Scene
from tests.fakes import FakeReader
from tests.running import Runner
from vision.find_only import Found
from vision.finder import Finder
from vision.load import Limits, load
from vision.model import ModelFileError
from vision.truth import read_labels
from vision.types import Kind, Quad

CUBED: dict[str, Any] = {"game": "cubed", "rows": 5, "columns": 6, "logo": [[2, 1], [2, 2], [2, 3]], "bonus": []}
SQUARES = json.loads((Path(__file__).parents[1] / "service" / "boards" / "junior-1.example.json").read_text())[
    "squares"
]
CORNER: Mapping[tuple[int, ...], str] = {(0, 0, 0): SQUARES[0][0][0]}


def square(at: tuple[int, ...]) -> list[list[float]]:
    """The quad of the piece that the fake reader sees there."""
    left, top = at[-1] * 20.0 + 1, (at[-2] + (4 * at[0] if len(at) == 3 else 0)) * 20.0 + 1
    return [[left, top], [left + 18, top], [left + 18, top + 18], [left, top + 18]]


def cards(names: Mapping[tuple[int, ...], str]) -> list[dict[str, Any]]:
    return [{"quad": square(at), "card": name, "cell": list(at)} for at, name in names.items()]


@dataclass
class Table:
    """Labels in a folder with photos, and the readers that see them."""

    folder: Path
    jpeg: bytes
    fake: FakeTables = field(default_factory=FakeTables)

    def labels(self, *lines: dict[str, Any]) -> Path:
        """Write the labels of as many photos, each with its file and size."""
        path = self.folder / "labels.jsonl"
        whole = [{"file": f"{number}.jpg", "size": [320, 160], **line} for number, line in enumerate(lines)]
        for line in whole:
            (self.folder / str(line["file"])).write_bytes(self.jpeg)
        path.write_text("".join(json.dumps(line) + "\n" for line in whole))
        return path


@pytest.fixture
def board(tmp_path: Path, jpeg: bytes, monkeypatch: pytest.MonkeyPatch) -> Table:
    """A table whose photos are read by a fake."""
    table = Table(tmp_path, jpeg)
    monkeypatch.setattr(tables, "open_tables", lambda: table.fake)
    return table


NAMES: dict[tuple[int, ...], str] = {(2, 1): "1 red oval", (2, 2): "wild", (2, 3): "3 red oval"}


def test_squares_are_measured_on_the_board_of_the_label(run: Runner, board: Table) -> None:
    board.fake.scenes = [Scene(NAMES), Scene({**NAMES, (0, 0): "2 green oval"})]
    wrong = [*cards(NAMES)[:2], {**cards(NAMES)[2], "cell": [1, 3]}]
    (board.folder / "board.json").write_text(json.dumps(CUBED))
    labels = board.labels({"cards": wrong, "board": CUBED}, {"cards": cards(NAMES), "board": "board.json"})
    done = run("evaluate", labels, "--json")
    assert (done.status, done.err) == (0, "reading: 2/2\n")
    (report,) = done.lines
    assert report["all"]["place"] == pytest.approx(5 / 6, abs=1e-4)
    assert report["all"]["precision"] == pytest.approx(6 / 7, abs=1e-4)
    assert [asked["game"] for asked in board.fake.asked] == ["cubed", "cubed"]
    assert all(isinstance(asked["board"], CubedFile) for asked in board.fake.asked)


def test_places_are_a_column(run: Runner, board: Table) -> None:
    board.fake.scenes = [Scene(NAMES)]
    done = run("evaluate", board.labels({"cards": cards(NAMES), "board": CUBED, "tags": ["cubed"]}))
    header, row = (line.split() for line in done.out.splitlines()[1:3])
    assert dict(zip(header, row, strict=True))["place"] == "1.000"


def test_the_game_is_passed_on(run: Runner, board: Table) -> None:
    board.fake.scenes = [Scene({(0, 0): "1 red oval"})]
    board.fake.kind = Kind.TILE
    assert run("evaluate", board.labels({"cards": []}), "--game", "junior-2").status == 0
    assert (board.fake.asked[0]["game"], board.fake.asked[0]["board"]) == ("junior-2", None)


def test_of_boards_of_several_games_those_of_one_are_read(run: Runner, board: Table) -> None:
    board.fake.scenes = [Scene(NAMES)]
    other = {"cards": [], "board": {"game": "junior-2", "spaces": 10}}
    done = run(
        "evaluate", board.labels(other, {"cards": cards(NAMES), "board": CUBED}, {"cards": []}), "--game", "cubed"
    )
    assert done.status == 0
    assert "1 of the 3 photos are of cubed; the others are left out" in done.err
    (asked,) = board.fake.asked
    assert isinstance(asked["board"], CubedFile)


def test_a_game_of_which_there_is_no_board_is_refused(run: Runner, board: Table) -> None:
    labels = board.labels({"cards": [], "board": {"game": "junior-2", "spaces": 10}})
    run("evaluate", labels, "--game", "cubed").is_refused(
        "labels.jsonl: the boards are of junior-2", "--game says cubed"
    )
    assert board.fake.asked == []


def test_the_photo_without_tiles_is_passed_on(run: Runner, board: Table) -> None:
    board.fake.scenes = [Scene(CORNER)]
    board.fake.kind = Kind.TILE
    junior = {"game": "junior-1", "squares": SQUARES}
    (board.folder / "empty.jpg").write_bytes(board.jpeg)
    line = {"cards": cards(CORNER), "board": junior, "empty": "empty.jpg"}
    (report,) = run("evaluate", board.labels(line), "--json").lines
    assert report["all"]["place"] == 1
    assert board.fake.asked[0]["empty"] == board.jpeg


def test_without_its_empty_photo_a_photo_is_not_read(run: Runner, board: Table) -> None:
    board.fake.kind = Kind.TILE
    labels = board.labels({"cards": cards({(0, 0): "1 red oval"}), "empty": "none.jpg"})
    done = run("evaluate", labels, "--game", "junior-1", "--json")
    done.is_refused("0.jpg: the empty board 'none.jpg': no such file")
    assert done.lines[0]["all"]["recall"] == 0
    assert board.fake.asked == []


def test_boards_of_the_renderer_are_boards(run: Runner, board: Table) -> None:
    spaces = [
        {"at": [square, row, column], "face": SQUARES[square][row][column]}
        for square in range(3)
        for row in range(3)
        for column in range(3)
    ]
    printed = {"kind": "cubed", **{name: CUBED[name] for name in ("rows", "columns", "logo", "bonus")}, "lines": True}
    tile: Mapping[tuple[int, ...], str] = {(0, 1, 2): "1 red oval"}
    board.fake.scenes = [Scene(NAMES), Scene(tile), Scene({(1, 2): "1 red oval"})]
    labels = board.labels(
        {"cards": cards(NAMES), "board": {**printed, "spaces": []}},
        {"cards": cards(tile), "board": {"kind": "junior-1", "rows": 0, "spaces": spaces}},
        {"cards": cards(tile), "board": {"kind": "junior-2", "rows": 0, "spaces": []}},
    )
    (report,) = run("evaluate", labels, "--json").lines
    kinds = [type(asked["board"]) for asked in board.fake.asked]
    assert kinds == [CubedFile, Junior1File, Junior2File]
    assert report["all"]["place"] == 1  # on face 2 of Junior, where the last tile lies elsewhere, no place counts


@pytest.mark.parametrize("kind", ["cubed", "junior-1", "junior-2"])
def test_a_rendered_picture_has_a_board(kind: str, tmp_path: Path) -> None:
    picture = render_board_scene(7, BoardSettings(only=kind))
    path = tmp_path / "labels.jsonl"
    path.write_text(json.dumps(picture_label(picture, "board.jpg")) + "\n", encoding="utf-8")
    (label,) = read_labels(path)
    found = board_of(label, str(path))
    assert found is not None
    assert found.game == kind
    if isinstance(found, CubedFile):
        assert picture.board is not None
        assert (found.rows, found.columns) == (picture.board.rows, picture.board.columns)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({**CUBED, "rows": 1}, ["'0.jpg': the board: `rows`"]),
        ({"game": "chess"}, ["`game`"]),
        ({"kind": "chess"}, ["`game`", "chess"]),
        ({"kind": "junior-1"}, ["`spaces`"]),
        ({"kind": "junior-1", "spaces": [{"at": [0, 0, 5], "face": "1 red oval"}]}, ["`spaces`"]),
        ({"kind": "junior-1", "spaces": []}, ["`squares`"]),
        ("none.json", ["none.json: no such file"]),
    ],
)
def test_a_board_that_cannot_be_used_is_named(fields: Any, words: list[str], run: Runner, board: Table) -> None:
    labels = board.labels({"cards": [], "board": fields})
    run("evaluate", labels, "--game", "cubed").is_refused("labels.jsonl, '0.jpg'", *words)
    assert board.fake.asked == []


def test_predictions_overwrite_no_board_and_no_empty_photo(run: Runner, board: Table) -> None:
    (board.folder / "board.json").write_text(json.dumps(CUBED))
    labels = board.labels({"cards": [], "board": "board.json", "empty": "empty.jpg"})
    for name, what in (("board.json", "board file"), ("empty.jpg", "photo")):
        for more in ((), ("--find-only",)):
            run("evaluate", labels, "--predictions", board.folder / name, *more).is_refused(f"the {what} {name!r}")


@dataclass
class Seer:
    """Finds the same quads in every photo, and keeps whether pictures of tiles might be there."""

    quads: tuple[Quad, ...]
    pictures: list[bool] = field(default_factory=list)

    def find(self, data: bytes, limits: Limits, *, pictures: bool = True) -> Found:
        """Return the quads."""
        load(data, limits)
        self.pictures.append(pictures)
        return Found(self.quads, 10.0)


@pytest.fixture
def seer(monkeypatch: pytest.MonkeyPatch) -> Seer:
    """A finder that finds a piece at the top left, one in the row below, and one far off."""
    seer = Seer(tuple(Quad.of(square(at)) for at in ((0, 0), (1, 0), (7, 12))))
    monkeypatch.setattr(finding, "open_finder", lambda: seer)
    return seer


def boxes(board: Table) -> Path:
    path = board.folder / "boxes.json"
    inside = {"x0": 5, "y0": 5, "x1": 15, "y1": 15}
    away = {"x0": 100, "y0": 100, "x1": 120, "y1": 120}
    path.write_text(json.dumps({"dice.jpg": {"boxes": [inside, away]}, "gone.jpg": {"boxes": [inside]}}))
    (board.folder / "dice.jpg").write_bytes(board.jpeg)
    return path


def test_find_only_on_boxes(run: Runner, board: Table, seer: Seer) -> None:
    done = run("evaluate", boxes(board), "--find-only")
    assert done.status == 2
    assert "gone.jpg: no such file" in done.err
    lines = [line.split() for line in done.out.splitlines()]
    assert lines[1] == ["photos", "boxes", "found", "extra", "recall", "precision"]
    assert ["all", "2", "3", "1", "2", "0.333", "0.333"] in lines
    assert ["median", "10"] in lines
    assert seer.pictures == [False]


def test_find_only_as_json_with_predictions(run: Runner, board: Table, seer: Seer) -> None:
    target = board.folder / "new" / "found.jsonl"
    done = run("evaluate", boxes(board), "--find-only", "--json", "--predictions", target)
    (report,) = done.lines
    figures = {"photos": 2, "pieces": 3, "found": 1, "extra": 2, "recall": 0.3333, "precision": 0.3333}
    assert report["all"] == figures
    assert report["ms"] == {"median": 10.0, "p95": 10.0}
    assert report["mistakes"] == [
        {"file": "dice.jpg", "missed": 1, "extra": 2},
        {"file": "gone.jpg", "missed": 1, "extra": 0},
    ]
    first, second = (json.loads(line) for line in target.read_text().splitlines())
    assert [piece["quad"] for piece in first["pieces"]] == [quad.tolist() for quad in seer.quads]
    assert second["error"]["code"] == "missing-file"


def test_find_only_on_labels_ignores_names(run: Runner, board: Table, seer: Seer) -> None:
    labels = board.labels({"cards": cards({(0, 0): "1 red oval", (1, 0): "wild"}), "tags": ["cubed"]})
    (report,) = run("evaluate", labels, "--find-only", "--game", "junior-1", "--json").lines
    assert report["tags"]["cubed"]["recall"] == 1
    assert report["all"]["precision"] == pytest.approx(2 / 3, abs=1e-4)
    assert seer.pictures == [True]
    assert board.fake.asked == []


def test_find_only_on_cards_is_by_their_reader(run: Runner, board: Table, seer: Seer, fake: FakeReader) -> None:
    card = {"quad": [[20, 20], [60, 20], [60, 82], [20, 82]], "card": "3 green open oval"}
    labels = board.labels({"cards": [card]})
    for game in ("auto", "classic"):
        (report,) = run("evaluate", labels, "--find-only", "--game", game, "--json").lines
        assert (report["all"]["found"], report["all"]["extra"]) == (1, 4)
    assert seer.pictures == []


def test_find_only_looks_for_dice_and_tiles_where_no_cards_are(
    run: Runner, board: Table, seer: Seer, fake: FakeReader
) -> None:
    fake.names = []
    board.fake.scenes = [Scene({(0, 0): "1 red oval"})]
    (report,) = run("evaluate", board.labels({"cards": []}), "--find-only", "--json").lines
    assert report["all"]["extra"] == 3
    assert seer.pictures == [True]


def test_boxes_need_find_only(run: Runner, board: Table) -> None:
    run("evaluate", boxes(board)).is_refused("boxes.json: these are boxes of dice, without names: give --find-only")


def test_without_the_finder_there_is_one_line(run: Runner, board: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> Any:
        raise ModelFileError("the model folder 'finder' has no model.onnx: install the package again")

    monkeypatch.setattr(Finder, "open", missing)
    run("evaluate", boxes(board), "--find-only").is_refused("model.onnx")
