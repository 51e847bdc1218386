"""How well predictions agree with labelled photos: the measures of ``evaluate``; :mod:`vision.truth` reads the labels.

A prediction *finds* a labelled piece when their quads overlap with an IoU of at least 0.5, one to one, best first; or,
where only that is asked for, when its centre lies in the piece. Pieces marked ``ignore`` count neither way, nor do
predictions that lie mostly on one or share its centre.

Convention: quads are (4, 2) float32 pixels of the upright image, origin at the top left, corners in any order *round*
the piece (a label does not say which corner of the upright piece comes first, unlike ``vision.types.Quad``).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from itertools import combinations
from typing import Any

import cv2
import numpy as np

from vision.truth import Label, LabelError, LabelFileError, LabelledPiece, Place, Points, read_labels
from vision.types import Quad, Reading

__all__ = [
    "Counts",
    "Label",
    "LabelError",
    "LabelFileError",
    "LabelledPiece",
    "Match",
    "PhotoScore",
    "Place",
    "Points",
    "Prediction",
    "Timing",
    "by_source",
    "by_tag",
    "compare_photo",
    "names_right",
    "photo_key",
    "read_labels",
    "score_photo",
    "timing",
    "total",
]

_ENOUGH = 0.5


class Match(StrEnum):
    """When a prediction finds a piece."""

    IOU = "iou"
    """Their quads share at least half of their union."""
    CENTRE = "centre"
    """The piece holds its centre: for readers that give boxes."""


@dataclass(frozen=True, eq=False, slots=True)
class Prediction:
    """One piece as a reader reports it."""

    quad: Points
    """(4, 2) float32 pixels, corners in any order round the piece."""
    name: str
    """The text form of the piece."""
    doubt: str | None = None
    """Why the name is not to be trusted, if so."""
    cell: Place | None = None
    """Its place on the board, if known."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "quad", Quad(self.quad).corners)
        if self.cell is not None and not isinstance(self.cell, int):
            object.__setattr__(self, "cell", tuple(self.cell))  # JSON has lists

    @classmethod
    def of(cls, reading: Reading, cell: Place | None = None) -> Prediction:
        """Return what the JSON of a photo says of ``reading``: corners to a tenth of a pixel."""
        quad = np.array(reading.quad.tolist(), np.float32)
        return cls(quad, reading.name, reading.doubt, cell)


@dataclass(frozen=True, slots=True)
class Counts:
    """What was counted on one photo or many; counts add up, and :meth:`metrics` turns them into figures."""

    photos: int = 0
    """Photos scored."""
    pieces: int = 0
    """Labelled pieces that count."""
    found: int = 0
    """Of those, found."""
    right: int = 0
    """Of those found, named rightly."""
    invented: int = 0
    """Predictions that lie on no piece."""
    exact: int = 0
    """Photos with every piece found and named rightly, and nothing invented."""
    placed: int = 0
    """Found pieces whose label gives a place."""
    place_right: int = 0
    """Of those, on the right place."""
    doubted_right: int = 0
    """Rightly named pieces that carry a doubt."""
    doubted_wrong: int = 0
    """Wrongly named ones that do."""
    sets_right: int = 0
    """SETs that both label and prediction imply."""
    sets_invented: int = 0
    """SETs that only the prediction implies."""
    sets_missed: int = 0
    """SETs that only the label implies."""
    wrong_words: tuple[int, ...] = (0, 0, 0, 0)
    """Naming errors by position in the name."""

    def __add__(self, other: Counts) -> Counts:
        sums: dict[str, Any] = {name: getattr(self, name) + getattr(other, name) for name in _PLAIN_COUNTS}
        words = tuple(x + y for x, y in zip(self.wrong_words, other.wrong_words, strict=True))
        return Counts(**sums, wrong_words=words)

    def metrics(self) -> dict[str, float]:
        """Return the figures: shares in 0..1, NaN where there is nothing to divide by.

        ``photos`` and ``pieces`` are counts. ``card``: labelled pieces found and named rightly; ``recall``: found;
        ``precision``: predictions that lie on a piece; ``naming``: found pieces named rightly; ``exact``: whole tables
        right; ``sets``: F1 of the SETs; ``place``: found pieces on the right place; ``doubt``: wrong names that carry
        a doubt; ``overdoubt``: right names that do; ``exact_low``: lower end of the 95 % Wilson interval of ``exact``.
        """
        return {
            "photos": self.photos,
            "pieces": self.pieces,
            "card": _share(self.right, self.pieces),
            "recall": _share(self.found, self.pieces),
            "precision": _share(self.found, self.found + self.invented),
            "naming": _share(self.right, self.found),
            "exact": _share(self.exact, self.photos),
            "sets": _share(2 * self.sets_right, 2 * self.sets_right + self.sets_invented + self.sets_missed),
            "place": _share(self.place_right, self.placed),
            "doubt": _share(self.doubted_wrong, self.found - self.right),
            "overdoubt": _share(self.doubted_right, self.right),
            "exact_low": _wilson_low(self.exact, self.photos),
        }


_PLAIN_COUNTS = tuple(field.name for field in fields(Counts) if field.name != "wrong_words")


def _share(part: int, whole: int) -> float:
    return part / whole if whole else math.nan


def _wilson_low(successes: int, trials: int, z: float = 1.96) -> float:
    if not trials:
        return math.nan
    share, extra = successes / trials, z * z / trials
    spread = z * math.sqrt((share * (1 - share) + extra / 4) / trials)
    return max(0.0, (share + extra / 2 - spread) / (1 + extra))


@dataclass(frozen=True, eq=False, slots=True)
class PhotoScore:
    """One photo scored: its counts, and what went wrong."""

    label: Label
    """The truth."""
    counts: Counts
    """What was counted."""
    wrong: tuple[tuple[str, str], ...] = ()
    """(true name, predicted name) of each found piece that was named wrongly."""
    missed: tuple[str, ...] = ()
    """True names of the pieces not found."""
    invented: tuple[int, ...] = ()
    """Places among the predictions of those that lie on no piece."""


def score_photo(label: Label, pieces: Sequence[Prediction], match: Match = Match.IOU) -> Counts:
    """Return the counts of one photo; a photo that could not be read has no ``pieces``."""
    return compare_photo(label, pieces, match).counts


def names_right(label: Label, pieces: Sequence[Prediction]) -> dict[int, bool]:
    """Return whether each that lies on a labelled piece (none ignored) is named right, by its place in ``pieces``."""
    matches = _match([_hull(piece.quad) for piece in label.pieces], [_hull(piece.quad) for piece in pieces])
    found = {j: label.pieces[i] for j, i in matches.items() if not label.pieces[i].ignore}
    return {j: piece.name == pieces[j].name for j, piece in found.items()}


def compare_photo(label: Label, pieces: Sequence[Prediction], match: Match = Match.IOU) -> PhotoScore:
    """Return the counts of one photo together with its mistakes."""
    truth = [_hull(piece.quad) for piece in label.pieces]
    seen = [_hull(piece.quad) for piece in pieces]
    matches = _match(truth, seen, match)
    found = {j: label.pieces[i] for j, i in matches.items() if not label.pieces[i].ignore}
    wrong = {j: piece for j, piece in found.items() if piece.name != pieces[j].name}
    hidden = [hull for hull, piece in zip(truth, label.pieces, strict=True) if piece.ignore]
    invented = [j for j, hull in enumerate(seen) if j not in matches and not any(_lies_on(hull, h) for h in hidden)]
    live = {i: piece for i, piece in enumerate(label.pieces) if not piece.ignore}
    placed = [j for j, piece in found.items() if piece.placed]
    doubted = [j for j in found if pieces[j].doubt]
    sets_right, sets_invented, sets_missed = _compare_sets(label, pieces, matches)
    counts = Counts(
        photos=1,
        pieces=len(live),
        found=len(found),
        right=len(found) - len(wrong),
        invented=len(invented),
        exact=int(len(found) - len(wrong) == len(live) and not invented),
        placed=len(placed),
        place_right=sum(found[j].cell == pieces[j].cell for j in placed),
        doubted_right=sum(j not in wrong for j in doubted),
        doubted_wrong=sum(j in wrong for j in doubted),
        sets_right=sets_right,
        sets_invented=sets_invented,
        sets_missed=sets_missed,
        wrong_words=_wrong_words((piece.name, pieces[j].name) for j, piece in wrong.items()),
    )
    missed = live.keys() - matches.values()
    return PhotoScore(
        label,
        counts,
        tuple((piece.name, pieces[j].name) for j, piece in wrong.items()),
        tuple(live[i].name for i in sorted(missed)),
        tuple(invented),
    )


def _hull(quad: Points) -> Points:
    return np.asarray(cv2.convexHull(quad), np.float32).reshape(-1, 2)


def _area(hull: Points) -> float:
    return float(cv2.contourArea(hull))


def _shared_area(a: Points, b: Points) -> float:
    return float(cv2.intersectConvexConvex(a, b)[0])


def _iou(a: Points, b: Points) -> float:
    shared = _shared_area(a, b)
    union = _area(a) + _area(b) - shared
    return shared / union if union > 0 else 0.0


def _nearness(a: Points, b: Points) -> float:
    """How well ``a`` holds the centre of ``b``: a half on its edge, more the deeper within, in sides of its square."""
    x, y = b.mean(axis=0)
    return float(cv2.pointPolygonTest(a, (float(x), float(y)), True) / max(1e-6, _area(a)) ** 0.5 + _ENOUGH)


_MEASURES = {Match.IOU: _iou, Match.CENTRE: _nearness}


def _match(truth: Sequence[Points], seen: Sequence[Points], match: Match = Match.IOU) -> dict[int, int]:
    """Return {prediction: labelled piece}, one to one: the pair that agrees most first, ties to the later ones."""
    measure = _MEASURES[match]
    overlaps = ((measure(a, b), i, j) for i, a in enumerate(truth) for j, b in enumerate(seen))
    matches: dict[int, int] = {}
    taken: set[int] = set()
    for _, i, j in sorted((pair for pair in overlaps if pair[0] >= _ENOUGH), reverse=True):
        if j not in matches and i not in taken:
            matches[j] = i
            taken.add(i)
    return matches


def _holds_centre(a: Points, b: Points) -> bool:
    x, y = b.mean(axis=0)
    return cv2.pointPolygonTest(a, (float(x), float(y)), False) >= 0


def _lies_on(seen: Points, ignored: Points) -> bool:
    """Return whether a prediction belongs to an ignored piece, however a cut-off piece was completed."""
    shared = _shared_area(ignored, seen)
    if shared > _ENOUGH * min(_area(seen), _area(ignored)):
        return True
    return shared > 0 and (_holds_centre(ignored, seen) or _holds_centre(seen, ignored))


def _compare_sets(label: Label, pieces: Sequence[Prediction], matches: Mapping[int, int]) -> tuple[int, int, int]:
    """Return how many SETs are right, invented and missed; a SET is three quads, those on ignored pieces left out."""
    ignored = {i for i, piece in enumerate(label.pieces) if piece.ignore}
    truth = {i: piece.name for i, piece in enumerate(label.pieces) if i not in ignored}
    # An unmatched prediction gets a number of its own, so that its SETs are never those of a labelled piece.
    numbers = (matches.get(j, len(label.pieces) + j) for j in range(len(pieces)))
    read = {i: piece.name for i, piece in zip(numbers, pieces, strict=True) if i not in ignored}
    want, have = _implied_sets(truth), _implied_sets(read)
    return len(want & have), len(have - want), len(want - have)


def _implied_sets(names: Mapping[int, str]) -> set[frozenset[int]]:
    """Return the SETs of cards (names of four words): no word on exactly two of the three names."""
    cards = [(number, name.split()) for number, name in names.items() if len(name.split()) == 4]
    return {
        frozenset((i, j, k))
        for (i, a), (j, b), (k, c) in combinations(cards, 3)
        if all(len(set(words)) != 2 for words in zip(a, b, c, strict=True))
    }


def _wrong_words(pairs: Iterable[tuple[str, str]]) -> tuple[int, ...]:
    tally = [0, 0, 0, 0]
    for true, read in pairs:
        if len(true.split()) == len(read.split()):
            for place, (a, b) in enumerate(zip(true.split(), read.split(), strict=True)):
                tally[place] += a != b
    return tuple(tally)


def total(scores: Iterable[PhotoScore]) -> Counts:
    """Return the counts over all photos."""
    return sum((score.counts for score in scores), Counts())


def by_tag(scores: Iterable[PhotoScore]) -> dict[str, Counts]:
    """Return the counts of each tag, by name; a photo counts under each of its tags, or as "untagged"."""
    return _grouped((tag, score.counts) for score in scores for tag in score.label.tags or ("untagged",))


def by_source(scores: Iterable[PhotoScore]) -> dict[str, Counts]:
    """Return the counts of each source, by name."""
    return _grouped((score.label.source, score.counts) for score in scores)


def _grouped(parts: Iterable[tuple[str, Counts]]) -> dict[str, Counts]:
    groups: dict[str, Counts] = {}
    for name, counts in parts:
        groups[name] = groups.get(name, Counts()) + counts
    return dict(sorted(groups.items()))


@dataclass(frozen=True, slots=True)
class Timing:
    """Milliseconds a photo over many photos."""

    median: float
    """Half of the photos take less."""
    p95: float
    """95 of 100 take less (linear between photos)."""


def timing(milliseconds: Sequence[float]) -> Timing | None:
    """Return median and 95th percentile of the ``ms`` of photos, or None when there are none."""
    if not milliseconds:
        return None
    return Timing(float(np.median(milliseconds)), float(np.percentile(milliseconds, 95)))


def photo_key(path: str) -> str:
    """Return the last two parts of a path, by which a photo and its label find each other.

    >>> photo_key("some/where/source/photo.jpg")
    'source/photo.jpg'
    """
    return "/".join(path.replace("\\", "/").split("/")[-2:])
