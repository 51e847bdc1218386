"""A camera over a plane: from homographies to a pinhole's pose, and its refinement by least squares.

Convention: a point of the scene is (x, y, height) in pitches of the lattice, height upwards from the plane of the
board; pixels as in :mod:`vision.geometry`. Cameras have square pixels and the principal point in the middle of the
picture. Method: Zhang, "A flexible new technique for camera calibration" (2000), for the pose of a plane; Levenberg
and Marquardt for the refinement.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

__all__ = [
    "Constraints",
    "Pose",
    "PoseConfig",
    "best_pose",
    "fit_homography",
    "points_seen",
    "pose_of",
    "refine",
    "skew_of",
]

Floats = npt.NDArray[np.float64]

_TINY = 1e-9
_NEXT, _LAST = [1, 2, 0], [2, 0, 1]
"""Axes of a cross product, which numpy's own takes several times as long for."""


@dataclass(frozen=True)
class PoseConfig:
    """What is assumed of cameras, and how a pose is refined.

    ``focal`` are the focal lengths tried, in longer sides of the picture; ``likely_focal`` and ``focal_spread`` (in ln
    units) say which to expect. ``steps`` bounds the refinement; a residual of ``outlier`` standard errors counts half.
    """

    focal: tuple[float, ...] = (0.55, 0.7, 0.85, 1.05, 1.4, 2.2)
    likely_focal: float = 0.85
    focal_spread: float = 0.35
    steps: int = 12
    outlier: float = 3.0


@dataclass(frozen=True, eq=False)
class Pose:
    """A pinhole camera over the plane of a board.

    ``focal`` in pixels, ``middle`` (2,) the principal point, ``rotation`` (3, 3) whose columns are the directions of x,
    of y and away from the camera through the board, ``offset`` (3,) the lattice's origin before the camera, in pitches.
    """

    focal: float
    middle: Floats
    rotation: Floats
    offset: Floats

    def plane(self, height: float = 0.0) -> Floats:
        """Return the homography (3, 3) from lattice to pixels of the plane at ``height`` above the board."""
        lens = np.array([[self.focal, 0, self.middle[0]], [0, self.focal, self.middle[1]], [0, 0, 1]])
        frame = np.column_stack([self.rotation[:, :2], self.offset - height * self.rotation[:, 2]])
        return np.asarray(lens @ frame, np.float64)

    def before(self, points: Floats) -> Floats:
        """Return points (n, 3) of the scene in the camera's axes, (n, 3): right, down, ahead."""
        signed = points * np.array([1.0, 1.0, -1.0])
        return np.asarray(signed @ self.rotation.T + self.offset, np.float64)

    def project(self, points: Floats) -> Floats:
        """Return the pixels (n, 2) of points (n, 3) of the scene."""
        ahead = self.before(points)
        return np.asarray(self.focal * ahead[:, :2] / ahead[:, 2:] + self.middle, np.float64)

    def locate(self, pixels: Floats, height: float = 0.0) -> Floats:
        """Return where on the plane at ``height`` the ``pixels`` (..., 2) lie, (..., 2) in pitches."""
        back = np.linalg.inv(self.plane(height))
        lines = pixels @ back[:, :2].T + back[:, 2]
        return np.asarray(lines[..., :2] / lines[..., 2:], np.float64)

    @property
    def tilt(self) -> float:
        """Degrees between the line of sight and straight down."""
        return math.degrees(math.acos(min(1.0, abs(float(self.rotation[2, 2])))))


@dataclass(frozen=True, eq=False)
class Constraints:
    """What a pose must fulfil: ``normals`` . pixel of ``points`` = ``targets``, within ``errors`` pixels.

    ``points`` (m, 3) in the scene, ``normals`` (m, 2) unit vectors, ``targets`` and ``errors`` (m,).
    """

    points: Floats
    normals: Floats
    targets: Floats
    errors: Floats

    def __add__(self, other: Constraints) -> Constraints:
        return Constraints(
            np.concatenate([self.points, other.points]),
            np.concatenate([self.normals, other.normals]),
            np.concatenate([self.targets, other.targets]),
            np.concatenate([self.errors, other.errors]),
        )

    def residuals(self, pose: Pose) -> Floats:
        """Return the (m,) misfits in standard errors."""
        pixels = pose.project(self.points)
        return np.asarray(((self.normals * pixels).sum(axis=1) - self.targets) / self.errors, np.float64)


def points_seen(points: Floats, pixels: Floats, errors: float | Floats) -> Constraints:
    """Return the constraints that ``points`` (n, 3) of the scene appear at ``pixels`` (n, 2), within ``errors``."""
    axes = np.repeat(np.eye(2), len(points), axis=0)
    both = np.concatenate([pixels[:, 0], pixels[:, 1]])
    spread = np.broadcast_to(np.asarray(errors, np.float64), len(points))
    return Constraints(np.concatenate([points, points]), axes, both, np.concatenate([spread, spread]))


def fit_homography(source: Floats, target: Floats, weights: Floats | None = None) -> Floats | None:
    """Return the (3, 3) homography from ``source`` to ``target``, both (n, 2), by least squares; None if there is none.

    Points are normalised as by Hartley, "In defence of the eight-point algorithm" (1997).
    """
    if len(source) < 4:
        return None
    from_source, from_target = _normaliser(source), _normaliser(target)
    (x, y), (u, v) = (
        (source * from_source[0, 0] + from_source[:2, 2]).T,
        (target * from_target[0, 0] + from_target[:2, 2]).T,
    )
    flat = np.column_stack([x, y, np.ones_like(x)])
    counted = flat if weights is None else flat * (weights**2)[:, None]
    normal = np.zeros((9, 9))
    normal[:3, :3] = normal[3:6, 3:6] = counted.T @ flat
    normal[:3, 6:] = normal[6:, :3] = -counted.T @ (flat * u[:, None])
    normal[3:6, 6:] = normal[6:, 3:6] = -counted.T @ (flat * v[:, None])
    normal[6:, 6:] = counted.T @ (flat * (u**2 + v**2)[:, None])
    values, vectors = np.linalg.eigh(normal)
    if values[1] < 1e-9 * max(float(values[-1]), _TINY):
        return None
    found = np.linalg.inv(from_target) @ vectors[:, 0].reshape(3, 3) @ from_source
    return np.asarray(found / found.flat[np.abs(found).argmax()], np.float64)


def _normaliser(points: Floats) -> Floats:
    middle = points.mean(axis=0)
    scale = math.sqrt(2) / max(float(np.sqrt(((points - middle) ** 2).sum(axis=1)).mean()), _TINY)
    return np.array([[scale, 0, -scale * middle[0]], [0, scale, -scale * middle[1]], [0, 0, 1]])


def pose_of(matrix: Floats, focal: float, middle: Floats, at: Floats) -> Pose:
    """Return the pose nearest to the plane's homography ``matrix``, with ``focal`` pixels; ``at`` (2,) is in view."""
    lens = np.array([[1 / focal, 0, -middle[0] / focal], [0, 1 / focal, -middle[1] / focal], [0, 0, 1]])
    frame = lens @ matrix
    if frame[2] @ np.append(at, 1.0) < 0:
        frame = -frame
    left, sizes, right = np.linalg.svd(frame[:, :2], full_matrices=False)
    axes = left @ right
    rotation = np.column_stack([axes, np.cross(axes[:, 0], axes[:, 1])])
    return Pose(focal, middle, rotation, frame[:, 2] / float(sizes.mean()))


def skew_of(matrix: Floats, focal: float, middle: Floats) -> float:
    """Return how far the axes of the plane's homography are from equal lengths and a right angle: 0 for squares."""
    frame = (
        np.diag([1 / focal, 1 / focal, 1.0]) @ np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, 1]]) @ matrix
    )
    x_axis, y_axis = frame[:, 0], frame[:, 1]
    x_long, y_long = float(np.linalg.norm(x_axis)), float(np.linalg.norm(y_axis))
    return (float(x_axis @ y_axis) / (x_long * y_long)) ** 2 + math.log(x_long / y_long) ** 2


def best_pose(matrix: Floats, constraints: Constraints, size: tuple[int, int], at: Floats, config: PoseConfig) -> Pose:
    """Return the pose, over the focal lengths to be expected, that fits a plane's homography and constraints best.

    ``size`` is (width, height) of the picture; ``at`` (2,) a point of the plane in view.
    """
    middle = (np.array(size, np.float64) - 1) / 2
    poses = [pose_of(matrix, focal * max(size), middle, at) for focal in config.focal]
    costs = [_cost(pose, constraints, max(size), config) for pose in poses]
    return poses[int(np.argmin(costs))]


def _cost(pose: Pose, constraints: Constraints, longer: int, config: PoseConfig) -> float:
    return _robust(_residuals(pose, constraints, longer, config), config)


def _focal_misfit(focal: float, longer: int, config: PoseConfig) -> float:
    return math.log(focal / (config.likely_focal * longer)) / config.focal_spread


def refine(pose: Pose, constraints: Constraints, size: tuple[int, int], config: PoseConfig) -> Pose:
    """Return ``pose`` with its focal length, rotation and offset fitted to the constraints, outliers counted less."""
    damping, cost = 1e-3, math.inf
    for _ in range(config.steps):
        jacobian, residuals = _linearised(pose, constraints, max(size), config)
        weights = 1 / (1 + (residuals / config.outlier) ** 2)
        weights[-1] = 1.0
        now = _robust(residuals, config)
        normal = jacobian.T @ (jacobian * weights[:, None])
        slope = jacobian.T @ (residuals * weights)
        moved, then = pose, math.inf
        for _ in range(4):
            damped = normal + damping * np.diag(normal.diagonal() + _TINY)
            step = np.asarray(np.linalg.solve(damped, -slope), np.float64)
            moved = _moved(pose, step)
            then = _robust(_residuals(moved, constraints, max(size), config), config)
            if then <= now:
                break
            damping *= 10
        if then > now:
            break
        pose, damping = moved, damping / 10
        if now - then < 1e-3 * (1 + then) and abs(cost - then) < 1e-2 * (1 + then):
            break
        cost = then
    return pose


def _robust(residuals: Floats, config: PoseConfig) -> float:
    scaled = (residuals[:-1] / config.outlier) ** 2
    return float(config.outlier**2 * np.log1p(scaled).sum() + residuals[-1] ** 2)


def _residuals(pose: Pose, constraints: Constraints, longer: int, config: PoseConfig) -> Floats:
    ahead = pose.before(constraints.points)[:, 2]
    misfits = constraints.residuals(pose)
    misfits = np.where(ahead > _TINY, misfits, 1e6)
    return np.append(misfits, _focal_misfit(pose.focal, longer, config))


def _linearised(pose: Pose, constraints: Constraints, longer: int, config: PoseConfig) -> tuple[Floats, Floats]:
    """The jacobian (m + 1, 7) by rotation, offset and ln focal, and the residuals (m + 1,); the prior comes last."""
    ahead = pose.before(constraints.points)
    turned = ahead - pose.offset
    depth = np.maximum(ahead[:, 2], _TINY)
    x, y = ahead[:, 0] / depth, ahead[:, 1] / depth
    across, down = constraints.normals.T * (pose.focal / constraints.errors)
    slope = np.stack([across / depth, down / depth, -(across * x + down * y) / depth], axis=1)
    jacobian = np.zeros((len(depth) + 1, 7))
    jacobian[:-1, :3] = turned[:, _NEXT] * slope[:, _LAST] - turned[:, _LAST] * slope[:, _NEXT]
    jacobian[:-1, 3:6] = slope
    jacobian[:-1, 6] = across * x + down * y
    jacobian[-1, 6] = 1 / config.focal_spread
    return jacobian, _residuals(pose, constraints, longer, config)


def _moved(pose: Pose, step: Floats) -> Pose:
    angle = float(np.linalg.norm(step[:3]))
    axis = step[:3] / max(angle, _TINY)
    cross = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    turn = np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * (cross @ cross)
    focal = pose.focal * math.exp(float(np.clip(step[6], -0.5, 0.5)))
    return replace(pose, focal=focal, rotation=turn @ pose.rotation, offset=pose.offset + step[3:6])
