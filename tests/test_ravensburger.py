"""Ravensburger SET, Easy and Forever, clause by clause."""

from __future__ import annotations

from typing import Any

import pytest

from engine.clauses import Clause
from engine.editions import EDITIONS, Feature, PlayersError
from engine.events import Called, Dealt, Ended, GaveUp, NoSet, Passed, Picked, PileOut, Shuffled
from engine.game import Due, Legal, Task
from engine.options import OptionError
from engine.reasons import Cost, Reason
from engine.tokens import Card, Colour, Shape, full_deck
from tests.games import TRIO, CallTable

DECK = full_deck(Shape.RECTANGLE)


def table(*players: str, seed: int | None = None, **options: Any) -> CallTable:
    """A table before its first deal."""
    return CallTable("ravensburger", *players, seed=seed, **options)


def laid(*players: str, **options: Any) -> CallTable:
    """A table with its first cards, among which there are SETs."""
    opened = table(*players, **options)
    opened.deal()
    assert len(opened.state.sets()) > 1
    return opened


def barren(*players: str, **options: Any) -> CallTable:
    """A table with its first cards, among which there is no SET."""
    opened = table(*players, **options)
    opened.deal_without_set()
    return opened


def lock_out(opened: CallTable, player: str, cost: Cost = Cost.OUT, **facts: str) -> None:
    """Let ``player`` make a false call, which must have that ``cost``."""
    opened.stands(Called(player=player), Clause.RAV_2, Reason.CALLED)
    verdict = opened.judged(opened.wrong(player), Clause.RAV_4, Reason.NOT_A_SET)
    assert verdict.facts == {"player": player, "cost": cost, **facts}


def forever(*players: str) -> CallTable:
    """A tournament with few cards, Ann being the first SET-Master."""
    opened = table(*players, easy="red", forever=True)
    opened.play(Shuffled(master="Ann"))
    return opened


def test_rav_1_the_deck_has_bars_in_place_of_diamonds_and_every_card_once() -> None:
    deck = EDITIONS["ravensburger"].deck
    assert len(set(deck)) == len(deck) == 81
    assert {card.shape for card in deck if isinstance(card, Card)} == {Shape.OVAL, Shape.RECTANGLE, Shape.SQUIGGLE}


def test_rav_1_the_edition_has_its_own_words() -> None:
    entry = EDITIONS["ravensburger"]
    said = {feature: {entry.word(card, feature) for card in entry.deck} for feature in Feature}
    assert said == {
        Feature.NUMBER: {"one", "two", "three"},
        Feature.COLOUR: {"red", "purple", "turquoise"},
        Feature.SHAPE: {"oval", "bar", "wave"},
        Feature.SHADING: {"open", "half", "full"},
    }


def test_rav_1_a_diamond_is_no_card_of_this_deck() -> None:
    cards = (*DECK[:11], Card.parse("1 red solid diamond"))
    table().refused(Dealt(cards=cards), Clause.RAV_2, Reason.NOT_IN_DECK)


def test_rav_2_twelve_cards_are_laid_first() -> None:
    opened = table()
    for count in (9, 11, 13):
        opened.refused(opened.next(count), Clause.RAV_2, Reason.WRONG_NUMBER)
    opened.refused(Dealt(cards=(*DECK[:11], DECK[0])), Clause.RAV_2, Reason.PIECE_TWICE)
    opened.stands(opened.next(12), Clause.RAV_2, Reason.DEALT)


def test_rav_2_nothing_is_called_before_the_first_deal() -> None:
    opened = table()
    opened.refused(Called(player="Ann"), Clause.RAV_2, Reason.BEFORE_DEAL)
    opened.refused(NoSet(player="Ann"), Clause.RAV_2, Reason.BEFORE_DEAL)


def test_rav_2_all_play_at_once_and_who_calls_first_must_show_it() -> None:
    opened = laid()
    opened.refused(opened.right("Cid"), Clause.RAV_2, Reason.NO_CALL)
    opened.stands(Called(player="Cid"), Clause.RAV_2, Reason.CALLED)
    opened.refused(Called(player="Ann"), Clause.RAV_2, Reason.CALL_OPEN)
    opened.refused(opened.right("Ann"), Clause.RAV_2, Reason.NO_CALL)
    opened.refused(GaveUp(player="Ann"), Clause.RAV_2, Reason.NO_CALL)
    opened.refused(NoSet(player="Ann"), Clause.RAV_2, Reason.CALL_OPEN)
    opened.refused(Picked(player="Cid", cards=DECK[:2]), Clause.RAV_2, Reason.BAD_PICK)
    opened.stands(opened.right("Cid"), Clause.RAV_3, Reason.SET_TAKEN, Cid=3)


def test_rav_3_the_caller_takes_the_cards_and_three_new_ones_are_laid() -> None:
    opened = laid()
    verdict = opened.take("Ann")
    assert verdict.points == {"Ann": 3}
    assert verdict.sets[0].points == 3
    assert not set(verdict.sets[0].pieces) & set(opened.state.table)
    for count in (1, 2, 4):
        opened.refused(opened.next(count), Clause.RAV_3, Reason.WRONG_NUMBER)
    opened.stands(opened.next(3), Clause.RAV_3, Reason.DEALT)


def test_rav_4_a_false_caller_is_out_and_loses_no_points() -> None:
    opened = laid()
    lying = opened.state.table
    lock_out(opened, "Ann")
    assert opened.state.table == lying
    assert opened.state.score == {"Ann": 0, "Ben": 0, "Cid": 0}
    verdict = opened.refused(Called(player="Ann"), Clause.RAV_4, Reason.LOCKED_OUT)
    assert verdict.facts["player"] == "Ann"
    opened.refused(NoSet(player="Ann"), Clause.RAV_4, Reason.LOCKED_OUT)
    opened.refused(opened.right("Ann"), Clause.RAV_2, Reason.NO_CALL)
    opened.stands(Called(player="Ben"), Clause.RAV_2, Reason.CALLED)


def test_rav_4_who_shows_nothing_is_out_too() -> None:
    opened = laid()
    opened.play(Called(player="Ann"))
    opened.judged(GaveUp(player="Ann"), Clause.RAV_4, Reason.GAVE_UP)
    opened.refused(Called(player="Ann"), Clause.RAV_4, Reason.LOCKED_OUT)


def test_rav_4_the_false_caller_is_in_again_when_another_player_finds_a_set() -> None:
    opened = laid()
    lock_out(opened, "Ann")
    lock_out(opened, "Cid")
    opened.refused(Called(player="Ann"), Clause.RAV_4, Reason.LOCKED_OUT)
    opened.take("Ben")
    opened.stands(NoSet(player="Cid"), Clause.RAV_6, Reason.AGREED)
    opened.stands(Called(player="Ann"), Clause.RAV_2, Reason.CALLED)


def test_rav_4_cards_alone_let_nobody_in_again() -> None:
    opened = laid()
    lock_out(opened, "Ann")
    opened.agree("Ben", "Cid")
    opened.deal()
    opened.refused(Called(player="Ann"), Clause.RAV_4, Reason.LOCKED_OUT)


def test_rav_5_all_are_let_in_when_all_are_out() -> None:
    opened = laid()
    for player in ("Cid", "Ann"):
        lock_out(opened, player)
    opened.refused(Called(player="Cid"), Clause.RAV_4, Reason.LOCKED_OUT)
    lock_out(opened, "Ben", Cost.ALL_IN)
    assert opened.state.out == frozenset()
    for player in TRIO:
        opened.stands(NoSet(player=player), Clause.RAV_6, Reason.ALL_AGREED if player == "Cid" else Reason.AGREED)


def test_rav_5_a_lone_player_is_never_out() -> None:
    opened = laid("Ann")
    lock_out(opened, "Ann", Cost.ALL_IN)
    opened.stands(Called(player="Ann"), Clause.RAV_2, Reason.CALLED)


def test_rav_5_players_who_are_out_are_not_asked() -> None:
    opened = laid()
    lock_out(opened, "Ann")
    opened.stands(NoSet(player="Ben"), Clause.RAV_6, Reason.AGREED)
    assert opened.due == 0
    opened.stands(NoSet(player="Cid"), Clause.RAV_6, Reason.ALL_AGREED)
    opened.stands(opened.next(3), Clause.RAV_6, Reason.DEALT)


def test_rav_5_a_lock_out_can_leave_only_players_who_have_agreed() -> None:
    opened = laid()
    opened.agree("Ann", "Ben")
    assert opened.due == 0
    lock_out(opened, "Cid")
    assert opened.due == 3
    opened.stands(opened.next(3), Clause.RAV_6, Reason.DEALT)


def test_rav_5_a_lock_out_can_end_the_game_when_the_pile_is_out() -> None:
    opened = laid()
    opened.play(PileOut())
    opened.agree("Ann", "Ben")
    lock_out(opened, "Cid", ends="game")
    assert opened.state.over is Clause.RAV_7


def test_rav_6_three_more_are_laid_and_not_replaced() -> None:
    opened = barren()
    opened.refused(opened.next(3), Clause.RAV_6, Reason.NONE_DUE)
    opened.stands(NoSet(player="Ann"), Clause.RAV_6, Reason.AGREED)
    opened.stands(NoSet(player="Ben"), Clause.RAV_6, Reason.AGREED)
    opened.refused(opened.next(3), Clause.RAV_6, Reason.NONE_DUE)
    opened.stands(NoSet(player="Cid"), Clause.RAV_6, Reason.ALL_AGREED)
    for count in (2, 6):
        opened.refused(opened.next(count), Clause.RAV_6, Reason.WRONG_NUMBER)
    opened.stands(opened.next(3), Clause.RAV_6, Reason.DEALT)
    opened.take("Ann")
    assert len(opened.state.table) == 12
    opened.refused(opened.next(3), Clause.RAV_6, Reason.NONE_DUE)


def test_rav_6_or_when_none_was_found_for_a_long_time() -> None:
    opened = laid()
    opened.agree(*TRIO)
    opened.stands(opened.next(3), Clause.RAV_6, Reason.DEALT)
    opened.agree(*TRIO)
    opened.stands(opened.next(3), Clause.RAV_6, Reason.DEALT)
    assert len(opened.state.table) == 18


def test_rav_7_the_game_ends_when_the_pile_is_out_and_no_set_lies_there() -> None:
    opened = table(seed=2)
    while opened.state.over is None:
        assert opened.state.pile or opened.state.sets()
        opened.step(TRIO[opened.state.pile // 3 % 3])
    assert opened.state.over is Clause.RAV_7
    assert sum(opened.state.scores) == 81 - len(opened.state.table)
    opened.refused(Called(player="Ann"), Clause.RAV_7, Reason.GAME_OVER)


def test_rav_7_most_cards_win() -> None:
    opened = laid()
    opened.take("Ann")
    opened.deal()
    opened.take("Ann")
    opened.take("Ben")
    assert opened.state.score == {"Ann": 6, "Ben": 3, "Cid": 0}
    assert opened.rules.outcome(opened.state).winners == ("Ann",)


def test_rav_7_with_the_pile_out_agreement_ends_the_game() -> None:
    opened = laid()
    opened.refused(Shuffled(), Clause.RAV_9, Reason.ONE_ROUND)
    opened.stands(PileOut(), Clause.RAV_7, Reason.PILE_OUT)
    opened.agree("Ann", "Cid")
    opened.stands(NoSet(player="Ben"), Clause.RAV_7, Reason.ALL_AGREED_END)
    opened.refused(NoSet(player="Ben"), Clause.RAV_7, Reason.GAME_OVER)


@pytest.mark.parametrize("colour", Colour)
def test_rav_8_easy_has_the_27_cards_of_one_colour_and_nine_lie_there(colour: Colour) -> None:
    opened = table(easy=str(colour))
    assert opened.state.deck == {card for card in DECK if card.colour is colour}
    assert opened.due == 9
    opened.refused(opened.next(12), Clause.RAV_2, Reason.WRONG_NUMBER)
    other = next(card for card in DECK if card.colour is not colour)
    opened.refused(Dealt(cards=(*opened.unseen[:8], other)), Clause.RAV_8, Reason.NOT_IN_DECK)
    opened.stands(opened.next(9), Clause.RAV_2, Reason.DEALT)


def test_rav_8_a_colour_is_one_of_the_deck() -> None:
    with pytest.raises(OptionError, match="turquoise"):
        table(easy="turquoise")


def test_rav_8_otherwise_easy_is_the_same() -> None:
    opened = barren(easy="green")
    opened.agree(*TRIO)
    opened.stands(opened.next(3), Clause.RAV_6, Reason.DEALT)
    opened.take("Ann")
    opened.refused(opened.next(3), Clause.RAV_6, Reason.NONE_DUE)
    lock_out(opened, "Ben")
    opened.refused(Called(player="Ben"), Clause.RAV_4, Reason.LOCKED_OUT)


def test_rav_9_a_tournament_is_for_three_or_more() -> None:
    with pytest.raises(PlayersError):
        table("Ann", "Ben", forever=True)
    assert table(*TRIO, forever=True).state.players == TRIO


def test_rav_9_a_set_master_shuffles_first() -> None:
    opened = table(forever=True)
    assert opened.rules.legal(opened.state) == Legal((Due(Task.SHUFFLE),))
    for event in (opened.next(12), Called(player="Ann"), NoSet(player="Ann"), PileOut(), Shuffled()):
        opened.refused(event, Clause.RAV_9, Reason.SHUFFLE_FIRST)
    opened.refused(Passed(player="Ann"), Clause.ALL_4, Reason.FOREIGN_EVENT)
    verdict = opened.stands(Shuffled(master="Ben"), Clause.RAV_9, Reason.MASTER_SHUFFLED)
    assert verdict.facts == {"player": "Ben", "round": 1, "rounds": 3}
    assert opened.rules.legal(opened.state).due == (Due(Task.DEAL, 12),)


def test_rav_9_the_set_master_does_not_play() -> None:
    opened = forever()
    opened.deal()
    for event in (Called(player="Ann"), NoSet(player="Ann"), opened.right("Ann"), GaveUp(player="Ann")):
        verdict = opened.refused(event, Clause.RAV_9, Reason.MASTER_PLAYS)
        assert verdict.facts["player"] == "Ann"
    opened.stands(NoSet(player="Ben"), Clause.RAV_6, Reason.AGREED)
    opened.stands(NoSet(player="Cid"), Clause.RAV_6, Reason.ALL_AGREED)
    assert not any(getattr(move, "player", None) == "Ann" for move in opened.rules.legal(opened.state).moves)


def test_rav_9_the_set_master_does_not_count_among_those_who_are_out() -> None:
    opened = forever()
    opened.deal()
    lock_out(opened, "Ben")
    lock_out(opened, "Cid", Cost.ALL_IN)
    opened.stands(Called(player="Ben"), Clause.RAV_2, Reason.CALLED)


def test_rav_9_each_round_another_player_is_set_master() -> None:
    opened = forever()
    opened.refused(Shuffled(master="Ben"), Clause.RAV_9, Reason.ROUND_RUNS)
    opened.refused(Shuffled(), Clause.RAV_9, Reason.ROUND_RUNS)
    opened.finish("Ben")
    assert (opened.state.over, opened.state.round_over) == (None, True)
    scores = opened.state.scores
    opened.refused(opened.next(9), Clause.RAV_9, Reason.ROUND_OVER)
    opened.refused(Called(player="Ben"), Clause.RAV_7, Reason.ROUND_OVER)
    opened.refused(Shuffled(), Clause.RAV_9, Reason.SHUFFLE_FIRST)
    verdict = opened.refused(Shuffled(master="Ann"), Clause.RAV_9, Reason.MASTER_AGAIN)
    assert verdict.facts["player"] == "Ann"
    verdict = opened.stands(Shuffled(master="Cid"), Clause.RAV_9, Reason.MASTER_SHUFFLED)
    assert verdict.facts == {"player": "Cid", "round": 2, "rounds": 3}
    assert opened.state.scores == scores
    opened.deal()
    opened.refused(Called(player="Cid"), Clause.RAV_9, Reason.MASTER_PLAYS)
    opened.stands(Called(player="Ann"), Clause.RAV_2, Reason.CALLED)


def test_rav_9_a_lock_out_ends_with_its_round() -> None:
    opened = forever()
    opened.deal()
    lock_out(opened, "Ben")
    opened.play(PileOut())
    assert opened.agree("Cid").facts == {"ends": "round"}
    assert opened.state.round_over
    opened.play(Shuffled(master="Cid"))
    opened.deal()
    opened.stands(Called(player="Ben"), Clause.RAV_2, Reason.CALLED)


def test_rav_9_most_points_after_the_last_round_win() -> None:
    opened = forever()
    for master, finder in (("Ben", "Ben"), ("Cid", "Cid"), (None, "Ann")):
        assert opened.finish(finder).facts["ends"] == ("game" if master is None else "round")
        assert opened.state.round_over is (master is not None)
        if master is not None:
            opened.play(Shuffled(master=master))
    assert opened.state.over is Clause.RAV_9
    best = max(opened.state.scores)
    won = opened.rules.outcome(opened.state).winners
    assert won == tuple(name for name in TRIO if opened.state.score[name] == best)
    opened.refused(Shuffled(master="Ann"), Clause.RAV_9, Reason.GAME_OVER)


def test_rav_9_a_master_is_named_in_tournaments_only() -> None:
    opened = laid()
    opened.refused(Shuffled(master="Ann"), Clause.RAV_9, Reason.ONE_ROUND)
    opened.play(Ended())
    opened.refused(Shuffled(master="Ann"), Clause.ALL_2, Reason.GAME_OVER)
