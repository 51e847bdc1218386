"""Names that people and programs say, taken back as the text forms of pieces."""

from __future__ import annotations

import pytest

from engine.called import canonical
from engine.editions import EDITIONS
from engine.labels import Language, label


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("key", EDITIONS)
def test_every_label_of_every_edition_is_understood(key: str, language: Language) -> None:
    edition = EDITIONS[key]
    for piece in edition.deck:
        assert canonical(label(piece, edition, language)) == str(piece)
        assert canonical(str(piece)) == str(piece)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("  TWO red  Waves ", "2 red squiggle"),
        ("waves red two", "2 red squiggle"),
        ("3 turquoise half bars", "3 green striped rectangle"),
        ("two two ovals", "2 2 oval"),
        ("two pink waves", "2 pink squiggle"),
        ("", ""),
    ],
)
def test_order_case_and_what_nobody_calls_a_feature(said: str, meant: str) -> None:
    assert canonical(said) == meant
