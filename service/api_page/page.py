"""The page of the API: ``GET /docs``, the whole OpenAPI document for people to read, and its WebSockets."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from string import Template

from fastapi import FastAPI, Request, Response

from service.api_page.markup import Html, element, heading, joined, link, prose
from service.api_page.operations import article_of
from service.api_page.schemas import Schema, Schemas, anchor_of, as_json, examples_of, fields, kind_of
from service.api_page.sockets import socket_anchor, socket_of

__all__ = ["add_api_page", "page_of"]

_FRAME = Template("""\
<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  $title
  <link rel="icon" href="/static/icon.svg" type="image/svg+xml">
  <link rel="stylesheet" href="/static/styles/tokens.css">
  <link rel="stylesheet" href="/static/styles/dark.css" media="(prefers-color-scheme: dark)">
  <link rel="stylesheet" href="/static/styles/docs.css">
</head>
<body>
$body
</body>
</html>
""")

_BREAK = Html("/<wbr>")
"""A long address goes on in the next line after a slash."""

_SHELL = """\
**Examples** are commands for a shell: `$SERVER` is the address of this service, `$KEY` a key of the table. Opening a
table answers with its keys.
"""
_SOCKETS = """\
Messages are JSON objects, one each; pictures are binary messages. The client speaks first, within 5 seconds; then both
sides say what they like, in any order.
"""
_SCHEMAS = "What is sent and answered, by name. Fields that are not marked as required may be left out."


def add_api_page(app: FastAPI) -> None:
    """Give ``app`` the page of its description at ``/docs``; it is made when it is first asked for."""

    @cache
    def made() -> tuple[bytes, str]:
        content = page_of(app.openapi()).encode()
        return content, f'"{sha256(content).hexdigest()[:16]}"'

    @app.api_route("/docs", methods=["GET", "HEAD"], include_in_schema=False)
    def api_page(request: Request) -> Response:
        """Return the page, or 304 where the client has it."""
        content, tag = made()
        headers = {"etag": tag, "cache-control": "no-cache"}
        if tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        return Response(content, media_type="text/html", headers=headers)


def page_of(document: Schema) -> str:
    """Return an OpenAPI ``document``, with its ``x-websockets``, as a page of HTML."""
    info, schemas = document["info"], document["components"]["schemas"]
    title = f"{info['title']}: the HTTP interface"
    about = element("section", prose(info.get("description", "")), *_keys(document), prose(_SHELL))
    tags = [_tag_section(tag, document) for tag in document["tags"]]
    main = element("main", about, *tags, _socket_section(document), _schema_section(schemas))
    body = joined([_header(title, info["version"]), _contents(document), main], "\n")
    return _FRAME.substitute(title=element("title", title), body=body)


def _header(title: str, version: str) -> Html:
    programs = element("a", "/openapi.json", href="/openapi.json")
    return element("header", element("h1", title), element("p", f"Version {version}. For programs: ", programs))


def _keys(document: Schema) -> Iterator[Html]:
    """Yield what the document says of each kind of key."""
    for scheme in document["components"].get("securitySchemes", {}).values():
        form = f"`Authorization: Bearer {scheme.get('bearerFormat', 'KEY')}`"
        yield prose(f"**Keys.** {scheme['description']} It is sent as {form}, to WebSockets in the first message.")


def _operations(document: Schema, tag: str) -> Iterator[tuple[str, str, Schema]]:
    """Yield method, path and description of each operation of a ``tag``."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if tag in operation.get("tags", ()):
                yield method.upper(), path, operation


def _contents(document: Schema) -> Html:
    """Return the table of contents."""
    parts = [
        _listed(
            _tag_anchor(tag),
            _title(tag),
            [(one["operationId"], method, path) for method, path, one in _operations(document, tag["name"])],
        )
        for tag in document["tags"]
    ]
    sockets = [(socket_anchor(path), "WS", path) for path in document["x-websockets"]]
    names = joined((link(anchor_of(name), name) for name in sorted(document["components"]["schemas"])), ", ")
    schemas = element("details", element("summary", "Schemas"), element("p", names))
    return element("nav", *parts, _listed("sockets", "WebSockets", sockets), schemas)


def _listed(anchor: str, title: str, items: list[tuple[str, str, str]]) -> Html:
    """Return a part of the contents: its title, and its addresses as (anchor, method, path)."""
    rows = [
        element("li", link(to, element("b", method), " ", element("span", joined(path.split("/"), _BREAK))))
        for to, method, path in items
    ]
    return joined([element("p", link(anchor, title)), element("ul", *rows)])


def _tag_anchor(tag: Schema) -> str:
    return f"tag-{tag['name']}"


def _title(tag: Schema) -> str:
    return str(tag["name"]).capitalize()


def _tag_section(tag: Schema, document: Schema) -> Html:
    schemas = document["components"]["schemas"]
    articles = [article_of(*one, schemas) for one in _operations(document, tag["name"])]
    about = prose(tag.get("description", ""))
    return element("section", heading(_tag_anchor(tag), _title(tag), 2), about, *articles)


def _socket_section(document: Schema) -> Html:
    schemas = document["components"]["schemas"]
    articles = [socket_of(path, one, schemas) for path, one in document["x-websockets"].items()]
    return element("section", heading("sockets", "WebSockets", 2), prose(_SOCKETS), *articles)


def _schema_section(schemas: Schemas) -> Html:
    articles = [_schema(name, schemas[name]) for name in sorted(schemas)]
    return element("section", heading("schemas", "Schemas", 2), prose(_SCHEMAS), *articles)


def _schema(name: str, schema: Schema) -> Html:
    """Return a schema: its fields or what else it may be, and its example."""
    return element(
        "article",
        heading(anchor_of(name), name),
        prose(schema.get("description", "")),
        fields(schema) or element("p", kind_of(schema)),
        *(element("pre", as_json(one)) for one in examples_of(schema)),
    )
