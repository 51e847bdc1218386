"""The whole service with its worker processes and the shipped models: how it starts, answers and ends."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import httpx
import psutil

from service.app import create_app
from service.commands import DEMO
from service.game import Game
from service.settings import Settings
from service.upload import Parts
from service.work import read_photo
from service.workers import Camera, ProcessVision
from service.workers.frames import picture_of
from service.workers.worker import shared_tracker, shipped_referee
from tests.fakes import encoded
from tests.served import is_refused, post, serving_app
from tests.worker_jobs import odd_referee
from vision.load import load

ROOT = Path(__file__).parent.parent
PROGRAM = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from service.cli import main
main()
"""


@contextmanager
def serving(folder: Path, **options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run ``set-referee serve`` in a session of its own; yield it and its address."""
    command = [sys.executable, "-W", "error", "-c", PROGRAM, "serve", "--port", "0"]
    environment = {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}", "SET_REFEREE_DATABASE": "", **options}
    environment |= {"XDG_DATA_HOME": str(folder), "HOME": str(folder)}
    process = subprocess.Popen(  # noqa: S603
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    found = re.search(r"http://\S+", process.stdout.readline())
    try:
        yield process, found[0] if found else ""
    finally:
        process.kill()
        process.communicate()


def test_it_answers_from_processes_that_end_with_it_quietly(tmp_path: Path) -> None:
    with serving(tmp_path) as (process, address):
        children = psutil.Process(process.pid).children()
        with httpx.Client(base_url=address, trust_env=False, timeout=30) as client:
            answer = client.post("/api/v1/photos", files={"photo": ("demo.jpg", DEMO.read_bytes())})
            assert answer.status_code == 200
            assert len(answer.json()["sets"]) > 0
            refused = client.post("/api/v1/photos", files={"photo": ("demo.jpg", b"hello")})
            assert (refused.status_code, refused.json()["error"]["code"]) == (415, "not-a-picture")
        os.killpg(process.pid, signal.SIGINT)  # as Ctrl-C does: all of them get it
        _, error = process.communicate(timeout=20)
        assert process.returncode == 0
        assert [json.loads(line)["level"] for line in error.splitlines()] == ["info", "info"]  # the two requests
        _, alive = psutil.wait_procs(children, timeout=5)
        assert not alive


def test_no_process_outlives_a_service_that_is_killed(tmp_path: Path) -> None:
    with serving(tmp_path) as (process, address):
        children = psutil.Process(process.pid).children()
        port = int(address.rpartition(":")[2])
        assert len(children) == 3
        for child in children:
            assert port not in [one.laddr[1] for one in child.net_connections("tcp")]
        process.kill()
        _, alive = psutil.wait_procs(children, timeout=10)
        assert not alive


def test_without_models_there_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    shutil.copy(ROOT / "models" / "__init__.py", tmp_path / "models")
    with serving(tmp_path) as (process, address):
        _, error = process.communicate(timeout=30)
    assert (address, process.returncode) == ("", 2)
    assert error.count("\n") == 1
    assert "install the package again" in error


def test_a_picture_that_holds_up_or_breaks_a_process_stops_nobody_else(jpeg: bytes) -> None:
    settings = Settings(workers=2, picture_seconds=1)
    app = create_app(settings, vision=ProcessVision(settings, odd_referee))
    with serving_app(app) as client, ThreadPoolExecutor(4) as pool:
        odd = [pool.submit(post, client, jpeg + text) for text in (b"hang", b"die", b"die")]
        fine = [pool.submit(post, client, jpeg) for _ in range(6)]
        assert [one.result().status_code for one in fine] == [200] * 6
        slow, *broken = (one.result() for one in odd)
        assert "1 second" in is_refused(slow, 422, "too-slow-picture")
        for one in broken:
            is_refused(one, 422, "breaks-reader")
        assert post(client, jpeg).status_code == 200


def test_processes_see_what_one_sees() -> None:
    jpeg = encoded(load(DEMO.read_bytes()).image)
    camera, settings = Camera("c", "classic", settle=0.1), Settings(workers=1)
    photo = Parts({"photo": (("demo.jpg", DEMO.read_bytes()),)}, {})
    tracker = shared_tracker(shipped_referee(settings), Game.CLASSIC, None, 0.1)
    expected = [tracker.see(picture_of(jpeg, settings), number / 10) for number in range(8)][-1]

    async def seen() -> tuple[list[str], bool, list[str]]:
        vision = ProcessVision(settings)
        await vision.start()
        try:
            sights = [await vision.see(camera, jpeg, number / 10) for number in range(8)]
            answered = await vision.answer(partial(read_photo, query=Game.AUTO, picture=False), photo)
        finally:
            await vision.close()
        pieces = [piece["name"] for piece in json.loads(answered.body)["pieces"]]
        return [track.reading.name for track in sights[-1].moment], sights[-1].moment.settled, pieces

    names, settled, pieces = asyncio.run(seen())
    assert settled
    assert expected.settled
    assert names == [track.reading.name for track in expected]
    assert sorted(pieces) == sorted(names)
