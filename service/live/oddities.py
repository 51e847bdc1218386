"""An oddity in words: what people are told, and what they can choose from."""

from __future__ import annotations

from engine.editions import Edition
from engine.explained import listed
from engine.labels import Language
from engine.sentences import say
from engine.tokens import Piece
from service.live.changes import OpenOddity
from service.live.happenings import Choice, Happening, HappeningKind
from service.live.understanding import Understood, players_of

__all__ = ["missed_told", "oddity_text", "oddity_told"]


def oddity_text(understood: Understood) -> str:
    """Return what is odd about a change that is ``understood`` in part, in one line."""
    if understood.problems:
        return " ".join(one.text for one in understood.problems)
    return "Whose is it? Nobody has called."


def oddity_told(oddity: OpenOddity, edition: Edition, language: Language) -> Happening:
    """Return what people are told of ``oddity``."""
    pending = oddity.pending
    return Happening(
        kind=HappeningKind.ODDITY,
        time=oddity.told,
        text=oddity.text,
        number=oddity.number,
        before=pending.began,
        after=pending.laid,
        sure=False,
        pieces=tuple(dict.fromkeys(piece for one in pending.understood.problems for piece in one.pieces)),
        choices=tuple(
            Choice(
                " ".join(say(verdict, edition, language) for verdict in one.verdicts),
                tuple(sorted(players_of(one.events))),
                dict(one.points),
            )
            for one in pending.understood.candidates
        ),
    )


def missed_told(pieces: tuple[Piece, ...], now: float, edition: Edition) -> list[Happening]:
    """Return what people are told of ``pieces`` that they have told of themselves and that nobody sees."""
    if not pieces:
        return []
    text = f"Told, but not seen so far: {listed(pieces, edition)}."
    return [Happening(kind=HappeningKind.MESSAGE, time=now, text=text, pieces=pieces)]
