"""People tell events while a camera looks: what is told and what is seen of it are one."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from random import Random

import pytest

from datasets.film_script import ScriptSettings
from engine.events import Called, Corrected, Dealt, Ended, Event, GaveUp, Laid, NoSet, Passed, Picked, TurnEnded, Undone
from engine.junior_board import sample_board
from engine.record import read_header
from engine.tokens import Card, Piece
from service.live.errors import NoOddityError, TableFullError
from service.live.happenings import HappeningKind
from service.live.settings import LiveSettings
from service.live.table import LiveTable
from tests.fake_moments import moment, scripted, track
from tests.games import DEALT
from tests.live import HEADER, Played, follow, lines_of, plain, replayed

SET = (DEALT[0], DEALT[1], DEALT[9])
NO_SET = (DEALT[0], DEALT[1], DEALT[2])
NEW = tuple(card for card in read_header(HEADER % "classic").edition.deck if card not in DEALT)[:3]
SOLITAIRE = '{"game": "classic", "players": ["Ann"], "options": {"solitaire": true}}'


def dealt(settings: LiveSettings | None = None, header: str = HEADER) -> Played:
    """A table of twelve cards, dealt and settled."""
    game = Played(settings=settings or LiveSettings(), header=header)
    game.lay(*DEALT)
    game.look(0.5)
    return game


def tell(game: Played, *events: Event) -> list[tuple[str | None, bool | None]]:
    """Let people tell events; return what the referee says."""
    return [(one.type, one.ok) for event in events for one in game.table.put(event)]


def names(table: LiveTable) -> set[Piece]:
    """What is understood to lie there."""
    return set(table.layout.values())


def types(game: Played) -> list[str]:
    """The types of the events of the record."""
    return [plain(line)["type"] for line in game.table.record[1:]]


def test_a_pick_is_told_and_the_cards_are_taken_later() -> None:
    game = dealt()
    assert tell(game, Called("Ann"), Picked("Ann", SET)) == [("called", True), ("picked", True)]
    assert game.look(9) == [], "they lie there still"
    game.lift(*SET)
    assert game.look(9) == []
    game.lay(*NEW)
    assert [one.type for one in game.look()] == ["dealt"]
    assert game.table.scores == {"Ann": 1, "Ben": 0}


def test_a_pick_is_told_and_the_refill_is_laid_at_once() -> None:
    game = dealt()
    tell(game, Called("Ann"), Picked("Ann", SET))
    game.lift(*SET)
    game.lay(*NEW)
    assert [one.type for one in game.look(9)] == ["dealt"]
    assert names(game.table) == set(DEALT) - set(SET) | set(NEW)


def test_a_pick_is_seen_first_and_told_later() -> None:
    game = dealt()
    game.call("Ann")
    game.lift(*SET)
    assert [one.type for one in game.look()] == ["picked"]
    assert tell(game, Called("Ann"), Picked("Ann", SET)) == [("called", True), ("picked", False)]
    assert game.table.scores == {"Ann": 1, "Ben": 0}


@pytest.mark.parametrize("header", [HEADER, SOLITAIRE])
def test_a_false_pick_is_told_and_the_cards_are_shown_later(header: str) -> None:
    game = dealt(header=header)
    tell(game, Called("Ann"), Picked("Ann", NO_SET))
    scores = game.table.scores
    assert game.look(1) == []
    game.lift(*NO_SET)
    assert game.look(9) == []
    game.lay(*NO_SET)
    assert game.look(9) == []
    assert game.table.scores == scores
    game.call("Ann")
    game.lift(*NO_SET)
    assert [(one.type, one.ok) for one in game.look()] == [("picked", False)], "another call is another one"


def test_cards_lifted_again_are_not_those_that_were_shown() -> None:
    game = dealt()
    tell(game, Called("Ann"), Picked("Ann", NO_SET))
    game.lift(*NO_SET)
    game.look()
    game.lay(*NO_SET)
    game.look()
    game.lift(*NO_SET)
    assert [one.kind for one in game.look(3)] == [HappeningKind.ODDITY]


def test_an_explanation_is_no_second_event_after_it_was_told() -> None:
    game = dealt()
    game.lift(*NO_SET)
    (oddity,) = game.look(3)
    tell(game, Called("Ben"), Picked("Ben", NO_SET))
    with pytest.raises(NoOddityError):
        game.table.accept(oddity.number or 0, 0)
    assert [one.kind for one in game.look()] == [HappeningKind.RESOLVED]
    assert game.table.scores == {"Ann": 0, "Ben": -1}


@pytest.mark.parametrize("header", [HEADER, SOLITAIRE])
def test_a_deal_is_told_and_laid_later(header: str) -> None:
    game = Played(header=header)
    game.look()
    assert tell(game, Dealt(DEALT)) == [("dealt", True)]
    assert names(game.table) == set(DEALT)
    for place in range(0, 12, 3):
        assert game.look(4) == []
        game.lay(*DEALT[place : place + 3])
    assert game.look(9) == []
    assert types(game) == ["dealt"]


def test_a_deal_is_told_while_it_is_laid() -> None:
    game = Played()
    game.lay(*DEALT[:7])
    game.look(1)
    tell(game, Dealt(DEALT))
    game.lay(*DEALT[7:])
    assert game.look(9) == []
    assert tell(game, Dealt(DEALT)) == [("dealt", False)]


def test_what_is_told_and_never_seen_is_said_once() -> None:
    game = Played()
    game.look()
    tell(game, Dealt(DEALT))
    game.lay(*DEALT[:11])
    (message,) = game.look(20)
    assert (message.kind, message.pieces) == (HappeningKind.MESSAGE, (DEALT[11],))
    assert message.time == pytest.approx(game.table.settings.deal_patience + 0.2)
    game.call("Ann")
    game.lift(*SET)
    assert [(one.type, one.ok) for one in game.look(9)] == [("picked", True)], "the game goes on"


def test_a_card_that_is_not_the_one_told_is_odd() -> None:
    game = Played()
    game.look()
    tell(game, Dealt(DEALT))
    game.lay(*DEALT[:11], NEW[0])
    (oddity, _) = game.look(9)
    assert (oddity.kind, oddity.pieces) == (HappeningKind.ODDITY, (NEW[0],))


def test_the_layout_follows_what_is_told_without_any_camera() -> None:
    table = LiveTable(read_header(HEADER % "classic"))
    steps: list[tuple[Event, Collection[Piece]]] = [
        (Dealt(DEALT), set(DEALT)),
        (Called("Ann"), set(DEALT)),
        (Picked("Ann", SET), set(DEALT) - set(SET)),
        (Undone(), set(DEALT)),
        (Corrected(0, DEALT[0], NEW[0]), {*DEALT[1:], NEW[0]}),
        (Undone(), set(DEALT)),
        (Undone(), set(DEALT)),
        (Undone(), set()),
    ]
    for event, left in steps:
        assert table.put(event)[0].ok
        assert names(table) == left == set(table.referee.state.table)


def test_the_layout_follows_what_is_told_after_resuming() -> None:
    game = dealt()
    table = LiveTable.resumed(game.table.header, game.table.referee.events)
    for event in (Called("Ann"), Picked("Ann", SET), Dealt(NEW)):
        table.put(event)
    table.correct(DEALT[4], Card.parse(str(SET[0])), force=True)
    assert names(table) == set(table.referee.state.table)


def test_taking_back_a_pick_leaves_the_table_as_it_lies() -> None:
    game = dealt()
    game.call("Ann")
    game.lift(*SET)
    game.look()
    tell(game, Undone())
    assert game.look(9) == []
    assert names(game.table) == set(DEALT) - set(SET)
    assert tell(game, Undone(), Called("Ben"), Picked("Ben", SET))[-1] == ("picked", True)
    assert game.look(9) == []
    assert game.table.scores == {"Ann": 0, "Ben": 1}


def test_cards_put_back_after_taking_back_a_pick_are_no_event() -> None:
    game = dealt()
    game.call("Ann")
    game.lift(*SET)
    game.look()
    tell(game, Undone())
    game.lay(*SET)
    assert game.look(9) == []
    game.lift(*SET)
    assert [(one.type, one.player) for one in game.look()] == [("picked", "Ann")], "the call is open again"


def test_taking_back_a_told_pick_while_the_cards_lie_there() -> None:
    game = dealt()
    tell(game, Called("Ann"), Picked("Ann", SET), Undone())
    assert game.look(9) == []
    game.lift(*SET)
    assert [(one.type, one.player) for one in game.look()] == [("picked", "Ann")]


def test_a_deal_that_is_taken_back_is_not_dealt_again_by_itself() -> None:
    game = dealt()
    tell(game, Undone())
    assert game.look(9) == []
    game.lift(*DEALT)
    assert game.look(9) == []
    game.lay(*DEALT)
    assert [one.type for one in game.look()] == ["dealt"]


def test_a_told_correction_renames_what_lies_there() -> None:
    game = dealt()
    place = game.places[DEALT[4]]
    tell(game, Corrected(0, DEALT[4], NEW[0]))
    game.lying[place] = NEW[0]
    assert game.look(9) == []
    assert game.table.layout[place] == NEW[0]


def test_a_new_round_is_told_and_the_table_is_cleared_later() -> None:
    game = dealt(header='{"game": "classic", "players": ["Ann", "Ben"], "options": {"rounds": true}}')
    lines = ('{"type": "pile_out"}', '{"type": "no_set", "player": "Ann"}', '{"type": "no_set", "player": "Ben"}')
    for line in (*lines, '{"type": "shuffled"}'):
        assert game.put(line)[0].ok
    assert game.look(9) == [], "the old cards lie there still"
    game.lying.clear()
    game.lying = dict(enumerate((*DEALT[:2], *NEW, *SET[2:]), 40))
    assert game.look(1) == [], "six of twelve, some of which lay there before"
    game.lying |= dict(enumerate(DEALT[3:9], 50))
    assert [(one.type, one.ok) for one in game.look()] == [("dealt", True)]


def test_tiles_that_are_told_before_they_lie_on_the_board() -> None:
    board = sample_board(seed=1)
    header = read_header(
        json.dumps({"game": "junior-1", "players": ["Ann", "Ben"], "options": {}, "board": board.to_json()["squares"]})
    )
    table = LiveTable(header)
    spots = [(0, 0, 0), (1, 1, 1)]
    for player, at in zip(("Ann", "Ben"), spots, strict=True):
        assert table.put(Laid(player, board[at], at))[0].ok
    assert set(table.layout) == set(spots)
    for number in range(1, 3):
        tracks = [track(place, board[at], cell=at) for place, at in enumerate(spots[:number])]
        assert table.look(moment(number, tracks)) == ()
    resumed = LiveTable.resumed(header, table.referee.events, now=9.0)
    assert resumed.layout == table.layout
    assert resumed.look(moment(10.0, tracks)) == ()
    tracks.append(track(7, board[2, 2, 2], cell=(2, 2, 2)))
    assert [(one.type, one.player) for one in resumed.look(moment(11.0, tracks))] == [("laid", "Ann")]


OFTEN = ScriptSettings(false_call=0.3, false_pick=0.3)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("game", ["classic", "ravensburger", "junior-2"])
def test_nothing_is_counted_twice_where_people_tell_all_that_a_camera_sees(game: str, seed: int) -> None:
    script = scripted(game, seed, OFTEN)
    table, said = follow(script, spoken=(Dealt, Picked, GaveUp, NoSet))
    assert [plain(line) for line in table.record[1:]] == lines_of(script.events, table)
    assert {one.kind for one in said} == {HappeningKind.EVENT}


@pytest.mark.parametrize("seed", [0, 4])
def test_nothing_is_counted_twice_on_a_board_of_cubed(seed: int) -> None:
    script = scripted("cubed", seed, ScriptSettings(picks=12))
    table, said = follow(script, spoken=(Event,))
    assert [plain(line) for line in table.record[1:]] == lines_of(script.events, table)
    assert not any(one.pieces for one in said if one.kind is not HappeningKind.EVENT)


@pytest.mark.parametrize("seed", [0, 4])
def test_plays_that_are_told_now_and_then_and_seen_else_are_one_game(seed: int) -> None:
    script = scripted("cubed", seed, ScriptSettings(picks=12))
    random, table = Random(seed), LiveTable(script.header)  # noqa: S311
    table.call(script.header.players[0], 0.0)
    events = zip(script.timeline.events, script.events, strict=True)
    told = [(time, event) for (time, _), event in events if _is_told(event, random)]
    for seen in script.moments():
        while told and told[0][0] <= seen.time - 1.0:
            table.put(told.pop(0)[1])
        table.look(seen)
    assert table.scores == script.referee.state.score


def _is_told(event: Event, random: Random) -> bool:
    return isinstance(event, Passed | TurnEnded) or (isinstance(event, Laid) and random.random() < 0.5)


def test_a_full_table_refuses_and_is_readable() -> None:
    game = dealt(LiveSettings(most_events=3, call_limit=1.0))
    game.call("Ann")
    game.table.undo()
    assert len(game.table.record) == 4
    refusals: list[Callable[[], object]] = [
        lambda: game.table.put(Ended()),
        lambda: game.table.call("Ann", game.time),
        lambda: game.table.correct(DEALT[0], NEW[0]),
        lambda: game.table.accept(1),
    ]
    for refused in refusals:
        with pytest.raises(TableFullError, match="3 events"):
            refused()
    game.lift(*SET)
    assert game.look(9) == []
    assert game.table.tick(99.0) == ()
    assert not game.table.waits
    assert replayed(game.table).state == game.table.referee.state


def test_corrections_cannot_reach_back_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.live.ledger.MOST_JUDGED_AGAIN", 5)
    game = dealt()
    tell(game, Corrected(0, DEALT[4], NEW[0]), Corrected(0, NEW[0], DEALT[4]))
    with pytest.raises(TableFullError, match="judged again"):
        game.table.correct(DEALT[4], NEW[0])
    assert len(game.table.record) == 4
    assert tell(game, Called("Ann")) == [("called", True)]


def test_a_small_picture_made_elsewhere_is_kept() -> None:
    table = LiveTable(read_header(HEADER % "classic"))
    table.put(Dealt(DEALT))
    table.put(Called("Ann"))
    table.look(moment(1.0, ()), still=b"JPEG")
    assert table.dispute().still.jpeg == b"JPEG"
