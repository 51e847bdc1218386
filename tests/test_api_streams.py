"""The journal of a table as server-sent events."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from fastapi import sse

from service.hub import Close, Closing, Message, MessageKind
from tests.fake_hub import FakeHub, app_with
from tests.socket_client import Served, served

STREAM = "/api/v1/tables/table/stream"


@contextmanager
def following(service: Served, key: str = "spectator", query: str = "", **headers: str) -> Iterator[Iterator[str]]:
    """Yield the lines of a stream that has begun."""
    with (
        service.client() as client,
        client.stream("GET", STREAM + query, headers={"authorization": f"Bearer {key}", **headers}) as response,
    ):
        assert response.status_code == 200
        assert response.headers["content-type"].startswith("text/event-stream")
        yield response.iter_lines()


def event(lines: Iterator[str]) -> dict[str, str]:
    """Return the fields of the next event; a comment alone is none, and the hello is passed over."""
    found: dict[str, str] = {}
    for line in lines:
        if line and not line.startswith(":"):
            name, _, value = line.partition(": ")
            found[name] = value
        if not line:
            if "data" in found and found["event"] != "hello":
                return found
            found = {}
    raise AssertionError("the stream has ended")


def test_a_stream_begins_with_how_to_come_back_and_tells_entries_with_their_numbers() -> None:
    hub = FakeHub()
    with served(app_with(hub)) as service:
        service.do(hub.session.tell, "one")
        with following(service) as lines:
            assert [next(lines) for _ in range(3)] == [": the journal of a table", "retry: 2000", ""]
            assert event(lines)["event"] == "state"
            service.do(hub.session.tell, "two\\nü")
            told = event(lines)
            assert (told["event"], told["id"]) == ("entry", "2")
            assert json.loads(told["data"])["number"] == 2
            assert json.loads(told["data"])["text"] == "two\nü"
            assert event(lines)["event"] == "state"


@pytest.mark.parametrize(("key", "player"), [("spectator", None), ("player", "Ann"), ("host", None)])
def test_a_stream_says_whose_key_it_is(key: str, player: str | None) -> None:
    hub = FakeHub()
    hub.session.time.now = 63.8
    with served(app_with(hub)) as service, following(service, key) as lines:
        hello = next(line for line in lines if line.startswith("data: "))
        assert json.loads(hello.removeprefix("data: ")) == {"role": key, "player": player, "time": 63.8}


@pytest.mark.parametrize(("query", "told"), [("?seen=true", ["seen", "entry"]), ("", ["entry"])])
def test_a_stream_tells_what_the_camera_sees_if_asked_to(query: str, told: list[str]) -> None:
    hub = FakeHub()
    seen = Message(MessageKind.SEEN, '{"time": 3.5, "pieces": []}')
    with served(app_with(hub)) as service, following(service, query=query) as lines:
        assert event(lines)["event"] == "state"
        service.do(hub.session.streams[0].tell, [seen])
        service.do(hub.session.tell, "one")
        assert [event(lines)["event"] for _ in told] == told


@pytest.mark.parametrize(
    ("query", "headers"),
    [("?after=1", {}), ("", {"last-event-id": "1"}), ("?after=0", {"last-event-id": "1"})],
)
def test_a_stream_goes_on_where_it_was(query: str, headers: dict[str, str]) -> None:
    hub = FakeHub()
    with served(app_with(hub)) as service:
        for text in ("one", "two", "three"):
            service.do(hub.session.tell, text)
        with following(service, query=query, **headers) as lines:
            assert [event(lines).get("id") for _ in range(3)] == ["2", "3", None]


def test_the_last_event_says_why_the_stream_ends() -> None:
    hub = FakeHub()
    with served(app_with(hub)) as service, following(service) as lines:
        event(lines)
        service.do(hub.session.end, Closing(Close.NOT_ALLOWED, "this key has been revoked"))
        last = event(lines)
        assert last["event"] == "error"
        assert json.loads(last["data"]) == {"error": {"code": "not-allowed", "text": "this key has been revoked"}}
        assert not [line for line in lines if line]
    assert hub.session.streams == []


def test_a_comment_comes_while_nothing_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    assert sse._PING_INTERVAL == 15
    monkeypatch.setattr("fastapi.routing._PING_INTERVAL", 0.02)
    with served(app_with(FakeHub())) as service, following(service) as lines:
        event(lines)
        assert next(lines).startswith(":")


def test_streams_end_when_the_service_stops() -> None:
    with served(app_with(FakeHub())) as service, following(service) as lines:
        event(lines)
        service.server.should_exit = True
        assert json.loads(event(lines)["data"])["error"]["code"] == "stopping"


def test_who_goes_away_takes_no_place_any_more() -> None:
    hub = FakeHub()
    with served(app_with(hub)) as service:
        with following(service) as lines:
            event(lines)
            assert len(hub.session.streams) == 1
        service.until(lambda: not hub.session.streams)


@pytest.mark.parametrize(
    ("headers", "query", "status", "code"),
    [
        ({}, "", 401, "no-key"),
        ({"authorization": "Bearer nobody"}, "", 401, "bad-key"),
        ({"authorization": "Bearer camera"}, "", 403, "not-allowed"),
        ({"authorization": "Bearer host"}, "?after=-1", 400, "bad-parameter"),
        ({"authorization": "Bearer host"}, "?after=x", 400, "bad-parameter"),
        ({"authorization": "Bearer host", "last-event-id": "x"}, "", 400, "bad-parameter"),
    ],
)
def test_refusals_are_answers(headers: dict[str, str], query: str, status: int, code: str) -> None:
    with served(app_with(FakeHub())) as service, service.client() as client:
        refused: httpx.Response = client.get(STREAM + query, headers=headers)
        shape: Any = refused.json()
        assert (refused.status_code, shape["error"]["code"]) == (status, code)


def test_a_full_house_is_said_before_the_stream_begins() -> None:
    hub = FakeHub()
    hub.session.room = 0
    with served(app_with(hub)) as service, service.client() as client:
        refused = client.get(STREAM, headers={"authorization": "Bearer host"})
        assert refused.status_code == 503
        assert "retry-after" in refused.headers
