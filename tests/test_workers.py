"""Work on pictures in processes: what they hold up or break is theirs alone."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Coroutine, Iterator
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import psutil
import pytest

from engine.tokens import parse_piece
from service.errors import ArgumentError, BoardFileError, ModelsMissingError, ServiceError, code_of
from service.settings import Settings
from service.upload import Parts
from service.workers import (
    Answered,
    BrokenError,
    Camera,
    FaultError,
    FrameError,
    LocalVision,
    ProcessVision,
    TooManyCamerasError,
    TooSlowError,
    Vision,
    Work,
)
from service.workers.lane import Lane, Plan, answer
from tests import worker_jobs as jobs
from vision.load import TooManyPixelsError

T = TypeVar("T")
SETTINGS = Settings(workers=2, picture_seconds=1, max_cameras=3)
ROOT = Path(__file__).parent.parent


def parts(text: str = "hello") -> Parts:
    """A form with one text."""
    return Parts({}, {"game": (text,)})


class Running:
    """Vision, and the event loop in which it lives."""

    def __init__(self, vision: Vision, runner: asyncio.Runner) -> None:
        self.vision, self._runner = vision, runner

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Return what comes of it."""
        return self._runner.run(work)

    def answer(self, work: Work, text: str = "hello") -> dict[str, Any]:
        """Return the JSON of an answer."""
        answer: dict[str, Any] = json.loads(self.run(self.vision.answer(work, parts(text))).body)
        return answer

    def together(self, *works: Work) -> list[Answered | BaseException]:
        """Return how all of these end, begun in this order."""

        async def all_of_them() -> list[Answered | BaseException]:
            tasks = [self.vision.answer(work, parts()) for work in works]
            return list(await asyncio.gather(*tasks, return_exceptions=True))

        return self.run(all_of_them())


def _opened(kind: type[ProcessVision] | type[LocalVision], settings: Settings = SETTINGS) -> Iterator[Running]:
    with asyncio.Runner() as runner:
        vision = kind(settings, jobs.fake_referee, jobs.fake_tracker)
        runner.run(vision.start())
        yield Running(vision, runner)
        runner.run(vision.close())


@pytest.fixture(scope="module")
def processes() -> Iterator[Running]:
    """Two processes with a fake reader."""
    yield from _opened(ProcessVision)


@pytest.fixture(scope="module")
def threads() -> Iterator[Running]:
    """The same in threads."""
    yield from _opened(LocalVision)


@pytest.fixture(params=["processes", "threads"])
def either(request: pytest.FixtureRequest) -> Running:
    """One after the other."""
    running: Running = request.getfixturevalue(request.param)
    return running


def text_of(answered: Answered | BaseException) -> str:
    """The text of an answer of :func:`tests.worker_jobs.echo`."""
    assert isinstance(answered, Answered), answered
    text: str = json.loads(answered.body)["text"]
    return text


# What is the same in processes and in threads.


def test_work_is_answered(either: Running) -> None:
    assert either.answer(jobs.echo)["text"] == "hello"


@pytest.mark.parametrize(
    ("work", "kind", "code", "text"),
    [
        (jobs.refuse_plainly, ArgumentError, "bad-argument", "--wild: no such square"),
        (jobs.refuse, BoardFileError, "bad-board-file", "--board FILE: the picture has 90000 x 90000"),
    ],
)
def test_a_refusal_arrives_as_it_was(
    work: Work, kind: type[ServiceError], code: str, text: str, either: Running
) -> None:
    with pytest.raises(kind) as caught:
        either.answer(work)
    assert type(caught.value) is kind
    assert code_of(caught.value) == code
    assert str(caught.value).startswith(text)


def test_a_refusal_still_tells_of_the_one_that_it_comes_from(either: Running) -> None:
    with pytest.raises(BoardFileError) as caught:
        either.answer(jobs.refuse)
    cause = caught.value.__context__
    assert isinstance(cause, TooManyPixelsError)
    assert str(cause) in str(caught.value)


def test_a_fault_is_none_of_the_client(either: Running) -> None:
    with pytest.raises((FaultError, IndexError)) as caught:
        either.answer(jobs.fail, "9")
    assert not isinstance(caught.value, ServiceError)
    assert "out of range" in str(caught.value)


CAMERA = Camera("c1", "classic")


def test_a_camera_is_followed_until_it_is_forgotten(either: Running, jpeg: bytes) -> None:
    vision, run = either.vision, either.run
    first = run(vision.see(CAMERA, jpeg, 1.0))
    assert (first.fresh, first.moment.time, len(first.moment.tracks)) == (True, 1.0, 3)
    assert [track.reading.name for track in first.moment] == list(jobs.CARDS)
    card = parse_piece("1 green open squiggle")
    corrected = run(vision.see(CAMERA, jpeg, 1.1, [(2, card), (99, card)]))
    assert not corrected.fresh
    assert [track.reading.name for track in corrected.moment][1] == "1 green open squiggle"
    assert [track.reading.name for track in run(vision.see(CAMERA, jpeg, 1.2)).moment][1] == "1 green open squiggle"
    run(vision.forget(CAMERA.id))
    run(vision.forget("nobody"))
    again = run(vision.see(CAMERA, jpeg, 1.3))
    assert (again.fresh, [track.reading.name for track in again.moment]) == (True, list(jobs.CARDS))
    run(vision.forget(CAMERA.id))


def test_stills_come_five_times_a_second(either: Running, jpeg: bytes) -> None:
    camera = Camera("stills", "classic")
    sights = [either.run(either.vision.see(camera, jpeg, number / 8)) for number in range(9)]
    assert [number for number, sight in enumerate(sights) if sight.still is not None] == [0, 2, 4, 6, 8]
    either.run(either.vision.forget(camera.id))


def test_a_picture_that_is_none_is_refused_and_the_camera_goes_on(either: Running, jpeg: bytes) -> None:
    camera = Camera("bad", "classic")
    with pytest.raises(FrameError, match="JPEG"):
        either.run(either.vision.see(camera, b"\x89PNG\r\n\x1a\n" + bytes(99), 0.0))
    assert either.run(either.vision.see(camera, jpeg, 0.1)).fresh
    with pytest.raises(FrameError):
        either.run(either.vision.see(camera, jpeg[: len(jpeg) // 2], 0.2))
    assert not either.run(either.vision.see(camera, jpeg, 0.3)).fresh
    either.run(either.vision.forget(camera.id))


def test_a_tracker_that_has_a_fault_begins_anew(either: Running, jpeg: bytes) -> None:
    camera = Camera("fault", "classic")
    assert either.run(either.vision.see(camera, jpeg, 0.0)).fresh
    with pytest.raises((FaultError, AssertionError)):
        either.run(either.vision.see(camera, jpeg, -1.0))
    assert either.run(either.vision.see(camera, jpeg, 0.1)).fresh
    either.run(either.vision.forget(camera.id))


def test_there_are_only_so_many_cameras(either: Running, jpeg: bytes) -> None:
    cameras = [Camera(f"many {number}", "classic") for number in range(4)]
    for camera in cameras[:3]:
        either.run(either.vision.see(camera, jpeg, 0.0))
    with pytest.raises(TooManyCamerasError, match="3 cameras"):
        either.run(either.vision.see(cameras[3], jpeg, 0.0))
    either.run(either.vision.forget(cameras[0].id))
    assert either.run(either.vision.see(cameras[3], jpeg, 0.0)).fresh
    for camera in cameras:
        either.run(either.vision.forget(camera.id))


def test_missing_models_are_told_when_it_starts() -> None:
    async def start(vision: Vision) -> None:
        try:
            await vision.start()
        finally:
            await vision.close()

    for kind in (ProcessVision, LocalVision):
        with pytest.raises(ModelsMissingError, match=r"^the model folder is gone: install the package again$"):
            asyncio.run(start(kind(SETTINGS, jobs.no_referee)))


# What only processes can do.


def test_work_is_done_elsewhere_by_several(processes: Running) -> None:
    done = [json.loads(text.body) for text in processes.together(*[jobs.sleep] * 4) if isinstance(text, Answered)]
    numbers = {one["process"] for one in done}
    assert len(done) == 4
    assert len(numbers) == 2
    assert os.getpid() not in numbers


def test_what_takes_too_long_is_ended_and_what_waits_behind_it_is_not(processes: Running) -> None:
    start = time.monotonic()
    first, second, *others = processes.together(jobs.hang, jobs.hang, jobs.echo, jobs.echo, jobs.echo)
    for slow in (first, second):
        assert isinstance(slow, TooSlowError)
        assert code_of(slow) == "too-slow-picture"
        assert "more than 1 second" in str(slow)
    assert [text_of(one) for one in others] == ["hello"] * 3
    assert time.monotonic() - start < 10


def test_what_ends_its_process_ends_nothing_else(processes: Running) -> None:
    broken, *others = processes.together(jobs.die, jobs.sleep, jobs.sleep, jobs.sleep)
    assert isinstance(broken, BrokenError)
    assert code_of(broken) == "breaks-reader"
    assert [text_of(one) for one in others] == ["hello"] * 3


def test_a_picture_of_a_camera_waits_for_the_new_process(processes: Running, jpeg: bytes) -> None:
    camera = Camera("waits", "classic")

    async def behind() -> tuple[bool, bool]:
        before = await processes.vision.see(camera, jpeg, 0.0)
        works = [processes.vision.answer(jobs.die, parts()) for _ in range(2)]
        broken = asyncio.gather(*works, return_exceptions=True)
        await asyncio.sleep(0)
        after = await processes.vision.see(camera, jpeg, 0.1)
        assert all(isinstance(one, BrokenError) for one in await broken)
        return before.fresh, after.fresh

    assert processes.run(behind()) == (True, True)
    processes.run(processes.vision.forget(camera.id))


def test_a_process_that_is_killed_while_it_has_nothing_to_do_is_replaced(processes: Running) -> None:
    killed = {processes.answer(jobs.echo)["process"] for _ in range(3)}
    for number in killed:
        os.kill(number, signal.SIGKILL)
    answers = [processes.answer(jobs.echo) for _ in range(3)]
    assert [answer["text"] for answer in answers] == ["hello"] * 3
    assert not killed & {answer["process"] for answer in answers}


def test_a_process_that_takes_no_jobs_is_replaced() -> None:
    faults: list[dict[str, Any]] = []

    async def stop() -> int:
        asyncio.get_running_loop().set_exception_handler(lambda loop, fault: faults.append(fault))
        lane = Lane(Plan(SETTINGS, jobs.fake_referee, jobs.fake_tracker, slack=0.2))
        first = await lane.run(answer, jobs.echo, parts())
        number: int = json.loads(first.body)["process"]
        os.kill(number, signal.SIGSTOP)
        tasks = [lane.run(answer, jobs.echo, parts(), seconds=seconds) for seconds in (1, 30)]
        slow, waited = await asyncio.gather(*tasks, return_exceptions=True)
        assert isinstance(slow, TooSlowError)
        assert text_of(waited) == "hello"
        await asyncio.wait(lane._endings)
        await lane.close()
        return number

    assert not psutil.pid_exists(asyncio.run(stop()))
    assert not faults


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells which signals a process hears")
def test_no_process_hears_interrupts_also_none_that_replaces_another(processes: Running) -> None:
    assert isinstance(processes.together(jobs.die)[0], BrokenError)
    for number in {processes.answer(jobs.echo)["process"] for _ in range(3)}:
        status = Path(f"/proc/{number}/status").read_text(encoding="ascii")
        blocked = next(int(line.split()[1], 16) for line in status.splitlines() if line.startswith("SigBlk"))
        assert blocked & 1 << signal.SIGINT - 1


def test_a_client_that_goes_leaves_the_process_alone(processes: Running, jpeg: bytes) -> None:
    camera = Camera("stays", "classic")

    async def leave() -> bool:
        await processes.vision.see(camera, jpeg, 0.0)
        works = [asyncio.create_task(processes.vision.answer(jobs.sleep, parts())) for _ in range(2)]
        await asyncio.sleep(0.01)
        for work in works:
            work.cancel()
        await asyncio.gather(*works, return_exceptions=True)
        return (await processes.vision.see(camera, jpeg, 0.1)).fresh

    assert not processes.run(leave())
    processes.run(processes.vision.forget(camera.id))


def test_closing_ends_what_goes_on() -> None:
    async def close() -> Answered | BaseException:
        vision = ProcessVision(Settings(workers=1), jobs.fake_referee)
        await vision.start()
        mine = json.loads((await vision.answer(jobs.echo, parts())).body)["process"]
        work = asyncio.create_task(vision.answer(jobs.hang, parts()))
        await asyncio.sleep(0.02)
        await vision.close()
        assert not psutil.pid_exists(mine)
        (ended,) = await asyncio.gather(work, return_exceptions=True)
        return ended

    assert isinstance(asyncio.run(close()), BrokenError | asyncio.CancelledError)


SERVER = """
import asyncio, sys
from service.settings import Settings
from service.workers import ProcessVision
from service.workers.lane import Lane, Plan, answer
from tests import worker_jobs as jobs
from service.upload import Parts
async def run():
    vision = ProcessVision(Settings(workers=2), jobs.fake_referee)
    await vision.start()
    print("ready", flush=True)
    await asyncio.gather(*(vision.answer(jobs.hang, Parts({}, {})) for _ in range(2)))
if __name__ == "__main__":
    asyncio.run(run())
"""


def test_processes_end_with_a_parent_that_is_killed() -> None:
    command = [sys.executable, "-c", SERVER]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:  # noqa: S603
        assert server.stdout is not None
        assert server.stdout.readline() == "ready\n"
        children = psutil.Process(server.pid).children()
        server.kill()
        server.wait()
        _, alive = psutil.wait_procs(children, timeout=5)
    assert len(children) == 3  # two workers, and what cleans up semaphores
    assert not alive


def test_partials_are_work_too(processes: Running, tmp_path: Path) -> None:
    assert processes.answer(partial(jobs.sleep, seconds=0.0))["text"] == "hello"
