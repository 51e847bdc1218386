"""The referee's log: judging, taking back, correcting, replaying to any point, counting."""

from __future__ import annotations

from typing import Any

import pytest

from engine.clauses import Clause
from engine.events import (
    Announced,
    Asked,
    Called,
    Corrected,
    Dealt,
    Ended,
    Event,
    GaveUp,
    Laid,
    NoSet,
    Picked,
    Rolled,
    Tied,
    Undone,
)
from engine.game import UnknownPlayerError
from engine.games import game
from engine.hints import HintLevel
from engine.integrity import Integrity, broken_features, integrity_of, sums
from engine.reasons import Reason
from engine.referee import Referee, corrected_event
from engine.statistics import Pace, differing, score_sheet, statistics_of
from engine.tokens import Card, Face, Tile, full_deck, full_tiles
from tests.games import BOARD, DEALT

RIGHT = (DEALT[0], DEALT[1], DEALT[9])
WRONG = (DEALT[0], DEALT[1], DEALT[10])
REFILL = tuple(Card.parse(text) for text in ("2 purple open diamond", "3 green striped oval", "1 green open oval"))


def opened(*events: Event, **options: object) -> Referee:
    """A classic table of two, dealt, with these events after the deal."""
    referee = Referee(game("classic"), ("Ann", "Ben"), options)
    for event in (Dealt(DEALT), *events):
        referee.apply(event)
    return referee


def scores(referee: Referee) -> tuple[int, ...]:
    """Points in the order of the seats."""
    return tuple(referee.state.scores)


def test_the_log_keeps_every_event_with_its_verdict() -> None:
    referee = opened(Called("Ann"), Called("Ben"), Picked("Ann", RIGHT))
    assert [entry.number for entry in referee.log] == [0, 1, 2, 3]
    assert [entry.verdict.ok for entry in referee.log] == [True, True, False, True]
    assert referee.log[3].scores == {"Ann": 1, "Ben": 0}


def test_an_unknown_player_is_an_error_and_leaves_the_log_as_it_is() -> None:
    referee = opened()
    with pytest.raises(UnknownPlayerError, match="'Eve' is no player"):
        referee.apply(Called("Eve"))
    with pytest.raises(UnknownPlayerError, match="'Eve'"):
        referee.apply(Tied(("Ann", "Eve")))
    assert len(referee.log) == 1


def test_the_events_of_the_log_are_those_as_they_are_read_now() -> None:
    referee = opened(Called("Ann"), Picked("Ann", RIGHT))
    misread, true = RIGHT[0], Card.parse("3 purple open diamond")
    assert referee.events[0] == Dealt(DEALT)
    referee.apply(Corrected(0, misread, true))
    assert referee.events[2] == Picked("Ann", (true, *RIGHT[1:]))
    assert referee.log[2].event == Picked("Ann", RIGHT)


def test_a_fork_goes_its_own_way() -> None:
    referee = opened(Called("Ann"))
    fork = referee.fork()
    assert fork.log == referee.log
    fork.apply(Picked("Ann", RIGHT))
    fork.apply(Undone())
    assert (len(fork.log), len(referee.log)) == (4, 2)
    referee.apply(Picked("Ann", WRONG))
    assert (scores(referee), scores(fork)) == ((-1, 0), (0, 0))
    assert list(fork.verdicts)[:2] == list(referee.verdicts)[:2]


def test_all_3_a_false_call_is_taken_back_with_its_point() -> None:
    referee = opened(Called("Ann"), Picked("Ann", WRONG))
    assert scores(referee) == (-1, 0)
    verdict = referee.apply(Undone())
    assert (verdict.ok, verdict.clause, dict(verdict.points)) == (True, Clause.ALL_3, {"Ann": 1})
    assert referee.apply(Picked("Ann", RIGHT)).ok


def test_all_3_repeated_goes_back_to_the_beginning_and_no_further() -> None:
    referee = opened(Called("Ann"), Called("Ben"))
    assert [referee.apply(Undone()).ok for _ in range(3)] == [True, True, False]
    assert referee.log[-1].verdict.reason is Reason.NOTHING_TO_UNDO
    assert referee.state == referee.at(0)


def test_all_3_takes_back_the_end() -> None:
    referee = opened(Ended())
    assert not referee.apply(Called("Ann")).ok
    assert referee.apply(Undone()).ok
    assert referee.apply(Called("Ann")).ok


def test_all_4_passes_over_what_was_asked_and_noted() -> None:
    referee = opened(Called("Ann"), Asked("Ann", HintLevel.COUNT), Tied(("Ann", "Ben")), hints="three")
    assert [entry.verdict.ok for entry in referee.log] == [True] * 4
    referee.apply(Undone())
    assert referee.state.caller is None


def test_all_5_a_misread_card_is_corrected_and_everything_since_judged_again() -> None:
    misread = Card.parse("2 red striped diamond")
    dealt = tuple(misread if card == DEALT[9] else card for card in DEALT)
    referee = Referee(game("classic"), ("Ann", "Ben"))
    for event in (Dealt(dealt), Called("Ann"), Picked("Ann", (DEALT[0], DEALT[1], misread))):
        referee.apply(event)
    assert scores(referee) == (-1, 0)
    verdict = referee.apply(Corrected(0, misread, DEALT[9]))
    assert (verdict.ok, verdict.clause, dict(verdict.points)) == (True, Clause.ALL_5, {"Ann": 2})
    assert verdict.facts["changed"] == 1
    assert [said.ok for said in referee.verdicts] == [True, True, True, True]
    assert not referee.log[2].verdict.ok
    assert referee.at(1).table[9] == DEALT[9]
    assert [type(event).__name__ for event, _ in referee.counted()] == ["Dealt", "Called", "Picked", "Corrected"]
    assert statistics_of(referee).sets == {"Ann": 1, "Ben": 0}
    assert dict(referee.apply(Undone()).points) == {"Ann": -2}
    assert [said.ok for said in referee.verdicts] == [True, True, False, True, True]
    assert referee.at(1).table[9] == misread
    assert [referee.at(number).scores for number in (3, 4, 5)] == [(-1, 0), (1, 0), (-1, 0)]


def test_all_5_a_correction_holds_from_its_event_on_only() -> None:
    referee = opened(Called("Ann"), Picked("Ann", RIGHT), Called("Ben"))
    verdict = referee.apply(Corrected(3, DEALT[0], REFILL[0]))
    assert verdict.reason is Reason.CORRECTED_NOTHING
    assert scores(referee) == (1, 0)


@pytest.mark.parametrize("number", [-1, 1, 7])
def test_all_5_only_an_earlier_event_can_be_corrected(number: int) -> None:
    verdict = opened().apply(Corrected(number, DEALT[0], REFILL[0]))
    assert (verdict.ok, verdict.clause, verdict.reason) == (False, Clause.ALL_5, Reason.NO_SUCH_EVENT)


def test_all_5_corrections_follow_one_another() -> None:
    first, second = Card.parse("3 green solid oval"), Card.parse("3 green solid diamond")
    referee = opened(Called("Ann"), Picked("Ann", RIGHT), Dealt(REFILL))
    referee.apply(Corrected(3, REFILL[0], first))
    referee.apply(Corrected(3, first, second))
    assert referee.state.table[-3:] == (second, *REFILL[1:])
    referee.apply(Called("Ben"))
    referee.apply(Corrected(4, second, first))
    assert referee.state.table[-3:] == (second, *REFILL[1:])
    for _ in range(3):
        referee.apply(Undone())
    assert referee.state.table[-3:] == (first, *REFILL[1:])
    referee.apply(Undone())
    assert referee.state.table[-3:] == REFILL


def test_all_5_what_was_taken_back_stays_taken_back_when_judged_again() -> None:
    other = Card.parse("3 green solid oval")
    events = (Called("Ann"), Undone(), Called("Ben"), Corrected(0, DEALT[11], other), Undone())
    referee = opened(*events, Picked("Ben", RIGHT), Corrected(1, RIGHT[0], DEALT[0]), Called("Ben"))
    assert scores(referee) == (0, 1)
    referee.apply(Corrected(0, DEALT[11], other))
    assert scores(referee) == (0, 1)
    assert other in referee.state.table


def test_all_2_after_the_end_nothing_is_corrected() -> None:
    referee = opened(Ended())
    verdict = referee.apply(Corrected(0, DEALT[0], REFILL[0]))
    assert (verdict.ok, verdict.clause) == (False, Clause.ALL_2)
    referee.apply(Undone())
    referee.apply(Corrected(0, DEALT[0], REFILL[0]))
    assert referee.state.table[0] == REFILL[0]


def test_a_correction_reaches_every_field_that_holds_pieces() -> None:
    old, new = Face.parse("2 red oval"), Face.parse("3 red oval")
    correction = Corrected(0, old, new)
    tile = Tile.parse("2 red oval")
    announced = Announced("Ann", (old, Face(None), new), (tile,))
    assert corrected_event(announced, correction) == Announced(
        "Ann", (new, Face(None), new), (Tile.parse("3 red oval"),)
    )
    laid = Laid("Ann", Face(None), (1, 2), tile, time=3.0)
    assert corrected_event(laid, correction) == Laid("Ann", Face(None), (1, 2), Tile.parse("3 red oval"), time=3.0)
    assert corrected_event(correction, correction) is correction
    called = Called("Ann")
    assert corrected_event(called, correction) is called


def test_all_5_a_name_that_is_corrected_to_wild_is_no_name() -> None:
    referee = Referee(game("cubed"), ("Ann", "Ben"), {}, BOARD)
    faces = tuple(map(Face.parse, ("1 red oval", "2 red oval", "wild", "2 green diamond", "2 red oval")))
    named = Tile.parse("3 red oval")
    for event in (Rolled("Ann", faces), Rolled("Ben", faces), Announced("Ann", faces[:3], (named,))):
        assert referee.apply(event).ok
    verdict = referee.apply(Corrected(2, Face(named), Face(None)))
    assert (verdict.ok, dict(verdict.points)) == (True, {"Ann": -2})
    assert (referee.verdicts[2].ok, referee.verdicts[2].clause) == (False, Clause.CUBED_14)


def test_a_correction_that_cannot_be_judged_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    referee = opened(Called("Ann"), Picked("Ann", RIGHT))
    events, verdicts, state = list(referee._events), referee.verdicts, referee.state

    def broken(*_: object) -> None:
        raise RuntimeError("broken")

    with monkeypatch.context() as patch:
        patch.setattr(referee.game, "judge", broken)
        with pytest.raises(RuntimeError):
            referee.apply(Corrected(0, DEALT[0], REFILL[0]))
    assert (referee._events, referee.verdicts, referee.state, len(referee.log)) == (events, verdicts, state, 3)
    assert referee.apply(Corrected(0, DEALT[0], REFILL[0])).ok


def test_only_events_at_the_table_count_as_judged_otherwise() -> None:
    referee = opened(Called("Ann"), Picked("Ann", RIGHT))
    for _ in range(3):
        assert referee.apply(Corrected(2, RIGHT[2], DEALT[5])).facts["changed"] == 1
        assert referee.apply(Undone()).ok


def test_at_gives_the_state_after_any_number_of_events() -> None:
    referee = opened(Called("Ann"), Picked("Ann", RIGHT), Dealt(REFILL))
    again = Referee(game("classic"), ("Ann", "Ben"))
    for number, entry in enumerate(referee.log):
        assert referee.at(number) == again.state
        again.apply(entry.event)
    assert referee.at(len(referee.log)) == referee.state == again.state
    for number in (-1, 5):
        with pytest.raises(IndexError, match="the log has 4 events"):
            referee.at(number)


def test_outcome_and_legal_are_those_of_the_game() -> None:
    referee = opened(Called("Ann"), Picked("Ann", RIGHT))
    assert referee.outcome.winners == ("Ann",)
    assert referee.legal.due[0].count == 3


def test_the_score_sheet_lists_what_changed_the_score() -> None:
    referee = opened(Called("Ann"), Picked("Ann", WRONG), Called("Ben"), Picked("Ben", RIGHT), Undone())
    lines = score_sheet(referee)
    assert [(line.number, dict(line.points)) for line in lines] == [(2, {"Ann": -1}), (4, {"Ben": 1}), (5, {"Ben": -1})]
    assert [line.clause for line in lines] == [Clause.CLASSIC_6, Clause.CLASSIC_5, Clause.ALL_3]
    assert lines[-1].scores == {"Ann": -1, "Ben": 0}


def test_statistics_count_sets_by_kind_false_calls_and_times() -> None:
    referee = opened(
        Called("Ann", time=10.0),
        Picked("Ann", RIGHT, time=12.0),
        Dealt(REFILL, time=20.0),
        Called("Ben", time=30.0),
        GaveUp("Ben", time=36.0),
        NoSet("Ann"),
    )
    counted = statistics_of(referee)
    assert counted.sets == {"Ann": 1, "Ben": 0}
    assert counted.false_calls == {"Ann": 0, "Ben": 1}
    assert counted.kinds == {3: 1}
    assert counted.seconds == {Pace.BETWEEN_EVENTS: 7.0, Pace.CALL_TO_PICK: 4.0}
    assert statistics_of(opened()).seconds == {}
    assert statistics_of(opened(Called("Ann", time=9.0), GaveUp("Ann", time=3.0))).seconds == {}


def test_the_kind_of_a_set_is_the_number_of_features_that_differ() -> None:
    assert differing(full_tiles()[:3]) == 1
    assert differing((full_tiles()[0],) * 3) == 0
    assert differing(full_deck()[place] for place in (0, 40, 80)) == 4


def test_set_5_a_whole_deck_and_every_set_sum_to_nothing() -> None:
    for deck in (full_deck(), full_tiles()):
        assert set(sums(deck)) == {0}
    assert set(sums(RIGHT)) == {0}
    assert sums(WRONG) != sums(RIGHT)
    assert sums(()) == ()


def test_set_5_what_is_left_tells_a_false_set() -> None:
    left = [card for card in full_deck() if card not in RIGHT]
    assert broken_features(left) == ()
    assert broken_features(()) == ()
    left = [card for card in full_deck() if card not in WRONG]
    assert [feature.value for feature in broken_features(left)] == ["number", "colour", "shading", "shape"]


def test_set_5_is_checked_on_a_game_of_calls_until_a_card_is_lost() -> None:
    referee = opened(Called("Ann"), Picked("Ann", RIGHT))
    assert integrity_of(referee.state) is Integrity.HOLDS
    from dataclasses import replace

    from engine.events import PileOut

    state: Any = referee.state
    assert integrity_of(replace(state, table=state.table[1:])) is Integrity.BROKEN
    referee.apply(PileOut())
    assert integrity_of(referee.state) is Integrity.UNKNOWN
    assert integrity_of(game("setup").start(("Ann", "Ben"))) is Integrity.UNKNOWN
