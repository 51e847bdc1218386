"""The outermost layer of the service: security headers on every answer, and one shape for faults of our own."""

from __future__ import annotations

import logging
from asyncio import CancelledError

from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["HEADERS", "Guard", "refusal"]

HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
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
_FAULT = "the service has a fault; the photo was not read. Its operator finds the reason in the log"

_STOPPING = "the service is stopping; try again in a moment"
_FULL = "too many requests at the same time; try again in a moment"
_LATER = {"retry-after": "2", "connection": "close"}
_MOST = 128
"""Requests that are served at the same time, photos and all else; more get 503."""

_log = logging.getLogger("set_referee")


def refusal(status: int, code: str, text: str, headers: dict[str, str] | None = None) -> JSONResponse:
    """Return the answer in the one shape of every error: ``{"error": {"code", "text"}}``."""
    return JSONResponse({"error": {"code": code, "text": text}}, status, headers)


class Guard:
    """Adds the security headers to every answer, and turns an exception that nobody caught into a plain 500.

    A client that hangs up and a service that stops are no faults: they are not logged.
    """

    def __init__(self, app: ASGIApp, most: int = _MOST) -> None:
        """Wrap ``app``; beyond ``most`` requests at the same time the answer is 503."""
        self._app = app
        self._free = most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection (ASGI)."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = False

        async def guarded(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        if self._free <= 0:
            await refusal(503, "busy", _FULL, _LATER)(scope, receive, guarded)
            return
        self._free -= 1
        try:
            await self._app(scope, receive, guarded)
        except ClientDisconnect:
            return  # nobody is there to be answered
        except CancelledError:
            if not started:
                await refusal(503, "stopping", _STOPPING, _LATER)(scope, receive, guarded)
        except Exception:
            if started:
                raise
            _log.exception("fault while answering %s %s", scope["method"], scope["path"])
            await refusal(500, "fault", _FAULT)(scope, receive, guarded)
        finally:
            self._free += 1
