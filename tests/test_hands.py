"""Drawn hands: layers that can be laid, with the finger tips where they say."""

from __future__ import annotations

import numpy as np

from datasets.hands import draw_hand


def test_the_tips_are_where_the_hand_ends() -> None:
    for seed in range(4):
        hand = draw_hand(np.random.default_rng(seed))
        x, y = (round(value) for value in hand.tip)
        alpha = hand.image[..., 3]
        near = alpha[y : y + 12, x - 25 : x + 25]
        assert near.max() == 255
        assert not alpha[: y - 30].any()
        assert alpha[-1].max() == 255


def test_colour_is_multiplied_by_alpha() -> None:
    hand = draw_hand(np.random.default_rng(1))
    assert (hand.image[..., :3].max(axis=2) <= hand.image[..., 3]).all()


def test_millimetres_begin_at_the_tips() -> None:
    hand = draw_hand(np.random.default_rng(2))
    assert np.allclose(hand.to_mm @ [*hand.tip, 1], [0, 0, 1])


def test_the_same_seed_draws_the_same_hand() -> None:
    first, again, other = (draw_hand(np.random.default_rng(seed)) for seed in (5, 5, 6))
    assert np.array_equal(first.image, again.image)
    assert not np.array_equal(first.image, other.image)
