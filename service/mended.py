"""What people say that pieces on a photo are, in the place of what was read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.called import canonical
from engine.tokens import Face, Piece, TokenError, parse_piece
from service.errors import ArgumentError, PieceNameError
from service.naming import check_pieces

if TYPE_CHECKING:
    from vision.types import Frame, Reading

__all__ = ["mended", "parse_names"]

_DIGITS = 4


def parse_names(texts: Sequence[str]) -> dict[int, str]:
    """Return the names that people give to pieces, by id, from texts like "3=2 red striped oval".

    :raises ArgumentError: a text is none of that kind, or an id stands there twice.
    """
    names: dict[int, str] = {}
    for text in texts:
        number, equals, name = text.partition("=")
        number = number.strip()
        if not (equals and number.isascii() and number.isdigit() and len(number) <= _DIGITS):
            raise ArgumentError(f'piece {text!r}: expected ID=NAME, as in "3=2 red striped oval"')
        if int(number) in names:
            raise ArgumentError(f"piece {text!r}: the piece {number} is named twice")
        names[int(number)] = name
    return names


def mended(frame: Frame, names: Mapping[int, str]) -> Frame:
    """Return ``frame`` with the pieces that have ``names`` as those say, for certain.

    What was odd about those pieces is not any more; but a card or tile that is there twice now is a problem, and what
    was only read as it is in doubt.

    :raises ArgumentError: there is no piece of such an id, or a name is no piece of its kind.
    """
    if not names:
        return frame
    readings = list(frame.readings)
    for number, name in names.items():
        if number >= len(readings):
            raise ArgumentError(f"piece {number}: the photo has pieces 0 to {len(readings) - 1}")
        readings[number] = _named(readings[number], number, name)
    problems = [one for one in frame.problems if not set(one.pieces) & set(names)]
    return _with_duplicates(replace(frame, readings=tuple(readings), problems=tuple(problems)), names)


def _with_duplicates(frame: Frame, names: Mapping[int, str]) -> Frame:
    """Return ``frame`` with what is odd about pieces that people gave the name of another one."""
    from vision.types import Doubt, Problem

    readings, problems = list(frame.readings), list(frame.problems)
    for piece in dict.fromkeys(readings[number].piece for number in names):
        alike = [number for number, reading in enumerate(readings) if reading.piece == piece]
        if isinstance(piece, Face) or len(alike) < 2:
            continue
        ids = " and ".join(map(str, alike))
        text = f"pieces {ids} are {piece}, which there is only once: look at them"
        problems.append(Problem(Doubt.DUPLICATE.value, tuple(alike), text))
        for number in set(alike) - set(names):
            readings[number] = replace(readings[number], doubt=Doubt.DUPLICATE)
    return replace(frame, readings=tuple(readings), problems=tuple(problems))


def _named(reading: Reading, number: int, name: str) -> Reading:
    try:
        piece: Piece = parse_piece(canonical(name), reading.kind.value)
        check_pieces([piece])
    except (TokenError, PieceNameError) as error:
        raise ArgumentError(f"piece {number}: {error}") from None
    return replace(reading, piece=piece, confidence=1.0, features={}, doubt=None)
