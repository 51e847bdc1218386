"""Make confidence mean what it says: fit the logistic of decode's log-odds on photos that were not trained on.

    python -m models.training.calibrate LABELS... --reader models/reader --segmenter models/segmenter

Writes ``whole``, ``least``, ``bias`` (Platt 1999, on two log-odds) and ``doubt``, the confidence below which a reading
is in doubt, into the reader's ``config.json``. ``LABELS`` are labels.jsonl files of scenes rendered with a seed of
their own, or of photos.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
from rich.progress import track
from sklearn.linear_model import LogisticRegression

from vision.classify import Classifier
from vision.measure import Prediction, names_right, read_labels
from vision.reader import Reader
from vision.segment import Segmenter

__all__ = ["collect", "fit", "main", "threshold"]

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
_MOST = 0.08
"""Share of the rightly named pieces that may be in doubt: scenes are harder than photos, where it is a tenth."""


def collect(reader: Reader, labels: Sequence[Path]) -> tuple[Floats, Bools]:
    """Return the (n, 2) log-odds that ``reader`` gives to names, whole and least, and whether each was right."""
    pure = [replace(reader.config, whole=1.0 - least, least=least, bias=0.0) for least in (0.0, 1.0)]
    readers = [Reader(reader.segmenter, reader.classifier, config) for config in pure]
    odds, right = [], []
    for path in labels:
        for label in track(read_labels(path), path.parent.name):
            data = (path.parent / label.file).read_bytes()
            frames = [one.read(data) for one in readers]
            for place, truth in names_right(label, [Prediction.of(reading) for reading in frames[0]]).items():
                odds.append([frame.readings[place].confidence for frame in frames])
                right.append(truth)
    confidence = np.clip(np.array(odds, np.float64).reshape(-1, 2), 1e-6, 1 - 1e-6)
    return np.log(confidence / (1 - confidence)), np.array(right, np.bool_)


def fit(odds: Floats, right: Bools) -> tuple[float, float, float]:
    """Return the weights of the (n, 2) ``odds`` and the bias of the logistic that best tells right from wrong.

    A weight below 0 would make a surer look a reason to doubt: the other log-odds then stand alone.
    """
    model = LogisticRegression(C=10.0).fit(odds, right)
    weights = model.coef_[0]
    if weights.min() >= 0:
        return float(weights[0]), float(weights[1]), float(model.intercept_[0])
    best = int(weights.argmax())
    model = LogisticRegression(C=10.0).fit(odds[:, [best]], right)
    weights = np.eye(2)[best] * model.coef_[0, 0]
    return float(weights[0]), float(weights[1]), float(model.intercept_[0])


def threshold(confidence: Floats, right: Bools, most: float = _MOST) -> float:
    """Return the (n,) confidence below which no more than the share ``most`` of the right ones lie."""
    return float(np.quantile(confidence[right], most, method="lower"))


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m models.training.calibrate", description=__doc__.splitlines()[0])
    parser.add_argument("labels", type=Path, nargs="+")
    parser.add_argument("--segmenter", type=Path, required=True)
    parser.add_argument("--reader", type=Path, required=True)
    parser.add_argument("--most", type=float, default=_MOST, help="share of the right names that may be in doubt")
    options = parser.parse_args(arguments)
    reader = Reader(Segmenter.open(options.segmenter), Classifier.open(options.reader))
    odds, right = collect(reader, options.labels)
    if right.all() or not right.any():
        parser.error(
            f"of {len(right)} pieces found {right.sum()} are named rightly: nothing to tell right from wrong by"
        )
    whole, least, bias = fit(odds, right)
    confidence = 1 / (1 + np.exp(-(odds @ [whole, least] + bias)))
    doubt = threshold(confidence, right, options.most)
    numbers = {"whole": whole, "least": least, "bias": bias, "doubt": doubt}
    path = options.reader / "config.json"
    config = {**json.loads(path.read_text()), **{name: round(value, 4) for name, value in numbers.items()}}
    path.write_text(json.dumps(config, indent=2) + "\n")
    caught = float((confidence[~right] < doubt).mean())
    print(f"{len(right)} pieces, {right.mean():.4f} right: {numbers}; in doubt {caught:.2f} of the wrong ones")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
