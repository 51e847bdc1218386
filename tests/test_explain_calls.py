"""What a camera sees of games of calls: picks, refills, three more, rounds, and what is odd."""

from __future__ import annotations

from itertools import combinations

import pytest

from engine.events import Called, Dealt, Ended, NoSet, Picked, Shuffled
from engine.explain_change import Explained, Moved, Oddity, explain
from engine.explained import MOST
from engine.layout import Layout
from engine.reasons import Reason
from engine.sentences import say_problem
from engine.sets import count_sets, is_set
from engine.tokens import Card, Face, Piece
from tests.games import TRIO, CallTable
from tests.looks import Camera, codes, only, put, stories, story, without

TWELVE = tuple("ABCDEFGHIJKL")


class Looking(CallTable):
    """A game of calls and two pictures of its table."""

    def __init__(self, key: str = "classic", *players: str, **options: object) -> None:
        super().__init__(key, *players, seed=3, **options)

    @property
    def picture(self) -> Layout:
        """The table as it lies."""
        return Layout.row(self.state.table)

    def explain(self, after: Layout, before: Layout | None = None) -> Explained:
        """Explain the change from the table as it lies, or ``before``, to ``after``."""
        return explain(self.picture if before is None else before, after, self.state, self.rules)

    def without(self, *pieces: Piece) -> Layout:
        """The table less ``pieces``, all others in their places."""
        return without(self.picture, pieces)

    def beside(self, *pieces: Piece, layout: Layout | None = None) -> Layout:
        """The table, or ``layout``, with more pieces beside it."""
        start = len(self.state.table)
        return put(self.picture if layout is None else layout, dict(enumerate(pieces, start)))

    @property
    def three(self) -> tuple[Piece, ...]:
        """A SET that lies there."""
        return self.state.sets()[0]

    @property
    def no_set(self) -> tuple[Piece, ...]:
        """Three pieces that lie there and are none."""
        return next(three for three in combinations(self.state.table, 3) if not is_set(*three))


def dealt(key: str = "classic", *players: str, **options: object) -> Looking:
    """A table with its first pieces."""
    table = Looking(key, *players, **options)
    table.deal()
    return table


def test_the_first_deal() -> None:
    table = Looking()
    deal = table.next(12)
    found = table.explain(Layout.row(deal.cards))
    assert [candidate.events for candidate in found.candidates] == [(deal,)]
    assert not found.ambiguous
    assert not found.problems
    assert found.candidates[0].verdicts[0].reason is Reason.DEALT


def test_a_pick_is_by_the_caller() -> None:
    table = dealt()
    table.play(Called("Ben"))
    found = table.explain(table.without(*table.three))
    assert stories(found) == [story([Picked("Ben", table.three)])]
    assert found.candidates[0].points == {"Ben": 1}
    assert not found.problems


def test_without_a_call_any_player_may_have_picked() -> None:
    table = dealt()
    found = table.explain(table.without(*table.three))
    assert stories(found) == [story([Called(name), Picked(name, table.three)]) for name in TRIO]
    assert found.ambiguous
    assert not found.more


def test_who_is_out_has_not_picked() -> None:
    table = dealt("ravensburger")
    table.err("Ann")
    found = table.explain(table.without(*table.three))
    assert stories(found) == [story([Called(name), Picked(name, table.three)]) for name in ("Ben", "Cid")]


def test_the_master_has_not_picked() -> None:
    table = Looking("ravensburger", forever=True)
    table.play(Shuffled(master="Cid"))
    table.deal()
    found = table.explain(table.without(*table.three))
    assert [candidate.points for candidate in found.candidates] == [{"Ann": 3}, {"Ben": 3}]


def test_where_players_search_in_turn_the_one_in_turn_has_picked() -> None:
    table = dealt("junior-2", turns=True)
    found = table.explain(table.without(*table.three))
    assert stories(found) == [story([Called("Ann"), Picked("Ann", table.three)])]


@pytest.mark.parametrize("is_called", [True, False])
def test_a_pick_that_is_no_set_is_judged(is_called: bool) -> None:
    table = dealt("classic", "Ann")
    if is_called:
        table.play(Called("Ann"))
    found = table.explain(table.without(*table.no_set))
    assert stories(found) == [story([*([] if is_called else [Called("Ann")]), Picked("Ann", table.no_set)])]
    verdict = found.candidates[0].verdicts[-1]
    assert verdict.judged
    assert set(verdict.failed or ()) == set(table.no_set)
    assert found.candidates[0].points == {"Ann": -1}


def test_cards_of_a_false_call_come_back() -> None:
    table = dealt()
    three = table.no_set
    lifted = table.without(*three)
    table.err("Ann")
    found = table.explain(table.picture, before=lifted)
    assert found.moved == tuple(Moved(piece, None, table.state.table.index(piece)) for piece in three)
    assert not found.problems
    assert not found.candidates


def test_a_pick_and_its_refill_between_two_looks() -> None:
    table = dealt()
    table.play(Called("Ben"))
    deal = table.next(3)
    in_place = {table.state.table.index(old): new for old, new in zip(table.three, deal.cards, strict=True)}
    for after in (table.beside(*deal.cards, layout=table.without(*table.three)), put(table.picture, in_place)):
        found = table.explain(after)
        assert stories(found) == [story([Picked("Ben", table.three), deal])]
        assert not found.problems


def test_a_refill_before_the_pick() -> None:
    table = dealt()
    table.take("Ann")
    table.play(Called("Ben"))
    deal, three = table.next(3), table.three
    found = table.explain(table.beside(*deal.cards, layout=table.without(*three)))
    assert stories(found) == [story([deal, Picked("Ben", three)])]


def test_a_refill_alone() -> None:
    table = dealt()
    table.take("Ann")
    deal = table.next(3)
    found = table.explain(table.beside(*deal.cards))
    assert stories(found) == [story([deal])]


def test_a_pick_and_a_wrong_refill_are_explained_in_part() -> None:
    table = dealt()
    table.play(Called("Ann"))
    two, four = table.next(2).cards, table.next(4).cards
    for new, code in ((two, Oddity.TOO_FEW_NEW), (four, Oddity.TOO_MANY_NEW)):
        found = table.explain(table.beside(*new, layout=table.without(*table.three)))
        assert stories(found) == [story([Picked("Ann", table.three)])]
        assert only(found).code is code
        assert set(only(found).pieces) == set(new)
        assert f"{len(new)}, and " in say_problem(only(found), table.rules.edition)


def test_a_refill_after_a_false_call_is_not_due() -> None:
    table = dealt()
    table.play(Called("Ann"))
    found = table.explain(table.beside(*table.next(3).cards, layout=table.without(*table.no_set)))
    assert stories(found) == [story([Picked("Ann", table.no_set)])]
    assert codes(found) == [Oddity.NONE_DUE]


def test_three_more_when_all_have_agreed() -> None:
    table = Looking()
    table.deal_without_set()
    table.agree(*TRIO)
    found = table.explain(table.beside(*table.next(3).cards))
    assert stories(found) == [story([table.next(3)])]


def test_three_more_tell_that_all_have_agreed() -> None:
    table = Looking()
    table.deal_without_set()
    table.agree("Ben")
    found = table.explain(table.beside(*table.next(3).cards))
    assert stories(found) == [story([NoSet("Ann"), NoSet("Cid"), table.next(3)])]


def test_two_orders_that_both_fit_are_both_told_and_the_rest_counted() -> None:
    table = Looking("classic", *TWELVE)
    table.deal()
    table.agree(*TWELVE)
    three, deal = table.three, table.next(3)
    found = table.explain(table.beside(*deal.cards, layout=table.without(*three)))
    assert len(found.candidates) == MOST
    assert found.more == 2 * len(TWELVE) - MOST
    assert stories(found)[0] == story([Called("A"), Picked("A", three), deal])
    assert stories(found)[12] == story([deal, Called("A"), Picked("A", three)])


def test_a_card_that_is_merely_moved() -> None:
    table = dealt()
    card = table.state.table[4]
    found = table.explain(put(table.without(card), {77: card}))
    assert found == Explained(moved=(Moved(card, 4, 77),))


def test_nothing_has_changed() -> None:
    table = dealt()
    assert only(table.explain(table.picture)).code is Oddity.NOTHING_CHANGED


def test_one_or_two_vanished() -> None:
    table = dealt()
    for some in (table.state.table[:1], table.state.table[:2]):
        problem = only(table.explain(table.without(*some)))
        assert problem.code is Oddity.VANISHED
        assert problem.pieces == some
        assert table.rules.edition.label(some[0]) in say_problem(problem, table.rules.edition)


def test_four_vanished_and_three_of_them_are_a_set() -> None:
    table = dealt()
    table.play(Called("Ann"))
    three = table.three
    other = next(card for card in table.state.table if card not in three and count_sets((*three, card)) == 1)
    found = table.explain(table.without(*three, other))
    assert stories(found) == [story([Picked("Ann", three)])]
    problem = only(found)
    assert problem.code is Oddity.TOO_MANY_VANISHED
    assert set(problem.pieces) == {*three, other}
    assert "4 have vanished" in say_problem(problem, table.rules.edition)


def test_four_vanished_with_their_refill() -> None:
    table = dealt()
    table.play(Called("Ann"))
    three, deal = table.three, table.next(3)
    other = next(card for card in table.state.table if card not in three)
    found = table.explain(table.beside(*deal.cards, layout=table.without(*three, other)))
    assert story([Picked("Ann", three), deal]) in stories(found)
    assert codes(found) == [Oddity.TOO_MANY_VANISHED]


def test_four_vanished_and_no_three_of_them_are_a_set() -> None:
    table = Looking()
    table.deal_without_set()
    found = table.explain(table.without(*table.state.table[:4]))
    assert not found.candidates
    assert codes(found) == [Oddity.TOO_MANY_VANISHED]


def test_the_whole_table_vanished() -> None:
    table = dealt()
    found = table.explain(Layout())
    assert not found.candidates
    assert codes(found) == [Oddity.TOO_MANY_VANISHED]


def test_a_card_changed_its_face() -> None:
    table = dealt()
    old, (new,) = table.state.table[2], table.next(1).cards
    found = table.explain(put(table.picture, {2: new}))
    assert not found.candidates
    problem = only(found)
    assert (problem.code, problem.pieces) == (Oddity.CHANGED, (old, new))
    label = table.rules.edition.label
    assert say_problem(problem, table.rules.edition) == f"Where {label(old)} lay, {label(new)} lies now."


def test_three_cards_that_are_no_set_change_in_their_places() -> None:
    table = dealt()
    new = dict(zip(map(table.state.table.index, table.no_set), table.next(3).cards, strict=True))
    found = table.explain(put(table.picture, new))
    assert not found.candidates
    assert codes(found) == [Oddity.CHANGED] * 3


def test_a_card_changed_its_face_and_three_are_picked() -> None:
    table = dealt()
    table.play(Called("Ann"))
    three = table.three
    spot = next(spot for spot, card in table.picture.items() if card not in three)
    found = table.explain(put(table.without(*three), {spot: table.next(1).cards[0]}))
    assert stories(found) == [story([Picked("Ann", three)])]
    assert codes(found) == [Oddity.CHANGED]


def test_of_four_replaced_in_their_places_one_has_changed() -> None:
    table = dealt()
    table.play(Called("Ann"))
    three, new = table.three, table.next(4).cards
    other = next(card for card in table.state.table if card not in three and count_sets((*three, card)) == 1)
    places = map(table.state.table.index, (*three, other))
    found = table.explain(put(table.picture, dict(zip(places, new, strict=True))))
    assert stories(found) == [story([Picked("Ann", three), Dealt(new[:3])])]
    assert codes(found) == [Oddity.TOO_MANY_VANISHED]


def test_a_card_that_was_won_lies_there_again() -> None:
    table = dealt()
    three = table.three
    table.take("Ann")
    found = table.explain(table.beside(three[0]))
    assert (only(found).code, only(found).pieces) == (Oddity.RETURNED, three[:1])


def test_a_card_that_was_won_lies_among_the_refill() -> None:
    table = dealt()
    three = table.three
    table.take("Ann")
    deal = table.next(3)
    found = table.explain(table.beside(three[0], *deal.cards))
    assert stories(found) == [story([deal])]
    assert codes(found) == [Oddity.RETURNED]


def test_a_card_twice() -> None:
    table = dealt()
    card = table.state.table[0]
    problem = only(table.explain(table.beside(card)))
    assert (problem.code, problem.pieces) == (Oddity.DUPLICATE, (card,))


def test_a_card_that_lies_twice_now_has_not_moved() -> None:
    table = dealt()
    found = table.explain(put(table.picture, {0: table.state.table[5]}))
    assert codes(found) == [Oddity.DUPLICATE, Oddity.VANISHED]
    assert not found.moved


@pytest.mark.parametrize(
    ("options", "name"), [({}, "1 red solid rectangle"), ({"small_deck": True}, "1 red open oval")]
)
def test_a_card_that_is_not_of_this_game(options: dict[str, object], name: str) -> None:
    table, card = dealt("classic", **options), Card.parse(name)
    problem = only(table.explain(table.beside(card)))
    assert (problem.code, problem.pieces) == (Oddity.FOREIGN, (card,))


def test_a_table_of_dice_is_not_of_this_game() -> None:
    table = Looking()
    found = table.explain(Layout.row([Face.parse("wild"), Face.parse("wild")]))
    assert (only(found).code, only(found).pieces) == (Oddity.FOREIGN, (Face(None),))


def test_more_new_cards_than_are_due() -> None:
    table = Looking()
    problem = only(table.explain(Layout.row(table.next(13).cards)))
    assert problem.code is Oddity.TOO_MANY_NEW
    assert "13, and only 12" in say_problem(problem, table.rules.edition)


def test_cards_where_none_are_due() -> None:
    table = dealt("junior-2")
    assert only(table.explain(table.beside(*table.next(3).cards))).code is Oddity.NONE_DUE


def test_a_solitaire_is_not_lost_by_a_guess() -> None:
    table = dealt("classic", "Ann", solitaire=True)
    found = table.explain(table.beside(*table.next(3).cards))
    assert not found.candidates
    assert codes(found) == [Oddity.NONE_DUE]


def test_after_the_end() -> None:
    table = dealt()
    table.play(Ended())
    for after in (table.without(*table.three), table.beside(*table.next(3).cards)):
        found = table.explain(after)
        assert not found.candidates
        assert codes(found) == [Oddity.GAME_OVER]


def test_a_pick_that_nobody_may_make_is_said_why() -> None:
    table = dealt("ravensburger", forever=False)
    table.play(Ended())
    both = table.explain(table.beside(*table.next(3).cards, layout=table.without(*table.three)))
    assert not both.candidates
    assert codes(both) == [Oddity.GAME_OVER, Oddity.GAME_OVER]


# Rounds.


def finished(key: str, **options: object) -> Looking:
    """A table after its first round."""
    table = Looking(key, rounds=True, **options)
    table.finish()
    assert table.state.round_over
    return table


def test_the_next_round_may_lay_cards_that_lay_there() -> None:
    table = finished("classic", small_deck=True)
    lying = [card for card in table.order if card in table.state.table]
    deal = Dealt((*lying[:2], *(card for card in table.order if card not in lying))[:9])
    found = table.explain(Layout.row(deal.cards))
    assert stories(found) == [story([Shuffled(), deal])]


def test_a_table_cleared_after_a_round_is_shuffled() -> None:
    table = finished("junior-2")
    assert table.state.table
    found = table.explain(Layout())
    assert stories(found) == [story([Shuffled()])]


def test_a_part_of_the_table_cleared_after_a_round() -> None:
    table = finished("junior-2")
    found = table.explain(table.without(table.state.table[0]))
    assert not found.candidates
    assert (only(found).code, only(found).pieces) == (Oddity.ROUND_OVER, table.state.table[:1])


def test_a_wrong_first_deal_of_the_next_round() -> None:
    table = finished("junior-2")
    found = table.explain(Layout.row(table.order[:11]))
    assert not found.candidates
    assert codes(found) == [Oddity.TOO_MANY_NEW]


def test_who_shuffles_a_tournament_is_unknown() -> None:
    table = Looking("ravensburger", forever=True, easy="red")
    deal = table.next(9)
    found = table.explain(Layout.row(deal.cards))
    assert stories(found) == [story([Shuffled(master=name), deal]) for name in TRIO]
    table.play(Shuffled(master="Ben"))
    table.finish("Ann")
    found = table.explain(Layout.row(deal.cards))
    assert stories(found) == [story([Shuffled(master=name), deal]) for name in ("Ann", "Cid")]


# Where the picture before and the game differ.


def test_a_card_that_the_camera_missed_before_is_not_new() -> None:
    table = dealt()
    table.play(Called("Ann"))
    card = next(card for card in table.state.table if card not in table.three)
    found = table.explain(table.without(*table.three), before=table.without(card))
    assert stories(found) == [story([Picked("Ann", table.three)])]
    assert [moved.piece for moved in found.moved] == [card]
    assert not found.problems


def test_a_card_that_the_camera_keeps_missing() -> None:
    table = dealt()
    table.play(Called("Ann"))
    card = next(card for card in table.state.table if card not in table.three)
    found = table.explain(table.without(*table.three, card), before=table.without(card))
    assert stories(found) == [story([Picked("Ann", table.three)])]
    assert (only(found).code, only(found).pieces) == (Oddity.DISAGREES, (card,))


def test_a_card_that_was_missed_before_may_be_one_of_a_set() -> None:
    table = dealt()
    table.play(Called("Ann"))
    found = table.explain(table.without(*table.three), before=table.without(table.three[0]))
    assert stories(found) == [story([Picked("Ann", table.three)])]
    assert codes(found) == [Oddity.DISAGREES]


def test_a_card_that_was_missed_before_charges_nobody_with_a_false_call() -> None:
    table = dealt()
    table.play(Called("Ann"))
    found = table.explain(table.without(*table.no_set), before=table.without(table.no_set[0]))
    assert not found.candidates
    assert codes(found) == [Oddity.DISAGREES, Oddity.VANISHED]


def test_a_refill_laid_card_by_card() -> None:
    table = dealt()
    table.take("Ann")
    one, deal = table.next(1), table.next(3)
    first = table.explain(table.beside(*one.cards))
    assert codes(first) == [Oddity.TOO_FEW_NEW]
    then = table.explain(table.beside(*deal.cards), before=table.beside(*one.cards))
    assert stories(then) == [story([deal])]
    assert codes(then) == [Oddity.DISAGREES]


def test_a_card_that_was_misread_before() -> None:
    table = dealt()
    table.play(Called("Ann"))
    spot = next(spot for spot, card in table.picture.items() if card not in table.three)
    wrong = table.next(1).cards[0]
    found = table.explain(table.without(*table.three), before=put(table.picture, {spot: wrong}))
    assert stories(found) == [story([Picked("Ann", table.three)])]
    assert (only(found).code, only(found).pieces) == (Oddity.DISAGREES, (wrong,))


def test_nothing_changes_though_picture_and_game_differ() -> None:
    table = dealt()
    seen = table.without(table.state.table[0])
    assert codes(table.explain(seen, before=seen)) == [Oddity.DISAGREES, Oddity.NOTHING_CHANGED]


def test_the_camera_of_these_tests_keeps_cards_where_they_lie() -> None:
    camera, (a, b, c) = Camera(), Looking().next(3).cards
    assert camera.see([a, b]) == Layout.of({0: a, 1: b})
    assert camera.see([c, b]) == Layout.of({0: c, 1: b})
