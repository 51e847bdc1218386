"""From a call to whose table it is: calls are held, tied or told apart, and put to the referee."""

from __future__ import annotations

from engine.events import Called, Dealt, GaveUp, Picked, Tied, Undone
from engine.labels import listed
from service.live.desk import Call, CallDesk, Tie
from service.live.errors import NoTieError, NotTiedError
from service.live.happenings import Happening, HappeningKind
from service.live.ledger import Ledger
from service.live.phrases import Phrase, said
from service.live.settings import LiveSettings

__all__ = ["Calling"]


class Calling:
    """Knows who has called and when. What the referee says of it goes into the ledger."""

    def __init__(self, ledger: Ledger, settings: LiveSettings) -> None:
        self._ledger = ledger
        self._settings = settings
        self._desk = CallDesk(settings.clock_error)
        self.tie: Tie | None = None
        """Calls that people have to decide between."""
        self.opened: Call | None = None
        """The call by which the table is somebody's."""
        self.from_time = 0.0
        """Since when that player has had time to pick: the call, or the decision of a tie."""
        self.claimant: tuple[str, ...] = ()
        """In games without calls: who says that the next change is theirs."""

    @property
    def caller(self) -> str | None:
        """Whose table it is."""
        state = self._ledger.referee.state
        seat: int | None = getattr(state, "caller", None)
        return None if seat is None else str(state.players[seat])

    def due(self, now: float) -> float | None:
        """Return from when on time may bring something about: calls are held, or one is open with a limit."""
        if self._desk.waiting:
            return now
        return self.ends

    @property
    def ends(self) -> float | None:
        """When the open call becomes a false one; None: there is none, or no limit."""
        limit = self._settings.call_limit
        return None if limit is None or self.caller is None else self.from_time + limit

    def resume(self, now: float) -> None:
        """Take up from the record whose table it is, and a tie that nobody has decided."""
        referee, tied = self._ledger.referee, None
        for event, verdict in zip(referee.events, referee.verdicts, strict=True):
            at = now if event.time is None else event.time
            match event:
                case Tied(players) if verdict.ok:
                    tied = Tie(tuple(Call(player, at, came=now) for player in players))
                case Called(player) if verdict.ok:
                    tied, self.opened = None, Call(player, at, came=now)
                case Called(player) if tied is not None and player in tied.players:
                    tied = None
        self.tie, self.from_time = tied if referee.state.over is None else None, now
        self.follow(now)

    def follow(self, now: float) -> None:
        """Note what an event has made of the open call, and of the one who claims the next change."""
        if self.caller is None:
            self.opened = None
        else:
            self.tie = None
            if self.opened is None or self.opened.player != self.caller:
                self.opened, self.from_time = Call(self.caller, now, came=now), now
        self.claimant = ()

    @property
    def remark(self) -> str:
        """What is told with a pick that nobody can make: that a host has to decide first."""
        return "" if self.tie is None else self._said(Phrase.HOST_FIRST, tied=self._tied)

    def take(self, call: Call, *, watched: bool = True) -> tuple[Happening, ...]:
        """Hold a call that comes in; in games without calls it is about the next change that is ``watched``."""
        if not self._ledger.referee.game.has_calls:
            self.claimant = (call.player,)
            return (self._message(call, Phrase.MINE if watched else Phrase.CALLS_DO_NOT_MATTER),)
        if call.player == self.caller:
            return (self._message(call, Phrase.CALLED_ALREADY),)
        if self.tie is not None:
            return (self._message(call, Phrase.CALLS_WHILE_TIED),)
        if not self._desk.add(call):
            return (self._message(call, Phrase.CALLED_ALREADY),)
        return ()

    def _message(self, call: Call, phrase: Phrase) -> Happening:
        text = self._said(phrase, player=call.player, tied=self._tied)
        return Happening(kind=HappeningKind.MESSAGE, time=call.at, text=text, player=call.player)

    def _said(self, phrase: Phrase, **facts: str | float) -> str:
        return said(phrase, self._settings.language, **facts)

    def advance(self, now: float, *, busy: bool, until: float = float("inf")) -> tuple[Happening, ...]:
        """Decide the calls that are due by ``now``, no later ones than ``until``.

        While the table is a caller's and ``busy`` with a change, which may be the pick, later calls wait for its end.
        """

        def counts(call: Call) -> bool:
            waits = busy and self.opened is not None and until == float("inf") and not self._displaces(call)
            return call.at <= until and not waits

        told: list[Happening] = []
        while group := self._desk.ready(now, counts):
            told += self._decide(group, now)
        return tuple(told)

    def _displaces(self, call: Call) -> bool:
        """Return whether a call comes before the one that is open, or clashes with it, though it came in later."""
        opened = self.opened
        if opened is None or call.player == opened.player:
            return False
        if call.came - call.at > self._settings.late or not self._is_just_called():
            return False
        return call.at < opened.at or call.clashes(opened, self._settings.clock_error)

    def _has_called(self, call: Call) -> bool:
        """Return whether the table is the caller's already, by an event that was told while the call was held."""
        return self.opened is not None and call.player == self.opened.player

    def _is_just_called(self) -> bool:
        """Return whether nothing that counts has happened since the open call."""
        *_, (last, _) = self._ledger.referee.counted()
        return isinstance(last, Called) and last.player == self.caller

    def _decide(self, group: tuple[Call, ...], now: float) -> list[Happening]:
        if self.tie is not None:
            return [self._message(call, Phrase.CALLS_WHILE_TIED) for call in group]
        told = [self._message(call, Phrase.CALLED_ALREADY) for call in group if self._has_called(call)]
        group = tuple(call for call in group if not self._has_called(call))
        why = {call: closing for call in group if (closing := self._closing(call)) is not None}
        told += [self._message(call, phrase) for call, phrase in why.items()]
        group = tuple(call for call in group if call not in why)
        opened = self.opened
        rivals = tuple(call for call in group if self._displaces(call))
        if rivals and opened is not None:
            clashing = any(call.clashes(opened, self._settings.clock_error) for call in rivals)
            group = (*group, opened) if clashing else group
            told.append(self._ledger.apply(Undone(), now, remark=self._said(Phrase.EARLIER_CALL)))
            self.follow(now)
        return told + self._judge(sorted(group, key=lambda call: (call.at, call.player)), now)

    def _closing(self, call: Call) -> Phrase | None:
        """Return what is said of a call that came in, or could not be decided, until the table was another one."""
        for event, _ in self._ledger.referee.counted():
            late = event.time is not None and call.at + call.error < event.time
            if late and isinstance(event, Picked | GaveUp):
                return Phrase.LATE_FOR_VERDICT
            if late and isinstance(event, Dealt) and call.came >= (event.time or 0.0):
                return Phrase.LATE_FOR_DEAL
        return None

    @property
    def _tied(self) -> str:
        return "" if self.tie is None else listed(self.tie.players, self._settings.language)

    def _judge(self, calls: list[Call], now: float) -> list[Happening]:
        """Tie the calls that may stand, or let the first of them count; the others are refused."""
        able = [call for call in calls if self._may(call)]
        tied = [call for call in able if call.clashes(able[0], self._settings.clock_error)]
        if len(tied) < 2:
            return [self._called(call, now) for call in calls]
        told = [self._called(call, now) for call in calls if call not in able]
        self.tie = Tie(tuple(tied))
        noted = self._ledger.apply(Tied(self.tie.players), tied[0].at)
        times = [self._said(Phrase.TIED_AT, player=call.player, at=call.at) for call in tied]
        text = self._said(Phrase.TIED, times=listed(times, self._settings.language))
        return [*told, noted, self._tie_told(text)]

    def _tie_told(self, text: str) -> Happening:
        tie = self.tie or Tie(())
        return Happening(kind=HappeningKind.TIE, time=tie.calls[0].at, text=text, times=tie.times)

    def _may(self, call: Call) -> bool:
        referee = self._ledger.referee
        return bool(referee.game.apply(referee.state, Called(call.player))[1].ok)

    def _called(self, call: Call, now: float) -> Happening:
        told = self._ledger.apply(Called(call.player), call.at)
        if told.ok:
            self.opened, self.from_time = call, call.at
        self.follow(now)
        return told

    def decide(self, player: str | None, now: float) -> tuple[Happening, ...]:
        """Let one of the tied players have the table, or none; who the others are has been told.

        :raises NoTieError: no calls are tied.
        :raises NotTiedError: ``player`` is not among those who are tied.
        """
        if self.tie is None:
            raise NoTieError
        if player is not None and player not in self.tie.players:
            raise NotTiedError(player, self.tie.players)
        tie, self.tie = self.tie, None
        call = next((call for call in tie.calls if call.player == player), None)
        if call is None:
            text = self._said(Phrase.TIE_FOR_NOBODY)
            return (Happening(kind=HappeningKind.MESSAGE, time=now, text=text),)
        told = self._called(call, now)
        self.from_time = now
        return (told,)
