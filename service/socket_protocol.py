"""WebSockets whose clients do not take what they are sent are given up: uvicorn would keep them for ever."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

if TYPE_CHECKING:
    from uvicorn._types import ASGISendEvent

__all__ = ["BoundedSocketProtocol"]


class BoundedSocketProtocol(WebSocketsSansIOProtocol):
    """WebSockets as uvicorn speaks them; one that takes nothing for ``patience`` seconds is cut off."""

    patience = 30.0
    _giving_up: asyncio.TimerHandle | None = None

    def pause_writing(self) -> None:
        """Give the client a while to take what has been written, also where the socket has been closed meanwhile."""
        super().pause_writing()
        self._stop()
        self._giving_up = self.loop.call_later(self.patience, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on."""
        super().resume_writing()
        self._stop()

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
