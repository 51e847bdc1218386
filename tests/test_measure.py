"""The label reader and the measures: every rule by hand, and all figures against the judge's."""

import json
import math
import os
import random
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.tokens import Card, full_deck
from vision.measure import (
    Counts,
    Label,
    LabelError,
    LabelFileError,
    LabelledPiece,
    Match,
    PhotoScore,
    Place,
    Points,
    Prediction,
    Timing,
    by_source,
    by_tag,
    compare_photo,
    names_right,
    photo_key,
    read_labels,
    score_photo,
    timing,
    total,
)
from vision.types import Doubt, Quad, QuadShapeError, Reading, VisionError

A, B, C, D = "1 red solid oval", "2 red solid oval", "3 red solid oval", "1 green open diamond"


def box(x: float, y: float = 0.0, width: float = 60.0, height: float = 100.0) -> Points:
    return np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]], np.float32)


def label(*pieces: LabelledPiece, file: str = "source/photo.jpg", tags: tuple[str, ...] = ()) -> Label:
    return Label(file, (1000, 500), pieces, tags)


def row(*names: str, ignore: str = "") -> Label:
    """Lay pieces side by side, 100 pixels apart; ``ignore`` marks one name."""
    return label(*(LabelledPiece(box(100 * i), name, name == ignore) for i, name in enumerate(names)))


def seen(*names: str, doubt: str | None = None) -> list[Prediction]:
    """Predict the same row, each piece a little off."""
    return [Prediction(box(100 * i + 3, 2), name, doubt) for i, name in enumerate(names)]


def test_a_perfect_photo() -> None:
    counts = score_photo(row(A, B, C), seen(A, B, C))
    assert counts == Counts(photos=1, pieces=3, found=3, right=3, exact=1, sets_right=1)


def test_a_wrong_name_is_found_but_not_right() -> None:
    score = compare_photo(row(A, B, C), seen(A, B, "3 green solid diamond"))
    assert score.wrong == ((C, "3 green solid diamond"),)
    assert score.counts.found == 3
    assert score.counts.right == 2
    assert score.counts.exact == 0
    assert score.counts.wrong_words == (0, 1, 0, 1)
    assert (score.counts.sets_right, score.counts.sets_invented, score.counts.sets_missed) == (0, 0, 1)


def test_names_of_other_lengths_have_no_position_to_be_wrong_at() -> None:
    counts = score_photo(row(A), seen("2 green oval"))
    assert counts.right == 0
    assert counts.wrong_words == (0, 0, 0, 0)


def test_a_missed_piece() -> None:
    score = compare_photo(row(A, B, C), seen(A, B))
    assert score.missed == (C,)
    assert score.counts == Counts(photos=1, pieces=3, found=2, right=2, sets_missed=1)


def test_a_photo_that_could_not_be_read_misses_everything() -> None:
    assert score_photo(row(A, B, C), []) == Counts(photos=1, pieces=3, sets_missed=1)


def test_an_empty_table_read_as_empty_is_exact() -> None:
    assert score_photo(row(), []) == Counts(photos=1, exact=1)


def test_an_invented_piece_spoils_the_table_and_its_sets_count_against_it() -> None:
    score = compare_photo(row(A, B), seen(A, B, C))
    assert score.invented == (2,)
    assert score.counts == Counts(photos=1, pieces=2, found=2, right=2, invented=1, sets_invented=1)


@pytest.mark.parametrize(("shift", "found"), [(0, 1), (19, 1), (21, 0), (60, 0)])
def test_half_the_union_must_be_shared(shift: float, found: int) -> None:
    """A shift by 20 of 60 pixels gives an IoU of one half."""
    counts = score_photo(row(A), [Prediction(box(shift), A)])
    assert (counts.found, counts.invented) == (found, 1 - found)


@pytest.mark.parametrize(
    ("quad", "found"),
    [
        (box(10, 20, 5, 5), 1),  # far too small, but in it
        (box(-29, 0), 1),
        (box(-31, 0), 0),  # its centre is a pixel beyond the left edge
        (box(-470, -450, 1000, 1000), 1),  # far too large, about the same centre
    ],
)
def test_a_centre_in_the_piece_is_enough_where_only_that_is_asked(quad: Points, found: int) -> None:
    counts = score_photo(row(A), [Prediction(quad, A)], Match.CENTRE)
    assert (counts.found, counts.invented) == (found, 1 - found)


def test_by_centres_the_one_deepest_within_finds_the_piece() -> None:
    score = compare_photo(
        row(A), [Prediction(box(20), B), Prediction(box(4), A), Prediction(box(-20), C)], Match.CENTRE
    )
    assert (score.counts.right, score.invented) == (1, (0, 2))


def test_a_piece_is_found_once_by_the_best() -> None:
    pieces = [Prediction(box(10), B), Prediction(box(2), A), Prediction(box(-8), C)]
    score = compare_photo(row(A), pieces)
    assert score.counts.right == 1
    assert score.invented == (0, 2)


def test_the_best_pair_goes_first_and_the_next_takes_what_is_left() -> None:
    near = label(LabelledPiece(box(0), A), LabelledPiece(box(16), B))
    counts = score_photo(near, [Prediction(box(14), B), Prediction(box(9), A)])
    assert (counts.found, counts.right, counts.invented) == (2, 2, 0)


def test_corners_count_in_any_order_round_the_piece() -> None:
    for turn in range(4):
        for corners in (np.roll(box(0), turn, axis=0), np.roll(box(0), turn, axis=0)[::-1]):
            assert score_photo(row(A), [Prediction(corners, A)]).right == 1


def test_a_quad_without_area_finds_nothing() -> None:
    flat = np.array([[0, 0], [60, 0], [60, 0], [0, 0]], np.float32)
    assert score_photo(row(A), [Prediction(flat, A)]).invented == 1
    assert score_photo(label(LabelledPiece(flat, A)), [Prediction(flat, A)]).found == 0


def test_an_ignored_piece_counts_neither_way() -> None:
    photo = row(A, B, C, ignore=C)
    exact = Counts(photos=1, pieces=2, found=2, right=2, exact=1)
    assert score_photo(photo, seen(A, B)) == exact
    assert score_photo(photo, seen(A, B, C)) == exact
    assert score_photo(photo, seen(A, B, D, doubt=None)) == exact


@pytest.mark.parametrize(
    ("quad", "invented"),
    [
        (box(205, 5, 20, 20), 0),  # lies on it, away from its centre
        (box(170, -100, 200, 300), 0),  # a piece completed far beyond it: holds it all
        (box(220, 45), 0),  # shares a third, and holds its centre
        (box(215, 60), 1),  # shares a third, and neither holds the other's centre
        (box(255, 90, 60, 100), 1),  # touches a corner only
        (box(500), 1),
    ],
)
def test_what_lies_mostly_on_an_ignored_piece_is_not_invented(quad: Points, invented: int) -> None:
    photo = label(LabelledPiece(box(200), A, ignore=True))
    assert score_photo(photo, [Prediction(quad, B)]).invented == invented


WEDGE = np.array([[0, -1], [100, -50], [100, 50], [0, 1]], np.float32)
"""The mean of its corners is at (50, 0); 70 % of its area lies beyond x = 55, 27 % before x = 52."""


@pytest.mark.parametrize(
    ("ignored", "quad", "invented"),
    [
        (WEDGE, box(55, -100, 245, 200), 0),  # shares most of the smaller one, and neither holds a centre
        (WEDGE, box(75, -100, 245, 200), 1),  # shares less than half
        (WEDGE, box(-200, -100, 252, 200), 0),  # only the prediction holds the other's centre
        (box(-200, -100, 252, 200), WEDGE, 0),  # only the ignored piece does
        (WEDGE, box(-200, -100, 248, 200), 1),
    ],
)
def test_area_and_either_centre_decide(ignored: Points, quad: Points, invented: int) -> None:
    photo = label(LabelledPiece(ignored, A, ignore=True))
    assert score_photo(photo, [Prediction(quad, B)]).invented == invented


def test_sets_with_an_ignored_piece_do_not_count() -> None:
    counts = score_photo(row(A, B, C, ignore=C), seen(A, B, C))
    assert (counts.sets_right, counts.sets_invented, counts.sets_missed) == (0, 0, 0)


def test_a_set_is_three_quads_not_three_names() -> None:
    """Reading a copy of a card where another lies makes a SET of other quads."""
    counts = score_photo(row(A, B, C, D), seen(A, B, D, C))
    assert (counts.sets_right, counts.sets_invented, counts.sets_missed) == (0, 1, 1)
    counts = score_photo(row(A, A, A), seen(A, A, A))
    assert counts.sets_right == 1


def test_the_right_name_on_an_invented_quad_makes_no_right_set() -> None:
    counts = score_photo(row(A, B, C), [*seen(A, B), Prediction(box(700), C)])
    assert (counts.sets_right, counts.sets_invented, counts.sets_missed) == (0, 1, 1)


def test_tiles_and_dice_have_no_sets_here() -> None:
    tiles = ("1 red oval", "2 red oval", "3 red oval", "wild")
    assert score_photo(row(*tiles), seen(*tiles)) == Counts(photos=1, pieces=4, found=4, right=4, exact=1)


def test_doubts_on_wrong_and_on_right_names() -> None:
    photo = row(A, B, C, D)
    pieces = [*seen(A, B, A, doubt="glare"), *seen(D, D, D, D)[3:]]
    counts = score_photo(photo, pieces)
    assert (counts.doubted_right, counts.doubted_wrong) == (2, 1)
    assert counts.metrics()["doubt"] == 1.0
    assert counts.metrics()["overdoubt"] == pytest.approx(2 / 3)
    assert score_photo(photo, seen(A, doubt="")).doubted_right == 0


def test_names_of_found_pieces_are_right_or_wrong() -> None:
    truth = row(A, B, C, ignore=C)
    assert names_right(truth, seen(A, C, C)) == {0: True, 1: False}
    assert names_right(truth, []) == {}


@pytest.mark.parametrize(
    ("true", "read", "right"),
    [
        (None, None, 1),
        (0, 0, 1),
        ((5, 6), (5, 6), 1),
        ((5, 6), (6, 5), 0),
        ((5, 6), None, 0),
        (7, 7, 1),
        (7, 8, 0),
        ((0, 1, 2), (0, 1, 2), 1),
    ],
)
def test_places(true: Place | None, read: Place | None, right: int) -> None:
    photo = label(LabelledPiece(box(0), A, cell=true, placed=True), LabelledPiece(box(100), B))
    counts = score_photo(photo, [Prediction(box(0), C, cell=read), Prediction(box(100), B, cell=(9, 9))])
    assert (counts.placed, counts.place_right) == (1, right)


def test_a_prediction_takes_the_lists_of_json_as_places() -> None:
    places: Any = [5, 6]
    assert Prediction(box(0), A, cell=places).cell == (5, 6)


def test_a_prediction_of_a_reading_is_what_the_json_says() -> None:
    reading = Reading(Quad(box(0.123)), Card.parse(A), 0.4, doubt=Doubt.GLARE)
    prediction = Prediction.of(reading, (1, 2))
    assert (prediction.name, prediction.doubt, prediction.cell) == (A, "glare", (1, 2))
    assert prediction.quad[0, 0] == np.float32(0.1)


@pytest.mark.parametrize("quad", [np.zeros((3, 2), np.float32), np.full((4, 2), np.nan, np.float32)])
def test_four_finite_corners_are_needed(quad: Points) -> None:
    with pytest.raises(QuadShapeError):
        Prediction(quad, A)
    with pytest.raises(QuadShapeError):
        LabelledPiece(quad, A)


def test_counts_add_up_and_become_figures() -> None:
    counts = score_photo(row(A, B, C), seen(A, B, C)) + score_photo(
        row(A, B, C), [*seen(A, D), Prediction(box(500), A)]
    )
    assert counts.wrong_words == (1, 1, 1, 1)
    figures = counts.metrics()
    assert figures["photos"] == 2
    assert figures["pieces"] == 6
    assert figures["card"] == pytest.approx(4 / 6)
    assert figures["recall"] == pytest.approx(5 / 6)
    assert figures["precision"] == pytest.approx(5 / 6)
    assert figures["naming"] == pytest.approx(4 / 5)
    assert figures["exact"] == pytest.approx(1 / 2)
    assert figures["sets"] == pytest.approx(2 / 3)
    assert 0.05 < figures["exact_low"] < 0.15


def test_figures_without_a_denominator_are_nan() -> None:
    figures = Counts().metrics()
    assert figures.pop("photos") == figures.pop("pieces") == 0
    assert all(map(math.isnan, figures.values()))


def test_groups() -> None:
    scores = [
        PhotoScore(label(file="b/1.jpg", tags=("glare", "dark")), Counts(photos=1, pieces=2)),
        PhotoScore(label(file="a/2.jpg", tags=("glare",)), Counts(photos=1, pieces=3)),
        PhotoScore(label(file="b/3.jpg"), Counts(photos=1, pieces=5)),
    ]
    assert {tag: counts.pieces for tag, counts in by_tag(scores).items()} == {"dark": 2, "glare": 5, "untagged": 5}
    assert [(name, counts.pieces) for name, counts in by_source(scores).items()] == [("a", 3), ("b", 7)]
    assert total(scores) == Counts(photos=3, pieces=10)
    assert total([]) == Counts()


def test_timing() -> None:
    assert timing([]) is None
    assert timing([10.0, 20.0, 30.0]) == Timing(median=20.0, p95=29.0)


def test_photo_key_is_the_last_two_parts() -> None:
    assert photo_key("a/b/c.jpg") == photo_key("b/c.jpg") == photo_key("x\\b\\c.jpg") == "b/c.jpg"
    assert photo_key("c.jpg") == "c.jpg"


CARD: dict[str, Any] = {"quad": [[0, 0], [60, 0], [60, 100], [0, 100.5]], "card": A}
LINE: dict[str, Any] = {"file": "source/photo.jpg", "size": [1000, 500], "tags": ["glare"], "cards": [CARD]}


def test_labels_are_read(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    more = [
        {**CARD, "card": "unreadable", "ignore": True},
        {**CARD, "card": "wild", "cell": [2, 3]},
        {**CARD, "cell": 4},
    ]
    bare = {"file": "photo.jpg", "size": [10, 20], "cards": [], "note": "further fields are free"}
    path.write_text(json.dumps({**LINE, "cards": [CARD, *more]}) + "\n\n" + json.dumps(bare) + "\n", encoding="utf-8")
    first, second = read_labels(path)
    assert (first.file, first.size, first.tags, first.source) == ("source/photo.jpg", (1000, 500), ("glare",), "source")
    assert [(piece.name, piece.ignore, piece.cell, piece.placed) for piece in first.pieces] == [
        (A, False, None, False),
        ("unreadable", True, None, False),
        ("wild", False, (2, 3), True),
        (A, False, 4, True),
    ]
    assert first.pieces[0].quad.dtype == np.float32
    assert first.pieces[0].quad.tolist() == CARD["quad"]
    assert (second.file, second.size, second.pieces, second.tags) == ("photo.jpg", (10, 20), (), ())


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "not JSON"),
        ("[]", "expected an object with 'file'; got []"),
        ({**LINE, "file": 3}, "'file' is a text; got 3"),
        ({**LINE, "file": ""}, "'file' and 'tags' are texts"),
        ({**LINE, "tags": [1]}, "'file' and 'tags' are texts"),
        ({**LINE, "tags": "glare"}, "'tags' is a list; got 'glare'"),
        ({**LINE, "size": [10]}, "'size' is [width, height] in whole pixels; got [10]"),
        ({**LINE, "size": [10, 0]}, "'size' is [width, height]"),
        ({**LINE, "size": [10, True]}, "'size' is [width, height]"),
        ({"file": "a.jpg", "size": [10, 10]}, "'cards' is missing"),
        ({**LINE, "cards": ["2 red"]}, "expected an object with 'card'; got '2 red'"),
        ({**LINE, "cards": [{**CARD, "card": "4 red solid oval"}]}, "'card' names no piece: '4' is no number"),
        ({**LINE, "cards": [{**CARD, "card": "wild  "}]}, "'card' has stray spaces: 'wild  ' is written 'wild'"),
        ({**LINE, "cards": [{**CARD, "ignore": "yes"}]}, "'ignore' is true or false; got 'yes'"),
        ({**LINE, "cards": [{"card": A}]}, "'quad' is missing"),
        ({**LINE, "cards": [{**CARD, "quad": [[0, 0], [1, 1], [2, 2]]}]}, "'quad' is four points"),
        ({**LINE, "cards": [{**CARD, "quad": [[0, 0], [1, 1], [2, 2], [3]]}]}, "'quad' is four points"),
        ({**LINE, "cards": [{**CARD, "quad": [[0, 0], [1, 1], [2, 2], [3, "3"]]}]}, "'quad' is four points"),
        ({**LINE, "cards": [{**CARD, "quad": [[0, 0], [1, 1], [2, 2], [3, 1e99]]}]}, "'quad' is four points"),
        ({**LINE, "cards": [{**CARD, "quad": [[0, 0], [1, 1], [2, 2], [3, 10**400]]}]}, "'quad' is four points"),
        ({**LINE, "cards": [{**CARD, "cell": "A1"}]}, "'cell' is [row, column], [square, row, column] or a number"),
        ({**LINE, "cards": [{**CARD, "cell": []}]}, "'cell' is [row, column]"),
    ],
)
def test_a_malformed_line_is_named(tmp_path: Path, line: str | dict[str, Any], reason: str) -> None:
    path = tmp_path / "labels.jsonl"
    text = line if isinstance(line, str) else json.dumps(line)
    path.write_text(json.dumps(LINE) + "\n\n" + text + "\n", encoding="utf-8")
    with pytest.raises(LabelError, match=re.escape(f"labels.jsonl, line 3: {reason}")) as caught:
        read_labels(path)
    assert caught.value.line == 3
    assert isinstance(caught.value, VisionError)
    assert isinstance(caught.value, ValueError)


def test_other_encodings_are_named(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_bytes(b"\xff\xfe{}")
    with pytest.raises(LabelError, match="line 1: not UTF-8 text"):
        read_labels(path)


def test_a_file_that_cannot_be_opened(tmp_path: Path) -> None:
    for path in (tmp_path / "none.jsonl", tmp_path):
        with pytest.raises(LabelFileError, match="cannot read the labels") as caught:
            read_labels(str(path))
        assert isinstance(caught.value, OSError)


@dataclass(frozen=True)
class Reported:
    """What a pretended reader says of one photo; ``pieces`` is None when the photo has no line at all."""

    pieces: list[Prediction] | None
    ms: float
    failed: bool = False


def pretend(photo: Label, chance: random.Random) -> Reported:
    """Return the labels with every fault a reader can have."""
    fate = chance.random()
    if fate < 0.04:
        return Reported([] if fate < 0.03 else None, chance.uniform(1, 5), failed=True)
    spoilt = chance.random() < 0.6
    pieces = []
    for piece in photo.pieces:
        fault = chance.random() if spoilt else 1.0
        if fault < 0.08:
            continue
        quad = piece.quad + np.array([[chance.gauss(0, 1) for _ in "xy"] for _ in range(4)]) * chance.choice([1, 2, 6])
        if fault < 0.16:
            quad = quad + (piece.quad[2] - piece.quad[0]) * chance.uniform(-0.6, 0.6)
        name = rename(piece.name, chance) if fault < 0.3 else piece.name
        doubt = chance.choice(["glare", "low confidence"]) if chance.random() < (0.5 if fault < 0.3 else 0.1) else None
        cell = chance.choice([piece.cell, None, (1, 2)]) if spoilt else piece.cell
        start, step = chance.randrange(4), chance.choice([1, -1])
        order = [(start + step * corner) % 4 for corner in range(4)]
        pieces += [Prediction(quad[order].astype(np.float32), name, doubt, cell)] * (2 if 0.3 < fault < 0.33 else 1)
    width, height = photo.size
    for _ in range(chance.randrange(3) if spoilt else 0):
        x, y = chance.uniform(0, width), chance.uniform(0, height)
        pieces.append(Prediction(box(x, y, width / 8, height / 8), str(chance.choice(full_deck()))))
    return Reported(pieces, chance.uniform(20, 200))


def rename(name: str, chance: random.Random) -> str:
    """Return a name with one word changed, or that of another kind of piece."""
    if name == "wild" or chance.random() < 0.1:
        return chance.choice(["wild", "2 red oval", A])
    words = name.split()
    words[chance.randrange(len(words))] = chance.choice(["1", "red", "open", "rectangle", words[0]])
    return " ".join(words)


def as_json(photo: Label, reported: Reported) -> str:
    """Return the line of predictions that the judge reads."""
    pieces = [
        {"quad": piece.quad.astype(float).tolist(), "name": piece.name, "doubt": piece.doubt, "cell": piece.cell}
        for piece in reported.pieces or []
    ]
    answer: dict[str, Any] = {"error": {"code": "unreadable"}} if reported.failed else {"pieces": pieces}
    return json.dumps(
        {"file": f"some/where/{photo.file}" if "/" in photo.file else photo.file, "ms": reported.ms, **answer}
    )


def judged_row(name: str, counts: Counts) -> str:
    """Return the line that the judge prints for these counts."""
    figures = counts.metrics()
    shown = [f"photos {counts.photos} pieces {counts.pieces}"]
    for names, digits in ((("card", "recall", "precision", "naming"), 4), (("exact", "sets", "place"), 3)):
        shown += [f"{name} {figures[name]:.{digits}f}" for name in names]
    return " ".join([name[:38], *shown, f"doubt {figures['doubt']:.2f} overdoubt {figures['overdoubt']:.3f}"])


def judge(shared: Path, labels: Path, predictions: Path, grouping: str, match: Match) -> list[str]:
    """Return the lines of the judge, with single spaces; the unreachable floor makes it print ``exact_low`` too."""
    command = [sys.executable, str(shared / "eval" / "score.py"), str(labels), str(predictions)]
    command += ["--by", grouping, "--match", match, "--require", "exact_low=2"]
    run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)  # noqa: S603 - our own judge
    assert run.stderr == ""
    return [" ".join(line.split()) for line in run.stdout.splitlines()]


@pytest.mark.parametrize(("seed", "match"), [(1, Match.IOU), (2, Match.IOU), (3, Match.CENTRE)])
@pytest.mark.parametrize("folder", ["dev/labels.jsonl", "renders/cubed.labels.jsonl", "renders/junior-1.labels.jsonl"])
def test_all_figures_are_the_judge_s(folder: str, seed: int, match: Match, tmp_path: Path) -> None:
    if "SET_REFEREE_SHARED" not in os.environ:
        pytest.skip("SET_REFEREE_SHARED does not name the folder of labelled photos and their judge")
    shared, chance = Path(os.environ["SET_REFEREE_SHARED"]), random.Random(seed)  # noqa: S311 - repeatable
    path, predictions = shared / "data" / folder, tmp_path / "predictions.jsonl"
    labels = read_labels(path)
    reports = [pretend(photo, chance) for photo in labels]
    given = [(photo, report) for photo, report in zip(labels, reports, strict=True) if report.pieces is not None]
    predictions.write_text("".join(as_json(*pair) + "\n" for pair in given), encoding="utf-8")
    scores = [compare_photo(photo, report.pieces or [], match) for photo, report in zip(labels, reports, strict=True)]
    everything, speed = total(scores), timing([report.ms for _, report in given])
    assert speed is not None
    wrong = {f"feature {place}": count for place, count in enumerate(everything.wrong_words)}
    for grouping, groups in (("tag", by_tag(scores)), ("source", by_source(scores))):
        lines = judge(shared, path, predictions, grouping, match)
        assert lines[: len(groups)] == [judged_row(*group) for group in groups.items()]
        errors, times, overall, verdict = lines[len(groups) :]
        assert {name: int(count) for name, count in re.findall(r"'(feature \d)': (\d+)", errors)} == {
            name: count for name, count in wrong.items() if count
        }
        assert times == f"ms a photo: median {speed.median:.1f} p95 {speed.p95:.1f}"
        assert overall == judged_row("ALL", everything)
        low = float(verdict.removeprefix("falls short: exact_low=2 (is ").removesuffix(")"))
        assert low == float(f"{everything.metrics()['exact_low']:.4f}")  # as numbers: the judge may say -0.0000
