"""What was played on a board of Cubed between two pictures of it: what changed, whether it stands, what it scores.

Only the dice of a turn are seen, not their order (CUBED-19), nor what the Wilds on the board stand for (CUBED-14). A
SET that rests on a Wild of which nobody has said that is *open*: it pays nothing, and what it could pay is told apart.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from typing import Generic, TypeVar

from engine.clauses import Clause
from engine.cubed import namings
from engine.cubed_play import judge
from engine.cubed_state import CubedState
from engine.events import Announced, Swapped, Verdict
from engine.game import refuse
from engine.grid import CubedBoard, Die, Grid, Square, Window
from engine.reasons import Reason
from engine.sets import is_set, third
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
    "unexplained",
]

P = TypeVar("P", bound=Piece)
S = TypeVar("S", bound=tuple[int, ...])

_MOST_NAMINGS = 1000
"""Most ways that are looked at of naming the Wilds of a turn and those beside it."""
_MOST_TRIALS = 20
"""Most of them that are scored."""
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
    if not resting:
        proposal = score_turn(state, player, dice)
        return Scored(proposal.turn, proposal.verdicts)
    sure, best = table.best_sure(resting), table.best_hope()
    if sure.turn is not None:
        lines = table.open_lines(resting, sure.turn.dice)
        more = best.points - sure.points if lines and best is not None else 0
        return Scored(sure.turn, sure.verdicts, open=lines, more=max(0, more))
    if best is None:
        return Scored(None, _without_stand_ins(resting, sure.verdicts))
    turn = replace(best, lines=tuple(line for line in best.lines if not table.unknown.intersection(line.at)))
    return Scored(turn, (), False, table.open_lines(resting, best.dice), best.points - turn.points)


def _without_stand_ins(resting: Sequence[Window], verdicts: tuple[Verdict, ...]) -> tuple[Verdict, ...]:
    """Return ``verdicts`` without what a stand-in would have to do with the refusal."""
    facts = verdicts[-1].facts
    if verdicts[-1].clause is not Clause.CUBED_7 or not any(facts["at"] in window for window in resting):
        return verdicts
    refusal = refuse(Clause.CUBED_7, Reason.DIE_LEFT_WAITING, piece=facts["piece"], at=facts["at"])
    return (*verdicts[:-1], refusal)


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


def unexplained(board: CubedBoard, faces: Mapping[Square, Face], *, identical: bool = True) -> frozenset[Square]:
    """Return the squares that show that a die is missing: no play leaves what lies there so.

    They are those of the logo without a die (CUBED-4), and those of dice that no chain of dice joins to the logo
    (CUBED-5), or that are in no full line which is a SET or may be one, as it has a Wild (CUBED-7).
    """
    reached, logo = set(board.logo) & faces.keys(), frozenset(board.logo)
    while near := {at for one in reached for at in board.neighbours(one) if at in faces} - reached:
        reached |= near
    held = {at for one in faces for line in board.windows(one) if _may_be_set(faces, line, identical) for at in line}
    return (logo | faces.keys()) - (reached & held)


def _may_be_set(faces: Mapping[Square, Face], line: Window, identical: bool) -> bool:
    if not all(at in faces for at in line):
        return False
    first, second, last = (faces[at] for at in line)
    if first.is_wild or second.is_wild or last.is_wild:
        return True
    return is_set(first, second, last) and (identical or first != second)


def _completing(dice: Mapping[Square, Die], squares: Sequence[Square]) -> Tile:
    """Return what makes a SET with the dice on two ``squares``."""
    first, second = (dice[square].named or dice[square].face.tile for square in squares)
    assert first is not None  # noqa: S101  a die without a name is no Wild
    assert second is not None  # noqa: S101
    return third(first, second)


Names = Mapping[Square, Tile]
"""What Wilds stand for."""


@dataclass(frozen=True, slots=True)
class _Table:
    """A turn about to be scored."""

    state: CubedState
    player: str
    dice: tuple[Placed, ...]
    unknown: frozenset[Square]

    def resting(self) -> tuple[Window, ...]:
        """Return the full windows that hold a new die and a Wild without a name."""
        grid = self.state.grid
        if not all(grid.board.holds(die.at) and die.at not in grid.dice for die in self.dice):
            return ()
        return tuple(window for window in self._windows() if self.unknown.intersection(window))

    def _windows(self) -> list[Window]:
        """Return the full windows that hold a new die."""
        full = {*self.state.grid.dice, *(die.at for die in self.dice)}
        windows = {window for die in self.dice for window in self.state.grid.board.windows(die.at)}
        return sorted(window for window in windows if full.issuperset(window))

    @property
    def _unnamed(self) -> frozenset[Square]:
        """The new Wilds without a name."""
        return frozenset(die.at for die in self.dice if die.face.is_wild and die.named is None)

    def _lying(self, dice: Sequence[Placed]) -> dict[Square, Die]:
        """Return what lies there with ``dice``; a Wild without a name has a stand-in."""
        first = full_tiles()[0]
        new = {die.at: Die(die.face, (die.named or first) if die.face.is_wild else None) for die in dice}
        return {**self.state.grid.dice, **new}

    def _taking(self, names: Names) -> tuple[Placed, ...]:
        """Return the dice, those new Wilds having names that have one in ``names``."""
        return tuple(replace(die, named=names.get(die.at, die.named)) for die in self.dice)

    def _named(self, names: Names) -> CubedState:
        grid = self.state.grid
        dice = {**grid.dice, **{at: Die(Face(None), name) for at, name in names.items() if at in grid.dice}}
        return replace(self.state, grid=Grid(grid.board, dice))

    # Names that make SETs.

    def _likely(self, windows: Sequence[Window], fits: Mapping[Square, Collection[Tile]]) -> list[Names]:
        """Return names that put every die into one of the ``windows`` that is a SET, those with most SETs first."""
        free = sorted(windows, key=lambda window: len(set(window) & fits.keys()))
        found: dict[tuple[tuple[Square, Tile], ...], int] = {}
        any_names = {at: min(names) for at, names in fits.items()}
        for chosen in islice(self._namings(free, fits, {}), _MOST_NAMINGS):
            names = {**any_names, **chosen}
            dice = {**self._lying(self.dice), **{at: Die(Face(None), name) for at, name in names.items()}}
            grid = Grid(self.state.grid.board, dice)
            sets = [window for window in windows if grid.is_set(window, identical=self.state.identical)]
            if {square for window in sets for square in window}.issuperset(die.at for die in self.dice):
                found[tuple(sorted(names.items()))] = len(sets)
        likely = sorted(found, key=lambda names: -found[names])
        return [dict(names) for names in likely[:_MOST_TRIALS]]

    def _namings(
        self, windows: Sequence[Window], fits: Mapping[Square, Collection[Tile]], names: Names
    ) -> Iterator[Names]:
        """Yield names for the squares of ``fits``, each time making SETs of some of ``windows``, as many as can be."""
        if not windows:
            yield names
            return
        for more in self._ways(windows[0], fits, names):
            yield from self._namings(windows[1:], fits, {**names, **more})
        yield from self._namings(windows[1:], fits, names)

    def _ways(self, window: Window, fits: Mapping[Square, Collection[Tile]], names: Names) -> Iterator[Names]:
        """Yield names for the squares of ``window`` that have none yet, which make it a SET."""
        free = [square for square in window if square in fits and square not in names]
        if not free:
            return
        *heads, last = free
        dice = {**self._lying(self.dice), **{at: Die(Face(None), name) for at, name in names.items()}}
        for chosen in product(*(sorted(fits[square]) for square in heads)):
            more = dict(zip(heads, chosen, strict=True))
            dice.update({at: Die(Face(None), name) for at, name in more.items()})
            others = [square for square in window if square != last]
            name = _completing(dice, others)
            if name in fits[last] and (self.state.identical or dice[others[0]].counted != dice[others[1]].counted):
                yield {**more, last: name}

    # With the SETs that are sure.

    def best_sure(self, resting: Sequence[Window]) -> Proposal:
        """Return the best turn of the SETs that are sure, or the refusal where they do not carry it."""
        windows = [window for window in self._windows() if not self.unknown.intersection(window)]
        likely = self._likely(windows, dict.fromkeys(self._unnamed, full_tiles()))
        proposals = [self._silent(resting, self._taking(names)) for names in likely]
        legal = [proposal for proposal in proposals if proposal.ok]
        if legal:
            return max(legal, key=lambda proposal: proposal.points)
        return self._silent(resting, self._taking(dict.fromkeys(self._unnamed, full_tiles()[0])))

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

    # With those that are open.

    def best_hope(self) -> Turn | None:
        """Return the best turn that the dice can be, whatever the Wilds without a name stand for; None if none."""
        windows = self._windows()
        near = {square for window in windows for square in window}
        fits: dict[Square, Collection[Tile]] = {at: names for at, names in self._fits().items() if at in near}
        fits.update(dict.fromkeys(self._unnamed, full_tiles()))
        proposals = [
            score_turn(self._named(names), self.player, self._taking(names)) for names in self._likely(windows, fits)
        ]
        turns = [proposal.turn for proposal in proposals if proposal.turn is not None]
        return max(turns, key=lambda turn: turn.points, default=None)

    def _fits(self) -> dict[Square, frozenset[Tile]]:
        return fitting_names(self.state.grid, self.unknown, identical=self.state.identical)

    def open_lines(self, resting: Sequence[Window], dice: Sequence[Placed]) -> tuple[OpenLine, ...]:
        """Return which of the windows ``resting`` may be SETs with ``dice``, all of whose Wilds have names."""
        fits, lying, lines = self._fits(), self._lying(dice), list[OpenLine]()
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
