"""What becomes of each event of Cubed: the clauses that people fulfil or break, in the order of CUBED-19.

Everything here is a function of a state and an event. :class:`engine.cubed.Cubed` adds what people may ask.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from engine.clauses import Clause
from engine.cubed_state import HAND, LAID, CubedState, Phase
from engine.events import Announced, Event, Laid, Line, Passed, Place, Rolled, Swapped, TurnEnded, Verdict
from engine.game import accept, refuse
from engine.grid import Die, Grid, Laying, Square
from engine.reasons import Reason
from engine.sets import is_set
from engine.tokens import Face, Tile

__all__ = ["Played", "TurnEvent", "judge", "lay", "next_is_last", "ready"]

Played = tuple[CubedState, Verdict]
"""A state and what the referee says."""

TurnEvent = Laid | Swapped | Passed | TurnEnded
"""What only the player in turn may do."""


def judge(state: CubedState, event: Event) -> Played | None:
    """Return the state after ``event`` and the verdict; None if it belongs to another game (ALL-4).

    A refused event gives back ``state`` itself.

    :raises UnknownPlayerError: the event is by someone who does not sit at the table.
    """
    match event:
        case Rolled():
            return _rolled(state, event)
        case Announced():
            return _announced(state, event)
        case Laid(player, Face() as face, tuple() as at, named):
            turn = ready(state, event)
            return (state, turn) if isinstance(turn, Verdict) else _laid(state, turn, player, face, at, named)
        case Swapped() | Passed() | TurnEnded():
            turn = ready(state, event)
            return (state, turn) if isinstance(turn, Verdict) else _other(state, turn, event)
    return None


def _other(state: CubedState, turn: CubedState, event: Swapped | Passed | TurnEnded) -> Played:
    if isinstance(event, Swapped):
        return _swapped(state, turn, event.player, event.face, event.at)
    if isinstance(event, Passed):
        return _passed(state, turn, event.player)
    return _turn_ended(state, turn, event.player)


# Rolls.


def _rolled(state: CubedState, event: Rolled) -> Played:
    seat = state.index(event.player)
    if state.unrolled[seat]:
        return _roll(state, state, seat, event.faces)
    if state.phase is Phase.OPENING and not state.missing_rolls:
        return _roll(state, _all_again(state), seat, event.faces)
    if state.phase is Phase.REFILL and seat in state.rerolls:
        return _reroll(state, seat, event.faces)
    return state, refuse(Clause.CUBED_11, _why_not_due(state, seat), player=event.player)


def _why_not_due(state: CubedState, seat: int) -> Reason:
    if state.phase is Phase.REFILL:
        return Reason.REROLL_SPENT
    return Reason.REROLL_TOO_LATE if seat in state.rerolls else Reason.ROLL_NOT_DUE


def _all_again(state: CubedState) -> CubedState:
    """Return the state in which everybody has picked up the dice of their hand to roll them."""
    many = tuple(map(len, state.hands))
    return replace(state, hands=((),) * len(many), unrolled=many)


_ROLL_REASONS = {
    Phase.OPENING: Reason.ROLLED,
    Phase.REFILL: Reason.REFILLED,
    Phase.ROLL_ALL: Reason.ROLLED_AGAIN,
    Phase.PLAY: Reason.WILD_ROLLED,
}


def _roll(state: CubedState, picked: CubedState, seat: int, faces: tuple[Face, ...]) -> Played:
    """Judge a roll that is due: the whole hand, of which the dice already rolled keep their faces (CUBED-11)."""
    player, kept = state.players[seat], picked.hands[seat]
    due = len(kept) + picked.unrolled[seat]
    short = picked.phase is Phase.REFILL and due < HAND
    clause = Clause.CUBED_12 if short else picked.phase.roll_clause
    if len(faces) != due:
        return state, _wrong_number(clause, player, len(faces), due)
    lost = Counter(kept) - Counter(faces)
    if lost:
        return state, refuse(clause, Reason.ROLL_CHANGES_KEPT, player=player, pieces=tuple(lost.elements()))
    rolled = replace(_with_faces(picked, seat, faces), unrolled=picked.with_unrolled(seat, 0))
    if rolled.phase is Phase.ROLL_ALL and not rolled.missing_rolls:
        rolled = replace(rolled, phase=Phase.PLAY)
    return rolled, accept(clause, _ROLL_REASONS[picked.phase], player=player, pieces=faces)


def _reroll(state: CubedState, seat: int, faces: tuple[Face, ...]) -> Played:
    player, due = state.players[seat], len(state.hands[seat])
    if len(faces) != due:
        return state, _wrong_number(Clause.CUBED_11, player, len(faces), due)
    rolled = replace(_with_faces(state, seat, faces), rerolls=state.rerolls - {seat})
    return rolled, accept(Clause.CUBED_11, Reason.REROLLED, player=player, pieces=faces)


def _wrong_number(clause: Clause, player: str, count: int, due: int) -> Verdict:
    return refuse(clause, Reason.ROLL_WRONG_NUMBER, player=player, count=count, due=due)


def _with_faces(state: CubedState, seat: int, faces: tuple[Face, ...]) -> CubedState:
    finished = state.finished if state.finished == seat else None
    return replace(state, hands=state.with_hand(seat, faces), finished=finished)


# The first SET.


def _announced(state: CubedState, event: Announced) -> Played:
    seat = state.index(event.player)
    fault = _announced_fault(state, seat, event)
    if fault is not None:
        return state, fault
    dice = _named(event.faces, event.named)
    counted = _counted(dice)
    if not _is_set(counted, identical=state.identical):
        reason = Reason.ANNOUNCED_NOT_A_SET if not is_set(*counted) else Reason.IDENTICAL_NO_SET
        return state, refuse(Clause.CUBED_3, reason, failed=counted, player=event.player)
    return _first_set(state, seat, dice)


def _announced_fault(state: CubedState, seat: int, event: Announced) -> Verdict | None:
    if state.leader is not None:
        return refuse(Clause.CUBED_3, Reason.FIRST_SET_LIES, player=state.players[state.leader])
    if state.missing_rolls:
        return refuse(Clause.CUBED_3, Reason.ROLLS_MISSING, players=state.missing_rolls)
    if len(event.faces) != len(state.grid.board.logo):
        return refuse(Clause.CUBED_3, Reason.NOT_THREE, player=event.player, count=len(event.faces))
    absent = Counter(event.faces) - Counter(state.hands[seat])
    if absent:
        return refuse(Clause.CUBED_3, Reason.NOT_IN_HAND, player=event.player, piece=next(iter(absent)))
    wilds = sum(face.is_wild for face in event.faces)
    if wilds > len(event.named):
        return refuse(Clause.CUBED_14, Reason.WILD_UNNAMED, player=event.player)
    if wilds < len(event.named):
        return refuse(Clause.CUBED_14, Reason.NAME_WITHOUT_WILD, player=event.player, named=event.named[-1])
    return None


def _named(faces: Sequence[Face], names: Sequence[Tile]) -> tuple[Die, ...]:
    """Return the dice that ``faces`` become when its Wilds take the ``names``, in order."""
    left = iter(names)
    return tuple(Die(face, next(left) if face.is_wild else None) for face in faces)


def _counted(dice: Sequence[Die]) -> tuple[Face, Face, Face]:
    first, second, last = (die.counted for die in dice)
    return first, second, last


def _is_set(faces: tuple[Face, Face, Face], *, identical: bool) -> bool:
    return is_set(*faces) and (identical or faces[0] != faces[1])


def _first_set(state: CubedState, seat: int, dice: tuple[Die, ...]) -> Played:
    """Lay the first SET on the logo; it ends the first turn of its player (CUBED-4)."""
    player, logo = state.players[seat], state.grid.board.logo
    grid = Grid(state.grid.board, dict(zip(logo, dice, strict=True)))
    places = tuple(sorted(logo))
    first, second, last = (grid.dice[square].counted for square in places)
    line = Line((first, second, last), sum(not die.face.is_wild for die in dice), places)
    laid = replace(
        state,
        grid=grid,
        hands=state.with_hand(seat, _without(state.hands[seat], [die.face for die in dice])),
        scores=state.scored(seat, line.points),
        phase=Phase.PLAY,
        leader=seat,
        placed=True,
    )
    points = {player: line.points}
    return _end_turn(laid), accept(Clause.CUBED_4, Reason.ANNOUNCED, points, sets=(line,), player=player)


def _without(hand: tuple[Face, ...], faces: Iterable[Face]) -> tuple[Face, ...]:
    left = list(hand)
    for face in faces:
        left.remove(face)
    return tuple(left)


# Whose turn it is.


def ready(state: CubedState, event: TurnEvent) -> CubedState | Verdict:
    """Return the state in which the player of ``event`` is in turn, or why that player is not (CUBED-19).

    The turn before ends here, if its player has laid a die and no die waits (CUBED-5, CUBED-7).

    :raises UnknownPlayerError: the event is by someone who does not sit at the table.
    """
    seat, turn = state.index(event.player), state.turn
    if turn is None:
        return refuse(Clause.CUBED_4, Reason.FIRST_SET_MISSING, player=event.player)
    if state.phase is not Phase.PLAY and state.missing_rolls:
        return refuse(_rolls_clause(state, event), Reason.ROLLS_MISSING, players=state.missing_rolls)
    if state.laid and seat == state.following:
        return _after_the_turn_before(state, event)
    if seat != turn:
        own_end = seat == state.finished and isinstance(event, Laid | TurnEnded)
        if own_end:
            return refuse(Clause.CUBED_5, Reason.TURN_JUST_ENDED, player=event.player)
        return refuse(Clause.CUBED_4, Reason.NOT_YOUR_TURN, player=event.player, turn=state.players[turn])
    if state.unrolled[seat]:
        return refuse(Clause.CUBED_15, Reason.WILD_UNROLLED, player=event.player)
    return replace(state, phase=Phase.PLAY, finished=None)


def _rolls_clause(state: CubedState, event: TurnEvent) -> Clause:
    """Return the clause that makes ``event`` wait for rolls; a swap by the player in turn has its own (CUBED-15)."""
    swap = isinstance(event, Swapped) and state.index(event.player) == state.turn
    return Clause.CUBED_15 if swap else state.phase.roll_clause


def _after_the_turn_before(state: CubedState, event: TurnEvent) -> CubedState | Verdict:
    if state.waiting:
        return _left_waiting(state, state.grid, state.waiting)
    ended, player = _end_turn(state), state.players[state.turn or 0]
    if ended.over is not None:
        return refuse(ended.over, Reason.LAST_TURN, player=player)
    if ended.missing_rolls:
        # Nobody can roll before this turn, the last of its round, has been ended; only an event that stands ends it.
        return refuse(_rolls_clause(ended, event), Reason.TURN_OPEN, player=player)
    return ready(ended, event)


def _end_turn(state: CubedState, *, finished: int | None = None) -> CubedState:
    """Return the state after the turn; ``finished``: who has ended it by laying the last die."""
    ended = replace(state, taken=state.taken + 1, laid=(), waiting=frozenset(), swaps=0, finished=finished)
    return ended if ended.taken < len(state.players) else _end_round(ended)


def _end_round(state: CubedState) -> CubedState:
    if state.last_round:
        return replace(state, over=Clause.CUBED_18)
    fresh = replace(state, taken=0, placed=False)
    if not state.placed:
        return replace(_all_again(fresh), phase=Phase.ROLL_ALL, rerolls=frozenset())
    return replace(fresh, phase=Phase.REFILL, unrolled=_draws(fresh), rerolls=frozenset(range(len(state.players))))


def _draws(state: CubedState) -> tuple[int, ...]:
    """Return how many dice each player draws: one each in turn, up to five, while the pouch lasts (CUBED-12)."""
    first, number = state.leader or 0, len(state.players)
    drawn, pouch = [0] * number, state.pouch
    for _ in range(HAND):
        for seat in (*range(first, number), *range(first)):
            if pouch and len(state.hands[seat]) + drawn[seat] < HAND:
                drawn[seat] += 1
                pouch -= 1
    return tuple(drawn)


# A die.


def lay(turn: CubedState, face: Face, square: Square, named: Tile | None) -> tuple[Laying, frozenset[Square]]:
    """Return what a die makes that the player in ``turn`` lays on a free square, and which dice then wait.

    It stands unless dice wait that must not: where it is the last of the turn, or no die may wait (CUBED-7).
    """
    laying = turn.grid.lay(square, face, named, uncounted=turn.uncounted, identical=turn.identical)
    return laying, (turn.waiting | {square}) - laying.squares


def next_is_last(turn: CubedState) -> bool:
    """Return whether the next die ends the turn: the third one, or the one that empties the hand (CUBED-5)."""
    return len(turn.laid) + 1 == LAID or len(_hand(turn)) == 1


def _hand(turn: CubedState) -> tuple[Face, ...]:
    return turn.hands[turn.turn or 0]


def _laid(state: CubedState, turn: CubedState, player: str, face: Face, at: Place, named: Tile | None) -> Played:
    fault = _die_fault(turn, player, face, at, named)
    if fault is not None:
        return state, fault
    square = (at[0], at[1])
    laying, waiting = lay(turn, face, square, named)
    ends = next_is_last(turn)
    if waiting and (ends or not turn.may_wait):
        return state, _no_set(turn, laying.grid, square, waiting)
    seat = state.index(player)
    hand = _without(turn.hands[seat], [face])
    laid = replace(
        turn,
        grid=laying.grid,
        hands=turn.with_hand(seat, hand),
        scores=turn.scored(seat, laying.points),
        laid=(*turn.laid, square),
        waiting=waiting,
        placed=True,
        last_round=turn.last_round or not hand,
    )
    return _end_turn(laid, finished=seat) if ends else laid, _die_stands(player, laying, square)


def _die_fault(turn: CubedState, player: str, face: Face, at: Place, named: Tile | None) -> Verdict | None:
    """Return what is wrong with a die before its SETs are looked at, in the order of CUBED-19."""
    if face not in turn.hand(player):
        return refuse(Clause.CUBED_5, Reason.NOT_IN_HAND, player=player, piece=face)
    if face.is_wild and named is None:
        return refuse(Clause.CUBED_14, Reason.WILD_UNNAMED, player=player)
    if named is not None and not face.is_wild:
        return refuse(Clause.CUBED_14, Reason.NAME_WITHOUT_WILD, player=player, named=named)
    if not turn.grid.board.holds(at):
        return refuse(Clause.CUBED_2, Reason.OFF_BOARD, at=at)
    square = (at[0], at[1])
    if square in turn.grid.dice:
        return refuse(Clause.CUBED_2, Reason.SQUARE_TAKEN, at=at, piece=turn.grid.dice[square].counted)
    if not turn.grid.connected(square):
        return refuse(Clause.CUBED_5, Reason.UNCONNECTED, at=at)
    return None


_DIE_REASONS = {
    (True, False): Reason.DIE_MADE_SETS,
    (True, True): Reason.DIE_MADE_SETS_BONUS,
    (False, False): Reason.DIE_WAITS,
    (False, True): Reason.DIE_WAITS_BONUS,
}
"""By whether a die has made SETs, and whether its square pays a bonus."""


def _die_stands(player: str, laying: Laying, square: Square) -> Verdict:
    """Return the verdict on a die that stands; ``named`` is what it counts as."""
    die = laying.grid.dice[square]
    return accept(
        Clause.CUBED_7,
        _DIE_REASONS[bool(laying.lines), laying.bonus != 0],
        {player: laying.points},
        sets=laying.lines,
        player=player,
        piece=die.face,
        named=die.counted,
        at=square,
        bonus=laying.bonus,
    )


def _no_set(turn: CubedState, grid: Grid, square: Square, waiting: frozenset[Square]) -> Verdict:
    """Return why a die that must make its SET does not, or which die laid before it is left waiting."""
    if square not in waiting:
        return _left_waiting(turn, grid, waiting)
    piece = grid.dice[square].counted
    fails = grid.fails_through(square, identical=turn.identical)
    if not fails:
        return refuse(Clause.CUBED_7, Reason.NO_LINE, piece=piece, at=square)
    faces = grid.faces(fails[0])
    reason = Reason.LINE_FAILS if not is_set(*faces) else Reason.IDENTICAL_NO_SET
    return refuse(Clause.CUBED_7, reason, failed=faces, piece=piece, at=square, places=fails[0])


def _left_waiting(state: CubedState, grid: Grid, waiting: frozenset[Square]) -> Verdict:
    """Return the verdict on what would leave dice waiting; it names the first of them, and a line of it that fails."""
    square = next(at for at in state.laid if at in waiting)
    fails = grid.fails_through(square, identical=state.identical)
    failed = grid.faces(fails[0]) if fails else None
    return refuse(Clause.CUBED_7, Reason.DIE_LEFT_WAITING, failed=failed, piece=grid.dice[square].counted, at=square)


# The rest of a turn.


def _passed(state: CubedState, turn: CubedState, player: str) -> Played:
    if turn.laid:
        return state, refuse(Clause.CUBED_5, Reason.ALREADY_LAID, player=player)
    return _end_turn(turn), accept(Clause.CUBED_10, Reason.TURN_PASSED, player=player)


def _turn_ended(state: CubedState, turn: CubedState, player: str) -> Played:
    if not turn.laid:
        return state, refuse(Clause.CUBED_5, Reason.NOTHING_LAID, player=player)
    if turn.waiting:
        return state, _left_waiting(turn, turn.grid, turn.waiting)
    return _end_turn(turn), accept(Clause.CUBED_5, Reason.TURN_ENDED, player=player)


def _swapped(state: CubedState, turn: CubedState, player: str, face: Face, at: Place) -> Played:
    fault = _swap_fault(turn, player, face, at)
    if fault is not None:
        return state, fault
    seat, square = state.index(player), (at[0], at[1])
    swapped = replace(
        turn,
        grid=turn.grid.swap(square, face),
        hands=turn.with_hand(seat, _without(turn.hands[seat], [face])),
        unrolled=turn.with_unrolled(seat, 1),
        swaps=turn.swaps + 1,
    )
    return swapped, accept(Clause.CUBED_15, Reason.SWAPPED, player=player, piece=face, at=square)


def _swap_fault(turn: CubedState, player: str, face: Face, at: Place) -> Verdict | None:
    if turn.laid:
        return refuse(Clause.CUBED_15, Reason.SWAP_AFTER_DIE, player=player)
    if not turn.swaps_left:
        if not turn.swaps:
            return refuse(Clause.CUBED_15, Reason.NO_SWAPS)
        return refuse(Clause.CUBED_15, Reason.SWAP_SPENT, player=player, count=turn.swaps)
    die = turn.grid.dice.get((at[0], at[1])) if turn.grid.board.holds(at) else None
    if die is None or die.named is None:
        return refuse(Clause.CUBED_15, Reason.SWAP_NO_WILD, at=at)
    if face.tile != die.named:
        return refuse(Clause.CUBED_15, Reason.SWAP_WRONG_FACE, piece=face, named=die.named, at=at)
    if face not in turn.hand(player):
        return refuse(Clause.CUBED_15, Reason.NOT_IN_HAND, player=player, piece=face)
    return None
