"""What goes on in a picture of a film, told by small pictures alone: what moves, what reaches in, whether it is dark.

Each picture is shrunk to cells of some pixels, whose means hardly know noise. Cells that differ from the picture before
move. What differs from the table as it was and touches the border, reaches in from there: a hand, and with it what has
changed on pieces beside it.
Convention: small pictures are (rows, columns, 3) float32 BGR, masks (rows, columns) bool.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.types import Image, Quad

__all__ = ["Attention", "Glance", "MotionConfig"]

Small = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]
_NEXT = np.ones((3, 3), np.uint8)
_JOINED = np.ones((5, 5), np.uint8)
"""Over pieces a hand may leave out cells as bright as the edge of a piece beside them."""
_BESIDE = 3
"""Cells between a hand and what it may be holding."""


@dataclass(frozen=True)
class MotionConfig:
    """``cells``: along the longer side. A cell moves when a channel changes by ``moving`` levels between two pictures,
    more by ``rough`` of how much the cells about it differ, for there cameras and codecs tremble most; it belongs to
    something on the table when it differs from it by ``foreign``. ``fewest`` moving cells are more than noise. A hand
    has at least the share ``hand`` of the cells. What does not move for ``rest`` seconds is none, nor what covers
    pieces so for ``rest_on_pieces``. ``whole``: with this share of cells changed the camera or the light has.
    ``margin``: cells round a piece that are never taken for the table. The picture is dark when its ``bright`` quantile
    is below ``dark`` levels, or below ``dim`` of what it usually is, but not for longer than ``dusk`` seconds.
    """

    cells: int = 160
    moving: float = 7.0
    rough: float = 0.12
    foreign: float = 11.0
    fewest: int = 4
    hand: float = 0.006
    rest: float = 4.0
    rest_on_pieces: float = 10.0
    whole: float = 0.45
    margin: int = 2
    bright: float = 0.9
    dark: float = 34.0
    dim: float = 0.45
    dusk: float = 3.0


@dataclass(frozen=True, eq=False)
class Glance:
    """What one picture shows at a glance.

    ``small`` is the picture in cells, ``scale`` how many cells are one pixel; ``moving`` cells changed since the
    picture before, ``reaching`` ones belong to a hand. ``shaken``: nearly everything changed at once.
    """

    small: Small
    scale: float
    moving: Mask
    reaching: Mask
    dark: bool
    shaken: bool

    @property
    def still(self) -> bool:
        """Whether nothing moves."""
        return not self.moving.any()

    def cells_of(self, quad: Quad, margin: int = 0) -> Mask:
        """Return the cells that a quad in pixels of the picture covers, and ``margin`` more round it."""
        return quads_mask([quad], self.small.shape[:2], self.scale, margin)

    def near(self, quad: Quad) -> bool:
        """Return whether a hand is on or beside ``quad``: what lies there may still be held."""
        return bool(self.reaching.any()) and bool(self.reaching[self.cells_of(quad, _BESIDE)].any())

    def share(self, mask: Mask, quad: Quad) -> float:
        """Return which share of the cells of ``quad`` the ``mask`` has, in 0..1."""
        cells = self.cells_of(quad)
        return float(mask[cells].mean()) if cells.any() else 0.0


def quads_mask(quads: Sequence[Quad], shape: tuple[int, ...], scale: float, margin: int = 0) -> Mask:
    """Return the cells of a small picture of ``shape`` that ``quads`` cover, and ``margin`` more round them."""
    mask = np.zeros((shape[0], shape[1]), np.uint8)
    for quad in quads:
        cv2.fillConvexPoly(mask, np.round(((quad.corners + 0.5) * scale - 0.5) * 16).astype(np.int32), 1, shift=4)
    if margin:
        mask = np.asarray(cv2.dilate(mask, np.ones((2 * margin + 1, 2 * margin + 1), np.uint8)), np.uint8)
    return mask.astype(bool)


def _shrunk(image: Image, cells: int) -> tuple[Small, float]:
    """The picture in about ``cells`` along its longer side, and how many cells are one pixel."""
    height, width = image.shape[:2]
    scale = min(1.0, cells / max(height, width))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    small: cv2.typing.MatLike = image
    while min(small.shape[0] // size[1], small.shape[1] // size[0]) >= 2:
        small = cv2.resize(small, (small.shape[1] // 2, small.shape[0] // 2), interpolation=cv2.INTER_AREA)
    small = cv2.resize(small, size, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32), scale


def _gain(of: Small, against: Small) -> Small:
    """(3,) by how much a channel of one small picture is brighter than another: what most cells agree on."""
    ratio = (of[::2, ::2] + 8.0) / (against[::2, ::2] + 8.0)
    return np.asarray(np.median(ratio.reshape(-1, 3), axis=0), np.float32)


class Attention:
    """Watches small pictures go by, and remembers the table without what lies and moves on it."""

    def __init__(self, config: MotionConfig | None = None) -> None:
        """Begin without having seen anything."""
        self.config = config or MotionConfig()
        self._before: Small | None = None
        self._table: Small | None = None
        self._former: Small | None = None
        self._view: Small | None = None
        self._known: Mask | None = None
        self._lying: Mask | None = None
        self._usual: float | None = None
        self._dim_since: float | None = None
        self._rested: float | None = None

    def glance(self, image: Image, time: float, pieces: Sequence[Quad]) -> Glance:
        """Return what the (height, width, 3) uint8 BGR ``image`` shows; ``pieces`` are known to lie there."""
        small, scale = _shrunk(image, self.config.cells)
        before = self._before if self._before is not None and self._before.shape == small.shape else None
        self._before = small
        if before is None:
            self.forget()
        moving = np.zeros(small.shape[:2], np.bool_) if before is None else self._moving(small, before)
        dark = self._is_dark(small, time)
        reaching = np.zeros_like(moving)
        if not dark:
            covered = quads_mask(pieces, small.shape, scale)
            reaching = self._rest(self._reaching(small, scale, pieces), moving, covered, small, time)
        return Glance(small, scale, moving, reaching, dark, bool(moving.mean() > self.config.whole))

    def learn(self, glance: Glance, pieces: Sequence[Quad]) -> None:
        """Take what lies bare for the table: nothing moves, and nothing reaches in but what is known to."""
        self._view = glance.small
        self._lying = quads_mask(pieces, glance.small.shape, glance.scale, self.config.margin)
        bare = ~self._lying & ~glance.reaching
        if self._table is None or self._known is None or self._table.shape != glance.small.shape:
            self._table, self._known = glance.small, bare
            return
        old = self._table * _gain(glance.small, self._table)
        known = bare & self._known
        old[known] += 0.2 * (glance.small - old)[known]
        old[bare & ~known] = glance.small[bare & ~known]
        self._table, self._known = old, self._known | bare

    def follow(self, glance: Glance, pieces: Sequence[Quad], matrix: npt.NDArray[np.float64]) -> None:
        """Pieces have moved by the homography ``matrix`` (3, 3), in pixels. If the table fits better so, so has it."""
        if self._table is None or self._known is None:
            return
        shift = 0.5 * glance.scale - 0.5
        cells = np.array([[glance.scale, 0, shift], [0, glance.scale, shift], [0, 0, 1]])
        onto, size = cells @ matrix @ np.linalg.inv(cells), self._known.shape[::-1]
        table = np.asarray(cv2.warpPerspective(self._table, onto, size, borderMode=cv2.BORDER_REPLICATE), np.float32)
        # What comes into the picture counts as known, or no hand would be joined to the border any more.
        there = cv2.warpPerspective(self._known.astype(np.uint8) * 255, onto, size, borderValue=(255,))
        known = np.asarray(there > 250, np.bool_)
        bare = ~quads_mask(pieces, glance.small.shape, glance.scale, self.config.margin)
        if self._misfit(glance.small, table, known & bare) < self._misfit(
            glance.small, self._table, self._known & bare
        ):
            self._table, self._known = table, known
            self._former = self._view = self._lying = None

    def forget(self) -> None:
        """Forget the table: the camera has moved, or the light has changed."""
        self._table = self._former = self._known = self._rested = self._view = self._lying = None

    def _moving(self, small: Small, before: Small) -> Mask:
        apart = np.abs(small - before * _gain(small, before))
        rough = cv2.dilate(before, _NEXT) - cv2.erode(before, _NEXT)
        moving = np.asarray((apart - self.config.rough * rough).max(axis=2) > self.config.moving, np.bool_)
        return moving if moving.sum() >= self.config.fewest else np.zeros_like(moving)

    def _is_dark(self, small: Small, time: float) -> bool:
        level = float(np.quantile(small[::2, ::2].max(axis=2), self.config.bright))
        if level < self.config.dark:
            return True
        usual = level if self._usual is None else self._usual
        if level >= self.config.dim * usual:
            self._usual, self._dim_since = usual + 0.1 * (level - usual), None
            return False
        self._dim_since = time if self._dim_since is None else self._dim_since
        if time - self._dim_since > self.config.dusk:
            self._usual, self._dim_since = level, None
            return False
        return True

    def _reaching(self, small: Small, scale: float, pieces: Sequence[Quad]) -> Mask:
        """Cells of what differs from the table, is joined to the border of the picture, and what it covers."""
        if self._table is None or self._known is None:
            return np.zeros(small.shape[:2], np.bool_)
        covered = quads_mask(pieces, small.shape, scale, self.config.margin)
        bare, foreign = self._known & ~covered, self._foreign(small, self._table)
        if self._former is not None:
            foreign &= self._foreign(small, self._former)
        foreign &= bare
        if foreign.sum() < self.config.hand * foreign.size:
            return np.zeros_like(foreign)
        if self._view is not None and self._lying is not None:
            foreign |= self._foreign(small, self._view) & covered & self._lying
        joined = foreign | cv2.dilate((foreign & covered).astype(np.uint8), _JOINED).astype(bool)
        many, names = cv2.connectedComponents(joined.astype(np.uint8), connectivity=8)
        rim = np.unique(np.concatenate([names[0], names[-1], names[:, 0], names[:, -1]]))
        areas = np.bincount(names[bare & foreign], minlength=many)
        hands = [name for name in rim.tolist() if name > 0 and areas[name] >= self.config.hand * foreign.size]
        return np.asarray(np.isin(names, hands) & foreign, np.bool_)

    def _misfit(self, small: Small, table: Small, where: Mask) -> float:
        """Which share of the cells ``where`` the table is bare is not as it was."""
        return float(self._foreign(small, table)[where].mean()) if where.any() else 1.0

    def _foreign(self, small: Small, bare: Small) -> Mask:
        """Cells that are not as they were there or in the next cell: the camera may have moved by that much."""
        bare = bare * _gain(small, bare)
        beyond = np.maximum(small - cv2.dilate(bare, _NEXT), cv2.erode(bare, _NEXT) - small)
        return np.asarray(beyond.max(axis=2) > self.config.foreign, np.bool_)

    def _rest(self, reaching: Mask, moving: Mask, covered: Mask, small: Small, time: float) -> Mask:
        """What reaches in, but for what has not moved for long: that lies there, and belongs to the table now."""
        near = cv2.dilate(reaching.astype(np.uint8), np.ones((5, 5), np.uint8)).astype(bool)
        if not reaching.any() or (moving & near).any() or self._rested is None:
            self._rested = time
            return reaching
        rest = self.config.rest_on_pieces if (reaching & covered).any() else self.config.rest
        if time - self._rested < rest or self._table is None:
            return reaching
        self._former = self._table
        self._table = self._table * _gain(small, self._table)
        self._table[reaching] = small[reaching]
        return np.zeros_like(reaching)
