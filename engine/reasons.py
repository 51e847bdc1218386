"""Why a verdict is as it is, and what is odd about a change: names, each with a sentence in every language.

The sentences are in engine/phrases.
"""

from __future__ import annotations

from enum import StrEnum, auto

__all__ = ["Chosen", "Cost", "Oddity", "Reason"]


class Reason(StrEnum):
    """A named reason; the facts that its sentence mentions are in the phrases."""

    # Every game.
    FOREIGN_EVENT = auto()
    GAME_OVER = auto()
    ROUND_OVER = auto()
    ENDED = auto()
    TIED = auto()
    UNDONE = auto()
    NOTHING_TO_UNDO = auto()
    CORRECTED = auto()
    CORRECTED_NOTHING = auto()
    NO_SUCH_EVENT = auto()
    HINT_NOT_ALLOWED = auto()
    HINT_YES = auto()
    HINT_NO = auto()
    HINT_COUNT = auto()
    HINT_PIECES = auto()
    HINT_PLACES = auto()
    HINT_TURN_YES = auto()
    HINT_TURN_NO = auto()
    HINT_TURN_COUNT = auto()
    HINT_NOT_NOW = auto()

    # Games of calls: classic, Ravensburger, Junior face 2.
    DEALT = auto()
    DEALT_SHORT = auto()
    WRONG_NUMBER = auto()
    NONE_DUE = auto()
    PIECE_TWICE = auto()
    NOT_IN_DECK = auto()
    BEFORE_DEAL = auto()
    CALLED = auto()
    CALL_OPEN = auto()
    NO_CALL = auto()
    BAD_PICK = auto()
    SET_TAKEN = auto()
    TOKEN_WON = auto()
    NOT_A_SET = auto()
    GAVE_UP = auto()
    LOCKED_OUT = auto()
    AGREED = auto()
    ALL_AGREED = auto()
    ALL_AGREED_END = auto()
    SOLITAIRE_LOST = auto()
    ALWAYS_A_SET = auto()
    NO_SET_TOO_EARLY = auto()
    PILE_OUT = auto()
    PILE_ALREADY_OUT = auto()
    SHUFFLED = auto()
    MASTER_SHUFFLED = auto()
    ONE_ROUND = auto()
    ROUND_RUNS = auto()
    SHUFFLE_FIRST = auto()
    MASTER_AGAIN = auto()
    MASTER_PLAYS = auto()
    SEARCH_PASSED = auto()
    NO_TURNS = auto()

    # Turns, in every game that has them.
    NOT_YOUR_TURN = auto()

    # SETUP.
    CARD_LAID = auto()
    LAST_CARD_LAID = auto()
    CARD_TWICE = auto()
    NOTHING_TO_CLAIM = auto()
    OWN_CARD = auto()
    BAD_CLAIM = auto()
    CLAIM_WITHOUT_LAST = auto()
    CLAIM_RIGHT = auto()
    CLAIM_WRONG = auto()

    # Junior face 1.
    TILE_LAID = auto()
    LINES_COMPLETED = auto()
    NO_SUCH_SPACE = auto()
    SPACE_COVERED = auto()
    WRONG_SPACE = auto()
    HINT_SPACES_YES = auto()
    HINT_SPACES_NO = auto()
    HINT_SPACES_COUNT = auto()

    # Cubed.
    ROLLED = auto()
    ROLL_NOT_DUE = auto()
    ROLL_WRONG_NUMBER = auto()
    ROLL_CHANGES_KEPT = auto()
    REFILLED = auto()
    REROLLED = auto()
    REROLL_SPENT = auto()
    REROLL_TOO_LATE = auto()
    ROLLED_AGAIN = auto()
    WILD_ROLLED = auto()
    ANNOUNCED = auto()
    ANNOUNCED_NOT_A_SET = auto()
    NOT_THREE = auto()
    FIRST_SET_MISSING = auto()
    FIRST_SET_LIES = auto()
    ROLLS_MISSING = auto()
    TURN_JUST_ENDED = auto()
    TURN_OPEN = auto()
    LAST_TURN = auto()
    WILD_UNROLLED = auto()
    TOO_MANY_DICE = auto()
    NOT_IN_HAND = auto()
    WILD_UNNAMED = auto()
    NAME_WITHOUT_WILD = auto()
    OFF_BOARD = auto()
    SQUARE_TAKEN = auto()
    UNCONNECTED = auto()
    LINE_FAILS = auto()
    NO_LINE = auto()
    IDENTICAL_NO_SET = auto()
    DIE_LEFT_WAITING = auto()
    DIE_WAITS = auto()
    DIE_MADE_SETS = auto()
    DIE_MADE_SETS_BONUS = auto()
    DIE_WAITS_BONUS = auto()
    TURN_PASSED = auto()
    TURN_ENDED = auto()
    NOTHING_LAID = auto()
    ALREADY_LAID = auto()
    SWAPPED = auto()
    SWAP_AFTER_DIE = auto()
    SWAP_NO_WILD = auto()
    SWAP_WRONG_FACE = auto()
    SWAP_SPENT = auto()
    NO_SWAPS = auto()


class Cost(StrEnum):
    """What a false call costs its player."""

    POINT_LOST = auto()
    POINT_SPARED = auto()
    """The score is as low as it can be at this table."""
    SET_BACK = auto()
    TOKEN_BACK = auto()
    NOTHING_BACK = auto()
    """There is no SET or token to give back."""
    OUT = auto()
    ALL_IN = auto()
    """Everyone is out at once, so all are in again (RAV-5)."""


class Oddity(StrEnum):
    """What can be odd about a change."""

    NOTHING_CHANGED = auto()
    DISAGREES = auto()
    """The picture before is not what the game knows."""
    FOREIGN = auto()
    DUPLICATE = auto()
    RETURNED = auto()
    """A piece that was won or taken lies there again."""
    VANISHED = auto()
    TOO_MANY_VANISHED = auto()
    CHANGED = auto()
    TOO_MANY_NEW = auto()
    TOO_FEW_NEW = auto()
    NONE_DUE = auto()
    GAME_OVER = auto()
    ROUND_OVER = auto()
    UNCLAIMABLE = auto()
    """The whole table was taken, though its last card makes no SET."""
    WRONG_SPACE = auto()
    OFF_BOARD = auto()
    MOVED = auto()
    """A piece that may not be moved any more has been moved."""
    LOGO = auto()
    NOT_IN_HAND = auto()
    ROLL_UNKNOWN = auto()
    NOT_ALLOWED = auto()
    """The referee refuses every way of playing it; the sentence says why."""


class Chosen(StrEnum):
    """What was chosen among explanations of a change that fit equally well."""

    ORDER = auto()
    """In which order dice were laid."""
    NAMES = auto()
    """What Wilds stand for."""
