"""Patches: pieces cut from pictures with room round them, so that training can shake the cut.

A patch shows a piece at the reader's resolution with a wide margin. Convention: (240, 160, 3) uint8 BGR, upright.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from rich.progress import track

from datasets.names import feature_values
from datasets.things import Thing
from models.training.photos import Photo, read_photos
from vision.geometry import quad_iou, rectify
from vision.pixels import CROP_MARGIN, CROP_SIZE
from vision.types import Image, Quad

__all__ = [
    "LABELS",
    "PATCH_MARGIN",
    "PATCH_SIZE",
    "Patches",
    "cut_patches",
    "label_of",
    "main",
    "save_patches",
    "write_patches",
]

PATCH_SIZE = (160, 240)
PATCH_MARGIN = (PATCH_SIZE[0] / CROP_SIZE[0] * (1 + 2 * CROP_MARGIN) - 1) / 2
LABELS = ("number", "colour", "shading", "shape", "readable", "wild", "real")
"""Columns of the label table; -1 where a feature does not apply."""

_NAMED, _NOTHING = 0.72, 0.3


def label_of(thing: Thing, real: bool) -> list[int]:
    """Return the row of LABELS of one thing."""
    if thing.name is None:
        return [-1, -1, -1, -1, 0, 0, int(real)]
    return [*feature_values(thing.kind, thing.name), 1, int(thing.name == "wild"), int(real)]


@dataclass(frozen=True, eq=False)
class Patches:
    """``images`` (n, 240, 160, 3) uint8 and ``labels`` (n, 7) int8 in the order of LABELS."""

    images: npt.NDArray[np.uint8]
    labels: npt.NDArray[np.int8]

    @classmethod
    def read(cls, folder: Path) -> Patches:
        """Open what ``main`` wrote to ``folder``, the pixels mapped from the file."""
        labels = np.load(folder / "labels.npy")
        # an empty file cannot be mapped
        images = np.load(folder / "images.npy", mmap_mode="r" if len(labels) else None)
        return cls(images, labels)


def _random_quad(rng: np.random.Generator, size: tuple[int, int], side: float) -> npt.NDArray[np.float32]:
    """A card-shaped quad anywhere in the picture."""
    angle, scale = rng.uniform(0, 2 * np.pi), side * np.exp(rng.normal(0, 0.5))
    box = np.array([[-0.5, -0.77], [0.5, -0.77], [0.5, 0.77], [-0.5, 0.77]]) * scale
    cos, sin = np.cos(angle), np.sin(angle)
    return np.asarray(box @ np.array([[cos, sin], [-sin, cos]]) + rng.uniform(0, 1, 2) * size, np.float32)


def _off_quad(rng: np.random.Generator, corners: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """A quad near a piece that is not the piece: moved by half of it, or far too large or small."""
    centre = corners.mean(axis=0)
    if rng.random() < 0.6:
        across, along = (
            (corners[1] - corners[0]) * rng.choice([-1, 0, 1]),
            (corners[3] - corners[0]) * rng.choice([-1, 0, 1]),
        )
        return np.asarray(corners + (across + along) * rng.uniform(0.45, 1.0), np.float32)
    return np.asarray(
        centre + (corners - centre) * rng.choice([rng.uniform(0.2, 0.5), rng.uniform(1.9, 3.0)]), np.float32
    )


def _negatives(photo: Photo, size: tuple[int, int], rng: np.random.Generator) -> list[Thing]:
    """Quads that are no readable piece: other things, misplaced quads, bits of the table."""
    pieces = [thing for thing in photo.things if thing.kind != "other"]
    others = [
        thing for thing in photo.things if thing.kind == "other" and len(thing.corners) == 4 and thing.visible > 0.5
    ]
    side = float(np.mean([Quad(p.corners).short_side for p in pieces])) if pieces else max(size) / 8
    candidates = [thing.corners for thing in others]
    candidates += [_off_quad(rng, pieces[int(i)].corners) for i in rng.integers(0, len(pieces), 3)] if pieces else []
    candidates += [_random_quad(rng, size, side) for _ in range(2)]
    kept = []
    for corners in candidates:
        inside = np.array([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]], np.float32)
        held = cv2.intersectConvexConvex(inside, corners)[0] / max(1.0, abs(cv2.contourArea(corners)))
        clear = all(quad_iou(Quad(corners), Quad(piece.corners)) < _NOTHING for piece in pieces)
        if held > 0.6 and clear and Quad(corners).short_side > 8:
            kept.append(Thing("other", None, corners))
    return kept


def cut_patches(photo: Photo, rng: np.random.Generator) -> Iterator[tuple[Image, list[int]]]:
    """Yield (patch, label row) of every piece that can be read and of some things that cannot."""
    picture, _ = photo.image()
    size = (picture.shape[1], picture.shape[0])
    named = [thing for thing in photo.things if thing.name is not None and thing.visible > _NAMED]
    for thing in [*named, *_negatives(photo, size, rng)]:
        quad = Quad(thing.corners)
        if min(quad.short_side, quad.long_side) >= 8:
            yield rectify(picture, quad, PATCH_SIZE, PATCH_MARGIN), label_of(thing, photo.real)


def _cut_one(numbered: tuple[int, Photo], seed: int) -> list[tuple[Image, list[int]]]:
    cv2.setNumThreads(1)
    return list(cut_patches(numbered[1], np.random.default_rng((seed, numbered[0]))))


def write_patches(photos: Sequence[Photo], out: Path, seed: int, jobs: int) -> int:
    """Cut the patches of all ``photos`` into ``out``; return how many."""
    images: list[Image] = []
    labels: list[list[int]] = []
    with get_context("spawn").Pool(jobs) as pool:
        results = pool.imap(partial(_cut_one, seed=seed), enumerate(photos), chunksize=4)
        for cut in track(results, "cutting", total=len(photos)):
            images += [image for image, _ in cut]
            labels += [label for _, label in cut]
    save_patches(out, images, labels)
    return len(images)


def save_patches(out: Path, images: Sequence[Image], labels: Sequence[list[int]]) -> None:
    """Write patches and their label rows to the folder ``out``, as :meth:`Patches.read` opens them."""
    out.mkdir(parents=True, exist_ok=True)
    pixels = np.zeros((len(images), PATCH_SIZE[1], PATCH_SIZE[0], 3), np.uint8)
    for place, image in zip(pixels, images, strict=True):
        place[:] = image
    np.save(out / "images.npy", pixels)
    np.save(out / "labels.npy", np.array(labels, np.int8).reshape(len(images), len(LABELS)))


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m models.training.patches", description=__doc__.splitlines()[0])
    parser.add_argument("labels", type=Path, nargs="+", help="labels.jsonl of scenes or photos")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args(arguments)
    photos = [photo for labels in options.labels for photo in read_photos(labels)]
    print(write_patches(photos, options.out, options.seed, options.jobs), "patches")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
