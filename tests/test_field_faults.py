"""What is wrong with fields is said in plain words."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from pydantic import Field, TypeAdapter, ValidationError

from engine.hints import HintLevel
from service.api.bodies import Body
from service.api.game_events import GameEvent
from service.field_faults import field_fault
from tests.test_api_game_events import MODELS

TYPES = ("dealt", "called", "picked")
EVENTS: TypeAdapter[Any] = TypeAdapter(GameEvent)
JARGON = ("input", "tag", "dictionary", "string", "integer", "validat", "instance", "None", "True", "discriminator")


class Kinds(Body):
    """A field of every kind."""

    text: Annotated[str, Field(min_length=1, max_length=5)] = "x"
    whole: Annotated[int, Field(ge=0, lt=9)] = 0
    number: Annotated[float, Field(gt=0, le=9)] = 1.0
    flag: bool = False
    many: Annotated[list[int], Field(min_length=1, max_length=2, default_factory=list)]
    named: Annotated[dict[str, int], Field(default_factory=dict)]
    one: Literal["a", "b"] = "a"
    level: HintLevel = HintLevel.NEVER
    pair: tuple[int, int] = (1, 2)
    key: Annotated[str, Field(max_length=5)] = "x"
    either: str | int = 1


def fault_of(adapter: TypeAdapter[Any], found: object) -> str:
    with pytest.raises(ValidationError) as refused:
        adapter.validate_python(found)
    first = refused.value.errors()[0]
    return field_fault(first, found, first["loc"], TYPES)


@pytest.mark.parametrize(
    ("found", "text"),
    [
        ({"text": 3}, "`text`: expected a text; got 3"),
        ({"text": ""}, "`text`: expected at least 1 character; got ''"),
        ({"text": "žluťoučký"}, "`text`: expected at most 5 characters; got 9"),
        ({"whole": None}, "`whole`: expected a whole number; got null"),
        ({"whole": "ü"}, "`whole`: expected a whole number; got 'ü'"),
        ({"whole": 1.5}, "`whole`: expected a whole number; got 1.5"),
        ({"whole": True}, "`whole`: expected a whole number; got true"),
        ({"whole": -1}, "`whole`: expected at least 0; got -1"),
        ({"whole": 9}, "`whole`: expected less than 9; got 9"),
        ({"number": []}, "`number`: expected a number; got a list"),
        ({"number": 0}, "`number`: expected more than 0.0; got 0"),
        ({"number": 10}, "`number`: expected at most 9.0; got 10"),
        ({"number": float("inf")}, "`number`: expected a number that is finite; got inf"),
        ({"flag": 1}, "`flag`: expected true or false; got 1"),
        ({"many": {}}, "`many`: expected a list; got a JSON object"),
        ({"many": []}, "`many`: expected at least 1 item; got 0 items"),
        ({"many": [1, 2, 3]}, "`many`: expected at most 2 items; got 3 items"),
        ({"many": [1, "x"]}, "`many[1]`: expected a whole number; got 'x'"),
        ({"named": [1]}, "`named`: expected a JSON object; got a list"),
        ({"named": {"a": "b"}}, "`named.a`: expected a whole number; got 'b'"),
        ({"one": "c"}, "`one`: expected 'a' or 'b'; got 'c'"),
        ({"either": []}, "`either`: expected a text; got a list"),
        ({"nothing": 1}, "'nothing' is no field here: expected "),
        ([{"key": "secret"}], "expected a JSON object; got a list"),
        ({"key": "secret"}, "`key`: expected at most 5 characters"),
        ({"key": ["secret"]}, "`key`: expected a text"),
    ],
)
def test_faults_are_said_in_plain_words(found: object, text: str) -> None:
    said = fault_of(TypeAdapter(Kinds), found)
    assert said.startswith(text)
    assert "secret" not in said
    assert not [word for word in JARGON if word in said]


def test_a_place_that_lacks_a_number_says_which() -> None:
    pairs = TypeAdapter(dict[str, tuple[int, int]])
    assert fault_of(pairs, {"at": [1]}) == "`at[1]` is missing"
    assert fault_of(pairs, {"at": [1, 2, 3]}) == "`at`: expected at most 2 items; got 3 items"
    assert fault_of(pairs, {"at": [1, []]}) == "`at[1]`: expected a whole number; got a list"


@pytest.mark.parametrize(
    ("found", "text"),
    [
        ({"type": "deal"}, "`type`: expected one of dealt, called, picked; got 'deal'"),
        ({"type": 3}, "`type`: expected one of dealt, called, picked; got 3"),
        ({}, "`type` is missing, or no text: expected one of dealt, called, picked"),
        ({"type": "called"}, "`player` is missing"),
        ({"type": "picked", "player": "Ann", "cards": [3]}, "`cards[0]`: expected a text; got 3"),
        ({"type": "called", "player": "Ann", "loud": 1}, "'loud' is no field here: expected t, note, player, type"),
        ([], "expected a JSON object; got a list"),
    ],
)
def test_faults_of_events_name_the_field_and_the_types_of_the_game(found: object, text: str) -> None:
    assert fault_of(EVENTS, found) == text


@pytest.mark.parametrize("kind", sorted(MODELS))
def test_no_field_of_an_event_is_refused_in_words_of_programs(kind: str) -> None:
    example = MODELS[kind].model_json_schema()["example"]
    for name in example:
        values: list[Any] = [None, 7, "x" * 2_000, [], [[]], {}, True]
        for value in values:
            try:
                EVENTS.validate_python({**example, name: value})
            except ValidationError as error:
                first = error.errors()[0]
                said = field_fault(first, {**example, name: value}, first["loc"], TYPES)
                assert f"`{name}" in said
                assert not [word for word in JARGON if word in said], said
                assert len(said) < 400
