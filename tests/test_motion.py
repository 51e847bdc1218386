"""What one glance at a picture tells: motion, hands, darkness, and the table without them."""

from __future__ import annotations

import numpy as np
import pytest

from tests.drawn_table import SIZE, Scenery, draw, place, row
from vision.motion import Attention, Glance, MotionConfig, quads_mask
from vision.types import Quad

CARDS = row(6)
ARM = Scenery(hands=((280, 60, 420, SIZE[1]),))


def quad_at(x: float, y: float) -> Quad:
    """A card's quad round a point."""
    return Quad.of([(x - 28, y - 40), (x + 28, y - 40), (x + 28, y + 40), (x - 28, y + 40)])


QUADS = [quad_at(*place(index)) for index in range(6)]


class Watched:
    """An attention that is shown a drawn table, ten pictures a second."""

    def __init__(self) -> None:
        self.attention = Attention()
        self.number = 0

    def show(self, scenery: Scenery | None = None, *, learn: bool = False, again: int = 1) -> Glance:
        """The last of some glances."""
        for _ in range(again):
            self.number += 1
            glance = self.attention.glance(draw(CARDS, scenery, self.number), self.number / 10, QUADS)
        if learn:
            self.attention.learn(glance, QUADS)
        return glance


@pytest.fixture
def watched() -> Watched:
    """One that knows its table."""
    watched = Watched()
    watched.show(learn=True, again=2)
    return watched


def test_noise_is_no_motion(watched: Watched) -> None:
    for _ in range(20):
        glance = watched.show()
        assert glance.still
        assert not glance.reaching.any()
        assert not glance.dark


def test_a_hand_moves_then_reaches(watched: Watched) -> None:
    first, second = watched.show(ARM), watched.show(ARM)
    assert not first.still
    assert second.still
    assert first.reaching.any()
    assert second.reaching.any()
    assert not first.shaken


def test_a_hand_covers_the_pieces_under_it(watched: Watched) -> None:
    glance = watched.show(ARM)
    shares = [glance.share(glance.reaching, quad) for quad in QUADS]
    assert shares[3] > 0.2
    assert shares[0] == shares[1] == shares[5] == 0.0
    assert [glance.near(quad) for quad in QUADS] == [False, False, True, True, True, False]


def test_what_does_not_touch_the_border_is_no_hand(watched: Watched) -> None:
    assert not watched.show(Scenery(hands=((250, 200, 400, 320),))).reaching.any()


def test_a_speck_at_the_border_is_no_hand(watched: Watched) -> None:
    assert not watched.show(Scenery(hands=((300, 340, 320, 360),))).reaching.any()


def test_what_rests_at_the_border_belongs_to_the_table_and_so_does_what_was_there(watched: Watched) -> None:
    lean = Scenery(hands=((500, 280, 640, 360),))
    config = MotionConfig()
    assert watched.show(lean, again=round(10 * config.rest) - 5).reaching.any()
    assert not watched.show(lean, again=10).reaching.any()
    assert not watched.show().reaching.any()


def test_what_rests_on_pieces_is_a_hand_for_longer(watched: Watched) -> None:
    assert watched.show(ARM, again=100).reaching.any()


def test_light_that_changes_is_no_hand(watched: Watched) -> None:
    glance = watched.show(Scenery(light=0.7))
    assert not glance.reaching.any()
    assert not glance.dark


def test_darkness_is_told_until_it_is_usual(watched: Watched) -> None:
    assert watched.show(Scenery(light=0.35)).dark
    assert not watched.show(Scenery(light=0.35), again=40).dark
    assert watched.show(Scenery(light=0.05), again=100).dark


def test_a_shaken_camera_is_told(watched: Watched) -> None:
    pattern = np.random.default_rng(1).integers(0, 256, (36, 64, 3), np.uint8).repeat(10, 0).repeat(10, 1)
    watched.attention.glance(pattern, 5.0, [])
    assert watched.attention.glance(np.roll(pattern, 35, axis=1), 5.1, []).shaken


def test_the_table_follows_the_camera_but_not_the_pieces(watched: Watched) -> None:
    move = np.array([[1.0, 0, 24], [0, 1, 0], [0, 0, 1]])
    shifted = [Quad(quad.corners + np.array([24, 0], np.float32)) for quad in QUADS]
    glance = watched.show(Scenery(shift=(24, 0)))
    watched.attention.follow(glance, shifted, move)
    again = watched.attention.glance(draw(CARDS, Scenery(shift=(24, 0)), 50), 9.0, shifted)
    assert not again.reaching.any()
    hand = Scenery(shift=(24, 0), hands=((300, 200, 420, 360),))
    assert watched.attention.glance(draw(CARDS, hand, 51), 9.1, shifted).reaching.any()


def test_a_picture_of_another_size_is_another_table(watched: Watched) -> None:
    glance = watched.attention.glance(np.zeros((90, 60, 3), np.uint8) + np.uint8(120), 9.0, [])
    assert glance.still
    assert glance.small.shape[:2] == (90, 60)


def test_quads_cover_their_cells() -> None:
    quad = Quad.of([(40, 40), (80, 40), (80, 80), (40, 80)])
    mask = quads_mask([quad], (90, 160), 0.25)
    assert 100 <= mask.sum() <= 144
    assert mask[15, 15]
    assert not mask[5, 15]
    assert quads_mask([quad], (90, 160), 0.25, 2).sum() > mask.sum()
    assert not quads_mask([], (90, 160), 0.25).any()
