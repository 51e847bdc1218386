"""What a camera sees of Cubed: dice laid, names of Wilds, swaps, the first SET, and what is odd."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import permutations

import pytest

from engine.cubed import Cubed
from engine.cubed_state import CubedState, Phase
from engine.editions import edition
from engine.events import Announced, Laid, Rolled, Swapped
from engine.explain_change import Explained, Moved, Oddity, explain
from engine.explained import MOST, play
from engine.grid import CubedBoard, Die, Grid, Square
from engine.layout import Layout
from engine.sentences import say_note, say_problem
from engine.tokens import Face, Tile, full_tiles
from tests.looks import codes, only, put

CUBED = Cubed(edition("cubed"))
BOARD = CubedBoard(7, 7, ((3, 2), (3, 3), (3, 4)), {(3, 5): 2})
WILD = Face(None)
ONE, TWO, THREE = (Face.parse(f"{number} red oval") for number in (1, 2, 3))
GREEN, PURPLE = Face.parse("2 green diamond"), Face.parse("2 purple squiggle")
LOGO: Mapping[Square, Die] = {(3, 2): Die(ONE), (3, 3): Die(TWO), (3, 4): Die(THREE)}
"""The first SET: one, two, three red ovals."""


def named(text: str) -> Die:
    """A Wild that stands for this."""
    return Die(WILD, Tile.parse(text))


def opening(ann: tuple[Face, ...], ben: tuple[Face, ...] = (), **options: object) -> CubedState:
    """All have rolled, nobody has announced."""
    state = CUBED.start(("Ann", "Ben"), options, BOARD)
    return replace(state, hands=(ann, ben), unrolled=(0, 0))


def turn(
    ann: tuple[Face, ...], ben: tuple[Face, ...] = (), dice: Mapping[Square, Die] | None = None, **options: object
) -> CubedState:
    """Ann's turn, with these hands and more dice on the board than the first SET."""
    grid = Grid(BOARD, {**LOGO, **(dice or {})})
    return replace(opening(ann, ben, **options), grid=grid, phase=Phase.PLAY, leader=0, placed=True)


def picture(state: CubedState) -> Layout:
    """The board as it lies."""
    return Layout.of({square: die.face for square, die in state.grid.dice.items()})


def laid(state: CubedState, dice: Mapping[Square, Face], before: Layout | None = None) -> Explained:
    """Explain the change that these faces are on these squares now."""
    lies = picture(state)
    return explain(lies if before is None else before, put(lies, dice), state, CUBED)


def notes(found: Explained) -> list[str]:
    """What is said of the choice of the best candidate, in English."""
    return [say_note(note, CUBED.edition) for note in found.candidates[0].notes]


def test_a_die_is_laid_by_the_player_in_turn() -> None:
    found = laid(turn((ONE, GREEN)), {(3, 5): ONE})
    assert [candidate.events for candidate in found.candidates] == [(Laid("Ann", ONE, (3, 5)),)]
    assert found.candidates[0].points == {"Ann": 5}
    assert not found.candidates[0].notes
    assert not found.ambiguous
    assert not found.problems


def test_dice_are_laid_in_a_legal_order() -> None:
    found = laid(turn((GREEN, PURPLE, ONE)), {(1, 3): GREEN, (2, 3): PURPLE})
    assert [candidate.events for candidate in found.candidates] == [
        (Laid("Ann", PURPLE, (2, 3)), Laid("Ann", GREEN, (1, 3)))
    ]
    assert notes(found) == ["Laid in the legal order that scores most."]


def test_cubed_19_of_the_legal_orders_the_one_that_scores_most_is_taken_and_said() -> None:
    """CUBED-13: a Wild counts in the SETs completed after the one that first holds it, so it goes first."""
    state = turn((WILD, TWO, THREE, GREEN), dice={(2, 6): Die(GREEN)})
    dice = {(3, 1): THREE, (3, 5): WILD, (3, 6): TWO}
    found = laid(state, dice)
    best = found.candidates[0]
    assert notes(found)[0] == "Laid in the legal order that scores most."
    names = {event.named for event in best.events if isinstance(event, Laid) and event.named}
    scores = []
    for order in permutations(dice.items()):
        for name in full_tiles():
            events = [Laid("Ann", face, at, name if face.is_wild else None) for at, face in order]
            after, verdicts = play(CUBED, state, events)
            if len(verdicts) == 3 and verdicts[-1].ok:
                scores.append((after.scores[0], name))
    assert best.points["Ann"] == max(score for score, _ in scores) == 3 + (2 + 2) + 3
    assert min(score for score, name in scores if name == ONE.tile) < best.points["Ann"]
    assert len(found.candidates) + found.more == len({name for _, name in scores})
    assert names <= {name for score, name in scores if score == best.points["Ann"]}


def test_what_a_wild_stands_for_is_not_seen() -> None:
    found = laid(turn((WILD, GREEN)), {(3, 5): WILD})
    best = found.candidates[0]
    assert best.events == (Laid("Ann", WILD, (3, 5), ONE.tile),)
    assert best.points == {"Ann": 4}
    assert notes(found)[0].endswith("Best for points: one red oval; others that fit: 26.")
    assert found.ambiguous
    assert (len(found.candidates), found.more) == (MOST, 27 - MOST)
    assert [candidate.points for candidate in found.candidates[1:]] == [{"Ann": 2}] * (MOST - 1)


def test_three_wilds_at_once() -> None:
    found = laid(turn((WILD, WILD, WILD)), {(3, 5): WILD, (3, 6): WILD, (4, 5): WILD})
    assert not found.candidates
    found = laid(turn((WILD, WILD, WILD)), {(2, 3): WILD, (1, 3): WILD, (3, 5): WILD})
    assert found.ambiguous
    assert len(found.candidates) + found.more == 27
    events = found.candidates[0].events
    assert {(event.at, event.named) for event in events if isinstance(event, Laid)} >= {((3, 5), ONE.tile)}


def test_a_die_may_wait_for_the_next_one() -> None:
    found = laid(turn((GREEN, PURPLE)), {(2, 3): GREEN})
    assert [candidate.events for candidate in found.candidates] == [(Laid("Ann", GREEN, (2, 3)),)]
    assert not found.candidates[0].points


def test_a_die_that_may_not_wait_is_said_why() -> None:
    found = laid(turn((GREEN, PURPLE), waiting_dice=False), {(3, 5): GREEN})
    assert not found.candidates
    problem = only(found)
    assert (problem.code, problem.pieces) == (Oddity.NOT_ALLOWED, (GREEN,))
    assert say_problem(problem, CUBED.edition).startswith("Two green diamonds: ")
    assert "Colour: two are red and one is green" in say_problem(problem, CUBED.edition)


def test_a_wild_of_which_no_name_fits() -> None:
    found = laid(turn((WILD,)), {(2, 2): WILD})
    assert not found.candidates
    assert codes(found) == [Oddity.NOT_ALLOWED]


def test_a_wild_that_touches_nothing_has_no_names_to_try() -> None:
    found = laid(turn((WILD, ONE)), {(0, 0): WILD})
    assert not found.candidates
    assert codes(found) == [Oddity.NOT_ALLOWED]


def test_a_die_that_touches_nothing() -> None:
    assert codes(laid(turn((ONE, GREEN)), {(0, 0): ONE})) == [Oddity.NOT_ALLOWED]


def test_four_dice_are_too_many() -> None:
    found = laid(turn((ONE,) * 5), {(3, 5): ONE, (3, 6): ONE, (2, 5): ONE, (1, 5): ONE})
    problem = only(found)
    assert problem.code is Oddity.TOO_MANY_NEW
    assert "4, and only 3" in say_problem(problem, CUBED.edition)


def test_a_die_that_nobody_in_turn_has_rolled() -> None:
    problem = only(laid(turn((GREEN,), (ONE,)), {(3, 5): ONE}))
    assert (problem.code, problem.pieces) == (Oddity.NOT_IN_HAND, (ONE,))


def test_the_next_player_may_have_laid_where_the_turn_can_end() -> None:
    state = turn((ONE, TWO, GREEN), (TWO, GREEN))
    state, _ = play(CUBED, state, [Laid("Ann", ONE, (3, 5))])
    found = laid(state, {(3, 6): TWO})
    assert [candidate.events for candidate in found.candidates] == [
        (Laid("Ann", TWO, (3, 6)),),
        (Laid("Ben", TWO, (3, 6)),),
    ]
    only_ben = laid(replace(state, hands=((GREEN,), (TWO, GREEN))), {(3, 6): TWO})
    assert [candidate.events for candidate in only_ben.candidates] == [(Laid("Ben", TWO, (3, 6)),)]
    assert not only_ben.problems


def test_the_next_player_has_not_laid_while_a_die_waits() -> None:
    state, _ = play(CUBED, turn((GREEN, PURPLE, ONE), (PURPLE, ONE)), [Laid("Ann", GREEN, (2, 3))])
    found = laid(state, {(1, 3): PURPLE})
    assert [candidate.events for candidate in found.candidates] == [(Laid("Ann", PURPLE, (1, 3)),)]


# Swaps.


def test_a_wild_is_swapped_for_the_die_that_it_stands_for() -> None:
    found = laid(turn((GREEN, ONE), dice={(2, 3): named("2 green diamond")}), {(2, 3): GREEN})
    assert [candidate.events for candidate in found.candidates] == [(Swapped("Ann", GREEN, (2, 3)),)]
    assert not found.problems


def test_a_wild_that_became_another_die_has_changed() -> None:
    found = laid(turn((GREEN, ONE), dice={(2, 3): named("2 green diamond")}), {(2, 3): ONE})
    assert not found.candidates
    assert (only(found).code, only(found).pieces) == (Oddity.CHANGED, (WILD, ONE))


def test_a_swap_by_nobody_who_has_the_die() -> None:
    found = laid(turn((ONE,), dice={(2, 3): named("2 green diamond")}), {(2, 3): GREEN})
    assert codes(found) == [Oddity.NOT_IN_HAND]


def test_what_was_rolled_after_a_swap_is_known_if_only_it_can_have_been_laid() -> None:
    state = turn((GREEN, TWO), dice={(2, 3): named("2 green diamond")})
    found = laid(state, {(2, 3): GREEN, (3, 5): ONE})
    assert [candidate.events for candidate in found.candidates] == [
        (Swapped("Ann", GREEN, (2, 3)), Rolled("Ann", (TWO, ONE)), Laid("Ann", ONE, (3, 5)))
    ]
    assert not found.problems


def test_what_was_rolled_after_a_swap_and_not_laid_is_not_known() -> None:
    state = turn((GREEN, ONE), dice={(2, 3): named("2 green diamond")})
    found = laid(state, {(2, 3): GREEN, (3, 5): ONE})
    assert [candidate.events for candidate in found.candidates] == [(Swapped("Ann", GREEN, (2, 3)),)]
    assert (only(found).code, only(found).pieces) == (Oddity.ROLL_UNKNOWN, (ONE,))


def test_two_swaps_are_explained_in_part() -> None:
    wilds = {(2, 3): named("2 green diamond"), (2, 2): named("2 purple squiggle")}
    found = laid(turn((GREEN, PURPLE), dice=wilds), {(2, 3): GREEN, (2, 2): PURPLE})
    assert {candidate.events for candidate in found.candidates} == {
        (Swapped("Ann", GREEN, (2, 3)),),
        (Swapped("Ann", PURPLE, (2, 2)),),
    }
    assert codes(found) == [Oddity.ROLL_UNKNOWN]


# The first SET.


def first_set(state: CubedState, *faces: Face) -> Explained:
    """Explain these faces on the logo."""
    return explain(Layout(), Layout.of(dict(zip(BOARD.logo, faces, strict=False))), state, CUBED)


def test_the_first_set_lies_on_the_logo() -> None:
    found = first_set(opening((ONE, TWO), (ONE, TWO, THREE)), TWO, ONE, THREE)
    assert [candidate.events for candidate in found.candidates] == [(Announced("Ben", (TWO, ONE, THREE), ()),)]
    assert found.candidates[0].points == {"Ben": 3}


def test_two_players_may_have_had_the_first_set() -> None:
    found = first_set(opening((ONE, TWO, THREE), (ONE, TWO, THREE)), ONE, TWO, THREE)
    assert [candidate.events for candidate in found.candidates] == [
        (Announced(name, (ONE, TWO, THREE), ()),) for name in ("Ann", "Ben")
    ]
    assert found.ambiguous


@pytest.mark.parametrize(("wilds", "many"), [(1, 1), (2, 27), (3, 27 * 27)])
def test_wilds_of_the_first_set_take_every_name_that_fits(wilds: int, many: int) -> None:
    faces = (WILD,) * wilds + (ONE, TWO)[: 3 - wilds]
    found = first_set(opening(faces), *faces)
    assert len(found.candidates) + found.more == many
    assert len(found.candidates) <= MOST
    assert found.candidates[0].points == ({"Ann": 3 - wilds} if wilds < 3 else {})


def test_a_first_set_that_is_none() -> None:
    found = first_set(opening((ONE, TWO, GREEN)), ONE, TWO, GREEN)
    assert codes(found) == [Oddity.NOT_ALLOWED]


def test_a_first_set_that_nobody_has() -> None:
    assert codes(first_set(opening((ONE, TWO)), ONE, TWO, THREE)) == [Oddity.NOT_IN_HAND]


def test_a_first_set_while_dice_have_to_be_rolled() -> None:
    state = CUBED.start(("Ann", "Ben"), {}, BOARD)
    assert codes(first_set(state, ONE, TWO, THREE)) == [Oddity.NOT_ALLOWED]


def test_a_first_set_beside_the_logo() -> None:
    state = opening((ONE, TWO, THREE))
    assert codes(first_set(state, ONE, TWO)) == [Oddity.LOGO]
    assert codes(explain(Layout(), Layout.of({(0, 0): ONE}), state, CUBED)) == [Oddity.LOGO]


def test_a_die_beside_the_first_set() -> None:
    found = explain(
        Layout(),
        Layout.of({(3, 2): ONE, (3, 3): TWO, (3, 4): THREE, (3, 5): GREEN}),
        opening((ONE, TWO, THREE, GREEN)),
        CUBED,
    )
    assert [candidate.events for candidate in found.candidates] == [(Announced("Ann", (ONE, TWO, THREE), ()),)]
    assert (only(found).code, only(found).pieces) == (Oddity.LOGO, (GREEN,))


# What is odd.


def test_a_die_was_moved() -> None:
    state = turn((ONE,), dice={(2, 3): Die(GREEN)})
    found = explain(picture(state), put(picture(turn((ONE,))), {(2, 4): GREEN}), state, CUBED)
    problem = only(found)
    assert (problem.code, problem.pieces) == (Oddity.MOVED, (GREEN,))
    assert "from [2, 3] to [2, 4]" in say_problem(problem, CUBED.edition)
    assert not found.moved


def test_a_die_was_moved_and_another_laid() -> None:
    state = turn((ONE, TWO), dice={(2, 3): Die(GREEN)})
    found = explain(picture(state), put(picture(turn((ONE,))), {(2, 4): GREEN, (3, 5): ONE}), state, CUBED)
    assert [candidate.events for candidate in found.candidates] == [(Laid("Ann", ONE, (3, 5)),)]
    assert codes(found) == [Oddity.MOVED]


def test_a_die_vanished() -> None:
    state = turn((ONE,), dice={(2, 3): Die(GREEN)})
    problem = only(explain(picture(state), picture(turn((ONE,))), state, CUBED))
    assert (problem.code, problem.pieces) == (Oddity.VANISHED, (GREEN,))


def test_a_die_changed_its_face() -> None:
    problem = only(laid(turn((GREEN,)), {(3, 3): GREEN}))
    assert (problem.code, problem.pieces) == (Oddity.CHANGED, (TWO, GREEN))


def test_a_die_beside_the_board() -> None:
    assert codes(laid(turn((ONE,)), {(3, 7): ONE})) == [Oddity.OFF_BOARD]
    found = explain(Layout(), Layout.of({5: ONE}), opening((ONE,)), CUBED)
    assert codes(found) == [Oddity.OFF_BOARD]
    assert "lies on 5," in say_problem(only(found), CUBED.edition)


def test_equal_dice_are_nothing_odd() -> None:
    found = laid(turn((ONE, GREEN)), {(3, 5): ONE})
    assert Oddity.DUPLICATE not in codes(found)


def test_a_die_that_the_camera_missed_before() -> None:
    state = turn((ONE, GREEN))
    before = Layout.of({square: die.face for square, die in LOGO.items() if square != (3, 2)})
    found = laid(state, {(3, 5): ONE}, before)
    assert [candidate.events for candidate in found.candidates] == [(Laid("Ann", ONE, (3, 5)),)]
    assert found.moved == (Moved(ONE, None, (3, 2)),)


def test_a_die_that_lay_there_before_unknown_to_the_game() -> None:
    state = turn((GREEN, PURPLE, ONE))
    before = put(picture(state), {(2, 3): GREEN})
    found = laid(state, {(2, 3): GREEN, (1, 3): PURPLE}, before)
    assert codes(found) == [Oddity.DISAGREES]
    assert [candidate.events for candidate in found.candidates] == [
        (Laid("Ann", GREEN, (2, 3)), Laid("Ann", PURPLE, (1, 3)))
    ]


def test_nothing_has_changed() -> None:
    assert codes(laid(turn((ONE,)), {})) == [Oddity.NOTHING_CHANGED]
