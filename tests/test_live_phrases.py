"""What a live table says beside verdicts: every sentence in every language, with the same facts."""

from __future__ import annotations

import re

import pytest

from engine.events import Called
from engine.labels import Language
from service.live.happenings import HappeningKind
from service.live.phrases import PHRASES, Phrase, joined, said
from service.live.settings import LiveSettings
from tests.games import DEALT
from tests.live import Played

FACT = re.compile(r"\{[^{}]+\}")
OTHERS = [language for language in Language if language is not Language.ENGLISH]


@pytest.mark.parametrize("language", Language)
def test_every_sentence_is_there_with_the_facts_of_the_english_one(language: Language) -> None:
    assert list(PHRASES[language]) == list(Phrase)
    for phrase in Phrase:
        text, english = PHRASES[language][phrase], PHRASES[Language.ENGLISH][phrase]
        assert sorted(FACT.findall(text)) == sorted(FACT.findall(english)), phrase
        assert phrase is Phrase.TIED_AT or text[-1] in ".?", phrase


@pytest.mark.parametrize("language", OTHERS)
def test_no_sentence_is_left_in_english(language: Language) -> None:
    assert [one for one in Phrase if PHRASES[language][one] == PHRASES[Language.ENGLISH][one]] == []


def test_french_has_a_space_before_its_signs() -> None:
    for phrase, text in PHRASES[Language.FRENCH].items():
        plain = FACT.sub("", text)
        assert not re.search(r"(?<!\N{NO-BREAK SPACE})[:?;!]", plain), phrase


def test_facts_are_put_in_once() -> None:
    assert said(Phrase.CALLED_ALREADY, Language.ENGLISH, player="{tied}", tied="nobody") == "{tied} has called already."


def test_names_stand_in_a_row() -> None:
    assert joined(["Ann"], Language.ENGLISH) == "Ann"
    assert joined(["Ann", "Ben", "Cem"], Language.ENGLISH) == "Ann, Ben and Cem"
    assert joined(["Ann", "Ben"], Language.CZECH) == "Ann a Ben"


@pytest.mark.parametrize(
    ("language", "tie", "late"),
    [
        (Language.ENGLISH, "Too close to part: Ann at 1.000 s and Ben at 1.010 s. Who was it?", "Ben has called"),
        (Language.GERMAN, "Zu dicht beieinander: Ann bei 1.000 s und Ben bei 1.010 s. Wer war es?", "Ben hat schon"),
    ],
)
def test_a_table_speaks_its_language(language: Language, tie: str, late: str) -> None:
    game = Played(settings=LiveSettings(language=language))
    game.lay(*DEALT)
    game.look(0.5)
    table, now = game.table, game.table.now
    table.call("Ann", now)
    told = [*table.call("Ben", now), *table.tick(now + 1)]
    assert [one.kind for one in told][-1] is HappeningKind.TIE
    ends = re.sub(r"[\d.]+ s", "1 s", told[-1].text)
    assert ends == re.sub(r"[\d.]+ s", "1 s", tie)
    table.put(Called("Ben"))
    assert table.call("Ben", table.now)[0].text.startswith(late)
