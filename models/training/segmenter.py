"""The segmenter: a small U-Net from a whole image to maps of pieces at a quarter of its resolution.

Every cell of a map says how near it is to the middle of a piece, whether it lies on one, of which kind, and where the
whole piece lies: its centre and its half axes, so that a piece half under another still gets its four corners. The two
half axes u (across) and v (along) are written with their angle doubled, because a piece turned by 180 degrees is the
same piece; ``geometry_to_corners`` in vision.segment undoes this. The maps' order is CHANNELS.
"""

from __future__ import annotations

from typing import cast

import torch
from torch import nn
from torch.nn import functional

from models.training.layers import Residual, Scale, conv

__all__ = ["CHANNELS", "Segmenter"]

CHANNELS = ("middle", "mask", "card", "tile", "die", "cx", "cy", "ux", "uy", "vx", "vy", "tx", "ty")
"""Names of the output maps: two and three logits, then geometry in pixels of the input.

Geometry is decided at stride 8, where a cell sees more of the piece, and unfolded to the cells of stride 4."""

_LOGITS = 5
_GEOMETRY = 8


class Segmenter(nn.Module):
    """(n, 3, h, w) float32 BGR 0..255, sides multiples of 32 -> (n, 13, h / 4, w / 4) maps in the order of CHANNELS."""

    def __init__(self, widths: tuple[int, int, int, int, int] = (16, 32, 56, 88, 128)) -> None:
        """``widths`` are the channels at strides 2, 4, 8, 16 and 32."""
        super().__init__()
        stem, w4, w8, w16, w32 = widths
        self.scale = Scale()
        self.stem = nn.Sequential(conv(3, stem, stride=2), conv(stem, w4, stride=2), Residual(w4))
        self.down8 = nn.Sequential(conv(w4, w8, stride=2), Residual(w8))
        self.down16 = nn.Sequential(conv(w8, w16, stride=2), Residual(w16))
        self.down32 = nn.Sequential(conv(w16, w32, stride=2), Residual(w32), Residual(w32, dilation=2))
        self.lateral16, self.lateral8, self.lateral4 = conv(w32, w16, 1), conv(w16, w8, 1), conv(w8, w4, 1)
        self.up16 = nn.Sequential(conv(2 * w16, w16), Residual(w16))
        self.up8 = nn.Sequential(conv(2 * w8, w8), conv(w8, w8))
        self.up4 = nn.Sequential(conv(2 * w4, w4), conv(w4, w4))
        self.head = nn.Conv2d(w4, _LOGITS, 1)
        self.geometry = nn.Sequential(
            conv(w8, 64), Residual(64), nn.Conv2d(64, 4 * (_GEOMETRY + 1), 1), nn.PixelShuffle(2)
        )
        with torch.no_grad():
            cast(torch.Tensor, self.head.bias)[:2] = -2.0

    def forward(self, pixels: torch.Tensor) -> torch.Tensor:
        """Return the maps; geometry is an offset from the cell's middle times a size that the cell guesses."""
        at4 = self.stem(self.scale(pixels))
        at8 = self.down8(at4)
        at16 = self.down16(at8)
        at32 = self.down32(at16)
        up16 = self.up16(torch.cat([self._twice(self.lateral16(at32)), at16], 1))
        up8 = self.up8(torch.cat([self._twice(self.lateral8(up16)), at8], 1))
        up4 = self.up4(torch.cat([self._twice(self.lateral4(up8)), at4], 1))
        geometry = self.geometry(up8)
        size = 16.0 * torch.exp(geometry[:, -1:].clamp(-3.0, 4.0))
        return torch.cat([self.head(up4), geometry[:, :-1] * size], 1)

    @staticmethod
    def _twice(features: torch.Tensor) -> torch.Tensor:
        return functional.interpolate(features, scale_factor=2.0, mode="nearest")
