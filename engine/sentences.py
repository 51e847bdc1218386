"""What the referee says aloud: sentences of verdicts and of what is odd, made of their templates and facts.

A template mentions a fact as ``{player}``; ``{count:card}`` counts with a noun of :mod:`engine.labels` ("3 cards",
with ``kind`` for the edition's own pieces), and ``{count:is # SET|are # SETs}`` chooses between forms, where ``#`` is
the number. Facts are put in once and never read as templates: a player may be called "{x}".

Besides the facts of the verdict a template can mention

- ``sets``: each SET that was made, with its features and, where dice count, its points,
- ``features``: each feature of a SET taken, with same or different (SET-3),
- ``failed``: each broken feature of three pieces that are none (SET-3),
- ``fault``: the same as a sentence of its own, or nothing,
- ``penalty``: what a false call costs,
- ``spots``: the ``pieces`` of a hint, each with its place of ``places``, and a Wild with its name of ``named``,
- ``total``: all points won,
- ``kind`` and ``kinds``: "card", "cards".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from engine.editions import Edition, Scoring
from engine.events import Line, Place, Verdict
from engine.explained import Note, Problem
from engine.labels import Language, counted, listed, mark, plural_place, word
from engine.phrases import CHOSEN, COSTS, ODDITIES, PHRASES, TERMS
from engine.reasons import Cost, Reason
from engine.sets import Agreement, Explanation, FeatureCheck, explain
from engine.tokens import Card, Face, Piece, Tile

__all__ = ["PLACEHOLDER", "missing", "say", "say_note", "say_problem"]

PLACEHOLDER = re.compile(r"\{([a-z]+)(?::([^{}]+))?\}")
"""A fact in a template: its name, and the noun or the forms it is counted with."""

_TRANSLATED = ("allowed", "level", "what")
"""Facts whose strings are words of the referee's own; every other string, such as a name, is said as it is."""

_UNKNOWN = "…"

_ENDS = {"game": Reason.GAME_OVER, "round": Reason.ROUND_OVER}
"""What is said after a verdict with the fact ``ends``."""

_Three = tuple[Piece, Piece, Piece]
"""What a SET is made of, or might be."""


def say(verdict: Verdict, edition: Edition, language: Language = Language.ENGLISH) -> str:
    """Return what a judge reads aloud for ``verdict``: one sentence or two, in the words of ``edition``.

    A fact that the verdict lacks is said as "…": see :func:`missing`.
    """
    judge = _Judge(verdict.facts, edition, language, verdict)
    said = judge.fill(PHRASES[language][verdict.reason]).rstrip()
    end = _ENDS.get(str(verdict.facts.get("ends")))
    return said if end is None else f"{said} {PHRASES[language][end]}"


def say_problem(problem: Problem, edition: Edition, language: Language = Language.ENGLISH) -> str:
    """Return what is odd about a change, in the words of ``edition``: a sentence or two.

    Its template can also mention its ``pieces``, their ``count`` and the ``sentence`` of its refusal.
    """
    refusal = "" if problem.refusal is None else say(problem.refusal, edition, language)
    facts = {"pieces": problem.pieces, "count": len(problem.pieces), "sentence": refusal, **problem.facts}
    said = _Speaker(facts, edition, language).fill(ODDITIES[language][problem.code])
    return said[:1].upper() + said[1:]


def say_note(note: Note, edition: Edition, language: Language = Language.ENGLISH) -> str:
    """Return what was chosen among explanations that fit equally well, in the words of ``edition``."""
    return _Speaker(note.facts, edition, language).fill(CHOSEN[language][note.code])


def missing(verdict: Verdict) -> tuple[str, ...]:
    """Return the names that the sentence of ``verdict`` mentions and the verdict lacks; none in a game without faults.

    Every language mentions the same ones.
    """
    made = {"fault", "kind", "kinds", "total"}
    made |= {"penalty"} if "cost" in verdict.facts else set()
    made |= {"failed"} if verdict.failed else set()
    made |= {"features", "sets"} if verdict.sets else set()
    made |= {"spots"} if {"pieces", "places"} <= set(verdict.facts) else set()
    names = {found[1] for found in PLACEHOLDER.finditer(PHRASES[Language.ENGLISH][verdict.reason])}
    names |= {"player"} if "penalty" in names else set()
    return tuple(sorted(names - made - set(verdict.facts)))


@dataclass(frozen=True, slots=True)
class _Speaker:
    """Puts ``facts`` into templates."""

    facts: Mapping[str, object]
    edition: Edition
    language: Language

    def fill(self, template: str) -> str:
        return PLACEHOLDER.sub(lambda found: self._value(found[1], found[2]), template)

    def _value(self, name: str, forms: str | None) -> str:
        value = self._fact(name)
        if forms is None:
            terms = TERMS[self.language] if name in _TRANSLATED else {}
            return terms.get(str(value)) or self._words(value)
        return self._counted(value, forms) if isinstance(value, int) else _UNKNOWN

    def _fact(self, name: str) -> object:
        return self.facts.get(name)

    def _words(self, value: object) -> str:
        match value:
            case None | ():
                return _UNKNOWN
            case Card() | Tile() | Face():
                return self.edition.label(value, self.language)
            case tuple() if all(isinstance(part, int) for part in value):
                return f"[{', '.join(map(str, value))}]"
            case tuple():
                return listed(map(self._words, value), self.language)
        return str(value)

    def _counted(self, number: int, forms: str) -> str:
        if "|" not in forms:
            return counted(number, self._kind if forms == "kind" else forms, self.language)
        return forms.split("|")[plural_place(number, self.language)].replace("#", str(number))

    @property
    def _kind(self) -> str:
        return self.edition.deck[0].kind


@dataclass(frozen=True, slots=True)
class _Judge(_Speaker):
    """Puts a verdict into words: its facts, and what can be told of its pieces."""

    verdict: Verdict

    def _fact(self, name: str) -> object:
        facts = self.facts
        if self.verdict.ok and name == "piece" and facts.get(name) == Face(None) and "named" in facts:
            return self._standing_for(facts["named"])
        if name in facts:
            return facts[name]
        match name:
            case "sets":
                return self._joined(self._line(line) for line in self.verdict.sets) or None
            case "features":
                return (
                    self._joined(self._joined(self._explain(line.pieces).lines) for line in self.verdict.sets) or None
                )
            case "failed" if self.verdict.failed:
                return self._failed(self.verdict.failed)
            case "fault":
                return f"{self._failed(self.verdict.failed)}." if self.verdict.failed else ""
            case "penalty":
                return self._penalty()
            case "spots":
                return self._spots() or None
            case "total":
                return sum(self.verdict.points.values())
            case "kind":
                return word(self._kind, self.language).said
            case "kinds":
                return word(self._kind, self.language).plural[0]
        return None

    def _joined(self, texts: Iterable[str]) -> str:
        return f"{mark(';', self.language)} ".join(texts)

    def _explain(self, pieces: _Three) -> Explanation:
        return explain(*pieces, self.edition, self.language)

    def _failed(self, pieces: _Three) -> str:
        """Return every feature that fails; three identical pieces fail in none, where they are no SET (CUBED-17)."""
        checks = self._explain(pieces).checks
        broken = [check.line for check in checks if check.agreement is Agreement.BROKEN]
        return self._joined(broken) if broken else word("identical", self.language).said.capitalize()

    def _line(self, line: Line) -> str:
        """Return a SET that was made: "one red oval, … (number all different, …; 3 points)"."""
        told = ", ".join(self._stands(check) for check in self._explain(line.pieces).checks)
        points = [counted(line.points, "point", self.language)] if self.edition.scoring is Scoring.DICE else []
        return f"{self._words(line.pieces)} ({self._joined([told, *points])})"

    def _stands(self, check: FeatureCheck) -> str:
        title = self.edition.title_word(check.feature, self.language)
        return f"{title.said} {word(check.agreement, self.language).form(title.gender, plural=False)}"

    def _spots(self) -> str:
        facts = self.facts
        names = iter(cast("tuple[Tile, ...]", facts.get("named", ())))
        pieces = cast("tuple[Piece, ...]", facts.get("pieces", ()))
        places = cast("tuple[Place, ...]", facts.get("places", ()))
        spots = (self._spot(piece, at, names) for piece, at in zip(pieces, places, strict=False))
        return listed(spots, self.language)

    def _standing_for(self, named: object) -> str:
        return " ".join([self._words(Face(None)), word("as", self.language).said, self._words(named)])

    def _spot(self, piece: Piece, at: Place, names: Iterator[Tile]) -> str:
        die = self._standing_for(next(names, None)) if piece == Face(None) else self._words(piece)
        return " ".join([die, word("on", self.language).said, self._words(at)])

    def _penalty(self) -> str | None:
        cost = self.facts.get("cost")
        return None if cost is None else self.fill(COSTS[self.language][Cost(str(cost))])
