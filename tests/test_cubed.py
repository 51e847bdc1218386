"""The game of Cubed: what is legal, hints, and recorded games."""

from __future__ import annotations

import json
import os
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from engine.clauses import Clause
from engine.cubed_state import CubedState
from engine.editions import PlayersError
from engine.events import (
    Announced,
    Asked,
    Called,
    Dealt,
    Ended,
    Event,
    Laid,
    Passed,
    PileOut,
    Rolled,
    Shuffled,
    Swapped,
    Tied,
    TurnEnded,
)
from engine.game import Due, Task, UnknownPlayerError
from engine.grid import BoardError
from engine.hints import HintLevel
from engine.options import OptionError
from engine.reasons import Reason
from engine.tokens import Face, full_tiles
from tests.cubed_table import BOARD, GAME, NOTHING, Table, dice, face, faces, no, position, yes

ROW = dice({(4, 5): "1ro 2ro 3ro"})


# Recorded games.


def _records() -> list[Any]:
    shared = os.environ.get("SET_REFEREE_SHARED")
    found = sorted(Path(shared, "data", "records").glob("cubed-*.record.jsonl")) if shared else []
    missing = pytest.mark.skip(reason="SET_REFEREE_SHARED is not set: no recorded games")
    return [pytest.param(path, id=path.name.split(".")[0]) for path in found] or [pytest.param(None, marks=missing)]


def _tiles(names: list[str]) -> tuple[Any, ...]:
    return tuple(Face.parse(name).tile for name in names)


def _event(data: dict[str, Any]) -> Event:
    who = data["player"]
    match data["type"]:
        case "rolled":
            return Rolled(who, tuple(map(Face.parse, data["faces"])))
        case "announced":
            return Announced(who, tuple(map(Face.parse, data["faces"])), _tiles(data.get("as", [])))
        case "laid":
            named = Face.parse(data["as"]).tile if "as" in data else None
            return Laid(who, Face.parse(data["face"]), tuple(data["at"]), named)
        case "swapped":
            return Swapped(who, Face.parse(data["face"]), tuple(data["at"]))
        case "passed":
            return Passed(who)
    assert data["type"] == "turn_ended"
    return TurnEnded(who)


@pytest.mark.parametrize("path", _records())
def test_recorded_games_get_the_answers_they_must(path: Path) -> None:
    header, *events = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    expected = path.with_name(path.name.replace(".record.", ".expect."))
    answers = list(map(json.loads, expected.read_text(encoding="utf-8").splitlines()))
    state = GAME.start(header["players"], header["options"], header["board"])
    for number, (data, answer) in enumerate(zip(events, answers[:-1], strict=True)):
        state, verdict = GAME.apply(state, _event(data))
        given = {"event": number, "ok": verdict.ok, "clause": verdict.clause.value, "points": dict(verdict.points)}
        given["scores"] = state.score
        assert {name: given[name] for name in answer} == answer
    outcome = GAME.outcome(state)
    assert answers[-1]["outcome"] == {
        "over": outcome.over,
        "scores": dict(outcome.scores),
        "winners": list(outcome.winners),
        "losers": list(outcome.losers),
    }


# The start, and events of other games.


def test_cubed_2_a_game_needs_a_board() -> None:
    with pytest.raises(BoardError):
        GAME.start(["Ann", "Ben"])
    assert GAME.start(["Ann", "Ben"], board=BOARD.to_json()) == GAME.start(["Ann", "Ben"], board=BOARD)


@pytest.mark.parametrize("players", [["Ann"], [str(number) for number in range(9)], ["Ann", "Ann"], ["Ann", ""]])
def test_who_cannot_play(players: list[str]) -> None:
    with pytest.raises(PlayersError):
        GAME.start(players, board=BOARD)


@pytest.mark.parametrize("options", [{"jokers": True}, {"swaps_per_turn": -1}, {"waiting_dice": None}])
def test_what_cannot_be_chosen(options: dict[str, object]) -> None:
    with pytest.raises(OptionError):
        GAME.start(["Ann", "Ben"], options, BOARD)


def test_events_of_other_games_and_strangers() -> None:
    table = position(ROW, "1ro", NOTHING)
    for event in (Called("Ann"), PileOut(), Shuffled(), Dealt(()), Tied(("Ann", "Ben"))):
        no(table.do(event), Clause.ALL_4, Reason.FOREIGN_EVENT)
    for stranger in (Passed("Zoe"), Rolled("Zoe", ()), Announced("Zoe", (), ()), Laid("Zoe", face("1ro"), (4, 8))):
        with pytest.raises(UnknownPlayerError):
            GAME.apply(table.state, stranger)


def test_people_may_stop_at_any_time() -> None:
    table = position(ROW, "1ro 2ro", NOTHING)
    table.lay("Ann", "1ro", 4, 8)
    yes(table.do(Ended()), Clause.ALL_2)
    no(table.lay("Ann", "2ro", 4, 9), Clause.ALL_2, Reason.GAME_OVER)
    assert GAME.legal(table.state).moves == ()
    assert GAME.outcome(table.state).winners == ("Ann",)


# What is legal.


def test_cubed_3_legal_in_the_opening() -> None:
    table = Table()
    assert GAME.legal(table.state).due == (Due(Task.ROLL, 5, "Ann"), Due(Task.ROLL, 5, "Ben"))
    table.roll("Ann", "1ro 2ro 3ro 1ro 2gd")
    assert GAME.legal(table.state).due == (Due(Task.ROLL, 5, "Ben"),)
    assert GAME.legal(table.state).moves == ()
    table.roll("Ben", NOTHING)
    legal = GAME.legal(table.state)
    assert legal.due == tuple(Due(Task.ROLL, 5, player, optional=True) for player in ("Ann", "Ben"))
    assert len(legal.moves) == 1
    assert isinstance(legal.moves[0], Announced)
    assert Counter(legal.moves[0].faces) == Counter(faces("1ro 2ro 3ro"))


@pytest.mark.parametrize(
    ("hand", "identical", "moves"),
    [
        ("1ro 2ro 2gd 1ps w", True, 6),
        ("w w 1ro 1ro 1ro", True, 27 + 1 + 1),
        ("w w 1ro 1ro 1ro", False, 26),
        ("w w w 1ro 1ro", True, 27 * 27 + 27 + 1),
        ("w w w w w", False, 27 * 26),
    ],
)
def test_cubed_14_legal_announcements_name_the_wilds(hand: str, identical: bool, moves: int) -> None:
    table = Table(identical_dice_are_set=identical)
    table.roll("Ann", hand)
    table.roll("Ben", NOTHING)
    found = [event for event in GAME.legal(table.state).moves if isinstance(event, Announced)]
    assert len(found) == len(set(found)) == moves
    for event in found:
        assert GAME.apply(table.state, event)[1].ok


def test_cubed_7_legal_dice_are_those_that_stand() -> None:
    for hands, waits in product(
        (("1ro 2ro 2gd w", "1ro"), ("w", "1ro"), ("2ro", "1ro"), ("1ro w w", "1ro")), (True, False)
    ):
        table = position({**ROW, **dice({(3, 4): "w=1ps"})}, *hands, waiting_dice=waits)
        for _ in range(3):
            _check_all_dice(table.state)
            laid = [event for event in GAME.legal(table.state).moves if isinstance(event, Laid)]
            if laid:
                table.do(laid[len(laid) // 2])


def _check_all_dice(state: CubedState) -> None:
    """Try every die on every square under every name."""
    names = (None, *full_tiles())
    squares = [(row, column) for row in range(3, 6) for column in range(4, 10)]
    stands = {
        event
        for player, word, at, named in product(state.players, {*state.hands[0], *state.hands[1]}, squares, names)
        if GAME.apply(state, event := Laid(player, word, at, named))[1].ok
    }
    listed = [event for event in GAME.legal(state).moves if isinstance(event, Laid)]
    assert len(listed) == len(set(listed))
    assert {event for event in listed if event.at in squares} == stands


def test_cubed_5_legal_names_the_next_player_too_where_the_turn_can_end() -> None:
    table = position(ROW, "1ro 2gd 3ps 2ps", "2ro 1gs 1gs", NOTHING)
    assert {event.player for event in _decisions(table.state)} == {"Ann"}
    table.lay("Ann", "1ro", 4, 8)
    moves = _decisions(table.state)
    assert TurnEnded("Ann") in moves
    assert Passed("Ann") not in moves
    assert Passed("Ben") in moves
    assert Laid("Ben", face("2ro"), (4, 9)) in moves
    table.lay("Ann", "2gd", 5, 5)
    assert {event.player for event in _decisions(table.state)} == {"Ann"}
    assert TurnEnded("Ann") not in _decisions(table.state)


def _decisions(state: CubedState) -> list[Any]:
    return list(GAME.legal(state).moves)


def test_cubed_11_legal_between_rounds() -> None:
    table = position(ROW, "1ro 2gd 2gd 2gd 2gd", NOTHING)
    table.lay("Ann", "1ro", 4, 8)
    table.passes("Ben")
    legal = GAME.legal(table.state)
    assert legal.due == (Due(Task.ROLL, 5, "Ann"), Due(Task.REROLL, 5, "Ben", optional=True))
    assert legal.moves == ()
    table.roll("Ben", NOTHING)
    table.roll("Ann", "1ro 2gd 2gd 2gd 2gd")
    legal = GAME.legal(table.state)
    assert legal.due == (Due(Task.REROLL, 5, "Ann", optional=True),)
    assert {event.player for event in _decisions(table.state)} == {"Ann"}


def test_cubed_15_legal_swaps() -> None:
    board = dice({(4, 5): "w=1ro w=2ro 3ro"})
    table = position(board, "2ro 3ro", "1ro")
    swaps = [event for event in GAME.legal(table.state).moves if isinstance(event, Swapped)]
    assert swaps == [Swapped("Ann", face("2ro"), (4, 6))]
    table.do(swaps[0])
    legal = GAME.legal(table.state)
    assert (legal.due, legal.moves) == ((Due(Task.ROLL, 2, "Ann"),), ())
    barred = position(board, "2ro 3ro", "1ro", swaps_per_turn=0)
    assert not any(isinstance(event, Swapped) for event in GAME.legal(barred.state).moves)


# Hints.


def ask(table: Table, player: str, level: HintLevel) -> Any:
    return table.do(Asked(player, level))


def test_hints_before_the_first_set_are_about_the_hand() -> None:
    table = Table(hints="three")
    table.roll("Ann", "1ro 2ro w 2gd 1ps")
    early = yes(ask(table, "Ann", HintLevel.YES_NO), Clause.CLASSIC_7, reason=Reason.HINT_NOT_NOW)
    assert early.facts == {"players": ("Ben",)}
    table.roll("Ben", NOTHING)
    yes(ask(table, "Ann", HintLevel.YES_NO), Clause.CLASSIC_7, reason=Reason.HINT_YES)
    yes(ask(table, "Ben", HintLevel.YES_NO), Clause.CLASSIC_7, reason=Reason.HINT_NO)
    assert ask(table, "Ann", HintLevel.COUNT).facts == {"count": 6}
    assert ask(table, "Ben", HintLevel.COUNT).facts == {"count": 0}
    assert ask(table, "Ann", HintLevel.TWO).facts == {"pieces": faces("1ro 2ro")}


def test_hints_are_about_the_best_turn() -> None:
    table = position(ROW, "1ro 2ro w", "2gd", hints="three")
    yes(ask(table, "Ann", HintLevel.YES_NO), Clause.CLASSIC_7, reason=Reason.HINT_TURN_YES)
    count = yes(ask(table, "Ann", HintLevel.COUNT), Clause.CLASSIC_7, reason=Reason.HINT_TURN_COUNT)
    assert int(str(count.facts["count"])) >= 3
    three = ask(table, "Ann", HintLevel.THREE)
    assert three.reason is Reason.HINT_PLACES
    named = list(three.facts["named"])
    for piece, at in zip(three.facts["pieces"], three.facts["places"], strict=True):
        assert table.do(Laid("Ann", piece, at, named.pop(0) if piece.is_wild else None)).ok
    assert not named
    assert table.state.score["Ann"] >= 8
    barred = position(ROW, "2gd", "2gd", hints="three")
    for level in (HintLevel.YES_NO, HintLevel.COUNT, HintLevel.ONE):
        yes(ask(barred, "Ann", level), Clause.CLASSIC_7, reason=Reason.HINT_TURN_NO)


def test_hints_show_as_many_squares_as_asked_for() -> None:
    table = position(ROW, "1ro 2ro 3ro", "2gd", hints="two")
    assert len(ask(table, "Ann", HintLevel.ONE).facts["places"]) == 1
    assert len(ask(table, "Ann", HintLevel.TWO).facts["pieces"]) == 2
    no(ask(table, "Ann", HintLevel.THREE), Clause.CLASSIC_7, Reason.HINT_NOT_ALLOWED)
