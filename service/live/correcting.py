"""What a person's correction means: for the record, for the layout, and for whoever follows the pieces."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from engine.events import Announced, Dealt, Event, Laid, Rolled, Swapped
from engine.layout import Layout
from engine.tokens import Piece
from service.live.happenings import pieces_of
from service.live.seen import Seen

__all__ = ["first_event_with", "renamed"]

_ARRIVALS = (Dealt, Laid, Rolled, Announced, Swapped)
"""Events with which pieces come to the table."""


def first_event_with(events: Sequence[Event], piece: Piece) -> int | None:
    """Return the number of the event with which ``piece`` came to the table last, None if it never did.

    A die that was laid comes with the roll before.
    """
    came = [number for number, event in enumerate(events) if isinstance(event, _ARRIVALS) and piece in pieces_of(event)]
    if not came:
        return None
    last = events[came[-1]]
    if isinstance(last, Laid | Announced | Swapped):
        rolls = [
            number for number in came if isinstance(rolled := events[number], Rolled) and rolled.player == last.player
        ]
        return rolls[-1] if rolls else came[-1]
    return came[-1]


def renamed(seen: Seen, old: Piece, new: Piece, identities: Collection[int | None]) -> Seen:
    """Return ``seen`` with ``old`` read as ``new`` on these tracks (None: where there is none), and sure of it."""
    entries = tuple(
        (spot, new if piece == old and seen.identities.get(spot) in identities else piece)
        for spot, piece in seen.layout.entries
    )
    return replace(seen, layout=Layout(entries), doubts=seen.doubts - {old})
