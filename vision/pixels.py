"""How pixels are prepared for the networks: one place for training, evaluation and reading.

Convention: images are (height, width, 3) uint8 BGR; network inputs are (n, 3, height, width) float32 BGR in 0..255.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import rectify, rectify_each
from vision.types import Image, Quad

__all__ = [
    "CROP_MARGIN",
    "CROP_SIZE",
    "FACE_MARGIN",
    "FACE_SIZE",
    "STRIDE",
    "Halves",
    "Resized",
    "balance",
    "card_crop",
    "reader_input",
    "resize_for_segmenter",
    "segmenter_input",
]

CROP_SIZE = (112, 168)
"""(width, height) in pixels of the crop that the reader sees."""

CROP_MARGIN = 0.1
"""Share of the piece's side that the crop keeps round the piece on each side."""

FACE_SIZE = (64, 64)
"""(width, height) in pixels of the crop that the face reader sees."""

FACE_MARGIN = 0.12
"""Share of the face's side that its crop keeps round it on each side."""

STRIDE = 4
"""Pixels of the segmenter's and the finder's input for one cell of their maps."""

_MULTIPLE = 32

_HALVED = 1.7
"""Pixels for one of the crop from which a picture of half the size will do: a little less than 2 loses nothing."""

_PAPER = 225.0
_LEVELS = np.arange(256, dtype=np.float32)


@dataclass(frozen=True, eq=False)
class Resized:
    """An image made ready for the segmenter.

    ``image`` has sides that are multiples of 32 (padded with grey at the right and the bottom); ``scale`` is its
    pixels per pixel of the original.
    """

    image: Image
    scale: float


def resize_for_segmenter(image: Image, longer: int, averaged: float = 1.4) -> Resized:
    """Return ``image`` with its longer side at ``longer`` pixels, padded to multiples of 32.

    Large pictures are halved first: a whole factor is many times quicker than any other, and hardly differs. Of what
    is left all pixels are averaged where one of the result stands for ``averaged`` or more of its sides.
    """
    height, width = image.shape[:2]
    scale = longer / max(height, width)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    small: cv2.typing.MatLike = image
    while min(small.shape[0] // size[1], small.shape[1] // size[0]) >= 2:
        small = cv2.resize(small, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    how = cv2.INTER_AREA if small.shape[0] > averaged * size[1] else cv2.INTER_LINEAR
    small = cv2.resize(small, size, interpolation=how)
    right, bottom = -size[0] % _MULTIPLE, -size[1] % _MULTIPLE
    padded = cv2.copyMakeBorder(small, 0, bottom, 0, right, cv2.BORDER_CONSTANT, value=(114, 114, 114))
    return Resized(np.asarray(padded, np.uint8), scale)


def segmenter_input(image: Image) -> npt.NDArray[np.float32]:
    """Return a resized image as the (1, 3, height, width) input of the segmenter."""
    out = np.empty((1, 3, *image.shape[:2]), np.float32)
    for channel, plane in zip(out[0], cv2.split(image), strict=True):
        channel[:] = plane
    return out


def card_crop(image: Image, quad: Quad) -> Image:
    """Return the upright crop of ``quad`` that the reader sees, with the margin round it, not yet balanced."""
    return rectify(image, quad, CROP_SIZE, CROP_MARGIN)


class Halves:
    """A picture and its halves, so that crops of large pieces start from about the resolution that they need."""

    def __init__(self, image: Image, size: tuple[int, int] = CROP_SIZE, margin: float = CROP_MARGIN) -> None:
        """Start from the full (height, width, 3) uint8 BGR picture; halves are made when a crop first needs them.

        Crops have ``size`` (width, height) and keep ``margin``; by default they are those of :func:`card_crop`.
        """
        self._levels, self._size, self._margin = [image], size, margin

    def crops(self, quads: Sequence[Quad]) -> list[Image]:
        """Return the upright crop of each of ``quads`` (full-picture pixels), cut from the smallest that will do."""
        levels = [self._level(quad) for quad in quads]
        near = [quad.scaled(0.5**level) if level else quad for quad, level in zip(quads, levels, strict=True)]
        return rectify_each([self._levels[level] for level in levels], near, self._size, self._margin)

    def _level(self, quad: Quad) -> int:
        """How often the picture may be halved for a crop of ``quad``; makes the halves that are needed."""
        inner = (self._size[0] / (1 + 2 * self._margin), self._size[1] / (1 + 2 * self._margin))
        spare = min(quad.short_side / inner[0], quad.long_side / inner[1])
        level = 0
        while spare >= _HALVED and min(self._levels[level].shape[:2]) > 2:
            spare, level = spare / 2, level + 1
            if level == len(self._levels):
                half = cv2.resize(self._levels[-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
                self._levels.append(np.asarray(half, np.uint8))
        return level


def _levels(crops: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
    """(n, 3, 256) what becomes of each level of each channel when the paper of each of n crops is to be white."""
    height, width = crops.shape[1:3]
    inner = crops[:, height // 6 : height - height // 6 : 2, width // 6 : width - width // 6 : 2]
    pixels = np.ascontiguousarray(inner.reshape(len(crops), -1, 3).transpose(0, 2, 1))
    rank = 3 * (pixels.shape[2] - 1) // 4
    paper = np.partition(pixels, rank, axis=2)[:, :, rank].astype(np.float32)
    gain = np.clip(_PAPER / np.maximum(paper, 1.0), 0.5, 6.0)
    return np.asarray(np.minimum(_LEVELS * gain[:, :, None], 255.0), np.float32)


def balance(crop: Image) -> npt.NDArray[np.float32]:
    """Return ``crop`` as float32 with the card's own white as white: each channel's paper becomes one level.

    The paper is the 75th percentile of a channel inside the piece, of every second pixel: symbols never cover more
    than half of a card.
    """
    return np.asarray(cv2.LUT(crop, np.ascontiguousarray(_levels(crop[None])[0].T)[None]), np.float32)


def reader_input(crops: Sequence[Image], size: tuple[int, int] = CROP_SIZE) -> npt.NDArray[np.float32]:
    """Return crops of ``size``, each balanced, as the (n, 3, height, width) input of the reader or the face reader."""
    out = np.empty((len(crops), 3, size[1], size[0]), np.float32)
    if not len(crops):
        return out
    for place, crop, levels in zip(out, crops, _levels(np.stack(crops)), strict=True):
        for channel, plane, level in zip(place, cv2.split(crop), levels, strict=True):
            cv2.LUT(plane, level[None], channel)
    return out
