"""Cut patches of what the segmenter takes for pieces and is none, so that the reader learns to refuse it.

    python -m models.training.mine LABELS... --segmenter models/segmenter --out runs/mined

Use labels that training may use: what is found here becomes training data.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
from rich.progress import track

from datasets.things import Thing
from models.training.patches import PATCH_MARGIN, PATCH_SIZE, label_of, save_patches
from models.training.photos import Photo, read_photos
from vision.geometry import quad_iou, rectify
from vision.segment import SegmentConfig, Segmenter
from vision.types import Image, Quad

__all__ = ["main", "misses"]

_NOTHING, _MOSTLY, _UNCLEAR = 0.3, 0.5, 0.72


def misses(photo: Photo, segmenter: Segmenter) -> Iterator[Image]:
    """Yield the patch of each detection in ``photo`` that lies on no piece, nor mostly on one half hidden."""
    picture, _ = photo.image()
    pieces = [thing for thing in photo.things if thing.name is not None]
    for detection in segmenter.detect(picture):
        quad = detection.quad
        if quad.short_side >= 8 and not any(_belongs(quad, piece) for piece in pieces):
            yield rectify(picture, quad, PATCH_SIZE, PATCH_MARGIN)


def _belongs(quad: Quad, piece: Thing) -> bool:
    """Whether ``quad`` may count as a view of ``piece``."""
    if quad_iou(quad, Quad(piece.corners)) >= _NOTHING:
        return True
    if piece.visible > _UNCLEAR:
        return False
    shared = float(cv2.intersectConvexConvex(cv2.convexHull(quad.corners), cv2.convexHull(piece.corners))[0])
    return shared > _MOSTLY * min(quad.area, abs(float(cv2.contourArea(piece.corners))))


def mine(photos: Sequence[Photo], segmenter: Segmenter, out: Path) -> int:
    """Write the patches of all misses in ``photos`` to ``out``; return how many."""
    cut = [(patch, photo.real) for photo in track(photos, "mining") for patch in misses(photo, segmenter)]
    nothing = [label_of(Thing("other", None, np.zeros((4, 2), np.float32)), real) for _, real in cut]
    save_patches(out, [patch for patch, _ in cut], nothing)
    return len(cut)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m models.training.mine", description=__doc__.splitlines()[0])
    parser.add_argument("labels", type=Path, nargs="+")
    parser.add_argument("--segmenter", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args(arguments)
    segmenter = Segmenter(Segmenter.open(options.segmenter).model, SegmentConfig(peak=0.15))
    photos = [photo for labels in options.labels for photo in read_photos(labels)]
    print(mine(photos, segmenter, options.out), "patches of nothing")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
