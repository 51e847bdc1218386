"""Cameras and streams that hang, go and come back, and an HTTP camera."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.fake_captures import (
    PATIENCE,
    QUICK,
    Camera,
    FakeCapture,
    Picture,
    is_notice,
    is_shot,
    notices,
    plain,
    shots,
    steady,
    takes,
    video,
)
from tests.fakes import encoded
from vision.sources import (
    NoticeKind,
    Shot,
    Source,
    SourceConfig,
    SourceError,
    SourceMissingError,
    SourceOpenError,
    open_source,
)


def camera(*tries: Callable[[], FakeCapture] | Exception, config: SourceConfig = QUICK) -> Source:
    """Camera 0, which behaves as told."""
    return open_source(0, capture=Camera(*tries), config=config)


def test_a_camera_gives_its_newest_picture_only() -> None:
    behind = threading.Event()

    def frames() -> Iterator[Picture]:
        yield plain(0)
        for level in range(1, 51):
            yield plain(level)
        behind.set()
        time.sleep(0.05)
        yield plain(200)
        while True:
            time.sleep(0.01)
            yield plain(201)

    with camera(lambda: FakeCapture(frames())) as source:
        assert behind.wait(PATIENCE)
        first, second = source.poll(PATIENCE), source.poll(PATIENCE)
    assert isinstance(first, Shot)
    assert isinstance(second, Shot)
    assert first.image[0, 0, 0] >= 50  # the queue holds one, and never grows
    assert first.number >= 50
    assert second.number > first.number
    assert second.time >= first.time


def test_nothing_new_within_the_wait_is_none() -> None:
    hold = threading.Event()
    with camera(
        lambda: FakeCapture([plain(), lambda: hold.wait(PATIENCE) and None]), config=replace(QUICK, silence=PATIENCE)
    ) as source:
        assert isinstance(source.poll(PATIENCE), Shot)
        assert source.poll(0.02) is None
        assert not source.ended
        hold.set()


def test_a_camera_that_is_gone_comes_back() -> None:
    lost = Camera(
        lambda: FakeCapture([plain(1)] * 3),
        SourceMissingError("unplugged"),
        SourceOpenError("busy"),
        lambda: steady(7),
    )
    with open_source("0", capture=lost, config=QUICK) as source:
        items = takes(source, is_notice(NoticeKind.BACK))
        after = takes(source, is_shot)[-1]
    assert [notice.text for notice in notices(items)] == ["camera 0 is gone; trying again", "camera 0 is back"]
    assert isinstance(after, Shot)
    assert after.image[0, 0, 0] == 7
    assert after.number >= shots(items)[-1].number + 1
    assert lost.opened == 4
    assert all(capture.released.wait(PATIENCE) for capture in lost.made)


def test_the_pauses_grow_and_then_stay() -> None:
    opened = list[float]()

    def never() -> FakeCapture:
        opened.append(time.monotonic())
        if len(opened) == 1:
            return FakeCapture([plain()])
        raise SourceMissingError("unplugged")

    config = replace(QUICK, first_pause=0.04, longest_pause=0.16)
    with open_source(0, capture=never, config=config) as source:
        until = time.monotonic() + PATIENCE
        while len(opened) < 6 and time.monotonic() < until:
            source.poll(0.05)
    pauses = np.diff(opened)
    for pause, least in zip(pauses, (0.04, 0.08, 0.16, 0.16, 0.16), strict=False):
        assert pause >= 0.95 * least


def test_once_it_is_back_the_pauses_are_short_again() -> None:
    opened = list[float]()

    def flaky() -> FakeCapture:
        opened.append(time.monotonic())
        if len(opened) in (1, 6):
            return FakeCapture([plain()])
        if len(opened) < 6:
            raise SourceMissingError("unplugged")
        return steady()

    with open_source(0, capture=flaky, config=replace(QUICK, first_pause=0.05, longest_pause=60.0)) as source:
        takes(source, is_notice(NoticeKind.BACK))
        takes(source, is_notice(NoticeKind.BACK))
    assert len(opened) == 7
    assert opened[6] - opened[5] < 1.2  # without: 1.6


def test_a_camera_that_opens_and_hangs_again_is_not_waited_for_long() -> None:
    hold = threading.Event()
    stuck = Camera(
        lambda: FakeCapture([plain(), lambda: hold.wait(PATIENCE) and None]),
        lambda: FakeCapture([lambda: hold.wait(PATIENCE) and None]),
        steady,
    )
    with open_source(0, capture=stuck, config=replace(QUICK, open_limit=PATIENCE)) as source:
        items = [source.poll(PATIENCE / 2) for _ in range(3)]
    hold.set()
    assert [notice.kind for notice in notices(item for item in items if item is not None)] == [
        NoticeKind.GONE,
        NoticeKind.BACK,
    ]


def test_a_camera_that_hangs_is_left_and_opened_again() -> None:
    hold = threading.Event()
    stuck = Camera(
        lambda: FakeCapture([plain(1), lambda: plain(99) if hold.wait(PATIENCE) else None]), lambda: steady(5)
    )
    with open_source(0, capture=stuck, config=QUICK) as source:
        items = takes(source, is_notice(NoticeKind.BACK))
        assert notices(items)[0].text == "camera 0 has sent no picture for 0.15 s; trying again"
        assert not stuck.made[0].released.is_set()  # only the thread that reads may release
        hold.set()
        assert stuck.made[0].released.wait(PATIENCE)
        later = shots(takes(source, is_shot) + takes(source, is_shot))
    assert {int(shot.image[0, 0, 0]) for shot in later} == {5}  # nothing of the one that was left


def test_no_more_connections_hang_than_allowed() -> None:
    hold = threading.Event()

    first = FakeCapture([plain(), lambda: hold.wait(PATIENCE) and None])
    stuck = Camera(lambda: first, lambda: FakeCapture([lambda: hold.wait(PATIENCE) and None]))
    config = replace(QUICK, silence=0.01, most_stuck=2)
    with open_source(0, capture=stuck, config=config) as source:
        until = time.monotonic() + 0.5
        while time.monotonic() < until:
            source.poll(0.02)
        assert stuck.opened == 2
        hold.set()
        until = time.monotonic() + PATIENCE
        while stuck.opened < 3 and time.monotonic() < until:
            source.poll(0.02)
        assert stuck.opened >= 3


def test_closing_never_hangs() -> None:
    hold = threading.Event()
    source = camera(lambda: FakeCapture([plain(), lambda: hold.wait(PATIENCE) and None]))
    began = time.monotonic()
    source.close()
    source.close()
    assert time.monotonic() - began < 5
    assert source.ended
    assert source.poll() is None
    assert list(source) == []
    hold.set()


def test_closing_wakes_who_waits() -> None:
    hold = threading.Event()
    source = camera(
        lambda: FakeCapture([plain(), lambda: hold.wait(PATIENCE) and None]), config=replace(QUICK, silence=PATIENCE)
    )
    assert isinstance(source.poll(PATIENCE), Shot)
    got = list[object]()
    reader = threading.Thread(target=lambda: got.append(source.poll()))
    reader.start()
    source.close()
    reader.join(PATIENCE)
    assert got == [None]
    hold.set()


def test_closing_releases_the_camera() -> None:
    works = Camera(steady)
    with open_source(0, capture=works, config=QUICK) as source:
        assert isinstance(source.poll(PATIENCE), Shot)
    assert works.made[0].released.wait(PATIENCE)


@pytest.mark.parametrize(
    ("first", "family", "says"),
    [
        (SourceMissingError("camera 0 is not there; cameras here: 2"), SourceMissingError, "cameras here: 2"),
        (
            lambda: FakeCapture([]),
            SourceOpenError,
            "camera 0 opens, but gives no picture: does another program use it?",
        ),
        (lambda: FakeCapture([cv2.error("broken")]), SourceOpenError, "gives no picture"),
        (lambda: FakeCapture([np.zeros((4, 4, 2), np.uint8)] * 9), SourceOpenError, "gives no picture"),
    ],
)
def test_a_camera_that_never_works_is_refused(
    first: Callable[[], FakeCapture] | Exception, family: type[SourceError], says: str
) -> None:
    with pytest.raises(family, match=says.replace("?", r"\?")):
        camera(first)


def test_a_camera_that_does_not_answer_is_refused() -> None:
    hold = threading.Event()
    with pytest.raises(SourceOpenError, match="camera 0 does not answer"):
        camera(lambda: FakeCapture([lambda: hold.wait(PATIENCE) and None]), config=replace(QUICK, open_limit=0.05))
    hold.set()


def test_one_failed_read_is_no_loss() -> None:
    frames = itertools.chain([plain(1), None, plain(2), None, plain(3)], steady(3).frames)
    with camera(lambda: FakeCapture(frames)) as source:
        items = takes(source, lambda item: isinstance(item, Shot) and item.image[0, 0, 0] == 3)
    assert not notices(items)


def test_frames_may_change_their_size_and_be_black() -> None:
    step = threading.Semaphore(1)
    sizes = [(16, 12), (32, 24), (8, 20)]

    def one(size: tuple[int, int]) -> Callable[[], Picture]:
        return lambda: plain(0, size) if step.acquire(timeout=PATIENCE) else plain(255)

    frames = [one(size) for size in sizes]
    with camera(lambda: FakeCapture(frames), config=replace(QUICK, silence=PATIENCE)) as source:
        seen = []
        for _ in sizes:
            shot = source.poll(PATIENCE)
            assert isinstance(shot, Shot)
            seen.append(shot.image.shape[1::-1])
            assert not shot.image.any()
            step.release()
    assert seen == sizes


def test_a_clock_that_goes_backwards_turns_no_time_back() -> None:
    readings = itertools.chain([100.0, 101.0, 102.0, 50.0, 51.0, 52.0], itertools.repeat(53.0))
    step = threading.Semaphore(1)
    frames = [(lambda: plain() if step.acquire(timeout=PATIENCE) else None) for _ in range(6)]
    source = open_source(
        0, capture=lambda: FakeCapture(frames), clock=lambda: next(readings), config=replace(QUICK, silence=PATIENCE)
    )
    times = []
    with source:
        for _ in frames:
            shot = source.poll(PATIENCE)
            assert isinstance(shot, Shot)
            times.append(shot.time)
            step.release()
    assert times == [1.0, 2.0, 2.0, 3.0, 4.0, 5.0]


def test_the_time_of_a_camera_goes_on() -> None:
    with camera(steady) as source:
        assert source.live
        shot = source.poll(PATIENCE)
        assert isinstance(shot, Shot)
        assert source.now >= shot.time


class Stream(BaseHTTPRequestHandler):
    """An HTTP camera: "/live" goes on, "/ends" stops after some pictures, "/clip" is a file."""

    clip = b""

    def do_GET(self) -> None:
        """Answer."""
        self.send_response(200)
        if self.path == "/clip":
            self.send_header("Content-Length", str(len(self.clip)))
            self.end_headers()
            self.wfile.write(self.clip)
            return
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        data = encoded(plain(90, (64, 48)))
        head = b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(data)
        try:
            for _ in range(12 if self.path == "/ends" else 2000):
                self.wfile.write(head + data + b"\r\n")
                time.sleep(0.005)
        except OSError:
            return  # the other side has closed

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[str]:
    """The address of an HTTP camera."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Stream) as running:
        running.daemon_threads, running.block_on_close = True, False
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield f"http://bob:secret@127.0.0.1:{running.server_port}"
        running.shutdown()
        thread.join(PATIENCE)


NETWORK = replace(QUICK, silence=5.0, open_limit=10.0)


def test_mjpeg_over_http_is_read(server: str) -> None:
    with open_source(f"{server}/live", config=NETWORK) as source:
        first, second = takes(source, is_shot)[-1], takes(source, is_shot)[-1]
    assert isinstance(first, Shot)
    assert isinstance(second, Shot)
    assert first.image.shape == (48, 64, 3)
    assert abs(float(first.image.mean()) - 90) < 3
    assert second.number > first.number


def test_a_stream_that_stops_is_opened_again(server: str) -> None:
    with open_source(f"{server}/ends", config=NETWORK) as source:
        items = takes(source, is_notice(NoticeKind.BACK))
    assert [notice.text for notice in notices(items)] == [
        "http://127.0.0.1 is gone; trying again",
        "http://127.0.0.1 is back",
    ]


def test_a_video_file_by_http_is_no_stream(server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Stream, "clip", video(tmp_path / "a.avi", fourcc="MJPG").read_bytes())
    with pytest.raises(SourceOpenError, match=r"http://127\.0\.0\.1 is a video file, not a live stream"):
        open_source(f"{server}/clip", config=NETWORK)
