"""What a verdict shows: pieces, their places, and what Wilds stand for."""

from __future__ import annotations

from typing import Any

from engine.events import Announced, Asked, Dealt, Laid, Rolled, Swapped
from engine.hints import HintLevel
from engine.record import read_header
from engine.tokens import Card
from service.live.happenings import Happening
from service.live.table import LiveTable
from tests.cubed_table import face, faces, tile

CUBED = (
    '{"game": "cubed", "players": ["Ann", "Ben"], "options": {"hints": "three"}, "board": '
    '{"rows": 9, "columns": 9, "logo": [[4, 3], [4, 4], [4, 5]], "bonus": []}}'
)


def told(table: LiveTable, *events: Any) -> dict[str, Any]:
    """Let people tell ``events``, which all stand, and return the last answer as JSON."""
    heard: list[Happening] = [one for event in events for one in table.put(event)]
    assert all(one.ok for one in heard), [one.text for one in heard]
    return heard[-1].to_json()


def opened() -> LiveTable:
    """A table where the first SET lies, and Ben is in turn."""
    table = LiveTable(read_header(CUBED))
    rolls = (Rolled("Ann", faces("1ro 2ro 3ro w 2gs")), Rolled("Ben", faces("w 1gd 3gs 3pd 1gs")))
    told(table, *rolls, Announced("Ann", faces("1ro 2ro 3ro"), ()))
    return table


def test_dice_have_places_and_wilds_have_names() -> None:
    table = opened()
    laid = told(table, Laid("Ben", face("w"), (4, 6), tile("1ro")))
    assert (laid["pieces"], laid["places"], laid["named"]) == (["wild"], [[4, 6]], ["1 red oval"])
    plain = told(opened(), Laid("Ben", face("1gd"), (3, 3)))
    assert (plain["pieces"], plain["places"]) == (["1 green diamond"], [[3, 3]])
    assert "named" not in plain


def test_a_refused_swap_has_its_place_too() -> None:
    (swap,) = opened().put(Swapped("Ben", face("1gd"), (4, 3)))
    assert not swap.ok
    assert swap.to_json()["places"] == [[4, 3]]


def test_a_hint_shows_what_it_says() -> None:
    hint = told(opened(), Asked("Ben", HintLevel.THREE))
    assert len(hint["pieces"]) == len(hint["places"]) == 3
    assert len(hint["named"]) == hint["pieces"].count("wild")
    count = told(opened(), Asked("Ben", HintLevel.COUNT))
    assert not {"pieces", "places", "named"} & count.keys()


def test_cards_have_no_places() -> None:
    table = LiveTable(
        read_header('{"game": "classic", "players": ["Ann"], "options": {"small_deck": true, "hints": "one"}}')
    )
    cards = [
        f"{number} {colour} solid {shape}"
        for number in "123"
        for colour in ("red", "green", "purple")
        for shape in ("oval",)
    ]
    dealt = told(table, Dealt(tuple(map(Card.parse, cards))))
    assert dealt["pieces"] == cards
    assert "places" not in dealt
    (shown,) = told(table, Asked("Ann", HintLevel.ONE))["pieces"]
    assert shown in cards
