"""The sentences of the referee in French."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from engine.reasons import Chosen, Cost, Oddity, Reason

__all__ = ["CHOSEN", "CLOSING", "COSTS", "ODDITIES", "PHRASES", "TERMS"]

_PHRASES = {
    # Every game.
    Reason.FOREIGN_EVENT: "Cela n'existe pas dans {game}.",
    Reason.GAME_OVER: "La partie est terminée.",
    Reason.ROUND_OVER: "La manche est terminée ; la suivante commence quand on mélange.",
    Reason.ENDED: "La partie s'arrête ici et le score reste tel quel.",
    Reason.TIED: "Deux annonces trop proches pour les départager ({players}) ; la table décide.",
    Reason.UNDONE: "Annulé : {what}.",
    Reason.NOTHING_TO_UNDO: "Il n'y a rien à annuler.",
    Reason.CORRECTED: (
        "Corrigé : {new}, et non {old} (à partir de l'événement {event}) ; {changed:# verdict change|# "
        "verdicts changent}."
    ),
    Reason.CORRECTED_NOTHING: "Rien à corriger : à partir de l'événement {event}, personne n'a lu {old}.",
    Reason.NO_SUCH_EVENT: "Il n'y a pas d'événement {event} à corriger.",
    Reason.HINT_NOT_ALLOWED: "Cette table ne permet pas cet indice. Demandé : {level}. Permis : {allowed}.",
    Reason.HINT_YES: "Oui, il y a un SET.",
    Reason.HINT_NO: "Non, il n'y a pas de SET.",
    Reason.HINT_COUNT: "Il y a {count:SET}.",
    Reason.HINT_PIECES: "Il y a un SET avec {pieces}.",
    Reason.HINT_PLACES: "À regarder : {spots}.",
    Reason.HINT_TURN_YES: "Oui, on peut poser un dé qui fait un SET.",
    Reason.HINT_TURN_NO: "Aucun dé posé maintenant ne ferait un SET.",
    Reason.HINT_TURN_COUNT: "Le meilleur tour fait {count:SET}.",
    Reason.HINT_NOT_NOW: "Dés encore à lancer : {players}.",
    # Games of calls.
    Reason.DEALT: "Distribution correcte : {count:kind}.",
    Reason.DEALT_SHORT: "La pioche est vide, cela suffit donc : {count:kind} au lieu de {due}.",
    Reason.WRONG_NUMBER: "Mauvais nombre : il faut poser {due:kind}, et non {count}.",
    Reason.NONE_DUE: "Il n'y a rien à poser maintenant ; ceci ne compte donc pas : {count:kind}.",
    Reason.PIECE_TWICE: "Rien ne vient deux fois dans une manche : {piece}.",
    Reason.NOT_IN_DECK: "Ceci ne fait pas partie du jeu utilisé : {piece}.",
    Reason.BEFORE_DEAL: "Il faut d'abord faire la première distribution.",
    Reason.CALLED: "{player} annonce « SET ! » et montre maintenant trois {kinds}.",
    Reason.CALL_OPEN: "Pas maintenant : {player} a encore la parole.",
    Reason.NO_CALL: "{player} n'a pas la parole : on annonce « SET ! » avant de montrer.",
    Reason.BAD_PICK: (
        "L'annonce reste ouverte : il faut montrer trois {kinds} différentes posées sur la table, et non {pieces}."
    ),
    Reason.SET_TAKEN: "Un SET pour {player}. {features}.",
    Reason.TOKEN_WON: "Un SET pour {player}, payé d'un jeton. {features}.",
    Reason.NOT_A_SET: "Ce n'est pas un SET. {failed}. {penalty}",
    Reason.GAVE_UP: "{player} ne montre pas de SET, l'annonce était donc fausse. {penalty}",
    Reason.LOCKED_OUT: "{player} ne joue plus jusqu'à ce que quelqu'un d'autre trouve un SET.",
    Reason.AGREED: "{player} dit qu'il n'y a pas de SET ; accord encore attendu : {missing}.",
    Reason.ALL_AGREED: "Tous sont d'accord : il n'y a pas de SET. À poser maintenant : {due:kind}.",
    Reason.ALL_AGREED_END: "Tous sont d'accord : il n'y a pas de SET, et la pioche est vide.",
    Reason.SOLITAIRE_LOST: (
        "{player} ne voit pas de SET alors que la pioche n'est pas vide : la partie en solitaire est perdue."
    ),
    Reason.ALWAYS_A_SET: "Dix tuiles contiennent toujours un SET.",
    Reason.NO_SET_TOO_EARLY: "« Pas de SET » ne compte que lorsque la pioche est vide.",
    Reason.PILE_OUT: "La pioche est vide : désormais, il n'y a plus rien à compléter.",
    Reason.PILE_ALREADY_OUT: "La pioche était déjà vide.",
    Reason.SHUFFLED: "La manche {round} sur {rounds} commence.",
    Reason.MASTER_SHUFFLED: "La manche {round} sur {rounds} commence ; {player} est SET-Master et ne joue pas.",
    Reason.ONE_ROUND: "Cette partie n'a qu'une manche ; on ne mélange donc pas de nouveau.",
    Reason.ROUND_RUNS: "La manche n'est pas encore terminée.",
    Reason.SHUFFLE_FIRST: "Il faut d'abord que le SET-Master de cette manche mélange.",
    Reason.MASTER_AGAIN: "{player} a déjà été SET-Master ; chaque manche en a un autre.",
    Reason.MASTER_PLAYS: "{player} est SET-Master de cette manche et ne joue pas.",
    Reason.SEARCH_PASSED: "{player} ne trouve pas de SET et passe son tour.",
    Reason.NO_TURNS: "On ne joue pas chacun son tour ici ; personne ne peut donc passer.",
    # Turns.
    Reason.NOT_YOUR_TURN: "Ce n'est pas à {player} de jouer mais à {turn}.",
    # SETUP.
    Reason.CARD_LAID: "{player} pose {piece}. Sur la table : {count:card}.",
    Reason.LAST_CARD_LAID: (
        "{player} pose la dernière carte, {piece}. Sur la table : {count:card}. Un SET avec elle "
        "peut encore être montré."
    ),
    Reason.CARD_TWICE: "Cette carte a déjà été jouée : {piece}.",
    Reason.NOTHING_TO_CLAIM: "Aucune carte ne vient d'être posée ; il n'y a donc rien à réclamer.",
    Reason.OWN_CARD: "{player} a posé la dernière carte ({piece}) ; on ne réclame pas de SET avec sa propre carte.",
    Reason.BAD_CLAIM: "Il faut montrer trois cartes différentes posées sur la table, et non {pieces}.",
    Reason.CLAIM_WITHOUT_LAST: "Seul compte un SET avec la carte qui vient d'être posée : {piece}.",
    Reason.CLAIM_RIGHT: (
        "{player} montre un SET. {features}. {layer} prend tout ce qui est sur la table : {count:card}."
    ),
    Reason.CLAIM_WRONG: "Ce que montre {player} n'est pas un SET. {failed}. Une erreur ne coûte rien.",
    # Junior face 1.
    Reason.TILE_LAID: "{player} pose {piece} sur la case {at} ; aucune ligne n'est complétée.",
    Reason.LINES_COMPLETED: "{player} pose {piece} sur la case {at} et gagne {count:token} : {sets}.",
    Reason.NO_SUCH_SPACE: "Le plateau n'a pas de case {at} ; la tuile montre {piece}.",
    Reason.SPACE_COVERED: "La case {at} ({space}) est déjà couverte ; la tuile montre {piece}.",
    Reason.WRONG_SPACE: "La tuile montre {piece}, mais la case {at} montre {space} : elles doivent être identiques.",
    Reason.HINT_SPACES_YES: "Oui, il y a une case qui complète une ligne.",
    Reason.HINT_SPACES_NO: "Non, aucune case ne complète une ligne pour l'instant.",
    Reason.HINT_SPACES_COUNT: "{count:# case complète|# cases complètent} une ligne.",
    # Cubed.
    Reason.ROLLED: "{player} lance : {pieces}.",
    Reason.ROLL_NOT_DUE: "{player} n'a rien à lancer maintenant.",
    Reason.ROLL_WRONG_NUMBER: "{player} doit avoir {due:die} en main, et non {count}.",
    Reason.ROLL_CHANGES_KEPT: "Les dés déjà lancés gardent leur face. {player} n'a plus : {pieces}.",
    Reason.REFILLED: "{player} pioche, lance les nouveaux dés et a maintenant : {pieces}.",
    Reason.REROLLED: "{player} relance et a maintenant : {pieces}.",
    Reason.REROLL_SPENT: "{player} a déjà relancé dans cette manche.",
    Reason.REROLL_TOO_LATE: "La manche a commencé ; {player} ne peut plus relancer.",
    Reason.ROLLED_AGAIN: "{player} relance toute sa main : {pieces}.",
    Reason.WILD_ROLLED: "{player} lance le joker et a maintenant : {pieces}.",
    Reason.ANNOUNCED: "{player} annonce le premier SET, qui va sur le logo : {sets}.",
    Reason.ANNOUNCED_NOT_A_SET: "Ce qu'annonce {player} n'est pas un SET. {failed}. Cela ne coûte rien.",
    Reason.IDENTICAL_NO_SET: "Trois dés identiques ne sont pas un SET à cette table.",
    Reason.NOT_THREE: "Un SET compte trois dés ; {player} en annonce {count}.",
    Reason.FIRST_SET_MISSING: "Personne ne joue avant l'annonce du premier SET.",
    Reason.FIRST_SET_LIES: "{player} a déjà annoncé le premier SET.",
    Reason.ROLLS_MISSING: "Il faut d'abord que les dés soient lancés par : {players}.",
    Reason.TURN_JUST_ENDED: "{player} vient de terminer son tour.",
    Reason.TURN_OPEN: "{player} doit d'abord terminer son tour.",
    Reason.LAST_TURN: "C'est le dernier tour de la partie, et il est à {player}.",
    Reason.WILD_UNROLLED: "{player} doit d'abord lancer le joker échangé.",
    Reason.NOT_IN_HAND: "{player} n'a pas ce dé en main : {piece}.",
    Reason.WILD_UNNAMED: "{player} doit dire ce que chaque joker représente.",
    Reason.NAME_WITHOUT_WILD: "Seul un joker représente autre chose ; {player} ne peut donc pas annoncer : {named}.",
    Reason.OFF_BOARD: "Le plateau n'a pas de case {at}.",
    Reason.SQUARE_TAKEN: "La case {at} est occupée ; il s'y trouve déjà : {piece}.",
    Reason.UNCONNECTED: "Un dé sur {at} ne toucherait aucun autre dé par un côté.",
    Reason.LINE_FAILS: "Sur {at}, ceci ne fait pas de SET : {piece}. La ligne {places} ne convient pas. {failed}.",
    Reason.NO_LINE: "Sur {at}, ceci ne fait pas de SET : {piece}. Aucune ligne de trois n'y est complète.",
    Reason.DIE_LEFT_WAITING: "Sur {at}, ceci resterait sans SET à la fin du tour : {piece}. {fault}",
    Reason.DIE_WAITS: "{player} pose sur {at} : {piece}. Il faut en faire un SET avant la fin du tour.",
    Reason.DIE_WAITS_BONUS: (
        "{player} pose sur {at} : {piece}. Bonus : {bonus:point}. Il faut en faire un SET avant la fin du tour."
    ),
    Reason.DIE_MADE_SETS: "{player} pose sur {at} : {piece}. Gain de {total:point} : {sets}.",
    Reason.DIE_MADE_SETS_BONUS: (
        "{player} pose sur {at} : {piece}. Gain de {total:point}, dont {bonus} de bonus : {sets}."
    ),
    Reason.TURN_PASSED: "{player} passe.",
    Reason.TURN_ENDED: "{player} termine son tour.",
    Reason.NOTHING_LAID: "{player} n'a posé aucun dé et ne peut que passer.",
    Reason.ALREADY_LAID: "{player} a déjà posé un dé et ne peut que terminer son tour.",
    Reason.SWAPPED: "{player} échange le joker sur {at} et doit le lancer ; s'y trouve maintenant : {piece}.",
    Reason.SWAP_AFTER_DIE: "On n'échange un joker qu'au début de son tour, et {player} a déjà posé un dé.",
    Reason.SWAP_NO_WILD: "Il n'y a pas de joker à échanger sur {at}.",
    Reason.SWAP_WRONG_FACE: "Le joker sur {at} représente {named}, et non {piece}.",
    Reason.SWAP_SPENT: "{player} a échangé {count:wild} pendant ce tour, c'est le maximum.",
    Reason.NO_SWAPS: "À cette table, aucun joker ne peut être échangé.",
    Reason.TOO_MANY_DICE: "{player} peut encore poser {due:die} pendant ce tour, et non {count}.",
}

_COSTS = {
    Cost.POINT_LOST: "{player} perd un point.",
    Cost.POINT_SPARED: "Le score de {player} reste le même.",
    Cost.SET_BACK: "{player} rend un SET.",
    Cost.TOKEN_BACK: "{player} rend un jeton.",
    Cost.NOTHING_BACK: "{player} n'a rien à rendre.",
    Cost.OUT: "{player} ne joue plus jusqu'à ce que quelqu'un d'autre trouve un SET.",
    Cost.ALL_IN: "Plus personne ne joue : tout le monde rentre donc en jeu.",
}

_ODDITIES = {
    Oddity.NOTHING_CHANGED: "Rien n'a changé.",
    Oddity.DISAGREES: "L'image d'avant et la partie ne concordent pas : {pieces}.",
    Oddity.FOREIGN: "Ceci ne fait pas partie de ce jeu : {pieces}.",
    Oddity.DUPLICATE: "Chaque pièce n'existe qu'une fois, mais celles-ci sont là en plusieurs exemplaires : {pieces}.",
    Oddity.RETURNED: "Déjà parti de la table, et de nouveau là : {pieces}.",
    Oddity.VANISHED: "Aucun coup n'enlève exactement cela, mais ceci a disparu : {pieces}.",
    Oddity.TOO_MANY_VANISHED: "Un SET compte trois pièces, mais {count} ont disparu : {pieces}.",
    Oddity.CHANGED: "Au même endroit, il y avait {old} ; il y a maintenant {new}.",
    Oddity.TOO_MANY_NEW: "Trop de nouvelles pièces : {count} au lieu de {due} au plus. Ce sont : {pieces}.",
    Oddity.TOO_FEW_NEW: "Pas assez de nouvelles pièces : {count} au lieu de {due}. Sur la table : {pieces}.",
    Oddity.NONE_DUE: "Il n'y a rien à poser maintenant, mais ceci est nouveau : {pieces}.",
    Oddity.GAME_OVER: "La partie est terminée, mais la table a changé : {pieces}.",
    Oddity.ROUND_OVER: "La manche est terminée et la suivante n'a pas commencé, mais la table a changé : {pieces}.",
    Oddity.UNCLAIMABLE: "Tout a été pris, mais la dernière carte, {last}, ne permettait aucun SET.",
    Oddity.WRONG_SPACE: "La tuile montre {piece}, mais la case {at} montre {space} : elles doivent être identiques.",
    Oddity.OFF_BOARD: "Le plateau n'a pas de case {at}, mais il s'y trouve : {piece}.",
    Oddity.MOVED: "Déplacé de {start} à {at} : {piece}. Ce qui est posé reste en place.",
    Oddity.LOGO: "Le premier SET va sur les trois cases du logo et nulle part ailleurs. Nouveau : {pieces}.",
    Oddity.NOT_IN_HAND: "Personne qui pourrait poser ceci ne l'a en main : {pieces}.",
    Oddity.ROLL_UNKNOWN: "On ne sait pas ce que montre un joker échangé puis lancé. Inexpliqué : {pieces}.",
    Oddity.NOT_ALLOWED: "{pieces} : {sentence}",
}

_CHOSEN = {
    Chosen.ORDER: "Posé dans l'ordre permis qui rapporte le plus.",
    Chosen.NAMES: (
        "On ne voit pas ce que représente un joker. Le plus de points : {names} ; autres possibilités : {others}."
    ),
}

_CLOSING = {
    "over": "terminé : {scores}",
    "not_over": "pas encore terminé : {scores}",
    "wins": "gagne : {names}",
    "leads": "en tête : {names}",
    "loses": "perd : {names}",
    "holds": "La somme de ce qui reste est 0 pour chaque caractéristique : aucun faux SET n'a été pris (SET-5).",
    "broken": "La somme de ce qui reste n'est pas 0 : un faux SET a été accepté, ou une pièce mal lue (SET-5).",
    "kinds": "SET selon le nombre de caractéristiques qui diffèrent : {kinds}",
    "kind": "{count} avec {number}",
    "false_calls": "annonces fausses : {names}",
    "between_events": "temps médian entre les événements : {seconds} s",
    "call_to_pick": "temps médian de l'annonce à la prise : {seconds} s",
}

_TERMS = {
    "Dealt": "la distribution",
    "Called": "l'annonce",
    "Picked": "les pièces montrées",
    "GaveUp": "l'annonce abandonnée",
    "NoSet": "« pas de SET »",
    "PileOut": "la fin de la pioche",
    "Shuffled": "le mélange",
    "Laid": "la pose",
    "Claimed": "la réclamation",
    "Passed": "le tour passé",
    "Rolled": "le lancer",
    "Announced": "le premier SET",
    "Swapped": "l'échange",
    "TurnEnded": "la fin du tour",
    "Ended": "la fin de la partie",
    "Corrected": "la correction",
    "never": "rien",
    "yes-no": "oui ou non",
    "count": "le nombre",
    "one": "une pièce",
    "two": "deux pièces",
    "three": "trois pièces",
}


def _spaced(text: str) -> str:
    """Return ``text`` with a space that does not break where French has one inside quotes and before high marks."""
    for sign in ":;!»":
        text = text.replace(f" {sign}", f"\N{NO-BREAK SPACE}{sign}")
    return text.replace("« ", "«\N{NO-BREAK SPACE}")


PHRASES: Mapping[Reason, str] = MappingProxyType({reason: _spaced(text) for reason, text in _PHRASES.items()})
"""A sentence for every reason."""

COSTS: Mapping[Cost, str] = MappingProxyType({key: _spaced(text) for key, text in _COSTS.items()})
"""What a false call costs."""

ODDITIES: Mapping[Oddity, str] = MappingProxyType({key: _spaced(text) for key, text in _ODDITIES.items()})
"""What is odd about a change."""

CHOSEN: Mapping[Chosen, str] = MappingProxyType({key: _spaced(text) for key, text in _CHOSEN.items()})
"""What was chosen among explanations that fit equally well."""

CLOSING: Mapping[str, str] = MappingProxyType({key: _spaced(text) for key, text in _CLOSING.items()})
"""What is said at the end of a replay."""

TERMS: Mapping[str, str] = MappingProxyType({key: _spaced(text) for key, text in _TERMS.items()})
"""Events, by the name of their class, and hint levels."""
