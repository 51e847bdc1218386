"""Changes to a training picture that a camera or a person could have made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from datasets.things import Thing
from vision.geometry import transform
from vision.types import Image

__all__ = ["look_through", "moved", "recolour", "turn_and_tilt", "wash", "window"]

Random = np.random.Generator


def recolour(image: Image, rng: Random, strength: float = 1.0) -> Image:
    """Return ``image`` under another light and sensor: gains, exposure, gamma, saturation, blur, noise."""
    gains = np.exp(rng.normal(0, 0.10 * strength, 3)) * np.exp(rng.normal(-0.05, 0.25 * strength))
    levels = np.arange(256, dtype=np.float32) / 255
    gamma = np.exp(rng.normal(0, 0.2 * strength))
    table = np.clip(255 * np.power(levels[:, None], gamma) * gains.astype(np.float32), 0, 255).astype(np.uint8)
    out = cv2.LUT(image, table.reshape(1, 256, 3))
    if rng.random() < 0.3 * strength:
        grey = cv2.cvtColor(cv2.cvtColor(out, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
        share = float(rng.uniform(0.5, 1.4))
        out = cv2.addWeighted(out, share, grey, 1 - share, 0)
    if rng.random() < 0.25 * strength:
        out = cv2.GaussianBlur(out, (0, 0), float(rng.uniform(0.4, 1.6)))
    if rng.random() < 0.4 * strength:
        noise = rng.normal(0, rng.uniform(1, 9), (*out.shape[:2], 1)) + rng.normal(0, rng.uniform(0.5, 4), out.shape)
        out = np.clip(out + noise, 0, 255).astype(np.uint8)
    return np.asarray(out, np.uint8)


def wash(image: Image, rng: Random) -> Image:
    """Return ``image`` with a lamp mirrored in part of it: blended towards white along a ramp, print and all."""
    height, width = image.shape[:2]
    turn, middle, soft = rng.uniform(0, 2 * np.pi), rng.uniform(-0.5, 0.5), rng.uniform(0.08, 0.7)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    along = (x / width - 0.5) * np.cos(turn) + (y / height - 0.5) * np.sin(turn)
    share = rng.uniform(0.3, 0.97) / (1 + np.exp(-(along - middle) / (0.25 * soft)))
    white = np.full(3, 255 * rng.uniform(0.9, 1.15), np.float32)
    lit = image + (white - image) * share[..., None].astype(np.float32)
    return np.asarray(np.clip(lit, 0, 255), np.uint8)


def window(rng: Random, size: tuple[int, int], side: int, scale: float, tilt: float) -> npt.NDArray[np.float64]:
    """Return the (3, 3) map from a picture of ``size`` (width, height) to a window of ``side`` x ``side`` pixels.

    A turn, perhaps a flip, a tilt of about ``tilt`` (0 none, 0.2 steep) and a shift; ``scale`` is window pixels per
    pixel of the picture.
    """
    width, height = size
    centre = np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, 1]])
    angle = rng.integers(0, 4) * np.pi / 2 + rng.normal(0, 0.2)
    flip = -1.0 if rng.random() < 0.5 else 1.0
    cos, sin = np.cos(angle), np.sin(angle)
    turn = np.array([[cos * flip * scale, -sin * scale, 0], [sin * flip * scale, cos * scale, 0], [0, 0, 1]])
    squeeze = 1 - abs(rng.normal(0, tilt))
    lean = rng.normal(0, tilt, 2) * 0.5 / (max(size) * scale)
    bend = np.array([[1, 0, 0], [0, max(0.5, squeeze), 0], [lean[0], lean[1], 1]])
    free = np.maximum(np.array([width, height]) * scale * 1.1 - side, side * 0.15)
    shift = rng.uniform(-0.5, 0.5, 2) * free + side / 2
    move = np.array([[1, 0, shift[0]], [0, 1, shift[1]], [0, 0, 1]])
    return np.asarray(move @ bend @ turn @ centre)


def turn_and_tilt(
    image: Image, things: Sequence[Thing], rng: Random, side: int, scale: float, tilt: float
) -> tuple[Image, list[Thing]]:
    """Return a ``side`` x ``side`` window of the picture, turned, perhaps mirrored and tilted, and its things.

    ``scale`` is output pixels per pixel of ``image``; ``tilt`` about 0 (none) to 0.2 (steep).
    """
    matrix = window(rng, (image.shape[1], image.shape[0]), side, scale, tilt)
    # A mirrored card at the border would be an unlabelled card.
    bare = all(thing.kind == "other" for thing in things)
    out = look_through(image, matrix, rng, side, scale, bare)
    seen = [moved(thing, matrix, side) for thing in things]
    return out, [thing for thing in seen if thing is not None]


def look_through(
    image: Image, matrix: npt.NDArray[np.float64], rng: Random, side: int, scale: float, mirrored: bool
) -> Image:
    """Return the window of ``image`` that ``matrix`` of :func:`window` shows; ``scale`` must be the same.

    Beyond the picture is a colour, or, where ``mirrored`` allows it, perhaps the picture's mirror image.
    """
    source: Image = image
    if scale < 0.75:
        factor = scale * 1.2
        source = np.asarray(cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)
        shrink = np.diag([image.shape[1] / source.shape[1], image.shape[0] / source.shape[0], 1.0])
        warp = matrix @ shrink
    else:
        warp = matrix
    fill = tuple(float(v) for v in rng.uniform(0, 255, 3))
    border = cv2.BORDER_CONSTANT if rng.random() < 0.5 else cv2.BORDER_REFLECT
    if not mirrored:
        border = cv2.BORDER_CONSTANT
    out = cv2.warpPerspective(source, warp, (side, side), flags=cv2.INTER_LINEAR, borderMode=border, borderValue=fill)
    return np.asarray(out, np.uint8)


def moved(thing: Thing, matrix: npt.NDArray[np.float64], side: int) -> Thing | None:
    """Return the thing in the window, its visible share times the share inside; None when it is outside."""
    corners = transform(thing.corners, matrix)
    if cv2.contourArea(corners, oriented=True) < 0 and len(corners) == 4:
        corners = np.ascontiguousarray(corners[[1, 0, 3, 2]])
    frame = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
    whole = abs(float(cv2.contourArea(corners)))
    if whole < 16 or len(corners) != 4:
        return replace(thing, corners=corners) if len(corners) != 4 else None
    inside, _ = cv2.intersectConvexConvex(frame, corners)
    if inside <= 0:
        return None
    return replace(thing, corners=corners, visible=thing.visible * min(1.0, inside / whole))
