"""The board of SET Junior, face 1: its check, the count of all boards, and mending readings (JUN-2)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations
from random import Random

import pytest

from engine.events import Place
from engine.grid import BoardError
from engine.junior_board import (
    BOARDS,
    FEW,
    LINES,
    MOST_WRONG,
    ORDERS,
    PARTITIONS,
    PLACES,
    Completion,
    Correction,
    Fit,
    JuniorBoard,
    board_at,
    complete,
    sample_board,
)
from engine.sets import code, is_set, third
from engine.tokens import Tile, full_tiles

TILES = full_tiles()
Grid = list[list[list[Tile | None]]]


def grid_of(board: JuniorBoard) -> Grid:
    return [[list(row) for row in square] for square in board.squares]


def put(grid: Grid, at: Place, tile: Tile | None) -> None:
    square, row, column = at
    grid[square][row][column] = tile


def blanked(board: JuniorBoard, places: Sequence[Place]) -> Grid:
    grid = grid_of(board)
    for at in places:
        put(grid, at, None)
    return grid


def misread(board: JuniorBoard, places: Sequence[Place], random: Random) -> Grid:
    grid = grid_of(board)
    for at in places:
        put(grid, at, random.choice([tile for tile in TILES if tile != board[at]]))
    return grid


def distance(grid: Grid, board: JuniorBoard) -> int:
    """How many spaces of the reading the board has otherwise."""
    read = [(at, grid[at[0]][at[1]][at[2]]) for at in PLACES]
    return sum(tile is not None and tile != board[at] for at, tile in read)


def solved(grid: Grid) -> Completion:
    """The completion of a reading, which must stay as it is."""
    before = [[list(row) for row in square] for square in grid]
    result = complete(grid)
    assert grid == before
    assert (result.board is None) == (result.fit in (Fit.AMBIGUOUS, Fit.IMPOSSIBLE))
    for board in result.boards:
        assert distance(grid, board) == result.wrong
    if result.boards:
        shared = [{board[at] for board in result.boards} for at in PLACES]
        agreed = [tile for square in result.agreed for row in square for tile in row]
        assert agreed == [tiles.pop() if len(tiles) == 1 else None for tiles in shared]
    return result


def test_jun_2_a_board_has_24_lines() -> None:
    assert len(set(LINES)) == 24
    assert LINES[0] == ((0, 0, 0), (0, 0, 1), (0, 0, 2))
    assert LINES[-1] == ((2, 0, 2), (2, 1, 1), (2, 2, 0))
    assert [sum(at in line for line in LINES) for at in PLACES[:9]] == [3, 2, 3, 2, 4, 2, 3, 2, 3]
    board = sample_board(0)
    assert board.lines[0] == board.squares[0][0]
    assert all(is_set(*line) for line in board.lines)


def test_jun_2_a_board_is_read_from_the_header_of_a_record_and_from_a_board_file() -> None:
    board = sample_board(4)
    stored = board.to_json()
    assert JuniorBoard.from_json(stored) == board
    assert JuniorBoard.from_json(stored["squares"]) == board
    assert JuniorBoard.from_json({"squares": stored["squares"], "name": "ours"}) == board
    assert hash(JuniorBoard.from_json(stored)) == hash(board)


def names() -> list[list[list[object]]]:
    return [[[str(tile) for tile in row] for row in square] for square in sample_board(4).squares]


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (7, "7"),
        (None, "None"),
        ([], r"\[\]"),
        ("2 red", "'2 red'"),
        ("2 red solid oval", "solid"),
        ("x" * 10_000, "xxx"),
    ],
)
def test_jun_2_every_space_names_a_tile(entry: object, message: str) -> None:
    squares = names()
    squares[1][2][0] = entry
    with pytest.raises(BoardError, match=message) as caught:
        JuniorBoard.from_json(squares)
    assert len(str(caught.value)) < 200


def test_jun_2_a_rectangle_is_no_tile_of_the_game() -> None:
    squares = names()
    squares[0][0][0] = "2 red rectangle"
    with pytest.raises(BoardError, match=r"\[0, 0, 0\].*expected one of the 27 tiles"):
        JuniorBoard.from_json(squares)


def test_jun_2_all_27_tiles_differ() -> None:
    squares = names()
    squares[2][2][2] = squares[0][0][1]
    with pytest.raises(BoardError, match=r"one space: got '.*' at \[0, 0, 1\] and \[2, 2, 2\]"):
        JuniorBoard.from_json(squares)


def test_jun_2_all_24_lines_are_sets() -> None:
    squares = names()
    squares[0][0][0], squares[2][2][2] = squares[2][2][2], squares[0][0][0]
    with pytest.raises(BoardError, match=r"is a SET: got '.*' at \[\[0, 0, 0\], \[0, 0, 1\], \[0, 0, 2\]\]"):
        JuniorBoard.from_json(squares)


@pytest.mark.parametrize("line", range(24))
def test_jun_2_each_line_is_checked(line: int, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = sample_board(4).lines[line]
    monkeypatch.setattr("engine.junior_board.is_set", lambda *tiles: tiles != broken)
    with pytest.raises(BoardError, match="is a SET"):
        JuniorBoard.from_json(names())


@pytest.mark.parametrize("value", [None, 3, "board", [], [[], [], []], [[[1, 2]] * 3] * 3, {}, {"squares": {}}])
def test_jun_2_a_board_is_three_squares_of_nine(value: object) -> None:
    with pytest.raises(BoardError, match="expected three"):
        JuniorBoard.from_json(value)


def test_jun_2_a_board_file_of_another_game_is_refused() -> None:
    with pytest.raises(BoardError, match="'cubed'"):
        JuniorBoard.from_json({"game": "cubed", "squares": names()})


def magic_squares() -> list[tuple[int, ...]]:
    """Every 3 x 3 square of different tiles whose eight lines are SETs, from the definition alone."""
    thirds = [[code(third(a, b)) for b in TILES] for a in TILES]
    squares: list[tuple[int, ...]] = []
    for first, second, fourth, fifth in permutations(range(27), 4):
        third_, sixth = thirds[first][second], thirds[fourth][fifth]
        seventh, eighth = thirds[first][fourth], thirds[second][fifth]
        ninth = thirds[first][fifth]
        ends = thirds[third_][sixth] == ninth == thirds[seventh][eighth]
        if ends and thirds[third_][fifth] == seventh:
            square = (first, second, third_, fourth, fifth, sixth, seventh, eighth, ninth)
            if len(set(square)) == 9:
                squares.append(square)
    return squares


def test_jun_2_all_boards_are_counted_13_partitions_of_432_orders_a_square() -> None:
    squares = magic_squares()
    orders: dict[frozenset[int], int] = {}
    for square in squares:
        orders[frozenset(square)] = orders.get(frozenset(square), 0) + 1
    assert set(orders.values()) == {ORDERS}
    assert len(orders) == 3 * PARTITIONS
    partitions = [
        three
        for three in combinations(orders, 3)
        if not (three[0] & three[1] or three[0] & three[2] or three[1] & three[2])
    ]
    assert len(partitions) == PARTITIONS
    assert BOARDS == 13 * 6 * 432**3 == len(partitions) * 6 * ORDERS**3


def test_jun_2_numbers_reach_every_partition_every_place_and_every_order() -> None:
    split = {
        frozenset(frozenset(tile for row in square for tile in row) for square in board_at(k).squares)
        for k in range(13)
    }
    assert len(split) == PARTITIONS
    assert len({board_at(13 * turn) for turn in range(6)}) == 6
    for step in (13 * 6, 13 * 6 * ORDERS, 13 * 6 * ORDERS**2):
        boards = {board_at(step * order) for order in range(ORDERS)}
        assert len(boards) == ORDERS


@pytest.mark.parametrize("number", [-1, BOARDS])
def test_jun_2_there_are_no_other_boards(number: int) -> None:
    assert board_at(0) != board_at(BOARDS - 1)
    with pytest.raises(IndexError, match=str(number)):
        board_at(number)


def test_jun_2_a_seed_samples_one_board_and_seeds_all_kinds() -> None:
    assert sample_board(8) == sample_board(8)
    boards = [sample_board(seed) for seed in range(200)]
    assert len(set(boards)) == 200
    firsts = {frozenset(tile for row in board.squares[0] for tile in row) for board in boards}
    assert len(firsts) == 39


@pytest.mark.parametrize("seed", range(5))
def test_jun_2_a_whole_board_is_as_read(seed: int) -> None:
    board = sample_board(seed)
    assert solved(grid_of(board)) == Completion(Fit.AS_READ, 27, 0, 1, (board,), board.squares)


@pytest.mark.parametrize("seed", range(3))
def test_jun_2_one_misread_space_is_found_wherever_it_is(seed: int) -> None:
    board, random = sample_board(seed), Random(seed)  # noqa: S311
    for at in PLACES:
        grid = misread(board, [at], random)
        read = grid[at[0]][at[1]][at[2]]
        assert read is not None
        result = solved(grid)
        assert (result.fit, result.board, result.wrong) == (Fit.CORRECTED, board, 1)
        assert result.corrected == (Correction(at, read, board[at]),)
        assert result.completed == ()


@pytest.mark.parametrize("seed", range(25))
def test_jun_2_two_misread_spaces_are_always_found(seed: int) -> None:
    board, random = sample_board(seed), Random(seed)  # noqa: S311
    places = sorted(random.sample(PLACES, 2))
    result = solved(misread(board, places, random))
    assert (result.fit, result.board) == (Fit.CORRECTED, board)
    assert [correction.at for correction in result.corrected] == places


def test_jun_2_two_spaces_that_changed_places_are_found() -> None:
    board = sample_board(2)
    grid = grid_of(board)
    put(grid, (0, 0, 0), board[2, 1, 1])
    put(grid, (2, 1, 1), board[0, 0, 0])
    assert solved(grid).board == board


@pytest.mark.parametrize("blanks", [1, 5, 9, 12, 15, 18])
def test_jun_2_blanks_are_completed_whenever_one_board_has_what_was_read(blanks: int) -> None:
    for seed in range(6):
        board, random = sample_board(seed), Random(100 * blanks + seed)  # noqa: S311
        places = sorted(random.sample(PLACES, blanks))
        grid = blanked(board, places)
        result = solved(grid)
        assert (result.read, result.wrong) == (27 - blanks, 0)
        if result.candidates == 1:
            assert (result.fit, result.board, result.completed) == (Fit.COMPLETED, board, tuple(places))
            assert result.agreed == board.squares
        else:
            assert blanks > 5
            assert result.fit is Fit.AMBIGUOUS
            assert result.candidates > FEW or board in result.boards


def test_jun_2_blanks_and_misread_spaces_are_mended_together() -> None:
    board, random = sample_board(11), Random(11)  # noqa: S311
    grid = misread(board, [(0, 1, 1), (2, 0, 2)], random)
    put(grid, (1, 1, 0), None)
    result = solved(grid)
    assert (result.fit, result.board, result.completed) == (Fit.CORRECTED, board, ((1, 1, 0),))
    assert [correction.at for correction in result.corrected] == [(0, 1, 1), (2, 0, 2)]


def test_jun_2_an_unread_square_can_be_any_of_its_432_orders() -> None:
    board = sample_board(6)
    result = solved(blanked(board, [at for at in PLACES if at[0] == 1]))
    assert (result.fit, result.candidates, result.boards, result.board) == (Fit.AMBIGUOUS, ORDERS, (), None)
    blank = ((None,) * 3,) * 3
    assert result.agreed == (board.squares[0], blank, board.squares[2])


def test_jun_2_few_candidates_are_listed_and_what_they_share_is_filled_in() -> None:
    board = sample_board(7)
    row = [(0, 1, column) for column in range(3)] + [(0, 2, column) for column in range(3)]
    grid = blanked(board, row)
    result = solved(grid)
    # With one row known the rest of the plane can be laid in six ways.
    assert (result.fit, result.candidates, len(set(result.boards))) == (Fit.AMBIGUOUS, 6, 6)
    assert board in result.boards
    assert result.agreed[0] == (board.squares[0][0], (None,) * 3, (None,) * 3)
    assert result.agreed[1:] == board.squares[1:]


def test_jun_2_what_candidates_of_several_partitions_share_is_filled_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.junior_board.FEW", 100)
    board, random = sample_board(935), Random(935)  # noqa: S311
    places = random.sample(PLACES, 17)
    grid = misread(board, places[14:], random)
    for at in places[:14]:
        put(grid, at, None)
    result = solved(grid)
    # Tile sets that the first square takes: more than one plane is in question.
    assert len({frozenset(sum(other.squares[0], ())) for other in result.boards}) > 1
    assert (result.fit, result.wrong, result.candidates, len(result.boards)) == (Fit.AMBIGUOUS, 3, 54, 54)


def test_jun_2_nothing_read_leaves_every_board() -> None:
    result = solved([[[None] * 3 for _ in range(3)] for _ in range(3)])
    assert (result.fit, result.candidates, result.read) == (Fit.AMBIGUOUS, BOARDS, 0)


@pytest.mark.parametrize("seed", range(15))
def test_jun_2_random_tiles_are_rejected(seed: int) -> None:
    random = Random(seed)  # noqa: S311
    tiles: list[Tile | None] = list(random.sample(TILES, 27) if seed % 2 else random.choices(TILES, k=27))
    grid = [[tiles[at : at + 3] for at in range(first, first + 9, 3)] for first in (0, 9, 18)]
    result = solved(grid)
    assert (result.fit, result.boards, result.agreed) == (Fit.IMPOSSIBLE, (), ())
    assert result.wrong > 27 // MOST_WRONG
    assert result.candidates > 0


def test_jun_2_three_magic_squares_that_share_tiles_are_told_as_no_board() -> None:
    """The second shares a line with the first: six of its spaces cannot be, but which six is not to be told."""
    board = sample_board(0)
    taken = {*sum(board.squares[0], ())}
    other = next(one for one in map(sample_board, range(1, 50)) if len(taken & {*sum(one.squares[1], ())}) == 3)
    result = solved([grid_of(board)[0], grid_of(other)[1], grid_of(board)[2]])
    assert (result.board, result.wrong, result.candidates, len(result.boards)) == (None, 6, 6, 6)


def test_jun_2_one_misread_space_is_believed_however_few_were_read() -> None:
    grid: Grid = [[[None] * 3 for _ in range(3)] for _ in range(3)]
    for at in ((0, 0, 0), (2, 1, 2)):
        put(grid, at, TILES[4])
    result = solved(grid)
    assert (result.fit, result.read, result.wrong) == (Fit.AMBIGUOUS, 2, 1)
    put(grid, (1, 1, 1), TILES[4])
    result = solved(grid)
    assert (result.fit, result.read, result.wrong) == (Fit.IMPOSSIBLE, 3, 2)


def test_jun_2_no_board_is_nearer_than_the_one_found() -> None:
    board, random = sample_board(21), Random(21)  # noqa: S311
    grid = misread(board, random.sample(PLACES, 4), random)
    result = solved(grid)
    assert result.board is not None
    assert result.wrong == distance(grid, result.board) <= distance(grid, board)
    assert all(distance(grid, sample_board(seed)) > result.wrong for seed in range(100, 300))


def test_jun_2_the_nearest_boards_are_those_of_a_search_of_a_whole_square() -> None:
    """With two squares read well, the third has 432 orders of one plane: try them all."""
    board, random = sample_board(30), Random(30)  # noqa: S311
    plane = sorted(code(tile) for row in board.squares[0] for tile in row)
    squares = [square for square in magic_squares() if sorted(square) == plane]
    for _ in range(5):
        grid = misread(board, [(0, 0, 0), (0, 1, 2), (0, 2, 1)], random)
        put(grid, (0, 1, 1), None)
        put(grid, (0, 2, 2), None)
        read = [None if tile is None else code(tile) for row in grid[0] for tile in row]
        wrong = [sum(a is not None and a != b for a, b in zip(read, square, strict=True)) for square in squares]
        result = solved(grid)
        assert (result.wrong, result.candidates) == (min(wrong), wrong.count(min(wrong)))


@pytest.mark.parametrize("entry", ["2 red oval", 4, Tile.parse("2 red rectangle"), []])
def test_jun_2_a_reading_holds_tiles_or_none(entry: Tile) -> None:
    grid = grid_of(sample_board(1))
    put(grid, (1, 0, 2), entry)
    with pytest.raises(BoardError, match=r"\[1, 0, 2\]"):
        complete(grid)


def test_jun_2_a_reading_has_the_shape_of_a_board() -> None:
    with pytest.raises(BoardError, match="expected three rows of a square"):
        complete([[[None] * 3] * 3, [[None] * 3] * 2, [[None] * 3] * 3])
