"""An oddity in words: what people are told, and what they can choose from."""

from __future__ import annotations

from engine.editions import Edition
from engine.events import Event
from engine.explained import Candidate
from engine.labels import Language, listed
from engine.sentences import say, say_note, say_problem
from engine.tokens import Piece
from service.live.changes import OpenOddity, Pending
from service.live.happenings import Choice, Happening, HappeningKind
from service.live.phrases import Phrase, said
from service.live.rolls import UNSEEN
from service.live.understanding import players_of
from service.live.wilds import GUESSED

__all__ = ["missed_told", "oddity_told", "open_oddity", "remark_on", "resolved_told"]

_NOTES = {GUESSED: Phrase.NAME_GUESSED, UNSEEN: Phrase.ROLL_UNSEEN}
"""What is told of an event with such a note in the record."""


def open_oddity(number: int, pending: Pending, now: float, edition: Edition, language: Language) -> OpenOddity:
    """Return the oddity that a change is which is ``pending`` for too long, with what is odd about it in one line."""
    told = [say_problem(one, edition, language) for one in pending.understood.problems]
    return OpenOddity(number, pending, " ".join(told) or said(Phrase.WHOSE, language), now)


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
    labels = listed((edition.label(piece, language) for piece in pieces), language)
    text = said(Phrase.NOT_SEEN, language, pieces=labels)
    return [Happening(kind=HappeningKind.MESSAGE, time=now, text=text, pieces=pieces)]


def remark_on(event: Event, candidate: Candidate, edition: Edition, language: Language) -> str:
    """Return what is told with an ``event`` of the explanation that counts: a guess, or at its end what was chosen."""
    if event.note is not None:
        return said(_NOTES[event.note], language)
    notes = candidate.notes if event is candidate.events[-1] else ()
    return " ".join(say_note(note, edition, language) for note in notes)
