"""A table of Cubed for tests, with a short way to write faces: "1ro" is "1 red oval", "w" is "wild"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.clauses import Clause
from engine.cubed import Cubed
from engine.cubed_state import DICE, CubedState, Phase
from engine.editions import edition
from engine.events import Announced, Event, Laid, Passed, Rolled, Swapped, TurnEnded, Verdict
from engine.grid import CubedBoard, Die, Grid, Square
from engine.reasons import Reason
from engine.tokens import Colour, Face, Number, Shape, Tile

GAME = Cubed(edition("cubed"))
BOARD = CubedBoard(9, 13, ((4, 5), (4, 6), (4, 7)))
COLOURS = {"r": Colour.RED, "g": Colour.GREEN, "p": Colour.PURPLE}
SHAPES = {"o": Shape.OVAL, "d": Shape.DIAMOND, "s": Shape.SQUIGGLE}
NAMES = ("Ann", "Ben", "Cid", "Dan", "Eva", "Fay", "Gus", "Hal")
NOTHING = "2gd 1ps 3gs 1gd 2ps"
"""Five faces among which there is no SET, nor one with a red oval."""


def tile(word: str) -> Tile:
    return Tile(Number(int(word[0]) - 1), COLOURS[word[1]], SHAPES[word[2]])


def face(word: str) -> Face:
    return Face(None if word == "w" else tile(word))


def faces(words: str) -> tuple[Face, ...]:
    return tuple(face(word) for word in words.split())


def die(word: str) -> Die:
    """Return a die; "w=1ro" is a Wild that stands for 1 red oval."""
    shown, _, named = word.partition("=")
    return Die(face(shown), tile(named) if named else None)


def dice(rows: Mapping[Square, str], *, down: bool = False) -> dict[Square, Die]:
    """Return dice side by side from each square on, to the right or down."""
    return {
        (row + place * down, column + place * (not down)): die(word)
        for (row, column), words in rows.items()
        for place, word in enumerate(words.split())
    }


class Table:
    """Plays one game; every verdict is kept, and a refusal must leave the state alone."""

    def __init__(self, *players: str, board: CubedBoard = BOARD, **options: object) -> None:
        self.state = GAME.start(players or ("Ann", "Ben"), options, board)
        self.last: Verdict | None = None

    def do(self, event: Event) -> Verdict:
        """Judge an event; what it changes must be what its points say."""
        before = self.state
        self.state, self.last = GAME.apply(before, event)
        assert self.last.ok or self.state is before
        assert {
            who: many - before.score[who] for who, many in self.state.score.items() if many != before.score[who]
        } == (self.last.points)
        return self.last

    def roll(self, player: str, words: str) -> Verdict:
        """Roll a whole hand."""
        return self.do(Rolled(player, faces(words)))

    def announce(self, player: str, words: str, named: str = "") -> Verdict:
        """Announce the first SET."""
        return self.do(Announced(player, faces(words), tuple(tile(word) for word in named.split())))

    def lay(self, player: str, word: str, row: int, column: int) -> Verdict:
        """Lay a die; "w=1ro" lays a Wild as 1 red oval."""
        shown, _, named = word.partition("=")
        return self.do(Laid(player, face(shown), (row, column), tile(named) if named else None))

    def swap(self, player: str, word: str, row: int, column: int) -> Verdict:
        """Swap a Wild on the board."""
        return self.do(Swapped(player, face(word), (row, column)))

    def passes(self, player: str) -> Verdict:
        """Pass."""
        return self.do(Passed(player))

    def ends(self, player: str) -> Verdict:
        """End the turn."""
        return self.do(TurnEnded(player))

    @property
    def turn(self) -> str | None:
        """Name of the player in turn."""
        return None if self.state.turn is None else self.state.players[self.state.turn]


def opened(
    board: CubedBoard = BOARD, others: str = NOTHING, first: str = "", players: str = "Ann Ben", **options: object
) -> Table:
    """Return a table where the first player has laid 1, 2, 3 red ovals on the logo; it is the second one's turn."""
    table = Table(*players.split(), board=board, **options)
    for player in table.state.players:
        table.roll(player, f"1ro 2ro 3ro {first or '2gd 1ps'}" if player == table.state.players[0] else others)
    yes(table.announce(table.state.players[0], "1ro 2ro 3ro"), Clause.CUBED_4, 3)
    return table


def position(
    board: Mapping[Square, Die],
    *hands: str,
    turn: int = 0,
    pouch: int | None = None,
    on: CubedBoard = BOARD,
    **options: Any,
) -> Table:
    """Return a table in the middle of a game that the first player leads; ``pouch`` dice are left in it.

    Dice that have to be somewhere else lie at the bottom of the board.
    """
    table = Table(*NAMES[: len(hands)], board=on, **options)
    held = tuple(faces(hand) for hand in hands)
    extra = 0 if pouch is None else DICE - pouch - len(board) - sum(map(len, held))
    spare = {(on.rows - 1 - place // on.columns, place % on.columns): die("1gs") for place in range(extra)}
    table.state = replace(
        table.state,
        grid=Grid(on, {**spare, **board}),
        hands=held,
        unrolled=(0,) * len(hands),
        phase=Phase.PLAY,
        leader=0,
        taken=turn,
    )
    assert pouch is None or table.state.pouch == pouch
    return table


def yes(verdict: Verdict, clause: Clause, points: int = 0, reason: Reason | None = None) -> Verdict:
    """Check that an event stands, and why; ``points`` are those of its player."""
    assert verdict.ok, verdict
    assert verdict.clause is clause
    assert points == sum(verdict.points.values())
    assert reason is None or verdict.reason is reason
    return verdict


def no(verdict: Verdict, clause: Clause, reason: Reason | None = None) -> Verdict:
    """Check that an event is refused, and why."""
    assert not verdict.ok
    assert verdict.clause is clause, verdict
    assert reason is None or verdict.reason is reason
    return verdict


def start_row(state: CubedState) -> list[str]:
    """Return the faces in the row of the logo, left to right."""
    row = state.grid.board.logo[0][0]
    return [str(state.grid.dice[square].counted) for square in sorted(state.grid.dice) if square[0] == row]
