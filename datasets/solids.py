"""Dice and tiles as solid bodies: boxes with rounded edges, seen through a camera and lit by a lamp.

Each body is traced ray by ray: the distance to a rounded box is known in closed form (Quilez 2008), so a ray walks from
where it enters the sharp box to the rounded one in a few steps. Units are millimetres; colours BGR, 0..255.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from datasets.viewpoint import Viewpoint
from vision.types import Image

__all__ = ["Lamp", "Solid", "body_corners", "draw_solid", "shade_plane", "top_corners"]

Floats = npt.NDArray[np.float32]
Points = npt.NDArray[np.float64]

_STEPS = 7
_SAMPLES = 2
_ROW = 256
_UP = np.array([0, 0, -1], np.float32)


@dataclass(frozen=True, eq=False)
class Lamp:
    """A lamp at ``place`` (3,) millimetres over a room's even light.

    ``ambient`` and ``key`` (3,) are what each gives to a white plane at the point ``over`` (3,) of the table; their sum
    is about 1. ``softness`` is the lamp's size against its height; ``dark`` how much of its light a shadow loses.
    """

    place: Points
    ambient: Floats
    key: Floats
    softness: float
    dark: float
    over: Points

    def direct(self, points: Floats, normals: Floats) -> Floats:
        """Return (n, 1) how strongly the lamp lights (n, 3) ``points`` with unit ``normals``, 1 at ``over``."""
        way = self.place.astype(np.float32) - points
        reach = np.maximum(_length(way), 1e-3)
        facing = np.maximum(_along(way, normals) / reach, 0)
        height = float(-self.place[2])
        nearest = float(np.linalg.norm(self.place - self.over))
        return np.asarray(facing * (nearest / reach) ** 2 / (height / nearest), np.float32)

    def mirrored(self, points: Floats, normals: Floats, eye: Points, power: float) -> Floats:
        """Return (n, 1) in 0..1: the lamp's highlight (Blinn 1977) on (n, 3) ``points``, as seen from ``eye``."""
        way, view = self.place.astype(np.float32) - points, eye.astype(np.float32) - points
        half = np.asarray(way / np.maximum(_length(way), 1e-3) + view / np.maximum(_length(view), 1e-3), np.float32)
        facing = _along(half, normals) / np.maximum(_length(half), 1e-3)
        return np.asarray(np.clip(facing, 0, 1) ** np.float32(power), np.float32)


@dataclass(frozen=True, eq=False)
class Solid:
    """A box that stands at (``x``, ``y``), turned by ``angle`` radians, of ``size`` (width, depth, height).

    ``faces`` are six square pictures of equal size: its top, then the sides in the directions -x +x -y +y of the box
    before it is turned, then the bottom. ``crowded`` says for each of the four sides how much another body closes it,
    0..1; ``gloss`` and ``power`` are the strength and the sharpness of highlights.
    """

    x: float
    y: float
    angle: float
    size: tuple[float, float, float]
    rounding: float
    faces: Sequence[Image]
    crowded: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    gloss: float = 0.2
    power: float = 40.0

    @property
    def turn(self) -> Points:
        """The (3, 3) matrix from the box's axes to the world's."""
        cos, sin = np.cos(self.angle), np.sin(self.angle)
        return np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])

    @property
    def centre(self) -> Points:
        """Its (3,) middle in millimetres."""
        return np.array([self.x, self.y, -self.size[2] / 2])


def _length(vectors: Floats) -> Floats:
    """(..., 1) lengths of (..., 3) vectors."""
    return np.asarray(np.sqrt(np.einsum("...i,...i->...", vectors, vectors))[..., None], np.float32)


def _along(first: Floats, second: Floats) -> Floats:
    """(..., 1) scalar products of (..., 3) vectors."""
    return np.asarray(np.einsum("...i,...i->...", first, second)[..., None], np.float32)


def body_corners(solid: Solid) -> Points:
    """Return the (8, 3) corners of the sharp box: four of the top TL TR BR BL, then those under them."""
    half = np.array(solid.size) / 2
    signs = np.array([[x, y, z] for z in (-1, 1) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
    return np.asarray((signs * half) @ solid.turn.T + solid.centre)


def top_corners(solid: Solid) -> Points:
    """Return the (4, 3) corners TL TR BR BL of the top of the sharp box."""
    return body_corners(solid)[:4]


def _enter(origin: Floats, rays: Floats, half: Floats) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """How far along each ray the sharp box begins, and which rays meet it."""
    with np.errstate(divide="ignore"):
        inverse = 1 / np.where(np.abs(rays) < 1e-7, np.float32(1e-7), rays)
    first, second = (-half - origin) * inverse, (half - origin) * inverse
    low, high = np.minimum(first, second).T, np.maximum(first, second).T
    near = np.maximum(np.maximum(low[0], low[1]), low[2])
    far = np.minimum(np.minimum(high[0], high[1]), high[2])
    return np.asarray(near, np.float32), near < far


def _trace(solid: Solid, origin: Floats, rays: Floats) -> tuple[npt.NDArray[np.intp], Floats, Floats]:
    """Indices of the rays that hit, and the (k, 3) points and unit normals there, in the box's own axes."""
    half = np.asarray(np.array(solid.size, np.float32) / 2, np.float32)
    core = half - np.float32(solid.rounding)
    _, meets = _enter(origin, rays, half)
    index = np.flatnonzero(meets)
    rays = rays[index] / _length(rays[index])
    points = np.asarray(origin + rays * _enter(origin, rays, half)[0][:, None], np.float32)
    distance = np.zeros(len(index), np.float32)
    for _ in range(_STEPS):
        out = np.maximum(np.abs(points) - core, 0)
        distance = _length(out)[:, 0] - np.float32(solid.rounding)
        points = points + rays * distance[:, None]
    hit = distance < 0.02 * float(half.max())
    points = points[hit]
    out = np.maximum(np.abs(points) - core, 0) * np.sign(points)
    normals = out / np.maximum(_length(out), 1e-6)
    return index[hit], np.asarray(points, np.float32), np.asarray(normals, np.float32)


def _print(solid: Solid, points: Floats) -> tuple[Floats, npt.NDArray[np.intp]]:
    """The (k, 3) colours printed at ``points`` of the box, and which face 0..5 each lies on."""
    half = np.array(solid.size, np.float32) / 2
    unit = points / half
    axis = np.abs(unit).argmax(axis=1)
    positive = np.take_along_axis(unit, axis[:, None], 1)[:, 0] > 0
    face = np.where(axis == 2, np.where(positive, 5, 0), 1 + 2 * axis + positive).astype(np.intp)
    side = solid.faces[0].shape[0]
    across = np.where(axis == 0, unit[:, 1], unit[:, 0])
    down = np.where(axis == 2, unit[:, 1], unit[:, 2])
    u = np.clip((across + 1) / 2 * side - 0.5, 0, side - 1).astype(np.float32)
    v = np.clip((down + 1) / 2 * side - 0.5, 0, side - 1).astype(np.float32) + (face * side).astype(np.float32)
    atlas = np.concatenate(list(solid.faces))
    rows = -(-len(u) // _ROW) * _ROW  # a picture may not be wider than 32,767 pixels
    where = [np.pad(values, (0, rows - len(u))).reshape(-1, _ROW) for values in (u, v)]
    colours = cv2.remap(atlas, where[0], where[1], cv2.INTER_LINEAR)
    return np.asarray(colours.reshape(-1, 3)[: len(u)], np.float32), face


def _window(solid: Solid, view: Viewpoint) -> tuple[int, int, int, int] | None:
    """Left, top, right, bottom of the part of the picture that the body may cover; None when it is out of sight."""
    corners = body_corners(solid)
    if (view.depth(corners) < 5).any():
        return None
    pixels = view.project(corners)
    left, top = (max(0, int(v)) for v in np.floor(pixels.min(axis=0)))
    right, bottom = (min(int(s), int(v) + 2) for v, s in zip(np.ceil(pixels.max(axis=0)), view.size, strict=True))
    return (left, top, right, bottom) if left < right and top < bottom else None


def draw_solid(picture: Floats, gloss: Floats, solid: Solid, view: Viewpoint, lamp: Lamp, floor: Floats) -> None:
    """Paint ``solid`` on the lit float32 BGR ``picture``; ``floor`` (3,) is the colour that shines back from below.

    Draw bodies from the farthest to the nearest. ``gloss`` gets what mirrors a room.
    """
    window = _window(solid, view)
    if window is None:
        return
    left, top, right, bottom = window
    step = 1 / _SAMPLES
    x, y = np.meshgrid(
        np.arange(left - 0.5 + step / 2, right - 0.5, step, dtype=np.float32),
        np.arange(top - 0.5 + step / 2, bottom - 0.5, step, dtype=np.float32),
    )
    turn = solid.turn.astype(np.float32)
    rays = view.rays(x, y).reshape(-1, 3) @ turn
    origin = ((view.eye - solid.centre) @ solid.turn).astype(np.float32)
    index, points, normals = _trace(solid, origin, rays)
    if not len(index):
        return
    layer = np.zeros((x.size, 4), np.float32)
    layer[index, :3] = _lit(solid, points, normals, view, lamp, floor)
    layer[index, 3] = 1
    small = cv2.resize(layer.reshape(*x.shape, 4), (right - left, bottom - top), interpolation=cv2.INTER_AREA)
    region, cover = picture[top:bottom, left:right], small[..., 3:]
    region *= 1 - cover
    region += small[..., :3]
    shine = gloss[top:bottom, left:right]
    shine *= 1 - cover[..., 0]
    shine += cover[..., 0] * np.float32(min(1.0, 2 * solid.gloss))


def _lit(solid: Solid, points: Floats, normals: Floats, view: Viewpoint, lamp: Lamp, floor: Floats) -> Floats:
    """The (k, 3) light that comes from ``points`` of the box, given with their normals in its own axes."""
    colours, face = _print(solid, points)
    turn = solid.turn.T.astype(np.float32)
    world, facing = points @ turn + solid.centre.astype(np.float32), normals @ turn
    up = np.clip(facing @ _UP, -1, 1)[:, None]
    height = np.clip(-world[:, 2:] / np.float32(solid.size[2]), 0, 1)
    closed = np.array([0, *solid.crowded, 1], np.float32)[face][:, None]
    open_sky = 1 - closed * (1 - 0.35 * height**2) * np.clip(1.2 - up, 0, 1) * np.float32(0.85)
    sky = lamp.ambient * (0.62 + 0.38 * up) + lamp.ambient * floor / 255 * (0.22 * (1 - up))
    sky = sky * (1 - 0.35 * np.exp(-height * 5)) * open_sky
    sun = lamp.key * lamp.direct(world, facing) * np.where(up > 0.6, 1, open_sky**2)
    shine = lamp.mirrored(world, facing, view.eye, solid.power) * np.float32(255 * solid.gloss) * lamp.key
    return np.asarray(colours * (sky + sun) + shine * open_sky, np.float32)


def _shadow(solids: Sequence[Solid], view: Viewpoint, lamp: Lamp) -> Floats:
    """(height, width) 0..1: where on the table bodies keep the lamp's light away."""
    scale = 0.5
    width, height = max(2, int(view.size[0] * scale)), max(2, int(view.size[1] * scale))
    mask = np.zeros((height, width), np.float32)
    matrix = view.plane()
    spread = 1.0
    for solid in solids:
        corners = body_corners(solid)
        factor = lamp.place[2] / (lamp.place[2] - corners[:4, 2:])
        cast = lamp.place[:2] + (corners[:4, :2] - lamp.place[:2]) * factor
        hull = cv2.convexHull(np.concatenate([cast, corners[4:, :2]]).astype(np.float32)).reshape(-1, 2)
        lifted = np.column_stack([hull, np.ones(len(hull))]) @ matrix.T
        if (lifted[:, 2] < 1).any():
            continue
        pixels = lifted[:, :2] / lifted[:, 2:] * scale
        if np.abs(pixels).max() < 20_000:
            cv2.fillConvexPoly(mask, np.round(pixels * 16).astype(np.int32), 1.0, cv2.LINE_AA, 4)
            spread = float(np.sqrt(cv2.contourArea(pixels.astype(np.float32))))
    sigma = max(0.5, spread * lamp.softness * 0.3)
    blurred = cv2.GaussianBlur(mask, (0, 0), sigma)
    return np.asarray(cv2.resize(blurred, view.size, interpolation=cv2.INTER_LINEAR), np.float32)


def _contact(solids: Sequence[Solid], view: Viewpoint) -> Floats:
    """(height, width) 0..1: the dark seam on the table close round each body."""
    scale = 0.5
    mask = np.zeros((max(2, int(view.size[1] * scale)), max(2, int(view.size[0] * scale))), np.float32)
    size = 4.0
    for solid in solids:
        corners = body_corners(solid)[4:]
        if (view.depth(corners) < 5).any():
            continue
        pixels = view.project(corners) * scale
        if np.abs(pixels).max() < 20_000:
            cv2.fillConvexPoly(mask, np.round(pixels * 16).astype(np.int32), 1.0, cv2.LINE_AA, 4)
            size = float(np.sqrt(cv2.contourArea(pixels.astype(np.float32)))) * min(
                1.0, 2 * solid.size[2] / solid.size[0]
            )
    blurred = cv2.GaussianBlur(mask, (0, 0), max(0.5, size * 0.16))
    return np.asarray(cv2.resize(blurred, view.size, interpolation=cv2.INTER_LINEAR), np.float32)


def shade_plane(
    picture: Floats, solids: Sequence[Solid], view: Viewpoint, lamp: Lamp, shine: tuple[float, float], board: Floats
) -> Floats:
    """Return the float32 BGR ``picture`` of the table's colours as the lamp lights it, shadows and highlight included.

    ``shine`` is the strength and the sharpness of the highlight on the board, where the mask ``board`` is 1; the table
    beside it has a quarter of that.
    """
    width, height = view.size
    grid = (np.linspace(0, width - 1, 96, dtype=np.float32), np.linspace(0, height - 1, 96, dtype=np.float32))
    x, y = np.meshgrid(*grid)
    rays = view.rays(x, y)
    reach = np.where(rays[..., 2] > 1e-4, -view.eye[2] / np.maximum(rays[..., 2], 1e-4), 1e5)
    points = view.eye.astype(np.float32) + rays * np.minimum(reach, 2e4).astype(np.float32)[..., None]
    normals = np.broadcast_to(_UP, points.shape)
    direct = cv2.resize(np.clip(lamp.direct(points, normals)[..., 0], 0, 3), view.size, interpolation=cv2.INTER_CUBIC)
    mirror = cv2.resize(
        lamp.mirrored(points, normals, view.eye, shine[1])[..., 0], view.size, interpolation=cv2.INTER_CUBIC
    )
    kept = 1 - np.float32(lamp.dark) * _shadow(solids, view, lamp)
    sky = 1 - np.float32(0.4) * _contact(solids, view)
    light = lamp.ambient * sky[..., None] + lamp.key * (np.maximum(direct, 0) * kept)[..., None]
    glint = np.maximum(mirror, 0) * kept * (0.25 + 0.75 * board) * np.float32(255 * shine[0])
    return np.asarray(picture * light + glint[..., None] * lamp.key, np.float32)
