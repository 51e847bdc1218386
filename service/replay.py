"""What the command ``replay`` does: a recorded game in, the referee's answers out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from engine.editions import Edition
from engine.events import Event, Verdict
from engine.integrity import Integrity, integrity_of
from engine.labels import Language
from engine.record import Header, RecordError, read_record, write_event
from engine.referee import Referee
from engine.sentences import say
from engine.statistics import statistics_of
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
    edition = header.edition
    yield f"{edition.title}: {', '.join(printable(name) for name in header.players)}"
    for number, event in enumerate(events):
        yield _told(number, event, referee.apply(event), header, language)
    yield from _end(referee, edition)


def _told(number: int, event: Event, verdict: Verdict, header: Header, language: Language) -> str:
    """Return one event in a line: its number, what happened, whether it stands, why, and the points."""
    mark = "ok" if verdict.ok else "NO"
    points = "  ".join(f"{printable(name)} {change:+}" for name, change in verdict.points.items())
    kind = json.loads(write_event(event, header))["type"]
    text = "".join(letter if letter.isprintable() else "?" for letter in say(verdict, header.edition, language))
    return f"{number:>4}  {kind:<10}  {mark}  {verdict.clause:<10}  {text}{f'  [{points}]' if points else ''}"


_INTEGRITY = {
    Integrity.HOLDS: "What is left sums to 0 in every feature: no false SET was taken (SET-5).",
    Integrity.BROKEN: "What is left does not sum to 0: a false SET was accepted, or a piece was misread (SET-5).",
}


def _end(referee: Referee, edition: Edition) -> Iterator[str]:
    outcome = referee.outcome
    scores = ", ".join(f"{printable(name)} {score}" for name, score in outcome.scores.items())
    yield f"{'over' if outcome.over else 'not over'}: {scores}"
    for word, names in (("wins" if outcome.over else "leads", outcome.winners), ("loses", outcome.losers)):
        if names:
            yield f"{word}: {', '.join(map(printable, names))}"
    integrity = integrity_of(referee.state)
    if outcome.over and integrity in _INTEGRITY:
        yield _INTEGRITY[integrity]
    yield from _counts(referee)


def _counts(referee: Referee) -> Iterator[str]:
    counted = statistics_of(referee)
    kinds = ", ".join(f"{count} with {number} different" for number, count in counted.kinds.items())
    if kinds:
        yield f"SETs by features that differ: {kinds}"
    false_calls = ", ".join(f"{printable(name)} {count}" for name, count in counted.false_calls.items() if count)
    if false_calls:
        yield f"false calls: {false_calls}"
    for what, seconds in counted.seconds.items():
        yield f"median time {what}: {seconds:.1f} s"


def _json(found: object) -> str:
    return json.dumps(found, ensure_ascii=False)
