"""A camera that looks at one picture: for tests that need to know what lies there, and need not wait until it does."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from tests.page.films import Film

__all__ = ["still_film"]

_DEMO = Path(__file__).resolve().parents[2] / "service" / "static" / "demo.jpg"
_SIZE = (1280, 720)
_SECONDS = 1
_FPS = 30


def still_film(folder: Path, picture: Path = _DEMO) -> Film:
    """Return the film of a camera that sees nothing but ``picture``, in the middle of 1280 x 720 pixels."""
    image = cv2.imread(str(picture))
    assert image is not None
    height, width = image.shape[:2]
    scale = min(_SIZE[0] / width, _SIZE[1] / height)
    small = cv2.resize(image, (round(width * scale), round(height * scale)), interpolation=cv2.INTER_AREA)
    canvas = np.full((_SIZE[1], _SIZE[0], 3), small.mean((0, 1)), np.uint8)
    top, left = (_SIZE[1] - small.shape[0]) // 2, (_SIZE[0] - small.shape[1]) // 2
    canvas[top : top + small.shape[0], left : left + small.shape[1]] = small
    path = folder / f"{picture.stem}.mjpeg"
    jpeg = cv2.imencode(".jpg", canvas, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()
    path.write_bytes(jpeg * _FPS * _SECONDS)
    return Film(path, _SECONDS, (), {}, ())
