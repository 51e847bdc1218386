"""HTTPS within the same bounds as HTTP: a handshake that does not end is a connection that waits for its first request.

asyncio's own servers tell a protocol of a connection only after the handshake of TLS: until then nothing counts it, and
nothing can close it to make room.
"""

from __future__ import annotations

import asyncio
import ssl
from typing import Any, cast
from weakref import WeakKeyDictionary

from uvicorn import Config
from uvicorn.server import ServerState

from service.connections import BoundedConfig, BoundedProtocol, Bounds

__all__ = ["SecureConfig", "SecureProtocol"]

_HELD = 2**16
"""Bytes that may wait for a client before its answer or its socket is held back, as without TLS."""


class SecureConfig(BoundedConfig):
    """A configuration of uvicorn with the ``context`` for :class:`SecureProtocol`."""

    def __init__(self, app: Any, bounds: Bounds, context: ssl.SSLContext, **options: Any) -> None:
        """Serve ``app`` over TLS within ``bounds``; ``options`` are uvicorn's."""
        super().__init__(app, bounds, **options)
        self.http = SecureProtocol
        self.context = context
        self.plain: WeakKeyDictionary[asyncio.Transport, asyncio.Transport] = WeakKeyDictionary()
        """What carries each connection over TLS. asyncio's own transport forgets that if it is closed twice, as uvicorn
        does: then it cannot be aborted any more."""

    def abandon(self) -> None:
        """Cut off clients that do not answer to the end of TLS: a phone that sleeps does not."""
        for secure, plain in list(self.plain.items()):
            if secure.is_closing():
                plain.abort()


class SecureProtocol(BoundedProtocol):
    """HTTP over TLS. The head of the first request has as long as without it, the handshake included."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        """Take what uvicorn gives."""
        super().__init__(config, server_state, app_state, _loop)
        self._secure = cast(SecureConfig, config)
        self._plain: asyncio.Transport | None = None
        self._handshake: asyncio.Task[None] | None = None
        self._early = b""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection, and begin the handshake."""
        self._plain = transport
        super().connection_made(transport)
        if not transport.is_closing():
            transport.pause_reading()
            self._handshake = self.loop.create_task(self._shake_hands(transport))

    def data_received(self, data: bytes) -> None:
        """Take ``data``; what comes with the end of the handshake is there before asyncio says that it has ended."""
        if self._handshake is None:
            super().data_received(data)
        else:
            self._early += data

    def give_up(self) -> None:
        """Close the connection, whatever is under way."""
        super().give_up()
        if self._plain is not None:
            self._plain.abort()

    async def _shake_hands(self, plain: asyncio.Transport) -> None:
        try:
            secure = await self.loop.start_tls(
                plain, self, self._secure.context, server_side=True,
                ssl_handshake_timeout=self._bounds.head, ssl_shutdown_timeout=self._bounds.answer,
            )  # fmt: skip
        except OSError:  # no TLS, or none that we speak, or the client has gone
            self.give_up()
            return
        finally:
            self._handshake = None
        if secure is None or plain.is_closing():
            self.give_up()
            return
        self._secure.plain[secure] = plain
        secure.set_write_buffer_limits(_HELD)
        # It has been counted, and has waited for its first request, since the connection came.
        super(BoundedProtocol, self).connection_made(secure)
        if self._early:
            self.data_received(self._early)
