"""The search for the best turns, beside brute force that follows the clauses die by die."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import pytest

from engine.grid import CubedBoard
from engine.turn_search import Found, Placement, Position, Search

SIDE = 4
BOARD = CubedBoard(SIDE, SIDE, ((1, 0), (1, 1), (1, 2)))
LINES = [
    *((row * SIDE + column, row * SIDE + column + 1, row * SIDE + column + 2) for row in range(4) for column in (0, 1)),
    *((row * SIDE + column, row * SIDE + column + 4, row * SIDE + column + 8) for row in (0, 1) for column in range(4)),
]
EVERYTHING = 10**6


def digits(face: int) -> tuple[int, int, int]:
    return face // 9, face // 3 % 3, face % 3


def is_set(faces: list[int], identical: bool) -> bool:
    features = [len(set(values)) for values in zip(*map(digits, faces), strict=True)]
    return 2 not in features and (identical or features != [1, 1, 1])


def beside(one: int, other: int) -> bool:
    return abs(one // SIDE - other // SIDE) + abs(one % SIDE - other % SIDE) == 1


@dataclass
class Walk:
    """A turn die by die, to the letter of the clauses and as plainly as can be."""

    position: Position
    dice: dict[int, int]
    hand: tuple[int, ...]
    wilds: int
    placements: tuple[Placement, ...] = ()
    points: int = 0
    waiting: frozenset[int] = frozenset()
    uncounted: frozenset[int] = frozenset()
    orders: dict[tuple[Placement, ...], int] = field(default_factory=dict)

    def lay(self, square: int, face: int, wild: bool) -> Walk | None:
        """One die more; None where it is refused."""
        if square in self.dice or not any(beside(square, other) for other in self.dice):
            return None
        dice = {**self.dice, square: face}
        fresh = self.uncounted | {square} if wild else self.uncounted
        made = [
            line
            for line in LINES
            if square in line and dice.keys() >= set(line) and is_set([dice[i] for i in line], self.position.identical)
        ]
        if not made and not self.position.may_wait:
            return None
        held = {i for line in made for i in line}
        paid = sum(i not in fresh for line in made for i in line) + self.position.bonus.get(square, 0)
        return replace(
            self,
            dice=dice,
            hand=self.hand if wild else without(self.hand, face),
            wilds=self.wilds - wild,
            placements=(*self.placements, (square, face, wild)),
            points=self.points + paid,
            waiting=(self.waiting | {square}) - held,
            uncounted=fresh - held if self.position.counts_later else fresh,
        )

    def steps(self) -> Iterator[Walk]:
        """Every die that may be next."""
        if len(self.placements) == self.position.left:
            return
        choices = [(face, False) for face in set(self.hand)]
        choices += [(face, True) for face in range(27)] if self.wilds else []
        for square in range(SIDE * SIDE):
            for face, wild in choices:
                after = self.lay(square, face, wild)
                if after is not None:
                    yield after

    def collect(self) -> None:
        """Note what each set of placements scores in its best order."""
        for after in self.steps():
            if not after.waiting:
                key = tuple(sorted(after.placements))
                self.orders[key] = max(self.orders.get(key, after.points), after.points)
            after.collect()


def without(hand: tuple[int, ...], face: int) -> tuple[int, ...]:
    place = hand.index(face)
    return hand[:place] + hand[place + 1 :]


def walk_of(position: Position) -> Walk:
    return Walk(
        position,
        dict(position.dice),
        position.hand,
        position.wilds,
        waiting=position.waiting,
        uncounted=position.fresh | position.silent,
    )


def points_in_order(position: Position, laid: tuple[Placement, ...]) -> int:
    walk: Walk | None = walk_of(position)
    for square, face, wild in laid:
        assert walk is not None
        walk = walk.lay(square, face, wild)
    assert walk is not None
    return walk.points


def by_brute_force(position: Position) -> list[Found]:
    """Every turn, best first, from all orders x squares x names."""
    walk = walk_of(position)
    walk.collect()
    return sorted(
        Found(-points, sum(wild for _, _, wild in key), len(key), key, ()) for key, points in walk.orders.items()
    )


def random_squares(chance: random.Random, crowded: bool, wilds: int) -> list[int]:
    """Where dice lie: nearly everywhere, or on a small block of the board."""
    if crowded:
        return chance.sample(range(SIDE * SIDE), SIDE * SIDE - chance.randint(3, 4 if wilds > 1 else 7))
    block = [0]
    while len(block) < 3:
        block.append(chance.choice([i for i in range(SIDE * SIDE) if i not in block and beside(i, block[-1])]))
    return block


def random_position(chance: random.Random, wilds: int, crowded: bool) -> Position:
    """A small board with few faces, so that there is much to find; sometimes in the middle of a turn."""
    few = chance.sample(range(27), chance.randint(2, 5))
    taken = random_squares(chance, crowded, wilds)
    dice = {square: chance.choice(few) if chance.random() < 0.8 else chance.randrange(27) for square in taken}
    later = chance.random() < 0.6
    left = chance.choice((3, 3, 2, 1))
    mine = chance.sample(sorted(dice), 3 - left) if chance.random() < 0.7 else []
    waiting = frozenset(square for square in mine if chance.random() < 0.5)
    own_wilds = frozenset(square for square in mine if chance.random() < 0.5)
    return Position(
        board=BOARD,
        dice=dice,
        bonus={i: chance.randint(-2, 4) for i in range(SIDE * SIDE) if i not in dice and chance.random() < 0.3},
        hand=tuple(chance.choice(few) for _ in range(3 - wilds)),
        wilds=wilds,
        left=left,
        waiting=waiting,
        fresh=own_wilds & waiting if later else frozenset(),
        silent=frozenset() if later else own_wilds,
        identical=chance.random() < 0.6,
        may_wait=bool(waiting) or chance.random() < 0.7,
        counts_later=later,
    )


@pytest.mark.parametrize(
    ("wilds", "crowded", "seeds"),
    [(0, True, 60), (0, False, 40), (1, True, 8), (1, False, 3), (2, True, 4)],
)
def test_every_turn_is_that_of_brute_force(wilds: int, crowded: bool, seeds: int) -> None:
    turns = 0
    for seed in range(seeds):
        position = random_position(random.Random(f"{wilds} {crowded} {seed}"), wilds, crowded)  # noqa: S311
        expected = by_brute_force(position)
        found = Search(position).best(EVERYTHING)
        assert list(found) == expected, f"seed {seed}"
        assert all(points_in_order(position, turn.laid) == turn.points for turn in found), f"seed {seed}"
        turns += len(expected)
        for k in (1, 2, 7):
            assert Search(position).best(k) == found[:k], f"seed {seed}, k {k}"
    assert turns > 20


def test_three_dice_that_make_sets_alone_and_with_the_board_beat_one_with_a_bonus() -> None:
    """1 2 3 1 2 in a row, the three in the middle laid; one of them would get a higher bonus elsewhere."""
    one, two, three = 0, 9, 18
    wide = CubedBoard(9, 9, ((8, 0), (8, 1), (8, 2)))
    position = Position(
        board=wide,
        dice={0: one, 4: two, wide.columns * 2: 4, wide.columns * 2 + 1: 17},
        bonus={1: 3, wide.columns * 2 + 2: 5},
        hand=(one, two, three),
        wilds=0,
    )
    (best,) = Search(position).best()
    assert best.points == 12
    assert best.placements == ((1, two, False), (2, three, False), (3, one, False))
    assert [found.points for found in Search(position).best(2)] == [12, 11]


def test_squares_are_numbered_row_by_row() -> None:
    position = random_position(random.Random(1), 0, crowded=True)  # noqa: S311
    assert [position.square(position.at(square)) for square in range(SIDE * SIDE)] == list(range(SIDE * SIDE))
    assert position.at(5) == (1, 1)
    assert position.around(0) == (1, 4)
    assert sorted({line for square in range(SIDE * SIDE) for line in position.windows(square)}) == sorted(LINES)
