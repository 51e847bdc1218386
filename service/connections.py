"""Connections that do nothing are bounded in number and time, so that they cannot keep others from being served.

uvicorn bounds neither how long the head of a request may take, nor a body that nobody reads, nor an answer that nobody
takes. This protocol does, and makes room for a new connection by closing the one that has waited longest.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import Any, cast

from uvicorn import Config
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.server import ServerState

from service.guard import HEADERS
from service.limiting import client_of
from service.settings import Settings

__all__ = ["BoundedConfig", "BoundedProtocol", "Bounds", "allow_files"]

_SPARE_FILES = 256
"""Open files that are no connections: models, the store, pipes to workers."""


@dataclass(frozen=True)
class Bounds:
    """What one connection and one client may take up; times are seconds.

    A proxy that is trusted (FORWARDED_ALLOW_IPS, by default on this machine) stands for many clients: ``client`` does
    not bound it.
    """

    connections: int
    client: int
    body: float
    head: float = 20.0
    answer: float = 30.0

    @classmethod
    def of(cls, settings: Settings) -> Bounds:
        """Return those of a deployment; a body has a little longer than the service itself gives it."""
        return cls(settings.connections, settings.client_connections, settings.upload_seconds + 5)


class BoundedConfig(Config):
    """A configuration of uvicorn with ``bounds`` for :class:`BoundedProtocol`."""

    def __init__(self, app: Any, bounds: Bounds, **options: Any) -> None:
        """Serve ``app`` within ``bounds``; ``options`` are uvicorn's."""
        self.bounds = bounds
        super().__init__(app, http=BoundedProtocol, **options)
        self.proxies = ProxyHeadersMiddleware(app, self.forwarded_allow_ips).trusted_hosts
        """Whose X-Forwarded-For is believed, so who stands for many clients."""


class BoundedProtocol(H11Protocol):
    """HTTP/1.1 as uvicorn speaks it, within the bounds of its :class:`BoundedConfig`."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        """Take what uvicorn gives."""
        super().__init__(config, server_state, app_state, _loop)
        bounded = cast(BoundedConfig, config)
        self._bounds, self._proxies = bounded.bounds, bounded.proxies
        self._deadline: asyncio.TimerHandle | None = None
        self._reader: asyncio.TimerHandle | None = None
        self.waiting_since: float | None = None
        """When it began to wait for the head of a request; None while one is being answered."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request; close this connection or another where there are too many."""
        super().connection_made(transport)
        self._wait()
        self._make_room()

    def data_received(self, data: bytes) -> None:
        """Take ``data``, and see whether a request has begun or arrived."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """Wait for the next request, unless it is already there."""
        self._wait()
        super().on_response_complete()
        self._watch()

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Hand the connection on: it is bounded by other rules."""
        self._stop()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        self._stop()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Give the client a while to take its answer."""
        super().pause_writing()
        self._reader = self.loop.call_later(self._bounds.answer, self.give_up)

    def resume_writing(self) -> None:
        """Go on."""
        super().resume_writing()
        if self._reader is not None:
            self._reader.cancel()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP in the one shape of every error."""
        body = json.dumps({"error": {"code": "bad-request", "text": msg[:1].lower() + msg[1:].rstrip(".")}}).encode()
        fields = {**HEADERS, "content-type": "application/json", "content-length": len(body), "connection": "close"}
        lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        self.transport.write(f"HTTP/1.1 400 Bad Request\r\n{lines}\r\n".encode() + body)
        self.transport.close()

    def give_up(self) -> None:
        """Close the connection, whatever is under way."""
        self.connections.discard(self)
        self._stop()
        self.transport.abort()

    def _wait(self) -> None:
        """Wait for the head of a request."""
        self._stop()
        self.waiting_since = self.loop.time()
        self._deadline = self.loop.call_later(self._bounds.head, self.give_up)

    def _watch(self) -> None:
        """Stop waiting for a head once it is there, and for a body once that is."""
        cycle = cast(RequestResponseCycle | None, self.cycle)
        if cycle is None or cycle.response_complete or self.transport.is_closing():
            return
        if self.waiting_since is not None:
            self._stop()
            self._deadline = self.loop.call_later(self._bounds.body, self.give_up)
        if not cycle.more_body:
            self._stop()

    def _stop(self) -> None:
        self.waiting_since = None
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _make_room(self) -> None:
        """Close what is too much: this connection, or the one that has waited longest."""
        host = self.client[0] if self.client else ""
        if host not in self._proxies:
            client = client_of(host)
            if sum(_client(other) == client for other in self.connections) > self._bounds.client:
                self.give_up()
                return
        ours = [other for other in self.connections if isinstance(other, BoundedProtocol)]
        if len(ours) > self._bounds.connections:
            waiting = [other for other in ours if other.waiting_since is not None]
            min(waiting, key=lambda other: other.waiting_since or 0).give_up()


def _client(connection: object) -> str | None:
    """Return the client at the other end of a connection or a WebSocket of uvicorn's."""
    peer: tuple[str, int] | None = getattr(connection, "client", None)
    return client_of(peer[0]) if peer else None


def allow_files(settings: Settings) -> bool:
    """Let this process open as many files as it may have connections; return False where the system allows fewer."""
    try:
        import resource
    except ImportError:  # Windows counts otherwise
        return True
    needed = settings.connections + settings.max_sockets + _SPARE_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    return soft == resource.RLIM_INFINITY or soft >= needed
