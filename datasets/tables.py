"""Table tops: procedural wood, cloth, marble, tiles, patterns and plain surfaces, and photo textures where present.

Convention: a texture is (side, side, 3) float32 BGR in 0..255 that repeats seamlessly enough when mirrored.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from datasets.canvas import Art
from datasets.distractors import Distractor, draw_distractor

__all__ = ["PROCEDURES", "Texture", "fractal_noise", "photo_textures", "random_table"]

Texture = npt.NDArray[np.float32]
Random = np.random.Generator
_SIDE = 512


def fractal_noise(rng: Random, side: int, octaves: Sequence[tuple[float, float]]) -> Texture:
    """Return (side, side) float32 noise of mean about 0 and range about -1..1: a sum of smooth octaves.

    ``octaves`` holds (cells across y, cells across x) of each layer; each next layer has half the weight.
    """
    out, weight, total = np.zeros((side, side), np.float32), 1.0, 0.0
    for rows, columns in octaves:
        grid = rng.uniform(-1, 1, (max(2, int(rows)), max(2, int(columns)))).astype(np.float32)
        out += np.float32(weight) * cv2.resize(grid, (side, side), interpolation=cv2.INTER_CUBIC)
        total, weight = total + weight, weight / 2
    return np.asarray(out / np.float32(total), np.float32)


def _tint(field: Texture, base: npt.NDArray[np.float32], other: npt.NDArray[np.float32]) -> Texture:
    """Blend two BGR colours by ``field`` (about -1..1)."""
    share = np.clip(field * 0.5 + 0.5, 0, 1)[..., None]
    return np.asarray(base * (1 - share) + other * share, np.float32)


def _colour(rng: Random, low: int = 20, high: int = 235) -> npt.NDArray[np.float32]:
    return np.asarray(rng.uniform(low, high, 3), np.float32)


def _grey(rng: Random, low: int, high: int, spread: float = 10) -> npt.NDArray[np.float32]:
    return np.asarray(np.clip(rng.uniform(low, high) + rng.normal(0, spread, 3), 0, 255), np.float32)


def wood(rng: Random) -> Texture:
    """Grain along x in browns, greys or near white, with or without planks."""
    tone = np.array([rng.uniform(20, 150), rng.uniform(50, 180), rng.uniform(80, 220)], np.float32)
    if rng.random() < 0.3:
        tone = _grey(rng, 60, 220)
    grain = fractal_noise(rng, _SIDE, [(6, 2), (24, 3), (90, 5), (250, 12)])
    rings = np.sin((grain * rng.uniform(2, 8) + fractal_noise(rng, _SIDE, [(3, 2)])) * 6).astype(np.float32)
    out = _tint(0.6 * grain + 0.4 * rings, tone * np.float32(rng.uniform(0.5, 0.85)), np.minimum(tone * 1.15, 255))
    if rng.random() < 0.5:
        width = int(rng.integers(40, 200))
        for row in range(0, _SIDE, width):
            out[row : row + width] *= np.float32(rng.uniform(0.8, 1.15))
            out[row : row + 2] *= np.float32(0.45)
    return out


def cloth(rng: Random) -> Texture:
    """A weave or felt with soft folds, or a tartan."""
    base = _colour(rng, 10, 220)
    fine = rng.normal(0, rng.uniform(3, 16), (_SIDE, _SIDE, 1)).astype(np.float32)
    folds = fractal_noise(rng, _SIDE, [(3, 3), (6, 6)])[..., None] * np.float32(rng.uniform(0, 30))
    out = base + fine + folds
    if rng.random() < 0.4:
        y, x = np.mgrid[0:_SIDE, 0:_SIDE].astype(np.float32)
        pitch = rng.uniform(3, 8)
        out += ((np.sin(x * 2 * np.pi / pitch) + np.sin(y * 2 * np.pi / pitch)) * rng.uniform(3, 14))[..., None]
    if rng.random() < 0.25:
        for _ in range(int(rng.integers(2, 7))):
            start, width, colour = int(rng.integers(0, _SIDE)), int(rng.integers(6, 50)), _colour(rng)
            out[start : start + width] = 0.5 * out[start : start + width] + 0.5 * colour
            start = int(rng.integers(0, _SIDE))
            out[:, start : start + width] = 0.5 * out[:, start : start + width] + 0.5 * colour
    return np.asarray(np.clip(out, 0, 255), np.float32)


def marble(rng: Random) -> Texture:
    """Stone with veins or speckles."""
    field = fractal_noise(rng, _SIDE, [(4, 4), (9, 9), (22, 22), (60, 60)])
    veins = 1 - np.minimum(1, np.abs(field) * rng.uniform(4, 14))
    base = _grey(rng, 30, 245)
    out = base + (veins[..., None] * (_grey(rng, 30, 220) - base) * rng.uniform(0.2, 0.8))
    if rng.random() < 0.4:
        out += rng.normal(0, rng.uniform(5, 30), (_SIDE, _SIDE, 1))
    return np.asarray(np.clip(out, 0, 255), np.float32)


def tiles(rng: Random) -> Texture:
    """A lattice of tiles with joints: edges that are no cards."""
    out = _grey(rng, 40, 240) + fractal_noise(rng, _SIDE, [(8, 8), (40, 40)])[..., None] * np.float32(
        rng.uniform(2, 20)
    )
    wide, high, joint = int(rng.integers(50, 220)), int(rng.integers(50, 220)), int(rng.integers(1, 8))
    colour = _grey(rng, 20, 230)
    for start in range(0, _SIDE, high):
        out[start : start + joint] = colour
    for start in range(0, _SIDE, wide):
        out[:, start : start + joint] = colour
    return np.asarray(np.clip(out, 0, 255), np.float32)


def pattern(rng: Random) -> Texture:
    """Dots, flowers, stripes and blobs in loud colours, as on table cloths and carpets."""
    out = np.empty((_SIDE, _SIDE, 3), np.float32)
    out[:] = _colour(rng)
    colours = [tuple(float(v) for v in _colour(rng)) for _ in range(4)]
    for _ in range(int(rng.integers(15, 160))):
        at = tuple(int(v) for v in rng.integers(0, _SIDE, 2))
        size = tuple(int(v) for v in rng.integers(3, 40, 2))
        colour = colours[int(rng.integers(0, 4))]
        thick = -1 if rng.random() < 0.7 else int(rng.integers(1, 6))
        cv2.ellipse(out, at, size, float(rng.uniform(0, 180)), 0, 360, colour, thick, cv2.LINE_AA)
    return out


def plain(rng: Random) -> Texture:
    """One colour with hardly any structure."""
    out = _colour(rng) if rng.random() < 0.5 else _grey(rng, 5, 250)
    field = fractal_noise(rng, _SIDE, [(4, 4), (30, 30)])[..., None] * np.float32(rng.uniform(0, 6))
    return np.asarray(np.clip(out + field, 0, 255), np.float32)


def white(rng: Random) -> Texture:
    """Near the colour of a card, a little brighter or darker: a white desk, a sheet."""
    base = _grey(rng, 190, 255, 5)
    field = fractal_noise(rng, _SIDE, [(3, 3), (30, 30), (120, 120)])[..., None] * np.float32(rng.uniform(0, 6))
    return np.asarray(np.clip(base + field, 0, 255), np.float32)


def dark(rng: Random) -> Texture:
    """Black cloth or a dark table."""
    noise = rng.normal(0, rng.uniform(0, 6), (_SIDE, _SIDE, 1))
    return np.asarray(np.clip(_grey(rng, 5, 55, 6) + noise, 0, 255), np.float32)


def printed(rng: Random) -> Texture:
    """Cloth or paper printed all over with lettered labels, boxes and pictures, many of them as white as a card."""
    side = 2 * _SIDE
    ground = (cloth if rng.random() < 0.5 else plain)(rng)
    out = np.asarray(cv2.resize(ground, (side, side), interpolation=cv2.INTER_LINEAR), np.float32)
    kinds = [Distractor.LABEL, Distractor.LABEL, Distractor.STICKY_NOTE, Distractor.COASTER, Distractor.BUSINESS_CARD]
    count = int(rng.integers(3, 9))
    motifs = [draw_distractor(rng, 2.0, kinds[int(rng.integers(0, len(kinds)))]) for _ in range(count)]
    length = rng.uniform(0.06, 0.2) * side
    for _ in range(int(rng.integers(10, 70))):
        motif = motifs[int(rng.integers(0, len(motifs)))]
        _stamp(rng, out, motif, length * rng.uniform(0.7, 1.4) / max(motif.alpha.shape))
    return np.asarray(np.clip(out, 0, 255), np.float32)


def _stamp(rng: Random, out: Texture, motif: Art, scale: float) -> None:
    """Print ``motif`` somewhere on ``out``, turned and a little sheared; what lies beyond the border is left out."""
    height, width = motif.alpha.shape
    box = int(np.ceil(1.3 * np.hypot(height, width) * scale)) + 2
    left, top = (int(v) for v in rng.integers(0, len(out) - box, 2))
    angle = rng.normal(0, 0.4) + rng.choice([0.0, np.pi / 2, np.pi])
    cos, sin, shear = np.cos(angle) * scale, np.sin(angle) * scale, rng.normal(0, 0.12) * scale
    matrix = np.array([[cos, shear - sin, box / 2], [sin, cos, box / 2]], np.float32)
    matrix[:, 2] -= matrix[:, :2] @ np.array([width / 2, height / 2], np.float32)
    mask = cv2.warpAffine(motif.alpha, matrix, (box, box)).astype(np.float32)[..., None] / 255
    region = out[top : top + box, left : left + box]
    region += (cv2.warpAffine(motif.image, matrix, (box, box)).astype(np.float32) - region) * mask


PROCEDURES: dict[str, tuple[Callable[[Random], Texture], float]] = {
    "wood": (wood, 0.2),
    "cloth": (cloth, 0.15),
    "marble": (marble, 0.08),
    "tiles": (tiles, 0.07),
    "pattern": (pattern, 0.08),
    "printed": (printed, 0.07),
    "plain": (plain, 0.1),
    "white": (white, 0.2),
    "dark": (dark, 0.1),
}
"""Name -> (maker, share of the procedural tables)."""


def photo_textures(folder: Path | None) -> tuple[Path, ...]:
    """Return the photo textures of ``folder`` in order; none when it is None."""
    return () if folder is None else tuple(sorted(folder.glob("*.jpg")))


def _photo(rng: Random, paths: Sequence[Path]) -> Texture:
    path = paths[int(rng.integers(0, len(paths)))]
    image = cv2.imread(str(path))
    if image is None:
        raise FileNotFoundError(f"no texture can be read from {str(path)!r}")
    scale = 1024 / max(image.shape[:2])
    image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image
    return np.asarray(image, np.float32)


def random_table(rng: Random, photos: Sequence[Path] = (), name: str | None = None) -> tuple[str, Texture]:
    """Return (name, texture): a photo texture half of the time when there are any, else a procedural one.

    ``name`` asks for one of PROCEDURES.
    """
    if name is not None:
        return name, PROCEDURES[name][0](rng)
    if photos and rng.random() < 0.45:
        texture = _photo(rng, photos)
        if rng.random() < 0.5:
            texture = np.clip(texture * rng.uniform(0.6, 1.4, 3) * rng.uniform(0.5, 1.4), 0, 255).astype(np.float32)
        return "photo", texture
    names = list(PROCEDURES)
    share = np.array([PROCEDURES[name][1] for name in names])
    name = names[int(rng.choice(len(names), p=share / share.sum()))]
    return name, PROCEDURES[name][0](rng)
