"""Cubed, clause by clause: the opening and the turns."""

from __future__ import annotations

import pytest

from engine.clauses import Clause
from engine.grid import CubedBoard
from engine.reasons import Reason
from tests.cubed_table import BOARD, NOTHING, Table, dice, face, no, position, start_row, yes

ROW = dice({(4, 5): "1ro 2ro 3ro"})


# The opening.


def test_cubed_1_any_face_may_come_up_on_any_die() -> None:
    table = Table()
    assert table.state.pouch == 32
    yes(table.roll("Ann", "w w w w w"), Clause.CUBED_3)
    yes(table.roll("Ben", "1ro 1ro 1ro 1ro 1ro"), Clause.CUBED_3)
    assert table.state.pouch == 32


@pytest.mark.parametrize("words", ["", "1ro 2ro 3ro 2gd", "1ro 2ro 3ro 2gd 1ps 1ps"])
def test_cubed_3_each_player_rolls_five_dice(words: str) -> None:
    refused = no(Table().roll("Ann", words), Clause.CUBED_3, Reason.ROLL_WRONG_NUMBER)
    assert refused.facts == {"player": "Ann", "count": len(words.split()), "due": 5}


def test_cubed_3_all_may_roll_again_until_a_set_is_announced() -> None:
    table = Table("Ann", "Ben", "Cid")
    for player in table.state.players:
        yes(table.roll(player, NOTHING), Clause.CUBED_3)
    yes(table.roll("Ben", "1ro 2ro 3ro 2gd 1ps"), Clause.CUBED_3)
    no(table.roll("Ben", "1ro 2ro 3ro 2gd 1ps"), Clause.CUBED_11, Reason.ROLL_NOT_DUE)
    refused = no(table.announce("Ben", "1ro 2ro 3ro"), Clause.CUBED_3, Reason.ROLLS_MISSING)
    assert refused.facts == {"players": ("Ann", "Cid")}
    table.roll("Cid", NOTHING)
    no(table.roll("Ann", "1ro"), Clause.CUBED_3)
    table.roll("Ann", NOTHING)
    yes(table.announce("Ben", "1ro 2ro 3ro"), Clause.CUBED_4, 3)
    no(table.roll("Cid", NOTHING), Clause.CUBED_11, Reason.ROLL_NOT_DUE)


def test_cubed_3_a_short_roll_picks_up_no_dice() -> None:
    table = Table()
    table.roll("Ann", "1ro 2ro 3ro 2gd 1ps")
    table.roll("Ben", NOTHING)
    no(table.roll("Ben", "1ro"), Clause.CUBED_3)
    yes(table.announce("Ann", "1ro 2ro 3ro"), Clause.CUBED_4, 3)


def test_cubed_3_announcements_that_are_refused_cost_nothing() -> None:
    table = Table()
    no(table.announce("Ann", "1ro 2ro 3ro"), Clause.CUBED_3, Reason.ROLLS_MISSING)
    table.roll("Ann", "1ro 2ro 3ro 2gd w")
    table.roll("Ben", NOTHING)
    false = no(table.announce("Ann", "1ro 2ro 2gd"), Clause.CUBED_3, Reason.ANNOUNCED_NOT_A_SET)
    assert false.failed == (face("1ro"), face("2ro"), face("2gd"))
    no(table.announce("Ann", "1ro 2ro"), Clause.CUBED_3, Reason.NOT_THREE)
    no(table.announce("Ann", "1ro 2ro 3ro w", "1ro"), Clause.CUBED_3, Reason.NOT_THREE)
    no(table.announce("Ann", "1ro 1ro 1ro"), Clause.CUBED_3, Reason.NOT_IN_HAND)
    no(table.announce("Ben", "1ro 2ro 3ro"), Clause.CUBED_3, Reason.NOT_IN_HAND)
    yes(table.announce("Ann", "1ro 2ro 3ro"), Clause.CUBED_4, 3)
    late = no(table.announce("Ben", "2gd 1ps 3gs"), Clause.CUBED_3, Reason.FIRST_SET_LIES)
    assert late.facts == {"player": "Ann"}


def test_cubed_4_the_first_set_lies_on_the_logo_in_its_order_and_scores() -> None:
    table = Table("Ann", "Ben", "Cid")
    for player in table.state.players:
        table.roll(player, "3ro 1ro w 2gd 1ps")
    announced = yes(table.announce("Ben", "3ro w 1ro", "2ro"), Clause.CUBED_4, 2, Reason.ANNOUNCED)
    assert announced.points == {"Ben": 2}
    assert start_row(table.state) == ["3 red oval", "2 red oval", "1 red oval"]
    (line,) = announced.sets
    assert (line.points, line.at, line.pieces) == (2, BOARD.logo, (face("3ro"), face("2ro"), face("1ro")))
    assert table.state.hand("Ben") == (face("2gd"), face("1ps"))
    no(table.lay("Ben", "2gd", 4, 8), Clause.CUBED_4, Reason.NOT_YOUR_TURN)
    no(table.ends("Ben"), Clause.CUBED_4, Reason.NOT_YOUR_TURN)
    assert [table.turn, *(table.turn for player in ("Cid", "Ann") if table.passes(player).ok)] == ["Cid", "Ann", "Ben"]


def test_cubed_4_a_logo_that_is_listed_backwards_in_a_column() -> None:
    board = CubedBoard(5, 5, ((3, 2), (2, 2), (1, 2)))
    table = Table(board=board)
    for player in table.state.players:
        table.roll(player, "1ro 2ro 3ro 2gd 1ps")
    (line,) = table.announce("Ann", "1ro 2ro 3ro").sets
    assert line.at == ((1, 2), (2, 2), (3, 2))
    assert line.pieces == (face("3ro"), face("2ro"), face("1ro"))
    assert table.state.grid.dice == dice({(1, 2): "3ro 2ro 1ro"}, down=True)


def test_cubed_4_nobody_has_a_turn_before_the_first_set() -> None:
    table = Table()
    for _ in range(2):
        for refused in (
            table.lay("Ann", "1ro", 4, 5),
            table.passes("Ann"),
            table.ends("Ann"),
            table.swap("Ann", "1ro", 4, 5),
        ):
            no(refused, Clause.CUBED_4, Reason.FIRST_SET_MISSING)
        for player in table.state.players:
            table.roll(player, "1ro 2ro 3ro 2gd 1ps")


# Turns.


def test_cubed_5_up_to_three_dice_one_after_another() -> None:
    table = position(ROW, "1ro 2ro 3ro 1ro 2ro", "1ro")
    for column, word in ((8, "1ro"), (9, "2ro"), (10, "3ro")):
        yes(table.lay("Ann", word, 4, column), Clause.CUBED_7, 3, Reason.DIE_MADE_SETS)
    assert table.turn == "Ben"
    no(table.lay("Ann", "1ro", 4, 11), Clause.CUBED_5, Reason.TURN_JUST_ENDED)
    no(table.ends("Ann"), Clause.CUBED_5, Reason.TURN_JUST_ENDED)
    no(table.passes("Ann"), Clause.CUBED_4, Reason.NOT_YOUR_TURN)
    no(table.swap("Ann", "1ro", 4, 5), Clause.CUBED_4, Reason.NOT_YOUR_TURN)


def test_cubed_5_the_die_that_empties_the_hand_ends_the_turn() -> None:
    table = position(ROW, "1ro", NOTHING, NOTHING)
    yes(table.lay("Ann", "1ro", 4, 8), Clause.CUBED_7, 3)
    no(table.ends("Ann"), Clause.CUBED_5, Reason.TURN_JUST_ENDED)
    yes(table.passes("Ben"), Clause.CUBED_10)
    no(table.ends("Ann"), Clause.CUBED_4, Reason.NOT_YOUR_TURN)


def test_cubed_5_connected_to_a_die_that_was_laid_before() -> None:
    table = position(ROW, "1ro 2ro 3ro 1ro 2ro", NOTHING)
    no(table.lay("Ann", "2ro", 4, 9), Clause.CUBED_5, Reason.UNCONNECTED)
    no(table.lay("Ann", "2ro", 3, 8), Clause.CUBED_5, Reason.UNCONNECTED)
    yes(table.lay("Ann", "1ro", 4, 8), Clause.CUBED_7, 3)
    yes(table.lay("Ann", "2ro", 4, 9), Clause.CUBED_7, 3)


def test_cubed_5_only_a_face_of_the_own_hand() -> None:
    table = position(ROW, "2ro 1ro", "1ro 3ro 3ro 3ro 3ro")
    refused = no(table.lay("Ann", "3ro", 4, 4), Clause.CUBED_5, Reason.NOT_IN_HAND)
    assert refused.facts == {"player": "Ann", "piece": face("3ro")}
    yes(table.lay("Ann", "1ro", 4, 8), Clause.CUBED_7, 3)
    no(table.lay("Ann", "1ro", 4, 9), Clause.CUBED_5, Reason.NOT_IN_HAND)


def test_cubed_5_a_turn_with_a_die_is_ended_and_one_without_is_passed() -> None:
    table = position(ROW, "1ro 2ro", NOTHING)
    no(table.ends("Ann"), Clause.CUBED_5, Reason.NOTHING_LAID)
    table.lay("Ann", "1ro", 4, 8)
    no(table.passes("Ann"), Clause.CUBED_5, Reason.ALREADY_LAID)
    yes(table.ends("Ann"), Clause.CUBED_5, reason=Reason.TURN_ENDED)
    no(table.ends("Ann"), Clause.CUBED_4, Reason.NOT_YOUR_TURN)
    no(table.lay("Ann", "2ro", 4, 9), Clause.CUBED_4, Reason.NOT_YOUR_TURN)


def test_cubed_5_the_first_event_of_the_next_player_that_stands_ends_the_turn() -> None:
    table = position(ROW, "1ro 2ro 3ro", "2ro 2gd", NOTHING)
    no(table.lay("Ben", "2ro", 4, 8), Clause.CUBED_4, Reason.NOT_YOUR_TURN)
    table.lay("Ann", "1ro", 4, 8)
    no(table.lay("Cid", "2ro", 4, 9), Clause.CUBED_4, Reason.NOT_YOUR_TURN)
    no(table.lay("Ben", "2gd", 0, 0), Clause.CUBED_5, Reason.UNCONNECTED)
    no(table.ends("Ben"), Clause.CUBED_5, Reason.NOTHING_LAID)
    no(table.roll("Ben", "1ro 2ro"), Clause.CUBED_11, Reason.ROLL_NOT_DUE)
    yes(table.lay("Ann", "2ro", 4, 9), Clause.CUBED_7, 3)
    yes(table.passes("Ben"), Clause.CUBED_10)
    assert table.turn == "Cid"


def test_cubed_5_the_next_player_lays_at_once() -> None:
    table = position(ROW, "1ro 2ro 3ro", "2ro 2gd")
    table.lay("Ann", "1ro", 4, 8)
    yes(table.lay("Ben", "2ro", 4, 9), Clause.CUBED_7, 3)
    assert (table.turn, table.state.laid) == ("Ben", ((4, 9),))
    assert no(table.lay("Ann", "2ro", 4, 10), Clause.CUBED_11, Reason.TURN_OPEN).facts == {"player": "Ben"}


def test_cubed_6_never_diagonal_and_never_round_a_corner() -> None:
    table = position(dice({(2, 2): "1ro 2ro", (3, 4): "3ro", (4, 4): "2gd"}), "3ro 3ro", NOTHING)
    yes(table.lay("Ann", "3ro", 3, 3), Clause.CUBED_7, 0, Reason.DIE_WAITS)
    no(table.ends("Ann"), Clause.CUBED_7, Reason.DIE_LEFT_WAITING)


def test_cubed_7_every_set_counts_once_when_its_last_die_is_laid() -> None:
    table = position({**ROW, **dice({(5, 8): "1ps 1gd"}, down=True)}, "1ro 2ro 2gd", NOTHING)
    laid = yes(table.lay("Ann", "1ro", 4, 8), Clause.CUBED_7, 6)
    assert [(line.at, line.points) for line in laid.sets] == [
        (((4, 6), (4, 7), (4, 8)), 3),
        (((4, 8), (5, 8), (6, 8)), 3),
    ]
    assert laid.facts == {"player": "Ann", "piece": face("1ro"), "named": face("1ro"), "at": (4, 8), "bonus": 0}
    assert len(yes(table.lay("Ann", "2ro", 4, 9), Clause.CUBED_7, 3).sets) == 1


def test_cubed_7_a_die_may_wait_until_the_turn_ends() -> None:
    table = position(ROW, "2gd 3ps 1gs", NOTHING)
    waits = yes(table.lay("Ann", "2gd", 5, 5), Clause.CUBED_7, 0, Reason.DIE_WAITS)
    assert not waits.sets
    assert table.state.waiting == {(5, 5)}
    left = no(table.ends("Ann"), Clause.CUBED_7, Reason.DIE_LEFT_WAITING)
    assert left.facts == {"piece": face("2gd"), "at": (5, 5)}
    no(table.passes("Ben"), Clause.CUBED_7, Reason.DIE_LEFT_WAITING)
    no(table.lay("Ben", "2gd", 4, 8), Clause.CUBED_7, Reason.DIE_LEFT_WAITING)
    yes(table.lay("Ann", "3ps", 6, 5), Clause.CUBED_7, 3)
    assert not table.state.waiting
    yes(table.ends("Ann"), Clause.CUBED_5)


def test_cubed_7_no_third_die_may_leave_one_waiting() -> None:
    table = position(ROW, "2gd 1ro 2ro 3gs", NOTHING)
    table.lay("Ann", "2gd", 5, 5)
    yes(table.lay("Ann", "1ro", 4, 8), Clause.CUBED_7, 3)
    left = no(table.lay("Ann", "2ro", 4, 9), Clause.CUBED_7, Reason.DIE_LEFT_WAITING)
    assert (left.facts["at"], left.failed) == ((5, 5), None)
    third = no(table.lay("Ann", "3gs", 6, 5), Clause.CUBED_7, Reason.LINE_FAILS)
    assert third.failed == (face("1ro"), face("2gd"), face("3gs"))
    assert third.facts == {"piece": face("3gs"), "at": (6, 5), "places": ((4, 5), (5, 5), (6, 5))}


def test_cubed_7_no_die_that_empties_the_hand_may_wait() -> None:
    table = position({**ROW, **dice({(3, 8): "2gd"})}, "2gd 3gs", NOTHING)
    no(position(ROW, "2gd", NOTHING).lay("Ann", "2gd", 5, 5), Clause.CUBED_7, Reason.NO_LINE)
    table.lay("Ann", "2gd", 4, 8)
    left = no(table.lay("Ann", "3gs", 5, 5), Clause.CUBED_7, Reason.NO_LINE)
    assert left.facts == {"piece": face("3gs"), "at": (5, 5)}
    assert no(table.ends("Ann"), Clause.CUBED_7).failed == (face("2ro"), face("3ro"), face("2gd"))


def test_cubed_7_a_set_of_dice_of_this_turn_alone() -> None:
    table = position(ROW, "1gd 2gd 3gd 1ro", NOTHING)
    yes(table.lay("Ann", "1gd", 3, 5), Clause.CUBED_7)
    yes(table.lay("Ann", "2gd", 3, 4), Clause.CUBED_7)
    laid = yes(table.lay("Ann", "3gd", 3, 3), Clause.CUBED_7, 3)
    assert laid.sets[0].at == ((3, 3), (3, 4), (3, 5))
    assert table.turn == "Ben"


def test_cubed_7_where_no_die_may_wait_each_makes_its_set() -> None:
    table = position(ROW, "2gd 3ps 1ro", NOTHING, waiting_dice=False)
    no(table.lay("Ann", "2gd", 5, 5), Clause.CUBED_7, Reason.NO_LINE)
    assert no(table.lay("Ann", "2gd", 4, 8), Clause.CUBED_7, Reason.LINE_FAILS).failed == (
        face("2ro"),
        face("3ro"),
        face("2gd"),
    )
    yes(table.lay("Ann", "1ro", 4, 8), Clause.CUBED_7, 3)
    yes(table.passes("Ben"), Clause.CUBED_10)


def test_cubed_8_a_die_may_touch_others_without_a_set() -> None:
    table = position({**ROW, **dice({(2, 8): "2gd 2gs"}, down=True)}, "1ro 2gd", NOTHING)
    assert len(yes(table.lay("Ann", "1ro", 4, 8), Clause.CUBED_7, 3).sets) == 1
    assert table.state.grid.fails_through((4, 8)) == (((2, 8), (3, 8), (4, 8)),)


def test_cubed_9_the_example_of_the_rulebook() -> None:
    table = position({**ROW, **dice({(2, 8): "1rs 1rd"}, down=True)}, "1ro 2ro 3ro 2gd", NOTHING)
    scores = []
    for column, word, points in ((8, "1ro", 6), (9, "2ro", 3), (10, "3ro", 3)):
        yes(table.lay("Ann", word, 4, column), Clause.CUBED_7, points)
        scores.append(table.state.score["Ann"])
    assert scores == [6, 9, 12]
