"""The sentences of the referee in every language, a template a reason.

How to write one is said in :mod:`engine.sentences`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from engine.labels import Language
from engine.phrases import czech, english, french, german
from engine.reasons import Cost, Reason

__all__ = ["CLOSING", "COSTS", "PHRASES", "TERMS"]

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

CLOSING: Mapping[Language, Mapping[str, str]] = MappingProxyType(
    {language: module.CLOSING for language, module in _MODULES.items()}
)
"""What is said at the end of a replay."""

TERMS: Mapping[Language, Mapping[str, str]] = MappingProxyType(
    {language: module.TERMS for language, module in _MODULES.items()}
)
"""Events, by the name of their class, and hint levels, as a sentence mentions them."""
