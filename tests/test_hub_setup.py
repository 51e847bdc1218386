"""What people say when they open a table."""

from __future__ import annotations

import json
from math import inf, nan
from typing import Any

import pytest

from engine.labels import Language
from engine.record import write_header
from service.board_file import parse_board
from service.game import Game
from service.hub.errors import SetupError
from service.hub.setup import Beside, TableSetup, board_of

CUBED = '{"game": "cubed", "rows": 5, "columns": 6, "logo": [[2, 1], [2, 2], [2, 3]], "bonus": [], "name": "mine"}'
PAIR = ("Ann", "Ben")


def test_a_table_has_the_header_that_its_record_begins_with() -> None:
    header = TableSetup(Game.CLASSIC, PAIR, {"hints": "count"}).header()
    assert write_header(header) == '{"game": "classic", "players": ["Ann", "Ben"], "options": {"hints": "count"}}'


def test_a_board_goes_into_the_record_as_far_as_rules_need_it_and_whole_beside_it() -> None:
    setup = TableSetup(Game.CUBED, PAIR, board=parse_board(CUBED))
    header, beside = setup.header(), setup.beside()
    assert header.board == {"rows": 5, "columns": 6, "logo": [[2, 1], [2, 2], [2, 3]], "bonus": []}
    assert beside.board is not None
    assert beside.board["name"] == "mine"
    assert Beside.from_json(beside.to_json()) == beside
    assert parse_board(json.dumps(board_of(header))).game == "cubed"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"game": Game.AUTO}, "game"),
        ({"game": Game.CUBED}, "board"),
        ({"game": Game.JUNIOR_1}, "board"),
        ({"board": parse_board(CUBED)}, "board"),
        ({"players": ()}, "players"),
        ({"players": ("Ann", "Ann")}, "players"),
        ({"players": ("Ann", "")}, "players"),
        ({"players": ("Ann", "x" * 41)}, "players"),
        ({"players": ("Ann", "B\x00n")}, "players"),
        ({"players": ("Ann", "\ud800")}, "players"),
        ({"players": ("Ann", "ann ")}, "players"),
        ({"players": ("Ann", "\uff21nn")}, "players"),
        ({"players": tuple(map(str, range(13)))}, "players"),
        ({"options": {"no_such": 1}}, "options"),
        ({"options": {"hints": ["all"]}}, "options"),
        ({"options": {"\ud800": 1}}, "options"),
    ],
)
def test_what_cannot_be_played_is_refused_and_the_field_named(change: dict[str, Any], field: str) -> None:
    with pytest.raises(SetupError, match=f"^{field}: ") as refused:
        TableSetup(**{"game": Game.CLASSIC, "players": PAIR, **change}).header()
    str(refused.value).encode()


@pytest.mark.parametrize("limit", [0.0, -1.0, nan, inf, 4_000.0])
def test_a_limit_is_some_seconds(limit: float) -> None:
    with pytest.raises(SetupError, match=r"^call_limit: "):
        TableSetup(Game.CLASSIC, PAIR, call_limit=limit).beside()


@pytest.mark.parametrize("name", ["", "x" * 81, "a\nb", "\ud800"])
def test_a_name_can_be_shown(name: str) -> None:
    with pytest.raises(SetupError, match=r"^name: "):
        TableSetup(Game.CLASSIC, PAIR, name=name).beside()


def test_what_is_said_beside_the_record_survives() -> None:
    beside = Beside("Stammtisch Süd", 5.0, Language.GERMAN)
    assert Beside.from_json(beside.to_json()) == beside
    assert (beside.live.call_limit, beside.live.language) == (5.0, Language.GERMAN)
