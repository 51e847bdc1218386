"""The blocks that both networks are built of."""

from __future__ import annotations

import torch
from torch import nn

__all__ = ["Residual", "Scale", "conv"]


class Scale(nn.Module):
    """Pixels 0..255 to about -1..1, inside the network so that nobody else has to know."""

    def forward(self, pixels: torch.Tensor) -> torch.Tensor:
        """Map (n, 3, h, w) float pixels to the same shape."""
        return pixels / 127.5 - 1.0


def conv(inputs: int, outputs: int, kernel: int = 3, stride: int = 1, dilation: int = 1) -> nn.Sequential:
    """Convolution, batch normalisation, ReLU."""
    pad = (kernel // 2) * dilation
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, pad, dilation, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class Residual(nn.Module):
    """Two 3 x 3 convolutions beside a shortcut (He et al. 2016)."""

    def __init__(self, channels: int, dilation: int = 1) -> None:
        """Keep ``channels`` and the resolution."""
        super().__init__()
        self.first = conv(channels, channels, dilation=dilation)
        self.second = nn.Sequential(
            nn.Conv2d(channels, channels, 3, 1, dilation, dilation, bias=False), nn.BatchNorm2d(channels)
        )

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """Map (n, channels, h, w) to the same shape."""
        return torch.relu(features + self.second(self.first(features)))
