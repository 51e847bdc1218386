"""A code leads to a seat."""

from __future__ import annotations

import re

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.page.browsers import PHONE, SMALL
from tests.page.checks import axe, fits, larger_text, look, reads_well
from tests.page.conftest import Browse
from tests.page.faults import Faults
from tests.page.keyboard import Keyboard
from tests.page.parts import opened
from tests.page.seats import code_of, post

pytestmark = pytest.mark.browser


def seat(page: Page, player: str) -> None:
    """Take the seat of a player."""
    page.get_by_role("button", name=re.compile(player)).click()
    expect(page.get_by_role("heading", name=player)).to_be_visible()


def test_a_code_leads_to_a_seat(browse: Browse, api: httpx.Client) -> None:
    table = opened(api, "classic")
    code = code_of(api, table, table["keys"]["join"])
    phone = browse(PHONE)
    phone.goto("/table")
    phone.goto(f"/j/{code}")
    expect(phone.get_by_role("heading", name="Who are you?")).to_be_visible()
    look(phone, "join-phone")
    assert axe(phone) == []
    fits(phone)
    seat(phone, "Ann")
    assert code not in phone.url
    phone.go_back()
    assert code not in phone.url


def test_a_seat_that_is_taken_is_shown_as_taken(browse: Browse, api: httpx.Client) -> None:
    table = opened(api, "classic")
    code = code_of(api, table, table["keys"]["join"])
    first, second = browse(PHONE), browse(PHONE, scheme="dark", language="de")
    first.goto(f"/j/{code}")
    seat(first, "Ann")
    second.goto(f"/j/{code.upper()}")
    expect(second.get_by_role("button", name="Ann besetzt")).to_be_disabled()
    look(second, "join-phone-dark-de")
    assert axe(second) == []
    seat(second, "Ben")


def test_somebody_is_quicker(browse: Browse, api: httpx.Client, faults: Faults) -> None:
    table = opened(api, "classic")
    phone = browse(PHONE)
    phone.goto(f"/j/{code_of(api, table, table['keys']['join'])}")
    expect(phone.get_by_role("button", name="Ann free")).to_be_visible()
    post(api, table, "seats", table["keys"]["join"], {"player": "Ann"})
    faults.allow("status of 409")
    phone.get_by_role("button", name="Ann free").click()
    expect(phone.locator("#notices")).to_contain_text("Somebody has taken this seat")
    expect(phone.get_by_role("button", name="Ann taken")).to_be_disabled()
    seat(phone, "Ben")


def test_who_comes_back_sits_down_at_once(browse: Browse, api: httpx.Client) -> None:
    table = opened(api, "classic")
    code = code_of(api, table, table["keys"]["join"])
    phone = browse(PHONE)
    phone.goto(f"/j/{code}")
    seat(phone, "Ann")
    phone.goto(f"/j/{code}")
    expect(phone.get_by_role("heading", name="Ann")).to_be_visible()


def test_a_wrong_code_can_be_typed_again(browse: Browse, api: httpx.Client, faults: Faults) -> None:
    table = opened(api, "classic")
    code = code_of(api, table, table["keys"]["join"])
    faults.allow("status of 404")
    page = browse()
    page.goto("/j/zzzzzz")
    expect(page.locator("p[role=alert]")).to_contain_text("No table has this code now")
    assert axe(page) == []
    keyboard = Keyboard(page)
    keyboard.write(page.get_by_label("Code"), f"{code[:3]} {code[3:].upper()}")
    keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Who are you?")).to_be_visible()
    keyboard.use(page.get_by_role("button", name="Ben free"))
    expect(page.get_by_role("heading", name="Ben")).to_be_visible()


@pytest.mark.parametrize("path", ["/j", "/j/"])
def test_an_address_without_a_code_asks_for_it(browse: Browse, api: httpx.Client, path: str) -> None:
    table = opened(api, "classic")
    page = browse(PHONE)
    page.goto(path)
    expect(page.get_by_role("heading", name="Take a seat")).to_be_visible()
    page.get_by_label("Code").fill(code_of(api, table, table["keys"]["join"]))
    page.get_by_role("button", name="Go to the table").tap()
    expect(page.get_by_role("heading", name="Who are you?")).to_be_visible()


def test_codes_of_watchers_and_cameras_go_straight_there(browse: Browse, api: httpx.Client) -> None:
    table = opened(api, "classic")
    screen = browse()
    screen.goto(f"/j/{code_of(api, table, table['keys']['spectator'])}")
    expect(screen.locator(".watch")).to_be_visible()
    camera = browse(PHONE)
    camera.goto(f"/j/{code_of(api, table, table['keys']['camera'])}")
    expect(camera.get_by_role("button", name=re.compile("camera", re.IGNORECASE)).first).to_be_visible()


def test_a_code_of_a_player_needs_no_choice(browse: Browse, api: httpx.Client) -> None:
    table = opened(api, "classic")
    phone = browse(PHONE)
    phone.goto(f"/j/{code_of(api, table, table['keys']['players']['Ben'])}")
    expect(phone.get_by_role("heading", name="Ben")).to_be_visible()


def test_seats_on_small_phones_and_in_large_letters(browse: Browse, api: httpx.Client) -> None:
    table = opened(api, "classic", players=["A name that is as long as a name may be", "Ben"])
    code = code_of(api, table, table["keys"]["join"])
    for language, size in (("en", SMALL), ("fr", SMALL), ("cs", PHONE)):
        phone = browse(size, language=language)
        phone.goto(f"/j/{code}")
        expect(phone.locator(".seat")).to_have_count(2)
        reads_well(phone)
        fits(phone)
    larger_text(phone)
    look(phone, "join-phone-200", full=True)
    fits(phone)
