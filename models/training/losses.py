"""The losses that the segmenter and the finder share. Maps are (n, rows, columns) float tensors."""

from __future__ import annotations

import torch
from torch.nn import functional

__all__ = ["geometry_loss", "heat_loss", "kind_loss", "mask_losses", "nearness"]


def nearness(kind: torch.Tensor, middle: torch.Tensor) -> torch.Tensor:
    """Return what each cell counts in the losses of a piece: more near its middle, nothing at its border."""
    return (kind >= 0).float() * (middle > 0.15) * middle


def heat_loss(logits: torch.Tensor, heat: torch.Tensor, weight: torch.Tensor, emphasis: float) -> torch.Tensor:
    """Return the cross-entropy of ``heat`` in 0..1; a cell with heat 1 counts 1 + ``emphasis`` times."""
    losses = functional.binary_cross_entropy_with_logits(logits, heat, reduction="none")
    counts = weight * (1 + emphasis * heat)
    return (losses * counts).sum() / counts.sum().clamp(min=1)


def mask_losses(logits: torch.Tensor, mask: torch.Tensor, weight: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the cross-entropy of a 0/1 ``mask`` and its Dice loss (Milletari et al. 2016)."""
    entropy = functional.binary_cross_entropy_with_logits(logits, mask, weight=weight)
    probability = torch.sigmoid(logits) * weight
    dice = 1 - (2 * (probability * mask).sum() + 1) / (probability.sum() + (mask * weight).sum() + 1)
    return entropy, dice


def kind_loss(logits: torch.Tensor, kind: torch.Tensor, worth: torch.Tensor) -> torch.Tensor:
    """Return the cross-entropy of (n, kinds, rows, columns) ``logits`` weighed by ``worth``, -1 counting nothing."""
    losses = functional.cross_entropy(logits, kind, ignore_index=-1, reduction="none")
    return (losses * worth).sum() / worth.sum().clamp(min=1)


def geometry_loss(values: torch.Tensor, truth: torch.Tensor, size: torch.Tensor, near: torch.Tensor) -> torch.Tensor:
    """Return the mean error of (n, k, rows, columns) ``values``, summed over k, in shares of the piece's ``size``."""
    error = (values - truth).abs().sum(1) / size
    return (error * near).sum() / near.sum().clamp(min=1)
