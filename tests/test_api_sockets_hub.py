"""Sockets, cameras and streams above real tables: two clients play, and everything said is as it is described."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import BaseModel

from service.api.describing import SOCKETS
from service.app import create_app
from service.hub import Close
from service.settings import Settings
from tests.fake_vision import FakeVision
from tests.socket_client import Served, Talker, served

TABLES = "/api/v1/tables"
DEAL = [
    "1 red solid oval",
    "2 red solid oval",
    "3 red solid oval",
    "1 green striped diamond",
    "2 purple solid squiggle",
    "3 green open oval",
    "1 purple striped squiggle",
    "2 green solid diamond",
    "3 purple open diamond",
    "1 green open squiggle",
    "2 red striped oval",
    "3 red striped squiggle",
]
SAID: dict[str, dict[str, type[BaseModel]]] = {
    address.path.rpartition("/")[2]: {model.model_fields["type"].default: model for model in address.server}
    for address in SOCKETS
}
"""What the server says at each address, by its type."""


@dataclass
class House:
    """A running service with one table."""

    service: Served
    client: httpx.Client
    table: str
    keys: dict[str, str]

    @property
    def path(self) -> str:
        """Where the table is."""
        return f"{TABLES}/{self.table}"

    def post(self, path: str, body: dict[str, Any], who: str = "host") -> httpx.Response:
        """Ask for something with somebody's key."""
        return self.client.post(f"{self.path}{path}", json=body, headers=self.bearer(who))

    def bearer(self, who: str) -> dict[str, str]:
        """Somebody's key as a header."""
        return {"authorization": f"Bearer {self.keys[who]}"}

    @contextmanager
    def open(self, who: str, kind: str = "socket", **hello: Any) -> Iterator[Visitor]:
        """Yield a socket that has been welcomed."""
        with self.service.open(f"{self.path}/{kind}") as talker:
            talker.say({"type": "hello", "key": self.keys[who], **hello})
            visitor = Visitor(talker, kind)
            visitor.hear("hello")
            yield visitor


@dataclass
class Visitor:
    """A socket at which everything said must be as it is described."""

    talker: Talker
    kind: str

    def hear(self, kind: str) -> dict[str, Any]:
        """Return the next message of a kind."""
        while True:
            found = self.talker.hear()
            SAID[self.kind][found["type"]].model_validate(found)
            if found["type"] == "ping":
                self.talker.say({"type": "pong", "number": found["number"], "at": 3.0})
            if found["type"] == kind:
                return found

    def ask(self, **message: Any) -> dict[str, Any]:
        """Say something and return the answer to it."""
        self.talker.say(message)
        return self.hear("answer")


@contextmanager
def playing(folder: Path, vision: FakeVision | None = None, **settings: Any) -> Iterator[House]:
    """Run a service with a table of Ann and Ben."""
    chosen = Settings(database=f"sqlite:///{folder / 'tables.sqlite'}", **settings)
    with served(create_app(chosen, vision=vision or FakeVision()), chosen) as service, service.client() as client:
        opened = client.post(TABLES, json={"game": "classic", "players": ["Ann", "Ben"]}).json()
        keys = {name: key for name, key in opened["keys"].items() if name != "players"} | opened["keys"]["players"]
        yield House(service, client, opened["id"], keys)


def test_two_players_play_and_see_the_same(tmp_path: Path) -> None:
    with playing(tmp_path) as house, house.open("host") as host, house.open("Ann") as ann, house.open("Ben") as ben:
        assert host.ask(type="event", id=1, event={"type": "dealt", "cards": DEAL})["entries"] == [1]
        ann.hear("clock")
        called = ann.ask(type="call", id="mine", at=3.0)
        assert (called["id"], called["error"]) == ("mine", None)
        told = [ben.hear("entry")["entry"] for _ in range(2)]
        assert [(one["number"], one["type"], one["ok"]) for one in told] == [(1, "dealt", True), (2, "called", True)]
        picked = ann.ask(type="event", id=2, event={"type": "picked", "player": "Ann", "cards": DEAL[:3]})
        assert picked["entries"] == [3]
        assert ben.hear("entry")["entry"]["points"] == {"Ann": 1}
        assert next(iter(ben.hear("state")["state"]["players"]))["connected"]
        not_ours = ben.ask(type="event", event={"type": "gave_up", "player": "Ann"})
        assert not_ours["error"]["code"] == "not-allowed"
        undealt = {"type": "picked", "player": "Ben", "cards": ["a ham sandwich"] * 3}
        assert ben.ask(type="event", event=undealt)["error"]["code"] == "bad-event"


def test_who_comes_back_is_told_what_was_missed(tmp_path: Path) -> None:
    with playing(tmp_path) as house:
        with house.open("Ann") as ann:
            house.post("/events", {"type": "dealt", "cards": DEAL})
            assert ann.hear("entry")["entry"]["number"] == 1
        house.post("/events", {"type": "called", "player": "Ben"})
        house.post("/events", {"type": "gave_up", "player": "Ben"})
        with house.open("Ann", after=1) as ann:
            assert [ann.hear("entry")["entry"]["number"] for _ in range(2)] == [2, 3]


def test_the_same_journal_comes_as_a_stream(tmp_path: Path) -> None:
    with playing(tmp_path) as house:
        house.post("/events", {"type": "dealt", "cards": DEAL})
        asked = house.client.stream("GET", f"{house.path}/stream?after=0", headers=house.bearer("spectator"))
        with asked as response:
            lines = response.iter_lines()
            assert "event: entry" in lines
            entry = json.loads(next(lines).removeprefix("data: "))
            assert (entry["number"], entry["type"]) == (1, "dealt")
            listed = house.client.get(f"{house.path}/events", headers=house.bearer("spectator")).json()
            assert listed["entries"] == [entry]


def test_a_revoked_key_and_a_deleted_table_close_sockets_at_once(tmp_path: Path) -> None:
    with playing(tmp_path) as house, house.open("Ann") as ann, house.open("Ben") as ben:
        asked = house.client.stream("GET", f"{house.path}/stream", headers=house.bearer("Ann"))
        with asked as response, house.open("camera", "camera") as camera:
            key_id = house.keys["Ann"].partition(".")[0]
            house.client.delete(f"{house.path}/keys/{key_id}", headers=house.bearer("host"))
            assert ann.talker.end()[0] == Close.NOT_ALLOWED
            assert '"not-allowed"' in [line for line in response.iter_lines() if line][-1]
            with house.service.open(f"{house.path}/socket") as again:
                again.say({"type": "hello", "key": house.keys["Ann"]})
                assert again.end()[0] == Close.NO_KEY
            house.client.delete(house.path, headers=house.bearer("host"))
            assert ben.talker.end()[0] == Close.NO_TABLE
            assert camera.talker.end()[0] == Close.NO_TABLE


def test_a_camera_shows_what_it_sees_to_those_who_ask(tmp_path: Path) -> None:
    with (
        playing(tmp_path) as house,
        house.open("Ann", seen=True) as ann,
        house.open("camera", "camera") as camera,
    ):
        assert camera.hear("rate")["fps"] > 0
        camera.talker.say(b"7")
        assert camera.hear("seen")["pieces"] == []
        assert ann.hear("seen")["settled"]
        with house.open("host", "camera"):
            assert camera.talker.end()[0] == Close.OTHER_CAMERA


def test_three_bad_pictures_in_a_row_close_the_camera(tmp_path: Path) -> None:
    with playing(tmp_path) as house, house.open("camera", "camera") as camera:
        for picture in (b"bad", b"1", b"bad", b"worse"):
            camera.talker.say(picture)
            camera.hear("seen" if picture == b"1" else "error")
        camera.talker.say(b"worst")
        assert camera.talker.end()[0] == Close.BAD_MESSAGE


def test_anybody_may_see_without_a_table(tmp_path: Path) -> None:
    vision = FakeVision()
    with playing(tmp_path, vision) as house, house.service.open("/api/v1/live") as talker:
        talker.say({"type": "hello", "game": "classic"})
        looker = Visitor(talker, "live")
        looker.hear("rate")
        talker.say(b"1")
        looker.hear("seen")
    assert len(vision.looked) == 1
    assert vision.forgotten == [vision.looked[0].camera]


def test_sockets_and_streams_share_the_room_of_a_table(tmp_path: Path) -> None:
    with (
        playing(tmp_path, table_sockets=2) as house,
        house.open("Ann"),
        house.client.stream("GET", f"{house.path}/stream", headers=house.bearer("Ben")),
        house.service.open(f"{house.path}/socket") as third,
    ):
        third.say({"type": "hello", "key": house.keys["spectator"]})
        assert third.end()[0] == Close.BUSY
        refused = house.client.get(f"{house.path}/stream", headers=house.bearer("spectator"))
        assert (refused.status_code, refused.json()["error"]["code"]) == (503, "full")


def test_sockets_are_told_that_the_service_stops(tmp_path: Path) -> None:
    with playing(tmp_path) as house, house.open("Ann") as ann, house.open("camera", "camera") as camera:
        house.service.server.should_exit = True
        assert ann.talker.end()[0] == Close.RESTART
        assert camera.talker.end()[0] == Close.RESTART


@pytest.mark.parametrize("address", SOCKETS, ids=lambda one: one.path)
def test_the_description_has_every_message_with_an_example(address: Any) -> None:
    document = create_app(Settings(), vision=FakeVision()).openapi()
    described = document["x-websockets"][address.path]
    references = [described["client"]["first"], *described["client"]["then"]["oneOf"], *described["server"]["oneOf"]]
    models = (*address.client, *address.server)
    assert [one["$ref"].rpartition("/")[2] for one in references] == [model.__name__ for model in models]
    for model in models:
        schema = document["components"]["schemas"][model.__name__]
        assert schema["description"]
        example = schema["example"]
        assert model.model_validate(example).model_dump()["type"] == example["type"]
        assert schema["properties"]["type"]["const"] == example["type"]


def test_every_code_of_a_close_is_described() -> None:
    document = create_app(Settings(), vision=FakeVision()).openapi()
    for described in document["x-websockets"].values():
        assert set(described["closes"]) >= {str(int(code)) for code in Close}
