"""A disputed call: who called, what was shown, and the verdict feature by feature."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.events import Called, GaveUp, Verdict
from engine.labels import Language
from engine.referee import Referee
from engine.sentences import say
from engine.sets import explain
from engine.tokens import Piece
from service.live.errors import NoCallError
from service.live.reel import Dispute, Reel

__all__ = ["dispute_of"]


@dataclass(frozen=True, slots=True)
class _Case:
    """What a dispute can be about: a call with what followed it, or a verdict on three pieces."""

    at: float
    player: str | None = None
    verdict: Verdict | None = None
    is_empty: bool = False
    """The caller showed nothing."""

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """The three that were shown."""
        if self.verdict is None:
            return ()
        return self.verdict.failed or (self.verdict.sets[0].pieces if self.verdict.sets else ())


def dispute_of(referee: Referee, reel: Reel, at: float, language: Language) -> Dispute:
    """Return the last call not after ``at``, frozen, with the stills of the ``reel``.

    :raises NoReplayError: nothing has been kept.
    :raises NoCallError: nobody had called by then.
    """
    case = _case(referee, at)
    stills, place = reel.frozen(at if case is None else case.at)
    if case is None:
        raise NoCallError
    three = case.pieces
    found = Dispute(case.at, stills, place, case.player, three)
    if case.verdict is None:
        return found
    text = say(case.verdict, referee.game.edition, language)
    if case.is_empty:
        return replace(found, is_set=False, text=text)
    if len(three) != 3:
        return found
    explained = explain(three[0], three[1], three[2], referee.game.edition, language)
    return Dispute(case.at, stills, place, case.player, three, explained.is_set, explained.lines, text)


def _case(referee: Referee, at: float) -> _Case | None:
    """Return the last call not after ``at``, with the verdict on what followed; else the last verdict on three."""
    case: _Case | None = None
    for event, verdict in referee.counted():
        time = at if event.time is None else event.time
        player = getattr(event, "player", None)
        if isinstance(event, Called):
            case = _Case(time, player) if time <= at else case
        elif verdict.failed or verdict.sets or isinstance(event, GaveUp):
            if case is not None and case.player == player and case.verdict is None:
                case = _Case(case.at, player, verdict, isinstance(event, GaveUp))
            elif time <= at and not referee.game.has_calls:
                case = _Case(time, player, verdict)
    return case
