"""The games over HTTP: all that a page needs to open a table and to name its pieces, as the editions have it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.editions import EDITIONS
from engine.labels import Language
from service.app import create_app
from service.board_file import parse_board
from service.settings import Settings
from tests.fakes import FakeReader
from tests.served import is_refused
from tests.test_guard import Client

GAMES = "/api/v1/games"


@pytest.fixture(scope="module")
def client() -> Client:
    """A client of a service that has not started: these addresses need nothing that starts."""
    return Client(create_app(Settings(), FakeReader()))


@pytest.fixture(scope="module")
def games(client: Client) -> dict[str, dict[str, Any]]:
    """What is told of each game."""
    return {game["key"]: game for game in client.get(GAMES).json()["games"]}


def test_every_edition_is_told_as_it_is(games: dict[str, dict[str, Any]]) -> None:
    assert list(games) == list(EDITIONS)
    for key, game in games.items():
        edition = EDITIONS[key]
        assert (game["title"], game["players"]) == (edition.title, list(edition.players))
        assert game["names"] == [str(piece) for piece in edition.deck]
        told = {option["name"]: (option["default"], option["clause"], option["text"]) for option in game["options"]}
        assert told == {one.name: (one.default, one.clause.value, one.text) for one in edition.options}


def test_what_lies_on_the_table_is_told(games: dict[str, dict[str, Any]]) -> None:
    pieces = {key: game["pieces"] for key, game in games.items()}
    assert pieces == {
        **dict.fromkeys(("classic", "ravensburger", "setup"), "card"),
        **dict.fromkeys(("junior-1", "junior-2"), "tile"),
        "cubed": "die",
    }


def test_a_game_that_needs_a_board_has_one_to_try(games: dict[str, dict[str, Any]]) -> None:
    assert [key for key, game in games.items() if game["board"]] == ["junior-1", "cubed"]
    for key, game in games.items():
        assert (game["example_board"] is not None) == game["board"]
        if game["board"]:
            assert parse_board(json.dumps(game["example_board"])).game == key


def test_options_tell_which_values_they_take_and_who_may_then_play(games: dict[str, dict[str, Any]]) -> None:
    classic = {option["name"]: option for option in games["classic"]["options"]}
    assert classic["hints"]["values"] == ["never", "yes-no", "count", "one", "two", "three"]
    assert classic["solitaire"]["values"] == [True, False]
    assert classic["solitaire"]["seats"] == [{"value": True, "players": [1, 1]}]
    assert classic["lowest_score"]["values"] == [None, 0]
    swaps = next(option for option in games["cubed"]["options"] if option["name"] == "swaps_per_turn")
    assert (swaps["values"], swaps["default"], swaps["seats"]) == (None, None, [])


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("key", EDITIONS)
def test_labels_are_the_editions_own(key: str, language: Language, client: Client) -> None:
    labels = client.get(f"{GAMES}/{key}/labels?language={language}").json()["labels"]
    assert labels == {str(piece): EDITIONS[key].label(piece, language) for piece in EDITIONS[key].deck}


def test_labels_are_english_unless_asked_otherwise(client: Client) -> None:
    labels = client.get(f"{GAMES}/cubed/labels").json()["labels"]
    assert (labels["3 red squiggle"], labels["wild"]) == ("three red waves", "wild")


def test_what_is_no_game_or_language_is_refused(client: Client) -> None:
    assert "'chess'" in is_refused(client.get(f"{GAMES}/chess/labels"), 400, "bad-parameter")
    assert "'xx'" in is_refused(client.get(f"{GAMES}/classic/labels?language=xx"), 400, "bad-parameter")
    is_refused(client.get(f"{GAMES}?language=de"), 400, "bad-argument")
