"""What a person's correction means: for the record, for the layout, and for whoever follows the pieces."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import islice

from engine.events import Announced, Asked, Corrected, Dealt, Laid, Rolled, Swapped, Tied, Undone
from engine.labels import Language
from engine.layout import Layout
from engine.reasons import Reason
from engine.referee import Referee
from engine.sentences import say
from engine.tokens import Piece
from service.live.errors import NotPossibleError
from service.live.happenings import pieces_of
from service.live.seen import Seen

__all__ = ["correction_of", "first_events_with", "renamed", "standing"]

_ARRIVALS = (Dealt, Laid, Rolled, Announced, Swapped)
"""Events with which pieces come to the table."""
_IMPOSSIBLE = (
    Reason.PIECE_TWICE,
    Reason.CARD_TWICE,
    Reason.NOT_IN_DECK,
    Reason.NOT_IN_HAND,
    Reason.ROLL_CHANGES_KEPT,
)
"""Why a piece of that name cannot have come so, whatever people meant by it."""
_MOST_STARTS = 4
"""So many events, the last ones with which a piece came, are tried as the one from which on it was misread."""


def correction_of(
    referee: Referee, old: Piece, new: Piece, since: int | None, language: Language, *, force: bool = False
) -> Corrected | None:
    """Return the correction of ``old`` to ``new`` from event ``since`` on; None where it would change no event.

    Without ``since`` it begins with the last event with which ``old`` came and for which it is possible.

    :raises NotPossibleError: without ``force``, where an event with which pieces came would not stand any more.
    """
    starts = islice(first_events_with(referee, old), _MOST_STARTS) if since is None else (since,)
    refusals: list[NotPossibleError] = []
    for start in starts:
        correction, fork = Corrected(start, old, new), referee.fork()
        if fork.apply(correction).reason is Reason.CORRECTED_NOTHING:
            return None
        refusal = None if force else _refusal(referee, fork, new, language)
        if refusal is None:
            return correction
        refusals.append(refusal)
    if refusals:
        raise refusals[0]
    return None


def _refusal(referee: Referee, corrected: Referee, new: Piece, language: Language) -> NotPossibleError | None:
    """Return why the log of ``referee`` cannot be ``corrected`` so: how a piece named ``new`` cannot have come."""
    verdicts = zip(corrected.events, referee.verdicts, corrected.verdicts, strict=False)
    for number, (event, then, now) in enumerate(verdicts):
        fallen = then.counts and not now.counts and now.reason in _IMPOSSIBLE
        if fallen and isinstance(event, _ARRIVALS) and new in pieces_of(event):
            return NotPossibleError(number, type(event).__name__.lower(), say(now, referee.game.edition, language))
    return None


def first_events_with(referee: Referee, piece: Piece) -> Iterator[int]:
    """Yield the numbers of the events that stand and with which ``piece`` came to the table, the last one first.

    A die that was laid came with a roll of that player's.
    """
    events = referee.events
    came = [
        number
        for number in standing(referee)
        if isinstance(events[number], _ARRIVALS) and piece in pieces_of(events[number])
    ]
    if not came:
        return
    player = getattr(events[came[-1]], "player", None)
    rolls = [number for number in came if isinstance(roll := events[number], Rolled) and roll.player == player]
    yield from reversed(rolls or came)


def standing(referee: Referee) -> list[int]:
    """Return the numbers of the events that count and have not been taken back."""
    found: list[int] = []
    for number, (event, verdict) in enumerate(zip(referee.events, referee.verdicts, strict=True)):
        match event:
            case Undone():
                found = found[:-1] if verdict.ok else found
            case Asked() | Tied():
                pass
            case _ if verdict.counts:
                found.append(number)
    return found


def renamed(seen: Seen, old: Piece, new: Piece, identities: Collection[int | None]) -> Seen:
    """Return ``seen`` with ``old`` read as ``new`` on these tracks (None: where there is none), and sure of it."""
    entries = tuple(
        (spot, new if piece == old and seen.identities.get(spot) in identities else piece)
        for spot, piece in seen.layout.entries
    )
    return replace(seen, layout=Layout(entries), doubts=seen.doubts - {old})
