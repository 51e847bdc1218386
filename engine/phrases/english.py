"""The sentences of the referee in English."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from engine.reasons import Chosen, Cost, Oddity, Reason

__all__ = ["CHOSEN", "CLOSING", "COSTS", "ODDITIES", "PHRASES", "TERMS"]

PHRASES: Mapping[Reason, str] = MappingProxyType(
    {
        # Every game.
        Reason.FOREIGN_EVENT: "This does not belong to {game}.",
        Reason.GAME_OVER: "The game is over.",
        Reason.ROUND_OVER: "The round is over; the next one begins with a shuffle.",
        Reason.ENDED: "The game stops here, and the score stands as it is.",
        Reason.TIED: "The calls of {players} came too close together to part; the table decides.",
        Reason.UNDONE: "Taken back: {what}.",
        Reason.NOTHING_TO_UNDO: "There is nothing to take back.",
        Reason.CORRECTED: (
            "Corrected: {new}, not {old} (from event {event} on); {changed:# verdict changes|# verdicts change}."
        ),
        Reason.CORRECTED_NOTHING: "There is nothing to correct: from event {event} on nobody has read {old}.",
        Reason.NO_SUCH_EVENT: "There is no event {event} to correct.",
        Reason.HINT_NOT_ALLOWED: "This table does not allow that hint. Asked for: {level}. Allowed: {allowed}.",
        Reason.HINT_YES: "Yes, there is a SET.",
        Reason.HINT_NO: "No, there is no SET.",
        Reason.HINT_COUNT: "There {count:is # SET|are # SETs}.",
        Reason.HINT_PIECES: "There is a SET with {pieces}.",
        Reason.HINT_PLACES: "Look at this: {spots}.",
        Reason.HINT_TURN_YES: "Yes, a die can be laid that makes a SET.",
        Reason.HINT_TURN_NO: "No die can be laid now that makes a SET.",
        Reason.HINT_TURN_COUNT: "The best turn makes {count:# SET|# SETs}.",
        Reason.HINT_NOT_NOW: "Dice are still to be rolled by {players}.",
        # Games of calls.
        Reason.DEALT: "The deal of {count:kind} is right.",
        Reason.DEALT_SHORT: "The pile is out, so the deal of {count:kind} is right, although {due} were due.",
        Reason.WRONG_NUMBER: "Wrong number: {due:kind} due, not {count}.",
        Reason.NONE_DUE: "Nothing is due now, so this deal does not stand: {count:kind}.",
        Reason.PIECE_TWICE: "No {kind} comes twice in a round: {piece}.",
        Reason.NOT_IN_DECK: "This {kind} is not in the deck that is played with: {piece}.",
        Reason.BEFORE_DEAL: "The first {kinds} have to be laid before that.",
        Reason.CALLED: "{player} calls “SET!” and now picks up three {kinds}.",
        Reason.CALL_OPEN: "Not now: the call of {player} is still open.",
        Reason.NO_CALL: "{player} has no open call: first call “SET!”, then pick.",
        Reason.BAD_PICK: "The call stays open: a pick is three different {kinds} that lie on the table, not {pieces}.",
        Reason.SET_TAKEN: "A SET for {player}. {features}.",
        Reason.TOKEN_WON: "A SET for {player}, paid with one token. {features}.",
        Reason.NOT_A_SET: "Not a SET. {failed}. {penalty}",
        Reason.GAVE_UP: "{player} shows no SET, so the call was false. {penalty}",
        Reason.LOCKED_OUT: "{player} is out until another player finds a SET.",
        Reason.AGREED: "{player} says that there is no SET; still to agree: {missing}.",
        Reason.ALL_AGREED: "All agree that there is no SET. To be laid now: {due:kind}.",
        Reason.ALL_AGREED_END: "All agree that there is no SET, and the pile is out.",
        Reason.SOLITAIRE_LOST: "{player} sees no SET while {kinds} are left in the pile: the solitaire is lost.",
        Reason.ALWAYS_A_SET: "Ten tiles always hold a SET.",
        Reason.NO_SET_TOO_EARLY: "“No SET” counts only when the pile is out.",
        Reason.PILE_OUT: "The pile is out: from here on no refill is due.",
        Reason.PILE_ALREADY_OUT: "The pile was out already.",
        Reason.SHUFFLED: "Round {round} of {rounds} begins.",
        Reason.MASTER_SHUFFLED: "Round {round} of {rounds} begins; {player} is SET-Master and does not play.",
        Reason.ONE_ROUND: "This game has only one round, so nothing is shuffled again.",
        Reason.ROUND_RUNS: "The round is not over yet.",
        Reason.SHUFFLE_FIRST: "First the SET-Master of this round has to shuffle.",
        Reason.MASTER_AGAIN: "{player} has been SET-Master before; each round has another one.",
        Reason.MASTER_PLAYS: "{player} is SET-Master of this round and does not play.",
        Reason.SEARCH_PASSED: "{player} finds no SET and passes the turn on.",
        Reason.NO_TURNS: "There are no turns here, so nobody can pass.",
        # Turns.
        Reason.NOT_YOUR_TURN: "It is the turn of {turn}, not of {player}.",
        # SETUP.
        Reason.CARD_LAID: "{player} lays {piece}; {count:# card lies|# cards lie} on the table.",
        Reason.LAST_CARD_LAID: (
            "{player} lays the last card, {piece}; {count:# card lies|# cards lie} on the table. A SET with it "
            "can still be claimed."
        ),
        Reason.CARD_TWICE: "This card has been played already: {piece}.",
        Reason.NOTHING_TO_CLAIM: "No card has just been laid, so there is nothing to claim.",
        Reason.OWN_CARD: "{player} laid the last card, {piece}, and may not claim a SET with it.",
        Reason.BAD_CLAIM: "A claim is three different cards that lie on the table, not {pieces}.",
        Reason.CLAIM_WITHOUT_LAST: "Only a SET with the card just laid counts: {piece}.",
        Reason.CLAIM_RIGHT: "{player} shows a SET. {features}. {layer} takes all {count:card} on the table.",
        Reason.CLAIM_WRONG: "What {player} shows is not a SET. {failed}. A wrong claim costs nothing.",
        # Junior face 1.
        Reason.TILE_LAID: "{player} lays {piece} on space {at}; no line is complete with it.",
        Reason.LINES_COMPLETED: "{player} lays {piece} on space {at} and wins {count:token}: {sets}.",
        Reason.NO_SUCH_SPACE: "The board has no space {at}; the tile shows {piece}.",
        Reason.SPACE_COVERED: "Space {at} ({space}) is covered already; the tile shows {piece}.",
        Reason.WRONG_SPACE: "The tile shows {piece}, but space {at} shows {space}: they must be identical.",
        Reason.HINT_SPACES_YES: "Yes, there is a space that completes a line.",
        Reason.HINT_SPACES_NO: "No, no space completes a line now.",
        Reason.HINT_SPACES_COUNT: "There {count:is # space that completes|are # spaces that complete} a line.",
        # Cubed.
        Reason.ROLLED: "{player} rolls {pieces}.",
        Reason.ROLL_NOT_DUE: "{player} has nothing to roll now.",
        Reason.ROLL_WRONG_NUMBER: "The hand of {player} has {due:die} now, not {count}.",
        Reason.ROLL_CHANGES_KEPT: (
            "Dice that were rolled before keep their faces; missing from the hand of {player}: {pieces}."
        ),
        Reason.REFILLED: "{player} draws, rolls the new dice and now holds {pieces}.",
        Reason.REROLLED: "{player} uses the reroll and now holds {pieces}.",
        Reason.REROLL_SPENT: "{player} has used the reroll of this round.",
        Reason.REROLL_TOO_LATE: "The round has begun, so {player} may not roll again.",
        Reason.ROLLED_AGAIN: "{player} rolls the whole hand again: {pieces}.",
        Reason.WILD_ROLLED: "{player} rolls the Wild and now holds {pieces}.",
        Reason.ANNOUNCED: "{player} announces the first SET, which goes on the logo: {sets}.",
        Reason.ANNOUNCED_NOT_A_SET: "What {player} announces is not a SET. {failed}. This costs nothing.",
        Reason.IDENTICAL_NO_SET: "Three identical dice are not a SET at this table.",
        Reason.NOT_THREE: "A SET is three dice; {player} announces {count:die}.",
        Reason.FIRST_SET_MISSING: "Nobody has a turn before the first SET is announced.",
        Reason.FIRST_SET_LIES: "The first SET has been announced already, by {player}.",
        Reason.ROLLS_MISSING: "Dice are still to be rolled by {players}.",
        Reason.TURN_JUST_ENDED: "The turn of {player} has just ended by itself.",
        Reason.TURN_OPEN: "First {player} has to end the turn.",
        Reason.LAST_TURN: "This is the last turn of the game, and {player} has it.",
        Reason.WILD_UNROLLED: "{player} has to roll the swapped Wild first.",
        Reason.NOT_IN_HAND: "{player} does not hold this die: {piece}.",
        Reason.WILD_UNNAMED: "{player} has to say what each Wild stands for.",
        Reason.NAME_WITHOUT_WILD: "Only a Wild stands for something else, so {player} cannot name this: {named}.",
        Reason.OFF_BOARD: "The board has no square {at}.",
        Reason.SQUARE_TAKEN: "Square {at} is taken; it holds {piece}.",
        Reason.UNCONNECTED: "A die on {at} would touch no other die by a side.",
        Reason.LINE_FAILS: "On {at} this makes no SET: {piece}. The line {places} fails. {failed}.",
        Reason.NO_LINE: "On {at} this makes no SET: {piece}. It is in no full line of three.",
        Reason.DIE_LEFT_WAITING: "On {at} this would be left without a SET at the end of the turn: {piece}. {fault}",
        Reason.DIE_WAITS: "{player} lays {piece} on {at}; by the end of the turn this die must be in a SET.",
        Reason.DIE_WAITS_BONUS: (
            "{player} lays {piece} on {at} for a bonus of {bonus:point}; by the end of the turn this die must be in a "
            "SET."
        ),
        Reason.DIE_MADE_SETS: "{player} lays {piece} on {at} and scores {total:point}: {sets}.",
        Reason.DIE_MADE_SETS_BONUS: (
            "{player} lays {piece} on {at} and scores {total:point}, with a bonus of {bonus}: {sets}."
        ),
        Reason.TURN_PASSED: "{player} passes.",
        Reason.TURN_ENDED: "{player} ends the turn.",
        Reason.NOTHING_LAID: "{player} has laid no die, so this turn can only be passed.",
        Reason.ALREADY_LAID: "{player} has laid a die, so this turn can only be ended.",
        Reason.SWAPPED: "{player} swaps the Wild on {at} for {piece} and rolls it next.",
        Reason.SWAP_AFTER_DIE: "A Wild is swapped at the start of a turn only, and {player} has laid a die.",
        Reason.SWAP_NO_WILD: "There is no Wild on {at} to swap.",
        Reason.SWAP_WRONG_FACE: "The Wild on {at} stands for {named}, not for {piece}.",
        Reason.SWAP_SPENT: "{player} has swapped {count:# Wild|# Wilds} in this turn, and no more may be swapped.",
        Reason.NO_SWAPS: "No Wild may be swapped at this table.",
        Reason.TOO_MANY_DICE: "{player} can lay {due:# more die|# more dice} in this turn, not {count}.",
    }
)
"""A sentence for every reason."""

COSTS: Mapping[Cost, str] = MappingProxyType(
    {
        Cost.POINT_LOST: "{player} loses one point.",
        Cost.POINT_SPARED: "The score of {player} stays as it is.",
        Cost.SET_BACK: "{player} gives back one SET.",
        Cost.TOKEN_BACK: "{player} gives back one token.",
        Cost.NOTHING_BACK: "{player} has nothing to give back.",
        Cost.OUT: "{player} is out until another player finds a SET.",
        Cost.ALL_IN: "All players are out, so all are in again.",
    }
)
"""What a false call costs."""

ODDITIES: Mapping[Oddity, str] = MappingProxyType(
    {
        Oddity.NOTHING_CHANGED: "Nothing has changed.",
        Oddity.DISAGREES: "The picture before and the game do not agree about {pieces}.",
        Oddity.FOREIGN: "Not a piece of this game: {pieces}.",
        Oddity.DUPLICATE: "There is only one of each, but more lie there: {pieces}.",
        Oddity.RETURNED: "Gone from the table before, and there again: {pieces}.",
        Oddity.VANISHED: "No play takes just this away, but it has vanished: {pieces}.",
        Oddity.TOO_MANY_VANISHED: "A pick takes three, but {count} have vanished: {pieces}.",
        Oddity.CHANGED: "Where {old} lay, {new} lies now.",
        Oddity.TOO_MANY_NEW: "Too many are new: {count}, and only {due} can be. They are {pieces}.",
        Oddity.TOO_FEW_NEW: "Too few are new: {count}, and {due} are due. They are {pieces}.",
        Oddity.NONE_DUE: "Nothing is due, but this is new: {pieces}.",
        Oddity.GAME_OVER: "The game is over, but the table has changed: {pieces}.",
        Oddity.ROUND_OVER: "The round is over and the next one has not begun, but the table has changed: {pieces}.",
        Oddity.UNCLAIMABLE: "The whole table is gone, but the last card, {last}, makes no SET there.",
        Oddity.WRONG_SPACE: "{piece} lies on {at}, the space of {space}.",
        Oddity.OFF_BOARD: "{piece} lies on {at}, which is no place of the board.",
        Oddity.MOVED: "{piece} has been moved from {start} to {at}; what is laid stays where it is.",
        Oddity.LOGO: "The first SET lies on the three squares of the logo and nowhere else: {pieces}.",
        Oddity.NOT_IN_HAND: "Nobody who could lay this has rolled it: {pieces}.",
        Oddity.ROLL_UNKNOWN: "What a Wild shows that was swapped and rolled is not known. Not explained: {pieces}.",
        Oddity.NOT_ALLOWED: "{pieces}: {sentence}",
    }
)
"""What is odd about a change."""

CHOSEN: Mapping[Chosen, str] = MappingProxyType(
    {
        Chosen.ORDER: "Laid in the legal order that scores most.",
        Chosen.NAMES: "What a Wild stands for cannot be seen. Best for points: {names}; others that fit: {others}.",
    }
)
"""What was chosen among explanations that fit equally well."""

CLOSING: Mapping[str, str] = MappingProxyType(
    {
        "over": "over: {scores}",
        "not_over": "not over: {scores}",
        "wins": "wins: {names}",
        "leads": "leads: {names}",
        "loses": "loses: {names}",
        "holds": "What is left sums to 0 in every feature: no false SET was taken (SET-5).",
        "broken": "What is left does not sum to 0: a false SET was accepted, or a piece was misread (SET-5).",
        "kinds": "SETs by features that differ: {kinds}",
        "kind": "{count} with {number} different",
        "false_calls": "false calls: {names}",
        "between_events": "median time between events: {seconds} s",
        "call_to_pick": "median time from a call to its pick: {seconds} s",
    }
)
"""What is said at the end of a replay."""

TERMS: Mapping[str, str] = MappingProxyType(
    {
        "Dealt": "the deal",
        "Called": "the call",
        "Picked": "the pick",
        "GaveUp": "the call that was given up",
        "NoSet": "“no SET”",
        "PileOut": "the end of the pile",
        "Shuffled": "the shuffle",
        "Laid": "what was laid",
        "Claimed": "the claim",
        "Passed": "the pass",
        "Rolled": "the roll",
        "Announced": "the first SET",
        "Swapped": "the swap",
        "TurnEnded": "the end of the turn",
        "Ended": "the end of the game",
        "Corrected": "the correction",
        "never": "nothing",
        "yes-no": "yes or no",
        "count": "the count",
        "one": "one piece",
        "two": "two pieces",
        "three": "three pieces",
    }
)
"""Events, by the name of their class, and hint levels."""
