"""What a line of labels may say of a board; the rest of the reader is tested with the measures."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from vision.truth import LabelError, read_labels

LINE = {"file": "photo.jpg", "size": [1000, 500], "cards": []}


def test_a_board_is_its_fields_or_a_path(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    fields = {"game": "cubed", "rows": 9}
    more: list[dict[str, object]] = [
        {},
        {"board": None, "empty": None},
        {"board": fields},
        {"board": "board.json", "empty": "empty.jpg"},
    ]
    path.write_text("".join(json.dumps({**LINE, **part}) + "\n" for part in more), encoding="utf-8")
    labels = read_labels(path)
    assert [label.board for label in labels] == [None, None, fields, "board.json"]
    assert [label.empty for label in labels] == [None, None, None, "empty.jpg"]


@pytest.mark.parametrize(
    ("part", "reason"),
    [
        ({"board": 3}, "'board' is the fields of a board file, or its path; got 3"),
        ({"board": ""}, "'board' is the fields of a board file, or its path; got ''"),
        ({"board": [1]}, "'board' is the fields of a board file, or its path; got [1]"),
        ({"empty": 3}, "'empty' is a text; got 3"),
    ],
)
def test_another_board_is_malformed(tmp_path: Path, part: dict[str, object], reason: str) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text(json.dumps({**LINE, **part}) + "\n", encoding="utf-8")
    with pytest.raises(LabelError, match=re.escape(f"line 1: {reason}")):
        read_labels(path)
