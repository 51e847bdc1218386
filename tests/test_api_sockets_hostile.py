"""Bytes that no WebSocket client sends: the service goes on, keeps nothing, and logs no fault of its own."""

from __future__ import annotations

import logging
import socket
import struct
from collections.abc import Iterator
from contextlib import suppress

import pytest

from service.api.conversation import Patience
from service.settings import Settings
from service.socket_protocol import BoundedSocketProtocol
from tests.fake_hub import FakeHub, app_with
from tests.socket_client import Served, served

SOCKET = "/api/v1/tables/table/socket"
CONTINUED, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA
HELLO = b'{"type": "hello", "key": "player"}'


def frame(kind: int, data: bytes, *, final: bool = True, length: int | None = None) -> bytes:
    """Return a masked frame (RFC 6455, 5.2), whose mask is nought; ``length`` is what it says of itself."""
    size = len(data) if length is None else length
    head = bytes([(0x80 if final else 0) | kind])
    if size < 126:
        head += bytes([0x80 | size])
    elif size < 2**16:
        head += bytes([0x80 | 126]) + struct.pack("!H", size)
    else:
        head += bytes([0x80 | 127]) + struct.pack("!Q", size)
    return head + bytes(4) + data


SENT = {
    "no UTF-8": frame(TEXT, b"\xff\xfe"),
    "half a letter": frame(TEXT, "ü".encode()[:1]),
    "a frame without a mask": b"\x81\x02{}",
    "an unknown kind": frame(0x3, b"x"),
    "reserved bits": b"\xf1\x80\x00\x00\x00\x00",
    "a length beyond all bounds": frame(TEXT, b"{", length=2**62),
    "a length that is negative": frame(TEXT, b"{", length=2**63 + 1),
    "pieces without an end": frame(TEXT, b"a" * 1_000, final=False) + frame(0, b"a" * 1_000, final=False) * 200,
    "a piece of nothing": frame(0, b"x"),
    "a long ping": frame(PING, b"x" * 126),
    "many pings": frame(PING, b"x" * 100) * 2_000,
    "a close with a wrong code": frame(CLOSE, struct.pack("!H", 42)),
    "half a close": frame(CLOSE, b"\x03"),
    "half a frame": frame(TEXT, b"x" * 500)[:100],
    "many messages": frame(TEXT, b"x") * 2_000,
    "many pictures": frame(BINARY, b"\xff\xd8" * 500) * 50,
    "nothing": b"",
}


@pytest.fixture(scope="module")
def house() -> Iterator[tuple[Served, FakeHub]]:
    """A running service with small bounds, and its hub."""
    hub, settings = FakeHub(), Settings(frame_bytes=100_000, client_rate=10_000)
    with served(app_with(hub, settings, Patience(pings=(), every=1000.0, hello=1.0)), settings) as service:
        yield service, hub


def shaken(service: Served) -> socket.socket:
    """Return a connection that has become a WebSocket."""
    host, _, port = service.address.partition(":")
    connection = socket.create_connection((host, int(port)), timeout=5)
    lines = (f"GET {SOCKET} HTTP/1.1", f"Host: {service.address}", "Upgrade: websocket", "Connection: Upgrade")
    key = ("Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Version: 13", "", "")
    connection.sendall("\r\n".join((*lines, *key)).encode())
    assert connection.recv(12) == b"HTTP/1.1 101"
    return connection


@pytest.mark.parametrize("welcomed", [False, True])
@pytest.mark.parametrize("sent", SENT)
def test_hostile_frames_harm_nobody_else(
    sent: str, welcomed: bool, house: tuple[Served, FakeHub], caplog: pytest.LogCaptureFixture
) -> None:
    service, hub = house
    with caplog.at_level(logging.WARNING), shaken(service) as connection:
        connection.sendall((frame(TEXT, HELLO) if welcomed else b"") + SENT[sent])
        with suppress(OSError):  # the service may have closed it already
            connection.shutdown(socket.SHUT_WR)
            while connection.recv(65_536):
                pass
    with service.open(SOCKET) as talker:
        talker.say(HELLO.decode())
        assert talker.hear()["type"] == "hello"
        assert service.do(lambda: len(hub.session.streams)) == 1
    assert "fault" not in caplog.text
    assert "player" not in caplog.text


def is_cut_off(connection: socket.socket, seconds: float) -> bool:
    """Return whether the service cuts a connection off before it is silent for so long."""
    connection.settimeout(seconds)
    try:
        while connection.recv(65_536):
            pass
    except TimeoutError:
        return False
    except ConnectionError:
        return True
    return True


@pytest.mark.parametrize("part", [frame(PING, b""), frame(PONG, b""), frame(CONTINUED, b"", final=False)])
def test_frames_without_end_and_without_a_message_are_cut_off(
    part: bytes, house: tuple[Served, FakeHub], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(BoundedSocketProtocol, "parts", 1)
    monkeypatch.setattr(BoundedSocketProtocol, "burst", 100)
    service, _ = house
    with caplog.at_level(logging.WARNING), shaken(service) as connection:
        connection.sendall(frame(TEXT, HELLO) + frame(TEXT, b"", final=False) * (part[0] == CONTINUED) + part * 99)
        assert not is_cut_off(connection, 0.1)
        with suppress(ConnectionError):
            connection.sendall(part * 1_000)
        assert is_cut_off(connection, 5)
    assert not caplog.records
