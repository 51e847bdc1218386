"""What a live table tells: one happening at a time, and its line of JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from engine.events import Event, Place
from engine.tokens import Card, Face, Piece, Tile

__all__ = ["Change", "Choice", "Happening", "HappeningKind", "Happenings", "pieces_of"]


class HappeningKind(StrEnum):
    """What sort of thing is told."""

    EVENT = "event"
    """An event went to the referee, who judged or refused it."""
    ODDITY = "oddity"
    """The table has changed in a way that nothing explains, or that people have to explain."""
    RESOLVED = "resolved"
    """An oddity is none any more."""
    TIE = "tie"
    """Two calls or more are too close to part: people decide."""
    CORRECTION = "correction"
    """A person has said what a piece is; ``changes`` are the verdicts that changed."""
    MESSAGE = "message"
    """Anything else that people should know."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One explanation that people can accept: its events in words, who plays, and the points."""

    text: str
    players: tuple[str, ...] = ()
    points: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Change:
    """What a correction made of the verdict on event ``event``."""

    event: int
    before: bool
    after: bool
    points_before: Mapping[str, int]
    points_after: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Happening:
    """One thing that is told.

    ``time`` is when it happened, ``before`` and ``after`` the times of the frames between which the change came: when
    it began and when the table had settled; all in seconds of the source. ``event`` is the number of the event in the
    record and ``type`` its type there; ``ok``, ``judged``, ``clause``, ``points`` and ``scores`` are the referee's.
    ``places`` are those of the ``pieces`` on a board, ``named`` what the Wilds among them stand for.
    ``sure`` is false where it rests on a piece in doubt or on a guess among explanations. ``number`` is that of an
    oddity, ``choices`` its explanations. ``lines`` are the verdict on three pieces, feature by feature. ``times`` are
    those of tied calls, by player.
    """

    kind: HappeningKind
    time: float
    text: str
    event: int | None = None
    type: str | None = None
    player: str | None = None
    pieces: tuple[Piece, ...] = ()
    places: tuple[Place, ...] = ()
    named: tuple[Tile, ...] = ()
    before: float | None = None
    after: float | None = None
    ok: bool | None = None
    judged: bool | None = None
    clause: str | None = None
    points: Mapping[str, int] = field(default_factory=dict)
    scores: Mapping[str, int] | None = None
    sure: bool | None = None
    number: int | None = None
    lines: tuple[str, ...] = ()
    choices: tuple[Choice, ...] = ()
    times: Mapping[str, float] = field(default_factory=dict)
    changes: tuple[Change, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON has it; fields that say nothing are left out, but ``points`` of an event."""
        found: dict[str, Any] = {"kind": self.kind.value, "t": round(self.time, 3), "text": self.text}
        if self.kind is HappeningKind.EVENT:
            found["points"] = dict(self.points)
        for name in ("event", "type", "player", "ok", "judged", "clause", "sure", "number"):
            value = getattr(self, name)
            found |= {} if value is None else {name: value}
        found |= {name: round(at, 3) for name in ("before", "after") if (at := getattr(self, name)) is not None}
        found |= {} if self.scores is None else {"scores": dict(self.scores)}
        return found | self._lists()

    def _lists(self) -> dict[str, Any]:
        lists: dict[str, Any] = {
            "pieces": [str(piece) for piece in self.pieces],
            "places": [list(place) for place in self.places],
            "named": [str(tile) for tile in self.named],
            "lines": list(self.lines),
            "choices": [
                {"text": one.text, "players": list(one.players), "points": dict(one.points)} for one in self.choices
            ],
            "times": {player: round(at, 3) for player, at in self.times.items()},
            "changes": [_change(one) for one in self.changes],
        }
        return {name: value for name, value in lists.items() if value}


Happenings = tuple[Happening, ...]
"""What is told, in order."""


def _change(change: Change) -> dict[str, Any]:
    return {
        "event": change.event,
        "before": {"ok": change.before, "points": dict(change.points_before)},
        "after": {"ok": change.after, "points": dict(change.points_after)},
    }


def pieces_of(event: Event) -> tuple[Piece, ...]:
    """Return the pieces that an event is about, in their order."""
    found: list[Piece] = []
    for name in ("cards", "piece", "faces", "face", "old", "new"):
        value = getattr(event, name, ())
        values: Iterable[object] = value if isinstance(value, tuple) else (value,)
        found += [one for one in values if isinstance(one, Card | Tile | Face)]
    return tuple(found)
