"""WebSockets whose clients do not take what they are sent, or send frames without messages, are given up.

uvicorn would keep them for ever, and gather frames without end.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from service.quotas import Buckets

if TYPE_CHECKING:
    from uvicorn._types import ASGISendEvent

__all__ = ["BoundedSocketProtocol"]


class BoundedSocketProtocol(WebSocketsSansIOProtocol):
    """WebSockets as uvicorn speaks them; one that takes nothing for ``patience`` seconds is cut off.

    So is one that sends more than ``parts`` pings, pongs and continued frames a second, ``burst`` at once: messages are
    counted elsewhere, and browsers cut a picture into a hundred frames at the most.
    """

    patience = 30.0
    parts = 2_000
    burst = 4_000
    _giving_up: asyncio.TimerHandle | None = None
    _pace: Buckets | None = None

    def handle_ping(self) -> None:
        """Answer a ping, unless it is one too many."""
        if self._may_go_on():
            super().handle_ping()

    def handle_pong(self, event: Any) -> None:
        """Take a pong, unless it is one too many."""
        if self._may_go_on():
            super().handle_pong(event)

    def handle_cont(self, event: Any) -> None:
        """Take a part of a message, unless it is one too many."""
        if self._may_go_on():
            super().handle_cont(event)

    def _may_go_on(self) -> bool:
        if self._pace is None:
            self._pace = Buckets(self.parts, self.burst, most=1)
        if self._pace.take(""):
            self.transport.abort()
        return not self.transport.is_closing()

    def pause_writing(self) -> None:
        """Give the client a while to take what has been written, also where the socket has been closed meanwhile."""
        super().pause_writing()
        self._stop()
        self._giving_up = self.loop.call_later(self.patience, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on."""
        super().resume_writing()
        self._stop()

    def shutdown(self) -> None:
        """Say that the service stops, unless the socket is being closed already: uvicorn would have it open."""
        if not self.transport.is_closing():
            super().shutdown()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        self._stop()
        super().connection_lost(exc)

    async def send(self, message: ASGISendEvent) -> None:
        """Send ``message``; an answer that refuses the socket ends the handshake, too."""
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and not message.get("more_body", False):
            self.handshake_complete = True

    def _stop(self) -> None:
        if self._giving_up is not None:
            self._giving_up.cancel()
            self._giving_up = None
