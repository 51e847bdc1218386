"""What a live table says beside the referee, in every language."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum, auto
from types import MappingProxyType

from engine.labels import Language

__all__ = ["PHRASES", "Phrase", "said"]


class Phrase(StrEnum):
    """A sentence, by name; what it mentions stands in the English one."""

    MINE = auto()
    CALLS_DO_NOT_MATTER = auto()
    CALLED_ALREADY = auto()
    CALLS_WHILE_TIED = auto()
    LATE_FOR_VERDICT = auto()
    LATE_FOR_DEAL = auto()
    EARLIER_CALL = auto()
    TIED = auto()
    TIED_AT = auto()
    """One of those who are tied, within TIED."""
    TIE_FOR_NOBODY = auto()
    HOST_FIRST = auto()
    AS_IT_WAS = auto()
    GAME_OVER = auto()
    EXPLAINED = auto()
    IGNORED = auto()
    WHOSE = auto()
    NOT_SEEN = auto()
    NAME_GUESSED = auto()
    ROLL_UNSEEN = auto()


_ENGLISH = {
    Phrase.MINE: "{player} says: mine.",
    Phrase.CALLS_DO_NOT_MATTER: "{player} calls: calls do not matter in this game without a camera.",
    Phrase.CALLED_ALREADY: "{player} has called already.",
    Phrase.CALLS_WHILE_TIED: "{player} calls, but {tied} are tied.",
    Phrase.LATE_FOR_VERDICT: "The call of {player} came too late: it is from before the last call was judged.",
    Phrase.LATE_FOR_DEAL: "The call of {player} came too late: it is from before the last deal.",
    Phrase.EARLIER_CALL: "An earlier call has come in.",
    Phrase.TIED: "Too close to part: {times}. Who was it?",
    Phrase.TIED_AT: "{player} at {at:.3f} s",
    Phrase.TIE_FOR_NOBODY: "The tie counts for nobody.",
    Phrase.HOST_FIRST: "The host decides first: {tied} are tied.",
    Phrase.AS_IT_WAS: "The table is as it was.",
    Phrase.GAME_OVER: "The game is over.",
    Phrase.EXPLAINED: "It is explained.",
    Phrase.IGNORED: "It is ignored.",
    Phrase.WHOSE: "Whose is it? Nobody has called.",
    Phrase.NOT_SEEN: "Told, but not seen so far: {pieces}.",
    Phrase.NAME_GUESSED: "(what the Wild stands for is a guess)",
    Phrase.ROLL_UNSEEN: "(the roll was not seen: only the dice that were laid are known)",
}
_GERMAN = {
    Phrase.MINE: "{player} sagt: meins.",
    Phrase.CALLS_DO_NOT_MATTER: "{player} ruft: In diesem Spiel zählen Rufe nur mit einer Kamera.",
    Phrase.CALLED_ALREADY: "{player} hat schon gerufen.",
    Phrase.CALLS_WHILE_TIED: "{player} ruft, aber noch ist zu entscheiden zwischen: {tied}.",
    Phrase.LATE_FOR_VERDICT: "Der Ruf von {player} kam zu spät: Er ist älter als das letzte Urteil über einen Ruf.",
    Phrase.LATE_FOR_DEAL: "Der Ruf von {player} kam zu spät: Er ist älter als das letzte Auslegen.",
    Phrase.EARLIER_CALL: "Ein früherer Ruf ist eingetroffen.",
    Phrase.TIED: "Zu dicht beieinander: {times}. Wer war es?",
    Phrase.TIED_AT: "{player} bei {at:.3f} s",
    Phrase.TIE_FOR_NOBODY: "Keiner der gleichzeitigen Rufe zählt.",
    Phrase.HOST_FIRST: "Erst entscheidet die Spielleitung zwischen: {tied}.",
    Phrase.AS_IT_WAS: "Der Tisch ist wieder wie zuvor.",
    Phrase.GAME_OVER: "Das Spiel ist zu Ende.",
    Phrase.EXPLAINED: "Es ist geklärt.",
    Phrase.IGNORED: "Es bleibt unbeachtet.",
    Phrase.WHOSE: "Wer war das? Niemand hat gerufen.",
    Phrase.NOT_SEEN: "Angesagt, aber noch nicht gesehen: {pieces}.",
    Phrase.NAME_GUESSED: "(wofür der Joker steht, ist geraten)",
    Phrase.ROLL_UNSEEN: "(der Wurf war nicht zu sehen: bekannt sind nur die gelegten Würfel)",
}
_FRENCH = {
    Phrase.MINE: "{player} dit\N{NO-BREAK SPACE}: à moi.",
    Phrase.CALLS_DO_NOT_MATTER: (
        "{player} annonce\N{NO-BREAK SPACE}: dans ce jeu, une annonce ne compte qu'avec une caméra."
    ),
    Phrase.CALLED_ALREADY: "{player} a déjà annoncé.",
    Phrase.CALLS_WHILE_TIED: "{player} annonce, mais il faut d'abord départager {tied}.",
    Phrase.LATE_FOR_VERDICT: (
        "L'annonce de {player} est arrivée trop tard\N{NO-BREAK SPACE}: elle précède le dernier verdict."
    ),
    Phrase.LATE_FOR_DEAL: (
        "L'annonce de {player} est arrivée trop tard\N{NO-BREAK SPACE}: elle précède la dernière distribution."
    ),
    Phrase.EARLIER_CALL: "Une annonce antérieure est arrivée.",
    Phrase.TIED: "Trop proches\N{NO-BREAK SPACE}: {times}. Qui était-ce\N{NO-BREAK SPACE}?",
    Phrase.TIED_AT: "{player} à {at:.3f} s",
    Phrase.TIE_FOR_NOBODY: "Aucune des annonces simultanées ne compte.",
    Phrase.HOST_FIRST: "L'hôte doit d'abord départager {tied}.",
    Phrase.AS_IT_WAS: "La table est comme avant.",
    Phrase.GAME_OVER: "La partie est finie.",
    Phrase.EXPLAINED: "C'est expliqué.",
    Phrase.IGNORED: "On n'en tient pas compte.",
    Phrase.WHOSE: "Qui était-ce\N{NO-BREAK SPACE}? Personne n'a annoncé.",
    Phrase.NOT_SEEN: "Annoncé, mais pas encore vu\N{NO-BREAK SPACE}: {pieces}.",
    Phrase.NAME_GUESSED: "(ce que représente le joker est une supposition)",
    Phrase.ROLL_UNSEEN: "(le lancer n'a pas été vu\N{NO-BREAK SPACE}: seuls les dés posés sont connus)",
}
_CZECH = {
    Phrase.MINE: "{player} hlásí: moje.",
    Phrase.CALLS_DO_NOT_MATTER: "{player} volá: v této hře volání platí jen s kamerou.",
    Phrase.CALLED_ALREADY: "{player} už volá.",
    Phrase.CALLS_WHILE_TIED: "{player} volá, ale nejdřív je třeba rozhodnout mezi: {tied}.",
    Phrase.LATE_FOR_VERDICT: "Volání přišlo pozdě ({player}): je starší než poslední verdikt o volání.",
    Phrase.LATE_FOR_DEAL: "Volání přišlo pozdě ({player}): je starší než poslední vyložení.",
    Phrase.EARLIER_CALL: "Dorazilo dřívější volání.",
    Phrase.TIED: "Příliš těsně po sobě: {times}. Kdo to byl?",
    Phrase.TIED_AT: "{player} v {at:.3f} s",
    Phrase.TIE_FOR_NOBODY: "Žádné ze současných volání neplatí.",
    Phrase.HOST_FIRST: "Nejdřív rozhodne hostitel mezi: {tied}.",
    Phrase.AS_IT_WAS: "Stůl je zase jako předtím.",
    Phrase.GAME_OVER: "Hra skončila.",
    Phrase.EXPLAINED: "Vysvětleno.",
    Phrase.IGNORED: "Nebere se v úvahu.",
    Phrase.WHOSE: "Kdo to byl? Nikdo nezavolal.",
    Phrase.NOT_SEEN: "Ohlášeno, ale zatím není vidět: {pieces}.",
    Phrase.NAME_GUESSED: "(co žolík znamená, je jen odhad)",
    Phrase.ROLL_UNSEEN: "(hod nebylo vidět: známé jsou jen položené kostky)",
}
PHRASES: Mapping[Language, Mapping[Phrase, str]] = MappingProxyType(
    {
        Language.ENGLISH: MappingProxyType(_ENGLISH),
        Language.GERMAN: MappingProxyType(_GERMAN),
        Language.FRENCH: MappingProxyType(_FRENCH),
        Language.CZECH: MappingProxyType(_CZECH),
    }
)
"""Every sentence in every language; facts stand in braces."""


def said(phrase: Phrase, language: Language, **facts: str | float) -> str:
    """Return a sentence with its ``facts``, which are put in once: a player may be called "{x}"."""
    return PHRASES[language][phrase].format_map(facts)
