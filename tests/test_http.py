"""The HTTP service: the same answers and texts as the command line, one shape of error, and a page of its own."""

from __future__ import annotations

import json
import logging
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from fastapi import FastAPI

from engine.editions import edition
from engine.labels import Language
from engine.tokens import parse_piece
from service import reading, tables
from service.answer import answer_frame
from service.app import create_app
from service.guard import HEADERS
from service.serve import server_of
from service.settings import Settings
from service.workers import LocalVision
from tests.fake_tables import FakeTables, Scene
from tests.fakes import FakeReader
from tests.served import PHOTOS, Switch, is_refused, post, serving, serving_app
from tests.test_cli import BAD_FILES
from vision.load import Limits, LoadError, load
from vision.types import Doubt, Frame, Problem

STATIC = Path(__file__).parent.parent / "service" / "static"


@pytest.fixture(scope="module")
def service() -> Iterator[tuple[httpx.Client, Switch]]:
    """A running service, to which no board shows anything."""
    switch = Switch(FakeReader())
    with pytest.MonkeyPatch.context() as patch, serving(switch) as client:
        patch.setattr(tables, "open_tables", lambda: FakeTables([Scene()] * 99))
        yield client, switch


@pytest.fixture
def client(service: tuple[httpx.Client, Switch], fake: FakeReader) -> httpx.Client:
    """A client of a service whose reader is the test's own ``fake``."""
    service[1].reader = fake
    return service[0]


def test_a_photo_gets_the_answer_of_the_command_line(client: httpx.Client, fake: FakeReader, jpeg: bytes) -> None:
    response = post(client, jpeg)
    assert response.status_code == 200
    assert response.headers["content-type"] == "application/json"
    assert response.json() == json.loads(answer_frame("table.jpg", fake.read(jpeg)).model_dump_json())


def test_the_game_is_passed_on(client: httpx.Client, jpeg: bytes) -> None:
    assert post(client, jpeg, "?game=setup").json()["game"] == "setup"


def test_labels_are_in_the_language_asked_for(client: httpx.Client, fake: FakeReader, jpeg: bytes) -> None:
    english = post(client, jpeg).json()["pieces"]
    french = post(client, jpeg, "?language=fr").json()["pieces"]
    words = edition("classic")
    assert [piece["label"] for piece in french] == [
        words.label(parse_piece(piece["name"]), Language.FRENCH) for piece in english
    ]
    assert french[0]["label"] != english[0]["label"]
    form = client.post(PHOTOS, files={"photo": jpeg}, data={"language": "fr"}).json()["pieces"]
    assert form == french
    assert "expected one of en, de, fr, cs" in is_refused(
        client.post(PHOTOS, files={"photo": jpeg}, data={"language": "xx"}), 400, "bad-argument"
    )


def test_a_person_says_what_a_piece_is(client: httpx.Client, fake: FakeReader, jpeg: bytes) -> None:
    fake.names = ["1 red solid oval", "2 red solid oval", "3 red open oval", "3 red open oval"]
    fake.doubts = {2: Doubt.DUPLICATE, 3: Doubt.DUPLICATE}
    fake.problems = (Problem("duplicate", (2, 3), "look at them"),)
    before = post(client, jpeg).json()
    assert (before["sets"], [one["code"] for one in before["problems"]]) == ([], ["duplicate"])
    said = client.post(
        PHOTOS, files={"photo": jpeg}, data={"piece": ["2=drei volle rote Ovale", "3= 3 red open oval "]}
    )
    answer = said.json()
    assert (answer["sets"], answer["set_sure"], answer["problems"]) == ([[0, 1, 2]], [True], [])
    assert [(piece["name"], piece["confidence"], piece["doubt"]) for piece in answer["pieces"][2:]] == [
        ("3 red solid oval", 1.0, None),
        ("3 red open oval", 1.0, None),
    ]
    assert answer["pieces"][:2] == before["pieces"][:2]


def test_a_piece_that_is_said_to_be_another_one_is_a_problem(
    client: httpx.Client, fake: FakeReader, jpeg: bytes
) -> None:
    fake.names = ["1 red solid oval", "2 red solid oval", "3 red solid oval", "1 green open oval"]
    said = client.post(PHOTOS, files={"photo": jpeg}, data={"piece": "3=1 red solid oval"}).json()
    (problem,) = said["problems"]
    assert (problem["code"], problem["pieces"]) == ("duplicate", [0, 3])
    assert [piece["doubt"] for piece in said["pieces"]] == ["duplicate", None, None, None]
    assert (said["sets"], said["set_sure"]) == ([[0, 1, 2], [1, 2, 3]], [False, True])


@pytest.mark.parametrize(
    "said", ["2", "=1 red solid oval", "x=1 red solid oval", "9=1 red solid oval", "1=1 red oval", "1="]
)
def test_what_is_said_of_a_piece_must_be_of_use(said: str, client: httpx.Client, jpeg: bytes) -> None:
    refused = client.post(PHOTOS, files={"photo": jpeg}, data={"piece": said})
    assert "piece" in is_refused(refused, 400, "bad-argument")


def test_a_piece_is_named_once(client: httpx.Client, jpeg: bytes) -> None:
    refused = client.post(PHOTOS, files={"photo": jpeg}, data={"piece": ["1=1 red solid oval", "1=2 red solid oval"]})
    assert "twice" in is_refused(refused, 400, "bad-argument")


def test_the_photo_itself_comes_back_upright(client: httpx.Client, fake: FakeReader, jpeg: bytes) -> None:
    response = post(client, jpeg, "?upright=1")
    assert (response.status_code, response.headers["content-type"]) == (200, "image/jpeg")
    assert np.abs(load(response.content).image.astype(int) - load(jpeg).image).mean() < 8
    assert fake.reads == 0


@pytest.mark.parametrize(
    ("query", "accept"),
    [
        ("?overlay=1", "*/*"),
        ("?overlay=true", "application/json"),
        ("", "image/jpeg"),
        ("", "image/jpeg, application/json;q=0"),
        ("", "IMAGE/*; q=0.5, */*;q=0.1"),
    ],
)
def test_the_overlay_is_a_picture(query: str, accept: str, client: httpx.Client, jpeg: bytes) -> None:
    response = post(client, jpeg, query, accept=accept)
    assert (response.status_code, response.headers["content-type"]) == (200, "image/jpeg")
    assert load(response.content).size == (320, 160)


@pytest.mark.parametrize(
    "accept",
    [
        "*/*",
        "application/json",
        "application/json, image/jpeg;q=0.5",
        "text/html",
        "image/jpeg;q=0",
        "image/jpeg ; Q=0.0, image/*, application/json;q=0.1",
        "image/avif,image/webp,*/*",
        "",
    ],
)
def test_without_being_asked_for_there_is_no_picture(accept: str, client: httpx.Client, jpeg: bytes) -> None:
    assert post(client, jpeg, "?overlay=0", accept=accept).headers["content-type"] == "application/json"


@pytest.mark.parametrize("kind", BAD_FILES)
def test_a_bad_file_gets_the_text_of_the_command_line(kind: str, client: httpx.Client, jpeg: bytes) -> None:
    make, code, words = BAD_FILES[kind]
    status = {"too-many-pixels": 413, "not-a-picture": 415, "unsupported-format": 415}.get(code, 422)
    text = is_refused(post(client, make(jpeg)), status, code)
    assert words in text
    with pytest.raises(LoadError) as caught:
        load(make(jpeg))
    assert text == str(caught.value)


def test_no_pieces_is_no_error(client: httpx.Client, fake: FakeReader, jpeg: bytes) -> None:
    fake.names = []
    response = post(client, jpeg)
    assert response.status_code == 200
    assert response.json()["problems"][0]["code"] == "no-pieces"


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("?game=chess", "'chess'"),
        ("?game=", "''"),
        ("?overlay=perhaps", "'perhaps'"),
        ("?overlay=2", "'2'"),
        ("?language=xx", "'xx'"),
    ],
)
def test_a_bad_parameter_is_400(query: str, words: str, client: httpx.Client, jpeg: bytes, fake: FakeReader) -> None:
    assert words in is_refused(post(client, jpeg, query), 400, "bad-parameter")
    assert fake.reads == 0


@pytest.mark.parametrize(
    "request_of",
    [
        lambda client: client.post(PHOTOS),
        lambda client: client.post(PHOTOS, json={"photo": "x"}),
        lambda client: client.post(PHOTOS, data={"photo": "x"}),
        lambda client: client.post(PHOTOS, files={"picture": ("a.jpg", b"x")}),
        lambda client: client.post(PHOTOS, files={"other": (None, "x")}),
        lambda client: client.post(PHOTOS, files={"photo": (None, "x")}),
        lambda client: client.post(PHOTOS, files=[("photo", ("a.jpg", b"x")), ("photo", ("b.jpg", b"x"))]),
        lambda client: client.post(PHOTOS, content=b"x", headers={"content-type": "multipart/form-data"}),
        lambda client: client.post(PHOTOS, content=b"x", headers={"content-type": "multipart/form-data; boundary=b"}),
        lambda client: client.post(
            PHOTOS, content=b"--b\r\n\r\n", headers={"content-type": "multipart/form-data; boundary=b"}
        ),
    ],
)
def test_a_body_without_its_photo_is_422(
    request_of: Callable[[httpx.Client], httpx.Response], client: httpx.Client
) -> None:
    assert "'photo'" in is_refused(request_of(client), 422, "missing-field")


def test_an_unknown_parameter_is_refused(client: httpx.Client, jpeg: bytes, fake: FakeReader) -> None:
    text = is_refused(post(client, jpeg, "?gmae=cubed"), 400, "bad-argument")
    expected = "expected overlay, upright, game, language, board, corners, hand, wild, option or piece"
    assert text == f"'gmae' is no parameter of this address: {expected}"
    assert fake.reads == 0


def test_unknown_addresses_and_methods_have_the_one_shape(client: httpx.Client) -> None:
    is_refused(client.get("/nowhere"), 404, "not-found")
    is_refused(client.get("/static/none.js"), 404, "not-found")
    is_refused(client.get("/static/%2e%2e/app.py"), 404, "not-found")
    is_refused(client.get(PHOTOS), 405, "method-not-allowed")
    assert client.get(PHOTOS).headers["allow"] == "POST"
    is_refused(client.delete("/healthz"), 405, "method-not-allowed")


def test_a_fault_of_ours_has_the_one_shape_and_tells_nothing(
    client: httpx.Client, fake: FakeReader, jpeg: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    fake.names = ["no card"]
    with caplog.at_level(logging.ERROR):
        text = is_refused(post(client, jpeg), 500, "fault")
    assert "no card" not in text
    assert "UnknownTokenError" in caplog.text


def test_too_many_bytes_are_refused(fake: FakeReader, jpeg: bytes) -> None:
    with serving(fake, Settings(max_bytes=len(jpeg))) as client:
        assert post(client, jpeg).status_code == 200
        text = is_refused(post(client, jpeg + b"x"), 413, "too-many-bytes")
        assert "at most" in text

    assert fake.reads == 1


def test_too_many_bytes_are_refused_by_their_announcement_alone(client: httpx.Client) -> None:
    address = (client.base_url.host, client.base_url.port or 0)
    lines = (f"POST {PHOTOS} HTTP/1.1", "Host: x", "Content-Type: multipart/form-data; boundary=b")
    head = "\r\n".join((*lines, "Content-Length: 999999999", "", ""))
    with socket.create_connection(address, timeout=5) as connection:
        connection.sendall(head.encode())
        assert connection.recv(4096).startswith(b"HTTP/1.1 413")


def test_too_many_bytes_without_a_length_are_refused_while_they_come(fake: FakeReader) -> None:
    sent = 0

    def endless() -> Iterator[bytes]:
        nonlocal sent
        yield b'--b\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n'
        while sent < 10**7:
            sent += 10**5
            yield b"x" * 10**5

    with serving(fake, Settings(max_bytes=1000)) as client:
        headers = {"content-type": "multipart/form-data; boundary=b"}
        is_refused(client.post(PHOTOS, content=endless(), headers=headers), 413, "too-many-bytes")
    assert fake.reads == 0


def test_too_many_pixels_are_413(fake: FakeReader, jpeg: bytes) -> None:
    with serving(fake, Settings(max_pixels=320 * 160 - 1)) as client:
        assert "320 x 160" in is_refused(post(client, jpeg), 413, "too-many-pixels")


def test_the_models_are_opened_once_and_before_the_first_photo(
    monkeypatch: pytest.MonkeyPatch, fake: FakeReader, jpeg: bytes
) -> None:
    loads: list[str] = []

    def opened() -> FakeReader:
        loads.append("cards")
        return fake

    def tables_opened() -> FakeTables:
        loads.append("tables")
        return FakeTables()

    monkeypatch.setattr(reading, "open_reader", opened)
    monkeypatch.setattr(tables, "open_tables", tables_opened)
    app = create_app(vision=LocalVision(Settings()))
    assert loads == []
    with serving_app(app) as client:
        assert client.get("/healthz").json() == {"status": "ok"}
        assert loads == ["cards", "tables"]
        assert [post(client, jpeg).status_code for _ in range(3)] == [200] * 3
        assert client.post(f"{PHOTOS}?game=cubed", files={"photo": ("a.jpg", jpeg)}).status_code == 200
    assert loads == ["cards", "tables"]


class Slow(FakeReader):
    """A reader that reads when it is let, and counts how many read at the same time."""

    def __init__(self) -> None:
        """Hold every photo back."""
        super().__init__()
        self.go, self.inside, self.most = threading.Event(), 0, 0
        self.arrived = threading.Semaphore(0)

    def read(self, data: bytes, limits: Limits | None = None) -> Frame:
        """Read when ``go`` is set."""
        self.inside += 1
        self.most = max(self.most, self.inside)
        self.arrived.release()
        self.go.wait(10)
        self.inside -= 1
        return super().read(data, limits)


def test_few_photos_are_read_at_once_and_few_wait(jpeg: bytes) -> None:
    slow, statuses = Slow(), []
    app = create_app(Settings(workers=1, max_waiting=1), slow)
    with serving_app(app) as client:

        def send(sender: str) -> None:
            statuses.append(post(client, jpeg, **{"X-Forwarded-For": sender}).status_code)

        senders = [threading.Thread(target=send, args=(f"192.0.2.{number}",)) for number in (1, 2)]
        senders[0].start()
        assert slow.arrived.acquire(timeout=5)
        senders[1].start()
        _until_free(app, 0)
        refused = post(client, jpeg)
        is_refused(refused, 503, "busy")
        assert refused.headers["retry-after"] == "2"
        assert client.get("/healthz").status_code == 200
        slow.go.set()
        for sender in senders:
            sender.join(10)
        assert sorted(statuses) == [200, 200]
        assert post(client, jpeg).status_code == 200
    assert slow.most == 1


def test_one_client_cannot_have_all_places_for_photos(jpeg: bytes) -> None:
    slow = Slow()
    app = create_app(Settings(workers=1, max_waiting=2), slow)
    with serving_app(app) as client:
        senders = [threading.Thread(target=post, args=(client, jpeg)) for _ in range(2)]
        for sender in senders:
            sender.start()
        _until_free(app, 1)
        is_refused(post(client, jpeg), 429, "too-many-requests")
        slow.go.set()
        assert post(client, jpeg, **{"X-Forwarded-For": "192.0.2.1"}).status_code == 200
        for sender in senders:
            sender.join(10)


def _until_free(app: FastAPI, count: int) -> None:
    """Wait until ``count`` places for photos are free."""
    end = time.monotonic() + 10
    while app.state.places._free != count:
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.005)


def test_every_answer_has_the_security_headers(client: httpx.Client, jpeg: bytes) -> None:
    for response in (client.get("/healthz"), post(client, jpeg), client.get("/"), client.get("/static/index.html")):
        assert response.status_code == 200
        kept = {"cache-control": "no-cache"} if "etag" in response.headers else {}
        assert {**HEADERS, **kept}.items() <= dict(response.headers).items()
        assert not [name for name in response.headers if name.startswith("access-control-")]
    policy = HEADERS["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy


def test_no_other_site_is_let_in(client: httpx.Client) -> None:
    asked = {"origin": "https://example.org", "access-control-request-method": "POST"}
    assert "access-control-allow-origin" not in client.options(PHOTOS, headers=asked).headers


def test_photos_are_not_stored(client: httpx.Client, jpeg: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    def written(*arguments: Any, **options: Any) -> None:
        raise AssertionError("a temporary file was made")

    monkeypatch.setattr("tempfile._TemporaryFileWrapper", written)
    monkeypatch.setattr("tempfile.TemporaryFile", written)
    large = jpeg + bytes(3 * 2**20)
    assert post(client, large).status_code == 200


def test_the_page_asks_no_third_party_and_has_nothing_inline(client: httpx.Client) -> None:
    page = client.get("/")
    assert page.headers["content-type"].startswith("text/html")
    for path in STATIC.rglob("*.*"):
        if path.suffix in (".html", ".js", ".css", ".svg"):
            text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
            assert not re.search(r"(https?:)?//[a-z0-9.-]+\.[a-z]{2,}|@import|eval\(|innerHTML", text), path.name
    assert not re.search(r"<style|<script(?![^>]*\bsrc=)|\son[a-z]+=|\sstyle=", page.text)
    for address in re.findall(r'(?:src|href)="([^"]+)"', page.text):
        assert client.get(address).status_code == 200, address


def test_openapi_describes_what_is_answered(client: httpx.Client) -> None:
    document = client.get("/openapi.json").json()
    operation = document["paths"][PHOTOS]["post"]
    assert "photo" in operation["requestBody"]["content"]["multipart/form-data"]["schema"]["properties"]
    assert "image/jpeg" in operation["responses"]["200"]["content"]
    known = {int(status) for status in operation["responses"]}
    assert {200, 400, 408, 413, 415, 422, 500, 503} <= known
    assert "example" in document["components"]["schemas"]["PhotoAnswer"]


def test_a_slow_upload_is_given_up(fake: FakeReader, monkeypatch: pytest.MonkeyPatch) -> None:
    import anyio
    from starlette.requests import Request

    async def dripping(self: Request) -> Any:
        while True:
            await anyio.sleep(0.3)
            yield b""

    monkeypatch.setattr(Request, "stream", dripping)
    with serving(fake, Settings(upload_seconds=1)) as client:
        is_refused(post(client, b"x"), 408, "slow-upload")


def test_health_may_be_asked_for_by_its_head_alone(client: httpx.Client) -> None:
    response = client.head("/healthz")
    assert (response.status_code, response.content) == (200, b"")


@pytest.mark.parametrize("path", ["/healthz/", f"{PHOTOS}/", "/openapi.json/"])
def test_no_address_leads_to_another(path: str, client: httpx.Client) -> None:
    is_refused(client.get(path), 404, "not-found")


@contextmanager
def half_sent(client: httpx.Client) -> Iterator[socket.socket]:
    """Yield a connection on which a photo has begun to come."""
    address = (client.base_url.host, client.base_url.port or 0)
    lines = (f"POST {PHOTOS} HTTP/1.1", "Host: x", "Content-Type: multipart/form-data; boundary=b")
    head = "\r\n".join((*lines, "Content-Length: 5000", "", ""))
    with socket.create_connection(address, timeout=10) as connection:
        connection.sendall(
            head.encode() + b'--b\r\nContent-Disposition: form-data; name="photo"; filename="a"\r\n\r\nx'
        )
        yield connection


def test_a_client_that_hangs_up_is_no_fault(
    fake: FakeReader, jpeg: bytes, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    app = create_app(Settings(workers=1, max_waiting=0), fake)
    with serving_app(app) as client:
        with half_sent(client):
            _until_free(app, 0)
        _until_free(app, 1)
        assert post(client, jpeg).status_code == 200
    assert caplog.text == ""
    assert "Traceback" not in capfd.readouterr().err


def test_a_stalled_upload_does_not_keep_the_service_from_stopping(
    fake: FakeReader, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    app = create_app(Settings(workers=1, max_waiting=0), fake)
    with ExitStack() as stack:
        with serving_app(app) as client:
            connection = stack.enter_context(half_sent(client))
            _until_free(app, 0)
        answer = connection.recv(65536)
    assert answer.startswith(b"HTTP/1.1 503")
    assert b'"code":"stopping"' in answer
    assert "fault" not in caplog.text
    error = capfd.readouterr().err
    assert "Traceback" not in error + caplog.text
    assert "Exception" not in error + caplog.text


def test_the_service_stops_within_seconds_and_has_a_limit() -> None:
    config = server_of(FastAPI()).config
    assert config.timeout_graceful_shutdown == 5
    assert config.limit_concurrency == 512 + 4000


def test_more_requests_than_can_be_served_are_sent_away_in_the_one_shape(fake: FakeReader, jpeg: bytes) -> None:
    slow = Slow()
    app = create_app(Settings(), slow)
    next(layer.kwargs for layer in app.user_middleware if "Guard" in str(layer))["most"] = 1
    with serving_app(app) as client:
        sender = threading.Thread(target=post, args=(client, jpeg))
        sender.start()
        assert slow.arrived.acquire(timeout=5)
        response = client.get("/openapi.json")
        is_refused(response, 503, "busy")
        assert response.headers["retry-after"] == "2"
        assert client.get("/healthz").status_code == 200
        slow.go.set()
        sender.join(10)
        assert client.get("/openapi.json").status_code == 200
