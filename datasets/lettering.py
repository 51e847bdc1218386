"""Words and numbers in many typefaces: those that OpenCV brings with it, drawn or stroked."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from vision.types import Image

__all__ = ["Lettering", "lettered", "random_lettering"]

_STROKED = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
)


@dataclass(frozen=True)
class Lettering:
    """One typeface: ``name`` of a drawn one with its ``weight`` (100 to 900), or a ``stroked`` one of OpenCV.

    ``narrow`` squeezes letters along the line, 1 for none.
    """

    name: str = "sans"
    weight: int = 400
    stroked: int | None = None
    narrow: float = 1.0


def random_lettering(rng: np.random.Generator) -> Lettering:
    """Return some typeface."""
    narrow = float(rng.uniform(0.7, 1.15))
    if rng.random() < 0.3:
        return Lettering(stroked=_STROKED[int(rng.integers(0, len(_STROKED)))], narrow=narrow)
    name = ("sans", "sans", "italic")[int(rng.integers(0, 3))]
    return Lettering(name, int(rng.integers(2, 10)) * 100, None, narrow)


@lru_cache(maxsize=512)
def lettered(words: str, height: int, face: Lettering) -> Image:
    """Return (h, w) uint8: ``words`` in about ``height`` pixels, cut close, 255 where there is ink.

    A letter is never thinner than a pixel.
    """
    tall = 2 * height
    sheet = np.zeros((3 * tall, (len(words) + 2) * 2 * tall), np.uint8)
    if face.stroked is not None:
        thick = max(1, tall // 10)
        cv2.putText(sheet, words, (tall, 2 * tall), face.stroked, tall / 22, (255,), thick, cv2.LINE_AA)
    else:
        cv2.putText(sheet, words, (tall, 2 * tall), (255,), cv2.FontFace(face.name), round(1.35 * tall), face.weight)
    x, y, width, high = cv2.boundingRect(sheet)
    cut = sheet[y : y + max(1, high), x : x + max(1, width)]
    scale = height / max(1, high)
    size = (max(1, round(width * scale * face.narrow)), max(1, height))
    return np.asarray(cv2.resize(cut, size, interpolation=cv2.INTER_AREA), np.uint8)
