"""What those who watch a table are told, written once for all of them; and why a socket is closed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from functools import cached_property

__all__ = ["STOPPING", "Close", "Closing", "Message", "MessageKind"]


class MessageKind(StrEnum):
    """What sort of message it is: the ``type`` of the message of a WebSocket."""

    ENTRY = "entry"
    """An entry of the journal."""
    STATE = "state"
    """How the table stands."""
    SEEN = "seen"
    """What a camera sees."""
    RATE = "rate"
    """How many pictures a camera may send."""
    SKIPPED = "skipped"
    """How many pictures of a camera were not looked at."""
    ERROR = "error"
    """What was wrong with a picture."""


_WRAPPED = (MessageKind.ENTRY, MessageKind.STATE, MessageKind.ERROR)
"""Messages that hold their data as one field of the same name; the others hold the fields of it."""


@dataclass(frozen=True)
class Message:
    """One message: ``data`` is a JSON object; ``number`` is that of the entry."""

    kind: MessageKind
    data: str
    number: int | None = None

    @cached_property
    def text(self) -> str:
        """The message as a WebSocket carries it."""
        if self.kind in _WRAPPED:
            return f'{{"type": "{self.kind}", "{self.kind}": {self.data}}}'
        return f'{{"type": "{self.kind}", {self.data[1:]}'


class Close(IntEnum):
    """Codes with which WebSockets are closed."""

    RESTART = 1012
    """The service stops, or the journal cannot be read: come back with ``after``."""
    BUSY = 1013
    """No room now."""
    BAD_MESSAGE = 4400
    NO_KEY = 4401
    """No key, or a wrong one."""
    NOT_ALLOWED = 4403
    """Revoked, or not allowed."""
    NO_TABLE = 4404
    """No such table, or it has been deleted."""
    NO_HELLO = 4408
    OTHER_CAMERA = 4409
    """Another camera has taken over."""
    TOO_SLOW = 4413
    """Messages were not fetched in time, or one was too big: come back with ``after``."""
    TOO_MANY = 4429


@dataclass(frozen=True, slots=True)
class Closing:
    """Why a socket is closed: a code for programs, a line for people."""

    code: Close
    text: str


STOPPING = Closing(Close.RESTART, "the service stops: come back in a moment")
