"""A game of Cubed on the page: told by hand, watched, and what the board says of it."""

from __future__ import annotations

import re
from typing import Any

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.page.browsers import LAPTOP, PHONE, PROJECTOR, SMALL, Size
from tests.page.checks import axe, fits, larger_text, look
from tests.page.conftest import Browse, Scheme
from tests.page.keyboard import Keyboard
from tests.page.parts import board_of, opened, show_part, told

pytestmark = pytest.mark.browser

ANN = ["1 red oval", "2 red oval", "3 red oval", "wild", "2 green squiggle"]
BEN = ["2 red oval", "1 purple diamond", "wild", "3 green diamond", "1 green squiggle"]
ROLLS = ({"type": "rolled", "player": "Ann", "faces": ANN}, {"type": "rolled", "player": "Ben", "faces": BEN})
FIRST = {"type": "announced", "player": "Ann", "faces": ANN[:3]}
TURN = (
    {"type": "laid", "player": "Ben", "face": "1 purple diamond", "at": [5, 6]},
    {"type": "laid", "player": "Ben", "face": "wild", "at": [4, 6], "as": "3 green squiggle"},
)


@pytest.fixture
def table(api: httpx.Client) -> dict[str, Any]:
    """A table whose dice nobody has rolled, where hints show everything."""
    return opened(api, "cubed", board=board_of("cubed"), options={"hints": "three"})


def player(browse: Browse, table: dict[str, Any], name: str, size: Size = PHONE) -> Page:
    """Return what ``name`` sees."""
    page = browse(size)
    show_part(page, "cubed", table, table["keys"]["players"][name])
    return page


def square(page: Page, row: int, column: int) -> Locator:
    """Return a square of the board."""
    return page.locator(f'.square[data-row="{row}"][data-column="{column}"]')


def button(page: Page, name: str) -> Locator:
    """Return a button that is called exactly that."""
    return page.get_by_role("button", name=name, exact=True)


def test_dice_are_told_by_tapping_what_they_show(browse: Browse, api: httpx.Client, table: dict[str, Any]) -> None:
    page = player(browse, table, "Ann")
    expect(page.locator(".turn")).to_have_text("Still to roll: Ann and Ben.")
    done = button(page, "These are the dice")
    for label in ("one red oval", "two red ovals", "one green diamond", "wild", "two green waves"):
        expect(done).to_be_disabled()
        button(page, label).tap()
    button(page, "one green diamond: take out").tap()
    expect(done).to_be_disabled()
    button(page, "three red ovals").tap()
    look(page, "cubed-roll")
    done.tap()
    expect(page.locator(".hand .what")).to_have_text("Still to roll: Ben.")
    headers = {"Authorization": f"Bearer {table['keys']['host']}"}
    hands = api.get(f"/tables/{table['id']}", headers=headers).json()["hands"]
    assert sorted(hands["Ann"]) == sorted(ANN)


def test_the_first_set_is_announced_with_a_wild(browse: Browse, api: httpx.Client, table: dict[str, Any]) -> None:
    told(api, table, *ROLLS)
    page = player(browse, table, "Ann")
    expect(page.locator(".turn")).to_have_text("Who sees a SET among their own dice announces it.")
    announce = button(page, "Announce this SET")
    for label in ("one red oval", "two red ovals"):
        button(page, label).tap()
    expect(announce).to_be_disabled()
    button(page, "wild").tap()
    announce.tap()
    expect(page.locator(".turn")).to_have_text(re.compile("^Ben.s turn$"))
    wild = square(page, 6, 7)
    expect(wild).to_have_attribute("aria-label", "row 6, column 7, wild as three red ovals, laid just now")
    expect(page.locator(".turns")).to_contain_text("2 points")


def test_a_turn_is_laid_by_hand(browse: Browse, api: httpx.Client, table: dict[str, Any]) -> None:
    told(api, table, *ROLLS, FIRST)
    page = player(browse, table, "Ben")
    expect(page.locator(".turn")).to_have_text("Your turn")
    expect(button(page, "Pass")).to_be_visible()
    button(page, "one purple diamond").tap()
    square(page, 5, 6).tap()
    expect(square(page, 5, 6)).to_have_class(re.compile(r"\blast\b"))
    button(page, "wild").tap()
    square(page, 4, 6).tap()
    dialog = page.get_by_role("dialog", name="What does the Wild stand for?")
    dialog.get_by_role("button", name="three green waves").tap()
    expect(square(page, 4, 6)).to_have_attribute(
        "aria-label", "row 4, column 6, wild as three green waves, bonus 2, laid just now, 4 points"
    )
    expect(page.locator(".turns li").first).to_contain_text("4 points")
    look(page, "cubed-turn")
    button(page, "End the turn").tap()
    expect(page.locator(".turn")).to_have_text(re.compile("Still to roll|Ann"))


def test_a_refused_die_stays_in_the_hand(browse: Browse, api: httpx.Client, table: dict[str, Any]) -> None:
    told(api, table, *ROLLS, FIRST)
    page = player(browse, table, "Ben")
    die = button(page, "one purple diamond")
    die.tap()
    square(page, 0, 0).tap()
    expect(die).to_be_enabled()
    expect(square(page, 0, 0)).to_have_attribute("aria-label", "row 0, column 0, empty")
    expect(die).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".notice")).to_contain_text("would touch no other die")
    square(page, 5, 6).tap()
    expect(page.locator(".square.last")).to_have_count(1)


def test_a_wild_is_swapped_and_rolled(browse: Browse, api: httpx.Client, table: dict[str, Any]) -> None:
    hand = ["3 red oval", *BEN[1:]]
    first = {"type": "announced", "player": "Ann", "faces": ["1 red oval", "2 red oval", "wild"], "as": ["3 red oval"]}
    told(api, table, ROLLS[0], {"type": "rolled", "player": "Ben", "faces": hand}, first)
    page = player(browse, table, "Ben")
    button(page, "three red ovals").tap()
    square(page, 6, 7).tap()
    expect(square(page, 6, 7)).to_have_attribute("aria-label", "row 6, column 7, three red ovals, laid just now")
    expect(page.locator(".hand")).to_contain_text("Draw a die, roll it, and tap what it shows.")
    expect(page.locator(".hand .slot")).to_have_count(1)
    button(page, "three purple waves").tap()
    button(page, "These are the dice").tap()
    expect(page.locator(".hand .dice .face")).to_have_count(5)


def test_whose_turn_it_is_not_lays_nothing(browse: Browse, api: httpx.Client, table: dict[str, Any]) -> None:
    told(api, table, *ROLLS, FIRST)
    page = player(browse, table, "Ann")
    expect(page.locator(".hand .what")).to_have_text("Ben plays.")
    expect(page.locator(".hand button.face")).to_have_count(0)
    square(page, 5, 6).tap()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_host_plays_for_whoever_is_due(browse: Browse, table: dict[str, Any]) -> None:
    page = browse(LAPTOP)
    show_part(page, "cubed", table, table["keys"]["host"])
    for player_name, dice in (("Ann", ANN), ("Ben", BEN)):
        expect(page.get_by_label("Play for")).to_have_value(player_name)
        for die in dice:
            page.locator(f'.palette [data-key="{die}"]').click()
        button(page, "These are the dice").click()
    page.get_by_label("Play for").select_option("Ann")
    for label in ("one red oval", "two red ovals", "three red ovals"):
        button(page, label).click()
    button(page, "Announce this SET").click()
    expect(page.get_by_label("Play for")).to_have_value("Ben")


def test_a_hint_stands_on_the_board_until_something_counts(
    browse: Browse, api: httpx.Client, table: dict[str, Any]
) -> None:
    told(api, table, *ROLLS, FIRST)
    page = player(browse, table, "Ben")
    button(page, "Ask for a hint").tap()
    expect(page.locator(".square.ghost")).to_have_count(3)
    expect(page.locator(".square.ghost").first).to_have_attribute("aria-label", re.compile("empty, hint: "))
    expect(page.locator(".told")).to_contain_text("on [")
    told(api, table, TURN[0])
    expect(page.locator(".square.ghost")).to_have_count(0)


def test_what_is_taken_back_is_no_turn(browse: Browse, api: httpx.Client, table: dict[str, Any]) -> None:
    told(api, table, *ROLLS, FIRST, *TURN)
    page = player(browse, table, "Ann")
    expect(page.locator(".square.last")).to_have_count(2)
    told(api, table, {"type": "undone"})
    expect(page.locator(".square.last")).to_have_count(1)
    told(api, table, {"type": "undone"})
    expect(page.locator(".square.last")).to_have_count(3)
    expect(page.locator(".turns li")).to_have_count(1)


def test_where_a_camera_looks_on_nothing_is_tapped(browse: Browse, table: dict[str, Any]) -> None:
    page = player(browse, table, "Ann")
    page.evaluate(
        """([id, key]) => {
          globalThis.camera = new WebSocket(`ws://${location.host}/api/v1/tables/${id}/camera`);
          globalThis.camera.onopen = () => globalThis.camera.send(JSON.stringify({ type: "hello", key }));
        }""",
        [table["id"], table["keys"]["camera"]],
    )
    expect(page.locator(".hand")).to_contain_text("A camera looks on")
    expect(page.locator(".palette")).to_have_count(0)
    button(page, "Tell it by hand").tap()
    expect(page.locator(".palette")).to_be_visible()


def test_a_turn_by_keyboard_alone(browse: Browse, api: httpx.Client, table: dict[str, Any]) -> None:
    told(api, table, *ROLLS, FIRST)
    page = player(browse, table, "Ben", LAPTOP)
    keyboard = Keyboard(page)
    keyboard.use(button(page, "one purple diamond"))
    keyboard.reach(square(page, 6, 6), back=True)
    keyboard.press("ArrowUp")
    expect(square(page, 5, 6)).to_be_focused()
    keyboard.press("Enter")
    expect(square(page, 5, 6)).to_have_class(re.compile(r"\blast\b"))
    keyboard.press("Home")
    expect(square(page, 5, 0)).to_be_focused()
    keyboard.press("ArrowLeft")
    expect(square(page, 5, 0)).to_be_focused()
    keyboard.press("PageDown")
    expect(square(page, 12, 0)).to_be_focused()


def test_squares_are_large_enough_for_fingers(browse: Browse, table: dict[str, Any]) -> None:
    page = player(browse, table, "Ann", SMALL)
    box = square(page, 0, 0).bounding_box()
    assert box is not None
    assert box["width"] >= 24
    button(page, "Larger").tap()
    expect(button(page, "Whole board")).to_be_visible()
    box = square(page, 6, 6).bounding_box()
    assert box is not None
    assert box["width"] >= 44
    expect(square(page, 6, 6)).to_be_in_viewport()
    fits(page)


@pytest.mark.parametrize(
    ("size", "scheme", "language", "name"),
    [
        (PHONE, "light", "de", "phone"),
        (PHONE, "dark", "fr", "phone-dark"),
        (LAPTOP, "dark", "cs", "laptop"),
        (PROJECTOR, "light", "en", "projector"),
    ],
)
def test_the_view_is_accessible(
    browse: Browse, api: httpx.Client, size: Size, scheme: Scheme, language: str, name: str
) -> None:
    table = opened(api, "cubed", board=board_of("cubed"), options={"hints": "three"}, language=language)
    page = browse(size, scheme=scheme, language=language)
    key = table["keys"]["spectator" if size is PROJECTOR else "host"]
    show_part(page, "cubed", table, key)
    if size is not PROJECTOR:
        expect(page.locator(".palette")).to_be_visible()
        assert axe(page) == []
        fits(page)
    told(api, table, *ROLLS, FIRST, *TURN, {"type": "asked", "player": "Ben", "level": "one"})
    expect(page.locator(".square.ghost")).to_have_count(1)
    look(page, f"cubed-{name}")
    assert axe(page) == []
    fits(page)
    larger_text(page)
    fits(page)
