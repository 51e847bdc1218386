"""How long it takes to find all SETs of 12, 21 and 81 cards: ``python -m tests.bench.bench_sets``.

Prints the median of many runs on seeded shuffles, beside the plain loop over all triples. Both start from the cards.
"""

import random
import sys
import time
from collections.abc import Callable, Sequence
from itertools import combinations
from statistics import median

from engine.sets import find_sets
from engine.tokens import Card, full_deck

Triples = list[tuple[int, int, int]]


def triple_loop(cards: Sequence[Card]) -> Triples:
    """Return all SETs by looking at every triple: the baseline."""
    values = [card.values for card in cards]
    return [
        (i, j, k)
        for (i, a), (j, b), (k, c) in combinations(enumerate(values), 3)
        if all((x + y + z) % 3 == 0 for x, y, z in zip(a, b, c, strict=True))
    ]


def microseconds(find: Callable[[Sequence[Card]], Triples], tables: Sequence[Sequence[Card]]) -> float:
    """Return the median time of one call over ``tables``, in microseconds."""
    times = []
    for table in tables:
        start = time.perf_counter_ns()
        find(table)
        times.append(time.perf_counter_ns() - start)
    return median(times) / 1000


def main() -> None:
    """Print one line a table size."""
    chance = random.Random(2)  # noqa: S311 - a shuffle, not a secret
    for size, runs in ((12, 2000), (21, 1000), (81, 20)):
        tables = [chance.sample(full_deck(), size) for _ in range(runs)]
        if any(find_sets(table) != triple_loop(table) for table in tables[:20]):
            raise SystemExit(f"the two ways disagree on {size} cards")
        fast, plain = microseconds(find_sets, tables), microseconds(triple_loop, tables)
        sys.stdout.write(
            f"{size:3d} cards: {fast:8.1f} us; loop over triples {plain:10.1f} us; {plain / fast:5.0f} x\n"
        )


if __name__ == "__main__":
    main()
