"""Limits of one client: its rate, its tables, what it holds open; memory that does not grow; clients told apart."""

from __future__ import annotations

import json
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from starlette.types import Message, Receive, Scope, Send

from service.errors import SettingError
from service.limiting import ClientLimits, Limits, client_of
from service.settings import Settings
from tests.fakes import SteadyClock


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
        ("fe80::1%eth0", "fe80::1", True),
        ("192.0.2.1", "192.0.2.2", False),
    ],
)
def test_a_client_is_an_address_or_a_network(one: str, other: str, same: bool) -> None:
    assert (client_of(one) == client_of(other)) is same


@pytest.mark.parametrize("nonsense", ["", "testclient", "192.0.2.1:80", "a" * 10_000, "1.2.3.4\r\nx"])
def test_what_is_no_address_is_one_client(nonsense: str) -> None:
    assert client_of(nonsense) == "unknown"


async def served(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer everything."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b""})


def asked(
    app: ClientLimits, path: str = "/openapi.json", method: str = "GET", client: str = "192.0.2.1", kind: str = "http"
) -> tuple[int, dict[str, str], Any]:
    """Return status, headers and JSON of the answer to a request."""
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        raise AssertionError("nothing is read")

    scope = {"type": kind, "path": path, "method": method, "client": (client, 5)}
    anyio.run(app, scope, receive, send)
    headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], headers, json.loads(sent[1]["body"] or "null")


def test_more_than_the_rate_is_429_in_the_one_shape(clock: SteadyClock) -> None:
    app = ClientLimits(served, Limits(rate=0.5, tables=9, open=9, burst_seconds=4), clock)
    assert [asked(app)[0] for _ in range(2)] == [200, 200]
    status, headers, body = asked(app)
    assert (status, headers["retry-after"]) == (429, "2")
    assert body["error"]["code"] == "too-many-requests"
    assert body["error"]["text"] == "more than 0.5 requests a second; try again in 2 seconds"
    assert asked(app, client="192.0.2.2")[0] == 200
    clock.now += 2
    assert asked(app)[0] == 200


def test_health_metrics_and_files_are_free(clock: SteadyClock) -> None:
    app = ClientLimits(served, Limits(rate=1, tables=1, open=1, burst_seconds=1), clock)
    asked(app)
    assert asked(app)[0] == 429
    for path in ("/", "/healthz", "/readyz", "/metrics", "/static/app.js"):
        assert asked(app, path)[0] == 200
    assert asked(app, "/static")[0] == asked(app, "/healthz/")[0] == 429


def test_tables_of_an_hour_are_counted(clock: SteadyClock) -> None:
    app = ClientLimits(served, Limits(rate=100, tables=2, open=9), clock)
    assert [asked(app, path, "POST")[0] for path in ("/api/v1/tables", "/api/v1/tables/import")] == [200, 200]
    status, headers, body = asked(app, "/api/v1/tables", "POST")
    assert (status, headers["retry-after"]) == (429, "1800")
    assert "2 new tables an hour" in body["error"]["text"]
    assert asked(app, "/api/v1/tables/abc/events", "POST")[0] == 200
    clock.now += 1800
    assert asked(app, "/api/v1/tables", "POST")[0] == 200


def test_the_sockets_of_a_client_share_what_they_may_send(monkeypatch: pytest.MonkeyPatch, clock: SteadyClock) -> None:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        for _ in range(3):
            assert await receive() == {"type": "websocket.receive"}

    async def receive() -> Message:
        return {"type": "websocket.receive"}

    async def send(message: Message) -> None:
        raise AssertionError("nothing is said")

    monkeypatch.setattr("service.limiting.sleep", sleep)
    limits = ClientLimits(app, Limits(rate=2, tables=1, open=9, messages=2, burst_seconds=1), clock)
    for address in ("192.0.2.1", "192.0.2.1", "192.0.2.2"):
        anyio.run(limits, {"type": "websocket", "path": "/x", "client": (address, 5)}, receive, send)
    assert waits == [0, 0, 0, 0, 0.25, 0.5, 0, 0, 0]


def test_fewer_requests_than_sockets_and_streams_may_be_open(clock: SteadyClock) -> None:
    async def scenario() -> None:
        statuses: list[int] = []

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["path"] == "/1":
                for path, kind in (("/2", "http"), ("/t/stream", "http"), ("/2", "websocket")):
                    await limits({**scope, "path": path, "type": kind}, receive, send)
            await served(scope, receive, send)

        async def receive() -> Message:
            raise AssertionError("nothing is read")

        async def send(message: Message) -> None:
            statuses.extend([message["status"]] if "status" in message else [])

        limits = ClientLimits(app, Limits(rate=100, tables=1, open=9, requests=1), clock)
        await limits({"type": "http", "path": "/1", "method": "GET", "client": ("192.0.2.1", 5)}, receive, send)
        assert statuses == [429, 200, 200, 200]

    anyio.run(scenario)


@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_what_one_client_holds_open_is_bounded(kind: str, clock: SteadyClock) -> None:
    async def scenario() -> None:
        gate, sent = anyio.Event(), list[Message]()

        async def waits(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["path"] == "/waits":
                await gate.wait()
            else:
                await served(scope, receive, send)

        async def receive() -> Message:
            raise AssertionError("nothing is read")

        async def send(message: Message) -> None:
            sent.append(message)

        app = ClientLimits(waits, Limits(rate=100, tables=1, open=2), clock)
        scope = {"type": kind, "path": "/waits", "method": "GET", "client": ("192.0.2.1", 5)}
        async with anyio.create_task_group() as group:
            for _ in range(2):
                group.start_soon(app, dict(scope), receive, send)
            await anyio.lowlevel.checkpoint()
            await app({**scope, "path": "/x"}, receive, send)
            assert sent[0]["status"] == 429
            assert sent[0]["type"].startswith("http" if kind == "http" else "websocket.http")
            sent.clear()
            await app({**scope, "path": "/x", "client": ("192.0.2.2", 5)}, receive, send)
            assert sent[0]["status"] == 200
            gate.set()
        sent.clear()
        await app({**scope, "path": "/x"}, receive, send)
        assert sent[0]["status"] == 200
        assert len(app._open) == len(app._asking) == 0

    anyio.run(scenario)


def test_limits_are_those_of_the_settings() -> None:
    limits = Limits.of(Settings(client_rate=7, client_tables=8, client_connections=9))
    assert (limits.rate, limits.tables, limits.open, limits.requests) == (7, 8, 9, 2)
    with pytest.raises(SettingError, match="SET_REFEREE_CLIENT_CONNECTIONS is '0'"):
        Settings(client_connections=0)
