"""The referee of one game: an append-only log of what people did, and what it comes to.

The log only grows. ``undone`` takes back the last event that counted (ALL-3) and stays in the log itself; ``corrected``
judges again everything since the event it names (ALL-5).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, fields, replace
from typing import Any

from engine.clauses import Clause
from engine.events import Asked, Corrected, Event, Tied, Undone, Verdict
from engine.game import Game, Legal, Outcome, State, accept, refuse
from engine.reasons import Reason
from engine.tokens import Card, Face, Tile

__all__ = ["Entry", "Referee", "corrected_event"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the log."""

    number: int
    """Place in the log, from 0."""
    event: Event
    """What happened, as it was reported."""
    verdict: Verdict
    """What the referee said to it then."""
    scores: Mapping[str, int]
    """Points by player after it."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class _Step:
    """A state with the way that led to it; taking back walks one step along ``previous``."""

    state: State
    previous: _Step | None = None
    event: Event | None = None
    verdict: Verdict | None = None
    judged_again: _Step | None = None
    """After a correction: the last step of the way as it is judged now."""
    reading: _Reading | None = None
    """After a correction: what was read before it."""


@dataclass(frozen=True, slots=True, eq=False)
class _Reading:
    """Events ``first`` to the one before a correction, each with the step before it and what was said to it."""

    first: int
    events: tuple[Event, ...]
    before: tuple[_Step, ...]
    verdicts: tuple[Verdict, ...]

    @property
    def end(self) -> int:
        """The number of the correction."""
        return self.first + len(self.events)


class Referee:
    """Judges the events of one game and keeps their log."""

    def __init__(
        self,
        game: Game[Any],
        players: Sequence[str],
        options: Mapping[str, object] | None = None,
        board: Any = None,
    ) -> None:
        """Open the table of ``game``.

        :raises PlayersError: the players cannot play this game.
        :raises OptionError: an unknown option, or a value out of range.
        :raises BoardError: the game needs a board and ``board`` is none.
        """
        self.game = game
        self._step = _Step(game.start(players, options, board))
        self._log: list[Entry] = []
        self._events: list[Event] = []
        self._before: list[_Step] = []
        self._verdicts: list[Verdict] = []

    @property
    def state(self) -> Any:
        """Where the game stands."""
        return self._step.state

    @property
    def log(self) -> Sequence[Entry]:
        """Every event with what was said to it at the time."""
        return tuple(self._log)

    @property
    def verdicts(self) -> Sequence[Verdict]:
        """What is said to every event of the log as it is read now, after all corrections."""
        return tuple(self._verdicts)

    @property
    def events(self) -> Sequence[Event]:
        """Every event of the log as it is read now, after all corrections."""
        return tuple(self._events)

    def fork(self) -> Referee:
        """Return a referee of the same table with the same log: what it judges from now on is its own."""
        other = copy(self)
        other._log, other._events = list(self._log), list(self._events)
        other._before, other._verdicts = list(self._before), list(self._verdicts)
        return other

    @property
    def outcome(self) -> Outcome:
        """Who has won, or leads."""
        return self.game.outcome(self.state)

    @property
    def legal(self) -> Legal:
        """What is due and what is open."""
        return self.game.legal(self.state)

    def at(self, number: int) -> Any:
        """Return the state after the first ``number`` events, as they are read now.

        :raises IndexError: the log is shorter.
        """
        if not 0 <= number <= len(self._log):
            raise IndexError(f"the log has {len(self._log)} events; got {number!r}")
        return self._before[number].state if number < len(self._log) else self.state

    def apply(self, event: Event) -> Verdict:
        """Judge ``event``, append it to the log and return what is said to it.

        :raises UnknownPlayerError: the event is by someone who does not sit at the table; the log stays as it is.
        """
        number, before = len(self._log), self._step
        match event:
            case Undone():
                after, verdict = self._take_back(before)
            case Corrected() if self.state.over is None and 0 <= event.event < number:
                after, verdict = self._correct(before, event)
            case _:
                after, verdict = self._judge(before, event)
        self._events.append(event)
        # What was read anew is where the next correction starts from.
        anew = after.judged_again if isinstance(event, Corrected) and verdict.ok else None
        self._before.append(anew or before)
        self._verdicts.append(verdict)
        self._step = after
        self._log.append(Entry(number, event, verdict, after.state.score))
        return verdict

    def counted(self) -> Iterator[tuple[Event, Verdict]]:
        """Yield the events that count now, oldest first: accepted or judged, not taken back, as corrected."""
        chain: list[tuple[Event, Verdict]] = []
        step: _Step | None = self._step
        while step is not None:
            if step.event is not None and step.verdict is not None:
                chain.append((step.event, step.verdict))
            step = step.judged_again or step.previous
        yield from reversed(chain)

    def _judge(self, before: _Step, event: Event) -> tuple[_Step, Verdict]:
        state, verdict = self.game.apply(before.state, event)
        # What is asked or noted changes nothing: taking back passes over it (ALL-4).
        if not verdict.counts or isinstance(event, Asked | Tied):
            return before, verdict
        return _Step(state, before, event, verdict), verdict

    def _take_back(self, before: _Step) -> tuple[_Step, Verdict]:
        after = before.previous
        if after is None or before.event is None:
            return before, refuse(Clause.ALL_3, Reason.NOTHING_TO_UNDO)
        if before.reading is not None:
            self._restore(before.reading, after)
        what = type(before.event).__name__
        return after, accept(Clause.ALL_3, Reason.UNDONE, _difference(before.state, after.state), what=what)

    def _restore(self, reading: _Reading, step: _Step) -> None:
        """Read events again as they were read before a correction, which came at ``step``."""
        span = slice(reading.first, reading.end)
        self._before[reading.end] = step
        self._events[span] = reading.events
        self._before[span] = reading.before
        self._verdicts[span] = reading.verdicts

    def _correct(self, before: _Step, event: Corrected) -> tuple[_Step, Verdict]:
        first = event.event
        span = slice(first, None)
        old = _Reading(first, tuple(self._events[span]), tuple(self._before[span]), tuple(self._verdicts[span]))
        read = tuple(corrected_event(one, event) for one in old.events)
        if read == old.events:
            verdict = accept(Clause.ALL_5, Reason.CORRECTED_NOTHING, event=first, old=event.old)
            return _Step(before.state, before, event, verdict), verdict
        new, last = self._judge_again(old, read)
        self._events[span], self._before[span], self._verdicts[span] = new.events, new.before, new.verdicts
        verdict = accept(
            Clause.ALL_5,
            Reason.CORRECTED,
            _difference(before.state, last.state),
            event=first,
            old=event.old,
            new=event.new,
            changed=_changed(old, new),
        )
        return _Step(last.state, before, event, verdict, judged_again=last, reading=old), verdict

    def _judge_again(self, old: _Reading, read: tuple[Event, ...]) -> tuple[_Reading, _Step]:
        """Return how the events of ``old`` are judged as they are ``read`` now, and the last step."""
        step, before, verdicts = old.before[0], list[_Step](), list[Verdict]()
        for event, verdict in zip(read, old.verdicts, strict=True):
            before.append(step)
            match event:
                case Undone():
                    step, verdict = self._take_back_again(step)
                case Corrected():
                    # Its names are in the events already: it is only a step that can be taken back.
                    step = _Step(step.state, step, event, verdict) if verdict.ok else step
                case _:
                    step, verdict = self._judge(step, event)
            verdicts.append(verdict)
        return _Reading(old.first, read, tuple(before), tuple(verdicts)), step

    def _take_back_again(self, before: _Step) -> tuple[_Step, Verdict]:
        return self._take_back(replace(before, reading=None))


def corrected_event(event: Event, correction: Corrected) -> Event:
    """Return ``event`` as it reads after ``correction``: the same object if the piece does not stand in it."""
    if isinstance(event, Corrected):
        return event
    changes: dict[str, Any] = {}
    for field in fields(event):
        value = getattr(event, field.name)
        now = _corrected_all(value, correction) if isinstance(value, tuple) else _corrected(value, correction)
        if now != value:
            changes[field.name] = now
    return replace(event, **changes) if changes else event


def _corrected_all(values: tuple[object, ...], correction: Corrected) -> tuple[object, ...]:
    """Return ``values`` as they read now; a Wild that is named "wild" has no name, which is refused (CUBED-14)."""
    return tuple(now for now in (_corrected(one, correction) for one in values) if now is not None)


def _corrected(value: object, correction: Corrected) -> object:
    old, new = correction.old, correction.new
    if isinstance(value, Card | Tile | Face) and value == old:
        return new
    # What a Wild is named is written as a tile.
    if isinstance(old, Face) and isinstance(new, Face) and isinstance(value, Tile) and value == old.tile:
        return new.tile
    return value


def _difference(before: State, after: State) -> dict[str, int]:
    return {name: after.score[name] - before.score[name] for name in before.players}


def _changed(old: _Reading, new: _Reading) -> int:
    """Return how many events at the table are judged otherwise."""
    return sum(
        (now.ok, now.clause, now.points) != (then.ok, then.clause, then.points)
        for event, now, then in zip(new.events, new.verdicts, old.verdicts, strict=True)
        if not isinstance(event, Undone | Corrected | Asked | Tied)
    )
