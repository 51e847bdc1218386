"""The command that films games: files that can be read and that agree with each other."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import pytest

from datasets.render_videos import main
from engine.record import read_record

SMALL = ("--size", "320x180", "--fps", "5", "--table", "plain")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("films")
    assert main(["--game", "ravensburger", "--picks", "1", "--seed", "2", "--out", str(out), *SMALL]) == 0
    return out


def lines(path: Path) -> list[dict[str, object]]:
    """What a file of JSON lines holds."""
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_the_video_has_a_line_of_truth_for_each_frame(folder: Path) -> None:
    capture = cv2.VideoCapture(str(folder / "ravensburger-0002.mp4"))
    count = 0
    while (read := capture.read())[0]:
        assert read[1].shape == (180, 320, 3)
        count += 1
    truth = lines(folder / "ravensburger-0002.truth.jsonl")
    assert count == len(truth) > 20
    assert set(truth[0]) == {"t", "hands", "moving", "camera", "dark", "settled", "events", "pieces"}


def test_the_record_replays(folder: Path) -> None:
    path = folder / "ravensburger-0002.record.jsonl"
    with path.open("rb") as stream:
        header, events = read_record(stream)
    referee = header.referee()
    verdicts = [referee.apply(event) for event in events]
    assert any(verdict.points for verdict in verdicts)
    assert [line["t"] for line in lines(path)[1:]] == sorted(line["t"] for line in lines(path)[1:])  # type: ignore[type-var]


def test_calls_are_those_of_the_record(folder: Path) -> None:
    calls = lines(folder / "ravensburger-0002.calls.jsonl")
    record = [line for line in lines(folder / "ravensburger-0002.record.jsonl") if line.get("type") == "called"]
    assert [(call["at"], call["player"]) for call in calls] == [(line["t"], line["player"]) for line in record]


def test_a_film_of_cubed_has_a_board(tmp_path: Path) -> None:
    arguments = ["--game", "cubed", "--picks", "1", "--seed", "1", "--out", str(tmp_path), "--codec", "mjpg", *SMALL]
    assert main(arguments) == 0
    assert (tmp_path / "cubed-0001.avi").stat().st_size > 1000
    board = json.loads((tmp_path / "cubed-0001.board.json").read_text())
    assert board["game"] == "cubed"
    assert len(board["logo"]) == 3


@pytest.mark.parametrize("wrong", [["--size", "12"], ["--game", "setup"], ["--game", "cubed", "--whole"]])
def test_bad_usage_is_refused(wrong: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["--out", str(tmp_path), *wrong])
    assert stopped.value.code == 2
    assert wrong[-1] in capsys.readouterr().err or "cubed" in wrong
