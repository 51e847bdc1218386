"""The command that plays more random games."""

from __future__ import annotations

import pytest

from tests import play


def test_games_are_played_and_checked_with_a_line_at_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    play.main(["junior-1", "--seeds", "2", "--first", "70"])
    shown = capsys.readouterr()
    assert shown.out == "JUN-5: 2\n"
    assert shown.err.startswith("junior-1: 2 games, 54 events, ")


def test_a_game_that_breaks_the_contract_says_its_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(key: str, seed: int) -> None:
        assert seed < 71, "pieces are lost"

    monkeypatch.setattr(play, "CHECKS", (broken,))
    with pytest.raises(AssertionError, match="seed 71 of junior-1: pieces are lost"):
        play.play("junior-1", 3, 70)
