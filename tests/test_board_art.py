"""Printed boards and faces in many looks."""

from itertools import combinations

import numpy as np
import pytest

from datasets.board_art import cubed_board, junior_board_one, junior_board_two, magic_squares
from datasets.faces import draw_pips, draw_print, random_print
from datasets.lettering import Lettering, lettered
from engine.junior_board import JuniorBoard
from engine.tokens import Tile, full_tiles


def test_every_magic_square_is_a_board_by_the_rules() -> None:
    rng = np.random.default_rng(1)
    for _ in range(30):
        names = [[[str(tile) for tile in row] for row in square] for square in magic_squares(rng)]
        JuniorBoard.from_json(names)


def test_a_board_of_cubed_keeps_bonus_squares_off_the_logo_and_on_the_board() -> None:
    rng = np.random.default_rng(2)
    for _ in range(12):
        board = cubed_board(rng, 25.0)
        assert len(board.logo) == 3
        assert not set(board.bonus) & set(board.logo)
        assert all(0 <= row < board.rows and 0 <= column < board.columns for row, column in board.bonus)
        width, height = board.size
        assert board.image.shape[1] / board.image.shape[0] == pytest.approx(width / height, rel=0.01)
        assert board.corner[0] + board.columns * board.pitch <= width + 1e-6


def test_bonus_squares_look_different_from_plain_ones() -> None:
    rng = np.random.default_rng(7)
    board = next(b for b in (cubed_board(rng, 25.0) for _ in range(20)) if b.bonus and b.lines)

    def square(row: int, column: int) -> float:
        x, y = (round(3 * (c + n * board.pitch + 3)) for c, n in zip(board.corner, (column, row), strict=True))
        return float(board.image[y : y + 55, x : x + 55].std())

    plain = next(
        (row, column)
        for row in range(board.rows)
        for column in range(board.columns)
        if (row, column) not in board.bonus and (row, column) not in board.logo
    )
    assert np.median([square(*at) for at in board.bonus]) > square(*plain)


def test_junior_boards_have_their_spaces_inside_the_sheet() -> None:
    rng = np.random.default_rng(3)
    style = random_print(rng)
    for board, count in ((junior_board_one(rng, 40.0, style), 27), (junior_board_two(rng, 40.0), 10)):
        assert len({space.at for space in board.spaces}) == count
        for space in board.spaces:
            assert min(space.corner) >= 0
            assert space.corner[0] + space.side <= board.size[0]
            assert space.corner[1] + space.side <= board.size[1]


def test_no_two_faces_of_a_box_look_alike() -> None:
    rng = np.random.default_rng(4)
    for _ in range(4):
        style = random_print(rng)
        pictures = [draw_print(tile, style, rng).astype(float) for tile in (*full_tiles(), None)]
        assert min(float(np.abs(a - b).mean()) for a, b in combinations(pictures, 2)) > 1.5


def test_a_face_is_drawn_once_for_a_box() -> None:
    rng = np.random.default_rng(5)
    style, tile = random_print(rng), Tile.parse("2 red oval")
    assert draw_print(tile, style, rng) is draw_print(tile, style, rng)


def test_pips_are_counted() -> None:
    dark = [float((draw_pips(n, (240, 240, 240), (20, 20, 20), 0.08, 0.22)[..., 0] < 100).mean()) for n in range(1, 7)]
    assert [round(share / dark[0]) for share in dark] == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("face", [Lettering("sans", 900), Lettering("italic", 300), Lettering(stroked=2)])
def test_words_are_as_tall_as_asked_and_wider_when_longer(face: Lettering) -> None:
    short, long = lettered("W", 40, face), lettered("WILD", 40, face)
    assert short.shape[0] == long.shape[0] == 40
    assert long.shape[1] > 1.8 * short.shape[1]
    assert short.max() > 200
