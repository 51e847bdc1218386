"""Recorded calls: read whole before the video starts, and refused with the number of the line."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.watch_calls import CallsError, PlannedCall, read_calls


def read(tmp_path: Path, text: str) -> tuple[PlannedCall, ...]:
    """The calls of a file with this text."""
    path = tmp_path / "calls.jsonl"
    path.write_text(text, encoding="utf-8")
    return read_calls(str(path), ("Ann", "Čeněk"))


def test_calls_come_in_the_order_of_their_times(tmp_path: Path) -> None:
    text = '{"at": 7.5, "player": "Čeněk"}\n{"player": "Ann", "at": 2}\n\n'
    assert read(tmp_path, text) == (PlannedCall(2.0, "Ann"), PlannedCall(7.5, "Čeněk"))


def test_no_calls_are_no_fault(tmp_path: Path) -> None:
    assert read(tmp_path, "") == ()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", "expected a call"),
        ("[]", "expected a call"),
        ('{"at": 1}', "expected a call"),
        ('{"at": 1, "player": "Ann", "who": 1}', "unknown key 'who': expected a call"),
        ('{"at": 1, "player": "Ann", "player": "Ann"}', "'player' twice: expected a call"),
        ('{"at": 1, "at": 1, "player": "Ann"}', "'at' twice: expected a call"),
        ('{"at": {"player": 1}, "player": "Ann"}', "'at' is {'player': 1}"),
        (f'{{"at": {"7" * 400}, "player": "Ann"}}', "'at' is 777"),
        (f'{{"at": {"7" * 400}, "player": "Ann"}}', "… (400 characters)"),
        (f'{{"at": {"7" * 5000}, "player": "Ann"}}', "expected a call"),
        ('{"at": "1", "player": "Ann"}', "'at' is '1'"),
        ('{"at": true, "player": "Ann"}', "'at' is True"),
        ('{"at": NaN, "player": "Ann"}', "'at' is nan"),
        ('{"at": -1, "player": "Ann"}', "'at' is -1"),
        ('{"at": 1, "player": "Eve"}', "'Ann', 'Čeněk'"),
        ('{"at": 1, "player": ["Ann"]}', "'player' is ['Ann']"),
        ("[" * 100_000, "expected a call"),
    ],
)
def test_a_line_that_is_no_call_is_named(tmp_path: Path, line: str, words: str) -> None:
    with pytest.raises(CallsError) as caught:
        read(tmp_path, '{"at": 1, "player": "Ann"}\n' + line + "\n")
    assert "line 2: " in str(caught.value)
    assert words in str(caught.value)
    assert "calls.jsonl" in str(caught.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(CallsError, match="no such file"):
        read_calls(str(tmp_path / "none.jsonl"), ("Ann",))
    with pytest.raises(CallsError):
        read_calls(str(tmp_path), ("Ann",))
