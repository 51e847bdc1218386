"""What the command ``hint`` does: as much about the SETs that lie there as is asked for, and no more."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.editions import Edition, edition
from engine.hints import HintLevel
from engine.sets import find_sets, third
from engine.tokens import Face, Piece, TokenError, parse_piece
from service.answer import ErrorAnswer, PhotoAnswer
from service.commands import Desk
from service.console import complain, printable, write_line
from service.errors import HintError, NoFileError, PieceNameError, UnreadableFileError, one_line
from service.files import read_photo
from service.game import Game
from service.naming import check_pieces, named_pieces
from service.settings import Settings
from vision.types import VisionError

__all__ = ["Hint", "Lying", "give_hint", "hint_of", "level_of", "lying_named", "lying_seen", "lying_told"]

_NO_PHOTO = "no JSON of one photo, as the command photo prints it and POST /api/v1/photos answers it"


@dataclass(frozen=True, slots=True)
class Lying:
    """Pieces that lie on a table, in the words of their edition."""

    pieces: tuple[Piece, ...]
    """What they are read as."""
    doubts: tuple[bool, ...]
    """Whether each may be misread."""
    edition: Edition
    """Whose words are used."""

    def __post_init__(self) -> None:
        kinds = sorted({piece.kind for piece in self.pieces})
        if len(kinds) > 1:
            raise HintError(f"a hint is about pieces of one kind: got a {kinds[0]} and a {kinds[1]}")


def give_hint(names: Sequence[str], photo: str | None, json_file: str | None, level: str, settings: Settings) -> int:
    """Print the hint; return 0, 3 if it rests on a piece in doubt, 2 if the photo cannot be read.

    :raises HintError: not exactly one source, an unknown level, a name that is no piece, or JSON that is no photo's.
    :raises ServiceError: a file that cannot be read.
    """
    if (bool(names), photo is not None, json_file is not None).count(True) != 1:
        raise HintError("give either names, or --photo PHOTO, or --json FILE")
    asked = level_of(level)
    if photo is not None:
        answer = Desk(settings).attempt(photo)
        if isinstance(answer, ErrorAnswer):
            complain(f"{printable(answer.file)}: {answer.error.text}")
            return 2
        lying = lying_seen(answer)
    else:
        lying = lying_named(names) if json_file is None else _read_json(json_file, settings)
    hint = hint_of(lying, asked)
    write_line(hint.text)
    return 0 if hint.sure else 3


def level_of(text: str) -> HintLevel:
    """Return the hint level that is called ``text``.

    :raises HintError: none is.
    """
    try:
        return HintLevel(text)
    except ValueError:
        raise HintError(f"--level {text!r} is no hint level: expected one of {', '.join(HintLevel)}") from None


def lying_seen(answer: PhotoAnswer) -> Lying:
    """Return the pieces that were read off a photo.

    :raises HintError: they are of different kinds.
    """
    found = [(piece.name, piece.kind.value, piece.doubt is not None) for piece in answer.pieces]
    return _lying(found, edition(answer.game))


def _lying(found: Sequence[tuple[str, str, bool]], words: Edition) -> Lying:
    """Return the pieces of these names, kinds and doubts; a piece that lies twice and cannot is in doubt.

    :raises HintError: a name that is no piece.
    """
    try:
        pieces = tuple(parse_piece(name, kind) for name, kind, _ in found)
        check_pieces(pieces)
    except (TokenError, PieceNameError) as error:
        raise HintError(str(error)) from None
    count = Counter(pieces)
    doubts = (
        doubt or (not isinstance(piece, Face) and count[piece] > 1)
        for piece, (_, _, doubt) in zip(pieces, found, strict=True)
    )
    return Lying(pieces, tuple(doubts), words)


def lying_named(names: Sequence[str], game: Game = Game.AUTO) -> Lying:
    """Return the pieces that are named, in the words of the ``game`` or of whichever game the names fit.

    :raises PieceNameError: a name is no piece, or one is named twice.
    :raises HintError: they are of different kinds.
    """
    named = named_pieces([name for text in names for name in text.split(",")], game)
    return Lying(named.pieces, (False,) * len(named.pieces), named.edition)


def _read_json(path: str, settings: Settings) -> Lying:
    """Return the pieces of one photo's JSON, as ``set-referee photo --json`` prints it."""
    try:
        return lying_told(json.loads(read_photo(path, settings.max_bytes)))
    except (HintError, NoFileError, UnreadableFileError, VisionError) as error:
        raise HintError(f"{printable(path)}: {one_line(error)}") from None
    except (ValueError, RecursionError):
        raise HintError(f"{printable(path)}: {_NO_PHOTO}") from None


def lying_told(found: Any) -> Lying:
    """Return the pieces of one photo's JSON, which has been parsed.

    :raises HintError: it is no such JSON, or that of a photo that could not be read.
    """
    try:
        if "error" in found:
            raise HintError(f"that photo could not be read: {found['error']['text']}")
        pieces = [
            (str(piece["name"]), str(piece.get("kind", "card")), piece.get("doubt") is not None)
            for piece in found["pieces"]
        ]
        words = edition(str(found.get("game", "classic")))
    except HintError:
        raise
    except (ValueError, LookupError, TypeError, AttributeError):
        raise HintError(_NO_PHOTO) from None
    return _lying(pieces, words)


@dataclass(frozen=True, slots=True)
class Hint:
    """As much as is asked for about the SETs that lie there."""

    text: str
    """In words."""
    sure: bool
    """Whether it holds whatever the pieces in doubt are."""
    pieces: tuple[int, ...] = ()
    """Places of the pieces that the text names."""


def hint_of(lying: Lying, level: HintLevel) -> Hint:
    """Return the hint of a ``level``.

    SETs without a doubt are shown first. A Wild stands for whatever makes a SET.
    """
    sets = find_sets(lying.pieces)
    sure = [trio for trio in sets if not any(lying.doubts[place] for place in trio)]
    certain = not any(lying.doubts)
    match level:
        case HintLevel.NEVER:
            return Hint("no hints", True)
        case HintLevel.YES_NO:
            return Hint("yes", bool(sure)) if sets else Hint("no", certain)
        case HintLevel.COUNT:
            return Hint(f"{len(sets)} SET{'s' * (len(sets) != 1)}", certain)
    if not sets:
        return Hint("no SET", certain)
    places = (sure or sets)[0]
    trio = [lying.pieces[place] for place in places]
    text = ", ".join(_told(piece, trio, lying.edition) for piece in trio[: level.pieces])
    return Hint(text, bool(sure), places[: level.pieces])


def _told(piece: Piece, trio: Sequence[Piece], words: Edition) -> str:
    """Return the label of a piece; of the one Wild of a SET with what it has to stand for."""
    plain = [other for other in trio if isinstance(other, Face) and not other.is_wild]
    if piece == Face(None) and len(plain) == 2:
        return f"{words.label(piece)} as {words.label(third(plain[0], plain[1]))}"
    return words.label(piece)
