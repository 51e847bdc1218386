"""People at a table: a browser that holds a key, and what they do there."""

from __future__ import annotations

import json
from typing import Any

import httpx
from playwright.sync_api import Locator, Page, expect

from tests.page.browsers import PHONE, PROJECTOR, Size
from tests.page.conftest import Browse, Scheme

__all__ = ["DEAL", "SET", "at_table", "big_button", "code_of", "mood", "post", "seated", "tap", "watching"]

DEAL = [
    *("1 red solid oval", "2 red solid oval", "3 red solid oval", "1 green solid oval"),
    *("2 purple open diamond", "1 purple striped squiggle", "3 green open oval", "2 red striped diamond"),
    *("1 green open diamond", "3 purple solid squiggle", "2 green striped oval", "1 red open squiggle"),
]
"""Twelve cards of classic with SETs among them: the first three are one."""
SET = DEAL[:3]

_KNOW = """const name = "set-referee.tables";
localStorage.getItem(name) ?? localStorage.setItem(name, JSON.stringify([TABLE]))"""


def at_table(page: Page, table: dict[str, Any], keys: dict[str, Any]) -> Page:
    """Let the browser of ``page`` hold ``keys`` of ``table``, and open the table there."""
    game = table["state"]["game"]
    known = {"id": table["id"], "game": game, "title": game, "seen": 0, "keys": keys}
    page.add_init_script(_KNOW.replace("TABLE", json.dumps(known)))
    page.goto(f"/table/{table['id']}")
    return page


def seated(
    browse: Browse,
    table: dict[str, Any],
    player: str,
    size: Size = PHONE,
    *,
    scheme: Scheme = "light",
    language: str = "en",
) -> Page:
    """Return the phone of ``player``, connected."""
    page = browse(size, scheme=scheme, language=language)
    at_table(page, table, {"players": {player: table["keys"]["players"][player]}})
    expect(page.locator(".connection")).to_have_attribute("data-status", "open")
    return page


def watching(browse: Browse, table: dict[str, Any], size: Size = PROJECTOR, *, scheme: Scheme = "light") -> Page:
    """Return a screen for those who watch, connected."""
    page = at_table(browse(size, scheme=scheme), table, {"spectator": table["keys"]["spectator"]})
    expect(page.locator(".connection")).to_have_attribute("data-status", "open")
    return page


def post(api: httpx.Client, table: dict[str, Any], path: str, key: str, body: dict[str, Any]) -> Any:
    """Ask for a change of ``table`` with a ``key``, which is answered with its JSON."""
    headers = {"Authorization": f"Bearer {key}"}
    answer = api.post(f"/tables/{table['id']}/{path}", json=body, headers=headers)
    assert answer.is_success, answer.text
    return answer.json()


def code_of(api: httpx.Client, table: dict[str, Any], key: str) -> str:
    """Return the short code that stands for ``key``."""
    return str(post(api, table, "invitations", table["keys"]["host"], {"key": key})["code"])


def big_button(page: Page) -> Locator:
    """Return the button with which a player calls."""
    return page.locator("button.call")


def mood(page: Page, wanted: str) -> None:
    """Wait until the big button is ``wanted``, which is "ready", "mine", "theirs", "away" and so on."""
    expect(big_button(page)).to_have_attribute("data-mood", wanted)


def tap(page: Page, *names: str) -> None:
    """Tap the pieces with these names, among those that can be chosen."""
    for name in names:
        page.locator(f"button.tap[data-name='{name}']").tap()
