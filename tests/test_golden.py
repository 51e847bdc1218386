"""Recorded games: the referee says today what it said when they were recorded (``python -m tests.record_games``)."""

from __future__ import annotations

import json

import pytest

from engine.editions import EDITIONS
from engine.events import Event
from engine.record import Header, read_record
from engine.referee import Referee
from tests.record_games import PLANS, Plan, answers, lines, matters, paths

OPTIONS = [(key, option.name) for key, entry in EDITIONS.items() for option in entry.options]


def recorded(plan: Plan) -> tuple[Header, tuple[Event, ...]]:
    """The record of a plan, as it is committed."""
    with paths(plan)[0].open("rb") as stream:
        return read_record(stream)


def refereed(header: Header, events: tuple[Event, ...]) -> Referee:
    """The game of a record, judged."""
    referee = header.referee()
    for event in events:
        referee.apply(event)
    return referee


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.name)
def test_a_recorded_game_gets_the_answers_it_got(plan: Plan) -> None:
    header, events = recorded(plan)
    referee = refereed(header, events)
    said = [json.loads(line) for line in paths(plan)[1].read_text(encoding="utf-8").splitlines()]
    assert list(answers(referee)) == said
    assert list(lines(header, referee)) == paths(plan)[0].read_text(encoding="utf-8").splitlines()


def test_every_game_has_a_whole_one() -> None:
    for key in EDITIONS:
        ends = [refereed(*recorded(plan)).state.over for plan in PLANS if plan.game == key]
        assert any(end not in (None, "ALL-2") for end in ends), key


@pytest.mark.parametrize(("key", "option"), OPTIONS)
def test_every_option_changes_a_verdict_of_a_recorded_game(key: str, option: str) -> None:
    plans = [plan for plan in PLANS if plan.game == key and option in plan.options]
    changed = [plan.name for plan in plans if matters(plan, refereed(*recorded(plan)), option)]
    assert changed, f"no record of {key} shows what {option} does: add one to tests/record_games.py"
