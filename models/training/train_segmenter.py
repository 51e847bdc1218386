"""Train the segmenter from rendered scenes and real photos.

    python -m models.training.train_segmenter --scenes DIR/labels.jsonl --photos LABELS --out runs/segmenter.pt

Deterministic by seed up to the order of floating-point sums. Writes a checkpoint with the averaged weights.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch.utils.data import Dataset

from models.training.augment import recolour, turn_and_tilt
from models.training.loop import Batch, Run, add_options, fit
from models.training.losses import geometry_loss, heat_loss, kind_loss, mask_losses, nearness
from models.training.photos import Photo, read_photos
from models.training.segmenter import Segmenter
from models.training.targets import Target, make_target
from vision.types import Image

__all__ = ["SegmenterRun", "SegmenterSamples", "loss_of", "main", "train"]


_RARE = ("tile", "die")
_WORTH = torch.tensor([1.0, 3.0, 3.0])
"""What a cell of a card, a tile, a die counts in the loss of the kind: cards are many."""


@dataclass(frozen=True)
class SegmenterRun(Run):
    """The settings of one training; ``longest`` is the range of the longer side of a whole picture in pixels.

    The share ``tilted`` of the samples is seen at a further slant of about ``tilt`` (0.2 is steep): without that the
    network draws rectangles where slanted cards are sheared. ``rare_share`` of the scenes hold tiles or dice, which are
    a small part of what is rendered.
    """

    steps: int = 3200
    batch: int = 8
    rate: float = 4e-3
    side: int = 384
    longest: tuple[float, float] = (420.0, 860.0)
    real_share: float = 0.25
    rare_share: float = 0.2
    tilted: float = 0.6
    tilt: float = 0.25


class SegmenterSamples(Dataset[Batch]):
    """Sample n is a function of the seed and n alone: a window of a picture and its maps."""

    def __init__(self, scenes: Sequence[Photo], photos: Sequence[Photo], run: SegmenterRun) -> None:
        """Draw from ``scenes`` and, for a share of the samples, from real ``photos``."""
        self.scenes, self.photos, self.run = list(scenes), list(photos), run
        self.rare = [scene for scene in scenes if any(thing.kind in _RARE for thing in scene.things)]

    def __len__(self) -> int:
        return self.run.steps * self.run.batch

    def __getitem__(self, index: int) -> Batch:
        rng = np.random.default_rng((self.run.seed, index))
        image, target = self._draw(rng)
        arrays = {**{f: torch.from_numpy(getattr(target, f)) for f in Target.__dataclass_fields__}}
        return {"pixels": torch.from_numpy(np.ascontiguousarray(image.transpose(2, 0, 1))), **arrays}

    def _draw(self, rng: np.random.Generator) -> tuple[Image, Target]:
        real = bool(self.photos) and rng.random() < self.run.real_share
        common = self.scenes if not self.rare or rng.random() >= self.run.rare_share else self.rare
        pool = self.photos if real or not self.scenes else common
        photo = pool[int(rng.integers(0, len(pool)))]
        picture, scale = photo.image(None if not real else 1600)
        things = [type(t)(t.kind, t.name, (t.corners + 0.5) * np.float32(scale) - 0.5, t.visible) for t in photo.things]
        longest = np.exp(rng.uniform(*np.log(self.run.longest)))
        zoom = longest / max(picture.shape[:2])
        side = self.run.side
        tilt = self.run.tilt if rng.random() < self.run.tilted else 0.03
        image, moved = turn_and_tilt(picture, things, rng, side, float(zoom), tilt)
        image = recolour(image, rng, 1.0 if real else 0.5)
        return image, make_target(moved, (side, side))


def loss_of(maps: torch.Tensor, batch: Batch) -> tuple[torch.Tensor, dict[str, float]]:
    """Return the loss of (n, 13, rows, columns) maps and its parts: middle and mask BCE, Dice, kind, geometry."""
    weight, middle = batch["weight"], batch["middle"]
    near = nearness(batch["kind"], middle)
    entropy, dice = mask_losses(maps[:, 1], batch["mask"], weight)
    parts = {
        "middle": heat_loss(maps[:, 0], middle, weight, 2.0),
        "mask": entropy,
        "dice": dice,
        "kind": kind_loss(maps[:, 2:5], batch["kind"], _WORTH.to(maps.dtype)[batch["kind"].clamp(min=0)] * near),
        "geometry": geometry_loss(maps[:, 5:], batch["geometry"], batch["size"], near),
    }
    total = 2 * parts["middle"] + entropy + 0.5 * dice + parts["kind"] + 2 * parts["geometry"]
    return total, {name: float(value.detach()) for name, value in parts.items()}


def train(
    scenes: Sequence[Photo], photos: Sequence[Photo], run: SegmenterRun, out: Path, start: Path | None = None
) -> Segmenter:
    """Train, write checkpoints to ``out``, return the network with averaged weights."""
    torch.manual_seed(run.seed)
    return fit(Segmenter(), SegmenterSamples(scenes, photos, run), loss_of, run, out, start)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m models.training.train_segmenter", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--scenes", type=Path, action="append", default=[])
    parser.add_argument("--photos", type=Path, action="append", default=[])
    add_options(parser, SegmenterRun())
    options = parser.parse_args(arguments)
    run = SegmenterRun(steps=options.steps, rate=options.rate, seed=options.seed)
    scenes = [photo for labels in options.scenes for photo in read_photos(labels)]
    photos = [photo for labels in options.photos for photo in read_photos(labels)]
    options.out.parent.mkdir(parents=True, exist_ok=True)
    train(scenes, photos, run, options.out, options.start)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
