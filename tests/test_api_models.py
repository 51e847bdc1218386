"""The forms of answers: the examples of the description, and what the service says when its store fails."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from anyio import run
from pydantic import BaseModel

from service.api import examples
from service.api.models import (
    CallAnswer,
    ClockAnswer,
    CodeAnswer,
    EntriesAnswer,
    Entry,
    HeldKeys,
    InvitedAnswer,
    KeyAnswer,
    PlayedAnswer,
    TableAnswer,
)
from service.app import create_app
from service.board_file import CubedFile
from service.hub import DisputeState, TableState
from service.settings import Settings
from service.store import Store, StoreError, StoreFullError, StoreGoneError
from tests.fakes import FakeReader
from tests.served import serving_app
from tests.shared_tables import CLASSIC, TABLES, opened, refused, serving

FORMS: Mapping[str, type[BaseModel]] = {
    "BOARD": CubedFile,
    "CALLED": CallAnswer,
    "CLOCK": ClockAnswer,
    "CREATED": TableAnswer,
    "DISPUTE": DisputeState,
    "ENTRY": Entry,
    "INVITATION": CodeAnswer,
    "INVITED": InvitedAnswer,
    "KEY": KeyAnswer,
    "KEYS": HeldKeys,
    "PAGE": EntriesAnswer,
    "PLAYED": PlayedAnswer,
    "STATE": TableState,
}


def test_every_example_has_its_form() -> None:
    assert set(examples.__all__) == set(FORMS)
    for name, model in FORMS.items():
        example: Mapping[str, Any] = getattr(examples, name)
        assert model.model_validate(example).model_dump(mode="json", exclude_unset=True) == example


def test_examples_are_what_the_service_gives(tmp_path: Path) -> None:
    """Everything but ids, keys, times and who is connected."""
    vague = {"id", "time", "t", "at", "connected", "clock_error", "camera"}

    def shown(part: Any) -> Any:
        if isinstance(part, Mapping):
            return {name: shown(value) for name, value in part.items() if name not in vague}
        return [shown(one) for one in part] if isinstance(part, list | tuple) else part

    with serving(tmp_path) as client:
        opened_so = client.post(TABLES, json={**CLASSIC, "name": "Friday", "call_limit": 10})
        assert shown(opened_so.json()["state"]) == shown(examples.CREATED["state"])
        table = opened(client, opened_so)
        left = [one["name"] for one in examples.STATE["layout"]]
        table.play({"type": "dealt", "cards": [*examples.ENTRY["pieces"], *left]})
        table.play({"type": "called", "player": "Ann"})
        picked = table.post("/events", {"type": "picked", "player": "Ann", "cards": examples.ENTRY["pieces"]})
        assert shown(picked.json()) == shown(examples.PLAYED)
        assert list(picked.json()["entries"][0]) == list(examples.ENTRY)
        page = table.get("/events?after=2").json()
        assert shown(page) == shown(examples.PAGE)
    said = "; ".join(examples.DISPUTE["lines"])
    assert examples.DISPUTE["text"] == f"A SET for Ann. {said}."


def test_ids_and_keys_of_examples_look_like_real_ones() -> None:
    keys = examples.CREATED["keys"]
    whole = [keys["host"], keys["join"], keys["spectator"], keys["camera"], *keys["players"].values()]
    for text in (*whole, examples.KEY["key"]):
        id, _, secret = text.partition(".")
        assert (len(id), len(secret)) == (8, 22)
        assert id == id.lower()
    assert re.fullmatch("[0-9a-z]{10}", examples.STATE["id"])


@pytest.mark.parametrize(
    ("error", "code"),
    [(StoreGoneError(), "store-gone"), (StoreFullError(), "store-full")],
)
def test_what_cannot_be_stored_has_not_happened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: StoreError, code: str
) -> None:
    async def fails(*arguments: object) -> int:
        raise error

    store = Store.open(f"sqlite:///{tmp_path / 'tables.sqlite'}")
    with serving_app(create_app(Settings(), FakeReader(), store=store)) as client:
        table = opened(client, client.post(TABLES, json=CLASSIC))
        with monkeypatch.context() as patch:
            patch.setattr(store, "append", fails)
            answer = table.post("/events", {"type": "called", "player": "Ann"})
            refused(answer, 503, code)
            assert int(answer.headers["retry-after"]) >= 1
            assert table.now().last == 0
        assert table.play({"type": "called", "player": "Ann"}).state.last == 1
    run(store.close)
