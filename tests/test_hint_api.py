"""Hints over HTTP: about names, a photo, or what was read off a photo before."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.fakes import FakeReader
from tests.served import PHOTOS, is_refused, post
from vision.types import Doubt

ADDRESS = "/api/v1/hints"
OVALS = ["1 red solid oval", "2 red solid oval", "3 red solid oval"]


def hint(client: httpx.Client, **asked: Any) -> Any:
    """Ask as JSON, and return the answer."""
    done = client.post(ADDRESS, json=asked)
    assert done.status_code == 200, done.text
    return done.json()


def of_photo(client: httpx.Client, jpeg: bytes, **more: Any) -> httpx.Response:
    """Ask about a photo."""
    return client.post(ADDRESS, files={"photo": ("table.jpg", jpeg)}, data=more)


LEVELS = [
    ("never", "no hints"),
    ("yes-no", "yes"),
    ("count", "1 SET"),
    ("one", "one red solid oval"),
    ("two", "one red solid oval, two red solid ovals"),
    ("three", "one red solid oval, two red solid ovals, three red solid ovals"),
]


@pytest.mark.parametrize(("level", "text"), LEVELS)
def test_names_a_photo_and_its_json_get_the_same_hint(level: str, text: str, client: httpx.Client, jpeg: bytes) -> None:
    shown = list(range(text.count("red")))
    expected = {"game": "classic", "level": level, "text": text, "sure": True, "pieces": shown}
    assert hint(client, pieces=[*OVALS, "1 green open diamond"], level=level) == expected
    assert of_photo(client, jpeg, level=level).json() == expected
    assert hint(client, photo=post(client, jpeg).json(), level=level) == expected


def test_without_a_level_one_piece_is_shown(client: httpx.Client, jpeg: bytes) -> None:
    assert hint(client, pieces=OVALS)["level"] == "one"
    assert of_photo(client, jpeg).json()["level"] == "one"


def test_a_doubt_makes_it_unsure(client: httpx.Client, jpeg: bytes, fake: FakeReader) -> None:
    fake.doubts = {3: Doubt.GLARE}
    assert of_photo(client, jpeg, level="yes-no").json()["sure"] is True
    assert of_photo(client, jpeg, level="count").json()["sure"] is False
    assert hint(client, photo=post(client, jpeg).json(), level="count")["sure"] is False


def test_the_words_are_those_of_the_game(client: httpx.Client) -> None:
    bars = ["1 red striped rectangle", "2 red striped rectangle", "3 red striped rectangle"]
    assert hint(client, pieces=bars)["game"] == "ravensburger"
    dice = ["ein rotes Oval", "zwei rote Ovale", "drei rote Ovale"]
    assert (hint(client, pieces=dice)["game"], hint(client, pieces=dice, game="cubed")["game"]) == ("junior-2", "cubed")
    assert hint(client, pieces=["Joker", "1 red wave", "3 green oval"])["text"] == "wild as two purple diamonds"


def test_the_pieces_are_those_that_the_text_names(client: httpx.Client) -> None:
    names = ["1 green open diamond", OVALS[2], "2 green open diamond", OVALS[0], OVALS[1]]
    assert hint(client, pieces=names, level="two")["pieces"] == [1, 3]


def test_a_game_of_its_own_goes_with_a_photo(client: httpx.Client, jpeg: bytes) -> None:
    assert of_photo(client, jpeg, game="setup").json()["game"] == "setup"


@pytest.mark.parametrize(
    ("body", "status", "code", "words"),
    [
        ({}, 422, "missing-field", "either the names of the pieces as 'pieces'"),
        ({"pieces": OVALS, "photo": {}}, 422, "missing-field", "either"),
        ({"pieces": []}, 422, "bad-field", "`pieces`"),
        ({"pieces": ["wild"] * 129}, 422, "bad-field", "`pieces`"),
        ({"pieces": ["wild" + ",wild" * 19] * 128}, 422, "bad-hint", "at most 128 pieces: got 2560"),
        ({"photo": {"pieces": [{"name": "wild", "kind": "die"}] * 129}}, 422, "bad-hint", "at most 128 pieces"),
        ({"photo": {}}, 422, "bad-hint", "no JSON of one photo"),
        ({"photo": {"pieces": [7]}}, 422, "bad-hint", "no JSON of one photo"),
        ({"photo": {"pieces": [], "game": "poker"}}, 422, "bad-hint", "no JSON of one photo"),
        ({"photo": {"pieces": [{"name": "x", "kind": "die"}]}}, 422, "bad-hint", "'x'"),
        ({"photo": {"error": {"code": "x", "text": "cut short"}}}, 422, "bad-hint", "could not be read: cut short"),
        ({"photo": {"error": None}}, 422, "bad-hint", "no JSON of one photo"),
        ({"photo": []}, 422, "bad-field", "`photo`"),
        ({"pieces": OVALS, "level": "all"}, 422, "bad-field", "`level`"),
        ({"pieces": ["1 red oval", "1 red solid oval"]}, 422, "bad-hint", "pieces of one kind"),
        ({"pieces": OVALS, "game": "junior-2"}, 422, "bad-name", "expected NUMBER COLOUR SHAPE"),
    ],
)
def test_what_no_hint_can_be_given_about_gets_one_line(
    body: Any, status: int, code: str, words: str, client: httpx.Client
) -> None:
    assert words in is_refused(client.post(ADDRESS, json=body), status, code)


def test_a_form_that_is_none_gets_one_line(client: httpx.Client, jpeg: bytes) -> None:
    assert "level 'all' is no hint level" in is_refused(of_photo(client, jpeg, level="all"), 422, "bad-hint")
    assert "'photo'" in is_refused(client.post(ADDRESS), 422, "missing-field")
    assert "expected photo, level, game" in is_refused(of_photo(client, jpeg, pick="1"), 400, "bad-argument")
    is_refused(of_photo(client, b"no picture"), 415, "not-a-picture")


def test_many_pieces_are_refused_without_being_compared(client: httpx.Client) -> None:
    pieces = [{"name": "1 red oval", "kind": "tile"}] * 8000
    is_refused(client.post(ADDRESS, json={"photo": {"pieces": pieces}}, timeout=5), 413, "too-many-bytes")
    is_refused(client.post(ADDRESS, json={"photo": {"pieces": pieces[:6000]}}, timeout=5), 422, "bad-hint")


def test_the_examples_of_the_description_hold(client: httpx.Client) -> None:
    document = client.get("/openapi.json").json()
    examples = document["paths"][ADDRESS]["post"]["requestBody"]["content"]["application/json"]["examples"]
    answers = [hint(client, **one["value"]) for one in examples.values()]
    assert answers[0] == document["components"]["schemas"]["HintAnswer"]["example"]
    assert answers[1]["text"] == "no"
    assert PHOTOS in document["paths"]
