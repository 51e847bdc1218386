"""What the segmenter should say of a picture: maps made from labelled quads, lowest piece first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from datasets.things import Thing
from vision.axes import encode_axes
from vision.geometry import homography
from vision.pixels import STRIDE
from vision.types import Kind

__all__ = ["KINDS", "SURE", "Target", "fill", "make_target", "middleness"]

KINDS = tuple(kind.value for kind in Kind)
SURE = 0.5
"""Visible share of a piece below which it counts neither way."""


@dataclass(frozen=True, eq=False)
class Target:
    """Maps of (rows, columns) cells: ``middle`` 0..1, ``mask`` 0/1, ``kind`` int (-1 none), ``geometry`` (8, rows,
    columns) relative to the cell's middle in pixels, ``size`` of the piece in pixels, ``weight`` 0 where to ignore.
    """

    middle: npt.NDArray[np.float32]
    mask: npt.NDArray[np.float32]
    kind: npt.NDArray[np.int64]
    geometry: npt.NDArray[np.float32]
    size: npt.NDArray[np.float32]
    weight: npt.NDArray[np.float32]


def _owners(things: Sequence[Thing], shape: tuple[int, int]) -> npt.NDArray[np.int32]:
    """(rows, columns): the index of the topmost thing over each cell, -1 for none."""
    owner = np.full(shape, -1, np.int32)
    for index, thing in enumerate(things):
        fill(owner, thing.corners, index)
    return owner


def fill(cells: npt.NDArray[np.int32], corners: npt.NDArray[np.float32], value: int) -> None:
    """Write ``value`` into the (rows, columns) ``cells`` whose middle the polygon (k, 2) in pixels covers."""
    places = (corners + 0.5) / STRIDE - 0.5
    if np.abs(places).max() < 30000:
        cv2.fillPoly(cells, [np.round(places * 16).astype(np.int32)], value, shift=4)


def middleness(
    corners: npt.NDArray[np.float32], x: npt.NDArray[np.float32], y: npt.NDArray[np.float32]
) -> npt.NDArray[np.float32]:
    """Return 1 in the middle of the piece (4, 2) and 0 at its border, for points x, y in pixels."""
    unit = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float64)
    mapped = np.column_stack([x, y, np.ones(len(x))]) @ homography(corners, unit).T
    inside = np.clip(1 - np.abs(mapped[:, :2] / mapped[:, 2:]), 0, 1)
    return np.asarray(np.sqrt(inside[:, 0] * inside[:, 1]), np.float32)


def make_target(things: Sequence[Thing], size: tuple[int, int]) -> Target:
    """Return the maps for a picture of ``size`` (width, height), sides multiples of the stride."""
    shape = (size[1] // STRIDE, size[0] // STRIDE)
    owner = _owners(things, shape)
    out = Target(
        np.zeros(shape, np.float32),
        np.zeros(shape, np.float32),
        np.full(shape, -1, np.int64),
        np.zeros((8, *shape), np.float32),
        np.ones(shape, np.float32),
        np.ones(shape, np.float32),
    )
    for index, thing in enumerate(things):
        if thing.kind != "other":
            _write(out, thing, owner == index)
    return out


def _write(out: Target, thing: Thing, cells: npt.NDArray[np.bool_]) -> None:
    rows, columns = np.nonzero(cells)
    if not len(rows):
        return
    out.mask[cells] = 1.0
    if thing.visible < SURE:
        out.weight[cells] = 0.0
        out.mask[cells] = 0.0
        return
    x = ((columns + 0.5) * STRIDE - 0.5).astype(np.float32)
    y = ((rows + 0.5) * STRIDE - 0.5).astype(np.float32)
    out.middle[cells] = middleness(thing.corners, x, y)
    out.kind[cells] = KINDS.index(thing.kind)
    geometry = np.repeat(encode_axes(thing.corners)[None], len(rows), axis=0)
    geometry[:, 0] -= x
    geometry[:, 1] -= y
    out.geometry[:, rows, columns] = geometry.T
    out.size[cells] = max(4.0, abs(float(cv2.contourArea(thing.corners))) ** 0.5)
