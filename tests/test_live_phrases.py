"""What a live table says beside verdicts: every sentence in every language, with the same facts."""

from __future__ import annotations

import re

import pytest

from engine.events import Called
from engine.labels import Language
from service.live.happenings import HappeningKind
from service.live.phrases import PHRASES, Phrase, said
from service.live.settings import LiveSettings
from tests.games import DEALT
from tests.live import Played, of_kind

NBSP = "\N{NO-BREAK SPACE}"
FACT = re.compile(r"\{[^{}]+\}")
OTHERS = [language for language in Language if language is not Language.ENGLISH]


@pytest.mark.parametrize("language", Language)
def test_every_sentence_is_there_with_the_facts_of_the_english_one(language: Language) -> None:
    assert list(PHRASES[language]) == list(Phrase)
    for phrase in Phrase:
        text, english = PHRASES[language][phrase], PHRASES[Language.ENGLISH][phrase]
        assert sorted(FACT.findall(text)) == sorted(FACT.findall(english)), phrase
        assert phrase is Phrase.TIED_AT or text[-1] in ".?)", phrase


@pytest.mark.parametrize("language", OTHERS)
def test_no_sentence_is_left_in_english(language: Language) -> None:
    assert [one for one in Phrase if PHRASES[language][one] == PHRASES[Language.ENGLISH][one]] == []


def test_french_has_a_space_before_its_signs() -> None:
    for phrase, text in PHRASES[Language.FRENCH].items():
        plain = FACT.sub("", text)
        assert not re.search(r"(?<!\N{NO-BREAK SPACE})[:?;!]", plain), phrase


def test_facts_are_put_in_once() -> None:
    assert said(Phrase.CALLED_ALREADY, Language.ENGLISH, player="{tied}", tied="nobody") == "{tied} has called already."


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


@pytest.mark.parametrize(
    ("language", "text"),
    [
        (Language.ENGLISH, "No play takes just this away, but it has vanished: one red striped oval."),
        (Language.GERMAN, "Kein Zug nimmt genau dies weg, aber es fehlt: ein rotes gestreiftes Oval."),
        (Language.FRENCH, f"Aucun coup n'enlève exactement cela, mais ceci a disparu{NBSP}: un ovale rouge rayé."),
        (Language.CZECH, "Žádný tah nebere právě toto, ale chybí: jeden červený pruhovaný ovál."),
    ],
)
def test_what_is_odd_is_told_in_the_language_of_the_table(language: Language, text: str) -> None:
    game = Played(settings=LiveSettings(language=language))
    game.lay(*DEALT)
    game.look(0.5)
    game.lift(DEALT[0])
    game.look(5)
    assert [one.text for one in of_kind(game.told, HappeningKind.ODDITY)] == [text]
