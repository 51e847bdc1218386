"""Reads the path-traced pictures of boards, and judges the turns among them, as the commands do.

    python -m tests.renders FOLDER OUT [--turns 0.9]

FOLDER holds ``NAME.json`` beside ``NAME.jpg`` (see ``data/README.md`` of the shared folder). OUT gets, for each game,
``GAME.labels.jsonl`` and ``GAME.jsonl`` for the judge, and ``turns.txt``: for each turn whether the verdict was right.
The exit status is 1 when a picture could not be read or less than ``--turns`` of the verdicts were right.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import cv2

from service.errors import ServiceError
from service.evaluation import Evaluation, evaluate_labels
from service.game import Game
from service.settings import Settings
from service.turn_command import TurnRequest, judge_turn

__all__ = ["main"]

Data = dict[str, Any]


def _board_file(label: Mapping[str, Any]) -> Data:
    """The board file of a picture's label."""
    board, game = label["board"], label.get("game", "cubed")
    if game == "junior-2":
        return {"game": "junior-2", "spaces": len(board["spaces"])}
    if game == "junior-1":
        squares = [[[""] * 3 for _ in range(3)] for _ in range(3)]
        for space in board["spaces"]:
            square, row, column = space["at"]
            squares[square][row][column] = space["face"]
        return {"game": "junior-1", "squares": squares}
    bonus = board["bonus"]
    if isinstance(bonus, dict):
        bonus = [{"at": [int(n) for n in at.split(",")], "points": points} for at, points in bonus.items()]
    return {"game": "cubed", **{k: board[k] for k in ("rows", "columns", "logo")}, "bonus": bonus}


def _cards(pieces: list[Data], game: str) -> list[Data]:
    """Pieces of a label as the judge wants them."""
    cell = "space" if game.startswith("junior") else "cell"
    return [{"quad": p["quad"], "card": p["face"], **({"cell": p[cell]} if game != "junior-2" else {})} for p in pieces]


def _pictures(folder: Path) -> Iterator[tuple[str, Path, Data, list[Data]]]:
    """Yield game, picture, label, pieces of every picture, those of turns among them."""
    for path in sorted(folder.glob("*.json")):
        label = json.loads(path.read_text())
        if "before" in label:
            for which in ("before", "after"):
                yield "cubed", folder / label[which], label, label[f"{which}_pieces"]
        else:
            yield label["game"], folder / label["file"], label, label["pieces"]


def _label(folder: Path) -> dict[str, list[Data]]:
    """The labels of every game's pictures, with their boards, as ``evaluate`` reads them."""
    lines: dict[str, list[Data]] = defaultdict(list)
    for game, picture, label, pieces in _pictures(folder):
        height, width = cv2.imread(str(picture)).shape[:2]  # type: ignore[union-attr]
        line = {"file": str(picture), "size": [width, height], "tags": [game], "cards": _cards(pieces, game)}
        empty = {"empty": str(folder / label["empty"])} if "empty" in label else {}
        lines[game].append({**line, "board": _board_file(label), **empty})
    return lines


def _read(folder: Path, out: Path) -> int:
    """Read every picture; return how many games had one that could not be read."""
    failed = 0
    for game, lines in _label(folder).items():
        labels = out / f"{game}.labels.jsonl"
        labels.write_text("".join(json.dumps(line) + "\n" for line in lines))
        predictions = str(out / f"{game}.jsonl")
        asked = Evaluation(str(labels), Game(game), predictions=predictions)
        failed += evaluate_labels(asked, Settings.from_environment()) != 0
    return failed


def _judged(photos: Sequence[Path], board: Path, wilds: Sequence[str]) -> Data:
    """What the command ``turn`` says of two photos, as JSON."""
    before, after = (str(photo) for photo in photos)
    request = TurnRequest(before, after, Game.CUBED, str(board), wilds=wilds, as_json=True)
    said = StringIO()
    try:
        with redirect_stdout(said):
            judge_turn(request, Settings.from_environment())
    except ServiceError as error:
        return {"error": str(error)}
    return json.loads(said.getvalue())  # type: ignore[no-any-return]


def _turns(folder: Path, out: Path) -> tuple[int, int]:
    """Judge every turn; return how many verdicts were right, of how many."""
    said = []
    for path in sorted(folder.glob("turn_*.json")):
        label = json.loads(path.read_text())
        board = out / "board.json"
        board.write_text(json.dumps(_board_file({"board": label["board"]})))
        wilds = [f"{at}={name}" for at, name in label["wilds"].items()]
        answer = _judged([folder / label[which] for which in ("before", "after")], board, wilds)
        laid = sorted((face, at) for face, at, _ in label["laid"])
        found = sorted((die["face"], die["at"]) for die in answer.get("laid", []))
        right = answer.get("ok") is True and found == laid and answer["points"] == label["points"]
        said.append((right, f"{path.stem}: {'right' if right else f'wrong: {answer}'}"))
    (out / "turns.txt").write_text("".join(f"{text}\n" for _, text in said))
    return sum(right for right, _ in said), len(said)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.renders", description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--turns", type=float, default=0.9, help="least share of turns whose verdict is right")
    options = parser.parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    failed = _read(options.folder, options.out)
    right, turns = _turns(options.folder, options.out)
    sys.stdout.write(f"{right} of {turns} verdicts on turns are right\n")
    return 1 if failed or right < options.turns * turns else 0


if __name__ == "__main__":
    raise SystemExit(main())
