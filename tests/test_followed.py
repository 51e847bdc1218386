"""Pieces as the tracker keeps them, and how they are paired with what is found."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.tokens import Card
from vision.followed import Followed, Patches, difference, pairs_by_name, pairs_by_place
from vision.types import Quad, Reading

CARD = Card.parse("2 red solid oval")


def square(x: float, y: float, side: float = 40) -> Quad:
    """A square with its first corner at a point."""
    return Quad.of([(x, y), (x + side, y), (x + side, y + side), (x, y + side)])


def piece(x: float = 0, y: float = 0) -> Followed[str]:
    """One that nobody has looked at."""
    return Followed(1, square(x, y), 0.0, 0.0)


def test_a_tremor_is_smoothed_and_a_move_is_followed() -> None:
    one = piece()
    one.seen(square(0.5, 0), 1.0)
    assert one.quad.corners[0, 0] == pytest.approx(0.2)
    one.seen(square(12, 0), 2.0)
    assert one.quad.corners[0, 0] == pytest.approx(12)
    assert one.last == 2.0


def test_a_still_piece_is_smoothed_without_lag() -> None:
    one, rng = piece(), np.random.default_rng(2)
    for step in range(200):
        one.seen(square(float(rng.normal(0, 0.4)), 0), step / 10)
    assert abs(float(one.quad.corners[0, 0])) < 0.5


def test_being_seen_ends_what_was_wrong() -> None:
    one = piece()
    one = replace(one, missed=2, hidden=True, touched=True, rival="1 red open oval")
    one.vote("look", square(0, 0), 3.0, 8)
    assert one.missed == 0
    assert not one.hidden
    assert not one.touched
    assert one.rival is None


def test_only_the_last_looks_are_kept() -> None:
    one = piece()
    for step in range(1000):
        one.vote(f"look {step}", square(0, 0), step / 10, 4)
    assert one.evidence == [f"look {step}" for step in range(996, 1000)]
    assert one.looks == 1000


def test_a_piece_answers_to_what_looks_say_and_to_what_a_person_says() -> None:
    one = piece()
    assert (one.name, one.names) == (None, ())
    one.reading = Reading(one.quad, CARD, 0.9)
    assert (one.name, one.names) == ("2 red solid oval", ("2 red solid oval",))
    one.corrected = Card.parse("2 red striped oval")
    assert one.name == "2 red striped oval"
    assert one.names == ("2 red solid oval", "2 red striped oval")


def test_places_are_paired_best_first_and_once() -> None:
    ours = [square(0, 0), square(50, 0), square(500, 500)]
    theirs = [square(52, 1), square(4, 0), square(8, 0), square(200, 200)]
    assert sorted(pairs_by_place(ours, theirs, 0.35)) == [(0, 1), (1, 0)]
    assert pairs_by_place([], theirs, 0.35) == []
    assert pairs_by_place(ours, [], 0.35) == []


def test_names_are_paired_nearest_first_and_once() -> None:
    ours = [(("a",), square(0, 0)), (("a", "b"), square(300, 0)), ((), square(0, 0))]
    theirs = [("a", square(290, 0)), ("a", square(30, 0)), ("c", square(0, 0))]
    assert sorted(pairs_by_name(ours, theirs)) == [(0, 1), (1, 0)]
    assert pairs_by_name(ours, [("b", square(0, 0))]) == [(1, 0)]


def test_patches_tell_a_change_and_not_the_light() -> None:
    image = np.full((240, 320, 3), 90, np.uint8)
    image[80:160, 80:140] = (230, 225, 220)
    image[100:140, 95:125] = (40, 40, 200)
    quad = Quad.of([(80, 80), (140, 80), (140, 160), (80, 160)])
    (before,) = Patches(image).of([quad])
    assert before.shape == (18, 12, 3)
    dim = (image * 0.7).astype(np.uint8)
    assert difference(before, Patches(dim).of([quad])[0]) < 5
    image[100:140, 95:125] = (200, 40, 40)
    assert difference(before, Patches(image).of([quad])[0]) > 40


def test_a_card_that_has_left_a_dark_table_does_not_look_the_same() -> None:
    dark = np.full((240, 320, 3), 9, np.uint8)
    lit = dark.copy()
    lit[80:160, 80:140] = (170, 165, 160)
    quad = Quad.of([(80, 80), (140, 80), (140, 160), (80, 160)])
    (card,), (table,) = Patches(lit).of([quad]), Patches(dark).of([quad])
    assert difference(table, card) > 100
    assert difference(card, table) > 100


def test_what_was_seen_of_a_piece_in_a_hand_does_not_count_once_it_lies() -> None:
    one = piece()
    one.held = True
    for look in range(4):
        one.vote(f"in a hand {look}", square(0, 0), float(look), 8)
    one.let_go()
    one.vote("lying", square(0, 0), 5.0, 8)
    one.let_go()
    assert (one.evidence, one.looks, one.held) == (["lying"], 1, False)
