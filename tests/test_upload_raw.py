"""A photo as the body itself: what else is asked stands in the address, and is bounded as a form is."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from service import tables
from service.forms import PHOTOS as FORM
from service.settings import Settings
from service.upload import Sort
from tests.fake_tables import FakeTables, Names, Scene
from tests.fakes import FakeReader
from tests.served import PHOTOS, Switch, is_refused, post, serving
from vision.load import load

BOARD: dict[str, Any] = {"game": "cubed", "rows": 7, "columns": 13, "logo": [[3, 5], [3, 6], [3, 7]], "bonus": []}
LAID: Names = {(3, 5): "1 red oval", (3, 6): "2 red oval", (3, 7): "3 red oval", (2, 8): "wild"}


@pytest.fixture(scope="module")
def running() -> Iterator[tuple[httpx.Client, Switch, FakeTables]]:
    """A running service, whose boards are read by a fake."""
    switch, boards = Switch(FakeReader()), FakeTables([Scene(LAID)] * 99)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "open_tables", lambda: boards)
        with serving(switch) as client:
            yield client, switch, boards


@pytest.fixture
def client(running: tuple[httpx.Client, Switch, FakeTables], fake: FakeReader) -> httpx.Client:
    """A client of it; its reader of cards is the test's own ``fake``."""
    running[1].reader = fake
    return running[0]


def sent(client: httpx.Client, data: bytes, kind: str | None = "image/jpeg", **asked: Any) -> httpx.Response:
    """Send a photo as the body."""
    return client.post(PHOTOS, content=data, params=asked, headers={} if kind is None else {"content-type": kind})


@pytest.mark.parametrize(
    "kind",
    [
        "image/jpeg",
        "image/png",
        "image/heic",
        "IMAGE/WEBP; q=1",
        "image/nonsense",
        "application/octet-stream",
        "application/octet-stream;charset=x",
        None,
    ],
)
def test_the_body_is_the_photo_whatever_kind_it_is_said_to_be(
    kind: str | None, client: httpx.Client, jpeg: bytes
) -> None:
    done = sent(client, jpeg, kind)
    assert done.status_code == 200, done.text
    assert done.json() == {**post(client, jpeg).json(), "file": "photo"}


def test_the_overlay_is_a_picture(client: httpx.Client, jpeg: bytes) -> None:
    done = sent(client, jpeg, overlay=1)
    assert done.headers["content-type"] == "image/jpeg"
    assert load(done.content).size == (320, 160)


def test_what_a_form_says_may_stand_in_the_address(
    client: httpx.Client, running: tuple[httpx.Client, Switch, FakeTables], jpeg: bytes
) -> None:
    running[2].asked.clear()
    asked: dict[str, Any] = {
        "board": json.dumps(BOARD),
        "hand": "zwei rote Wellen, Joker",
        "wild": "2,8=2 purple squiggle",
        "option": ["waiting_dice=false", "swaps_per_turn=1"],
        "game": "cubed",
        "corners": "0,0 260,0 260,140 0,140",
    }
    done = sent(client, jpeg, **asked)
    assert done.status_code == 200, done.text
    assert running[2].asked[0]["corners"] == [(0, 0), (260, 0), (260, 140), (0, 140)]
    assert "best" in done.json()["board"]
    form = client.post(PHOTOS, files={"photo": ("photo", jpeg)}, data=asked)
    assert form.json() == done.json()
    mixed = {"hand": asked.pop("hand"), "option": "swaps_per_turn=1"}
    asked["option"] = "waiting_dice=false"
    assert client.post(PHOTOS, files={"photo": ("photo", jpeg)}, data=asked, params=mixed).json() == done.json()


@pytest.mark.parametrize(
    ("asked", "status", "code", "words"),
    [
        ({"hand": ""}, 422, "missing-field", "the field 'hand' holds nothing"),
        ({"hand": "wild"}, 400, "bad-argument", "hand needs board"),
        ({"hand": ["wild", "wild"]}, 400, "bad-argument", "hand is given more than once"),
        ({"wild": ["1,1=2 red oval"] * 65}, 400, "bad-argument", "wild is given more than 64 times"),
        ({"hand": "x" * 4097}, 413, "too-many-bytes", "hand is too long: at most 4,096 bytes"),
        ({"option": "rounds=true"}, 400, "bad-argument", "option: say of which game"),
        ({"board": "{"}, 422, "bad-board-file", "board: no JSON of a board"),
        ({"game": "chess"}, 400, "bad-parameter", "'chess'"),
        (
            {"photo": "x"},
            400,
            "bad-argument",
            "'photo' is no parameter of this address: expected overlay, upright, game",
        ),
        ({"empty": "x"}, 400, "bad-argument", "'empty' is no parameter"),
    ],
)
def test_what_cannot_be_asked_is_refused(
    asked: dict[str, Any], status: int, code: str, words: str, client: httpx.Client, jpeg: bytes, fake: FakeReader
) -> None:
    assert words in is_refused(sent(client, jpeg, **asked), status, code)
    assert fake.reads == 0


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/json", "application/x-www-form-urlencoded", "image", "a/b"]
)
def test_other_kinds_of_bodies_are_told_what_to_send(kind: str, client: httpx.Client, jpeg: bytes) -> None:
    assert "as the body itself with its type" in is_refused(sent(client, jpeg, kind), 422, "missing-field")


def test_a_body_that_is_no_photo_gets_the_text_of_the_form(client: httpx.Client) -> None:
    for data, status, code in ((b"hello", 415, "not-a-picture"), (b"%PDF-1.7\n", 415, "unsupported-format")):
        assert is_refused(sent(client, data), status, code) == post(client, data).json()["error"]["text"]
    is_refused(sent(client, b""), 422, "empty-file")
    is_refused(sent(client, b"", None), 422, "missing-field")


def test_a_body_is_bounded_as_a_photo_of_a_form_is(jpeg: bytes) -> None:
    fake = FakeReader()
    with serving(fake, Settings(max_bytes=len(jpeg))) as client:
        assert sent(client, jpeg).status_code == 200
        text = is_refused(sent(client, jpeg + b"x"), 413, "too-many-bytes")
        assert text == is_refused(post(client, jpeg + b"x"), 413, "too-many-bytes")
        chunks = iter([jpeg, b"x" * 10_000])
        is_refused(client.post(PHOTOS, content=chunks, headers={"content-type": "image/png"}), 413, "too-many-bytes")
    assert fake.reads == 1


@pytest.mark.parametrize("length", ["999999999", "9" * 5000])
def test_a_length_that_is_announced_is_enough(length: str, client: httpx.Client) -> None:
    lines = (f"POST {PHOTOS} HTTP/1.1", "Host: x", "Content-Type: image/jpeg", f"Content-Length: {length}", "", "")
    with socket.create_connection((client.base_url.host, client.base_url.port or 0), timeout=5) as connection:
        connection.sendall("\r\n".join(lines).encode())
        assert connection.recv(4096).split(b" ")[1] in (b"413", b"400")


def test_other_addresses_take_forms_only(client: httpx.Client, jpeg: bytes) -> None:
    for address in ("turns", "boards", "wilds", "judgements", "hints"):
        done = client.post(f"/api/v1/{address}", content=jpeg, headers={"content-type": "image/jpeg"})
        is_refused(done, 422, "missing-field")
    assert "expected game" in is_refused(client.post("/api/v1/boards?rows=3"), 400, "bad-argument")


def test_the_description_has_every_parameter(client: httpx.Client) -> None:
    operation = client.get("/openapi.json").json()["paths"][PHOTOS]["post"]
    names = [one["name"] for one in operation["parameters"]]
    said = [field.name for field in FORM.fields if field.sort is not Sort.PHOTO]
    assert sorted(names) == sorted(["overlay", "upright", *said])
    assert all(one["description"] and one["in"] == "query" for one in operation["parameters"])
    assert {"image/jpeg", "image/heic", "multipart/form-data"} <= set(operation["requestBody"]["content"])
