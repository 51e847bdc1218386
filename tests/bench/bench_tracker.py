"""How many pictures a second the tracker follows, on a film drawn for it, and whether its memory stays flat.

    python -m tests.bench.bench_tracker [--seconds 25] [--size 1280x720] [--minutes 60]

Prints medians in milliseconds of pictures of a still table, and of those with hands, moving pieces or a moving camera,
and for each how many that makes a second. ``--minutes`` shows the same film again and again for as long of its own
time, 10 pictures a second, and prints the memory of the process after the first showing and at the end.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from statistics import mean, median
from time import perf_counter

import cv2

from datasets.film import FilmFrame, FilmSettings, produce
from datasets.film_script import ScriptSettings
from datasets.film_stage import StageSettings
from vision.classify import Evidence
from vision.eyes import CardEyes
from vision.reader import Reader
from vision.tracker import Tracker

__all__ = ["main"]

_SEED = 11
_FPS = 10.0
_SKIPPED = 5


def _film(size: tuple[int, int], seconds: float) -> list[FilmFrame]:
    """The middle of a game with bumps and hands: its deal, and what follows."""
    settings = FilmSettings(_FPS, StageSettings(size=size), ScriptSettings(picks=2))
    return list(islice(produce("classic", _SEED, settings).frames(), round(seconds * _FPS)))


def _tracker() -> Tracker[Evidence]:
    return Tracker(CardEyes(Reader.shipped()))


def _times(frames: Sequence[FilmFrame]) -> tuple[list[float], list[float]]:
    """Milliseconds of the pictures of a still table, and of those where something moves."""
    tracker, still, moving = _tracker(), list[float](), list[float]()
    for frame in frames:
        start = perf_counter()
        tracker.see(frame.image, frame.time)
        took = 1000 * (perf_counter() - start)
        if frame.number >= _SKIPPED:
            (still if frame.truth.settled else moving).append(took)
    return still, moving


def _resident() -> float:
    """The memory of this process in MB, as Linux counts it."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def _looped(frames: Sequence[FilmFrame], seconds: float) -> tuple[float, float, int]:
    """Memory after the film has been shown once, memory after ``seconds`` of it, and how many pictures that were."""
    tracker, shown, start = _tracker(), 0, 0.0
    while shown < seconds * _FPS:
        for frame in frames:
            tracker.see(frame.image, shown / _FPS)
            shown += 1
        start = start or _resident()
    return start, _resident(), shown


def _line(name: str, times: Sequence[float]) -> str:
    """One line of figures."""
    middle, average = median(times), mean(times)
    return (
        f"{name}: {len(times)} pictures, median {middle:.1f} ms ({1000 / middle:.0f} a second), "
        f"mean {average:.1f} ms ({1000 / average:.0f} a second)"
    )


def _size(text: str) -> tuple[int, int]:
    width, height = text.split("x")
    return int(width), int(height)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.bench_tracker", description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=25.0, help="how much of the film is drawn")
    parser.add_argument("--size", type=_size, default=(1280, 720), help="width and height of its pictures, 1280x720")
    parser.add_argument("--minutes", type=float, default=0.0, help="also show it for so long of its own time, none")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    frames = _film(options.size, options.seconds)
    still, moving = _times(frames)
    print(_line("still", still), _line("moving", moving), sep="\n")
    if options.minutes > 0:
        start, end, shown = _looped(frames, 60 * options.minutes)
        print(f"memory: {start:.0f} MB after the first {len(frames)} pictures, {end:.0f} MB after {shown}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
