"""The WebSockets of cameras, with a table and without one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest

from engine.hints import HintLevel
from engine.labels import Language
from service.api.conversation import Patience
from service.api.messages import ErrorMessage, RateMessage, SeenMessage, WelcomeMessage
from service.board_file import Junior2File
from service.game import Game
from service.hub import Close, Closing, MessageKind
from tests.fake_hub import FakeHub, app_with
from tests.socket_client import Served, Talker, served

CAMERA, LIVE = "/api/v1/tables/table/camera", "/api/v1/live"
NEVER = Patience(pings=(), every=1000.0)


@contextmanager
def looking(
    service: Served, path: str = CAMERA, hello: dict[str, Any] | None = None
) -> Iterator[tuple[Talker, WelcomeMessage]]:
    """Yield a camera that has been welcomed."""
    with service.open(path) as talker:
        talker.say({"type": "hello", **(hello or {"key": "camera"})})
        yield talker, WelcomeMessage.model_validate(talker.hear())


def test_a_camera_is_told_its_rate_and_what_is_seen_on_each_picture() -> None:
    hub = FakeHub()
    with served(app_with(hub, waits=NEVER)) as service, looking(service) as (talker, welcome):
        assert (welcome.role, welcome.player, welcome.state) == ("camera", None, None)
        assert RateMessage.model_validate(talker.hear()).fps == 5.0
        talker.say(b"one")
        assert SeenMessage.model_validate(talker.hear()).settled
        talker.say({"type": "frame", "at": 12.5})
        for picture in (b"two", b"three"):
            talker.say(picture)
            SeenMessage.model_validate(talker.hear())
    (camera,) = hub.session.cameras
    assert camera.frames == [(b"one", None), (b"two", 12.5), (b"three", None)]
    assert camera.closed


def test_the_clock_of_a_camera_is_measured() -> None:
    hub = FakeHub()
    with served(app_with(hub, waits=Patience(pings=(0.0,), every=1000.0))) as service, looking(service) as (talker, _):
        talker.say({"type": "pong", "number": talker.hear("ping")["number"], "at": 40.0})
        assert talker.hear("clock")["offset"] == pytest.approx(-60.0)
        measured = hub.session.cameras[0].clock.measured
    assert measured is not None


def test_what_is_wrong_with_a_picture_is_told() -> None:
    with served(app_with(FakeHub(), waits=NEVER)) as service, looking(service) as (talker, _):
        for _ in range(4):
            talker.say({"type": "frame", "at": 1.0})
            talker.say(b"bad")
            assert ErrorMessage.model_validate(talker.hear("error")).error.code == "bad-frame"


def test_another_camera_takes_over() -> None:
    hub = FakeHub()
    with served(app_with(hub, waits=NEVER)) as service, looking(service) as (talker, _):
        service.do(hub.session.cameras[0].end, Closing(Close.OTHER_CAMERA, "another camera looks now"))
        assert talker.end() == (Close.OTHER_CAMERA, "another camera looks now")


def test_a_camera_whose_rate_changes_is_told() -> None:
    hub = FakeHub()
    with served(app_with(hub, waits=NEVER)) as service, looking(service) as (talker, _):
        talker.hear("rate")
        slower = '{"fps": 1.5, "width": 1280, "bytes": 1500000}'
        service.do(hub.session.cameras[0].say, MessageKind.RATE, slower)
        assert RateMessage.model_validate(talker.hear()).fps == 1.5


def test_pictures_are_for_cameras_only_and_events_for_players() -> None:
    with served(app_with(FakeHub(), waits=NEVER)) as service, looking(service) as (talker, _):
        talker.say({"type": "call"})
        assert talker.hear("error")["error"]["code"] == "bad-message"


def test_who_only_wants_to_see_needs_no_table() -> None:
    hub = FakeHub()
    board = {"game": "junior-2", "spaces": 10}
    with served(app_with(hub, waits=NEVER)) as service:
        with looking(service, LIVE, {"game": "junior-2", "board": board}) as (talker, welcome):
            assert welcome == WelcomeMessage()
            talker.say(b"one")
            assert [talker.hear()["type"] for _ in range(2)] == ["rate", "seen"]
        with looking(service, LIVE, {"language": "de", "hints": "yes-no"}):
            pass
    assert hub.lives == [
        (Game.JUNIOR_2, Junior2File(game="junior-2", spaces=10), Language.ENGLISH, None),
        (Game.AUTO, None, Language.GERMAN, HintLevel.YES_NO),
    ]


def test_one_client_sees_through_two_cameras_at_the_most() -> None:
    with served(app_with(FakeHub(), waits=NEVER)) as service, ExitStack() as stack:
        for _ in range(2):
            stack.enter_context(looking(service, LIVE, {"game": "classic"}))
        with service.open(LIVE) as talker:
            assert talker.end() == (
                Close.TOO_MANY,
                "more than 2 cameras without a table of yours are open; try again in 1 second",
            )
        stack.close()
        for _ in range(2):
            stack.enter_context(looking(service, LIVE, {"game": "classic"}))


@pytest.mark.parametrize(
    "hello",
    [
        {"game": "chess"},
        {"game": "cubed", "board": {"game": "cubed"}},
        {"key": "camera"},
        {"language": "xx"},
        {"hints": "all"},
    ],
)
def test_a_wrong_hello_without_a_table_closes_the_socket(hello: dict[str, Any]) -> None:
    with served(app_with(FakeHub(), waits=NEVER)) as service, service.open(LIVE) as talker:
        talker.say({"type": "hello", **hello})
        assert talker.end()[0] == Close.BAD_MESSAGE
