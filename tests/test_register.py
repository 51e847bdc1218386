"""Registration: from simulated sights of a board to the square of every die, and to saying when it is not clear."""

from __future__ import annotations

import numpy as np
import pytest

from tests.board_world import SIZE, View, World
from vision.boards import Placement
from vision.register import register


def placed(world: World, **given: object) -> Placement:
    sight = world.sight()
    return register(world.plan, sight, sight.detections, world.look(), SIZE, **given)  # type: ignore[arg-type]


def codes(placement: Placement) -> list[str]:
    return [problem.code for problem in placement.problems]


@pytest.mark.parametrize("tilt", [0, 20, 42])
@pytest.mark.parametrize("swing", [0, 100, 190, 305])
def test_every_die_gets_its_square_from_any_side(tilt: float, swing: float) -> None:
    world = World(view=View(tilt=tilt, swing=swing, roll=15), seed=int(swing + tilt))
    found = placed(world)
    assert found.cells == world.dice
    assert not found.problems


def test_the_matrix_maps_the_board_to_the_picture() -> None:
    world = World()
    matrix = placed(world).matrix
    corners = np.array([[0, 0], [13, 0], [13, 13], [0, 13]], np.float64)
    mapped = np.column_stack([corners, np.ones(4)]) @ matrix.T
    truth = world.pose.project(np.column_stack([corners, np.zeros(4)]))
    assert np.abs(mapped[:, :2] / mapped[:, 2:] - truth).max() < 2
