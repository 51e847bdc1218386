"""Folders of rendered pictures with ``labels.jsonl``, the same whatever the number of jobs."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from multiprocessing import get_context
from pathlib import Path

import cv2
from rich.progress import track

from vision.types import Image

__all__ = ["add_options", "fill_folder", "write_picture"]

Label = dict[str, object]


def write_picture(path: Path, image: Image) -> None:
    """Write a BGR picture as JPEG.

    :raises OSError: it cannot be written.
    """
    if not cv2.imwrite(str(path), image, [cv2.IMWRITE_JPEG_QUALITY, 95]):
        raise OSError(f"cannot write {str(path)!r}")


def _all(render: Callable[[int], Label], seeds: range, jobs: int) -> Iterator[Label]:
    if jobs == 1:
        yield from map(render, seeds)
        return
    with get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap(render, seeds, chunksize=4)


def fill_folder(out: Path, count: int, seed: int, render: Callable[[int], Label], jobs: int = 1) -> Path:
    """Render pictures ``seed * 100000 + 0 .. count - 1`` into ``out``; return the path of the labels.

    ``render`` draws the picture of one seed, writes it and returns its label; with several ``jobs`` it is sent to other
    processes.
    """
    out.mkdir(parents=True, exist_ok=True)
    labels = out / "labels.jsonl"
    seeds = range(seed * 100_000, seed * 100_000 + count)
    with labels.open("w") as lines:
        for label in track(_all(render, seeds, jobs), "rendering", total=count):
            lines.write(json.dumps(label) + "\n")
    return labels


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that all renderers have."""
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--textures", type=Path, help="folder of photo textures")
