"""One WebSocket of the API as a part of the page: what both sides say, with an example of each message."""

from __future__ import annotations

import re
from collections.abc import Iterable

from service.api_page.markup import Html, element, heading, joined, link, prose, prose_line
from service.api_page.schemas import Schema, Schemas, anchor_of, as_json, first_example, name_of

__all__ = ["socket_anchor", "socket_of"]


def socket_anchor(path: str) -> str:
    """Return the anchor of the WebSocket at ``path``.

    >>> socket_anchor("/api/v1/tables/{table}/socket")
    'socket-api-v1-tables-table-socket'
    """
    return f"socket-{'-'.join(re.findall('[A-Za-z0-9]+', path))}"


def socket_of(path: str, socket: Schema, schemas: Schemas) -> Html:
    """Return a WebSocket with everything that the description says of it."""
    client = socket["client"]
    binary = client.get("binary")
    pictures = [_row(element("code", binary["contentMediaType"]), binary["description"])] if binary else []
    closes = [_row(element("code", code), text) for code, text in socket["closes"].items()]
    return element(
        "article",
        heading(socket_anchor(path), socket["summary"]),
        element("p", element("b", "WebSocket"), " ", element("code", path), class_="address"),
        prose(socket["description"]),
        element("h4", "First message of the client"),
        element("dl", _message(client["first"], schemas)),
        element("h4", "Then the client may say"),
        element("dl", *_messages(client["then"]["oneOf"], schemas), *pictures),
        element("h4", "The server says"),
        element("dl", *_messages(socket["server"]["oneOf"], schemas)),
        element(
            "details", element("summary", f"Codes of closing: {', '.join(socket['closes'])}"), element("dl", *closes)
        ),
    )


def _messages(references: Iterable[Schema], schemas: Schemas) -> list[Html]:
    return [_message(one, schemas) for one in references]


def _message(reference: Schema, schemas: Schemas) -> Html:
    """Return a message by its type, which links to its fields, with its example."""
    name = name_of(reference["$ref"])
    schema = schemas[name]
    kind = schema["properties"]["type"]["const"]
    row = _row(link(anchor_of(name), element("code", kind)), schema.get("description", ""))
    return joined([row, element("dd", element("pre", as_json(first_example(schema))))])


def _row(name: Html, text: str) -> Html:
    return joined([element("dt", name), element("dd", prose_line(text))])
