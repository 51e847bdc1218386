"""The editions of the SET family as data: which pieces each has, and what it calls their features.

The *name* of a piece is the same everywhere ("2 green striped rectangle"); its *label* speaks the edition's own words:

>>> edition("ravensburger").label(Card.parse("2 green striped rectangle"))
'two turquoise half bars'
>>> edition("classic").label(Card.parse("1 red striped diamond"))
'one red striped diamond'
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from engine.tokens import Card, Face, Piece, Shape, Tile, TokenError, full_deck, full_tiles

__all__ = [
    "EDITIONS",
    "Edition",
    "EditionError",
    "Feature",
    "UnknownEditionError",
    "WildPieceError",
    "edition",
    "features_of",
    "shown",
]


class EditionError(TokenError, ValueError):
    """Edition data that contradicts itself."""


class UnknownEditionError(EditionError):
    """A key that no edition has."""

    def __init__(self, key: str) -> None:
        """Quote the unknown ``key`` and list the known ones."""
        super().__init__(f"{key!r} is no edition: expected one of {', '.join(EDITIONS)}")


class WildPieceError(TokenError, ValueError):
    """A wild face where a piece with features is needed."""

    def __init__(self) -> None:
        """Say what is expected instead."""
        super().__init__("'wild' shows no features of its own: expected a card, a tile or a face that is not wild")


class Feature(StrEnum):
    """What the pieces of a SET are compared by (SET-1)."""

    NUMBER = "number"
    COLOUR = "colour"
    SHADING = "shading"
    SHAPE = "shape"


_CARD_FEATURES = tuple(Feature)
_TILE_FEATURES = (Feature.NUMBER, Feature.COLOUR, Feature.SHAPE)


def features_of(piece: Piece) -> tuple[Feature, ...]:
    """Return the features of a piece in the order of its name: four for a card, three for a tile or a face."""
    return _CARD_FEATURES if isinstance(piece, Card) else _TILE_FEATURES


def shown(piece: Piece) -> Card | Tile:
    """Return the card or tile whose features ``piece`` shows.

    :raises WildPieceError: a wild face shows none.
    """
    if not isinstance(piece, Face):
        return piece
    if piece.tile is None:
        raise WildPieceError
    return piece.tile


@dataclass(frozen=True, slots=True)
class Edition:
    """One edition of the game: its pieces and its words.

    Words stand in the order of the enum they name: ``colours`` for red, green, purple; ``shadings`` for solid,
    striped, open; ``shapes`` for oval, diamond, squiggle, rectangle (all four, so that a piece of the other printed
    deck can still be described). Every word is singular; a plural adds "s".
    """

    key: str
    """The GAME of the command line and of records, as in ``"junior-1"``."""
    title: str
    """What people call it."""
    deck: tuple[Piece, ...] = field(repr=False)
    """Every different piece, in order."""
    colours: tuple[str, str, str] = ("red", "green", "purple")
    """Words for the colours."""
    shadings: tuple[str, str, str] = ("solid", "striped", "open")
    """Words for the shadings."""
    shapes: tuple[str, str, str, str] = ("oval", "diamond", "squiggle", "rectangle")
    """Words for the shapes."""
    shading_title: str = "shading"
    """What the edition calls the feature shading."""
    numbers: tuple[str, str, str] = ("one", "two", "three")
    """Words for the numbers."""

    def __post_init__(self) -> None:
        if not self.deck or len(set(self.deck)) != len(self.deck):
            raise EditionError(f"the deck of {self.key!r} must hold different pieces; got {len(self.deck)}")
        for words in (self.numbers, self.colours, self.shadings, self.shapes):
            if len({word for word in words if word}) != len(words):
                raise EditionError(f"the words of {self.key!r} must be different and not empty; got {words!r}")

    @property
    def bar(self) -> Shape:
        """The shape of the second slot in this deck: ``RECTANGLE`` for Ravensburger (RAV-1), else ``DIAMOND``."""
        shapes = {shown(piece).shape for piece in self.deck if str(piece) != "wild"}
        return Shape.RECTANGLE if Shape.RECTANGLE in shapes else Shape.DIAMOND

    @property
    def features(self) -> tuple[Feature, ...]:
        """The features of its pieces, in the order of their names."""
        return features_of(self.deck[0])

    def title_of(self, feature: Feature) -> str:
        """Return the edition's word for a feature, in lower case ("filling")."""
        return self.shading_title if feature is Feature.SHADING else feature.value

    def word(self, piece: Piece, feature: Feature) -> str:
        """Return the edition's word for one feature of ``piece``, in the singular.

        :raises WildPieceError: a wild face has no features.
        :raises EditionError: the piece has no such feature (tiles and faces have no shading).
        """
        seen = shown(piece)
        match feature:
            case Feature.NUMBER:
                return self.numbers[seen.number]
            case Feature.COLOUR:
                return self.colours[seen.colour]
            case Feature.SHAPE:
                return self.shapes[seen.shape]
            case Feature.SHADING if isinstance(seen, Card):
                return self.shadings[seen.shading]
        raise EditionError(f"{str(piece)!r} has no {feature.value}: expected a card")

    def label(self, piece: Piece) -> str:
        """Return what a person of this edition would call ``piece``: "two red striped diamonds"; "wild".

        >>> edition("cubed").label(Face.parse("3 red squiggle")), edition("cubed").label(Face.parse("wild"))
        ('three red waves', 'wild')
        """
        if isinstance(piece, Face) and piece.is_wild:
            return "wild"
        words = " ".join(self.word(piece, feature) for feature in features_of(piece))
        return words if shown(piece).number == 0 else words + "s"


_WAVES = ("oval", "diamond", "wave", "rectangle")
_FACES = (*(Face(tile) for tile in full_tiles()), Face(None))

EDITIONS: Mapping[str, Edition] = MappingProxyType(
    {
        entry.key: entry
        for entry in (
            Edition("classic", "SET", full_deck()),
            Edition(
                "ravensburger",
                "SET (Ravensburger)",
                full_deck(Shape.RECTANGLE),
                colours=("red", "turquoise", "purple"),
                shadings=("full", "half", "open"),
                shapes=("oval", "diamond", "wave", "bar"),
                shading_title="filling",
            ),
            Edition("setup", "SETUP", full_deck()),
            Edition("junior-1", "SET Junior, face 1", full_tiles(), shapes=_WAVES),
            Edition("junior-2", "SET Junior, face 2", full_tiles(), shapes=_WAVES),
            Edition("cubed", "SET Cubed", _FACES, shapes=_WAVES),
        )
    }
)
"""Every edition by its key."""


def edition(key: str) -> Edition:
    """Return the edition with this key.

    :raises UnknownEditionError: there is none.
    """
    try:
        return EDITIONS[key]
    except KeyError:
        raise UnknownEditionError(key) from None
