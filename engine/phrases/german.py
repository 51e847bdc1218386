"""The sentences of the referee in German."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from engine.reasons import Chosen, Cost, Oddity, Reason

__all__ = ["CHOSEN", "CLOSING", "COSTS", "ODDITIES", "PHRASES", "TERMS"]

PHRASES: Mapping[Reason, str] = MappingProxyType(
    {
        # Every game.
        Reason.FOREIGN_EVENT: "Das gehört nicht zu {game}.",
        Reason.GAME_OVER: "Das Spiel ist zu Ende.",
        Reason.ROUND_OVER: "Die Runde ist zu Ende; die nächste beginnt mit dem Mischen.",
        Reason.ENDED: "Das Spiel endet hier, und der Punktestand gilt.",
        Reason.TIED: "Die Rufe von {players} kamen zu dicht aufeinander; der Tisch entscheidet.",
        Reason.UNDONE: "Zurückgenommen: {what}.",
        Reason.NOTHING_TO_UNDO: "Es gibt nichts zurückzunehmen.",
        Reason.CORRECTED: (
            "Berichtigt: {new}, nicht {old} (ab Ereignis {event}); {changed:# Urteil ändert|# Urteile ändern} sich."
        ),
        Reason.CORRECTED_NOTHING: "Nichts zu berichtigen: Ab Ereignis {event} wurde nirgends gelesen: {old}.",
        Reason.NO_SUCH_EVENT: "Es gibt kein Ereignis {event}, das zu berichtigen wäre.",
        Reason.HINT_NOT_ALLOWED: "Dieser Tisch erlaubt diesen Hinweis nicht. Gefragt: {level}. Erlaubt: {allowed}.",
        Reason.HINT_YES: "Ja, es gibt ein SET.",
        Reason.HINT_NO: "Nein, es gibt kein SET.",
        Reason.HINT_COUNT: "Es gibt {count:SET}.",
        Reason.HINT_PIECES: "Zu einem SET gehört: {pieces}.",
        Reason.HINT_PLACES: "Sieh hin: {spots}.",
        Reason.HINT_TURN_YES: "Ja, es lässt sich ein SET legen.",
        Reason.HINT_TURN_NO: "Jetzt lässt sich kein SET legen.",
        Reason.HINT_TURN_COUNT: "Der beste Zug macht {count:SET}.",
        Reason.HINT_NOT_NOW: "Noch zu würfeln haben: {players}.",
        # Games of calls.
        Reason.DEALT: "Richtig ausgelegt: {count:kind}.",
        Reason.DEALT_SHORT: "Der Stapel ist leer, also genügt dies: {count:kind} statt {due}.",
        Reason.WRONG_NUMBER: "Falsche Zahl: fällig {due:kind}, nicht {count}.",
        Reason.NONE_DUE: "Jetzt ist nichts auszulegen, also gilt dies nicht: {count:kind}.",
        Reason.PIECE_TWICE: "In einer Runde kommt nichts doppelt: {piece}.",
        Reason.NOT_IN_DECK: "Das gehört nicht zum Spielmaterial dieser Partie: {piece}.",
        Reason.BEFORE_DEAL: "Vorher muss zum ersten Mal ausgelegt werden.",
        Reason.CALLED: "{player} ruft „SET!“ und zeigt nun drei {kinds}.",
        Reason.CALL_OPEN: "Jetzt nicht: Der Ruf von {player} ist noch offen.",
        Reason.NO_CALL: "{player} hat keinen offenen Ruf: erst „SET!“ rufen, dann zeigen.",
        Reason.BAD_PICK: "Der Ruf bleibt offen: Zu zeigen sind drei verschiedene {kinds} vom Tisch, nicht: {pieces}.",
        Reason.SET_TAKEN: "Ein SET für {player}. {features}.",
        Reason.TOKEN_WON: "Ein SET für {player} und dafür ein Chip. {features}.",
        Reason.NOT_A_SET: "Kein SET. {failed}. {penalty}",
        Reason.GAVE_UP: "{player} zeigt kein SET, also war der Ruf falsch. {penalty}",
        Reason.LOCKED_OUT: "{player} setzt aus, bis jemand anders ein SET findet.",
        Reason.AGREED: "{player} sagt, dass es kein SET gibt; es fehlt noch die Zustimmung von {missing}.",
        Reason.ALL_AGREED: "Alle sind sich einig, dass es kein SET gibt. Jetzt auszulegen: {due:kind}.",
        Reason.ALL_AGREED_END: "Alle sind sich einig, dass es kein SET gibt, und der Stapel ist leer.",
        Reason.SOLITAIRE_LOST: (
            "{player} sieht kein SET, und der Stapel ist noch nicht leer: Die Solitärpartie ist verloren."
        ),
        Reason.ALWAYS_A_SET: "Unter zehn Plättchen ist immer ein SET.",
        Reason.NO_SET_TOO_EARLY: "„Kein SET“ gilt erst, wenn der Stapel leer ist.",
        Reason.PILE_OUT: "Der Stapel ist leer: Von nun an muss nicht mehr aufgefüllt werden.",
        Reason.PILE_ALREADY_OUT: "Der Stapel war schon leer.",
        Reason.SHUFFLED: "Runde {round} von {rounds} beginnt.",
        Reason.MASTER_SHUFFLED: "Runde {round} von {rounds} beginnt; {player} ist SET-Master und spielt nicht mit.",
        Reason.ONE_ROUND: "Dieses Spiel hat nur eine Runde, also wird nicht neu gemischt.",
        Reason.ROUND_RUNS: "Die Runde ist noch nicht zu Ende.",
        Reason.SHUFFLE_FIRST: "Zuerst muss der SET-Master dieser Runde mischen.",
        Reason.MASTER_AGAIN: "{player} war schon SET-Master; jede Runde hat einen anderen.",
        Reason.MASTER_PLAYS: "{player} ist SET-Master dieser Runde und spielt nicht mit.",
        Reason.SEARCH_PASSED: "{player} findet kein SET und gibt den Zug weiter.",
        Reason.NO_TURNS: "Hier wird nicht reihum gesucht, also kann niemand passen.",
        # Turns.
        Reason.NOT_YOUR_TURN: "Nicht {player}, sondern {turn} ist an der Reihe.",
        # SETUP.
        Reason.CARD_LAID: "{player} legt: {piece}. Auf dem Tisch: {count:card}.",
        Reason.LAST_CARD_LAID: (
            "{player} legt die letzte Karte: {piece}. Auf dem Tisch: {count:card}. Ein SET damit kann "
            "noch gezeigt werden."
        ),
        Reason.CARD_TWICE: "Diese Karte wurde schon gespielt: {piece}.",
        Reason.NOTHING_TO_CLAIM: "Es wurde gerade keine Karte gelegt, also gibt es nichts zu zeigen.",
        Reason.OWN_CARD: "Die letzte Karte ({piece}) kommt von {player}; wer sie legt, darf damit kein SET zeigen.",
        Reason.BAD_CLAIM: "Zu zeigen sind drei verschiedene Karten vom Tisch, nicht: {pieces}.",
        Reason.CLAIM_WITHOUT_LAST: "Es zählt nur ein SET mit der zuletzt gelegten Karte: {piece}.",
        Reason.CLAIM_RIGHT: "{player} zeigt ein SET. {features}. {layer} nimmt alles vom Tisch: {count:card}.",
        Reason.CLAIM_WRONG: "Was {player} zeigt, ist kein SET. {failed}. Ein falsches SET kostet nichts.",
        # Junior face 1.
        Reason.TILE_LAID: "{player} legt auf Feld {at}: {piece}. Damit ist keine Linie voll.",
        Reason.LINES_COMPLETED: "{player} legt auf Feld {at}: {piece}. Das bringt {count:token}: {sets}.",
        Reason.NO_SUCH_SPACE: "Der Plan hat kein Feld {at}; auf dem Plättchen: {piece}.",
        Reason.SPACE_COVERED: "Feld {at} ({space}) ist schon belegt; auf dem Plättchen: {piece}.",
        Reason.WRONG_SPACE: "Auf dem Plättchen: {piece}; auf Feld {at}: {space}. Beides muss gleich sein.",
        Reason.HINT_SPACES_YES: "Ja, es gibt ein Feld, das eine Linie füllt.",
        Reason.HINT_SPACES_NO: "Nein, kein Feld füllt jetzt eine Linie.",
        Reason.HINT_SPACES_COUNT: "{count:# Feld füllt|# Felder füllen} eine Linie.",
        # Cubed.
        Reason.ROLLED: "{player} würfelt: {pieces}.",
        Reason.ROLL_NOT_DUE: "{player} hat jetzt nichts zu würfeln.",
        Reason.ROLL_WRONG_NUMBER: "Die Hand von {player} hat jetzt {due:die}, nicht {count}.",
        Reason.ROLL_CHANGES_KEPT: (
            "Schon gewürfelte Würfel behalten ihre Seiten; in der Hand von {player} fehlt: {pieces}."
        ),
        Reason.REFILLED: "{player} zieht nach, würfelt und hat nun: {pieces}.",
        Reason.REROLLED: "{player} würfelt noch einmal und hat nun: {pieces}.",
        Reason.REROLL_SPENT: "{player} hat in dieser Runde schon noch einmal gewürfelt.",
        Reason.REROLL_TOO_LATE: "Die Runde hat begonnen, also darf {player} nicht noch einmal würfeln.",
        Reason.ROLLED_AGAIN: "{player} würfelt die ganze Hand neu: {pieces}.",
        Reason.WILD_ROLLED: "{player} würfelt den Joker und hat nun: {pieces}.",
        Reason.ANNOUNCED: "{player} zeigt das erste SET, es kommt auf das Logo: {sets}.",
        Reason.ANNOUNCED_NOT_A_SET: "Was {player} zeigt, ist kein SET. {failed}. Das kostet nichts.",
        Reason.IDENTICAL_NO_SET: "Drei gleiche Würfel sind an diesem Tisch kein SET.",
        Reason.NOT_THREE: "Ein SET sind drei Würfel; {player} zeigt {count:die}.",
        Reason.FIRST_SET_MISSING: "Vor dem ersten SET ist niemand an der Reihe.",
        Reason.FIRST_SET_LIES: "Das erste SET liegt schon, es kam von {player}.",
        Reason.ROLLS_MISSING: "Zuerst muss noch gewürfelt werden, und zwar von {players}.",
        Reason.TURN_JUST_ENDED: "Der Zug von {player} ist gerade von selbst zu Ende gegangen.",
        Reason.TURN_OPEN: "Zuerst muss {player} den Zug beenden.",
        Reason.LAST_TURN: "Dies ist der letzte Zug des Spiels, und ihn hat {player}.",
        Reason.WILD_UNROLLED: "{player} muss zuerst den getauschten Joker würfeln.",
        Reason.NOT_IN_HAND: "Diesen Würfel hat {player} nicht: {piece}.",
        Reason.WILD_UNNAMED: "{player} muss sagen, wofür jeder Joker steht.",
        Reason.NAME_WITHOUT_WILD: (
            "Nur ein Joker steht für etwas anderes, also kann {player} das nicht ansagen: {named}."
        ),
        Reason.OFF_BOARD: "Der Plan hat kein Feld {at}.",
        Reason.SQUARE_TAKEN: "Feld {at} ist belegt; dort liegt schon: {piece}.",
        Reason.UNCONNECTED: "Ein Würfel auf {at} würde keinen anderen mit einer Seite berühren.",
        Reason.LINE_FAILS: "Auf {at} macht dies kein SET: {piece}. Die Linie {places} geht nicht auf. {failed}.",
        Reason.NO_LINE: "Auf {at} macht dies kein SET: {piece}. Es liegt in keiner vollen Dreierlinie.",
        Reason.DIE_LEFT_WAITING: "Auf {at} bliebe dies am Ende des Zuges ohne SET: {piece}. {fault}",
        Reason.DIE_WAITS: "{player} legt auf {at}: {piece}. Bis zum Ende des Zuges muss daraus ein SET werden.",
        Reason.DIE_WAITS_BONUS: (
            "{player} legt auf {at}: {piece}. Bonus: {bonus:point}. Bis zum Ende des Zuges muss daraus ein SET werden."
        ),
        Reason.DIE_MADE_SETS: "{player} legt auf {at}: {piece}. Das bringt {total:point}: {sets}.",
        Reason.DIE_MADE_SETS_BONUS: (
            "{player} legt auf {at}: {piece}. Das bringt {total:point}, darunter {bonus} als Bonus: {sets}."
        ),
        Reason.TURN_PASSED: "{player} passt.",
        Reason.TURN_ENDED: "{player} beendet den Zug.",
        Reason.NOTHING_LAID: "{player} hat keinen Würfel gelegt und kann nur passen.",
        Reason.ALREADY_LAID: "{player} hat schon einen Würfel gelegt und kann den Zug nur beenden.",
        Reason.SWAPPED: "{player} tauscht den Joker auf {at} und muss ihn nun würfeln; jetzt liegt dort: {piece}.",
        Reason.SWAP_AFTER_DIE: (
            "Ein Joker wird nur am Anfang des Zuges getauscht, und {player} hat schon einen Würfel gelegt."
        ),
        Reason.SWAP_NO_WILD: "Auf {at} liegt kein Joker, den man tauschen könnte.",
        Reason.SWAP_WRONG_FACE: "Der Joker auf {at} steht für: {named}, nicht für: {piece}.",
        Reason.SWAP_SPENT: "{player} hat in diesem Zug {count:wild} getauscht, mehr sind nicht erlaubt.",
        Reason.NO_SWAPS: "An diesem Tisch darf kein Joker getauscht werden.",
        Reason.TOO_MANY_DICE: "{player} kann in diesem Zug noch {due:die} legen, nicht {count}.",
    }
)
"""A sentence for every reason."""

COSTS: Mapping[Cost, str] = MappingProxyType(
    {
        Cost.POINT_LOST: "{player} verliert einen Punkt.",
        Cost.POINT_SPARED: "Der Punktestand von {player} bleibt, wie er ist.",
        Cost.SET_BACK: "{player} gibt ein SET zurück.",
        Cost.TOKEN_BACK: "{player} gibt einen Chip zurück.",
        Cost.NOTHING_BACK: "{player} hat nichts, das zurückgehen könnte.",
        Cost.OUT: "{player} setzt aus, bis jemand anders ein SET findet.",
        Cost.ALL_IN: "Alle setzen aus, also sind alle wieder dabei.",
    }
)
"""What a false call costs."""

ODDITIES: Mapping[Oddity, str] = MappingProxyType(
    {
        Oddity.NOTHING_CHANGED: "Es hat sich nichts verändert.",
        Oddity.DISAGREES: "Das Bild davor und das Spiel widersprechen sich: {pieces}.",
        Oddity.FOREIGN: "Das gehört nicht zu diesem Spiel: {pieces}.",
        Oddity.DUPLICATE: "Jedes Stück gibt es nur einmal, aber mehrfach liegt da: {pieces}.",
        Oddity.RETURNED: "Schon vom Tisch genommen und nun wieder da: {pieces}.",
        Oddity.VANISHED: "Kein Zug nimmt genau dies weg, aber es fehlt: {pieces}.",
        Oddity.TOO_MANY_VANISHED: "Zu einem SET gehören drei, es fehlen aber {count}: {pieces}.",
        Oddity.CHANGED: "An derselben Stelle lag vorher: {old}; jetzt liegt da: {new}.",
        Oddity.TOO_MANY_NEW: "Zu viele sind neu: {count} statt höchstens {due}. Neu: {pieces}.",
        Oddity.TOO_FEW_NEW: "Zu wenige sind neu: {count} statt {due}. Neu: {pieces}.",
        Oddity.NONE_DUE: "Jetzt ist nichts auszulegen, aber neu liegt da: {pieces}.",
        Oddity.GAME_OVER: "Das Spiel ist zu Ende, aber auf dem Tisch hat sich etwas verändert: {pieces}.",
        Oddity.ROUND_OVER: (
            "Die Runde ist zu Ende und die nächste noch nicht begonnen, aber auf dem Tisch hat sich etwas verändert: "
            "{pieces}."
        ),
        Oddity.UNCLAIMABLE: "Alles wurde genommen, aber mit der letzten Karte gab es kein SET: {last}.",
        Oddity.WRONG_SPACE: "Auf dem Plättchen: {piece}; auf Feld {at}: {space}. Beides muss gleich sein.",
        Oddity.OFF_BOARD: "Der Plan hat kein Feld {at}, aber dort liegt: {piece}.",
        Oddity.MOVED: "Von {start} nach {at} verschoben: {piece}. Was gelegt ist, bleibt liegen.",
        Oddity.LOGO: "Das erste SET kommt auf die drei Felder des Logos und sonst nirgendwohin. Neu: {pieces}.",
        Oddity.NOT_IN_HAND: "Niemand, der dies legen könnte, hat es gewürfelt: {pieces}.",
        Oddity.ROLL_UNKNOWN: "Was ein getauschter Joker beim Wurf zeigt, ist nicht bekannt. Nicht erklärt: {pieces}.",
        Oddity.NOT_ALLOWED: "{pieces}: {sentence}",
    }
)
"""What is odd about a change."""

CHOSEN: Mapping[Chosen, str] = MappingProxyType(
    {
        Chosen.ORDER: "Gelegt in der erlaubten Reihenfolge, die am meisten bringt.",
        Chosen.NAMES: (
            "Wofür ein Joker steht, ist nicht zu sehen. Am meisten bringt: {names}; weitere Möglichkeiten: {others}."
        ),
    }
)
"""What was chosen among explanations that fit equally well."""

CLOSING: Mapping[str, str] = MappingProxyType(
    {
        "over": "zu Ende: {scores}",
        "not_over": "noch nicht zu Ende: {scores}",
        "wins": "gewonnen: {names}",
        "leads": "vorn: {names}",
        "loses": "verloren: {names}",
        "holds": "Was übrig ist, ergibt in jeder Eigenschaft die Summe 0: Kein falsches SET wurde genommen (SET-5).",
        "broken": (
            "Was übrig ist, ergibt nicht die Summe 0: Ein falsches SET wurde anerkannt oder ein Stück falsch gelesen "
            "(SET-5)."
        ),
        "kinds": "SETs nach Zahl der verschiedenen Eigenschaften: {kinds}",
        "kind": "{count} mit {number}",
        "false_calls": "falsche Rufe: {names}",
        "between_events": "Median der Zeit zwischen Ereignissen: {seconds} s",
        "call_to_pick": "Median der Zeit vom Ruf bis zum Griff: {seconds} s",
    }
)
"""What is said at the end of a replay."""

TERMS: Mapping[str, str] = MappingProxyType(
    {
        "Dealt": "das Auslegen",
        "Called": "der Ruf",
        "Picked": "das gezeigte SET",
        "GaveUp": "der aufgegebene Ruf",
        "NoSet": "„kein SET“",
        "PileOut": "das Ende des Stapels",
        "Shuffled": "das Mischen",
        "Laid": "das Gelegte",
        "Claimed": "die Meldung",
        "Passed": "das Passen",
        "Rolled": "der Wurf",
        "Announced": "das erste SET",
        "Swapped": "der Tausch",
        "TurnEnded": "das Ende des Zuges",
        "Ended": "das Ende des Spiels",
        "Corrected": "die Berichtigung",
        "never": "nichts",
        "yes-no": "ja oder nein",
        "count": "die Anzahl",
        "one": "ein Teil",
        "two": "zwei Teile",
        "three": "drei Teile",
    }
)
"""Events, by the name of their class, and hint levels."""
