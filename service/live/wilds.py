"""What Wilds stand for: a guess is taken back when what is laid or swapped later shows that it was wrong (CUBED-13)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from engine.cubed_state import CubedState
from engine.events import Announced, Corrected, Event, Laid
from engine.grid import Square
from engine.layout import Layout, Spot
from engine.referee import Referee
from engine.tokens import Face, Tile, full_tiles
from service.live.rolls import Corrections, around

__all__ = ["GUESSED", "guessed", "renamings"]

GUESSED = "what the Wild stands for is a guess"
"""The note beside a name that is not the only one that fits."""

Names = Mapping[Square, Tile]
"""What Wilds stand for, by where they lie."""

_NEAR = 2
"""How far the dice of a line are apart at most."""


def guessed(referee: Referee) -> Mapping[Square, int]:
    """Return where Wilds lie whose names are guesses, with the number of the event by which each lies there."""
    state: CubedState = referee.state
    wilds = {square for square, die in state.grid.dice.items() if die.named is not None}
    found: dict[Square, int] = {}
    for number, event in enumerate(referee.events):
        if event.note == GUESSED:
            found |= {square: number for square in _squares(event, state.grid.board.logo) if square in wilds}
    return found


def _squares(event: Event, logo: tuple[Square, ...]) -> tuple[Square, ...]:
    if isinstance(event, Announced):
        return logo
    return ((event.at[0], event.at[1]),) if isinstance(event, Laid) and event.at is not None else ()


def renamings(referee: Referee, before: Layout, after: Layout) -> Iterator[Corrections]:
    """Yield corrections that name Wilds anew which the change from ``before`` to ``after`` may be about.

    Where a die has taken the place of a Wild, it shows what that stood for; with it another Wild near by may have to
    take another name. Else a Wild near new dice may be anything that leaves all verdicts so far as they were.
    """
    lying, guesses = dict(before.entries), guessed(referee)
    new = {spot: piece for spot, piece in after.entries if lying.get(spot) != piece}
    shown = {at: face.tile for at in guesses if isinstance(face := new.get(at), Face) and face.tile is not None}
    for names in _names(guesses, shown, new):
        made = _made(referee, guesses, names)
        if made:
            yield made


def _names(guesses: Collection[Square], shown: Mapping[Square, Tile], new: Collection[Spot]) -> Iterator[Names]:
    """Yield what Wilds may stand for, the simplest first."""
    if not shown:
        yield from ({at: name} for at in guesses if _is_near(at, new) for name in full_tiles())
        return
    yield dict(shown)
    for at in guesses:
        if at not in shown and _is_near(at, shown):
            yield from ({**shown, at: name} for name in full_tiles())


def _made(referee: Referee, guesses: Mapping[Square, int], names: Names) -> Corrections:
    """Return corrections by which Wilds have these ``names`` and all verdicts stand as they did; none if none do."""
    fork, made = referee.fork(), list[Corrected]()
    for square, name in names.items():
        old = _name_at(fork.events[guesses[square]], square, fork.state.grid.board.logo)
        if old == name:
            continue
        found = next(_namings(fork, guesses[square], old, name), ())
        if not found:
            return ()
        made += found
        for correction in found:
            fork.apply(correction)
    both = zip(referee.verdicts, fork.verdicts, strict=False)
    fine = (
        all(then.ok == now.ok for then, now in both) and fork.state.grid.dice.keys() == referee.state.grid.dice.keys()
    )
    return tuple(made) if fine else ()


def _name_at(event: Event, square: Square, logo: tuple[Square, ...]) -> Tile | None:
    """Return what the Wild that ``event`` has laid on ``square`` is named by it."""
    if isinstance(event, Announced):
        names = iter(event.named)
        named = {at: next(names, None) for at, face in zip(logo, event.faces, strict=False) if face.is_wild}
        return named.get(square)
    return event.named if isinstance(event, Laid) else None


def _namings(referee: Referee, number: int, old: Tile | None, name: Tile) -> Iterator[Corrections]:
    """Yield corrections that give the Wild of event ``number`` a ``name``, and change no other event."""

    def own(other: int, _event: Event) -> bool:
        return other == number

    correction = Corrected(number, Face(old), Face(name), note=GUESSED)
    return (one for one in around(referee, correction, own) if _changes_only(referee, one, number))


def _changes_only(referee: Referee, corrections: Corrections, number: int) -> bool:
    fork = referee.fork()
    if not all(fork.apply(correction).ok for correction in corrections):
        return False
    events = enumerate(zip(referee.events, fork.events, strict=False))
    return all(then == now for place, (then, now) in events if place != number)


def _is_near(square: Square, new: Iterable[Spot]) -> bool:
    """Return whether ``square`` can be in a line with one of ``new``."""
    spots = [spot for spot in new if isinstance(spot, tuple)]
    return any(
        (spot[0] == square[0] and abs(spot[1] - square[1]) <= _NEAR)
        or (spot[1] == square[1] and abs(spot[0] - square[0]) <= _NEAR)
        for spot in spots
    )
