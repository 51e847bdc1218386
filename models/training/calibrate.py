"""Make confidence mean what it says: fit the logistic of decode's log-odds on photos that were not trained on.

    python -m models.training.calibrate LABELS... --reader models/reader --segmenter models/segmenter

Writes ``whole``, ``least``, ``bias`` (Platt 1999, on two log-odds) and ``doubt``, the confidence below which a reading
is in doubt, into the reader's ``config.json``. ``LABELS`` are labels.jsonl files of scenes rendered with a seed of
their own, or of photos.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
from rich.progress import track

from models.training.platt import OneSidedError, fit, log_odds, settle
from vision.classify import Classifier
from vision.measure import Prediction, names_right, read_labels
from vision.reader import Reader
from vision.segment import Segmenter

__all__ = ["collect", "main"]

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
    return log_odds(np.array(odds, np.float64).reshape(-1, 2)), np.array(right, np.bool_)


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
    try:
        logistic = fit(odds, right)
    except OneSidedError as error:
        parser.error(str(error))
    whole, least = logistic.weights
    numbers = {"whole": whole, "least": least, "bias": logistic.bias}
    print(settle(options.reader, numbers, logistic(odds), right, options.most))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
