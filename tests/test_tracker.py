"""The tracker: identities, names, hands, knocks, lamps and other faults of a live picture."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from engine.tokens import Card
from tests.drawn_table import CARD, NAMES, PITCH, SIZE, Filmed, Scenery, draw, identities, names, place, row
from vision.tracker import TrackerConfig
from vision.tracks import Moment, Scene
from vision.types import Doubt

BLACK = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
TWELVE = row(12)
ARM = Scenery(hands=((280, 60, 420, SIZE[1]),))
"""An arm from below over the places 2, 3, 8 and 9."""


@pytest.fixture
def film() -> Filmed:
    """A table with twelve cards, settled."""
    film = Filmed()
    film.settle(TWELVE)
    film.show(TWELVE, 1.0)
    return film


def wave(film: Filmed, before: dict[str, tuple[float, float]], after: dict[str, tuple[float, float]]) -> list[Moment]:
    """A hand comes from below, and the table is another one when it has left."""
    told = []
    for step in range(10):
        reach = 360 - 60 * (1 + min(step, 9 - step))
        hand = Scenery(hands=((20, reach, 620, 360),))
        told += film.show(before if step < 5 else after, scenery=hand)
    return told


# A table at rest.


def test_a_table_is_named_and_settles_soon(film: Filmed) -> None:
    first = Filmed()
    told = first.show(TWELVE, 1.0)
    assert names(told[-1]) == sorted(TWELVE)
    assert next(moment.time for moment in told if moment.settled) < 0.6
    assert all(moment.scene is Scene.STILL for moment in told)
    assert all(moment.size == SIZE for moment in told)


def test_quads_lie_on_the_cards(film: Filmed) -> None:
    assert film.last is not None
    for track in film.last:
        middle = np.array(TWELVE[track.reading.name]) - 0.5
        assert np.abs(track.reading.quad.centre - middle).max() < 1.0
        assert abs(track.reading.quad.short_side - CARD[0]) < 2.5


def test_a_still_table_costs_no_look(film: Filmed) -> None:
    finds, looked = film.eyes.finds, len(film.eyes.looked)
    told = film.show(TWELVE, 20.0)
    assert (film.eyes.finds, len(film.eyes.looked)) == (finds, looked)
    assert all(moment.settled and names(moment) == sorted(TWELVE) for moment in told)


def test_a_frozen_picture_costs_no_look_and_stays_settled(film: Filmed) -> None:
    picture = draw(TWELVE)
    film.picture(picture)
    finds = film.eyes.finds
    told = [film.picture(picture) for _ in range(200)]
    assert film.eyes.finds == finds
    assert told[-1].settled
    assert names(told[-1]) == sorted(TWELVE)


def test_an_empty_table_settles_empty() -> None:
    film = Filmed()
    assert film.settle({}).tracks == ()


# Cards that come, go and move.


def test_only_what_changed_is_read_again(film: Filmed) -> None:
    looked = len(film.eyes.looked)
    after = {name: at for name, at in TWELVE.items() if name != NAMES[0]} | {NAMES[20]: place(0)}
    film.show(TWELVE, 0.3, Scenery(hands=((0, 0, 130, 130),)))
    assert names(film.settle(after)) == sorted(after)
    fresh = film.eyes.looked[looked:]
    assert fresh
    assert all(np.hypot(x - place(0)[0], y - place(0)[1]) < CARD[1] for x, y in fresh)


def test_a_replaced_card_is_another_piece(film: Filmed) -> None:
    assert film.last is not None
    before = identities(film.last)
    after = {name: at for name, at in TWELVE.items() if name != NAMES[4]} | {NAMES[20]: place(4)}
    wave(film, TWELVE, after)
    now = identities(film.settle(after))
    assert set(now) == set(after)
    assert now[NAMES[20]] not in before.values()
    assert all(now[name] == before[name] for name in after if name != NAMES[20])


def test_a_card_replaced_from_one_picture_to_the_next_is_another_piece(film: Filmed) -> None:
    assert film.last is not None
    before = identities(film.last)
    after = {name: at for name, at in TWELVE.items() if name != NAMES[4]} | {NAMES[20]: place(4)}
    told = film.show(after, 1.0)
    assert names(told[-1]) == sorted(after)
    assert identities(told[-1])[NAMES[20]] not in before.values()
    assert not any(moment.settled and NAMES[20] not in names(moment) for moment in told[1:])


def test_three_cards_taken_are_gone_when_the_hand_has_left(film: Filmed) -> None:
    left = dict(list(TWELVE.items())[3:])
    for moment in wave(film, TWELVE, left):
        assert not moment.settled
    start = film.time
    moment = film.settle(left)
    assert moment.time - start < 0.6
    assert names(moment) == sorted(left)


def test_a_table_emptied_at_once_is_empty(film: Filmed) -> None:
    assert film.settle({}).tracks == ()


def test_a_card_pushed_a_little_keeps_its_identity(film: Filmed) -> None:
    assert film.last is not None
    before = identities(film.last)
    x, y = place(7)
    pushed = TWELVE | {NAMES[7]: (x + 9, y + 6)}
    moment = film.settle(pushed)
    assert identities(moment) == before
    quad = next(track.reading.quad for track in moment if track.reading.name == NAMES[7])
    assert np.abs(quad.centre - np.array([x + 8.5, y + 5.5])).max() < 1.0


def test_a_card_carried_to_a_free_place_keeps_its_identity(film: Filmed) -> None:
    assert film.last is not None
    before = identities(film.last)
    moved = TWELVE | {NAMES[3]: place(14)}
    wave(film, TWELVE, moved)
    assert identities(film.settle(moved)) == before


def test_two_cards_that_change_places_keep_their_identities(film: Filmed) -> None:
    assert film.last is not None
    before = identities(film.last)
    swapped = TWELVE | {NAMES[0]: place(1), NAMES[1]: place(0)}
    wave(film, TWELVE, swapped)
    moment = film.settle(swapped)
    assert identities(moment) == before
    where = {track.reading.name: track.reading.quad.centre[0] for track in moment}
    assert where[NAMES[0]] > where[NAMES[1]]


def test_a_card_put_back_soon_is_the_same_piece_and_later_another(film: Filmed) -> None:
    assert film.last is not None
    mine = identities(film.last)[NAMES[2]]
    left = {name: at for name, at in TWELVE.items() if name != NAMES[2]}
    film.settle(left)
    assert identities(film.settle(TWELVE))[NAMES[2]] == mine
    film.settle(left)
    film.show(left, 5.0)
    assert identities(film.settle(TWELVE))[NAMES[2]] != mine


def test_identities_are_never_used_again(film: Filmed) -> None:
    seen: set[int] = set()
    for first in (12, 0, 12):
        film.settle({})
        film.show({}, 4.5)
        now = set(identities(film.settle(row(6, first))).values())
        assert not now & seen
        seen |= now


# Hands.


def test_cards_under_a_hand_are_hidden_and_not_gone(film: Filmed) -> None:
    assert film.last is not None
    before = identities(film.last)
    told = film.show(TWELVE, 1.0, ARM)
    assert all(moment.scene is Scene.HANDS and not moment.settled for moment in told[2:])
    assert all(identities(moment) == before for moment in told)
    hidden = {track.reading.name for track in told[-1] if track.hidden}
    assert {NAMES[3], NAMES[9]} <= hidden <= {NAMES[index] for index in (2, 3, 8, 9)}
    moment = film.settle(TWELVE)
    assert identities(moment) == before
    assert not any(track.hidden for track in moment)


def test_a_hand_that_rests_on_cards_for_long_hides_them_and_nothing_is_gone(film: Filmed) -> None:
    assert film.last is not None
    before = identities(film.last)
    told = film.show(TWELVE, 12.0, ARM)
    assert all(identities(moment) == before for moment in told)
    assert identities(film.settle(TWELVE)) == before


def test_an_arm_that_leans_on_the_border_for_long_belongs_to_the_table(film: Filmed) -> None:
    lean = Scenery(hands=((560, 300, 640, 360),))
    told = film.show(TWELVE, 8.0, lean)
    assert any(moment.scene is Scene.HANDS for moment in told)
    assert told[-1].settled
    left = dict(list(TWELVE.items())[3:])
    film.show(left, 0.5, replace(lean, hands=(*lean.hands, (0, 0, 300, 150))))
    assert names(film.settle(left, lean)) == sorted(left)
    assert names(film.settle(left)) == sorted(left)


def test_what_is_held_in_a_hand_is_not_on_the_table(film: Filmed) -> None:
    held = TWELVE | {NAMES[20]: (330.0, 300.0)}
    told = film.show(held, 0.6, Scenery(hands=((200, 250, 300, 360), (360, 250, 460, 360))))
    assert all(NAMES[20] not in names(moment) for moment in told)


# The camera.


def test_a_knock_that_shifts_everything_keeps_identities(film: Filmed) -> None:
    assert film.last is not None
    before = identities(film.last)
    knocked = Scenery(shift=(17.0, -11.0))
    start = film.time
    moment = film.settle(TWELVE, knocked)
    assert identities(moment) == before
    assert moment.time - start < 0.7
    for track in moment:
        there = np.array(TWELVE[track.reading.name]) - 0.5 + np.array([17.0, -11.0])
        assert np.abs(track.reading.quad.centre - there).max() < 1.0


@pytest.mark.parametrize("sign", [-1, 1])
def test_a_knock_by_the_pitch_of_the_cards_keeps_identities_by_name(film: Filmed, sign: int) -> None:
    small = {NAMES[index]: place(index + 1) for index in range(4)} | {NAMES[6 + i]: place(7 + i) for i in range(4)}
    film.settle({})
    before = identities(film.settle(small))
    moment = film.settle(small, Scenery(shift=(sign * float(PITCH[0]), 0.0)))
    assert identities(moment) == before


def test_a_shaking_camera_loses_nobody(film: Filmed) -> None:
    assert film.last is not None
    before = identities(film.last)
    for step in range(12):
        swing = 14 * np.exp(-step / 4) * np.array([np.cos(2 * step), np.sin(3 * step)])
        film.show(TWELVE, scenery=Scenery(shift=(float(swing[0]), float(swing[1]))))
    assert identities(film.settle(TWELVE)) == before


def test_pictures_of_another_size_show_the_same_table(film: Filmed) -> None:
    assert film.last is not None
    before = identities(film.last)
    for width in (640, 480, 640, 800):
        size = (width, SIZE[1])
        shrunk = np.asarray(cv2.resize(draw(TWELVE, seed=film.frames), size), np.uint8)
        moment = film.picture(shrunk)
        assert moment.size == size
        assert set(identities(moment).values()) <= set(before.values())
    assert identities(film.settle(TWELVE)) == before


# Light.


def test_black_pictures_are_dark_and_hold_the_layout(film: Filmed) -> None:
    assert film.last is not None
    before = identities(film.last)
    finds = film.eyes.finds
    for _ in range(60):
        moment = film.picture(BLACK)
        assert moment.scene is Scene.DARK
        assert not moment.settled
        assert identities(moment) == before
    assert film.eyes.finds == finds
    assert identities(film.settle(TWELVE)) == before


def test_a_film_that_begins_black_knows_nothing_yet() -> None:
    film = Filmed()
    for _ in range(20):
        moment = film.picture(BLACK)
        assert moment.tracks == ()
        assert not moment.settled
    assert names(film.settle(TWELVE)) == sorted(TWELVE)


def test_a_lamp_switched_off_and_on_changes_nothing(film: Filmed) -> None:
    assert film.last is not None
    before = identities(film.last)
    told = film.show(TWELVE, 2.0, Scenery(light=0.3))
    assert all(moment.scene is Scene.DARK and identities(moment) == before for moment in told)
    assert identities(film.settle(TWELVE)) == before


def test_a_table_that_stays_dimmer_is_read_in_the_end(film: Filmed) -> None:
    assert film.last is not None
    before = identities(film.last)
    told = film.show(TWELVE, 6.0, Scenery(light=0.4))
    assert told[-1].settled
    assert identities(told[-1]) == before


@pytest.mark.parametrize("light", [0.75, 1.15])
def test_a_change_of_light_changes_no_names(film: Filmed, light: float) -> None:
    assert film.last is not None
    before = identities(film.last)
    assert all(identities(moment) == before for moment in film.show(TWELVE, 1.0, Scenery(light=light)))


def test_glare_in_one_picture_changes_no_name(film: Filmed) -> None:
    assert film.last is not None
    before = identities(film.last)
    assert NAMES[13] not in TWELVE
    for moment in (
        *film.show(TWELVE, scenery=Scenery(glare=NAMES[5])),
        *film.show(TWELVE, 1.0),
        *film.show(TWELVE, 0.1, Scenery(glare=NAMES[0], light=0.8)),
        *film.show(TWELVE, 1.0),
    ):
        assert identities(moment) == before


# Times and people.


def test_a_clock_that_goes_backwards_stands_still(film: Filmed) -> None:
    assert film.last is not None
    time = film.last.time
    for step in range(1, 30):
        moment = film.picture(draw(TWELVE, seed=step), time - step)
        assert moment.time == time
        assert names(moment) == sorted(TWELVE)
    assert film.picture(draw(TWELVE), time + 1).time == time + 1


def test_a_long_gap_between_two_pictures_keeps_identities(film: Filmed) -> None:
    assert film.last is not None
    before = identities(film.last)
    film.frames += 10_000
    assert identities(film.settle(TWELVE)) == before


def test_a_correction_sticks_and_goes_with_the_piece(film: Filmed) -> None:
    assert film.last is not None
    mine = identities(film.last)[NAMES[8]]
    right = Card.parse(NAMES[22])
    film.tracker.correct(mine, right)
    moved = TWELVE | {NAMES[8]: place(15)}
    told = film.show(TWELVE, 0.5) + wave(film, TWELVE, moved) + [film.settle(moved)] + film.show(moved, 1.0)
    for moment in told:
        track = next(track for track in moment if track.identity == mine)
        assert (track.reading.piece, track.corrected, track.reading.confidence) == (right, True, 1.0)
    assert abs(float(track.reading.quad.centre[0]) - place(15)[0]) < 2


def test_a_correction_ends_with_the_piece_or_when_it_is_taken_back(film: Filmed) -> None:
    assert film.last is not None
    mine = identities(film.last)[NAMES[8]]
    film.tracker.correct(mine, Card.parse(NAMES[22]))
    film.tracker.correct(mine, None)
    assert identities(film.show(TWELVE)[-1])[NAMES[8]] == mine
    film.tracker.correct(mine, Card.parse(NAMES[22]))
    left = {name: at for name, at in TWELVE.items() if name != NAMES[8]}
    film.settle(left)
    film.show(left, 5.0)
    assert identities(film.settle(TWELVE))[NAMES[8]] != mine
    with pytest.raises(KeyError):
        film.tracker.correct(mine, None)


def test_looking_again_reads_everything_anew(film: Filmed) -> None:
    assert film.last is not None
    before, looked = identities(film.last), len(film.eyes.looked)
    film.tracker.look_again()
    assert not film.show(TWELVE)[-1].settled or len(film.eyes.looked) >= looked + 12
    assert identities(film.settle(TWELVE)) == before
    assert len(film.eyes.looked) >= looked + 12


def test_what_stays_in_doubt_settles_with_its_doubt() -> None:
    film = Filmed()
    moment = film.settle(TWELVE, Scenery(glare=NAMES[5]))
    doubts = {track.reading.name: track.reading.doubt for track in moment if track.reading.doubt is not None}
    assert len(doubts) <= 1
    assert set(doubts.values()) <= {Doubt.LOW_CONFIDENCE}


def test_nothing_grows_over_a_long_game() -> None:
    config = TrackerConfig()
    film = Filmed(config)
    for number in range(24):
        cards = row(9, number % 3 * 6)
        film.settle(cards)
        film.show(cards, 0.4, ARM)
    tracker = film.tracker
    assert len(tracker._pieces) <= 9
    assert len(tracker._lost) <= 9 * config.remembered / 1.0
    assert max(len(piece.evidence) for piece in tracker._pieces) <= config.kept
    assert max(piece.looks for piece in tracker._pieces) < 1e6


def test_a_card_carried_off_and_held_across_the_border_does_not_lie_there(film: Filmed) -> None:
    held = TWELVE | {NAMES[3]: (400.0, 318.0)}
    wave(film, TWELVE, held)
    told = film.show(held, 1.2)
    assert not any(moment.settled for moment in told)
    left = {name: at for name, at in TWELVE.items() if name != NAMES[3]}
    assert names(film.settle(left)) == sorted(left)
    film.show(held, 3.5)
    assert names(film.settle(held)) == sorted(held)


def test_what_lies_across_the_border_and_stays_in_doubt_holds_nothing_up() -> None:
    film, odd = Filmed(), NAMES[12]
    film.show(TWELVE | {odd: (400.0, 318.0)}, 0.3, Scenery(glare=odd))
    settled = film.settle(TWELVE | {odd: (400.0, 318.0)}, Scenery(glare=odd))
    assert set(names(settled)) >= set(TWELVE)
