"""The web page: one file at every address that people see, and the files that it is made of.

Which view is shown is for the page's script, which reads the address. Browsers keep the files, and ask each time
whether they are still the newest.
"""

from __future__ import annotations

from os import PathLike, stat_result
from pathlib import Path

from fastapi import FastAPI, Request, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

__all__ = ["add_page", "is_page"]

_STATIC = Path(__file__).parent / "static"
_SHELL = "index.html"
_VIEWS = ("/", "/photo", "/live", "/table", "/table/{table}", "/j", "/j/", "/j/{code}")
"""Addresses of views; a code stands for a key of a table, so these paths are not for logs."""
_AT_THE_ROOT = ("service-worker.js", "manifest.webmanifest")
"""Files whose place says how much of the site they are about."""
_PATHS = frozenset({*_VIEWS, *(f"/{name}" for name in _AT_THE_ROOT)})
_FOLDERS = ("/static/", "/table/", "/j/")
_TYPES = {".js": "text/javascript; charset=utf-8", ".webmanifest": "application/manifest+json"}
"""Said here because a system's own table may say something else, and no browser runs a script of another type."""


def is_page(path: str) -> bool:
    """Return whether a ``path`` is one of the page's: it costs next to nothing."""
    return path in _PATHS or path.startswith(_FOLDERS)


class _Files(StaticFiles):
    """Files that a browser may keep if it asks each time (with its ETag) whether there is a new version."""

    def file_response(
        self, full_path: str | PathLike[str], stat_result: stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        """Return a file, or 304 where the browser has it."""
        response = super().file_response(full_path, stat_result, scope, status_code)
        response.headers["cache-control"] = "no-cache"
        kind = _TYPES.get(Path(full_path).suffix)
        if kind is not None and status_code == response.status_code:
            response.headers["content-type"] = kind
        return response


def add_page(app: FastAPI, folder: Path = _STATIC) -> None:
    """Give ``app`` the page whose files are in ``folder``."""
    files = _Files(directory=folder)

    async def show_page(request: Request) -> Response:
        """Return the page; its script looks at the address."""
        return await files.get_response(_SHELL, request.scope)

    async def page_file(request: Request) -> Response:
        """Return a file that has to be at the root."""
        return await files.get_response(request.url.path.removeprefix("/"), request.scope)

    for path in _VIEWS:
        app.add_api_route(path, show_page, methods=["GET", "HEAD"], include_in_schema=False)
    for name in _AT_THE_ROOT:
        app.add_api_route(f"/{name}", page_file, methods=["GET", "HEAD"], include_in_schema=False)
    app.mount("/static", files, name="static")
