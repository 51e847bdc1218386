"""The command ``replay``: a record in, the referee's answers out."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.games import DEALT
from tests.running import Runner

TABLE = tuple(map(str, DEALT))
HEADER = {"game": "classic", "players": ["Ann", "Ben"], "options": {}}
RIGHT: dict[str, object] = {"type": "picked", "player": "Ann", "cards": [TABLE[0], TABLE[1], TABLE[9]], "t": 4}
WRONG: dict[str, object] = {"type": "picked", "player": "Ben", "cards": [TABLE[2], TABLE[4], TABLE[5]]}
EVENTS: tuple[dict[str, object], ...] = (
    {"type": "dealt", "cards": TABLE},
    {"type": "called", "player": "Ann", "t": 1.5},
    RIGHT,
    {"type": "called", "player": "Ben"},
    WRONG,
    {"type": "ended"},
)


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A short game as a file."""
    return written(tmp_path, HEADER, *EVENTS)


def written(folder: Path, *lines: object) -> Path:
    """These objects as a record."""
    path = folder / "game.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    return path


def test_json_is_one_line_an_event_and_the_outcome(run: Runner, game: Path) -> None:
    done = run("replay", game, "--json")
    assert (done.status, done.err) == (0, "")
    *answers, last = done.lines
    assert [answer["event"] for answer in answers] == list(range(6))
    assert [answer["ok"] for answer in answers] == [True, True, True, True, False, True]
    assert answers[2]["clause"] == "CLASSIC-5"
    assert answers[2]["points"] == {"Ann": 1}
    assert answers[4]["scores"] == {"Ann": 1, "Ben": -1}
    assert "Colour: all different (red, green, purple)" not in answers[2]["text"]
    assert "Shading: two are striped and one is open" in answers[4]["text"]
    outcome = last["outcome"]
    assert outcome.pop("integrity") == "holds"
    assert outcome == {"over": True, "scores": {"Ann": 1, "Ben": -1}, "winners": ["Ann"], "losers": []}


def test_text_is_one_line_an_event_and_the_score(run: Runner, game: Path) -> None:
    lines = run("replay", game).out.splitlines()
    assert lines[0] == "SET: Ann, Ben"
    assert lines[3].split()[:4] == ["2", "picked", "ok", "CLASSIC-5"]
    assert lines[5].endswith("[Ben -1]")
    assert lines[7:] == [
        "over: Ann 1, Ben -1",
        "wins: Ann",
        "What is left sums to 0 in every feature: no false SET was taken (SET-5).",
        "SETs by features that differ: 1 with 3 different",
        "false calls: Ben 1",
        "median time between events: 2.5 s",
        "median time from a call to its pick: 2.5 s",
    ]


def test_a_game_that_goes_on_says_who_leads(run: Runner, tmp_path: Path) -> None:
    lines = run("replay", written(tmp_path, HEADER, *EVENTS[:3])).out.splitlines()
    assert lines[4:6] == ["not over: Ann 1, Ben 0", "leads: Ann"]


@pytest.mark.parametrize(("language", "words"), [("de", "Farbe"), ("fr", "Couleur"), ("cs", "Barva"), ("en", "Colour")])
def test_sentences_come_in_four_languages(run: Runner, game: Path, language: str, words: str) -> None:
    done = run("replay", game, "--json", "--language", language)
    assert words in done.lines[2]["text"]
    run("replay", game, "--language", "xx").is_refused("'xx'", "'en'")


ENDS = {
    "de": ("zu Ende: Ann 1, Ben -1", "gewonnen: Ann", "falsche Rufe: Ben 1"),
    "fr": ("terminé\u00a0: Ann 1, Ben -1", "gagne\u00a0: Ann", "annonces fausses\u00a0: Ben 1"),
    "cs": ("konec: Ann 1, Ben -1", "vítězí: Ann", "falešná volání: Ben 1"),
}


@pytest.mark.parametrize("language", ENDS)
def test_the_end_comes_in_the_language_too(run: Runner, game: Path, language: str) -> None:
    lines = run("replay", game, "--language", language).out.splitlines()[7:]
    assert set(ENDS[language]) < set(lines)
    assert not set(lines) & set(run("replay", game).out.splitlines())
    assert [line for line in lines if re.search(r"\b2\.5 s$", line)] == lines[-2:]


def test_a_record_comes_on_standard_input_too(run: Runner, game: Path) -> None:
    done = run("replay", "-", "--json", given=game.read_bytes())
    assert done.status == 0
    assert len(done.lines) == 7


def test_of_an_unreadable_record_nothing_is_answered(run: Runner, tmp_path: Path) -> None:
    path = written(tmp_path, HEADER, *EVENTS, {"type": "shouted"})
    done = run("replay", path, "--json")
    done.is_refused("game.jsonl: line 8: 'shouted' is no type of event")
    assert done.out == ""


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "line 1: the record is empty"),
        (b"\xff\xd8\xff\xe0", "line 1: no UTF-8"),
        (b"[" * 5000, "line 1: no JSON of a record: nested too deeply"),
    ],
)
def test_what_is_no_record_gets_one_line(run: Runner, tmp_path: Path, data: bytes, words: str) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(data)
    run("replay", path).is_refused(words)


def test_a_missing_record_gets_one_line(run: Runner, tmp_path: Path) -> None:
    run("replay", tmp_path / "none.jsonl").is_refused("no such file")


def test_names_cannot_write_to_the_terminal(run: Runner, tmp_path: Path) -> None:
    players = ["\x1b[2J", "{player}"]
    events = ({"type": "dealt", "cards": TABLE}, *({"type": "called", "player": name} for name in players))
    out = run("replay", written(tmp_path, {**HEADER, "players": players}, *events)).out
    assert "\x1b" not in out
    assert "{player}" in out


def test_a_name_with_control_characters_has_one_form_everywhere(run: Runner, tmp_path: Path) -> None:
    players = ["\x1b[31mA\x07", "B\u202eb"]
    events = [event for name in players for event in ({"type": "called", "player": name}, {**WRONG, "player": name})]
    last = ({"type": "tied", "players": players}, {"type": "ended"})
    record = written(tmp_path, {**HEADER, "players": players}, {"type": "dealt", "cards": TABLE}, *events, *last)
    lines = run("replay", record).out.splitlines()
    assert lines[0] == "SET: ?[31mA?, B?b"
    assert lines[3].endswith("?[31mA? loses one point.  [?[31mA? -1]")
    assert "The calls of ?[31mA? and B?b came" in lines[6]
    assert lines[8:10] == ["over: ?[31mA? -1, B?b -1", "wins: ?[31mA?, B?b"]
    assert "false calls: ?[31mA? 1, B?b 1" in lines


def test_times_that_run_backwards_have_no_median(run: Runner, tmp_path: Path) -> None:
    back = [{**event, "t": 9 - number} for number, event in enumerate(EVENTS)]
    assert "median" not in run("replay", written(tmp_path, HEADER, *back)).out


def test_a_refused_setup_has_losers(run: Runner, tmp_path: Path) -> None:
    head = {"game": "setup", "players": ["Ann", "Ben"], "options": {}}
    lines = run("replay", written(tmp_path, head, {"type": "laid", "player": "Ann", "card": TABLE[0]})).out.splitlines()
    assert lines[-1] == "loses: Ann, Ben"
