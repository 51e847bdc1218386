"""Boards over HTTP: questions about photos, turns, boards and Wilds; what is sent is hostile, and bounded."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest

from engine.editions import edition
from engine.events import Rolled
from engine.junior_board import sample_board
from engine.record import Header, write_event, write_header
from engine.tokens import Face
from service import tables
from service.app import create_app
from service.board_file import CubedFile, parse_board
from service.errors import ModelsMissingError
from service.forms import BOARDS, PHOTOS, TURNS, WILDS
from service.settings import Settings
from service.tables import BoardRead
from service.upload import Form
from tests.fake_tables import FakeTables, Names, Scene
from tests.fakes import FakeReader
from tests.running import Runner
from tests.served import is_refused, serving, serving_app
from vision.load import load
from vision.types import Kind, Problem

PHOTO, TURN, BOARD, WILD = ("/api/v1/photos", "/api/v1/turns", "/api/v1/boards", "/api/v1/wilds")

FIELDS: dict[str, Any] = {
    "game": "cubed",
    "rows": 7,
    "columns": 13,
    "logo": [[3, 5], [3, 6], [3, 7]],
    "bonus": [{"at": [3, 8], "points": 5}],
}
TEXT = json.dumps(FIELDS)
ROW: Names = {(3, 5): "1 red oval", (3, 6): "2 red oval", (3, 7): "3 red oval"}
LAID: Names = {**ROW, (3, 8): "1 red oval"}
CORNERS = "0,0 260,0 260,140 0,140"


@dataclass
class Service:
    """A client of a running service whose tables are read by the fake of the moment."""

    client: httpx.Client
    jpeg: bytes
    fake: FakeTables = field(default_factory=FakeTables)

    def post(
        self,
        address: str,
        photos: Mapping[str, bytes | None] | None = None,
        files: list[tuple[str, Any]] | None = None,
        **texts: Any,
    ) -> httpx.Response:
        """Send photos (None: the usual one), other files, and texts; ``as_`` is the field "as"."""
        parts = [(name, (f"{name}.jpg", data or self.jpeg)) for name, data in (photos or {}).items()] + (files or [])
        named = {name.rstrip("_").replace("_", "-"): text for name, text in texts.items()}
        return self.client.post(address, files=parts, data=named)

    def photo(self, **texts: Any) -> httpx.Response:
        """Send one photo."""
        return self.post(PHOTO, {"photo": None}, **texts)

    def turn(self, before: Names, after: Names, address: str = TURN, **texts: Any) -> httpx.Response:
        """Send two photos on which this lies."""
        self.fake.scenes = [Scene(before), Scene(after)]
        return self.post(address, {"before": None, "after": None}, **{"board": TEXT, **texts})


@pytest.fixture(scope="module")
def running(jpeg: bytes) -> Iterator[Service]:
    """The running service."""
    app = create_app(Settings(), FakeReader())
    with serving_app(app) as client:
        service = Service(client, jpeg)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(tables, "open_tables", lambda: _Current(service))
            assert app.state.vision.inner.worker.referee.table_reader  # which is opened once, and now
        yield service


@dataclass
class _Current:
    """Passes everything on to the fake of the moment."""

    service: Service

    def __getattr__(self, name: str) -> Any:
        return getattr(self.service.fake, name)


@pytest.fixture
def service(running: Service) -> Service:
    """The running service with a fake of its own."""
    running.fake = FakeTables([Scene(LAID)], board=BoardRead(FIELDS))
    return running


# Photos.


@pytest.mark.parametrize("form", ["file", "text"])
def test_a_photo_of_a_board_has_its_squares(form: str, service: Service) -> None:
    if form == "file":
        done = service.post(PHOTO, {"photo": None}, [("board", ("b.json", TEXT.encode()))])
    else:
        done = service.photo(board=TEXT)
    assert done.status_code == 200, done.text
    answer = done.json()
    assert (answer["game"], answer["file"]) == ("cubed", "photo.jpg")
    assert [piece["cell"] for piece in answer["pieces"]] == [list(at) for at in LAID]
    assert answer["board"]["corners"] == [[0, 0], [260, 0], [260, 140], [0, 140]]
    assert isinstance(service.fake.asked[0]["board"], CubedFile)


def test_everything_that_is_asked_is_passed_on(service: Service) -> None:
    service.fake.scenes = [Scene({**LAID, (2, 8): "wild"})]
    done = service.post(
        PHOTO,
        {"photo": None},
        board=TEXT,
        game="cubed",
        corners=CORNERS,
        hand="2 red oval, wild",
        wild=["2,8=2 purple squiggle"],
        option=["waiting_dice=false", "swaps_per_turn=1"],
    )
    assert done.status_code == 200, done.text
    (asked,) = service.fake.asked
    assert asked["corners"] == [(0, 0), (260, 0), (260, 140), (0, 140)]
    assert done.json()["board"]["best"]["points"] > 0


def test_the_game_may_stand_in_the_address_or_in_the_form(service: Service) -> None:
    service.fake.kind = Kind.TILE
    cases: list[tuple[str, dict[str, Any]]] = [(f"{PHOTO}?game=junior-2", {}), (PHOTO, {"game": "junior-2"})]
    for address, texts in cases:
        service.fake.asked.clear()
        done = service.post(address, {"photo": None}, **texts)
        assert (done.status_code, service.fake.asked[0]["game"]) == (200, "junior-2")


def test_files_that_were_not_chosen_are_not_there(service: Service) -> None:
    parts = [("photo", "a.jpg", service.jpeg), ("empty", "", b""), ("board", "", b"")]  # as a browser sends them
    body = b"".join(
        f'--x\r\nContent-Disposition: form-data; name="{name}"; filename="{file}"\r\n\r\n'.encode() + data + b"\r\n"
        for name, file, data in parts
    )
    kind = {"content-type": "multipart/form-data; boundary=x"}
    done = service.client.post(f"{PHOTO}?game=classic", content=body + b"--x--\r\n", headers=kind)
    assert done.status_code == 200, done.text
    assert done.json()["game"] == "classic"


@pytest.mark.parametrize(
    ("address", "photos", "form"),
    [(PHOTO, ["photo"], PHOTOS), (TURN, ["before", "after"], TURNS), (BOARD, ["photo"], BOARDS)],
)
def test_texts_that_are_empty_are_refused(address: str, photos: list[str], form: Form, service: Service) -> None:
    for one in form.fields:
        if one.name not in photos:
            given: dict[str, Any] = {"game": "cubed", "board": TEXT} if "board" in form.by_name else {"game": "cubed"}
            sent = service.post(address, dict.fromkeys(photos), **{**given, one.name: ""})
            text = is_refused(sent, 422, "missing-field")
            assert text == f"the field {one.name!r} holds nothing: send {one.sort.value}, or leave it out"
    assert service.fake.asked == []


def test_a_photo_without_tiles_must_show_the_board(service: Service) -> None:
    service.fake.kind = Kind.TILE
    board = json.dumps(sample_board(seed=2).to_json())
    photos = {"photo": None, "empty": b"other" + service.jpeg}
    assert "is no picture" in is_refused(service.post(PHOTO, photos, board=board), 415, "not-a-picture")
    photos["empty"] = None
    assert service.post(PHOTO, photos, board=board).status_code == 200
    assert service.fake.asked[0]["empty"] == service.jpeg
    service.fake.elsewhere = "is it the board of the file?"
    text = is_refused(service.post(PHOTO, photos, board=board), 422, "no-board")
    assert text == "empty: is it the board of the file?"
    assert "empty needs board with" in is_refused(service.post(PHOTO, photos, board=TEXT), 400, "bad-argument")


def test_the_picture_shows_the_board(service: Service) -> None:
    done = service.post(f"{PHOTO}?overlay=1", {"photo": None}, board=TEXT)
    assert done.headers["content-type"] == "image/jpeg"
    assert load(done.content).size == (320, 160)


BAD: list[tuple[dict[str, Any], int, str, str]] = [
    ({"board": "{"}, 422, "bad-board-file", "board: no JSON of a board"),
    ({"board": json.dumps({**FIELDS, "rows": 1})}, 422, "bad-board-file", "board: `rows`"),
    ({"board": "[" * 60 + "]" * 60}, 422, "bad-board-file", "a JSON object"),
    ({"board": json.dumps({**FIELDS, "x": json.loads("[" * 60 + "]" * 60)})}, 422, "bad-board-file", "50 deep"),
    ({"board": TEXT, "game": "junior-1"}, 400, "bad-argument", "board: this is a board of cubed, and game says"),
    ({"game": "chess"}, 400, "bad-argument", "game is 'chess': expected one of auto, classic"),
    ({"hand": "wild"}, 400, "bad-argument", "hand needs board with a board of cubed"),
    ({"hand": "wilt", "board": TEXT}, 400, "bad-argument", "hand: 'wilt' is no face"),
    ({"wild": "x", "board": TEXT}, 400, "bad-argument", "wild 'x': expected ROW,COLUMN=NAME, as in wild \"6,4="),
    ({"wild": "0,0=2 red oval", "board": TEXT}, 400, "bad-argument", "wild 0,0=2 red oval: no Wild is on [0, 0]"),
    ({"option": "x", "game": "cubed"}, 400, "bad-argument", "option 'x': expected NAME=VALUE, as in option waiting"),
    ({"option": "rounds=true"}, 400, "bad-argument", "option: say of which game, with game"),
    ({"corners": "1,2 3,4"}, 400, "bad-argument", "corners '1,2 3,4': expected four times x,y"),
    ({"corners": CORNERS}, 400, "bad-argument", "corners needs board with a board of cubed"),
    ({"corners": "a b c d", "board": TEXT}, 400, "bad-argument", "corners: 'a' is no point"),
    ({"corners": CORNERS, "game": "classic"}, 400, "bad-argument", "empty and corners are about boards"),
    ({"hnad": "wild"}, 400, "bad-argument", "'hnad' is no field of this form: expected photo, game, board, corners"),
    ({"game": ["cubed", "cubed"]}, 400, "bad-argument", "game is given more than once"),
    ({"wild": ["1,1=2 red oval"] * 65}, 400, "bad-argument", "wild is given more than 64 times"),
    ({"hand": "x" * 5000}, 413, "too-many-bytes", "hand is too long: at most 4,096 bytes"),
    ({"hnad": "x" * 5000}, 400, "bad-argument", "'hnad' is no field of this form"),
    ({"board": " " * 1_000_001}, 413, "too-many-bytes", "board is too long: at most 1,000,000 bytes"),
    ({"empty": "no picture"}, 400, "bad-argument", "empty is a file; send it as such"),
]


@pytest.mark.parametrize(("texts", "status", "code", "words"), BAD)
def test_what_cannot_be_asked_is_refused(
    texts: dict[str, Any], status: int, code: str, words: str, service: Service
) -> None:
    assert words in is_refused(service.photo(**texts), status, code)


def test_files_in_the_wrong_place_are_refused(service: Service) -> None:
    sent = service.post(PHOTO, {"photo": None}, [("hand", ("hand.txt", b"wild"))])
    assert "hand is a text; send it as such" in is_refused(sent, 400, "bad-argument")
    sent = service.post(PHOTO, {"photo": None}, [("other", ("x.jpg", service.jpeg))])
    assert "'other' is no field" in is_refused(sent, 400, "bad-argument")
    sent = service.post(PHOTO, {"picture": None})
    assert "as the file 'photo'" in is_refused(sent, 422, "missing-field")
    sent = service.post(PHOTO, {"photo": None}, [("empty", ("a.jpg", b"x")), ("empty", ("b.jpg", b"x"))])
    assert "empty is given more than once" in is_refused(sent, 400, "bad-argument")
    many = [(f"other{number}", ("x", b"x")) for number in range(400)]
    is_refused(service.post(PHOTO, {"photo": None}, many), 422, "missing-field")
    assert service.fake.asked == []


def test_two_games_are_refused(service: Service) -> None:
    sent = service.post(f"{PHOTO}?game=classic", {"photo": None}, game="cubed")
    assert "'cubed' in the form and 'classic' in the address" in is_refused(sent, 400, "bad-argument")


@pytest.mark.parametrize("name", ["photo", "empty"])
def test_every_photo_has_its_limit(name: str, jpeg: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = FakeTables([Scene(LAID)])
    monkeypatch.setattr(tables, "open_tables", lambda: fake)
    with serving(FakeReader(), Settings(max_bytes=len(jpeg))) as client:
        service = Service(client, jpeg)
        photos, board = {"photo": jpeg, "empty": jpeg}, json.dumps(sample_board(seed=2).to_json())
        assert service.post(PHOTO, photos, board=board).status_code == 200
        fake.asked.clear()
        text = is_refused(service.post(PHOTO, {**photos, name: jpeg + b"x"}, board=board), 413, "too-many-bytes")
        assert "at most" in text
    assert fake.asked == []


# Turns.


def test_a_turn_is_the_json_of_the_command_line(
    service: Service, run: Runner, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = service.turn(ROW, LAID, player="Ann")
    assert done.status_code == 200, done.text
    fake = FakeTables([Scene(ROW), Scene(LAID)])
    monkeypatch.setattr(tables, "open_tables", lambda: fake)
    for name, data in (("a.jpg", service.jpeg), ("b.jpg", service.jpeg), ("board.json", TEXT.encode())):
        (tmp_path / name).write_bytes(data)
    arguments = (tmp_path / "a.jpg", tmp_path / "b.jpg", "--board", tmp_path / "board.json", "--player", "Ann")
    assert run("turn", *arguments, "--json").lines == [done.json()]


def test_everything_told_about_a_turn_is_passed_on(service: Service) -> None:
    before = {**ROW, (2, 8): "wild", (1, 8): "3 green diamond"}
    done = service.turn(
        before,
        {**before, (3, 8): "wild"},
        wild=["2,8=2 purple squiggle"],
        as_=["3,8=1 red oval"],
        corners=CORNERS,
        corners_after=CORNERS.replace("0,0 ", "1,1 "),
        option=["waiting_dice=false"],
        game="cubed",
    )
    assert done.status_code == 200, done.text
    assert (done.json()["points"], done.json()["open"]) == (9, [])
    first, second = service.fake.asked
    assert (first["corners"][0], second["corners"][0]) == ((0, 0), (1, 1))
    assert second["before"] is not None


def test_an_illegal_turn_is_an_answer(service: Service) -> None:
    done = service.turn(ROW, {**ROW, (3, 8): "1 green diamond"})
    assert (done.status_code, done.json()["ok"], done.json()["clause"]) == (200, False, "CUBED-7")


def test_the_picture_shows_the_turn(service: Service) -> None:
    done = service.turn(ROW, LAID, f"{TURN}?overlay=1")
    assert done.headers["content-type"] == "image/jpeg"
    assert load(done.content).size == (320, 160)


def record() -> str:
    """A game that has just begun."""
    header = Header(
        edition("cubed"), ("Ann", "Ben"), {}, {name: FIELDS[name] for name in ("rows", "columns", "logo", "bonus")}
    )
    hand = tuple(map(Face.parse, (*ROW.values(), "1 red oval", "2 green diamond")))
    return f"{write_header(header)}\n{write_event(Rolled('Ann', hand), header)}\n"


def test_a_record_tells_the_board(service: Service) -> None:
    service.fake.scenes = [Scene(), Scene(ROW)]
    done = service.post(TURN, {"before": None, "after": None}, record=record())
    assert done.status_code == 200, done.text
    assert done.json()["scores"] == {"Ann": 3, "Ben": 0}


@pytest.mark.parametrize(
    ("texts", "status", "code", "words"),
    [
        ({"game": "classic"}, 400, "bad-argument", "game classic: a turn is one of cubed or junior-1"),
        ({"game": "junior-1"}, 400, "bad-argument", "board: this is a board of cubed, and game says junior-1"),
        ({"record": "{"}, 422, "bad-record", "record: line 1"),
        ({"record": " " * 1_000_001}, 413, "too-many-bytes", "record is too long"),
        ({"wild": "9,9=2 red oval"}, 400, "bad-argument", "wild 9,9: not on the board"),
        ({"as_": "x"}, 400, "bad-argument", "as 'x': expected ROW,COLUMN=NAME"),
        ({"player": "\x07"}, 400, "bad-argument", "player '\\x07': expected a name"),
        ({"hand": "wild"}, 400, "bad-argument", "'hand' is no field of this form"),
    ],
)
def test_what_cannot_be_told_about_a_turn_is_refused(
    texts: dict[str, Any], status: int, code: str, words: str, service: Service
) -> None:
    assert words in is_refused(service.turn(ROW, LAID, **texts), status, code)
    assert service.fake.asked == []


def test_photos_that_are_no_turn_are_refused(service: Service) -> None:
    assert "BEFORE has more dice than AFTER" in is_refused(service.turn(LAID, ROW), 422, "no-turn")
    service.fake = FakeTables([Scene(ROW, problems=(Problem("no-board", (), "no board is found here"),))] * 2)
    sent = service.post(TURN, {"before": None, "after": None}, board=TEXT)
    assert is_refused(sent, 422, "no-board") == "before: no board is found here"


def test_a_photo_of_a_turn_that_cannot_be_read_is_named(service: Service) -> None:
    service.fake.scenes = [Scene(ROW), Scene(LAID)]
    sent = service.post(TURN, {"before": None, "after": b"no picture"}, board=TEXT)
    assert is_refused(sent, 415, "not-a-picture").startswith("after: ")


def test_a_turn_needs_a_board(service: Service) -> None:
    sent = service.post(TURN, {"before": None, "after": None})
    text = is_refused(sent, 422, "missing-field")
    assert "send the board file as 'board', or the game so far as 'record'" in text


@pytest.mark.parametrize("photos", [["before"], ["after"], [], ["before", "after", "photo"]])
def test_a_turn_is_two_photos(photos: list[str], service: Service) -> None:
    sent = service.post(TURN, dict.fromkeys(photos), board=TEXT)
    if len(photos) < 3:
        assert "'before' and 'after'" in is_refused(sent, 422, "missing-field")
    else:
        assert "'photo' is no field" in is_refused(sent, 400, "bad-argument")


# Boards.


def test_a_board_is_read(service: Service) -> None:
    service.fake.board = BoardRead(FIELDS, ("The number on [3, 8] cannot be read.",))
    done = service.post(BOARD, {"photo": None}, game="cubed", rows="7", columns="13", corners=CORNERS)
    assert done.status_code == 200, done.text
    assert done.json() == {"board": FIELDS, "unsure": ["The number on [3, 8] cannot be read."]}
    (asked,) = service.fake.asked
    assert (asked["game"], asked["rows"], asked["columns"], asked["corners"][1]) == ("cubed", 7, 13, (260, 0))


def test_a_board_with_gaps_is_answered_and_the_gap_is_named(service: Service) -> None:
    service.fake.board = BoardRead({"game": "junior-1", "squares": [[[None] * 3] * 3] * 3})
    done = service.post(f"{BOARD}?game=junior-1", {"photo": None})
    assert done.status_code == 200, done.text
    assert "`squares[0][0][0]`" in done.json()["unsure"][0]


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        ({"game": "setup"}, "game setup: a board is one of"),
        ({"game": "cubed", "rows": "2"}, "rows is '2': expected a whole number from 3 to 99"),
        ({"game": "cubed", "columns": "١٢"}, "columns is '١٢': expected a whole number"),
        ({"game": "junior-1", "rows": "5"}, "rows and columns: only a board of cubed has them"),
        ({"game": "cubed", "corners": "0,0 0,9 9,9 9,0"}, "clockwise"),
    ],
)
def test_what_cannot_be_told_about_a_board_is_refused(texts: dict[str, Any], words: str, service: Service) -> None:
    assert words in is_refused(service.post(BOARD, {"photo": None}, **texts), 400, "bad-argument")


def test_a_board_needs_its_game(service: Service) -> None:
    text = is_refused(service.post(BOARD, {"photo": None}), 422, "missing-field")
    assert text.endswith("as the 'game' whose board that is cubed, junior-1 or junior-2")
    assert service.fake.asked == []


def test_a_photo_that_is_none_is_named(service: Service) -> None:
    sent = service.post(BOARD, {"photo": b"no picture"}, game="cubed")
    assert is_refused(sent, 415, "not-a-picture").startswith("photo: ")
    is_refused(service.post(BOARD, {}, game="cubed"), 422, "missing-field")


# Wilds.


def face(first: float) -> list[float]:
    """An embedding."""
    return [first, *[1.0] * 31]


def test_the_look_of_a_wild_is_added_to_the_board(service: Service) -> None:
    service.fake.wilds = [[face(0.5)], [face(0.6), face(0.7)]]
    photos = [("photo", ("a.jpg", service.jpeg)), ("photo", ("b.jpg", service.jpeg))]
    done = service.post(WILD, files=photos, board=json.dumps({**FIELDS, "mine": "\ud800"}))
    assert done.status_code == 200, done.text
    board = parse_board(done.content)
    assert isinstance(board, CubedFile)
    assert [one[0] for one in board.embeddings] == [0.5, 0.6, 0.7]
    assert done.json() == {**FIELDS, "mine": "\ud800", "wild": {"embeddings": board.embeddings}}


def test_photos_without_one_wild_are_refused(service: Service) -> None:
    service.fake.wilds = [[face(0.5)], []]
    photos = [("photo", ("a.jpg", service.jpeg)), ("photo", ("b.jpg", service.jpeg))]
    text = is_refused(service.post(WILD, files=photos, board=TEXT), 422, "no-wild")
    assert text.startswith("photo 2: no Wild face is found")
    service.fake = FakeTables(wilds=[[face(0.5), [-1.0] * 32]])
    assert "several different Wild faces" in is_refused(service.post(WILD, {"photo": None}, board=TEXT), 422, "no-wild")


def test_a_wild_needs_photos_and_a_board_of_cubed(service: Service) -> None:
    for sent in (
        service.post(WILD, {"photo": None}),
        service.post(WILD, board=TEXT),
        service.post(WILD, files=[("photo", ("a.jpg", b"x"))] * 9, board=TEXT),
    ):
        assert "send 1 to 8 photos" in is_refused(sent, 422, "missing-field")
    junior = '{"game": "junior-2", "spaces": 10}'
    sent = service.post(WILD, {"photo": None}, board=junior)
    assert "board: this is a board of junior-2" in is_refused(sent, 422, "bad-board-file")


def test_many_photos_together_have_a_limit(jpeg: bytes) -> None:
    with serving(FakeReader(), Settings(max_bytes=600_000)) as client:
        photos = [("photo", (f"{number}.jpg", bytes(590_000))) for number in range(5)]
        is_refused(Service(client, jpeg).post(WILD, files=photos, board=TEXT), 413, "too-many-bytes")


# All of them.


def test_without_what_reads_tables_it_is_the_service_that_fails(jpeg: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> Any:
        raise ModelsMissingError(FileNotFoundError("the model folder has no model.onnx"))

    monkeypatch.setattr(tables, "open_tables", missing)
    with serving(FakeReader()) as client:
        sent = Service(client, jpeg).post(BOARD, {"photo": None}, game="cubed")
        assert "model.onnx" in is_refused(sent, 500, "missing-models")


@pytest.mark.parametrize(("address", "form"), [(PHOTO, PHOTOS), (TURN, TURNS), (BOARD, BOARDS), (WILD, WILDS)])
def test_openapi_describes_every_form(address: str, form: Any, service: Service) -> None:
    document = service.client.get("/openapi.json").json()
    operation = document["paths"][address]["post"]
    schema = operation["requestBody"]["content"]["multipart/form-data"]["schema"]
    assert list(schema["properties"]) == [one.name for one in form.fields]
    assert all(one["description"] for one in schema["properties"].values())
    assert {200, 400, 408, 413, 415, 422, 500, 503} <= {int(status) for status in operation["responses"]}
    content = operation["responses"]["200"]["content"]["application/json"]
    name = content["schema"]["$ref"].rpartition("/")[2]
    assert "example" in content or "example" in document["components"]["schemas"][name]


def test_examples_are_of_the_form_that_they_show(service: Service) -> None:
    document = service.client.get("/openapi.json").json()
    turn = document["paths"][TURN]["post"]["responses"]["200"]["content"]["application/json"]["example"]
    assert list(turn) == list(service.turn(ROW, LAID).json())
    wild = document["paths"][WILD]["post"]["responses"]["200"]["content"]["application/json"]["example"]
    assert isinstance(parse_board(json.dumps(wild)), CubedFile)
    fields = document["paths"][PHOTO]["post"]["requestBody"]["content"]["multipart/form-data"]["schema"]["properties"]
    texts = {name: fields[name]["example"] for name in ("game", "board", "corners", "hand", "option")}
    service.fake = FakeTables([Scene({(6, 4): "wild"})])
    assert service.photo(**texts, wild=fields["wild"]["example"]).status_code == 200


@pytest.mark.parametrize("address", [TURN, BOARD, WILD])
def test_other_methods_have_the_one_shape(address: str, service: Service) -> None:
    is_refused(service.client.get(address), 405, "method-not-allowed")
    is_refused(service.client.post(address, json={}), 422, "missing-field")
