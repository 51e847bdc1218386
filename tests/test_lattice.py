"""Lattices under crossings and dice, and the camera's pose that ties the two planes together."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.board_world import DICE, SIZE, Errors, View, World, pose_above
from vision.dice_chain import chain
from vision.growth import GrowthConfig, cells, grow
from vision.lattice import Lattice, find_lattice
from vision.pose import PoseConfig, best_pose, fit_homography, points_seen, pose_of, refine, skew_of

VIEWS = [View(tilt=0, roll=0), View(tilt=20, swing=75), View(tilt=45, swing=200, roll=40), View(tilt=40, distance=12)]


def lattice_of(world: World) -> Lattice:
    sight = world.sight()
    quads = [detection.quad.corners for detection in sight.detections]
    found = find_lattice(sight.crossings, np.array(quads).reshape(-1, 4, 2), SIZE)
    assert found is not None
    return found


def standing_at(world: World, lattice: Lattice) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Columns and rows on the true board of the squares that the lattice puts under the dice."""
    feet = lattice.pose.project(np.column_stack([lattice.squares + 0.5, np.zeros(len(lattice.squares))]))
    return world.pose.locate(feet) - 0.5


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("many", [1, 3, 9])
def test_dice_stand_on_the_squares_under_them_not_where_their_tops_are_seen(view: View, many: int) -> None:
    world = World(dice=DICE[:many], view=view)
    found = lattice_of(world)
    truth = np.array([(column, row) for row, column in world.dice])
    assert np.abs(standing_at(world, found) - truth).max() < 0.25
    assert found.standing.all()
    assert found.edge == pytest.approx(world.edge, abs=0.06)


@pytest.mark.parametrize("view", VIEWS)
def test_without_crossings_the_dice_alone_make_a_lattice(view: View) -> None:
    world = World(view=view, errors=Errors(printed=False, false=0, turn=1, shift=0.01, die_noise=0.3))
    found = lattice_of(world)
    truth = np.array([(column, row) for row, column in world.dice])
    assert np.abs(standing_at(world, found) - truth).max() < 0.5
    assert not len(found.members)


def test_false_crossings_do_not_belong() -> None:
    world = World(errors=Errors(false=40, lost=0.3), seed=4)
    found = lattice_of(world)
    true = len(world.sight().crossings) - 40
    at = world.pose.locate(world.sight().crossings[found.members, :2].astype(np.float64))
    assert len(found.members) >= 0.97 * true
    assert (np.abs(at - np.rint(at)).max(axis=1) > 0.2).sum() <= 2


def test_a_die_askew_or_between_squares_does_not_stand_upon_one() -> None:
    world = World(errors=Errors(turn=0, shift=0, die_noise=0), seed=2)
    sight = world.sight()
    quads = np.array([detection.quad.corners for detection in sight.detections], np.float64)
    middle = quads[0].mean(axis=0)
    turn = np.array([[math.cos(0.8), math.sin(0.8)], [-math.sin(0.8), math.cos(0.8)]])
    quads[0] = (quads[0] - middle) @ turn + middle
    quads[4] += 0.5 * (quads[4, 1] - quads[4, 0])
    found = find_lattice(sight.crossings, quads, SIZE)
    assert found is not None
    assert np.flatnonzero(~found.standing).tolist() == [0, 4]


def test_nothing_seen_makes_no_lattice() -> None:
    assert find_lattice(np.zeros((0, 3)), np.zeros((0, 4, 2)), SIZE) is None
    assert find_lattice(np.array([[10, 10, 1], [50, 10, 1], [10, 50, 1]]), np.zeros((0, 4, 2)), SIZE) is None


def test_the_side_of_a_square_and_not_its_diagonal_is_the_pitch() -> None:
    grid = np.stack(np.meshgrid(np.arange(8.0), np.arange(8.0)), axis=-1).reshape(-1, 2) * 40 + 100
    for seed in range(10):
        kept = np.random.default_rng(seed).random(64) > 0.55
        found = find_lattice(np.column_stack([grid[kept], np.ones(kept.sum())]), np.zeros((0, 4, 2)), SIZE)
        assert found is not None
        axes = found.pose.plane()[:2, :2] / found.pose.plane()[2, 2]
        assert np.abs(np.linalg.norm(axes, axis=0) - 40).max() < 2


def test_a_chain_of_dice_knows_its_neighbours_whichever_way_each_lies() -> None:
    world = World(view=View(tilt=30, swing=130))
    faces = np.array(world.tops(np.random.default_rng(0)))
    found = chain(faces)
    assert found is not None
    assert found.members.tolist() == list(range(len(DICE)))
    squares = np.floor(found.corners.mean(axis=1))
    true = np.array([(column, row) for row, column in DICE], np.float64)
    apart, expected = (np.linalg.norm(at[:, None] - at[None], axis=2) for at in (squares, true))
    assert np.allclose(apart, expected)
    assert chain(np.zeros((0, 4, 2))) is None


def test_dice_apart_from_the_others_are_no_part_of_the_chain() -> None:
    world = World(dice=(*DICE, (1, 1)))
    found = chain(np.array(world.tops(np.random.default_rng(0))))
    assert found is not None
    assert len(DICE) not in found.members


def test_cells_are_small_and_run_clockwise() -> None:
    grid = np.stack(np.meshgrid(np.arange(5.0), np.arange(5.0)), axis=-1).reshape(-1, 2) * 30
    corner, along_x, along_y, opposite = grid[next(cells(grid, GrowthConfig()))]
    assert np.allclose(along_x + along_y - corner, opposite)
    x_arm, y_arm = along_x - corner, along_y - corner
    assert x_arm[0] * y_arm[1] - x_arm[1] * y_arm[0] == pytest.approx(900)
    assert not list(cells(grid[:3], GrowthConfig()))


def test_points_on_one_line_do_not_grow() -> None:
    line = np.column_stack([np.arange(8.0) * 30, np.zeros(8)])
    assert grow(line, np.diag([30.0, 30.0, 1.0]), np.array([[0.0, 0.0], [1.0, 1.0]]), GrowthConfig()) is None


def test_a_pose_comes_back_from_its_plane_and_from_what_it_sees() -> None:
    true = pose_above(View(tilt=33, swing=70, focal=0.9))
    again = pose_of(-2 * true.plane(), true.focal, true.middle, np.array([6.0, 6.0]))
    assert np.allclose(again.rotation, true.rotation)
    assert np.allclose(again.offset, true.offset)
    grid = np.stack(np.meshgrid(np.arange(14.0), np.arange(14.0)), axis=-1).reshape(-1, 2)
    points = np.column_stack([grid, np.zeros(len(grid))])
    seen = points_seen(points, true.project(points), 1.0)
    found = refine(best_pose(true.plane(), seen, SIZE, grid.mean(axis=0), PoseConfig()), seen, SIZE, PoseConfig())
    assert found.focal == pytest.approx(true.focal, rel=0.01)
    assert found.tilt == pytest.approx(33, abs=0.3)
    assert np.abs(found.locate(true.project(points + [0, 0, 0.9]), 0.9) - grid).max() < 0.02


def test_an_outlier_hardly_moves_a_pose() -> None:
    true = pose_above(View(tilt=25))
    grid = np.stack(np.meshgrid(np.arange(6.0), np.arange(6.0)), axis=-1).reshape(-1, 2) + 4
    points = np.column_stack([grid, np.zeros(len(grid))])
    pixels = true.project(points)
    pixels[7] += 60
    seen = points_seen(points, pixels, 1.0)
    found = refine(best_pose(true.plane(), seen, SIZE, grid.mean(axis=0), PoseConfig()), seen, SIZE, PoseConfig())
    assert np.abs(np.delete(found.project(points) - pixels, 7, axis=0)).max() < 1


def test_homographies_need_four_points_not_on_a_line() -> None:
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1], [2, 3]], np.float64)
    matrix = np.array([[40, 3, 100], [-2, 35, 80], [0.001, 0.002, 1]])
    mapped = np.column_stack([square, np.ones(5)]) @ matrix.T
    found = fit_homography(square, mapped[:, :2] / mapped[:, 2:])
    assert found is not None
    assert np.allclose(found / found[2, 2], matrix, atol=1e-6)
    assert fit_homography(square[:3], square[:3]) is None
    line = np.column_stack([np.arange(6.0), np.arange(6.0)])
    assert fit_homography(line, line) is None


def test_a_square_lattice_has_no_skew_and_a_sheared_one_has() -> None:
    pose = pose_above(View(tilt=30))
    assert skew_of(pose.plane(), pose.focal, pose.middle) == pytest.approx(0, abs=1e-9)
    sheared = pose.plane() @ np.array([[1, 1, 0], [0, 1, 0], [0, 0, 1]])
    assert skew_of(sheared, pose.focal, pose.middle) > 0.3
