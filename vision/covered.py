"""Which spaces of a board of Junior are covered by a tile that shows the same picture as the space.

The paper of a space and the board just outside its edges look as on the photo of the empty board where nothing lies,
but for the light, which the board round the squares measures in both pictures. A tile changes the paper a little, casts
a shadow and shows its sides. The face reader's own opinion of each, ``raised``, is added as evidence.

Convention: 27 spaces in the order (square, row, column). Images are (height, width, 3) uint8 in BGR order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import homography
from vision.types import Image, Quad, VisionError

__all__ = ["CoveredConfig", "CoveredError", "covered_against_empty", "features_against_empty"]

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

_SIDE = 40
_BLOCK = 24
_LIGHT = np.log(((np.arange(256) + 2.0) / 257.0) ** 2.2)
"""Logarithm of the light of a pixel, taken to follow a power of 2.2."""


class CoveredError(VisionError, ValueError):
    """Another number of spaces than a board of Junior has."""

    def __init__(self, *actual: int) -> None:
        """Keep the ``actual`` numbers beside the expected one."""
        super().__init__(f"a board of Junior has 27 spaces; got {actual!r}")


@dataclass(frozen=True)
class CoveredConfig:
    """How spaces are compared.

    A space is cut out with ``margin`` of its side round it; ``strip`` is the width of the strips outside its edges that
    are compared, ``ring`` the range of distances from a square, in sides, in which the board is measured. ``reach``
    says how far, in sides, a measurement of the board counts. ``raised`` bounds the log-odds of the face reader; where
    it was asked of the empty board too, the part ``relative`` of what it says there, and of half the ``step`` from
    bare spaces to covered ones, is taken off.

    ``weights`` and ``bias`` make log-odds of what differs from the spaces taken for bare: paper brighter, contrast of
    the print, darkest strip, difference of the strips, their mean change, print moved (tenths of a side); ``most`` at
    most each. ``alike`` is the range in which two prints are alike enough to say how far they moved.

    Then two kinds of spaces are fitted ``rounds`` times, each with the same light across the board: ``steps`` and
    ``step_errors`` say how covered ones are expected to differ (paper, print, four strips), ``errors`` how much spaces
    of a kind differ, as if ``spaces_before`` had been seen, and ``slope`` how much the light changes over four sides.
    ``first`` and ``second`` weigh the two; ``freedom`` is that of a distribution of Student.
    """

    margin: float = 0.14
    strip: float = 0.09
    ring: tuple[float, float] = (0.05, 0.22)
    reach: float = 1.0
    raised: float = 3.0
    relative: float = 0.7
    step: float = 2.5
    weights: tuple[float, ...] = (2.5, 0.0, -1.2, 0.7, 0.4, 4.4)
    bias: float = -3.2
    most: float = 1.5
    alike: tuple[float, float] = (0.4, 0.7)
    rounds: int = 6
    steps: tuple[float, ...] = (0.3, 0.0, -0.1, -0.1, -0.1, -0.1)
    step_errors: tuple[float, ...] = (0.25, 0.3, 0.3, 0.3, 0.3, 0.3)
    errors: tuple[float, ...] = (0.07, 0.15, 0.12, 0.12, 0.12, 0.12)
    spaces_before: float = 4.0
    slope: float = 0.25
    first: float = 0.35
    second: float = 0.35
    freedom: float = 3.0


def covered_against_empty(
    image: Image,
    spaces: Sequence[Quad | None],
    empty: Image,
    empty_spaces: Sequence[Quad | None],
    raised: Sequence[float],
    bare: Sequence[float] = (),
    config: CoveredConfig | None = None,
) -> Floats:
    """Return how likely a tile lies on each space of ``image``, (27,) in 0..1, given a photo of the ``empty`` board.

    ``spaces`` and ``empty_spaces`` are the 27 spaces in either picture, from their own top left; None for one not seen.
    ``raised`` is the face reader's opinion of each in 0..1, 0.5 for none, and ``bare``, if given, its opinion of each
    space of the empty board, against which the first is measured. The opinion alone decides where a space is not
    wholly in both pictures.

    :raises CoveredError: there are not 27 of each.
    """
    chosen = config or CoveredConfig()
    if {len(spaces), len(empty_spaces), len(raised), len(bare) or 27} != {27}:
        raise CoveredError(len(spaces), len(empty_spaces), len(raised), *([len(bare)] if len(bare) else []))
    opinion = _opinion(raised, bare, chosen)
    squares = [first for first in (0, 9, 18) if _both(spaces, empty_spaces, first)]
    if not squares:
        return _chance(opinion)
    numbers = np.concatenate([np.arange(first, first + 9) for first in squares])
    now, then = ([quad for at in numbers.tolist() if (quad := one[at]) is not None] for one in (spaces, empty_spaces))
    changes = features_against_empty(image, now, empty, then, chosen)
    seen = _wholly(now, image) & _wholly(then, empty)
    middles = np.stack([quad.centre for quad in now]) / (4 * np.mean([quad.short_side for quad in now]))
    opinion[numbers[seen]] = _weighed(changes[seen], opinion[numbers[seen]], middles[seen], chosen)
    return _chance(opinion)


def _opinion(raised: Sequence[float], bare: Sequence[float], config: CoveredConfig) -> Floats:
    """The log-odds of the face reader, moved by what it usually says of a space with no tile on it."""
    now = _log_odds(raised)
    if len(bare):
        usual = float(np.median(_log_odds(bare)))
        now = now - config.relative * (usual + config.step)
    return np.asarray(np.clip(now, -config.raised, config.raised), np.float64)


def _log_odds(chances: Sequence[float]) -> Floats:
    bounded = np.clip(np.asarray(chances, np.float64), 1e-3, 1 - 1e-3)
    return np.asarray(np.log(bounded / (1 - bounded)), np.float64)


def _both(spaces: Sequence[Quad | None], empty_spaces: Sequence[Quad | None], first: int) -> bool:
    nine = slice(first, first + 9)
    return all(quad is not None for quad in (*spaces[nine], *empty_spaces[nine]))


def _wholly(quads: Sequence[Quad], image: Image) -> Flags:
    """Which quads lie in the image, give or take two pixels."""
    corners = np.stack([quad.corners for quad in quads])
    return np.asarray(((corners > -2) & (corners < np.array(image.shape[1::-1]) + 1)).all(axis=(1, 2)))


def _chance(log_odds: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-log_odds)), np.float64)


def _weighed(changes: Floats, opinion: Floats, middles: Floats, config: CoveredConfig) -> Floats:
    """The log-odds (n,) that spaces at ``middles`` (n, 2) are covered, after their ``changes`` (n, 11)."""
    if not len(changes):
        return opinion
    log_odds = opinion
    plain = np.zeros(len(changes))
    for _ in range(3):
        plain = _plain(changes, 1 - _chance(log_odds), config)
        log_odds = opinion + plain
    looks = np.column_stack([changes[:, :3].mean(axis=1), changes[:, 3], changes[:, 4:8]])
    across = np.column_stack([np.ones(len(looks)), middles - middles.mean(axis=0)])
    for _ in range(config.rounds):
        covered = np.clip(_chance(log_odds), 0.02, 0.98)
        kinds = sum(_two_kinds(look, across, covered, number, config) for number, look in enumerate(looks.T))
        log_odds = opinion + config.first * plain + config.second * kinds
    return log_odds


def _plain(changes: Floats, bare: Floats, config: CoveredConfig) -> Floats:
    """The log-odds from how far each space is from those that are likely ``bare`` (n,)."""
    weights = (bare**2 + 0.02)[:, None]
    apart = changes - (weights * changes).sum(axis=0) / (weights.sum() + 0.3)
    strips = np.sort(apart[:, 4:8], axis=1)
    low, high = config.alike
    moved = 10 * np.minimum(np.linalg.norm(apart[:, 8:10], axis=1), 0.1)
    columns = [
        apart[:, :3].mean(axis=1),
        np.abs(apart[:, 3]),
        strips[:, 0],
        strips[:, 3] - strips[:, 0],
        np.abs(strips).mean(axis=1),
        moved * np.clip((changes[:, 10] - low) / (high - low), 0, 1),
    ]
    bounded = np.clip(np.column_stack(columns), -config.most, config.most)
    return np.asarray(bounded @ np.array(config.weights) + config.bias, np.float64)


def _two_kinds(look: Floats, across: Floats, covered: Floats, number: int, config: CoveredConfig) -> Floats:
    """The log-odds (n,) from one of the ``looks``, when bare and covered spaces differ by one step."""
    many = len(look)
    design = np.vstack([np.column_stack([across, np.zeros(many)]), np.column_stack([across, np.ones(many)])])
    twice, weights = np.concatenate([look, look]), np.concatenate([1 - covered, covered])
    error = config.errors[number]
    ridge = error**2 / np.array([100.0, config.slope, config.slope, config.step_errors[number]]) ** 2
    expected = np.array([0, 0, 0, config.steps[number]])
    spread, counted = error**2, weights
    misses = np.zeros(2 * many)
    for bound in (3 * error, 3 * error):
        normal = design.T @ (design * counted[:, None]) + np.diag(ridge)
        misses = twice - design @ np.linalg.solve(normal, design.T @ (counted * twice) + ridge * expected)
        total = (weights * np.minimum(misses**2, bound**2)).sum() + config.spaces_before * error**2
        spread = total / (many + config.spaces_before)
        counted = weights / (1 + misses**2 / (3 * spread))
    unlikely = np.log1p(misses**2 / (config.freedom * spread))
    return np.asarray((config.freedom + 1) / 2 * (unlikely[:many] - unlikely[many:]), np.float64)


def features_against_empty(
    image: Image,
    spaces: Sequence[Quad],
    empty: Image,
    empty_spaces: Sequence[Quad],
    config: CoveredConfig | None = None,
) -> Floats:
    """Return what changed at each space of whole squares since the picture of the empty board, (n, 11).

    In ln units of light: the paper's B, G and R against the board round it, the contrast of the print, the strips
    outside the four edges. Then by how much the print moved, x and y in sides, and how alike it is, in 0..1.
    """
    chosen = config or CoveredConfig()
    now = np.stack([_cut(image, quad, _SIDE, chosen.margin) for quad in spaces])
    then = np.stack([_cut(empty, quad, _SIDE, chosen.margin) for quad in empty_spaces])
    changes = _looks(image, spaces, now, chosen) - _looks(empty, empty_spaces, then, chosen)
    return np.column_stack([changes, _shifts(now, then, chosen)])


def _shifts(now: Floats, then: Floats, config: CoveredConfig) -> Floats:
    """By how much the print of each space moved, in sides, and how alike it is, (n, 3)."""
    window = cv2.createHanningWindow((_SIDE, _SIDE), cv2.CV_64F)
    scale = (1 + 2 * config.margin) / _SIDE
    found = []
    for one, other in zip(now.mean(axis=3), then.mean(axis=3), strict=True):
        (x, y), alike = cv2.phaseCorrelate(other - other.mean(), one - one.mean(), window)
        found.append((x * scale, y * scale, alike))
    return np.array(found, np.float64)


def _looks(image: Image, spaces: Sequence[Quad], patches: Floats, config: CoveredConfig) -> Floats:
    """Paper, print and strips of each space against the board round it, (n, 8)."""
    board = np.concatenate([_board(image, spaces[at : at + 9], config) for at in range(0, len(spaces), 9)])
    inner = patches[:, *_inside(config)].reshape(len(spaces), -1, 3)
    grey = inner.mean(axis=2)
    bright = grey >= np.quantile(grey, 0.6, axis=1, keepdims=True)
    paper = (inner * bright[..., None]).sum(axis=1) / bright.sum(axis=1)[:, None]
    dark = np.quantile(grey, 0.04, axis=1) - paper.mean(axis=1)
    strips = np.stack([patches[:, *strip].mean(axis=(1, 2, 3)) for strip in _strips(config)], axis=1)
    return np.column_stack([paper - board, dark, strips - board.mean(axis=1, keepdims=True)])


def _cut(image: Image, quad: Quad, side: int, margin: float) -> Floats:
    """The quad with a margin of its sides round it, as the logarithm of its light, (side, side, 3)."""
    low, high = side * margin / (1 + 2 * margin) - 0.5, side * (1 + margin) / (1 + 2 * margin) - 0.5
    target = [[low, low], [high, low], [high, high], [low, high]]
    matrix = homography(quad.corners, target)
    cut = cv2.warpPerspective(image, matrix, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(_LIGHT[cut], np.float64)


def _inside(config: CoveredConfig) -> tuple[slice, slice]:
    edge = round(_SIDE * (config.margin + 0.08) / (1 + 2 * config.margin))
    return slice(edge, _SIDE - edge), slice(edge, _SIDE - edge)


def _strips(config: CoveredConfig) -> list[tuple[slice, slice]]:
    """The strips above, below, left and right of the space."""
    edge = _SIDE * config.margin / (1 + 2 * config.margin)
    outer, inner = round(edge * (1 - config.strip / config.margin)), round(edge * 0.9)
    along = slice(round(edge), _SIDE - round(edge))
    near, far = slice(outer, inner), slice(_SIDE - inner, _SIDE - outer)
    return [(near, along), (far, along), (along, near), (along, far)]


def _board(image: Image, spaces: Sequence[Quad], config: CoveredConfig) -> Floats:
    """The board's light round a square, as seen from each of its nine ``spaces``, (9, 3)."""
    corners = np.stack([spaces[number].corners[turn] for turn, number in enumerate((0, 2, 8, 6))])
    reach = 0.1
    side = 3 * _BLOCK
    block = _cut(image, Quad(corners), side, reach)
    scale = 3 * (1 + 2 * reach) / side
    place = (np.arange(side) + 0.5) * scale - 3 * reach
    beyond = np.maximum(np.maximum(-place, place - 3), 0)
    distance = np.maximum(beyond[:, None], beyond[None])
    ring = (distance > config.ring[0]) & (distance < config.ring[1])
    rows, columns = np.nonzero(ring)
    at = np.stack([place[rows], place[columns]], axis=1)
    middles = np.array([(row + 0.5, column + 0.5) for row in range(3) for column in range(3)])
    weights = np.exp(-((at[None] - middles[:, None]) ** 2).sum(axis=2) / (2 * config.reach**2))
    return np.asarray(weights @ block[rows, columns] / weights.sum(axis=1, keepdims=True), np.float64)
