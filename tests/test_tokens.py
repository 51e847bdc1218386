"""The text forms of pieces: parse and str are inverses, and what is no piece is refused by name."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.tokens import (
    Card,
    Colour,
    Face,
    Number,
    Piece,
    Shading,
    Shape,
    Tile,
    TokenError,
    UnknownTokenError,
    full_deck,
    full_tiles,
    parse_piece,
)

EVERY_CARD = tuple(Card(*features) for features in product(Number, Colour, Shading, Shape))
EVERY_TILE = tuple(Tile(*features) for features in product(Number, Colour, Shape))
EVERY_FACE = (Face(None), *map(Face, EVERY_TILE))

WORDS = [str(value) for feature in (Number, Colour, Shading, Shape) for value in feature]
TEXTS = st.one_of(st.text(), st.lists(st.sampled_from([*WORDS, "wild", "Red", "4", ""]), max_size=5).map(" ".join))

STEADY = settings(derandomize=True, deadline=None)


@pytest.mark.parametrize(("kind", "pieces"), [("card", EVERY_CARD), ("tile", EVERY_TILE), ("die", EVERY_FACE)])
def test_every_piece_survives_its_text(kind: str, pieces: tuple[Piece, ...]) -> None:
    assert [parse_piece(str(piece), kind) for piece in pieces] == list(pieces)
    assert len({str(piece) for piece in pieces}) == len(pieces)
    assert {piece.kind for piece in pieces} == {kind}


@pytest.mark.parametrize("kind", ["card", "tile", "die"])
@STEADY
@given(text=TEXTS)
def test_any_text_is_a_piece_or_is_refused(kind: str, text: str) -> None:
    try:
        piece = parse_piece(text, kind)
    except UnknownTokenError:
        return
    assert str(piece) == " ".join(text.split())


@pytest.mark.parametrize("feature", [Number, Colour, Shading, Shape])
def test_every_value_survives_its_text(feature: type[Number | Colour | Shading | Shape]) -> None:
    assert [feature.parse(str(value)) for value in feature] == list(feature)


@pytest.mark.parametrize(
    ("text", "kind", "quoted"),
    [
        ("2 red striped", "card", "'2 red striped' is no card"),
        ("4 red striped oval", "card", "'4' is no number: expected 1, 2, 3"),
        ("2 blue striped oval", "card", "'blue' is no colour: expected red, green, purple"),
        ("2 red dotted oval", "card", "'dotted' is no shading: expected solid, striped, open"),
        ("2 red solid star", "card", "'star' is no shape: expected oval, diamond, squiggle, rectangle"),
        ("2 red solid oval", "tile", "'2 red solid oval' is no tile"),
        ("wild", "card", "'wild' is no card"),
        ("", "die", "'' is no tile"),
        ("2 red oval", "coin", "'coin' is no kind of piece: expected card, tile, die"),
    ],
)
def test_an_error_quotes_the_text_and_says_what_is_expected(text: str, kind: str, quoted: str) -> None:
    with pytest.raises(UnknownTokenError) as caught:
        parse_piece(text, kind)
    assert quoted in str(caught.value)
    assert isinstance(caught.value, TokenError)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize("bar", [Shape.DIAMOND, Shape.RECTANGLE])
def test_a_deck_holds_81_different_cards_in_order(bar: Shape) -> None:
    deck = full_deck(bar)
    assert len(set(deck)) == 81
    assert {card.shape for card in deck} == {Shape.OVAL, bar, Shape.SQUIGGLE}
    assert [card.values for card in deck] == sorted(card.values for card in deck)


def test_the_tiles_are_27_different_ones_in_order() -> None:
    assert len(set(full_tiles())) == 27
    assert list(full_tiles()) == sorted(full_tiles())


@pytest.mark.parametrize("pieces", [full_deck(), full_deck(Shape.RECTANGLE), full_tiles()])
def test_the_features_of_a_deck_sum_to_zero(pieces: tuple[Card | Tile, ...]) -> None:
    """SET-5."""
    assert all(sum(column) % 3 == 0 for column in zip(*(piece.values for piece in pieces), strict=True))


def test_rectangle_and_diamond_share_a_value_and_keep_their_names() -> None:
    rectangle, diamond = Card.parse("1 red open rectangle"), Card.parse("1 red open diamond")
    assert rectangle.values == diamond.values
    assert rectangle != diamond


def test_a_wild_face_has_no_features() -> None:
    assert Face.parse("wild").is_wild
    assert Face.parse("wild").values is None
    assert Face.parse("3 green oval").values == Tile.parse("3 green oval").values
