"""Phones whose browser lets no WebSocket through, and the page over HTTPS."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.page.browsers import PHONE, SMALL, Browsers
from tests.page.checks import axe, fits, larger_text, look, until
from tests.page.conftest import Browse
from tests.page.faults import Faults
from tests.page.films import Film
from tests.page.parts import opened, told
from tests.page.phones import asleep
from tests.page.seats import DEAL, SET, at_table, big_button, mood, seated, tap
from tests.page.stills import still_film
from tests.server_process import Server, running

pytestmark = pytest.mark.browser

_SHUT = """globalThis.tried = 0;
globalThis.WebSocket = class {
  static OPEN = 1;
  readyState = 0;
  constructor() {
    globalThis.tried += 1;
    setTimeout(() => this.onclose?.({ code: 1006, reason: "" }));
  }
  close() {}
};"""
"""Every WebSocket closes before it opens, as Safari's do where a certificate was only clicked through."""
_MUTE = "globalThis.WebSocket = class { readyState = 0; close() {} };"
"""No WebSocket ever opens or closes, as behind some proxies."""
_REFILL = ["3 red open squiggle", "3 red open oval", "3 red open diamond"]
_SEES = """async ([id, key]) => {
  const { TableSession } = await import("/static/scripts/table/session.js");
  const table = await TableSession.open({ id, key, seen: true });
  return new Promise((done) => table.onchange((news) => {
    if (news === "seen" && table.seen.pieces.length === 12) done(table.role);
  }));
}"""
_EVENTS = """async (parts) => {
  const { Events } = await import("/static/scripts/stream.js");
  const events = new Events();
  return parts.map((part) => events.take(part));
}"""


def shut(page: Page, script: str = _SHUT) -> Page:
    """Let no WebSocket of ``page`` through."""
    page.add_init_script(script)
    return page


def dealt(api: httpx.Client) -> dict[str, Any]:
    """Open a table at which the first cards lie."""
    table = opened(api, "classic")
    table["state"] = told(api, table, {"type": "dealt", "cards": DEAL})
    return table


def seated_without(browse: Browse, table: dict[str, Any], player: str, script: str = _SHUT) -> Page:
    """Return the phone of ``player``, connected without a WebSocket."""
    page = shut(browse(PHONE), script)
    at_table(page, table, {"players": {player: table["keys"]["players"][player]}})
    expect(page.locator(".connection")).to_have_attribute("data-status", "open")
    return page


def player_of(api: httpx.Client, table: dict[str, Any], player: str) -> dict[str, Any]:
    """Return what the service says of ``player``."""
    headers = {"Authorization": f"Bearer {table['keys']['spectator']}"}
    state = api.get(f"/tables/{table['id']}", headers=headers).json()
    found: dict[str, Any] = next(one for one in state["players"] if one["name"] == player)
    return found


def plays(caller: Page, other: Page) -> None:
    """Let ``caller`` take the first SET, and ``other`` see it."""
    mood(caller, "ready")
    big_button(caller).tap()
    expect(caller.locator(".choose")).to_be_visible()
    mood(other, "theirs")
    tap(caller, *SET)
    caller.get_by_role("button", name="These three").tap()
    for phone in (caller, other):
        expect(phone.locator(".last-verdict .verdict.good")).to_contain_text("A SET for Ann.")


def test_a_round_of_two_phones_one_without_sockets(browse: Browse, api: httpx.Client) -> None:
    table = dealt(api)
    ann, ben = seated_without(browse, table, "Ann"), seated(browse, table, "Ben")
    plays(ann, ben)
    assert ann.evaluate("tried") == 2
    about = player_of(api, table, "Ann")
    assert about["connected"]
    assert about["clock_error"] < 0.25
    told(api, table, {"type": "dealt", "cards": _REFILL})
    mood(ben, "ready")
    big_button(ben).tap()
    mood(ann, "theirs")
    ben.get_by_role("button", name="I have none").tap()
    expect(ann.locator(".last-verdict .verdict.bad")).to_contain_text("Ben")
    mood(ann, "ready")


def test_a_call_counts_from_the_press_without_sockets_too(browse: Browse, api: httpx.Client) -> None:
    table = dealt(api)
    ann = seated_without(browse, table, "Ann")
    while player_of(api, table, "Ann")["clock_error"] is None:
        ann.wait_for_timeout(50)
    ann.wait_for_timeout(100)
    answers: list[dict[str, Any]] = []
    ann.on("response", lambda answer: answers.append(answer.json()) if answer.url.endswith("/calls") else None)
    with ann.expect_response("**/calls"):
        big_button(ann).tap()
    expect(ann.locator(".choose")).to_be_visible()
    assert 0 < answers[0]["error"] < 0.25


def test_what_was_found_holds_as_long_as_the_page(browse: Browse, api: httpx.Client) -> None:
    table = dealt(api)
    ann = seated_without(browse, table, "Ann")
    ann.evaluate("history.pushState(null, '', '/table'); document.dispatchEvent(new CustomEvent('navigate'))")
    expect(ann.locator(".connection")).to_have_count(0)
    ann.go_back()
    expect(ann.locator(".connection")).to_have_attribute("data-status", "open")
    assert ann.evaluate("tried") == 2
    ann.reload()
    expect(ann.locator(".connection")).to_have_attribute("data-status", "open")
    assert ann.evaluate("tried") == 2


def test_sockets_that_stay_mute_are_given_up(browse: Browse, api: httpx.Client) -> None:
    table = dealt(api)
    page = shut(browse(PHONE), _MUTE)
    page.clock.install()
    at_table(page, table, {"players": {"Ann": table["keys"]["players"]["Ann"]}})
    for _ in range(3):
        page.wait_for_timeout(300)
        page.clock.fast_forward(12_500)
    expect(page.locator(".connection")).to_have_attribute("data-status", "open")


def test_a_phone_without_sockets_sleeps_and_comes_back(browse: Browse, api: httpx.Client, faults: Faults) -> None:
    faults.allow("ERR_INTERNET_DISCONNECTED")
    table = dealt(api)
    ann = seated_without(browse, table, "Ann")
    mood(ann, "ready")
    with asleep(ann):
        mood(ann, "away")
        told(api, table, {"type": "called", "player": "Ben"}, {"type": "picked", "player": "Ben", "cards": SET})
    expect(ann.locator(".last-verdict")).to_contain_text("A SET for Ben.")
    expect(ann.locator(".connection")).to_have_attribute("data-status", "open")
    told(api, table, {"type": "dealt", "cards": _REFILL})
    mood(ann, "ready")
    big_button(ann).tap()
    expect(ann.locator(".choose")).to_be_visible()


def test_a_service_that_was_restarted_is_found_again(browsers: Browsers, tmp_path: Path) -> None:
    with ExitStack() as stack:
        with running(tmp_path) as server:
            faults = Faults(server.address)
            faults.allow("ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING")
            api = stack.enter_context(httpx.Client(base_url=f"{server.address}/api/v1", trust_env=False))
            table = dealt(api)
            ann = seated_without(Browse(server, browsers, faults, stack), table, "Ann")
            server.stop()
            mood(ann, "away")
        with running(tmp_path, port=httpx.URL(server.address).port or 0):
            mood(ann, "ready")
            told(api, table, {"type": "called", "player": "Ben"})
            mood(ann, "theirs")
        faults.check()


def test_who_is_sent_away_is_told_without_sockets_too(browse: Browse, api: httpx.Client, faults: Faults) -> None:
    faults.allow("status of 404")
    table = dealt(api)
    host = {"Authorization": f"Bearer {table['keys']['host']}"}
    ann, ben = seated_without(browse, table, "Ann"), seated_without(browse, table, "Ben")
    key = table["keys"]["players"]["Ann"].split(".")[0]
    assert api.delete(f"/tables/{table['id']}/keys/{key}", headers=host).status_code == 204
    expect(ann.get_by_role("heading", name="This device is no longer let in")).to_be_visible()
    assert api.delete(f"/tables/{table['id']}", headers=host).status_code == 204
    expect(ben.get_by_role("heading", name="This table is gone")).to_be_visible()


def test_a_call_that_cannot_count_says_why(browse: Browse, api: httpx.Client, faults: Faults) -> None:
    faults.allow("status of 503")
    table = dealt(api)
    ann = seated_without(browse, table, "Ann")
    body = '{"error": {"code": "store-gone", "text": "no store"}}'
    ann.route("**/calls", lambda route: route.fulfill(status=503, content_type="application/json", body=body))
    big_button(ann).tap()
    expect(ann.locator(".notice")).to_be_visible()
    mood(ann, "ready")


def test_events_come_in_any_pieces(browse: Browse) -> None:
    page = browse()
    page.goto("/live")
    text = ': ping\n\nretry: 2000\n\nevent: entry\ndata: {"number": 1}\nid: 1\n\nevent: state\ndata: {}\n\nevent: st'
    whole = [{"event": "entry", "data": '{"number": 1}'}, {"event": "state", "data": "{}"}]
    assert page.evaluate(_EVENTS, [text]) == [whole]
    assert [one for part in page.evaluate(_EVENTS, list(text)) for one in part] == whole


@pytest.fixture(scope="module")
def still(tmp_path_factory: pytest.TempPathFactory) -> Film:
    """A camera over twelve cards."""
    return still_film(tmp_path_factory.mktemp("still"))


def as_camera(page: Page, table: dict[str, Any]) -> Page:
    """Let the device of ``page`` be the camera of ``table``."""
    at_table(page, table, {"camera": table["keys"]["camera"]})
    page.get_by_role("button", name="Start the camera").click()
    return page


def test_those_who_watch_see_what_the_camera_sees(browse: Browse, api: httpx.Client, still: Film) -> None:
    table = opened(api, "classic")
    camera = as_camera(browse(camera=still), table)
    expect(camera.locator(".overlay [data-piece]")).to_have_count(12, timeout=20_000)
    page = shut(browse())
    page.goto("/live")
    assert page.evaluate(_SEES, [table["id"], table["keys"]["spectator"]]) == "spectator"


@pytest.mark.parametrize(
    ("language", "start", "words"),
    [
        ("en", "Start the camera", "lets no live connection through"),
        ("de", "Kamera starten", "lässt keine Live-Verbindung durch"),
        ("fr", "Démarrer la caméra", "ne laisse passer aucune connexion"),
        ("cs", "Spustit kameru", "nepropouští živé spojení"),
    ],
)
def test_a_camera_that_gets_nothing_through_says_so(
    browse: Browse, still: Film, language: str, start: str, words: str
) -> None:
    page = shut(browse(SMALL, language=language, camera=still))
    page.goto("/live")
    page.get_by_role("button", name=start).click()
    expect(page.locator(".cover [role='alert']")).to_contain_text(words)
    expect(page.locator(".cover a[href='/photo']")).to_be_visible()
    assert axe(page) == []
    larger_text(page)
    fits(page)
    look(page, f"cut-{language}", full=True)


# Over HTTPS.

_UNTRUSTED = "error occurred when fetching the script"
"""Browsers want no service worker from a certificate that was only clicked through; the page works without."""


@pytest.fixture(scope="module")
def secure(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A service with a certificate of its own."""
    with running(tmp_path_factory.mktemp("secure"), https=True) as server:
        yield server


@pytest.fixture
def secure_api(secure: Server) -> Iterator[httpx.Client]:
    """A client of it."""
    address = f"{secure.address}/api/v1"
    with httpx.Client(base_url=address, verify=False, timeout=30, trust_env=False) as client:  # noqa: S501 - our own
        yield client


@pytest.fixture
def browse_securely(secure: Server, browsers: Browsers) -> Iterator[Browse]:
    """Open pages there; whatever goes wrong on them fails the test."""
    faults = Faults(secure.address)
    faults.allow(_UNTRUSTED)
    with ExitStack() as stack:
        yield Browse(secure, browsers, faults, stack)
    faults.check()


@pytest.mark.parametrize("is_shut", [False, True])
def test_two_phones_play_over_https(browse_securely: Browse, secure_api: httpx.Client, is_shut: bool) -> None:
    table = dealt(secure_api)
    ann = (seated_without if is_shut else seated)(browse_securely, table, "Ann")
    ben = seated(browse_securely, table, "Ben")
    assert ann.evaluate("isSecureContext")
    plays(ann, ben)
    assert player_of(secure_api, table, "Ann")["clock_error"] < 0.25
    assert any(address.startswith("wss://") for address in browse_securely.faults.asked)


def test_a_camera_looks_on_over_https(browse_securely: Browse, secure_api: httpx.Client, still: Film) -> None:
    table = opened(secure_api, "classic")
    page = as_camera(browse_securely(PHONE, camera=still), table)
    expect(page.locator(".overlay [data-piece]")).to_have_count(12, timeout=20_000)
    host = at_table(browse_securely(), table, {"host": table["keys"]["host"], "join": table["keys"]["join"]})
    expect(host.locator(".lies-there .tap")).to_have_count(12)
    expect(host.locator(".invite")).to_contain_text("/j/")


@pytest.mark.parametrize(
    ("language", "start", "words", "link"),
    [
        ("en", "Start the camera", "Certificate Trust Settings", "Load the certificate"),
        ("de", "Kamera starten", "Zertifikatsvertrauenseinstellungen", "Zertifikat laden"),
        ("fr", "Démarrer la caméra", "Réglages de confiance", "Charger le certificat"),
        ("cs", "Spustit kameru", "Nastavení důvěryhodnosti", "Načíst certifikát"),
    ],
)
def test_a_certificate_that_has_to_be_trusted_first_is_offered(
    browse_securely: Browse, still: Film, language: str, start: str, words: str, link: str
) -> None:
    page = shut(browse_securely(SMALL, language=language, camera=still))
    page.goto("/live")
    page.get_by_role("button", name=start).click()
    expect(page.locator(".cover [role='alert']")).to_contain_text(words)
    certificate = page.get_by_role("link", name=link)
    expect(certificate).to_have_attribute("href", "/api/v1/certificate")
    assert axe(page) == []
    look(page, f"distrusted-{language}")
    larger_text(page)
    fits(page)
    look(page, f"distrusted-{language}-200", full=True)


def test_a_camera_may_try_again_once_the_certificate_is_trusted(browse_securely: Browse, still: Film) -> None:
    page = shut(browse_securely(PHONE, camera=still), f"globalThis.trusted = WebSocket;{_SHUT}")
    page.goto("/live")
    page.get_by_role("button", name="Start the camera").click()
    expect(page.get_by_role("link", name="Load the certificate")).to_be_visible()
    page.evaluate("() => { globalThis.WebSocket = trusted; }")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".overlay [data-piece]")).not_to_have_count(0, timeout=20_000)
    until(page, "!document.querySelector('.stage').classList.contains('told')")
