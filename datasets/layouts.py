"""Where pieces lie: positions on the table plane in millimetres, in grids, scatters, fans and heaps.

Convention: x to the right, y down, origin in the middle of the layout; an angle in radians turns clockwise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["LAYOUTS", "Pose", "footprint", "random_layout"]

Random = np.random.Generator


@dataclass(frozen=True)
class Pose:
    """Centre of a piece (x, y) in millimetres and its turn in radians."""

    x: float
    y: float
    angle: float


def footprint(pose: Pose, size: tuple[float, float]) -> npt.NDArray[np.float64]:
    """Return the (4, 2) corners TL TR BR BL in millimetres of a piece of ``size`` (width, height) at ``pose``."""
    half_width, half_height = size[0] / 2, size[1] / 2
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [half_width, half_height]
    cos, sin = np.cos(pose.angle), np.sin(pose.angle)
    return np.asarray(corners @ np.array([[cos, sin], [-sin, cos]]) + [pose.x, pose.y])


def _grid(rng: Random, count: int, size: tuple[float, float], gap: tuple[float, float]) -> list[Pose]:
    """Rows and columns, upright or lying, with gaps in ``gap`` (millimetres) and some disorder."""
    lying = rng.random() < 0.5
    width, height = (size[1], size[0]) if lying else size
    columns = (
        int(rng.integers(1, min(count, 7) + 1))
        if rng.random() < 0.3
        else max(1, round(count**0.5 + rng.integers(-1, 2)))
    )
    pitch = (width + rng.uniform(*gap), height + rng.uniform(*gap))
    slack = min(gap[1] * 0.4, 8.0)
    wobble = rng.choice([0.0, 0.02, 0.08, 0.2]) * min(1.0, gap[1] / 10 + 0.1)
    poses = []
    for index in range(count):
        row, column = divmod(index, columns)
        poses.append(
            Pose(
                column * pitch[0] + rng.uniform(-slack, slack),
                row * pitch[1] + rng.uniform(-slack, slack),
                (np.pi / 2 if lying else 0) + rng.normal(0, wobble) + np.pi * rng.integers(0, 2),
            )
        )
    return poses


def _radius(size: tuple[float, float]) -> float:
    return float(np.hypot(*size) / 2)


def _scatter(rng: Random, count: int, size: tuple[float, float], closeness: float) -> list[Pose]:
    """Cards at any angle; ``closeness`` below 1 lets them touch and lie over each other."""
    side = (count**0.5) * _radius(size) * 2 * rng.uniform(0.8, 1.4)
    poses: list[Pose] = []
    for _ in range(count * 40):
        if len(poses) == count:
            break
        x, y = rng.uniform(-side / 2, side / 2, 2)
        if all(np.hypot(x - pose.x, y - pose.y) > 2 * _radius(size) * closeness for pose in poses):
            poses.append(Pose(float(x), float(y), float(rng.uniform(0, 2 * np.pi))))
    return poses


def _fan(rng: Random, count: int, size: tuple[float, float]) -> list[Pose]:
    """A row in which each card covers part of the one before."""
    step = rng.uniform(0.45, 0.9) * size[0]
    turn, bend = rng.uniform(0, 2 * np.pi), rng.uniform(-0.12, 0.12)
    poses = []
    x = y = 0.0
    for index in range(count):
        angle = turn + bend * index
        poses.append(Pose(x, y, angle + rng.normal(0, 0.03)))
        x, y = x + step * np.cos(angle), y + step * np.sin(angle)
    return poses


def _fans(rng: Random, count: int, size: tuple[float, float]) -> list[Pose]:
    poses: list[Pose] = []
    shift = 0.0
    while len(poses) < count:
        row = _fan(rng, min(count - len(poses), int(rng.integers(2, 6))), size)
        poses += [Pose(p.x + rng.uniform(-4, 4), p.y + shift, p.angle) for p in row]
        shift += 2 * _radius(size) * rng.uniform(0.9, 1.3)
    return poses


def _heap(rng: Random, count: int, size: tuple[float, float]) -> list[Pose]:
    """Cards thrown on one spot, most of them half under others."""
    reach = 0.35 * _radius(size) * count**0.5 * rng.uniform(0.7, 1.6)
    places = rng.normal(0, reach, (count, 2)) * [1.0, rng.uniform(0.5, 1.0)]
    lined = rng.random() < 0.3
    turns = rng.normal(0, 0.15, count) if lined else rng.uniform(0, 2 * np.pi, count)
    return [Pose(float(x), float(y), float(turn)) for (x, y), turn in zip(places, turns, strict=True)]


LAYOUTS: dict[str, tuple[Callable[[Random, int, tuple[float, float]], list[Pose]], float]] = {
    "grid": (lambda rng, count, size: _grid(rng, count, size, (4, 45)), 0.36),
    "touching": (lambda rng, count, size: _grid(rng, count, size, (-1.5, 3)), 0.16),
    "scatter": (lambda rng, count, size: _scatter(rng, count, size, rng.uniform(0.75, 1.1)), 0.2),
    "overlap": (lambda rng, count, size: _scatter(rng, count, size, rng.uniform(0.4, 0.65)), 0.14),
    "heap": (lambda rng, count, size: _heap(rng, count, size), 0.06),
    "fan": (lambda rng, count, size: _fans(rng, count, size), 0.08),
}
"""Name -> (maker, share of the scenes)."""


def random_layout(
    rng: Random, count: int, size: tuple[float, float], name: str | None = None
) -> tuple[str, list[Pose]]:
    """Return (name, poses) of up to ``count`` pieces of ``size`` (width, height in millimetres), about the origin.

    ``name`` asks for one of LAYOUTS.
    """
    if count == 0:
        return "empty", []
    if name is None:
        share = np.array([share for _, share in LAYOUTS.values()])
        name = list(LAYOUTS)[int(rng.choice(len(LAYOUTS), p=share / share.sum()))]
    poses = LAYOUTS[name][0](rng, count, size)
    middle = np.array([[pose.x, pose.y] for pose in poses])
    centre = (middle.min(axis=0) + middle.max(axis=0)) / 2
    return name, [Pose(pose.x - centre[0], pose.y - centre[1], pose.angle) for pose in poses]
