"""Train the reader from patches of rendered scenes and real photos.

    python -m models.training.train_reader --patches DIR --patches DIR --out runs/reader.pt

A folder of patches is made by models.training.patches. Deterministic by seed up to the order of floating-point sums.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional
from torch.utils.data import Dataset

from models.training.augment import recolour
from models.training.loop import Batch, Run, add_options, fit
from models.training.patches import LABELS, Patches
from models.training.reader import CardReader
from models.training.shake import degrade, shake
from vision.classify import FEATURES, HEADS
from vision.pixels import balance

__all__ = ["ReaderRun", "ReaderSamples", "loss_of", "main", "train"]


@dataclass(frozen=True)
class ReaderRun(Run):
    """The settings of one training: shares of the samples, and how much the labels are smoothed."""

    steps: int = 4000
    batch: int = 64
    rate: float = 3e-3
    real_share: float = 0.12
    negative_share: float = 0.16
    turned_share: float = 0.05
    smoothing: float = 0.02
    weight_decay: float = 2e-2
    most_gradient: float = 5.0
    average: float = 0.997


class ReaderSamples(Dataset[Batch]):
    """Sample n is a function of the seed and n alone: a balanced crop and its labels."""

    def __init__(self, stores: Sequence[Patches], run: ReaderRun) -> None:
        """Draw from all ``stores``; named patches of photos, of renders, and unreadable ones have fixed shares."""
        self.stores, self.run = list(stores), run
        where = [(s, n) for s, store in enumerate(stores) for n in range(len(store.labels))]
        labels = np.concatenate([store.labels for store in stores])
        self.where = np.array(where, np.int32)
        readable, real = labels[:, LABELS.index("readable")] == 1, labels[:, LABELS.index("real")] == 1
        self.pools = {
            "negative": np.flatnonzero(~readable),
            "real": np.flatnonzero(readable & real),
            "rendered": np.flatnonzero(readable & ~real),
        }

    def __len__(self) -> int:
        return self.run.steps * self.run.batch

    def _pool(self, rng: np.random.Generator) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
        draw, run = rng.random(), self.run
        name = (
            "negative"
            if draw < run.negative_share
            else "real"
            if draw < run.negative_share + run.real_share
            else "rendered"
        )
        pool = self.pools[name]
        return pool if len(pool) else np.arange(len(self.where))

    def __getitem__(self, index: int) -> Batch:
        rng = np.random.default_rng((self.run.seed, index))
        pool = self._pool(rng)
        store, number = self.where[pool[int(rng.integers(0, len(pool)))]]
        label = self.stores[store].labels[number].astype(np.int64)
        real = bool(label[LABELS.index("real")])
        turned = bool(label[LABELS.index("readable")] == 1 and rng.random() < self.run.turned_share)
        crop, shifts = shake(
            np.asarray(self.stores[store].images[number]), rng, 1.0 if rng.random() < 0.7 else 0.4, turned
        )
        crop = degrade(crop, rng, 1.0 if real else 0.6)
        crop = recolour(crop, rng, 1.0 if real else 0.4)
        pixels = torch.from_numpy(balance(crop).transpose(2, 0, 1).copy())
        return {
            "pixels": pixels,
            "label": torch.from_numpy(label),
            "corners": torch.from_numpy(shifts),
            "turned": torch.tensor(float(turned)),
        }


def split_heads(outputs: torch.Tensor) -> dict[str, torch.Tensor]:
    """Return the (n, width) part of each head."""
    return dict(zip(HEADS, torch.split(outputs, list(HEADS.values()), 1), strict=True))


def loss_of(outputs: torch.Tensor, batch: Batch, smoothing: float) -> tuple[torch.Tensor, dict[str, float]]:
    """Return the loss of (n, 24) outputs and its parts."""
    heads, label = split_heads(outputs), batch["label"]
    readable, turned = label[:, LABELS.index("readable")].float(), batch["turned"]
    parts = {}
    for name in FEATURES:
        target = torch.where(turned > 0, -1, label[:, LABELS.index(name)])
        losses = functional.cross_entropy(
            heads[name], target, ignore_index=-1, label_smoothing=smoothing, reduction="none"
        )
        parts[name] = losses.sum() / (target >= 0).sum().clamp(min=1)
    parts["readable"] = functional.binary_cross_entropy_with_logits(heads["readable"][:, 0], readable)
    wild = label[:, LABELS.index("wild")].float()
    parts["wild"] = functional.binary_cross_entropy_with_logits(heads["wild"][:, 0], wild, weight=readable)
    parts["turned"] = functional.binary_cross_entropy_with_logits(heads["turned"][:, 0], turned, weight=readable)
    error = (heads["corners"] - batch["corners"]).abs().mean(1)
    parts["corners"] = 15 * (error * readable).sum() / readable.sum().clamp(min=1)
    return torch.stack(list(parts.values())).sum(), {name: float(value.detach()) for name, value in parts.items()}


def train(stores: Sequence[Patches], run: ReaderRun, out: Path, start: Path | None = None) -> CardReader:
    """Train, write checkpoints to ``out``, return the network with averaged weights."""
    torch.manual_seed(run.seed)
    loss = partial(loss_of, smoothing=run.smoothing)
    return fit(CardReader(), ReaderSamples(stores, run), loss, run, out, start)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m models.training.train_reader", description=__doc__.splitlines()[0])
    parser.add_argument("--patches", type=Path, action="append", required=True)
    add_options(parser, ReaderRun())
    options = parser.parse_args(arguments)
    run = ReaderRun(steps=options.steps, rate=options.rate, seed=options.seed)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    train([Patches.read(folder) for folder in options.patches], run, options.out, options.start)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
