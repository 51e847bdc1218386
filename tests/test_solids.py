"""Dice and tiles as bodies: where they are painted, what covers what, shadows and highlights."""

import numpy as np
import pytest

from datasets.solids import Lamp, Solid, body_corners, draw_solid, shade_plane, top_corners
from datasets.viewpoint import Viewpoint

WHITE = np.full((96, 96, 3), 250, np.uint8)
TILT = np.array([[1, 0, 0], [0, np.cos(0.6), -np.sin(0.6)], [0, np.sin(0.6), np.cos(0.6)]])
SIZE = (320, 240)


def faces(top: tuple[int, int, int]) -> list[np.ndarray[tuple[int, ...], np.dtype[np.uint8]]]:
    return [np.full((96, 96, 3), top, np.uint8), *[WHITE] * 5]


def die(x: float = 0.0, angle: float = 0.0, top: tuple[int, int, int] = (0, 0, 250)) -> Solid:
    return Solid(x, 0.0, angle, (24.0, 24.0, 24.0), 3.0, faces(top), gloss=0.0)


def lamp() -> Lamp:
    light = np.full(3, 0.5, np.float32)
    return Lamp(np.array([200.0, -100.0, -500.0]), light, light, 0.2, 0.9, np.zeros(3))


def camera(tilted: bool = True) -> Viewpoint:
    rotation = TILT if tilted else np.eye(3)
    return Viewpoint(SIZE, 500.0, rotation, -rotation.T @ np.array([0.0, 0.0, 250.0]))


def painted(*bodies: Solid, tilted: bool = True) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    view, picture = camera(tilted), np.full((SIZE[1], SIZE[0], 3), 60, np.float32)
    gloss = np.zeros(picture.shape[:2], np.float32)
    for body in bodies:
        draw_solid(picture, gloss, body, view, lamp(), np.full(3, 60, np.float32))
    return picture


def test_the_top_of_a_box_is_its_four_highest_corners_clockwise() -> None:
    corners = body_corners(die(5.0))
    assert np.allclose(top_corners(die(5.0)), corners[:4])
    assert np.allclose(corners[:4, 2], -24)
    assert np.allclose(corners[4:, 2], 0)
    assert np.allclose(corners[0], [-7, -12, -24])


@pytest.mark.parametrize("angle", [0.0, 0.3, np.pi / 2])
def test_a_die_is_painted_where_its_corners_project(angle: float) -> None:
    picture, body = painted(die(angle=angle)), die(angle=angle)
    middle = camera().project(top_corners(body)).mean(axis=0).round().astype(int)
    blue, green, red = picture[middle[1], middle[0]]
    assert red > 120 and blue < 30 and green < 30  # noqa: PT018  the top is red
    low, high = camera().project(body_corners(body)).min(axis=0), camera().project(body_corners(body)).max(axis=0)
    changed = np.argwhere(np.abs(picture - 60).max(axis=2) > 8)[:, ::-1]
    assert (changed.min(axis=0) >= low - 2).all()
    assert (changed.max(axis=0) <= high + 2).all()
    assert (changed.max(axis=0) - changed.min(axis=0) > 0.85 * (high - low)).all()


def test_seen_aslant_a_die_shows_a_side_that_is_not_its_top() -> None:
    side = camera().project([[0, -12, -10]])[0].round().astype(int)
    blue, green, red = painted(die())[side[1], side[0]]
    assert min(blue, green, red) > 80


def test_from_straight_above_only_the_top_is_seen() -> None:
    picture = painted(die(), tilted=False)
    body = np.abs(picture - 60).max(axis=2) > 30
    assert picture[body][:, 2].min() > 60
    assert (picture[body][:, 0] < 60).mean() > 0.75


def test_the_nearer_of_two_dice_covers_the_other() -> None:
    far, near = die(), Solid(0.0, 26.0, 0.0, (24.0, 24.0, 24.0), 3.0, faces((250, 0, 0)), gloss=0.0)
    middle = camera().project(top_corners(near)).mean(axis=0).round().astype(int)
    assert painted(far, near)[middle[1], middle[0], 0] > 120


def test_a_body_out_of_the_picture_or_behind_the_camera_changes_nothing() -> None:
    assert np.array_equal(painted(die(5000.0)), painted())
    behind = Solid(0.0, 2000.0, 0.0, (24.0, 24.0, 4000.0), 3.0, faces((0, 0, 250)))
    assert np.array_equal(painted(behind), painted())


def test_a_body_throws_a_shadow_on_the_side_away_from_the_lamp() -> None:
    view, flat = camera(tilted=False), np.full((SIZE[1], SIZE[0], 3), 200, np.float32)
    mask = np.zeros(flat.shape[:2], np.float32)
    lit = shade_plane(flat, [die()], view, lamp(), (0.0, 10.0), mask)
    plain = shade_plane(flat, [], view, lamp(), (0.0, 10.0), mask)
    away = view.project([[-17, 8, 0]])[0].round().astype(int)
    towards = view.project([[30, -15, 0]])[0].round().astype(int)
    assert lit[away[1], away[0], 0] < 0.85 * plain[away[1], away[0], 0]
    assert lit[towards[1], towards[0], 0] == pytest.approx(plain[towards[1], towards[0], 0], rel=0.02)


def test_a_glossy_board_mirrors_the_lamp_and_a_dull_one_does_not() -> None:
    view, flat = camera(), np.full((SIZE[1], SIZE[0], 3), 100, np.float32)
    mask = np.ones(flat.shape[:2], np.float32)
    glossy, dull = (shade_plane(flat, [], view, lamp(), (strength, 20.0), mask) for strength in (0.8, 0.0))
    assert glossy.max() > dull.max() + 30
