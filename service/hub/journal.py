"""What goes into a table's journal: what is told of each happening, and the line of the record that goes with it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from engine.events import Corrected
from engine.game import UnknownPlayerError
from engine.labels import Language
from engine.record import read_event, read_header
from service.errors import ServiceError
from service.hub.errors import BadEventError
from service.hub.messages import Message, MessageKind
from service.live.happenings import Happening, HappeningKind
from service.live.ledger import Ledger
from service.live.table import LiveTable
from service.metrics import Verdict
from service.store import Entry

if TYPE_CHECKING:
    from engine.events import Event
    from engine.record import Header
    from service.live.settings import LiveSettings

__all__ = ["Act", "Acted", "Book", "Told", "entry_message", "entry_text", "time_of", "told_of"]

_NEWEST = 20
"""So many of the newest entries tell the time: what is told late may have happened before what was told sooner."""

Told = tuple[str, str | None]
"""What is told, as a JSON object, and the line of the record that goes with it, if any."""

Act = Callable[[LiveTable], Iterable[Happening]]
"""What is done at a table; returns what is to be told."""


def entry_text(entry: Entry) -> str:
    """Return the JSON of an entry as clients get it: its number, and what is told."""
    return f'{{"number": {entry.number}, {entry.told[1:]}'


def entry_message(entry: Entry) -> Message:
    """Return the message that tells an entry."""
    return Message(MessageKind.ENTRY, entry_text(entry), entry.number)


def _told(happening: Happening, at: float) -> str:
    """Return what is told of a happening at ``at`` (Unix seconds)."""
    when = datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    found = {"at": when, **happening.to_json()}
    if "number" in found:
        found["oddity"] = found.pop("number")  # "number" is that of the entry
    return json.dumps(found, ensure_ascii=False)


def _verdict(happening: Happening) -> Verdict:
    """Return what the referee said to the event that ``happening`` tells of."""
    if happening.ok:
        return Verdict.ACCEPTED
    return Verdict.JUDGED if happening.judged else Verdict.REFUSED


def time_of(entries: Sequence[Entry]) -> float:
    """Return how far the time of a table has gone, as the newest entries of its journal tell; 0 without any."""
    return max((float(json.loads(entry.told)["t"]) for entry in entries[-_NEWEST:]), default=0.0)


def _oddities(entries: Iterable[Entry]) -> int:
    """Return the number of the last oddity that has been told."""
    told = (json.loads(entry.told) for entry in entries if entry.line is None)
    return max((int(one["oddity"]) for one in told if one["kind"] == HappeningKind.ODDITY), default=0)


@dataclass(frozen=True, slots=True)
class Acted:
    """What has come of an act: what goes into the journal, and why the rest was refused, if it was."""

    told: tuple[Told, ...]
    verdicts: tuple[Verdict, ...] = ()
    refused: ServiceError | None = None


class Book:
    """A live table as it was after the events of its record; what is done at it comes out as entries of the journal."""

    def __init__(self, header: str, entries: Sequence[Entry], settings: LiveSettings, now: float) -> None:
        """Open the table of a ``header`` line with the whole journal so far, when its time is ``now``.

        :raises RecordError: a line that cannot be read.
        """
        self._lines: list[str] = []
        self.header = read_header(header)
        numbered = enumerate((entry.line for entry in entries if entry.line is not None), 2)
        events = [read_event(line, self.header, number) for number, line in numbered]
        self.table = LiveTable.resumed(
            self.header, events, settings, self._lines.append, now, oddities=_oddities(entries)
        )
        self._lines.clear()
        self.events = len(events)
        """How many events the record has."""
        self.oddity: Happening | None = None
        """The oddity that is open, as it was told."""

    def act(self, act: Act, wall: float, now: float | None = None) -> Acted:
        """Let time pass until ``now`` and do ``act`` at the table; ``wall`` are Unix seconds.

        :raises RuntimeError: not every line of the record has been told.
        :raises RecordError: a line that could not be read again.
        """
        told: list[Happening] = [] if now is None else list(self.table.tick(now))
        refused: ServiceError | None = None
        try:
            told += act(self.table)
        except ServiceError as error:
            refused = error
        except UnknownPlayerError as error:
            refused = BadEventError(str(error))
        lines = iter(self._lines)
        entries = tuple((_told(one, wall), None if one.event is None else next(lines)) for one in told)
        if len(self._lines) != sum(line is not None for _, line in entries):
            raise RuntimeError(f"{len(self._lines)} lines of the record, and {entries!r} to be told") from refused
        for line in self._lines:
            read_event(line, self.header)  # a line that cannot be read again would be the end of the table
        self.events += len(self._lines)
        self._lines.clear()
        self._follow(told)
        return Acted(entries, tuple(_verdict(one) for one in told if one.kind is HappeningKind.EVENT), refused)

    def _follow(self, told: Iterable[Happening]) -> None:
        for one in told:
            if one.kind is HappeningKind.ODDITY:
                self.oddity = one
        if self.table.oddity is None:
            self.oddity = None


def told_of(
    header: Header, events: Sequence[Event], lines: Sequence[str], language: Language, wall: float
) -> list[Told]:
    """Return the journal of a record that was played elsewhere; ``wall`` is when it came here, in Unix seconds."""
    ledger = Ledger(header, None, language)
    entries: list[Told] = []
    for event, line in zip(events, lines, strict=True):
        time = event.time or 0.0
        told = ledger.correct(event, time) if isinstance(event, Corrected) else ledger.apply(event, time)
        entries.append((_told(told, wall), line))
    return entries
