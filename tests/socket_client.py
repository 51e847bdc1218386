"""A service on a free port, and clients of its WebSockets that never wait for long."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import httpx
import pytest
from fastapi import FastAPI
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from service.serve import listening_socket, server_of
from service.settings import Settings

__all__ = ["Served", "Talker", "served"]

_PATIENCE = 5.0
_T = TypeVar("_T")


@dataclass
class Talker:
    """A WebSocket client that speaks JSON."""

    socket: ClientConnection

    def say(self, message: dict[str, Any] | str | bytes) -> None:
        """Send a message: an object as JSON, texts and bytes as they are."""
        is_object = isinstance(message, dict)
        self.socket.send(json.dumps(message, ensure_ascii=False) if is_object else message)

    def hear(self, kind: str | None = None) -> dict[str, Any]:
        """Return the next message, or the next one of a ``kind``."""
        while True:
            found: dict[str, Any] = json.loads(self.socket.recv(_PATIENCE))
            if kind in (None, found["type"]):
                return found

    def end(self) -> tuple[int, str]:
        """Return the code and the reason with which the server closes the socket, whatever comes before."""
        with pytest.raises(ConnectionClosed) as closed:
            self._drain()
        received = closed.value.rcvd
        assert received is not None, "the connection was lost"
        return received.code, received.reason

    def _drain(self) -> None:
        while True:
            self.socket.recv(_PATIENCE)


@dataclass
class Served:
    """A running service."""

    address: str
    loop: asyncio.AbstractEventLoop
    server: Any

    @contextmanager
    def open(self, path: str, **options: Any) -> Iterator[Talker]:
        """Yield a socket; ``options`` are those of websockets."""
        with connect(f"ws://{self.address}{path}", proxy=None, close_timeout=1, **options) as socket:
            yield Talker(socket)

    def client(self) -> httpx.Client:
        """Return a client for HTTP."""
        return httpx.Client(base_url=f"http://{self.address}", trust_env=False, timeout=_PATIENCE)

    def do(self, work: Callable[..., _T], *arguments: Any) -> _T:
        """Do some ``work`` on the event loop of the service, and return what comes of it."""

        async def worked() -> _T:
            return work(*arguments)

        return asyncio.run_coroutine_threadsafe(worked(), self.loop).result(_PATIENCE)

    def until(self, happened: Callable[[], bool]) -> None:
        """Wait until something has ``happened`` on the event loop of the service."""
        end = time.monotonic() + _PATIENCE
        while not self.do(happened):
            assert time.monotonic() < end, "it never came to that"
            time.sleep(0.005)


@contextmanager
def served(app: FastAPI, settings: Settings | None = None) -> Iterator[Served]:
    """Run ``app`` as the command does, and yield it."""
    loops: list[asyncio.AbstractEventLoop] = []
    inner = app.router.lifespan_context

    @asynccontextmanager
    async def lifespan(running: FastAPI) -> Any:
        loops.append(asyncio.get_running_loop())
        async with inner(running):
            yield

    app.router.lifespan_context = lifespan
    listener = listening_socket("127.0.0.1", 0)
    server = server_of(app, settings)
    server.config.timeout_graceful_shutdown = 2
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive(), "the service did not start"
            time.sleep(0.002)
        yield Served(f"127.0.0.1:{listener.getsockname()[1]}", loops[0], server)
    finally:
        server.should_exit = True
        thread.join(20)
        listener.close()
