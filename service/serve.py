"""Runs the HTTP service until it is stopped."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

from service.console import write_line
from service.errors import PortError
from service.reading import open_reader
from service.settings import Settings

if TYPE_CHECKING:
    import uvicorn
    from fastapi import FastAPI

__all__ = ["listening_socket", "serve_forever", "server_of"]

_GRACE = 5
"""Seconds that requests may still take once the service is to stop."""

_CONNECTIONS = 512
"""Open connections, idle ones too, beyond which requests are turned away before the service sees them."""


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


def server_of(app: FastAPI) -> uvicorn.Server:
    """Return what serves ``app``: bounded in connections, and stopped within seconds whatever the clients do."""
    import uvicorn

    return uvicorn.Server(
        uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            server_header=False,
            limit_concurrency=_CONNECTIONS,
            timeout_graceful_shutdown=_GRACE,
        )
    )


def serve_forever(host: str, port: int, settings: Settings) -> int:
    """Serve on ``host`` and ``port`` until interrupted; return 0.

    :raises PortError: the address cannot be listened on.
    :raises InstallationError: OpenCV, onnxruntime or the models cannot be loaded.
    """
    with listening_socket(host, port) as listener:
        reader = open_reader()
        from service.app import create_app

        app = create_app(settings, reader)
        name = f"[{host}]" if ":" in host else host
        write_line(f"Set Referee listens on http://{name}:{listener.getsockname()[1]} (Ctrl-C stops it)")
        try:
            server_of(app).run(sockets=[listener])
        except KeyboardInterrupt:
            return 0
    return 0
