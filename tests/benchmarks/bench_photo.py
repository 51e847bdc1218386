"""How long one photo takes, whole and by stage, beside a full decode of the same file.

    python -m tests.benchmarks.bench_photo PHOTO...

Reading and decoding take turns, so that what else the machine does falls on both; medians are printed. ``ratio`` is the
whole time over that of ``cv2.imdecode`` at full size.
"""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path

import cv2
import numpy as np

from vision.reader import Reader
from vision.types import Frame

ROUNDS = 15


def decode_ms(data: bytes) -> float:
    """Milliseconds of one full decode."""
    began = time.perf_counter()
    cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    return (time.perf_counter() - began) * 1000


def bench(reader: Reader, path: Path) -> str:
    """Return one line of medians for the photo at ``path``."""
    data = path.read_bytes()
    frames: list[Frame] = []
    decodes: list[float] = []
    for _ in range(ROUNDS):
        decodes.append(decode_ms(data))
        frames.append(reader.read(data))
    whole, decode = statistics.median(frame.ms for frame in frames), statistics.median(decodes)
    stages = {stage: statistics.median(frame.stages[stage] for frame in frames) for stage in frames[0].stages}
    parts = "  ".join(f"{stage} {ms:.0f}" for stage, ms in stages.items())
    width, height = frames[0].size
    return (
        f"{path.name}  {width} x {height}  {len(frames[0])} pieces  {whole:.0f} ms ({parts})"
        f"  imdecode {decode:.0f} ms  ratio {whole / decode:.2f}"
    )


def main() -> int:
    """Print one line a photo."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.bench_photo")
    parser.add_argument("photos", type=Path, nargs="+")
    reader = Reader.shipped()
    for path in parser.parse_args().photos:
        print(bench(reader, path))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
