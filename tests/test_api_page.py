"""The page of the API: everything of the description is on it, nothing hostile is, and it is HTML that holds."""

from __future__ import annotations

import json
import re
import shlex
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from service.api_page import add_api_page, page_of
from service.api_page.curl import curl_line
from service.api_page.markup import prose
from service.api_page.schemas import as_json, definition, examples_of, kind_of
from service.app import create_app
from service.guard import HEADERS
from service.settings import Settings
from tests.fakes import FakeReader
from tests.test_guard import Client
from tests.test_openapi import operations_of

Document = dict[str, Any]

KIND: dict[str, Document] = {
    "text, 1 to 40 characters, or null": {
        "anyOf": [{"type": "string", "minLength": 1, "maxLength": 40}, {"type": "null"}]
    },
    "integer, at least -2^53, below 2^53": {"type": "integer", "minimum": -(2**53), "exclusiveMaximum": 2**53},
    "number, above 0, at most 0.5": {"type": "number", "exclusiveMinimum": 0, "maximum": 0.5},
    "list of text, 3 items": {"type": "array", "items": {"type": "string"}, "minItems": 3, "maxItems": 3},
    "list of (text or integer), at least 2 items": {
        "type": "array",
        "items": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
        "minItems": 2,
    },
    "[integer, State]": {"type": "array", "prefixItems": [{"type": "integer"}, {"$ref": "#/components/schemas/State"}]},
    "object, each field: integer": {"type": "object", "additionalProperties": {"type": "integer"}},
    "never or yes-no": {"type": "string", "enum": ["never", "yes-no"]},
    "true": {"const": True},
    "file": {"type": "string", "format": "binary"},
    "anything": {},
}
VOID = {"link", "meta", "wbr"}
STYLES = ("tokens.css", "dark.css", "docs.css")
HOSTILE = '<script>alert("x")</script> `</code><img src=x onerror=y>` **<b onclick="z">** & "quoted"'


class Page(HTMLParser):
    """What is on a page: its texts, its ids, its links, its elements; which must be balanced."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.faults: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.names: Counter[str] = Counter()
        self.attributes: set[str] = set()
        self.said: list[str] = []
        self.feed(html)
        self.close()
        self.text = "".join(self.said)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element and what it has."""
        given = dict(attrs)
        self.names[tag] += 1
        self.attributes |= set(given)
        self.ids += [value for key, value in attrs if key == "id" and value]
        self.links += [value for key, value in attrs if key in ("href", "src") and value]
        if tag == "p" and "p" in self.open:
            self.faults.append("a paragraph in a paragraph")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Note an end that has no beginning."""
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> at {self.getpos()}")

    def handle_data(self, data: str) -> None:
        """Note a text."""
        self.said.append(data)


@pytest.fixture(scope="module")
def app() -> FastAPI:
    """The service, which is not started."""
    return create_app(Settings(), FakeReader())


@pytest.fixture(scope="module")
def document(app: FastAPI) -> Document:
    """Its description."""
    return app.openapi()


@pytest.fixture(scope="module")
def answer(app: FastAPI) -> httpx.Response:
    """Its page."""
    return Client(app).get("/docs")


@pytest.fixture(scope="module")
def page(answer: httpx.Response) -> Page:
    """What is on it."""
    return Page(answer.text)


def pieces(text: str) -> list[str]:
    """Return the words of a description between its marks, as they stand on the page."""
    return [part.strip() for part in re.split(r"`+|\*\*|\n\s*\n|^- ", text, flags=re.MULTILINE) if part.strip()]


def texts_of(part: Any) -> Iterator[str]:
    """Yield every description and summary in a document."""
    if isinstance(part, dict):
        yield from (one for key, one in part.items() if key in ("description", "summary") and isinstance(one, str))
        for key, one in part.items():
            if key not in ("example", "examples"):
                yield from texts_of(one)
    elif isinstance(part, list):
        for one in part:
            yield from texts_of(one)


def test_every_operation_is_on_the_page(document: Document, page: Page) -> None:
    for name, operation in operations_of(document):
        assert name in page.text
        assert operation["operationId"] in page.ids
        assert f"#{operation['operationId']}" in page.links


def test_every_socket_message_and_code_of_closing_is_on_the_page(document: Document, page: Page) -> None:
    assert len(document["x-websockets"]) == 3
    for path, socket in document["x-websockets"].items():
        article = page.text.partition(f"WebSocket {path}")[2].partition("Codes of closing")[0]
        said = [socket["client"]["first"], *socket["client"]["then"]["oneOf"], *socket["server"]["oneOf"]]
        for name in (one["$ref"].rpartition("/")[2] for one in said):
            schema = document["components"]["schemas"][name]
            assert f"#schema-{name}" in page.links
            assert pieces(schema["description"])[0] in article
            assert json.dumps(schema["properties"]["type"]["const"]) in article, name
        assert ("image/jpeg" in article) is ("binary" in socket["client"])
        assert all(f"{code}{pieces(text)[0]}" in page.text for code, text in socket["closes"].items())


def test_every_schema_and_its_fields_are_on_the_page(document: Document, page: Page) -> None:
    for name, schema in document["components"]["schemas"].items():
        assert f"schema-{name}" in page.ids
        article = page.text.rpartition(f"{name}{pieces(schema['description'])[0]}")[2]
        assert all(field in article for field in schema.get("properties", ())), name


def test_every_description_is_on_the_page(document: Document, page: Page) -> None:
    missing = {one for text in texts_of(document) for one in pieces(text) if one not in page.text}
    assert not missing


def test_it_is_html_that_holds(page: Page) -> None:
    assert page.faults == []
    assert page.open == []
    assert [name for name, count in Counter(page.ids).items() if count > 1] == []
    assert page.names["h1"] == 1


def test_links_lead_somewhere(app: FastAPI, page: Page) -> None:
    inner = {address for address in page.links if address.startswith("#")}
    assert {address[1:] for address in inner} <= set(page.ids)
    outer = set(page.links) - inner
    assert outer == {"/openapi.json", "/static/icon.svg", *(f"/static/styles/{name}" for name in STYLES)}
    assert all(Client(app).get(address).status_code == 200 for address in outer)


def test_nothing_on_it_runs_or_comes_from_elsewhere(page: Page) -> None:
    assert not {"script", "style", "img", "iframe", "form"} & set(page.names)
    assert page.attributes == {"charset", "class", "content", "href", "id", "lang", "media", "name", "rel", "type"}
    for name in STYLES:
        css = (Path(__file__).parents[1] / "service" / "static" / "styles" / name).read_text(encoding="utf-8")
        assert "url(" not in css
        assert "@import" not in css


def test_its_headers(app: FastAPI, answer: httpx.Response) -> None:
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    own = {"cache-control": "no-cache"}
    assert {**HEADERS, **own}.items() <= dict(answer.headers).items()
    head = Client(app).request("HEAD", "/docs")
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["etag"] == answer.headers["etag"]


@pytest.mark.parametrize("known", ["{}", "W/{}", '"other", {}'])
def test_who_has_it_is_not_sent_it_again(app: FastAPI, answer: httpx.Response, known: str) -> None:
    tag = answer.headers["etag"]
    again = Client(app).get("/docs", headers={"if-none-match": known.format(tag)})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert Client(app).get("/docs", headers={"if-none-match": '"other"'}).status_code == 200


def test_it_is_made_once() -> None:
    asked = []

    class Counting(FastAPI):
        def openapi(self) -> Document:
            asked.append(1)
            return hostile("x")

    app = Counting(docs_url=None)
    add_api_page(app)
    assert not asked
    assert {Client(app).get("/docs").status_code for _ in range(3)} == {200}
    assert asked == [1]


def hostile(text: str) -> Document:
    """Return a document that has ``text`` wherever a text may stand."""
    field = {"type": "string", "enum": [text], "description": text, "default": text, "example": text}
    schema = {"type": "object", "description": text, "properties": {text: field, "type": {"const": text}}}
    schema["example"] = {text: text}
    reference = {"$ref": "#/components/schemas/Evil"}
    content = {"application/json": {"schema": reference}, text: {"schema": {"type": "string"}, "example": text}}
    operation = {
        "tags": [text],
        "operationId": "evil",
        "summary": text,
        "description": text,
        "security": [{"key": []}],
        "parameters": [{"name": text, "in": "query", "description": text, "schema": field}],
        "requestBody": {"content": {"multipart/form-data": {"schema": schema}, **content}},
        "responses": {"200": {"description": text, "content": content}, "400": {"description": text}},
    }
    socket = {
        "summary": text,
        "description": text,
        "client": {"first": reference, "then": {"oneOf": [reference]}},
        "server": {"oneOf": [reference]},
        "closes": {"4400": text},
    }
    return {
        "info": {"title": text, "version": text, "description": text},
        "tags": [{"name": text, "description": text}],
        "paths": {f"/{text}": {"post": operation}},
        "components": {"schemas": {"Evil": schema, "ErrorShape": {"type": "object"}}},
        "x-websockets": {f"/{text}": socket},
    }


def test_hostile_texts_are_texts() -> None:
    page = Page(page_of(hostile(HOSTILE)))
    assert page.faults == []
    assert not {"script", "img"} & set(page.names)
    assert not {"onerror", "onclick", "src"} & page.attributes
    assert page.text.count('<script>alert("x")</script>') > 20


@pytest.mark.parametrize("words", KIND)
def test_kinds_are_told_in_words(words: str) -> None:
    assert Page(kind_of(KIND[words])).text == words


def test_a_field_says_all_that_is_known_of_it() -> None:
    field = {"type": "integer", "default": 0, "description": "Entries after `this`.", "examples": [7, 8]}
    assert Page(definition("after", field, False, "in the address")).text == (
        "after integer; in the address; default 0Entries after this. Example: 7"
    )
    assert Page(definition("after", field, True)).text == "after integer; requiredEntries after this. Example: 7"
    inner = {"anyOf": [{"type": "string", "description": "Whatever."}, {"type": "null"}], "default": None}
    assert Page(definition("id", inner, False)).text == "id text, or nullWhatever."


def test_examples_are_found_where_they_are() -> None:
    schemas = {"Part": {"examples": [{"b": 1, "a": 2}], "properties": {"a": {}, "b": {}}}}
    content = {"schema": {"oneOf": [{"type": "null"}, {"$ref": "#/components/schemas/Part"}]}}
    assert [list(one.items()) for one in examples_of(content, schemas)] == [[("a", 2), ("b", 1)]]
    assert examples_of(content) == []
    assert examples_of({**content, "examples": {"x": {"value": 1}, "y": {"value": 2}}}) == [1, 2]
    assert examples_of({"example": None}) == [None]


@pytest.mark.parametrize("value", [{}, [], "é", None, {"a": [list(range(40)), {"b": "x" * 99, "c": {}}], "d": 1.5}])
def test_json_for_people_is_json(value: Any) -> None:
    assert json.loads(as_json(value)) == value


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("a\nb\n\n\nc", "<p>a\nb</p><p>c</p>"),
        ("a:\n- `b`\n- c", "<p>a:</p><ul><li><code>b</code></li><li>c</li></ul>"),
        ("**a <b>** ``c `d` ``", "<p><b>a &lt;b&gt;</b> <code>c `d` </code></p>"),
        ("a ` b ** c", "<p>a ` b ** c</p>"),
        ("", ""),
    ],
)
def test_the_little_markdown(text: str, html: str) -> None:
    assert prose(text) == html


def test_a_command_holds_whatever_is_sent() -> None:
    sent = curl_line("POST", "/x", {}, "application/json", {"a": "it's $HOME"})
    assert shlex.split(sent.replace("\\\n", " ")) == ["curl", "$SERVER/x", "--json", '{"a": "it\'s $HOME"}']
    form = {"photo": ["(the bytes of t.jpg)"], "board": "x" * 300, "as": ["1,2=wild", "$(id)"]}
    parts = shlex.split(curl_line("PUT", "/x", {}, "multipart/form-data", form).replace("\\\n", " "))
    assert parts[1:4] == ["--request", "PUT", "$SERVER/x"]
    assert parts[5::2] == ["photo=@photo.jpg", "board=@board.json", "as=1,2=wild", "as=$(id)"]


def test_whoever_is_lost_is_told_of_it(app: FastAPI) -> None:
    assert Client(app).get("/nowhere").json()["error"]["text"].endswith("see /docs")
    assert 'href="/docs"' in Client(app).get("/").text


def test_examples_of_requests_are_commands(document: Document) -> None:
    commands = {Page(one).text for one in re.findall(r"<pre>(curl .*?)</pre>", page_of(document), re.DOTALL)}
    assert len(commands) >= len(list(operations_of(document)))
    server, key = '"$SERVER/api/v1/', ' \\\n    --header "Authorization: Bearer $KEY"'
    assert f'curl {server}tables/t5hw9qpzk3"{key}' in commands
    assert f'curl --request DELETE {server}tables/t5hw9qpzk3/keys/q2w3e4r5"{key}' in commands
    assert f'curl {server}judgements" \\\n    --form photo=@photo.jpg \\\n    --form pick=0,4,7' in commands
