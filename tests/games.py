"""Games for tests: a table that checks verdicts, a dealer with chosen cards, and players that decide by seed.

Chance lives here: the engine neither shuffles nor rolls.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from random import Random
from typing import Any, cast

from engine.calls import CallState
from engine.clauses import Clause
from engine.cubed_state import CubedState
from engine.editions import EDITIONS
from engine.events import (
    Called,
    Claimed,
    Dealt,
    Ended,
    Event,
    GaveUp,
    Laid,
    NoSet,
    Passed,
    Picked,
    Rolled,
    Shuffled,
    TurnEnded,
    Undone,
    Verdict,
)
from engine.game import Due, Game, State, Task
from engine.games import game
from engine.grid import CubedBoard
from engine.junior_board import sample_board
from engine.reasons import Reason
from engine.referee import Referee
from engine.sets import is_set
from engine.tokens import Card, Face, Piece, full_tiles

TRIO = ("Ann", "Ben", "Cid")

TWENTY = (1, 2, 3, 6, 9, 18, 13, 26, 27, 54, 31, 62, 38, 73, 42, 75, 50, 70, 52, 68)
"""Places in the deck of twenty cards without a SET: there are no larger hands (SET-4)."""


DEALT = tuple(
    map(
        Card.parse,
        (
            "1 red striped oval",
            "3 red solid squiggle",
            "1 purple striped diamond",
            "1 purple open squiggle",
            "2 green striped oval",
            "2 red open squiggle",
            "2 green open squiggle",
            "2 purple solid diamond",
            "1 red striped squiggle",
            "2 red open diamond",
            "1 green striped squiggle",
            "3 red open squiggle",
        ),
    )
)
"""Twelve cards; those at places 0, 1 and 9 are a SET."""


def without_set(deck: Sequence[Piece], count: int) -> tuple[Piece, ...]:
    """Return ``count`` pieces of a deck of 81 (up to 20) or 27 (up to 9) among which there is no SET."""
    if len(deck) == 81:
        return tuple(deck[place] for place in TWENTY[:count])
    found = _extended((), tuple(deck), count)
    assert found is not None
    return found


def _extended(hand: tuple[Piece, ...], left: tuple[Piece, ...], count: int) -> tuple[Piece, ...] | None:
    if len(hand) == count:
        return hand
    for place, piece in enumerate(left):
        if not any(is_set(a, b, piece) for a, b in combinations(hand, 2)):
            found = _extended((*hand, piece), left[place + 1 :], count)
            if found is not None:
                return found
    return None


class Table:
    """One game, played event by event: each must get the verdict that is named, and a refusal must change nothing."""

    def __init__(self, key: str, *players: str, board: object = None, **options: object) -> None:
        self.rules: Game[Any] = game(key)
        self.state: Any = self.rules.start(players or TRIO, options, board)

    def says(self, event: Event) -> Verdict:
        """Apply ``event``; a refusal gives back the same state."""
        before = self.state
        self.state, verdict = self.rules.apply(before, event)
        assert verdict.counts or self.state is before
        return verdict

    def stands(self, event: Event, clause: Clause, reason: Reason, **points: int) -> Verdict:
        """Apply an event that must be accepted."""
        return self._get(event, clause, reason, points, ok=True, judged=False)

    def judged(self, event: Event, clause: Clause, reason: Reason, **points: int) -> Verdict:
        """Apply an event that must count although it is not right."""
        return self._get(event, clause, reason, points, ok=False, judged=True)

    def refused(self, event: Event, clause: Clause, reason: Reason) -> Verdict:
        """Apply an event that must be refused."""
        return self._get(event, clause, reason, {}, ok=False, judged=False)

    def _get(
        self, event: Event, clause: Clause, reason: Reason, points: Mapping[str, int], *, ok: bool, judged: bool
    ) -> Verdict:
        verdict = self.says(event)
        got = (verdict.ok, verdict.judged, verdict.clause, verdict.reason, dict(verdict.points))
        assert got == (ok, judged, clause, reason, dict(points))
        return verdict

    def play(self, *events: Event) -> Verdict:
        """Apply events all of which must count; return what is said to the last."""
        for event in events:
            verdict = self.says(event)
            assert verdict.counts, verdict
        return verdict


class CallTable(Table):
    """A game of calls with a dealer who lays what the test chooses."""

    state: CallState

    def __init__(self, key: str, *players: str, seed: int | None = None, **options: object) -> None:
        super().__init__(key, *players, **options)
        order = [piece for piece in EDITIONS[key].deck if piece in self.state.deck]
        if seed is not None:
            Random(seed).shuffle(order)  # noqa: S311
        self.order = tuple(order)

    @property
    def unseen(self) -> tuple[Piece, ...]:
        """What is still in the pile, in the order of the dealer."""
        return tuple(piece for piece in self.order if piece not in self.state.dealt)

    @property
    def due(self) -> int:
        """How many pieces are due."""
        return sum(due.count for due in self.rules.legal(self.state).due if due.task is Task.DEAL)

    def next(self, count: int) -> Dealt:
        """Return a deal of the next ``count`` pieces."""
        return Dealt(cards=self.unseen[:count])

    def deal(self, *first: Piece) -> Verdict:
        """Lay what is due: ``first``, and then the next pieces."""
        rest = [piece for piece in self.unseen if piece not in first]
        return self.play(Dealt(cards=(*first, *rest)[: self.due]))

    def deal_without_set(self) -> Verdict:
        """Lay what is due so that no SET lies there."""
        hand = without_set(self.order, 9 if len(self.order) == 27 else 20)
        lying = set(self.state.table)
        assert lying <= set(hand)
        return self.deal(*(piece for piece in hand if piece not in lying))

    def right(self, player: str) -> Picked:
        """Return the pick of a true SET."""
        return Picked(player=player, cards=self.state.sets()[0])

    def wrong(self, player: str) -> Picked:
        """Return the pick of three pieces that are no SET."""
        threes = combinations(self.state.table, 3)
        return Picked(player=player, cards=next(three for three in threes if not is_set(*three)))

    def take(self, player: str) -> Verdict:
        """Let ``player`` call and pick a true SET."""
        return self.play(Called(player=player), self.right(player))

    def err(self, player: str) -> Verdict:
        """Let ``player`` call and pick no SET."""
        return self.play(Called(player=player), self.wrong(player))

    def agree(self, *players: str) -> Verdict:
        """Let players say that there is no SET."""
        return self.play(*(NoSet(player=player) for player in players))

    def step(self, player: str) -> Verdict:
        """Go on as a table does: deal what is due, else ``player`` takes a SET, else all agree."""
        if self.due:
            return self.deal()
        if self.state.sets():
            return self.take(player)
        return self.agree(*(self.state.players[seat] for seat in self.state.active))

    def finish(self, player: str = "Ann", *, pile: int | None = None) -> Verdict:
        """Go on until the round is over, or until no more than ``pile`` pieces are left in the pile."""
        while True:
            verdict = self.step(player)
            if self.state.over or self.state.round_over or (pile is not None and self.state.pile <= pile):
                return verdict


# Games that decide by seed.

BOARD = CubedBoard(9, 9, ((4, 3), (4, 4), (4, 5)), {(2, 4): 2, (4, 7): 3, (6, 2): 5})
"""The board of Cubed in these games."""

TABLES: Mapping[str, tuple[Mapping[str, object], ...]] = {
    "classic": (
        {},
        {"small_deck": True},
        {"solitaire": True, "small_deck": True},
        {"rounds": True, "small_deck": True, "lowest_score": 0},
        {"hints": "three"},
    ),
    "ravensburger": ({}, {"easy": "red"}, {"easy": "green", "forever": True}, {"hints": "count"}),
    "setup": ({}, {"hints": "two"}),
    "junior-1": ({}, {"hints": "yes-no"}),
    "junior-2": ({}, {"turns": True}, {"rounds": True}, {"tokens": True, "rounds": True}, {"hints": "one"}),
    "cubed": (
        {},
        {"identical_dice_are_set": False},
        {"waiting_dice": False},
        {"swaps_per_turn": 1, "wild_counts_later_in_turn": False},
    ),
}
"""Tables of each game, by the options that are chosen."""

WILDS = 8
"""One face in so many is a Wild."""
MOST_EVENTS = 300
"""After so many events people stop. Nearly all games are shorter; in Cubed without dice that wait none can end."""


def board_of(key: str, seed: int = 1) -> Any:
    """Return a board for games that need one, else None."""
    boards = {"cubed": BOARD, "junior-1": sample_board(seed)}
    return boards.get(key)


def opened(key: str, seed: int) -> Referee:
    """Open the table of a game that ``seed`` decides."""
    random = Random(f"{key} {seed}")  # noqa: S311
    options = TABLES[key][seed % len(TABLES[key])]
    count = (
        1
        if options.get("solitaire")
        else 3
        if options.get("forever")
        else random.randint(2, 2 if key == "cubed" else 4)
    )
    return Referee(game(key), (*TRIO, "Dan")[:count], options, board_of(key, seed))


@cache
def played(key: str, seed: int) -> Referee:
    """Return a whole game that ``seed`` decides; nobody may add to its log."""
    referee, random = opened(key, seed), Random(f"{seed} {key}")  # noqa: S311
    # The last card of SETUP is claimed after the end.
    while (referee.state.over is None or referee.legal.moves) and len(referee.log) < MOST_EVENTS:
        referee.apply(decided(referee.game, referee.state, random))
    if referee.state.over is None:
        referee.apply(Ended())
    return referee


CARELESS = 0.06
"""How often players do anything that is legal."""


def decided(rules: Game[Any], state: State, random: Random) -> Event:
    """Return what happens next: a deal or roll that is due, or a decision, mostly a sensible one.

    Where nothing is legal (in Cubed a die can wait in vain, CUBED-7), the last event is taken back.
    """
    legal = rules.legal(state)
    due = [due for due in legal.due if not due.optional or random.random() < 0.1]
    if due and (not legal.moves or random.random() < 0.8):
        return drawn(rules, state, random.choice(due), random)
    if not legal.moves:
        return drawn(rules, state, legal.due[0], random) if legal.due else Undone()
    if random.random() < CARELESS:
        return random.choice(legal.moves)
    return _sensible(rules, state, legal.moves, random)


def drawn(rules: Game[Any], state: State, due: Due, random: Random) -> Event:
    """Return what chance makes of something that is due."""
    match due.task, state:
        case Task.DEAL, CallState():
            pile = [piece for piece in rules.edition.deck if piece in state.deck - state.dealt]
            return Dealt(cards=tuple(random.sample(pile, due.count)))
        case Task.SHUFFLE, CallState() if state.options.get("forever"):
            new = [name for seat, name in enumerate(state.players) if seat not in state.masters]
            return Shuffled(master=random.choice(new))
        case ((Task.ROLL | Task.REROLL), CubedState()):
            assert due.player is not None
            kept = () if due.optional else state.hand(due.player)
            fresh = (rolled_face(random) for _ in range(due.count - len(kept)))
            return Rolled(player=due.player, faces=(*kept, *fresh))
    return Shuffled()


def rolled_face(random: Random) -> Face:
    """Return a face as a die of this file shows it: a Wild once in eight times, else one of the 27."""
    return Face(None if random.randrange(WILDS) == 0 else random.choice(full_tiles()))


def _sensible(rules: Game[Any], state: State, moves: Sequence[Event], random: Random) -> Event:
    if isinstance(state, CallState):
        return random.choice(list(_sensible_calls(state, moves)) or moves)
    claims = [move for move in moves if isinstance(move, Claimed)]
    if claims:
        return random.choice(claims)
    if isinstance(state, CubedState) and state.waiting and random.random() < 0.2:
        return Undone()
    for move in random.sample(moves, min(len(moves), 300)):
        if _makes_sets(rules, state, move):
            return move
    if not isinstance(state, CubedState):
        return random.choice(moves)
    # Nothing scores: a die that waits is seldom wise, and one that waits in vain goes back to the hand.
    ends: list[Event] = [move for move in moves if isinstance(move, Passed | TurnEnded)] or [Undone()]
    return random.choice(moves if random.random() < 0.1 else ends)


def _makes_sets(rules: Game[Any], state: State, move: Event) -> bool:
    if isinstance(state, CubedState) and isinstance(move, Laid):
        assert isinstance(move.piece, Face)
        square = cast("tuple[int, int]", move.at)
        # All that the verdict says would take long for some hundred moves.
        return bool(state.grid.lay(square, move.piece, move.named, identical=state.identical).lines)
    return bool(rules.apply(state, move)[1].sets)


def _sensible_calls(state: CallState, moves: Sequence[Event]) -> Iterator[Event]:
    """Yield the moves of players who see every SET."""
    true = {frozenset(three) for three in state.sets()}
    for move in moves:
        match move:
            case Picked(_, cards) if frozenset(cards) in true:
                yield move
            case Called() if true:
                yield move
            case NoSet() | Passed() if not true:
                yield move
            case GaveUp() if not true:
                yield move
