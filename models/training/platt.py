"""Confidence that means what it says: the logistic of log-odds (Platt 1999) that best tells right from wrong names."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from sklearn.linear_model import LogisticRegression

__all__ = ["CalibrationError", "Logistic", "OneSidedError", "fit", "log_odds", "settle", "threshold"]

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
_DIGITS = 4
_LEAST = 1e-6


class CalibrationError(Exception):
    """The family of all that keeps a confidence from being calibrated."""


class OneSidedError(CalibrationError, ValueError):
    """There are no wrong names, or no right ones, to tell from the others."""

    def __init__(self, pieces: int, right: int) -> None:
        """Keep how many ``pieces`` were found and how many of them were ``right``."""
        super().__init__(f"of {pieces} pieces found {right} are named rightly: nothing to tell right from wrong by")


@dataclass(frozen=True)
class Logistic:
    """What (n, k) log-odds say together: ``weights`` has one number for each of the k, ``bias`` is added."""

    weights: tuple[float, ...]
    bias: float

    def __call__(self, odds: Floats) -> Floats:
        """Return (n,) confidences in 0..1 for (n, k) log-odds."""
        return np.asarray(1 / (1 + np.exp(-(odds @ self.weights + self.bias))), np.float64)


def log_odds(confidence: npt.ArrayLike) -> Floats:
    """Return the natural log-odds of confidences in 0..1, finite at both ends."""
    within = np.clip(np.asarray(confidence, np.float64), _LEAST, 1 - _LEAST)
    return np.asarray(np.log(within / (1 - within)), np.float64)


def fit(odds: Floats, right: Bools) -> Logistic:
    """Return the logistic of the (n, k) ``odds`` that best tells ``right`` from wrong.

    A weight below 0 would make a surer look a reason to doubt: then the one of most weight stands alone.

    :raises OneSidedError: all are right, or none.
    """
    if right.all() or not right.any():
        raise OneSidedError(len(right), int(right.sum()))
    model = LogisticRegression(C=10.0).fit(odds, right)
    weights = model.coef_[0]
    if weights.min() < 0 and len(weights) > 1:
        best = int(weights.argmax())
        model = LogisticRegression(C=10.0).fit(odds[:, [best]], right)
        weights = np.eye(len(weights))[best] * model.coef_[0, 0]
    return Logistic(tuple(float(weight) for weight in weights), float(model.intercept_[0]))


def threshold(confidence: Floats, right: Bools, most: float) -> float:
    """Return the (n,) confidence below which no more than the share ``most`` of the right ones lie."""
    return float(np.quantile(confidence[right], most, method="lower"))


def settle(folder: Path, numbers: Mapping[str, float], confidence: Floats, right: Bools, most: float) -> str:
    """Write ``numbers`` and ``doubt`` into the ``config.json`` of a model's ``folder``; return a sentence about them.

    ``doubt`` leaves all but the share ``most`` of the (n,) ``right`` ones alone, which have the (n,) ``confidence``.
    """
    doubt = threshold(confidence, right, most)
    rounded = {name: round(value, _DIGITS) for name, value in {**numbers, "doubt": doubt}.items()}
    path = folder / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **rounded}, indent=2) + "\n")
    caught = float((confidence[~right] < doubt).mean())
    return f"{len(right)} pieces, {right.mean():.4f} right: {rounded}; in doubt {caught:.2f} of the wrong ones"
