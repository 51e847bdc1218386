"""SETs: against the words of SET-1, the counts of SET-4, and the sentences of SET-3."""

from collections.abc import Sequence
from itertools import combinations, product
from typing import TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.editions import WildPieceError, edition
from engine.labels import Language
from engine.sets import (
    Agreement,
    Explanation,
    MixedKindsError,
    code,
    count_sets,
    explain,
    find_sets,
    is_set,
    third,
)
from engine.tokens import Card, Colour, Face, Number, Piece, Shading, Shape, Tile, TokenError, full_deck, full_tiles
from tests.games import TWENTY

DECK, TILES = full_deck(), full_tiles()
CARDS, SHOWN_FACES = st.sampled_from(DECK), st.sampled_from([Face(tile) for tile in TILES])
MIXED_DECKS = st.sampled_from([*DECK, *full_deck(Shape.RECTANGLE)])

STEADY = settings(derandomize=True, deadline=None)


def by_the_rule(a: Piece, b: Piece, c: Piece) -> bool:
    """SET-1, word by word of the names (of one printed deck)."""
    return all(len(set(words)) != 2 for words in zip(*(str(piece).split() for piece in (a, b, c)), strict=True))


def by_three_loops(pieces: Sequence[Piece]) -> list[tuple[int, int, int]]:
    return [places for places in combinations(range(len(pieces)), 3) if by_the_rule(*(pieces[p] for p in places))]


def cards(*names: str) -> list[Card]:
    return [Card.parse(name) for name in names]


def why(*names: str, game: str = "classic") -> Explanation:
    a, b, c = cards(*names)
    return explain(a, b, c, edition(game))


@pytest.mark.parametrize("pieces", [DECK, full_deck(Shape.RECTANGLE), TILES, tuple(map(Face, TILES))])
def test_a_code_is_the_place_in_the_deck(pieces: tuple[Piece, ...]) -> None:
    assert [code(piece) for piece in pieces] == list(range(len(pieces)))


@STEADY
@given(a=CARDS, b=CARDS, c=CARDS)
def test_set_1_is_set_follows_the_rule(a: Card, b: Card, c: Card) -> None:
    assert is_set(a, b, c) is by_the_rule(a, b, c)
    assert is_set(a, b, third(a, b))


def test_set_1_is_set_follows_the_rule_on_every_triple_of_tiles() -> None:
    assert all(is_set(*triple) is by_the_rule(*triple) for triple in product(TILES, repeat=3))


ORDERS = st.permutations(range(3))
SHAPES = (Shape.OVAL, Shape.DIAMOND, Shape.SQUIGGLE)


@settings(STEADY, max_examples=20)
@given(number=ORDERS, colour=ORDERS, shading=ORDERS, shape=ORDERS)
def test_set_1_any_relabelling_of_values_keeps_every_set(
    number: list[int], colour: list[int], shading: list[int], shape: list[int]
) -> None:
    def relabelled(card: Card) -> Card:
        return Card(
            Number(number[card.number]),
            Colour(colour[card.colour]),
            Shading(shading[card.shading]),
            SHAPES[shape[card.shape]],
        )

    def tile(card: Card) -> Tile:
        return Tile(card.number, card.colour, card.shape)

    new = {card: relabelled(card) for card in DECK}
    assert set(new.values()) == set(DECK)
    for a, b in combinations(DECK, 2):
        last = third(a, b)
        assert is_set(new[a], new[b], new[last])
    # What is no SET stays none: the 1,080 SETs go to 1,080 different ones, and there are no more.
    flat = {tile(card): tile(new[card]) for card in DECK if card.shading is Shading.SOLID}
    for a_tile, b_tile, c_tile in combinations(TILES, 3):
        assert is_set(a_tile, b_tile, c_tile) is is_set(flat[a_tile], flat[b_tile], flat[c_tile])


@pytest.mark.parametrize("pieces", [DECK, full_deck(Shape.RECTANGLE)])
def test_set_2_exactly_one_card_completes_any_two(pieces: tuple[Card, ...]) -> None:
    """SET-2."""
    bar = pieces[1].shape
    for a, b in combinations(pieces, 2):
        last = third(a, b, bar)
        assert last in pieces
        assert by_the_rule(a, b, last)
        assert last not in (a, b)
    first, second = pieces[0], pieces[40]
    assert [c for c in pieces if by_the_rule(first, second, c)] == [third(first, second, bar)]


def test_set_2_exactly_one_tile_and_one_face_complete_any_two() -> None:
    for a, b in combinations(TILES, 2):
        assert [c for c in TILES if by_the_rule(a, b, c)] == [third(a, b)]
        assert third(Face(a), Face(b)) == Face(third(a, b))


@pytest.mark.parametrize(
    ("first", "second", "last"),
    [
        ("1 red solid rectangle", "2 red solid rectangle", "3 red solid rectangle"),
        ("1 red solid rectangle", "1 red solid oval", "1 red solid squiggle"),
        ("1 red solid diamond", "2 green open diamond", "3 purple striped diamond"),
        ("2 red solid rectangle", "2 red solid rectangle", "2 red solid rectangle"),
    ],
)
def test_third_keeps_the_shapes_of_the_deck(first: str, second: str, last: str) -> None:
    a, b = cards(first, second)
    assert str(third(a, b)) == last


def test_third_asks_which_deck_only_when_the_cards_do_not_tell() -> None:
    oval, squiggle = cards("1 red solid oval", "1 red solid squiggle")
    assert third(oval, squiggle).shape is Shape.DIAMOND
    assert third(oval, squiggle, Shape.RECTANGLE).shape is Shape.RECTANGLE


@pytest.mark.parametrize(("pieces", "count"), [(DECK, 1080), (full_deck(Shape.RECTANGLE), 1080), (TILES, 117)])
def test_set_4_the_decks_hold_as_many_sets_as_the_rules_say(pieces: tuple[Piece, ...], count: int) -> None:
    """SET-4, and that every SET sums to 0 (SET-5)."""
    found = find_sets(pieces)
    assert len(found) == len(set(found)) == count_sets(pieces) == count
    assert found == sorted(found)
    for places in found:
        values = [pieces[place].values or () for place in places]
        assert all(sum(column) % 3 == 0 for column in zip(*values, strict=True))


@STEADY
@given(table=st.lists(CARDS, max_size=24))
def test_find_sets_agrees_with_three_loops(table: list[Card]) -> None:
    assert find_sets(table) == by_three_loops(table)


@STEADY
@given(table=st.lists(CARDS, max_size=24, unique=True))
def test_find_sets_agrees_with_three_loops_when_all_differ(table: list[Card]) -> None:
    assert find_sets(table) == by_three_loops(table)


@STEADY
@given(table=st.lists(SHOWN_FACES, max_size=16))
def test_find_sets_agrees_with_three_loops_on_dice(table: list[Face]) -> None:
    assert find_sets(table) == by_three_loops(table)


@STEADY
@given(table=st.lists(MIXED_DECKS, max_size=16))
def test_a_rectangle_counts_as_a_diamond(table: list[Card]) -> None:
    one_deck = [Card.parse(str(card).replace("rectangle", "diamond")) for card in table]
    assert find_sets(table) == find_sets(one_deck)


def test_copies_of_a_card_keep_their_own_places() -> None:
    a, b, c = cards("1 red solid oval", "2 red solid oval", "3 red solid oval")
    assert find_sets([a, a, b, c]) == [(0, 2, 3), (1, 2, 3)]
    assert find_sets([a, b, a, a]) == [(0, 2, 3)]
    assert find_sets([b] * 40) == list(combinations(range(40), 3))


@pytest.mark.parametrize("table", [[], [DECK[0]], list(DECK[:2])])
def test_fewer_than_three_pieces_hold_no_set(table: list[Card]) -> None:
    assert find_sets(table) == []


def test_kinds_do_not_mix() -> None:
    card, tile = DECK[5], TILES[5]
    for call in (lambda: find_sets([card, tile]), lambda: is_set(card, tile, card), lambda: third(card, tile)):  # type: ignore[call-overload]
        with pytest.raises(MixedKindsError, match=r"one kind: got a card \('.*'\) and a tile \('.*'\)"):
            call()
    with pytest.raises(TokenError):
        explain(card, card, tile, edition("classic"))
    assert issubclass(MixedKindsError, ValueError)


def test_a_wild_face_is_refused() -> None:
    wild, face = Face.parse("wild"), Face(TILES[0])
    for call in (
        lambda: is_set(face, face, wild),
        lambda: third(wild, face),
        lambda: explain(face, wild, face, edition("cubed")),
    ):
        with pytest.raises(WildPieceError, match="'wild' shows no features"):
            call()
    with pytest.raises(WildPieceError):
        code(wild)


def test_a_wild_face_makes_a_set_with_any_two_others() -> None:
    wild = Face.parse("wild")
    table = [Face(TILES[0]), wild, Face(TILES[1]), Face(TILES[3]), Face(TILES[2])]
    assert find_sets(table) == [trio for trio in combinations(range(5), 3) if 1 in trio or trio == (0, 2, 4)]
    assert find_sets([wild, wild, wild]) == [(0, 1, 2)]
    assert find_sets([wild, Face(TILES[0])]) == []
    with pytest.raises(MixedKindsError):
        find_sets([wild, TILES[0]])


def test_set_3_a_refusal_names_the_feature_the_two_and_the_one() -> None:
    """SET-3."""
    verdict = why("1 red solid oval", "2 red striped diamond", "3 green open squiggle")
    assert not verdict.is_set
    assert verdict.clause == "SET-3"
    assert verdict.lines == (
        "Number: all different (one, two, three)",
        "Colour: two are red and one is green",
        "Shading: all different (solid, striped, open)",
        "Shape: all different (oval, diamond, squiggle)",
    )
    assert verdict.text == "Not a SET: in colour two are red and one is green."


def test_set_3_a_set_names_each_feature() -> None:
    """SET-3."""
    verdict = why("2 red solid diamond", "2 purple solid squiggle", "2 green solid oval")
    assert verdict.is_set
    assert verdict.clause == "SET-1"
    assert verdict.text == (
        "A SET: number all the same (two); colour all different (red, green, purple); "
        "shading all the same (solid); shape all different (oval, diamond, squiggle)."
    )


def test_set_3_every_broken_feature_is_named_in_the_edition_s_words() -> None:
    verdict = why("1 red solid oval", "2 green striped rectangle", "1 red solid rectangle", game="ravensburger")
    assert verdict.text == (
        "Not a SET: in number two are ones and one is a two; in colour two are red and one is turquoise; "
        "in filling two are full and one is half; in shape two are bars and one is an oval."
    )


def test_tiles_are_explained_without_shading() -> None:
    """The third example of the Junior rulebook."""
    wave, one, three = (Tile.parse(name) for name in ("1 red squiggle", "1 purple diamond", "3 green diamond"))
    assert explain(wave, one, three, edition("junior-1")).lines == (
        "Number: two are ones and one is a three",
        "Colour: all different (red, green, purple)",
        "Shape: two are diamonds and one is a wave",
    )


def test_two_printed_decks_are_explained_as_they_look() -> None:
    verdict = why("1 red solid rectangle", "2 green solid diamond", "3 purple open rectangle")
    assert verdict.lines[3] == "Shape: all the same (diamond or rectangle)"
    verdict = why("1 red solid rectangle", "2 green solid diamond", "3 purple open oval")
    assert verdict.lines[3] == "Shape: two are diamonds or rectangles and one is an oval"


NBSP = "\N{NO-BREAK SPACE}"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        (
            Language.ENGLISH,
            "Not a SET: in colour two are red and one is green; in shape two are ovals and one is a diamond.",
        ),
        (Language.GERMAN, "Kein SET: Farbe: zweimal rot, einmal grün; Form: zweimal Oval, einmal Raute."),
        (
            Language.FRENCH,
            "Pas un SET : Couleur : deux fois rouge, une fois vert ; Forme : deux fois ovale, une fois losange.",
        ),
        (
            Language.CZECH,
            "Není to SET: Barva: dvakrát červená, jednou zelená; Tvar: dvakrát ovál, jednou kosočtverec.",
        ),
    ],
)
def test_set_3_a_refusal_speaks_every_language(language: Language, text: str) -> None:
    """SET-3."""
    a, b, c = cards("1 red solid oval", "1 red solid diamond", "1 green solid oval")
    verdict = explain(a, b, c, edition("classic"), language)
    assert verdict.text.replace(NBSP, " ") == text
    assert (NBSP in verdict.text) is (language is Language.FRENCH)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        (
            Language.GERMAN,
            "Ein SET: Anzahl: alle gleich (zwei); Farbe: alle verschieden (rot, türkis, lila); "
            "Füllung: alle gleich (halbvoll); Form: alle verschieden (Oval, Balken, Welle).",
        ),
        (
            Language.FRENCH,
            "Un SET : Nombre : le même partout (deux) ; Couleur : différente partout (rouge, turquoise, violet) ; "
            "Remplissage : le même partout (demi-plein) ; Forme : différente partout (ovale, barre, vague).",
        ),
        (
            Language.CZECH,
            "SET: Množství: všude stejné (dvě); Barva: všude jiná (červená, tyrkysová, fialová); "
            "Výplň: všude stejná (poloviční); Tvar: všude jiný (ovál, pruh, vlnka).",
        ),
    ],
)
def test_set_3_a_set_speaks_every_language(language: Language, text: str) -> None:
    """SET-3."""
    a, b, c = cards("2 red striped oval", "2 green striped rectangle", "2 purple striped squiggle")
    assert explain(a, b, c, edition("ravensburger"), language).text.replace(NBSP, " ") == text


def test_two_printed_decks_are_told_apart_in_other_languages() -> None:
    a, b, c = cards("1 red solid rectangle", "2 green solid diamond", "3 purple open oval")
    verdict = explain(a, b, c, edition("classic"), Language.GERMAN)
    assert verdict.lines[3] == "Form: zweimal Raute oder Rechteck, einmal Oval"


@STEADY
@given(a=MIXED_DECKS, b=MIXED_DECKS, c=MIXED_DECKS)
def test_explanation_and_test_agree_whatever_the_order(a: Card, b: Card, c: Card) -> None:
    verdict = explain(a, b, c, edition("classic"))
    assert verdict.is_set is is_set(a, b, c)
    assert verdict.lines == explain(c, a, b, edition("classic")).lines
    assert len([check for check in verdict.checks if check.agreement is Agreement.BROKEN]) == verdict.text.count(
        " two are "
    )


Shown = TypeVar("Shown", Card, Tile)


def clearing(pieces: Sequence[Shown]) -> list[list[int]]:
    """Return masks: the one at [a][b] keeps every bit but that of the piece that makes a SET with a and b."""
    return [[~(1 << code(third(a, b))) for b in pieces] for a in pieces]


def no_set_hands(clear: list[list[int]], hand: list[int], allowed: int, more: int) -> int:
    """Count the ways to add ``more`` pieces of ``allowed`` (a bit mask), in ascending order, without a SET."""
    if more == 1:
        return allowed.bit_count()
    ways = 0
    while allowed:
        card = (allowed & -allowed).bit_length() - 1
        allowed &= allowed - 1
        rest, row = allowed, clear[card]
        for other in hand:
            rest &= row[other]
        ways += no_set_hands(clear, [*hand, card], rest, more - 1) if rest else 0
    return ways


@pytest.mark.parametrize(
    ("size", "count"),
    [(3, 2808), (4, 14_742), (5, 50_544), (6, 107_406), (7, 126_360), (8, 63_180), (9, 2106), (10, 0)],
)
def test_set_4_no_set_hands_of_the_27_are_as_many_as_the_rules_say(size: int, count: int) -> None:
    """SET-4, every hand counted."""
    assert no_set_hands(clearing(TILES), [], (1 << 27) - 1, size) == count


def test_shifting_a_feature_keeps_every_set() -> None:
    """Shifts lead every card to any other, so that all cards are in equally many hands."""
    for feature in range(4):
        step = 3**feature
        shift = [card + step * ((card // step + 1) % 3 - card // step % 3) for card in range(81)]
        assert sorted(shift) == list(range(81))
        for a, b in combinations(range(81), 2):
            assert code(third(DECK[shift[a]], DECK[shift[b]])) == shift[code(third(DECK[a], DECK[b]))]


@pytest.mark.parametrize(
    ("size", "count"),
    [(3, 84_240), (4, 1_579_500), (5, 22_441_536), pytest.param(6, 247_615_056, marks=pytest.mark.slow)],
)
def test_set_4_no_set_hands_of_the_81_are_as_many_as_the_rules_say(size: int, count: int) -> None:
    """SET-4, every hand counted."""
    assert no_set_hands(clearing(DECK), [], (1 << 81) - 1, size) == count


@pytest.mark.parametrize(("size", "count"), [(3, 84_240), (4, 1_579_500), (5, 22_441_536), (6, 247_615_056)])
def test_set_4_as_many_no_set_hands_hold_the_first_card_as_any_other(size: int, count: int) -> None:
    """SET-4 once more: by the shifts every card is in equally many hands."""
    through_the_first = no_set_hands(clearing(DECK), [0], (1 << 81) - 2, size - 1)
    assert through_the_first * 81 == count * size


def test_set_4_twenty_cards_without_a_set_cannot_be_extended() -> None:
    """SET-4: such a hand of 20 exists and every further card makes a SET.

    That *no* hand of 21 exists is a theorem (Pellegrino, 1971); it is not proved here.
    """
    hand = [DECK[place] for place in TWENTY]
    assert len(set(hand)) == 20
    assert by_three_loops(hand) == []
    assert all(count_sets([*hand, card]) > 0 for card in DECK if card not in hand)
