"""What must not happen on any page: errors, refusals of the browser, requests that leave the service."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request, WebError, WebSocket

__all__ = ["Faults"]

_REPORT = """document.addEventListener("securitypolicyviolation", (event) => console.error(
  `against the policy: ${event.effectiveDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`));"""
_INSIDE = ("data", "blob", "about")


@dataclass
class Faults:
    """Everything that went wrong on the pages of the contexts that it watches, and every address that they asked."""

    origin: str
    found: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    _allowed: list[re.Pattern[str]] = field(default_factory=list)

    def allow(self, pattern: str) -> None:
        """Let faults pass whose text has ``pattern`` in it, as in ``allow("status of 409")`` for an answer of 409."""
        self._allowed.append(re.compile(pattern))

    def watch(self, context: BrowserContext) -> None:
        """Listen to all pages of ``context``, and to their workers."""
        context.add_init_script(_REPORT)
        context.on("console", self._hear)
        context.on("weberror", self._fail)
        context.on("request", self._ask)
        context.on("page", self._join)

    def check(self) -> None:
        """Fail if anything was wrong."""
        wrong = [text for text in self.found if not any(pattern.search(text) for pattern in self._allowed)]
        assert not wrong, "on the page:\n" + "\n".join(dict.fromkeys(wrong))

    def _join(self, page: Page) -> None:
        page.on("websocket", self._open)
        page.on("crash", lambda _: self.found.append("the page has crashed"))

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning", "assert"}:
            place = message.location
            self.found.append(f"{message.type}: {message.text} ({place['url']}:{place['lineNumber']})")

    def _fail(self, error: WebError) -> None:
        self.found.append(f"not caught: {error.error.stack or error.error.message}")

    def _ask(self, request: Request) -> None:
        self._address(request.url)

    def _open(self, socket: WebSocket) -> None:
        self._address(socket.url)

    def _address(self, address: str) -> None:
        self.asked.append(address)
        parts, ours = urlsplit(address), urlsplit(self.origin)
        if parts.scheme not in _INSIDE and parts.netloc != ours.netloc:
            self.found.append(f"a request leaves the service: {address}")
