"""Whole refereed games as people play them: the host's laptop looks at the table, two phones call."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from engine.record import read_record
from tests.page.browsers import PROJECTOR
from tests.page.checks import axe, look
from tests.page.conftest import Browse
from tests.page.faults import Faults
from tests.page.films import Film, Films
from tests.page.marks import shown_at
from tests.page.party import PATIENCE, Party, has_points, invited_by, opened_at, standings

pytestmark = pytest.mark.browser

_BEFORE_GIVING_UP = 0.6
"""Seconds before the film's next play is near."""


def test_a_classic_game(browse: Browse, films: Films, faults: Faults, tmp_path: Path) -> None:
    faults.allow("ERR_INTERNET_DISCONNECTED")
    film = films.get("classic")
    party = invited_by(browse, opened_at(browse, film, tmp_path), film)
    with party.host.expect_popup() as popup:
        party.host.get_by_role("link", name="Projector").click()
    popup.value.set_viewport_size(PROJECTOR.viewport)
    screens = (*party.screens, popup.value)
    party.film_begins()
    for number, (event, points) in enumerate(zip(film.events, standings(film), strict=True), start=1):
        played(party, event)
        party.wait_for(film.events[:number])
        for screen in screens:
            has_points(screen, points)
        if event["type"] == "picked" and event["player"] == "Ben":
            out_of_reach(party.phones["Ann"], party, film.events[: number + 1])
    look(popup.value, "game-watch")
    look(party.host, "game-host", full=True)
    dispute(party.phones["Ben"])
    corrected_and_back(party.host, {card for event in film.events for card in event.get("cards", [])})
    told_again(party.host, film.events[-1]["cards"])
    record, scores = ended(party.host)
    for screen in screens:
        expect(screen.locator(".outcome")).to_be_visible()
        has_points(screen, points)
    assert scores == points
    assert picks(record) == picks(film.events)


def test_junior_tiles(browse: Browse, films: Films, tmp_path: Path) -> None:
    film = films.get("junior-2")
    party = invited_by(browse, opened_at(browse, film, tmp_path), film)
    party.film_begins()
    for number, (event, points) in enumerate(zip(film.events, standings(film), strict=True), start=1):
        played(party, event)
        party.wait_for(film.events[:number])
        for screen in party.screens:
            has_points(screen, points)
    look(party.phones["Ann"], "game-junior")
    record, scores = ended(party.host)
    assert scores == points
    assert picks(record) == picks(film.events)


def test_turns_of_cubed(browse: Browse, films: Films, tmp_path: Path) -> None:
    film = films.get("cubed")
    party = invited_by(browse, opened_at(browse, film, tmp_path), film)
    party.film_begins()
    for (at, player), points in zip(film.calls, after_turns(film), strict=True):
        party.call(player, at)
        for screen in party.screens:
            has_points(screen, points)
    for screen in party.screens:
        for (player, count), turn in zip(turns_of(film), reversed(screen.locator(".turns li").all()), strict=True):
            expect(turn).to_contain_text(player)
            expect(turn.locator(".scored")).to_have_text(re.compile(rf"^{count} points?$"))
        for event in film.events:
            if event["type"] == "laid":
                row, column = event["at"]
                square = screen.locator(f".square[data-row='{row}'][data-column='{column}']")
                expect(square).not_to_have_attribute("aria-label", re.compile("empty"))
    look(party.phones["Ben"], "game-cubed-phone", full=True)
    look(party.host, "game-cubed-host", full=True)


def after_turns(film: Film) -> list[dict[str, int]]:
    """Return the points of ``film`` before each of its calls but the first, and at its end."""
    told = list(zip(film.events, standings(film), strict=True))
    ends = [*(at for at, _ in film.calls[1:]), film.seconds]
    return [[points for event, points in told if event["t"] < end][-1] for end in ends]


def turns_of(film: Film) -> list[tuple[str, int]]:
    """Return who had a turn in ``film``, and its points."""
    before = dict.fromkeys(film.players, 0)
    turns = []
    for (_, player), points in zip(film.calls, after_turns(film), strict=True):
        turns.append((player, points[player] - before[player]))
        before = points
    return turns


def played(party: Party, event: dict[str, Any]) -> None:
    """Let the phone of a player do what happens at ``event`` of the film; hands do the rest."""
    kind, player = event["type"], event.get("player", "")
    if kind == "called":
        party.call(player, event["t"])
        expect(party.host.locator(".score.calls")).to_contain_text(player, timeout=PATIENCE)
    elif kind == "gave_up":
        shown_at(party.host, event["t"] - _BEFORE_GIVING_UP)
        party.phones[player].get_by_role("button", name="I have none").tap()


def out_of_reach(phone: Page, party: Party, events: Sequence[dict[str, Any]]) -> None:
    """Let ``phone`` lose its network until ``events`` have been told; then it knows of them."""
    phone.context.set_offline(True)
    expect(phone.locator(".connection")).not_to_have_attribute("data-status", "open")
    party.wait_for(events)
    phone.context.set_offline(False)
    expect(phone.locator(".connection")).to_have_attribute("data-status", "open")


def dispute(phone: Page) -> None:
    """Step through the pictures around the last call."""
    phone.get_by_role("button", name="Dispute").tap()
    dialog = phone.get_by_role("dialog", name="Dispute")
    expect(dialog.locator("img.still")).to_be_visible(timeout=PATIENCE)
    expect(dialog.locator("figcaption")).to_contain_text("at the call")
    first = dialog.locator("img.still").get_attribute("src")
    phone.keyboard.press("ArrowLeft")
    expect(dialog.locator("figcaption")).to_contain_text("before the call")
    expect(dialog.locator("img.still")).not_to_have_attribute("src", first or "")
    dialog.get_by_role("button", name="Later").tap()
    expect(dialog.locator("figcaption")).to_contain_text("at the call")
    expect(dialog.locator(".lines li")).to_have_count(4)
    look(phone, "game-dispute")
    assert axe(phone) == []
    dialog.get_by_role("button", name="Close").tap()


def corrected_and_back(host: Page, cards: set[str]) -> None:
    """Say that a card is another, which is none of ``cards``, and take that back."""
    lies = host.locator(".lies-there")
    names = [str(button.get_attribute("data-name")) for button in lies.locator(".tap").all()]
    others = {name: re.sub("solid|striped|open", shading, name) for name in names for shading in ("solid", "open")}
    name, other = next((name, other) for name, other in others.items() if other not in cards)
    lies.locator(f"[data-name='{name}']").click()
    host.get_by_role("dialog").get_by_text(other.split()[2], exact=True).click()
    host.get_by_role("button", name="That is it").click()
    expect(host.get_by_role("alert")).to_contain_text("No verdict has changed")
    expect(lies.locator(f"[data-name='{other}']")).to_be_visible()
    taken_back(host)
    expect(lies.locator(f"[data-name='{name}']")).to_be_visible()


def taken_back(host: Page) -> None:
    """Take back what counted last."""
    host.get_by_role("button", name="Take back").click()
    host.get_by_role("dialog").get_by_role("button", name="Take it back").click()


def told_again(host: Page, cards: list[str]) -> None:
    """Put the camera away, take back the deal of ``cards``, and tell it by hand."""
    host.get_by_role("button", name="Another camera").click()
    taken_back(host)
    expect(host.locator(".due")).to_have_text(f"Deal {len(cards)} cards.")
    host.get_by_text("Or choose them").click()
    for card in cards:
        host.locator(f".choosable [data-key='{card}']").click()
    host.get_by_role("button", name=f"Deal these: {len(cards)} of {len(cards)}").click()
    expect(host.locator(".due")).to_be_hidden()


def ended(host: Page) -> tuple[list[dict[str, Any]], dict[str, int]]:
    """End the game and save its record; return its lines, and the points at its end, as the rules have them."""
    host.get_by_text("More", exact=True).click()
    host.get_by_role("button", name="End the game").click()
    host.get_by_role("dialog").get_by_role("button", name="End the game").click()
    expect(host.locator(".outcome")).to_be_visible()
    with host.expect_download() as download:
        host.get_by_role("button", name="Save the record").click()
    path = download.value.path()
    with path.open("rb") as file:
        header, events = read_record(file)
    referee = header.referee()
    for event in events:
        referee.apply(event)
    lines = path.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines[1:]], dict(referee.state.score)


def picks(events: Iterable[dict[str, Any]]) -> list[tuple[str, list[str]]]:
    """Return who picked what."""
    return [(event["player"], sorted(event["cards"])) for event in events if event["type"] == "picked"]
