"""The keys of the live window: one table, from which handling, help and README all come."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["CALL_KEYS", "KEYS", "Action", "Key", "Press", "key_name", "keys_help", "press_of"]

CALL_KEYS = "123456789abc"
"""The keys that call, by the order of the seats."""


class Action(StrEnum):
    """What a key can do."""

    CALL = "call"
    DISPUTE = "dispute"
    EARLIER = "earlier"
    LATER = "later"
    BACK = "back"
    MEND = "mend"
    UP = "up"
    DOWN = "down"
    ACCEPT = "accept"
    OTHER = "other"
    IGNORE = "ignore"
    GIVE_UP = "give up"
    NO_SET = "no set"
    PILE_OUT = "pile out"
    TURN_OVER = "turn over"
    UNDO = "undo"
    HINT_UP = "hint up"
    HINT_DOWN = "hint down"
    OVERLAY = "overlay"
    SCORES = "scores"
    PAUSE = "pause"
    STILL = "still"
    HELP = "help"
    QUIT = "quit"


@dataclass(frozen=True, slots=True)
class Key:
    """Keys by ``names``, as :func:`key_name` gives them, what they do, and how that is told.

    ``shown`` is how people find them on the keyboard; ``game`` tells that they only mean something in a game.
    """

    action: Action
    names: tuple[str, ...]
    shown: str
    text: str
    game: bool = False


KEYS: tuple[Key, ...] = (
    Key(
        Action.CALL,
        tuple(CALL_KEYS),
        "1 - 9, a - c",
        "the player with this number calls, or was first; in Cubed: announces, or begins the turn",
        True,
    ),
    Key(Action.DISPUTE, ("d",), "d", "dispute: what lay there at the last call, and who is right", True),
    Key(Action.EARLIER, ("left", ","), "← ,", "earlier in the replay"),
    Key(Action.LATER, ("right", "."), "→ .", "later in the replay"),
    Key(Action.BACK, ("escape",), "Esc", "back to the table"),
    Key(Action.MEND, ("m",), "m", "a piece is misread: choose it"),
    Key(Action.UP, ("up",), "↑", "choose the feature that is misread, then ← → its value, then y"),
    Key(Action.DOWN, ("down",), "↓", "the next feature"),
    Key(Action.ACCEPT, ("y", "return"), "y", "yes: the explanation shown, or the correction"),
    Key(Action.OTHER, ("w",), "w", "what is odd: show another explanation", True),
    Key(Action.IGNORE, ("x",), "x", "what is odd: ignore it; a tie: it was nobody", True),
    Key(Action.GIVE_UP, ("g",), "g", "the caller shows nothing", True),
    Key(Action.NO_SET, ("n",), "n", "everybody says that there is no SET", True),
    Key(Action.PILE_OUT, ("e",), "e", "the pile is empty", True),
    Key(Action.TURN_OVER, ("t",), "t", "Cubed: the turn is over", True),
    Key(Action.UNDO, ("u",), "u", "take back what counted last", True),
    Key(Action.HINT_UP, ("h",), "h", "tell more about the SETs"),
    Key(Action.HINT_DOWN, ("l", "H"), "l", "tell less of them"),
    Key(Action.OVERLAY, ("o",), "o", "names and SETs, SETs only, neither"),
    Key(Action.SCORES, ("s",), "s", "scores off and on", True),
    Key(Action.PAUSE, ("p", " "), "p", "pause and go on"),
    Key(Action.STILL, ("r",), "r", "keep this picture as a file"),
    Key(Action.HELP, ("?", "F1"), "?", "this help"),
    Key(Action.QUIT, ("q",), "q", "quit"),
)
"""Every key, in the order of the help."""


@dataclass(frozen=True, slots=True)
class Press:
    """A key that was pressed: what it does, and for a call the ``seat``, from 0."""

    action: Action
    seat: int | None = None


_ARROWS = {
    "left": (0xFF51, 0xFF96, 0x250000, 63234),
    "right": (0xFF53, 0xFF98, 0x270000, 63235),
    "up": (0xFF52, 0xFF97, 0x260000, 63232),
    "down": (0xFF54, 0xFF99, 0x280000, 63233),
    "escape": (27, 0xFF1B),
    "return": (13, 10, 0xFF0D, 0xFF8D),
    "F1": (0xFFBE, 0x700000),
}
"""Names of keys without a letter, with their numbers on X11, its number pad, Windows and macOS."""

_UPPER_ROW = {
    "1": "+&", "2": "ěé", "3": 'š"', "4": "č'", "5": "ř(", "6": "ž§", "7": "ýè", "8": "á!", "9": "íç",
}  # fmt: skip
"""What the keys of the digits give without Shift on Czech and French keyboards."""

_KEYSYMS = {0x1EC: "ě", 0x1B9: "š", 0x1E8: "č", 0x1F8: "ř", 0x1BE: "ž"}
"""Letters whose number on X11 is not that of Unicode."""

_SPECIAL = {code: name for name, codes in _ARROWS.items() for code in codes}
_DIGITS = {letter: digit for digit, letters in _UPPER_ROW.items() for letter in letters}
_NUMBER_PAD = range(0xFFB0, 0xFFBA)
_ACTIONS = {name: key for key in KEYS for name in key.names}


def key_name(code: int) -> str:
    """Return the name of a key by its number as ``cv2.waitKeyEx`` gives it: a letter, "left", "escape"; "" for none.

    Digits are known on the number pad, and on Czech and French keyboards without Shift.
    """
    if code < 0:
        return ""
    for number in (code, code & 0xFFFF):  # beyond 16 bits some systems tell which other keys are held
        if number in _SPECIAL:
            return _SPECIAL[number]
    number = code & 0xFFFF
    if number in _NUMBER_PAD:
        return str(number - _NUMBER_PAD.start)
    letter = _KEYSYMS.get(number) or (chr(number) if 32 <= number < 127 or 160 <= number < 256 else "")
    return letter if letter in _ACTIONS else _DIGITS.get(letter, letter)


def press_of(code: int) -> Press | None:
    """Return what the key with this number does; None for one that does nothing."""
    name = key_name(code)
    key = _ACTIONS.get(name) or _ACTIONS.get(name.lower())
    if key is None:
        return None
    return Press(key.action, CALL_KEYS.index(name.lower()) if key.action is Action.CALL else None)


def keys_help(game: bool) -> tuple[tuple[str, str], ...]:
    """Return (keys, what they do) for the help; without a ``game`` only the keys that do something then."""
    return tuple((key.shown, key.text) for key in KEYS if game or not key.game)
