"""Square pieces as a centre and two half axes, free of the question which of the four sides is up.

A piece is centre c and half axes u (towards the side TR-BR) and v (towards the side BR-BL): its corners are c - u - v,
c + u - v, c + u + v, c - u + v. As complex numbers, a quarter turn of the piece makes u into v and v into -u, so only
the unordered pair {u^2, v^2} is the same for all four ways to name the corners. Its symmetric functions
s = u^2 + v^2 and p = u^2 v^2 have no jump anywhere: a network can learn them, each scaled to a length in pixels. The
pair comes back as the two roots of z^2 - s z + p. What perspective adds to a parallelogram is not kept.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["decode_square", "encode_square"]

Floats = npt.NDArray[np.float32]
_Complex = npt.NDArray[np.complex128]
_LEAST = 1e-6


def _complex(vectors: npt.NDArray[np.float64]) -> _Complex:
    return np.asarray(vectors[..., 0] + 1j * vectors[..., 1], np.complex128)


def _pairs(*numbers: _Complex) -> Floats:
    return np.asarray(np.stack([part for z in numbers for part in (z.real, z.imag)], -1), np.float32)


def encode_square(corners: Floats) -> Floats:
    """Return (..., 6) float32 of (..., 4, 2) clockwise corners: centre, s / m, p / m^3 as x and y, all in pixels.

    m is the geometric mean of the two half axes' lengths. Any of the four corners may be the first.
    """
    tl, tr, br, bl = (_complex(corners[..., index, :].astype(np.float64)) for index in range(4))
    across, along = ((tr + br - tl - bl) / 4) ** 2, ((br + bl - tl - tr) / 4) ** 2
    mean = np.maximum(np.abs(across * along) ** 0.25, _LEAST)
    return _pairs((tl + tr + br + bl) / 4, (across + along) / mean, across * along / mean**3)


def decode_square(values: Floats) -> Floats:
    """Return (..., 4, 2) float32 corners, clockwise in the image, of (..., 6) values of :func:`encode_square`.

    The first corner is the one towards the top left, or near it: which one is the piece's own must be read off it.
    """
    centre, total, product = (_complex(values[..., at : at + 2].astype(np.float64)) for at in (0, 2, 4))
    mean = np.maximum(np.abs(product), _LEAST)
    total, product = total * mean, product * mean**3
    root = np.sqrt(total**2 - 4 * product)
    one, other = np.sqrt((total + root) / 2), np.sqrt((total - root) / 2)
    level = one.real >= other.real
    across, along = np.where(level, one, other), np.where(level, other, one)
    along = np.where((np.conj(across) * along).imag < 0, -along, along)
    corners = [centre - across - along, centre + across - along, centre + across + along, centre - across + along]
    together = np.stack(corners, -1)
    return np.asarray(np.stack([together.real, together.imag], -1), np.float32)
