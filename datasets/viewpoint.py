"""A pinhole camera in space: where it stands, what it sees of points and planes above the table.

Convention: the table is the plane z = 0 in millimetres, x to the right, y down as seen from above, z into the table, so
what stands on it has z below 0; pixels have their centres at integer coordinates.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["Viewpoint", "looking", "random_viewpoint"]

Random = np.random.Generator
Points = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Viewpoint:
    """A camera that sees ``size`` (width, height) pixels with a focal length of ``focal`` pixels.

    ``rotation`` (3, 3) turns the world's axes into the camera's; ``eye`` (3,) is where it stands, in millimetres.
    """

    size: tuple[int, int]
    focal: float
    rotation: Points
    eye: Points

    @property
    def _middle(self) -> Points:
        return (np.array(self.size) - 1) / 2

    def project(self, points: npt.ArrayLike) -> Points:
        """Map (n, 3) millimetres in front of the camera to (n, 2) pixels."""
        seen = (np.asarray(points, np.float64) - self.eye) @ self.rotation.T
        return np.asarray(self.focal * seen[:, :2] / seen[:, 2:] + self._middle)

    def depth(self, points: npt.ArrayLike) -> Points:
        """Return how far (n, 3) points lie before the camera, in millimetres; negative behind it."""
        return np.asarray((np.asarray(points, np.float64) - self.eye) @ self.rotation[2])

    def plane(self, height: float = 0.0) -> Points:
        """Return the (3, 3) homography from (x, y) millimetres on the plane at ``height`` above the table to pixels."""
        intrinsic = np.array([[self.focal, 0, self._middle[0]], [0, self.focal, self._middle[1]], [0, 0, 1]])
        shift = self.rotation @ (np.array([0, 0, -height]) - self.eye)
        return np.asarray(intrinsic @ np.column_stack([self.rotation[:, 0], self.rotation[:, 1], shift]))

    def rays(self, x: npt.NDArray[np.float32], y: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Return (..., 3) float32 directions of the rays through pixels ``x``, ``y`` of any shape, not of length 1."""
        forward = np.stack(
            [(x - self._middle[0]) / self.focal, (y - self._middle[1]) / self.focal, np.ones_like(x)], -1
        )
        return np.asarray(forward @ self.rotation, np.float32)


def looking(
    size: tuple[int, int], focal: float, angles: tuple[float, float], distance: float, target: Points
) -> Viewpoint:
    """Return a camera that looks at ``target`` (3,) from ``distance`` millimetres.

    ``angles`` are its tilt from straight above and its turn about the line of sight, in radians.
    """
    tilt, spin = angles
    lean = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    turn = np.array([[np.cos(spin), -np.sin(spin), 0], [np.sin(spin), np.cos(spin), 0], [0, 0, 1]])
    rotation = lean @ turn
    return Viewpoint(size, focal, rotation, target - rotation.T @ np.array([0, 0, distance]))


def _spread(view: Viewpoint, points: Points) -> float:
    """How much of the picture the points span, 1 when they just fit; infinite when some lie behind the camera."""
    if (view.depth(points) < 30).any():
        return float("inf")
    pixels = view.project(points)
    return float(((pixels.max(axis=0) - pixels.min(axis=0)) / view.size).max())


def random_viewpoint(
    rng: Random, size: tuple[int, int], points: Points, tilt: tuple[float, float] = (0.0, 45.0), near: float = 0.5
) -> Viewpoint:
    """Return a camera above the table that sees (n, 3) ``points``, for the share ``near`` not quite all of them.

    ``tilt`` is the range of its angle from straight above in degrees; it may be turned any way round.
    """
    focal = rng.uniform(0.7, 1.6) * max(size)
    angles = (float(np.radians(rng.uniform(*tilt))), float(rng.uniform(0, 2 * np.pi)))
    centre = (points.min(axis=0) + points.max(axis=0)) / 2
    low, high = 20.0, 20_000.0
    for _ in range(30):
        distance = (low * high) ** 0.5
        fits = _spread(looking(size, focal, angles, distance, centre), points) <= 0.96
        low, high = (low, distance) if fits else (distance, high)
    distance = high * (rng.uniform(0.55, 1.0) if rng.random() < near else 1 + abs(rng.normal(0, 0.2)))
    reach = (points.max(axis=0) - points.min(axis=0)) * [1, 1, 0]
    view = looking(size, focal, angles, distance, centre + rng.normal(0, 0.08, 3) * reach)
    return view if np.isfinite(_spread(view, points)) else looking(size, focal, angles, high, centre)
