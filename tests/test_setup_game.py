"""SETUP: each clause, both ends of the game, and what is legal."""

from __future__ import annotations

from random import Random

import pytest

from engine.clauses import Clause
from engine.editions import PlayersError, edition
from engine.events import Asked, Called, Claimed, Ended, Event, Laid, Line, Verdict
from engine.game import Legal
from engine.hints import HintLevel
from engine.options import OptionError
from engine.reasons import Reason
from engine.sets import count_sets, is_set
from engine.setup_game import Setup, SetupState
from engine.tokens import Card, Face, Piece, Shape, Tile, full_deck

SETUP = Setup(edition("setup"))
TRIO = ("Ann", "Ben", "Cid")


def cards(*names: str) -> tuple[Card, ...]:
    return tuple(Card.parse(name) for name in names)


ONE, TWO, THREE = cards("1 red solid oval", "2 red solid oval", "3 red solid oval")
ODD, OTHER, NEXT = cards("1 green open diamond", "2 purple striped oval", "1 purple solid squiggle")


def lay(state: SetupState, *laid: Card) -> SetupState:
    """Lay cards in turn, all of which must stand."""
    for card in laid:
        state, verdict = SETUP.apply(state, Laid(state.turn, card))
        assert verdict.ok
    return state


def trio(*laid: Card, hints: str = "never") -> SetupState:
    return lay(SETUP.start(TRIO, {"hints": hints}), *laid)


def played(seed: int = 5) -> SetupState:
    """All 81 cards laid and nothing claimed."""
    deck = list(full_deck())
    Random(seed).shuffle(deck)  # noqa: S311
    return trio(*deck)


def refused(state: SetupState, event: Event) -> Verdict:
    """The verdict on an event that must change nothing."""
    after, verdict = SETUP.apply(state, event)
    assert after is state
    assert not verdict.ok
    assert not verdict.counts
    assert not verdict.points
    return verdict


def test_setup_1_two_to_twelve_players_with_all_81_cards() -> None:
    assert len(SETUP.legal(SETUP.start(("Ann", "Ben"))).moves) == 81
    assert len(SETUP.start([f"player {seat}" for seat in range(12)]).players) == 12
    for seats in (1, 13):
        with pytest.raises(PlayersError, match=f"got {seats}"):
            SETUP.start([f"player {seat}" for seat in range(seats)])
    with pytest.raises(OptionError, match="small_deck"):
        SETUP.start(TRIO, {"small_deck": True})


def test_setup_2_players_lay_one_card_each_in_turn() -> None:
    state = trio()
    for player, card in zip(("Ann", "Ben", "Cid", "Ann"), (ONE, TWO, ODD, THREE), strict=True):
        assert state.turn == player
        before = state
        state, verdict = SETUP.apply(state, Laid(player, card))
        assert (verdict.ok, verdict.clause, verdict.reason) == (True, Clause.SETUP_2, Reason.CARD_LAID)
        assert verdict.facts == {"player": player, "piece": card, "count": len(before.table) + 1}
        assert not verdict.points
        assert state.layer == player
    assert state.table == (ONE, TWO, ODD, THREE)


@pytest.mark.parametrize("player", ["Ann", "Cid"])
def test_setup_2_nobody_lays_out_of_turn(player: str) -> None:
    verdict = refused(trio(ONE), Laid(player, TWO))
    assert (verdict.clause, verdict.reason) == (Clause.SETUP_2, Reason.NOT_YOUR_TURN)
    assert verdict.facts == {"player": player, "turn": "Ben"}


def test_setup_2_no_card_is_laid_twice_even_after_it_was_taken() -> None:
    state = trio(ONE, TWO, THREE)
    verdict = refused(state, Laid("Ann", ONE))
    assert (verdict.clause, verdict.reason, verdict.facts) == (Clause.SETUP_2, Reason.CARD_TWICE, {"piece": ONE})
    state, _ = SETUP.apply(state, Claimed("Ann", (ONE, TWO, THREE)))
    assert refused(state, Laid("Ann", TWO)).reason is Reason.CARD_TWICE


def test_setup_3_nothing_can_be_claimed_before_the_first_card_or_once_the_table_is_taken() -> None:
    claim = Claimed("Ben", (ONE, TWO, THREE))
    verdict = refused(trio(), claim)
    assert (verdict.clause, verdict.reason) == (Clause.SETUP_3, Reason.NOTHING_TO_CLAIM)
    state, verdict = SETUP.apply(trio(ONE, TWO, THREE), claim)
    assert verdict.ok
    for player in TRIO:
        assert refused(state, Claimed(player, claim.cards)).reason is Reason.NOTHING_TO_CLAIM


def test_setup_3_a_set_without_the_card_just_laid_does_not_exist() -> None:
    state = trio(ONE, TWO, THREE, ODD)
    verdict = refused(state, Claimed("Ben", (ONE, TWO, THREE)))
    assert (verdict.clause, verdict.reason) == (Clause.SETUP_3, Reason.CLAIM_WITHOUT_LAST)
    assert verdict.facts == {"player": "Ben", "piece": ODD}
    assert not any(isinstance(move, Claimed) for move in SETUP.legal(state).moves)


@pytest.mark.parametrize(
    "named",
    [(ONE, TWO, OTHER), (ONE, ONE, THREE), (ONE, THREE), (ONE, TWO, THREE, ODD), (), (ONE, TWO, Face(None))],
    ids=["not there", "one twice", "two", "four", "none", "a die"],
)
def test_setup_3_a_claim_names_three_different_cards_of_the_table(named: tuple[Piece, ...]) -> None:
    verdict = refused(trio(ONE, ODD, TWO, THREE), Claimed("Ben", named))
    assert (verdict.clause, verdict.reason) == (Clause.SETUP_3, Reason.BAD_CLAIM)
    assert verdict.facts == {"player": "Ben", "pieces": named}


@pytest.mark.parametrize("claimant", ["Ann", "Ben"])
def test_setup_4_who_laid_the_card_takes_the_whole_table(claimant: str) -> None:
    before = trio(ONE, TWO, ODD, OTHER, NEXT, THREE)
    state, verdict = SETUP.apply(before, Claimed(claimant, (THREE, ONE, TWO)))
    assert (verdict.ok, verdict.clause, verdict.reason) == (True, Clause.SETUP_4, Reason.CLAIM_RIGHT)
    assert verdict.points == {"Cid": 6}
    assert verdict.sets == (Line((THREE, ONE, TWO), 6),)
    assert verdict.facts == {"player": claimant, "layer": "Cid", "count": 6}
    assert (state.score, state.table) == ({"Ann": 0, "Ben": 0, "Cid": 6}, ())
    assert before.table == (ONE, TWO, ODD, OTHER, NEXT, THREE)


def test_setup_4_a_claim_leaves_the_turn_where_it_was() -> None:
    state, _ = SETUP.apply(trio(ONE, TWO, THREE), Claimed("Ben", (ONE, TWO, THREE)))
    assert state.turn == "Ann"
    assert lay(state, ODD).table == (ODD,)


@pytest.mark.parametrize("seats", range(2, 13))
def test_setup_5_turns_go_round_until_every_card_is_laid_and_no_hand_is_empty_in_turn(seats: int) -> None:
    state = SETUP.start([f"player {seat}" for seat in range(seats)])
    hands, pile = dict.fromkeys(state.players, 4), 81 - 4 * seats
    for card in full_deck():
        assert hands[state.turn] > 0
        drawn = int(pile > 0)
        hands[state.turn] += drawn - 1
        pile -= drawn
        state, verdict = SETUP.apply(state, Laid(state.turn, card))
        assert verdict.ok
    assert state.over is Clause.SETUP_7
    assert not any(hands.values())


def test_setup_6_most_cards_lose_and_ties_lose_together() -> None:
    state = lay(SETUP.start(("Ann", "Ben")), ONE, TWO, THREE)
    state, _ = SETUP.apply(state, Claimed("Ben", (ONE, TWO, THREE)))
    outcome = SETUP.outcome(state)
    assert (outcome.over, outcome.winners, outcome.losers) == (False, (), ("Ann",))
    state = lay(state, ODD, *cards("1 green solid oval", "1 green striped squiggle"))
    state, _ = SETUP.apply(state, Claimed("Ann", state.table))
    outcome = SETUP.outcome(state)
    assert (outcome.scores, outcome.losers) == ({"Ann": 3, "Ben": 3}, ("Ann", "Ben"))


def test_setup_7_more_than_twenty_cards_are_no_error() -> None:
    state = played()
    assert len(state.table) == 81
    assert count_sets(state.table[:40]) > 0
    assert SETUP.outcome(state).scores == dict.fromkeys(TRIO, 0)


def test_setup_7_the_81st_card_ends_the_game_and_can_still_be_claimed() -> None:
    state = played()
    assert state.over is Clause.SETUP_7
    claims = SETUP.legal(state).moves
    assert len(claims) == 40 * 2
    claim = claims[0]
    assert isinstance(claim, Claimed)
    after, verdict = SETUP.apply(state, claim)
    assert (verdict.clause, verdict.points) == (Clause.SETUP_4, {"Cid": 81})
    assert (after.over, SETUP.outcome(after).losers) == (Clause.SETUP_7, ("Cid",))
    assert SETUP.legal(after) == Legal()
    assert refused(after, claim).reason is Reason.GAME_OVER


def test_setup_7_the_last_card_is_announced() -> None:
    *first, last = full_deck()
    _, verdict = SETUP.apply(trio(*first), Laid("Cid", last))
    assert (verdict.clause, verdict.reason) == (Clause.SETUP_2, Reason.LAST_CARD_LAID)
    assert verdict.facts == {"player": "Cid", "piece": last, "count": 81, "ends": "game"}


def test_setup_7_a_wrong_claim_on_the_last_card_is_judged_and_everything_else_refused() -> None:
    state = played()
    last = state.table[-1]
    wrong = next((a, b, last) for a, b in zip(state.table, state.table[1:-1], strict=False) if not is_set(a, b, last))
    assert refused(state, Claimed("Ann", wrong)).clause is Clause.SETUP_8
    assert refused(state, Claimed("Ann", state.table[:3])).clause is Clause.SETUP_3
    for event in (Laid("Ann", ONE), Asked("Ann", HintLevel.ONE), Ended()):
        verdict = refused(state, event)
        assert (verdict.clause, verdict.reason) == (Clause.SETUP_7, Reason.GAME_OVER)


def test_all_2_nothing_outlives_people_stopping() -> None:
    state, _ = SETUP.apply(trio(ONE, TWO, THREE), Ended())
    assert refused(state, Claimed("Ann", (ONE, TWO, THREE))).clause is Clause.ALL_2
    assert SETUP.legal(state) == Legal()


def test_setup_8_a_wrong_claim_costs_nothing() -> None:
    verdict = refused(trio(ONE, TWO, ODD), Claimed("Ann", (ODD, TWO, ONE)))
    assert (verdict.clause, verdict.reason) == (Clause.SETUP_8, Reason.CLAIM_WRONG)
    assert verdict.failed == (ODD, TWO, ONE)
    assert verdict.facts == {"player": "Ann"}


@pytest.mark.parametrize("named", [(ONE, TWO, THREE), (ONE, TWO, ODD)], ids=["right", "not there"])
def test_setup_8_who_laid_the_card_may_not_call_on_it(named: tuple[Card, ...]) -> None:
    verdict = refused(trio(ONE, TWO, THREE), Claimed("Cid", named))
    assert (verdict.clause, verdict.reason) == (Clause.SETUP_8, Reason.OWN_CARD)
    assert verdict.facts == {"player": "Cid", "piece": THREE}


def test_all_4_events_and_pieces_of_other_games_are_refused() -> None:
    bar = full_deck(Shape.RECTANGLE)[1]
    assert bar.shape is Shape.RECTANGLE
    foreign: tuple[Event, ...] = (
        Called("Ann"),
        Laid("Ann", Tile.parse("1 red oval")),
        Laid("Ann", bar),
        Laid("Ann", ONE, (0, 0)),
        Laid("Ann", ONE, None, Tile.parse("1 red oval")),
    )
    for event in foreign:
        verdict = refused(trio(), event)
        assert (verdict.clause, verdict.reason) == (Clause.ALL_4, Reason.FOREIGN_EVENT)


def test_legal_offers_the_unseen_cards_and_every_true_claim_of_the_others() -> None:
    moves = SETUP.legal(trio(ONE, TWO, THREE)).moves
    assert moves[:2] == (Claimed("Ann", (ONE, TWO, THREE)), Claimed("Ben", (ONE, TWO, THREE)))
    laid = [move for move in moves if isinstance(move, Laid)]
    assert {move.piece for move in laid} == set(full_deck()) - {ONE, TWO, THREE}
    assert {move.player for move in laid} == {"Ann"}
    assert len(moves) == 2 + 78


def test_every_legal_move_of_random_games_stands_and_points_make_the_scores() -> None:
    for seed in range(3):
        random, state, points = Random(seed), SETUP.start(TRIO), dict.fromkeys(TRIO, 0)  # noqa: S311
        while state.over is None:
            moves = SETUP.legal(state).moves
            claims = sum(isinstance(move, Claimed) for move in moves)
            state, verdict = SETUP.apply(state, moves[random.randrange(claims or len(moves))])
            assert verdict.ok
            for player, many in verdict.points.items():
                points[player] += many
        assert points == state.score
        assert sum(state.scores) + len(state.table) == 81


def test_hints_are_about_the_sets_that_can_be_claimed() -> None:
    state = trio(ONE, ODD, THREE, TWO, hints="three")

    def asked(level: HintLevel, state: SetupState = state) -> Verdict:
        after, verdict = SETUP.apply(state, Asked("Ann", level))
        assert after is state
        return verdict

    assert asked(HintLevel.YES_NO).reason is Reason.HINT_YES
    assert asked(HintLevel.COUNT).facts == {"count": 1}
    assert asked(HintLevel.TWO).facts == {"pieces": (ONE, THREE)}
    assert asked(HintLevel.THREE).facts == {"pieces": (ONE, THREE, TWO)}
    assert asked(HintLevel.YES_NO, lay(state, NEXT)).reason is Reason.HINT_NO
    assert asked(HintLevel.ONE, trio(hints="one")).reason is Reason.HINT_NO
