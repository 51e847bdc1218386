"""The example boards that are shipped: read by the engine, and named as examples (CUBED-2)."""

from __future__ import annotations

import json
from pathlib import Path

from engine.grid import CubedBoard
from engine.junior_board import JuniorBoard

FOLDER = Path(__file__).resolve().parents[1] / "service" / "boards"


def board(game: str) -> dict[str, object]:
    """The example board of a game."""
    found = json.loads((FOLDER / f"{game}.example.json").read_text(encoding="utf-8"))
    assert found["game"] == game
    assert str(found["name"]).startswith("Example board: not the printed one.")
    return dict(found)


def test_cubed_2_an_example_board_is_shipped_and_named_as_one() -> None:
    found = board("cubed")
    read = CubedBoard.from_json(found)
    assert read.logo == ((6, 5), (6, 6), (6, 7))
    assert read.to_json() == found


def test_jun_2_an_example_board_is_shipped_and_named_as_one() -> None:
    found = board("junior-1")
    assert JuniorBoard.from_json(found).to_json()["squares"] == found["squares"]
