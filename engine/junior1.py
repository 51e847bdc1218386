"""SET Junior, face 1: tiles on the spaces of a board, a token for each line that they complete (JUN-1 to JUN-5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.clauses import Clause
from engine.events import Event, Laid, Line, Place, Verdict
from engine.game import Game, Legal, State, accept, refuse
from engine.hints import HintLevel
from engine.junior_board import LINES, PLACES, JuniorBoard
from engine.reasons import Reason
from engine.tokens import Tile

__all__ = ["Junior1", "Junior1State"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Junior1State(State):
    """Where a game on face 1 stands; hands are unknown to the referee."""

    board: JuniorBoard
    """The printed spaces (JUN-2)."""
    covered: frozenset[Place] = frozenset()
    """Spaces on which their tile lies, as (square, row, column)."""

    @property
    def turn(self) -> str:
        """Who lays the next tile."""
        return self.players[len(self.covered) % len(self.players)]

    def completes(self, place: Place) -> tuple[tuple[Place, ...], ...]:
        """Return the lines that a tile on ``place`` would complete (JUN-4)."""
        return tuple(line for line in LINES if place in line and all(at == place or at in self.covered for at in line))


class Junior1(Game[Junior1State]):
    """The rules of SET Junior, face 1.

    Turns go round without exception, although hands are unknown. Of 27 tiles n players (2 to 9) hold 3n, and the pile
    has 27 - 3n. As long as it lasts a player draws after laying, so every hand holds three when the pile runs out.
    The last 3n tiles are then laid in n turns, three times over. And every tile has its own space, which nothing else
    may cover: whoever is in turn can always lay (JUN-3).
    """

    def start(
        self, players: Sequence[str], options: Mapping[str, object] | None = None, board: Any = None
    ) -> Junior1State:
        """Return the state before the first tile, on ``board``: a :class:`JuniorBoard`, or its JSON.

        :raises PlayersError: fewer than 2 or more than 9 players, or names that do not tell them apart.
        :raises OptionError: an unknown option, or a value out of range.
        :raises BoardError: ``board`` is no board of face 1 (JUN-2).
        """
        printed = board if isinstance(board, JuniorBoard) else JuniorBoard.from_json(board)
        return Junior1State(**self.seat(players, options), board=printed)

    def judge(self, state: Junior1State, event: Event) -> tuple[Junior1State, Verdict] | None:
        """Return what becomes of a tile laid on a space (JUN-3 to JUN-5); None for other events."""
        match event:
            case Laid(player, Tile() as tile, tuple() as at, None):
                fault = _fault(state, player, tile, at)
                return _lay(state, player, tile, at) if fault is None else (state, fault)
        return None

    def legal(self, state: Junior1State) -> Legal:
        """Return the tile of every open space as one that the player in turn may hold."""
        if state.over is not None:
            return Legal()
        return Legal(moves=tuple(Laid(state.turn, state.board[at], at) for at in _open(state)))

    def hint(self, state: Junior1State, player: str, level: HintLevel) -> Verdict:
        """Return the answer about the open spaces that would complete a line.

        Pieces are those of a line of the space that pays most: first the two that lie, last the one that is missing.
        """
        lines = {at: completed for at in _open(state) if (completed := state.completes(at))}
        if level is HintLevel.COUNT:
            return accept(Clause.CLASSIC_7, Reason.HINT_SPACES_COUNT, count=len(lines))
        if not lines:
            return accept(Clause.CLASSIC_7, Reason.HINT_SPACES_NO)
        if level is HintLevel.YES_NO:
            return accept(Clause.CLASSIC_7, Reason.HINT_SPACES_YES)
        best = max(lines, key=lambda at: len(lines[at]))
        shown = sorted(lines[best][0], key=lambda at: at == best)[: level.pieces]
        pieces = tuple(state.board[at] for at in shown)
        return accept(Clause.CLASSIC_7, Reason.HINT_PLACES, pieces=pieces, places=tuple(shown))


def _open(state: Junior1State) -> tuple[Place, ...]:
    return tuple(at for at in PLACES if at not in state.covered)


def _fault(state: Junior1State, player: str, tile: Tile, at: Place) -> Verdict | None:
    """Return why the tile may not lie there, if so."""
    if player != state.turn:
        return refuse(Clause.JUN_3, Reason.NOT_YOUR_TURN, player=player, turn=state.turn)
    if at not in PLACES:
        return refuse(Clause.JUN_5, Reason.NO_SUCH_SPACE, piece=tile, at=at)
    if at in state.covered:
        return refuse(Clause.JUN_5, Reason.SPACE_COVERED, piece=tile, at=at, space=state.board[at])
    if state.board[at] != tile:
        return refuse(Clause.JUN_5, Reason.WRONG_SPACE, piece=tile, at=at, space=state.board[at])
    return None


def _lay(state: Junior1State, player: str, tile: Tile, at: Place) -> tuple[Junior1State, Verdict]:
    lines = tuple(Line(state.board.pieces(line), 1, line) for line in state.completes(at))
    covered = state.covered | {at}
    over = Clause.JUN_5 if len(covered) == len(PLACES) else None
    scores = state.scored(state.index(player), len(lines))
    after = replace(state, covered=covered, scores=scores, over=over)
    if not lines:
        return after, accept(Clause.JUN_3, Reason.TILE_LAID, player=player, piece=tile, at=at)
    count = len(lines)
    verdict = accept(
        Clause.JUN_4,
        Reason.LINES_COMPLETED,
        {player: count},
        sets=lines,
        player=player,
        piece=tile,
        at=at,
        count=count,
    )
    return after, verdict
