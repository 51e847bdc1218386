"""The lattice of a board of Cubed in a picture, up to a shift by whole squares and quarter turns.

Two things show it: the crossings of the printed lines, and the top faces of the dice, about one pitch higher.
Either gives a homography of its plane, and the camera's pose ties the two planes together.

Convention: lattice coordinates are (x, y) in pitches; crossings lie at whole numbers, and the square (x, y) spans
[x, x + 1] x [y, y + 1]. Heights are in pitches, upwards. y is a quarter turn clockwise from x in the picture.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import islice

import numpy as np
import numpy.typing as npt

from vision.dice_chain import ChainConfig, chain
from vision.growth import Grown, GrowthConfig, cells, finest, grow
from vision.pose import Constraints, Pose, PoseConfig, best_pose, fit_homography, points_seen, refine, skew_of

__all__ = ["Lattice", "LatticeConfig", "find_lattice", "lattice_upon"]

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class LatticeConfig:
    """How a lattice is found.

    The best ``grown`` cells of crossings are grown until one is plainly the lattice: it holds ``enough`` of all
    crossings or of the dice, more than ``sparse`` crossings, ``filled`` of those in its midst on ``taken`` of its own
    places, or ``taken_plainly``. Else the dice are asked as well. A lattice needs ``fewest`` crossings and
    ``filled_least`` of those in its midst; with ``sparse`` or fewer the camera's pose gives the plane. The pose is
    fitted to every other, third … crossing, so that they are about as many as ``fitted`` says. Lattices that share
    ``same`` of their crossings are the same.
    ``crossing_error`` in pixels and ``die_error`` in pitches are standard errors. ``edge`` is a die's likely edge in
    pitches, ``edges`` the range believed, ``rise`` its height over the side of its top face. A die stands upon a
    square when it is at most ``astray`` pitches off where the others say, which are within ``near`` of each other, and
    at most ``turned`` (a sine) off the lattice's direction.
    """

    grown: int = 5
    enough: float = 0.6
    filled: float = 0.8
    filled_least: float = 0.5
    taken: float = 0.55
    taken_plainly: float = 0.7
    same: float = 0.9
    fewest: int = 6
    sparse: int = 24
    fitted: int = 60
    crossing_error: float = 1.0
    die_error: float = 0.06
    edge: float = 0.91
    edges: tuple[float, float] = (0.72, 1.06)
    rise: float = 1.02
    astray: float = 0.36
    near: float = 0.2
    turned: float = 0.45
    pose: PoseConfig = field(default_factory=PoseConfig)
    chain: ChainConfig = field(default_factory=ChainConfig)
    growth: GrowthConfig = field(default_factory=GrowthConfig)


@dataclass(frozen=True, eq=False)
class Lattice:
    """A lattice seen.

    ``pose`` is the camera over its plane, ``matrix`` (3, 3) the plane's homography to pixels. ``members`` (n,) are the
    numbers of the crossings that belong to it and ``places`` (n, 2) their lattice coordinates. ``squares`` (k, 2) are
    the squares under the k dice, ``offsets`` (k, 2) how far in pitches the dice stand from the squares' middles,
    ``standing`` (k,) whether each stands upon one. ``phase`` (2,) is the offset that all dice share: near 0 where the
    camera's pose is right. ``edge`` is the dice's edge in pitches.
    """

    pose: Pose
    matrix: Floats
    members: Integers
    places: Integers
    squares: Integers
    offsets: Floats
    standing: Flags
    phase: Floats
    edge: float

    @property
    def support(self) -> float:
        """How much there is to it: crossings, less where places are empty, and most of all dice."""
        return len(self.members) * math.sqrt(self.taken) + 40 * float(self.standing.sum())

    @property
    def taken(self) -> float:
        """Which share of the places within the extent of its crossings has one, in 0..1, of those in the picture."""
        if not len(self.members):
            return 0.0
        first, last = self.places.min(axis=0), self.places.max(axis=0)
        columns, rows = np.meshgrid(np.arange(first[0], last[0] + 1), np.arange(first[1], last[1] + 1))
        pixels = _through(np.stack([columns.ravel(), rows.ravel()], axis=1).astype(np.float64), self.matrix)
        shown = ((pixels > 0) & (pixels < 2 * self.pose.middle)).all(axis=1).sum()
        return float(len(self.members) / max(len(self.members), shown - self.standing.sum()))


def find_lattice(
    crossings: npt.ArrayLike, quads: npt.ArrayLike, size: tuple[int, int], config: LatticeConfig | None = None
) -> Lattice | None:
    """Return the lattice under ``crossings`` (n, 3) (x, y, score) and top faces ``quads`` (k, 4, 2), or None.

    All in pixels of a picture of ``size`` (width, height); the corners of a face run clockwise.
    """
    chosen = config or LatticeConfig()
    points = np.asarray(crossings, np.float64).reshape(-1, 3)[:, :2]
    faces = np.asarray(quads, np.float64).reshape(-1, 4, 2)
    best: Lattice | None = None
    known = set[frozenset[int]]()
    for grown in _grown_from_cells(points, size, chosen):
        members = frozenset(grown.members.tolist())
        if any(len(members & others) > chosen.same * len(members | others) for others in known):
            continue
        known.add(members)
        best = _better(best, _from_plane(grown, points, faces, size, chosen))
        if best is not None and _is_enough(best, grown.filled, len(points), chosen):
            break
    else:
        best = _better(best, _from_dice(points, faces, size, chosen))
    return best


def _is_enough(lattice: Lattice, filled: float, many: int, config: LatticeConfig) -> bool:
    """Whether a lattice is plainly the board's; it holds the share ``filled`` of the crossings in its midst."""
    members, dice = len(lattice.members), len(lattice.standing)
    if members <= config.sparse or (filled < config.filled and lattice.taken < config.taken_plainly):
        return False
    if lattice.taken < config.taken or (dice >= 3 and lattice.standing.sum() < config.enough * dice):
        return False
    stands = dice > 0 and lattice.standing.sum() >= config.enough * dice
    return members >= config.enough * many or (members > 2 * config.sparse and bool(stands))


def _better(first: Lattice | None, second: Lattice | None) -> Lattice | None:
    if first is None or second is None:
        return first or second
    return second if second.support > first.support else first


def _grown_from_cells(points: Floats, size: tuple[int, int], config: LatticeConfig) -> Iterator[Grown]:
    for cell in islice(cells(points, config.growth), config.grown):
        corner, along_x, along_y = points[cell[:3]]
        matrix = np.vstack([np.column_stack([along_x - corner, along_y - corner, corner]), [0.0, 0.0, 1.0]])
        grown = grow(points, matrix, np.array([[0.0, 0.0], [1.0, 1.0]]), config.growth)
        if grown is not None and len(grown.members) >= config.fewest and grown.filled >= config.filled_least:
            squared = _squared(grown, size, config)
            yield _squared(finest(points, squared, config.growth), size, config)


_SHEARS = tuple(
    np.array(rows, np.int64) for rows in ([[1, 1], [0, 1]], [[1, -1], [0, 1]], [[1, 0], [1, 1]], [[1, 0], [-1, 1]])
)


def _squared(grown: Grown, size: tuple[int, int], config: LatticeConfig) -> Grown:
    """The same lattice along the sides of its squares, should it have been grown along a diagonal."""
    focal, middle = config.pose.likely_focal * max(size), (np.array(size, np.float64) - 1) / 2
    for _ in range(3):
        turned = [_sheared(grown, shear) for shear in _SHEARS]
        best = min([grown, *turned], key=lambda one: skew_of(one.matrix, focal, middle))
        if best is grown:
            break
        grown = best
    return grown


def _sheared(grown: Grown, shear: Integers) -> Grown:
    whole = np.eye(3)
    whole[:2, :2] = shear
    return replace(grown, matrix=grown.matrix @ np.linalg.inv(whole), places=grown.places @ shear.T)


def _from_plane(
    grown: Grown, points: Floats, faces: Floats, size: tuple[int, int], config: LatticeConfig
) -> Lattice | None:
    seen = _crossings_seen(grown, points, config)
    pose = best_pose(grown.matrix, seen, size, grown.places.mean(axis=0), config.pose)
    return _tied(refine(pose, seen, size, config.pose), seen, grown, faces, size, config)


def _crossings_seen(grown: Grown, points: Floats, config: LatticeConfig) -> Constraints:
    stride = max(1, len(grown.members) // config.fitted)
    places = _lifted(grown.places[::stride].astype(np.float64), 0.0)
    return points_seen(places, points[grown.members[::stride]], config.crossing_error)


def _lifted(flat: Floats, height: float) -> Floats:
    return np.column_stack([flat, np.full(len(flat), height)])


def _from_dice(points: Floats, faces: Floats, size: tuple[int, int], config: LatticeConfig) -> Lattice | None:
    linked = chain(faces, config.chain)
    if linked is None:
        return None
    corners, pixels = linked.corners.reshape(-1, 2), faces[linked.members].reshape(-1, 2)
    top = fit_homography(corners, pixels)
    if top is None:
        return None
    height = linked.edge * config.rise
    error = np.repeat(_die_errors(faces[linked.members], linked.edge, config), 4)
    flat = points_seen(_lifted(corners, 0.0), pixels, error)
    pose = best_pose(top, flat, size, corners.mean(axis=0), config.pose)
    pose = replace(pose, offset=pose.offset + height * pose.rotation[:, 2])
    seen = points_seen(_lifted(corners, height), pixels, error)
    pose = refine(pose, seen, size, config.pose)
    box = np.stack([np.floor(corners.min(axis=0)), np.ceil(corners.max(axis=0))])
    grown = grow(points, pose.plane(), box, config.growth)
    if grown is None or grown.filled < config.filled_least:
        return _placed(pose, Grown(pose.plane(), *_nothing()), faces, config)
    seen = seen + _crossings_seen(grown, points, config)
    return _tied(refine(pose, seen, size, config.pose), seen, grown, faces, size, config)


def _nothing() -> tuple[Integers, Integers]:
    return np.zeros(0, np.int64), np.zeros((0, 2), np.int64)


def _die_errors(faces: Floats, edge: float, config: LatticeConfig) -> Floats:
    pitch = np.linalg.norm(np.roll(faces, -1, axis=1) - faces, axis=2).mean(axis=1) / edge
    return np.asarray(np.maximum(config.die_error * pitch, config.crossing_error), np.float64)


def _tied(
    pose: Pose, seen: Constraints, grown: Grown, faces: Floats, size: tuple[int, int], config: LatticeConfig
) -> Lattice | None:
    """The lattice with the dice on it, after the pose was fitted to both."""
    placed = _placed(pose, grown, faces, config)
    if placed is None or not placed.standing.any():
        return placed
    upon = faces[placed.standing]
    middles = _lifted(placed.squares[placed.standing].astype(np.float64) + 0.5, placed.edge * config.rise)
    dice = points_seen(middles, upon.mean(axis=1), _die_errors(upon, placed.edge, config))
    return _placed(refine(pose, seen + dice, size, config.pose), grown, faces, config)


def _placed(pose: Pose, grown: Grown, faces: Floats, config: LatticeConfig) -> Lattice | None:
    """The lattice with each die upon its square; None when little but faces of no likely size speaks for it."""
    edge, tops, likely = config.edge, np.zeros((0, 4, 2)), np.zeros(0, bool)
    for _ in range(2 if len(faces) else 0):
        tops = pose.locate(faces, edge * config.rise)
        sides = np.linalg.norm(np.roll(tops, -1, axis=1) - tops, axis=2).mean(axis=1)
        likely = (sides >= config.edges[0]) & (sides <= config.edges[1]) & (_skew(tops) < config.turned)
        edge = float(np.median(sides[likely])) if likely.any() else config.edge
    if len(faces) and not likely.any() and len(grown.members) <= config.sparse:
        return None
    middles = tops.mean(axis=1) - 0.5
    phase = _phase(middles[likely], config)
    squares = np.rint(middles - phase).astype(np.int64)
    offsets = middles - squares
    standing = likely & (np.abs(offsets - phase).max(axis=1, initial=0) < config.astray)
    matrix = grown.matrix if len(grown.members) > config.sparse else pose.plane()
    return Lattice(pose, matrix, grown.members, grown.places, squares, offsets, standing, phase, edge)


def _phase(middles: Floats, config: LatticeConfig) -> Floats:
    """The (2,) offset from whole squares that most ``middles`` (n, 2) share; about 0 if that explains half as many."""
    if not len(middles):
        return np.zeros(2)
    common = np.angle(np.exp(2j * np.pi * middles).sum(axis=0)) / (2 * np.pi)
    shared = [np.abs((middles - phase + 0.5) % 1 - 0.5).max(axis=1) < config.near for phase in (np.zeros(2), common)]
    chosen, start = (shared[0], np.zeros(2)) if 2 * shared[0].sum() >= shared[1].sum() else (shared[1], common)
    if not chosen.any():
        return np.asarray(start, np.float64)
    return np.asarray(start + ((middles[chosen] - start + 0.5) % 1 - 0.5).mean(axis=0), np.float64)


def _skew(tops: Floats) -> Floats:
    """The sine of the angle between each face and the lattice, (k,)."""
    sides = tops[:, 1] - tops[:, 0]
    return np.asarray(np.abs(sides).min(axis=1) / np.maximum(np.linalg.norm(sides, axis=1), 1e-9), np.float64)


def lattice_upon(
    matrix: Floats,
    extent: tuple[int, int],
    crossings: npt.ArrayLike,
    quads: npt.ArrayLike,
    size: tuple[int, int],
    config: LatticeConfig | None = None,
) -> Lattice | None:
    """Return the lattice of a plane that is about known, with the dice of ``quads`` (k, 4, 2) upon it.

    ``matrix`` (3, 3) maps lattice coordinates from (0, 0) to ``extent`` (columns, rows) to pixels; where enough
    ``crossings`` (n, 3) are seen near whole coordinates, they say it better. None when the dice are of no likely size.
    """
    chosen = config or LatticeConfig()
    faces = np.asarray(quads, np.float64).reshape(-1, 4, 2)
    points = np.asarray(crossings, np.float64).reshape(-1, 3)[:, :2]
    given = _grid(matrix, extent)
    box = np.array([(1.0, 1.0), np.array(extent) - 1.0])
    grown = grow(points, matrix, box, chosen.growth)
    if grown is None or len(grown.members) <= chosen.sparse:
        seen, grown = given, Grown(matrix, *_nothing())
    else:
        seen = _crossings_seen(grown, points, chosen)
    pose = best_pose(grown.matrix, seen, size, np.array(extent) / 2, chosen.pose)
    placed = _tied(refine(pose, seen, size, chosen.pose), seen, grown, faces, size, chosen)
    return placed if placed is None or len(grown.members) else replace(placed, matrix=matrix)


def _grid(matrix: Floats, extent: tuple[int, int]) -> Constraints:
    """Six by six points of a plane, as ``matrix`` maps them."""
    steps = np.stack(np.meshgrid(np.linspace(0, extent[0], 6), np.linspace(0, extent[1], 6)), axis=-1).reshape(-1, 2)
    return points_seen(_lifted(steps, 0.0), _through(steps, matrix), 1.0)


def _through(points: Floats, matrix: Floats) -> Floats:
    mapped = points @ matrix[:, :2].T + matrix[:, 2]
    return np.asarray(mapped[:, :2] / mapped[:, 2:], np.float64)
