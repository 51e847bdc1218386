"""What explains the change between two pictures of a table: candidates, problems, and how they are found.

Each game has its own file (``engine.explain_calls`` and so on); what they share is here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum, auto
from types import MappingProxyType
from typing import Any, TypeVar

from engine.editions import Edition
from engine.events import Event, Verdict
from engine.game import Game
from engine.layout import Spot
from engine.reasons import Reason
from engine.sentences import say
from engine.tokens import Card, Face, Piece, Tile

__all__ = [
    "MOST",
    "Candidate",
    "Explained",
    "Moved",
    "Oddity",
    "Part",
    "Plan",
    "Problem",
    "best_view",
    "collect",
    "join",
    "listed",
    "odd",
    "play",
    "problem",
]

MOST = 20
"""Most candidates that are returned; the others are counted."""


class Oddity(StrEnum):
    """What can be odd about a change."""

    NOTHING_CHANGED = auto()
    DISAGREES = auto()
    """The picture before is not what the game knows."""
    FOREIGN = auto()
    DUPLICATE = auto()
    RETURNED = auto()
    """A piece that was won or taken lies there again."""
    VANISHED = auto()
    TOO_MANY_VANISHED = auto()
    CHANGED = auto()
    TOO_MANY_NEW = auto()
    TOO_FEW_NEW = auto()
    NONE_DUE = auto()
    GAME_OVER = auto()
    ROUND_OVER = auto()
    UNCLAIMABLE = auto()
    """The whole table was taken, though its last card makes no SET."""
    WRONG_SPACE = auto()
    OFF_BOARD = auto()
    MOVED = auto()
    """A piece that may not be moved any more has been moved."""
    LOGO = auto()
    NOT_IN_HAND = auto()
    ROLL_UNKNOWN = auto()
    NOT_ALLOWED = auto()
    """The referee refuses every way of playing it; the sentence says why."""


_SENTENCES: Mapping[Oddity, str] = MappingProxyType(
    {
        Oddity.NOTHING_CHANGED: "Nothing has changed.",
        Oddity.DISAGREES: "The picture before and the game do not agree about {pieces}.",
        Oddity.FOREIGN: "Not a piece of this game: {pieces}.",
        Oddity.DUPLICATE: "There is only one of each, but more lie there: {pieces}.",
        Oddity.RETURNED: "Gone from the table before, and there again: {pieces}.",
        Oddity.VANISHED: "No play takes just this away, but it has vanished: {pieces}.",
        Oddity.TOO_MANY_VANISHED: "A pick takes three, but {count} have vanished: {pieces}.",
        Oddity.CHANGED: "Where {old} lay, {new} lies now.",
        Oddity.TOO_MANY_NEW: "Too many are new: {count}, and only {due} can be. They are {pieces}.",
        Oddity.TOO_FEW_NEW: "Too few are new: {count}, and {due} are due. They are {pieces}.",
        Oddity.NONE_DUE: "Nothing is due, but this is new: {pieces}.",
        Oddity.GAME_OVER: "The game is over, but the table has changed: {pieces}.",
        Oddity.ROUND_OVER: "The round is over and the next one has not begun, but the table has changed: {pieces}.",
        Oddity.UNCLAIMABLE: "The whole table is gone, but the last card, {last}, makes no SET there.",
        Oddity.WRONG_SPACE: "{piece} lies on {at}, the space of {space}.",
        Oddity.OFF_BOARD: "{piece} lies on {at}, which is no place of the board.",
        Oddity.MOVED: "{piece} has been moved from {start} to {at}; what is laid stays where it is.",
        Oddity.LOGO: "The first SET lies on the three squares of the logo and nowhere else: {pieces}.",
        Oddity.NOT_IN_HAND: "Nobody who could lay this has rolled it: {pieces}.",
        Oddity.ROLL_UNKNOWN: "What a Wild shows that was swapped and rolled is not known. Not explained: {pieces}.",
        Oddity.NOT_ALLOWED: "{pieces}: {sentence}",
    }
)


@dataclass(frozen=True, slots=True)
class Problem:
    """Something odd about a change."""

    code: Oddity
    """What, by name."""
    pieces: tuple[Piece, ...]
    """The pieces it is about; with ``CHANGED`` old and new, with ``WRONG_SPACE`` the tile and the space's own."""
    text: str
    """One English sentence."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A piece that merely changed its place, or came back: no event."""

    piece: Piece
    """Which."""
    start: Spot | None
    """Where it lay before; None if the picture before does not show it though the game knows that it lies there."""
    end: Spot
    """Where it lies now."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Events that explain a change, each of which the referee accepts or judges, one after the other."""

    events: tuple[Event, ...]
    """What may have happened, in order."""
    verdicts: tuple[Verdict, ...]
    """What the referee says to each."""
    points: Mapping[str, int]
    """What they change altogether, by player; never 0."""
    note: str = ""
    """What was chosen among equals, such as the order of dice or the name of a Wild, in English."""


@dataclass(frozen=True, slots=True)
class Explained:
    """What explains a change. Problems and candidates can come together: then it is explained in part."""

    candidates: tuple[Candidate, ...] = ()
    """Every explanation that fits equally well, best first, at most ``MOST`` of them."""
    moved: tuple[Moved, ...] = ()
    """What only lies elsewhere."""
    problems: tuple[Problem, ...] = ()
    """What is odd."""
    more: int = 0
    """How many other candidates there are."""

    @property
    def ambiguous(self) -> bool:
        """Whether people have to say which candidate it was."""
        return len(self.candidates) + self.more > 1


@dataclass(frozen=True, slots=True)
class Part:
    """What explains one view of a change."""

    candidates: tuple[Candidate, ...] = ()
    """At most ``MOST``, best first."""
    more: int = 0
    """How many others there are."""
    problems: tuple[Problem, ...] = ()
    """What is odd about it."""
    refusal: Verdict | None = field(default=None, compare=False)
    """Why there is no candidate, where the referee says so."""

    @property
    def fits(self) -> bool:
        """Whether it explains everything and nobody is charged with a false call."""
        played = all(verdict.ok for found in self.candidates for verdict in found.verdicts)
        return bool(self.candidates) and not self.problems and played

    def with_problems(self, *problems: Problem) -> Part:
        """Return it with ``problems`` put first."""
        return Part(self.candidates, self.more, (*problems, *self.problems), self.refusal)


V = TypeVar("V")


def best_view(views: Sequence[V], core: Callable[[V], Part]) -> Part:
    """Return what ``core`` makes of the first view, or of the next one if only that is explained in full."""
    first = core(views[0])
    if first.problems:
        for view in views[1:]:
            other = core(view)
            if other.fits:
                return other
    return first


def play(game: Game[Any], state: Any, events: Iterable[Event]) -> tuple[Any, tuple[Verdict, ...]]:
    """Return the state after ``events`` and the verdicts, up to the first event that is refused."""
    verdicts: list[Verdict] = []
    for event in events:
        state, verdict = game.apply(state, event)
        verdicts.append(verdict)
        if not verdict.counts:
            break
    return state, tuple(verdicts)


Plan = tuple[Event, ...]
"""What may have happened, to be tried."""


def collect(game: Game[Any], state: Any, plans: Iterable[Plan], note: str = "") -> Part:
    """Return the ``plans`` that the referee accepts or judges, in their order.

    If there is none, ``refusal`` is what the plan that got furthest is refused for.
    """
    found: list[Candidate] = []
    many, refusals = 0, list[tuple[Verdict, ...]]()
    for plan in plans:
        _, verdicts = play(game, state, plan)
        if not verdicts[-1].counts:
            refusals.append(verdicts)
            continue
        many += 1
        if many <= MOST:
            found.append(Candidate(plan, verdicts, _sum(verdicts), note))
    refusal = max(refusals, key=len)[-1] if refusals and not found else None
    return Part(tuple(found), many - len(found), refusal=refusal)


def _sum(verdicts: Iterable[Verdict]) -> dict[str, int]:
    total: dict[str, int] = {}
    for verdict in verdicts:
        for player, points in verdict.points.items():
            total[player] = total.get(player, 0) + points
    return {player: points for player, points in total.items() if points}


def join(parts: Iterable[Part]) -> Part:
    """Return all candidates of ``parts``, best first within each, and their problems, each once."""
    parts = tuple(parts)
    found = tuple(candidate for part in parts for candidate in part.candidates)
    many = len(found) + sum(part.more for part in parts)
    problems = tuple(dict.fromkeys(entry for part in parts for entry in part.problems))
    return Part(found[:MOST], many - len(found[:MOST]), problems)


def listed(pieces: Iterable[Piece], edition: Edition) -> str:
    """Return the labels of ``pieces`` in a row: "one red oval, two red ovals and wild"."""
    words = [edition.label(piece) for piece in pieces]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def problem(code: Oddity, pieces: Iterable[Piece], edition: Edition, **facts: object) -> Problem:
    """Return a problem with its sentence; ``facts`` are what that mentions besides ``pieces``."""
    known = tuple(pieces)
    words = {"pieces": listed(known, edition), "count": len(known)}
    for name, value in facts.items():
        words[name] = _words(value, edition)
    text = _SENTENCES[code].format(**words)
    return Problem(code, known, text[:1].upper() + text[1:])


def _words(value: object, edition: Edition) -> object:
    match value:
        case tuple():
            return f"[{', '.join(map(str, value))}]"
        case Card() | Tile() | Face():
            return edition.label(value)
    return value


_ODDITIES: Mapping[Reason, Oddity] = MappingProxyType(
    {
        Reason.GAME_OVER: Oddity.GAME_OVER,
        Reason.ROUND_OVER: Oddity.ROUND_OVER,
        Reason.NONE_DUE: Oddity.NONE_DUE,
        Reason.NOT_IN_HAND: Oddity.NOT_IN_HAND,
    }
)


_WRONG_NUMBERS = (Reason.WRONG_NUMBER, Reason.TOO_MANY_DICE)


def odd(verdict: Verdict, pieces: Iterable[Piece], edition: Edition) -> Problem:
    """Return the refusal of ``pieces`` as a problem."""
    if verdict.reason in _WRONG_NUMBERS:
        count, due = (int(str(verdict.facts[name])) for name in ("count", "due"))
        return problem(Oddity.TOO_MANY_NEW if count > due else Oddity.TOO_FEW_NEW, pieces, edition, due=due)
    code = _ODDITIES.get(verdict.reason)
    if code is None:
        return problem(Oddity.NOT_ALLOWED, pieces, edition, sentence=say(verdict, edition))
    return problem(code, pieces, edition)
