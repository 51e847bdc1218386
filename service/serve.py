"""Runs the HTTP service until it is stopped."""

from __future__ import annotations

import asyncio
import gc
import logging
import socket
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from service.addresses import this_machine
from service.console import write_line
from service.door import Door, greeting
from service.errors import MissingLibraryError, PortError
from service.settings import Settings

if TYPE_CHECKING:
    import ssl

    import uvicorn
    from fastapi import FastAPI

    from service.certificate import Certificate
    from service.connections import Bounds
    from service.hub import Hub

__all__ = ["ServeRequest", "listening_socket", "serve_forever", "server_of"]

_GRACE = 5
"""Seconds that requests may still take once the service is to stop."""
_FAREWELL = 1.0
"""Of these, seconds in which a client may say good-bye."""
_COLLECTOR = (10_000, 50, 100)
"""How many more things are made than dropped before a look at the newest; how many of those before one at more."""


@dataclass(frozen=True)
class ServeRequest:
    """What is asked for at the command line."""

    host: str = "127.0.0.1"
    port: int = 8000
    https: bool = False
    certificate: str | None = None
    key: str | None = None
    qr: bool | None = None
    """Whether a QR code is shown; None: where it can be seen."""


def listening_socket(host: str, port: int) -> socket.socket:
    """Return a socket that listens on ``host`` and ``port`` (0: a free one).

    :raises PortError: the address is taken, unknown or not allowed.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError) as error:
        raise PortError(host, port, getattr(error, "strerror", None) or str(error)) from None
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(128)
    except OSError as error:
        listener.close()
        raise PortError(host, port, error.strerror or str(error)) from None
    return listener


def server_of(
    app: FastAPI,
    settings: Settings | None = None,
    bounds: Bounds | None = None,
    says: str = "",
    context: ssl.SSLContext | None = None,
) -> uvicorn.Server:
    """Return what serves ``app``: bounded in connections, and stopped within seconds whatever the clients do.

    ``settings`` are the default ones where none are given, ``bounds`` those of the settings. Once it listens, ``says``
    is told to people. With a ``context`` it speaks TLS.
    """
    import uvicorn

    from service.api.messages import MESSAGE_BYTES
    from service.connections import BoundedConfig, Bounds
    from service.secure_protocol import SecureConfig
    from service.socket_protocol import BoundedSocketProtocol

    class Server(uvicorn.Server):
        """Ends sockets and streams before it waits for requests: those would go on for ever."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            _calm_collector()
            if says and self.started:
                write_line(says)

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            hub: Hub | None = getattr(app.state, "hub", None)
            if hub is not None:
                with suppress(TimeoutError):
                    await asyncio.wait_for(hub.close(), _GRACE)
            if isinstance(self.config, SecureConfig):
                asyncio.get_running_loop().call_later(_FAREWELL, self.config.abandon)
            await super().shutdown(sockets)

    chosen = settings or Settings()
    bounded = BoundedConfig if context is None else partial(SecureConfig, context=context)
    config = bounded(
        app,
        bounds or Bounds.of(chosen),
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        limit_concurrency=chosen.connections + chosen.max_sockets,
        timeout_graceful_shutdown=_GRACE,
        ws=BoundedSocketProtocol,
        ws_max_size=max(chosen.frame_bytes, MESSAGE_BYTES),
        ws_per_message_deflate=False,  # JPEG gets no smaller, and thousands of sockets would each hold a window
    )
    return Server(config)


def _calm_collector() -> None:
    """Let Python look for garbage in cycles rarely, and never among what is there for good.

    With a thousand sockets a look at everything takes 0.3 seconds, in which nobody is answered.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_COLLECTOR)


def serve_forever(request: ServeRequest, settings: Settings) -> int:
    """Serve what is asked for until interrupted; return 0.

    :raises PortError: the address cannot be listened on.
    :raises CertificateError: the certificate cannot be used, or a new one cannot be kept.
    :raises InstallationError: OpenCV, onnxruntime or the models cannot be loaded.
    :raises StoreError: the database cannot be opened.
    """
    with listening_socket(request.host, request.port) as listener, suppress(KeyboardInterrupt):
        certificate = _certificate(request)
        _prepare(settings)
        asyncio.run(_serve(Door(listener, request.host, certificate), settings, request.qr))
    return 0


def _certificate(request: ServeRequest) -> Certificate | None:
    """Return the certificate to serve with; None where HTTPS is not asked for."""
    from service.certificate import CertificateError, default_folder, given_certificate, own_certificate

    if request.certificate is not None and request.key is not None:
        return given_certificate(request.certificate, request.key)
    if request.certificate is not None or request.key is not None:
        raise CertificateError("--certificate and --key go together: give both, or none of them")
    return own_certificate(this_machine().names, default_folder()) if request.https else None


def _prepare(settings: Settings) -> None:
    """Set up the logs, and room for as many connections as there may be."""
    from service.connections import allow_files
    from service.logs import LOGGER, configure_logs

    configure_logs()
    if not allow_files(settings):
        logging.getLogger(LOGGER).warning("the system allows fewer open files than there may be connections")


async def _serve(door: Door, settings: Settings, qr: bool | None) -> None:
    """Serve at a ``door``, and say so once the models and the store are open."""
    try:
        from service.address_api import Reached, tell
        from service.app import create_app
        from service.certificate import tls_context
        from service.store import Store
        from service.workers import ProcessVision
    except ImportError as error:
        raise MissingLibraryError(error) from error
    context = None if door.certificate is None else tls_context(door.certificate)
    vision = ProcessVision(settings)
    try:
        await vision.start()
        store = await asyncio.to_thread(Store.open, settings.database or Store.default_address())
        try:
            app = create_app(settings, vision=vision, store=store)
            tell(app, Reached(door.addresses, door.authority))
            server = server_of(app, settings, says=greeting(door, qr), context=context)
            await server.serve(sockets=[door.listener])
        finally:
            await store.close()
    finally:
        await vision.close()
