"""A verdict feature by feature: why three pieces are a SET, or are none."""

from __future__ import annotations

from engine.editions import Edition
from engine.events import Verdict
from engine.labels import Language
from engine.sets import explain
from engine.tokens import Piece

__all__ = ["lines_of"]

_Three = tuple[Piece, Piece, Piece]


def lines_of(verdict: Verdict, words: Edition, language: Language) -> tuple[str, ...]:
    """Return one line a feature of the three pieces that a ``verdict`` is about, in the ``words`` of an edition.

    Where one die or tile has made several SETs, a line that names its pieces stands before those of each. No lines:
    the verdict is about no three pieces.
    """
    judged: tuple[_Three, ...] = (verdict.failed,) if verdict.failed else tuple(one.pieces for one in verdict.sets)
    lines = [(_named(three, words, language), *explain(*three, words, language).lines) for three in judged]
    return tuple(line for group in lines for line in (group if len(lines) > 1 else group[1:]))


def _named(three: _Three, words: Edition, language: Language) -> str:
    return ", ".join(words.label(piece, language) for piece in three)
