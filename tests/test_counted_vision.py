"""What those who work on pictures do is counted: photos with their stages, and workers that were replaced."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from service.counted_vision import CountedVision
from service.metrics import Metrics
from service.upload import Parts
from service.uploaded import Uploaded
from service.workers import Answered, BrokenError, Camera, Correction, FrameError, Sight, TooSlowError, Vision, Work

NOTHING = Parts({}, {})


def nothing(parts: Parts, desk: Uploaded) -> Answered:
    """Be no work at all."""
    raise AssertionError("it is never done")


class Script:
    """Answers with ``answer``, or raises it; notes what is asked of it."""

    def __init__(self, answer: Answered | Exception) -> None:
        """Answer so from now on."""
        self.answered, self.asked = answer, list[str]()

    async def start(self) -> None:
        """Note it."""
        self.asked.append("start")

    async def close(self) -> None:
        """Note it."""
        self.asked.append("close")

    async def answer(self, work: Work, parts: Parts) -> Answered:
        """Answer, or raise."""
        if isinstance(self.answered, Exception):
            raise self.answered
        return self.answered

    async def see(self, camera: Camera, jpeg: bytes, time: float, corrections: Sequence[Correction] = ()) -> Sight:
        """Raise."""
        assert isinstance(self.answered, Exception)
        raise self.answered

    async def forget(self, camera: str) -> None:
        """Note it."""
        self.asked.append(f"forget {camera}")


def counted(answer: Answered | Exception) -> tuple[Vision, Metrics, Script]:
    """Return one that is counted, where it is counted, and what is inside."""
    metrics, inner = Metrics(), Script(answer)
    return CountedVision(inner, metrics), metrics, inner


def test_photos_are_counted_with_their_stages_and_other_answers_are_not() -> None:
    vision, metrics, _ = counted(Answered.json("{}", {"load": 5.0}))
    assert asyncio.run(vision.answer(nothing, NOTHING)).body == b"{}"
    assert metrics.value("set_referee_photos_total") == 1
    assert metrics.value("set_referee_photo_stage_seconds_sum", stage="load") == 0.005
    vision, metrics, _ = counted(Answered.json("{}"))
    asyncio.run(vision.answer(nothing, NOTHING))
    assert metrics.value("set_referee_photos_total") == 0


@pytest.mark.parametrize(
    ("error", "restarts"), [(TooSlowError(3), 1), (BrokenError(), 1), (FrameError("no picture"), 0)]
)
def test_workers_that_were_replaced_are_counted(error: Exception, restarts: int) -> None:
    vision, metrics, _ = counted(error)
    with pytest.raises(type(error)):
        asyncio.run(vision.answer(nothing, NOTHING))
    assert metrics.value("set_referee_worker_restarts_total") == restarts
    with pytest.raises(type(error)):
        asyncio.run(vision.see(Camera("a", "classic"), b"", 0.0))
    assert metrics.value("set_referee_worker_restarts_total") == 2 * restarts
    assert metrics.value("set_referee_photos_total") == 0


def test_the_rest_is_handed_on() -> None:
    vision, _, inner = counted(Answered.json("{}"))

    async def scenario() -> None:
        await vision.start()
        await vision.forget("a")
        await vision.close()

    asyncio.run(scenario())
    assert inner.asked == ["start", "forget a", "close"]
