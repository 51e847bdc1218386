"""Every refusal over HTTP: which status it has, and its one shape; the texts are those of the command line.

Where these name an option, over HTTP it is the field of that name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from math import ceil

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from engine.fields import short
from service.errors import ServiceError, code_of, one_line
from service.field_faults import expected_of, field_fault
from service.guard import refusal
from vision.types import VisionError

__all__ = ["EVENT_TYPES", "STATUS", "add_refusals"]

STATUS: Mapping[str, int] = {
    "bad-argument": 400,
    "bad-body": 400,
    "bad-key": 401,
    "busy": 503,
    "full": 503,
    "last-host": 409,
    "missing-models": 500,
    "missing-library": 500,
    "missing-field": 422,
    "moved": 412,
    "no-call": 409,
    "no-board-file": 404,
    "no-dispute": 404,
    "no-invitation": 404,
    "no-key": 401,
    "no-oddity": 409,
    "no-replay": 409,
    "no-table": 404,
    "no-tie": 409,
    "not-a-picture": 415,
    "not-allowed": 403,
    "not-possible": 409,
    "not-tied": 409,
    "seat-taken": 409,
    "slow-upload": 408,
    "store-full": 503,
    "store-gone": 503,
    "table-full": 409,
    "tied": 409,
    "too-many-bytes": 413,
    "too-many-pixels": 413,
    "too-many-requests": 429,
    "unknown-key": 404,
    "unsupported-format": 415,
    "wrong-content-type": 415,
}
"""Status of each code of an error; a code that is not named here is a photo that cannot be read: 422."""

_RETRY = 2.0
"""Seconds after which to try again where an error does not say it as ``retry_after``."""

_OPTION = re.compile(r"--([a-z][a-z-]*)(?: (?:FILE|GAME|PHOTO|FACES|\1)\b)?")
"""An option of the command line in a text: over HTTP it is a field of the same name, which holds the file."""

EVENT_TYPES = "event_types"
"""Where the state of a request has the types of events of its table's game."""

_HTTP_TEXTS = {404: "nothing lives at this address; see /docs", 405: "this address does not take that method"}


def add_refusals(app: FastAPI) -> None:
    """Make ``app`` answer every refusal in the one shape."""
    app.add_exception_handler(VisionError, _refused)
    app.add_exception_handler(ServiceError, _refused)
    app.add_exception_handler(RequestValidationError, _bad_parameter)
    app.add_exception_handler(HTTPException, _http)


def _refused(request: Request, error: Exception) -> Response:
    code = next((code for code in _codes(error) if code in STATUS), code_of(error))
    status, text = STATUS.get(code, 422), one_line(error)
    if isinstance(error, ServiceError):
        text = _OPTION.sub(r"\1", text)
    return refusal(status, code, text, _headers(status, error))


def _headers(status: int, error: Exception) -> dict[str, str] | None:
    """Return what a client is told to do next: to send a key, or to come back after so many seconds."""
    if status == 401:
        return {"www-authenticate": "Bearer"}
    if status in (429, 503):
        return {"retry-after": str(max(1, ceil(getattr(error, "retry_after", _RETRY))))}
    return None


def _codes(error: BaseException | None) -> Iterator[str]:
    """Yield the code of ``error`` and those of the errors of the photo that it tells of."""
    while isinstance(error, ServiceError | VisionError):
        yield code_of(error)
        error = error.__context__


def _bad_parameter(request: Request, error: Exception) -> Response:
    if not isinstance(error, RequestValidationError):
        raise error
    first = error.errors()[0]
    source, *where = first["loc"]
    if source == "body":
        types = getattr(request.state, EVENT_TYPES, ())
        return refusal(422, "bad-field", field_fault(first, error.body, where, types))
    expected = expected_of(first) or str(first["msg"]).lower()
    return refusal(400, "bad-parameter", f"{where[-1]} is {short(first['input'])}: expected {expected}")


def _http(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        raise error
    status = error.status_code
    code = {404: "not-found", 405: "method-not-allowed"}.get(status, "bad-request")
    text = _HTTP_TEXTS.get(status, str(error.detail).lower())
    return refusal(status, code, text, dict(error.headers or {}) or None)
