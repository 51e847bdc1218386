"""Flat pictures laid over a frame: warped, joined, blurred by their motion, with soft shadows. All in bytes, for speed.

Convention: layers are (h, w, 4) uint8 BGRA with the colour multiplied by alpha; matrices are (3, 3) and map pixels of
the layer's own picture to pixels of the frame, pixel centres at integers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from datasets.canvas import Art
from vision.types import Image

__all__ = ["Sprite", "Window", "cast_shadow", "lay", "mean_layer", "over", "warped", "window_about"]

Matrix = npt.NDArray[np.float64]
Window = tuple[int, int, int, int]
_SHADOW_STEP = 4


@dataclass(frozen=True, eq=False)
class Sprite:
    """A flat picture (h, w, 4) and the matrix from its pixels to millimetres about its own origin."""

    image: Image
    to_mm: Matrix

    @classmethod
    def of(cls, art: Art, per_mm: float) -> Sprite:
        """Return ``art`` about its middle, shrunk to little more than ``per_mm`` pixels a millimetre.

        So that warping it hardly minifies: thin stripes would alias.
        """
        image = np.dstack([art.image, art.alpha])
        wanted = max(8, round(art.size_mm[0] * per_mm * 1.15)), max(8, round(art.size_mm[1] * per_mm * 1.15))
        if wanted[0] < image.shape[1]:
            image = np.asarray(cv2.resize(image, wanted, interpolation=cv2.INTER_AREA), np.uint8)
        alpha = cv2.merge([image[..., 3]] * 3)
        height, width = image.shape[:2]
        x, y = art.size_mm[0] / width, art.size_mm[1] / height
        to_mm = np.array([[x, 0, (0.5 - width / 2) * x], [0, y, (0.5 - height / 2) * y], [0, 0, 1]])
        return cls(np.dstack([cv2.multiply(image[..., :3], alpha, scale=1 / 255), image[..., 3]]), to_mm)

    def outline(self, matrix: Matrix) -> npt.NDArray[np.float64]:
        """(4, 2) where ``matrix``, from its millimetres to the frame, puts the corners of the picture."""
        height, width = self.image.shape[:2]
        corners = np.array([[0, 0, 1], [width, 0, 1], [width, height, 1], [0, height, 1]]) - [0.5, 0.5, 0]
        placed = corners @ (matrix @ self.to_mm).T
        depth = np.where(np.abs(placed[:, 2:]) < 1e-9, 1e-9, placed[:, 2:])
        return np.asarray(np.where(depth * np.sign(np.median(depth)) > 0, placed[:, :2] / depth, np.inf))


def window_about(outlines: Sequence[npt.NDArray[np.float64]], size: tuple[int, int], pad: int) -> Window | None:
    """Return (left, top, right, bottom) of the part of a frame that the outlines reach, None for none of it."""
    points = np.concatenate(outlines)
    if not np.isfinite(points).all():
        return (0, 0, *size)
    low, high = np.floor(points.min(axis=0)) - pad, np.ceil(points.max(axis=0)) + pad + 1
    left, top = (int(value) for value in np.clip(low, 0, size))
    right, bottom = (int(value) for value in np.clip(high, 0, size))
    return (left, top, right, bottom) if left < right and top < bottom else None


def warped(sprite: Sprite, matrix: Matrix, window: Window, step: int = 1) -> Image:
    """Return the layer of ``window`` in which ``matrix``, millimetres to frame, puts the sprite.

    A ``step`` above 1 gives every so many pixels only.
    """
    left, top, right, bottom = window
    shift = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1]], float)
    shrink = np.array([[1 / step, 0, (1 / step - 1) / 2], [0, 1 / step, (1 / step - 1) / 2], [0, 0, 1]])
    size = (-(-(right - left) // step), -(-(bottom - top) // step))
    return np.asarray(cv2.warpPerspective(sprite.image, shrink @ shift @ matrix @ sprite.to_mm, size), np.uint8)


def over(below: Image, above: Image) -> Image:
    """Return the layer ``above`` laid on the layer ``below``."""
    left = cv2.bitwise_not(above[..., 3])
    return np.asarray(cv2.add(cv2.multiply(below, cv2.merge([left] * 4), scale=1 / 255), above), np.uint8)


def mean_layer(layers: Sequence[Image]) -> Image:
    """Return the mean of layers of one size: what an open shutter sees of something that moves."""
    total = layers[0].astype(np.uint16)
    for layer in layers[1:]:
        cv2.add(total, layer, total, dtype=cv2.CV_16U)
    return np.asarray(cv2.convertScaleAbs(total, alpha=1 / len(layers)), np.uint8)


def lay(frame: Image, layer: Image, window: Window) -> None:
    """Lay ``layer`` on the ``window`` of ``frame`` in place."""
    left, top, right, bottom = window
    part = frame[top:bottom, left:right]
    rest = cv2.cvtColor(cv2.bitwise_not(layer[..., 3]), cv2.COLOR_GRAY2BGR)
    part[:] = cv2.add(cv2.multiply(part, rest, scale=1 / 255), cv2.cvtColor(layer, cv2.COLOR_BGRA2BGR))


def cast_shadow(
    frame: Image, alpha: Image, window: Window, shift: tuple[float, float], soft: float, dark: float
) -> None:
    """Darken the ``window`` of ``frame`` in place by the shadow of what covers ``alpha`` (h, w).

    It falls ``shift`` (x, y) pixels aside, blurred by ``soft`` pixels, and takes the share ``dark`` of the light.
    """
    left, top, right, bottom = window
    step = _SHADOW_STEP if soft > 2 * _SHADOW_STEP else 1
    size = (-(-(right - left) // step), -(-(bottom - top) // step))
    small = cv2.resize(alpha, size, interpolation=cv2.INTER_AREA) if step > 1 else alpha
    move = np.array([[1, 0, shift[0] / step], [0, 1, shift[1] / step]], np.float32)
    small = cv2.warpAffine(small, move, size, borderMode=cv2.BORDER_REPLICATE)
    small = cv2.GaussianBlur(small, (0, 0), max(0.5, soft / step))
    full = cv2.resize(small, (right - left, bottom - top), interpolation=cv2.INTER_LINEAR) if step > 1 else small
    kept = cv2.cvtColor(cv2.convertScaleAbs(full, alpha=-dark, beta=255), cv2.COLOR_GRAY2BGR)
    part = frame[top:bottom, left:right]
    part[:] = cv2.multiply(part, kept, scale=1 / 255)
