"""Make confidence mean what it says: fit the logistic of decode's log-odds on photos that were not trained on.

    python -m models.training.calibrate LABELS... --reader models/reader --segmenter models/segmenter

Writes ``temperature`` and ``bias`` into the reader's ``config.json`` (Platt 1999). ``LABELS`` are labels.jsonl files of
scenes rendered with a seed of their own, or of photos.
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
from vision.geometry import quad_iou
from vision.measure import Label, read_labels
from vision.reader import Reader
from vision.segment import Segmenter
from vision.types import Frame, Quad

__all__ = ["collect", "fit", "main"]

Floats = npt.NDArray[np.float64]
_FOUND = 0.5


def _judged(frame: Frame, label: Label) -> list[tuple[float, bool]]:
    """(confidence, right) of every reading that lies on a labelled piece."""
    out = []
    for piece in label.pieces:
        if piece.ignore:
            continue
        shares = [(quad_iou(reading.quad, Quad(np.asarray(piece.quad, np.float32))), reading) for reading in frame]
        best = max(shares, key=lambda pair: pair[0], default=None)
        if best is not None and best[0] >= _FOUND:
            out.append((best[1].confidence, best[1].name == piece.name))
    return out


def collect(reader: Reader, labels: Sequence[Path]) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Return the (n,) log-odds that ``reader`` gives to names, and whether each was right."""
    raw = Reader(reader.segmenter, reader.classifier, replace(reader.config, temperature=1.0, bias=0.0))
    pairs = [
        pair
        for path in labels
        for label in track(read_labels(path), path.parent.name)
        for pair in _judged(raw.read((path.parent / label.file).read_bytes()), label)
    ]
    confidence = np.clip(np.array([c for c, _ in pairs], np.float64), 1e-6, 1 - 1e-6)
    return np.log(confidence / (1 - confidence)), np.array([right for _, right in pairs], np.bool_)


def fit(odds: Floats, right: npt.NDArray[np.bool_]) -> tuple[float, float]:
    """Return (temperature, bias) of the logistic that best tells right from wrong."""
    model = LogisticRegression(C=10.0).fit(odds[:, None], right)
    return float(model.coef_[0, 0]), float(model.intercept_[0])


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m models.training.calibrate", description=__doc__.splitlines()[0])
    parser.add_argument("labels", type=Path, nargs="+")
    parser.add_argument("--segmenter", type=Path, required=True)
    parser.add_argument("--reader", type=Path, required=True)
    options = parser.parse_args(arguments)
    reader = Reader(Segmenter.open(options.segmenter), Classifier.open(options.reader))
    odds, right = collect(reader, options.labels)
    if right.all() or not right.any():
        parser.error(
            f"of {len(right)} pieces found {right.sum()} are named rightly: nothing to tell right from wrong by"
        )
    temperature, bias = fit(odds, right)
    path = options.reader / "config.json"
    config = {**json.loads(path.read_text()), "temperature": round(temperature, 4), "bias": round(bias, 4)}
    path.write_text(json.dumps(config, indent=2) + "\n")
    print(f"{len(right)} pieces, {right.mean():.4f} right: temperature {temperature:.3f}, bias {bias:.3f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
