"""The best turns of Cubed, and what a proposed turn scores (CUBED-5 to CUBED-19).

A turn is up to three dice: which, where, and in which order. Swaps are not looked at: what the Wild of a swap will show
is unknown (CUBED-15).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, permutations, product

from engine.clauses import Clause
from engine.cubed_play import Played, judge, ready
from engine.cubed_state import LAID, CubedState
from engine.events import Laid, Line, TurnEnded, Verdict
from engine.game import refuse
from engine.grid import Grid, Square
from engine.reasons import Reason
from engine.sets import code
from engine.tokens import Face, Tile, full_tiles
from engine.turn_search import Found, Position, Search

__all__ = ["Placed", "Proposal", "Turn", "best_turns", "score_turn"]


@dataclass(frozen=True, slots=True)
class Placed:
    """A die of a turn on its square."""

    face: Face
    """What it shows."""
    at: Square
    """Where it comes to lie."""
    named: Tile | None = None
    """What a Wild is announced to stand for (CUBED-14); None for any other die, or if nobody has said it."""

    def laid_by(self, player: str) -> Laid:
        """Return the event of ``player`` laying this die."""
        return Laid(player, self.face, self.at, self.named)


@dataclass(frozen=True, slots=True)
class Turn:
    """Up to three dice, or what is left of a turn that has begun, and what they score."""

    player: str
    """Whose turn it is."""
    dice: tuple[Placed, ...]
    """The dice in the order in which they are laid: of all legal orders the one that scores most (CUBED-19)."""
    lines: tuple[Line, ...]
    """The SETs in the order in which they are made, with what each pays (CUBED-13)."""
    bonus: int
    """What the bonus squares pay (CUBED-16)."""

    @property
    def points(self) -> int:
        """All that the turn scores."""
        return self.bonus + sum(line.points for line in self.lines)

    @property
    def events(self) -> tuple[Laid, ...]:
        """The turn as events, one a die."""
        return tuple(die.laid_by(self.player) for die in self.dice)


@dataclass(frozen=True, slots=True)
class Proposal:
    """What the referee says to a turn of which only the dice are known, not their order (CUBED-19)."""

    turn: Turn | None
    """The legal order that scores most, with the names that score most for Wilds without one; None: there is none."""
    verdicts: tuple[Verdict, ...]
    """The referee's answers to the dice one by one, in that order. Of a refused turn the last one is the refusal, and
    those before it are what would stand without it."""
    state: CubedState
    """The state after the dice; of a refused turn the one before them."""

    @property
    def ok(self) -> bool:
        """Whether the turn stands."""
        return self.turn is not None

    @property
    def verdict(self) -> Verdict:
        """The answer to the last die, or the refusal."""
        return self.verdicts[-1]

    @property
    def points(self) -> int:
        """What the turn scores; 0 if it is refused."""
        return 0 if self.turn is None else self.turn.points


def best_turns(state: CubedState, player: str, k: int = 1) -> tuple[Turn, ...]:
    """Return the ``k`` best turns of ``player``, best first: fewer if there are no more, none if only a pass is left.

    They are those of the hand and the board as they stand. A player in turn who has laid dice gets what may follow
    them. Any other player is answered as if the turn were theirs: none while a die of the present turn waits for its
    SET (CUBED-7). There is none before the first SET (CUBED-4), after the end (CUBED-18), and while dice have to be
    rolled (CUBED-11, CUBED-15).

    Two turns are the same when the same faces, with the same names for the Wilds, come to lie on the same squares. Of
    turns that score the same, the one with fewer Wilds comes first, then the one with fewer dice, then the one whose
    first difference in reading order is the earlier square, then the face that is earlier in the order of the tiles,
    then a die that shows it before a Wild.

    :raises UnknownPlayerError: nobody of that name sits there.
    :raises ValueError: ``k`` is less than 1.
    """
    turn = _as_if_in_turn(state, player)
    position = _position(turn, player)
    if state.waiting and turn is not state:
        position = replace(position, left=0)
    return tuple(_turn(turn, player, _dice_of(position, found)) for found in Search(position).best(k))


def score_turn(state: CubedState, player: str, placements: Collection[Placed], *, ends: bool = True) -> Proposal:
    """Return what the turn scores in which ``player`` lays the dice ``placements``, given in any order (CUBED-19).

    Every order is judged die by die. Of the legal ones that which scores most is taken, of equal ones the first in
    reading order; a Wild without a name takes the one that scores most, of equal ones the earliest tile. If no order
    is legal, the refusal is that of the first check of CUBED-19 which the dice as a whole do not pass: a die is
    unconnected if it is in every order, and a SET is missing only where all dice are connected.

    ``ends``: the dice are all of the turn, so none may be left waiting for its SET (CUBED-7). Without it more may come,
    and a Wild that waits must have a name (CUBED-14).

    :raises UnknownPlayerError: nobody of that name sits there.
    :raises ValueError: there is no die.
    """
    dice = sorted(placements, key=lambda die: (die.at, str(die.face), str(die.named)))
    if not dice:
        raise ValueError(f"a turn has at least one die; got {placements!r}")
    barred = _barred(state, player, dice)
    if barred is not None:
        return Proposal(None, (barred,), state)
    named = _with_names(state, player, dice)
    orders = permutations(_with_any_names(dice) if named is None else named)
    trials = [_trial(state, player, order, ends=ends or named is None) for order in orders]
    legal = [trial for trial in trials if trial.ok]
    if legal:
        return max(legal, key=lambda trial: trial.points)
    refused = _first_broken(state, trials, dice)
    if named is None and refused.verdict.clause is Clause.CUBED_7:
        return Proposal(None, (_no_name(player, dice, ends=ends),), state)
    return refused


def _as_if_in_turn(state: CubedState, player: str) -> CubedState:
    """Return ``state`` if ``player`` is in turn, else the same with no die of this turn laid."""
    return state if state.turn == state.index(player) else replace(state, laid=(), waiting=frozenset())


# The best turns.


def _position(turn: CubedState, player: str) -> Position:
    """Return what the search needs to know; where ``player`` may lay nothing, none is left to lay."""
    hand, grid = turn.hand(player), turn.grid
    wilds = {square for square in turn.laid if grid.dice[square].face.is_wild}
    later = bool(turn.options["wild_counts_later_in_turn"])
    barred = turn.over is not None or turn.missing_rolls
    return Position(
        board=grid.board,
        dice={_number(grid, square): code(die.counted) for square, die in grid.dice.items()},
        bonus={_number(grid, square): points for square, points in grid.board.bonus.items()},
        hand=tuple(code(face) for face in hand if not face.is_wild),
        wilds=sum(face.is_wild for face in hand),
        left=0 if barred else min(LAID - len(turn.laid), len(hand)),
        waiting=_numbers(grid, turn.waiting),
        fresh=_numbers(grid, wilds & turn.waiting if later else ()),
        silent=_numbers(grid, () if later else wilds),
        identical=turn.identical,
        may_wait=turn.may_wait,
        counts_later=later,
    )


def _number(grid: Grid, square: Square) -> int:
    return square[0] * grid.board.columns + square[1]


def _numbers(grid: Grid, squares: Iterable[Square]) -> frozenset[int]:
    return frozenset(_number(grid, square) for square in squares)


def _dice_of(position: Position, found: Found) -> tuple[Placed, ...]:
    """Return the dice that the search has found, in the order in which they are laid."""
    tiles = full_tiles()
    return tuple(
        Placed(Face(None if wild else tiles[face]), position.at(square), tiles[face] if wild else None)
        for square, face, wild in found.laid
    )


def _turn(turn: CubedState, player: str, dice: Sequence[Placed]) -> Turn:
    """Return what ``dice`` make in this order when ``player`` lays them in ``turn``."""
    layings = []
    for die in dice:
        uncounted, identical = turn.uncounted, turn.identical
        laying = turn.grid.lay(die.at, die.face, die.named, uncounted=uncounted, identical=identical)
        waiting = (turn.waiting | {die.at}) - laying.squares
        turn = replace(turn, grid=laying.grid, laid=(*turn.laid, die.at), waiting=waiting)
        layings.append(laying)
    lines = tuple(chain.from_iterable(laying.lines for laying in layings))
    return Turn(player, tuple(dice), lines, sum(laying.bonus for laying in layings))


# A proposed turn.


def _barred(state: CubedState, player: str, dice: Sequence[Placed]) -> Verdict | None:
    """Return why ``player`` may lay nothing now, or not so many dice, or not these."""
    if state.over is not None:
        return refuse(state.over, Reason.GAME_OVER)
    turn = ready(state, dice[0].laid_by(player))
    if isinstance(turn, Verdict):
        return turn
    left = LAID - len(turn.laid)
    if len(dice) > left:
        return refuse(Clause.CUBED_5, Reason.TOO_MANY_DICE, player=player, count=len(dice), due=left)
    absent = Counter(die.face for die in dice) - Counter(turn.hand(player))
    if absent:
        return refuse(Clause.CUBED_5, Reason.NOT_IN_HAND, player=player, piece=next(iter(absent)))
    return None


def _trial(state: CubedState, player: str, order: Sequence[Placed], *, ends: bool) -> Proposal:
    """Judge the dice in this order."""
    now, verdicts = state, list[Verdict]()
    for die in order:
        now, verdict = _judged(now, die.laid_by(player))
        verdicts.append(verdict)
        if not verdict.ok:
            return Proposal(None, tuple(verdicts), state)
    if ends and now.waiting:
        return Proposal(None, (*verdicts, _judged(now, TurnEnded(player))[1]), state)
    return Proposal(_turn(_as_if_in_turn(state, player), player, order), tuple(verdicts), now)


def _judged(state: CubedState, event: Laid | TurnEnded) -> Played:
    played = judge(state, event)
    assert played is not None  # noqa: S101  both are events of Cubed
    return played


_IN_ANY_ORDER = (Reason.NAME_WITHOUT_WILD, Reason.OFF_BOARD, Reason.SQUARE_TAKEN)
"""What is wrong with a die in whatever order, as CUBED-19 asks for it."""


def _first_broken(state: CubedState, trials: Sequence[Proposal], dice: Sequence[Placed]) -> Proposal:
    for reason in _IN_ANY_ORDER:
        for trial in trials:
            if trial.verdict.reason is reason:
                return trial
    lonely = _cannot_connect(state.grid, {die.at for die in dice})
    fitting = (trial for trial in trials if (trial.verdict.reason is Reason.UNCONNECTED) is lonely)
    return max(fitting, key=lambda trial: len(trial.verdicts))


def _cannot_connect(grid: Grid, squares: set[Square]) -> bool:
    """Return whether some of ``squares`` are joined to no die on the board, not even through the others."""
    reached = set(grid.dice)
    while near := {square for square in squares - reached if reached.intersection(grid.board.neighbours(square))}:
        reached |= near
    return not squares <= reached


def _with_any_names(dice: Sequence[Placed]) -> list[Placed]:
    return [replace(die, named=full_tiles()[0]) if _lacks_name(die) else die for die in dice]


def _lacks_name(die: Placed) -> bool:
    return die.face.is_wild and die.named is None


def _with_names(state: CubedState, player: str, dice: Sequence[Placed]) -> list[Placed] | None:
    """Return the dice, each Wild without a name having the one that scores most; None: no name makes a turn of them."""
    if not any(map(_lacks_name, dice)):
        return list(dice)
    position = _position(_as_if_in_turn(state, player), player)
    search = Search(position)
    names = (range(len(full_tiles())) if _lacks_name(die) else (_code(die),) for die in dice)
    squares = [(position.square(die.at), die.face.is_wild) for die in dice]
    rated = (
        search.rate(tuple((square, face, wild) for (square, wild), face in zip(squares, faces, strict=True)))
        for faces in product(*names)
    )
    best = min((found for found in rated if found is not None), default=None)
    if best is None:
        return None
    tiles = full_tiles()
    return [
        replace(die, named=tiles[face]) if _lacks_name(die) else die
        for die, (_, face, _) in zip(dice, best.placements, strict=True)
    ]


def _code(die: Placed) -> int:
    return code(die.face) if die.named is None else code(die.named)


def _no_name(player: str, dice: Sequence[Placed], *, ends: bool) -> Verdict:
    """Return the verdict on a Wild without a name for which none makes a SET: if it may wait, it must be named."""
    wild = next(die for die in dice if _lacks_name(die))
    if not ends:
        return refuse(Clause.CUBED_14, Reason.WILD_UNNAMED, player=player)
    return refuse(Clause.CUBED_7, Reason.NO_LINE, piece=wild.face, at=wild.at)
