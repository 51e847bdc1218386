"""What explains a change in SETUP and on face 1 of SET Junior: what the players in turn have laid, and claims."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

from engine.changes import BoardChange, TableChange, look_at_board, look_at_table
from engine.events import Claimed, Event, Laid, Place
from engine.explained import Explained, Part, Problem, best_view, collect, problem
from engine.junior1 import Junior1, Junior1State
from engine.junior_board import PLACES
from engine.layout import Layout, Spot
from engine.reasons import Oddity
from engine.setup_game import Setup, SetupState, true_claims
from engine.tokens import Piece

__all__ = ["MOST_TURNS", "explain_junior1", "explain_setup"]

MOST_TURNS = 4
"""Most turns of different players between two pictures."""


def explain_setup(before: Layout, after: Layout, state: SetupState, game: Setup) -> Explained:
    """Return what explains the change in SETUP.

    A card is laid by the player in turn; several by several players, in any order. If the whole table is gone, the
    last card was claimed: a candidate for each SET with it and each player but the one who laid it.
    """
    looked, views = look_at_table(before, after, state.table, game.edition.deck)
    part = best_view(views, lambda change: _setup(change, state, game))
    return Explained(part.candidates, looked.moved, (*looked.problems, *part.problems), part.more)


def _setup(change: TableChange, state: SetupState, game: Setup) -> Part:
    gone = change.gone
    claims = tuple(_claims(state)) if gone and len(gone) == len(state.table) else ()
    pairs = {} if claims else change.pairs
    returned = tuple(piece for piece in change.new if piece in state.laid)
    laid = [(piece, None) for piece in change.new if piece not in returned and piece not in pairs.values()]
    problems = [problem(Oddity.CHANGED, (old, now), old=old, new=now) for old, now in pairs.items()]
    if returned:
        problems.append(problem(Oddity.RETURNED, returned))
    rest = tuple(piece for piece in gone if piece not in pairs)
    if rest and not claims:
        problems.append(_taken_wrongly(rest, state))
    return _in_turn(state, game, claims, laid).with_problems(*problems)


def _taken_wrongly(gone: tuple[Piece, ...], state: SetupState) -> Problem:
    if len(gone) == len(state.table):
        return problem(Oddity.UNCLAIMABLE, gone, last=state.table[-1])
    return problem(Oddity.VANISHED, gone)


def _claims(state: SetupState) -> Iterator[Claimed]:
    """Yield who may have claimed which SET with the last card."""
    for three in true_claims(state):
        yield from (Claimed(player, three) for player in state.players if player != state.layer)


Placed = tuple[Piece, Place | None]
"""A piece, and where it is laid on a board."""


def _in_turn(
    state: SetupState | Junior1State, game: Setup | Junior1, claims: Sequence[Claimed], laid: Sequence[Placed]
) -> Part:
    """Explain one of the ``claims``, if any, and then ``laid``, by the players in turn and in any order."""
    if not claims and not laid:
        return Part()
    pieces = [piece for piece, _ in laid]
    if len(laid) > MOST_TURNS:
        return Part(problems=(problem(Oddity.TOO_MANY_NEW, pieces, due=MOST_TURNS),))
    first = state.index(state.turn)
    players = [*state.players[first:], *state.players[:first]] * MOST_TURNS
    orders = ([Laid(who, *die) for who, die in zip(players, order, strict=False)] for order in permutations(laid))
    starts: Sequence[tuple[Event, ...]] = [(claim,) for claim in claims] or [()]
    part = collect(game, state, [(*start, *order) for order in orders for start in starts])
    return part.refused(pieces)


def explain_junior1(before: Layout, after: Layout, state: Junior1State, game: Junior1) -> Explained:
    """Return what explains the change on face 1 of the Junior board.

    A tile on its own space is laid by the player in turn; several by several players, in any order. A tile on another
    space, or one that has gone or has been moved, is a problem.
    """
    board: dict[Spot, Piece] = {at: state.board[at] for at in state.covered}
    looked, views = look_at_board(before, after, board, game.edition.deck, once=True)
    part = best_view(views, lambda change: _junior1(change, state, game))
    return Explained(part.candidates, looked.moved, (*looked.problems, *part.problems), part.more)


def _junior1(change: BoardChange, state: Junior1State, game: Junior1) -> Part:
    problems, laid = list[Problem](), list[Placed]()
    for old, now in change.changed.values():
        problems.append(problem(Oddity.CHANGED, (old, now), old=old, new=now))
    for start, piece in change.gone.items():
        ends = [at for at, other in change.new.items() if other == piece]
        if ends:
            problems.append(problem(Oddity.MOVED, (piece,), piece=piece, start=start, at=ends[0]))
        else:
            problems.append(problem(Oddity.VANISHED, (piece,)))
    for at, piece in change.new.items():
        if not isinstance(at, tuple) or at not in PLACES:
            problems.append(problem(Oddity.OFF_BOARD, (piece,), piece=piece, at=at))
        elif state.board[at] == piece:
            laid.append((piece, at))
        else:
            space = state.board[at]
            problems.append(problem(Oddity.WRONG_SPACE, (piece, space), piece=piece, at=at, space=space))
    return _in_turn(state, game, (), laid).with_problems(*problems)
