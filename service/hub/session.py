"""One table, as those who have a key of it use it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from engine.events import Asked, Corrected
from engine.record import Header
from engine.tokens import Piece
from service.hub.camera import CameraSession
from service.hub.clocks import ClientClock, Clocks, ClockSettings, errors_of
from service.hub.disputes import Disputes
from service.hub.errors import (
    BadEventError,
    FullError,
    NoBoardFileError,
    NotAllowedError,
    NotYoursError,
    TooManyRequestsError,
    not_seated,
)
from service.hub.house import House
from service.hub.invitations import Invitation
from service.hub.journal import Act
from service.hub.keydesk import KeyDesk
from service.hub.keys import NewKey
from service.hub.messages import STOPPING, Close, Closing
from service.hub.play import Play
from service.hub.setup import board_of
from service.hub.standing import Around
from service.hub.state import DisputeState, TableState
from service.hub.subscription import Subscription
from service.hub.table_camera import TableCamera
from service.hub.visitors import Changed, Page, Visitor
from service.hub.wording import event_of, piece_of, types_of
from service.live.happenings import Happening
from service.live.table import LiveTable
from service.quotas import Buckets
from service.store import Key, NoTableError, Role, SeatTakenError, StoredTable

__all__ = ["Session"]

_BURST = 5
"""Seconds' worth of changes that a table takes of somebody at once."""
_PLAYERS = (Role.HOST, Role.PLAYER)
_WATCHERS = (Role.HOST, Role.PLAYER, Role.SPECTATOR)


class Session:
    """One table, made by the hub.

    Every method checks what the visitor's role allows (NotAllowedError), and that the key is not revoked (BadKeyError).
    A change is told and returned only after it is stored; with ``expected``, it is only made while that is the number
    of the newest entry (MovedError). All may raise the StoreErrors and, where the table has been deleted, NoTableError;
    changes also TooManyRequestsError.
    """

    def __init__(
        self,
        house: House,
        stored: StoredTable,
        header: Header,
        keys: Iterable[Key],
        left: Callable[[Session], object],
    ) -> None:
        """Open the table of ``stored``; ``left`` is called when it has been deleted."""
        self.id = stored.id
        """The table's."""
        self._house, self._header, self._left = house, header, left
        self._desk = KeyDesk(house, stored.id, header.players, keys)
        self._play = Play(house, stored, self._around)
        rate = house.settings.table_rate
        self._pace = Buckets(rate, _BURST * rate, most=1 + len(header.players), clock=house.clock)
        self._clocks = Clocks(lambda: self.now, ClockSettings(late=self._play.beside.live.late))
        self._board = self._play.beside.board or board_of(header)
        self._disputes = Disputes()
        self._camera = TableCamera(house, self._play, header.edition.key, self._board)

    @property
    def now(self) -> float:
        """Seconds since the table was opened."""
        return self._play.now

    @property
    def last(self) -> int:
        """The number of the newest entry of the journal."""
        return self._play.last

    def _check(self, visitor: Visitor, *roles: Role) -> None:
        """Check what the key of a visitor allows.

        :raises NoTableError: the table has been deleted.
        :raises BadKeyError: the key has been revoked.
        :raises NotAllowedError: its role is none of these.
        """
        if self._play.gone:
            raise NoTableError(self.id)
        self._desk.ring.check(visitor.key_id)
        if visitor.role not in roles:
            raise NotAllowedError(visitor.role, roles)

    # For the hub.

    async def open(self) -> None:
        """Make the table as it was, from what is stored; a visitor is only let in afterwards.

        :raises StoreError: it cannot be read.
        """
        await self._play.open()

    def visitor(self, key: str) -> Visitor:
        """Return who shows this whole ``key``.

        :raises BadKeyError: it does not open the table.
        """
        found = self._desk.ring.opened_by(key)
        return Visitor(self, found.id, found.role, found.player)

    @property
    def is_used(self) -> bool:
        """Whether anybody follows it or looks at it, or something is done at it at this moment."""
        return bool(self._play.followers) or self._camera.is_there or self._play.is_busy

    def put_away(self) -> None:
        """Forget what is in memory of the game; what is needed again is read from the store."""
        self._play.put_away()

    def end(self, closing: Closing, key_id: str | None = None) -> None:
        """End the sockets and the camera, or those with the key of this id."""
        self._play.followers.end(closing, key_id)
        self._camera.end(closing, key_id)

    # How it stands.

    async def state(self, visitor: Visitor) -> TableState:
        """Return how the table stands; any key."""
        self._check(visitor, *Role)
        return self._play.state()

    def _around(self, now: float, last: int) -> Around:
        return Around(
            self.id,
            self._play.beside.name,
            self._play.beside.language,
            self._play.beside.call_limit,
            now,
            last,
            self._play.followers.players,
            self._clock_errors(),
            self._camera.state,
        )

    def _clock_errors(self) -> dict[str, float]:
        """Return how well the clocks of players are known."""
        of_sockets = [(one.player, one.clock) for one in self._play.followers]
        return errors_of([*of_sockets, *((key.player, self._clocks.known(key.id)) for key in self._desk.ring.keys)])

    def board(self, visitor: Visitor) -> Mapping[str, Any]:
        """Return the board file of the table; any key.

        :raises NoBoardFileError: the game has no board.
        """
        self._check(visitor, *Role)
        if self._board is None:
            raise NoBoardFileError(self._header.edition.title)
        return self._board

    async def entries(self, visitor: Visitor, after: int = 0, limit: int = 500) -> Page:
        """Return the journal after entry ``after``, at most ``limit`` entries of it; player, host, spectator."""
        self._check(visitor, *_WATCHERS)
        entries = await self._play.journal(after, limit)
        return Page(entries, max(self.last, entries[-1].number if entries else 0))

    async def record(self, visitor: Visitor) -> str:
        """Return the record, each line with its end; player, host, spectator."""
        self._check(visitor, *_WATCHERS)
        lines = await self._house.store.lines(self.id)
        return "".join(f"{line}\n" for line in (self._play.header, *lines))

    # What people do.

    @property
    def event_types(self) -> tuple[str, ...]:
        """The types of the events of this game."""
        return types_of(self._header.edition)

    def _check_own(self, visitor: Visitor, player: str | None) -> None:
        """Check that what a player tells is their own: it is about ``player``, None for nobody."""
        if player is None:
            raise NotAllowedError(visitor.role, [Role.HOST])
        if player != visitor.player:
            raise NotYoursError(player, visitor.player or "")

    async def _changed(
        self, visitor: Visitor, act: Act, expected: int | None = None, *, heavy: bool = False
    ) -> Changed:
        if wait := self._pace.take(visitor.player or ""):
            raise TooManyRequestsError(wait)
        if visitor.role is Role.PLAYER:
            await self._house.whole(self._desk.hold_seat(visitor.key_id))
        names: list[tuple[int, Piece]] = []

        def noted(table: LiveTable) -> Iterable[Happening]:
            told = act(table)
            names.extend(table.take_names())
            return told

        entries = await self._play.change(noted, expected=expected, heavy=heavy)
        self._camera.correct(names)
        return Changed(entries, self._play.state())

    async def put(self, visitor: Visitor, event: Mapping[str, Any], *, expected: int | None = None) -> Changed:
        """Let the referee judge an ``event`` as a record has it: a host's any, a player's own.

        A player's ``t`` is left aside, a host's counts up to now. Taking back and correcting are what :meth:`undo` and
        :meth:`correct` do, and a host's call while calls are tied is what :meth:`choose` does.

        :raises BadEventError: it is none, or has a name that is none.
        """
        self._check(visitor, *_PLAYERS)
        read = event_of(event, self._header)
        if visitor.role is Role.PLAYER:
            self._check_own(visitor, getattr(read, "player", None))
        told = visitor.role is Role.HOST and read.time is not None
        timed = replace(read, time=min(read.time or 0.0, self.now) if told else None)
        # A correction judges again, and in Cubed a hint is a search.
        return await self._changed(
            visitor,
            lambda table: table.put(timed, host=visitor.role is Role.HOST),
            expected,
            heavy=isinstance(read, Asked | Corrected),
        )

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
        self._check(visitor, *_PLAYERS)
        caller = player or visitor.player
        if visitor.role is Role.PLAYER:
            self._check_own(visitor, caller)
        if caller not in self._header.players:
            raise BadEventError(f"{not_seated(caller, self._header.players)}: a host says who has called")
        time, error = (clock or self.clock(visitor)).at_table(at)
        changed = await self._changed(visitor, lambda table: table.call(caller, time, error), expected)
        return replace(changed, error=error)

    async def undo(self, visitor: Visitor, *, expected: int | None = None) -> Changed:
        """Take back the last event that counts; host."""
        self._check(visitor, Role.HOST)
        return await self._changed(visitor, lambda table: table.undo(), expected)

    async def correct(
        self,
        visitor: Visitor,
        old: str,
        new: str,
        *,
        piece: int | None = None,
        since: int | None = None,
        force: bool = False,
        expected: int | None = None,
    ) -> Changed:
        """Take it from the host that what was read as ``old`` is ``new``: names in any words that games use.

        ``piece`` is the track that it is about, ``since`` the first event of the record that is read anew; ``force``:
        also where a piece of that name cannot have come.

        :raises NoNameError: a name is no piece of the game.
        :raises NothingToCorrectError: it would change nothing.
        :raises NotPossibleError: a piece of that name cannot have come.
        """
        self._check(visitor, Role.HOST)
        was, now = piece_of(old, self._header.edition), piece_of(new, self._header.edition)
        return await self._changed(
            visitor,
            lambda table: table.correct(was, now, identity=piece, since=since, force=force),
            expected,
            heavy=True,
        )

    async def choose(self, visitor: Visitor, player: str | None, *, expected: int | None = None) -> Changed:
        """Decide a tie: the table is ``player``'s; None: nobody's; host.

        :raises NoTieError: no calls are tied.
        :raises NotTiedError: ``player`` is not among those who are tied.
        """
        self._check(visitor, Role.HOST)
        return await self._changed(visitor, lambda table: table.choose(player), expected)

    async def accept(
        self, visitor: Visitor, oddity: int, candidate: int = 0, *, expected: int | None = None
    ) -> Changed:
        """Accept an explanation of an oddity; host.

        :raises NoOddityError: it is not open any more, or has no such candidate.
        """
        self._check(visitor, Role.HOST)
        return await self._changed(visitor, lambda table: table.accept(oddity, candidate), expected)

    async def ignore(self, visitor: Visitor, oddity: int, *, expected: int | None = None) -> Changed:
        """Take the table as it lies there; host.

        :raises NoOddityError: the oddity is not open any more.
        """
        self._check(visitor, Role.HOST)
        return await self._changed(visitor, lambda table: table.ignore(oddity), expected)

    # Disputes.

    async def dispute(self, visitor: Visitor, at: float | None = None) -> DisputeState:
        """Freeze what lay there at a call: the last one, or the last not after ``at``; player, host.

        :raises NoReplayError: nothing has been kept.
        :raises NoCallError: nobody had called by then.
        """
        self._check(visitor, *_PLAYERS)
        frozen: list[DisputeState] = []

        def act(table: LiveTable) -> tuple[Happening, ...]:
            frozen.append(self._disputes.add(table.dispute(at)))
            return ()

        await self._changed(visitor, act)
        return frozen[0]

    def disputed(self, visitor: Visitor, number: int) -> DisputeState:
        """Return a dispute that was frozen; player, host, spectator.

        :raises NoDisputeError: there is none of that number.
        """
        self._check(visitor, *_WATCHERS)
        return self._disputes.state(number)

    def still(self, visitor: Visitor, number: int, still: int) -> bytes:
        """Return a picture of a dispute as JPEG; player, host, spectator.

        :raises NoDisputeError: there is no such picture.
        """
        self._check(visitor, *_WATCHERS)
        return self._disputes.still(number, still)

    # Sockets.

    def subscribe(self, visitor: Visitor, after: int | None = None, *, seen: bool = False) -> Subscription:
        """Follow the table from entry ``after`` (None: the newest); ``seen``: with what the camera sees.

        Player, host, spectator. A player counts as connected as long as it lasts.

        :raises FullError: too many sockets.
        """
        self._check(visitor, *_WATCHERS)
        self._check_room()
        self._house.sockets.take()
        one = Subscription(
            self._play,
            self._clocks.new(),
            after,
            key_id=visitor.key_id,
            player=visitor.player,
            seen=seen,
            left=self._follower_left,
        )
        self._play.followers.add(one)
        self._presence_changed(visitor.player)
        if self._house.closed:
            one.end(STOPPING)
        return one

    def _check_room(self) -> None:
        """Check that the table may have one more socket.

        :raises FullError: it may not.
        """
        most = self._house.settings.table_sockets
        if len(self._play.followers) + self._camera.is_there >= most:
            raise FullError("sockets of this table", most)

    def _follower_left(self, one: Subscription) -> None:
        self._house.sockets.leave()
        self._play.followers.remove(one)
        self._presence_changed(one.player)

    def _presence_changed(self, player: str | None) -> None:
        if player is not None:
            self._play.tell_state()

    def clock(self, visitor: Visitor) -> ClientClock:
        """Return the clock that is measured by requests with this key; player, host."""
        self._check(visitor, *_PLAYERS)
        return self._clocks.of(visitor.key_id)

    def camera(self, visitor: Visitor) -> CameraSession:
        """Let a camera look at the table; the one before is closed. Camera, host.

        :raises FullError: too many cameras or sockets.
        """
        self._check(visitor, Role.CAMERA, Role.HOST)
        self._camera.make_room()
        self._check_room()
        return self._camera.take_over(self._clocks.new(), visitor.key_id)

    # Keys.

    def keys(self, visitor: Visitor) -> tuple[Key, ...]:
        """Return all keys, revoked ones too; host."""
        self._check(visitor, Role.HOST)
        return self._desk.ring.keys

    async def add_key(self, visitor: Visitor, role: Role, player: str | None = None) -> NewKey:
        """Make one more key; ``player`` for a player's, and for no other; host.

        :raises SetupError: no role for whom, or nobody of that name sits at the table.
        :raises TooManyKeysError: there have been too many.
        """
        self._check(visitor, Role.HOST)
        return await self._house.whole(self._desk.add(role, player))

    async def take_seat(self, visitor: Visitor, player: str) -> NewKey:
        """Make the key of a player whose seat nobody has taken; join.

        :raises SeatTakenError: somebody has, or the player is connected or has played with a key of the table.
        :raises SetupError: nobody of that name sits at the table.
        :raises TooManyKeysError: there have been too many.
        """
        self._check(visitor, Role.JOIN)
        if player in self._play.followers.players:
            raise SeatTakenError(player)
        return await self._house.whole(self._desk.take_seat(player))

    def invite(self, visitor: Visitor, key: str) -> Invitation:
        """Return a short code that stands for a whole ``key`` of the table for a while; host.

        :raises SetupError: it is no key of the table, or a host's.
        :raises FullError: there are too many codes.
        """
        self._check(visitor, Role.HOST)
        return self._desk.invite(key)

    async def revoke(self, visitor: Visitor, key_id: str) -> None:
        """Let a key open nothing any more, and close its sockets; host.

        :raises UnknownKeyError: there is none of that id.
        :raises LastHostError: it is the last one of a host.
        """
        self._check(visitor, Role.HOST)

        async def revoked() -> None:
            await self._desk.revoke(key_id)
            self.end(Closing(Close.NOT_ALLOWED, "this key has been revoked"), key_id)

        await self._house.whole(revoked())

    async def delete(self, visitor: Visitor) -> None:
        """Forget the table for good, and close its sockets; host."""
        self._check(visitor, Role.HOST)

        async def deleted() -> None:
            await self._house.store.delete(self.id)
            self._play.gone = True
            self._house.invitations.forget(self.id)
            self.end(Closing(Close.NO_TABLE, "the table has been deleted"))
            self._left(self)

        await self._house.whole(deleted())
