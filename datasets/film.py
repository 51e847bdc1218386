"""Films of games: frame by frame, with the exact truth of each.

A film is a pure function of its game, its seed, its settings and the files that they name. Frames are made one at a
time and never kept. Convention: images are (height, width, 3) uint8 BGR; quads are (4, 2) pixels, TL TR BR BL of the
upright piece, pixel centres at integers; times are seconds from the start.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import numpy.typing as npt

from datasets.film_camera import Sensor, View, random_sensor, view_at
from datasets.film_cubed import cubed_script
from datasets.film_director import Pace, Timeline, direct
from datasets.film_layers import Sprite, Window, cast_shadow, lay, mean_layer, over, warped, window_about
from datasets.film_motion import Carry, Rest, Stroke
from datasets.film_script import GameError, Script, ScriptSettings, StepKind, table_script
from datasets.film_stage import (
    Placed,
    SolidStage,
    Stage,
    StageSettings,
    card_stage,
    cubed_stage,
    junior_stage,
    pose_matrix,
)
from datasets.hands import HandArt, draw_hand
from vision.types import Image

__all__ = ["GAMES", "Film", "FilmFrame", "FilmSettings", "FrameTruth", "Seen", "produce"]

Random = np.random.Generator
Matrix = npt.NDArray[np.float64]

GAMES = ("classic", "ravensburger", "junior-2", "cubed")
"""The games of which there are films."""

_HOVER = 8.0
_SHUTTER = 0.5
_BLUR_STEP = 3.0
_MOST_BLUR = 4
_COARSE = 9.0
_OWNER_STEP = 4


@dataclass(frozen=True)
class FilmSettings:
    """How a film is made: frames a second, the set, the game and the pace of its people."""

    fps: float = 15.0
    stage: StageSettings = field(default_factory=StageSettings)
    script: ScriptSettings = field(default_factory=ScriptSettings)
    pace: Pace = field(default_factory=Pace)


@dataclass(frozen=True, eq=False)
class Seen:
    """A piece that lies still: its ``quad`` in pixels of the frame, and the share of it that no hand covers."""

    key: str
    name: str
    quad: npt.NDArray[np.float64]
    visible: float


@dataclass(frozen=True, eq=False)
class FrameTruth:
    """What is in a frame.

    ``hands`` are in the picture; something is ``moving`` with them; the camera is ``shaking`` or ``focusing``; the lamp
    is off (``dark``). ``pieces`` lie still, whatever covers them; ``events`` counts the lines of the record so far.
    """

    time: float
    hands: bool
    moving: bool
    shaking: bool
    focusing: bool
    dark: bool
    pieces: tuple[Seen, ...]
    events: int

    @property
    def settled(self) -> bool:
        """Whether nothing is going on: no hand, nothing moving, the camera still."""
        return not (self.hands or self.moving or self.shaking)


@dataclass(frozen=True, eq=False)
class FilmFrame:
    """One frame, from 0, and its time in seconds."""

    number: int
    time: float
    image: Image
    truth: FrameTruth


@dataclass(frozen=True, eq=False)
class _Still:
    """The table without hands as the camera sees it in one position: without light, its light, and both together.

    ``owner`` says at every few pixels which piece lies there, counted from 1; ``quads`` are those of the pieces.
    """

    table: Image
    light: Image
    lit: Image
    owner: npt.NDArray[np.int32]
    quads: tuple[npt.NDArray[np.float64], ...]


@dataclass(frozen=True, eq=False)
class Film:
    """A film that can be shown: its timeline, its set, its people's hands and its camera."""

    timeline: Timeline
    stage: Stage
    sensor: Sensor
    hands: dict[str, HandArt]
    settings: FilmSettings
    seed: int

    @property
    def count(self) -> int:
        """How many frames it has."""
        return int(self.timeline.length * self.settings.fps)

    def frames(self) -> Iterator[FilmFrame]:
        """Yield every frame in order; the same each time."""
        rng = np.random.default_rng([self.seed, 7])
        maker = _Maker(self)
        for number in range(self.count):
            yield maker.frame(number, rng)


@dataclass
class _Maker:
    """Draws the frames of a film, and keeps what the next one can use again."""

    film: Film
    lying: tuple[Rest, ...] | None = None
    table: Image | None = None
    still: _Still | None = None
    moved: Matrix | None = None
    light: tuple[Matrix, Image] | None = None
    sprites: dict[str, Sprite] = field(default_factory=dict)

    def frame(self, number: int, rng: Random) -> FilmFrame:
        """Draw frame ``number``."""
        time = number / self.film.settings.fps
        view = view_at(self.film.timeline.effects, time, self.film.stage.settings.size)
        lying = self.film.timeline.lying(time)
        still = self.seen(lying, view)
        picture, alpha, moving = self.with_hands(still, view, time)
        image = self.film.sensor.expose(_softened(picture, view, self.film.sensor.blur), view.light, time, rng)
        truth = FrameTruth(
            time,
            alpha is not None,
            alpha is not None and moving,
            view.shaking,
            view.focusing,
            view.dark,
            _seen(lying, still, alpha),
            sum(when <= time for when, _ in self.film.timeline.events),
        )
        return FilmFrame(number, time, image, truth)

    def seen(self, lying: tuple[Rest, ...], view: View) -> _Still:
        """The table without hands, drawn anew only where something has changed."""
        if self.table is None or lying != self.lying:
            placed = [Placed(rest.key, rest.name, rest.pose) for rest in lying]
            self.table, self.lying, self.still = self.film.stage.compose(placed), lying, None
        if self.still is None or self.moved is None or not np.array_equal(self.moved, view.move):
            self.still, self.moved = self.photographed(self.table, lying, view.move), view.move
        return self.still

    def photographed(self, table: Image, lying: Sequence[Rest], move: Matrix) -> _Still:
        """The frame that a camera moved by ``move`` takes of the stage's larger picture."""
        stage = self.film.stage
        if self.light is None or not np.array_equal(self.light[0], move):
            self.light = (move, _framed(stage.light, move, stage.settings))
        frame, light = _framed(table, move, stage.settings), self.light[1]
        matrix = _to_frame(move, stage.settings.pad)
        quads = tuple(_mapped(matrix, stage.quad(Placed(r.key, r.name, r.pose))) for r in lying)
        width, height = stage.settings.size
        owner = np.zeros((-(-height // _OWNER_STEP), -(-width // _OWNER_STEP)), np.int32)
        for index, quad in enumerate(quads):
            cv2.fillConvexPoly(
                owner, np.round((quad + 0.5) / _OWNER_STEP * 16 - 8).astype(np.int32), index + 1, shift=4
            )
        lit = np.asarray(cv2.multiply(frame, light, scale=1 / 128), np.uint8)
        return _Still(frame, light, lit, owner, quads)

    def with_hands(self, still: _Still, view: View, time: float) -> tuple[Image, Image | None, bool]:
        """The lit frame with all hands over it, where they cover it (h, w), None for nowhere, and if they carry."""
        timeline = self.film.timeline
        picture, table, cover, moving = still.lit, still.table, None, False
        for stroke in (stroke for stroke in timeline.strokes if stroke.start < time < stroke.end):
            carried = [c for c in timeline.carries if c.stroke is stroke and c.start <= time < c.end]
            drawn = self.hand(stroke, carried, view, time)
            if drawn is None:
                continue
            window, layer, height = drawn
            if cover is None:
                picture, table = still.lit.copy(), still.table.copy()
                cover = np.zeros(table.shape[:2], np.uint8)
            self.lay(table, window, layer, height)
            left, top, right, bottom = window
            part, light = table[top:bottom, left:right], still.light[top:bottom, left:right]
            picture[top:bottom, left:right] = cv2.multiply(part, light, scale=1 / 128)
            cover[top:bottom, left:right] = np.maximum(cover[top:bottom, left:right], layer[..., 3])
            moving |= bool(carried)
        return picture, cover, moving

    def lay(self, table: Image, window: Window, layer: Image, height: float) -> None:
        """Lay a hand's layer on the ``table`` without light in place, its shadow first."""
        stage, lifted = self.film.stage, height + _HOVER
        shift = (stage.sun[0] * lifted, stage.sun[1] * lifted)
        cast_shadow(table, layer[..., 3], window, shift, 2.0 + 0.35 * lifted * stage.scale(), stage.dark)
        lay(table, layer, window)

    def hand(
        self, stroke: Stroke, carried: Sequence[Carry], view: View, time: float
    ) -> tuple[Window, Image, float] | None:
        """The layer of a hand with what it carries, as an open shutter sees it; None when it is outside."""
        shutter = _SHUTTER / self.film.settings.fps
        path = [self.tip(stroke, view, moment) for moment in (time - shutter, time)]
        travel = float(np.hypot(*(path[1] - path[0])))
        number = int(np.clip(np.ceil(travel / _BLUR_STEP), 1, _MOST_BLUR))
        moments = [time - shutter * index / number for index in range(number)]
        placed = [self.matrices(stroke, carried, view, moment) for moment in moments]
        outlines = [sprite.outline(matrix) for pairs in placed for sprite, matrix in pairs]
        height = stroke.at(time).height
        pad = int(np.hypot(*self.film.stage.sun) * (height + _HOVER) + height * self.film.stage.scale()) + 6
        window = window_about(outlines, self.film.stage.settings.size, pad)
        if window is None:
            return None
        step = 2 if travel > _COARSE else 1
        layer = mean_layer([_stacked(pairs, window, step) for pairs in placed])
        # Odd sides only: OpenCV 5.0 blurs black to 1 with a box of 2 x 1.
        reach = 2 * np.round(np.abs(path[1] - path[0]) / number / step / 2).astype(int) + 1
        layer = np.asarray(cv2.blur(layer, reach.tolist()), np.uint8) if reach.max() > 1 else layer
        if step > 1:
            size = (window[2] - window[0], window[3] - window[1])
            layer = np.asarray(cv2.resize(layer, size, interpolation=cv2.INTER_LINEAR), np.uint8)
        return (window, layer, height) if layer[..., 3].any() else None

    def tip(self, stroke: Stroke, view: View, time: float) -> npt.NDArray[np.float64]:
        """Where in the frame the finger tips are."""
        hand = stroke.at(time)
        matrix = _to_frame(view.move, self.film.stage.settings.pad) @ self.film.stage.view.plane(hand.height)
        return np.asarray(_mapped(matrix, np.array([[hand.pose.x, hand.pose.y]]))[0])

    def matrices(
        self, stroke: Stroke, carried: Sequence[Carry], view: View, time: float
    ) -> list[tuple[Sprite, Matrix]]:
        """What a hand carries and the hand itself, lowest first, each with its way from millimetres to the frame."""
        to_frame, stage = _to_frame(view.move, self.film.stage.settings.pad), self.film.stage
        found = []
        for carry in carried:
            pose, height = carry.at(time)
            found.append((self.sprite(carry.name), to_frame @ stage.view.plane(height) @ pose_matrix(pose)))
        hand, art = stroke.at(time), self.film.hands[stroke.player]
        matrix = to_frame @ stage.view.plane(hand.height + _HOVER) @ pose_matrix(hand.pose)
        return [*found, (Sprite(art.image, art.to_mm), matrix)]

    def sprite(self, name: str) -> Sprite:
        """The face of a piece; dice are hidden by the fingers that hold them, but their tops show between them."""
        if name not in self.sprites:
            self.sprites[name] = self.film.stage.sprite(name)
        return self.sprites[name]


def _stacked(pairs: Sequence[tuple[Sprite, Matrix]], window: Window, step: int) -> Image:
    layers = [warped(sprite, matrix, window, step) for sprite, matrix in pairs]
    total = layers[0]
    for layer in layers[1:]:
        total = over(total, layer)
    return total


def _softened(picture: Image, view: View, blur: float) -> Image:
    """What the lens makes of the frame: its own blur, that of a lens out of focus, and that of a shaken camera."""
    blur = float(np.hypot(blur, view.soft))
    if blur > 0.25:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), blur), np.uint8)
    if view.shaking:
        reach = max(1, picture.shape[1] // 440)
        picture = np.asarray(cv2.blur(picture, (2 * reach + 1, 2 * (reach // 2) + 1)), np.uint8)
    return picture


def _to_frame(move: Matrix, pad: int) -> Matrix:
    """The (3, 3) matrix from the stage's picture to a frame whose camera has been moved."""
    return np.asarray(move @ np.array([[1, 0, -pad], [0, 1, -pad], [0, 0, 1]], float))


def _framed(picture: Image, move: Matrix, settings: StageSettings) -> Image:
    (width, height), pad = settings.size, settings.pad
    if np.array_equal(move, np.eye(3)):
        return np.ascontiguousarray(picture[pad : pad + height, pad : pad + width])
    matrix = _to_frame(move, pad)
    return np.asarray(
        cv2.warpPerspective(picture, matrix, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE),
        np.uint8,
    )


def _mapped(matrix: Matrix, points: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    placed = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(placed[:, :2] / placed[:, 2:])


def _seen(lying: Sequence[Rest], still: _Still, alpha: Image | None) -> tuple[Seen, ...]:
    """The pieces with the share of each that is not covered."""
    count = len(lying) + 1
    whole = np.maximum(np.bincount(still.owner.ravel(), minlength=count), 1)
    covered = np.zeros(count)
    if alpha is not None:
        thin = alpha[_OWNER_STEP // 2 :: _OWNER_STEP, _OWNER_STEP // 2 :: _OWNER_STEP] > 127
        owner = still.owner[: thin.shape[0], : thin.shape[1]]
        covered = np.bincount(owner[thin], minlength=count).astype(float)
    shares = 1 - covered / whole
    return tuple(
        Seen(rest.key, rest.name, quad, float(share))
        for rest, quad, share in zip(lying, still.quads, shares[1:], strict=True)
    )


def _white(script: Script, stage: Stage) -> float:
    """How bright paper is under the light of the stage, 0..255: what a camera meters."""
    step = next(step for step in script.steps if step.kind is StepKind.LAY)
    laid = zip(step.pieces, step.places, strict=True)
    placed = [Placed(f"-{index}", name, stage.slots[at]) for index, (name, at) in enumerate(laid)]
    lit = cv2.multiply(stage.compose(placed), stage.light, scale=1 / 128)
    levels = []
    for piece in placed:
        mask = np.zeros(lit.shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, np.round(stage.quad(piece)).astype(np.int32), 1)
        levels.append(np.percentile(lit[mask > 0].max(axis=1), 80))
    return float(np.percentile(levels, 75))


def _set_up(game: str, rng: Random, settings: FilmSettings) -> tuple[Script, Stage]:
    """A script and the set on which it is played."""
    if game not in GAMES:
        raise GameError(game, GAMES)
    if game == "cubed":
        board_stage: SolidStage = cubed_stage(rng, settings.stage)
        return cubed_script(rng, board_stage.board, settings.script), board_stage
    script = table_script(game, rng, settings.script)
    if game == "junior-2":
        return script, junior_stage(rng, settings.stage)
    names = sorted({name for step in script.steps for name in step.pieces})
    return script, card_stage(rng, settings.stage, script.places, names)


def produce(game: str, seed: int, settings: FilmSettings | None = None) -> Film:
    """Return the film of ``seed`` of one of :data:`GAMES`, ready to be shown.

    :raises GameError: ``game`` is none of them.
    """
    settings = FilmSettings() if settings is None else settings
    rng = np.random.default_rng(seed)
    script, stage = _set_up(game, rng, settings)
    hands = {player: draw_hand(rng) for player in script.players}
    sensor = random_sensor(rng, stage.settings.size, _white(script, stage))
    return Film(direct(rng, script, stage, settings.pace), stage, sensor, hands, replace(settings), seed)
