"""Quads as a centre and two half axes, free of the question which end of a card is up.

A quad is centre c, half axis u across (towards the side TR-BR), half axis v along (towards the side BR-BL) and a twist
t: the corners TL TR BR BL are c - u - v + t, c + u - v - t, c + u + v + t, c - u + v - t. Turning the piece by 180
degrees changes the signs of u and v and nothing else. So u and v are written with their angle doubled (the square of a
complex number divided by its length), which has no jump anywhere: a network can learn it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["decode_axes", "encode_axes"]

Floats = npt.NDArray[np.float32]


def _doubled(vector: Floats) -> Floats:
    length = np.maximum(np.hypot(vector[..., 0], vector[..., 1]), 1e-6)
    x, y = vector[..., 0], vector[..., 1]
    return np.asarray(np.stack([(x * x - y * y) / length, 2 * x * y / length], -1), np.float32)


def _halved(vector: Floats) -> Floats:
    length = np.hypot(vector[..., 0], vector[..., 1])
    angle = np.arctan2(vector[..., 1], vector[..., 0]) / 2
    return np.asarray(np.stack([length * np.cos(angle), length * np.sin(angle)], -1), np.float32)


def encode_axes(corners: Floats) -> Floats:
    """Return (..., 8) float32 centre, doubled u, doubled v, twist of (..., 4, 2) corners TL TR BR BL."""
    tl, tr, br, bl = (corners[..., index, :] for index in range(4))
    centre = (tl + tr + br + bl) / 4
    across = np.asarray((tr + br - tl - bl) / 4, np.float32)
    along = np.asarray((br + bl - tl - tr) / 4, np.float32)
    twist = (tl - tr + br - bl) / 4
    return np.asarray(np.concatenate([centre, _doubled(across), _doubled(along), twist], -1), np.float32)


def decode_axes(values: Floats) -> Floats:
    """Return (..., 4, 2) float32 corners TL TR BR BL, clockwise in the image, of (..., 8) encoded axes."""
    centre, across, along, twist = (
        values[..., 0:2],
        _halved(values[..., 2:4]),
        _halved(values[..., 4:6]),
        values[..., 6:8],
    )
    clockwise = across[..., 0] * along[..., 1] - across[..., 1] * along[..., 0]
    along = np.where(clockwise[..., None] < 0, -along, along)
    corners = [centre - across - along + twist, centre + across - along - twist]
    corners += [centre + across + along + twist, centre - across + along - twist]
    return np.stack(corners, -2).astype(np.float32)
