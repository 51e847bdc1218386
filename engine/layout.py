"""What lies where, as a camera sees it: an immutable map from places to pieces, with a text form of one line.

>>> layout = Layout.parse("die 6.5=2 red oval, 6.6=wild")
>>> layout[(6, 6)].kind, str(layout)
('die', 'die 6.5=2 red oval, 6.6=wild')
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from reprlib import repr as shorten
from typing import TypeVar

from engine.tokens import Card, Face, Piece, Tile, parse_piece

__all__ = ["Layout", "LayoutError", "Spot"]

Spot = int | tuple[int, ...]
"""Where a piece lies: its number on a table without squares, else [row, column] or [square, row, column], from 0."""

S = TypeVar("S", bound=Spot)

_EMPTY = "empty"
_SIZES = (2, 3)
_DIGITS = 9


class LayoutError(ValueError):
    """A layout that cannot be: a place that is none, two pieces on one, two kinds of pieces, or a text that is none."""


@dataclass(frozen=True, slots=True)
class Layout(Mapping[Spot, Piece]):
    """Pieces by place. A Wild is the face "wild": what it stands for cannot be seen, the game knows it.

    Two layouts are equal when the same pieces lie on the same places. ``str`` and :meth:`parse` are inverses:
    ``"card 0=2 red striped diamond, 1=1 red solid oval"``, ``"tile 2.0.1=3 red oval"``, ``"empty"``.
    """

    entries: tuple[tuple[Spot, Piece], ...] = ()
    """Each place with its piece; kept in order, numbers first."""

    def __post_init__(self) -> None:
        """Check the entries and put them in order.

        :raises LayoutError: a place is no number or pair or triple of numbers from 0, or has two pieces, or the
            pieces are not of one kind.
        """
        seen: set[Spot] = set()
        for spot, piece in self.entries:
            if not _is_spot(spot):
                raise LayoutError(f"a place is a number from 0, or two or three of them; got {shorten(spot)}")
            if spot in seen:
                raise LayoutError(f"a place has one piece; got two on {spot!r}")
            if not isinstance(piece, Card | Tile | Face):
                raise LayoutError(f"what lies on a place is a piece; got {shorten(piece)}")
            seen.add(spot)
        kinds = sorted({piece.kind for _, piece in self.entries})
        if len(kinds) > 1:
            raise LayoutError(f"a layout has pieces of one kind; got {' and '.join(kinds)}")
        object.__setattr__(self, "entries", tuple(sorted(self.entries, key=lambda entry: _order(entry[0]))))

    @classmethod
    def of(cls, pieces: Mapping[S, Piece]) -> Layout:
        """Return the layout of ``pieces`` by place; errors as when made."""
        return cls(tuple(pieces.items()))

    @classmethod
    def row(cls, pieces: Iterable[Piece]) -> Layout:
        """Return the layout of ``pieces`` that lie anywhere, numbered from 0; errors as when made."""
        return cls(tuple(enumerate(pieces)))

    @classmethod
    def parse(cls, text: str) -> Layout:
        """Return the layout that ``text`` describes.

        :raises LayoutError: ``text`` is no layout.
        :raises UnknownTokenError: it names a piece or a kind of piece that there is not.
        """
        kind, _, rest = text.partition(" ")
        if text == _EMPTY:
            return cls()
        return cls(tuple(_entry(part, kind) for part in rest.split(", ")))

    def __str__(self) -> str:
        if not self.entries:
            return _EMPTY
        told = (f"{_spot_text(spot)}={piece}" for spot, piece in self.entries)
        return f"{self.entries[0][1].kind} {', '.join(told)}"

    def __getitem__(self, spot: Spot) -> Piece:
        """Return the piece on ``spot``.

        :raises KeyError: none lies there.
        """
        for at, piece in self.entries:
            if at == spot:
                return piece
        raise KeyError(spot)

    def __iter__(self) -> Iterator[Spot]:
        return (spot for spot, _ in self.entries)

    def __len__(self) -> int:
        return len(self.entries)


def _is_spot(spot: object) -> bool:
    numbers = spot if isinstance(spot, tuple) and len(spot) in _SIZES else (spot,)
    return all(type(number) is int and number >= 0 for number in numbers)


def _order(spot: Spot) -> tuple[int, ...]:
    return (-1, spot) if isinstance(spot, int) else spot


def _spot_text(spot: Spot) -> str:
    return str(spot) if isinstance(spot, int) else ".".join(map(str, spot))


def _entry(part: str, kind: str) -> tuple[Spot, Piece]:
    place, equals, name = part.partition("=")
    numbers = place.split(".")
    if not equals or not all(number.isascii() and number.isdigit() and len(number) <= _DIGITS for number in numbers):
        raise LayoutError(f"a part of a layout is PLACE=PIECE, as in '6.5=2 red oval'; got {part!r}")
    spot = tuple(map(int, numbers))
    return (spot[0] if len(spot) == 1 else spot), parse_piece(name, kind)
