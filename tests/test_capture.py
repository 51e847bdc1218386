"""Frames made BGR, addresses shown without secrets, and cameras that are not there."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.fake_captures import (
    QUICK,
    Picture,
)
from vision.capture import bgr_image, cameras, is_usable, natural_key, open_camera, shown_url
from vision.sources import (
    SourceMissingError,
    SourceOpenError,
    open_source,
)


@pytest.mark.parametrize("shape", [(6, 8), (6, 8, 1), (6, 8, 3), (6, 8, 4)])
def test_every_kind_of_frame_becomes_bgr(shape: tuple[int, ...]) -> None:
    frame = np.full(shape, 70, np.uint8)
    frame[..., -1:] = 70
    assert is_usable(frame)
    image = bgr_image(frame, 10_000)
    assert image.shape == (6, 8, 3)
    assert image.dtype == np.uint8
    assert (image == 70).all()


def test_the_colours_of_bgra_stay() -> None:
    frame = np.zeros((2, 2, 4), np.uint8)
    frame[:] = (1, 2, 3, 4)
    assert bgr_image(frame, 100)[0, 0].tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    "frame", [None, np.zeros((0, 4, 3), np.uint8), np.zeros((4, 4, 2), np.uint8), np.zeros((4, 4), np.uint16)]
)
def test_what_is_no_picture_is_told(frame: Picture | None) -> None:
    assert not is_usable(frame)


@pytest.mark.parametrize("channels", [1, 3, 4])
def test_large_frames_are_shrunk(channels: int) -> None:
    image = bgr_image(np.zeros((300, 400, channels), np.uint8), 30_000)
    assert image.shape == (150, 200, 3)


def test_names_sort_as_people_count() -> None:
    names = ["b", "img10", "img9", "IMG1", "²", "10", "9", "a1b2", "a1b10"]
    assert sorted(names, key=natural_key) == ["9", "10", "a1b2", "a1b10", "b", "IMG1", "img9", "img10", "²"]


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("rtsp://bob:secret@camera.local:554/live?token=secret", "rtsp://camera.local"),
        ("RTSPS://camera/secret", "rtsps://camera"),
        ("http://[::1]:80/", "http://::1"),
        ("http://bob:sec/ret@camera/x", "http://…"),
        ("http://bob:12/34@camera/x", "http://…"),
        ("http://bob:sec#ret@camera/x", "http://…"),
        ("http://bob:sec@ret@camera/x", "http://camera"),
        ("http://bob:secret@[camera/x", "http://…"),
    ],
)
def test_of_an_address_only_scheme_and_host_are_shown(url: str, shown: str) -> None:
    assert shown_url(url) == shown


def test_cameras_are_those_that_linux_lists(tmp_path: Path) -> None:
    for name in ("video10", "video2", "video", "videox", "null"):
        (tmp_path / name).touch()
    assert cameras(tmp_path) == ("2", "10")


def test_a_missing_camera_names_those_that_are_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    with pytest.raises(SourceMissingError, match="camera 3 is not there; no camera is connected"):
        open_camera(3, QUICK, tmp_path)
    (tmp_path / "video0").touch()
    with pytest.raises(SourceMissingError, match="camera 3 is not there; cameras here: 0"):
        open_camera(3, QUICK, tmp_path)


def test_a_device_that_is_no_camera_is_refused() -> None:
    with pytest.raises(SourceOpenError, match="camera /dev/null does not open"):
        open_source("/dev/null", config=QUICK)
