"""Every refusal over HTTP: which status it has, and its one shape; the texts are those of the command line.

Where these name an option, over HTTP it is the field of that name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from service.errors import ServiceError, code_of, one_line
from service.guard import refusal
from vision.types import VisionError

__all__ = ["STATUS", "add_refusals"]

STATUS: Mapping[str, int] = {
    "bad-argument": 400,
    "busy": 503,
    "missing-models": 500,
    "missing-library": 500,
    "missing-field": 422,
    "not-a-picture": 415,
    "slow-upload": 408,
    "too-many-bytes": 413,
    "too-many-pixels": 413,
    "unsupported-format": 415,
}
"""Status of each code of an error; a code that is not named here is a photo that cannot be read: 422."""

_OPTION = re.compile(r"--([a-z][a-z-]*)(?: (?:FILE|GAME|PHOTO|FACES|\1)\b)?")
"""An option of the command line in a text: over HTTP it is a field of the same name, which holds the file."""

_HTTP_TEXTS = {404: "nothing lives at this address; see /openapi.json", 405: "this address does not take that method"}


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
    return refusal(status, code, text, {"retry-after": "2"} if status == 503 else None)


def _codes(error: BaseException | None) -> Iterator[str]:
    """Yield the code of ``error`` and those of the errors of the photo that it tells of."""
    while isinstance(error, ServiceError | VisionError):
        yield code_of(error)
        error = error.__context__


def _bad_parameter(request: Request, error: Exception) -> Response:
    first: dict[str, Any] = error.errors()[0] if isinstance(error, RequestValidationError) else {}
    name = str(first.get("loc", ("",))[-1])
    expected = str(first.get("msg", "")).replace("Input should be ", "expected ")
    return refusal(400, "bad-parameter", f"{name} is {first.get('input')!r}: {expected[:1].lower()}{expected[1:]}")


def _http(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        raise error
    status = error.status_code
    code = {404: "not-found", 405: "method-not-allowed"}.get(status, "bad-request")
    text = _HTTP_TEXTS.get(status, str(error.detail).lower())
    return refusal(status, code, text, dict(error.headers or {}) or None)
