"""What goes between processes: moments, refusals; and the pictures of cameras that are refused before that."""

from __future__ import annotations

import io
import pickle
from collections.abc import Iterator

import numpy as np
import pytest
from PIL import Image as Pillow

from engine.tokens import parse_piece
from service.errors import ArgumentError, ServiceError
from service.settings import Settings
from service.workers import FaultError, FrameError, Sight
from service.workers.frames import StillConfig, Stills, picture_of
from service.workers.moments import packed, unpacked
from service.workers.outcome import Done, Fault, Outcome, Refusal, outcome_of, value_of
from tests.fakes import encoded
from vision.load import TooManyPixelsError, load
from vision.tracks import Advice, Moment, Scene, Track
from vision.types import Deck, Doubt, Image, Kind, Quad, Reading, VisionError

CELL = (3, 4)


def sent(outcome: Outcome[int]) -> Outcome[int]:
    """The outcome after its way to another process."""
    arrived: Outcome[int] = pickle.loads(pickle.dumps(outcome))  # noqa: S301
    return arrived


# Outcomes.


def _children(kind: type[Exception]) -> Iterator[type[Exception]]:
    for child in kind.__subclasses__():
        yield child
        yield from _children(child)


@pytest.mark.parametrize("family", [ServiceError, VisionError])
def test_every_refusal_survives_the_way(family: type[Exception]) -> None:
    kinds = [kind for kind in _children(family) if not kind.__module__.startswith("tests")]
    assert len(kinds) > 5
    for kind in kinds:
        if not issubclass(kind, ServiceError | VisionError):
            continue
        error = Refusal(kind, "a text of one line").error()
        assert type(error) is kind
        assert str(sent(Refusal.of(error))) == str(Refusal(kind, str(error)))
        assert str(error).strip("'") == "a text of one line"


def _refused() -> int:
    try:
        raise TooManyPixelsError((9, 9), 80)
    except TooManyPixelsError as error:
        raise ArgumentError(f"--empty: {error}") from None


def test_a_refusal_keeps_the_one_that_it_comes_from() -> None:
    outcome = sent(outcome_of(_refused))
    assert outcome == Refusal(
        ArgumentError, f"--empty: {TooManyPixelsError((9, 9), 80)}", Refusal.of(TooManyPixelsError((9, 9), 80))
    )
    with pytest.raises(ArgumentError, match=r"^--empty") as caught:
        value_of(outcome)
    assert isinstance(caught.value.__context__, TooManyPixelsError)


def test_a_fault_brings_its_traceback() -> None:
    outcome = sent(outcome_of(lambda: 1 // 0))
    assert isinstance(outcome, Fault)
    with pytest.raises(FaultError, match="ZeroDivisionError"):
        value_of(outcome)


def test_a_value_is_passed_on() -> None:
    assert sent(outcome_of(lambda: 7)) == Done(7)
    assert value_of(Done(7)) == 7


# Moments.


def _sight(count: int) -> Sight:
    quad = Quad.of([(1.5, 2), (40, 2), (40, 80.25), (1, 80)])
    piece = parse_piece("2 red striped diamond")
    reading = Reading(quad, piece, 0.75, {"colour": 0.9, "number": 0.8}, Doubt.GLARE, Kind.CARD, CELL)
    tracks = tuple(Track(number, reading, 0.5, 2.5, number == 1, number == 2) for number in range(count))
    moment = Moment(2.5, (1280, 720), Scene.HANDS, False, 2.25, tracks, Deck.US, None, 8.5, Advice.HANDS)
    return Sight(moment, b"still", 9.5, True)


def test_a_moment_arrives_without_what_nobody_needs() -> None:
    sight = _sight(3)
    arrived = unpacked(pickle.loads(pickle.dumps(packed(sight))))  # noqa: S301
    assert (arrived.still, arrived.ms, arrived.fresh) == (b"still", 9.5, True)
    one, other = arrived.moment, sight.moment
    assert (one.time, one.size, one.scene, one.settled) == (other.time, other.size, other.scene, other.settled)
    assert (one.changed, one.deck, one.ms, one.advice) == (other.changed, other.deck, other.ms, other.advice)
    for track, before in zip(one, other, strict=True):
        assert (track.identity, track.first, track.last) == (before.identity, before.first, before.last)
        assert (track.hidden, track.corrected) == (before.hidden, before.corrected)
        mine, theirs = track.reading, before.reading
        assert (mine.piece, mine.kind, mine.doubt, mine.cell) == (theirs.piece, theirs.kind, theirs.doubt, theirs.cell)
        assert mine.confidence == theirs.confidence
        np.testing.assert_array_equal(mine.quad.corners, theirs.quad.corners)
        assert not mine.features


def test_a_moment_is_small() -> None:
    assert len(pickle.dumps(packed(_sight(12)))) < 2500
    assert list(unpacked(packed(_sight(0))).moment) == []


# Pictures of cameras.

FRAME = np.random.default_rng(5).integers(0, 255, (90, 160, 3), np.uint8)


def _progressive() -> bytes:
    file = io.BytesIO()
    Pillow.fromarray(FRAME).save(file, "JPEG", progressive=True)
    return file.getvalue()


def _commented(text: bytes) -> bytes:
    """A JPEG with a comment."""
    jpeg = encoded(FRAME)
    return jpeg[:2] + b"\xff\xfe" + (len(text) + 2).to_bytes(2, "big") + text + jpeg[2:]


@pytest.mark.parametrize("jpeg", [encoded(FRAME), _progressive(), _commented(b"hello")])
def test_a_picture_of_a_camera_is_decoded(jpeg: bytes) -> None:
    image = picture_of(jpeg, Settings())
    assert image.shape == (90, 160, 3)
    assert image.dtype == np.uint8


@pytest.mark.parametrize(
    ("jpeg", "words"),
    [
        (b"", "has to be a JPEG"),
        (b"hello", "has to be a JPEG"),
        (b"\xff\xd8\xffhello", "JPEG"),
        (encoded(FRAME, ".png"), "JPEG"),
        (encoded(FRAME)[:3000], "cut short"),
        (_commented(b"\xff\xda" * 40), "41 scans: at most 32"),
        (encoded(np.zeros((200, 300, 3), np.uint8)), "300 x 200"),
        (encoded(FRAME) + bytes(60_000), "at most 60,000"),
    ],
)
def test_a_picture_that_is_none_is_refused(jpeg: bytes, words: str) -> None:
    with pytest.raises(FrameError) as caught:
        picture_of(jpeg, Settings(frame_bytes=60_000, frame_pixels=50_000))
    assert words in str(caught.value)
    assert caught.value.code == "bad-frame"


def test_pixels_are_counted_before_anything_is_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    def decoded(*arguments: object, **options: object) -> None:
        raise AssertionError("it was decoded")

    monkeypatch.setattr("simplejpeg.decode_jpeg", decoded)
    with pytest.raises(FrameError):
        picture_of(encoded(np.zeros((200, 300, 3), np.uint8)), Settings(frame_pixels=50_000))


def _image(width: int, height: int) -> Image:
    return np.full((height, width, 3), 120, np.uint8)


def test_stills_are_small_and_rare() -> None:
    stills = Stills(StillConfig(pause=0.5, width=48))
    made = [stills.of(_image(160, 90), time) for time in (1.0, 1.4, 1.5, 1.6, 0.2, 0.3)]
    assert [still is not None for still in made] == [True, False, True, False, True, False]
    assert load(made[0] or b"").size == (48, 27)
    assert load(stills.of(_image(40, 30), 9.0) or b"").size == (40, 30)
