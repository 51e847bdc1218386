"""The command that plays more random games."""

from __future__ import annotations

import pytest

from tests import play


def test_games_are_played_and_checked_with_a_line_of_progress(capsys: pytest.CaptureFixture[str]) -> None:
    play.main(["junior-1", "--seeds", "2", "--first", "70"])
    shown = capsys.readouterr()
    assert shown.out == "JUN-5: 2\n"
    assert "\rjunior-1: game 2 of 2, seed 71, 27 events" in shown.err
    assert "\rjunior-1: 2 games, 54 events" in shown.err
