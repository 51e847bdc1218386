"""What a live table does with changes that nothing explains: it waits, tells, and lets people decide."""

from __future__ import annotations

import pytest

from engine.events import Asked, Ended, PileOut
from engine.hints import HintLevel
from engine.tokens import Card
from service.live.errors import NoOddityError
from service.live.happenings import Happening, HappeningKind
from service.live.settings import LiveSettings
from service.live.understanding import players_of
from tests.fake_moments import moment
from tests.games import DEALT
from tests.live import Played, of_kind, plain, replayed
from vision.tracks import Scene
from vision.types import Doubt

SET = (DEALT[0], DEALT[1], DEALT[9])
NO_SET = (DEALT[0], DEALT[1], DEALT[2])
OTHER = Card.parse("3 purple solid diamond")
"""A card that is not among the twelve."""


def dealt(**settings: float) -> Played:
    """A table of twelve cards, dealt and settled."""
    game = Played(settings=LiveSettings(**settings))  # type: ignore[arg-type]
    game.lay(*DEALT)
    game.look(0.5)
    return game


def test_a_deal_in_parts_waits_until_it_is_whole() -> None:
    game = Played()
    for first in range(0, 12, 4):
        game.lay(*DEALT[first : first + 4])
        told = game.look(3.0)
        assert [one.type for one in told] == (["dealt"] if first == 8 else [])


def test_a_deal_that_stays_too_small_is_told() -> None:
    game = Played()
    game.lay(*DEALT[:9])
    (oddity,) = game.look(8)
    assert "12 are due" in oddity.text
    game.lay(*DEALT[9:])
    assert [one.kind for one in game.look()] == [HappeningKind.EVENT, HappeningKind.RESOLVED]


def test_a_pick_card_by_card_waits_for_the_third() -> None:
    game = dealt()
    game.call("Ann")
    game.lift(*SET[:2])
    assert game.look(1.5) == []
    game.lift(SET[2])
    assert [one.type for one in game.look()] == ["picked"]


def test_two_cards_that_stay_away_are_told_and_forgotten_when_they_come_back() -> None:
    game = dealt()
    game.lift(*SET[:2])
    (oddity,) = game.look(5)
    assert oddity.kind is HappeningKind.ODDITY
    assert set(oddity.pieces) == set(SET[:2])
    assert not oddity.sure
    before = game.table.record
    game.lay(*SET[:2])
    (resolved,) = game.look()
    assert (resolved.kind, resolved.number) == (HappeningKind.RESOLVED, oddity.number)
    assert game.table.record == before


def test_a_misreading_that_mends_itself_leaves_no_trace() -> None:
    game = dealt()
    place = game.places[DEALT[4]]
    for wrong in (OTHER, DEALT[5], Card.parse("1 red solid rectangle")):
        game.lying[place] = wrong
        assert game.look(1.0) == []
        game.lying[place] = DEALT[4]
        assert game.look(1.0) == []
    assert len(game.table.record) == 2


def test_a_reading_that_flickers_is_told_all_the_same() -> None:
    game = dealt()
    place, told = game.places[DEALT[4]], list[Happening]()
    for number in range(30):
        game.lying[place] = (OTHER, DEALT[5])[number % 2]
        told += game.look()
    assert [one.kind for one in told] == [HappeningKind.ODDITY]


def test_nothing_is_judged_while_the_table_is_not_settled() -> None:
    game = dealt()
    game.lift(*DEALT)
    assert game.look(5, settled=False) == []
    game.lay(*DEALT)
    assert game.look() == []


def test_a_dark_picture_is_no_change() -> None:
    game = dealt()
    assert game.table.look(moment(game.time + 0.1, (), settled=False, scene=Scene.DARK)) == ()
    game.time += 0.1
    assert game.look() == []


def test_whose_pick_it_was_is_asked_and_accepted() -> None:
    game = dealt()
    game.lift(*SET)
    (oddity,) = game.look(3)
    assert [choice.players for choice in oddity.choices] == [("Ann",), ("Ben",)]
    assert oddity.number == 1
    events = game.table.accept(1, 1)
    assert [one.type for one in of_kind(events, HappeningKind.EVENT)] == ["called", "picked"]
    assert game.table.scores == {"Ann": 0, "Ben": 1}
    assert game.table.oddity is None
    assert game.look(4) == []


def test_one_player_needs_no_call() -> None:
    game = Played(header='{"game": "classic", "players": ["Ann"], "options": {"solitaire": true}}')
    game.lay(*DEALT)
    game.look(0.5)
    game.lift(*SET)
    assert [one.type for one in game.look()] == ["called", "picked"]


def test_what_is_ignored_is_taken_as_it_is() -> None:
    game = dealt()
    foreign = Card.parse("1 red solid rectangle")
    game.lay(foreign)
    (oddity,) = game.look(3)
    assert oddity.number is not None
    told = game.table.ignore(oddity.number)
    assert [one.kind for one in told] == [HappeningKind.RESOLVED]
    assert game.look(5) == []
    game.call("Ann")
    game.lift(*SET)
    assert [one.type for one in game.look()] == ["picked"], "the game goes on beside it"
    assert game.look(5) == []


def test_oddities_that_are_not_open_are_refused() -> None:
    game = dealt()
    with pytest.raises(NoOddityError, match="oddity 1"):
        game.table.ignore(1)
    game.lift(*SET)
    game.look(3)
    with pytest.raises(NoOddityError, match="candidate 2"):
        game.table.accept(1, 2)
    game.lay(*SET)
    game.look()
    with pytest.raises(NoOddityError):
        game.table.accept(1)


def test_an_explanation_that_would_not_count_any_more_is_refused() -> None:
    game = dealt()
    game.lift(*SET)
    game.look(3)
    game.table.put(PileOut())
    game.table.put(Ended())
    with pytest.raises(NoOddityError):
        game.table.accept(1)
    assert game.table.scores == {"Ann": 0, "Ben": 0}


def test_events_that_rest_on_doubt_are_told_as_unsure() -> None:
    game = Played()
    game.doubts[DEALT[0]] = Doubt.GLARE
    game.lay(*DEALT)
    (deal,) = game.look()
    assert deal.sure is False
    game.call("Ann")
    game.lift(*SET)
    (pick,) = game.look()
    assert pick.sure is False


def test_what_is_new_and_in_doubt_does_not_hold_up_the_rest() -> None:
    game = Played()
    game.doubts[OTHER] = Doubt.LOW_CONFIDENCE
    game.lay(*DEALT, OTHER)
    (deal,) = game.look()
    assert (deal.type, deal.ok, deal.sure, len(deal.pieces)) == ("dealt", True, False, 12)
    (oddity,) = game.look(4)
    assert oddity.pieces == (OTHER,)
    game.call("Ann")
    game.lift(*SET)
    assert [one.type for one in of_kind(game.look(), HappeningKind.EVENT)] == ["picked"]


def test_a_lasting_oddity_does_not_keep_a_call_open() -> None:
    game = dealt(call_limit=1.0)
    game.lay(Card.parse("1 red solid rectangle"))
    assert [one.kind for one in game.look(4)] == [HappeningKind.ODDITY]
    game.call("Ann")
    assert [one.type for one in game.look(2)] == ["gave_up"]


def test_cards_are_shown_and_put_back_beside_a_lasting_oddity() -> None:
    game = dealt()
    game.lay(Card.parse("1 red solid rectangle"))
    game.look(4)
    game.call("Ann")
    game.lift(*NO_SET)
    game.look(0.5, settled=False)
    game.lay(*NO_SET)
    assert [(one.type, one.ok) for one in game.look()] == [("picked", False)]


def test_after_the_end_the_table_may_be_cleared() -> None:
    game = dealt()
    game.table.put(Ended())
    game.lift(*DEALT)
    assert game.look(5) == []
    assert game.table.referee.outcome.over


def test_a_table_emptied_at_once_is_told_and_explained_when_it_is_back() -> None:
    game = dealt()
    game.lift(*DEALT)
    told = game.look(4)
    assert [one.kind for one in told] == [HappeningKind.ODDITY]
    game.lay(*DEALT)
    assert [one.kind for one in game.look()] == [HappeningKind.RESOLVED]


def test_pieces_that_only_move_are_no_event() -> None:
    game = dealt()
    game.lying = {number + 20: piece for number, piece in game.lying.items()}
    assert game.look(3) == []


def test_people_say_what_cannot_be_seen() -> None:
    header = '{"game": "classic", "players": ["Ann", "Ben"], "options": {"hints": "count"}}'
    game = Played(header=header)
    game.lay(*DEALT)
    game.look(0.5)
    told = [
        *game.table.put(Asked("Ann", HintLevel.COUNT)),
        *game.table.no_set("Ann"),
        *game.table.no_set("Ben"),
        *game.table.pile_out(),
        *game.table.undo(),
    ]
    assert [(one.type, one.ok) for one in told] == [
        ("asked", True),
        ("no_set", True),
        ("no_set", True),
        ("pile_out", True),
        ("undone", True),
    ]
    assert replayed(game.table).state == game.table.referee.state


def test_times_that_run_backwards_do_no_harm() -> None:
    game = dealt()
    game.call("Ann")
    game.lift(*SET)
    game.time = -5.0
    told = game.look()
    assert [one.type for one in told] == ["picked"]
    assert told[0].time >= 0
    assert game.table.now == pytest.approx(0.6)


def test_the_record_is_streamed_line_by_line() -> None:
    lines: list[str] = []
    game = Played(record=lines.append)
    game.lay(*DEALT)
    game.look()
    assert [plain(line).get("type") for line in lines] == [None, "dealt"]
    assert tuple(lines) == game.table.record


def test_happenings_have_a_line_of_json() -> None:
    game = dealt()
    game.lift(*SET)
    (oddity,) = game.look(3)
    found = oddity.to_json()
    assert found["kind"] == "oddity"
    assert found["number"] == 1
    assert found["sure"] is False
    assert [choice["players"] for choice in found["choices"]] == [["Ann"], ["Ben"]]
    event = game.table.accept(1)[1].to_json()
    assert event["points"] == {"Ann": 1}
    assert event["scores"] == {"Ann": 1, "Ben": 0}
    assert event["pieces"] == [str(piece) for piece in SET]
    assert "number" not in event
    assert "changes" not in event


def test_who_has_played_is_told_of_picks_only() -> None:
    game = dealt()
    game.lift(*SET)
    game.look(3)
    assert game.table.oddity is not None
    assert [players_of(one.events) for one in game.table.oddity.pending.understood.candidates] == [{"Ann"}, {"Ben"}]
