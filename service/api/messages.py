"""The messages of WebSockets, both ways: JSON objects told apart by ``type``; those of the API description.

Times are seconds: of the table where the server says them, of any steady clock of the client's own where that does.
Quads are pixels of the camera's picture, origin top left: TL TR BR BL of the upright piece.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from engine.hints import HintLevel
from engine.labels import Language
from service.answer import ErrorBody
from service.api.bodies import Body, example
from service.api.examples import CREATED, ENTRY, STATE
from service.api.game_events import GameEvent, PlayerName
from service.api.models import Entry, Seconds
from service.board_file import AnyBoard
from service.errors import ServiceError, code_of, one_line
from service.field_faults import field_fault
from service.game import Game
from service.hub import TableState
from service.logs import without_keys
from vision.tracks import Advice

__all__ = [
    "MESSAGE_BYTES",
    "AnswerMessage",
    "BadFieldsError",
    "BadMessageError",
    "CallMessage",
    "CameraMessage",
    "ClockMessage",
    "EntryMessage",
    "ErrorMessage",
    "EventMessage",
    "FrameMessage",
    "HelloMessage",
    "LiveHelloMessage",
    "LiveSeenMessage",
    "PingMessage",
    "PongMessage",
    "RateMessage",
    "SeenMessage",
    "SeenPiece",
    "SkippedMessage",
    "StateMessage",
    "TableMessage",
    "WelcomeMessage",
    "fault_of",
    "read_camera_message",
    "read_hello",
    "read_live_hello",
    "read_table_message",
    "reply_to",
]

_T = TypeVar("_T")

MESSAGE_BYTES = 64 * 1024
"""Longest text message of a client, in bytes."""

_PIECE = {
    "id": 4,
    "name": "1 red solid oval",
    "label": "one red solid oval",
    "confidence": 0.987,
    "doubt": None,
    "quad": [[310.0, 205.0], [370.0, 208.0], [366.0, 301.0], [306.0, 298.0]],
    "cell": None,
    "hidden": False,
}
_SEEN: dict[str, Any] = {
    "type": "seen",
    "time": 63.4,
    "scene": "still",
    "settled": True,
    "advice": None,
    "size": [1280, 720],
    "pieces": [dict(_PIECE)],
}


class BadMessageError(ServiceError, ValueError):
    """A message that is none; the text says what is wrong with it."""

    code = "bad-message"

    def __init__(self, text: str, id: str | int | None = None) -> None:
        """Hold the line, and the ``id`` of the message where it has one."""
        super().__init__(text)
        self.id = id


class BadFieldsError(BadMessageError):
    """A message of a known type with wrong fields: it does not count among those for which a socket is closed."""

    def __init__(self, text: str, id: str | int | None, *, is_answered: bool) -> None:
        """Hold the line, the ``id``, and whether messages of its type always have an answer."""
        super().__init__(text, id)
        self.is_answered = is_answered


# What clients say.


class HelloMessage(Body):
    """The first message to a table, within five seconds: who is there, and what they want to see."""

    model_config = example(type="hello", key=CREATED["keys"]["host"], after=6)

    type: Literal["hello"]
    key: Annotated[str, Field(max_length=200, description="The key, as `POST /tables` and others gave it.")]
    after: Annotated[
        int | None,
        Field(
            ge=0, lt=2**53, description="The last entry that is known: all later ones are sent. Default: the newest."
        ),
    ] = None
    seen: Annotated[bool, Field(description="Send what the table's camera sees, as `seen` messages.")] = False


class LiveHelloMessage(Body):
    """The first message of a camera without a table: what is played, on which board, and what is to be told."""

    model_config = example(type="hello", game="classic", language="de", hints="count")

    type: Literal["hello"]
    game: Annotated[Game, Field(strict=False, description="What lies there; auto: look.")] = Game.AUTO
    board: Annotated[
        Annotated[AnyBoard, Field(discriminator="game")] | None,
        Field(description="The board file; cubed and junior-1 need it to tell squares apart."),
    ] = None
    language: Annotated[Language, Field(strict=False, description="Of labels and hints.")] = Language.ENGLISH
    hints: Annotated[
        HintLevel | None,
        Field(strict=False, description="Tell only so much about the SETs; without it all of them."),
    ] = None


class PongMessage(Body):
    """The answer to a ``ping``, at once: it keeps the socket open and measures the client's clock."""

    model_config = example(type="pong", number=3, at=1830.004)

    type: Literal["pong"]
    number: Annotated[int, Field(ge=0, lt=2**53, description="That of the ping.")]
    at: Annotated[Seconds, Field(description="The client's clock, as `performance.now() / 1000`.")]


MessageId = Annotated[
    Annotated[str, Field(max_length=64)] | Annotated[int, Field(ge=-(2**53), lt=2**53)],
    Field(description="Whatever the client likes; the answer has it too."),
]


class CallMessage(Body):
    """Call "Set!", by a player or by a host for ``player``; ``at`` by the client's clock, default: on arrival."""

    model_config = example(type="call", id=12, at=1832.251)

    type: Literal["call"]
    id: MessageId | None = None
    at: Seconds | None = None
    player: PlayerName | None = None


class EventMessage(Body):
    """An event, as ``POST …/events`` takes it."""

    model_config = example(type="event", id=13, event={"type": "no_set", "player": "Ann"})

    type: Literal["event"]
    id: MessageId | None = None
    event: GameEvent


class FrameMessage(Body):
    """When the next picture was taken, by the client's clock; without it, when it arrives."""

    model_config = example(type="frame", at=1832.251)

    type: Literal["frame"]
    at: Seconds


TableMessage = PongMessage | CallMessage | EventMessage
"""What clients say at a table's socket after their hello."""
CameraMessage = PongMessage | FrameMessage
"""What cameras say in text after their hello."""


# What the server says.


class _Said(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, json_schema_serialization_defaults_required=True)


class WelcomeMessage(_Said):
    """The answer to ``hello``; cameras get no ``state``, and one without a table no ``role``."""

    model_config = example(type="hello", role="player", player="Ann", time=63.8, state=dict(STATE))

    type: Literal["hello"] = "hello"
    role: Annotated[str | None, Field(description="host, player, spectator or camera")] = None
    player: str | None = None
    time: Annotated[float | None, Field(description="What the table's clock says now.")] = None
    state: TableState | None = None


class EntryMessage(_Said):
    """One entry of the table's journal; their numbers have no gap."""

    model_config = example(type="entry", entry=dict(ENTRY))

    type: Literal["entry"] = "entry"
    entry: Entry


class StateMessage(_Said):
    """How the table stands after the entries before it."""

    model_config = example(type="state", state=dict(STATE))

    type: Literal["state"] = "state"
    state: TableState


class PingMessage(_Said):
    """Sent often at first, then every ten seconds: answer with ``pong`` at once."""

    model_config = example(type="ping", number=3, time=61.9)

    type: Literal["ping"] = "ping"
    number: int
    time: Annotated[float, Field(description="What the table's clock says now.")]


class ClockMessage(_Said):
    """How the client's clock goes: table time = client's time - ``offset``, give or take ``error`` seconds."""

    model_config = example(type="clock", offset=1768.1, error=0.012)

    type: Literal["clock"] = "clock"
    offset: float
    error: float


class AnswerMessage(_Said):
    """The answer to a ``call`` or an ``event``, with its ``id``: the journal entries it made, or why there are none.

    A call is held for 0.05 seconds and the error of the client's clock (0.25 seconds where that is not measured), so
    that ties show: its entries come later, and ``entries`` is empty then.
    """

    model_config = example(type="answer", id=12, entries=[8])

    type: Literal["answer"] = "answer"
    id: MessageId | None = None
    entries: list[int] | None = None
    error: ErrorBody | None = None


class ErrorMessage(_Said):
    """What the client sent could not be used.

    After three in a row that are no JSON object, have no known type, or are no picture the socket is closed with 4400.
    """

    model_config = example(type="error", error={"code": "bad-frame", "text": "this is no JPEG picture"})

    type: Literal["error"] = "error"
    error: ErrorBody


class RateMessage(_Said):
    """What a camera may send: at most ``fps`` pictures a second, ``width`` pixels wide, of ``bytes`` bytes."""

    model_config = example(type="rate", fps=8.0, width=1280, bytes=1_500_000)

    type: Literal["rate"] = "rate"
    fps: float
    width: int
    bytes: int


class SkippedMessage(_Said):
    """So many pictures were not looked at, because newer ones came."""

    model_config = example(type="skipped", frames=2)

    type: Literal["skipped"] = "skipped"
    frames: int


class SeenPiece(_Said):
    """One piece that the camera sees, or has seen before something hid it."""

    model_config = example(**_PIECE)

    id: Annotated[int, Field(description="Stays with the piece while it lies there; for corrections, as `piece`.")]
    name: Annotated[str, Field(description="As records name it.")]
    label: Annotated[str, Field(description="For people, in the language of the table.")]
    confidence: float
    doubt: Annotated[str | None, Field(description="Why a person should look at it.")]
    quad: Annotated[list[tuple[float, float]], Field(description="Its corners in the picture: TL TR BR BL, in pixels.")]
    cell: Annotated[list[int] | None, Field(description="Its square on a board.")]
    hidden: Annotated[bool, Field(description="Something lies over it now.")]


class SeenHint(_Said):
    """What is told of the SETs that lie there; `pieces` are those that the text names."""

    text: str
    pieces: list[int]
    level: HintLevel


class SeenMessage(_Said):
    """What is known of the table from one picture."""

    model_config = example(**_SEEN)

    type: Literal["seen"] = "seen"
    time: float
    scene: Annotated[str, Field(description="still, moving, hands or dark")]
    settled: Annotated[bool, Field(description="The pieces are the whole table as it lies there.")]
    advice: Annotated[Advice | None, Field(description="What would help to see more; null where all is well.")]
    size: tuple[int, int]
    pieces: list[SeenPiece]


class LiveSeenMessage(SeenMessage):
    """What one picture shows of a table that nobody referees: its pieces, and the SETs among them, hidden ones too.

    With `hints` in the hello there is `hint` in place of `sets` and `set_sure`.
    """

    model_config = ConfigDict(
        json_schema_serialization_defaults_required=False,
        json_schema_extra={"example": {**_SEEN, "game": "classic", "sets": [], "set_sure": []}},
    )

    game: Annotated[Game, Field(description="That of the hello; if that is auto, whose pieces lie there.")]
    sets: Annotated[list[tuple[int, int, int]] | None, Field(description="Every SET, by ids of pieces.")] = None
    set_sure: Annotated[list[bool] | None, Field(description="False where a piece in doubt decides.")] = None
    hint: Annotated[SeenHint | None, Field(description="As much as is asked for; null for never.")] = None


def fault_of(error: ServiceError) -> ErrorBody:
    """Return what is said of an ``error``: its code, and one line; no key that somebody has put elsewhere."""
    return ErrorBody(code=code_of(error), text=without_keys(one_line(error)))


def reply_to(error: ServiceError) -> AnswerMessage | ErrorMessage:
    """Return what is said to a message that could not be used: an answer, if it has an id or always gets one."""
    fault = fault_of(error)
    if isinstance(error, BadMessageError) and error.id is not None:
        return AnswerMessage(id=error.id, error=fault)
    if isinstance(error, BadFieldsError) and error.is_answered:
        return AnswerMessage(error=fault)
    return ErrorMessage(error=fault)


_TABLE: TypeAdapter[TableMessage] = TypeAdapter(Annotated[TableMessage, Field(discriminator="type")])
_ID: TypeAdapter[str | int] = TypeAdapter(MessageId)
_ANSWERED = frozenset({"call", "event"})
"""Types of messages that always have an answer."""
_CAMERA: TypeAdapter[CameraMessage] = TypeAdapter(Annotated[CameraMessage, Field(discriminator="type")])


def read_table_message(text: str, types: Collection[str] = ()) -> TableMessage:
    """Return the message that a client of a table has sent, in whose game there are ``types`` of events.

    :raises BadFieldsError: its fields are wrong.
    :raises BadMessageError: it is none.
    """
    return _read(_TABLE, text, types)


def read_camera_message(text: str) -> CameraMessage:
    """Return the message that a camera has sent as text.

    :raises BadFieldsError: its fields are wrong.
    :raises BadMessageError: it is none.
    """
    return _read(_CAMERA, text)


def read_hello(text: str) -> HelloMessage:
    """Return the first message to a table.

    :raises BadMessageError: it is another one.
    """
    return _read(TypeAdapter(HelloMessage), text)


def read_live_hello(text: str) -> LiveHelloMessage:
    """Return the first message of a camera without a table.

    :raises BadMessageError: it is another one.
    """
    return _read(TypeAdapter(LiveHelloMessage), text)


def _read(adapter: TypeAdapter[_T], text: str, types: Collection[str] = ()) -> _T:
    try:
        return adapter.validate_json(text)
    except ValidationError as error:
        raise _refusal(error, text, types) from None


def _refusal(error: ValidationError, text: str, types: Collection[str]) -> BadMessageError:
    """Return what is wrong with a message: of several faults the first."""
    first = error.errors(include_url=False)[0]
    if first["type"] == "json_invalid":
        return BadMessageError(f"the message is no JSON: {first['ctx']['error']}")
    found = json.loads(text)
    if not isinstance(found, dict):
        return BadMessageError("the message is no JSON object")
    where, id = first["loc"], _id_of(found)
    line = one_line(ValueError(field_fault(first, found, where, types if where else ())))
    if not where and first["type"].startswith("union_tag_"):
        return BadMessageError(line, id)
    return BadFieldsError(line, id, is_answered=found.get("type") in _ANSWERED)


def _id_of(found: Mapping[str, object]) -> str | int | None:
    """Return the id of a message, None where it has none that can be used."""
    try:
        return _ID.validate_python(found.get("id"), strict=True)
    except ValidationError:
        return None
