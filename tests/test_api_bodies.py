"""JSON bodies: bounded, strict, and refused in one line that names the field."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from typing import Annotated

import httpx
import pytest
from anyio import fail_after, run, sleep
from fastapi import FastAPI, Query, Request
from pydantic import Field

from service.api.bodies import BODY_BYTES, Body, JsonRoute, received_body
from service.guard import Guard
from service.receiving import SlowBodyError
from service.refusals import add_refusals
from service.settings import Settings
from tests.served import serving_app
from tests.shared_tables import refused


class Wish(Body):
    """What the address of this test takes."""

    name: Annotated[str, Field(max_length=5)]
    numbers: list[float] = Field(default_factory=list)
    whole: int | None = None


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    app = FastAPI()
    app.state.settings = Settings()
    app.router.route_class = JsonRoute
    add_refusals(app)
    app.add_middleware(Guard)

    @app.post("/wishes")
    def wish(asked: Wish, loud: Annotated[int, Query(le=9)] = 0) -> Wish:
        return asked

    @app.post("/moods")
    def mood(asked: Wish | None = None) -> Wish | None:
        return asked

    with serving_app(app) as found:
        found.headers["content-type"] = "application/json"
        yield found


def test_a_good_body_arrives(client: httpx.Client) -> None:
    assert client.post("/wishes?loud=3", json={"name": "Ann", "numbers": [1, 2.5]}).json()["numbers"] == [1, 2.5]


@pytest.mark.parametrize(
    ("body", "status", "code", "words"),
    [
        (b"", 422, "bad-field", "the body is missing: send a JSON object"),
        (b"[]", 422, "bad-field", "expected a JSON object; got a list"),
        (b"null", 422, "bad-field", "expected a JSON object; got null"),
        (b'"Ann"', 422, "bad-field", "expected a JSON object; got "),
        (b"{}", 422, "bad-field", "`name` is missing"),
        (b'{"name": 3}', 422, "bad-field", "`name`: expected a text; got 3"),
        (b'{"name": "Ferdinand"}', 422, "bad-field", "`name`: expected at most 5 characters; got 9"),
        (b'{"name": "Ann", "size": 3}', 422, "bad-field", "'size' is no field here: expected name, numbers, whole"),
        (b'{"name": "Ann", "numbers": [1, "2"]}', 422, "bad-field", "`numbers[1]`: expected a number; got '2'"),
        (b'{"name": "Ann", "whole": 1.5}', 422, "bad-field", "`whole`: expected a whole number; got 1.5"),
        (b'{"name": "Ann", "whole": true}', 422, "bad-field", "`whole`: expected a whole number; got true"),
        (b'{"name": "Ann", "numbers": [NaN]}', 400, "bad-body", "a number is none, or too large"),
        (b'{"name": "Ann", "numbers": [1e999]}', 400, "bad-body", "too large"),
        (b'{"name": "Ann", "whole": ' + b"9" * 30 + b"}", 400, "bad-body", "too large"),
        (b'{"name": "Ann", "whole": ' + b"9" * 6000 + b"}", 400, "bad-body", "out of range"),
        (b'{"name": "\\ud800"}', 400, "bad-body", "no JSON"),
        (b'{"name": "\xff"}', 400, "bad-body", "no JSON"),
        (b"[" * 5000, 400, "bad-body", "no JSON"),
        (b"[" * 40 + b"]" * 40, 400, "bad-body", "nested more than 32 deep"),
        (b'{"name": "Ann"', 400, "bad-body", "no JSON"),
        (b'{"name": "' + b"x" * BODY_BYTES + b'"}', 413, "too-many-bytes", "at most 65,536 bytes"),
    ],
)
def test_a_bad_body_is_refused_in_one_line(
    client: httpx.Client, body: bytes, status: int, code: str, words: str
) -> None:
    assert words in refused(client.post("/wishes", content=body), status, code)


def test_a_body_that_tells_no_length_is_bounded_too(client: httpx.Client) -> None:
    def parts() -> Iterator[bytes]:
        for _ in range(100):
            yield b" " * 1_000

    assert refused(client.post("/wishes", content=parts()), 413, "too-many-bytes")


def test_a_long_value_is_quoted_in_short(client: httpx.Client) -> None:
    text = refused(client.post("/wishes", json={"name": "Ann", "whole": "x" * 50_000}), 422, "bad-field")
    assert len(text) < 120


@pytest.mark.parametrize("kind", ["text/plain", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded"])
def test_other_content_types_are_refused(client: httpx.Client, kind: str) -> None:
    answer = client.post("/wishes", content=b'{"name": "Ann"}', headers={"content-type": kind})
    assert "application/json" in refused(answer, 415, "wrong-content-type")


def test_unknown_parameters_are_refused(client: httpx.Client) -> None:
    text = refused(client.post("/wishes?quiet=1", json={"name": "Ann"}), 400, "bad-argument")
    assert text == "'quiet' is no parameter of this address: expected loud"
    assert "loud" in refused(client.post("/wishes?loud=30", json={"name": "Ann"}), 400, "bad-parameter")


def test_a_body_that_may_be_left_out(client: httpx.Client) -> None:
    assert client.post("/moods").json() is None
    assert client.post("/moods", json={"name": "Ann"}).json()["name"] == "Ann"


def test_a_slow_body_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    async def trickle() -> AsyncIterator[bytes]:
        yield b"{"
        await sleep(60)

    request = Request({"type": "http", "headers": [], "app": FastAPI()})
    request.app.state.settings = replace(Settings(), upload_seconds=1)
    monkeypatch.setattr(request, "stream", trickle)
    monkeypatch.setattr("service.receiving.fail_after", lambda _: fail_after(0.01))
    with pytest.raises(SlowBodyError, match="within 1 second;"):
        run(received_body, request, 100)
