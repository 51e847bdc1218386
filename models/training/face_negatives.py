"""Quads that are no face and no square, though a finder or a lattice may take them for one."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from models.training.board_photos import BoardLabel, BoardPhoto
from vision.geometry import quad_iou
from vision.types import Quad

__all__ = ["cover_of", "hulls_of", "side_faces", "wrong_quads"]

Points = npt.NDArray[np.float32]
_NOTHING = 0.3
_PIECES = ("die", "tile", "space")
_OWN_TOP, _LEAST_SIDE = 2.0, 0.15


def hulls_of(photo: BoardPhoto) -> list[Points]:
    """Return the convex outline (k, 2) of everything that hides what is printed under it."""
    covering = [
        thing.corners if body is None else body
        for thing, body in zip(photo.things, photo.bodies, strict=True)
        if thing.kind in ("die", "tile")
    ]
    return [np.asarray(cv2.convexHull(points), np.float32).reshape(-1, 2) for points in covering]


def cover_of(corners: Points, hulls: Sequence[Points]) -> float:
    """Return the share of the convex quad (4, 2) that lies under the ``hulls``, in 0..1."""
    low, high = corners.min(axis=0), corners.max(axis=0)
    near = [hull for hull in hulls if (hull.max(axis=0) > low).all() and (hull.min(axis=0) < high).all()]
    shared = sum(float(cv2.intersectConvexConvex(corners, hull)[0]) for hull in near)
    return min(1.0, shared / max(1.0, abs(float(cv2.contourArea(corners)))))


def side_faces(top: Points, body: Points) -> list[Points]:
    """Return the (4, 2) side faces that the camera sees of a die with this ``top`` (4, 2) and outline ``body`` (k, 2).

    Corners of the outline that are none of the top's belong to the bottom; each edge between two of them ends the side
    under the edge of the top that is nearest to it, both read in the same sense.
    """
    outline = cv2.convexHull(body, clockwise=False).reshape(-1, 2)
    if cv2.contourArea(outline, oriented=True) < 0:
        outline = outline[::-1]
    low = [np.linalg.norm(top - point, axis=1).min() > _OWN_TOP for point in outline]
    found = []
    for index in range(len(outline)):
        following = (index + 1) % len(outline)
        if not (low[index] and low[following]):
            continue
        ends = np.stack([outline[index], outline[following]])
        apart = [np.linalg.norm(ends - top[[edge, (edge + 1) % 4]], axis=1).sum() for edge in range(4)]
        edge = int(np.argmin(apart))
        found.append(np.stack([top[(edge + 1) % 4], top[edge], ends[0], ends[1]]).astype(np.float32))
    least = _LEAST_SIDE * abs(float(cv2.contourArea(top)))
    return [quad for quad in found if float(cv2.contourArea(quad, oriented=True)) > least]


def _shifted(rng: np.random.Generator, corners: Points) -> Points:
    """The quad moved by half of itself or more, or far too large or small."""
    if rng.random() < 0.7:
        angle = rng.uniform(0, 2 * np.pi)
        sides = np.stack([corners[1] - corners[0], corners[3] - corners[0]])
        way = np.array([np.cos(angle), np.sin(angle)]) / max(abs(np.cos(angle)), abs(np.sin(angle)))
        return np.asarray(corners + rng.uniform(0.5, 1.0) * way @ sides, np.float32)
    factor = rng.choice([rng.uniform(0.3, 0.55), rng.uniform(1.9, 2.6)])
    centre = corners.mean(axis=0)
    return np.asarray(centre + (corners - centre) * factor, np.float32)


def _beside(rng: np.random.Generator, board: BoardLabel) -> list[Points]:
    """Places of the board's lattice that are no square: half off where lines tell, or beyond the border."""
    found = []
    for _ in range(3 if board.lines else 0):
        row, column = int(rng.integers(0, board.rows)), int(rng.integers(0, board.columns))
        down, right = [(0.5, 0.5), (0.5, 0.0), (0.0, 0.5)][int(rng.integers(0, 3))]
        found.append(board.square(row + down + rng.normal(0, 0.07), column + right + rng.normal(0, 0.07)))
    for _ in range(4):
        row, column = int(rng.integers(-1, board.rows + 1)), int(rng.integers(-1, board.columns + 1))
        out = int(rng.integers(1, 3))
        beyond = [(-out, column), (board.rows - 1 + out, column), (row, -out), (row, board.columns - 1 + out)]
        found.append(board.square(*beyond[int(rng.integers(0, 4))]))
    return found


def _anywhere(rng: np.random.Generator, size: tuple[int, int], side: float) -> Points:
    angle, scale = rng.uniform(0, 2 * np.pi), side * np.exp(rng.normal(0, 0.4))
    box = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * scale
    cos, sin = np.cos(angle), np.sin(angle)
    return np.asarray(box @ np.array([[cos, sin], [-sin, cos]]) + rng.uniform(0, 1, 2) * size, np.float32)


def wrong_quads(photo: BoardPhoto, size: tuple[int, int], rng: np.random.Generator) -> list[Points]:
    """Return (4, 2) quads in a picture of ``size`` with nothing to read: sides of dice, places half off, clutter."""
    pieces = [thing.corners for thing in photo.things if thing.kind in _PIECES]
    dice = [
        (thing.corners, body)
        for thing, body in zip(photo.things, photo.bodies, strict=True)
        if thing.kind == "die" and body is not None
    ]
    side = float(np.mean([Quad(corners).short_side for corners in pieces])) if pieces else max(size) / 12
    found = [quad for index in rng.permutation(len(dice))[:2] for quad in side_faces(*dice[int(index)])[:1]]
    found += [_shifted(rng, pieces[int(index)]) for index in rng.permutation(len(pieces))[:3]]
    if photo.board is not None and photo.board.kind == "cubed":
        found += _beside(rng, photo.board)
    found += [thing.corners for thing in photo.things if thing.kind in ("other", "card") and len(thing.corners) == 4][
        :1
    ]
    found.append(_anywhere(rng, size, side))
    return [quad for quad in found if _is_wrong(quad, pieces, size)]


def _is_wrong(quad: Points, pieces: Sequence[Points], size: tuple[int, int]) -> bool:
    """Whether it lies in the picture and on no piece."""
    inside = np.array([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]], np.float32)
    area = float(cv2.contourArea(quad, oriented=True))
    if area < 16 or float(cv2.intersectConvexConvex(inside, quad)[0]) < 0.8 * area:
        return False
    return all(quad_iou(Quad(quad), Quad(piece)) < _NOTHING for piece in pieces)
