"""The drawn faces: right ink, right number, right filling, right shape, and the same for the same seed."""

from dataclasses import replace
from itertools import combinations

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from datasets.art import (
    Art,
    ArtSizeError,
    CardStyle,
    Distractor,
    WildLook,
    WildStyle,
    draw_back,
    draw_card,
    draw_distractor,
    draw_face,
    draw_tile,
    random_face_style,
    random_style,
    random_tile_style,
)
from datasets.canvas import Canvas
from datasets.symbols import inset, outline, speckle, stripes, symbol_size
from engine.tokens import Card, Colour, Face, Shading, Shape, Tile, full_deck, full_tiles
from vision.types import Deck, Image

BARS = {Deck.US: Shape.DIAMOND, Deck.RAVENSBURGER: Shape.RECTANGLE}
EVERY_CARD = [(deck, card) for deck, bar in BARS.items() for card in full_deck(bar)]

Mask = npt.NDArray[np.bool_]


def ink_of(art: Art) -> Mask:
    """Where there is ink: clearly another colour than the paper, which is the median."""
    image = art.image.astype(float)
    paper = np.median(image.reshape(-1, 3), axis=0)
    return np.asarray(np.linalg.norm(image - paper, axis=2) > 70)


def blobs_of(mask: Mask) -> int:
    """How many separate patches of ink there are, a half filling taken as filled."""
    closed = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(closed)
    return int((stats[1:, cv2.CC_STAT_AREA] > 20).sum()) if count > 1 else 0


def clean(deck: Deck, seed: int = 0) -> CardStyle:
    """Some style of ``deck`` without wear or marks."""
    return replace(random_style(np.random.default_rng(seed), deck), wear=0.0, hand_marks=0.0)


def coverage(card: Card, style: CardStyle) -> float:
    return float(ink_of(draw_card(card, style, np.random.default_rng(1), 5.0)).mean())


@pytest.mark.parametrize(("deck", "card"), EVERY_CARD, ids=lambda value: str(value))
def test_card_shows_its_number_in_its_ink_inside_the_border(deck: Deck, card: Card) -> None:
    style = clean(deck, seed=card.values[3])
    art = draw_card(card, style, np.random.default_rng(2))
    ink = ink_of(art)
    assert blobs_of(ink) == card.number.value + 1
    rows, columns = np.nonzero(ink)
    margin = 2.0 * art.image.shape[1] / art.size_mm[0]
    assert min(rows.min(), columns.min()) > margin
    assert rows.max() < ink.shape[0] - margin
    assert columns.max() < ink.shape[1] - margin
    strong = np.median(art.image[cv2.erode(ink.astype(np.uint8), np.ones((2, 2), np.uint8)) > 0], axis=0)
    # a thin or half-covered line is the ink mixed with paper: compare directions away from the paper
    paper = np.array(style.paper, float)
    away = strong - paper
    inks = np.array(style.inks) - paper
    likeness = inks @ away / np.linalg.norm(inks, axis=1)
    assert np.argmax(likeness) == card.colour.value


@pytest.mark.parametrize("deck", Deck)
def test_same_seed_same_picture_other_seed_another(deck: Deck) -> None:
    card = full_deck(BARS[deck])[40]
    style = random_style(np.random.default_rng(5), deck)
    first, again, other = (draw_card(card, style, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert np.array_equal(first.image, again.image)
    assert np.array_equal(first.alpha, again.alpha)
    assert not np.array_equal(first.image, other.image)
    assert random_style(np.random.default_rng(5), deck) == style != random_style(np.random.default_rng(6), deck)


@pytest.mark.parametrize("deck", Deck)
def test_corners_are_transparent_and_the_rest_is_not(deck: Deck) -> None:
    style = clean(deck)
    art = draw_card(full_deck(BARS[deck])[0], style, np.random.default_rng(0))
    assert art.alpha[0, 0] == art.alpha[-1, 0] == art.alpha[0, -1] == art.alpha[-1, -1] == 0
    assert art.alpha[:, art.alpha.shape[1] // 2].min() == 255
    assert ((art.alpha > 0) & (art.alpha < 255)).any()
    missing = (1 - art.alpha / 255).sum() / (art.alpha.size / np.prod(art.size_mm))
    assert missing == pytest.approx((4 - np.pi) * style.corner_radius_mm**2, rel=0.03)


@pytest.mark.parametrize("deck", Deck)
@pytest.mark.parametrize("slot", range(3))
@pytest.mark.parametrize("seed", range(3))
def test_open_holds_less_ink_than_striped_and_striped_less_than_solid(deck: Deck, slot: int, seed: int) -> None:
    style = clean(deck, seed)
    shape = (Shape.OVAL, BARS[deck], Shape.SQUIGGLE)[slot]
    number, colour = full_deck()[30].number, Colour.PURPLE
    solid, striped, empty = (coverage(Card(number, colour, shading, shape), style) for shading in Shading)
    assert empty * 1.15 < striped < solid * 0.9


@pytest.mark.parametrize("deck", Deck)
@pytest.mark.parametrize("slot", range(3))
@pytest.mark.parametrize("mirrored", [False, True])
def test_outline_is_the_same_turned_by_180_degrees(deck: Deck, slot: int, mirrored: bool) -> None:
    shape = (Shape.OVAL, BARS[deck], Shape.SQUIGGLE)[slot]
    size = symbol_size(deck, shape)
    points = outline(shape, deck, size, mirrored)
    assert np.ptp(points, axis=0) == pytest.approx([size.width, size.height], rel=0.01)
    turned = np.linalg.norm(points[:, None] + points[None], axis=2).min(axis=1)
    assert turned.max() < 1e-6
    flipped = np.linalg.norm(points[:, None] * [-1, 1] - points[None], axis=2).min(axis=1).max()
    assert (flipped > 2.0) == (shape is Shape.SQUIGGLE)


def test_squiggle_leans_to_the_other_side_when_mirrored() -> None:
    size = symbol_size(Deck.US, Shape.SQUIGGLE)
    plain, flipped = (outline(Shape.SQUIGGLE, Deck.US, size, mirrored) for mirrored in (False, True))
    assert plain[plain[:, 1].argmin(), 0] > 0 > flipped[flipped[:, 1].argmin(), 0]


@pytest.mark.parametrize("shape", Shape)
@pytest.mark.parametrize("deck", Deck)
def test_inset_outline_lies_inside_at_its_distance(deck: Deck, shape: Shape) -> None:
    points = outline(shape, deck, symbol_size(deck, shape))
    inner = inset(points, 1.0)
    whole = points.astype(np.float32)[:, None]
    depths = [cv2.pointPolygonTest(whole, (float(x), float(y)), True) for x, y in inner]
    assert depths == pytest.approx([1.0] * len(depths), abs=0.06)


def test_stripes_cover_their_share_and_keep_their_phase() -> None:
    edges = np.linspace(0, 50, 201)
    whole = stripes(edges, 1.0, 0.25, 0.0)
    assert whole.shape == (200,)
    assert float(whole.mean()) == pytest.approx(0.25)
    assert whole[:4].tolist() == [1.0, 0.0, 0.0, 0.0]
    assert stripes(edges, 1.0, 0.25, 0.5)[:4].tolist() == [0.0, 0.0, 1.0, 0.0]


@pytest.mark.parametrize("density", [0.35, 0.5])
@pytest.mark.parametrize("grain", [1.2, 4.0])
def test_speckle_inks_its_share(density: float, grain: float) -> None:
    drops = speckle(np.random.default_rng(0), (80, 160), grain, density)
    assert drops.shape == (80, 160)
    assert drops.min() >= 0
    assert drops.max() <= 1
    assert float(drops.mean()) == pytest.approx(density, abs=0.04)


@pytest.mark.parametrize("tile", full_tiles(), ids=str)
def test_tile_and_die_show_their_number_solid(tile: Tile) -> None:
    for seed in range(2):
        rng = np.random.default_rng(seed)
        plain = replace(random_tile_style(rng), wear=0.0, frame=None, paper=(245, 245, 245))
        die = replace(random_face_style(rng), wear=0.0)
        for art in (draw_tile(tile, plain, rng, 6.0), draw_face(Face(tile), die, rng, 8.0)):
            ink = ink_of(art)
            assert blobs_of(ink) == tile.number.value + 1
            assert ink[4:-4, 4:-4].sum() == ink.sum()
    strong = np.median(art.image[ink], axis=0)
    assert np.linalg.norm(np.array(die.inks) - strong, axis=1).argmin() == tile.colour.value


def test_wild_faces_all_differ() -> None:
    base = random_face_style(np.random.default_rng(3))
    faces = []
    for look in WildLook:
        style = replace(base, wild=WildStyle(look, (40, 40, 40)), wear=0.0)
        faces.append(draw_face(Face(None), style, np.random.default_rng(0)).image.astype(float))
    assert all(np.abs(one - other).mean() > 4 for one, other in combinations(faces, 2))


def test_wild_has_a_ground_and_a_turn() -> None:
    base = random_face_style(np.random.default_rng(3))
    looks = [WildStyle(WildLook.WORD, (40, 40, 40)), WildStyle(WildLook.WORD, (40, 40, 40), ground=(90, 200, 240))]
    looks.append(replace(looks[0], turn=90.0))
    words, ground, turned = (
        draw_face(Face(None), replace(base, wild=look), np.random.default_rng(0)).image.astype(float) for look in looks
    )
    assert np.abs(words - ground).mean() > 4
    assert np.abs(words - turned).mean() > 4


@pytest.mark.parametrize("kind", Distractor)
def test_distractor_draws_the_same_for_the_same_seed(kind: Distractor) -> None:
    for seed in range(3):
        first, again = (draw_distractor(np.random.default_rng(seed), 2.0, kind) for _ in range(2))
        assert np.array_equal(first.image, again.image)
        assert 5 <= min(first.size_mm) <= max(first.size_mm) <= 215
        assert first.image.shape[1] / first.size_mm[0] == pytest.approx(2.0, rel=0.05)
    assert first.alpha.max() == 255


def test_any_distractor_and_any_back_can_come() -> None:
    rng = np.random.default_rng(0)
    sizes = {draw_distractor(rng, 1.0).size_mm for _ in range(40)}
    assert len(sizes) > 30
    backs = [draw_back(rng, 2.0, size_mm=(57.0, 88.0)).image for _ in range(12)]
    assert len({back.tobytes() for back in backs}) == 12
    assert {back.shape for back in backs} == {(176, 114, 3)}
    assert 1.49 < np.divide(*draw_back(rng, 2.0).size_mm[::-1]) < 1.59


def test_hand_marks_lie_near_the_border() -> None:
    style = replace(clean(Deck.US), hand_marks=6.0)
    card = full_deck()[0]
    marked = draw_card(card, style, np.random.default_rng(4))
    plain = draw_card(card, replace(style, hand_marks=0.0), np.random.default_rng(4))
    changed = ink_of(marked) & ~ink_of(plain)
    assert changed.any()
    height, width = changed.shape
    assert not changed[height // 3 : 2 * height // 3, width // 4 : 3 * width // 4].any()


def test_wear_greys_the_edge_only() -> None:
    style = replace(clean(Deck.US), paper=(250, 250, 250))
    worn, new = (
        draw_card(full_deck()[0], replace(style, wear=wear), np.random.default_rng(4)).image.astype(float)
        for wear in (1.0, 0.0)
    )
    assert worn[[0, -1]].mean() < new[[0, -1]].mean() - 8
    assert worn[20:60, 20:60].mean() == pytest.approx(new[20:60, 20:60].mean(), abs=4)


def test_polygon_covers_its_area_wherever_it_lies() -> None:
    square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    canvas = Canvas((10.0, 10.0), 4.0, (0, 0, 0))
    areas = [float(canvas.cover(3 * square + [2 + shift, 3]).mask.sum()) / 16 for shift in (0.0, 0.1, 0.2)]
    assert areas == pytest.approx([9.0] * 3, rel=0.06)
    outside = canvas.cover(square + 30)
    assert outside.mask.sum() == 0


def test_finished_art_cannot_be_painted_over() -> None:
    art = draw_back(np.random.default_rng(0), 1.0)
    with pytest.raises(ValueError, match="read-only"):
        art.image[0, 0] = 0


def test_art_that_does_not_fit_is_refused() -> None:
    image: Image = np.zeros((5, 4, 3), np.uint8)
    with pytest.raises(ArtSizeError, match=r"expected an \(h, w, 3\) image"):
        Art(image, np.zeros((4, 5), np.uint8), (1.0, 1.0))
    with pytest.raises(ArtSizeError, match="4 pixels a side"):
        draw_back(np.random.default_rng(0), 0.02)
