"""Colours of one table decided together: the inks of a deck are at most three clusters of colour.

Each crop has its own paper as white (vision.pixels.balance), so the inks of one printed deck look alike across a table,
whatever the lamp. A card whose colour the reader is not sure of is compared with the others.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.pixels import CROP_SIZE, balance
from vision.types import Doubt, Image, Problem, Reading

__all__ = [
    "ColourConfig",
    "TintConfig",
    "has_one_tint",
    "ink_colour",
    "is_colourless",
    "together",
    "warm",
    "without_colours",
]

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]

_XYZ_OF_BGR = np.array(
    [[0.189829, 0.072169, 0.872733], [0.376219, 0.715160, 0.109478], [0.433953, 0.212671, 0.017758]], np.float32
)
"""From linear sRGB (blue, green, red) to CIE XYZ, of which white has 1 each."""

_MOST_ROUNDS = 200
_STILL = 1e-5
"""By less than this the mean log-likelihood of an ink still changes when the clusters are taken as found."""


@dataclass(frozen=True)
class ColourConfig:
    """``sure``: only colours below this probability are decided again; ``fewest``: pieces that make a table;
    ``ink``: share of a crop's pixels taken as ink, those that differ most from paper; ``weight``: how much the
    clusters count beside the reader; ``spread``: least standard deviation of a cluster, in units of Lab;
    ``grey``: ink that is less coloured than this, in units of :func:`ink_colour`, is grey. Of real tables the most
    coloured ink has 28 or more, of black-and-white and sepia pictures at most 1.5. ``apart``: the two nearest
    clusters must be this many standard deviations apart, or the inks say nothing (small cards, thin lines, webcams).
    """

    sure: float = 0.95
    fewest: int = 5
    ink: float = 0.06
    weight: float = 0.5
    spread: float = 5.0
    grey: float = 6.0
    apart: float = 4.5


@dataclass(frozen=True)
class TintConfig:
    """How black-and-white and sepia pictures are told, in levels of Cr and Cb of 256.

    ``pixels`` of the picture, and ``side`` squared of each crop, are looked at, by ``step`` levels of luma. What is
    coloured most in either, all but the share ``rest``, is off what its luma tells by ``along`` at most in the
    direction in which it is off most, and by ``across`` in the other. In the crops of pictures in colour ``across`` is
    9.4 or more, in those of sepia ones 5.8 or less.
    """

    pixels: int = 12_000
    side: int = 16
    step: int = 8
    rest: float = 0.02
    along: float = 18.0
    across: float = 7.5


def ink_colour(crop: Image, config: ColourConfig | None = None) -> Floats:
    """Return (2,) the a and b (CIE Lab) of the ink in a reader's crop, scaled to a common darkness.

    The ink is what differs most from paper inside the piece. Thin outlines are mixed with paper; dividing by how far
    the pixels are from paper makes them comparable with solid symbols.
    """
    config = ColourConfig() if config is None else config
    height, width = crop.shape[:2]
    inner = balance(crop)[height // 7 : -height // 7, width // 7 : -width // 7] / np.float32(255)
    lab = _lab(inner.reshape(-1, 3))
    paper = np.median(lab[lab[:, 0] >= np.median(lab[:, 0])], axis=0)
    away = lab - paper
    distance = np.sqrt((away**2).sum(axis=1))
    first = len(lab) - max(20, int(config.ink * len(lab)))
    ink = np.argpartition(distance, first)[first:]
    mean, reach = away[ink].mean(axis=0), float(distance[ink].mean())
    return np.asarray(60 * mean[1:] / max(reach, 5.0), np.float32)


def _lab(colours: Floats) -> Floats:
    """(n, 3) CIE Lab under daylight (D65) of sRGB ``colours`` (n, 3), BGR in 0..1.

    OpenCV knows this too, but takes a tenth of a second to make its tables.
    """
    linear = np.where(colours > 0.04045, cv2.pow((colours + 0.055) / 1.055, 2.4), colours / 12.92)
    light = linear @ _XYZ_OF_BGR
    x, y, z = np.where(light > 0.008856, cv2.pow(light, 1 / 3), 7.787 * light + 16 / 116).T
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=1)


def together(logs: Floats, inks: Floats, config: ColourConfig | None = None) -> Floats:
    """Return the (n, 3) log-probabilities of colours, the unsure ones decided by the clusters of the whole table.

    ``logs`` (n, 3) come from the reader, ``inks`` (n, 2) from :func:`ink_colour`. A mixture of as many Gaussians
    with one covariance as there are colours on the table is fitted, started from the reader's own opinion.
    """
    config = ColourConfig() if config is None else config
    unsure = np.exp(logs.max(axis=1)) < config.sure
    present = np.flatnonzero(np.exp(logs)[~unsure].sum(axis=0) >= 1.0)
    if len(logs) < config.fewest or not unsure.any() or len(present) < 2 or (~unsure).sum() < config.fewest - 1:
        return logs
    if not _stand_apart(logs, inks, ~unsure, config):
        return logs
    likelihood = _mixture(logs, inks, present, config)
    out = logs.copy()
    out[np.ix_(unsure, present)] += config.weight * likelihood[unsure]
    out -= np.log(np.exp(out - out.max(axis=1, keepdims=True)).sum(axis=1, keepdims=True)) + out.max(
        axis=1, keepdims=True
    )
    return np.asarray(out, np.float32)


def is_colourless(crops: Iterable[Image], config: ColourConfig | None = None) -> bool:
    """Return whether not one of the reader's ``crops`` shows coloured ink: the picture is black and white, or sepia."""
    config = ColourConfig() if config is None else config
    return all(float(np.linalg.norm(ink_colour(crop, config))) < config.grey for crop in crops)


def has_one_tint(image: Image, crops: Sequence[Image], config: TintConfig | None = None) -> bool:
    """Return whether the BGR ``image`` is black and white, or sepia: then luma tells the colour of every pixel.

    ``crops`` are BGR pictures of the pieces in it, whose inks are looked at. Unlike :func:`is_colourless` this takes no
    part of a crop for paper, for there may be none round the symbols of a die, and holds where white is clipped.
    """
    config = TintConfig() if config is None else config
    if not crops:
        return False
    apart = max(1, math.isqrt(image.shape[0] * image.shape[1] // config.pixels))
    shape = config.side, config.side
    pieces = np.concatenate([cv2.resize(crop, shape, interpolation=cv2.INTER_AREA).reshape(-1, 3) for crop in crops])
    off = _off_luma(np.concatenate([pieces, image[::apart, ::apart].reshape(-1, 3)]), config.step)
    return all(_has_one_tint(part, config) for part in np.split(off, [len(pieces)]))


def _has_one_tint(off: Doubles, config: TintConfig) -> bool:
    """Whether colours that are ``off`` (n, 2) what their luma tells are so by noise alone."""
    _, axes = np.linalg.eigh(off.T @ off)
    across, along = np.quantile(np.abs(off @ axes), 1 - config.rest, axis=0).tolist()
    return bool(across < config.across and along < config.along)


def without_colours(readings: Iterable[Reading]) -> tuple[tuple[Reading, ...], Problem]:
    """Return the readings of a picture that shows no colours, every one in doubt, and the problem that says why."""
    doubted = tuple(replace(reading, doubt=Doubt.NO_COLOUR) for reading in readings)
    text = "the photo shows no colours (black and white, or sepia?): take one in colour and in better light"
    return doubted, Problem("no-colours", tuple(range(len(doubted))), text)


def _off_luma(pixels: Image, step: int) -> Doubles:
    """(n, 2) how far the Cr and Cb of BGR ``pixels`` (n, 3) are from the mean of all that are as bright."""
    levels = cv2.cvtColor(pixels[:, None], cv2.COLOR_BGR2YCrCb)[:, 0]
    bins = levels[:, 0] // step
    many = np.maximum(np.bincount(bins), 1)
    means = [np.bincount(bins, levels[:, channel]) / many for channel in (1, 2)]
    return np.stack([levels[:, channel] - mean[bins] for channel, mean in zip((1, 2), means, strict=True)], axis=1)


def warm() -> None:
    """Let numpy load what it needs for this before the first photo rather than with it."""
    ink_colour(np.zeros((CROP_SIZE[1], CROP_SIZE[0], 3), np.uint8))


def _stand_apart(logs: Floats, inks: Floats, sure: npt.NDArray[np.bool_], config: ColourConfig) -> bool:
    """Whether the inks of the pieces whose colour is ``sure`` (n,) form clearly separate clusters."""
    colours = logs.argmax(axis=1)
    clusters = [inks[sure & (colours == colour)] for colour in range(logs.shape[1])]
    clusters = [cluster for cluster in clusters if len(cluster) >= 2]
    if len(clusters) < 2:
        return False
    middles = [cluster.mean(axis=0) for cluster in clusters]
    spread = float(np.sqrt(np.mean([cluster.var(axis=0).sum() for cluster in clusters])))
    nearest = min(float(np.linalg.norm(a - b)) for n, a in enumerate(middles) for b in middles[n + 1 :])
    return nearest > config.apart * spread


def _mixture(logs: Floats, inks: Floats, present: npt.NDArray[np.intp], config: ColourConfig) -> Floats:
    """(n, k) log-posterior of each colour that is present, from the clusters of ink alone.

    Expectation and maximisation in turn, begun with the reader's ``logs``, until the clusters hardly move.
    """
    points = inks.astype(np.float64)
    shares, before = np.exp(logs[:, present].astype(np.float64)), -np.inf
    for _ in range(_MOST_ROUNDS):
        joint = _log_joint(points, shares, config.spread)
        likelihood = np.logaddexp.reduce(joint, axis=1, keepdims=True)
        shares = np.exp(joint - likelihood)
        if abs(likelihood.mean() - before) < _STILL:
            break
        before = likelihood.mean()
    return np.asarray(np.log(np.maximum(shares, 1e-6)), np.float32)


def _log_joint(points: Doubles, shares: Doubles, spread: float) -> Doubles:
    """(n, k) log-density of ``points`` (n, 2) in each of the Gaussians that hold these ``shares`` (n, k) of them.

    All have one covariance, to which ``spread`` squared is added in every direction.
    """
    sizes = shares.sum(axis=0)
    away = points[:, None] - (shares.T @ points) / sizes[:, None]
    covariance = np.einsum("nk,nki,nkj->ij", shares, away, away) / sizes.sum() + spread**2 * np.eye(points.shape[1])
    distance = np.einsum("nki,ij,nkj->nk", away, np.linalg.inv(covariance), away)
    return np.asarray(np.log(sizes / sizes.sum()) - (distance + np.log(np.linalg.det(2 * np.pi * covariance))) / 2)
