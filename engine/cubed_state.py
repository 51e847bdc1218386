"""Where a game of Cubed stands: the grid, the hands, whose turn it is, and which rolls are due.

The pouch is not stored: what is neither on the board nor in a hand is in it (CUBED-1).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from engine.clauses import Clause
from engine.game import State
from engine.grid import Grid, Square
from engine.tokens import Face

__all__ = ["DICE", "HAND", "LAID", "CubedState", "Phase"]

DICE = 42
"""Dice of the game (CUBED-1)."""
HAND = 5
"""Dice of a full hand (CUBED-3)."""
LAID = 3
"""Most dice of a turn (CUBED-5)."""


class Phase(StrEnum):
    """What the table is doing."""

    OPENING = "opening"
    """All roll, until one of them announces the first SET (CUBED-3)."""
    REFILL = "refill"
    """A round is over: hands are filled up, then dice may be rolled again (CUBED-11)."""
    ROLL_ALL = "roll all"
    """A round is over in which nobody laid a die: all roll everything again (CUBED-10)."""
    PLAY = "play"
    """Turns are taken (CUBED-5)."""

    @property
    def roll_clause(self) -> Clause:
        """The clause by which dice are rolled; in the middle of a turn only a swapped Wild is."""
        return _ROLL_CLAUSES[self]


_ROLL_CLAUSES: Mapping[Phase, Clause] = {
    Phase.OPENING: Clause.CUBED_3,
    Phase.REFILL: Clause.CUBED_11,
    Phase.ROLL_ALL: Clause.CUBED_10,
    Phase.PLAY: Clause.CUBED_15,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CubedState(State):
    """Where a game of Cubed stands. Players are counted from 0, in the order of the seats."""

    grid: Grid
    """The board and the dice on it."""
    hands: tuple[tuple[Face, ...], ...]
    """The faces in each hand, as they were rolled."""
    unrolled: tuple[int, ...]
    """How many more dice each player holds that have to be rolled before play goes on."""
    phase: Phase = Phase.OPENING
    """What the table is doing."""
    leader: int | None = None
    """Who announced the first SET and so begins every round (ALL-1); None until then."""
    taken: int = 0
    """How many turns of this round are over."""
    laid: tuple[Square, ...] = ()
    """Where the dice of this turn lie, in the order in which they were laid."""
    waiting: frozenset[Square] = frozenset()
    """The dice of this turn that no SET holds yet (CUBED-7)."""
    swaps: int = 0
    """How many Wilds were swapped in this turn (CUBED-15)."""
    placed: bool = False
    """Whether a die was laid or the first SET announced in this round (CUBED-10)."""
    rerolls: frozenset[int] = frozenset()
    """Who has not used the reroll of this round (CUBED-11)."""
    last_round: bool = False
    """Whether a player has no dice left: the game ends with this round (CUBED-18)."""
    finished: int | None = None
    """Whose turn has just ended by itself, until someone else does something (CUBED-19)."""

    @property
    def turn(self) -> int | None:
        """Whose turn it is, or comes next once all have rolled; None before the first SET."""
        return None if self.leader is None else (self.leader + self.taken) % len(self.players)

    @property
    def following(self) -> int | None:
        """Whose turn comes after this one; None before the first SET."""
        return None if self.turn is None else (self.turn + 1) % len(self.players)

    @property
    def pouch(self) -> int:
        """How many dice are in the pouch; dice that are drawn and not yet rolled are no longer in it."""
        return DICE - len(self.grid.dice) - sum(map(len, self.hands)) - sum(self.unrolled)

    @property
    def missing_rolls(self) -> tuple[str, ...]:
        """Who has to roll before play goes on."""
        return tuple(name for name, many in zip(self.players, self.unrolled, strict=True) if many)

    @property
    def identical(self) -> bool:
        """Whether three identical dice are a SET at this table (CUBED-17)."""
        return bool(self.options["identical_dice_are_set"])

    @property
    def uncounted(self) -> frozenset[Square]:
        """Where a Wild of this turn does not count in the next SET (CUBED-13), for :meth:`Grid.lay`."""
        return self.waiting if self.options["wild_counts_later_in_turn"] else frozenset(self.laid)

    @property
    def may_wait(self) -> bool:
        """Whether a die may wait for the next ones of its turn (CUBED-7)."""
        return bool(self.options["waiting_dice"])

    @property
    def swaps_left(self) -> bool:
        """Whether the player in turn may swap another Wild (CUBED-15)."""
        most = self.options["swaps_per_turn"]
        return most is None or self.swaps < int(most)

    def hand(self, player: str) -> tuple[Face, ...]:
        """Return the faces in the hand of ``player``.

        :raises UnknownPlayerError: nobody of that name sits there.
        """
        return self.hands[self.index(player)]

    def with_hand(self, seat: int, faces: tuple[Face, ...]) -> tuple[tuple[Face, ...], ...]:
        """Return all hands, the one of ``seat`` being ``faces``."""
        return (*self.hands[:seat], faces, *self.hands[seat + 1 :])

    def with_unrolled(self, seat: int, many: int) -> tuple[int, ...]:
        """Return who has to roll how many dice, ``seat`` having ``many``."""
        return (*self.unrolled[:seat], many, *self.unrolled[seat + 1 :])
