"""Limits of one client: requests a second, tables an hour, and what it holds open at the same time.

A client is an address; of IPv6 it is the network (/64), which one household has. What asks how the service is, and
the files of the page, cost nothing. In memory are as many clients as :attr:`Limits.clients`, the latest.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from ipaddress import IPv6Address, IPv6Network, ip_address
from math import ceil

from anyio import sleep
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.guard import is_free, refusal
from service.quotas import Buckets, Shares, TooManyError
from service.settings import Settings

__all__ = ["ClientLimits", "Limits", "client_in", "client_of"]

_NEW_TABLES = frozenset({"/api/v1/tables", "/api/v1/tables/import"})
_HOUR = 3600


def client_of(address: str) -> str:
    """Return the client behind an ``address``: itself, or its /64 network.

    >>> client_of("203.0.113.7"), client_of("2001:db8::17:4"), client_of("::ffff:203.0.113.7"), client_of("nonsense")
    ('203.0.113.7', '2001:db8::/64', '203.0.113.7', 'unknown')
    """
    try:
        known = ip_address(address.partition("%")[0])
    except ValueError:
        return "unknown"
    if not isinstance(known, IPv6Address):
        return str(known)
    return str(known.ipv4_mapped or IPv6Network((known, 64), strict=False))


def client_in(scope: Scope) -> str:
    """Return the client of a request or a WebSocket."""
    address, _ = scope.get("client") or ("", 0)
    return client_of(address)


@dataclass(frozen=True)
class Limits:
    """What one client may; a burst is so many seconds of its rate, ``clients`` are kept in mind."""

    rate: float
    tables: int
    open: int
    requests: int = 64
    """So many of what is open may be requests: fewer than the service answers at the same time."""
    messages: int = 8
    """So many times the ``rate`` are the messages a second over all WebSockets; what is more waits."""
    burst_seconds: int = 5
    clients: int = 50_000

    @classmethod
    def of(cls, settings: Settings) -> Limits:
        """Return those of a deployment."""
        most = settings.client_connections
        return cls(settings.client_rate, settings.client_tables, most, requests=max(1, most // 4))


class ClientLimits:
    """Answers 429 where a client asks for more than its share, before anything is done for it."""

    def __init__(self, app: ASGIApp, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        """Wrap ``app``; times are those of ``clock``, in seconds."""
        self._app, self._limits = app, limits
        burst = ceil(limits.rate * limits.burst_seconds)
        self._requests = Buckets(limits.rate, burst, limits.clients, clock)
        self._messages = Buckets(limits.messages * limits.rate, limits.messages * burst, limits.clients, clock)
        self._tables = Buckets(limits.tables / _HOUR, limits.tables, limits.clients, clock)
        self._open = Shares(limits.open, "requests and WebSockets")
        self._asking = Shares(limits.requests, "requests")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request or WebSocket (ASGI)."""
        if scope["type"] == "lifespan" or is_free(scope["path"]):
            await self._app(scope, receive, send)
            return
        client = client_in(scope)
        try:
            with self._open.held(client), nullcontext() if _stays(scope) else self._asking.held(client):
                self._take(client, scope)
                heard = self._paced(client, receive) if scope["type"] == "websocket" else receive
                await self._app(scope, heard, send)
        except TooManyError as error:
            headers = {"retry-after": str(error.retry_after)}
            await refusal(429, error.code, str(error), headers)(scope, receive, send)

    def _paced(self, client: str, receive: Receive) -> Receive:
        """Return ``receive`` that lets one after the other of the client's messages through, no more than it may send.

        While one waits nothing more is read from its socket.
        """

        async def receiving() -> Message:
            message = await receive()
            await sleep(self._messages.reserve(client))
            return message

        return receiving

    def _take(self, client: str, scope: Scope) -> None:
        wait = self._requests.take(client)
        if wait:
            raise TooManyError(f"more than {self._limits.rate:g} requests a second", wait)
        if scope["type"] == "http" and scope["method"] == "POST" and scope["path"] in _NEW_TABLES:
            wait = self._tables.take(client)
            if wait:
                raise TooManyError(f"more than {self._limits.tables} new tables an hour", wait)


def _stays(scope: Scope) -> bool:
    """Return whether it is a WebSocket or a stream of events, which stay open and cost little."""
    return scope["type"] == "websocket" or bool(scope["path"].endswith("/stream"))
