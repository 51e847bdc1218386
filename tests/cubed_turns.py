"""Turns of random games of Cubed, as two pictures would show them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.cubed_state import CubedState
from engine.events import Event, Laid, Rolled, Swapped
from engine.grid import Square
from engine.tokens import Face, Tile
from engine.turns import Placed
from tests.games import played

__all__ = ["Played", "turns_of"]


@dataclass(frozen=True)
class Played:
    """One turn: the state before its first swap or die and the one after it, who played, the dice, what they scored."""

    before: CubedState
    after: CubedState
    player: str
    dice: tuple[Placed, ...]
    swaps: int
    points: int

    @property
    def names(self) -> dict[Square, Tile]:
        """What the Wilds before stand for."""
        return {at: die.named for at, die in self.before.grid.dice.items() if die.named is not None}

    @property
    def layouts(self) -> tuple[dict[Square, Face], dict[Square, Face]]:
        """What lies there before and after."""
        first, second = ({at: die.face for at, die in state.grid.dice.items()} for state in (self.before, self.after))
        return first, second


def turns_of(seed: int) -> Iterator[Played]:
    """Yield the turns of the random game ``seed`` in which a die was laid or a Wild swapped, and no die was left."""
    referee = played("cubed", seed)
    events = [event for event, _ in referee.counted()]
    states: list[CubedState] = [referee.at(0)]
    for event in events:
        states.append(referee.game.apply(states[-1], event)[0])
    place = 0
    while place < len(events):
        end = place
        while end < len(events) and _goes_on(events[place:end], events[end], states[end]):
            end += 1
        if end > place and not states[end].waiting:
            yield _turn(states[place], states[end], events[place:end])
        place = max(end, place + 1)


def _goes_on(begun: Sequence[Event], event: Event, state: CubedState) -> bool:
    """Return whether ``event`` belongs to the turn that has ``begun``, or begins one."""
    if not begun:
        return isinstance(event, Laid | Swapped)
    player = getattr(begun[0], "player", "")
    rolled = isinstance(event, Rolled) and isinstance(begun[-1], Swapped)
    ended = state.finished is not None and state.players[state.finished] == player
    return not ended and getattr(event, "player", None) == player and (rolled or isinstance(event, Laid | Swapped))


def _turn(before: CubedState, after: CubedState, events: Sequence[Event]) -> Played:
    player = getattr(events[0], "player", "")
    dice = [event for event in events if isinstance(event, Laid)]
    placed = tuple(
        Placed(die.piece, (die.at[0], die.at[1]), die.named) for die in dice if isinstance(die.piece, Face) and die.at
    )
    points = after.score[player] - before.score[player]
    return Played(before, after, player, placed, len([one for one in events if isinstance(one, Swapped)]), points)
