"""HTTPS as people use it: requests and sockets over TLS, bounded like all others; what ``serve`` says; addresses."""

from __future__ import annotations

import asyncio
import re
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, replace
from io import StringIO
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI, WebSocket, WebSocketDisconnect
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from websockets.asyncio.client import connect

from service.address_api import Reached, tell
from service.addresses import Machine
from service.app import create_app
from service.certificate import Certificate, own_certificate, tls_context
from service.connections import Bounds
from service.door import Door, greeting
from service.serve import listening_socket, server_of
from service.settings import Settings
from tests.fakes import FakeReader
from tests.running import Runner
from tests.served import PHOTOS, is_refused
from tests.test_connections import BOUNDS, LARGE, SHORT, answered, is_closed

HELLO = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
MACHINE = Machine("laptop", (ip_address("192.168.1.20"),))


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    """A certificate for 127.0.0.1."""
    return own_certificate(["laptop.local", "127.0.0.1"], tmp_path_factory.mktemp("https"))


@dataclass
class Secure:
    """A running service that speaks TLS."""

    address: tuple[str, int]
    trust: ssl.SSLContext
    connections: set[Any]
    opened: ExitStack

    @property
    def url(self) -> str:
        """Its address for programs."""
        return f"https://127.0.0.1:{self.address[1]}"

    def client(self) -> httpx.Client:
        """Return a client that trusts its authority."""
        return self.opened.enter_context(httpx.Client(base_url=self.url, verify=self.trust, trust_env=False))

    def dial(self) -> socket.socket:
        """Return a connection without TLS."""
        return self.opened.enter_context(socket.create_connection(self.address, timeout=10))

    def greet(self) -> ssl.SSLSocket:
        """Return a connection over TLS."""
        return self.opened.enter_context(self.trust.wrap_socket(self.dial(), server_hostname="127.0.0.1"))

    def until(self, count: int) -> None:
        """Wait until the service counts so many connections."""
        end = time.monotonic() + 5
        while len(self.connections) != count:
            assert time.monotonic() < end, f"{len(self.connections)} connections"
            time.sleep(0.002)


class Parts:
    """Counts the parts of an answer that have been made."""

    made = 0

    def __iter__(self) -> Iterator[bytes]:
        """Yield them."""
        self.made = 0
        for _ in range(LARGE // PART):
            self.made += 1
            yield bytes(PART)


PART = 2**16
PARTS = Parts()


def app() -> FastAPI:
    """Answer every request with the scheme and the length of its body, or with very much; echo what sockets say."""
    made = FastAPI()

    @made.get("/large")
    def large() -> Response:
        return Response(bytes(LARGE))

    @made.get("/long")
    def long() -> Response:
        return StreamingResponse(PARTS)

    @made.websocket("/echo")
    async def echo(talker: WebSocket) -> None:
        await talker.accept()
        with suppress(WebSocketDisconnect):
            await talker.send_text(f"{talker.url.scheme} {await talker.receive_text()}")
            await talker.close()

    @made.api_route("/", methods=["GET", "POST"])
    async def length(request: Request) -> Response:
        return PlainTextResponse(f"{request.url.scheme} {len(await request.body())}")

    return made


@contextmanager
def serving(certificate: Certificate, bounds: Bounds = BOUNDS, served: FastAPI | None = None) -> Iterator[Secure]:
    """Run a service over TLS within ``bounds``."""
    listener = listening_socket("127.0.0.1", 0)
    server = server_of(served or app(), Settings(), bounds, context=tls_context(certificate))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    trust = ssl.create_default_context(cadata=certificate.authority)
    with ExitStack() as opened:
        try:
            while not server.started:
                assert thread.is_alive()
                time.sleep(0.002)
            yield Secure(listener.getsockname(), trust, server.server_state.connections, opened)
        finally:
            opened.close()
            server.should_exit = True
            thread.join(20)
            listener.close()
    assert not thread.is_alive()


def test_requests_are_answered_over_tls(certificate: Certificate) -> None:
    with serving(certificate) as service:
        client = service.client()
        assert client.get("/").text == "https 0"
        assert client.post("/", content=bytes(3_000_000)).text == "https 3000000"
        assert len(client.get("/large").content) == LARGE
        assert len(service.connections) == 1


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_both_versions_of_tls_are_spoken(certificate: Certificate, version: ssl.TLSVersion) -> None:
    with serving(certificate) as service:
        service.trust.minimum_version = service.trust.maximum_version = version
        connection = service.greet()
        connection.sendall(HELLO * 2)
        answered(connection, b"\r\n\r\nhttps 0")
        assert (connection.version() or "").removeprefix("TLSv1.") == version.name.removeprefix("TLSv1_")


def test_a_request_that_comes_with_the_end_of_the_handshake_is_answered(certificate: Certificate) -> None:
    """Clients send both in one packet: the request is there before asyncio says that the handshake is over."""
    with serving(certificate) as service:
        connection, incoming, outgoing = service.dial(), ssl.MemoryBIO(), ssl.MemoryBIO()
        tls = service.trust.wrap_bio(incoming, outgoing, server_hostname="127.0.0.1")
        while True:
            try:
                tls.do_handshake()
                break
            except ssl.SSLWantReadError:
                connection.sendall(outgoing.read())
                incoming.write(connection.recv(65536))
        tls.write(HELLO)
        connection.sendall(outgoing.read())
        answer = b""
        while not answer.endswith(b"https 0"):
            try:
                answer += tls.read(65536)
            except ssl.SSLWantReadError:
                incoming.write(connection.recv(65536))


def test_sockets_are_opened_over_tls(certificate: Certificate) -> None:
    async def talk(service: Secure) -> str | bytes:
        async with connect(f"wss{service.url[5:]}/echo", ssl=service.trust, proxy=None) as talker:
            await talker.send("hello")
            return await talker.recv()

    with serving(certificate) as service:
        assert asyncio.run(talk(service)) == "wss hello"


def test_photos_are_read_over_tls(certificate: Certificate, jpeg: bytes) -> None:
    with serving(certificate, served=create_app(Settings(), FakeReader())) as service:
        answer = service.client().post(PHOTOS, files={"photo": ("table.jpg", jpeg)})
        assert len(answer.json()["pieces"]) == len(FakeReader().names)


# Handshakes.


@pytest.mark.parametrize("start", [b"", b"\x16\x03\x01\x02\x00\x01", b"\x16\x03\x01"])
def test_a_handshake_that_does_not_end_is_given_up(certificate: Certificate, start: bytes) -> None:
    with serving(certificate, replace(BOUNDS, head=SHORT)) as service:
        connection = service.dial()
        began = time.monotonic()
        connection.sendall(start)
        service.until(1)
        assert is_closed(connection)
        assert SHORT * 0.9 < time.monotonic() - began < 5
        service.until(0)


def test_a_head_has_no_longer_for_the_handshake_before_it(certificate: Certificate) -> None:
    with serving(certificate, replace(BOUNDS, head=SHORT)) as service:
        connection = service.greet()
        connection.sendall(b"GET / HTTP/1.1\r\n")
        began = time.monotonic()
        assert is_closed(connection)
        assert time.monotonic() - began < 5
        service.until(0)


def test_handshakes_make_room_for_those_who_speak(certificate: Certificate) -> None:
    with serving(certificate, replace(BOUNDS, connections=5)) as service:
        half_open = [service.dial() for _ in range(40)]
        for _ in range(10):
            assert service.client().get("/").text == "https 0"
        assert all(map(is_closed, half_open[:30]))
        assert len(service.connections) <= 5


def test_handshakes_count_as_those_of_their_client(certificate: Certificate, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "192.0.2.0/24")
    with serving(certificate, replace(BOUNDS, client=2)) as service:
        first = [service.greet(), service.dial()]
        assert is_closed(service.dial())
        first[0].sendall(HELLO)
        answered(first[0], b"\r\n\r\nhttps 0")


@pytest.mark.parametrize("said", [HELLO, b"\x00" * 600, b"\x16\x03\x01\x00\x05hello"])
def test_what_is_no_tls_is_closed_without_a_word_in_the_log(
    certificate: Certificate, said: bytes, log: StringIO, capfd: pytest.CaptureFixture[str]
) -> None:
    with serving(certificate) as service:
        connection = service.dial()
        connection.sendall(said)
        assert is_closed(connection)
        service.until(0)
        assert service.client().get("/").text == "https 0"
    assert log.getvalue() == ""
    assert capfd.readouterr() == ("", "")


def test_a_client_that_goes_within_the_handshake_is_forgotten(
    certificate: Certificate, log: StringIO, capfd: pytest.CaptureFixture[str]
) -> None:
    with serving(certificate) as service:
        for start in (b"", b"\x16\x03\x01"):
            connection = service.dial()
            connection.sendall(start)
            service.until(1)
            connection.close()
            service.until(0)
    assert (log.getvalue(), *capfd.readouterr()) == ("", "", "")


def test_a_client_that_takes_back_its_trust_is_forgotten(certificate: Certificate, log: StringIO) -> None:
    with serving(certificate) as service:
        with pytest.raises(ssl.SSLCertVerificationError):
            ssl.create_default_context().wrap_socket(service.dial(), server_hostname="127.0.0.1")
        service.opened.close()
        service.until(0)
    assert log.getvalue() == ""


@pytest.mark.parametrize(
    ("path", "bounds"), [("large", replace(BOUNDS, head=SHORT)), ("long", replace(BOUNDS, answer=SHORT))]
)
def test_an_answer_that_nobody_takes_is_given_up(certificate: Certificate, path: str, bounds: Bounds) -> None:
    """In one piece it is handed to TLS at once, and the connection waits for the next head; in many it is held back."""
    with serving(certificate, bounds) as service:
        connection = service.greet()
        connection.sendall(HELLO.replace(b"/", b"/" + path.encode(), 1))
        assert connection.recv(1)
        service.until(0)


def test_little_waits_for_a_client_that_takes_nothing(certificate: Certificate) -> None:
    with serving(certificate) as service:
        connection = service.greet()
        connection.sendall(HELLO.replace(b"/", b"/long", 1))
        assert connection.recv(1)
        made = -1
        while made != (made := PARTS.made):
            time.sleep(0.05)
        assert made * PART < LARGE / 2


def test_a_handshake_does_not_keep_the_service_from_stopping(certificate: Certificate) -> None:
    with serving(certificate) as service:
        connections = [socket.create_connection(service.address, timeout=10) for _ in range(3)]
        service.until(3)
        began = time.monotonic()
    assert time.monotonic() - began < 3
    for connection in connections:
        connection.close()


UPGRADE = (
    b"GET /echo HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
CLOSE = b"\x88\x80\x00\x00\x00\x00"


@pytest.mark.parametrize("said", [[HELLO], [UPGRADE], [UPGRADE, CLOSE]])
def test_phones_that_sleep_do_not_keep_the_service_from_stopping(
    certificate: Certificate, said: list[bytes], log: StringIO
) -> None:
    with ExitStack() as asleep:
        with serving(certificate) as service:
            connection = service.greet()
            asleep.enter_context(service.opened.pop_all())
            for part in said:
                connection.sendall(part)
                assert connection.recv(4096)
            began = time.monotonic()
        assert time.monotonic() - began < 4
        assert log.getvalue() == ""


# Where phones find it.


def test_without_being_told_the_service_tells_of_no_address(client: httpx.Client) -> None:
    assert client.get("/api/v1/addresses").json() == {"addresses": [], "reachable": False}
    is_refused(client.get("/api/v1/certificate"), 404, "no-certificate")


def test_the_service_tells_where_phones_find_it(certificate: Certificate) -> None:
    told = create_app(Settings(), FakeReader())
    tell(told, Reached(lambda: ("https://192.168.1.20:8000",), certificate.authority))
    with serving(certificate, served=told) as service:
        client = service.client()
        answer = client.get("/api/v1/addresses")
        assert answer.json() == {"addresses": ["https://192.168.1.20:8000"], "reachable": True}
        elsewhere = client.get("/api/v1/addresses", headers={"origin": "https://elsewhere.example"})
        assert "access-control-allow-origin" not in elsewhere.headers
        assert elsewhere.headers["cross-origin-resource-policy"] == "same-origin"
        answer = client.get("/api/v1/certificate")
    assert (answer.content, answer.headers["content-type"]) == (certificate.authority, "application/x-x509-ca-cert")


def test_a_qr_code_is_drawn(client: httpx.Client) -> None:
    answer = client.post("/api/v1/qr", json={"text": "https://192.168.1.20:8000"})
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml")
    assert answer.content.startswith(b"<svg ")


@pytest.mark.parametrize("body", [b'{"text": ""}', b"{}", b'{"text": 7}', b'{"text": "x", "size": 3}', b"[]"])
def test_what_no_qr_code_can_say_is_refused(client: httpx.Client, body: bytes) -> None:
    answer = client.post("/api/v1/qr", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 422
    is_refused(answer, 422, answer.json()["error"]["code"])


def test_texts_that_are_too_long_or_no_text_are_refused(client: httpx.Client) -> None:
    assert client.post("/api/v1/qr", json={"text": "ž" * 300}).status_code == 200
    is_refused(client.post("/api/v1/qr", json={"text": "x" * 301}), 422, "bad-field")
    half = client.post("/api/v1/qr", content=b'{"text": "\\ud800"}', headers={"content-type": "application/json"})
    is_refused(half, 400, "bad-body")


# What the command says.


@contextmanager
def door(host: str, certificate: Certificate | None = None) -> Iterator[Callable[..., list[str]]]:
    """Yield what gives the lines that people see of a service on ``host``, with 8000 for its port."""
    with closing(listening_socket(host, 0)) as listener:
        port = f":{listener.getsockname()[1]}"

        def lines(qr: bool | None = None, machine: Machine = MACHINE) -> list[str]:
            return greeting(Door(listener, host, certificate), qr, machine).replace(port, ":8000").splitlines()

        yield lines


def test_this_machine_alone_is_told_one_line() -> None:
    with door("127.0.0.1") as lines:
        assert lines(True) == ["Set Referee listens on http://127.0.0.1:8000 (Ctrl-C stops it)"]


def test_phones_are_told_where_to_come_and_that_cameras_need_https() -> None:
    with door("0.0.0.0") as lines:  # noqa: S104
        assert lines() == [
            "Set Referee listens on http://0.0.0.0:8000 (Ctrl-C stops it)",
            "Phones in the same network open http://192.168.1.20:8000",
            "There they can play, but browsers open no camera without --https",
        ]
        assert len(lines(True)) > 15
        assert len(lines(False)) == 3
        assert len(lines(True, Machine("laptop", ()))) == 1


def test_https_tells_its_fingerprints(certificate: Certificate) -> None:
    with door("0.0.0.0", replace(certificate, is_new=False)) as lines:  # noqa: S104
        assert lines(False) == [
            "Set Referee listens on https://0.0.0.0:8000 (Ctrl-C stops it)",
            "Phones in the same network open https://192.168.1.20:8000",
            "It has made its certificate itself, so browsers warn; it is the right one where they show this SHA-256:",
            f"  {certificate.fingerprint}",
            "An iPhone has to trust it first (README): load https://192.168.1.20:8000/api/v1/certificate, SHA-256:",
            f"  {certificate.authority_fingerprint}",
        ]
        assert "It has just made a new certificate" not in str(lines())
        assert lines(False, Machine("laptop", ()))[1] == "Phones cannot reach it, for it is in no network"
    with door("127.0.0.1", certificate) as lines:
        assert lines()[1] == "Phones cannot reach it: --host 0.0.0.0 lets them"
        assert lines()[2].startswith("It has just made a new certificate")
        assert len(lines()) == 4


def test_a_certificate_that_people_bring_needs_no_words(certificate: Certificate) -> None:
    names = ("*.club.example", "localhost", "10.0.0.1", "club.example")
    with door("0.0.0.0", replace(certificate, authority=b"", names=names)) as lines:  # noqa: S104
        assert lines()[1:] == ["Phones in the same network open https://club.example:8000"]


class Terminal(StringIO):
    """A standard output that is a terminal."""

    def __init__(self, encoding: str = "utf-8") -> None:
        """Take texts in an ``encoding``."""
        super().__init__()
        self.code = encoding

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """Its encoding."""
        return self.code

    def isatty(self) -> bool:
        """Return that it is one."""
        return True


@pytest.mark.parametrize(
    ("encoding", "columns", "seen"), [("utf-8", 80, True), ("utf-8", 20, False), ("latin-1", 80, False)]
)
def test_a_terminal_shows_the_qr_code(monkeypatch: pytest.MonkeyPatch, encoding: str, columns: int, seen: bool) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    with door("0.0.0.0") as lines:  # noqa: S104
        assert len(lines()) == 3
        monkeypatch.setattr(sys, "stdout", Terminal(encoding))
        assert (len(lines()) > 15) is seen
        assert len(lines(False)) == 3


def test_half_of_a_certificate_is_refused(run: Runner, tmp_path: Path) -> None:
    words = "--certificate and --key go together"
    run("serve", "--port", "0", "--certificate", tmp_path / "x.pem").is_refused(words)
    run("serve", "--port", "0", "--https", "--key", tmp_path / "x.pem").is_refused(words)


def test_a_certificate_that_is_none_is_refused(run: Runner, tmp_path: Path) -> None:
    gone = tmp_path / "x.pem"
    run("serve", "--port", "0", "--certificate", gone, "--key", gone).is_refused(
        "--certificate", "x.pem", "no such file"
    )


def test_the_command_serves_over_tls(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from service.cli import main; main()", "serve", "--https", "--port", "0"]
    environment = {"XDG_DATA_HOME": str(tmp_path), "PATH": "", "OMP_NUM_THREADS": "1"}
    with subprocess.Popen(  # noqa: S603 - our own program
        command,
        env=environment,
        cwd=Path(__file__).parents[1],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(4)]
        found = re.search(r"listens on (https://127\.0\.0\.1:\d+) ", lines[0])
        assert found, lines
        authority = own_certificate(["localhost"], tmp_path / "set-referee")
        assert lines[3].strip() == authority.fingerprint
        trust = ssl.create_default_context(cadata=authority.authority)
        with httpx.Client(base_url=found[1], verify=trust, trust_env=False) as client:
            assert client.get("/healthz").json() == {"status": "ok"}
            assert client.get("/api/v1/addresses").json() == {"addresses": [], "reachable": False}
            assert client.get("/api/v1/certificate").content == authority.authority
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=20)
    assert process.returncode == 0
    assert "Traceback" not in error
