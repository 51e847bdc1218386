"""What people type as a source, and that no password is told."""

from __future__ import annotations

import pytest

from tests.fake_captures import (
    QUICK,
    Camera,
    FakeCapture,
    is_notice,
    notices,
    plain,
    takes,
)
from vision.sources import (
    NoticeKind,
    SourceError,
    SourceMissingError,
    SourceNameError,
    SourceOpenError,
    open_source,
)


@pytest.mark.parametrize(
    ("spec", "family", "says"),
    [
        (-1, SourceNameError, "cameras are numbered from 0; got -1"),
        ("-1", SourceNameError, "cameras are numbered from 0; got -1"),
        ("99999", SourceNameError, "cameras are numbered from 0; got 99999"),
        ("", SourceNameError, "no source is named"),
        ("ftp://host/x", SourceNameError, "got the scheme 'ftp'"),
        ("file:///etc/passwd", SourceNameError, "got the scheme 'file'"),
        ("http://", SourceNameError, "names no host"),
        ("http://ho st/", SourceNameError, "a blank or a line break"),
        ("http://host/\r\nX-Header: 1", SourceNameError, "a blank or a line break"),
        ("nowhere.mp4", SourceMissingError, "'nowhere.mp4' is not there"),
        ("x" * 400, SourceNameError, "cannot be looked up"),
        ("a\0b", SourceError, "'a"),
    ],
)
def test_what_names_no_source_is_refused(spec: str | int, family: type[SourceError], says: str) -> None:
    with pytest.raises(family) as caught:
        open_source(spec)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "spec",
    [
        "rtsp://bob:secret@127.0.0.1:9/live",
        "http://bob:secret@127.0.0.1:9/secret",
        "http://bob:secret@/live",
        "ftp://bob:secret@host/",
        "bob:secret@host://x",
        "rtsp:/bob:secret@host/live",
    ],
)
def test_passwords_are_never_told(spec: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SourceError) as caught:
        open_source(spec, config=QUICK)
    told = [str(caught.value), repr(caught.value.__cause__), repr(caught.value.__context__), *capfd.readouterr()]
    assert "secret" not in " ".join(told)


def test_a_stream_that_is_lost_is_told_by_its_host_only() -> None:
    lost = Camera(lambda: FakeCapture([plain()]), SourceOpenError("no"))
    with open_source("rtsp://bob:secret@camera/live", capture=lost, config=QUICK) as source:
        assert notices(takes(source, is_notice(NoticeKind.GONE)))[0].text == "rtsp://camera is gone; trying again"
        assert "secret" not in repr(source)
