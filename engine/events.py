"""What people did, and what the referee says to it.

Chance comes in here: people shuffle, deal and roll, the engine does not. An :class:`Event` is one thing that happened
at the table, a :class:`Verdict` the referee's answer: ok or not, the clause, a named reason, the points.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.clauses import Clause
from engine.hints import HintLevel
from engine.reasons import Reason
from engine.tokens import Card, Face, Piece, Tile

__all__ = [
    "Announced",
    "Asked",
    "Called",
    "Claimed",
    "Corrected",
    "Dealt",
    "Ended",
    "Event",
    "Fact",
    "GaveUp",
    "Laid",
    "Line",
    "NoSet",
    "Passed",
    "Picked",
    "PileOut",
    "Place",
    "Rolled",
    "Shuffled",
    "Swapped",
    "Tied",
    "TurnEnded",
    "Undone",
    "Verdict",
]

Place = tuple[int, ...]
"""[row, column] on a board, [square, row, column] on face 1 of the Junior board; from 0, top left."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened at the table."""

    time: float | None = None
    """Seconds from the start of the game, if known; for statistics only."""
    note: str | None = None
    """What people wrote beside it."""


@dataclass(frozen=True, slots=True)
class Dealt(Event):
    """Cards or tiles are laid face up: the first ones, a refill, three more."""

    cards: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Called(Event):
    """A player calls "Set!": the table is theirs until they pick or give up."""

    player: str


@dataclass(frozen=True, slots=True)
class Picked(Event):
    """The caller shows the three cards of the call."""

    player: str
    cards: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class GaveUp(Event):
    """The caller shows nothing."""

    player: str


@dataclass(frozen=True, slots=True)
class NoSet(Event):
    """A player says that there is no SET."""

    player: str


@dataclass(frozen=True, slots=True)
class PileOut(Event):
    """The pile is empty before the count of the deck says so."""


@dataclass(frozen=True, slots=True)
class Shuffled(Event):
    """The next round begins; ``master`` is the SET-Master of a Forever round, else None."""

    master: str | None = None


@dataclass(frozen=True, slots=True)
class Laid(Event):
    """A player lays one piece: a card (SETUP), a tile on its space (Junior), a die on a square (Cubed)."""

    player: str
    piece: Piece
    at: Place | None = None
    """Where, on a board; None in SETUP."""
    named: Tile | None = None
    """What a Wild stands for."""


@dataclass(frozen=True, slots=True)
class Claimed(Event):
    """A player shows a SET that another player's card has made (SETUP)."""

    player: str
    cards: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Passed(Event):
    """A player gives up the turn without playing."""

    player: str


@dataclass(frozen=True, slots=True)
class Rolled(Event):
    """A player's dice, as they now show: the whole hand."""

    player: str
    faces: tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class Announced(Event):
    """A player shows the first SET of Cubed, laid on the logo in this order."""

    player: str
    faces: tuple[Face, ...]
    named: tuple[Tile, ...]
    """What the Wilds among them stand for, in order."""


@dataclass(frozen=True, slots=True)
class Swapped(Event):
    """A player replaces a Wild on the board by a die that shows its features."""

    player: str
    face: Face
    at: Place


@dataclass(frozen=True, slots=True)
class TurnEnded(Event):
    """A player ends the turn."""

    player: str


@dataclass(frozen=True, slots=True)
class Ended(Event):
    """People stop here."""


@dataclass(frozen=True, slots=True)
class Asked(Event):
    """A player asks for a hint."""

    player: str
    level: HintLevel


@dataclass(frozen=True, slots=True)
class Tied(Event):
    """Two calls came too close together to part."""

    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Undone(Event):
    """The last event that was accepted or judged is taken back."""


@dataclass(frozen=True, slots=True)
class Corrected(Event):
    """A person corrects a reading: wherever ``old`` stands in event ``event`` or later, it is ``new``."""

    event: int
    """Number of the first event it holds for, from 0."""
    old: Piece
    new: Piece


Fact = str | int | Card | Tile | Face | Place | tuple[Piece, ...] | tuple[str, ...] | tuple[Place, ...]
"""What the sentence of a verdict can mention; it is put into words per language."""


@dataclass(frozen=True, slots=True)
class Line:
    """Three pieces that are a SET: what was taken, or made on a board."""

    pieces: tuple[Piece, Piece, Piece]
    """The three, in reading order on a board; a Wild as the face it stands for."""
    points: int
    """What it pays."""
    at: tuple[Place, ...] = ()
    """Where they lie, on a board."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the referee says to one event."""

    ok: bool
    """Whether it stands. A false call is judged, and not ok."""
    clause: Clause
    """The clause it fulfils, or the one it breaks."""
    reason: Reason
    """Why, by name; the key of its sentence."""
    points: Mapping[str, int] = field(default_factory=dict)
    """What it changes, by player; never 0."""
    facts: Mapping[str, Fact] = field(default_factory=dict)
    """What the sentence mentions."""
    sets: tuple[Line, ...] = ()
    """The SETs that were taken or made, with what each pays."""
    failed: tuple[Piece, Piece, Piece] | None = None
    """Three pieces that should be a SET and are none."""
    judged: bool = False
    """Whether it counts although it is not ok, like a false call with its penalty."""

    def __post_init__(self) -> None:
        if 0 in self.points.values():
            raise ValueError(f"points must be changes other than 0; got {dict(self.points)!r}")
        if self.ok and self.judged:
            raise ValueError(f"a verdict is judged only where it is not ok; got {self.reason!r}")

    @property
    def counts(self) -> bool:
        """Whether the event changes the game: accepted, or judged (ALL-3)."""
        return self.ok or self.judged
