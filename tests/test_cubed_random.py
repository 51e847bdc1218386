"""Random legal games of Cubed, watched by a second bookkeeper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from copy import copy
from random import Random
from typing import Any

import pytest

from engine.clauses import Clause
from engine.cubed_state import DICE, Phase
from engine.events import (
    Announced,
    Ended,
    Event,
    Laid,
    Passed,
    Rolled,
    Swapped,
    TurnEnded,
)
from engine.game import Due, Task
from engine.grid import CubedBoard, Grid, Square
from engine.sets import is_set
from engine.tokens import Face, full_tiles
from tests.cubed_table import GAME, NAMES, faces, no


class Game:
    """A random legal game, watched by a second bookkeeper that knows only the events."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)  # noqa: S311  a game, no secret
        self.state = GAME.start(NAMES[: self.random.randint(2, 8)], self._options(), self._board())
        self.shown = self._faces()
        self.wilds_in_sets: dict[Square, int] = {}
        self.laid = 0
        self.turn_of: str | None = None
        self.turns = 0
        self.totals: Counter[str] = Counter()
        self.entering: set[Square] = set()
        self.careful = False
        self.past: list[dict[str, Any]] = []

    def _options(self) -> dict[str, object]:
        flip = self.random.random
        return {
            "identical_dice_are_set": flip() < 0.7,
            "waiting_dice": flip() < 0.7,
            "swaps_per_turn": self.random.choice([None, 0, 1, 2]),
            "wild_counts_later_in_turn": flip() < 0.7,
        }

    def _board(self) -> CubedBoard:
        rows, columns = self.random.randint(7, 14), self.random.randint(7, 14)
        row, column = rows // 2, columns // 2
        squares = [(r, c) for r in range(rows) for c in range(columns) if r != row]
        bonus = {square: self.random.randint(1, 10) for square in self.random.sample(squares, 12)}
        return CubedBoard(rows, columns, ((row, column - 1), (row, column), (row, column + 1)), bonus)

    def _faces(self) -> list[Face]:
        """Faces of few kinds, so that SETs are frequent and games end by themselves."""
        some = Face(self.random.choice(full_tiles()))
        return [some, *faces("1ro 2ro 3ro 1ro 2ro 3ro 1gd 2ps w")]

    def roll(self, due: Due) -> Rolled:
        """Return a roll that is due: what has to keep its face does."""
        assert due.player is not None
        seat = self.state.index(due.player)
        kept = list(self.state.hands[seat]) if self.state.unrolled[seat] and due.task is Task.ROLL else []
        rolled = kept + self.random.choices(self.shown, k=due.count - len(kept))
        self.random.shuffle(rolled)
        return Rolled(due.player, tuple(rolled))

    def choose(self) -> Event | None:
        """Return something that may happen next; None where a die waits that no other can help."""
        legal = GAME.legal(self.state)
        needed = [due for due in legal.due if not due.optional]
        wished = [due for due in legal.due if due.optional]
        if needed or (wished and (not legal.moves or self.random.random() < 0.1)):
            return self.roll(self.random.choice(needed or wished))
        dice = [move for move in legal.moves if isinstance(move, Laid)]
        tried = [move for move in dice if move.named is None or self.random.random() < 0.1]
        scoring = [move for move in tried if self.points(move)]
        others = [move for move in legal.moves if not isinstance(move, Laid)]
        waiting = [] if self.careful else dice
        for moves, chance in ((scoring, 0.9), (waiting, 0.2), (others, 1.0), (dice, 1.0)):
            if moves and self.random.random() < chance:
                return self.random.choice(moves)
        assert self.state.waiting
        return None

    def points(self, move: Laid) -> int:
        """Return what a die would score."""
        return sum(GAME.apply(self.state, move)[1].points.values())

    def expect(self, event: Event) -> dict[str, int]:
        """Return what an event must pay, by looking at the whole board for SETs that were not there before."""
        if isinstance(event, Announced):
            return {event.player: sum(not shown.is_wild for shown in event.faces)}
        if not isinstance(event, Laid):
            return {}
        return {event.player: self._new_sets(event)}

    def _new_sets(self, event: Laid) -> int:
        assert event.at is not None
        assert isinstance(event.piece, Face)
        at = (event.at[0], event.at[1])
        before = self.state.grid
        grid = before.lay(at, event.piece, event.named).grid
        paid, entering = before.board.bonus.get(at, 0), set[Square]()
        for window in _all_windows(grid):
            counted = grid.faces(window)
            if at not in window or not is_set(*counted):
                continue
            if len(set(counted)) == 1 and not self.state.options["identical_dice_are_set"]:
                continue
            for square in window:
                fresh = self.wilds_in_sets.get(square, self.turns) == self.turns
                if not self.state.options["wild_counts_later_in_turn"]:
                    silent = fresh
                else:
                    silent = square not in self.wilds_in_sets
                if not grid.dice[square].face.is_wild:
                    silent = False
                paid += not silent
                entering.add(square)
        self.entering = entering
        return paid

    def step(self) -> None:
        """Let something happen, or take back all dice of a turn that cannot go on."""
        event = self.choose()
        if event is None:
            while self.state.laid:
                vars(self).update(self.past.pop())
            self.careful = True
            return
        self.careful = self.careful and isinstance(event, Laid | Rolled)
        self.past.append(
            {name: copy(value) for name, value in vars(self).items() if name not in ("random", "past", "careful")}
        )
        self.happen(event)

    def happen(self, event: Event) -> None:
        """Let something happen that must stand, and check what it pays."""
        before, player = self.state, getattr(event, "player", "")
        if isinstance(event, Announced | Laid | Swapped | Passed) and player != self.turn_of:
            self.turns, self.turn_of = self.turns + 1, player
        expected = {who: many for who, many in self.expect(event).items() if many}
        self.state, verdict = GAME.apply(before, event)
        assert verdict.ok, (event, verdict)
        assert verdict.points == expected
        self.totals.update(verdict.points)
        assert self.state.score == {name: self.totals[name] for name in self.state.players}
        self.note(event)

    def note(self, event: Event) -> None:
        """Keep the books, and check that no die is lost (CUBED-1)."""
        if isinstance(event, Announced):
            self.laid += 3
            self.wilds_in_sets = dict.fromkeys(self.state.grid.board.logo, self.turns)
        if isinstance(event, Laid):
            self.laid += 1
            for square in self.entering:
                self.wilds_in_sets.setdefault(square, self.turns)
        state = self.state
        assert len(state.grid.dice) == self.laid
        assert state.pouch >= 0
        assert state.pouch + sum(map(len, state.hands)) + sum(state.unrolled) + self.laid == DICE
        assert all(len(hand) + more <= 5 for hand, more in zip(state.hands, state.unrolled, strict=True))


def _all_windows(grid: Grid) -> Iterator[tuple[Square, Square, Square]]:
    for row, column in grid.dice:
        for window in (
            ((row, column), (row, column + 1), (row, column + 2)),
            ((row, column), (row + 1, column), (row + 2, column)),
        ):
            if all(square in grid.dice for square in window):
                yield window


def _strange_events(game: Game) -> Iterator[Event]:
    """Yield events that are mostly refused."""
    random, state = game.random, game.state
    player = random.choice(state.players)
    at = (random.randint(-1, state.grid.board.rows), random.randint(-1, state.grid.board.columns))
    some = random.choice(game.shown)
    yield Laid(player, some, at, None if random.random() < 0.5 else random.choice(full_tiles()))
    yield Swapped(player, some, at)
    yield Rolled(player, tuple(random.choices(game.shown, k=random.randint(0, 6))))
    yield Announced(player, tuple(random.choices(game.shown, k=3)), ())
    yield Passed(player)
    yield TurnEnded(player)


@pytest.mark.parametrize("seed", range(50))
def test_random_games(seed: int) -> None:
    game = Game(seed)
    for _ in range(80):
        if game.state.over is not None:
            break
        for event in _strange_events(game):
            after, verdict = GAME.apply(game.state, event)
            assert verdict.ok or after is game.state
        game.step()
    else:
        game.state, verdict = GAME.apply(game.state, Ended())
        assert verdict.ok
    assert GAME.outcome(game.state).over
    no(GAME.apply(game.state, Passed(game.state.players[0]))[1], game.state.over or Clause.ALL_2)


@pytest.mark.parametrize("seed", range(100, 106))
def test_random_games_list_only_moves_that_stand(seed: int) -> None:
    game = Game(seed)
    for _ in range(40):
        if game.state.over is not None:
            break
        moves = GAME.legal(game.state).moves
        assert len(moves) == len(set(moves))
        for move in game.random.sample(moves, min(40, len(moves))):
            assert GAME.apply(game.state, move)[1].ok, move
        game.step()


def test_random_games_end_by_themselves_and_see_every_phase() -> None:
    phases: set[Phase] = set()
    for seed in (201, 202, 205):
        game = Game(seed)
        while game.state.over is None:
            phases.add(game.state.phase)
            game.step()
            assert len(game.past) < 1000
        assert game.state.over is Clause.CUBED_18
    assert phases == set(Phase)


def test_a_state_is_never_changed() -> None:
    game = Game(7)
    for _ in range(60):
        before = game.state
        copy = (dict(before.grid.dice), before.hands, before.scores, before.unrolled, before.laid)
        game.step()
        assert copy == (dict(before.grid.dice), before.hands, before.scores, before.unrolled, before.laid)
