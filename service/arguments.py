"""What people write behind options that are about boards: names for Wilds, corners, a hand, the options of a table."""

from __future__ import annotations

import math
from collections.abc import Sequence

from engine.called import canonical
from engine.cubed_state import HAND
from engine.editions import edition
from engine.grid import Square
from engine.options import OptionError, Options, choose
from engine.tokens import Face, Tile, UnknownTokenError, full_tiles
from service.errors import ArgumentError
from service.tables import Corners

__all__ = ["parse_corners", "parse_hand", "parse_options", "parse_wilds"]

_DIGITS = 4
"""Longest number of a row or a column."""
_CORNERS = 4
_SHAPES = "where the shape is oval, diamond or squiggle (wave)"
_WORDS = {"true": True, "false": False, "null": None}


def parse_wilds(texts: Sequence[str], option: str) -> dict[Square, Tile]:
    """Return what Wilds stand for, by square, from texts like "6,4=2 red oval" behind ``option``.

    :raises ArgumentError: a text is none of that kind, or a square is named twice.
    """
    names: dict[Square, Tile] = {}
    for text in texts:
        place, equals, name = text.partition("=")
        numbers = [word.strip() for word in place.split(",")]
        whole = all(word.isascii() and word.isdigit() and len(word) <= _DIGITS for word in numbers)
        if not equals or len(numbers) != 2 or not whole:
            raise ArgumentError(f'{option} {text!r}: expected ROW,COLUMN=NAME, as in {option} "6,4=2 red oval"')
        at = (int(numbers[0]), int(numbers[1]))
        if at in names:
            raise ArgumentError(f"{option} {text!r}: the square {list(at)} is named twice")
        names[at] = _tile(name, option, text)
    return names


def _tile(name: str, option: str, text: str) -> Tile:
    fault = (
        f"{option} {text!r}: {name.strip()!r} is no face: expected NUMBER COLOUR SHAPE, as in '2 red oval', {_SHAPES}"
    )
    try:
        tile = Tile.parse(canonical(name))
    except UnknownTokenError:
        raise ArgumentError(fault) from None
    if tile not in full_tiles():
        raise ArgumentError(fault)
    return tile


def parse_corners(words: Sequence[str] | None, option: str = "--corners") -> Corners | None:
    """Return four corners from words like "310,205" behind ``option``; None if the option is not given.

    :raises ArgumentError: a word is no point, or they do not run clockwise round an area.
    """
    if words is None:
        return None
    if len(words) != _CORNERS:
        raise ArgumentError(f"{option}: expected four times x,y in pixels, as in 310,205; got {' '.join(words)!r}")
    points = [_point(word, option) for word in words]
    for place, (x, y) in enumerate(points):
        (ax, ay), (bx, by) = points[(place + 1) % len(points)], points[(place + 2) % len(points)]
        if (ax - x) * (by - ay) - (ay - y) * (bx - ax) <= 0:
            raise ArgumentError(
                f"{option} {' '.join(words)}: expected the four corners of the board's grid, clockwise from its own "
                "top left"
            )
    return points


def _point(word: str, option: str) -> tuple[float, float]:
    try:
        x, y = (float(number) for number in word.split(","))
    except ValueError:
        x = y = math.nan
    if not (math.isfinite(x) and math.isfinite(y)):
        raise ArgumentError(f"{option}: {word!r} is no point: expected four times x,y in pixels, as in 310,205")
    return x, y


def parse_hand(text: str | None) -> tuple[Face, ...]:
    """Return the faces of a hand, separated by commas; none if there is no ``text``.

    :raises ArgumentError: a name is no face, or they are more than five.
    """
    if text is None:
        return ()
    names = [canonical(name) for name in text.split(",")]
    if len(names) > HAND:
        raise ArgumentError(f"--hand names {len(names)} faces: a hand has at most {HAND} dice")
    known = {str(face): face for face in edition("cubed").deck if isinstance(face, Face)}
    for name in names:
        if name not in known:
            raise ArgumentError(
                f'--hand: {name!r} is no face: expected names as in --hand "2 red oval, wild", {_SHAPES}'
            )
    return tuple(known[name] for name in names)


def parse_options(texts: Sequence[str], key: str) -> Options:
    """Return a value for every option of the game ``key``, from texts like "waiting_dice=false".

    :raises ArgumentError: a text is none of that kind, the game has no such option, or the value is out of range.
    """
    given: dict[str, object] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or name in given:
            fault = "the option is set twice" if equals else "expected NAME=VALUE, as in --option waiting_dice=false"
            raise ArgumentError(f"--option {text!r}: {fault}")
        given[name] = _value(value)
    try:
        return choose(edition(key).options, given, key)
    except OptionError as error:
        raise ArgumentError(f"--option: {error}") from None


def _value(text: str) -> object:
    if text in _WORDS:
        return _WORDS[text]
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 2 * _DIGITS else text
