"""Whether three pieces are a SET, and why: what the command ``judge`` and the HTTP service say of a disputed call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from engine.called import canonical
from engine.clauses import Clause
from engine.editions import Edition, Feature
from engine.labels import Language, mark, word
from engine.options import Options
from engine.sets import Agreement, explain, third
from engine.tokens import Face, Piece, Tile
from service.answer import PhotoAnswer, PieceAnswer
from service.console import printable
from service.errors import PickError

__all__ = ["Judgement", "judge", "picked_pieces", "three_words"]

_THREE = 3


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict on three pieces, in one language."""

    is_set: bool
    """Whether they are a SET as read."""
    clause: str
    """The rule that decides."""
    text: str
    """One sentence to read aloud."""
    lines: tuple[str, ...] = ()
    """One line a feature; none where nothing but Wilds decides."""
    features: Mapping[Feature, Agreement] = field(default_factory=dict)
    """How the three stand in each feature."""
    named: Tile | None = None
    """What the one Wild among them has to stand for."""


def judge(
    pieces: Sequence[Piece], words: Edition, options: Options | None = None, language: Language = Language.ENGLISH
) -> Judgement:
    """Return whether three ``pieces`` are a SET, in the ``words`` of an edition, by the ``options`` of the table.

    One Wild stands for what makes a SET with the others, two or three for anything (CUBED-14).

    :raises PickError: they are not three, or not of one kind.
    """
    if len(pieces) != _THREE or len({piece.kind for piece in pieces}) > 1:
        kinds = " and ".join(sorted({f"a {piece.kind}" for piece in pieces}))
        raise PickError(f"a SET is three pieces of one kind: got {len(pieces)}, {kinds}")
    faces = [piece for piece in pieces if isinstance(piece, Face) and not piece.is_wild]
    wilds = sum(piece == Face(None) for piece in pieces)
    if wilds > 1:
        return Judgement(True, Clause.CUBED_14, _sentence("a SET", language))
    named = third(faces[0], faces[1]) if wilds else None
    shown = [named if named is not None and piece == Face(None) else piece for piece in pieces]
    told = explain(shown[0], shown[1], shown[2], words, language)
    features = {check.feature: check.agreement for check in told.checks}
    if len(set(shown)) == 1 and not (options or {}).get("identical_dice_are_set", True):
        return Judgement(False, Clause.CUBED_17, _sentence("no SET", language, "identical"), told.lines, features)
    tile = None if named is None else named.tile
    return Judgement(told.is_set, told.clause, told.text, told.lines, features, tile)


def _sentence(verdict: str, language: Language, reason: str | None = None) -> str:
    said = word(verdict, language).said
    return f"{said}." if reason is None else f"{said}{mark(':', language)} {word(reason, language).said}."


def three_words(pick: str) -> list[str]:
    """Return the three words of a ``pick``, which stand between commas.

    :raises PickError: they are not three.
    """
    words = [one.strip() for one in pick.split(",")]
    if len(words) != _THREE or not all(words):
        given = sum(map(bool, words))
        raise PickError(f"--pick {pick!r} names {given} piece{'s' * (given != 1)}: expected three, as in --pick 0,4,7")
    return words


def picked_pieces(words: Sequence[str], answer: PhotoAnswer) -> list[PieceAnswer]:
    """Return the pieces of a photo that ``words`` name: each by its id, its name or its label.

    :raises PickError: a word names none or several of them, or two words name the same.
    """
    pieces = [_piece_named(one, answer) for one in words]
    if len({piece.id for piece in pieces}) != len(pieces):
        raise PickError(f"--pick {','.join(words)!r} names a piece twice: expected three different ones")
    return pieces


def _piece_named(called: str, answer: PhotoAnswer) -> PieceAnswer:
    if not answer.pieces:
        raise PickError(f"{printable(answer.file)}: no pieces found, so none can be picked")
    plain = " ".join(called.lower().split())
    found = [
        piece
        for piece in answer.pieces
        if plain in (str(piece.id), piece.name, piece.label) or canonical(called) == piece.name
    ]
    if len(found) == 1:
        return found[0]
    if found:
        ids = " and ".join(str(piece.id) for piece in found)
        raise PickError(f"--pick: {called!r} lies there more than once: give an id ({ids})")
    known = f"an id from 0 to {len(answer.pieces) - 1}, or a name"
    raise PickError(f"--pick: no piece {called!r} in {printable(answer.file)}: expected {known}")
