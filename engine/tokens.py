"""The pieces of the SET family and their text form.

A piece is a :class:`Card` (four features), a :class:`Tile` (three features, solid symbols) or a
:class:`Face` of a die (three features, or wild). ``parse`` and ``str`` are inverses for each of them:

>>> str(Card.parse("2 red striped diamond"))
'2 red striped diamond'
>>> Face.parse("wild").is_wild
True
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from itertools import product
from typing import ClassVar, TypeVar

__all__ = [
    "Card",
    "Colour",
    "Face",
    "Number",
    "Piece",
    "Shading",
    "Shape",
    "Tile",
    "TokenError",
    "UnknownTokenError",
    "full_deck",
    "full_tiles",
    "parse_piece",
]


class TokenError(Exception):
    """Anything wrong with the text of a piece."""


class UnknownTokenError(TokenError, ValueError):
    """A text that names no piece of the kind asked for."""

    def __init__(self, kind: str, text: str, expected: str) -> None:
        """Quote the ``text`` that is no ``kind`` and say what was ``expected``."""
        super().__init__(f"{text!r} is no {kind}: expected {expected}")


class _Feature(IntEnum):
    """A closed set of three or four values with a text form; the integer is only an index."""

    def __str__(self) -> str:
        return self.name.lower()

    @classmethod
    def parse(cls: type[_F], text: str) -> _F:
        """Return the value whose text is ``text``.

        :raises UnknownTokenError: no value of this feature has that text.
        """
        for value in cls:
            if str(value) == text:
                return value
        raise UnknownTokenError(cls.__name__.lower(), text, ", ".join(str(value) for value in cls))


_F = TypeVar("_F", bound=_Feature)


class Number(_Feature):
    """How many symbols a piece shows; the text form is the digit."""

    ONE = 0
    TWO = 1
    THREE = 2

    def __str__(self) -> str:
        return str(self.value + 1)


class Colour(_Feature):
    """Colour of the ink. An edition may call it otherwise ("blue", "turquoise")."""

    RED = 0
    GREEN = 1
    PURPLE = 2


class Shading(_Feature):
    """Filling of the symbols. The speckle of the Ravensburger deck counts as striped."""

    SOLID = 0
    STRIPED = 1
    OPEN = 2


class Shape(_Feature):
    """Outline of the symbols. A deck has three of them: the rectangle stands in for the diamond (RAV-1)."""

    OVAL = 0
    DIAMOND = 1
    SQUIGGLE = 2
    RECTANGLE = 3

    @property
    def slot(self) -> int:
        """0, 1 or 2: the value this shape takes in a SET, where rectangle and diamond are the same."""
        return self.value if self is not Shape.RECTANGLE else Shape.DIAMOND.value


@dataclass(frozen=True, order=True, slots=True)
class Card:
    """A card of the 81: four features (CLASSIC-1, RAV-1)."""

    number: Number
    colour: Colour
    shading: Shading
    shape: Shape
    kind: ClassVar[str] = "card"

    def __str__(self) -> str:
        return f"{self.number} {self.colour} {self.shading} {self.shape}"

    @property
    def values(self) -> tuple[int, ...]:
        """The features as numbers 0, 1, 2 in the order of the name (SET-5)."""
        return (self.number.value, self.colour.value, self.shading.value, self.shape.slot)

    @classmethod
    def parse(cls, text: str) -> Card:
        """Return the card named ``text``: "NUMBER COLOUR SHADING SHAPE".

        :raises UnknownTokenError: ``text`` names no card.
        """
        words = text.split()
        if len(words) != 4:
            raise UnknownTokenError("card", text, "NUMBER COLOUR SHADING SHAPE, as in '2 red striped diamond'")
        number, colour, shading, shape = words
        return cls(Number.parse(number), Colour.parse(colour), Shading.parse(shading), Shape.parse(shape))


@dataclass(frozen=True, order=True, slots=True)
class Tile:
    """A tile of SET Junior: three features, always solid (JUN-1)."""

    number: Number
    colour: Colour
    shape: Shape
    kind: ClassVar[str] = "tile"

    def __str__(self) -> str:
        return f"{self.number} {self.colour} {self.shape}"

    @property
    def values(self) -> tuple[int, ...]:
        """The features as numbers 0, 1, 2 in the order of the name."""
        return (self.number.value, self.colour.value, self.shape.slot)

    @classmethod
    def parse(cls, text: str) -> Tile:
        """Return the tile named ``text``: "NUMBER COLOUR SHAPE".

        :raises UnknownTokenError: ``text`` names no tile.
        """
        words = text.split()
        if len(words) != 3:
            raise UnknownTokenError("tile", text, "NUMBER COLOUR SHAPE, as in '2 red diamond'")
        number, colour, shape = words
        return cls(Number.parse(number), Colour.parse(colour), Shape.parse(shape))


@dataclass(frozen=True, order=True, slots=True)
class Face:
    """The face of a Cubed die: what a tile shows, or wild when ``tile`` is None (CUBED-1)."""

    tile: Tile | None
    kind: ClassVar[str] = "die"

    def __str__(self) -> str:
        return "wild" if self.tile is None else str(self.tile)

    @property
    def is_wild(self) -> bool:
        """Whether this face may stand for any other."""
        return self.tile is None

    @property
    def values(self) -> tuple[int, ...] | None:
        """The features as numbers 0, 1, 2, or None for a wild face."""
        return None if self.tile is None else self.tile.values

    @classmethod
    def parse(cls, text: str) -> Face:
        """Return the face named ``text``: "wild" or "NUMBER COLOUR SHAPE".

        :raises UnknownTokenError: ``text`` names no face.
        """
        return cls(None) if text.strip() == "wild" else cls(Tile.parse(text))


Piece = Card | Tile | Face


def parse_piece(text: str, kind: str = "card") -> Piece:
    """Return the piece of ``kind`` ("card", "tile" or "die") named ``text``.

    :raises UnknownTokenError: there is no such kind, or ``text`` names no piece of it.
    """
    parsers: dict[str, Callable[[str], Piece]] = {"card": Card.parse, "tile": Tile.parse, "die": Face.parse}
    if kind not in parsers:
        raise UnknownTokenError("kind of piece", kind, ", ".join(parsers))
    return parsers[kind](text)


def _deck_shapes(bar: Shape) -> tuple[Shape, Shape, Shape]:
    return (Shape.OVAL, bar, Shape.SQUIGGLE)


def full_deck(bar: Shape = Shape.DIAMOND) -> tuple[Card, ...]:
    """Return the 81 cards in order; ``bar`` is ``DIAMOND`` or, for the Ravensburger deck, ``RECTANGLE``."""
    return tuple(Card(*features) for features in product(Number, Colour, Shading, _deck_shapes(bar)))


def full_tiles() -> tuple[Tile, ...]:
    """Return the 27 tiles in order."""
    return tuple(Tile(*features) for features in product(Number, Colour, _deck_shapes(Shape.DIAMOND)))
