"""The layers around the service, from the outside in: log, guard, other origins, limits of clients."""

from __future__ import annotations

from fastapi import FastAPI
from starlette.middleware.cors import CORSMiddleware

from service.guard import Guard
from service.health import add_health
from service.limiting import ClientLimits, Limits
from service.metrics import Metrics
from service.origins import allowed_origins
from service.request_log import REQUEST_ID, RequestLog
from service.settings import Settings

__all__ = ["add_layers"]

_METHODS = ("GET", "POST", "DELETE")
_ASKED = ("authorization", "if-match", "if-none-match", "last-event-id", REQUEST_ID)
_TOLD = ("content-disposition", "etag", "location", "retry-after", REQUEST_ID)


def add_layers(app: FastAPI, settings: Settings) -> None:
    """Put the layers around ``app``, and give it its addresses of health and ``app.state.metrics``.

    :raises OriginError: the ``settings`` allow an origin that is none.
    """
    metrics = Metrics()
    add_health(app, metrics)
    app.add_middleware(ClientLimits, limits=Limits.of(settings))
    origins = allowed_origins(settings)
    if origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=origins,
            allow_methods=_METHODS,
            allow_headers=_ASKED,
            expose_headers=_TOLD,
        )
    app.add_middleware(Guard)
    app.add_middleware(RequestLog, metrics=metrics)
