"""A piece that is followed: the looks at it, where it lies, and whether it still looks as it did."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from engine.tokens import Piece
from vision.geometry import quad_iou, rectify_each
from vision.tracks import Track
from vision.types import Image, Quad, Reading

__all__ = ["Followed", "Patch", "Patches", "difference", "pairs_by_name", "pairs_by_place"]

Patch = npt.NDArray[np.float32]
E = TypeVar("E")

_SHRUNK = 4
_PATCH = (12, 18)
_PATCH_MARGIN = 0.05
_WORST = 0.1
_BRIGHTER = 1.8


class Patches:
    """Small pictures of pieces, cut from one picture, that tell whether anything has changed there."""

    def __init__(self, image: Image) -> None:
        """Cut from a (height, width, 3) uint8 BGR ``image``, a quarter as large."""
        size = (max(1, image.shape[1] // _SHRUNK), max(1, image.shape[0] // _SHRUNK))
        self._small = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)

    def of(self, quads: Sequence[Quad]) -> list[Patch]:
        """Return a (18, 12, 3) float32 patch for each of ``quads``, in pixels of the picture."""
        near = [quad.scaled(1 / _SHRUNK) for quad in quads]
        cut = rectify_each([self._small] * len(near), near, _PATCH, _PATCH_MARGIN)
        return [np.asarray(one, np.float32) for one in cut]


def difference(one: Patch, other: Patch) -> float:
    """Return by how many levels the most different tenth of two patches differ, their exposure made the same.

    Only lamps and cameras make such differences; where one is several times brighter it shows something else.
    """
    gain = (one.mean(axis=(0, 1)) + 4) / (other.mean(axis=(0, 1)) + 4)
    if gain.max() > _BRIGHTER or gain.min() < 1 / _BRIGHTER:
        return 255.0
    apart = np.abs(one - other * gain).max(axis=2).ravel()
    most = max(1, int(_WORST * apart.size))
    return float(np.partition(apart, -most)[-most:].mean())


@dataclass(eq=False)
class Followed(Generic[E]):
    """A piece as the tracker keeps it.

    ``evidence`` are the last looks at it, ``looks`` how many there were in all; ``touched``: something has moved over
    it since; ``missed`` looks in a row have not found it, since ``missed_since``. ``rival`` is another name that the
    last look gave to what lies in its place. ``held``: it came while a hand was there, and may have been in it.
    """

    identity: int
    quad: Quad
    first: float
    last: float
    evidence: list[E] = field(default_factory=list)
    looks: int = 0
    reading: Reading | None = None
    patch: Patch | None = None
    touched: bool = False
    hidden: bool = False
    missed: int = 0
    missed_since: float = 0.0
    rival: str | None = None
    held: bool = False
    corrected: Piece | None = None
    told: bool = False
    """Whether it has been shown as a piece that lies there."""

    @property
    def name(self) -> str | None:
        """What all looks together call it, or a person has; None while it is no piece."""
        if self.corrected is not None:
            return str(self.corrected)
        return None if self.reading is None else self.reading.name

    @property
    def names(self) -> tuple[str, ...]:
        """The names that looks may give it: the one they have given, and what a person has said."""
        seen = () if self.reading is None else (self.reading.name,)
        return seen if self.corrected is None else (*seen, str(self.corrected))

    def track(self) -> Track | None:
        """Return it as it is told; None while it is no piece."""
        if self.reading is None:
            return None
        shown = replace(self.reading, quad=self.quad)
        if self.corrected is not None:
            shown = replace(shown, piece=self.corrected, confidence=1.0, doubt=None)
        hidden = self.hidden or self.missed > 0
        return Track(self.identity, shown, self.first, self.last, hidden, self.corrected is not None)

    def vote(self, evidence: E, quad: Quad, time: float, kept: int) -> None:
        """Take in one more look."""
        self.evidence = [*self.evidence, evidence][-kept:]
        self.looks += 1
        self.rival = None
        self.seen(quad, time)

    def let_go(self) -> None:
        """The hand has gone in which it may have been: what was seen of it there does not count."""
        if self.held:
            self.held, self.evidence, self.looks = False, [], 0

    def seen(self, quad: Quad, time: float) -> None:
        """It lies at ``quad``: small tremors are smoothed, a move is followed at once."""
        apart = float(np.abs(quad.corners - self.quad.corners).max())
        share = 1.0 if apart > _MOVED * quad.short_side else 0.4
        self.quad = Quad(self.quad.corners + np.float32(share) * (quad.corners - self.quad.corners))
        self.last, self.missed, self.hidden, self.touched = time, 0, False, False


_MOVED = 0.03
"""Shifts by less than this share of a short side are tremor."""


def pairs_by_place(ours: Sequence[Quad], theirs: Sequence[Quad], least: float) -> list[tuple[int, int]]:
    """Return which quads lie in the same place, best first: each at most once, by an IoU of ``least`` or more."""
    if not ours or not theirs:
        return []
    reach = np.array([[quad.long_side] for quad in ours])
    apart = np.linalg.norm(np.array([q.centre for q in ours])[:, None] - np.array([q.centre for q in theirs]), axis=2)
    near = [(quad_iou(ours[i], theirs[j]), i, j) for i, j in np.argwhere(apart < reach).tolist()]
    return _each_once((-iou, i, j) for iou, i, j in near if iou >= least)


def pairs_by_name(
    ours: Sequence[tuple[Sequence[str], Quad]], theirs: Sequence[tuple[str, Quad]]
) -> list[tuple[int, int]]:
    """Return which pieces, known by some names, have the same name, the nearest first: each at most once."""
    same = [
        (float(np.linalg.norm(ours[i][1].centre - theirs[j][1].centre)), i, j)
        for i in range(len(ours))
        for j in range(len(theirs))
        if theirs[j][0] in ours[i][0]
    ]
    return _each_once(same)


def _each_once(ranked: Iterable[tuple[float, int, int]]) -> list[tuple[int, int]]:
    taken: set[int] = set()
    given: set[int] = set()
    out = []
    for _, i, j in sorted(ranked):
        if i not in taken and j not in given:
            taken.add(i)
            given.add(j)
            out.append((i, j))
    return out
