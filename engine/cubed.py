"""SET Cubed: 42 dice, a board, and SETs in rows and columns (CUBED-1 to CUBED-19)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Any

from engine.clauses import Clause
from engine.cubed_play import judge, lay, next_is_last, ready
from engine.cubed_state import HAND, CubedState, Phase
from engine.events import Announced, Event, Laid, Passed, Swapped, TurnEnded, Verdict
from engine.game import Due, Game, Legal, Task, accept, hint_of_sets
from engine.grid import CubedBoard, Grid
from engine.hints import HintLevel
from engine.reasons import Reason
from engine.sets import third
from engine.tokens import Face, Tile, full_tiles
from engine.turns import best_turns

__all__ = ["Cubed", "namings"]


class Cubed(Game[CubedState]):
    """The rules of SET Cubed."""

    def start(
        self, players: Sequence[str], options: Mapping[str, object] | None = None, board: Any = None
    ) -> CubedState:
        """Return the state before the first roll; ``board`` is a :class:`CubedBoard` or what JSON has of one.

        :raises PlayersError: the players cannot play this game.
        :raises OptionError: an unknown option, or a value out of range.
        :raises BoardError: ``board`` is none (CUBED-2).
        """
        seats = self.seat(players, options)
        printed = board if isinstance(board, CubedBoard) else CubedBoard.from_json(board)
        number = len(seats["players"])
        return CubedState(**seats, grid=Grid(printed), hands=((),) * number, unrolled=(HAND,) * number)

    def judge(self, state: CubedState, event: Event) -> tuple[CubedState, Verdict] | None:
        """Return what becomes of an event of Cubed; None if it belongs to another game."""
        return judge(state, event)

    def legal(self, state: CubedState) -> Legal:
        """Return who has to roll or may, and every announcement, die, swap and end of a turn that stands.

        A Wild is listed with each name that stands. An announcement is listed in one order of its dice. While the
        player in turn could end the turn, the moves of the next player are listed too: they end it (CUBED-5).
        There is no move at all where a die waits that no other can help: then ``undone`` takes it back (CUBED-7).
        """
        if state.over is not None:
            return Legal()
        return Legal(tuple(_due(state)), tuple(_moves(state)))

    def hint(self, state: CubedState, player: str, level: HintLevel) -> Verdict:
        """Answer about the SETs in the hand before the first SET lies, else about the best turn of ``player``.

        ``COUNT`` is how many SETs that turn makes. From ``ONE`` on, that many of its squares are told, each with the
        die of the hand that goes there; ``named`` has what the Wilds among them stand for.
        """
        if state.missing_rolls:
            return accept(Clause.CLASSIC_7, Reason.HINT_NOT_NOW, players=state.missing_rolls)
        if state.leader is None:
            return hint_of_sets(list(dict.fromkeys(event.faces for event in _announcements(state, player))), level)
        turns = best_turns(state, player)
        if not turns:
            return accept(Clause.CLASSIC_7, Reason.HINT_TURN_NO)
        if level is HintLevel.COUNT:
            return accept(Clause.CLASSIC_7, Reason.HINT_TURN_COUNT, count=len(turns[0].lines))
        if level is HintLevel.YES_NO:
            return accept(Clause.CLASSIC_7, Reason.HINT_TURN_YES)
        dice = turns[0].dice[: level.pieces]
        return accept(
            Clause.CLASSIC_7,
            Reason.HINT_PLACES,
            places=tuple(die.at for die in dice),
            pieces=tuple(die.face for die in dice),
            named=tuple(die.named for die in dice if die.named is not None),
        )


def _due(state: CubedState) -> Iterator[Due]:
    for seat, player in enumerate(state.players):
        count = len(state.hands[seat]) + state.unrolled[seat]
        if state.unrolled[seat]:
            yield Due(Task.ROLL, count, player)
        elif state.phase is Phase.OPENING and not state.missing_rolls:
            yield Due(Task.ROLL, count, player, optional=True)
        elif state.phase is Phase.REFILL and seat in state.rerolls:
            yield Due(Task.REROLL, count, player, optional=True)


def _moves(state: CubedState) -> Iterator[Event]:
    for player in state.players:
        yield from _announcements(state, player)
        turn = ready(state, Passed(player))
        if isinstance(turn, CubedState):
            others = (*_swaps(turn, player), Passed(player), TurnEnded(player))
            yield from (event for event in others if _stands(turn, event))
            yield from _dice(turn, player)


def _stands(state: CubedState, event: Event) -> bool:
    judged = judge(state, event)
    return judged is not None and judged[1].ok


def _announcements(state: CubedState, player: str) -> Iterator[Announced]:
    """Yield every three dice of the hand that are a SET, with every naming of their Wilds that makes them one."""
    if state.leader is not None or state.missing_rolls:
        return
    threes = {tuple(sorted(map(str, faces))): faces for faces in combinations(state.hand(player), 3)}
    for faces in threes.values():
        events = (Announced(player, faces, names) for names in namings(faces))
        yield from (event for event in events if _stands(state, event))


def namings(faces: tuple[Face, ...]) -> Iterator[tuple[Tile, ...]]:
    """Yield the names of the Wilds among three faces: all but the last are free, and it completes the SET (SET-2)."""
    known = tuple(face.tile for face in faces if face.tile is not None)
    if len(known) == len(faces):
        yield ()
        return
    for names in product(full_tiles(), repeat=len(faces) - len(known) - 1):
        first, second = (*names, *known)
        yield (*names, third(first, second))


def _swaps(turn: CubedState, player: str) -> Iterator[Swapped]:
    for square, die in turn.grid.dice.items():
        if die.named is not None and Face(die.named) in turn.hand(player):
            yield Swapped(player, Face(die.named), square)


def _dice(turn: CubedState, player: str) -> Iterator[Laid]:
    """Yield every die that the player in ``turn`` can lay."""
    squares, free = turn.grid.open_squares, turn.may_wait and not next_is_last(turn)
    for face in dict.fromkeys(turn.hand(player)):
        names: tuple[Tile | None, ...] = full_tiles() if face.is_wild else (None,)
        for square, named in product(squares, names):
            if free or not lay(turn, face, square, named)[1]:
                yield Laid(player, face, square, named)
