"""A piece was misread: people say what it is, and everything since is judged again."""

from __future__ import annotations

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.page.browsers import PHONE
from tests.page.checks import axe, fits, look
from tests.page.conftest import Browse
from tests.page.faults import Faults
from tests.page.keyboard import Keyboard
from tests.page.parts import opened, told
from tests.page.seats import DEAL, SET
from tests.page.test_host_page import dealt, hosting, score

pytestmark = pytest.mark.browser


def choose(page: Page, *values: str) -> None:
    """Choose features in the dialog, and confirm."""
    for value in values:
        page.get_by_role("dialog").get_by_text(value, exact=True).click()
    page.get_by_role("button", name="That is it").click()


def test_a_verdict_changes(browse: Browse, api: httpx.Client) -> None:
    table = opened(api, "classic")
    misread = ["3 red open oval" if name == SET[2] else name for name in DEAL]
    told(api, table, {"type": "dealt", "cards": misread}, {"type": "called", "player": "Ann"})
    wrong = {"type": "picked", "player": "Ann", "cards": [*SET[:2], "3 red open oval"]}
    headers = {"Authorization": f"Bearer {table['keys']['host']}"}
    assert api.post(f"/tables/{table['id']}/events", json=wrong, headers=headers).json()["entries"][0]["judged"]
    page = hosting(browse, table, PHONE)
    score(page, "Ann", "\u22121")
    page.locator(".lies-there [data-name='3 red open oval']").click()
    expect(page.get_by_role("dialog")).to_contain_text("three red open ovals")
    look(page, "correct-phone")
    assert axe(page) == []
    fits(page)
    choose(page, "solid")
    expect(page.get_by_role("alert")).to_contain_text("1 verdict has changed")
    score(page, "Ann", "1")
    look(page, "corrected-phone", full=True)


def test_what_lies_there_already_is_only_forced(browse: Browse, api: httpx.Client, faults: Faults) -> None:
    page = hosting(browse, dealt(api))
    faults.allow("status of 409")
    page.locator(f".lies-there [data-name='{DEAL[3]}']").click()
    choose(page, "red")
    expect(page.get_by_role("dialog")).to_contain_text("That does not go together with what has happened")
    look(page, "correct-not-possible")
    assert axe(page) == []
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    expect(page.locator(f".lies-there [data-name='{DEAL[3]}']")).to_be_visible()
    page.locator(f".lies-there [data-name='{DEAL[3]}']").click()
    choose(page, "red")
    page.get_by_role("button", name="Change it all the same").click()
    expect(page.locator(".verdict")).to_contain_text("correct", ignore_case=True)


def test_who_chooses_the_same_changes_nothing(browse: Browse, api: httpx.Client) -> None:
    page = hosting(browse, dealt(api))
    page.locator(f".lies-there [data-name='{DEAL[0]}']").click()
    choose(page)
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.locator(f".lies-there [data-name='{DEAL[0]}']").click()
    choose(page, "striped")
    expect(page.get_by_role("alert")).to_contain_text("No verdict has changed")


def test_a_keyboard_corrects(browse: Browse, api: httpx.Client) -> None:
    page = hosting(browse, dealt(api))
    keyboard = Keyboard(page)
    keyboard.use(page.locator(f".lies-there [data-name='{DEAL[0]}']"))
    keyboard.reach(page.get_by_role("radio", name="solid"))
    keyboard.press("ArrowRight")
    keyboard.use(page.get_by_role("button", name="That is it"))
    expect(page.locator(".lies-there [data-name='1 red striped oval']")).to_be_visible()
