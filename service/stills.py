"""Small pictures of a table, for replays."""

from __future__ import annotations

import cv2

from vision.types import Image

__all__ = ["small_jpeg"]


def small_jpeg(image: Image, width: int, quality: int) -> bytes | None:
    """Return ``image``, (height, width, 3) uint8 BGR, as a JPEG of ``quality`` (0..100), at most ``width`` pixels wide.

    None where it is higher than JPEG allows.
    """
    rows, columns = image.shape[:2]
    if columns > width:
        size = (width, max(1, round(rows * width / columns)))
        image = cv2.resize(image, size, interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
    fine, coded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return coded.tobytes() if fine else None
