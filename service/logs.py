"""Logs of the service: one line an event on standard error, JSON where no person watches, and no secrets ever.

Everything logs through the standard library's ``logging``; structlog lays the lines out. What belongs to a request
carries its id, which :func:`structlog.contextvars.bound_contextvars` binds.
"""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Sequence
from typing import Any, TextIO

import structlog
from structlog.types import EventDict, Processor, WrappedLogger

__all__ = ["LOGGER", "configure_logs", "redacted", "without_keys"]

LOGGER = "set_referee"
"""The logger of the service; its parts may use ``set_referee.part``."""

_QUIET = ("uvicorn.access", "httpx", "httpcore", "asyncio", "alembic", "sqlalchemy")
"""Loggers of which only warnings are of use here; the service has its own line a request."""

_HIDDEN = "[hidden]"
_SECRETS: tuple[tuple[re.Pattern[str], str], ...] = (
    # a key of a table; who it was may be told, by its public half
    (re.compile(r"([\w-]{8})\.[\w-]{22,}"), rf"\1.{_HIDDEN}"),
    # the password of an address such as postgresql://user:password@host
    (re.compile(r"(://[^\s:/@\"']*:)[^\s]{0,512}@"), rf"\1{_HIDDEN}@"),
    (re.compile(r"(?i)\b((?:bearer|basic)[ +]+)[\w.~+/=-]+"), rf"\1{_HIDDEN}"),
    (re.compile(r"(?i)\b(authorization|cookie|password|passwd|pgpassword)(\W{1,6})[^\s,;}\"']+"), rf"\1\2{_HIDDEN}"),
)
_CONTROLS = {code: f"\\x{code:02x}" for code in (*range(32), 127, *range(128, 160)) if chr(code) != "\n"}
"""Characters that would act on a terminal, as they are shown instead."""


def without_keys(text: str) -> str:
    """Return ``text`` with only the public half of each key of a table that stands in it."""
    pattern, instead = _SECRETS[0]
    return pattern.sub(instead, text)


def redacted(text: str) -> str:
    """Return ``text`` without keys of tables, passwords and Authorization headers, and without control characters."""
    for pattern, instead in _SECRETS:
        text = pattern.sub(instead, text)
    return text.translate(_CONTROLS)


def configure_logs(stream: TextIO | None = None) -> None:
    """Send the logs of this process to ``stream``, standard error by default.

    They are JSON lines, or easier to read where ``stream`` is a terminal.
    """
    target = sys.stderr if stream is None else stream
    handler = logging.StreamHandler(target)
    handler.setFormatter(_formatter(readable=target.isatty()))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
    for name in _QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)


def _formatter(*, readable: bool) -> logging.Formatter:
    known: Sequence[Processor] = (
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.ExtraAdder(),
        structlog.processors.TimeStamper("iso", key="time"),
        structlog.processors.format_exc_info,
    )
    layout: Processor = (
        structlog.dev.ConsoleRenderer(colors=False, timestamp_key="time")
        if readable
        else structlog.processors.JSONRenderer(default=str)
    )
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=known,
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, _uncoloured, _clean, layout],
    )


def _uncoloured(logger: WrappedLogger, method: str, event: EventDict) -> EventDict:
    event.pop("color_message", None)  # uvicorn's second text, for terminals
    return event


def _clean(logger: WrappedLogger, method: str, event: EventDict) -> EventDict:
    return {name: _clean_value(name, value) for name, value in event.items()}


def _clean_value(name: str, value: Any) -> Any:
    if name.lower() in {"authorization", "key", "password"}:
        return _HIDDEN
    return value if isinstance(value, bool | int | float | None) else redacted(str(value))
