"""A table as people open it and come to it: the host at a laptop with the camera, others by the code with phones."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from playwright.sync_api import Locator, Page, expect

from engine.record import read_event, read_header
from tests.page.browsers import LAPTOP, PHONE
from tests.page.conftest import Browse
from tests.page.films import Film
from tests.page.marks import shown_at
from tests.page.seats import big_button

__all__ = ["PATIENCE", "Party", "amount", "has_points", "invited_by", "opened_at", "standings"]

PATIENCE = 60_000.0
"""Milliseconds for what the camera has to see, on a machine that does other things as well."""
_GLANCE = 100.0
"""Milliseconds between two looks."""
_SHARP = "import('/static/scripts/capture.js').then(({ Pace }) => { Pace.prototype.less = () => undefined; })"


@dataclass(frozen=True)
class Party:
    """The host's page, and the phone of each player, at the table where ``film`` is played."""

    film: Film
    host: Page
    phones: dict[str, Page]

    @property
    def screens(self) -> tuple[Page, ...]:
        """All that show the scores."""
        return (self.host, *self.phones.values())

    def film_begins(self) -> None:
        """Let the camera of the host's own device look on; pictures stay sharp, however slow a busy machine is."""
        self.host.evaluate(_SHARP)
        self.host.get_by_role("button", name="This device\u2019s camera").click()
        expect(self.host.locator(".camera-setup .help").first).to_contain_text("A camera looks on")

    def call(self, player: str, at: float) -> None:
        """Let ``player`` call when the film is ``at`` seconds: not before the phone is ready, however late that is."""
        button = big_button(self.phones[player])
        shown_at(self.host, at)
        expect(button).to_have_attribute("aria-disabled", "false", timeout=PATIENCE)
        button.tap()

    def wait_for(self, events: Sequence[dict[str, Any]]) -> None:
        """Wait until as many events as these have been told; they must be the same."""
        for _ in range(round(PATIENCE / _GLANCE)):
            entries = self._ask("/events")["entries"]
            told = [entry for entry in entries if entry["kind"] == "event"][: len(events)]
            if len(told) == len(events):
                break
            self.host.wait_for_timeout(_GLANCE)
        wanted = [(event["type"], event.get("player")) for event in events]
        journal = "\n".join(f"{entry['t']:.1f} {entry['text']}" for entry in entries)
        assert [(entry["type"], entry.get("player")) for entry in told] == wanted, journal
        shown = [sorted(entry["pieces"]) for entry in told if entry["type"] == "picked"]
        assert shown == [sorted(event["cards"]) for event in events if event["type"] == "picked"], journal

    def _ask(self, path: str) -> dict[str, Any]:
        known = json.loads(self.host.evaluate("localStorage.getItem('set-referee.tables')"))[0]
        address = f"/api/v1/tables/{known['id']}{path}"
        key = {"Authorization": f"Bearer {known['keys']['host']}"}
        answer: dict[str, Any] = self.host.request.get(address, headers=key).json()
        return answer


def opened_at(browse: Browse, film: Film, folder: Path) -> Page:
    """Open the table of ``film`` at the page, as its host does; ``folder`` is for the board file."""
    host = browse(LAPTOP, camera=film)
    reached = {"addresses": [browse.server.address], "reachable": True}
    host.route("**/api/v1/addresses", lambda route: route.fulfill(json=reached))
    host.goto("/table")
    host.locator(f"input[value={film.header['game']}]").check()
    for number, player in enumerate(film.players):
        host.locator(".names input").nth(number).fill(player)
    if film.board is not None:
        file = folder / "board.json"
        file.write_text(json.dumps({"game": film.header["game"], **film.board}), encoding="utf-8")
        host.get_by_label("A board file").check()
        host.locator("input[type=file][accept*=json]").set_input_files(file)
    host.get_by_role("button", name="Open the table").click()
    expect(host.locator(".host .connection")).to_have_attribute("data-status", "open")
    return host


def invited_by(browse: Browse, host: Page, film: Film) -> Party:
    """Let every player scan the code that ``host`` shows, and take a seat."""
    address = _scanned(host)
    phones = {}
    for player in film.players:
        phone = phones[player] = browse(PHONE)
        phone.goto(address)
        phone.get_by_role("button", name=re.compile(player)).tap()
        expect(phone.get_by_role("heading", name=player)).to_be_visible()
        expect(phone.locator(".connection")).to_have_attribute("data-status", "open")
    return Party(film, host, phones)


def _scanned(host: Page) -> str:
    """Return the address that the picture at ``host`` says; where OpenCV cannot read a valid one, that beside it."""
    picture = host.locator("img.qr")
    expect(picture).to_be_visible()
    shown = cv2.imdecode(np.frombuffer(picture.screenshot(), np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None
    read, _, _ = cv2.QRCodeDetector().detectAndDecode(cv2.resize(shown, None, fx=2, fy=2))
    said = (picture.get_attribute("alt") or "").removeprefix("QR code of ")
    assert read in {"", said}
    return said


def amount(page: Page, player: str) -> Locator:
    """Return the points of ``player`` on ``page``."""
    return page.locator(f".score:has(.name:text('{player}')) .amount > [aria-hidden]")


def has_points(page: Page, points: dict[str, int]) -> None:
    """Wait until ``page`` shows these points."""
    for player, count in points.items():
        expect(amount(page, player)).to_have_text(str(count).replace("-", "\u2212"), timeout=PATIENCE)


def standings(film: Film) -> Iterator[dict[str, int]]:
    """Yield the points after each event of ``film``, as the rules have them."""
    header = read_header(json.dumps(film.header))
    referee = header.referee()
    for number, event in enumerate(film.events, start=2):
        referee.apply(read_event(json.dumps(event), header, number))
        yield dict(referee.state.score)
