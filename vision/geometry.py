"""Plane geometry: homographies, crops, overlaps, and which way up a card lies.

Convention: points are (x, y) pixels, origin top left, x to the right, y down, pixel centres at integer coordinates
(the image's edge is at -0.5). Matrices are (3, 3) float64 and map column vectors (x, y, 1). Images are
(height, width, 3) uint8 in BGR order. Nothing here writes to an array of the caller.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.types import Image, Quad, VisionError

__all__ = [
    "CARD_ASPECT",
    "GeometryError",
    "UprightConfig",
    "from_unit",
    "homography",
    "order_clockwise",
    "quad_iou",
    "rectify",
    "rectify_each",
    "transform",
    "upright",
    "upright_together",
]

Points = npt.NDArray[np.float32]
Matrix = npt.NDArray[np.float64]
_Floats = npt.NDArray[np.float64]

CARD_ASPECT = 1.54
"""Long side over short side of a card; the decks lie in 1.51..1.58."""

_LINE = 1e-9
"""Twice the area in square pixels below which three points lie on one line."""

_TINY = 1e-12
_MOST_SAMPLES = 8
_STEP = 1.25
_LARGE = 4.0
"""Up to ``_LARGE`` pixels for one of the crop, bilinear samples ``_STEP`` pixels apart do not alias to speak of."""


class GeometryError(VisionError, ValueError):
    """Points or sizes from which nothing can be computed."""


@dataclass(frozen=True)
class UprightConfig:
    """What :func:`upright` assumes of cameras and corners.

    ``focal`` are the focal lengths tried, in longer image sides; ``likely_focal`` and ``focal_spread`` (in ln units)
    say which to expect. ``squeeze`` are the cosines of the tilts tried, ``directions`` how many tilt axes.
    ``noise`` is the error of a side or angle that counts as 1, ``tilt_cost`` the cost of the steepest tilt, and
    ``worst`` the most that one card may add, so that one bad quad does not decide for the others.
    """

    focal: tuple[float, ...] = (0.6, 0.8, 1.1, 1.6)
    likely_focal: float = 0.8
    focal_spread: float = 0.5
    squeeze: tuple[float, ...] = tuple(math.exp(-0.1 * step) for step in range(13))
    directions: int = 36
    noise: float = 0.05
    tilt_cost: float = 2.0
    worst: float = 40.0


def transform(points: npt.ArrayLike, matrix: npt.ArrayLike) -> Points:
    """Return ``points`` (n, 2) mapped by the homography ``matrix`` (3, 3), as (n, 2) float32."""
    flat = np.asarray(points, np.float64).reshape(-1, 2)
    mapped = np.column_stack([flat, np.ones(len(flat))]) @ np.asarray(matrix, np.float64).T
    return np.asarray(mapped[:, :2] / mapped[:, 2:], np.float32)


def homography(source: npt.ArrayLike, target: npt.ArrayLike) -> Matrix:
    """Return the (3, 3) homography that maps the four points ``source`` (4, 2) to ``target`` (4, 2).

    :raises GeometryError: either is no (4, 2) array, or three of its points lie on one line.
    """
    given, wanted = from_unit([_four(source), _four(target)])
    matrix = wanted @ np.linalg.inv(given)
    return np.asarray(matrix / matrix[2, 2] if abs(matrix[2, 2]) > _TINY else matrix, np.float64)


def _four(points: npt.ArrayLike) -> _Floats:
    array = np.asarray(points, np.float64)
    if array.shape != (4, 2) or not np.isfinite(array).all():
        raise GeometryError(f"expected four finite points of shape (4, 2); got shape {array.shape!r}")
    return array


def from_unit(corners: npt.ArrayLike) -> Matrix:
    """Return the (n, 3, 3) homographies that map the unit square to each of ``corners`` (n, 4, 2).

    In closed form, as by Heckbert, "Fundamentals of Texture Mapping and Image Warping" (1989), section 2.2.3: a photo
    has a hundred crops, and solving for each would take longer than cutting it.

    :raises GeometryError: three corners lie on one line.
    """
    array = np.asarray(corners, np.float64).reshape(-1, 4, 2)
    a, b, c, d = array.transpose(1, 2, 0)
    turns = np.abs([_turn(b, c, d), _turn(a, c, d), _turn(a, b, d), _turn(a, b, c)]).min(axis=0)
    if (turns < _LINE).any():
        flat = array[int(turns.argmin())].tolist()
        raise GeometryError(f"three of four points on one line have no homography: {flat!r}")
    across, down, together = b - c, d - c, a - b + c - d
    whole = across[0] * down[1] - down[0] * across[1]
    g = (together[0] * down[1] - down[0] * together[1]) / whole
    h = (across[0] * together[1] - together[0] * across[1]) / whole
    out = np.ones((len(array), 3, 3))
    out[:, :2, 0], out[:, :2, 1], out[:, :2, 2] = (b - a + g * b).T, (d - a + h * d).T, a.T
    out[:, 2, 0], out[:, 2, 1] = g, h
    return out


def _turn(a: _Floats, b: _Floats, c: _Floats) -> _Floats:
    return np.asarray((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]), np.float64)


def rectify(image: Image, quad: Quad, size: tuple[int, int], margin: float = 0.0) -> Image:
    """Return the piece in ``quad`` as an upright crop of ``size`` (width, height) pixels.

    ``margin`` is the part of the piece's side that is kept beyond it on each side: with 0.1 a crop of 120 x 120 shows
    the piece 100 pixels wide. What lies outside the image repeats its border. A large piece is sampled several times
    a pixel and averaged, so that fine stripes do not turn into a moire.

    :raises GeometryError: the size or the margin is out of range, or the quad is flat.
    """
    return rectify_each([image], [quad], size, margin)[0]


def rectify_each(
    images: Sequence[Image], quads: Sequence[Quad], size: tuple[int, int], margin: float = 0.0
) -> list[Image]:
    """Return for each of ``quads`` the crop of :func:`rectify` from the image at the same place of ``images``.

    :raises GeometryError: the size or the margin is out of range, or a quad is flat.
    """
    width, height = size
    if width < 1 or height < 1 or margin < 0:
        raise GeometryError(f"a crop needs a positive size and a margin of 0 or more; got {size!r}, {margin!r}")
    matrices = from_unit([quad.corners for quad in quads])
    return [
        _cut(image, quad, matrix, size, margin) for image, quad, matrix in zip(images, quads, matrices, strict=True)
    ]


def _cut(image: Image, quad: Quad, onto: Matrix, size: tuple[int, int], margin: float) -> Image:
    """The crop of ``quad``; ``onto`` maps the unit square to it."""
    (width, height), whole = size, 1 + 2 * margin
    across, down = _samples(quad, (width / whole, height / whole))
    wide, high = width * across / whole, height * down / whole
    box = np.array([[1 / wide, 0, 0.5 / wide - margin], [0, 1 / high, 0.5 / high - margin], [0, 0, 1]])
    warped = cv2.warpPerspective(
        image,
        onto @ box,
        (width * across, height * down),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    if across > 1 or down > 1:
        warped = cv2.resize(warped, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(warped, np.uint8)


def _samples(quad: Quad, inner: tuple[float, float]) -> tuple[int, int]:
    """How many samples a crop pixel needs across and down."""
    a, b, c, d = quad.corners.tolist()
    across = max(math.dist(a, b), math.dist(c, d)) / inner[0]
    down = max(math.dist(b, c), math.dist(d, a)) / inner[1]
    return _whole(across), _whole(down)


def _whole(scale: float) -> int:
    return min(_MOST_SAMPLES, max(1, math.ceil(scale if scale > _LARGE else scale / _STEP)))


def quad_iou(a: Quad, b: Quad) -> float:
    """Return the shared area of two convex quads over their joined area, in 0..1."""
    first, second = cv2.convexHull(a.corners), cv2.convexHull(b.corners)
    shared = float(cv2.intersectConvexConvex(first, second)[0])
    joined = float(cv2.contourArea(first)) + float(cv2.contourArea(second)) - shared
    return shared / joined if joined > 0 else 0.0


def order_clockwise(points: npt.ArrayLike) -> Points:
    """Return four points (4, 2) float32 clockwise as seen in the image, the one nearest the top left first.

    :raises GeometryError: ``points`` is no (4, 2) array of finite numbers.
    """
    array = np.asarray(points, np.float64)
    if array.shape != (4, 2) or not np.isfinite(array).all():
        raise GeometryError(f"expected four finite points of shape (4, 2); got shape {array.shape!r}")
    offset = array - array.mean(axis=0)
    ordered = array[np.argsort(np.arctan2(offset[:, 1], offset[:, 0]), kind="stable")]
    return np.asarray(np.roll(ordered, -int(np.argmin(ordered.sum(axis=1))), axis=0), np.float32)


def upright(quad: Quad, image_size: tuple[int, int], config: UprightConfig | None = None) -> Quad:
    """Return ``quad`` with its corners turned so that the first two end a *short* side of the card.

    At a steep angle the longer side in the image need not be the card's longer side: what counts is which of the two
    readings a camera in front of a rectangle of the card's aspect could have seen. ``image_size`` is (width, height).
    Cards that lie on one table decide better together: :func:`upright_together`.
    """
    return upright_together([quad], image_size, config)[0]


def upright_together(
    quads: Sequence[Quad], image_size: tuple[int, int], config: UprightConfig | None = None
) -> tuple[Quad, ...]:
    """Return each quad with its first two corners ending a short side, taking all quads to lie on one plane.

    Every camera of a grid (focal length, tilt, direction of tilt; principal point at the image's centre) flattens
    all the quads; the camera under which they look most like cards, whichever way each lies, decides.
    The corners must run clockwise. Of the two short sides the one higher in the image comes first.
    """
    if not quads:
        return ()
    chosen = config or UprightConfig()
    corners = np.stack([quad.corners for quad in quads]).astype(np.float64)
    matrices, prior = _cameras(chosen)
    centre = (np.array(image_size, np.float64) - 1) / 2
    costs = _costs((corners - centre) / max(image_size), matrices, chosen)
    total = np.minimum(costs.min(axis=2), chosen.worst).sum(axis=1) + prior
    lies = costs[int(np.argmin(total))].argmin(axis=1)
    return tuple(_turned(quad, int(way)) for quad, way in zip(quads, lies, strict=True))


def _turned(quad: Quad, turns: int) -> Quad:
    corners = np.roll(quad.corners, -turns, axis=0)
    top, bottom = corners[0] + corners[1], corners[2] + corners[3]
    return Quad(corners if tuple(top[::-1]) <= tuple(bottom[::-1]) else np.roll(corners, -2, axis=0))


@lru_cache(maxsize=4)
def _cameras(config: UprightConfig) -> tuple[Matrix, _Floats]:
    """Matrices (n, 3, 3) that flatten the plane seen by each camera, and the (n,) cost of assuming it."""
    grid = [
        (focal, squeeze, 2 * math.pi * turn / config.directions)
        for focal in config.focal
        for squeeze in config.squeeze
        for turn in range(config.directions if squeeze < 1 else 1)
    ]
    steepest = math.log(min(config.squeeze)) or 1.0
    matrices = [_flatten(focal, squeeze, angle) for focal, squeeze, angle in grid]
    prior = [
        (math.log(focal / config.likely_focal) / config.focal_spread) ** 2
        + config.tilt_cost * math.log(squeeze) / steepest
        for focal, squeeze, _ in grid
    ]
    return np.stack(matrices), np.array(prior)


def _flatten(focal: float, cosine: float, direction: float) -> Matrix:
    """The homography from centred points, in longer image sides, to a plane tilted away in ``direction``."""
    sine = math.sqrt(max(0.0, 1 - cosine * cosine))
    axis = np.array([-math.sin(direction), math.cos(direction), 0.0])
    cross = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    rotation = np.eye(3) + sine * cross + (1 - cosine) * (cross @ cross)
    return np.asarray(rotation @ np.diag([1 / focal, 1 / focal, 1.0]), np.float64)


def _costs(corners: _Floats, matrices: Matrix, config: UprightConfig) -> _Floats:
    """Cost (cameras, quads, 2) of each quad being a card that lies as given or turned by a quarter."""
    points = np.concatenate([corners, np.ones((*corners.shape[:2], 1))], axis=2)
    mapped = np.einsum("cij,qkj->cqki", matrices, points)
    depth = mapped[..., 2]
    behind = (depth <= 0.02).any(axis=2)
    flat = mapped[..., :2] / np.where(np.abs(depth) < 0.02, 0.02, depth)[..., None]
    sides = np.roll(flat, -1, axis=2) - flat
    lengths = np.log(np.maximum(np.linalg.norm(sides, axis=3), 1e-12))
    opposite = (lengths[..., 0] - lengths[..., 2]) ** 2 + (lengths[..., 1] - lengths[..., 3]) ** 2
    aspect = (lengths[..., 1] + lengths[..., 3] - lengths[..., 0] - lengths[..., 2]) / 2
    ways = np.stack([aspect - math.log(CARD_ASPECT), aspect + math.log(CARD_ASPECT)], axis=-1) ** 2
    costs = ((opposite + _skew(sides, lengths))[..., None] + ways) / config.noise**2
    return np.asarray(np.where(behind[..., None], np.inf, costs), np.float64)


def _skew(sides: _Floats, lengths: _Floats) -> _Floats:
    """Sum of the squared cosines of the two diagonal corners' angles."""
    cosines = np.einsum("cqki,cqki->cqk", sides, np.roll(sides, -1, axis=2))
    cosines = cosines / np.exp(lengths + np.roll(lengths, -1, axis=2))
    return np.asarray((cosines[..., 0] ** 2 + cosines[..., 2] ** 2), np.float64)
