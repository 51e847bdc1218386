"""The board of Cubed and the SETs on it."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from engine.editions import WildPieceError
from engine.grid import BoardError, CubedBoard, Die, Grid
from engine.tokens import Face
from tests.cubed_table import BOARD, dice, die, face, tile

GOOD: dict[str, Any] = {
    "game": "cubed",
    "rows": 7,
    "columns": 9,
    "logo": [[3, 3], [3, 4], [3, 5]],
    "bonus": [{"at": [0, 0], "points": 5}, {"at": [6, 8], "points": 10}],
    "name": "an example",
}


def test_cubed_2_a_board_is_data() -> None:
    board = CubedBoard.from_json(GOOD)
    assert (board.rows, board.columns) == (7, 9)
    assert board.logo == ((3, 3), (3, 4), (3, 5))
    assert board.bonus == {(0, 0): 5, (6, 8): 10}
    assert board.extra == {"game": "cubed", "name": "an example"}
    assert board.to_json() == GOOD
    assert CubedBoard.from_json(board.to_json()) == board


@pytest.mark.parametrize("rows", [3, 99])
@pytest.mark.parametrize("columns", [3, 99])
def test_cubed_2_sizes(rows: int, columns: int) -> None:
    board = CubedBoard.from_json({"rows": rows, "columns": columns, "logo": [[0, 1], [0, 0], [0, 2]], "bonus": []})
    assert board.holds((rows - 1, columns - 1))
    assert not any(board.holds(at) for at in [(rows, 0), (0, columns), (-1, 0), (0, -1), (0,), (0, 0, 0)])


@pytest.mark.parametrize("logo", list(permutations([[2, 4], [3, 4], [4, 4]])))
def test_cubed_2_the_logo_in_a_column_and_in_any_order(logo: tuple[list[int], ...]) -> None:
    board = CubedBoard.from_json({**GOOD, "logo": list(logo)})
    assert board.to_json()["logo"] == list(logo)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"rows": 2}, "rows"),
        ({"bonus": [{"at": [0, 0], "points": 10**4000}]}, "a bonus is at most 1000000 points"),
        ({"bonus": [{"at": [0, 0], "points": -1_000_001}]}, "a bonus is at most 1000000 points"),
        ({"rows": 100}, "rows"),
        ({"columns": 2}, "columns"),
        ({"columns": 100}, "columns"),
        ({"rows": True}, "whole number; got True"),
        ({"rows": 7.0}, "whole number; got 7.0"),
        ({"columns": "9"}, "whole number; got '9'"),
        ({"logo": None}, "list"),
        ({"logo": [[3, 3], [3, 4]]}, "three squares; got 2"),
        ({"logo": [[3, 3], [3, 4], [3, 5], [3, 6]]}, "three squares; got 4"),
        ({"logo": [[3, 3], [3, 4], [3, 6]]}, "next to each other"),
        ({"logo": [[3, 3], [3, 4], [4, 4]]}, "next to each other"),
        ({"logo": [[3, 3], [4, 4], [5, 5]]}, "next to each other"),
        ({"logo": [[3, 3], [3, 3], [3, 4]]}, "next to each other"),
        ({"logo": [[3, 7], [3, 8], [3, 9]]}, "not on a board"),
        ({"logo": [[-1, 3], [0, 3], [1, 3]]}, "not on a board"),
        ({"logo": [[3, 3], [3, 4], [3, True]]}, r"\[row, column\]"),
        ({"logo": [[3, 3], [3, 4], [3, 5, 6]]}, r"\[row, column\]"),
        ({"logo": [[3, 3], [3, 4], "35"]}, r"\[row, column\]"),
        ({"bonus": {}}, "list"),
        ({"bonus": [5]}, "a bonus is"),
        ({"bonus": [{"at": [0, 0]}]}, "a bonus is"),
        ({"bonus": [{"points": 5}]}, "a bonus is"),
        ({"bonus": [{"at": [0, 0], "points": 5, "colour": "red"}]}, "a bonus is"),
        ({"bonus": [{"at": [0], "points": 5}]}, r"\[row, column\]"),
        ({"bonus": [{"at": [7, 0], "points": 5}]}, "not on a board"),
        ({"bonus": [{"at": [0, 0], "points": 5}, {"at": [0, 0], "points": 5}]}, "got two at"),
        ({"bonus": [{"at": [0, 0], "points": 2.5}]}, "whole number"),
        ({"bonus": [{"at": [0, 0], "points": True}]}, "whole number"),
        ({"bonus": [{"at": [0, 0], "points": None}]}, "whole number"),
    ],
)
def test_cubed_2_no_board(change: dict[str, object], fault: str) -> None:
    with pytest.raises(BoardError, match=fault):
        CubedBoard.from_json({**GOOD, **change})


@pytest.mark.parametrize("name", ["rows", "columns", "logo", "bonus"])
def test_cubed_2_a_field_missing(name: str) -> None:
    with pytest.raises(BoardError, match=f"lacks '{name}'"):
        CubedBoard.from_json({key: value for key, value in GOOD.items() if key != name})


@pytest.mark.parametrize("data", [None, 5, "board", [GOOD]])
def test_cubed_2_no_object(data: object) -> None:
    with pytest.raises(BoardError, match="a board is an object"):
        CubedBoard.from_json(data)


def test_cubed_2_deep_and_long_nonsense_is_quoted_in_short() -> None:
    deep: list[object] = []
    for _ in range(5000):
        deep = [deep]
    for nonsense in (deep, "x" * 10**6):
        with pytest.raises(BoardError) as caught:
            CubedBoard.from_json({**GOOD, "rows": nonsense})
        assert len(str(caught.value)) < 200


def test_cubed_16_no_bonus_under_the_logo() -> None:
    with pytest.raises(BoardError, match="under the logo"):
        CubedBoard.from_json({**GOOD, "bonus": [{"at": [3, 4], "points": 5}]})


def test_cubed_6_windows_lie_in_rows_and_columns() -> None:
    assert len(BOARD.windows((4, 6))) == 6
    assert BOARD.windows((0, 0)) == (((0, 0), (0, 1), (0, 2)), ((0, 0), (1, 0), (2, 0)))
    assert BOARD.windows((8, 12)) == (((8, 10), (8, 11), (8, 12)), ((6, 12), (7, 12), (8, 12)))
    assert len(BOARD.windows((1, 11))) == 4
    for window in BOARD.windows((4, 6)):
        (top, left), middle, (bottom, right) = window
        assert (4, 6) in window
        assert middle == ((top + bottom) // 2, (left + right) // 2)
        assert sorted((bottom - top, right - left)) == [0, 2]


def test_cubed_5_connected_by_a_side() -> None:
    grid = Grid(BOARD, dice({(4, 5): "1ro"}))
    assert grid.open_squares == ((3, 5), (4, 4), (4, 6), (5, 5))
    assert [grid.connected(at) for at in [(4, 6), (3, 5), (3, 4), (4, 7), (4, 5)]] == [True, True, False, False, False]
    assert Grid(BOARD, dice({(0, 0): "1ro"})).open_squares == ((0, 1), (1, 0))


def test_cubed_7_full_windows_are_sets_or_fail() -> None:
    grid = Grid(BOARD, dice({(4, 4): "1ro 2ro 3ro 2ro"}))
    assert list(grid.full_windows((4, 5))) == [((4, 4), (4, 5), (4, 6)), ((4, 5), (4, 6), (4, 7))]
    assert grid.sets_through((4, 5)) == (((4, 4), (4, 5), (4, 6)),)
    assert grid.fails_through((4, 5)) == (((4, 5), (4, 6), (4, 7)),)


def test_cubed_7_up_to_six_sets() -> None:
    around = {**dice({(4, 4): "1ro 1ro w=1ro 1ro 1ro"}), **dice({(2, 6): "1ro 1ro w=1ro 1ro 1ro"}, down=True)}
    del around[4, 6]
    laying = Grid(BOARD, around).lay((4, 6), face("1ro"))
    assert len(laying.lines) == 6
    assert laying.points == 18
    assert {line.at for line in laying.lines} == set(BOARD.windows((4, 6)))
    assert not Grid(BOARD, around).lay((4, 6), face("1ro"), identical=False).lines


def test_cubed_13_a_wild_just_laid_does_not_count() -> None:
    grid = Grid(BOARD, dice({(4, 4): "w=1ro w=2ro"}))
    laying = grid.lay((4, 6), face("w"), tile("3ro"))
    assert laying.points == 2
    assert laying.lines[0].pieces == (face("1ro"), face("2ro"), face("3ro"))
    assert grid.lay((4, 6), face("w"), tile("3ro"), uncounted={(4, 4), (4, 5)}).points == 0
    assert grid.lay((4, 6), face("3ro"), uncounted=[(4, 4)]).points == 2
    assert grid.lay((4, 6), face("3ro"), uncounted=[(4, 6)]).points == 3


def test_cubed_14_a_wild_needs_a_name() -> None:
    with pytest.raises(WildPieceError):
        Grid(BOARD).lay((4, 6), face("w"))
    with pytest.raises(ValueError, match="a Wild has a name"):
        Die(Face(None))
    with pytest.raises(ValueError, match="'1 red oval' as"):
        Die(face("1ro"), tile("1ro"))
    assert die("w=1ro").counted == face("1ro")


def test_cubed_16_bonus_squares_are_taken_once() -> None:
    board = CubedBoard(5, 5, ((2, 1), (2, 2), (2, 3)), {(2, 4): 5, (0, 0): 7})
    grid = Grid(board, dice({(2, 1): "1ro 2ro 3ro"}))
    assert not grid.bonuses_taken
    laying = grid.lay((2, 4), face("w"), tile("1ro"))
    assert (laying.bonus, laying.points) == (5, 7)
    assert laying.grid.bonuses_taken == {(2, 4)}
    assert laying.grid.swap((2, 4), face("1ro")).bonuses_taken == {(2, 4)}
    assert grid.lay((1, 1), face("1ro")).bonus == 0


def test_a_grid_never_changes() -> None:
    grid = Grid(BOARD, dice({(4, 5): "1ro 2ro"}))
    before = dict(grid.dice)
    laying = grid.lay((4, 7), face("3ro"))
    swapped = grid.swap((4, 5), face("2gd"))
    assert grid.dice == before
    assert laying.grid.dice == {**before, (4, 7): die("3ro")}
    assert swapped.dice == {**before, (4, 5): die("2gd")}
    assert laying.squares == {(4, 5), (4, 6), (4, 7)}
