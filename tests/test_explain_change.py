"""From looking to events, in every game: random games seen by a camera, and pictures of anything at all."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.calls import CallState
from engine.editions import EDITIONS
from engine.events import Called, Dealt, Event, Laid, Picked, Shuffled, Swapped, Undone
from engine.explain_change import Candidate, Explained, Oddity, UnexplainedGameError, explain
from engine.explained import MOST, play
from engine.game import Game, State
from engine.games import GAMES, game
from engine.junior_board import PLACES
from engine.labels import Language
from engine.layout import Layout, Spot
from engine.sentences import say_problem
from engine.sets import is_set
from engine.tokens import Face, Piece, Shape, full_deck
from tests.games import decided, opened
from tests.looks import Camera, codes, put, stories, story

SEEDS = range(6)
MOST_EVENTS = 120

Step = tuple[State, Event, State]
"""An event that counts, between the states before and after it."""


@cache
def steps(key: str, seed: int) -> tuple[Step, ...]:
    """A game that ``seed`` decides, without what was taken back."""
    referee, random = opened(key, seed), Random(f"looks {seed} {key}")  # noqa: S311
    made: list[Step] = []
    while referee.state.over is None and len(referee.log) < MOST_EVENTS:
        before, event = referee.state, decided(referee.game, referee.state, random)
        referee.apply(event)
        made.append((before, event, referee.state))
    return tuple(made)


@cache
def pictures(key: str, seed: int) -> tuple[tuple[Layout, Layout], ...]:
    """What a camera sees before and after each step; cards of a false call are in a hand then."""
    camera, seen = Camera(), list[tuple[Layout, Layout]]()
    for before, event, after in steps(key, seed):
        first, last = camera.look(before), camera.look(after)
        if isinstance(event, Picked) and first == last:
            last = Layout.of({spot: card for spot, card in first.items() if card not in event.cards})
        seen.append((first, last))
    return tuple(seen)


def holds(found: Explained, events: list[Event]) -> bool:
    """Whether ``events`` are among the candidates, and the only one if there is no other; more may be counted."""
    if story(events) in stories(found):
        return found.ambiguous or len(found.candidates) == 1
    return found.more > 0 and len(found.candidates) == MOST


def points(state: State, rules: Game[Any], events: list[Event]) -> int:
    """All points of ``events``."""
    _, verdicts = play(rules, state, events)
    return sum(sum(verdict.points.values()) for verdict in verdicts)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("key", GAMES)
def test_each_event_that_changes_the_table_is_found(key: str, seed: int) -> None:
    looked = 0
    for (state, event, _), (before, after) in zip(steps(key, seed), pictures(key, seed), strict=True):
        if isinstance(event, Undone | Shuffled):
            continue
        found = explain(before, after, state, game(key))
        if before == after:
            assert codes(found) == [Oddity.NOTHING_CHANGED]
            continue
        looked += 1
        assert holds(found, [event])
        assert not found.problems
        assert not found.moved
        assert sum(found.candidates[0].points.values()) >= points(state, game(key), [event])
    assert looked > 5


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("key", GAMES)
def test_each_candidate_is_accepted_or_judged_from_the_state(key: str, seed: int) -> None:
    rules = game(key)
    for (state, _, _), (before, after) in zip(steps(key, seed), pictures(key, seed), strict=True):
        for candidate in explain(before, after, state, rules).candidates:
            _, verdicts = play(rules, state, candidate.events)
            assert verdicts == candidate.verdicts
            assert len(verdicts) == len(candidate.events)
            assert all(verdict.counts for verdict in verdicts)


@pytest.mark.parametrize("key", ["classic", "ravensburger", "junior-2"])
def test_a_call_a_pick_and_a_refill_between_two_looks_are_found(key: str) -> None:
    looked = 0
    for seed in SEEDS:
        made, seen = steps(key, seed), pictures(key, seed)
        for place in range(len(made) - 2):
            events = [event for _, event, _ in made[place : place + 3]]
            match events:
                case [Called(), Picked(_, (a, b, c)), Dealt()] if is_set(a, b, c):
                    found = explain(seen[place][0], seen[place + 2][1], made[place][0], game(key))
                    looked += 1
                    assert holds(found, events)
                    assert not found.problems
    assert looked > 3


def whole_turns(key: str, seed: int) -> list[tuple[int, int]]:
    """First and last step of what one player has laid without anything in between."""
    made, runs = steps(key, seed), list[tuple[int, int]]()
    for place, (_, event, _) in enumerate(made):
        if not isinstance(event, Laid):
            continue
        last = made[place - 1][1] if place else None
        if runs and runs[-1][1] == place - 1 and isinstance(last, Laid) and last.player == event.player:
            runs[-1] = (runs[-1][0], place)
        else:
            runs.append((place, place))
    return runs


def test_a_whole_turn_of_cubed_is_found_in_an_order_that_scores_at_least_as_much() -> None:
    key, rules = "cubed", game("cubed")
    lengths = set()
    for seed, (first, last) in [(number, turn) for number in SEEDS for turn in whole_turns(key, number)]:
        made = steps(key, seed)[first : last + 1]
        state, events = made[0][0], [event for _, event, _ in made]
        found = explain(pictures(key, seed)[first][0], pictures(key, seed)[last][1], state, rules)
        assert not found.problems
        assert found.more or any(set(candidate.events) == set(events) for candidate in found.candidates)
        assert sum(found.candidates[0].points.values()) >= points(state, rules, events)
        lengths.add(len(events))
    assert lengths == {1, 2, 3}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("key", ["setup", "junior-1"])
def test_two_turns_between_two_looks_are_found(key: str, seed: int) -> None:
    made, seen = steps(key, seed), pictures(key, seed)
    looked = 0
    for place in range(0, len(made) - 1, 5):
        events = [event for _, event, _ in made[place : place + 2]]
        if not isinstance(events[1], Laid):
            continue
        looked += 1
        found = explain(seen[place][0], seen[place + 1][1], made[place][0], game(key))
        assert holds(found, events)
        assert not found.problems
    assert looked > 1


def test_a_swap_is_seen_in_these_games() -> None:
    assert any(isinstance(event, Swapped) for seed in SEEDS for _, event, _ in steps("cubed", seed))


# Anything at all.

PIECES: dict[str, tuple[Piece, ...]] = {
    key: (*entry.deck, *(full_deck(Shape.RECTANGLE)[:20] if key in ("classic", "setup") else ()))
    for key, entry in EDITIONS.items()
}


def spots(key: str) -> st.SearchStrategy[Spot]:
    """Places of a game, mostly such as it has, and some that are none."""
    if key == "cubed":
        return st.one_of(st.tuples(st.integers(2, 6), st.integers(1, 7)), st.integers(0, 3))
    if key == "junior-1":
        return st.one_of(st.sampled_from(PLACES), st.integers(0, 3))
    return st.integers(0, 20)


@st.composite
def looks(draw: st.DrawFn, key: str) -> tuple[State, Layout, Layout]:
    """A state of a game, and two pictures: each what lies there with some pieces put down, changed or taken away."""
    place = draw(st.integers(0, len(steps(key, 0)) - 1))
    state, (lies, _) = steps(key, 0)[place][0], pictures(key, 0)[place]
    return state, _disturbed(draw, key, lies), _disturbed(draw, key, lies)


def _disturbed(draw: st.DrawFn, key: str, layout: Layout) -> Layout:
    change: st.SearchStrategy[Piece | None] = st.one_of(st.none(), st.sampled_from(PIECES[key]))
    changes = draw(st.dictionaries(spots(key), change, max_size=6))
    left = {spot: piece for spot, piece in layout.items() if spot not in changes}
    return put(Layout.of(left), {spot: piece for spot, piece in changes.items() if piece is not None})


@pytest.mark.parametrize("key", GAMES)
@settings(max_examples=60)
@given(data=st.data())
def test_no_two_pictures_raise_and_all_that_is_said_holds(key: str, data: st.DataObject) -> None:
    state, before, after = data.draw(looks(key))
    rules = game(key)
    found = explain(before, after, state, rules)
    assert found == explain(before, after, state, rules)
    assert len(found.candidates) <= MOST
    assert found.more == 0 or len(found.candidates) == MOST
    assert found.candidates or found.moved or found.problems
    for candidate in found.candidates:
        _, verdicts = play(rules, state, candidate.events)
        assert verdicts == candidate.verdicts
        assert all(verdict.counts for verdict in verdicts)
    for problem in found.problems:
        for language in Language:
            text = say_problem(problem, rules.edition, language)
            assert text[0].isupper() or text[0] == "["
            assert text.endswith(".")
            assert not set("{}…") & set(text)


# The whole.


def test_two_candidates_are_ambiguous_and_so_is_one_with_others_only_counted() -> None:
    one = Candidate((), (), {})
    assert not Explained((one,)).ambiguous
    assert Explained((one, one)).ambiguous
    assert Explained((one,), more=1).ambiguous
    assert not Explained().ambiguous


def test_a_state_of_another_game_is_no_state_to_explain_by() -> None:
    state = game("classic").start(("Ann", "Ben"))
    assert isinstance(state, CallState)
    with pytest.raises(UnexplainedGameError, match="'CallState' of 'Setup'"):
        explain(Layout(), Layout(), state, game("setup"))


def test_pieces_of_another_game_do_not_raise() -> None:
    dice = Layout.row([Face(None), Face(None)])
    for key in ("classic", "setup", "junior-2"):
        state = steps(key, 0)[-1][0]
        assert Oddity.FOREIGN in codes(explain(Layout(), dice, state, game(key)))
