"""The best turns of Cubed and proposed turns, beside brute force through the referee itself."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

import pytest

from engine.cubed import Cubed
from engine.cubed_state import CubedState, Phase
from engine.editions import edition
from engine.events import Laid, Line, TurnEnded
from engine.grid import CubedBoard, Die, Grid, Square
from engine.tokens import Face, Tile, full_tiles
from engine.turns import Placed, Turn, best_turns, score_turn

CUBED = Cubed(edition("cubed"))
TILES = full_tiles()
WILD = Face(None)
EVERYTHING = 10**6
SWITCHES = ("identical_dice_are_set", "waiting_dice", "wild_counts_later_in_turn")

Key = tuple[tuple[Square, Face, str], ...]


def faces(*names: str) -> tuple[Face, ...]:
    return tuple(Face.parse(name) for name in names)


def table(
    dice: dict[Square, str],
    hand: Sequence[str],
    *,
    size: tuple[int, int] = (9, 9),
    bonus: dict[Square, int] | None = None,
    wilds: Sequence[Square] = (),
    **options: bool,
) -> CubedState:
    """Ann is in turn with ``hand``; ``dice`` lie on the board, those on ``wilds`` as Wilds."""
    board = CubedBoard(*size, ((size[0] - 1, 0), (size[0] - 1, 1), (size[0] - 1, 2)), bonus or {})
    lying = {
        at: Die(WILD, Tile.parse(name)) if at in wilds else Die(Face.parse(name)) for at, name in sorted(dice.items())
    }
    return replace(
        CUBED.start(("Ann", "Ben"), options, board),
        grid=Grid(board, lying),
        hands=(faces(*hand), faces("1 red oval", "2 red oval")),
        unrolled=(0, 0),
        phase=Phase.PLAY,
        leader=0,
        placed=True,
    )


def row(*names: str, at: int = 4, column: int = 3) -> dict[Square, str]:
    return {(at, column + place): name for place, name in enumerate(names)}


REDS = row("1 red oval", "2 red oval", "3 red oval")


def placed(name: str, at: Square, named: str | None = None) -> Placed:
    return Placed(Face.parse(name), at, None if named is None else Tile.parse(named))


def key_of(dice: Sequence[Placed]) -> Key:
    return tuple(sorted((die.at, die.face, str(die.named)) for die in dice))


def replayed(state: CubedState, turn: Turn) -> tuple[int, tuple[Line, ...]]:
    """What the referee gives for the turn, die by die, and for its end."""
    points, lines = 0, list[Line]()
    for event in turn.events:
        state, verdict = CUBED.apply(state, event)
        assert verdict.ok, verdict
        points += verdict.points.get(turn.player, 0)
        lines += verdict.sets
    if state.laid:
        assert CUBED.apply(state, TurnEnded(turn.player))[1].ok
    return points, tuple(lines)


def choices(state: CubedState) -> Iterator[Laid]:
    """Every die of Ann on every free square, every Wild with every name."""
    board = state.grid.board
    squares = [at for at in product(range(board.rows), range(board.columns)) if at not in state.grid.dice]
    for face in dict.fromkeys(state.hand("Ann")):
        for at, named in product(squares, TILES if face.is_wild else (None,)):
            yield Laid("Ann", face, at, named)


def by_brute_force(state: CubedState) -> dict[Key, int]:
    """Every turn that the referee lets stand, with the points of its best order."""
    found: dict[Key, int] = {}

    def walk(now: CubedState, dice: tuple[Placed, ...], points: int) -> None:
        for event in choices(now):
            after, verdict = CUBED.apply(now, event)
            if not verdict.ok:
                continue
            assert isinstance(event.piece, Face)
            assert event.at is not None
            more = (*dice, Placed(event.piece, (event.at[0], event.at[1]), event.named))
            total = points + verdict.points.get("Ann", 0)
            ended = not after.laid
            if ended or CUBED.apply(after, TurnEnded("Ann"))[1].ok:
                found[key_of(more)] = max(found.get(key_of(more), total), total)
            if not ended:
                walk(after, more, total)

    walk(state, (), 0)
    return found


def random_table(chance: random.Random, wilds: int) -> CubedState:
    """A small crowded board with few faces, some of its dice Wilds, and every option either way."""
    few = chance.sample(TILES, chance.randint(2, 4))
    squares = list(product(range(4), range(4)))
    chance.shuffle(squares)
    empty = {0: chance.randint(4, 7), 1: 4, 2: 3}[wilds]
    dice = {at: str(chance.choice(few if chance.random() < 0.8 else TILES)) for at in squares[empty:]}
    dice |= {(3, column): "1 red oval" for column in range(3) if chance.random() < 0.5}
    bonus = {at: chance.randint(-2, 5) for at in squares if at not in dice and at[0] < 3 and chance.random() < 0.4}
    hand = ["wild"] * wilds + [str(chance.choice(few)) for _ in range((5, 3, 3)[wilds] - wilds)]
    options = {name: chance.random() < 0.7 for name in SWITCHES}
    return table(dice, hand, size=(4, 4), bonus=bonus, wilds=chance.sample(sorted(dice), 2), **options)


@pytest.mark.parametrize(("wilds", "seeds"), [(0, 25), (1, 6), (2, 3)])
def test_best_turns_are_those_of_brute_force(wilds: int, seeds: int) -> None:
    turns = 0
    for seed in range(seeds):
        state = random_table(random.Random(f"{wilds} {seed}"), wilds)  # noqa: S311  no secret
        agrees_with_brute_force(state)
        turns += len(best_turns(state, "Ann", EVERYTHING))
    assert turns > 20


def agrees_with_brute_force(state: CubedState) -> None:
    expected = by_brute_force(state)
    found = best_turns(state, "Ann", EVERYTHING)
    assert {key_of(turn.dice): turn.points for turn in found} == expected
    assert len(found) == len(expected)
    assert [turn.points for turn in found] == sorted(expected.values(), reverse=True)
    for turn in found[:: max(1, len(found) // 20)]:
        assert replayed(state, turn) == (turn.points, turn.lines)
        assert score_turn(state, "Ann", turn.dice).points == turn.points
    assert best_turns(state, "Ann", 3) == found[:3]


def test_the_rest_of_a_turn_is_that_of_brute_force() -> None:
    """After a first die: plain ones and Wilds, in a SET or waiting for it."""
    seen = set[tuple[bool, bool]]()
    for seed in range(12):
        chance = random.Random(f"rest {seed}")  # noqa: S311  no secret
        state = random_table(chance, 1)
        stand = [after for after, verdict in (CUBED.apply(state, event) for event in choices(state)) if verdict.ok]
        for after in chance.sample(stand, min(3, len(stand))):
            if after.laid:
                seen.add((after.grid.dice[after.laid[0]].face.is_wild, bool(after.waiting)))
                agrees_with_brute_force(after)
    assert seen == {(True, True), (True, False), (False, True), (False, False)}
