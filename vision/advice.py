"""What people can do where a camera sees nothing, or little that can be trusted.

Darkness and hands are what the scene says already. Else the doubts of what is read tell, and where too little is read,
the picture itself: how much of it is blown out, and how sharp it is.
Convention: pictures are (height, width, 3) uint8 BGR, small pictures (rows, columns, 3) float32 BGR.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.tracks import Advice, Scene, Track
from vision.types import Doubt, Image, Reading

__all__ = ["AdviceConfig", "Adviser", "advice_of", "is_blurred", "light_of"]

Small = npt.NDArray[np.float32]
_BY_SCENE = {Scene.DARK: Advice.TOO_DARK, Scene.HANDS: Advice.HANDS}
_BY_DOUBT = {
    Doubt.GLARE: Advice.GLARE,
    Doubt.OVEREXPOSED: Advice.TOO_BRIGHT,
    Doubt.TOO_SMALL: Advice.MOVE_CLOSER,
    Doubt.CUT_OFF: Advice.MOVE_BACK,
}
_NOT_SEEN = (*_BY_DOUBT, Doubt.LOW_CONFIDENCE)
"""Doubts that a better picture would settle."""


@dataclass(frozen=True)
class AdviceConfig:
    """All is well where ``few`` pieces or more are seen, and less than the share ``doubtful`` of them is in doubt.

    A cell of a small picture is blown out when two channels are at ``white`` or more; with the share ``glaring`` of
    such cells it is too bright, but one spot with the part ``spot`` of them, and less than ``flooded`` of the picture,
    is glare. A picture of ``wide`` pixels is blurred when its Laplacian varies by less than ``sharp`` of what it does
    itself, unless that is less than ``plain`` levels. Pieces with short sides of less than ``small`` pixels are hard to
    read. What has not lasted for ``patience`` seconds is not said.
    """

    few: int = 3
    doubtful: float = 0.3
    white: float = 250.0
    glaring: float = 0.05
    spot: float = 0.6
    flooded: float = 0.5
    wide: int = 640
    sharp: float = 0.1
    plain: float = 2.0
    small: float = 24.0
    patience: float = 0.6


def advice_of(scene: Scene, tracks: Sequence[Track], image: Image, small: Small, config: AdviceConfig) -> Advice | None:
    """Return what would help; None where all is well, or nothing is known to. ``small`` is the ``image`` in cells.

    Pieces that are far too small are not found, so they are told as none: no picture of them is known from a pattern.
    """
    if scene in _BY_SCENE:
        return _BY_SCENE[scene]
    seen = [track.reading for track in tracks if not track.hidden]
    doubts = Counter(reading.doubt for reading in seen if reading.doubt in _NOT_SEEN)
    if len(seen) >= config.few and doubts.total() < config.doubtful * len(seen):
        return None
    usual = doubts.most_common(1)[0][0] if doubts else None
    if usual is Doubt.CUT_OFF or usual is Doubt.TOO_SMALL:
        return _BY_DOUBT[usual]
    if (light := light_of(small, config)) is not None:
        return light
    if scene is Scene.MOVING and not seen:
        return Advice.HOLD_STILL
    if usual in _BY_DOUBT:
        return _BY_DOUBT[usual]
    if is_blurred(image, config):
        return Advice.BLURRED
    if not seen:
        return Advice.NO_PIECES
    return Advice.MOVE_CLOSER if doubts and _are_small(seen, config) else None


def light_of(small: Small, config: AdviceConfig) -> Advice | None:
    """Return whether a small picture is too bright, or has glare in one spot; else None."""
    white = np.asarray((small >= config.white).sum(axis=2) >= 2, np.uint8)
    share = float(white.mean())
    if share < config.glaring:
        return None
    areas = cv2.connectedComponentsWithStats(white, connectivity=8)[2][1:, cv2.CC_STAT_AREA]
    is_spot = share < config.flooded and float(areas.max()) >= config.spot * float(white.sum())
    return Advice.GLARE if is_spot else Advice.TOO_BRIGHT


def is_blurred(image: Image, config: AdviceConfig) -> bool:
    """Return whether a picture has contrast, but no sharp edge."""
    scale = min(1.0, config.wide / image.shape[1])
    grey = cv2.cvtColor(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    contrast, edges = (float(cv2.meanStdDev(one)[1][0, 0]) for one in (grey, cv2.Laplacian(grey, cv2.CV_16S)))
    return contrast >= config.plain and edges < config.sharp * contrast


def _are_small(seen: Sequence[Reading], config: AdviceConfig) -> bool:
    sides = [min(reading.quad.short_side, reading.quad.long_side) for reading in seen]
    return float(np.median(sides)) < config.small


class Adviser:
    """Says nothing that is over in a moment: pieces take a few looks to be read, and hands come and go."""

    def __init__(self, config: AdviceConfig | None = None) -> None:
        """Begin without anything to say."""
        self.config = config or AdviceConfig()
        self._reason: Advice | None = None
        self._told: Advice | None = None
        self._since = 0.0
        self._well: float | None = None

    def of(self, advice: Advice | None, time: float) -> Advice | None:
        """Return what is said at ``time`` seconds: the ``advice`` of this picture, or one just before."""
        if advice is None or self._well is None:
            self._well = time
        if advice is not self._reason:
            self._reason, self._since = advice, time
        lasting = self._since if self._told is not None else self._well
        if advice is None or time - lasting >= self.config.patience:
            self._told = advice
        return self._told
