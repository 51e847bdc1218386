"""What was played between two layouts of a board of SET Junior, face 1, judged (JUN-3 to JUN-5).

A layout says which tile lies on which space, as (square, row, column). Hands are not seen.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from engine.between import Change, changes
from engine.clauses import Clause
from engine.editions import edition
from engine.events import Laid, Place
from engine.games import game
from engine.junior1 import Junior1State
from engine.junior_board import JuniorBoard
from engine.sentences import say
from engine.tokens import Tile
from service.judged import ANYBODY, Judged, LaidPiece, check_pair, label_of, laid_as_seen, moves_of, with_remarks

__all__ = ["JuniorTable", "judge_junior"]

_OTHERS = "The others"


@dataclass(frozen=True, slots=True)
class JuniorTable:
    """What is known of a table of SET Junior, face 1, besides two layouts."""

    board: JuniorBoard
    """What is printed on the spaces."""
    player: str | None = None
    """Who played; None: nobody has said it."""
    state: Junior1State | None = None
    """Where the game stands, if there is a record of it."""


def judge_junior(
    before: Mapping[Place, Tile], after: Mapping[Place, Tile], table: JuniorTable, doubts: Collection[Place] = ()
) -> Judged:
    """Return the verdict on the tile that was laid between two layouts.

    ``doubts`` are places of tiles that may be misread. A tile that lies in ``before`` and not in ``after`` is taken to
    be hidden there, as long as ``after`` has not fewer tiles.

    :raises TurnError: the layouts are no turn: they are of different boards, or a tile was taken away.
    """
    change = changes(before, after)
    check_pair(before, after, change, "tiles")
    judged = _oddity(change, table) or _laid(before, change, table)
    shown = {**change.gone, **after}
    lines = {at for line in judged.lines for at in line.at}
    matter = {piece.at for piece in judged.laid} | {move.end for move in judged.moved} | lines
    return with_remarks(judged, shown, sorted(matter.intersection({*doubts, *change.gone})), change.gone)


def _oddity(change: Change[Place, Tile], table: JuniorTable) -> Judged | None:
    """Return the verdict on what is not one tile laid, if it is that."""
    texts = [
        f"A tile was moved from {list(move.start)} to {list(move.end)} ({label_of(move.piece)}): what is laid stays "
        "where it is."
        for move in change.moved
    ]
    texts += [
        f"On {list(at)} lies {label_of(new)} where {label_of(old)} lay: what is laid stays there."
        for at, (old, new) in change.changed.items()
    ]
    count = len(change.new)
    if not texts and count == 1:
        return None
    if not texts:
        texts = [f"A turn is one tile laid on its space; {count} are new here."]
    faults = (*(move.end for move in change.moved), *change.changed)
    judged = Judged(_player(table), False, Clause.JUN_3, " ".join(texts), laid_as_seen(change.new), faults=faults)
    return replace(judged, moved=moves_of(change), scores={} if table.state is None else table.state.score)


def _player(table: JuniorTable) -> str:
    if table.player is not None:
        return table.player
    return ANYBODY if table.state is None else table.state.turn


def _laid(before: Mapping[Place, Tile], change: Change[Place, Tile], table: JuniorTable) -> Judged:
    player, state = _player(table), table.state or _state(before, table)
    ((at, tile),) = change.new.items()
    after, verdict = game("junior-1").apply(state, Laid(player, tile, at))
    text = say(verdict, edition("junior-1"))
    points = sum(line.points for line in verdict.sets)
    laid = (LaidPiece(tile, at, points=points),)
    faults = () if verdict.ok else (at,)
    judged = Judged(player, verdict.ok, verdict.clause, text, laid, lines=verdict.sets, faults=faults)
    return judged if table.state is None else replace(judged, scores=after.score)


def _state(before: Mapping[Place, Tile], table: JuniorTable) -> Junior1State:
    """Return the state in which the player is in turn and the tiles before lie."""
    players = (_player(table), _OTHERS) if len(before) % 2 == 0 else (_OTHERS, _player(table))
    options: dict[str, object] = {}
    start: Junior1State = game("junior-1").start(players, options, table.board)
    return replace(start, covered=frozenset(before))
