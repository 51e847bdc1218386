"""What answers about tables look like in the API description: refusals by status, and an example of every answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from service.answer import ErrorShape

__all__ = ["NDJSON", "Responses", "answered", "done", "refusals"]

Responses = dict[int | str, dict[str, Any]]

_TEXTS: Mapping[int, str] = {
    400: "A parameter, a header or the JSON itself is wrong.",
    401: "No key (`no-key`), or one that does not open this table (`bad-key`).",
    403: "The key's role does not allow this (`not-allowed`).",
    404: "No such table (`no-table`), or no such part of it.",
    408: "The body took too long.",
    409: "The table cannot do this now: a seat is taken, nothing is left to decide, or it is full.",
    412: "The journal has moved on since the entry of If-Match (`moved`): nothing was done.",
    413: "The body has too many bytes.",
    415: "The body has another content type.",
    422: "A field is missing, unknown or of the wrong kind, or names nothing of this table.",
    429: "Too many requests (`too-many-requests`); Retry-After says when to come again.",
    500: "A fault of the service.",
    503: "The service is full (`full`), or its store is full (`store-full`) or gone (`store-gone`); see Retry-After.",
}
_ERROR = {"application/json": {"schema": {"$ref": f"#/components/schemas/{ErrorShape.__name__}"}}}
"""The content of every refusal, whatever the address answers otherwise."""
_OTHERS = {"description": "Any other refusal has the same shape.", "content": _ERROR}
_UNCHANGED: Responses = {304: {"description": "Nothing has been added to the journal since the answer of that ETag."}}

NDJSON: Mapping[str, Any] = {
    "application/x-ndjson": {
        "schema": {"type": "string", "description": "A game record: JSON lines, a header and then an event a line."},
        "example": '{"game": "classic", "players": ["Ann", "Ben"], "options": {}}\n{"type": "pile_out"}\n',
    }
}


def refusals(*statuses: int, unchanged: bool = False) -> Responses:
    """Return the description of what may be answered instead, a fault included; ``unchanged``: 304 too."""
    found: Responses = {
        status: {"description": _TEXTS[status], "content": _ERROR} for status in sorted((*statuses, 500))
    }
    return found | {"4XX": _OTHERS} | (_UNCHANGED if unchanged else {})


def answered(example: Mapping[str, Any], text: str, status: int = 200) -> Responses:
    """Return the description of an answer as it should be, with an ``example``."""
    return {status: {"description": text, "content": {"application/json": {"example": dict(example)}}}}


def done(text: str) -> Responses:
    """Return the description of an answer without a body."""
    return {204: {"description": text}}
