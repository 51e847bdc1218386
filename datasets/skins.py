"""Real single-card crops as faces for scenes, read from a folder of public crops (never committed)."""

from __future__ import annotations

import csv
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from datasets.art import Art, ArtError
from engine.tokens import Card

__all__ = ["Skins", "SkinsError", "rounded_alpha"]

Random = np.random.Generator


_MISLABELLED = frozenset(
    f"{source}/{number:05d}.jpg"
    for source, numbers in (("wangtian24__set-solver", (781, 934, 1111)), ("pascualy__setsolver", (155, 156, 157)))
    for number in numbers
)
"""Crops that show another card than their label says: seen by eye after the reader had disagreed with them."""


class SkinsError(ArtError, FileNotFoundError):
    """Crops or their labels that are not where they should be."""


def rounded_alpha(size: tuple[int, int], radius: float) -> npt.NDArray[np.uint8]:
    """Return (height, width) uint8: 255 inside a rounded rectangle of ``size`` (width, height) pixels."""
    width, height = size
    x = np.abs(np.arange(width, dtype=np.float32) + 0.5 - width / 2)[None, :]
    y = np.abs(np.arange(height, dtype=np.float32) + 0.5 - height / 2)[:, None]
    dx, dy = np.maximum(x - (width / 2 - radius), 0), np.maximum(y - (height / 2 - radius), 0)
    return np.asarray(np.clip((radius - np.hypot(dx, dy) + 0.5) * 255, 0, 255), np.uint8)


@dataclass(frozen=True)
class Skins:
    """Paths of crops by source and card."""

    folder: Path
    by_source: dict[str, dict[Card, tuple[Path, ...]]]

    @classmethod
    def read(cls, folder: Path) -> Skins:
        """Read ``labels.csv`` (file, card) of ``folder``.

        :raises SkinsError: there is no such table.
        """
        table = folder / "labels.csv"
        if not table.is_file():
            raise SkinsError(f"no labels of crops at {str(table)!r}")
        found: dict[str, dict[Card, list[Path]]] = defaultdict(lambda: defaultdict(list))
        with table.open(newline="") as lines:
            for row in csv.DictReader(lines):
                if row["file"] in _MISLABELLED:
                    continue
                found[row["file"].split("/")[0]][Card.parse(row["card"])].append(folder / row["file"])
        return cls(folder, {s: {c: tuple(paths) for c, paths in cards.items()} for s, cards in found.items()})

    def sources(self, ravensburger: bool) -> list[str]:
        """Names of the sources that show the Ravensburger deck, or those that show the US one."""
        return [
            s for s, cards in self.by_source.items() if any(str(c.shape) == "rectangle" for c in cards) == ravensburger
        ]

    def draw(self, rng: Random, source: str, card: Card, paper: npt.NDArray[np.float32] | None) -> Art:
        """Return one crop of ``card`` as a face of about 57 x 88 mm, its paper turned to ``paper`` (BGR) if given."""
        paths = self.by_source[source][card]
        path = paths[int(rng.integers(0, len(paths)))]
        image = cv2.imread(str(path))
        if image is None:
            raise SkinsError(f"no crop can be read from {str(path)!r}")
        height, width = image.shape[:2]
        trim = max(1, round(width * rng.uniform(0.01, 0.03)))
        image = image[trim : height - trim, trim : width - trim]
        picture = image.astype(np.float32)
        if paper is not None:
            white = np.asarray(np.percentile(picture, 75, axis=(0, 1)), np.float32)
            picture *= paper / np.maximum(white, np.float32(30))
        if rng.random() < 0.5:
            picture = picture[::-1, ::-1]
        picture = np.clip(picture, 0, 255).astype(np.uint8)
        alpha = rounded_alpha((picture.shape[1], picture.shape[0]), picture.shape[1] * rng.uniform(0.04, 0.08))
        size = (57.0 * rng.uniform(0.97, 1.03), 88.0)
        return Art(np.ascontiguousarray(picture), alpha, size)
