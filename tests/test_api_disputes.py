"""Disputes over HTTP: a camera has looked on, and a call is looked at again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from service.api.models import Entry
from service.app import create_app
from service.hub import DisputeState, entry_text
from service.hub.journal import _told
from service.live.happenings import Happening, HappeningKind
from service.settings import Settings
from service.store import Entry as Stored
from tests.fake_moments import moment, track
from tests.fake_vision import FakeVision, picture
from tests.fakes import FakeReader
from tests.games import DEALT
from tests.shared_tables import CLASSIC, TABLES, Table, form, opened, refused
from tests.socket_client import Served, served
from vision.tracks import Moment

STILL = b"\xff\xd8 a small picture \xff\xd9"
TAKEN = (0, 1, 9)
"""Places of the SET."""


def script(number: int, time: float) -> Moment:
    """Twelve cards; from picture 2 on without those of the SET."""
    places = [place for place in range(12) if number < 2 or place not in TAKEN]
    return moment(time, [track(place, DEALT[place], time=time) for place in places])


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder: Path = tmp_path_factory.mktemp("tables")
    settings = Settings(database=f"sqlite:///{folder / 'tables.sqlite'}")
    app = create_app(settings, FakeReader(), FakeVision(script, still=STILL))
    with served(app, settings) as found:
        yield found


@pytest.fixture(scope="module")
def client(service: Served) -> Iterator[httpx.Client]:
    with service.client() as found:
        yield found


@pytest.fixture(scope="module")
def table(service: Served, client: httpx.Client) -> Table:
    """A table at which Ann has called and taken a SET, as a camera has seen."""
    found = opened(client, client.post(TABLES, json=CLASSIC))
    with service.open(f"{found.path}/camera") as camera:
        camera.say({"type": "hello", "key": found.keys["camera"]})
        for number in range(4):
            if number == 2:
                assert found.play({"type": "called", "player": "Ann"}, "Ann").entries[0].ok
            camera.say(picture(number))
            camera.hear("seen")
    return found


def test_the_camera_has_told_what_happened(table: Table) -> None:
    assert [entry.type for entry in table.entries().entries] == ["dealt", "called", "picked"]
    assert table.now().players[0].score == 1
    assert len(table.now().layout) == 9


def test_a_dispute_freezes_the_call(table: Table) -> None:
    answer = table.post("/disputes", {}, "Ann")
    found = form(DisputeState, answer, 201)
    assert answer.headers["location"] == f"{table.path}/disputes/{found.number}"
    assert (found.player, found.is_set, found.pieces) == ("Ann", True, [str(DEALT[place]) for place in TAKEN])
    assert len(found.lines) == 4
    still = found.stills[found.place]
    assert (len(still.layout), still.settled, still.picture) == (12, True, True)
    for who in ("host", "Ann", "spectator"):
        assert form(DisputeState, table.client.get(answer.headers["location"], headers=table.headers(who))) == found
    shown = table.get(f"/disputes/{found.number}/stills/{found.place}", "spectator")
    assert (shown.headers["content-type"], shown.content) == ("image/jpeg", STILL)
    assert shown.headers["cache-control"] == "no-store"


def test_a_call_without_three_was_judged_too(table: Table) -> None:
    for type_ in ("called", "gave_up"):
        assert table.play({"type": type_, "player": "Ann"}, "Ann").entries
    found = form(DisputeState, table.post("/disputes", {}, "Ann"), 201)
    assert (found.player, found.is_set, found.pieces, found.lines) == ("Ann", False, [], [])
    assert found.text == table.entries().entries[-1].text


def test_a_dispute_needs_no_body(table: Table) -> None:
    answer = table.client.post(f"{table.path}/disputes", headers=table.headers("host"))
    assert form(DisputeState, answer, 201).player == "Ann"
    refused(table.post("/disputes", {"at": 0}), 409, "no-call")


def test_what_is_not_kept_is_not_there(table: Table) -> None:
    number = form(DisputeState, table.post("/disputes", {}), 201).number
    refused(table.get("/disputes/999"), 404, "no-dispute")
    refused(table.get(f"/disputes/{number}/stills/999"), 404, "no-dispute")
    refused(table.get("/disputes/one"), 400, "bad-parameter")
    refused(table.get("/disputes/-1"), 400, "bad-parameter")
    refused(table.post("/disputes", {"at": -1}), 422, "bad-field")


def test_without_a_camera_nothing_can_be_disputed(client: httpx.Client) -> None:
    table = opened(client, client.post(TABLES, json=CLASSIC))
    refused(table.post("/disputes", {}), 409, "no-replay")


def test_an_oddity_has_a_number_beside_that_of_its_entry() -> None:
    happening = Happening(kind=HappeningKind.ODDITY, time=3.0, text="Whose is it?", number=2, sure=False)
    entry = Entry.model_validate_json(entry_text(Stored(7, _told(happening, 1e9), None)))
    assert (entry.number, entry.oddity, entry.kind) == (7, 2, HappeningKind.ODDITY)
    assert entry.at == "2001-09-09T01:46:40.000Z"
