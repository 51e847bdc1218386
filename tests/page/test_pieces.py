"""Cards, tiles and dice as the page draws them."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from playwright.sync_api import Page

from engine.tokens import full_deck, full_tiles
from tests.page.conftest import Browse

pytestmark = pytest.mark.browser

CARDS = [str(card) for card in full_deck()]
TILES = [str(tile) for tile in full_tiles()]
FACES = [*TILES, "wild"]
AA = 4.5
"""Least contrast of an ink on the white face, so that thin stripes are read too."""

_DRAW = """async ([names, options]) => {
  const { drawPiece } = await import("/static/scripts/pieces.js");
  return names.map((name) => drawPiece(name, options).outerHTML);
}"""
_COUNT = """async ([names, options]) => {
  const { drawPiece } = await import("/static/scripts/pieces.js");
  const places = (name) => [...drawPiece(name, options).querySelectorAll("g[transform^='translate(0 ']")];
  return names.map((name) => places(name).length);
}"""
_TIME = """async (names) => {
  const { drawPiece } = await import("/static/scripts/pieces.js");
  const times = Array.from({ length: 8 }, () => {
    const start = performance.now();
    for (const name of names) drawPiece(name, { label: name });
    return performance.now() - start;
  });
  return Math.min(...times);
}"""
_INKS = """async (names) => {
  const { drawPiece } = await import("/static/scripts/pieces.js");
  const inks = (deck) => names.flatMap((name) => [...drawPiece(name, { deck }).querySelectorAll("path")])
    .map((path) => path.getAttribute("stroke") ?? path.getAttribute("fill"));
  return [...new Set([...inks("us"), ...inks("ravensburger")])];
}"""


@pytest.fixture
def page(browse: Browse) -> Page:
    """A page of the service."""
    page = browse()
    page.goto("/")
    return page


def drawn(page: Page, names: list[str], **options: object) -> list[str]:
    """Return the markup of each piece."""
    found: list[str] = page.evaluate(_DRAW, [names, options])
    return found


@pytest.mark.parametrize(("kind", "names"), [("card", CARDS), ("tile", TILES), ("die", FACES)])
@pytest.mark.parametrize("deck", ["us", "ravensburger"])
def test_no_two_pieces_look_alike(page: Page, kind: str, names: list[str], deck: str) -> None:
    markup = drawn(page, names, kind=kind, deck=deck)
    assert len(set(markup)) == len(names)
    assert not any("style=" in one or "id=" in one or "NaN" in one or "undefined" in one for one in markup)


@pytest.mark.parametrize(("kind", "names"), [("card", CARDS), ("tile", TILES), ("die", TILES)])
def test_as_many_symbols_as_the_name_says(page: Page, kind: str, names: list[str]) -> None:
    assert page.evaluate(_COUNT, [names, {"kind": kind}]) == [int(name[0]) for name in names]


def test_screen_readers_hear_the_label(page: Page) -> None:
    (named,) = drawn(page, ["2 red striped diamond"], label='two "red" <striped> diamonds')
    assert 'role="img"' in named
    assert 'aria-label="two &quot;red&quot;' in named
    (silent,) = drawn(page, ["2 red striped diamond"])
    assert 'aria-hidden="true"' in silent


def test_what_is_no_name_is_a_question_mark(page: Page) -> None:
    bad = [
        "",
        "4 red oval",
        "2 red",
        "1 __proto__ oval",
        "1 red constructor",
        "<b>1</b> red oval",
        "1 red solid oval more",
        "1 red half oval",
    ]
    assert all(">?</text>" in one for one in drawn(page, bad))


def test_a_wild_shows_what_it_stands_for(page: Page) -> None:
    (star,) = drawn(page, ["wild"], kind="die")
    named = [drawn(page, ["wild"], kind="die", **{"as": name})[0] for name in TILES]
    assert len({star, *named, *drawn(page, TILES, kind="die")}) == 1 + 2 * len(TILES)


def test_a_letter_says_the_colour(page: Page) -> None:
    letters = {"red": "R", "green": "G", "purple": "P"}
    for name, markup in zip(CARDS, drawn(page, CARDS, letters=letters), strict=True):
        assert f">{letters[name.split()[1]]}</text>" in markup


def test_inks_stand_out_from_the_white_face(page: Page) -> None:
    inks = page.evaluate(_INKS, CARDS)
    assert len(inks) == 6
    assert {ink: contrast(ink) for ink in inks if contrast(ink) < AA} == {}


def test_a_whole_deck_is_drawn_at_once(page: Page) -> None:
    assert page.evaluate(_TIME, CARDS) < 30


def test_cards_lie_on_their_long_side_where_they_are_told_to(page: Page) -> None:
    shapes: dict[Any, str] = {(True, "card"): "88 57", (False, "card"): "57 88", (True, "die"): "60 60"}
    for lying, kind in product((True, False), ("card", "die")):
        (markup,) = drawn(page, ["1 red oval"], lying=lying, kind=kind)
        assert f'viewBox="0 0 {shapes.get((lying, kind), "60 60")}"' in markup


def contrast(ink: str) -> float:
    """Return how many times lighter white is than ``ink`` ("#rrggbb"), as WCAG 2 counts it."""
    channels = [int(ink[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in channels]
    return 1.05 / (0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] + 0.05)
