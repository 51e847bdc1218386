"""Grow a lattice over points: from a cell of four neighbours outwards, as far as a plane in perspective explains them.

Convention: lattice coordinates are (x, y), whole numbers at the points; in the picture y is a quarter turn clockwise
from x.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.pose import fit_homography

__all__ = ["Grown", "GrowthConfig", "cells", "finest", "grow"]

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


_FINER = tuple(
    np.array(rows, np.float64) for rows in ([[1, 1, 0], [-1, 1, 0], [0, 0, 1]], [[2, 0, 0], [0, 2, 0], [0, 0, 1]])
)
"""Lattices of which another is every other point: the places of the one from those of the other."""


@dataclass(frozen=True)
class GrowthConfig:
    """How a lattice is grown.

    ``seeds`` points are tried as a corner of a cell, ``at_once`` of them together, each with ``arms`` of its
    neighbours. A cell closes when its fourth corner is missed by less than ``closing`` of a side; its sides meet at a
    sine above ``sine`` and differ by less than the factor ``skew``. A point belongs when it lies within ``near``
    pitches of its place, in the end within ``final``. A lattice with ``gain`` times the points is the true one. Points
    that are there by chance miss their places by more than ``chance``, in the middle. From ``many`` points on those
    that miss their places count less.
    """

    seeds: int = 24
    at_once: int = 6
    arms: int = 5
    closing: float = 0.25
    sine: float = 0.5
    skew: float = 1.9
    near: float = 0.25
    final: float = 0.16
    gain: float = 1.3
    chance: float = 0.085
    many: int = 16
    rounds: int = 16


@dataclass(frozen=True, eq=False)
class Grown:
    """A lattice over points.

    Its homography (3, 3) to pixels, the numbers (n,) of its points, their places (n, 2), and which share they are of
    all the points in their midst.
    """

    matrix: Floats
    members: Integers
    places: Integers
    filled: float = 1.0


def cells(points: Floats, config: GrowthConfig) -> Iterator[Integers]:
    """Yield cells of four neighbours, (4,) numbers: corner, along x, along y, opposite; likely ones first."""
    if len(points) < 4:
        return
    inward = np.argsort(((points - np.median(points, axis=0)) ** 2).sum(axis=1), kind="stable")
    corners = inward[:: max(1, len(points) // config.seeds)][: config.seeds]
    known = set[frozenset[int]]()
    for first in range(0, len(corners), config.at_once):
        for cell in _cells_at(points, corners[first : first + config.at_once], config):
            if frozenset(cell.tolist()) not in known:
                known.add(frozenset(cell.tolist()))
                yield cell


def _cells_at(points: Floats, corners: Integers, config: GrowthConfig) -> Integers:
    """The cells (n, 4) with a corner at one of these points, likely ones first."""
    corner, along_x, along_y = _arms(points, corners, config)
    x_arm, y_arm = points[along_x] - points[corner], points[along_y] - points[corner]
    misses = ((points[None] - (points[corner] + x_arm + y_arm)[:, None]) ** 2).sum(axis=2)
    opposite = misses.argmin(axis=1)
    scale = (np.linalg.norm(x_arm, axis=1) + np.linalg.norm(y_arm, axis=1)) / 2
    closing = np.sqrt(misses.min(axis=1)) / np.maximum(scale, 1e-9)
    closed = np.flatnonzero((closing < config.closing) & (opposite != corner))
    if not len(closed):
        return np.zeros((0, 4), np.int64)
    cost = closing[closed] + scale[closed] / float(np.median(scale[closed]))
    order = closed[np.argsort(cost, kind="stable")]
    return np.stack([corner, along_x, along_y, opposite], axis=1)[order]


def _arms(points: Floats, corners: Integers, config: GrowthConfig) -> tuple[Integers, Integers, Integers]:
    """Pairs of neighbours of ``corners`` that could be the two sides of a cell, the second clockwise from the first."""
    gaps = ((points[None] - points[corners, None]) ** 2).sum(axis=2)
    gaps[np.arange(len(corners)), corners] = np.inf
    near = np.argsort(gaps, axis=1, kind="stable")[:, : min(config.arms, len(points) - 1)]
    first, second = (index.ravel() for index in np.meshgrid(range(near.shape[1]), range(near.shape[1])))
    corner, along_x, along_y = np.repeat(corners, len(first)), near[:, first].ravel(), near[:, second].ravel()
    x_arm, y_arm = points[along_x] - points[corner], points[along_y] - points[corner]
    x_long, y_long = np.linalg.norm(x_arm, axis=1), np.linalg.norm(y_arm, axis=1)
    sine = (x_arm[:, 0] * y_arm[:, 1] - x_arm[:, 1] * y_arm[:, 0]) / np.maximum(x_long * y_long, 1e-9)
    kept = (sine > config.sine) & (np.maximum(x_long, y_long) < config.skew * np.minimum(x_long, y_long))
    return corner[kept], along_x[kept], along_y[kept]


def grow(points: Floats, matrix: Floats, box: Floats, config: GrowthConfig) -> Grown | None:
    """Return the lattice over ``points`` (n, 2) that extends ``matrix``, or None.

    ``box`` (2, 2) holds the least and the greatest lattice coordinates at which ``matrix`` is trusted.
    """
    before = -1
    for _ in range(config.rounds):
        members, places, miss = _members(points, matrix, _wider(box), config.near)
        fitted = _fit_plane(places.astype(np.float64), points[members], _truth(miss, config))
        if fitted is None:
            return None
        matrix = fitted
        box = np.stack([np.minimum(places.min(axis=0), box[0]), np.maximum(places.max(axis=0), box[1])])
        if len(members) <= before:
            break
        before = len(members)
    members, places, _ = _members(points, matrix, _wider(box), config.final)
    fitted = _fit_plane(places.astype(np.float64), points[members])
    if fitted is None or float(np.median(_misses(points[members], fitted)[1])) > config.chance:
        return None
    whole, _ = _misses(points, fitted)
    about = ((whole >= places.min(axis=0)) & (whole <= places.max(axis=0))).all(axis=1)
    return Grown(fitted, members, places, len(members) / max(1, int(about.sum())))


def _truth(miss: Floats, config: GrowthConfig) -> Floats | None:
    """What each point counts: the less, the farther it was from its place; None where too few can tell."""
    if len(miss) < config.many:
        return None
    return np.asarray(1 / (1 + (miss / max(float(np.median(miss)), 0.01)) ** 2), np.float64)


def finest(points: Floats, grown: Grown, config: GrowthConfig) -> Grown:
    """Return the finer lattice of which ``grown`` has every other point, should it have been grown along diagonals or
    over every other line; else ``grown``.
    """
    for finer in _FINER:
        matrix = grown.matrix @ np.linalg.inv(finer)
        places = grown.places @ finer[:2, :2].T
        box = np.stack([places.min(axis=0), places.max(axis=0)])
        members, _, _ = _members(points, matrix, box, config.final)
        if len(members) > config.gain * len(grown.members):
            again = grow(points, matrix, box, config)
            if again is not None and len(again.members) > config.gain * len(grown.members):
                return finest(points, again, config)
    return grown


def _wider(box: Floats) -> Floats:
    step = np.maximum(1.0, np.floor((box[1] - box[0]) / 2.5))
    return np.stack([box[0] - step, box[1] + step])


def _members(points: Floats, matrix: Floats, box: Floats, near: float) -> tuple[Integers, Integers, Floats]:
    """Which of ``points`` lie at whole coordinates within ``box``, the best one a place; where, and by how much off."""
    whole, miss = _misses(points, matrix)
    kept = np.flatnonzero((miss < near) & (whole >= box[0]).all(axis=1) & (whole <= box[1]).all(axis=1))
    kept = kept[np.argsort(miss[kept], kind="stable")]
    places = whole[kept].astype(np.int64)
    _, first = np.unique(places[:, 0] * 4_000_003 + places[:, 1], return_index=True)
    first = np.sort(first)
    return kept[first], places[first], miss[kept[first]]


def _misses(points: Floats, matrix: Floats) -> tuple[Floats, Floats]:
    """The whole lattice coordinates nearest to each point, (n, 2), and by how much it misses them, (n,)."""
    back = np.linalg.inv(matrix)
    lines = points @ back[:, :2].T + back[:, 2]
    depth = lines[:, 2:]
    depth[np.abs(depth) < 1e-12] = 1e-12
    found = np.clip(lines[:, :2] / depth, -1e6, 1e6)
    whole = np.rint(found)
    return whole, np.abs(found - whole).max(axis=1)


def _fit_plane(places: Floats, pixels: Floats, weights: Floats | None = None) -> Floats | None:
    """The homography, or where few points are close together the affine map, from ``places`` to ``pixels``."""
    if len(places) < 4:
        return None
    extent = np.sort(np.ptp(places, axis=0))
    if extent[0] == 0:
        return None
    matrix: Floats | None = None
    if len(places) >= 9 and extent[0] >= 2 and extent[1] >= 3:
        matrix = fit_homography(places, pixels, weights)
    else:
        solved = np.linalg.lstsq(np.column_stack([places, np.ones(len(places))]), pixels, rcond=None)[0]
        matrix = np.vstack([solved.T, [0.0, 0.0, 1.0]])
    return matrix if matrix is not None and abs(float(np.linalg.det(matrix))) > 1e-12 else None
