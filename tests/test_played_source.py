"""Video files in real time and as fast as possible, whole and broken; folders of pictures."""

from __future__ import annotations

import itertools
import struct
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.fake_captures import (
    PATIENCE,
    QUICK,
    FakeCapture,
    Picture,
    notices,
    plain,
    shots,
    video,
)
from vision.played_source import Timeline
from vision.sources import (
    NoticeKind,
    Shot,
    SourceConfig,
    SourceOpenError,
    open_source,
)


@pytest.mark.parametrize(("name", "fourcc"), [("a.mp4", "mp4v"), ("a.avi", "MJPG"), ("a.mkv", "mp4v")])
def test_fast_gives_every_picture_at_the_times_of_the_file(tmp_path: Path, name: str, fourcc: str) -> None:
    with open_source(video(tmp_path / name, fourcc=fourcc), fast=True) as source:
        assert not source.live
        items = list(source)
        assert source.ended
        assert source.now == pytest.approx(1.9)
    taken = shots(items)
    assert len(taken) == len(items) == 20
    assert [shot.number for shot in taken] == list(range(20))
    assert [shot.time for shot in taken] == pytest.approx([number / 10 for number in range(20)])
    levels = [float(shot.image[40, 40].mean()) for shot in taken]
    assert levels == pytest.approx([6 * number for number in range(20)], abs=5)
    assert min(np.diff(levels)) > 1


def turned(path: Path) -> Path:
    """Say in an MP4 that its pictures are to be turned by 90 degrees, as phones do."""
    data = bytearray(path.read_bytes())
    matrix = data.find(b"tkhd") + 4 + 24 + 16
    assert struct.unpack(">9i", data[matrix : matrix + 36]) == (65536, 0, 0, 0, 65536, 0, 0, 0, 1 << 30)
    data[matrix : matrix + 36] = struct.pack(">9i", 0, 65536, 0, -65536, 0, 0, 48 << 16, 0, 1 << 30)
    path.write_bytes(data)
    return path


def test_a_turned_video_comes_upright(tmp_path: Path) -> None:
    with open_source(turned(video(tmp_path / "a.mp4")), fast=True) as source:
        shot = source.poll()
    assert isinstance(shot, Shot)
    assert shot.image.shape == (64, 48, 3)
    assert shot.image[4, -4, 2] > 150  # red is at the top right now
    assert shot.image[4, 4, 2] < 100


def ticking(step: float) -> Callable[[], float]:
    """A clock that goes on by ``step`` each time it is asked."""
    ticks = itertools.count()
    return lambda: step * next(ticks)


def test_real_time_skips_what_comes_too_late() -> None:
    clock = [0.0]
    capture = FakeCapture(
        [plain(number) for number in range(40)], count=40, times=[number / 10 for number in range(40)]
    )
    source = open_source("a.mp4", capture=lambda: capture, clock=lambda: clock[0])
    first = source.poll(0)
    clock[0] = 1.57
    second = source.poll(0)
    none = source.poll(0)
    clock[0] = 1.61
    third = source.poll(0)
    assert none is None
    assert [shot.number for shot in (first, second, third) if isinstance(shot, Shot)] == [0, 15, 16]
    assert isinstance(second, Shot)
    assert second.time == pytest.approx(1.5)
    assert source.now == pytest.approx(1.61)
    source.close()
    assert capture.released.is_set()


def test_real_time_gives_all_to_who_keeps_up() -> None:
    times = [number / 50 for number in range(12)]
    capture = FakeCapture([plain()] * 12, count=12, times=times)
    with open_source("a.mp4", capture=lambda: capture, clock=ticking(0.004), config=QUICK) as source:
        taken = list(source)
    assert [item.time for item in taken] == pytest.approx(times)
    assert capture.released.is_set()


def test_a_decoder_that_is_too_slow_still_gives_pictures() -> None:
    capture = FakeCapture([plain()] * 50, count=50, times=[number / 10 for number in range(50)])
    config = replace(QUICK, most_skipped=5)
    with open_source("a.mp4", capture=lambda: capture, clock=ticking(10.0), config=config) as source:
        numbers = [shot.number for shot in shots(source)]
    assert numbers[-1] == 49
    assert max(np.diff(numbers)) <= 6


@pytest.mark.parametrize(
    ("times", "wanted"),
    [
        ([0.0, 0.1, 0.2, 0.3], [0.0, 0.1, 0.2, 0.3]),
        ([5.0, 5.1, 5.2, 5.3], [0.0, 0.1, 0.2, 0.3]),
        ([0.0, 0.0, 0.0, 0.0], [0.0, 0.1, 0.2, 0.3]),
        ([0.0, 0.1, 0.1, 0.3], [0.0, 0.1, 0.2, 0.3]),
        ([0.0, 2.0, 2.5, 9.0], [0.0, 2.0, 2.5, 9.0]),
        ([7.0, 7.1, 0.0, 0.1], [0.0, 0.1, 0.2, 0.3]),
        ([0.0, 0.1, 900.0, 900.1], [0.0, 0.1, 0.2, 0.3]),
        ([0.0, 0.1, 900.0, 900.3], [0.0, 0.1, 0.2, 0.5]),
        ([float("nan"), 0.1, float("nan"), float("inf")], [0.0, 0.1, 0.2, 0.3]),
        ([0.0, 0.0001, 0.0002, 0.0003], [0.0, 0.1, 0.2, 0.3]),
    ],
)
def test_times_of_a_video_never_go_backwards(times: list[float], wanted: list[float]) -> None:
    timeline = Timeline(10.0, 30.0, 10.0)
    assert [timeline.time(at) for at in times] == pytest.approx(wanted)


@pytest.mark.parametrize("rate", [0.0, -1.0, float("nan"), float("inf"), 90_000.0])
def test_a_senseless_rate_becomes_the_usual_one(rate: float) -> None:
    assert Timeline(rate, 25.0, 10.0).step == pytest.approx(0.04)


def test_a_video_cut_short_says_where(tmp_path: Path) -> None:
    path = video(tmp_path / "a.avi", count=40, fourcc="MJPG")
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with open_source(path, fast=True) as source:
        items = list(source)
    taken, [notice] = shots(items), notices(items)
    assert 10 <= len(taken) <= 30
    assert notice.kind is NoticeKind.CUT_SHORT
    assert notice.text == (
        f"a.avi ends at {taken[-1].time:.1f} s of 4.0 s: it is cut short or damaged; what was read counts"
    )
    assert notice.time == taken[-1].time


def test_a_video_that_fails_in_the_middle_ends_with_a_word() -> None:
    capture = FakeCapture([plain()] * 3 + [cv2.error("broken")], count=100)
    items = list(open_source("a.mp4", fast=True, capture=lambda: capture))
    assert len(shots(items)) == 3
    assert [notice.kind for notice in notices(items)] == [NoticeKind.CUT_SHORT]


def test_what_is_no_picture_in_a_video_is_left_out() -> None:
    capture = FakeCapture(
        [plain(), np.zeros((4, 4, 2), np.uint8), plain(0, (8, 8)), np.zeros((4, 6), np.uint8)], count=4
    )
    taken = shots(open_source("a.mp4", fast=True, capture=lambda: capture))
    assert [(shot.number, shot.image.shape) for shot in taken] == [(0, (12, 16, 3)), (2, (8, 8, 3)), (3, (4, 6, 3))]


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("a.mp4", b"", "'a.mp4' is empty"),
        ("a.mp4", b"no video at all\n" * 99, "'a.mp4' is text, no video: give"),
        ("a.nfo", b"FFmpeg would draw this", "'a.nfo' is text, no video: give"),
        ("a.mp4", bytes(range(256)) * 40, "'a.mp4' is no video that is read: give"),
        ("a.m3u8", b"#EXTM3U\n#EXTINF:1,\nother.ts\n", "'a.m3u8' is text"),
    ],
)
def test_files_that_are_no_videos_are_refused(tmp_path: Path, name: str, data: bytes, says: str) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(SourceOpenError, match=says):
        open_source(path)


def test_an_mp4_without_its_end_says_so(tmp_path: Path) -> None:
    path = video(tmp_path / "a.mp4")
    path.write_bytes(path.read_bytes()[:-1000])
    with pytest.raises(SourceOpenError, match="is a video without its end"):
        open_source(path)


def test_a_video_without_pictures_is_refused() -> None:
    capture = FakeCapture([], count=10)
    with pytest.raises(SourceOpenError, match=r"'a\.mp4' holds no picture"):
        open_source("a.mp4", capture=lambda: capture)
    assert capture.released.is_set()


def test_closing_a_video_wakes_who_waits() -> None:
    capture = FakeCapture([plain()] * 2, count=2, times=[0.0, 60.0])
    source = open_source("a.mp4", capture=lambda: capture, config=replace(QUICK, longest_gap=100.0))
    assert isinstance(source.poll(), Shot)
    got = list[object]()
    reader = threading.Thread(target=lambda: got.append(source.poll()))
    reader.start()
    source.close()
    reader.join(PATIENCE)
    assert got == [None]
    assert capture.released.is_set()


def test_a_video_closed_while_it_hangs_is_released_when_it_returns() -> None:
    reading, hold = threading.Event(), threading.Event()

    def hangs() -> Picture:
        reading.set()
        hold.wait(PATIENCE)
        return plain()

    capture = FakeCapture([plain(), hangs, plain()], count=3)
    source = open_source("a.mp4", fast=True, capture=lambda: capture, config=replace(QUICK, close_limit=0.01))
    assert isinstance(source.poll(), Shot)
    got = list[object]()
    reader = threading.Thread(target=lambda: got.append(source.poll()))
    reader.start()
    assert reading.wait(PATIENCE)
    source.close()
    assert not capture.released.is_set()
    hold.set()
    reader.join(PATIENCE)
    assert got == [None]
    assert capture.released.is_set()


@pytest.mark.parametrize(("name", "count"), [("video2.mp4", 352), ("video3.mp4", 810)])
def test_clips_of_a_phone_are_read_to_their_end(shared: Path, name: str, count: int) -> None:
    with open_source(shared / "data" / "video" / name, fast=True) as source:
        taken = [(item.time, item.number) for item in source if isinstance(item, Shot)]
    assert len(taken) == count
    assert taken[-1][0] == pytest.approx((count - 1) / 30)
    assert taken[-1][1] == count - 1


def test_a_clip_truncated_in_the_middle_counts_up_to_there(shared: Path, tmp_path: Path) -> None:
    data = (shared / "data" / "video" / "video2.mp4").read_bytes()
    path = tmp_path / "half.mp4"
    path.write_bytes(data[: len(data) // 2])
    items = list(open_source(path, fast=True))
    assert 100 < len(shots(items)) < 250
    assert notices(items)[0].text.startswith("half.mp4 ends at ")


def test_a_folder_comes_in_natural_order(tmp_path: Path) -> None:
    for name, level in (("10.png", 30), ("2.PNG", 20), ("1.jpg", 10)):
        (tmp_path / name).write_bytes(cv2.imencode(Path(name).suffix.lower(), plain(level, (64, 48)))[1].tobytes())
    (tmp_path / "3.txt").write_text("not a picture")
    (tmp_path / ".hidden").write_text("left out")
    (tmp_path / "0").mkdir()
    with open_source(str(tmp_path), fast=True, config=SourceConfig(folder_rate=4.0)) as source:
        items = list(source)
    assert [int(shot.image[0, 0, 0]) for shot in shots(items)] == [10, 20, 30]
    assert [shot.time for shot in shots(items)] == [0.0, 0.25, 0.75]
    [notice] = notices(items)
    assert notice.text.startswith("'3.txt' is skipped: this is no picture")
    assert notice.kind is NoticeKind.SKIPPED


def test_a_folder_in_real_time_keeps_its_pace_and_skips_none(tmp_path: Path, jpeg: bytes) -> None:
    for number in range(4):
        (tmp_path / f"{number}.jpg").write_bytes(jpeg)
    clock = [0.0]
    source = open_source(tmp_path, clock=lambda: clock[0])
    assert isinstance(source.poll(0), Shot)
    assert source.poll(0) is None
    clock[0] = 1.6
    late = [source.poll(0) for _ in range(3)]
    assert [shot.number for shot in late if isinstance(shot, Shot)] == [1, 2, 3]
    assert source.poll(0) is None
    assert source.ended


def test_files_too_large_are_skipped_unread(tmp_path: Path, jpeg: bytes) -> None:
    (tmp_path / "1.jpg").write_bytes(jpeg + bytes(100_000))
    (tmp_path / "2.jpg").write_bytes(jpeg)
    config = SourceConfig(limits=replace(SourceConfig().limits, max_bytes=len(jpeg)))
    items = list(open_source(tmp_path, fast=True, config=config))
    assert "at most" in notices(items)[0].text
    assert [shot.number for shot in shots(items)] == [1]


def test_one_picture_is_a_source_too(table: Path) -> None:
    assert [shot.image.shape for shot in shots(open_source(table, fast=True))] == [(160, 320, 3)]


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceOpenError, match="holds no file"):
        open_source(tmp_path)
