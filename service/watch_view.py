"""What the live window shows at a moment: the game and its referee put into a view that can be drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING

from engine.editions import Edition, edition, features_of
from engine.events import Called
from engine.explained import Candidate
from engine.hints import HintLevel
from engine.sentences import say
from engine.sets import MixedKindsError, find_sets
from engine.tokens import Piece
from service.board_answer import Asked, sets_on_board
from service.board_file import AnyBoard
from service.game import Game
from service.live.happenings import Happening, HappeningKind
from service.live.understanding import players_of
from service.tables import Table
from service.watch_keys import CALL_KEYS
from vision.live_overlay import Message, Seat, Tag, Tone
from vision.tracks import Advice, Moment, Scene, Track
from vision.types import Frame

if TYPE_CHECKING:
    from service.live.table import LiveTable

__all__ = [
    "Detail",
    "SetFinder",
    "banner_of",
    "claims_of",
    "hint_note",
    "message_of",
    "names_of",
    "open_questions",
    "seats_of",
    "shown_sets",
    "status_of",
    "tags_of",
]

Trio = tuple[int, int, int]
_BRIEF = (3, 2)
"""Letters of a word in the shorter names."""


class Detail(StrEnum):
    """How much is drawn on the pieces."""

    NAMES = "names and SETs"
    SETS = "SETs only"
    NOTHING = "nothing"

    @property
    def following(self) -> Detail:
        """The next one, in turn."""
        every = tuple(Detail)
        return every[(every.index(self) + 1) % len(every)]


@cache
def names_of(piece: Piece, key: str) -> tuple[str, ...]:
    """Return what a piece can be called in the edition ``key``, the longest first, as in "2 red half bar"."""
    if str(piece) == "wild":
        return ("wild", "W")
    entry = edition(key)
    number, *words = (entry.word(piece, feature) for feature in features_of(piece))
    digit = str(entry.numbers.index(number) + 1)
    short = [" ".join([digit, *(word[:letters] for word in words)]) for letters in _BRIEF]
    return (" ".join([digit, *words]), *short)


class SetFinder:
    """Finds the SETs of a moment; as long as the pieces stay it remembers them."""

    def __init__(self, board: AnyBoard | None) -> None:
        """Look along the lines of ``board``, if there is one."""
        self._board = board
        self._key: object = None
        self._found: tuple[Trio, ...] = ()

    def sets(self, moment: Moment) -> tuple[Trio, ...]:
        """Return the SETs as places among the tracks, those without doubt first."""
        key = tuple((track.reading.piece, track.reading.cell, track.reading.doubt) for track in moment)
        if key != self._key:
            doubts = [track.reading.doubt is not None for track in moment]
            self._key = key
            self._found = tuple(sorted(self._all(moment), key=lambda trio: any(doubts[place] for place in trio)))
        return self._found

    def _all(self, moment: Moment) -> Sequence[Trio]:
        readings = tuple(track.reading for track in moment)
        if self._board is not None and moment.placement is not None:
            frame = Frame(moment.size, readings, moment.deck, 0.0, {}, placement=moment.placement)
            return sets_on_board(frame, Asked(Game(self._board.game), Table(self._board))) or ()
        if any(reading.kind.value == "die" for reading in readings):
            return ()  # dice make SETs along the lines of their board only
        try:
            return find_sets([reading.piece for reading in readings])
        except MixedKindsError:
            return ()


def shown_sets(sets: Sequence[Trio], level: HintLevel, every: bool) -> dict[int, tuple[int, ...]]:
    """Return which tracks are drawn as part of which SETs, numbered from 1.

    That is as many pieces of the first SET as ``level`` allows; with ``every``, at the highest level, all SETs.
    """
    if not sets or not level.pieces:
        return {}
    if not (every and level is HintLevel.THREE):
        return dict.fromkeys(sets[0][: level.pieces], (1,))
    groups: dict[int, tuple[int, ...]] = {}
    for number, trio in enumerate(sets, start=1):
        for place in trio:
            groups[place] = (*groups.get(place, ()), number)
    return groups


def hint_note(sets: Sequence[Trio], level: HintLevel) -> str:
    """Return in words what ``level`` allows to be told about the SETs; empty for nothing."""
    match level:
        case HintLevel.NEVER:
            return ""
        case HintLevel.YES_NO:
            return "there is a SET" if sets else "no SET"
    return f"{len(sets) or 'no'} SET{'s' * (len(sets) > 1)}"


def tags_of(
    tracks: Sequence[Track], groups: Mapping[int, tuple[int, ...]], detail: Detail, key: str
) -> tuple[Tag, ...]:
    """Return what is drawn on the pieces, in the words of the edition ``key``."""
    if detail is Detail.NOTHING:
        return ()
    named = detail is Detail.NAMES
    return tuple(
        Tag(
            track.reading.quad,
            names_of(track.reading.piece, key) if named else (),
            groups.get(place, ()),
            track.reading.doubt is not None,
            track.hidden,
        )
        for place, track in enumerate(tracks)
        if named or place in groups or track.reading.doubt is not None
    )


def seats_of(table: LiveTable) -> tuple[Seat, ...]:
    """Return the players with their points, and whose table or turn it is."""
    state = table.referee.state
    active = _active(table)
    return tuple(
        Seat(
            name,
            str(points),
            CALL_KEYS[place],
            "out" if place in getattr(state, "out", ()) else "",
            name in active,
        )
        for place, (name, points) in enumerate(table.scores.items())
    )


def _active(table: LiveTable) -> tuple[str, ...]:
    """Who has the table, or the turn in games of turns."""
    if table.tie is not None:
        return table.tie.players
    if table.caller is not None:
        return (table.caller,)
    state = table.referee.state
    if state.over is not None or (table.referee.game.has_calls and not state.options.get("turns")):
        return ()
    turn = getattr(state, "turn", None)
    if isinstance(turn, int):
        return (state.players[turn],)
    return () if turn is None else (str(turn),)


def banner_of(table: LiveTable, left: float | None) -> Message | None:
    """Return whose table it is with the seconds ``left`` for the pick, a tie with its times, or who has won."""
    if table.tie is not None:
        told = " · ".join(f"{name} {at:.2f} s" for name, at in table.tie.times.items())
        return Message(f"Tie: {told}", Tone.ODD)
    if table.caller is not None:
        rest = "" if left is None else f" · {max(0.0, left):.1f} s"
        return Message(f"{table.caller} has the table{rest}")
    outcome = table.referee.outcome
    if not outcome.over:
        return None
    names = " and ".join(outcome.winners or outcome.losers)
    many = len(outcome.winners or outcome.losers) > 1
    verb = ("win" if outcome.winners else "lose") + ("" if many else "s")
    return Message(f"{names} {verb}", Tone.GOOD) if names else Message("The game is over")


def open_questions(table: LiveTable, candidate: int) -> tuple[Message, ...]:
    """Return what people have to decide, with the keys that do it; ``candidate`` is the explanation shown."""
    if table.tie is not None:
        seats = list(table.scores)
        keys = " · ".join(f"{CALL_KEYS[seats.index(name)]} {name}" for name in table.tie.players)
        return (Message(f"Who was first? {keys} · x nobody", Tone.ODD),)
    oddity = table.oddity
    if oddity is None:
        return ()
    candidates = oddity.pending.understood.candidates
    told = Message(oddity.text, Tone.ODD)
    if not candidates:
        return told, Message("x take it as it lies")
    if theirs := claims_of(table):
        seats = list(table.scores)
        keys = " · ".join(f"{CALL_KEYS[seats.index(name)]} {name}" for name in theirs)
        return told, Message(f"{keys} · x nobody")
    place = candidate % len(candidates)
    other = f" · w other ({place + 1} of {len(candidates)})" if len(candidates) > 1 else ""
    return told, Message(f"y accept: {_in_short(candidates[place], table.header.edition)}{other} · x ignore")


def claims_of(table: LiveTable) -> dict[str, int]:
    """Return whose the open oddity can be, each with the explanation that says so; empty if that is not asked."""
    if table.oddity is None:
        return {}
    found = [players_of(one.events) for one in table.oddity.pending.understood.candidates]
    claims = {next(iter(who)): place for place, who in enumerate(found) if len(who) == 1}
    return claims if len(claims) == len(found) > 1 else {}


def _in_short(candidate: Candidate, words: Edition) -> str:
    """The first sentence of each verdict, but for calls."""
    pairs = zip(candidate.events, candidate.verdicts, strict=True)
    told = [say(verdict, words).partition(". ")[0] for event, verdict in pairs if not isinstance(event, Called)]
    return "; ".join(sentence.rstrip(".") for sentence in told)


_SCENES = {Scene.HANDS: "hands on the table", Scene.DARK: "too dark to see the table"}
_ADVICE = {
    Advice.TOO_BRIGHT: "too bright: make less light",
    Advice.GLARE: "glare: turn the lamp or the camera",
    Advice.HOLD_STILL: "hold the camera still",
    Advice.BLURRED: "blurred: let the camera focus",
    Advice.MOVE_CLOSER: "the pieces are too small: move closer",
    Advice.MOVE_BACK: "pieces are cut off: move back",
    Advice.NO_PIECES: "no pieces are seen",
}


def status_of(moment: Moment, paused: bool, trouble: str) -> str:
    """Return what goes on: the ``trouble`` of the source, a pause, hands, darkness, what would help; or nothing."""
    if trouble or paused:
        return trouble or "paused"
    return _SCENES.get(moment.scene) or ("" if moment.advice is None else _ADVICE.get(moment.advice, ""))


def message_of(happening: Happening) -> Message | None:
    """Return what is shown of a happening; None for one that is shown otherwise."""
    match happening.kind:
        case HappeningKind.ODDITY | HappeningKind.TIE | HappeningKind.RESOLVED:
            return None
        case HappeningKind.MESSAGE:
            return Message(happening.text)
    if happening.type in ("called", "tied") and happening.ok:
        return None
    unsure = " (unsure: look at the pieces)" if happening.sure is False else ""
    return Message(f"{happening.text}{unsure}", Tone.GOOD if happening.ok else Tone.BAD)
