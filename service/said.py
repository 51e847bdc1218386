"""What a request says as JSON where it may also come as a form with a photo."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, TypeVar

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field, ValidationError

from service.api.bodies import BODY_BYTES, parsed, received_body
from service.receiving import check_parameters, media_type
from service.upload import Form

__all__ = ["CalledName", "asks_in_json", "form_and_json", "said"]

_Asked = TypeVar("_Asked", bound=BaseModel)
_JSON = "application/json"

CalledName = Annotated[str, Field(max_length=100)]
"""A piece as people call it, in any language."""


def asks_in_json(request: Request) -> bool:
    """Return whether the body of a request is said to be JSON."""
    return media_type(request) == _JSON


async def said(request: Request, model: type[_Asked], most: int = BODY_BYTES) -> _Asked:
    """Return what the JSON body of a request says; the address has no parameters then.

    :raises ServiceError: it has more than ``most`` bytes, takes too long, or is no JSON; or there are parameters.
    :raises RequestValidationError: it is not what the ``model`` expects.
    """
    check_parameters(request, ())
    found = parsed(await received_body(request, most))
    try:
        return model.model_validate(found)
    except ValidationError as error:
        faults = [{**one, "loc": ("body", *one["loc"])} for one in error.errors()]
        raise RequestValidationError(faults, body=found) from None


def _inlined(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a JSON schema with its definitions where they are referred to, for they are no part of the document."""
    known = schema.pop("$defs", {})

    def whole(part: Any) -> Any:
        if isinstance(part, list):
            return [whole(one) for one in part]
        if not isinstance(part, dict):
            return part
        name = str(part.get("$ref", "")).rpartition("/")[2]
        rest = {key: whole(value) for key, value in part.items() if key != "$ref"}
        return {**whole(known[name]), **rest} if name else rest

    return {key: whole(value) for key, value in schema.items()}


def form_and_json(form: Form, model: type[BaseModel], examples: Mapping[str, Any]) -> dict[str, Any]:
    """Return the description of a body that is the ``form`` or the JSON of the ``model``.

    ``examples`` are bodies by what they show.
    """
    shown = {name: {"value": value} for name, value in examples.items()}
    return form.openapi({_JSON: {"schema": _inlined(model.model_json_schema()), "examples": shown}})
