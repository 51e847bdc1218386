"""SET Junior on the page: face 1 by hand, the turns of face 2, and the tokens."""

from __future__ import annotations

import re
from typing import Any

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from engine.tokens import full_tiles
from tests.page.browsers import LAPTOP, PHONE, Size
from tests.page.checks import axe, fits, larger_text, look
from tests.page.conftest import Browse, Scheme
from tests.page.keyboard import Keyboard
from tests.page.parts import board_of, opened, show_part, told

pytestmark = pytest.mark.browser

SQUARES = board_of("junior-1")["squares"]


def laid(place: int, player: str) -> dict[str, object]:
    """Return how ``player`` lays the tile of a space of the first row."""
    return {"type": "laid", "player": player, "tile": SQUARES[0][0][place], "at": [0, 0, place]}


@pytest.fixture
def table(api: httpx.Client) -> dict[str, Any]:
    """A table of face 1 on the example board."""
    return opened(api, "junior-1", board=board_of("junior-1"), options={"hints": "three"})


def space(page: Page, square: int, row: int, column: int) -> Locator:
    """Return a space of the board."""
    return page.locator(".magic").nth(square).locator(f'[data-row="{row}"][data-column="{column}"]')


def tile(page: Page, name: str) -> Locator:
    """Return a tile of those to choose from."""
    return page.locator(f'.palette [data-key="{name}"]')


def test_a_tile_is_tapped_and_then_its_space(browse: Browse, api: httpx.Client, table: dict[str, Any]) -> None:
    told(api, table, laid(0, "Ann"))
    page = browse(PHONE)
    show_part(page, "junior", table, table["keys"]["players"]["Ben"])
    expect(page.locator(".turn")).to_have_text("Your turn")
    expect(tile(page, SQUARES[0][0][0])).to_be_disabled()
    tile(page, SQUARES[0][0][1]).tap()
    expect(page.locator(".board")).to_have_class("board junior ready")
    space(page, 0, 0, 1).tap()
    expect(page.locator(".turn")).to_have_text(re.compile("^Ann.s turn$"))
    expect(page.locator(".palette")).to_be_hidden()
    label = "square 0, row 0, column 1, one purple diamond, laid just now, 0 points"
    expect(space(page, 0, 0, 1)).to_have_attribute("aria-label", label)


def test_a_line_pays_a_token(browse: Browse, api: httpx.Client, table: dict[str, Any]) -> None:
    page = browse(LAPTOP)
    show_part(page, "junior", table, table["keys"]["players"]["Ann"])
    told(api, table, laid(0, "Ann"), laid(1, "Ben"), laid(2, "Ann"))
    expect(page.locator(".tokens li").first).to_contain_text("1 token")
    expect(page.locator(".token")).to_have_count(1)
    expect(page.locator(".square.last .gain")).to_have_text("+1")
    expect(page.locator(".palette")).to_be_hidden()


def test_those_who_watch_see_the_board_alone(browse: Browse, api: httpx.Client, table: dict[str, Any]) -> None:
    page = browse(LAPTOP)
    show_part(page, "junior", table, table["keys"]["spectator"])
    told(api, table, laid(0, "Ann"))
    expect(page.locator(".square.laid")).to_have_count(1)
    expect(page.locator(".palette, .tokens")).to_have_count(0)
    tile = space(page, 0, 0, 1)
    tile.click()
    expect(tile).to_have_class("square printed")


def test_a_tile_on_another_space_stays_chosen(browse: Browse, api: httpx.Client, table: dict[str, Any]) -> None:
    page = browse(PHONE)
    show_part(page, "junior", table, table["keys"]["players"]["Ann"])
    tile(page, SQUARES[0][0][1]).tap()
    space(page, 2, 2, 2).tap()
    expect(tile(page, SQUARES[0][0][1])).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".notice")).to_contain_text("they must be identical")
    space(page, 0, 0, 1).tap()
    expect(page.locator(".square.laid")).to_have_count(1)
    assert told(api, table, laid(0, "Ben"))["layout"]


def test_a_hint_stands_on_the_board(browse: Browse, api: httpx.Client, table: dict[str, Any]) -> None:
    page = browse(LAPTOP)
    show_part(page, "junior", table, table["keys"]["players"]["Ann"])
    told(api, table, laid(0, "Ann"), laid(1, "Ben"), {"type": "asked", "player": "Ann", "level": "three"})
    expect(space(page, 0, 0, 2)).to_have_attribute(
        "aria-label", "square 0, row 0, column 2, free for three purple diamonds, hint: three purple diamonds"
    )
    expect(page.locator(".square.ghost")).to_have_count(1)


def test_a_tile_is_laid_by_keyboard_alone(browse: Browse, table: dict[str, Any]) -> None:
    page = browse(LAPTOP)
    show_part(page, "junior", table, table["keys"]["players"]["Ann"])
    keyboard = Keyboard(page)
    keyboard.use(tile(page, SQUARES[1][2][0]))
    keyboard.reach(space(page, 1, 0, 0), back=True)
    keyboard.press("ArrowDown", 2)
    keyboard.press(" ")
    expect(space(page, 1, 2, 0)).to_have_class("square laid last")


def test_where_players_search_in_turn_one_may_pass(browse: Browse, api: httpx.Client) -> None:
    table = opened(api, "junior-2", options={"turns": True})
    page = browse(PHONE)
    show_part(page, "junior", table, table["keys"]["players"]["Ann"])
    told(api, table, {"type": "dealt", "cards": [str(one) for one in full_tiles()[:10]]})
    expect(page.locator(".turn")).to_have_text("Your turn")
    page.get_by_role("button", name="Pass").tap()
    expect(page.locator(".turn")).to_have_text(re.compile("^Ben.s turn$"))
    expect(page.get_by_role("button", name="Pass")).to_have_count(0)
    expect(page.locator(".tokens")).to_contain_text("0 SETs")
    assert axe(page) == []


@pytest.mark.parametrize(
    ("size", "scheme", "language", "name"),
    [(PHONE, "light", "fr", "phone"), (PHONE, "dark", "cs", "phone-dark"), (LAPTOP, "dark", "de", "laptop")],
)
def test_the_view_is_accessible(
    browse: Browse, api: httpx.Client, table: dict[str, Any], size: Size, scheme: Scheme, language: str, name: str
) -> None:
    told(api, table, laid(0, "Ann"), laid(1, "Ben"), laid(2, "Ann"))
    page = browse(size, scheme=scheme, language=language)
    show_part(page, "junior", table, table["keys"]["host"])
    tile(page, SQUARES[2][2][2]).click()
    look(page, f"junior-{name}")
    assert axe(page) == []
    fits(page)
    larger_text(page)
    fits(page)
