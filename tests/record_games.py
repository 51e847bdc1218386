"""Makes the recorded games in tests/golden anew: ``python -m tests.record_games``.

Each is a whole game that a seed decides, with the answers of the referee beside it. Now and then someone does what
the table's options do not allow, errs, or asks for a hint. The seed is the first from which every option of the table
changes a verdict.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from engine.clauses import Clause
from engine.editions import EDITIONS
from engine.events import Asked, Ended, Event, Swapped, Undone, Verdict
from engine.hints import HintLevel
from engine.junior_board import sample_board
from engine.record import Header, write_event, write_header
from engine.referee import Referee
from service.replay import outcome_of
from tests.games import BOARD, decided

FOLDER = Path(__file__).parent / "golden"

MOST_EVENTS = 260
"""After so many events people stop."""
CONTESTED = 0.12
"""How often someone plays as if the options were the defaults."""
SWAPPED = 0.3
"""How often a Wild is swapped that can be."""
ASKED = 0.03
"""How often someone asks for a hint."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A game to be recorded."""

    name: str
    game: str
    players: tuple[str, ...]
    options: Mapping[str, object]
    seed: int
    careful: bool = False
    """Whether nobody strays, so that the game comes to its own end."""

    def header(self) -> Header:
        """The first line of its record."""
        boards = {"cubed": BOARD.to_json(), "junior-1": sample_board(self.seed).to_json()["squares"]}
        return Header(EDITIONS[self.game], self.players, self.options, boards.get(self.game))


PAIR, TRIO = ("Ann", "Ben"), ("Ann", "Ben", "Cid")
SMALL = {"small_deck": True}

PLANS = (
    Plan("classic", "classic", TRIO, {}, 1),
    Plan("classic-hints", "classic", PAIR, {**SMALL, "hints": "three"}, 2),
    Plan("classic-solitaire", "classic", ("Ann",), {**SMALL, "solitaire": True}, 3),
    Plan("classic-rounds", "classic", PAIR, {**SMALL, "rounds": True, "lowest_score": 0}, 4),
    Plan("ravensburger", "ravensburger", PAIR, {"hints": "count"}, 5),
    Plan("ravensburger-easy", "ravensburger", TRIO, {"easy": "green"}, 6),
    Plan("ravensburger-forever", "ravensburger", TRIO, {"easy": "red", "forever": True}, 7),
    Plan("setup", "setup", TRIO, {"hints": "two"}, 8),
    Plan("junior-1", "junior-1", TRIO, {"hints": "yes-no"}, 9),
    Plan("junior-2", "junior-2", TRIO, {"hints": "one"}, 10),
    Plan("junior-2-turns", "junior-2", TRIO, {"turns": True}, 11),
    Plan("junior-2-rounds", "junior-2", TRIO, {"rounds": True, "tokens": True}, 12),
    Plan("cubed", "cubed", PAIR, {}, 0, careful=True),
    Plan("cubed-hints", "cubed", PAIR, {"hints": "three"}, 13),
    Plan("cubed-identical", "cubed", PAIR, {"identical_dice_are_set": False}, 14),
    Plan("cubed-no-waiting", "cubed", PAIR, {"waiting_dice": False}, 15),
    Plan("cubed-swaps", "cubed", TRIO, {"swaps_per_turn": 0, "wild_counts_later_in_turn": False}, 16),
)


def settled(plan: Plan) -> Plan:
    """Return the plan with the first seed from its own on that shows what each of its options does."""
    while not shows(plan, played(plan)):
        plan = replace(plan, seed=plan.seed + 1)
    return plan


def shows(plan: Plan, referee: Referee) -> bool:
    """Return whether a game shows what it is recorded for."""
    ended = referee.state.over is not Clause.ALL_2
    return ended if plan.careful else all(matters(plan, referee, option) for option in plan.options)


def matters(plan: Plan, referee: Referee, option: str) -> bool:
    """Return whether a verdict of a game is another one where ``option`` has its default."""
    header = plan.header()
    options = {name: value for name, value in header.options.items() if name != option}
    other = replace(header, options=options).referee()
    return any(told(other.apply(entry.event)) != told(entry.verdict) for entry in referee.log)


def told(verdict: Verdict) -> tuple[object, ...]:
    """Return what a verdict comes to."""
    return verdict.ok, verdict.clause, verdict.reason, dict(verdict.points)


def played(plan: Plan) -> Referee:
    """Return the game of ``plan``, played to its end."""
    referee, random = plan.header().referee(), Random(f"{plan.name} {plan.seed}")  # noqa: S311
    while referee.state.over is None and len(referee.log) < MOST_EVENTS:
        careful = decided(referee.game, referee.state, random) if plan.careful else None
        referee.apply(careful or next_event(referee, random))
    if referee.state.over is None:
        referee.apply(Ended())
    return referee


def next_event(referee: Referee, random: Random) -> Event:
    """Return what happens next: a decision or chance, a hint that is asked for, or what other options would allow."""
    state = referee.state
    if random.random() < ASKED:
        return Asked(random.choice(state.players), random.choice(tuple(HintLevel)))
    if random.random() < CONTESTED:
        state = replace(state, options=referee.game.edition.choose({}))
    moves = referee.game.legal(state).moves
    swaps = [move for move in moves if isinstance(move, Swapped)]
    if swaps and random.random() < SWAPPED:
        return random.choice(swaps)
    if moves and random.random() < CONTESTED:
        return random.choice(moves)
    event = decided(referee.game, state, random)
    return event if random.random() > CONTESTED / 10 else Undone()


def answers(referee: Referee) -> Iterator[dict[str, Any]]:
    """Yield what was said to each event, without its sentence, and how the game stands."""
    for entry in referee.log:
        verdict = entry.verdict
        yield {
            "event": entry.number,
            "ok": verdict.ok,
            "clause": verdict.clause.value,
            "reason": verdict.reason.value,
            "points": dict(verdict.points),
            "scores": dict(entry.scores),
        }
    yield {"outcome": outcome_of(referee)}


def paths(plan: Plan) -> tuple[Path, Path]:
    """Where the record and its answers lie."""
    return FOLDER / f"{plan.name}.record.jsonl", FOLDER / f"{plan.name}.answers.jsonl"


def write(plan: Plan) -> None:
    """Play a game and write it down."""
    plan = settled(plan)
    referee, header = played(plan), plan.header()
    record, said = paths(plan)
    record.write_text("".join(f"{line}\n" for line in lines(header, referee)), encoding="utf-8")
    said.write_text("".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in answers(referee)), encoding="utf-8")


def lines(header: Header, referee: Referee) -> Iterator[str]:
    """Yield the lines of a record."""
    yield write_header(header)
    yield from (write_event(entry.event, header) for entry in referee.log)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for made in PLANS:
        write(made)
