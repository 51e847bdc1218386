"""The phone in the hand of a player: two phones at one table, without a camera."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.page.browsers import LAPTOP, PHONE, SMALL, Size
from tests.page.checks import axe, fits, larger_text, look, reads_well
from tests.page.conftest import Browse
from tests.page.faults import Faults
from tests.page.keyboard import Keyboard
from tests.page.parts import opened, told
from tests.page.phones import asleep
from tests.page.seats import DEAL, SET, at_table, big_button, mood, post, seated, tap

pytestmark = pytest.mark.browser

_MINUS = "\N{MINUS SIGN}"
_NO_SET = (DEAL[0], DEAL[1], DEAL[3])
_SLEEP_OVER = 1000
"""Milliseconds in which a phone that wakes knows how the table stands."""


def dealt(api: httpx.Client, game: str = "classic", **setup: object) -> dict[str, Any]:
    """Open a table at which the first cards lie."""
    table = opened(api, game, **setup)
    table["state"] = told(api, table, {"type": "dealt", "cards": DEAL})
    return table


def scores(page: Page) -> list[str]:
    """Return the scores that are shown, in the order of seats."""
    return page.locator(".score .amount > [aria-hidden]").all_inner_texts()


def show(page: Page, *cards: str) -> None:
    """Choose three cards, and show them."""
    tap(page, *cards)
    page.get_by_role("button", name="These three").tap()


def test_a_call_and_a_right_pick(browse: Browse, api: httpx.Client) -> None:
    table = dealt(api)
    ann, ben = seated(browse, table, "Ann"), seated(browse, table, "Ben", scheme="dark")
    mood(ann, "ready")
    look(ann, "player-ready")
    big_button(ann).tap()
    expect(ann.get_by_role("heading", name="Tap the three of your SET")).to_be_visible()
    mood(ben, "theirs")
    expect(big_button(ben)).to_contain_text("Ann has called")
    expect(big_button(ben)).to_have_attribute("aria-disabled", "true")
    look(ben, "player-theirs-dark")
    assert axe(ann) == []
    assert axe(ben) == []
    show(ann, *SET)
    for phone in (ann, ben):
        verdict = phone.locator(".last-verdict .verdict.good")
        expect(verdict).to_contain_text("A SET for Ann.")
        expect(verdict.locator(".lines .fits")).to_have_count(4)
        expect(verdict.locator(".gains")).to_have_text("Ann +1")
        assert scores(phone) == ["1", "0"]
    expect(ben.locator("#polite")).to_contain_text("A SET for Ann.")
    look(ann, "player-right")
    assert axe(ben) == []


def test_a_false_call_says_what_is_wrong(browse: Browse, api: httpx.Client) -> None:
    table = dealt(api)
    ann, ben = seated(browse, table, "Ann"), seated(browse, table, "Ben", language="cs")
    big_button(ann).tap()
    show(ann, *_NO_SET)
    verdict = ben.locator(".last-verdict .verdict.bad")
    expect(verdict.locator(".lines .fails")).to_have_count(2)
    expect(verdict.locator(".lines .fits")).to_have_count(2)
    expect(verdict.locator(".gains")).to_have_text(f"Ann {_MINUS}1")
    assert scores(ann) == [f"{_MINUS}1", "0"]
    look(ann, "player-wrong")
    big_button(ann).tap()
    ann.get_by_role("button", name="I have none").tap()
    expect(ann.locator(".standing")).to_contain_text(f"{_MINUS}2 points")
    reads_well(ben)


def test_a_finger_that_only_touches_has_called(browse: Browse, api: httpx.Client) -> None:
    table = dealt(api)
    ann = seated(browse, table, "Ann", LAPTOP)
    box = big_button(ann).bounding_box()
    assert box is not None
    ann.mouse.move(box["x"] + 50, box["y"] + 50)
    ann.mouse.down()
    mood(ann, "mine")
    ann.mouse.up()
    expect(ann.get_by_role("heading", name="Tap the three of your SET")).to_be_visible()
    expect(ann.locator(".choose [role=status]")).to_have_text("0 of 3 chosen")


def test_calls_that_are_too_close_are_for_the_host(browse: Browse, api: httpx.Client) -> None:
    table = dealt(api)
    ann, ben = seated(browse, table, "Ann"), seated(browse, table, "Ben", language="de")
    for player in ("Ann", "Ben"):
        post(api, table, "calls", table["keys"]["players"][player], {})
    for phone in (ann, ben):
        mood(phone, "tied")
    expect(big_button(ben)).to_contain_text("Ann und Ben")
    look(ben, "player-tied-de")
    assert axe(ann) == []
    post(api, table, "decisions", table["keys"]["host"], {"tie": "Ben"})
    mood(ann, "theirs")
    expect(ben.locator(".choose")).to_be_visible()


def test_the_time_after_a_call_is_shown(browse: Browse, api: httpx.Client) -> None:
    table = dealt(api, call_limit=30)
    ann, ben = seated(browse, table, "Ann"), seated(browse, table, "Ben")
    big_button(ann).tap()
    mood(ben, "theirs")
    left = big_button(ben).locator(".left")
    expect(left).to_be_visible()
    assert 20 <= int(left.inner_text()) <= 30
    expect(big_button(ben).locator(".ring .unseen")).to_have_text("30 seconds left")
    show(ann, *SET)
    expect(left).to_be_hidden()


def test_a_phone_that_slept_knows_at_once_how_it_stands(browse: Browse, api: httpx.Client, faults: Faults) -> None:
    faults.allow("ERR_INTERNET_DISCONNECTED|WebSocket connection")
    table = dealt(api)
    ann = seated(browse, table, "Ann")
    mood(ann, "ready")
    with asleep(ann):
        mood(ann, "away")
        expect(big_button(ann)).to_contain_text("Coming back …")
        big_button(ann).tap(force=True)
        look(ann, "player-away")
        told(api, table, {"type": "called", "player": "Ben"}, {"type": "picked", "player": "Ben", "cards": SET})
    expect(ann.locator(".last-verdict")).to_contain_text("A SET for Ben.", timeout=_SLEEP_OVER)
    assert scores(ann) == ["0", "1"]
    expect(ann.locator(".connection")).to_have_attribute("data-status", "open")
    told(api, table, {"type": "dealt", "cards": ["3 red open squiggle", "3 red open oval", "3 red open diamond"]})
    mood(ann, "ready")
    big_button(ann).tap()
    expect(ann.locator(".choose")).to_be_visible()


def test_agreeing_that_there_is_no_set(browse: Browse, api: httpx.Client) -> None:
    table = dealt(api)
    ann, ben = seated(browse, table, "Ann"), seated(browse, table, "Ben")
    ann.get_by_role("button", name="No SET here").tap()
    expect(ann.get_by_role("button", name="No SET: you agree")).to_be_disabled()
    expect(ben.locator(".score").first).to_contain_text("sees no SET")
    ben.get_by_role("button", name="No SET here").tap()
    expect(big_button(ben)).to_contain_text("Lay out 3 cards")


def test_a_hint_is_asked_for(browse: Browse, api: httpx.Client) -> None:
    table = dealt(api, options={"hints": "count"})
    ann = seated(browse, table, "Ann", LAPTOP)
    keyboard = Keyboard(ann)
    keyboard.use(ann.get_by_role("button", name="Hint"))
    dialog = ann.get_by_role("dialog", name="How much help do you want?")
    expect(dialog.get_by_role("button")).to_have_count(3)
    assert axe(ann) == []
    keyboard.use(dialog.get_by_role("button", name="How many SETs?"))
    expect(ann.locator(".last-verdict")).to_contain_text("There are")
    expect(ann.get_by_role("button", name="Hint")).to_be_focused()


def test_a_keyboard_alone_plays(browse: Browse, api: httpx.Client) -> None:
    table = dealt(api)
    ann = seated(browse, table, "Ann", LAPTOP)
    keyboard = Keyboard(ann)
    mood(ann, "ready")
    keyboard.press("Space")
    for card in SET:
        keyboard.use(ann.locator(f"button.tap[data-name='{card}']"))
    keyboard.use(ann.get_by_role("button", name="These three"))
    expect(ann.locator(".last-verdict")).to_contain_text("A SET for Ann.")


def test_who_is_out_cannot_call(browse: Browse, api: httpx.Client) -> None:
    cards = [name.replace("open", "striped") if "striped" not in name else name for name in DEAL]
    cards = [*dict.fromkeys(cards)]
    table = opened(api, "ravensburger")
    told(api, table, {"type": "dealt", "cards": _twelve(cards)})
    ann = seated(browse, table, "Ann", language="fr")
    big_button(ann).tap()
    tap(ann, *_NO_SET)
    ann.get_by_role("button", name="Ces trois").tap()
    mood(ann, "out")
    look(ann, "player-out-fr")
    assert axe(ann) == []
    told(api, table, {"type": "called", "player": "Ben"}, {"type": "picked", "player": "Ben", "cards": SET})
    expect(big_button(ann)).not_to_have_attribute("data-mood", "out")


def _twelve(cards: list[str]) -> list[str]:
    """Return twelve cards of Ravensburger, whose rectangles stand where others have diamonds."""
    return [card.replace("diamond", "rectangle") for card in cards]


def test_setup_is_laid_and_claimed(browse: Browse, api: httpx.Client) -> None:
    table = opened(api, "setup")
    ann, ben = seated(browse, table, "Ann"), seated(browse, table, "Ben")
    look(ann, "player-setup")
    assert axe(ann) == []
    lines = ann.locator(".value > span:last-child").evaluate_all("all => all.map((one) => one.offsetHeight)")
    assert max(lines) < 30, "words stand whole, in one line"
    lay(ann, "1 red solid oval")
    lay(ben, "2 red solid oval")
    lay(ann, "3 red solid oval")
    expect(ann.get_by_role("heading", name="Which card do you lay?")).to_be_hidden()
    mood(ann, "wait")
    big_button(ben).tap()
    show(ben, *SET)
    for phone in (ann, ben):
        expect(phone.locator(".verdict.good")).to_contain_text("Ben shows a SET.")
    assert scores(ben) == ["3", "0"]


def lay(page: Page, card: str) -> None:
    """Choose a card by its features, and lay it."""
    expect(page.get_by_role("heading", name="Which card do you lay?")).to_be_visible()
    for feature, value in zip(("number", "colour", "shading", "shape"), card.split(), strict=True):
        page.locator(f"[data-value='{feature}-{value}']").tap()
    page.get_by_role("button", name="Lay it").tap()


def test_a_dispute_without_a_camera_says_why(browse: Browse, api: httpx.Client, faults: Faults) -> None:
    faults.allow("status of 409")
    table = dealt(api)
    ann = seated(browse, table, "Ann")
    ann.get_by_role("button", name="Dispute").tap()
    expect(ann.get_by_role("dialog", name="Dispute")).to_contain_text("no pictures")
    ann.get_by_role("button", name="Close").tap()
    big_button(ann).tap()
    show(ann, *_NO_SET)
    mood(ann, "ready")
    ann.get_by_role("button", name="Dispute").tap()
    expect(ann.get_by_role("dialog", name="Dispute").locator(".lines .fails")).to_have_count(2)
    assert axe(ann) == []


def test_what_has_happened_can_be_read(browse: Browse, api: httpx.Client) -> None:
    table = dealt(api)
    ann = seated(browse, table, "Ann")
    big_button(ann).tap()
    show(ann, *SET)
    ann.get_by_role("button", name="History").tap()
    dialog = ann.get_by_role("dialog", name="What has happened")
    expect(dialog.get_by_role("listitem")).to_have_count(3)
    told(api, table, {"type": "undone"})
    expect(dialog.get_by_role("listitem")).to_have_count(4)
    look(ann, "player-history")
    assert axe(ann) == []


def test_the_end_says_who_has_won(browse: Browse, api: httpx.Client) -> None:
    table = dealt(api)
    ann, ben = seated(browse, table, "Ann"), seated(browse, table, "Ben", language="de")
    big_button(ann).tap()
    show(ann, *SET)
    expect(ann.locator(".last-verdict .verdict.good")).to_be_visible()
    told(api, table, {"type": "ended"})
    expect(ann.locator(".outcome")).to_contain_text("You win!")
    expect(ben.locator(".outcome")).to_contain_text("Ann gewinnt")
    expect(big_button(ann)).to_be_hidden()
    look(ann, "player-over")
    assert axe(ann) == []


def test_who_was_sent_away_can_sit_down_again(browse: Browse, api: httpx.Client) -> None:
    table = dealt(api)
    ann = seated(browse, table, "Ann")
    key = table["keys"]["players"]["Ann"].split(".")[0]
    host = {"Authorization": f"Bearer {table['keys']['host']}"}
    assert api.delete(f"/tables/{table['id']}/keys/{key}", headers=host).status_code == 204
    expect(ann.get_by_role("heading", name="This device is no longer let in")).to_be_visible()
    expect(ann.get_by_label("Code")).to_be_visible()
    expect(ann.get_by_role("link", name="Photo")).to_be_visible()
    assert axe(ann) == []


def test_tables_that_are_gone_or_unknown_say_so(browse: Browse, api: httpx.Client, faults: Faults) -> None:
    faults.allow("status of 404")
    table = dealt(api)
    ann = seated(browse, table, "Ann")
    host = {"Authorization": f"Bearer {table['keys']['host']}"}
    assert api.delete(f"/tables/{table['id']}", headers=host).status_code == 204
    expect(ann.get_by_role("heading", name="This table is gone")).to_be_visible()
    stranger = browse()
    stranger.goto(f"/table/{table['id']}")
    expect(stranger.get_by_role("heading", name="This device has no key for this table")).to_be_visible()
    late = at_table(browse(), table, {"players": {"Ann": table["keys"]["players"]["Ann"]}})
    expect(late.get_by_role("heading", name="This table is gone")).to_be_visible()


@pytest.mark.parametrize(("size", "language"), [(PHONE, "en"), (SMALL, "de"), (PHONE, "fr"), (SMALL, "cs")])
def test_the_main_things_fit_a_phone(browse: Browse, api: httpx.Client, size: Size, language: str) -> None:
    table = dealt(api)
    ann = seated(browse, table, "Ann", size, language=language)
    mood(ann, "ready")
    reads_well(ann)
    fits(ann)
    look(ann, f"player-{size.width}-{language}")
    box = big_button(ann).bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= size.height
    assert box["height"] >= 170
    big_button(ann).tap()
    tap(ann, *SET)
    look(ann, f"player-choose-{size.width}-{language}")
    fits(ann)
    larger_text(ann)
    look(ann, f"player-choose-{size.width}-{language}-200", full=True)


def test_it_can_be_held_on_its_side(browse: Browse, api: httpx.Client) -> None:
    table = dealt(api)
    ann = seated(browse, table, "Ann", Size(844, 390, 2.0, touch=True))
    mood(ann, "ready")
    fits(ann)
    box = big_button(ann).bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 390
    big_button(ann).tap()
    show(ann, *SET)
    expect(ann.locator(".last-verdict")).to_contain_text("A SET for Ann.")
    look(ann, "player-landscape")


def test_sound_can_be_turned_off_and_stays_off(browse: Browse, api: httpx.Client) -> None:
    table = dealt(api)
    ann = seated(browse, table, "Ann")
    expect(ann.get_by_role("link", name="Photo")).to_be_hidden()
    ann.get_by_role("button", name="Menu").tap()
    expect(ann.get_by_role("link", name="Photo")).to_be_visible()
    sound = ann.get_by_role("button", name="Sound and vibration")
    sound.tap()
    expect(sound).to_have_attribute("aria-pressed", "false")
    look(ann, "player-menu")
    assert axe(ann) == []
    ann.reload()
    ann.get_by_role("button", name="Menu").tap()
    expect(sound).to_have_attribute("aria-pressed", "false")
