"""A running service for tests, and what its answers have in common."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import httpx
from fastapi import FastAPI

from service import reading
from service.app import create_app
from service.guard import HEADERS
from service.serve import listening_socket, server_of
from service.settings import Settings
from tests.fakes import FakeReader
from vision.load import Limits
from vision.types import Frame

__all__ = ["PHOTOS", "Switch", "is_refused", "post", "serving", "serving_app"]

PHOTOS = "/api/v1/photos"


@contextmanager
def serving(reader: reading.Reads | None, settings: Settings | None = None) -> Iterator[httpx.Client]:
    """Run the service on a free port and yield a client of it."""
    with serving_app(create_app(settings or Settings(), reader)) as client:
        yield client


@contextmanager
def serving_app(app: FastAPI) -> Iterator[httpx.Client]:
    """Run ``app`` on a free port and yield a client of it."""
    listener = listening_socket("127.0.0.1", 0)
    server = server_of(app)
    server.config.timeout_graceful_shutdown = 1
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive(), "the service did not start"
            time.sleep(0.005)
        with httpx.Client(base_url=f"http://127.0.0.1:{listener.getsockname()[1]}", trust_env=False) as client:
            yield client
    finally:
        server.should_exit = True
        thread.join(20)
        listener.close()


@dataclass
class Switch:
    """Hands each photo to the reader of the moment, so that many tests can share one running service."""

    reader: FakeReader

    def read(self, data: bytes, limits: Limits | None = None) -> Frame:
        """Return what the reader of the moment sees."""
        return self.reader.read(data, limits)


def post(client: httpx.Client, data: bytes, query: str = "", name: str = "table.jpg", **headers: str) -> httpx.Response:
    """Send a photo."""
    return client.post(PHOTOS + query, files={"photo": (name, data)}, headers=headers)


def is_refused(response: httpx.Response, status: int, code: str) -> str:
    """Check the one shape of error, and return its text."""
    assert response.status_code == status, response.text
    body = response.json()
    assert list(body) == ["error"]
    assert list(body["error"]) == ["code", "text"]
    assert body["error"]["code"] == code
    text: str = body["error"]["text"]
    assert text
    assert "\n" not in text
    assert HEADERS.items() <= dict(response.headers).items()
    return text
