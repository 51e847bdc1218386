"""Who may do what over HTTP: keys, roles, and what hostile requests come to."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from string import printable
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.api.models import KeyAnswer
from tests.games import DEALT
from tests.shared_tables import CLASSIC, TABLES, Table, form, opened, refused, serving

CARDS = [str(card) for card in DEALT]
EVERYBODY = ("host", "Ann", "spectator", "camera", "join")
HOST, PLAYERS, ONLOOKERS = ("host",), ("host", "Ann"), ("host", "Ann", "spectator")
CALLED = {"type": "called", "player": "Ann"}
ADDRESSES: Mapping[str, tuple[Any, tuple[str, ...]]] = {
    "GET ": (None, EVERYBODY),
    "GET /board": (None, EVERYBODY),
    "GET /keys": (None, HOST),
    "POST /keys": ({"role": "spectator"}, HOST),
    "DELETE /keys/unknown": (None, HOST),
    "POST /invitations": ({"key": "unknown"}, HOST),
    "POST /seats": ({"player": "Ben"}, ("join",)),
    "POST /events": (CALLED, PLAYERS),
    "POST /calls": ({"player": "Ann"}, PLAYERS),
    "POST /clock": ({"client": 1.0}, PLAYERS),
    "POST /undo": ({}, HOST),
    "POST /corrections": ({"from": CARDS[0], "to": CARDS[1]}, HOST),
    "POST /decisions": ({"tie": "Ann"}, HOST),
    "POST /disputes": ({}, PLAYERS),
    "GET /disputes/1": (None, ONLOOKERS),
    "GET /disputes/1/stills/0": (None, ONLOOKERS),
    "GET /events": (None, ONLOOKERS),
    "GET /stream": (None, ONLOOKERS),
    "GET /record": (None, ONLOOKERS),
    "DELETE ": (None, HOST),
}
"""Every address of a table with a body for it, and who may use it."""


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with serving(tmp_path_factory.mktemp("tables"), {"table_rate": 10_000}) as found:
        yield found


@pytest.fixture(scope="module")
def lasting(client: httpx.Client) -> Table:
    """A table that no test takes away."""
    return opened(client, client.post(TABLES, json=CLASSIC))


@pytest.fixture(scope="module")
def other(client: httpx.Client) -> Table:
    """Another one."""
    return opened(client, client.post(TABLES, json=CLASSIC))


@pytest.fixture
def table(client: httpx.Client) -> Table:
    return opened(client, client.post(TABLES, json=CLASSIC))


def status(table: Table, address: str, who: str | None) -> tuple[int, str | None]:
    """Use an address; return its status and the code of its refusal. An answer that goes on is not waited for."""
    method, _, path = address.partition(" ")
    request = table.client.build_request(
        method, table.path + path, json=ADDRESSES[address][0], headers=table.headers(who)
    )
    answer = table.client.send(request, stream=True)
    try:
        if answer.status_code < 400:
            return answer.status_code, None
        return answer.status_code, json.loads(answer.read())["error"]["code"]
    finally:
        answer.close()


@pytest.mark.parametrize("who", EVERYBODY)
def test_everybody_may_do_what_their_role_allows_and_nothing_else(table: Table, who: str) -> None:
    allowed = [address for address, (_, roles) in ADDRESSES.items() if who in roles]
    for address in sorted(ADDRESSES, key=allowed.__contains__):
        found = status(table, address, who)
        assert (found[0] in (401, 403, 500)) is (address not in allowed), (address, found)
        if address not in allowed:
            assert found == (403, "not-allowed"), address
            assert (table.now().last, len(table.get("/keys").json()["keys"])) == (0, 6)


@pytest.mark.parametrize("address", ADDRESSES)
def test_without_a_key_of_the_table_there_is_nothing(lasting: Table, other: Table, address: str) -> None:
    assert status(lasting, address, None) == (401, "no-key")
    own = other.keys["host"]
    name, _, secret = lasting.keys["host"].partition(".")
    for key in (own, name, f"{name}.", f"{name}.{own.partition('.')[2]}", f".{secret}", f"{name}.{secret}x", "x", "."):
        assert status(lasting, address, key) == (401, "bad-key")


def test_every_address_of_the_description_is_tried(client: httpx.Client) -> None:
    paths = client.get("/openapi.json").json()["paths"]
    known = {
        f"{method.upper()} {path.removeprefix(TABLES + '/{table}')}"
        for path, methods in paths.items()
        if path.startswith(TABLES + "/{table}")
        for method in methods
    }
    places = {"{key_id}": "unknown", "{number}": "1", "{still}": "0"}
    for place, example in places.items():
        known = {address.replace(place, example) for address in known}
    assert known == set(ADDRESSES)


def test_a_key_is_asked_for_in_the_way_of_http(lasting: Table) -> None:
    for headers in ({}, {"authorization": "Basic QW5uOkJlbg=="}, {"authorization": "Bearer"}):
        answer = lasting.client.get(lasting.path, headers=headers)
        assert "Authorization: Bearer KEY" in refused(answer, 401, "no-key")
        assert answer.headers["www-authenticate"] == "Bearer"
    assert lasting.get("", "x.y").headers["www-authenticate"] == "Bearer"


def test_a_key_is_never_told_again(lasting: Table) -> None:
    secret = lasting.keys["host"].partition(".")[2]
    for answer in (
        lasting.get(),
        lasting.get("/keys"),
        lasting.get("/events"),
        lasting.get("/record"),
        lasting.get("/x"),
    ):
        assert secret not in answer.text + str(answer.headers)
    assert secret not in lasting.get("", lasting.keys["host"] + "x").text


def test_a_key_in_the_wrong_place_is_never_told_again(lasting: Table) -> None:
    key = lasting.keys["spectator"]
    secret = key.partition(".")[2]
    client, headers = lasting.client, lasting.headers("host")
    answers = [
        lasting.delete(f"/keys/{key}"),
        lasting.delete(f"/keys/{key}{key}{key}"),
        client.get(f"{TABLES}/{key}", headers=headers),
        client.get(f"{TABLES}/{key}{key}{key}", headers=headers),
        client.get(f"{lasting.path}/events?after={key}", headers=headers),
        client.get(f"{lasting.path}?{key}=1", headers=headers),
        client.get(lasting.path, headers={"authorization": key}),
        lasting.post("/undo", {key: 1}),
        lasting.post("/seats", {"player": key}, "join"),
        lasting.post("/keys", {"role": "player", "player": key}),
        lasting.post("/keys", {"role": key}),
        lasting.post("/calls", {"player": key}),
        lasting.post("/events", {"type": key}),
        lasting.post("/events", {"type": "dealt", "cards": [key]}),
        lasting.post("/corrections", {"from": key, "to": CARDS[0]}),
        client.post(TABLES, json={"game": key, "players": ["Ann"]}),
        client.post(TABLES, json={"game": "classic", "players": ["Ann", "Ben"], "options": {key: 1}}),
    ]
    for answer in answers:
        assert 400 <= answer.status_code < 500, answer.text
        assert secret not in answer.text, answer.text


def test_players_tell_their_own_events_only(lasting: Table) -> None:
    for event in ({"type": "called", "player": "Ben"}, {"type": "undone"}, {"type": "dealt", "cards": CARDS}):
        refused(lasting.post("/events", event, "Ann"), 403, "not-allowed")
    refused(lasting.post("/calls", {"player": "Ben"}, "Ann"), 403, "not-allowed")
    assert lasting.now().last == 0


def test_a_revoked_key_does_nothing_more(table: Table) -> None:
    assert table.delete(f"/keys/{table.keys['Ann'].partition('.')[0]}").status_code == 204
    refused(table.post("/events", CALLED, "Ann"), 401, "bad-key")
    refused(table.get("/events", "Ann"), 401, "bad-key")


def test_made_keys_have_their_role(table: Table) -> None:
    made = form(KeyAnswer, table.post("/keys", {"role": "camera"}), 201)
    refused(table.get("/events", made.key), 403, "not-allowed")


@pytest.mark.parametrize(
    "name", ["nothing", "%00", "..%2F..", "%F0%9F%82%A1", "a" * 64, "a" * 65, "'; drop table x; --"]
)
def test_tables_that_are_none(client: httpx.Client, lasting: Table, name: str) -> None:
    answer = client.get(f"{TABLES}/{name}", headers=lasting.headers("host"))
    assert answer.status_code in (400, 404)
    assert answer.json()["error"]["code"] in ("no-table", "not-found", "bad-parameter")


# Hostile requests.

TEXTS = st.text(alphabet=st.sampled_from(printable + "äß€\u0000\u2028🂡"), max_size=20)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS
    | st.just(CARDS[0]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=8,
)
NAMES = st.sampled_from(
    sorted({name for body, _ in ADDRESSES.values() for name in body or ()} | {*CLASSIC, "options", "board", "name"})
    + ["language", "call_limit", "since", "piece", "oddity", "candidate", "ignore", "cards", "t", "note", "event"]
    + ["level", "faces", "face", "as", "master", "card", "tile"]
)
KNOWN = st.sampled_from(
    [*CLASSIC.values(), "cubed", "junior-1", "setup", "Ann", "Ben", "called", "picked", "laid", "rolled", "corrected",
     "tied", "asked", "undone", "ended", "shuffled", CARDS, CARDS[:3], CARDS[0], [0, 0], 1, 0, -1, 1e300, "wild"]
)  # fmt: skip
BODIES = st.dictionaries(NAMES, KNOWN | VALUES, max_size=5) | VALUES
POSTS = [TABLES, f"{TABLES}/import", *(address.partition(" ")[2] for address in ADDRESSES if address[0] == "P")]


@pytest.mark.parametrize("path", POSTS)
@settings(max_examples=25)
@given(body=BODIES)
def test_no_body_is_a_fault(lasting: Table, path: str, body: object) -> None:
    who = "join" if path == "/seats" else "host"
    address = path if path.startswith(TABLES) else lasting.path + path
    answer = lasting.client.post(address, json=body, headers=lasting.headers(who))
    assert answer.status_code < 500, answer.text
    if answer.status_code >= 400:
        assert set(answer.json()["error"]) == {"code", "text"}


@settings(max_examples=40)
@given(data=st.binary(max_size=200) | st.text().map(str.encode))
def test_no_bytes_are_a_fault(lasting: Table, data: bytes) -> None:
    for path in (f"{TABLES}/import", TABLES, f"{lasting.path}/events"):
        kind = "application/json"
        answer = lasting.client.post(path, content=data, headers={**lasting.headers("host"), "content-type": kind})
        assert 400 <= answer.status_code < 500, answer.text


@pytest.mark.parametrize("name", ["authorization", "if-match", "if-none-match", "last-event-id", "content-type"])
@settings(max_examples=25)
@given(value=st.lists(st.integers(33, 126) | st.integers(128, 255), min_size=1, max_size=30).map(bytes))
def test_no_header_is_a_fault(lasting: Table, name: str, value: bytes) -> None:
    headers = {key.encode(): text.encode() for key, text in lasting.headers("host").items()}
    headers[name.encode()] = b"Bearer " + value if name == "authorization" else value
    for path in ("/undo", "/events", ""):
        method = "POST" if path == "/undo" else "GET"
        answer = lasting.client.request(method, lasting.path + path, headers=headers, content=b"{}")
        assert answer.status_code < 500, answer.text
