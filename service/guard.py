"""The outermost layer of the service: security headers on every answer, and one shape for faults of our own."""

from __future__ import annotations

import logging

from starlette.datastructures import MutableHeaders
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

_log = logging.getLogger("set_referee")


def refusal(status: int, code: str, text: str, headers: dict[str, str] | None = None) -> JSONResponse:
    """Return the answer in the one shape of every error: ``{"error": {"code", "text"}}``."""
    return JSONResponse({"error": {"code": code, "text": text}}, status, headers)


class Guard:
    """Adds the security headers to every answer, and turns an exception that nobody caught into a plain 500."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap ``app``."""
        self._app = app

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

        try:
            await self._app(scope, receive, guarded)
        except Exception:
            if started:
                raise
            _log.exception("fault while answering %s %s", scope["method"], scope["path"])
            await refusal(500, "fault", _FAULT)(scope, receive, guarded)
