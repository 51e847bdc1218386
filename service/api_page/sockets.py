"""One WebSocket of the API as a part of the page: what both sides say, with an example of each message."""

from __future__ import annotations

import re

from service.api_page.markup import Html, element, heading, joined, prose, prose_line
from service.api_page.schemas import Schema, Schemas, message

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
        element("dl", message(client["first"], schemas)),
        element("h4", "Then the client may say"),
        element("dl", *(message(one, schemas) for one in client["then"]["oneOf"]), *pictures),
        element("h4", "The server says"),
        element("dl", *(message(one, schemas) for one in socket["server"]["oneOf"])),
        element(
            "details", element("summary", f"Codes of closing: {', '.join(socket['closes'])}"), element("dl", *closes)
        ),
    )


def _row(name: Html, text: str) -> Html:
    return joined([element("dt", name), element("dd", prose_line(text))])
