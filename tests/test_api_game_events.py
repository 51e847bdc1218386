"""Events as requests send them: the same fields and types as those of game records."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError

from engine.fields import EVERY_GAME, FOREIGN, GAME_FORMS
from engine.record import read_event, read_header
from service.api.game_events import GameEvent, record_event

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.record.jsonl"))
ADAPTER: TypeAdapter[Any] = TypeAdapter(GameEvent)
HEADER = read_header('{"game": "classic", "players": ["Ann", "Ben"], "options": {}}')
MODELS: dict[str, type[BaseModel]] = {
    str(choice["schema"]["properties"]["type"]["const"]): choice["model"]
    for choice in (
        {"model": model, "schema": model.model_json_schema()}
        for model in GameEvent.__origin__.__args__  # type: ignore[attr-defined]
    )
}


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.name.removesuffix(".record.jsonl"))
def test_every_event_of_a_recorded_game_is_one(path: Path) -> None:
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        event = json.loads(line)
        assert record_event(ADAPTER.validate_python(event)) == event


def test_types_and_fields_are_those_of_records() -> None:
    forms = {form for forms in (EVERY_GAME, FOREIGN, *GAME_FORMS.values()) for form in forms}
    assert set(MODELS) == {form.key for form in forms}
    for kind, model in MODELS.items():
        known = {field.alias or name for name, field in model.model_fields.items()}
        own = [form for form in forms if form.key == kind]
        assert known == {"type", "t", "note"} | {one.key for form in own for one in form.fields}
        required = {field.alias or name for name, field in model.model_fields.items() if field.is_required()}
        always = [{one.key for one in form.fields if one.required} for form in own]
        assert required == {"type"} | set.intersection(*always)


@pytest.mark.parametrize("kind", sorted(MODELS))
def test_every_example_can_be_read(kind: str) -> None:
    example = MODELS[kind].model_json_schema()["example"]
    assert record_event(ADAPTER.validate_python(example)) == example
    read_event(json.dumps(example), HEADER)


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"type": None},
        {"type": "danced"},
        {"type": "called"},
        {"type": "called", "player": 3},
        {"type": "called", "player": "Ann", "loud": True},
        {"type": "called", "player": "Ann", "t": -1},
        {"type": "called", "player": "Ann", "t": True},
        {"type": "called", "player": "Ann", "t": 10_000_001},
        {"type": "picked", "player": "Ann", "cards": "1 red solid oval"},
        {"type": "picked", "player": "Ann", "cards": [None]},
        {"type": "laid", "player": "Ann", "tile": "1 red oval", "at": ["0", 0, 0]},
        {"type": "corrected", "event": 1.5, "from": "1 red solid oval", "to": "2 red solid oval"},
        {"type": "corrected", "event": True, "from": "1 red solid oval", "to": "2 red solid oval"},
        {"type": "corrected", "event": 1, "old": "1 red solid oval", "new": "2 red solid oval"},
        {"type": "tied", "players": ["Ann"]},
        {"type": "asked", "player": "Ann", "level": "all"},
        [],
        None,
        "called",
    ],
)
def test_what_is_no_event_of_a_record_is_none_here(wrong: object) -> None:
    with pytest.raises(ValidationError):
        ADAPTER.validate_python(wrong)
    with pytest.raises(ValueError, match="line 2"):
        read_event(json.dumps(wrong), HEADER)
