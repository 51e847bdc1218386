"""What explains a change on the board of Cubed: dice laid, Wilds swapped, the first SET."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from engine.changes import BoardChange, look_at_board
from engine.clauses import Clause
from engine.cubed import Cubed, namings
from engine.cubed_state import LAID, CubedState
from engine.events import Announced, Event, Rolled, Swapped
from engine.explained import Explained, Note, Part, Plan, Problem, best_view, collect, join, odd, play, problem
from engine.grid import Die, Grid, Square
from engine.layout import Layout, Spot
from engine.reasons import Chosen, Oddity
from engine.tokens import Face, Piece, Tile, full_tiles
from engine.turns import Placed, Turn, score_turn

__all__ = ["explain_cubed"]

Dice = Mapping[Square, Face]
"""Dice that are new on the board."""

Names = tuple[Tile, ...]
"""What the Wilds among some dice stand for, in reading order."""


def explain_cubed(before: Layout, after: Layout, state: CubedState, game: Cubed) -> Explained:
    """Return what explains the change on the board of Cubed.

    Dice are laid by the player in turn, or by the next one if the turn can end, in the legal order that scores most.
    What a Wild stands for is not to be seen: every name that fits is a candidate, the one that scores most first.
    """
    board: dict[Spot, Piece] = {square: die.face for square, die in state.grid.dice.items()}
    looked, views = look_at_board(before, after, board, game.edition.deck, once=False)
    part = best_view(views, _Cubed(game, state).explain)
    return Explained(part.candidates, looked.moved, (*looked.problems, *part.problems), part.more)


@dataclass(frozen=True, slots=True)
class _Cubed:
    """A state of Cubed, and its game."""

    game: Cubed
    state: CubedState

    def explain(self, change: BoardChange) -> Part:
        problems, new = self._odd_dice(change)
        swaps: dict[Square, Face] = {}
        for square, die in self.state.grid.dice.items():
            old, now = change.changed.get(square, (None, None))
            if isinstance(now, Face) and now.tile is not None and now.tile == die.named:
                swaps[square] = now
            elif old is not None and now is not None:
                problems.append(problem(Oddity.CHANGED, (old, now), old=old, new=now))
        return self._play(swaps, new).with_problems(*problems)

    def _odd_dice(self, change: BoardChange) -> tuple[list[Problem], dict[Square, Face]]:
        """Return what dice that were moved, vanished or lie beside the board make odd, and the dice that are new."""
        problems, new = list[Problem](), dict[Square, Face]()
        for at, piece in change.new.items():
            if isinstance(at, tuple) and self.state.grid.board.holds(at) and isinstance(piece, Face):
                new[(at[0], at[1])] = piece
            else:
                problems.append(problem(Oddity.OFF_BOARD, (piece,), piece=piece, at=at))
        for start, piece in change.gone.items():
            end = next((at for at, face in new.items() if face == piece), None)
            if end is None:
                problems.append(problem(Oddity.VANISHED, (piece,)))
            else:
                del new[end]
                problems.append(problem(Oddity.MOVED, (piece,), piece=piece, start=start, at=end))
        return problems, new

    def _play(self, swaps: Dice, new: Dice) -> Part:
        if not swaps and not new:
            return Part()
        if self.state.leader is None:
            return self._first_set(new)
        if swaps:
            return self._swapped(swaps, new)
        return self._first_that_fit([self._turn(self.state, (), player, new) for player in self._players])

    @property
    def _players(self) -> tuple[str, ...]:
        """Who may play: the player in turn, and the next one where the turn has begun and so can end (CUBED-5)."""
        seats = [self.state.turn or 0]
        if self.state.laid and self.state.following is not None:
            seats.append(self.state.following)
        return tuple(self.state.players[seat] for seat in seats)

    def _first_that_fit(self, parts: list[Part]) -> Part:
        """Return the parts that explain anything, together; if none does, the first."""
        fitting = [part for part in parts if part.candidates]
        return join(fitting) if fitting else parts[0]

    # The first SET.

    def _first_set(self, new: Dice) -> Part:
        logo = self.state.grid.board.logo
        if set(new) < set(logo) or not set(logo) <= set(new):
            return Part(problems=(problem(Oddity.LOGO, new.values()),))
        faces = tuple(new[square] for square in logo)
        plans = [(Announced(player, faces, names),) for player in self.state.players for names in namings(faces)]
        part = collect(self.game, self.state, plans).refused(faces)
        rest = {square: face for square, face in new.items() if square not in logo}
        return part.with_problems(problem(Oddity.LOGO, rest.values())) if rest else part

    # Swaps.

    def _swapped(self, swaps: Dice, new: Dice) -> Part:
        """Explain Wilds swapped: one of them, as what it shows when rolled is rarely to be seen."""
        plans = [(Swapped(player, face, at),) for player in self._players for at, face in swaps.items()]
        part = collect(self.game, self.state, plans).refused(swaps.values())
        if len(swaps) == 1 and not new:
            return part
        if len(swaps) == 1:
            rolled = [self._after_swap(candidate.events, new) for candidate in part.candidates]
            known = [found for found in rolled if found is not None]
            if known:
                return self._first_that_fit(known)
        rest = {at: face for at, face in swaps.items() if len(swaps) > 1} | dict(new)
        return part.with_problems(problem(Oddity.ROLL_UNKNOWN, rest.values()))

    def _after_swap(self, events: Plan, new: Dice) -> Part | None:
        """Explain dice laid after a swap, where one of them can only be the Wild that was rolled; else None."""
        state, _ = play(self.game, self.state, events)
        (swap,) = events
        player = swap.player if isinstance(swap, Swapped) else ""
        hand = state.hand(player)
        missing = Counter(new.values()) - Counter(hand)
        if missing.total() != 1:
            return None
        start: tuple[Event, ...] = (*events, Rolled(player, (*hand, *missing)))
        state, _ = play(self.game, self.state, start)
        return self._turn(state, start, player, new)

    # Dice laid.

    def _turn(self, state: CubedState, start: Plan, player: str, dice: Dice) -> Part:
        """Explain up to three dice by one player, after ``start``, which has led to ``state``."""
        unnamed = _placed(dice)
        wilds = sum(face.is_wild for face in dice.values())
        found: list[Turn] = []
        for names in product(full_tiles(), repeat=wilds) if len(dice) <= LAID else ():
            placed = _placed(dice, names)
            if wilds == LAID and not _all_in_sets(state.grid, placed):
                continue
            proposal = score_turn(state, player, placed, ends=False)
            if proposal.turn is not None:
                found.append(proposal.turn)
            elif proposal.verdict.clause is not Clause.CUBED_7:
                break
        if not found:
            refusal = score_turn(state, player, unnamed, ends=bool(wilds)).verdict
            return Part(problems=(odd(refusal, dice.values()),))
        found.sort(key=lambda turn: turn.points, reverse=True)
        plans = [(*start, *turn.events) for turn in found]
        return collect(self.game, self.state, plans, _notes(found))


def _notes(turns: Sequence[Turn]) -> tuple[Note, ...]:
    """Return what was chosen for the first of ``turns``, which differ in the names of their Wilds."""
    dice = turns[0].dice
    names = tuple(die.named for die in dice if die.named is not None)
    order = (Note(Chosen.ORDER),) if len(dice) > 1 else ()
    return (*order, Note(Chosen.NAMES, {"names": names, "others": len(turns) - 1})) if names else order


def _placed(dice: Dice, names: Names | None = None) -> tuple[Placed, ...]:
    """Return ``dice`` in reading order; the Wilds take ``names``, if any."""
    left = iter(names or ())
    return tuple(Placed(face, at, next(left, None) if face.is_wild else None) for at, face in sorted(dice.items()))


def _all_in_sets(grid: Grid, placed: Sequence[Placed]) -> bool:
    """Return whether each of the dice is in a SET when all lie: three Wilds have 19,683 namings, most are none."""
    full = Grid(grid.board, {**grid.dice, **{die.at: Die(die.face, die.named) for die in placed}})
    return all(full.sets_through(die.at) for die in placed)
