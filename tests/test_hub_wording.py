"""Events and pieces in people's own words."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.editions import EDITIONS
from engine.fields import EVERY_GAME, FOREIGN, GAME_FORMS
from engine.record import read_event, read_header, write_event
from service.hub.errors import BadEventError, NoNameError
from service.hub.wording import event_of, piece_of, types_of

CLASSIC = read_header('{"game": "classic", "players": ["Ann", "Žofie"], "options": {}}')
CARDS = ["1 red solid oval", "2 red solid oval", "3 red solid oval"]
WORDS = ["ein rotes volles Oval", "Two solid RED ovals", "oval solid red 3"]


@pytest.mark.parametrize(
    ("told", "record"),
    [
        ({"type": "dealt", "cards": WORDS}, {"type": "dealt", "cards": CARDS}),
        (
            {"type": "picked", "player": "Ann", "cards": WORDS, "note": "two red waves"},
            {"type": "picked", "player": "Ann", "cards": CARDS, "note": "two red waves"},
        ),
        (
            {"type": "corrected", "event": 0, "from": WORDS[0], "to": WORDS[1]},
            {"type": "corrected", "event": 0, "from": CARDS[0], "to": CARDS[1]},
        ),
        (
            {"type": "laid", "player": "Ann", "face": "joker", "at": [5, 6], "as": "zwei rote Wellen"},
            {"type": "laid", "player": "Ann", "face": "wild", "at": [5, 6], "as": "2 red squiggle"},
        ),
        (
            {"type": "laid", "player": "Ann", "tile": "two red waves", "at": [0, 0, 0]},
            {"type": "laid", "player": "Ann", "tile": "2 red squiggle", "at": [0, 0, 0]},
        ),
    ],
)
def test_names_of_pieces_may_be_in_any_words(told: dict[str, Any], record: dict[str, Any]) -> None:
    assert write_event(event_of(told, CLASSIC), CLASSIC) == write_event(_read(record), CLASSIC)


def _read(record: dict[str, Any]) -> Any:
    return read_event(json.dumps(record), CLASSIC)


def test_every_field_that_holds_a_name_takes_other_words() -> None:
    kinds = {one.key for form in (*EVERY_GAME, *FOREIGN) for one in form.fields if "piece" in one.kind.__name__}
    named = {one.key for form in (*EVERY_GAME, *FOREIGN) for one in form.fields if "named" in one.kind.__name__}
    assert kinds | named == {"card", "cards", "tile", "face", "faces", "as", "from", "to"}


@pytest.mark.parametrize(
    ("game", "expected"),
    [
        ("classic", "'2 red striped diamond'"),
        ("ravensburger", "'2 red striped "),
        ("setup", "'2 red striped diamond'"),
        ("junior-1", "'2 red diamond'"),
        ("junior-2", "'2 red diamond'"),
        ("cubed", "'2 red diamond' or 'wild'"),
    ],
)
def test_a_name_that_is_none_is_told_what_names_look_like(game: str, expected: str) -> None:
    with pytest.raises(NoNameError) as refused:
        piece_of("zwei rote gefüllte Övale", EDITIONS[game])
    assert "'zwei rote gefüllte Övale' is no piece of" in str(refused.value)
    assert f"expected a name like {expected}" in str(refused.value)


def test_a_name_of_another_game_is_none_in_an_event_of_this_one() -> None:
    with pytest.raises(BadEventError, match="like '2 red striped diamond'"):
        event_of({"type": "picked", "player": "Ann", "cards": ["2 red diamond"]}, CLASSIC)
    long = {"type": "dealt", "cards": ["x" * 1_000]}
    with pytest.raises(BadEventError) as refused:
        event_of(long, CLASSIC)
    assert len(str(refused.value)) < 200


@pytest.mark.parametrize(
    ("told", "fault"),
    [
        ({"type": "deal", "cards": []}, "'deal' is no type of event: expected one of dealt, called, picked, "),
        ({"type": "called", "player": "Eve"}, "expected one of 'Ann', 'Žofie'"),
        ({"type": "called", "player": "Jürgen"}, "'Jürgen' is no player"),
        ({"type": "dealt", "cards": 3}, "'cards' must be a list; got 3"),
        ({"type": "dealt", "cards": [None]}, "must be a text; got null"),
        ({"type": "ended", "note": "x" * 20_000}, "at most 20000 characters"),
        ({"type": "called", "player": "Ann", "t": float("nan")}, "an event is a JSON object"),
        ({"type": ["dealt"], "cards": []}, "'type' must be a text"),
    ],
)
def test_what_is_no_event_is_said_in_plain_words(told: dict[str, Any], fault: str) -> None:
    with pytest.raises(BadEventError) as refused:
        event_of(told, CLASSIC)
    assert fault in str(refused.value)


@pytest.mark.parametrize("key", sorted(EDITIONS))
def test_the_types_of_a_game_are_those_of_its_records(key: str) -> None:
    assert set(types_of(EDITIONS[key])) == {form.key for form in (*GAME_FORMS[key], *EVERY_GAME)}
