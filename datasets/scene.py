"""Scenes: pieces on a table under a lamp, photographed, with exact labels.

A scene is a pure function of its seed, its settings and the files it may use. Convention: quads are (4, 2) float32
pixels, TL TR BR BL of the upright piece; pieces are listed from the lowest to the topmost.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from datasets import art
from datasets.art import Art
from datasets.camera import Camera, Sensor, distort_image, metered, random_camera, random_sensor
from datasets.layouts import Pose, footprint, random_layout
from datasets.light import glare, illumination
from datasets.skins import Skins
from datasets.tables import Texture, random_table
from datasets.things import Thing
from engine.tokens import Card, Face, full_deck, full_tiles
from engine.tokens import Shape as SymbolShape
from vision.types import Deck

__all__ = ["Scene", "SceneSettings", "background", "paint_hand", "render_scene"]

Random = np.random.Generator
Picture = npt.NDArray[np.float32]


@dataclass(frozen=True)
class SceneSettings:
    """What may appear. ``skins`` and ``textures`` are real crops and surfaces, used when present.

    ``sizes`` are the longer sides of the picture in pixels; ``kinds`` the shares of scenes of cards, tiles and dice;
    ``steep`` the share of pictures taken at 30 to 60 degrees; ``sensor`` the camera, ``table`` one of
    :data:`datasets.tables.PROCEDURES`, ``layout`` one of :data:`datasets.layouts.LAYOUTS`, None for a random one each
    time.
    """

    skins: Skins | None = None
    textures: tuple[Path, ...] = ()
    sizes: tuple[int, ...] = (640, 960, 1280, 1440, 1600)
    kinds: tuple[float, float, float] = (0.86, 0.07, 0.07)
    skin_share: float = 0.5
    ravensburger_share: float = 0.28
    steep: float = 0.35
    sensor: Sensor | None = None
    table: str | None = None
    layout: str | None = None


@dataclass(frozen=True, eq=False)
class Scene:
    """A picture (height, width, 3) uint8 BGR and all that lies in it, lowest first."""

    image: npt.NDArray[np.uint8]
    things: tuple[Thing, ...]
    table: str
    layout: str


@dataclass(frozen=True, eq=False)
class _Item:
    art: Art
    pose: Pose
    kind: str
    name: str | None
    lift: float = field(default=0.4)


def _pick(rng: Random, count: int, pool: tuple[Card, ...]) -> list[Card]:
    return [pool[int(i)] for i in rng.permutation(len(pool))[:count]]


def _paper(rng: Random) -> npt.NDArray[np.float32]:
    base = rng.uniform(205, 250)
    return np.array([base - rng.uniform(0, 22), base - rng.uniform(0, 8), base], np.float32)


def _card_faces(rng: Random, count: int, settings: SceneSettings) -> list[tuple[str, Art]]:
    """Names and faces of ``count`` different cards of one printed deck."""
    ravensburger = rng.random() < settings.ravensburger_share
    if settings.skins is not None and rng.random() < settings.skin_share:
        sources = settings.skins.sources(ravensburger)
        source = sources[int(rng.integers(0, len(sources)))]
        cards = _pick(rng, count, tuple(sorted(settings.skins.by_source[source])))
        paper = _paper(rng) if rng.random() < 0.8 else None
        return [(str(card), settings.skins.draw(rng, source, card, paper)) for card in cards]
    deck = Deck.RAVENSBURGER if ravensburger else Deck.US
    style = art.random_style(rng, deck)
    cards = _pick(rng, count, full_deck(SymbolShape.RECTANGLE if ravensburger else SymbolShape.DIAMOND))
    return [(str(card), art.draw_card(card, style, rng)) for card in cards]


def _tile_faces(rng: Random, count: int) -> list[tuple[str, Art]]:
    style = art.random_tile_style(rng)
    tiles = full_tiles()
    chosen = [tiles[int(i)] for i in rng.permutation(27)[:count]]
    return [(str(tile), art.draw_tile(tile, style, rng)) for tile in chosen]


def _die_faces(rng: Random, count: int) -> list[tuple[str, Art]]:
    style = art.random_face_style(rng)
    faces = [Face(None), *(Face(tile) for tile in full_tiles())]
    chosen = [faces[0] if rng.random() < 0.12 else faces[int(rng.integers(1, 28))] for _ in range(count)]
    return [(str(face), art.draw_face(face, style, rng)) for face in chosen]


def _pieces(rng: Random, settings: SceneSettings) -> tuple[str, list[_Item]]:
    kind = ("card", "tile", "die")[int(rng.choice(3, p=settings.kinds))]
    count = int(rng.choice([0, 1, 2, 3, 4, 6, 8, 9, 12, 12, 12, 14, 15, 18, 21, 27, 30]))
    if kind == "card":
        faces = _card_faces(rng, count, settings)
    else:
        faces = _tile_faces(rng, count) if kind == "tile" else _die_faces(rng, count)
    size = faces[0][1].size_mm if faces else (57.0, 88.0)
    layout, poses = random_layout(rng, len(faces), size, settings.layout)
    items = [
        _Item(face, pose, kind, name, float(rng.uniform(0.2, 3.0)))
        for (name, face), pose in zip(faces, poses, strict=False)
    ]
    return layout, items


def _spread(items: list[_Item]) -> npt.NDArray[np.float64]:
    """(n, 2) millimetres: all corners of the pieces, or a table of letter size when there are none."""
    if not items:
        return np.array([[-150, -100], [150, -100], [150, 100], [-150, 100]], float)
    return np.concatenate([footprint(item.pose, item.art.size_mm) for item in items])


def _distractors(rng: Random, points: npt.NDArray[np.float64]) -> list[_Item]:
    """Things that are no readable pieces, somewhere round or between the pieces."""
    if rng.random() < 0.45:
        return []
    low, high = points.min(axis=0), points.max(axis=0)
    margin = (high - low) * 0.35 + 60
    items = []
    for _ in range(int(rng.integers(1, 6))):
        face = art.draw_back(rng) if rng.random() < 0.4 else art.draw_distractor(rng)
        x, y = rng.uniform(low - margin, high + margin)
        items.append(_Item(face, Pose(float(x), float(y), float(rng.uniform(0, 2 * np.pi))), "other", None, 3.0))
    return items


def background(rng: Random, texture: Texture, camera: Camera) -> Picture:
    """The table in perspective; beyond the horizon, and sometimes beyond an edge of the table, the room."""
    width, height = camera.size
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    inverse = np.linalg.inv(camera.matrix)
    depth = inverse[2, 0] * x + inverse[2, 1] * y + inverse[2, 2]
    front = depth * np.sign(inverse[2] @ np.array([width / 2, height * 0.5, 1])) > 1e-6
    depth = np.where(front, depth, 1)
    plane_x = (inverse[0, 0] * x + inverse[0, 1] * y + inverse[0, 2]) / depth
    plane_y = (inverse[1, 0] * x + inverse[1, 1] * y + inverse[1, 2]) / depth
    side, turn = texture.shape[0], rng.uniform(0, 2 * np.pi)
    per_mm = texture.shape[1] / rng.uniform(150, 700)
    u = (plane_x * np.cos(turn) + plane_y * np.sin(turn)) * per_mm + rng.uniform(0, side)
    v = (plane_y * np.cos(turn) - plane_x * np.sin(turn)) * per_mm + rng.uniform(0, side)
    map_x, map_y = _mirror(u, texture.shape[1]), _mirror(v, texture.shape[0])
    out = cv2.remap(texture, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    reach = np.inf if rng.random() < 0.7 else rng.uniform(250, 700)
    outside = ~front | (np.abs(plane_x) > reach) | (np.abs(plane_y) > reach * rng.uniform(0.6, 1.2))
    if outside.any():
        _, room = random_table(rng)
        out[outside] = cv2.resize(room, (width, height))[outside] * np.float32(rng.uniform(0.2, 0.9))
    return np.asarray(out, np.float32)


def _mirror(values: npt.NDArray[np.floating], side: int) -> npt.NDArray[np.float32]:
    """Fold coordinates into 0..side-1 by reflection, so that a texture never shows a seam."""
    period = 2.0 * (side - 1)
    folded = np.mod(values, period)
    return np.asarray(np.where(folded > side - 1, period - folded, folded), np.float32)


def _window(quad: npt.NDArray[np.float64], size: tuple[int, int], pad: int) -> tuple[int, int, int, int] | None:
    """The part of the picture round a quad as (left, top, right, bottom); None when it lies outside."""
    left, top = np.floor(quad.min(axis=0)).astype(int) - pad
    right, bottom = np.ceil(quad.max(axis=0)).astype(int) + pad + 1
    left, top, right, bottom = max(left, 0), max(top, 0), min(right, size[0]), min(bottom, size[1])
    return (int(left), int(top), int(right), int(bottom)) if left < right and top < bottom else None


def _shrunk(face: Art, width_px: float) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    """Face and alpha reduced so that the warp hardly minifies (no aliased stripes)."""
    factor = 1.15 * width_px / face.image.shape[1]
    if factor >= 1:
        return face.image, face.alpha
    size = (max(4, round(face.image.shape[1] * factor)), max(4, round(face.image.shape[0] * factor)))
    return (
        np.asarray(cv2.resize(face.image, size, interpolation=cv2.INTER_AREA), np.uint8),
        np.asarray(cv2.resize(face.alpha, size, interpolation=cv2.INTER_AREA), np.uint8),
    )


def _paste(
    picture: Picture,
    gloss: npt.NDArray[np.float32],
    item: _Item,
    camera: Camera,
    sun: tuple[float, float],
    shade: float,
) -> None:
    """Lay one item on ``picture`` in place, its shadow first; ``gloss`` marks what can mirror a lamp."""
    corners = footprint(item.pose, item.art.size_mm)
    quad = camera.project_straight(corners)
    span = float(max(np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[2] - quad[3])))
    tall = float(max(np.linalg.norm(quad[2] - quad[1]), np.linalg.norm(quad[3] - quad[0])))
    scale = max(span / item.art.size_mm[0], tall / item.art.size_mm[1])
    if not 0.05 < scale < 60 or np.abs(quad).max() > 20000:
        return
    pad = int(np.ceil(6 * item.lift * scale)) + 3
    window = _window(quad, camera.size, pad)
    if window is None:
        return
    left, top, right, bottom = window
    face, alpha = _shrunk(item.art, scale * item.art.size_mm[0])
    height, width = alpha.shape
    source = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(source, (quad - [left, top]).astype(np.float32))
    size = (right - left, bottom - top)
    mask = cv2.warpPerspective(alpha, matrix, size, flags=cv2.INTER_LINEAR).astype(np.float32) / 255
    cover = cv2.warpPerspective(face, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    shift = np.array([[1, 0, sun[0] * item.lift * scale], [0, 1, sun[1] * item.lift * scale]], np.float32)
    shadow = cv2.GaussianBlur(cv2.warpAffine(mask, shift, size), (0, 0), max(0.6, 0.8 * item.lift * scale))
    region = picture[top:bottom, left:right]
    region *= 1 - shade * shadow[..., None]
    region += (cover.astype(np.float32) - region) * mask[..., None]
    gloss[top:bottom, left:right] = np.maximum(gloss[top:bottom, left:right] * (1 - mask), mask)


def _hand(rng: Random, size: tuple[int, int]) -> npt.NDArray[np.float64]:
    """Polygon of an arm with fingers that reaches in from the border, in pixels."""
    width, height = size
    start = np.array([rng.uniform(0, width), height * 1.02])
    if rng.random() < 0.5:
        start = np.array([width * rng.choice([-0.02, 1.02]), rng.uniform(0, height)])
    aim = np.array([rng.uniform(0.2, 0.8) * width, rng.uniform(0.2, 0.8) * height])
    along = aim - start
    length = float(np.hypot(*along)) * rng.uniform(0.3, 0.7)
    along /= max(float(np.hypot(*along)), 1e-6)
    across = np.array([-along[1], along[0]]) * max(size) * rng.uniform(0.03, 0.07)
    outline = [start - across, start + along * length - across]
    for finger in range(4):
        offset = across * (-0.8 + finger * 0.53)
        reach = length * rng.uniform(1.15, 1.4)
        outline += [
            start + along * reach + offset,
            start + along * reach + offset + across * 0.3,
            start + along * length + offset + across * 0.42,
        ]
    return np.array([*outline, start + along * length + across, start + across])


def paint_hand(rng: Random, picture: Picture, size: tuple[int, int]) -> Thing:
    """Paint an arm and a hand on ``picture`` of ``size`` (width, height) in place; return its outline."""
    polygon = _hand(rng, size)
    flat = np.zeros((size[1], size[0]), np.float32)
    cv2.fillPoly(flat, [polygon.astype(np.int32)], 1.0)
    mask = np.asarray(cv2.GaussianBlur(flat, (0, 0), max(size) / 500), np.float32)[..., None]
    light = rng.uniform(0.25, 1.0)
    tone = np.array([165, 190, 235], np.float32) * np.array([light**1.3, light**1.15, light], np.float32)
    picture += (tone - picture) * mask
    return Thing("other", None, polygon.astype(np.float32))


def _visible_shares(placed: list[Thing], size: tuple[int, int]) -> list[float]:
    """The share of each piece that lies in the picture and under no later one (half resolution)."""
    owner = np.full((size[1] // 2, size[0] // 2), -1, np.int32)
    for index, piece in enumerate(placed):
        cv2.fillPoly(owner, [np.round(piece.corners / 2 * 16).astype(np.int32)], index, shift=4)
    seen = np.bincount(owner[owner >= 0].ravel(), minlength=len(placed))
    whole = [max(1.0, float(cv2.contourArea(piece.corners.astype(np.float32))) / 4) for piece in placed]
    return [min(1.0, float(count) / area) for count, area in zip(seen, whole, strict=True)]


def _lit(rng: Random, picture: Picture, gloss: npt.NDArray[np.float32], size: tuple[int, int]) -> Picture:
    out = picture * illumination(rng, size)
    if rng.random() < 0.35:
        shine = glare(rng, size) * np.maximum(gloss, np.float32(rng.uniform(0, 0.5)))
        tint = rng.uniform(-20, 20) if rng.random() < 0.5 else 0.0
        white = np.array([250 + tint, 252, 255 - tint], np.float32) * np.float32(rng.uniform(0.7, 1.1))
        out += (white - out) * shine[..., None]
    return np.asarray(out, np.float32)


def _compose(
    rng: Random, items: list[_Item], camera: Camera, picture: Picture
) -> tuple[list[Thing], npt.NDArray[np.float32]]:
    gloss = np.zeros(picture.shape[:2], np.float32)
    turn, reach = rng.uniform(0, 2 * np.pi), rng.uniform(0.2, 1.6)
    sun, shade = (float(np.cos(turn) * reach), float(np.sin(turn) * reach)), float(rng.uniform(0.05, 0.6))
    placed = []
    for item in items:
        _paste(picture, gloss, item, camera, sun, shade)
        quad = camera.project(footprint(item.pose, item.art.size_mm)).astype(np.float32)
        placed.append(Thing(item.kind, item.name, quad - np.float32(0.5)))
    return placed, gloss


def _picture_size(rng: Random, settings: SceneSettings) -> tuple[int, int]:
    longer = int(settings.sizes[int(rng.integers(0, len(settings.sizes)))])
    shorter = round(longer * rng.choice([0.5625, 0.75, 0.75, 0.75, 1.0]))
    return (longer, shorter) if rng.random() < 0.6 else (shorter, longer)


def render_scene(seed: int, settings: SceneSettings | None = None) -> Scene:
    """Render the scene of ``seed``: the same seed, settings and files give the same pixels and labels."""
    settings = SceneSettings() if settings is None else settings
    rng = np.random.default_rng(seed)
    size = _picture_size(rng, settings)
    layout, items = _pieces(rng, settings)
    points = _spread(items)
    camera = random_camera(rng, size, points, settings.steep)
    others = _distractors(rng, points)
    below = [other for other in others if rng.random() < 0.75]
    items = [*below, *items, *(other for other in others if other not in below)]
    name, texture = random_table(rng, settings.textures, settings.table)
    picture = background(rng, texture, camera)
    placed, gloss = _compose(rng, items, camera, picture)
    if rng.random() < 0.08:
        placed.append(paint_hand(rng, picture, size))
    picture = distort_image(_lit(rng, picture, gloss, size), camera)
    sensor = settings.sensor if settings.sensor is not None else metered(picture, random_sensor(rng, size))
    image = sensor.expose(picture, rng)
    shares = _visible_shares(placed, size)
    labelled = tuple(Thing(p.kind, p.name, p.corners, share) for p, share in zip(placed, shares, strict=True))
    return Scene(image, labelled, name, layout)
