"""What the command ``hint`` does: as much about the SETs that lie there as is asked for, and no more."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from engine.called import canonical
from engine.editions import Edition, edition
from engine.hints import HintLevel
from engine.sets import find_sets, third
from engine.tokens import Card, Face, Piece, Shape, Tile, TokenError, parse_piece
from service.answer import ErrorAnswer
from service.commands import Desk
from service.console import complain, printable, write_line
from service.errors import HintError, NoFileError, UnreadableFileError, one_line
from service.files import read_photo
from service.settings import Settings
from vision.types import VisionError

__all__ = ["Lying", "give_hint", "hint_of"]


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
    asked = _level(level)
    if photo is not None:
        answer = Desk(settings).attempt(photo)
        if isinstance(answer, ErrorAnswer):
            complain(f"{printable(answer.file)}: {answer.error.text}")
            return 2
        doubts = [(piece.name, piece.kind, piece.doubt is not None) for piece in answer.pieces]
        lying = _lying(doubts, edition(answer.game))
    else:
        lying = _named(names) if json_file is None else _read_json(json_file, settings)
    text, sure = hint_of(lying, asked)
    write_line(text)
    return 0 if sure else 3


def _level(text: str) -> HintLevel:
    try:
        return HintLevel(text)
    except ValueError:
        raise HintError(f"--level {text!r} is no hint level: expected one of {', '.join(HintLevel)}") from None


def _lying(found: Sequence[tuple[str, str, bool]], words: Edition | None = None) -> Lying:
    """Return the pieces of these names, kinds and doubts; a piece that lies twice and cannot is in doubt.

    :raises HintError: a name that is no piece.
    """
    try:
        pieces = tuple(parse_piece(name, kind) for name, kind, _ in found)
    except TokenError as error:
        raise HintError(str(error)) from None
    words = words or edition(_edition_of(pieces))
    for piece in pieces:
        if isinstance(piece, Tile | Face) and piece not in (*edition("junior-2").deck, *edition("cubed").deck):
            raise HintError(f"{str(piece)!r} is no piece of SET Junior or Cubed")
    doubts = (
        doubt or (not isinstance(piece, Face) and pieces.count(piece) > 1)
        for piece, (_, _, doubt) in zip(pieces, found, strict=True)
    )
    return Lying(pieces, tuple(doubts), words)


def _named(names: Sequence[str]) -> Lying:
    """Return the pieces that are named: cards of four words, tiles of three, dice where one of them is wild."""
    texts = [canonical(text) for name in names for text in name.split(",")]
    if not all(texts):
        raise HintError('a name is empty: name every piece, as in "2 red striped diamond" or "2 red diamond"')
    dice = "wild" in texts
    kinds = ["card" if len(text.split()) == 4 else "die" if dice else "tile" for text in texts]
    lying = _lying([(text, kind, False) for text, kind in zip(texts, kinds, strict=True)])
    twice = [str(piece) for piece, doubt in zip(lying.pieces, lying.doubts, strict=True) if doubt]
    if twice:
        raise HintError(f"{twice[0]!r} is named twice: there is only one of each card and tile")
    return lying


def _edition_of(pieces: Sequence[Piece]) -> str:
    match pieces[0]:
        case Tile():
            return "junior-2"
        case Face():
            return "cubed"
    bars = any(isinstance(piece, Card) and piece.shape is Shape.RECTANGLE for piece in pieces)
    return "ravensburger" if bars else "classic"


def _read_json(path: str, settings: Settings) -> Lying:
    """Return the pieces of one photo's JSON, as ``set-referee photo --json`` prints it."""
    try:
        found = json.loads(read_photo(path, settings.max_bytes))
        if "error" in found:
            raise HintError(f"{printable(path)}: that photo could not be read: {found['error']['text']}")
        pieces = [
            (str(piece["name"]), str(piece.get("kind", "card")), piece.get("doubt") is not None)
            for piece in found["pieces"]
        ]
        words = edition(str(found.get("game", "classic")))
    except HintError:
        raise
    except (NoFileError, UnreadableFileError, VisionError) as error:
        raise HintError(f"{printable(path)}: {one_line(error)}") from None
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        raise HintError(
            f"{printable(path)}: no JSON of one photo; make it with set-referee photo PHOTO --json > FILE"
        ) from None
    return _lying(pieces, words)


def hint_of(lying: Lying, level: HintLevel) -> tuple[str, bool]:
    """Return the hint in words, and whether it holds whatever the pieces in doubt are.

    SETs without a doubt are shown first. A Wild stands for whatever makes a SET.
    """
    sets = find_sets(lying.pieces)
    sure = [trio for trio in sets if not any(lying.doubts[place] for place in trio)]
    certain = not any(lying.doubts)
    match level:
        case HintLevel.NEVER:
            return "no hints", True
        case HintLevel.YES_NO:
            return ("yes", bool(sure)) if sets else ("no", certain)
        case HintLevel.COUNT:
            return f"{len(sets)} SET{'s' * (len(sets) != 1)}", certain
    if not sets:
        return "no SET", certain
    trio = [lying.pieces[place] for place in (sure or sets)[0]]
    return ", ".join(_told(piece, trio, lying.edition) for piece in trio[: level.pieces]), bool(sure)


def _told(piece: Piece, trio: Sequence[Piece], words: Edition) -> str:
    """Return the label of a piece; of the one Wild of a SET with what it has to stand for."""
    plain = [other for other in trio if isinstance(other, Face) and not other.is_wild]
    if piece == Face(None) and len(plain) == 2:
        return f"{words.label(piece)} as {words.label(third(plain[0], plain[1]))}"
    return words.label(piece)
