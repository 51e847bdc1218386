"""The events of game records as requests send them: one model a type, told apart by ``type``.

What an event means in a game is for :func:`engine.record.read_event` to say, which judges the names of pieces and
players too; here it is checked that its fields are there, and of their kind.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from engine.fields import MOST_SECONDS
from engine.hints import HintLevel
from service.api.bodies import Body, example

__all__ = ["GameEvent", "Level", "PieceName", "PlayerName", "record_event"]

_MOST_PIECES = 200
_WHOLE = 2**31

PieceName = Annotated[str, Field(max_length=60, examples=["2 red striped diamond", "2 red diamond", "wild"])]
"""A piece as records name it."""
PlayerName = Annotated[str, Field(min_length=1, max_length=40, examples=["Ann"])]
"""Who sits at the table."""
Level = Annotated[HintLevel, Field(strict=False)]
"""How much a hint tells."""
_Names = Annotated[list[PieceName], Field(max_length=_MOST_PIECES)]
_Whole = Annotated[int, Field(ge=-_WHOLE, lt=_WHOLE)]
_Place = Annotated[
    list[_Whole],
    Field(
        max_length=3, description="[row, column] from 0, top left; junior-1: [square, row, column]", examples=[[5, 6]]
    ),
]


class _Event(Body):
    t: Annotated[float | None, Field(ge=0, le=MOST_SECONDS, description="Seconds from the start, for statistics.")] = (
        None
    )
    note: Annotated[str | None, Field(max_length=1_000, description="Whatever people want to remember.")] = None


class _Played(_Event):
    player: PlayerName


_THREE = ["1 red solid oval", "2 red solid oval", "3 red solid oval"]


class Dealt(_Event):
    """Cards or tiles are laid face up: the first ones, a refill, three more."""

    model_config = example(type="dealt", cards=_THREE)
    type: Literal["dealt"]
    cards: _Names


class Called(_Played):
    """A call of "Set!": the table is the player's until they pick or give up."""

    model_config = example(type="called", player="Ann")
    type: Literal["called"]


class Picked(_Played):
    """The three cards of a call, judged."""

    model_config = example(type="picked", player="Ann", cards=_THREE)
    type: Literal["picked"]
    cards: _Names


class GaveUp(_Played):
    """The caller shows nothing: a false call."""

    model_config = example(type="gave_up", player="Ann")
    type: Literal["gave_up"]


class NoSet(_Played):
    """The player agrees that there is no SET; when all have said so, three more cards are due."""

    model_config = example(type="no_set", player="Ben")
    type: Literal["no_set"]


class PileOut(_Event):
    """The pile is empty before the deck's count says so."""

    model_config = example(type="pile_out")
    type: Literal["pile_out"]


class Shuffled(_Event):
    """The next round begins; in RAVENSBURGER's Forever with its SET-Master, who does not play."""

    model_config = example(type="shuffled")
    type: Literal["shuffled"]
    master: PlayerName | None = None


class Laid(_Played):
    """One piece is laid: a ``card`` (SETUP), a ``tile`` with ``at`` (Junior), a die's ``face`` with ``at`` (Cubed)."""

    model_config = example(type="laid", player="Ann", face="wild", at=[5, 6], **{"as": "2 red oval"})
    type: Literal["laid"]
    card: PieceName | None = None
    tile: PieceName | None = None
    face: PieceName | None = None
    at: _Place | None = None
    named: Annotated[PieceName | None, Field(alias="as", description="What a Wild stands for.")] = None


class Claimed(_Played):
    """The player shows a SET with the card that another has laid (SETUP)."""

    model_config = example(type="claimed", player="Ben", cards=_THREE)
    type: Literal["claimed"]
    cards: _Names


class Passed(_Played):
    """The player gives up the turn without playing."""

    model_config = example(type="passed", player="Ann")
    type: Literal["passed"]


class Rolled(_Played):
    """The player's whole hand of dice as it now shows."""

    model_config = example(type="rolled", player="Ann", faces=["2 red oval", "1 green diamond", "wild"])
    type: Literal["rolled"]
    faces: _Names


class Announced(_Played):
    """The first SET of Cubed, laid on the logo in this order; ``as`` has a name for each Wild, in order."""

    model_config = example(
        type="announced", player="Ann", faces=["1 red oval", "wild", "3 red oval"], **{"as": ["2 red oval"]}
    )
    type: Literal["announced"]
    faces: _Names
    named: Annotated[_Names | None, Field(alias="as", description="What the Wilds stand for.")] = None


class Swapped(_Played):
    """A Wild on the board is replaced by a die that shows its features."""

    model_config = example(type="swapped", player="Ann", face="2 red oval", at=[5, 6])
    type: Literal["swapped"]
    face: PieceName
    at: _Place


class TurnEnded(_Played):
    """The player ends the turn."""

    model_config = example(type="turn_ended", player="Ann")
    type: Literal["turn_ended"]


class Undone(_Event):
    """The last event that was accepted or judged is taken back."""

    model_config = example(type="undone")
    type: Literal["undone"]


class Asked(_Played):
    """A hint is asked for; the answer's text holds it if the table's option ``hints`` allows that level."""

    model_config = example(type="asked", player="Ann", level="count")
    type: Literal["asked"]
    level: Level


class Corrected(_Event):
    """Wherever ``from`` stands in event ``event`` or later it is ``to``; everything since is judged again."""

    model_config = example(type="corrected", event=7, to="2 red solid oval", **{"from": "1 red solid oval"})
    type: Literal["corrected"]
    event: Annotated[_Whole, Field(description="Number of an event of the record, from 0.")]
    old: Annotated[PieceName, Field(alias="from")]
    new: Annotated[PieceName, Field(alias="to")]


class Tied(_Event):
    """Calls too close to part: noted, changes nothing; the one whom people choose is then ``called``."""

    model_config = example(type="tied", players=["Ann", "Ben"])
    type: Literal["tied"]
    players: Annotated[list[PlayerName], Field(min_length=2, max_length=12)]


class Ended(_Event):
    """People stop here; the outcome is what stands."""

    model_config = example(type="ended")
    type: Literal["ended"]


GameEvent = Annotated[
    Dealt
    | Called
    | Picked
    | GaveUp
    | NoSet
    | PileOut
    | Shuffled
    | Laid
    | Claimed
    | Passed
    | Rolled
    | Announced
    | Swapped
    | TurnEnded
    | Undone
    | Asked
    | Corrected
    | Tied
    | Ended,
    Field(discriminator="type"),
]
"""Any event of any game; one of another game is refused by a clause, not as unreadable."""


def record_event(event: GameEvent) -> dict[str, Any]:
    """Return the event as a record has it: the fields that were sent."""
    return event.model_dump(mode="json", by_alias=True, exclude_unset=True)
