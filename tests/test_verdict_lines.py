"""Verdicts feature by feature: of every game, in every language, wherever three pieces were judged."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.clauses import Clause
from engine.editions import edition
from engine.events import Line, Verdict
from engine.game import accept
from engine.labels import Language
from engine.reasons import Reason
from engine.record import read_record
from engine.sets import explain
from engine.tokens import Face
from service.live.happenings import Happening
from service.live.ledger import Ledger
from service.live.verdict_lines import lines_of

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.record.jsonl"))
JUDGED = {"picked", "claimed", "laid", "announced", "turn_ended", "passed", "swapped"}
"""Types of events that can be about three pieces."""


def told(record: Path, language: Language = Language.ENGLISH) -> Iterator[tuple[Happening, Verdict]]:
    """Yield what is told of each event of a record, with its verdict."""
    with record.open("rb") as file:
        header, events = read_record(file)
    ledger = Ledger(header, None, language)
    for event in events:
        happening = ledger.apply(event, 0.0)
        yield happening, ledger.referee.log[-1].verdict


@pytest.mark.parametrize("record", GOLDEN, ids=lambda path: path.name.partition(".")[0])
def test_lines_are_there_wherever_three_pieces_were_judged(record: Path) -> None:
    count = 0
    for happening, verdict in told(record):
        assert bool(happening.lines) == bool(verdict.sets or verdict.failed), happening
        assert not happening.lines or happening.type in JUDGED
        assert happening.to_json().get("lines", []) == list(happening.lines)
        count += bool(happening.lines)
    assert count, "no verdict of this record is about three pieces"


@pytest.mark.parametrize("language", Language)
def test_lines_are_those_of_the_engine_in_the_language_of_the_table(language: Language) -> None:
    record = Path(__file__).parent / "golden" / "classic.record.jsonl"
    words = edition("classic")
    outcomes = set()
    for happening, verdict in told(record, language):
        if happening.type == "picked" and happening.lines:
            three = verdict.failed or verdict.sets[0].pieces
            explained = explain(*three, words, language)
            assert happening.lines == explained.lines
            outcomes.add(explained.is_set)
    assert outcomes == {True, False}


def test_what_has_made_one_set_needs_no_name() -> None:
    first = Line((Face.parse("1 red oval"), Face.parse("2 red oval"), Face.parse("3 red oval")), 3)
    verdict = accept(Clause.CUBED_7, Reason.DIE_MADE_SETS, sets=(first,))
    assert lines_of(verdict, edition("cubed"), Language.ENGLISH) == (
        "Number: all different (one, two, three)",
        "Colour: all the same (red)",
        "Shape: all the same (oval)",
    )


def test_several_sets_are_named_one_after_the_other() -> None:
    first = Line((Face.parse("1 red oval"), Face.parse("2 red oval"), Face.parse("3 red oval")), 3)
    second = Line((Face.parse("1 red oval"), Face.parse("1 green oval"), Face.parse("1 purple oval")), 3)
    verdict = accept(Clause.CUBED_7, Reason.DIE_MADE_SETS, sets=(first, second))
    assert lines_of(verdict, edition("cubed"), Language.ENGLISH) == (
        "one red oval, two red ovals, three red ovals",
        "Number: all different (one, two, three)",
        "Colour: all the same (red)",
        "Shape: all the same (oval)",
        "one red oval, one green oval, one purple oval",
        "Number: all the same (one)",
        "Colour: all different (red, green, purple)",
        "Shape: all the same (oval)",
    )
    german = lines_of(verdict, edition("cubed"), Language.GERMAN)
    assert len(german) == 8
    assert german[0] == "ein rotes Oval, zwei rote Ovale, drei rote Ovale"


def test_what_judges_nothing_has_no_lines() -> None:
    assert lines_of(accept(Clause.CLASSIC_3, Reason.DEALT, count=3), edition("classic"), Language.ENGLISH) == ()
