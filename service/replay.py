"""What the command ``replay`` does: a recorded game in, the referee's answers out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from engine.events import Event, Verdict
from engine.integrity import Integrity, integrity_of
from engine.labels import Language
from engine.phrases import CLOSING
from engine.record import Header, RecordError, read_record, write_event
from engine.referee import Referee
from engine.sentences import say
from engine.statistics import Statistics, statistics_of
from service.console import printable, write_json, write_line
from service.errors import BadRecordError, NoFileError, UnreadableFileError, one_line
from service.files import open_record

__all__ = ["answer_of", "outcome_of", "replay_record"]


def replay_record(path: str, as_json: bool, language: Language) -> int:
    """Print what the referee says to every event of the record at ``path``; return 0.

    Nothing is printed of a record that cannot be read to its end.

    :raises BadRecordError: there is no such file, or it is no record; says the line.
    """
    header, events = _read(path)
    for text in _lines(header, events, language) if as_json else _transcript(header, events, language):
        (write_json if as_json else write_line)(text)
    return 0


def _read(path: str) -> tuple[Header, tuple[Event, ...]]:
    try:
        with open_record(path) as stream:
            return read_record(stream)
    except (RecordError, NoFileError, UnreadableFileError) as error:
        raise BadRecordError(printable(path), one_line(error)) from None


def answer_of(number: int, event: Event, verdict: Verdict, referee: Referee, language: Language) -> dict[str, Any]:
    """Return the answer to one event, as JSON has it."""
    return {
        "event": number,
        "ok": verdict.ok,
        "clause": verdict.clause.value,
        "points": dict(verdict.points),
        "scores": referee.state.score,
        "reason": verdict.reason.value,
        "text": say(verdict, referee.game.edition, language),
    }


def outcome_of(referee: Referee) -> dict[str, Any]:
    """Return how the game stands, as JSON has it."""
    outcome = referee.outcome
    return {
        "over": outcome.over,
        "scores": dict(outcome.scores),
        "winners": list(outcome.winners),
        "losers": list(outcome.losers),
        "integrity": integrity_of(referee.state).value,
    }


def _lines(header: Header, events: tuple[Event, ...], language: Language) -> Iterator[str]:
    referee = header.referee()
    for number, event in enumerate(events):
        yield _json(answer_of(number, event, referee.apply(event), referee, language))
    yield _json({"outcome": outcome_of(referee)})


def _transcript(header: Header, events: tuple[Event, ...], language: Language) -> Iterator[str]:
    referee = header.referee()
    yield f"{header.edition.title}: {_listed(header.players)}"
    for number, event in enumerate(events):
        yield _told(number, event, referee.apply(event), header, language)
    yield from (_legible(line) for line in _end(referee, language))


def _told(number: int, event: Event, verdict: Verdict, header: Header, language: Language) -> str:
    """Return one event in a line: its number, what happened, whether it stands, why, and the points."""
    mark = "ok" if verdict.ok else "NO"
    points = "  ".join(f"{name} {change:+}" for name, change in verdict.points.items())
    kind = json.loads(write_event(event, header))["type"]
    text = say(verdict, header.edition, language)
    return _legible(f"{number:>4}  {kind:<10}  {mark}  {verdict.clause:<10}  {text}{f'  [{points}]' if points else ''}")


def _legible(text: str) -> str:
    """Return ``text`` without anything that a terminal would obey: names are anybody's."""
    return "".join(letter if letter.isprintable() or letter in _SPACES else "?" for letter in text)


_SPACES = "\u00a0\u202f"
"""Spaces that French wants before some marks."""


def _listed(names: Iterable[str]) -> str:
    return _legible(", ".join(names))


def _end(referee: Referee, language: Language) -> Iterator[str]:
    """Yield how the game stands, what the pieces that are left say, and what can be counted."""
    outcome, closing = referee.outcome, CLOSING[language]
    scores = ", ".join(f"{name} {score}" for name, score in outcome.scores.items())
    yield closing["over" if outcome.over else "not_over"].format(scores=scores)
    for key, names in (("wins" if outcome.over else "leads", outcome.winners), ("loses", outcome.losers)):
        if names:
            yield closing[key].format(names=_listed(names))
    integrity = integrity_of(referee.state)
    if outcome.over and integrity is not Integrity.UNKNOWN:
        yield closing[integrity.value]
    yield from _counts(statistics_of(referee), closing)


def _counts(counted: Statistics, closing: Mapping[str, str]) -> Iterator[str]:
    kinds = ", ".join(closing["kind"].format(count=count, number=number) for number, count in counted.kinds.items())
    if kinds:
        yield closing["kinds"].format(kinds=kinds)
    false_calls = [f"{name} {count}" for name, count in counted.false_calls.items() if count]
    if false_calls:
        yield closing["false_calls"].format(names=", ".join(false_calls))
    for what, seconds in counted.seconds.items():
        yield closing[what.value].format(seconds=f"{seconds:.1f}")


def _json(found: object) -> str:
    return json.dumps(found, ensure_ascii=False)
