"""What requests about tables say, and what they are answered: the schemas of the API description.

Times are seconds of the table, which count from its creation, unless a field says otherwise.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from engine.labels import Language
from service.api.bodies import Body, example
from service.api.game_events import PieceName, PlayerName
from service.board_file import AnyBoard
from service.hub.clocks import FURTHEST
from service.hub.state import ChoiceState, TableState
from service.live.happenings import HappeningKind

__all__ = [
    "CallAnswer",
    "ClockAnswer",
    "ClockReading",
    "CodeAnswer",
    "Correction",
    "Decision",
    "DisputedCall",
    "EntriesAnswer",
    "Entry",
    "HeldKey",
    "HeldKeys",
    "InvitedAnswer",
    "KeyAnswer",
    "KeyRequest",
    "MadeCall",
    "NewTable",
    "Nothing",
    "OptionValue",
    "PlayedAnswer",
    "Seat",
    "TableAnswer",
    "WholeKeys",
]

_MOST_PLAYERS = 12

GameKey = Literal["classic", "ravensburger", "setup", "junior-1", "junior-2", "cubed"]
"""What can be played."""
RoleName = Literal["host", "player", "spectator", "camera", "join"]
"""What a key allows."""
OptionValue = bool | int | str | None
"""What an option of a game may be."""
Seconds = Annotated[float, Field(ge=-FURTHEST, le=FURTHEST)]


# What requests say.


class NewTable(Body):
    """A table to be opened: what is played, by whom, with which options, on which board."""

    model_config = example(game="classic", players=["Ann", "Ben"], options={"hints": "count"}, language="en")

    game: GameKey
    players: Annotated[list[PlayerName], Field(min_length=1, max_length=_MOST_PLAYERS)]
    options: Annotated[
        dict[str, OptionValue],
        Field(
            default_factory=dict,
            max_length=20,
            description="Options of the game that differ from its defaults, as in a record's header.",
        ),
    ]
    board: Annotated[
        Annotated[AnyBoard, Field(discriminator="game")] | None,
        Field(description="The board file; cubed and junior-1 need it."),
    ] = None
    name: Annotated[str | None, Field(max_length=80, description="What people call the table.")] = None
    call_limit: Annotated[
        float | None, Field(gt=0, le=3600, description="Seconds after which a call without a pick is a false one.")
    ] = None
    language: Annotated[Language, Field(strict=False, description="The language of all sentences.")] = Language.ENGLISH


class Nothing(Body):
    """An object without fields."""

    model_config = example()


class KeyRequest(Body):
    """A key to be made; ``player`` where it is one of a player."""

    model_config = example(role="player", player="Ann")

    role: RoleName
    player: PlayerName | None = None

    @model_validator(mode="after")
    def _has_a_player(self) -> KeyRequest:
        if (self.player is not None) != (self.role == "player"):
            raise ValueError("a key of the role player needs 'player', others have none")
        return self


class Seat(Body):
    """A seat to be taken."""

    model_config = example(player="Ben")

    player: PlayerName


class MadeCall(Body):
    """A call; ``player`` only where a host calls for somebody."""

    model_config = example(at=1832.251)

    player: PlayerName | None = None
    at: Annotated[Seconds | None, Field(description="When, by the client's clock; without it, when it arrives.")] = None


class ClockReading(Body):
    """What the client's clock says as it sends this, and which answer it had last."""

    model_config = example(client=1830.004, answers=3)

    client: Annotated[Seconds, Field(description="A steady clock, in seconds, as performance.now() / 1000.")]
    answers: Annotated[int | None, Field(ge=0, lt=2**53, description="The `number` of the answer before.")] = None


class Correction(Body):
    """Whatever was read as ``from`` is ``to``."""

    model_config = example(to="2 red solid oval", **{"from": "1 red solid oval"})

    old: Annotated[PieceName, Field(alias="from")]
    new: Annotated[PieceName, Field(alias="to")]
    piece: Annotated[int | None, Field(ge=-(2**53), lt=2**53, description="The track it is about.")] = None
    since: Annotated[int | None, Field(ge=0, lt=2**31, description="The first event that is judged again.")] = None
    force: Annotated[bool, Field(description="Also where a piece of that name cannot have come.")] = False


class Decision(Body):
    """What people decide: a tie (``tie``: whose table it is, null: nobody's), or an oddity.

    Of an oddity they accept a ``candidate``, counted from 0, or ``ignore`` it: the table is as it lies there.
    """

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"tie": "Ann"}, {"oddity": 3, "candidate": 0}, {"oddity": 3, "ignore": True}]}
    )

    tie: PlayerName | None = None
    oddity: Annotated[int | None, Field(ge=0, lt=2**31)] = None
    candidate: Annotated[int | None, Field(ge=0, lt=2**31)] = None
    ignore: Literal[True] | None = None

    @model_validator(mode="after")
    def _decides_one_thing(self) -> Decision:
        how = (self.candidate is not None) + (self.ignore is not None)
        is_tie = self.oddity is None and "tie" in self.model_fields_set and how == 0
        is_oddity = self.oddity is not None and self.tie is None and how == 1
        if not (is_tie or is_oddity):
            raise ValueError("decide one thing: 'tie', or 'oddity' with 'candidate', or 'oddity' with 'ignore': true")
        return self


class DisputedCall(Body):
    """Which call is looked at again: the last one not after ``at``; without it, the last."""

    model_config = example(at=63.4)

    at: Annotated[float | None, Field(ge=0, le=FURTHEST)] = None


# What is answered.


class _Answer(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, from_attributes=True)


class WholeKeys(_Answer):
    """The keys of a new table: whoever holds one has its rights. They are shown this once."""

    host: str
    join: str
    spectator: str
    camera: str
    players: Annotated[dict[str, str], Field(description="The key of each player, by name.")]


class Judged(_Answer):
    """A verdict: whether it stands, and what it pays."""

    ok: bool
    points: dict[str, int]


class Change(_Answer):
    """What a correction has made of the verdict on an event."""

    event: int
    before: Judged
    after: Judged


class Entry(_Answer):
    """An entry of a table's journal: one thing that was told. Fields that say nothing are left out."""

    number: Annotated[int, Field(ge=1, description="Its number in the journal, from 1 without a gap.")]
    at: Annotated[str, Field(description="When, by the wall clock: ISO 8601, UTC.")]
    kind: Annotated[HappeningKind, Field(description="What sort of thing is told.")]
    t: Annotated[float, Field(description="When, in seconds of the table.")]
    text: Annotated[str, Field(description="A sentence for people, in the language of the table.")]
    event: Annotated[int | None, Field(description="The number of the event in the record, from 0.")] = None
    type: Annotated[str | None, Field(description="The type of the event.")] = None
    player: str | None = None
    ok: Annotated[bool | None, Field(description="Whether the event stands.")] = None
    judged: Annotated[bool | None, Field(description="Whether it counts although it is not ok: a false call.")] = None
    clause: Annotated[str | None, Field(description="The clause that it fulfils or breaks.")] = None
    points: Annotated[dict[str, int] | None, Field(description="What it changes, by player; never 0.")] = None
    scores: dict[str, int] | None = None
    sure: Annotated[bool | None, Field(description="False where it rests on a piece in doubt.")] = None
    before: Annotated[float | None, Field(description="When the change began that the camera saw.")] = None
    after: Annotated[float | None, Field(description="When the table had settled again.")] = None
    oddity: Annotated[int | None, Field(description="The number of the oddity that this is about.")] = None
    pieces: Annotated[list[str] | None, Field(description="What it is about; of a hint what is shown.")] = None
    places: Annotated[
        list[list[int]] | None,
        Field(description="Where the pieces are, on a board: [row, column], in Junior [square, row, column]."),
    ] = None
    named: Annotated[list[str] | None, Field(description="What the Wilds among the pieces stand for, in order.")] = None
    lines: Annotated[
        list[str] | None,
        Field(
            description="Of three pieces that were judged: the verdict feature by feature, in the language of the "
            "table. Where several SETs were made, a line that names its pieces stands before those of each."
        ),
    ] = None
    choices: list[ChoiceState] | None = None
    times: Annotated[dict[str, float] | None, Field(description="Times of tied calls, by player.")] = None
    changes: list[Change] | None = None


class TableAnswer(_Answer):
    """A new table, with its keys."""

    id: str
    keys: WholeKeys
    state: TableState


class PlayedAnswer(_Answer):
    """What a request has brought about, in order, and how the table stands now."""

    entries: list[Entry]
    state: TableState


class CallAnswer(PlayedAnswer):
    """What a call has brought about so far: the verdict may come a moment later."""

    error: Annotated[float | None, Field(description="Bound of the error of the clock that the call was timed by.")]


class ClockAnswer(_Answer):
    """What the table's clock says, and how well the client's is known."""

    number: Annotated[int, Field(description="To be sent as `answers` with the next request.")]
    server: Annotated[float, Field(description="The table's time.")]
    error: Annotated[float | None, Field(description="Bound of the error of the client's clock; null: not known yet.")]


class EntriesAnswer(_Answer):
    """Entries of the journal, oldest first."""

    entries: list[Entry]
    last: Annotated[int, Field(description="The newest entry of the journal; there is more where this is later.")]


class HeldKey(_Answer):
    """A key, without its secret."""

    id: str
    role: RoleName
    player: str | None
    revoked: bool
    created: Annotated[float, Field(description="Unix time, in seconds.")]


class CodeAnswer(_Answer):
    """A short code that stands for a key."""

    code: str
    seconds: Annotated[float, Field(description="How long it is good, unless it is asked for again.")]


class InvitedAnswer(_Answer):
    """The key that a code stands for, and what it is."""

    table: str
    key: str
    role: RoleName
    player: Annotated[str | None, Field(description="Whose it is, where it is a player's.")]


class HeldKeys(_Answer):
    """All keys of a table."""

    keys: list[HeldKey]


class KeyAnswer(_Answer):
    """A new key; it is shown this once."""

    id: str
    role: RoleName
    player: str | None
    key: str
