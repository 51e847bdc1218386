"""The keys of the live window: one table, and every keyboard gets to it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from service.watch_keys import CALL_KEYS, KEYS, Action, Press, key_name, keys_help, press_of

README = (Path(__file__).resolve().parents[1] / "README.md").read_text(encoding="utf-8")
LETTERS = [(name, key.action) for key in KEYS for name in key.names if len(name) == 1]


def test_every_action_has_its_key_and_no_key_has_two() -> None:
    assert sorted(key.action for key in KEYS) == sorted(Action)
    names = [name for key in KEYS for name in key.names]
    assert len(names) == len(set(names))
    assert set(CALL_KEYS) <= set(names)


@pytest.mark.parametrize(("name", "action"), LETTERS)
def test_a_key_does_what_the_table_says(name: str, action: Action) -> None:
    press = press_of(ord(name))
    assert press is not None
    assert press.action is action


@pytest.mark.parametrize(("place", "name"), list(enumerate(CALL_KEYS)))
def test_players_call_in_the_order_of_their_seats(place: int, name: str) -> None:
    assert press_of(ord(name)) == Press(Action.CALL, place)


@pytest.mark.parametrize(
    ("code", "name"),
    [
        (0xFF51, "left"),
        (0x10FF51, "left"),
        (0x250000, "left"),
        (63235, "right"),
        (27, "escape"),
        (0x10001B, "escape"),
        (13, "return"),
        (0xFFB1, "1"),
        (0x10FFB9, "9"),
        (ord("+"), "1"),
        (0x1EC, "2"),
        (0x1B9, "3"),
        (0x1E8, "4"),
        (0x1F8, "5"),
        (0xED, "9"),
        (ord("&"), "1"),
        (0xE9, "2"),
        (ord('"'), "3"),
        (0xE8, "7"),
        (0x100064, "d"),
        (-1, ""),
        (0x07, ""),
    ],
)
def test_arrows_and_digits_are_known_on_every_keyboard(code: int, name: str) -> None:
    assert key_name(code) == name


def test_capitals_do_what_small_letters_do_but_for_h() -> None:
    assert press_of(ord("D")) == Press(Action.DISPUTE)
    assert press_of(ord("B")) == Press(Action.CALL, 10)
    assert press_of(ord("h")) == Press(Action.HINT_UP)
    assert press_of(ord("H")) == Press(Action.HINT_DOWN)


@pytest.mark.parametrize("code", [-1, 0, 5, ord("z"), ord("~"), 0xFFFF, 0x12345678])
def test_other_keys_do_nothing(code: int) -> None:
    assert press_of(code) is None


def test_without_a_game_the_help_leaves_out_what_needs_one() -> None:
    assert len(keys_help(True)) == len(KEYS)
    assert {shown for shown, _ in keys_help(False)} < {shown for shown, _ in keys_help(True)}
    assert "d" not in {shown for shown, _ in keys_help(False)}


def test_the_readme_lists_the_keys() -> None:
    rows = re.findall(r"^\| `([^`]+)` \| (.+?) \|$", README, re.MULTILINE)
    assert [(key.shown, key.text) for key in KEYS] == [row for row in rows if row in {(k.shown, k.text) for k in KEYS}]
