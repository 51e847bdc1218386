"""What has changed between two pictures: of a table where pieces lie anywhere, or of a board with places.

Both are compared with what lies there by the game. A change is given in up to two views: first what the picture before
and the game have in common, then, where they differ, as if the picture before had shown what the game knows.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from engine.explained import Moved, Problem, problem
from engine.layout import Layout, Spot
from engine.reasons import Oddity
from engine.tokens import Piece

__all__ = ["BoardChange", "Looked", "TableChange", "look_at_board", "look_at_table"]


@dataclass(frozen=True, slots=True)
class TableChange:
    """What has changed on a table where each piece is there once and lies anywhere."""

    gone: tuple[Piece, ...]
    """What lay there and does not any more."""
    new: tuple[Piece, ...]
    """What lies there now and did not."""
    lying: tuple[Piece, ...]
    """Everything that lies there now."""
    pairs: Mapping[Piece, Piece]
    """What is gone, with what is new and lies exactly in its place."""


@dataclass(frozen=True, slots=True)
class BoardChange:
    """What has changed on a board."""

    gone: Mapping[Spot, Piece]
    """What lay there, by place, where nothing lies now."""
    changed: Mapping[Spot, tuple[Piece, Piece]]
    """What lay there and what lies there now."""
    new: Mapping[Spot, Piece]
    """What lies now where nothing lay."""


@dataclass(frozen=True, slots=True)
class Looked:
    """What two pictures tell without any rules."""

    moved: tuple[Moved, ...]
    """What only lies elsewhere, or is back."""
    problems: tuple[Problem, ...]
    """What is odd in itself."""


def look_at_table(
    before: Layout, after: Layout, table: Iterable[Piece], deck: Collection[Piece]
) -> tuple[Looked, tuple[TableChange, ...]]:
    """Return what two pictures of a table tell, ``table`` being what lies there by the game, and the views."""
    lies = dict.fromkeys(table)
    earlier, now, places = _spots(before, deck), _spots(after, deck), dict(after.entries)
    pairs = {
        piece: other
        for spot, piece in before.entries
        if piece in deck and (other := places.get(spot)) is not None and piece != other and other in deck
    }
    gone = tuple(piece for piece in lies if piece in earlier and piece not in now)
    new = tuple(piece for piece in now if piece not in lies and piece not in earlier)
    views = [TableChange(gone, new, tuple(now), _pairs(pairs, gone, new))]
    problems = _unfit(after, deck)
    unlike = [piece for piece in lies if piece not in earlier and piece not in now]
    unlike += [piece for piece in earlier if piece not in lies]
    if unlike:
        problems.insert(0, problem(Oddity.DISAGREES, unlike))
        gone, new = (
            tuple(piece for piece in lies if piece not in now),
            tuple(piece for piece in now if piece not in lies),
        )
        views.append(TableChange(gone, new, tuple(now), _pairs(pairs, gone, new)))
    return Looked(tuple(_moves(lies, earlier, now)), tuple(problems)), tuple(views)


Spots = Mapping[Piece, tuple[Spot, ...]]
"""Every place of each piece."""


def _spots(layout: Layout, deck: Collection[Piece]) -> Spots:
    spots: dict[Piece, tuple[Spot, ...]] = {}
    for spot, piece in layout.entries:
        if piece in deck:
            spots[piece] = (*spots.get(piece, ()), spot)
    return spots


def _pairs(pairs: Mapping[Piece, Piece], gone: Collection[Piece], new: Collection[Piece]) -> dict[Piece, Piece]:
    return {piece: other for piece, other in pairs.items() if piece in gone and other in new}


def _moves(lies: Iterable[Piece], earlier: Spots, now: Spots) -> list[Moved]:
    moved = [Moved(piece, None, now[piece][0]) for piece in lies if piece in now and piece not in earlier]
    both = (piece for piece in earlier if piece in now and not set(earlier[piece]) & set(now[piece]))
    return moved + [Moved(piece, earlier[piece][0], now[piece][0]) for piece in both]


def _unfit(after: Layout, deck: Collection[Piece], *, once: bool = True) -> list[Problem]:
    """Return what does not belong to the game, and what lies there more than once."""
    pieces = [piece for _, piece in after.entries]
    foreign = dict.fromkeys(piece for piece in pieces if piece not in deck)
    double = dict.fromkeys(piece for piece in pieces if pieces.count(piece) > 1 and piece not in foreign)
    found = [problem(Oddity.FOREIGN, foreign)] if foreign else []
    if double and once:
        found.append(problem(Oddity.DUPLICATE, double))
    return found


def look_at_board(
    before: Layout, after: Layout, board: Mapping[Spot, Piece], deck: Collection[Piece], *, once: bool
) -> tuple[Looked, tuple[BoardChange, ...]]:
    """Return what two pictures of a board tell, ``board`` being what lies there by the game, and the views.

    ``once``: whether each piece is there once only.
    """
    earlier = dict(before.entries)
    now = {spot: piece for spot, piece in after.entries if piece in deck}
    common = {spot: piece for spot, piece in board.items() if earlier.get(spot) == piece}
    known = {spot: piece for spot, piece in earlier.items() if piece in deck and spot not in board}
    # What was there before and is unknown to the game is not new, as long as it stays the same.
    shown = {spot: piece for spot, piece in now.items() if known.get(spot) != piece}
    first = _board_change(common, {spot: piece for spot, piece in shown.items() if spot in common or spot not in board})
    problems, views = _unfit(after, deck, once=once), [first]
    unlike = {spot: board[spot] for spot in board if spot not in common and now.get(spot) != board[spot]} | known
    if unlike:
        problems.insert(0, problem(Oddity.DISAGREES, unlike.values()))
        views.append(_board_change(board, now))
    back = (Moved(board[spot], None, spot) for spot in board if spot not in common and now.get(spot) == board[spot])
    return Looked(tuple(back), tuple(problems)), tuple(views)


def _board_change(lay: Mapping[Spot, Piece], now: Mapping[Spot, Piece]) -> BoardChange:
    return BoardChange(
        {spot: piece for spot, piece in lay.items() if spot not in now},
        {spot: (piece, now[spot]) for spot, piece in lay.items() if spot in now and now[spot] != piece},
        {spot: piece for spot, piece in now.items() if spot not in lay},
    )
