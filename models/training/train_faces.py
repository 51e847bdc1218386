"""Train the face reader from patches of rendered scenes.

    python -m models.training.train_faces --patches DIR --patches DIR --out runs/faces.pt

A folder of patches is made by models.training.face_patches. Deterministic by seed up to the order of floating-point
sums.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch.nn import functional
from torch.utils.data import Dataset

from models.training.augment import recolour, wash
from models.training.face_patches import COLUMNS, FACE_PATCH, FacePatches
from models.training.face_reader import FaceNetwork
from models.training.loop import Batch, Run, add_options, fit
from models.training.shake import Cut, degrade, recut
from vision.faces import CLASSES, HEADS
from vision.pixels import FACE_MARGIN, FACE_SIZE, balance

__all__ = ["FACE_CUT", "FaceRun", "FaceSamples", "loss_of", "main", "train"]

FACE_CUT = Cut(FACE_PATCH, FACE_SIZE, FACE_MARGIN)
"""How patches of faces become the face reader's crops."""

_AT = {name: place for place, name in enumerate(COLUMNS)}
_SMOOTHED = ("number", "colour", "shape", "digit", "turn")


@dataclass(frozen=True)
class FaceRun(Run):
    """The settings of one training.

    ``shares`` are those of the sorts of :data:`vision.faces.CLASSES` "what" in a batch, Wilds apart: each batch also
    holds ``styles`` Wild styles with ``views`` crops of each. ``shake`` is how far cuts are off, 1 as for cards;
    ``strange`` the share of samples under a strong cast, ``washed`` that of those in which a lamp is mirrored. The
    embedding is learned with ``temperature``.
    """

    steps: int = 6000
    batch: int = 96
    rate: float = 3e-3
    weight_decay: float = 2e-2
    most_gradient: float = 5.0
    average: float = 0.997
    shares: tuple[float, ...] = (0.6, 0.0, 0.14, 0.07, 0.19)
    styles: int = 6
    views: int = 4
    shake: float = 1.3
    strange: float = 0.15
    washed: float = 0.2
    smoothing: float = 0.02
    temperature: float = 0.1


class FaceSamples(Dataset[Batch]):
    """Sample n is a function of the seed and n alone: a balanced crop and its labels.

    The first samples of each batch are Wild faces, ``views`` crops of one style after the other.
    """

    def __init__(self, stores: Sequence[FacePatches], run: FaceRun) -> None:
        """Draw from all ``stores``, each sort of patch with its share."""
        self.stores, self.run = list(stores), run
        where = [(s, n) for s, store in enumerate(stores) for n in range(len(store.labels))]
        self.where = np.array(where, np.int64).reshape(-1, 2)
        self.labels = np.concatenate([store.labels for store in stores])
        what, look = self.labels[:, _AT["what"]], self.labels[:, _AT["look"]]
        self.pools = [np.flatnonzero(what == sort) for sort in range(len(CLASSES["what"]))]
        self.styles = [np.flatnonzero(look == style) for style in np.unique(look[look >= 0])]

    def __len__(self) -> int:
        return self.run.steps * self.run.batch

    def __getitem__(self, index: int) -> Batch:
        rng = np.random.default_rng((self.run.seed, index))
        place = self._place(index, rng)
        store, number = self.where[place]
        label = self.labels[place].copy()
        order = int(rng.integers(0, 4))
        strength = self.run.shake * (1.0 if rng.random() < 0.6 else 0.4)
        crop, shifts = recut(np.asarray(self.stores[store].images[number]), rng, strength, order, FACE_CUT)
        crop = wash(crop, rng) if rng.random() < self.run.washed else crop
        crop = recolour(degrade(crop, rng, 0.6), rng, 1.0 if rng.random() < self.run.strange else 0.4)
        if label[_AT["turn"]] >= 0:
            label[_AT["turn"]] = (label[_AT["turn"]] - order) % 4
        return {
            "pixels": torch.from_numpy(balance(crop).transpose(2, 0, 1).copy()),
            "label": torch.from_numpy(label),
            "corners": torch.from_numpy(shifts),
        }

    def _place(self, index: int, rng: np.random.Generator) -> int:
        batch, slot = divmod(index, self.run.batch)
        if slot < self.run.styles * self.run.views and self.styles:
            chosen = np.random.default_rng((self.run.seed, batch, slot // self.run.views, 1)).integers(len(self.styles))
            return _one_of(self.styles[int(chosen)], rng)
        shares = np.array([share if len(pool) else 0 for share, pool in zip(self.run.shares, self.pools, strict=True)])
        if not shares.any():
            return int(rng.integers(0, len(self.where)))
        return _one_of(self.pools[int(rng.choice(len(shares), p=shares / shares.sum()))], rng)


def _one_of(pool: npt.NDArray[np.int64], rng: np.random.Generator) -> int:
    return int(pool[int(rng.integers(0, len(pool)))])


def split_heads(outputs: torch.Tensor) -> dict[str, torch.Tensor]:
    """Return the (n, width) part of each head."""
    return dict(zip(HEADS, torch.split(outputs, list(HEADS.values()), 1), strict=True))


def contrast(embedding: torch.Tensor, look: torch.Tensor, temperature: float) -> torch.Tensor:
    """Return the supervised contrastive loss (Khosla et al. 2020) of (n, k) embeddings.

    Crops of the same ``look`` (n,) belong together; those with look -1 belong to nothing and are only told apart from.
    """
    unit = functional.normalize(embedding, dim=1)
    alike = unit @ unit.T / temperature
    itself = torch.eye(len(look), dtype=torch.bool)
    alike = alike.masked_fill(itself, -1e4)
    pairs = (look[:, None] == look[None]) & (look[:, None] >= 0) & ~itself
    logs = alike - torch.logsumexp(alike, 1, keepdim=True)
    count = pairs.sum(1)
    losses = -(logs * pairs).sum(1) / count.clamp(min=1)
    return losses[count > 0].sum() / (count > 0).sum().clamp(min=1)


def loss_of(
    outputs: torch.Tensor, batch: Batch, smoothing: float, temperature: float
) -> tuple[torch.Tensor, dict[str, float]]:
    """Return the loss of (n, 69) outputs and its parts."""
    heads, label = split_heads(outputs), batch["label"]
    parts = {"what": functional.cross_entropy(heads["what"], label[:, _AT["what"]])}
    for name in _SMOOTHED:
        target = label[:, _AT[name]]
        losses = functional.cross_entropy(
            heads[name], target, ignore_index=-1, label_smoothing=smoothing, reduction="none"
        )
        parts[name] = losses.sum() / (target >= 0).sum().clamp(min=1)
    raised = label[:, _AT["raised"]].float()
    told = (label[:, _AT["what"]] == CLASSES["what"].index("symbols")).float()
    loose = functional.binary_cross_entropy_with_logits(heads["raised"][:, 0], raised, weight=told, reduction="sum")
    parts["raised"] = loose / told.sum().clamp(min=1)
    placed = (label[:, _AT["placed"]] == 1).float()
    error = (heads["corners"] - batch["corners"]).abs().mean(1)
    parts["corners"] = 15 * (error * placed).sum() / placed.sum().clamp(min=1)
    parts["embedding"] = 0.3 * contrast(heads["embedding"], label[:, _AT["look"]], temperature)
    return torch.stack(list(parts.values())).sum(), {name: float(value.detach()) for name, value in parts.items()}


def train(stores: Sequence[FacePatches], run: FaceRun, out: Path, start: Path | None = None) -> FaceNetwork:
    """Train, write checkpoints to ``out``, return the network with averaged weights."""
    torch.manual_seed(run.seed)
    loss = partial(loss_of, smoothing=run.smoothing, temperature=run.temperature)
    return fit(FaceNetwork(), FaceSamples(stores, run), loss, run, out, start)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m models.training.train_faces", description=__doc__.splitlines()[0])
    parser.add_argument("--patches", type=Path, action="append", required=True)
    add_options(parser, FaceRun())
    options = parser.parse_args(arguments)
    run = FaceRun(steps=options.steps, rate=options.rate, seed=options.seed)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    train([FacePatches.read(folder) for folder in options.patches], run, options.out, options.start)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
