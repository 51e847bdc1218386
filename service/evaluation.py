"""The command ``evaluate``: reads labelled photos and prints how well, by kind of photo and by source."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from service.answer import ErrorAnswer, PhotoAnswer
from service.board_file import AnyBoard
from service.commands import Desk
from service.console import Bar, complain, printable, progress, write_json
from service.errors import InstallationError, ServiceError
from service.figures import figures_json, show_groups, show_speed, speed_json
from service.files import write_whole
from service.finding import evaluate_finding
from service.game import Game
from service.labelled import (
    asked_of,
    check_predictions,
    failed,
    labels_of,
    of_game,
    path_beside,
    placed_as_read,
)
from service.settings import Settings
from vision.measure import (
    Label,
    PhotoScore,
    Prediction,
    by_source,
    by_tag,
    compare_photo,
    timing,
    total,
)

__all__ = ["COLUMNS", "Evaluation", "evaluate_labels"]

COLUMNS = ("photos", "pieces", "card", "recall", "precision", "naming", "exact", "sets", "place", "doubt", "overdoubt")
"""The figures of the tables, by their names in ``vision.measure.Counts.metrics``."""


@dataclass(frozen=True)
class Evaluation:
    """What the command line says of labelled photos."""

    labels: str
    game: Game = Game.AUTO
    find_only: bool = False
    as_json: bool = False
    predictions: str | None = None


@dataclass(frozen=True)
class _Read:
    """One labelled photo with its answer and its score."""

    answer: PhotoAnswer | ErrorAnswer
    score: PhotoScore

    @property
    def ms(self) -> float | None:
        """Milliseconds of the whole photo, None where it could not be read."""
        return getattr(self.answer, "ms", None)


def evaluate_labels(asked: Evaluation, settings: Settings) -> int:
    """Print the figures of the photos that are labelled; return 0, or 2 if one could not be read.

    :raises LabelsError: the labels cannot be used.
    :raises ServiceError: the predictions cannot be written, or the models not be opened.
    """
    if asked.find_only:
        return evaluate_finding(asked.labels, asked.game, asked.as_json, asked.predictions, settings)
    labelled, _ = labels_of(asked.labels)
    chosen = of_game(labelled, asked.labels, asked.game)
    photos = [photo for photo, _ in chosen]
    if asked.predictions is not None:
        check_predictions(asked.predictions, asked.labels, labelled)
    desk = Desk(settings)
    done: list[_Read] = []
    with progress(len(photos), "reading") as bar:
        for photo, board in chosen:
            done.append(_read(desk, asked, photo, board, bar))
            bar.step()
    if asked.predictions is not None:
        lines = "".join(item.answer.model_dump_json() + "\n" for item in done)
        write_whole(Path(asked.predictions), lines.encode())
    if len(labelled) > len(photos):
        complain(f"{len(photos)} of the {len(labelled)} photos are of {asked.game}; the others are left out")
    _show(done, asked.as_json)
    return 2 if any(item.ms is None for item in done) else 0


def _read(desk: Desk, asked: Evaluation, label: Label, board: AnyBoard | None, bar: Bar) -> _Read:
    """Read and score a labelled photo; one that cannot be read has no pieces."""
    answer = _answer(desk, asked, label, board)
    label = placed_as_read(label, board)
    if isinstance(answer, ErrorAnswer):
        with bar.aside():
            complain(f"{printable(answer.file)}: {answer.error.text}")
        return _Read(answer, compare_photo(label, ()))
    pieces = [
        Prediction(
            np.array(piece.quad, np.float32),
            piece.name,
            piece.doubt,
            tuple(piece.cell) if isinstance(piece.cell, list) else piece.cell,
        )
        for piece in answer.pieces
    ]
    return _Read(answer, compare_photo(label, pieces))


def _answer(desk: Desk, asked: Evaluation, label: Label, board: AnyBoard | None) -> PhotoAnswer | ErrorAnswer:
    path = path_beside(asked.labels, label.file)
    try:
        return desk.attempt(path, asked_of(desk, label, asked.labels, asked.game, board))
    except InstallationError:
        raise
    except ServiceError as error:
        return failed(path, error)


def _show(done: Sequence[_Read], as_json: bool) -> None:
    scores = [item.score for item in done]
    times = timing([item.ms for item in done if item.ms is not None])
    if as_json:
        write_json(json.dumps(_report(scores) | {"ms": speed_json(times), "mistakes": _mistakes(scores)}))
        return
    for title, column, groups in (
        ("by tag", "tag", by_tag(scores)),
        ("by source", "source", by_source(scores)),
        ("all photos", "", {"all": total(scores)}),
    ):
        show_groups(title, column, COLUMNS, {name: counts.metrics() for name, counts in groups.items()})
    show_speed(times)


def _report(scores: Sequence[PhotoScore]) -> dict[str, Any]:
    """Return the figures as JSON."""
    return {
        "all": figures_json(total(scores).metrics()),
        "tags": {name: figures_json(counts.metrics()) for name, counts in by_tag(scores).items()},
        "sources": {name: figures_json(counts.metrics()) for name, counts in by_source(scores).items()},
    }


def _mistakes(scores: Sequence[PhotoScore]) -> list[dict[str, Any]]:
    return [
        {"file": score.label.file, "wrong": score.wrong, "missed": score.missed, "invented": len(score.invented)}
        for score in scores
        if not score.counts.exact
    ]
