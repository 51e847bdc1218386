"""Cameras at a table: the newest picture counts, one at a time, and what is seen is played."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.tokens import Card
from service.game import Game
from service.hub import CameraSession, Close, MessageKind
from service.hub.errors import BadTimeError, FullError
from service.live.table import LiveTable
from service.settings import Settings
from service.store import StoreGoneError
from tests.fake_moments import moment, track
from tests.fake_vision import FakeVision, nothing, picture
from tests.hub_play import SET, TABLE, Lab, Table, opened, settle
from vision.tracks import Moment


def cards(number: int, time: float) -> Moment:
    """All of the first cards."""
    return moment(time, [track(place, card, time=time) for place, card in enumerate(TABLE)])


async def shown(lab: Lab, camera: CameraSession, *numbers: int) -> None:
    """Show pictures, a second apart, each looked at before the next."""
    for number in numbers:
        await sent(lab, camera, picture(number))


async def sent(lab: Lab, camera: CameraSession, jpeg: bytes) -> None:
    """Send one picture, a second later, and wait until all that comes of it has come."""
    lab.seconds += 1
    camera.frame(jpeg)
    await lab.rest()


async def fetched(camera: CameraSession) -> list[tuple[MessageKind, dict[str, Any]]]:
    """What a camera has been told so far."""
    found: list[tuple[MessageKind, dict[str, Any]]] = []

    async def fetch() -> None:
        async for message in camera:
            found.append((message.kind, json.loads(message.data)))  # noqa: PERF401  it never ends by itself

    fetching = asyncio.create_task(fetch())
    await settle()
    fetching.cancel()
    return found


def at_table(
    tmp_path: Path,
    vision: FakeVision,
    scenario: Callable[[Lab, Table, CameraSession], Any],
    settings: Settings | None = None,
) -> None:
    """Run a ``scenario`` with one camera at a table."""

    async def run() -> None:
        async with opened(tmp_path, settings, vision) as lab:
            table = await lab.table()
            await scenario(lab, table, table.session.camera(table.camera))

    asyncio.run(run())


def test_what_lies_there_is_played_and_told(tmp_path: Path) -> None:
    async def scenario(lab: Lab, table: Table, camera: CameraSession) -> None:
        await shown(lab, camera, 1, 2)
        (line,) = await table.lines()
        assert (line["type"], len(line["cards"])) == ("dealt", 12)
        assert [kind for kind, _ in await fetched(camera)] == [MessageKind.RATE, MessageKind.SEEN]  # the newest one
        state = await table.session.state(table.host)
        assert state.camera.connected
        assert (state.camera.scene, state.camera.fps, len(state.layout)) == ("still", 10.0, 12)

    at_table(tmp_path, FakeVision(cards), scenario)


def test_what_is_seen_names_every_piece(tmp_path: Path) -> None:
    async def scenario(lab: Lab, table: Table, camera: CameraSession) -> None:
        await shown(lab, camera, 1)
        (_, seen) = (await fetched(camera))[-1]
        assert {"time", "scene", "settled", "advice", "size", "pieces"} == set(seen)
        assert seen["pieces"][1] == {
            "id": 1,
            "name": str(TABLE[1]),
            "label": table.session._header.edition.label(TABLE[1]),
            "confidence": 0.99,
            "doubt": None,
            "quad": [[160.0, 60.0], [210.0, 60.0], [210.0, 140.0], [160.0, 140.0]],
            "cell": None,
            "hidden": False,
        }

    at_table(tmp_path, FakeVision(cards), scenario)


def test_a_restart_with_new_identities_makes_no_difference_to_the_game(tmp_path: Path) -> None:
    async def scenario(lab: Lab, table: Table, camera: CameraSession) -> None:
        await shown(lab, camera, 1, 2)
        lab.vision.script = lambda number, time: moment(
            time, [track(50 - place, card, time=time) for place, card in enumerate(TABLE)]
        )
        lab.restart()
        again = await lab.rejoin(table)
        other = again.session.camera(again.camera)
        await shown(lab, other, 3, 4, 5)
        assert len(await again.lines()) == 1
        assert (await again.session.state(again.host)).oddity is None

    at_table(tmp_path, FakeVision(cards), scenario)


def test_the_newest_picture_counts_and_one_is_looked_at_at_a_time(tmp_path: Path) -> None:
    async def scenario(lab: Lab, table: Table, camera: CameraSession) -> None:
        lab.vision.gate = asyncio.Event()
        for number in range(1, 6):
            lab.seconds += 1
            camera.frame(picture(number))
            await settle()
        lab.vision.gate.set()
        await lab.rest()
        assert [one.number for one in lab.vision.looked] == [1, 5]
        assert lab.vision.most_at_once == 1
        skipped = [found for kind, found in await fetched(camera) if kind is MessageKind.SKIPPED]
        assert skipped == [{"frames": 3}]
        assert (lab.hub.figures.seen, lab.hub.figures.skipped) == (2, 3)

    at_table(tmp_path, FakeVision(), scenario)


def test_a_camera_that_sends_faster_than_its_rate_gets_no_more(tmp_path: Path) -> None:
    async def scenario(lab: Lab, table: Table, camera: CameraSession) -> None:
        for number in range(1, 5):
            camera.frame(picture(number))  # by the hub's clock no time passes
            await lab.rest()
        assert [one.number for one in lab.vision.looked] == [1, 2]  # one may come early

    at_table(tmp_path, FakeVision(), scenario)


def test_a_picture_that_is_a_little_early_does_not_wait(tmp_path: Path) -> None:
    async def scenario(lab: Lab, table: Table, camera: CameraSession) -> None:
        for number in range(1, 9):
            camera.frame(picture(number))
            await lab.rest()
            lab.seconds += (0.6 if number % 2 else 1.4) / camera.fps
        assert [one.number for one in lab.vision.looked] == list(range(1, 9))

    at_table(tmp_path, FakeVision(), scenario)


def test_the_rate_follows_the_cost_and_the_number_of_cameras(tmp_path: Path) -> None:
    async def scenario(lab: Lab, table: Table, camera: CameraSession) -> None:
        await shown(lab, camera, *range(1, 9))
        rates = [found["fps"] for kind, found in await fetched(camera) if kind is MessageKind.RATE]
        assert rates[0] == 10.0
        assert rates == sorted(rates)
        assert 15.0 / 1.2 <= rates[-1] <= 15.0  # Settings.max_frame_rate, but for a change too small to be told
        others = [lab.hub.live() for _ in range(9)]
        ((kind, found),) = [one for one in await fetched(camera) if one[0] is MessageKind.RATE][-1:]
        assert kind is MessageKind.RATE
        assert found["fps"] < 7
        for other in others:
            other.close()
        _, rate = (await fetched(camera))[-1]
        assert rate == {"fps": pytest.approx(15.0, rel=0.2), "width": 1280, "bytes": 1_500_000}

    at_table(tmp_path, FakeVision(ms=10.0), scenario)


def test_times_of_pictures_are_the_camera_s_own_and_never_go_back(tmp_path: Path) -> None:
    async def scenario(lab: Lab, table: Table, camera: CameraSession) -> None:
        ping = camera.clock.ping()
        camera.clock.pong(ping.number, 77.0)
        lab.seconds += 5
        for number, at in enumerate((81.5, 80.5, 83.0), 1):
            camera.frame(picture(number), at)
            await lab.rest()
            lab.seconds += 1
        times = [one.time for one in lab.vision.looked]
        assert times == pytest.approx([4.5, 4.501, 6.0])
        with pytest.raises(BadTimeError):
            camera.frame(picture(9), float("nan"))

    at_table(tmp_path, FakeVision(), scenario)


def test_another_camera_takes_over(tmp_path: Path) -> None:
    async def scenario(lab: Lab, table: Table, camera: CameraSession) -> None:
        await shown(lab, camera, 1)
        other = table.session.camera(table.host)
        assert camera.closing is not None
        assert camera.closing.code is Close.OTHER_CAMERA
        await shown(lab, other, 2)
        assert lab.vision.forgotten == [camera.camera.id]
        assert [one.camera for one in lab.vision.looked] == [camera.camera.id, other.camera.id]
        assert lab.hub.figures.cameras == lab.hub.figures.sockets == 1
        other.close()
        assert not (await table.session.state(table.host)).camera.connected
        assert lab.hub.figures.cameras == lab.hub.figures.sockets == 0

    at_table(tmp_path, FakeVision(), scenario)


def test_three_bad_pictures_in_a_row_close_a_camera(tmp_path: Path) -> None:
    async def scenario(lab: Lab, table: Table, camera: CameraSession) -> None:
        for jpeg in (b"bad", b"bad", b"1", b"bad", b"bad", b"bad"):
            assert not camera.ended
            await sent(lab, camera, jpeg)
        assert camera.closing is not None
        assert camera.closing.code is Close.BAD_MESSAGE

    at_table(tmp_path, FakeVision(), scenario)


def test_a_bad_picture_is_told_with_its_code(tmp_path: Path) -> None:
    async def scenario(lab: Lab, table: Table, camera: CameraSession) -> None:
        camera.frame(b"bad")
        await lab.rest()
        assert (await fetched(camera))[-1] == (
            MessageKind.ERROR,
            {"code": "bad-frame", "text": "this is no JPEG"},
        )

    at_table(tmp_path, FakeVision(), scenario)


def test_a_fault_of_ours_is_logged_and_told_and_the_next_picture_is_looked_at(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def scenario(lab: Lab, table: Table, camera: CameraSession) -> None:
        lab.vision.error = RuntimeError("oh")
        camera.frame(picture(1))
        await lab.rest()
        assert (await fetched(camera))[-1][1]["code"] == "fault"
        assert "oh" in caplog.text
        lab.vision.error = None
        await shown(lab, camera, 2)
        assert (await fetched(camera))[-1][0] is MessageKind.SEEN

    at_table(tmp_path, FakeVision(), scenario)


def test_a_camera_stays_while_the_store_is_gone(tmp_path: Path) -> None:
    async def scenario(lab: Lab, table: Table, camera: CameraSession) -> None:
        lab.store.refusal = StoreGoneError()
        await shown(lab, camera, *range(1, 6))
        errors = [found["code"] for kind, found in await fetched(camera) if kind is MessageKind.ERROR]
        assert errors == ["store-gone"] * 5
        assert not camera.ended
        assert await table.lines() == []
        lab.store.refusal = None
        await shown(lab, camera, 6, 7)
        assert [line["type"] for line in await table.lines()] == ["dealt"]

    at_table(tmp_path, FakeVision(cards), scenario)


def test_a_correction_reaches_the_tracker_with_the_next_picture(tmp_path: Path) -> None:
    async def scenario(lab: Lab, table: Table, camera: CameraSession) -> None:
        await shown(lab, camera, 1, 2)
        new = Card.parse("3 purple open squiggle")
        await table.session.correct(table.host, str(TABLE[3]), str(new), piece=3)
        await shown(lab, camera, 3, 4)
        assert [one.corrections for one in lab.vision.looked] == [(), (), ((3, new),), ()]

    at_table(tmp_path, FakeVision(cards), scenario)


def test_cameras_have_limits(tmp_path: Path) -> None:
    async def scenario(lab: Lab, table: Table, camera: CameraSession) -> None:
        with pytest.raises(FullError, match="cameras"):
            lab.hub.live()
        table.session.camera(table.host)  # taking over needs no more room
        table.session.subscribe(table.ann)
        with pytest.raises(FullError, match="sockets"):
            table.session.subscribe(table.ann)
        assert lab.hub.figures.cameras == 1

    at_table(tmp_path, FakeVision(), scenario, Settings(max_cameras=1, max_sockets=2))


def test_no_room_for_its_socket_leaves_no_camera_behind(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path, Settings(max_sockets=1)) as lab:
            table = await lab.table()
            table.session.subscribe(table.ann)
            with pytest.raises(FullError, match="sockets"):
                lab.hub.live()
            with pytest.raises(FullError, match="sockets"):
                table.session.camera(table.camera)
            assert lab.hub.figures.cameras == 0

    asyncio.run(scenario())


def test_a_revoked_key_closes_its_camera(tmp_path: Path) -> None:
    async def scenario(lab: Lab, table: Table, camera: CameraSession) -> None:
        await table.session.revoke(table.host, table.camera.key_id)
        assert camera.closing is not None
        assert camera.closing.code is Close.NOT_ALLOWED

    at_table(tmp_path, FakeVision(), scenario)


def test_a_camera_without_a_table_sees(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with opened(tmp_path, vision=FakeVision(cards)) as lab:
            camera = lab.hub.live(Game.RAVENSBURGER)
            await shown(lab, camera, 1, 2)
            told = await fetched(camera)
            assert [kind for kind, _ in told] == [MessageKind.RATE, MessageKind.SEEN]
            assert [one.time for one in lab.vision.looked] == [1.0, 2.0]
            camera.close()
            assert lab.hub.figures.cameras == lab.hub.figures.sockets == 0

    asyncio.run(scenario())


def test_a_picture_that_is_looked_at_while_the_camera_ends_changes_nothing(tmp_path: Path) -> None:
    async def scenario(lab: Lab, table: Table, camera: CameraSession) -> None:
        lab.vision.gate = asyncio.Event()
        camera.frame(picture(1))
        await lab.rest()
        camera.close()
        lab.vision.gate.set()
        await lab.rest()
        assert await table.lines() == []
        assert nothing(1, 0.0).tracks == ()

    at_table(tmp_path, FakeVision(cards), scenario)


def test_a_camera_that_begins_anew_has_new_identities(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    restarts: list[LiveTable] = []
    monkeypatch.setattr(LiveTable, "restart_sight", lambda table: restarts.append(table))

    async def scenario(lab: Lab, table: Table, camera: CameraSession) -> None:
        await shown(lab, camera, 1, 2)
        assert len(restarts) == 1
        await shown(lab, table.session.camera(table.host), 3, 4)
        assert len(restarts) == 3  # the first one has gone, and the second has begun

    at_table(tmp_path, FakeVision(cards), scenario)


def test_a_camera_that_leaves_in_the_middle_of_a_change_holds_no_call_up(tmp_path: Path) -> None:
    def script(number: int, time: float) -> Moment:
        return cards(number, time) if number < 3 else moment(time, cards(number, time).tracks, settled=False)

    async def scenario(lab: Lab, table: Table, camera: CameraSession) -> None:
        await shown(lab, camera, 1, 2)
        await table.session.put(table.ann, {"type": "called", "player": "Ann"})
        await shown(lab, camera, 3)  # a hand is in the picture
        await table.session.call(table.host, player="Ben")
        camera.close()
        await lab.rest()
        await lab.pass_time(1)
        assert [line.get("player") for line in await table.lines()] == [None, "Ann", "Ben"]

    at_table(tmp_path, FakeVision(script), scenario)


def test_what_was_shown_in_time_counts_though_the_picture_comes_late(tmp_path: Path) -> None:
    left = [(place, card) for place, card in enumerate(TABLE) if card not in SET]

    def script(number: int, time: float) -> Moment:
        if number < 3:
            return cards(number, time)
        return moment(time, [track(place, card, time=time) for place, card in left])

    async def scenario() -> None:
        async with opened(tmp_path, vision=FakeVision(script)) as lab:
            table = await lab.table(call_limit=5.0)
            camera = table.session.camera(table.camera)
            camera.clock.pong(camera.clock.ping().number, 0.0)
            await shown(lab, camera, 1, 2)
            await table.session.put(table.ann, {"type": "called", "player": "Ann"})
            lab.seconds += 5.5
            camera.frame(picture(3), at=2 + 4.5)
            await lab.rest()
            assert [line["type"] for line in await table.lines()] == ["dealt", "called", "picked"]

    asyncio.run(scenario())


def test_oddities_are_numbered_on_after_a_restart(tmp_path: Path) -> None:
    def script(number: int, time: float) -> Moment:
        return cards(number, time) if number < 3 else moment(time, cards(number, time).tracks[1:])

    async def scenario() -> None:
        async with opened(tmp_path, vision=FakeVision(script)) as lab:
            table = await lab.table()
            await shown(lab, table.session.camera(table.camera), 1, 2, *range(3, 8))
            first = (await table.session.state(table.host)).oddity
            assert first is not None
            assert (first.number, first.choices) == (1, [])
            lab.restart()
            again = await lab.rejoin(table)
            assert (await again.session.state(again.host)).oddity is None
            await shown(lab, again.session.camera(again.camera), *range(3, 8))
            second = (await again.session.state(again.host)).oddity
            assert second is not None
            assert second.number == 2
            changed = await again.session.ignore(again.host, 2)
            assert changed.state.oddity is None

    asyncio.run(scenario())
