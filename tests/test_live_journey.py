"""Random games: a table that is taken up again from its record, time and again, ends as one that stays."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets.film_script import ScriptSettings
from engine.events import Called, Claimed, Dealt, Event, GaveUp, Laid, NoSet, Passed, Picked, TurnEnded, Undone
from engine.junior_board import PLACES, sample_board
from engine.record import read_event, read_header
from engine.sets import is_set
from engine.setup_game import true_claims
from engine.tokens import Piece
from service.live.happenings import Happening, HappeningKind
from service.live.settings import LiveSettings
from service.live.table import LiveTable
from tests.fake_moments import Scripted, moment, scripted, track
from tests.live import plain
from vision.tracks import Moment

HEADERS = {
    "classic": '{"game": "classic", "players": ["Ann", "Ben"], "options": {}}',
    "solitaire": '{"game": "classic", "players": ["Ann"], "options": {"solitaire": true}}',
    "ravensburger": '{"game": "ravensburger", "players": ["Ann", "Ben", "Cid"], "options": {}}',
    "junior-2": '{"game": "junior-2", "players": ["Ann", "Ben"], "options": {}}',
}


@dataclass
class Seat:
    """A live table with a tracker, and all that comes of it; it may be taken up again from its record."""

    table: LiveTable
    numbers: dict[int, int] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    told: list[Happening] = field(default_factory=list)

    @classmethod
    def of(cls, header: str, settings: LiveSettings) -> Seat:
        """Open a table whose record begins empty."""
        seat = cls(LiveTable(read_header(header), settings))
        seat.table = LiveTable(read_header(header), settings, seat.lines.append)
        return seat

    def let(self, act: Callable[[LiveTable], Iterable[Happening]]) -> None:
        """Let something happen; every line that is written is told once, and in order."""
        before = len(self.lines)
        told = list(act(self.table))
        events = [one.event for one in told if one.event is not None]
        assert events == list(range(before - 1, len(self.lines) - 1))
        assert tuple(self.lines) == self.table.record
        self.told += told

    def look(self, seen: Moment) -> None:
        """Let the table see a moment."""
        self.let(lambda table: table.look(seen))

    def tell(self, event: Event) -> None:
        """Let people tell the table an event."""
        self.let(lambda table: table.put(event))

    def number(self, piece: int) -> int:
        """The number that the tracker has for a piece."""
        return self.numbers.setdefault(piece, len(self.numbers))

    def resume(self, random: Random, time: float) -> None:
        """Go on with nothing but the record, or with a new tracker only."""
        if random.random() < 0.7:
            table = self.table
            events = [read_event(line, table.header) for line in self.lines[1:]]
            self.table = LiveTable.resumed(table.header, events, table.settings, self.lines.append, time)
        self.table.restart_sight()
        pieces = list(self.numbers)
        random.shuffle(pieces)
        self.numbers = {piece: number for number, piece in enumerate(pieces)}


@dataclass
class Evening:
    """People who play as they should, before two tables: one stays, the other one is taken up again all the time."""

    header: str
    random: Random
    time: float = 0.0
    lying: dict[int, Piece] = field(default_factory=dict)

    def __post_init__(self) -> None:
        settings = LiveSettings(clock_error=0.0, patience=0.5)
        self.seats = [Seat.of(self.header, settings) for _ in range(2)]
        deck = list(self.table.header.edition.deck)
        self.random.shuffle(deck)
        self.pile = list(enumerate(deck))

    @property
    def table(self) -> LiveTable:
        """The table that stays."""
        return self.seats[0].table

    def play(self, acts: int) -> None:
        """Play a while."""
        for _ in range(acts):
            legal = self.table.referee.legal
            due = sum(one.count for one in legal.due)
            if due:
                self.deal(due)
            elif self.table.caller is not None:
                self.show(self.table.caller)
            else:
                self.random.choice([self.call, self.call, self.call, self.undo, self.agree])()
            self.look(self.random.randint(2, 4))

    def look(self, times: int = 1, *, settled: bool | None = None) -> None:
        """Show both tables what lies there; between two looks one of them may be taken up again."""
        for number in range(times):
            self.time = round(self.time + 0.1, 1)
            rests = number > 0 and self.random.random() < 0.9 if settled is None else settled
            for seat in self.seats:
                tracks = [track(seat.number(one), piece, time=self.time) for one, piece in self.lying.items()]
                seat.look(moment(self.time, tracks, settled=rests))
            self.perhaps_resume()

    def perhaps_resume(self) -> None:
        """Take one of the tables up again, now and then."""
        if self.random.random() < 0.15:
            self.seats[1].resume(self.random, self.time)

    def tell(self, event: Event) -> None:
        """Tell both tables an event."""
        for seat in self.seats:
            seat.tell(event)
        self.perhaps_resume()

    def deal(self, due: int) -> None:
        """Lay what is due; some people say so too, before or while they do."""
        new, self.pile = dict(self.pile[:due]), self.pile[due:]
        says = self.random.choice([None, 0, 1, 2])
        for place, (number, piece) in enumerate(new.items()):
            if says == place:
                self.tell(Dealt(tuple(new.values())))
            self.lying[number] = piece
            if self.random.random() < 0.3:
                self.look(self.random.randint(1, 3))
        self.look(2, settled=True)

    def call(self) -> None:
        """Call, if anybody may."""
        player = self.random.choice(self.table.header.players)
        if not any(isinstance(move, Called) and move.player == player for move in self.table.referee.legal.moves):
            return
        if self.random.random() < 0.3:
            self.tell(Called(player))
            return
        for seat in self.seats:
            seat.let(lambda table: table.call(player, self.time))

    def show(self, player: str) -> None:
        """Pick a SET or three that are none, give up, or take the call back."""
        kind = self.random.choice(["set", "set", "set", "false", "gave up", "undone"])
        if kind == "gave up":
            self.tell(GaveUp(player))
            return
        if kind == "undone":
            self.undo()
            return
        sets = self.table.referee.state.sets()
        three = self.random.choice(sets) if sets and kind == "set" else self.three()
        says = self.random.choice([None, None, "before", "after"])
        if says == "before":
            self.tell(Picked(player, three))
        lifted = {number: piece for number, piece in self.lying.items() if piece in three}
        self.look(self.random.randint(0, 3), settled=says == "before" or None)
        self.lying = {number: piece for number, piece in self.lying.items() if number not in lifted}
        self.look(self.random.randint(0, 2), settled=False)
        self.look(2, settled=True)
        if says == "after":
            self.tell(Picked(player, three))
        if not is_set(*three):
            self.lying |= lifted
            self.look(2, settled=True)

    def three(self) -> tuple[Piece, Piece, Piece]:
        """Three pieces of the table."""
        first, second, third = self.random.sample(sorted(self.lying.values()), 3)
        return first, second, third

    def agree(self) -> None:
        """Say that there is no SET."""
        self.tell(NoSet(self.random.choice(self.table.header.players)))

    def undo(self) -> None:
        """Take the last event back, and put the pieces as they lay."""
        before = set(self.table.referee.state.table)
        self.tell(Undone())
        now = set(self.table.referee.state.table)
        deck = list(self.table.header.edition.deck)
        self.pile += [(number, piece) for number, piece in self.lying.items() if piece in before - now]
        self.lying = {number: piece for number, piece in self.lying.items() if piece in now}
        self.lying |= {1000 + deck.index(piece): piece for piece in now - set(self.lying.values())}
        self.look(2, settled=True)


@pytest.mark.parametrize("game", HEADERS)
@settings(max_examples=15)
@given(seed=st.integers(0, 2**32))
def test_a_table_that_is_resumed_ends_as_one_that_stays(game: str, seed: int) -> None:
    evening = Evening(HEADERS[game], Random(seed))  # noqa: S311
    evening.play(20)
    stays, resumed = evening.seats
    assert [plain(line) for line in stays.lines] == [plain(line) for line in resumed.lines]
    assert [one.ok for one in stays.table.referee.verdicts] == [one.ok for one in resumed.table.referee.verdicts]
    assert stays.table.referee.outcome == resumed.table.referee.outcome
    assert set(stays.table.layout.values()) == set(resumed.table.layout.values()) == set(evening.lying.values())


def refereed(script: Scripted, random: Random, chance: float) -> LiveTable:
    """A table of Cubed that has seen a film; it is taken up again by ``chance`` once somebody has begun."""
    seat = Seat(LiveTable(script.header))
    seat.table = LiveTable(script.header, None, seat.lines.append)
    seat.let(lambda table: table.call(script.header.players[0], 0.0))
    events = zip(script.timeline.events, script.events, strict=True)
    said = [(time, event) for (time, _), event in events if isinstance(event, Passed | TurnEnded)]
    for seen in script.moments():
        while said and said[0][0] <= seen.time - 1.0:
            seat.tell(said.pop(0)[1])
        seat.look(replace(seen, tracks=tuple(replace(one, identity=seat.number(one.identity)) for one in seen)))
        if seat.table.referee.state.leader is not None and random.random() < chance:
            seat.resume(random, seen.time)
    return seat.table


@pytest.mark.parametrize("seed", [0, 29])
def test_a_game_of_cubed_is_the_same_though_nobody_has_seen_a_roll(seed: int) -> None:
    script = scripted("cubed", seed, ScriptSettings(picks=12))
    stays, resumed = (refereed(script, Random(seed), chance) for chance in (0.0, 0.1))  # noqa: S311
    assert [plain(line) for line in stays.record] == [plain(line) for line in resumed.record]
    assert resumed.scores == script.referee.state.score
    assert str(resumed.layout) == str(stays.layout)


@given(seed=st.integers(0, 2**32))
@settings(max_examples=15)
def test_a_game_on_the_junior_board_is_the_same(seed: int) -> None:
    random, board = Random(seed), sample_board(seed=seed)  # noqa: S311
    found = {"game": "junior-1", "players": ["Ann", "Ben"], "options": {}, "board": board.to_json()["squares"]}
    seat = Seat.of(json.dumps(found), LiveSettings())
    laid: list[tuple[int, ...]] = []
    for number, at in enumerate(random.sample(PLACES, 12)):
        player = ("Ann", "Ben")[number % 2]
        if random.random() < 0.3:
            seat.tell(Laid(player, board[at], at))
        if random.random() < 0.3:
            seat.resume(random, float(number))
        laid.append(at)
        tracks = [track(seat.number(one), board[spot], cell=spot) for one, spot in enumerate(laid)]
        seat.look(moment(number + 0.5, tracks))
        if random.random() < 0.3:
            seat.resume(random, number + 0.5)
    told = [event for event in seat.table.referee.events if isinstance(event, Laid)]
    assert [(event.player, event.at) for event in told] == list(zip(("Ann", "Ben") * 6, laid, strict=True))
    assert [one.kind for one in seat.told] == [HappeningKind.EVENT] * 12


SETUP = '{"game": "setup", "players": ["Ann", "Ben"], "options": {}}'


@given(seed=st.integers(0, 2**32))
@settings(max_examples=15)
def test_a_game_of_setup_is_the_same(seed: int) -> None:
    random = Random(seed)  # noqa: S311
    seat = Seat.of(SETUP, LiveSettings())
    deck = list(enumerate(seat.table.header.edition.deck))
    random.shuffle(deck)
    lying: list[tuple[int, Piece]] = []
    for time, card in enumerate(deck[:40]):
        state = seat.table.referee.state
        claims = true_claims(state) if len(state.table) > 2 else ()
        if claims:
            player = next(name for name in state.players if name != state.layer)
            seat.tell(Claimed(player, claims[0]))
            lying.clear()
        lying.append(card)
        tracks = [track(seat.number(one), piece) for one, piece in lying]
        seat.look(moment(time, tracks))
        if random.random() < 0.3:
            seat.resume(random, time + 0.5)
        assert set(seat.table.layout.values()) == set(seat.table.referee.state.table) == {one for _, one in lying}
    assert {one.kind for one in seat.told} == {HappeningKind.EVENT}
