"""What a verdict shows on the table: pieces, where they lie, and what the Wilds among them stand for."""

from __future__ import annotations

from dataclasses import dataclass

from engine.events import Asked, Event, Fact, Laid, Place, Swapped, Verdict
from engine.tokens import Card, Face, Piece, Tile
from service.live.happenings import pieces_of

__all__ = ["Shown", "shown_by"]


@dataclass(frozen=True, slots=True)
class Shown:
    """Pieces in their order; ``places`` are theirs, on a board, ``named`` what the Wilds among them stand for."""

    pieces: tuple[Piece, ...]
    places: tuple[Place, ...] = ()
    named: tuple[Tile, ...] = ()


def shown_by(event: Event, verdict: Verdict) -> Shown:
    """Return what ``event`` is about; of a hint what the answer shows."""
    if isinstance(event, Asked):
        pieces, places, named = (_items(verdict.facts.get(name, ())) for name in ("pieces", "places", "named"))
        return Shown(
            tuple(one for one in pieces if isinstance(one, Card | Tile | Face)),
            tuple(one for one in places if isinstance(one, tuple)),
            tuple(one for one in named if isinstance(one, Tile)),
        )
    at = event.at if isinstance(event, Laid | Swapped) else None
    names = getattr(event, "named", None) or ()
    return Shown(pieces_of(event), () if at is None else (at,), names if isinstance(names, tuple) else (names,))


def _items(fact: Fact) -> tuple[object, ...]:
    return fact if isinstance(fact, tuple) else ()
