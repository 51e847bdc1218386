"""What was played between two layouts of a board of Cubed, judged (CUBED-3 to CUBED-19).

A layout says which face lies on which square. Hands are not seen: what was laid and swapped was in the player's hand.
Everything here is a function of layouts and of what people know besides; photos are read elsewhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from engine.between import (
    Change,
    Scored,
    changes,
    fitting_names,
    score_between,
    score_first_set,
    swap_between,
    unexplained,
)
from engine.clauses import Clause
from engine.cubed_state import CubedState, Phase
from engine.editions import edition
from engine.events import Place
from engine.grid import CubedBoard, Die, Grid, Square
from engine.options import Options, choose
from engine.sentences import say
from engine.tokens import Face, Tile, full_tiles
from engine.turns import Placed, Turn
from service.errors import TurnError
from service.judged import (
    ANYBODY,
    Judged,
    LaidPiece,
    SwappedDie,
    check_pair,
    fault_of,
    label_of,
    laid_as_seen,
    moves_of,
    with_remarks,
)

__all__ = ["CubedTable", "judge_cubed"]

_OTHERS = "The others"


@dataclass(frozen=True, slots=True)
class CubedTable:
    """What is known of a table of Cubed besides two layouts."""

    board: CubedBoard
    """What is printed on the board."""
    player: str | None = None
    """Who played; None: nobody has said it."""
    options: Options = field(default_factory=lambda: choose(edition("cubed").options, {}, "cubed"))
    """What the table has chosen."""
    names: Mapping[Square, Tile] = field(default_factory=dict)
    """What Wilds on the board stand for."""
    announced: Mapping[Square, Tile] = field(default_factory=dict)
    """What Wilds laid now were announced to stand for."""
    state: CubedState | None = None
    """Where the game stands, if there is a record of it; then ``names`` are not asked for."""


def judge_cubed(
    before: Mapping[Square, Face],
    after: Mapping[Square, Face],
    table: CubedTable,
    doubts: Collection[Square] = (),
) -> Judged:
    """Return the verdict on what was played between two layouts (CUBED-3 to CUBED-19).

    ``doubts`` are squares whose die may be misread. A die that lies in ``before`` and not in ``after`` is taken to be
    hidden there, as long as ``after`` has not fewer dice; and one that is new there is taken to have been missed in
    ``before`` if nothing else explains the dice that lay there, and no record tells. A Wild that people name among
    those that lay there did so, even where ``before`` does not show it, as long as ``after`` agrees.

    :raises TurnError: the layouts are no turn: they are of different boards, dice were taken away, or a name is given
        for a Wild where none lies.
    """
    told = _told_of(before, after, table)
    before = {**before, **told}
    change = changes(before, after)
    check_pair(before, after, change, "dice")
    missed = {} if table.state is not None else _missed(before, change.new, table)
    before, change = {**before, **missed}, replace(change, new=_without(change.new, missed))
    _check_names(before, change, table)
    shown = {**change.gone, **after}
    judged = _oddity(change, table) or _Cubed(before, change, table).judge()
    unsure = _resting_on(judged, shown, table.board, {*doubts, *change.gone, *missed})
    return with_remarks(judged, shown, unsure, change.gone, missed, told)


def _told_of(before: Mapping[Square, Face], after: Mapping[Square, Face], table: CubedTable) -> dict[Square, Face]:
    """Return the Wilds that lay there by what people say, and that ``before`` does not show.

    ``after`` must show a Wild there, or the face for which it may have been swapped.
    """
    if table.state is not None:
        return {}
    wild = Face(None)
    seen = {at: before.get(at) for at in table.names}
    return {
        at: wild
        for at, name in table.names.items()
        if seen[at] != wild and (after.get(at) == wild or (seen[at] is None and after.get(at) == Face(name)))
    }


def _missed(before: Mapping[Square, Face], new: Mapping[Square, Face], table: CubedTable) -> dict[Square, Face]:
    """Return the new dice that must have lain there before: without them no play explains what lay there.

    The fewest that explain all of it. One die is left at least, for a photo may be taken in the middle of a turn.
    """
    identical = bool(table.options["identical_dice_are_set"])
    if not before or not unexplained(table.board, before, identical=identical):
        return {}
    for count in range(1, len(new)):
        for squares in combinations(new, count):
            dice = {at: new[at] for at in squares}
            if not unexplained(table.board, {**before, **dice}, identical=identical):
                return dice
    return {}


def _without(dice: Mapping[Square, Face], squares: Collection[Square]) -> dict[Square, Face]:
    return {at: face for at, face in dice.items() if at not in squares}


def _check_names(before: Mapping[Square, Face], change: Change[Square, Face], table: CubedTable) -> None:
    """Check that there is a Wild for every name.

    :raises TurnError: there is none.
    """
    for names, dice, option, where in (
        (table.names, before, "--wild", "in BEFORE"),
        (table.announced, change.new, "--as", "laid now"),
    ):
        for at, name in names.items():
            if at not in dice or not dice[at].is_wild:
                found = f"{dice[at]} is" if at in dice else "nothing is"
                raise TurnError(
                    f"{option} {at[0]},{at[1]}={name}: no Wild is {where} on {list(at)}, {found}; look at the place"
                )


def _oddity(change: Change[Square, Face], table: CubedTable) -> Judged | None:
    """Return the verdict on dice that no turn moves or changes, if there are any."""
    player = _player(table)
    texts = [
        f"A die was moved from {list(move.start)} to {list(move.end)} ({label_of(move.piece)}): what is laid stays "
        "where it is."
        for move in change.moved
    ]
    odd = {at: pair for at, pair in change.changed.items() if not pair[0].is_wild or pair[1].is_wild}
    texts += [
        f"On {list(at)} lies {label_of(new)} where {label_of(old)} lay: only a Wild may be swapped."
        for at, (old, new) in odd.items()
    ]
    if not texts:
        return None
    clause = Clause.CUBED_5 if change.moved else Clause.CUBED_15
    laid, faults = laid_as_seen(change.new, table.announced), (*(move.end for move in change.moved), *odd)
    return Judged(player, False, clause, " ".join(texts), laid, moved=moves_of(change), faults=faults)


def _player(table: CubedTable) -> str:
    if table.player is not None:
        return table.player
    if table.state is None:
        return ANYBODY
    return table.state.players[table.state.turn or 0]


@dataclass(frozen=True, slots=True)
class _Cubed:
    """Dice laid and Wilds swapped."""

    before: Mapping[Square, Face]
    change: Change[Square, Face]
    table: CubedTable

    def judge(self) -> Judged:
        """Judge them for whoever may have played them: the first for whom they stand, else the first."""
        judged = [self._judge(player) for player in self._players()]
        fitting = [one for one in judged if one.ok]
        if len(fitting) < 2 or self.table.state is None or self.table.state.turn is None:
            return next(iter(fitting), judged[0])
        players = " or ".join(one.player for one in fitting)
        return replace(fitting[0], text=f"{fitting[0].text} It may have been {players}: say it with --player.")

    def _players(self) -> list[str]:
        state = self.table.state
        if self.table.player is not None or state is None:
            return [_player(self.table)]
        if state.turn is None:
            return list(state.players)
        following = [state.following] if state.laid and state.following is not None else []
        return [state.players[seat] for seat in (state.turn, *following)]

    def _judge(self, player: str) -> Judged:
        state = self._state(player)
        if not self.change.new and not self.change.changed:
            return Judged(player, True, Clause.CUBED_10, "Nothing was laid or swapped: a pass.", scores=self._scores())
        if not self.before:
            return self._first_set(state, player)
        state, judged, unknown = self._swapped(state, player)
        if not judged.ok or not self.change.new:
            return judged
        dice = [Placed(face, at, self.table.announced.get(at)) for at, face in self.change.new.items()]
        scored = score_between(state, player, dice, unknown)
        return self._told(judged, scored, _advice(state, scored))

    # What is known when the turn begins.

    def _state(self, player: str) -> CubedState:
        """Return the state at its beginning, the hand being what was laid and swapped unless it is known."""
        needed = (*(new for _, new in self.change.changed.values()), *self.change.new.values())
        state = self.table.state
        if state is not None:
            return self._recorded(state, player, needed)
        grid = self._grid()
        return CubedState(
            players=(player, _OTHERS),
            options=self.table.options,
            scores=(0, 0),
            grid=grid,
            hands=(needed, ()),
            unrolled=(0, 0),
            phase=Phase.PLAY if grid.dice else Phase.OPENING,
            leader=0 if grid.dice else None,
        )

    def _grid(self) -> Grid:
        """Return the dice before, Wilds without a name having one that is only a stand-in."""
        dice = {
            at: Die(face, self.table.names.get(at, full_tiles()[0]) if face.is_wild else None)
            for at, face in self.before.items()
        }
        return Grid(self.table.board, dice)

    def _recorded(self, state: CubedState, player: str, needed: Sequence[Face]) -> CubedState:
        """Return the recorded state; what was rolled since is not in the record, so then the hand is taken to fit."""
        seat, hand = state.index(player), state.hand(player)
        if not state.missing_rolls and not self.change.changed:
            return state
        fitting = hand + tuple((Counter(needed) - Counter(hand)).elements())
        rolled = replace(state, hands=state.with_hand(seat, fitting), unrolled=(0,) * len(state.players))
        return replace(rolled, phase=Phase.PLAY) if state.leader is not None else rolled

    @property
    def _unknown(self) -> frozenset[Square]:
        if self.table.state is not None:
            return frozenset()
        return frozenset(at for at, face in self.before.items() if face.is_wild and at not in self.table.names)

    def _scores(self, player: str = "", points: int = 0) -> dict[str, int]:
        state = self.table.state
        if state is None:
            return {}
        return {name: score + (points if name == player else 0) for name, score in state.score.items()}

    # The first SET.

    def _first_set(self, state: CubedState, player: str) -> Judged:
        new, logo = self.change.new, self.table.board.logo
        if set(new) != set(logo):
            places = ", ".join(str(list(at)) for at in logo)
            text = f"The first SET is three dice on the squares of the logo ({places}) and nothing else."
            laid, faults = laid_as_seen(new, self.table.announced), tuple(at for at in new if at not in logo)
            return Judged(player, False, Clause.CUBED_4, text, laid, faults=faults)
        scored = score_first_set(state, player, [new[at] for at in logo], [self.table.announced.get(at) for at in logo])
        return self._told(Judged(player, True, Clause.CUBED_4, ""), scored, [])

    # Swaps.

    def _swapped(self, state: CubedState, player: str) -> tuple[CubedState, Judged, frozenset[Square]]:
        """Return the state after the swaps, what is said to them, and the Wilds that are still without a name."""
        unknown, texts, clause, swapped = self._unknown, list[str](), Clause.CUBED_7, list[SwappedDie]()
        for at, (_, face) in self.change.changed.items():
            known = at not in unknown
            name = state.grid.dice[at].named if known else None
            swapped.append(SwappedDie(face, at, name))
            state, verdict = swap_between(state, player, at, face, known=known)
            clause = verdict.clause
            texts.append(say(verdict, edition("cubed")))
            if not known:
                texts.append(f"This stands if the Wild stood for {label_of(face)}, which nobody has said.")
            if not verdict.ok:
                laid = laid_as_seen(self.change.new, self.table.announced)
                judged = Judged(player, False, clause, " ".join(texts), laid, tuple(swapped), faults=(at,))
                return state, judged, unknown
        sure = not unknown.intersection(self.change.changed)
        judged = Judged(player, True, clause, " ".join(texts), swapped=tuple(swapped), sure=sure, scores=self._scores())
        return state, judged, unknown - set(self.change.changed)

    # Dice laid.

    def _told(self, judged: Judged, scored: Scored, advice: list[str]) -> Judged:
        """Return what is said to the swaps, and then to the dice."""
        texts = [judged.text, *self._notes(scored), *(say(one, edition("cubed")) for one in scored.verdicts), *advice]
        text = " ".join(filter(None, texts))
        if scored.turn is None:
            laid = laid_as_seen(self.change.new, self.table.announced)
            refusal = scored.verdicts[-1]
            told = replace(judged, ok=False, clause=refusal.clause, text=text, laid=laid, scores=self._scores())
            return replace(told, faults=fault_of(refusal))
        turn, bonus = scored.turn, self.table.board.bonus
        clause = scored.verdicts[-1].clause if scored.verdicts else Clause.CUBED_7
        return replace(
            judged,
            clause=clause,
            text=text,
            laid=_laid_in_order(turn),
            lines=turn.lines,
            bonus=tuple((die.at, bonus[die.at]) for die in turn.dice if die.at in bonus),
            open=scored.open,
            more=scored.more,
            sure=judged.sure and scored.sure,
            scores=self._scores(judged.player, turn.points),
        )

    def _notes(self, scored: Scored) -> list[str]:
        """Return what was chosen for the player: the order of the dice, and names of Wilds."""
        if scored.turn is None:
            return []
        dice = scored.turn.dice
        notes = ["In the legal order that scores most (CUBED-19):"] if len(dice) > 1 and self.before else []
        chosen = [die for die in dice if die.face.is_wild and die.at not in self.table.announced]
        if chosen:
            told = " and ".join(f"the Wild on {list(die.at)} as {label_of(die.named)}" for die in chosen if die.named)
            notes.insert(0, f"Nobody has said what it stands for, so the highest scoring name is taken: {told}.")
        return notes


def _laid_in_order(turn: Turn) -> tuple[LaidPiece, ...]:
    """Return the dice of ``turn``, each with the SETs that it completes."""
    order = [die.at for die in turn.dice]
    points = Counter[Place]()
    for line in turn.lines:
        points[next(at for at in reversed(order) if at in line.at)] += line.points
    return tuple(LaidPiece(die.face, die.at, die.named, points[die.at]) for die in turn.dice)


def _advice(state: CubedState, scored: Scored) -> list[str]:
    """Return what to do about SETs that rest on Wilds without a name."""
    if not scored.open:
        return []
    wilds = sorted({square for line in scored.open for square in line.wilds})
    many = len(scored.open)
    counted = f"{many} more line{'s' * (many > 1)} may be {'SETs' if many > 1 else 'a SET'}"
    texts = [] if scored.sure else ["Whether all dice are in SETs rests on Wilds that nobody has named."]
    texts.append(
        f"{counted}, worth up to {scored.more} point{'s' * (scored.more != 1)} more: that rests on what the Wild"
        f"{'s' * (len(wilds) > 1)} on {' and '.join(str(list(at)) for at in wilds)} stand"
        f"{'s' * (len(wilds) == 1)} for; say it with --record FILE or --wild ROW,COLUMN=NAME."
    )
    fits = fitting_names(state.grid, wilds, identical=state.identical)
    texts += [
        f'By the SETs that lie there it can only be --wild "{at[0]},{at[1]}={min(fits[at])}".'
        for at in wilds
        if len(fits[at]) == 1
    ]
    return texts


def _resting_on(
    judged: Judged, shown: Mapping[Square, Face], board: CubedBoard, doubts: Collection[Square]
) -> list[Square]:
    """Return the dice in doubt on which the verdict rests: laid, swapped, moved, or in a full line with one laid."""
    squares = {(piece.at[0], piece.at[1]) for piece in judged.laid}
    full = (
        window
        for at in squares
        if board.holds(at)
        for window in board.windows(at)
        if all(one in shown for one in window)
    )
    moved = {(move.end[0], move.end[1]) for move in judged.moved}
    matter = squares | moved | {die.at for die in judged.swapped} | {at for window in full for at in window}
    return sorted(matter.intersection(doubts))
