"""Editions: their pieces, their words, and the data that is refused."""

from dataclasses import replace

import pytest

from engine.editions import (
    EDITIONS,
    Edition,
    EditionError,
    Feature,
    UnknownEditionError,
    WildPieceError,
    edition,
    features_of,
    shown,
)
from engine.labels import Gender, Language
from engine.tokens import Card, Face, Shape, Tile, TokenError, full_deck, parse_piece


@pytest.mark.parametrize(
    ("game", "kind", "name", "label"),
    [
        ("classic", "card", "2 red striped diamond", "two red striped diamonds"),
        ("classic", "card", "1 red striped diamond", "one red striped diamond"),
        ("classic", "card", "3 purple open squiggle", "three purple open squiggles"),
        ("classic", "card", "3 purple open rectangle", "three purple open rectangles"),
        ("setup", "card", "1 green solid oval", "one green solid oval"),
        ("ravensburger", "card", "2 green striped rectangle", "two turquoise half bars"),
        ("ravensburger", "card", "1 purple solid squiggle", "one purple full wave"),
        ("ravensburger", "card", "3 red open oval", "three red open ovals"),
        ("ravensburger", "card", "3 red open diamond", "three red open diamonds"),
        ("junior-1", "tile", "3 red squiggle", "three red waves"),
        ("junior-2", "tile", "1 green diamond", "one green diamond"),
        ("cubed", "die", "2 purple oval", "two purple ovals"),
        ("cubed", "die", "wild", "wild"),
        ("classic", "die", "wild", "wild"),
    ],
)
def test_labels(game: str, kind: str, name: str, label: str) -> None:
    assert edition(game).label(parse_piece(name, kind)) == label


@pytest.mark.parametrize("entry", EDITIONS.values(), ids=str)
def test_labels_of_a_deck_differ(entry: Edition) -> None:
    assert len({entry.label(piece) for piece in entry.deck}) == len(entry.deck)


@pytest.mark.parametrize(
    ("game", "pieces", "features"),
    [
        ("classic", 81, 4),
        ("ravensburger", 81, 4),
        ("setup", 81, 4),
        ("junior-1", 27, 3),
        ("junior-2", 27, 3),
        ("cubed", 28, 3),
    ],
)
def test_decks(game: str, pieces: int, features: int) -> None:
    entry = edition(game)
    assert entry.key == game
    assert len(entry.deck) == pieces
    assert len(entry.features) == features
    assert EDITIONS[game] is entry


def test_there_are_exactly_the_games_of_the_command_line() -> None:
    assert list(EDITIONS) == ["classic", "ravensburger", "setup", "junior-1", "junior-2", "cubed"]


def test_only_ravensburger_has_bars() -> None:
    """RAV-1."""
    assert {key for key, entry in EDITIONS.items() if entry.bar is Shape.RECTANGLE} == {"ravensburger"}


def test_editions_name_their_features() -> None:
    assert edition("classic").title_of(Feature.SHADING) == "shading"
    assert edition("ravensburger").title_of(Feature.SHADING) == "filling"
    assert edition("ravensburger").title_of(Feature.COLOUR) == "colour"
    assert edition("ravensburger").title_of(Feature.SHADING, Language.GERMAN) == "Füllung"
    assert edition("classic").title_word(Feature.COLOUR, Language.CZECH).gender is Gender.FEMININE


def test_labels_speak_other_languages() -> None:
    card = Card.parse("2 green striped rectangle")
    assert edition("ravensburger").label(card, Language.CZECH) == "dva tyrkysové poloviční pruhy"


def test_features_follow_the_order_of_the_name() -> None:
    card = Card.parse("2 green striped squiggle")
    assert [edition("classic").word(card, feature) for feature in features_of(card)] == [
        "two",
        "green",
        "striped",
        "squiggle",
    ]
    assert features_of(Tile.parse("2 green oval")) == (Feature.NUMBER, Feature.COLOUR, Feature.SHAPE)


def test_an_unknown_edition_is_refused() -> None:
    with pytest.raises(
        UnknownEditionError, match="'poker' is no edition: expected one of classic, ravensburger"
    ) as caught:
        edition("poker")
    assert isinstance(caught.value, TokenError)
    assert isinstance(caught.value, ValueError)


def test_a_tile_has_no_shading_and_a_wild_face_nothing() -> None:
    with pytest.raises(EditionError, match="'2 red oval' has no shading: expected a card"):
        edition("cubed").word(Tile.parse("2 red oval"), Feature.SHADING)
    with pytest.raises(WildPieceError):
        edition("cubed").word(Face(None), Feature.COLOUR)
    with pytest.raises(WildPieceError):
        shown(Face(None))


def test_contradicting_data_is_refused() -> None:
    classic = edition("classic")
    with pytest.raises(EditionError, match=r"the deck of 'classic' .* got 162"):
        replace(classic, deck=full_deck() * 2)
    with pytest.raises(EditionError, match="got 0"):
        replace(classic, deck=())
    with pytest.raises(EditionError, match=r"the words of 'classic' .* got \('red', 'red', 'blue'\)"):
        replace(classic, colours=("red", "red", "blue"))
    with pytest.raises(EditionError):
        replace(classic, shadings=("solid", "", "open"))
