"""The sentences of the referee in every language, a template a reason.

How to write one is said in :mod:`engine.sentences`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from engine.labels import Language
from engine.phrases import czech, english, french, german
from engine.reasons import Chosen, Cost, Oddity, Reason

__all__ = ["CHOSEN", "CLOSING", "COSTS", "ODDITIES", "PHRASES", "TERMS"]

_MODULES = {
    Language.ENGLISH: english,
    Language.GERMAN: german,
    Language.FRENCH: french,
    Language.CZECH: czech,
}

PHRASES: Mapping[Language, Mapping[Reason, str]] = MappingProxyType(
    {language: module.PHRASES for language, module in _MODULES.items()}
)
"""The sentence of each reason."""

COSTS: Mapping[Language, Mapping[Cost, str]] = MappingProxyType(
    {language: module.COSTS for language, module in _MODULES.items()}
)
"""What a false call costs."""

ODDITIES: Mapping[Language, Mapping[Oddity, str]] = MappingProxyType(
    {language: module.ODDITIES for language, module in _MODULES.items()}
)
"""What is odd about a change."""

CHOSEN: Mapping[Language, Mapping[Chosen, str]] = MappingProxyType(
    {language: module.CHOSEN for language, module in _MODULES.items()}
)
"""What was chosen among explanations that fit equally well."""

CLOSING: Mapping[Language, Mapping[str, str]] = MappingProxyType(
    {language: module.CLOSING for language, module in _MODULES.items()}
)
"""What is said at the end of a replay."""

TERMS: Mapping[Language, Mapping[str, str]] = MappingProxyType(
    {language: module.TERMS for language, module in _MODULES.items()}
)
"""Events, by the name of their class, and hint levels, as a sentence mentions them."""
