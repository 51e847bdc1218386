"""Game records: JSON lines, a header and then one event a line.

>>> header = read_header('{"game": "classic", "players": ["Ann", "Ben"], "options": {}}')
>>> event = read_event('{"type": "called", "player": "Ann", "t": 12.5}', header)
>>> event
Called(time=12.5, note=None, player='Ann')
>>> write_event(event, header)
'{"type": "called", "player": "Ann", "t": 12.5}'
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, BinaryIO

from engine.editions import EDITIONS, Edition, EditionError, UnknownEditionError, edition
from engine.events import Asked, Corrected, Event
from engine.fields import (
    EVERY_GAME,
    FOREIGN,
    GAME_FORMS,
    Context,
    FieldError,
    FieldForm,
    Form,
    read_list,
    read_seconds,
    read_text,
    short,
)
from engine.games import game
from engine.grid import BoardError
from engine.options import OptionError
from engine.referee import Referee
from engine.tokens import Face, Piece

__all__ = [
    "Header",
    "RecordError",
    "lines_of",
    "read_event",
    "read_header",
    "read_record",
    "write_event",
    "write_header",
]

MOST_LINE = 1_000_000
"""Longest line of a record, in bytes: a Cubed board of 99 x 99 bonuses fits."""
MOST_BYTES = 64_000_000
"""Longest record, in bytes."""
MOST_EVENTS = 100_000
"""Most events of a record; the longest game has a few thousand."""


MOST_JUDGED_AGAIN = 200_000
"""Most events that all corrections of a record may reach back over, together: each is judged again."""


MOST_ASKED = 2_000
"""Most hints that a record may ask for: in Cubed each is a search for the best turn."""


class RecordError(ValueError):
    """A record that cannot be read; says which line and what is wrong with it."""

    def __init__(self, line: int, fault: str) -> None:
        """Take the ``line`` (the header is 1) and the ``fault`` in words."""
        super().__init__(f"line {line}: {fault}")
        self.line = line
        self.fault = fault


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of a record: what is played, by whom, and how."""

    edition: Edition
    """The game."""
    players: tuple[str, ...]
    """Names in the order of the seats."""
    options: Mapping[str, object] = field(default_factory=dict)
    """The options that are given; the others have their defaults."""
    board: Any = None
    """The board as JSON has it, in games that need one."""

    def referee(self) -> Referee:
        """Open the table.

        :raises EditionError: the players cannot play this game.
        :raises OptionError: an unknown option, or a value out of range.
        :raises BoardError: a board that is none.
        """
        return Referee(game(self.edition.key), self.players, self.options, self.board)

    def context(self, form: Form) -> Context:
        """Return what names mean in an event of this form: pieces of other games only in events of other games."""
        key = self.edition.key
        if form not in _forms(key).values():
            return Context(self.players, _all_pieces(key), key)
        return Context(self.players, _pieces(key), key, _PLACES.get(key))


@cache
def _pieces(key: str) -> Mapping[str, Piece]:
    return {str(piece): piece for piece in EDITIONS[key].deck}


@cache
def _all_pieces(key: str) -> Mapping[str, Piece]:
    return {name: piece for other in (*EDITIONS, key) for name, piece in _pieces(other).items()}


@cache
def _forms(key: str) -> Mapping[str, Form]:
    return {form.key: form for form in (*GAME_FORMS[key], *EVERY_GAME)}


def _object(line: str) -> dict[str, Any]:
    """Return the JSON object of one line.

    :raises FieldError: it is none, or a key stands in it twice.
    """
    try:
        found = json.loads(line, object_pairs_hook=_once, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise FieldError(f"no JSON: {error.msg} at column {error.colno}") from None
    except RecursionError:
        raise FieldError("no JSON of a record: nested too deeply") from None
    except FieldError:
        raise
    except ValueError:
        raise FieldError("no JSON of a record: a number has too many digits") from None
    if not isinstance(found, dict):
        raise FieldError(f"expected a JSON object; got {short(found)}")
    return found


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise FieldError("a key stands twice in one object")
    return found


def _no_constant(name: str) -> None:
    raise FieldError(f"no JSON: {name} is no number")


def _only(found: Mapping[str, object], known: Iterable[str], what: str) -> None:
    unknown = [key for key in found if key not in set(known)]
    if unknown:
        raise FieldError(f"{what} has no field {short(unknown[0])}: expected {', '.join(known)}")


def _have(found: Mapping[str, object], key: str, what: str) -> Any:
    if key not in found:
        raise FieldError(f"{what} lacks the field {key!r}")
    return found[key]


_PLACES = {"junior-1": 3, "cubed": 2}
"""Games with a board, and how many numbers a place on it has."""


def read_header(line: str) -> Header:
    """Return the header of a record, checked: its game can be played so.

    :raises RecordError: the line is no header.
    """
    try:
        found = _object(line)
        key = read_text(_have(found, "game", "the header"), "'game'")
        entry = edition(key)
        _only(found, ("game", "players", "options", *(["board"] if key in _PLACES else [])), "the header")
        names = tuple(
            read_text(name, "a player") for name in read_list(_have(found, "players", "the header"), "'players'")
        )
        options = _have(found, "options", "the header")
        if not isinstance(options, dict):
            raise FieldError(f"'options' must be an object; got {short(options)}")
        board = _have(found, "board", "the header") if key in _PLACES else None
        header = Header(entry, names, options, board)
        header.referee()
    except (FieldError, EditionError, UnknownEditionError, OptionError, BoardError) as error:
        raise RecordError(1, str(error)) from None
    return header


def read_event(line: str, header: Header, number: int = 2) -> Event:
    """Return the event of one line; ``number`` is the line's, for the error.

    :raises RecordError: the line is no event of any game.
    """
    try:
        return _event(_object(line), header)
    except FieldError as error:
        raise RecordError(number, str(error)) from None


def _event(found: dict[str, Any], header: Header) -> Event:
    form = _form(found, header)
    what = f"an event {form.key!r}"
    _only(found, ("type", *(one.key for one in form.fields), "t", "note"), what)
    context = header.context(form)
    values: dict[str, Any] = {}
    for one in form.fields:
        # Null stands for a name that is not given, as in the JSON of a turn.
        if one.required or found.get(one.key) is not None:
            values[one.name] = one.kind(_have(found, one.key, what), context, f"{one.key!r}")
        elif one.key == "as" and form.key == "announced":
            values[one.name] = ()
    if found.get("as") == "wild" and isinstance(values.get("piece"), Face):
        # "wild" names nothing: a Wild stays without a name, and any other die has one too many (CUBED-14).
        values["named"] = values["piece"].tile
    if header.options.get("forever") and form.key == "shuffled":
        _have(found, "master", what)
    if "t" in found:
        values["time"] = read_seconds(found["t"])
    if "note" in found:
        values["note"] = read_text(found["note"], "'note'")
    make: Callable[..., Event] = form.event
    return make(**values)


def _form(found: Mapping[str, object], header: Header) -> Form:
    """Return the form of an event: the game's own, else the first of another game that has its fields."""
    kind = read_text(_have(found, "type", "an event"), "'type'")
    known = _forms(header.edition.key)
    if kind in known:
        return known[kind]
    forms = [form for form in FOREIGN if form.key == kind]
    if not forms:
        raise FieldError(f"{short(kind)} is no type of event: expected one of {', '.join(known)}")
    return next((form for form in forms if all(one.key in found for one in form.fields if one.required)), forms[0])


def lines_of(stream: BinaryIO) -> Iterator[tuple[int, str]]:
    """Yield the lines of a record with their numbers, from 1, reading no more of it than is used.

    :raises RecordError: a line that is too long or no UTF-8, an empty line before the end, or too many lines.
    """
    empty = total = 0
    for number in range(1, MOST_EVENTS + 3):
        raw = stream.readline(MOST_LINE + 1)
        if not raw:
            return
        if len(raw) > MOST_LINE:
            raise RecordError(number, f"longer than {MOST_LINE} bytes")
        total += len(raw)
        if total > MOST_BYTES:
            raise RecordError(number, f"the record is longer than {MOST_BYTES} bytes")
        if not raw.strip():
            empty = empty or number
            continue
        if empty:
            raise RecordError(empty, "empty")
        try:
            yield number, raw.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
        except UnicodeDecodeError:
            raise RecordError(number, "no UTF-8") from None
    raise RecordError(MOST_EVENTS + 2, f"more than {MOST_EVENTS} events")


def read_record(stream: BinaryIO) -> tuple[Header, tuple[Event, ...]]:
    """Return the header and the events of a whole record.

    :raises RecordError: it cannot be read; says the line.
    """
    lines = lines_of(stream)
    first = next(lines, None)
    if first is None:
        raise RecordError(1, "the record is empty: expected a header")
    header = read_header(first[1])
    return header, tuple(_bounded((number, read_event(line, header, number)) for number, line in lines))


def _bounded(numbered: Iterable[tuple[int, Event]]) -> Iterator[Event]:
    """Yield the events of lines, as long as they can be judged in reasonable time."""
    again = asked = 0
    for number, event in numbered:
        match event:
            case Corrected(first):
                again += max(0, number - 2 - max(0, first))
            case Asked():
                asked += 1
        if again > MOST_JUDGED_AGAIN:
            raise RecordError(number, f"corrections reach back over more than {MOST_JUDGED_AGAIN} events in all")
        if asked > MOST_ASKED:
            raise RecordError(number, f"more than {MOST_ASKED} hints are asked for")
        yield event


def write_header(header: Header) -> str:
    """Return the first line of a record."""
    found = {"game": header.edition.key, "players": list(header.players), "options": dict(header.options)}
    return _json(found if header.board is None else {**found, "board": header.board})


def write_event(event: Event, header: Header) -> str:
    """Return the line of an event; ``read_event`` of it gives the event again.

    :raises LookupError: an event that this game's records cannot hold.
    """
    form = _form_of(event, header)
    found: dict[str, Any] = {"type": form.key}
    for one in form.fields:
        value = getattr(event, one.name)
        if value is not None:
            found[one.key] = _plain(value)
    if event.time is not None:
        found["t"] = event.time
    if event.note is not None:
        found["note"] = event.note
    return _json(found)


def _form_of(event: Event, header: Header) -> Form:
    forms = [form for form in (*_forms(header.edition.key).values(), *FOREIGN) if form.event is type(event)]
    held = [form for form in forms if _holds(event, form.fields)]
    return held[0] if held else forms[0]


def _holds(event: Event, fields: Sequence[FieldForm]) -> bool:
    """Return whether these fields are those that the event fills."""
    names = {one.name for one in fields}
    at, kind = getattr(event, "at", None), getattr(getattr(event, "piece", None), "kind", None)
    keys = {"card": "card", "tile": "tile", "die": "face"}
    return ("at" in names) == (at is not None) and (kind is None or keys[kind] in {one.key for one in fields})


def _plain(value: object) -> object:
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return value if isinstance(value, int | str) else str(value)


def _json(found: object) -> str:
    return json.dumps(found, ensure_ascii=False)
