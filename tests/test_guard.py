"""The layers around the service: headers, ids, one line a request, figures, other origins; secrets stay inside."""

from __future__ import annotations

import json
import logging
import re
import secrets
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import StringIO
from typing import Any

import anyio
import httpx
import pytest
from fastapi import APIRouter, FastAPI, Request, WebSocket
from fastapi.responses import PlainTextResponse, StreamingResponse
from starlette.types import Message, Receive, Scope, Send
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from service.errors import one_line
from service.guard import HEADERS, Guard
from service.layers import add_layers
from service.metrics import Metrics
from service.origins import OriginError
from service.refusals import add_refusals
from service.request_log import REQUEST_ID, request_id
from service.settings import Settings
from tests.served import serving_app

KEY = f"KEYID-_1.{secrets.token_urlsafe(16)}"
PASSWORD = secrets.token_urlsafe(12)
BEARER = {"authorization": f"Bearer {KEY}"}
ID = re.compile(r"[0-9a-f]{16}")


def routes() -> APIRouter:
    """Return addresses that do what addresses do."""
    router = APIRouter(prefix="/api/v1/tables")

    @router.get("/{table}")
    def state(table: str) -> dict[str, str]:
        logging.getLogger("set_referee.hub").info("a table was opened")
        return {"id": table}

    @router.post("/{table}/events")
    async def event(table: str, request: Request) -> dict[str, int]:
        return {"length": len(await request.body())}

    @router.get("/{table}/fault")
    def fault(table: str, request: Request) -> None:
        raise RuntimeError(f"{dict(request.headers)} at postgresql://referee:{PASSWORD}@db/set")

    @router.get("/{table}/half")
    def half(table: str) -> StreamingResponse:
        def parts() -> Iterator[str]:
            yield "one"
            raise RuntimeError("in the middle")

        return StreamingResponse(parts(), media_type="text/plain")

    @router.get("/{table}/cached")
    def cached(table: str) -> PlainTextResponse:
        return PlainTextResponse("", headers={"cache-control": "no-cache"})

    @router.websocket("/{table}/socket")
    async def talk(socket: WebSocket, table: str) -> None:
        if table == "closed":
            await socket.close(4404)
            return
        await socket.accept()
        if await socket.receive_text() == "fault":
            raise RuntimeError(f"what came was {KEY}")
        await socket.send_text("12345")
        await socket.close()

    return router


def app_of(settings: Settings | None = None) -> FastAPI:
    """Return an app with these addresses in all layers."""
    app = FastAPI(redirect_slashes=False)
    parent = APIRouter()
    parent.include_router(routes())
    app.include_router(parent)
    app.include_router(routes(), prefix="/rooms/{room}")
    add_refusals(app)
    add_layers(app, settings or Settings())
    return app


@dataclass(frozen=True)
class Client:
    """Asks an app that runs in this thread, so that a request is over once it is answered."""

    app: FastAPI

    def request(self, method: str, path: str, **options: Any) -> httpx.Response:
        """Return the answer."""

        async def asked() -> httpx.Response:
            transport = httpx.ASGITransport(self.app, raise_app_exceptions=False, client=("203.0.113.9", 5000))
            async with httpx.AsyncClient(transport=transport, base_url="http://table.example") as client:
                return await client.request(method, path, **options)

        return anyio.run(asked)

    def get(self, path: str, **options: Any) -> httpx.Response:
        """Return the answer to a GET."""
        return self.request("GET", path, **options)


@contextmanager
def socket_of(app: FastAPI, path: str, **headers: str) -> Iterator[ClientConnection]:
    """Run ``app`` on a free port and yield a WebSocket of it; afterwards all is logged."""
    with (
        serving_app(app) as client,
        connect(f"ws://{client.base_url.netloc.decode()}{path}", additional_headers=headers, proxy=None) as socket,
    ):
        yield socket


@pytest.fixture
def app() -> FastAPI:
    """An app as it is without settings."""
    return app_of()


@pytest.fixture
def client(app: FastAPI) -> Client:
    """A client of it."""
    return Client(app)


def lines(log: StringIO, event: str = "answered") -> list[dict[str, Any]]:
    """Return the lines of the log about an ``event``."""
    found = [json.loads(line) for line in log.getvalue().splitlines()]
    return [line for line in found if line["event"] == event]


def test_a_request_is_one_line(client: Client, log: StringIO) -> None:
    client.request("POST", "/api/v1/tables/secret-id/events?name=Ann", content=b"12345")
    (line,) = lines(log)
    assert isinstance(line.pop("ms"), float)
    assert ID.fullmatch(line.pop("request"))
    assert line.pop("time")
    assert line == {
        "event": "answered",
        "level": "info",
        "logger": "set_referee.http",
        "method": "POST",
        "route": "/api/v1/tables/{table}/events",
        "status": 200,
        "bytes_in": 5,
        "bytes_out": len('{"length":5}'),
        "client": "203.0.113.9",
    }


@pytest.mark.parametrize(
    ("path", "route"),
    [
        ("/api/v1/tables/abc", "/api/v1/tables/{table}"),
        ("/rooms/blue/api/v1/tables/abc", "/rooms/{room}/api/v1/tables/{table}"),
        ("/rooms/abc/api/v1/tables/abc/cached", "/rooms/{room}/api/v1/tables/{table}/cached"),
        ("/openapi.json", "/openapi.json"),
        ("/nowhere/abc", "unmatched"),
        ("/api/v1/tables/abc/", "unmatched"),
    ],
)
def test_routes_are_told_by_their_templates(path: str, route: str, app: FastAPI, log: StringIO) -> None:
    Client(app).get(path)
    assert lines(log)[0]["route"] == route
    metrics: Metrics = app.state.metrics
    assert f'route="{route}"' in metrics.exposed()[0].decode()
    assert "abc" not in metrics.exposed()[0].decode()


def test_all_lines_of_a_request_have_its_id(client: Client, log: StringIO) -> None:
    answer = client.get("/api/v1/tables/abc", headers={REQUEST_ID: "evening-7.1_a"})
    assert answer.headers[REQUEST_ID] == "evening-7.1_a"
    assert [line["request"] for line in lines(log) + lines(log, "a table was opened")] == ["evening-7.1_a"] * 2


@pytest.mark.parametrize("given", [None, "", "a b", "a" * 65, "é", "x\n", "x;y", '"', "x\x00"])
def test_an_id_that_is_none_is_not_taken(given: str | None) -> None:
    made = request_id(given)
    assert ID.fullmatch(made)
    assert made != request_id(given)


def test_refusals_have_id_headers_and_code(app: FastAPI, log: StringIO) -> None:
    answer = Client(app).get("/nowhere")
    assert ID.fullmatch(answer.headers[REQUEST_ID])
    assert HEADERS.items() <= dict(answer.headers).items()
    (line,) = lines(log)
    assert (line["status"], line["code"]) == (404, "not-found")
    metrics: Metrics = app.state.metrics
    assert metrics.value("set_referee_refusals_total", code="not-found") == 1


def test_a_fault_is_logged_under_its_id_and_tells_the_client_nothing(client: Client, log: StringIO) -> None:
    answer = client.get("/api/v1/tables/abc/fault", headers={REQUEST_ID: "seven"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "fault")
    assert answer.headers[REQUEST_ID] == "seven"
    (fault,) = lines(log, "fault while answering")
    assert fault["request"] == "seven"
    assert fault["exception"].startswith("Traceback")
    assert "RuntimeError" in fault["exception"]
    assert lines(log)[0]["code"] == "fault"


def test_a_fault_in_the_middle_of_an_answer_ends_it_and_is_logged_once(app: FastAPI, log: StringIO) -> None:
    with serving_app(app) as client, pytest.raises(httpx.RemoteProtocolError, match="incomplete"):
        client.get("/api/v1/tables/abc/half")
    (fault,) = lines(log, "fault while answering")
    assert "in the middle" in fault["exception"]
    assert log.getvalue().count("Traceback") == 1


def test_health_is_not_in_the_log_unless_it_is_bad(app: FastAPI, log: StringIO) -> None:
    client = Client(app)
    client.get("/healthz")
    client.get("/metrics")
    assert lines(log) == []
    app.state.checks["store"] = None
    client.get("/readyz")
    assert [line["status"] for line in lines(log)] == [500]


def test_a_proxy_on_this_machine_says_who_asks(app: FastAPI, log: StringIO) -> None:
    with serving_app(app) as client:
        client.get("/nowhere")
        client.get("/nowhere", headers={"x-forwarded-for": "192.0.2.1, 2001:db8::17:4"})
    assert [line["client"] for line in lines(log)] == ["127.0.0.1", "2001:db8::/64"]


def test_sockets_have_a_line_and_an_id_too(app: FastAPI, log: StringIO) -> None:
    with socket_of(app, "/api/v1/tables/abc/socket") as socket:
        assert socket.response is not None
        name = socket.response.headers[REQUEST_ID]
        socket.send("abc")
        assert socket.recv() == "12345"
    (line,) = lines(log)
    assert name == line["request"]
    assert (line["method"], line["route"]) == ("WEBSOCKET", "/api/v1/tables/{table}/socket")
    assert (line["status"], line["bytes_in"], line["bytes_out"]) == (101, 3, 5)


def test_a_socket_that_is_not_accepted_is_forbidden(app: FastAPI, log: StringIO) -> None:
    with pytest.raises(InvalidStatus), socket_of(app, "/api/v1/tables/closed/socket"):
        raise AssertionError("it was accepted")
    assert [line["status"] for line in lines(log)] == [403]


def test_a_client_that_hangs_up_is_told_of_without_an_answer(app: FastAPI, log: StringIO) -> None:
    async def hung_up() -> Message:
        return {"type": "http.disconnect"}

    async def unheard(message: Message) -> None:
        raise AssertionError("nobody is there")

    scope = {
        "type": "http",
        "path": "/api/v1/tables/abc/events",
        "method": "POST",
        "headers": [],
        "query_string": b"",
        "client": ("203.0.113.9", 5000),
    }
    anyio.run(app, scope, hung_up, unheard)
    (line,) = lines(log)
    assert (line["status"], line["route"]) == (499, "/api/v1/tables/{table}/events")
    assert "Traceback" not in log.getvalue()


def test_a_body_that_is_still_to_come_keeps_nobody_from_being_served() -> None:
    async def scenario() -> None:
        arrived, statuses = anyio.Event(), list[int]()

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            length = len(await Request(scope, receive).body())
            await PlainTextResponse(str(length))(scope, receive, send)

        async def slowly() -> Message:
            await arrived.wait()
            return {"type": "http.request", "body": b"x", "more_body": False}

        async def at_once() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Message) -> None:
            statuses.extend([message["status"]] if "status" in message else [])

        guard = Guard(app, most=1)
        scope: Scope = {"type": "http", "method": "POST", "path": "/x", "headers": [], "client": None}
        async with anyio.create_task_group() as group:
            group.start_soon(guard, scope, slowly, send)
            await anyio.lowlevel.checkpoint()
            assert guard.free == 1
            await guard(scope, at_once, send)
            assert statuses == [200]
            arrived.set()
        assert statuses == [200, 200]
        assert guard.free == 1

    anyio.run(scenario)


def test_a_request_with_two_lengths_is_refused_and_its_connection_closed(app: FastAPI) -> None:
    head = "POST /api/v1/tables/a/events HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"
    with serving_app(app) as client, socket.create_connection((client.base_url.host, client.base_url.port or 0)) as raw:
        raw.sendall(f"{head}0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        raw.settimeout(10)
        answer = b"".join(iter(lambda: raw.recv(65536), b""))
    assert answer.startswith(b"HTTP/1.1 400")
    assert answer.count(b"HTTP/1.1 ") == 1
    assert b'"code":"bad-request"' in answer


def test_a_fault_at_a_socket_closes_it_and_is_logged_once(app: FastAPI, log: StringIO) -> None:
    with socket_of(app, "/api/v1/tables/abc/socket") as talk:
        talk.send("fault")
        with pytest.raises(ConnectionClosed) as closed:
            talk.recv()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1011
    assert log.getvalue().count("Traceback") == 1
    (fault,) = lines(log, "fault at a WebSocket")
    assert "RuntimeError" in fault["exception"]


def test_answers_may_say_otherwise_how_they_are_kept(client: Client) -> None:
    assert client.get("/api/v1/tables/a").headers["cache-control"] == "no-store"
    assert client.get("/api/v1/tables/a/cached").headers["cache-control"] == "no-cache"


def test_the_policy_lets_the_page_do_its_work_and_nothing_else() -> None:
    rules = dict(rule.split(" ", 1) for rule in HEADERS["content-security-policy"].split("; "))
    assert rules["default-src"] == "'none'"
    assert rules["connect-src"] == "'self'"  # WebSockets of its own origin too
    assert rules["img-src"] == "'self' blob:"
    assert rules["frame-ancestors"] == "'none'"


CLUB = "https://club.example"


def preflight(client: Client, origin: str) -> dict[str, str]:
    """Return the headers of the answer to a browser that asks whether a page may send a key."""
    asked = {"access-control-request-method": "POST", "access-control-request-headers": "authorization, if-match"}
    return dict(client.request("OPTIONS", "/api/v1/tables/a/events", headers={"origin": origin, **asked}).headers)


def test_other_origins_are_allowed_only_where_they_are_named(client: Client) -> None:
    assert not [name for name in preflight(client, CLUB) if name.startswith("access-control")]
    named = Client(app_of(Settings(allowed_origins=CLUB)))
    assert preflight(named, CLUB)["access-control-allow-origin"] == CLUB
    assert "authorization" in preflight(named, CLUB)["access-control-allow-headers"].lower()
    assert "access-control-allow-credentials" not in preflight(named, CLUB)
    assert "access-control-allow-origin" not in preflight(named, "https://evil.example")
    answer = named.get("/api/v1/tables/a", headers={"origin": CLUB})
    assert answer.headers["access-control-allow-origin"] == CLUB
    assert "x-request-id" in answer.headers["access-control-expose-headers"]
    assert "origin" in answer.headers["vary"].lower()
    evil = named.get("/api/v1/tables/a", headers={"origin": "https://evil.example"})
    assert "access-control-allow-origin" not in evil.headers


def test_a_client_of_another_origin_can_read_that_it_asks_too_much() -> None:
    client = Client(app_of(Settings(allowed_origins=CLUB, client_rate=1)))
    answers = [client.get("/api/v1/tables/a", headers={"origin": CLUB}) for _ in range(6)]
    assert answers[-1].status_code == 429
    assert answers[-1].headers["access-control-allow-origin"] == CLUB
    assert answers[-1].json()["error"]["code"] == "too-many-requests"


def test_an_origin_that_is_none_is_told_when_the_service_starts() -> None:
    with pytest.raises(OriginError) as refused:
        app_of(Settings(allowed_origins="*"))
    assert "'*'" in one_line(refused.value)


def test_the_host_is_never_reflected(client: Client) -> None:
    for path in ("/nowhere", "/api/v1/tables/a/", "/api/v1/tables/a", "/static", "/api/v1/tables/a/fault"):
        answer = client.get(path, headers={"host": "evil.example"})
        assert "evil.example" not in answer.text + str(answer.headers)


def test_no_secret_is_in_any_line_of_a_whole_run(client: Client, log: StringIO, capfd: Any) -> None:
    for path in ("", "/events", "/fault", f"/cached?key={KEY}", f"/{KEY}"):
        for method in ("GET", "POST", "DELETE", KEY):
            client.request(method, f"/api/v1/tables/{KEY}{path}", headers={**BEARER, REQUEST_ID: KEY}, content=KEY)
    client.get("/nowhere", headers={"cookie": f"key={KEY}", "authorization": f"Basic {PASSWORD}"})
    with socket_of(client.app, f"/api/v1/tables/abc/socket?key={KEY}", **BEARER) as socket:
        socket.send("fault")
        with pytest.raises(ConnectionClosed):
            socket.recv()
    everything = log.getvalue() + "".join(capfd.readouterr())
    assert len(lines(log)) == 22
    assert len(lines(log, "fault while answering")) == 1
    assert KEY.split(".")[1] not in everything
    assert PASSWORD not in everything
