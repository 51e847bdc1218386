"""SET Junior, face 1: each clause, both on the printed example board and on sampled ones."""

from __future__ import annotations

from random import Random

import pytest

from engine.clauses import Clause
from engine.editions import PlayersError, edition
from engine.events import Asked, Called, Ended, Event, Laid, Line, Place, Verdict
from engine.game import Legal
from engine.grid import BoardError
from engine.hints import HintLevel
from engine.junior1 import Junior1, Junior1State
from engine.junior_board import LINES, PLACES, JuniorBoard, sample_board
from engine.options import OptionError
from engine.reasons import Reason
from engine.sets import is_set
from engine.tokens import Card, Face, full_tiles

JUNIOR = Junior1(edition("junior-1"))
TRIO = ("Ann", "Ben", "Cid")
BOARD = sample_board(3)


def fresh(hints: str = "never", board: JuniorBoard = BOARD) -> Junior1State:
    return JUNIOR.start(TRIO, {"hints": hints}, board)


def lay(state: Junior1State, *places: Place) -> Junior1State:
    """Lay the right tiles in turn, all of which must stand."""
    for at in places:
        state, verdict = JUNIOR.apply(state, Laid(state.turn, state.board[at], at))
        assert verdict.ok
    return state


def points_of(state: Junior1State, at: Place) -> int:
    """What the player in turn gets for the tile of this space."""
    _, verdict = JUNIOR.apply(state, Laid(state.turn, state.board[at], at))
    assert verdict.ok
    return verdict.points.get(state.turn, 0)


def refused(state: Junior1State, event: Event) -> Verdict:
    """The verdict on an event that must change nothing."""
    after, verdict = JUNIOR.apply(state, event)
    assert after is state
    assert not verdict.ok
    assert not verdict.counts
    assert not verdict.points
    return verdict


def test_jun_1_27_tiles_without_shading_and_24_tokens() -> None:
    assert len(set(JUNIOR.edition.deck)) == 27
    assert set(JUNIOR.edition.deck) == set(full_tiles())
    assert [feature.value for feature in JUNIOR.edition.features] == ["number", "colour", "shape"]
    state = lay(fresh(), *PLACES)
    assert sum(state.scores) == 24


def test_jun_2_a_game_needs_a_board() -> None:
    assert JUNIOR.start(TRIO, board=BOARD.to_json()).board == BOARD
    assert JUNIOR.start(TRIO, board=BOARD.to_json()["squares"]).board == BOARD
    others: tuple[object, ...] = (None, [], {"squares": BOARD.to_json()["squares"], "game": "cubed"})
    for board in others:
        with pytest.raises(BoardError):
            JUNIOR.start(TRIO, board=board)


def test_jun_2_every_line_of_the_board_pays_once_and_is_a_set() -> None:
    state = fresh()
    seen: list[Line] = []
    for at in reversed(PLACES):
        state, verdict = JUNIOR.apply(state, Laid(state.turn, BOARD[at], at))
        seen += verdict.sets
    assert sorted(line.at for line in seen) == sorted(LINES)
    assert all(is_set(*line.pieces) for line in seen)


def test_jun_3_a_turn_is_one_tile_on_its_space() -> None:
    state = fresh()
    for player, at in zip(("Ann", "Ben", "Cid", "Ann"), PLACES[:2] + PLACES[3:5], strict=True):
        assert state.turn == player
        state, verdict = JUNIOR.apply(state, Laid(player, BOARD[at], at))
        assert (verdict.ok, verdict.clause, verdict.reason) == (True, Clause.JUN_3, Reason.TILE_LAID)
        assert verdict.facts == {"player": player, "piece": BOARD[at], "at": at}
        assert at in state.covered


@pytest.mark.parametrize("player", ["Ann", "Cid"])
def test_jun_3_nobody_lays_out_of_turn(player: str) -> None:
    state = lay(fresh(), (0, 0, 0))
    verdict = refused(state, Laid(player, BOARD[0, 0, 1], (0, 0, 1)))
    assert (verdict.clause, verdict.reason) == (Clause.JUN_3, Reason.NOT_YOUR_TURN)
    assert verdict.facts == {"player": player, "turn": "Ben"}


@pytest.mark.parametrize("seats", range(2, 10))
def test_jun_3_turns_go_round_and_no_hand_is_empty_in_turn(seats: int) -> None:
    state = JUNIOR.start([f"player {seat}" for seat in range(seats)], board=BOARD)
    hands, pile = dict.fromkeys(state.players, 3), 27 - 3 * seats
    for at in PLACES:
        assert hands[state.turn] > 0
        drawn = int(pile > 0)
        hands[state.turn] += drawn - 1
        pile -= drawn
        state = lay(state, at)
    assert state.over is Clause.JUN_5
    assert not any(hands.values())


def test_jun_3_two_to_nine_players() -> None:
    for seats in (1, 10):
        with pytest.raises(PlayersError, match=f"got {seats}"):
            JUNIOR.start([f"player {seat}" for seat in range(seats)], board=BOARD)
    with pytest.raises(OptionError, match="turns"):
        JUNIOR.start(TRIO, {"turns": True}, BOARD)


def test_jun_4_a_completed_line_wins_a_token() -> None:
    state, verdict = JUNIOR.apply(lay(fresh(), (1, 0, 0), (1, 0, 2)), Laid("Cid", BOARD[1, 0, 1], (1, 0, 1)))
    row = ((1, 0, 0), (1, 0, 1), (1, 0, 2))
    assert (verdict.ok, verdict.clause, verdict.reason) == (True, Clause.JUN_4, Reason.LINES_COMPLETED)
    assert verdict.points == {"Cid": 1}
    assert verdict.sets == (Line(BOARD.pieces(row), 1, row),)
    assert verdict.facts == {"player": "Cid", "piece": BOARD[1, 0, 1], "at": (1, 0, 1), "count": 1}
    assert state.score == {"Ann": 0, "Ben": 0, "Cid": 1}


@pytest.mark.parametrize("square", range(3))
def test_jun_4_centre_pays_four_a_corner_three_an_edge_two(square: int) -> None:
    most = []
    for row in range(3):
        for column in range(3):
            at = (square, row, column)
            others = [other for other in PLACES if other[0] == square and other != at]
            most.append(points_of(lay(fresh(), *others), at))
    assert most == [3, 2, 3, 2, 4, 2, 3, 2, 3]


def test_jun_4_two_covered_spaces_of_different_lines_pay_nothing() -> None:
    assert points_of(lay(fresh(), (0, 0, 0), (0, 1, 0)), (0, 0, 1)) == 0
    assert points_of(lay(fresh(), (0, 0, 0), (1, 0, 2)), (0, 0, 1)) == 0


def test_jun_5_a_tile_lies_only_on_the_space_identical_to_it() -> None:
    tile, space = BOARD[0, 0, 0], BOARD[2, 1, 1]
    verdict = refused(fresh(), Laid("Ann", tile, (2, 1, 1)))
    assert (verdict.clause, verdict.reason) == (Clause.JUN_5, Reason.WRONG_SPACE)
    assert verdict.facts == {"piece": tile, "at": (2, 1, 1), "space": space}


def test_jun_5_a_covered_space_takes_no_tile() -> None:
    state = lay(fresh(), (0, 0, 0))
    for tile in (BOARD[0, 0, 0], BOARD[0, 0, 1]):
        verdict = refused(state, Laid("Ben", tile, (0, 0, 0)))
        assert (verdict.clause, verdict.reason) == (Clause.JUN_5, Reason.SPACE_COVERED)
        assert verdict.facts == {"piece": tile, "at": (0, 0, 0), "space": BOARD[0, 0, 0]}


@pytest.mark.parametrize("at", [(3, 0, 0), (0, 3, 0), (0, 0, -1), (0, 0), (0, 0, 0, 0), ()])
def test_jun_5_a_tile_lies_on_the_board(at: Place) -> None:
    verdict = refused(fresh(), Laid("Ann", BOARD[0, 0, 0], at))
    assert (verdict.clause, verdict.reason) == (Clause.JUN_5, Reason.NO_SUCH_SPACE)
    assert verdict.facts == {"piece": BOARD[0, 0, 0], "at": at}


def test_jun_5_the_game_ends_when_all_27_spaces_are_covered_and_most_tokens_win() -> None:
    state = lay(fresh(), *PLACES[:-1])
    assert state.over is None
    state, verdict = JUNIOR.apply(state, Laid("Cid", BOARD[PLACES[-1]], PLACES[-1]))
    assert (verdict.clause, verdict.reason, verdict.points) == (Clause.JUN_4, Reason.LINES_COMPLETED, {"Cid": 3})
    assert verdict.facts["ends"] == "game"
    assert state.over is Clause.JUN_5
    outcome = JUNIOR.outcome(state)
    assert (outcome.over, outcome.scores) == (True, {"Ann": 6, "Ben": 3, "Cid": 15})
    assert (outcome.winners, outcome.losers) == (("Cid",), ())
    for event in (Laid("Ann", BOARD[0, 0, 0], (0, 0, 0)), Ended(), Asked("Ann", HintLevel.ONE)):
        verdict = refused(state, event)
        assert (verdict.clause, verdict.reason) == (Clause.JUN_5, Reason.GAME_OVER)
    assert JUNIOR.legal(state) == Legal()


def test_all_2_people_can_stop_before() -> None:
    state, verdict = JUNIOR.apply(lay(fresh(), *PLACES[:4]), Ended())
    assert (verdict.ok, JUNIOR.legal(state)) == (True, Legal())
    assert refused(state, Laid("Ben", BOARD[PLACES[4]], PLACES[4])).clause is Clause.ALL_2


def test_all_1_ties_share_the_lead() -> None:
    assert JUNIOR.outcome(fresh()).winners == TRIO
    assert JUNIOR.outcome(lay(fresh(), *PLACES[:3])).winners == ("Cid",)


def test_all_4_events_and_pieces_of_other_games_are_refused() -> None:
    tile, at = BOARD[0, 0, 0], (0, 0, 0)
    foreign: tuple[Event, ...] = (
        Called("Ann"),
        Laid("Ann", tile),
        Laid("Ann", Card.parse("1 red solid oval"), at),
        Laid("Ann", Face(tile), at),
        Laid("Ann", tile, at, tile),
    )
    for event in foreign:
        verdict = refused(fresh(), event)
        assert (verdict.clause, verdict.reason) == (Clause.ALL_4, Reason.FOREIGN_EVENT)


def test_legal_offers_the_tile_of_every_open_space() -> None:
    moves = JUNIOR.legal(lay(fresh(), *PLACES[:5])).moves
    assert moves == tuple(Laid("Cid", BOARD[at], at) for at in PLACES[5:])


def test_every_legal_move_of_random_games_stands_and_points_make_the_scores() -> None:
    for seed in range(5):
        random = Random(seed)  # noqa: S311
        state, points = fresh(board=sample_board(seed)), dict.fromkeys(TRIO, 0)
        while state.over is None:
            state, verdict = JUNIOR.apply(state, random.choice(JUNIOR.legal(state).moves))
            assert verdict.ok
            for player, many in verdict.points.items():
                points[player] += many
        assert points == state.score
        assert sum(state.scores) == 24


def asked(state: Junior1State, level: HintLevel) -> Verdict:
    after, verdict = JUNIOR.apply(state, Asked("Ben", level))
    assert after is state
    return verdict


def test_hints_are_about_the_spaces_that_would_complete_a_line() -> None:
    state = lay(fresh("three"), (0, 0, 0), (0, 0, 2), (0, 1, 2), (2, 0, 0), (2, 0, 1))
    # Open and completing: (0, 0, 1) its row, (0, 2, 2) its column, (2, 0, 2) its row; nothing else.
    assert asked(state, HintLevel.YES_NO).reason is Reason.HINT_SPACES_YES
    verdict = asked(state, HintLevel.COUNT)
    assert (verdict.clause, verdict.reason, verdict.facts) == (Clause.CLASSIC_7, Reason.HINT_SPACES_COUNT, {"count": 3})
    assert asked(fresh("three"), HintLevel.COUNT).facts == {"count": 0}
    for level in (HintLevel.YES_NO, HintLevel.ONE, HintLevel.THREE):
        assert asked(fresh("three"), level).reason is Reason.HINT_SPACES_NO


@pytest.mark.parametrize(("level", "shown"), [(HintLevel.ONE, 1), (HintLevel.TWO, 2), (HintLevel.THREE, 3)])
def test_hints_show_a_line_of_the_space_that_pays_most_and_the_missing_tile_last(level: HintLevel, shown: int) -> None:
    state = lay(fresh("three"), (0, 0, 0), (0, 0, 1), (1, 0, 0), (1, 0, 2), (1, 1, 1), (1, 2, 1))
    verdict = asked(state, level)
    places = ((1, 0, 0), (1, 0, 2), (1, 0, 1))[:shown]
    assert (verdict.clause, verdict.reason) == (Clause.CLASSIC_7, Reason.HINT_PLACES)
    assert verdict.facts == {"pieces": tuple(BOARD[at] for at in places), "places": places}


def test_classic_7_hints_are_refused_unless_the_table_allows_them() -> None:
    assert refused(fresh(), Asked("Ann", HintLevel.YES_NO)).reason is Reason.HINT_NOT_ALLOWED
