"""From a stored patch to one training crop of a reader: another cut, another light, another camera."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from models.training.patches import PATCH_SIZE
from vision.geometry import homography, transform
from vision.pixels import CROP_MARGIN, CROP_SIZE
from vision.types import Image

__all__ = ["CARD_CUT", "Cut", "degrade", "recut", "shake"]

Random = np.random.Generator
_FAR = 0.15
"""Share of the strongest cuts in which one side is far off."""


@dataclass(frozen=True)
class Cut:
    """A way from patches to crops of the same resolution: both sizes (width, height), and the crop's margin."""

    patch: tuple[int, int]
    crop: tuple[int, int]
    margin: float

    @property
    def inner(self) -> npt.NDArray[np.float64]:
        """(2,) width and height of the piece itself, in pixels."""
        return np.array(self.crop) / (1 + 2 * self.margin)

    def box(self, size: tuple[int, int]) -> npt.NDArray[np.float64]:
        """(4, 2) corners of the piece in the middle of a picture of ``size``, at the crop's resolution."""
        centre = np.array(size) / 2 - 0.5
        return np.asarray(centre + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * self.inner / 2)


CARD_CUT = Cut(PATCH_SIZE, CROP_SIZE, CROP_MARGIN)
"""How the reader's patches become its crops."""


def _cut(rng: Random, strength: float, cut: Cut) -> npt.NDArray[np.float64]:
    """Where the cut takes the piece's corners to be, in the patch: off by what a segmenter is off."""
    scale = cut.inner
    corners = cut.box(cut.patch)
    centre = corners.mean(axis=0)
    angle = rng.normal(0, 0.035 * strength)
    cos, sin = np.cos(angle), np.sin(angle)
    offset = (corners - centre) * np.exp(rng.normal(0, 0.045 * strength, 2)) @ np.array([[cos, sin], [-sin, cos]])
    noise = np.clip(rng.normal(0, 0.022 * strength, (4, 2)), -0.06, 0.06)
    if rng.random() < _FAR * strength:
        # A side that runs through the piece, or beyond it: the reader must see that, and where the side should be.
        side, shift = int(rng.integers(0, 4)), rng.uniform(-0.1, 0.34)
        across = np.array([[0, 1], [-1, 0], [0, -1], [1, 0]])[side]
        noise[[side, (side + 1) % 4]] += across * shift
    return np.asarray(centre + offset + rng.normal(0, 0.025 * strength, 2) * scale + noise * scale)


def shake(patch: Image, rng: Random, strength: float, turned: bool) -> tuple[Image, npt.NDArray[np.float32]]:
    """Return (crop, shifts): a crop cut a little wrong and the (8,) shifts that lead back to the true corners.

    ``turned`` cuts the piece sideways, its long side as the short one. Half of all crops are upside down.
    """
    order = int(rng.integers(0, 2)) * 2 + int(turned)
    return recut(patch, rng, strength, order, CARD_CUT)


def recut(patch: Image, rng: Random, strength: float, order: int, cut: Cut) -> tuple[Image, npt.NDArray[np.float32]]:
    """Return (crop, shifts) as :func:`shake` does; corner ``order`` of the piece becomes the first of the crop."""
    source = np.roll(_cut(rng, strength, cut), -order, axis=0)
    truth, box = np.roll(cut.box(cut.patch), -order, axis=0), cut.box(cut.crop)
    matrix = homography(source, box)
    crop = cv2.warpPerspective(patch, matrix, cut.crop, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    shifts = (transform(truth, matrix) - box) / cut.inner
    return np.asarray(crop, np.uint8), np.asarray(shifts.reshape(8), np.float32)


def _shine(crop: Image, rng: Random) -> Image:
    """A soft highlight somewhere on the crop."""
    height, width = crop.shape[:2]
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    cx, cy = rng.uniform(0, width), rng.uniform(0, height)
    spread = rng.uniform(0.11, 0.54, 2) * width
    field = np.exp(-(((x - cx) / spread[0]) ** 2) - ((y - cy) / spread[1]) ** 2)[..., None] * rng.uniform(0.2, 0.85)
    return np.asarray(crop + (rng.uniform(200, 255) - crop) * field, np.uint8)


def _reduce(crop: Image, rng: Random) -> Image:
    """What a small piece in a large picture looks like after it is enlarged."""
    factor = rng.uniform(0.28, 0.8)
    small = cv2.resize(crop, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, crop.shape[1::-1], interpolation=cv2.INTER_LINEAR), np.uint8)


def _wash_chroma(crop: Image, rng: Random) -> Image:
    """Blurred colour under sharp luma, as in webcam frames and strong JPEG."""
    luma, red, blue = cv2.split(cv2.cvtColor(crop, cv2.COLOR_BGR2YCrCb))
    sigma = float(rng.uniform(0.8, 3.5))
    planes = [luma, cv2.GaussianBlur(red, (0, 0), sigma), cv2.GaussianBlur(blue, (0, 0), sigma)]
    return np.asarray(cv2.cvtColor(cv2.merge(planes), cv2.COLOR_YCrCb2BGR), np.uint8)


def _compress(crop: Image, rng: Random) -> Image:
    done, data = cv2.imencode(".jpg", crop, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(30, 90))])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR) if done else crop, np.uint8)


def degrade(crop: Image, rng: Random, strength: float) -> Image:
    """Return ``crop`` as a worse camera under a worse light would have it; ``strength`` 0..1."""
    if rng.random() < 0.12 * strength:
        crop = _shine(crop, rng)
    if rng.random() < 0.35 * strength:
        crop = _reduce(crop, rng)
    if rng.random() < 0.35 * strength:
        crop = _wash_chroma(crop, rng)
    if rng.random() < 0.2 * strength:
        crop = _compress(crop, rng)
    return crop
