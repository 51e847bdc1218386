"""What a change on the board of Cubed means where nobody has seen the hands: who has played, by the order of turns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from engine.cubed_state import CubedState
from engine.events import Announced, Event, Laid, Swapped
from engine.explain_change import Candidate
from engine.layout import Layout, Spot
from engine.referee import Referee
from engine.tokens import Face, Piece
from service.live.rolls import hold, reach
from service.live.understanding import Known, Understood, understand
from service.live.wilds import GUESSED, renamings

__all__ = ["understand_cubed"]


def understand_cubed(
    before: Layout, after: Layout, referee: Referee, *, who: Collection[str] = (), ignored: Collection[Known] = ()
) -> Understood:
    """Return what the change means, as :func:`service.live.understanding.understand` does.

    The first SET can be anybody's: a candidate for each player. Later it is the turn of one player, and of the next
    one if that turn can end: the first of them for whom everything is explained. ``who`` names the one who has said
    so instead; turns before are then ended or passed. Dice that people have told of are not new when they are seen.
    """
    before = _with_told(before, after, referee.state)
    players = tuple(who) or tuple(_players(referee.state))
    if not _new(before, after) or not players:
        return understand(before, after, referee, ignored=ignored)
    turn = _Turn(before, after, ignored)
    found = [turn.by(player, referee) for player in players]
    whole = [one for one in found if one.whole] or turn.renamed(players, referee)
    if not whole:
        return found[0]
    candidates = tuple(candidate for one in whole for candidate in one.candidates)
    if referee.state.leader is None and len(whole) > 1:
        return Understood(candidates)
    return replace(whole[0], candidates=candidates, sure=whole[0].sure and len(whole) == 1)


def _players(state: CubedState) -> Iterator[str]:
    """Yield who may have played, the likeliest first."""
    if state.over is not None:
        return
    if state.turn is None:
        yield from state.players
        return
    yield state.players[state.turn]
    if state.laid and not state.waiting and state.following is not None:
        yield state.players[state.following]


def _with_told(before: Layout, after: Layout, state: CubedState) -> Layout:
    """Return ``before`` with the dice of ``after`` that lie there by the game already."""
    dice: dict[Spot, Piece] = {at: die.face for at, die in state.grid.dice.items() if after.get(at) == die.face}
    return Layout.of(dict(before.entries) | dice)


def _new(before: Layout, after: Layout) -> tuple[Face, ...]:
    """Return the dice that lie where none lay, or where a Wild lay."""
    earlier = dict(before.entries)
    return tuple(
        piece
        for spot, piece in after.entries
        if isinstance(piece, Face) and (spot not in earlier or earlier[spot] == Face(None) != piece)
    )


@dataclass(frozen=True, slots=True)
class _Turn:
    """A change that somebody has made."""

    before: Layout
    after: Layout
    ignored: Collection[Known]

    def renamed(self, players: Collection[str], referee: Referee) -> list[Understood]:
        """Return what the change means if a Wild stands for something else than was guessed: the first that fits."""
        found = (self.by(player, referee, rename=True) for player in players)
        return [one for one in found if one.whole][:1]

    def by(self, player: str, referee: Referee, *, rename: bool = False) -> Understood:
        """Return what it means if ``player`` has made it: one Wild after the other is swapped, then dice are laid.

        Of what cannot be explained so, the first part that is not is returned.
        """
        fork, before, parts = referee.fork(), self.before, list[Understood]()
        start = len(fork.log)
        reach(fork, player)
        for stage in _stages(before, self.after):
            hold(fork, player, _new(before, stage))
            found = self._part(before, stage, fork, player)
            if not found.whole and rename:
                fork, found = self._renamed(before, stage, fork, player)
            if found.choice is None:
                return found
            for event in found.choice.events:
                fork.apply(_guessed(event, sure=found.sure))
            parts.append(found)
            before = stage
        return _together(fork, start, parts)

    def _part(self, before: Layout, after: Layout, referee: Referee, player: str) -> Understood:
        found = understand(before, after, referee, ignored=self.ignored)
        fitting = tuple(one for one in found.candidates if _who(one.events) == {player})
        if found.problems or not fitting:
            return replace(found, choice=None, whole=False)
        return Understood(fitting, (), fitting[0], whole=True, sure=len(fitting) == 1 and found.sure)

    def _renamed(self, before: Layout, after: Layout, referee: Referee, player: str) -> tuple[Referee, Understood]:
        """Return what it means when one Wild is named anew, and the referee who knows that."""
        found = Understood()
        for corrections in renamings(referee, before, after):
            fork = referee.fork()
            for correction in corrections:
                fork.apply(correction)
            found = self._part(before, after, fork, player)
            if found.whole:
                return fork, replace(found, sure=False)
        return referee, replace(found, choice=None, whole=False)


def _together(fork: Referee, start: int, parts: Sequence[Understood]) -> Understood:
    """Return all that ``fork`` has judged from event ``start`` on as one explanation."""
    added = fork.log[start:]
    points = Counter[str]()
    for entry in added:
        points.update(entry.verdict.points)
    notes = tuple(note for part in parts if part.choice is not None for note in part.choice.notes)
    events, verdicts = tuple(entry.event for entry in added), tuple(entry.verdict for entry in added)
    candidate = Candidate(events, verdicts, {name: many for name, many in points.items() if many}, notes)
    return Understood((candidate,), (), candidate, whole=True, sure=all(part.sure for part in parts))


def _guessed(event: Event, *, sure: bool) -> Event:
    """Return ``event`` with the note that its Wild's name is a guess, if it is."""
    named = isinstance(event, Laid | Announced) and event.named
    return replace(event, note=GUESSED) if named and not sure else event


def _stages(before: Layout, after: Layout) -> Iterator[Layout]:
    """Yield the layouts between the two: each Wild that is swapped by itself, for it is rolled before it is laid."""
    lying, now = dict(before.entries), dict(after.entries)
    swaps = [spot for spot, piece in lying.items() if piece == Face(None) and now.get(spot, piece) != piece]
    for spot in swaps:
        lying[spot] = now[spot]
        yield Layout.of(lying)
    if lying != now:
        yield after


def _who(events: Collection[Event]) -> set[str]:
    """Return who has played what is to be seen on the board."""
    return {event.player for event in events if isinstance(event, Announced | Laid | Swapped)}
