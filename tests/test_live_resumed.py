"""A live table that is taken up again from its record, told by people, and seen by a tracker that began anew."""

from __future__ import annotations

import pytest

from engine.record import read_event
from engine.tokens import Card
from service.live.happenings import HappeningKind
from service.live.lying import UNSEEN_FROM
from service.live.settings import LiveSettings
from service.live.table import LiveTable
from tests.fake_moments import moment, track
from tests.games import DEALT
from tests.live import HEADER, Played, plain
from vision.types import Doubt

SET = (DEALT[0], DEALT[1], DEALT[9])
NO_SET = (DEALT[0], DEALT[1], DEALT[2])
OTHER = Card.parse("3 purple solid diamond")
SOLITAIRE = '{"game": "classic", "players": ["Ann"], "options": {"solitaire": true}}'


def dealt(settings: LiveSettings | None = None, header: str = HEADER) -> Played:
    """A table of twelve cards, dealt and settled."""
    game = Played(settings=settings or LiveSettings(), header=header)
    game.lay(*DEALT)
    game.look(0.5)
    return game


def resume(game: Played, now: float | None = None) -> None:
    """Take the table up again from its record alone, before a tracker with numbers of its own."""
    table = game.table
    events = [read_event(line, table.header) for line in table.record[1:]]
    game.time = game.time if now is None else now
    game.table = LiveTable.resumed(table.header, events, table.settings, game.record, game.time)
    assert game.table.record == table.record
    assert game.table.referee.state == table.referee.state
    renumber(game)


def renumber(game: Played) -> None:
    """Let a tracker that begins anew number the pieces in another order."""
    game.lying = dict(enumerate(reversed(game.lying.values())))
    game.places = {piece: number for number, piece in game.lying.items()}


def types(game: Played) -> list[str]:
    """The types of the events of the record."""
    return [plain(line)["type"] for line in game.table.record[1:]]


def test_the_same_pieces_are_no_event_after_resuming() -> None:
    game = dealt()
    resume(game)
    assert game.table.layout.entries[0][0] == UNSEEN_FROM
    assert set(game.table.layout.values()) == set(DEALT)
    assert game.look(9) == []
    assert types(game) == ["dealt"]
    assert set(game.table.layout) == set(range(12)), "now it is known where they lie"


def test_a_resumed_table_writes_only_what_is_new() -> None:
    lines: list[str] = []
    game = Played(record=lines.append)
    game.lay(*DEALT)
    game.look()
    resume(game, 100.0)
    assert [plain(line).get("type") for line in lines] == [None, "dealt"]
    game.call("Ann")
    assert tuple(lines) == game.table.record
    assert game.table.now >= 100.0
    assert '"t": 100.0' in lines[-1]


def test_a_pick_while_nobody_looked_is_asked_about() -> None:
    game = dealt()
    game.lift(*SET)
    resume(game)
    (oddity,) = game.look(3)
    assert [choice.players for choice in oddity.choices] == [("Ann",), ("Ben",)]


def test_a_pick_of_the_caller_while_nobody_looked_is_judged() -> None:
    game = dealt()
    game.call("Ben")
    game.lift(*SET)
    resume(game)
    assert [(one.type, one.player, one.ok) for one in game.look(3)] == [("picked", "Ben", True)]


def test_a_pick_in_solitaire_that_nobody_has_seen_is_asked_about() -> None:
    game = dealt(header=SOLITAIRE)
    resume(game)
    game.lift(*SET)
    (oddity,) = game.look(3)
    assert [choice.players for choice in oddity.choices] == [("Ann",)], "the cards may not have been laid yet"
    assert [one.type for one in game.table.accept(oddity.number or 0)] == ["called", "picked", None]
    assert game.look(9) == []


def test_a_pick_in_solitaire_is_judged_once_the_cards_have_been_seen() -> None:
    game = dealt(header=SOLITAIRE)
    resume(game)
    game.look()
    game.lift(*SET)
    assert [one.type for one in game.look()] == ["called", "picked"]


def test_a_tracker_that_begins_anew_is_no_event() -> None:
    game = dealt()
    foreign = Card.parse("1 red solid rectangle")
    game.lay(foreign)
    (oddity,) = game.look(3)
    for _ in range(2):
        game.table.restart_sight()
        renumber(game)
        game.table.ignore(oddity.number or 0) if game.table.oddity else None
        assert game.look(9) == []
    game.call("Ann")
    game.table.restart_sight()
    renumber(game)
    game.lift(*SET)
    assert [(one.type, one.ok) for one in game.look()] == [("picked", True)]


def test_numbers_of_another_tracker_do_not_tell_where_pieces_lay() -> None:
    game = dealt()
    game.table.restart_sight()
    place = game.places[DEALT[3]]
    game.lying[place] = OTHER
    (oddity,) = game.look(3)
    assert set(oddity.pieces) == {DEALT[3], OTHER}
    assert "Where" not in oddity.text


def test_what_is_ignored_after_the_tracker_began_anew_has_no_numbers() -> None:
    game = dealt()
    game.lift(DEALT[3])
    (oddity,) = game.look(3)
    game.table.restart_sight()
    game.table.ignore(oddity.number or 0)
    assert all(isinstance(spot, int) and spot >= UNSEEN_FROM for spot in game.table.layout), (
        "the numbers of before mean nothing"
    )
    assert set(game.table.layout.values()) == set(DEALT) - {DEALT[3]}


def test_a_correction_before_anything_is_seen_again_is_known() -> None:
    game = dealt()
    resume(game)
    (told,) = game.table.correct(DEALT[3], OTHER)
    assert told.ok
    assert set(game.table.layout.values()) == set(game.table.referee.state.table) == set(DEALT) - {DEALT[3]} | {OTHER}


def test_nothing_is_told_as_of_before_it_was_resumed() -> None:
    game = dealt()
    game.call("Ann")
    resume(game, 100.0)
    left = [track(number, piece) for number, piece in enumerate(DEALT) if piece not in SET]
    (picked,) = game.table.look(moment(101.0, left, changed=50.0))
    assert (picked.type, picked.before, picked.time) == ("picked", 100.0, 100.0)


@pytest.mark.parametrize("settled", [False, True])
def test_a_call_ends_though_the_camera_has_left_in_the_middle_of_a_pick(settled: bool) -> None:
    game = dealt(LiveSettings(call_limit=1.0))
    game.call("Ann")
    game.lift(*SET[:2])
    game.look(0.2, settled=settled)
    assert game.table.tick(game.time + 5) == (), "the hand may finish"
    game.table.restart_sight()
    assert [one.type for one in game.table.tick(game.time + 5)] == ["gave_up"]


def test_what_is_missing_after_resuming_is_told() -> None:
    game = dealt()
    game.lift(OTHER, DEALT[4])
    resume(game)
    (oddity,) = game.look(9)
    assert oddity.pieces == (DEALT[4],)
    game.lay(DEALT[4])
    assert [one.kind for one in game.look()] == [HappeningKind.RESOLVED]


def test_numbers_of_oddities_go_on() -> None:
    game = dealt()
    table = LiveTable.resumed(game.table.header, game.table.referee.events, oddities=4)
    for time in (1.0, 9.0):
        found = table.look(moment(time, [track(number, piece) for number, piece in enumerate(DEALT[:11])]))
    assert [one.number for one in found] == [5]


def test_an_open_call_stays_open_and_its_limit_counts_anew() -> None:
    game = dealt(LiveSettings(call_limit=3.0))
    game.call("Ann")
    resume(game, 500.0)
    assert (game.table.caller, game.table.waits) == ("Ann", True)
    assert game.look(2.9) == []
    assert [(one.type, one.player) for one in game.look(0.3)] == [("gave_up", "Ann")]
    assert not game.table.waits


def test_a_later_call_does_not_displace_one_that_was_open_before() -> None:
    game = dealt()
    game.call("Ann")
    resume(game, game.time + 1)
    assert [(one.type, one.ok) for one in game.table.call("Ben", game.time - 0.5)] == [("called", False)]
    assert game.table.caller == "Ann"


@pytest.mark.parametrize("decided", [False, True])
def test_a_tie_that_nobody_has_decided_is_one_still(decided: bool) -> None:
    game = dealt()
    for player in ("Ben", "Ann"):
        game.table.call(player, game.time)
    game.look()
    if decided:
        game.table.choose("Ben")
        game.table.undo()
    resume(game)
    if decided:
        assert game.table.tie is None
        return
    assert game.table.tie is not None
    assert set(game.table.tie.players) == {"Ann", "Ben"}
    assert [(one.type, one.ok) for one in game.table.choose("Ben")] == [("called", True)]
    resume(game)
    assert game.table.caller == "Ben"


def test_a_false_pick_is_not_judged_again_by_what_is_seen_after_resuming() -> None:
    game = dealt(header=SOLITAIRE)
    game.lift(*NO_SET)
    assert [(one.type, one.ok) for one in game.look()] == [("called", True), ("picked", False)]
    resume(game)
    assert game.look(9) == []
    game.lay(*NO_SET)
    assert game.look(9) == []
    assert types(game) == ["dealt", "called", "picked"]


def test_a_card_in_doubt_that_lay_there_is_one_still() -> None:
    game = dealt()
    resume(game)
    game.doubts[DEALT[3]] = Doubt.GLARE
    assert game.look(9) == []
