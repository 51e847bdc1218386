"""What the finder should say of a picture: maps made from labelled faces and the board under them."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from datasets.things import Thing
from models.training.board_photos import BoardLabel, View
from models.training.targets import SURE, fill, middleness
from vision.pixels import STRIDE
from vision.squares import encode_square

__all__ = ["BoardTarget", "make_board_target"]

Floats = npt.NDArray[np.float32]
Cells = npt.NDArray[np.int32]
_TABLE, _BODY, _UNSURE = -1, -2, -3
_KINDS = {"die": 0, "tile": 1, "space": 1}
_SPREAD, _REACH = 1.0, 3


@dataclass(frozen=True, eq=False)
class BoardTarget:
    """Maps of (rows, columns) cells: ``middle`` 0..1, ``mask`` 0/1, ``kind`` int (-1 none, 0 die, 1 tile), ``raised``
    0..1 (-1 does not count), ``geometry`` (6, rows, columns) with the centre relative to the cell's middle in pixels,
    ``size`` of the piece in pixels, ``weight`` 0 where to ignore; ``crossing`` 0..1 with ``crossing_weight``, and
    ``board`` 0/1.
    """

    middle: Floats
    mask: Floats
    kind: npt.NDArray[np.int64]
    raised: Floats
    geometry: Floats
    size: Floats
    weight: Floats
    crossing: Floats
    crossing_weight: Floats
    board: Floats


def make_board_target(view: View, size: tuple[int, int]) -> BoardTarget:
    """Return the maps for a picture of ``size`` (width, height), sides multiples of the stride."""
    shape = (size[1] // STRIDE, size[0] // STRIDE)
    zeros = [np.zeros(shape, np.float32) for _ in range(4)]
    ones = [np.ones(shape, np.float32) for _ in range(3)]
    out = BoardTarget(
        middle=zeros[0],
        mask=zeros[1],
        kind=np.full(shape, -1, np.int64),
        raised=np.full(shape, -1, np.float32),
        geometry=np.zeros((6, *shape), np.float32),
        size=ones[0],
        weight=ones[1],
        crossing=zeros[2],
        crossing_weight=ones[2],
        board=zeros[3],
    )
    owner = _owners(view, shape)
    for index, thing in enumerate(view.things):
        if thing.kind in _KINDS:
            _write(out, thing, owner == index)
    if view.board is not None:
        _write_board(out, view.board, _covers(view, owner), _seen(view, shape))
    return out


def _owners(view: View, shape: tuple[int, int]) -> Cells:
    """(rows, columns): the index of the thing over each cell, -1 for none, -2 for the sides of a die.

    The sides of a die never hide the top face of another: all tops are equally high.
    """
    owner = np.full(shape, _TABLE, np.int32)
    for index, (thing, body) in enumerate(zip(view.things, view.bodies, strict=True)):
        if body is not None:
            sides = np.zeros(shape, np.int32)
            fill(sides, body, 1)
            owner[(sides == 1) & ~_tops(owner, view)] = _BODY
        fill(owner, thing.corners, index)
    return owner


def _tops(owner: Cells, view: View) -> npt.NDArray[np.bool_]:
    die = np.array([*(thing.kind == "die" for thing in view.things), False, False, False])
    return np.asarray(die[owner])


def _write(out: BoardTarget, thing: Thing, cells: npt.NDArray[np.bool_]) -> None:
    rows, columns = np.nonzero(cells)
    if not len(rows):
        return
    if thing.visible < SURE:
        out.weight[cells] = 0.0
        return
    out.mask[cells] = 1.0
    x = ((columns + 0.5) * STRIDE - 0.5).astype(np.float32)
    y = ((rows + 0.5) * STRIDE - 0.5).astype(np.float32)
    out.middle[cells] = middleness(thing.corners, x, y)
    out.kind[cells] = _KINDS[thing.kind]
    if thing.kind != "die":
        out.raised[cells] = float(thing.kind == "tile")
    geometry = np.repeat(encode_square(thing.corners)[None], len(rows), axis=0)
    geometry[:, 0] -= x
    geometry[:, 1] -= y
    out.geometry[:, rows, columns] = geometry.T
    out.size[cells] = max(4.0, abs(float(cv2.contourArea(thing.corners))) ** 0.5)


def _seen(view: View, shape: tuple[int, int]) -> npt.NDArray[np.bool_]:
    """(rows, columns): whether the cell shows the picture."""
    inside = np.zeros(shape, np.int32)
    if view.frame is None:
        inside[:] = 1
    else:
        fill(inside, view.frame, 1)
    return np.asarray(inside == 1)


def _covers(view: View, owner: Cells) -> Cells:
    """(rows, columns): -1 where the board can be seen, -2 under a piece, -3 where a thing may lie on it or beneath."""
    code = {"space": _TABLE, "die": _BODY, "tile": _BODY}
    codes = np.array([*(code.get(thing.kind, _UNSURE) for thing in view.things), _UNSURE, _BODY, _TABLE], np.int32)
    return np.asarray(codes[owner], np.int32)


def _write_board(out: BoardTarget, board: BoardLabel, covers: Cells, seen: npt.NDArray[np.bool_]) -> None:
    sheet = np.zeros(covers.shape, np.int32)
    fill(sheet, board.corners, 1)
    sheet[~seen] = 0
    out.board[sheet == 1] = 1.0
    if board.kind != "cubed":
        return
    out.crossing_weight[covers == _UNSURE] = 0.0
    if board.lines:
        _write_crossings(out.crossing, board.crossings, np.where(seen, covers, _BODY).astype(np.int32))
    else:
        wide = cv2.dilate(sheet.astype(np.uint8), np.ones((2 * _REACH + 1, 2 * _REACH + 1), np.uint8))
        out.crossing_weight[wide == 1] = 0.0


def _write_crossings(crossing: Floats, points: Floats, covers: Cells) -> None:
    """Draw a Gaussian bell at each point in pixels that is in the picture and under nothing."""
    places = (points.astype(np.float64) + 0.5) / STRIDE - 0.5
    nearest = np.round(places).astype(np.int64)
    height, width = covers.shape
    inside = ((nearest >= 0) & (nearest < [width, height])).all(axis=1)
    places, nearest = places[inside], nearest[inside]
    seen = covers[nearest[:, 1], nearest[:, 0]] == _TABLE
    places, nearest = places[seen], nearest[seen]
    around = np.mgrid[-_REACH : _REACH + 1, -_REACH : _REACH + 1].reshape(2, -1).T[:, ::-1]
    cells = nearest[:, None] + around[None]
    bell = np.exp(-((cells - places[:, None]) ** 2).sum(axis=2) / (2 * _SPREAD**2))
    kept = ((cells >= 0) & (cells < [width, height])).all(axis=2)
    np.maximum.at(crossing, (cells[kept][:, 1], cells[kept][:, 0]), bell[kept].astype(np.float32))
