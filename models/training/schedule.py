"""What both trainings share: the learning rate over time and the average of the weights."""

from __future__ import annotations

import copy
from typing import Generic, TypeVar

import torch
from torch import nn

__all__ = ["Average", "one_cycle"]

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
