"""Standard streams as this process finds them: closed, in another encoding, or read by nobody any more."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from io import TextIOWrapper
from typing import TextIO

__all__ = ["hush_output", "legible", "prepare_streams", "send_utf8", "settle_streams"]


def legible(name: str) -> str:
    r"""Return the file name ``name`` with what is no Unicode as escapes, so that it can be shown and sent.

    >>> print(legible("table\udcff.jpg"))
    table\udcff.jpg
    """
    return name.encode("utf-8", "backslashreplace").decode("utf-8")


def prepare_streams() -> None:
    """Give a process whose standard streams are closed empty ones, and let no character stop the output."""
    for stream, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        # in this order each takes the descriptor that is free, which no file opened later can take then
        if getattr(sys, stream) is None:
            setattr(sys, stream, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    for output in (sys.stdout, sys.stderr):
        if isinstance(output, TextIOWrapper):
            output.reconfigure(errors="backslashreplace")


def send_utf8() -> None:
    """Make standard output UTF-8, as JSON has to be."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")


def hush_output() -> None:
    """Send what is still to come on standard output nowhere: Python flushes it once more, and would complain."""
    _hush(sys.stdout)


def settle_streams() -> None:
    """Flush both outputs for the last time; one that cannot be written is hushed, so that the exit status stands."""
    for output in (sys.stdout, sys.stderr):
        try:
            output.flush()
        except (OSError, ValueError):
            _hush(output)


def _hush(output: TextIO) -> None:
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, output.fileno())
        os.close(nowhere)
