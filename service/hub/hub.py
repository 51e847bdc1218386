"""All tables: opened, found again by their keys, put away when nobody uses them."""

from __future__ import annotations

import asyncio
import re
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from weakref import WeakValueDictionary

from anyio import to_thread

from engine.events import Asked
from engine.hints import HintLevel
from engine.labels import Language
from engine.record import Header, RecordError, lines_of, read_header, read_record, write_header
from service.board_file import AnyBoard
from service.errors import BadRecordError
from service.game import Game
from service.hub.camera import CameraSession, Watching
from service.hub.clocks import ClientClock
from service.hub.errors import FullError
from service.hub.house import House
from service.hub.invitations import Invitation
from service.hub.journal import told_of
from service.hub.keys import TableKeys, new_id, new_key
from service.hub.lookout import Lookout
from service.hub.messages import STOPPING, Message
from service.hub.session import Session
from service.hub.setup import Beside, TableSetup, check_names
from service.hub.state import TableState
from service.hub.visitors import Visitor
from service.live.settings import LiveSettings
from service.metrics import Figures, Metrics
from service.settings import Settings
from service.store import Entry, NoTableError, Role, Store, StoredTable
from service.workers import Camera, Sight, Vision

__all__ = ["Created", "Hub", "HubSettings"]

_TABLE_ID = 10
_TABLE_SHAPE = re.compile(r"[0-9a-z]{10}")
_MOST_SEARCHES = 200
"""So many hints of Cubed may be imported: each takes some 30 ms whenever the record is judged."""


@dataclass(frozen=True, slots=True)
class HubSettings:
    """How tables are looked after.

    ``tick``: seconds between two looks at tables where time matters. ``idle``: a table that nobody has used for so many
    seconds is put away; ``sweep``: seconds between two looks for such tables. ``events``: most events of a record that
    is taken over. ``grace``: so many seconds are left at the end for what is being stored.
    """

    tick: float = 0.02
    idle: float = 300.0
    sweep: float = 30.0
    events: int = LiveSettings().most_events
    grace: float = 5.0


@dataclass(frozen=True, slots=True)
class Created:
    """A table that was just opened."""

    session: Session
    keys: TableKeys
    state: TableState


class Hub:
    """All tables of a service. Everything runs on one event loop."""

    def __init__(
        self,
        store: Store,
        vision: Vision,
        settings: Settings,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
        own: HubSettings | None = None,
        metrics: Metrics | None = None,
    ) -> None:
        """Keep tables in ``store``; ``clock`` tells steady seconds, ``wall`` Unix seconds.

        What happens is counted in ``metrics``.
        """
        self._house = House(store, vision, settings, clock, wall, metrics or Metrics())
        self._own = own or HubSettings()
        self._open: OrderedDict[str, tuple[Session, float]] = OrderedDict()
        """Tables in memory with when they were last used, the longest unused first."""
        self._held: WeakValueDictionary[str, Session] = WeakValueDictionary()
        """Those, and tables that were put away while somebody still holds them: there is never a second of one."""
        self._live: set[CameraSession] = set()
        self._importing = asyncio.Lock()
        self._tasks: list[asyncio.Task[None]] = []

    # Life.

    async def start(self) -> None:
        """Begin to let time pass at the tables."""
        self._tasks = [asyncio.create_task(self._tick_on()), asyncio.create_task(self._sweep_on())]

    async def close(self) -> None:
        """End all sockets and cameras with 1012, those that still come too, and finish what is being stored."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._house.closed = True
        for session in list(self._held.values()):
            session.end(STOPPING)
        for camera in tuple(self._live):
            camera.end(STOPPING)
        await self._house.finish(self._own.grace)

    async def _tick_on(self) -> None:
        while True:
            await self._house.stirred.wait()
            await self.tick()
            await asyncio.sleep(self._own.tick)

    async def tick(self) -> None:
        """Let time pass at the tables where it matters."""
        house = self._house
        await asyncio.gather(*(table.tick() for table in house.ticking if table.is_due))
        if not house.ticking:
            house.stirred.clear()

    async def _sweep_on(self) -> None:
        while True:
            await asyncio.sleep(self._own.sweep)
            self.sweep()

    def sweep(self) -> None:
        """Put tables away that nobody has used for long."""
        before = self._house.clock() - self._own.idle
        for session, used in list(self._open.values()):
            if used < before:
                self._put_away(session)

    def _put_away(self, session: Session) -> bool:
        """Put a table away unless somebody uses it; return whether that has been done."""
        if session.is_used:
            return False
        session.put_away()
        del self._open[session.id]
        return True

    def _use(self, session: Session) -> None:
        """Note that a table is used now, and put away the longest unused if there are too many.

        :raises FullError: all others are in use.
        """
        most = self._house.settings.open_tables
        if session.id not in self._open and len(self._open) >= most:
            others = [other for other, _ in self._open.values()]
            if not any(self._put_away(other) for other in others):
                raise FullError("tables in use", most)
        self._open[session.id] = session, self._house.clock()
        self._open.move_to_end(session.id)

    def _left(self, session: Session) -> None:
        self._open.pop(session.id, None)
        self._held.pop(session.id, None)

    # Tables.

    async def create(self, setup: TableSetup) -> Created:
        """Open a table.

        :raises SetupError: the game cannot be played so; names the field.
        :raises FullError: there are too many tables.
        :raises StoreError: it cannot be kept.
        """
        header = setup.header()
        return await self._created(header, write_header(header), setup.beside(), ())

    async def import_record(
        self,
        record: bytes,
        *,
        name: str | None = None,
        call_limit: float | None = None,
        language: Language = Language.ENGLISH,
    ) -> Created:
        """Open a table with the game of a ``record`` so far: JSON lines in UTF-8.

        :raises BadRecordError: it cannot be read; says the line.
        :raises SetupError: a name or the limit is none.
        :raises FullError: there are too many tables.
        :raises StoreError: it cannot be kept.
        """
        beside = Beside(name, call_limit, language)
        read = partial(_read, record, language, self._house.wall(), self._own.events)
        async with self._importing:
            header, line, entries = await to_thread.run_sync(read)
        return await self._created(header, line, beside, entries)

    async def _created(self, header: Header, line: str, beside: Beside, entries: Sequence[Entry]) -> Created:
        house, now = self._house, self._house.wall()
        if await house.store.count() >= house.settings.max_tables:
            raise FullError("tables", house.settings.max_tables)
        common = [new_key(role, None, now) for role in Role if role is not Role.PLAYER]
        seats = [new_key(Role.PLAYER, player, now) for player in header.players]
        stored = StoredTable(new_id(_TABLE_ID), now, line, beside.to_json(), len(entries))
        await house.store.create(stored, [key for key, _ in (*common, *seats)], entries)
        whole = {made.role.value: made.key for _, made in common}
        keys = TableKeys(**whole, players={made.player or "": made.key for _, made in seats})
        try:
            visitor = await self.enter(stored.id, keys.host)
        except FullError:
            await house.store.delete(stored.id)  # nobody will ever know its keys
            raise
        return Created(visitor.session, keys, await visitor.session.state(visitor))

    async def enter(self, table: str, key: str) -> Visitor:
        """Return who shows this whole ``key`` at the ``table``.

        :raises NoTableError: there is no such table.
        :raises BadKeyError: the key does not open it.
        :raises FullError: too many tables are in use.
        :raises StoreError: the table cannot be read now.
        """
        session = await self._session(table)
        visitor = session.visitor(key)
        self._use(session)
        await session.open()
        return visitor

    async def _session(self, table: str) -> Session:
        if not _TABLE_SHAPE.fullmatch(table):
            raise NoTableError(table)
        if table in self._held:
            return self._held[table]
        store = self._house.store
        stored, keys = await store.table(table), await store.keys(table)
        session = Session(self._house, stored, read_header(stored.header), keys, self._left)
        return self._held.setdefault(table, session)  # somebody else may have been quicker

    def invited(self, code: str, client: str) -> Invitation:
        """Return what a ``code`` stands for that ``client`` shows.

        :raises NoInvitationError: nothing (any more).
        :raises TooManyError: too many wrong ones have come from ``client``, or from all.
        """
        return self._house.invitations.look_up(code, client)

    def live(
        self,
        game: Game = Game.AUTO,
        board: AnyBoard | None = None,
        language: Language = Language.ENGLISH,
        hints: HintLevel | None = None,
    ) -> CameraSession:
        """Follow a camera without a table, and tell the SETs that lie there, or with ``hints`` so much about them.

        :raises FullError: too many cameras or sockets.
        """
        house = self._house
        house.take_camera()
        known = None if board is None else board.model_dump(mode="json", exclude_none=True)
        began = house.clock()
        clock = ClientClock(lambda: house.clock() - began)
        if board is not None and game is Game.AUTO:
            game = Game(board.game)
        eye = Camera(f"live-{new_id()}", game, known)
        lookout = Lookout(house, game, board, language, hints)
        camera = CameraSession(house, eye, clock, Watching(_looked, self._live_left, language, told=lookout.told))
        self._live.add(camera)
        if house.closed:
            camera.end(STOPPING)
        return camera

    def _live_left(self, camera: CameraSession) -> None:
        self._live.discard(camera)
        self._house.leave_camera()

    @property
    def figures(self) -> Figures:
        """How much goes on."""
        house = self._house
        return Figures(len(self._open), house.sockets.taken, house.cameras.taken, house.seen, house.skipped)


async def _looked(sight: Sight, message: Message) -> None:
    """Do nothing with what a picture shows: it has been told."""


def _read(record: bytes, language: Language, wall: float, most: int) -> tuple[Header, str, tuple[Entry, ...]]:
    """Return the header of a record, its line, and the journal that goes with its events.

    :raises BadRecordError: it cannot be read.
    :raises SetupError: a name that cannot be shown.
    """
    try:
        header, events = read_record(BytesIO(record))
        first, *lines = (line for _, line in lines_of(BytesIO(record)))
    except RecordError as error:
        raise BadRecordError("record", str(error)) from None
    if len(events) > most:
        raise BadRecordError("record", f"more than {most} events")
    if header.edition.key == Game.CUBED and sum(isinstance(event, Asked) for event in events) > _MOST_SEARCHES:
        raise BadRecordError("record", f"more than {_MOST_SEARCHES} hints, each of which is a search: leave them out")
    check_names(header.players)
    told = told_of(header, events, lines, language, wall)
    return header, first, tuple(Entry(number, *one) for number, one in enumerate(told, 1))
