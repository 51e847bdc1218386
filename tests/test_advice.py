"""What people are told to do where a camera sees nothing, or little that can be trusted."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from engine.tokens import full_deck
from tests.drawn_table import SIZE, Filmed, Scenery, row
from vision.advice import AdviceConfig, Adviser, advice_of, is_blurred, light_of
from vision.tracks import Advice, Scene, Track
from vision.types import Doubt, Image, Quad, Reading

CONFIG = AdviceConfig()
DECK = full_deck()
CELLS = (160, 90)
BLACK = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)


def card(place: int, side: float = 60.0) -> Quad:
    """Where a card lies whose short side has so many pixels."""
    x = 10.0 + 100 * place
    return Quad.of([(x, 10), (x + side, 10), (x + side, 10 + 1.5 * side), (x, 10 + 1.5 * side)])


def lying(doubts: Sequence[Doubt | None], side: float = 60.0, hidden: int = 0) -> list[Track]:
    """Cards with these doubts, the last ones hidden."""
    return [
        Track(place, Reading(card(place, side), DECK[place], 0.9, doubt=doubt), 0.0, 0.0, place >= len(doubts) - hidden)
        for place, doubt in enumerate(doubts)
    ]


def sharp() -> Image:
    """A picture with plenty of edges, nothing of it blown out."""
    image = np.full((360, 640, 3), 90, np.uint8)
    for place in range(40):
        cv2.circle(image, (20 + 75 * (place % 9), 30 + 70 * (place // 9)), 22, (230, 220, 210), -1)
    return image


def advised(tracks: Sequence[Track], scene: Scene = Scene.STILL, image: Image | None = None) -> Advice | None:
    """What is advised for a picture, by default a sharp one."""
    image = sharp() if image is None else image
    small = np.asarray(cv2.resize(image, CELLS, interpolation=cv2.INTER_AREA), np.float32)
    return advice_of(scene, tracks, image, small, CONFIG)


@pytest.mark.parametrize(("scene", "advice"), [(Scene.DARK, Advice.TOO_DARK), (Scene.HANDS, Advice.HANDS)])
def test_darkness_and_hands_are_told_whatever_is_seen(scene: Scene, advice: Advice) -> None:
    assert advised(lying([None] * 12), scene) is advice
    assert advised([], scene) is advice


@pytest.mark.parametrize("scene", [Scene.STILL, Scene.MOVING])
def test_where_all_is_read_nothing_is_told(scene: Scene) -> None:
    assert advised(lying([None] * 12), scene) is None
    assert advised(lying([Doubt.GLARE] * 3 + [None] * 9), scene) is None


@pytest.mark.parametrize(
    ("doubt", "advice"),
    [
        (Doubt.GLARE, Advice.GLARE),
        (Doubt.OVEREXPOSED, Advice.TOO_BRIGHT),
        (Doubt.TOO_SMALL, Advice.MOVE_CLOSER),
        (Doubt.CUT_OFF, Advice.MOVE_BACK),
        (Doubt.DUPLICATE, None),
        (Doubt.NO_COLOUR, None),
        (Doubt.LOW_CONFIDENCE, None),
    ],
)
def test_the_doubt_of_many_pieces_says_what_would_help(doubt: Doubt, advice: Advice | None) -> None:
    assert advised(lying([doubt] * 4 + [None] * 8)) is advice
    assert advised(lying([doubt] * 3 + [None] * 9)) is None


def test_pieces_in_doubt_that_are_small_are_to_be_seen_from_nearer() -> None:
    doubts = [Doubt.LOW_CONFIDENCE] * 6
    assert advised(lying(doubts, CONFIG.small - 1)) is Advice.MOVE_CLOSER
    assert advised(lying(doubts, CONFIG.small + 1)) is None
    assert advised(lying([None] * 6, CONFIG.small - 1)) is None


def test_where_nothing_is_seen_there_are_no_pieces() -> None:
    assert advised([]) is Advice.NO_PIECES
    assert advised([], image=BLACK + np.uint8(120)) is Advice.NO_PIECES


def test_where_nothing_is_read_and_all_moves_the_camera_is_to_be_held_still() -> None:
    assert advised([], Scene.MOVING) is Advice.HOLD_STILL
    assert advised(lying([None] * 2), Scene.MOVING) is None


def test_hidden_pieces_count_for_nothing() -> None:
    assert advised(lying([None] * 12, hidden=12)) is Advice.NO_PIECES


@pytest.mark.parametrize(("blur", "is_told"), [(0.0, False), (1.0, False), (5.0, True)])
def test_a_blurred_picture_is_told_from_a_sharp_one_in_any_light(blur: float, is_told: bool) -> None:
    image = sharp()
    if blur:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), blur), np.uint8)
    for light in (1.0, 0.4):
        lit = np.asarray(image * light, np.uint8)
        assert is_blurred(lit, CONFIG) is is_told
        assert is_blurred(np.asarray(cv2.resize(lit, (1280, 720)), np.uint8), CONFIG) is is_told
    doubtful = lying([Doubt.LOW_CONFIDENCE] * 6)
    assert advised(doubtful, image=image) is (Advice.BLURRED if is_told else None)


def test_a_picture_of_one_colour_is_not_blurred() -> None:
    assert not is_blurred(BLACK + np.uint8(70), CONFIG)


def test_one_white_spot_is_glare_and_white_all_over_is_too_bright() -> None:
    spot, sheets = (np.full((90, 160, 3), 100, np.float32) for _ in range(2))
    cv2.circle(spot, (80, 45), 20, (255, 255, 255), -1)
    for place in range(6):
        cv2.rectangle(sheets, (5 + 25 * place, 30), (20 + 25 * place, 55), (255, 255, 255), -1)
    assert light_of(spot, CONFIG) is Advice.GLARE
    assert light_of(sheets, CONFIG) is Advice.TOO_BRIGHT
    assert light_of(np.full((90, 160, 3), 255, np.float32), CONFIG) is Advice.TOO_BRIGHT
    assert light_of(np.full((90, 160, 3), 240, np.float32), CONFIG) is None


def test_advice_comes_when_its_reason_lasts_and_goes_with_it() -> None:
    adviser = Adviser(CONFIG)
    told = [adviser.of(Advice.NO_PIECES, time / 10) for time in range(10)]
    assert told == [None] * 6 + [Advice.NO_PIECES] * 4
    assert adviser.of(None, 1.0) is None
    assert adviser.of(Advice.NO_PIECES, 1.1) is None
    assert adviser.of(None, 2.0) is None


def test_where_reasons_take_turns_one_of_them_is_told() -> None:
    adviser = Adviser(CONFIG)
    assert adviser.of(None, 0.0) is None
    reasons = [Advice.HANDS, Advice.HOLD_STILL] * 10
    told = [adviser.of(reason, number / 10) for number, reason in enumerate(reasons, 1)]
    assert told[5:] == [told[5]] * 15
    assert told[:5] == [None] * 5
    assert adviser.of(Advice.TOO_DARK, 2.1) is told[5]
    assert adviser.of(Advice.TOO_DARK, 2.8) is Advice.TOO_DARK


def test_a_tracker_advises_from_its_pictures() -> None:
    film = Filmed()
    assert {moment.advice for moment in film.show(row(12), 2.0)} == {None}
    hand = film.show(row(12), 1.0, Scenery(hands=((280, 60, 420, SIZE[1]),)))
    assert hand[-1].advice is Advice.HANDS
    film.settle(row(12))
    assert film.show(row(12), 0.3)[-1].advice is None
    assert [film.picture(BLACK) for _ in range(15)][-1].advice is Advice.TOO_DARK


def test_a_tracker_that_sees_an_empty_table_says_so_after_a_moment() -> None:
    told = Filmed().show({}, 1.5)
    assert {moment.advice for moment in told[:8]} == {None}
    assert told[-1].advice is Advice.NO_PIECES
