"""One operation of the API as a part of the page: what it takes, an example, what it answers, how it refuses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from service.api_page.curl import curl_line
from service.api_page.markup import Html, element, heading, joined, link, prose, prose_line
from service.api_page.schemas import (
    NULL,
    Schema,
    Schemas,
    as_json,
    definition,
    examples_of,
    fields,
    kind_of,
    message,
    name_of,
)

__all__ = ["article_of"]

_FORM = "multipart/form-data"
_PLACES = {"query": "in the address", "header": "header", "path": "in the path", "cookie": "cookie"}


def article_of(method: str, path: str, operation: Schema, schemas: Schemas) -> Html:
    """Return an operation with everything that the description says of it."""
    bodies = _bodies(operation)
    answers = {status: one for status, one in operation["responses"].items() if status[0] in "123"}
    parts = [
        heading(operation["operationId"], operation.get("summary", path)),
        element("p", element("b", method), " ", element("code", path), class_="address"),
        prose(operation.get("description", "")),
        element("p", _who(operation), class_="who"),
        _parameters(operation),
        *(_body(kinds, content, schemas) for kinds, content in bodies),
        element("h4", "Example"),
        *(element("pre", one) for one in _requests(method, path, operation, schemas)),
        element("h4", "Answer"),
        *(joined(_answer(status, one, schemas)) for status, one in answers.items()),
        _refusals(operation),
    ]
    return element("article", *parts)


def _who(operation: Schema) -> Html:
    if not operation.get("security"):
        return joined(["Anyone may, without a key."])
    return joined(["Needs a key of the table: ", element("code", "Authorization: Bearer KEY"), "."])


def _parameters(operation: Schema) -> Html:
    rows = [
        definition(one["name"], _sent({**one["schema"], **one}), one.get("required", False), _PLACES[one["in"]])
        for one in operation.get("parameters", ())
    ]
    return joined([element("h4", "Parameters"), element("dl", *rows)]) if rows else Html()


def _sent(schema: Schema) -> Schema:
    """Return the schema of a parameter or a field of a form: it is never null, and of many each is sent for itself."""
    found = {**schema, "anyOf": [one for one in schema.get("anyOf", ()) if one != NULL]}
    return {**found, "example": found["example"][0]} if isinstance(found.get("example"), list) else found


def _bodies(operation: Schema) -> list[tuple[list[str], Schema]]:
    """Return each content that a request may have, with all its kinds."""
    found: list[tuple[list[str], Schema]] = []
    for kind, content in operation.get("requestBody", {}).get("content", {}).items():
        same = next((kinds for kinds, other in found if other == content), None)
        if same is None:
            found.append(([kind], content))
        else:
            same.append(kind)
    return found


def _body(kinds: list[str], content: Schema, schemas: Schemas) -> Html:
    schema = content["schema"]
    whole = schemas[name_of(schema["$ref"])] if "$ref" in schema else schema
    if kinds == [_FORM]:
        whole = {**whole, "properties": {name: _sent(one) for name, one in whole["properties"].items()}}
    named = joined((element("code", kind) for kind in kinds), " or ")
    inside = _inside(whole, schemas)
    said = joined([named, ": ", kind_of(schema)]) if "$ref" in schema or not inside else named
    return joined([element("h4", "Body"), element("p", said), prose(whole.get("description", "")), inside])


def _inside(schema: Schema, schemas: Schemas) -> Html:
    """Return what a body holds: fields, or one of several objects; nothing where it is all one."""
    if "oneOf" in schema:
        return element("dl", *(message(one, schemas) for one in schema["oneOf"]))
    return fields(schema)


def _requests(method: str, path: str, operation: Schema, schemas: Schemas) -> Iterator[str]:
    """Yield a command for each example of each content, one where there is none."""
    bodies = _bodies(operation)
    if not bodies:
        yield curl_line(method, path, operation)
    for kinds, content in bodies:
        for example in examples_of(content, schemas):
            yield curl_line(method, path, operation, kinds[0], example)


def _answer(status: str, answer: Schema, schemas: Schemas) -> Iterator[Html]:
    """Yield what an answer is, and an example of each of its kinds."""
    contents: Mapping[str, Schema] = answer.get("content", {})
    yield element("p", element("b", status), " ", prose_line(answer["description"]))
    for kind, content in contents.items():
        schema = content.get("schema", {})
        named = [": ", kind_of(schema)] if "$ref" in schema else []
        yield element("p", element("code", kind), *named)
        for shown in examples_of(content, schemas):
            yield element("pre", shown if isinstance(shown, str) else as_json(shown))


def _refusals(operation: Schema) -> Html:
    """Return the refusals, folded up: most are those of every address."""
    found = {status: one for status, one in operation["responses"].items() if status[0] not in "123"}
    if not found:
        return Html()
    rows = [
        joined([element("dt", status), element("dd", prose_line(one["description"]))])
        for status, one in sorted(found.items())
    ]
    shape = element("p", "Every body is an ", link("schema-ErrorShape", "ErrorShape"), ".")
    return element("details", element("summary", f"Refusals: {', '.join(sorted(found))}"), element("dl", *rows), shape)
