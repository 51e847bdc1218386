"""Connections that dribble, stall or do nothing: they are closed in time, and never keep others from being served."""

from __future__ import annotations

import resource
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace

import httpx
import pytest
from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from service.connections import Bounds, allow_files
from service.guard import HEADERS
from service.serve import listening_socket, server_of
from service.settings import Settings

LARGE = 30 * 2**20
"""Bytes that no buffer of the system takes."""
BOUNDS = Bounds(connections=100, client=100, body=30, head=30, answer=30)
"""So long that nothing of it is met by chance."""
SHORT = 0.15

Dial = Callable[[], socket.socket]


async def answering(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer every request: its body's length, or very much where that is asked for."""
    if scope["type"] != "http":
        return
    if scope["path"] == "/large":
        await Response(bytes(LARGE))(scope, receive, send)
        return
    body = await Request(scope, receive).body()
    await PlainTextResponse(str(len(body)))(scope, receive, send)


@contextmanager
def serving(bounds: Bounds, app: ASGIApp = answering) -> Iterator[tuple[str, Dial]]:
    """Run a service within ``bounds`` and yield its address, and what opens a bare connection to it."""
    listener = listening_socket("127.0.0.1", 0)
    outer = FastAPI()
    outer.mount("/", app)
    server = server_of(outer, Settings(), bounds)
    server.config.lifespan = "off"
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    with ExitStack() as opened:
        try:
            while not server.started:
                assert thread.is_alive()
                time.sleep(0.005)
            address = listener.getsockname()
            yield (
                f"http://127.0.0.1:{address[1]}",
                lambda: opened.enter_context(socket.create_connection(address, timeout=10)),
            )
        finally:
            opened.close()
            server.should_exit = True
            thread.join(20)
            listener.close()


def is_closed(connection: socket.socket) -> bool:
    """Wait until the service has closed a ``connection``; False after ten seconds."""
    try:
        while connection.recv(65536):
            pass
    except ConnectionError:
        return True
    except TimeoutError:
        return False
    return True


def answered(connection: socket.socket, ending: bytes) -> bytes:
    """Read an answer until its ``ending``, and return it."""
    answer = b""
    while not answer.endswith(ending):
        data = connection.recv(65536)
        assert data, answer
        answer += data
    return answer


def dribble(connection: socket.socket, text: bytes) -> float:
    """Send ``text`` again and again, and return after how many seconds the service would have no more of it."""
    began = time.monotonic()
    with suppress(ConnectionError):
        while time.monotonic() - began < 10:
            connection.sendall(text)
            time.sleep(0.01)
    return time.monotonic() - began


@pytest.mark.parametrize("start", [b"", b"GET / HTTP/1.1\r\nHost: x\r\n", b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"])
def test_a_head_that_does_not_come_is_given_up(start: bytes) -> None:
    with serving(replace(BOUNDS, head=SHORT)) as (_, dial):
        connection = dial()
        began = time.monotonic()
        connection.sendall(start)
        assert is_closed(connection)
        assert SHORT * 0.9 < time.monotonic() - began < 5


def test_a_head_that_dribbles_is_given_up() -> None:
    with serving(replace(BOUNDS, head=SHORT)) as (_, dial):
        connection = dial()
        connection.sendall(b"GET / HTTP/1.1\r\n")
        assert dribble(connection, b"x: y\r\n") < 5


def test_the_second_head_of_a_connection_has_no_longer() -> None:
    with serving(replace(BOUNDS, head=SHORT)) as (_, dial):
        connection = dial()
        connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        answered(connection, b"\r\n\r\n0")
        assert dribble(connection, b"x") < 5


def test_a_body_that_dribbles_is_given_up() -> None:
    with serving(replace(BOUNDS, body=SHORT)) as (_, dial):
        connection = dial()
        connection.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n")
        assert dribble(connection, b"x") < 5


def test_an_answer_that_nobody_takes_is_given_up() -> None:
    ended = threading.Event()

    async def watched(scope: Scope, receive: Receive, send: Send) -> None:
        await answering(scope, receive, send)
        ended.set()

    with serving(replace(BOUNDS, answer=SHORT), watched) as (_, dial):
        connection = dial()
        connection.sendall(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
        assert ended.wait(10)
        time.sleep(2 * SHORT)
        taken = 0
        with suppress(ConnectionError):
            while data := connection.recv(2**20):
                taken += len(data)
        assert taken < LARGE


def test_what_takes_its_time_within_the_bounds_is_served() -> None:
    with serving(replace(BOUNDS, head=0.6, body=0.6)) as (_, dial):
        connection = dial()
        for _ in range(2):
            for part in (b"POST / HTTP/1.1\r\n", b"Host: x\r\nContent-Length: 4\r\n\r\n", b"ab", b"cd"):
                connection.sendall(part)
                time.sleep(0.05)
            answered(connection, b"\r\n\r\n4")


def test_requests_one_after_the_other_in_one_go_are_all_answered() -> None:
    with serving(BOUNDS) as (_, dial):
        connection = dial()
        connection.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc" * 3)
        answers = b""
        while answers.count(b"\r\n\r\n3") < 3:
            answers += connection.recv(65536)
        assert answers.count(b"HTTP/1.1 200") == 3


def test_the_one_that_waits_longest_makes_room() -> None:
    with serving(replace(BOUNDS, connections=5)) as (address, dial):
        half_open = [dial() for _ in range(40)]
        for connection in half_open:
            connection.sendall(b"GET / HTTP/1.1\r\n")
        for _ in range(10):
            assert httpx.get(address, trust_env=False, timeout=10).text == "0"
        assert all(map(is_closed, half_open[:30]))


def test_what_is_being_answered_is_never_closed_to_make_room() -> None:
    with serving(replace(BOUNDS, connections=2)) as (_, dial):
        busy = [dial() for _ in range(2)]
        for connection in busy:
            connection.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\na")
        time.sleep(0.05)
        late = dial()
        assert is_closed(late)
        for connection in busy:
            connection.sendall(b"b")
            answered(connection, b"\r\n\r\n2")


def test_one_client_cannot_have_all_but_a_proxy_may(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(replace(BOUNDS, client=2)) as (address, dial):
        assert len([dial() for _ in range(5)]) == 5
        assert httpx.get(address, trust_env=False).text == "0"
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "192.0.2.0/24")
    with serving(replace(BOUNDS, client=2)) as (_, dial):
        first = [dial() for _ in range(2)]
        assert is_closed(dial())
        first[0].sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        answered(first[0], b"\r\n\r\n0")


def test_what_is_no_http_is_refused_in_the_one_shape() -> None:
    with serving(BOUNDS) as (_, dial):
        connection = dial()
        connection.sendall(b"\x16\x03\x01 hello\r\n\r\n")
        answer = b""
        while data := connection.recv(65536):
            answer += data
    head, _, body = answer.decode().partition("\r\n\r\n")
    assert head.startswith("HTTP/1.1 400")
    assert all(f"{name}: {value}" in head for name, value in HEADERS.items())
    assert body == '{"error": {"code": "bad-request", "text": "invalid HTTP request received"}}'


def test_as_many_files_may_be_open_as_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    limits, made = [1024, 2048], list[tuple[int, int]]()
    monkeypatch.setattr(resource, "getrlimit", lambda kind: tuple(limits))
    monkeypatch.setattr(resource, "setrlimit", lambda kind, wanted: made.append(wanted))
    assert allow_files(Settings(connections=10, max_sockets=10))
    assert made == []
    assert allow_files(Settings(connections=1000, max_sockets=500))
    assert made == [(1756, 2048)]
    assert not allow_files(Settings(connections=1000, max_sockets=5000))
    assert made[1:] == [(2048, 2048)]
    limits[1] = resource.RLIM_INFINITY
    assert allow_files(Settings(connections=1000, max_sockets=5000))


def test_bounds_are_those_of_the_settings() -> None:
    bounds = Bounds.of(Settings(connections=3, client_connections=4, upload_seconds=50))
    assert (bounds.connections, bounds.client, bounds.body) == (3, 4, 55)
