"""What the referee says aloud: the sentence of a verdict, made of its reason's template and its facts.

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
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import cast

from engine.editions import Edition, Scoring
from engine.events import Line, Place, Verdict
from engine.labels import Language, counted, mark, plural_place, word
from engine.phrases import COSTS, PHRASES, TERMS
from engine.reasons import Cost, Reason
from engine.sets import Agreement, Explanation, FeatureCheck, explain
from engine.tokens import Card, Face, Piece, Tile

__all__ = ["PLACEHOLDER", "missing", "say"]

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
    speaker = _Speaker(verdict, edition, language)
    said = speaker.fill(PHRASES[language][verdict.reason]).rstrip()
    end = _ENDS.get(str(verdict.facts.get("ends")))
    return said if end is None else f"{said} {PHRASES[language][end]}"


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
    """One verdict, about to be put into words."""

    verdict: Verdict
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
        facts = self.verdict.facts
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

    def _words(self, value: object) -> str:
        match value:
            case None | ():
                return _UNKNOWN
            case Card() | Tile() | Face():
                return self.edition.label(value, self.language)
            case tuple() if all(isinstance(part, int) for part in value):
                return f"[{', '.join(map(str, value))}]"
            case tuple():
                return self._listed([self._words(part) for part in value])
        return str(value)

    def _counted(self, number: int, forms: str) -> str:
        if "|" not in forms:
            return counted(number, self._kind if forms == "kind" else forms, self.language)
        return forms.split("|")[plural_place(number, self.language)].replace("#", str(number))

    @property
    def _kind(self) -> str:
        return self.edition.deck[0].kind

    def _listed(self, words: list[str]) -> str:
        if len(words) < 2:
            return "".join(words)
        return f"{', '.join(words[:-1])} {word('and', self.language).said} {words[-1]}"

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
        facts = self.verdict.facts
        names = iter(cast("tuple[Tile, ...]", facts.get("named", ())))
        pieces = cast("tuple[Piece, ...]", facts.get("pieces", ()))
        places = cast("tuple[Place, ...]", facts.get("places", ()))
        return self._listed([self._spot(piece, at, names) for piece, at in zip(pieces, places, strict=False)])

    def _standing_for(self, named: object) -> str:
        return " ".join([self._words(Face(None)), word("as", self.language).said, self._words(named)])

    def _spot(self, piece: Piece, at: Place, names: Iterator[Tile]) -> str:
        die = self._standing_for(next(names, None)) if piece == Face(None) else self._words(piece)
        return " ".join([die, word("on", self.language).said, self._words(at)])

    def _penalty(self) -> str | None:
        cost = self.verdict.facts.get("cost")
        return None if cost is None else self.fill(COSTS[self.language][Cost(str(cost))])
