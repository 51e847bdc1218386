"""What a live table refuses: each is one line for people, and a slug for programs."""

from __future__ import annotations

from collections.abc import Sequence

from service.errors import ServiceError

__all__ = [
    "CallTimeError",
    "LiveError",
    "NoCallError",
    "NoOddityError",
    "NoReplayError",
    "NoTieError",
    "NotAPieceError",
    "NotPossibleError",
    "NotTiedError",
    "NothingToCorrectError",
    "TableFullError",
    "TiedError",
]


class LiveError(ServiceError):
    """The family of everything that a live table refuses."""

    code = "live"


class CallTimeError(LiveError, ValueError):
    """A call at a time that is no number of seconds."""

    code = "call-time"

    def __init__(self, player: str, at: float, error: float) -> None:
        """Quote the time and its error, and say whose call it is."""
        super().__init__(f"a call of {player!r} needs seconds; got {at!r} with an error of {error!r}")


class NoOddityError(LiveError, LookupError):
    """An oddity, or a candidate of one, that is not open (any more)."""

    code = "no-oddity"

    def __init__(self, number: int, candidate: int | None = None) -> None:
        """Quote the ``number`` and the ``candidate`` asked for."""
        which = f"oddity {number!r}" if candidate is None else f"candidate {candidate!r} of oddity {number!r}"
        super().__init__(f"there is no {which} any more: look at what is open now")


class NoTieError(LiveError, LookupError):
    """A choice between tied players where none are."""

    code = "no-tie"

    def __init__(self) -> None:
        """Say so."""
        super().__init__("no calls are tied: there is nothing to decide")


class NotTiedError(LiveError, LookupError):
    """A choice of somebody who is not among the tied players."""

    code = "not-tied"

    def __init__(self, player: str, tied: Sequence[str]) -> None:
        """Quote the ``player`` and list those who are ``tied``."""
        super().__init__(f"{player!r} is not among the tied players: {', '.join(tied)}")


class TiedError(LiveError, ValueError):
    """A call that a player tells while calls are tied."""

    code = "tied"

    def __init__(self, tied: Sequence[str]) -> None:
        """List those who are ``tied``, and say who decides."""
        super().__init__(f"{' and '.join(tied)} are tied: the host decides")


class NotAPieceError(LiveError, ValueError):
    """A correction to a piece that the game does not have."""

    code = "not-a-piece"

    def __init__(self, name: str, game: str) -> None:
        """Quote the ``name`` of the piece and the ``game``."""
        super().__init__(f"{name!r} is no piece of {game}")


class NothingToCorrectError(LiveError, LookupError):
    """A correction that would change nothing."""

    code = "nothing-to-correct"

    def __init__(self, old: str, new: str, piece: int | None = None) -> None:
        """Quote the names, or the number of a ``piece`` that is not seen."""
        if old == new:
            text = f"{old!r} is what it is called already"
        elif piece is not None:
            text = f"no piece {piece!r} is seen on the table"
        else:
            text = f"{old!r} is neither in an event that counts nor seen on the table"
        super().__init__(f"nothing to correct: {text}")


class NotPossibleError(LiveError, ValueError):
    """A correction with which pieces could not have come to the table as they did, so that much would be undone."""

    code = "not-possible"

    def __init__(self, number: int, kind: str, why: str) -> None:
        """Say which event would not stand any more, its ``number`` and ``kind``, ``why``, and what to do."""
        super().__init__(
            f"event {number!r} ({kind}) would not stand any more: {why.rstrip('.')}; "
            "correct the other piece first, or force it"
        )


class NoReplayError(LiveError, LookupError):
    """A dispute where nothing was kept."""

    code = "no-replay"

    def __init__(self) -> None:
        """Say what to do."""
        super().__init__("nothing has been kept to look back at: the replay is off, or nothing has been seen yet")


class NoCallError(LiveError, LookupError):
    """A dispute before anybody has called."""

    code = "no-call"

    def __init__(self) -> None:
        """Say so."""
        super().__init__("there is no call to look back at: nobody had called by then")


class TableFullError(LiveError, OverflowError):
    """One more event, where the record holds as many as it may."""

    code = "table-full"

    def __init__(self, what: str, most: int) -> None:
        """Say ``what`` there are as many of as there may be, and how many that are."""
        super().__init__(f"the record of this table is full: it holds {most!r} {what} at most")
