"""Whole games that a live table sees come out as they were played."""

from __future__ import annotations

import pytest

from datasets.film_script import ScriptSettings
from engine.record import read_header
from service.live.happenings import HappeningKind
from service.live.table import LiveTable
from tests.fake_moments import moment, scripted, track
from tests.live import follow, lines_of, of_kind, plain, replayed

OFTEN = ScriptSettings(false_call=0.3, false_pick=0.3)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("game", ["classic", "ravensburger", "junior-2"])
def test_whole_games_are_refereed_as_they_were_played(game: str, seed: int) -> None:
    script = scripted(game, seed, OFTEN)
    table, told = follow(script)
    assert [plain(line) for line in table.record[1:]] == lines_of(script.events, table)
    assert table.scores == script.referee.state.score == replayed(table).state.score
    assert table.referee.outcome == script.referee.outcome
    assert {one.kind for one in told} == {HappeningKind.EVENT}
    assert all(one.sure in (None, True) for one in told)


def test_events_come_with_the_times_of_the_change() -> None:
    script = scripted("classic", 0, OFTEN)
    _, told = follow(script)
    events = of_kind(told, HappeningKind.EVENT)
    for happening, (time, _) in zip(events, script.timeline.events, strict=True):
        if happening.type in ("picked", "dealt"):
            assert happening.before is not None
            assert happening.after is not None
            assert happening.before <= happening.time <= happening.after
            assert happening.time - 3.5 <= time <= happening.after


def test_nothing_happens_before_it_began() -> None:
    table = LiveTable(read_header('{"game": "classic", "players": ["Ann", "Ben"], "options": {}}'))
    table.look(moment(0.0, ()))
    laid = [track(number, piece) for number, piece in enumerate(table.header.edition.deck[:12])]
    (dealt,) = table.look(moment(1.0, laid, changed=0.6))
    assert (dealt.before, dealt.time, dealt.after) == (0.6, 0.6, 1.0)
