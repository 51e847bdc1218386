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

from engine.clauses import Clause
from engine.labels import Language, Word, label, word
from engine.options import HINTS, Option, Options, OptionValue, choose, switch
from engine.tokens import Card, Colour, Face, Piece, Shading, Shape, Tile, TokenError, full_deck, full_tiles

__all__ = [
    "EDITIONS",
    "Edition",
    "EditionError",
    "Feature",
    "Penalty",
    "PlayersError",
    "Scoring",
    "UnknownEditionError",
    "Variant",
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


class PlayersError(EditionError):
    """Players who cannot play this edition: too few, too many, nameless or not told apart."""


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


class Penalty(StrEnum):
    """What a call without a SET costs."""

    NONE = "none"
    POINT = "a point"
    """One point is lost (CLASSIC-6)."""
    LOCK_OUT = "lock-out"
    """Out until another player finds a SET (RAV-4)."""
    GIVE_BACK = "give one back"
    """One SET won earlier goes back (JUN-8)."""


class Scoring(StrEnum):
    """What the score counts."""

    SETS = "SETs"
    CARDS = "cards"
    TAKEN = "cards taken"
    """Cards that count against their player (SETUP-4)."""
    TOKENS = "tokens"
    DICE = "dice in SETs"
    """One point a die in each SET, and bonuses (CUBED-13)."""


@dataclass(frozen=True, slots=True)
class Variant:
    """What one value of an option changes about the pieces."""

    option: str
    """The option."""
    value: OptionValue
    """The value that makes the change."""
    deck: tuple[Piece, ...] = field(repr=False)
    """The pieces that are played with."""
    table: int
    """How many are laid out."""
    clause: Clause
    """The clause that says so."""


@dataclass(frozen=True, slots=True)
class Edition:
    """One edition of the game: its pieces and its words.

    Words stand in the order of the enum they name: ``colours`` for red, green, purple; ``shadings`` for solid,
    striped, open; ``shapes`` for oval, diamond, squiggle, rectangle (all four, so that a piece of the other printed
    deck can still be described). Every word is English, singular, and a key of the table in ``engine.labels``, which
    has its plural and the other languages.
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
    table: int = 12
    """How many pieces are laid out; 0 where none are."""
    refill: bool = True
    """Whether taken pieces are replaced from the pile up to ``table``."""
    penalty: Penalty = Penalty.NONE
    """What a false call costs."""
    scoring: Scoring = Scoring.SETS
    """What the score counts."""
    unit: int = 1
    """Points for one SET."""
    players: tuple[int, int] = (1, 12)
    """Fewest and most players."""
    options: tuple[Option, ...] = (HINTS,)
    """What a table can choose."""
    variants: tuple[Variant, ...] = ()
    """What options change about the pieces."""

    def __post_init__(self) -> None:
        if not self.deck or len(set(self.deck)) != len(self.deck):
            raise EditionError(f"the deck of {self.key!r} must hold different pieces; got {len(self.deck)}")
        for words in (self.numbers, self.colours, self.shadings, self.shapes):
            if len({word for word in words if word}) != len(words):
                raise EditionError(f"the words of {self.key!r} must be different and not empty; got {words!r}")

    def choose(self, given: Mapping[str, object]) -> Options:
        """Return a value for every option of this edition.

        :raises OptionError: an unknown option, or a value out of range.
        """
        return choose(self.options, given, self.key)

    def variant(self, options: Options) -> Variant | None:
        """Return what the chosen options change about the pieces, if anything."""
        return next((entry for entry in self.variants if options[entry.option] == entry.value), None)

    def seat(self, players: tuple[str, ...], options: Options) -> None:
        """Check the players of a table.

        :raises PlayersError: too few or too many for these options, an empty or long name, or one name twice.
        """
        fewest, most = self.players
        for option in self.options:
            fewest, most = option.players.get(options[option.name], (fewest, most))
        if not fewest <= len(players) <= most:
            number = f"{fewest} to {most} players" if fewest < most else f"{most} player{'s' * (most > 1)}"
            raise PlayersError(f"{self.key} at such a table is for {number}; got {len(players)}")
        for name in players:
            if not name.strip() or len(name) > MOST_NAME:
                raise PlayersError(f"a player's name has 1 to {MOST_NAME} characters; got {name[:60]!r}")
            if players.count(name) > 1:
                raise PlayersError(f"players have different names; got {name!r} twice")

    @property
    def bar(self) -> Shape:
        """The shape of the second slot in this deck: ``RECTANGLE`` for Ravensburger (RAV-1), else ``DIAMOND``."""
        shapes = {shown(piece).shape for piece in self.deck if str(piece) != "wild"}
        return Shape.RECTANGLE if Shape.RECTANGLE in shapes else Shape.DIAMOND

    @property
    def features(self) -> tuple[Feature, ...]:
        """The features of its pieces, in the order of their names."""
        return features_of(self.deck[0])

    def title_of(self, feature: Feature, language: Language = Language.ENGLISH) -> str:
        """Return the edition's word for a feature, as within a sentence ("filling", "Füllung")."""
        return self.title_word(feature, language).said

    def title_word(self, feature: Feature, language: Language = Language.ENGLISH) -> Word:
        """Return the edition's word for a feature, with its gender."""
        return word(self.shading_title if feature is Feature.SHADING else feature.value, language)

    def word(self, piece: Piece, feature: Feature) -> str:
        """Return the edition's English word for one feature of ``piece``, in the singular.

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

    def label(self, piece: Piece, language: Language = Language.ENGLISH) -> str:
        """Return what a person of this edition would call ``piece``: "two red striped diamonds"; "wild".

        >>> edition("cubed").label(Face.parse("3 red squiggle")), edition("cubed").label(Face.parse("wild"))
        ('three red waves', 'wild')
        >>> edition("ravensburger").label(Card.parse("2 green striped rectangle"), Language.CZECH)
        'dva tyrkysové poloviční pruhy'
        """
        return label(piece, self, language)


MOST_NAME = 40
"""Longest name of a player, in characters."""

_WAVES = ("oval", "diamond", "wave", "rectangle")
_SOLID = tuple(card for card in full_deck() if card.shading is Shading.SOLID)


def _one_colour(colour: Colour) -> tuple[Card, ...]:
    return tuple(card for card in full_deck(Shape.RECTANGLE) if card.colour is colour)


_CLASSIC_OPTIONS = (
    HINTS,
    switch("small_deck", Clause.CLASSIC_2, "the 27 solid cards, nine laid out"),
    switch(
        "solitaire", Clause.CLASSIC_9, "one player, who loses by “no SET” while the pile lasts", players={True: (1, 1)}
    ),
    switch("rounds", Clause.CLASSIC_10, "as many rounds as there are players"),
    Option("lowest_score", None, Clause.CLASSIC_6, "the score under which no one falls", (None, 0)),
)
_RAVENSBURGER_OPTIONS = (
    HINTS,
    Option("easy", None, Clause.RAV_8, "SET's Easy: the 27 cards of one colour", (None, "red", "green", "purple")),
    switch("forever", Clause.RAV_9, "SET's Forever: each round another SET-Master", players={True: (3, 12)}),
)
_JUNIOR_OPTIONS = (
    HINTS,
    switch("turns", Clause.JUN_11, "players search in turn"),
    switch("rounds", Clause.JUN_10, "every player deals once"),
    switch("tokens", Clause.JUN_12, "each SET pays a token"),
)
_CUBED_OPTIONS = (
    HINTS,
    switch("identical_dice_are_set", Clause.CUBED_17, "three identical dice are a SET", default=True),
    switch("waiting_dice", Clause.CUBED_7, "a die may wait for the next ones of its turn", default=True),
    Option("swaps_per_turn", None, Clause.CUBED_15, "most Wilds swapped in a turn", (None,), counts=True),
    switch("wild_counts_later_in_turn", Clause.CUBED_13, "a Wild counts in later SETs of its own turn", default=True),
)
_FACES = (*(Face(tile) for tile in full_tiles()), Face(None))

EDITIONS: Mapping[str, Edition] = MappingProxyType(
    {
        entry.key: entry
        for entry in (
            Edition(
                "classic",
                "SET",
                full_deck(),
                penalty=Penalty.POINT,
                options=_CLASSIC_OPTIONS,
                variants=(Variant("small_deck", True, _SOLID, 9, Clause.CLASSIC_2),),
            ),
            Edition(
                "ravensburger",
                "SET (Ravensburger)",
                full_deck(Shape.RECTANGLE),
                colours=("red", "turquoise", "purple"),
                shadings=("full", "half", "open"),
                shapes=("oval", "diamond", "wave", "bar"),
                shading_title="filling",
                penalty=Penalty.LOCK_OUT,
                scoring=Scoring.CARDS,
                unit=3,
                options=_RAVENSBURGER_OPTIONS,
                variants=tuple(Variant("easy", str(one), _one_colour(one), 9, Clause.RAV_8) for one in Colour),
            ),
            Edition("setup", "SETUP", full_deck(), table=0, refill=False, scoring=Scoring.TAKEN, players=(2, 12)),
            Edition(
                "junior-1",
                "SET Junior, face 1",
                full_tiles(),
                shapes=_WAVES,
                table=0,
                refill=False,
                scoring=Scoring.TOKENS,
                players=(2, 9),
            ),
            Edition(
                "junior-2",
                "SET Junior, face 2",
                full_tiles(),
                shapes=_WAVES,
                table=10,
                penalty=Penalty.GIVE_BACK,
                options=_JUNIOR_OPTIONS,
            ),
            Edition(
                "cubed",
                "SET Cubed",
                _FACES,
                shapes=_WAVES,
                table=0,
                refill=False,
                scoring=Scoring.DICE,
                unit=3,
                players=(2, 8),
                options=_CUBED_OPTIONS,
            ),
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
