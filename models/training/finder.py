"""The finder: the segmenter's U-Net with the heads for dice, tiles and boards.

Every cell of a map says how near it is to the middle of a piece, whether it lies on one, whether that is a die's top
face or a tile, whether a tile is a loose one or printed, how near a crossing of a board's grid is, and whether a board
lies there; and where the whole piece lies, as vision.squares writes it. The maps' order is CHANNELS.
"""

from __future__ import annotations

from pathlib import Path
from typing import cast

import torch
from torch import nn

from models.training.layers import Residual, conv
from models.training.segmenter import Segmenter

__all__ = ["CHANNELS", "Finder", "load_what_fits"]

CHANNELS = ("middle", "mask", "die", "tile", "raised", "crossing", "board", "cx", "cy", "sx", "sy", "px", "py")
"""Names of the output maps: seven logits, then geometry in pixels of the input."""

_LOGITS = 7
_GEOMETRY = 6
_RARE = [CHANNELS.index(name) for name in ("middle", "mask", "crossing")]


class Finder(Segmenter):
    """(n, 3, h, w) float32 BGR 0..255, sides multiples of 32 -> (n, 13, h / 4, w / 4) maps in the order of CHANNELS."""

    def __init__(self, widths: tuple[int, int, int, int, int] = (16, 32, 56, 88, 128)) -> None:
        """``widths`` are the channels at strides 2, 4, 8, 16 and 32."""
        super().__init__(widths)
        self.head = nn.Conv2d(widths[1], _LOGITS, 1)
        self.geometry = nn.Sequential(
            conv(widths[2], 64), Residual(64), nn.Conv2d(64, 4 * (_GEOMETRY + 1), 1), nn.PixelShuffle(2)
        )
        with torch.no_grad():
            cast(torch.Tensor, self.head.bias)[_RARE] = -2.0


def load_what_fits(network: nn.Module, checkpoint: Path) -> list[str]:
    """Take over every weight of ``checkpoint`` that has the name and the shape of one here; return the others here."""
    theirs: dict[str, torch.Tensor] = torch.load(checkpoint, weights_only=True)["weights"]
    mine = network.state_dict()
    fitting = {k: v for k, v in theirs.items() if k in mine and mine[k].shape == v.shape}
    network.load_state_dict(fitting, strict=False)
    return [name for name in mine if name not in fitting]
