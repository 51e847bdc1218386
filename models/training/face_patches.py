"""Patches of faces: tops of dice, tiles, printed spaces and squares of boards, cut with room round them.

    python -m models.training.face_patches LABELS... --out runs/faces

A patch shows a face at the face reader's resolution with a wide margin, so that training can shake the cut.
Convention: (96, 96, 3) uint8 BGR, upright where the face has an up.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from zlib import crc32

import cv2
import numpy as np
import numpy.typing as npt
from rich.progress import track

from datasets.names import feature_values
from models.training.board_photos import BoardLabel, BoardPhoto, read_board_photos
from models.training.face_negatives import cover_of, hulls_of, wrong_quads
from vision.faces import CLASSES
from vision.geometry import rectify
from vision.pixels import FACE_MARGIN, FACE_SIZE
from vision.types import Image, Quad

__all__ = ["COLUMNS", "FACE_PATCH", "FACE_PATCH_MARGIN", "CutConfig", "FacePatches", "cut_faces", "main", "write_faces"]

FACE_PATCH = (96, 96)
FACE_PATCH_MARGIN = (FACE_PATCH[0] / FACE_SIZE[0] * (1 + 2 * FACE_MARGIN) - 1) / 2
COLUMNS = ("what", "number", "colour", "shape", "digit", "turn", "raised", "placed", "look")
"""Columns of the label table; -1 where one does not apply. ``placed``: whether the corners can be seen; ``look``: a
number for the style of a Wild face."""

Points = npt.NDArray[np.float32]
Row = tuple[int, ...]
_SYMBOLS, _WILD, _NUMBER, _BLANK, _OTHER = range(len(CLASSES["what"]))
_NO_STYLE = "pips"
"""The look of faces that are none of the 27, and each another."""


@dataclass(frozen=True)
class CutConfig:
    """How many patches a picture gives at the most of each sort, and what is worth cutting: the least ``visible`` share
    of a face, the least ``side`` in pixels; a square counts as ``free`` up to this share under a piece, and as no
    square from ``covered`` on.
    """

    faces: int = 14
    wilds: int = 5
    numbers: int = 7
    blanks: int = 5
    logos: int = 1
    covered_squares: int = 2
    others: int = 9
    visible: float = 0.72
    side: float = 9.0
    free: float = 0.1
    covered: float = 0.6


@dataclass(frozen=True, eq=False)
class FacePatches:
    """``images`` (n, 96, 96, 3) uint8 and ``labels`` (n, 9) int64 in the order of COLUMNS."""

    images: npt.NDArray[np.uint8]
    labels: npt.NDArray[np.int64]

    @classmethod
    def read(cls, folder: Path) -> FacePatches:
        """Open what ``main`` wrote to ``folder``, the pixels mapped from the file."""
        labels = np.load(folder / "labels.npy")
        images = np.load(folder / "images.npy", mmap_mode="r" if len(labels) else None)
        return cls(images, labels)


def label_row(kind: str, name: str | None, look: str | None) -> Row:
    """Return the row of COLUMNS of a die, a tile or a printed space, upright."""
    raised = int(kind != "space")
    if name is None:
        return (_OTHER if kind == "die" else _BLANK, -1, -1, -1, -1, -1, raised, 1, -1)
    if name == "wild":
        style = -1 if look is None or look == _NO_STYLE else crc32(look.encode())
        return (_WILD, -1, -1, -1, -1, -1, raised, 1, style)
    number, colour, _, shape = feature_values("die" if kind == "die" else "tile", name)
    return (_SYMBOLS, number, colour, shape, -1, -1, raised, 1, -1)


def _square_row(what: int, points: int | None, placed: bool) -> Row:
    digit = points if points is not None and 0 <= points <= 9 else -1
    return (what, -1, -1, -1, digit, 0 if what == _NUMBER else -1, 0, int(placed), -1)


def _some(found: Sequence[tuple[Points, Row]], most: int, rng: np.random.Generator) -> list[tuple[Points, Row]]:
    return [found[int(index)] for index in rng.permutation(len(found))[:most]]


def _faces(photo: BoardPhoto, rng: np.random.Generator, config: CutConfig) -> list[tuple[Points, Row]]:
    """Pieces and printed spaces that can be seen, Wilds apart."""
    found = [
        (thing.corners, label_row(thing.kind, thing.name, look))
        for thing, look in zip(photo.things, photo.looks, strict=True)
        if thing.kind in ("die", "tile", "space") and thing.visible >= config.visible
    ]
    wilds = [one for one in found if one[1][0] == _WILD]
    rest = [one for one in found if one[1][0] != _WILD]
    return _some(wilds, config.wilds, rng) + _some(rest, config.faces, rng)


def _squares(
    photo: BoardPhoto, board: BoardLabel, size: tuple[int, int], rng: np.random.Generator, config: CutConfig
) -> list[tuple[Points, Row]]:
    """Squares of a board of Cubed: numbers, blank ones, the logo, and those under dice."""
    hulls = hulls_of(photo)
    bonus = board.bonus or {}
    frame = np.array([size], np.float32) - 1
    sorts: dict[int | str, list[tuple[Points, Row]]] = {_NUMBER: [], _BLANK: [], "logo": [], "covered": []}
    for row in range(board.rows):
        for column in range(board.columns):
            corners, at = board.square(row, column), (row, column)
            if (corners < 0).any() or (corners > frame).any():
                continue
            cover = cover_of(corners, hulls)
            if cover >= config.covered:
                sorts["covered"].append((corners, _square_row(_OTHER, None, False)))
            elif cover <= config.free and at in board.logo:
                sorts["logo"].append((corners, _square_row(_OTHER, None, False)))
            elif cover <= config.free and at in bonus:
                sorts[_NUMBER].append((corners, _square_row(_NUMBER, bonus[at], True)))
            elif cover <= config.free:
                sorts[_BLANK].append((corners, _square_row(_BLANK, None, board.lines)))
    most = {_NUMBER: config.numbers, _BLANK: config.blanks, "logo": config.logos, "covered": config.covered_squares}
    return [one for sort, found in sorts.items() for one in _some(found, most[sort], rng)]


def cut_faces(
    photo: BoardPhoto, rng: np.random.Generator, config: CutConfig | None = None
) -> Iterator[tuple[Image, Row]]:
    """Yield (patch, label row) of faces, squares, and quads that are neither."""
    chosen = config or CutConfig()
    picture, _ = photo.image()
    size = (picture.shape[1], picture.shape[0])
    found = _faces(photo, rng, chosen)
    if photo.board is not None and photo.board.kind == "cubed":
        found += _squares(photo, photo.board, size, rng, chosen)
    wrong = [(corners, _square_row(_OTHER, None, False)) for corners in wrong_quads(photo, size, rng)]
    found += _some(wrong, chosen.others, rng)
    for corners, row in found:
        quad = Quad(corners)
        if min(quad.short_side, quad.long_side) >= chosen.side and quad.area > 0:
            yield rectify(picture, quad, FACE_PATCH, FACE_PATCH_MARGIN), row


def _cut_one(numbered: tuple[int, BoardPhoto], seed: int) -> list[tuple[Image, Row]]:
    cv2.setNumThreads(1)
    return list(cut_faces(numbered[1], np.random.default_rng((seed, numbered[0]))))


def write_faces(photos: Sequence[BoardPhoto], out: Path, seed: int, jobs: int) -> int:
    """Cut the patches of all ``photos`` into ``out``, as :meth:`FacePatches.read` opens them; return how many."""
    out.mkdir(parents=True, exist_ok=True)
    labels: list[Row] = []
    pixels = out / "pixels.bin"
    with get_context("spawn").Pool(jobs) as pool, pixels.open("wb") as file:
        results = pool.imap(partial(_cut_one, seed=seed), enumerate(photos), chunksize=4)
        for cut in track(results, "cutting", total=len(photos)):
            for image, row in cut:
                file.write(np.ascontiguousarray(image).tobytes())
                labels.append(row)
    shape = (len(labels), FACE_PATCH[1], FACE_PATCH[0], 3)
    # Pixels go to the disk as they come: all of them together may not fit into memory.
    images = np.memmap(pixels, np.uint8, "r", shape=shape) if labels else np.zeros(shape, np.uint8)
    np.save(out / "images.npy", images)
    del images
    pixels.unlink()
    np.save(out / "labels.npy", np.array(labels, np.int64).reshape(len(labels), len(COLUMNS)))
    return len(labels)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m models.training.face_patches", description=__doc__.splitlines()[0])
    parser.add_argument("labels", type=Path, nargs="+", help="labels.jsonl of rendered scenes")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args(arguments)
    photos = [photo for labels in options.labels for photo in read_board_photos(labels)]
    print(write_faces(photos, options.out, options.seed, options.jobs), "patches")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
