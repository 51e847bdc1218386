"""What the fields of a record hold: each kind checks a value of JSON and turns it into what the event has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.events import (
    Announced,
    Asked,
    Called,
    Claimed,
    Corrected,
    Dealt,
    Ended,
    Event,
    GaveUp,
    Laid,
    NoSet,
    Passed,
    Picked,
    PileOut,
    Rolled,
    Shuffled,
    Swapped,
    Tied,
    TurnEnded,
    Undone,
)
from engine.hints import HintLevel
from engine.tokens import Face, Piece, Tile

__all__ = ["EVERY_GAME", "FOREIGN", "GAME_FORMS", "Context", "FieldError", "FieldForm", "Form", "read_text"]


class FieldError(ValueError):
    """A value that a field of a record cannot hold."""


@dataclass(frozen=True, slots=True)
class Context:
    """What the names in a record mean."""

    players: tuple[str, ...]
    """Who sits at the table."""
    pieces: Mapping[str, Piece]
    """Every piece that can stand there, by its name."""
    game: str
    """What is played."""
    place: int | None = None
    """How many numbers a place has; None in events of other games."""


Kind = Callable[[object, Context, str], Any]


@dataclass(frozen=True, slots=True)
class FieldForm:
    """A field of an event."""

    key: str
    """What JSON calls it."""
    name: str
    """What the event calls it."""
    kind: Kind
    """Checks and turns its value."""
    required: bool = True
    """Whether it has to be there."""


@dataclass(frozen=True, slots=True)
class Form:
    """How an event is written: its type and its fields."""

    key: str
    """What JSON calls it."""
    event: type[Event]
    """What it becomes."""
    fields: tuple[FieldForm, ...] = ()
    """Its own fields; every event may have ``t`` and ``note`` too."""


def short(value: object) -> str:
    """Return ``value`` quoted, cut where it is long."""
    text = "null" if value is None else str(value).lower() if isinstance(value, bool) else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def read_text(value: object, what: str) -> str:
    """Return a text that can be written as UTF-8.

    :raises FieldError: it is none.
    """
    if not isinstance(value, str):
        raise FieldError(f"{what} must be a text; got {short(value)}")
    if any("\ud800" <= letter <= "\udfff" for letter in value):
        raise FieldError(f"{what} must be text in UTF-8; got {short(value)}")
    return value


def read_list(value: object, what: str) -> list[Any]:
    """Return a list.

    :raises FieldError: it is none.
    """
    if not isinstance(value, list):
        raise FieldError(f"{what} must be a list; got {short(value)}")
    return value


def _player(value: object, context: Context, what: str) -> str:
    name = read_text(value, what)
    if name not in context.players:
        raise FieldError(
            f"{short(name)} is no player of this table: expected one of {', '.join(map(short, context.players))}"
        )
    return name


def _players(value: object, context: Context, what: str) -> tuple[str, ...]:
    names = tuple(_player(one, context, what) for one in read_list(value, what))
    if len(set(names)) < max(2, len(names)):
        raise FieldError(f"{what} must be two or more different players; got {short(value)}")
    return names


def _piece(value: object, context: Context, what: str) -> Piece:
    name = read_text(value, what)
    piece = context.pieces.get(name)
    if piece is None:
        raise FieldError(f"{short(name)} is no piece of {context.game}")
    return piece


def _pieces(value: object, context: Context, what: str) -> tuple[Piece, ...]:
    return tuple(_piece(one, context, what) for one in read_list(value, what))


def _whole(value: object, context: Context, what: str) -> int:
    if type(value) is not int:
        raise FieldError(f"{what} must be a whole number; got {short(value)}")
    return value


def _place(value: object, context: Context, what: str) -> tuple[int, ...]:
    numbers = tuple(_whole(one, context, what) for one in read_list(value, what))
    if context.place not in (None, len(numbers)):
        raise FieldError(f"{what} must be {context.place} numbers; got {short(value)}")
    return numbers


def _named(value: object, context: Context, what: str) -> Tile | None:
    """Return the features that a Wild stands for; "wild" names none (CUBED-14)."""
    piece = _piece(value, context, what)
    return piece.tile if isinstance(piece, Face) else piece if isinstance(piece, Tile) else None


def _all_named(value: object, context: Context, what: str) -> tuple[Tile, ...]:
    found = (_named(one, context, what) for one in read_list(value, what))
    # A Wild that is named "wild" has no name: left out it makes one name too few, which is refused (CUBED-14).
    return tuple(tile for tile in found if tile is not None)


def _level(value: object, context: Context, what: str) -> HintLevel:
    name = read_text(value, what)
    if name not in set(HintLevel):
        raise FieldError(f"{short(name)} is no hint level: expected one of {', '.join(HintLevel)}")
    return HintLevel(name)


MOST_SECONDS = 10_000_000
"""Latest time of an event: four months after the start."""


def read_seconds(value: object) -> float:
    """Return a time in seconds from the start, 0 to ``MOST_SECONDS``.

    :raises FieldError: it is none.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= MOST_SECONDS:
        raise FieldError(f"'t' must be seconds from 0 to {MOST_SECONDS}; got {short(value)}")
    return value


_WHO = FieldForm("player", "player", _player)
_CARDS = FieldForm("cards", "cards", _pieces)
_FACES = FieldForm("faces", "faces", _pieces)
_AT = FieldForm("at", "at", _place)

_CALLS = (
    Form("dealt", Dealt, (_CARDS,)),
    Form("called", Called, (_WHO,)),
    Form("picked", Picked, (_WHO, _CARDS)),
    Form("gave_up", GaveUp, (_WHO,)),
    Form("no_set", NoSet, (_WHO,)),
    Form("pile_out", PileOut),
)
_SHUFFLED = Form("shuffled", Shuffled)
_PASSED = Form("passed", Passed, (_WHO,))
_LED = Form("shuffled", Shuffled, (FieldForm("master", "master", _player, required=False),))
_SETUP = (
    Form("laid", Laid, (_WHO, FieldForm("card", "piece", _piece))),
    Form("claimed", Claimed, (_WHO, _CARDS)),
)
_JUNIOR = (Form("laid", Laid, (_WHO, FieldForm("tile", "piece", _piece), _AT)),)
_CUBED = (
    Form("rolled", Rolled, (_WHO, _FACES)),
    Form("announced", Announced, (_WHO, _FACES, FieldForm("as", "named", _all_named, required=False))),
    Form(
        "laid",
        Laid,
        (_WHO, FieldForm("face", "piece", _piece), _AT, FieldForm("as", "named", _named, required=False)),
    ),
    Form("swapped", Swapped, (_WHO, FieldForm("face", "face", _piece), _AT)),
    _PASSED,
    Form("turn_ended", TurnEnded, (_WHO,)),
)

EVERY_GAME: tuple[Form, ...] = (
    Form("undone", Undone),
    Form("asked", Asked, (_WHO, FieldForm("level", "level", _level))),
    Form(
        "corrected",
        Corrected,
        (FieldForm("event", "event", _whole), FieldForm("from", "old", _piece), FieldForm("to", "new", _piece)),
    ),
    Form("tied", Tied, (FieldForm("players", "players", _players),)),
    Form("ended", Ended),
)
"""Events that every game knows."""

GAME_FORMS: Mapping[str, tuple[Form, ...]] = {
    "classic": (*_CALLS, _SHUFFLED),
    "ravensburger": (*_CALLS, _LED),
    "setup": _SETUP,
    "junior-1": _JUNIOR,
    "junior-2": (*_CALLS, _SHUFFLED, _PASSED),
    "cubed": _CUBED,
}
"""Events of each game."""

FOREIGN: tuple[Form, ...] = (*_CALLS, _LED, *_SETUP, *_JUNIOR, *_CUBED)
"""Every event of any game, read where it does not belong (ALL-4)."""
