"""How a table stands, as everybody may see it: the STATE of HTTP and of sockets."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from engine.labels import Language

__all__ = [
    "CameraState",
    "ChoiceState",
    "DisputeState",
    "DueState",
    "LegalState",
    "OddityState",
    "OutcomeState",
    "PieceState",
    "PlayerState",
    "StillState",
    "TableState",
    "TieState",
]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PlayerState(_Part):
    """One who plays."""

    name: str
    score: int
    connected: Annotated[bool, Field(description="Whether a socket of this player is open.")]
    clock_error: Annotated[
        float | None, Field(description="How well this player's clock is known, in seconds; null: not at all.")
    ]
    out: Annotated[bool, Field(description="Whether it is not for this player to call: locked out, or the SET-Master.")]
    won: Annotated[int | None, Field(description="SETs taken in this round; null in games that do not count them.")]
    agreed: Annotated[bool, Field(description="Whether this player has said that there is no SET.")]
    hand: Annotated[int | None, Field(description="Pieces in this player's hand; null in games without hands.")]


class TieState(_Part):
    """Calls too close to part: the host decides."""

    players: list[str]
    times: Annotated[dict[str, float], Field(description="Seconds of the table, by player.")]


class ChoiceState(_Part):
    """One explanation of an oddity that the host may accept."""

    text: str
    players: list[str]
    points: dict[str, int]


class OddityState(_Part):
    """A change that nothing explains, or that people have to explain."""

    number: int
    text: str
    choices: list[ChoiceState]


class DueState(_Part):
    """Something that chance decides: what is to be done, never what comes of it."""

    task: Annotated[str, Field(description="deal, shuffle, roll or reroll")]
    count: int
    player: str | None
    optional: bool


class LegalState(_Part):
    """What can happen next."""

    due: list[DueState]
    moves: Annotated[list[str], Field(description="Types of the events that players may now tell.")]


class PieceState(_Part):
    """A piece that is understood to lie on the table."""

    name: str
    at: Annotated[
        list[int] | None, Field(description="[row, column] or [square, row, column] on a board, elsewhere null")
    ]
    stands_for: Annotated[str | None, Field(description="What a Wild on the board stands for; of others null.")]


class OutcomeState(_Part):
    """How the game has ended."""

    over: bool
    scores: dict[str, int]
    winners: list[str]
    losers: list[str]


class CameraState(_Part):
    """The camera of the table."""

    connected: bool
    fps: Annotated[float | None, Field(description="Pictures a second that it may send.")]
    scene: Annotated[str | None, Field(description="still, moving, hands or dark")]


class TableState(_Part):
    """How a table stands."""

    id: str
    name: str | None
    game: str
    title: str
    options: Annotated[dict[str, bool | int | str | None], Field(description="A value for every option of the game.")]
    language: Annotated[Language, Field(description="That of all sentences.")]
    players: list[PlayerState]
    time: Annotated[float, Field(description="Seconds since the table was opened.")]
    last: Annotated[int, Field(description="Number of the newest entry of the journal, 0 for none.")]
    events: Annotated[int, Field(description="How many events the record has.")]
    caller: Annotated[str | None, Field(description="Whose table it is, by an open call.")]
    call_ends: Annotated[
        float | None,
        Field(description="When that call is a false one, in seconds of the table, unless a hand is under way then."),
    ]
    turn: Annotated[str | None, Field(description="Whose turn it is, in games with turns.")]
    round: Annotated[int | None, Field(description="Which round it is, from 1; null in games without rounds.")]
    master: Annotated[str | None, Field(description="Who leads the round and does not play (Ravensburger's Forever).")]
    pile: Annotated[int, Field(description="How many pieces are still in the pile or the pouch.")]
    tie: TieState | None
    oddity: OddityState | None
    legal: LegalState
    layout: list[PieceState]
    hands: Annotated[
        dict[str, list[str]] | None, Field(description="The dice that each player has rolled, where that is known.")
    ]
    outcome: Annotated[OutcomeState | None, Field(description="null until the game is over")]
    hints: Annotated[str, Field(description="How much the referee may tell: never, yes-no, count, one, two, three")]
    call_limit: float | None
    camera: CameraState


class StillState(_Part):
    """One picture of a dispute."""

    number: int
    time: float
    settled: bool
    layout: list[str]
    picture: Annotated[bool, Field(description="Whether there is a picture to be fetched.")]


class DisputeState(_Part):
    """A call that is looked at again, frozen."""

    number: int
    at: Annotated[float, Field(description="When it was called, in seconds of the table.")]
    player: str | None
    pieces: list[str]
    is_set: bool | None
    lines: Annotated[list[str], Field(description="The verdict, feature by feature.")]
    text: str
    place: Annotated[int, Field(description="Number of the still that shows the table at the call.")]
    stills: list[StillState]
