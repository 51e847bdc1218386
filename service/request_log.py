"""One line of the log and one count for each request, both under its id, which the client may choose.

The line tells the route's template and nothing that people typed: no query, no id of a table, no name, no key.
"""

from __future__ import annotations

import logging
import re
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from logging import DEBUG, INFO

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bound_contextvars

from service.guard import is_free
from service.limiting import client_in
from service.logs import LOGGER
from service.metrics import Metrics

__all__ = ["REQUEST_ID", "RequestLog", "request_id", "route_of"]

REQUEST_ID = "x-request-id"
_SANE = re.compile(r"[A-Za-z0-9._-]{1,64}")
_UNMATCHED = "unmatched"
_SWITCHED = 101
_FORBIDDEN = 403
"""What the server answers where a WebSocket is closed before it was accepted."""
_GONE = 499
"""No answer: the client had gone."""
_ERRORS = 400

_log = logging.getLogger(f"{LOGGER}.http")


def request_id(given: str | None) -> str:
    """Return the id that a client has ``given`` its request, or a new one where that is none."""
    return given if given is not None and _SANE.fullmatch(given) else secrets.token_hex(8)


def route_of(scope: Scope) -> str:
    """Return the template of the address that was asked for, "unmatched" where none is known.

    A router that is included under a prefix with parameters tells only its own part of the template, and a plain route
    tells none; the rest is put together from the path.
    """
    if "endpoint" not in scope:
        return _UNMATCHED
    if scope.get("root_path"):
        return f"{scope['root_path']}/"  # files of the page
    own = getattr(scope.get("route"), "path", None)
    path: str = scope["path"]
    names = {str(value): f"{{{name}}}" for name, value in reversed(scope.get("path_params", {}).items())}
    parts = [names.get(part, part) for part in path.split("/")]
    return "/".join(parts if own is None else parts[: len(parts) - own.count("/")]) + (own or "")


@dataclass
class _Told:
    """What is told of one request so far."""

    bytes_in: int = 0
    bytes_out: int = 0
    status: int = _GONE


class RequestLog:
    """Gives each request its id, times it, counts it and writes its line; the outermost layer of the service."""

    def __init__(self, app: ASGIApp, metrics: Metrics, clock: Callable[[], float] = time.perf_counter) -> None:
        """Wrap ``app``; times are those of ``clock``, in seconds."""
        self._app, self._metrics, self._clock = app, metrics, clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request or WebSocket (ASGI)."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        name, told, began = request_id(Headers(scope=scope).get(REQUEST_ID)), _Told(), self._clock()
        receiving, sending = _counted(receive, send, told, name)
        with bound_contextvars(request=name), self._metrics.running():
            try:
                await self._app(scope, receiving, sending)
            finally:
                self._tell(scope, told, self._clock() - began)

    def _tell(self, scope: Scope, told: _Told, seconds: float) -> None:
        """Write the line of a request that took so many ``seconds``, and count it."""
        method, route = scope.get("method", "WEBSOCKET"), route_of(scope)
        code = scope.get("refusal")
        self._metrics.answered(method, route, told.status, seconds)
        if code is not None:
            self._metrics.refused(code)
        line = {
            "method": method,
            "route": route,
            "status": told.status,
            "ms": round(1000 * seconds, 1),
            "bytes_in": told.bytes_in,
            "bytes_out": told.bytes_out,
            "client": client_in(scope),
        }
        level = DEBUG if is_free(scope["path"]) and told.status < _ERRORS else INFO
        _log.log(level, "answered", extra=line if code is None else {**line, "code": code})


def _counted(receive: Receive, send: Send, told: _Told, name: str) -> tuple[Receive, Send]:
    """Return ``receive`` and ``send`` that note in ``told`` what goes through, and tell the client its request's id."""

    async def receiving() -> Message:
        message = await receive()
        told.bytes_in += len(message.get("body") or message.get("bytes") or message.get("text") or b"")
        return message

    async def sending(message: Message) -> None:
        kind = message["type"]
        if kind in ("http.response.start", "websocket.http.response.start"):
            told.status = message["status"]
            MutableHeaders(scope=message)[REQUEST_ID] = name
        elif kind == "websocket.accept":
            told.status = _SWITCHED
            message = {**message, "headers": [*message.get("headers", ()), (REQUEST_ID.encode(), name.encode())]}
        elif kind == "websocket.close" and told.status == _GONE:
            told.status = _FORBIDDEN
        told.bytes_out += len(message.get("body") or message.get("bytes") or message.get("text") or b"")
        await send(message)

    return receiving, sending
