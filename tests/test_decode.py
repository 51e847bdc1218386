"""One table decoded jointly: its deck, its single cards, what is in doubt, and the order in which it is read."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from engine.tokens import Card, Colour, Face, Number, Piece, Shading, Shape, Tile, full_deck
from vision.classify import Evidence
from vision.decode import DecodeConfig, Decoded, decode, recognise_deck
from vision.pixels import CROP_SIZE
from vision.types import Deck, Detection, Doubt, Image, Kind, Quad

Floats = npt.NDArray[np.float32]

INKS = {Colour.RED: (50, 40, 205), Colour.GREEN: (70, 150, 30), Colour.PURPLE: (130, 40, 100)}
SIZES = {"number": 3, "colour": 3, "shading": 3, "shape": 4}
FIRST = Card.parse("1 red solid oval")


def crop_of(card: Card | Tile) -> Image:
    """A crop with as many bars of the card's ink on white paper."""
    width, height = CROP_SIZE
    crop = np.full((height, width, 3), 228, np.uint8)
    thick = 3 if isinstance(card, Card) and card.shading is Shading.OPEN else -1
    for place in range(card.number.value + 1):
        middle = height // 2 + 40 * place - 20 * card.number.value
        cv2.rectangle(crop, (28, middle - 13), (84, middle + 13), INKS[card.colour], thick)
    return np.asarray(crop, np.uint8)


def spread(size: int, value: int, share: float, second: int | None = None) -> Floats:
    """(size,) log-probabilities: ``share`` for ``value``, nearly all of the rest for ``second`` if given."""
    rest = (1 - share) / (size - 1)
    shares = np.full(size, rest)
    if second is not None:
        shares[:] = (1 - share) * 0.01 / max(size - 2, 1)
        shares[second] = (1 - share) * 0.99
    shares[value] = share
    return np.asarray(np.log(shares), np.float32)


def evidence(
    card: Card | Tile = FIRST,
    at: tuple[float, float] = (100, 100),
    *,
    sure: float = 0.999,
    unsure: dict[str, tuple[float, int | None]] | None = None,
    kind: Kind = Kind.CARD,
    side: float = 60,
    readable: float = 0.99,
    score: float = 0.95,
    wild: float = 0.001,
    crop: Image | None = None,
    kind_score: float = 1.0,
    least: float | None = None,
) -> Evidence:
    """Evidence for ``card`` at a place; ``unsure`` maps a feature to the share of its value and the next likely one."""
    logs = {}
    for name, size in SIZES.items():
        share, second = (unsure or {}).get(name, (sure, None))
        value = getattr(card, name, Shading.SOLID).value
        logs[name] = spread(size, value, share, second)
    tall = side * (1.54 if kind is Kind.CARD else 1.0)
    box = np.array([[-side, -tall], [side, -tall], [side, tall], [-side, tall]]) / 2 + at
    found = Detection(Quad(box.astype(np.float32)), score, kind, kind_score)
    values = {name: getattr(card, name, Shading.SOLID).value for name in SIZES}
    worst = {name: logs[name] if least is None else spread(size, values[name], least) for name, size in SIZES.items()}
    return Evidence(found, logs, worst, readable, wild, crop_of(card) if crop is None else crop)


def table(cards: Sequence[Card], **changes: object) -> list[Evidence]:
    """The cards in rows of four."""
    return [evidence(card, (80 + 90 * (n % 4), 90 + 120 * (n // 4)), **changes) for n, card in enumerate(cards)]  # type: ignore[arg-type]


def names(decoded: Decoded) -> list[str]:
    """The names in reading order."""
    return [reading.name for reading in decoded.readings]


def doubts(decoded: Decoded) -> list[Doubt | None]:
    """The doubts in reading order."""
    return [reading.doubt for reading in decoded.readings]


def twelve(bar: Shape = Shape.DIAMOND) -> list[Card]:
    """Twelve different cards with all values of all features."""
    deck = full_deck(bar)
    return [deck[7 * n % 81] for n in range(12)]


# A table without doubt


@pytest.mark.parametrize(("deck", "bar"), [(Deck.US, Shape.DIAMOND), (Deck.RAVENSBURGER, Shape.RECTANGLE)])
def test_a_clear_table_is_read_as_it_is(deck: Deck, bar: Shape) -> None:
    cards = twelve(bar)
    decoded = decode(table(cards))
    assert names(decoded) == [str(card) for card in cards]
    assert decoded.deck is deck
    assert decoded.problems == ()
    assert doubts(decoded) == [None] * 12
    assert all(reading.confidence > 0.9 and reading.kind is Kind.CARD for reading in decoded.readings)


@pytest.mark.parametrize("bar", [Shape.DIAMOND, Shape.RECTANGLE])
def test_every_card_of_a_deck_is_named(bar: Shape) -> None:
    deck = full_deck(bar)
    for start in range(0, 81, 9):
        cards = [deck[(start + 10 * n) % 81] for n in range(9)]
        assert names(decode(table(cards))) == [str(card) for card in cards]


def test_the_features_carry_the_probability_of_what_the_name_says() -> None:
    cards = twelve()
    found = table(cards)
    found[0] = evidence(cards[0], (80, 90), unsure={"number": (0.9, None)})
    reading = decode(found).readings[0]
    assert list(reading.features) == ["number", "colour", "shading", "shape"]
    assert reading.features["number"] == pytest.approx(0.9, abs=1e-3)
    assert reading.features["shading"] > 0.99


def test_no_evidence_is_no_error() -> None:
    decoded = decode([])
    assert (decoded.readings, decoded.deck, decoded.problems) == ((), None, ())


def test_the_evidence_stays_as_it_was() -> None:
    found = table(twelve(Shape.RECTANGLE))
    before = [{name: logs.copy() for name, logs in item.logs.items()} for item in found]
    crops = [item.crop.copy() for item in found]
    decode(found)
    for item, logs, crop in zip(found, before, crops, strict=True):
        np.testing.assert_array_equal(item.crop, crop)
        for name, kept in logs.items():
            np.testing.assert_array_equal(item.logs[name], kept)


# The deck


def test_one_deck_lies_on_a_table() -> None:
    """The one card that looks like a rectangle among diamonds is a diamond."""
    cards = [card for card in full_deck() if card.shape is Shape.DIAMOND][:6]
    found = table(cards)
    found[2] = evidence(cards[2], (260, 90), unsure={"shape": (0.3, Shape.RECTANGLE.value)})
    decoded = decode(found)
    assert decoded.deck is Deck.US
    assert names(decoded) == [str(card) for card in cards]


def test_the_other_deck_has_no_diamond() -> None:
    cards = [card for card in full_deck(Shape.RECTANGLE) if card.shape is Shape.RECTANGLE][:6]
    found = table(cards)
    found[4] = evidence(cards[4], (80, 210), unsure={"shape": (0.35, Shape.DIAMOND.value)})
    decoded = decode(found)
    assert decoded.deck is Deck.RAVENSBURGER
    assert not any(Card.parse(name).shape is Shape.DIAMOND for name in names(decoded))


def test_ovals_do_not_tell_the_deck() -> None:
    ovals = [card for card in full_deck() if card.shape is Shape.OVAL][:5]
    assert decode(table(ovals)).deck is None
    assert recognise_deck([], 1.0) is None
    assert recognise_deck(table(ovals), 1.0) is None


def test_one_clear_bar_tells_the_deck() -> None:
    ovals = [card for card in full_deck() if card.shape is Shape.OVAL][:5]
    for word, deck in {"diamond": Deck.US, "rectangle": Deck.RAVENSBURGER}.items():
        assert recognise_deck(table([*ovals, Card.parse(f"1 green open {word}")]), 1.0) is deck


def test_two_decks_that_are_equally_likely_are_none() -> None:
    both = [Card.parse("1 red solid diamond"), Card.parse("2 red solid rectangle")]
    assert recognise_deck(table(both), 1.0) is None


def test_tiles_tell_no_deck() -> None:
    tiles = [evidence(Tile.parse("2 red diamond"), (100 + 80 * n, 100), kind=Kind.TILE) for n in range(4)]
    assert decode(tiles).deck is None


# The colours


def test_a_torn_colour_is_settled_by_the_inks_of_the_table() -> None:
    cards = twelve()
    place = next(n for n, card in enumerate(cards) if card.colour is Colour.RED)
    found = table(cards)
    torn = {"colour": (0.45, int(Colour.PURPLE.value))}
    x, y = found[place].detection.quad.centre.tolist()
    found[place] = evidence(cards[place], (x, y), unsure=torn)  # type: ignore[arg-type]
    assert names(decode(found)) == [str(card) for card in cards]


# Every card once


def test_a_duplicate_takes_its_next_likely_name() -> None:
    cards = twelve()[:5]
    found = table(cards)
    found.append(evidence(cards[0], (400, 300), unsure={"number": (0.6, Number.THREE.value)}))
    decoded = decode(found)
    second = Card(Number.THREE, cards[0].colour, cards[0].shading, cards[0].shape)
    assert names(decoded) == [*map(str, cards), str(second)]
    assert decoded.problems == ()
    assert decoded.readings[0].doubt is None
    assert decoded.readings[5].confidence < decoded.readings[0].confidence


def test_a_duplicate_named_by_its_second_choice_is_in_doubt() -> None:
    found = [evidence(FIRST), evidence(FIRST, (200, 100), unsure={"number": (0.7, Number.TWO.value)})]
    decoded = decode(found)
    assert names(decoded) == ["1 red solid oval", "2 red solid oval"]
    assert doubts(decoded) == [None, Doubt.LOW_CONFIDENCE]


def test_the_surer_of_two_keeps_the_name_wherever_it_lies() -> None:
    unsure = {"number": (0.7, int(Number.TWO.value))}
    decoded = decode([evidence(FIRST, unsure=unsure), evidence(FIRST, (200, 100))])  # type: ignore[arg-type]
    assert names(decoded) == ["2 red solid oval", "1 red solid oval"]


def test_a_duplicate_without_another_likely_name_is_reported() -> None:
    cards = twelve()[:4]
    sure = 0.999999
    found = [*table(cards, sure=sure), evidence(cards[1], (400, 300), sure=sure)]
    decoded = decode(found)
    assert names(decoded) == [*map(str, cards), str(cards[1])]
    (problem,) = decoded.problems
    assert problem.code == "duplicate"
    assert problem.pieces == (1, 4)
    assert str(cards[1]) in problem.text
    assert [n for n, doubt in enumerate(doubts(decoded)) if doubt is Doubt.DUPLICATE] == [1, 4]


def test_three_of_a_kind_are_one_problem() -> None:
    found = [evidence(FIRST, (100 + 90 * n, 100), sure=0.999999) for n in range(3)]
    decoded = decode(found)
    (problem,) = decoded.problems
    assert problem.pieces == (0, 1, 2)
    assert doubts(decoded) == [Doubt.DUPLICATE] * 3


def test_a_name_is_never_given_twice_silently() -> None:
    rng = np.random.default_rng(11)
    for _ in range(20):
        cards = [full_deck()[n] for n in rng.integers(0, 12, 9)]
        shares = rng.uniform(0.4, 0.999999, 9)
        found = [
            evidence(card, (90.0 * n, 100), sure=float(s))
            for n, (card, s) in enumerate(zip(cards, shares, strict=True))
        ]
        decoded = decode(found)
        reported = {piece for problem in decoded.problems for piece in problem.pieces}
        for one, other in itertools.combinations(range(9), 2):
            if decoded.readings[one].name == decoded.readings[other].name:
                assert {one, other} <= reported
                assert decoded.readings[one].doubt is decoded.readings[other].doubt is Doubt.DUPLICATE


def test_dice_may_show_the_same() -> None:
    found = [evidence(Tile.parse("2 red oval"), (100 + 90 * n, 100), kind=Kind.DIE, sure=0.999999) for n in range(3)]
    decoded = decode(found)
    assert names(decoded) == ["2 red oval"] * 3
    assert decoded.problems == ()
    assert doubts(decoded) == [None] * 3


# Doubt


def test_low_confidence_is_a_doubt_that_still_names_the_best() -> None:
    cards = twelve()[:6]
    found = table(cards)
    found[3] = evidence(cards[3], (350, 90), unsure={"shading": (0.5, None)})
    decoded = decode(found)
    assert names(decoded) == [str(card) for card in cards]
    assert doubts(decoded) == [None, None, None, Doubt.LOW_CONFIDENCE, None, None]


def test_doubt_about_a_small_piece_says_so() -> None:
    found = [evidence(FIRST, side=14, unsure={"shading": (0.5, None)})]
    assert doubts(decode(found)) == [Doubt.TOO_SMALL]
    assert doubts(decode([evidence(FIRST, side=14)])) == [None]


def test_doubt_under_a_highlight_says_so() -> None:
    dull = (crop_of(FIRST) * 0.6).astype(np.uint8)
    dull[40:130, 20:70] = 255
    unsure = {"shading": (0.5, None)}
    assert doubts(decode([evidence(FIRST, unsure=unsure, crop=dull)])) == [Doubt.GLARE]  # type: ignore[arg-type]
    white = np.full_like(dull, 255)
    found = [evidence(FIRST, unsure=unsure, crop=white), evidence(Card.parse("2 green solid oval"), (400, 100))]  # type: ignore[arg-type]
    assert doubts(decode(found)) == [Doubt.LOW_CONFIDENCE, None]


@pytest.mark.parametrize("feature", ["number", "shading", "shape"])
def test_confidence_rises_with_the_probability_of_each_feature(feature: str) -> None:
    shares = [0.4, 0.5, 0.7, 0.9, 0.97, 0.99, 0.999, 0.99999]
    decoded = [decode([evidence(FIRST, unsure={feature: (share, None)})]).readings[0] for share in shares]
    confidences = [reading.confidence for reading in decoded]
    assert {reading.name for reading in decoded} == {"1 red solid oval"}
    assert all(one < other for one, other in itertools.pairwise(confidences))
    assert 0 < confidences[0] < 0.7
    assert confidences[-1] <= 1


def test_doubts_in_two_features_add_up() -> None:
    one = decode([evidence(FIRST, unsure={"number": (0.8, None)})]).readings[0]
    two = decode([evidence(FIRST, unsure={"number": (0.8, None), "shape": (0.8, None)})]).readings[0]
    assert two.confidence < one.confidence


def test_certainty_beyond_what_floats_hold_is_a_confidence_all_the_same() -> None:
    item = evidence(FIRST)
    for name, logs in item.logs.items():
        logs[:] = -200
        logs[getattr(FIRST, name).value] = 0
    assert 0.99 < decode([item]).readings[0].confidence <= 1


# Tiles and dice


def test_a_tile_has_no_shading() -> None:
    reading = decode([evidence(Tile.parse("3 green squiggle"), kind=Kind.TILE)]).readings[0]
    assert reading.piece == Tile.parse("3 green squiggle")
    assert reading.name == "3 green squiggle"
    assert list(reading.features) == ["number", "colour", "shape"]


@pytest.mark.parametrize("kind", [Kind.TILE, Kind.DIE])
def test_tiles_and_dice_have_diamonds_whatever_the_cards_have(kind: Kind) -> None:
    card = evidence(Card.parse("1 green solid rectangle"))
    leaning = {"shape": (0.3, int(Shape.RECTANGLE.value))}
    other = evidence(Tile.parse("2 red diamond"), (300, 100), kind=kind, unsure=leaning)  # type: ignore[arg-type]
    decoded = decode([card, other])
    assert decoded.deck is Deck.RAVENSBURGER
    assert names(decoded) == ["1 green solid rectangle", "2 red diamond"]


@pytest.mark.parametrize(("wild", "piece"), [(0.01, Face(Tile.parse("2 purple oval"))), (0.99, Face(None))])
def test_a_die_is_a_face_or_wild(wild: float, piece: Piece) -> None:
    reading = decode([evidence(Tile.parse("2 purple oval"), kind=Kind.DIE, wild=wild)]).readings[0]
    assert reading.piece == piece
    assert reading.kind is Kind.DIE
    assert "shading" not in reading.features


def test_a_wild_face_is_as_sure_as_the_network_is_that_it_is_wild() -> None:
    """No symbol is printed on it, so what the features say does not count."""
    nothing = {name: (1 / size, None) for name, size in SIZES.items()}
    sure, less = (
        decode([evidence(Tile.parse("1 red oval"), kind=Kind.DIE, wild=wild, unsure=nothing)]).readings[0]  # type: ignore[arg-type]
        for wild in (0.995, 0.6)
    )
    assert (sure.name, sure.doubt, dict(sure.features)) == ("wild", None, {})
    assert sure.confidence > less.confidence
    assert (less.name, less.doubt) == ("wild", Doubt.LOW_CONFIDENCE)


@pytest.mark.parametrize("kind", [Kind.TILE, Kind.DIE])
def test_doubt_about_a_shading_that_is_not_named_does_not_count(kind: Kind) -> None:
    decoded = decode([evidence(Tile.parse("1 red oval"), kind=kind, unsure={"shading": (0.4, None)})])
    assert doubts(decoded) == [None]


def test_a_card_or_a_tile_is_never_wild() -> None:
    assert decode([evidence(FIRST, wild=0.99)]).readings[0].name == "1 red solid oval"
    tile = evidence(Tile.parse("1 red oval"), kind=Kind.TILE, wild=0.99)
    assert decode([tile]).readings[0].name == "1 red oval"


# The order


def test_pieces_are_read_in_rows_from_the_top_left() -> None:
    rng = np.random.default_rng(7)
    cards = twelve()
    places = [
        (100 + 100 * (n % 4) + rng.uniform(-9, 9), 100 + 130 * (n // 4) + rng.uniform(-12, 12)) for n in range(12)
    ]
    found = [evidence(card, place) for card, place in zip(cards, places, strict=True)]
    shuffled = [found[int(n)] for n in rng.permutation(12)]
    assert names(decode(shuffled)) == [str(card) for card in cards]


def test_problems_count_pieces_in_that_order() -> None:
    cards = twelve()[:3]
    found = [evidence(card, (300 - 90 * n, 100), sure=0.999999) for n, card in enumerate([*cards, cards[0]])]
    decoded = decode(found)
    assert names(decoded) == [str(card) for card in [cards[0], cards[2], cards[1], cards[0]]]
    assert decoded.problems[0].pieces == (0, 3)


def test_a_picture_without_colours_leaves_every_piece_in_doubt() -> None:
    cards = twelve()
    grey = [np.repeat(crop_of(card).min(axis=2, keepdims=True), 3, axis=2) for card in cards]
    found = [
        evidence(card, (80 + 90 * n, 90), crop=crop) for n, (card, crop) in enumerate(zip(cards, grey, strict=True))
    ]
    decoded = decode(found)
    assert {reading.doubt for reading in decoded.readings} == {Doubt.NO_COLOUR}
    assert [problem.code for problem in decoded.problems] == ["no-colours"]
    assert decoded.problems[0].pieces == tuple(range(len(cards)))
    assert max(reading.confidence for reading in decoded.readings) < 0.5
    assert [(r.piece.number, r.piece.shape) for r in decoded.readings] == [(c.number, c.shape) for c in cards]  # type: ignore[union-attr]


def test_one_coloured_piece_makes_a_picture_in_colour() -> None:
    cards = twelve()
    grey = [np.repeat(crop_of(card).min(axis=2, keepdims=True), 3, axis=2) for card in cards]
    found = [
        evidence(card, (80 + 90 * n, 90), crop=crop) for n, (card, crop) in enumerate(zip(cards, grey, strict=True))
    ]
    found[3] = evidence(cards[3], (80 + 90 * 3, 90))
    assert decode(found).problems == ()


# Kinds of a table, and the look that speaks most against a name


def test_a_piece_whose_kind_is_unsure_is_what_the_others_are() -> None:
    found = table(twelve())
    odd = replace(found[5], detection=replace(found[5].detection, kind=Kind.TILE, kind_score=0.6))
    kinds = {reading.kind for reading in decode([*found[:5], odd, *found[6:]]).readings}
    assert kinds == {Kind.CARD}
    sure = replace(odd, detection=replace(odd.detection, kind_score=0.999))
    assert Kind.TILE in {reading.kind for reading in decode([*found[:5], sure, *found[6:]]).readings}


def test_an_unsure_card_among_dice_is_a_die() -> None:
    dice = [evidence(Tile.parse("2 red oval"), (100 + 90 * n, 100), kind=Kind.DIE) for n in range(5)]
    card = evidence(FIRST, (600, 100), kind_score=0.6)
    assert {reading.kind for reading in decode([*dice, card]).readings} == {Kind.DIE}


def test_an_unsure_kind_stays_when_nothing_else_tells() -> None:
    alone = evidence(Tile.parse("2 red oval"), kind=Kind.TILE, kind_score=0.6)
    assert decode([alone]).readings[0].kind is Kind.TILE


def test_doubt_about_the_kind_is_doubt_about_the_name() -> None:
    sure, unsure = (decode([evidence(FIRST, kind_score=share)]).readings[0] for share in (1.0, 0.5))
    assert unsure.confidence < 0.6 < sure.confidence
    assert unsure.doubt is Doubt.LOW_CONFIDENCE


def test_one_look_that_disagrees_costs_confidence() -> None:
    config = DecodeConfig(whole=0.4, least=0.6)
    agreed, torn = (decode([evidence(FIRST, least=least)], config).readings[0] for least in (None, 0.3))
    assert agreed.name == torn.name == str(FIRST)
    assert torn.confidence < 0.6 < agreed.confidence
    assert torn.doubt is not None


def test_a_colour_that_the_table_decides_against_the_piece_is_in_doubt() -> None:
    """The clusters of ink may be right: but the piece itself was read otherwise, and that is worth a look."""
    cards = twelve()
    found = table(cards)
    odd = evidence(cards[3], unsure={"colour": (0.3, (cards[3].colour.value + 1) % 3)})
    decoded = decode([*found[:3], odd, *found[4:]], DecodeConfig(doubt=0.8))
    reading = next(r for r in decoded.readings if np.allclose(r.quad.centre, odd.detection.quad.centre))
    assert reading.doubt is not None


# What the picture does not show whole


@pytest.mark.parametrize(("x", "cut"), [(29.5, True), (31.0, True), (60.0, False)])
def test_what_the_border_may_cut_is_in_doubt(x: float, cut: bool) -> None:
    reading = decode([evidence(FIRST, (x, 200))], size=(640, 480)).readings[0]
    assert (reading.doubt is Doubt.CUT_OFF) == cut
    assert reading.name == str(FIRST)


def test_the_other_border_cuts_too_and_a_corner_on_it_does_not() -> None:
    assert decode([evidence(FIRST, (610, 200))], size=(640, 480)).readings[0].doubt is Doubt.CUT_OFF
    found = evidence(FIRST, (45, 200))
    turned = found.detection.quad.corners + np.array([[-15, 0], [0, -20], [15, 0], [0, 20]], np.float32)
    corner = replace(found, detection=replace(found.detection, quad=Quad(turned)))
    assert decode([corner], size=(640, 480)).readings[0].doubt is None


def test_thin_print_on_clipped_paper_is_in_doubt() -> None:
    thin, solid = (next(c for c in full_deck() if c.shading is shading) for shading in (Shading.OPEN, Shading.SOLID))
    for card, doubt in ((thin, Doubt.OVEREXPOSED), (solid, None)):
        crop = crop_of(card).copy()
        crop[crop.min(axis=2) > 150] = 255
        assert decode([evidence(card, crop=crop)]).readings[0].doubt is doubt


def test_tiles_that_read_alike_are_in_doubt() -> None:
    twins = [evidence(Tile.parse("1 red diamond"), (100 + 90 * n, 100), kind=Kind.TILE) for n in range(3)]
    other = evidence(Tile.parse("2 green oval"), (500, 100), kind=Kind.TILE)
    decoded = decode([*twins, other])
    assert doubts(decoded) == [Doubt.DUPLICATE] * 3 + [None]
    assert [problem.pieces for problem in decoded.problems] == [(0, 1, 2)]
