"""What clumsy people, broken memories and hostile files do to the page."""

from __future__ import annotations

import json
import re
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, Route, expect

from tests.page.browsers import LAPTOP, PHONE
from tests.page.checks import fits, until
from tests.page.conftest import Browse
from tests.page.faults import Faults
from tests.page.films import Films
from tests.page.parts import opened, told
from tests.page.seats import DEAL, SET, at_table, big_button, code_of, mood, post, seated, tap

pytestmark = pytest.mark.browser

MARKUP = "<img src=x onerror=alert(1)>"
NAMES = [MARKUP, "W" * 40, "שלום עולם", "Z̷̧̛a̶l̵g̶o̸", "🎲🎲🎲", "constructor", "__proto__", "{player} ${x}"]
_COUNT_SOCKETS = """const Real = WebSocket;
globalThis.open_sockets = 0;
globalThis.WebSocket = class extends Real {
  constructor(...given) {
    super(...given);
    open_sockets += 1;
    this.addEventListener("close", () => { open_sockets -= 1; });
  }
};"""


class Held:
    """Requests whose answers wait until they are let go."""

    def __init__(self, page: Page, pattern: str | re.Pattern[str]) -> None:
        """Hold what ``page`` asks at addresses that match ``pattern``."""
        self.routes: list[Route] = []
        self.page = page
        page.route(pattern, lambda route: self.routes.append(route))

    def come(self, count: int = 1) -> None:
        """Wait until so many have been asked."""
        while len(self.routes) < count:
            self.page.wait_for_timeout(20)

    def let_go(self) -> None:
        """Let the service answer."""
        for route in self.routes:
            route.continue_()
        self.page.wait_for_load_state("networkidle")


DAMAGED = {
    "tables": [
        "{}",
        "null",
        "7",
        '[null, 3, {"id": 5}]',
        '[{"id": "x", "title": "X", "game": "y", "seen": null}]',
        "{",
        '"x"',
    ],
    "language": ["7", "{}", "null", '"xx"', '"constructor"'],
    "theme": ["7", "{}", '"x"'],
    "live": ["7", "[]", '"x"', '{"level": "x", "game": 3, "board": "y"}'],
    "players": ["7", "{}", "[7, null]"],
    "game": ["7", "{}"],
    "board.cubed": ["7", '{"rows": 1e9, "columns": 1e9, "logo": [[0, 0], [0, 1], [0, 2]]}'],
    "camera": ["7", "{}"],
    "letters": ["{}"],
    "sound": ["{}"],
}


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_memory_is_as_none(browse: Browse, name: str) -> None:
    page = browse(LAPTOP)
    page.goto("/photo")
    for value in DAMAGED[name]:
        page.evaluate("([name, value]) => localStorage.setItem(name, value)", [f"set-referee.{name}", value])
        for view in ("photo", "live", "table", "table/x"):
            page.goto(f"/{view}")
            expect(page.locator("main h1").first).to_be_attached()
            expect(page.locator("main")).not_to_contain_text("could not be loaded")


@pytest.mark.parametrize("path", ["/j/%E0%A4%A", "/table/%ff", "/table/%3Cb%3E"])
def test_any_address_shows_a_view(browse: Browse, faults: Faults, path: str) -> None:
    faults.allow("status of 4")
    page = browse(LAPTOP)
    page.goto(path)
    expect(page.locator("main h1").first).to_be_attached()
    expect(page.locator("main")).not_to_contain_text("could not be loaded")


def test_a_full_memory_does_not_lose_the_new_table(browse: Browse) -> None:
    page = browse(LAPTOP)
    page.add_init_script(
        """Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); }"""
    )
    page.goto("/photo")
    page.evaluate("""() => { Object.getPrototypeOf(localStorage); }""")
    page.goto("/table")
    page.get_by_role("textbox", name="Player 1").fill("Ann")
    page.get_by_role("textbox", name="Player 2").fill("Ben")
    page.get_by_role("button", name="Open the table").click()
    expect(page.locator(".host h1")).to_be_visible()


def test_a_full_memory_that_knows_tables(browse: Browse, api: httpx.Client) -> None:
    page = browse(LAPTOP)
    old = opened(api, "classic")
    at_table(page, old, {"host": old["keys"]["host"]})
    expect(page.locator(".host h1")).to_be_visible()
    page.goto("/table")
    page.evaluate(
        """() => { Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); }; }"""
    )
    page.get_by_role("textbox", name="Player 1").fill("Ann")
    page.get_by_role("textbox", name="Player 2").fill("Ben")
    page.get_by_role("button", name="Open the table").click()
    expect(page.locator(".host h1")).to_be_visible()
    assert old["id"] not in page.url


@pytest.mark.parametrize("name", NAMES)
def test_any_name_can_play(browse: Browse, api: httpx.Client, name: str) -> None:
    answer = api.post("/tables", json={"game": "classic", "players": [name, "Ben"], "name": name})
    assert answer.status_code == 201, answer.text
    table = answer.json()
    told(api, table, {"type": "dealt", "cards": DEAL})
    host = at_table(browse(PHONE), table, table["keys"])
    expect(host.locator(".host h1")).to_have_text(name)
    fits(host)
    other = browse(PHONE)
    other.goto(f"/j/{code_of(api, table, table['keys']['join'])}")
    expect(other.get_by_role("button", name="Ben free")).to_be_enabled()
    fits(other)
    other.get_by_role("button").filter(has_text=name).click()
    expect(other.locator(".play h1")).to_have_text(name)
    fits(other)
    mood(other, "ready")
    big_button(other).tap()
    tap(other, *SET)
    other.locator(".choose button.wide").tap()
    expect(other.locator(".last-verdict .verdict.good")).to_be_visible()
    expect(host.locator(".last-verdict .verdict.good")).to_be_visible()
    fits(other)
    fits(host)


def test_a_taken_seat_named_as_a_property_is_taken(browse: Browse, api: httpx.Client, faults: Faults) -> None:
    table = api.post("/tables", json={"game": "classic", "players": ["constructor", "Ben"]}).json()
    post(api, table, "seats", table["keys"]["join"], {"player": "constructor"})
    page = browse(PHONE)
    page.goto(f"/j/{code_of(api, table, table['keys']['join'])}")
    faults.allow("status of 409")
    page.get_by_role("button", name="constructor free").tap()
    expect(page.locator("#notices")).to_contain_text("Somebody has taken this seat")


def test_a_photo_that_is_read_late_stays_in_its_view(browse: Browse) -> None:
    page = browse(LAPTOP)
    held = Held(page, re.compile(r"/photos\?"))
    page.goto("/photo")
    page.get_by_role("button", name="example").click()
    held.come()
    page.get_by_role("link", name="Table").click()
    expect(page.locator(".opening")).to_be_visible()
    held.let_go()
    expect(page.locator(".opening")).to_be_visible()
    expect(page.locator(".result")).to_have_count(0)


def test_a_code_that_is_answered_late_does_not_call_people_back(browse: Browse, api: httpx.Client) -> None:
    table = opened(api, "classic")
    page = browse(PHONE)
    held = Held(page, "**/api/v1/invitations")
    page.goto(f"/j/{code_of(api, table, table['keys']['join'])}")
    held.come()
    page.locator("nav a[href='/live']").tap()
    expect(page.locator(".viewfinder")).to_be_visible()
    held.let_go()
    until(page, "localStorage.getItem('set-referee.tables') !== null")
    expect(page.locator(".viewfinder")).to_be_visible()
    assert page.url.endswith("/live")


def test_a_seat_that_is_tapped_twice_is_taken_once(browse: Browse, api: httpx.Client) -> None:
    table = opened(api, "classic")
    page = browse(PHONE)
    held = Held(page, "**/seats")
    page.goto(f"/j/{code_of(api, table, table['keys']['join'])}")
    page.get_by_role("button", name="Ann free").dblclick()
    held.come()
    held.let_go()
    expect(page.locator(".play h1")).to_have_text("Ann")
    assert len(held.routes) == 1
    expect(page.locator("#notices")).to_be_empty()


def test_what_is_pressed_twice_is_told_once(browse: Browse, api: httpx.Client) -> None:
    table = opened(api, "classic")
    told(api, table, {"type": "dealt", "cards": DEAL})
    page = seated(browse, table, "Ann")
    big_button(page).tap()
    tap(page, *SET)
    held = Held(page, "**/events")
    page.locator(".choose button.wide").dblclick()
    held.come()
    held.let_go()
    expect(page.locator(".last-verdict .verdict.good")).to_be_visible()
    assert len(held.routes) == 1


def test_a_dispute_that_is_pressed_twice_is_shown_once(browse: Browse, api: httpx.Client, faults: Faults) -> None:
    faults.allow("status of 409")
    table = opened(api, "classic")
    page = seated(browse, table, "Ann")
    held = Held(page, "**/disputes")
    page.locator("[data-do=dispute]").dblclick()
    held.come(2)
    held.let_go()
    expect(page.locator("dialog")).to_have_count(1)


def test_a_dialog_does_not_outlive_its_view(browse: Browse, api: httpx.Client) -> None:
    table = opened(api, "classic")
    page = browse(PHONE)
    page.goto("/table")
    at_table(page, table, {"players": {"Ann": table["keys"]["players"]["Ann"]}})
    page.locator("[data-do=history]").tap()
    expect(page.locator("dialog")).to_be_visible()
    page.go_back()
    expect(page.locator(".opening")).to_be_visible()
    expect(page.locator("dialog")).to_have_count(0)


def test_a_dialog_does_not_outlive_its_table(browse: Browse, api: httpx.Client) -> None:
    table = opened(api, "classic")
    page = seated(browse, table, "Ann")
    page.locator("[data-do=history]").tap()
    headers = {"Authorization": f"Bearer {table['keys']['host']}"}
    key = table["keys"]["players"]["Ann"].split(".")[0]
    assert api.delete(f"/tables/{table['id']}/keys/{key}", headers=headers).is_success
    expect(page.locator(".problem h1")).to_be_visible()
    expect(page.locator("dialog")).to_have_count(0)


@pytest.mark.parametrize("role", ["join", "host", "spectator", "camera"])
def test_a_table_that_is_gone_is_told(browse: Browse, api: httpx.Client, faults: Faults, role: str) -> None:
    faults.allow("status of 4")
    table = opened(api, "classic")
    keys = table["keys"]
    assert api.delete(f"/tables/{table['id']}", headers={"Authorization": f"Bearer {keys['host']}"}).is_success
    page = at_table(browse(PHONE), table, {role: keys[role]})
    if role == "camera":
        return
    expect(page.locator(".problem h1")).to_be_visible()


def test_seats_of_a_table_that_goes_away(browse: Browse, api: httpx.Client, faults: Faults) -> None:
    faults.allow("status of 4")
    table = opened(api, "classic")
    page = at_table(browse(PHONE), table, {"join": table["keys"]["join"]})
    expect(page.get_by_role("button", name="Ann free")).to_be_visible()
    assert api.delete(f"/tables/{table['id']}", headers={"Authorization": f"Bearer {table['keys']['host']}"}).is_success
    expect(page.locator(".problem h1")).to_be_visible()


def test_a_table_reached_at_the_second_try_is_left_for_good(browse: Browse, api: httpx.Client, faults: Faults) -> None:
    faults.allow("Failed to load|ERR_|status of 503")
    table = opened(api, "classic")
    page = browse(PHONE)
    page.add_init_script(_COUNT_SOCKETS)
    page.route(
        f"**/tables/{table['id']}",
        lambda route: route.fulfill(status=503, json={"error": {"code": "busy", "text": "busy"}}),
    )
    at_table(page, table, {"players": {"Ann": table["keys"]["players"]["Ann"]}})
    expect(page.locator(".problem button")).to_be_visible()
    page.unroute(f"**/tables/{table['id']}")
    page.locator(".problem button").first.scroll_into_view_if_needed()
    page.locator(".problem > button").click()
    expect(page.locator(".connection")).to_have_attribute("data-status", "open")
    page.evaluate("() => document.body.classList.add('with-menu')")
    page.locator("nav a[href='/table']").click()
    expect(page.locator(".opening")).to_be_visible()
    until(page, "open_sockets === 0")
    assert page.evaluate("document.body.dataset.stage ?? null") is None


HUGE: list[dict[str, Any]] = [
    {"game": "cubed", "rows": 10**9, "columns": 10**9, "logo": [[0, 0], [0, 1], [0, 2]]},
    {"game": "cubed", "rows": 3, "columns": 99999999, "logo": [[0, 0], [0, 1], [0, 2]]},
    {"game": "cubed", "rows": -1, "columns": "x", "logo": [[0, 0]]},
    {
        "game": "cubed",
        "rows": 13,
        "columns": 13,
        "logo": [[6, 5], [6, 6], [6, 7]],
        "bonus": [{"at": [10**9, 4], "points": 10**300}] * 9_000,
    },
    {"game": "cubed", "rows": 13, "columns": 13, "logo": [[6, 5], [6, 6], [6, 7]], "bonus": {"x": 1}},
    {"game": "cubed", "rows": 99, "columns": 99, "logo": [[6, 5], [6, 6], [6, 7]], "name": MARKUP},
]


@pytest.mark.parametrize("index", range(len(HUGE)))
def test_a_board_file_that_is_none_holds_nothing_up(browse: Browse, faults: Faults, index: int) -> None:
    faults.allow("status of 4")
    page = browse(LAPTOP)
    page.goto("/table")
    page.locator("input[value=cubed]").check(force=True)
    page.get_by_label("A board file").check(force=True) if page.get_by_label("A board file").count() else page.locator(
        ".board-choice input[type=radio]"
    ).last.check(force=True)
    page.locator(".board-choice input[type=file]").last.set_input_files(
        {"name": "b.json", "mimeType": "application/json", "buffer": json.dumps(HUGE[index]).encode()}
    )
    page.locator(".board-choice .drawn summary").click()
    expect(page.locator(".board-choice .drawn .grid, .board-choice .drawn .fault")).to_be_visible()
    fits(page)


def test_a_reload_does_not_play_old_verdicts(browse: Browse, api: httpx.Client) -> None:
    table = opened(api, "classic")
    told(
        api,
        table,
        {"type": "dealt", "cards": DEAL},
        {"type": "called", "player": "Ann"},
        {"type": "picked", "player": "Ann", "cards": SET},
    )
    page = browse(PHONE)
    page.add_init_script("globalThis.shaken = []; navigator.vibrate = (what) => { shaken.push(what); return true; };")
    page.add_init_script("Object.defineProperty(navigator, 'userActivation', { get: () => ({ hasBeenActive: true }) })")
    at_table(page, table, {"players": {"Ann": table["keys"]["players"]["Ann"]}})
    for _ in range(3):
        expect(page.locator(".last-verdict")).to_contain_text("A SET")
        page.wait_for_timeout(300)
        assert page.evaluate("shaken") == []
        page.reload()


_KEPT = "(async () => (await (await caches.open('set-referee-shell')).keys()).length)()"


def test_the_shell_is_there_without_a_network_after_one_visit(browse: Browse, faults: Faults) -> None:
    faults.allow("ERR_INTERNET_DISCONNECTED|Failed to fetch|Failed to load")
    page = browse(LAPTOP)
    page.goto("/photo")
    until(page, f"{_KEPT}.then((count) => count > 20)")
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    page.reload()
    expect(page.get_by_role("heading", name="See every SET")).to_be_visible()
    page.get_by_role("link", name="Table").click()
    expect(page.get_by_role("alert").first).to_contain_text("could not be loaded")


def test_what_is_kept_without_a_network_holds_no_secret(browse: Browse, api: httpx.Client) -> None:
    table = opened(api, "classic")
    page = browse(PHONE)
    page.goto("/photo")
    until(page, "navigator.serviceWorker.controller !== null")
    code = code_of(api, table, table["keys"]["join"])
    page.goto(f"/j/{code}")
    page.get_by_role("button", name="Ann free").tap()
    expect(page.locator(".play h1")).to_have_text("Ann")
    page.reload()
    expect(page.locator(".play h1")).to_have_text("Ann")
    kept = page.evaluate(
        "(async () => (await (await caches.open('set-referee-shell')).keys()).map(({ url }) => url))()"
    )
    assert not [url for url in kept if code in url or table["id"] in url or "/api/" in url]


def test_cameras_that_were_left_leave_nothing_behind(browse: Browse, films: Films) -> None:
    page = browse(LAPTOP, camera=films.get("classic", picks=1))
    page.add_init_script(_COUNT_SOCKETS)
    page.goto("/photo")
    session = page.context.new_cdp_session(page)

    def nodes() -> int:
        for _ in range(3):
            session.send("HeapProfiler.collectGarbage")
        return int(session.send("Memory.getDOMCounters")["nodes"])

    counts = []
    for _ in range(4):
        page.locator("nav a[href='/live']").click()
        page.locator(".cover button").click()
        expect(page.locator(".tools")).to_be_visible()
        page.locator("nav a[href='/photo']").click()
        expect(page.locator(".drop")).to_be_visible()
        counts.append(nodes())
    assert counts[-1] - counts[0] < 200, counts
    until(page, "open_sockets === 0")
