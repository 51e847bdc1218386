"""How long a photo of a board of Cubed takes: a rendered one of 1280 x 960 pixels with thirty dice, stage by stage.

    python -m tests.bench.bench_board [--rounds 25]

Prints medians in milliseconds, from the bytes of a JPEG file to the dice on their squares.
"""

from __future__ import annotations

import argparse
from statistics import median

import cv2
import numpy as np

from datasets.board_art import cubed_board
from datasets.board_scene import BoardSettings, photograph, random_lamp
from datasets.viewpoint import random_viewpoint
from datasets.worlds import cubed_world, random_box, random_dice
from vision.boards import CubedPlan
from vision.load import Limits, load
from vision.table import Asked, TableReader
from vision.types import Kind
from vision.watch import Watch

__all__ = ["main"]

_SIZE = (1280, 960)
_DICE = 30


def _picture() -> tuple[bytes, CubedPlan]:
    """The JPEG file of a board with dice, and what is printed on it."""
    rng = np.random.default_rng(4)
    box, art = random_box(rng, "die"), cubed_board(rng, 26.0)
    world = cubed_world(rng, art, box, random_dice(rng, art, _DICE))
    view = random_viewpoint(rng, _SIZE, world.points, (10, 30))
    shot = photograph(rng, world, view, random_lamp(rng, world, view), BoardSettings(beside=0))
    _, encoded = cv2.imencode(".jpg", shot.image, [cv2.IMWRITE_JPEG_QUALITY, 90])
    return encoded.tobytes(), CubedPlan(art.rows, art.columns, (art.logo[0], art.logo[1], art.logo[2]), dict(art.bonus))


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.bench_board", description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=25, help="how often the photo is read")
    options = parser.parse_args(arguments)
    data, plan = _picture()
    reader, rounds = TableReader.shipped(), []
    for _ in range(options.rounds):
        watch = Watch()
        loaded = load(data, Limits())
        watch.lap("load")
        frame = reader.read(loaded, Asked(Kind.DIE, plan=plan), watch)
        rounds.append({**frame.stages, "whole": frame.ms})
    found = sum(reading.cell is not None for reading in frame.readings)
    print(f"{found} of {_DICE} dice on squares, {_SIZE[0]} x {_SIZE[1]} pixels; medians of {len(rounds)} in ms")
    print("  ".join(f"{stage} {median(one[stage] for one in rounds):.1f}" for stage in rounds[0]))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
