"""A whole refereed game: a camera that sees the film of it, two phones that call, a screen for those who watch."""

from __future__ import annotations

import json
import time
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.page.browsers import LAPTOP, PHONE
from tests.page.checks import axe, look
from tests.page.conftest import Browse
from tests.page.films import Film, Films
from tests.page.parts import opened
from tests.page.seats import at_table, big_button, seated, watching

pytestmark = pytest.mark.browser

_PATIENCE = 60_000
"""Milliseconds for what the camera has to see, on a machine that does other things as well."""


def filmed(browse: Browse, film: Film, table: dict[str, Any]) -> tuple[Page, float]:
    """Return the page of a camera that looks at the table, and when its film has begun."""
    camera = at_table(browse(LAPTOP, camera=film), table, {"camera": table["keys"]["camera"]})
    camera.get_by_role("button", name="Start the camera").click()
    expect(camera.locator("video")).to_be_visible()
    return camera, time.monotonic() - float(camera.locator("video").evaluate("video => video.currentTime"))


def press(film: Film, phones: dict[str, Page], began: float) -> None:
    """Let people call when the film has them call."""
    for at, player in film.calls:
        phone = phones[player]
        expect(big_button(phone)).to_have_attribute("aria-disabled", "false", timeout=_PATIENCE)
        phone.wait_for_timeout(max(0.0, began + at - time.monotonic()) * 1000)
        big_button(phone).tap()


def test_two_phones_play_a_filmed_game(browse: Browse, api: httpx.Client, films: Films) -> None:
    film = films.get("classic", picks=2)
    table = opened(api, "classic", players=film.players)
    callers = sorted({player for _, player in film.calls})
    phones = {player: seated(browse, table, player, PHONE) for player in callers}
    screen = watching(browse, table, LAPTOP)
    camera, began = filmed(browse, film, table)
    press(film, phones, began)
    picks = [event for event in film.events if event["type"] == "picked"]
    host = {"Authorization": f"Bearer {table['keys']['host']}"}
    expect(screen.locator(".score.leads, .verdict").first).to_be_visible(timeout=_PATIENCE)
    wanted = scores_of(film)
    for player, phone in phones.items():
        score = f".score:has(.name:text('{player}')) .amount > [aria-hidden]"
        expect(phone.locator(score)).to_have_text(str(wanted[player]), timeout=_PATIENCE)
    look(screen, "game-watch")
    record = api.get(f"/tables/{table['id']}/record", headers=host).text.splitlines()
    told = [event for event in map(json.loads, record[1:]) if event["type"] == "picked"]
    assert [(event["player"], sorted(event["cards"])) for event in told] == [
        (event["player"], sorted(event["cards"])) for event in picks
    ]
    dispute(phones[callers[0]])
    camera.close()


def scores_of(film: Film) -> dict[str, int]:
    """Return the scores at the end of the game of ``film``, as the engine has them."""
    from engine.record import read_event, read_header

    header = read_header(json.dumps(film.header))
    referee = header.referee()
    for number, event in enumerate(film.events, start=2):
        referee.apply(read_event(json.dumps(event), header, number))
    return dict(referee.state.score)


def dispute(phone: Page) -> None:
    """Step through the pictures around the last call."""
    phone.get_by_role("button", name="Dispute").tap()
    dialog = phone.get_by_role("dialog", name="Dispute")
    expect(dialog.locator("img.still")).to_be_visible(timeout=_PATIENCE)
    expect(dialog.locator("figcaption")).to_contain_text("at the call")
    first = dialog.locator("img.still").get_attribute("src")
    phone.keyboard.press("ArrowLeft")
    expect(dialog.locator("figcaption")).to_contain_text("before the call")
    expect(dialog.locator("img.still")).not_to_have_attribute("src", first or "")
    dialog.get_by_role("button", name="Later").tap()
    expect(dialog.locator("figcaption")).to_contain_text("at the call")
    expect(dialog.locator(".lines li")).to_have_count(4)
    look(phone, "game-dispute")
    assert axe(phone) == []
