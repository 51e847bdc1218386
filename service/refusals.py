"""Every refusal over HTTP: which status it has, and its one shape; the texts are those of the command line.

Where these name an option, over HTTP it is the field of that name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from reprlib import repr as shortened
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from service.errors import ServiceError, code_of, one_line
from service.guard import refusal
from vision.types import VisionError

__all__ = ["STATUS", "add_refusals", "field_fault"]

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
    "no-dispute": 404,
    "no-key": 401,
    "no-oddity": 409,
    "no-replay": 409,
    "no-table": 404,
    "no-tie": 409,
    "not-a-picture": 415,
    "not-allowed": 403,
    "seat-taken": 409,
    "slow-upload": 408,
    "store-full": 503,
    "store-gone": 503,
    "table-full": 409,
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

_AN_OBJECT = "a valid dictionary or object to extract fields from"
"""What pydantic calls a JSON object."""

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
    first: dict[str, Any] = error.errors()[0] if isinstance(error, RequestValidationError) else {}
    if first.get("loc", ("",))[0] == "body":
        return refusal(422, "bad-field", field_fault(first["loc"][1:], first))
    name = str(first.get("loc", ("",))[-1])
    expected = str(first.get("msg", "")).replace("Input should be ", "expected ")
    return refusal(400, "bad-parameter", f"{name} is {first.get('input')!r}: {expected[:1].lower()}{expected[1:]}")


def field_fault(where: Sequence[int | str], fault: Mapping[str, Any]) -> str:
    """Return in one line what pydantic found wrong with a field: ``where`` it is, what is expected, and what is there.

    Where ``fault`` is in one of several kinds of objects, the name of the kind comes first: ``picked.cards[0]``.
    """
    named = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in where).removeprefix(".")
    kind, text = fault["type"], str(fault["msg"]).removeprefix("Value error, ").replace(_AN_OBJECT, "a JSON object")
    if kind == "missing":
        return f"`{named}` is missing" if named else "the body is missing: send a JSON object"
    named = f"`{named}`: " if named else ""
    if kind == "union_tag_not_found":
        return f"{named}{fault['ctx']['discriminator']} is missing, or no text"
    if not text.startswith("Input should be "):
        return f"{named}{text[:1].lower()}{text[1:]}"
    return f"{named}{text.replace('Input should be ', 'expected ')}; got {shortened(fault.get('input'))}"


def _http(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        raise error
    status = error.status_code
    code = {404: "not-found", 405: "method-not-allowed"}.get(status, "bad-request")
    text = _HTTP_TEXTS.get(status, str(error.detail).lower())
    return refusal(status, code, text, dict(error.headers or {}) or None)
