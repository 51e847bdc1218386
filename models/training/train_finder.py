"""Train the finder from rendered scenes of dice, tiles and boards.

    python -m models.training.train_finder --scenes DIR/labels.jsonl --start runs/segmenter.pt --out runs/finder.pt

``--start`` may be a checkpoint of the finder or of the segmenter: what fits is taken over. Scenes of cards are welcome:
they teach what is no die and no tile. Deterministic by seed up to the order of floating-point sums.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional
from torch.utils.data import Dataset

from models.training.augment import look_through, recolour, window
from models.training.board_photos import BoardPhoto, read_board_photos, view_of
from models.training.board_targets import BoardTarget, make_board_target
from models.training.finder import CHANNELS, Finder, load_what_fits
from models.training.loop import Batch, Run, add_options, fit
from models.training.losses import geometry_loss, heat_loss, kind_loss, mask_losses, nearness
from vision.types import Image

__all__ = ["FinderRun", "FinderSamples", "loss_of", "main", "train"]

_PIECES = ("die", "tile", "space")
_RAISED, _CROSSING, _BOARD, _PLACE = (CHANNELS.index(name) for name in ("raised", "crossing", "board", "cx"))


@dataclass(frozen=True)
class FinderRun(Run):
    """The settings of one training; ``longest`` is the range of the longer side of a whole picture in pixels.

    The share ``plain_share`` of the samples comes from scenes without dice, tiles or board; the share ``tilted`` is
    seen at a further slant of about ``tilt``.
    """

    steps: int = 4000
    batch: int = 8
    rate: float = 3e-3
    side: int = 384
    longest: tuple[float, float] = (480.0, 1000.0)
    plain_share: float = 0.12
    tilted: float = 0.5
    tilt: float = 0.15


class FinderSamples(Dataset[Batch]):
    """Sample n is a function of the seed and n alone: a window of a picture and its maps."""

    def __init__(self, scenes: Sequence[BoardPhoto], run: FinderRun) -> None:
        """Draw from ``scenes``, those that hold neither piece nor board for a fixed share of the samples."""
        self.run = run
        self.plain = [scene for scene in scenes if not _teaches(scene)]
        self.rich = [scene for scene in scenes if _teaches(scene)]

    def __len__(self) -> int:
        return self.run.steps * self.run.batch

    def __getitem__(self, index: int) -> Batch:
        rng = np.random.default_rng((self.run.seed, index))
        image, target = self._draw(rng)
        arrays = {name: torch.from_numpy(getattr(target, name)) for name in BoardTarget.__dataclass_fields__}
        return {"pixels": torch.from_numpy(np.ascontiguousarray(image.transpose(2, 0, 1))), **arrays}

    def _draw(self, rng: np.random.Generator) -> tuple[Image, BoardTarget]:
        plain = bool(self.plain) and (rng.random() < self.run.plain_share or not self.rich)
        pool = self.plain if plain else self.rich
        photo = pool[int(rng.integers(0, len(pool)))]
        picture, _ = photo.image()
        zoom = float(np.exp(rng.uniform(*np.log(self.run.longest)))) / max(picture.shape[:2])
        side = self.run.side
        tilt = self.run.tilt if rng.random() < self.run.tilted else 0.03
        size = (picture.shape[1], picture.shape[0])
        matrix = window(rng, size, side, zoom, tilt)
        image = look_through(picture, matrix, rng, side, zoom, mirrored=plain)
        return recolour(image, rng, 0.5), make_board_target(view_of(photo, size, matrix, side), (side, side))


def _teaches(scene: BoardPhoto) -> bool:
    return scene.board is not None or any(thing.kind in _PIECES for thing in scene.things)


def loss_of(maps: torch.Tensor, batch: Batch) -> tuple[torch.Tensor, dict[str, float]]:
    """Return the loss of (n, 13, rows, columns) maps and its parts."""
    weight, middle, raised = batch["weight"], batch["middle"], batch["raised"]
    near = nearness(batch["kind"], middle)
    entropy, dice = mask_losses(maps[:, 1], batch["mask"], weight)
    told = near * (raised >= 0)
    loose = functional.binary_cross_entropy_with_logits(maps[:, _RAISED], raised.clamp(min=0), reduction="none")
    parts = {
        "middle": heat_loss(maps[:, 0], middle, weight, 2.0),
        "mask": entropy,
        "dice": dice,
        "kind": kind_loss(maps[:, 2:4], batch["kind"], near),
        "raised": (loose * told).sum() / told.sum().clamp(min=1),
        "crossing": heat_loss(maps[:, _CROSSING], batch["crossing"], batch["crossing_weight"], 10.0),
        "board": functional.binary_cross_entropy_with_logits(maps[:, _BOARD], batch["board"]),
        "geometry": geometry_loss(maps[:, _PLACE:], batch["geometry"], batch["size"], near),
    }
    total = 2 * parts["middle"] + entropy + 0.5 * dice + 0.5 * parts["kind"] + 0.5 * parts["raised"]
    total = total + 3 * parts["crossing"] + 0.5 * parts["board"] + 2 * parts["geometry"]
    return total, {name: float(value.detach()) for name, value in parts.items()}


def train(scenes: Sequence[BoardPhoto], run: FinderRun, out: Path, start: Path | None = None) -> Finder:
    """Train, write checkpoints to ``out``, return the network with averaged weights.

    ``start`` is a checkpoint of the finder or of the segmenter.
    """
    torch.manual_seed(run.seed)
    network = Finder()
    if start is not None:
        load_what_fits(network, start)
    return fit(network, FinderSamples(scenes, run), loss_of, run, out, None)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m models.training.train_finder", description=__doc__.splitlines()[0])
    parser.add_argument("--scenes", type=Path, action="append", required=True)
    add_options(parser, FinderRun())
    options = parser.parse_args(arguments)
    run = FinderRun(steps=options.steps, rate=options.rate, seed=options.seed)
    scenes = [photo for labels in options.scenes for photo in read_board_photos(labels)]
    options.out.parent.mkdir(parents=True, exist_ok=True)
    train(scenes, run, options.out, options.start)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
