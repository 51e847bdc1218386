"""Two photos of one board read together: a die that lies on the same square in both is one die.

Where the two readings differ, the surer one holds for both; where both are sure, the die was changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engine.events import Place
from engine.tokens import Piece

if TYPE_CHECKING:
    from vision.types import Reading

__all__ = ["Trust", "agree", "by_place", "with_record"]

Readings = tuple["Reading", ...]


@dataclass(frozen=True, slots=True)
class Trust:
    """Numbers that decide which reading holds."""

    sure: float = 0.95
    """Least confidence of a reading without a doubt that stands against another one."""


_TRUST = Trust()


def by_place(readings: Sequence[Reading]) -> dict[Place, int]:
    """Return the place in ``readings`` of what lies on each square; of two on one square the surer one."""
    found: dict[Place, int] = {}
    for number, reading in enumerate(readings):
        if reading.cell is None:
            continue
        rival = found.get(reading.cell)
        if rival is None or _rank(reading) > _rank(readings[rival]):
            found[reading.cell] = number
    return found


def agree(before: Sequence[Reading], after: Sequence[Reading], trust: Trust = _TRUST) -> tuple[Readings, Readings]:
    """Return the readings of two photos of one board, one turn apart, as they are read together."""
    earlier, later = list(before), list(after)
    ours, theirs = by_place(earlier), by_place(later)
    for at in ours.keys() & theirs.keys():
        first, second = earlier[ours[at]], later[theirs[at]]
        if first.piece != second.piece and _sure(first, trust) and _sure(second, trust):
            continue
        surer = max(first, second, key=_rank)
        earlier[ours[at]], later[theirs[at]] = _taking(first, surer), _taking(second, surer)
    return tuple(earlier), tuple(later)


def with_record(readings: Sequence[Reading], lying: Mapping[Place, Piece]) -> tuple[Readings, tuple[Place, ...]]:
    """Return the readings with the pieces that lie there by the record of the game, and the places misread."""
    corrected, places = list(readings), by_place(readings)
    misread = tuple(at for at in sorted(places) if at in lying and readings[places[at]].piece != lying[at])
    for at, number in places.items():
        if at in lying:
            corrected[number] = replace(readings[number], piece=lying[at], confidence=1.0, features={}, doubt=None)
    return tuple(corrected), misread


def _sure(reading: Reading, trust: Trust) -> bool:
    return reading.doubt is None and reading.confidence >= trust.sure


def _rank(reading: Reading) -> tuple[bool, float]:
    return reading.doubt is None, reading.confidence


def _taking(reading: Reading, surer: Reading) -> Reading:
    """Return ``reading`` where it lies, with the name, the confidences and the doubt of ``surer``."""
    return replace(reading, piece=surer.piece, confidence=surer.confidence, features=surer.features, doubt=surer.doubt)
