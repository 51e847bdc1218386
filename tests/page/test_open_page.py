"""A table is opened, a code is typed, a table that is known is gone on with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Request, expect

from tests.page.browsers import LAPTOP, PHONE, SMALL, Size
from tests.page.checks import axe, fits, larger_text, look
from tests.page.conftest import Browse, Scheme
from tests.page.faults import Faults
from tests.page.keyboard import Keyboard
from tests.page.parts import board_of

pytestmark = pytest.mark.browser


def name(page: Page, number: int) -> Locator:
    """Return the field of a player's name."""
    return page.locator(".names input").nth(number - 1)


def fill_names(page: Page, *names: str) -> None:
    """Write who plays."""
    for number, one in enumerate(names, 1):
        name(page, number).fill(one)


def opens(page: Page) -> None:
    """Open the table, and wait until its host sees it."""
    page.locator("form.opening button[type=submit]").click()
    expect(page.locator(".host")).to_be_visible()


def test_two_names_and_one_press_open_a_table(browse: Browse) -> None:
    page = browse()
    page.goto("/table")
    fill_names(page, "Ann", "Ben")
    opens(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("SET")
    expect(page.locator(".scores")).to_contain_text("Ann")
    page.goto("/table")
    known = page.locator(".known")
    expect(known).to_contain_text("SET: Ann, Ben")
    expect(known).to_contain_text("as host")
    expect(name(page, 1)).to_have_value("Ann")
    known.get_by_role("link").click()
    expect(page.locator(".host")).to_be_visible()


@pytest.mark.parametrize(
    ("size", "scheme", "language"),
    [(PHONE, "light", "de"), (LAPTOP, "dark", "cs"), (SMALL, "light", "fr"), (LAPTOP, "light", "en")],
    ids=["phone-de", "laptop-dark-cs", "small-fr", "laptop-en"],
)
def test_everyone_can_read_it(browse: Browse, size: Size, scheme: Scheme, language: str) -> None:
    page = browse(size, scheme=scheme, language=language)
    page.goto("/table")
    page.locator("input[value=cubed]").check()
    page.locator("details.more summary").click()
    look(page, f"open-{size.width}-{language}", full=True)
    assert axe(page) == []
    fits(page)
    larger_text(page)
    fits(page)
    look(page, f"open-{size.width}-{language}-large", full=True)


def test_what_is_wrong_stands_at_its_field(browse: Browse) -> None:
    page = browse()
    page.goto("/table")
    page.get_by_role("button", name="Open the table").click()
    expect(name(page, 1)).to_be_focused()
    expect(name(page, 1)).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_text("This player needs a name.")).to_have_count(2)
    assert axe(page) == []
    fill_names(page, "Ann", "  ANN ")
    page.get_by_role("button", name="Open the table").click()
    expect(name(page, 2)).to_have_accessible_description("⚠ Another player has this name already.")
    fill_names(page, "Ann", "B\u200ben")
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_text("characters that cannot be shown")).to_be_visible()


def test_as_many_play_as_the_game_allows(browse: Browse) -> None:
    page = browse()
    page.goto("/table")
    page.locator("input[value=setup]").check()
    expect(page.get_by_text("2 to 12 can play.")).to_be_visible()
    expect(page.get_by_role("button", name="Remove player 1")).to_be_hidden()
    page.get_by_role("button", name="Add a player").click()
    expect(name(page, 3)).to_be_focused()
    page.get_by_role("button", name="Remove player 3").click()
    expect(page.locator(".names input")).to_have_count(2)
    fill_names(page, "Ann", "Ben")
    page.locator("input[value=classic]").check()
    page.locator("details.more summary").click()
    page.get_by_label("Solitaire").check()
    expect(page.get_by_text("One can play.")).to_be_visible()
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_text("At most 1 player can play.")).to_be_visible()
    page.get_by_role("button", name="Remove player 2").click()
    opens(page)


def test_options_reach_the_table(browse: Browse) -> None:
    page = browse()
    asked: list[Any] = []

    def note(request: Request) -> None:
        if request.url.endswith("/tables"):
            asked.append(request.post_data_json)

    page.on("request", note)
    page.goto("/table")
    page.locator("input[value=cubed]").check()
    fill_names(page, "Ann", "Ben")
    page.locator("details.more summary").click()
    page.get_by_label("Hints").select_option("How many SETs?")
    page.get_by_label("Dice may wait").uncheck()
    page.get_by_label("Wilds swapped in a turn").fill("two")
    page.get_by_label("Time after a call").select_option("10 seconds")
    page.get_by_label("Language of the referee").select_option("Deutsch")
    page.get_by_label("What is the table called?").fill("By the window")
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_text("This needs a whole number from 0.")).to_be_visible()
    page.get_by_label("Wilds swapped in a turn").fill("2")
    opens(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("By the window")
    options = {"hints": "count", "waiting_dice": False, "swaps_per_turn": 2}
    (table,) = asked
    assert (table["options"], table["call_limit"], table["language"]) == (options, 10, "de")


def test_a_board_comes_from_a_file(browse: Browse, tmp_path: Path, faults: Faults) -> None:
    page = browse()
    page.goto("/table")
    page.locator("input[value=cubed]").check()
    fill_names(page, "Ann", "Ben")
    page.get_by_label("A board file").check()
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_text("Choose the board first.")).to_be_visible()
    file = tmp_path / "board.json"
    file.write_text("no board")
    page.locator("input[type=file]:not(:disabled)").last.set_input_files(file)
    expect(page.get_by_text("This file is no board file.")).to_be_visible()
    file.write_text(json.dumps({**board_of("cubed"), "rows": 2}))
    page.locator("input[type=file]").last.set_input_files(file)
    faults.allow("status of 422")
    page.get_by_role("button", name="Open the table").click()
    expect(page.locator(".board-choice .fault")).to_contain_text("rows")
    file.write_text(json.dumps({**board_of("cubed"), "name": "Ours"}))
    page.locator("input[type=file]").last.set_input_files(file)
    page.get_by_text("The board, as the referee knows it").click()
    expect(page.get_by_role("grid")).to_be_visible()
    look(page, "open-board", full=True)
    opens(page)
    page.goto("/table")
    expect(page.get_by_label("The board of last time")).to_be_checked()


def test_a_board_is_read_off_a_photo(browse: Browse, tmp_path: Path) -> None:
    page = browse(PHONE)
    answer = {"board": board_of("junior-1"), "unsure": ["Space [0, 1, 1] could not be read."]}
    page.route("**/api/v1/boards?game=junior-1", lambda route: route.fulfill(json=answer))
    page.goto("/table")
    page.locator("input[value=junior-1]").check()
    page.get_by_label("A photo of the empty board").check()
    photo = tmp_path / "board.jpg"
    photo.write_bytes(b"a photo")
    page.locator("input[type=file][accept^=image]").set_input_files(photo)
    expect(page.get_by_text("Compare it with yours")).to_be_visible()
    expect(page.get_by_text("Space [0, 1, 1] could not be read.")).to_be_visible()
    look(page, "open-board-photo", full=True)
    assert axe(page) == []


def test_a_code_is_typed(browse: Browse, faults: Faults) -> None:
    page = browse(PHONE)
    page.goto("/table")
    page.get_by_label("Code of the table").fill("k7m")
    page.get_by_role("button", name="Go to the table").click()
    expect(page.get_by_role("alert").get_by_text("A code has six characters.")).to_be_visible()
    faults.allow("status of 404")
    page.get_by_label("Code of the table").fill("ZZZ-zzz")
    page.get_by_role("button", name="Go to the table").click()
    expect(page).to_have_url("/j/zzzzzz")


def test_a_table_is_forgotten(browse: Browse) -> None:
    page = browse()
    page.goto("/table")
    fill_names(page, "Ann", "Ben")
    opens(page)
    page.goto("/table")
    page.get_by_role("button", name="Forget SET: Ann, Ben").click()
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator(".known li")).to_have_count(1)
    page.get_by_role("button", name="Forget SET: Ann, Ben").click()
    expect(page.get_by_role("dialog")).to_contain_text("This device runs it")
    assert axe(page) == []
    page.get_by_role("button", name="Forget it").click()
    expect(page.locator(".known")).to_have_count(0)


def test_a_keyboard_opens_a_table(browse: Browse) -> None:
    page = browse()
    page.goto("/table")
    keyboard = Keyboard(page)
    keyboard.reach(page.locator("input[value=classic]"))
    keyboard.press("ArrowDown")
    expect(page.locator("input[value=ravensburger]")).to_be_checked()
    keyboard.write(name(page, 1), "Ann")
    keyboard.write(name(page, 2), "Ben")
    keyboard.use(page.get_by_role("button", name="Open the table"))
    expect(page.get_by_role("heading", level=1)).to_have_text("SET by Ravensburger")
