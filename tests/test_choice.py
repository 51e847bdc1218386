"""Which of the two readers is believed where nobody says what lies on the table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from engine.tokens import Card, Face, Piece, Tile
from service.choice import all_cards, better
from vision.types import Doubt, Frame, Kind, Quad, Reading

CARDS = ("1 red solid oval", "2 red solid oval", "3 red solid oval", "1 green striped diamond")
FACES = ("1 red oval", "2 red oval", "3 red oval", "1 green diamond")
PARSED: dict[Kind, Callable[[str], Piece]] = {Kind.CARD: Card.parse, Kind.TILE: Tile.parse, Kind.DIE: Face.parse}
LONG, SQUARE = 62, 42
"""Lower sides of a card and of a die, 40 wide."""


def one(number: int, name: str, kind: Kind, height: float, doubt: Doubt | None = None, row: int = 0) -> Reading:
    """The piece ``name`` in place ``number`` of a row."""
    left, top = 20.0 + 60 * number, 20.0 + 300 * row
    quad = Quad.of([(left, top), (left + 40, top), (left + 40, top + height), (left, top + height)])
    return Reading(quad, PARSED[kind](name), 0.99, {}, doubt, kind)


def frame(*readings: Reading) -> Frame:
    return Frame((640, 480), readings, None, 1.0, {})


def cards(names: Sequence[str], doubts: int = 0) -> Frame:
    """Cards in a row, the first ``doubts`` of them in doubt."""
    doubt = [Doubt.GLARE if number < doubts else None for number in range(len(names))]
    return frame(*(one(number, name, Kind.CARD, LONG, doubt[number]) for number, name in enumerate(names)))


def faces(names: Sequence[str], height: float = SQUARE, row: int = 0, kind: Kind = Kind.DIE) -> Frame:
    return frame(*(one(number, name, kind, height, None, row) for number, name in enumerate(names)))


@pytest.mark.parametrize(("count", "doubts", "enough"), [(4, 0, True), (3, 0, True), (2, 0, False), (4, 1, False)])
def test_nearly_all_cards_without_a_doubt_are_cards(count: int, doubts: int, enough: bool) -> None:
    assert all_cards(cards(CARDS[:count], doubts)) is enough


def test_tiles_seen_by_the_reader_of_cards_are_no_cards() -> None:
    assert not all_cards(faces(FACES, kind=Kind.TILE))


def test_the_frame_with_more_sure_pieces_is_better() -> None:
    few, many = cards(CARDS[:2]), faces(FACES[:3], row=1)
    assert better(few, many) is many
    many_cards, few_faces = cards(CARDS), faces(FACES[:3], row=1)
    assert better(many_cards, few_faces) is many_cards


def test_cards_in_doubt_count_for_nothing() -> None:
    doubtful, sure = cards(CARDS[:3], 3), faces(FACES[:1], row=1)
    assert better(doubtful, sure) is sure


def test_as_many_cards_as_faces_are_cards() -> None:
    some = cards(CARDS[:2])
    assert better(some, faces(FACES[:2], row=1)) is some


def test_print_beside_a_card_is_no_wild() -> None:
    some = cards(CARDS[:1])
    assert better(some, faces(["wild"] * 5, row=1)) is some
    thrown, doubtful = faces(["wild"] * 2, row=1), cards(CARDS[:1], 1)
    assert better(doubtful, thrown) is thrown


def test_what_is_as_oblong_as_the_card_in_its_spot_is_that_card() -> None:
    solid = cards(CARDS[:3], 1)
    assert better(solid, faces(FACES[:3], LONG)) is solid
    dice = faces(FACES[:3])
    assert better(solid, dice) is dice


def test_oblong_faces_where_no_card_is_count() -> None:
    some, slanted = cards(CARDS[:1]), faces(FACES[:2], LONG, row=1)
    assert better(some, slanted) is slanted


def test_where_all_is_in_doubt_the_more_confident_frame_is_better() -> None:
    doubtful = frame(*(replace(reading, doubt=Doubt.GLARE) for reading in faces(FACES[:2], row=1)))
    assert better(cards(CARDS[:1], 1), doubtful) is doubtful
    pair = cards(CARDS[:2], 2)
    assert better(pair, doubtful) is pair
    assert better(frame(), doubtful) is doubtful


def test_an_empty_table_has_no_cards_rather_than_no_dice() -> None:
    empty = frame()
    assert better(empty, frame()) is empty
