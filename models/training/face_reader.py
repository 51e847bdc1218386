"""The face reader: a small residual network from one square crop to what is printed on it.

One vector of 69 outputs in the order of vision.faces.HEADS: class logits of what it is and of its features, the logit
of "raised" (a piece, no printed space), an embedding in which pictures of the same face are near each other, and eight
corner shifts: how far the true corners lie from where the crop has them, (x, y) in sides of the face.
"""

from __future__ import annotations

import torch
from torch import nn

from models.training.layers import Residual, Scale, conv
from vision.faces import HEADS

__all__ = ["FaceNetwork"]


class FaceNetwork(nn.Module):
    """(n, 3, 64, 64) float32 balanced BGR 0..255 -> (n, 69) outputs in the order of HEADS."""

    def __init__(self, widths: tuple[int, int, int, int] = (20, 36, 64, 88)) -> None:
        """``widths`` are the channels at strides 2, 4, 8 and 16."""
        super().__init__()
        w2, w4, w8, w16 = widths
        self.features = nn.Sequential(
            Scale(),
            conv(3, w2, stride=2),
            conv(w2, w4, stride=2),
            Residual(w4),
            conv(w4, w8, stride=2),
            Residual(w8),
            conv(w8, w16, stride=2),
            Residual(w16),
        )
        self.names = nn.Sequential(nn.Dropout(0.1), nn.Linear(2 * w16, sum(HEADS.values()) - HEADS["corners"]))
        self.places = nn.Sequential(
            conv(w16, 24, 1),
            nn.Flatten(),
            nn.Linear(24 * 4 * 4, 64),
            nn.ReLU(inplace=True),
            nn.Linear(64, HEADS["corners"]),
        )

    def forward(self, crops: torch.Tensor) -> torch.Tensor:
        """Return the outputs; corner shifts are in shares of the face's sides."""
        features = self.features(crops)
        pooled = torch.cat([features.mean((2, 3)), features.amax((2, 3))], 1)
        return torch.cat([self.names(pooled), 0.1 * self.places(features)], 1)
