"""Pictures of boards with exact labels."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.board_scene import BoardPicture, BoardSettings, render_board_scene
from datasets.render_boards import main, picture_label
from engine.tokens import Face, Tile
from vision.geometry import transform

SMALL = BoardSettings(sizes=(480,))


@pytest.fixture(scope="module")
def pictures() -> list[BoardPicture]:
    return [render_board_scene(seed, SMALL) for seed in range(10)]


def test_the_same_seed_gives_the_same_picture_and_labels() -> None:
    first, second = render_board_scene(3, SMALL), render_board_scene(3, SMALL)
    assert np.array_equal(first.image, second.image)
    assert picture_label(first, "a.jpg") == picture_label(second, "a.jpg")


def test_pieces_have_names_and_corners_that_run_clockwise(pictures: list[BoardPicture]) -> None:
    for picture in pictures:
        for one in picture.things:
            if one.thing.kind == "other":
                continue
            assert one.thing.name is not None
            piece = Face.parse(one.thing.name) if one.thing.kind == "die" else Tile.parse(one.thing.name)
            assert str(piece) == one.thing.name
            assert cv2.contourArea(one.thing.corners, oriented=True) > 0
            assert 0 <= one.thing.visible <= 1


@pytest.mark.parametrize("only", ["cubed", "junior-1", "junior-2"])
def test_one_kind_of_board_can_be_asked_for(only: str) -> None:
    picture = render_board_scene(11, BoardSettings(sizes=(400,), only=only))
    assert picture.board is not None
    assert picture.board.kind == only


def test_a_die_stands_over_its_square() -> None:
    settings = BoardSettings(sizes=(480,), only="cubed", tilt=(0.0, 0.1))
    dice = 0
    for seed in range(6):
        picture = render_board_scene(seed, settings)
        assert picture.matrix is not None
        for one in picture.things:
            if one.cell is None or one.body is None:
                continue
            row, column = one.cell
            square = transform(
                [[column, row], [column + 1, row], [column + 1, row + 1], [column, row + 1]], picture.matrix
            )
            inside, _ = cv2.intersectConvexConvex(square, one.body)
            assert inside > 0.7 * abs(cv2.contourArea(square))
            dice += 1
    assert dice > 20


def test_a_covered_space_is_not_visible_and_a_free_one_is() -> None:
    picture = next(
        p
        for p in (render_board_scene(s, BoardSettings(sizes=(480,), only="junior-1", beside=0.0)) for s in range(20))
        if 3 < sum(one.thing.kind == "tile" for one in p.things) < 24
    )
    covered = {one.cell for one in picture.things if one.thing.kind == "tile"}
    size = (picture.image.shape[1], picture.image.shape[0])
    for one in picture.things:
        inside = (one.thing.corners > 1).all() and (one.thing.corners < np.array(size) - 2).all()
        if one.thing.kind == "space" and inside:
            assert (one.thing.visible < 0.4) == (one.cell in covered)


def test_the_command_writes_the_same_whatever_the_number_of_jobs(tmp_path: Path) -> None:
    for name, jobs in (("one", "1"), ("two", "2")):
        assert (
            main(["--count", "4", "--seed", "5", "--out", str(tmp_path / name), "--jobs", jobs, "--only", "cubed"]) == 0
        )
    first, second = ((tmp_path / name / "labels.jsonl").read_text() for name in ("one", "two"))
    assert first == second
    label = json.loads(first.splitlines()[0])
    picture = cv2.imread(str(tmp_path / "one" / label["file"]))
    assert picture is not None
    assert [picture.shape[1], picture.shape[0]] == label["size"]
    assert label["board"]["kind"] == "cubed"
