"""Make the confidence of dice and tiles mean what it says: fit the logistic of their log-odds on unseen pictures.

    python -m models.training.calibrate_faces LABELS... --finder models/finder --faces models/faces

Writes ``whole`` and ``bias`` of names of symbols, ``wild_whole`` and ``wild_bias`` of the name "wild", and ``doubt``,
the confidence below which a reading is in doubt, into the face reader's ``config.json``. ``LABELS`` are labels.jsonl
files of pictures rendered with seeds of their own: boards, and scenes in which dice and tiles lie flat.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
from rich.progress import track

from models.training.platt import OneSidedError, fit, log_odds, settle
from vision.faces import FaceReader
from vision.finder import Finder
from vision.load import Limits, load
from vision.measure import Label, Prediction, names_right, read_labels
from vision.table import Asked, TableReader

__all__ = ["Named", "collect", "main"]

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
_MOST = 0.02
"""Share of the rightly named dice and tiles that may be in doubt."""
_WORDS_OF_A_CARD = 4


def _without_cards(path: Path) -> Iterator[Label]:
    """Yield the labels of pictures in which dice or tiles lie, without the cards there."""
    for label in read_labels(path):
        pieces = tuple(piece for piece in label.pieces if len(piece.name.split()) < _WORDS_OF_A_CARD)
        if pieces:
            yield replace(label, pieces=pieces)


@dataclass(frozen=True, eq=False)
class Named:
    """What was read of dice and tiles: (n, 1) log-odds of the names, and for each of the n whether it was named
    rightly, and whether it was named a Wild.
    """

    odds: Floats
    right: Bools
    wild: Bools


def collect(reader: TableReader, labels: Sequence[Path]) -> Named:
    """Return what ``reader`` says of the dice and tiles in labelled pictures, whatever its config makes of it."""
    names = replace(reader.config.names, whole=1.0, bias=0.0, wild_whole=1.0, wild_bias=0.0)
    pure = TableReader(reader.finder, reader.faces, replace(reader.config, names=names))
    found = []
    for path in labels:
        for label in track(list(_without_cards(path)), path.parent.name):
            frame = pure.read(load((path.parent / label.file).read_bytes(), Limits()), Asked())
            right = names_right(label, [Prediction.of(reading) for reading in frame])
            found += [(frame.readings[place], truth) for place, truth in right.items()]
    return Named(
        log_odds(np.array([reading.confidence for reading, _ in found]).reshape(-1, 1)),
        np.array([truth for _, truth in found], np.bool_),
        np.array([reading.name == "wild" for reading, _ in found], np.bool_),
    )


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m models.training.calibrate_faces", description=__doc__.splitlines()[0]
    )
    parser.add_argument("labels", type=Path, nargs="+")
    parser.add_argument("--finder", type=Path, required=True)
    parser.add_argument("--faces", type=Path, required=True)
    parser.add_argument("--most", type=float, default=_MOST, help="share of the right names that may be in doubt")
    options = parser.parse_args(arguments)
    reader = TableReader(Finder.open(options.finder), FaceReader.open(options.faces))
    named = collect(reader, options.labels)
    try:
        symbols, wild = (fit(named.odds[sort], named.right[sort]) for sort in (~named.wild, named.wild))
    except OneSidedError as error:
        parser.error(str(error))
    confidence = np.where(named.wild, wild(named.odds), symbols(named.odds))
    numbers = {"whole": symbols.weights[0], "bias": symbols.bias}
    numbers |= {"wild_whole": wild.weights[0], "wild_bias": wild.bias}
    print(settle(options.faces, numbers, confidence, named.right, options.most))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
