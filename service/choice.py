"""Cards, or dice and tiles: which of the two readers to believe where nobody says what lies on the table."""

from __future__ import annotations

from dataclasses import dataclass
from math import dist
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.types import Frame, Quad, Reading

__all__ = ["ChoiceConfig", "all_cards", "better"]


@dataclass(frozen=True)
class ChoiceConfig:
    """``few`` readings or more, of which the share ``nearly_all`` are cards without a doubt, are cards; ``square``: the
    least ratio of the sides of a die or a tile where a card is seen too (a card's is 0.65, seen from above); ``near``:
    how far apart the middles of the same piece may be, in short sides of the card.
    """

    few: int = 3
    nearly_all: float = 0.9
    square: float = 0.8
    near: float = 0.5


def all_cards(cards: Frame, config: ChoiceConfig | None = None) -> bool:
    """Return whether so many ``cards`` are read without a doubt that nobody needs to look for dice and tiles."""
    config = config or ChoiceConfig()
    return len(cards) >= config.few and len(_sure_cards(cards)) >= config.nearly_all * len(cards)


def better(cards: Frame, faces: Frame, config: ChoiceConfig | None = None) -> Frame:
    """Return what tells more of one photo: its ``cards``, or its dice and tiles, ``faces``.

    Each is as good as the pieces that it reads without a doubt. Beside a card a Wild counts for nothing, since print of
    any kind may look like one, nor does what is as oblong as the card that is seen in the same spot. Where all is in
    doubt, confidence tells.
    """
    config = config or ChoiceConfig()
    known, seen = _sure_cards(cards), [reading for reading in faces if reading.doubt is None]
    if known:
        seen = [face for face in seen if face.name != "wild" and not _is_card(face, known, config)]
    if known or seen:
        return faces if len(seen) > len(known) else cards
    return faces if _confidence(faces) > _confidence(cards) else cards


def _sure_cards(frame: Frame) -> list[Reading]:
    return [reading for reading in frame if reading.doubt is None and reading.kind.value == "card"]


def _confidence(frame: Frame) -> float:
    return sum(reading.confidence for reading in frame)


def _is_card(face: Reading, cards: Sequence[Reading], config: ChoiceConfig) -> bool:
    """Return whether ``face`` is as oblong as a card and lies where one of ``cards`` does."""
    if _ratio(face.quad) >= config.square:
        return False
    return any(_apart(face.quad, card.quad) < config.near * card.quad.short_side for card in cards)


def _ratio(quad: Quad) -> float:
    """Return the shorter by the longer side; corners of a die come in any order."""
    sides = sorted((quad.short_side, quad.long_side))
    return sides[0] / max(sides[1], 1e-6)


def _apart(one: Quad, other: Quad) -> float:
    return dist(one.centre.tolist(), other.centre.tolist())
