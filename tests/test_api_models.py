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
    EntriesAnswer,
    Entry,
    HeldKeys,
    KeyAnswer,
    PlayedAnswer,
    TableAnswer,
)
from service.app import create_app
from service.hub import DisputeState, TableState
from service.settings import Settings
from service.store import Store, StoreError, StoreFullError, StoreGoneError
from tests.fakes import FakeReader
from tests.shared_tables import CLASSIC, TABLES, opened, refused
from tests.test_http import serving_app

FORMS: Mapping[str, type[BaseModel]] = {
    "CALLED": CallAnswer,
    "CLOCK": ClockAnswer,
    "CREATED": TableAnswer,
    "DISPUTE": DisputeState,
    "ENTRY": Entry,
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
