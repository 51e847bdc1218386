"""Sets of films: what is drawn lies where its quad says, on every kind of table."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from datasets.film_stage import Placed, Stage, StageSettings, card_stage, cubed_stage, junior_stage

SETTINGS = StageSettings(size=(480, 270), table="dark")
CARDS = ("1 red solid oval", "2 green open diamond", "3 purple striped squiggle", "1 green solid oval")


def cards(rng: np.random.Generator) -> tuple[Stage, list[Placed]]:
    """A table with four cards."""
    places = [(index,) for index in range(12)]
    stage = card_stage(rng, SETTINGS, places, CARDS)
    return stage, [Placed(name, name, stage.slots[(index,)]) for index, name in enumerate(CARDS)]


def tiles(rng: np.random.Generator) -> tuple[Stage, list[Placed]]:
    """A Junior board with three tiles."""
    stage = junior_stage(rng, SETTINGS)
    names = ("1 red oval", "2 green diamond", "3 purple squiggle")
    return stage, [Placed(name, name, stage.slots[(2 * index,)]) for index, name in enumerate(names)]


def dice(rng: np.random.Generator) -> tuple[Stage, list[Placed]]:
    """A board of Cubed with three dice."""
    stage = cubed_stage(rng, SETTINGS)
    places = [(row, column) for row in (2, 5) for column in (3, 6)]
    return stage, [Placed(str(place), "wild", stage.slots[place]) for place in places]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("make", [cards, tiles, dice])
def test_pieces_are_drawn_within_their_quads(
    make: Callable[[np.random.Generator], tuple[Stage, list[Placed]]], seed: int
) -> None:
    stage, pieces = make(np.random.default_rng(seed))
    whole, less = stage.compose(pieces).astype(int), stage.compose(pieces[:-1]).astype(int)
    changed = np.abs(whole - less).max(axis=2) > 6
    inside = np.zeros(changed.shape, np.uint8)
    cv2.fillConvexPoly(inside, np.round(stage.quad(pieces[-1])).astype(np.int32), 1)
    assert changed[inside > 0].mean() > 0.6
    far = cv2.dilate(inside, np.ones((61, 61), np.uint8)) == 0
    assert changed[far].mean() < 0.01


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("make", [cards, tiles, dice])
def test_all_places_are_in_the_picture(
    make: Callable[[np.random.Generator], tuple[Stage, list[Placed]]], seed: int
) -> None:
    stage, _ = make(np.random.default_rng(seed))
    middles = stage.view.project([[pose.x, pose.y, 0.0] for pose in stage.slots.values()]) - SETTINGS.pad
    assert (middles > 0).all()
    assert (middles < np.array(SETTINGS.size)).all()


def test_light_leaves_room_for_the_sensor() -> None:
    for seed in range(6):
        assert cards(np.random.default_rng(seed))[0].light.max() <= 128


def test_rectangles_ask_for_the_other_deck() -> None:
    stage = card_stage(np.random.default_rng(1), SETTINGS, [(0,)], ["1 red striped rectangle"])
    assert stage.sprite("1 red striped rectangle").image.shape[2] == 4
