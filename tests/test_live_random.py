"""A live table under anything that can come in: it never crashes, its record tells all that it has judged, and it
tells every line of its record once.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.layout import Layout
from engine.record import read_header
from engine.sets import third
from engine.tokens import Card, Face, Piece, Tile, full_tiles
from service.live.correcting import standing
from service.live.errors import LiveError
from service.live.happenings import Happening
from service.live.settings import LiveSettings
from service.live.table import LiveTable
from tests.fake_moments import moment, track
from tests.games import BOARD
from tests.live import replayed
from vision.tracks import Moment

CUBED = {"rows": BOARD.rows, "columns": BOARD.columns, "logo": [list(at) for at in BOARD.logo], "bonus": []}
HEADERS = {
    "classic": '{"game": "classic", "players": ["Ann", "Ben"], "options": {}}',
    "ravensburger": '{"game": "ravensburger", "players": ["Ann", "Ben", "Cid"], "options": {}}',
    "junior-2": '{"game": "junior-2", "players": ["Ann", "Ben"], "options": {}}',
    "setup": '{"game": "setup", "players": ["Ann", "Ben"], "options": {}}',
    "cubed": json.dumps({"game": "cubed", "players": ["Ann", "Ben"], "options": {}, "board": CUBED}),
}


FIRST = tuple(map(Face.parse, ("1 red oval", "2 red oval", "3 red oval")))


def _number(square: tuple[int, int]) -> int:
    return square[0] * BOARD.columns + square[1]


@dataclass
class Chaos:
    """A table where anything happens, mostly things that people do."""

    game: str
    random: Random
    time: float = 0.0
    lying: dict[int, Piece] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    told: list[Happening] = field(default_factory=list)

    def __post_init__(self) -> None:
        settings = LiveSettings(call_limit=1.0, patience=0.5, deal_patience=0.8)
        self.table = LiveTable(read_header(HEADERS[self.game]), settings, self.lines.append)

    def step(self) -> None:
        """Let one thing happen."""
        acts = [
            self.deal,
            self.pick,
            self.deal,
            self.call,
            self.misread,
            self.decide,
            self.say,
            self.correct,
            self.resume,
        ]
        self.random.choice(acts)()
        for _ in range(self.random.randint(0, 8)):
            self.look(settled=self.random.random() < 0.8)

    def look(self, *, settled: bool) -> None:
        """Show the table; nothing that the game knows is lost without a word."""
        self.time += self.random.choice([0.1, 0.1, 0.1, -0.3])
        table = self.table
        before, scores, lying = table.layout, table.scores, self.known()
        told = table.look(self.moment(settled))
        self.told += told
        gone = self.shown(before) - self.shown(table.layout)
        if not settled:
            assert table.layout == before
        if gone & lying:
            assert told or table.referee.state.over is not None
        if table.scores != scores:
            assert any(one.points or one.changes for one in told)

    def shown(self, layout: Layout) -> set[object]:
        """What lies there: pieces, on a board each with its square."""
        return set(layout.entries if self.game == "cubed" else layout.values())

    def known(self) -> set[object]:
        """The same by the game."""
        state = self.table.referee.state
        if self.game == "cubed":
            return {(square, die.face) for square, die in state.grid.dice.items()}
        return set(state.table)

    def moment(self, settled: bool) -> Moment:
        """What lies there now."""
        on_board = self.game == "cubed"
        tracks = [
            track(number, piece, cell=divmod(number, BOARD.columns) if on_board else None)
            for number, piece in self.lying.items()
        ]
        return moment(self.time, tracks, settled=settled)

    def deal(self) -> None:
        """Lay what is due, or anything."""
        deck, due = self.table.header.edition.deck, self.due()
        if due and self.random.random() < 0.8:
            self.lying |= due
            return
        for piece in self.random.sample(deck, self.random.choice([1, 2, 3, 3, 10, 12])):
            self.lying[self.random.randrange(BOARD.rows * BOARD.columns)] = piece

    def due(self) -> dict[int, Piece]:
        """What people should lay now, by its place."""
        state, deck = self.table.referee.state, self.table.header.edition.deck
        if self.game == "cubed":
            return self.line() if state.grid.dice else dict(zip(map(_number, BOARD.logo), FIRST, strict=True))
        pile = [piece for piece in deck if piece not in getattr(state, "dealt", self.lying.values())]
        count = sum(due.count for due in self.table.referee.legal.due) or int(self.game == "setup")
        free = [place for place in range(81) if place not in self.lying]
        return dict(zip(free, self.random.sample(pile, min(count, len(pile))), strict=False))

    def line(self) -> dict[int, Piece]:
        """Two dice that make a SET with one on the board, in its column."""
        dice = [(at, face) for at, face in self.table.referee.state.grid.dice.items() if not face.counted.is_wild]
        (row, column), die = self.random.choice(dice)
        other = Face(self.random.choice(full_tiles()))
        spots = [(row + step, column) for step in (1, 2)]
        fits = all(at_row < BOARD.rows and _number((at_row, column)) not in self.lying for at_row, _ in spots)
        faces = (other, third(die.counted, other))
        return dict(zip(map(_number, spots), faces, strict=True)) if fits else {}

    def pick(self) -> None:
        """Take three pieces, a SET if there is one."""
        state = self.table.referee.state
        sets = state.sets() if hasattr(state, "sets") else []
        three = self.random.choice(sets) if sets else ()
        gone = [number for number, piece in self.lying.items() if piece in three]
        for number in gone or self.random.sample(sorted(self.lying), min(3, len(self.lying))):
            del self.lying[number]

    def call(self) -> None:
        """Call, now or earlier."""
        players = self.table.header.players
        at = self.time - self.random.choice([0, 0, 0.02, 0.5, 4, -1])
        self.told += self.table.call(self.random.choice(players), at)

    def misread(self) -> None:
        """Read one piece as something else."""
        if self.lying:
            self.lying[self.random.choice(sorted(self.lying))] = self.random.choice(self.table.header.edition.deck)

    def decide(self) -> None:
        """Decide whatever is open, or is not."""
        number = self.table.oddity.number if self.table.oddity else 7
        acts = (
            lambda: self.table.accept(number, self.random.randint(0, 1)),
            lambda: self.table.ignore(number),
            lambda: self.table.choose(self.random.choice([*self.table.header.players, None])),
        )
        try:
            self.told += self.random.choice(acts)()
        except LiveError:
            return

    def say(self) -> None:
        """Say what cannot be seen."""
        player = self.random.choice(self.table.header.players)
        said = [self.table.undo]
        if self.table.referee.game.has_calls:
            said += [lambda: self.table.no_set(player), lambda: self.table.give_up(player), self.table.pile_out]
        if self.game == "cubed":
            said += [lambda: self.table.turn_over(player)]
        self.told += self.random.choice(said)()

    def correct(self) -> None:
        """Correct a reading."""
        if self.lying:
            number = self.random.choice(sorted(self.lying))
            new = self.random.choice(self.table.header.edition.deck)
            old = self.lying[number]
            with suppress(LiveError):
                identity, force = self.random.choice([number, None]), self.random.random() < 0.3
                self.told += self.table.correct(old, new, identity=identity, force=force)
            for identity, piece in self.table.take_names():
                if identity in self.lying:
                    self.lying[identity] = piece

    def resume(self) -> None:
        """Take the table up again from its record, or let the tracker begin anew."""
        if self.random.random() < 0.5:
            self.table.restart_sight()
            return
        referee, table = replayed(self.table), self.table
        events = [entry.event for entry in referee.log]
        self.table = LiveTable.resumed(table.header, events, table.settings, self.lines.append, self.time)


@pytest.mark.parametrize("game", HEADERS)
@given(seed=st.integers(0, 2**32))
def test_anything_may_come_in(game: str, seed: int) -> None:
    chaos = Chaos(game, Random(seed))  # noqa: S311
    for _ in range(15):
        chaos.step()
    referee = replayed(chaos.table)
    assert referee.state == chaos.table.referee.state
    assert list(referee.verdicts) == list(chaos.table.referee.verdicts)
    assert referee.outcome == chaos.table.referee.outcome
    assert [referee.events[number] for number in standing(referee)] == [event for event, _ in referee.counted()]
    assert tuple(chaos.lines) == chaos.table.record
    assert [one.event for one in chaos.told if one.event is not None] == list(range(len(chaos.lines) - 1))


def test_the_chaos_has_pieces_of_every_kind() -> None:
    kinds = {type(read_header(header).edition.deck[0]) for header in HEADERS.values()}
    assert kinds == {Card, Tile, Face}
