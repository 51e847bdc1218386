"""The page of the one who runs a table."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.page.browsers import LAPTOP, PHONE, Size
from tests.page.checks import axe, fits, larger_text, look, reads_well
from tests.page.conftest import Browse, Scheme
from tests.page.faults import Faults
from tests.page.films import Films
from tests.page.keyboard import Keyboard
from tests.page.parts import opened, told
from tests.page.seats import DEAL, SET, at_table, post, seated

pytestmark = pytest.mark.browser

_REACHED = {"addresses": ["https://192.168.1.20:8000"], "reachable": True}


def hosting(
    browse: Browse, table: dict[str, Any], size: Size = LAPTOP, *, scheme: Scheme = "light", language: str = "en"
) -> Page:
    """Return the page of the host, with all keys of the table."""
    page = browse(size, scheme=scheme, language=language)
    page.route("**/api/v1/addresses", lambda route: route.fulfill(json=_REACHED))
    at_table(page, table, table["keys"])
    expect(page.locator(".host .connection")).to_have_attribute("data-status", "open")
    return page


def dealt(api: httpx.Client, **setup: object) -> dict[str, Any]:
    """Open a table on which twelve cards lie."""
    table = opened(api, "classic", **setup)
    told(api, table, {"type": "dealt", "cards": DEAL})
    return table


def judge(page: Page, player: str, *names: str) -> None:
    """Tell at the host's page that ``player`` has called and shows these."""
    page.get_by_role("button", name=f"{player}: SET!").click()
    for name in names:
        page.locator(f".choose button.tap[data-name='{name}']").click()
    page.get_by_role("button", name="These three").click()


def score(page: Page, player: str, points: str) -> None:
    """Wait until ``player`` has so many points."""
    expect(page.locator(".scores li", has_text=player).locator(".amount")).to_contain_text(points)


def test_players_come_by_its_code(browse: Browse, api: httpx.Client) -> None:
    page = hosting(browse, opened(api, "classic"))
    expect(page.locator("img.qr")).to_have_attribute(
        "alt", re.compile(r"QR code of https://192\.168\.1\.20:8000/j/\w{6}$")
    )
    # typed without it, a browser would ask for the plain address, where nobody answers
    expect(page.locator(".invited .link")).to_have_text("https://192.168.1.20:8000/j/")
    expect(page.locator(".due")).to_have_text("Deal 12 cards.")
    look(page, "host-invites")
    assert axe(page) == []
    code = page.locator(".invited .code").inner_text().replace(" ", "")
    for player in ("Ann", "Ben"):
        phone = browse(PHONE)
        phone.goto(f"/j/{code}")
        phone.get_by_role("button", name=re.compile(player)).click()
        if player == "Ann":
            expect(page.locator(".joined .there")).to_have_text(re.compile("Ann"))
    expect(page.locator(".invitation")).to_be_hidden()
    page.get_by_role("button", name="Invite").click()
    expect(page.locator(".invited .code")).to_be_visible()


def test_it_says_when_phones_cannot_come(browse: Browse, api: httpx.Client) -> None:
    table = opened(api, "classic")
    page = at_table(browse(), table, table["keys"])
    expect(page.get_by_text("Phones cannot reach this computer yet.")).to_be_visible()
    expect(page.get_by_text("set-referee serve --https --host 0.0.0.0")).to_be_visible()
    expect(page.locator("img.qr")).to_have_count(0)
    expect(page.locator(".invited .link")).to_contain_text("127.0.0.1")


def test_a_game_without_camera_and_phones(browse: Browse, api: httpx.Client) -> None:
    page = hosting(browse, opened(api, "classic"))
    page.get_by_text("Or choose them").click()
    page.get_by_role("group", name="Number").get_by_role("button", name="1").click()
    expect(page.locator(".choosable li")).to_have_count(27)
    page.get_by_role("group", name="Number").get_by_role("button", name="1").click()
    for name in DEAL:
        page.locator(f".choosable [data-key='{name}']").click()
    expect(page.locator(".choosable button:not(:disabled)")).to_have_count(12)
    page.get_by_role("button", name="Leave out one red open squiggle").click()
    expect(page.get_by_role("button", name="Deal these: 11 of 12")).to_be_visible()
    page.locator(f".choosable [data-key='{DEAL[-1]}']").click()
    look(page, "host-deals", full=True)
    page.get_by_role("button", name="Deal these: 12 of 12").click()
    expect(page.locator(".lies-there .tap")).to_have_count(12)
    judge(page, "Ann", *SET)
    score(page, "Ann", "1")
    expect(page.locator(".verdict")).to_contain_text("SET")
    expect(page.locator(".due")).to_have_text("Deal 3 cards.")
    page.get_by_text("Or choose them").click()
    expect(page.locator(f".choosable [data-key='{SET[0]}']")).to_have_count(0)
    look(page, "host-verdict", full=True)
    assert axe(page) == []


def test_a_false_call_is_taken_back(browse: Browse, api: httpx.Client) -> None:
    page = hosting(browse, dealt(api))
    judge(page, "Ben", *DEAL[:2], DEAL[3])
    score(page, "Ben", "\u22121")
    page.get_by_role("button", name="Take back").click()
    expect(page.get_by_role("dialog")).to_contain_text("Not a SET")
    look(page, "host-takes-back")
    page.get_by_role("dialog").get_by_role("button", name="Take it back").click()
    score(page, "Ben", "0")
    expect(page.locator(".choose")).to_be_visible()
    page.locator(".choose").get_by_role("button", name="Shows none").click()
    score(page, "Ben", "\u22121")


def test_what_has_moved_on_is_not_taken_back(browse: Browse, api: httpx.Client) -> None:
    table = dealt(api)
    page = hosting(browse, table)
    page.get_by_role("button", name="Take back").click()
    told(api, table, {"type": "no_set", "player": "Ann"})
    expect(page.locator(".news")).to_contain_text("Ann")
    page.get_by_role("dialog").get_by_role("button", name="Take it back").click()
    expect(page.get_by_role("alert")).to_contain_text("Something else has happened meanwhile")
    expect(page.locator(".lies-there .tap")).to_have_count(12)


def test_three_more_are_due_when_all_agree(browse: Browse, api: httpx.Client) -> None:
    page = hosting(browse, dealt(api))
    for player in ("Ann", "Ben"):
        page.get_by_role("button", name=f"{player}: No SET").click()
    expect(page.locator(".due")).to_have_text("Deal 3 cards.")


def test_the_host_plays_too(browse: Browse, api: httpx.Client) -> None:
    table = dealt(api)
    page = hosting(browse, table)
    page.get_by_label("I play too").select_option("Ben")
    page.locator("button.call").click()
    expect(page.get_by_role("heading", name="Ben has called: tap the three cards")).to_be_visible()
    page.reload()
    expect(page.locator("button.call")).to_have_attribute("data-mood", "mine")
    page.goto(f"/table/{table['id']}?as=player:Ann")
    expect(page.get_by_role("heading", name="Ann")).to_be_visible()


def test_a_deal_is_read_off_a_photo(browse: Browse, api: httpx.Client, tmp_path: Path) -> None:
    page = hosting(browse, opened(api, "classic"), PHONE)
    misread = ["3 red solid oval" if name == DEAL[3] else name for name in DEAL]
    pieces = [{"name": name} for name in dict.fromkeys(misread)]
    page.route("**/api/v1/photos?*", lambda route: route.fulfill(json={"pieces": pieces}))
    photo = tmp_path / "table.jpg"
    photo.write_bytes(b"a photo")
    page.locator("#deal-photo").set_input_files(photo)
    expect(page.locator(".dealing .help").nth(1)).to_contain_text("11 new pieces found.")
    page.get_by_text("Or choose them").click()
    page.locator(f".choosable [data-key='{DEAL[3].replace('green', 'purple')}']").click()
    page.get_by_role("button", name="Correct: one purple solid oval").click()
    page.get_by_role("dialog").get_by_text("green", exact=True).click()
    page.get_by_role("button", name="That is it").click()
    look(page, "host-photo-phone", full=True)
    assert axe(page) == []
    fits(page)
    page.get_by_role("button", name="Deal these: 12 of 12").click()
    expect(page.locator(f".lies-there [data-name='{DEAL[3]}']")).to_be_visible()


def test_a_tie_is_decided(browse: Browse, api: httpx.Client) -> None:
    table = dealt(api)
    page = hosting(browse, table)
    told(api, table, {"type": "tied", "players": ["Ann", "Ben"]})
    for player in ("Ann", "Ben"):
        post(api, table, "calls", table["keys"]["players"][player], {})
    decision = page.get_by_role("region", name="Who was first: Ann and Ben?")
    expect(decision).to_be_visible()
    expect(page.locator("#polite")).to_contain_text("Who was first")
    look(page, "host-tie", full=True)
    assert axe(page) == []
    decision.get_by_role("button", name="Ben").click()
    expect(decision).to_be_hidden()
    expect(page.get_by_role("heading", name="Ben has called: tap the three cards")).to_be_visible()


def test_an_oddity_is_decided(browse: Browse, api: httpx.Client) -> None:
    table = dealt(api)
    page = browse()
    told_of: list[dict[str, Any]] = []
    choices = [{"text": "Ann takes a SET.", "players": ["Ann"], "points": {"Ann": 1}}]
    oddity = {"number": 3, "text": "Three cards are gone, and nobody has called.", "choices": choices}
    state = {**table["state"], "last": 99, "oddity": oddity}

    def decide(route: Any) -> None:
        told_of.append(route.request.post_data_json)
        route.fulfill(json={"entries": [], "state": {**state, "last": 100, "oddity": None}})

    page.route("**/decisions", decide)
    page.route_web_socket(re.compile("/socket$"), lambda socket: greet(socket, state))
    at_table(page, table, table["keys"])
    decision = page.get_by_role("region", name="What has happened here?")
    expect(decision).to_contain_text("Three cards are gone")
    look(page, "host-oddity")
    assert axe(page) == []
    decision.get_by_role("button", name="Ann takes a SET. Ann +1").click()
    expect(decision).to_be_hidden()
    assert told_of == [{"oddity": 3, "candidate": 0}]


def greet(socket: Any, state: dict[str, Any]) -> None:
    """Be the service at a host's socket, with a table that stands like ``state``."""
    hello = {"type": "hello", "role": "host", "player": None, "time": 1.0, "state": state}
    socket.on_message(lambda text: socket.send(json.dumps(hello)) if "hello" in text else None)


def test_a_seat_is_freed_and_a_new_code_made(browse: Browse, api: httpx.Client, faults: Faults) -> None:
    table = dealt(api)
    page = hosting(browse, table)
    phone = seated(browse, table, "Ann")
    old = page.locator(".invited .code").inner_text()
    page.get_by_role("button", name="Devices").click()
    look(page, "host-devices", full=True)
    assert axe(page) == []
    page.locator(".devices li", has_text="Ann").get_by_role("button", name="Free the seat").click()
    page.get_by_role("dialog").get_by_role("button", name="Shut out").click()
    expect(phone.locator(".problem")).to_be_visible()
    assert "Ann" not in page.evaluate("localStorage.getItem('set-referee.tables')").split('"players"')[1]
    page.get_by_role("button", name="New code").click()
    expect(page.locator(".invited .code")).not_to_have_text(old)
    faults.allow("status of 404")
    phone.goto(f"/j/{old.replace(' ', '')}")
    expect(phone.get_by_text("No table has this code now.")).to_be_visible()


def test_hints_record_and_the_end(browse: Browse, api: httpx.Client) -> None:
    table = dealt(api, options={"hints": "count"})
    page = hosting(browse, table)
    page.locator(".hints summary").click()
    expect(page.locator(".hints button")).to_have_text(["Is there a SET?", "How many SETs?"])
    page.get_by_role("button", name="How many SETs?").click()
    expect(page.locator(".verdict")).to_contain_text(re.compile(r"SETs?"))
    page.get_by_text("More", exact=True).click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the record").click()
    assert download.value.suggested_filename == f"classic-{table['id']}.jsonl"
    assert download.value.path().read_text(encoding="utf-8").startswith('{"game": "classic"')
    page.get_by_role("button", name="End the game").click()
    page.get_by_role("dialog").get_by_role("button", name="End the game").click()
    expect(page.locator(".outcome")).to_be_visible()
    expect(page.locator(".calls-for")).to_be_hidden()
    look(page, "host-ended", full=True)


def test_a_table_is_deleted_when_asked_twice(browse: Browse, api: httpx.Client) -> None:
    table = dealt(api)
    page = hosting(browse, table)
    page.get_by_text("More", exact=True).click()
    page.get_by_role("button", name="Delete the table").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete the table").click()
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Delete the table").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete the table").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete it for good").click()
    expect(page).to_have_url("/table")
    expect(page.locator(".known")).to_have_count(0)
    headers = {"Authorization": f"Bearer {table['keys']['host']}"}
    assert api.get(f"/tables/{table['id']}", headers=headers).status_code == 404


def test_its_own_camera_deals(browse: Browse, api: httpx.Client, films: Films) -> None:
    film = films.get("classic")
    table = opened(api, "classic", players=film.players)
    page = browse(camera=film)
    at_table(page, table, table["keys"])
    page.get_by_role("button", name="This device\u2019s camera").click()
    expect(page.locator(".camera-setup .help")).to_contain_text("A camera looks on")
    expect(page.locator(".last-verdict")).to_contain_text("deal of 12 cards", timeout=40_000)
    expect(page.locator(".as-seen .tap").nth(8)).to_be_visible()
    expect(page.locator(".dealing")).to_be_hidden()
    look(page, "host-camera", full=True)
    assert axe(page) == []


def test_another_phone_is_the_camera(browse: Browse, api: httpx.Client) -> None:
    page = hosting(browse, opened(api, "classic"))
    page.get_by_role("button", name="Another phone").click()
    code = page.locator(".invitation.camera .code").inner_text().replace(" ", "")
    look(page, "host-other-camera", full=True)
    assert axe(page) == []
    phone = browse(PHONE)
    phone.goto(f"/j/{code}")
    expect(phone).to_have_url(re.compile(r"as=camera$"))
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator(".invitation.camera")).to_have_count(0)


def test_the_next_round_is_shuffled(browse: Browse, api: httpx.Client) -> None:
    table = opened(api, "classic", options={"rounds": True})
    agree = [{"type": "no_set", "player": player} for player in ("Ann", "Ben")]
    told(api, table, {"type": "dealt", "cards": DEAL}, {"type": "pile_out"}, *agree)
    page = hosting(browse, table)
    expect(page.locator(".due")).to_contain_text("Shuffle for the next round.")
    page.get_by_role("button", name="It is shuffled").click()
    expect(page.locator(".due")).to_have_text("Deal 12 cards.")
    page.get_by_text("Or choose them").click()
    expect(page.locator(".choosable li")).to_have_count(81)


def test_a_tournament_has_a_master(browse: Browse, api: httpx.Client) -> None:
    table = opened(api, "ravensburger", players=["Ann", "Ben", "Cid"], options={"forever": True})
    page = hosting(browse, table)
    page.get_by_role("combobox", name="SET-Master").select_option("Cid")
    page.get_by_role("button", name="It is shuffled").click()
    expect(page.locator(".due")).to_have_text("Deal 12 cards.")


def test_a_projector_has_a_window_of_its_own(browse: Browse, api: httpx.Client) -> None:
    page = hosting(browse, dealt(api))
    with page.expect_popup() as popup:
        page.get_by_role("link", name="Projector").click()
    expect(popup.value.locator(".watch")).to_be_visible()


def test_a_setup_table_is_told_by_hand(browse: Browse, api: httpx.Client) -> None:
    page = hosting(browse, opened(api, "setup"))
    for player, card in zip(("Ann", "Ben", "Ann"), SET, strict=True):
        expect(page.get_by_role("heading", name=f"Which card does {player} lay?")).to_be_visible()
        if page.locator(".choosable").is_hidden():
            page.get_by_text("Or choose them").click()
        page.locator(f".choosable [data-key='{card}']").click()
        page.get_by_role("button", name="This card").click()
    page.get_by_role("button", name="Ben: SET!").click()
    for name in SET:
        page.locator(f".choose button.tap[data-name='{name}']").click()
    page.get_by_role("button", name="These three").click()
    score(page, "Ann", "3")


@pytest.mark.parametrize("game", ["cubed", "junior-1", "junior-2", "ravensburger"])
@pytest.mark.parametrize(
    ("size", "scheme", "language"),
    [(PHONE, "light", "de"), (LAPTOP, "dark", "cs"), (PHONE, "dark", "fr")],
    ids=["phone-de", "laptop-dark-cs", "phone-dark-fr"],
)
def test_everyone_can_read_it(
    browse: Browse, api: httpx.Client, game: str, size: Size, scheme: Scheme, language: str
) -> None:
    boards = {one["key"]: one["example_board"] for one in api.get("/games").json()["games"] if one["board"]}
    table = opened(api, game, **({"board": boards[game]} if game in boards else {}))
    page = hosting(browse, table, size, scheme=scheme, language=language)
    expect(page.locator(".invited .code")).to_be_visible()
    reads_well(page)
    look(page, f"host-{game}-{size.width}-{language}", full=True)
    assert axe(page) == []
    fits(page)
    larger_text(page)
    fits(page)


def test_a_keyboard_referees_a_call(browse: Browse, api: httpx.Client) -> None:
    page = hosting(browse, dealt(api))
    keyboard = Keyboard(page)
    keyboard.use(page.get_by_role("button", name="Ann: SET!"))
    for name in SET:
        keyboard.reach(page.locator(f".choose button.tap[data-name='{name}']"), back=name == SET[0])
        keyboard.press("Space")
    keyboard.use(page.get_by_role("button", name="These three"))
    score(page, "Ann", "1")
