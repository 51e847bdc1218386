"""How the service is: alive, ready, and its figures. Nothing here says anything of a table, a name or a client.

Everybody may ask, as often as they like, so the store is asked at most once a second.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, Generic, Literal, TypeVar

from anyio import Lock, fail_after
from fastapi import APIRouter, FastAPI, Request, Response
from pydantic import BaseModel, ConfigDict

from service.answer import ErrorShape
from service.errors import ServiceError, code_of, one_line
from service.guard import refusal
from service.logs import LOGGER
from service.metrics import Metrics

__all__ = ["Alive", "Check", "NotReadyError", "Ready", "Remembered", "add_health", "router"]

T = TypeVar("T")
Check = Callable[[], Awaitable[object]]
"""Does nothing but fail while a part of the service does not work."""

_PATIENCE = 2.0
"""Seconds that a part may take to say that it works."""

_FRESH = 1.0
"""Seconds for which an answer is good."""

_log = logging.getLogger(LOGGER)
router = APIRouter(tags=["Health"])


class NotReadyError(ServiceError):
    """A service that cannot do all of its work now."""

    code = "not-ready"

    def __init__(self, part: str, reason: str) -> None:
        """Name the ``part`` and say the ``reason``."""
        super().__init__(f"{part} does not work: {reason}")


class Remembered(Generic[T]):
    """Asks a question once at a time, and gives the answer again for a while, in seconds of ``clock``."""

    def __init__(
        self, ask: Callable[[], Awaitable[T]], seconds: float = _FRESH, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._ask, self._seconds, self._clock = ask, seconds, clock
        self._answer: tuple[float, T] | None = None
        """Until when it is good, and what it is."""
        self._lock = Lock()

    async def __call__(self) -> T:
        """Return the answer; whatever the question raises is not remembered."""
        async with self._lock:
            if self._answer is None or self._answer[0] <= self._clock():
                answer = await self._ask()
                self._answer = self._clock() + self._seconds, answer
            return self._answer[1]


def add_health(app: FastAPI, metrics: Metrics) -> None:
    """Give ``app`` its addresses of health.

    ``app.state.checks`` holds what ``/readyz`` asks, by the names of the parts. ``app.state.count_tables``, where it is
    set, counts what is in the store.
    """
    state = app.state
    state.metrics, state.checks, state.count_tables = metrics, {}, None
    state.fault = Remembered(partial(_fault, state.checks))
    state.counted = Remembered(partial(_count, app))
    app.include_router(router)


class Alive(BaseModel):
    """The answer of ``/healthz``."""

    model_config = ConfigDict(frozen=True, json_schema_extra={"example": {"status": "ok"}})

    status: Literal["ok"] = "ok"


class Ready(BaseModel):
    """The answer of ``/readyz``: the parts that were asked, all of which work."""

    model_config = ConfigDict(frozen=True, json_schema_extra={"example": {"status": "ready", "parts": ["store"]}})

    status: Literal["ready"] = "ready"
    parts: tuple[str, ...]


_READY: dict[int | str, dict[str, Any]] = {
    200: {"description": "All parts work."},
    503: {"model": ErrorShape, "description": "A part does not work; the text says which, and why."},
}
_ALIVE: dict[int | str, dict[str, Any]] = {200: {"description": "The service is up."}}
_METRICS: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "All figures, one sample a line.",
        "content": {"text/plain": {"example": "set_referee_photos_total 42.0\n", "schema": {"type": "string"}}},
    }
}


@router.head("/healthz", include_in_schema=False)
@router.get("/healthz", summary="Is the service up?", operation_id="is_alive", responses=_ALIVE)
async def healthz() -> Alive:
    """Answer at once, whatever else goes on; models are loaded before the service listens."""
    return Alive()


@router.head("/readyz", include_in_schema=False, response_model=None)
@router.get("/readyz", summary="Can the service work?", operation_id="is_ready", response_model=Ready, responses=_READY)
async def readyz(request: Request) -> Response | Ready:
    """Ask each part, above all the store of tables, whether it works; 503 with the reason where one does not."""
    state = request.app.state
    fault: NotReadyError | None = await state.fault()
    if fault is not None:
        _log.warning(str(fault), extra={"reason": one_line(_root(fault))})
        return refusal(503, fault.code, str(fault), {"retry-after": "5"})
    return Ready(parts=tuple(state.checks))


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
    await state.counted()
    text, media_type = metrics.exposed(request.headers.get("accept", ""))
    return Response(text, media_type=media_type)


async def _fault(checks: Mapping[str, Check]) -> NotReadyError | None:
    """Return what does not work, None if all does."""
    try:
        for part, check in checks.items():
            await _ask(part, check)
    except NotReadyError as error:
        return error
    return None


async def _count(app: FastAPI) -> None:
    """Note how many tables are in the store, if it says so."""
    count: Callable[[], Awaitable[int]] | None = app.state.count_tables
    metrics: Metrics = app.state.metrics
    if count is None:
        return
    try:
        with fail_after(_PATIENCE):
            metrics.kept(await count())
    except (ServiceError, TimeoutError) as error:
        _log.warning("the tables in the store were not counted: %s", one_line(error))


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


def _root(error: BaseException) -> BaseException:
    """Return what ``error`` was raised from in the end: what a driver says is for the operator alone."""
    while error.__cause__ is not None:
        error = error.__cause__
    return error
