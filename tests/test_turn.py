"""A turn of Cubed judged from two layouts: what was laid, swapped, moved or hidden, and on what the verdict rests."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from engine.clauses import Clause
from engine.editions import edition
from engine.grid import CubedBoard, Square
from engine.options import choose
from engine.tokens import Face, Tile
from service.errors import TurnError
from service.judged import Judged
from service.turn import CubedTable, judge_cubed
from tests.cubed_table import BOARD, dice, face, opened, position, tile
from tests.cubed_turns import turns_of

TABLE = CubedTable(BOARD, "Ann")
BONUS = CubedTable(CubedBoard(9, 13, BOARD.logo, {(4, 8): 5, (3, 7): 2}), "Ann")
ROW = {(4, 5): "1ro", (4, 6): "2ro", (4, 7): "3ro"}
"""The first SET, on the logo."""


def layout(words: dict[Square, str]) -> dict[Square, Face]:
    """Return the faces of words like "1ro" and "w"."""
    return {at: face(word) for at, word in words.items()}


def judge(before: dict[Square, str], more: dict[Square, str], table: CubedTable = TABLE, *doubts: Square) -> Judged:
    """Judge what comes to lie on, or takes the place of, what lay before."""
    return judge_cubed(layout(before), layout({**before, **more}), table, doubts)


def named(**names: str) -> CubedTable:
    """Return a table on which Wilds have names: ``named(r4c6="2ro")``."""
    wilds = {tuple(map(int, at[1:].split("c"))): tile(word) for at, word in names.items()}
    return replace(TABLE, names={(at[0], at[1]): name for at, name in wilds.items()})


def test_a_die_that_makes_a_set() -> None:
    judged = judge(ROW, {(4, 8): "1ro"}, BONUS)
    assert (judged.ok, judged.clause, judged.points, judged.status) == (True, Clause.CUBED_7, 8, 0)
    assert [(str(one.piece), one.at, one.named, one.points) for one in judged.laid] == [("1 red oval", (4, 8), None, 3)]
    assert [(line.at, line.points) for line in judged.lines] == [(((4, 6), (4, 7), (4, 8)), 3)]
    assert judged.bonus == (((4, 8), 5),)
    assert "Ann lays one red oval on [4, 8] and scores 8 points, with a bonus of 5" in judged.text


def test_the_legal_order_that_scores_most_is_taken_and_said() -> None:
    judged = judge(ROW, {(2, 7): "3gd", (3, 7): "3ps"})
    assert [one.at for one in judged.laid] == [(3, 7), (2, 7)]
    assert [one.points for one in judged.laid] == [0, 3]
    assert judged.text.startswith("In the legal order that scores most (CUBED-19): ")


def test_the_examples_of_the_rules_add_up() -> None:
    judged = judge(ROW, {(4, 8): "1ro", (4, 4): "3ro", (4, 3): "2ro"})
    assert (judged.points, [one.points for one in judged.laid]) == (9, [3, 3, 3])


def test_a_die_without_a_set_is_refused() -> None:
    judged = judge(ROW, {(4, 8): "1gd"})
    assert (judged.ok, judged.clause, judged.points, judged.status) == (False, Clause.CUBED_7, 0, 1)
    assert [one.at for one in judged.laid] == [(4, 8)]
    assert (judged.lines, judged.bonus) == ((), ())
    assert "this makes no SET" in judged.text


def test_a_lonely_die_and_a_fourth_one_are_refused() -> None:
    assert judge(ROW, {(0, 0): "1ro"}).clause is Clause.CUBED_5
    four = judge(ROW, {(4, 8): "1ro", (4, 9): "2ro", (4, 10): "3ro", (4, 4): "3ro"})
    assert (four.ok, four.clause) == (False, Clause.CUBED_5)
    assert "not 4" in four.text


def test_a_wild_that_people_say_lay_there_was_missed() -> None:
    before = {**ROW, (3, 8): "3pd"}
    laid = {(2, 8): "w", (4, 8): "1ro"}
    missed = judge(before, laid, named(r2c8="2gs"))
    assert (missed.ok, missed.status, missed.points) == (True, 0, 6)
    assert [one.at for one in missed.laid] == [(4, 8)]
    assert missed.text.endswith("Not seen in BEFORE, and there as you say: wild on [2, 8].")
    misread = judge({**before, (2, 8): "2gs"}, laid, named(r2c8="2gs"))
    assert (misread.status, misread.points, misread.swapped) == (0, 6, ())


def test_a_wild_that_people_say_lay_there_may_have_been_swapped() -> None:
    judged = judge({**ROW, (3, 7): "3gd"}, {(2, 7): "3ps"}, named(r2c7="3ps"))
    assert (judged.status, judged.points, judged.laid) == (0, 0, ())
    assert [(one.at, str(one.piece)) for one in judged.swapped] == [((2, 7), "3 purple squiggle")]


def test_a_wild_that_neither_photo_shows_is_refused() -> None:
    for after in ({(2, 7): "1gd"}, {(4, 8): "1ro"}):
        with pytest.raises(TurnError, match=r"no Wild is in BEFORE on \[2, 7\]"):
            judge(ROW, after, named(r2c7="3ps"))


def test_nothing_laid_is_a_pass() -> None:
    judged = judge(ROW, {})
    assert (judged.ok, judged.clause, judged.points) == (True, Clause.CUBED_10, 0)


def test_options_of_the_table_hold() -> None:
    options = choose(edition("cubed").options, {"waiting_dice": False}, "cubed")
    assert not judge(ROW, {(3, 7): "3ps", (2, 7): "3gd"}, replace(TABLE, options=options)).ok


# Wilds.


def test_a_new_wild_takes_the_best_name_unless_it_was_announced() -> None:
    judged = judge(ROW, {(4, 8): "w"})
    assert (judged.laid[0].named, judged.points) == (tile("1ro"), 2)
    assert "the Wild on [4, 8] as one red oval" in judged.text
    told = judge(ROW, {(4, 8): "w"}, replace(TABLE, announced={(4, 8): tile("1ro")}))
    assert (told.points, "Nobody has said" in told.text) == (2, False)
    wrong = judge(ROW, {(4, 8): "w"}, replace(TABLE, announced={(4, 8): tile("2ro")}))
    assert (wrong.ok, wrong.laid[0].named) == (False, tile("2ro"))


def test_a_set_on_a_wild_that_nobody_has_named_is_open() -> None:
    before = {**ROW, (3, 8): "w", (2, 8): "3gd"}
    judged = judge(before, {(4, 8): "1ro"})
    assert (judged.ok, judged.points, judged.sure, judged.status) == (True, 3, True, 0)
    assert [(line.at, line.needs) for line in judged.open] == [(((2, 8), (3, 8), (4, 8)), tile("2ps"))]
    assert judged.more == 3
    assert "1 more line may be a SET, worth up to 3 points more" in judged.text
    assert "the Wild on [3, 8] stands for; say it with --record FILE or --wild ROW,COLUMN=NAME" in judged.text


def test_a_named_wild_counts() -> None:
    before = {**ROW, (3, 8): "w", (2, 8): "3gd"}
    judged = judge(before, {(4, 8): "1ro"}, named(r3c8="2ps"))
    assert (judged.points, judged.open) == (6, ())
    assert judge(before, {(4, 8): "1ro"}, named(r3c8="1gd")).points == 3


def test_a_turn_that_rests_on_an_open_set_alone_is_unsure() -> None:
    before = {**ROW, (3, 7): "3gd", (2, 5): "1gd", (2, 6): "1ps", (2, 7): "w"}
    judged = judge(before, {(1, 7): "2ps"})
    assert (judged.ok, judged.sure, judged.points, judged.status) == (True, False, 0, 3)
    assert "Whether all dice are in SETs rests on Wilds that nobody has named." in judged.text


def test_the_only_name_that_fits_is_proposed() -> None:
    before = {(4, 5): "1ro", (4, 6): "w", (4, 7): "3ro"}
    judged = judge(before, {(3, 6): "2gd", (2, 6): "2ps"})
    assert judged.open[0].needs == tile("2ro") or judged.open == ()
    far = judge(before, {(4, 8): "1ro"})
    assert far.status == 3
    assert '--wild "4,6=2 red oval"' in far.text


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (named(r4c6="2ro"), "--wild 4,6=2 red oval: no Wild is in BEFORE on [4, 6], 2 red oval is"),
        (named(r0c0="2ro"), "--wild 0,0=2 red oval: no Wild is in BEFORE on [0, 0], nothing is"),
        (replace(TABLE, announced={(4, 8): tile("1ro")}), "--as 4,8=1 red oval: no Wild is laid now on [4, 8], 1 red"),
    ],
)
def test_a_name_where_no_wild_lies_is_refused(table: CubedTable, words: str) -> None:
    with pytest.raises(TurnError) as refused:
        judge(ROW, {(4, 8): "1ro"}, table)
    assert str(refused.value).startswith(words)


# Swaps.


def test_a_wild_is_swapped_and_dice_are_laid() -> None:
    before = {**ROW, (4, 6): "w"}
    judged = judge(before, {(4, 6): "2ro", (4, 8): "1ro"}, named(r4c6="2ro"))
    assert (judged.ok, judged.clause, judged.points, judged.status) == (True, Clause.CUBED_7, 3, 0)
    assert [(str(one.piece), one.at, one.named) for one in judged.swapped] == [("2 red oval", (4, 6), tile("2ro"))]
    assert judged.text.startswith("Ann swaps the Wild on [4, 6] for two red ovals")


def test_a_swap_alone_scores_nothing() -> None:
    judged = judge({**ROW, (4, 6): "w"}, {(4, 6): "2ro"}, named(r4c6="2ro"))
    assert (judged.ok, judged.clause, judged.points) == (True, Clause.CUBED_15, 0)


def test_a_wrong_swap_is_refused() -> None:
    judged = judge({**ROW, (4, 6): "w"}, {(4, 6): "2gd", (4, 8): "1ro"}, named(r4c6="2ro"))
    assert (judged.ok, judged.clause, judged.points, judged.lines) == (False, Clause.CUBED_15, 0, ())
    assert "stands for two red ovals, not for two green diamonds" in judged.text


def test_more_swaps_than_the_table_allows_are_refused() -> None:
    options = choose(edition("cubed").options, {"swaps_per_turn": 0}, "cubed")
    judged = judge({**ROW, (4, 6): "w"}, {(4, 6): "2ro"}, replace(named(r4c6="2ro"), options=options))
    assert (judged.ok, judged.clause) == (False, Clause.CUBED_15)


def test_a_swap_of_a_wild_that_nobody_has_named_is_unsure() -> None:
    judged = judge({**ROW, (4, 6): "w"}, {(4, 6): "2ro"})
    assert (judged.ok, judged.sure, judged.status, judged.swapped[0].named) == (True, False, 3, None)
    assert "This stands if the Wild stood for two red ovals, which nobody has said." in judged.text


# What no turn does.


def test_a_die_that_was_moved_is_an_oddity() -> None:
    before = layout({**ROW, (4, 8): "1ro"})
    judged = judge_cubed(before, layout({**ROW, (3, 7): "1ro"}), TABLE)
    assert (judged.ok, judged.clause, judged.status) == (False, Clause.CUBED_5, 1)
    assert [(move.start, move.end) for move in judged.moved] == [((4, 8), (3, 7))]
    assert "A die was moved from [4, 8] to [3, 7] (one red oval)" in judged.text


@pytest.mark.parametrize("word", ["2gd", "w"])
def test_a_die_that_was_changed_is_an_oddity(word: str) -> None:
    judged = judge(ROW, {(4, 6): word})
    assert (judged.ok, judged.clause) == (False, Clause.CUBED_15)
    assert "only a Wild may be swapped" in judged.text


def test_dice_that_were_taken_away_are_no_turn() -> None:
    with pytest.raises(TurnError, match=r"BEFORE has more dice than AFTER \(4 and 3\): 1 red oval on \[4, 8\]"):
        judge_cubed(layout({**ROW, (4, 8): "1ro"}), layout(ROW), TABLE)


def test_another_board_is_no_turn() -> None:
    other = layout({(r, c): "2gd" for r in range(3) for c in range(3)})
    with pytest.raises(TurnError, match="do not show the same board: 3 of the 3 dice"):
        judge_cubed(layout(ROW), other, TABLE)


def test_a_die_hidden_after_the_turn_still_lies_there_and_makes_it_unsure() -> None:
    before = layout({**ROW, (4, 4): "3ro"})
    after = layout({at: word for at, word in {**ROW, (4, 4): "3ro", (4, 8): "1ro"}.items() if at != (4, 7)})
    judged = judge_cubed(before, after, TABLE)
    assert (judged.ok, judged.points, judged.doubts, judged.status) == (True, 3, ((4, 7),), 3)
    assert "Not seen in AFTER, and taken to lie there still: three red ovals on [4, 7]." in judged.text


def test_a_die_missed_before_the_turn_lay_there_already_if_nothing_else_explains_the_others() -> None:
    full = {**ROW, (3, 7): "3gd", (2, 7): "3ps"}
    after = layout({**full, (4, 8): "1ro"})
    for lost in ((4, 6), (3, 7), (2, 7)):
        judged = judge_cubed(layout({at: word for at, word in full.items() if at != lost}), after, BONUS)
        assert [one.at for one in judged.laid] == [(4, 8)]
        assert (judged.ok, judged.points, judged.status) == (True, 8, 3 if lost == (4, 6) else 0)
        assert "Not seen in BEFORE, and taken to have lain there already: " in judged.text
        assert f"on {list(lost)}." in judged.text


def test_the_second_half_of_a_turn_is_no_missed_die() -> None:
    judged = judge({**ROW, (3, 7): "3gd"}, {(2, 7): "3ps"})
    assert (judged.ok, judged.points, [one.at for one in judged.laid]) == (True, 3, [(2, 7)])


# Doubts.


def test_the_verdict_rests_on_dice_in_the_lines_of_those_laid() -> None:
    before = {**ROW, (0, 0): "2gd"}
    assert judge(before, {(4, 8): "1ro"}, TABLE, (4, 6)).status == 3
    assert judge(before, {(4, 8): "1ro"}, TABLE, (4, 8)).doubts == ((4, 8),)
    calm = judge(before, {(4, 8): "1ro"}, TABLE, (4, 5), (0, 0))
    assert (calm.status, calm.doubts) == (0, ())


def test_a_refusal_may_be_unsure_too() -> None:
    judged = judge(ROW, {(4, 8): "1gd"}, TABLE, (4, 8))
    assert (judged.ok, judged.status) == (False, 3)
    assert "Unsure: please look at one green diamond on [4, 8]." in judged.text


# The first SET.


def test_the_first_set_goes_on_the_logo() -> None:
    judged = judge({}, {(4, 5): "1ro", (4, 6): "w", (4, 7): "3ro"})
    assert (judged.ok, judged.clause, judged.points) == (True, Clause.CUBED_4, 2)
    assert [(one.at, one.named, one.points) for one in judged.laid] == [
        ((4, 5), None, 0),
        ((4, 6), tile("2ro"), 0),
        ((4, 7), None, 2),
    ]


@pytest.mark.parametrize(
    "more", [{(3, 5): "1ro", (3, 6): "2ro", (3, 7): "3ro"}, {**ROW, (4, 8): "1ro"}, {(4, 5): "1ro"}]
)
def test_a_first_set_elsewhere_is_refused(more: dict[Square, str]) -> None:
    judged = judge({}, more)
    assert (judged.ok, judged.clause) == (False, Clause.CUBED_4)
    assert "the squares of the logo ([4, 5], [4, 6], [4, 7])" in judged.text


def test_a_first_set_that_is_none_is_refused() -> None:
    judged = judge({}, {**ROW, (4, 7): "3gd"})
    assert (judged.ok, judged.clause) == (False, Clause.CUBED_3)


# With a record of the game.


def test_the_record_says_who_plays_and_what_wilds_stand_for() -> None:
    state = position(dice({(4, 5): "1ro w=2ro 3ro"}), "2gd", "1ro 1gd", turn=1).state
    table = CubedTable(BOARD, state=state)
    judged = judge({**ROW, (4, 6): "w"}, {(4, 8): "1ro"}, table)
    assert (judged.player, judged.ok, judged.points, judged.open) == ("Ben", True, 3, ())
    assert judged.scores == {"Ann": 0, "Ben": 3}
    held = judge({**ROW, (4, 6): "w"}, {(4, 8): "1ro"}, replace(table, player="Ann"))
    assert (held.ok, held.clause, held.scores) == (False, Clause.CUBED_4, {"Ann": 0, "Ben": 0})


def test_a_die_that_the_record_does_not_know_in_the_hand_is_refused() -> None:
    state = position(dice({(4, 5): "1ro 2ro 3ro"}), "2gd", "1ro").state
    judged = judge(ROW, {(4, 8): "1ro"}, CubedTable(BOARD, state=state))
    assert (judged.player, judged.ok, judged.clause) == ("Ann", False, Clause.CUBED_5)


def test_rolls_that_the_record_lacks_are_taken_to_fit() -> None:
    table = opened(others="1ro 2gd 1ps 3gs 1gd")
    table.passes("Ben")
    assert table.state.missing_rolls == ("Ann",)
    judged = judge(ROW, {(4, 8): "1ro"}, CubedTable(BOARD, state=table.state))
    assert (judged.player, judged.points, judged.scores) == ("Ann", 3, {"Ann": 6, "Ben": 0})


def test_dice_after_dice_of_the_same_turn_or_of_the_next_player() -> None:
    table = opened(others="1ro 2gd 1ps 3gs 1gd", players="Ann Ben Cid")
    table.lay("Ben", "1ro", 4, 8)
    before = {**ROW, (4, 8): "1ro"}
    recorded = CubedTable(BOARD, state=table.state)
    judged = judge(before, {(4, 9): "2ro"}, recorded)
    assert (judged.player, judged.ok) == ("Ben", False)
    table.state = replace(table.state, hands=(*table.state.hands[:2], (face("2ro"), face("1gd"))))
    judged = judge(before, {(4, 9): "2ro"}, replace(recorded, state=table.state))
    assert (judged.player, judged.ok, judged.points) == ("Cid", True, 3)
    hands = (table.state.hands[0], (face("2ro"), face("1gd")), table.state.hands[2])
    judged = judge(before, {(4, 9): "2ro"}, replace(recorded, state=replace(table.state, hands=hands)))
    assert judged.player == "Ben"
    assert judged.text.endswith("It may have been Ben or Cid: say it with --player.")


def test_the_first_set_is_that_of_whoever_holds_it() -> None:
    table = opened()
    fresh = replace(table.state, grid=replace(table.state.grid, dice={}), leader=None)
    hands = (fresh.hands[1], (face("1ro"), face("2ro"), face("3ro"), face("2gd"), face("1ps")))
    state = replace(fresh, hands=hands)
    judged = judge({}, ROW, CubedTable(BOARD, state=state))
    assert (judged.player, judged.ok, judged.points) == ("Ben", True, 3)


# Random games.


@pytest.mark.parametrize("seed", range(12))
def test_random_turns_stand_and_score_as_much_or_more(seed: int) -> None:
    for turn in turns_of(seed):
        before, after = turn.layouts
        options, names = turn.before.options, turn.names
        given = CubedTable(turn.before.grid.board, turn.player, options, names)
        judged = judge_cubed(before, after, given)
        assert judged.ok, judged.text
        assert judged.points >= turn.points
        assert len(judged.swapped) == turn.swaps
        recorded = judge_cubed(before, after, CubedTable(turn.before.grid.board, turn.player, state=turn.before))
        assert recorded.ok, recorded.text
        assert judge_cubed(before, after, CubedTable(turn.before.grid.board, state=turn.before)).ok
        assert recorded.points == judged.points
        unnamed = judge_cubed(before, after, CubedTable(turn.before.grid.board, turn.player, options))
        assert unnamed.ok, unnamed.text
        assert unnamed.points <= judged.points


# Turns of pictures with exact labels.


def test_the_labelled_turns_get_the_verdict_of_their_labels(shared: Path) -> None:
    paths = sorted((shared / "data" / "renders").glob("turn_*.json"))
    assert paths
    for path in paths:
        found = json.loads(path.read_text(encoding="utf-8"))
        before, after = (
            {(one["cell"][0], one["cell"][1]): Face.parse(one["face"]) for one in found[f"{when}_pieces"]}
            for when in ("before", "after")
        )
        names = {at: Tile.parse(name) for at, name in _squares(found["wilds"]).items()}
        judged = judge_cubed(
            before, after, CubedTable(CubedBoard.from_json(found["board"]), found["player"], names=names)
        )
        assert (judged.ok, judged.points) == (True, found["points"]), path.name
        laid = sorted([str(one.piece), list(one.at)] for one in judged.laid)
        assert laid == sorted([face, at] for face, at, _ in found["laid"]), path.name


def _squares(names: dict[str, str]) -> dict[Square, str]:
    places = {tuple(map(int, at.split(","))): name for at, name in names.items()}
    return {(at[0], at[1]): name for at, name in places.items()}
