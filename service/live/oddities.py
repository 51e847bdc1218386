"""An oddity in words: what people are told, and what they can choose from."""

from __future__ import annotations

from engine.editions import Edition
from engine.labels import Language
from engine.sentences import say
from engine.tokens import Piece
from service.live.changes import OpenOddity, Pending
from service.live.happenings import Choice, Happening, HappeningKind
from service.live.phrases import Phrase, joined, said
from service.live.understanding import players_of

__all__ = ["missed_told", "oddity_told", "open_oddity", "resolved_told"]


def open_oddity(number: int, pending: Pending, now: float, language: Language) -> OpenOddity:
    """Return the oddity that a change is which is ``pending`` for too long, with what is odd about it in one line."""
    problems = pending.understood.problems
    text = " ".join(one.text for one in problems) if problems else said(Phrase.WHOSE, language)
    return OpenOddity(number, pending, text, now)


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


def resolved_told(number: int, now: float, why: Phrase, language: Language) -> Happening:
    """Return what people are told of the oddity with this ``number``, which is none any more."""
    return Happening(kind=HappeningKind.RESOLVED, time=now, text=said(why, language), number=number)


def missed_told(pieces: tuple[Piece, ...], now: float, edition: Edition, language: Language) -> list[Happening]:
    """Return what people are told of ``pieces`` that they have told of themselves and that nobody sees."""
    if not pieces:
        return []
    labels = joined((edition.label(piece, language) for piece in pieces), language)
    text = said(Phrase.NOT_SEEN, language, pieces=labels)
    return [Happening(kind=HappeningKind.MESSAGE, time=now, text=text, pieces=pieces)]
