"""Tables over HTTP: every address, what it answers, and how a game goes on."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import httpx
import pytest

from engine.record import read_record
from engine.tokens import full_deck
from service.api.models import CallAnswer, ClockAnswer, EntriesAnswer, Entry, HeldKeys, KeyAnswer, PlayedAnswer
from tests.games import DEALT
from tests.shared_tables import CLASSIC, TABLES, Table, form, opened, refused, serving

GOLDEN = Path(__file__).parent / "golden"
CARDS = [str(card) for card in DEALT]
SET = [CARDS[0], CARDS[1], CARDS[9]]
NO_SET = CARDS[:3]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with serving(tmp_path_factory.mktemp("tables")) as found:
        yield found


@pytest.fixture
def table(client: httpx.Client) -> Table:
    """A table of classic SET, to which twelve cards have been dealt."""
    found = opened(client, client.post(TABLES, json=CLASSIC))
    assert found.play({"type": "dealt", "cards": CARDS}).entries[0].ok
    return found


def told(table: Table, kind: str) -> Entry:
    """The first event of this type in the journal, as soon as it is there."""
    for _ in range(200):
        found = [entry for entry in table.entries().entries if entry.type == kind or entry.kind == kind]
        if found:
            return found[0]
        time.sleep(0.01)
    raise AssertionError(f"no {kind} in {table.entries()}")


def measured(table: Table, who: str) -> float:
    """Measure the clock of somebody who counts as this process does; return the bound of its error."""
    answers = None
    for _ in range(2):
        body = {"client": time.monotonic(), **({} if answers is None else {"answers": answers})}
        answer = form(ClockAnswer, table.post("/clock", body, who))
        answers = answer.number
    assert answer.error is not None
    return answer.error


# Opening.


def test_a_new_table_has_keys_and_a_state(client: httpx.Client) -> None:
    asked = {**CLASSIC, "options": {"hints": "count"}, "name": "Friday", "call_limit": 10}
    table = opened(client, client.post(TABLES, json=asked))
    assert set(table.keys) == {"host", "join", "spectator", "camera", "Ann", "Ben"}
    assert len(set(table.keys.values())) == 6
    state = table.state
    assert (state.id, state.name, state.game, state.hints, state.call_limit) == (
        table.id,
        "Friday",
        "classic",
        "count",
        10,
    )
    assert [(player.name, player.score, player.connected) for player in state.players] == [
        ("Ann", 0, False),
        ("Ben", 0, False),
    ]
    assert (state.last, state.events, state.caller, state.outcome) == (0, 0, None, None)


def test_a_board_file_is_taken_as_it_is(client: httpx.Client) -> None:
    board = json.loads((Path("service") / "boards" / "cubed.example.json").read_text(encoding="utf-8"))
    table = opened(client, client.post(TABLES, json={"game": "cubed", "players": ["Ann", "Ben"], "board": board}))
    header = json.loads(table.get("/record").text)
    assert header["board"]["logo"] == board["logo"]
    assert table.state.game == "cubed"
    for who in table.keys:
        answer = table.get("/board", who)
        assert (answer.status_code, answer.json()) == (200, board)
    assert answer.headers["cache-control"] == "private, max-age=86400, immutable"
    assert table.get("/board", who, if_none_match=answer.headers["etag"]).status_code == 304
    refused(table.get("/board", None), 401, "no-key")


def test_an_imported_record_brings_its_board(client: httpx.Client) -> None:
    record = (GOLDEN / "junior-1.record.jsonl").read_bytes()
    table = opened(client, client.post(f"{TABLES}/import", content=record))
    squares = json.loads(record.splitlines()[0])["board"]
    assert table.get("/board").json() == {"game": "junior-1", "squares": squares}


def test_where_no_board_is_there_is_no_board_file(table: Table) -> None:
    assert "none is needed for SET" in refused(table.get("/board"), 404, "no-board-file")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"game": "chess"}, "`game`: expected 'classic'"),
        ({"game": None}, "`game`"),
        ({"players": []}, "`players`"),
        ({"players": ["Ann", "Ann"]}, "players"),
        ({"players": ["Ann"] * 13}, "`players`"),
        ({"players": [""]}, "`players[0]`"),
        ({"players": ["A" * 41]}, "`players[0]`"),
        ({"options": {"stakes": 3}}, "stakes"),
        ({"options": {"hints": "all"}}, "hints"),
        ({"options": {"rounds": [1]}}, "`options.rounds"),
        ({"options": []}, "`options`"),
        ({"game": "cubed"}, "board"),
        ({"game": "cubed", "board": {"game": "cubed", "rows": 2}}, "`board.rows`"),
        ({"game": "cubed", "board": {"game": "junior-2", "spaces": 10}}, "board"),
        ({"board": {"rows": 3}}, "`board.game` is missing"),
        ({"name": "n" * 81}, "`name`"),
        ({"call_limit": 0}, "`call_limit`"),
        ({"call_limit": 1e9}, "`call_limit`"),
        ({"language": "xx"}, "`language`: expected 'en'"),
        ({"colour": "red"}, "'colour' is no field here"),
    ],
)
def test_a_table_that_cannot_be_is_refused(client: httpx.Client, change: dict[str, Any], words: str) -> None:
    answer = client.post(TABLES, json={**CLASSIC, **change})
    assert answer.status_code == 422
    assert words in answer.json()["error"]["text"]


def test_verdicts_are_told_in_the_language_of_the_table(client: httpx.Client) -> None:
    table = opened(client, client.post(TABLES, json={**CLASSIC, "language": "de"}))
    text = table.play({"type": "dealt", "cards": CARDS}).entries[0].text
    assert "Karten" in text


# A game.


def test_a_call_and_a_set(table: Table) -> None:
    assert table.play({"type": "called", "player": "Ann"}, "Ann").state.caller == "Ann"
    played = table.play({"type": "picked", "player": "Ann", "cards": SET}, "Ann")
    (entry,) = played.entries
    assert (entry.number, entry.event, entry.type, entry.player) == (3, 2, "picked", "Ann")
    assert (entry.ok, entry.points, entry.scores) == (True, {"Ann": 1}, {"Ann": 1, "Ben": 0})
    assert entry.pieces == SET
    assert played.state.last == played.state.events == 3
    assert [player.score for player in played.state.players] == [1, 0]
    assert table.now("spectator").players == played.state.players


def test_a_false_call_is_a_verdict_and_no_error(table: Table) -> None:
    table.play({"type": "called", "player": "Ben"}, "Ben")
    (entry,) = table.play({"type": "picked", "player": "Ben", "cards": NO_SET}, "Ben").entries
    assert (entry.ok, entry.judged, entry.points) == (False, True, {"Ben": -1})


def test_a_refused_event_is_a_verdict_and_no_error(table: Table) -> None:
    played = table.play({"type": "dealt", "cards": SET})
    assert (played.entries[0].ok, played.entries[0].judged, played.entries[0].points) == (False, False, {})
    assert played.state.events == 2


@pytest.mark.parametrize(
    ("event", "code"),
    [
        ({"type": "danced"}, "bad-field"),
        ({"type": "called"}, "bad-field"),
        ({"type": "called", "player": "Cid"}, "bad-event"),
        ({"type": "picked", "player": "Ann", "cards": ["the queen"]}, "bad-event"),
        ({"type": "laid", "player": "Ann"}, "bad-event"),
        ({"type": "asked", "player": "Ann", "level": "all"}, "bad-field"),
    ],
)
def test_an_event_that_is_none_is_an_error(table: Table, event: dict[str, Any], code: str) -> None:
    refused(table.post("/events", event), 422, code)
    assert table.now().events == 1


def test_undo_takes_back(table: Table) -> None:
    table.play({"type": "called", "player": "Ann"})
    played = form(PlayedAnswer, table.post("/undo", {}))
    assert played.entries[0].type == "undone"
    assert played.state.caller is None
    assert form(PlayedAnswer, table.client.post(f"{table.path}/undo", headers=table.headers("host"))).state.events == 4


def test_a_correction_judges_again(table: Table) -> None:
    table.play({"type": "called", "player": "Ann"})
    table.play({"type": "picked", "player": "Ann", "cards": NO_SET})
    played = form(PlayedAnswer, table.post("/corrections", {"from": NO_SET[2], "to": "2 red open oval"}))
    (entry,) = played.entries
    assert entry.kind == "correction"
    assert played.state.events == 4
    assert "queen" in refused(table.post("/corrections", {"from": SET[0], "to": "queen"}), 422, "not-a-piece")


def test_a_correction_to_a_name_that_is_there_already_has_to_be_forced(table: Table) -> None:
    wanted = {"from": CARDS[0], "to": CARDS[1]}
    for path, told in (("/corrections", wanted), ("/events", {"type": "corrected", "event": 0} | wanted)):
        assert "event 0 (dealt) would not stand" in refused(table.post(path, told), 409, "not-possible")
    assert table.now().last == 1
    assert form(PlayedAnswer, table.post("/corrections", wanted | {"force": True})).state.layout == []


def test_a_correction_that_finds_nothing_is_refused(table: Table) -> None:
    free = next(str(card) for card in full_deck() if str(card) not in CARDS)
    for wanted in ({"from": free, "to": CARDS[0]}, {"from": CARDS[0], "to": CARDS[0]}, {"from": CARDS[0], "piece": 99}):
        refused(table.post("/corrections", {"to": free} | wanted), 422, "nothing-to-correct")
    assert table.now().last == 1


def test_a_call_by_the_clients_clock(table: Table) -> None:
    error = measured(table, "Ann")
    assert 0 < error < 0.25
    answer = form(CallAnswer, table.post("/calls", {"at": time.monotonic()}, "Ann"))
    assert answer.error is not None
    assert error <= answer.error < 0.25
    entry = told(table, "called")
    assert (entry.player, entry.ok) == ("Ann", True)
    assert table.now().caller == "Ann"
    assert [player.clock_error is None for player in table.now().players] == [False, True]


def test_calls_too_close_to_part_are_a_tie_that_the_host_decides(table: Table) -> None:
    for player in ("Ann", "Ben"):
        measured(table, player)
    now = time.monotonic()
    for player in ("Ann", "Ben"):
        form(CallAnswer, table.post("/calls", {"at": now}, player))
    told(table, "tie")
    tie = table.now().tie
    assert tie is not None
    assert sorted(tie.players) == ["Ann", "Ben"]
    refused(table.post("/decisions", {"tie": "Ann"}, "Ann"), 403, "not-allowed")
    assert refused(table.post("/events", {"type": "called", "player": "Ann"}, "Ann"), 409, "tied").endswith(
        "host decides"
    )
    refused(table.post("/decisions", {"tie": "Cid"}), 409, "not-tied")
    assert form(PlayedAnswer, table.post("/decisions", {"tie": "Ben"})).state.caller == "Ben"
    refused(table.post("/decisions", {"tie": "Ben"}), 409, "no-tie")


def test_a_host_calls_for_a_player(table: Table) -> None:
    form(CallAnswer, table.post("/calls", {"player": "Ben"}))
    refused(table.post("/calls", {}), 422, "bad-event")
    refused(table.post("/calls", {"player": "Cid"}), 422, "bad-event")


@pytest.mark.parametrize(
    "decision",
    [
        {},
        {"tie": "Ann", "oddity": 1},
        {"oddity": 1},
        {"oddity": None, "candidate": 0},
        {"oddity": 1, "candidate": None},
        {"oddity": 1, "ignore": False},
        {"oddity": 1, "candidate": 0, "ignore": True},
        {"candidate": 0},
        {"tie": "Ann", "ignore": True},
    ],
)
def test_a_decision_decides_one_thing(table: Table, decision: dict[str, Any]) -> None:
    assert refused(table.post("/decisions", decision), 422, "bad-field").startswith(("decide one thing", "`ignore`"))


def test_nothing_odd_to_decide(table: Table) -> None:
    refused(table.post("/decisions", {"oddity": 1, "candidate": 0}), 409, "no-oddity")
    refused(table.post("/decisions", {"oddity": 1, "ignore": True}), 409, "no-oddity")
    refused(table.post("/decisions", {"tie": None, "oddity": None, "candidate": None}), 409, "no-tie")


# Preconditions.


def test_an_answer_that_was_lost_can_be_asked_for_again_safely(table: Table) -> None:
    last = table.now().last
    event = {"type": "called", "player": "Ann"}
    first = table.play(event, If_Match=f'"{last}"')
    text = refused(table.post("/events", event, If_Match=f'"{last}"'), 412, "moved")
    assert str(first.state.last) in text
    assert table.entries(after=last).entries == first.entries
    assert table.now().events == 2


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/events", {"type": "called", "player": "Ann"}),
        ("/calls", {"player": "Ann"}),
        ("/undo", {}),
        ("/corrections", {"from": CARDS[0], "to": CARDS[1]}),
        ("/decisions", {"tie": None}),
    ],
)
def test_every_change_takes_a_precondition(table: Table, path: str, body: dict[str, Any]) -> None:
    refused(table.post(path, body, If_Match='"999"'), 412, "moved")
    assert table.now().last == 1
    refused(table.post(path, body, If_Match="999"), 400, "bad-argument")


def test_a_star_matches_any_state(table: Table) -> None:
    assert table.play({"type": "called", "player": "Ann"}, If_Match="*").state.caller == "Ann"


@pytest.mark.parametrize("path", ["", "/events", "/events?after=1"])
def test_what_has_not_changed_is_not_sent_again(table: Table, path: str) -> None:
    tag = table.get(path).headers["etag"]
    assert tag == '"1"'
    for known in (tag, f"W/{tag}", f'"0", {tag}', "*"):
        answer = table.get(path, If_None_Match=known)
        assert (answer.status_code, answer.content, answer.headers["etag"]) == (304, b"", tag)
    table.play({"type": "called", "player": "Ann"})
    answer = table.get(path, If_None_Match=tag)
    assert (answer.status_code, answer.headers["etag"]) == (200, '"2"')


# The journal and the record.


def test_entries_come_in_order_and_in_parts(table: Table) -> None:
    for _ in range(3):
        table.play({"type": "no_set", "player": "Ann"})
    assert [entry.number for entry in table.entries().entries] == [1, 2, 3, 4]
    page = form(EntriesAnswer, table.get("/events?after=1&limit=2", "spectator"))
    assert ([entry.number for entry in page.entries], page.last) == ([2, 3], 4)
    assert form(EntriesAnswer, table.get("/events?after=99")).entries == []
    refused(table.get("/events?after=-1"), 400, "bad-parameter")
    refused(table.get("/events?limit=100000"), 400, "bad-parameter")
    refused(table.get("/events?before=3"), 400, "bad-argument")


@pytest.mark.parametrize("name", ["classic", "ravensburger-forever", "setup", "junior-1", "junior-2-rounds", "cubed"])
def test_a_record_goes_in_and_out_and_replays_to_the_same_score(client: httpx.Client, name: str) -> None:
    record = (GOLDEN / f"{name}.record.jsonl").read_bytes()
    answers = [json.loads(line) for line in (GOLDEN / f"{name}.answers.jsonl").read_text().splitlines()]
    table = opened(client, client.post(f"{TABLES}/import", content=record))
    events = [answer for answer in answers if "event" in answer]
    assert table.state.events == table.state.last == len(record.splitlines()) - 1
    assert {player.name: player.score for player in table.state.players} == events[-1]["scores"]
    entries = form(EntriesAnswer, table.get("/events?limit=1000")).entries
    assert [(entry.event, entry.ok, entry.clause, entry.points) for entry in entries] == [
        (answer["event"], answer["ok"], answer["clause"], answer["points"]) for answer in events
    ]
    exported = table.get("/record", "spectator")
    assert exported.headers["content-type"] == "application/x-ndjson"
    assert exported.headers["content-disposition"] == f'attachment; filename="set-referee-{table.id}.jsonl"'
    assert [json.loads(line) for line in exported.text.splitlines()] == [
        json.loads(line) for line in record.splitlines()
    ]
    again = opened(client, client.post(f"{TABLES}/import", content=exported.content))
    assert again.get("/record").content == exported.content


def test_a_game_that_was_played_here_is_exported_and_imported(table: Table) -> None:
    table.play({"type": "called", "player": "Ann"}, "Ann")
    table.play({"type": "picked", "player": "Ann", "cards": SET}, "Ann")
    record = table.get("/record").content
    header, events = read_record(BytesIO(record))
    referee = header.referee()
    for event in events:
        referee.apply(event)
    assert referee.state.score == {"Ann": 1, "Ben": 0}
    path = f"{TABLES}/import?name=Again&language=de&call_limit=5"
    again = opened(table.client, table.client.post(path, content=record))
    assert again.get("/record").content == record
    assert (again.state.name, again.state.call_limit) == ("Again", 5)
    assert {player.name: player.score for player in again.now().players} == {"Ann": 1, "Ben": 0}


@pytest.mark.parametrize(
    ("record", "status", "words"),
    [
        (b"", 422, "line 1"),
        (b"{}", 422, "line 1"),
        (b'{"game": "classic", "players": ["Ann"], "options": {}}\n{"type": "danced"}', 422, "line 2"),
        (b"\xff\xfe", 422, "line 1"),
        (b"[" * 100_000, 422, "line 1"),
        (b" " * 8_000_001, 413, "8,000,000 bytes"),
    ],
)
def test_a_record_that_cannot_be_read_is_refused(client: httpx.Client, record: bytes, status: int, words: str) -> None:
    answer = client.post(f"{TABLES}/import", content=record)
    assert answer.status_code == status
    assert words in answer.json()["error"]["text"]


# Tables.


def test_tables_know_nothing_of_each_other(client: httpx.Client, table: Table) -> None:
    other = opened(client, client.post(TABLES, json={**CLASSIC, "players": ["Ann", "Cid"]}))
    table.play({"type": "called", "player": "Ann"})
    assert (other.now().events, other.now().caller) == (0, None)
    other.play({"type": "dealt", "cards": CARDS})
    other.play({"type": "called", "player": "Cid"})
    assert (table.now().caller, other.now().caller) == ("Ann", "Cid")
    for path in ("", "/keys", "/events", "/record"):
        refused(other.get(path, table.keys["host"]), 401, "bad-key")


def test_a_table_survives_the_service(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        table = opened(client, client.post(TABLES, json={**CLASSIC, "name": "Friday", "language": "de"}))
        table.play({"type": "dealt", "cards": CARDS})
        table.play({"type": "called", "player": "Ann"})
        before, entries, record = table.now(), table.entries(), table.get("/record").content
    with serving(tmp_path) as client:
        table.client = client
        after = table.now()
        assert after.model_copy(update={"time": 0.0}) == before.model_copy(update={"time": 0.0})
        assert (table.entries(), table.get("/record").content) == (entries, record)
        assert table.play({"type": "picked", "player": "Ann", "cards": SET}).state.players[0].score == 1


def test_a_table_that_is_taken_away_is_gone(table: Table) -> None:
    answer = table.delete()
    assert (answer.status_code, answer.content) == (204, b"")
    for path in ("", "/keys", "/events", "/record"):
        refused(table.get(path), 404, "no-table")
    refused(table.delete(), 404, "no-table")


# Keys.


def test_keys_are_listed_without_secrets(table: Table) -> None:
    answer = table.get("/keys")
    listed = form(HeldKeys, answer).keys
    assert sorted((key.role, key.player) for key in listed) == [
        ("camera", None),
        ("host", None),
        ("join", None),
        ("player", "Ann"),
        ("player", "Ben"),
        ("spectator", None),
    ]
    for key in table.keys.values():
        name, _, secret = key.partition(".")
        assert name in [one.id for one in listed]
        assert len(secret) == 22
        assert secret not in answer.text


def test_a_key_is_made_and_revoked(table: Table) -> None:
    made = form(KeyAnswer, table.post("/keys", {"role": "player", "player": "Ben"}), 201)
    assert made.key.startswith(f"{made.id}.")
    assert table.now(made.key).id == table.id
    assert table.delete(f"/keys/{made.id}").status_code == 204
    refused(table.get("", made.key), 401, "bad-key")
    assert [key.revoked for key in form(HeldKeys, table.get("/keys")).keys if key.id == made.id] == [True]
    assert table.now("Ben").id == table.id


def test_the_last_host_stays(table: Table) -> None:
    name = table.keys["host"].partition(".")[0]
    refused(table.delete(f"/keys/{name}"), 409, "last-host")
    second = form(KeyAnswer, table.post("/keys", {"role": "host"}), 201)
    assert table.delete(f"/keys/{name}", second.key).status_code == 204
    refused(table.get(), 401, "bad-key")


@pytest.mark.parametrize("asked", [{"role": "king"}, {"role": "player"}, {"role": "host", "player": "Ann"}, {}])
def test_a_key_for_nobody_is_not_made(table: Table, asked: dict[str, str]) -> None:
    refused(table.post("/keys", asked), 422, "bad-field")
    assert table.post("/keys", {"role": "player", "player": "Cid"}).status_code == 422
    assert table.delete("/keys/unknown").status_code == 404


def test_a_seat_is_taken_once(table: Table) -> None:
    taken = form(KeyAnswer, table.post("/seats", {"player": "Ben"}, "join"), 201)
    assert (taken.role, taken.player) == ("player", "Ben")
    assert table.play({"type": "called", "player": "Ben"}, taken.key).entries[0].ok
    refused(table.post("/seats", {"player": "Ben"}, "join"), 409, "seat-taken")
    assert table.delete(f"/keys/{taken.id}").status_code == 204
    form(KeyAnswer, table.post("/seats", {"player": "Ben"}, "join"), 201)
    assert table.post("/seats", {"player": "Cid"}, "join").status_code == 422


# Limits.


def test_a_service_without_room_says_so(tmp_path: Path) -> None:
    with serving(tmp_path, {"max_tables": 1}) as client:
        opened(client, client.post(TABLES, json=CLASSIC))
        answer = client.post(TABLES, json=CLASSIC)
        refused(answer, 503, "full")
        assert int(answer.headers["retry-after"]) >= 1


def test_too_much_at_one_table_is_told_to_wait(tmp_path: Path) -> None:
    with serving(tmp_path, {"table_rate": 1}) as client:
        table = opened(client, client.post(TABLES, json=CLASSIC))
        answers = [table.post("/events", {"type": "called", "player": "Ann"}) for _ in range(30)]
        late = [answer for answer in answers if answer.status_code != 200]
        refused(late[0], 429, "too-many-requests")
        assert int(late[0].headers["retry-after"]) >= 1
