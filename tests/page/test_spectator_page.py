"""The screen for those who watch."""

from __future__ import annotations

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.page.browsers import LAPTOP, PHONE, PROJECTOR, Size
from tests.page.checks import axe, fits, look
from tests.page.conftest import Browse, Scheme
from tests.page.parts import board_of, opened, told
from tests.page.seats import DEAL, SET, watching

pytestmark = pytest.mark.browser

_FITS_HEIGHT = "document.documentElement.scrollHeight <= innerHeight + 1"
_TEN_METRES = 32
"""Pixels of 1080 that are read from the other end of a room."""


def size_of(page: Page, selector: str) -> float:
    """Return how large the letters of the first such element are, in pixels."""
    return float(page.locator(selector).first.evaluate("element => parseFloat(getComputedStyle(element).fontSize)"))


@pytest.mark.parametrize(("size", "scheme"), [(PROJECTOR, "light"), (LAPTOP, "dark"), (PHONE, "light")])
def test_a_game_is_followed(browse: Browse, api: httpx.Client, size: Size, scheme: Scheme) -> None:
    table = opened(api, "classic", call_limit=20)
    screen = watching(browse, table, size, scheme=scheme)
    expect(screen.locator(".banner")).to_have_text("Lay out 12 cards")
    told(api, table, {"type": "dealt", "cards": DEAL}, {"type": "called", "player": "Ann"})
    expect(screen.locator(".lying").get_by_role("img")).to_have_count(12)
    expect(screen.locator(".banner-text")).to_have_text("Ann has called")
    expect(screen.locator(".banner .left")).to_be_visible()
    look(screen, f"watch-called-{size.width}-{scheme}")
    told(api, table, {"type": "picked", "player": "Ann", "cards": SET})
    expect(screen.locator(".verdict.good .lines .fits")).to_have_count(4)
    expect(screen.locator("#polite")).to_contain_text("A SET for Ann.")
    look(screen, f"watch-right-{size.width}-{scheme}")
    assert axe(screen) == []
    fits(screen)
    told(api, table, {"type": "ended"})
    expect(screen.locator(".outcome-title")).to_have_text("Ann wins")
    look(screen, f"watch-over-{size.width}-{scheme}")
    assert axe(screen) == []


def test_it_is_read_from_the_other_end_of_the_room(browse: Browse, api: httpx.Client) -> None:
    table = opened(api, "classic", players=["Ann", "Ben", "Cid", "Dora"])
    screen = watching(browse, table)
    told(api, table, {"type": "dealt", "cards": DEAL}, {"type": "called", "player": "Ann"})
    told(api, table, {"type": "picked", "player": "Ann", "cards": SET})
    expect(screen.locator(".verdict.good")).to_be_visible()
    for selector in (".score .name", ".score .amount", ".verdict-text"):
        assert size_of(screen, selector) >= _TEN_METRES * 0.9, selector
    assert screen.evaluate(_FITS_HEIGHT)


def test_nothing_moves_for_those_who_want_no_motion(browse: Browse, api: httpx.Client) -> None:
    table = opened(api, "classic")
    told(api, table, {"type": "dealt", "cards": DEAL}, {"type": "ended"})
    calm = browse(calm=True)
    calm.add_init_script(_keys_of(table))
    calm.goto(f"/table/{table['id']}")
    expect(calm.locator(".outcome")).to_be_visible()
    assert calm.evaluate("document.getAnimations().length") == 0


def _keys_of(table: dict[str, object]) -> str:
    keys = table["keys"]
    assert isinstance(keys, dict)
    known = f"{{id: '{table['id']}', game: 'classic', title: '', seen: 0, keys: {{spectator: '{keys['spectator']}'}}}}"
    return f"localStorage.setItem('set-referee.tables', JSON.stringify([{known}]))"


@pytest.mark.parametrize("game", ["cubed", "junior-1"])
def test_boards_are_shown(browse: Browse, api: httpx.Client, game: str) -> None:
    table = opened(api, game, board=board_of(game))
    screen = watching(browse, table)
    expect(screen.locator(".board-part")).to_be_visible()
    look(screen, f"watch-{game}")
    fits(screen)
    assert axe(screen) == []
