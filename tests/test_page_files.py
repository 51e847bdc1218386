"""The page's files: one page at every address of a view, each file sent only where it has changed."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi import FastAPI

from service.app import create_app
from service.guard import HEADERS, is_free
from service.page import add_page, is_page
from service.settings import Settings
from tests.fakes import FakeReader
from tests.served import is_refused
from tests.test_guard import Client

VIEWS = ("/", "/photo", "/live", "/table", "/table/t5hw9qpzk3", "/j", "/j/", "/j/k7m4qx")
FILES = ("/service-worker.js", "/manifest.webmanifest", "/static/index.html")


@pytest.fixture(scope="module")
def client() -> Client:
    """A client of a service that has not started: the page needs nothing that starts."""
    return Client(create_app(Settings(), FakeReader()))


@pytest.mark.parametrize("path", VIEWS)
def test_every_view_is_the_page(path: str, client: Client) -> None:
    page, shell = client.get(path), client.get("/static/index.html")
    assert (page.status_code, page.content) == (200, shell.content)
    assert page.headers["content-type"].startswith("text/html")
    assert client.request("HEAD", path).headers["content-length"] == str(len(shell.content))


@pytest.mark.parametrize("path", ["/j/a/b", "/table/", "/table/a/b", "/tables", "/static/", "/static/no.js"])
def test_nothing_else_is(path: str, client: Client) -> None:
    is_refused(client.get(path), 404, "not-found")


def test_a_view_takes_no_other_method(client: Client) -> None:
    is_refused(client.request("POST", "/table"), 405, "method-not-allowed")


@pytest.mark.parametrize("path", [*VIEWS, *FILES])
def test_a_file_is_sent_again_only_when_it_has_changed(path: str, client: Client) -> None:
    first = client.get(path)
    assert first.headers["cache-control"] == "no-cache"
    again = client.get(path, headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content, again.headers["cache-control"]) == (304, b"", "no-cache")
    assert "content-type" not in again.headers
    assert client.get(path, headers={"if-none-match": '"another"'}).status_code == 200


def test_a_new_version_is_seen_at_once(tmp_path: Path) -> None:
    app = FastAPI()
    (tmp_path / "index.html").write_text("old")
    add_page(app, tmp_path)
    client = Client(app)
    tag = client.get("/").headers["etag"]
    (tmp_path / "index.html").write_text("newer")
    assert client.get("/", headers={"if-none-match": tag}).text == "newer"


def test_files_at_the_root_have_the_types_that_browsers_insist_on(client: Client) -> None:
    assert client.get("/service-worker.js").headers["content-type"].startswith("text/javascript")
    assert client.get("/manifest.webmanifest").headers["content-type"] == "application/manifest+json"


def test_the_page_may_have_a_worker_a_manifest_and_its_own_video() -> None:
    policy = dict(part.split(" ", 1) for part in HEADERS["content-security-policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert {policy[name] for name in ("script-src", "style-src", "manifest-src", "worker-src")} == {"'self'"}
    assert policy["media-src"] == policy["img-src"] == "'self' blob:"


def test_the_page_is_free_of_limits_and_the_api_is_not() -> None:
    for path in (*VIEWS, *FILES):
        assert is_page(path), path
        assert is_free(path), path
    for path in ("/api/v1/invitations", "/api/v1/games", "/docs", "/tables"):
        assert not is_page(path), path
        assert not is_free(path), path
