"""The WebSocket of a table: what is told and taken, who is let in, and why it is closed."""

from __future__ import annotations

import json
import logging
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

import pytest
from fastapi import FastAPI
from websockets.exceptions import InvalidStatus

from service.api.conversation import Patience
from service.api.messages import (
    MESSAGE_BYTES,
    AnswerMessage,
    BadMessageError,
    ClockMessage,
    EntryMessage,
    ErrorMessage,
    PingMessage,
    StateMessage,
    WelcomeMessage,
    read_table_message,
)
from service.hub import Close, Closing
from service.hub.errors import TooManyRequestsError
from service.serve import server_of
from service.settings import Settings
from service.socket_protocol import BoundedSocketProtocol
from tests.fake_hub import FakeHub, app_with
from tests.socket_client import Served, Talker, served

SOCKET = "/api/v1/tables/table/socket"
NEVER = Patience(pings=(), every=1000.0)
"""No pings, so that tests see what they are about."""


@contextmanager
def talking(hub: FakeHub, settings: Settings | None = None, waits: Patience = NEVER) -> Iterator[Served]:
    with served(app_with(hub, settings, waits), settings) as service:
        yield service


@contextmanager
def seated(service: Served, role: str = "player", **more: Any) -> Iterator[Talker]:
    """Yield a socket that has been welcomed."""
    with service.open(SOCKET) as talker:
        talker.say({"type": "hello", "key": role, **more})
        WelcomeMessage.model_validate(talker.hear())
        yield talker


def test_a_player_is_welcomed_and_told_how_the_table_stands() -> None:
    with talking(FakeHub()) as service, service.open(SOCKET) as talker:
        talker.say({"type": "hello", "key": "player"})
        welcome = WelcomeMessage.model_validate(talker.hear())
        assert (welcome.role, welcome.player, welcome.time) == ("player", "Ann", 100.0)
        assert welcome.state is not None
        assert StateMessage.model_validate(talker.hear()).state == welcome.state


def test_entries_come_from_the_journal_and_then_as_they_happen() -> None:
    hub = FakeHub()
    with talking(hub) as service:
        for text in ("one", "two", "three"):
            hub.session.tell(text)
        with seated(service, "spectator", after=1) as talker:
            caught_up = [talker.hear() for _ in range(3)]
            service.do(hub.session.tell, "four")
            live = [talker.hear() for _ in range(2)]
    assert [one["type"] for one in (*caught_up, *live)] == ["entry", "entry", "state", "entry", "state"]
    entries = [EntryMessage.model_validate(one).entry for one in (*caught_up[:2], live[0])]
    assert [(entry.number, entry.text) for entry in entries] == [(2, "two"), (3, "three"), (4, "four")]
    assert hub.session.streams == []


def test_calls_are_timed_by_the_clock_of_the_socket_and_answered() -> None:
    hub = FakeHub()
    with talking(hub, waits=Patience(pings=(0.0,), every=1000.0)) as service, seated(service) as talker:
        messages = [talker.hear() for _ in range(2)]
        (ping,) = (PingMessage.model_validate(one) for one in messages if one["type"] == "ping")
        assert ping.time == 100.0
        hub.session.time.now += 0.02
        talker.say({"type": "pong", "number": ping.number, "at": 7.0})
        clock = ClockMessage.model_validate(talker.hear())
        assert (clock.offset, clock.error) == pytest.approx((7.0 - 100.01, 0.01))
        talker.say({"type": "call", "id": 5, "at": 6.9})
        answers = [talker.hear() for _ in range(3)]
    (answer,) = (AnswerMessage.model_validate(one) for one in answers if one["type"] == "answer")
    assert (answer.id, answer.entries, answer.error) == (5, [1], None)
    kind, (player, at, measured) = hub.session.taken[0]
    assert (kind, player, at) == ("call", "Ann", 6.9)
    assert measured.error == pytest.approx(0.01)


def test_events_are_those_of_records_and_refusals_are_answers() -> None:
    hub = FakeHub()
    event = {"type": "laid", "player": "Ann", "face": "wild", "at": [1, 2], "as": "2 red oval"}
    with talking(hub) as service, seated(service) as talker:
        talker.hear()
        talker.say({"type": "event", "id": "a", "event": event})
        assert [talker.hear()["type"] for _ in range(3)].count("answer") == 1
        hub.session.refusal = TooManyRequestsError(0.5)
        for number in range(5):
            talker.say({"type": "event", "id": number, "event": event})
            answer = AnswerMessage.model_validate(talker.hear())
            assert answer.error is not None
            assert (answer.id, answer.entries, answer.error.code) == (number, None, "too-many-requests")
    assert hub.session.taken[0] == ("event", event)


HOSTILE = [
    "",
    "x",
    "[]",
    "7",
    "{}",
    '{"type": "zz"}',
    '{"type": "hello", "key": "host"}',
    '{"type": "call", "at": "soon"}',
    '{"type": "call", "at": NaN}',
    '{"type": "call", "at": 1e400}',
    '{"type": "call", "at": true}',
    '{"type": "call", "id": 1.5}',
    '{"type": "call", "id": "\\ud800"}',
    '{"type": "call", "more": 1}',
    '{"type": "call", "player": ""}',
    '{"type": "pong", "number": 1}',
    '{"type": "pong", "number": -1, "at": 1}',
    '{"type": "event"}',
    '{"type": "event", "event": {"type": "zz"}}',
    '{"type": "event", "event": {"type": "picked", "player": "Ann", "cards": [{}]}}',
    '{"type": "event", "event": ' + "[" * 30_000,
    '{"type": "pong", "at": 1, "number": ' + "9" * 5_000 + "}",
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_what_is_no_message_is_said_in_one_short_line(text: str) -> None:
    with pytest.raises(BadMessageError) as refused:
        read_table_message(text)
    said = str(refused.value)
    assert said
    assert "\n" not in said
    assert len(said) < 400


def test_three_wrong_messages_in_a_row_close_the_socket_and_good_ones_between_do_not() -> None:
    with talking(FakeHub()) as service, seated(service) as talker:
        talker.hear()
        for _ in range(3):
            for text in ("nonsense", '{"type": "pong"}'):
                talker.say(text)
                assert ErrorMessage.model_validate(talker.hear()).error.code == "bad-message"
            talker.say({"type": "call"})
            assert sorted(talker.hear()["type"] for _ in range(3)) == ["answer", "entry", "state"]
        talker.say(b"\xff\xd8")
        talker.say("nonsense")
        talker.say("nonsense")
        code, reason = talker.end()
    assert code == Close.BAD_MESSAGE
    assert "no JSON" in reason


UNUSABLE: list[tuple[dict[str, Any], str | int | None, str]] = [
    ({"type": "event", "id": "x", "event": {"type": "deal"}}, "x", "`event.type`: expected one of dealt, called;"),
    ({"type": "event", "id": 7, "event": {"type": "called", "player": 3}}, 7, "`event.player`: expected a text"),
    ({"type": "event", "id": 0}, 0, "`event` is missing"),
    ({"type": "event", "event": []}, None, "`event`: expected a JSON object"),
    ({"type": "call", "id": 8, "at": "soon"}, 8, "`at`: expected a number; got 'soon'"),
    ({"type": "call", "id": 9, "more": 1}, 9, "'more' is no field here: expected type, id, at, player"),
    ({"type": "call", "id": 1.5}, None, "`id`: expected a text; got 1.5"),
    ({"type": "pong", "id": 4}, 4, "'id' is no field here"),
]


def test_what_cannot_be_used_is_answered_with_its_id_and_closes_nothing() -> None:
    with talking(FakeHub()) as service, seated(service) as talker:
        talker.hear()
        for message, id, text in UNUSABLE:
            talker.say(message)
            answer = AnswerMessage.model_validate(talker.hear())
            assert answer.error is not None
            assert (answer.id, answer.entries, answer.error.code) == (id, None, "bad-message")
            assert answer.error.text.startswith(text)
        talker.say({"type": "pong"})
        assert ErrorMessage.model_validate(talker.hear()).error.text == "`number` is missing"
        for id in range(2):
            talker.say({"type": "zz", "id": id})
            answer = AnswerMessage.model_validate(talker.hear())
            assert answer.error is not None
            assert (answer.id, answer.error.text) == (id, "`type`: expected one of pong, call, event; got 'zz'")
        talker.say("[]")
        assert talker.end() == (
            Close.BAD_MESSAGE,
            "3 wrong messages in a row: the message is no JSON object",
        )


def test_keys_that_stand_in_the_wrong_place_are_not_told_again() -> None:
    key = "q2w3e4r5.Yx3cV5bN7mQ9wE1rT3zU5g"
    with talking(FakeHub()) as service:
        for said in ({"type": key}, {"type": "hello", "key": [key]}, {"type": "hello", key: 1}, {"type": "hello"}):
            with service.open(SOCKET) as talker:
                talker.say(said)
                assert key not in talker.end()[1]


WRONG_STARTS: dict[str, tuple[dict[str, Any] | str | bytes, str, Close]] = {
    "no JSON": ("hello", SOCKET, Close.BAD_MESSAGE),
    "binary": (b"hello", SOCKET, Close.BAD_MESSAGE),
    "no hello": ({"type": "pong", "number": 1, "at": 1}, SOCKET, Close.BAD_MESSAGE),
    "no key": ({"type": "hello"}, SOCKET, Close.BAD_MESSAGE),
    "wrong key": ({"type": "hello", "key": "nobody"}, SOCKET, Close.NO_KEY),
    "wrong role": ({"type": "hello", "key": "camera"}, SOCKET, Close.NOT_ALLOWED),
    "no table": ({"type": "hello", "key": "host"}, SOCKET.replace("table/", "other/"), Close.NO_TABLE),
    "too long": ({"type": "hello", "key": "ü" * (MESSAGE_BYTES // 2)}, SOCKET, Close.TOO_SLOW),
}


@pytest.mark.parametrize("case", WRONG_STARTS)
def test_a_wrong_start_closes_the_socket(case: str) -> None:
    said, address, expected = WRONG_STARTS[case]
    hub = FakeHub()
    with talking(hub) as service, service.open(address) as talker:
        talker.say(said)
        code, reason = talker.end()
    assert code == expected
    assert reason
    assert "nobody" not in reason
    assert hub.session.streams == []


def test_who_says_nothing_is_sent_away() -> None:
    with talking(FakeHub(), waits=Patience(hello=0.02)) as service, service.open(SOCKET) as talker:
        assert talker.end() == (Close.NO_HELLO, "no hello within 0.02 seconds")


def test_who_does_not_answer_pings_is_sent_away() -> None:
    hub = FakeHub()
    waits = Patience(pings=(0.0,), every=0.01, silence=0.08)
    with talking(hub, waits=waits) as service, seated(service) as talker:
        for _ in range(4):
            ping = talker.hear("ping")
            talker.say({"type": "pong", "number": ping["number"], "at": 1.0})
        assert talker.end() == (Close.NO_HELLO, "no pong for 0.08 seconds")
    assert hub.session.streams == []


def test_pings_come_often_at_first() -> None:
    waits = list(islice(Patience().waits(), 7))
    assert waits == pytest.approx([0, 0.2, 0.3, 0.5, 1, 10, 10])
    with pytest.raises(ValueError, match="times that grow"):
        Patience(pings=(1.0, 0.5))


def test_the_hub_ends_sockets_and_says_why() -> None:
    hub = FakeHub()
    with talking(hub) as service, seated(service) as talker, seated(service, "host") as other:
        service.do(hub.session.end, Closing(Close.NOT_ALLOWED, "this key has been revoked " + "ü" * 100))
        for one in (talker, other):
            code, reason = one.end()
            assert code == Close.NOT_ALLOWED
            assert reason.startswith("this key has been revoked ü")
            assert len(reason.encode()) <= 123


def test_a_full_house_is_busy() -> None:
    hub = FakeHub()
    hub.session.room = 1
    with talking(hub) as service, seated(service), service.open(SOCKET) as talker:
        talker.say({"type": "hello", "key": "player"})
        assert talker.end()[0] == Close.BUSY


def test_a_fault_is_logged_without_the_key_and_tells_nothing(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub = FakeHub()
    monkeypatch.setattr(hub.session, "state", None)
    with caplog.at_level(logging.ERROR), talking(hub) as service, service.open(SOCKET) as talker:
        talker.say({"type": "hello", "key": "player"})
        code, reason = talker.end()
    assert code == 1011
    assert "NoneType" not in reason
    assert "fault in a WebSocket" in caplog.text
    assert hub.session.streams == []


@pytest.mark.parametrize("allowed", ["", "https://club.example"])
def test_pages_of_other_sites_are_not_let_in_unless_they_are_allowed(
    allowed: str, caplog: pytest.LogCaptureFixture
) -> None:
    with talking(FakeHub(), Settings(allowed_origins=allowed)) as service:
        for origin in (f"http://{service.address}", *filter(None, [allowed])):
            with service.open(SOCKET, origin=origin) as talker:
                talker.say({"type": "hello", "key": "player"})
                assert talker.hear()["type"] == "hello"
        for origin in ("https://other.example", f"http://{service.address}0", "null"):
            with pytest.raises(InvalidStatus) as refused, service.open(SOCKET, origin=origin):
                pass
            assert refused.value.response.status_code == 403
            assert json.loads(refused.value.response.body or b"")["error"]["code"] == "not-allowed"
    assert caplog.text == ""


def test_a_flood_of_messages_is_read_slowly() -> None:
    with talking(FakeHub(), Settings(client_rate=20)) as service, seated(service) as talker:
        began = time.monotonic()
        for _ in range(104):
            talker.say({"type": "pong", "number": 1, "at": 1.0})
        talker.say({"type": "call"})
        assert talker.hear("answer")["entries"] == [1]
        assert time.monotonic() - began > 0.2


def test_who_takes_nothing_keeps_no_place_and_no_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BoundedSocketProtocol, "patience", 0.1)
    hub = FakeHub()
    with talking(hub) as service, socket.socket() as narrow:
        narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        narrow.connect(("127.0.0.1", int(service.address.rpartition(":")[2])))
        with service.open(SOCKET, sock=narrow, max_queue=1) as talker:
            talker.say({"type": "hello", "key": "player"})
            service.until(lambda: len(hub.session.streams) == 1)
            for _ in range(60):
                service.do(hub.session.tell, "x" * 100_000)
            service.until(lambda: not hub.session.streams)
            service.until(lambda: not service.server.server_state.connections)


def test_the_service_says_that_it_stops() -> None:
    with talking(FakeHub()) as service, seated(service) as talker:
        service.server.should_exit = True
        assert talker.end()[0] == Close.RESTART


def test_messages_longer_than_any_picture_are_not_even_read() -> None:
    settings = Settings(frame_bytes=1_000)
    with talking(FakeHub(), settings) as service:
        with service.open(SOCKET) as talker:
            talker.say("x" * (MESSAGE_BYTES + 1))
            assert talker.end()[0] == 1009
        assert server_of(FastAPI(), Settings()).config.ws_max_size == Settings().frame_bytes
