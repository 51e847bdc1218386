"""Corrections at a live table: verdicts are judged again, and the tracker learns the name."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from engine.events import Called, Corrected, Dealt, Ended, Event, Picked, Rolled, Undone
from engine.record import read_header
from engine.tokens import Card, Face, Piece
from service.live.errors import LiveError, NotAPieceError, NothingToCorrectError, NotPossibleError
from service.live.happenings import HappeningKind, pieces_of
from service.live.table import LiveTable
from tests.games import DEALT
from tests.live import HEADER, Played, plain, replayed

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


# Without a camera.

FREE = tuple(card for card in read_header(HEADER % "classic").edition.deck if card not in (*DEALT, WRONG))


def told(*events: Event) -> LiveTable:
    """A table without a camera, at which twelve cards were dealt, and what else has happened."""
    table = LiveTable(read_header(HEADER % "classic"))
    for event in (Dealt(DEALT), *events):
        table.put(event)
    return table


def names(table: LiveTable) -> list[Piece]:
    """What is understood to lie there, in order."""
    return sorted(table.layout.values())


def lying(table: LiveTable) -> list[Piece]:
    """What lies there by the game, in order."""
    return sorted(table.referee.state.table)


def again(table: LiveTable) -> LiveTable:
    """The same table after a restart."""
    return LiveTable.resumed(table.header, table.referee.events)


def test_a_corrected_piece_stays_on_a_table_that_nobody_sees() -> None:
    table = told()
    table.correct(DEALT[0], FREE[0])
    assert names(table) == lying(table) == sorted((FREE[0], *DEALT[1:]))
    table.undo()
    assert names(table) == lying(table) == sorted(DEALT)
    resumed = again(table)
    resumed.correct(DEALT[1], FREE[1])
    assert names(resumed) == lying(resumed) == sorted((FREE[1], DEALT[0], *DEALT[2:]))
    resumed.restart_sight()
    resumed.correct(FREE[1], DEALT[1])
    assert names(resumed) == sorted(DEALT)


def test_a_piece_that_is_told_and_not_seen_yet_is_corrected_while_a_camera_looks() -> None:
    game = Played()
    game.look()
    game.table.put(Dealt(DEALT))
    game.table.correct(DEALT[0], FREE[0])
    assert names(game.table) == lying(game.table)
    game.lay(FREE[0], *DEALT[1:])
    assert game.look(9) == [], "it is what has been told"


@pytest.mark.parametrize(
    "refused", [(Dealt((DEALT[0], *FREE[1:3])),), (Dealt(DEALT),), (Undone(), Dealt(DEALT[:3]), Dealt(DEALT))], ids=str
)
def test_a_correction_begins_with_an_event_that_stands(refused: tuple[Event, ...]) -> None:
    table = told(*refused)
    table.correct(DEALT[0], FREE[0])
    assert FREE[0] in lying(table)
    assert names(table) == lying(table)


def test_a_deal_that_was_taken_back_is_nothing_to_correct() -> None:
    table = told(Undone(), Dealt((FREE[0], *DEALT[1:])))
    with pytest.raises(NothingToCorrectError):
        table.correct(DEALT[0], FREE[1])


def test_a_refused_roll_is_not_where_dice_come_from() -> None:
    faces = tuple(map(Face.parse, ("1 red oval", "2 red oval", "3 red oval", "1 green oval", "wild")))
    header = '{"game": "cubed", "players": ["Ann", "Ben"], "options": {}, "board": %s}'
    board = {"rows": 9, "columns": 9, "logo": [[4, 3], [4, 4], [4, 5]], "bonus": []}
    table = LiveTable(read_header(header % json.dumps(board)))
    for event in (Rolled("Ann", faces), Rolled("Ann", (faces[0], faces[1]))):
        table.put(event)
    assert [one.ok for one in table.referee.verdicts] == [True, False]
    (found,) = table.correct(faces[0], Face.parse("2 green diamond"))
    assert found.ok
    assert table.referee.state.hand("Ann")[0] == Face.parse("2 green diamond")


NEW_CARDS = FREE[4:7]
PLAYED = (Called("Ann"), Picked("Ann", SET), Dealt(NEW_CARDS))
ON_TABLE = tuple(card for card in DEALT if card not in SET)


@pytest.mark.parametrize(
    ("old", "new", "event"),
    [(ON_TABLE[0], ON_TABLE[1], 0), (ON_TABLE[0], NEW_CARDS[0], 3), (NEW_CARDS[0], SET[0], 3)],
)
def test_a_correction_to_a_name_that_is_there_already_is_refused(old: Card, new: Card, event: int) -> None:
    table = told(*PLAYED)
    record, scores = table.record, table.scores
    text = rf"^event {event} \(dealt\) would not stand any more: No card comes twice .*; correct the other piece first"
    acts: list[Callable[[], object]] = [lambda: table.correct(old, new), lambda: table.put(Corrected(0, old, new))]
    for act in acts:
        with pytest.raises(NotPossibleError, match=text):
            act()
    assert (table.record, table.scores, names(table)) == (record, scores, lying(table))


def test_a_correction_to_a_name_that_is_there_already_can_be_forced_and_taken_back() -> None:
    table = told(*PLAYED)
    then = names(table)
    (found,) = table.correct(ON_TABLE[0], ON_TABLE[1], force=True)
    assert found.ok
    assert found.changes
    assert table.scores == {"Ann": 0, "Ben": 0}
    table.undo()
    assert (table.scores["Ann"], names(table)) == (1, then)


def test_two_cards_change_names_by_way_of_a_third() -> None:
    table = told(*PLAYED)
    one, other = ON_TABLE[0], NEW_CARDS[0]
    for old, new in ((one, FREE[0]), (other, one), (FREE[0], other)):
        table.correct(old, new)
    assert set(pieces_of(table.referee.events[0])) == {*DEALT, other} - {one}
    assert set(pieces_of(table.referee.events[3])) == {*NEW_CARDS, one} - {other}
    assert names(table) == lying(table)


def test_a_verdict_may_become_another_one_by_a_correction() -> None:
    table = told(*PLAYED)
    (found,) = table.correct(SET[0], FREE[0])
    assert [(one.event, one.after) for one in found.changes] == [(2, False), (3, False)], (
        "a false call: no cards are due"
    )


def test_a_card_that_is_not_in_the_deck_of_the_table_cannot_have_come() -> None:
    header = read_header('{"game": "classic", "players": ["Ann"], "options": {"small_deck": true}}')
    table = LiveTable(header)
    solid = tuple(card for card in map(Card.parse, map(str, header.edition.deck)) if " solid " in str(card))
    table.put(Dealt(solid[: table.referee.legal.due[0].count]))
    assert table.referee.verdicts[0].ok
    with pytest.raises(NotPossibleError, match="not in the deck"):
        table.correct(solid[0], Card.parse("1 red open oval"))


@pytest.mark.parametrize("one", [True, False])
def test_taking_back_a_forced_correction_leaves_the_card_that_has_the_name(one: bool) -> None:
    game = Played()
    game.lay(*DEALT)
    game.look(0.5)
    place = game.places[DEALT[0]]
    game.table.correct(DEALT[0], DEALT[1], identity=place if one else None, force=True)
    game.table.undo()
    assert game.table.take_names() == ((place, DEALT[1]), (place, DEALT[0]))
    assert game.look(9) == []
    assert names(game.table) == lying(game.table) == sorted(DEALT)


# What finds nothing.


def test_a_correction_that_finds_nothing_says_so() -> None:
    table = told(Dealt((FREE[3], *FREE[1:3])))
    record = table.record
    acts: list[tuple[Callable[[], object], str]] = [
        (lambda: table.correct(DEALT[0], DEALT[0]), "is what it is called already"),
        (lambda: table.correct(FREE[0], FREE[1]), "is neither in an event that counts nor seen"),
        (lambda: table.correct(FREE[3], FREE[1]), "is neither in an event that counts nor seen"),
        (lambda: table.correct(DEALT[0], FREE[1], identity=99), "no piece 99 is seen on the table"),
        (lambda: table.correct(DEALT[0], FREE[1], identity=99, since=0), "no piece 99 is seen on the table"),
        (lambda: table.correct(DEALT[0], FREE[1], since=1), "is neither in an event that counts nor seen"),
        (lambda: table.put(Corrected(1, DEALT[0], FREE[1])), "is neither in an event that counts nor seen"),
    ]
    for act, text in acts:
        with pytest.raises(NothingToCorrectError, match=text):
            act()
    assert (table.record, names(table)) == (record, sorted(DEALT))


def test_what_is_seen_is_something_to_correct() -> None:
    game = Played()
    game.lay(*DEALT, WRONG)
    game.look(3)
    assert game.table.correct(WRONG, FREE[0], identity=game.places[WRONG]) == ()
    assert game.table.take_names() == ((game.places[WRONG], FREE[0]),)


# An event `corrected` is a correction.


def test_a_correction_that_is_told_as_an_event_is_one() -> None:
    game = misread()
    place = game.places[WRONG]
    (found,) = game.table.put(Corrected(0, WRONG, SET[2], time=1.5, note="Ann has looked"))
    assert found.kind is HappeningKind.CORRECTION
    assert game.table.take_names() == ((place, SET[2]),)
    assert (game.table.scores["Ann"], found.time) == (1, 1.5)
    assert '"note": "Ann has looked"' in game.table.record[-1]
    (found,) = game.table.put(Undone())
    assert game.table.take_names() == ((place, WRONG),)
    with pytest.raises(LiveError, match="rectangle"):
        game.table.put(Corrected(0, WRONG, Card.parse("1 red solid rectangle")))


def test_after_the_game_a_correction_is_refused_and_renames_nothing() -> None:
    table = told(Ended())
    (found,) = table.correct(DEALT[0], FREE[0])
    assert found.ok is False
    assert names(table) == lying(table) == sorted(DEALT)
