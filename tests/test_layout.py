"""Layouts: their text form, their order, and what is no layout."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.layout import Layout, LayoutError, Spot
from engine.tokens import Card, Face, Piece, Shape, Tile, UnknownTokenError, full_deck, full_tiles

OVAL, WAVE = Tile.parse("2 red oval"), Tile.parse("1 green squiggle")
WILD = Face.parse("wild")

KINDS: tuple[tuple[Piece, ...], ...] = (
    (*full_deck(), *full_deck(Shape.RECTANGLE)),
    full_tiles(),
    (*map(Face, full_tiles()), WILD),
)
NUMBERS = st.integers(0, 10**9 - 1)
SPOTS: st.SearchStrategy[Spot] = st.one_of(NUMBERS, st.tuples(NUMBERS, NUMBERS), st.tuples(NUMBERS, NUMBERS, NUMBERS))
LAYOUTS = st.sampled_from(KINDS).flatmap(lambda kind: st.dictionaries(SPOTS, st.sampled_from(kind), max_size=12))


@given(LAYOUTS)
def test_text_and_parse_are_inverses(pieces: dict[Spot, Piece]) -> None:
    layout = Layout.of(pieces)
    assert Layout.parse(str(layout)) == layout
    assert "\n" not in str(layout)
    assert dict(layout) == pieces


@pytest.mark.parametrize(
    "text",
    [
        "empty",
        "card 0=2 red striped diamond, 1=1 green open rectangle",
        "tile 2.0.1=3 red oval",
        "die 7=1 red oval, 6.5=2 red oval, 6.6=wild",
    ],
)
def test_parse_and_text_are_inverses(text: str) -> None:
    assert str(Layout.parse(text)) == text


def test_order_and_hash_do_not_depend_on_how_it_was_made() -> None:
    one, other = Layout((((0, 1), OVAL), (3, WAVE))), Layout(((3, WAVE), ((0, 1), OVAL)))
    assert one == other
    assert hash(one) == hash(other)
    assert list(one) == [3, (0, 1)]
    assert one != Layout.of({3: WAVE})


def test_a_row_is_numbered_from_0() -> None:
    assert Layout.row([OVAL, WAVE]) == Layout.of({0: OVAL, 1: WAVE})
    assert len(Layout.row([OVAL, OVAL])) == 2


def test_a_place_without_a_piece_is_a_missing_key() -> None:
    layout = Layout.row([OVAL])
    assert layout[0] == OVAL
    assert layout.get((0, 0)) is None
    with pytest.raises(KeyError, match="7"):
        layout[7]


@pytest.mark.parametrize("spot", [-1, (1,), (1, 2, 3, 4), (), (0, -1), True, "0", 0.5, [0, 1]])
def test_what_is_no_place_is_refused(spot: object) -> None:
    with pytest.raises(LayoutError, match="a place is"):
        Layout(((spot, OVAL),))  # type: ignore[arg-type]


def test_what_is_no_piece_is_refused() -> None:
    with pytest.raises(LayoutError, match="'2 red oval'"):
        Layout(((0, "2 red oval"),))  # type: ignore[arg-type]


def test_two_pieces_on_one_place_are_refused() -> None:
    with pytest.raises(LayoutError, match=r"two on \(0, 1\)"):
        Layout((((0, 1), OVAL), ((0, 1), OVAL)))


def test_pieces_of_two_kinds_are_refused() -> None:
    with pytest.raises(LayoutError, match="card and die"):
        Layout.row([Card.parse("1 red solid oval"), WILD])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "card",
        "tile 0",
        "tile x=2 red oval",
        "tile 0.=2 red oval",
        "tile ²=2 red oval",
        f"tile {'9' * 5000}=2 red oval",
    ],
)
def test_a_text_that_is_no_layout_is_quoted(text: str) -> None:
    with pytest.raises(LayoutError, match="PLACE=PIECE"):
        Layout.parse(text)


@pytest.mark.parametrize("text", ["tile 0=wild", "coin 0=2 red oval", "card 0=2 red oval", "empty 0=2 red oval"])
def test_a_piece_or_kind_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(UnknownTokenError):
        Layout.parse(text)


def test_a_place_twice_in_a_text_is_refused() -> None:
    with pytest.raises(LayoutError, match="one piece"):
        Layout.parse("tile 0=2 red oval, 0=1 red oval")
