"""The best turns of Cubed and proposed turns, beside brute force through the referee itself."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

import pytest

from engine.clauses import Clause
from engine.cubed import Cubed
from engine.cubed_state import CubedState, Phase
from engine.editions import edition
from engine.events import Ended, Laid, Line, TurnEnded
from engine.game import UnknownPlayerError
from engine.grid import CubedBoard, Die, Grid, Square
from engine.reasons import Reason
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
            seen.add((after.grid.dice[after.laid[0]].face.is_wild, bool(after.waiting)))
            agrees_with_brute_force(after)
    assert seen == {(True, True), (True, False), (False, True), (False, False)}


# What the clauses say, by example.


def test_cubed_5_a_die_may_be_connected_through_one_laid_a_moment_ago() -> None:
    state = table(REDS, ["2 red oval", "1 red oval"])
    (best,) = best_turns(state, "Ann")
    assert best.events == (
        Laid("Ann", Face.parse("1 red oval"), (4, 6)),
        Laid("Ann", Face.parse("2 red oval"), (4, 7)),
    )
    assert best.points == 6
    assert score_turn(state, "Ann", {*best.dice}).turn == best
    assert score_turn(state, "Ann", best.dice[::-1]).turn == best


def test_cubed_5_a_turn_has_three_dice_at_most() -> None:
    hand = ["1 red oval", "2 red oval", "3 red oval", "1 red oval", "2 red oval"]
    state = table(REDS, hand)
    best = best_turns(state, "Ann")[0]
    assert [len(turn.dice) for turn in best_turns(state, "Ann", EVERYTHING)].count(4) == 0
    assert (len(best.dice), best.points) == (3, 9)
    four = [*best.dice, placed("2 red oval", (0, 0))]
    refused = score_turn(state, "Ann", four)
    assert (refused.ok, refused.points, refused.state) == (False, 0, state)
    assert (refused.verdict.clause, refused.verdict.reason) == (Clause.CUBED_5, Reason.TOO_MANY_DICE)
    assert refused.verdict.facts == {"player": "Ann", "count": 4, "due": 3}
    begun = CUBED.apply(state, best.events[0])[0]
    assert score_turn(begun, "Ann", best.dice).verdict.facts["due"] == 2
    assert best_turns(begun, "Ann")[0].dice == best.dice[1:]


def test_cubed_5_only_faces_that_were_rolled() -> None:
    state = table(REDS, ["1 red oval", "2 red oval"])
    both = [placed("1 red oval", (4, 6)), placed("1 red oval", (0, 0))]
    verdict = score_turn(state, "Ann", both).verdict
    assert (verdict.clause, verdict.reason) == (Clause.CUBED_5, Reason.NOT_IN_HAND)
    assert verdict.facts["piece"] == Face.parse("1 red oval")


def test_cubed_5_what_touches_nothing_in_any_order_is_unconnected() -> None:
    state = table(REDS, ["1 red oval", "2 red oval", "3 red oval"])
    lonely = [placed("1 red oval", (4, 6)), placed("2 red oval", (4, 7)), placed("3 red oval", (0, 0))]
    verdicts = score_turn(state, "Ann", lonely).verdicts
    assert [verdict.ok for verdict in verdicts] == [True, True, False]
    assert (verdicts[-1].clause, verdicts[-1].reason) == (Clause.CUBED_5, Reason.UNCONNECTED)
    chain = [placed("1 red oval", (4, 7)), placed("2 red oval", (4, 8)), placed("3 red oval", (5, 5))]
    assert score_turn(state, "Ann", chain).verdict.reason is Reason.UNCONNECTED


def test_cubed_7_every_die_is_in_a_set_by_the_end_of_the_turn() -> None:
    state = table(REDS, ["3 green oval", "2 purple oval", "1 red diamond"])
    down = [placed("2 purple oval", (6, 3)), placed("3 green oval", (5, 3))]
    done = score_turn(state, "Ann", down)
    assert [verdict.reason for verdict in done.verdicts] == [Reason.DIE_WAITS, Reason.DIE_MADE_SETS]
    assert done.points == 3
    assert done.state.score == {"Ann": 3, "Ben": 0}
    waits = score_turn(state, "Ann", down[1:])
    assert (waits.verdict.clause, waits.verdict.reason) == (Clause.CUBED_7, Reason.DIE_LEFT_WAITING)
    assert waits.state == state
    more = score_turn(state, "Ann", down[1:], ends=False)
    assert more.ok
    assert (more.points, more.verdict.reason) == (0, Reason.DIE_WAITS)
    assert (down[0],) in [turn.dice for turn in best_turns(more.state, "Ann", EVERYTHING)]
    third = score_turn(state, "Ann", [*down, placed("1 red diamond", (3, 3))])
    assert (third.verdict.clause, len(third.verdicts)) == (Clause.CUBED_7, 3)


def test_cubed_7_without_waiting_dice_each_die_makes_its_set() -> None:
    state = table(REDS, ["3 green oval", "2 purple oval", "2 red oval", "1 red oval"], waiting_dice=False)
    turns = best_turns(state, "Ann", EVERYTHING)
    assert {die.at[0] for turn in turns for die in turn.dice} == {4}
    down = [placed("2 purple oval", (6, 3)), placed("3 green oval", (5, 3))]
    assert score_turn(state, "Ann", down).verdict.clause is Clause.CUBED_7


def test_cubed_9_the_turn_of_the_rulebook() -> None:
    dice = {
        **row("2 red oval", "2 green oval", at=3),
        **row("2 red diamond", "3 green diamond", "1 purple diamond"),
        **row("3 red squiggle", "1 green squiggle", "2 purple squiggle", at=5),
        **row("1 red oval", "2 green oval", at=6),
        (2, 3): "2 red squiggle",
    }
    hand = ["3 purple oval", "3 red squiggle", "2 purple oval", "2 green diamond", "1 purple squiggle"]
    state = table(dice, hand)
    example = [placed("3 purple oval", (6, 5)), placed("3 red squiggle", (5, 6)), placed("2 purple oval", (3, 5))]
    done = score_turn(state, "Ann", example)
    assert done.points == 12
    assert done.turn is not None
    assert sorted(line.points for line in done.turn.lines) == [3, 3, 3, 3]
    assert best_turns(state, "Ann")[0].points >= 12


WILD_ON_THE_LEFT = {**row("1 red oval", "2 red oval", "3 red oval", column=5), (3, 3): "1 green diamond"}


def test_cubed_13_the_order_in_which_a_wild_counts_later_is_taken() -> None:
    state = table(WILD_ON_THE_LEFT, ["wild", "2 red oval", "3 purple squiggle"])
    both = [placed("2 red oval", (4, 3)), placed("wild", (4, 4), "3 red oval")]
    done = score_turn(state, "Ann", both)
    assert done.turn is not None
    assert done.turn.dice == (both[1], both[0])
    assert [line.points for line in done.turn.lines] == [2, 3]
    found = {key_of(turn.dice): turn for turn in best_turns(state, "Ann", EVERYTHING)}
    assert found[key_of(both)] == done.turn
    silent = replace(state, options={**state.options, "wild_counts_later_in_turn": False})
    assert score_turn(silent, "Ann", both).points == 4


def test_cubed_13_a_wild_of_this_turn_in_what_follows_it() -> None:
    state = table(WILD_ON_THE_LEFT, ["wild", "2 red oval", "1 red oval", "2 purple oval"])
    silent = replace(state, options={**state.options, "wild_counts_later_in_turn": False})
    fits = Laid("Ann", WILD, (4, 4), Tile.parse("3 red oval"))
    waits = Laid("Ann", WILD, (5, 5), Tile.parse("3 green oval"))
    left, right = placed("2 red oval", (4, 3)), placed("1 red oval", (4, 8))
    for before, points, order in ((state, 3, [left, right]), (silent, 2, [right, left])):
        after = CUBED.apply(before, fits)[0]
        assert [turn.dice[0] for turn in best_turns(after, "Ann", EVERYTHING) if len(turn.dice) == 1] == order
        assert score_turn(after, "Ann", [left]).points == points
        after = CUBED.apply(before, waits)[0]
        assert [turn.points for turn in best_turns(after, "Ann", EVERYTHING) if len(turn.dice) == 1] == [2, 2]


def test_cubed_14_a_wild_is_named_as_it_scores_most() -> None:
    state = table({**REDS, (3, 6): "2 red diamond", (2, 6): "3 red squiggle"}, ["wild", "1 green diamond"])
    done = score_turn(state, "Ann", [placed("wild", (4, 6))])
    assert done.turn is not None
    assert done.turn.dice == (placed("wild", (4, 6), "1 red oval"),)
    assert done.points == 4
    assert best_turns(state, "Ann") == (done.turn,)
    named = [placed("wild", (4, 6), "2 red oval")]
    assert score_turn(state, "Ann", named).verdict.reason is Reason.DIE_LEFT_WAITING


@pytest.mark.parametrize(("wilds", "seeds"), [(1, 6), (2, 2)])
def test_cubed_14_the_names_are_those_of_brute_force(wilds: int, seeds: int) -> None:
    stood = 0
    for seed in range(seeds):
        chance = random.Random(f"names {wilds} {seed}")  # noqa: S311  no secret
        state = random_table(chance, wilds)
        best: dict[tuple[tuple[Square, Face], ...], int] = {}
        for key, points in by_brute_force(state).items():
            nameless = tuple((at, face) for at, face, _ in key)
            best[nameless] = max(points, best.get(nameless, points))
        for dice, points in list(best.items())[:6]:
            proposal = score_turn(state, "Ann", [Placed(face, at) for at, face in dice])
            assert proposal.points == points
            stood += 1
    assert stood > 6


def test_cubed_14_a_wild_that_no_name_fits() -> None:
    state = table(REDS, ["wild", "1 green diamond"])
    lonely = [placed("wild", (3, 3))]
    verdict = score_turn(state, "Ann", lonely).verdict
    assert (verdict.clause, verdict.reason) == (Clause.CUBED_7, Reason.NO_LINE)
    assert verdict.facts == {"piece": WILD, "at": (3, 3)}
    unsaid = score_turn(state, "Ann", lonely, ends=False).verdict
    assert (unsaid.clause, unsaid.reason) == (Clause.CUBED_14, Reason.WILD_UNNAMED)
    off = score_turn(state, "Ann", [placed("wild", (9, 3))]).verdict
    assert (off.clause, off.reason) == (Clause.CUBED_2, Reason.OFF_BOARD)


def test_cubed_16_bonuses_are_counted_once_and_for_wilds_too() -> None:
    bonus = {(4, 2): 5, (4, 4): 50}
    plain = best_turns(table(REDS, ["1 red oval", "3 red oval"], bonus=bonus), "Ann")[0]
    assert (plain.points, plain.bonus) == (11, 5)
    wild = best_turns(table(REDS, ["wild"], bonus=bonus), "Ann")[0]
    assert (wild.points, wild.bonus, wild.dice[0].at) == (7, 5, (4, 2))


def test_cubed_17_three_identical_dice() -> None:
    alike = row("1 red oval", "1 red oval", "1 red oval")
    state = table(alike, ["1 red oval", "wild"])
    assert best_turns(state, "Ann")[0].points == 5
    unlike = replace(state, options={**state.options, "identical_dice_are_set": False})
    assert all(len(set(line.pieces)) == 3 for turn in best_turns(unlike, "Ann", EVERYTHING) for line in turn.lines)
    assert score_turn(unlike, "Ann", [placed("1 red oval", (4, 2))]).verdict.clause is Clause.CUBED_7


def test_cubed_19_the_first_clause_broken_is_told() -> None:
    state = table(REDS, ["1 red oval", "2 red oval", "3 red oval", "wild"])
    taken, fine, off = (4, 3), (4, 6), (9, 9)
    wrong = {
        (placed("1 red oval", taken), placed("2 green oval", off)): Reason.NOT_IN_HAND,
        (placed("1 red oval", taken, "1 red oval"), placed("2 red oval", off)): Reason.NAME_WITHOUT_WILD,
        (placed("1 red oval", taken), placed("2 red oval", off)): Reason.OFF_BOARD,
        (placed("1 red oval", taken), placed("2 red oval", (0, 0))): Reason.SQUARE_TAKEN,
        (placed("3 red oval", fine), placed("2 red oval", (0, 0))): Reason.UNCONNECTED,
        (placed("3 red oval", fine), placed("2 red oval", (4, 7))): Reason.DIE_LEFT_WAITING,
    }
    for dice, reason in wrong.items():
        proposal = score_turn(state, "Ann", dice)
        assert (proposal.verdict.reason, proposal.ok) == (reason, False)
        assert proposal == score_turn(state, "Ann", dice[::-1])


def test_cubed_4_nobody_plays_before_their_turn() -> None:
    state = table(REDS, ["1 red oval"])
    begun = CUBED.start(("Ann", "Ben"), {}, state.grid.board)
    one = [placed("1 red oval", (4, 6))]
    assert score_turn(state, "Ben", one).verdict.reason is Reason.NOT_YOUR_TURN
    assert score_turn(begun, "Ann", one).verdict.reason is Reason.FIRST_SET_MISSING
    assert best_turns(begun, "Ann") == ()
    with pytest.raises(UnknownPlayerError, match="'Zoe'"):
        best_turns(state, "Zoe")
    with pytest.raises(UnknownPlayerError, match="'Zoe'"):
        score_turn(state, "Zoe", one)


def test_cubed_4_who_is_not_in_turn_is_answered_as_if_they_were() -> None:
    state = table(REDS, ["1 red oval", "3 green oval", "2 purple oval"])
    assert best_turns(state, "Ben")[0].points == 6
    fitting = CUBED.apply(state, Laid("Ann", Face.parse("1 red oval"), (4, 6)))[0]
    assert replayed(fitting, best_turns(fitting, "Ben")[0])[0] == best_turns(fitting, "Ben")[0].points > 0
    waiting = CUBED.apply(state, Laid("Ann", Face.parse("3 green oval"), (5, 3)))[0]
    assert best_turns(waiting, "Ben") == ()
    assert best_turns(waiting, "Ann")[0].points == 6


def test_cubed_11_and_15_nothing_is_laid_while_dice_have_to_be_rolled() -> None:
    state = replace(table(REDS, ["1 red oval"]), unrolled=(1, 0))
    assert best_turns(state, "Ann") == ()
    one = [placed("1 red oval", (4, 6))]
    assert score_turn(state, "Ann", one).verdict.reason is Reason.WILD_UNROLLED
    refill = replace(state, phase=Phase.REFILL)
    assert score_turn(refill, "Ann", one).verdict.reason is Reason.ROLLS_MISSING


def test_cubed_18_after_the_end_there_is_no_turn() -> None:
    state = CUBED.apply(table(REDS, ["1 red oval"]), Ended())[0]
    assert best_turns(state, "Ann") == ()
    verdict = score_turn(state, "Ann", [placed("1 red oval", (4, 6))]).verdict
    assert (verdict.clause, verdict.reason) == (Clause.ALL_2, Reason.GAME_OVER)


def test_nothing_asked_for_and_nothing_proposed() -> None:
    state = table(REDS, ["1 red oval"])
    with pytest.raises(ValueError, match="at least 1; got 0"):
        best_turns(state, "Ann", 0)
    with pytest.raises(ValueError, match="at least one die"):
        score_turn(state, "Ann", [])


def test_a_die_is_laid_rather_than_a_wild_that_scores_the_same() -> None:
    state = table(REDS, ["wild", "1 red oval"], bonus={(4, 2): 1})
    turns = best_turns(state, "Ann", EVERYTHING)
    order = [(-turn.points, sum(die.face.is_wild for die in turn.dice), len(turn.dice)) for turn in turns]
    assert order == sorted(order)
    assert len({key_of(turn.dice) for turn in turns}) == len(turns)
