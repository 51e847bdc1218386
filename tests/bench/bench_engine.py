"""How long the engine takes: ``python -m tests.bench.bench_engine``.

Tables on seeded chance: all SETs of 12, 21 and 81 cards, beside the plain loop over all triples; the best turn of Cubed
on boards of 25 dice; and whole games judged again from their events. Medians, and the worst case of each row.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, product
from statistics import median

from rich.console import Console
from rich.table import Table

from engine.cubed import Cubed
from engine.cubed_state import HAND, LAID, CubedState, Phase
from engine.editions import edition
from engine.events import Announced, Called, Dealt, Event, NoSet, Passed, Picked, Rolled, TurnEnded
from engine.game import Task
from engine.games import game
from engine.grid import CubedBoard, Die, Grid, Square
from engine.referee import Referee
from engine.sets import find_sets, third
from engine.tokens import Card, Face, Tile, full_deck, full_tiles
from engine.turns import Turn, best_turns

Triples = list[tuple[int, int, int]]
Chance = random.Random
Choose = Callable[[Chance, Sequence[Turn]], Turn]

TILES = full_tiles()
WILD = Face(None)
SIDE = 15
DICE = 25
BOARDS = 8
TARGETS = {0: "50 ms", 1: "0.5 s", 2: "3 s"}


def seconds(task: Callable[[], object]) -> float:
    """Return how long ``task`` takes once."""
    start = time.perf_counter()
    task()
    return time.perf_counter() - start


# All SETs of a table.


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
    return median(seconds(lambda table=table: find(table)) for table in tables) * 1e6  # type: ignore[misc]


def sets_table(chance: Chance) -> Table:
    """Return the table of ``find_sets``; both ways start from the cards."""
    printed = Table("cards", "all SETs, us", "loop over triples, us", "ratio", title="All SETs of a table")
    for size, runs in ((12, 2000), (21, 1000), (81, 20)):
        tables = [chance.sample(full_deck(), size) for _ in range(runs)]
        if any(find_sets(table) != triple_loop(table) for table in tables[:20]):
            raise SystemExit(f"the two ways disagree on {size} cards")
        fast, plain = microseconds(find_sets, tables), microseconds(triple_loop, tables)
        printed.add_row(str(size), f"{fast:.1f}", f"{plain:.1f}", f"{plain / fast:.0f}")
    return printed


# The best turn of Cubed.


def position(dice: dict[Square, Die], hand: Sequence[Face], chance: Chance) -> CubedState:
    """Return a game in which Ann is in turn; a dozen bonus squares lie anywhere."""
    middle = SIDE // 2
    logo = ((middle, middle - 1), (middle, middle), (middle, middle + 1))
    free = [at for at in product(range(SIDE), range(SIDE)) if at not in logo]
    board = CubedBoard(SIDE, SIDE, logo, {at: chance.randint(1, 6) for at in chance.sample(free, 12)})
    rules = Cubed(edition("cubed"))
    return replace(
        rules.start(("Ann", "Ben"), {}, board),
        grid=Grid(board, dice or {at: Die(Face(tile)) for at, tile in zip(logo, first_set(chance), strict=True)}),
        hands=(tuple(hand), (WILD,)),
        unrolled=(0, 0),
        phase=Phase.PLAY,
        leader=0,
        placed=True,
    )


def first_set(chance: Chance) -> tuple[Tile, Tile, Tile]:
    """Return three tiles that are a SET."""
    first, second = chance.sample(TILES, 2)
    return first, second, third(first, second)


def random_hand(chance: Chance, wilds: int, faces: Sequence[Tile] = TILES) -> list[Face]:
    """Return five dice, so many of them Wilds, the others any of ``faces``."""
    return [WILD] * wilds + [Face(chance.choice(faces)) for _ in range(HAND - wilds)]


def anywhere(chance: Chance, turns: Sequence[Turn]) -> Turn:
    """Choose any turn."""
    return chance.choice(turns)


def inwards(chance: Chance, turns: Sequence[Turn]) -> Turn:
    """Choose the turn nearest to the middle, so that the dice lie close together."""
    middle = SIDE // 2
    return min(turns, key=lambda turn: sum((r - middle) ** 2 + (c - middle) ** 2 for r, c in squares(turn)))


def greedy(chance: Chance, turns: Sequence[Turn]) -> Turn:
    """Choose the turn that scores most."""
    return turns[0]


def squares(turn: Turn) -> list[Square]:
    """Return where the dice of ``turn`` lie."""
    return [die.at for die in turn.dice]


def grown(chance: Chance, choose: Choose, faces: Sequence[Tile]) -> dict[Square, Die]:
    """Return 25 dice that legal turns have laid, among them Wilds as often as one face in seven."""
    dice = dict(position({}, (), chance).grid.dice)
    while len(dice) < DICE:
        hand = random_hand(chance, sum(chance.random() < 1 / 7 for _ in range(HAND)), faces)
        turns = best_turns(position(dice, hand, chance), "Ann", 200)
        fitting = [turn for turn in turns if len(turn.dice) <= DICE - len(dice)]
        if fitting:
            dice |= {die.at: Die(die.face, die.named) for die in choose(chance, fitting).dice}
    return dice


PLANE = tuple(tile for tile in TILES if tile.shape is TILES[0].shape)
KINDS: dict[str, tuple[Choose, Sequence[Tile]]] = {
    "any turns": (anywhere, TILES),
    "close together": (inwards, TILES),
    "best turns": (greedy, TILES),
    "close, nine faces": (inwards, PLANE),
    "best, three faces": (greedy, PLANE[:3]),
}
HANDS: dict[str, Sequence[Tile]] = {"any": TILES, "nine faces": PLANE, "three faces": PLANE[:3], "one face": PLANE[:1]}


def turns_tables(chance: Chance) -> Iterator[Table]:
    """Yield the table of medians by kind of board, and that of the hands."""
    boards = {kind: [grown(chance, *how) for _ in range(BOARDS)] for kind, how in KINDS.items()}
    by_board = Table("board of 25 dice", "Wilds", "median, ms", "worst, ms", "target", title="The best turn of Cubed")
    by_hand = Table("hand of five", "Wilds", "median, ms", "worst, ms", title="The same by hand, on all boards")
    times: dict[tuple[str, str, int], list[float]] = {}
    for (kind, drawn), (hand, faces), wilds in product(boards.items(), HANDS.items(), (0, 1, 2, 3)):
        states = [position(dice, random_hand(chance, wilds, faces), chance) for dice in drawn]
        times[kind, hand, wilds] = [seconds(lambda state=state: best_turns(state, "Ann")) for state in states]  # type: ignore[misc]
    for kind, wilds in product(KINDS, (0, 1, 2, 3)):
        some = [time for key, found in times.items() if key[0] == kind and key[2] == wilds for time in found]
        by_board.add_row(kind, str(wilds), *milliseconds(some), TARGETS.get(wilds, "-"))
    for hand, wilds in product(HANDS, (0, 1, 2)):
        some = [time for key, found in times.items() if key[1:] == (hand, wilds) for time in found]
        by_hand.add_row(hand, str(wilds), *milliseconds(some))
    yield by_board
    yield by_hand


def milliseconds(times: Sequence[float]) -> tuple[str, str]:
    """Return the median and the worst of ``times`` (in seconds) as the table has them."""
    return f"{median(times) * 1000:.1f}", f"{max(times) * 1000:.1f}"


# Whole games.


def classic_game(chance: Chance) -> Referee:
    """Return a whole game of classic SET by two players who see everything."""
    referee = Referee(game("classic"), ("Ann", "Ben"))
    pile = list(full_deck())
    chance.shuffle(pile)
    table: list[Card] = []
    while not referee.outcome.over:
        for due in referee.legal.due:
            cards = tuple(pile.pop() for _ in range(due.count))
            table += cards
            referee.apply(Dealt(cards))
        for event in classic_moves(chance, table):
            referee.apply(event)
    return referee


def classic_moves(chance: Chance, table: list[Card]) -> list[Event]:
    """Return a call and its SET, or that nobody sees one; the SET leaves ``table``."""
    sets = find_sets(table)
    if not sets:
        return [NoSet("Ann"), NoSet("Ben")]
    player, cards = chance.choice(("Ann", "Ben")), tuple(table[place] for place in chance.choice(sets))
    for card in cards:
        table.remove(card)
    return [Called(player), Picked(player, cards)]


def cubed_game(chance: Chance) -> Referee:
    """Return a whole game of Cubed by two players who play the best turn."""
    referee = Referee(game("cubed"), ("Ann", "Ben"), board=position({}, (), chance).grid.board)
    while not referee.outcome.over and len(referee.log) < 500:
        due = [due for due in referee.legal.due if due.task is Task.ROLL]
        for roll in due:
            kept = referee.state.hand(roll.player)
            faces = random_hand(chance, 0)[: roll.count - len(kept)]
            referee.apply(Rolled(roll.player or "", (*kept, *faces)))
        announced = [event for event in referee.legal.moves if isinstance(event, Announced)]
        if announced:
            referee.apply(announced[0])
        elif referee.state.leader is not None:
            for event in cubed_moves(referee.state):
                referee.apply(event)
    return referee


def cubed_moves(state: CubedState) -> list[Event]:
    """Return the best turn, or a pass."""
    player = state.players[state.turn or 0]
    turns = best_turns(state, player)
    if not turns:
        return [Passed(player)]
    ends = len(turns[0].dice) == min(LAID, len(state.hand(player)))
    return [*turns[0].events, *([] if ends else [TurnEnded(player)])]


def replay_table(chance: Chance) -> Table:
    """Return the table of events judged again."""
    printed = Table("game", "games", "events", "events a second", "target", title="Games judged again")
    for name, play in (("classic", classic_game), ("cubed", cubed_game)):
        games = [play(chance) for _ in range(10)]
        taken = median(sum(seconds(lambda one=one: again(one)) for one in games) for _ in range(5))  # type: ignore[misc]
        events = sum(len(one.log) for one in games)
        printed.add_row(name, str(len(games)), str(events), f"{events / taken:,.0f}", "10,000")
    return printed


def again(played: Referee) -> None:
    """Judge every event of a game anew."""
    board = played.state.grid.board if isinstance(played.state, CubedState) else None
    referee = Referee(played.game, played.state.players, played.state.options, board)
    for entry in played.log:
        referee.apply(entry.event)
    if referee.outcome != played.outcome:
        raise SystemExit("a game judged again came out otherwise")


def main() -> None:
    """Print the tables."""
    console = Console(width=100)
    console.print(sets_table(Chance(2)))
    for printed in turns_tables(Chance(3)):
        console.print(printed)
    console.print(replay_table(Chance(4)))


if __name__ == "__main__":
    main()
