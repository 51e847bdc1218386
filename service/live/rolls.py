"""Hands of Cubed that no camera sees: rolls are written as far as the dice that are laid tell them.

Which dice a player holds shows only when they lie on the board. So the rolls that are due are put into the record with
faces that are made up, and a die that is laid later takes the place of one of them by a correction. Scores rest on
the board alone, and come out the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from engine.cubed_state import CubedState, Phase
from engine.events import Corrected, Event, Passed, Rolled, TurnEnded
from engine.referee import Referee, corrected_event
from engine.tokens import Face, full_tiles

__all__ = ["UNSEEN", "Corrections", "around", "hold", "reach"]

UNSEEN = "the roll was not seen: only the dice that were laid are known"
"""The note beside what is made up."""


def reach(referee: Referee, player: str) -> tuple[Event, ...]:
    """Let the turns before that of ``player`` end or be passed, and return the events; rolls that are due come too.

    A turn that ``player``'s next event ends by itself is left to that, but for the last of a round: all roll first.
    """
    done: list[Event] = []
    for _ in referee.state.players:
        state: CubedState = referee.state
        turn = None if state.turn is None else state.players[state.turn]
        last = state.taken + 1 == len(state.players)
        implied = bool(state.laid) and state.following == state.index(player) and not last
        if turn is None or turn == player or implied or state.over is not None:
            break
        done += hold(referee, turn, ())
        event = TurnEnded(turn) if referee.state.laid else Passed(turn)
        if not referee.apply(event).ok:
            break
        done.append(event)
    return tuple(done)


def hold(referee: Referee, player: str, dice: Sequence[Face]) -> tuple[Event, ...]:
    """Let ``player`` hold ``dice``, as far as the hand has not been seen, and return the events that say so.

    ``referee`` judges them: give it a fork. Everybody who has to roll does so.
    """
    done: list[Event] = []
    for name in referee.state.missing_rolls:
        done.append(_rolled(referee.state, name, dice if name == player else ()))
        referee.apply(done[-1])
    for name in referee.state.players:
        if _is_worn(referee, name):
            done.append(_rolled_again(referee.state, name, dice if name == player else ()))
            referee.apply(done[-1])
    for face in (Counter(dice) - Counter(referee.state.hand(player))).elements():
        corrections = next(_corrections(referee, player, face, dice), ())
        done += corrections
        for correction in corrections:
            referee.apply(correction)
    return tuple(done)


def _rolled(state: CubedState, player: str, dice: Sequence[Face]) -> Rolled:
    """Return the roll that is due: the dice that are known, and faces that are told apart from all others."""
    kept, fresh = state.hand(player), state.unrolled[state.index(player)]
    needed = tuple((Counter(dice) - Counter(kept)).elements())[:fresh]
    return Rolled(player, (*kept, *needed, *_fillers(state, dice, fresh - len(needed))), note=UNSEEN)


def _is_worn(referee: Referee, player: str) -> bool:
    """Return whether ``player`` may roll again and holds made up faces that lie on the board by now."""
    state: CubedState = referee.state
    if state.phase is not Phase.REFILL or state.index(player) not in state.rerolls:
        return False
    rolls = [event for event in referee.events if isinstance(event, Rolled) and event.player == player]
    board = {face for die in state.grid.dice.values() for face in (die.face, die.counted)}
    return bool(rolls) and rolls[-1].note == UNSEEN and bool(board.intersection(state.hand(player)))


def _rolled_again(state: CubedState, player: str, dice: Sequence[Face]) -> Rolled:
    """Return a whole hand rolled anew, so that its faces are told apart from all others again."""
    known = tuple((Counter(dice) & Counter(state.hand(player))).elements())
    return Rolled(player, (*known, *_fillers(state, dice, len(state.hand(player)) - len(known))), note=UNSEEN)


def _used(state: CubedState) -> Counter[Face]:
    """Return how often each face is on the board, as a name of a Wild too, or in a hand."""
    used = Counter(face for hand in state.hands for face in hand)
    used.update(face for die in state.grid.dice.values() for face in {die.face, die.counted})
    return used


def _fillers(state: CubedState, dice: Sequence[Face], count: int) -> tuple[Face, ...]:
    """Return ``count`` faces that are used least: one that is unique can be corrected later without harm."""
    used = _used(state) + Counter(dice)
    return tuple(sorted(map(Face, full_tiles()), key=lambda face: used[face])[:count])


Corrections = tuple[Corrected, ...]
"""Corrections, one after the other."""


def _corrections(referee: Referee, player: str, face: Face, dice: Sequence[Face]) -> Iterator[Corrections]:
    """Yield corrections that give ``player`` the ``face`` for one that is made up, and change nothing else."""

    def own(_number: int, event: Event) -> bool:
        return _is_made_up(event, player)

    spare = Counter(referee.state.hand(player)) - Counter(dice)
    for number, event in reversed(list(enumerate(referee.events))):
        faces = event.faces if isinstance(event, Rolled) and _is_made_up(event, player) else ()
        for old in dict.fromkeys(one for one in faces if one in spare):
            correction = Corrected(number, old, face, note=UNSEEN)
            yield from (one for one in around(referee, correction, own) if _is_harmless(referee, player, one))


def _is_made_up(event: Event, player: str) -> bool:
    """Return whether ``event`` is a roll of ``player`` that was not seen."""
    return isinstance(event, Rolled) and event.player == player and event.note == UNSEEN


def around(referee: Referee, correction: Corrected, own: Callable[[int, Event], bool]) -> Iterator[Corrections]:
    """Yield ``correction`` alone, and then a way of making it that touches only the events that are its ``own``.

    For that the old face is called something meanwhile that nothing has shown since, from each own event to the next
    that is none.
    """
    yield (correction,)
    start, old = correction.event, correction.old
    free = (face for face in map(Face, full_tiles()) if _is_unseen(face, referee.events[start:]))
    mark = next(free, None)
    if mark is None:
        return
    made, marked = list[Corrected](), False
    for number, event in enumerate(referee.events[start:], start):
        if corrected_event(event, correction) is not event and own(number, event) is not marked:
            pair = (mark, old) if marked else (old, mark)
            made.append(Corrected(number, *pair, note=correction.note))
            marked = not marked
    yield (*made, Corrected(start, mark, correction.new, note=correction.note))


def _is_unseen(face: Face, events: Sequence[Event]) -> bool:
    """Return whether ``face`` stands in none of ``events``."""
    probe = Corrected(0, face, Face(None))
    return all(corrected_event(event, probe) is event for event in events)


def _is_harmless(referee: Referee, player: str, corrections: Corrections) -> bool:
    """Return whether corrections change nothing but faces of rolls of ``player``, and no verdict in the end."""
    fork = referee.fork()
    if not all(fork.apply(correction).ok for correction in corrections):
        return False
    events = zip(referee.events, fork.events, strict=False)
    if any(then != now and not _is_made_up(then, player) for then, now in events):
        return False
    verdicts = zip(referee.verdicts, fork.verdicts, strict=False)
    same = all((then.ok, then.points) == (now.ok, now.points) for then, now in verdicts)
    wanted = corrections[-1].new
    more = Counter(fork.state.hand(player))[wanted] > Counter(referee.state.hand(player))[wanted]
    return same and more and fork.state.grid == referee.state.grid
