"""``evaluate --find-only``: whether the pieces of labelled photos are found, and where, whatever their names."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from service.commands import Desk
from service.console import Bar, complain, printable, progress, write_json
from service.errors import InstallationError, ModelsMissingError, ServiceError, one_line
from service.figures import figures_json, show_groups, show_speed, speed_json
from service.files import write_whole
from service.game import Game
from service.labelled import check_predictions, failed, labels_of, path_beside
from service.reading import limits_of
from service.settings import Settings
from vision.find_only import Found, PieceFinder, compare_boxes, compare_found
from vision.load import Limits
from vision.measure import Counts, Label, PhotoScore, by_tag, timing, total
from vision.model import ModelError
from vision.types import Kind, VisionError

__all__ = ["FOUND_COLUMNS", "Finds", "evaluate_finding", "open_finder"]

FOUND_COLUMNS = ("photos", "pieces", "found", "extra", "recall", "precision")
"""The figures of the tables; the boxes of a file of boxes are its pieces."""

_WITHOUT_PICTURES = (Game.CUBED, Game.JUNIOR_2)
"""On the boards of these games no tiles are printed."""


class Finds(Protocol):
    """What finds dice and tiles without reading them."""

    def find(self, data: bytes, limits: Limits, *, pictures: bool = True) -> Found:
        """Return where pieces lie, as :meth:`vision.find_only.PieceFinder.find` does."""
        ...


def open_finder() -> Finds:
    """Return the finder with the shipped model; takes a moment, so once a process.

    :raises ModelsMissingError: the model is not there or damaged.
    """
    try:
        return PieceFinder.shipped()
    except ModelError as error:
        raise ModelsMissingError(error) from error


@dataclass(frozen=True)
class _Searcher:
    """Finds the pieces of a game."""

    desk: Desk
    game: Game

    @cached_property
    def finder(self) -> Finds:
        return open_finder()

    def find(self, path: str) -> Found:
        """Return where pieces lie in the photo at ``path``; ``auto`` looks for dice and tiles where no cards are.

        :raises ServiceError: the photo, or the models.
        :raises VisionError: the bytes are no photo.
        """
        data = self.desk.bytes_of(path)
        if self.game.has_cards:
            frame = self.desk.referee.frame(data, self.game)
            if self.game is not Game.AUTO or any(reading.kind is Kind.CARD for reading in frame):
                return Found(tuple(reading.quad for reading in frame), frame.ms)
        limits = limits_of(self.desk.settings)
        return self.finder.find(data, limits, pictures=self.game not in _WITHOUT_PICTURES)


@dataclass(frozen=True)
class _Searched:
    """One labelled photo searched."""

    path: str
    found: Found | None
    score: PhotoScore
    error: str | None = None

    def line(self) -> str:
        """The photo as a line of predictions, in the form of ``photo --json`` as far as it goes."""
        if self.found is None:
            return self.error or ""
        pieces = [{"quad": quad.tolist(), "name": "", "doubt": None} for quad in self.found.quads]
        return json.dumps({"file": self.path, "ms": round(self.found.ms, 1), "pieces": pieces})


def evaluate_finding(labels: str, game: Game, as_json: bool, predictions: str | None, settings: Settings) -> int:
    """Print how many of the pieces that ``labels`` label are found; return 0, or 2 if a photo could not be read.

    Boxes are those of dice, so there ``auto`` is Cubed.

    :raises LabelsError: the labels cannot be used.
    :raises ServiceError: ``predictions`` cannot be written, or the models not be opened.
    """
    photos, boxed = labels_of(labels, boxes=True)
    if predictions is not None:
        check_predictions(predictions, labels, photos)
    searcher = _Searcher(Desk(settings), Game.CUBED if boxed and game is Game.AUTO else game)
    done: list[_Searched] = []
    with progress(len(photos), "searching") as bar:
        for photo in photos:
            done.append(_search(searcher, path_beside(labels, photo.file), photo, boxed, bar))
            bar.step()
    if predictions is not None:
        write_whole(Path(predictions), "".join(f"{item.line()}\n" for item in done).encode())
    _show(done, as_json, "boxes" if boxed else "pieces")
    return 2 if any(item.found is None for item in done) else 0


def _search(searcher: _Searcher, path: str, label: Label, boxed: bool, bar: Bar) -> _Searched:
    """Search the photo at ``path``; in one that cannot be read nothing is found."""
    compare = compare_boxes if boxed else compare_found
    try:
        found = searcher.find(path)
    except InstallationError:
        raise
    except (ServiceError, VisionError) as error:
        with bar.aside():
            complain(f"{printable(path)}: {one_line(error)}")
        return _Searched(path, None, compare(label, ()), failed(path, error).model_dump_json())
    return _Searched(path, found, compare(label, found.quads))


def _figures(counts: Counts) -> dict[str, float]:
    figures = {**counts.metrics(), "found": counts.found, "extra": counts.invented}
    return {name: figures[name] for name in FOUND_COLUMNS}


def _show(done: Sequence[_Searched], as_json: bool, what: str) -> None:
    scores = [item.score for item in done]
    times = timing([item.found.ms for item in done if item.found is not None])
    tags = {name: _figures(counts) for name, counts in by_tag(scores).items()}
    whole = _figures(total(scores))
    if as_json:
        report: dict[str, Any] = {
            "all": figures_json(whole),
            "tags": {name: figures_json(figures) for name, figures in tags.items()},
            "ms": speed_json(times),
            "mistakes": [
                {"file": score.label.file, "missed": len(score.missed), "extra": len(score.invented)}
                for score in scores
                if score.missed or score.invented
            ],
        }
        write_json(json.dumps(report))
        return
    if any(item.score.label.tags for item in done):
        show_groups("by tag", "tag", FOUND_COLUMNS, tags, {"pieces": what})
    show_groups("all photos", "", FOUND_COLUMNS, {"all": whole}, {"pieces": what})
    show_speed(times)
