"""Recorded calls: JSON lines of when who called, played against a video."""

from __future__ import annotations

import json
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
_KEYS = {"at", "player"}
_LONGEST = 60
"""Letters of a value that are quoted."""


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
    if isinstance(at, bool) or not isinstance(at, int | float) or not 0 <= at <= _LATEST:
        raise CallsError(f"line {number}: 'at' is {_short(at)}: expected seconds from the start of the video")
    if player not in players:
        known = ", ".join(map(repr, players))
        raise CallsError(f"line {number}: 'player' is {_short(player)}: expected one of --players, {known}")
    return PlannedCall(float(at), player)


def _object(number: int, line: str) -> dict[str, Any]:
    pairs: list[tuple[str, Any]] = []

    def outermost(found: list[tuple[str, Any]]) -> dict[str, Any]:
        pairs[:] = found  # objects come from the inside out: the last is the whole
        return dict(found)

    try:
        found = json.loads(line, object_pairs_hook=outermost)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or set(found) != _KEYS or len(pairs) != len(_KEYS):
        why = _why([key for key, _ in pairs]) if isinstance(found, dict) else ""
        raise CallsError(f'line {number}: {why}expected a call as in {{"at": 12.5, "player": "Ann"}}')
    return found


def _why(keys: Sequence[str]) -> str:
    """What is wrong with the keys of a call."""
    for key in keys:
        if key not in _KEYS:
            return f"unknown key {_short(key)}: "
        if keys.count(key) > 1:
            return f"{key!r} twice: "
    return ""


def _short(value: object) -> str:
    """Quote a value; of a long one the beginning."""
    told = repr(value)
    return told if len(told) <= _LONGEST else f"{told[:_LONGEST]}… ({len(told)} characters)"
