"""What the hub refuses: each is one line for people, and a slug for programs."""

from __future__ import annotations

from collections.abc import Collection
from typing import ClassVar

from service.errors import ServiceError

__all__ = [
    "BadEventError",
    "BadKeyError",
    "BadTimeError",
    "FullError",
    "HubError",
    "MovedError",
    "NoBoardFileError",
    "NoDisputeError",
    "NoInvitationError",
    "NoNameError",
    "NotAllowedError",
    "NotYoursError",
    "SetupError",
    "TooManyKeysError",
    "TooManyRequestsError",
    "not_seated",
]

_LONGEST_NAME = 60
"""Characters of a name that an error repeats."""


class HubError(ServiceError):
    """The family of everything that the hub refuses; ``retry_after`` are seconds after which to try again, if any."""

    code = "hub"
    retry_after: float | None = None


class BadKeyError(HubError, PermissionError):
    """A key that opens nothing here: unknown, of another table, or revoked. The text never quotes it."""

    code = "bad-key"

    def __init__(self) -> None:
        """Say what to do."""
        super().__init__("this key does not open this table: ask the host for another one")


class NotAllowedError(HubError, PermissionError):
    """Something that the role of a key does not allow."""

    code = "not-allowed"

    def __init__(self, role: str, needed: Collection[str]) -> None:
        """Quote the ``role`` and list the roles that are ``needed``."""
        super().__init__(f"the key of a {role} does not allow this: it takes that of {' or '.join(needed)}")


class NotYoursError(HubError, PermissionError):
    """A player who tells what another one has done."""

    code = "not-allowed"

    def __init__(self, player: str, own: str) -> None:
        """Say whose it is: the ``player``'s, and not the visitor's ``own``."""
        super().__init__(f"this is of {player!r}: the key of {own!r} tells only what {own!r} does; the host tells all")


class NoDisputeError(HubError, LookupError):
    """A dispute, or a still of one, that is not kept (any more)."""

    code = "no-dispute"

    def __init__(self, number: int, still: int | None = None) -> None:
        """Quote the ``number`` and the number of the ``still``."""
        which = f"dispute {number!r}" if still is None else f"picture {still!r} of dispute {number!r}"
        super().__init__(f"there is no {which}: only the last few are kept, and only as long as the service runs")


class NoInvitationError(HubError, LookupError):
    """A code that stands for nothing, or does not any more. The text never quotes it."""

    code = "no-invitation"

    def __init__(self) -> None:
        """Say what to do."""
        super().__init__("this code invites to nothing (any more): look at it again, or ask the host for a new one")


class NoBoardFileError(HubError, LookupError):
    """The board of a table whose game is played without one."""

    code = "no-board-file"

    def __init__(self, game: str) -> None:
        """Name the ``game``."""
        super().__init__(f"this table has no board file: none is needed for {game}")


class MovedError(HubError, ValueError):
    """A change that was meant for another state of the table: nothing has been done."""

    code = "moved"

    def __init__(self, expected: int, last: int) -> None:
        """Quote the number that was ``expected`` to be the newest, and the one that is the ``last``."""
        super().__init__(f"the table has moved on: expected entry {expected!r} to be the newest, and it is {last!r}")


class TooManyRequestsError(HubError):
    """More changes at one table than it takes."""

    code = "too-many-requests"

    def __init__(self, retry_after: float) -> None:
        """Say when to come again."""
        super().__init__(f"too much at once at this table: try again in {retry_after:.1f} s")
        self.retry_after = retry_after


class FullError(HubError):
    """No room for one more of ``what``: tables, sockets, cameras."""

    code = "full"
    retry_after = 30.0

    def __init__(self, what: str, most: int) -> None:
        """Name ``what`` there is no room for, and how many there are at ``most``."""
        super().__init__(f"no room for more {what}: there are {most} already; try again later")


class TooManyKeysError(HubError):
    """A table with as many keys as it can have."""

    code = "table-full"

    def __init__(self, most: int) -> None:
        """Say how many there are at ``most``."""
        super().__init__(f"this table has had {most} keys: open a new one")


class BadEventError(HubError, ValueError):
    """An event that is none, or by somebody who does not sit at the table."""

    code: ClassVar[str] = "bad-event"


class NoNameError(HubError, ValueError):
    """A name that is no piece of the game."""

    code = "not-a-piece"

    def __init__(self, name: str, game: str, samples: Collection[str]) -> None:
        """Quote the ``name``; say what names look like in the ``game`` by ``samples``."""
        shown = name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…"
        super().__init__(f"{shown!r} is no piece of {game}: expected a name like {' or '.join(map(repr, samples))}")


class BadTimeError(HubError, ValueError):
    """A time that is no number of seconds."""

    code = "bad-time"

    def __init__(self, value: object) -> None:
        """Quote the ``value``."""
        super().__init__(f"{value!r} is no number of seconds")


class SetupError(HubError, ValueError):
    """A table that cannot be opened so: the text names the field."""

    code = "bad-table"


def not_seated(player: str | None, players: Collection[str]) -> str:
    """Return what is wrong with the name of a ``player``: it is missing (None), or none of ``players``."""
    expected = f"expected one of {', '.join(map(repr, players))}"
    return f"player is missing: {expected}" if player is None else f"player: {expected}; got {player!r}"
