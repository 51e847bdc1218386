"""An operation as a command of curl, with the examples of the description."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from shlex import quote
from typing import Any
from urllib.parse import quote as in_address

from service.api_page.schemas import Schema, as_json, examples_of

__all__ = ["curl_line"]

_KEY = '--header "Authorization: Bearer $KEY"'
_BYTES = re.compile(r"\(the bytes of (.+)\)")
_LONG = 200
"""Characters beyond which a field is sent from a file."""


def curl_line(method: str, path: str, operation: Schema, kind: str | None = None, example: Any = None) -> str:
    """Return the command, for a shell, that sends an ``example`` of a ``kind`` of body, None: without a body.

    ``$SERVER`` stands for the address of the service, ``$KEY`` for a key.
    """
    usual = "GET" if kind is None else "POST"
    words = ["curl", *([] if method == usual else ["--request", method]), f'"$SERVER{_address(path, operation)}"']
    options = [_KEY] if operation.get("security") else []
    if kind is not None:
        options += _body(kind, example)
    return " \\\n    ".join([" ".join(words), *options])


def _address(path: str, operation: Schema) -> str:
    """Return the ``path`` with the examples of its parameters."""
    for one in operation.get("parameters", ()):
        if one["in"] == "path":
            for shown in examples_of(one)[:1]:
                path = path.replace(f"{{{one['name']}}}", in_address(str(shown), safe=""))
    return path


def _body(kind: str, example: Any) -> Iterator[str]:
    """Yield the options that send an example as a ``kind`` of content."""
    if kind == "multipart/form-data":
        yield from _form(example)
    elif kind == "application/json":
        yield f"--json {quote(as_json(example))}"
    else:
        yield f"--header {quote(f'Content-Type: {kind}')}"
        found = _BYTES.fullmatch(str(example))
        yield f"--data-binary {quote(f'@{found[1]}' if found else str(example))}"


def _form(example: Mapping[str, Any]) -> Iterator[str]:
    """Yield one option for each value of each field; photos and long texts are sent from files."""
    for name, shown in example.items():
        for value in shown if isinstance(shown, list) else [shown]:
            if _BYTES.fullmatch(value):
                yield f"--form {quote(f'{name}=@{name}.jpg')}"
            else:
                yield f"--form {quote(f'{name}=@{name}.json' if len(value) > _LONG else f'{name}={value}')}"
