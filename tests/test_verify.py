"""What stands: sure pieces, overlapping ones too, and nothing that is made of parts of others."""

from __future__ import annotations

import numpy as np
import pytest

from engine.tokens import Card
from tests.test_decode import evidence
from vision.types import Quad
from vision.verify import VerifyConfig, covered_share, standing, sureness

CARDS = [Card.parse(name) for name in ("1 red open oval", "2 green solid diamond", "3 purple striped squiggle")]


def box(x: float, y: float, width: float, height: float) -> Quad:
    """An upright quad."""
    return Quad.of([(x, y), (x + width, y), (x + width, y + height), (x, y + height)])


def test_shares_add_up_over_the_others() -> None:
    between = box(50, 0, 100, 100)
    assert covered_share(between, [box(0, 0, 100, 100), box(110, 0, 100, 100)]) == pytest.approx(0.9, abs=0.01)
    assert covered_share(between, []) == 0
    assert covered_share(between, [box(500, 0, 100, 100)]) == 0


def test_a_quad_between_two_cards_falls_and_the_cards_stand() -> None:
    found = [evidence(CARDS[0], (100, 100)), evidence(CARDS[1], (165, 100))]
    invented = evidence(CARDS[2], (132, 100), score=0.8)
    assert standing([invented, *found]) == found


@pytest.mark.parametrize("shift", [31, 60, 90])
def test_cards_that_cover_a_part_of_each_other_stand(shift: float) -> None:
    found = [evidence(CARDS[0], (100, 100)), evidence(CARDS[1], (100 + shift, 100), score=0.9)]
    assert standing(found) == found


def test_the_surer_of_two_in_one_place_stands() -> None:
    weak, strong = evidence(CARDS[0], (100, 100), readable=0.7), evidence(CARDS[1], (104, 100))
    assert standing([weak, strong]) == [strong]


def test_either_network_can_refuse() -> None:
    sure = evidence(CARDS[0], (100, 100))
    unread, unseen = evidence(CARDS[1], (300, 100), readable=0.05), evidence(CARDS[2], (500, 100), score=0.05)
    assert standing([unread, unseen, sure]) == [sure]
    assert standing([unread], VerifyConfig(keep=0.1)) == [unread]
    np.testing.assert_allclose(sureness(unread), (0.05 * 0.95) ** 0.5)


def test_nothing_found_is_nothing_left() -> None:
    assert standing([]) == []
