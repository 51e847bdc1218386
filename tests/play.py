"""Play random legal games to their end and check them: ``python -m tests.play cubed --seeds 1000``.

The checks are those of tests/test_contract.py for one game after the other, with a line of progress.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable

from engine.games import GAMES
from tests import test_contract
from tests.games import played

CHECKS: tuple[Callable[[str, int], None], ...] = (
    test_contract.test_whole_games_end,
    test_contract.test_scores_are_the_sum_of_points,
    test_contract.test_pieces_are_conserved,
    test_contract.test_the_log_replays_to_the_same_state,
    test_contract.test_apply_never_changes_its_argument,
    test_contract.test_taking_back_and_doing_it_again_is_identity,
    test_contract.test_what_is_legal_stands_or_is_judged,
    test_contract.test_what_is_not_legal_is_refused_and_changes_nothing,
    test_contract.test_all_2_after_the_end_every_event_is_refused,
)
"""Each takes the key of a game and a seed."""


def play(key: str, seeds: int, first: int = 0) -> Counter[str]:
    """Play and check a game for each seed; return how many ended by which clause.

    :raises AssertionError: a game breaks the contract; says its seed.
    """
    ends, events, start = Counter[str](), 0, time.perf_counter()
    for done, seed in enumerate(range(first, first + seeds), 1):
        if sys.stderr.isatty():
            sys.stderr.write(f"\r{key}: game {done} of {seeds}, {events} events")
        for check in CHECKS:
            try:
                check(key, seed)
            except AssertionError as error:
                raise AssertionError(f"seed {seed} of {key}: {error}") from error
        referee = played(key, seed)
        events += len(referee.log)
        ends[str(referee.state.over)] += 1
        if done % 100 == 0:
            # All games of a thousand seeds would fill the memory.
            played.cache_clear()
    sys.stderr.write(f"{key}: {seeds} games, {events} events, {time.perf_counter() - start:.0f} s\n")
    return ends


def main(arguments: list[str] | None = None) -> None:
    """Play as the command line says."""
    parser = argparse.ArgumentParser(prog="python -m tests.play", description="Play random legal games and check them.")
    parser.add_argument("game", choices=list(GAMES))
    parser.add_argument("--seeds", type=int, default=1000, help="how many games (1000)")
    parser.add_argument("--first", type=int, default=0, help="the first seed (0)")
    given = parser.parse_args(arguments)
    for clause, count in sorted(play(given.game, given.seeds, given.first).items()):
        sys.stdout.write(f"{clause}: {count}\n")


if __name__ == "__main__":
    main()
