"""Cubed at a live table: nobody sees the hands, and yet turns and scores come out."""

from __future__ import annotations

import json

import pytest

from datasets.film_script import ScriptSettings
from engine.events import Announced, Event, Laid, Passed, Swapped, TurnEnded
from engine.labels import Language
from engine.record import read_event, read_header
from engine.tokens import Face
from service.live.happenings import Happening, HappeningKind
from service.live.rolls import UNSEEN, hold
from service.live.settings import LiveSettings
from service.live.table import LiveTable
from service.live.wilds import GUESSED
from tests.fake_moments import Scripted, moment, scripted, track
from tests.live import of_kind, replayed
from vision.tracks import Track

PLAYS = (Announced, Laid, Swapped)
THREE = ("1 red oval", "2 red oval", "3 red oval")
HEADER = (
    '{"game": "cubed", "players": ["Ann", "Ben"], "options": {}, "board": '
    '{"rows": 9, "columns": 9, "logo": [[4, 3], [4, 4], [4, 5]], "bonus": []}}'
)


def refereed(script: Scripted) -> LiveTable:
    """A table that has seen the film; people say who laid the first SET, and when a turn is passed or ended."""
    table = LiveTable(script.header)
    table.call(script.header.players[0], 0.0)
    said = [
        (time, event)
        for (time, _), event in zip(script.timeline.events, script.events, strict=True)
        if isinstance(event, Passed | TurnEnded)
    ]
    for seen in script.moments():
        while said and said[0][0] <= seen.time - 1.0:
            table.put(said.pop(0)[1])
        table.look(seen)
    return table


def plays_of(events: tuple[Event, ...]) -> list[str]:
    """What was to be seen of some events, but for what Wilds stand for and the order of dice laid together."""
    return sorted(
        f"{event.player} {event.faces if isinstance(event, Announced) else _die(event)}"
        for event in events
        if isinstance(event, PLAYS)
    )


def _die(event: Laid | Swapped) -> str:
    return f"{event.piece if isinstance(event, Laid) else event.face} {event.at}"


@pytest.mark.parametrize("seed", [0, 1, 2, 4, 5, 29])
def test_games_are_refereed_though_no_roll_is_seen(seed: int) -> None:
    script = scripted("cubed", seed, ScriptSettings(picks=12))
    assert all(verdict.ok for verdict in script.referee.verdicts)
    table = refereed(script)
    events, verdicts = table.referee.events, table.referee.verdicts
    assert plays_of(tuple(events)) == plays_of(script.events)
    assert all(v.ok for e, v in zip(events, verdicts, strict=True) if isinstance(e, PLAYS))
    assert table.scores == script.referee.state.score == replayed(table).state.score
    rolls = [json.loads(line) for line in table.record if '"rolled"' in line]
    assert {roll["note"] for roll in rolls} == {UNSEEN}


class Board:
    """A board that a test fills by hand."""

    def __init__(self, language: Language = Language.ENGLISH) -> None:
        self.table = LiveTable(read_header(HEADER), LiveSettings(language=language))
        self.dice: dict[tuple[int, int], Face] = {}
        self.time = 0.0

    def lay(self, **dice: str) -> list[tuple[str | None, str | None]]:
        """Lay dice, each named by its square ("s43"), and return the plays that are told."""
        for square, name in dice.items():
            self.dice[int(square[1]), int(square[2])] = Face.parse(name)
        return [(one.type, one.player) for one in self.look(0.3) if one.type in ("laid", "announced", "swapped")]

    def tracks(self) -> list[Track]:
        """What lies there."""
        return [track(row * 9 + column, face, cell=(row, column)) for (row, column), face in self.dice.items()]

    def look(self, seconds: float) -> list[Happening]:
        """Let time pass; return what is told meanwhile."""
        told: list[Happening] = []
        for _ in range(round(seconds * 10)):
            self.time += 0.1
            told += self.table.look(moment(self.time, self.tracks()))
        return told


def first(board: Board) -> None:
    """Let Ann lay the first SET."""
    board.table.call("Ann", 0.0)
    assert board.lay(s43="1 red oval", s44="2 red oval", s45="3 red oval") == [("announced", "Ann")]


def test_whose_the_first_set_is_is_asked() -> None:
    board = Board()
    board.lay(s43="1 red oval", s44="2 red oval", s45="3 red oval")
    (oddity,) = of_kind(board.look(3), HappeningKind.ODDITY)
    assert [choice.players for choice in oddity.choices] == [("Ann",), ("Ben",)]
    board.table.accept(oddity.number or 0, 1)
    assert board.table.scores == {"Ann": 0, "Ben": 3}


def test_turns_follow_the_order_of_the_seats() -> None:
    board = Board()
    first(board)
    assert board.lay(s53="1 green oval", s63="1 purple oval") == [("laid", "Ben")] * 2
    assert board.lay(s55="3 green oval", s65="3 purple oval") == [("laid", "Ann")] * 2, "four dice are too many"
    assert all(event.note == UNSEEN for event in board.table.referee.events if type(event).__name__ == "Rolled")


def test_dice_that_could_be_of_two_players_are_not_sure() -> None:
    board = Board()
    first(board)
    board.lay(s53="1 green oval", s63="1 purple oval")
    board.dice |= {(3, 4): Face.parse("2 green oval"), (2, 4): Face.parse("2 purple oval")}
    assert {(one.player, one.sure) for one in board.look(0.2) if one.type == "laid"} == {("Ann", True)}
    board.dice[1, 4] = Face.parse("2 red oval")
    assert {(one.player, one.sure) for one in board.look(0.2) if one.type == "laid"} == {("Ann", False)}


def test_rolls_that_nobody_has_seen_are_not_sure() -> None:
    board = Board()
    board.table.call("Ann", 0.0)
    board.dice = dict(zip(board.table.referee.state.grid.board.logo, map(Face.parse, THREE), strict=True))
    told = board.look(0.2)
    assert [(one.type, one.sure) for one in told] == [("rolled", False), ("rolled", False), ("announced", True)]
    assert UNSEEN in told[0].text


def test_guesses_and_choices_are_told_in_the_language_of_the_table() -> None:
    board = Board(Language.GERMAN)
    board.table.call("Ann", 0.0)
    board.dice = dict(zip(board.table.referee.state.grid.board.logo, map(Face.parse, THREE), strict=True))
    assert board.look(0.2)[0].text.endswith("(der Wurf war nicht zu sehen: bekannt sind nur die gelegten Würfel)")
    board.dice |= {(5, 3): Face.parse("1 green oval"), (6, 3): Face.parse("1 purple oval")}
    assert board.look(0.2)[-1].text.endswith("Gelegt in der erlaubten Reihenfolge, die am meisten bringt.")
    board.dice[5, 4] = Face(None)
    assert board.look(0.2)[-1].text.endswith("(wofür der Joker steht, ist geraten)")


def test_people_say_that_a_turn_is_over() -> None:
    board = Board()
    first(board)
    board.lay(s53="1 green oval", s63="1 purple oval")
    assert board.table.turn_over("Ben")[0].ok
    assert board.lay(s55="3 green oval", s65="3 purple oval") == [("laid", "Ann")] * 2


def test_who_says_mine_has_passed_the_others() -> None:
    board = Board()
    first(board)
    board.table.call("Ann", board.time)
    assert board.lay(s53="1 green oval", s63="1 purple oval") == [("laid", "Ann")] * 2
    assert [type(event).__name__ for event in board.table.referee.events].count("Passed") == 1


def test_a_guess_of_a_wild_is_taken_back_when_the_die_shows_it() -> None:
    board = Board()
    first(board)
    assert board.lay(s53="wild", s63="wild") == [("laid", "Ben")] * 2
    guesses = [event for event in board.table.referee.events if event.note == GUESSED]
    assert len(guesses) == 2
    board.table.turn_over("Ben")
    named = board.table.referee.state.grid.dice[5, 3].named
    other = next(name for name in ("1 green oval", "2 green squiggle") if str(named) != name)
    assert ("swapped", "Ann") in board.lay(s53=other)
    state = board.table.referee.state
    assert str(state.grid.dice[5, 3].face) == other
    assert replayed(board.table).state.score == board.table.scores


def test_a_hand_that_people_have_told_is_not_made_up() -> None:
    board = Board()
    five = '["1 red oval", "2 red oval", "3 red oval", "1 green oval", "1 purple oval"]'
    referee = read_header(HEADER).referee()
    assert {event.player for event in hold(referee.fork(), "Ann", ()) if hasattr(event, "player")} == {"Ann", "Ben"}
    for name in ("Ann", "Ben"):
        line = f'{{"type": "rolled", "player": "{name}", "faces": {five}}}'
        board.table.put(read_event(line, board.table.header))
    first(board)
    assert board.lay(s53="1 green squiggle", s63="1 purple diamond") == []
    assert [one.kind for one in board.look(3)] == [HappeningKind.ODDITY]


def test_a_fork_of_a_referee_is_its_own() -> None:
    board = Board()
    first(board)
    referee = board.table.referee
    fork, length = referee.fork(), len(referee.log)
    fork.apply(Passed("Ben"))
    assert (len(referee.log), len(fork.log)) == (length, length + 1)
    assert referee.events == fork.events[:length]
