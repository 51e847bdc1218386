"""How much the referee may tell about the SETs that lie there (CLASSIC-7): one enum everywhere."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["HintLevel"]


class HintLevel(StrEnum):
    """Hint levels, each telling more than the one before."""

    NEVER = "never"
    YES_NO = "yes-no"
    COUNT = "count"
    ONE = "one"
    TWO = "two"
    THREE = "three"

    @property
    def rank(self) -> int:
        """Place in the order, 0 for ``NEVER``."""
        return tuple(HintLevel).index(self)

    @property
    def pieces(self) -> int:
        """How many pieces of a SET it shows, 0 to 3."""
        return max(0, self.rank - HintLevel.COUNT.rank)

    def allows(self, asked: HintLevel) -> bool:
        """Return whether a table with this level answers a question of level ``asked``."""
        return asked.rank <= self.rank
