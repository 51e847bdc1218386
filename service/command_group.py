"""The command group: one clear line on standard error for every failure, an exit status, and never a traceback."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from pydantic import ValidationError
from typer.core import TyperGroup

from service.console import complain
from service.errors import ServiceError, comes_from, one_line
from service.streams import hush_output, prepare_streams, settle_streams

__all__ = ["RefereeGroup"]

_BROKEN_PIPE = 141
_INTERRUPTED = 130
_BAD = 2
_CORNERS = "{0} needs four points x,y in pixels, as in {0} 310,205 512,208 508,521 305,518"
_OF_CORNERS, _FOUR = ("--corners", "--corners-after"), 4
_PLAINER = (
    ("less than or equal to", "at most"),
    ("greater than or equal to", "at least"),
    ("Option '--corners' requires 4 arguments", _CORNERS.format("--corners")),
    ("Option '--corners-after' requires 4 arguments", _CORNERS.format("--corners-after")),
    ("a valid number, unable to parse string as a number", "a number"),
    ("a valid integer, unable to parse string as an integer", "a whole number"),
)


class RefereeGroup(TyperGroup):
    """Runs the commands of ``set-referee``."""

    def main(self, *args: Any, **extra: Any) -> NoReturn:
        """Run the command named by the arguments and leave with its exit status."""
        extra["standalone_mode"] = False
        extra["args"] = _unquoted(sys.argv[1:] if extra.get("args") is None else extra["args"])
        prepare_streams()
        try:
            status = super().main(*args, **extra)
        except (Exception, SystemExit) as error:
            status = _status_of(error)
        settle_streams()
        sys.exit(status if isinstance(status, int) else 0)

    def invoke(self, ctx: Any) -> Any:
        """Run the command and return its exit status."""
        try:
            status = super().invoke(ctx)
            sys.stdout.flush()
        except (BrokenPipeError, KeyboardInterrupt, ServiceError) as error:
            return _status_of(error)
        return status


def _unquoted(arguments: Sequence[str]) -> list[str]:
    """Return the ``arguments`` with four corners that are quoted together as four arguments."""
    found = list(arguments)
    for place in reversed(range(1, len(found))):
        words = found[place].split()
        if found[place - 1] in _OF_CORNERS and len(words) == _FOUR:
            found[place : place + 1] = words
    return found


def _status_of(error: BaseException) -> int:
    """Say in one line what ended the command, and return its exit status.

    A pipe that nobody reads ends it quietly, also where a library has made another exception of that; an interrupt
    while a library loads may come as one that cannot be loaded.
    """
    if comes_from(error, BrokenPipeError):
        hush_output()
        return _BROKEN_PIPE
    if comes_from(error, KeyboardInterrupt):
        complain("interrupted")
        return _INTERRUPTED
    if isinstance(error, SystemExit):
        return error.code if isinstance(error.code, int) else _BAD
    if text := _usage(error):
        complain(text)
    return _BAD


def _usage(error: BaseException) -> str:
    """Return what is wrong with the command line or its input, or the one line about a fault of ours.

    Nothing at all where the command line is empty: then its help has been printed.
    """
    if isinstance(error, ServiceError):
        return one_line(error)
    if isinstance(error, OSError):
        return f"cannot go on: {(error.strerror or one_line(error)).lower()}"
    if not hasattr(error, "format_message"):
        return f"unexpected {type(error).__name__}: {one_line(error)}; please report this command and what it was given"
    text = _plain(" ".join(str(error.format_message()).split()).rstrip("."), error.__cause__)
    return f"{text[:1].lower()}{text[1:]} (see set-referee --help)" if text else ""


def _plain(text: str, cause: BaseException | None) -> str:
    """Return the parser's ``text`` about a value without the words of the checker that is its ``cause``."""
    text = text.replace("Value error, ", "")
    if isinstance(cause, ValidationError):
        given = cause.errors()[0]["input"]
        text = text.replace("Input should be", f"{given!r}: expected", 1)
        if str(given).strip("+- ").lower() == "nan":
            text = f"{text.partition(': expected')[0]}: expected a number"
    for words, plainer in _PLAINER:
        text = text.replace(words, plainer)
    return text
