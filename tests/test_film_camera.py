"""What happens to the camera: knocks, focus, lamps, noise."""

from __future__ import annotations

import numpy as np

from datasets.film_camera import Bump, Focus, LampOut, random_sensor, view_at

SIZE = (320, 180)
BUMP = Bump(1.0, 1.4, 0.02, -0.01, 0.01, 0.01, 3.0)
LAMP = LampOut(2.0, 4.0, 0.4, (1.0, 1.0, 1.0), 0.5)


def test_nothing_moves_before_a_knock_and_all_is_moved_after_it() -> None:
    before, during, after = (view_at((BUMP,), time, SIZE) for time in (0.5, 1.2, 3.0))
    assert np.allclose(before.move, np.eye(3))
    assert (before.shaking, during.shaking, after.shaking) == (False, True, False)
    middle = np.array([159.5, 89.5, 1.0])
    assert np.allclose((after.move @ middle)[:2] - middle[:2], [0.02 * 320, -0.01 * 320])


def test_focus_comes_back() -> None:
    focus = Focus(1.0, 2.0, 0.01, 2.0)
    during, after = view_at((focus,), 1.5, SIZE), view_at((focus,), 2.0, SIZE)
    assert during.focusing
    assert during.soft > 0.2
    assert np.allclose(after.move, np.eye(3))
    assert abs(after.soft) < 1e-9


def test_a_lamp_goes_out_and_on() -> None:
    lights = [view_at((LAMP,), time, SIZE).light[1] for time in (1.9, 2.0, 3.9, 6.0)]
    assert lights[0] == 1
    assert np.isclose(lights[1], 0.4)
    assert 0.6 < lights[2] < 0.75
    assert np.isclose(lights[3], 1, atol=0.01)


def test_a_sensor_brings_paper_to_its_level() -> None:
    for seed in range(5):
        rng = np.random.default_rng(seed)
        sensor = random_sensor(rng, SIZE, 150.0)
        picture = sensor.expose(np.full((180, 320, 3), 150, np.uint8), (1.0, 1.0, 1.0), 0.0, rng)
        assert 165 < picture.max(axis=2).mean() <= 255
