"""Where the time of a photo goes, beside a full decode of the same file; memory, start-up and the size of the models.

    python -m tests.bench.bench_photo PHOTO...

Reading and decoding take turns, so that what else the machine does falls on both; medians are printed. ``ratio`` is the
whole time over that of ``cv2.imdecode`` at full size. Memory and start-up are those of a process of its own.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from rich.console import Console
from rich.table import Table

from vision.load import load
from vision.model import shipped_folder
from vision.reader import Reader
from vision.types import Frame

ROUNDS = 15
STARTS = 5
FRAME = (1280, 720)
_BETWEEN = """
import resource, subprocess, sys, time
began = time.perf_counter()
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
STAGES = ("load", "segment", "classify", "decode")


def decode_ms(data: bytes) -> float:
    """Milliseconds of one full decode."""
    began = time.perf_counter()
    cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    return (time.perf_counter() - began) * 1000


def row(name: str, frames: Sequence[Frame], decodes: Sequence[float]) -> list[str]:
    """Return the cells of one photo: medians, in milliseconds."""
    whole = statistics.median(frame.ms for frame in frames)
    stages = [f"{statistics.median(frame.stages[stage] for frame in frames):.0f}" for stage in STAGES]
    width, height = frames[0].size
    decode = statistics.median(decodes) if decodes else None
    beside = ["-", "-"] if decode is None else [f"{decode:.0f}", f"{whole / decode:.2f}"]
    return [name, f"{width} x {height}", str(len(frames[0])), *stages, f"{whole:.0f}", *beside]


def bench_file(reader: Reader, path: Path) -> list[str]:
    """Return the row of the photo at ``path``."""
    data = path.read_bytes()
    frames: list[Frame] = []
    decodes: list[float] = []
    for _ in range(ROUNDS):
        decodes.append(decode_ms(data))
        frames.append(reader.read(data))
    return row(path.name, frames, decodes)


def bench_frame(reader: Reader, path: Path) -> list[str]:
    """Return the row of the photo at ``path`` as a frame of a camera: the whole of it in the middle of 1280 x 720."""
    image = load(path.read_bytes()).image
    scale = min(FRAME[0] / image.shape[1], FRAME[1] / image.shape[0])
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    frame = np.full((FRAME[1], FRAME[0], 3), 90, np.uint8)
    top, left = (FRAME[1] - small.shape[0]) // 2, (FRAME[0] - small.shape[1]) // 2
    frame[top : top + small.shape[0], left : left + small.shape[1]] = small
    return row(f"{path.name} as a frame", [reader.read_image(frame) for _ in range(ROUNDS)], [])


def run(*arguments: str) -> tuple[float, float]:
    """Return seconds and peak megabytes of one process of ``set-referee`` with these arguments.

    A small process in between starts it: a process counts the memory of the one that it was forked from.
    """
    command = [sys.executable, "-c", _BETWEEN, sys.executable, "-c", "from service.cli import main; main()", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    seconds, peak = (float(number) for number in done.stdout.split())
    return seconds, peak / (2**20 if sys.platform == "darwin" else 2**10)


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.bench_photo")
    parser.add_argument("photos", type=Path, nargs="+")
    photos = parser.parse_args().photos
    reader = Reader.shipped()
    table = Table("photo", "pixels", "pieces", *STAGES, "ms", "imdecode", "ratio")
    for path in photos:
        table.add_row(*bench_file(reader, path))
    for path in photos:
        table.add_row(*bench_frame(reader, path))
    console = Console(width=120)
    console.print(table)
    process = Table("process", "seconds", "peak MB")
    for path in photos:
        seconds, peaks = zip(*(run("photo", str(path)) for _ in range(STARTS)), strict=True)
        process.add_row(f"set-referee photo {path.name}", f"{statistics.median(seconds):.2f}", f"{max(peaks):.0f}")
    seconds, peaks = zip(*(run("--help") for _ in range(STARTS)), strict=True)
    process.add_row("set-referee --help", f"{statistics.median(seconds):.2f}", f"{max(peaks):.0f}")
    console.print(process)
    sizes = {name: (shipped_folder(name) / "model.onnx").stat().st_size / 1e6 for name in ("segmenter", "reader")}
    console.print("models: " + ", ".join(f"{name} {size:.2f} MB" for name, size in sizes.items()))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
