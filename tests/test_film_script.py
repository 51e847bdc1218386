"""Scripted games: the referee agrees with every line that a script writes."""

from __future__ import annotations

import json
from itertools import pairwise

import numpy as np
import pytest

from datasets.board_art import cubed_board
from datasets.film_cubed import cubed_script
from datasets.film_script import GameError, Script, ScriptSettings, StepKind, table_script
from engine.record import read_event, read_header
from engine.referee import Referee

GAMES = ("classic", "ravensburger", "junior-2")
FALSE = {"not_a_set", "gave_up"}
OFTEN = ScriptSettings(false_call=0.3, false_pick=0.3)


def script_of(game: str, seed: int, settings: ScriptSettings | None = None) -> Script:
    """The script of one seed."""
    rng = np.random.default_rng(seed)
    if game == "cubed":
        return cubed_script(rng, cubed_board(rng, 26.0, clear=True), settings)
    return table_script(game, rng, settings)


def replayed(script: Script) -> tuple[Referee, list[str]]:
    """The referee after the whole script, and why it refused what it refused."""
    header = read_header(json.dumps(script.header))
    referee, refused = header.referee(), []
    for event in (event for step in script.steps for event in step.events):
        verdict = referee.apply(read_event(json.dumps(event), header))
        refused += [] if verdict.ok else [verdict.reason.value]
    return referee, refused


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("game", GAMES)
def test_whole_games_are_refereed_to_their_end(game: str, seed: int) -> None:
    referee, refused = replayed(script_of(game, seed, OFTEN))
    assert set(refused) <= FALSE
    assert referee.outcome.over


@pytest.mark.parametrize("seed", range(6))
def test_cubed_is_legal(seed: int) -> None:
    script = script_of("cubed", seed)
    referee, refused = replayed(script)
    assert not refused
    assert max(referee.outcome.scores.values()) > 0
    laid = [piece for step in script.steps if step.kind is StepKind.LAY for piece in step.pieces]
    assert len(laid) >= 6


def test_false_calls_happen_both_ways() -> None:
    _, refused = replayed(script_of("classic", 0, OFTEN))
    assert set(refused) == FALSE


def test_as_many_sets_are_taken_as_are_asked_for() -> None:
    steps = script_of("classic", 5, ScriptSettings(picks=4)).steps
    assert sum(step.kind is StepKind.TAKE for step in steps) == 4


def test_someone_swaps_a_wild() -> None:
    kinds = {step.kind for seed in range(6) for step in script_of("cubed", seed).steps}
    assert StepKind.EXCHANGE in kinds


def test_scripts_repeat() -> None:
    assert script_of("ravensburger", 3) == script_of("ravensburger", 3)
    assert script_of("ravensburger", 3) != script_of("ravensburger", 4)


def test_other_games_are_refused() -> None:
    with pytest.raises(GameError, match="no films of 'setup'"):
        script_of("setup", 1)


def test_gaps_are_closed_up() -> None:
    moves = [step for seed in range(4) for step in script_of("classic", seed).steps if step.kind is StepKind.MOVE]
    assert moves
    assert all(start[0] >= 12 > end[0] for step in moves for start, end in pairwise(step.places[:2]))
