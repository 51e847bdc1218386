"""What was played on a board of Cubed between two pictures of it: what changed, whether it stands, what it scores.

Only the dice of a turn are seen, not their order (CUBED-19), nor what the Wilds on the board stand for (CUBED-14). A
SET that rests on a Wild of which nobody has said that is *open*: it pays nothing, and what it could pay is told apart.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from math import prod
from typing import Generic, TypeVar

from engine.clauses import Clause
from engine.cubed import namings
from engine.cubed_play import judge
from engine.cubed_state import CubedState
from engine.events import Announced, Swapped, Verdict
from engine.game import refuse
from engine.grid import Die, Grid, Square, Window
from engine.reasons import Reason
from engine.sets import third
from engine.tokens import Face, Piece, Tile, full_tiles
from engine.turns import Placed, Proposal, Turn, best_turns, score_turn

__all__ = [
    "Change",
    "Move",
    "OpenLine",
    "Scored",
    "best_sure_turn",
    "changes",
    "fitting_names",
    "score_between",
    "score_first_set",
    "swap_between",
]

P = TypeVar("P", bound=Piece)
S = TypeVar("S", bound=tuple[int, ...])

_MOST_TRIALS = 100
"""Most ways that are tried of naming the Wilds on the board."""
_MOST_TURNS = 32
"""Best turns that are looked at where Wilds on the board have no name."""


@dataclass(frozen=True, slots=True)
class Move(Generic[S, P]):
    """A piece that lies elsewhere now."""

    piece: P
    """Which."""
    start: S
    """Where it lay."""
    end: S
    """Where it lies."""


@dataclass(frozen=True, slots=True)
class Change(Generic[S, P]):
    """What differs between two layouts of one board, by place in reading order."""

    new: Mapping[S, P]
    """What lies now where nothing lay."""
    changed: Mapping[S, tuple[P, P]]
    """What lay and what lies where another piece lies now."""
    moved: tuple[Move[S, P], ...]
    """What is gone from its place and new on another one."""
    gone: Mapping[S, P]
    """What is gone, and is nowhere new."""


def changes(before: Mapping[S, P], after: Mapping[S, P]) -> Change[S, P]:
    """Return what differs between the pieces ``before`` and ``after``, by place."""
    new = {at: after[at] for at in sorted(after) if at not in before}
    gone = {at: before[at] for at in sorted(before) if at not in after}
    changed = {at: (before[at], after[at]) for at in sorted(before) if at in after and before[at] != after[at]}
    moved: list[Move[S, P]] = []
    for start, piece in gone.items():
        end = next((at for at, other in new.items() if other == piece), None)
        if end is not None:
            moved.append(Move(new.pop(end), start, end))
    left = {move.start for move in moved}
    return Change(new, changed, tuple(moved), {at: piece for at, piece in gone.items() if at not in left})


@dataclass(frozen=True, slots=True)
class OpenLine:
    """Three squares that are a SET or none, as a Wild has it of which nobody has said what it stands for."""

    at: Window
    """The squares."""
    wilds: tuple[Square, ...]
    """Those on which such a Wild lies."""
    needs: Tile | None
    """What the Wild has to stand for to make it a SET; None where there are two or three such Wilds."""


@dataclass(frozen=True, slots=True)
class Scored:
    """What the referee says to the dice of a turn, where Wilds on the board may stand for anything."""

    turn: Turn | None
    """The dice in the order that is taken, and the SETs that are sure; None: they do not stand."""
    verdicts: tuple[Verdict, ...]
    """The referee's answers to the dice one by one; the last one of a turn that does not stand is the refusal. None
    where it is not sure that it stands."""
    sure: bool = True
    """Whether it stands, or does not, whatever those Wilds stand for."""
    open: tuple[OpenLine, ...] = ()
    """The SETs that rest on them."""
    more: int = 0
    """How many points more the turn is worth at most."""


def score_between(
    state: CubedState, player: str, dice: Sequence[Placed], unknown: Collection[Square] = frozenset()
) -> Scored:
    """Return what the turn scores that lays ``dice``, as :func:`engine.turns.score_turn` does (CUBED-19).

    ``unknown`` are squares of Wilds whose names in ``state`` are only stand-ins. The order and the names of new Wilds
    are those that score most with the SETs that are sure; where these do not carry the turn, with the open ones too.

    :raises UnknownPlayerError: nobody of that name sits there.
    :raises ValueError: there is no die.
    """
    table = _Table(state, player, tuple(dice), frozenset(unknown))
    resting = table.resting()
    proposal = table.best_sure(resting) if resting else score_turn(state, player, dice)
    if not resting:
        return Scored(proposal.turn, proposal.verdicts)
    hopes = table.hopes(resting)
    best = max(hopes, key=lambda turn: turn.points, default=None)
    if proposal.turn is not None:
        lines = table.open_lines(resting, proposal.turn.dice)
        most = best.points if lines and best is not None else proposal.points
        return Scored(proposal.turn, proposal.verdicts, open=lines, more=max(0, most - proposal.points))
    if best is None:
        return Scored(None, table.told(resting, proposal.verdicts))
    turn = replace(best, lines=tuple(line for line in best.lines if not table.unknown.intersection(line.at)))
    return Scored(turn, (), False, table.open_lines(resting, best.dice), best.points - turn.points)


def fitting_names(grid: Grid, unknown: Collection[Square], *, identical: bool = True) -> dict[Square, frozenset[Tile]]:
    """Return what each Wild on the squares ``unknown`` can stand for: it has been laid into a SET (CUBED-7).

    That SET still lies, for a die that is swapped in shows the same features (CUBED-15).
    """
    found: dict[Square, frozenset[Tile]] = {}
    for square in unknown:
        names: set[Tile] = set()
        for window in grid.full_windows(square):
            others = [other for other in window if other != square]
            if any(other in unknown for other in others):
                names |= set(full_tiles())
            elif identical or grid.dice[others[0]].counted != grid.dice[others[1]].counted:
                names.add(_completing(grid.dice, others))
        found[square] = frozenset(names or full_tiles())
    return found


def _completing(dice: Mapping[Square, Die], squares: Sequence[Square]) -> Tile:
    """Return what makes a SET with the dice on two ``squares``."""
    first, second = (dice[square].named or dice[square].face.tile for square in squares)
    assert first is not None  # noqa: S101  a die without a name is no Wild
    assert second is not None  # noqa: S101
    return third(first, second)


@dataclass(frozen=True, slots=True)
class _Table:
    """A turn about to be scored."""

    state: CubedState
    player: str
    dice: tuple[Placed, ...]
    unknown: frozenset[Square]

    def resting(self) -> tuple[Window, ...]:
        """Return the full windows that hold a new die and a Wild without a name."""
        grid, new = self.state.grid, {die.at for die in self.dice}
        if not self.unknown or not all(grid.board.holds(at) and at not in grid.dice for at in new):
            return ()
        full = {*grid.dice, *new}
        windows = {window for at in new for window in grid.board.windows(at)}
        return tuple(sorted(one for one in windows if full.issuperset(one) and self.unknown.intersection(one)))

    # With the SETs that are sure.

    def best_sure(self, resting: Sequence[Window]) -> Proposal:
        """Return the best turn of the SETs that are sure, or the refusal where they do not carry it."""
        carried = islice(filter(self._carried, self._namings()), _MOST_TRIALS)
        proposals = (self._silent(resting, dice) for dice in carried)
        best = max((one for one in proposals if one.ok), key=lambda one: one.points, default=None)
        return best or self._silent(resting, next(self._namings()))

    def _namings(self) -> Iterator[tuple[Placed, ...]]:
        """Yield the dice with every name for those Wilds that have none."""
        lacking = [die.face.is_wild and die.named is None for die in self.dice]
        for names in product(full_tiles(), repeat=sum(lacking)):
            left = iter(names)
            yield tuple(
                replace(die, named=next(left)) if lacks else die for die, lacks in zip(self.dice, lacking, strict=True)
            )

    def _carried(self, dice: Sequence[Placed]) -> bool:
        """Return whether each die is in a SET that is sure when all lie."""
        grid = Grid(self.state.grid.board, self._lying(dice))
        return all(
            any(not self.unknown.intersection(one) for one in grid.sets_through(die.at, identical=self.state.identical))
            for die in dice
        )

    def _lying(self, dice: Sequence[Placed]) -> dict[Square, Die]:
        new = {die.at: Die(die.face, die.named if die.face.is_wild else None) for die in dice}
        return {**self.state.grid.dice, **new}

    def _silent(self, resting: Sequence[Window], dice: Sequence[Placed]) -> Proposal:
        """Score the dice with names for the Wilds without one that make no SET at all."""
        lying, names, free = self._lying(dice), dict[Square, Tile](), set(self.unknown)
        for square in sorted(self.unknown):
            free.discard(square)
            windows = [window for window in resting if square in window and not free.intersection(window)]
            barred = {_completing(lying, [other for other in window if other != square]) for window in windows}
            names[square] = next(tile for tile in full_tiles() if tile not in barred)
            lying[square] = Die(Face(None), names[square])
        return score_turn(self._named(names), self.player, dice)

    def _named(self, names: Mapping[Square, Tile]) -> CubedState:
        grid = self.state.grid
        dice = {**grid.dice, **{square: Die(Face(None), name) for square, name in names.items()}}
        return replace(self.state, grid=Grid(grid.board, dice))

    def told(self, resting: Sequence[Window], verdicts: tuple[Verdict, ...]) -> tuple[Verdict, ...]:
        """Return ``verdicts`` without what a stand-in would have to do with the refusal."""
        last = verdicts[-1]
        at = last.facts.get("at")
        if last.clause is not Clause.CUBED_7 or not any(at in window for window in resting):
            return verdicts
        facts = last.facts
        refusal = refuse(Clause.CUBED_7, Reason.DIE_LEFT_WAITING, piece=facts["piece"], at=facts["at"])
        return (*verdicts[:-1], refusal)

    # With those that are open.

    def hopes(self, resting: Sequence[Window]) -> list[Turn]:
        """Return the turns that the dice are, as the Wilds without a name may stand for one thing or another."""
        squares = sorted(self.unknown.intersection(square for window in resting for square in window))
        names = self._fits(squares, resting)
        trials = islice(product(*(names[square] for square in squares)), _MOST_TRIALS)
        states = (self._named(dict(zip(squares, chosen, strict=True))) for chosen in trials)
        proposals = [score_turn(state, self.player, self.dice) for state in states]
        return [proposal.turn for proposal in proposals if proposal.turn is not None]

    def _fits(self, squares: Sequence[Square], resting: Sequence[Window]) -> dict[Square, list[Tile]]:
        """Return the names that fit; where they are too many to try all, those that a SET here asks for."""
        fits = fitting_names(self.state.grid, self.unknown, identical=self.state.identical)
        names = {square: sorted(fits[square]) for square in squares}
        if prod(map(len, names.values())) <= _MOST_TRIALS:
            return names
        lines = self.open_lines(resting, next(self._namings()))
        few = {square: dict.fromkeys(names[square][:1]) for square in squares}
        for line in lines:
            if line.needs is not None:
                few[line.wilds[0]][line.needs] = None
        return {square: list(few[square]) for square in squares}

    def open_lines(self, resting: Sequence[Window], dice: Sequence[Placed]) -> tuple[OpenLine, ...]:
        """Return which of the windows ``resting`` may be SETs with ``dice``, all of whose Wilds have names."""
        fits = fitting_names(self.state.grid, self.unknown, identical=self.state.identical)
        lying, lines = self._lying(dice), list[OpenLine]()
        for window in resting:
            wilds = tuple(square for square in window if square in self.unknown)
            if len(wilds) > 1:
                lines.append(OpenLine(window, wilds, None))
                continue
            first, second = (lying[square] for square in window if square not in wilds)
            needs = _completing(lying, [square for square in window if square not in wilds])
            if needs in fits[wilds[0]] and (self.state.identical or first.counted != second.counted):
                lines.append(OpenLine(window, wilds, needs))
        return tuple(lines)


def best_sure_turn(state: CubedState, player: str, unknown: Collection[Square] = frozenset()) -> Scored | None:
    """Return the best turn of ``player`` by the SETs that are sure; None if only a pass is left.

    ``unknown`` as in :func:`score_between`. With such Wilds only the best turns are looked at that the stand-ins allow.

    :raises UnknownPlayerError: nobody of that name sits there.
    """
    turns = best_turns(state, player, _MOST_TURNS if unknown else 1)
    scored = [score_between(state, player, turn.dice, unknown) for turn in turns]
    sure = [one for one in scored if one.sure and one.turn is not None]
    return max(sure, key=lambda one: one.turn.points if one.turn else 0, default=None)


def score_first_set(
    state: CubedState, player: str, faces: Sequence[Face], names: Sequence[Tile | None] = (None, None, None)
) -> Scored:
    """Return what the first SET scores that ``player`` lays on the logo in this order (CUBED-3, CUBED-4).

    A Wild without one of the ``names`` takes the first that makes a SET: all score the same.

    :raises UnknownPlayerError: nobody of that name sits there.
    """
    told = [name for face, name in zip(faces, names, strict=True) if face.is_wild]
    fitting = [
        chosen
        for chosen in namings(tuple(faces))
        if all(name in (None, one) for name, one in zip(told, chosen, strict=True))
    ]
    chosen = fitting[0] if fitting else tuple(name or full_tiles()[0] for name in told)
    played = judge(state, Announced(player, tuple(faces), chosen))
    assert played is not None  # noqa: S101  an event of Cubed
    verdict = played[1]
    left = iter(chosen)
    dice = [
        Placed(face, at, next(left) if face.is_wild else None)
        for face, at in zip(faces, state.grid.board.logo, strict=True)
    ]
    return Scored(Turn(player, tuple(dice), verdict.sets, 0) if verdict.ok else None, (verdict,))


def swap_between(
    state: CubedState, player: str, at: Square, face: Face, *, known: bool = True
) -> tuple[CubedState, Verdict]:
    """Return the state after ``player`` has swapped the Wild on ``at`` for ``face``, and the verdict (CUBED-15).

    The Wild is rolled at once: what it shows is not seen. ``known``: the Wild's name in ``state`` is no stand-in, else
    it is taken to stand for ``face``. A refusal gives back the state as it was.

    :raises UnknownPlayerError: nobody of that name sits there.
    """
    before = state
    if not known and face.tile is not None:
        dice = {**state.grid.dice, at: Die(Face(None), face.tile)}
        before = replace(state, grid=Grid(state.grid.board, dice))
    played = judge(before, Swapped(player, face, at))
    assert played is not None  # noqa: S101  an event of Cubed
    after, verdict = played
    if not verdict.ok:
        return state, verdict
    return replace(after, unrolled=after.with_unrolled(after.index(player), 0)), verdict
