"""The verdict on what was played between two layouts of a board, and what every game asks of two layouts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from engine.between import Change, Move, OpenLine
from engine.clauses import Clause
from engine.editions import edition
from engine.events import Line, Place, Verdict
from engine.grid import Square
from engine.tokens import Face, Piece, Tile
from service.errors import TurnError

__all__ = [
    "ANYBODY",
    "Judged",
    "LaidPiece",
    "SwappedDie",
    "check_pair",
    "fault_of",
    "label_of",
    "laid_as_seen",
    "moves_of",
    "with_remarks",
]

P = TypeVar("P", bound=Piece)
S = TypeVar("S", bound=tuple[int, ...])

ANYBODY = "The player"
"""Who plays where nobody has said it."""

_FEW = 2
"""So many pieces may differ in two photos of one board, whatever their number."""


@dataclass(frozen=True, slots=True)
class LaidPiece:
    """A die or a tile that was laid."""

    piece: Piece
    """What it shows."""
    at: Place
    """Where."""
    named: Tile | None = None
    """What a Wild is taken to stand for."""
    points: int = 0
    """What the SETs pay that it completes; a bonus is told apart."""


@dataclass(frozen=True, slots=True)
class SwappedDie:
    """A die that took the place of a Wild (CUBED-15)."""

    piece: Face
    """What it shows."""
    at: Square
    """Where."""
    named: Tile | None
    """What the Wild stood for; None if nobody has said it."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdict on what was played."""

    player: str
    """Who played."""
    ok: bool
    """Whether it stands."""
    clause: Clause
    """The clause it fulfils, or the one it breaks."""
    text: str
    """The verdict in words, with what was taken for granted."""
    laid: tuple[LaidPiece, ...] = ()
    """In the order judged; of what does not stand in reading order."""
    swapped: tuple[SwappedDie, ...] = ()
    """In reading order."""
    moved: tuple[Move[Place, Piece], ...] = ()
    """In reading order of where they lay."""
    lines: tuple[Line, ...] = ()
    """The SETs that were made, in the order made."""
    bonus: tuple[tuple[Square, int], ...] = ()
    """The bonus squares that were first occupied, with what they pay."""
    open: tuple[OpenLine, ...] = ()
    """SETs that rest on a Wild of which nobody has said what it stands for."""
    more: int = 0
    """How many points more these are worth at most."""
    sure: bool = True
    """Whether it stands, or does not, whatever those Wilds stand for."""
    doubts: tuple[Place, ...] = ()
    """Places of pieces in doubt on which the verdict rests."""
    faults: tuple[Place, ...] = ()
    """Places because of which it does not stand, as far as it is a matter of places."""
    scores: Mapping[str, int] = field(default_factory=dict)
    """Points by player after it, where the game so far is known."""

    @property
    def points(self) -> int:
        """What it scores: SETs and bonus squares, or tokens."""
        return sum(line.points for line in self.lines) + sum(points for _, points in self.bonus)

    @property
    def status(self) -> int:
        """The exit status: 0 it stands, 1 it does not, 3 a doubt decides."""
        return 3 if self.doubts or not self.sure else 0 if self.ok else 1


def check_pair(before: Mapping[S, P], after: Mapping[S, P], change: Change[S, P], kind: str) -> None:
    """Check that both layouts are of one board, and that nothing was taken off it; ``kind``: "dice" or "tiles".

    :raises TurnError: they are not, or it was.
    """
    swapped = sum(str(old) == "wild" for old, _ in change.changed.values())
    unlike = len(change.gone) + len(change.moved) + len(change.changed) - swapped
    if unlike > max(_FEW, len(before) // 2):
        raise TurnError(
            f"BEFORE and AFTER do not show the same board: {unlike} of the {len(before)} {kind} in BEFORE are not "
            "where they were; give two photos of one board, one turn apart"
        )
    if len(after) < len(before):
        lost = {**change.gone, **{move.start: move.piece for move in change.moved}}
        listed = " and ".join(f"{piece} on {list(at)}" for at, piece in list(lost.items())[:3])
        raise TurnError(
            f"BEFORE has more {kind} than AFTER ({len(before)} and {len(after)}): {listed} cannot be seen in AFTER; "
            "check the order of the photos, and that nothing covers the board"
        )


def label_of(piece: Piece) -> str:
    """Return what people call a die or a tile: "two red ovals"."""
    return edition("junior-1" if isinstance(piece, Tile) else "cubed").label(piece)


def laid_as_seen(new: Mapping[S, P], named: Mapping[S, Tile] | None = None) -> tuple[LaidPiece, ...]:
    """Return pieces that were laid and do not stand, in reading order, with the names given for Wilds."""
    return tuple(LaidPiece(piece, at, (named or {}).get(at)) for at, piece in new.items())


def fault_of(verdict: Verdict) -> tuple[Place, ...]:
    """Return the place that a refusal is about, if it is about one."""
    at = verdict.facts.get("at")
    if verdict.ok or not isinstance(at, tuple):
        return ()
    numbers = tuple(number for number in at if isinstance(number, int))
    return (numbers,) if len(numbers) == len(at) else ()


def moves_of(change: Change[S, P]) -> tuple[Move[Place, Piece], ...]:
    """Return the pieces that lie elsewhere now."""
    moved: list[Move[Place, Piece]] = [Move(move.piece, move.start, move.end) for move in change.moved]
    return tuple(moved)


def with_remarks(
    judged: Judged,
    shown: Mapping[S, P],
    unsure: Sequence[S],
    hidden: Mapping[S, P],
    missed: Mapping[S, P] | None = None,
    told: Mapping[S, P] | None = None,
) -> Judged:
    """Return the verdict with what people should look at: pieces in doubt, ``hidden`` in AFTER or ``missed`` in BEFORE.

    ``told`` are pieces that lay in BEFORE by what people say, though it does not show them; ``shown`` is what lies
    there in the end.
    """
    texts = [judged.text]
    if hidden:
        texts.append(f"Not seen in AFTER, and taken to lie there still: {_listed(hidden)}.")
    if told:
        texts.append(f"Not seen in BEFORE, and there as you say: {_listed(told)}.")
    if missed:
        texts.append(f"Not seen in BEFORE, and taken to have lain there already: {_listed(missed)}.")
    if unsure:
        texts.append(f"Unsure: please look at {_listed({at: shown[at] for at in unsure})}.")
    return replace(judged, text=" ".join(texts), doubts=tuple(unsure))


def _listed(pieces: Mapping[S, P]) -> str:
    return ", ".join(f"{label_of(piece)} on {list(at)}" for at, piece in pieces.items())
