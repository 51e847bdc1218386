"""Pieces by their names, in any language, of one game or whichever fits."""

from __future__ import annotations

import pytest

from engine.editions import EDITIONS, edition
from engine.labels import Language
from service.errors import PieceNameError
from service.game import Game
from service.naming import edition_of, named_pieces


@pytest.mark.parametrize("key", EDITIONS)
@pytest.mark.parametrize("language", Language)
def test_every_piece_is_known_by_its_label(key: str, language: Language) -> None:
    words = edition(key)
    named = named_pieces([words.label(piece, language) for piece in words.deck], Game(key))
    assert (named.pieces, named.edition) == (words.deck, words)


@pytest.mark.parametrize(
    ("names", "key", "kind"),
    [
        (["1 red solid oval"], "classic", "card"),
        (["1 red solid oval", "1 red solid rectangle"], "ravensburger", "card"),
        (["1 red oval"], "junior-2", "tile"),
        (["1 red oval", "wild", "1 red oval"], "cubed", "die"),
        (["žolík"], "cubed", "die"),
    ],
)
def test_the_names_tell_the_game(names: list[str], key: str, kind: str) -> None:
    named = named_pieces(names)
    assert (named.edition.key, {piece.kind for piece in named.pieces}) == (key, {kind})
    assert edition_of(named.pieces) == key


@pytest.mark.parametrize(
    ("names", "game", "words"),
    [
        (["1 red oval", " "], Game.AUTO, "a name is empty"),
        (["1 red solid oval"] * 2, Game.AUTO, "is named twice"),
        (["1 red oval"] * 2, Game.JUNIOR_1, "is named twice"),
        (["1 red rectangle"], Game.AUTO, "no piece of SET Junior or Cubed"),
        (["1 red solid diamond"], Game.RAVENSBURGER, "no piece of SET .Ravensburger"),
        (["wild"], Game.CLASSIC, "'wild'"),
        (["wild"], Game.JUNIOR_2, "'wild'"),
        (["1 blue oval"], Game.AUTO, "'blue'"),
        (["1 red oval solid green"], Game.AUTO, "1 red oval solid green"),
    ],
)
def test_what_is_no_piece_is_refused(names: list[str], game: Game, words: str) -> None:
    with pytest.raises(PieceNameError, match=words):
        named_pieces(names, game)
