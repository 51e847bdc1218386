"""Pictures of worlds: boards with dice and tiles under a lamp, through a camera, with exact labels.

A picture is a pure function of its seed, its settings and the files it may use. Convention: corners are pixels, origin
top left, pixel centres at integers; of a die or tile they are those of its top, TL TR BR BL of the upright face.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from datasets.art import draw_distractor
from datasets.board_art import BoardArt
from datasets.camera import Camera, Sensor, random_sensor
from datasets.canvas import Art
from datasets.light import glare, illumination
from datasets.scene import background, paint_hand
from datasets.solids import Lamp, body_corners, draw_solid, shade_plane, top_corners
from datasets.tables import random_table
from datasets.things import Thing
from datasets.viewpoint import Viewpoint, random_viewpoint
from datasets.worlds import Body, World, random_world
from vision.types import Image

__all__ = ["BoardPicture", "BoardSettings", "Labelled", "photograph", "random_lamp", "render_board_scene"]

Random = np.random.Generator
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class BoardSettings:
    """What may appear: ``textures`` of tables, ``sizes`` of the longer side in pixels, the range of ``tilt`` in
    degrees, the share of pictures with things ``beside`` and over the board; ``only`` asks for one of
    :data:`datasets.worlds.WORLDS`. A ``clear`` picture shows all of the board, under a light and through a camera with
    which a person could read all of it.
    """

    textures: tuple[Path, ...] = ()
    sizes: tuple[int, ...] = (640, 800, 960, 1100, 1280)
    tilt: tuple[float, float] = (0.0, 45.0)
    beside: float = 0.4
    only: str | None = None
    clear: bool = False


@dataclass(frozen=True, eq=False)
class Labelled:
    """A thing in the picture, with the place it stands on, the outline of its whole body and the look of its Wild."""

    thing: Thing
    cell: tuple[int, ...] | None = None
    body: npt.NDArray[np.float32] | None = None
    look: str | None = None


@dataclass(frozen=True, eq=False)
class BoardPicture:
    """A picture (height, width, 3) uint8 BGR, what lies in it, lowest first, and the board with its geometry.

    ``matrix`` maps board units (x column, y row) to pixels, or millimetres of the sheet for a Junior board.
    """

    image: Image
    things: tuple[Labelled, ...]
    board: BoardArt | None
    matrix: npt.NDArray[np.float64] | None
    corners: npt.NDArray[np.float32] | None
    table: str


def random_lamp(rng: Random, world: World, view: Viewpoint) -> Lamp:
    """Return a lamp over the middle of ``world``, beside it, or where something there mirrors it into the camera."""
    points = world.points
    over = points.mean(axis=0) * [1, 1, 0]
    reach = float(max(120.0, np.ptp(points[:, :2], axis=0).max()))
    height = reach * np.exp(rng.uniform(-0.3, 1.2))
    turn, aside = rng.uniform(0, 2 * np.pi), abs(rng.normal(0, 0.8)) * height
    place = over + [np.cos(turn) * aside, np.sin(turn) * aside, -height]
    if rng.random() < 0.3:
        spot = points[int(rng.integers(0, len(points)))] * 0.6 + over * 0.4
        ray = (spot - view.eye) / np.linalg.norm(spot - view.eye)
        place = spot + ray * [1, 1, -1] * reach * np.exp(rng.uniform(0, 1.2))
    ambient = rng.uniform(0.3, 0.85)
    tint, warm = 1 + rng.normal(0, 0.03, 3), 1 + rng.normal(0, 0.05, 3)
    return Lamp(
        place,
        (ambient * tint).astype(np.float32),
        ((1 - ambient) * warm).astype(np.float32),
        float(rng.choice([0.05, 0.15, 0.4, 0.8])),
        float(rng.uniform(0.5, 1.0)),
        over,
    )


def _warp(face: Image, alpha: Image | None, quad: npt.NDArray[np.float64], picture: Floats) -> Floats:
    """Lay ``face`` with its corners at ``quad`` on ``picture`` in place; return the mask of where it lies, 0..1."""
    height, width = picture.shape[:2]
    wide = max(np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[2] - quad[3]))
    tall = max(np.linalg.norm(quad[3] - quad[0]), np.linalg.norm(quad[2] - quad[1]))
    factor = min(1.0, 1.25 * float(max(wide / face.shape[1], tall / face.shape[0])))
    size = (max(4, round(face.shape[1] * factor)), max(4, round(face.shape[0] * factor)))
    small = cv2.resize(face, size, interpolation=cv2.INTER_AREA) if factor < 1 else face
    full = np.full(face.shape[:2], 255, np.uint8) if alpha is None else alpha
    cover = cv2.resize(full, (small.shape[1], small.shape[0]), interpolation=cv2.INTER_AREA)
    corner = (
        np.array([[0, 0], [small.shape[1], 0], [small.shape[1], small.shape[0]], [0, small.shape[0]]], np.float32) - 0.5
    )
    matrix = cv2.getPerspectiveTransform(corner, quad.astype(np.float32))
    mask = cv2.warpPerspective(cover, matrix, (width, height), flags=cv2.INTER_LINEAR).astype(np.float32) / 255
    laid = cv2.warpPerspective(small, matrix, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    picture += (laid.astype(np.float32) - picture) * mask[..., None]
    return np.asarray(mask, np.float32)


def _sheet(view: Viewpoint, board: BoardArt) -> npt.NDArray[np.float64]:
    width, height = board.size
    return view.project(np.array([[0, 0, 0], [width, 0, 0], [width, height, 0], [0, height, 0]]))


def _lay_flat(rng: Random, picture: Floats, view: Viewpoint, art: Art, points: npt.NDArray[np.float64]) -> Thing | None:
    """Put a distractor somewhere about ``points``; None when it falls out of the picture."""
    low, high = points.min(axis=0)[:2] - 90, points.max(axis=0)[:2] + 90
    middle, turn = rng.uniform(low, high), rng.uniform(0, 2 * np.pi)
    half = np.array(art.size_mm) / 2
    box = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    cos, sin = np.cos(turn), np.sin(turn)
    flat = box @ np.array([[cos, sin], [-sin, cos]]) + middle
    corners = np.column_stack([flat, np.zeros(4)])
    if (view.depth(corners) < 30).any():
        return None
    quad = view.project(corners)
    if np.abs(quad).max() > 8000:
        return None
    _warp(art.image, art.alpha, quad, picture)
    return Thing("other", None, quad.astype(np.float32))


def _board_matrix(view: Viewpoint, board: BoardArt) -> npt.NDArray[np.float64]:
    if board.kind != "cubed":
        return view.plane()
    units = np.array([[board.pitch, 0, board.corner[0]], [0, board.pitch, board.corner[1]], [0, 0, 1]])
    return np.asarray(view.plane() @ units)


def _spaces(view: Viewpoint, board: BoardArt) -> list[Labelled]:
    """The printed pictures of a Junior board as things."""
    found = []
    for space in board.spaces:
        if space.printed is not None:
            (x, y), side = space.corner, space.side
            quad = view.project([[x, y, 0], [x + side, y, 0], [x + side, y + side, 0], [x, y + side, 0]])
            found.append(Labelled(Thing("space", str(space.printed), quad.astype(np.float32)), space.at))
    return found


def _labelled(view: Viewpoint, body: Body) -> Labelled:
    top = view.project(top_corners(body.solid)).astype(np.float32)
    hull = cv2.convexHull(view.project(body_corners(body.solid)).astype(np.float32)).reshape(-1, 2)
    return Labelled(Thing(body.kind, body.name, top), body.cell, np.asarray(hull, np.float32), body.look)


def _with_visible_shares(things: Sequence[Labelled], size: tuple[int, int]) -> tuple[Labelled, ...]:
    """The same things with the share of each that lies in the picture and under no later one (half resolution)."""
    owner = np.full((size[1] // 2, size[0] // 2), -1, np.int32)
    for index, one in enumerate(things):
        if one.body is not None:
            cv2.fillPoly(owner, [np.round((one.body + 0.5) / 2 * 16 - 8).astype(np.int32)], -1, shift=4)
        cv2.fillPoly(owner, [np.round((one.thing.corners + 0.5) / 2 * 16 - 8).astype(np.int32)], index, shift=4)
    seen = np.bincount(owner[owner >= 0].ravel(), minlength=len(things))
    out = []
    for one, count in zip(things, seen, strict=True):
        whole = max(1.0, abs(float(cv2.contourArea(one.thing.corners))) / 4)
        out.append(replace(one, thing=replace(one.thing, visible=min(1.0, float(count) / whole))))
    return tuple(out)


def photograph(
    rng: Random, world: World, view: Viewpoint, lamp: Lamp, settings: BoardSettings, sensor: Sensor | None = None
) -> BoardPicture:
    """Return the picture of ``world`` that ``view`` takes under ``lamp``; ``rng`` chooses table, clutter and sensor."""
    name, texture = random_table(rng, settings.textures)
    picture = background(rng, texture, Camera(view.plane(), view.size, 0.0))
    floor = np.asarray(texture[::9, ::9].reshape(-1, 3).mean(axis=0), np.float32)
    things: list[Labelled] = []
    mask = np.zeros(picture.shape[:2], np.float32)
    cluttered = rng.random() < settings.beside
    if cluttered:
        for _ in range(int(rng.integers(1, 5))):
            thing = _lay_flat(rng, picture, view, draw_distractor(rng), world.points)
            things += [Labelled(thing)] if thing is not None else []
    if world.board is not None:
        mask = _warp(world.board.image, None, _sheet(view, world.board), picture)
        things += _spaces(view, world.board)
        floor = world.board.mean
    solids = [body.solid for body in world.bodies]
    shine = (float(rng.choice([0.0, 0.1, 0.35, 1.0]) * rng.uniform(0.5, 1.4)), float(np.exp(rng.uniform(2.0, 5.0))))
    picture = shade_plane(picture, solids, view, lamp, shine, mask)
    gloss = mask * np.float32(min(1.0, shine[0]))
    middles = np.array([solid.centre for solid in solids]).reshape(-1, 3)
    for index in np.argsort(-np.linalg.norm(middles - view.eye, axis=1)):
        draw_solid(picture, gloss, solids[int(index)], view, lamp, floor)
        things.append(_labelled(view, world.bodies[int(index)]))
    if cluttered and rng.random() < 0.12:
        things.append(Labelled(paint_hand(rng, picture, view.size)))
    picture = picture / _level(world, lamp)
    image = _clear(rng, picture, view.size) if settings.clear else _exposed(rng, picture, gloss, view.size, sensor)
    matrix = None if world.board is None else _board_matrix(view, world.board)
    corners = None if world.board is None else _sheet(view, world.board).astype(np.float32)
    return BoardPicture(image, _with_visible_shares(things, view.size), world.board, matrix, corners, name)


def _level(world: World, lamp: Lamp) -> np.float32:
    """How bright white is where the pieces stand: what a camera would meter."""
    points = world.points.astype(np.float32)
    direct = lamp.direct(points, np.broadcast_to(np.array([0, 0, -1], np.float32), points.shape))
    return np.float32(max(0.2, float(np.median(lamp.ambient.mean() + lamp.key.mean() * direct))))


def _clear(rng: Random, picture: Floats, size: tuple[int, int]) -> Image:
    """What a good camera makes of the lit picture."""
    sensor = random_sensor(rng, size)
    exposure, noise = float(np.clip(sensor.exposure, 0.75, 1.0)), min(sensor.noise, 3.0)
    blur, contrast = min(sensor.blur, 0.8), float(np.clip(sensor.contrast, 0.85, 1.2))
    sensor = replace(sensor, exposure=exposure, noise=noise, blur=blur, contrast=contrast)
    sensor = replace(sensor, motion=(0.0, 0.0), shrink=1.0, quality=max(70, sensor.quality))
    return sensor.expose(np.maximum(picture, 0), rng)


def _exposed(rng: Random, picture: Floats, gloss: Floats, size: tuple[int, int], sensor: Sensor | None) -> Image:
    """What the sensor makes of the lit picture: at times uneven, with a mirrored lamp, or too bright."""
    if rng.random() < 0.35:
        picture = picture * illumination(rng, size)
    if rng.random() < 0.12:
        shine = (glare(rng, size) * gloss)[..., None]
        picture = picture + (np.float32(250) - picture) * shine
    if sensor is None:
        sensor = random_sensor(rng, size)
        if rng.random() < 0.25:
            sensor = replace(sensor, exposure=sensor.exposure * float(rng.uniform(1.1, 2.0)))
    return sensor.expose(np.maximum(picture, 0), rng)


def render_board_scene(seed: int, settings: BoardSettings | None = None) -> BoardPicture:
    """Render the picture of ``seed``: the same seed, settings and files give the same pixels and labels."""
    settings = BoardSettings() if settings is None else settings
    rng = np.random.default_rng(seed)
    longer = int(settings.sizes[int(rng.integers(0, len(settings.sizes)))])
    shorter = round(longer * rng.choice([0.5625, 0.75, 0.75, 0.75]))
    size = (longer, shorter) if rng.random() < 0.75 else (shorter, longer)
    world = random_world(rng, settings.only, settings.clear)
    points = world.points
    if settings.clear and world.board is not None:
        size = (1152, 864)
    elif world.board is not None and world.bodies and rng.random() < 0.35:
        points = np.array([body.solid.centre for body in world.bodies])  # closer: what stands there fills the picture
        points = np.concatenate([points - 60, points + 60]) * [1, 1, 0]
    elif world.board is None:
        points = np.concatenate([points - 60, points + 60]) * [1, 1, 0]
    view = random_viewpoint(rng, size, points, settings.tilt, 0.0 if settings.clear else 0.5)
    return photograph(rng, world, view, random_lamp(rng, world, view), settings)
