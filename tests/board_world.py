"""A pinhole camera over a board of Cubed: what a finder and a face reader would see, with errors, and the truth."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from vision.boards import CubedPlan, Square
from vision.faces import FaceEvidence
from vision.finder import Sight
from vision.pose import Pose
from vision.types import Detection, Kind, Quad

Floats = npt.NDArray[np.float64]

SIZE = (1152, 864)
SCALE = 8
NUMBERS = {
    (1, 9): 3,
    (2, 3): 5,
    (3, 6): 2,
    (4, 11): 5,
    (8, 2): 3,
    (9, 9): 2,
    (11, 4): 5,
    (12, 8): 3,
}
PLAN = CubedPlan(13, 13, ((6, 5), (6, 6), (6, 7)), NUMBERS)
DICE: tuple[Square, ...] = ((6, 5), (6, 6), (6, 7), (5, 5), (4, 5), (5, 7), (7, 6), (8, 6), (6, 8))


@dataclass(frozen=True)
class View:
    """Where the camera is: degrees of tilt and roll, the longer side of the picture and the distance in pitches."""

    tilt: float = 25.0
    roll: float = 20.0
    focal: float = 0.85
    distance: float = 22.0
    aim: tuple[float, float] = (6.5, 6.5)
    swing: float = 0.0


@dataclass(frozen=True)
class Errors:
    """How badly things are seen: pixels of noise, shares of crossings lost and made up, shares of squares misread."""

    noise: float = 0.5
    lost: float = 0.3
    false: int = 6
    die_noise: float = 0.8
    shift: float = 0.04
    turn: float = 3.0
    misread: float = 0.1
    printed: bool = True
    margin: float = 0.0
    map_noise: float = 0.1


@dataclass(frozen=True)
class World:
    """A board, the dice on it and a camera; ``seed`` decides the errors.

    ``given`` is a camera that is known and ``quads`` are top faces that are, instead of ``view`` and ``edge``.
    """

    plan: CubedPlan = PLAN
    dice: Sequence[Square] = DICE
    view: View = field(default_factory=View)
    errors: Errors = field(default_factory=Errors)
    seed: int = 0
    edge: float = 0.9
    glare: tuple[float, float, float] | None = None
    given: Pose | None = None
    quads: Sequence[Floats] = ()

    @property
    def pose(self) -> Pose:
        """The camera."""
        return self.given or pose_above(self.view)

    def sight(self) -> Sight:
        """What the finder sees."""
        random = np.random.default_rng(self.seed)
        detections = tuple(Detection(Quad(quad.astype(np.float32)), 0.9, Kind.DIE) for quad in self.tops(random))
        board = self.board(random)
        return Sight(detections, self.crossings(random), board, float(SCALE), np.ones_like(board))

    def tops(self, random: np.random.Generator) -> list[Floats]:
        """Top faces, their corners clockwise from any of them."""
        quads = [quad + random.normal(0, self.errors.die_noise, (4, 2)) for quad in self.quads]
        for row, column in self.dice if not quads else ():
            angle = math.radians(random.normal(0, self.errors.turn) + 90 * random.integers(4))
            middle = np.array([column + 0.5, row + 0.5]) + random.normal(0, self.errors.shift, 2)
            axes = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
            flat = middle + np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * self.edge @ axes
            corners = self.pose.project(np.column_stack([flat, np.full(4, self.edge * 1.03)]))
            quads.append(corners + random.normal(0, self.errors.die_noise, (4, 2)))
        return quads

    def crossings(self, random: np.random.Generator) -> npt.NDArray[np.float32]:
        """Crossings of the grid lines that are in the picture and not under a die, and some false ones."""
        width, height = SIZE
        grid = np.stack(np.meshgrid(range(self.plan.columns + 1), range(self.plan.rows + 1)), axis=-1).reshape(-1, 2)
        pixels = self.pose.project(np.column_stack([grid, np.zeros(len(grid))]))
        kept = (random.random(len(grid)) > self.errors.lost) & inside(pixels) & ~self.hidden(pixels)
        if self.glare is not None:
            x, y, radius = self.glare
            kept &= np.hypot(pixels[:, 0] - x, pixels[:, 1] - y) > radius
        if not self.errors.printed:
            kept[:] = False
        seen = pixels[kept] + random.normal(0, self.errors.noise, (int(kept.sum()), 2))
        false = random.random((self.errors.false, 2)) * (width, height)
        points = np.concatenate([seen, false])
        return np.asarray(np.column_stack([points, random.uniform(0.5, 1, len(points))]), np.float32)

    def hidden(self, pixels: Floats) -> npt.NDArray[np.bool_]:
        """Which pixels show a die rather than the board."""
        covered = np.zeros(len(pixels), bool)
        for height in np.linspace(0, self.edge, 6):
            at = self.pose.locate(pixels, float(height))
            for row, column in self.dice:
                covered |= (np.abs(at - (column + 0.5, row + 0.5)) < self.edge / 2).all(axis=1)
        return covered

    def board(self, random: np.random.Generator) -> npt.NDArray[np.float32]:
        """The map of the board."""
        width, height = SIZE
        rows, columns = np.mgrid[0 : height // SCALE, 0 : width // SCALE]
        at = self.pose.locate((np.stack([columns, rows], axis=-1).reshape(-1, 2) + 0.5) * SCALE - 0.5)
        least, most = -self.errors.margin, np.array([self.plan.columns, self.plan.rows]) + self.errors.margin
        on = ((at > least) & (at < most)).all(axis=1).reshape(rows.shape)
        noisy = np.where(on, 0.95, 0.05) + random.normal(0, self.errors.map_noise, on.shape)
        return np.asarray(np.clip(noisy, 0.01, 0.99), np.float32)

    def look(self) -> Callable[[Sequence[Quad]], list[FaceEvidence]]:
        """What the face reader says of squares."""
        random = np.random.default_rng(self.seed + 1000)
        return lambda quads: [self.evidence(quad, random) for quad in quads]

    def evidence(self, quad: Quad, random: np.random.Generator) -> FaceEvidence:
        """What the face reader says of one square."""
        corners = self.pose.locate(quad.corners.astype(np.float64))
        middle = corners.mean(axis=0)
        row, column = int(np.floor(middle[1])), int(np.floor(middle[0]))
        first = int(np.argmin(np.linalg.norm(corners - (column, row), axis=1)))
        what, points = self.what(row, column)
        if np.abs(middle - (column + 0.5, row + 0.5)).max() > 0.25:
            what = 4
        if bool(self.hidden(quad.corners.mean(axis=0)[None].astype(np.float64))[0]):
            what = 4
        if self.glare is not None:
            x, y, radius = self.glare
            if np.hypot(*(quad.centre - (x, y))) < radius:
                what, points = int(random.choice([3, 4])), None
        if random.random() < self.errors.misread:
            what, points, first = int(random.integers(5)), int(random.integers(1, 10)), int(random.integers(4))
        digit = points if points is not None and points < 10 else int(random.integers(10))
        return reading(quad, what, digit, first)

    def what(self, row: int, column: int) -> tuple[int, int | None]:
        """The class of a square, and its points."""
        if not (0 <= row < self.plan.rows and 0 <= column < self.plan.columns):
            return 4, None
        if (row, column) in self.plan.bonus:
            return 2, self.plan.bonus[row, column]
        return (4 if (row, column) in self.plan.logo else 3), None


def reading(quad: Quad, what: int, digit: int, turn: int, certain: float = 0.9) -> FaceEvidence:
    """Evidence for one class each."""
    logs = {
        "what": peaked(5, what, certain),
        "number": peaked(3, 0, 0.4),
        "colour": peaked(3, 0, 0.4),
        "shape": peaked(3, 0, 0.4),
        "digit": peaked(10, digit, certain),
        "turn": peaked(4, turn, certain),
    }
    return FaceEvidence(quad, logs, 0.1, np.zeros(32, np.float32), np.zeros((64, 64, 3), np.uint8))


def peaked(many: int, at: int, certain: float) -> npt.NDArray[np.float32]:
    """Log-probabilities of ``many`` classes, ``certain`` of one."""
    chances = np.full(many, (1 - certain) / (many - 1), np.float32)
    chances[at] = certain
    return np.asarray(np.log(chances), np.float32)


def inside(pixels: Floats) -> npt.NDArray[np.bool_]:
    """Which pixels are in the picture."""
    return np.asarray(((pixels >= 0) & (pixels < SIZE)).all(axis=1))


def pose_above(view: View) -> Pose:
    """The camera of a view: it looks at ``aim`` from ``distance`` away."""
    roll, tilt, swing = (math.radians(angle) for angle in (view.roll, view.tilt, view.swing))
    about_z = np.array([[math.cos(roll), -math.sin(roll), 0], [math.sin(roll), math.cos(roll), 0], [0, 0, 1]])
    about_x = np.array([[1, 0, 0], [0, math.cos(tilt), -math.sin(tilt)], [0, math.sin(tilt), math.cos(tilt)]])
    turned = np.array([[math.cos(swing), -math.sin(swing), 0], [math.sin(swing), math.cos(swing), 0], [0, 0, 1]])
    rotation = turned @ about_x @ about_z
    offset = np.array([0, 0, view.distance]) - rotation @ np.array([*view.aim, 0.0])
    return Pose(view.focal * max(SIZE), (np.array(SIZE) - 1) / 2, rotation, offset)
