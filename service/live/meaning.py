"""What that which is seen means: the game's own explanation, what is in doubt left aside where the rest makes sense."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from engine.events import Called, Claimed, Picked
from engine.referee import Referee
from engine.tokens import Piece
from service.live.cubed_turns import understand_cubed
from service.live.seen import Seen, without_doubts
from service.live.understanding import Known, Understood, understand
from service.live.view import View

__all__ = ["is_lifting", "meaning"]


def meaning(view: View, referee: Referee, who: Collection[str], ignored: Collection[Known]) -> tuple[Understood, Seen]:
    """Return what is to be made of a ``view`` where the game of ``referee`` stands, and what of it that explains.

    ``who`` and ``ignored`` as for :func:`service.live.understanding.understand`. What is new and in doubt may be no
    piece at all: it is left aside where the rest alone is explained. What nobody has seen lie there, as after resuming,
    may not have been laid yet: that it was taken without a call is for people to say.
    """
    means = understand_cubed if referee.game.edition.key == "cubed" else understand

    def made_of(seen: Seen) -> Understood:
        return means(view.base.layout, seen.layout, referee, who=who, ignored=ignored)

    found, certain = made_of(view.seen), without_doubts(view.seen, view.base)
    if is_lifting(found, view.judged):
        return Understood(whole=True), view.seen
    if _is_taken_unseen(found, view.base):
        return replace(found, choice=None, whole=False), view.seen
    if found.whole or certain == view.seen:
        return found, view.seen
    rest = made_of(certain)
    return (found, view.seen) if rest.choice is None else (replace(rest, sure=False), certain)


def _is_taken_unseen(found: Understood, base: Seen) -> bool:
    """Return whether a play without a call before it would take pieces that nobody has seen."""
    events = found.choice.events if found.choice is not None else ()
    unseen = {piece for spot, piece in base.layout.entries if spot not in base.identities}
    taken = {piece for event in events if isinstance(event, Picked | Claimed) for piece in event.cards}
    return bool(unseen & taken) and any(isinstance(event, Called | Claimed) for event in events)


def is_lifting(found: Understood, judged: Collection[Piece]) -> bool:
    """Return whether all that was ``found`` is that the three pieces which were ``judged`` already have been lifted.

    A pick after a new call is one of its own.
    """
    events = [event for one in found.candidates for event in one.events]
    picks = [event for event in events if not isinstance(event, Called)]
    lifted = all(isinstance(event, Picked) and set(event.cards) == set(judged) for event in picks)
    return bool(judged) and len(picks) > 0 and len(picks) < len(events) and lifted and not found.problems
