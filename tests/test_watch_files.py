"""What a live game leaves behind: a record that is whole at any moment, a video true to the times."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from service.errors import TargetError
from service.watch_files import RecordFile, VideoFile, check_apart, check_new
from vision.types import Image


def flat(level: int, size: tuple[int, int] = (64, 48)) -> Image:
    """A grey picture."""
    return np.full((size[1], size[0], 3), level, np.uint8)


def played(path: Path) -> tuple[float, list[Image]]:
    """Rate and pictures of a video."""
    video = cv2.VideoCapture(str(path))
    rate, pictures = video.get(cv2.CAP_PROP_FPS), list[Image]()
    while True:
        there, image = video.read()
        if not there:
            return rate, pictures
        pictures.append(np.asarray(image, np.uint8))


def written(path: Path, times: list[float]) -> tuple[float, list[int]]:
    """Rate and brightness of the pictures of a video of these times, each 10 levels brighter than the last."""
    with VideoFile(str(path)) as video:
        for number, time in enumerate(times):
            video.add(flat(10 * number), time)
    rate, pictures = played(path)
    return rate, [round(float(image.mean()) / 10) for image in pictures]


@pytest.mark.parametrize("name", ["a.mp4", "a.avi", "A.MP4"])
def test_a_video_has_the_rate_and_the_pictures_of_its_source(tmp_path: Path, name: str) -> None:
    rate, levels = written(tmp_path / name, [number / 8 for number in range(20)])
    assert rate == pytest.approx(8, abs=0.1)
    assert levels == list(range(20))


def test_gaps_are_filled_and_what_comes_too_fast_is_dropped(tmp_path: Path) -> None:
    times = [number / 10 for number in range(14)] + [1.8, 1.81, 1.82, 1.9]
    _, levels = written(tmp_path / "a.avi", times)
    assert levels[:14] == list(range(14))
    assert levels[14:18] == [13, 13, 13, 13]
    assert len(levels) == 20
    assert levels[-1] == 17


def test_a_short_video_is_written_too(tmp_path: Path) -> None:
    assert written(tmp_path / "a.mp4", [0.0, 0.5])[1] == [0, 1]
    assert written(tmp_path / "b.mp4", [3.0])[1] == [0]


def test_times_that_go_backwards_do_no_harm(tmp_path: Path) -> None:
    _, levels = written(tmp_path / "a.avi", [number / 10 for number in range(13)] + [0.3, 1.3])
    assert levels == [*range(12), 13, 14]


def test_later_pictures_are_fitted_into_the_first_size(tmp_path: Path) -> None:
    path = tmp_path / "a.avi"
    with VideoFile(str(path)) as video:
        for number in range(14):
            video.add(flat(200, (64, 48) if number < 13 else (300, 100)), number / 10)
    _, pictures = played(path)
    assert {image.shape for image in pictures} == {(48, 64, 3)}
    assert pictures[-1][0].mean() < 30
    assert pictures[-1][24].mean() > 150


def test_odd_sizes_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / "a.mp4"
    with VideoFile(str(path)) as video:
        for number in range(14):
            video.add(flat(100, (65, 47)), number / 10)
    assert len(played(path)[1]) == 14


def test_a_video_is_closed_whatever_happens(tmp_path: Path) -> None:
    path = tmp_path / "a.mp4"

    def interrupted() -> None:
        with VideoFile(str(path)) as video:
            for number in range(30):
                video.add(flat(number), number / 10)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert len(played(path)[1]) == 30


def test_a_video_without_pictures_leaves_no_file(tmp_path: Path) -> None:
    with VideoFile(str(tmp_path / "a.mp4")) as video:
        assert video.pictures == 0
    assert list(tmp_path.iterdir()) == []


def test_a_video_that_cannot_be_written_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(TargetError, match=r"\.mp4 or \.avi"):
        VideoFile(str(tmp_path / "a.mkv"))
    with pytest.raises(TargetError, match="no such file or directory"):
        VideoFile(str(tmp_path / "none" / "a.mp4"))


def test_a_record_is_whole_after_every_line(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    with RecordFile(str(path)) as record:
        for number in range(3):
            record.write(f'{{"Žofie": {number}}}')
            assert path.read_text(encoding="utf-8").count("\n") == number + 1
    assert path.read_bytes().startswith('{"Žofie": 0}\n'.encode())


def test_a_record_that_begins_anew_forgets_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    with RecordFile(str(path)) as record:
        record.write("a longer line")
        record.restart()
        assert path.read_text() == ""
        record.write("short")
    assert path.read_text() == "short\n"


def test_a_file_that_is_there_is_kept_unless_it_is_forced(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    check_new(str(path), force=False)
    path.write_text("old")
    check_new(str(path), force=True)
    with pytest.raises(TargetError, match="--force"):
        check_new(str(path), force=False)
    with pytest.raises(TargetError, match="a folder"):
        check_new(str(tmp_path), force=True)
    with pytest.raises(TargetError, match="no such file or directory"):
        RecordFile(str(tmp_path / "none" / "game.jsonl"))


def test_what_is_read_is_never_written_over(tmp_path: Path) -> None:
    film, link = tmp_path / "film.mp4", tmp_path / "link.mp4"
    film.write_bytes(b"")
    link.symlink_to(film)
    hard = tmp_path / "hard.mp4"
    hard.hardlink_to(film)
    for path in (film, link, hard, tmp_path / "x/../film.mp4"):
        with pytest.raises(TargetError, match="--save-video and the source are the same file"):
            check_apart({"--save-video": str(path)}, {"the source": str(film)})
    check_apart({"--save-video": str(tmp_path / "0"), "--save-record": None}, {"the source": "0", "--board": None})


def test_two_files_that_are_written_are_two(tmp_path: Path) -> None:
    outputs = {"--save-record": str(tmp_path / "a.avi"), "--save-video": str(tmp_path / "." / "a.avi")}
    with pytest.raises(TargetError, match="--save-video and --save-record"):
        check_apart(outputs, {})
