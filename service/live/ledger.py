"""The book of a live table: every event goes to the referee and into the record at once."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace

from engine.events import Asked, Corrected, Event, Tied, Verdict
from engine.fields import MOST_SECONDS
from engine.labels import Language
from engine.record import MOST_ASKED, MOST_EVENTS, MOST_JUDGED_AGAIN, Header, write_event, write_header
from engine.referee import Referee
from engine.sentences import say
from service.live.errors import TableFullError
from service.live.happenings import Change, Happening, HappeningKind
from service.live.shown import shown_by
from service.live.verdict_lines import lines_of

__all__ = ["Ledger", "Sink", "seconds"]

Sink = Callable[[str], object]
"""Takes a line of the record, without its end of line."""


def seconds(time: float) -> float:
    """Return a time as records have it: milliseconds, and never negative."""
    return max(0.0, round(time, 3))


class Ledger:
    """The referee of a game together with its record. Each line is handed to ``sink`` as soon as it is there."""

    def __init__(
        self,
        header: Header,
        sink: Sink | None,
        language: Language,
        *,
        most: int = MOST_EVENTS,
        past: Sequence[Event] | None = None,
    ) -> None:
        """Open the book and write the header; with a ``past``, go on after those events, which are written already.

        With ``most`` events it is full, or when no more could be read again.

        :raises EditionError: the players cannot play this game.
        :raises OptionError: an unknown option, or a value out of range.
        :raises BoardError: a board that is none.
        """
        self.header = header
        self.referee: Referee = header.referee()
        self._sink = sink
        self.language = language
        self._most = most
        self._again = self._asked = 0
        self._lines = [write_header(header)]
        if sink is not None and past is None:
            sink(self._lines[0])
        for event in past or ():
            self._judge(event, write_event(event, header))

    @property
    def lines(self) -> tuple[str, ...]:
        """The record so far."""
        return tuple(self._lines)

    @property
    def is_full(self) -> bool:
        """Whether the record holds as much as can be read again."""
        return len(self._lines) > self._most or self._again > MOST_JUDGED_AGAIN

    def admit(self, event: Event | None = None) -> None:
        """Make sure that the record takes one more event, or this one.

        :raises TableFullError: it holds as much as can be read again.
        """
        again, asked = self._again, self._asked
        match event:
            case Corrected():
                again += self._reach(event)
            case Asked():
                asked += 1
        for what, count, most in (
            ("events", len(self._lines), self._most),
            ("events that are judged again", again, MOST_JUDGED_AGAIN),
            ("hints", asked, MOST_ASKED),
        ):
            if count > most:
                raise TableFullError(what, most)

    def _reach(self, correction: Corrected) -> int:
        """Return how many events a correction reaches back over."""
        return max(0, len(self._lines) - 1 - max(0, correction.event))

    def _judge(self, event: Event, line: str) -> Verdict:
        verdict = self.referee.apply(event)
        match event:
            case Corrected():
                self._again += self._reach(event)
            case Asked():
                self._asked += 1
        self._lines.append(line)
        return verdict

    def apply(
        self,
        event: Event,
        time: float,
        *,
        before: float | None = None,
        after: float | None = None,
        sure: bool | None = None,
        remark: str = "",
    ) -> Happening:
        """Let the referee judge ``event``, which came at ``time``, and tell it; ``remark`` is told with the verdict.

        A table that goes on for longer than a record can tell goes on: its record then tells the last time it can.

        :raises UnknownPlayerError: by someone who does not sit at the table.
        :raises LookupError: a record of this game cannot hold the event.
        """
        timed = replace(event, time=min(seconds(time), float(MOST_SECONDS)))
        line = write_event(timed, self.header)
        number = len(self._lines) - 1
        verdict = self._judge(timed, line)
        if self._sink is not None:
            self._sink(line)
        said = say(verdict, self.header.edition, self.language)
        shown = shown_by(event, verdict)
        return Happening(
            kind=HappeningKind.EVENT,
            time=seconds(time),
            text=f"{said} {remark}".rstrip(),
            event=number,
            type=str(json.loads(line)["type"]),
            player=getattr(event, "player", None),
            pieces=shown.pieces,
            places=shown.places,
            named=shown.named,
            before=before,
            after=after,
            ok=verdict.ok,
            judged=verdict.judged,
            clause=verdict.clause.value,
            points=dict(verdict.points),
            scores=self.referee.state.score,
            sure=sure,
            lines=lines_of(verdict, self.header.edition, self.language),
            times=dict.fromkeys(event.players, seconds(time)) if isinstance(event, Tied) else {},
        )

    def correct(self, correction: Corrected, time: float) -> Happening:
        """Let a person's ``correction`` count, and tell which verdicts it has changed."""
        then = self.referee.verdicts
        told = self.apply(correction, time)
        changes = tuple(
            Change(number, old.ok, new.ok, dict(old.points), dict(new.points))
            for number, (old, new) in enumerate(zip(then, self.referee.verdicts, strict=False))
            if (old.ok, old.judged, old.points) != (new.ok, new.judged, new.points)
        )
        return replace(told, kind=HappeningKind.CORRECTION, changes=changes)
