"""What people call pieces, taken back: the words of all editions and languages, as the text forms of tokens.

>>> canonical("Two red waves"), canonical("dvě červené vlnky"), canonical("deux losanges rouges rayés")
('2 red squiggle', '2 red squiggle', '2 red striped diamond')
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType

from engine.editions import EDITIONS
from engine.labels import Language, Word, word
from engine.tokens import Colour, Number, Shading, Shape

__all__ = ["canonical"]

_FEATURES = (Number, Colour, Shading, Shape)


def canonical(text: str) -> str:
    """Return a name in the words and the order of tokens, as in "2 red squiggle" for "two red waves".

    Words that nobody uses for a feature stay as they are, and so does the order of the words beside them.
    """
    known = _meanings()
    words = text.casefold().split()
    meant = [known.get(one) for one in words]
    found = [one for one in meant if one is not None]
    if len(found) == len(words) and len({place for place, _ in found}) == len(words):
        return " ".join(said for _, said in sorted(found))
    return " ".join(one if mine is None else mine[1] for one, mine in zip(words, meant, strict=True))


@cache
def _meanings() -> Mapping[str, tuple[int, str]]:
    """Every word with the place of its feature in a name, and the text form of its value there."""
    found: dict[str, tuple[int, str]] = {"joker": (len(_FEATURES), "wild"), "žolík": (len(_FEATURES), "wild")}
    for place, feature in enumerate(_FEATURES):
        for value in feature:
            for said in _said(place, value.value):
                found[said.casefold()] = place, str(value)
            found[str(value)] = place, str(value)
    return MappingProxyType(found)


def _said(place: int, value: int) -> Iterator[str]:
    """Yield all that editions say in any language for a value of the feature at a ``place``."""
    for edition in EDITIONS.values():
        key = (edition.numbers, edition.colours, edition.shadings, edition.shapes)[place][value]
        for language in Language:
            yield from _forms(word(key, language))


def _forms(one: Word) -> tuple[str, ...]:
    return (one.said, *one.singular, *one.plural)
