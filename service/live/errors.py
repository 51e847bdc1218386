"""What a live table refuses: each is one line for people, and a slug for programs."""

from __future__ import annotations

from service.errors import ServiceError

__all__ = [
    "CallTimeError",
    "LiveError",
    "NoOddityError",
    "NoReplayError",
    "NoTieError",
    "NotAPieceError",
    "TableFullError",
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
    """A choice between tied players where none are, or of somebody else."""

    code = "no-tie"

    def __init__(self, player: str | None, tied: tuple[str, ...]) -> None:
        """Quote the ``player`` and list those who are ``tied``."""
        super().__init__(f"{player!r} is not among the tied players: {', '.join(tied) or 'there is no tie'}")


class NotAPieceError(LiveError, ValueError):
    """A correction to a piece that the game does not have."""

    code = "not-a-piece"

    def __init__(self, name: str, game: str) -> None:
        """Quote the ``name`` of the piece and the ``game``."""
        super().__init__(f"{name!r} is no piece of {game}")


class NoReplayError(LiveError, LookupError):
    """A dispute where nothing was kept."""

    code = "no-replay"

    def __init__(self) -> None:
        """Say what to do."""
        super().__init__("nothing has been kept to look back at: the replay is off, or nothing has been seen yet")


class TableFullError(LiveError, OverflowError):
    """One more event, where the record holds as many as it may."""

    code = "table-full"

    def __init__(self, what: str, most: int) -> None:
        """Say ``what`` there are as many of as there may be, and how many that are."""
        super().__init__(f"the record of this table is full: it holds {most!r} {what} at most")
