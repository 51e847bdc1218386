"""JSON bodies: bounded and checked before anything is made of them; what is wrong is said in one line.

Limits are in bytes. A body that is no JSON, or JSON that nothing here can mean (NaN, half of a letter, numbers of
thousands of digits, nesting without end), is refused before it is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable
from math import isfinite
from typing import Any, ClassVar

from fastapi import Request, Response
from fastapi.routing import APIRoute
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError, model_validator

from service.errors import ServiceError
from service.receiving import check_parameters, media_type, whole

__all__ = [
    "BOARD_BYTES",
    "BODY_BYTES",
    "RECORD_BYTES",
    "BadBodyError",
    "BoardRoute",
    "Body",
    "BodyKindError",
    "BodyTooLongError",
    "JsonRoute",
    "example",
    "parsed",
    "received_body",
]

BODY_BYTES = 64 * 1024
"""Longest JSON body."""
BOARD_BYTES = 1_000_000
"""Longest JSON body that may hold a board file."""
RECORD_BYTES = 8_000_000
"""Longest record that is imported; a long game has a hundredth of that."""

_JSON: TypeAdapter[Any] = TypeAdapter(Any)
_DEEPEST = 32
_WIDEST = 2**63


class BadBodyError(ServiceError, ValueError):
    """A body that is no JSON, or not the JSON that is expected."""

    code = "bad-body"


class BodyKindError(ServiceError, TypeError):
    """A body of another content type."""

    code = "wrong-content-type"

    def __init__(self, given: str, expected: str) -> None:
        """Quote the content type that was ``given`` and say which is ``expected``."""
        super().__init__(f"the body has Content-Type {given[:60]!r}: send {expected}")


class BodyTooLongError(ServiceError, ValueError):
    """A body with more bytes than it may have."""

    code = "too-many-bytes"

    def __init__(self, most: int) -> None:
        """Say how long it may be."""
        super().__init__(f"the body is too long: at most {most:,} bytes")


class Body(BaseModel):
    """What a request says as JSON: its fields and no others, each of its own kind."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)

    @model_validator(mode="before")
    @classmethod
    def _knows_its_fields(cls, found: object) -> object:
        known = [field.alias or name for name, field in cls.model_fields.items()]
        for key in found if isinstance(found, dict) else ():
            if key not in known:
                raise ValueError(f"{str(key)[:60]!r} is no field here: expected {', '.join(known) or 'none'}")
        return found


def example(**fields: Any) -> ConfigDict:
    """Return the configuration of a model that has these ``fields`` as its example."""
    return ConfigDict(json_schema_extra={"example": fields})


async def received_body(request: Request, most: int) -> bytes:
    """Return the body of a request.

    :raises BodyTooLongError: it has more than ``most`` bytes; it is not read to its end.
    :raises SlowBodyError: it takes too long.
    """
    return await whole(request, request.app.state.settings, most, lambda count: BodyTooLongError(most))


def parsed(data: bytes) -> Any:
    """Return what the JSON ``data`` says.

    :raises BadBodyError: it is no JSON, or nested more than 32 deep, or holds a number that is none or too large.
    """
    try:
        found = _JSON.validate_json(data)
    except ValidationError as error:
        raise BadBodyError(f"the body is no JSON: {error.errors()[0]['msg'].removeprefix('Invalid JSON: ')}") from None
    inner: list[object] = [found]
    for _ in range(_DEEPEST):
        if not all(map(_is_plain, inner)):
            raise BadBodyError("the body is no JSON of a request: a number is none, or too large")
        inner = [part for one in inner for part in _parts(one)]
    if inner:
        raise BadBodyError(f"the body is no JSON of a request: nested more than {_DEEPEST} deep")
    return found


def _parts(one: object) -> Iterable[object]:
    return one.values() if isinstance(one, dict) else one if isinstance(one, list) else ()


def _is_plain(one: object) -> bool:
    """Return whether ``one``, if it is a number, is one that can be reckoned with and written again."""
    return abs(one) < _WIDEST if isinstance(one, int) else not isinstance(one, float) or isfinite(one)


class _Received(Request):
    """A request whose JSON body has come and been looked at."""

    def __init__(self, request: Request, data: bytes, found: object) -> None:
        super().__init__(request.scope, request.receive)
        self._data, self._found = data, found

    async def body(self) -> bytes:
        """Return the bytes."""
        return self._data

    async def json(self) -> Any:
        """Return what they say."""
        return self._found


class JsonRoute(APIRoute):
    """An address that takes its own parameters only, and a JSON body within bounds where it takes one at all."""

    most: ClassVar[int] = BODY_BYTES

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return what serves a request: the checks, and then what FastAPI makes of the function."""
        serve = super().get_route_handler()
        known = [field.alias for field in self.dependant.query_params]

        async def checked(request: Request) -> Response:
            check_parameters(request, known)
            return await serve(request if self.body_field is None else await _received(request, self.most))

        return checked


class BoardRoute(JsonRoute):
    """An address whose JSON body may hold a board file."""

    most = BOARD_BYTES


async def _received(request: Request, most: int) -> Request:
    data = await received_body(request, most)
    if not data:
        return _Received(request, data, None)
    if media_type(request) != "application/json":
        raise BodyKindError(request.headers.get("content-type", ""), "a JSON object as application/json")
    return _Received(request, data, parsed(data))
