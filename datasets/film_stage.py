"""The set of a film: a table under its lamp, the camera over it, the box of pieces, and the places where they lie.

Convention: the table is the plane z = 0 in millimetres as in :mod:`datasets.viewpoint`. A stage is drawn with a margin
round the frame, so that a camera that is bumped still sees something; its pixels are those of that larger picture.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from datasets import art
from datasets.art import Art, draw_back, draw_distractor
from datasets.board_art import BoardArt, CubedLayout, cubed_board, junior_board_two, random_layout
from datasets.camera import Camera
from datasets.canvas import Floats
from datasets.faces import draw_print
from datasets.film_layers import Sprite, cast_shadow, lay, warped, window_about
from datasets.film_script import Place
from datasets.layouts import Pose, footprint
from datasets.light import illumination
from datasets.scene import background
from datasets.skins import Skins
from datasets.solids import Lamp, Solid, draw_solid, shade_plane, top_corners
from datasets.tables import random_table
from datasets.viewpoint import Viewpoint, looking
from datasets.worlds import BoxStyle, die, random_box, tile
from engine.tokens import Card, Tile
from vision.types import Deck, Image

__all__ = ["CardStage", "Placed", "SolidStage", "Stage", "StageSettings", "card_stage", "cubed_stage", "junior_stage"]

Random = np.random.Generator
Points = npt.NDArray[np.float64]


@dataclass(frozen=True)
class StageSettings:
    """How a set may look.

    ``size`` is the frame's (width, height) in pixels, ``textures`` and ``skins`` are real surfaces and crops where
    there are any, ``tilt`` is the range of the camera's angle from straight above in degrees, ``short_side`` the range
    of the short side of a card or the side of a tile or die, in pixels of a frame 1280 wide; a camera that would not
    see all places is moved away. ``margin`` is that round the frame, a share of its width; ``beside`` the share of
    tables with other things on them; ``uneven`` the share of tables under uneven light.
    """

    size: tuple[int, int] = (1280, 720)
    textures: tuple[Path, ...] = ()
    skins: Skins | None = None
    tilt: tuple[float, float] = (0.0, 35.0)
    short_side: tuple[float, float] = (70.0, 115.0)
    margin: float = 0.04
    beside: float = 0.4
    uneven: float = 0.8
    table: str | None = None

    @property
    def pad(self) -> int:
        """The margin in pixels."""
        return round(self.margin * self.size[0])

    @property
    def padded(self) -> tuple[int, int]:
        """(width, height) of the stage's own picture."""
        return (self.size[0] + 2 * self.pad, self.size[1] + 2 * self.pad)


@dataclass(frozen=True)
class Placed:
    """A piece where it lies; ``key`` tells dice that show the same from each other."""

    key: str
    name: str
    pose: Pose


@dataclass(frozen=True, eq=False)
class Stage(ABC):
    """A set that can be drawn with any pieces.

    ``slots`` has the pose of each place. ``ground`` is the (h, w, 3) uint8 table without light, ``light`` the light on
    it as uint8, 128 for 1. ``sun`` is which way shadows fall for a millimetre of height, ``dark`` their depth.
    """

    settings: StageSettings
    view: Viewpoint
    slots: Mapping[Place, Pose]
    ground: Image
    light: Image
    sun: tuple[float, float]
    dark: float
    table: str

    @property
    @abstractmethod
    def size_mm(self) -> tuple[float, float]:
        """(width, height) of the pieces."""

    @abstractmethod
    def quad(self, piece: Placed) -> Points:
        """Return the (4, 2) corners TL TR BR BL of what ``piece`` shows, in pixels of the stage."""

    @abstractmethod
    def compose(self, pieces: Sequence[Placed]) -> Image:
        """Return the (h, w, 3) picture of the table with ``pieces`` on it, before ``light`` falls on it."""

    @abstractmethod
    def sprite(self, name: str) -> Sprite:
        """Return the face of a piece, as a hand carries it."""

    def scale(self) -> float:
        """Pixels a millimetre in the middle of the places."""
        return float(_scale(self.view, self.slots))


def _scale(view: Viewpoint, slots: Mapping[Place, Pose]) -> float:
    middle = np.mean([(pose.x, pose.y, 0.0) for pose in slots.values()], axis=0)
    ends = view.project(np.array([middle - [10, 0, 0], middle + [10, 0, 0], middle - [0, 10, 0], middle + [0, 10, 0]]))
    return float((np.linalg.norm(ends[1] - ends[0]) + np.linalg.norm(ends[3] - ends[2])) / 40)


@dataclass(frozen=True, eq=False)
class CardStage(Stage):
    """A table on which cards lie."""

    faces: Mapping[str, Art] = field(default_factory=dict)
    sprites: dict[str, Sprite] = field(default_factory=dict)

    @property
    def size_mm(self) -> tuple[float, float]:
        """(width, height) of the cards."""
        return next(iter(self.faces.values())).size_mm

    def quad(self, piece: Placed) -> Points:
        """Return the corners of a card on the table."""
        flat = footprint(piece.pose, self.faces[piece.name].size_mm)
        return self.view.project(np.column_stack([flat, np.zeros(4)]))

    def sprite(self, name: str) -> Sprite:
        """Return the face of a card; each is drawn once."""
        if name not in self.sprites:
            self.sprites[name] = Sprite.of(self.faces[name], self.scale() * 1.25)
        return self.sprites[name]

    def compose(self, pieces: Sequence[Placed]) -> Image:
        """Return the table with cards and their small shadows."""
        picture = self.ground.copy()
        for piece in pieces:
            _paste(picture, self.sprite(piece.name), piece.pose, self.view, self.sun, self.dark, 0.5)
        return picture


def _paste(
    picture: Image,
    sprite: Sprite,
    pose: Pose,
    view: Viewpoint,
    sun: tuple[float, float],
    dark: float,
    lift: float,
) -> None:
    matrix = view.plane() @ pose_matrix(pose)
    window = window_about([sprite.outline(matrix)], view.size, 8)
    if window is None:
        return
    layer = warped(sprite, matrix, window)
    cast_shadow(picture, layer[..., 3], window, (sun[0] * lift, sun[1] * lift), 1.0 + lift, dark)
    lay(picture, layer, window)


def pose_matrix(pose: Pose) -> Points:
    """Return the (3, 3) matrix from millimetres about a piece to those of the table."""
    cos, sin = np.cos(pose.angle), np.sin(pose.angle)
    return np.array([[cos, -sin, pose.x], [sin, cos, pose.y], [0, 0, 1]])


@dataclass(frozen=True, eq=False)
class SolidStage(Stage):
    """A board, with dice or tiles that stand on it."""

    lamp: Lamp = field(kw_only=True)
    box: BoxStyle = field(kw_only=True)
    board: BoardArt = field(kw_only=True)
    sheet: Floats = field(kw_only=True)
    shine: tuple[float, float] = (0.1, 20.0)
    bodies: dict[str, Solid] = field(default_factory=dict)
    seed: int = 0

    @property
    def size_mm(self) -> tuple[float, float]:
        """(width, depth) of the dice or tiles."""
        return self.box.size[:2]

    def solid(self, piece: Placed) -> Solid:
        """Return the body of ``piece``; its sides are rolled once."""
        if piece.key not in self.bodies:
            rng = np.random.default_rng([self.seed, len(self.bodies)])
            make = die if self.board.kind == "cubed" else tile
            self.bodies[piece.key] = make(rng, self.box, piece.name, (0.0, 0.0), 0.0)
        return replace(self.bodies[piece.key], x=piece.pose.x, y=piece.pose.y, angle=piece.pose.angle)

    def quad(self, piece: Placed) -> Points:
        """Return the corners of the top of a die or tile."""
        return self.view.project(top_corners(self.solid(piece)))

    def sprite(self, name: str) -> Sprite:
        """Return the top of a die or tile."""
        rng = np.random.default_rng(self.seed)
        face = draw_print(None if name == "wild" else Tile.parse(name), self.box.style, rng)
        return Sprite.of(Art(face, np.full(face.shape[:2], 255, np.uint8), self.size_mm), self.scale() * 1.25)

    def compose(self, pieces: Sequence[Placed]) -> Image:
        """Return the board with its dice or tiles, traced anew."""
        solids = [self.solid(piece) for piece in pieces]
        picture = shade_plane(self.ground.astype(np.float32), solids, self.view, self.lamp, self.shine, self.sheet)
        gloss = np.zeros(picture.shape[:2], np.float32)
        middles = np.array([solid.centre for solid in solids]).reshape(-1, 3)
        for index in np.argsort(-np.linalg.norm(middles - self.view.eye, axis=1)):
            draw_solid(picture, gloss, solids[int(index)], self.view, self.lamp, self.board.mean)
        return np.asarray(np.clip(picture, 0, 255), np.uint8)


def _view(rng: Random, settings: StageSettings, slots: Mapping[Place, Pose], room: Points, short: float) -> Viewpoint:
    """A camera on a stand over the table that sees ``room`` (n, 2) and shows a side of ``short`` mm as asked for."""
    width = settings.size[0]
    focal = rng.uniform(0.8, 1.3) * width
    tilt = float(np.radians(rng.uniform(*settings.tilt)))
    spin = float(np.radians(rng.normal(0, 5)) + np.pi * rng.integers(0, 2))
    middle = np.append((room.min(axis=0) + room.max(axis=0)) / 2, 0.0)
    wanted = rng.uniform(*settings.short_side) * width / 1280 / short
    distance = focal / wanted
    points = np.column_stack([room, np.zeros(len(room))])
    for _ in range(40):
        view = looking(settings.padded, focal, (tilt, spin), distance, middle)
        low, high = view.project(points).min(axis=0), view.project(points).max(axis=0)
        view = _centred(view, settings, (low + high) / 2, middle, (tilt, spin), distance)
        pixels = view.project(points) - settings.pad
        if (pixels > 4).all() and (pixels < np.array(settings.size) - 4).all():
            break
        distance *= 1.03
    return view


def _centred(
    view: Viewpoint, settings: StageSettings, seen: Points, middle: Points, angles: tuple[float, float], distance: float
) -> Viewpoint:
    """The same camera moved sideways, so that what it saw at ``seen`` is in the middle."""
    inverse = np.linalg.inv(view.plane())
    places = [inverse @ np.append(point, 1) for point in (seen, (np.array(view.size) - 1) / 2)]
    shift = places[0][:2] / places[0][2] - places[1][:2] / places[1][2]
    return looking(view.size, view.focal, angles, distance, middle + [*shift, 0.0])


def _grid(rng: Random, count: int, size: tuple[float, float]) -> dict[Place, Pose]:
    """Places of cards in columns of three or four, filled column by column, with some disorder."""
    lying = rng.random() < 0.3
    width, height = (size[1], size[0]) if lying else size
    rows = 4 if lying or rng.random() < 0.15 else 3
    pitch = (width + rng.uniform(6, 24), height + rng.uniform(6, 22))
    wobble, slip = rng.choice([0.01, 0.03, 0.07, 0.12]), rng.uniform(0.3, 2.2)
    poses: dict[Place, Pose] = {}
    for index in range(count):
        column, row = divmod(index, rows)
        x, y = np.array([column, row]) * pitch + rng.normal(0, slip, 2).clip(-3, 3)
        turn = (np.pi / 2 if lying else 0.0) + np.clip(rng.normal(0, wobble), -0.2, 0.2) + np.pi * rng.integers(0, 2)
        poses[(index,)] = Pose(float(x), float(y), float(turn))
    return poses


def _bounds(slots: Mapping[Place, Pose], size: tuple[float, float], margin: float) -> Points:
    """(4, 2) corners of the box about all places, ``margin`` millimetres wider."""
    corners = np.concatenate([footprint(pose, size) for pose in slots.values()])
    low, high = corners.min(axis=0) - margin, corners.max(axis=0) + margin
    return np.array([low, [high[0], low[1]], high, [low[0], high[1]]])


def _ground(rng: Random, settings: StageSettings, view: Viewpoint) -> tuple[str, Image]:
    name, texture = random_table(rng, settings.textures, settings.table)
    picture = background(rng, texture, Camera(view.plane(), view.size, 0.0))
    return name, np.asarray(np.clip(picture, 0, 255), np.uint8)


def _beside(rng: Random, settings: StageSettings, ground: Image, view: Viewpoint, room: Points) -> None:
    """Lay things that are no pieces beside ``room``, on ``ground`` in place: the pile, a phone, a pen."""
    if rng.random() >= settings.beside:
        return
    for _ in range(int(rng.integers(1, 4))):
        thing = draw_back(rng) if rng.random() < 0.4 else draw_distractor(rng)
        x, y = room.mean(axis=0)
        sprite = Sprite.of(thing, _scale(view, {(0,): Pose(float(x), float(y), 0.0)}) * 1.2)
        half = float(np.hypot(*thing.size_mm)) / 2 + 8
        side = int(rng.integers(0, 4))
        low, high = room.min(axis=0) - half, room.max(axis=0) + half
        x, y = rng.uniform(low, high)
        x, y = (x, (low[1], high[1])[side % 2]) if side < 2 else ((low[0], high[0])[side % 2], y)
        pose = Pose(float(x), float(y), float(rng.uniform(0, 2 * np.pi)))
        _paste(ground, sprite, pose, view, (1.0, 1.0), 0.3, 2.0)


def _light(rng: Random, settings: StageSettings) -> Image:
    """The field of light, 128 where it is brightest, so that nothing clips before the sensor sees it."""
    width, height = settings.padded
    if rng.random() >= settings.uneven:
        return np.full((height, width, 3), 128, np.uint8)
    field_of_light = np.clip(illumination(rng, settings.padded), 0.5, 1.3)
    return np.asarray(field_of_light * (128 / field_of_light.max()), np.uint8)


def _sun(rng: Random, scale: float) -> tuple[tuple[float, float], float]:
    turn, reach = rng.uniform(0, 2 * np.pi), rng.uniform(0.2, 1.1) * scale
    return (float(np.cos(turn) * reach), float(np.sin(turn) * reach)), float(rng.uniform(0.15, 0.55))


def _card_faces(rng: Random, settings: StageSettings, names: Sequence[str], deck: Deck) -> dict[str, Art]:
    """The faces of ``names`` as one deck prints them, or as one source of crops shows them."""
    names = sorted(names)
    if settings.skins is not None:
        for source in settings.skins.sources(deck is Deck.RAVENSBURGER):
            crops = settings.skins.by_source[source]
            if all(Card.parse(name) in crops for name in names):
                return {name: settings.skins.draw(rng, source, Card.parse(name), None) for name in names}
    style = art.random_style(rng, deck)
    return {name: art.draw_card(Card.parse(name), style, rng) for name in names}


def card_stage(rng: Random, settings: StageSettings, places: Sequence[Place], names: Sequence[str]) -> CardStage:
    """Return a table for the cards ``names`` with room for ``places``; rectangles ask for the Ravensburger deck."""
    deck = Deck.RAVENSBURGER if any("rectangle" in name for name in names) else Deck.US
    faces = _card_faces(rng, settings, names, deck)
    size = next(iter(faces.values())).size_mm
    slots = _grid(rng, len(places), size)
    room = _bounds(slots, size, 8.0)
    view = _view(rng, settings, slots, room, size[0])
    table, ground = _ground(rng, settings, view)
    _beside(rng, settings, ground, view, room)
    sun, dark = _sun(rng, _scale(view, slots))
    return CardStage(settings, view, slots, ground, _light(rng, settings), sun, dark, table, faces)


def _lamp(rng: Random, room: Points) -> Lamp:
    """A lamp over the board, never so low or so small that it blinds the camera."""
    over = np.append(room.mean(axis=0), 0.0)
    reach = float(max(300.0, np.ptp(room, axis=0).max()))
    turn, aside, height = rng.uniform(0, 2 * np.pi), rng.uniform(0.2, 0.9) * reach, reach * rng.uniform(0.9, 2.0)
    ambient, tint = rng.uniform(0.45, 0.8), (1 + rng.normal(0, 0.02, 3)).astype(np.float32)
    place = over + [np.cos(turn) * aside, np.sin(turn) * aside, -height]
    key = np.float32(1 - ambient) * tint
    return Lamp(place, np.float32(ambient) * tint, key, float(rng.choice([0.15, 0.4, 0.8])), 0.85, over)


def _solid_stage(
    rng: Random, settings: StageSettings, board: BoardArt, box: BoxStyle, slots: Mapping[Place, Pose], room: Points
) -> SolidStage:
    view = _view(rng, settings, slots, room, box.size[0])
    table, ground = _ground(rng, settings, view)
    _beside(rng, settings, ground, view, np.array([[0.0, 0.0], board.size]))
    sheet = Sprite.of(Art(board.image, np.full(board.image.shape[:2], 255, np.uint8), board.size), _scale(view, slots))
    middle = Pose(board.size[0] / 2, board.size[1] / 2, 0.0)
    layer = warped(sprite=sheet, matrix=view.plane() @ pose_matrix(middle), window=(0, 0, *view.size))
    lay(ground, layer, (0, 0, *view.size))
    sun, dark = _sun(rng, _scale(view, slots))
    return SolidStage(
        settings,
        view,
        slots,
        ground,
        _light(rng, replace(settings, uneven=0.0)),
        sun,
        dark,
        table,
        lamp=_lamp(rng, room),
        box=box,
        board=board,
        sheet=np.asarray(layer[..., 3] / np.float32(255), np.float32),
        seed=int(rng.integers(0, 1 << 31)),
    )


def junior_stage(rng: Random, settings: StageSettings) -> SolidStage:
    """Return a Junior board with its ten spaces for tiles."""
    box = random_box(rng, "tile")
    board = junior_board_two(rng, box.size[0])
    slots: dict[Place, Pose] = {}
    for index, space in enumerate(board.spaces):
        x, y = np.array(space.corner) + space.side / 2
        slots[(index,)] = Pose(float(x), float(y), float(np.pi * rng.integers(0, 2)))
    return _solid_stage(rng, settings, board, box, slots, _bounds(slots, box.size[:2], 12.0))


def cubed_stage(rng: Random, settings: StageSettings) -> SolidStage:
    """Return a board of Cubed, all of it in the picture, with a pose for each of its squares."""
    box = random_box(rng, "die")
    layout: CubedLayout = random_layout(rng, clear=True)
    board = cubed_board(rng, box.size[0] * rng.uniform(1.02, 1.16), layout, clear=True)
    slots: dict[Place, Pose] = {}
    for row in range(board.rows):
        for column in range(board.columns):
            x, y = np.array(board.corner) + (np.array([column, row]) + 0.5) * board.pitch
            slots[(row, column)] = Pose(float(x), float(y), float(np.pi / 2 * rng.integers(0, 4)))
    room = np.array([[0.0, 0.0], [board.size[0], 0.0], board.size, [0.0, board.size[1]]])
    return _solid_stage(rng, settings, board, box, slots, room)
