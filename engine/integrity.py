"""The free check of a finished game: what is left sums to nothing, or a false SET was taken (SET-5).

>>> from engine.tokens import full_deck
>>> sums(full_deck())
(0, 0, 0, 0)
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from engine.calls import CallState
from engine.editions import Feature, features_of, shown
from engine.game import State
from engine.tokens import Piece

__all__ = ["Integrity", "broken_features", "integrity_of", "sums"]


class Integrity(StrEnum):
    """What the pieces that are left say about the SETs that were taken."""

    HOLDS = "holds"
    """They sum to 0 in each feature."""
    BROKEN = "broken"
    """They do not: a false SET was accepted, or a piece is not what it was read as."""
    UNKNOWN = "unknown"
    """Nothing can be said: pieces are missing (``pile_out``), or the game takes no SETs away."""


def sums(pieces: Iterable[Piece]) -> tuple[int, ...]:
    """Return the sum of each feature modulo 3, in the order of the name; of no pieces: ``()``.

    :raises WildPieceError: one of them is wild.
    """
    values = [shown(piece).values for piece in pieces]
    return tuple(sum(column) % 3 for column in zip(*values, strict=True))


def broken_features(left: Iterable[Piece]) -> tuple[Feature, ...]:
    """Return the features that do not sum to 0 over the pieces that are ``left`` of a whole deck.

    None does as long as only true SETs were taken: this reads a finished game off a photo of its last table.
    """
    pieces = tuple(left)
    if not pieces:
        return ()
    return tuple(feature for feature, total in zip(features_of(pieces[0]), sums(pieces), strict=True) if total)


def integrity_of(state: State) -> Integrity:
    """Return what the pieces not taken in this round, on the table and in the pile, say (SET-5)."""
    if not isinstance(state, CallState) or state.broken_pile:
        return Integrity.UNKNOWN
    left = (state.deck - state.dealt) | frozenset(state.table)
    return Integrity.BROKEN if broken_features(left) else Integrity.HOLDS
