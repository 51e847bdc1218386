"""Recorded calls: JSON lines of when who called, played against a video."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.record import RecordError, lines_of
from service.console import printable
from service.errors import NoFileError, ServiceError, UnreadableFileError, one_line
from service.files import open_record

__all__ = ["CallsError", "PlannedCall", "read_calls"]

_LATEST = 1e7
"""Seconds; nobody plays for months."""


class CallsError(ServiceError, ValueError):
    """A file of calls that cannot be read; says the line."""

    code = "bad-calls"


@dataclass(frozen=True, slots=True, order=True)
class PlannedCall:
    """A call of ``player`` at ``at`` seconds from the start of the source."""

    at: float
    player: str


def read_calls(path: str, players: Sequence[str]) -> tuple[PlannedCall, ...]:
    """Return the calls in the file at ``path``, or on standard input where it is "-", in the order of their times.

    :raises CallsError: there is no such file, or a line is no call by one of ``players``.
    """
    try:
        with open_record(path) as stream:
            calls = [_call(number, line, players) for number, line in lines_of(stream)]
    except (NoFileError, UnreadableFileError, RecordError, CallsError) as error:
        raise CallsError(f"{printable(path)}: {one_line(error)}") from None
    return tuple(sorted(calls, key=lambda call: call.at))


def _call(number: int, line: str, players: Sequence[str]) -> PlannedCall:
    found = _object(number, line)
    at, player = found["at"], found["player"]
    if isinstance(at, bool) or not isinstance(at, int | float) or not (math.isfinite(at) and 0 <= at <= _LATEST):
        raise CallsError(f"line {number}: 'at' is {at!r}: expected seconds from the start of the video")
    if player not in players:
        known = ", ".join(map(repr, players))
        raise CallsError(f"line {number}: 'player' is {player!r}: expected one of --players, {known}")
    return PlannedCall(float(at), player)


def _object(number: int, line: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or set(found) != {"at", "player"}:
        raise CallsError(f'line {number}: expected a call as in {{"at": 12.5, "player": "Ann"}}')
    return found
