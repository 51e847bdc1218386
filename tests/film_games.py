"""Films scripted games, has them watched, and compares what the referee says with the script.

    python -m tests.film_games OUT [--plan full] [--seed 5000] [--keep] [--events 0.97 --scores 0.9 ...]

The plan ``full`` has three whole games of classic and 17 shorter ones of all four games, 150 picks or turns; ``short``
has one short film of each game. Prints a line a film and one for all: the share of events that are right, in order, by
the right player; whether the final scores are; the share of names that are right on settled frames; seconds from the
hand's leaving to the next settled moment; frames a second of following and refereeing, table still and hands moving.
OUT gets the record of each film, and with ``--keep`` its video. The exit status is 1 when a floor is missed.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import numpy as np

from datasets.film import Film, FilmSettings, produce
from datasets.film_script import ScriptSettings
from datasets.render_videos import write_film
from service.board_file import read_board_file
from service.game import Game
from service.live.settings import LiveSettings
from service.settings import Settings
from service.watch_calls import read_calls
from service.watch_game import GameSetup, LiveGame
from service.watch_tracker import GameGuess
from vision.shots import Shot
from vision.sources import open_source
from vision.tracks import Moment

__all__ = ["PLANS", "Seen", "main", "plain_events", "share_right"]

Data = Mapping[str, Any]
PLANS: Mapping[str, tuple[tuple[str, int | None], ...]] = {
    "short": (("classic", 3), ("ravensburger", 3), ("junior-2", 3), ("cubed", 4)),
    "full": (
        *[("classic", None)] * 3,
        *[("classic", 9)] * 5,
        *[("ravensburger", 9)] * 4,
        *[("junior-2", 8)] * 4,
        *[("cubed", 9)] * 4,
    ),
}
"""Game and how many picks or turns its film has, None for the whole game."""

_CALL_LIMIT = 5.0
_UNSEEN = ("rolled", "passed", "turn_ended", "corrected")
"""What no camera sees: the referee concludes it, or goes on without; a guess what a Wild stands for is corrected."""


def plain_events(record: Sequence[Data]) -> list[tuple[object, ...]]:
    """Return the events of a record in a form in which order counts only where it is seen.

    Pieces of a deal or pick have no order, nor have the players who say that there is no SET, nor the dice of a turn.
    """
    out: list[tuple[object, ...]] = []
    together: list[tuple[object, ...]] = []
    for event in record:
        kind = event["type"]
        if kind in _UNSEEN:
            continue
        cards = tuple(sorted(event.get("cards", ())))
        place = tuple(event.get("at", ()))
        entry = (kind, event.get("player", ""), cards, str(event.get("face", event.get("faces", ""))), place)
        if kind in ("no_set", "laid"):
            together.append(entry)
            continue
        out += [*sorted(together), entry]
        together = []
    return [*out, *sorted(together)]


def share_right(truth: Sequence[object], told: Sequence[object]) -> float:
    """Return which share of all events is told as it was, in its order: what is missing or added counts against it."""
    blocks = SequenceMatcher(None, truth, told, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks) / max(len(truth), len(told), 1)


@dataclass
class Seen:
    """What was measured on one film or all of them."""

    name: str
    events: list[float] = field(default_factory=list)
    scores: list[bool] = field(default_factory=list)
    names: Counter[str] = field(default_factory=Counter)
    delays: list[float] = field(default_factory=list)
    still: list[float] = field(default_factory=list)
    moving: list[float] = field(default_factory=list)
    weights: list[int] = field(default_factory=list)

    def add(self, other: Seen) -> None:
        """Take in what was measured on another film."""
        for entry in ("events", "scores", "delays", "still", "moving", "weights"):
            getattr(self, entry).extend(getattr(other, entry))
        self.names += other.names

    @property
    def figures(self) -> dict[str, float]:
        """The figures by name."""
        return {
            "events": float(np.average(self.events, weights=self.weights)) if self.events else 0.0,
            "scores": float(np.mean(self.scores)) if self.scores else 0.0,
            "names": self.names["right"] / max(1, self.names["lying"], self.names["told"]),
            "delay": float(np.quantile(self.delays, 0.95)) if self.delays else 0.0,
            "still": 1.0 / float(np.mean(self.still or [1.0])),
            "moving": 1.0 / float(np.mean(self.moving or [1.0])),
        }

    def line(self) -> str:
        """Return all figures in a line."""
        one = self.figures
        return (
            f"{self.name:24} events {one['events']:.3f} of {sum(self.weights)}  scores {one['scores']:.2f}  "
            f"names {one['names']:.4f}  delay "
            f"{np.median(self.delays or [0]):.2f} (95 %: {one['delay']:.2f}, most: {max(self.delays or [0]):.2f})  "
            f"frames a second: still {one['still']:.0f}, moving {one['moving']:.0f}"
        )


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as stream:
        yield from map(json.loads, stream)


def watch(video: Path) -> Seen:
    """Watch a film as ``set-referee watch --fast`` does, and compare with what lies beside it."""
    header, *events = _lines(video.with_suffix(".record.jsonl"))
    board = video.with_suffix(".board.json")
    setup = GameSetup(
        Game(header["game"]), read_board_file(str(board)) if board.exists() else None, tuple(header["players"])
    )
    record: list[str] = []
    game = LiveGame(setup, LiveSettings(call_limit=_CALL_LIMIT), GameGuess(Settings()), record.append)
    calls = deque(read_calls(str(video.with_suffix(".calls.jsonl")), setup.players))
    seen, left = Seen(video.stem), None
    before: Data = {"hands": False, "camera": "still"}
    with open_source(video, fast=True) as source:
        shots = (item for item in source if isinstance(item, Shot))
        for shot, truth in zip(shots, _lines(video.with_suffix(".truth.jsonl")), strict=False):
            while calls and calls[0].at <= truth["t"]:
                call = calls.popleft()
                game.call(call.player, call.at)
            begun = time.perf_counter()
            moment, _ = game.see(shot.image, truth["t"])
            (seen.still if truth["settled"] else seen.moving).append(time.perf_counter() - begun)
            left = _delay(seen, moment, truth, before, left)
            before = truth
            last = shot.image, truth["t"]
        for step in range(12):
            game.see(last[0], last[1] + 0.1 * step)
    assert game.table is not None
    told = [json.loads(line) for line in record]
    right, got = plain_events(events), plain_events([line for line in told if "type" in line])
    seen.events.append(share_right(right, got))
    seen.weights.append(len(right))
    seen.scores.append(_score_of(header, events) == dict(game.table.scores))
    video.with_suffix(".told.jsonl").write_text("".join(line.rstrip("\n") + "\n" for line in record), encoding="utf-8")
    return seen


def _delay(seen: Seen, moment: Moment, truth: Data, before: Data, left: float | None) -> float | None:
    """Measure one frame; return when the last hand left, None once its change has been shown."""

    def busy(one: Data) -> bool:
        return bool(one["hands"]) or one["camera"] == "shaking"

    if moment.settled:
        lying, told = Counter(p["name"] for p in truth["pieces"]), Counter(t.reading.name for t in moment)
        sure = Counter(t.reading.name for t in moment if t.reading.doubt is None)
        right = (lying & told).total()
        seen.names.update(right=right, lying=lying.total(), told=right + (sure - lying).total())
    if busy(truth):
        return None
    left = truth["t"] if busy(before) else left
    if left is not None and moment.settled:
        seen.delays.append(truth["t"] - left)
        return None
    return left


def _score_of(header: Data, events: Sequence[Data]) -> dict[str, int]:
    """The scores that the script's own record comes to."""
    from engine.record import read_event, read_header

    head = read_header(json.dumps(header))
    referee = head.referee()
    for event in events:
        referee.apply(read_event(json.dumps(event), head))
    return dict(referee.state.score)


def _film(game: str, picks: int | None, seed: int) -> Film:
    return produce(game, seed, FilmSettings(script=ScriptSettings(picks=picks)))


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.film_games", description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--plan", choices=PLANS, default="full")
    parser.add_argument("--seed", type=int, default=5000, help="of the first film; the others follow")
    parser.add_argument("--keep", action="store_true", help="keep the videos")
    for name in ("events", "scores", "names", "still", "moving"):
        parser.add_argument(f"--{name}", type=float, default=0.0, help="least figure over all films")
    parser.add_argument("--delay", type=float, default=60.0, help="most seconds at the 95th percentile")
    options = parser.parse_args(arguments)
    whole = Seen("all")
    for number, (game, picks) in enumerate(PLANS[options.plan]):
        seed = options.seed + number
        video = options.out / f"{game}-{seed:04d}.mp4"
        if not video.exists():
            write_film(_film(game, picks, seed), options.out, video.stem)
        seen = watch(video)
        print(seen.line(), flush=True)  # noqa: T201
        whole.add(seen)
        if not options.keep:
            video.unlink()
    print(whole.line())  # noqa: T201
    figures = whole.figures
    missed = [
        name for name in ("events", "scores", "names", "still", "moving") if figures[name] < getattr(options, name)
    ]
    missed += ["delay"] if figures["delay"] > options.delay else []
    for name in missed:
        print(f"below its floor: {name}: {figures[name]:.4f}", file=sys.stderr)  # noqa: T201
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
