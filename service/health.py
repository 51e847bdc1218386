"""How the service is: alive, ready, and its figures. Nothing here says anything of a table, a name or a client."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Literal

from anyio import fail_after
from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict

from service.answer import ErrorShape
from service.errors import ServiceError, code_of, one_line
from service.guard import refusal
from service.logs import LOGGER
from service.metrics import Metrics

__all__ = ["Alive", "Check", "NotReadyError", "Ready", "router"]

Check = Callable[[], Awaitable[object]]
"""Does nothing but fail while a part of the service does not work."""

_PATIENCE = 2.0
"""Seconds that a part may take to say that it works."""

_log = logging.getLogger(LOGGER)
router = APIRouter(tags=["Health"])


class NotReadyError(ServiceError):
    """A service that cannot do all of its work now."""

    code = "not-ready"

    def __init__(self, part: str, reason: str) -> None:
        """Name the ``part`` and say the ``reason``."""
        super().__init__(f"{part} does not work: {reason}")


class Alive(BaseModel):
    """The answer of ``/healthz``."""

    model_config = ConfigDict(frozen=True, json_schema_extra={"example": {"status": "ok"}})

    status: Literal["ok"] = "ok"


class Ready(BaseModel):
    """The answer of ``/readyz``: the parts that were asked, all of which work."""

    model_config = ConfigDict(frozen=True, json_schema_extra={"example": {"status": "ready", "parts": ["store"]}})

    status: Literal["ready"] = "ready"
    parts: tuple[str, ...]


_NOT_READY: dict[int | str, dict[str, Any]] = {
    503: {"model": ErrorShape, "description": "A part does not work; the text says which, and why."}
}
_METRICS: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "All figures, one sample a line.",
        "content": {"text/plain": {"example": "set_referee_photos_total 42.0\n", "schema": {"type": "string"}}},
    }
}


@router.head("/healthz", include_in_schema=False)
@router.get("/healthz", summary="Is the service up?", operation_id="is_alive")
async def healthz() -> Alive:
    """Answer at once, whatever else goes on; models are loaded before the service listens."""
    return Alive()


@router.head("/readyz", include_in_schema=False, response_model=None)
@router.get(
    "/readyz", summary="Can the service work?", operation_id="is_ready", response_model=Ready, responses=_NOT_READY
)
async def readyz(request: Request) -> Response | Ready:
    """Ask each part, above all the store of tables, whether it works; 503 with the reason where one does not."""
    checks: Mapping[str, Check] = request.app.state.checks
    try:
        for part, check in checks.items():
            await _ask(part, check)
    except NotReadyError as error:
        _log.warning(str(error))
        return refusal(503, error.code, str(error), {"retry-after": "5"})
    return Ready(parts=tuple(checks))


@router.get(
    "/metrics",
    summary="Figures for Prometheus",
    operation_id="read_metrics",
    response_class=Response,
    responses=_METRICS,
)
async def figures(request: Request) -> Response:
    """Return counts and durations in the text form of Prometheus, or OpenMetrics where that is asked for."""
    state = request.app.state
    metrics: Metrics = state.metrics
    count: Callable[[], Awaitable[int]] | None = getattr(state, "count_tables", None)
    if count is not None:
        try:
            with fail_after(_PATIENCE):
                metrics.kept(await count())
        except (ServiceError, TimeoutError) as error:
            _log.warning("the tables in the store were not counted: %s", one_line(error))
    text, media_type = metrics.exposed(request.headers.get("accept", ""))
    return Response(text, media_type=media_type)


async def _ask(part: str, check: Check) -> None:
    """Ask whether ``part`` works.

    :raises NotReadyError: it does not.
    """
    try:
        with fail_after(_PATIENCE):
            await check()
    except TimeoutError:
        raise NotReadyError(part, f"no answer within {_PATIENCE:g} seconds") from None
    except ServiceError as error:
        raise NotReadyError(part, f"{one_line(error)} ({code_of(error)})") from error
