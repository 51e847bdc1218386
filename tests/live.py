"""A live table that is fed with a scripted game, and short ways to ask what came of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

from engine.events import Event, NoSet
from engine.record import read_event, read_header, read_record, write_event
from engine.referee import Referee
from engine.tokens import Card, Piece
from service.live.happenings import Happening, HappeningKind
from service.live.settings import LiveSettings
from service.live.table import LiveTable
from tests.fake_moments import Scripted, moment, track
from vision.tracks import Moment
from vision.types import Doubt

HEADER = '{"game": "%s", "players": ["Ann", "Ben"], "options": {}}'


def lines_of(events: Iterable[Event], table: LiveTable) -> list[dict[str, Any]]:
    """Events as their lines, but for times and notes, and for the order of cards."""
    return [plain(write_event(event, table.header)) for event in events]


def plain(line: str) -> dict[str, Any]:
    """A line of a record without time and note, its cards in order."""
    found: dict[str, Any] = json.loads(line)
    kept = {name: value for name, value in found.items() if name not in ("t", "note")}
    return kept | ({"cards": sorted(kept["cards"])} if "cards" in kept else {})


def replayed(table: LiveTable) -> Referee:
    """A referee that has judged the record of ``table``."""
    header, events = read_record(BytesIO("\n".join(table.record).encode()))
    referee = header.referee()
    for event in events:
        referee.apply(event)
    return referee


def of_kind(told: Iterable[Happening], kind: HappeningKind) -> list[Happening]:
    """The happenings of one kind."""
    return [one for one in told if one.kind is kind]


def follow(
    script: Scripted,
    settings: LiveSettings | None = None,
    *,
    spoken: tuple[type[Event], ...] = (NoSet,),
    change: Callable[[Moment], Moment] = lambda found: found,
) -> tuple[LiveTable, list[Happening]]:
    """Show a whole film to a table; people tell it their calls, and the events that nobody can see."""
    table, told = LiveTable(script.header, settings or LiveSettings(call_limit=5.0)), list[Happening]()
    calls = list(script.timeline.calls)
    said = [
        (time, event)
        for (time, _), event in zip(script.timeline.events, script.events, strict=True)
        if isinstance(event, spoken)
    ]
    for seen in script.moments():
        while calls and calls[0][0] <= seen.time:
            at, player = calls.pop(0)
            told += table.call(player, at)
        while said and said[0][0] <= seen.time:
            told += table.put(said.pop(0)[1])
        told += table.look(change(seen))
    return table, told


def cards(*names: str) -> tuple[Card, ...]:
    """Cards by their names."""
    return tuple(map(Card.parse, names))


@dataclass
class Played:
    """A table of cards or tiles that a test plays by hand, a tenth of a second at a time."""

    game: str = "classic"
    settings: LiveSettings = field(default_factory=LiveSettings)
    time: float = 0.0
    lying: dict[int, Piece] = field(default_factory=dict)
    doubts: dict[Piece, Doubt] = field(default_factory=dict)
    told: list[Happening] = field(default_factory=list)
    header: str = HEADER
    record: Callable[[str], object] | None = None
    places: dict[Piece, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        text = self.header.replace("%s", self.game)
        self.table = LiveTable(read_header(text), self.settings, self.record)

    def lay(self, *pieces: Piece) -> None:
        """Put pieces on the table; one that has lain there before goes back to its place."""
        for piece in pieces:
            self.lying[self.places.setdefault(piece, len(self.places))] = piece

    def lift(self, *pieces: Piece) -> None:
        """Take pieces off the table."""
        self.lying = {number: piece for number, piece in self.lying.items() if piece not in pieces}

    def look(self, seconds: float = 0.1, *, settled: bool = True) -> Sequence[Happening]:
        """Let time pass; return what is told meanwhile."""
        told: list[Happening] = []
        for _ in range(max(1, round(seconds * 10))):
            self.time = round(self.time + 0.1, 3)
            tracks = [
                track(number, piece, time=self.time, doubt=self.doubts.get(piece))
                for number, piece in self.lying.items()
            ]
            told += self.table.look(moment(self.time, tracks, settled=settled))
        self.told += told
        return told

    def put(self, line: str) -> Sequence[Happening]:
        """Tell the table an event."""
        return self.table.put(read_event(line, self.table.header))

    def call(self, player: str) -> None:
        """Let a player call now, and the call count."""
        self.told += self.table.call(player, self.time)
        self.look()
