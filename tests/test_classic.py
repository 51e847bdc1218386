"""Classic SET, clause by clause: what stands, what is refused, and what ends a round."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from engine.classic import Classic
from engine.clauses import Clause
from engine.editions import EDITIONS, Feature, PlayersError
from engine.events import Asked, Called, Dealt, Ended, GaveUp, NoSet, Passed, Picked, PileOut, Shuffled, Verdict
from engine.game import Due, Legal, Outcome, Task
from engine.games import game
from engine.hints import HintLevel
from engine.reasons import Cost, Reason
from engine.sets import is_set
from engine.tokens import Card, Piece, Shading, full_deck
from tests.games import TRIO, CallTable

DECK = full_deck()
STRIPED = Card.parse("1 red striped oval")


def table(*players: str, seed: int | None = None, **options: Any) -> CallTable:
    """A table before its first deal."""
    return CallTable("classic", *players, seed=seed, **options)


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
    assert not opened.state.sets()
    return opened


def last_cards(count: int, *players: str, sets: bool, **options: Any) -> CallTable:
    """A small deck that is out, with ``count`` cards left on the table, reached by play."""
    for seed in range(500):
        opened = table(*players, seed=seed, small_deck=True, **options)
        opened.finish(pile=0)
        while opened.due == 0 and opened.state.over is None and len(opened.state.table) > count:
            opened.step(opened.state.players[0])
        lying = opened.state
        if lying.over is None and not lying.pile and len(lying.table) == count and bool(lying.sets()) is sets:
            return opened
    raise AssertionError("no seed leads there")


def test_classic_1_the_deck_has_every_card_of_four_features_once() -> None:
    deck = EDITIONS["classic"].deck
    assert len(deck) == len(set(deck)) == 81
    assert EDITIONS["classic"].features == (Feature.NUMBER, Feature.COLOUR, Feature.SHADING, Feature.SHAPE)
    assert {str(card) for card in deck} == {
        f"{number} {colour} {shading} {shape}"
        for number in "123"
        for colour in ("red", "green", "purple")
        for shading in ("solid", "striped", "open")
        for shape in ("oval", "diamond", "squiggle")
    }


def test_classic_1_colour_names_belong_to_the_edition() -> None:
    card = Card.parse("2 green solid oval")
    assert EDITIONS["classic"].word(card, Feature.COLOUR) == "green"
    assert EDITIONS["ravensburger"].word(card, Feature.COLOUR) == "turquoise"


def test_classic_1_a_card_of_another_deck_is_refused() -> None:
    bar = Card.parse("1 red solid rectangle")
    verdict = table().refused(Dealt(cards=(*DECK[:11], bar)), Clause.CLASSIC_3, Reason.NOT_IN_DECK)
    assert verdict.facts["piece"] == bar


def test_classic_2_the_small_deck_has_the_27_solid_cards_and_nine_lie_there() -> None:
    opened = table(small_deck=True)
    assert opened.state.deck == {card for card in DECK if card.shading is Shading.SOLID}
    assert opened.state.pile == 27
    assert game("classic").legal(opened.state) == Legal((Due(Task.DEAL, 9),))
    opened.refused(opened.next(12), Clause.CLASSIC_3, Reason.WRONG_NUMBER)
    opened.refused(Dealt(cards=(*opened.unseen[:8], STRIPED)), Clause.CLASSIC_2, Reason.NOT_IN_DECK)
    opened.stands(opened.next(9), Clause.CLASSIC_3, Reason.DEALT)


def test_classic_2_the_small_deck_is_an_option() -> None:
    opened = table()
    assert (len(opened.state.deck), opened.due) == (81, 12)
    opened.refused(opened.next(9), Clause.CLASSIC_3, Reason.WRONG_NUMBER)
    opened.stands(opened.next(12), Clause.CLASSIC_3, Reason.DEALT)
    assert STRIPED in opened.state.table


def test_classic_2_otherwise_the_small_deck_follows_the_same_rules() -> None:
    opened = barren(small_deck=True)
    opened.agree(*TRIO)
    opened.refused(opened.next(6), Clause.CLASSIC_7, Reason.WRONG_NUMBER)
    opened.stands(opened.next(3), Clause.CLASSIC_7, Reason.DEALT)
    assert len(opened.state.table) == 12
    opened.play(Called(player="Ann"))
    opened.stands(opened.right("Ann"), Clause.CLASSIC_5, Reason.SET_TAKEN, Ann=1)
    opened.refused(opened.next(3), Clause.CLASSIC_7, Reason.NONE_DUE)
    opened.play(Called(player="Ben"))
    opened.judged(opened.wrong("Ben"), Clause.CLASSIC_6, Reason.NOT_A_SET, Ben=-1)


@pytest.mark.parametrize("count", [0, 3, 9, 11, 13, 15])
def test_classic_3_twelve_cards_are_laid_first(count: int) -> None:
    opened = table()
    verdict = opened.refused(opened.next(count), Clause.CLASSIC_3, Reason.WRONG_NUMBER)
    assert (verdict.facts["count"], verdict.facts["due"]) == (count, 12)
    opened.stands(opened.next(12), Clause.CLASSIC_3, Reason.DEALT)
    assert opened.state.table == DECK[:12]
    assert opened.state.pile == 69


def test_classic_3_no_card_comes_twice() -> None:
    opened = table()
    verdict = opened.refused(Dealt(cards=(*DECK[:11], DECK[4])), Clause.CLASSIC_3, Reason.PIECE_TWICE)
    assert verdict.facts["piece"] == DECK[4]
    opened.deal()
    gone = opened.take("Ann").sets[0].pieces[0]
    lying = opened.state.table[0]
    for card in (gone, lying):
        opened.refused(Dealt(cards=(*opened.unseen[:2], card)), Clause.CLASSIC_3, Reason.PIECE_TWICE)
    opened.stands(opened.next(3), Clause.CLASSIC_5, Reason.DEALT)


def test_classic_3_nothing_is_called_before_the_first_deal() -> None:
    opened = table()
    opened.refused(Called(player="Ann"), Clause.CLASSIC_3, Reason.BEFORE_DEAL)
    opened.refused(NoSet(player="Ann"), Clause.CLASSIC_3, Reason.BEFORE_DEAL)
    opened.deal()
    opened.stands(NoSet(player="Ann"), Clause.CLASSIC_7, Reason.AGREED)
    opened.stands(Called(player="Ann"), Clause.CLASSIC_4, Reason.CALLED)


def test_classic_3_one_deal_brings_all_that_is_due_and_calls_are_made_meanwhile() -> None:
    opened = laid()
    opened.take("Ann")
    opened.take("Ben")
    assert opened.due == 6
    for count in (3, 5, 7):
        opened.refused(opened.next(count), Clause.CLASSIC_5, Reason.WRONG_NUMBER)
    opened.stands(opened.next(6), Clause.CLASSIC_5, Reason.DEALT)
    assert (len(opened.state.table), opened.due) == (12, 0)


def test_classic_3_a_refill_and_three_more_fall_together() -> None:
    opened = laid()
    opened.take("Ann")
    opened.agree(*TRIO)
    for count in (3, 9):
        opened.refused(opened.next(count), Clause.CLASSIC_7, Reason.WRONG_NUMBER)
    opened.stands(opened.next(6), Clause.CLASSIC_7, Reason.DEALT)
    assert (len(opened.state.table), opened.due) == (15, 0)


@pytest.mark.parametrize("count", [1, 3, 12])
def test_classic_3_a_deal_that_is_not_due_is_refused(count: int) -> None:
    opened = laid()
    opened.refused(opened.next(count), Clause.CLASSIC_7, Reason.NONE_DUE)


def test_classic_4_there_are_no_turns_and_a_call_comes_first() -> None:
    opened = laid()
    opened.refused(opened.right("Ben"), Clause.CLASSIC_4, Reason.NO_CALL)
    opened.refused(GaveUp(player="Ben"), Clause.CLASSIC_4, Reason.NO_CALL)
    for player in ("Cid", "Cid", "Ann"):
        opened.stands(Called(player=player), Clause.CLASSIC_4, Reason.CALLED)
        opened.stands(opened.right(player), Clause.CLASSIC_5, Reason.SET_TAKEN, **{player: 1})
        opened.deal()


def test_classic_4_until_the_caller_has_finished_nobody_else_may() -> None:
    opened = laid()
    opened.play(Called(player="Ann"))
    for player in ("Ben", "Ann"):
        verdict = opened.refused(Called(player=player), Clause.CLASSIC_4, Reason.CALL_OPEN)
        assert verdict.facts["player"] == "Ann"
    opened.refused(opened.right("Ben"), Clause.CLASSIC_4, Reason.NO_CALL)
    opened.refused(GaveUp(player="Ben"), Clause.CLASSIC_4, Reason.NO_CALL)
    opened.refused(NoSet(player="Ben"), Clause.CLASSIC_4, Reason.CALL_OPEN)
    opened.play(opened.right("Ann"))
    opened.stands(Called(player="Ben"), Clause.CLASSIC_4, Reason.CALLED)


def test_classic_4_a_pick_names_three_different_cards_of_the_table() -> None:
    opened = laid()
    opened.play(Called(player="Ann"))
    first, second, third = opened.state.sets()[0]
    away = opened.unseen[0]
    for cards in [
        (),
        (first, second),
        (first, second, third, opened.state.table[-1]),
        (first, first, first),
        (first, second, first),
        (first, second, away),
        (first, second, Card.parse("1 red solid rectangle")),
    ]:
        verdict = opened.refused(Picked(player="Ann", cards=cards), Clause.CLASSIC_4, Reason.BAD_PICK)
        assert verdict.facts["pieces"] == cards
    assert opened.state.caller == 0
    opened.stands(Picked(player="Ann", cards=(third, first, second)), Clause.CLASSIC_5, Reason.SET_TAKEN, Ann=1)


def test_classic_5_the_caller_keeps_the_cards_and_three_new_ones_are_laid() -> None:
    opened = laid()
    before = opened.state.table
    verdict = opened.take("Ben")
    (line,) = verdict.sets
    assert line.points == 1
    assert opened.state.table == tuple(card for card in before if card not in line.pieces)
    assert opened.state.won == (0, 1, 0)
    assert opened.due == 3
    for count in (2, 4):
        opened.refused(opened.next(count), Clause.CLASSIC_5, Reason.WRONG_NUMBER)
    verdict = opened.stands(opened.next(3), Clause.CLASSIC_5, Reason.DEALT)
    assert verdict.facts["count"] == 3
    assert len(opened.state.table) == 12


def test_classic_6_a_call_without_a_set_loses_a_point_and_the_cards_go_back() -> None:
    opened = laid()
    lying = opened.state.table
    opened.play(Called(player="Ann"))
    wrong = opened.wrong("Ann")
    verdict = opened.judged(wrong, Clause.CLASSIC_6, Reason.NOT_A_SET, Ann=-1)
    assert verdict.failed == wrong.cards
    assert verdict.facts == {"player": "Ann", "cost": Cost.POINT_LOST}
    assert opened.state.table == lying
    assert opened.due == 0
    opened.play(Called(player="Ben"))
    opened.judged(GaveUp(player="Ben"), Clause.CLASSIC_6, Reason.GAVE_UP, Ben=-1)
    assert opened.state.score == {"Ann": -1, "Ben": -1, "Cid": 0}
    opened.stands(Called(player="Ann"), Clause.CLASSIC_4, Reason.CALLED)


def test_classic_6_scores_can_be_negative_unless_the_table_says_otherwise() -> None:
    low, floor = laid(), laid(lowest_score=0)
    for _ in range(2):
        assert low.err("Ann").facts["cost"] == Cost.POINT_LOST
        floor.play(Called(player="Ann"))
        spared = floor.judged(floor.wrong("Ann"), Clause.CLASSIC_6, Reason.NOT_A_SET)
        assert spared.facts["cost"] == Cost.POINT_SPARED
    assert (low.state.scores[0], floor.state.scores[0]) == (-2, 0)
    floor.take("Ann")
    floor.play(Called(player="Ann"))
    lost = floor.judged(GaveUp(player="Ann"), Clause.CLASSIC_6, Reason.GAVE_UP, Ann=-1)
    assert lost.facts["cost"] == Cost.POINT_LOST
    assert floor.state.scores[0] == 0


def test_classic_7_three_more_are_laid_when_all_players_agree() -> None:
    opened = barren()
    verdict = opened.stands(NoSet(player="Ann"), Clause.CLASSIC_7, Reason.AGREED)
    assert verdict.facts["missing"] == ("Ben", "Cid")
    opened.stands(NoSet(player="Cid"), Clause.CLASSIC_7, Reason.AGREED)
    opened.refused(opened.next(3), Clause.CLASSIC_7, Reason.NONE_DUE)
    verdict = opened.stands(NoSet(player="Ben"), Clause.CLASSIC_7, Reason.ALL_AGREED)
    assert verdict.facts["due"] == 3
    for count in (2, 4):
        opened.refused(opened.next(count), Clause.CLASSIC_7, Reason.WRONG_NUMBER)
    opened.stands(opened.next(3), Clause.CLASSIC_7, Reason.DEALT)
    assert len(opened.state.table) == 15


def test_classic_7_who_has_agreed_may_say_so_again() -> None:
    opened = barren()
    opened.agree("Ann")
    before = opened.state
    opened.stands(NoSet(player="Ann"), Clause.CLASSIC_7, Reason.AGREED)
    assert opened.state == before


def test_classic_7_the_three_more_are_not_replaced() -> None:
    opened = barren()
    opened.agree(*TRIO)
    opened.deal()
    opened.take("Ann")
    assert len(opened.state.table) == 12
    opened.refused(opened.next(3), Clause.CLASSIC_7, Reason.NONE_DUE)
    if not opened.state.sets():
        opened.agree(*TRIO)
        opened.deal()
        opened.take("Ben")
    opened.take("Ben")
    opened.stands(opened.next(3), Clause.CLASSIC_5, Reason.DEALT)


def test_classic_7_agreement_counts_right_or_wrong_and_the_referee_does_not_tell() -> None:
    verdicts = []
    for opened in (laid(), barren()):
        opened.agree("Ann", "Ben")
        verdicts.append(opened.stands(NoSet(player="Cid"), Clause.CLASSIC_7, Reason.ALL_AGREED))
        opened.stands(opened.next(3), Clause.CLASSIC_7, Reason.DEALT)
    assert verdicts[0] == verdicts[1]


def test_classic_7_a_call_withdraws_the_agreement_of_its_player_only() -> None:
    opened = barren()
    opened.agree(*TRIO)
    opened.play(Called(player="Ann"))
    assert opened.due == 0
    opened.judged(GaveUp(player="Ann"), Clause.CLASSIC_6, Reason.GAVE_UP, Ann=-1)
    opened.refused(opened.next(3), Clause.CLASSIC_7, Reason.NONE_DUE)
    opened.stands(NoSet(player="Ann"), Clause.CLASSIC_7, Reason.ALL_AGREED)


def test_classic_7_agreement_holds_until_a_card_is_laid() -> None:
    opened = laid()
    opened.take("Ann")
    opened.agree("Ben", "Cid")
    opened.deal()
    assert opened.state.agreed == frozenset()
    opened.stands(NoSet(player="Ann"), Clause.CLASSIC_7, Reason.AGREED)
    opened.refused(opened.next(3), Clause.CLASSIC_7, Reason.NONE_DUE)


def test_classic_7_agreement_holds_until_a_card_is_taken() -> None:
    opened = laid()
    opened.agree("Ben", "Cid")
    opened.take("Ann")
    opened.stands(NoSet(player="Ann"), Clause.CLASSIC_7, Reason.AGREED)
    opened.stands(opened.next(3), Clause.CLASSIC_5, Reason.DEALT)


@pytest.mark.parametrize("allowed", HintLevel)
@pytest.mark.parametrize("level", HintLevel)
def test_classic_7_hints_are_an_option_of_the_table(allowed: HintLevel, level: HintLevel) -> None:
    opened = laid(hints=allowed.value)
    if level is HintLevel.NEVER or level.rank > allowed.rank:
        opened.refused(Asked(player="Ann", level=level), Clause.CLASSIC_7, Reason.HINT_NOT_ALLOWED)
        return
    before = opened.state
    verdict = opened.says(Asked(player="Ann", level=level))
    assert opened.state == before
    assert (verdict.ok, verdict.clause) == (True, Clause.CLASSIC_7)
    shown = opened.state.sets()[0]
    expected: dict[HintLevel, dict[str, object]] = {
        HintLevel.YES_NO: {},
        HintLevel.COUNT: {"count": len(opened.state.sets())},
        HintLevel.ONE: {"pieces": shown[:1]},
        HintLevel.TWO: {"pieces": shown[:2]},
        HintLevel.THREE: {"pieces": shown},
    }
    assert verdict.facts == expected[level]


def test_classic_7_hints_are_refused_by_default() -> None:
    laid().refused(Asked(player="Ann", level=HintLevel.YES_NO), Clause.CLASSIC_7, Reason.HINT_NOT_ALLOWED)


@pytest.mark.parametrize(
    ("level", "reason"),
    [
        (HintLevel.YES_NO, Reason.HINT_NO),
        (HintLevel.COUNT, Reason.HINT_COUNT),
        (HintLevel.THREE, Reason.HINT_NO),
    ],
)
def test_classic_7_a_hint_also_says_that_there_is_none(level: HintLevel, reason: Reason) -> None:
    barren(hints="three").stands(Asked(player="Ann", level=level), Clause.CLASSIC_7, reason)


def test_classic_8_three_more_again_until_the_deck_is_out() -> None:
    opened = barren()
    for count, clause in [(15, Clause.CLASSIC_7), (18, Clause.CLASSIC_8), (21, Clause.CLASSIC_8)]:
        opened.agree(*TRIO)
        opened.refused(opened.next(6), Clause.CLASSIC_7, Reason.WRONG_NUMBER)
        assert opened.deal_without_set().clause is clause
        assert len(opened.state.table) == count
    while opened.state.pile:
        opened.agree(*TRIO)
        opened.stands(opened.next(3), Clause.CLASSIC_8, Reason.DEALT)
    opened.agree("Ann", "Ben")
    opened.stands(NoSet(player="Cid"), Clause.CLASSIC_10, Reason.ALL_AGREED_END)
    assert len(opened.state.table) == 81


def test_classic_9_a_lone_player_loses_with_cards_in_the_pile() -> None:
    opened = barren("Ann", solitaire=True)
    opened.stands(NoSet(player="Ann"), Clause.CLASSIC_9, Reason.SOLITAIRE_LOST)
    assert opened.rules.outcome(opened.state) == Outcome(True, {"Ann": 0}, (), ("Ann",))
    opened.refused(Called(player="Ann"), Clause.CLASSIC_9, Reason.GAME_OVER)


def test_classic_9_a_lone_player_wins_with_the_pile_out_and_no_set_left() -> None:
    opened = table("Ann", small_deck=True, solitaire=True, seed=3)
    while opened.state.over is None and (opened.due or opened.state.sets()):
        opened.step("Ann")
    assert opened.state.over is Clause.CLASSIC_10
    assert opened.rules.outcome(opened.state).winners == ("Ann",)
    assert opened.rules.outcome(opened.state).losers == ()


def test_classic_9_with_the_pile_out_agreement_of_one_ends_the_game() -> None:
    opened = last_cards(9, "Ann", sets=True, solitaire=True)
    opened.stands(NoSet(player="Ann"), Clause.CLASSIC_10, Reason.ALL_AGREED_END)
    assert opened.rules.outcome(opened.state).winners == ("Ann",)


def test_classic_9_solitaire_is_for_one_player() -> None:
    with pytest.raises(PlayersError):
        table("Ann", "Ben", solitaire=True)


def test_classic_9_without_the_option_three_more_are_laid_for_a_lone_player() -> None:
    opened = barren("Ann")
    opened.stands(NoSet(player="Ann"), Clause.CLASSIC_7, Reason.ALL_AGREED)
    opened.stands(opened.next(3), Clause.CLASSIC_7, Reason.DEALT)


@pytest.mark.parametrize("seed", range(25))
def test_classic_10_the_round_ends_when_the_deck_is_out_and_no_set_is_left(seed: int) -> None:
    opened = table(small_deck=seed % 5 != 0, seed=seed)
    verdicts: list[Verdict] = []
    while opened.state.over is None:
        assert opened.state.pile or opened.state.sets()
        verdicts.append(opened.step(TRIO[len(verdicts) % 3]))
    assert (opened.state.pile, opened.state.sets()) == (0, [])
    assert opened.state.over is Clause.CLASSIC_10
    assert [verdict.facts.get("ends") for verdict in verdicts] == [None] * (len(verdicts) - 1) + ["game"]
    assert len(opened.state.table) % 3 == 0
    assert len(opened.state.table) != 3
    assert sum(opened.state.scores) == sum(len(verdict.sets) for verdict in verdicts)
    opened.refused(Called(player="Ann"), Clause.CLASSIC_10, Reason.GAME_OVER)


def test_classic_10_cards_that_are_laid_can_end_the_round_too() -> None:
    """The last refill brings no SET."""
    for seed in range(500):
        opened = table(seed=seed)
        verdict = opened.finish(pile=0)
        if not opened.state.sets():
            assert verdict.reason is Reason.DEALT
            assert verdict.facts["ends"] == "game"
            assert opened.state.over is Clause.CLASSIC_10
            return
    raise AssertionError("no seed leads there")


def test_classic_10_with_the_pile_out_nothing_is_due() -> None:
    opened = last_cards(6, sets=True)
    opened.refused(Dealt(cards=DECK[:3]), Clause.CLASSIC_7, Reason.NONE_DUE)
    opened.stands(Called(player="Ben"), Clause.CLASSIC_4, Reason.CALLED)


def test_classic_10_a_missed_set_does_not_hold_the_round_open() -> None:
    opened = last_cards(9, sets=True)
    opened.agree("Ann", "Cid")
    assert opened.state.over is None
    assert opened.stands(NoSet(player="Ben"), Clause.CLASSIC_10, Reason.ALL_AGREED_END).facts == {"ends": "game"}
    assert "ends" not in opened.refused(Called(player="Ann"), Clause.CLASSIC_10, Reason.GAME_OVER).facts


def test_classic_10_most_points_win_and_ties_share() -> None:
    opened = laid("Ann", "Ben", "Cid")
    opened.take("Ben")
    assert opened.rules.outcome(opened.state) == Outcome(False, {"Ann": 0, "Ben": 1, "Cid": 0}, ("Ben",), ())
    opened.take("Cid")
    opened.err("Ann")
    assert opened.rules.outcome(opened.state).winners == ("Ben", "Cid")


def test_classic_10_rounds_are_as_many_as_players_and_scores_are_kept() -> None:
    opened = table("Ann", "Ben", rounds=True, small_deck=True, seed=1)
    opened.refused(Shuffled(), Clause.CLASSIC_10, Reason.ROUND_RUNS)
    opened.deal()
    opened.refused(Shuffled(), Clause.CLASSIC_10, Reason.ROUND_RUNS)
    assert opened.finish("Ann").facts["ends"] == "round"
    first = opened.state.score
    assert (opened.state.over, opened.state.round_over) == (None, True)
    assert opened.rules.legal(opened.state) == Legal((Due(Task.SHUFFLE),))
    for event in (Called(player="Ann"), NoSet(player="Ann"), GaveUp(player="Ann"), PileOut(), opened.next(9)):
        assert "ends" not in opened.refused(event, Clause.CLASSIC_10, Reason.ROUND_OVER).facts
    assert "ends" not in opened.stands(Shuffled(), Clause.CLASSIC_10, Reason.SHUFFLED).facts
    assert opened.state.score == first
    opened.refused(Called(player="Ann"), Clause.CLASSIC_3, Reason.BEFORE_DEAL)
    assert (opened.due, len(opened.unseen)) == (9, 27)
    assert opened.finish("Ben").facts["ends"] == "game"
    assert opened.state.over is Clause.CLASSIC_10
    assert opened.state.score == {**first, "Ben": opened.state.score["Ben"]}
    opened.refused(Shuffled(), Clause.CLASSIC_10, Reason.GAME_OVER)


def test_classic_10_one_round_is_played_unless_the_table_says_otherwise() -> None:
    opened = table("Ann", "Ben", small_deck=True)
    opened.refused(Shuffled(), Clause.CLASSIC_10, Reason.ONE_ROUND)
    opened.finish("Ann")
    assert opened.state.over is Clause.CLASSIC_10
    opened.refused(Shuffled(), Clause.CLASSIC_10, Reason.GAME_OVER)


def test_classic_10_a_call_that_is_open_when_the_pile_runs_out_lapses_with_the_round() -> None:
    opened = barren()
    opened.play(Called(player="Ann"))
    opened.stands(PileOut(), Clause.CLASSIC_10, Reason.PILE_OUT)
    assert (opened.state.over, opened.state.caller) == (Clause.CLASSIC_10, None)


def test_pile_out_ends_refills_but_for_one_short_deal() -> None:
    opened = laid()
    opened.take("Ann")
    opened.stands(PileOut(), Clause.CLASSIC_10, Reason.PILE_OUT)
    assert opened.state.broken_pile
    opened.refused(opened.next(3), Clause.CLASSIC_7, Reason.NONE_DUE)
    opened.refused(opened.next(0), Clause.CLASSIC_7, Reason.NONE_DUE)
    opened.refused(Dealt(cards=(opened.state.table[0],)), Clause.CLASSIC_3, Reason.PIECE_TWICE)
    verdict = opened.stands(opened.next(2), Clause.CLASSIC_5, Reason.DEALT_SHORT)
    assert (verdict.facts["count"], verdict.facts["due"]) == (2, 3)
    opened.refused(opened.next(1), Clause.CLASSIC_7, Reason.NONE_DUE)
    opened.refused(PileOut(), Clause.CLASSIC_10, Reason.PILE_ALREADY_OUT)
    opened.stands(Called(player="Ben"), Clause.CLASSIC_4, Reason.CALLED)


def test_pile_out_before_the_first_deal_is_refused() -> None:
    table().refused(PileOut(), Clause.CLASSIC_10, Reason.BEFORE_DEAL)


def test_a_short_deal_reopens_a_game_that_the_pile_ended() -> None:
    opened = barren()
    opened.agree(*TRIO)
    assert opened.play(PileOut()).facts == {"ends": "game"}
    assert opened.rules.outcome(opened.state).over
    short = opened.stands(Dealt(cards=(completing(opened),)), Clause.CLASSIC_7, Reason.DEALT_SHORT)
    assert "ends" not in short.facts
    assert not opened.rules.outcome(opened.state).over
    opened.take("Ann")


def test_a_short_deal_reopens_a_round_that_the_pile_ended() -> None:
    opened = barren("Ann", "Ben", rounds=True)
    opened.agree("Ann", "Ben")
    assert opened.play(PileOut()).facts == {"ends": "round"}
    assert opened.rules.legal(opened.state) == Legal((Due(Task.SHUFFLE),))
    opened.stands(Dealt(cards=(completing(opened),)), Clause.CLASSIC_7, Reason.DEALT_SHORT)
    opened.take("Ann")


def test_all_2_a_short_deal_does_not_reopen_a_game_that_people_ended() -> None:
    opened = laid()
    opened.take("Ann")
    opened.play(PileOut(), Ended())
    opened.refused(opened.next(2), Clause.ALL_2, Reason.GAME_OVER)


def completing(opened: CallTable) -> Piece:
    """Return a card of the pile that makes a SET on the table."""
    pairs = list(combinations(opened.state.table, 2))
    return next(card for card in opened.unseen if any(is_set(a, b, card) for a, b in pairs))


def test_passing_belongs_to_games_with_turns() -> None:
    laid().refused(Passed(player="Ann"), Clause.ALL_4, Reason.FOREIGN_EVENT)


def test_legal_lists_calls_and_agreement_or_the_picks_of_the_caller() -> None:
    opened = laid()
    opened.agree("Ann")
    events = (
        Called(player="Ann"),
        Called(player="Ben"),
        NoSet(player="Ben"),
        Called(player="Cid"),
        NoSet(player="Cid"),
    )
    assert opened.rules.legal(opened.state) == Legal((), events)
    opened.take("Ann")
    opened.play(Called(player="Ben"))
    legal = opened.rules.legal(opened.state)
    assert legal.due == (Due(Task.DEAL, 3),)
    assert len(legal.moves) == 84 + 1
    assert legal.moves[-1] == GaveUp(player="Ben")


def test_an_edition_without_a_refill_is_a_value() -> None:
    """Every rule difference is data: nothing but the first deal and three more is due where nothing is refilled."""
    rules = Classic(replace(EDITIONS["classic"], refill=False))
    state = rules.start(("Ann",), {"small_deck": True})
    assert [due.count for due in rules.legal(state).due] == [9]
    deck = [card for card in EDITIONS["classic"].deck if card in state.deck]
    for event in (Dealt(tuple(deck[:9])), Called("Ann"), Picked("Ann", tuple(deck[:3]))):
        state, verdict = rules.apply(state, event)
        assert verdict.ok
    assert rules.legal(state).due == ()
    state, _ = rules.apply(state, NoSet("Ann"))
    assert [due.count for due in rules.legal(state).due] == [3]
