"""Every view, as anybody may come to it: screens small and large, light and dark, each language, without a mouse."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.page.browsers import LAPTOP, PHONE, SMALL, Size
from tests.page.checks import axe, fits, larger_text, look, reads_well
from tests.page.conftest import Browse, Scheme
from tests.page.keyboard import Keyboard

pytestmark = pytest.mark.browser

VIEWS = ("photo", "live", "table")
SIZES = {"phone": PHONE, "laptop": LAPTOP}


def opened(page: Page, view: str) -> Page:
    """Go to a view, and wait until it stands."""
    page.goto(f"/{view}")
    expect(page.locator("main h1").first).to_be_attached()
    expect(page.locator("main")).not_to_have_attribute("aria-busy", "true")
    return page


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("view", VIEWS)
def test_a_view_is_accessible_and_fits(browse: Browse, view: str, size: str, scheme: Scheme) -> None:
    page = opened(browse(SIZES[size], scheme=scheme), view)
    look(page, f"{view}-{size}-{scheme}")
    assert axe(page) == []
    fits(page)


@pytest.mark.parametrize("language", ["de", "fr", "cs"])
@pytest.mark.parametrize("view", VIEWS)
def test_a_view_speaks_each_language(browse: Browse, view: str, language: str) -> None:
    page = opened(browse(PHONE, language=language), view)
    look(page, f"{view}-phone-{language}")
    expect(page.locator("html")).to_have_attribute("lang", language)
    reads_well(page)
    assert axe(page) == []
    fits(page)


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_stands_small_phones_and_large_text(browse: Browse, view: str) -> None:
    page = opened(browse(SMALL), view)
    look(page, f"{view}-small")
    fits(page)
    page = opened(browse(PHONE), view)
    larger_text(page)
    look(page, f"{view}-phone-200", full=True)
    fits(page)


@pytest.mark.parametrize("view", VIEWS)
def test_a_keyboard_reaches_every_control(browse: Browse, view: str) -> None:
    page = opened(browse(LAPTOP), view)
    keyboard = Keyboard(page)
    fields = "input:not([type=radio]):visible, input[type=radio]:checked:visible, select:visible"
    for control in page.locator(f"a[href]:visible, button:visible, summary:visible, {fields}").all():
        if control.is_enabled() and control.get_attribute("tabindex") != "-1":
            keyboard.reach(control)


@pytest.mark.parametrize("size", [PHONE, SMALL])
@pytest.mark.parametrize("view", VIEWS)
def test_what_is_touched_is_large_enough(browse: Browse, view: str, size: Size) -> None:
    page = opened(browse(size), view)
    for control in page.locator("main button:visible, main select:visible, main a.button:visible").all():
        box = control.bounding_box()
        assert box is not None
        assert box["height"] >= 43.5, control
        assert box["width"] >= 43.5, control


def test_the_language_can_be_changed_and_is_kept(browse: Browse) -> None:
    page = opened(browse(), "photo")
    page.get_by_label("Language").select_option("de")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.get_by_role("link", name="Tisch")).to_be_visible()
