"""Corrections at a live table: verdicts are judged again, and the tracker learns the name."""

from __future__ import annotations

import pytest

from engine.tokens import Card
from service.live.errors import NotAPieceError
from service.live.happenings import HappeningKind
from tests.games import DEALT
from tests.live import Played, plain, replayed

SET = (DEALT[0], DEALT[1], DEALT[9])
WRONG = Card.parse("2 red solid diamond")
"""What the third card of the SET is misread as."""


def misread() -> Played:
    """A table on which one card was misread from the first deal on, and a SET with it was picked and put back."""
    game = Played()
    game.lay(*(WRONG if card == SET[2] else card for card in DEALT))
    game.look(0.5)
    game.call("Ann")
    game.lift(*SET[:2], WRONG)
    game.look()
    assert game.table.scores == {"Ann": -1, "Ben": 0}
    game.lay(*SET[:2], WRONG)
    game.look()
    return game


def test_a_correction_turns_a_false_call_into_a_set_and_back() -> None:
    game = misread()
    place = game.places[WRONG]
    (told,) = game.table.correct(WRONG, SET[2])
    assert game.table.take_names() == ((place, SET[2]),)
    assert told.kind is HappeningKind.CORRECTION
    (change,) = told.changes
    assert (change.event, change.before, change.after) == (2, False, True)
    assert (dict(change.points_before), dict(change.points_after)) == ({"Ann": -1}, {"Ann": 1})
    assert game.table.scores == {"Ann": 1, "Ben": 0}
    game.lying[place] = SET[2]
    assert game.look(3) == [], "the name is what people have said"
    (back,) = game.table.correct(SET[2], WRONG)
    assert [(one.event, one.after) for one in back.changes] == [(2, False)]
    assert game.table.scores == {"Ann": -1, "Ben": 0}
    assert replayed(game.table).state.score == game.table.scores


def test_a_correction_may_be_put_right_before_the_next_picture_and_during_one() -> None:
    game = misread()
    place = game.places[WRONG]
    game.table.correct(WRONG, SET[2])
    game.table.correct(SET[2], WRONG)
    game.table.correct(WRONG, SET[2])
    assert game.table.take_names() == ((place, SET[2]), (place, WRONG), (place, SET[2]))
    assert game.look(3) == [], "this picture was under way: nobody had told its tracker yet"
    game.lying[place] = SET[2]
    assert game.look(3) == []
    assert game.table.scores == {"Ann": 1, "Ben": 0}


def test_a_correction_can_be_undone() -> None:
    game = misread()
    place = game.places[WRONG]
    game.table.correct(WRONG, SET[2])
    game.lying[place] = SET[2]
    assert game.look(3) == []
    game.table.undo()
    assert game.table.take_names() == ((place, SET[2]), (place, WRONG)), "the tracker forgets the name as well"
    game.lying[place] = WRONG
    assert game.look(3) == []
    assert game.table.scores == {"Ann": -1, "Ben": 0}
    assert replayed(game.table).state.score == game.table.scores


def test_a_correction_of_what_has_gone_needs_no_track() -> None:
    game = Played()
    game.lay(*(WRONG if card == SET[2] else card for card in DEALT))
    game.look(0.5)
    game.call("Ann")
    game.lift(*SET[:2], WRONG)
    game.look()
    (told,) = game.table.correct(WRONG, SET[2])
    assert game.table.take_names() == ()
    assert told.changes
    assert plain(game.table.record[-1]) == {"type": "corrected", "event": 0, "from": str(WRONG), "to": str(SET[2])}


def test_a_name_that_is_in_no_event_is_for_the_tracker_only() -> None:
    game = Played()
    game.lay(*DEALT)
    game.look(0.5)
    game.lying[game.places[SET[2]]] = WRONG
    (oddity,) = game.look(3)
    assert oddity.kind is HappeningKind.ODDITY
    assert game.table.correct(WRONG, SET[2]) == ()
    assert game.table.take_names() == ((game.places[SET[2]], SET[2]),)
    game.lying[game.places[SET[2]]] = SET[2]
    assert [one.kind for one in game.look()] == [HappeningKind.RESOLVED]
    assert len(game.table.record) == 2


def test_of_two_cards_of_one_name_only_the_one_meant_is_corrected() -> None:
    game = Played()
    game.lay(*DEALT)
    game.look(0.5)
    game.lying[30] = DEALT[0]
    game.look(3)
    assert game.table.correct(DEALT[0], WRONG, identity=30) == ()
    assert game.table.take_names() == ((30, WRONG),)
    assert game.table.layout[game.places[DEALT[0]]] == DEALT[0]


def test_only_pieces_of_the_game_are_names() -> None:
    game = misread()
    with pytest.raises(NotAPieceError, match="rectangle"):
        game.table.correct(WRONG, Card.parse("1 red solid rectangle"))


def test_since_says_from_which_event_on() -> None:
    game = misread()
    (told,) = game.table.correct(WRONG, SET[2], since=2)
    assert told.ok
    assert game.table.scores["Ann"] == 0, "the pick names a card that was not dealt, and is refused"
