"""The sentences of the referee in Czech."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from engine.reasons import Chosen, Cost, Oddity, Reason

__all__ = ["CHOSEN", "CLOSING", "COSTS", "ODDITIES", "PHRASES", "TERMS"]

PHRASES: Mapping[Reason, str] = MappingProxyType(
    {
        # Every game.
        Reason.FOREIGN_EVENT: "To do této hry nepatří: {game}.",
        Reason.GAME_OVER: "Hra skončila.",
        Reason.ROUND_OVER: "Kolo skončilo; další začíná zamícháním.",
        Reason.ENDED: "Hra tu končí a platí současné skóre.",
        Reason.TIED: "Volání zazněla příliš blízko u sebe ({players}); rozhodne stůl.",
        Reason.UNDONE: "Vzato zpět: {what}.",
        Reason.NOTHING_TO_UNDO: "Není co vzít zpět.",
        Reason.CORRECTED: (
            "Opraveno: {new}, ne {old} (od události {event}); {changed:mění se # verdikt|mění se # verdikty|mění "
            "se # verdiktů}."
        ),
        Reason.CORRECTED_NOTHING: "Není co opravit: od události {event} se nikde nečetlo: {old}.",
        Reason.NO_SUCH_EVENT: "Událost {event}, která by se dala opravit, není.",
        Reason.HINT_NOT_ALLOWED: "Tento stůl takovou nápovědu nedovoluje. Dotaz: {level}. Dovoleno: {allowed}.",
        Reason.HINT_YES: "Ano, SET tu je.",
        Reason.HINT_NO: "Ne, žádný SET tu není.",
        Reason.HINT_COUNT: "Počet SETů: {count}.",
        Reason.HINT_PIECES: "Do SETu patří: {pieces}.",
        Reason.HINT_PLACES: "Kam se podívat: {spots}.",
        Reason.HINT_TURN_YES: "Ano, nějaký SET se položit dá.",
        Reason.HINT_TURN_NO: "Teď se žádný SET položit nedá.",
        Reason.HINT_TURN_COUNT: "Počet SETů nejlepšího tahu: {count}.",
        Reason.HINT_NOT_NOW: "Ještě musí házet: {players}.",
        # Games of calls.
        Reason.DEALT: "Vyloženo správně: {count:kind}.",
        Reason.DEALT_SHORT: "Balíček je prázdný, proto stačí: {count:kind} místo počtu {due}.",
        Reason.WRONG_NUMBER: "Špatný počet: správně {due:kind}, ne {count}.",
        Reason.NONE_DUE: "Teď se nic nevykládá, proto toto neplatí: {count:kind}.",
        Reason.PIECE_TWICE: "V jednom kole nic nepřijde dvakrát: {piece}.",
        Reason.NOT_IN_DECK: "To nepatří do sady, se kterou se hraje: {piece}.",
        Reason.BEFORE_DEAL: "Nejdřív se musí poprvé vyložit.",
        Reason.CALLED: "{player} volá „SET!“ a teď ukáže tři {kinds}.",
        Reason.CALL_OPEN: "Teď ne: slovo má ještě {player}.",
        Reason.NO_CALL: "{player} nemá otevřené volání: nejdřív se volá „SET!“, pak se ukazuje.",
        Reason.BAD_PICK: "Volání zůstává otevřené: ukazují se tři různé {kinds} ze stolu, ne: {pieces}.",
        Reason.SET_TAKEN: "SET získává {player}. {features}.",
        Reason.TOKEN_WON: "SET a za něj žeton získává {player}. {features}.",
        Reason.NOT_A_SET: "Není to SET. {failed}. {penalty}",
        Reason.GAVE_UP: "{player} žádný SET neukazuje, volání tedy bylo falešné. {penalty}",
        Reason.LOCKED_OUT: "{player} nehraje, dokud SET nenajde někdo jiný.",
        Reason.AGREED: "{player} říká, že tu SET není; souhlasit ještě musí: {missing}.",
        Reason.ALL_AGREED: "Všichni souhlasí, že tu SET není. Teď se vykládá: {due:kind}.",
        Reason.ALL_AGREED_END: "Všichni souhlasí, že tu SET není, a balíček je prázdný.",
        Reason.SOLITAIRE_LOST: "{player} nevidí SET a balíček ještě není prázdný: solitér je prohraný.",
        Reason.ALWAYS_A_SET: "Mezi deseti dílky je vždy nějaký SET.",
        Reason.NO_SET_TOO_EARLY: "„Není tu SET“ platí, až když je balíček prázdný.",
        Reason.PILE_OUT: "Balíček je prázdný: odteď se už nic nedoplňuje.",
        Reason.PILE_ALREADY_OUT: "Balíček už byl prázdný.",
        Reason.SHUFFLED: "Začíná kolo {round} z {rounds}.",
        Reason.MASTER_SHUFFLED: "Začíná kolo {round} z {rounds}; SET-Masterem je {player} a nehraje.",
        Reason.ONE_ROUND: "Tato hra má jen jedno kolo, znovu se tedy nemíchá.",
        Reason.ROUND_RUNS: "Kolo ještě neskončilo.",
        Reason.SHUFFLE_FIRST: "Nejdřív musí SET-Master tohoto kola zamíchat.",
        Reason.MASTER_AGAIN: "Roli SET-Mastera už {player} má za sebou; v každém kole ji má někdo jiný.",
        Reason.MASTER_PLAYS: "SET-Masterem tohoto kola je {player} a nehraje.",
        Reason.SEARCH_PASSED: "{player} SET nenachází a předává tah dál.",
        Reason.NO_TURNS: "Tady se nehraje po řadě, nikdo tedy nemůže vynechat.",
        # Turns.
        Reason.NOT_YOUR_TURN: "Na tahu není {player}, ale {turn}.",
        # SETUP.
        Reason.CARD_LAID: "{player} vykládá: {piece}. Na stole: {count:card}.",
        Reason.LAST_CARD_LAID: (
            "{player} vykládá poslední kartu: {piece}. Na stole: {count:card}. SET s ní se ještě ukázat může."
        ),
        Reason.CARD_TWICE: "Tato karta se už hrála: {piece}.",
        Reason.NOTHING_TO_CLAIM: "Žádná karta se právě nevyložila, není tedy co hlásit.",
        Reason.OWN_CARD: "Poslední kartu vykládá {player} ({piece}); s vlastní kartou se SET nehlásí.",
        Reason.BAD_CLAIM: "Hlásí se tři různé karty ze stolu, ne: {pieces}.",
        Reason.CLAIM_WITHOUT_LAST: "Platí jen SET s právě vyloženou kartou: {piece}.",
        Reason.CLAIM_RIGHT: "{player} ukazuje SET. {features}. {layer} bere všechno ze stolu: {count:card}.",
        Reason.CLAIM_WRONG: "Není to SET, co ukazuje {player}. {failed}. Omyl nic nestojí.",
        # Junior face 1.
        Reason.TILE_LAID: "{player} pokládá na pole {at}: {piece}. Žádná řada tím není úplná.",
        Reason.LINES_COMPLETED: "{player} pokládá na pole {at}: {piece}. Zisk {count:token}: {sets}.",
        Reason.NO_SUCH_SPACE: "Na plánu není pole {at}; na dílku: {piece}.",
        Reason.SPACE_COVERED: "Pole {at} ({space}) už je obsazené; na dílku: {piece}.",
        Reason.WRONG_SPACE: "Na dílku: {piece}; na poli {at}: {space}. Obojí musí být stejné.",
        Reason.HINT_SPACES_YES: "Ano, nějaké pole doplní řadu.",
        Reason.HINT_SPACES_NO: "Ne, žádné pole teď řadu nedoplní.",
        Reason.HINT_SPACES_COUNT: "Řadu {count:doplní # pole|doplní # pole|doplní # polí}.",
        # Cubed.
        Reason.ROLLED: "{player} hází: {pieces}.",
        Reason.ROLL_NOT_DUE: "{player} teď nemá co házet.",
        Reason.ROLL_WRONG_NUMBER: "Hází {player}; správný počet v ruce: {due:die}, ne {count}.",
        Reason.ROLL_CHANGES_KEPT: "Kostky hozené dřív se nemění. {player} má mít také: {pieces}.",
        Reason.REFILLED: "{player} dobírá, hází novými kostkami a teď má: {pieces}.",
        Reason.REROLLED: "{player} hází ještě jednou a teď má: {pieces}.",
        Reason.REROLL_SPENT: "{player} už nový hod v tomto kole má za sebou.",
        Reason.REROLL_TOO_LATE: "Kolo už začalo, {player} tedy znovu házet nemůže.",
        Reason.ROLLED_AGAIN: "{player} znovu hází celou rukou: {pieces}.",
        Reason.WILD_ROLLED: "{player} hází žolíkem a teď má: {pieces}.",
        Reason.ANNOUNCED: "{player} hlásí první SET, ten přijde na logo: {sets}.",
        Reason.ANNOUNCED_NOT_A_SET: "Není to SET, co hlásí {player}. {failed}. Nic to nestojí.",
        Reason.IDENTICAL_NO_SET: "Tři stejné kostky u tohoto stolu nejsou SET.",
        Reason.NOT_THREE: "SET jsou tři kostky; {player} jich hlásí {count}.",
        Reason.FIRST_SET_MISSING: "Před prvním SETem nikdo není na tahu.",
        Reason.FIRST_SET_LIES: "První SET už leží; ohlášení: {player}.",
        Reason.ROLLS_MISSING: "Nejdřív musí házet: {players}.",
        Reason.TURN_JUST_ENDED: "{player} už nehraje: tah právě sám skončil.",
        Reason.TURN_OPEN: "Nejdřív musí {player} ukončit tah.",
        Reason.LAST_TURN: "Toto je poslední tah hry a má ho {player}.",
        Reason.WILD_UNROLLED: "{player} musí nejdřív hodit vyměněným žolíkem.",
        Reason.NOT_IN_HAND: "Takovou kostku {player} nemá: {piece}.",
        Reason.WILD_UNNAMED: "{player} musí říct, co každý žolík znamená.",
        Reason.NAME_WITHOUT_WILD: "Jen žolík zastupuje něco jiného, {player} tedy nemůže hlásit: {named}.",
        Reason.OFF_BOARD: "Na plánu není pole {at}.",
        Reason.SQUARE_TAKEN: "Pole {at} je obsazené; už tam leží: {piece}.",
        Reason.UNCONNECTED: "Kostka na poli {at} by se žádné jiné nedotýkala stranou.",
        Reason.LINE_FAILS: "Na poli {at} toto SET nedělá: {piece}. Řada {places} nevychází. {failed}.",
        Reason.NO_LINE: "Na poli {at} toto SET nedělá: {piece}. Žádná řada tří tam není úplná.",
        Reason.DIE_LEFT_WAITING: "Na poli {at} by toto na konci tahu zůstalo bez SETu: {piece}. {fault}",
        Reason.DIE_WAITS: "{player} pokládá na {at}: {piece}. Do konce tahu z toho musí být SET.",
        Reason.DIE_WAITS_BONUS: (
            "{player} pokládá na {at}: {piece}. Bonus: {bonus:point}. Do konce tahu z toho musí být SET."
        ),
        Reason.DIE_MADE_SETS: "{player} pokládá na {at}: {piece}. Zisk {total:point}: {sets}.",
        Reason.DIE_MADE_SETS_BONUS: (
            "{player} pokládá na {at}: {piece}. Zisk {total:point}, z toho bonus {bonus}: {sets}."
        ),
        Reason.TURN_PASSED: "{player} vynechává tah.",
        Reason.TURN_ENDED: "{player} končí tah.",
        Reason.NOTHING_LAID: "{player} v tomto tahu žádnou kostku nemá na plánu a může jen vynechat.",
        Reason.ALREADY_LAID: "{player} v tomto tahu už kostku na plánu má a může jen skončit.",
        Reason.SWAPPED: "{player} vyměňuje žolíka na poli {at} a musí jím hodit; teď tam leží: {piece}.",
        Reason.SWAP_AFTER_DIE: "Žolík se vyměňuje jen na začátku tahu a {player} už kostku na plánu má.",
        Reason.SWAP_NO_WILD: "Na poli {at} není žolík, který by šlo vyměnit.",
        Reason.SWAP_WRONG_FACE: "Žolík na poli {at} znamená toto: {named}, ne toto: {piece}.",
        Reason.SWAP_SPENT: "Víc žolíků v tomto tahu {player} vyměnit nemůže; dosud: {count}.",
        Reason.NO_SWAPS: "U tohoto stolu se žolíci nevyměňují.",
        Reason.TOO_MANY_DICE: "{player} může v tomto tahu položit ještě {due}, ne {count}.",
    }
)
"""A sentence for every reason."""

COSTS: Mapping[Cost, str] = MappingProxyType(
    {
        Cost.POINT_LOST: "{player} ztrácí jeden bod.",
        Cost.POINT_SPARED: "Skóre zůstává, jak je: {player}.",
        Cost.SET_BACK: "{player} vrací jeden SET.",
        Cost.TOKEN_BACK: "{player} vrací jeden žeton.",
        Cost.NOTHING_BACK: "{player} nemá co vrátit.",
        Cost.OUT: "{player} nehraje, dokud SET nenajde někdo jiný.",
        Cost.ALL_IN: "Nehraje nikdo, a tak zase hrají všichni.",
    }
)
"""What a false call costs."""

ODDITIES: Mapping[Oddity, str] = MappingProxyType(
    {
        Oddity.NOTHING_CHANGED: "Nic se nezměnilo.",
        Oddity.DISAGREES: "Předchozí obraz a hra se neshodují: {pieces}.",
        Oddity.FOREIGN: "To do této hry nepatří: {pieces}.",
        Oddity.DUPLICATE: "Každý díl je ve hře jen jednou, ale víckrát tu leží: {pieces}.",
        Oddity.RETURNED: "Ze stolu už to bylo pryč a je to tu znovu: {pieces}.",
        Oddity.VANISHED: "Žádný tah nebere právě toto, ale chybí: {pieces}.",
        Oddity.TOO_MANY_VANISHED: "K SETu patří tři, chybí jich ale {count}: {pieces}.",
        Oddity.CHANGED: "Na stejném místě předtím leželo: {old}; teď tam leží: {new}.",
        Oddity.TOO_MANY_NEW: "Nových je příliš mnoho: {count} místo nejvýš {due}. Nové: {pieces}.",
        Oddity.TOO_FEW_NEW: "Nových je příliš málo: {count} místo {due}. Nové: {pieces}.",
        Oddity.NONE_DUE: "Teď se nic nevykládá, ale přibylo: {pieces}.",
        Oddity.GAME_OVER: "Hra skončila, ale na stole se něco změnilo: {pieces}.",
        Oddity.ROUND_OVER: "Kolo skončilo a další ještě nezačalo, ale na stole se něco změnilo: {pieces}.",
        Oddity.UNCLAIMABLE: "Všechno je pryč, ale s poslední kartou žádný SET nebyl: {last}.",
        Oddity.WRONG_SPACE: "Na dílku: {piece}; na poli {at}: {space}. Obojí musí být stejné.",
        Oddity.OFF_BOARD: "Na plánu není pole {at}, ale leží tam: {piece}.",
        Oddity.MOVED: "Přesunuto z {start} na {at}: {piece}. Co je položeno, zůstává na místě.",
        Oddity.LOGO: "První SET přijde na tři pole loga a nikam jinam. Přibylo: {pieces}.",
        Oddity.NOT_IN_HAND: "Nikdo, kdo by to mohl položit, to nemá v ruce: {pieces}.",
        Oddity.ROLL_UNKNOWN: "Co ukázal vyměněný žolík po hodu, není známo. Nevysvětleno: {pieces}.",
        Oddity.NOT_ALLOWED: "{pieces}: {sentence}",
    }
)
"""What is odd about a change."""

CHOSEN: Mapping[Chosen, str] = MappingProxyType(
    {
        Chosen.ORDER: "Položeno v dovoleném pořadí, které přináší nejvíc bodů.",
        Chosen.NAMES: "Co žolík znamená, není vidět. Nejvíc bodů přináší: {names}; další možnosti: {others}.",
    }
)
"""What was chosen among explanations that fit equally well."""

CLOSING: Mapping[str, str] = MappingProxyType(
    {
        "over": "konec: {scores}",
        "not_over": "hra trvá: {scores}",
        "wins": "vítězí: {names}",
        "leads": "vede: {names}",
        "loses": "prohrává: {names}",
        "holds": "Součet zbylých je v každé vlastnosti 0: žádný falešný SET nebyl vzat (SET-5).",
        "broken": "Součet zbylých není 0: byl uznán falešný SET, nebo byl některý díl špatně přečten (SET-5).",
        "kinds": "SETy podle počtu různých vlastností: {kinds}",
        "kind": "{count} s {number}",
        "false_calls": "falešná volání: {names}",
        "between_events": "medián času mezi událostmi: {seconds} s",
        "call_to_pick": "medián času od volání k vzetí: {seconds} s",
    }
)
"""What is said at the end of a replay."""

TERMS: Mapping[str, str] = MappingProxyType(
    {
        "Dealt": "vyložení",
        "Called": "volání",
        "Picked": "ukázaný SET",
        "GaveUp": "volání bez SETu",
        "NoSet": "„není tu SET“",
        "PileOut": "konec balíčku",
        "Shuffled": "zamíchání",
        "Laid": "položení",
        "Claimed": "hlášení",
        "Passed": "vynechání tahu",
        "Rolled": "hod",
        "Announced": "první SET",
        "Swapped": "výměna",
        "TurnEnded": "konec tahu",
        "Ended": "konec hry",
        "Corrected": "oprava",
        "never": "nic",
        "yes-no": "ano či ne",
        "count": "počet",
        "one": "jeden díl",
        "two": "dva díly",
        "three": "tři díly",
    }
)
"""Events, by the name of their class, and hint levels."""
