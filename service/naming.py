"""Pieces that people name: in any language, as printed on any edition, of the game that is played or whichever fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.called import canonical
from engine.editions import Edition, edition
from engine.tokens import Card, Face, Piece, Shape, Tile, TokenError, parse_piece
from service.errors import PieceNameError
from service.game import Game

__all__ = ["Named", "check_pieces", "edition_of", "named_pieces"]

_WORDS_OF_A_CARD = 4


@dataclass(frozen=True, slots=True)
class Named:
    """Pieces as people named them, and the edition in whose words they are told of."""

    pieces: tuple[Piece, ...]
    edition: Edition


def named_pieces(names: Sequence[str], game: Game = Game.AUTO) -> Named:
    """Return the pieces of these ``names``: those of the ``game``, or whichever the names fit.

    For ``auto`` four words name a card, three a tile, or a face where one of the names is wild.

    :raises PieceNameError: a name is no piece of the game, or a card or tile is named twice.
    """
    texts = [canonical(name) for name in names]
    if not all(texts):
        raise PieceNameError('a name is empty: name every piece, as in "2 red striped diamond" or "2 red diamond"')
    words = None if game is Game.AUTO else edition(game)
    kinds = _kinds(texts) if words is None else [words.deck[0].kind] * len(texts)
    try:
        pieces = tuple(parse_piece(text, kind) for text, kind in zip(texts, kinds, strict=True))
    except TokenError as error:
        raise PieceNameError(str(error)) from None
    check_pieces(pieces, words)
    for piece in pieces:
        if not isinstance(piece, Face) and pieces.count(piece) > 1:
            raise PieceNameError(f"{str(piece)!r} is named twice: there is only one of each card and tile")
    return Named(pieces, words or edition(edition_of(pieces)))


def _kinds(texts: Sequence[str]) -> list[str]:
    other = "die" if "wild" in texts else "tile"
    return ["card" if len(text.split()) == _WORDS_OF_A_CARD else other for text in texts]


def check_pieces(pieces: Sequence[Piece], words: Edition | None = None) -> None:
    """Check that there are such ``pieces``, in the edition ``words`` or in any.

    :raises PieceNameError: there are not.
    """
    for piece in pieces:
        if words is not None and piece not in words.deck:
            raise PieceNameError(f"{str(piece)!r} is no piece of {words.title}")
        if isinstance(piece, Tile | Face) and piece not in (*edition("junior-2").deck, *edition("cubed").deck):
            raise PieceNameError(f"{str(piece)!r} is no piece of SET Junior or Cubed")


def edition_of(pieces: Sequence[Piece]) -> str:
    """Return the key of the edition to which the first of ``pieces`` belongs; bars are Ravensburger's (RAV-1)."""
    match pieces[0]:
        case Tile():
            return "junior-2"
        case Face():
            return "cubed"
    bars = any(isinstance(piece, Card) and piece.shape is Shape.RECTANGLE for piece in pieces)
    return "ravensburger" if bars else "classic"
