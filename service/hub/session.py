"""One table: its game with its clock, its journal in the store, those who follow it, and its camera."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from service.hub.camera import CameraSession
    from service.hub.clocks import ClientClock
    from service.hub.keys import NewKey
    from service.hub.state import DisputeState, TableState
    from service.hub.subscription import Subscription
    from service.store import Entry, Key, Role

__all__ = ["Changed", "Page", "Session", "Visitor"]


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody who has shown a key of a table; ``player`` is whom a player's key is for."""

    session: Session
    key_id: str
    role: Role
    player: str | None


@dataclass(frozen=True, slots=True)
class Changed:
    """What has come of a change: the entries that it has added to the journal, and how the table stands now.

    ``error`` is that of the time of a call, in seconds; None for everything else.
    """

    entries: tuple[Entry, ...]
    state: TableState
    error: float | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """A part of the journal; ``last`` is the number of the newest entry of all."""

    entries: tuple[Entry, ...]
    last: int


class Session:
    """One table. Every method checks what the visitor's role allows (NotAllowedError), and that the key is not revoked
    (BadKeyError). A change is told and returned only after it is stored; with ``expected``, it is only made while that
    is the number of the newest entry (MovedError). All may raise the StoreErrors and, where the table has been
    deleted, NoTableError; changes also TooManyRequestsError.
    """

    id: str
    """The table's."""

    @property
    def now(self) -> float:
        """Seconds since the table was opened."""
        raise NotImplementedError

    @property
    def last(self) -> int:
        """The number of the newest entry of the journal."""
        raise NotImplementedError

    async def state(self, visitor: Visitor) -> TableState:
        """Return how the table stands; any key."""
        raise NotImplementedError

    async def put(self, visitor: Visitor, event: Mapping[str, Any], *, expected: int | None = None) -> Changed:
        """Let the referee judge an ``event`` as a record has it: a host's any, a player's own.

        A player's ``t`` is left aside, a host's counts up to now.

        :raises BadEventError: it is none.
        """
        raise NotImplementedError

    async def call(
        self,
        visitor: Visitor,
        *,
        player: str | None = None,
        at: float | None = None,
        clock: ClientClock | None = None,
        expected: int | None = None,
    ) -> Changed:
        """Take a call by a player, or by a host for ``player``, at ``at`` by the ``clock`` (default: the key's own).

        The verdict may follow in the journal a moment later, for calls are held so that ties show.

        :raises BadEventError: a host who names nobody, or nobody of the table.
        :raises BadTimeError: ``at`` is no number of seconds.
        """
        raise NotImplementedError

    async def undo(self, visitor: Visitor, *, expected: int | None = None) -> Changed:
        """Take back the last event that counts; host."""
        raise NotImplementedError

    async def correct(
        self,
        visitor: Visitor,
        old: str,
        new: str,
        *,
        piece: int | None = None,
        since: int | None = None,
        expected: int | None = None,
    ) -> Changed:
        """Take it from the host that what was read as ``old`` is ``new``: names in any words that games use.

        ``piece`` is the track that it is about, ``since`` the first event of the record that is read anew.

        :raises NotAPieceError: a name is no piece of the game.
        """
        raise NotImplementedError

    async def choose(self, visitor: Visitor, player: str | None, *, expected: int | None = None) -> Changed:
        """Decide a tie: the table is ``player``'s; None: nobody's; host.

        :raises NoTieError: ``player`` is not among those who are tied.
        """
        raise NotImplementedError

    async def accept(
        self, visitor: Visitor, oddity: int, candidate: int = 0, *, expected: int | None = None
    ) -> Changed:
        """Accept an explanation of an oddity; host.

        :raises NoOddityError: it is not open any more, or has no such candidate.
        """
        raise NotImplementedError

    async def ignore(self, visitor: Visitor, oddity: int, *, expected: int | None = None) -> Changed:
        """Take the table as it lies there; host.

        :raises NoOddityError: the oddity is not open any more.
        """
        raise NotImplementedError

    async def dispute(self, visitor: Visitor, at: float | None = None) -> DisputeState:
        """Freeze what lay there at a call: the last one, or the last not after ``at``; player, host.

        :raises NoReplayError: nothing has been kept.
        """
        raise NotImplementedError

    def disputed(self, visitor: Visitor, number: int) -> DisputeState:
        """Return a dispute that was frozen; player, host, spectator.

        :raises NoDisputeError: there is none of that number.
        """
        raise NotImplementedError

    def still(self, visitor: Visitor, number: int, still: int) -> bytes:
        """Return a picture of a dispute as JPEG; player, host, spectator.

        :raises NoDisputeError: there is no such picture.
        """
        raise NotImplementedError

    async def entries(self, visitor: Visitor, after: int = 0, limit: int = 500) -> Page:
        """Return the journal after entry ``after``, at most ``limit`` entries of it; player, host, spectator."""
        raise NotImplementedError

    async def record(self, visitor: Visitor) -> str:
        """Return the record, each line with its end; player, host, spectator."""
        raise NotImplementedError

    def subscribe(self, visitor: Visitor, after: int | None = None, *, seen: bool = False) -> Subscription:
        """Follow the table from entry ``after`` (None: the newest); ``seen``: with what the camera sees.

        Player, host, spectator. A player counts as connected as long as it lasts.

        :raises FullError: too many sockets.
        """
        raise NotImplementedError

    def camera(self, visitor: Visitor) -> CameraSession:
        """Let a camera look at the table; the one before is closed. Camera, host.

        :raises FullError: too many cameras or sockets.
        """
        raise NotImplementedError

    def clock(self, visitor: Visitor) -> ClientClock:
        """Return the clock that is measured by requests with this key; player, host."""
        raise NotImplementedError

    def keys(self, visitor: Visitor) -> tuple[Key, ...]:
        """Return all keys, revoked ones too; host."""
        raise NotImplementedError

    async def add_key(self, visitor: Visitor, role: Role, player: str | None = None) -> NewKey:
        """Make one more key; ``player`` for a player's, and for no other; host.

        :raises SetupError: no role for whom, or nobody of that name sits at the table.
        :raises TooManyKeysError: there have been too many.
        """
        raise NotImplementedError

    async def take_seat(self, visitor: Visitor, player: str) -> NewKey:
        """Make the key of a player whose seat nobody has taken; join.

        :raises SeatTakenError: somebody has.
        :raises SetupError: nobody of that name sits at the table.
        """
        raise NotImplementedError

    async def revoke(self, visitor: Visitor, key_id: str) -> None:
        """Let a key open nothing any more, and close its sockets; host.

        :raises NoKeyError: there is none of that id.
        :raises LastHostError: it is the last one of a host.
        """
        raise NotImplementedError

    async def delete(self, visitor: Visitor) -> None:
        """Forget the table for good, and close its sockets; host."""
        raise NotImplementedError
