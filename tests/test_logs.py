"""Logs: JSON lines with the id of the request, and nothing in them that somebody could use."""

from __future__ import annotations

import json
import logging
import secrets
from collections.abc import Callable, Iterator
from io import StringIO
from typing import Any

import pytest
from structlog.contextvars import bound_contextvars

from service.logs import LOGGER, configure_logs, redacted

KEY = "Abc-_123." + secrets.token_urlsafe(16)


class Terminal(StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        """Return that it is."""
        return True


@pytest.fixture
def logging_to() -> Iterator[Callable[[StringIO], StringIO]]:
    """Configure the logs of this process for one test."""
    root = logging.getLogger()
    before, level = root.handlers[:], root.level

    def configured(stream: StringIO) -> StringIO:
        configure_logs(stream)
        return stream

    yield configured
    root.handlers[:] = before
    root.setLevel(level)


@pytest.fixture
def stream(logging_to: Callable[[StringIO], StringIO]) -> StringIO:
    """Where the logs go: no terminal."""
    return logging_to(StringIO())


def lines(stream: StringIO) -> list[dict[str, Any]]:
    """Return what was logged."""
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_a_line_is_json_and_carries_the_request(stream: StringIO) -> None:
    with bound_contextvars(request="r-1"):
        logging.getLogger(f"{LOGGER}.http").info("answered", extra={"status": 200, "ms": 1.5})
    logging.getLogger(LOGGER).warning("%s of %d", "one", 2)
    first, second = lines(stream)
    time = first.pop("time")
    assert time.endswith("Z")
    assert first == {
        "event": "answered",
        "level": "info",
        "logger": "set_referee.http",
        "request": "r-1",
        "status": 200,
        "ms": 1.5,
    }
    assert (second["event"], second["level"]) == ("one of 2", "warning")
    assert "request" not in second


def test_a_traceback_is_one_line_of_json(stream: StringIO) -> None:
    try:
        raise ValueError(f"what\x1b[2J came with {KEY}\nin two lines")
    except ValueError:
        logging.getLogger(LOGGER).exception("fault")
    (line,) = lines(stream)
    assert "Traceback" in line["exception"]
    assert "in two lines" in line["exception"]
    assert "\x1b" not in line["exception"]
    assert KEY.split(".")[1] not in stream.getvalue()


def test_a_terminal_gets_lines_for_people(logging_to: Callable[[StringIO], StringIO]) -> None:
    stream = logging_to(Terminal())
    logging.getLogger(LOGGER).info("answered\x1b[2J", extra={"status": 200, "agent": f"\x1b{KEY}"})
    text = stream.getvalue()
    assert "answered" in text
    assert "status=200" in text
    assert not text.startswith("{")
    assert "\x1b" not in text
    assert KEY.split(".")[1] not in text


def test_uvicorn_logs_the_same_way_but_not_its_own_line_a_request(stream: StringIO) -> None:
    logging.getLogger("uvicorn.error").warning("Invalid", extra={"color_message": "\x1b[1mInvalid"})
    logging.getLogger("uvicorn.access").info("GET /?key=x")
    (line,) = lines(stream)
    assert line["event"] == "Invalid"
    assert "color_message" not in line


def test_debugging_is_off(stream: StringIO) -> None:
    logging.getLogger(LOGGER).debug("nothing")
    assert stream.getvalue() == ""


SECRET = secrets.token_urlsafe(16)


@pytest.mark.parametrize(
    "text",
    [
        f"KEYID_12.{SECRET}",
        f"/api/v1/tables?key=KEYID_12.{SECRET}&after=3",
        f"Authorization: Bearer {SECRET}",
        f"{{'authorization': 'Bearer {SECRET}'}}",
        f"[(b'authorization', b'Bearer {SECRET}')]",
        f"Basic {SECRET}=",
        f"postgresql+psycopg://referee:{SECRET}@db:5432/set",
        f"postgresql://:p@{SECRET}@db/set",
        f"host=db password={SECRET} user=x",
        f"PGPASSWORD={SECRET}",
        f"Cookie: {SECRET}",
    ],
)
def test_secrets_never_pass(text: str, stream: StringIO) -> None:
    assert SECRET not in redacted(text)
    logging.getLogger(LOGGER).warning(
        "it is %s", text, extra={"seen": text, "many": [text], "deep": {"a": {"b": text}}}
    )
    assert SECRET not in stream.getvalue()


@pytest.mark.parametrize("name", ["authorization", "Authorization", "key", "password"])
def test_fields_of_secrets_never_pass(name: str, stream: StringIO) -> None:
    logging.getLogger(LOGGER).warning("it", extra={name: SECRET})
    assert SECRET not in stream.getvalue()


def test_what_is_no_secret_passes() -> None:
    for text in ("KEYID_12", "postgresql://db:5432/set", "service.store.writer", "2 red solid oval", "a\nb", "bearer"):
        assert redacted(text) == text
