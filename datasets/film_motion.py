"""How hands move: from a seat over the table to what they touch and back, and what they carry meanwhile.

Convention: millimetres on the table, seconds from the start of the film. A hand's pose has its origin at the finger
tips; its angle turns the arm of :class:`datasets.hands.HandArt`, which goes towards y, to where the shoulder is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from datasets.layouts import Pose

__all__ = ["Carry", "HandPose", "Key", "Rest", "Stroke", "hand_pose", "joined", "relative"]

Points = npt.NDArray[np.float64]
_ARCH = 26.0
_FAR = 90.0


@dataclass(frozen=True)
class Key:
    """Where the finger tips are at ``time``, ``height`` above the table; ``bend`` is how far the way there swings."""

    time: float
    x: float
    y: float
    height: float
    bend: float = 0.0


@dataclass(frozen=True)
class HandPose:
    """A hand at one moment: the pose of its tips and their height."""

    pose: Pose
    height: float


@dataclass(frozen=True)
class Stroke:
    """One reach of the hand of ``player`` into the picture and out of it, from a ``shoulder`` (x, y)."""

    player: str
    shoulder: tuple[float, float]
    keys: tuple[Key, ...]

    @property
    def start(self) -> float:
        """When the hand sets out, outside the picture."""
        return self.keys[0].time

    @property
    def end(self) -> float:
        """When it is outside again."""
        return self.keys[-1].time

    def at(self, time: float) -> HandPose:
        """Return where the hand is; before the start and after the end it waits outside."""
        after = next((index for index, key in enumerate(self.keys) if key.time > time), len(self.keys))
        if after in (0, len(self.keys)):
            key = self.keys[0 if after == 0 else -1]
            return HandPose(hand_pose((key.x, key.y), self.shoulder), key.height)
        first, last = self.keys[after - 1], self.keys[after]
        share = (time - first.time) / (last.time - first.time)
        smooth = share**3 * (10 - 15 * share + 6 * share**2)
        way = np.array([last.x - first.x, last.y - first.y])
        far = float(np.hypot(*way))
        aside = np.array([-way[1], way[0]]) / max(far, 1e-6) * last.bend * np.sin(np.pi * smooth)
        x, y = np.array([first.x, first.y]) + way * smooth + aside
        arch = _ARCH * np.sin(np.pi * smooth) * min(1.0, far / _FAR) ** 2
        height = first.height + (last.height - first.height) * smooth + arch
        return HandPose(hand_pose((float(x), float(y)), self.shoulder), float(height))


@dataclass(frozen=True)
class Rest:
    """A piece that lies still from ``start`` until before ``end``."""

    key: str
    name: str
    pose: Pose
    start: float
    end: float


@dataclass(frozen=True)
class Carry:
    """A piece that goes with the hand of a stroke; its pose in the hand turns from ``first`` to ``last``."""

    key: str
    name: str
    stroke: Stroke
    first: Pose
    last: Pose
    start: float
    end: float

    def at(self, time: float) -> tuple[Pose, float]:
        """Return its pose on the table and its height above it."""
        share = float(np.clip((time - self.start) / max(self.end - self.start, 1e-6), 0, 1))
        values = [
            first + (last - first) * share
            for first, last in zip(
                (self.first.x, self.first.y, self.first.angle),
                (self.last.x, self.last.y, self.last.angle),
                strict=True,
            )
        ]
        hand = self.stroke.at(time)
        return joined(hand.pose, Pose(*values)), hand.height


def hand_pose(tip: tuple[float, float], shoulder: tuple[float, float]) -> Pose:
    """Return the pose of a hand whose tips are at ``tip`` and whose arm comes from ``shoulder``."""
    return Pose(*tip, float(np.arctan2(tip[0] - shoulder[0], shoulder[1] - tip[1])))


def _turned(x: float, y: float, angle: float) -> tuple[float, float]:
    cos, sin = float(np.cos(angle)), float(np.sin(angle))
    return cos * x - sin * y, sin * x + cos * y


def relative(frame: Pose, pose: Pose) -> Pose:
    """Return ``pose`` as seen from ``frame``."""
    x, y = _turned(pose.x - frame.x, pose.y - frame.y, -frame.angle)
    return Pose(x, y, pose.angle - frame.angle)


def joined(frame: Pose, pose: Pose) -> Pose:
    """Return what is at ``pose`` as seen from ``frame`` in the coordinates of the table."""
    x, y = _turned(pose.x, pose.y, frame.angle)
    return Pose(frame.x + x, frame.y + y, frame.angle + pose.angle)


def nearest_turn(first: Pose, last: Pose) -> Pose:
    """Return ``last`` with its angle within half a turn of that of ``first``, so that nothing spins on its way."""
    turns = round((first.angle - last.angle) / (2 * np.pi))
    return Pose(last.x, last.y, last.angle + turns * 2 * float(np.pi))


def timed(keys: Sequence[Key], start: float) -> tuple[Key, ...]:
    """Return ``keys`` shifted so that the first is at ``start``."""
    shift = start - keys[0].time
    return tuple(Key(key.time + shift, key.x, key.y, key.height, key.bend) for key in keys)
