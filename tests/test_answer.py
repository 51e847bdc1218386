"""The JSON of one photo: exactly the keys and values that were agreed on."""

from __future__ import annotations

import json
from typing import Any

import pytest

from service.answer import ADVICE, answer_frame
from service.board_answer import Asked
from service.game import Game
from tests.fakes import FakeReader
from vision.types import Deck, Doubt, Frame, Problem


def _json(frame: Frame, game: Game = Game.AUTO) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(answer_frame("some/table.jpg", frame, Asked(game)).model_dump_json())
    return answer


def test_the_keys_are_those_agreed_on_and_in_that_order(fake: FakeReader, jpeg: bytes) -> None:
    answer = _json(fake.read(jpeg))
    assert list(answer) == (
        ["file", "size", "game", "deck", "ms", "stages", "pieces", "sets", "set_sure", "problems", "board"]
    )
    assert list(answer["pieces"][0]) == (
        ["id", "kind", "quad", "name", "label", "confidence", "features", "doubt", "cell"]
    )


def test_the_values_of_a_photo(fake: FakeReader, jpeg: bytes) -> None:
    answer = _json(fake.read(jpeg))
    pieces = answer.pop("pieces")
    assert answer == {
        "file": "some/table.jpg",
        "size": [320, 160],
        "game": "classic",
        "deck": "us",
        "ms": 12.3,
        "stages": {"load": 1.0},
        "sets": [[0, 1, 2]],
        "set_sure": [True],
        "problems": [],
        "board": None,
    }
    assert pieces[3] == {
        "id": 3,
        "kind": "card",
        "quad": [[170, 20], [210, 20], [210, 82], [170, 82]],
        "name": "1 green striped diamond",
        "label": "one green striped diamond",
        "confidence": 0.9877,
        "features": {
            "number": [1, 0.9877],
            "colour": ["green", 0.99],
            "shading": ["striped", 0.9877],
            "shape": ["diamond", 0.9877],
        },
        "doubt": None,
        "cell": None,
    }


def test_a_doubt_keeps_its_name_and_makes_its_sets_unsure(jpeg: bytes) -> None:
    answer = _json(FakeReader(doubts={1: Doubt.GLARE}).read(jpeg))
    assert answer["pieces"][1]["doubt"] == "glare"
    assert answer["pieces"][1]["name"] == "2 red solid oval"
    assert (answer["sets"], answer["set_sure"]) == ([[0, 1, 2]], [False])


def test_a_doubt_elsewhere_leaves_a_set_sure(jpeg: bytes) -> None:
    assert _json(FakeReader(doubts={4: Doubt.GLARE}).read(jpeg))["set_sure"] == [True]


@pytest.mark.parametrize(
    ("deck", "asked", "game"),
    [
        (Deck.US, Game.AUTO, "classic"),
        (None, Game.AUTO, "classic"),
        (Deck.RAVENSBURGER, Game.AUTO, "ravensburger"),
        (Deck.RAVENSBURGER, Game.CLASSIC, "classic"),
        (Deck.US, Game.SETUP, "setup"),
    ],
)
def test_auto_looks_at_the_deck(deck: Deck | None, asked: Game, game: str, jpeg: bytes) -> None:
    assert _json(FakeReader(deck=deck).read(jpeg), asked)["game"] == game


def test_labels_speak_the_words_of_the_edition(jpeg: bytes) -> None:
    frame = FakeReader(names=["2 green striped rectangle"], deck=Deck.RAVENSBURGER).read(jpeg)
    (piece,) = _json(frame)["pieces"]
    assert (piece["name"], piece["label"]) == ("2 green striped rectangle", "two turquoise half bars")


def test_problems_and_warnings_are_passed_on(jpeg: bytes) -> None:
    frame = FakeReader(problems=(Problem("duplicate", (0, 3), "twice the same"),)).read(jpeg[: len(jpeg) * 2 // 3])
    first, second = _json(frame)["problems"]
    assert first == {"code": "duplicate", "pieces": [0, 3], "text": "twice the same"}
    assert (second["code"], second["pieces"]) == ("file", [])
    assert "cut short" in second["text"]


def test_no_pieces_come_with_advice(jpeg: bytes) -> None:
    answer = _json(FakeReader(names=[], deck=None).read(jpeg))
    assert answer["pieces"] == answer["sets"] == answer["set_sure"] == []
    assert answer["problems"] == [{"code": "no-pieces", "pieces": [], "text": ADVICE}]
