"""What a film shows, step by step, before anybody has decided how long each step takes and how it looks.

A :class:`Script` is a pure function of its seed. It knows the rules as far as a fair game needs them (who may call,
what is a SET, how many are due) and writes the record that a referee has to give, one event at a time; that the
referee agrees with every line is for the tests to show.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import combinations

import numpy as np

from engine.tokens import Card, Shape, Tile, full_deck, full_tiles

__all__ = [
    "FilmError",
    "GameError",
    "Script",
    "ScriptSettings",
    "Step",
    "StepKind",
    "makes_set",
    "table_script",
]

Random = np.random.Generator
Place = tuple[int, ...]
Event = Mapping[str, object]
_NAMES = ("Ann", "Ben", "Cid", "Dora", "Eve", "Finn")


class FilmError(Exception):
    """The family of everything that filming refuses."""


class GameError(FilmError, ValueError):
    """A game of which there are no films."""

    def __init__(self, game: str, known: Sequence[str]) -> None:
        """Quote the ``game`` that is none of the ``known``."""
        super().__init__(f"no films of {game!r}: expected {', '.join(known)}")


class StepKind(StrEnum):
    """What happens in one step."""

    LAY = "lay"
    TAKE = "take"
    SHOW = "show"
    EXCHANGE = "exchange"
    MOVE = "move"
    CALL = "call"
    GIVE_UP = "give up"
    SAY = "say"
    NUDGE = "nudge"
    REACH = "reach"
    BUMP = "bump"
    LAMP = "lamp"
    FOCUS = "focus"


@dataclass(frozen=True)
class Step:
    """One step: who does it, with which pieces at which places, and the events that it is in the record.

    ``LAY`` puts ``pieces`` on ``places``; ``TAKE`` carries off what lies on ``places``; ``SHOW`` lifts it and puts it
    back; ``EXCHANGE`` takes what lies on the first place and lays the first piece there. ``NUDGE`` moves what lies on
    the first place a little; ``MOVE`` carries what lies on the first place to the second, the third to the fourth, and
    so on. The others move no piece.
    """

    kind: StepKind
    player: str = ""
    pieces: tuple[str, ...] = ()
    places: tuple[Place, ...] = ()
    events: tuple[Event, ...] = ()


@dataclass(frozen=True)
class ScriptSettings:
    """How people play. Shares are 0..1, for each SET found.

    ``picks`` ends the film after so many SETs (None: the whole game). ``false_call`` is the share of calls after which
    nobody picks, ``false_pick`` of those after which three pieces are lifted that are no SET. ``nudge``, ``reach``,
    ``bump``, ``lamp`` and ``focus`` are the shares of pauses in which that happens; ``close_up`` is how often people
    fill the gaps of a table of fifteen when three have gone. ``most`` is the largest table, ``rolls`` how often dice
    are rolled until they can be played.
    """

    picks: int | None = None
    players: tuple[int, int] = (2, 4)
    false_call: float = 0.1
    false_pick: float = 0.1
    nudge: float = 0.15
    reach: float = 0.1
    bump: float = 0.06
    lamp: float = 0.06
    focus: float = 0.08
    close_up: float = 0.4
    most: int = 18
    rolls: int = 400


@dataclass(frozen=True)
class Script:
    """A game as it will be filmed: the header of its record, its steps, and the places that it needs.

    ``board`` is what a board file holds, for Cubed only.
    """

    game: str
    players: tuple[str, ...]
    steps: tuple[Step, ...]
    places: tuple[Place, ...]
    board: Mapping[str, object] | None = None

    @property
    def header(self) -> dict[str, object]:
        """The first line of the record."""
        line: dict[str, object] = {"game": self.game, "players": list(self.players), "options": {}}
        return line if self.board is None else {**line, "board": dict(self.board)}


def makes_set(pieces: Sequence[Card | Tile]) -> bool:
    """Whether three pieces are a SET (SET-1)."""
    return all(sum(values) % 3 == 0 for values in zip(*(piece.values for piece in pieces), strict=True))


def seated(rng: Random, settings: ScriptSettings) -> tuple[str, ...]:
    """Names of the players of a film."""
    low, high = settings.players
    return _NAMES[: int(rng.integers(low, high + 1))]


def disturbances(rng: Random, settings: ScriptSettings, lying: Sequence[Place]) -> Iterator[Step]:
    """What happens in a pause besides the play."""
    for kind, share in (
        (StepKind.NUDGE, settings.nudge),
        (StepKind.REACH, settings.reach),
        (StepKind.BUMP, settings.bump),
        (StepKind.LAMP, settings.lamp),
        (StepKind.FOCUS, settings.focus),
    ):
        if lying and rng.random() < share:
            yield Step(kind, places=(lying[int(rng.integers(0, len(lying)))],))


@dataclass
class _Table:
    """A game with calls, as it is being written: what lies where, what is in the pile, who is out."""

    rng: Random
    settings: ScriptSettings
    game: str
    players: tuple[str, ...]
    pile: list[Card | Tile]
    due: int
    lying: dict[Place, Card | Tile] = field(default_factory=dict)
    out: set[str] = field(default_factory=set)
    steps: list[Step] = field(default_factory=list)

    def deal(self, count: int) -> None:
        """Lay ``count`` pieces of the pile on the lowest free places."""
        places: list[Place] = [(index,) for index in range(self.settings.most + 9)]
        free = (place for place in places if place not in self.lying)
        new = {place: self.pile.pop() for _, place in zip(range(min(count, len(self.pile))), free, strict=False)}
        if new:
            names = tuple(str(piece) for piece in new.values())
            event = {"type": "dealt", "cards": list(names)}
            dealer = self.players[int(self.rng.integers(0, len(self.players)))]
            self.steps.append(Step(StepKind.LAY, dealer, names, tuple(new), (event,)))
            self.lying.update(new)

    def sets(self) -> list[tuple[Place, ...]]:
        """The places of every SET that lies there."""
        return [three for three in combinations(self.lying, 3) if makes_set([self.lying[place] for place in three])]

    def someone(self) -> str:
        """A player who may call."""
        able = [player for player in self.players if player not in self.out]
        return able[int(self.rng.integers(0, len(able)))]

    def call(self, kind: StepKind, player: str, places: tuple[Place, ...], event: Event) -> None:
        """Let ``player`` call, and do what ``kind`` says."""
        self.steps.append(Step(StepKind.CALL, player, events=({"type": "called", "player": player},)))
        self.steps.append(Step(kind, player, places=places, events=(event,)))

    def pick(self, kind: StepKind, player: str, places: tuple[Place, ...]) -> None:
        """Let ``player`` call and pick up ``places``, in any order."""
        places = tuple(places[int(index)] for index in self.rng.permutation(3))
        cards = [str(self.lying[place]) for place in places]
        self.call(kind, player, places, {"type": "picked", "player": player, "cards": cards})

    def err(self, wrong: float, nothing: float) -> None:
        """Now and then someone calls without a SET; whoever is out in Ravensburger leaves another to go on (RAV-4)."""
        draw, player = self.rng.random(), self.someone()
        if draw > wrong + nothing or len(self.players) - len(self.out) < 2:
            return
        if draw < nothing:
            self.call(StepKind.GIVE_UP, player, (), {"type": "gave_up", "player": player})
        else:
            self.pick(StepKind.SHOW, player, self.no_set())
        if self.game == "ravensburger":
            self.out.add(player)
        self.steps += disturbances(self.rng, self.settings, list(self.lying))

    def no_set(self) -> tuple[Place, ...]:
        """Three places that are no SET."""
        places = list(self.lying)
        while True:
            three = tuple(places[int(index)] for index in self.rng.permutation(len(places))[:3])
            if not makes_set([self.lying[place] for place in three]):
                return three

    def take(self, places: tuple[Place, ...]) -> None:
        """Let someone pick a SET, and lay what is then due."""
        self.pick(StepKind.TAKE, self.someone(), places)
        self.out.clear()
        for place in places:
            del self.lying[place]
        if self.rng.random() < self.settings.reach:
            self.steps.append(Step(StepKind.REACH, places=places[:1]))
        self.close_up()
        self.deal(self.due - len(self.lying))

    def close_up(self) -> None:
        """Fill the gaps of a table that is too large with what lies beyond them, if people care to."""
        free = [(index,) for index in range(self.due) if (index,) not in self.lying]
        beyond = sorted(place for place in self.lying if place[0] >= self.due)
        moves = list(zip(beyond, free, strict=False))
        if len(self.lying) < self.due or not moves or self.rng.random() >= self.settings.close_up:
            return
        for start, end in moves:
            self.lying[end] = self.lying.pop(start)
        self.steps.append(Step(StepKind.MOVE, places=tuple(place for pair in moves for place in pair)))

    def agree(self) -> None:
        """Let all say that there is no SET, and lay three more (CLASSIC-7)."""
        for index in self.rng.permutation(len(self.players)):
            event = {"type": "no_set", "player": self.players[int(index)]}
            self.steps.append(Step(StepKind.SAY, self.players[int(index)], events=(event,)))
        self.deal(3)

    def play(self) -> None:
        """Write the game down to its end, or to the last pick that is asked for."""
        self.deal(self.due)
        taken = 0
        while self.settings.picks is None or taken < self.settings.picks:
            found = self.sets()
            if not found and not self.pile:
                return
            if not found:
                self.agree()
                continue
            self.steps += disturbances(self.rng, self.settings, list(self.lying))
            self.err(self.settings.false_pick, self.settings.false_call)
            self.take(found[int(self.rng.integers(0, len(found)))])
            taken += 1


def _pieces(game: str) -> tuple[tuple[Card | Tile, ...], int]:
    """What is in the box, and how many lie on the table."""
    boxes: dict[str, tuple[tuple[Card | Tile, ...], int]] = {
        "classic": (full_deck(), 12),
        "ravensburger": (full_deck(Shape.RECTANGLE), 12),
        "junior-2": (full_tiles(), 10),
    }
    if game not in boxes:
        raise GameError(game, tuple(boxes))
    return boxes[game]


def table_script(game: str, rng: Random, settings: ScriptSettings | None = None) -> Script:
    """Return a game with calls: "classic", "ravensburger" or "junior-2", never with more than ``most`` on the table.

    :raises GameError: ``game`` is none of these.
    """
    settings = ScriptSettings() if settings is None else settings
    pieces, due = _pieces(game)
    while True:
        pile = [pieces[int(index)] for index in rng.permutation(len(pieces))]
        table = _Table(rng, settings, game, seated(rng, settings), pile, due)
        table.play()
        places = sorted({place for step in table.steps if step.kind is StepKind.LAY for place in step.places})
        if len(places) <= settings.most:
            return Script(game, table.players, tuple(table.steps), tuple(places))
