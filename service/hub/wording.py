"""What people tell in words of their own: events, and the names of pieces."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from engine.called import canonical
from engine.editions import EDITIONS, Edition
from engine.events import Event
from engine.fields import EVERY_GAME, GAME_FORMS
from engine.record import Header, RecordError, read_event
from engine.tokens import Piece
from service.hub.errors import BadEventError, NoNameError

__all__ = ["event_of", "piece_of", "types_of"]

_MOST_EVENT = 20_000
"""Longest event, in characters of its JSON."""
_NAMES = frozenset({"card", "tile", "face", "as", "from", "to"})
"""Fields of events that hold the name of a piece."""
_LISTS = frozenset({"cards", "faces", "as"})
"""Fields of events that hold a list of names."""


def types_of(edition: Edition) -> tuple[str, ...]:
    """Return the types of the events that a game knows."""
    return tuple(form.key for form in (*GAME_FORMS[edition.key], *EVERY_GAME))


def piece_of(name: str, edition: Edition) -> Piece:
    """Return the piece that people call by this ``name``, in the words of any edition and language.

    :raises NoNameError: it is no piece of the game.
    """
    try:
        return _pieces(edition.key)[canonical(name)]
    except KeyError:
        raise NoNameError(name, edition.title, _samples(edition.key)) from None


@cache
def _pieces(key: str) -> Mapping[str, Piece]:
    return {str(piece): piece for piece in EDITIONS[key].deck}


def _samples(key: str) -> list[str]:
    """Return what names look like: one of a piece, and one of each other sort."""
    common = [name for name in _pieces(key) if name.startswith("2 red")]
    return [common[len(common) // 2], *(["wild"] if "wild" in _pieces(key) else [])]


def event_of(told: Mapping[str, Any], header: Header) -> Event:
    """Return the event that is ``told`` as a record has it, but for names of pieces in any words.

    :raises BadEventError: it is none, or has a name that is none.
    """
    try:
        line = json.dumps(_named(told, header.edition), ensure_ascii=False, allow_nan=False)
    except NoNameError as error:
        raise BadEventError(str(error)) from None
    except (ValueError, TypeError, RecursionError):
        raise BadEventError("an event is a JSON object with texts, whole numbers and lists") from None
    if len(line) > _MOST_EVENT:
        raise BadEventError(f"an event has at most {_MOST_EVENT} characters; got {len(line)}")
    try:
        return read_event(line, header)
    except RecordError as error:
        raise BadEventError(error.fault) from None


def _named(told: Mapping[str, Any], edition: Edition) -> dict[str, Any]:
    """Return the event with names as records have them; in one of another game, a name that is none here may stay."""
    is_own = told.get("type") in types_of(edition)

    def name(value: object) -> object:
        if not isinstance(value, str):
            return value
        return str(piece_of(value, edition)) if is_own else canonical(value)

    def field(key: str, value: object) -> object:
        if isinstance(value, list):
            return list(map(name, value)) if key in _LISTS else value
        return name(value) if key in _NAMES else value

    return {key: field(key, value) for key, value in told.items()}
