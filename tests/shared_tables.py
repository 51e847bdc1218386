"""A service with tables, over HTTP, for tests: a client that shows keys and checks the form of every answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import httpx
from pydantic import BaseModel

from service.answer import ErrorShape
from service.api.models import CallAnswer, EntriesAnswer, PlayedAnswer, TableAnswer
from service.app import create_app
from service.hub import TableState
from service.settings import Settings
from tests.fakes import FakeReader
from tests.served import serving_app

__all__ = ["CLASSIC", "TABLES", "Answer", "Table", "form", "opened", "refused", "serving"]

TABLES = "/api/v1/tables"
CLASSIC = {"game": "classic", "players": ["Ann", "Ben"]}
_Model = TypeVar("_Model", bound=BaseModel)
Answer = httpx.Response


@contextmanager
def serving(folder: Path, settings: Mapping[str, Any] | None = None) -> Iterator[httpx.Client]:
    """Run a service whose tables are kept in a file of ``folder``, and yield a client of it."""
    usual = {"database": f"sqlite:///{folder / 'tables.sqlite'}", "client_tables": 100_000, "client_rate": 10_000}
    with serving_app(create_app(Settings(**{**usual, **(settings or {})}), FakeReader())) as client:
        yield client


def form(model: type[_Model], answer: Answer, status: int = 200) -> _Model:
    """Return what is answered, which must have this form and status."""
    assert answer.status_code == status, answer.text
    assert answer.headers["cache-control"] == "no-store"
    return model.model_validate_json(answer.content)


def refused(answer: Answer, status: int, code: str) -> str:
    """Return the text of a refusal, which must have the one shape, this status and this code."""
    error = form(ErrorShape, answer, status).error
    assert error.code == code, error
    assert "\n" not in error.text
    return error.text


@dataclass
class Table:
    """A table and its keys, as somebody has them who has opened it."""

    client: httpx.Client
    id: str
    keys: Mapping[str, str]
    """The keys by role, or by the player's name."""
    state: TableState

    @property
    def path(self) -> str:
        """Where it is."""
        return f"{TABLES}/{self.id}"

    def get(self, path: str = "", who: str | None = "host", **headers: str) -> Answer:
        """Ask for something of the table, with somebody's key."""
        return self.client.get(self.path + path, headers=self.headers(who, headers))

    def post(self, path: str, body: object, who: str | None = "host", **headers: str) -> Answer:
        """Send something to the table, with somebody's key."""
        return self.client.post(self.path + path, json=body, headers=self.headers(who, headers))

    def delete(self, path: str = "", who: str | None = "host") -> Answer:
        """Take something away, with somebody's key."""
        return self.client.delete(self.path + path, headers=self.headers(who))

    def headers(self, who: str | None, more: Mapping[str, str] | None = None) -> dict[str, str]:
        """The headers of a request with somebody's key; names have _ for -."""
        given = {name.replace("_", "-"): value for name, value in (more or {}).items()}
        return given if who is None else {"authorization": f"Bearer {self.keys.get(who, who)}", **given}

    def play(self, event: Mapping[str, Any], who: str = "host", **headers: str) -> PlayedAnswer:
        """Tell an event, which must be one."""
        return form(PlayedAnswer, self.post("/events", event, who, **headers))

    def call(self, who: str, **fields: Any) -> CallAnswer:
        """Call."""
        return form(CallAnswer, self.post("/calls", fields, who))

    def now(self, who: str = "host") -> TableState:
        """How the table stands."""
        return form(TableState, self.get(who=who))

    def entries(self, after: int = 0, who: str = "host") -> EntriesAnswer:
        """What has happened."""
        return form(EntriesAnswer, self.get(f"/events?after={after}", who))


def opened(client: httpx.Client, answer: Answer) -> Table:
    """Return the table that was just opened."""
    found = form(TableAnswer, answer, 201)
    assert answer.headers["location"] == f"{TABLES}/{found.id}"
    keys = found.keys.model_dump()
    return Table(client, found.id, {**keys.pop("players"), **keys}, found.state)
