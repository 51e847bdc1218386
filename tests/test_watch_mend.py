"""A misread piece set right: every piece of the deck can be reached, and nothing else."""

from __future__ import annotations

import pytest

from engine.editions import edition
from engine.tokens import Card, Piece
from service.watch_mend import Mending, Misread, misread_of_pieces, misread_of_tracks
from tests.fake_moments import track
from tests.watching import NAMES
from vision.types import Doubt


def begun(piece: Piece, key: str) -> Mending:
    """The mending of one piece."""
    found = Mending.begun([Misread(piece)], key)
    assert found is not None
    return found


@pytest.mark.parametrize("key", ["classic", "ravensburger", "junior-2", "cubed"])
def test_every_piece_with_features_can_be_reached_from_any_other(key: str) -> None:
    deck = [piece for piece in edition(key).deck if str(piece) != "wild"]
    seen, waiting = set[Piece](), [begun(deck[0], key)]
    while waiting:
        one = waiting.pop()
        if one.new not in seen:
            seen.add(one.new)
            waiting += [one.turned(steps).changed(+1) for steps in range(len(edition(key).features))]
    assert seen == set(deck)


def test_values_go_round_both_ways() -> None:
    one = begun(Card.parse("2 red striped rectangle"), "ravensburger").turned(-1)
    shapes = [one.changed(steps).new for steps in range(4)]
    assert [str(piece).split()[-1] for piece in shapes] == ["rectangle", "squiggle", "oval", "rectangle"]
    assert one.changed(-1).new == one.changed(+2).new


def test_a_wild_can_become_any_face() -> None:
    wild = next(piece for piece in edition("cubed").deck if str(piece) == "wild")
    assert begun(wild, "cubed").changed(+1).new == edition("cubed").deck[0]


def test_a_piece_that_the_edition_lacks_can_be_set_right() -> None:
    odd = begun(Card.parse("2 red striped diamond"), "ravensburger").turned(-1)
    assert odd.changed(+1).new in edition("ravensburger").deck


def test_what_is_about_to_happen_is_said() -> None:
    one = begun(Card.parse("2 red striped diamond"), "classic")
    assert one.banner.text == "Misread? two red striped diamonds"
    assert one.changed(+1).banner.text == "two red striped diamonds → three red striped diamonds"
    assert "number" in one.status
    assert "shading" in one.turned(2).status


def test_pieces_in_doubt_come_first_and_the_next_is_the_next() -> None:
    tracks = [track(n, Card.parse(name), doubt=Doubt.GLARE if n == 2 else None) for n, name in enumerate(NAMES[:3])]
    choices = misread_of_tracks(tracks)
    assert [one.identity for one in choices] == [2, 0, 1]
    mending = Mending.begun(choices, "classic")
    assert mending is not None
    assert [mending.next().chosen.identity, mending.next().next().next().chosen.identity] == [0, 2]
    assert Mending.begun((), "classic") is None


def test_pieces_of_a_dispute_may_have_gone() -> None:
    cards = [Card.parse(name) for name in NAMES[:3]]
    found = misread_of_pieces(cards, [track(7, cards[1])])
    assert [one.identity for one in found] == [None, 7, None]
