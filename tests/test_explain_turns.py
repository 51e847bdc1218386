"""What a camera sees of SETUP and of face 1 of SET Junior: cards and tiles laid in turn, claims, and what is odd."""

from __future__ import annotations

from itertools import permutations
from math import factorial

from engine.events import Claimed, Ended, Event, Laid, Place
from engine.explain_change import Explained, Moved, Oddity, explain
from engine.explain_turns import MOST_TURNS
from engine.explained import MOST
from engine.junior_board import PLACES, sample_board
from engine.layout import Layout
from engine.sentences import say_problem
from engine.sets import third
from engine.tokens import Card, Face, full_deck
from tests.games import TRIO, Table
from tests.looks import codes, only, put, stories, story, without

TWELVE = tuple("ABCDEFGHIJKL")
ONE, TWO = Card.parse("1 red solid oval"), Card.parse("2 red solid oval")
THREE, OTHER = Card.parse("3 red solid oval"), Card.parse("1 green open diamond")


# SETUP.


class Setup(Table):
    """A game of SETUP."""

    def __init__(self, *cards: Card, players: tuple[str, ...] = TRIO) -> None:
        super().__init__("setup", *players)
        for card in cards:
            self.play(Laid(self.state.turn, card))

    @property
    def picture(self) -> Layout:
        """What lies there."""
        return Layout.row(self.state.table)

    def explain(self, after: Layout, before: Layout | None = None) -> Explained:
        """Explain the change from what lies there, or ``before``, to ``after``."""
        return explain(self.picture if before is None else before, after, self.state, self.rules)

    def beside(self, *cards: Card) -> Layout:
        """What lies there, and more cards."""
        return Layout.row((*self.state.table, *cards))


def test_a_card_is_laid_by_the_player_in_turn() -> None:
    table = Setup(ONE)
    found = table.explain(table.beside(TWO))
    assert [candidate.events for candidate in found.candidates] == [(Laid("Ben", TWO),)]
    assert not found.ambiguous
    assert not found.problems


def test_two_cards_are_laid_in_an_order_that_nobody_has_seen() -> None:
    table = Setup(ONE)
    found = table.explain(table.beside(TWO, THREE))
    assert stories(found) == [
        (Laid("Ben", TWO), Laid("Cid", THREE)),
        (Laid("Ben", THREE), Laid("Cid", TWO)),
    ]
    assert found.ambiguous


def test_of_four_cards_some_orders_are_only_counted() -> None:
    table = Setup()
    found = table.explain(table.beside(ONE, TWO, THREE, OTHER))
    assert len(found.candidates) == MOST
    assert found.more == factorial(4) - MOST


def test_five_cards_at_once_are_too_many() -> None:
    table = Setup()
    found = table.explain(Layout.row(full_deck()[: MOST_TURNS + 1]))
    assert not found.candidates
    assert codes(found) == [Oddity.TOO_MANY_NEW]


def test_the_whole_table_gone_is_a_claim_by_another_player() -> None:
    table = Setup(OTHER, ONE, TWO, THREE)
    found = table.explain(Layout())
    assert stories(found) == [story([Claimed(name, (ONE, TWO, THREE))]) for name in ("Ben", "Cid")]
    assert [candidate.points for candidate in found.candidates] == [{"Ann": 4}] * 2
    assert not found.problems


def test_each_set_with_the_last_card_may_have_been_claimed() -> None:
    green = Card.parse("1 green solid oval"), Card.parse("1 green striped oval")
    last = Card.parse("1 green open oval")
    second = third(ONE, last)
    table = Setup(*green, ONE, second, last, players=("Ann", "Ben"))
    assert stories(table.explain(Layout())) == [
        story([Claimed("Ben", (*green, last))]),
        story([Claimed("Ben", (ONE, second, last))]),
    ]


def test_a_claim_and_the_next_card() -> None:
    table = Setup(ONE, TWO, THREE)
    found = table.explain(Layout.row([OTHER]))
    assert stories(found) == [story([Claimed(name, (ONE, TWO, THREE)), Laid("Ann", OTHER)]) for name in ("Ann", "Ben")]


def test_the_last_card_of_all_can_be_claimed() -> None:
    table = Setup(*full_deck())
    assert table.state.over
    assert table.explain(Layout()).candidates


def test_the_whole_table_gone_without_a_set() -> None:
    table = Setup(ONE, TWO)
    problem = only(table.explain(Layout()))
    assert problem.code is Oddity.UNCLAIMABLE
    assert "two red solid ovals, makes no SET" in say_problem(problem, table.rules.edition)


def test_a_part_of_the_table_vanished() -> None:
    table = Setup(ONE, TWO, THREE)
    problem = only(table.explain(Layout.row([ONE, TWO])))
    assert (problem.code, problem.pieces) == (Oddity.VANISHED, (THREE,))


def test_a_card_vanished_while_another_is_laid() -> None:
    table = Setup(ONE, TWO)
    found = table.explain(Layout.of({0: ONE, 5: OTHER}))
    assert stories(found) == [(Laid("Cid", OTHER),)]
    assert codes(found) == [Oddity.VANISHED]


def test_a_card_on_the_table_changed_its_face() -> None:
    table = Setup(ONE)
    problem = only(table.explain(Layout.row([OTHER])))
    assert (problem.code, problem.pieces) == (Oddity.CHANGED, (ONE, OTHER))


def test_a_card_that_was_taken_lies_there_again() -> None:
    table = Setup(ONE, TWO, THREE)
    table.play(Claimed("Ann", (ONE, TWO, THREE)))
    found = table.explain(Layout.row([TWO, OTHER]))
    assert stories(found) == [(Laid("Ann", OTHER),)]
    assert (only(found).code, only(found).pieces) == (Oddity.RETURNED, (TWO,))


def test_a_card_laid_after_the_end() -> None:
    table = Setup(ONE)
    table.play(Ended())
    assert codes(table.explain(table.beside(TWO))) == [Oddity.GAME_OVER]


def test_a_card_of_the_other_deck() -> None:
    table, card = Setup(ONE), Card.parse("1 red solid rectangle")
    problem = only(table.explain(table.beside(card)))
    assert (problem.code, problem.pieces) == (Oddity.FOREIGN, (card,))


def test_a_claim_is_found_on_a_table_of_which_the_camera_missed_a_card() -> None:
    table = Setup(OTHER, ONE, TWO, THREE)
    found = table.explain(Layout(), before=without(table.picture, [OTHER]))
    assert stories(found) == [story([Claimed(name, (ONE, TWO, THREE))]) for name in ("Ben", "Cid")]
    assert codes(found) == [Oddity.DISAGREES]


def test_with_many_players_some_claims_are_only_counted() -> None:
    green = Card.parse("1 green solid oval"), Card.parse("1 green striped oval")
    last = Card.parse("1 green open oval")
    found = Setup(*green, ONE, third(ONE, last), last, players=TWELVE).explain(Layout())
    assert len(found.candidates) == MOST
    assert found.more == 2 * (len(TWELVE) - 1) - MOST


# Face 1 of SET Junior.


class Junior(Table):
    """A game on face 1, with tiles on some of its spaces."""

    def __init__(self, *spaces: Place) -> None:
        super().__init__("junior-1", *TRIO, board=sample_board(seed=4))
        for at in spaces:
            self.play(self.lay(self.state.turn, at))

    def lay(self, player: str, at: Place) -> Laid:
        """The tile of a space, laid there."""
        return Laid(player, self.state.board[at], at)

    @property
    def picture(self) -> Layout:
        """What lies there."""
        return Layout.of({at: self.state.board[at] for at in self.state.covered})

    def explain(self, after: Layout, before: Layout | None = None) -> Explained:
        """Explain the change from what lies there, or ``before``, to ``after``."""
        return explain(self.picture if before is None else before, after, self.state, self.rules)

    def beside(self, *spaces: Place) -> Layout:
        """What lies there, and the tiles of more spaces."""
        return put(self.picture, {at: self.state.board[at] for at in spaces})


A, B, C, D, E = (0, 0, 0), (0, 0, 1), (0, 0, 2), (1, 2, 0), (2, 1, 1)


def test_a_tile_is_laid_by_the_player_in_turn() -> None:
    table = Junior(A, B)
    found = table.explain(table.beside(C))
    assert [candidate.events for candidate in found.candidates] == [(table.lay("Cid", C),)]
    assert found.candidates[0].points == {"Cid": 1}
    assert not found.problems


def test_several_tiles_are_laid_in_turn_in_any_order() -> None:
    table = Junior(A)
    found = table.explain(table.beside(B, C))
    expected: list[tuple[Event, ...]] = [
        (table.lay("Ben", first), table.lay("Cid", last)) for first, last in permutations((B, C))
    ]
    assert [candidate.events for candidate in found.candidates] == expected
    assert found.ambiguous


def test_a_tile_on_a_wrong_space() -> None:
    table = Junior()
    tile, space = table.state.board[B], table.state.board[A]
    found = table.explain(Layout.of({A: tile}))
    assert not found.candidates
    problem = only(found)
    assert (problem.code, problem.pieces) == (Oddity.WRONG_SPACE, (tile, space))
    words = table.rules.edition
    text = f"{words.label(tile)} lies on [0, 0, 0], the space of {words.label(space)}."
    assert say_problem(problem, words).lower() == text


def test_a_tile_on_a_wrong_space_and_one_on_its_own() -> None:
    table = Junior()
    found = table.explain(Layout.of({A: table.state.board[B], D: table.state.board[D]}))
    assert stories(found) == [(table.lay("Ann", D),)]
    assert codes(found) == [Oddity.WRONG_SPACE]


def test_a_tile_beside_the_board() -> None:
    table = Junior()
    tile = table.state.board[A]
    for at in (3, (0, 3, 0), (0, 1)):
        assert codes(table.explain(Layout.of({at: tile}))) == [Oddity.OFF_BOARD]


def test_a_tile_vanished() -> None:
    table = Junior(A, B)
    problem = only(table.explain(without(table.picture, [table.state.board[B]])))
    assert (problem.code, problem.pieces) == (Oddity.VANISHED, (table.state.board[B],))


def test_a_tile_was_moved() -> None:
    table = Junior(A)
    found = table.explain(Layout.of({B: table.state.board[A]}))
    assert codes(found) == [Oddity.MOVED, Oddity.WRONG_SPACE]
    assert "from [0, 0, 0] to [0, 0, 1]" in say_problem(found.problems[0], table.rules.edition)


def test_a_tile_changed_its_face() -> None:
    table = Junior(A)
    found = table.explain(put(table.picture, {A: table.state.board[E]}))
    assert (only(found).code, only(found).pieces) == (Oddity.CHANGED, (table.state.board[A], table.state.board[E]))


def test_a_tile_twice() -> None:
    table = Junior(A)
    found = table.explain(put(table.picture, {B: table.state.board[A]}))
    assert codes(found) == [Oddity.DUPLICATE, Oddity.WRONG_SPACE]


def test_five_tiles_at_once_are_too_many() -> None:
    assert codes(Junior().explain(Junior().beside(*PLACES[:5]))) == [Oddity.TOO_MANY_NEW]


def test_a_tile_laid_after_people_have_stopped() -> None:
    table = Junior(A)
    table.play(Ended())
    assert codes(table.explain(table.beside(B))) == [Oddity.GAME_OVER]


def test_a_die_is_no_tile() -> None:
    table, die = Junior(), Face.parse("1 red oval")
    assert (only(table.explain(Layout.of({A: die}))).pieces) == (die,)


def test_a_tile_that_the_camera_missed_before_is_not_new() -> None:
    table = Junior(A, B)
    found = table.explain(table.beside(C), before=without(table.picture, [table.state.board[A]]))
    assert stories(found) == [(table.lay("Cid", C),)]
    assert found.moved == (Moved(table.state.board[A], None, A),)
    assert not found.problems


def test_a_tile_that_the_game_does_not_know_of() -> None:
    table = Junior(A)
    seen = table.beside(B)
    same = table.explain(seen, before=seen)
    assert codes(same) == [Oddity.DISAGREES, Oddity.NOTHING_CHANGED]
    more = table.explain(table.beside(B, C), before=seen)
    assert stories(more) == [(table.lay("Ben", C),)]
    assert codes(more) == [Oddity.DISAGREES]


def test_a_tile_that_was_misread_before() -> None:
    table = Junior(A)
    found = table.explain(table.beside(B), before=put(table.picture, {A: table.state.board[E]}))
    assert stories(found) == [(table.lay("Ben", B),)]
    assert found.moved == (Moved(table.state.board[A], None, A),)
