"""Disputed calls over HTTP: three pieces of a photo, or three names, and why they are a SET or not."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.judgement_api import JudgementRequest
from tests.fakes import TABLE, FakeReader
from tests.served import Switch, is_refused
from vision.types import Doubt

ADDRESS = "/api/v1/judgements"
OVALS = ["1 red solid oval", "2 red solid oval", "3 red solid oval"]
NO_SET = ["1 red solid oval", "2 red solid oval", "2 purple solid squiggle"]


def judged(client: httpx.Client, pieces: list[str], **more: Any) -> Any:
    """Judge three names, and return the answer."""
    done = client.post(ADDRESS, json={"pieces": pieces, **more})
    assert done.status_code == 200, done.text
    return done.json()


def picked(client: httpx.Client, jpeg: bytes, pick: str | list[str], **more: Any) -> httpx.Response:
    """Judge three pieces of a photo."""
    return client.post(ADDRESS, files={"photo": ("table.jpg", jpeg)}, data={"pick": pick, **more})


def test_names_alone_are_judged_feature_by_feature(client: httpx.Client) -> None:
    answer = judged(client, NO_SET)
    assert (answer["is_set"], answer["sure"], answer["clause"]) == (False, True, "SET-3")
    assert answer["text"].startswith("Not a SET: in number two are twos and one is a one")
    assert answer["lines"][1] == "Colour: two are red and one is purple"
    assert answer["features"] == {"number": "broken", "colour": "broken", "shading": "same", "shape": "broken"}
    assert [(piece["name"], piece["id"], piece["quad"]) for piece in answer["pieces"]] == [
        (name, None, None) for name in NO_SET
    ]


def test_three_of_a_photo_are_judged_as_by_the_command(client: httpx.Client, jpeg: bytes) -> None:
    done = picked(client, jpeg, "0,1,2")
    assert done.status_code == 200, done.text
    answer = done.json()
    assert (answer["is_set"], answer["clause"], answer["lines"][0]) == (
        True,
        "SET-1",
        "Number: all different (one, two, three)",
    )
    assert [piece["id"] for piece in answer["pieces"]] == [0, 1, 2]
    assert answer["pieces"][1]["quad"][0] == [70.0, 20.0]
    assert answer["lines"] == judged(client, OVALS)["lines"]


@pytest.mark.parametrize(
    "pick", ["0,1,4", ["0", "1", "4"], ["zwei rote volle Ovale", "1 red solid oval", "4"], "4,one red solid oval,1"]
)
def test_a_pick_is_ids_or_names(pick: str | list[str], client: httpx.Client, jpeg: bytes, fake: FakeReader) -> None:
    fake.names = TABLE
    answer = picked(client, jpeg, pick).json()
    assert "error" not in answer, answer
    assert sorted(piece["id"] for piece in answer["pieces"]) == [0, 1, 4]


def test_a_doubt_makes_it_unsure(client: httpx.Client, jpeg: bytes, fake: FakeReader) -> None:
    fake.doubts = {1: Doubt.GLARE}
    answer = picked(client, jpeg, "0,1,2").json()
    assert (answer["is_set"], answer["sure"], answer["pieces"][1]["doubt"]) == (True, False, "glare")
    assert picked(client, jpeg, "0,2,3").json()["sure"] is True


def test_the_language_is_that_asked_for(client: httpx.Client, jpeg: bytes) -> None:
    answer = judged(client, NO_SET, language="de")
    assert answer["text"].startswith("Kein SET: ")
    assert answer["lines"][1] == "Farbe: zweimal rot, einmal lila"
    assert answer["pieces"][0]["label"] == "ein rotes volles Oval"
    assert picked(client, jpeg, "0,1,4", language="de").json()["text"] == answer["text"]


def test_names_are_taken_in_any_language_and_as_printed(client: httpx.Client) -> None:
    answer = judged(client, ["eine rote Welle", "two red waves", "trois vagues rouges"])
    assert answer["is_set"] is True
    assert [piece["name"] for piece in answer["pieces"]] == ["1 red squiggle", "2 red squiggle", "3 red squiggle"]


@pytest.mark.parametrize(
    ("pieces", "named", "clause"),
    [
        (["1 red oval", "wild", "1 red oval"], "1 red oval", "SET-1"),
        (["1 red oval", "wild", "2 green oval"], "3 purple oval", "SET-1"),
        (["wild", "wild", "2 green oval"], None, "CUBED-14"),
        (["wild", "Joker", "wild"], None, "CUBED-14"),
    ],
)
def test_a_wild_stands_for_what_makes_a_set(
    pieces: list[str], named: str | None, clause: str, client: httpx.Client
) -> None:
    answer = judged(client, pieces)
    assert (answer["is_set"], answer["clause"], answer["game"]) == (True, clause, "cubed")
    assert next(piece["as"] for piece in answer["pieces"] if piece["name"] == "wild") == named


def test_identical_dice_are_what_the_table_says(client: httpx.Client) -> None:
    assert judged(client, ["1 red oval"] * 3, game="cubed")["is_set"] is True
    for pieces in (["1 red oval"] * 3, ["1 red oval", "wild", "1 red oval"]):
        answer = judged(client, pieces, game="cubed", options={"identical_dice_are_set": False})
        assert (answer["is_set"], answer["clause"]) == (False, "CUBED-17")
        assert answer["text"] == "Not a SET: all three are identical."


@pytest.mark.parametrize(
    ("body", "status", "code", "words"),
    [
        ({}, 422, "bad-field", "`pieces` is missing"),
        ({"pieces": OVALS[:2]}, 422, "bad-field", "pieces"),
        ({"pieces": [*OVALS, OVALS[0]]}, 422, "bad-field", "pieces"),
        ({"pieces": [1, 2, 3]}, 422, "bad-field", "`pieces[0]`: expected a text; got 1"),
        ({"pieces": ["x" * 101, "", ""]}, 422, "bad-field", "pieces[0]"),
        ({"pieces": OVALS, "game": "chess"}, 422, "bad-field", "`game`"),
        ({"pieces": OVALS, "language": "xx"}, 422, "bad-field", "`language`"),
        ({"pieces": OVALS, "lang": "de"}, 422, "bad-field", "'lang' is no field here: expected pieces, game"),
        ({"pieces": ["4 red solid oval", *OVALS[:2]]}, 422, "bad-name", "'4'"),
        ({"pieces": ["", *OVALS[:2]]}, 422, "bad-name", "a name is empty"),
        ({"pieces": [OVALS[0], OVALS[0], OVALS[1]]}, 422, "bad-name", "named twice"),
        ({"pieces": OVALS, "game": "cubed"}, 422, "bad-name", "expected NUMBER COLOUR SHAPE"),
        ({"pieces": ["1 red solid rectangle", *OVALS[:2]], "game": "classic"}, 422, "bad-name", "no piece of SET"),
        ({"pieces": ["1 red oval", *OVALS[:2]]}, 422, "bad-pick", "pieces of one kind"),
        ({"pieces": OVALS, "options": {"colour": 1}}, 400, "bad-argument", "options: 'colour' is no option of classic"),
        ([], 422, "bad-field", ""),
        ("x", 422, "bad-field", ""),
    ],
)
def test_names_that_cannot_be_judged_get_one_line(
    body: Any, status: int, code: str, words: str, client: httpx.Client
) -> None:
    assert words in is_refused(client.post(ADDRESS, json=body), status, code)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "bad-body"),
        (b"{", "bad-body"),
        (b'{"pieces": NaN}', "bad-body"),
        (b"\xff", "bad-body"),
        (b'"\\ud800"', "bad-body"),
        (b"[" * 60_000, "bad-body"),
        (b'{"pieces": ' + b"[" * 40 + b"]" * 40 + b"}", "bad-body"),
        (b'{"pieces": [' + b"9" * 5000 + b"]}", "bad-body"),
    ],
)
def test_a_body_that_is_no_json_gets_one_line(data: bytes, code: str, client: httpx.Client) -> None:
    is_refused(client.post(ADDRESS, content=data, headers={"content-type": "application/json"}), 400, code)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.sampled_from([*OVALS, "wild"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["pieces", "photo", "name", "kind", "game", "options", "level", "x"]), inner)
    ),
    max_leaves=12,
)


@settings(max_examples=150)
@given(JSON, st.sampled_from([ADDRESS, "/api/v1/hints"]))
def test_no_json_is_a_fault(running: tuple[httpx.Client, Switch], body: Any, address: str) -> None:
    done = running[0].post(address, content=json.dumps(body), headers={"content-type": "application/json"})
    assert done.status_code < 500, done.text


def test_a_json_body_is_bounded(client: httpx.Client) -> None:
    sent = client.post(ADDRESS, content=b" " * 70_000, headers={"content-type": "application/json"})
    assert "at most 65,536 bytes" in is_refused(sent, 413, "too-many-bytes")


@pytest.mark.parametrize(
    ("pick", "more", "status", "code", "words"),
    [
        ("0,1", {}, 422, "bad-pick", "pick '0,1' names 2 pieces: expected three"),
        (["0,1", "2,3"], {}, 422, "bad-pick", "names 4 pieces"),
        (["0", "1", "2", "3"], {}, 400, "bad-argument", "pick is given more than 3 times"),
        ("0,1,9", {}, 422, "bad-pick", "no piece '9' in table.jpg: expected an id from 0 to 4"),
        ("0,1,1 red solid oval", {}, 422, "bad-pick", "names a piece twice"),
        ("0,1,2", {"language": "xx"}, 400, "bad-argument", "language is 'xx': expected one of en, de, fr, cs"),
        ("0,1,2", {"game": "chess"}, 400, "bad-argument", "game is 'chess'"),
        ("0,1,2", {"option": "rounds=7"}, 400, "bad-argument", "option: option 'rounds' of classic cannot be 7"),
        ("0,1,2", {"hand": "wild"}, 400, "bad-argument", "'hand' is no field of this form"),
        ("", {}, 422, "missing-field", "'pick'"),
    ],
)
def test_a_pick_that_is_none_gets_one_line(
    pick: Any, more: dict[str, Any], status: int, code: str, words: str, client: httpx.Client, jpeg: bytes
) -> None:
    assert words in is_refused(picked(client, jpeg, pick, **more), status, code)


def test_another_kind_of_body_is_told_what_to_send(client: httpx.Client, jpeg: bytes) -> None:
    text = is_refused(client.post(ADDRESS, data={"pick": "0,1,2"}), 422, "missing-field")
    assert "'photo'" in text
    assert "application/json" in text
    is_refused(client.post(ADDRESS, content=jpeg, headers={"content-type": "image/jpeg"}), 422, "missing-field")
    is_refused(client.post(f"{ADDRESS}?game=classic", json={"pieces": OVALS}), 400, "bad-argument")
    is_refused(picked(client, b"no picture", "0,1,2"), 415, "not-a-picture")


def test_the_examples_of_the_description_hold(client: httpx.Client) -> None:
    operation = client.get("/openapi.json").json()["paths"][ADDRESS]["post"]
    content = operation["requestBody"]["content"]["application/json"]
    answers = [judged(client, **one["value"]) for one in content["examples"].values()]
    assert [answer["is_set"] for answer in answers] == [False, True]
    assert list(content["schema"]["properties"]) == list(JudgementRequest.model_fields)
    shown = client.get("/openapi.json").json()["components"]["schemas"]["JudgementAnswer"]["example"]
    assert answers[0] == shown
