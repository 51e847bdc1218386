"""The command ``hint``: as much about the SETs that lie there as is asked for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.fakes import FakeReader
from tests.running import Runner
from vision.types import Doubt

OVALS = ("1 red solid oval", "2 red solid oval", "3 red solid oval")


@pytest.mark.parametrize(
    ("level", "text"),
    [
        ("never", "no hints"),
        ("yes-no", "yes"),
        ("count", "1 SET"),
        ("one", "one red solid oval"),
        ("two", "one red solid oval, two red solid ovals"),
        ("three", "one red solid oval, two red solid ovals, three red solid ovals"),
    ],
)
def test_each_level_tells_a_little_more(run: Runner, level: str, text: str) -> None:
    done = run("hint", *OVALS, "1 green open diamond", "--level", level)
    assert (done.status, done.out, done.err) == (0, f"{text}\n", "")


@pytest.mark.parametrize(("level", "text"), [("yes-no", "no"), ("count", "0 SETs"), ("one", "no SET")])
def test_no_set_is_an_answer_too(run: Runner, level: str, text: str) -> None:
    assert run("hint", *OVALS[:2], "--level", level).out == f"{text}\n"


def test_names_may_come_in_one_text_with_commas(run: Runner) -> None:
    assert run("hint", ",".join(OVALS), "--level", "count").out == "1 SET\n"


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (("1 red squiggle", "2 red squiggle", "3 red squiggle"), "one red wave"),
        (("1 red squiggle", "wild", "3 green oval"), "one red wave"),
        (("wild", "1 red squiggle", "3 green oval"), "wild as two purple diamonds"),
        (("wild", "wild", "3 green oval"), "wild"),
        (("1 red oval", "1 red oval", "wild"), "one red oval"),
        (("1 red striped rectangle", "2 red striped rectangle", "3 red striped rectangle"), "one red half bar"),
    ],
)
def test_the_words_are_those_of_the_pieces(run: Runner, names: tuple[str, ...], text: str) -> None:
    assert run("hint", *names).out == f"{text}\n"


def test_a_photo_is_read_and_doubts_decide(run: Runner, table: Path, fake: FakeReader) -> None:
    done = run("hint", "--photo", table, "--level", "count")
    assert (done.status, done.out) == (0, "1 SET\n")
    fake.doubts = {0: Doubt.GLARE}
    for level, text in (("count", "1 SET"), ("yes-no", "yes"), ("one", "one red solid oval")):
        done = run("hint", "--photo", table, "--level", level)
        assert (done.status, done.out) == (3, f"{text}\n")


def test_json_of_a_photo_serves_as_well(run: Runner, table: Path, tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    path.write_text(run("photo", table, "--json").out, encoding="utf-8")
    assert run("hint", "--json", path, "--level", "three").out == run("hint", "--photo", table, "--level", "three").out
    assert run("hint", "--json", "-", given=path.read_bytes()).status == 0
    found = json.loads(path.read_text(encoding="utf-8"))
    found["pieces"][3]["doubt"] = "glare"
    path.write_text(json.dumps(found), encoding="utf-8")
    assert run("hint", "--json", path, "--level", "yes-no").status == 0
    assert run("hint", "--json", path, "--level", "count").status == 3


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "either names, or --photo PHOTO, or --json FILE"),
        ((*OVALS, "--photo", "x.jpg"), "either names"),
        ((*OVALS, "--level", "all"), "'all' is no hint level"),
        (("4 red solid oval",), "'4'"),
        (("",), "a name is empty"),
        (("1 red solid oval,",), "a name is empty"),
        (("1 red rectangle",), "'1 red rectangle' is no piece of SET Junior or Cubed"),
        (("1 red oval", "1 red oval"), "'1 red oval' is named twice"),
        (("--json", "none.json"), "none.json: no such file"),
        (("1 red solid oval", "1 red oval"), "pieces of one kind: got a card and a tile"),
        (("1 red solid oval", "1 red solid oval"), "'1 red solid oval' is named twice"),
        (("--json", "none.json"), "no such file"),
        (("--photo", "none.jpg"), "no such file"),
    ],
)
def test_what_is_no_table_gets_one_line(run: Runner, arguments: tuple[str, ...], words: str) -> None:
    run("hint", *arguments).is_refused(words)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"pieces": [7]}', '{"pieces": {}, "game": "poker"}', "[" * 5000])
def test_json_that_is_no_photo_gets_one_line(run: Runner, tmp_path: Path, text: str) -> None:
    path = tmp_path / "table.json"
    path.write_text(text, encoding="utf-8")
    run("hint", "--json", path).is_refused("no JSON of one photo")


def test_json_with_a_name_that_is_none_gets_one_line(run: Runner, tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    path.write_text('{"pieces": [{"name": "7 red oval", "kind": "tile"}]}', encoding="utf-8")
    run("hint", "--json", path).is_refused("'7'")


def test_a_card_that_lies_twice_is_in_doubt(run: Runner, tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    path.write_text(json.dumps({"pieces": [{"name": name} for name in (*OVALS, OVALS[0])]}), encoding="utf-8")
    done = run("hint", "--json", path, "--level", "yes-no")
    assert (done.status, done.out) == (3, "yes\n")


def test_json_of_a_photo_that_could_not_be_read_says_so(run: Runner, tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    path.write_text('{"file": "x.jpg", "error": {"code": "no-photo", "text": "this is no photo"}}', encoding="utf-8")
    run("hint", "--json", path).is_refused("that photo could not be read: this is no photo")


def test_json_that_is_too_large_gets_one_line(run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SET_REFEREE_MAX_BYTES", "1024")
    path = tmp_path / "table.json"
    path.write_text(" " * 2000, encoding="utf-8")
    run("hint", "--json", path).is_refused("table.json: the file has")
