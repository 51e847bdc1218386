"""A game followed moment by moment: what people do goes to the referee, what nobody can explain is asked about.

>>> from engine.record import read_header
>>> table = LiveTable(read_header('{"game": "classic", "players": ["Ann", "Ben"], "options": {}}'))
>>> table.scores
{'Ann': 0, 'Ben': 0}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isfinite

from engine.events import Called, Corrected, Event, GaveUp, NoSet, Picked, PileOut, TurnEnded, Undone
from engine.explained import Candidate
from engine.layout import Layout
from engine.record import Header
from engine.referee import Referee
from engine.tokens import Piece
from service.live.calling import Calling
from service.live.changes import OpenOddity, Pending, Watch
from service.live.desk import Call, Tie
from service.live.disputes import dispute_of
from service.live.errors import CallTimeError, NoOddityError, TiedError
from service.live.happenings import Happening, Happenings, pieces_of
from service.live.ledger import Ledger, Sink
from service.live.meaning import is_lifting, meaning
from service.live.mender import Mender
from service.live.oddities import missed_told, oddity_told, open_oddity, remark_on, resolved_told
from service.live.phrases import Phrase
from service.live.reel import Dispute, Reel
from service.live.seen import Seen
from service.live.settings import LiveSettings
from service.live.understanding import Known, known
from service.live.view import View
from vision.tracks import Moment
from vision.types import Image

__all__ = ["LiveTable"]


class LiveTable:
    """Referees one game that is seen moment by moment.

    It has no window, no thread and no clock: all times come from outside, in seconds of the source. Every method that
    changes anything returns what is to be told: each line of the record in exactly one happening, in order. Only
    settled moments are judged, and the layout that counts as understood moves on only when a change is explained in
    full, or when a person says so.
    """

    def __init__(
        self,
        header: Header,
        settings: LiveSettings | None = None,
        record: Sink | None = None,
        *,
        past: Sequence[Event] | None = None,
    ) -> None:
        """Open the table of ``header``; every line of the record goes to ``record`` as soon as it is there.

        With a ``past``, which :meth:`resumed` gives, header and past are in the record already.

        :raises EditionError: the players cannot play this game.
        :raises OptionError: an unknown option, or a value out of range.
        :raises BoardError: a board that is none.
        """
        self.settings = settings or LiveSettings()
        self.header = header
        self._ledger = Ledger(header, record, self.settings.language, most=self.settings.most_events, past=past)
        self._calling = Calling(self._ledger, self.settings)
        self._watch = Watch(self.settings.show_seconds)
        self._reel = Reel(self.settings)
        self._view = View.of(header.edition)
        self._mender = Mender(self._ledger, self._view)
        self._pending: Pending | None = None
        self._oddity: OpenOddity | None = None
        self._oddities = 0
        self._ignored: set[Known] = set()
        self._now = 0.0

    @classmethod
    def resumed(
        cls,
        header: Header,
        events: Sequence[Event],
        settings: LiveSettings | None = None,
        record: Sink | None = None,
        now: float = 0.0,
        *,
        oddities: int = 0,
    ) -> LiveTable:
        """Return the table as it was after these ``events`` of its record, its time going on from ``now``.

        Only what comes from here on goes to ``record``. An open call stays open, its limit counts anew; a tie that
        nobody has decided is one still. What lies there by the game counts as understood: the next settled moment is
        compared with that. ``oddities`` is the highest number that an oddity has had so far, so that none comes twice.
        Calls that were held, oddities and what was kept for disputes are not in the record, and gone.

        :raises EditionError: the players cannot play this game.
        :raises OptionError: an unknown option, or a value out of range.
        :raises BoardError: a board that is none.
        :raises UnknownPlayerError: an event by someone who does not sit at the table.
        """
        table = cls(header, settings, record, past=events)
        table._pass(now)
        table._oddities = oddities
        table._view.resume(table.referee)
        table._watch.rest(table._now)
        table._calling.resume(table._now)
        return table

    # What is known.

    @property
    def referee(self) -> Referee:
        """Who judges; read only, events go through this table."""
        return self._ledger.referee

    @property
    def record(self) -> tuple[str, ...]:
        """The lines of the record so far, the header first."""
        return self._ledger.lines

    @property
    def scores(self) -> Mapping[str, int]:
        """Points by player."""
        return dict(self.referee.state.score)

    @property
    def layout(self) -> Layout:
        """What is understood to lie there: as seen last, and what people have told since of pieces not seen yet."""
        return self._view.layout(self.referee.state)

    @property
    def caller(self) -> str | None:
        """Whose table it is, by an open call."""
        return self._calling.caller

    @property
    def call_ends(self) -> float | None:
        """When the open call becomes a false one, unless a hand is under way; None: never."""
        return self._calling.ends

    @property
    def tie(self) -> Tie | None:
        """Calls that people have to decide between."""
        return self._calling.tie

    @property
    def oddity(self) -> OpenOddity | None:
        """What people should look at, if anything."""
        return self._oddity

    @property
    def now(self) -> float:
        """The latest time that the table has been told."""
        return self._now

    @property
    def waits(self) -> bool:
        """Whether something comes about by time alone, so that somebody has to :meth:`tick`: held calls, a limit."""
        return self.due is not None

    @property
    def due(self) -> float | None:
        """From when on a :meth:`tick` may bring something about; None: time does not matter."""
        return None if self._ledger.is_full else self._calling.due(self._now)

    # What is seen.

    def look(self, moment: Moment, image: Image | None = None, still: bytes | None = None) -> Happenings:
        """Take in one ``moment``; once the record is full nothing is judged any more.

        For the replay it came from ``image``, (height, width, 3) uint8 BGR, or ``still`` is a small JPEG of that.
        """
        moment = self._view.named(moment)
        self._pass(moment.time)
        self._view.take_in(moment, self.referee.state)
        told = () if self._ledger.is_full else self._taken_in(moment)
        self._reel.keep(self._now, self._view.seen.layout, moment.settled, image, still)
        return (*told, *self._limit())

    def _taken_in(self, moment: Moment) -> Happenings:
        if moment.settled:
            return tuple(self._settled(moment))
        self._unsettled(moment)
        return self._calling.advance(self._now, busy=True)

    def tick(self, now: float) -> Happenings:
        """Let time pass without a picture, as when the camera is gone."""
        self._pass(now)
        if self._ledger.is_full:
            return ()
        return (*self._calling.advance(self._now, busy=self._is_busy), *self._limit())

    def restart_sight(self) -> None:
        """Take it that whatever follows the pieces has begun anew, or is gone.

        No number of a track means what it meant before, and nothing that has been seen is still going on.
        """
        self._view.restart()
        self._mender.restart()
        self._pending = None
        if self._oddity is not None:
            self._oddity = replace(self._oddity, pending=self._oddity.pending.unfollowed())

    def _pass(self, time: float) -> None:
        # Sources promise that times do not go backwards; if one does all the same, time stands still here.
        self._now = max(self._now, time)

    @property
    def _is_busy(self) -> bool:
        """Whether something goes on that may yet turn out to be the caller's pick."""
        if self._view.moment is not None and not self._view.moment.settled:
            return True
        return self._pending is not None and self._pending.laid >= self._calling.from_time

    def _unsettled(self, moment: Moment) -> None:
        self._watch.stir(self._now)
        self._watch.move(self._now)
        if self.caller is not None:
            self._watch.lift(self._view.lifted(moment), self._now)

    def _settled(self, moment: Moment) -> list[Happening]:
        changed = min(max(moment.changed, self._watch.quiet), self._now)
        told = list(self._calling.advance(self._now, busy=self._is_busy, until=changed))
        self._watch.moved = None
        if self._view.is_complete:
            told += self._put_back(changed)
        if self._view.is_as_understood:
            told += self._rest(Phrase.AS_IT_WAS)
        else:
            told += self._changed(changed)
        missed = self._view.missed(self._now, self.settings.deal_patience)
        told += missed_told(missed, self._now, self.header.edition, self.settings.language)
        return [*told, *self._calling.advance(self._now, busy=self._is_busy)]

    def _put_back(self, changed: float) -> list[Happening]:
        """Judge three pieces that the caller has shown and put back before anything has settled."""
        shown, opened = self._watch.shown, self._calling.opened
        if len(shown) != 3 or self.caller is None or opened is None or self._watch.shown_since < opened.at:
            return []
        at = [piece for _, piece in self._view.base.layout.entries if piece in shown]
        sure = not shown & self._view.base.doubts
        return [self._apply(Picked(self.caller, tuple(at)), changed, sure=sure)]

    def _rest(self, why: Phrase, seen: Seen | None = None) -> list[Happening]:
        """Take what is ``seen`` now, or was for a while, for what is understood."""
        self._view.rest(seen or self._view.seen)
        self._pending = None
        names = {str(piece) for piece in self._view.base.layout.values()}
        self._ignored = {one for one in self._ignored if names.issuperset(one[1])}
        self._watch.rest(self._now)
        oddity, self._oddity = self._oddity, None
        if oddity is None:
            return []
        return [resolved_told(oddity.number, self._now, why, self.settings.language)]

    def _changed(self, changed: float) -> list[Happening]:
        """Deal with a settled layout that is not the one understood."""
        began, view = self._watch.stir(self._now), self._view
        key = (view.seen.layout, len(self.referee.log), self.tie, self._calling.claimant)
        pending = self._pending
        if pending is None or pending.key != key:
            same = pending is not None and pending.seen.layout == view.seen.layout
            since = self._now if pending is None else pending.since
            laid = pending.laid if pending is not None and same else self._now
            who = self.tie.players if self.tie is not None else self._calling.claimant
            understood, seen = meaning(view, self.referee, who, self._ignored)
            pending = Pending(seen, understood, since, laid, began, changed, key)
            self._pending = pending
        if pending.understood.whole:
            return self._take(pending)
        if self.referee.state.over is not None:
            return self._rest(Phrase.GAME_OVER)
        return self._wait(pending)

    def _take(self, pending: Pending) -> list[Happening]:
        choice = pending.understood.choice
        told = [] if choice is None else self._play(pending, choice, pending.understood.sure)
        return [*told, *self._rest(Phrase.EXPLAINED, pending.seen)]

    def _play(self, pending: Pending, candidate: Candidate, sure: bool) -> list[Happening]:
        """Let the referee judge the events that explain a change."""
        told = []
        doubts = self._view.base.doubts | pending.seen.doubts
        for event in candidate.events:
            certain = sure and event.note is None and not doubts & set(pieces_of(event))
            remark = remark_on(event, candidate, self.header.edition, self.settings.language)
            told.append(self._apply(event, pending.changed, pending=pending, sure=certain, remark=remark))
        return told

    def _apply(
        self,
        event: Event,
        time: float,
        *,
        pending: Pending | None = None,
        sure: bool | None = None,
        remark: str = "",
    ) -> Happening:
        self._view.judged = frozenset()
        if isinstance(event, Corrected):
            return self._ledger.correct(event, time)
        before = self._watch.began if pending is None else pending.began
        told = self._ledger.apply(
            event,
            time,
            before=None if sure is None or before is None else min(before, time),  # the tracker may have seen it sooner
            after=None if sure is None else self._now,
            sure=sure,
            remark=remark,
        )
        self._calling.follow(self._now)
        return told

    # What is odd.

    def _wait(self, pending: Pending) -> list[Happening]:
        """Tell a change that has not been understood for too long."""
        deal, told = pending.understood.is_deal_under_way, self._oddity
        since, patience = pending.since, self.settings.patience
        if deal:
            since, patience = pending.laid, self.settings.deal_patience
        if told is not None:
            if told.pending.is_like(pending):
                self._oddity = replace(told, pending=pending)
                return []
            since = max(since, told.told)
        if self._now - since < patience:
            return []
        self._oddities += 1
        self._oddity = open_oddity(self._oddities, pending, self._now, self.header.edition, self.settings.language)
        return [oddity_told(self._oddity, self.header.edition, self.settings.language)]

    def accept(self, number: int, candidate: int = 0) -> Happenings:
        """Accept an explanation of oddity ``number``: that is what happened, and the layout is as it lies there now.

        :raises NoOddityError: the oddity is not open any more, or has no such candidate, or the game has gone on so
            that it would not count now.
        :raises TableFullError: the record is full.
        """
        self._ledger.admit()
        oddity = self._open(number)
        candidates = oddity.pending.understood.candidates
        if not 0 <= candidate < len(candidates) or is_lifting(oddity.pending.understood, self._view.judged):
            raise NoOddityError(number, candidate)
        chosen, fork = candidates[candidate], self.referee.fork()
        if not all(fork.apply(event).counts for event in chosen.events):
            raise NoOddityError(number, candidate)
        told = self._play(oddity.pending, chosen, True)
        return (*told, *self._settle(oddity, Phrase.EXPLAINED))

    def ignore(self, number: int) -> Happenings:
        """Take the layout as it is: nothing has happened that counts.

        :raises NoOddityError: the oddity is not open any more.
        """
        return self._settle(self._open(number), Phrase.IGNORED)

    def _open(self, number: int) -> OpenOddity:
        if self._oddity is None or self._oddity.number != number:
            raise NoOddityError(number)
        return self._oddity

    def _settle(self, oddity: OpenOddity, why: Phrase) -> Happenings:
        """Take the layout of an oddity for understood, and what is odd about it for known."""
        self._ignored |= {known(one) for one in oddity.pending.understood.problems}
        return tuple(self._rest(why, oddity.pending.seen))

    # What people say.

    def call(self, player: str, at: float, error: float = 0.0) -> Happenings:
        """Take in a call of ``player`` at ``at``, give or take ``error`` seconds; it may come late or out of order.

        In games without calls it says whose the next change is that could be anybody's.

        A call of a later time than the table's is held until then.

        :raises UnknownPlayerError: nobody of that name sits there.
        :raises CallTimeError: a time that is none.
        :raises TableFullError: the record is full.
        """
        self._ledger.admit()
        self.referee.state.index(player)
        if not (isfinite(at) and isfinite(error)):
            raise CallTimeError(player, at, error)
        told = self._calling.take(Call(player, at, max(0.0, error), self._now), watched=self._view.moment is not None)
        return (*told, *self._calling.advance(self._now, busy=self._is_busy))

    def choose(self, player: str | None) -> Happenings:
        """Decide a tie: the table is ``player``'s; None: nobody's.

        :raises NoTieError: no calls are tied.
        :raises NotTiedError: ``player`` is not among those who are tied.
        :raises TableFullError: the record is full.
        """
        self._ledger.admit()
        return self._calling.decide(player, self._now)

    def put(self, event: Event, *, host: bool = True) -> Happenings:
        """Let the referee judge an event that people have told: its own ``time`` counts, else the time of the table.

        What a camera sees of it, before or after, is no second event: pieces told to have come are not new, those told
        to have gone may lie there until they are taken, three that were a false call may be lifted once. Taking back
        and correcting change what has happened and not what lies there, which is taken as it is: see :meth:`correct`.
        A call while others are tied is a ``host``'s decision, as of :meth:`choose`.

        :raises UnknownPlayerError: by someone who does not sit at the table.
        :raises LookupError: a record of this game cannot hold the event.
        :raises TiedError: a call while calls are tied, told by one who is no host.
        :raises NotTiedError: a call of somebody else while calls are tied.
        :raises LiveError: a correction is none, as of :meth:`correct`.
        :raises TableFullError: the record is full.
        """
        match event:
            case Corrected():
                return self._mended(self._mender.correct(event, self._now, since=event.event))
            case Called() if self.tie is not None and not host:
                raise TiedError(self.tie.players)
            case Called() if self.tie is not None:
                return self.choose(event.player)
        self._ledger.admit(event)
        before = self.referee.state
        undone = self._mender.last if isinstance(event, Undone) else None
        remark = self._calling.remark if isinstance(event, Picked | GaveUp) else ""
        told = self._apply(event, self._now if event.time is None else event.time, remark=remark)
        if undone is not None and told.ok:
            self._mender.take_back(undone)
            self._mended()
        self._view.follow(event, before, self.referee.state, judged=bool(told.judged), now=self._now)
        return (told,)

    def give_up(self, player: str) -> Happenings:
        """Let ``player``, who has called, show nothing; errors as of :meth:`put`."""
        return self.put(GaveUp(player))

    def no_set(self, player: str) -> Happenings:
        """Let ``player`` say that there is no SET; errors as of :meth:`put`."""
        return self.put(NoSet(player))

    def turn_over(self, player: str) -> Happenings:
        """Let ``player`` end a turn; errors as of :meth:`put`."""
        return self.put(TurnEnded(player))

    def pile_out(self) -> Happenings:
        """Note that the pile is empty; errors as of :meth:`put`."""
        return self.put(PileOut())

    def undo(self) -> Happenings:
        """Take back the last event that counts. What lies there is taken as it is, but for a corrected name."""
        return self.put(Undone())

    def correct(
        self, old: Piece, new: Piece, *, identity: int | None = None, since: int | None = None, force: bool = False
    ) -> Happenings:
        """Take it from a person that what was read as ``old`` is ``new``; nothing is told if it is in no event.

        ``identity`` is the track it is about; without it, every track that reads ``old``. ``since`` is the first event
        of the record that is read anew; without it, the one with which ``old`` came to the table. ``force``: also if a
        piece of that name cannot have come, so that what came with it does not count any more.

        :raises NotAPieceError: the game has no such piece as ``new``.
        :raises NothingToCorrectError: it would change nothing.
        :raises NotPossibleError: the name is there already, or cannot be.
        :raises TableFullError: the record is full, or corrections reach back over too much of it.
        """
        asked = Corrected(0, old, new)
        return self._mended(self._mender.correct(asked, self._now, identity=identity, since=since, force=force))

    def _mended(self, told: Happenings = ()) -> Happenings:
        self._pending = None
        self._calling.follow(self._now)
        return told

    def take_names(self) -> tuple[tuple[int, Piece], ...]:
        """Return what people have said of tracks since this was last asked: ``Tracker.correct`` has to be told."""
        return self._mender.take_names()

    # What is looked at again.

    def dispute(self, at: float | None = None) -> Dispute:
        """Freeze what lay there at a call: the last one, or the last one not after ``at``.

        :raises NoReplayError: nothing has been kept.
        :raises NoCallError: nobody had called by then.
        """
        return dispute_of(self.referee, self._reel, self._now if at is None else at, self.settings.language)

    def _limit(self) -> list[Happening]:
        """Make a call a false one whose player shows nothing in time; a hand that is under way may finish."""
        end = self._calling.ends
        if end is None or self.caller is None or self._ledger.is_full:
            return []
        late = self._watch.moved is not None and self._watch.moved > end
        if self._now < end or (self._is_busy and not late):
            return []
        return [self._apply(GaveUp(self.caller), end)]
