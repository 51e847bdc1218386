"""Hands in motion: smooth ways, and pieces that do not jump."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.film_motion import Carry, Key, Stroke, joined, nearest_turn, relative
from datasets.layouts import Pose

STROKE = Stroke(
    "Ann",
    (0.0, 900.0),
    (Key(1.0, 0, 500, 30), Key(1.6, 20, 40, 3, 10), Key(1.8, 20, 40, 3), Key(2.4, 0, 500, 45)),
)


def test_the_arm_points_to_its_shoulder() -> None:
    hand = STROKE.at(1.7).pose
    towards = np.array([-np.sin(hand.angle), np.cos(hand.angle)])
    wanted = np.array([0.0 - 20, 900 - 40])
    assert np.allclose(towards, wanted / np.hypot(*wanted))


def test_hands_move_without_jumps() -> None:
    times = np.arange(0.9, 2.5, 0.01)
    places = np.array([(STROKE.at(t).pose.x, STROKE.at(t).pose.y, STROKE.at(t).height) for t in times])
    assert np.abs(np.diff(places, axis=0)).max() < 20
    assert STROKE.at(0.0).pose == STROKE.at(1.0).pose
    assert STROKE.at(1.3).height > 20


@pytest.mark.parametrize("angle", [0.0, 1.3, -2.9])
def test_poses_join_and_part_again(angle: float) -> None:
    frame, pose = Pose(10, -20, angle), Pose(35, 80, 0.4)
    back = joined(frame, relative(frame, pose))
    assert (back.x, back.y, back.angle) == pytest.approx((35, 80, 0.4))


def test_a_carried_piece_begins_and_ends_where_it_lies() -> None:
    first, last = Pose(25, 30, 0.1), Pose(26, 33, 3.3)
    held = relative(STROKE.at(1.65).pose, first)
    carry = Carry("0", "a", STROKE, held, nearest_turn(held, relative(STROKE.at(1.75).pose, last)), 1.65, 1.75)
    start, end = carry.at(1.65)[0], carry.at(1.75)[0]
    assert (start.x, start.y) == pytest.approx((25, 30))
    assert (end.x, end.y) == pytest.approx((26, 33))
    assert np.cos(end.angle - 3.3) == pytest.approx(1)
