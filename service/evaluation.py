"""The command ``evaluate``: reads labelled photos and prints how well, by kind of photo and by source."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from service.answer import ErrorAnswer, PhotoAnswer
from service.commands import Desk
from service.console import Bar, complain, printable, progress, show_table, write_json
from service.errors import LabelsError, one_line
from service.files import STANDARD_INPUT, check_target, identity, prepare_folder, write_whole
from service.settings import Settings
from vision.measure import (
    Counts,
    Label,
    PhotoScore,
    Prediction,
    Timing,
    by_source,
    by_tag,
    compare_photo,
    read_labels,
    timing,
    total,
)
from vision.types import VisionError

__all__ = ["COLUMNS", "evaluate_labels"]

COLUMNS = ("photos", "pieces", "card", "recall", "precision", "naming", "exact", "sets", "doubt", "overdoubt")
"""The figures of the tables, by their names in ``vision.measure.Counts.metrics``."""


@dataclass(frozen=True)
class _Read:
    """One labelled photo with its answer and its score."""

    answer: PhotoAnswer | ErrorAnswer
    score: PhotoScore

    @property
    def ms(self) -> float | None:
        """Milliseconds of the whole photo, None where it could not be read."""
        return getattr(self.answer, "ms", None)


def evaluate_labels(labels: str, as_json: bool, predictions: str | None, settings: Settings) -> int:
    """Print the figures of the photos that the file ``labels`` labels; return 0, or 2 if one could not be read.

    :raises LabelsError: the labels cannot be used.
    :raises ServiceError: ``predictions`` cannot be written, or the models not be opened.
    """
    photos = _labels(labels)
    if predictions is not None:
        _check_target(predictions, labels, photos)
    desk = Desk(settings)
    done: list[_Read] = []
    with progress(len(photos), "reading") as bar:
        for photo in photos:
            done.append(_read(desk, _path_of(photo, labels), photo, bar))
            bar.step()
    if predictions is not None:
        lines = "".join(item.answer.model_dump_json() + "\n" for item in done)
        write_whole(Path(predictions), lines.encode())
    _show(done, as_json)
    return 2 if any(item.ms is None for item in done) else 0


def _labels(path: str) -> tuple[Label, ...]:
    try:
        photos = read_labels(path)
    except VisionError as error:
        raise LabelsError(one_line(error)) from None
    if not photos:
        raise LabelsError(f"{printable(path)} labels no photo: expected one JSON line a photo")
    return photos


def _check_target(predictions: str, labels: str, photos: Iterable[Label]) -> None:
    """Check that ``predictions`` can be written and is none of the files that are read."""
    check_target(predictions)
    target = identity(predictions)
    if target == identity(labels):
        raise LabelsError("--predictions would overwrite the labels; choose another file")
    for photo in photos:
        if target == identity(_path_of(photo, labels)):
            raise LabelsError(f"--predictions would overwrite the photo {photo.file!r}; choose another file")
    prepare_folder(str(Path(predictions).parent))


def _path_of(photo: Label, labels: str) -> str:
    path = str(Path(labels).parent / photo.file)
    return os.path.join(os.curdir, path) if path == STANDARD_INPUT else path


def _read(desk: Desk, path: str, label: Label, bar: Bar) -> _Read:
    """Read and score the photo at ``path``; a photo that cannot be read has no pieces."""
    answer = desk.attempt(path)
    if isinstance(answer, ErrorAnswer):
        with bar.aside():
            complain(f"{printable(answer.file)}: {answer.error.text}")
        return _Read(answer, compare_photo(label, ()))
    pieces = [Prediction(np.array(piece.quad, np.float32), piece.name, piece.doubt) for piece in answer.pieces]
    return _Read(answer, compare_photo(label, pieces))


def _show(done: Sequence[_Read], as_json: bool) -> None:
    scores = [item.score for item in done]
    whole, tags, sources = total(scores), by_tag(scores), by_source(scores)
    times = timing([item.ms for item in done if item.ms is not None])
    if as_json:
        write_json(json.dumps(_report(whole, tags, sources, times, scores)))
        return
    for title, column, groups in (
        ("by tag", "tag", tags),
        ("by source", "source", sources),
        ("all photos", "", {"all": whole}),
    ):
        show_table(title, (column, *COLUMNS), [_row(name, counts) for name, counts in groups.items()])
    if times is not None:
        show_table("speed", ("a photo", "ms"), (("median", f"{times.median:.0f}"), ("p95", f"{times.p95:.0f}")))


def _row(name: str, counts: Counts) -> list[str]:
    figures = counts.metrics()
    return [name, *(_cell(column, figures[column]) for column in COLUMNS)]


def _cell(column: str, value: float) -> str:
    if math.isnan(value):
        return "-"
    return f"{value:.0f}" if column in ("photos", "pieces") else f"{value:.3f}"


def _report(
    whole: Counts,
    tags: Mapping[str, Counts],
    sources: Mapping[str, Counts],
    times: Timing | None,
    scores: Iterable[PhotoScore],
) -> dict[str, Any]:
    """Return the figures as JSON; a share of nothing is null."""
    return {
        "all": _figures(whole),
        "tags": {name: _figures(counts) for name, counts in tags.items()},
        "sources": {name: _figures(counts) for name, counts in sources.items()},
        "ms": None if times is None else {"median": round(times.median, 1), "p95": round(times.p95, 1)},
        "mistakes": [
            {"file": score.label.file, "wrong": score.wrong, "missed": score.missed, "invented": len(score.invented)}
            for score in scores
            if not score.counts.exact
        ],
    }


def _figures(counts: Counts) -> dict[str, float | None]:
    return {name: None if math.isnan(value) else round(value, 4) for name, value in counts.metrics().items()}
