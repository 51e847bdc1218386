"""Parts of a table on a page of their own: what one game shows, without the table around it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Page

__all__ = ["board_of", "opened", "show_part", "told"]

_BOARDS = Path(__file__).parents[2] / "service" / "boards"
_SHOW = """async ([part, id, key]) => {
  const { TableSession } = await import("/static/scripts/table/session.js");
  const { show } = await import(`/static/scripts/views/table/${part}.js`);
  const table = await TableSession.open({ id, key });
  const view = document.getElementById("view");
  const heading = document.createElement("h1");
  heading.textContent = table.state.title;
  const element = document.createElement("div");
  view.replaceChildren(heading, element);
  await show(element, table);
}"""


def board_of(game: str) -> dict[str, Any]:
    """Return the example board of ``game``."""
    board: dict[str, Any] = json.loads((_BOARDS / f"{game}.example.json").read_text(encoding="utf-8"))
    return board


def opened(api: httpx.Client, game: str, **setup: object) -> dict[str, Any]:
    """Open a table of Ann and Ben, and return the answer."""
    body = {"game": game, "players": ["Ann", "Ben"], **setup}
    answer = api.post("/tables", json=body)
    assert answer.status_code == 201, answer.text
    table: dict[str, Any] = answer.json()
    return table


def told(api: httpx.Client, table: dict[str, Any], *events: Mapping[str, object]) -> dict[str, Any]:
    """Let the host tell ``events``, which all stand, and return how the table stands then."""
    headers = {"Authorization": f"Bearer {table['keys']['host']}"}
    state: dict[str, Any] = table["state"]
    for event in events:
        answer = api.post(f"/tables/{table['id']}/events", json=dict(event), headers=headers).json()
        assert all(entry["ok"] for entry in answer["entries"]), answer
        state = answer["state"]
    return state


def show_part(page: Page, part: str, table: dict[str, Any], key: str) -> None:
    """Show what ``part`` (``"cubed"``, ``"junior"``) shows of ``table`` to those who have ``key``."""
    page.goto("/")
    page.evaluate(_SHOW, [part, table["id"], key])
