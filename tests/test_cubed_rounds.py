"""Cubed, clause by clause: rounds, Wilds, bonuses, the end, and the order of the clauses."""

from __future__ import annotations

import pytest

from engine.clauses import Clause
from engine.cubed_state import Phase
from engine.editions import edition
from engine.events import Laid
from engine.game import Due, Task
from engine.grid import CubedBoard
from engine.reasons import Reason
from engine.sentences import say
from tests.cubed_table import BOARD, GAME, NOTHING, Table, dice, face, no, opened, position, start_row, tile, yes

ROW = dice({(4, 5): "1ro 2ro 3ro"})


# Rounds.


def test_cubed_10_when_all_pass_all_roll_their_dice_again() -> None:
    table = position(ROW, "1ro 2ro 3ro 2gd 1ps", "2ro 2gd", turn=0)
    yes(table.passes("Ann"), Clause.CUBED_10, reason=Reason.TURN_PASSED)
    yes(table.passes("Ben"), Clause.CUBED_10)
    no(table.lay("Ann", "1ro", 4, 8), Clause.CUBED_10, Reason.ROLLS_MISSING)
    no(table.roll("Ann", "1ro 2ro"), Clause.CUBED_10, Reason.ROLL_WRONG_NUMBER)
    yes(table.roll("Ann", "1gd 1gd 1gd 1gd 1gd"), Clause.CUBED_10, reason=Reason.ROLLED_AGAIN)
    no(table.roll("Ann", "1gd 1gd 1gd 1gd 1gd"), Clause.CUBED_11, Reason.ROLL_NOT_DUE)
    assert no(table.passes("Ann"), Clause.CUBED_10).facts == {"players": ("Ben",)}
    no(table.roll("Ben", "1gd"), Clause.CUBED_10)
    yes(table.roll("Ben", "1ro 1ro"), Clause.CUBED_10)
    no(table.roll("Ben", "1ro 1ro"), Clause.CUBED_11, Reason.ROLL_NOT_DUE)
    assert (table.turn, table.state.phase) == ("Ann", Phase.PLAY)
    yes(table.passes("Ann"), Clause.CUBED_10)


def test_cubed_10_not_in_the_round_of_the_first_set() -> None:
    table = opened()
    yes(table.passes("Ben"), Clause.CUBED_10)
    no(table.passes("Ann"), Clause.CUBED_11)
    assert table.state.phase is Phase.REFILL


def test_cubed_10_a_swap_alone_is_no_die_laid() -> None:
    table = position(dice({(4, 5): "1ro w=2ro 3ro"}), "2ro 2gd 2gd 2gd 2gd", NOTHING)
    table.swap("Ann", "2ro", 4, 6)
    table.roll("Ann", "2gd 2gd 2gd 2gd 2gd")
    yes(table.passes("Ann"), Clause.CUBED_10)
    yes(table.passes("Ben"), Clause.CUBED_10)
    assert table.state.phase is Phase.ROLL_ALL


def test_cubed_11_the_first_roll_keeps_the_old_faces() -> None:
    table = position(ROW, "1ro 2gd 2gd 3gd 3gd", "2ro 1ps 1ps 1ps 1ps")
    table.lay("Ann", "1ro", 4, 8)
    table.lay("Ben", "2ro", 4, 9)
    no(table.roll("Ann", "2gd 2gd 3gd 3gd 1ro"), Clause.CUBED_11, Reason.ROLL_NOT_DUE)
    table.ends("Ben")
    kept = no(table.roll("Ann", "2gd 3gd 3gd 1ro 1ro"), Clause.CUBED_11, Reason.ROLL_CHANGES_KEPT)
    assert kept.facts == {"player": "Ann", "pieces": (face("2gd"),)}
    no(table.roll("Ann", "2gd 2gd 3gd 3gd"), Clause.CUBED_11, Reason.ROLL_WRONG_NUMBER)
    no(table.roll("Ann", "2gd 2gd 3gd 3gd 1ro 1ro"), Clause.CUBED_11, Reason.ROLL_WRONG_NUMBER)
    yes(table.roll("Ann", "1ro 3gd 2gd 3gd 2gd"), Clause.CUBED_11, reason=Reason.REFILLED)
    no(table.passes("Ann"), Clause.CUBED_11, Reason.ROLLS_MISSING)
    yes(table.roll("Ben", "1ps 1ps 1ps 1ps w"), Clause.CUBED_11)
    yes(table.lay("Ann", "1ro", 4, 4), Clause.CUBED_7)


def test_cubed_11_the_next_roll_is_the_reroll_and_there_is_one() -> None:
    table = position(ROW, "1ro 2gd 2gd 3gd 3gd", NOTHING, NOTHING)
    table.lay("Ann", "1ro", 4, 8)
    table.passes("Ben")
    table.passes("Cid")
    yes(table.roll("Ben", "1ro 1ro 1ro 1ro 1ro"), Clause.CUBED_11, reason=Reason.REROLLED)
    no(table.roll("Ben", "1ro 1ro 1ro 1ro 1ro"), Clause.CUBED_11, Reason.REROLL_SPENT)
    yes(table.roll("Ann", "2gd 2gd 3gd 3gd 1ro"), Clause.CUBED_11, reason=Reason.REFILLED)
    no(table.roll("Ann", "1ro 1ro"), Clause.CUBED_11, Reason.ROLL_WRONG_NUMBER)
    yes(table.roll("Ann", "1ro 1ro 1ro 1ro 2ro"), Clause.CUBED_11, reason=Reason.REROLLED)
    no(table.lay("Ann", "1ro", 0, 0), Clause.CUBED_5)
    yes(table.roll("Cid", "2ro 2ro 2ro 2ro 2ro"), Clause.CUBED_11, reason=Reason.REROLLED)
    yes(table.lay("Ann", "2ro", 4, 9), Clause.CUBED_7, 3)


def test_cubed_11_no_reroll_once_the_first_player_has_acted() -> None:
    table = position(ROW, "1ro 2gd 2gd 3gd 3gd", NOTHING)
    table.lay("Ann", "1ro", 4, 8)
    table.passes("Ben")
    table.roll("Ann", "2gd 2gd 3gd 3gd 1ro")
    assert Due(Task.REROLL, 5, "Ben", optional=True) in GAME.legal(table.state).due
    yes(table.passes("Ann"), Clause.CUBED_10)
    no(table.roll("Ben", NOTHING), Clause.CUBED_11, Reason.REROLL_TOO_LATE)
    no(table.roll("Ann", "2gd 2gd 3gd 3gd 1ro"), Clause.CUBED_11, Reason.REROLL_TOO_LATE)


def test_cubed_11_no_reroll_after_a_roll_of_all() -> None:
    table = position(ROW, "1ro 2gd 2gd 3gd 3gd", NOTHING)
    table.lay("Ann", "1ro", 4, 8)
    table.passes("Ben")
    table.roll("Ann", "2gd 2gd 3gd 3gd 1ro")
    for player in ("Ann", "Ben"):
        table.passes(player)
    for player in ("Ann", "Ben"):
        yes(table.roll(player, NOTHING), Clause.CUBED_10)
    no(table.roll("Ben", NOTHING), Clause.CUBED_11, Reason.ROLL_NOT_DUE)


def test_cubed_11_refills_come_before_the_turn_that_would_end_a_round() -> None:
    table = position(ROW, "1ro 2ro 2gd 2gd 2gd", "2ro 1ps 1ps 1ps 1ps", turn=1)
    table.lay("Ben", "2ro", 4, 4)
    no(table.passes("Ann"), Clause.CUBED_7, Reason.DIE_LEFT_WAITING)
    table = position(ROW, "1ro 2ro 2gd 2gd 2gd", "1ro 1ps 1ps 1ps 1ps", turn=1)
    table.lay("Ben", "1ro", 4, 8)
    refused = no(table.passes("Ann"), Clause.CUBED_11, Reason.TURN_OPEN)
    assert refused.facts == {"player": "Ben"}
    assert table.turn == "Ben"
    no(table.roll("Ann", "1ro 2ro 2gd 2gd 2gd"), Clause.CUBED_11, Reason.ROLL_NOT_DUE)
    yes(table.ends("Ben"), Clause.CUBED_5)
    assert no(table.passes("Ann"), Clause.CUBED_11, Reason.ROLLS_MISSING).facts == {"players": ("Ben",)}


def test_cubed_11_with_an_empty_pouch_the_next_round_begins_at_once() -> None:
    table = position(ROW, "2ro 2gd 2gd 2gd", "1ro 1ps 1ps 1ps", turn=1, pouch=0)
    table.lay("Ben", "1ro", 4, 8)
    yes(table.lay("Ann", "2ro", 4, 9), Clause.CUBED_7, 3)
    no(table.roll("Ben", "1ps 1ps 1ps"), Clause.CUBED_11, Reason.REROLL_TOO_LATE)


@pytest.mark.parametrize(
    ("pouch", "hands", "drawn"),
    [
        (1, "3 2 5", "1 0 0"),
        (2, "3 2 5", "1 1 0"),
        (3, "3 2 5", "2 1 0"),
        (4, "3 2 5", "2 2 0"),
        (5, "3 2 5", "2 3 0"),
        (9, "3 2 5", "2 3 0"),
        (4, "4 2 2", "1 2 1"),
        (7, "2 2 5", "3 3 0"),
    ],
)
def test_cubed_12_the_last_dice_are_drawn_one_each_in_turn(pouch: int, hands: str, drawn: str) -> None:
    held = [" ".join(["1gd"] * int(count)) for count in hands.split()]
    table = position(ROW, held[0], held[1], f"{held[2]} 1ro", turn=2, pouch=pouch)
    table.lay("Cid", "1ro", 4, 8)
    table.ends("Cid")
    assert table.state.unrolled == tuple(map(int, drawn.split()))
    assert table.state.pouch == max(0, pouch - sum(table.state.unrolled))


def test_cubed_12_the_first_player_draws_first_wherever_that_player_sits() -> None:
    table = opened(players="Ann Ben Cid Dan Eva Fay Gus Hal", others="1ro 2ro 3ro 1gd 2gd")
    for player in table.state.players[1:]:
        table.passes(player)
    assert table.state.unrolled == (2, *(0,) * 7)
    refused = no(table.roll("Ann", "2gd 1ps 1ro 1ro 1ro"), Clause.CUBED_12, Reason.ROLL_WRONG_NUMBER)
    assert refused.facts == {"player": "Ann", "count": 5, "due": 4}
    yes(table.roll("Ann", "2gd 1ps 1ro 1ro"), Clause.CUBED_12)
    assert table.state.pouch == 0


def test_cubed_12_draws_begin_with_whoever_announced() -> None:
    table = Table("Ann", "Ben", "Cid", "Dan", "Eva", "Fay", "Gus", "Hal")
    for player in table.state.players:
        table.roll(player, "1ro 2ro 3ro 2gd 1ps")
    table.announce("Gus", "1ro 2ro 3ro")
    table.passes("Hal")
    table.lay("Ann", "1ro", 4, 8)
    table.lay("Ben", "2ro", 4, 9)
    for player in ("Cid", "Dan", "Eva", "Fay"):
        table.passes(player)
    assert (table.turn, table.state.unrolled) == ("Gus", (1, 0, 0, 0, 0, 0, 1, 0))


# Wilds.


def test_cubed_13_one_point_a_die_in_each_set_and_none_for_a_fresh_wild() -> None:
    table = position({**ROW, **dice({(2, 8): "1rs 1rd"}, down=True)}, "w 2ro 3ro 2gd", NOTHING)
    laid = yes(table.lay("Ann", "w=1ro", 4, 8), Clause.CUBED_7, 4)
    assert [line.points for line in laid.sets] == [2, 2]
    assert laid.sets[0].pieces == (face("2ro"), face("3ro"), face("1ro"))
    yes(table.lay("Ann", "2ro", 4, 9), Clause.CUBED_7, 3)


@pytest.mark.parametrize(("later", "points"), [(True, 3), (False, 2)])
def test_cubed_13_later_in_the_same_turn(later: bool, points: int) -> None:
    table = position(ROW, "w 2ro 3ro 2gd", "2ro 3ro", wild_counts_later_in_turn=later)
    yes(table.lay("Ann", "w=1ro", 4, 8), Clause.CUBED_7, 2)
    yes(table.lay("Ann", "2ro", 4, 9), Clause.CUBED_7, points)
    yes(table.lay("Ben", "3ro", 4, 10), Clause.CUBED_7, 3)


@pytest.mark.parametrize("later", [True, False])
def test_cubed_13_a_wild_that_waited_counts_nothing_in_its_first_sets(later: bool) -> None:
    down = dice({(6, 4): "1rd"})
    table = position({**ROW, **down}, "w 3ro 2ro 2gd", NOTHING, wild_counts_later_in_turn=later)
    yes(table.lay("Ann", "w=1rs", 5, 5), Clause.CUBED_7)
    laid = yes(table.lay("Ann", "3ro", 5, 4), Clause.CUBED_7)
    assert not laid.sets
    # In the column 1 red oval, 1 red squiggle and now 1 red diamond.
    table = position({**ROW, **down}, "w 1rd 2ro 2gd", NOTHING, wild_counts_later_in_turn=later)
    yes(table.lay("Ann", "w=1rs", 5, 5), Clause.CUBED_7)
    yes(table.lay("Ann", "1rd", 6, 5), Clause.CUBED_7, 2)


def test_cubed_14_a_wild_is_announced_and_its_name_stays() -> None:
    table = position(ROW, "w w 2ro 3ro", "2ro")
    no(table.lay("Ann", "w", 4, 8), Clause.CUBED_14, Reason.WILD_UNNAMED)
    superfluous = no(table.lay("Ann", "2ro=2ro", 4, 8), Clause.CUBED_14, Reason.NAME_WITHOUT_WILD)
    assert superfluous.facts == {"player": "Ann", "named": tile("2ro")}
    yes(table.lay("Ann", "w=1ro", 4, 8), Clause.CUBED_7, 2)
    assert start_row(table.state)[-1] == "1 red oval"
    yes(table.lay("Ann", "w=2ro", 4, 9), Clause.CUBED_7, 2)
    yes(table.lay("Ann", "3ro", 4, 10), Clause.CUBED_7, 3)


def test_cubed_14_three_wilds_as_the_first_set() -> None:
    table = Table()
    for player in table.state.players:
        table.roll(player, "w w w 2ro 2gd")
    no(table.announce("Ann", "w w w", "1ro 2ro"), Clause.CUBED_14, Reason.WILD_UNNAMED)
    no(table.announce("Ann", "w w w"), Clause.CUBED_14, Reason.WILD_UNNAMED)
    no(table.announce("Ann", "w w 2ro", "1ro 2ro 3ro"), Clause.CUBED_14, Reason.NAME_WITHOUT_WILD)
    no(table.announce("Ann", "w w w", "1ro 2ro 3rd"), Clause.CUBED_3, Reason.ANNOUNCED_NOT_A_SET)
    announced = yes(table.announce("Ann", "w w w", "1ro 2ro 3ro"), Clause.CUBED_4, 0)
    assert (announced.points, announced.sets[0].points) == ({}, 0)
    assert table.state.hand("Ann") == (face("2ro"), face("2gd"))


WILDS = dice({(4, 5): "1ro w=2ro w=3ro"})


def test_cubed_15_a_wild_is_swapped_for_the_die_it_stands_for() -> None:
    board = CubedBoard(9, 13, BOARD.logo, {(4, 8): 5})
    table = position({**WILDS, **dice({(4, 8): "w=1ro"})}, "1ro 2ro 2gd", NOTHING, on=board)
    swapped = yes(table.swap("Ann", "1ro", 4, 8), Clause.CUBED_15, 0, Reason.SWAPPED)
    assert not swapped.sets
    assert table.state.grid.dice[4, 8].face == face("1ro")
    assert table.state.pouch == 42 - 4 - 3 - 5
    for refused in (
        table.lay("Ann", "2ro", 4, 9),
        table.passes("Ann"),
        table.ends("Ann"),
        table.swap("Ann", "2ro", 4, 6),
    ):
        no(refused, Clause.CUBED_15, Reason.WILD_UNROLLED)
    no(table.roll("Ann", "2ro 2gd"), Clause.CUBED_15, Reason.ROLL_WRONG_NUMBER)
    no(table.roll("Ann", "2ro 2ro 2ro"), Clause.CUBED_15, Reason.ROLL_CHANGES_KEPT)
    yes(table.roll("Ann", "2ro 3ro 2gd"), Clause.CUBED_15, reason=Reason.WILD_ROLLED)
    no(table.roll("Ann", "2ro 3ro 2gd"), Clause.CUBED_11, Reason.ROLL_NOT_DUE)
    yes(table.swap("Ann", "2ro", 4, 6), Clause.CUBED_15)
    yes(table.roll("Ann", "3ro 2gd w"), Clause.CUBED_15)
    for word, column in (("w=2ro", 9), ("3ro", 10)):
        assert table.lay("Ann", word, 4, column).ok
    assert len(table.state.laid) == 2


def test_cubed_15_what_cannot_be_swapped() -> None:
    table = position(WILDS, "2ro 1ro 1ro w", "2ro")
    no(table.swap("Ann", "1ro", 4, 5), Clause.CUBED_15, Reason.SWAP_NO_WILD)
    no(table.swap("Ann", "1ro", 4, 8), Clause.CUBED_15, Reason.SWAP_NO_WILD)
    no(table.swap("Ann", "1ro", -1, 8), Clause.CUBED_15, Reason.SWAP_NO_WILD)
    wrong = no(table.swap("Ann", "1ro", 4, 6), Clause.CUBED_15, Reason.SWAP_WRONG_FACE)
    assert wrong.facts == {"piece": face("1ro"), "named": tile("2ro"), "at": (4, 6)}
    wild = no(table.swap("Ann", "w", 4, 6), Clause.CUBED_15, Reason.SWAP_WRONG_FACE)
    assert say(wild, edition("cubed")) == "The Wild on [4, 6] stands for two red ovals, not for wild."
    no(table.swap("Ann", "3ro", 4, 7), Clause.CUBED_15, Reason.NOT_IN_HAND)
    no(table.swap("Ben", "2ro", 4, 6), Clause.CUBED_4, Reason.NOT_YOUR_TURN)
    table.lay("Ann", "1ro", 4, 8)
    no(table.swap("Ann", "2ro", 4, 6), Clause.CUBED_15, Reason.SWAP_AFTER_DIE)
    yes(table.swap("Ben", "2ro", 4, 6), Clause.CUBED_15)
    assert table.state.unrolled == (0, 1)


@pytest.mark.parametrize(("most", "swaps"), [(0, 0), (1, 1), (2, 2), (None, 2)])
def test_cubed_15_swaps_per_turn(most: int | None, swaps: int) -> None:
    table = position(WILDS, "2ro 3ro 1ro", "1ro", "3ro", swaps_per_turn=most)
    for number, (word, column, hand) in enumerate([("2ro", 6, "3ro 1ro 2ro"), ("3ro", 7, "1ro 2ro 1ro")]):
        swapped = table.swap("Ann", word, 4, column)
        if number < swaps:
            yes(swapped, Clause.CUBED_15)
            yes(table.roll("Ann", hand), Clause.CUBED_15)
        elif swaps:
            assert no(swapped, Clause.CUBED_15, Reason.SWAP_SPENT).facts == {"player": "Ann", "count": swaps}
        else:
            assert no(swapped, Clause.CUBED_15, Reason.NO_SWAPS).facts == {}
    yes(table.lay("Ann", "1ro", 4, 8), Clause.CUBED_7, 3)
    table.passes("Ben")
    assert table.swap("Cid", "3ro", 4, 7).ok is (swaps == 1)


def test_cubed_15_the_last_die_can_be_swapped() -> None:
    table = position(WILDS, "2ro", NOTHING)
    yes(table.swap("Ann", "2ro", 4, 6), Clause.CUBED_15)
    assert not table.state.last_round
    yes(table.roll("Ann", "1ro"), Clause.CUBED_15)
    yes(table.lay("Ann", "1ro", 4, 8), Clause.CUBED_7, 3)


# Bonuses, equal dice, the end.


def test_cubed_16_a_bonus_is_paid_to_whoever_first_occupies_its_square() -> None:
    board = CubedBoard(9, 13, BOARD.logo, {(4, 8): 5, (5, 5): 7, (4, 9): 1})
    table = position(ROW, "w 2ps 2ro 3ps 2gd", NOTHING, on=board)
    laid = yes(table.lay("Ann", "w=1ro", 4, 8), Clause.CUBED_7, 7, Reason.DIE_MADE_SETS_BONUS)
    assert [laid.facts[name] for name in ("bonus", "piece", "named")] == [5, face("w"), face("1ro")]
    waits = yes(table.lay("Ann", "2gd", 5, 5), Clause.CUBED_7, 7, Reason.DIE_WAITS_BONUS)
    die = face("2gd")
    assert waits.facts == {"player": "Ann", "piece": die, "named": die, "at": (5, 5), "bonus": 7}
    yes(table.lay("Ann", "3ps", 6, 5), Clause.CUBED_7, 3, Reason.DIE_MADE_SETS)


@pytest.mark.parametrize("identical", [True, False])
def test_cubed_17_three_identical_dice(identical: bool) -> None:
    table = Table(identical_dice_are_set=identical)
    for player in table.state.players:
        table.roll(player, "1ro 1ro w 1gd 1ps")
    same = table.announce("Ann", "1ro 1ro w", "1ro")
    beside = position(dice({(4, 5): "1ro 1ro"}), "1ro", NOTHING, identical_dice_are_set=identical)
    laid = beside.lay("Ann", "1ro", 4, 7)
    if identical:
        yes(same, Clause.CUBED_4, 2)
        yes(laid, Clause.CUBED_7, 3)
    else:
        no(same, Clause.CUBED_3, Reason.IDENTICAL_NO_SET)
        refused = no(laid, Clause.CUBED_7, Reason.IDENTICAL_NO_SET)
        assert refused.failed == (face("1ro"),) * 3


def test_cubed_18_who_has_not_had_a_turn_plays_once_more() -> None:
    table = position(ROW, "1ro 2ro", "1ro", "2ro 1ps", "2gd", turn=1)
    yes(table.lay("Ben", "1ro", 4, 8), Clause.CUBED_7, 3)
    assert table.state.last_round
    no(table.passes("Ann"), Clause.CUBED_4)
    yes(table.lay("Cid", "2ro", 4, 9), Clause.CUBED_7, 3)
    yes(table.passes("Dan"), Clause.CUBED_10)
    assert table.state.over is Clause.CUBED_18
    assert GAME.outcome(table.state).winners == ("Ben", "Cid")
    for refused in (table.lay("Ann", "1ro", 4, 4), table.roll("Ann", "1ro 2ro"), table.passes("Ann")):
        no(refused, Clause.CUBED_18, Reason.GAME_OVER)


def test_cubed_18_the_last_turn_has_to_be_ended() -> None:
    table = position(ROW, "1ro", "2ro 2gd", pouch=0)
    table.lay("Ann", "1ro", 4, 8)
    table.lay("Ben", "2ro", 4, 9)
    assert no(table.passes("Ann"), Clause.CUBED_18, Reason.LAST_TURN).facts == {"player": "Ben"}
    assert table.state.over is None
    assert yes(table.ends("Ben"), Clause.CUBED_5).facts == {"player": "Ben", "ends": "game"}
    no(table.passes("Ann"), Clause.CUBED_18, Reason.GAME_OVER)
    assert table.state.over is Clause.CUBED_18


def test_cubed_19_the_first_clause_broken_is_named() -> None:
    table = position({**WILDS, **dice({(4, 4): "3ro"})}, "w 2gd 1ro 2ro", "1ro", NOTHING)
    order = [
        (table.lay("Ben", "w", 0, 0), Clause.CUBED_4),
        (table.lay("Ann", "1ps=1ps", 9, 9), Clause.CUBED_5),
        (table.lay("Ann", "w", 9, 9), Clause.CUBED_14),
        (table.lay("Ann", "2gd=2gd", 9, 9), Clause.CUBED_14),
        (table.lay("Ann", "2gd", 9, 9), Clause.CUBED_2),
        (table.lay("Ann", "2gd", 4, 5), Clause.CUBED_2),
        (table.lay("Ann", "2gd", 0, 0), Clause.CUBED_5),
    ]
    for refused, clause in order:
        no(refused, clause)
    table.swap("Ann", "2ro", 4, 6)
    no(table.lay("Ben", "1ro", 4, 8), Clause.CUBED_4)
    no(table.lay("Ann", "3gs", 9, 9), Clause.CUBED_15)


def test_cubed_19_refills_come_before_whose_turn_it_is() -> None:
    table = position(ROW, "1ro 1ro", "1ro 2ro 3ro 2gd 2gd", turn=1)
    for word, column in (("1ro", 8), ("2ro", 9), ("3ro", 10)):
        table.lay("Ben", word, 4, column)
    no(table.lay("Ben", "2gd", 4, 11), Clause.CUBED_11)
    table.roll("Ben", "2gd 2gd 1ro 1ro 1ro")
    no(table.swap("Ann", "1ro", 4, 8), Clause.CUBED_15)
    no(table.lay("Ben", "1ro", 4, 11), Clause.CUBED_11)
    table.roll("Ann", "1ro 1ro 1ro 1ro 1ro")
    no(table.lay("Ben", "1ro", 4, 11), Clause.CUBED_4)


def test_cubed_19_own_rolls_do_not_hide_that_the_turn_has_just_ended() -> None:
    table = position(ROW, "1ro 1ro 1ro 1ro 1ro", "1ro 2ro 3ro 2gd 2gd", turn=1)
    for word, column in (("1ro", 8), ("2ro", 9), ("3ro", 10)):
        table.lay("Ben", word, 4, column)
    table.roll("Ben", "2gd 2gd 1ro 1ro 1ro")
    no(table.lay("Ben", "1ro", 4, 11), Clause.CUBED_5, Reason.TURN_JUST_ENDED)
    table.roll("Ann", "1ro 1ro 1ro 1ro 1ro")
    no(table.lay("Ben", "1ro", 4, 11), Clause.CUBED_4, Reason.NOT_YOUR_TURN)


def test_cubed_19_a_turn_has_just_ended_only_until_someone_else_acts() -> None:
    table = position(ROW, "1ro 2ro 3ro 1ro", "1ro 2gd", NOTHING)
    for word, column in (("1ro", 8), ("2ro", 9), ("3ro", 10)):
        table.lay("Ann", word, 4, column)
    no(table.lay("Ben", "2gd", 0, 0), Clause.CUBED_5, Reason.UNCONNECTED)
    no(table.lay("Ann", "1ro", 4, 12), Clause.CUBED_5, Reason.TURN_JUST_ENDED)
    yes(table.lay("Ben", "1ro", 4, 11), Clause.CUBED_7, 3)
    no(table.lay("Ann", "1ro", 4, 12), Clause.CUBED_4, Reason.NOT_YOUR_TURN)
    no(table.ends("Ann"), Clause.CUBED_4, Reason.NOT_YOUR_TURN)


def test_cubed_19_a_die_without_a_square_is_of_another_game() -> None:
    table = position(ROW, "1ro", NOTHING)
    no(table.do(Laid("Ann", face("1ro"))), Clause.ALL_4, Reason.FOREIGN_EVENT)
    no(table.do(Laid("Ann", face("1ro"), (0, 4, 8))), Clause.CUBED_2, Reason.OFF_BOARD)
    no(table.do(Laid("Ann", tile("1ro"), (0, 4, 8))), Clause.ALL_4, Reason.FOREIGN_EVENT)
