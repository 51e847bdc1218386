"""SET Junior, face 2, clause by clause."""

from __future__ import annotations

from typing import Any

import pytest

from engine.clauses import Clause
from engine.editions import EDITIONS
from engine.events import Called, Dealt, GaveUp, NoSet, Passed, Picked, PileOut, Shuffled
from engine.game import Due, Legal, Task
from engine.reasons import Cost, Reason
from engine.sets import find_sets
from engine.tokens import Tile, full_tiles
from tests.games import TRIO, CallTable, without_set

TILES = full_tiles()


def table(*players: str, seed: int | None = None, **options: Any) -> CallTable:
    """A table before its first deal."""
    return CallTable("junior-2", *players, seed=seed, **options)


def laid(*players: str, **options: Any) -> CallTable:
    """A table with its first ten tiles."""
    opened = table(*players, **options)
    opened.deal()
    return opened


def pile_out(*players: str, seed: int = 0, **options: Any) -> CallTable:
    """A table with the pile out, where SETs still lie, reached by play."""
    for start in range(seed, seed + 100):
        opened = table(*players, seed=start, **options)
        turn = 0
        while opened.due or opened.state.pile:
            opened.step(opened.state.players[turn % len(opened.state.players)])
            turn = opened.state.turn
        if opened.state.over is None and not opened.state.round_over and len(opened.state.table) < 10:
            return opened
    raise AssertionError("no seed leads there")


def test_jun_6_one_tile_lies_on_each_of_the_ten_spaces_and_17_are_the_pile() -> None:
    assert EDITIONS["junior-2"].deck == TILES
    opened = table()
    for count in (0, 9, 11, 12):
        verdict = opened.refused(opened.next(count), Clause.JUN_6, Reason.WRONG_NUMBER)
        assert verdict.facts["due"] == 10
    opened.refused(Dealt(cards=(*TILES[:9], TILES[3])), Clause.JUN_6, Reason.PIECE_TWICE)
    opened.refused(Dealt(cards=(*TILES[:9], Tile.parse("1 red rectangle"))), Clause.JUN_6, Reason.NOT_IN_DECK)
    opened.stands(opened.next(10), Clause.JUN_6, Reason.DEALT)
    assert opened.state.pile == 17
    opened.refused(opened.next(3), Clause.JUN_7, Reason.NONE_DUE)


def test_jun_6_nothing_is_called_before_the_first_deal() -> None:
    table().refused(Called(player="Ann"), Clause.JUN_6, Reason.BEFORE_DEAL)


def test_jun_7_there_are_no_turns_and_the_others_stop() -> None:
    opened = laid()
    opened.refused(opened.right("Ben"), Clause.JUN_7, Reason.NO_CALL)
    opened.stands(Called(player="Ben"), Clause.JUN_7, Reason.CALLED)
    opened.refused(Called(player="Ann"), Clause.JUN_7, Reason.CALL_OPEN)
    opened.refused(GaveUp(player="Ann"), Clause.JUN_7, Reason.NO_CALL)
    opened.refused(Picked(player="Ben", cards=(TILES[0],) * 3), Clause.JUN_7, Reason.BAD_PICK)
    verdict = opened.stands(opened.right("Ben"), Clause.JUN_7, Reason.SET_TAKEN, Ben=1)
    assert verdict.sets[0].points == 1
    opened.stands(Called(player="Ben"), Clause.JUN_7, Reason.CALLED)
    opened.stands(opened.right("Ben"), Clause.JUN_7, Reason.SET_TAKEN, Ben=1)
    assert len(opened.state.table) == 4
    opened.refused(opened.next(3), Clause.JUN_7, Reason.WRONG_NUMBER)
    opened.stands(opened.next(6), Clause.JUN_7, Reason.DEALT)


def test_jun_7_the_last_refill_has_two_tiles() -> None:
    opened = table(seed=4)
    opened.finish(pile=2)
    opened.take("Ann")
    assert opened.due == 2
    opened.refused(opened.next(1), Clause.JUN_7, Reason.WRONG_NUMBER)
    opened.stands(opened.next(2), Clause.JUN_7, Reason.DEALT)
    assert len(opened.state.table) == 9


def test_jun_8_a_false_call_gives_one_set_back_if_there_is_one() -> None:
    opened = laid()
    opened.play(Called(player="Ann"))
    wrong = opened.wrong("Ann")
    verdict = opened.judged(wrong, Clause.JUN_8, Reason.NOT_A_SET)
    assert verdict.failed == wrong.cards
    assert verdict.facts == {"player": "Ann", "cost": Cost.NOTHING_BACK}
    assert set(wrong.cards) <= set(opened.state.table)
    opened.take("Ann")
    opened.deal()
    opened.take("Ann")
    opened.deal()
    opened.take("Ben")
    before = opened.state
    opened.play(Called(player="Ann"))
    verdict = opened.judged(GaveUp(player="Ann"), Clause.JUN_8, Reason.GAVE_UP, Ann=-1)
    assert verdict.facts == {"player": "Ann", "cost": Cost.SET_BACK}
    assert opened.state.score == {"Ann": 1, "Ben": 1, "Cid": 0}
    assert (opened.state.table, opened.state.pile) == (before.table, before.pile)
    opened.play(Called(player="Ann"))
    opened.judged(GaveUp(player="Ann"), Clause.JUN_8, Reason.GAVE_UP, Ann=-1)
    opened.play(Called(player="Ann"))
    opened.judged(GaveUp(player="Ann"), Clause.JUN_8, Reason.GAVE_UP)


def test_jun_8_the_tiles_that_go_back_leave_the_game() -> None:
    opened = laid()
    gone = opened.take("Ann").sets[0].pieces
    opened.deal()
    opened.err("Ann")
    assert opened.due == 0
    opened.take("Ben")
    opened.refused(Dealt(cards=gone), Clause.JUN_6, Reason.PIECE_TWICE)


def test_jun_8_only_a_set_of_this_round_goes_back() -> None:
    opened = table("Ann", "Ben", rounds=True)
    opened.finish("Ann")
    won = opened.state.scores[0]
    opened.play(Shuffled())
    opened.deal()
    opened.play(Called(player="Ann"))
    opened.judged(opened.wrong("Ann"), Clause.JUN_8, Reason.NOT_A_SET)
    opened.take("Ann")
    opened.deal()
    opened.play(Called(player="Ann"))
    opened.judged(opened.wrong("Ann"), Clause.JUN_8, Reason.NOT_A_SET, Ann=-1)
    opened.play(Called(player="Ann"))
    opened.judged(opened.wrong("Ann"), Clause.JUN_8, Reason.NOT_A_SET)
    assert opened.state.scores == (won, 0)


def test_jun_8_any_token_goes_back() -> None:
    opened = table("Ann", "Ben", rounds=True, tokens=True)
    opened.finish("Ann")
    won = opened.state.scores[0]
    opened.play(Shuffled())
    opened.deal()
    for _ in range(won):
        opened.play(Called(player="Ann"))
        verdict = opened.judged(opened.wrong("Ann"), Clause.JUN_8, Reason.NOT_A_SET, Ann=-1)
        assert verdict.facts["cost"] == Cost.TOKEN_BACK
    opened.play(Called(player="Ann"))
    verdict = opened.judged(GaveUp(player="Ann"), Clause.JUN_8, Reason.GAVE_UP)
    assert verdict.facts["cost"] == Cost.NOTHING_BACK
    assert opened.state.scores == (0, 0)


def test_jun_9_ten_tiles_always_hold_a_set_and_none_is_refused() -> None:
    assert len(without_set(TILES, 9)) == 9
    opened = table()
    opened.deal(*without_set(TILES, 9))
    assert opened.state.sets()
    opened.refused(NoSet(player="Ann"), Clause.JUN_9, Reason.ALWAYS_A_SET)


@pytest.mark.parametrize("dealt", [False, True])
def test_jun_9_no_set_does_not_count_while_the_pile_lasts(dealt: bool) -> None:
    opened = table()
    if dealt:
        opened.deal()
        opened.take("Ann")
    opened.refused(NoSet(player="Ann"), Clause.JUN_9, Reason.NO_SET_TOO_EARLY)


def test_jun_9_ten_tiles_hold_a_set_even_when_the_pile_is_out() -> None:
    opened = laid()
    opened.stands(PileOut(), Clause.JUN_9, Reason.PILE_OUT)
    opened.refused(NoSet(player="Ann"), Clause.JUN_9, Reason.ALWAYS_A_SET)
    opened.take("Ann")
    opened.stands(NoSet(player="Ann"), Clause.JUN_9, Reason.AGREED)


def test_jun_9_with_the_pile_out_agreement_of_all_ends_the_game() -> None:
    opened = pile_out()
    opened.stands(NoSet(player="Cid"), Clause.JUN_9, Reason.AGREED)
    opened.stands(NoSet(player="Ann"), Clause.JUN_9, Reason.AGREED)
    assert opened.due == 0
    assert opened.stands(NoSet(player="Ben"), Clause.JUN_9, Reason.ALL_AGREED_END).facts == {"ends": "game"}
    assert opened.state.over is Clause.JUN_9
    opened.refused(Called(player="Ann"), Clause.JUN_9, Reason.GAME_OVER)


@pytest.mark.parametrize("seed", range(10))
def test_jun_9_the_game_ends_when_the_pile_is_out_and_no_set_lies_there(seed: int) -> None:
    opened = table(seed=seed)
    while opened.state.over is None:
        assert opened.state.pile or find_sets(opened.state.table)
        opened.step(TRIO[len(opened.state.dealt) % 3])
    assert opened.state.over is Clause.JUN_9
    assert (opened.state.pile, opened.state.sets()) == (0, [])
    most = max(opened.state.scores)
    assert all(opened.state.score[name] == most for name in opened.rules.outcome(opened.state).winners)


def test_jun_10_every_player_deals_once_and_scores_are_kept() -> None:
    opened = table("Ann", "Ben", rounds=True)
    opened.deal()
    opened.refused(Shuffled(), Clause.JUN_10, Reason.ROUND_RUNS)
    opened.finish("Ann")
    won = opened.state.scores[0]
    assert (opened.state.over, opened.rules.legal(opened.state)) == (None, Legal((Due(Task.SHUFFLE),)))
    opened.refused(Called(player="Ann"), Clause.JUN_9, Reason.ROUND_OVER)
    opened.refused(opened.next(10), Clause.JUN_10, Reason.ROUND_OVER)
    verdict = opened.stands(Shuffled(), Clause.JUN_10, Reason.SHUFFLED)
    assert verdict.facts == {"round": 2, "rounds": 2}
    opened.deal()
    assert opened.state.scores == (won, 0)
    opened.finish("Ben")
    assert opened.state.scores[0] == won
    assert opened.state.over is Clause.JUN_10
    opened.refused(Shuffled(), Clause.JUN_10, Reason.GAME_OVER)


def test_jun_10_one_round_is_played_unless_the_table_says_otherwise() -> None:
    opened = table("Ann", "Ben")
    opened.refused(Shuffled(), Clause.JUN_10, Reason.ONE_ROUND)
    opened.finish("Ann")
    assert opened.state.over is Clause.JUN_9


def test_jun_11_players_search_in_turn() -> None:
    opened = laid(turns=True)
    verdict = opened.refused(Called(player="Ben"), Clause.JUN_11, Reason.NOT_YOUR_TURN)
    assert verdict.facts == {"player": "Ben", "turn": "Ann"}
    assert opened.rules.legal(opened.state).moves == (Called(player="Ann"), Passed(player="Ann"))
    opened.take("Ann")
    opened.deal()
    opened.refused(Called(player="Ann"), Clause.JUN_11, Reason.NOT_YOUR_TURN)
    opened.refused(Called(player="Cid"), Clause.JUN_11, Reason.NOT_YOUR_TURN)
    opened.err("Ben")
    opened.play(Called(player="Cid"), GaveUp(player="Cid"))
    opened.stands(Called(player="Ann"), Clause.JUN_7, Reason.CALLED)


def test_jun_11_a_search_is_given_up_without_penalty() -> None:
    opened = laid(turns=True)
    opened.take("Ann")
    opened.deal()
    opened.refused(Passed(player="Ann"), Clause.JUN_11, Reason.NOT_YOUR_TURN)
    for player in ("Ben", "Cid", "Ann"):
        opened.stands(Passed(player=player), Clause.JUN_11, Reason.SEARCH_PASSED)
    assert opened.state.score == {"Ann": 1, "Ben": 0, "Cid": 0}
    opened.play(Called(player="Ben"))
    opened.refused(Passed(player="Ben"), Clause.JUN_7, Reason.CALL_OPEN)


def test_jun_11_a_pick_that_names_no_three_tiles_leaves_the_turn() -> None:
    opened = laid(turns=True)
    opened.play(Called(player="Ann"))
    opened.refused(Picked(player="Ann", cards=TILES[:2]), Clause.JUN_7, Reason.BAD_PICK)
    opened.stands(opened.right("Ann"), Clause.JUN_7, Reason.SET_TAKEN, Ann=1)


def test_jun_11_without_the_variant_there_are_no_turns() -> None:
    opened = laid()
    opened.refused(Passed(player="Ann"), Clause.JUN_11, Reason.NO_TURNS)
    opened.stands(Called(player="Ben"), Clause.JUN_7, Reason.CALLED)


def test_jun_11_nobody_searches_between_rounds() -> None:
    opened = pile_out("Ann", "Ben", turns=True, rounds=True)
    opened.agree("Ann", "Ben")
    assert opened.state.round_over
    opened.refused(Passed(player=opened.state.players[opened.state.turn]), Clause.JUN_9, Reason.ROUND_OVER)
    opened.play(Shuffled())
    opened.deal()
    opened.stands(Passed(player="Ann"), Clause.JUN_11, Reason.SEARCH_PASSED)


def test_jun_12_a_set_is_removed_and_pays_one_token() -> None:
    opened = laid(tokens=True)
    opened.play(Called(player="Ben"))
    verdict = opened.stands(opened.right("Ben"), Clause.JUN_7, Reason.TOKEN_WON, Ben=1)
    assert (verdict.points, verdict.sets[0].points) == ({"Ben": 1}, 1)
    assert not set(verdict.sets[0].pieces) & set(opened.state.table)
    opened.deal()
    opened.err("Ben")
    opened.err("Ben")
    assert opened.state.score == {"Ann": 0, "Ben": 0, "Cid": 0}


def test_jun_12_most_tokens_win() -> None:
    opened = table(tokens=True, seed=1)
    opened.finish("Cid")
    assert opened.state.over is Clause.JUN_9
    assert opened.rules.outcome(opened.state).winners == ("Cid",)
