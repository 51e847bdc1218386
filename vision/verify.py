"""Which of the pieces found stand: sure enough, and not made up from parts of surer ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.classify import Evidence
from vision.types import Quad

__all__ = ["VerifyConfig", "covered_share", "standing", "sureness"]


@dataclass(frozen=True)
class VerifyConfig:
    """``keep``: the least sureness of a piece; ``covered``: the most of a piece that surer ones may share.

    Cards that overlap share a part; a quad between two cards consists of nothing but parts of them.
    """

    keep: float = 0.7
    covered: float = 0.55


def sureness(evidence: Evidence) -> float:
    """Return 0..1: how much both networks believe that this is a whole readable piece."""
    return float((evidence.readable * evidence.detection.score) ** 0.5)


def covered_share(quad: Quad, others: Sequence[Quad]) -> float:
    """Return the share of ``quad`` that lies on ``others``, those that lie on each other counted once for each."""
    hull = cv2.convexHull(quad.corners)
    area = max(float(cv2.contourArea(hull)), 1e-6)
    low, high = quad.corners.min(axis=0), quad.corners.max(axis=0)
    corners = np.array([other.corners for other in others]).reshape(-1, 4, 2)
    near = ((corners.min(axis=1) < high) & (corners.max(axis=1) > low)).all(axis=1)
    return sum(float(cv2.intersectConvexConvex(hull, cv2.convexHull(other))[0]) for other in corners[near]) / area


def standing(found: Sequence[Evidence], config: VerifyConfig | None = None) -> list[Evidence]:
    """Return the pieces that stand, the surest first."""
    config = VerifyConfig() if config is None else config
    kept: list[Evidence] = []
    for evidence in sorted(found, key=lambda e: -sureness(e)):
        if sureness(evidence) < config.keep:
            break
        if covered_share(evidence.detection.quad, [other.detection.quad for other in kept]) <= config.covered:
            kept.append(evidence)
    return kept
