"""A layer around the service: security headers on every answer, and one shape for faults of our own."""

from __future__ import annotations

import logging
from asyncio import CancelledError
from contextlib import suppress

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.logs import LOGGER, without_keys
from service.page import is_page

__all__ = ["HEADERS", "Guard", "Refusal", "is_free", "refusal"]

HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; media-src 'self' blob:; "
        "connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "permissions-policy": "camera=(self), microphone=(), geolocation=()",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
"""On every answer that does not say otherwise. ``connect-src 'self'`` lets the page open WebSockets of its own origin,
as CSP 3 has it: Chrome since 70, Firefox since 50, Safari since 15.4."""

_FAULT = "the service has a fault; the photo was not read. Its operator finds the reason in the log"

_STOPPING = "the service is stopping; try again in a moment"
_FULL = "too many requests at the same time; try again in a moment"
_TWO_LENGTHS = "the request has a Content-Length and a Transfer-Encoding: send one of them"
_LATER = {"retry-after": "2", "connection": "close"}
_MOST = 128
"""Requests that are served at the same time, photos and all else; more get 503. Streams of events do not count, nor
requests whose body is still to come."""

_FREE = frozenset({"/healthz", "/readyz", "/metrics"})

_log = logging.getLogger(LOGGER)


class Refusal(JSONResponse):
    """An answer in the one shape of every error, whose code the log and the metrics find in the ``scope``."""

    def __init__(self, status: int, code: str, text: str, headers: dict[str, str] | None = None) -> None:
        """Hold ``code``, a slug for programs, and ``text``, one line for people, which never repeats a key."""
        super().__init__({"error": {"code": code, "text": without_keys(text)}}, status, headers)
        self._code = code

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it (ASGI)."""
        scope["refusal"] = self._code
        await super().__call__(scope, receive, send)


def refusal(status: int, code: str, text: str, headers: dict[str, str] | None = None) -> Refusal:
    """Return the answer in the one shape of every error: ``{"error": {"code", "text"}}``."""
    return Refusal(status, code, text, headers)


def is_free(path: str) -> bool:
    """Return whether a ``path`` is always answered: it tells how the service is, or is a file of the page."""
    return path in _FREE or is_page(path)


class Guard:
    """Adds the security headers to every answer, and turns an exception that nobody caught into a plain 500.

    A client that hangs up and a service that stops are no faults: they are not logged.
    """

    def __init__(self, app: ASGIApp, most: int = _MOST) -> None:
        """Wrap ``app``; beyond ``most`` requests at the same time the answer is 503."""
        self._app = app
        self.free = most
        """How many more requests may be served now."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection (ASGI)."""
        if scope["type"] == "websocket":
            await self._socket(scope, receive, _with_headers(send))
        elif scope["type"] == "http":
            await self._http(scope, receive, _with_headers(send))
        else:
            await self._app(scope, receive, send)

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self._app(scope, receive, send)
        except Exception:
            _log.exception("fault at a WebSocket")
            with suppress(Exception):  # it may be closed already
                await send({"type": "websocket.close", "code": 1011})

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        if _has_two_lengths(scope):
            await refusal(400, "bad-request", _TWO_LENGTHS, {"connection": "close"})(scope, receive, send)
            return
        exchange = _Exchange(self, receive, send)
        if not is_free(scope["path"]):
            if self.free < 1:
                await refusal(503, "busy", _FULL, _LATER)(scope, receive, send)
                return
            exchange.take()
        try:
            await self._app(scope, exchange.receive, exchange.send)
        except ClientDisconnect:
            return  # nobody is there to be answered
        except CancelledError:
            if not exchange.started:
                await refusal(503, "stopping", _STOPPING, _LATER)(scope, receive, send)
        except Exception:
            _log.exception("fault while answering")
            if exchange.started:
                return  # the server closes the connection
            await refusal(500, "fault", _FAULT)(scope, receive, send)
        finally:
            exchange.leave()


class _Exchange:
    """A request and its answer: it has a place, but not while its body is waited for, nor while it streams events."""

    def __init__(self, guard: Guard, receive: Receive, send: Send) -> None:
        self.started = False
        """Whether the answer has begun."""
        self._guard, self._receive, self._send = guard, receive, send
        self._has_place, self._arrives = False, True

    def take(self) -> None:
        """Take a place."""
        self._guard.free -= 1
        self._has_place = True

    def leave(self) -> None:
        """Give the place back, if there is one."""
        self._guard.free += self._has_place
        self._has_place = False

    async def receive(self) -> Message:
        """Return what the client sends."""
        if not (self._has_place and self._arrives):
            return await self._receive()
        self.leave()
        message = await self._receive()
        if not self.started:
            self.take()
        self._arrives = message.get("more_body", False)
        return message

    async def send(self, message: Message) -> None:
        """Send a part of the answer."""
        if message["type"] == "http.response.start":
            self.started = True
            if _is_stream(message):
                self.leave()
        await self._send(message)


def _with_headers(send: Send) -> Send:
    """Return ``send`` that adds the security headers to an answer, also to one that refuses a WebSocket."""

    async def sending(message: Message) -> None:
        if message["type"] in ("http.response.start", "websocket.http.response.start"):
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending


def _is_stream(message: Message) -> bool:
    return Headers(raw=message.get("headers", [])).get("content-type", "").startswith("text/event-stream")


def _has_two_lengths(scope: Scope) -> bool:
    """Return whether a proxy could have seen another end of the request than we do (RFC 9112, 6.1)."""
    headers = Headers(scope=scope)
    return "transfer-encoding" in headers and "content-length" in headers
