"""The description of the service: whoever has nothing else can write a client from it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from engine.editions import EDITIONS
from service.app import create_app
from service.hub import Close
from service.refusals import STATUS
from service.settings import Settings
from tests.fakes import FakeReader

METHODS = ("get", "post", "put", "patch", "delete")
ERROR = "#/components/schemas/ErrorShape"
PICTURES = ("image/", "application/octet-stream")

Operation = dict[str, Any]


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    """The OpenAPI document."""
    return create_app(Settings(), FakeReader()).openapi()


@pytest.fixture(scope="module")
def operations(document: dict[str, Any]) -> list[tuple[str, Operation]]:
    """Every operation with its method and path."""
    return list(operations_of(document))


def operations_of(document: dict[str, Any]) -> Iterator[tuple[str, Operation]]:
    """Yield every operation of a document with its method and path."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if method in METHODS:
                yield f"{method.upper()} {path}", operation


def resolved(schema: dict[str, Any], document: dict[str, Any]) -> dict[str, Any]:
    """Return what a schema refers to, or itself."""
    name = schema.get("$ref", "").rpartition("/")[2]
    found: dict[str, Any] = document["components"]["schemas"][name] if name else schema
    return found


def is_shown(content: dict[str, Any], document: dict[str, Any]) -> bool:
    """Return whether a content has an example, of its own or of its schema or of each of its kinds."""
    schema = resolved(content.get("schema", {}), document)
    kinds = [kind for key in ("oneOf", "anyOf") for kind in schema.get(key, ()) if kind.get("type") != "null"]
    if any(key in place for place in (content, schema) for key in ("example", "examples")):
        return True
    return bool(kinds) and all(is_shown({"schema": kind}, document) for kind in kinds)


def faults_of(operation: Operation, document: dict[str, Any]) -> Iterator[str]:
    """Yield what a client's author would miss in the description of an operation."""
    for key in ("summary", "description", "operationId", "tags"):
        if not operation.get(key):
            yield f"no {key}"
    for parameter in operation.get("parameters", ()):
        if not parameter.get("description"):
            yield f"parameter {parameter['name']} without a description"
    for kind, content in operation.get("requestBody", {}).get("content", {}).items():
        if "schema" not in content or not is_shown(content, document):
            yield f"body {kind} without an example"
    for status, answer in operation["responses"].items():
        yield from (f"{status}: {fault}" for fault in _answer_faults(status, answer, document))
    if not any(status.startswith("2") for status in operation["responses"]):
        yield "no answer"
    if operation.get("requestBody") and not {"413", "422"} <= set(operation["responses"]):
        yield "a body without its refusals"
    if operation.get("parameters") and not {"400", "422", "404"} & set(operation["responses"]):
        yield "parameters without their refusals"


def _answer_faults(status: str, answer: dict[str, Any], document: dict[str, Any]) -> Iterator[str]:
    contents = answer.get("content", {})
    if not answer.get("description"):
        yield "no description"
    if status.startswith("2"):
        for kind, content in contents.items():
            if not kind.startswith(PICTURES) and not is_shown(content, document):
                yield f"{kind} without an example"
    elif status.startswith(("4", "5")) and contents.get("application/json", {}).get("schema", {}).get("$ref") != ERROR:
        yield "not the one shape of errors"


def test_every_operation_is_described(document: dict[str, Any], operations: list[tuple[str, Operation]]) -> None:
    assert len(operations) >= 7
    wrong = [f"{name}: {fault}" for name, operation in operations for fault in faults_of(operation, document)]
    assert not wrong, "\n".join(wrong)


def test_every_operation_has_a_name_of_its_own(operations: list[tuple[str, Operation]]) -> None:
    names = Counter(operation["operationId"] for _, operation in operations)
    assert [name for name, count in names.items() if count > 1] == []
    assert [name for name in names if not re.fullmatch(r"[a-z]+(_[a-z]+)*", name) or "api" in name.split("_")] == []


def test_the_walk_finds_what_is_missing(document: dict[str, Any]) -> None:
    bare: Operation = {"requestBody": {"content": {"a/b": {}}}, "parameters": [{"name": "x"}], "responses": {"500": {}}}
    assert list(faults_of(bare, document)) == [
        "no summary",
        "no description",
        "no operationId",
        "no tags",
        "parameter x without a description",
        "body a/b without an example",
        "500: no description",
        "500: not the one shape of errors",
        "no answer",
        "a body without its refusals",
        "parameters without their refusals",
    ]


def test_the_one_shape_is_described(document: dict[str, Any]) -> None:
    shape = document["components"]["schemas"]["ErrorShape"]
    assert list(shape["properties"]) == ["error"]
    assert set(shape["example"]["error"]) == {"code", "text"}
    assert "HTTPValidationError" not in document["components"]["schemas"]


def test_the_document_says_what_all_addresses_share(document: dict[str, Any]) -> None:
    text = document["info"]["description"]
    assert all(f"`{code}`" in text for code, status in STATUS.items() if status != 422)
    assert all(f"`{key}`" in text for key in EDITIONS)
    assert f"{Settings().max_bytes:,} bytes" in text
    told = {one["name"] for one in document["tags"]}
    assert {tag for _, operation in operations_of(document) for tag in operation["tags"]} <= told


def lacking(example: Any, schema: dict[str, Any], document: dict[str, Any], where: str = "") -> Iterator[str]:
    """Yield what a schema requires and an example does not have, null or not."""
    whole = resolved(schema, document)
    choices = [*whole.get("anyOf", ()), *whole.get("oneOf", ())]
    if choices and example is not None:
        found = [list(lacking(example, one, document, where)) for one in choices if one.get("type") != "null"]
        yield from min(found, key=len)
    elif isinstance(example, dict):
        yield from (f"{where}.{name}" for name in whole.get("required", ()) if name not in example)
        inner = whole.get("properties", {})
        for name, value in example.items():
            yield from lacking(value, inner.get(name, {}), document, f"{where}.{name}")
    elif isinstance(example, list):
        for value in example:
            yield from lacking(value, whole.get("items", {}), document, f"{where}[]")


def contents_of(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every content that a request or an answer may have, with where it stands."""
    for name, operation in operations_of(document):
        for kind, content in operation.get("requestBody", {}).get("content", {}).items():
            yield f"{name} {kind}", content
        for status, answer in operation["responses"].items():
            for kind, content in answer.get("content", {}).items():
                yield f"{name} {status} {kind}", content


def test_examples_have_everything_that_their_schemas_require(document: dict[str, Any]) -> None:
    shown = [(where, one) for where, one in contents_of(document) if "example" in one]
    schemas = document["components"]["schemas"].items()
    shown += [(name, {"example": one["example"], "schema": one}) for name, one in schemas if "example" in one]
    assert len(shown) > 40
    found = [
        f"{where}{lack}" for where, one in shown for lack in lacking(one["example"], one.get("schema", {}), document)
    ]
    assert not found, "\n".join(found)


def test_what_an_example_lacks_is_found(document: dict[str, Any]) -> None:
    content = document["paths"]["/api/v1/tables"]["post"]["responses"]["201"]["content"]["application/json"]
    nulls = {"caller", "turn", "tie", "oddity", "hands", "outcome"}
    state = {name: value for name, value in content["example"]["state"].items() if name not in nulls}
    found = set(lacking({**content["example"], "state": state}, content["schema"], document))
    assert found == {f".state.{name}" for name in nulls}


def test_every_answer_says_what_it_is(operations: list[tuple[str, Operation]]) -> None:
    answers = [(name, *answer) for name, operation in operations for answer in operation["responses"].items()]
    assert [answer[:2] for answer in answers if answer[2]["description"] == "Successful Response"] == []


@pytest.mark.parametrize(
    ("address", "fields"),
    [
        ("turns", {"before", "after", "board"}),
        ("boards", {"photo", "game"}),
        ("wilds", {"photo", "board"}),
        ("judgements", {"photo", "pick"}),
        ("hints", {"photo"}),
        ("photos", {"photo"}),
    ],
)
def test_examples_of_forms_hold_what_is_needed(document: dict[str, Any], address: str, fields: set[str]) -> None:
    body = document["paths"][f"/api/v1/{address}"]["post"]["requestBody"]
    assert set(body["content"]["multipart/form-data"]["example"]) == fields


def test_every_code_with_which_sockets_are_closed_is_there(document: dict[str, Any]) -> None:
    for socket in document["x-websockets"].values():
        assert set(socket["closes"]) == {str(int(code)) for code in Close} | {"1009", "1011"}


def test_everything_that_is_referred_to_is_there(document: dict[str, Any]) -> None:
    known = {f"#/components/schemas/{name}" for name in document["components"]["schemas"]}
    assert set(_references(document)) <= known


def _references(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        if isinstance(reference := part.get("$ref"), str):
            yield reference
        for one in part.values():
            yield from _references(one)
    elif isinstance(part, list):
        for one in part:
            yield from _references(one)
