"""What both trainings share: the loop, the learning rate over time, the average of the weights, the command line."""

from __future__ import annotations

import argparse
import copy
import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Generic, TypeVar

import cv2
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

__all__ = ["Average", "Batch", "Run", "add_options", "fit", "one_cycle"]

Batch = dict[str, torch.Tensor]
Loss = Callable[[torch.Tensor, Batch], tuple[torch.Tensor, dict[str, float]]]

Network = TypeVar("Network", bound=nn.Module)


class Average(Generic[Network]):
    """An exponential average of a network's weights, which reads better than the last step's."""

    def __init__(self, network: Network, decay: float) -> None:
        """Start from a copy of ``network``; ``decay`` is reached after a short run-in."""
        self.network, self.decay = copy.deepcopy(network).eval(), decay

    @torch.no_grad()
    def update(self, network: Network, step: int) -> None:
        """Move towards ``network`` after ``step`` steps."""
        keep = min(self.decay, step / (step + 20))
        theirs = network.state_dict()
        for name, mine in self.network.state_dict().items():
            if mine.is_floating_point():
                mine.lerp_(theirs[name], 1 - keep)
            else:
                mine.copy_(theirs[name])


def one_cycle(optimiser: torch.optim.Optimizer, rate: float, steps: int) -> torch.optim.lr_scheduler.OneCycleLR:
    """Warm up over 8 % of ``steps`` to ``rate``, then fall along a cosine to nearly 0 (Smith 2018)."""
    return torch.optim.lr_scheduler.OneCycleLR(
        optimiser, rate, total_steps=steps + 1, pct_start=0.08, div_factor=20, final_div_factor=200
    )


@dataclass(frozen=True)
class Run:
    """The settings that both trainings have: a checkpoint keeps them, so that it can be made again."""

    steps: int
    batch: int
    rate: float
    seed: int = 1
    workers: int = 1
    weight_decay: float = 1e-2
    most_gradient: float = 2.0
    average: float = 0.995


def fit(network: Network, samples: Dataset[Batch], loss_of: Loss, run: Run, out: Path, start: Path | None) -> Network:
    """Train ``network`` on ``samples`` in their order; return it with averaged weights.

    A sample holds "pixels" and what ``loss_of`` compares the outputs with. Every 250 steps and at the end a checkpoint
    goes to ``out``; ``start`` is one to go on from.
    """
    if start is not None:
        network.load_state_dict(torch.load(start, weights_only=True)["weights"])
    network.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    average = Average(network, run.average)
    optimiser = torch.optim.AdamW(network.parameters(), lr=run.rate, weight_decay=run.weight_decay)
    schedule = one_cycle(optimiser, run.rate, run.steps)
    loader = DataLoader(samples, run.batch, shuffle=False, num_workers=run.workers, worker_init_fn=_single_thread)
    began, smooth = time.monotonic(), 0.0
    for step, batch in enumerate(loader, 1):
        network.train()
        with torch.autocast("cpu", torch.bfloat16):
            outputs = network(batch["pixels"].float().to(memory_format=torch.channels_last))
        loss, parts = loss_of(outputs.float(), batch)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(network.parameters(), run.most_gradient)
        optimiser.step()
        schedule.step()
        average.update(network, step)
        smooth = float(loss.detach()) if step == 1 else 0.98 * smooth + 0.02 * float(loss.detach())
        if step % 50 == 0 or step == run.steps:
            shown = " ".join(f"{name} {value:.3f}" for name, value in parts.items())
            print(f"step {step} loss {smooth:.4f} {shown} {(time.monotonic() - began) / step:.2f} s/step", flush=True)
        if step % 250 == 0 or step == run.steps:
            torch.save({"weights": average.network.state_dict(), "run": json.dumps(asdict(run)), "step": step}, out)
    return average.network


def _single_thread(_: int) -> None:
    cv2.setNumThreads(1)
    torch.set_num_threads(1)


def add_options(parser: argparse.ArgumentParser, run: Run) -> None:
    """Add the options that both trainings have, with the defaults of ``run``."""
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--start", type=Path, help="checkpoint to go on from")
    parser.add_argument("--steps", type=int, default=run.steps)
    parser.add_argument("--rate", type=float, default=run.rate)
    parser.add_argument("--seed", type=int, default=run.seed)
