"""Films of Cubed: rolls that let people play, and the dice that they lay."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations

import numpy as np

from datasets.board_art import BoardArt
from datasets.film_script import Script, ScriptSettings, Step, StepKind, disturbances, makes_set, seated
from engine.tokens import Tile, full_tiles

__all__ = ["board_file", "cubed_script"]

Random = np.random.Generator
Square = tuple[int, int]
_HAND = 5
_LAID = 3
_WILDS = 0.1


@dataclass(frozen=True)
class _Die:
    """A die to be laid: the name of its face, where, and what a Wild stands for."""

    face: str
    at: Square
    named: str | None


def board_file(board: BoardArt) -> dict[str, object]:
    """Return what a board file says of a printed ``board`` of Cubed."""
    bonus = [{"at": list(square), "points": points} for square, points in board.bonus.items()]
    logo = [list(square) for square in board.logo]
    return {"rows": board.rows, "columns": board.columns, "logo": logo, "bonus": bonus}


def _named(faces: Sequence[str]) -> list[str | None] | None:
    """What the Wilds among three faces have to stand for in a SET, None for others; no list where there is no SET."""
    if "wild" not in faces:
        return [None] * 3 if makes_set([Tile.parse(face) for face in faces]) else None
    known = [Tile.parse(face) for face in faces if face != "wild"]
    while len(known) < 2:
        known.append(known[0] if known else full_tiles()[0])
    needed = next(tile for tile in full_tiles() if makes_set([known[0], known[1], tile]))
    given = iter([str(needed)] if faces.count("wild") == 1 else [str(known[1]), str(needed), str(known[0])])
    return [next(given) if face == "wild" else None for face in faces]


@dataclass
class _Game:
    """A game of Cubed as it is being written. ``dice`` maps a square to what counts there, ``wilds`` says which are."""

    rng: Random
    settings: ScriptSettings
    board: BoardArt
    players: tuple[str, ...]
    pouch: int = 42
    dice: dict[Square, str] = field(default_factory=dict)
    wilds: set[Square] = field(default_factory=set)
    hands: dict[str, list[str]] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)

    def face(self) -> str:
        """A face that comes up."""
        tiles = full_tiles()
        return "wild" if self.rng.random() < _WILDS else str(tiles[int(self.rng.integers(0, len(tiles)))])

    def say(self, player: str, **event: object) -> None:
        """Note an event that moves nothing on the board."""
        kind = str(event.pop("kind"))
        line: dict[str, object] = {"type": kind, "player": player, **event}
        self.steps.append(Step(StepKind.SAY, player, events=(line,)))

    def roll(self, player: str, wanted: bool) -> None:
        """Fill the hand of ``player``, with faces that can be played where they are ``wanted``."""
        kept = self.hands.get(player, [])
        count = min(_HAND - len(kept), self.pouch)
        self.pouch -= count
        for _ in range(self.settings.rolls):
            hand = [*kept, *(self.face() for _ in range(count))]
            if not wanted or self.opening(hand) or (self.dice and next(self.plays(hand, _LAID), None)):
                break
        self.hands[player] = hand
        self.say(player, kind="rolled", faces=list(hand))

    def opening(self, hand: Sequence[str]) -> tuple[str, ...]:
        """Three faces of a hand that are a SET, before any lie on the board."""
        return () if self.dice else next((f for f in permutations(hand, 3) if _named(f) is not None), ())

    def announce(self, player: str) -> None:
        """Lay the first SET on the logo (CUBED-4)."""
        faces = self.opening(self.hands[player])
        names = _named(faces) or []
        event = {
            "type": "announced",
            "player": player,
            "faces": list(faces),
            "as": [name for name in names if name is not None],
        }
        dice = [_Die(face, at, name) for face, at, name in zip(faces, self.board.logo, names, strict=True)]
        # Who announces says so: no camera sees whose dice they are (CUBED-3).
        self.steps.append(Step(StepKind.CALL, player))
        self.put(player, dice, (event,))

    def put(self, player: str, dice: Sequence[_Die], events: Sequence[Mapping[str, object]]) -> None:
        """Lay ``dice`` in one go."""
        for die in dice:
            self.hands[player].remove(die.face)
            self.dice[die.at] = die.named or die.face
            self.wilds |= {die.at} if die.named else set()
        faces, places = tuple(die.face for die in dice), tuple(die.at for die in dice)
        self.steps.append(Step(StepKind.LAY, player, faces, places, tuple(events)))

    def lines(self) -> Iterator[tuple[Square, Square, Square]]:
        """Every three squares in a row or a column that touch the dice on the board and are not full."""
        for row in range(self.board.rows):
            for column in range(self.board.columns):
                for down, right in ((0, 1), (1, 0)):
                    last = (row + 2 * down, column + 2 * right)
                    line = ((row, column), (row + down, column + right), last)
                    full = sum(square in self.dice for square in line)
                    if last[0] < self.board.rows and last[1] < self.board.columns and 0 < full < 3:
                        yield line

    def plays(self, hand: Sequence[str], most: int) -> Iterator[tuple[_Die, ...]]:
        """Every way to fill one line to a SET with up to ``most`` dice of ``hand``, in an order that stays joined."""
        lines = list(self.lines())
        for index in self.rng.permutation(len(lines)):
            line = lines[int(index)]
            free = [at for at in line if at not in self.dice]
            free.sort(key=lambda at: min(abs(at[0] - a) + abs(at[1] - b) for a, b in line if (a, b) in self.dice))
            for faces in dict.fromkeys(permutations(hand, len(free))) if len(free) <= most else ():
                given = dict(zip(free, faces, strict=True))
                names = _named([given.get(at) or self.dice[at] for at in line])
                if names is not None:
                    named = dict(zip(line, names, strict=True))
                    yield tuple(_Die(given[at], at, named[at]) for at in free)

    def swap(self, player: str) -> None:
        """Exchange a Wild on the board for the die that it stands for (CUBED-15), if ``player`` has it."""
        for at in sorted(self.wilds):
            name = self.dice[at]
            if name in self.hands[player]:
                self.hands[player].remove(name)
                self.wilds.remove(at)
                event = {"type": "swapped", "player": player, "face": name, "at": list(at)}
                self.steps.append(Step(StepKind.EXCHANGE, player, (name,), (at,), (event,)))
                self.hands[player].append(self.face())
                self.say(player, kind="rolled", faces=list(self.hands[player]))
                return

    def turn(self, player: str) -> None:
        """Let ``player`` swap if that can be, then lay up to three dice, or pass."""
        self.steps += disturbances(self.rng, self.settings, list(self.dice))
        begun = len(self.steps)
        self.swap(player)
        laid = 0
        while laid < _LAID and self.hands[player]:
            play = next(self.plays(self.hands[player], _LAID - laid), None)
            if play is None:
                break
            self.put(player, play, [_laid(player, die) for die in play])
            laid += len(play)
        if len(self.steps) > begun:
            # Whose dice they are cannot be seen: people say so when their turn begins.
            self.steps.insert(begun, Step(StepKind.CALL, player))
        if not laid:
            self.say(player, kind="passed")
        elif laid < _LAID and self.hands[player]:
            self.say(player, kind="turn_ended")

    def rig(self, player: str) -> None:
        """Let a Wild's own face be among what ``player`` rolls next, as happens now and then."""
        hand = self.hands[player]
        names = [self.dice[at] for at in sorted(self.wilds)]
        if names and len(hand) == _HAND and self.rng.random() < 0.6:
            hand[-1] = names[0]
            *before, last = self.steps
            event = {"type": "rolled", "player": player, "faces": list(hand)}
            self.steps = [*before, Step(StepKind.SAY, last.player, events=(event,))]

    def refill(self) -> None:
        """Fill all hands once a round is over (CUBED-11)."""
        for player in self.players:
            if len(self.hands[player]) < _HAND and self.pouch:
                self.roll(player, wanted=True)
                self.rig(player)

    def play(self, turns: int) -> None:
        """Write ``turns`` turns, the first SET among them."""
        for player in self.players:
            self.roll(player, wanted=True)
        self.announce(self.players[0])
        for number in range(1, turns):
            if number % len(self.players) == 0:
                self.refill()
            self.turn(self.players[number % len(self.players)])


def _laid(player: str, die: _Die) -> dict[str, object]:
    line: dict[str, object] = {"type": "laid", "player": player, "face": die.face, "at": list(die.at)}
    return line if die.named is None else {**line, "as": die.named}


def cubed_script(rng: Random, board: BoardArt, settings: ScriptSettings | None = None) -> Script:
    """Return a game of Cubed on ``board``: ``picks`` turns (by default six), the first SET among them."""
    settings = ScriptSettings() if settings is None else settings
    players = seated(rng, settings)[:3]
    game = _Game(rng, settings, board, players)
    game.play(settings.picks or 6)
    places = sorted(game.dice)
    return Script("cubed", players, tuple(game.steps), tuple(places), board_file(board))
