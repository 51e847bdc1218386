"""What a moment shows in terms of a game."""

from __future__ import annotations

from engine.tokens import Card
from service.live.seen import seen_in, without_doubts
from tests.fake_moments import moment, track
from vision.types import Doubt

OVAL, WAVE = Card.parse("2 red solid oval"), Card.parse("3 purple open squiggle")


def test_what_is_in_doubt_and_lies_elsewhere_is_not_the_piece_that_lay_there() -> None:
    base = seen_in(moment(1.0, [track(1, OVAL), track(2, WAVE)]), "card", on_board=False)
    print_like_it = track(9, WAVE, doubt=Doubt.LOW_CONFIDENCE)
    seen = seen_in(moment(2.0, [track(1, OVAL), print_like_it]), "card", on_board=False)
    assert set(without_doubts(seen, base).layout.values()) == {OVAL}
    stays = seen_in(moment(2.0, [track(1, OVAL), track(2, WAVE, doubt=Doubt.LOW_CONFIDENCE)]), "card", on_board=False)
    assert without_doubts(stays, base) is stays
