"""Disputes of a table: frozen, the last few of them, in memory only."""

from __future__ import annotations

from service.hub.errors import NoDisputeError
from service.hub.state import DisputeState, StillState
from service.live.reel import Dispute

__all__ = ["Disputes"]

_MOST = 8


class Disputes:
    """The last disputes, by their numbers, counted from 1."""

    def __init__(self) -> None:
        self._kept: dict[int, Dispute] = {}
        self._number = 0

    def add(self, dispute: Dispute) -> DisputeState:
        """Keep one more; the oldest makes room for it."""
        self._number += 1
        self._kept[self._number] = dispute
        self._kept.pop(self._number - _MOST, None)
        return self.state(self._number)

    def state(self, number: int) -> DisputeState:
        """Return what people are told of a dispute.

        :raises NoDisputeError: there is none of that number.
        """
        found = self._find(number)
        stills = [
            StillState(
                number=place,
                time=round(still.time, 3),
                settled=still.settled,
                layout=[str(piece) for _, piece in still.layout.entries],
                picture=still.jpeg is not None,
            )
            for place, still in enumerate(found.stills)
        ]
        return DisputeState(
            number=number,
            at=round(found.at, 3),
            player=found.player,
            pieces=list(map(str, found.pieces)),
            is_set=found.is_set,
            lines=list(found.lines),
            text=found.text,
            place=found.place,
            stills=stills,
        )

    def still(self, number: int, place: int) -> bytes:
        """Return the picture of a still as JPEG.

        :raises NoDisputeError: there is none.
        """
        stills = self._find(number).stills
        jpeg = stills[place].jpeg if 0 <= place < len(stills) else None
        if jpeg is None:
            raise NoDisputeError(number, place)
        return jpeg

    def _find(self, number: int) -> Dispute:
        if number not in self._kept:
            raise NoDisputeError(number)
        return self._kept[number]
